"""The training examples, those that satisfy the same monomials taken together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.sample.distinct_rows import UNTHREADED
from widc_arff.model.decision import decide, distribution, tied_for_the_top

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats, Integers


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """The training examples, those that satisfy the same monomials taken together.

    Parameters
    ----------
    satisfied : ndarray of bool of shape (n_patterns, n_rules)
        Which monomials the examples of a pattern satisfy.
    class_weights : ndarray of float64 of shape (n_patterns, n_classes)
        Weight of its examples of each class, in quanta.
    costs : ndarray of float64 of shape (n_classes, n_classes), optional
        What it costs to take a class (rows) for another (columns); by default 1.  With it errors
        are costs everywhere.
    given_votes : ndarray of int16 of shape (n_classes, n_patterns), optional
        Votes of rules that are not learned but given, by default none.
    """

    satisfied: Bools
    class_weights: Floats
    costs: Floats | None = None
    given_votes: NDArray[np.int16] | None = None

    def take(self, kept: Sequence[int]) -> Patterns:
        """Return the patterns of some of the monomials, not yet taken together."""
        return replace(self, satisfied=self.satisfied[:, kept])

    def votes(self, vectors: Integers, kept: Sequence[int] | slice = slice(None)) -> Integers:
        """Return the summed votes with some of the rules, shape (n_patterns, n_classes)."""
        holds, of_rules = self.satisfied[:, kept], vectors[kept].astype(np.float64)
        votes = np.empty((len(holds), of_rules.shape[1]), np.int64)
        step = max(1, UNTHREADED // max(1, of_rules.size))
        for first in range(0, len(votes), step):
            some = slice(first, first + step)
            votes[some] = holds[some].astype(np.float64) @ of_rules
        return votes if self.given_votes is None else votes + self.given_votes.T

    def covered_weights(self, k: int) -> Floats:
        """Return the class weights of the examples that satisfy a monomial, (n_classes,)."""
        return np.asarray(self.class_weights[self.satisfied[:, k]].sum(axis=0))

    @property
    def prior(self) -> Floats:
        """Class distribution of the examples, shape (n_classes,)."""
        return distribution(self.class_weights.sum(axis=0))

    @property
    def total_weight(self) -> float:
        """Weight of all examples in quanta."""
        return float(self.class_weights.sum())

    def ambiguous(self, votes: Integers) -> Floats:
        """Return the class weights of the examples whose largest vote is not unique."""
        ties = tied_for_the_top(votes).sum(axis=1) > 1
        return np.asarray(self.class_weights[ties].sum(axis=0))

    def errors(self, votes: Integers, scores: Floats) -> Floats:
        """Return the weight of the wrong examples of each pattern, shape (n_patterns,)."""
        return wrong_weights(self.class_weights, decide(votes, scores), self.costs)


def collect_patterns(
    covers: Iterable[Bools],
    class_weights: Iterable[Floats],
    costs: Floats | None = None,
    given_votes: NDArray[np.int16] | None = None,
) -> Patterns:
    """Return the distinct patterns of satisfied monomials.

    Parameters
    ----------
    covers : iterable of ndarray of bool of shape (n_samples,)
        The examples that satisfy each monomial.
    class_weights : iterable of ndarray of float64 of shape (n_samples,)
        For each class the weight of the examples in quanta, 0 for those of other classes.
    costs : ndarray of float64 of shape (n_classes, n_classes), optional
        As in `Patterns`.
    given_votes : ndarray of int16 of shape (n_classes, n_samples), optional
        Votes of rules that are given; patterns differ in them too.
    """
    pattern: Integers | int = 0
    n_patterns, held = 1, []
    for cover in covers:
        refined = 2 * pattern + cover
        is_used = np.zeros(2 * n_patterns, np.bool_)
        is_used[refined] = True
        numbers = np.cumsum(is_used) - 1
        pattern, n_patterns = numbers[refined], int(numbers[-1]) + 1
        held.append(cover)
    first = np.zeros(n_patterns, np.int64)
    if held:
        first[pattern] = np.arange(len(held[0]))
    satisfied = np.array([cover[first] for cover in held], np.bool_).reshape(-1, n_patterns).T
    if given_votes is not None:
        distinct, number = np.unique(given_votes, axis=1, return_inverse=True)
        n_distinct = distinct.shape[1]
        used, pattern = np.unique(pattern * n_distinct + number.reshape(-1), return_inverse=True)
        satisfied, given_votes = satisfied[used // n_distinct], distinct[:, used % n_distinct]
    sums = [
        np.bincount(np.broadcast_to(pattern, len(w)), w, minlength=len(satisfied))
        for w in class_weights
    ]
    return Patterns(satisfied, np.column_stack(sums), costs, given_votes)


def merged_patterns(pieces: Sequence[Patterns]) -> Patterns:
    """Return the patterns of all examples from those of several parts of them, one at least."""
    satisfied = np.concatenate([piece.satisfied for piece in pieces])
    class_weights = np.concatenate([piece.class_weights for piece in pieces])
    packed = np.packbits(satisfied, axis=1)
    packed = np.pad(packed, ((0, 0), (0, 1)))  # where there are no rules: one byte at least
    keys = np.ascontiguousarray(packed).view(f"V{packed.shape[1]}")[:, 0]
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    return Patterns(satisfied[first], sums_by(number, class_weights.T, len(first)))


def right_weights(class_weights: Floats, costs: Floats | None) -> Floats:
    """Return the weight that is right with each decision, shape (n_classes, n_patterns).

    With costs: the weight less what the decision costs, which may be negative.
    """
    if costs is None:
        return class_weights
    return np.asarray(class_weights.sum(axis=0) - np.einsum("jk,jn->kn", costs, class_weights))


def wrong_weights(
    class_weights: Floats,
    winners: Integers,
    costs: Floats | None,
) -> Floats:
    """Return the weight outside the winning class of each row, or what the decision costs."""
    right = right_weights(class_weights.T, costs)[winners, np.arange(len(winners))]
    return np.asarray(class_weights.sum(axis=1) - right)


def sums_by(number: Integers, class_weights: Floats, n: int) -> Floats:
    """Return class weights of shape (n_classes, n_patterns) by number, shape (n, n_classes)."""
    sums = [np.bincount(number, weights, minlength=n) for weights in class_weights]
    return np.array(sums, np.float64).T
