"""Reports of sentences and tables, composed once and written as text, Markdown or HTML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from widc_arff.errors import one_line
from widc_arff.reports.elements import breakable, element, text
from widc_arff.reports.layout import WIDTH, in_columns, indented, width_of, wrap_words
from widc_arff.reports.markdown import escaped, escaped_line, table_row
from widc_arff.reports.page_frame import page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LEAST_FIRST = 24
"""Columns of a terminal for the first cells of a table, however wide the others."""


class Heading(NamedTuple):
    """A title: of level 1 for the whole, of level 2 for a part."""

    words: str
    level: int = 2


class Item(NamedTuple):
    """A sentence of a list."""

    words: str


class Table(NamedTuple):
    """A table; its first column holds words, which may be long, the others figures."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


Block: TypeAlias = str | Heading | Item | Table


def blocks_in_form(blocks: Sequence[Block], form: str, version: str = "") -> str:
    """Return a report as text, markdown or html; `version` stands at the foot of a page."""
    blocks = [_in_lines(block) for block in blocks]
    if form == "html":
        title = next((b.words for b in blocks if isinstance(b, Heading)), "")
        return page(title, list(_of_page(blocks)), version)
    lines = _of_markdown if form == "markdown" else _of_text
    parts: list[str] = []
    last: Block | None = None
    for block in blocks:
        together = isinstance(block, Item) and isinstance(last, Item)
        parts += [*([] if together or last is None else [""]), *lines(block)]
        last = block
    return "\n".join(parts) + "\n"


def _in_lines(block: Block) -> Block:
    """Return a block with each text in one line, whatever people wrote."""
    if isinstance(block, Table):
        rows = [[one_line(cell) for cell in row] for row in block.rows]
        return Table([one_line(head) for head in block.head], rows)
    if isinstance(block, str):
        return one_line(block)
    return block._replace(words=one_line(block.words))


def _of_text(block: Block) -> list[str]:
    if isinstance(block, Table):
        return _columns([block.head, *block.rows])
    if isinstance(block, Item):
        return indented(wrap_words(_words(block.words), WIDTH - 2, " "), "- ")
    if isinstance(block, Heading):
        return wrap_words(_words(block.words), WIDTH, " ")
    return wrap_words(_words(block), WIDTH, " ")


def _words(text: str) -> list[str]:
    """Return the words of a text, percentages in one."""
    return re.split(" (?!%)", text)


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table; first cells that are too long go on below."""
    others = [max(map(width_of, column)) for column in zip(*(row[1:] for row in rows), strict=True)]
    room = max(LEAST_FIRST, WIDTH - sum(2 + width for width in others))
    lines: list[Sequence[str]] = []
    for row in rows:
        if width_of(row[0]) <= room:
            lines.append(row)
            continue
        mark, two_blanks, words = row[0].rpartition("  ")  # a number hangs before its words
        mark += two_blanks
        parts = wrap_words(_words(words), room - width_of(mark) - 2, " ")
        first, *rest = indented([parts[0], *(f"  {part}" for part in parts[1:])], mark)
        lines.append([first, *row[1:]])
        lines += [[line, *[""] * len(others)] for line in rest]
    return in_columns(lines)


def _of_markdown(block: Block) -> list[str]:
    if isinstance(block, Table):
        rows = [table_row([escaped(cell) for cell in row]) for row in (block.head, *block.rows)]
        return [rows[0], "|---|" + "---:|" * (len(block.head) - 1), *rows[1:]]
    if isinstance(block, Item):
        return [f"- {escaped_line(block.words)}"]
    if isinstance(block, Heading):
        return [f"{'#' * block.level} {escaped(block.words)}"]
    return [escaped_line(block)]


def _of_page(blocks: Iterable[Block]) -> Iterator[str]:
    items: list[str] = []
    for block in [*blocks, ""]:
        if isinstance(block, Item):
            items.append(element("li", breakable(block.words)))
            continue
        if items:
            yield element("ul", *items) + "\n"
            items = []
        if isinstance(block, Heading):
            yield element(f"h{block.level}", text(block.words)) + "\n"
        elif isinstance(block, Table):
            yield _table(block)
        elif block:
            yield element("p", breakable(block)) + "\n"


def _table(table: Table) -> str:
    head = element("tr", *(element("th", text(cell), scope="col") for cell in table.head))
    rows = (
        element(
            "tr",
            element("th", breakable(first), scope="row", class_="words"),
            *(element("td", text(cell)) for cell in cells),
        )
        for first, *cells in table.rows
    )
    content = element("table", element("thead", head), element("tbody", *rows))
    return element("div", content, class_="widc") + "\n"
