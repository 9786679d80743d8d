"""Changes that flip a decision, by trying every value of every attribute of every small set."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Value = float | None


def flipping_sets(
    row: Sequence[Value],
    values: Mapping[int, Sequence[float]],
    far: Callable[[int, Value, float], float],
    decide: Callable[[Sequence[Value]], object],
    most: int = 3,
) -> dict[tuple[int, ...], float]:
    """Return the smallest sets of attributes that can flip a decision, and how near each does.

    Parameters
    ----------
    row : sequence of float or None
        The example.
    values : mapping of int to sequence of float
        What each attribute can become; attributes that are not there stay.
    far : callable
        How far an attribute moves from one value to another.
    decide : callable
        What is decided for a row.
    most : int
        Attributes that change together.
    """
    now = decide(row)
    for size in range(1, most + 1):
        found: dict[tuple[int, ...], float] = {}
        for attributes in combinations(sorted(values), size):
            for chosen in product(*(values[a] for a in attributes)):
                other = list(row)
                for a, value in zip(attributes, chosen, strict=True):
                    other[a] = value
                if decide(other) != now:
                    steps = zip(attributes, chosen, strict=True)
                    distance = sum(far(a, row[a], value) for a, value in steps)
                    found[attributes] = min(distance, found.get(attributes, distance))
        if found:
            return found
    return {}
