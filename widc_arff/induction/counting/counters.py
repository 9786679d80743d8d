"""Who counts a sample that is in memory: whoever takes the least time; all find the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.counting.by_code import CodeCounter
from widc_arff.induction.counting.counter import MemoryCounter
from widc_arff.induction.counting.partition import compact, whole_sample
from widc_arff.induction.counting.table import TableCounter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff.arrays import Integers
    from widc_arff.induction.counting.counter import Counter
    from widc_arff.induction.sample.coding import CodedSample

TABLE_CELLS = 400_000
"""Rows times literals times labels that are counted, up to which a table takes the least time."""
CODES = 1_000_000
"""Rows times attributes up to which what a literal takes away is counted by code."""


def counter_of(sample: CodedSample, blocks: Integers | None = None) -> Counter:
    """Return who counts examples, in one block or in those of an initial partition."""
    if blocks is None:
        blocks = np.zeros(sample.n_samples, np.int64)
    blocks = compact(blocks)
    two_classes = sample.labels.ndim == 1 and sample.n_labels == 2
    n_counted = 1 if two_classes else sample.n_labels
    n_cells = sample.n_samples * len(sample.catalogue) * n_counted
    if 0 < n_cells <= TABLE_CELLS:
        return _table_counter(sample, blocks, two_classes=two_classes)
    n_codes = sample.n_samples * sum(len(group.codes) for group in sample.groups)
    if two_classes and 0 < n_codes <= CODES:
        return CodeCounter(sample, blocks)
    return MemoryCounter(sample, whole_sample(sample, blocks), sample.total_weight)


def _table_counter(sample: CodedSample, blocks: Integers, *, two_classes: bool) -> TableCounter:
    held: NDArray[np.generic] = sample.labels.T
    if sample.labels.ndim == 1:
        held = sample.labels == np.arange(sample.n_labels)[:, None]
    of_rows = np.ones(sample.n_samples) if sample.weights is None else sample.weights
    literals = range(len(sample.catalogue))
    table = np.array([sample.satisfying(i) for i in literals], np.float64).T
    return TableCounter(
        table,
        (held.astype(np.float64) * of_rows, of_rows),
        blocks,
        sample.catalogue,
        sample.example_weight,
        two_classes=two_classes,
    )
