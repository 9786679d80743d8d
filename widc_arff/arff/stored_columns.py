"""Columns in a temporary file, for data that memory should not hold: one at a time comes back."""

from __future__ import annotations

import json
import weakref
from collections.abc import Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from widc_arff.errors import WidcError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Column = NDArray[Any]
    Buffer = bytes | memoryview

_TEXTS_AT_A_TIME = 1 << 16


class ColumnFile:
    """A temporary file with columns of numbers, codes or texts, each written in pieces.

    It has no name where the system allows that, so that nothing is left behind however the process
    ends; else it goes with the object.

    Parameters
    ----------
    in_memory : int
        Bytes up to which memory takes the place of the file.

    Raises
    ------
    WidcError
        If there is no room for it.
    """

    def __init__(self, in_memory: int = 0) -> None:
        import tempfile  # noqa: PLC0415 - for large data only

        with _no_room():
            # of SpooledTemporaryFile zero means no limit
            self._file: Any = (
                tempfile.SpooledTemporaryFile(in_memory)  # noqa: SIM115 - closed by the next line
                if in_memory
                else tempfile.TemporaryFile()  # noqa: SIM115
            )
        weakref.finalize(self, self._file.close)
        self._end = 0
        self._pieces: list[tuple[_Piece, ...]] = []
        self._types: list[np.dtype[Any]] = []

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self._rows_of(0) if self._pieces else 0

    @property
    def n_columns(self) -> int:
        """Number of columns that have been written to."""
        return len(self._types)

    def append(self, columns: Sequence[Column]) -> None:
        """Add rows to all columns.

        Raises
        ------
        WidcError
            If there is no room for them.
        """
        for index, column in enumerate(columns):
            self.write(index, column)

    def write(self, index: int, values: Column) -> None:
        """Add rows to a column, whose type is always the same; a new one is the next.

        Raises
        ------
        WidcError
            If there is no room for them.
        """
        if index == len(self._types):
            self._types.append(values.dtype)
            self._pieces.append(())
        assert values.dtype == self._types[index]
        if values.dtype.hasobject:
            for start in range(0, max(1, len(values)), _TEXTS_AT_A_TIME):
                some = values[start : start + _TEXTS_AT_A_TIME]
                self._add(index, len(some), json.dumps(_distinct(some)).encode())
        else:
            self._add(index, len(values), np.ascontiguousarray(values).data)

    def _add(self, index: int, n_rows: int, content: Buffer) -> None:
        start = self._rows_of(index)
        n_bytes = memoryview(content).nbytes
        with _no_room():
            self._file.seek(self._end)
            self._file.write(content)
        self._pieces[index] += (_Piece(start, start + n_rows, self._end, n_bytes),)
        self._end += n_bytes

    def _rows_of(self, index: int) -> int:
        pieces = self._pieces[index]
        return pieces[-1].stop if pieces else 0

    def column(self, index: int, start: int = 0, stop: int | None = None) -> Column:
        """Return the rows of a column from `start` to before `stop`, by default all."""
        stop = self._rows_of(index) if stop is None else min(stop, self._rows_of(index))
        column = np.empty(max(0, stop - start), self._types[index])
        for piece in self._pieces[index]:
            first, last = max(start, piece.start), min(stop, piece.stop)
            if first >= last:
                continue
            rows = slice(first - piece.start, last - piece.start)
            part = column[first - start : last - start]
            if column.dtype.hasobject:
                self._file.seek(piece.place)
                texts = json.loads(self._file.read(piece.n_bytes))
                part[:] = texts[rows] if len(texts) == piece.stop - piece.start else texts
            else:
                self._file.seek(piece.place + rows.start * column.itemsize)
                self._file.readinto(part.data)
        return column


class _Piece(NamedTuple):
    """Some rows of a column, from `start` to before `stop`, and where they stand in the file."""

    start: int
    stop: int
    place: int
    n_bytes: int


def _distinct(texts: Column) -> list[str | None]:
    """Return the texts of some rows; a single one where all rows share it."""
    return list(texts[:1] if texts.strides == (0,) else texts)


class StoredColumns(Sequence["Column"]):
    """Columns of a file, or some of their rows; each comes from the file whenever it is used.

    Parameters
    ----------
    file : ColumnFile
        Holds the columns, complete.
    rows : ndarray or slice, optional
        Indices, a mask, or rows that follow one another; None: all rows.
    indices : sequence of int, optional
        Which columns these are; None: all.
    """

    def __init__(
        self,
        file: ColumnFile,
        rows: NDArray[Any] | slice | None = None,
        indices: Sequence[int] | None = None,
    ) -> None:
        self._file = file
        self._rows = slice(0, file.n_rows) if rows is None else rows
        self._indices = range(file.n_columns) if indices is None else indices

    def __len__(self) -> int:
        return len(self._indices)

    @overload
    def __getitem__(self, index: int) -> Column: ...
    @overload
    def __getitem__(self, index: slice) -> list[Column]: ...
    def __getitem__(self, index: int | slice) -> Column | list[Column]:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        rows = self._rows
        if isinstance(rows, slice):
            return self._file.column(self._indices[index], rows.start, rows.stop)
        column: Column = self._file.column(self._indices[index])[rows]
        return column

    def part(self, start: int, stop: int) -> Sequence[Column]:
        """Return the columns for the rows from `start` to before `stop`."""
        rows = self._rows
        if not isinstance(rows, slice):
            return [column[start:stop] for column in self]
        some = slice(rows.start + start, min(rows.start + stop, rows.stop))
        return StoredColumns(self._file, some, self._indices)

    def take(self, rows: NDArray[Any]) -> StoredColumns:
        """Return some of the rows, given as indices or as a mask."""
        of_all = np.arange(self._file.n_rows)[self._rows][rows]
        return StoredColumns(self._file, of_all, self._indices)

    def chosen(self, indices: Sequence[int]) -> StoredColumns:
        """Return some of the columns."""
        return StoredColumns(self._file, self._rows, [self._indices[i] for i in indices])


@contextmanager
def _no_room() -> Iterator[None]:
    """Raise what the system says of a full disk as a WidcError."""
    try:
        yield
    except OSError as error:
        from tempfile import gettempdir  # noqa: PLC0415 - it is loaded

        raise WidcError(
            f"expected room for the columns in the folder of temporary files, {gettempdir()}, got: "
            f"{error.strerror or error}; the environment variable TMPDIR names another folder"
        ) from error
