"""Reports as pages of HTML that load nothing, for light and dark, screen and paper.

Tables inherit text colour and background and are tinted with translucent colours, blue for and
orange against, so that they read on light and dark pages alike; signs and numbers say the same
without colour.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from widc_arff.reports.blocks import (
    FILL,
    Group,
    Heading,
    Item,
    Lines,
    Note,
    Plot,
    Shaded,
    Table,
    figures_below,
    joined,
)
from widc_arff.reports.elements import breakable, element, text
from widc_arff.reports.style_sheets import style_sheet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from widc_arff.reports.blocks import Block, Cell, Column, Row

    Hints = Mapping[str, str]  # to the names of rows: their heads in words

_UNBROKEN = 24
"""Conditions of at most so many letters keep to one line."""
_LONG = 14
"""Labels of more letters are broken into lines."""
_MANY = 10
"""Above so many columns, heads that are labels stand upright."""
_NUMBERS = r"\b(\d+)(?=,| \(|$)"
"""Numbers of rows in a cell, some with a remark in brackets."""


def written(blocks: Iterable[Block], version: str) -> Iterator[str]:
    """Yield the lines of a report."""
    held = list(blocks)
    title = "widc-arff"
    if isinstance(held[0], Heading):
        title, held[0] = held[0].words, held[0]._replace(level=1)
    style = style_sheet("colours", "table", "plot", "page")
    yield "<!DOCTYPE html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield element("title", text(title))
    yield f"<style>{style}</style></head><body>"
    yield from _body(held)
    yield element("footer", text(f"widc-arff {version}"))
    yield "</body></html>"


def _body(blocks: Sequence[Block]) -> Iterator[str]:
    """Yield all blocks; parts with a name are sections, with links to them before the first."""
    hints: dict[str, str] = {}
    first: list[Block] = []
    sections: list[tuple[Heading, list[Block]]] = []
    for block in blocks:
        if isinstance(block, Table) and block.anchor:
            hints = dict(_anchor(block, row) for row in block.rows) | hints
        if isinstance(block, Heading) and block.name:
            sections.append((block, []))
        (sections[-1][1] if sections else first).append(block)
    yield from _elements(first, hints)
    if len(sections) > 1:
        links = (element("a", text(of.words), href=f"#{of.name}") for of, _ in sections)
        yield element("nav", *links) + "\n"
    for heading, content in sections:
        yield element("section", *_elements(content, hints), id=heading.name)


def _elements(blocks: Iterable[Block], hints: Hints) -> Iterator[str]:
    for kind, run in groupby(blocks, type):
        content = [_element(block, hints) for block in run]
        if kind is Item:
            yield element("ul", *content) + "\n"
        elif kind is Plot:
            yield element("div", *content, class_="plots") + "\n"
        else:
            yield from (f"{html}\n" for html in content)


def _element(block: Block, hints: Hints) -> str:
    match block:
        case Table():
            return _cards(block) if block.look == "cards" else table(block, hints)
        case Lines(lines):
            return element("pre", text("\n".join(lines)))
        case Heading(words, level):
            return element(f"h{level}", text(words))
        case Item(words, to):
            return element("li", _linked(words, rf"\b({to} \d+)", to, hints))
        case Plot(title, svg, words):
            return element("div", element("h3", text(title)), svg, _element(Note(words), hints))
    return element("p", breakable(block), class_="quiet" if isinstance(block, Note) else None)


def _linked(words: str, pattern: str, to: str, hints: Hints) -> str:
    """Return words in which what fits a pattern leads to the row of its number, if there is one."""
    parts = re.split(pattern, words) if to else [words]
    names = [f"{to}-{part.rpartition(' ')[2]}" for part in parts]
    return "".join(
        element("a", text(part), href=f"#{name}", title=hints[name] or None)
        if i % 2 and name in hints
        else breakable(part)
        for i, (part, name) in enumerate(zip(parts, names, strict=True))
    )


def _anchor(content: Table, row: Row) -> tuple[str, str]:
    """Return the name of a row for links, or nothing, and its head in words."""
    if isinstance(row, Group) or not content.anchor:
        return "", ""
    of = {c.kind: joined(part) for c, part in zip(content.columns, row, strict=True)}
    return f"{content.anchor}-{of.get('number', joined(row[0]))}", of.get("head", "")


def _cards(content: Table) -> str:
    entries = []
    for name, value, note in content.rows:
        small = element("small", text(note)) if note else ""
        card = element("dt", text(name)) + element("dd", text(value), small)
        entries.append(element("div", card))
    return element("dl", *entries, class_="facts")


def table(content: Table, hints: Hints | None = None) -> str:
    """Return a table in its box, which a narrow page scrolls, each row behind its head."""
    of_labels = content.look == "labels"
    is_dense = of_labels and len(content.columns) > _MANY
    by_head = sorted(content.columns, key=lambda column: column.kind != "head")
    heads = [_head(column, of_labels, is_dense) for column in by_head if column.kind != "number"]
    names, rows = {""}, []
    for row in content.rows:
        name, _ = _anchor(content, row)
        rows.append(_row(content, row, hints or {}, None if name in names else name) + "\n")
        names.add(name)
    whole = element(
        "table",
        element("caption", text(content.caption)) if content.caption else "",
        element("thead", element("tr", *heads)),
        "\n",
        element("tbody", "\n", *rows),
        class_="dense" if is_dense else None,
    )
    return element("div", whole, class_="widc")


def _head(column: Column, of_labels: bool, is_dense: bool) -> str:
    """Return the head cell of a column."""
    name = column.head
    if is_dense and column.kind != "head":
        words = element("span", text(name))
        return element("th", words, class_="upright", scope="col", title=name)
    kind = _of_words(column) or (_label(name) if of_labels else None)
    return element("th", breakable(name), class_=kind, scope="col")


def _of_words(column: Column) -> str | None:
    """Return the class of the cells of a column of words."""
    if column.kind != "words" or column.is_folded:
        return None
    return "words" if column.width == FILL else "links" if column.links else "list"


def _label(words: str) -> str | None:
    """Return the class of a cell with a label: short ones keep to one line."""
    return "label" if len(words) > _LONG else None


def _row(content: Table, row: Row, hints: Hints, name: str | None) -> str:
    """Return a row, to which links by a name lead."""
    columns, of_labels = content.columns, content.look == "labels"
    if isinstance(row, Group):
        before, figures = figures_below(row, columns)
        words = breakable(f"{row.name}: {row.remark}" if row.remark else row.name)
        kind = _label(row.name) if of_labels else "words"
        head = element("th", words, class_=kind, scope="rowgroup")
        blanks = [_cell() for column in columns[:before] if column.kind != "number"]
        return element("tr", head, *blanks, *map(_cell, figures), class_="group")
    number, head, cells = None, "", []
    for column, part in zip(columns, row, strict=True):
        if column.kind == "number":
            number = joined(part)
        elif column.kind == "head":
            head = _row_head(part, number, of_labels)
        else:
            cells.append(_content(part, column, hints, of_labels))
    return element("tr", head, *cells, id=name)


def _row_head(content: Cell, number: str | None, of_labels: bool) -> str:
    """Return the head cell of a row, whose words hang behind a number if it has one."""
    if isinstance(content, str):
        words = breakable(content)
        kind = _label(content) if of_labels else "words"
    else:
        words = " and ".join(
            element("span", breakable(part), class_="whole")
            if len(part) <= _UNBROKEN
            else breakable(part)
            for part in content
        )
        kind = "words"
    if number is not None:
        words, kind = element("span", text(number), class_="no") + words, "words numbered"
    return element("th", words, class_=kind, scope="row")


def _content(content: Cell, column: Column, hints: Hints, of_labels: bool) -> str:
    """Return a cell of a row."""
    words = joined(content)
    if isinstance(content, Shaded):
        if words == "0":
            return _cell(words, "none")
        heat = "heat wrong" if content.is_wrong else "heat"
        return element("td", text(words), class_=heat, style=f"--h: {content.share:.2f}")
    if column.kind == "points":
        vote = "for" if words[0] == "+" else "against"
        return _cell(words, vote if words[1:] == "1" else f"{vote} strong")
    if column.is_folded:
        inner = element("summary", "show") + breakable(words)
        return element("td", element("details", inner) if words else "")
    kind = _of_words(column)
    if kind == "list":
        kind = f"list {column.head}" if words.strip("–") else kind
    elif kind is None and of_labels:
        kind = _label(words)
    elif kind is None and words[-1:] == "!":  # it contradicts the vote of its rule
        kind = "against"
    return element("td", _linked(words, _NUMBERS, column.links, hints), class_=kind)


def _cell(words: str = "", kind: str | None = None) -> str:
    return element("td", breakable(words), class_=kind)
