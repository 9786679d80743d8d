"""Stage 1: growing monomials by partition boosting (section 5.1).

Each monomial grows literal by literal, always by the one that makes Z of the refined partition
least, as long as Z decreases; monomials are added as long as they lower Z.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.constraints.limits import Limits
from widc_arff.tolerance import first_least, is_lower

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from widc_arff.arrays import Floats
    from widc_arff.induction.constraints.literal_filter import LiteralFilter
    from widc_arff.induction.counting.counter import Counter
    from widc_arff.induction.sample.coding import Chain
    from widc_arff.observer import Observer

MANY_BLOCKS = 2500
RANDOM_FACTOR = 2.0


def grow(
    counter: Counter,
    limits: Limits | None = None,
    known: frozenset[frozenset[int]] = frozenset(),
    observer: Observer | None = None,
    literal_filter: LiteralFilter | None = None,
    many_blocks: int | None = None,
) -> list[Chain]:
    """Return the monomials of a large decision committee, without vectors.

    Parameters
    ----------
    counter : Counter
        Who counts the examples, in one block or in those of an initial partition.
    limits : Limits, optional
        Hard limits.
    known : frozenset of frozenset of int
        Monomials that must not come up.
    observer : Observer, optional
        Is told of literals and monomials.
    literal_filter : LiteralFilter, optional
        Bars literals from monomials.
    many_blocks : int, optional
        Number of impure blocks above which growing also ends by chance (I6); by default
        `MANY_BLOCKS`.

    Returns
    -------
    list of tuple of int
        Literals as indices in the catalogue.

    Notes
    -----
    Each monomial takes one pass over the rows of impure blocks per literal.  Growing ends by itself
    after some 20 to 50 monomials; above `many_blocks` also at a monomial that gains less than twice
    what a random split would.
    """
    limits = limits or Limits()
    monomials: list[Chain] = []
    taken = by_length(known)
    while counter.n_blocks and len(counter.catalogue) and not _full(monomials, limits):
        longest = _most_literals(monomials, limits)
        number = len(monomials) + 1
        monomial = _grow_monomial(
            _Growth(counter, taken, longest, number, observer, literal_filter, many_blocks)
        )
        if monomial is None:
            break
        if observer is not None:
            observer.grown(number, counter.catalogue.monomial(monomial))
        monomials.append(monomial)
        taken[len(monomial)].append(frozenset(monomial))
        counter.refine(monomial)
    return monomials


def _full(monomials: list[Chain], limits: Limits) -> bool:
    if limits.max_rules is not None and len(monomials) >= limits.max_rules:
        return True
    return limits.max_size is not None and sum(map(len, monomials)) >= limits.max_size


def _most_literals(monomials: list[Chain], limits: Limits) -> int | None:
    if limits.max_size is None:
        return limits.max_literals
    left = limits.max_size - sum(map(len, monomials))
    return left if limits.max_literals is None else min(left, limits.max_literals)


@dataclass(frozen=True, slots=True, eq=False)
class _Growth:
    """What one monomial grows in."""

    counter: Counter
    taken: dict[int, list[frozenset[int]]]
    max_literals: int | None
    number: int = 1
    observer: Observer | None = None
    literal_filter: LiteralFilter | None = None
    many_blocks: int | None = None

    @property
    def base(self) -> float:
        """Z before the monomial."""
        return self.counter.z_per_root * self.counter.sum_of_roots

    def scores(self, chain: Chain) -> Floats:
        """Return Z after each literal added to a chain, shape (n_literals,)."""
        return self.counter.z_per_root * self.counter.sums(chain)

    def passed_over(self, chain: Sequence[int]) -> list[int]:
        """Return the literals that may not join a chain."""
        literals = completing(self.taken, frozenset(chain))
        if self.literal_filter is not None:
            literals += np.flatnonzero(self.literal_filter.barred(chain)).tolist()
        return literals

    def tell(self, chain: Sequence[int], literal: int, before: float, after: float) -> None:
        """Tell the observer, if there is one, of a literal and Z before and after it."""
        if self.observer is not None:
            catalogue = self.counter.catalogue
            own = catalogue.monomial(chain), catalogue.literal(literal)
            self.observer.tried(self.number, *own, (before, after))


def _grow_monomial(growth: _Growth) -> Chain | None:
    """Return the next monomial, or None where none lowers Z enough.

    The first literal and its negation split alike, so that Z cannot choose between them: chains
    grow from both, and the lower final Z wins (I4).
    """
    scores = growth.scores(())
    passed_over = growth.passed_over(())
    first = _best_literal(scores, passed_over)
    if first is None:
        return None
    candidates = []
    negation = int(growth.counter.catalogue.negation[first])
    for literal in dict.fromkeys((first, negation)):
        allowed = literal not in passed_over
        growth.tell((), literal, growth.base, float(scores[literal]))
        if allowed and is_lower(scores[literal], growth.base):
            candidates.append(_grow_chain(growth, literal, float(scores[literal])))
    if not candidates:
        return None
    monomial, z = candidates[0]
    for other, other_z in candidates[1:]:
        equal = not is_lower(z, other_z) and not is_lower(other_z, z)
        if is_lower(other_z, z) or (equal and len(other) < len(monomial)):
            monomial, z = other, other_z
    return None if _no_better_than_chance(growth, z) else monomial


def _grow_chain(growth: _Growth, literal: int, z: float) -> tuple[Chain, float]:
    """Grow a monomial from its first literal while Z decreases; return it with its Z."""
    chain: Chain = (literal,)
    while growth.max_literals is None or len(chain) < growth.max_literals:
        scores = growth.scores(chain)
        best = _best_literal(scores, growth.passed_over(chain))
        if best is not None:
            growth.tell(chain, best, z, float(scores[best]))
        if best is None or not is_lower(scores[best], z):
            break
        chain = (*chain, best)
        z = float(scores[best])
    return chain, z


def _best_literal(scores: Floats, passed_over: list[int]) -> int | None:
    """Return the literal of least Z, the first in the catalogue among equals (I5)."""
    if passed_over:
        scores = scores.copy()
        scores[passed_over] = np.inf
    return None if np.isinf(scores.min()) else first_least(scores)


def by_length(monomials: Iterable[frozenset[int]]) -> dict[int, list[frozenset[int]]]:
    """Return monomials by their number of literals."""
    found = defaultdict[int, list[frozenset[int]]](list)
    for monomial in monomials:
        found[len(monomial)].append(monomial)
    return found


def completing(taken: dict[int, list[frozenset[int]]], chain: frozenset[int]) -> list[int]:
    """Return the literals that would make a monomial that is already there out of a chain."""
    longer = taken.get(len(chain) + 1, [])
    return [next(iter(monomial - chain)) for monomial in longer if chain < monomial]


def _no_better_than_chance(growth: _Growth, z: float) -> bool:
    """Tell whether a monomial gains less than twice a random split, in a front of many blocks."""
    counter = growth.counter
    if counter.n_blocks <= (MANY_BLOCKS if growth.many_blocks is None else growth.many_blocks):
        return False
    by_chance = counter.z_per_root * counter.random_decrease()
    return growth.base - z < RANDOM_FACTOR * by_chance
