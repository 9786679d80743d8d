"""Counting in histograms: the weight at each code of each attribute, in each column.

The way for large blocks: the histogram has few cells beside the rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.counting.covered import roots
from widc_arff.induction.counting.slices import attribute_spans, row_spans, spans

if TYPE_CHECKING:
    from widc_arff.arrays import Codes, Floats, Integers
    from widc_arff.induction.counting.covered import Covered
    from widc_arff.induction.sample.coding import CodeGroup


class GroupSums:
    """Sums of roots of the literals of a group, to be added to.

    Parameters
    ----------
    group : CodeGroup
        The group.
    negations : bool
        Whether the negations are counted, too.
    """

    def __init__(self, group: CodeGroup, *, negations: bool = True) -> None:
        self.plain = np.zeros(len(group.cells))
        """Of each plain literal, shape (n_cells,)."""
        self.negated = np.zeros(len(group.cells)) if negations and len(group.paired) else None
        """Of what remains of the rows, those of missing value left out."""


def add_dense(
    group: CodeGroup, codes: Codes, covered: Covered, n_blocks: int, sums: GroupSums
) -> None:
    """Add the terms of the first touched blocks, for each literal of a group."""
    add = _add_two_classes if covered.two_classes else _add_labels
    cells = covered.n_columns[:n_blocks] * (group.n_codes * (2 if covered.two_classes else 1))
    for blocks in spans(cells):
        add(group, codes, covered, blocks, sums)


def _add_two_classes(
    group: CodeGroup, codes: Codes, covered: Covered, blocks: slice, sums: GroupSums
) -> None:
    rows = covered.row_span(blocks)
    n_blocks, n_codes = blocks.stop - blocks.start, group.n_codes
    key = covered.y[rows] * (n_codes * n_blocks) + (covered.local[rows] - blocks.start)
    weights = covered.row_weights(rows)
    cells = 2 * n_codes * n_blocks
    for attributes in attribute_spans(len(codes), max(len(key), cells)):
        counts = histograms(codes[attributes, rows], n_blocks, key, cells, weights)
        counts = counts.reshape(-1, 2, n_codes, n_blocks)
        if group.numeric:
            accumulate(counts, axis=2)
        sides = counts[:, 1], counts[:, 0]
        add_splits(group, attributes, sides, covered.totals[:, blocks], sums)


def _add_labels(
    group: CodeGroup, codes: Codes, covered: Covered, blocks: slice, sums: GroupSums
) -> None:
    rows, columns = covered.row_span(blocks), covered.column_span(blocks)
    n_columns, n_blocks = columns.stop - columns.start, blocks.stop - blocks.start
    n_codes = group.n_codes
    row, column = covered.entries
    entries = rows if covered.one_label else slice(*np.searchsorted(row, (rows.start, rows.stop)))
    column_key = column[entries] - columns.start
    at = None if covered.one_label else row[entries] - rows.start
    block_key = covered.local[rows] - blocks.start
    weights = covered.row_weights(rows)
    of_entries = weights if weights is None or at is None else weights[at]
    column_block = covered.column_block[columns] - blocks.start
    column_starts = covered.column_starts[blocks] - columns.start
    cells = n_codes * n_columns
    for attributes in attribute_spans(len(codes), max(len(block_key), cells)):
        chunk = codes[attributes, rows]
        held = chunk if at is None else chunk.take(at, axis=1)
        counts = histograms(held, n_columns, column_key, cells, of_entries)
        counts = counts.reshape(-1, n_codes, n_columns)
        if at is None and cells < len(block_key):
            of_block = np.add.reduceat(counts, column_starts, axis=2)
        else:
            of_block = histograms(chunk, n_blocks, block_key, n_codes * n_blocks, weights)
            of_block = of_block.reshape(-1, n_codes, n_blocks)
        if group.numeric:
            accumulate(of_block, axis=1)
            accumulate(counts, axis=1)
        others = of_block.take(column_block, axis=2)
        others -= counts
        add_splits(group, attributes, (counts, others), covered.totals[:, columns], sums)


def add_splits(
    group: CodeGroup,
    attributes: slice,
    counts: tuple[Floats, Floats],
    totals: Floats,
    sums: GroupSums,
) -> None:
    """Add the roots of both sides of each split, from dense counts.

    Parameters
    ----------
    group : CodeGroup
        Tells what the codes are.
    attributes : slice
        Which of the group are counted.
    counts : pair of ndarray of shape (n_attributes, n_codes, n_columns)
        Weight with and without the label; for numeric codes at this code or below, but for the
        last code.
    totals : ndarray of shape (4, n_columns)
        With and without the label in the cover, then in the block.
    sums : GroupSums
        What to add to.
    """
    where = group.cells_of(attributes)
    cells = group.cells[where] - attributes.start * group.n_codes
    within, without = (_at_cells(group, side, cells) for side in counts)
    sums.plain[where] += roots(within, without, totals[2], totals[3]).sum(axis=-1).ravel()
    if sums.negated is None:
        return
    within, without = totals[0] - within, totals[1] - without
    if group.has_missing:
        within -= _missing(within, counts[0], cells)
        without -= _missing(without, counts[1], cells)
    sums.negated[where] += roots(within, without, totals[2], totals[3]).sum(axis=-1).ravel()


def _at_cells(group: CodeGroup, counts: Floats, cells: Integers) -> Floats:
    """Return the counts where there are literals: without copying if at every code but the last."""
    n_attributes, n_codes, n_columns = counts.shape
    if group.numeric and len(cells) == n_attributes * (n_codes - 1):
        return np.asarray(counts[:, :-1])
    return np.asarray(counts.reshape(-1, n_columns).take(cells, axis=0))


def _missing(like: Floats, counts: Floats, cells: Integers) -> Floats:
    """Return the counts of missing values, to be taken from counts at cells."""
    if like.ndim == counts.ndim:
        return np.asarray(counts[:, -1:])
    return np.asarray(counts[:, -1].take(cells // counts.shape[1], axis=0))


def histograms(
    codes: Codes,
    stride: int,
    key: Integers,
    cells: int,
    weights: Floats | None,
) -> Floats:
    """Return the weight per ``code * stride + key`` for each row of codes, shape (n, cells)."""
    n = len(codes)
    offsets = np.arange(n)[:, None] * cells
    total: Floats | None = None
    for part in row_spans(codes.shape[1], cells):
        keys = np.multiply(codes[:, part], stride, dtype=np.int64)
        keys += key[part]
        if n > 1:
            keys += offsets
        tiled = None if weights is None else np.tile(weights[part], n)
        counts = np.bincount(keys.ravel(), tiled, minlength=n * cells).astype(np.float64)
        total = counts if total is None else total + counts
    if total is None:
        total = np.zeros(n * cells)
    return total.reshape(n, cells)


def accumulate(counts: Floats, axis: int) -> None:
    """Sum over the codes from the lowest, in place; the last code, of no literal, stays."""
    moved = np.moveaxis(counts, axis, 0)[:-1]
    if counts.shape[-1] < 16:
        np.cumsum(moved, axis=0, out=moved)
        return
    for i in range(1, len(moved)):
        moved[i] += moved[i - 1]
