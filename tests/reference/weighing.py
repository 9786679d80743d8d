"""Committees weighed, for refined pruning in the plain reference (REFINED.md).

A committee is worth the bits that tell the labels of the sample once it is known, plus a price for
each of its literals. Single labels only. `objective` is the definition; `Weigher` computes the same
of committees given as monomials, fast enough for a search: what holds where and the vectors are
kept, sums of weights are whole numbers, and vectors come from `best_ordered_vector`, which equals
the search of every vector.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from .deciding import Rule, default_vector, error_on, standing, top_classes
from .literals import Literal, Monomial, satisfies_literal
from .problem import Sample, class_distribution, present_classes
from .vectors import best_ordered_vector

Votes = list[tuple[int, ...]]  # V of each example


def bits(
    wrong: Fraction, total: Fraction, n_present: int, n_literals: int, penalty: float
) -> float:
    """Return J = m H(E/m) + E log2(c - 1) + penalty * size.

    Beyond E = m/2 the first term is m + (E - m/2).
    """
    if 2 * wrong > total:
        which = float(total + (wrong - total / 2))
    else:
        shares = [float(part / total) for part in (wrong, total - wrong) if part > 0]
        which = -float(total) * math.fsum(share * math.log2(share) for share in shares)
    instead = float(wrong) * math.log2(n_present - 1) if n_present > 2 else 0.0
    return which + instead + penalty * n_literals


def objective(sample: Sample, rules: Sequence[Rule], penalty: float) -> float:
    """Return J of a committee, in bits; E with the default vector of these rules."""
    everyone = [True] * len(sample.rows)
    share = error_on(sample, rules, default_vector(sample, rules), everyone)
    n_literals = sum(len(rule.monomial) for rule in rules)
    n_present = sum(present_classes(sample))
    return bits(share * sample.total, sample.total, n_present, n_literals, penalty)


class Change(NamedTuple):
    """The monomial at a position of a committee becomes another one.

    None drops it; the position after the last rule takes a rule to be added.
    """

    position: int
    monomial: Monomial | None


def changed(monomials: Sequence[Monomial], change: Change) -> list[Monomial]:
    """Return the committee after a change; all other rules keep their order."""
    new = [] if change.monomial is None else [change.monomial]
    return [*monomials[: change.position], *new, *monomials[change.position + 1 :]]


class Weigher:
    """Weighs committees, given as monomials, on a sample.

    Weights are whole numbers in the unit of `Sample.counts`.
    """

    def __init__(self, sample: Sample, penalty: float) -> None:
        self.sample = sample
        self.penalty = penalty
        self.counts = sample.counts
        self.total_count = sum(self.counts)
        self.labels = [label for (label,) in sample.label_sets]
        self.present = present_classes(sample)
        self.prior = class_distribution(sample)
        self.holds: dict[Literal, list[bool]] = {}
        self.rules: dict[frozenset[Literal], tuple[list[bool], tuple[int, ...]]] = {}
        self.vectors: dict[tuple[int, ...], tuple[int, ...]] = {}
        self.values: dict[tuple[int, int], float] = {}

    def rule(self, monomial: Monomial) -> tuple[list[bool], tuple[int, ...]]:
        """Return the cover of a monomial and its vector."""
        key = frozenset(monomial)
        if key not in self.rules:
            covered = [True] * len(self.labels)
            for literal in monomial:
                if literal not in self.holds:
                    rows = self.sample.rows
                    self.holds[literal] = [satisfies_literal(row, literal) for row in rows]
                covered = [a and b for a, b in zip(covered, self.holds[literal], strict=True)]
            weights = self.class_counts(covered)
            if weights not in self.vectors:
                self.vectors[weights] = best_ordered_vector(weights, self.present)
            self.rules[key] = covered, self.vectors[weights]
        return self.rules[key]

    def class_counts(self, members: Sequence[bool]) -> tuple[int, ...]:
        """Return the weight of the members of each class."""
        sums = [0] * self.sample.n_classes
        for label, count, is_member in zip(self.labels, self.counts, members, strict=True):
            if is_member:
                sums[label] += count
        return tuple(sums)

    def plus(self, votes: Votes, monomial: Monomial, times: int = 1) -> Votes:
        """Add the vector of a monomial to the votes of the examples that satisfy it."""
        covered, vector = self.rule(monomial)
        added = [times * vote for vote in vector]
        return [
            tuple(map(sum, zip(sums, added, strict=True))) if is_covered else sums
            for sums, is_covered in zip(votes, covered, strict=True)
        ]

    def votes(self, monomials: Sequence[Monomial]) -> Votes:
        """Return the summed votes of a committee for each example."""
        votes: Votes = [(0,) * self.sample.n_classes] * len(self.labels)
        for monomial in monomials:
            votes = self.plus(votes, monomial)
        return votes

    def votes_after(self, monomials: Sequence[Monomial], votes: Votes, change: Change) -> Votes:
        """Return the votes of a committee after a change, from those before."""
        if change.position < len(monomials):
            votes = self.plus(votes, monomials[change.position], -1)
        return votes if change.monomial is None else self.plus(votes, change.monomial)

    def default(self, votes: Votes) -> list[float]:
        """Return D: the class distribution of the examples with several top classes; none: p."""
        weights = self.class_counts([len(top_classes(sums)) > 1 for sums in votes])
        total = sum(weights)
        return [weight / total for weight in weights] if total else self.prior

    def decisions(self, votes: Votes, default: Sequence[float]) -> list[int]:
        """Decide each example: of its top classes the one of largest s_j, the first if equal."""
        s = standing(default, self.prior)
        by_standing = sorted(range(self.sample.n_classes), key=lambda j: (-s[j], j))
        return [max(by_standing, key=sums.__getitem__) for sums in votes]

    def wrong(self, votes: Votes, default: Sequence[float] | None = None) -> int:
        """Return the weight of the errors; without `default` with the default vector of `votes`."""
        decided = self.decisions(votes, self.default(votes) if default is None else default)
        rows = zip(decided, self.labels, self.counts, strict=True)
        return sum(count for decision, label, count in rows if decision != label)

    def j(self, wrong: int, monomials: Sequence[Monomial]) -> float:
        """Return J of a committee with this weight of errors."""
        n_literals = sum(len(monomial) for monomial in monomials)
        if (wrong, n_literals) not in self.values:
            total = self.sample.total
            exact = Fraction(wrong, self.total_count) * total
            value = bits(exact, total, sum(self.present), n_literals, self.penalty)
            self.values[wrong, n_literals] = value
        return self.values[wrong, n_literals]

    def objective(self, monomials: Sequence[Monomial]) -> float:
        """Return J of a committee."""
        return self.j(self.wrong(self.votes(monomials)), monomials)
