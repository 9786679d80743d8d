"""How each attribute may be seen by literals, from the counts of its values alone.

Parts of the examples that are counted apart say the same together: nothing here needs the rows.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from widc_arff.errors import OptionError, did_you_mean
from widc_arff.induction.sample.cut_points import candidate_cuts, distinct, merged_counts
from widc_arff.induction.sample.views import CodeUse, Known, Ranks, Shares, parts_of, plain_view
from widc_arff.induction.search.budget import FINE_PARTS, ROWS_OF_PART
from widc_arff.model.axes import ends_between
from widc_arff.model.label_orders import order_of
from widc_arff.model.resolving import resolved
from widc_arff.option_kinds import parse_direction

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats
    from widc_arff.data.schema import Schema
    from widc_arff.induction.sample.cut_points import ValueCounter, ValueCounts
    from widc_arff.induction.sample.views import View
    from widc_arff.model.literals import Literal
    from widc_arff.options import Options

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


class Totals(NamedTuple):
    """What the weights of all examples come to.

    Parameters
    ----------
    class_weights : ndarray of float64 of shape (n_classes,)
        Of the classes or labels that counts tell apart, in quanta.
    total : float
        Of all examples, in quanta.
    example_weight : float
        Weight of one quantum in examples.
    label_sets : bool
        Whether an example can have any number of labels.
    """

    class_weights: Floats
    total: float
    example_weight: float
    label_sets: bool = False


class Seen(NamedTuple):
    """The views of one attribute, each with how often its codes occur.

    Parameters
    ----------
    views : list of (View, CodeUse)
        The first is that of the paper, or the one that a direction leaves.
    orders : list of (float, Shares, CodeUse)
        Orders by shares of classes, with what they gain in bits.
    parts : list of (View, CodeUse)
        Those of literals that are tested whatever other views there are.
    """

    views: list[tuple[View, CodeUse]]
    orders: list[tuple[float, Shares, CodeUse]]
    parts: list[tuple[View, CodeUse]]


@dataclass(frozen=True, slots=True, eq=False)
class Seeing:
    """What is asked of the values of each attribute.

    Parameters
    ----------
    schema : Schema
        Attributes of the columns.
    options : Options
        Which literals are wanted, and how cut points are chosen.
    table : list of ndarray or None
        All cut points of each attribute, where the options give them.
    tested : list of ndarray
        Further cut points of each attribute.
    edges : list of ndarray
        These, and cut points of rules that are given: ranges of values end there.
    parts : list of View
        Views of literals that are tested whatever other views there are.
    directed : frozenset of str
        Names of attributes with a direction; of labels only their order is seen then.
    """

    schema: Schema
    options: Options
    table: list[Floats] | None
    tested: list[Floats]
    edges: list[Floats]
    parts: list[View]
    directed: frozenset[str]

    @classmethod
    def of(cls, schema: Schema, options: Options, tested: Sequence[Literal] = ()) -> Seeing:
        """Return what options ask, and literals that are to be in the catalogue.

        Raises
        ------
        OptionError
            If a table of cut points names an attribute that is not there or not numeric.
        """
        table = given_cuts(schema, options)
        n = len(schema.attributes)
        given = [literal for rule in resolved(options.rules, schema) for literal in rule]
        wanted, known = _cuts_of(tested, n), _cuts_of([*tested, *given], n)
        if table is not None:
            known = [distinct(np.append(*both)) for both in zip(known, table, strict=True)]
        directed = frozenset(parse_direction(text)[0] for text in options.monotone)
        return cls(schema, options, table, wanted, known, parts_of(tested, schema), directed)

    @property
    def needs_classes(self) -> bool:
        """Whether views depend on the classes."""
        by_entropy = self.table is None and str(self.options.cut_points).startswith("mdl")
        return by_entropy or "sets" in self.options.literals_beyond

    def count(self, a: int, column: NDArray[Any], counter: ValueCounter) -> ValueCounts:
        """Return the values of an attribute with their weights; of many numbers those of ranges."""
        attribute = self.schema.attributes[a]
        if attribute.type == "nominal":
            return counter.count_labels(np.asarray(column), len(attribute.values))
        return counter.count(np.asarray(column, np.float64)).in_ranges(self.edges[a])

    def merged(self, a: int, pieces: Sequence[ValueCounts]) -> ValueCounts:
        """Return the counts of all examples from those of several parts of them, one at least."""
        if len(pieces) == 1:
            return pieces[0]
        is_nominal = self.schema.attributes[a].type == "nominal"
        return merged_counts(pieces, None if is_nominal else self.edges[a])

    def seen(self, a: int, counts: ValueCounts, totals: Totals, logs: Floats | None = None) -> Seen:
        """Return the views of an attribute.

        Parameters
        ----------
        a : int
            Its index.
        counts : ValueCounts
            Of all examples, in quanta; by class where classes are needed.
        totals : Totals
            Of all examples.
        logs : ndarray of float64, optional
            As in `candidate_cuts`.

        Raises
        ------
        OptionError
            If there would be too many cut points.
        """
        attribute, wanted = self.schema.attributes[a], self.options.literals_beyond
        cuts, is_alone = np.empty(0), False
        if attribute.type != "nominal":
            cuts = self._cuts(a, counts, totals, logs)
        views: list[View] = [plain_view(a, attribute, cuts)]
        orders: list[tuple[float, Shares]] = []
        if attribute.type == "nominal":
            own, occurs = self._own_order(a, counts)
            is_alone = attribute.name in self.directed and own.n_values > 0
            if is_alone:
                views = [replace(own, is_alone=True)]
            elif "order" in wanted and own.says_more.any():
                views.append(own)
            if not is_alone and "sets" in wanted and occurs.sum() >= FEWEST_LABELS:
                orders += orders_by_share(a, counts, occurs, totals, negation=self.options.negation)
        n_known = float(counts.weights.sum())
        if "known" in wanted and 0 < n_known < totals.total and not is_alone:
            views.append(Known(a, 2))

        def used(view: View) -> CodeUse:
            return CodeUse.of(counts, view, totals.total)

        return Seen(
            [(view, used(view)) for view in views],
            [(gain, view, used(view)) for gain, view in orders],
            [(view, used(view)) for view in self.parts if view.attribute == a],
        )

    def ends(self, a: int, counts: ValueCounts, cuts: Floats) -> Floats:
        """Return the labels that occur, or the ends of what lies between cut points and edges."""
        if self.schema.attributes[a].type == "nominal":
            return counts.values
        both = np.concatenate([counts.values, counts.highest])
        return ends_between(distinct(np.append(cuts, self.edges[a])), distinct(both))

    def _cuts(self, a: int, counts: ValueCounts, totals: Totals, logs: Floats | None) -> Floats:
        """Return the cut points of a numeric attribute.

        Refined pruning, which charges a literal for the choice of its cut point, adds to those of
        ``mdl+`` such as cut the weight into equal parts, the more the more examples there are.
        """
        if self.table is not None:
            return distinct(np.append(self.table[a], self.tested[a]))
        assert isinstance(self.options.cut_points, str)
        methods = [self.options.cut_points]
        unit = totals.example_weight
        n_parts = int(min(FINE_PARTS, totals.total * unit / ROWS_OF_PART))
        if self.options.pruning == "refined" and methods == ["mdl+"] and n_parts > 1:
            methods.append(f"quantile:{n_parts}")
        in_units = counts.in_units(unit, label_sets=totals.label_sets)
        found = [candidate_cuts(in_units, method, logs) for method in methods]
        return distinct(np.concatenate([*found, self.tested[a]]))

    def _own_order(self, a: int, counts: ValueCounts) -> tuple[Ranks, Bools]:
        """Return the view of an attribute's labels in their own order, and which labels occur."""
        attribute = self.schema.attributes[a]
        occurs = np.zeros(len(attribute.values), np.bool_)
        occurs[counts.values.astype(np.int64)] = True
        order = order_of(attribute)
        place = {label: rank for rank, label in enumerate(order)}
        ranks = np.array([place.get(label, -1) for label in attribute.values], np.int64)
        return Ranks(a, len(order), ranks, occurs, self.options.negation), occurs


def columns_of(seen: Sequence[Seen], most_orders: int) -> list[tuple[View, CodeUse]]:
    """Return all views that literals may test, those of the paper first.

    Of orders by share so many at most, those that gain most.
    """
    orders = [order for one in seen for order in one.orders]
    best = sorted(orders, key=lambda order: -order[0])[:most_orders]
    chosen: list[tuple[View, CodeUse]] = [(view, use) for _, view, use in best]
    return [
        *(one.views[0] for one in seen),
        *_without_repeats(
            [
                *(column for one in seen for column in one.views[1:]),
                *sorted(chosen, key=lambda column: column[0].attribute),
            ]
        ),
        *(column for one in seen for column in one.parts),
    ]


def _without_repeats(columns: Iterable[tuple[View, CodeUse]]) -> Iterator[tuple[View, CodeUse]]:
    """Yield columns of which no two tell the same set, so that no two rules say the same."""
    told = defaultdict[int, set[int]](set)
    for view, use in columns:
        if isinstance(view, Ranks):
            found, before = view.fingerprints.tolist(), told[view.attribute]
            yield replace(view, repeated=np.array([x in before for x in found], np.bool_)), use
            before.update(found)
        else:
            yield view, use


def given_cuts(schema: Schema, options: Options) -> list[Floats] | None:
    """Return the cut points of each attribute from a table; None where there is none.

    Raises
    ------
    OptionError
        If the table names an attribute that is not there or not numeric.
    """
    if isinstance(options.cut_points, str):
        return None
    table = dict(options.cut_points)
    names = [a.name for a in schema.attributes if a.type != "nominal"]
    for name in table:
        if name not in names:
            raise OptionError(
                f"expected the names of numeric attributes, got {name!r}"
                + did_you_mean(name, names),
                option="cut_points",
            )
    return [
        np.array(() if a.type == "nominal" else table.get(a.name, ()), np.float64)
        for a in schema.attributes
    ]


def _cuts_of(literals: Iterable[Literal], n_attributes: int) -> list[Floats]:
    """Return the cut points of some literals by attribute, increasing."""
    cuts: list[list[float]] = [[] for _ in range(n_attributes)]
    for literal in literals:
        if literal.operator in ("<=", ">"):
            cuts[literal.attribute].append(literal.value)
    return [distinct(np.array(of, np.float64)) for of in cuts]


def orders_by_share(
    a: int, counts: ValueCounts, occurs: Bools, totals: Totals, *, negation: bool
) -> Iterator[tuple[float, Shares]]:
    """Yield the orders of the labels of an attribute by the shares of classes that gain something.

    Of two classes one order is enough.  An order gains the bits that its best set tells of the
    class, less those of naming the set; those that do not gain more than a single label does are
    left out.

    Parameters
    ----------
    a : int
        Index of the attribute.
    counts : ValueCounts
        Labels that occur, in quanta.
    occurs : ndarray of bool of shape (n_labels,)
        Which these are.
    totals : Totals
        Of all examples.
    negation : bool
        Whether a set may be told by the labels that are not in it.

    Yields
    ------
    gain : float
        In bits.
    view : Shares
    """
    every = counts.weights * totals.example_weight
    classes = np.flatnonzero(totals.class_weights > 0)
    if len(classes) == 2 and not totals.label_sets:
        classes = classes[1:]
    for j in classes.tolist():
        own = counts.class_weights[:, j] * totals.example_weight
        prior = own.sum() / every.sum()
        if not 0 < prior < 1:  # the others are where the attribute is missing
            continue
        is_known = _information(own, every, prior) > BITS_OF_NAME
        if _held_out(own, every, prior) > 0:
            is_known[:] = True
        is_known &= every > 1  # no other example confirms what a single one says
        share = np.where(is_known, (own + SHRINKING * prior) / (every + SHRINKING), prior)
        shares, number = np.unique(share.round(9), return_inverse=True)
        if len(shares) < 2:
            continue
        ranks = np.full(len(occurs), -1)
        ranks[occurs] = number
        view = Shares(a, len(shares), ranks, occurs, negation)
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
