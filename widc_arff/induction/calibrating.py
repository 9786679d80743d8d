"""How certain votes are: the scale of the probabilities, and the shares of tied classes.

A committee errs more often on new rows than on those that it was found with.  Its rules were chosen
for these, and what they cost to tell says how freely: a rule of so many bits could have been had by
chance for as many bits of corrected errors.  So its price is taken to hide the errors that it pays
for, among the rows that are right, and the probabilities are those of least log loss with most of
these errors counted.  Classes are less probable by their frequency where others have more votes:
else each of many rare ones would get as much as a common one, and the decided one too little.  The
shares of tied classes are those of the training examples that tie,
with some examples of the class distribution added, in the order in which ties are won.

Where an example can have several labels, each label has odds of its own: the logistic regression of
the label on its votes (Platt 1999), by which more votes never make it less probable.  It is fitted
as if there were more rows, with any votes, that have the label as often as all rows do; the more of
them, the more was paid for the rules that name the label.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.model.decision import decide, tied_for_the_top
from widc_arff.model.rules import Calibration, LabelOdds
from widc_arff.tolerance import TOLERANCE, first_least

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Bools, Floats, Integers


GRID = 200
"""The factor of a vote is a whole number of such parts of one: the same on every machine."""
PART_HIDDEN = 0.6
"""The part of the hidden errors that counts: .5 to 1 are as good on the mean of many domains, but
with all of them decisions among many classes are told as less sure than they are."""
PRIOR_EXAMPLES = 10.0
"""Examples of the class distribution that are added to those that tie: 3 or 20 are little worse."""
LEAST_CHANCE = 1e-300
"""What counts as a chance of nothing."""
ODDS_GRID = 256
"""Slopes and intercepts are whole numbers of such parts of one."""
MORE_OF_LITERAL = 10.0
"""Examples that say nothing for each literal of the rules that name a label: with 3 of them the
probabilities of labels were told as more certain than they are, with 20 nothing was won."""
MOST_MORE = 0.2
"""The examples that say nothing, as a share of all, at most: with more of them rules that are right
on three of four rows decided nothing in tables of ten rows."""
MOST_STEPS = 100
ROWS_AT_A_TIME = 4096
LEAST_BITS = 0.2
"""Bits that an error costs at least, where half of all rows are wrong."""


def fitted_calibration(
    votes: Integers,
    class_weights: Floats,
    example_weight: float,
    scores: Floats,
    price: float,
) -> Calibration:
    """Return what makes probabilities of votes.

    Parameters
    ----------
    votes : ndarray of int64 of shape (n_patterns, n_classes)
        Summed votes.
    class_weights : ndarray of float64 of shape (n_patterns, n_classes)
        Weight of the training examples of each class, in quanta.
    example_weight : float
        Weight of one quantum in examples.
    scores : ndarray of float64 of shape (n_classes,)
        What decides ties.
    price : float
        Bits that tell the rules of the committee.

    Notes
    -----
    The loss of every step is computed: with hidden errors it need not fall, then rise.  Of steps of
    equal loss the smallest factor is taken.
    """
    frequencies = relative_frequencies(class_weights, example_weight)
    shares = tie_shares(votes, class_weights, example_weight, scores)
    decided = decide(votes, scores)
    hidden = expected_hidden_errors(class_weights, example_weight, decided, price)
    losses = np.zeros(GRID - 1)
    for first in range(0, len(votes), ROWS_AT_A_TIME):
        rows = slice(first, first + ROWS_AT_A_TIME)
        weights = class_weights[rows] * example_weight
        losses += losses_by_step(votes[rows], weights, decided[rows], frequencies, shares, hidden)
    factor = (1 + first_least(losses)) / GRID
    return Calibration(factor, tuple(frequencies.tolist()), tuple(shares.tolist()))


def relative_frequencies(class_weights: Floats, example_weight: float) -> Floats:
    """Return the examples of each class, and one more, over those of the most frequent class."""
    frequencies = class_weights.sum(axis=0) * example_weight + 1
    return np.asarray(frequencies / frequencies.max())


def losses_by_step(
    votes: Integers,
    class_weights: Floats,
    decided: Integers,
    frequencies: Floats,
    shares: Floats,
    hidden: float,
) -> Floats:
    """Return the log loss of the factors 1/GRID, 2/GRID, ..., shape (GRID - 1,).

    Parameters
    ----------
    votes : ndarray of int64 of shape (n_patterns, n_classes)
        Summed votes.
    class_weights : ndarray of float64 of shape (n_patterns, n_classes)
        Weight of the training examples of each class, in examples.
    decided : ndarray of int64 of shape (n_patterns,)
        The class of each pattern.
    frequencies, shares : ndarray of float64 of shape (n_classes,)
        Of the classes, and what tied ones share by.
    hidden : float
        The share of the examples that are right that count as one of the other classes, whichever.

    Notes
    -----
    The chance of a class is factor ** gap times its frequency, or a constant where it is tied, over
    their sum, which depends only on the sum of the frequencies that have each gap.
    """
    rows, n_patterns = np.arange(len(votes)), len(votes)
    gaps = votes.max(axis=1, keepdims=True) - votes
    longest = int(gaps.max(initial=0))
    factors = np.arange(1, GRID) / GRID
    places = (rows[:, None] * (longest + 1) + gaps).ravel()
    spread = np.broadcast_to(frequencies, gaps.shape).ravel()
    sums = np.bincount(places, spread, n_patterns * (longest + 1)).reshape(n_patterns, -1)
    below = sums[:, 1:] @ factors ** np.arange(1, longest + 1)[:, None]

    tied = gaps == 0
    n_tied = tied.sum(axis=1, keepdims=True).astype(np.float64)
    of_tied = np.where(tied, shares, 0.0)
    of_tied = np.where(n_tied > 1, of_tied / of_tied.sum(axis=1, keepdims=True) * n_tied, tied)
    of_decided = of_tied[rows, decided]
    moved = hidden * class_weights[rows, decided]
    constant = (class_weights * np.log(np.where(tied, of_tied, frequencies))).sum()
    constant -= (moved * np.log(of_decided)).sum()

    others = of_tied.copy()
    others[rows, decided] = 0.0
    of_others = np.log(np.maximum(others.sum(axis=1, keepdims=True) + below, LEAST_CHANCE))
    n_votes_less = (class_weights * gaps).sum()
    of_all = class_weights.sum(axis=1) @ np.log(n_tied + below)
    return np.asarray(of_all - moved @ of_others - n_votes_less * np.log(factors) - constant)


def tie_shares(
    votes: Integers, class_weights: Floats, example_weight: float, scores: Floats
) -> Floats:
    """Return what tied classes share by, in the order of the scores, shape (n_classes,).

    Where scores differ shares do; sums are of whole quanta, in any order the same.
    """
    ties = tied_for_the_top(votes).sum(axis=1) > 1
    weights = class_weights.sum(axis=0) * example_weight
    prior = (weights + 1) / (weights + 1).sum()
    shares = class_weights[ties].sum(axis=0) * example_weight + PRIOR_EXAMPLES * prior
    order = np.argsort(-scores, kind="stable")
    in_order = np.sort(shares / shares.sum())[::-1].copy()
    for k in range(1, len(order)):  # the largest probability is the decision
        differ = scores[order[k]] < scores[order[k - 1]]
        most = in_order[k - 1] * (1 - 2.0**-20) if differ else in_order[k - 1]
        in_order[k] = min(in_order[k], most)
    return np.asarray(in_order[np.argsort(order)])


def expected_hidden_errors(
    class_weights: Floats, example_weight: float, decided: Integers, price: float
) -> float:
    """Return the share of the examples that are right taken to be hidden errors, at most a half.

    So many that what they would cost to correct is the price of the committee.
    """
    total = float(class_weights.sum()) * example_weight
    right = float(class_weights[np.arange(len(decided)), decided].sum()) * example_weight
    n_classes = int(np.count_nonzero(class_weights.sum(axis=0)))
    of_class = float(np.log2(max(n_classes - 1, 1)))
    hidden = 0.0
    for _ in range(20):
        share = min((total - right + 1 + hidden) / total, 0.5)
        of_error = float(np.log2((1 - share) / share))
        hidden = price / (max(of_error, LEAST_BITS) + of_class)
    return min(PART_HIDDEN * hidden / right, 0.5) if right > 0 else 0.0


def examples_said_nothing(sizes: Sequence[int], vectors: Integers) -> Floats:
    """Return how many examples that say nothing are added, of each label, shape (n_labels,).

    Parameters
    ----------
    sizes : sequence of int
        Literals of the rules.
    vectors : ndarray of int64 of shape (n_rules, n_labels)
        Their votes.
    """
    n_named = np.maximum(np.count_nonzero(vectors, axis=1), 1)
    of_rules = np.array(sizes, np.float64) / n_named
    return np.asarray(PRIOR_EXAMPLES + MORE_OF_LITERAL * (of_rules @ (vectors != 0)))


def label_odds_of(
    votes: Integers, Y: Bools, weights: Floats, example_weight: float, n_more: Floats
) -> LabelOdds:
    """Return what makes probabilities of votes where an example can have several labels.

    Parameters
    ----------
    votes : ndarray of int64 of shape (n_samples, n_labels)
        Summed votes.
    Y : ndarray of bool of shape (n_samples, n_labels)
        Label matrix.
    weights : ndarray of float64 of shape (n_samples,)
        Of the training examples, in quanta.
    example_weight : float
        Weight of one quantum in examples.
    n_more : ndarray of float64 of shape (n_labels,)
        Examples that say nothing of each label, positive; `MOST_MORE` of all examples at most.

    Notes
    -----
    Slopes and intercepts are whole numbers of parts of one, the same on every machine.  A label of
    which all votes are the same has a slope of 1: nothing is known of other votes.
    """
    n_labels, lowest = votes.shape[1], int(votes.min(initial=0))
    n_values = int(votes.max(initial=0)) - lowest + 1
    place = (votes - lowest) + np.arange(n_labels) * n_values
    of_rows = np.broadcast_to(weights[:, None], votes.shape)
    sums = [
        np.bincount(place.ravel(), (of_rows * held).ravel(), n_labels * n_values)
        for held in (np.ones_like(Y), Y)
    ]
    counts, positive = (
        np.asarray(of.reshape(n_labels, n_values) * example_weight, np.float64) for of in sums
    )
    total = counts.sum(axis=1)
    shares = (positive.sum(axis=1) + 0.5) / (total + 1)
    more = counts * np.minimum(n_more / total, MOST_MORE)[:, None]
    positive += more * shares[:, None]
    counts += more
    values = np.arange(lowest, lowest + n_values, dtype=np.float64)
    slopes, intercepts = _logistic(values, counts, positive)
    of_all, positive_of_all = counts.sum(axis=1), positive.sum(axis=1)
    plain = np.log(positive_of_all / (of_all - positive_of_all))
    can_change = np.count_nonzero(counts, axis=1) > 1
    only = values[counts.argmax(axis=1)]
    slopes = np.where(can_change, slopes, 1.0)
    intercepts = np.where(can_change, intercepts, plain - only)
    rises = slopes > 0
    slopes, intercepts = np.where(rises, slopes, 0.0), np.where(rises, intercepts, plain)
    slopes, intercepts = (np.rint(x * ODDS_GRID) / ODDS_GRID + 0.0 for x in (slopes, intercepts))
    return LabelOdds(tuple(slopes.tolist()), tuple(intercepts.tolist()))


def _logistic(values: Floats, counts: Floats, positive: Floats) -> tuple[Floats, Floats]:
    """Return slopes and intercepts of least log loss, by Newton's method in bounded steps.

    Parameters
    ----------
    values : ndarray of float64 of shape (n_values,)
        What the regressions are on.
    counts, positive : ndarray of float64 of shape (n_labels, n_values)
        Examples with each value, and those of them that have the label.
    """
    slopes, intercepts = np.zeros(len(counts)), np.zeros(len(counts))
    for _ in range(MOST_STEPS):
        p = 1 / (1 + np.exp(-(slopes[:, None] * values + intercepts[:, None])))
        wanted, curve = positive - counts * p, counts * p * (1 - p)
        g0, g1 = wanted.sum(axis=1), wanted @ values
        h0, h1, h2 = curve.sum(axis=1), curve @ values, curve @ values**2
        det = np.maximum(h0 * h2 - h1 * h1, LEAST_CHANCE)
        steps = np.array([h2 * g0 - h1 * g1, h0 * g1 - h1 * g0]) / det
        steps /= np.maximum(np.abs(steps).max(axis=0), 1.0)
        intercepts, slopes = intercepts + steps[0], slopes + steps[1]
        if np.abs(steps).max(initial=0) < TOLERANCE:
            break
    return slopes, intercepts
