"""Stage 2 where Lemma 1 does not hold: costs of misclassification.

With W_j the weight of class j in a cover and C[j, k] the cost of taking j for k, the vector
minimises sum over j, k of W_j C[j, k] exp(-(v_j - v_k) / 2): eq. (3) if all costs are 1.
Up to eight classes all vectors are tried; of more a minimum cut finds the best one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.errors import WidcError
from widc_arff.induction.pair_cut import minimise_pairs
from widc_arff.induction.vectors import best_vectors
from widc_arff.tolerance import TOLERANCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_TRIED = 8
ELEMENTS = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Voting:
    """How vectors are found.

    Parameters
    ----------
    costs : ndarray of float64 of shape (n_classes, n_classes), optional
        What it costs to take a class (rows) for another (columns), for the classes that occur;
        by default 1.
    """

    costs: NDArray[np.float64] | None = None

    def best(self, class_weights: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the vectors of many monomials.

        Parameters
        ----------
        class_weights : ndarray of shape (n_monomials, n_classes)
            Weights of the covers; every row has a positive sum.

        Returns
        -------
        ndarray of int64 of shape (n_monomials, n_classes)
            Among vectors of equal Z that of I8.
        """
        if self.costs is None:
            return best_vectors(class_weights)
        c = class_weights.shape[1]
        if c > MOST_TRIED:
            return self._by_cuts(class_weights)
        vectors = _all_vectors(c)
        z_of_class = _z_of_class(vectors, self.costs)
        shares = class_weights / class_weights.sum(axis=1, keepdims=True) / max(c - 1, 1)
        best = np.empty(len(shares), np.int64)
        step = max(1, ELEMENTS // len(vectors))
        for start in range(0, len(shares), step):
            z = shares[start : start + step] @ z_of_class
            least = z.min(axis=1, keepdims=True)
            # in the order of I8, the first of the equal ones
            best[start : start + step] = (z <= least + TOLERANCE * (1 + least)).argmax(axis=1)
        return np.asarray(vectors[best])

    def best_of_present(
        self, class_weights: NDArray[np.float64], present: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """Return the vectors of many monomials; a class that does not occur gets the least vote.

        Parameters
        ----------
        class_weights : ndarray of shape (n_monomials, n_declared)
            Weights of the covers.
        present : ndarray of bool of shape (n_declared,)
            Classes with positive training weight (I7).
        """
        found = self.best(class_weights[:, present])
        vectors = np.repeat(found.min(axis=1, keepdims=True), len(present), axis=1)
        vectors[:, present] = found
        return vectors

    def _by_cuts(self, class_weights: NDArray[np.float64]) -> NDArray[np.int64]:
        try:
            found = [minimise_pairs(weights[:, None] * self.costs) for weights in class_weights]
        except WidcError as error:
            raise WidcError(
                f"costs of more than {MOST_TRIED} classes need scipy: "
                "pip install 'widc-arff[multilabel]'"
            ) from error
        return np.array(found, np.int64).reshape(class_weights.shape)


@lru_cache(maxsize=8)
def _all_vectors(c: int) -> NDArray[np.int64]:
    """Return all vectors in the order of I8; then the higher vote for the class declared first."""
    vectors = np.array(list(product((1, 0, -1), repeat=c)), np.int64)
    order = np.lexsort((-(vectors == 1).sum(axis=1), (vectors != 0).sum(axis=1)))
    return np.asarray(vectors[order])


def _z_of_class(vectors: NDArray[np.int64], costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what an example of each class adds to Z, shape (n_classes, n_vectors)."""
    costs = costs * (1 - np.eye(len(costs)))
    over, under = np.exp(-vectors / 2), np.exp(vectors / 2)
    return np.asarray((over * (under @ costs.T)).T)
