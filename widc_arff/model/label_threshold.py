"""From summed votes to label sets: a score for each label, and a threshold on all scores.

The score of a label is the logarithm of its odds, intercept plus slope times votes; scores rank the
labels of an example, and it gets those from a threshold on.  At a threshold of 0 these are the
labels of probability one half or more.  Another threshold makes sets of another size:
`calibrated_threshold` gives the training examples as many labels as they have on average, MEKA's
PCut1 (Read, Pfahringer, Holmes & Frank, Classifier Chains for Multi-label Classification, 2009).

In models that know no odds the score is the summed votes plus half of what decides ties, and a
probability is one half at the threshold, wherever that is.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.errors import DataError
from widc_arff.model.decision import label_probabilities
from widc_arff.tolerance import TOLERANCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats


_MOST_VOTES = 10**9  # a threshold beyond is never reached, or always
_MARGIN = 0.5  # below the least and above the largest score: half a vote


SETS = ("hamming", "f1", "cardinality")


def threshold_of(sets: str, scores: Floats, Y: Bools, weights: Floats) -> float:
    """Return the threshold that an aim of sets wants.

    Parameters
    ----------
    sets : {"hamming", "f1", "cardinality"}
        Fewest wrong labels: those of probability one half or more; the largest micro F1 to be
        expected; as many labels as rows have on average.
    scores : ndarray of shape (n_samples, n_labels)
        Logarithms of the odds of labels, of training examples.
    Y : ndarray of bool of shape (n_samples, n_labels)
        Label matrix.
    weights : ndarray of float64 of shape (n_samples,)
        Non-negative weights.
    """
    if sets == "hamming":
        return 0.0
    if sets == "f1":
        return expected_f1_threshold(scores, weights)
    return calibrated_threshold(scores, Y, weights)


def expected_f1_threshold(scores: Floats, weights: Floats) -> float:
    """Return the threshold of the largest micro F1, if labels are as probable as scores say.

    That is half of this F1 (Ye, Chai, Lee & Chieu, Optimizing F-measure: a Tale of Two Approaches,
    2012): a label of a larger probability raises it.

    Parameters
    ----------
    scores : ndarray of shape (n_samples, n_labels)
        Logarithms of odds.
    weights : ndarray of float64 of shape (n_samples,)
        Non-negative weights.
    """
    distinct, place = np.unique(scores, return_inverse=True)
    counts = np.bincount(place.ravel(), np.repeat(weights, scores.shape[1]))[::-1]
    true = counts * label_probabilities(distinct[::-1], 0.0)
    found, predicted = np.cumsum(true), np.cumsum(counts)
    half = float((found / (predicted + found[-1])).max())
    return math.log(half / (1 - half)) if half > 0 else 0.0


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
        raise DataError("expected rows with a positive weight to calibrate on, got none")
    scores, weights = scores[counted], weights[counted]
    distinct, place = np.unique(scores, return_inverse=True)
    of_score = np.bincount(place.ravel(), np.repeat(weights, scores.shape[1]))
    # Entry k: the labels predicted if all scores from the k-th up pass; the last one: none pass.
    predicted = np.append(np.cumsum(of_score[::-1])[::-1], 0.0)
    distance = np.abs(predicted - weights @ Y[counted].sum(axis=1)) / weights.sum()
    nearest = distance.min()
    k = int(np.flatnonzero(distance <= nearest + TOLERANCE * (1.0 + nearest))[-1])
    return _between(distinct, k)


def _between(distinct: Floats, k: int) -> float:
    """Return what parts the scores from the k-th up from those below it."""
    if k == 0:
        return float(distinct[0]) - _MARGIN
    if k == len(distinct):
        return float(distinct[-1]) + _MARGIN
    below, above = float(distinct[k - 1]), float(distinct[k])
    middle = below + (above - below) / 2.0
    return middle if middle > below else above


class LabelScores(NamedTuple):
    """How summed votes score labels, and what scores decide.

    Parameters
    ----------
    slopes, intercepts : ndarray of float64 of shape (n_labels,)
        A score is slope * votes + intercept.
    middle : float
        The score of probability one half.
    threshold : float
        The lowest score with which an example gets a label.
    """

    slopes: Floats
    intercepts: Floats
    middle: float
    threshold: float

    def of(self, votes: NDArray[np.integer]) -> Floats:
        """Return the scores of summed votes, of their shape (n_samples, n_labels)."""
        return np.asarray(self.slopes * votes + self.intercepts)

    def sets(self, votes: NDArray[np.integer]) -> Bools:
        """Return which labels examples get, of the shape of `votes`."""
        return label_sets(self.of(votes), self.threshold)

    def probabilities(self, scores: Floats) -> Floats:
        """Return the probability of each label, of the shape of `scores`."""
        return label_probabilities(scores, self.middle)

    def least_votes(self) -> list[int]:
        """Return with how many votes an example gets each label; far beyond if votes do nothing."""
        found = []
        for slope, intercept in zip(self.slopes.tolist(), self.intercepts.tolist(), strict=True):
            if not slope:
                found.append(-_MOST_VOTES if intercept >= self.threshold else _MOST_VOTES)
                continue
            needed = (self.threshold - intercept) / slope
            first = math.floor(max(-_MOST_VOTES, min(needed, _MOST_VOTES))) - 2
            enough = (v for v in range(first, first + 5) if slope * v + intercept >= self.threshold)
            found.append(next(enough, _MOST_VOTES))
        return found


def label_sets(scores: NDArray[np.number], threshold: float) -> Bools:
    """Return the labels whose score is at least the threshold, of the shape of `scores`."""
    return np.asarray(scores >= threshold)
