"""The one HTML table of a committee: in notebooks, in pages of a model and in reports on data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.reports.by_class import class_sections
from widc_arff.reports.elements import (
    breakable,
    cell,
    element,
    heads,
    table,
    text,
    vote_cell,
)
from widc_arff.reports.wording import rule_conditions, size_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.kinds import Kind

_UNBROKEN = 24
"""Conditions of at most so many letters keep to one line."""


def committee_table(kind: Kind, *, caption: bool, anchors: bool = False) -> str:
    """Return a committee as a table: class by class, or a rule a row with its votes.

    Parameters
    ----------
    kind : Kind
        With the committee and its layout.
    caption : bool
        Whether the table tells its class attribute and size.
    anchors : bool
        Whether rules have the names ``rule-1``, ..., for links within a page.
    """
    committee = kind.committee
    size = size_in_words(committee)
    title = f"Decision committee for {text(kind.subject)}: {size}" if caption else None
    figures = heads(*kind.figure_heads)
    if kind.is_by_class:
        return table([*heads("rule", "points"), *figures], _class_rows(kind, anchors), title)
    votes = heads("for", "against", class_="list")
    rows = [_rule_row(kind, k, anchors) for k in range(len(committee.rules))]
    return table([*heads("rule"), *votes, *figures], rows, title)


def _class_rows(kind: Kind, anchors: bool) -> Iterator[str]:
    """Yield a row for each class, and under it one for each rule with points for it."""
    seen: set[int] = set()
    n_more = len(kind.figure_heads) - 2
    for section in class_sections(kind.committee):
        name = element("th", breakable(section.name), class_="words", scope="rowgroup")
        figures = cell(section.examples.in_words), cell(section.examples.percent)
        none = cell("" if section.votes else "no rule")
        yield element("tr", name, none, *figures, *[cell()] * n_more, class_="group")
        for vote in section.votes:
            told = [*vote.right.figures, *kind.figures(vote.rule)[3:]]
            yield element(
                "tr",
                rule_head(kind.committee, vote.rule),
                vote_cell(vote.points),
                *_figure_cells(told),
                id=f"rule-{vote.rule + 1}" if anchors and vote.rule not in seen else None,
            )
            seen.add(vote.rule)


def _rule_row(kind: Kind, k: int, anchors: bool) -> str:
    for_, against = map(", ".join, kind.for_and_against(k))
    return element(
        "tr",
        rule_head(kind.committee, k),
        cell(for_, "list for"),
        cell(against, "list against"),
        *_figure_cells(kind.figures(k)),
        id=f"rule-{k + 1}" if anchors else None,
    )


def _figure_cells(figures: Sequence[str]) -> list[str]:
    """Return cells of figures, those marked that contradict the vote of their rule."""
    return [cell(figure, "against" if figure.endswith("!") else None) for figure in figures]


def rule_text(committee: DecisionCommittee, k: int) -> str:
    """Return the conditions of a rule, plain."""
    return " and ".join(rule_conditions(committee, k))


def rule_head(committee: DecisionCommittee, k: int) -> str:
    """Return the head cell of a rule's row: its number, counted from 1, and its conditions."""
    parts = rule_conditions(committee, k)
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
