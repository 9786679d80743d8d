"""Probabilities against what happened: points of a calibration plot and of an ROC curve."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Bools, Floats


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """The decisions whose probability lies between two bounds.

    Parameters
    ----------
    low, high : float
        Bounds; the lower one belongs to the bin, the upper one only to the last.
    weight : float
        Weight of the rows, positive.
    predicted : float
        Mean probability of the class decided, in [low, high].
    observed : float
        Share of right decisions, in [0, 1].
    """

    low: float
    high: float
    weight: float
    predicted: float
    observed: float


def calibration_bins(
    probabilities: Floats, right: Bools, weights: Floats, n_bins: int = 10
) -> tuple[CalibrationBin, ...]:
    """Return the bins of equal width on [0, 1] that hold some row, in rising order.

    Parameters
    ----------
    probabilities : ndarray of float64, shape (n_samples,)
        Probability of the class decided, in [0, 1].
    right : ndarray of bool, shape (n_samples,)
        Whether the decision is right.
    weights : ndarray of float64, shape (n_samples,)
        Positive.
    n_bins : int
        Number of bins, the empty ones included.
    """
    bounds = np.arange(n_bins + 1) / n_bins
    places = np.clip(np.searchsorted(bounds, probabilities, side="right") - 1, 0, n_bins - 1)
    bins = []
    for place in np.unique(places).tolist():
        rows = places == place
        w = weights[rows]
        total = float(w.sum())
        predicted, observed = w @ probabilities[rows] / total, w @ right[rows] / total
        low, high = float(bounds[place]), float(bounds[place + 1])
        bins.append(CalibrationBin(low, high, total, float(predicted), float(observed)))
    return tuple(bins)


def calibration_error(bins: Sequence[CalibrationBin]) -> float:
    """Return the weighted mean distance of predicted and observed, in [0, 1]; NaN without bins."""
    total = sum(b.weight for b in bins)
    return sum(b.weight * abs(b.predicted - b.observed) for b in bins) / total if bins else math.nan


def roc_points(scores: Floats, positive: Bools, weights: Floats) -> Floats:
    """Return the points of the ROC curve, from (0, 0) to (1, 1).

    Parameters
    ----------
    scores : ndarray of float64, shape (n_samples,)
        Higher for rows that are thought positive.
    positive : ndarray of bool, shape (n_samples,)
        Whether a row is positive; there must be rows of both kinds.
    weights : ndarray of float64, shape (n_samples,)
        Positive.

    Returns
    -------
    ndarray of float64, shape (n_points, 2)
        False positive rate and true positive rate at each distinct score, falling.
    """
    distinct, place = np.unique(-scores, return_inverse=True)
    sides = [
        np.bincount(place.ravel(), np.where(side, weights, 0.0), minlength=len(distinct))
        for side in (~positive, positive)
    ]
    rates = [np.concatenate([[0.0], np.cumsum(side) / side.sum()]) for side in sides]
    return np.column_stack(rates)
