"""Stage 2 of the plain reference: the vector of a monomial (5.2, I7, I8)."""

import itertools
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

from .problem import least_ones

Weight = int | float | Fraction


def vector_z(weights: Sequence[Weight], vector: Sequence[int]) -> float:
    """Return Z of a vector (eq. 3), with the weights over their sum.

    Z = sum_j sum_{k != j} W_j / (c - 1) exp(-(v_j - v_k) / 2); 0 if there is nothing to rank.
    """
    c = len(weights)
    total = _total(weights)
    if total == 0:
        return 0.0
    shares = [float(weight / total) for weight in weights]
    terms = [
        shares[j] / (c - 1) * math.exp(-(vector[j] - vector[k]) / 2)
        for j in range(c)
        for k in range(c)
        if k != j
    ]
    return math.fsum(terms)


def best_vector(class_weights: Sequence[Weight], present: Sequence[bool]) -> tuple[int, ...]:
    """Try every vector of {-1, 0, 1}^c."""
    weights = _present_weights(class_weights, present)
    every = itertools.product((-1, 0, 1), repeat=len(weights))
    return _with_absent(_choice(weights, every), present)


def best_ordered_vector(
    class_weights: Sequence[Weight], present: Sequence[bool]
) -> tuple[int, ...]:
    """Try the vectors that are monotone in the weights (Lemma 1).

    Classes of equal weight stand in declared order, the higher vote first.
    """
    weights = _present_weights(class_weights, present)
    c = len(weights)
    heaviest_first = sorted(range(c), key=lambda j: (-weights[j], j))
    ordered = []
    for n_plus in range(c + 1):
        for n_minus in range(c + 1 - n_plus):
            votes = [1] * n_plus + [0] * (c - n_plus - n_minus) + [-1] * n_minus
            vector = [0] * c
            for j, vote in zip(heaviest_first, votes, strict=True):
                vector[j] = vote
            ordered.append(tuple(vector))
    return _with_absent(_choice(weights, ordered), present)


def _total(weights: Sequence[Weight]) -> Weight:
    """Return the sum of the weights, exactly where they are exact."""
    if any(isinstance(weight, float) for weight in weights):
        return math.fsum(weights)
    return sum(weights)


def _present_weights(weights: Sequence[Weight], present: Sequence[bool]) -> list[Weight]:
    """Return the weights of the classes with training weight: c counts only these (I7)."""
    return [weight for weight, is_present in zip(weights, present, strict=True) if is_present]


def _choice(weights: Sequence[Weight], vectors: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the vector of least Z.

    Equal: the fewest votes that are not zero, then the most +1 (I8), then the higher vote for the
    class declared earlier.
    """
    tried = list(vectors)
    equal = [tried[i] for i in least_ones([vector_z(weights, vector) for vector in tried])]
    return min(equal, key=lambda v: (len(v) - v.count(0), -v.count(1), [-vote for vote in v]))


def _with_absent(vector: tuple[int, ...], present: Sequence[bool]) -> tuple[int, ...]:
    """Give the classes without training weight the lowest vote of the vector (I7)."""
    votes = iter(vector)
    return tuple(next(votes) if is_present else min(vector) for is_present in present)
