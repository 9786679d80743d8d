"""Whether rules differ on new rows from training by more than chance.

Two shares are compared for each rule: the share of rows that it covers, and the share of these on
which its votes are right.  For classes, a rule is right on rows of the classes that get the most
votes from it; for label sets, each vote is compared separately.  Fisher's exact test says how
probable so large a difference is by chance; Holm's correction keeps the chance of any false alarm,
over all comparisons of a committee, at `LEVEL`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.evaluation.rule_statistics import favoured

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from widc_arff.arrays import Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.rules import Rule

LEVEL = 0.05
"""The chance of a false alarm, in [0, 1]."""
_ROUNDING = 1e-7  # by how much equal probabilities may differ
_LARGEST = 1 << 20
"""Counts are scaled down to it: what then differs by chance does not differ much."""


@dataclass(frozen=True, slots=True)
class Share:
    """A part of some weight of rows."""

    part: float
    whole: float

    @property
    def fraction(self) -> float:
        """The part over the whole, in [0, 1]; NaN of nothing."""
        return self.part / self.whole if self.whole else math.nan


@dataclass(frozen=True, slots=True)
class Comparison:
    """A figure of a rule, in training and on other rows.

    Parameters
    ----------
    rule : int
        Index of the rule.
    labels : tuple of int
        Empty: what the rule covers.  Else of that the part with one of these labels, or, where
        `vote` is -1, without.
    vote : int
        1 or -1; 0 where `labels` is empty.
    trained, found : Share
        In training, and on the other rows, as weights of examples.
    p : float
        How probable so large a difference is by chance, in [0, 1]; NaN where a share is unknown.
    differs : bool
        Whether the difference is more than chance, all comparisons taken into account.
    """

    rule: int
    labels: tuple[int, ...]
    vote: int
    trained: Share
    found: Share
    p: float
    differs: bool = False


def drift(
    committee: DecisionCommittee, dataset: Dataset, counts: Integers | None = None
) -> tuple[Comparison, ...]:
    """Compare how much each rule covers and how often it is right, in training and on new data.

    Parameters
    ----------
    committee : DecisionCommittee
        For classes or label sets.
    dataset : Dataset
        In its schema, with classes or labels; rows without are left out.
    counts : ndarray of int64 of shape (n_samples,), optional
        For how many rows each stands; None: for itself.

    Returns
    -------
    tuple of Comparison
        Rule by rule, the coverage first.
    """
    tested = np.flatnonzero(dataset.labelled & (dataset.weights > 0))
    rows = dataset.take(tested)
    weights = rows.weights
    if len(weights) and (weights != np.rint(weights)).any():
        n_rows = len(tested) if counts is None else int(counts[tested].sum())
        weights = weights * (n_rows / weights.sum())
    in_all = float(weights.sum())
    are_sets = committee.schema.labels.are_sets
    total, of_training = _training_weight(committee)
    found = []
    for k, (rule, holds) in enumerate(zip(committee.rules, committee.fires(rows).T, strict=True)):
        covered = float(weights[holds].sum())
        trained = Share(rule.covered * of_training, total)
        found.append(_compared(k, (), 0, trained, Share(covered, in_all)))
        by_label = (weights[holds] @ rows.Y[holds]).tolist()
        for vote, labels in _claims(rule, are_sets=are_sets):
            before = _right(vote, sum(rule.covers[j] for j in labels), rule.covered)
            now = _right(vote, sum(by_label[j] for j in labels), covered)
            before = Share(before.part * of_training, before.whole * of_training)
            found.append(_compared(k, labels, vote, before, now))
    return _corrected(found)


def _training_weight(committee: DecisionCommittee) -> tuple[float, float]:
    """Return the training examples, and how many one unit of their weight is."""
    training, total = committee.training, committee.training_weight
    if all(float(weight).is_integer() for weight in (total, *training.weights)):
        return total, 1.0
    return float(training.examples), training.examples / total


def _claims(rule: Rule, *, are_sets: bool) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield what a rule says: a vote, and the labels that it is about."""
    if are_sets:
        yield from ((vote, (j,)) for j, vote in enumerate(rule.votes) if vote)
    elif favoured(rule.votes):
        yield 1, favoured(rule.votes)


def _right(vote: int, of_labels: float, covered: float) -> Share:
    return Share(of_labels if vote > 0 else covered - of_labels, covered)


def _compared(
    rule: int, labels: tuple[int, ...], vote: int, trained: Share, found: Share
) -> Comparison:
    known = [trained.part, trained.whole, found.part, found.whole]
    p = math.nan if any(map(math.isnan, known)) else exact_test(trained, found)
    return Comparison(rule, labels, vote, trained, found, p)


def exact_test(one: Share, other: Share) -> float:
    """Return how probable shares that differ so much are by chance, in [0, 1]: Fisher's test.

    The sum of the probabilities of all tables with the same margins that are no more probable than
    the one found.
    """
    largest = max(one.whole, other.whole, 1.0)
    scale = min(1.0, _LARGEST / largest)
    counts = [round(n * scale) for n in (one.part, one.whole, other.part, other.whole)]
    part, whole, other_part, other_whole = counts
    both = part + other_part
    first, last = max(0, both - other_whole), min(both, whole)
    if first >= last:
        return 1.0
    x = np.arange(first, last, dtype=np.float64)
    steps = np.log((whole - x) * (both - x)) - np.log((x + 1) * (other_whole - both + x + 1))
    logs = np.concatenate([[0.0], np.cumsum(steps)])
    chances = np.exp(logs - logs.max())
    least = chances <= chances[part - first] * (1 + _ROUNDING)
    return min(1.0, float(chances[least].sum() / chances.sum()))


def _corrected(found: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Return the comparisons with those marked that differ by more than chance (Holm 1979)."""
    known = [i for i, comparison in enumerate(found) if not math.isnan(comparison.p)]
    differing: set[int] = set()
    for place, i in enumerate(sorted(known, key=lambda i: found[i].p)):
        if found[i].p * (len(known) - place) > LEVEL:
            break
        differing.add(i)
    return tuple(replace(c, differs=i in differing) for i, c in enumerate(found))
