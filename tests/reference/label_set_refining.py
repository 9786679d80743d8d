"""Refined pruning of label sets, in plain loops: `shrink` and what it weighs.

Examples are given by the literals that hold for them; every loss is found from nothing, pair by
pair.  Vectors are the paper's approximation: each example split over its labels.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from .problem import least_ones
from .vectors import best_ordered_vector

Monomial = tuple[int, ...]
Removal = tuple[Monomial, Monomial]  # a rule before and after; the empty one is none
N_EVALUATED = 20


class Example(NamedTuple):
    """The literals that hold, the labels, and the weight of an example."""

    literals: frozenset[int]
    labels: frozenset[int]
    weight: int


class Weigher:
    """Weighs committees on examples with `n_labels` labels, all of which occur."""

    def __init__(self, examples: Sequence[Example], n_labels: int, penalty: float) -> None:
        self.all_labels = range(n_labels)
        self.ranked = [e for e in examples if 0 < len(e.labels) < n_labels]
        self.penalty = penalty
        total = sum(e.weight * len(e.labels) for e in examples)
        self.prior = [
            sum(e.weight for e in examples if j in e.labels) / total for j in self.all_labels
        ]
        self.bits_of_labels = sum(e.weight for e in self.ranked) * math.log2(n_labels)

    def vector(self, monomial: Monomial) -> tuple[int, ...]:
        """Return the votes of a monomial."""
        weights = [Fraction(0) for _ in self.all_labels]
        for e in self.ranked:
            if e.literals.issuperset(monomial):
                for j in e.labels:
                    weights[j] += Fraction(e.weight, len(e.labels))
        if not any(weights):
            return tuple(0 for _ in self.all_labels)
        return best_ordered_vector(weights, [True for _ in self.all_labels])

    def votes(self, committee: Sequence[Monomial]) -> list[list[int]]:
        """Return the summed votes of each ranked example."""
        vectors = [self.vector(monomial) for monomial in committee]
        return [
            [
                sum(
                    v[j]
                    for m, v in zip(committee, vectors, strict=True)
                    if e.literals.issuperset(m)
                )
                for j in self.all_labels
            ]
            for e in self.ranked
        ]

    def default(self, committee: Sequence[Monomial]) -> list[float]:
        """Return the mean of Y / abs(Y) over the ambiguous examples."""
        sums = [Fraction(0) for _ in self.all_labels]
        for e, votes in zip(self.ranked, self.votes(committee), strict=True):
            others = {votes[k] for k in self.all_labels if k not in e.labels}
            if any(votes[j] in others for j in e.labels):
                for j in e.labels:
                    sums[j] += Fraction(e.weight, len(e.labels))
        total = sum(sums)
        return [float(s / total) for s in sums] if total else self.prior

    def loss(self, committee: Sequence[Monomial], default: Sequence[float]) -> float:
        """Return the mean ranking loss, ties by a default vector."""
        scores = [d + 1e-6 * p for d, p in zip(default, self.prior, strict=True)]
        wrong = 0.0
        for e, votes in zip(self.ranked, self.votes(committee), strict=True):
            pairs = [
                (votes[j], scores[j]) <= (votes[k], scores[k])
                for j in e.labels
                for k in self.all_labels
                if k not in e.labels
            ]
            wrong += e.weight * sum(pairs) / len(pairs)
        return wrong / sum(e.weight for e in self.ranked)

    def bits(self, loss: float, n_literals: int) -> float:
        """Return J."""
        if loss > 0.5:
            told = self.bits_of_labels * (1 + loss - 0.5)
        else:
            told = -self.bits_of_labels * sum(p * math.log2(p) for p in (loss, 1 - loss) if p > 0)
        return told + self.penalty * n_literals


def shrink(
    weigher: Weigher, monomials: Sequence[Monomial], allowed: int | None = None
) -> tuple[list[Monomial], float]:
    """Return the committee of least J in the sequence of removals, and J; at most so many rules."""
    committee = list(monomials)
    changes: dict[Removal, float] = {}  # of the loss, when last evaluated
    sequence = []
    while True:
        size = sum(map(len, committee))
        default = weigher.default(committee)
        loss = weigher.loss(committee, default)
        sequence.append((list(committee), weigher.bits(loss, size)))
        if not committee:
            break

        def evaluate(removals: list[Removal]) -> None:
            for removal in removals:
                new_loss = weigher.loss(_after(committee, removal), default)  # noqa: B023
                changes[removal] = new_loss - loss  # noqa: B023

        def value(removal: Removal) -> float:
            gone = len(removal[0]) - len(removal[1])
            return weigher.bits(max(loss + changes[removal], 0.0), size - gone)  # noqa: B023

        removals = [removal for m in committee for removal in _removals(m, committee)]
        evaluate([removal for removal in removals if removal not in changes])
        ranked = sorted(removals, key=lambda r: (round(value(r), 9), removals.index(r)))
        again = sorted(ranked[:N_EVALUATED], key=removals.index)
        evaluate(again)
        chosen = again[least_ones([value(removal) for removal in again])[0]]
        committee = _after(committee, chosen)
        # what becomes of the removed rule is met for the first time
        for removal in [r for r in changes if r[0] in (chosen[0], chosen[1])]:
            del changes[removal]
    within = [s for s in sequence if allowed is None or len(s[0]) <= allowed]
    return within[least_ones([bits for _, bits in within])[-1]]


def _after(committee: Sequence[Monomial], removal: Removal) -> list[Monomial]:
    """Return a committee after a removal."""
    before, shorter = removal
    return [new for m in committee if (new := shorter if m == before else m)]


def _removals(monomial: Monomial, committee: Sequence[Monomial]) -> list[tuple[Monomial, Monomial]]:
    """Return a rule with what it becomes: nothing, or itself without each of its literals."""
    taken = {frozenset(m) for m in committee}
    shorter = [monomial[:i] + monomial[i + 1 :] for i in range(len(monomial))]
    return [(monomial, ())] + [(monomial, s) for s in shorter if s and frozenset(s) not in taken]
