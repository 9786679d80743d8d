"""What each rule of a committee does on a data set: where it holds, how often it is right.

A rule *favours* the classes to which it gives its largest vote, unless all get the same: a constant
shift of a vector never changes a decision.  It is right on a row whose class it favours.

Rows without a class, or with missing labels, are left out as soon as some row tells its own, rows
of weight zero always; all numbers of rows are sums of weights.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.evaluation.answers import decided
from widc_arff.model.decision import tied_for_the_top

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.rules import Rule


@dataclass(frozen=True, slots=True)
class RuleStatistics:
    """What one rule does; everything but `precision` is a weight of rows.

    Parameters
    ----------
    covered : float
        Rows on which the rule holds.
    decisive : float
        Rows whose decision would be another without the rule (the default vector kept as it is).
    precision : float
        Part of the covered rows whose class the rule favours, in [0, 1]; NaN where it holds
        nowhere or favours nothing, as are all numbers below without true classes.
    mistakes : float
        Covered rows that the committee decides wrongly.
    to_blame : float
        Those of them on which the rule votes for the wrong class over the true one.
    saved, spoiled : float
        Rows that the committee decides rightly, but without the rule would not, and the reverse.
    """

    covered: float
    decisive: float
    precision: float
    mistakes: float
    to_blame: float
    saved: float
    spoiled: float


@dataclass(frozen=True, slots=True)
class WrongRow:
    """A row that the committee decides wrongly.

    Parameters
    ----------
    row : int
        Its index in the data set.
    weight : float
        Positive.
    actual, predicted : int
        Integers of its class and of the class decided.
    margin : int
        Votes of the class decided less those of its own: 0 where the default vector decided.
    fired, to_blame : tuple of int
        Indices of the rules that hold, and of those among them that vote for the wrong class over
        the true one.
    """

    row: int
    weight: float
    actual: int
    predicted: int
    margin: int
    fired: tuple[int, ...]
    to_blame: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class DataStatistics:
    """What a committee and its rules do on a data set, whatever its labels.

    Parameters
    ----------
    counted : ndarray of int, shape (n_counted,)
        Indices of the rows that everything below is about.
    unlabelled, weightless : int
        Number of rows left out for want of a class or of labels, and for weight zero.
    has_labels : bool
        Whether the counted rows tell their class, or their labels.
    weight : float
        Of the counted rows.
    overlap : ndarray of float64, shape (n_rules, n_rules), read-only
        Weight of the rows on which both rules hold.
    """

    counted: Integers
    unlabelled: int
    weightless: int
    has_labels: bool
    weight: float
    overlap: Floats


@dataclass(frozen=True, slots=True, eq=False)
class CommitteeStatistics(DataStatistics):
    """What a committee that decides for one class a row does.

    Parameters
    ----------
    class_weights : tuple of float
        Weight of the counted rows of each class.
    silent, tied : float
        Weight of the counted rows on which no rule holds, and of those that the default vector
        decides, as their largest vote is not unique.
    rules : tuple of RuleStatistics
        In the order of the committee.
    errors : tuple of WrongRow
        Those with the largest margin first, and then in the order of the data.
    """

    class_weights: tuple[float, ...]
    silent: float
    tied: float
    rules: tuple[RuleStatistics, ...]
    errors: tuple[WrongRow, ...]

    @property
    def wrong(self) -> float:
        """Weight of the rows that are decided wrongly."""
        return sum((error.weight for error in self.errors), 0.0)

    @property
    def least_reliable(self) -> int | None:
        """Index of the rule with the lowest precision; of several the one that covers most."""
        known = [k for k, rule in enumerate(self.rules) if not math.isnan(rule.precision)]
        if not known:
            return None
        return min(known, key=lambda k: (self.rules[k].precision, -self.rules[k].covered))


def favoured(votes: Sequence[int]) -> tuple[int, ...]:
    """Return the classes with the largest of the votes; none where all votes are equal."""
    if len(set(votes)) == 1:
        return ()
    return tuple(j for j, vote in enumerate(votes) if vote == max(votes))


def precision(votes: Sequence[int], covers: Sequence[float]) -> float:
    """Return how often a rule is right where it holds.

    Parameters
    ----------
    votes : sequence of int, length n_classes
        The vector of the rule.
    covers : sequence of float, length n_classes
        Weight of the rows of each class on which it holds.

    Returns
    -------
    float
        Part of the covered weight in classes that the rule favours, in [0, 1]; NaN where it covers
        or favours nothing.
    """
    classes, covered = favoured(votes), sum(covers)
    return sum(covers[j] for j in classes) / covered if classes and covered else math.nan


def committee_statistics(committee: DecisionCommittee, dataset: Dataset) -> CommitteeStatistics:
    """Return what a committee and its rules do on a data set.

    Parameters
    ----------
    committee : DecisionCommittee
        One that decides for one class an example.
    dataset : Dataset
        In the schema of the committee; it may have no classes.

    Notes
    -----
    Time is O(n_samples n_rules (n_rules + n_classes)).
    """
    on = _ClassesOnData(committee, dataset)
    weights = on.weights
    return CommitteeStatistics(
        **on.told(),
        class_weights=tuple(on.class_weights.tolist()),
        silent=float(weights[~on.fires.any(axis=1)].sum()),
        tied=float(weights[tied_for_the_top(on.votes).sum(axis=1) > 1].sum()),
        rules=tuple(on.rule(k) for k in range(len(committee.rules))),
        errors=on.errors(),
    )


class OnData:
    """The counted rows of data, with the rules that hold on each, their votes and the decisions."""

    def __init__(self, committee: DecisionCommittee, dataset: Dataset) -> None:
        positive, labelled = dataset.weights > 0, dataset.labelled
        self.has_labels = bool((positive & labelled).any())
        self.counted = np.flatnonzero(positive & labelled if self.has_labels else positive)
        self._unlabelled = int((positive & ~labelled).sum()) if self.has_labels else 0
        self._weightless = int((~positive).sum())
        self.committee = committee
        examples = dataset.take(self.counted)
        self.Y, self.weights = examples.Y, examples.weights
        self.fires = committee.fires(examples)
        self.votes = committee.votes(examples)
        self.decided = decided(committee, self.votes)

    def told(self) -> dict[str, Any]:
        """Return the fields of `DataStatistics`."""
        return {
            "counted": self.counted,
            "unlabelled": self._unlabelled,
            "weightless": self._weightless,
            "has_labels": self.has_labels,
            "weight": float(self.weights.sum()),
            "overlap": self._overlap(),
        }

    def without(self, k: int) -> tuple[Integers, Bools]:
        """Return the rows on which a rule holds, and what would be decided there without it."""
        rows = np.flatnonzero(self.fires[:, k])
        votes = self.votes[rows] - np.array(self.committee.rules[k].votes)
        return rows, decided(self.committee, votes)

    def _overlap(self) -> Floats:
        """Return the weight of the rows on which both of two rules hold."""
        n_rules = self.fires.shape[1]
        overlap = np.zeros((n_rules, n_rules))
        for k in range(n_rules):
            rows = self.fires[:, k]
            overlap[k] = self.weights[rows] @ self.fires[rows]
        overlap.setflags(write=False)
        return overlap


class _ClassesOnData(OnData):
    def __init__(self, committee: DecisionCommittee, dataset: Dataset) -> None:
        super().__init__(committee, dataset)
        self.class_weights: Floats = self.weights @ self.Y
        self._actual, self._predicted = self.Y.argmax(axis=1), self.decided.argmax(axis=1)
        self._wrong = (self.decided != self.Y).any(axis=1)

    def rule(self, k: int) -> RuleStatistics:
        rule = self.committee.rules[k]
        rows, without = self.without(k)
        weights, wrong = self.weights[rows], self._wrong[rows]
        changed = (without != self.decided[rows]).any(axis=1)

        def weight(chosen: Bools) -> float:
            return float(weights[chosen].sum()) if self.has_labels else math.nan

        return RuleStatistics(
            covered=float(weights.sum()),
            decisive=float(weights[changed].sum()),
            precision=precision(rule.votes, (weights @ self.Y[rows]).tolist()),
            mistakes=weight(wrong),
            to_blame=weight(wrong & self._misleads(rule, rows)),
            saved=weight(changed & ~wrong),
            spoiled=weight(wrong & (without == self.Y[rows]).all(axis=1)),
        )

    def _misleads(self, rule: Rule, rows: Integers) -> Bools:
        """Return on which rows a rule votes for the class decided over the true one."""
        votes = np.array(rule.votes)
        return np.asarray(votes[self._predicted[rows]] > votes[self._actual[rows]])

    def errors(self) -> tuple[WrongRow, ...]:
        if not self.has_labels:
            return ()
        errors = [self._error(i) for i in np.flatnonzero(self._wrong).tolist()]
        return tuple(sorted(errors, key=lambda error: -error.margin))

    def _error(self, i: int) -> WrongRow:
        actual, predicted = int(self._actual[i]), int(self._predicted[i])
        fired = tuple(np.flatnonzero(self.fires[i]).tolist())
        rules = self.committee.rules
        return WrongRow(
            row=int(self.counted[i]),
            weight=float(self.weights[i]),
            actual=actual,
            predicted=predicted,
            margin=int(self.votes[i, predicted] - self.votes[i, actual]),
            fired=fired,
            to_blame=tuple(k for k in fired if rules[k].votes[predicted] > rules[k].votes[actual]),
        )
