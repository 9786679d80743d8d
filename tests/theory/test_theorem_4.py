"""Theorem 4: Z of two votes can be minimised in polynomial time, as it is submodular.

What is true of it:

- For a *given* alpha the function f of eq. (21) is submodular, with the printed coefficients
  (Table 3; its first column is the place of j, its second that of k).  This covers eq. (2) and (3).
- In eq. (21) A is the set of the classes with -1.
- Z of eq. (7) is symmetric but *not* submodular: there alpha depends on the vector, which the
  proof passes over.  Two classes of weights p and q are enough: f[{0}] + f[{1}] = 4 sqrt(pq),
  which is below f[{}] + f[{0, 1}] = 2 (p + q) unless p = q.
- Z of eq. (7) is the least Z of eq. (2) over alpha.  So a minimum cut at the alpha of eq. (4) of
  an optimal vector finds one, and a search over alpha comes as near to it as one likes.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from tests.theory.multilabel import random_pairs, subsets, vectors, z_of
from widc_arff.induction.vectors.pair_cut import minimise_pairs_two_valued

ALPHAS = [-2.0, -0.5, 0.0, 0.3, 1.0, 2.5]


def f(P, A, alpha):
    """Eq. (21), term by term."""
    total = 0.0
    for j, k in itertools.permutations(range(len(P)), 2):
        if j in A and k not in A:
            q = math.exp(alpha)
        elif j not in A and k in A:
            q = math.exp(-alpha)
        else:
            q = 1.0
        total += P[j, k] * q
    return total


def parts(P, v):
    """W+, W- and W0 of equations (5) to (7)."""
    gap = v[:, None] - v
    return P[gap == 2].sum(), P[gap == -2].sum(), P[gap == 0].sum()


def z_of_eq_7(P, v):
    above, below, level = parts(P, v)
    return level + 2 * math.sqrt(above * below)


def vector_of(A, c):
    """-1 for the classes in A, +1 for the others."""
    return np.array([-1 if j in A else 1 for j in range(c)])


@pytest.mark.parametrize("alpha", ALPHAS)
def test_f_is_z_of_eq_2_with_minus_one_in_the_set(alpha):
    P = random_pairs(np.random.default_rng(1), 4)
    for A in subsets(4):
        assert f(P, A, alpha) == pytest.approx(z_of(P, vector_of(A, 4), alpha)[0], rel=1e-12)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_table_3(alpha):
    # one pair (j, k) of weight 1, in each of the sixteen places
    e, i = math.exp(alpha), math.exp(-alpha)
    printed = {
        (1, 1): (2, 2), (1, 2): (i + 1, i + 1), (1, 3): (i + 1, i + 1), (1, 4): (2 * i, 2 * i),
        (2, 1): (e + 1, e + 1), (2, 2): (2, 2), (2, 3): (2, e + i), (2, 4): (1 + i, 1 + i),
        (3, 1): (e + 1, e + 1), (3, 2): (2, e + i), (3, 3): (2, 2), (3, 4): (1 + i, 1 + i),
        (4, 1): (2 * e, 2 * e), (4, 2): (1 + e, 1 + e), (4, 3): (1 + e, 1 + e), (4, 4): (2, 2),
    }  # fmt: skip
    P = np.array([[0.0, 1.0], [0.0, 0.0]])
    member = {1: (False, False), 2: (True, False), 3: (False, True), 4: (True, True)}
    for places, (united, apart) in printed.items():
        A = {label for label, place in enumerate(places) if member[place][0]}
        B = {label for label, place in enumerate(places) if member[place][1]}
        assert f(P, A | B, alpha) + f(P, A & B, alpha) == pytest.approx(united, rel=1e-12)
        assert f(P, A, alpha) + f(P, B, alpha) == pytest.approx(apart, rel=1e-12)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_for_a_given_alpha_f_is_submodular_by_as_much_as_the_proof_says(alpha):
    P = random_pairs(np.random.default_rng(2), 5)
    for A, B in itertools.combinations(subsets(5), 2):
        difference = f(P, A | B, alpha) + f(P, A & B, alpha) - f(P, A, alpha) - f(P, B, alpha)
        across = sum(P[j, k] + P[k, j] for j in A - B for k in B - A)
        expected = (2 - math.exp(alpha) - math.exp(-alpha)) * across
        assert difference == pytest.approx(expected, abs=1e-12)
        assert difference <= 1e-12


@pytest.mark.parametrize("alpha", ALPHAS)
def test_a_minimum_cut_minimises_f(alpha):
    rng = np.random.default_rng(3)
    for c in (2, 4, 6, 8):
        P = random_pairs(rng, c)
        v = minimise_pairs_two_valued(P, alpha)
        least = z_of(P, vectors(c, (-1, 1)), alpha).min()
        assert z_of(P, v, alpha)[0] == pytest.approx(least, rel=1e-9)


def test_z_of_eq_7_is_symmetric_and_the_least_over_alpha():
    P = random_pairs(np.random.default_rng(4), 5)
    for v in vectors(5, (-1, 1)):
        z = z_of_eq_7(P, v)
        assert z_of_eq_7(P, -v) == pytest.approx(z, rel=1e-12)
        above, below, _ = parts(P, v)
        if above and below:  # eq. (4)
            assert z_of(P, v, math.log(above / below) / 2)[0] == pytest.approx(z, rel=1e-12)
        assert z <= min(z_of(P, v, alpha)[0] for alpha in ALPHAS) + 1e-12


def test_z_of_eq_7_is_not_submodular():
    # Two classes of weights 3 and 1: 2 sqrt(3) for each set of one class, 4 for none and for both.
    P = np.array([[0.0, 3.0], [1.0, 0.0]])
    z = {A: z_of_eq_7(P, vector_of(A, 2)) for A in subsets(2)}
    none, first, second, both = (z[frozenset(A)] for A in ((), (0,), (1,), (0, 1)))
    assert (none, both) == (4, 4)
    assert first == second == pytest.approx(2 * math.sqrt(3), rel=1e-12)
    assert both + none > first + second + 1


def test_the_minimum_of_eq_7_is_a_minimum_cut_at_some_alpha():
    rng = np.random.default_rng(5)
    for c in (3, 5, 7):
        P = random_pairs(rng, c) + 1e-3 * (1 - np.eye(c))
        every = vectors(c, (-1, 1))
        best = min(every, key=lambda v: z_of_eq_7(P, v))
        above, below, _ = parts(P, best)
        alpha = math.log(above / below) / 2 if above and below else 0.0
        v = minimise_pairs_two_valued(P, alpha)
        assert z_of_eq_7(P, v) == pytest.approx(z_of_eq_7(P, best), rel=1e-9)
