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
    """A temporary file with pieces of columns.

    It has no name where the system allows that, so that nothing is left behind however the process
    ends; else it goes with the object.

    Raises
    ------
    WidcError
        If there is no room for it.
    """

    def __init__(self) -> None:
        import tempfile  # noqa: PLC0415 - for large data only

        with _told():
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by the next line
        weakref.finalize(self, self._file.close)
        self._pieces: list[tuple[int, list[int]]] = []  # rows, and where each column begins
        self._types: list[np.dtype[Any]] = []

    @property
    def n_rows(self) -> int:
        """Number of rows so far."""
        return sum(n_rows for n_rows, _ in self._pieces)

    @property
    def n_columns(self) -> int:
        """Number of columns, as soon as there is a piece."""
        return len(self._types)

    def append(self, columns: Sequence[Column]) -> None:
        """Add rows, given in columns whose types are always the same.

        Raises
        ------
        WidcError
            If there is no room for them.
        """
        self._types = [column.dtype for column in columns]
        starts = []
        with _told():
            for column in columns:
                starts.append(self._file.tell())
                self._file.write(np.ascontiguousarray(column).data)
            self._file.flush()
        self._pieces.append((len(columns[0]) if columns else 0, starts))

    def column(self, index: int) -> Column:
        """Return all rows of a column."""
        column = np.empty(self.n_rows, self._types[index])
        first = 0
        for n_rows, starts in self._pieces:
            self._file.seek(starts[index])
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
    """

    def __init__(self, file: ColumnFile, rows: NDArray[Any] | None = None) -> None:
        self._file = file
        self._rows = rows

    def __len__(self) -> int:
        return self._file.n_columns

    @overload
    def __getitem__(self, index: int) -> Column: ...
    @overload
    def __getitem__(self, index: slice) -> list[Column]: ...
    def __getitem__(self, index: int | slice) -> Column | list[Column]:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        column = self._file.column(range(len(self))[index])
        return column if self._rows is None else column[self._rows]

    def take(self, rows: NDArray[Any]) -> StoredColumns:
        """Return some of the rows, given as indices or as a mask."""
        if self._rows is not None:
            rows = np.arange(self._file.n_rows)[self._rows][rows]
        return StoredColumns(self._file, rows)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        from tempfile import gettempdir  # noqa: PLC0415 - it is loaded

        raise WidcError(
            f"expected room for the columns in the folder of temporary files, {gettempdir()}, got: "
            f"{error.strerror or error}; the environment variable TMPDIR names another folder"
        ) from error
