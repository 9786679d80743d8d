"""Random examples of several classes, for the checks of sections 5.2 to 5.2.2."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def random_label_sets(
    rng: np.random.Generator, n: int, c: int, most: int
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Return a label matrix with 1 to `most` labels a row, some sets more likely, and weights."""
    appeal = rng.random(c) ** 2 + 0.05
    Y = np.zeros((n, c), bool)
    for row in Y:
        size = int(rng.integers(1, most + 1))
        row[rng.choice(c, size, replace=False, p=appeal / appeal.sum())] = True
    return Y, rng.random(n) ** 3


def random_pairs(rng: np.random.Generator, c: int) -> NDArray[np.float64]:
    """Return pair weights that sum to 1, w((o, j, k)) summed over the observations."""
    P = rng.random((c, c)) ** 3 * (rng.random((c, c)) < 0.8)
    np.fill_diagonal(P, 0)
    P[0, 1] += 0.01
    return np.asarray(P / P.sum())


def subsets(c: int) -> list[frozenset[int]]:
    """Return all sets of classes."""
    return [
        frozenset(chosen)
        for size in range(c + 1)
        for chosen in itertools.combinations(range(c), size)
    ]


def vectors(c: int, values: Sequence[int] = (-1, 0, 1)) -> NDArray[np.int64]:
    """Return all vectors, shape (n_values ** c, c)."""
    return np.array(list(itertools.product(values, repeat=c)))


def z_of(P: NDArray[np.float64], v: NDArray[np.int64], alpha: float = 1.0) -> NDArray[np.float64]:
    """Return Z of eq. (2) of each vector, a row of `v`; alpha = 1 is eq. (3)."""
    factors = np.exp(-alpha * np.atleast_2d(v) / 2)
    return np.asarray(((factors @ P) / factors).sum(axis=1))
