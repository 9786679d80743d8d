"""Votes to classes and probabilities, by hand (section 3, I9 to I11)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from widc_arff.model.decision import INVERSE_E, decide, default_vector, probabilities, tie_scores


def test_the_largest_sum_of_votes_wins_whatever_the_default():
    assert decide(np.array([[1, 2, 0]]), np.array([0.9, 0.0, 0.1])).tolist() == [1]


def test_a_tie_goes_to_the_largest_default():
    assert decide(np.array([[1, 1, 0]]), np.array([0.2, 0.3, 0.5])).tolist() == [1]


def test_equal_defaults_go_by_the_class_distribution_and_then_by_the_order():
    scores = tie_scores(np.array([0.5, 0.5]), np.array([0.4, 0.6]))
    assert decide(np.array([[0, 0]]), scores).tolist() == [1]
    scores = tie_scores(np.array([0.5, 0.5]), np.array([0.5, 0.5]))
    assert decide(np.array([[0, 0]]), scores).tolist() == [0]


def test_without_ambiguous_examples_the_default_is_the_class_distribution():
    prior = np.array([0.25, 0.75])
    assert default_vector(np.zeros(2), prior).tolist() == [0.25, 0.75]
    assert default_vector(np.array([3.0, 1.0]), prior).tolist() == [0.75, 0.25]


def test_each_vote_less_makes_a_class_less_probable_by_the_factor():
    shares = probabilities(np.array([[2, 0, -1]]), 0.5, np.ones(3), np.ones(3) / 3)[0]
    expected = np.array([1, 0.25, 0.125])
    np.testing.assert_allclose(shares, expected / expected.sum(), rtol=1e-15)


def test_rarer_classes_are_less_probable_where_they_have_fewer_votes():
    frequencies = np.array([0.1, 1.0, 0.5])
    shares = probabilities(np.array([[2, 0, -1]]), 0.5, frequencies, np.ones(3) / 3)[0]
    expected = np.array([1, 0.25, 0.0625])
    np.testing.assert_allclose(shares, expected / expected.sum(), rtol=1e-15)


def test_the_inverse_of_e_makes_probabilities_proportional_to_exp_of_the_votes():
    shares = probabilities(np.array([[2, 0, -1]]), INVERSE_E, np.ones(3), np.ones(3) / 3)[0]
    expected = np.exp([2, 0, -1])
    np.testing.assert_allclose(shares, expected / expected.sum(), rtol=1e-15)


def test_tied_classes_share_their_total_as_they_are_told():
    # two classes at the top (weight 1 each), one a vote below: 2 and e^-1 in all
    shares = probabilities(np.array([[1, 1, 0]]), INVERSE_E, np.ones(3), np.array([0.3, 0.1, 0.6]))[
        0
    ]
    whole = 2 + math.exp(-1)
    assert shares == pytest.approx([1.5 / whole, 0.5 / whole, math.exp(-1) / whole])


def test_tied_classes_without_any_share_share_equally():
    shares = probabilities(np.array([[0, 0, -1]]), 0.5, np.ones(3), np.array([0.0, 0.0, 1.0]))[0]
    assert shares[0] == shares[1] > shares[2]
    assert decide(np.array([[0, 0, -1]]), np.array([0.0, 0.0, 1.0])).tolist() == [0]
