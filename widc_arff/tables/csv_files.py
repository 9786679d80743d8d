"""CSV: a header line, then rows; cells are separated by commas, semicolons, tabs, bars or blanks.

A first line such as ``sep=;``, which Excel obeys, names any other separator.  Quotes are those of
RFC 4180 (line ends may stand in them), cells have any length, empty lines are passed over, and the
line that begins a row is told in messages.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import accumulate, chain, islice
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from widc_arff.arff import chunks
from widc_arff.arff.dates import DEFAULT_FORMAT, DateFormat
from widc_arff.arff.fast import ROOM_BEFORE, ByteText, byte_text, plain_decimals, short_keys
from widc_arff.errors import TableError
from widc_arff.tables.moments import dated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from widc_arff.arff.relation import Attribute, Relation
    from widc_arff.arrays import Bools, Floats, Integers

_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "blanks"}
_SEPARATORS = (",", ";", "\t", "|")
_LINES_COMPARED = 20
_IN_QUOTES = re.compile(r'"[^"]*"?')
_TAKEN_AS_MARK = re.compile("\ufeff|sep=", re.IGNORECASE)
_SEPARATOR_LINE = re.compile(r"sep=(.)[ \r\n]*", re.IGNORECASE)
_NO_SEPARATOR = re.compile(r'[\w\s".+-]')
_NUMBER = re.compile(r"[+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?")
_LINE_END = re.compile(r"\r\n|\r|\n")
_PLACES_SHOWN = 5
_FIRST_INEXACT = 2**53
"""Below it doubles hold all whole numbers."""
_READ_AGAIN = "Unnamed: 0"


@dataclass(frozen=True, slots=True)
class TextForm:
    """How a text file of a table is written.

    Parameters
    ----------
    encoding : str
        Its encoding; a byte-order mark is passed over.
    is_tsv : bool
        Whether tabs separate the cells; else what cuts the header line in most parts.
    decimal : {".", ","}
        The decimal mark; where it is a comma, a header with semicolons or tabs is cut at them.
    header : bool
        Whether the first line has the names of the columns.
    chunk_size : int, optional
        About how many bytes are parsed at once.
    """

    encoding: str = "utf-8"
    is_tsv: bool = False
    decimal: str = "."
    header: bool = True
    chunk_size: int | None = None


class CsvFile:
    """An open CSV file: the names of its columns, then its rows in batches.

    Parameters
    ----------
    file : binary or text file
        Compressed or not.
    source : str
        Its name, for messages.
    form : TextForm
        How it is written.

    Raises
    ------
    TableError, ArffError
        If the file cannot be read or its header is not right, with its line.

    Attributes
    ----------
    source : str
        Its name.
    names : list of str
        Names of the columns; x1, x2, ... where there is no header.
    row_names : set of str
        Names of columns that name the rows: they have none, as R and pandas write them, or the
        one that pandas gives them on the way back.
    """

    def __init__(self, file: chunks.Readable, source: str, form: TextForm) -> None:
        self.source = source
        self._lines = _Lines(file, source, form)
        head = self._lines.head
        named = _named_separator(head, source)
        self._delimiter = named or ("\t" if form.is_tsv else _delimiter_of(head, form.decimal))
        quote = "'" if _is_quoted_singly(head, self._delimiter) else '"'
        self._reader = csv.reader(
            self._lines,
            delimiter=self._delimiter,
            quotechar=quote,
            escapechar="\\" if quote == "'" else None,
            skipinitialspace=True,
            strict=True,
        )
        self._marks = self._delimiter + (quote if quote == '"' else "'\\")
        self.names: list[str] = []
        self.row_names: set[str] = set()
        self._line_of_row_names = 0
        """Line of the first row, if it has a cell more than the header line."""
        self._line = 1
        """Line in which the next record begins."""
        self._waiting: list[tuple[int, list[str]]] = []
        with _cells_of_any_length():
            if named:
                self._records(1)
            self._read_header(has_header=form.header)

    def _read_header(self, *, has_header: bool) -> None:
        first = self._first_record()
        if first is None:
            message = "expected a header line with the names of the columns, got none"
            raise TableError(message, self.source)
        line, cells = first = first[0], self._without_blank_end(first[1])
        if len(cells) == 1 and re.search(r"\S[ |]\S", cells[0]):
            raise TableError(
                f"expected cells between commas, semicolons or tabs, got one column, "
                f"{cells[0].strip()!r}",
                self.source,
                line,
            )
        self._waiting = [] if has_header else [first]
        second = self._first_record(len(cells)) if has_header else None
        if second is not None:
            self._waiting = [second]
            n_cells = len(self._without_blank_end(second[1]))
            if n_cells == len(cells) + 1 and all(map(str.strip, cells)):
                cells = ["", *cells]  # R's write.table has no name for its row names
                self._line_of_row_names = second[0]
        self.names, self.row_names = header_names(cells, self.source, line, has_header=has_header)

    def _first_record(self, n_cells: int | None = None) -> tuple[int, list[str]] | None:
        """Return the next record that is no blank line; one of so many cells is none."""
        while records := self._records(1):
            row = records[0][1]
            if row and (len(row) == n_cells or not _is_blank(row)):
                return records[0]
        return None

    def _without_blank_end(self, cells: list[str]) -> list[str]:
        """Return cells without the empty one behind blanks at the end of a line."""
        return cells[:-1] if self._delimiter == " " and not cells[-1] else cells

    def batches(self) -> Iterator[TextBatch | GridBatch]:
        """Yield the rows, some at a time.

        Raises
        ------
        TableError, ArffError
            If the file cannot be read or is not right, with its line.
        """
        with _cells_of_any_length():
            records, self._waiting = self._waiting, []
            while True:
                if not records and self._lines.is_between_chunks:
                    grid = self._grid()
                    if grid is not None:
                        yield grid
                        continue
                records += self._records()
                if not records:
                    return
                if {len(row) for _, row in records} != {len(self.names)}:
                    records = self._complete(records)
                if records:
                    lines, rows = zip(*records, strict=True)
                    yield TextBatch(lines, list(zip(*rows, strict=True)))
                records = []

    def _grid(self) -> GridBatch | None:
        """Return the rows of the next chunk, if separators and line ends alone tell its cells."""
        if self._delimiter == " ":  # of which several may stand together
            return None
        chunk = self._lines.peek()
        grid = None if not chunk else grid_of(chunk, self._line, self._marks, len(self.names))
        if grid is not None:
            self._lines.skip()
            self._line += len(grid.lines)
        return grid

    def _complete(self, records: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
        """Return the records without blank lines; all others have a cell for each column."""
        kept = []
        for line, cells in records:
            row = cells
            if len(row) == len(self.names) + 1:
                row = self._without_blank_end(row)
            if len(row) == len(self.names):
                kept.append((line, row))
            elif row and not _is_blank(row):
                message = _ragged(self.names, row, self._delimiter, self._line_of_row_names)
                raise TableError(message, self.source, line)
        return kept

    def _records(self, n: int | None = None) -> list[tuple[int, list[str]]]:
        """Return so many records, by default those of a chunk, each with the line it begins in."""
        rows: list[list[str]] = []
        before, line = self._reader.line_num, self._line
        try:
            while len(rows) < n if n else not rows or not self._lines.is_between_chunks:
                rows.append(next(self._reader))
        except StopIteration:
            pass
        except csv.Error as error:
            line += sum(map(_lines_of, rows))
            raise TableError(_quote_fault(str(error)), self.source, line) from error
        self._line += self._reader.line_num - before
        if self._line - line == len(rows):
            return list(zip(range(line, self._line), rows, strict=True))
        starts = accumulate(map(_lines_of, rows), initial=line)
        return list(zip(starts, rows, strict=False))


@dataclass(frozen=True, slots=True, eq=False)
class TextBatch:
    """Some rows, as the csv module reads them.

    Parameters
    ----------
    lines : sequence of int
        The line of each row.
    columns : list of tuple of str
        The texts of each column.
    """

    lines: Sequence[int]
    columns: list[tuple[str, ...]]

    def texts(self, index: int) -> Sequence[str]:
        """Return the texts of a column."""
        return self.columns[index]


@dataclass(frozen=True, slots=True, eq=False)
class GridBatch:
    """Some rows whose cells are bytes between separators.

    Parameters
    ----------
    lines : range
        The line of each row.
    text : ByteText
        The bytes.
    starts, ends : ndarray of int64 of shape (n_rows, n_columns)
        Where each cell begins and ends.
    """

    lines: range
    text: ByteText
    starts: Integers
    ends: Integers

    def texts(self, index: int) -> Sequence[str]:
        """Return the texts of a column."""
        return self.some_texts(index, slice(None))

    def some_texts(self, index: int, rows: Integers | slice) -> list[str]:
        """Return the texts of some rows of a column."""
        starts, ends = self.starts[rows, index].tolist(), self.ends[rows, index].tolist()
        raw = self.text.raw
        return [raw[i:j].decode() for i, j in zip(starts, ends, strict=True)]

    def numbers(self, index: int) -> tuple[Floats, Bools]:
        """Return the numbers of a column, and which are plain decimals without leading zeros."""
        starts, ends = self.starts[:, index].copy(), self.ends[:, index].copy()
        values, are_plain = plain_decimals(self.text, starts, ends)
        array = self.text.array
        first = starts + (array[starts] == ord("-"))
        second = array[np.minimum(first + 1, ends)]
        are_plain &= (array[first] != ord("0")) | (second - ord("0") > 9)  # bytes have no sign
        return values, are_plain

    def keys(self, index: int) -> tuple[NDArray[np.uint64], Bools]:
        """Return a number for each text of a column, equal where the texts are; which have one.

        Those that do not are longer than eight bytes, or blanks stand around them.
        """
        starts, ends = self.starts[:, index].copy(), self.ends[:, index].copy()
        keys, are_short = short_keys(self.text, starts, ends)
        array = self.text.array
        are_short &= (array[starts] > ord(" ")) & (array[ends - 1] > ord(" "))
        return keys, are_short


def grid_of(chunk: bytes, line: int, marks: str, n_columns: int) -> GridBatch | None:
    """Return the rows of whole lines; None if they are for the csv module.

    That is where there are quotes, lines without a cell for each column, or other line ends.

    Parameters
    ----------
    chunk : bytes
        The lines, in UTF-8.
    line : int
        Number of the first one.
    marks : str
        The separator, and behind it what else has a meaning: quotes and escapes.
    n_columns : int
        Cells of each line.
    """
    delimiter, *others = marks.encode()
    is_plain = marks.isascii() and not any(other in chunk for other in (0, *others))
    if not is_plain or not _is_utf_8(chunk):
        return None
    text = byte_text(chunk)
    array = text.array
    is_line_end = array == ord("\n")
    places = np.flatnonzero(is_line_end | (array == delimiter))
    n_rows, rest = divmod(len(places), n_columns)
    if rest or np.count_nonzero(is_line_end) != n_rows:
        return None
    ends = places.reshape(n_rows, n_columns)
    starts = np.empty_like(ends)
    starts.ravel()[0] = ROOM_BEFORE
    starts.ravel()[1:] = places[:-1] + 1
    last = ends[:, -1]
    is_after_return = array[last - 1] == ord("\r")
    has_other_lines = (
        not is_line_end[last].all()
        or chunk.count(b"\r") != np.count_nonzero(is_after_return)
        or (n_columns == 1 and (last - is_after_return == starts[:, 0]).any())
    )
    last -= is_after_return
    return None if has_other_lines else GridBatch(range(line, line + n_rows), text, starts, ends)


def _is_utf_8(chunk: bytes) -> bool:
    try:
        return chunk.isascii() or bool(chunk.decode())
    except UnicodeDecodeError:
        return False  # the csv module's way says where


class _Lines:
    """The lines of a file, whatever ends them, as the csv module wants them."""

    def __init__(self, file: chunks.Readable, source: str, form: TextForm) -> None:
        self._chunks = chunks.line_chunks(file, source, form.encoding, form.chunk_size)
        self._source, self._encoding, self._line = source, form.encoding, 1
        self._next: bytes | None = None
        self.head = self._decoded()
        self._lines = iter(io.StringIO(self.head, newline="").readlines())
        self._line_left = next(self._lines, "")

    @property
    def is_between_chunks(self) -> bool:
        """Whether all lines of the chunks so far have been given."""
        return not self._line_left

    def peek(self) -> bytes:
        """Return the next chunk, which is still to be read; nothing at the end."""
        if self._next is None:
            self._next = next(self._chunks, b"")
        return self._next

    def skip(self) -> None:
        """Pass over the next chunk, which was read otherwise."""
        self._line += chunks.count_lines(self.peek())
        self._next = None

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        if not self._line_left:
            self._lines = iter(io.StringIO(self._decoded(), newline="").readlines())
            self._line_left = next(self._lines, "")
            if not self._line_left:
                raise StopIteration
        line, self._line_left = self._line_left, next(self._lines, "")
        return line

    def _decoded(self) -> str:
        chunk = self.peek()
        text = chunks.decoded(chunk, self._source, self._line, self._encoding)
        self.skip()
        return text


def _lines_of(row: list[str]) -> int:
    """Return how many lines a record takes."""
    return 1 + sum(len(_LINE_END.findall(cell)) for cell in row if "\n" in cell or "\r" in cell)


def _quote_fault(message: str) -> str:
    if "unexpected end of data" in message:
        return "expected a closing quote for the one opened in this row, got the end of the file"
    if "field larger than" in message:
        most = f"{chunks.LONGEST_LINE:,} characters"
        return f"expected a closing quote within {most} of the one opened in this row, got none"
    if "expected after" in message:
        return (
            "expected a separator or the line end after a quoted cell, got more text; "
            'write a quote inside quotes twice: ""'
        )
    return message


def write_csv(
    table: Relation, stream: IO[str], *, delimiter: str = ",", iso_dates: bool = False
) -> None:
    """Write a relation as CSV with a header line; missing values are empty.

    Parameters
    ----------
    table : Relation
        What to write, without its weights.
    stream : text file
        Where to.
    delimiter : str
        What separates cells.
    iso_dates : bool
        Whether dates are written as ISO 8601 has them; else in the format of their attribute.
    """
    writer = csv_writer(stream, delimiter)
    names = [attribute.name for attribute in table.attributes]
    if (
        any(mark in name for mark in _SEPARATORS for name in names)
        or _TAKEN_AS_MARK.match("".join(names[:1]))
        or _has_single_quote_first(table)
    ):
        # quoted: else a reader that looks for separator and quotes in this line could take others
        csv.writer(_LineFeeds(stream), delimiter=delimiter, quoting=csv.QUOTE_ALL).writerow(names)
    else:
        writer.writerow(names)
    attributes = table.attributes
    if iso_dates:
        attributes = tuple(
            with_iso_format(attribute, table.columns[i]) if attribute.type == "date" else attribute
            for i, attribute in enumerate(attributes)
        )
    formats = [
        DateFormat(attribute.format or DEFAULT_FORMAT) if attribute.type == "date" else None
        for attribute in attributes
    ]
    quoted = _quoting(delimiter, is_alone=len(names) == 1)
    for columns, _ in table.parts():
        texts = [_cell_texts(*of, quoted) for of in zip(attributes, formats, columns, strict=True)]
        lines = "\n".join(map(delimiter.join, zip(*texts, strict=True)))
        stream.write(f"{lines}\n" if texts else "")


def _quoting(delimiter: str, *, is_alone: bool) -> Callable[[str], str]:
    """Return what gives a text as a cell, in quotes where the csv module writes them.

    A cell that is alone in its row is in quotes also where it is empty.
    """
    line = io.StringIO()
    writer = csv.writer(line, delimiter=delimiter, lineterminator="\r\n")
    others = [] if is_alone else [""]
    end = len("\r\n") + len(delimiter) * len(others)

    def quoted(text: str) -> str:
        line.seek(0)
        line.truncate()
        writer.writerow([text, *others])
        return line.getvalue()[:-end]

    return quoted


def _cell_texts(
    attribute: Attribute,
    date_format: DateFormat | None,
    column: NDArray[Any],
    quoted: Callable[[str], str],
) -> list[str]:
    """Return the cells of a column; those of labels and equal numbers are made once."""
    if attribute.type == "nominal":
        made = [quoted(label) for label in (*attribute.values, "")]  # code -1 is the last
        return list(map(made.__getitem__, column.tolist()))
    if attribute.type in ("string", "relational"):
        return [quoted("" if value is None else str(value)) for value in column.tolist()]
    if date_format is None and (np.abs(column) < _FIRST_INEXACT).all():
        whole = column.astype(np.int64)
        if (whole == column).all():  # numbers of rows, mostly: each is another one
            return list(map(str, whole.tolist()))
    distinct, places = np.unique(column, return_inverse=True)
    made = [quoted(_number_cell(value, date_format)) for value in distinct.tolist()]
    return list(map(made.__getitem__, places.tolist()))


def _number_cell(value: float, date_format: DateFormat | None) -> str:
    if math.isnan(value):
        return ""
    if date_format is not None:
        return date_format.format(value)
    return str(int(value)) if value.is_integer() and abs(value) < _FIRST_INEXACT else repr(value)


def _has_single_quote_first(table: Relation) -> bool:
    """Return whether a name or a text begins with a single quote, which is no quote there."""
    with_texts = [i for i, attribute in enumerate(table.attributes) if attribute.type == "string"]
    names = (text for a in table.attributes for text in (a.name, *a.values))
    parts = table.parts() if with_texts else ()
    values = (text for columns, _ in parts for i in with_texts for text in columns[i] if text)
    return any(text.lstrip().startswith("'") for text in chain(names, values))


def with_iso_format(attribute: Attribute, column: NDArray[Any]) -> Attribute:
    """Return a date attribute with the shortest format of ISO 8601 that tells its values."""
    return replace(attribute, format=dated(attribute.name, column)[0].format)


def csv_writer(stream: IO[str], delimiter: str = ",") -> Any:  # noqa: ANN401 - csv's own is hidden
    """Return a writer of the csv module whose rows end with a line feed."""
    return csv.writer(_LineFeeds(stream), delimiter=delimiter)


class _LineFeeds:
    """Ends rows with a line feed alone; the csv module quotes what its own line end holds."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, row: str) -> int:
        return self._stream.write(row.removesuffix("\r\n") + "\n")


def _named_separator(text: str, source: str) -> str | None:
    """Return the separator that a first line such as ``sep=;`` names, or None.

    Raises
    ------
    TableError
        If it is a letter, a digit, a blank or a quote.
    """
    first = text[:16].partition("\n")[0].partition("\r")[0]
    named = _SEPARATOR_LINE.fullmatch(first)
    if named is None:
        return None
    if named[1] != "\t" and _NO_SEPARATOR.fullmatch(named[1]):
        raise TableError(f"expected a separator such as ; after sep=, got {named[1]!r}", source, 1)
    return named[1]


def _delimiter_of(text: str, decimal: str) -> str:
    """Return the separator that occurs most, outside of quotes, in the first line with text.

    A blank is one between quoted names, as R's write.table has them, and where blanks alone cut the
    first lines in the same number of cells.
    """
    head = next((line for line in io.StringIO(text) if line.strip()), "")
    plain = _IN_QUOTES.sub("", head)
    if plain and not plain.strip():
        return " " if " " in plain.rstrip("\r\n") else ","
    if not any(mark in plain for mark in _SEPARATORS) and _are_cut_by_blanks(text):
        return " "
    if decimal == "," and (";" in plain or "\t" in plain):
        plain = plain.replace(",", "")
    return max(_SEPARATORS, key=plain.count)


def _are_cut_by_blanks(text: str) -> bool:
    """Return whether the first lines have as many cells between blanks: several, and several lines.

    The line of the names may have one less, as R has it.
    """
    lines = (_IN_QUOTES.sub("x", line) for line in io.StringIO(text) if line.strip())
    n_cells = [len(line.split()) for line in islice(lines, _LINES_COMPARED)]
    return min(n_cells, default=0) > 1 and set(n_cells[1:]) in ({n_cells[0]}, {n_cells[0] + 1})


@contextmanager
def _cells_of_any_length() -> Iterator[None]:
    """Lift the limit of the csv module, which holds for the process, to that of a line."""
    before = csv.field_size_limit()
    csv.field_size_limit(max(before, chunks.LONGEST_LINE))
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _is_quoted_singly(head: str, delimiter: str) -> bool:
    """Return whether cells stand in single quotes, as Weka writes them, and none in double ones."""
    mark = re.escape(delimiter)
    in_single = rf"(?:^|{mark}) *'(?:[^'\\\r\n]|\\.)*' *(?:$|{mark})"
    return (
        re.search(in_single, head, re.MULTILINE) is not None
        and re.search(rf'(?:^|{mark}) *"', head, re.MULTILINE) is None
    )


def _is_blank(row: Sequence[str]) -> bool:
    return len(row) == 1 and not row[0].strip()


def header_names(
    cells: Sequence[str], source: str, line: int, *, has_header: bool
) -> tuple[list[str], set[str]]:
    """Return the names of the columns, and which of these are names of columns of row names.

    Parameters
    ----------
    cells : sequence of str
        The first row.
    source : str
        Name of the file, for messages.
    line : int
        Where the row stands, from 1.
    has_header : bool
        Whether it holds the names; else they are x1, x2, ...

    Raises
    ------
    TableError
        If names are numbers, or one occurs twice.
    """
    if not has_header:
        return [f"x{i + 1}" for i in range(len(cells))], set()
    names = list(map(str.strip, cells))
    _check_header(names, source, line)
    return names, {"", _READ_AGAIN} if names[0] == _READ_AGAIN else {""}


def _check_header(names: Sequence[str], source: str, line: int) -> None:
    numbers = [name for name in names if _NUMBER.fullmatch(name)]
    named = [name for name in names if name]
    is_repeated = len(set(named)) < len(named)
    if any("." in number for number in numbers) or (is_repeated and 2 * len(numbers) > len(names)):
        raise TableError(
            "expected a header line with the names of the columns, got the number "
            f"{numbers[0]}; --no-header names them x1, x2, ...",
            source,
            line,
        )
    if is_repeated:
        name, count = Counter(named).most_common(1)[0]
        places = [str(i + 1) for i, other in enumerate(names) if other == name]
        shown = ", ".join(places[:_PLACES_SHOWN]) + (", ..." if count > _PLACES_SHOWN else "")
        raise TableError(
            f"expected each name once in the header line, got {name!r} in the columns {shown}",
            source,
            line,
        )


def _ragged(
    names: Sequence[str], row: Sequence[str], delimiter: str, line_of_row_names: int
) -> str:
    cells = "1 cell" if len(row) == 1 else f"{len(row)} cells"
    by = _NAMES.get(delimiter, repr(delimiter))
    message = f"expected {len(names)} cells, separated by {by}, got {cells}"
    if line_of_row_names and len(row) == len(names) - 1:
        return (
            f"{message}, as many as names in the header line; line {line_of_row_names} has one "
            "more, as in files with row names: put a cell that contains the separator in quotes"
        )
    if len(row) < len(names):
        return f"{message} (none for column {names[len(row)]!r})"
    return f"{message}; put a cell that contains the separator in quotes"
