"""Whether one model is better than another on the same rows, by more than chance."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from widc_arff.arrays import Floats

_MOST_COUNTED = 1 << 20
"""Of more rows that differ, the exact test is the normal approximation to any digit printed."""


class PairedTest(NamedTuple):
    """What two models lose on the same rows.

    Parameters
    ----------
    better, worse : float
        Weight of the rows on which the first model loses less, and more.
    difference : float
        Mean loss of the first model less that of the second.
    p : float
        How probable so large a difference is by chance, in [0, 1].
    """

    better: float
    worse: float
    difference: float
    p: float


def paired_test(losses: Floats, others: Floats, weights: Floats) -> PairedTest:
    """Compare what two models lose, row by row.

    Were there no difference, each row's could as well have the other sign.  Where all differences
    are of one size, as errors are, this is the exact test of McNemar; else its normal
    approximation.

    Parameters
    ----------
    losses, others : ndarray of float64 of shape (n_samples,)
        Of the first and of the second model: errors, costs or ranking losses.
    weights : ndarray of float64 of shape (n_samples,)
        Positive.  Whole ones count as so many copies of the row; others are scaled to sum to the
        number of rows.
    """
    n_samples = len(weights)
    if n_samples and (weights != np.rint(weights)).any():
        weights = weights * (n_samples / weights.sum())
    differences = losses - others
    better, worse = (float(weights[rows].sum()) for rows in (differences < 0, differences > 0))
    total = float(weights @ differences)
    spread = float(weights @ differences**2)
    mean = total / float(weights.sum()) if n_samples else math.nan
    if not spread:
        return PairedTest(better, worse, mean, 1.0)
    sizes = np.abs(differences[differences != 0])
    n = round(better + worse)
    if 0 < n <= _MOST_COUNTED and sizes.min() == sizes.max():
        p = _sign_test(round(min(better, worse)), n)
    else:
        p = math.erfc(abs(total) / math.sqrt(2 * spread))
    return PairedTest(better, worse, mean, p)


def _sign_test(fewer: int, n: int) -> float:
    """Return the chance of so few or fewer heads, or tails, among n tosses of a coin."""
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(n, 0, -1) / np.arange(1, n + 1)))])
    tail = float(np.exp(logs[: fewer + 1] - n * math.log(2)).sum())
    return min(1.0, 2 * tail)
