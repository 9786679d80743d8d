"""The one tolerance of all comparisons, and the one range of all weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from widc_arff.arrays import Floats

TOLERANCE = 1e-9
"""Values that differ by at most this times (1 + value) are equal."""

EPSILON = 2.0**-52
"""By so much, as a share, a sum of two numbers can be rounded."""

FIXED_POINT = 2.0**40
"""Values are whole multiples of a unit, so that their sums are exact in whatever order: the unit is
this part of what they sum to."""

ROUNDED = 1e-13
"""Values that differ by at most this times (1 + value) are the same, but for the order of sums."""

LEAST_WEIGHT, LARGEST_WEIGHT = 1e-90, 1e90
"""Of rows, classes and costs, where they are not 0: products of three of them, and sums of these
over all rows, stay numbers."""


def is_weight(value: float) -> bool:
    """Tell whether a weight is 0 or in the range of weights."""
    return value == 0 or LEAST_WEIGHT <= value <= LARGEST_WEIGHT


def is_lower(value: float, than: float) -> bool:
    """Tell whether a value is lower by more than the tolerance."""
    return value < than - TOLERANCE * (1 + than)


def first_least(values: Floats) -> int:
    """Return the position of the first value that equals the least, within the tolerance."""
    least = values.min()
    return int((values <= least + TOLERANCE * (1 + least)).argmax())
