"""Which literals may join a monomial: hard constraints that hold while rules grow and change.

Rules are grown within the constraints, so that the best rule within them is found; nothing is
filtered afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from widc_arff.induction.coding import CodedSample

KEPT_CELLS = 1 << 22
ROUNDING = 1e-9


class Admission:
    """Tells which literals may join a monomial.

    Parameters
    ----------
    sample : CodedSample
        All training examples, with their true weights: rules that are grown on a part of them or
        with other weights must cover enough of these.
    least_weight : float
        Every rule covers at least this weight, in quanta.
    """

    def __init__(self, sample: CodedSample, least_weight: float) -> None:
        self._sample = sample
        self._least_weight = least_weight * (1 - ROUNDING)
        self._barred: dict[frozenset[int], NDArray[np.bool_]] = {}

    def barred(self, monomial: Iterable[int]) -> NDArray[np.bool_]:
        """Return which literals may not join a monomial, shape (n_literals,)."""
        key = frozenset(monomial)
        if key not in self._barred:
            if (len(self._barred) + 1) * len(self._sample.catalogue) > KEPT_CELLS:
                self._barred.clear()
            self._barred[key] = self._weights_with_each(key) < self._least_weight
        return self._barred[key]

    def _weights_with_each(self, monomial: frozenset[int]) -> NDArray[np.float64]:
        """Return the weight that a monomial covers with each literal added, in quanta."""
        sample = self._sample
        cover = np.ones(sample.n_samples, np.bool_)
        for literal in monomial:
            cover &= sample.satisfying(literal)
        rows = np.flatnonzero(cover)
        weights = None if sample.weights is None else sample.weights[rows]
        covered = np.zeros(len(sample.catalogue))
        for group in sample.groups:
            counts = np.array(
                [
                    np.bincount(codes[rows], weights, minlength=group.n_codes)
                    for codes in group.codes
                ],
                np.float64,
            ).reshape(group.shape)
            known = counts.sum(axis=1, keepdims=True)
            if group.has_missing:
                known -= counts[:, -1:]
            if group.numeric:
                counts = counts.cumsum(axis=1)
            covered[group.plain] = counts.ravel()[group.plain_cells]
            covered[group.complement] = (known - counts).ravel()[group.complement_cells]
        return covered
