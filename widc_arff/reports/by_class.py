"""A committee class by class: who votes for and against each, in the order in which ties are won.

That order is all that the default vector does to a decision.  Classes without a training example
are left out: each rule gives them its least vote, so that they never win.  So are classes that no
rule speaks of behind one that no rule speaks against, which wins their ties.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from widc_arff.reports.formatting import class_names
from widc_arff.reports.rights import Part, Right, right_of_vote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from widc_arff.model.committee import DecisionCommittee

Layout: TypeAlias = Literal["class", "rule"]


class Vote(NamedTuple):
    """What a rule says of a class.

    Parameters
    ----------
    points : int
        From -2 to 2, not 0.
    rule : int
        Index of the rule.
    right : Right
        How often it is right.
    """

    points: int
    rule: int
    right: Right


class ClassSection(NamedTuple):
    """A class with the votes for it, and then those against it."""

    name: str
    examples: Part
    votes: list[Vote]


def class_sections(committee: DecisionCommittee) -> list[ClassSection]:
    """Return the classes that rules speak of or that win ties, in the order in which they do.

    Of its rules those with most points come first, and of these those that decide most rows.
    """
    weights, names = committee.training.weights, class_names(committee)
    undecided, all_points = set(never_decided(committee)), committee.points
    sections = []
    for j in committee.tie_order:
        votes = [
            Vote(points[j], k, right_of_vote(committee, k, j, points[j]))
            for k, points in enumerate(all_points)
            if points[j]
        ]
        votes.sort(key=lambda vote: (-vote.points, -(committee.rules[vote.rule].decides or 0)))
        if votes or j not in undecided:
            sections.append(ClassSection(names[j], Part(weights[j], sum(weights)), votes))
    return sections


def votes_by_class(committee: DecisionCommittee) -> Iterator[Vote]:
    """Yield each vote of each rule on the classes that occur in training."""
    for section in class_sections(committee):
        yield from section.votes


def never_decided(committee: DecisionCommittee) -> list[int]:
    """Return the classes with training rows that no rule is for, and that win no tie."""
    found, is_safe, all_points = list[int](), False, committee.points
    for j in committee.tie_order:
        points = [of_rule[j] for of_rule in all_points]
        if is_safe and not any(n > 0 for n in points):
            found.append(j)
        is_safe = is_safe or not any(n < 0 for n in points)
    return found
