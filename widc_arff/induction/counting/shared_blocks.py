"""Blocks whose rows are spread over several counters: histograms that add up, and their score.

A histogram holds the weight of each label at each code of an attribute in each block.  Sums of
whole weights are exact, so that it does not matter which rows were counted where.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.counting.dense import GroupSums, accumulate, add_splits, histograms
from widc_arff.induction.counting.slices import attribute_spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Floats
    from widc_arff.induction.counting.partition import BlockRows, Blocks
    from widc_arff.induction.sample.coding import CodedSample, CodeGroup

    Histogram = Floats


def count_blocks(sample: CodedSample, rows: BlockRows, n_blocks: int) -> list[Histogram]:
    """Return the histograms of some rows, in any order.

    Parameters
    ----------
    sample : CodedSample
        Groups of attributes; its own rows play no part.
    rows : BlockRows
        The examples, with one class each.
    n_blocks : int
        Number of blocks.

    Returns
    -------
    list of ndarray of shape (n_group, n_labels, n_codes, n_blocks)
        One for each group.
    """
    found = []
    for group, codes in zip(sample.groups, rows.codes, strict=True):
        cells = sample.n_labels * group.n_codes * n_blocks
        key = rows.labels.astype(np.int64) * (group.n_codes * n_blocks) + rows.block
        counts = np.empty((len(codes), cells))
        for span in attribute_spans(len(codes), max(len(rows), cells)):
            counts[span] = histograms(codes[span], n_blocks, key, cells, rows.weights)
        found.append(counts.reshape(len(codes), sample.n_labels, group.n_codes, n_blocks))
    return found


def shared_sums(sample: CodedSample, blocks: Blocks, counts: Sequence[Histogram]) -> Floats:
    """Return the sum of roots of the blocks after each literal is added to a monomial.

    Parameters
    ----------
    sample : CodedSample
        Groups of attributes and the catalogue.
    blocks : Blocks
        The blocks before the monomial.
    counts : sequence of ndarray
        As `count_blocks` returns them, of all rows that satisfy the monomial so far.

    Returns
    -------
    ndarray of float64 of shape (n_literals,)
    """
    sums = np.zeros(len(sample.catalogue))
    for group, of_group in zip(sample.groups, counts, strict=True):
        group_sums = GroupSums(group)
        _add_sums(group, blocks, of_group, group_sums)
        sums[group.plain] = group_sums.plain
        if group_sums.negated is not None:
            sums[group.complement] = group_sums.negated[group.paired]
    return sums


def _add_sums(
    group: CodeGroup,
    blocks: Blocks,
    counts: Histogram,
    sums: GroupSums,
) -> None:
    # Of two classes both would add the same.
    counted = counts[:, 1:] if blocks.two_classes else counts
    others = counts.sum(axis=1, keepdims=True) - counted
    cover, cover_others = counted[0].sum(axis=1), others[0].sum(axis=1)
    block = blocks.label_weights.T[1:] if blocks.two_classes else blocks.label_weights.T
    totals = np.stack([cover, cover_others, block, blocks.totals - block])
    sides = (_in_columns(counted), _in_columns(others))
    if group.numeric:
        for side in sides:
            accumulate(side, axis=1)
    add_splits(group, slice(0, len(sides[0])), sides, totals.reshape(4, -1), sums)


def _in_columns(counts: Histogram) -> Histogram:
    """Return counts with a column for each label of each block, (n_group, n_codes, n_columns)."""
    return counts.transpose(0, 2, 1, 3).reshape(len(counts), counts.shape[2], -1)
