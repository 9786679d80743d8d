"""What each rule does on data whose rows have sets of labels; numbers of rows are weights."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.evaluation.rule_statistics import DataStatistics, OnData

if TYPE_CHECKING:
    from widc_arff.arrays import Floats
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
class LabelSetStatistics(DataStatistics):
    """What a committee for label sets does.

    Parameters
    ----------
    rules : tuple of LabelSetRuleStatistics
        In the order of the committee.
    labels : tuple of LabelStatistics
        In the order of the schema.
    """

    rules: tuple[LabelSetRuleStatistics, ...]
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
    on = OnData(committee, dataset)
    rules = tuple(_rule(on, k) for k in range(len(committee.rules)))
    return LabelSetStatistics(**on.told(), rules=rules, labels=_labels(on))


def _rule(on: OnData, k: int) -> LabelSetRuleStatistics:
    vector = np.array(on.committee.rules[k].votes)
    rows, without = on.without(k)
    weights, changed = on.weights[rows], (without != on.decided[rows]).any(axis=1)
    has = np.full(len(vector), np.nan)
    if on.has_labels and len(rows):
        has = weights @ on.Y[rows] / weights.sum()
    return LabelSetRuleStatistics(
        covered=float(weights.sum()),
        decisive=float(weights[changed].sum()),
        present=_mean(has[vector > 0]),
        absent=_mean(1.0 - has[vector < 0]),
    )


def _labels(on: OnData) -> tuple[LabelStatistics, ...]:
    weights, truth = on.weights, on.Y
    sums = [weights @ truth, weights @ on.decided, weights @ (truth & on.decided)]
    statistics = []
    for true, guessed, both in zip(*(s.tolist() for s in sums), strict=True):
        if not on.has_labels:
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
