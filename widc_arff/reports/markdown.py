"""Reports as Markdown tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.reports.by_class import class_sections, how_it_decides, layout_for
from widc_arff.reports.layout import signed
from widc_arff.reports.text import training_line
from widc_arff.reports.wording import (
    conditions,
    majority,
    number,
    purity,
    shown,
    size_in_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.by_class import Layout


def committee_markdown(committee: DecisionCommittee, layout: Layout | None = None) -> str:
    """Return a committee as a table: class by class, or with a column of points per class.

    Parameters
    ----------
    committee : DecisionCommittee
        One that decides for one class an example.
    layout : {"class", "rule"}, optional
        By default class by class from four classes on.
    """
    target = escaped(shown(committee.schema.labels.attributes[0]))
    lines = [f"**Decision committee for {target}: {size_in_words(committee)}**", ""]
    if layout_for(committee, layout) == "class":
        lines += [*_class_rows(committee), "", escaped(how_it_decides(committee))]
    else:
        lines += _rule_rows(committee)
    return "\n".join([*lines, "", training_line(committee)]) + "\n"


def _class_rows(committee: DecisionCommittee) -> Iterator[str]:
    yield table_row(["class", "points", "#", "rule", "of the class", "share"])
    yield "|---|---:|---:|---|---:|---:|"
    for section in class_sections(committee):
        examples, none = section.examples, "" if section.votes else "no rule"
        name = f"**{escaped(section.name)}**"
        yield table_row([name, "", "", none, examples.in_words, examples.percent])
        for vote in section.votes:
            text = " and ".join(conditions(committee.rules[vote.rule].monomial, committee.schema))
            cells = [signed(vote.points), str(vote.rule + 1), escaped(text)]
            yield table_row(["", *cells, vote.covered.in_words, vote.covered.percent])


def _rule_rows(committee: DecisionCommittee) -> Iterator[str]:
    labels = committee.schema.labels.values
    heads = ["#", "rule", *(escaped(shown(label)) for label in labels), "covers", "purity"]
    yield table_row(heads)
    yield "|---:|---|" + "---:|" * (len(heads) - 2)
    for k, (rule, points) in enumerate(zip(committee.rules, committee.points, strict=True), 1):
        text = escaped(" and ".join(conditions(rule.monomial, committee.schema)))
        main = f"{100 * purity(rule):.0f} % {escaped(shown(labels[majority(rule)]))}"
        yield table_row([str(k), text, *map(signed, points), number(sum(rule.covers)), main])
    yield table_row(["", "default", *(f"{share:.3f}" for share in committee.default), "", ""])


def table_row(cells: Sequence[str]) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    """Return a text in which nothing is markup."""
    for mark in "\\|*_`<>[]":
        text = text.replace(mark, f"\\{mark}")
    return text
