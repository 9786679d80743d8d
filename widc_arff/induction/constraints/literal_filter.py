"""Which literals may join a monomial: hard constraints that hold while rules grow and change.

Rules are grown within the constraints, so that the best rule within them is found; they are not
filtered afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.constraints.vector_search import contradictory
from widc_arff.induction.sample.kept import KEPT_BYTES, Kept
from widc_arff.tolerance import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from widc_arff.arrays import Bools
    from widc_arff.induction.constraints.vector_search import VectorSearch
    from widc_arff.induction.examples import Examples
    from widc_arff.induction.sample.coding import Catalogue, Chain


class LiteralFilter:
    """Tells which literals may join a monomial.

    Parameters
    ----------
    examples : Examples
        All training examples: what is grown on a part of them or with other weights must hold for
        these.
    catalogue : Catalogue
        The literals.
    vector_search : VectorSearch
        Where it demands something of votes, a monomial must have something to say within these
        demands: literals of contradictory demands do not meet, and no vector is constant.
    least_weight : float
        Every rule covers at least this weight, as the data tell weights; 0 for any.
    """

    def __init__(
        self,
        examples: Examples,
        catalogue: Catalogue,
        vector_search: VectorSearch,
        least_weight: float = 0.0,
    ) -> None:
        self._examples, self._catalogue = examples, catalogue
        self._vector_search = vector_search
        self._least_weight = least_weight * (1 - TOLERANCE)
        self._barred: Kept[frozenset[int], Bools] = Kept(KEPT_BYTES // 4)

    def covers_enough(self, monomial: Chain) -> bool:
        """Tell whether a monomial covers the least weight."""
        if self._least_weight <= 0:
            return True
        *rest, last = monomial
        return bool(self._examples.in_data_with_each(tuple(rest))[last] >= self._least_weight)

    def barred(self, monomial: Iterable[int]) -> Bools:
        """Return which literals may not join a monomial, shape (n_literals,)."""
        key = frozenset(monomial)
        found = self._barred.get(key)
        if found is None:
            found = self._barred.keep(key, self._found_barred(key))
        return found

    def _found_barred(self, monomial: frozenset[int]) -> Bools:
        barred = np.zeros(len(self._catalogue), np.bool_)
        if self._least_weight > 0:
            barred = self._examples.in_data_with_each(tuple(monomial)) < self._least_weight
        demanded = self._vector_search.demanded_with_each(monomial)
        if demanded is None:
            return barred
        of_classes = self._examples.classes_with_each(tuple(monomial))
        barred |= contradictory(demanded, of_classes.shape[1])
        barred |= ~of_classes.any(axis=1)
        open_ = np.flatnonzero(~barred)
        vectors = self._vector_search.best(of_classes[open_], demanded[open_])
        barred[open_] = (vectors == vectors[:, :1]).all(axis=1)
        return barred
