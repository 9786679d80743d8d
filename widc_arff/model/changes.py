"""What would have to change for another decision: the nearest changes of up to three attributes.

A change gives one, two or three attributes of an example other values, so that all literals of
these attributes, in all rules, move together.  It counts if the committee then decides otherwise:
for another class, for another set of labels, or with costs for another class of least cost.

Which values are tried: of each attribute the regions that the committee tells apart
(`widc_arff.model.axes`), each entered at the value nearest to the present one that occurred in
training; a region in which nothing occurred is not entered.  A missing value can become any.

Which are listed: those of the fewest attributes, for each set of attributes the nearest, then of
all sets the nearest ones.  How near is the sum of how far each attribute moves, in parts of the
span of its values in training; a nominal or missing value moves by 1.  Of equally near ones the
first in the order of the attributes, then of their regions.

The search is exact: for each set of attributes all combinations of their regions are tried, for
rows that no smaller set flips.  Sets of which a bound on the votes that they can move shows that
they flip nothing are passed over.  Where an example has more than `MOST_COMBINATIONS` of three
attributes to try, only sets of one and two are tried.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from widc_arff.errors import DataError, did_you_mean
from widc_arff.model.axes import axes_of
from widc_arff.model.costs import least_cost
from widc_arff.model.decision import decide, ranking_scores
from widc_arff.model.label_threshold import label_sets
from widc_arff.model.literals import Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.axes import Axis
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.costs import CostMatrix
    from widc_arff.model.literals import Monomial

MOST_ATTRIBUTES = 3
"""That change together."""
MOST_COMBINATIONS = 1_000_000
"""Of regions of three attributes, over all sets of three."""
MOST_LISTED = 5
"""Changes of one example."""
_ROWS_AT_A_TIME = 1024

Decision: TypeAlias = int | tuple[int, ...]
"""A class, or the labels of a set."""


@dataclass(frozen=True, slots=True)
class Step:
    """Another value of one attribute.

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
    distance : float
        From `before` to `after`, in parts of the span of the attribute; 1 where there is none.

    Examples
    --------
    >>> from widc_arff import Literal
    >>> Step(3, 1.8, 1.7, (Literal(3, "<=", 1.75),), 0.04).after
    1.7
    """

    attribute: int
    before: float | None
    after: float
    region: Monomial
    distance: float


@dataclass(frozen=True, slots=True)
class Change:
    """Other values of some attributes, by which the decision for an example becomes another one.

    Parameters
    ----------
    steps : tuple of Step
        One for each attribute, in their order.
    decision : int or tuple of int
        The class then decided, or the labels of the set.

    Examples
    --------
    As `nearest_changes` returns them.

    >>> from widc_arff import Literal
    >>> from widc_arff.model.changes import Step
    >>> step = Step(3, 1.8, 1.7, (Literal(3, "<=", 1.75),), 0.04)
    >>> Change((step,), 1).distance
    0.04
    """

    steps: tuple[Step, ...]
    decision: Decision

    @property
    def distance(self) -> float:
        """How far the attributes move in all."""
        return sum(step.distance for step in self.steps)


class Wanted(NamedTuple):
    """What changes are looked for.

    Parameters
    ----------
    fixed : tuple of str
        Attributes that cannot change.
    increasing : tuple of str
        Attributes that can only increase, such as an age.
    costs : tuple of tuple of float or None
        Decides for the class of least expected cost.
    most : int
        How many changes of an example to return.

    Examples
    --------
    >>> from widc_arff import induce, nearest_changes, read_dataset
    >>> flowers = read_dataset("arff_data/iris.arff")
    >>> nearest_changes(induce(flowers), flowers, 70, Wanted(fixed=("petal_width",)))
    ()
    """

    fixed: tuple[str, ...] = ()
    increasing: tuple[str, ...] = ()
    costs: CostMatrix | None = None
    most: int = MOST_LISTED

    def check(self, committee: DecisionCommittee) -> None:
        """Check the names of attributes.

        Raises
        ------
        DataError
            If there is no such attribute, or one that should increase has no numbers.
        """
        types = {attribute.name: attribute.type for attribute in committee.schema.attributes}
        used = {committee.schema.attributes[a].name for a in committee.used_attributes}
        for name in (*self.fixed, *self.increasing):
            if name not in types:
                raise DataError(
                    f"expected an attribute of the model, got {name!r}{did_you_mean(name, types)}"
                )
            if name in self.increasing and name in used and types[name] == "nominal":
                raise DataError(f"expected an attribute of numbers to increase, got {name!r}")


ANY = Wanted()
"""All changes."""


def nearest_changes(
    committee: DecisionCommittee, dataset: Dataset, row: int, wanted: Wanted = ANY
) -> tuple[Change, ...]:
    """Return the changes of the fewest attributes that flip the decision for one row.

    Parameters
    ----------
    committee : DecisionCommittee
        For classes or label sets.
    dataset : Dataset
        In the schema of the committee.
    row : int
        Index of the row.
    wanted : Wanted, optional
        Which changes count.

    Returns
    -------
    tuple of Change
        The nearest first; empty where no change of up to three attributes flips the decision.  The
        head of this module defines which ones and in which order.

    Raises
    ------
    DataError
        If a name in `wanted` is no attribute, or the attribute cannot increase.
    IndexError
        If there is no such row.

    Examples
    --------
    >>> from widc_arff import induce, read_dataset
    >>> flowers = read_dataset("arff_data/iris.arff")
    >>> (change,) = nearest_changes(induce(flowers), flowers, 70)
    >>> (step,) = change.steps
    >>> flowers.schema.attributes[step.attribute].name, step.before, step.after
    ('petal_width', 1.8, 1.7)
    >>> flowers.schema.labels.values[change.decision]
    'versicolor'
    """
    example = dataset.take(np.array([range(dataset.n_samples)[row]]))
    return next(changes_by_row(committee, example, wanted))


def changes_by_row(
    committee: DecisionCommittee, dataset: Dataset, wanted: Wanted = ANY
) -> Iterator[tuple[Change, ...]]:
    """Yield `nearest_changes` of every row, some rows computed at a time."""
    wanted.check(committee)
    search = _Search(committee, wanted)
    for start in range(0, dataset.n_samples, _ROWS_AT_A_TIME):
        stop = min(start + _ROWS_AT_A_TIME, dataset.n_samples)
        yield from search.changes(dataset.take(np.arange(start, stop)))


@dataclass(frozen=True, slots=True)
class Unknown:
    """A missing value for want of which some rule cannot be judged, and what it could decide.

    Parameters
    ----------
    attribute : int
        Index of the attribute in the schema.
    rules : tuple of int
        The rules of which all conditions on known values hold, but for those on missing ones.
    outcomes : tuple of (Monomial, decision)
        What each value would decide: of numbers in their order, as ``<= t``, ``> t``, or both; of
        nominal attributes as labels, any of which would do.
    """

    attribute: int
    rules: tuple[int, ...]
    outcomes: tuple[tuple[Monomial, Decision], ...]


def unknown_by_row(
    committee: DecisionCommittee, dataset: Dataset, costs: CostMatrix | None = None
) -> Iterator[tuple[Unknown, ...]]:
    """Yield of every row which rules cannot be judged, and what missing values could decide."""
    search = _Search(committee, Wanted(costs=costs))
    for start in range(0, dataset.n_samples, _ROWS_AT_A_TIME):
        stop = min(start + _ROWS_AT_A_TIME, dataset.n_samples)
        yield from search.unknown(dataset.take(np.arange(start, stop)))


class Deciding:
    """How summed votes are decided.

    Parameters
    ----------
    committee : DecisionCommittee
        Who decides.
    costs : tuple of tuple of float, optional
        Decides for the class of least expected cost.
    """

    def __init__(self, committee: DecisionCommittee, costs: CostMatrix | None = None) -> None:
        self._committee, self._costs = committee, costs
        self.by_most_votes = costs is None and committee.threshold is None

    def __call__(self, votes: Integers) -> NDArray[np.generic]:
        """Return a class for each row of votes, or a row of labels."""
        committee = self._committee
        if committee.threshold is not None:
            return label_sets(ranking_scores(votes, committee.tie_scores), committee.threshold)
        decided = decide(votes, committee.tie_scores)
        if self._costs is None:
            return decided
        return least_cost(committee.probabilities_of(votes), decided, self._costs)[0]

    @staticmethod
    def named(decided: NDArray[np.generic]) -> Decision:
        """Return the decision for one row as a value."""
        if decided.ndim:
            return tuple(np.flatnonzero(decided).tolist())
        return int(decided.item())


class _Patterns(NamedTuple):
    """Examples of which those in the same regions are taken together.

    Parameters
    ----------
    regions : ndarray of int64 of shape (n_patterns, n_axes)
        The distinct ones.
    holds : ndarray of bool of shape (n_axes, n_patterns, n_rules)
        Whether all conditions of a rule on an axis hold there.
    votes : ndarray of int64 of shape (n_patterns, n_classes)
        Summed votes.
    decided : ndarray of shape (n_patterns,) or (n_patterns, n_labels)
        What these decide.
    """

    regions: Integers
    holds: Bools
    votes: Integers
    decided: NDArray[np.generic]

    def take(self, chosen: Integers | Bools) -> _Patterns:
        """Return some of the patterns."""
        return _Patterns(
            self.regions[chosen], self.holds[:, chosen], self.votes[chosen], self.decided[chosen]
        )


class _Flips(NamedTuple):
    """Of each example that some set of axes flips: the nearest change of these axes.

    Parameters
    ----------
    examples, sets, choices : ndarray of int64
        Which example, which set of axes, and which of the combinations of their regions.
    distances : ndarray of float64
        How far that is.
    """

    examples: Integers
    sets: Integers
    choices: Integers
    distances: Floats


class _Search:
    def __init__(self, committee: DecisionCommittee, wanted: Wanted) -> None:
        self._most, self._decide = wanted.most, Deciding(committee, wanted.costs)
        self._axes = axes_of(committee)
        names = [committee.schema.attributes[axis.attribute].name for axis in self._axes]
        self._n_labels = [len(committee.schema.attributes[x.attribute].values) for x in self._axes]
        self._free = [i for i, name in enumerate(names) if name not in wanted.fixed]
        self._increasing = [name in wanted.increasing for name in names]
        n_rules, n_classes = len(committee.rules), committee.schema.n_classes
        votes = [rule.votes for rule in committee.rules]
        self._vectors = np.array(votes, np.int64).reshape(n_rules, n_classes)
        # Ties are won in the order of these ranks: a sum of votes with its rank decides alone.
        order = np.lexsort((-np.arange(n_classes), committee.tie_scores))
        self._ranks = np.argsort(order)
        self._truth = [_truth(committee, axis) for axis in self._axes]
        self._tests = np.array([~truth[-1] for truth in self._truth]).reshape(
            len(self._axes), n_rules
        )

    def changes(self, examples: Dataset) -> Iterator[tuple[Change, ...]]:
        """Yield the changes of each example."""
        n = examples.n_samples
        if not self._free:
            yield from ((),) * n
            return
        columns = [examples.columns[axis.attribute].astype(np.float64) for axis in self._axes]
        held = [axis.regions_of(column) for axis, column in zip(self._axes, columns, strict=True)]
        regions, pattern_of = np.unique(np.array(held).T, axis=0, return_inverse=True)
        pattern_of = pattern_of.reshape(-1)
        patterns = self._patterns(regions)
        entries = [axis.entries(column) for axis, column in zip(self._axes, columns, strict=True)]
        distances = [self._distances(i, columns[i], held[i], entries[i]) for i in range(len(held))]
        found: list[list[Change]] = [[] for _ in range(n)]
        waiting = np.arange(n)
        for size in range(1, MOST_ATTRIBUTES + 1):
            sets = self._sets(size)
            flips = self._flips(
                patterns, pattern_of[waiting], sets, [d[waiting] for d in distances]
            )
            rows = waiting[flips.examples]
            moved = regions[pattern_of[rows]]
            axes = [sets[k] for k in flips.sets.tolist()]
            for places, of, choice in zip(moved, axes, flips.choices.tolist(), strict=True):
                places[[*of]] = np.unravel_index(choice, [self._axes[i].n_regions for i in of])
            decided = self._patterns(moved).decided
            for row, of, places, decision in zip(rows.tolist(), axes, moved, decided, strict=True):
                steps = []
                for i, region in zip(of, places[[*of]].tolist(), strict=True):
                    axis, kind = self._axes[i], float if self._axes[i].ordered else int
                    before = None if held[i][row] == axis.n_regions else kind(columns[i][row])
                    after, far = kind(entries[i][row, region]), float(distances[i][row, region])
                    label = (Literal(axis.attribute, "=", after),)
                    values = axis.region(region) if axis.ordered else label
                    steps.append(Step(axis.attribute, before, after, values, far))
                found[row].append(Change(tuple(steps), self._decide.named(decision)))
            waiting = np.array([row for row in waiting.tolist() if not found[row]], np.int64)
            if not len(waiting):
                break
        yield from map(tuple, found)

    def unknown(self, examples: Dataset) -> Iterator[tuple[Unknown, ...]]:
        """Yield of each example what its missing values keep from being judged."""
        held = [
            axis.regions_of(examples.columns[axis.attribute].astype(np.float64))
            for axis in self._axes
        ]
        regions = np.array(held, np.int64).reshape(len(held), examples.n_samples).T
        missing = regions == [axis.n_regions for axis in self._axes]
        found: dict[int, tuple[Unknown, ...]] = {}
        for row in np.flatnonzero(missing.any(axis=1)).tolist():
            holds = np.array([truth[r] for truth, r in zip(self._truth, regions[row], strict=True)])
            is_open = self._tests & missing[row][:, None]
            waits = is_open.any(axis=0) & (holds | is_open).all(axis=0)
            found[row] = tuple(
                Unknown(
                    self._axes[i].attribute,
                    tuple(np.flatnonzero(waits & is_open[i]).tolist()),
                    self._outcomes(i, regions[row]),
                )
                for i in np.flatnonzero((is_open & waits).any(axis=1)).tolist()
            )
        yield from (found.get(row, ()) for row in range(examples.n_samples))

    def _outcomes(self, i: int, regions: Integers) -> tuple[tuple[Monomial, Decision], ...]:
        """Return what each value of one axis would decide, in the regions of all others."""
        axis = self._axes[i]
        tried = np.tile(regions, (axis.n_regions, 1))
        tried[:, i] = np.arange(axis.n_regions)
        decisions = [self._decide.named(decided) for decided in self._patterns(tried).decided]
        if not axis.ordered:
            of: dict[Decision, list[Literal]] = {}
            labels = np.arange(float(self._n_labels[i]))
            for code, region in enumerate(axis.regions_of(labels).tolist()):
                of.setdefault(decisions[region], []).append(Literal(axis.attribute, "=", code))
            return tuple((tuple(literals), decision) for decision, literals in of.items())
        runs: list[tuple[Monomial, Decision]] = []
        for region, decision in enumerate(decisions):
            ends = axis.region(region)
            if runs and runs[-1][1] == decision:
                lower = [end for end in runs.pop()[0] if end.operator == ">"]
                ends = (*lower, *(end for end in ends if end.operator == "<="))
            runs.append((ends, decision))
        return tuple(runs)

    def _sets(self, size: int) -> list[tuple[int, ...]]:
        """Return the sets of so many axes; none where they have too many regions to try."""
        sets = list(combinations(self._free, size))
        n_tried = sum(np.prod([self._axes[i].n_regions for i in axes]) for axes in sets)
        return sets if size < MOST_ATTRIBUTES or n_tried <= MOST_COMBINATIONS else []

    def _patterns(self, regions: Integers) -> _Patterns:
        holds = np.array([truth[r] for truth, r in zip(self._truth, regions.T, strict=True)])
        votes = holds.all(axis=0).astype(np.int64) @ self._vectors
        return _Patterns(regions, holds, votes, self._decide(votes))

    def _distances(self, i: int, values: Floats, held: Integers, entries: Floats) -> Floats:
        """Return how far each example is from each region; infinite where it cannot go."""
        distances = self._axes[i].distances(values, entries)
        order = np.arange(self._axes[i].n_regions)
        barred = order == held[:, None]
        if self._increasing[i]:
            barred |= (order < held[:, None]) & (held < self._axes[i].n_regions)[:, None]
        return np.where(barred, np.inf, distances)

    def _flips(
        self,
        patterns: _Patterns,
        pattern_of: Integers,
        sets: list[tuple[int, ...]],
        distances: list[Floats],
    ) -> _Flips:
        """Return the nearest change of each set of axes that flips each example, the best few.

        Parameters
        ----------
        patterns : _Patterns
            Of all examples.
        pattern_of : ndarray of int64 of shape (n_waiting,)
            That of each example that waits for a change.
        sets : list of tuple of int
            Of axes.
        distances : list of ndarray of shape (n_waiting, n_regions)
            Of each axis.
        """
        used, number = np.unique(pattern_of, return_inverse=True)
        own, number = patterns.take(used), number.reshape(-1)
        bounds = self._bounds(own) if sets and len(sets[0]) > 1 else None
        none = np.empty(0, np.int64)
        parts = [_Flips(none, none, none, np.empty(0))]
        for k, axes in enumerate(sets):
            others = [i for i in range(len(self._axes)) if i not in axes]
            touched = np.asarray(self._tests[[*axes]].any(axis=0))
            rest = np.asarray(own.holds[others][:, :, touched].all(axis=0))
            open_patterns = np.ones(len(used), np.bool_)
            if bounds is not None:
                open_patterns = bounds.may_flip(touched, rest)
            if not open_patterns.any():
                continue
            flips = np.zeros((len(used), self._n_choices(axes)), np.bool_)
            flips[open_patterns] = self._flipped(own.take(open_patterns), axes, rest[open_patterns])
            examples = np.flatnonzero(flips[number].any(axis=1))
            in_all: Floats = np.zeros((len(examples), 1))
            for i in axes:
                in_all = in_all[:, :, None] + distances[i][examples, None, :]
                in_all = in_all.reshape(len(examples), in_all.shape[1] * in_all.shape[2])
            in_all[~flips[number[examples]]] = np.inf
            choices = in_all.argmin(axis=1)
            far = in_all.min(axis=1)
            is_there = np.isfinite(far)
            parts.append(
                _Flips(
                    examples[is_there],
                    np.full(is_there.sum(), k),
                    choices[is_there],
                    far[is_there],
                )
            )
        found = _Flips(
            np.concatenate([part.examples for part in parts]),
            np.concatenate([part.sets for part in parts]),
            np.concatenate([part.choices for part in parts]),
            np.concatenate([part.distances for part in parts]),
        )
        order = np.lexsort((found.sets, found.distances, found.examples))
        examples = found.examples[order]
        rank = np.arange(len(order)) - np.searchsorted(examples, examples)
        kept = order[rank < self._most]
        columns = found.examples[kept], found.sets[kept], found.choices[kept]
        return _Flips(*columns, found.distances[kept])

    def _flipped(self, patterns: _Patterns, axes: tuple[int, ...], rest: Bools) -> Bools:
        """Return which combinations of regions of some axes flip which patterns.

        Parameters
        ----------
        patterns : _Patterns
            Some of them.
        axes : tuple of int
            Which can move.
        rest : ndarray of bool of shape (n_patterns, n_touched)
            Whether all conditions on other axes hold, of the rules that test one of these.
        """
        touched = np.asarray(self._tests[[*axes]].any(axis=0))
        n_classes, vectors = self._vectors.shape[1], self._vectors[touched]
        now = np.asarray(patterns.holds[:, :, touched].all(axis=0))
        without = patterns.votes - now.astype(np.int64) @ vectors
        holds = np.ones((1, len(vectors)), np.bool_)
        for i in axes:
            own = np.asarray(self._truth[i][:-1][:, touched])
            holds = (holds[:, None] & own).reshape(-1, len(vectors))
        of_choices = (holds.T[:, :, None] * vectors[:, None, :]).reshape(len(vectors), -1)
        votes = rest.astype(np.float32) @ of_choices.astype(np.float32)
        votes = votes.reshape(len(rest), -1, n_classes) + without[:, None].astype(np.float32)
        if self._decide.by_most_votes:
            decided: NDArray[np.generic] = (votes * n_classes + self._ranks).argmax(axis=2)
            return np.asarray(decided != patterns.decided[:, None])
        whole = votes.reshape(-1, n_classes).astype(np.int64)
        decided = self._decide(whole).reshape(*votes.shape[:2], *patterns.decided.shape[1:])
        differs = decided != patterns.decided[:, None]
        return np.asarray(differs if differs.ndim == 2 else differs.any(axis=2))

    def _bounds(self, patterns: _Patterns) -> _Bounds | None:
        """Return what rules can change at most, where the most votes decide."""
        if not self._decide.by_most_votes:
            return None
        now = np.asarray(patterns.holds.all(axis=0))[:, :, None]
        rows = np.arange(len(patterns.votes))
        lead = self._vectors[None] - self._vectors[:, patterns.decided].T[:, :, None]
        ended = np.where(now, np.maximum(-lead, 0), 0).astype(np.int16)
        begun = np.where(now, 0, np.maximum(lead, 0)).astype(np.int16)
        keys = patterns.votes * self._vectors.shape[1] + self._ranks
        behind = keys[rows, patterns.decided][:, None] - keys
        behind[rows, patterns.decided] = np.iinfo(np.int64).max
        return _Bounds(ended, begun, behind, self._vectors.shape[1])

    def _n_choices(self, axes: tuple[int, ...]) -> int:
        return int(np.prod([self._axes[i].n_regions for i in axes]))


class _Bounds(NamedTuple):
    """What rules can change at most in favour of each class over the one decided.

    Parameters
    ----------
    ended, begun : ndarray of int16 of shape (n_patterns, n_rules, n_classes)
        Votes that a class gains by a rule that no longer holds, and by one that then does.
    behind : ndarray of int64 of shape (n_patterns, n_classes)
        How far each class is behind the one decided, in votes times `scale` and rank in ties.
    scale : int
        Number of classes.
    """

    ended: NDArray[np.int16]
    begun: NDArray[np.int16]
    behind: Integers
    scale: int

    def may_flip(self, touched: Bools, rest: Bools) -> Bools:
        """Return which patterns rules may flip that all hold on other axes, or do not.

        Parameters
        ----------
        touched : ndarray of bool of shape (n_rules,)
            The rules that test an axis that moves.
        rest : ndarray of bool of shape (n_patterns, n_touched)
            Whether all their conditions on the other axes hold.
        """
        gains = self.ended[:, touched].sum(axis=1, dtype=np.int64)
        gains += (self.begun[:, touched] * rest[:, :, None]).sum(axis=1, dtype=np.int64)
        return np.asarray((gains * self.scale > self.behind).any(axis=1))


def _truth(committee: DecisionCommittee, axis: Axis) -> Bools:
    """Return whether all conditions of each rule on an axis hold in its regions.

    The shape is (n_regions + 1, n_rules); the last row is a missing value, for which no rule holds
    that tests the axis.
    """
    truth = np.ones((axis.n_regions + 1, len(committee.rules)), np.bool_)
    for k, rule in enumerate(committee.rules):
        own = [axis.literals.index(x) for x in rule.monomial if x.attribute == axis.attribute]
        if own:
            truth[:, k] = axis.truth[:, own].all(axis=1)
    return truth
