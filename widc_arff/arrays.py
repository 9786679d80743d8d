"""The types of arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Votes = NDArray[np.int32]
"""Summed votes, or those of vectors, where many are held at once."""
Codes = NDArray[np.generic]
"""Codes of attributes: whole numbers of the least type that holds them."""
