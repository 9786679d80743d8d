"""What a committee leaves undone in each row, and what monomials could gain there."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from widc_arff.induction.search.budget import LARGEST_STEP, LEAST_STEP
from widc_arff.tolerance import FIXED_POINT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff.arrays import Floats, Integers
    from widc_arff.induction.search.rows import Rows
    from widc_arff.induction.search.state import SoftStanding


Scalar = TypeVar("Scalar", bound=np.generic)

HOPES_AT_ONCE = 1 << 20
"""Additions up to which what all literals can gain is computed, not of those alone that ask."""


class Residual:
    """What a committee leaves undone, of each class in each row.

    Of two classes rows of the same margin and weights leave the same undone: where there is no
    table, and these kinds are few, values are of kinds.

    Parameters
    ----------
    state : SoftStanding
        The committee.
    idle : float
        Share of a row's weight, divided by the number of classes, below which its residual for a
        class is taken as none.
    """

    part: Integers | None = None
    """The rows that it is of; None for all."""
    signs: tuple[int, ...] = (1, -1)
    """In which directions votes are wanted: for a class and against it."""

    def __init__(self, state: SoftStanding, idle: float) -> None:
        rows = state.rows
        weights, class_weights = rows.weights, rows.class_weights
        p, _, kinds = state.softmax(slice(None))
        self.kinds: Integers | None = None
        """The kind of each row, where values are of kinds."""
        if kinds is not None:
            found = None if rows.table is not None else rows.kinds_with(kinds)
            if found is None:
                p = p[:, kinds]
            else:
                self.kinds, first = found
                p, class_weights, weights = (
                    p[:, kinds[first]],
                    class_weights[:, first],
                    weights[first],
                )
        self.class_weights, self.weights = class_weights, weights
        # whole multiples of a small unit: sums are exact, in whatever order
        self.unit = unit = float(2.0 ** np.ceil(np.log2(rows.total)) / FIXED_POINT)
        least = idle * weights / rows.n_classes
        self.slope: Floats = np.empty(p.shape)
        self.curve: Floats = np.empty(p.shape)
        for j, (own, of_class) in enumerate(zip(p, class_weights, strict=True)):
            expected = weights * own
            slope = of_class - expected
            near = np.abs(slope) > least
            self.slope[j] = np.rint(slope * near / unit) * unit
            self.curve[j] = np.rint(expected * (1 - own) * near / unit) * unit
        self._of_all = self.slope, self.curve, self.kinds
        self.n_rows = rows.n_rows

    def take(self, part: Integers, scale: int) -> None:
        """Leave some rows, which stand for `scale` times as many."""
        self.part, self.n_rows = part, len(part)
        if self.kinds is None:
            self.slope, self.curve = self.slope.take(part, axis=1), self.curve.take(part, axis=1)
            self.class_weights = self.class_weights.take(part, axis=1)
            self.weights = self.weights[part]
        else:
            self.kinds = self.kinds[part]
        self.slope, self.curve = self.slope * scale, self.curve * scale

    def gain_in_all(self, label: int, sign: int, covered: Integers) -> float:
        """Return what one step for or against a class in some of all rows gains."""
        slope, curve, kinds = self._of_all
        some = covered if kinds is None else kinds[covered]
        return float(newton_gain(sign * slope[label][some].sum(), curve[label][some].sum()))

    def hopes(self, labels: Integers, sign: int, rows: Integers | None = None) -> Floats:
        """Return what steps for or against some classes gain, each of some rows by itself."""
        slope, curve = self.slope[labels], self.curve[labels]
        if rows is not None and self.kinds is None:
            slope, curve = slope.take(rows, axis=-1), curve.take(rows, axis=-1)
        gains = np.ceil(newton_gain(sign * slope, curve) / self.unit)
        if rows is not None and self.kinds is not None:
            gains = gains.take(self.kinds[rows], axis=-1)
        return np.asarray(gains * self.unit)  # sums of these are exact

    def of_part(self, values: NDArray[Scalar]) -> NDArray[Scalar]:
        """Return what is of these rows, from values of all along the last axis."""
        return values if self.part is None else values[..., self.part]

    def in_all(self, rows: Integers) -> Integers:
        """Return which of all rows some of these are."""
        return rows if self.part is None else self.part[rows]

    def of_rows(self, values: NDArray[Scalar], rows: Integers | slice) -> NDArray[Scalar]:
        """Return the values of some of these rows, along the last axis."""
        return values[..., rows if self.kinds is None else self.kinds[rows]]

    def n_values(self, values: NDArray[np.generic]) -> float:
        """Return how many values of these rows are not zero, or true."""
        if self.kinds is None:
            return float(np.count_nonzero(values))
        n_rows = np.bincount(self.kinds, minlength=values.shape[1])
        return float((np.count_nonzero(values, axis=0) * n_rows).sum())


def newton_gain(slope: Floats, curve: Floats) -> Floats:
    """Return the fall of the log loss in one Newton step of a part of a vote up to two."""
    step = np.clip(slope / np.maximum(curve, 1e-12), LEAST_STEP, LARGEST_STEP)
    return np.asarray(np.maximum(step * (slope - 0.5 * curve * step), 0.0))


class MayPay:
    """What monomials with some literals can gain at most: it is asked of few.

    Parameters
    ----------
    residual : Residual
    rows : Rows
        Told of the work of all literals.
    labels : ndarray of int64 of shape (n_labels,)
        The classes for and against which monomials grow.
    """

    def __init__(self, residual: Residual, rows: Rows, labels: Integers) -> None:
        self._residual, self._rows, self._labels = residual, rows, labels
        slope, curve = residual.slope[labels], residual.curve[labels]
        n_series = len(residual.signs) * len(labels)
        rises = [residual.n_values(s * slope > LEAST_STEP / 2 * curve) for s in residual.signs]
        n_values = float(n_series) * residual.n_rows
        rows.tell_sums(n_values, sum(rises), n_series)
        self._all: Floats | None = None
        if rows.table is not None and n_values * rows.table.shape[1] <= HOPES_AT_ONCE:
            hopes = [residual.hopes(labels, sign) for sign in residual.signs]
            part = slice(None) if residual.part is None else residual.part
            self._all = np.array(hopes) @ rows.table[part]

    def gain_bound(self, side: int, place: int, literal: int) -> float:
        """Return it for (0) or against (1) one of the classes, as if each row had its own step."""
        if self._all is not None:
            return float(self._all[side, place, literal])
        covered = np.flatnonzero(self._residual.of_part(self._rows.holds(literal)))
        return float(self._residual.hopes(self._labels[place], 1 - 2 * side, covered).sum())
