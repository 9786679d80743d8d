"""Reports as Markdown, for pull requests, wikis and notebooks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from widc_arff.reports.blocks import (
    Group,
    Heading,
    Item,
    Lines,
    Table,
    figures_below,
    joined,
    spaced,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from widc_arff.reports.blocks import Column, Plain, Row

_MARKUP = re.compile(r"[\\|*_`<>\[\]&~$]")
_MARKUP_OF_LINES = re.compile(r"\A([0-9]*)([-+#=%.)])")
_TICKS = re.compile("`+")


def written(blocks: Iterable[Plain], version: str) -> Iterator[str]:  # noqa: ARG001 - as all forms
    """Yield the lines of a report."""
    return spaced(blocks, _lines)


def _lines(block: Plain) -> Iterable[str]:
    match block:
        case Table():
            return _table_lines(block)
        case Lines(lines):
            return fenced("\n".join(lines)).split("\n")
        case Item(words):
            return [f"- {escaped_line(words)}"]
        case Heading(words, 3):
            return [f"**{escaped(words)}**"]
        case Heading(words, level):
            return [f"{'#' * level} {escaped(words)}"]
    return [escaped_line(block)]


def _table_lines(table: Table) -> Iterator[str]:
    columns = table.columns
    if table.caption:
        yield from (escaped_line(table.caption), "")
    yield table_row([escaped(c.head or "#" * (c.kind == "number")) for c in columns])
    marks = ("---" if c.kind in ("head", "words") else "---:" for c in columns)
    yield f"|{'|'.join(marks)}|"
    for row in table.rows:
        yield table_row(_cells(row, columns))


def _cells(row: Row, columns: Sequence[Column]) -> list[str]:
    if not isinstance(row, Group):
        return [escaped(joined(cell)) for cell in row]
    remark = f": {escaped(row.remark)}" if row.remark else ""
    before, figures = figures_below(row, columns)
    return [*[""] * before, f"**{escaped(row.name)}**{remark}", *map(escaped, figures)]


def table_row(cells: Iterable[str]) -> str:
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
