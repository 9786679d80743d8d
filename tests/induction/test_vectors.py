"""Stage 2: Lemma 1 and Lemma 2 of the paper, and the interpretations I7 and I8."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference.vectors import best_vector as best_by_brute_force
from tests.reference.vectors import vector_z
from widc_arff.induction.vectors.classes import best_vector

E = math.e
class_weights = st.lists(st.integers(0, 50), min_size=2, max_size=5).filter(any)


def vector_of(*weights: float) -> list[int]:
    vector = best_vector(np.array(weights, float), np.ones(len(weights), bool))
    return [int(vote) for vote in vector]


@pytest.mark.parametrize(
    ("ratio", "vector"),
    [
        # Lemma 2, W+/W- = ratio; components are (negative, positive).  Among vectors of equal Z
        # I8 prefers few votes, then +1.
        (E**1.5 * 1.001, [-1, 1]),
        (E**1.5 * 0.999, [0, 1]),
        (E**0.5 * 1.001, [0, 1]),
        (E**0.5 * 0.999, [0, 0]),
        (1.0, [0, 0]),
        (E**-0.5 * 1.001, [0, 0]),
        (E**-0.5 * 0.999, [1, 0]),
        (E**-1.5 * 1.001, [1, 0]),
        (E**-1.5 * 0.999, [1, -1]),
    ],
)
def test_two_classes_follow_the_table_of_lemma_2(ratio, vector):
    assert vector_of(1.0, ratio) == vector


def test_a_pure_monomial_votes_for_its_class_and_against_the_others():
    assert vector_of(0, 7, 0) == [-1, 1, -1]


@given(class_weights)
def test_votes_are_ordered_by_class_weight_as_lemma_1_says(weights):
    vector = vector_of(*weights)
    for (w, v), (other_w, other_v) in itertools.permutations(zip(weights, vector, strict=True), 2):
        assert not (w < other_w and v > other_v)


@given(class_weights)
def test_no_vector_has_a_lower_z(weights):
    least = min(vector_z(weights, v) for v in itertools.product((-1, 0, 1), repeat=len(weights)))
    assert vector_z(weights, vector_of(*weights)) <= least + 1e-9


@given(st.lists(st.integers(0, 9), min_size=2, max_size=5).filter(any), st.data())
def test_vectors_and_their_ties_are_those_of_brute_force(weights, data):
    held = [weight > 0 for weight in weights]
    absent = data.draw(st.lists(st.booleans(), min_size=len(weights), max_size=len(weights)))
    present = [h or not a for h, a in zip(held, absent, strict=True)]
    vector = best_vector(np.array(weights, float), np.array(present))
    assert tuple(vector.tolist()) == tuple(best_by_brute_force(weights, present))


def test_a_class_without_training_examples_gets_the_lowest_vote():
    vector = best_vector(np.array([0.0, 5.0, 1.0]), np.array([False, True, True]))
    assert vector.tolist() == [-1, 1, -1]


def test_many_classes_are_searched_in_a_moment():
    weights = np.arange(300.0)
    vector = best_vector(weights, np.ones(300, bool))
    assert (np.diff(vector) >= 0).all()
