"""Reports as plain text of 80 columns, in the manner of the paper's Figure 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.reports.by_class import class_lines, how_it_decides, layout_for
from widc_arff.reports.kinds import LABELS_SHOWN, kind_of
from widc_arff.reports.label_sets import covers_in_labels, how_it_ranks
from widc_arff.reports.layout import (
    WIDTH,
    fixed,
    indented,
    left,
    right,
    signed,
    width_of,
    wrap,
    wrap_words,
)
from widc_arff.reports.wording import (
    change_in_words,
    conditions,
    counted,
    listed,
    majority,
    number,
    purity,
    shown,
    size_in_words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.model.changes import Change
    from widc_arff.model.committee import DecisionCommittee, Explanation
    from widc_arff.model.costs import CostMatrix
    from widc_arff.reports.by_class import Layout
    from widc_arff.reports.kinds import Kind

LEAST_RULE_WIDTH = 30
_PURITY = 9


def committee_text(
    committee: DecisionCommittee, layout: Layout | None = None, most: int = LABELS_SHOWN
) -> str:
    """Return a committee as text.

    For classes class by class, or as a table of rules with their points; with classes too many for
    columns, a table lists points by class below each rule.  For label sets as a list of rules, each
    with what it votes for and against.

    Parameters
    ----------
    committee : DecisionCommittee
        For classes or label sets.
    layout : {"class", "rule"}, optional
        By default class by class from four classes on.
    most : int
        How many labels of a set to name for each vote of a rule.
    """
    kind = kind_of(committee, most)
    lines = [f"Decision committee for {kind.subject}: {size_in_words(committee)}", ""]
    lines += _LINES[committee.schema.labels.kind](kind, layout)
    lines += ["", *wrap_words(kind.training_line.split(" "), WIDTH, " ")]
    return "\n".join(lines) + "\n"


def _lines_of_classes(kind: Kind, layout: Layout | None) -> list[str]:
    committee = kind.committee
    if layout_for(committee, layout) == "rule":
        return _rule_lines(kind)
    how = wrap_words(how_it_decides(committee).split(" "), WIDTH, " ")
    return [*class_lines(committee), "", *how]


def _lines_of_sets(kind: Kind, _: Layout | None) -> list[str]:
    lines = []
    for k, rule in enumerate(kind.committee.rules):
        lines += [*kind.rule_lines(k), f"        covers {covers_in_labels(rule)}"]
    lines += indented(wrap_words(kind.default_shares(), WIDTH - 9), "default  ")
    if kind.committee.rules:
        lines += ["", *wrap_words(how_it_ranks(kind.committee).split(" "), WIDTH, " ")]
    return lines


_LINES = {"single": _lines_of_classes, "multi": _lines_of_sets}


def _rule_lines(kind: Kind) -> list[str]:
    """Return a rule a line with its points, what it covers and how purely; how they decide."""
    committee, room = kind.committee, WIDTH - LEAST_RULE_WIDTH - _covers_width(kind.committee)
    columns, legend = _vote_columns(kind.labels, room)
    lines = _listed_rules(kind) if columns is None else _rule_table(committee, columns)
    if legend:
        lines += ["", *legend]
    if committee.rules:
        votes = "Votes" if len(committee.tie_order) <= 2 else "Points"
        how = (
            f"{votes} of the rules that hold are added, the largest sum wins; the default decides "
            f"ties: {kind.labels[committee.tie_order[0]]} where no rule holds. Covers: training "
            f"examples{'' if columns is None else '; purity: share of their main class'}."
        )
        lines += ["", *wrap_words(how.split(" "), WIDTH, " ")]
    return lines


def explanation_text(
    committee: DecisionCommittee,
    explanation: Explanation,
    row: int,
    changes: Sequence[Change] | None = None,
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
    changes : sequence of Change, optional
        `nearest_changes` of the row; None leaves them out.
    actual : int, optional
        Its class, where it is known.
    costs : tuple of tuple of float, optional
        Asks for the class of least expected cost too.
    """
    schema = committee.schema
    labels = [shown(label) for label in schema.labels.values]
    winner = labels[explanation.winner]
    chance = explanation.probabilities[explanation.winner]
    head = f"Row {row}: {winner} (probability {chance:.3f})"
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
    if changes is not None:
        lines += ["", *_change_lines(committee, changes)]
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
    told = []
    order = ranked_classes(committee, explanation)
    for place, j in enumerate(order):
        givers = [str(k + 1) for k, of in zip(explanation.fired, points, strict=True) if of[j]]
        if givers or place < 2:
            total = sum(of[j] for of in points)
            rules = f" (rule{'s' * (len(givers) > 1)} {listed(givers)})" if givers else ""
            told.append(f"{labels[j]}: {total}{rules}")
    n_others = len(order) - len(told)
    if n_others:
        told.append("the other: 0" if n_others == 1 else "each other class: 0")
    return told


def ranked_classes(committee: DecisionCommittee, explanation: Explanation) -> list[int]:
    """Return the classes that occur in training, the one decided first, then the next best."""
    return sorted(committee.tie_order, key=lambda j: -explanation.votes[j])


def _covers_width(committee: DecisionCommittee) -> int:
    """Return how wide the columns behind the votes are: covers, as its numbers need, and purity."""
    longest = max((len(number(sum(rule.covers))) for rule in committee.rules), default=0)
    return 2 + max(longest, 8) + _PURITY


def _vote_columns(headings: list[str], room: int) -> tuple[list[str] | None, list[str]]:
    """Return headings of vote columns that fit, and a legend where they are abbreviated."""
    if sum(2 + max(width_of(heading), 4) for heading in headings) <= room:
        return headings, []
    if len(headings) * 6 > room:
        return None, []
    letters = [chr(ord("a") + j) for j in range(len(headings))]
    return letters, [f"{a} = {heading}" for a, heading in zip(letters, headings, strict=True)]


def _rule_table(committee: DecisionCommittee, columns: list[str]) -> list[str]:
    """Return a rule a line, its number before its conditions, its votes in columns."""
    widths = [max(width_of(column), 4) for column in columns]
    numbers = len(str(len(committee.rules)))
    tail = _covers_width(committee)
    covers_wide = tail - _PURITY
    room = WIDTH - tail - sum(2 + width for width in widths) - numbers - 2
    texts = [conditions(rule.monomial, committee.schema) for rule in committee.rules]
    longest = max((width_of(" and ".join(text)) for text in texts), default=0)
    wide = max(min(longest, room), len("default") - numbers - 2)
    votes = "".join(f"  {right(column, w)}" for column, w in zip(columns, widths, strict=True))
    start = numbers + 2 + wide
    head = f"{'rule':<{start}}{votes}{'covers':>{covers_wide}}{'purity':>{_PURITY}}"
    lines = [head, "-" * len(head)]
    all_points = committee.points
    for k, (rule, text) in enumerate(zip(committee.rules, texts, strict=True), start=1):
        first, *rest = wrap(text, wide)
        points = zip(all_points[k - 1], widths, strict=True)
        cells = "".join(f"  {signed(p):>{w}}" for p, w in points)
        covers = number(sum(rule.covers))
        if max(width_of(first), *(width_of(line) + 2 for line in rest), 0) > wide:
            # a name longer than the column: the votes stand below, in their columns
            lines += indented([first, *(f"  {line}" for line in rest)], f"{k:>{numbers}}  ")
            head, rest = "", []
        else:
            head = f"{k:>{numbers}}  {first}"
        lines.append(
            f"{left(head, start)}{cells}{covers:>{covers_wide}}{100 * purity(rule):>7.0f} %"
        )
        lines += [f"{'':{numbers}}    {line}" for line in rest]
    shares = "".join(f"  {d:>{w}.2f}" for d, w in zip(committee.default, widths, strict=True))
    return [*lines, f"{'default':<{start}}{shares}"]


def _listed_rules(kind: Kind) -> list[str]:
    committee, lines = kind.committee, []
    for k, rule in enumerate(committee.rules):
        lines += kind.rule_lines(k)
        lines.append(
            f"        covers {number(sum(rule.covers))}, "
            f"{100 * purity(rule):.0f} % of them {kind.labels[majority(rule)]}"
        )
    shares = [
        f"{label} {share:.2f}"
        for label, share in zip(kind.labels, committee.default, strict=True)
        if share >= 0.005
    ]
    return [*lines, *indented(wrap_words(shares, WIDTH - 9), "default  ")]


def _reason(committee: DecisionCommittee, explanation: Explanation) -> str:
    """Return why the class decided wins, and without which rules another one would."""
    labels = [shown(label) for label in committee.schema.labels.values]
    winner, tied = labels[explanation.winner], explanation.tied
    order = ranked_classes(committee, explanation)
    if len(tied) == len(order) > 2:
        text = f"All classes have as many points; {winner} wins ties."
    elif len(tied) > 1:
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


def _change_lines(committee: DecisionCommittee, changes: Sequence[Change]) -> list[str]:
    if not changes:
        return ["No change of one attribute alone would change the decision."]
    labels = [shown(label) for label in committee.schema.labels.values]
    lines = ["What would change the decision, one attribute at a time, the nearest first:"]
    for change in changes:
        text = f"{change_in_words(change, committee.schema)}: {labels[change.winner]}"
        lines += indented(wrap_words(text.split(" "), WIDTH - 4, " "), "  ")
    return lines
