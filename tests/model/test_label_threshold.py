from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from widc_arff.errors import DataError
from widc_arff.model.label_threshold import (
    calibrated_threshold,
    expected_f1_threshold,
    label_sets,
    threshold_of,
)

ONES = np.ones(2)


def labels(*rows: str):
    return np.array([[cell == "1" for cell in row] for row in rows])


@st.composite
def cases(draw):
    n_samples, n_labels = draw(st.integers(1, 5)), draw(st.integers(1, 4))

    def table(values):
        rows = st.lists(values, min_size=n_labels, max_size=n_labels)
        return np.array(draw(st.lists(rows, min_size=n_samples, max_size=n_samples)))

    weights = st.lists(st.integers(1, 3), min_size=n_samples, max_size=n_samples)
    return (
        table(st.integers(-3, 3)).astype(float),
        table(st.booleans()),
        np.array(draw(weights), float),
    )


def test_the_threshold_stands_between_scores_where_as_many_labels_pass_as_there_are():
    scores = np.array([[3.0, 1.0, -1.0], [2.0, 0.0, -2.0]])
    # Three labels in two rows: the three highest scores are 3, 2 and 1; the next one is 0.
    threshold = calibrated_threshold(scores, labels("110", "100"), ONES)
    assert threshold == 0.5
    assert label_sets(scores, threshold).tolist() == labels("110", "100").tolist()


def test_a_score_at_the_threshold_passes():
    assert label_sets(np.array([[0.5, 0.4]]), 0.5).tolist() == [[True, False]]


def test_of_two_thresholds_equally_near_the_higher_is_taken():
    # Two labels are due; with the three equal scores 1 or 3 pass.
    scores = np.array([[2.0, 1.0], [1.0, 0.0]])
    assert calibrated_threshold(scores, labels("11", "00"), ONES) == 1.5


def test_beyond_all_scores_it_is_half_a_vote():
    scores = np.array([[2.0, -1.0], [0.0, 1.0]])
    assert calibrated_threshold(scores, labels("00", "00"), ONES) == 2.5
    assert calibrated_threshold(scores, labels("11", "11"), ONES) == -1.5


def test_neighbouring_floats_are_still_kept_apart():
    scores = np.array([[1.0, np.nextafter(1.0, 2.0)]])
    threshold = calibrated_threshold(scores, labels("01"), np.ones(1))
    assert label_sets(scores, threshold).tolist() == [[False, True]]


def test_rows_of_weight_zero_do_not_count_even_as_neighbours():
    scores = np.array([[2.0, 0.0], [1.5, 1.0]])
    assert calibrated_threshold(scores, labels("10", "11"), np.array([1.0, 0.0])) == 1.0


def test_without_weight_there_is_nothing_to_calibrate_on():
    with pytest.raises(DataError, match="expected rows with a positive weight"):
        calibrated_threshold(np.zeros((1, 2)), labels("10"), np.zeros(1))


@given(cases())
def test_no_threshold_comes_nearer_to_the_cardinality(case):
    scores, Y, weights = case

    def distance(threshold):
        return abs(weights @ (scores >= threshold).sum(axis=1) - weights @ Y.sum(axis=1))

    found = calibrated_threshold(scores, Y, weights)
    nearest = min(distance(threshold) for threshold in [*scores.ravel(), 4.0])
    assert distance(found) == nearest
    higher = [t for t in [*scores.ravel(), 4.0] if (scores >= t).sum() < (scores >= found).sum()]
    assert all(distance(threshold) > nearest for threshold in higher)


@given(cases())
def test_weight_k_is_k_copies_in_any_order(case):
    scores, Y, weights = case
    copies = np.repeat(np.arange(len(weights)), weights.astype(int))[::-1]
    assert calibrated_threshold(scores, Y, weights) == calibrated_threshold(
        scores[copies], Y[copies], np.ones(len(copies))
    )


@given(cases())
def test_no_threshold_gives_a_larger_f1_if_scores_are_right(case):
    scores, _, weights = case
    chances = 1 / (1 + np.exp(-scores))

    def f1(threshold):
        predicted = weights @ (chances * (scores >= threshold))
        return 2 * predicted.sum() / (weights @ ((scores >= threshold) + chances)).sum()

    best = f1(expected_f1_threshold(scores, weights))
    assert best >= max(f1(threshold) for threshold in np.unique(scores)) - 1e-9


def test_what_is_aimed_at_says_from_which_score_on_labels_are_predicted():
    scores, Y = np.array([[1.0, -0.5], [-0.25, -2.0]]), labels("11", "10")
    assert threshold_of("hamming", scores, Y, ONES) == 0
    assert threshold_of("cardinality", scores, Y, ONES) == -1.25  # three labels, as there are
    # probabilities .73, .44, .38, .12: F1 of the first one .55, of two .64, of three .66
    chances = 1 / (1 + np.exp(-scores.ravel()))
    f1 = 2 * np.sort(chances)[1:].sum() / (3 + chances.sum())
    assert threshold_of("f1", scores, Y, ONES) == pytest.approx(np.log(f1 / (2 - f1)))
