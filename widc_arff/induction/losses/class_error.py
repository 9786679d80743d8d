"""Errors: an example of one class is right or wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.decision import distribution
from widc_arff.induction.losses import TieOrder, scores_in_ties
from widc_arff.induction.patterns import right_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff.induction.losses import Bools, Floats, Ints, Votes


class ClassError:
    """The weight of the errors, or what they cost.

    Parameters
    ----------
    class_weights : ndarray of float64 of shape (n_classes, n_rows)
        Weight of the examples of each class in each row, in quanta.
    costs : ndarray of float64 of shape (n_classes, n_classes), optional
        What it costs to take a class (rows) for another (columns); by default 1.
    """

    def __init__(self, class_weights: Floats, costs: NDArray[np.float64] | None = None) -> None:
        self.label_weights = class_weights
        self.prior: Floats = distribution(class_weights.sum(axis=1))
        self.total = float(class_weights.sum())
        self.bits_of_example = 1.0
        self.bits_of_correction = float(np.log2(max(len(class_weights) - 1, 1)))
        self._right = right_weights(class_weights, costs)

    def is_ambiguous(self, votes: Votes, rows: Ints | slice) -> Bools:  # noqa: ARG002 - the protocol's
        """Return where the largest vote is not unique."""
        return np.asarray((votes == votes.max(axis=0)).sum(axis=0) > 1)

    def order(self, ambiguous: Floats) -> TieOrder:
        """Return how ties go: no two classes have the same rank."""
        _, of_rank = scores_in_ties(ambiguous, self.prior)
        ranks = np.empty(len(of_rank), np.int32)
        ranks[of_rank] = np.arange(len(of_rank))
        return TieOrder(ranks, of_rank)

    def right(self, keys: Votes, order: TieOrder, rows: Ints | slice) -> Floats:
        """Return the weight of the class with the largest key."""
        winners = order.of_rank[keys.max(axis=0) % len(keys)]
        right = self._right[:, rows] if isinstance(rows, slice) else self._right
        places = np.arange(len(winners)) if isinstance(rows, slice) else rows
        return np.asarray(right[winners, places])

    def right_if_moved(
        self, keys: Votes, step: int, labels: Ints, order: TieOrder, rows: Ints
    ) -> Floats:
        """Return the weight that is right if one class had other votes, (n_moved, n_some).

        One vote more can only make its class the winner, one less only make the second one win.
        """
        n_classes, every = len(keys), np.arange(keys.shape[1])
        top = keys.max(axis=0)
        first = order.of_rank[top % n_classes]
        right = self._right[:, rows]
        of_first = right[first, every]
        if step > 0:
            return np.where(keys[labels] + step * n_classes > top, right[labels], of_first)
        moved = np.repeat(of_first[None], len(labels), axis=0)
        keys = keys.copy()
        keys[first, every] = np.iinfo(np.int32).min
        second = keys.max(axis=0)
        fallen = np.flatnonzero(top + step * n_classes < second)
        place = np.full(n_classes, -1)
        place[labels] = np.arange(len(labels))
        k = place[first[fallen]]
        row = fallen[k >= 0]
        moved[k[k >= 0], row] = right[order.of_rank[second[row] % n_classes], row]
        return moved
