"""Stage 2 of the plain reference for examples of several classes (5.2, eq. 2 and 3)."""

import itertools
import math
from collections.abc import Iterable, Sequence

Pairs = dict[tuple[int, int], float]


def pairs_of(label_sets: Iterable[Sequence[int]], weights: Iterable[float], n_labels: int) -> Pairs:
    """Return the weight of each pair (j, k), j a label of an example and k none, over their sum.

    An example of weight w with the labels L gives w / (|L| (c - |L|)) to each of its pairs.
    """
    pairs: Pairs = {}
    for labels, weight in zip(label_sets, weights, strict=True):
        others = [k for k in range(n_labels) if k not in labels]
        for pair in itertools.product(labels, others):
            share = weight / (len(labels) * len(others))
            pairs[pair] = pairs.get(pair, 0.0) + share
    total = math.fsum(pairs.values())
    return {pair: weight / total for pair, weight in pairs.items() if weight}


def pairs_z(pairs: Pairs, vector: Sequence[int], alpha: float = 1.0) -> float:
    """Return Z of eq. (2), of eq. (3) with alpha = 1."""
    cost = {d: math.exp(-alpha * d / 2) for d in range(-2, 3)}
    return math.fsum(weight * cost[vector[j] - vector[k]] for (j, k), weight in pairs.items())


def least_z(
    pairs: Pairs, n_labels: int, values: Sequence[int] = (-1, 0, 1), alpha: float = 1.0
) -> float:
    """Return the least Z of all vectors."""
    every = itertools.product(values, repeat=n_labels)
    return min(pairs_z(pairs, vector, alpha) for vector in every)
