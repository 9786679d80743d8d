"""The values of an attribute as far as a committee tells them apart: its regions.

Of a numeric or date attribute the regions lie between the cut points that the model uses for it; of
a nominal one labels that satisfy the same literals are a region together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.model.literals import Literal, Monomial

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.model.committee import DecisionCommittee


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """The regions of one attribute.

    Parameters
    ----------
    attribute : int
        Index in the schema.
    ordered : bool
        Whether its values are numbers.
    marks : ndarray of shape (n_cuts,) or (n_labels,)
        Cut points of numbers, between which the regions lie; else the region of each label.
    literals : tuple of Literal
        Those of the attribute in the model, each once.
    truth : ndarray of bool of shape (n_regions + 1, n_literals)
        Which literals hold in a region; the last row is a missing value, for which none does.
    lowest, highest : ndarray of float64 of shape (n_regions,)
        The values that occurred in training at both ends of a region, or its first label that did;
        NaN where none did.  Where the model does not know what occurred, the ends of the region.
    span : float
        Distance between the lowest and the highest number of all; 0 where there is none.
    """

    attribute: int
    ordered: bool
    marks: Floats
    literals: tuple[Literal, ...]
    truth: Bools
    lowest: Floats
    highest: Floats
    span: float

    @classmethod
    def of(cls, committee: DecisionCommittee, attribute: int) -> Axis:
        """Return the regions of an attribute that some rule tests."""
        own = (x for rule in committee.rules for x in rule.monomial if x.attribute == attribute)
        literals = tuple(dict.fromkeys(own))
        declared, seen = committee.schema.attributes[attribute], committee.seen.get(attribute)
        is_ordered, span = declared.type != "nominal", 0.0
        if is_ordered:
            marks = np.array(sorted({x.value for x in literals if x.operator in ("<=", ">")}))
            truth = _truth(literals, np.array([*marks, np.inf, np.nan]), attribute)
            known = marks.tolist() if seen is None else seen
            if len(known):
                span = max(known) - min(known) if len(known) > 1 else abs(known[0])
            ends = _ends_of_numbers(marks, seen)
        else:
            truth = _truth(literals, np.append(np.arange(len(declared.values)), -1), attribute)
            first, number = _groups(truth[:-1])
            labels = _labels(number, seen)
            truth, marks, ends = truth[[*first, -1]], number.astype(np.float64), (labels, labels)
        return cls(attribute, is_ordered, marks, literals, truth, *ends, span)

    @property
    def n_regions(self) -> int:
        """Number of regions; as the index of a region it stands for a missing value."""
        return len(self.truth) - 1

    def regions_of(self, values: Floats) -> Integers:
        """Return the region of each value; NaN, and a label below 0, is missing."""
        if self.ordered:
            return np.where(np.isnan(values), self.n_regions, np.searchsorted(self.marks, values))
        of_codes = np.append(self.marks, self.n_regions).astype(np.int64)
        codes = np.where(np.isnan(values), -1, values).astype(np.int64)
        return np.asarray(of_codes[np.maximum(codes, -1)])

    def region(self, index: int) -> Monomial:
        """Return a region of numbers as literals."""
        ends = []
        if index > 0:
            ends.append(Literal(self.attribute, ">", float(self.marks[index - 1])))
        if index < len(self.marks):
            ends.append(Literal(self.attribute, "<=", float(self.marks[index])))
        return tuple(ends)

    def entries(self, values: Floats) -> Floats:
        """Return the value of each region that is nearest to each of some values.

        Returns
        -------
        ndarray of float64 of shape (n_values, n_regions)
            NaN where no value occurred.  A missing value is as far from all: the lowest.
        """
        if not self.ordered:
            return np.broadcast_to(self.lowest, (len(values), self.n_regions))
        from_above = values[:, None] > self.highest
        return np.where(from_above, self.highest, self.lowest)

    def distances(self, values: Floats, entries: Floats) -> Floats:
        """Return how far it is from each value to each region, shape (n_values, n_regions).

        In parts of the span, 1 where nothing can be measured: nominal, missing, no span.  To a
        region in which nothing occurred it is infinite.
        """
        with np.errstate(over="ignore", invalid="ignore"):  # of numbers near the largest
            steps = np.abs(values[:, None] - entries)
            steps = steps / self.span if self.ordered and self.span > 0 else steps * np.nan
        steps = np.where(np.isfinite(steps), steps, 1.0)
        return np.where(np.isnan(entries), np.inf, steps)


def axes_of(committee: DecisionCommittee) -> list[Axis]:
    """Return the axes of the attributes that some rule tests, in their order."""
    return [Axis.of(committee, attribute) for attribute in sorted(committee.used_attributes)]


def _truth(literals: Sequence[Literal], values: Floats | Integers, attribute: int) -> Bools:
    """Return which literals of an attribute hold of values, shape (n_values, n_literals)."""
    columns = [values] * (attribute + 1)
    return np.column_stack([x.satisfied_by(columns) for x in literals])


def _groups(truth: Bools) -> tuple[Integers, Integers]:
    """Return the first label of each group of equal truth, and the number of each label's group.

    Groups are numbered by their first labels.
    """
    _, first, number = np.unique(truth, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.argsort(order)
    return first[order], rank[number.reshape(-1)]


def _ends_of_numbers(marks: Floats, seen: tuple[float, ...] | None) -> tuple[Floats, Floats]:
    if seen is None and not len(marks):
        return np.zeros(1), np.zeros(1)
    if seen is None:
        lowest = np.nextafter(np.append(-np.inf, marks), np.inf)
        highest = np.append(marks, np.inf)
        lowest[0], highest[-1] = highest[0], lowest[-1]
        return lowest, highest
    values = np.array(sorted(seen))
    starts = np.searchsorted(values, np.append(-np.inf, marks), side="right")
    stops = np.searchsorted(values, np.append(marks, np.inf), side="right")
    held = starts < stops
    padded = np.append(values, np.nan)
    lowest = np.where(held, padded[np.minimum(starts, len(values))], np.nan)
    highest = np.where(held, padded[np.maximum(stops - 1, 0)], np.nan)
    return lowest, highest


def _labels(number: Integers, seen: tuple[float, ...] | None) -> Floats:
    """Return the first label of each group that occurred, NaN where none did."""
    labels = np.full(int(number.max()) + 1, np.nan)
    occurred = range(len(number)) if seen is None else sorted(map(int, seen))
    for code in reversed(occurred):
        labels[number[code]] = code
    return labels


def ends_between(cuts: Floats, values: Floats) -> Floats:
    """Return the lowest and the highest of some sorted values between each two sorted cuts."""
    if not len(values):
        return values
    changes = np.diff(np.searchsorted(cuts, values)) > 0
    return np.asarray(values[np.append(changes, True) | np.append(True, changes)])
