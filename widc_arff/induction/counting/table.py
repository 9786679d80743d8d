"""Counting in a table of truths: the way for few rows, where numpy's calls cost more than sums.

What each literal covers of each block is kept, of all rows and of the chains that grow.  A further
literal keeps some rows out, mostly few and of few blocks: these are counted and taken away, and
only the blocks that lose any are scored again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.counting.counter import MemoryCounter, OnePartition
from widc_arff.induction.counting.covered import roots
from widc_arff.induction.counting.partition import Blocks, compact, whole_sample

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff.arrays import Floats, Integers
    from widc_arff.induction.counting.counter import Counter
    from widc_arff.induction.sample.coding import Catalogue, Chain, CodedSample

TABLE_CELLS = 400_000
"""Rows times literals times labels that are counted, up to which a table takes the least time."""


class TableCounter(OnePartition):
    """Counts rows; a `Counter`.

    Parameters
    ----------
    table : ndarray of float64 of shape (n_rows, n_literals)
        1 where a row satisfies a literal.
    weights : tuple of ndarray of float64, of shapes (n_labels, n_rows) and (n_rows,)
        Weight of the examples with each label, and of all, in each row, in quanta.
    blocks : ndarray of int64 of shape (n_rows,)
        Initial partition, numbered without gaps.
    catalogue : Catalogue
        The literals.
    example_weight : float
        Weight of one quantum in examples.
    two_classes : bool
        Whether each example has one of two labels: then one of them is counted.
    """

    def __init__(
        self,
        table: Floats,
        weights: tuple[Floats, Floats],
        blocks: Integers,
        catalogue: Catalogue,
        example_weight: float,
        *,
        two_classes: bool,
    ) -> None:
        self.catalogue, self.example_weight = catalogue, example_weight
        of_labels, of_rows = weights
        self.total_weight = float(of_rows.sum())
        self._two_classes = two_classes
        order = np.argsort(blocks, kind="stable")
        self._table, self._block = table[order], blocks[order]
        counted = of_labels[two_classes:]
        sides = np.array([counted, of_rows - counted]).transpose(2, 0, 1)[order]
        # of each row with and without each label, by literal, and at the end with none
        self._weighted = np.empty((*sides.shape, table.shape[1] + 1))
        self._weighted[..., -1] = sides
        np.multiply(self._table[:, None, None], sides[..., None], out=self._weighted[..., :-1])
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
        is_open = np.any(np.all(counts[..., -1] > 0, axis=1), axis=1)
        block = self._block[rows]
        kept = is_open[block]
        self._rows, counts = rows[kept], counts[is_open]
        self._block[self._rows] = (np.cumsum(is_open) - 1)[block[kept]]
        self._sides = counts[..., -1]
        totals = self._sides[:, :, 0].sum(axis=1)
        weights = self._sides[:, :, 0] if self._two_classes else self._sides[:, 0]
        self.blocks = Blocks(weights, totals, two_classes=self._two_classes)
        self._whole = _Cover((), self._rows, counts, _terms(counts, self._sides))
        self._grown: dict[int, _Cover] = {}

    def sums(self, chain: Chain) -> Floats:
        """Return the sum of roots after each literal is added to a chain, shape (n_literals,)."""
        return np.asarray(self._cover(chain).terms.sum(axis=(0, 1))[:-1])

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
                cover.terms[touched] = _terms(counts, self._sides[touched])
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
    counts : ndarray of float64 of shape (n_blocks, 2, n_counted, n_literals + 1)
        Weight with and without each label, with each literal more and at the end with none.
    terms : ndarray of float64 of shape (n_blocks, n_counted, n_literals + 1)
        Roots of the block then.
    """

    chain: Chain
    rows: Integers
    counts: Floats
    terms: Floats

    def copy(self) -> _Cover:
        """Return the same, to be changed."""
        return _Cover(self.chain, self.rows, self.counts.copy(), self.terms.copy())


def _terms(counts: Floats, sides: Floats) -> Floats:
    """Return the roots of some blocks, given what is covered of their two sides."""
    return roots(counts[:, 0], counts[:, 1], sides[:, 0, :, None], sides[:, 1, :, None])


def counter_of(sample: CodedSample, blocks: Integers | None = None) -> Counter:
    """Return who counts examples in memory, in one block or in those of an initial partition."""
    n_literals = len(sample.catalogue)
    two_classes = sample.labels.ndim == 1 and sample.n_labels == 2
    n_counted = 1 if two_classes else sample.n_labels
    if not 0 < sample.n_samples * n_literals * n_counted <= TABLE_CELLS:
        return MemoryCounter(sample, whole_sample(sample, blocks), sample.total_weight)
    held: NDArray[np.generic] = sample.labels.T
    if sample.labels.ndim == 1:
        held = sample.labels == np.arange(sample.n_labels)[:, None]
    of_rows = np.ones(sample.n_samples) if sample.weights is None else sample.weights
    table = np.array([sample.satisfying(i) for i in range(n_literals)], np.float64).T
    return TableCounter(
        table,
        (held.astype(np.float64) * of_rows, of_rows),
        np.zeros(sample.n_samples, np.int64) if blocks is None else compact(blocks),
        sample.catalogue,
        sample.example_weight,
        two_classes=two_classes,
    )
