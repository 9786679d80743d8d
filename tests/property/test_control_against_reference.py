"""Hard constraints on rules: committees within them are those of the plain loops."""

from __future__ import annotations

import random
import warnings

import pytest

from tests.reference import committee as reference
from tests.reference.bridge import dataset_of, rules_as_data
from widc_arff.errors import WidcWarning
from widc_arff.induction import induce
from widc_arff.options import Options


def learn(dataset, pruning="refined", **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)
        return induce(dataset, Options(pruning, **options))


def rules_of(expected):
    return [([tuple(x) for x in rule.monomial], tuple(rule.votes)) for rule in expected.rules]


@pytest.mark.parametrize("pruning", ["none", "pessimistic", "optimistic", "refined"])
@pytest.mark.parametrize("block", range(4))
def test_rules_of_a_least_coverage_and_without_negation_are_those_of_the_reference(pruning, block):
    for seed in range(block * 8, block * 8 + 8):
        rng = random.Random(seed)
        problem = reference.random_problem(rng)
        percent, negation = rng.choice([1, 5, 15, 30]), rng.choice([True, False])
        settings = {"pruning": pruning, "penalty": 0.5, "negation": negation}
        expected = reference.induce(problem, **settings, min_coverage=percent / 100)
        dataset = dataset_of(problem)
        committee = learn(dataset, **settings, min_coverage=f"{percent}%")
        assert rules_as_data(committee) == rules_of(expected), seed
        least = percent / 100 * sum(committee.training.weights) * (1 - 1e-9)
        assert all(rule.covered >= least for rule in committee.rules)
        operators = {literal.operator for rule in committee.rules for literal in rule.monomial}
        assert negation or "!=" not in operators


@pytest.mark.parametrize("seed", range(10))
def test_a_least_weight_is_the_same_as_its_share(seed):
    dataset = dataset_of(reference.random_problem(random.Random(seed)))
    whole = learn(dataset)
    share = learn(dataset, min_coverage="10%")
    weight = learn(dataset, min_coverage=0.1 * sum(whole.training.weights))
    assert weight.rules == share.rules
