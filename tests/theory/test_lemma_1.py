"""Lemma 1: with one class an example, an optimal vector is ordered as the class weights are.

The statement counts classes from 1 to c, the text from 0 to c - 1, and it means *an* optimal
vector: where weights are equal, another may be optimal as well.  Where W_j < W_k *every* optimal
vector has v_j <= v_k, as the proof's exchange lowers Z strictly.  In the proof's last display
1 - e^Delta should read 1 - e^(Delta / 2); the sign, and so the lemma, is not affected.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from tests.theory.multilabel import vectors, z_of


def class_pairs(W):
    """Pair weights of eq. (3) for examples of one class each: W_j / (c - 1) for all k."""
    c = len(W)
    return np.outer(W, np.ones(c)) * (1 - np.eye(c)) / (c - 1)


@pytest.mark.parametrize("seed", range(30))
def test_every_optimal_vector_is_ordered_where_the_weights_differ(seed):
    rng = np.random.default_rng(seed)
    c = int(rng.integers(2, 7))
    W = rng.integers(0, 12, c).astype(float)
    W[0] += 1
    every = vectors(c)
    z = z_of(class_pairs(W), every)
    for v in every[z <= z.min() + 1e-12]:
        for j, k in itertools.permutations(range(c), 2):
            assert not (W[j] < W[k] and v[j] > v[k])


@pytest.mark.parametrize("seed", range(30))
def test_some_optimal_vector_is_ordered(seed):
    # with equal weights too: the classes in order, the vectors that never fall
    rng = np.random.default_rng(seed)
    c = int(rng.integers(2, 7))
    W = np.sort(rng.integers(0, 4, c)).astype(float)
    W[-1] += 1
    every = vectors(c)
    z = z_of(class_pairs(W), every)
    assert z[(np.diff(every, axis=1) >= 0).all(axis=1)].min() == pytest.approx(z.min(), rel=1e-12)


@pytest.mark.parametrize("seed", range(30))
def test_exchanging_two_votes_out_of_order_changes_z_as_the_proof_says(seed):
    # With Delta = v_j - v_k > 0 and W_j <= W_k, both divided by c - 1 and summed over classes i:
    # (W_k - W_j) e^(-Delta/2) (1 - e^Delta) for the pair itself, and for each other class i
    # (W_k - W_j) e^((v_i - v_j)/2) (1 - e^(Delta/2)).
    rng = np.random.default_rng(seed)
    c = int(rng.integers(2, 7))
    W, v = rng.random(c), rng.integers(-1, 2, c)
    j, k = rng.choice(c, 2, replace=False)
    v[j], v[k] = max(v[j], v[k]), min(v[j], v[k])
    delta = int(v[j] - v[k])
    exchanged = v.copy()
    exchanged[[j, k]] = v[[k, j]]
    before, after = z_of(class_pairs(W), np.array([v, exchanged]))
    own = math.exp(-delta / 2) * (1 - math.exp(delta))
    others = sum(math.exp((v[i] - v[j]) / 2) for i in range(c) if i not in {j, k})
    expected = (W[k] - W[j]) / (c - 1) * (own + others * (1 - math.exp(delta / 2)))
    assert after - before == pytest.approx(expected, abs=1e-12)
