"""Measure rankings and sets of labels against the true label sets.

The definitions are scikit-learn's, that of one-error MULAN's.  Every measure is weighted: weight k
equals k copies.  A row with no label, or with all labels, has nothing to rank; as in scikit-learn
its ranking loss is 0 and its average precision 1, and its coverage is 0 or the number of labels.

Three differences from MULAN: its coverage counts from 0, one less than here; its average precision
leaves rows without a label out; and it breaks ties of scores by the order of the labels, where here
equal scores are errors to the full (scikit-learn) or by their share (one-error).
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.errors import DataError
from widc_arff.evaluation.curves import calibration_bins, calibration_error
from widc_arff.model.decision import ranking_losses

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from widc_arff.arrays import Bools, Floats, Integers

_LEAST_PROBABILITY = float(np.finfo(np.float64).eps)
"""What counts as a probability of nothing, as in scikit-learn."""


@dataclass(frozen=True, slots=True)
class LabelSetMeasures:
    """All measures of one evaluation of label sets.

    Attributes
    ----------
    ranking_loss : float
        Mean share of the pairs of a true and another label in which the true one has no higher
        score, in [0, 1]; 0 for a row without a label or with all, which counts in the mean.
    one_error : float
        Mean share of wrong labels among those that share the highest score, in [0, 1]: what a
        random choice among them gives.  1 for a row without a label, 0 for one with all.
    coverage : float
        Mean number of labels to go through, from the highest score down, until all true ones are
        met, in [0, n_labels]; equal scores are gone through together.
    average_precision : float
        Mean, over true labels and then over rows, of the share of true labels among those with at
        least the same score, in (0, 1].
    hamming_loss : float
        Share of the cells of the label matrix that are predicted wrongly, in [0, 1].
    subset_accuracy : float
        Share of the rows whose label set is predicted exactly, in [0, 1].
    micro_f1 : float
        F1 of the decisions on all labels taken together, in [0, 1].
    macro_f1 : float
        Mean of the F1 of the labels, in [0, 1].  F1 is 0 where nothing is true or predicted.
    predicted_cardinality, true_cardinality : float
        Mean number of labels of a row, in [0, n_labels].
    log_loss : float
        Mean of -ln of the probability of what is true of each label, at least 0.
    calibration_error : float
        Mean distance between the probabilities of labels and how often rows have them, over ten
        bins of equal width, in [0, 1].

    Notes
    -----
    Without any example every number is NaN.
    """

    ranking_loss: float
    one_error: float
    coverage: float
    average_precision: float
    hamming_loss: float
    subset_accuracy: float
    micro_f1: float
    macro_f1: float
    predicted_cardinality: float
    true_cardinality: float
    log_loss: float = math.nan
    calibration_error: float = math.nan

    def to_dict(self) -> dict[str, float | None]:
        """Return plain data for JSON by the names above, with None where a value is NaN."""
        return {name: None if math.isnan(x) else x for name, x in asdict(self).items()}


def measure_label_sets(
    scores: ArrayLike,
    predicted: ArrayLike,
    actual: ArrayLike,
    weights: ArrayLike | None = None,
    probabilities: ArrayLike | None = None,
) -> LabelSetMeasures:
    """Compare scores and predicted label sets with the true label sets.

    Parameters
    ----------
    scores : array-like of float, shape (n_samples, n_labels)
        Finite; higher for labels that are thought true.
    predicted, actual : array-like of bool, shape (n_samples, n_labels)
        Predicted and true label sets.  Leave rows with missing labels out before.
    weights : array-like of float, shape (n_samples,), or None
        Finite and non-negative; rows of weight zero are left out.  None: all 1.
    probabilities : array-like of float, shape (n_samples, n_labels), or None
        Of the labels, in [0, 1].  None: what is measured of them is NaN.

    Returns
    -------
    LabelSetMeasures

    Raises
    ------
    DataError
        If shapes disagree or values are out of range.

    Notes
    -----
    Time is O(n_samples n_labels log n_labels): one sort of each row.
    """
    s = np.asarray(scores, np.float64)
    if s.ndim != 2 or s.shape[1] == 0:
        raise DataError(f"expected scores of the shape (rows, labels), got {s.shape}")
    if not np.isfinite(s).all():
        row, label = np.argwhere(~np.isfinite(s))[0] + 1
        raise DataError(
            f"expected finite scores, got {s[row - 1, label - 1]} in row {row}, label {label}"
        )
    guess = _checked_sets("predicted", predicted, s.shape)
    truth = _checked_sets("true", actual, s.shape)
    w = np.ones(len(s)) if weights is None else np.asarray(weights, np.float64)
    _check_weights(w, len(s))
    counted = w > 0.0
    s, guess, truth, w = s[counted], guess[counted], truth[counted], w[counted]

    def mean(values: NDArray[np.number | np.bool_]) -> float:
        return float((w * values).sum() / w.sum()) if len(w) else math.nan

    ranking = _Ranking(s, truth)
    wrong = (guess != truth).sum(axis=1)
    both, either = w @ (guess & truth), w @ guess + w @ truth  # of each label
    return LabelSetMeasures(
        ranking_loss=mean(ranking_losses(s, truth)),
        one_error=mean(ranking.one_errors()),
        coverage=mean(ranking.coverages()),
        average_precision=mean(ranking.average_precisions()),
        hamming_loss=mean(wrong / s.shape[1]),
        subset_accuracy=mean(wrong == 0),
        micro_f1=float(_f1(both.sum(), either.sum())) if len(w) else math.nan,
        macro_f1=float(_f1(both, either).mean()) if len(w) else math.nan,
        predicted_cardinality=mean(guess.sum(axis=1)),
        true_cardinality=mean(truth.sum(axis=1)),
        **_of_probabilities(probabilities, truth, counted, w),
    )


def _of_probabilities(
    probabilities: ArrayLike | None, truth: Bools, counted: Bools, weights: Floats
) -> dict[str, float]:
    """Return what probabilities lose, and how far they are from frequencies."""
    if probabilities is None or not len(truth):
        return {}
    chances = np.asarray(probabilities, np.float64)[counted]
    of_truth = np.maximum(np.where(truth, chances, 1.0 - chances), _LEAST_PROBABILITY)
    bins = calibration_bins(chances.ravel(), truth.ravel(), np.repeat(weights, truth.shape[1]))
    return {
        "log_loss": float(weights @ -np.log(of_truth).mean(axis=1) / weights.sum()),
        "calibration_error": calibration_error(bins),
    }


class _Ranking:
    """The labels of each row by falling score, shape (n_samples, n_labels).

    ``reached``: how many labels have at least the score of a place; ``found``: how many of them
    are true.
    """

    def __init__(self, scores: Floats, truth: Bools) -> None:
        order = np.argsort(-scores, axis=1)
        by_score = np.take_along_axis(scores, order, axis=1)
        self._true = np.take_along_axis(truth, order, axis=1)
        self._n_true = truth.sum(axis=1)
        self._n_labels = scores.shape[1]
        # The last place of a group of equal scores, brought back to all places of the group.
        ends = np.ones(scores.shape, np.bool_)
        ends[:, :-1] = by_score[:, :-1] != by_score[:, 1:]
        last = np.where(ends, np.arange(self._n_labels), self._n_labels)
        last = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
        self._reached = last + 1
        self._found = np.take_along_axis(np.cumsum(self._true, axis=1), last, axis=1)

    def one_errors(self) -> Floats:
        return np.asarray(1.0 - self._found[:, 0] / self._reached[:, 0])

    def coverages(self) -> Integers:
        return np.asarray((self._reached * self._true).max(axis=1, initial=0))

    def average_precisions(self) -> Floats:
        precisions = (self._found / self._reached * self._true).sum(axis=1)
        ranked = (self._n_true > 0) & (self._n_true < self._n_labels)
        return np.where(ranked, precisions / np.maximum(self._n_true, 1), 1.0)


def _f1(both: Floats, either: Floats) -> Floats:
    """Return 2 TP / (2 TP + FP + FN), 0 where nothing is true or predicted."""
    return np.asarray(2.0 * both / np.where(either > 0, either, 1.0))


def _checked_sets(what: str, sets: ArrayLike, shape: tuple[int, ...]) -> Bools:
    array = np.asarray(sets)
    if array.shape != shape:
        raise DataError(
            f"expected {what} label sets of the shape of the scores, {shape}, got {array.shape}"
        )
    if array.dtype != np.bool_ and not np.isin(array, (0, 1)).all():
        raise DataError(f"expected True and False, or 1 and 0, in the {what} label sets")
    return array.astype(np.bool_)


def _check_weights(weights: Floats, n_samples: int) -> None:
    if weights.shape != (n_samples,):
        raise DataError(f"expected one weight for each of {n_samples} rows, got {weights.shape}")
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0.0)))
    if len(wrong):
        raise DataError(
            f"expected a weight in [0, inf), got {weights[wrong[0]]} in row {wrong[0] + 1}"
        )
