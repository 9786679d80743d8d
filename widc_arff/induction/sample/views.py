"""The attributes as columns of codes that literals test, each attribute in one way or several.

The paper's literals test numbers by cut points and labels one by one.  An attribute of labels can
also be seen *ordered*: by an order of its own, or for each class by the share of the class among
the examples of each label.  What is up to a cut of such an order is a set of labels; of two classes
the best split into two sets is one of them (Breiman et al. 1984, section 4.2).  Any attribute with
missing values can be seen by whether its value is *known*.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.model.label_orders import set_literal
from widc_arff.model.literals import OPERATORS, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from widc_arff.arff.relation import Attribute
    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.data.schema import Schema
    from widc_arff.induction.sample.cut_points import ValueCounts

EQUAL, UNEQUAL, AT_MOST, ABOVE = range(4)
"""Positions in `OPERATORS`."""


@dataclass(frozen=True)
class View:
    """An attribute as codes from 0; this one by its labels.

    Parameters
    ----------
    attribute : int
        Index in the schema.
    n_values : int
        Number of codes, missing values not counted.
    """

    attribute: int
    n_values: int

    is_ordered = False
    """Whether literals are ``<=`` and ``>`` of codes, or ``=`` and ``!=``."""
    is_of_sets = False
    """Whether literals name several labels, whose order is not known."""
    code_of_missing = -1
    """Of missing values; -1 where they have none."""

    def codes(self, column: NDArray[Any]) -> Integers:
        """Return the codes of a column, -1 for missing values."""
        return column.astype(np.int64)

    def literal(self, operator: int, code: int) -> Literal:
        """Return a literal on codes as one on the attribute."""
        return Literal(self.attribute, OPERATORS[operator], code)

    @property
    def says_more(self) -> Bools:
        """Which codes say what no other view of the attribute does, shape (n_values,)."""
        return np.ones(self.n_values, np.bool_)

    def bits(self, n_choices: int) -> Floats:
        """Return the bits of naming each code where so many can be named, shape (n_values,)."""
        return np.full(self.n_values, math.log2(max(n_choices, 1)))


@dataclass(frozen=True)
class Numbers(View):
    """A numeric or date attribute by its cut points.

    A value becomes the number of cut points below it, so that ``a <= cut[t]`` is ``code <= t``.
    """

    cuts: Floats

    is_ordered = True

    @classmethod
    def of(cls, attribute: int, cuts: Floats) -> Numbers:
        """Return the view of an attribute with increasing cut points."""
        return cls(attribute, len(cuts) + 1, cuts)

    def codes(self, column: NDArray[Any]) -> Integers:
        """Return the codes of a column, -1 for missing values."""
        values = np.asarray(column, np.float64)
        codes = np.searchsorted(self.cuts, values, side="left")
        codes[np.isnan(values)] = -1
        return codes

    def literal(self, operator: int, code: int) -> Literal:
        """Return a literal on codes as one on the attribute."""
        return Literal(self.attribute, OPERATORS[operator], float(self.cuts[code]))


@dataclass(frozen=True)
class Ranks(View):
    """Labels in an order of their own.

    Parameters
    ----------
    ranks : ndarray of int64 of shape (n_labels,)
        The code of each label, -1 where it has none.
    seen : ndarray of bool of shape (n_labels,)
        Labels that occur.
    negation : bool
        Whether a set may be told by the labels that are not in it.
    is_alone : bool
        Whether the attribute has no other view.
    repeated : ndarray of bool of shape (n_values,), optional
        Codes whose sets of labels that occur are those of an earlier view.
    """

    ranks: Integers
    seen: Bools
    negation: bool = True
    is_alone: bool = False
    repeated: Bools | None = None

    is_ordered = True

    def codes(self, column: NDArray[Any]) -> Integers:
        """Return the codes of a column, -1 for missing values."""
        return np.append(self.ranks, -1)[column.astype(np.int64)]

    def literal(self, operator: int, code: int) -> Literal:
        """Return a literal on codes as one on the attribute: the shorter of a set and its rest."""
        held = np.flatnonzero(self._within(operator, code)).tolist()
        others = np.flatnonzero(self._others(operator, code)).tolist()
        if not self.negation and len(held) > 1:
            return Literal(self.attribute, "in", labels=tuple(held))
        return set_literal(self.attribute, held, others)

    def _within(self, operator: int, code: int) -> Bools:
        below = (self.ranks >= 0) & (self.ranks <= code)
        return np.asarray(below if operator == AT_MOST else self.ranks > code)

    def _others(self, operator: int, code: int) -> Bools:
        return ~self._within(operator, code)

    @property
    def says_more(self) -> Bools:
        """Which codes leave two labels that occur on both sides, shape (n_values,)."""
        if self.is_alone:
            return super().says_more
        ranks = self.ranks[self.seen & (self.ranks >= 0)]
        below = np.cumsum(np.bincount(ranks, minlength=self.n_values))
        says_more = (below >= 2) & (below <= len(ranks) - 2)
        return says_more if self.repeated is None else says_more & ~self.repeated

    @property
    def fingerprints(self) -> NDArray[np.uint64]:
        """A number for the two sets of labels that each code parts, from one drawn for each label.

        Equal numbers mean equal sets (but for one chance in some 2**64).
        """
        drawn = np.random.default_rng(0).integers(2**64, size=len(self.ranks), dtype=np.uint64)
        own, sums = self.seen & (self.ranks >= 0), np.zeros(self.n_values, np.uint64)
        np.add.at(sums, self.ranks[own], drawn[own])
        below = np.cumsum(sums)
        return np.asarray(below ^ (below[-1] - below))


@dataclass(frozen=True)
class Shares(Ranks):
    """Labels in the order of the share of a class, of those that occur; of equal shares together.

    Labels that never occurred are in no set that names its labels.
    """

    is_of_sets = True

    def _others(self, operator: int, code: int) -> Bools:
        return ~self._within(operator, code) & self.seen

    def bits(self, n_choices: int) -> Floats:
        """Return the bits of naming each code: one of all sets of as many labels."""
        del n_choices
        n_below = np.cumsum(np.bincount(self.ranks[self.seen], minlength=self.n_values)).tolist()
        return np.array([_log2_choose(n_below[-1], m) for m in n_below])


@dataclass(frozen=True)
class Parts(View):
    """Labels parted in two by a set that is given: code 1 if a label is in it, else 0.

    Parameters
    ----------
    labels : tuple of int
        The set.
    n_labels : int
        Number of labels that are declared.
    """

    labels: tuple[int, ...]
    n_labels: int

    is_of_sets = True

    def codes(self, column: NDArray[Any]) -> Integers:
        """Return the codes of a column, -1 for missing values."""
        return np.where(column < 0, -1, np.isin(column, self.labels))

    def literal(self, operator: int, code: int) -> Literal:
        """Return a literal on codes as one on the attribute."""
        del operator
        others = [label for label in range(self.n_labels) if label not in self.labels]
        sides = (others, self.labels)
        return set_literal(self.attribute, sides[code], sides[1 - code])

    def bits(self, n_choices: int) -> Floats:
        """Return the bits of naming each code: one of all sets of as many labels."""
        del n_choices
        return np.full(2, _log2_choose(self.n_labels, len(self.labels)))


@dataclass(frozen=True)
class Known(View):
    """Whether the value of an attribute is known: code 1, or missing: code 0."""

    code_of_missing = 0

    def codes(self, column: NDArray[Any]) -> Integers:
        """Return the codes of a column."""
        known = column >= 0 if column.dtype.kind == "i" else ~np.isnan(column.astype(np.float64))
        return np.asarray(known, np.int64)

    def literal(self, operator: int, code: int) -> Literal:
        """Return a literal on codes as one on the attribute."""
        del operator
        return Literal(self.attribute, "known" if code else "missing")


@dataclass(frozen=True, slots=True, eq=False)
class CodeUse:
    """How often the codes of one column occur.

    Parameters
    ----------
    weights : ndarray of float64 of shape (n_values,)
        Weight of the examples with each code.
    missing : float
        Weight of those with none.
    """

    weights: Floats
    missing: float

    @classmethod
    def of(cls, counts: ValueCounts, view: View, total: float) -> CodeUse:
        """Return the use of the codes of a column, from the values of its attribute.

        Parameters
        ----------
        counts : ValueCounts
            Of the attribute.
        view : View
            What its codes are.
        total : float
            Weight of all examples.
        """
        codes = view.codes(counts.values)
        coded = codes >= 0
        used = np.zeros(view.n_values)
        used += np.bincount(codes[coded], counts.weights[coded], minlength=view.n_values)
        missing = total - float(used.sum())
        if view.code_of_missing >= 0:
            used[view.code_of_missing] += missing
            missing = 0.0
        return cls(used, missing)

    @property
    def has_missing(self) -> bool:
        """Whether some value is missing."""
        return self.missing > 0

    @property
    def n_values(self) -> int:
        """Number of codes, missing values not counted."""
        return len(self.weights)

    @property
    def n_codes(self) -> int:
        """Number of codes, that of missing values counted."""
        return max(2, self.n_values + self.has_missing)


def plain_view(a: int, attribute: Attribute, cuts: Floats) -> View:
    """Return the view of the paper of one attribute."""
    return View(a, len(attribute.values)) if attribute.type == "nominal" else Numbers.of(a, cuts)


def parts_of(literals: Iterable[Literal], schema: Schema) -> list[View]:
    """Return the views that some literals beyond the paper's test."""
    found: dict[View, None] = {}
    for literal in literals:
        a = literal.attribute
        if literal.labels:
            found[Parts(a, 2, literal.labels, len(schema.attributes[a].values))] = None
        elif literal.operator in ("known", "missing"):
            found[Known(a, 2)] = None
    return list(found)


def _log2_choose(n: int, m: int) -> float:
    return (math.lgamma(n + 1) - math.lgamma(m + 1) - math.lgamma(n - m + 1)) / math.log(2)
