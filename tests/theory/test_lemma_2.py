"""Lemma 2: the vector for two classes, row by row of its table, and the boundaries.

At a boundary the vectors of both rows have the same Z.  The table names the one with more votes
for the positive class, the proof leaves both; the package takes the one with fewer votes (I8).
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.theory.multilabel import vectors
from widc_arff.induction.vectors.classes import best_vector
from widc_arff.induction.vectors.label_sets import exact_vector

E = math.e
# (lower bound of W+/W-, vectors as printed), from the top; components are (negative, positive).
TABLE = [
    (E**1.5, [(-1, 1)]),
    (E**0.5, [(-1, 0), (0, 1)]),
    (E**-0.5, [(-1, -1), (0, 0), (1, 1)]),
    (E**-1.5, [(0, -1), (1, 0)]),
    (0.0, [(1, -1)]),
]
RATIOS = [
    *(E ** (k / 2) * factor for k in (-3, -1, 1, 3) for factor in (0.2, 0.99, 1.01, 5.0)),
    0.0,
    1.0,
]


def z(ratio, v):
    """Eq. (32), with W- = 1."""
    delta = v[1] - v[0]
    return ratio * math.exp(-delta / 2) + math.exp(delta / 2)


def optimal(ratio):
    every = [(int(a), int(b)) for a, b in vectors(2)]
    least = min(z(ratio, v) for v in every)
    return [v for v in every if z(ratio, v) <= least * (1 + 1e-12)]


def row_of(ratio):
    return next(row for bound, row in TABLE if ratio >= bound)


@pytest.mark.parametrize("ratio", RATIOS)
def test_the_row_names_all_optimal_vectors(ratio):
    assert sorted(optimal(ratio)) == sorted(row_of(ratio))


@pytest.mark.parametrize("ratio", RATIOS)
def test_the_package_chooses_from_the_row(ratio):
    # the row of ratio 0 needs an example of the negative class only, that of 1/0 is its mirror
    weights = np.array([1.0, ratio])
    both = np.ones(2, bool)
    assert tuple(best_vector(weights, both).tolist()) in row_of(ratio)
    assert tuple(exact_vector(np.eye(2, dtype=bool), weights, both).tolist()) in row_of(ratio)


def test_without_negative_examples_the_first_row_holds():
    assert best_vector(np.array([0.0, 1.0]), np.ones(2, bool)).tolist() == [-1, 1]


@pytest.mark.parametrize("upper", range(4))
def test_at_a_boundary_both_rows_are_optimal_and_the_package_votes_less(upper):
    ratio, row = TABLE[upper]
    below = TABLE[upper + 1][1]
    assert sorted(optimal(ratio)) == sorted([*row, *below])
    fewest = min(v.count(0) for v in [*row, *below]), max(v.count(0) for v in [*row, *below])
    chosen = tuple(best_vector(np.array([1.0, ratio]), np.ones(2, bool)).tolist())
    assert chosen in [*row, *below]
    assert chosen.count(0) == fewest[1]
