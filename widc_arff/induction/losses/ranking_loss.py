"""The ranking loss, where an example can have several labels.

Votes rank the labels of an example, the default vector decides ties.  The *ranking loss* of an
example is the share of its pairs of a label that it has and one that it has not in which the first
does not rank above the second.  Examples with no label or all labels have no such pair and play no
part here.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.losses import TieOrder, scores_in_ties
from widc_arff.model.decision import default_vector, distribution, tie_scores
from widc_arff.tolerance import EPSILON, FIXED_POINT

if TYPE_CHECKING:
    from widc_arff.arrays import Bools, Floats, Integers, Votes


def step_of_sums(weights: Floats, n_held: Integers, moved: float) -> float:
    """Return of what the sums of weight / |Y| over some rows are multiples.

    0 where sums that rounding moves by `moved` in all do not tell which.
    """
    n_parts = min(math.lcm(*set(n_held.tolist())), 1 << 60)
    step = float(np.gcd.reduce(weights.astype(np.int64))) / n_parts
    return step if moved < step else 0.0


def in_steps(sums: Floats, step: float) -> Floats:
    """Return how many steps sums are, exactly: labels tie only where these are the same."""
    return np.asarray(np.rint(sums / step) if step else sums)


class RankedExamples:
    """The training examples that have some of the labels, but not all.

    Parameters
    ----------
    satisfied : ndarray of bool of shape (n_samples, n_rules)
        Which monomials each example satisfies.
    Y : ndarray of bool of shape (n_samples, n_labels)
        Label matrix, with a label at least.
    weights : ndarray of float64 of shape (n_samples,)
        Positive weights.

    Attributes
    ----------
    prior : ndarray of float64 of shape (n_labels,)
        Weight of all examples with each label, over the sum for all labels.
    ranked : ndarray of bool of shape (n_samples,)
        Which examples have some of the labels, but not all.
    row_of : ndarray of int64 of shape (n_ranked,)
        Row of each of them below: those that satisfy the same monomials and have the same labels
        are taken together.
    satisfied, Y : ndarray of bool of shape (n_rows, ...)
        Of the rows.
    shares : ndarray of float64 of shape (n_rows,)
        Weight of the examples of each row, over the sum of all.
    """

    def __init__(self, satisfied: Bools, Y: Bools, weights: Floats) -> None:
        self.prior = distribution(weights @ Y)
        self._present = Y.any(axis=0)
        n_present = int(self._present.sum())
        sizes = Y.sum(axis=1)
        self.ranked = (sizes > 0) & (sizes < n_present)
        keys = np.packbits(np.hstack([satisfied[self.ranked], Y[self.ranked]]), axis=1)
        _, first, number = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        self.row_of = number.ravel()
        weight = np.bincount(self.row_of, weights[self.ranked], len(first)).astype(np.float64)
        self.satisfied = satisfied[self.ranked][first]
        self.Y = Y[self.ranked][first]
        self.shares = weight / max(weight.sum(), 1.0)
        self._lacks = (~self.Y[:, self._present]).astype(np.int64)
        n_held = self.Y.sum(axis=1)
        self._label_share = weight / n_held
        self._step = step_of_sums(weight, n_held, len(weight) * EPSILON * weight.sum())

    def default_vector(self, votes: Integers) -> Floats:
        """Return the default vector D, shape (n_labels,).

        The mean of Y / |Y| over the ambiguous examples, those that have a label with the same
        votes as one that they have not; the prior where there are none.
        """
        keys = np.sort((votes[:, self._present] << 1) + self._lacks, axis=1)
        held_before_lacking = (np.diff(keys, axis=1) == 1) & (keys[:, :-1] & 1 == 0)
        ambiguous = held_before_lacking.any(axis=1)
        sums = self._label_share[ambiguous] @ self.Y[ambiguous]
        return default_vector(in_steps(sums, self._step), self.prior)

    def losses(self, votes: Integers, default: Floats, rows: Integers | None = None) -> Floats:
        """Return the ranking loss of each row, or of some with their votes, in [0, 1]."""
        if not len(votes):
            return np.zeros(0)
        lacks = self._lacks if rows is None else self._lacks[rows]
        votes, c = votes[:, self._present], lacks.shape[1]
        order = np.unique(tie_scores(default, self.prior)[self._present], return_inverse=True)[1]
        # One number for each label that sorts by votes, then default; of equal labels one that
        # the example lacks comes last, so that the pair counts as wrong.  Its last bit tells it.
        lowest = int(votes.min())
        small = (int(votes.max()) - lowest + 1) * c * 2 <= 2**16
        keys = (votes - lowest).astype(np.uint16 if small else np.int64)
        keys = ((keys * c + order.ravel().astype(keys.dtype)) << 1) + lacks.astype(keys.dtype)
        keys.sort(axis=1)
        # Each label that is lacking comes after others that are, and after some that are held.
        places = np.einsum("ij,j->i", keys & 1, np.arange(c), dtype=np.int64)
        n_lacking = lacks.sum(axis=1)
        n_wrong = places - n_lacking * (n_lacking - 1) // 2
        return np.asarray(n_wrong / (n_lacking * (c - n_lacking)))

    def loss(self, votes: Integers, default: Floats) -> float:
        """Return the mean ranking loss, in [0, 1]; 0 where no example has a pair."""
        return float(self.losses(votes, default) @ self.shares)


class RankingLoss:
    """The ranking loss on distinct rows of codes and label sets.

    Parameters
    ----------
    Y : ndarray of bool of shape (n_labels, n_rows)
        Label sets of the rows: some labels, but not all.
    weights : ndarray of float64 of shape (n_rows,)
        Weight of the examples of each row, in quanta.
    prior : ndarray of float64 of shape (n_labels,)
        Label distribution of all examples.
    """

    def __init__(self, Y: Bools, weights: Floats, prior: Floats) -> None:
        n_labels, n_held = len(Y), Y.sum(axis=0)
        self.prior, self.total = prior, float(weights.sum())
        self.bits_of_example, self.bits_of_correction = float(np.log2(n_labels)), 0.0
        # whole multiples of a small unit: sums are exact, in whatever order
        self._unit = 2.0 ** np.ceil(np.log2(self.total)) / FIXED_POINT
        self.label_weights: Floats = np.rint(weights / n_held / self._unit) * self._unit * Y
        self.weights: Floats = self.label_weights.sum(axis=0)
        self._lacks, self._weights = ~Y, weights
        self.is_whole, self.most_right = False, weights
        self._pairs = n_held * (n_labels - n_held)
        self._step = step_of_sums(weights, n_held, len(weights) * self._unit)

    def is_ambiguous(self, votes: Votes, rows: Integers | slice) -> Bools:
        """Return which rows have a label with the same votes as one that they have not."""
        keys = np.sort((votes << 1) + self._lacks[:, rows], axis=0)
        return np.asarray(((np.diff(keys, axis=0) == 1) & (keys[:-1] & 1 == 0)).any(axis=0))

    def order(self, ambiguous: Floats) -> TieOrder:
        """Return how ties go; labels of equal scores have the same rank, their pairs are wrong."""
        scores, of_rank = scores_in_ties(in_steps(ambiguous, self._step), self.prior)
        _, ranks = np.unique(scores, return_inverse=True)
        return TieOrder(ranks.reshape(-1).astype(np.int32), of_rank)

    def decided(self, keys: Votes, rows: Integers | slice) -> RankedRows:
        """Return the weights times the shares of the right pairs."""
        shares = self._weights[rows] / self._pairs[rows]
        return RankedRows(keys, self._lacks[:, rows], self._pairs[rows], shares, self._unit)


class RankedRows:
    """Which pairs of labels are right in some rows with their votes, and with one vote changed.

    Parameters
    ----------
    keys : ndarray of int32 of shape (n_labels, n_rows)
        The larger ranks above; labels of equal keys make a wrong pair.
    lacks : ndarray of bool of shape (n_labels, n_rows)
        Labels that a row has not.
    pairs : ndarray of int64 of shape (n_rows,)
        Pairs of a label that is held and one that is not.
    shares : ndarray of float64 of shape (n_rows,)
        Weight of a pair.
    unit : float
        Of which weights are multiples.
    """

    def __init__(
        self, keys: Votes, lacks: Bools, pairs: Integers, shares: Floats, unit: float
    ) -> None:
        self._keys, self._lacks, self._pairs, self._shares = keys, lacks, pairs, shares
        self._unit = unit
        # of equal keys the label that is lacking comes last, so that the pair counts as wrong
        marked = np.sort((keys << 1) + lacks, axis=0) & 1
        n_lacking = lacks.sum(axis=0)
        places = np.arange(len(keys)) @ marked
        self._n_wrong: Integers = places - n_lacking * (n_lacking - 1) // 2
        self.right: Floats = self._weight_of(self._n_wrong)
        """Weight that is right in each row."""

    def move(self, step: int, labels: Integers, right: Floats) -> None:
        """Change the weight that is right in each row to that with one vote changed."""
        keys, lacks = self._keys, self._lacks
        n_wrong = np.empty((len(labels), keys.shape[1]), np.int64)
        for of_moved, label in zip(n_wrong, labels.tolist(), strict=True):
            lacking = lacks[label]
            low = keys[label] + min(step, 0) * len(keys) + lacking
            high = keys[label] + max(step, 0) * len(keys) + lacking
            # labels of the other kind over which this one passes
            passed = ((keys >= low) & (keys < high) & (lacks != lacking)).sum(axis=0)
            of_moved[:] = self._n_wrong + np.where(lacking == (step > 0), passed, -passed)
        right[:] = self._weight_of(n_wrong)

    def _weight_of(self, n_wrong: Integers) -> Floats:
        right = self._shares * (self._pairs - n_wrong)
        return np.asarray(np.rint(right / self._unit) * self._unit)
