"""What a committee decides, as one matrix for classes and for label sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.data.rows import label_matrix
from widc_arff.model.decision import decide

if TYPE_CHECKING:
    from widc_arff.arrays import Bools, Integers
    from widc_arff.model.committee import DecisionCommittee


def decided(committee: DecisionCommittee, votes: Integers) -> Bools:
    """Return which class, or which labels, rows of summed votes get.

    Parameters
    ----------
    committee : DecisionCommittee
        For classes or label sets.
    votes : ndarray of int64, shape (n_samples, n_classes)
        As `DecisionCommittee.votes` sums them.

    Returns
    -------
    ndarray of bool, shape (n_samples, n_classes)
        Of classes one True a row.
    """
    if committee.threshold is None:
        return label_matrix(decide(votes, committee.tie_scores), votes.shape[1])
    return committee.label_scores.sets(votes)
