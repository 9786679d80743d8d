"""How certain votes are: the scale of the probabilities, and the shares of tied classes.

A committee errs more often on new rows than on those that it was found with.  Its rules were chosen
for these, and what they cost to tell says how freely: a rule of so many bits could have been had by
chance for as many bits of corrected errors.  So each bit of its price is taken to hide the error
that it pays for, among the rows that are right, and the probabilities are those of least log loss
with these errors counted.  The shares of tied classes are those of the training examples that tie,
with some examples of the class distribution added, in the order in which ties are won.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.committee import Certainty
from widc_arff.decision import decide, probabilities, tied_for_the_top

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

GRID = 200
"""The factor of a vote is a whole number of such parts of one: the same on every machine."""
PRIOR_EXAMPLES = 10.0
"""Examples of the class distribution that are added to those that tie: 3 or 20 are little worse."""
LEAST_BITS = 0.2
"""Bits that an error costs at least, where half of all rows are wrong."""


def certainty_of(
    votes: NDArray[np.int64], class_weights: Floats, scores: Floats, price: float
) -> Certainty:
    """Return what makes probabilities of votes.

    Parameters
    ----------
    votes : ndarray of int64 of shape (n_patterns, n_classes)
        Summed votes.
    class_weights : ndarray of float64 of shape (n_patterns, n_classes)
        Weight of the training examples of each class, in examples.
    scores : ndarray of float64 of shape (n_classes,)
        What decides ties.
    price : float
        Bits that tell the rules of the committee.
    """
    shares = tie_shares(votes, class_weights, scores)
    right, n_hidden = hidden_errors(votes, class_weights, scores, price)
    rows = np.arange(len(votes))
    decided = decide(votes, scores)
    share_hidden = min(n_hidden / right, 0.5) if right > 0 else 0.0

    def loss(step: int) -> float:
        p = np.maximum(probabilities(votes, step / GRID, shares), 1e-300)
        of_decided = p[rows, decided]
        others = np.maximum(p.sum(axis=1) - of_decided, 1e-300)
        logs = np.log(p)
        hidden = share_hidden * (np.log(others) - logs[rows, decided])
        total = (class_weights * logs).sum() + (class_weights[rows, decided] * hidden).sum()
        return -float(total)

    # the loss falls, then rises
    low, high = 1, GRID - 1
    while high - low > 2:
        third = (high - low) // 3
        if loss(low + third) <= loss(high - third):
            high -= third
        else:
            low += third
    best = min(range(low, high + 1), key=loss)
    return Certainty(best / GRID, tuple(shares.tolist()))


def tie_shares(votes: NDArray[np.int64], class_weights: Floats, scores: Floats) -> Floats:
    """Return what tied classes share by, in the order of the scores, shape (n_classes,)."""
    ties = tied_for_the_top(votes).sum(axis=1) > 1
    weights = class_weights.sum(axis=0)
    prior = (weights + 1) / (weights + 1).sum()
    shares = class_weights[ties].sum(axis=0) + PRIOR_EXAMPLES * prior
    order = np.argsort(-scores, kind="stable")
    in_order = np.sort(shares / shares.sum())[::-1]
    for k in range(1, len(order)):  # the largest probability is the decision
        if scores[order[k]] < scores[order[k - 1]]:
            in_order[k] = min(in_order[k], in_order[k - 1] * (1 - 2.0**-20))
    return np.asarray(in_order[np.argsort(order)])


def hidden_errors(
    votes: NDArray[np.int64], class_weights: Floats, scores: Floats, price: float
) -> tuple[float, float]:
    """Return the weight of the examples that are right, and of those taken to be hidden errors.

    So many that what they would cost to correct is the price of the committee.
    """
    total = float(class_weights.sum())
    right = float(class_weights[np.arange(len(votes)), decide(votes, scores)].sum())
    n_classes = int(np.count_nonzero(class_weights.sum(axis=0)))
    of_class = float(np.log2(max(n_classes - 1, 1)))
    hidden = 0.0
    for _ in range(20):
        share = min((total - right + 1 + hidden) / total, 0.5)
        of_error = float(np.log2((1 - share) / share))
        hidden = price / (max(of_error, LEAST_BITS) + of_class)
    return right, hidden
