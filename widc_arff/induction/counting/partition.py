"""The partition of the examples by the monomials that they satisfy, and its Z (section 5.1).

Two examples share a block when they satisfy the same monomials.  A block in which every label is
held by all or by none contributes nothing to Z for ever; its rows leave all further work.  What
remains is the *front*: impure blocks, the largest first, and their rows sorted by block.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.sample.coding import hold_all

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.induction.sample.coding import CodedSample


@dataclass(frozen=True, slots=True, eq=False)
class BlockRows:
    """Some examples, sorted by block.

    Parameters
    ----------
    codes : tuple of ndarray of shape (n_group, n_rows)
        Codes of each group of attributes.
    block : ndarray of int64 of shape (n_rows,)
        Block of each row, increasing; in a front the rows of each class of a block are together.
    labels : ndarray of shape (n_rows,) or (n_rows, n_labels)
        Class codes, or a label matrix.
    weights : ndarray of float64 of shape (n_rows,) or None
        None where all are 1.
    """

    codes: tuple[NDArray[np.generic], ...]
    block: Integers
    labels: NDArray[np.generic]
    weights: Floats | None

    def __len__(self) -> int:
        return len(self.block)

    def take(self, rows: Integers, block: Integers | None = None) -> BlockRows:
        """Return some of the rows, under new block numbers where `block` is given."""
        return BlockRows(
            tuple(codes.take(rows, axis=1) for codes in self.codes),
            self.block[rows] if block is None else block,
            self.labels[rows],
            None if self.weights is None else self.weights[rows],
        )


class Blocks:
    """The impure blocks of a partition.

    Parameters
    ----------
    label_weights : ndarray of shape (n_blocks, n_labels)
        W+ of eq. (1): weight of the examples with each label.
    totals : ndarray of shape (n_blocks,)
        Weight of the examples.
    two_classes : bool
        Whether each example has one of two classes: both contribute the same, so that the sum of
        roots counts one of them.
    """

    def __init__(self, label_weights: Floats, totals: Floats, *, two_classes: bool) -> None:
        self.label_weights, self.totals = label_weights, totals
        self.two_classes = two_classes
        if two_classes:
            terms = np.sqrt(label_weights[:, 0] * label_weights[:, 1])
        else:
            terms = np.sqrt(label_weights * (totals[:, None] - label_weights)).sum(axis=1)
        self.terms: Floats = terms
        """Contribution of each block to the sum of roots in eq. (1), shape (n_blocks,)."""
        self.sum_of_roots = float(terms.sum())
        """Their sum."""

    def z_per_root(self, total_weight: float) -> float:
        """Return the factor from a sum of roots to Z of eq. (1), weights over their total."""
        return (4 if self.two_classes else 2) / total_weight


class Front(Blocks):
    """The impure blocks of a partition, and their rows.

    Parameters
    ----------
    rows : BlockRows
        Their examples; blocks are numbered from 0 in this order.
    label_weights, totals, two_classes
        As of `Blocks`.
    """

    def __init__(
        self, rows: BlockRows, label_weights: Floats, totals: Floats, *, two_classes: bool
    ) -> None:
        super().__init__(label_weights, totals, two_classes=two_classes)
        self.rows = rows


def whole_sample(sample: CodedSample, blocks: Integers | None = None) -> BlockRows:
    """Return all rows of a sample in one block, or in the blocks of an initial partition."""
    codes = tuple(group.codes for group in sample.groups)
    one_block = np.zeros(sample.n_samples, np.int64)
    rows = BlockRows(codes, one_block, sample.labels, sample.weights)
    if blocks is None:
        return rows
    order = np.argsort(blocks, kind="stable")
    return rows.take(order, compact(blocks)[order])


def open_front(rows: BlockRows, n_labels: int) -> Front:
    """Return the impure blocks among the blocks of some rows."""
    n_blocks = int(rows.block.max(initial=-1)) + 1
    sizes = np.bincount(rows.block, minlength=n_blocks)
    weights, totals = block_weights(rows, n_blocks, n_labels)
    order = np.flatnonzero(impure(weights, totals))
    order = order[np.argsort(-sizes[order], kind="stable")]
    rank = np.full(n_blocks, len(order))
    rank[order] = np.arange(len(order))
    new_block = rank[rows.block]
    # radix sorts where 16 bits hold the numbers: by label, then by block
    by_label = np.arange(len(rows))
    if rows.labels.ndim == 1:
        by_label = np.argsort(rows.labels.astype(np.uint16), kind="stable")
    key = new_block.astype(np.uint16) if len(order) < 2**16 else new_block
    sorted_rows = by_label[np.argsort(key[by_label], kind="stable")[: sizes[order].sum()]]
    two_classes = rows.labels.ndim == 1 and n_labels == 2
    new_rows = rows.take(sorted_rows, new_block[sorted_rows])
    return Front(new_rows, weights[order], totals[order], two_classes=two_classes)


def impure(weights: Floats, totals: Floats) -> Bools:
    """Return which blocks are impure: some label belongs to a part of their examples only."""
    return np.asarray(((weights > 0) & (weights < totals[:, None])).any(axis=1))


def split(rows: BlockRows, covered: Bools) -> BlockRows:
    """Return the rows under the blocks of the refined partition."""
    return BlockRows(rows.codes, compact(2 * rows.block + covered), rows.labels, rows.weights)


def cover(sample: CodedSample, rows: BlockRows, monomial: tuple[int, ...]) -> Bools:
    """Return which rows satisfy a monomial, shape (n_rows,)."""
    return hold_all(sample, monomial, rows.codes, len(rows))


def expected_random_decrease(blocks: Blocks, example_weight: float) -> float:
    """Return by how much a random split of every block lowers the sum of roots, in examples (I6).

    A split that covers s of the n examples of a block draws the number of covered examples of a
    label from a hypergeometric distribution.  To second order its expected decrease of
    sqrt(W+ W-) is n / (8 (n - 1) sqrt(q (1 - q))) with q the share of the label, whatever s is.
    """
    n = np.maximum(blocks.totals * example_weight, 2.0)
    counted = blocks.label_weights[:, :1] if blocks.two_classes else blocks.label_weights
    shares = counted / blocks.totals[:, None]
    spread = np.sqrt(shares * (1 - shares))
    decrease = np.divide(1.0, 8 * spread, where=spread > 0, out=np.zeros_like(spread))
    return float((decrease * (n / (n - 1))[:, None]).sum())


def compact(blocks: Integers) -> Integers:
    """Return block numbers without gaps, in the same order."""
    if len(blocks) == 0:
        return blocks
    used = np.bincount(blocks) > 0
    numbers = np.cumsum(used) - 1
    return np.asarray(numbers[blocks], np.int64)


def block_weights(rows: BlockRows, n_blocks: int, n_labels: int) -> tuple[Floats, Floats]:
    """Return the weight of each label in each block, and of the whole block."""
    totals = np.bincount(rows.block, rows.weights, minlength=n_blocks).astype(np.float64)
    if rows.labels.ndim == 1:
        cells, weights = rows.block * n_labels, rows.weights
        cells += rows.labels.astype(np.int64, copy=False)
    else:
        row, label = np.nonzero(rows.labels)
        cells = rows.block[row] * n_labels + label
        weights = None if rows.weights is None else rows.weights[row]
    counts = np.bincount(cells, weights, minlength=n_blocks * n_labels)
    return counts.reshape(n_blocks, n_labels).astype(np.float64), totals
