"""Reports as Markdown tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from widc_arff.reports.by_class import class_sections, how_it_decides, layout_for
from widc_arff.reports.kinds import LABELS_SHOWN, kind_of
from widc_arff.reports.label_sets import covers_in_labels, how_it_ranks
from widc_arff.reports.layout import signed
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
    from widc_arff.reports.kinds import Kind

_MARKUP = re.compile(r"[\\|*_`<>\[\]&~$]")
_MARKUP_OF_LINES = re.compile(r"\A([0-9]*)([-+#=%.)])")
_TICKS = re.compile("`+")


def committee_markdown(
    committee: DecisionCommittee, layout: Layout | None = None, most: int = LABELS_SHOWN
) -> str:
    """Return a committee as a table: class by class, or a rule a row with its votes.

    Parameters
    ----------
    committee : DecisionCommittee
        For classes, with a column of points per class, or label sets, one of labels for each vote.
    layout : {"class", "rule"}, optional
        By default class by class from four classes on.
    most : int
        How many labels of a set to name for each vote of a rule.
    """
    kind = kind_of(committee, most)
    subject = escaped(kind.subject)
    lines = [f"**Decision committee for {subject}: {size_in_words(committee)}**", ""]
    lines += _ROWS[committee.schema.labels.kind](kind, layout)
    return "\n".join([*lines, "", escaped_line(kind.training_line)]) + "\n"


def _rows_of_classes(kind: Kind, layout: Layout | None) -> list[str]:
    if layout_for(kind.committee, layout) == "rule":
        return [*_rule_rows(kind.committee)]
    return [*_class_rows(kind.committee), "", escaped_line(how_it_decides(kind.committee))]


def _rows_of_sets(kind: Kind, _: Layout | None) -> list[str]:
    committee = kind.committee
    lines = [table_row(["#", "rule", "+1", "-1", "covers"]), "|---:|---|---|---|---|"]
    for k, rule in enumerate(committee.rules):
        text = escaped(" and ".join(conditions(rule.monomial, committee.schema)))
        votes = [escaped(", ".join(names)) for names in kind.votes(k).values()]
        lines.append(table_row([str(k + 1), text, *votes, covers_in_labels(rule)]))
    lines += ["", f"Default: {escaped(', '.join(kind.default_shares()))}."]
    return [*lines, "", how_it_ranks(committee)] if committee.rules else lines


_ROWS = {"single": _rows_of_classes, "multi": _rows_of_sets}


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
    """Return a text in which nothing is markup within a line or a cell of a table."""
    return _MARKUP.sub(r"\\\g<0>", text)


def escaped_line(text: str) -> str:
    """Return a text that begins a line or an item of a list, in which nothing is markup."""
    return _MARKUP_OF_LINES.sub(r"\1\\\2", escaped(text.lstrip()))


def fenced(text: str) -> str:
    """Return lines as they are, between fences that none of them ends."""
    longest = max(map(len, _TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"
