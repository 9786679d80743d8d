"""Explanations of many rows as tables that are written row by row."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from widc_arff.reports.layout import WIDTH, left, right, width_of, wrap_words
from widc_arff.reports.markdown import escaped, table_row
from widc_arff.reports.wording import change_in_words, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from widc_arff.model.changes import Change
    from widc_arff.model.committee import DecisionCommittee, Explanation, LabelSetExplanation
    from widc_arff.model.costs import CostMatrix

_BY_COST = "least cost"
_HEADS = ("row", "decision", "", _BY_COST, "margin", "rules", "nearest change")
_LABEL_SET_HEADS = ("row", "labels", "", "rules")
_NUMBERS = ("row", "margin")
_WIDEST_DECISION = 20
_WIDEST_RULES = 16


def explanation_table(
    committee: DecisionCommittee,
    rows: Iterable[tuple[int, Explanation, Sequence[Change]]],
    classes: Sequence[int | None],
    last_row: int,
    costs: CostMatrix | None = None,
    *,
    markdown: bool,
) -> Iterator[str]:
    """Yield the lines of a table: of each row what is decided, and if wrongly, and why.

    Parameters
    ----------
    committee : DecisionCommittee
        Who decides.
    rows : iterable of (int, Explanation, sequence of Change)
        The number of a row, from 1, and `nearest_changes` with it.
    classes : sequence of int or None
        The class of each row, where it is known.
    last_row : int
        The largest number.
    costs : tuple of tuple of float, optional
        Asks for the class of least expected cost, in a column of its own.
    markdown : bool
        A table of Markdown, or text of 80 columns.
    """
    labels = [shown(label) for label in committee.schema.labels.values]
    is_known = any(actual is not None for actual in classes)

    def cells(
        row: int, explanation: Explanation, changes: Sequence[Change], actual: int | None
    ) -> list[str]:
        change = "none"
        if changes:
            words = change_in_words(changes[0], committee.schema, present=False)
            change = f"{words}: {labels[changes[0].winner]}"
        decision, rules = labels[explanation.winner], numbers_of(explanation.fired)
        mark = ["" if actual in (None, explanation.winner) else "wrong"] * is_known
        cheapest = [] if costs is None else [labels[explanation.least_cost(costs)[0]]]
        return [str(row), decision, *mark, *cheapest, str(explanation.margin), rules, change]

    decision = min(max(len("decision"), *map(width_of, labels)), _WIDEST_DECISION)
    optional = [len("wrong")] * is_known
    if costs is not None:
        optional.append(max(decision, len(_BY_COST)))
    widths = [row_width(last_row), decision, *optional, len("margin"), _rules_width(committee)]
    left_out = {*([] if is_known else [""]), *([_BY_COST] if costs is None else [])}
    heads = [head for head in _HEADS if head not in left_out]
    of_rows = (cells(*row, actual) for row, actual in zip(rows, classes, strict=True))
    return table_lines(heads, of_rows, widths, markdown=markdown)


def label_set_table(
    committee: DecisionCommittee,
    rows: Iterable[tuple[int, LabelSetExplanation]],
    sets: Sequence[Sequence[int] | None],
    last_row: int,
    *,
    markdown: bool,
) -> Iterator[str]:
    """Yield the lines of a table: predicted labels, in their ranking, and rules that hold.

    Where the labels of a row are known (`sets`), a column tells whether they are others.
    """
    labels = [shown(label) for label in committee.schema.labels.values]
    is_known = any(actual is not None for actual in sets)

    def cells(
        row: int, explanation: LabelSetExplanation, actual: Sequence[int] | None
    ) -> list[str]:
        predicted = [labels[j] for j in explanation.ranking if j in explanation.predicted]
        differs = actual is not None and set(actual) != set(explanation.predicted)
        mark = ["wrong" if differs else ""] * is_known
        return [str(row), ", ".join(predicted) or "none", *mark, numbers_of(explanation.fired)]

    marks = [len("wrong")] * is_known
    room = WIDTH - row_width(last_row) - 4 - sum(marks) - 2 * is_known
    widths = [row_width(last_row), room - _rules_width(committee), *marks]
    heads = [head for head in _LABEL_SET_HEADS if head or is_known]
    of_rows = (cells(*row, actual) for row, actual in zip(rows, sets, strict=True))
    return table_lines(heads, of_rows, widths, markdown=markdown)


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
            [cell] if width_of(cell) <= width else wrap_words(cell.split(" "), width, " ")
            for cell, width in zip(cells, widths, strict=True)
        ]
        for line in zip_longest(*columns, fillvalue=""):
            yield _aligned(line, widths, marks)


def _aligned(cells: Sequence[str], widths: Sequence[int], marks: Sequence[str]) -> str:
    columns = zip(cells, widths, marks, strict=True)
    return "  ".join(
        right(cell, width) if mark == ">" else left(cell, width) for cell, width, mark in columns
    ).rstrip()
