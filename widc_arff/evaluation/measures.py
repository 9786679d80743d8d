"""Measure decisions and probabilities against the true classes, as Weka's Evaluation does.

Where a measure is not defined (the precision of a class that is never predicted) it is NaN here,
``?`` in Weka and None in plain data.  Every measure is weighted: weight k equals k copies.

Two differences from Weka are deliberate.  Rows without a class are left out altogether, whereas
Weka counts them as negative examples of every class in the areas under the curves.  Log loss is in
nats and limits probabilities to at least 2.2e-16, as scikit-learn does; Weka's entropies are in
bits and relate to prior probabilities.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.errors import DataError
from widc_arff.evaluation.curves import calibration_bins, calibration_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from widc_arff.arrays import Bools, Floats, Integers


_LEAST_PROBABILITY = float(np.finfo(np.float64).eps)
_ROUNDING = 1e-9  # by how much a sum of probabilities may exceed 1


@dataclass(frozen=True, slots=True)
class ClassMeasures:
    """Measures of one class against the rest, or their weighted average over the classes.

    Attributes
    ----------
    precision : float
        Share of the predictions of the class that are right, in [0, 1]; NaN if it is not predicted.
    recall : float
        Share of the examples of the class that are found, in [0, 1]; NaN if it has no example.
    f_measure : float
        Harmonic mean of precision and recall, in [0, 1]; NaN if one of them is.
    roc_area : float
        Probability that an example of the class gets a higher probability of it than another
        example does, ties counting one half, in [0, 1]; NaN if one of both kinds is missing.
    prc_area : float
        Area under the precision-recall curve, in (0, 1]: the mean precision at the places of the
        examples of the class, without interpolation; NaN if it has no example.
    """

    precision: float
    recall: float
    f_measure: float
    roc_area: float
    prc_area: float


@dataclass(frozen=True, slots=True, eq=False)
class Measures:
    """All measures of one evaluation.

    Attributes
    ----------
    confusion : ndarray of float64, shape (n_classes, n_classes), read-only
        Weight of the examples of each true class (rows) with each predicted class (columns).
    accuracy, error : float
        Weight of the right and of the wrong predictions over all weight, in [0, 1].
    balanced_accuracy : float
        Mean recall of the classes that have examples, in [0, 1].
    mcc : float
        Matthews correlation coefficient of true and predicted classes, of several classes
        Gorodkin's R_K, in [-1, 1]; 0 if all examples or all predictions are of one class.
    kappa : float
        Agreement beyond chance over the most that is possible, in [-1, 1]; 1 if all examples and
        all predictions are of one class.
    log_loss : float
        Weighted mean of -ln p of the true class, in nats, in [0, 36.05].
    brier_score : float
        Weighted mean of the squared distances of all class probabilities from 0 and 1, in [0, 2].
    calibration_error : float
        Of the decisions in ten bins of their probability, the weighted mean distance of mean
        probability and share of right ones, in [0, 1].
    mean_absolute_error, root_mean_squared_error : float
        Of the probabilities against 0 and 1, over examples and classes, in [0, 1].
    per_class : tuple of ClassMeasures, length n_classes
        In the order of the codes.
    weighted_average : ClassMeasures
        Mean of `per_class` over the classes that have examples, by their weight; NaN as soon as
        one of these is NaN.

    Notes
    -----
    Without any example every number is NaN.
    """

    confusion: Floats
    accuracy: float
    error: float
    balanced_accuracy: float
    mcc: float
    kappa: float
    log_loss: float
    brier_score: float
    calibration_error: float
    mean_absolute_error: float
    root_mean_squared_error: float
    per_class: tuple[ClassMeasures, ...]
    weighted_average: ClassMeasures

    def to_dict(self, labels: Sequence[str]) -> dict[str, Any]:
        """Return plain data for JSON, with None where a measure is not defined.

        Parameters
        ----------
        labels : sequence of str, length n_classes
            The class labels in the order of their codes.

        Returns
        -------
        dict
            The scalar measures and ``confusion`` by their names, ``per_class`` (a list of objects
            with ``label``) and ``weighted_average``.

        Raises
        ------
        DataError
            If the number of labels is not the number of classes.
        """
        if len(labels) != len(self.per_class):
            raise DataError(f"expected {len(self.per_class)} labels, got {len(labels)}")
        return {
            "accuracy": _plain(self.accuracy),
            "error": _plain(self.error),
            "balanced_accuracy": _plain(self.balanced_accuracy),
            "mcc": _plain(self.mcc),
            "kappa": _plain(self.kappa),
            "log_loss": _plain(self.log_loss),
            "brier_score": _plain(self.brier_score),
            "calibration_error": _plain(self.calibration_error),
            "mean_absolute_error": _plain(self.mean_absolute_error),
            "root_mean_squared_error": _plain(self.root_mean_squared_error),
            "confusion": self.confusion.tolist(),
            "per_class": [
                {"label": label} | _plain_record(record)
                for label, record in zip(labels, self.per_class, strict=True)
            ],
            "weighted_average": _plain_record(self.weighted_average),
        }


def measure(
    actual: ArrayLike,
    predicted: ArrayLike,
    probabilities: ArrayLike,
    weights: ArrayLike | None = None,
) -> Measures:
    """Compare predictions with the true classes.

    Parameters
    ----------
    actual : array-like of int, shape (n_samples,)
        Integers of the true classes; rows with -1 (missing) are left out.
    predicted : array-like of int, shape (n_samples,)
        Integers of the predicted classes.
    probabilities : array-like of float, shape (n_samples, n_classes)
        Predicted probabilities in [0, 1]; the columns are the codes.
    weights : array-like of float, shape (n_samples,), or None
        Finite and non-negative; rows of weight zero are left out.  None: all 1.

    Returns
    -------
    Measures
        The measures of the rows that have a class and a positive weight.

    Raises
    ------
    DataError
        If shapes disagree or values are out of range.

    Notes
    -----
    Time is O(n_classes n_samples log n_samples): one sort for each class.
    """
    p = np.asarray(probabilities, dtype=np.float64)
    if p.ndim != 2:
        raise DataError(f"expected a table of probabilities, got an array of {p.ndim} dimensions")
    n_samples, n_classes = p.shape
    true_codes = _checked_codes("true class", actual, n_samples, range(-1, n_classes))
    decisions = _checked_codes("predicted class", predicted, n_samples, range(n_classes))
    w = np.ones(n_samples) if weights is None else np.asarray(weights, dtype=np.float64)
    _check_values("weight", w, (n_samples,), math.inf)
    _check_values("probability", p, p.shape, 1.0 + _ROUNDING)

    counted = (true_codes >= 0) & (w > 0.0)
    true_codes, decisions, p, w = true_codes[counted], decisions[counted], p[counted], w[counted]
    confusion = confusion_matrix(true_codes, decisions, w, n_classes)
    per_class = tuple(
        _class_measures(confusion, code, p[:, code], true_codes == code, w)
        for code in range(n_classes)
    )
    total = float(confusion.sum())
    right = float(np.trace(confusion))
    absolute, squared = _probability_errors(true_codes, p, w)
    of_decisions = p[np.arange(len(p)), decisions]
    bins = calibration_bins(of_decisions, decisions == true_codes, w)
    confusion.setflags(write=False)
    return Measures(
        confusion=confusion,
        accuracy=_ratio(right, total),
        error=_ratio(float(w[true_codes != decisions].sum()), total),
        balanced_accuracy=balanced_accuracy(confusion),
        mcc=matthews_correlation(confusion),
        kappa=kappa(confusion),
        log_loss=log_loss(true_codes, p, w),
        brier_score=n_classes * squared,
        calibration_error=calibration_error(bins),
        mean_absolute_error=absolute,
        root_mean_squared_error=math.sqrt(squared),
        per_class=per_class,
        weighted_average=_weighted_average(per_class, confusion.sum(axis=1)),
    )


def confusion_matrix(
    actual: Integers, predicted: Integers, weights: Floats, n_classes: int
) -> Floats:
    """Return the weight of each pair of true and predicted class.

    Parameters
    ----------
    actual, predicted : ndarray of int, shape (n_samples,)
        Integers in [0, `n_classes` - 1].
    weights : ndarray of float64, shape (n_samples,)
        Non-negative.
    n_classes : int
        Number of declared classes.

    Returns
    -------
    ndarray of float64, shape (n_classes, n_classes)
        The rows are the true classes.
    """
    cells = np.bincount(actual * n_classes + predicted, weights, minlength=n_classes * n_classes)
    return cells.astype(np.float64).reshape(n_classes, n_classes)


def balanced_accuracy(confusion: Floats) -> float:
    """Return the mean recall of the classes that have examples; NaN without any weight.

    Parameters
    ----------
    confusion : ndarray of float64, shape (n_classes, n_classes)
        Weights of the pairs of true and predicted class.
    """
    of_class = confusion.sum(axis=1)
    occurs = of_class > 0
    recalls = np.diag(confusion)[occurs] / of_class[occurs]
    return float(recalls.mean()) if occurs.any() else math.nan


def matthews_correlation(confusion: Floats) -> float:
    """Return the Matthews correlation coefficient, of several classes Gorodkin's R_K (2004).

    Parameters
    ----------
    confusion : ndarray of float64, shape (n_classes, n_classes)
        Weights of the pairs of true and predicted class.

    Returns
    -------
    float
        In [-1, 1]; 0 where all examples or all predictions are of one class; NaN without weight.
    """
    total = float(confusion.sum())
    if total == 0.0:
        return math.nan
    shares = confusion / total
    true, found = shares.sum(axis=1), shares.sum(axis=0)
    together = float(np.trace(shares)) - float(true @ found)
    variances = max(1.0 - float(true @ true), 0.0) * max(1.0 - float(found @ found), 0.0)
    return together / math.sqrt(variances) if variances > _ROUNDING**2 else 0.0


def kappa(confusion: Floats) -> float:
    """Return Cohen's kappa.

    Parameters
    ----------
    confusion : ndarray of float64, shape (n_classes, n_classes)
        Weights of the pairs of true and predicted class.

    Returns
    -------
    float
        In [-1, 1]; 1 if chance alone agrees always; NaN without any weight.
    """
    total = float(confusion.sum())
    if total == 0.0:
        return math.nan
    shares = confusion / total
    by_chance = float(shares.sum(axis=0) @ shares.sum(axis=1))
    agreement = float(np.trace(shares))
    return 1.0 if by_chance >= 1.0 else (agreement - by_chance) / (1.0 - by_chance)


def log_loss(actual: Integers, probabilities: Floats, weights: Floats) -> float:
    """Return the weighted mean of -ln p of the true class.

    Parameters
    ----------
    actual : ndarray of int, shape (n_samples,)
        Integers in [0, n_classes - 1].
    probabilities : ndarray of float64, shape (n_samples, n_classes)
        In [0, 1]; raised to at least 2.2e-16, the spacing of float64 at 1.
    weights : ndarray of float64, shape (n_samples,)
        Non-negative.

    Returns
    -------
    float
        In nats, in [0, 36.05]; NaN without any weight.
    """
    of_true_class = probabilities[np.arange(len(actual)), actual]
    losses = -np.log(np.clip(of_true_class, _LEAST_PROBABILITY, 1.0))
    # Zero is added so that a certain prediction loses 0.0, not -0.0.
    return _ratio(float(weights @ losses), float(weights.sum())) + 0.0


def roc_area(scores: Floats, positive: Bools, weights: Floats) -> float:
    """Return the area under the ROC curve, the Mann-Whitney statistic with ties as one half.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_samples,)
        Higher for examples that are thought positive.
    positive : ndarray of bool, shape (n_samples,)
        Whether an example is positive.
    weights : ndarray of float64, shape (n_samples,)
        Positive.

    Returns
    -------
    float
        In [0, 1]; NaN if there are no positive or no negative examples.
    """
    return _roc_area(*_weights_by_score(scores, positive, weights))


def prc_area(scores: Floats, positive: Bools, weights: Floats) -> float:
    """Return the area under the precision-recall curve, drawn in steps.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_samples,)
        Higher for examples that are thought positive.
    positive : ndarray of bool, shape (n_samples,)
        Whether an example is positive.
    weights : ndarray of float64, shape (n_samples,)
        Positive.

    Returns
    -------
    float
        In (0, 1]; NaN if there are no positive examples.
    """
    return _prc_area(*_weights_by_score(scores, positive, weights))


def _weights_by_score(scores: Floats, positive: Bools, weights: Floats) -> tuple[Floats, Floats]:
    """Return the positive and the negative weight at each distinct score, scores ascending."""
    distinct, place = np.unique(scores, return_inverse=True)
    place = place.ravel()
    sides: Floats = np.zeros((2, len(distinct)))
    sides[0] = np.bincount(place, np.where(positive, weights, 0.0), minlength=len(distinct))
    sides[1] = np.bincount(place, np.where(positive, 0.0, weights), minlength=len(distinct))
    return sides[0], sides[1]


def _roc_area(of_positive: Floats, of_negative: Floats) -> float:
    below = np.cumsum(of_negative) - of_negative
    pairs_in_order = float(of_positive @ (below + 0.5 * of_negative))
    return _ratio(pairs_in_order, float(of_positive.sum()) * float(of_negative.sum()))


def _prc_area(of_positive: Floats, of_negative: Floats) -> float:
    found = np.cumsum(of_positive[::-1])
    precision = found / (found + np.cumsum(of_negative[::-1]))
    return _ratio(float(precision @ of_positive[::-1]), float(of_positive.sum()))


def _class_measures(
    confusion: Floats,
    code: int,
    scores: Floats,
    positive: Bools,
    weights: Floats,
) -> ClassMeasures:
    right = float(confusion[code, code])
    precision = _ratio(right, float(confusion[:, code].sum()))
    recall = _ratio(right, float(confusion[code].sum()))
    by_score = _weights_by_score(scores, positive, weights)
    return ClassMeasures(
        precision=precision,
        recall=recall,
        f_measure=_f_measure(precision, recall),
        roc_area=_roc_area(*by_score),
        prc_area=_prc_area(*by_score),
    )


def _f_measure(precision: float, recall: float) -> float:
    if precision == 0.0 and recall == 0.0:
        return 0.0
    return 2.0 * precision * recall / (precision + recall)


def _weighted_average(per_class: tuple[ClassMeasures, ...], class_weights: Floats) -> ClassMeasures:
    present = np.flatnonzero(class_weights > 0.0)
    shares = class_weights[present]

    def average(name: str) -> float:
        values = np.array([getattr(per_class[code], name) for code in present])
        return _ratio(float(shares @ values), float(shares.sum()))

    return ClassMeasures(**{name: average(name) for name in ClassMeasures.__dataclass_fields__})


def _probability_errors(
    actual: Integers, probabilities: Floats, weights: Floats
) -> tuple[float, float]:
    """Return the mean absolute and the mean squared error of the probabilities."""
    errors = probabilities.copy()
    errors[np.arange(len(actual)), actual] -= 1.0
    cells = float(weights.sum()) * probabilities.shape[1]
    absolute = float(weights @ np.abs(errors).sum(axis=1))
    squared = float(weights @ np.square(errors).sum(axis=1))
    return _ratio(absolute, cells), _ratio(squared, cells)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else math.nan


def _checked_codes(what: str, codes: ArrayLike, n_samples: int, allowed: range) -> Integers:
    array = np.asarray(codes)
    if array.shape != (n_samples,):
        raise DataError(f"expected one {what} for each of {n_samples} rows, got {array.shape}")
    if n_samples and array.dtype.kind not in "iu":
        raise DataError(f"expected whole numbers as codes of the {what}, got {array.dtype}")
    whole = array.astype(np.int64)
    wrong = np.flatnonzero((whole < allowed.start) | (whole >= allowed.stop))
    if len(wrong):
        raise DataError(
            f"expected a code from {allowed.start} to {allowed.stop - 1} as {what}, "
            f"got {whole[wrong[0]]} in row {wrong[0] + 1}"
        )
    return whole


def _check_values(what: str, values: Floats, shape: tuple[int, ...], most: float) -> None:
    if values.shape != shape:
        raise DataError(f"expected one {what} for each of {shape[0]} rows, got {values.shape}")
    wrong = np.argwhere(~((values >= 0.0) & (values <= most) & np.isfinite(values)))
    if len(wrong):
        interval = "[0, inf)" if math.isinf(most) else "[0, 1]"
        value = values[tuple(wrong[0])]
        raise DataError(f"expected a {what} in {interval}, got {value} in row {wrong[0][0] + 1}")


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value


def _plain_record(record: ClassMeasures) -> dict[str, Any]:
    return {name: _plain(value) for name, value in asdict(record).items()}
