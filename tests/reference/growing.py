"""Stage 1 of the plain reference: monomials grown by partition boosting (5.1, I4 to I6)."""

import math
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass

from .literals import Admissible, Literal, Monomial, always, negation, satisfies_literal
from .problem import Sample, is_lower, least_ones


def partition_z(sample: Sample, blocks: Sequence[Hashable]) -> float:
    """Return Z of a partition (eq. 1); `blocks` names the block of each example.

    Z = 2 sum_j sum_l sqrt(W+[j,l] W-[j,l]); W+ is the weight in block j of the examples that have
    label l, W- of those that do not, both over the total weight.
    """
    counts = sample.counts
    return _z(counts, sample.label_sets, sample.n_classes, blocks)


def _z(
    counts: Sequence[int],
    label_sets: Sequence[frozenset[int]],
    n_classes: int,
    blocks: Sequence[Hashable],
) -> float:
    in_block: dict[Hashable, int] = {}
    with_label: dict[tuple[Hashable, int], int] = {}
    for count, labels, block in zip(counts, label_sets, blocks, strict=True):
        in_block[block] = in_block.get(block, 0) + count
        for label in labels:
            with_label[block, label] = with_label.get((block, label), 0) + count
    total = sum(counts)
    terms = []
    for block, weight in in_block.items():
        for label in range(n_classes):
            w_plus = with_label.get((block, label), 0)
            terms.append(math.sqrt((w_plus / total) * ((weight - w_plus) / total)))
    return 2 * math.fsum(terms)


def refined(blocks: Sequence[Hashable], covered: Sequence[bool]) -> list[int]:
    """Split every block into the examples that satisfy a monomial and those that do not."""
    names: dict[tuple[Hashable, bool], int] = {}
    return [names.setdefault(key, len(names)) for key in zip(blocks, covered, strict=True)]


@dataclass
class Chain:
    """A monomial while it grows: its literals, the examples that satisfy it, Z with it."""

    monomial: Monomial
    covered: list[bool]
    z: float


class Grower:
    """Grows one monomial at a time on a sample, from a catalogue of literals."""

    def __init__(
        self,
        sample: Sample,
        catalogue: Sequence[Literal],
        blocks: list[int],
        taken: set[frozenset[Literal]],
        max_literals: int | None,
        admissible: Admissible,
    ) -> None:
        self.sample = sample
        self.catalogue = catalogue
        self.counts = sample.counts
        self.holds = {
            literal: [satisfies_literal(row, literal) for row in sample.rows]
            for literal in catalogue
        }
        self.blocks = blocks
        self.taken = taken
        self.max_literals = max_literals
        self.admissible = admissible

    def may_grow(self, monomial: Monomial) -> bool:
        """Tell whether a monomial is new and admissible."""
        return frozenset(monomial) not in self.taken and self.admissible(monomial)

    def z_with(self, covered: Sequence[bool]) -> float:
        """Return Z of the present partition, refined by a monomial."""
        blocks = refined(self.blocks, covered)
        return _z(self.counts, self.sample.label_sets, self.sample.n_classes, blocks)

    def with_literal(self, chain: Chain, literal: Literal) -> Chain:
        """Return the monomial with one literal more."""
        covered = [a and b for a, b in zip(chain.covered, self.holds[literal], strict=True)]
        return Chain([*chain.monomial, literal], covered, self.z_with(covered))

    def best_step(self, chain: Chain) -> Chain | None:
        """Add the literal that makes Z least, the first one of the catalogue on ties (I5).

        A literal that would complete an existing monomial is passed over; None if all are.
        """
        steps = [
            self.with_literal(chain, literal)
            for literal in self.catalogue
            if self.may_grow([*chain.monomial, literal])
        ]
        return steps[least_ones([step.z for step in steps])[0]] if steps else None

    def grown(self, chain: Chain) -> Chain:
        """Add literals while Z decreases."""
        while self.max_literals is None or len(chain.monomial) < self.max_literals:
            step = self.best_step(chain)
            if step is None or not is_lower(step.z, chain.z):
                break
            chain = step
        return chain

    def next_monomial(self) -> Chain | None:
        """Grow a monomial from the best first literal and from its negation (I4)."""
        everyone = [True] * len(self.blocks)
        empty = Chain([], everyone, self.z_with(everyone))
        start = self.best_step(empty)
        if start is None or not is_lower(start.z, empty.z):
            return None
        best = self.grown(start)
        opposite = negation(start.monomial[0], self.sample.attributes)
        if opposite not in self.catalogue or not self.may_grow([opposite]):
            return best
        start = self.with_literal(empty, opposite)
        if not is_lower(start.z, empty.z):
            return best
        other = self.grown(start)
        if is_lower(other.z, best.z):
            return other
        equal = not is_lower(best.z, other.z)
        return other if equal and len(other.monomial) < len(best.monomial) else best


def grow(  # noqa: PLR0913 - what restarts vary
    sample: Sample,
    catalogue: Sequence[Literal],
    *,
    initial: Sequence[Hashable] | None = None,
    existing: Collection[Sequence[Literal]] = (),
    max_literals: int | None = None,
    max_rules: int | None = None,
    admissible: Admissible = always,
) -> list[Monomial]:
    """Grow monomials until a new one does not lower Z (5.1).

    Growing beyond 2,500 impure blocks (I6) is out of the reference's reach.

    Parameters
    ----------
    initial : the block of each example of the sample before growing; by default one block
    existing : monomials that must not be grown again; they do not refine the partition
    max_literals : the most literals of a monomial
    max_rules : the most monomials
    admissible : which monomials may be grown, those that they grow from included
    """
    blocks = [0] * len(sample.rows) if initial is None else list(initial)
    nothing = [False] * len(blocks)
    taken = {frozenset(monomial) for monomial in existing}
    grower = Grower(sample, catalogue, refined(blocks, nothing), taken, max_literals, admissible)
    monomials: list[Monomial] = []
    while max_rules is None or len(monomials) < max_rules:
        chain = grower.next_monomial()
        if chain is None:
            break
        monomials.append(chain.monomial)
        grower.taken.add(frozenset(chain.monomial))
        grower.blocks = refined(grower.blocks, chain.covered)
    return monomials
