"""Theorem 5: maximising Z of two votes is NP-hard, by a gadget that encodes a graph.

A class for each vertex; an example of weight W_v for each vertex, with this one label; an example
of weight W_e for each edge, with two.  k vertices get +1; of the edges C lie within these, M
within the others and U between.  What is true of the proof sketch:

- Z_v is as printed in eq. (24), and its maximum is at k = |V| / 2.
- Z_e of eq. (25) leaves out the pairs of equal votes, and counts for an edge of U the pair of its
  own two ends, which is none.  In full it is W_e times

      e^-a (|V| - k)(2C + U) + e^a k (2M + U)
      + 2 C (k - 2) + 2 M (|V| - k - 2) + U (|V| - 2 - e^a - e^-a).

- Where all vertices have the same degree, as in the sketch's graphs but for lone vertices, 2M + U
  is the sum of the degrees of half of the vertices: always the same.  So the printed Z_e does not
  look for an independent set.  With k = |V| / 2 the full Z_e is a constant minus
  U (e^a + e^-a - 2): its maximum is the bisection with the *fewest* edges between the halves.
- Minimum bisection is NP-hard for regular graphs too (Bui, Chaudhuri, Leighton & Sipser, Graph
  bisection algorithms with good average case behavior, 1987), so that the gadget proves the theorem
  for equations (2) and (3) after all, by another problem.
- For eq. (7) the theorem does not hold: W0 + 2 sqrt(W+ W-) is at most the sum of all weights, and
  the constant vector reaches it.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from tests.theory.multilabel import random_pairs, vectors, z_of
from widc_arff.induction.vectors.label_sets import pair_weights

HEXAGON = [(i, (i + 1) % 6) for i in range(6)]
PRISM = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)]
CUBE = [(a, b) for a, b in itertools.combinations(range(8), 2) if (a ^ b).bit_count() == 1]
BIPARTITE = [(a, b) for a in range(5) for b in range(5, 10)]  # all degrees 5, as in the sketch
GRAPHS = {"hexagon": (6, HEXAGON), "prism": (6, PRISM), "cube": (8, CUBE), "K55": (10, BIPARTITE)}


def gadget(n, edges, vertex_weight, edge_weight):
    """Pair weights in which each pair of an example weighs W_v or W_e, as in eq. (24) and (25)."""
    vertices = np.eye(n, dtype=bool)
    ends = np.zeros((len(edges), n), bool)
    for row, edge in zip(ends, edges, strict=True):
        row[list(edge)] = True
    # eq. (3) shares the weight of an example among its pairs: 1 (n - 1) and 2 (n - 2)
    return pair_weights(vertices, np.full(n, vertex_weight * (n - 1))) + pair_weights(
        ends, np.full(len(edges), edge_weight * 2 * (n - 2))
    )


def counts(n, edges, v):
    """k, C, M and U."""
    sides = [(v[a], v[b]) for a, b in edges]
    inside, outside = sides.count((1, 1)), sides.count((-1, -1))
    return int((v == 1).sum()), inside, outside, len(edges) - inside - outside


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("alpha", [0.5, 1.0, 2.0])
def test_z_of_the_gadget_is_eq_24_and_the_full_eq_25(name, alpha):
    n, edges = GRAPHS[name]
    e, i = math.exp(alpha), math.exp(-alpha)
    for v in vectors(n, (-1, 1))[:: 3 if n < 10 else 17]:
        k, C, M, U = counts(n, edges, v)
        z_v = i * k * (n - k) + k * (k - 1) + (n - k) * (n - k - 1) + e * k * (n - k)
        printed = i * (n - k) * (2 * C + U) + e * k * (2 * M + U)
        equal_votes = 2 * C * (k - 2) + 2 * M * (n - k - 2) + U * (n - 2 - e - i)
        z = z_of(gadget(n, edges, 7.0, 3.0), v, alpha)[0]
        assert z == pytest.approx(7 * z_v + 3 * (printed + equal_votes), rel=1e-12)


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("alpha", [0.5, 1.0, 2.0])
def test_maximal_vectors_are_the_minimum_bisections(name, alpha):
    n, edges = GRAPHS[name]
    every = vectors(n, (-1, 1))
    z = z_of(gadget(n, edges, 100.0 * n**3, 1.0), every, alpha)
    maximal = {tuple(v) for v in every[z >= z.max() - 1e-6]}
    between = {tuple(v): counts(n, edges, v)[3] for v in every if v.sum() == 0}
    fewest = min(between.values())
    assert maximal == {v for v, crossing in between.items() if crossing == fewest}


@pytest.mark.parametrize(
    ("name", "least"), [("hexagon", 2), ("prism", 3), ("cube", 4), ("K55", 13)]
)
def test_an_independent_half_is_not_maximal(name, least):
    # The hexagon, the cube and K5,5 are bipartite: one side is an independent set of half of the
    # vertices, and all edges lie between.  K5,5 with 2 of one side and 3 of the other in a half:
    # 2 * 2 + 3 * 3 edges between.
    n, edges = GRAPHS[name]
    halves = [v for v in vectors(n, (-1, 1)) if v.sum() == 0]
    P = gadget(n, edges, 100.0 * n**3, 1.0)
    best = max(halves, key=lambda v: z_of(P, v)[0])
    assert counts(n, edges, best)[3] == least
    for v in halves:
        _, C, M, _ = counts(n, edges, v)
        if C == M == 0:
            assert z_of(P, v)[0] < z_of(P, best)[0] - 1


def test_with_equal_degrees_the_printed_z_e_is_the_same_for_all_halves():
    n, edges = GRAPHS["cube"]
    halves = [v for v in vectors(n, (-1, 1)) if v.sum() == 0]
    sums = {2 * M + U for _, _, M, U in (counts(n, edges, v) for v in halves)}
    assert sums == {3 * n // 2}


def test_the_maximum_of_eq_7_is_the_constant_vector():
    rng = np.random.default_rng(0)
    for c in (2, 4, 6):
        P = random_pairs(rng, c)
        for v in vectors(c, (-1, 1)):
            gap = v[:, None] - v
            above, below, level = (P[gap == d].sum() for d in (2, -2, 0))
            z = level + 2 * math.sqrt(above * below)
            assert z <= 1 + 1e-12
            if abs(v.sum()) == c:
                assert z == pytest.approx(1, rel=1e-12)
