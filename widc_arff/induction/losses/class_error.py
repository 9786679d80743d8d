"""Errors: an example of one class is right or wrong."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.losses import TieOrder, scores_in_ties
from widc_arff.induction.sample.patterns import right_weights
from widc_arff.model.decision import distribution

if TYPE_CHECKING:
    from widc_arff.arrays import Bools, Floats, Integers, Votes


class ClassError:
    """The weight of the errors, or what they cost.

    Parameters
    ----------
    class_weights : ndarray of float64 of shape (n_classes, n_rows)
        Weight of the examples of each class in each row, in quanta.
    costs : ndarray of float64 of shape (n_classes, n_classes), optional
        What it costs to take a class (rows) for another (columns); by default 1.
    """

    def __init__(self, class_weights: Floats, costs: Floats | None = None) -> None:
        self.label_weights = class_weights
        self.weights: Floats = class_weights.sum(axis=0)
        self.prior: Floats = distribution(class_weights.sum(axis=1))
        self.total = float(class_weights.sum())
        self.bits_of_example = 1.0
        self.bits_of_correction = float(np.log2(max(len(class_weights) - 1, 1)))
        self.right: Floats = right_weights(class_weights, costs)
        """Weight that is right with each decision, shape (n_classes, n_rows)."""
        self.is_whole = costs is None
        self.most_right: Floats = self.right.max(axis=0)

    def order(self, ambiguous: Floats) -> TieOrder:
        """Return how ties go: no two classes have the same rank."""
        _, of_rank = scores_in_ties(ambiguous, self.prior)
        ranks = np.empty(len(of_rank), np.int32)
        ranks[of_rank] = np.arange(len(of_rank))
        return TieOrder(ranks, of_rank)


class Decisions:
    """How some rows are decided with their votes, and with one vote changed.

    Parameters
    ----------
    keys : ndarray of int32 of shape (n_classes, n_rows)
        The class with the largest wins.
    right : ndarray of float64 of shape (n_classes, n_all)
        Weight that is right with each decision in all rows.
    of_rank : ndarray of int64 of shape (n_classes,)
        The class of a key, by its remainder.
    rows : ndarray of int64 of shape (n_rows,), optional
        Which rows these are; by default all.
    """

    def __init__(
        self, keys: Votes, right: Floats, of_rank: Integers, rows: Integers | None = None
    ) -> None:
        self._keys, self._of_rank = keys, of_rank
        self._right, self._places = right, np.arange(keys.shape[1])
        self.top = keys.max(axis=0)
        self.first: Integers = of_rank[self.top % len(keys)]
        """The class that wins."""
        self.right: Floats = right[self.first, self._places if rows is None else rows]
        """Weight that is right in each row."""

    @cached_property
    def second(self) -> Votes:
        """The largest key but that of the winner."""
        keys = self._keys.copy(order="K")
        keys[self.first, self._places] = np.iinfo(np.int32).min
        return np.asarray(keys.max(axis=0))

    @property
    def is_tied(self) -> Bools:
        """Where the largest vote is not unique."""
        n_classes = len(self._keys)
        return np.asarray(self.top // n_classes == self.second // n_classes)

    def move(self, step: int, labels: Integers, right: Floats) -> None:
        """Change the weight that is right to that with one vote changed, where that is another.

        A higher one can only make its class the winner, a lower one only make the second one win.
        Of all rows.
        """
        n_classes = len(self._keys)
        if step > 0:
            is_lifted = self._keys[labels] > self.top - step * n_classes
            np.copyto(right, self._right[labels], where=is_lifted)
            return
        place = np.full(n_classes, -1)
        place[labels] = np.arange(len(labels))
        k = place[self.first]
        row = np.flatnonzero((k >= 0) & (self.top + step * n_classes < self.second))
        right[k[row], row] = self._right[self._of_rank[self.second[row] % n_classes], row]
