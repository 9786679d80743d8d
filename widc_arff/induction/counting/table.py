"""Counting in a table of truths: the way for few rows, where numpy's calls cost more than sums.

Rows are distinct, with a weight of each of two classes.  The truth of each literal in each row is
multiplied by both weights once for a partition; a literal more of a monomial then costs one sum
over the blocks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.counting.counter import OnePartition
from widc_arff.induction.counting.covered import roots
from widc_arff.induction.counting.partition import Blocks, compact, impure

if TYPE_CHECKING:
    from widc_arff.arrays import Floats, Integers
    from widc_arff.induction.sample.coding import Catalogue, Chain


class TableCounter(OnePartition):
    """Counts distinct rows of two classes; a `Counter`.

    Parameters
    ----------
    table : ndarray of float64 of shape (n_rows, n_literals)
        1 where a row satisfies a literal.
    class_weights : ndarray of float64 of shape (2, n_rows)
        Weight of the examples of each class in each row, in quanta.
    blocks : ndarray of int64 of shape (n_rows,)
        Initial partition.
    catalogue : Catalogue
        The literals.
    example_weight : float
        Weight of one quantum in examples.
    """

    def __init__(
        self,
        table: Floats,
        class_weights: Floats,
        blocks: Integers,
        catalogue: Catalogue,
        example_weight: float,
    ) -> None:
        self.catalogue, self.example_weight = catalogue, example_weight
        self.total_weight = float(class_weights.sum())
        self._open(table, class_weights, blocks)

    def _open(self, table: Floats, class_weights: Floats, block: Integers) -> None:
        """Keep the rows of impure blocks, sorted by block."""
        weights = np.array([np.bincount(block, own) for own in class_weights]).T
        totals = weights.sum(axis=1)
        is_open = impure(weights, totals)
        rows = np.flatnonzero(is_open[block])
        rows = rows[np.argsort(block[rows], kind="stable")]
        self.blocks = Blocks(weights[is_open], totals[is_open], two_classes=True)
        self._block = compact(block[rows])
        self._table, self._class_weights = table[rows], class_weights[:, rows]
        self._weighted = self._table * self._class_weights[:, :, None]
        self._chain: Chain = ()
        self._satisfying = np.arange(len(rows))

    def sums(self, chain: Chain) -> Floats:
        """Return the sum of roots after each literal is added to a chain, shape (n_literals,)."""
        rows = self._narrowed(chain)
        if len(rows) == 0:
            return np.full(len(self.catalogue), self.sum_of_roots)
        block = self._block[rows]
        is_first = np.ones(len(rows), np.bool_)
        np.not_equal(block[1:], block[:-1], out=is_first[1:])
        starts = np.flatnonzero(is_first)
        touched = block[starts]
        within, without = np.add.reduceat(self._weighted[:, rows], starts, axis=1)
        of_block = self.blocks.label_weights[touched].T[:, :, None]
        rest = self.sum_of_roots - self.blocks.terms[touched].sum()
        return np.asarray(roots(within, without, *of_block).sum(axis=0) + rest)

    def _narrowed(self, chain: Chain) -> Integers:
        """Return the rows that satisfy a chain, from those of the last where it goes on."""
        if self._chain != chain[: len(self._chain)]:
            self._chain, self._satisfying = (), np.arange(len(self._block))
        for literal in chain[len(self._chain) :]:
            holds = self._table[self._satisfying, literal] > 0
            self._satisfying = self._satisfying[holds]
        self._chain = chain
        return self._satisfying

    def refine(self, monomial: Chain) -> None:
        """Refine the partition by a monomial."""
        covered = (self._table[:, list(monomial)] > 0).all(axis=1)
        self._open(self._table, self._class_weights, compact(2 * self._block + covered))
