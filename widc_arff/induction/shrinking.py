"""Refined pruning, first part: the removal of rules and of single literals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.contest import MANY_CLASSES, N_EVALUATED, Contest, most_promising, ranks
from widc_arff.induction.distinct_rows import product
from widc_arff.induction.pruning import (
    SizeLimits,
    Standing,
    collect_patterns,
    prune_pessimistic,
    right_weights,
)
from widc_arff.tolerance import first_least

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.induction.counter import Chain
    from widc_arff.induction.description_length import DescriptionLength
    from widc_arff.induction.distinct_rows import DistinctRows

MANY_PATTERNS = 1000
LARGEST_SPREAD = 4  # of the change from one vector to another


def shrink(
    rows: DistinctRows,
    monomials: Sequence[Chain],
    length: DescriptionLength,
    limits: SizeLimits,
    known: frozenset[frozenset[int]] = frozenset(),
) -> list[Chain]:
    """Return the committee of least description length in a sequence of removals.

    The paper's pessimistic pruning first.  Then each step removes one rule, or one literal of a
    rule with at least two, whose vector is found anew on its larger cover: whatever leaves the
    least J, the first in order among equals; down to the empty committee.  Of many classes or
    patterns the most promising removals are looked at exactly (`_Descent.best`).

    Parameters
    ----------
    rows : DistinctRows
        The training examples.
    monomials : sequence of tuple of int
        The committee, as literals of the catalogue.
    length : DescriptionLength
        J.
    limits : SizeLimits
        Only committees within them may be returned.
    known : frozenset of frozenset of int
        Monomials that must not come up.

    Returns
    -------
    list of tuple of int
        Of equal ones the smallest.
    """
    descent = _Descent(rows, monomials, known)
    descent.prune()
    sequence = [descent.monomials]
    values = [length.of_one(descent.error(), descent.size)]
    while descent.rules:
        removals = descent.best(descent.removals(), length)
        sizes = np.array([removal.size for removal in removals])
        lengths = length.of(descent.errors_after(removals), sizes)
        first = first_least(lengths)
        descent.remove(removals[first])
        sequence.append(descent.monomials)
        values.append(float(lengths[first]))
    allowed = [
        limits.allow(range(len(committee)), [len(monomial) for monomial in committee])
        for committee in sequence
    ]
    # The sizes fall along the sequence: of equal ones the last is the smallest.
    backwards = np.where(allowed, values, np.inf)[::-1]
    return sequence[len(sequence) - 1 - first_least(backwards)]


@dataclass(frozen=True, slots=True, eq=False)
class _Rule:
    """A rule on the patterns: where it holds, its votes, and itself without each literal."""

    monomial: Chain
    cover: NDArray[np.bool_]
    vector: NDArray[np.int16]
    shorter: list[tuple[_Rule, _Pieces]]


_Pieces = list[tuple["NDArray[np.int64]", "NDArray[np.int16]"]]
"""How votes change: patterns, and what is added to the votes of each."""


@dataclass(frozen=True, slots=True, eq=False)
class _Removal:
    """A change of the rule at one place: to a shorter rule, or to none."""

    place: int
    rule: _Rule | None
    size: int
    pieces: _Pieces


class _Descent:
    """A committee on the distinct patterns of its literals, which loses rules and literals."""

    def __init__(
        self,
        rows: DistinctRows,
        monomials: Sequence[Chain],
        known: frozenset[frozenset[int]],
    ) -> None:
        self._known = known
        self._literals = sorted({literal for monomial in monomials for literal in monomial})
        self._voting = rows.voting
        self._patterns = collect_patterns(
            rows.truth[self._literals],
            rows.class_weights,
            rows.voting.costs,
            rows.given_votes,
        )
        self._prior = self._patterns.prior
        self._weights = np.ascontiguousarray(self._patterns.class_weights.T)
        self._row = {literal: i for i, literal in enumerate(self._literals)}
        self.rules = self._rules(monomials)
        self._votes = self._sum_of_votes()

    @property
    def monomials(self) -> list[Chain]:
        """The rules without their vectors."""
        return [rule.monomial for rule in self.rules]

    @property
    def size(self) -> int:
        """Literals in all."""
        return sum(len(rule.monomial) for rule in self.rules)

    def prune(self) -> None:
        """Prune as the paper does (section 5.3.1)."""
        if not self.rules:
            return
        satisfied = np.zeros((self._votes.shape[1], len(self.rules)), np.bool_)
        for k, rule in enumerate(self.rules):
            satisfied[rule.cover, k] = True
        kept = prune_pessimistic(
            replace(self._patterns, satisfied=satisfied),
            np.array([rule.vector for rule in self.rules]),
            [len(rule.monomial) for rule in self.rules],
        )
        self.rules = [self.rules[k] for k in kept]
        self._votes = self._sum_of_votes()

    def error(self) -> float:
        """Return the weight of the errors in quanta."""
        return self._standing().error()

    def removals(self) -> list[_Removal]:
        """Return the removals: rule by rule the whole rule, then its literals as added."""
        taken = {frozenset(rule.monomial) for rule in self.rules} | self._known
        removals, total = [], self.size
        for place, rule in enumerate(self.rules):
            size = total - len(rule.monomial)
            pieces = [(np.flatnonzero(rule.cover), -rule.vector)]
            removals.append(_Removal(place, None, size, pieces))
            for shorter, shorter_pieces in self._shorter(rule):
                if frozenset(shorter.monomial) not in taken:
                    new_size = size + len(shorter.monomial)
                    removals.append(_Removal(place, shorter, new_size, shorter_pieces))
        return removals

    def best(self, removals: list[_Removal], length: DescriptionLength) -> list[_Removal]:
        """Return the removals that are worth an exact look, in scan order.

        Of more than ten classes, and of more than two in many patterns, those of least J with the
        default vector held fixed.
        """
        n_classes, n_patterns = self._weights.shape
        few = n_classes <= MANY_CLASSES and (n_classes <= 2 or n_patterns <= MANY_PATTERNS)
        if few or len(removals) <= N_EVALUATED:
            return removals
        standing = self._standing()
        right = right_weights(self._weights, self._voting.costs)
        contest = Contest(self._votes, ranks(standing.scores), right, LARGEST_SPREAD)
        pattern, piece, shifts, removal = self._changes(removals, standing.lead)
        gains = contest.gains_of_pairs(pattern, piece, shifts)
        saved = np.bincount(removal[piece], gains, minlength=len(removals))
        errors = self._weights.sum() - contest.won.sum() - saved
        scores = length.of(errors, np.array([removal.size for removal in removals]))
        return [removals[i] for i in np.sort(most_promising(scores))]

    def errors_after(self, removals: Sequence[_Removal]) -> NDArray[np.float64]:
        """Return the weight of the errors after each removal, in quanta."""
        standing = self._standing()
        pattern, piece, shifts, removal = self._changes(removals, standing.lead)
        votes = self._votes[:, pattern] + shifts.T[:, piece]
        return standing.errors_after(pattern, removal[piece], votes, len(removals))

    def _changes(
        self, removals: Sequence[_Removal], lead: NDArray[np.integer]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int16], NDArray[np.int64]]:
        """Return the pairs of a pattern and a piece that can change its decision.

        Then what each piece adds to the votes, and the removal that it belongs to.
        """
        pieces = [
            (number, *piece) for number, removal in enumerate(removals) for piece in removal.pieces
        ]
        shifts = np.array([shift for _, _, shift in pieces])
        spread = shifts.max(axis=1) - shifts.min(axis=1)
        lengths = [len(patterns) for _, patterns, _ in pieces]
        piece = np.repeat(np.arange(len(pieces)), lengths)
        pattern = np.concatenate([patterns for _, patterns, _ in pieces])
        # The leader moves against another class by the spread of the shift at most.
        critical = (lead[pattern] <= spread[piece]) & (spread[piece] > 0)
        removal = np.array([number for number, _, _ in pieces])
        return pattern[critical], piece[critical], shifts, removal

    def remove(self, removal: _Removal) -> None:
        """Carry a removal out."""
        for patterns, shift in removal.pieces:
            self._votes[:, patterns] += shift[:, None]
        new = [] if removal.rule is None else [removal.rule]
        self.rules[removal.place : removal.place + 1] = new

    def _standing(self) -> Standing:
        return Standing(self._weights, self._votes, self._prior, self._voting.costs)

    def _sum_of_votes(self) -> NDArray[np.int16]:
        votes = np.zeros(self._weights.shape, np.int16)
        if self._patterns.given_votes is not None:
            votes += self._patterns.given_votes
        for rule in self.rules:
            votes[:, rule.cover] += rule.vector[:, None]
        return votes

    def _shorter(self, rule: _Rule) -> list[tuple[_Rule, _Pieces]]:
        """Return a rule without each of its literals, and how votes change; found once."""
        if not rule.shorter and len(rule.monomial) > 1:
            n = len(rule.monomial)
            covered = np.flatnonzero(rule.cover)
            for shorter in self._rules(
                [rule.monomial[:i] + rule.monomial[i + 1 :] for i in range(n)]
            ):
                pieces = [(np.flatnonzero(shorter.cover & ~rule.cover), shorter.vector)]
                if (shorter.vector != rule.vector).any():
                    pieces.append((covered, shorter.vector - rule.vector))
                rule.shorter.append((shorter, pieces))
        return rule.shorter

    def _rules(self, monomials: Sequence[Chain]) -> list[_Rule]:
        satisfied = self._patterns.satisfied
        covers = np.array(
            [satisfied[:, [self._row[i] for i in monomial]].all(axis=1) for monomial in monomials]
        ).reshape(len(monomials), len(satisfied))
        weights = product(covers.astype(np.float64), self._patterns.class_weights, slice(None))
        demanded = self._voting.demanded(monomials)
        vectors = self._voting.best(weights, demanded).astype(np.int16)
        return [
            _Rule(monomial, cover, vector, [])
            for monomial, cover, vector in zip(monomials, covers, vectors, strict=True)
        ]
