"""Stage 3 beyond the paper: refined pruning.

A committee is shrunk by removing rules and literals, polished by a local search, and grown again
where it does not tell classes apart or decides wrongly, as long as its description length falls.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, cycle, islice
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.decision import decide
from widc_arff.induction.contest import MANY_CLASSES
from widc_arff.induction.description_length import DescriptionLength
from widc_arff.induction.distinct_rows import distinct_codes, distinct_rows
from widc_arff.induction.growing import GrowthLimits, distinct, grow
from widc_arff.induction.polishing import polish
from widc_arff.induction.pruning import SizeLimits
from widc_arff.induction.sample import with_exact_sums
from widc_arff.induction.shrinking import shrink
from widc_arff.tolerance import is_lower

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.induction.aim import Aim
    from widc_arff.induction.coding import CodedSample
    from widc_arff.induction.counter import Chain
    from widc_arff.induction.distinct_rows import DistinctRows
    from widc_arff.induction.observer import Observer

MOST_PROPOSALS = 30
MOST_REGROWN = 12
RESIDUAL_RATIO = 10
MOST_CELLS = 1_600_000
FEWEST_ROWS = 1000
MANY_ROWS = 1000
MOST_CLASS_ROWS = 20_000
RESTARTS = ("votes", "decisions", "residual")


def refine(
    sample: CodedSample, grown: Sequence[Chain], aim: Aim, observer: Observer | None = None
) -> list[Chain]:
    """Return a committee of small description length.

    Parameters
    ----------
    sample : CodedSample
        The examples, one class each; of a large sample a part (`manageable`).
    grown : sequence of tuple of int
        The large committee, as literals of the catalogue; not empty.
    aim : Aim
        Penalty, limits and demands.
    observer : Observer, optional
        Is told of each committee that the search comes to.

    Notes
    -----
    Restarts propose monomials, which join the best committee; the pool is shrunk and polished, and
    kept if J falls.  More than two classes: once those that tell each class from all others.  Then
    in turn monomials grown from the partition by summed votes, from that by decisions, and with
    ten times the weight on what is decided wrongly; until none of the three helps, or after 30.
    Of many classes in many rows (`is_cheap`) there are no restarts, and polishing replaces no
    literals.
    """
    thorough = is_cheap(sample)
    refiner = _Refiner(sample, replace(aim, replacing=thorough))
    best = refiner.improved(grown)
    value = refiner.value(best)
    tell(observer, "shrunk and polished", best, value)
    once = ["one against rest"] if sample.n_labels > 2 else []
    n_idle = 0
    for kind in islice(chain(once, cycle(RESTARTS)), MOST_PROPOSALS if thorough else 0):
        proposed = refiner.rest(grown) if kind == "one against rest" else refiner.grow(kind, best)
        pool = distinct([*best, *proposed])
        candidate = refiner.improved(pool, best) if len(pool) > len(best) else best
        new_value = refiner.value(candidate)
        shorter = is_lower(new_value, value)
        tell(observer, kind, candidate, new_value, kept=shorter)
        if shorter:
            best, value, n_idle = candidate, new_value, 0
        elif kind in RESTARTS:
            n_idle += 1
        if n_idle == len(RESTARTS):
            break
    return best


def tell(
    observer: Observer | None,
    how: str,
    committee: Sequence[Chain],
    value: float,
    *,
    kept: bool = True,
) -> None:
    """Tell an observer of a committee that the search came to."""
    if observer is not None:
        observer.refined(how, list(map(len, committee)), value, kept=kept)


def manageable(sample: CodedSample, scale: float = 1.0) -> CodedSample:
    """Return a sample that the search can manage, `scale` times as large as usual.

    Cells are distinct rows times Boolean variables; above ten classes fewer are taken, by the
    square of their number.  Of larger samples every k-th distinct row in the order of codes is
    taken with all its examples, so that neither the order of the rows nor copies matter.  If some
    class would not occur, all rows stay.
    """
    most = scale * MOST_CELLS * min(1.0, MANY_CLASSES / sample.n_labels) ** 2
    most_rows = max(FEWEST_ROWS, int(most / sample.catalogue.n_variables))
    if sample.n_samples <= most_rows:
        return sample
    _, row_of = distinct_codes(sample)
    step = -(-(int(row_of.max()) + 1) // most_rows)
    taken = sample.take(row_of % step == 0)
    occurs = np.bincount(taken.labels.astype(np.int64), minlength=sample.n_labels) > 0
    return taken if occurs.all() else sample


def is_cheap(sample: CodedSample) -> bool:
    """Tell whether a thorough search is affordable: its cost grows with the square of classes."""
    few_classes = sample.n_labels <= MANY_CLASSES
    return few_classes or sample.n_samples * sample.n_labels <= MOST_CLASS_ROWS


class Improver:
    """Makes committees better on distinct rows of examples.

    Parameters
    ----------
    rows : DistinctRows
        The examples.
    length : DescriptionLength
        J.
    aim : Aim
        Limits and demands.
    """

    def __init__(self, rows: DistinctRows, length: DescriptionLength, aim: Aim) -> None:
        self._rows, self._length, self._aim = rows, length, aim
        self._admission, self._known = aim.demands.admission, aim.demands.known

    def improved(
        self, pool: Sequence[Chain], polished: Sequence[Chain] | None = None
    ) -> list[Chain]:
        """Return a pool of monomials shrunk and polished; `polished` needs no more polish.

        Monomials that cover none of the rows, which can be a part of all, are left out.
        """
        pool = [monomial for monomial in pool if self._rows.cover(monomial).any()]
        final = SizeLimits(self._aim.limits.max_rules, self._aim.limits.max_size)
        small = shrink(self._rows, pool, self._length, final, self._known)
        if polished is not None and set(map(frozenset, small)) == set(map(frozenset, polished)):
            return small
        return polish(self._rows, small, self._length, self._aim)

    def value(self, committee: Sequence[Chain]) -> float:
        """Return J of a committee."""
        votes = self._rows.votes(committee)
        return self._length.of_one(self._rows.standing(votes).error(), sum(map(len, committee)))


class _Refiner(Improver):
    """Makes committees on one sample better, and grows what they lack."""

    def __init__(self, sample: CodedSample, aim: Aim) -> None:
        rows, self._row_of = distinct_rows(sample, aim.demands.voting)
        super().__init__(rows, length_for(sample, aim.penalty), aim)
        self._sample = sample
        most = MOST_REGROWN if sample.n_samples > MANY_ROWS else None
        self._growth = GrowthLimits(max_rules=most, max_literals=aim.limits.max_literals)

    def rest(self, grown: Sequence[Chain]) -> list[Chain]:
        """Return the grown monomials, and those that tell each class from the others."""
        proposed = list(grown)
        for j in range(self._sample.n_labels):
            two = replace(
                self._sample, labels=(self._sample.labels == j).astype(np.int64), n_labels=2
            )
            rows = self._rows.with_two_classes(j)
            length = replace(self._length, n_classes=2)
            grown_for_one = self._grown(two, None, self._known)
            proposed += shrink(rows, grown_for_one, length, SizeLimits(), self._known)
        return proposed

    def grow(self, kind: str, best: Sequence[Chain]) -> list[Chain]:
        """Return monomials that a committee lacks, grown from what it leaves undone."""
        known = frozenset(map(frozenset, best)) | self._known
        votes = self._rows.votes(best)
        if kind == "votes":
            _, blocks = np.unique(votes, axis=1, return_inverse=True)
            return self._grown(self._sample, blocks[self._row_of], known)
        standing = self._rows.standing(votes)
        decided = decide(votes.T, standing.scores)[self._row_of]
        if kind == "decisions":
            return self._grown(self._sample, decided, known)
        weights = np.where(decided == self._sample.labels, 1.0, RESIDUAL_RATIO)
        if self._sample.weights is not None:
            weights *= self._sample.weights
        return self._grown(replace(self._sample, weights=with_exact_sums(weights)), None, known)

    def _grown(
        self,
        sample: CodedSample,
        blocks: NDArray[np.int64] | None,
        known: frozenset[frozenset[int]],
    ) -> list[Chain]:
        return grow(sample, self._growth, blocks, known, admission=self._admission)


def length_for(sample: CodedSample, penalty: float) -> DescriptionLength:
    """Return J of committees on a sample."""
    return DescriptionLength(sample.total_weight, sample.example_weight, sample.n_labels, penalty)
