"""Refined pruning and its plain twin find the same committees in hundreds of random data sets."""

from __future__ import annotations

import random
import warnings

import numpy as np
import pytest

from tests.reference import committee as reference
from tests.reference.bridge import dataset_of, rules_as_data
from widc_arff.dataset import Dataset
from widc_arff.errors import WidcWarning
from widc_arff.induction import induce
from widc_arff.options import Options


def learn(dataset: Dataset, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)
        return induce(dataset, Options(pruning="refined", **options))


@pytest.mark.parametrize("block", range(12))
def test_refined_committees_are_those_of_the_reference(block):
    for seed in range(block * 10, block * 10 + 10):
        rng = random.Random(seed)
        problem = reference.random_problem(rng)
        method = rng.choice(["mdl+", "all", "quantile:4"])
        penalty, longest = rng.choice([0.5, 1.0, 3.0]), rng.choice([None, None, 2])
        expected = reference.induce(
            problem, pruning="refined", method=method, penalty=penalty, max_literals=longest
        )
        committee = learn(
            dataset_of(problem), cut_points=method, penalty=penalty, max_literals=longest
        )
        rules = [([tuple(x) for x in rule.monomial], tuple(rule.votes)) for rule in expected.rules]
        assert rules_as_data(committee) == rules, seed
        assert committee.training.error == pytest.approx(expected.error, abs=1e-12)


def shuffled(dataset: Dataset, order):
    columns = tuple(column[order] for column in dataset.columns)
    return Dataset(dataset.schema, columns, dataset.Y[order], dataset.weights[order])


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_the_rows_does_not_matter(seed):
    dataset = dataset_of(reference.random_problem(random.Random(seed)))
    order = np.random.default_rng(seed).permutation(dataset.n_samples)
    assert learn(shuffled(dataset, order)).rules == learn(dataset).rules


@pytest.mark.parametrize("seed", range(20))
def test_hard_limits_hold(seed):
    rng = random.Random(seed)
    dataset = dataset_of(reference.random_problem(rng))
    most, longest, size = rng.randint(0, 3), rng.randint(1, 3), rng.randint(0, 5)
    limits = {"max_rules": most, "max_literals": longest, "max_size": size}
    committee = learn(dataset, penalty=0.5, **limits)
    assert len(committee.rules) <= most
    assert committee.n_literals <= size
    assert all(len(rule.monomial) <= longest for rule in committee.rules)
