"""From votes to a class and to probabilities (section 3; I9 to I11).

The class with most votes wins.  Ties go by ``s = D + 1e-6 p``, where D is the default vector and p
the class distribution of the training examples, and then to the class that was declared first.

Where an example can have several labels each has odds of its own, by its votes: see
`widc_arff.model.label_threshold`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats, Integers

PRIOR_WEIGHT = 1e-6
INVERSE_E = 0.36787944117144233
VOTES = (0, -1, 1)
"""What a vote can be; of equally frequent ones the first is a rule's base."""


def base_of(votes: Sequence[int]) -> int:
    """Return the most frequent of some votes; of equally frequent ones 0, then -1."""
    return max(VOTES, key=votes.count)


def exceptions_of(vector: Integers) -> Sequence[tuple[int, int]]:
    """Return which votes of a vector differ from its base, and by how much."""
    return _exceptions_of(tuple(vector.tolist()))


@lru_cache(maxsize=1 << 14)
def _exceptions_of(votes: tuple[int, ...]) -> Sequence[tuple[int, int]]:
    base = base_of(votes)
    return [(label, vote - base) for label, vote in enumerate(votes) if vote != base]


def bases_of(vectors: Integers) -> Integers:
    """Return the base of each of some vectors, shape (n_vectors,)."""
    return np.asarray(np.array(VOTES)[_frequencies(vectors).argmax(axis=1)])


def n_exceptions(vectors: Integers) -> Integers:
    """Return how many votes of each of some vectors differ from its base, shape (n_vectors,)."""
    return np.asarray(vectors.shape[1] - _frequencies(vectors).max(axis=1))


def _frequencies(vectors: Integers) -> Integers:
    """Return how often each of `VOTES` is in each vector, shape (n_vectors, 3)."""
    return np.stack([np.count_nonzero(vectors == vote, axis=1) for vote in VOTES], axis=1)


def from_line(vectors: Integers) -> Integers:
    """Return the votes for labels less that for the line, a virtual label that stands last."""
    return np.asarray(vectors[..., :-1] - vectors[..., -1:])


def tie_scores(default: Floats, prior: Floats) -> Floats:
    """Return s = D + 1e-6 p, shape (n_classes,): among tied classes the largest wins."""
    return np.asarray(default + PRIOR_WEIGHT * prior)


def distribution(class_weights: Floats) -> Floats:
    """Return class weights as fractions of their sum, taken in class order; it must be positive.

    The sum is a plain loop: the built-in one compensates from Python 3.12 on, Java's does not.
    """
    total = 0.0
    for weight in class_weights.tolist():
        total += weight
    return np.asarray(class_weights / total)


def default_vector(ambiguous: Floats, prior: Floats) -> Floats:
    """Return the default vector D, shape (n_classes,).

    Parameters
    ----------
    ambiguous : ndarray of shape (n_classes,)
        Class weights of the training examples whose largest vote is not unique.
    prior : ndarray of shape (n_classes,)
        Class distribution of the training examples: D where nothing is ambiguous (I10).
    """
    return distribution(ambiguous) if ambiguous.any() else prior


def tied_for_the_top(votes: NDArray[np.generic]) -> Bools:
    """Return which classes share the largest vote of each row, shape (n_samples, n_classes)."""
    return np.asarray(votes == votes.max(axis=1, keepdims=True))


def decide(votes: NDArray[np.generic], scores: Floats) -> Integers:
    """Return the winning class of each row.

    Parameters
    ----------
    votes : ndarray of int of shape (n_samples, n_classes)
        Summed votes V.
    scores : ndarray of shape (n_classes,)
        `tie_scores`.

    Returns
    -------
    ndarray of int64 of shape (n_samples,)
    """
    return np.asarray(np.where(tied_for_the_top(votes), scores, -1.0).argmax(axis=1))


def probabilities(
    votes: NDArray[np.integer],
    factor: float,
    frequencies: Floats,
    shares: Floats,
) -> Floats:
    """Return class probabilities whose largest is the decision (I11).

    Each vote less makes a class less probable by one factor, a rarer class by its frequency too,
    except that the classes tied for the top share their total in proportion to `shares`.  Powers
    are products of the factor and all sums run in class order, so that Java and exported code get
    the same bits.

    Parameters
    ----------
    votes : ndarray of int of shape (n_samples, n_classes)
        Summed votes V.
    factor : float
        Below 1; 1/e, and equal frequencies, make probabilities go by exp(V_j), the unconstrained
        optimum of eq. 3.
    frequencies : ndarray of float64 of shape (n_classes,)
        At most 1.
    shares : ndarray of float64 of shape (n_classes,)
        In the order of `tie_scores`.

    Returns
    -------
    ndarray of float64 of shape (n_samples, n_classes)
        Rows sum to 1.
    """
    below = votes.max(axis=1, keepdims=True) - votes
    powers = np.ones(int(below.max(initial=0)) + 1)
    for k in range(1, len(powers)):
        powers[k] = powers[k - 1] * factor
    tied = below == 0
    parts = np.where(tied, 1.0, powers[below] * frequencies)
    n_tied = tied.sum(axis=1).astype(np.float64)
    shared = n_tied > 1
    if shared.any():
        tied_total = _sum_in_class_order(np.where(tied, shares, 0.0))
        of_tied = shares / np.where(tied_total > 0, tied_total, 1.0)[:, None] * n_tied[:, None]
        parts = np.where(tied & (shared & (tied_total > 0))[:, None], of_tied, parts)
    return np.asarray(parts / _sum_in_class_order(parts)[:, None])


def ranking_losses(ranking: Floats, Y: Bools) -> Floats:
    """Return the ranking loss of each example, shape (n_samples,), in [0, 1].

    The share of the pairs of a label that the example has and one that it lacks in which the first
    has no higher score.  An example with no label, or with all, has no pair: its loss is 0, and it
    counts in means (as in scikit-learn).

    Parameters
    ----------
    ranking : ndarray of shape (n_samples, n_labels)
        What ranks the labels.
    Y : ndarray of bool of shape (n_samples, n_labels)
        Label matrix.
    """
    n_labels = Y.shape[1]
    # By falling score, of equal scores what is lacking first: such pairs count as wrong.
    order = np.lexsort((Y, -ranking), axis=1)
    held = np.take_along_axis(Y, order, axis=1)
    n_held = Y.sum(axis=1)
    lacking_before = np.cumsum(~held, axis=1)
    pairs = n_held * (n_labels - n_held)
    return np.asarray((lacking_before * held).sum(axis=1) / np.maximum(pairs, 1))


def label_probabilities(scores: Floats, middle: float) -> Floats:
    """Return the probability of each label, 1 / (1 + exp(-(S - middle))), in [0, 1].

    Parameters
    ----------
    scores : ndarray of shape (n_samples, n_labels)
        What ranks the labels, S: but for the middle the logarithm of the odds of each.
    middle : float
        The score of probability one half.
    """
    odds = np.exp(-np.abs(scores - middle))  # at most 1: no overflow
    return np.asarray(np.where(scores >= middle, 1.0, odds) / (1.0 + odds))


def _sum_in_class_order(parts: Floats) -> Floats:
    total = parts[:, 0].copy()
    for j in range(1, parts.shape[1]):
        total += parts[:, j]
    return total
