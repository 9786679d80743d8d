"""Votes that minimise a sum over pairs of labels: against every vector there is."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from tests.reference.label_set_vectors import least_z, pairs_z
from widc_arff.induction.vectors.pair_cut import (
    _LARGEST_CAPACITY,
    _descend,
    _Problem,
    minimise_pairs,
    minimise_pairs_two_valued,
)

E = math.e


def as_pairs(P):
    """The pairs of a matrix, over their sum."""
    off = P - np.diag(np.diag(P))
    return {(int(j), int(k)): float(off[j, k] / off.sum()) for j, k in np.argwhere(off > 0)}


def random_matrix(rng, c):
    """Pair weights of very different sizes, many of them zero, and anything on the diagonal."""
    P = rng.random((c, c)) * 10.0 ** rng.integers(-4, 5, (c, c))
    P *= rng.random((c, c)) < rng.uniform(0.3, 1)
    return P


@pytest.mark.parametrize("seed", range(60))
def test_the_cut_finds_the_least_z_of_any_pair_weights(seed):
    rng = np.random.default_rng(seed)
    c = int(rng.integers(2, 7))
    P = random_matrix(rng, c)
    vector = minimise_pairs(P).tolist()
    assert set(vector) <= {-1, 0, 1}
    assert pairs_z(as_pairs(P), vector) <= least_z(as_pairs(P), c) + 1e-9


def test_ten_labels_have_59049_vectors_and_none_is_better():
    every = np.array(list(itertools.product((-1, 0, 1), repeat=10)))
    factors = np.exp(-every / 2)
    rng = np.random.default_rng(0)
    for spread in (0.5, 1.0, 2.0, 3.0):
        P = np.exp(rng.normal(size=(10, 10)) * spread)
        np.fill_diagonal(P, 0)
        z = ((factors @ P) / factors).sum(axis=1) / P.sum()
        vector = minimise_pairs(P)
        chosen = np.exp(-vector / 2)
        assert (chosen @ P @ (1 / chosen)) / P.sum() <= z.min() + 1e-9


@pytest.mark.parametrize("alpha", [-30.0, -2.0, -0.3, 0.0, 1e-9, 0.01, 0.5, 1.0, 4.0, 12.0, 30.0])
def test_the_cut_finds_the_least_z_of_two_votes_for_any_alpha(alpha):
    rng = np.random.default_rng(7)
    for c in (2, 3, 4, 5, 6, 7):
        P = random_matrix(rng, c)
        vector = minimise_pairs_two_valued(P, alpha).tolist()
        assert set(vector) <= {-1, 1}
        least = least_z(as_pairs(P), c, (-1, 1), alpha)
        assert pairs_z(as_pairs(P), vector, alpha) <= least * (1 + 1e-9) + 1e-9


def test_an_infinite_alpha_forbids_pairs_out_of_order():
    # 0 above 1, 1 above 2, and 2 against 0: only {0, 1, 2} alike, as they form a ring.
    ring = np.array([[0.0, 5, 0], [0, 0, 5], [1, 0, 0]])
    assert minimise_pairs_two_valued(ring, math.inf).tolist() == [1, 1, 1]
    chain = np.array([[0.0, 5, 0], [0, 0, 4], [0, 0, 0]])
    assert minimise_pairs_two_valued(chain, math.inf).tolist() == [1, -1, -1]
    assert minimise_pairs_two_valued(chain, -math.inf).tolist() == [-1, 1, 1]


@pytest.mark.parametrize(
    ("first", "second", "vector"),
    [
        # Lemma 2 for the pair weights p = P[0, 1] and q = P[1, 0]: v_0 - v_1 is 2 above
        # p / q = e^(3/2), 1 above e^(1/2), and so on; I8 prefers few votes, then +1.
        (E**1.5 * 1.001, 1.0, [1, -1]),
        (E**1.5 * 0.999, 1.0, [1, 0]),
        (E**0.5 * 1.001, 1.0, [1, 0]),
        (E**0.5 * 0.999, 1.0, [0, 0]),
        (1.0, E**0.5 * 1.001, [0, 1]),
        (1.0, E**1.5 * 1.001, [-1, 1]),
        (0.0, 1.0, [-1, 1]),
    ],
)
def test_two_labels_follow_the_table_of_lemma_2(first, second, vector):
    assert minimise_pairs(np.array([[9.0, first], [second, 9.0]])).tolist() == vector


def test_no_pairs_no_votes():
    assert minimise_pairs(np.zeros((3, 3))).tolist() == [0, 0, 0]
    assert minimise_pairs(np.ones((1, 1))).tolist() == [0]
    assert minimise_pairs_two_valued(np.zeros((2, 2))).tolist() == [1, 1]


def test_labels_that_no_pair_joins_are_settled_apart():
    # 0 should rank above 1 by one vote: of (1, 0) and (0, -1) I8 takes (1, 0).  2 is in no pair;
    # 3, 4 and 5 are alike.
    P = np.zeros((6, 6))
    P[0, 1], P[1, 0] = E, 1.0
    P[3:, 3:] = 1.0
    assert minimise_pairs(P).tolist() == [1, 0, 0, 0, 0, 0]


def test_labels_that_are_alike_get_the_same_vote():
    # I8 decides every tie: were (1, 0) and (0, 1) of least Z, then (0, 0) would be too.
    rng = np.random.default_rng(3)
    for _ in range(60):
        P = rng.integers(0, 3, (4, 4)).astype(float)
        P[1], P[:, 1] = P[0], P[:, 0]  # labels 0 and 1 have the same pairs with 2 and 3
        P[0, 1] = P[1, 0] = 1
        vector = minimise_pairs(P)
        assert vector[0] == vector[1]


@pytest.mark.parametrize("seed", range(40))
def test_ties_go_to_the_one_vector_that_i8_names(seed):
    # Few values, many zeros: many vectors of equal Z.
    rng = np.random.default_rng(seed)
    c = int(rng.integers(2, 6))
    P = (rng.integers(0, 3, (c, c)) * (rng.random((c, c)) < 0.5)).astype(float)
    np.fill_diagonal(P, 0)
    if not P.any():
        P[0, 1] = 1
    every = list(itertools.product((-1, 0, 1), repeat=c))
    z = [pairs_z(as_pairs(P), vector) for vector in every]
    least = [v for v, value in zip(every, z, strict=True) if value <= min(z) + 1e-9]
    keys = [(c - v.count(0), -v.count(1)) for v in least]
    assert keys.count(min(keys)) == 1
    assert minimise_pairs(P).tolist() == list(least[keys.index(min(keys))])


def test_scaling_and_transposing_do_what_they_should():
    # Z of P.T and -v is Z of P and v.  No ties in random weights, so that the vectors match, up to
    # the shift that I8 chooses.
    rng = np.random.default_rng(11)
    for c in (3, 5, 8):
        P = rng.random((c, c))
        vector = minimise_pairs(P)
        assert (minimise_pairs(P * 2.0**70) == vector).all()
        assert (minimise_pairs(P * 2.0**-70) == vector).all()
        turned = minimise_pairs(P.T)
        assert len(set((turned + vector).tolist())) == 1


@pytest.mark.parametrize("seed", range(8))
def test_labels_can_be_declared_in_any_order_ties_or_not(seed):
    rng = np.random.default_rng(seed)
    c = int(rng.integers(5, 40))
    P = rng.random((c, c)) ** 3 if seed % 2 else rng.integers(0, 2, (c, c)).astype(float)
    order = rng.permutation(c)
    assert (minimise_pairs(P[np.ix_(order, order)]) == minimise_pairs(P)[order]).all()


def test_costs_of_misclassification_need_no_ordered_vector():
    # P[j, k] = W_j C[j, k].  Class 0 is the lightest, but to miss it for 1 costs 100: it ranks
    # above 1, which Lemma 1 would not allow.
    weights = np.array([1.0, 5.0, 2.0])
    costs = np.array([[0.0, 100, 1], [1, 0, 1], [1, 1, 0]])
    P = weights[:, None] * costs
    vector = minimise_pairs(P)
    assert vector[0] > vector[1]
    assert pairs_z(as_pairs(P), vector.tolist()) <= least_z(as_pairs(P), 3) + 1e-9


def test_what_a_change_of_two_votes_changes_is_the_difference_of_two_z():
    rng = np.random.default_rng(5)
    P = rng.random((4, 4))
    np.fill_diagonal(P, 0)
    problem = _Problem(P / P.sum(), np.exp(-np.array([-1, 0, 1]) / 2))
    levels = np.array([0, 2, 1, 1])
    changes = problem.changes(levels).reshape(4, 3, 4, 3)
    for j, a, k, b in itertools.product(range(4), range(3), range(4), range(3)):
        if j == k:
            assert changes[j, a, k, b] == np.inf
            continue
        moved = levels.copy()
        moved[[j, k]] = a, b
        difference = problem.value(moved) - problem.value(levels)
        assert changes[j, a, k, b] == pytest.approx(difference, abs=1e-12)


def test_the_descent_ends_where_no_change_of_two_votes_is_better():
    rng = np.random.default_rng(6)
    P = np.exp(rng.normal(size=(6, 6)) * 2)
    np.fill_diagonal(P, 0)
    problem = _Problem(P / P.sum(), np.exp(-np.array([-1, 0, 1]) / 2))
    for _ in range(20):
        start = rng.integers(0, 3, 6)
        end = _descend(problem, start)
        assert problem.value(end) <= problem.value(start)
        for j, k in itertools.combinations(range(6), 2):
            for a, b in itertools.product(range(3), repeat=2):
                moved = end.copy()
                moved[[j, k]] = a, b
                assert problem.value(moved) >= problem.value(end) - 1e-12


def test_capacities_stay_in_int32(monkeypatch):
    # scipy's maximum_flow takes int32 and says nothing when a sum leaves it.
    from scipy.sparse import csgraph

    seen = []
    flow = csgraph.maximum_flow

    def watched(capacities, source, sink):
        seen.append(capacities)
        return flow(capacities, source, sink)

    monkeypatch.setattr(csgraph, "maximum_flow", watched)
    for P in (np.full((40, 40), 1e12), np.diag(np.full(9, 1e-9), 1) + 1e12 * np.eye(10)[::-1]):
        minimise_pairs(P)
        minimise_pairs_two_valued(P, 25.0)
    for capacities in seen:
        dense = capacities.toarray().astype(np.int64)
        source, sink = len(dense) - 2, len(dense) - 1
        assert capacities.dtype == np.int32
        assert dense.min() >= 0
        assert (dense + dense.T).max() < 2**31
        assert dense.max() <= _LARGEST_CAPACITY
        assert min(dense[source].sum(), dense[:, sink].sum()) < 2**30
