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
        self.prior: Floats = distribution(class_weights.sum(axis=1))
        self.total = float(class_weights.sum())
        self.bits_of_example = 1.0
        self.bits_of_correction = float(np.log2(max(len(class_weights) - 1, 1)))
        self._right = right_weights(class_weights, costs)
        self.is_whole = costs is None
        self.most_right: Floats = self._right.max(axis=0)

    def is_ambiguous(self, votes: Votes, rows: Integers | slice) -> Bools:  # noqa: ARG002 - the protocol's
        """Return where the largest vote is not unique."""
        return np.asarray((votes == votes.max(axis=0)).sum(axis=0) > 1)

    def order(self, ambiguous: Floats) -> TieOrder:
        """Return how ties go: no two classes have the same rank."""
        _, of_rank = scores_in_ties(ambiguous, self.prior)
        ranks = np.empty(len(of_rank), np.int32)
        ranks[of_rank] = np.arange(len(of_rank))
        return TieOrder(ranks, of_rank)

    def is_open(self, keys: Votes, n_rules: int) -> Bools:
        """Return where another class can win or tie; the votes of a rule differ by two at most."""
        n_classes = len(keys)
        least = (keys.max(axis=0) // n_classes - 2 * n_rules) * n_classes
        return np.asarray(np.count_nonzero(keys >= least, axis=0) > 1)

    def decided(self, keys: Votes, order: TieOrder, rows: Integers | slice) -> Decisions:
        """Return what is right where the class with the largest key wins."""
        return Decisions(keys, self._right, order.of_rank, rows)


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
    rows : ndarray of int64 of shape (n_rows,), or slice
        Which rows these are.
    """

    def __init__(
        self, keys: Votes, right: Floats, of_rank: Integers, rows: Integers | slice
    ) -> None:
        self._keys, self._of_rank = keys, of_rank
        self._all_right, self._rows = right, rows
        self._top = keys.max(axis=0)
        self._first = of_rank[self._top % len(keys)]
        places = np.arange(keys.shape[1]) if isinstance(rows, slice) else rows
        self.right: Floats = right[self._first, places]
        """Weight that is right in each row."""

    @cached_property
    def _right(self) -> Floats:
        return self._all_right[:, self._rows]

    def moved(self, step: int, labels: Integers) -> Floats:
        """Return the weight that is right with one vote changed, shape (n_labels, n_rows).

        A higher one can only make its class the winner, a lower one only make the second one win.
        """
        n_classes = len(self._keys)
        if step > 0:
            is_lifted = self._keys[labels] > self._top - step * n_classes
            return np.where(is_lifted, self._right[labels], self.right)
        moved = np.repeat(self.right[None], len(labels), axis=0)
        place = np.full(n_classes, -1)
        place[labels] = np.arange(len(labels))
        k = place[self._first]
        row = np.flatnonzero((k >= 0) & (self._top + step * n_classes < self._second))
        moved[k[row], row] = self._right[self._of_rank[self._second[row] % n_classes], row]
        return moved

    @cached_property
    def _second(self) -> Votes:
        keys = self._keys.copy()
        keys[self._first, np.arange(keys.shape[1])] = np.iinfo(np.int32).min
        return np.asarray(keys.max(axis=0))
