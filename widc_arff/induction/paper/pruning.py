"""Stage 3: removing rules from the large committee (section 5.3).

Prunings work on the distinct patterns of satisfied monomials instead of on the examples.  Where an
example can have several labels, the ranking loss takes the place of the error.
"""

from __future__ import annotations

from collections import Counter
from operator import eq, gt, le, ne
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.constraints.limits import Limits
from widc_arff.induction.sample.patterns import right_weights, sums_by, wrong_weights
from widc_arff.induction.sample.views import ABOVE, AT_MOST, EQUAL, UNEQUAL
from widc_arff.model.decision import decide, default_vector, tie_scores
from widc_arff.tolerance import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.induction.losses.ranking_loss import RankedExamples
    from widc_arff.induction.sample.coding import Catalogue
    from widc_arff.induction.sample.patterns import Patterns
    from widc_arff.observer import Observer

RESAMPLED = 5000


def prune_pessimistic(
    patterns: Patterns,
    vectors: Integers,
    sizes: Sequence[int],
    limits: Limits | None = None,
    start: Sequence[int] | None = None,
    observer: Observer | None = None,
) -> list[int]:
    """Return the rules to keep: the smallest committee of least training error (section 5.3.1).

    From the full committee, each step removes the rule whose removal gives the least error; equal:
    the rule with more literals, then the later one.

    Parameters
    ----------
    patterns : Patterns
        The training examples.
    vectors : ndarray of int64 of shape (n_rules, n_classes)
        Votes of each rule.
    sizes : sequence of int
        Number of literals of each rule.
    limits : Limits, optional
        Only committees of the sequence within them may be returned.
    start : sequence of int, optional
        Rules of the committee to begin with; by default all.
    observer : Observer, optional
        Is told of the removals.

    Returns
    -------
    list of int
        Increasing.
    """
    limits = limits or Limits()
    alive = list(range(len(vectors))) if start is None else list(start)
    weights = np.ascontiguousarray(patterns.class_weights.T)
    vectors = vectors.astype(np.int16)
    votes = vectors[alive].T @ patterns.satisfied[:, alive].T.astype(np.int16)
    if patterns.given_votes is not None:
        votes = votes + patterns.given_votes
    total, prior = patterns.total_weight, patterns.prior
    error = PruningState(weights, votes, prior, patterns.costs).error()
    best: list[int] = []
    least = np.inf
    while True:
        if limits.allow(len(alive), sum(sizes[k] for k in alive)) and error <= least + _slack(
            min(least, error), total
        ):
            best, least = list(alive), min(error, least)
        if not alive:
            return best
        state = PruningState(weights, votes, prior, patterns.costs)
        errors = state.errors_without(patterns.satisfied[:, alive], vectors[alive])
        equal = np.flatnonzero(errors <= errors.min() + _slack(errors.min(), total))
        removed = max((alive[i] for i in equal), key=lambda k: (sizes[k], k))
        error = float(errors[alive.index(removed)])
        alive.remove(removed)
        if observer is not None:
            observer.removed(removed + 1, error / total)
        votes = votes - np.outer(vectors[removed], patterns.satisfied[:, removed])


def _slack(error: float, total: float) -> float:
    """Return the tolerance for errors as weights: 1e-9 (1 + value) for fractions of the total."""
    return TOLERANCE * (total + error)


class PruningState:
    """How the examples stand with a committee, and the errors after changes of it.

    Parameters
    ----------
    class_weights : ndarray of float64 of shape (n_classes, n_patterns)
        Weight of the examples, in quanta.
    votes : ndarray of int of shape (n_classes, n_patterns)
        Their summed votes.
    prior : ndarray of float64 of shape (n_classes,)
        Class distribution of all examples.
    costs : ndarray of float64 of shape (n_classes, n_classes), optional
        As in `Patterns`.
    """

    def __init__(
        self,
        class_weights: Floats,
        votes: NDArray[np.integer],
        prior: Floats,
        costs: Floats | None = None,
    ) -> None:
        self.class_weights = class_weights
        self._costs = costs
        self._right = right_weights(class_weights, costs)
        self.votes = votes
        self.prior = prior
        self._totals = class_weights.sum(axis=0)
        winner, self.lead = leaders(votes)
        self.is_tied = self.lead == 0
        self.decided_errors = self._decided_errors(np.arange(len(winner)), winner, self.is_tied)

    def _decided_errors(
        self,
        pattern: Integers,
        winner: Integers,
        is_tied: Bools,
    ) -> Floats:
        """Return the wrong weight of patterns where the largest vote is unique, 0 elsewhere."""
        errors = self._totals[pattern] - self._right[winner, pattern]
        errors[is_tied] = 0.0
        return np.asarray(errors)

    @property
    def scores(self) -> Floats:
        """Which class wins among tied ones: `tie_scores` of the committee's default vector."""
        ambiguous = self.class_weights[:, self.is_tied].sum(axis=1)
        return tie_scores(default_vector(ambiguous, self.prior), self.prior)

    def error(self) -> float:
        """Return the weight of the errors."""
        nothing = np.zeros(0, np.int64)
        return float(self.errors_after(nothing, nothing, self.votes[:, :0], 1)[0])

    def errors_without(self, satisfied: Bools, vectors: Integers) -> Floats:
        """Return the error after the removal of each rule alone, default vector recomputed.

        Parameters
        ----------
        satisfied : ndarray of bool of shape (n_patterns, n_rules)
            Which patterns satisfy each rule of the committee.
        vectors : ndarray of int64 of shape (n_rules, n_classes)
            Votes of each.

        Returns
        -------
        ndarray of float64 of shape (n_rules,)

        Notes
        -----
        Only pairs of a rule and a pattern whose decision the removal can change are looked at:
        the leader moves against another class by the spread of the vector at most.
        """
        spread = vectors.max(axis=1) - vectors.min(axis=1)
        pattern, rule = np.nonzero(satisfied & (self.lead[:, None] <= spread))
        votes = self.votes[:, pattern] - vectors.T[:, rule]
        return self.errors_after(pattern, rule, votes, len(vectors))

    def errors_after(
        self,
        pattern: Integers,
        candidate: Integers,
        votes: NDArray[np.integer],
        n_candidates: int,
    ) -> Floats:
        """Return the error of each of some changed committees, default vector recomputed.

        Parameters
        ----------
        pattern, candidate : ndarray of int64 of shape (n_changes,)
            Pairs of a pattern whose votes change and the committee that changes them.
        votes : ndarray of int of shape (n_classes, n_changes)
            The votes after the change.
        n_candidates : int
            Number of changed committees.

        Returns
        -------
        ndarray of float64 of shape (n_candidates,)
        """
        weights = self.class_weights
        winner, lead = leaders(votes)
        is_tied = lead == 0
        new = self._decided_errors(pattern, winner, is_tied)
        changes = np.bincount(candidate, new - self.decided_errors[pattern], minlength=n_candidates)
        errors = self.decided_errors.sum() + changes

        # What is ambiguous after a change: the old ambiguous patterns for every candidate, less
        # those that changed, plus those that are new.
        old, left, added = map(np.flatnonzero, (self.is_tied, self.is_tied[pattern], is_tied))
        sets, number = _tie_sets(np.hstack([self.votes[:, old], votes[:, added]]))
        number_of = np.zeros(len(self.is_tied), np.int64)
        number_of[old] = number[: len(old)]
        before = sums_by(number[: len(old)], weights[:, old], len(sets))
        cells = np.concatenate(
            [
                candidate[left] * len(sets) + number_of[pattern[left]],
                candidate[added] * len(sets) + number[len(old) :],
            ]
        )
        changes_of_weight = sums_by(
            cells,
            np.hstack([-weights[:, pattern[left]], weights[:, pattern[added]]]),
            n_candidates * len(sets),
        )
        table = before + changes_of_weight.reshape(n_candidates, *before.shape)
        return np.asarray(errors + self._ambiguous_errors(table, sets))

    def _ambiguous_errors(self, table: Floats, sets: Bools) -> Floats:
        """Return the weight of the wrong among the ambiguous examples of each committee.

        Parameters
        ----------
        table : ndarray of shape (n_committees, n_sets, n_classes)
            Class weights of the examples with each set of tied classes.
        sets : ndarray of bool of shape (n_sets, n_classes)
            The sets.
        """
        totals = table.sum(axis=1)
        sums = totals.sum(axis=1, keepdims=True)
        default = np.where(sums > 0, totals / np.where(sums > 0, sums, 1.0), self.prior)
        scores = tie_scores(default, self.prior)
        winners = np.where(sets, scores[:, None, :], -1.0).argmax(axis=2)
        if self._costs is not None:
            table = table.sum(axis=2, keepdims=True) - table @ self._costs
        right = np.take_along_axis(table, winners[:, :, None], axis=2).sum(axis=(1, 2))
        return np.asarray(totals.sum(axis=1) - right)


def leaders(
    votes: NDArray[np.integer],
) -> tuple[Integers, NDArray[np.integer]]:
    """Return the class with the largest vote, and its lead over the next.

    Parameters
    ----------
    votes : ndarray of int16 of shape (n_classes, n)

    Returns
    -------
    winner : ndarray of int64 of shape (n,)
        The first of several.
    lead : ndarray of int16 of shape (n,)
        0 where several share the largest vote.
    """
    first, second = votes[0], np.full_like(votes[0], np.iinfo(np.int16).min // 2)
    winner = np.zeros(votes.shape[1], np.int64)
    for j, vote in enumerate(votes[1:], start=1):
        winner[vote > first] = j
        second = np.maximum(second, np.minimum(first, vote))
        first = np.maximum(first, vote)
    return winner, first - second


def _tie_sets(votes: NDArray[np.integer]) -> tuple[Bools, Integers]:
    """Return the distinct sets of classes tied for the top, and the number of each pattern's.

    Parameters
    ----------
    votes : ndarray of int of shape (n_classes, n_tied)

    Returns
    -------
    sets : ndarray of bool of shape (n_sets, n_classes)
    number : ndarray of int64 of shape (n_tied,)
    """
    if len(votes) == 2:  # there is one set of two
        return np.ones((1, 2), np.bool_), np.zeros(votes.shape[1], np.int64)
    tied = votes == votes.max(axis=0)
    if len(votes) < 63:
        keys = np.zeros(votes.shape[1], np.int64)
        for j, is_top in enumerate(tied):
            keys += is_top.astype(np.int64) << j
    else:
        packed = np.ascontiguousarray(np.packbits(tied, axis=0).T)
        keys = packed.view(f"V{packed.shape[1]}")[:, 0]
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    return tied[:, first].T, number


def prune_optimistic(
    patterns: Patterns,
    vectors: Integers,
    penalties: OptimisticPenalty,
    observer: Observer | None = None,
) -> list[int]:
    """Return the rules to keep after one pass of local tests (section 5.3.2).

    Each rule is tested once, from the last induced to the first (I13).  It is removed if its error
    on the examples that satisfy it, plus a penalty, is at least the error there without it.  Both
    errors use the default vector of the current committee.

    Parameters
    ----------
    patterns : Patterns
        The training examples.
    vectors : ndarray of int64 of shape (n_rules, n_classes)
        Votes of each rule.
    penalties : OptimisticPenalty
        Gives alpha of eq. (8).
    observer : Observer, optional
        Is told of the removals.

    Returns
    -------
    list of int
        Increasing.
    """
    kept = list(range(len(vectors)))
    votes = patterns.votes(vectors, kept)
    scores = _current_scores(patterns, votes)
    for rule in reversed(range(len(vectors))):
        local = np.flatnonzero(patterns.satisfied[:, rule])
        weights = patterns.class_weights[local]
        weight = float(weights.sum())
        error = wrong_weights(weights, decide(votes[local], scores), patterns.costs).sum() / weight
        decided = decide(votes[local] - vectors[rule], scores)
        without = wrong_weights(weights, decided, patterns.costs).sum() / weight
        others = [k for k in kept if k != rule]
        if error + penalties.alpha(others, weight) >= without - TOLERANCE * (1 + without):
            kept = others
            votes[local] -= vectors[rule]
            scores = _current_scores(patterns, votes)
            if observer is not None:
                wrong = float(patterns.errors(votes, scores).sum())
                observer.removed(rule + 1, wrong / patterns.total_weight)
    return kept


class OptimisticPenalty:
    """Alpha of eq. (8), with n and Set as I12 makes them exact.

    Parameters
    ----------
    catalogue : Catalogue
        The literals.
    monomials : sequence of tuple of int
        Indices in the catalogue.
    delta : float
        Confidence, in (0, 1).
    example_weight, n_examples : float
        Weight of one quantum in examples, and of all examples.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        monomials: Sequence[tuple[int, ...]],
        delta: float,
        example_weight: float,
        n_examples: float,
    ) -> None:
        self._catalogue = catalogue
        self._monomials = monomials
        self._log_n = np.log(max(catalogue.n_variables, 2))
        self._log_delta = np.log(1 / delta)
        # The paper resamples small samples to 5,000 examples; this is the expectation.
        self._scale = example_weight * max(1.0, RESAMPLED / n_examples)

    def alpha(self, others: Sequence[int], weight: float) -> float:
        """Return the penalty of a rule that covers `weight` quanta beside other rules."""
        literals = [literal for k in others for literal in self._monomials[k]]
        numerator = (self._most_satisfied(literals) + 2) * self._log_n + self._log_delta
        return float(np.sqrt(numerator / (weight * self._scale)))

    def _most_satisfied(self, literals: Sequence[int]) -> int:
        """Return how many of some literals one observation can satisfy at most."""
        catalogue = self._catalogue
        by_attribute: dict[int, Counter[tuple[int, int]]] = {}
        for i in literals:
            key = (int(catalogue.operator[i]), int(catalogue.code[i]))
            by_attribute.setdefault(int(catalogue.column[i]), Counter())[key] += 1
        return sum(
            _most_at_one_value(counts, catalogue.n_values[attribute])
            for attribute, counts in by_attribute.items()
        )


def _most_at_one_value(counts: Counter[tuple[int, int]], n_values: int) -> int:
    """Return the most literals of one attribute that one of its values satisfies.

    It is enough to try the codes that occur, those above them, and the lowest.
    """
    tests = {EQUAL: eq, UNEQUAL: ne, AT_MOST: le, ABOVE: gt}
    codes = {code for _, code in counts}
    tried = {0} | codes | {code + 1 for code in codes}
    return max(
        sum(n for (operator, code), n in counts.items() if tests[operator](value, code))
        for value in tried
        if value < n_values
    )


def _current_scores(patterns: Patterns, votes: Integers) -> Floats:
    return tie_scores(default_vector(patterns.ambiguous(votes), patterns.prior), patterns.prior)


def prune_by_ranking_loss(
    examples: RankedExamples,
    vectors: Integers,
    sizes: Sequence[int],
    limits: Limits,
    observer: Observer | None = None,
) -> list[int]:
    """Return the rules to keep: the smallest committee of least training ranking loss.

    From the full committee, each step removes the rule whose removal gives the least loss, the
    default vector recomputed; equal: the rule with more literals, then the later one.

    Parameters
    ----------
    examples : RankedExamples
        The training examples.
    vectors : ndarray of int64 of shape (n_given + n_rules, n_labels)
        Votes of each rule, after those of rules that stay.
    sizes : sequence of int
        Number of literals of each rule that may go.
    limits : Limits
        Only committees of the sequence within them may be returned.
    observer : Observer, optional
        Is told of the removals.

    Returns
    -------
    list of int
        Increasing.

    Notes
    -----
    Time is O(n_rules^2 n_samples n_labels log n_labels).
    """
    votes = examples.satisfied.astype(np.int64) @ vectors
    n_given = len(vectors) - len(sizes)
    satisfied, vectors = examples.satisfied[:, n_given:], vectors[n_given:]
    alive = list(range(len(sizes)))
    loss = examples.loss(votes, examples.default_vector(votes))
    best: list[int] = []
    least = np.inf
    while True:
        if limits.allow(len(alive), sum(sizes[k] for k in alive)) and loss <= least + TOLERANCE:
            best, least = list(alive), min(loss, least)
        if not alive:
            return best
        losses = {}
        for k in alive:
            without = votes - np.outer(satisfied[:, k], vectors[k])
            losses[k] = examples.loss(without, examples.default_vector(without))
        loss = min(losses.values())
        equal = [k for k in alive if losses[k] <= loss + TOLERANCE]
        removed = max(equal, key=lambda k: (sizes[k], k))
        loss = losses[removed]
        alive.remove(removed)
        if observer is not None:
            observer.removed(removed + 1, loss)
        votes = votes - np.outer(satisfied[:, removed], vectors[removed])
