"""Counting in a table of truths: the way for few rows, where numpy's calls cost more than sums."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.counting.covered import roots
from widc_arff.induction.counting.incremental import IncrementalCounter

if TYPE_CHECKING:
    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.induction.sample.coding import Catalogue, Chain


class TableCounter(IncrementalCounter):
    """Counts what each literal covers; a `Counter`.

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
        order = np.argsort(blocks, kind="stable")
        super().__init__(blocks[order], two_classes=two_classes)
        self.catalogue, self.example_weight = catalogue, example_weight
        of_labels, of_rows = weights
        self.total_weight = float(of_rows.sum())
        self._table = table[order]
        counted = of_labels[two_classes:]
        sides = np.array([counted, of_rows - counted]).transpose(2, 0, 1)[order]
        # of each row with and without each label, by literal, and at the end with none
        self._weighted = np.empty((*sides.shape, table.shape[1] + 1))
        self._weighted[..., -1] = sides
        np.multiply(self._table[:, None, None], sides[..., None], out=self._weighted[..., :-1])
        rows = np.arange(len(table))
        self.open(rows, np.add.reduceat(self._weighted, self.starts(rows)))

    def count(self, rows: Integers, starts: Integers) -> Floats:
        """Return the weight of some rows under each literal, and of all."""
        return np.add.reduceat(self._weighted[rows], starts)

    def terms_of(self, counts: Floats, sides: Floats) -> Floats:
        """Return the roots with each literal, shape (n_blocks, n_counted, n_literals + 1)."""
        return roots(counts[:, 0], counts[:, 1], sides[:, 0, :, None], sides[:, 1, :, None])

    def holds(self, literal: int, rows: Integers) -> Bools:
        """Return which of some rows satisfy a literal."""
        return np.asarray(self._table[rows, literal] > 0)

    def sums(self, chain: Chain) -> Floats:
        """Return the sum of roots after each literal is added to a chain, shape (n_literals,)."""
        return np.asarray(self.cover(chain).terms.sum(axis=(0, 1))[:-1])
