"""Drift of rules, and paired tests on rows, against scipy and by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest, fisher_exact

from tests.label_set_cases import random_sets
from widc_arff import induce, read_dataset
from widc_arff.evaluation.drift import LEVEL, Share, drift, exact_test
from widc_arff.evaluation.paired_test import paired_test

SHARES = [(3, 10, 40, 50), (0, 5, 0, 9), (7, 7, 3, 11), (120, 900, 160, 950), (1, 1, 0, 1)]


@pytest.mark.parametrize(("a", "n", "b", "m"), SHARES)
def test_the_exact_test_is_fishers(a, n, b, m):
    expected = fisher_exact([[a, n - a], [b, m - b]])[1]
    assert exact_test(Share(a, n), Share(b, m)) == pytest.approx(expected, rel=1e-9)


def test_counts_beyond_all_memory_are_tested():
    assert exact_test(Share(5e11, 1e12), Share(6e11, 1e12)) < 1e-6
    assert exact_test(Share(5e11, 1e12), Share(50, 100)) == pytest.approx(1)


@pytest.mark.parametrize(("better", "worse"), [(4, 9), (0, 1), (30, 12), (5, 5)])
def test_errors_are_compared_by_mcnemars_exact_test(better, worse):
    losses = np.array([0.0] * better + [1.0] * worse + [1.0, 0.0, 0.0])
    others = np.array([1.0] * better + [0.0] * worse + [1.0, 0.0, 0.0])
    found = paired_test(losses, others, np.ones(len(losses)))
    assert (found.better, found.worse) == (better, worse)
    assert found.p == pytest.approx(binomtest(better, better + worse).pvalue)
    assert found.difference == pytest.approx((worse - better) / len(losses))


def test_costs_are_compared_by_the_sum_of_their_differences():
    losses, others = np.array([5.0, 0, 1, 0]), np.array([0.0, 1, 0, 0])
    found = paired_test(losses, others, np.ones(4))
    assert found.p == pytest.approx(0.3359, abs=1e-4)  # 5 over the root of 25 + 1 + 1: z 0.9623


def test_a_row_of_weight_two_is_two_rows_and_units_of_weight_do_not_matter():
    losses, others = np.array([0.0, 1, 0, 1, 0]), np.array([1.0, 0, 0, 0, 1])
    twice = np.repeat(losses, 2), np.repeat(others, 2)
    assert paired_test(losses, others, np.full(5, 2.0)) == paired_test(*twice, np.ones(10))
    once = paired_test(losses, others, np.ones(5))
    assert paired_test(losses, others, np.full(5, 0.25)).p == pytest.approx(once.p)


def test_models_that_lose_the_same_do_not_differ():
    losses = np.array([0.0, 1.0, 1.0])
    assert paired_test(losses, losses, np.ones(3)).p == 1
    assert paired_test(losses[:0], losses[:0], np.ones(0)).p == 1


def test_training_rows_have_not_drifted():
    for dataset in (read_dataset("arff_data/iris.arff"), random_sets(0)):
        committee = induce(dataset)
        found = drift(committee, dataset)
        assert found
        assert all(c.trained == c.found and c.p == pytest.approx(1) for c in found)


def test_a_rule_that_is_wrong_on_new_rows_is_told_and_no_other():
    flowers = read_dataset("arff_data/iris.arff")
    committee = induce(flowers)
    wide = np.asarray(flowers.columns[3], np.float64) > 1.75  # rule 1: virginica, 45 of 46
    Y = flowers.Y.copy()
    Y[wide] = [False, True, False]
    found = drift(committee, replace(flowers, Y=Y))
    of_first = next(c for c in found if c.rule == 0 and c.labels)
    assert (of_first.labels, of_first.trained, of_first.found) == (
        (2,),
        Share(45, 46),
        Share(0, 46),
    )
    assert of_first.differs
    assert [c.p for c in found if not c.labels] == [1, 1]
    assert not any(c.differs for c in found if not c.labels)


def test_a_rule_that_covers_more_is_told():
    flowers = read_dataset("arff_data/iris.arff")
    committee = induce(flowers)
    chosen = flowers.take(np.flatnonzero(np.asarray(flowers.columns[3], np.float64) > 1.75))
    assert [c.differs for c in drift(committee, chosen) if not c.labels] == [True, True]


def test_weights_are_copies_and_their_unit_does_not_matter():
    flowers = read_dataset("arff_data/iris.arff")
    some = flowers.take(np.arange(40, 120))
    twice = some.take(np.repeat(np.arange(80), 2))
    committee = induce(flowers)
    heavy = replace(some, weights=np.full(80, 2.0))
    assert drift(committee, heavy) == drift(committee, twice)
    light = replace(some, weights=np.full(80, 0.3))
    of_light = induce(replace(flowers, weights=np.full(150, 0.7)))
    for one, other in zip(drift(of_light, light), drift(committee, some), strict=True):
        assert one.p == pytest.approx(other.p)


def test_weighted_label_sets_know_the_weight_of_training():
    sets = random_sets(1)
    heavy = replace(sets, weights=np.full(sets.n_samples, 3.0))
    assert all(c.p == pytest.approx(1) for c in drift(induce(heavy), heavy))


def test_chance_alone_seldom_alarms():
    """Holm: over all rules of a committee, one alarm or more in at most 5 % of samples."""
    waves = read_dataset("arff_data/waveform.arff")
    committee, n = induce(waves), waves.n_samples
    rng = np.random.default_rng(7)
    samples = (waves.take(rng.choice(n, n // 2, replace=True)) for _ in range(60))
    alarms = sum(any(c.differs for c in drift(committee, rows)) for rows in samples)
    assert alarms <= 60 * LEVEL
