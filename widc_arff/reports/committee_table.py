"""The one HTML table of a committee: in notebooks, in pages of a model and in reports on data."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from widc_arff.evaluation.rule_statistics import precision_and_lift
from widc_arff.reports.by_class import class_sections, how_it_decides, layout_for
from widc_arff.reports.elements import (
    are_many,
    breakable,
    cell,
    element,
    heads,
    heat_cell,
    label_class,
    label_heads,
    table,
    text,
    vote_cell,
)
from widc_arff.reports.wording import (
    conditions,
    majority,
    number,
    percent,
    purity,
    shown,
    size_in_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.by_class import Layout

_HOW_RULES_DECIDE = (
    "Each rule that holds for a row adds its votes, and the class with the largest sum is decided; "
    "among classes that share the largest sum the one with the largest part in the default vector"
)
_COLUMNS_OF_CLASSES = (
    "Lift: the share of the class among the training examples that the rule covers, over its share "
    "in all; above 1 they speak for the class, below 1 against it."
)
_COLUMNS_OF_RULES = (
    "Of the training examples: covers, the weight of those for which the rule holds, and their "
    "share; purity, the share of the most frequent class among them; precision, the share of the "
    "classes with the rule’s largest vote; lift, precision over the share of these classes in all."
)
_UNBROKEN = 24
"""Conditions of at most so many letters keep to one line."""


def how_committee_decides(committee: DecisionCommittee, layout: Layout | None) -> str:
    """Return in words how the rules of the table decide."""
    if layout_for(committee, layout) == "class":
        return how_it_decides(committee)
    first = shown(committee.schema.labels.values[committee.tie_order[0]])
    return f"{_HOW_RULES_DECIDE}: {first} where no rule holds."


def what_columns_mean(committee: DecisionCommittee, layout: Layout | None) -> str:
    """Return in words what stands in the columns of the table."""
    is_by_class = layout_for(committee, layout) == "class"
    return _COLUMNS_OF_CLASSES if is_by_class else _COLUMNS_OF_RULES


def committee_table(
    committee: DecisionCommittee,
    layout: Layout | None,
    *,
    caption: bool,
    anchors: bool = False,
) -> str:
    """Return a committee as a table: class by class, or a rule a row with its points.

    Parameters
    ----------
    committee : DecisionCommittee
        One that decides for one class an example.
    layout : {"class", "rule"} or None
        None: class by class from four classes on.
    caption : bool
        Whether the table tells its class attribute and size.
    anchors : bool
        Whether rules have the names ``rule-1``, ..., for links within a page.
    """
    labels = committee.schema.labels
    target = text(shown(labels.attributes[0]))
    title = f"Decision committee for {target}: {size_in_words(committee)}" if caption else None
    if layout_for(committee, layout) == "class":
        columns = heads("rule", "points", "of the class", "share", "lift")
        return table(columns, _class_rows(committee, anchors), title)
    names = ("covers", "share", "purity", "precision", "lift")
    points = committee.points
    rows = [_rule_row(committee, k, points[k], anchors) for k in range(len(committee.rules))]
    return table(
        [*heads("rule"), *label_heads(labels.values), *heads(*names)],
        [*rows, _default_row(committee, len(names))],
        title,
        dense=are_many(labels.values),
    )


def _class_rows(committee: DecisionCommittee, anchors: bool) -> Iterator[str]:
    """Yield a row for each class, and under it one for each rule with points for it."""
    seen: set[int] = set()
    for section in class_sections(committee):
        share = section.examples
        name = element("th", breakable(section.name), class_="words", scope="rowgroup")
        figures = cell(share.in_words), cell(share.percent)
        yield element("tr", name, cell(), *figures, cell(), class_="group")
        for vote in section.votes:
            covered = vote.covered
            expected = covered.whole * share.weight / share.whole
            yield element(
                "tr",
                rule_head(committee, vote.rule),
                vote_cell(vote.points),
                cell(covered.in_words),
                cell(covered.percent),
                cell(f"{covered.weight / expected:.2f}" if expected else "–"),
                id=f"rule-{vote.rule + 1}" if anchors and vote.rule not in seen else None,
            )
            seen.add(vote.rule)


def rule_text(committee: DecisionCommittee, k: int) -> str:
    """Return the conditions of a rule, plain."""
    return " and ".join(conditions(committee.rules[k].monomial, committee.schema))


def rule_head(committee: DecisionCommittee, k: int) -> str:
    """Return the head cell of a rule's row: its number, counted from 1, and its conditions."""
    parts = conditions(committee.rules[k].monomial, committee.schema)
    words = [
        element("span", breakable(part), class_="whole")
        if len(part) <= _UNBROKEN
        else breakable(part)
        for part in parts
    ]
    return numbered_head(str(k + 1), " and ".join(words))


def numbered_head(mark: str, content: str) -> str:
    """Return a head cell of HTML that hangs behind a number."""
    number_cell = element("span", text(mark), class_="no")
    return element("th", number_cell, content, class_="words numbered", scope="row")


def _rule_row(committee: DecisionCommittee, k: int, points: Sequence[int], anchors: bool) -> str:
    rule, weights = committee.rules[k], committee.training.weights
    precision, lift = precision_and_lift(rule.votes, rule.covers, weights)
    main = shown(committee.schema.labels.values[majority(rule)])
    return element(
        "tr",
        rule_head(committee, k),
        *map(vote_cell, points),
        cell(number(rule.covered)),
        cell(percent(rule.covered / sum(weights))),
        cell(f"{main}: {100 * purity(rule):.0f} %", label_class(main)),
        cell("–" if math.isnan(precision) else percent(precision)),
        cell("–" if math.isnan(lift) else f"{lift:.2f}"),
        id=f"rule-{k + 1}" if anchors else None,
    )


def _default_row(committee: DecisionCommittee, n_columns: int) -> str:
    return element(
        "tr",
        numbered_head("", "default"),
        *(heat_cell(f"{share:.2f}", share) for share in committee.default),
        element("td", colspan=n_columns),
        class_="last",
    )
