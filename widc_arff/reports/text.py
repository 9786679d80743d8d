"""Committees and explanations as plain text of 80 columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.model.change_search import most_together
from widc_arff.reports.committees import committee_in_form
from widc_arff.reports.kinds import LABELS_SHOWN, kind_of
from widc_arff.reports.layout import WIDTH, fixed, indented, wrap_words
from widc_arff.reports.wording import (
    change_in_words,
    class_names,
    counted,
    decision_in_words,
    listed,
    outcome_in_words,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.model.change_values import Change, Decision, Unknown
    from widc_arff.model.committee import DecisionCommittee, Explanation
    from widc_arff.model.costs import CostMatrix
    from widc_arff.reports.by_class import Layout


def committee_text(
    committee: DecisionCommittee, layout: Layout = "class", most: int = LABELS_SHOWN
) -> str:
    """Return a committee as text: class by class, or as a list of rules.

    Parameters
    ----------
    committee : DecisionCommittee
        For classes or label sets; the latter are always a list of rules.
    layout : {"class", "rule"}
        How it is laid out.
    most : int
        How many labels of a set to name for each vote of a rule.
    """
    return committee_in_form(committee, "text", layout, most)


def explanation_text(
    committee: DecisionCommittee,
    explanation: Explanation,
    row: int,
    actual: int | None = None,
    costs: CostMatrix | None = None,
) -> str:
    """Return why a committee decides as it does for one row, counted from 1.

    Parameters
    ----------
    committee : DecisionCommittee
        Who decides.
    explanation : Explanation
        Of the row.
    row : int
        Its number, from 1.
    actual : int, optional
        Its class, where it is known.
    costs : tuple of tuple of float, optional
        Asks for the class of least expected cost too.
    """
    labels = class_names(committee)
    winner = labels[explanation.winner]
    chance = explanation.probabilities[explanation.winner]
    sure = "" if committee.is_fitted else ", not fitted"
    head = f"Row {row}: {winner} (probability {chance:.3f}{sure})"
    if actual is not None:
        head += ", right" if actual == explanation.winner else f", wrong: it is {labels[actual]}"
    lines = wrap_words(head.split(" "), WIDTH, " ")
    if costs is not None:
        lines += wrap_words(_least_cost_told(explanation, labels, costs).split(" "), WIDTH, " ")
    lines.append("")
    lines += kind_of(committee).fired_lines(explanation.fired)
    if explanation.fired:
        sums = _sums_told(committee, explanation, labels)
        lines += ["", *indented(wrap_words(sums, WIDTH - 8), "Points  ")]
    lines += ["", *wrap_words(_reason(committee, explanation).split(" "), WIDTH, " ")]
    return "\n".join(lines) + "\n"


def _least_cost_told(explanation: Explanation, labels: Sequence[str], costs: CostMatrix) -> str:
    decision, expected = explanation.least_cost(costs)
    told = f"Least expected cost: {labels[decision]} ({fixed(expected[decision], 3)})"
    if decision != explanation.winner:
        told += f"; {labels[explanation.winner]}: {fixed(expected[explanation.winner], 3)}"
    return told


def _sums_told(
    committee: DecisionCommittee, explanation: Explanation, labels: Sequence[str]
) -> list[str]:
    """Return what each class has, and from which rules, in the order of the decision."""
    of_rules = committee.points
    points = [of_rules[k] for k in explanation.fired]
    told, others = [], []
    for place, j in enumerate(ranked_classes(committee, explanation)):
        givers = [str(k + 1) for k, of in zip(explanation.fired, points, strict=True) if of[j]]
        if givers or place < 2:
            total = sum(of[j] for of in points)
            rules = f" (rule{'s' * (len(givers) > 1)} {listed(givers)})" if givers else ""
            told.append(f"{labels[j]}: {total}{rules}")
        else:
            others.append(labels[j])
    if others:
        told.append(f"{others[0] if len(others) == 1 else 'all other classes'}: 0")
    return told


def ranked_classes(committee: DecisionCommittee, explanation: Explanation) -> list[int]:
    """Return the classes that occur in training, the one decided first, then the next best."""
    return sorted(committee.tie_order, key=lambda j: -explanation.votes[j])


def _reason(committee: DecisionCommittee, explanation: Explanation) -> str:
    """Return why the class decided wins, and without which rules another one would."""
    labels = class_names(committee)
    winner, tied = labels[explanation.winner], explanation.tied
    order = ranked_classes(committee, explanation)
    if len(tied) == len(order) > 2:
        text = f"All classes have the same points; {winner} wins ties."
    elif len(order) > 1 and len(tied) > 1:
        equal = listed(labels[j] for j in order if j in tied)
        text = f"{equal} have the most points; {winner} wins ties."
    elif len(order) > 1:
        ahead = counted(explanation.margin, "point")
        text = f"{winner} has the most points, {ahead} ahead of {labels[order[1]]}."
    else:
        text = f"{winner} is the only class."
    without: dict[int, list[str]] = {}
    for k, other in committee.without_rules(explanation).items():
        without.setdefault(other, []).append(str(k + 1))
    for other, rules in without.items():
        text += f" Without rule {' or '.join(rules)}: {labels[other]}."
    if explanation.fired and not without:
        text += " Without any one of these rules the decision is the same."
    return text


def what_else_text(
    committee: DecisionCommittee,
    unknown: Sequence[Unknown],
    changes: Sequence[Change],
    decision: Decision,
    *,
    by_cost: bool,
) -> str:
    """Return what missing values could decide, and what would change a decision.

    Parameters
    ----------
    committee : DecisionCommittee
        Who decides.
    unknown : sequence of Unknown
        `unknown_by_row` of the row.
    changes : sequence of Change
        Its `nearest_changes`.
    decision : int or tuple of int
        What is decided for it.
    by_cost : bool
        Whether they change the class of least expected cost.
    """
    lines = _unknown_lines(committee, unknown, decision)
    lines += ["", *_change_lines(committee, changes, decision, by_cost)]
    return "\n".join(lines) + "\n"


def _unknown_lines(
    committee: DecisionCommittee, unknown: Sequence[Unknown], now: Decision
) -> list[str]:
    """Return which rules cannot be judged for want of a value, and what values would decide."""
    lines = []
    names = class_names(committee)
    for of in unknown:
        name = shown(committee.schema.attributes[of.attribute].name)
        rules = f"rule{'s' * (len(of.rules) > 1)} {listed(str(k + 1) for k in of.rules)}"
        lines += [
            "",
            *wrap_words(f"{name} is missing: {rules} cannot be judged.".split(" "), WIDTH, " "),
        ]
        for values, decision in of.outcomes:
            told = f"{outcome_in_words(values, committee.schema)}: "
            told += decision_in_words(decision, names, now)
            lines += indented(wrap_words(told.split(" "), WIDTH - 4, " "), "  ")
    return lines


def _change_lines(
    committee: DecisionCommittee, changes: Sequence[Change], now: Decision, by_cost: bool
) -> list[str]:
    """Return the changes that flip a decision, a line each."""
    what = "the class of least cost" if by_cost else "the decision"
    if not changes:
        most = most_together(committee)
        return [f"No change of up to {most} attributes would change {what}."]
    n = len(changes[0].steps)
    how = "one attribute" if n == 1 else f"{n} attributes together"
    lines = [f"What would change {what}: {how}, the nearest first:"]
    names = class_names(committee)
    for change in changes:
        text = f"{change_in_words(change, committee.schema)}: "
        text += decision_in_words(change.decision, names, now)
        lines += indented(wrap_words(text.split(" "), WIDTH - 4, " "), "  ")
    return lines
