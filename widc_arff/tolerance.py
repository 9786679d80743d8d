"""The one tolerance of all comparisons: of Z, of objectives and of sums of weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TOLERANCE = 1e-9
"""Values that differ by at most this times (1 + value) are equal."""


def is_lower(value: float, than: float) -> bool:
    """Tell whether a value is lower by more than the tolerance."""
    return value < than - TOLERANCE * (1 + than)


def first_least(values: NDArray[np.float64]) -> int:
    """Return the position of the first value that equals the least, within the tolerance."""
    least = values.min()
    return int((values <= least + TOLERANCE * (1 + least)).argmax())
