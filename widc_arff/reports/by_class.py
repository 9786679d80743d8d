"""A committee class by class: who votes for and against each, in the order in which ties are won.

That order is all that the default vector does to a decision.  Classes without a training example
are left out: each rule gives them its least vote, so that they never win.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from widc_arff.reports.layout import WIDTH, left, right, signed, width_of, wrap, wrap_words
from widc_arff.reports.wording import conditions, listed, number, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from widc_arff.model.committee import DecisionCommittee

Layout: TypeAlias = Literal["class", "rule"]

FEWEST_CLASSES = 4
"""From so many classes on a committee reads better class by class."""
_LEAST_ROOM = 30
"""Columns for conditions, however wide the numbers."""


class Part(NamedTuple):
    """A part of some training examples: those of one class."""

    weight: float
    whole: float

    @property
    def in_words(self) -> str:
        """As in ``13 of 21``."""
        return f"{number(self.weight)} of {number(self.whole)}"

    @property
    def percent(self) -> str:
        """As in ``62 %``."""
        return f"{100 * self.weight / self.whole:.0f} %" if self.whole else "–"


class Vote(NamedTuple):
    """What a rule says of a class.

    Parameters
    ----------
    points : int
        From -2 to 2, not 0.
    rule : int
        Index of the rule.
    covered : Part
        What the rule covers of the class, of all that it covers.
    """

    points: int
    rule: int
    covered: Part


class ClassSection(NamedTuple):
    """A class with the votes for it, and then those against it."""

    name: str
    examples: Part
    votes: list[Vote]


def layout_for(committee: DecisionCommittee, asked: Layout | None) -> Layout:
    """Return the layout that is asked for, or else the one that suits the number of classes."""
    return asked or ("class" if len(committee.tie_order) >= FEWEST_CLASSES else "rule")


def class_sections(committee: DecisionCommittee) -> list[ClassSection]:
    """Return the classes that occur in training, in the order in which ties are won."""
    labels, weights = committee.schema.labels.values, committee.training.weights
    rules = list(enumerate(zip(committee.points, committee.rules, strict=True)))
    sections = []
    for j in committee.tie_order:
        votes = [
            Vote(points[j], k, Part(rule.covers[j], rule.covered))
            for k, (points, rule) in rules
            if points[j]
        ]
        votes.sort(key=lambda vote: -vote.points)
        sections.append(ClassSection(shown(labels[j]), Part(weights[j], sum(weights)), votes))
    return sections


def class_lines(committee: DecisionCommittee) -> Iterator[str]:
    """Yield the lines of a text: each class with its examples, and its rules with theirs."""
    sections = class_sections(committee)
    numbers = len(str(len(committee.rules)))
    parts = [section.examples for section in sections]
    parts += [vote.covered for section in sections for vote in section.votes]
    wide = max(len("of the class"), *(len(part.in_words) for part in parts))

    def with_figures(line: str, amount: str, share: str) -> list[str]:
        figures = f"  {amount:>{wide}}  {share:>5}"
        room = WIDTH - len(figures)
        if width_of(line) > room:
            return [line, right(figures, WIDTH)]
        return [left(line, room) + figures]

    yield from with_figures("points  rule", "of the class", "share")
    yield "-" * WIDTH
    for section in sections:
        *before, last = wrap_words(section.name.split(" "), WIDTH, " ")
        yield from before
        yield from with_figures(last, section.examples.in_words, section.examples.percent)
        if not section.votes:
            yield "  no rule"
        for vote in section.votes:
            head = f"  {signed(vote.points)}  {vote.rule + 1:>{numbers}}  "
            room = max(WIDTH - len(head) - wide - 9, _LEAST_ROOM)
            text = wrap(conditions(committee.rules[vote.rule].monomial, committee.schema), room)
            figures = vote.covered.in_words, vote.covered.percent
            yield from with_figures(head + text[0], *figures)
            yield from (" " * (len(head) + 2) + line for line in text[1:])


def how_it_decides(committee: DecisionCommittee) -> str:
    """Return in words what points, the order of the classes and the figures mean."""
    labels = [shown(label) for label in committee.schema.labels.values]
    absent = [label for label, n in zip(labels, committee.training.weights, strict=True) if not n]
    texts = [
        "Every class starts with 0 points and gets those of the rules that hold.",
        "The class with the most points wins. If classes tie, the one listed first wins: they are",
        "listed by their training examples that tie, then by all of them. If no rule holds, that",
        f"is {labels[committee.tie_order[0]]}.",
        "Beside a class: its part of the training examples; beside a rule: its part of those that",
        "the rule covers.",
    ]
    if any(sum(map(bool, points)) > 1 for points in committee.points):
        texts.append("One number is one rule, under however many classes.")
    if committee.rules:
        texts.append("A condition on a missing value does not hold.")
    if absent:
        texts.append(f"Never decided, for want of a training example: {listed(absent)}.")
    return " ".join(texts)
