"""Candidate cut points of numeric attributes, from the training data alone (I1).

``mdl+``, the default: all midpoints where there are at most ten distinct values, else the cuts of
Fayyad and Irani (1993) and the median.  Whole weights act as copies everywhere.

Of more than `MOST_VALUES` distinct values those are taken together that share their leading bits,
as few of these as it takes.  Which these are follows from the values alone: parts of the examples
that are counted apart come to the same, in bounded memory.

For label sets the entropy is the sum, over the labels, of that of having the label or not, and the
cost of a cut is that of its place plus, for each label, that of telling its shares on both sides.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.errors import OptionError
from widc_arff.option_kinds import parse_cut_point_method
from widc_arff.tolerance import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats, Integers

FEW_VALUES = 10
MOST_VALUES = 1 << 16
MOST_CUTS = 65534  # codes are 16-bit, one of them is for missing values


@dataclass(frozen=True, slots=True, eq=False)
class ValueCounts:
    """The distinct known values of one attribute with their weights, or ranges of these.

    Parameters
    ----------
    values : ndarray of float64 of shape (n_values,)
        Increasing; the least of each range.
    highest : ndarray of float64 of shape (n_values,)
        The largest of each range.
    weights : ndarray of float64 of shape (n_values,)
        Weight of the examples with each value.
    class_weights : ndarray of float64 of shape (n_values, n_classes)
        Of which with each label.
    label_sets : bool
        Whether an example can have any number of labels.
    n_bits : int
        Trailing bits in which values of one range may differ.
    """

    values: Floats
    highest: Floats
    weights: Floats
    class_weights: Floats
    label_sets: bool = False
    n_bits: int = 0

    def in_units(self, unit: float, *, label_sets: bool = False) -> ValueCounts:
        """Return the same counts with weights in a larger or smaller unit."""
        weights, class_weights = self.weights * unit, self.class_weights * unit
        return replace(self, weights=weights, class_weights=class_weights, label_sets=label_sets)

    def in_ranges(self, edges: Floats, most: int | None = None) -> ValueCounts:
        """Return counts of a number of ranges of values at most, none with an edge inside.

        Parameters
        ----------
        edges : ndarray of float64 of shape (n_edges,)
            Increasing cut points, which may add ranges.
        most : int, optional
            Number of ranges, by default `MOST_VALUES`.
        """
        most = MOST_VALUES if most is None else most
        if len(self.values) <= most:
            return self
        in_order = _as_integers(self.values)
        n_bits = bisect_left(  # the fewest that will do
            range(64),
            -most,
            lo=self.n_bits,
            key=lambda n: -1 - int(np.count_nonzero(np.diff(in_order >> n))),
        )
        return self.joined(edges, n_bits)

    def joined(self, edges: Floats, n_bits: int) -> ValueCounts:
        """Return counts of values, which need not be distinct, that differ in trailing bits only.

        Values that an edge parts stay apart.
        """
        if not len(self.values):
            return self
        is_first = np.diff(_as_integers(self.values) >> n_bits) != 0
        if n_bits and len(edges):
            is_first |= np.diff(np.searchsorted(edges, self.values)) != 0
        starts = np.flatnonzero(np.append(True, is_first))
        return ValueCounts(
            self.values[starts],
            np.maximum.reduceat(self.highest, starts),
            np.add.reduceat(self.weights, starts),
            np.add.reduceat(self.class_weights, starts, axis=0),
            self.label_sets,
            n_bits,
        )


class ValueCounter:
    """Counts the values of columns of the same rows.

    Parameters
    ----------
    Y : ndarray of bool of shape (n_samples, n_classes)
        Label matrix.
    weights : ndarray of float64 of shape (n_samples,)
        Whole numbers, so that their sums are exact in any order.
    """

    def __init__(self, Y: Bools, weights: Floats) -> None:
        self._n_labels = Y.shape[1]
        row, self._label = Y.nonzero()
        one_each = len(row) == len(Y) and (row == np.arange(len(Y))).all()
        self._row: Integers | slice = slice(None) if one_each else row
        self._weights = None if (weights == 1).all() else weights
        self._of_all = ValueCounts(
            np.empty(1),
            np.empty(1),
            weights.sum(keepdims=True),
            np.bincount(self._label, weights[self._row], self._n_labels)[None].astype(np.float64),
        )

    def count(self, column: Floats) -> ValueCounts:
        """Return the distinct values of a column, missing ones left out, with their weights."""
        n_known = len(column) - int(np.isnan(column).sum())
        if n_known == 0:
            none = np.empty(0)
            return ValueCounts(none, none, none, np.empty((0, self._n_labels)))
        if (column == column[0]).all():  # as most columns of sparse data are: nothing to sort
            return replace(self._of_all, values=column[:1] + 0.0, highest=column[:1] + 0.0)
        # several times as fast as a stable order, which sums do not need; missing values come last
        order = np.argsort(column)[:n_known]
        ordered = column[order]
        is_first = np.ones(n_known, np.bool_)
        np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
        values = ordered[is_first] + 0.0  # no negative zero
        number = np.full(len(column), len(values))
        number[order] = np.cumsum(is_first) - 1
        return ValueCounts(values, values, *self._weights_of(number, len(values)))

    def count_labels(self, codes: NDArray[np.integer], n_values: int) -> ValueCounts:
        """Return the same of a column of labels from 0, negative ones missing, those that occur."""
        number = np.where(codes < 0, n_values, codes.astype(np.int64))
        weights, of_classes = self._weights_of(number, n_values)
        occurs = np.flatnonzero(weights)
        values = occurs.astype(np.float64)
        return ValueCounts(values, values, weights[occurs], of_classes[occurs])

    def _weights_of(self, number: Integers, n_values: int) -> tuple[Floats, Floats]:
        """Return the weight of the rows of each value, and by class; missing ones have the last."""
        shape = (self._n_labels, n_values + 1)
        keys = self._label * shape[1]
        keys += number[self._row]
        of_rows = self._weights
        of_labels = None if of_rows is None else of_rows[self._row]
        of_classes = np.bincount(keys, of_labels, shape[0] * shape[1]).reshape(shape)
        weights = np.bincount(number, of_rows, shape[1])
        return weights[:-1].astype(np.float64), of_classes[:, :-1].T.astype(np.float64)


def distinct(values: NDArray[np.generic]) -> NDArray[Any]:
    """Return the distinct values, increasing; `numpy.unique` would import masked arrays."""
    ordered = np.sort(values)
    is_first = np.ones(len(ordered), np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    return ordered[is_first]


def _as_integers(values: Floats) -> Integers:
    """Return the bits of numbers as whole numbers in the same order."""
    bits = values.view(np.int64)
    return np.where(bits < 0, bits ^ np.iinfo(np.int64).max, bits)


def merged_counts(
    pieces: Sequence[ValueCounts], edges: Floats | None = None, most: int | None = None
) -> ValueCounts:
    """Return the counts of all examples from those of several parts of them, one at least.

    With edges those of ranges of values, as `ValueCounts.in_ranges` makes them of all.
    """
    values = np.concatenate([piece.values for piece in pieces])
    order = np.argsort(values, kind="stable")
    both = ValueCounts(
        values[order],
        np.concatenate([piece.highest for piece in pieces])[order],
        np.concatenate([piece.weights for piece in pieces])[order],
        np.concatenate([piece.class_weights for piece in pieces])[order],
    )
    if edges is None:
        return both.joined(values[:0], 0)
    return both.joined(edges, max(piece.n_bits for piece in pieces)).in_ranges(edges, most)


def candidate_cuts(counts: ValueCounts, method: str, logs: Floats | None = None) -> Floats:
    """Return the candidate cut points of one attribute, increasing.

    Parameters
    ----------
    counts : ValueCounts
        Weights in units of examples: N in the criterion of Fayyad and Irani is their sum.
    method : str
        As in `Options.cut_points`.
    logs : ndarray of float64, optional
        Where all weights are whole numbers: `logs_of_whole_numbers` up to their sum.

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
        finite = np.flatnonzero(np.isfinite(counts.values))  # infinite ones lie beyond all cuts
        if len(finite) < 2:
            return _midpoints(counts, np.arange(n_values - 1))
        low, high = counts.values[finite[0]], counts.highest[finite[-1]]
        steps = np.arange(1, k)
        with np.errstate(over="ignore", invalid="ignore"):
            cuts = low + steps * (high - low) / k
        if not np.isfinite(cuts).all():  # the range is larger than any number
            cuts = low * (1 - steps / k) + high * (steps / k)
        cuts = distinct(cuts)
        return _outside(counts, cuts[(cuts >= low) & (cuts < high)])
    if name == "quantile":
        boundaries = _quantile_boundaries(counts.weights, k)
    elif name == "all" or (name == "mdl+" and n_values <= FEW_VALUES):
        boundaries = np.arange(n_values - 1)
    else:
        boundaries = np.array(sorted(_entropy_boundaries(counts, logs)), np.int64)
        if name == "mdl+":
            boundaries = distinct(np.append(boundaries, _median_boundary(counts.weights)))
    if len(boundaries) > MOST_CUTS:
        raise OptionError(
            f"expected at most {MOST_CUTS} for one attribute, got {len(boundaries)} "
            f"with {method!r}; use quantile:K or mdl+",
            option="cut_points",
        )
    return distinct(_midpoints(counts, boundaries))


def _outside(counts: ValueCounts, cuts: Floats) -> Floats:
    """Return cuts, those inside a range of values moved to its end."""
    place = np.searchsorted(counts.highest, cuts, side="right")
    inside = counts.values[place] <= cuts
    ends = _midpoints(counts, np.minimum(place, len(counts.values) - 2))
    return distinct(np.where(inside, ends, cuts))


def _midpoints(counts: ValueCounts, boundaries: Integers) -> Floats:
    """Return the cut after each boundary value; the value itself where no midpoint fits between."""
    # -Infinity is cut off by the least finite number: every cut point is finite
    low = np.maximum(counts.highest[boundaries], -np.finfo(np.float64).max)
    high = counts.values[boundaries + 1]
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


def _entropy_boundaries(counts: ValueCounts, logs: Floats | None) -> list[int]:
    """Return the boundaries that the minimum description length principle accepts."""
    problems = counts.class_weights.T[None]
    if counts.label_sets:  # for each label a problem of two classes: with and without it
        having = counts.class_weights.T
        problems = np.stack([having, counts.weights - having], axis=1)
    cumulative = np.zeros((*problems.shape[:2], len(counts.values) + 1))
    np.cumsum(problems, axis=2, out=cumulative[:, :, 1:])
    if logs is not None:
        cumulative = cumulative.astype(np.int64)
    found: list[int] = []
    spans = [(0, len(counts.values))]
    while spans:
        start, stop = spans.pop()
        cut = _accepted_split(cumulative, start, stop, logs)
        if cut is not None:
            found.append(cut - 1)
            spans += [(start, cut), (cut, stop)]
    return found


def _accepted_split(
    cumulative: NDArray[Any], start: int, stop: int, logs: Floats | None
) -> int | None:
    """Return where the values start..stop-1 split best, or None where no split pays.

    The cumulative weights have the shape (n_problems, n_classes, n_values + 1); there is one
    problem, or one a label.
    """
    whole = cumulative[:, :, stop] - cumulative[:, :, start]
    n = float(whole[0].sum())
    if stop - start < 2 or n <= 1 or np.count_nonzero(whole) <= len(whole):
        return None  # each row has one class of each problem: then one class is all there is
    left = cumulative[:, :, start + 1 : stop] - cumulative[:, :, start, None]
    right = whole[:, :, None] - left
    # information in bits times weight: n log n - sum of w log w
    remaining = _bits(left, logs) + _bits(right, logs)
    best = float(remaining.min())
    at = int((remaining <= best + TOLERANCE * (n + best)).argmax())
    gained, cost = -float(remaining[at]), math.log2(n - 1)
    for sides in zip(*(x.tolist() for x in (whole, left[:, :, at], right[:, :, at])), strict=True):
        (k, bits, of_whole), (_, _, of_left), (_, _, of_right) = map(_information, sides)
        gained += bits
        # log2 of 3^k - 2, less what the classes tell
        cost += k * math.log2(3) + math.log1p(-2 * 3.0**-k) / math.log(2)
        cost -= of_whole - of_left - of_right
    return start + 1 + at if gained > cost + TOLERANCE * (1 + abs(cost)) else None


def _bits(class_weights: NDArray[Any], logs: Floats | None) -> Floats:
    """Return weight times class entropy in bits, of all problems, shape (n,)."""
    bits = len(class_weights) * _x_log_x(class_weights[0].sum(axis=0), logs)
    bits -= _x_log_x(class_weights, logs).sum(axis=(0, 1))
    return bits


def _information(class_weights: Sequence[float]) -> tuple[int, float, float]:
    """Return how many classes occur, weight times entropy in bits, and their number times that."""
    present = [w for w in class_weights if w > 0]
    n = sum(present)
    bits = n * math.log2(n) - sum([w * math.log2(w) for w in present])
    return len(present), bits, len(present) * bits / n


def _x_log_x(x: NDArray[Any], logs: Floats | None = None) -> Floats:
    if logs is not None:
        return np.asarray(logs.take(x))
    return np.asarray(x * np.log2(np.where(x > 0, x, 1.0)))


def logs_of_whole_numbers(most: int) -> Floats:
    """Return x log2 x of 0, 1, 2, ..., shape (most + 1,)."""
    return _x_log_x(np.arange(most + 1.0))
