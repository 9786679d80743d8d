"""The search for changes: all combinations of regions of up to three attributes, many rows at once.

What is looked for stands in `widc_arff.model.changes`.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.model.axes import axes_of
from widc_arff.model.change_values import Change, Step, Unknown
from widc_arff.model.costs import least_cost
from widc_arff.model.decision import decide
from widc_arff.model.literals import Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.axes import Axis
    from widc_arff.model.change_values import Decision, Wanted
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.costs import CostMatrix
    from widc_arff.model.literals import Monomial

MOST_ATTRIBUTES = 3
"""That change together."""
MOST_COMBINATIONS = 1_000_000
"""Of regions of three attributes, over all sets of three."""
_VOTES_AT_A_TIME = 1 << 22


def most_together(committee: DecisionCommittee) -> int:
    """Return of how many attributes changes are looked for: as many as there is room to try."""
    n_regions = [axis.n_regions for axis in axes_of(committee)]
    n_tried = sum(math.prod(some) for some in combinations(n_regions, MOST_ATTRIBUTES))
    return MOST_ATTRIBUTES if n_tried <= MOST_COMBINATIONS else MOST_ATTRIBUTES - 1


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
            return committee.label_scores.sets(votes)
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


class ChangeSearch:
    """Looks for changes of examples, some hundreds at a time.

    Parameters
    ----------
    committee : DecisionCommittee
        Who decides.
    wanted : Wanted
        Which changes count.
    """

    def __init__(self, committee: DecisionCommittee, wanted: Wanted) -> None:
        self._most_together = most_together(committee)
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
        shape = len(self._axes), n_rules
        self._tests = np.array([_tests(committee, x.attribute) for x in self._axes]).reshape(shape)
        self._waits = np.array(
            [_tests(committee, x.attribute, values=True) for x in self._axes]
        ).reshape(shape)

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
        for size in range(1, self._most_together + 1):
            sets = list(combinations(self._free, size))
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
            is_open = self._waits & missing[row][:, None]
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
        fails = (~own.holds).astype(np.int16)
        n_fails = fails.sum(axis=0)
        none = np.empty(0, np.int64)
        parts = [_Flips(none, none, none, np.empty(0))]
        for k, axes in enumerate(sets):
            if bounds is not None and not bounds.may_flip_any(axes):
                continue
            touched = np.asarray(self._tests[[*axes]].any(axis=0))
            here = sum(fails[i][:, touched] for i in axes)
            rest = np.asarray(n_fails[:, touched] == here)  # what fails, fails on these axes
            open_patterns = np.ones(len(used), np.bool_)
            if bounds is not None:
                open_patterns = bounds.may_flip(touched, rest)
            if not open_patterns.any():
                continue
            flips = np.zeros((len(used), self._n_choices(axes)), np.bool_)
            places = np.flatnonzero(open_patterns)
            at_a_time = max(_VOTES_AT_A_TIME // (flips.shape[1] * self._vectors.shape[1]), 1)
            for start in range(0, len(places), at_a_time):
                some = places[start : start + at_a_time]
                flips[some] = self._flipped(own.take(some), axes, rest[some])
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
        # A rule that holds ends on any axis; another begins on the first on which it fails.
        first = (~patterns.holds).argmax(axis=0)
        begins = [np.where((first == i)[:, :, None], begun, 0) for i in range(len(self._axes))]
        of_axes = np.array(
            [
                ended[:, tests].sum(axis=1) + begin.sum(axis=1)
                for tests, begin in zip(self._tests, begins, strict=True)
            ],
            np.int64,
        )
        return _Bounds(ended, begun, of_axes, behind, self._vectors.shape[1])

    def _n_choices(self, axes: tuple[int, ...]) -> int:
        return int(np.prod([self._axes[i].n_regions for i in axes]))


class _Bounds(NamedTuple):
    """What rules can change at most in favour of each class over the one decided.

    Parameters
    ----------
    ended, begun : ndarray of int16 of shape (n_patterns, n_rules, n_classes)
        Votes that a class gains by a rule that no longer holds, and by one that then does.
    of_axes : ndarray of int64 of shape (n_axes, n_patterns, n_classes)
        Votes that a class gains at most by rules that an axis ends, or is the first to keep from
        holding: of several axes at most their sum.
    behind : ndarray of int64 of shape (n_patterns, n_classes)
        How far each class is behind the one decided, in votes times `scale` and rank in ties.
    scale : int
        Number of classes.
    """

    ended: NDArray[np.int16]
    begun: NDArray[np.int16]
    of_axes: Integers
    behind: Integers
    scale: int

    def may_flip_any(self, axes: tuple[int, ...]) -> bool:
        """Tell, by a cheaper bound, whether moving some axes may flip any pattern."""
        gains = sum(self.of_axes[i] for i in axes)
        return bool((gains * self.scale > self.behind).any())

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

    The shape is (n_regions + 1, n_rules); the last row is a missing value.
    """
    truth = np.ones((axis.n_regions + 1, len(committee.rules)), np.bool_)
    for k, rule in enumerate(committee.rules):
        own = [axis.literals.index(x) for x in rule.monomial if x.attribute == axis.attribute]
        if own:
            truth[:, k] = axis.truth[:, own].all(axis=1)
    return truth


def _tests(committee: DecisionCommittee, attribute: int, *, values: bool = False) -> list[bool]:
    """Return which rules test an attribute; with `values`, those that wait for a missing value.

    A rule that tests whether it is known does not.
    """
    found = []
    for rule in committee.rules:
        own = [x.operator for x in rule.monomial if x.attribute == attribute]
        found.append(bool(own) and not (values and {"known", "missing"} & set(own)))
    return found
