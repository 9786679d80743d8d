"""A committee as a report: class by class, or rule by rule, with notes on how it decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.reports.blocks import FILL, Column, Group, Heading, Note, Table, in_form
from widc_arff.reports.by_class import class_sections
from widc_arff.reports.formatting import size_in_words
from widc_arff.reports.kind import RULE, rule_cells
from widc_arff.reports.kinds import LABELS_SHOWN, kind_of
from widc_arff.reports.layout import signed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.blocks import Block, Row
    from widc_arff.reports.by_class import Layout
    from widc_arff.reports.kind import Kind


def committee_in_form(
    committee: DecisionCommittee, form: str, layout: Layout = "class", most: int = LABELS_SHOWN
) -> str:
    """Return a committee as text, Markdown or LaTeX.

    Parameters
    ----------
    committee : DecisionCommittee
        For classes or label sets; the latter are always told rule by rule.
    form : str
        One of `widc_arff.reports.blocks.FORMS`.
    layout : {"class", "rule"}
        How it is laid out.
    most : int
        How many labels of a set to name for each vote of a rule.
    """
    blocks = committee_blocks(kind_of(committee, most, layout))
    return in_form(blocks, form, committee.training.version)


def committee_blocks(kind: Kind) -> Iterator[Block]:
    """Yield a committee as a report."""
    yield Heading(committee_title(kind), 3)
    if kind.is_by_class or kind.committee.rules:
        yield committee_table(kind)
    yield from map(Note, (*kind.notes(), kind.training_line))


def committee_title(kind: Kind) -> str:
    """Return what a committee decides, and its size."""
    return f"Decision committee for {kind.subject}: {size_in_words(kind.committee)}"


def committee_table(kind: Kind) -> Table:
    """Return a committee as a table: class by class, or a rule a row with its votes."""
    n_rules = len(kind.committee.rules)
    figures = [Column(head) for head in kind.figure_heads]
    if kind.is_by_class:
        heads = [Column("points", "points"), Column("", "number"), Column("rule", "head", FILL)]
        return Table([*heads, *figures], list(_class_rows(kind)), anchor="rule")
    votes = [[*map(", ".join, kind.for_and_against(k))] for k in range(n_rules)]
    by_sign = {"for": [of[0] for of in votes], "against": [of[1] for of in votes]}
    given = {head: cells for head, cells in by_sign.items() if any(cells)}
    return Table(
        [*RULE, *(Column(head, "words") for head in given), *figures],
        [
            [
                *rule_cells(kind.committee, k),
                *(cells[k] for cells in given.values()),
                *kind.figures(k),
            ]
            for k in range(n_rules)
        ],
        narrow=[line for k in range(n_rules) for line in kind.rule_lines(k)],
        anchor="rule",
    )


def _class_rows(kind: Kind) -> Iterator[Row]:
    """Yield each class with its share of the examples, below it the rules that speak of it."""
    for section in class_sections(kind.committee):
        examples = [section.examples.in_words, section.examples.percent]
        yield Group(section.name, examples, "" if section.votes else "no rule")
        for vote in section.votes:
            figures = [*vote.right.figures, *kind.figures(vote.rule)[3:]]
            yield [signed(vote.points), *rule_cells(kind.committee, vote.rule), *figures]
