"""Reports as pages of HTML that load nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.reports import elements
from widc_arff.reports.blocks import Group, Heading, Item, Lines, Table, figures_below, joined
from widc_arff.reports.elements import breakable, cell, element, heads, text, vote_cell
from widc_arff.reports.page_frame import page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from widc_arff.reports.blocks import Block, Cell, Column, Row

_UNBROKEN = 24
"""Conditions of at most so many letters keep to one line."""


def written(blocks: Iterable[Block], version: str) -> Iterator[str]:
    """Yield the lines of a report."""
    held = list(blocks)
    title = next((block.words for block in held if isinstance(block, Heading)), "widc-arff")
    yield page(title, list(_elements(held)), version).removesuffix("\n")


def _elements(blocks: Sequence[Block]) -> Iterator[str]:
    items: list[str] = []
    for block in [*blocks, ""]:
        if isinstance(block, Item):
            items.append(element("li", breakable(block.words)))
            continue
        if items:
            yield element("ul", *items) + "\n"
            items = []
        if block:
            yield _element(block) + "\n"


def _element(block: Block) -> str:
    match block:
        case Table():
            return table(block)
        case Lines(lines):
            return element("pre", text("\n".join(lines)))
        case Heading(words, level):
            return element(f"h{level}", text(words))
    return element("p", breakable(block))


def table(content: Table, *, anchors: bool = False) -> str:
    """Return a table, each row behind its head; with anchors rows have names for links."""
    by_head = sorted(content.columns, key=lambda column: column.kind != "head")
    names = [
        head
        for name, kind, *_ in by_head
        if kind != "number"
        for head in heads(name, class_="list" if kind == "words" else None)
    ]
    named: set[str] | None = set() if anchors else None
    rows = [_row(row, content.columns, named) for row in content.rows]
    return elements.table(names, rows, content.caption or None)


def _row(row: Row, columns: Sequence[Column], named: set[str] | None) -> str:
    """Return a row, with the first name of its number where `named` has those that are taken."""
    if isinstance(row, Group):
        before, figures = figures_below(row, columns)
        remark = f": {row.remark}" if row.remark else ""
        name = element("th", breakable(row.name + remark), class_="words", scope="rowgroup")
        blanks = [cell() for column in columns[:before] if column.kind != "number"]
        return element("tr", name, *blanks, *map(cell, figures), class_="group")
    number, head, cells = "", "", []
    for column, content in zip(columns, row, strict=True):
        match column.kind:
            case "number":
                number = joined(content)
            case "head":
                head = row_head(content, number)
            case "points":
                cells.append(vote_cell(int(joined(content))))
            case "words":
                cells.append(cell(joined(content), f"list {column.head}"))
            case _:  # those that contradict the vote of their rule are marked
                cells.append(cell(content, "against" if content[-1:] == "!" else None))
    is_new = named is not None and number not in named
    if named is not None:
        named.add(number)
    return element("tr", head, *cells, id=f"rule-{number}" if is_new else None)


def row_head(content: Cell, number: str = "") -> str:
    """Return the head cell of a row, whose words hang behind a number if there is one."""
    if isinstance(content, str):
        words = breakable(content)
    else:
        words = " and ".join(
            element("span", breakable(part), class_="whole")
            if len(part) <= _UNBROKEN
            else breakable(part)
            for part in content
        )
    if not number:
        return element("th", words, class_="words", scope="row")
    return numbered_head(number, words)


def numbered_head(mark: str, words: str) -> str:
    """Return a head cell of HTML that hangs behind a number."""
    number = element("span", text(mark), class_="no")
    return element("th", number, words, class_="words numbered", scope="row")
