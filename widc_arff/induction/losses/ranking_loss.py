"""The ranking loss, where an example can have several labels.

Votes rank the labels of an example, the default vector decides ties.  The *ranking loss* of an
example is the share of its pairs of a label that it has and one that it has not in which the first
does not rank above the second.  Examples with no label or all labels have no such pair and play no
part here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.decision import default_vector, distribution, tie_scores
from widc_arff.induction.losses import TieOrder, scores_in_ties

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff.induction.losses import Votes

    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Integers = NDArray[np.int64]

FIXED_POINT = 2.0**40


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

    def __init__(self, satisfied: Flags, Y: Flags, weights: Floats) -> None:
        self.prior = distribution(weights @ Y)
        self._present = Y.any(axis=0)
        n_present = int(self._present.sum())
        sizes = Y.sum(axis=1)
        self.ranked = (sizes > 0) & (sizes < n_present)
        keys = np.packbits(np.hstack([satisfied[self.ranked], Y[self.ranked]]), axis=1)
        _, first, number = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        self.row_of = number.ravel()
        weight = np.bincount(self.row_of, weights[self.ranked], minlength=len(first))
        self.satisfied = satisfied[self.ranked][first]
        self.Y = Y[self.ranked][first]
        self.shares = weight / max(weight.sum(), 1.0)
        self._lacks = (~self.Y[:, self._present]).astype(np.int64)
        n_held = self.Y.sum(axis=1)
        self._label_share = weight / n_held

    def default_vector(self, votes: Integers) -> Floats:
        """Return the default vector D, shape (n_labels,).

        The mean of Y / |Y| over the ambiguous examples, those that have a label with the same
        votes as one that they have not; the prior where there are none.
        """
        keys = np.sort((votes[:, self._present] << 1) + self._lacks, axis=1)
        held_before_lacking = (np.diff(keys, axis=1) == 1) & (keys[:, :-1] & 1 == 0)
        ambiguous = held_before_lacking.any(axis=1)
        return default_vector(self._label_share[ambiguous] @ self.Y[ambiguous], self.prior)

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

    def __init__(self, Y: Flags, weights: Floats, prior: Floats) -> None:
        n_labels, n_held = len(Y), Y.sum(axis=0)
        self.prior, self.total = prior, float(weights.sum())
        self.bits_of_example, self.bits_of_correction = float(np.log2(n_labels)), 0.0
        # whole multiples of a small unit: sums are exact, in whatever order
        self._unit = 2.0 ** np.ceil(np.log2(self.total)) / FIXED_POINT
        self.label_weights: Floats = self._rounded(weights / n_held) * Y
        self._lacks, self._weights = ~Y, weights
        self._pairs = n_held * (n_labels - n_held)

    def _rounded(self, values: Floats) -> Floats:
        return np.asarray(np.rint(values / self._unit) * self._unit)

    def is_ambiguous(self, votes: Votes, rows: Integers | slice) -> Flags:
        """Return which rows have a label with the same votes as one that they have not."""
        keys = np.sort((votes << 1) + self._lacks[:, rows], axis=0)
        return np.asarray(((np.diff(keys, axis=0) == 1) & (keys[:-1] & 1 == 0)).any(axis=0))

    def order(self, ambiguous: Floats) -> TieOrder:
        """Return how ties go; labels of equal scores have the same rank, their pairs are wrong."""
        scores, of_rank = scores_in_ties(ambiguous, self.prior)
        _, ranks = np.unique(scores, return_inverse=True)
        return TieOrder(ranks.reshape(-1).astype(np.int32), of_rank)

    def right(self, keys: Votes, order: TieOrder, rows: Integers | slice) -> Floats:  # noqa: ARG002
        """Return the weight times the share of the right pairs."""
        n_wrong = self._wrong_pairs(keys, self._lacks[:, rows])
        return self._right(n_wrong, rows)

    def right_if_moved(
        self,
        keys: Votes,
        step: int,
        labels: Integers,
        order: TieOrder,  # noqa: ARG002 - the protocol's
        rows: Integers,
    ) -> Floats:
        """Return the same if one label had other votes, shape (n_moved, n_some)."""
        lacks = self._lacks[:, rows]
        n_wrong = self._wrong_pairs(keys, lacks)
        moved = np.empty((len(labels), keys.shape[1]))
        for of_moved, label in zip(moved, labels.tolist(), strict=True):
            own, lacking = keys[label], lacks[label]
            # pairs with labels of the other kind, over which the label passes
            low = own + min(step, 0) * len(keys)
            high = own + max(step, 0) * len(keys)
            passed = (keys >= low + lacking) & (keys < high + lacking) & (lacks != lacking)
            n_passed = passed.sum(axis=0)
            of_moved[:] = n_wrong + np.where(lacking == (step > 0), n_passed, -n_passed)
        return self._right(moved, rows)

    def _right(self, n_wrong: Floats, rows: Integers | slice) -> Floats:
        return self._rounded(self._weights[rows] * (1 - n_wrong / self._pairs[rows]))

    @staticmethod
    def _wrong_pairs(keys: Votes, lacks: Flags) -> Floats:
        """Return the number of pairs in which a label that is held does not rank above one not."""
        # of equal keys the label that is lacking comes last, so that the pair counts as wrong
        marked = np.sort((keys << 1) + lacks, axis=0) & 1
        places = np.arange(len(keys)) @ marked
        n_lacking = lacks.sum(axis=0)
        return np.asarray(places - n_lacking * (n_lacking - 1) / 2)
