"""What is counted: the rows that satisfy a monomial, and a column for each label that splits them.

The sum of roots of eq. (1) has a term for each block and label.  A *column* is such a pair where
some but not all of the block's rows hold the label; the others contribute nothing.  Of two classes
one is counted, since both contribute the same.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from widc_arff.arrays import Floats, Integers
    from widc_arff.induction.counting.partition import BlockRows, Front


class Covered:
    """The rows that satisfy a monomial, by block.

    Parameters
    ----------
    front : Front
        The partition before the monomial.
    rows : BlockRows
        Its rows that satisfy the monomial; at least one.
    """

    def __init__(self, front: Front, rows: BlockRows) -> None:
        new = np.empty(len(rows), np.bool_)
        new[0] = True
        np.not_equal(rows.block[1:], rows.block[:-1], out=new[1:])
        self.n_rows = len(rows)
        self.labels = rows.labels
        self.weights = rows.weights
        self.two_classes = front.two_classes
        self.one_label = rows.labels.ndim == 1
        """Whether each row holds one label."""
        self.starts = new.nonzero()[0]
        """First row of each touched block, shape (n_blocks,)."""
        self.sizes = np.diff(self.starts, append=len(rows))
        """Number of rows of each touched block."""
        self.touched = rows.block[self.starts]
        """Number in the front of each touched block."""
        self.local = np.cumsum(new) - 1
        """Number of each row's block among the touched ones, shape (n_rows,)."""
        if self.two_classes:
            self._count_two_classes(front)
        else:
            self._count_labels(front)

    def _count_two_classes(self, front: Front) -> None:
        self.y = self.labels.astype(np.int64, copy=False)
        block = front.label_weights[self.touched]
        n_blocks = len(block)
        self.n_columns = np.ones(n_blocks, np.int64)
        """Number of columns of each touched block; they are numbered block by block."""
        self.column_starts = self.column_block = np.arange(n_blocks)
        self.column_label = self.n_columns
        self.totals = np.empty((4, n_blocks))
        """Weight with and without the label in the cover, then in the block, of each column."""
        if self.weights is None:
            self.totals[0] = np.add.reduceat(self.y, self.starts)
            self.totals[1] = self.sizes - self.totals[0]
        else:
            self.totals[0] = np.add.reduceat(self.weights * self.y, self.starts)
            self.totals[1] = np.add.reduceat(self.weights, self.starts) - self.totals[0]
        self.totals[2], self.totals[3] = block[:, 1], block[:, 0]

    def _count_labels(self, front: Front) -> None:
        totals = front.totals[self.touched]
        block = front.label_weights[self.touched]
        is_column = (block > 0) & (block < totals[:, None])
        self._numbers = np.cumsum(is_column.ravel()).reshape(is_column.shape) - 1
        self._is_column = is_column
        self.column_block, self.column_label = np.nonzero(is_column)
        self.n_columns = is_column.sum(axis=1)
        self.column_starts = np.cumsum(self.n_columns) - self.n_columns
        row, column = self.entries
        if self.weights is None:
            of_row, of_block = None, self.sizes[self.column_block]
        else:
            of_row = self.weights if self.one_label else self.weights[row]
            of_block = np.add.reduceat(self.weights, self.starts)[self.column_block]
        held = np.bincount(column, of_row, minlength=len(self.column_block))
        of_label = block[self.column_block, self.column_label]
        self.totals = np.stack(
            [held, of_block - held, of_label, totals[self.column_block] - of_label]
        )

    @cached_property
    def entries(self) -> tuple[Integers, Integers]:
        """The labels that rows hold, row by row: the row and the column of each."""
        if self.two_classes:
            row = np.flatnonzero(self.y)
            return row, self.local[row]
        if self.one_label:
            return np.arange(self.n_rows), self._numbers[self.local, self.labels.astype(np.int64)]
        row, label = np.nonzero(self.labels)
        inside = self._is_column[self.local[row], label]
        row = row[inside]
        return row, self._numbers[self.local[row], label[inside]]

    def row_span(self, blocks: slice) -> slice:
        """Return the rows of some touched blocks."""
        last = blocks.stop - 1
        return slice(int(self.starts[blocks.start]), int(self.starts[last] + self.sizes[last]))

    def column_span(self, blocks: slice) -> slice:
        """Return the columns of some touched blocks."""
        last = blocks.stop - 1
        return slice(
            int(self.column_starts[blocks.start]),
            int(self.column_starts[last] + self.n_columns[last]),
        )

    def row_weights(self, rows: slice) -> Floats | None:
        """Return the weights of some rows, None where all are 1."""
        return None if self.weights is None else self.weights[rows]

    @cached_property
    def roots_of_none(self) -> Floats:
        """Terms of the columns after a literal that none of the rows satisfies."""
        return np.asarray(np.sqrt(self.totals[2] * self.totals[3]))

    @cached_property
    def roots_of_all(self) -> Floats:
        """Terms of the columns after a literal that all of the rows satisfy."""
        return roots(*self.totals)


def roots(within: Floats, without: Floats, block_within: Floats, block_without: Floats) -> Floats:
    """Return sqrt(W+ W-) of the covered part of blocks plus that of the rest.

    Parameters
    ----------
    within, without : ndarray of shape (..., n_columns)
        Weight with and without the label that a literal covers.
    block_within, block_without : ndarray of shape (n_columns,)
        The same of the block.
    """
    found = within * without
    np.sqrt(found, out=found)
    rest = block_within - within
    rest *= block_without - without
    np.sqrt(rest, out=rest)
    found += rest
    return np.asarray(found)
