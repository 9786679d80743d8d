"""From summed votes to label sets: one threshold, calibrated on the training data.

Votes rank the labels of an example; a threshold on them says how many it gets.  It is set so that
the training examples get as many labels as they have, on the mean: MEKA's PCut1 (Read, Pfahringer,
Holmes & Frank, Classifier Chains for Multi-label Classification, 2009).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.errors import DataError
from widc_arff.model.decision import ranking_scores
from widc_arff.tolerance import TOLERANCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats, Integers


_MOST_VOTES = 1e9  # a threshold beyond is never reached, or always
_MARGIN = 0.5  # below the least and above the largest score: half a vote


def calibrated_threshold(scores: Floats, Y: Bools, weights: Floats) -> float:
    """Return the threshold whose label cardinality is nearest that of the training data.

    Parameters
    ----------
    scores : ndarray of shape (n_samples, n_labels)
        Summed votes, finite.
    Y : ndarray of bool of shape (n_samples, n_labels)
        Label matrix; rows with no label or all labels count as well.
    weights : ndarray of float64 of shape (n_samples,)
        Non-negative weights.

    Returns
    -------
    float
        Half-way between two neighbouring scores; half a vote beyond the last one where all labels
        or none come nearest.  Of two thresholds equally near the higher, with fewer labels.

    Raises
    ------
    DataError
        If no example has a positive weight.

    Notes
    -----
    Label cardinality is the weighted mean of the number of labels of a row.  Time is
    O(n_samples n_labels log(n_samples n_labels)): one sort.
    """
    counted = weights > 0
    if not counted.any():
        raise DataError("expected examples with a positive weight to calibrate on, got none")
    scores, weights = scores[counted], weights[counted]
    distinct, place = np.unique(scores, return_inverse=True)
    of_score = np.bincount(place.ravel(), np.repeat(weights, scores.shape[1]))
    # Entry k: the labels predicted if all scores from the k-th up pass; the last one: none pass.
    predicted = np.append(np.cumsum(of_score[::-1])[::-1], 0.0)
    distance = np.abs(predicted - weights @ Y[counted].sum(axis=1)) / weights.sum()
    nearest = distance.min()
    k = int(np.flatnonzero(distance <= nearest + TOLERANCE * (1.0 + nearest))[-1])
    if k == 0:
        return float(distinct[0]) - _MARGIN
    if k == len(distinct):
        return float(distinct[-1]) + _MARGIN
    below, above = float(distinct[k - 1]), float(distinct[k])
    middle = below + (above - below) / 2.0
    return middle if middle > below else above


def split_by_ties(votes: Integers, sets: Bools) -> Bools:
    """Return which examples get some of the labels of equal votes and not others.

    Parameters
    ----------
    votes : ndarray of int of shape (n_samples, n_labels)
        Summed votes.
    sets : ndarray of bool of shape (n_samples, n_labels)
        The labels that examples get: those of the most votes, and of equal ones what ties decide.
    """
    most = int(np.abs(votes).max(initial=0)) + 1
    least_of_set = np.where(sets, votes, most).min(axis=1)
    return np.asarray(least_of_set == np.where(sets, -most, votes).max(axis=1))


def least_votes(scores: Floats, threshold: float) -> Integers:
    """Return with how many votes an example gets each label, shape (n_labels,).

    Parameters
    ----------
    scores : ndarray of shape (n_labels,)
        `tie_scores`, below 2, half of which count with the votes.
    threshold : float
        What votes and half scores reach in all.
    """
    first = int(np.floor(np.clip(threshold, -_MOST_VOTES, _MOST_VOTES))) - 2
    votes = np.arange(first, first + 5)
    found = label_sets(ranking_scores(votes[:, None], scores), threshold)
    return np.asarray(first + found.argmax(axis=0))


def label_sets(scores: NDArray[np.number], threshold: float) -> Bools:
    """Return the labels whose score is at least the threshold, of the shape of `scores`."""
    return np.asarray(scores >= threshold)
