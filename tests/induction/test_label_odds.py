"""Probabilities of labels: their odds by their votes, and the sets that they decide."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import numpy as np
import pytest

from tests.label_set_cases import days, random_sets
from tests.reference.label_odds import odds
from widc_arff import DecisionCommittee, Options, induce
from widc_arff.induction.calibrating import (
    MORE_OF_LITERAL,
    ODDS_GRID,
    PRIOR_EXAMPLES,
    examples_said_nothing,
    label_odds_of,
)
from widc_arff.model.label_threshold import LabelScores

SEEDS = range(8)


@pytest.mark.parametrize("seed", SEEDS)
def test_odds_are_those_of_plain_loops(seed):
    rng = random.Random(f"odds {seed}")
    n_rows, n_labels = rng.randint(2, 12), 3
    votes = [[rng.randint(-2, 2) for _ in range(n_labels)] for _ in range(n_rows)]
    held = [[rng.random() < 0.3 + 0.1 * vote for vote in row] for row in votes]
    for row in votes:
        row[0] = 1  # a label of which all votes are the same
    weights = [float(rng.randint(1, 4)) for _ in range(n_rows)]
    n_more = [rng.uniform(2, 20) for _ in range(n_labels)]
    found = label_odds_of(np.array(votes), np.array(held), np.array(weights), 1.0, np.array(n_more))
    for j in range(n_labels):
        expected = odds([row[j] for row in votes], [row[j] for row in held], weights, n_more[j])
        assert (found.slopes[j], found.intercepts[j]) == pytest.approx(
            expected, abs=0.6 / ODDS_GRID
        )


def test_a_label_whose_votes_are_wrong_has_its_frequency_for_all():
    votes = np.array([[1]] * 4 + [[-1]] * 4)
    found = label_odds_of(votes, votes < 0, np.ones(8), 1.0, np.ones(1))
    assert (found.slopes, found.intercepts) == ((0.0,), (0.0,))


def test_the_more_literals_name_a_label_the_more_rows_that_say_nothing_are_added():
    more = examples_said_nothing([2, 3], np.array([[1, 0, -1], [1, 0, 0]]))
    of_literals = [2 / 2 + 3, 0, 2 / 2]
    assert more.tolist() == [PRIOR_EXAMPLES + MORE_OF_LITERAL * n for n in of_literals]


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_twice_are_rows_of_twice_the_weight_and_their_order_plays_no_part(seed):
    dataset = random_sets(seed)
    twice = dataset.take(np.tile(np.arange(dataset.n_samples), 2))
    heavy = replace(dataset, weights=2 * dataset.weights)
    order = np.random.default_rng(seed).permutation(dataset.n_samples)
    assert induce(twice).odds == induce(heavy).odds
    assert induce(dataset.take(order)).odds == induce(dataset).odds


@pytest.mark.parametrize("seed", SEEDS)
def test_more_votes_never_make_a_label_less_probable_and_sets_are_those_of_one_half(seed):
    dataset = random_sets(seed)
    committee = induce(dataset)
    votes, chances = committee.votes(dataset), committee.predict_proba(dataset)
    for of_label, chance in zip(votes.T, chances.T, strict=True):
        assert (np.diff(chance[np.argsort(of_label, kind="stable")]) >= 0).all()
    assert (committee.predict_sets(dataset) == (chances >= 0.5)).all()
    assert (committee.ranking_scores(dataset) >= 0).tolist() == (chances >= 0.5).tolist()


@pytest.mark.parametrize("seed", SEEDS)
def test_in_training_probabilities_lose_less_than_frequencies(seed):
    dataset = random_sets(seed, n_samples=200)
    committee = induce(dataset)

    def loss(chances):
        bits = -np.log(np.where(dataset.Y, chances, 1 - chances))
        return dataset.weights @ bits.sum(axis=1)

    shares = np.average(dataset.Y, axis=0, weights=dataset.weights)
    frequencies = np.broadcast_to(shares, dataset.Y.shape)
    assert committee.rules
    assert loss(committee.predict_proba(dataset)) < loss(frequencies)


def test_the_votes_a_label_needs_are_the_fewest_that_score_enough():
    scores = LabelScores(np.array([1.0, 0.5, 0.0, 0.0]), np.array([-1.0, 3.0, 1.0, -1.0]), 0.0, 0.0)
    needed = scores.least_votes()
    assert needed[:2] == [1, -6]
    assert needed[2] < -1000
    assert needed[3] > 1000
    least = LabelScores(np.array([5e-324, 1e9]), np.array([0.0, -1e9]), 0.0, 1.0).least_votes()
    assert least[0] > 1000
    assert least[1] == 2


def test_a_model_that_knows_no_odds_scores_votes_and_ties():
    committee = induce(days().take(np.arange(8)))
    data = json.loads(committee.to_json())
    del data["probabilities"]
    data["threshold"] = 0.75
    old = DecisionCommittee.from_json(json.dumps(data))
    rows = days().take(np.arange(8))
    scores = old.votes(rows) + old.tie_scores / 2
    assert old.odds is None
    assert old.ranking_scores(rows).tolist() == scores.tolist()
    assert old.predict_sets(rows).tolist() == (scores >= 0.75).tolist()
    assert old.predict_proba(rows) == pytest.approx(1 / (1 + np.exp(0.75 - scores)))
    assert DecisionCommittee.from_json(old.to_json()) == old


def test_without_a_rule_labels_are_as_probable_as_they_are_frequent():
    dataset = random_sets(1, n_samples=400)
    committee = induce(dataset, Options(max_rules=0))
    shares = np.average(dataset.Y, axis=0, weights=dataset.weights)
    assert committee.predict_proba(dataset)[0] == pytest.approx(shares, abs=0.01)
