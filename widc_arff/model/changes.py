"""What would have to change for another decision: the nearest changes of one attribute.

A change gives ONE attribute of an example another value, so that all literals of that attribute, in
all rules, move together.  It counts if the committee then decides for another class.

Which values are tried: of a nominal attribute the declared ones; of a numeric or date attribute
the regions between the cut points that the model uses for it, each entered at the point nearest to
the present value: from above at its upper end (``x <= t``: t), from below at the next double above
its lower end (``x > t``).  A missing value can become any of them.

Which are listed: of a numeric attribute the nearest change below the present value and the nearest
above; of a nominal one, and where the value is missing, the change that turns the truth of the
fewest literals, equal ones in the order of the values (of those that no rule names, the first).

The nearest is first: the fewest literals of the model (each counted once, in however many rules it
stands) whose truth changes; then the smallest distance, relative to the span of the cut points of
the attribute (a single one: to its absolute value), which is 1 where nothing can be measured:
nominal, missing, a single cut point at zero; then the order of the attributes, below before above.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.errors import DataError
from widc_arff.model.decision import decide
from widc_arff.model.literals import Literal, Monomial

if TYPE_CHECKING:
    from collections.abc import Iterator

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee


@dataclass(frozen=True, slots=True)
class Change:
    """Another value of one attribute, by which the decision for an example becomes another one.

    Parameters
    ----------
    attribute : int
        Index of the attribute in the schema.
    before : float or None
        Present value as the column holds it: index of the label, or number; None: missing.
    after : float
        The nearest value that would do.
    region : tuple of Literal
        All values that do the same: ``= v``; or ``<= t``, ``> t``, or both, of cut points that
        are next to one another in the model.
    winner : int
        The class then decided.
    changed : tuple of Literal
        The literals of the model whose truth changes.
    distance : float
        From `before` to `after`, relative to the span of the attribute's cut points.

    Examples
    --------
    As `nearest_changes` returns them.

    >>> from widc_arff import Literal
    >>> upper = Literal(3, "<=", 1.75)
    >>> Change(3, 1.8, 1.75, (upper,), 1, (upper,), 0.03).after
    1.75
    """

    attribute: int
    before: float | None
    after: float
    region: Monomial
    winner: int
    changed: tuple[Literal, ...]
    distance: float


def nearest_changes(committee: DecisionCommittee, dataset: Dataset, row: int) -> tuple[Change, ...]:
    """Return the changes of one attribute that flip the decision for one row, the nearest first.

    Parameters
    ----------
    committee : DecisionCommittee
        One that decides for one class.
    dataset : Dataset
        In the schema of the committee.
    row : int
        Index of the row.

    Returns
    -------
    tuple of Change
        At most two for each attribute; empty where no change of a single attribute flips the
        decision.  The head of this module defines which ones and in which order.

    Raises
    ------
    DataError
        If the committee is one for label sets.
    IndexError
        If there is no such row.

    Examples
    --------
    >>> from widc_arff import induce, read_dataset
    >>> flowers = read_dataset("arff_data/iris.arff")
    >>> (change,) = nearest_changes(induce(flowers), flowers, 70)
    >>> flowers.schema.attributes[change.attribute].name, change.before, change.after
    ('petal_width', 1.8, 1.75)
    >>> flowers.schema.labels.values[change.winner]
    'versicolor'
    """
    example = dataset.take(np.array([range(dataset.n_samples)[row]]))
    return next(changes_by_row(committee, example))


def changes_by_row(committee: DecisionCommittee, dataset: Dataset) -> Iterator[tuple[Change, ...]]:
    """Yield `nearest_changes` of every row, a few thousand rows computed at a time.

    Raises
    ------
    DataError
        If the committee is one for label sets.
    """
    if committee.schema.labels.are_sets:
        raise DataError("expected a committee for one class an example, got one for label sets")
    axes = [_Axis.of(committee, attribute) for attribute in sorted(committee.used_attributes)]
    for examples in dataset.parts():
        yield from _changes(committee, axes, examples)


@dataclass(frozen=True, slots=True, eq=False)
class _Axis:
    """The values of one attribute as far as a committee tells them apart: its regions.

    Parameters
    ----------
    attribute : int
        Index in the schema.
    ordered : bool
        Whether they are numbers.
    marks : ndarray of shape (n_cuts,) or (n_regions,)
        Cut points of numbers, between which the regions lie; else the label of each region.
    unnamed : int or None
        The region of all the labels that no rule names, if there are such.
    literals : tuple of Literal
        Those of the attribute in the model, each once.
    truth : ndarray of bool of shape (n_regions + 1, n_literals)
        Which literals hold in a region; the last row is a missing value, for which none does.
    turned : ndarray of int64 of shape (n_regions + 1, n_regions)
        How many literals change their truth between two regions.
    """

    attribute: int
    ordered: bool
    marks: Floats
    unnamed: int | None
    literals: tuple[Literal, ...]
    truth: Bools
    turned: Integers

    @classmethod
    def of(cls, committee: DecisionCommittee, attribute: int) -> _Axis:
        """Return the regions of an attribute that some rule tests."""
        own = (x for rule in committee.rules for x in rule.monomial if x.attribute == attribute)
        literals = tuple(dict.fromkeys(own))
        marks = {x.value for x in literals}
        ordered = committee.schema.attributes[attribute].type != "nominal"
        unnamed = None
        if ordered:
            points = np.array([*sorted(marks), np.inf, np.nan])
        else:
            labels = range(len(committee.schema.attributes[attribute].values))
            first = next((code for code in labels if code not in marks), None)
            if first is not None:
                marks.add(first)
                unnamed = sorted(marks).index(first)
            points = np.array([*sorted(marks), -1])
        columns = [points] * (attribute + 1)
        truth = np.column_stack([x.satisfied_by(columns) for x in literals])
        held = truth.astype(np.int64)
        turned = held.sum(axis=1)[:, None] + held.sum(axis=1) - 2 * held @ held.T
        marked = np.array(sorted(marks), np.float64)
        return cls(attribute, ordered, marked, unnamed, literals, truth, turned[:, :-1])

    @property
    def n_regions(self) -> int:
        """Number of regions; as the index of a region it stands for a missing value."""
        return len(self.truth) - 1

    @property
    def span(self) -> float:
        """Distance between the outermost cut points, or of the only one from zero; else 0."""
        if not self.ordered:
            return 0.0
        lowest, highest = float(self.marks[0]), float(self.marks[-1])
        return highest - lowest if len(self.marks) > 1 else abs(highest)

    def regions_of(self, values: Floats) -> Integers:
        """Return the region of each value; NaN is missing."""
        places = np.searchsorted(self.marks, values)
        if not self.ordered:
            named = self.marks[np.minimum(places, len(self.marks) - 1)] == values
            places = places if self.unnamed is None else np.where(named, places, self.unnamed)
        return np.where(np.isnan(values), self.n_regions, places)

    def region(self, index: int) -> Monomial:
        """Return a region as literals."""
        if not self.ordered:
            return (Literal(self.attribute, "=", int(self.marks[index])),)
        ends = []
        if index > 0:
            ends.append(Literal(self.attribute, ">", float(self.marks[index - 1])))
        if index < len(self.marks):
            ends.append(Literal(self.attribute, "<=", float(self.marks[index])))
        return tuple(ends)

    def entries(self, regions: Integers, values: Floats) -> Floats:
        """Return where each region is entered from a value outside of it."""
        if not self.ordered:
            return self.marks[regions]
        lowest = np.nextafter(np.append(-np.inf, self.marks)[regions], np.inf)
        highest = np.append(self.marks, np.inf)[regions]
        at_lower_end = (values < lowest) | np.isinf(highest)
        return np.where(at_lower_end, lowest, highest)

    def distances(self, values: Floats, entries: Floats) -> Floats:
        """Return how far it is from each value to another one, relative to the span."""
        if self.span <= 0:
            return np.ones(len(values))
        distances = np.abs(values - entries) / self.span
        return np.where(np.isnan(distances), 1.0, distances)


def _changes(
    committee: DecisionCommittee, axes: list[_Axis], dataset: Dataset
) -> Iterator[tuple[Change, ...]]:
    """Yield the changes of each row, sorted."""
    votes = committee.votes(dataset)
    decided = decide(votes, committee.tie_scores)
    tables = [np.empty((0, 9))]
    for number, axis in enumerate(axes):
        values = dataset.columns[axis.attribute].astype(np.float64)
        if not axis.ordered:
            values[values < 0] = np.nan
        regions = axis.regions_of(values)
        winners = _winners(committee, axis, dataset, votes, regions)
        for rows, chosen in _nearest(axis, winners != decided[:, None], regions):
            before, own = values[rows], regions[rows]
            with np.errstate(over="ignore", invalid="ignore"):  # of numbers near the largest
                after = axis.entries(chosen, before)
                distances = axis.distances(before, after)
            keys = [rows, axis.turned[own, chosen], distances, np.full(len(rows), number)]
            told = [before, after, winners[rows, chosen], own, chosen]
            tables.append(np.column_stack([*keys, *told]))
    table = np.vstack(tables)
    table = table[np.lexsort(table[:, 3::-1].T)]
    ends = np.searchsorted(table[:, 0], np.arange(dataset.n_samples), side="right").tolist()
    for start, end in pairwise([0, *ends]):
        yield tuple(_change(axes, line) for line in table[start:end].tolist())


def _change(axes: list[_Axis], line: list[float]) -> Change:
    """Return one line of the table of changes as a value."""
    _, _, distance, number_of_axis, before, after, winner, own, chosen = line
    axis = axes[int(number_of_axis)]
    number = float if axis.ordered else int
    turned = np.flatnonzero(axis.truth[int(own)] != axis.truth[int(chosen)]).tolist()
    return Change(
        axis.attribute,
        None if own == axis.n_regions else number(before),
        number(after),
        axis.region(int(chosen)),
        int(winner),
        tuple(axis.literals[i] for i in turned),
        distance,
    )


def _winners(
    committee: DecisionCommittee,
    axis: _Axis,
    dataset: Dataset,
    votes: Integers,
    regions: Integers,
) -> Integers:
    """Return the class decided with the attribute in each region, shape (n_rows, n_regions)."""
    rest = votes.copy()  # of the rules that do not test the attribute
    others, holding, vectors = [], [], []
    for rule in committee.rules:
        own = [axis.literals.index(x) for x in rule.monomial if x.attribute == axis.attribute]
        if not own:
            continue
        other = np.ones(len(votes), np.bool_)
        for literal in rule.monomial:
            if literal.attribute != axis.attribute:
                other &= literal.satisfied_by(dataset.columns)
        holds = np.asarray(axis.truth[:, own].all(axis=1))
        rest -= (other & holds[regions])[:, None] * np.array(rule.votes)
        others.append(other)
        holding.append(holds)
        vectors.append(rule.votes)
    held = np.column_stack(holding)
    winners = np.empty((len(votes), axis.n_regions), np.int64)
    for region in range(axis.n_regions):
        held_votes = held[region][:, None] * np.array(vectors)
        gained = np.column_stack(others).astype(np.int64) @ held_votes
        winners[:, region] = decide(rest + gained, committee.tie_scores)
    return winners


def _nearest(axis: _Axis, flips: Bools, regions: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Yield rows, and for each the region nearest to its own that flips its decision.

    Parameters
    ----------
    axis : _Axis
        The attribute.
    flips : ndarray of bool of shape (n_rows, n_regions)
        Whether the decision becomes another one there.
    regions : ndarray of int64 of shape (n_rows,)
        Where the rows are.
    """
    anywhere = flips
    if axis.ordered:
        known = (regions < axis.n_regions)[:, None]
        order = np.arange(axis.n_regions)
        below = flips & known & (order < regions[:, None])
        above = flips & known & (order > regions[:, None])
        rows = np.flatnonzero(below.any(axis=1))
        yield rows, axis.n_regions - 1 - below[rows, ::-1].argmax(axis=1)
        rows = np.flatnonzero(above.any(axis=1))
        yield rows, above[rows].argmax(axis=1)
        anywhere = flips & ~known
    rows = np.flatnonzero(anywhere.any(axis=1))
    costs = np.where(flips[rows], axis.turned[regions[rows]], len(axis.literals) + 1)
    yield rows, costs.argmin(axis=1)
