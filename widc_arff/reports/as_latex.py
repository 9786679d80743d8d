"""Reports for papers: a fragment of LaTeX, whose tables need booktabs."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from widc_arff.reports.blocks import Group, Heading, Item, Lines, Table, figures_below, joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from widc_arff.reports.blocks import Cell, Column, Plain, Row

ROWS_IN_A_TABLE = 30
_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # after a line break it would begin an optional argument
    "]": "{]}",
    "*": "{*}",  # and this would be its variant
    "'": "{'}",
    "`": "{`}",
    '"': r"\char34{}",
} | {mark: f"\\{mark}" for mark in "&%$#_{}"}
_OPERATORS = {r"\textless{}=": r"$\leq$", r"\textgreater{}": "$>$", "!=": r"$\neq$"} | {
    r"\textless{}": "$<$"
}


def written(blocks: Iterable[Plain], version: str) -> Iterator[str]:  # noqa: ARG001 - as all forms
    """Yield the lines of a report: a group with narrow columns, and a paragraph for each block."""
    others = list(blocks)
    if isinstance(others[0], Heading):
        yield f"% {escaped(others[0].words)}"
        del others[0]
    yield from (r"% \usepackage{booktabs}", r"{\small\setlength{\tabcolsep}{4pt}", "")
    for block in others:
        yield from _lines(block)
    yield "}"


def _lines(block: Plain) -> Iterable[str]:
    match block:
        case Table():
            return _table_lines(block)
        case Lines(lines):
            return [r"\begin{verbatim}", *lines, r"\end{verbatim}", ""]
        case Item(words):
            return [r"\smallskip", rf"\textbullet{{}} {escaped(words)}", ""]
        case Heading(words):
            return [r"\smallskip", rf"\textbf{{{escaped(words)}}}", ""]
    return [r"\smallskip", escaped(block), ""]


def _table_lines(table: Table) -> Iterator[str]:
    """Yield a table for each so many rows."""
    columns = table.columns
    if table.caption:
        yield from (r"\smallskip", escaped(table.caption), "")
    n_wide = sum(column.kind in ("head", "words") for column in columns)
    left = max(0.2, 1 - 0.08 * (len(columns) - n_wide))
    shares = {"head": min(0.45 if n_wide == 1 else 0.33, left), "words": 0.17}
    marks = "".join(
        rf"p{{{shares[column.kind]}\linewidth}}" if column.kind in shares else "r"
        for column in columns
    )
    rows = (_row(_cells(row, columns)) for row in table.rows)
    while page := list(islice(rows, ROWS_IN_A_TABLE)):
        heads = _row(escaped(column.head) for column in columns)
        yield from (f"\\begin{{tabular}}{{{marks}}}", r"\toprule", heads, r"\midrule")
        yield from (*page, r"\bottomrule", r"\end{tabular}", "")


def _cells(row: Row, columns: Sequence[Column]) -> Iterator[str]:
    if isinstance(row, Group):
        before, figures = figures_below(row, columns)
        remark = f": {escaped(row.remark)}" if row.remark else ""
        name = rf"\textbf{{{escaped(row.name)}}}{remark}"
        yield rf"\multicolumn{{{before + 1}}}{{p{{0.5\linewidth}}}}{{{name}}}"
        yield from map(escaped, figures)
        return
    for column, cell in zip(columns, row, strict=True):
        if column.kind == "points":
            yield f"${joined(cell)}$"
        elif column.kind in ("head", "words"):  # ragged cells must not be the last of their row
            ragged = "" if column is columns[-1] else r"\raggedright "
            yield f"{ragged}{_words(cell)}"
        else:
            yield escaped(joined(cell))


def escaped(text: str) -> str:
    """Return a text in which nothing is a command."""
    text = "".join(_ESCAPES.get(letter, letter) for letter in text)
    return re.sub("-(?=-)", "-{}", text)  # no dashes of two or three


def _words(cell: Cell) -> str:
    """Return words, or conditions with their operators as mathematical signs."""
    words = escaped(joined(cell))
    return (
        words if isinstance(cell, str) else " ".join(_OPERATORS.get(w, w) for w in words.split(" "))
    )


def _row(cells: Iterable[str]) -> str:
    return f"{' & '.join(cells)} \\\\"
