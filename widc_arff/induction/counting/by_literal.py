"""Counting each literal by itself: the way for attributes of few codes and blocks of many rows.

A front holds its rows by block and, within a block, by class.  Where a literal is true, as bytes,
is summed over these segments: ten times as fast for each row as a histogram.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.counting.covered import roots
from widc_arff.induction.counting.slices import literal_spans

if TYPE_CHECKING:
    from widc_arff.arrays import Bools, Codes, Floats, Integers
    from widc_arff.induction.counting.covered import Covered
    from widc_arff.induction.counting.dense import GroupSums
    from widc_arff.induction.sample.coding import CodeGroup


def add_by_literal(group: CodeGroup, codes: Codes, covered: Covered, sums: GroupSums) -> None:
    """Add the terms of all touched blocks, for each literal of a group."""
    attribute, code = np.divmod(group.cells, group.n_codes)
    code = code.astype(codes.dtype)[:, None]
    is_true = np.less_equal if group.numeric else np.equal
    n_columns = len(covered.column_block)
    row_bytes = covered.n_rows * (1 if covered.weights is None else 8)
    totals = covered.totals
    for part in literal_spans(len(code), max(row_bytes, 8 * n_columns)):
        within, without = _counts(is_true(codes[attribute[part]], code[part]), covered)
        sums.plain[part] += roots(within, without, totals[2], totals[3]).sum(axis=1)
        if sums.negated is None:
            continue
        known = totals[0], totals[1]
        if group.has_missing:
            own, which = np.unique(attribute[part], return_inverse=True)
            counted = _counts(codes[own] != group.n_codes - 1, covered)
            known = counted[0][which], counted[1][which]
        rest = roots(known[0] - within, known[1] - without, totals[2], totals[3])
        sums.negated[part] += rest.sum(axis=1)


def _counts(true: Bools, covered: Covered) -> tuple[Floats, Floats]:
    """Return the weights with and without the label where something is true.

    Each of shape (n, n_columns), given truth of shape (n, n_rows).
    """
    within = np.zeros((len(true), len(covered.column_block)))
    segments = covered.segments
    if covered.one_label:
        of_segment = _sums(true, covered.weights, segments.starts)
        within[:, segments.column] = of_segment[:, segments.counted]
        of_block = np.add.reduceat(of_segment, segments.of_block, axis=1)
    else:
        row = segments.row
        weights = None if covered.weights is None else covered.weights[row]
        within[:, segments.column] = _sums(true.take(row, axis=1), weights, segments.starts)
        of_block = _sums(true, covered.weights, covered.starts)
    without = of_block.take(covered.column_block, axis=1) - within
    return within, without


def _sums(true: Bools, weights: Floats | None, starts: Integers) -> Floats:
    """Return sums of weights where something is true, over the rows from each start to the next."""
    if true.shape[1] == 0:
        return np.zeros((len(true), 0))
    if weights is None:
        return np.add.reduceat(true.view(np.uint8), starts, axis=1, dtype=np.int32).astype(float)
    return np.add.reduceat(true * weights, starts, axis=1)
