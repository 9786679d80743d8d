"""The partition: Z by hand, and the expected decrease of a random split (I6)."""

from __future__ import annotations

import numpy as np
import pytest

from tests.reference.bridge import coded_by
from tests.reproduction.sample_data import xd6
from widc_arff.data.dataset import Dataset
from widc_arff.induction.counting.counters import counter_of
from widc_arff.induction.counting.partition import (
    BlockRows,
    Front,
    expected_random_decrease,
    open_front,
)
from widc_arff.induction.paper.growing import grow
from widc_arff.induction.sample.learning_sample import LearningSample


def rows_of(blocks, labels, weights=None) -> BlockRows:
    weights = None if weights is None else np.array(weights, float)
    return BlockRows((), np.array(blocks), np.array(labels), weights)


def z_of(front: Front, total: float) -> float:
    return front.z_per_root(total) * front.sum_of_roots


def test_z_of_a_pure_partition_is_zero():
    front = open_front(rows_of([0, 0, 1], [1, 1, 0]), 2)
    assert len(front.rows) == 0
    assert z_of(front, 3) == 0


def test_z_is_that_of_equation_1():
    # blocks (2, 1) and (1, 1) of five rows: 2 * 2 classes * (sqrt(2) + 1) / 5
    front = open_front(rows_of([0, 0, 0, 1, 1], [0, 0, 1, 0, 1]), 2)
    assert z_of(front, 5) == pytest.approx(4 * (2**0.5 + 1) / 5)
    # three classes of one row each: 2 * 3 * sqrt(1 * 2) / 3
    front = open_front(rows_of([0, 0, 0], [0, 1, 2]), 3)
    assert z_of(front, 3) == pytest.approx(2 * 2**0.5)


def test_impure_blocks_come_first_by_size():
    front = open_front(rows_of([0, 0, 1, 2, 2, 2], [0, 1, 1, 0, 1, 1]), 2)
    assert front.totals.tolist() == [3, 2]
    assert front.rows.block.tolist() == [0, 0, 0, 1, 1]


@pytest.mark.parametrize(("n", "positive"), [(400, 200), (400, 60), (100, 30)])
def test_the_expected_decrease_is_that_of_random_splits(n, positive):
    labels = np.arange(n) < positive
    front = open_front(rows_of(np.zeros(n, int), labels.astype(int)), 2)
    rng = np.random.default_rng(0)
    decreases = []
    for _ in range(4000):
        covered = rng.permutation(n) < n // 3
        p, t = labels[covered].sum(), covered.sum()
        q, u = positive - p, n - t
        split = np.sqrt(p * (t - p)) + np.sqrt(q * (u - q))
        decreases.append(np.sqrt(positive * (n - positive)) - split)
    assert expected_random_decrease(front, 1.0) == pytest.approx(np.mean(decreases), rel=0.1)


def test_growing_stops_among_many_blocks_when_a_rule_is_no_better_than_chance():
    dataset = Dataset.from_relation(xd6(512, 1))
    sample = coded_by(LearningSample.of(dataset), dataset.schema, [np.empty(0)] * 10)
    to_the_end = grow(counter_of(sample))
    stopped = grow(counter_of(sample), many_blocks=8)
    assert 3 <= len(stopped) < len(to_the_end)
    assert to_the_end[: len(stopped)] == stopped
