"""Committees over Boolean variables and two classes, for the reductions of Theorems 1 and 3.

An example is a tuple of bool; a literal a pair (variable, whether it is true); a rule a monomial
with its Delta, the vote for + less the vote for -; the default class is True for +.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

Example = tuple[bool, ...]
Monomial = tuple[tuple[int, bool], ...]


@dataclass(frozen=True)
class BooleanCommittee:
    """Rules (monomial, Delta) and the default class."""

    rules: tuple[tuple[Monomial, float], ...]
    default: bool

    @property
    def n_literals(self) -> int:
        return sum(len(monomial) for monomial, _ in self.rules)

    def decide(self, example: Example) -> bool:
        """Return whether the class is +: the sign of the summed Deltas, the default at 0."""
        total = sum(delta for monomial, delta in self.rules if satisfies(example, monomial))
        return total > 0 if total else self.default


@dataclass(frozen=True)
class Sample:
    """A learning sample of two classes."""

    positive: tuple[Example, ...]
    negative: tuple[Example, ...]

    @property
    def examples(self) -> tuple[Example, ...]:
        return self.positive + self.negative

    def agrees_with(self, committee: BooleanCommittee) -> bool:
        """Return whether the committee is consistent with all examples."""
        return all(map(committee.decide, self.positive)) and not any(
            map(committee.decide, self.negative)
        )


def satisfies(example: Example, monomial: Monomial) -> bool:
    return all(example[variable] is value for variable, value in monomial)


def monomials(n: int) -> list[Monomial]:
    """Return all conjunctions over n variables, the empty one included: 3^n."""
    return [
        tuple((i, value) for i, value in enumerate(values) if value is not None)
        for values in itertools.product((None, True, False), repeat=n)
    ]
