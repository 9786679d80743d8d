"""The attributes as columns of codes that literals test, each attribute in one way or several.

The paper's literals test numbers by cut points and labels one by one.  An attribute of labels can
also be seen *ordered*: by an order of its own, or for each class by the share of the class among
the examples of each label.  What is up to a cut of such an order is a set of labels; of two classes
the best split into two sets is one of them (Breiman et al. 1984, section 4.2).  Any attribute with
missing values can be seen by whether its value is *known*.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.model.label_orders import order_of, set_literal
from widc_arff.model.literals import OPERATORS, Literal
from widc_arff.options import parse_direction

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from widc_arff.arff.relation import Attribute
    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.data.dataset import Schema
    from widc_arff.induction.sample.learning_sample import LearningSample
    from widc_arff.options import Options

EQUAL, UNEQUAL, AT_MOST, ABOVE = range(4)
"""Positions in `OPERATORS`."""

FEWEST_LABELS = 4
"""Of fewer, no set has two labels on both sides."""

SHRINKING = 2.0
"""Examples of the class distribution that are added to those of a label before its shares are
compared."""

BITS_OF_NAME = 2.0
"""What naming a label in a set costs at least: half of K labels cost K bits, and fewer more for
each.  The examples of a label that tell less of a class than this leave it with the others that
do, unless labels tell the classes of examples that are held out: an order of labels of one or two
examples is noise."""


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
    """

    ranks: Integers
    seen: Bools
    negation: bool = True
    is_alone: bool = False

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
        return (below >= 2) & (below <= len(ranks) - 2)


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

    def codes(self, column: NDArray[Any]) -> Integers:
        """Return the codes of a column."""
        known = column >= 0 if column.dtype.kind == "i" else ~np.isnan(column.astype(np.float64))
        return np.asarray(known, np.int64)

    def literal(self, operator: int, code: int) -> Literal:
        """Return a literal on codes as one on the attribute."""
        del operator
        return Literal(self.attribute, "known" if code else "missing")


def plain_views(schema: Schema, cuts: Sequence[Floats]) -> list[View]:
    """Return the views of the paper: labels one by one, numbers by their cut points."""
    pairs = zip(schema.attributes, cuts, strict=True)
    return [plain_view(a, attribute, own) for a, (attribute, own) in enumerate(pairs)]


def plain_view(a: int, attribute: Attribute, cuts: Floats) -> View:
    """Return the view of the paper of one attribute."""
    return View(a, len(attribute.values)) if attribute.type == "nominal" else Numbers.of(a, cuts)


def views_of(
    sample: LearningSample,
    schema: Schema,
    cuts: Sequence[Floats],
    options: Options,
    most_orders: int,
) -> list[View]:
    """Return all views that literals may test, those of the paper first.

    Of a nominal attribute with a direction only its order is seen.

    Parameters
    ----------
    sample : LearningSample
        The examples.
    schema : Schema
        Attributes of the columns.
    cuts : sequence of ndarray
        Increasing cut points of each attribute, empty for nominal ones.
    options : Options
        Which literals are wanted.
    most_orders : int
        Orders by share: those that gain most.
    """
    wanted, negation = options.literals_beyond, options.negation
    directed = {parse_direction(text)[0] for text in options.monotone}
    views = plain_views(schema, cuts)
    orders: list[tuple[float, Shares]] = []
    for a, attribute in enumerate(schema.attributes):
        column: NDArray[Any] = np.asarray(sample.columns[a])
        if attribute.type == "nominal":
            n_labels, order = len(attribute.values), order_of(attribute)
            seen = _use(column, n_labels) > 0
            place = {label: rank for rank, label in enumerate(order)}
            ranks = np.array([place.get(label, -1) for label in attribute.values], np.int64)
            own = Ranks(a, len(order), ranks, seen, negation)
            if attribute.name in directed and order:
                views[a] = replace(own, is_alone=True)
                continue
            if "order" in wanted and own.says_more.any():
                views.append(own)
            if "sets" in wanted and seen.sum() >= FEWEST_LABELS:
                orders += orders_by_share(a, column, seen, sample, negation=negation)
        if "known" in wanted:
            known = Known(a, 2)
            is_known = known.codes(column)
            if is_known.any() and not is_known.all():
                views.append(known)
    best = sorted(orders, key=lambda order: -order[0])[:most_orders]
    return views + sorted((view for _, view in best), key=lambda view: view.attribute)


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


def _use(column: NDArray[Any], n_labels: int, weights: Floats | None = None) -> Floats:
    """Return how often labels occur, or the weight of the rows where they do."""
    known = column >= 0
    own = None if weights is None else weights[known]
    return np.bincount(column[known].astype(np.int64), own, n_labels).astype(np.float64)


def orders_by_share(
    a: int, column: NDArray[Any], seen: Bools, sample: LearningSample, *, negation: bool
) -> Iterator[tuple[float, Shares]]:
    """Yield the orders of the labels of an attribute by the shares of classes that gain something.

    Of two classes one order is enough.  An order gains the bits that its best set tells of the
    class, less those of naming the set; those that do not gain more than a single label does are
    left out.

    Parameters
    ----------
    a : int
        Index of the attribute.
    column : ndarray of shape (n_samples,)
        Its labels.
    seen : ndarray of bool of shape (n_labels,)
        Labels that occur.
    sample : LearningSample
        The examples.
    negation : bool
        Whether a set may be told by the labels that are not in it.

    Yields
    ------
    gain : float
        In bits.
    view : Shares
    """
    unit, n_labels = sample.example_weight, len(seen)
    every = _use(column, n_labels, sample.weights)[seen] * unit
    classes = np.flatnonzero(sample.class_weights > 0)
    if len(classes) == 2 and not sample.label_sets:
        classes = classes[1:]
    for j in classes.tolist():
        has = sample.Y[:, j]
        own = _use(column[has], n_labels, sample.weights[has])[seen] * unit
        prior = own.sum() / every.sum()
        if not 0 < prior < 1:  # the others are where the attribute is missing
            continue
        told = _information(own, every, prior) > BITS_OF_NAME
        if _held_out(own, every, prior) > 0:
            told[:] = True
        share = np.where(told, (own + SHRINKING * prior) / (every + SHRINKING), prior)
        distinct, number = np.unique(share.round(9), return_inverse=True)
        if len(distinct) < 2:
            continue
        ranks = np.full(n_labels, -1)
        ranks[seen] = number
        view = Shares(a, len(distinct), ranks, seen, negation)
        n_own, n_every = np.bincount(number, own), np.bincount(number, every)
        gains = _gains(np.cumsum(n_own), np.cumsum(n_every), own.sum(), every.sum())
        gain = float((gains - view.bits(0))[view.says_more].max(initial=0.0))
        of_one = float(_gains(own, every, own.sum(), every.sum()).max()) - math.log2(len(every))
        if gain > max(0.0, of_one):
            yield gain, view


def _information(own: Floats, every: Floats, prior: float) -> Floats:
    """Return what examples tell of a class beyond its share among all, in bits, for each group."""
    with np.errstate(divide="ignore", invalid="ignore"):
        has = own * np.log2(own / (every * prior))
        has_not = (every - own) * np.log2((every - own) / (every * (1 - prior)))
    return np.nan_to_num(has) + np.nan_to_num(has_not)


def _held_out(own: Floats, every: Floats, prior: float) -> float:
    """Return what the others of its label tell of each example's class beyond its share, in bits.

    The sum over all examples, as with each left out once.
    """
    rest = np.maximum(every - 1, 0) + SHRINKING
    has = (np.maximum(own - 1, 0) + SHRINKING * prior) / (rest * prior)
    has_not = (np.maximum(every - own - 1, 0) + SHRINKING * (1 - prior)) / (rest * (1 - prior))
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = own * np.log2(has) + (every - own) * np.log2(has_not)
    return float(np.nan_to_num(bits).sum())


def _gains(own: Floats, every: Floats, own_in_all: float, in_all: float) -> Floats:
    """Return what is told of a class by whether an example is in a group, for each group."""
    prior = own_in_all / in_all
    rest = _information(own_in_all - own, in_all - every, prior)
    return _information(own, every, prior) + rest


def _log2_choose(n: int, m: int) -> float:
    return (math.lgamma(n + 1) - math.lgamma(m + 1) - math.lgamma(n - m + 1)) / math.log(2)
