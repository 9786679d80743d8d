"""Warnings of numbers and times, in columns that have a type, that are not held as they are."""

from __future__ import annotations

from typing import Any
from warnings import warn

import numpy as np

from widc_arff.errors import WidcWarning
from widc_arff.tables.table_values import LARGEST_SAFE


def tell_lost(
    place: str,
    numbers: Any,  # noqa: ANN401 - an array or a list
    advice: str = "as categories all keep their digits",
) -> None:
    """Warn of the first number, and how many there are, that a double does not hold.

    Parameters
    ----------
    place : str
        What the message begins with.
    numbers : ndarray of numbers, or list of int, float, Fraction or Decimal
        Known values.
    advice : str
        What the message ends with.
    """
    if isinstance(numbers, np.ndarray):
        if numbers.dtype.kind not in "iu":
            return
        numbers = numbers[np.abs(numbers.astype(np.float64)) >= LARGEST_SAFE].tolist()
    lost = [number for number in numbers if _is_lost(number)]
    if lost:
        others = f" (and {len(lost) - 1} more)" if len(lost) > 1 else ""
        number = nearest_double(lost[0])
        found = f"{lost[0]} is" if np.isfinite(number) else "a number beyond 1.8e308 is"
        held = (
            f"the nearest number of 53 bits, {int(number)}" if np.isfinite(number) else "infinite"
        )
        warn(
            f"{place}: {found} read as {held}{others}; {advice}",
            WidcWarning,
            stacklevel=2,
        )


def _is_lost(number: Any) -> bool:  # noqa: ANN401 - a number of any kind
    if isinstance(number, float | np.floating):
        return False
    held = nearest_double(number)
    if abs(held) < LARGEST_SAFE:
        return False
    return bool(np.isinf(held) or int(held) != number)


def nearest_double(number: Any) -> float:  # noqa: ANN401 - a number of any kind
    """Return the nearest double; infinite where there is none."""
    try:
        return float(number)
    except OverflowError:
        return float("inf" if number > 0 else "-inf")


def tell_finer(place: str) -> None:
    """Warn of times that are finer than milliseconds."""
    warn(
        f"{place}: times are kept to the millisecond, finer parts are cut off",
        WidcWarning,
        stacklevel=2,
    )
