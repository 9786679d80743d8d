"""What a worker holds while monomials grow, and what is done with it.

Large blocks are *shared*: each part holds some of their rows, and histograms of the parts are
summed.  A block that has become small has moved, once and whole, to one part, its *owner*: there
it is counted as in memory, and only a sum per literal leaves.

All functions are pure: they return new parts and change none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.induction.counting.counter import MemoryCounter, Narrowing
from widc_arff.induction.counting.partition import (
    BlockRows,
    block_weights,
    cover,
    split,
    whole_sample,
)
from widc_arff.induction.counting.shared_blocks import count_blocks

if TYPE_CHECKING:
    from widc_arff.arrays import Floats, Integers
    from widc_arff.induction.counting.shared_blocks import Histogram
    from widc_arff.induction.examples import HeldExamples
    from widc_arff.induction.sample.coding import Chain, CodedSample

GONE, SHARED = -2, -1
"""Places of a block beside the numbers of its owners: pure, hence left out; and shared."""


class WorkerRows:
    """The rows of one worker.

    Parameters
    ----------
    shared : Narrowing
        BlockRows of shared blocks.
    own : MemoryCounter
        Blocks that are here as a whole.
    """

    def __init__(self, shared: Narrowing, own: MemoryCounter) -> None:
        self.shared = shared
        self.own = own

    @property
    def frame(self) -> CodedSample:
        """Groups and catalogue."""
        return self.shared.sample

    def __sizeof__(self) -> int:
        """Tell Dask what it would cost to move this."""
        rows = (self.shared.rows, self.own.blocks.rows)
        return sum(codes.nbytes for some in rows for codes in some.codes)


class PartSums(NamedTuple):
    """What leaves a part for one step: histograms of shared blocks, and sums of its own."""

    histograms: list[Histogram]
    sums: Floats


class OwnBlocks(NamedTuple):
    """How the blocks that a part owns stand."""

    n_blocks: int
    sum_of_roots: float
    random_decrease: float
    n_rows: int


class Weighed(NamedTuple):
    """Shared blocks after a monomial: 2 b + 1 holds the rows of b that satisfy it, 2 b the others.

    Parameters
    ----------
    label_weights : ndarray of float64 of shape (2 n_blocks, n_labels)
        Weight of each label.
    totals : ndarray of float64 of shape (2 n_blocks,)
        Weight of all rows.
    sizes : ndarray of int64 of shape (2 n_blocks,)
        Number of rows.
    """

    label_weights: Floats
    totals: Floats
    sizes: Integers


class Plan(NamedTuple):
    """Where the shared blocks after a monomial go, numbered as in `Weighed`.

    Parameters
    ----------
    place : ndarray of int64 of shape (2 n_blocks,)
        `GONE`, `SHARED`, or the number of the owner.
    number : ndarray of int64 of shape (2 n_blocks,)
        Their new numbers among shared blocks, or among those that move.
    """

    place: Integers
    number: Integers


def first_part(examples: HeldExamples, total_weight: float) -> WorkerRows:
    """Return the part of some examples before any monomial: all share one block."""
    sample = examples.coded
    frame = sample.take(np.zeros(sample.n_samples, np.bool_))
    none = whole_sample(frame)
    return WorkerRows(
        Narrowing(frame, whole_sample(sample)), MemoryCounter(frame, none, total_weight)
    )


def part_sums(part: WorkerRows, chain: Chain, n_shared: int) -> PartSums:
    """Count the rows that satisfy a chain."""
    shared = part.shared.satisfying(chain)
    counts = count_blocks(part.frame, shared, n_shared) if n_shared else []
    return PartSums(counts, part.own.sums(chain))


def state(part: WorkerRows) -> OwnBlocks:
    """Return how the blocks that a part owns stand."""
    own = part.own
    return OwnBlocks(own.n_blocks, own.sum_of_roots, own.random_decrease(), len(own.blocks.rows))


def weighed(part: WorkerRows, monomial: Chain, n_shared: int) -> Weighed:
    """Weigh the shared blocks as a monomial splits them."""
    rows = _split_shared(part, monomial)
    sizes = np.bincount(rows.block, minlength=2 * n_shared)
    return Weighed(*block_weights(rows, 2 * n_shared, part.frame.n_labels), sizes)


def leaving(part: WorkerRows, monomial: Chain, plan: Plan, owner: int) -> BlockRows:
    """Return the rows of shared blocks that move to an owner."""
    return _placed(_split_shared(part, monomial), plan, owner)


def next_part(part: WorkerRows, monomial: Chain, plan: Plan, *arriving: BlockRows) -> WorkerRows:
    """Return a part after a monomial.

    Parameters
    ----------
    part : WorkerRows
        As it was.
    monomial : tuple of int
        Splits the blocks.
    plan : Plan
        Where shared blocks go.
    *arriving : BlockRows
        BlockRows of blocks that become this part's own.
    """
    shared = _placed(_split_shared(part, monomial), plan, SHARED)
    own = part.own.blocks.rows
    own = split(own, cover(part.frame, own, monomial))
    return WorkerRows(
        Narrowing(part.frame, shared),
        MemoryCounter(part.frame, _joined([own, *arriving]), part.own.total_weight),
    )


def _split_shared(part: WorkerRows, monomial: Chain) -> BlockRows:
    """Return the shared rows under twice as many block numbers."""
    rows = part.shared.rows
    block = 2 * rows.block + cover(part.frame, rows, monomial)
    return BlockRows(rows.codes, block, rows.labels, rows.weights)


def _placed(rows: BlockRows, plan: Plan, place: int) -> BlockRows:
    """Return the rows whose blocks go to a place, under their new numbers."""
    here = np.flatnonzero(plan.place[rows.block] == place)
    return rows.take(here, plan.number[rows.block[here]])


def _joined(several: list[BlockRows]) -> BlockRows:
    """Return the first rows with their blocks, and the others with theirs numbered after them."""
    n_first = int(several[0].block.max(initial=-1)) + 1
    blocks = [several[0].block, *(rows.block + n_first for rows in several[1:])]
    weights = None
    if any(rows.weights is not None for rows in several):
        weights = np.concatenate(
            [np.ones(len(rows)) if rows.weights is None else rows.weights for rows in several]
        )
    return BlockRows(
        tuple(
            np.concatenate(codes, axis=1) for codes in zip(*(r.codes for r in several), strict=True)
        ),
        np.concatenate(blocks),
        np.concatenate([rows.labels for rows in several]),
        weights,
    )
