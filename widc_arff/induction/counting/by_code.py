"""Counting by code what a literal takes away: the way for two classes and more rows.

A column is a code of an attribute: the rows up to it where codes are ordered, else those of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.counting.counter import MemoryCounter
from widc_arff.induction.counting.incremental import IncrementalCounter
from widc_arff.induction.counting.partition import whole_sample
from widc_arff.induction.sample.coding import holds

if TYPE_CHECKING:
    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.induction.sample.coding import Chain, CodedSample

MOST_CELLS = 1 << 20
CELLS = 1 << 14
"""Columns that are scored at once: they stay in the cache."""


class CodeCounter(IncrementalCounter):
    """Counts examples of two classes by their codes; a `Counter`.

    Parameters
    ----------
    sample : CodedSample
        The examples, with class codes.
    blocks : ndarray of int64 of shape (n_samples,)
        Initial partition, numbered without gaps.
    most_cells : int, optional
        Blocks times columns and classes that are kept at most, by default `MOST_CELLS`; of more all
        is counted anew.
    """

    def __init__(
        self, sample: CodedSample, blocks: Integers, most_cells: int | None = None
    ) -> None:
        super().__init__(blocks, two_classes=True)
        self._most_cells = MOST_CELLS if most_cells is None else most_cells
        self.catalogue, self.example_weight = sample.catalogue, sample.example_weight
        self.total_weight = sample.total_weight
        self._sample = sample
        self._in_memory: MemoryCounter | None = None
        self._place = np.empty(len(sample.catalogue), np.int64)
        groups = sorted(sample.groups, key=lambda group: not group.numeric)
        self._n_columns = 1 + sum(group.n_codes * len(group.codes) for group in groups)
        all_rows = self._n_columns - 1
        bins, known = [], []
        ordered, missing = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        end = self._end_of_ordered = 0
        for group in groups:
            starts = end + group.n_codes * np.arange(len(group.codes))
            last = starts + group.n_codes - 1
            bins.append(starts[:, None] + group.codes.astype(np.int64))
            self._place[group.plain] = end + group.cells
            end += group.n_codes * len(group.codes)
            if group.numeric:
                ordered.append(starts)
                self._end_of_ordered = end
            elif group.has_missing:
                missing.append(last)
            of_known = last - group.numeric if group.has_missing else np.full(len(last), all_rows)
            known.append(np.repeat(of_known, group.n_codes))
        for group in groups:
            plain = self._place[group.plain[group.paired]]
            self._place[group.complement] = self._n_columns + plain
        self._ordered, self._missing = np.concatenate(ordered), np.concatenate(missing)
        # where an attribute has missing values, the column of the rows that have known ones
        self._known: Integers | slice = slice(all_rows, None)
        if any(group.has_missing for group in groups):
            self._known = np.concatenate([*known, [all_rows]])
        bins.append(np.full((1, sample.n_samples), all_rows))
        without = self._n_columns * (sample.labels != 1)
        self._bins = np.concatenate(bins).T + without[:, None]
        rows = np.argsort(blocks, kind="stable")
        if 2 * self._n_columns * (int(blocks.max()) + 1) <= self._most_cells:
            self.open(rows, self.count(rows, self.starts(rows)))
        else:
            self._keep_nothing(rows)

    def count(self, rows: Integers, starts: Integers) -> Floats:
        """Return the weight of some rows of each code, and of all."""
        block = np.zeros(len(rows), np.int64)
        block[starts[1:]] = 1
        bins = self._bins[rows]
        bins += (2 * self._n_columns * np.cumsum(block))[:, None]
        weights = self._sample.weights
        if weights is not None:
            weights = np.repeat(weights[rows], bins.shape[1])
        counts = np.bincount(bins.ravel(), weights, 2 * len(starts) * self._n_columns)
        counts = counts.reshape(len(starts), 2, 1, self._n_columns)
        of_all = counts[..., -1:]
        counts[..., self._ordered[1:]] -= of_all  # sums begin anew with each attribute
        of_ordered = counts[..., : self._end_of_ordered]
        np.cumsum(of_ordered, axis=-1, out=of_ordered)
        if len(self._missing):  # there stand those of known value
            counts[..., self._missing] = of_all - counts[..., self._missing]
        return counts.astype(np.float64, copy=False)

    def terms_of(self, counts: Floats, sides: Floats) -> Floats:
        """Return the roots with each code and with what it leaves, (n_blocks, 2, n_columns)."""
        terms = np.empty((len(counts), 2, self._n_columns))
        step = max(1, CELLS // self._n_columns)
        for start in range(0, len(counts), step):
            part = slice(start, start + step)
            own, of_block = counts[part, :, 0], sides[part]
            for k, covered in enumerate((own, own[..., self._known] - own)):
                found = np.multiply(covered[:, 0], covered[:, 1], out=terms[part, k])
                np.sqrt(found, out=found)
                rest = of_block - covered
                product = np.multiply(rest[:, 0], rest[:, 1], out=rest[:, 0])
                found += np.sqrt(product, out=product)
        return terms

    def holds(self, literal: int, rows: Integers) -> Bools:
        """Return which of some rows satisfy a literal."""
        group, row = self.catalogue.places[int(self.catalogue.column[literal])]
        return holds(self._sample, literal, self._sample.groups[group].codes[row].take(rows))

    def sums(self, chain: Chain) -> Floats:
        """Return the sum of roots after each literal is added to a chain, shape (n_literals,)."""
        if self._in_memory is not None:
            return self._in_memory.sums(chain)
        return np.asarray(self.cover(chain).terms.sum(axis=0).ravel()[self._place])

    def refine(self, monomial: Chain) -> None:
        """Refine the partition by a monomial."""
        in_memory = self._in_memory
        if in_memory is None and 2 * self.whole.counts.size <= self._most_cells:
            super().refine(monomial)
            return
        in_memory = in_memory or self._keep_nothing(self.whole.rows)
        in_memory.refine(monomial)
        self.blocks = in_memory.blocks

    def _keep_nothing(self, rows: Integers) -> MemoryCounter:
        """Leave counting to one who counts all anew; return who."""
        sample = self._sample
        weights = np.ones(sample.n_samples) if sample.weights is None else sample.weights
        codes = [group.codes[:, rows] for group in sample.groups]
        some = sample.with_rows(codes, sample.labels[rows], weights[rows])
        in_blocks = whole_sample(some, self._block[rows])
        self._in_memory = MemoryCounter(some, in_blocks, self.total_weight)
        self.blocks = self._in_memory.blocks
        return self._in_memory
