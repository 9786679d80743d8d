"""The engine and the plain loops learn the same committees from hundreds of random data sets."""

from __future__ import annotations

import random
import warnings
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.reference import committee as reference
from tests.reference.bridge import dataset_of, rules_as_data
from tests.reference.deciding import (
    STEPS,
    Rule,
    frequencies,
    losses_of_factors,
    price,
    state,
    tie_shares,
)
from tests.reference.literals import Literal
from widc_arff.errors import WidcWarning
from widc_arff.induction import induce
from widc_arff.options import Options

if TYPE_CHECKING:
    from widc_arff.data.dataset import Dataset

METHODS = ("mdl+", "mdl+", "mdl", "all", "quantile:4", "width:5")


def learn(dataset: Dataset, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)
        return induce(dataset, Options(**{"pruning": "pessimistic", **options}))


@pytest.mark.parametrize("pruning", ["none", "pessimistic", "optimistic"])
@pytest.mark.parametrize("block", range(10))
def test_committees_are_those_of_the_reference(pruning, block):
    for seed in range(block * 20, block * 20 + 20):
        rng = random.Random(seed)
        problem = reference.random_problem(rng)
        method = rng.choice(METHODS)
        expected = reference.induce(problem, pruning=pruning, method=method)
        committee = learn(dataset_of(problem), pruning=pruning, cut_points=method)
        rules = [([tuple(x) for x in rule.monomial], tuple(rule.votes)) for rule in expected.rules]
        assert rules_as_data(committee) == rules, (seed, method)
        assert committee.default == pytest.approx(expected.default, abs=1e-12)
        assert committee.training.error == pytest.approx(expected.error, abs=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_decisions_and_probabilities_are_those_of_the_reference(seed):
    problem = reference.random_problem(random.Random(seed))
    expected = reference.induce(problem)
    dataset = dataset_of(problem)
    committee = learn(dataset)
    assert committee.predict_codes(dataset).tolist() == [expected.predict(r) for r in problem.rows]
    probabilities = [expected.predict_proba(row) for row in problem.rows]
    np.testing.assert_allclose(committee.predict_proba(dataset), probabilities, atol=1e-12)


@pytest.mark.parametrize("pruning", ["none", "pessimistic"])
@pytest.mark.parametrize("seed", range(40))
def test_the_factor_has_the_least_loss_of_all_steps(pruning, seed):
    problem = reference.random_problem(random.Random(seed))
    dataset = dataset_of(problem)
    committee = learn(dataset, pruning=pruning, max_rules=None if seed % 5 else 0)
    rules = [Rule([Literal(*x) for x in m], v, []) for m, v in rules_as_data(committee)]
    sample = reference.counting_examples(problem)
    standings = state(committee.default, sample.prior)
    shares = tie_shares(sample, rules, standings)
    assert committee.calibration.shares == pytest.approx(shares, rel=1e-12)
    of_classes = frequencies(sample)
    assert committee.calibration.frequencies == pytest.approx(of_classes, rel=1e-12)
    bits = price(sample, rules, Options().penalty)
    losses = losses_of_factors(sample, rules, standings, of_classes, shares, bits)
    step = round(committee.calibration.factor * STEPS)
    assert committee.calibration.factor == step / STEPS
    assert losses[step - 1] == pytest.approx(min(losses), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("seed", range(30))
def test_limits_while_growing_are_those_of_the_reference(seed):
    rng = random.Random(seed)
    problem = reference.random_problem(rng)
    most, longest = rng.randint(1, 4), rng.randint(1, 3)
    expected = reference.induce(problem, pruning="none", max_literals=longest, max_rules=most)
    limits = {"max_literals": longest, "max_rules": most}
    committee = learn(dataset_of(problem), pruning="none", **limits)
    assert [x[0] for x in rules_as_data(committee)] == [
        [tuple(x) for x in rule.monomial] for rule in expected.rules
    ]
