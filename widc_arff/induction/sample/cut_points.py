"""Candidate cut points of numeric attributes, from the training data alone (I1).

``mdl+``, the default: all midpoints where there are at most ten distinct values, else the cuts of
Fayyad and Irani (1993) and the median.  Whole weights act as copies everywhere.

For label sets the entropy is the sum, over the labels, of that of having the label or not, and the
cost of a cut is that of its place plus, for each label, that of telling its shares on both sides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.errors import OptionError
from widc_arff.options import parse_cut_point_method
from widc_arff.tolerance import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats, Integers

FEW_VALUES = 10
MOST_CUTS = 65534  # codes are 16-bit, one of them is for missing values


@dataclass(frozen=True, slots=True, eq=False)
class ValueCounts:
    """The distinct known values of one attribute with their weights.

    Parameters
    ----------
    values : ndarray of float64 of shape (n_values,)
        Increasing.
    weights : ndarray of float64 of shape (n_values,)
        Weight of the examples with each value.
    class_weights : ndarray of float64 of shape (n_values, n_classes)
        Of which with each label.
    label_sets : bool
        Whether an example can have any number of labels.
    """

    values: Floats
    weights: Floats
    class_weights: Floats
    label_sets: bool = False

    def in_units(self, unit: float, *, label_sets: bool = False) -> ValueCounts:
        """Return the same counts with weights in a larger or smaller unit."""
        return ValueCounts(self.values, self.weights * unit, self.class_weights * unit, label_sets)


def count_values(column: Floats, Y: Bools, weights: Floats) -> ValueCounts:
    """Return the distinct values of a column, missing ones left out, with their weights.

    The weights are whole numbers, so that their sums are exact in any order.
    """
    known = ~np.isnan(column)
    if not known.all():
        column, Y, weights = column[known], Y[known], weights[known]
    if len(column) == 0:
        return ValueCounts(column, weights, np.zeros((0, Y.shape[1])))
    if (column == column[0]).all():  # as most columns of sparse data are: nothing to sort
        return ValueCounts(column[:1] + 0.0, weights.sum(keepdims=True), weights[None] @ Y)
    order = np.argsort(column)  # several times as fast as a stable order, which sums do not need
    ordered = column[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    ordered_weights = weights[order]
    class_weights = np.empty((len(starts), Y.shape[1]))
    for j in range(Y.shape[1]):
        class_weights[:, j] = np.add.reduceat(ordered_weights * Y[order, j], starts)
    return ValueCounts(
        ordered[starts] + 0.0,  # no negative zero
        np.add.reduceat(ordered_weights, starts),
        class_weights,
    )


def distinct(values: NDArray[np.generic]) -> NDArray[Any]:
    """Return the distinct values, increasing; `numpy.unique` would import masked arrays."""
    ordered = np.sort(values)
    is_first = np.ones(len(ordered), np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    return ordered[is_first]


def merged_counts(pieces: Sequence[ValueCounts]) -> ValueCounts:
    """Return the counts of all examples from those of several parts of them, one at least."""
    values = np.concatenate([piece.values for piece in pieces])
    order = np.argsort(values, kind="stable")
    values = values[order]
    starts = np.flatnonzero(np.concatenate(([True], values[1:] != values[:-1])))
    weights = np.concatenate([piece.weights for piece in pieces])[order]
    class_weights = np.concatenate([piece.class_weights for piece in pieces])[order]
    if len(values) == 0:
        return ValueCounts(values, weights, class_weights)
    return ValueCounts(
        values[starts],
        np.add.reduceat(weights, starts),
        np.add.reduceat(class_weights, starts, axis=0),
    )


def candidate_cuts(counts: ValueCounts, method: str) -> Floats:
    """Return the candidate cut points of one attribute, increasing.

    Parameters
    ----------
    counts : ValueCounts
        Weights in units of examples: N in the criterion of Fayyad and Irani is their sum.
    method : str
        As in `Options.cut_points`.

    Returns
    -------
    ndarray of float64 of shape (n_cuts,)
        Each separates two known values.

    Raises
    ------
    OptionError
        If ``all`` would give more cut points than there are codes.
    """
    n_values = len(counts.values)
    if n_values < 2:
        return np.empty(0)
    name, k = parse_cut_point_method(method)
    if name == "width":
        finite = counts.values[np.isfinite(counts.values)]  # infinite ones lie beyond all cuts
        if len(finite) < 2:
            return _midpoints(counts.values, np.arange(n_values - 1))
        low, high = finite[0], finite[-1]
        steps = np.arange(1, k)
        with np.errstate(over="ignore", invalid="ignore"):
            cuts = low + steps * (high - low) / k
        if not np.isfinite(cuts).all():  # the range is larger than any number
            cuts = low * (1 - steps / k) + high * (steps / k)
        cuts = distinct(cuts)
        return np.asarray(cuts[(cuts >= low) & (cuts < high)])
    if name == "quantile":
        boundaries = _quantile_boundaries(counts.weights, k)
    elif name == "all" or (name == "mdl+" and n_values <= FEW_VALUES):
        boundaries = np.arange(n_values - 1)
    else:
        boundaries = np.array(sorted(_entropy_boundaries(counts)), np.int64)
        if name == "mdl+":
            boundaries = distinct(np.append(boundaries, _median_boundary(counts.weights)))
    if len(boundaries) > MOST_CUTS:
        raise OptionError(
            f"cut points: expected at most {MOST_CUTS} for one attribute, got {len(boundaries)} "
            f"with {method!r}; use quantile:K or mdl+"
        )
    return distinct(_midpoints(counts.values, boundaries))


def _midpoints(values: Floats, boundaries: Integers) -> Floats:
    """Return the cut after each boundary value; the value itself where no midpoint fits between."""
    # -Infinity is cut off by the least finite number: every cut point is finite
    low = np.maximum(values[boundaries], -np.finfo(np.float64).max)
    high = values[boundaries + 1]
    with np.errstate(over="ignore", invalid="ignore"):
        middle = (low + high) / 2
    fits = np.isfinite(middle) & (middle < high)
    return np.asarray(np.where(fits, middle, low))


def _quantile_boundaries(weights: Floats, k: int) -> Integers:
    """Return the first boundaries at which the weight reaches 1/k, 2/k, ... of the total."""
    cumulative = np.cumsum(weights)
    wanted = cumulative[-1] * np.arange(1, k) / k
    slack = TOLERANCE * cumulative[-1]
    boundaries = distinct(np.searchsorted(cumulative, wanted - slack))
    return boundaries[boundaries < len(weights) - 1]


def _median_boundary(weights: Floats) -> int:
    """Return the boundary around half of the weight: the most equal sides, the upper if equal."""
    cumulative = np.cumsum(weights)
    total = cumulative[-1]
    imbalance = np.abs(2 * cumulative[:-1] - total)
    best = imbalance.min()
    return int(np.flatnonzero(imbalance <= best + TOLERANCE * total)[-1])


def _entropy_boundaries(counts: ValueCounts) -> list[int]:
    """Return the boundaries that the minimum description length principle accepts."""
    problems = counts.class_weights[:, None, :]
    if counts.label_sets:  # for each label a problem of two classes: with and without it
        others = counts.weights[:, None] - counts.class_weights
        problems = np.stack([counts.class_weights, others], axis=2)
    cumulative = np.concatenate([np.zeros((1, *problems.shape[1:])), np.cumsum(problems, axis=0)])
    found: list[int] = []
    spans = [(0, len(problems))]
    while spans:
        start, stop = spans.pop()
        cut = _accepted_split(cumulative, start, stop)
        if cut is not None:
            found.append(cut - 1)
            spans += [(start, cut), (cut, stop)]
    return found


def _accepted_split(cumulative: Floats, start: int, stop: int) -> int | None:
    """Return where the values start..stop-1 split best, or None where no split pays.

    The cumulative weights have the shape (n_values + 1, n_problems, n_classes); there is one
    problem, or one a label.
    """
    whole = cumulative[stop] - cumulative[start]
    n = whole[0].sum()
    if stop - start < 2 or (np.count_nonzero(whole, axis=1) < 2).all() or n <= 1:
        return None
    left = cumulative[start + 1 : stop] - cumulative[start]
    right = whole - left
    # information in bits times weight: n log n - sum of w log w
    remaining = (_bits(left) + _bits(right)).sum(axis=1)
    best = remaining.min()
    at = int(np.flatnonzero(remaining <= best + TOLERANCE * (n + best))[0])
    n_left, n_right = left[at, 0].sum(), right[at, 0].sum()
    whole_bits, left_bits, right_bits = _bits(np.array([whole, left[at], right[at]]))
    n_present = np.count_nonzero(whole, axis=1)
    entropies = (
        n_present * whole_bits / n
        - np.count_nonzero(left[at], axis=1) * left_bits / n_left
        - np.count_nonzero(right[at], axis=1) * right_bits / n_right
    )
    log2_of_power = n_present * np.log2(3) + np.log1p(-2 * 3.0**-n_present) / np.log(2)  # 3^k - 2
    cost = np.log2(n - 1) + log2_of_power.sum() - entropies.sum()
    gained = whole_bits.sum() - remaining[at]
    return start + 1 + at if gained > cost + TOLERANCE * (1 + abs(cost)) else None


def _bits(class_weights: Floats) -> Floats:
    """Return weight times class entropy in bits; classes are on the last axis."""
    bits = _x_log_x(class_weights.sum(axis=-1))
    for j in range(class_weights.shape[-1]):
        bits -= _x_log_x(class_weights[..., j])
    return bits


def _x_log_x(x: Floats) -> Floats:
    return np.asarray(x * np.log2(np.where(x > 0, x, 1.0)))
