"""Stage 2: the vector of a monomial, by ranking loss boosting (section 5.2).

With one class an example (assumption A of section 5.2.2), Lemma 1 orders the components of an
optimal vector by the class weights, so that O(c^2) vectors hold an optimum.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.tolerance import TOLERANCE

if TYPE_CHECKING:
    from widc_arff.arrays import Bools, Floats, Integers

ELEMENTS = 1 << 20


def best_vector(class_weights: Floats, present: Bools) -> Integers:
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
    ordered = best_vectors(class_weights[None, present])[0]
    vector = np.full(len(class_weights), ordered.min())
    vector[present] = ordered
    return vector


def best_vectors(class_weights: Floats) -> Integers:
    """Return the vectors of many monomials, as `best_vector` does, for classes that all occur.

    Parameters
    ----------
    class_weights : ndarray of shape (n_monomials, n_classes)
        Weights of the covers; every row has a positive sum.

    Returns
    -------
    ndarray of int64 of shape (n_monomials, n_classes)
    """
    n, c = class_weights.shape
    vectors = np.empty((n, c), np.int64)
    a, b, ordered_vectors, costs = _ordered_vectors(c)
    step = max(1, ELEMENTS // len(a))
    for start in range(0, n, step):
        weights = class_weights[start : start + step]
        row = np.arange(len(weights))[:, None]
        # increasing weight; of equal classes the later declared first
        order = c - 1 - weights[:, ::-1].argsort(axis=1, kind="stable")
        ordered = weights[row, order]
        sums = np.zeros((len(weights), c + 1))
        np.cumsum(ordered / weights.sum(axis=1, keepdims=True), axis=1, out=sums[:, 1:])
        below, upto = sums[:, a], sums[:, b]
        z = below * costs[0] + (upto - below) * costs[1] + (sums[:, c:] - upto) * costs[2]
        z /= max(c - 1, 1)
        least = z.min(axis=1, keepdims=True)
        # in the order of I8, the first of the equal ones
        best = (z <= least + TOLERANCE * (1 + least)).argmax(axis=1)
        vectors[start + row, order] = ordered_vectors[best]
    return vectors


@lru_cache(maxsize=64)
def _ordered_vectors(
    c: int,
) -> tuple[Integers, Integers, Integers, Floats]:
    """Return the ordered vectors: -1 for the classes below a, +1 from b on, in the order of I8.

    These a and b, the vectors, and what an example of a class that gets -1, 0 and +1 adds to Z,
    shape (3, n_vectors).
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
    places = np.arange(c)
    vectors = (places >= b[:, None]).astype(np.int64) - (places < a[:, None])
    return a, b, vectors, costs
