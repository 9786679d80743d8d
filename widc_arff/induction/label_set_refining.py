"""Refined pruning where an example can have several labels: stage 3 beyond the paper.

A committee is shrunk by removing rules and literals, and grown again on the examples that it ranks
badly, as long as its description length falls.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import log2
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.description_length import DescriptionLength
from widc_arff.induction.growing import GrowthLimits, distinct, grow
from widc_arff.induction.label_set_ranking import RankedExamples
from widc_arff.induction.pruning import SizeLimits
from widc_arff.induction.sample import with_exact_sums
from widc_arff.tolerance import first_least, is_lower

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from widc_arff.induction.admission import Admission
    from widc_arff.induction.coding import CodedSample
    from widc_arff.induction.counter import Chain
    from widc_arff.induction.observer import Observer

    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Integers = NDArray[np.int64]

MOST_PROPOSALS = 30
RESIDUAL_RATIO = 10
N_EVALUATED = 20


def refine_label_sets(
    sample: CodedSample,
    grown: Sequence[Chain],
    penalty: float,
    limits: GrowthLimits,
    observer: Observer | None = None,
    admission: Admission | None = None,
) -> list[Chain]:
    """Return a committee of small description length.

    J = m log2(c) H(L) + penalty * size bits, for m examples that have some of the c labels but not
    all: the bits that tell one label of each example to one who knows nothing, times the binary
    entropy H of the ranking loss L (linear beyond one half, as in `DescriptionLength`).

    Parameters
    ----------
    sample : CodedSample
        The examples, with a label matrix.
    grown : sequence of tuple of int
        The large committee, as literals of the catalogue.
    penalty : float
        Bits a literal.
    limits : GrowthLimits
        Hard limits of the committee returned.
    observer : Observer, optional
        Is told what each proposal came to.
    admission : Admission, optional
        What bars literals from monomials; shorter ones it admits too.

    Notes
    -----
    The large committee and one of single literals are shrunk together.  Then monomials of at most
    one literal more than the best committee has in a rule are grown, with up to ten times the
    weight on what it ranks worst; they join it, the pool is shrunk, and kept if J falls; until it
    does not, or after 30.
    """
    if not grown:
        return []
    shrinking = _Shrinking(sample, penalty, SizeLimits(limits.max_rules, limits.max_size))
    pool = distinct([*grown, *grow(sample, GrowthLimits(max_literals=1), admission=admission)])
    best = shrinking.least(pool)
    how, kept = "grown", True
    for _ in range(MOST_PROPOSALS):
        if observer is not None:
            observer.refined(how, [len(m) for m in best.monomials], best.bits, kept=kept)
        weighted = replace(sample, weights=shrinking.residual_weights(best.monomials))
        known = frozenset(map(frozenset, best.monomials))
        longest = max(map(len, best.monomials), default=0) + 1
        growth = GrowthLimits(max_literals=min(longest, limits.max_literals or longest))
        proposed = grow(weighted, growth, None, known, admission=admission)
        candidate = shrinking.least([*best.monomials, *proposed])
        how, kept = "residual", is_lower(candidate.bits, best.bits)
        if not kept:
            break
        best = candidate
    return best.monomials


@dataclass(frozen=True, slots=True)
class _Committee:
    """Monomials, and their description length."""

    monomials: list[Chain]
    bits: float


class _Shrinking:
    """Shrinks committees on one sample; only labels that occur count."""

    def __init__(self, sample: CodedSample, penalty: float, limits: SizeLimits) -> None:
        self._sample = sample
        self._limits = limits
        self._Y = np.asarray(sample.labels[:, sample.labels.any(axis=0)], np.bool_)
        self._weights = np.ones(len(self._Y)) if sample.weights is None else sample.weights
        n_held, c = self._Y.sum(axis=1), self._Y.shape[1]
        ranked = float(self._weights[(n_held > 0) & (n_held < c)].sum()) * sample.example_weight
        self._length = DescriptionLength(ranked * log2(c), 1.0, 2, penalty)

    def least(self, monomials: Sequence[Chain]) -> _Committee:
        """Return the committee of least J in a sequence of removals, the smallest of equal ones.

        Each step removes one rule, or one literal of a rule with at least two, whose vector is
        found anew: whatever leaves the least J with the default vector as it stands, the first in
        order among equals; down to the empty committee.  Removals are evaluated when they come up,
        and again while they are among the twenty best by their last value.
        """
        literals = sorted({literal for monomial in monomials for literal in monomial})
        truth = np.array([self._sample.satisfying(i) for i in literals]).T
        examples = RankedExamples(truth, self._Y, self._weights)
        place = {literal: i for i, literal in enumerate(literals)}
        descent = _Descent(examples, [tuple(place[i] for i in m) for m in monomials], self._length)
        sequence = [_Committee(descent.monomials, descent.bits)]
        while descent.rules:
            descent.remove(descent.best_removal())
            sequence.append(_Committee(descent.monomials, descent.bits))
        allowed = [
            self._limits.allow(range(len(committee.monomials)), list(map(len, committee.monomials)))
            for committee in sequence
        ]
        # The sizes fall along the sequence: of equal ones the last is the smallest.
        values = np.where(allowed, [committee.bits for committee in sequence], np.inf)[::-1]
        best = sequence[len(sequence) - 1 - first_least(values)]
        return _Committee([tuple(literals[i] for i in m) for m in best.monomials], best.bits)

    def residual_weights(self, monomials: Sequence[Chain]) -> Floats:
        """Return weights that grow with the ranking loss of a committee, shape (n_samples,)."""
        covers = np.array(
            [np.all([self._sample.satisfying(i) for i in m], axis=0) for m in monomials], np.bool_
        ).reshape(-1, len(self._Y))
        examples = RankedExamples(covers.T, self._Y, self._weights)
        vectors = examples.vectors(examples.satisfied.T)
        votes = examples.satisfied.astype(np.int64) @ vectors
        losses = np.zeros(len(self._Y))
        losses[examples.ranked] = examples.losses(votes, examples.default_vector(votes))[
            examples.row_of
        ]
        worst = losses.max(initial=0.0)
        factors = 1 + np.rint((RESIDUAL_RATIO - 1) * losses / (worst or 1.0))
        return with_exact_sums(self._weights * factors)


@dataclass(slots=True, eq=False)
class _Rule:
    """A rule on the examples: where it holds, its votes, and its removals once they are found."""

    monomial: Chain
    cover: Flags
    vector: Integers
    removals: list[_Removal] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class _Removal:
    """A rule becomes a shorter one, or none.

    Parameters
    ----------
    rule, shorter : _Rule
        Before, and after (None: the rule goes).
    pieces : list of (rows, shift)
        How votes change: rows, and what is added to the votes of each.
    change : float
        Of the ranking loss, when last evaluated; NaN if never.
    """

    rule: _Rule
    shorter: _Rule | None
    pieces: list[tuple[Integers, Integers]]
    change: float = float("nan")

    @property
    def size(self) -> int:
        """How many literals go."""
        return len(self.rule.monomial) if self.shorter is None else 1


class _Descent:
    """A committee that loses rules and literals."""

    def __init__(
        self, examples: RankedExamples, monomials: Sequence[Chain], length: DescriptionLength
    ) -> None:
        self._examples = examples
        self._length = length
        self.rules = self._rules(monomials)
        self._votes = np.zeros(examples.Y.shape, np.int64)
        for rule in self.rules:
            self._votes[rule.cover] += rule.vector
        self._settle()

    @property
    def monomials(self) -> list[Chain]:
        """The rules without their vectors."""
        return [rule.monomial for rule in self.rules]

    @property
    def size(self) -> int:
        """Literals in all."""
        return sum(len(rule.monomial) for rule in self.rules)

    @property
    def bits(self) -> float:
        """J."""
        return self._length.of_one(self._loss * self._length.total, self.size)

    def best_removal(self) -> _Removal:
        """Return the removal that leaves the least J."""
        taken = {frozenset(rule.monomial) for rule in self.rules}
        removals = [
            removal
            for rule in self.rules
            for removal in self._removals(rule)
            if removal.shorter is None or frozenset(removal.shorter.monomial) not in taken
        ]
        new = [removal for removal in removals if np.isnan(removal.change)]
        self._evaluate(new)
        best = np.argsort(np.round(self._values(removals), 9), kind="stable")[:N_EVALUATED]
        again: list[_Removal] = [removals[i] for i in np.sort(best)]
        self._evaluate(again)
        return again[first_least(self._values(again))]

    def remove(self, removal: _Removal) -> None:
        """Carry a removal out."""
        for rows, shift in removal.pieces:
            self._votes[rows] += shift
        place = self.rules.index(removal.rule)
        self.rules[place : place + 1] = [] if removal.shorter is None else [removal.shorter]
        self._settle()

    def _settle(self) -> None:
        """Find the default vector and the losses of the present committee."""
        self._default = self._examples.default_vector(self._votes)
        self._losses = self._examples.shares * self._examples.losses(self._votes, self._default)
        self._loss = float(self._losses.sum())

    def _values(self, removals: Sequence[_Removal]) -> Floats:
        losses = self._loss + np.array([removal.change for removal in removals])
        sizes = self.size - np.array([removal.size for removal in removals])
        return self._length.of(np.maximum(losses, 0.0) * self._length.total, sizes)

    def _evaluate(self, removals: Sequence[_Removal]) -> None:
        """Find the change of the ranking loss by each removal, the default vector as it stands."""
        pieces = [(removal, *piece) for removal in removals for piece in removal.pieces]
        for removal in removals:
            removal.change = 0.0
        if not pieces:
            return
        rows = np.concatenate([rows for _, rows, _ in pieces])
        votes = np.concatenate([self._votes[rows] + shift for _, rows, shift in pieces])
        losses = self._examples.losses(votes, self._default, rows) * self._examples.shares[rows]
        changes = losses - self._losses[rows]
        ends = np.cumsum([len(rows) for _, rows, _ in pieces])
        for (removal, rows, _), end in zip(pieces, ends, strict=True):
            removal.change += float(changes[end - len(rows) : end].sum())

    def _removals(self, rule: _Rule) -> list[_Removal]:
        """Return the removal of a rule, then those of its literals as added; found once."""
        if not rule.removals:
            covered = np.flatnonzero(rule.cover)
            rule.removals.append(_Removal(rule, None, [(covered, -rule.vector)]))
            m = rule.monomial
            shorter = [m[:i] + m[i + 1 :] for i in range(len(m))] if len(m) > 1 else []
            for other in self._rules(shorter):
                pieces = [(np.flatnonzero(other.cover & ~rule.cover), other.vector)]
                if (other.vector != rule.vector).any():
                    pieces.append((covered, other.vector - rule.vector))
                rule.removals.append(_Removal(rule, other, pieces))
        return rule.removals

    def _rules(self, monomials: Iterable[Chain]) -> list[_Rule]:
        satisfied = self._examples.satisfied
        monomials = list(monomials)
        covers = np.array([satisfied[:, list(m)].all(axis=1) for m in monomials], np.bool_)
        covers = covers.reshape(len(monomials), len(satisfied))
        vectors = self._examples.vectors(covers)
        return [_Rule(*parts) for parts in zip(monomials, covers, vectors, strict=True)]
