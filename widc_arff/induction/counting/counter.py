"""Who counts: the one thing that stage 1 asks of the examples.

Growing (`widc_arff.induction.paper.growing`) sees no rows.  It asks a `Counter` for the sum of
roots of eq. (1) that results from each literal added to a chain, and tells it which monomials it
takes.
`MemoryCounter` counts rows that it holds; `widc_arff.cluster.remote_counter` asks many machines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from widc_arff.induction.counting.choice import literal_sums, narrow
from widc_arff.induction.counting.partition import (
    cover,
    expected_random_decrease,
    open_front,
    split,
)

if TYPE_CHECKING:
    from widc_arff.arrays import Floats
    from widc_arff.induction.counting.partition import BlockRows, Blocks, Front
    from widc_arff.induction.sample.coding import Catalogue, Chain, CodedSample


class Counter(Protocol):
    """Holds the examples in the partition that the monomials so far make of them."""

    @property
    def catalogue(self) -> Catalogue:
        """All literals."""

    @property
    def example_weight(self) -> float:
        """Weight of one quantum in examples."""

    @property
    def z_per_root(self) -> float:
        """Factor from a sum of roots to Z."""

    @property
    def n_blocks(self) -> int:
        """Number of impure blocks; growing ends where there are none."""

    @property
    def sum_of_roots(self) -> float:
        """Sum of roots of the partition."""

    def random_decrease(self) -> float:
        """Return by how much a random split of every block lowers the sum of roots (I6)."""

    def sums(self, chain: Chain) -> Floats:
        """Return the sum of roots after each literal is added to a chain, shape (n_literals,).

        The array is the caller's to change.
        """

    def refine(self, monomial: Chain) -> None:
        """Refine the partition by a monomial."""


class Narrowing:
    """The rows that satisfy a chain; the last are kept, since a chain mostly adds one literal.

    Parameters
    ----------
    sample : CodedSample
        Groups and catalogue.
    rows : BlockRows
        Those of the empty chain.
    """

    def __init__(self, sample: CodedSample, rows: BlockRows) -> None:
        self.sample = sample
        self.rows = rows
        self._chain: Chain = ()
        self._satisfying = rows

    def __reduce__(self) -> tuple[type[Narrowing], tuple[CodedSample, BlockRows]]:
        """Travel without the rows that are kept for speed only."""
        return Narrowing, (self.sample, self.rows)

    def satisfying(self, chain: Chain) -> BlockRows:
        """Return the rows that satisfy a chain."""
        if self._chain != chain[: len(self._chain)]:
            self._chain, self._satisfying = (), self.rows
        for literal in chain[len(self._chain) :]:
            self._satisfying = narrow(self.sample, self._satisfying, literal)
        self._chain = chain
        return self._satisfying


class OnePartition:
    """What a counter that holds all blocks of the partition tells of them."""

    blocks: Blocks
    """The impure ones."""
    total_weight: float
    """Weight of all examples in quanta."""
    example_weight: float
    """Weight of one quantum in examples."""

    @property
    def z_per_root(self) -> float:
        """Factor from a sum of roots to Z."""
        return self.blocks.z_per_root(self.total_weight)

    @property
    def n_blocks(self) -> int:
        """Number of impure blocks."""
        return len(self.blocks.terms)

    @property
    def sum_of_roots(self) -> float:
        """Sum of roots of the partition."""
        return self.blocks.sum_of_roots

    def random_decrease(self) -> float:
        """Return by how much a random split of every block lowers the sum of roots (I6)."""
        return expected_random_decrease(self.blocks, self.example_weight) / self.example_weight


class MemoryCounter(OnePartition):
    """Counts rows in memory.

    Parameters
    ----------
    sample : CodedSample
        Groups, catalogue and weight of an example; its own rows play no part.
    rows : BlockRows
        The examples in their blocks.
    total_weight : float
        Weight of all examples in quanta.
    """

    blocks: Front

    def __init__(self, sample: CodedSample, rows: BlockRows, total_weight: float) -> None:
        self.sample, self.catalogue = sample, sample.catalogue
        self.total_weight, self.example_weight = total_weight, sample.example_weight
        self._open(rows)

    def _open(self, rows: BlockRows) -> None:
        self.blocks = open_front(rows, self.sample.n_labels)
        self._narrowing = Narrowing(self.sample, self.blocks.rows)

    def sums(self, chain: Chain) -> Floats:
        """Return the sum of roots after each literal is added to a chain, shape (n_literals,)."""
        rows = self._narrowing.satisfying(chain)
        if len(rows) == 0:
            return np.full(len(self.catalogue), self.sum_of_roots)
        return literal_sums(self.sample, self.blocks, rows)

    def refine(self, monomial: Chain) -> None:
        """Refine the partition by a monomial."""
        rows = self.blocks.rows
        del self._narrowing
        self._open(split(rows, cover(self.sample, rows, monomial)))
