"""Which literals may join a monomial: hard constraints that hold while rules grow and change.

Rules are grown within the constraints, so that the best rule within them is found; they are not
filtered afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.demands.voting import contradictory
from widc_arff.induction.sample.kept import KEPT_BYTES, Kept
from widc_arff.tolerance import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.induction.demands.voting import Voting
    from widc_arff.induction.sample.coding import CodedSample


class Admission:
    """Tells which literals may join a monomial.

    Parameters
    ----------
    sample : CodedSample
        All training examples: what is grown on a part of them or with other weights must hold for
        these.
    voting : Voting
        Where it demands something of votes, a monomial must have something to say within these
        demands: literals of contradictory demands do not meet, and no vector is constant.
    least_weight : float
        Every rule covers at least this weight; 0 for any.
    weights : ndarray of float64 of shape (n_samples,), optional
        The weights that are meant, where those of `sample` count classes more or less.
    """

    def __init__(
        self,
        sample: CodedSample,
        voting: Voting,
        least_weight: float = 0.0,
        weights: Floats | None = None,
    ) -> None:
        self._sample = sample
        self._voting = voting
        self._least_weight = least_weight * (1 - TOLERANCE)
        self._weights = sample.weights if weights is None else weights
        self._barred: Kept[frozenset[int], Bools] = Kept(KEPT_BYTES // 4)

    def barred(self, monomial: Iterable[int]) -> Bools:
        """Return which literals may not join a monomial, shape (n_literals,)."""
        key = frozenset(monomial)
        found = self._barred.get(key)
        if found is None:
            found = self._barred.keep(key, self._found_barred(key))
        return found

    def _found_barred(self, monomial: frozenset[int]) -> Bools:
        sample = self._sample
        rows = np.flatnonzero(sample.satisfying_all(tuple(monomial)))
        barred = np.zeros(len(sample.catalogue), np.bool_)
        if self._least_weight > 0:
            covered = self._weights_with_each(rows, self._weights)
            barred = covered < self._least_weight
        demanded = self._voting.demanded_with_each(monomial)
        if demanded is None:
            return barred
        barred |= contradictory(demanded, sample.n_labels)
        of_classes = np.column_stack(
            [
                self._weights_with_each(rows[sample.labels[rows] == j], sample.weights)
                for j in range(sample.n_labels)
            ]
        )
        barred |= ~of_classes.any(axis=1)
        open_ = np.flatnonzero(~barred)
        vectors = self._voting.best(of_classes[open_], demanded[open_])
        barred[open_] = (vectors == vectors[:, :1]).all(axis=1)
        return barred

    def _weights_with_each(self, rows: Integers, weights: Floats | None) -> Floats:
        """Return the weight of those rows that satisfy each literal, shape (n_literals,)."""
        of_rows = None if weights is None else weights[rows]
        covered = np.zeros(len(self._sample.catalogue))
        for group in self._sample.groups:
            counts = np.array(
                [
                    np.bincount(codes[rows], of_rows, minlength=group.n_codes)
                    for codes in group.codes
                ],
                np.float64,
            ).reshape(-1, group.n_codes)
            known = counts.sum(axis=1, keepdims=True)
            if group.has_missing:
                known -= counts[:, -1:]
            if group.numeric:
                counts = counts.cumsum(axis=1)
            covered[group.plain] = counts.ravel()[group.cells]
            covered[group.complement] = (known - counts).ravel()[group.cells[group.paired]]
        return covered
