"""Numbers of single and half precision as the decimals that people wrote.

A float32 of 1.9 is 1.899999976158142 to a double.  Read as the shortest decimal that is this
float32 it is 1.9 again, so that cut points, and what is printed of values, are those of doubles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff.arrays import Floats

_DIGITS = range(6, 10)
"""The digits that each float32 keeps, up to those that tell all apart."""
_POWERS = np.array([float(f"1e{k}") for k in range(23)])  # exact


def as_doubles(values: NDArray[np.floating]) -> Floats:
    """Return numbers as doubles: of fewer bits the nearest to the shortest decimal of each.

    Whole numbers stay as they are.

    Parameters
    ----------
    values : ndarray of float16, float32, float64 or longer
        Of any shape.
    """
    doubles = values.astype(np.float64, copy=False)
    if values.dtype.itemsize == 2:
        distinct, places = np.unique(values, return_inverse=True)  # 65,536 at most
        return np.array(list(map(_double_of, distinct)), np.float64)[places].reshape(values.shape)
    if values.dtype.itemsize != 4:
        return doubles
    flat, given = doubles.copy().reshape(-1), values.reshape(-1)
    with np.errstate(invalid="ignore"):
        waiting = np.flatnonzero(np.isfinite(flat) & (flat != np.rint(flat)))
    sizes = np.abs(flat[waiting])
    exponents = np.floor(np.log10(sizes)).astype(np.int64)
    tiny = exponents < -13  # the power of ten would not be exact
    for i in waiting[tiny]:
        flat[i] = _double_of(given[i])
    waiting, sizes, exponents = waiting[~tiny], sizes[~tiny], exponents[~tiny]
    for digits in _DIGITS:
        powers = _POWERS[np.maximum(digits - 1 - exponents, 0)]
        decimals = np.copysign(np.rint(sizes * powers) / powers, flat[waiting])
        found = decimals.astype(np.float32) == given[waiting]
        flat[waiting[found]] = decimals[found]
        waiting, sizes, exponents = waiting[~found], sizes[~found], exponents[~found]
    return flat.reshape(values.shape)


def _double_of(value: np.floating) -> float:
    return float(value) if float(value).is_integer() else float(str(value))
