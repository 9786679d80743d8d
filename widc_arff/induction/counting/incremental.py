"""Counting what a literal takes away: the way for samples whose counts fit in memory.

What each literal covers of each block is kept, of all rows and of the chains that grow.  A further
literal keeps some rows out, mostly few and of few blocks: these are counted and taken away, and
only the blocks that lose any are scored again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.counting.counter import OnePartition
from widc_arff.induction.counting.partition import Blocks

if TYPE_CHECKING:
    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.induction.sample.coding import Chain


class IncrementalCounter(OnePartition):
    """A `Counter` of what columns hold, and literals leave, of each block.

    Who counts tells how: `count`, `terms_of` and `holds`, and begins with `open`.

    Parameters
    ----------
    blocks : ndarray of int64 of shape (n_rows,)
        Initial partition, numbered without gaps.
    two_classes : bool
        Whether each example has one of two labels: then one of them is counted.
    """

    def __init__(self, blocks: Integers, *, two_classes: bool) -> None:
        self._block, self._two_classes = blocks.copy(), two_classes

    def count(self, rows: Integers, starts: Integers) -> Floats:
        """Return the weight of some rows in each column.

        Parameters
        ----------
        rows : ndarray of int64
            Sorted by block.
        starts : ndarray of int64 of shape (n_blocks,)
            The first place of each block.

        Returns
        -------
        ndarray of float64 of shape (n_blocks, 2, n_counted, n_columns)
            With and without each label that is counted; the last column is of all rows.
        """
        raise NotImplementedError

    def terms_of(self, counts: Floats, sides: Floats) -> Floats:
        """Return the roots of some blocks, shape (n_blocks, ...), of what is covered of them.

        `sides` are the blocks themselves, with and without each label.
        """
        raise NotImplementedError

    def holds(self, literal: int, rows: Integers) -> Bools:
        """Return which of some rows satisfy a literal."""
        raise NotImplementedError

    def starts(self, rows: Integers) -> Integers:
        """Return the first place of each block in some rows, one at least, sorted by block."""
        block = self._block[rows]
        is_first = np.ones(len(rows), np.bool_)
        np.not_equal(block[1:], block[:-1], out=is_first[1:])
        return is_first.nonzero()[0]

    def open(self, rows: Integers, counts: Floats) -> None:
        """Keep the rows of impure blocks, given all in the order of their blocks."""
        can_change = np.any(np.all(counts[..., -1] > 0, axis=1), axis=1)
        block = self._block[rows]
        kept = can_change[block]
        rows, counts = rows[kept], counts[can_change]
        self._block[rows] = (np.cumsum(can_change) - 1)[block[kept]]
        self._sides = counts[..., -1]
        totals = self._sides[:, :, 0].sum(axis=1)
        weights = self._sides[:, :, 0] if self._two_classes else self._sides[:, 0]
        self.blocks = Blocks(weights, totals, two_classes=self._two_classes)
        self.whole = Cover((), rows, counts, self.terms_of(counts, self._sides))
        self._grown: dict[int, Cover] = {}

    def cover(self, chain: Chain) -> Cover:
        """Return what a chain covers, from the last one of the same first literal."""
        if not chain:
            return self.whole
        cover = self._grown.get(chain[0])
        if cover is None or cover.chain != chain[: len(cover.chain)]:
            cover = self._grown[chain[0]] = self.whole.copy()
        for literal in chain[len(cover.chain) :]:
            is_kept = self.holds(literal, cover.rows)
            out, cover.rows = cover.rows[~is_kept], cover.rows[is_kept]
            if len(out):
                starts = self.starts(out)
                touched = self._block[out[starts]]
                counts = cover.counts[touched]
                counts -= self.count(out, starts)
                cover.counts[touched] = counts
                cover.terms[touched] = self.terms_of(counts, self._sides[touched])
        cover.chain = chain
        return cover

    def refine(self, monomial: Chain) -> None:
        """Refine the partition by a monomial."""
        cover, whole = self.cover(monomial), self.whole
        self._block[whole.rows] *= 2
        self._block[cover.rows] += 1
        rows = whole.rows[np.argsort(self._block[whole.rows], kind="stable")]
        counts = np.stack([whole.counts - cover.counts, cover.counts], axis=1)
        self.open(rows, counts.reshape(-1, *whole.counts.shape[1:]))


@dataclass(slots=True, eq=False)
class Cover:
    """What a chain covers of each block.

    Parameters
    ----------
    chain : tuple of int
        The literals.
    rows : ndarray of int64 of shape (n,)
        The rows, in the order of their blocks.
    counts : ndarray of float64 of shape (n_blocks, 2, n_counted, n_columns)
        Their weight with and without each label, in each column.
    terms : ndarray of float64 of shape (n_blocks, ...)
        Roots of each block with a literal more.
    """

    chain: Chain
    rows: Integers
    counts: Floats
    terms: Floats

    def copy(self) -> Cover:
        """Return the same, to be changed."""
        return Cover(self.chain, self.rows, self.counts.copy(), self.terms.copy())
