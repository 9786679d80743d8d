"""What each rule does on data whose rows have sets of labels.

Rows with missing labels are left out as soon as some row tells all of its own, rows of weight zero
always; all numbers of rows are sums of weights.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.evaluation.rule_statistics import rule_overlap
from widc_arff.model.decision import ranking_scores
from widc_arff.model.label_threshold import label_sets

if TYPE_CHECKING:
    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee


@dataclass(frozen=True, slots=True)
class LabelSetRuleStatistics:
    """What one rule does.

    Parameters
    ----------
    covered, decisive : float
        Weight of the rows on which it holds, and of those that would get other labels without it.
    present, absent : float
        Over those rows, part of the labels with vote 1 that the row has, and of those with vote -1
        that it has not, in [0, 1]; NaN without such votes, rows or true labels.
    """

    covered: float
    decisive: float
    present: float
    absent: float


@dataclass(frozen=True, slots=True)
class LabelStatistics:
    """How one label is predicted: weights of rows, and precision, recall and F1 or NaN."""

    true: float
    predicted: float
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True, eq=False)
class LabelSetStatistics:
    """What a committee and its rules do on a data set.

    Parameters
    ----------
    counted : ndarray of int, shape (n_counted,)
        Indices of the rows that everything below is about.
    unlabelled, weightless : int
        Number of rows left out for missing labels, and for weight zero.
    has_labels : bool
        Whether the counted rows tell their labels.
    weight : float
        Of the counted rows.
    rules : tuple of LabelSetRuleStatistics
        In the order of the committee.
    overlap : ndarray of float64, shape (n_rules, n_rules), read-only
        Weight of the rows on which both rules hold.
    labels : tuple of LabelStatistics
        In the order of the schema.
    """

    counted: Integers
    unlabelled: int
    weightless: int
    has_labels: bool
    weight: float
    rules: tuple[LabelSetRuleStatistics, ...]
    overlap: Floats
    labels: tuple[LabelStatistics, ...]


def label_set_statistics(committee: DecisionCommittee, dataset: Dataset) -> LabelSetStatistics:
    """Return what a committee for label sets and its rules do on a data set.

    Parameters
    ----------
    committee : DecisionCommittee
        One for label sets.
    dataset : Dataset
        In the schema of the committee; it may have no labels.
    """
    positive, labelled = dataset.weights > 0, dataset.labelled
    has_labels = bool((positive & labelled).any())
    counted = np.flatnonzero(positive & labelled if has_labels else positive)
    examples = dataset.take(counted)
    fires, predicted = committee.fires(examples), committee.predict_sets(examples)
    return LabelSetStatistics(
        counted=counted,
        unlabelled=int((positive & ~labelled).sum()) if has_labels else 0,
        weightless=int((~positive).sum()),
        has_labels=has_labels,
        weight=float(examples.weights.sum()),
        rules=_rules(committee, examples, (fires, predicted), has_labels),
        overlap=rule_overlap(fires, examples.weights),
        labels=_labels(predicted, examples, has_labels),
    )


def _rules(
    committee: DecisionCommittee,
    examples: Dataset,
    told: tuple[Bools, Bools],
    has_labels: bool,
) -> tuple[LabelSetRuleStatistics, ...]:
    """Return what each rule does; told are the rules that hold and the labels predicted."""
    (fires, predicted), votes = told, committee.votes(examples)
    assert committee.threshold is not None
    statistics = []
    for k, rule in enumerate(committee.rules):
        rows, vector = np.flatnonzero(fires[:, k]), np.array(rule.votes)
        weights, Y = examples.weights[rows], examples.Y[rows]
        without = ranking_scores(votes[rows] - vector, committee.tie_scores)
        changed = label_sets(without, committee.threshold) != predicted[rows]
        has = (
            weights @ Y / weights.sum()
            if has_labels and len(rows)
            else np.full(len(vector), np.nan)
        )
        statistics.append(
            LabelSetRuleStatistics(
                covered=float(weights.sum()),
                decisive=float(weights[changed.any(axis=1)].sum()),
                present=_mean(has[vector > 0]),
                absent=_mean(1.0 - has[vector < 0]),
            )
        )
    return tuple(statistics)


def _labels(predicted: Bools, examples: Dataset, has_labels: bool) -> tuple[LabelStatistics, ...]:
    weights, truth = examples.weights, examples.Y
    sums = [weights @ truth, weights @ predicted, weights @ (truth & predicted)]
    statistics = []
    for true, guessed, both in zip(*(s.tolist() for s in sums), strict=True):
        if not has_labels:
            statistics.append(LabelStatistics(math.nan, guessed, math.nan, math.nan, math.nan))
            continue
        statistics.append(
            LabelStatistics(
                true,
                guessed,
                precision=both / guessed if guessed else math.nan,
                recall=both / true if true else math.nan,
                f1=2 * both / (true + guessed) if true + guessed else math.nan,
            )
        )
    return tuple(statistics)


def _mean(shares: Floats) -> float:
    return float(shares.mean()) if len(shares) else math.nan
