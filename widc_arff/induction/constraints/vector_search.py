"""Stage 2 where Lemma 1 does not hold: costs of misclassification, and directions of attributes.

With W_j the weight of class j in a cover and C[j, k] the cost of taking j for k, the vector
minimises sum over j, k of W_j C[j, k] exp(-(v_j - v_k) / 2): eq. (3) if all costs are 1.
Up to eight classes all vectors are tried; of more a minimum cut finds the best one.

A direction says that larger values of an attribute never speak against a label: then a rule with
``>`` gives the label its highest vote, and one with ``<=`` its lowest.  As the attribute grows, the
label's lead over every other class can only rise, so that the decision for it is monotone.  The
vector is the best of those that keep to this.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.errors import WidcError
from widc_arff.induction.vectors.classes import best_vectors
from widc_arff.induction.vectors.pair_cut import minimise_pairs
from widc_arff.tolerance import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from widc_arff.arrays import Bools, Floats, Integers

MOST_TRIED = 8
ELEMENTS = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class VectorSearch:
    """How vectors are found.

    Parameters
    ----------
    costs : ndarray of float64 of shape (n_classes, n_classes), optional
        What it costs to take a class (rows) for another (columns), for the classes that occur;
        by default 1.
    constraints : ndarray of int64 of shape (n_literals,), optional
        What each literal demands of the vector, in bits: the first n_classes name classes that must
        have the highest vote, the next those that must have the lowest.
    """

    costs: Floats | None = None
    constraints: Integers | None = None

    def demanded(self, monomials: Sequence[Sequence[int]]) -> Integers | None:
        """Return what monomials demand of their vectors; None if nothing ever is."""
        if self.constraints is None:
            return None
        return np.array(
            [np.bitwise_or.reduce(self.constraints[list(m)]) for m in monomials], np.int64
        )

    def demanded_with_each(self, monomial: Iterable[int]) -> Integers | None:
        """Return what a monomial demands with each literal added, shape (n_literals,)."""
        if self.constraints is None:
            return None
        return np.asarray(self.constraints | np.bitwise_or.reduce(self.constraints[list(monomial)]))

    def demanded_without_each(self, monomial: Sequence[int]) -> Integers | None:
        """Return what a monomial demands, and without each literal; None if nothing ever is.

        Shape (n_monomial_literals + 1,).
        """
        if self.constraints is None:
            return None
        own = self.constraints[list(monomial)]
        place = np.arange(int(own.max(initial=0)).bit_length())
        bits = own[:, None] >> place & 1
        n_demanding = bits.sum(axis=0)
        others = np.vstack([n_demanding, n_demanding - bits]) > 0
        return np.asarray(others @ (1 << place), np.int64)

    def best(self, class_weights: Floats, demanded: Integers | None = None) -> Integers:
        """Return the vectors of many monomials.

        Parameters
        ----------
        class_weights : ndarray of shape (n_monomials, n_classes)
            Weights of the covers; every row has a positive sum.
        demanded : ndarray of int64 of shape (n_monomials,), optional
            What the monomials demand.

        Returns
        -------
        ndarray of int64 of shape (n_monomials, n_classes)
            Among vectors of equal Z that of I8.
        """
        if demanded is None or not demanded.any():
            return self._best_of(class_weights, 0)
        vectors = np.empty(class_weights.shape, np.int64)
        for demand in np.unique(demanded).tolist():
            rows = demanded == demand
            vectors[rows] = self._best_of(class_weights[rows], demand)
        return vectors

    def _best_of(self, class_weights: Floats, demand: int) -> Integers:
        """Return the best vectors that meet one demand, 0 for none."""
        if self.costs is None and not demand:
            return best_vectors(class_weights)
        c = class_weights.shape[1]
        if c > MOST_TRIED:
            return self._by_cuts(class_weights)
        vectors = _all_vectors(c)
        if demand:
            vectors = vectors[meets(vectors, demand)]
        z_of_class = _z_of_class(vectors, np.ones((c, c)) if self.costs is None else self.costs)
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
        self,
        class_weights: Floats,
        present: Bools,
        demanded: Integers | None = None,
    ) -> Integers:
        """Return the vectors of many monomials; a class that does not occur gets the least vote.

        Parameters
        ----------
        class_weights : ndarray of shape (n_monomials, n_declared)
            Weights of the covers.
        present : ndarray of bool of shape (n_declared,)
            Classes with positive training weight (I7).
        demanded : ndarray of int64 of shape (n_monomials,), optional
            What the monomials demand.
        """
        found = self.best(class_weights[:, present], demanded)
        vectors = np.repeat(found.min(axis=1, keepdims=True), len(present), axis=1)
        vectors[:, present] = found
        return vectors

    def _by_cuts(self, class_weights: Floats) -> Integers:
        try:
            found = [minimise_pairs(weights[:, None] * self.costs) for weights in class_weights]
        except WidcError as error:
            raise WidcError(
                f"costs of more than {MOST_TRIED} classes need scipy: "
                "pip install 'widc-arff[multilabel]'"
            ) from error
        return np.array(found, np.int64).reshape(class_weights.shape)


PLAIN = VectorSearch()
"""As the paper has it."""


def meets(vectors: Integers, demand: int) -> Bools:
    """Return which vectors, shape (n_vectors, n_classes), meet a demand."""
    c = vectors.shape[1]
    fine = np.ones(len(vectors), np.bool_)
    for j in range(c):
        if demand >> j & 1:
            fine &= vectors[:, j] == vectors.max(axis=1)
        if demand >> (c + j) & 1:
            fine &= vectors[:, j] == vectors.min(axis=1)
    return fine


def contradictory(constraints: Integers, n_classes: int) -> Bools:
    """Return which demands want the highest and the lowest vote for one class."""
    return np.asarray((constraints & (constraints >> n_classes)) % (1 << n_classes) != 0)


@lru_cache(maxsize=8)
def _all_vectors(c: int) -> Integers:
    """Return all vectors in the order of I8; then the higher vote for the class declared first."""
    vectors = np.array(list(product((1, 0, -1), repeat=c)), np.int64)
    order = np.lexsort((-(vectors == 1).sum(axis=1), (vectors != 0).sum(axis=1)))
    return np.asarray(vectors[order])


def _z_of_class(vectors: Integers, costs: Floats) -> Floats:
    """Return what an example of each class adds to Z, shape (n_classes, n_vectors)."""
    costs = costs * (1 - np.eye(len(costs)))
    over, under = np.exp(-vectors / 2), np.exp(vectors / 2)
    return np.asarray((over * (under @ costs.T)).T)
