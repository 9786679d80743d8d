"""Reports in blocks, whatever the form in which they are written: `FORMS` names the forms.

The words of a block are plain text; each form has a module, which marks up what needs it.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple, Self, TypeAlias

from widc_arff.errors import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

FORMS = ("text", "markdown", "html", "latex")
"""The forms of a report: `as_text` and so on are modules beside this one.

The function `written` of each takes blocks, and the version of the package that wrote a model, and
yields lines.
"""

UNBROKEN = "\0"
"""A blank at which no line ends, so that what it stands in can be copied."""

FILL = -1
"""Width of the column that takes what the others leave of a line."""


class Heading(NamedTuple):
    """A title: of level 1 for the whole, of level 2 for a part, of level 3 for a table to paste.

    A page lists the parts that have a name, and links lead to them.
    """

    words: str
    level: int = 2
    name: str = ""


class Item(NamedTuple):
    """A sentence of a list; with ``links="rule"`` its ``rule 3`` leads to the row of that name."""

    words: str
    links: str = ""


class Note(str):
    """A sentence that explains others, and stands back where a form can show that."""

    __slots__ = ()


class Plot(NamedTuple):
    """A drawing that only a page shows, as SVG, with a sentence on it; other forms have blocks."""

    title: str
    svg: str
    words: str
    instead: Sequence[Plain]


class Lines(NamedTuple):
    """Lines of text that stay as they are, such as a plot of characters."""

    lines: Sequence[str]


class Column(NamedTuple):
    """A column of a table.

    Parameters
    ----------
    head : str
        What stands over it.
    kind : {"figure", "words", "head", "number", "points"}
        Figures and points are flush right.  One column can be the heads of the rows: lines that go
        on below hang there, and columns before it have numbers and points of what it names.
    width : int, optional
        Characters in a text of 80 columns, or FILL; by default as many as the longest cell has.
        Rows that come one by one, from an iterator, need it.
    is_cut : bool
        Whether longer cells are cut in such a text; otherwise they are broken into lines.
    is_folded : bool
        Whether a page shows its cells only to those who ask.
    links : str
        What its numbers lead to: the `anchor` of a table.
    """

    head: str
    kind: Literal["figure", "words", "head", "number", "points"] = "figure"
    width: int | None = None
    is_cut: bool = False
    is_folded: bool = False
    links: str = ""


def columns(head: str, *figures: str) -> list[Column]:
    """Return a column of heads and others of figures."""
    return [Column(head, "head"), *map(Column, figures)]


Cell: TypeAlias = str | tuple[str, ...]
"""Text, or the conditions of a rule."""


class Shaded(str):
    """A cell that a page shades, the darker the larger its share in [0, 1].

    Another colour says that it counts what is wrong.
    """

    __slots__ = ("is_wrong", "share")
    share: float
    is_wrong: bool

    def __new__(cls, words: str, share: float, *, is_wrong: bool = False) -> Self:
        """Return the words with their share."""
        cell = super().__new__(cls, words)
        cell.share, cell.is_wrong = share, is_wrong
        return cell


class Group(NamedTuple):
    """A row that names those below it or sums up those above, with a remark and its figures."""

    name: str
    figures: Sequence[str]
    remark: str = ""


Row: TypeAlias = "Sequence[Cell] | Group"


class Table(NamedTuple):
    """A table.

    Parameters
    ----------
    columns : sequence of Column
        From left to right.
    rows : iterable of sequence of Cell or Group
        From top to bottom; an iterator can be written only once.
    caption : str
        What stands over the table.
    narrow : sequence of str
        Lines of a text of 80 columns that say the same, where the table is too wide for these.
    look : {"rows", "cards", "labels"}
        How a page shows it: as rows of a name, a figure and a remark that become cards; or with
        labels as heads, upright where they are many.
    anchor : str
        Links lead to its rows by this name and their number: ``rule-3``.
    """

    columns: Sequence[Column]
    rows: Iterable[Row]
    caption: str = ""
    narrow: Sequence[str] = ()
    look: Literal["rows", "cards", "labels"] = "rows"
    anchor: str = ""


Plain: TypeAlias = str | Heading | Item | Lines | Table
"""What every form writes; notes are sentences."""
Block: TypeAlias = Plain | Plot


def cards(figures: Iterable[tuple[str, str, str]]) -> Table:
    """Return key figures, each with its name before it and a remark behind it."""
    heads = [Column("", "head", 20), Column("", "words"), Column("", "words")]
    return Table(heads, list(figures), look="cards")


def in_form(blocks: Iterable[Block], form: str, version: str = "") -> str:
    """Return a report in one of `FORMS`; `version` stands at the foot of a page."""
    return "".join(f"{line}\n" for line in lines_in_form(blocks, form, version))


def lines_in_form(blocks: Iterable[Block], form: str, version: str = "") -> Iterator[str]:
    """Yield the lines of a report in one of `FORMS`."""
    written: Callable[[Iterable[Block], str], Iterator[str]]
    written = import_module(f"widc_arff.reports.as_{form}").written
    if form != "html":
        blocks = chain.from_iterable(b.instead if isinstance(b, Plot) else [b] for b in blocks)
    for line in written(map(_in_lines, blocks), version):
        yield line.replace(UNBROKEN, " ")


def _in_line(text: str) -> str:
    return UNBROKEN.join(map(one_line, text.split(UNBROKEN)))


def _in_lines(block: Block) -> Block:
    """Return a block with each text in one line, whatever people wrote."""
    match block:
        case Table(columns, rows):
            columns = [column._replace(head=one_line(column.head)) for column in columns]
            found: Iterable[Row] = map(_row_in_lines, rows)
            rows = found if isinstance(rows, Iterator) else list(found)
            return block._replace(columns=columns, rows=rows)
        case Heading() | Item() | Plot():
            return block._replace(words=_in_line(block.words))
        case Lines():
            return block
    return type(block)(_in_line(block))


def _row_in_lines(row: Row) -> Row:
    if isinstance(row, Group):
        return row._replace(name=one_line(row.name))
    return [c if isinstance(c, Shaded) else _cell_in_line(c) for c in row]


def _cell_in_line(cell: Cell) -> Cell:
    return one_line(cell) if isinstance(cell, str) else tuple(map(one_line, cell))


def joined(cell: Cell) -> str:
    """Return a cell as one text."""
    return cell if isinstance(cell, str) else " and ".join(cell)


def figures_below(group: Group, columns: Sequence[Column]) -> tuple[int, list[str]]:
    """Return how many columns stand before the name of a group, and a figure for each behind it."""
    before = [column.kind for column in columns].index("head")
    missing = len(columns) - before - 1 - len(group.figures)
    return before, [*group.figures, *[""] * missing]


def spaced(blocks: Iterable[Plain], lines_of: Callable[[Plain], Iterable[str]]) -> Iterator[str]:
    """Yield the lines of all blocks, with an empty one between them, but for items of a list."""
    last: Plain | None = None
    for block in blocks:
        if last is not None and not (isinstance(block, Item) and isinstance(last, Item)):
            yield ""
        yield from lines_of(block)
        last = block
