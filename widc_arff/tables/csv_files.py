"""CSV: a header line, then rows; cells are separated by commas, semicolons or tabs.

A first line such as ``sep=;``, which Excel obeys, names any other separator.  Quotes are those of
RFC 4180 (line ends may stand in them), cells have any length, empty lines are passed over, and the
line that begins a row is told in messages.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any

from widc_arff.arff import chunks
from widc_arff.arff.dates import DEFAULT_FORMAT, DateFormat
from widc_arff.errors import TableError
from widc_arff.tables.cells import Cells, Origin
from widc_arff.tables.moments import dated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from widc_arff.arff.relation import Attribute, Relation

_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs"}
_IN_QUOTES = re.compile(r'"[^"]*"?')
_TAKEN_AS_MARK = re.compile("\ufeff|sep=", re.IGNORECASE)
_SEPARATOR_LINE = re.compile(r"sep=(.)[ \r\n]*", re.IGNORECASE)
_NO_SEPARATOR = re.compile(r'[\w\s".+-]')
_FRACTION = re.compile(r"[+-]?[0-9]*\.[0-9]+")


def read_csv_cells(
    path_or_file: chunks.File, encoding: str, *, is_tsv: bool = False, decimal: str = "."
) -> list[Cells]:
    """Read the columns of a CSV file as texts.

    Parameters
    ----------
    path_or_file : str, path or file
        As `read_arff` takes it, compressed or not.
    encoding : str
        Its encoding; a byte-order mark is passed over.
    is_tsv : bool
        Whether tabs separate the cells; else what cuts the header line in most parts.
    decimal : {".", ","}
        The decimal sign; where it is a comma, a header with semicolons or tabs is cut at them.

    Raises
    ------
    TableError, ArffError
        If the file cannot be read or is not right, with its line.
    """
    with chunks.opened(path_or_file) as (file, source):
        content = b"".join(chunks.line_chunks(file, source, encoding))
    text = chunks.decoded(content, source, 1, encoding)
    named = _named_separator(text, source)
    delimiter = named or ("\t" if is_tsv else _delimiter_of(text, decimal))
    with _cells_of_any_length(text):
        records = _records(text, delimiter, source)
        if named:
            next(records)
        return _columns(records, delimiter, Origin(source, []), decimal)


def _columns(
    records: Iterator[tuple[int, list[str]]], delimiter: str, origin: Origin, decimal: str
) -> list[Cells]:
    """Return the columns of records, the first of which with text is the header."""
    source = origin.source
    line, names = next((record for record in records if not _is_blank(record[1])), (1, []))
    if not names:
        raise TableError("expected a header line with the names of the columns, got none", source)
    names = [name.strip() for name in names]
    if len(names) == 1 and re.search(r"\S[ |]\S", names[0]):
        raise TableError(
            f"expected cells between commas, semicolons or tabs, got one column, {names[0]!r}",
            source,
            line,
        )
    _check_header(names, source, line)
    lines: list[int] = []
    rows: list[list[str]] = []
    for line, row in records:
        if len(row) != len(names):
            if _is_blank(row):
                continue
            raise TableError(_ragged(names, row, delimiter), source, line)
        lines.append(line)
        rows.append(row)
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    origin = replace(origin, lines=lines)
    return [
        Cells.of(name, column, origin, decimal) for name, column in zip(names, columns, strict=True)
    ]


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
    if any(mark in name for mark in _NAMES for name in names) or _TAKEN_AS_MARK.match(
        "".join(names[:1])
    ):
        # quoted: else a reader that looks for the separator in this line could take another one
        csv.writer(_LineFeeds(stream), delimiter=delimiter, quoting=csv.QUOTE_ALL).writerow(names)
    else:
        writer.writerow(names)
    attributes = table.attributes
    if iso_dates:
        attributes = tuple(map(with_iso_format, attributes, table.columns))
    formats = [
        DateFormat(attribute.format or DEFAULT_FORMAT) if attribute.type == "date" else None
        for attribute in attributes
    ]
    for row in table.rows():
        writer.writerow(
            _cell(value, date_format) for value, date_format in zip(row, formats, strict=True)
        )


def with_iso_format(attribute: Attribute, column: NDArray[Any]) -> Attribute:
    """Return a date attribute with the shortest format of ISO 8601 that tells its values."""
    if attribute.type != "date":
        return attribute
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


def _cell(value: object, date_format: DateFormat | None) -> str:
    if value is None:
        return ""
    if not isinstance(value, float):
        return str(value)
    if date_format is not None:
        return date_format.format(value)
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)


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
    """Return the separator that occurs most, outside of quotes, in the first line with text."""
    head = next((line for line in io.StringIO(text) if line.strip()), "")
    plain = _IN_QUOTES.sub("", head)
    if decimal == "," and (";" in plain or "\t" in plain):
        plain = plain.replace(",", "")
    return max(_NAMES, key=plain.count)


@contextmanager
def _cells_of_any_length(text: str) -> Iterator[None]:
    """Lift the limit of the csv module, which holds for the process, to the length of a text."""
    before = csv.field_size_limit()
    csv.field_size_limit(max(before, len(text) + 1))
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _records(text: str, delimiter: str, source: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each record with the line, from 1, in which it begins."""
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True
    )
    first = 1
    try:
        for record in reader:
            if record:
                yield first, record
            first = reader.line_num + 1
    except csv.Error as error:
        message = str(error)
        if "unexpected end of data" in message:
            message = "expected a quote that closes the one of this row, got the end of the file"
        elif "expected after" in message:
            message = (
                "expected a separator or the line end after a quoted cell, got more text; "
                'a quote inside of quotes is doubled: ""'
            )
        raise TableError(message, source, first) from error


def _is_blank(row: Sequence[str]) -> bool:
    return len(row) == 1 and not row[0].strip()


def _check_header(names: Sequence[str], source: str, line: int) -> None:
    for i, name in enumerate(names):
        if not name:
            why = ""
            if i == 0:
                why = "; an index of pandas is left out by to_csv(index=False)"
            elif i == len(names) - 1:
                why = "; does the line end with a separator?"
            raise TableError(
                f"expected a name for each column, got none for column {i + 1} of {len(names)}"
                + why,
                source,
                line,
            )
    fraction = next(filter(_FRACTION.fullmatch, names), None)
    if fraction is not None:
        raise TableError(
            f"expected a header line with the names of the columns, got the number {fraction}",
            source,
            line,
        )
    name, count = Counter(names).most_common(1)[0]
    if count > 1:
        places = ", ".join(str(i + 1) for i, other in enumerate(names) if other == name)
        raise TableError(
            f"expected each name once in the header line, got {name!r} in the columns {places}",
            source,
            line,
        )


def _ragged(names: Sequence[str], row: Sequence[str], delimiter: str) -> str:
    cells = "1 cell" if len(row) == 1 else f"{len(row)} cells"
    by = _NAMES.get(delimiter, repr(delimiter))
    message = f"expected {len(names)} cells, separated by {by}, got {cells}"
    if len(row) < len(names):
        return f"{message} (none for column {names[len(row)]!r})"
    return f"{message}; a cell that holds the separator stands in quotes"
