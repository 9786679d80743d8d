"""What a committee is judged by: errors of classes, wrong pairs of labels.

The search keeps for each row and label one *key*, a whole number: the votes times the number of
labels, plus the rank of the label where votes are equal.  A loss tells from keys what is right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from widc_arff.model.decision import default_vector, tie_scores

if TYPE_CHECKING:
    from widc_arff.arrays import Floats, Integers, Votes


class TieOrder(NamedTuple):
    """How labels of equal votes are ordered.

    Parameters
    ----------
    ranks : ndarray of int32 of shape (n_labels,)
        Of equal votes the larger rank wins.
    of_rank : ndarray of int64 of shape (n_labels,)
        The labels from the one that loses all ties to the one that wins them.
    """

    ranks: Votes
    of_rank: Integers


class Decided(Protocol):
    """What is right in some rows with their votes, and with one vote changed.

    Attributes
    ----------
    right : ndarray of float64 of shape (n_some,)
        Weight that is right in each row.
    """

    right: Floats

    def move(self, step: int, labels: Integers, right: Floats) -> None:
        """Change the weight that is right to that if one of some labels had `step` votes more.

        Parameters
        ----------
        step : int
            Not 0; negative for fewer.
        labels : ndarray of int64 of shape (n_moved,)
            The labels that are moved, one at a time.
        right : ndarray of float64 of shape (n_moved, n_some)
            As it is without any move; changed in its place.
        """


class Loss(Protocol):
    """What is wrong with decisions on the distinct rows of a sample.

    Attributes
    ----------
    label_weights : ndarray of float64 of shape (n_labels, n_rows)
        Weight of the examples of each label, in quanta; of an example that has several labels in
        equal shares.  Multiples of one unit, so that sums are exact.
    weights : ndarray of float64 of shape (n_rows,)
        Weight of the examples of each row.
    prior : ndarray of float64 of shape (n_labels,)
        Label distribution of all examples.
    total : float
        Weight that can be right, in quanta.
    is_whole : bool
        Whether what is wrong is always a whole number of quanta, from 0 to the total.
    most_right : ndarray of float64 of shape (n_rows,)
        Weight that can be right in each row, at most.
    bits_of_example : float
        Bits that tell whether an example is right, in units of the binary entropy of the loss.
    bits_of_correction : float
        Bits that tell what is right of an example that is wrong.
    """

    label_weights: Floats
    weights: Floats
    prior: Floats
    total: float
    is_whole: bool
    most_right: Floats
    bits_of_example: float
    bits_of_correction: float


class RankingLabels(Loss, Protocol):
    """What is wrong with decisions that go by ranks, where some labels win ties."""

    def order(self, ambiguous: Floats) -> TieOrder:
        """Return how ties go, from the label weights of the ambiguous rows."""


def scores_in_ties(ambiguous: Floats, prior: Floats) -> tuple[Floats, Integers]:
    """Return which labels win ties: scores, and the labels by them, that of the largest last.

    Of equal scores the label declared first comes last.
    """
    scores = tie_scores(default_vector(ambiguous, prior), prior)
    return scores, len(scores) - 1 - np.argsort(scores[::-1], kind="stable")
