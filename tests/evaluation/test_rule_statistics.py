"""What rules do on data: numbers counted by hand, and decisions counted anew without each rule."""

from __future__ import annotations

import io
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.report_cases import COMMITTEE, DATA
from widc_arff import Dataset, Options, induce, read_arff
from widc_arff.evaluation.curves import calibration_bins, calibration_error, roc_points
from widc_arff.evaluation.measures import roc_area
from widc_arff.evaluation.rule_statistics import (
    RuleStatistics,
    WrongRow,
    committee_statistics,
    favoured,
    precision,
)

ROOT = Path(__file__).parents[2]


def dataset(text: str = DATA) -> Dataset:
    return Dataset.for_schema(read_arff(io.StringIO(text)), COMMITTEE.schema)


def test_each_rule_is_counted():
    first, second, third = committee_statistics(COMMITTEE, dataset()).rules
    # rows 1 and 2; yes and no; without it row 2 is a tie, rightly no
    assert first == RuleStatistics(2.0, 1.0, 0.5, 1.0, 1.0, 0.0, 1.0)
    # rows 2, 3 (weight 2) and 5, all no; without it row 3 would be yes
    assert second == RuleStatistics(4.0, 2.0, 1.0, 1.0, 0.0, 2.0, 0.0)
    # rows 1, 2 and 3, a quarter of their weight yes; without it row 2 is a tie
    assert third == RuleStatistics(4.0, 1.0, 0.25, 1.0, 1.0, 0.0, 1.0)


def test_rows_are_counted_by_weight_and_those_left_out_are_told():
    statistics = committee_statistics(COMMITTEE, dataset())
    assert statistics.counted.tolist() == [0, 1, 2, 3, 4]
    assert (statistics.unlabelled, statistics.weightless) == (1, 1)
    assert statistics.class_weights == (4.0, 2.0)
    assert (statistics.weight, statistics.silent, statistics.tied) == (6.0, 1.0, 3.0)
    assert statistics.overlap.tolist() == [[2.0, 1.0, 2.0], [1.0, 4.0, 3.0], [2.0, 3.0, 4.0]]


def test_errors_name_the_rules_that_voted_for_the_wrong_class():
    statistics = committee_statistics(COMMITTEE, dataset())
    assert statistics.errors == (
        WrongRow(1, 1.0, actual=0, predicted=1, margin=2, fired=(0, 1, 2), to_blame=(0, 2)),
        WrongRow(3, 1.0, actual=1, predicted=0, margin=0, fired=(), to_blame=()),
    )
    assert statistics.wrong == 2.0


def test_the_least_reliable_rule_has_the_lowest_precision():
    statistics = committee_statistics(COMMITTEE, dataset())
    assert statistics.least_reliable == 2
    equal = replace(
        statistics, rules=(statistics.rules[0], replace(statistics.rules[1], precision=0.5))
    )
    assert equal.least_reliable == 1  # it covers more
    assert replace(statistics, rules=()).least_reliable is None


def test_without_classes_only_coverage_and_decisions_are_counted():
    text = DATA.replace("@attribute class {no, yes}\n", "")
    text = text.replace(", yes", "").replace(", no", "").replace(", ?", "")
    statistics = committee_statistics(COMMITTEE, dataset(text))
    assert statistics.counted.tolist() == [0, 1, 2, 3, 4, 5]
    assert (statistics.has_labels, statistics.unlabelled, statistics.errors) == (False, 0, ())
    second = statistics.rules[1]
    assert (second.covered, second.decisive) == (4.0, 2.0)
    rest = (second.precision, second.mistakes, second.to_blame, second.saved)
    assert all(math.isnan(value) for value in rest)


@pytest.mark.parametrize("name", ["iris", "xd6"])
def test_decisive_rows_are_those_that_change_without_the_rule(name):
    data = Dataset.from_relation(read_arff(ROOT / "arff_data" / f"{name}.arff"))
    committee = induce(data, Options(pruning="none"))
    decided, actual = committee.predict_codes(data), data.classes
    for k, rule in enumerate(committee_statistics(committee, data).rules):
        others = committee.rules[:k] + committee.rules[k + 1 :]
        without = replace(committee, rules=others).predict_codes(data)
        assert rule.decisive == (without != decided).sum()
        assert rule.saved == ((without != decided) & (decided == actual)).sum()
        assert rule.spoiled == ((without == actual) & (decided != actual)).sum()
        fires = committee.fires(data)[:, k]
        assert rule.mistakes == (fires & (decided != actual)).sum()


@pytest.mark.parametrize(
    ("votes", "classes"),
    [((1, -1), (0,)), ((0, -1, 0), (0, 2)), ((1, 1, 1), ()), ((0, 0), ()), ((-1, 0, -1), (1,))],
)
def test_a_rule_favours_the_classes_with_its_largest_vote(votes, classes):
    assert favoured(votes) == classes


def test_precision_by_hand():
    # 3 + 4 of 10 covered are in favoured classes
    assert precision((1, 1, 0), (3.0, 4.0, 3.0)) == 0.7
    assert math.isnan(precision((1, -1), (0.0, 0.0)))
    assert math.isnan(precision((0, 0), (1.0, 0.0)))
    assert precision((1, -1), (0.0, 2.0)) == 0.0


def test_calibration_bins_by_hand():
    probabilities = np.array([0.5, 0.55, 0.6, 1.0, 0.95])
    right = np.array([True, False, True, True, False])
    bins = calibration_bins(probabilities, right, np.array([1.0, 3.0, 1.0, 1.0, 1.0]))
    assert [(b.low, b.high, b.weight) for b in bins] == [
        (0.5, 0.6, 4.0),
        (0.6, 0.7, 1.0),
        (0.9, 1.0, 2.0),
    ]
    assert [b.predicted for b in bins] == pytest.approx([2.15 / 4, 0.6, 0.975])
    assert [b.observed for b in bins] == [0.25, 1.0, 0.5]
    # distances 0.2875 (weight 4), 0.4 (1) and 0.475 (2): 1.15 + 0.4 + 0.95 of 7
    assert calibration_error(bins) == pytest.approx(2.5 / 7)
    assert math.isnan(calibration_error(()))


def test_roc_points_by_hand_and_by_area():
    scores = np.array([0.9, 0.8, 0.8, 0.3])
    positive = np.array([True, False, True, False])
    points = roc_points(scores, positive, np.ones(4))
    assert points.tolist() == [[0.0, 0.0], [0.0, 0.5], [0.5, 1.0], [1.0, 1.0]]
    rng = np.random.default_rng(1)
    scores, weights = rng.integers(0, 9, 200) / 8, rng.integers(1, 4, 200).astype(float)
    positive = rng.random(200) < scores
    points = roc_points(scores, positive, weights)
    (x, y) = points.T
    area = float(np.diff(x) @ (y[1:] + y[:-1]) / 2)
    assert area == pytest.approx(roc_area(scores, positive, weights))
