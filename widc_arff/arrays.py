"""The types of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Votes = NDArray[np.int32]
"""Summed votes, or those of vectors, where many are held at once."""
Codes = NDArray[np.generic]
"""Codes of attributes: whole numbers of the least type that holds them."""


def equal_weights(n_rows: int) -> Floats:
    """Return a weight of 1 for each row, without memory for each."""
    return np.broadcast_to(np.float64(1), n_rows)


def joined_weights(pieces: Sequence[Floats]) -> Floats:
    """Return the weights of several pieces of rows, equal ones without memory for each."""
    if all(weights.strides == (0,) and (weights[:1] == 1).all() for weights in pieces):
        return equal_weights(sum(map(len, pieces)))
    return np.concatenate(pieces)
