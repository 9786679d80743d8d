"""The one HTML table of a committee: in notebooks, in pages of a model and in reports on data."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from widc_arff.evaluation.rule_statistics import precision_and_lift
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
    from widc_arff.committee import DecisionCommittee

HOW_IT_DECIDES = (
    "Each rule that holds for a row adds its votes, and the class with the largest sum is decided; "
    "among classes that share the largest sum the one with the largest part in the default vector."
)
WHAT_COLUMNS_MEAN = (
    "Of the training examples: covers, the weight of those for which the rule holds, and their "
    "share; purity, the share of the most frequent class among them; precision, the share of the "
    "classes with the rule’s largest vote; lift, precision over the share of these classes in all."
)
_UNBROKEN = 24
"""Conditions of at most so many letters keep to one line."""


def committee_table(committee: DecisionCommittee, *, caption: bool, anchors: bool = False) -> str:
    """Return a committee as a table: a rule a row with its votes, what it covers and how well.

    Parameters
    ----------
    committee : DecisionCommittee
        One that decides for one class an example.
    caption : bool
        Whether the table tells its class attribute and size.
    anchors : bool
        Whether rows have the names ``rule-1``, ..., for links within a page.
    """
    labels = committee.schema.labels
    columns = ("covers", "share", "purity", "precision", "lift")
    rows = [_rule_row(committee, k, anchors) for k in range(len(committee.rules))]
    target = text(shown(labels.attributes[0]))
    return table(
        [*heads("rule"), *label_heads(labels.values), *heads(*columns)],
        [*rows, _default_row(committee, len(columns))],
        f"Decision committee for {target}: {size_in_words(committee)}" if caption else None,
        dense=are_many(labels.values),
    )


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


def _rule_row(committee: DecisionCommittee, k: int, anchors: bool) -> str:
    rule, weights = committee.rules[k], committee.training.weights
    precision, lift = precision_and_lift(rule.votes, rule.covers, weights)
    main = shown(committee.schema.labels.values[majority(rule)])
    return element(
        "tr",
        rule_head(committee, k),
        *map(vote_cell, rule.votes),
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
