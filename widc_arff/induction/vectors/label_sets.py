"""Stage 2 for examples that belong to several classes (sections 5.2 to 5.2.2).

An example with the labels L, neither none nor all of the c, stands for |L| (c - |L|) pairs of a
label j in L and a label k not in L, which share its weight; Z of eq. (3) is the sum of
w exp(-(v_j - v_k) / 2) over all pairs.  Rows with no label or all labels have no pair, and do not
count here.

Lemma 1 does not order the votes any more.  The paper splits each example into one for each of its
labels and searches the ordered vectors (`approximate_vector`), which Theorem 6 bounds; the optimum
itself is a minimum cut (`exact_vector`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.vectors.classes import best_vector
from widc_arff.induction.vectors.pair_cut import minimise_pairs, minimise_pairs_two_valued

if TYPE_CHECKING:
    from collections.abc import Callable

    from widc_arff.arrays import Bools, Floats, Integers


def pair_weights(Y: Bools, weights: Floats) -> Floats:
    """Return the weight of each pair of labels: how much the first should rank above the second.

    Parameters
    ----------
    Y : ndarray of bool of shape (n_samples, n_labels)
        Label matrix of the examples that satisfy the monomial.
    weights : ndarray of float64 of shape (n_samples,)
        Their non-negative weights.

    Returns
    -------
    ndarray of shape (n_labels, n_labels)
        P[j, k] = sum of w / (|L| (c - |L|)) over the examples that have j and not k.  The sum of
        P is the weight of the examples that count.
    """
    sizes = Y.sum(axis=1)
    n_pairs = sizes * (Y.shape[1] - sizes)
    counted = n_pairs > 0
    held = Y[counted]
    share = weights[counted] / n_pairs[counted]
    # Not `@`: threads of a linear algebra library cost more here than they bring.
    missing = (~held).astype(np.float64)
    return np.asarray(np.einsum("ij,ik->jk", held * share[:, None], missing))


def split_weights(Y: Bools, weights: Floats) -> Floats:
    """Return the class weights, shape (n_labels,), with each example split over its labels."""
    sizes = Y.sum(axis=1)
    counted = (sizes > 0) & (sizes < Y.shape[1])
    return np.asarray((weights[counted] / sizes[counted]) @ Y[counted])


def ranking_loss_bound(Y: Bools, weights: Floats, v: Integers) -> float:
    """Return Z of eq. (3), which bounds the ranking loss of one vector.

    Parameters
    ----------
    Y : ndarray of bool of shape (n_samples, n_labels)
        Label matrix of the examples that satisfy the monomial.
    weights : ndarray of float64 of shape (n_samples,)
        Their non-negative weights.
    v : ndarray of int of shape (n_labels,)
        The vector.

    Returns
    -------
    float
        Weights are over the sum for the examples that count: a vector of zeros has 1.  0 if none
        counts.
    """
    P = pair_weights(Y, weights)
    total = float(P.sum())
    if total == 0:
        return 0.0
    factors = np.exp(-np.asarray(v) / 2)
    return float(factors @ P @ (1 / factors)) / total


def exact_vector(Y: Bools, weights: Floats, present: Bools) -> Integers:
    """Return the vector in {-1, 0, 1}^c that minimises Z of eq. (3).

    Parameters
    ----------
    Y : ndarray of bool of shape (n_samples, n_labels)
        Label matrix of the examples that satisfy the monomial.
    weights : ndarray of float64 of shape (n_samples,)
        Their non-negative weights.
    present : ndarray of bool of shape (n_labels,)
        Labels with positive training weight: c counts these.  The others get the lowest vote (I7).

    Returns
    -------
    ndarray of int64 of shape (n_labels,)
        All zero if no example counts.  Ties: `minimise_pairs`.

    Raises
    ------
    WidcError
        If scipy is not installed.
    """
    return _of_present(lambda held: minimise_pairs(pair_weights(held, weights)), Y, present)


def approximate_vector(Y: Bools, weights: Floats, present: Bools) -> Integers:
    """Return the paper's approximation of the vector that minimises Z of eq. (3).

    Parameters and result are those of `exact_vector`.

    Notes
    -----
    With no example of more than k labels Z is at most (c - 1) / (c - k) times the least.  Theorem 6
    prints 1 + e / (c - k), which this implies for k up to 3 only.
    """

    def search(held: Bools) -> Integers:
        of_class = split_weights(held, weights)
        if not of_class.any():
            return np.zeros(len(of_class), np.int64)
        return best_vector(of_class, np.ones(len(of_class), np.bool_))

    return _of_present(search, Y, present)


def vectors_of_covers(covers: Bools, Y: Bools, weights: Floats, *, exact: bool) -> Integers:
    """Return the vector of each cover, shape (n_covers, n_labels).

    Parameters
    ----------
    covers : ndarray of bool of shape (n_covers, n_samples)
        Which examples satisfy each monomial.
    Y : ndarray of bool of shape (n_samples, n_labels)
        Label matrix of all examples.
    weights : ndarray of float64 of shape (n_samples,)
        Their non-negative weights.
    exact : bool
        Whether vectors are the optimum, and not the paper's approximation.
    """
    present = (weights @ Y) > 0
    n_held = Y.sum(axis=1)
    # with one label an example the paper's search finds the optimum
    several = bool((n_held[n_held < present.sum()] > 1).any())
    search = exact_vector if several and exact else approximate_vector
    vectors = [search(Y[cover], weights[cover], present) for cover in covers]
    return np.array(vectors, np.int64).reshape(-1, Y.shape[1])


def majority_vectors(covers: Bools, Y: Bools, weights: Floats) -> Integers:
    """Return the `majority_votes` of each cover; the rest is as in `vectors_of_covers`."""
    of_covers = covers * weights
    is_usual = 2 * (weights @ Y) > weights.sum()
    of_labels = np.einsum("ij,jk->ik", of_covers, Y)
    return majority_votes(of_labels, of_covers.sum(axis=1, keepdims=True), is_usual)


def majority_votes(of_labels: Floats, covered: Floats | float, is_usual: Bools) -> Integers:
    """Return the votes that make the fewest wrong labels in a cover, where it votes alone.

    Parameters
    ----------
    of_labels : ndarray of float64 of shape (..., n_labels)
        Weights of the examples in the cover that have each label.
    covered : float or ndarray of shape (..., 1)
        Weight of the cover.
    is_usual : ndarray of bool of shape (n_labels,)
        Whether more than half of all examples have a label, which is then in the set unless rules
        vote against it.

    Returns
    -------
    ndarray of int64 of shape (..., n_labels)
        -1 for usual labels that less than half of the cover has, 1 for others that more than half
        has, else 0.
    """
    votes_for, votes_against = 2 * of_labels > covered, 2 * of_labels < covered
    return np.where(is_usual, -votes_against.astype(np.int64), votes_for.astype(np.int64))


def exact_vector_two_valued(Y: Bools, weights: Floats, alpha: float = 1.0) -> Integers:
    """Return the vector in {-1, 1}^c that minimises Z of eq. (2), Theorem 4's setting.

    Parameters
    ----------
    Y : ndarray of bool of shape (n_samples, n_labels)
        Label matrix of the examples that satisfy the monomial.
    weights : ndarray of float64 of shape (n_samples,)
        Their non-negative weights.
    alpha : float
        Confidence in the vector; 1 gives eq. (3).

    Returns
    -------
    ndarray of int64 of shape (n_labels,)

    Raises
    ------
    WidcError
        If scipy is not installed.
    """
    return minimise_pairs_two_valued(pair_weights(Y, weights), alpha)


def _of_present(search: Callable[[Bools], Integers], Y: Bools, present: Bools) -> Integers:
    """Return the vector found for the labels that occur, with the lowest vote for the others."""
    found = search(Y[:, present])
    vector = np.full(len(present), found.min(initial=1))
    vector[present] = found
    return vector
