"""Laws that hold whatever the data are."""

from __future__ import annotations

import itertools
import random
import warnings
from dataclasses import astuple, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import committee as reference
from tests.reference.bridge import dataset_of
from widc_arff.errors import WidcWarning
from widc_arff.induction import induce
from widc_arff.induction.calibrating import fitted_calibration
from widc_arff.model.decision import decide, probabilities
from widc_arff.options import Options

if TYPE_CHECKING:
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.rules import Rule

seeds = st.integers(0, 10**6)
prunings = st.sampled_from(["pessimistic", "optimistic", "none"])


def learn(dataset: Dataset, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)
        return induce(dataset, Options(**{"pruning": "pessimistic", **options}))


def problem_of(seed: int) -> reference.Problem:
    return reference.random_problem(random.Random(seed))


@given(seeds, prunings)
def test_the_order_of_the_examples_changes_nothing(seed, pruning):
    dataset = dataset_of(problem_of(seed))
    order = np.random.default_rng(seed).permutation(dataset.n_samples)
    assert learn(dataset.take(order), pruning=pruning) == learn(dataset, pruning=pruning)


@given(seeds, prunings)
def test_weight_k_is_k_copies(seed, pruning):
    dataset = dataset_of(problem_of(seed))
    copies = np.random.default_rng(seed).integers(0, 4, dataset.n_samples)
    copies[dataset.Y.any(axis=1).argmax()] = 1
    weighted = replace(dataset, weights=copies.astype(float))
    expanded = replace(dataset, weights=np.ones(dataset.n_samples)).take(
        np.repeat(np.arange(dataset.n_samples), copies)
    )
    one, other = learn(weighted, pruning=pruning), learn(expanded, pruning=pruning)
    assert one.rules == other.rules
    assert one.default == other.default
    assert one.training.error == other.training.error


@given(seeds)
def test_rules_after_pruning_are_a_subset_of_those_before(seed):
    dataset = dataset_of(problem_of(seed))

    def rules_of(pruning: str) -> list[Rule]:
        rules = learn(dataset, pruning=pruning).rules
        return [replace(rule, decides=None) for rule in rules]  # fewer decide more

    grown = rules_of("none")
    for pruning in ("pessimistic", "optimistic"):
        rules = rules_of(pruning)
        assert [rule for rule in grown if rule in rules] == rules


@given(seeds)
def test_pessimistic_pruning_never_raises_the_training_error(seed):
    dataset = dataset_of(problem_of(seed))
    grown = learn(dataset, pruning="none").training.error
    assert learn(dataset).training.error <= grown + 1e-12


@given(seeds, prunings, st.integers(0, 3), st.integers(1, 2), st.integers(0, 6))
def test_limits_are_hard(seed, pruning, max_rules, max_literals, max_size):
    committee = learn(
        dataset_of(problem_of(seed)),
        pruning=pruning,
        max_rules=max_rules,
        max_literals=max_literals,
        max_size=max_size,
    )
    assert len(committee.rules) <= max_rules
    assert all(len(rule.monomial) <= max_literals for rule in committee.rules)
    assert committee.n_literals <= max_size


@given(seeds)
def test_renaming_classes_renames_the_decisions(seed):
    problem = problem_of(seed)
    dataset = dataset_of(problem)
    labels = replace(dataset.schema.labels, values=tuple("zyxwvu"[: problem.n_classes]))
    renamed = replace(dataset, schema=replace(dataset.schema, labels=labels))
    assert learn(renamed).rules == learn(dataset).rules


@given(seeds)
def test_a_loaded_model_is_the_same_committee(seed):
    committee = learn(dataset_of(problem_of(seed)))
    assert type(committee).from_json(committee.to_json()) == committee


@given(
    st.lists(st.lists(st.integers(-4, 4), min_size=3, max_size=3), min_size=1, max_size=20),
    st.lists(st.integers(0, 5), min_size=3, max_size=3),
    st.floats(0.001, 0.999),
    st.lists(st.floats(0, 1), min_size=3, max_size=3),
)
def test_the_decision_has_the_largest_probability(votes, scores, factor, frequencies):
    votes, scores = np.array(votes), np.array(scores) / 5
    shares = probabilities(votes, factor, np.array(frequencies), scores)
    assert (shares.argmax(axis=1) == decide(votes, scores)).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert (shares >= 0).all()


@given(
    st.lists(st.lists(st.integers(-2, 2), min_size=4, max_size=4), min_size=1, max_size=20),
    st.lists(st.lists(st.integers(0, 2), min_size=4, max_size=4), min_size=20, max_size=20),
    st.lists(st.integers(0, 2), min_size=4, max_size=4),
    st.sampled_from([0.0, 5.0, 500.0]),
)
def test_fitted_probabilities_are_largest_for_the_decision(votes, weights, scores, price):
    votes, scores = np.array(votes), np.array(scores) / 2
    weights = np.array(weights[: len(votes)], float)
    weights[0, 0] += 1
    factor, frequencies, shares = astuple(fitted_calibration(votes, weights, 0.75, scores, price))
    chances = probabilities(votes, factor, np.array(frequencies), np.array(shares))
    assert (chances.argmax(axis=1) == decide(votes, scores)).all()
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    # also where any of the classes tie
    every = np.array(list(itertools.product((0, 1), repeat=4)))
    chances = probabilities(every, factor, np.array(frequencies), np.array(shares))
    assert (chances.argmax(axis=1) == decide(every, scores)).all()


@given(seeds, st.sampled_from(["refined", "pessimistic", "optimistic", "none"]))
def test_committees_decide_for_the_class_of_largest_probability(seed, pruning):
    dataset = dataset_of(problem_of(seed))
    committee = learn(dataset, pruning=pruning)
    chances = committee.predict_proba(dataset)
    assert (chances.argmax(axis=1) == committee.predict_codes(dataset)).all()
    np.testing.assert_allclose(chances.sum(axis=1), 1)


@pytest.mark.parametrize("scale", [1e-9, 0.1, 1 / 3, 1e6 / 3])
def test_the_unit_of_fractional_weights_does_not_matter(scale):
    dataset = dataset_of(problem_of(11))
    halves = replace(dataset, weights=np.arange(1, dataset.n_samples + 1) / 2)
    scaled = replace(dataset, weights=halves.weights * scale)
    monomials = [rule.monomial for rule in learn(halves).rules]
    assert [rule.monomial for rule in learn(scaled).rules] == monomials
