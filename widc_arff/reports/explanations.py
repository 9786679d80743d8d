"""Explanations of many rows as tables that are written row by row."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from widc_arff.reports.layout import WIDTH, wrap_words
from widc_arff.reports.markdown import escaped, table_row
from widc_arff.reports.wording import change_in_words, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from widc_arff.changes import Change
    from widc_arff.committee import DecisionCommittee, Explanation, LabelSetExplanation

_HEADS = ("row", "decision", "margin", "rules", "nearest change")
_LABEL_SET_HEADS = ("row", "labels", "rules")
_NUMBERS = ("row", "margin")
_WIDEST_DECISION = 20
_WIDEST_RULES = 16


def explanation_table(
    committee: DecisionCommittee,
    rows: Iterable[tuple[int, Explanation, Sequence[Change]]],
    last_row: int,
    *,
    markdown: bool,
) -> Iterator[str]:
    """Yield the lines of a table: decision, margin, rules that hold, nearest change of each row.

    Parameters
    ----------
    committee : DecisionCommittee
        Who decides.
    rows : iterable of (int, Explanation, sequence of Change)
        The number of a row, from 1, and `nearest_changes` with it.
    last_row : int
        The largest number.
    markdown : bool
        A table of Markdown, or text of 80 columns.
    """
    labels = [shown(label) for label in committee.schema.labels.values]

    def cells(row: int, explanation: Explanation, changes: Sequence[Change]) -> list[str]:
        change = "none"
        if changes:
            words = change_in_words(changes[0], committee.schema, present=False)
            change = f"{words}: {labels[changes[0].winner]}"
        decision, rules = labels[explanation.winner], numbers_of(explanation.fired)
        return [str(row), decision, str(explanation.margin), rules, change]

    decision = min(max(len("decision"), *map(len, labels)), _WIDEST_DECISION)
    widths = [row_width(last_row), decision, len("margin"), _rules_width(committee)]
    return table_lines(_HEADS, (cells(*row) for row in rows), widths, markdown=markdown)


def label_set_table(
    committee: DecisionCommittee,
    rows: Iterable[tuple[int, LabelSetExplanation]],
    last_row: int,
    *,
    markdown: bool,
) -> Iterator[str]:
    """Yield the lines of a table: predicted labels, in their ranking, and rules that hold."""
    labels = [shown(label) for label in committee.schema.labels.values]

    def cells(row: int, explanation: LabelSetExplanation) -> list[str]:
        predicted = [labels[j] for j in explanation.ranking if j in explanation.predicted]
        return [str(row), ", ".join(predicted) or "none", numbers_of(explanation.fired)]

    widths = [row_width(last_row), WIDTH - row_width(last_row) - 4 - _rules_width(committee)]
    return table_lines(_LABEL_SET_HEADS, (cells(*row) for row in rows), widths, markdown=markdown)


def numbers_of(fired: Sequence[int]) -> str:
    """Return the numbers of rules, from 1."""
    return ", ".join(str(k + 1) for k in fired) or "none"


def row_width(last_row: int) -> int:
    """Return how wide the column of row numbers is."""
    return max(len("row"), len(str(last_row)))


def _rules_width(committee: DecisionCommittee) -> int:
    longest = len(numbers_of(range(len(committee.rules))))
    return min(max(len("rules"), longest), _WIDEST_RULES)


def table_lines(
    heads: Sequence[str], rows: Iterable[list[str]], widths: list[int], *, markdown: bool
) -> Iterator[str]:
    """Yield the lines of a table; the last column of a text takes the width that is left.

    Parameters
    ----------
    heads : sequence of str
        Of the columns; those of numbers are known by their heads.
    rows : iterable of list of str
        Cells.
    widths : list of int
        Of all columns of a text but the last.
    markdown : bool
        A table of Markdown, or text of 80 columns.
    """
    if markdown:
        yield table_row(heads)
        yield "|" + "|".join("---:" if head in _NUMBERS else "---" for head in heads) + "|"
        for cells in rows:
            yield table_row([escaped(cell) for cell in cells])
        return
    widths = [*widths, WIDTH - sum(widths) - 2 * len(widths)]
    marks = [">" if head in _NUMBERS else "<" for head in heads]
    yield _aligned(heads, widths, marks)
    yield "-" * WIDTH
    for cells in rows:
        columns = [
            [cell] if len(cell) <= width else wrap_words(cell.split(" "), width, " ")
            for cell, width in zip(cells, widths, strict=True)
        ]
        for line in zip_longest(*columns, fillvalue=""):
            yield _aligned(line, widths, marks)


def _aligned(cells: Sequence[str], widths: Sequence[int], marks: Sequence[str]) -> str:
    columns = zip(cells, widths, marks, strict=True)
    return "  ".join(f"{cell:{mark}{width}}" for cell, width, mark in columns).rstrip()
