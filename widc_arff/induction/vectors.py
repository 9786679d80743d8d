"""Stage 2: the vector of a monomial, by ranking loss boosting (section 5.2).

With one class an example (assumption A of section 5.2.2), Lemma 1 orders the components of an
optimal vector by the class weights, so that O(c^2) vectors hold an optimum.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

TOLERANCE = 1e-9


def best_vector(
    class_weights: NDArray[np.float64], present: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return the vector in {-1, 0, 1}^c that minimises Z of eq. (3) for one monomial.

    Parameters
    ----------
    class_weights : ndarray of shape (n_classes,)
        Weight of the examples of each class that satisfy the monomial; the sum is positive.
    present : ndarray of bool of shape (n_classes,)
        Classes with positive training weight.  The others get the lowest vote (I7).

    Returns
    -------
    ndarray of int64 of shape (n_classes,)
        Among vectors of equal Z the one with the fewest votes that are not zero, then the one with
        more votes of +1 (I8); classes of equal weight: the higher vote goes to the first declared.
    """
    classes = np.flatnonzero(present)
    weights = class_weights[classes]
    # increasing weight; of equal classes the later declared first
    order = np.lexsort((-np.arange(len(weights)), weights))
    n_against, n_for = _best_split(weights[order] / weights.sum())
    ordered = np.zeros(len(weights), np.int64)
    ordered[:n_against] = -1
    ordered[len(weights) - n_for :] = 1
    vector = np.full(len(class_weights), ordered.min())
    vector[classes[order]] = ordered
    return vector


def _best_split(weights: NDArray[np.float64]) -> tuple[int, int]:
    """Return how many of the lightest classes get -1 and how many of the heaviest +1."""
    c = len(weights)
    sums = np.concatenate(([0.0], np.cumsum(weights)))
    a, b, costs = _ordered_vectors(c)
    z = (
        sums[a] * costs[0] + (sums[b] - sums[a]) * costs[1] + (sums[c] - sums[b]) * costs[2]
    ) / max(c - 1, 1)
    least = z.min()
    # in the order of I8, the first of the equal ones
    best = np.flatnonzero(z <= least + TOLERANCE * (1 + least))[0]
    return int(a[best]), int(c - b[best])


@lru_cache(maxsize=64)
def _ordered_vectors(
    c: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return the ordered vectors: -1 for the classes below a, +1 from b on, in the order of I8.

    With them what an example of a class that gets -1, 0 and +1 adds to Z, shape (3, n_vectors).
    """
    a, b = np.triu_indices(c + 1)
    order = np.lexsort((-(c - b), a + c - b))
    a, b = a[order], b[order]
    lower, zero, upper = a, b - a, c - b
    root, whole = np.exp(0.5), np.exp(1.0)
    costs = np.array(
        [
            (lower - 1) + zero * root + upper * whole,
            lower / root + (zero - 1) + upper * root,
            lower / whole + zero / root + (upper - 1),
        ]
    )
    return a, b, costs
