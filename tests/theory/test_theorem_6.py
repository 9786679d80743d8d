"""Theorem 6: how far the approximate vector can be from the best.

Printed: Z(v) < Z(v*) (1 + e / (c - k)), where no example has more than k labels.  The proof loses a
factor on its way: in eq. (30) a set S of labels weighs W_S / |S|, in the last steps W_S, so that
what it shows is 1 + e (k - 1) / (c - k).  And in eq. (3) the weight is over |S| (c - |S|), not |S|.

What holds, with the weights of eq. (3), is Z(v) <= Z(v*) (c - 1) / (c - k).  For an example with
the s labels S let a be 1/s times the sum of e^(-(v_i - v_j)/2) over i in S and j outside, and b the
same over i and j != i in S.  Then Z = sum of W a / (c - s), and v minimises that of the split
examples, Z' = sum of W (a + b) / (c - 1).  With x, y the sums of e^(-v_i/2), e^(v_i/2) over S,

    b = (x y - s) / s, which is at least s - 1, and a >= x (c - s) e^(-1/2) / s, so that

    b - (s - 1) = (x y - s^2) / s <= a e^(1/2) (y - s^2 / x) / (c - s) <= 0.4209 s a / (c - s),

because y - s^2 / x is s times the arithmetic less the harmonic mean of numbers between e^(-1/2) and
e^(1/2), thus at most s (e^(1/4) - e^(-1/4))^2.  This gives

    Z(v) <= sum of W a(v) / (c - k) <= sum of W (a(v*) + b(v*) - (s - 1)) / (c - k)
         <= Z(v*) max over s of (c - s + 0.4209 s [s > 1]) / (c - k) = Z(v*) (c - 1) / (c - k).

This implies the printed bound for k <= 3, as k - 1 < e.  For large k the printed one fails, and so
does its consequence that the approximation is asymptotically optimal wherever k <= beta c: below
are 40 classes, and a family whose ratio does not fall as c grows.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.theory.multilabel import random_label_sets, vectors
from widc_arff.induction.vectors.label_sets import (
    approximate_vector,
    exact_vector,
    ranking_loss_bound,
)


def both_z(Y, weights):
    """Z of the exact and of the approximate vector."""
    present = np.ones(Y.shape[1], bool)
    exact, approximate = (
        ranking_loss_bound(Y, weights, vector(Y, weights, present))
        for vector in (exact_vector, approximate_vector)
    )
    assert exact <= approximate * (1 + 1e-9)
    return exact, approximate


def singles_and_one_set(n_singles, size):
    """Each of the first classes alone, the others always together: split, all weigh the same."""
    Y = np.zeros((n_singles + 1, n_singles + size), bool)
    Y[:n_singles, :n_singles] = np.eye(n_singles, dtype=bool)
    Y[-1, n_singles:] = True
    return Y, np.append(np.ones(n_singles), size)


@pytest.mark.parametrize("seed", range(40))
def test_the_approximation_is_within_c_minus_1_over_c_minus_k(seed):
    rng = np.random.default_rng(seed)
    c = int(rng.integers(3, 16))
    k = int(rng.integers(1, c))
    Y, weights = random_label_sets(rng, int(rng.integers(1, 30)), c, k)
    exact, approximate = both_z(Y, weights)
    assert approximate <= exact * (c - 1) / (c - k) + 1e-9
    if k <= 3:
        assert approximate < exact * (1 + math.e / (c - k))


@pytest.mark.parametrize("s", [2, 3, 4, 5, 6])
def test_the_steps_of_the_bound_hold_for_every_vector_of_a_label_set(s):
    v = vectors(s)
    x, y = np.exp(-v / 2).sum(axis=1), np.exp(v / 2).sum(axis=1)
    b = (x * y - s) / s
    constant = math.sqrt(math.e) * (math.exp(0.25) - math.exp(-0.25)) ** 2
    assert constant == pytest.approx(0.4209, abs=1e-4)
    assert (b >= s - 1 - 1e-12).all()
    assert (b - (s - 1) <= constant * s * (x * math.exp(-0.5) / s) + 1e-12).all()


def test_40_classes_break_the_printed_bound():
    # 5 classes alone, 35 together.  Split, all weigh 1, so that no class votes: Z = 1.  Pairs:
    # 35 / 40 rank the 35 above the 5, (5 / 40) (35 / 39) the other way, (5 / 40) (4 / 39) within
    # the 5.  The votes (-1 for the 5, +1 for the 35) have Z = 0.641, and 1 / 0.641 > 1 + e / 5.
    Y, weights = singles_and_one_set(5, 35)
    exact, approximate = both_z(Y, weights)
    expected = (35 / math.e + 5 * 35 / 39 * math.e + 5 * 4 / 39) / 40
    assert approximate == pytest.approx(1, rel=1e-12)
    assert exact == pytest.approx(expected, rel=1e-12)
    assert approximate > exact * (1 + math.e / (40 - 35))
    assert approximate <= exact * 39 / 5


def test_the_ratio_need_not_fall_as_c_grows():
    # Half of the classes alone, half together: k = c / 2, Z(v) = 1, and with a vote of difference
    # Z(v*) <= (e^(-1/2) / 2 + e^(1/2) / 4 + 1 / 4) c / (c - 1), which is at most 0.97 in the end.
    for c in (40, 80, 160):
        exact, approximate = both_z(*singles_and_one_set(c // 2, c // 2))
        assert approximate == pytest.approx(1, rel=1e-12)
        assert exact < 0.975
    assert approximate > exact * (1 + math.e / (160 - 80))


def test_for_few_labels_an_example_the_approximation_is_asymptotically_optimal():
    rng = np.random.default_rng(3)
    for c in (10, 40, 120):
        Y, weights = random_label_sets(rng, 200, c, 3)
        exact, approximate = both_z(Y, weights)
        assert approximate <= exact * (c - 1) / (c - 3) + 1e-9


def test_with_one_label_an_example_the_bound_says_that_the_approximation_is_exact():
    rng = np.random.default_rng(4)
    Y, weights = random_label_sets(rng, 20, 6, 1)
    exact, approximate = both_z(Y, weights)
    assert approximate == pytest.approx(exact, rel=1e-12)
