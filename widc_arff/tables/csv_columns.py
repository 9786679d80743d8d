"""The columns of a CSV or Excel file, gathered from batches of rows: memory holds few texts.

A column is held as its distinct texts and a code for each row.  Where many different texts are all
numbers, or all dates, it is held as these, and their texts are forgotten; one text that is none
ends that, and the file is read once more with the texts of this column.  Codes and numbers go to a
temporary file as they grow.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from widc_arff.arff import chunks
from widc_arff.arff.relation import Attribute
from widc_arff.arff.stored_columns import ColumnFile
from widc_arff.errors import TableError
from widc_arff.system.files import files_of, is_folder, rereadable
from widc_arff.tables.cells import Cells, Origin, date_column, numeric_column
from widc_arff.tables.csv_files import CsvFile, GridBatch, TextBatch, TextForm
from widc_arff.tables.iso_dates import ISO_DATE, is_finer
from widc_arff.tables.readings import PLAIN_NUMBERS, DateStyle, NumberStyle, dates_of
from widc_arff.tables.table_values import MISSING_WORDS, loss_of
from widc_arff.tables.uses import Use, relation_of_columns, typed, uses_of, without_row_names

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from numpy.typing import NDArray

    from widc_arff.arff.relation import Relation
    from widc_arff.arrays import Floats
    from widc_arff.tables.uses import TableOptions

    Column = tuple[Attribute, NDArray[Any]]

_IN_MEMORY = 1 << 25
"""Bytes of codes and numbers that memory holds while they grow."""
_BYTES_OF_CELL = 8


def read_texts(
    path_or_file: chunks.File,
    form: str,
    options: TableOptions,
    name: str,
    most_cells: int | None = None,
) -> Relation:
    """Read a file whose cells are texts; all else is as in `widc_arff.tables.read_table`.

    Parameters
    ----------
    form : {"csv", "tsv", "xlsx"}
        Its form.

    Raises
    ------
    TableError, ArffError
        If the file cannot be read or is not right, with its line.
    DataError
        If the options name a column that is not there.
    """
    in_memory = _IN_MEMORY if most_cells is None else min(_IN_MEMORY, _BYTES_OF_CELL * most_cells)
    with _opened(path_or_file, form, options) as (begin, source):
        with_texts: set[str] = set()
        while True:
            table = begin()
            kept = without_row_names(table.names, table.row_names, options, source)
            uses = uses_of(kept, options)
            columns = _Columns(table, uses, options, source, with_texts, in_memory)
            if not columns.given_up:
                made = typed(columns.column, uses, options)
                origin = columns.origin
                return relation_of_columns(name, made, uses, columns.n_rows, origin, most_cells)
            with_texts |= columns.given_up


@contextmanager
def _opened(
    path_or_file: chunks.File, form: str, options: TableOptions
) -> Iterator[tuple[Callable[[], _Table], str]]:
    """Open a file, or those of a folder, so that a function reads it from the beginning."""
    text_form = TextForm(
        options.encoding, form == "tsv", options.decimal, options.header, options.chunk_size
    )
    if isinstance(path_or_file, str | os.PathLike) and is_folder(path_or_file):
        paths = files_of(os.fspath(path_or_file))
        yield lambda: _CsvFiles(paths, text_form), os.fspath(path_or_file)
        return
    with chunks.opened(path_or_file) as (opened, source), rereadable(opened) as file:
        start = file.tell()

        def begin() -> _Table:
            file.seek(start)
            if form == "xlsx":
                from widc_arff.tables.excel_files import ExcelFile  # noqa: PLC0415 - few need it

                return ExcelFile(file, source, has_header=options.header)
            return CsvFile(file, source, text_form)

        yield begin, source


class _Table(Protocol):
    """An open file of rows of texts: `CsvFile`, `ExcelFile`."""

    @property
    def source(self) -> str: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def row_names(self) -> set[str]: ...
    def batches(self) -> Iterator[TextBatch | GridBatch]: ...


class _CsvFiles:
    """CSV files with the same columns, one after the other."""

    def __init__(self, paths: Sequence[str], form: TextForm) -> None:
        self._paths, self._form = paths, form
        with chunks.opened(paths[0]) as (file, self.source):
            table = CsvFile(file, self.source, form)
        self.names, self.row_names = table.names, table.row_names

    def batches(self) -> Iterator[TextBatch | GridBatch]:
        """Yield the rows, some at a time; `source` is the file that they come from."""
        for path in self._paths:
            with chunks.opened(path) as (file, self.source):
                table = CsvFile(file, self.source, self._form)
                if table.names != self.names:
                    raise TableError(f"expected the columns of {self._paths[0]}", self.source, 1)
                yield from table.batches()


class _Columns:
    """The columns of a file that are in use, gathered in one reading.

    Attributes
    ----------
    origin : Origin
        Where its rows stand.
    n_rows : int
        Number of rows.
    given_up : set of str
        Names of the columns whose texts are needed after all.
    """

    def __init__(
        self,
        table: _Table,
        uses: dict[str, Use],
        options: TableOptions,
        source: str,
        with_texts: Collection[str],
        in_memory: int,
    ) -> None:
        places = _Places()
        self.origin = Origin(source, places)
        store = ColumnFile(in_memory)
        style = NumberStyle(options.decimal, options.thousands)
        self._builders: dict[str, ColumnBuilder] = {}
        for name, use in uses.items():
            if use is Use.UNUSED:
                continue
            is_wide = use in (Use.INFERRED, Use.WEIGHTS)
            formats: Sequence[str] | None = options.dates
            if use is Use.DECLARED and options.declared is not None:
                is_wide, formats = options.declared[name].type == "numeric", None
            keeps_texts = not is_wide or name in with_texts
            self._builders[name] = ColumnBuilder(
                name, store, style, formats, None if keeps_texts else options.most_texts
            )
        place = {name: i for i, name in enumerate(table.names)}
        self.n_rows = 0
        builders = list(self._builders.values())
        for batch in table.batches():
            for builder in builders:
                builder.add(batch, place[builder.name])
            places.extend(table.source, batch.lines)
            self.n_rows += len(batch.lines)
        self.given_up = {builder.name for builder in builders if builder.is_given_up}

    def column(self, name: str) -> Any:  # noqa: ANN401 - a wide one has fewer uses
        """Return a column, once."""
        return self._builders.pop(name).column(self.origin)


class ColumnBuilder:
    """Gathers the texts of one column.

    Parameters
    ----------
    name : str
        Its name.
    file : ColumnFile
        Where codes and numbers go.
    style : NumberStyle
        How its numbers are written.
    formats : sequence of str, or None
        Formats of dates that the user names; None: the column holds no dates.
    most_texts : int or None
        Distinct texts up to which all are held, whatever they are; None: all are needed.
    """

    __slots__ = (
        "_code_of",
        "_codes_at",
        "_dates",
        "_file",
        "_finer",
        "_formats",
        "_losses",
        "_most_texts",
        "_n_rows",
        "_style",
        "_values_at",
        "is_given_up",
        "name",
    )

    def __init__(
        self,
        name: str,
        file: ColumnFile,
        style: NumberStyle,
        formats: Sequence[str] | None = (),
        most_texts: int | None = None,
    ) -> None:
        self.name, self._file, self._style, self._formats = name, file, style, formats
        self._most_texts = most_texts
        self._code_of: dict[str, int] | None = None
        self._codes_at: int | None = None
        self._values_at: int | None = None
        self._dates: DateStyle | None = None
        self._losses: dict[str, tuple[int, str]] | None = None  # of a million columns few have any
        self._finer: tuple[str, int] | None = None
        self._n_rows = 0
        self.is_given_up = False
        """Whether a text came that is no number, or no date, where all had been ones."""

    def add(self, batch: TextBatch | GridBatch, index: int) -> None:
        """Add the texts of a column of some rows; blanks around a text are no part of it."""
        if self.is_given_up:
            return
        if self._values_at is not None:
            values = self._values_of(batch, index)
            if values is None:
                self.is_given_up = True
                return
            self._values_at = self._written(self._values_at, values)
        else:
            known = self._code_of = {} if self._code_of is None else self._code_of
            self._codes_at = self._written(self._codes_at, self._codes_of(batch, index, known))
            if self._most_texts is not None and len(known) > self._most_texts:
                self._choose_kind()
        self._n_rows += len(batch.lines)

    def _codes_of(
        self, batch: TextBatch | GridBatch, index: int, known: dict[str, int]
    ) -> NDArray[np.int32]:
        if isinstance(batch, TextBatch):
            return _codes(batch.texts(index), known)
        keys, are_short = batch.keys(index)
        distinct, first, places = np.unique(keys[are_short], return_index=True, return_inverse=True)
        if 2 * len(distinct) > len(keys):
            return _codes(batch.texts(index), known)
        codes = np.empty(len(keys), np.int32)
        short, long = np.flatnonzero(are_short), np.flatnonzero(~are_short)
        # texts get their codes in the order in which they occur
        firsts = np.concatenate([short[first], long])
        order = np.argsort(firsts)
        of_firsts = np.empty(len(firsts), np.int32)
        of_firsts[order] = _codes(batch.some_texts(index, firsts[order]), known)
        codes[short] = of_firsts[: len(first)][places]
        codes[long] = of_firsts[len(first) :]
        return codes

    def _choose_kind(self) -> None:
        """Go over to numbers or dates if all texts are that; else stay with texts for good."""
        texts = list(self._code_of or ())
        words = [text for text in texts if text not in MISSING_WORDS]
        self._most_texts = None
        if not all(map(self._style.plain, words)):
            styles = [] if self._formats is None else dates_of(words, self._formats)
            if len(styles) != 1:
                return
            self._dates = styles[0]
        assert self._codes_at is not None
        codes = self._file.column(self._codes_at)
        first_rows = np.unique(codes, return_index=True)[1].tolist()
        by_text = [self._value_of(t, row) for t, row in zip(texts, first_rows, strict=True)]
        self._values_at = self._written(None, np.array(by_text, np.float64)[codes])
        self._code_of = None

    def _written(self, place: int | None, values: NDArray[Any]) -> int:
        place = self._file.n_columns if place is None else place
        self._file.write(place, values)
        return place

    def _values_of(self, batch: TextBatch | GridBatch, index: int) -> Floats | None:
        """Return numbers or moments, NaN for missing; None if one text is something else."""
        if isinstance(batch, TextBatch) or self._dates or self._style != PLAIN_NUMBERS:
            texts = enumerate(batch.texts(index))
            values = [self._value_of(text.strip(), self._n_rows + i) for i, text in texts]
            return None if None in values else np.array(values, np.float64)
        numbers, are_plain = batch.numbers(index)
        odd = np.flatnonzero(~are_plain)
        for row, text in zip(odd.tolist(), batch.some_texts(index, odd), strict=True):
            value = self._value_of(text.strip(), self._n_rows + row)
            if value is None:
                return None
            numbers[row] = value
        return numbers

    def _value_of(self, text: str, row: int) -> float | None:
        """Return the number or the moment of a text, and note what it loses; None if it is none."""
        if text in MISSING_WORDS:
            return np.nan
        if self._dates is None:
            plain = self._style.plain(text)
            if plain is not None and (loss := loss_of(plain)):
                self._losses = {} if self._losses is None else self._losses
                self._losses.setdefault(text, (row, loss))
            return None if plain is None else float(plain)
        try:
            moment = self._dates.moment(text)
        except ValueError:
            return None
        if self._finer is None and is_finer(ISO_DATE.fullmatch(text)):
            self._finer = text, row
        return moment

    def column(self, origin: Origin) -> Cells | WideColumn:
        """Return the column; nothing can be added afterwards."""
        if self._values_at is not None:
            values = self._file.column(self._values_at)
            return WideColumn(
                self.name, values, self._dates, self._losses or {}, self._finer, origin
            )
        texts, self._code_of = list(self._code_of or ()), None
        codes = np.empty(0, np.int32)
        if self._codes_at is not None:
            codes = self._file.column(self._codes_at)
        return Cells(
            self.name, texts, codes, MISSING_WORDS, origin, self._style, self._formats or ()
        )


def _codes(texts: Sequence[str], known: dict[str, int]) -> NDArray[np.int32]:
    """Return the code of each text; new ones become known."""
    stripped = list(map(str.strip, texts))
    new = dict.fromkeys(text for text in stripped if text not in known)
    known.update(zip(new, count(len(known)), strict=False))
    return np.fromiter(map(known.__getitem__, stripped), np.int32, len(stripped))


@dataclass(frozen=True, slots=True, eq=False)
class WideColumn:
    """A column of many different numbers, or of many dates, without their texts.

    Parameters
    ----------
    name : str
        Its name.
    values : ndarray of float64 of shape (n_rows,)
        Numbers, or milliseconds.
    dates : DateStyle or None
        How the dates were written; None: they are numbers.
    losses : dict of str to (int, str)
        Texts of numbers that doubles do not hold, with their first rows and what is lost.
    finer : tuple of str and int, or None
        The first text that is finer than milliseconds, and its row.
    origin : Origin
        Where the column comes from.
    """

    name: str
    values: Floats
    dates: DateStyle | None
    losses: dict[str, tuple[int, str]]
    finer: tuple[str, int] | None
    origin: Origin

    def inferred(self) -> Column:
        """Return a numeric or date column, and say what it does not hold as it is written."""
        if self.dates is not None:
            return date_column(self.name, self.values, self.dates, self.finer, self.origin)
        return numeric_column(self.name, self.values, self.losses, self.origin)

    def as_declared(self, wanted: Attribute) -> Column:
        """Return the column of numbers in the type of an attribute, which is numeric."""
        return Attribute(self.name, wanted.type), self.values


class _Places:
    """The file and the line of each row, held where they do not follow from the row before."""

    def __init__(self) -> None:
        self._rows: list[int] = []
        self._places: list[tuple[str, int]] = []
        self._n_rows = 0

    def extend(self, source: str, lines: Sequence[int]) -> None:
        """Add the lines of the next rows, all of one file."""
        first, n = self._n_rows, len(lines)
        if lines[-1] - lines[0] == n - 1:
            self._add(first, source, lines[0])
        else:
            for i, line in enumerate(lines):
                self._add(first + i, source, line)
        self._n_rows += n

    def _add(self, row: int, source: str, line: int) -> None:
        if not self._rows or (source, line) != self[row]:
            self._rows.append(row)
            self._places.append((source, line))

    def __getitem__(self, row: int) -> tuple[str, int]:
        place = bisect_right(self._rows, row) - 1
        source, line = self._places[place]
        return source, line + row - self._rows[place]
