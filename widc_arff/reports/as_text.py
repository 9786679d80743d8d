"""Reports as text of 80 columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

from widc_arff.reports.blocks import (
    FILL,
    Column,
    Group,
    Heading,
    Item,
    Lines,
    Table,
    joined,
    spaced,
)
from widc_arff.reports.layout import (
    WIDTH,
    indented,
    left,
    right,
    short,
    width_of,
    wrap,
    wrap_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from widc_arff.reports.blocks import Cell, Plain, Row

_LEAST = 24
"""Columns of a terminal for words that are broken, however wide the figures."""
_FLUSH_LEFT = ("head", "words")


def written(blocks: Iterable[Plain], version: str) -> Iterator[str]:  # noqa: ARG001 - as all forms
    """Yield the lines of a report."""
    return spaced(blocks, _lines)


def _lines(block: Plain) -> Iterable[str]:
    match block:
        case Table():
            return table_lines(block)
        case Lines(lines):
            return lines
        case Item(words):
            return indented(broken(words, WIDTH - 2), "- ")
        case Heading(words, 1):
            return [words]
        case Heading(words):
            return broken(words, WIDTH)
    return broken(block, WIDTH)


def broken(words: str, width: int = WIDTH) -> list[str]:
    """Return words in lines; a percentage stands in one."""
    return wrap_words(re.split(" (?!%)", words), width, " ")


def table_lines(table: Table) -> Iterator[str]:
    """Yield the lines of a table, one by one where its rows come so."""
    if table.narrow:
        yield from table.narrow
        return
    columns, rows = table.columns, table.rows
    lead = next((i + 1 for i, column in enumerate(columns) if column.kind == "head"), 0)
    known = [] if isinstance(rows, Iterator) else [_marked(columns, row) for row in rows]
    widths = _widths(columns, known, lead)
    yield from broken(table.caption) if table.caption else ()
    heads = [column.head for column in columns]
    if any(heads):
        names = "  ".join(filter(None, heads[:lead]))
        yield from _row_lines(Group(names, heads[lead:]), columns, widths, lead)
    if any(column.width == FILL for column in columns):
        yield "-" * WIDTH
    for row in known or rows:
        yield from _row_lines(row, columns, widths, lead)


def row_by_row(table: Table) -> Table:
    """Return a table that a text tells row by row, as it is too wide for columns."""
    lines: list[str] = []
    for row in table.rows:
        assert not isinstance(row, Group)
        number, head, told = "", list[str](), []
        for column, cell in zip(table.columns, row, strict=True):
            if column.kind == "number":
                number = f"{joined(cell):>4}  "
            elif column.kind == "head":
                head = [cell] if isinstance(cell, str) else [*cell]
            elif cell:
                told.append(f"{column.head} {joined(cell)}".strip())
        lines += indented(wrap(head or [told.pop(0)], WIDTH - len(number)), number)
        lines += indented(broken("; ".join(told), WIDTH - 8), f"{'':8}")
    return table._replace(narrow=lines)


def _marked(columns: Sequence[Column], row: Row) -> Row:
    """Return a row whose points are marked where one of its figures is."""
    if isinstance(row, Group) or columns[0].kind != "points":
        return row
    mark = "!" if any(cell[-1:] == "!" for cell in row) else " "
    return [f"{mark} {joined(row[0])}", *row[1:]]


def _widths(columns: Sequence[Column], rows: Sequence[Row], lead: int) -> list[int]:
    """Return how wide columns are; the one that fills a line, or else the heads, have the rest."""
    widths = [column.width or 0 for column in columns]
    if rows:
        cells = [[*[""] * lead, *row.figures] if isinstance(row, Group) else row for row in rows]
        heads = ["" if c.kind in ("number", "points") else c.head for c in columns]
        for i, column in enumerate(zip_longest(heads, *cells, fillvalue="")):
            widths[i] = widths[i] or max(width_of(joined(cell)) for cell in column)
    filling = [i for i, column in enumerate(columns) if column.width == FILL]
    i = filling[0] if filling else max(lead - 1, 0)
    rest = WIDTH - sum(widths) + widths[i] - 2 * (len(widths) - 1)
    if filling:
        widths[i] = rest
    elif widths[i] > (rest := max(rest, _LEAST)):
        lines = (line for row in cells for line in _parts(row[i], columns[i], rest))
        widths[i] = max(rest, *map(width_of, lines))  # of words that no line can hold
    return widths


def _row_lines(
    row: Row, columns: Sequence[Column], widths: Sequence[int], lead: int
) -> Iterator[str]:
    """Yield the lines of a row; the name of a group takes the width of all heads."""
    placed: list[tuple[Column, int]] = [*zip(columns, widths, strict=True)]
    cells: Sequence[Cell]
    if isinstance(row, Group):
        placed[:lead] = [(Column("", "head"), sum(widths[:lead]) + 2 * (lead - 1))] * bool(lead)
        cells = [*[row.name] * bool(lead), *row.figures]
    else:
        cells = row
    parts = [_parts(cell, *place) for cell, place in zip(cells, placed, strict=False)]
    heads = [i for i, (column, _) in enumerate(placed) if column.kind == "head"]
    if any(width_of(parts[i][0]) > placed[i][1] for i in heads):  # figures stand below it
        parts[heads[0] + 1 :] = [["", *part] for part in parts[heads[0] + 1 :]]
    for line in zip_longest(*parts, fillvalue=""):
        flush = zip(line, placed, strict=False)
        yield "  ".join(
            left(part, width) if column.kind in _FLUSH_LEFT else right(part, width)
            for part, (column, width) in flush
        ).rstrip()
    if isinstance(row, Group) and row.remark:
        yield f"{'':6}{row.remark}"


def _parts(cell: Cell, column: Column, width: int) -> list[str]:
    """Return the lines of a cell."""
    text = joined(cell)
    if column.is_cut:
        return [_cut(text, width)]
    width = max(width, _LEAST) if column.width == FILL else width
    if width_of(text) <= width or column.kind not in _FLUSH_LEFT:
        return [text]
    if isinstance(cell, tuple):
        first, *rest = wrap(list(cell), width)
    elif column.kind == "head":
        first, *rest = broken(cell, width - 2)
    else:
        return broken(cell, width)
    return [first, *(f"  {line}" for line in rest)]


def _cut(text: str, width: int) -> str:
    """Return a text cut to a width, a list between its parts."""
    if width_of(text) <= width:
        return text
    whole = short(text, width - 2).removesuffix("...").rpartition(", ")[0]
    return f"{whole}, ..." if width_of(whole) > width // 3 else short(text, width)
