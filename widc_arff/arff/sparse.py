"""Columns of sparse rows: the values that are stated are held, and a column is made when used.

A sparse row leaves out what is zero, or the first label.  Texts and relations cannot be left out:
their columns are held whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from widc_arff.arff.columns import column_dtype, joined, packed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff.arff.columns import Column
    from widc_arff.arff.relation import Attribute
    from widc_arff.arrays import Floats, Integers


@dataclass(frozen=True, slots=True, eq=False)
class Stated:
    """What some rows state, column by column.

    Parameters
    ----------
    columns, rows : ndarray of int64 of shape (n_stated,)
        Where the values belong; columns increase, and rows within a column.
    values : ndarray of float64 of shape (n_stated,)
        Numbers, and codes of labels.
    whole : dict of int to ndarray of shape (n_rows,)
        The columns of objects.
    n_rows : int
        Number of rows.
    """

    columns: Integers
    rows: Integers
    values: Floats
    whole: dict[int, Column]
    n_rows: int

    @classmethod
    def of(
        cls,
        attributes: Sequence[Attribute],
        values: Sequence[Any],
        rows: Sequence[Sequence[int]],
        n_rows: int,
    ) -> Stated:
        """Return what is stated by values and their rows, given for each attribute."""
        whole = {
            i: packed(attribute, values[i])
            for i, attribute in enumerate(attributes)
            if column_dtype(attribute).hasobject
        }
        numbers: list[Sequence[Any]] = [
            () if i in whole else column for i, column in enumerate(values)
        ]
        counts = list(map(len, numbers))
        n_stated = sum(counts)
        held_rows = (of for of, count in zip(rows, counts, strict=True) if count)
        return cls(
            np.repeat(np.arange(len(counts)), counts),
            np.fromiter(chain.from_iterable(held_rows), np.int64, n_stated),
            np.fromiter(chain.from_iterable(numbers), np.float64, n_stated),
            whole,
            n_rows,
        )

    @classmethod
    def of_dense(cls, attributes: Sequence[Attribute], columns: Sequence[Column]) -> Stated:
        """Return what columns state that have a value for each row."""
        n_rows = len(columns[0])
        every = range(n_rows)
        return cls.of(attributes, columns, [every] * len(columns), n_rows)

    @classmethod
    def joined(cls, attributes: Sequence[Attribute], parts: Sequence[Stated]) -> Stated:
        """Return what the rows of several parts state, one after the other."""
        if len(parts) == 1:
            return parts[0]
        starts = np.cumsum([0, *(part.n_rows for part in parts)]).tolist()
        columns = np.concatenate([part.columns for part in parts])
        order = np.argsort(columns, kind="stable")
        rows = [part.rows + start for part, start in zip(parts, starts, strict=False)]
        return cls(
            columns[order],
            np.concatenate(rows)[order],
            np.concatenate([part.values for part in parts])[order],
            {i: joined([part.whole[i] for part in parts], attributes[i]) for i in parts[0].whole},
            starts[-1],
        )


class SparseColumns(Sequence["Column"]):
    """The columns of a relation with sparse rows; each is made whenever it is used.

    Parameters
    ----------
    attributes : sequence of Attribute
        Of all columns.
    stated : Stated
        What the rows state.
    indices : sequence of int, optional
        Which columns these are; None: all.
    rows : ndarray of int64, optional
        Which rows; None: all.
    """

    def __init__(
        self,
        attributes: Sequence[Attribute],
        stated: Stated,
        indices: Sequence[int] | None = None,
        rows: Integers | None = None,
    ) -> None:
        self._attributes, self.stated, self._rows = attributes, stated, rows
        self._indices = range(len(attributes)) if indices is None else indices

    @classmethod
    def joined(
        cls, attributes: Sequence[Attribute], blocks: Sequence[list[Column] | SparseColumns]
    ) -> SparseColumns:
        """Return the columns of the rows of several blocks, all of them read, dense or sparse."""
        stated = [
            block.stated if isinstance(block, SparseColumns) else Stated.of_dense(attributes, block)
            for block in blocks
        ]
        return cls(attributes, Stated.joined(attributes, stated))

    def __len__(self) -> int:
        return len(self._indices)

    @overload
    def __getitem__(self, index: int) -> Column: ...
    @overload
    def __getitem__(self, index: slice) -> list[Column]: ...
    def __getitem__(self, index: int | slice) -> Column | list[Column]:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        column = self._made(self._indices[index], 0, self.stated.n_rows)
        return column if self._rows is None else column[self._rows]

    def part(self, start: int, stop: int) -> list[Column]:
        """Return the columns for the rows from `start` to before `stop`."""
        if self._rows is not None:
            return [column[start:stop] for column in self]
        stop = min(stop, self.stated.n_rows)
        return [self._made(index, start, stop) for index in self._indices]

    def take(self, rows: NDArray[Any]) -> SparseColumns:
        """Return some of the rows, given as indices or as a mask."""
        if rows.dtype == np.bool_:
            rows = np.flatnonzero(rows)
        rows = rows if self._rows is None else self._rows[rows]
        return SparseColumns(self._attributes, self.stated, self._indices, rows)

    def chosen(self, indices: Sequence[int]) -> SparseColumns:
        """Return some of the columns."""
        chosen = [self._indices[i] for i in indices]
        return SparseColumns(self._attributes, self.stated, chosen, self._rows)

    def _made(self, index: int, start: int, stop: int) -> Column:
        stated = self.stated
        if index in stated.whole:
            return stated.whole[index][start:stop]
        column = np.zeros(stop - start, column_dtype(self._attributes[index]))
        of_column = slice(*np.searchsorted(stated.columns, (index, index + 1)).tolist())
        first, last = np.searchsorted(stated.rows[of_column], (start, stop)).tolist()
        here = slice(of_column.start + first, of_column.start + last)
        column[stated.rows[here] - start] = stated.values[here]
        column.flags.writeable = False
        return column
