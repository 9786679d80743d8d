"""Columns in a temporary file, for data that memory should not hold: one at a time comes back."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from widc_arff.errors import WidcError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Column = NDArray[Any]


class ColumnFile:
    """A temporary file with columns, each written in one piece or in several.

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
        self._pieces: list[tuple[tuple[int, int], ...]] = []
        self._objects: dict[int, Column] = {}  # texts stay in memory
        self._types: list[np.dtype[Any]] = []

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        if 0 in self._objects:
            return len(self._objects[0])
        return sum(n_rows for _, n_rows in self._pieces[0]) if self._pieces else 0

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
        if values.dtype.hasobject:
            before = self._objects.get(index)
            self._objects[index] = values if before is None else np.concatenate([before, values])
            return
        with _no_room():
            self._file.seek(self._end)
            self._file.write(np.ascontiguousarray(values).data)
        self._pieces[index] += ((self._end, len(values)),)
        self._end += values.nbytes

    def column(self, index: int) -> Column:
        """Return all rows of a column."""
        if index in self._objects:
            return self._objects[index]
        pieces = self._pieces[index]
        column = np.empty(sum(n_rows for _, n_rows in pieces), self._types[index])
        first = 0
        for start, n_rows in pieces:
            self._file.seek(start)
            self._file.readinto(column[first : first + n_rows].data)
            first += n_rows
        return column


class StoredColumns(Sequence["Column"]):
    """Columns of a file, or some of their rows; each comes from the file whenever it is used.

    Parameters
    ----------
    file : ColumnFile
        Holds the columns, complete.
    rows : ndarray, optional
        Indices or a mask; None: all rows.
    indices : sequence of int, optional
        Which columns these are; None: all.
    """

    def __init__(
        self,
        file: ColumnFile,
        rows: NDArray[Any] | None = None,
        indices: Sequence[int] | None = None,
    ) -> None:
        self._file, self._rows = file, rows
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
        column = self._file.column(self._indices[index])
        return column if self._rows is None else column[self._rows]

    def part(self, start: int, stop: int) -> list[Column]:
        """Return the columns for the rows from `start` to before `stop`."""
        return [column[start:stop] for column in self]

    def take(self, rows: NDArray[Any]) -> StoredColumns:
        """Return some of the rows, given as indices or as a mask."""
        if self._rows is not None:
            rows = np.arange(self._file.n_rows)[self._rows][rows]
        return StoredColumns(self._file, rows, self._indices)

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
