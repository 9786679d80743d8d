"""Odds of labels by their votes, as plain loops: a search in each of two numbers, one in the other.

The loss is convex in slope and intercept, so that thirds of an interval can be left out in turn.
"""

import math
from collections.abc import Callable, Sequence


def least_of(loss: Callable[[float], float], low: float, high: float) -> float:
    """Return where a convex function is least between two numbers."""
    for _ in range(100):
        first, second = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, second) if loss(first) < loss(second) else (first, high)
    return (low + high) / 2


def odds(
    votes: Sequence[int], held: Sequence[bool], weights: Sequence[float], n_more: float
) -> tuple[float, float]:
    """Return slope and intercept of one label.

    Of least log loss with `n_more` examples more, or a fifth of all, that have votes, and the
    label, as often as all do, whatever the other; a label of which all votes are the same has a
    slope of 1, one that is less probable with more votes a slope of 0.
    """
    total = sum(weights)
    n_more = min(n_more, total / 5)
    share = (sum(w for w, is_held in zip(weights, held, strict=True) if is_held) + 0.5) / (
        total + 1
    )

    def loss(slope: float, intercept: float) -> float:
        bits = 0.0
        for vote, is_held, weight in zip(votes, held, weights, strict=True):
            score = intercept + slope * vote
            yes, no = math.log1p(math.exp(-score)), math.log1p(math.exp(score))
            bits += weight * (yes if is_held else no)
            bits += weight / total * n_more * (share * yes + (1 - share) * no)
        return bits

    def intercept_with(slope: float) -> float:
        return least_of(lambda intercept: loss(slope, intercept), -30, 30)

    if len(set(votes)) == 1:
        return 1.0, intercept_with(1.0)

    slope = least_of(lambda slope: loss(slope, intercept_with(slope)), -15, 15)
    return max(slope, 0.0), intercept_with(max(slope, 0.0))
