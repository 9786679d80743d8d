"""Stage 2 for examples of several classes: pair weights, exact and approximate vectors."""

from __future__ import annotations

import sys
import time
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference.label_set_vectors import least_z, pairs_of, pairs_z
from widc_arff.errors import WidcError
from widc_arff.induction.vectors.classes import best_vector
from widc_arff.induction.vectors.label_sets import (
    approximate_vector,
    exact_vector,
    exact_vector_two_valued,
    majority_vectors,
    pair_weights,
    ranking_loss_bound,
    split_weights,
)


def random_examples(seed, c=None, weights=None):
    rng = np.random.default_rng(seed)
    c = c or int(rng.integers(2, 7))
    n = int(rng.integers(1, 40))
    Y = rng.random((n, c)) < rng.random(c) * 0.8
    counted = (Y.sum(axis=1) > 0) & (Y.sum(axis=1) < c)
    if not counted.any():
        Y[0] = np.arange(c) == 0
    return Y, rng.random(n) if weights is None else rng.choice(weights, n)


def reference_pairs(Y, weights):
    return pairs_of([np.flatnonzero(row).tolist() for row in Y], weights.tolist(), Y.shape[1])


def every(Y):
    return np.ones(Y.shape[1], bool)


@pytest.mark.parametrize("seed", range(200))
def test_exact_vectors_are_those_of_brute_force(seed):
    Y, weights = random_examples(seed)
    pairs = reference_pairs(Y, weights)
    exact = exact_vector(Y, weights, every(Y)).tolist()
    least = least_z(pairs, Y.shape[1])
    assert pairs_z(pairs, exact) == pytest.approx(least, rel=1e-9)
    # and the approximation is never better
    approximate = approximate_vector(Y, weights, every(Y)).tolist()
    assert pairs_z(pairs, approximate) >= least - 1e-12


@pytest.mark.parametrize("seed", range(30))
def test_z_is_that_of_the_plain_loops(seed):
    Y, weights = random_examples(seed)
    vector = np.random.default_rng(seed).integers(-1, 2, Y.shape[1])
    z = pairs_z(reference_pairs(Y, weights), vector.tolist())
    assert ranking_loss_bound(Y, weights, vector) == pytest.approx(z, rel=1e-12)


def test_pair_weights_by_hand():
    # {0} of weight 6: three pairs of 2.  {0, 1} of weight 8: four pairs of 2.  No label and all
    # labels: no pairs.
    Y = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1]], bool)
    weights = np.array([6.0, 8.0, 100.0, 1000.0])
    assert pair_weights(Y, weights).tolist() == [
        [0, 2, 4, 4],
        [0, 0, 2, 2],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
    ]
    # the example of 8 is split into 4 and 4
    assert split_weights(Y, weights).tolist() == [10, 4, 0, 0]
    # (1, 0, -1, -1): 2 pairs weigh exp(-1/2), 8 weigh exp(-1), 4 weigh exp(-1/2), of 14.
    expected = (6 * np.exp(-0.5) + 8 * np.exp(-1)) / 14
    z = ranking_loss_bound(Y, weights, np.array([1, 0, -1, -1]))
    assert z == pytest.approx(expected, rel=1e-12)
    assert ranking_loss_bound(Y, weights, np.zeros(4, int)) == pytest.approx(1.0)
    assert exact_vector(Y, weights, every(Y)).tolist() == [1, 1, -1, -1]


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9)), min_size=1).filter(
        lambda rows: any(weight for _, weight in rows)
    )
)
def test_with_one_label_an_example_all_vectors_are_the_papers(rows):
    labels = np.array([label for label, _ in rows])
    Y = labels[:, None] == np.arange(5)
    weights = np.array([weight for _, weight in rows], float)
    expected = best_vector(weights @ Y, every(Y))
    assert approximate_vector(Y, weights, every(Y)).tolist() == expected.tolist()
    assert exact_vector(Y, weights, every(Y)).tolist() == expected.tolist()


def test_labels_without_training_weight_get_the_lowest_vote_and_do_not_count():
    # With label 1 out, {0, 2} has all labels and does not count: {0} alone decides.
    Y = np.array([[1, 0, 1], [1, 0, 0]], bool)
    present = np.array([True, False, True])
    for vector in (exact_vector, approximate_vector):
        assert vector(Y, np.array([50.0, 1.0]), present).tolist() == [1, -1, -1]


def test_without_rows_that_count_all_votes_are_zero():
    Y = np.array([[1, 1], [0, 0]], bool)
    for vector in (exact_vector, approximate_vector):
        assert vector(Y, np.ones(2), every(Y)).tolist() == [0, 0]
        assert vector(Y[:0], np.ones(0), every(Y)).tolist() == [0, 0]
    assert ranking_loss_bound(Y, np.ones(2), np.array([1, -1])) == 0


def test_the_exact_vector_sees_what_the_split_does_not():
    # {0} and {1} of weight 1, {2, 3, 4} of weight 3: split, all labels weigh 1, and no label votes.
    # Pairs: 3 (of 5) rank {2, 3, 4} above {0, 1}, 1.5 the other way round, 0.5 within {0, 1}.  With
    # the votes of {0, 1} one lower Z is (3 exp(-1/2) + 1.5 exp(1/2) + 0.5) / 5 = 0.959.
    Y = np.array([[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 1, 1]], bool)
    weights = np.array([1.0, 1.0, 3.0])
    assert split_weights(Y, weights).tolist() == [1, 1, 1, 1, 1]
    assert approximate_vector(Y, weights, every(Y)).tolist() == [0, 0, 0, 0, 0]
    exact = exact_vector(Y, weights, every(Y))
    assert exact.tolist() == [-1, -1, 0, 0, 0]
    expected = (3 * np.exp(-0.5) + 1.5 * np.exp(0.5) + 0.5) / 5
    assert ranking_loss_bound(Y, weights, exact) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_weights_of_any_size_stay_in_int32(seed):
    # Without scaling, or with sums beyond 2^31, the flow would be nonsense.
    sizes = [1e12, 1e6, 1.0, 1e-3, 1e-9, 0.0]
    Y, weights = random_examples(seed, weights=sizes)
    weights[0] = 1e12
    if not pair_weights(Y, weights).any():
        return
    pairs = reference_pairs(Y, weights)
    exact = exact_vector(Y, weights, every(Y)).tolist()
    assert pairs_z(pairs, exact) <= least_z(pairs, Y.shape[1]) * (1 + 1e-6)


@pytest.mark.parametrize("factor", [1e-9, 1e12])
def test_weight_k_is_k_copies(factor):
    Y, _ = random_examples(4, c=6)
    counts = np.random.default_rng(4).integers(1, 5, len(Y))
    copies = np.repeat(Y, counts, axis=0)
    weighted = exact_vector(Y, counts * factor, every(Y))
    assert weighted.tolist() == exact_vector(copies, np.ones(len(copies)), every(Y)).tolist()


@pytest.mark.parametrize("seed", range(20))
def test_ties_depend_on_the_order_neither_of_rows_nor_of_labels(seed):
    # Few rows, few distinct weights: many vectors of equal Z.
    rng = np.random.default_rng(seed)
    n, c = int(rng.integers(1, 30)), int(rng.integers(4, 60))
    Y, weights = rng.random((n, c)) < 0.3, rng.choice([1.0, 2.0, 3.0, 0.1], n)
    rows, labels = rng.permutation(n), rng.permutation(c)
    vector = exact_vector(Y, weights, every(Y))
    again = exact_vector(Y[rows][:, labels], weights[rows] * 3.3, every(Y))
    assert again.tolist() == vector[labels].tolist()


@pytest.mark.parametrize("alpha", [-1.5, 0.2, 1.0, 3.0])
def test_two_valued_vectors_are_those_of_brute_force(alpha):
    for seed in range(15):
        Y, weights = random_examples(seed)
        pairs = reference_pairs(Y, weights)
        vector = exact_vector_two_valued(Y, weights, alpha).tolist()
        least = least_z(pairs, Y.shape[1], (-1, 1), alpha)
        assert pairs_z(pairs, vector, alpha) == pytest.approx(least, rel=1e-9)


def test_159_labels_take_a_moment_and_lose_nothing_to_the_approximation():
    rng = np.random.default_rng(1)
    Y = rng.random((2000, 159)) < rng.random(159) * 0.4
    weights = np.ones(2000)
    started = time.process_time()
    exact = exact_vector(Y, weights, every(Y))
    assert time.process_time() - started < 5  # some 0.1 s
    approximate = approximate_vector(Y, weights, every(Y))
    assert set(exact.tolist()) == {-1, 0, 1}
    assert ranking_loss_bound(Y, weights, exact) < ranking_loss_bound(Y, weights, approximate)


def test_without_scipy_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    Y = np.eye(3, dtype=bool)
    with pytest.raises(WidcError, match=r"need scipy: pip install .*--vectors approximate"):
        exact_vector(Y, np.ones(3), every(Y))
    assert approximate_vector(Y, np.ones(3), every(Y)).tolist() == [0, 0, 0]


@pytest.mark.parametrize("seed", range(40))
def test_majority_votes_make_the_fewest_wrong_labels_in_their_cover(seed):
    Y, weights = random_examples(seed, c=4)
    cover = np.random.default_rng(seed).random(len(Y)) < 0.5
    least = np.where(2 * (weights @ Y) > weights.sum(), 0, 1)
    (vector,) = majority_vectors(cover[None], Y, weights)

    def wrong(votes):
        return weights[cover] @ ((np.array(votes) >= least) != Y[cover]).sum(axis=1)

    every_vector = list(product((-1, 0, 1), repeat=4))
    fewest = min(map(wrong, every_vector))
    assert wrong(vector) == pytest.approx(fewest)
    votes = np.abs(vector).sum()
    assert all(
        votes <= np.abs(other).sum() for other in every_vector if wrong(other) < fewest + 1e-9
    )
