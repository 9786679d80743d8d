"""Counting in a table of truths: the way for few rows, where numpy's calls cost more than sums.

Rows are distinct, with a weight of each of two classes.  What each literal covers of each block is
kept, of all rows and of the chains that grow.  A further literal keeps some rows out, mostly few
and of few blocks: these are counted and taken away, and only the blocks that lose any are scored
again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.counting.counter import OnePartition
from widc_arff.induction.counting.covered import roots
from widc_arff.induction.counting.partition import Blocks

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
        Initial partition, numbered without gaps.
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
        order = np.argsort(blocks, kind="stable")
        self._table, self._block = table[order], blocks[order]
        weights = class_weights[:, order].T
        # of each row by class and literal, and in the last place in all
        self._weighted = np.empty((len(table), 2, table.shape[1] + 1))
        self._weighted[:, :, -1] = weights
        np.multiply(self._table[:, None], weights[:, :, None], out=self._weighted[:, :, :-1])
        rows = np.arange(len(table))
        self._open(rows, np.add.reduceat(self._weighted, self._starts(rows)))

    def _starts(self, rows: Integers) -> Integers:
        """Return the first place of each block in some rows, one at least, sorted by block."""
        block = self._block[rows]
        is_first = np.ones(len(rows), np.bool_)
        np.not_equal(block[1:], block[:-1], out=is_first[1:])
        return is_first.nonzero()[0]

    def _open(self, rows: Integers, counts: Floats) -> None:
        """Keep the rows of impure blocks, given all in the order of their blocks."""
        is_open = np.asarray((counts[:, :, -1] > 0).all(axis=1))
        block = self._block[rows]
        kept = is_open[block]
        self._rows, counts = rows[kept], counts[is_open]
        self._block[self._rows] = (np.cumsum(is_open) - 1)[block[kept]]
        weights = counts[:, :, -1]
        self.blocks = Blocks(weights, weights.sum(axis=1), two_classes=True)
        self._whole = _Cover((), self._rows, counts, _terms(counts, weights))
        self._grown: dict[int, _Cover] = {}

    def sums(self, chain: Chain) -> Floats:
        """Return the sum of roots after each literal is added to a chain, shape (n_literals,)."""
        return np.asarray(self._cover(chain).terms.sum(axis=0)[:-1])

    def _cover(self, chain: Chain) -> _Cover:
        """Return what a chain covers, from the last one of the same first literal."""
        if not chain:
            return self._whole
        cover = self._grown.get(chain[0])
        if cover is None or cover.chain != chain[: len(cover.chain)]:
            cover = self._grown[chain[0]] = self._whole.copy()
        for literal in chain[len(cover.chain) :]:
            holds = self._table[cover.rows, literal] > 0
            out, cover.rows = cover.rows[~holds], cover.rows[holds]
            if len(out):
                starts = self._starts(out)
                touched = self._block[out[starts]]
                counts = cover.counts[touched]
                counts -= np.add.reduceat(self._weighted[out], starts)
                cover.counts[touched] = counts
                cover.terms[touched] = _terms(counts, self.blocks.label_weights[touched])
        cover.chain = chain
        return cover

    def refine(self, monomial: Chain) -> None:
        """Refine the partition by a monomial."""
        cover, whole = self._cover(monomial), self._whole.counts
        self._block[self._rows] *= 2
        self._block[cover.rows] += 1
        rows = self._rows[np.argsort(self._block[self._rows], kind="stable")]
        counts = np.stack([whole - cover.counts, cover.counts], axis=1)
        self._open(rows, counts.reshape(-1, *whole.shape[1:]))


@dataclass(slots=True, eq=False)
class _Cover:
    """What a chain covers of each block.

    Parameters
    ----------
    chain : tuple of int
        The literals.
    rows : ndarray of int64 of shape (n,)
        The rows, in the order of their blocks.
    counts : ndarray of float64 of shape (n_blocks, 2, n_literals + 1)
        Weight of each class with each literal more, and with none.
    terms : ndarray of float64 of shape (n_blocks, n_literals + 1)
        Roots of the block then.
    """

    chain: Chain
    rows: Integers
    counts: Floats
    terms: Floats

    def copy(self) -> _Cover:
        """Return the same, to be changed."""
        return _Cover(self.chain, self.rows, self.counts.copy(), self.terms.copy())


def _terms(counts: Floats, totals: Floats) -> Floats:
    """Return the roots of some blocks of which so much is covered, shape (n, n_literals + 1)."""
    return roots(counts[:, 0], counts[:, 1], totals[:, :1], totals[:, 1:])
