"""What each row has besides its attributes: a weight, and a class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.errors import DataError
from widc_arff.tolerance import LARGEST_WEIGHT, LEAST_WEIGHT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats

COUNTED_FROM_0 = " (counted from 0)"
"""Behind the number of a row where data come from Python, not from a file."""


def check_weights(weights: Floats, *, what: str = "", first_row: int = 1) -> None:
    """Check the weights of rows.

    Parameters
    ----------
    weights : ndarray of float64 of shape (n_samples,)
        One for each row.
    what : str
        Begins the message.
    first_row : int
        Number of the first row in messages; 0 where data come from Python.

    Raises
    ------
    DataError
        If one is negative, not finite, or so small or large that sums and products would not hold.
    """
    in_range = (weights >= LEAST_WEIGHT) & (weights <= LARGEST_WEIGHT)
    bad = np.flatnonzero(~(in_range | (weights == 0)))
    if len(bad):
        raise DataError(
            f"{what}expected weights of 0 or from {LEAST_WEIGHT} to {LARGEST_WEIGHT}, got "
            f"{float(weights[bad[0]])!r} in row {bad[0] + first_row}"
            + ("" if first_row else COUNTED_FROM_0)
        )


def label_matrix(codes: NDArray[np.generic], n_classes: int) -> Bools:
    """Return the 0/1 matrix of shape (n_samples, n_classes) of class codes, -1 for missing."""
    return np.asarray(codes[:, None] == np.arange(n_classes)[None, :])
