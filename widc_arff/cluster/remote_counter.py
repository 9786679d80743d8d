"""The counter of stage 1 that asks the workers."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.cluster.parts import (
    GONE,
    SHARED,
    OwnBlocks,
    Plan,
    Weighed,
    leaving,
    next_part,
    part_sums,
    state,
    weighed,
)
from widc_arff.induction.counting.partition import Blocks, expected_random_decrease, impure
from widc_arff.induction.counting.shared_blocks import shared_sums

if TYPE_CHECKING:
    from collections.abc import Callable

    from widc_arff.arrays import Floats, Integers
    from widc_arff.cluster.crew import Workers
    from widc_arff.induction.sample.coding import Catalogue, Chain, CodedSample

SHARES = 16
"""A block moves where it is smaller than a 16th of a worker's rows: owners can then be balanced."""


class ClusterCounter:
    """Counts rows that workers hold.

    Parameters
    ----------
    crew : Workers
        The workers.
    parts : list of handles
        Of a `WorkerRows` each.
    frame : CodedSample
        Groups and catalogue, without rows.
    label_weights : ndarray of float64 of shape (n_labels,)
        Weight of all examples of each class in quanta.
    n_samples : int
        Number of all examples.
    shares : int
        As in `induce_from_files`.
    """

    def __init__(
        self,
        crew: Workers,
        parts: list[Any],
        frame: CodedSample,
        label_weights: Floats,
        n_samples: int,
        shares: int = SHARES,
    ) -> None:
        self._crew = crew
        self._parts = parts
        self._frame = frame
        self._total_weight = float(label_weights.sum())
        self._most_rows = n_samples / (shares * len(parts))
        self._standing = [OwnBlocks(0, 0.0, 0.0, 0) for _ in parts]
        one_block = Weighed(
            label_weights[None], label_weights.sum(keepdims=True), np.array([n_samples])
        )
        self._share(one_block, np.flatnonzero(impure(one_block.label_weights, one_block.totals)))

    def _share(self, blocks: Weighed, kept: Integers) -> None:
        self._blocks = Blocks(
            blocks.label_weights[kept],
            blocks.totals[kept],
            two_classes=self._frame.n_labels == 2,
        )

    @property
    def catalogue(self) -> Catalogue:
        """All literals."""
        return self._frame.catalogue

    @property
    def example_weight(self) -> float:
        """Weight of one quantum in examples."""
        return self._frame.example_weight

    @property
    def z_per_root(self) -> float:
        """Factor from a sum of roots to Z."""
        return self._blocks.z_per_root(self._total_weight)

    @property
    def n_blocks(self) -> int:
        """Number of impure blocks."""
        return len(self._blocks.terms) + sum(own.n_blocks for own in self._standing)

    @property
    def sum_of_roots(self) -> float:
        """Sum of roots of the partition."""
        return self._blocks.sum_of_roots + sum(own.sum_of_roots for own in self._standing)

    def random_decrease(self) -> float:
        """Return by how much a random split of every block lowers the sum of roots (I6)."""
        unit = self.example_weight
        shared = expected_random_decrease(self._blocks, unit) / unit
        return shared + sum(own.random_decrease for own in self._standing)

    def sums(self, chain: Chain) -> Floats:
        """Return the sum of roots after each literal is added to a chain, shape (n_literals,)."""
        n_shared = len(self._blocks.terms)
        found = self._ask(part_sums, chain, n_shared)
        sums = np.sum([part.sums for part in found], axis=0)
        if n_shared:
            counts = [
                sum(of_group) for of_group in zip(*(p.histograms for p in found), strict=True)
            ]
            sums += shared_sums(self._frame, self._blocks, counts)
        return np.asarray(sums)

    def refine(self, monomial: Chain) -> None:
        """Refine the partition by a monomial; blocks that have become small move."""
        n_shared = len(self._blocks.terms)
        found = self._ask(weighed, monomial, n_shared)
        blocks = reduce(_added, found)
        plan, kept = self._plan(blocks)
        owners = np.unique(plan.place[plan.place >= 0]).tolist()
        moving: dict[int, list[Any]] = {
            owner: [self._crew.start(leaving, part, monomial, plan, owner) for part in self._parts]
            for owner in owners
        }
        parts = [
            self._crew.start(next_part, part, monomial, plan, *moving.get(at, ()))
            for at, part in enumerate(self._parts)
        ]
        moving.clear()
        self._parts = parts
        self._standing = self._ask(state)
        self._share(blocks, kept)

    def _plan(self, blocks: Weighed) -> tuple[Plan, Integers]:
        """Return where blocks go, and those that stay shared in their new order."""
        place = np.full(len(blocks.totals), GONE)
        number = np.zeros(len(blocks.totals), np.int64)
        order = np.argsort(-blocks.sizes, kind="stable")
        order = order[impure(blocks.label_weights, blocks.totals)[order]]
        is_large = blocks.sizes[order] > self._most_rows
        kept, small = order[is_large], order[~is_large]
        place[kept], number[kept] = SHARED, np.arange(len(kept))
        number[small] = np.arange(len(small))
        n_rows = np.array([own.n_rows for own in self._standing])
        for block in small.tolist():  # the largest first, to the owner of the fewest rows
            owner = int(n_rows.argmin())
            place[block] = owner
            n_rows[owner] += blocks.sizes[block]
        return Plan(place, number), kept

    def _ask(self, function: Callable[..., Any], *arguments: Any) -> list[Any]:  # noqa: ANN401
        """Return what a function tells of each part."""
        starting = [self._crew.start(function, part, *arguments) for part in self._parts]
        return self._crew.results(starting)


def _added(one: Weighed, other: Weighed) -> Weighed:
    return Weighed(
        one.label_weights + other.label_weights, one.totals + other.totals, one.sizes + other.sizes
    )
