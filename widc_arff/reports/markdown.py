"""Reports as Markdown tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from widc_arff.reports.by_class import class_sections
from widc_arff.reports.kinds import LABELS_SHOWN, kind_of
from widc_arff.reports.layout import signed
from widc_arff.reports.wording import rule_conditions, size_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.by_class import Layout
    from widc_arff.reports.kinds import Kind

_MARKUP = re.compile(r"[\\|*_`<>\[\]&~$]")
_MARKUP_OF_LINES = re.compile(r"\A([0-9]*)([-+#=%.)])")
_TICKS = re.compile("`+")


def committee_markdown(
    committee: DecisionCommittee, layout: Layout = "class", most: int = LABELS_SHOWN
) -> str:
    """Return a committee as a table: class by class, or a rule a row with its votes.

    Parameters
    ----------
    committee : DecisionCommittee
        For classes or label sets; the latter always have a rule a row.
    layout : {"class", "rule"}
        How it is laid out.
    most : int
        How many labels of a set to name for each vote of a rule.
    """
    kind = kind_of(committee, most, layout)
    subject = escaped(kind.subject)
    lines = [f"**Decision committee for {subject}: {size_in_words(committee)}**", ""]
    if kind.is_by_class or committee.rules:
        lines += [*(_class_rows(kind) if kind.is_by_class else _rule_rows(kind)), ""]
    notes = [escaped_line(note) for note in (*kind.notes(), kind.training_line)]
    return "\n".join([*lines, "\n\n".join(notes)]) + "\n"


def _class_rows(kind: Kind) -> Iterator[str]:
    heads = kind.figure_heads
    yield table_row(["class", "points", "#", "rule", *heads])
    yield "|---|---:|---:|---|" + "---:|" * len(heads)
    for section in class_sections(kind.committee):
        examples, none = section.examples, "" if section.votes else "no rule"
        figures = [examples.in_words, examples.percent, *[""] * (len(heads) - 2)]
        yield table_row([f"**{escaped(section.name)}**", "", "", none, *figures])
        for vote in section.votes:
            figures = [*vote.right.figures, *kind.figures(vote.rule)[3:]]
            head = ["", signed(vote.points), str(vote.rule + 1), _conditions(kind, vote.rule)]
            yield table_row([*head, *figures])


def _rule_rows(kind: Kind) -> Iterator[str]:
    yield table_row(["#", "rule", "for", "against", *kind.figure_heads])
    yield "|---:|---|---|---|" + "---:|" * len(kind.figure_heads)
    for k in range(len(kind.committee.rules)):
        votes = [escaped(", ".join(names)) for names in kind.for_and_against(k)]
        yield table_row([str(k + 1), _conditions(kind, k), *votes, *kind.figures(k)])


def _conditions(kind: Kind, k: int) -> str:
    committee = kind.committee
    return escaped(" and ".join(rule_conditions(committee, k)))


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
