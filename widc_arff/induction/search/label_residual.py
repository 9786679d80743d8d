"""What a committee that aims at sets leaves undone, label by label, and votes that mend it.

The probability that a label passes the line is the logistic function of its margin, seen from the
middle between in and out.  A row wants a vote for a label that it has and does not get, or against
one that it gets and has not, as much as the log loss falls by it; it is against a vote that makes
the log loss rise.  That a label which is right could be surer is no reason for a rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.search.residual import Residual
from widc_arff.model.decision import n_exceptions
from widc_arff.tolerance import FIXED_POINT, TOLERANCE

if TYPE_CHECKING:
    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.induction.constraints import Constraints
    from widc_arff.induction.sample.coding import Chain
    from widc_arff.induction.search.label_margins import LabelMargins


STEEPNESS = 2.0
"""By which the margin of a label is multiplied in its log odds."""


class LabelResidual(Residual):
    """What is undone for each label, and behind these against each.

    Parameters
    ----------
    state : LabelMargins
        The committee.
    idle : float
        Share of a row's weight below which its residual for a label is taken as none.
    """

    signs = (1,)

    def __init__(self, state: LabelMargins, idle: float) -> None:
        rows, loss = state.rows, state.loss
        self.kinds = None
        self.weights, self.class_weights = rows.weights, np.vstack([rows.class_weights[:-1]] * 2)
        self.unit = unit = float(2.0 ** np.ceil(np.log2(loss.total)) / FIXED_POINT)
        n_labels = len(loss.Y)
        self.slope: Floats = np.empty((2 * n_labels, rows.n_rows))
        self.curve: Floats = np.empty((2 * n_labels, rows.n_rows))
        for j, (margins, held, right) in enumerate(
            zip(state.margins, loss.Y, state.is_right, strict=True)
        ):
            p = logistic(margins - loss.least[j] + 0.5)
            slope, curve = STEEPNESS * (held - p), STEEPNESS**2 * p * (1 - p)
            curve[np.abs(held - p) <= idle] = 0.0
            for place, wanted in ((j, held), (n_labels + j, ~held)):
                is_there = (curve > 0) & ~(wanted & right)
                sign = 1 if place == j else -1
                self.slope[place] = np.rint(sign * loss.weights * slope * is_there / unit) * unit
                self.curve[place] = np.rint(loss.weights * curve * is_there / unit) * unit
        self._of_all = self.slope, self.curve, self.kinds
        self.n_rows = rows.n_rows


def logistic(margins: Floats) -> Floats:
    """Return probabilities of margins, seen from the middle between in and out."""
    return np.asarray(1 / (1 + np.exp(-STEEPNESS * margins)))


def fitted_to_labels(
    state: LabelMargins, constraints: Constraints, monomial: Chain, covered: Integers
) -> tuple[float, Integers]:
    """Return the fall of the log loss by the best vector less its price, in nats, and the vector.

    Each label gets a vote for or against it where that pays; these are all votes that differ from
    the most frequent one, or all labels but some are voted against.  Votes agree with the cover.
    """
    loss, objective = state.loss, state.objective
    weights = loss.weights[covered]
    margins, held = state.margins.take(covered, axis=1), loss.Y.take(covered, axis=1)
    right = state.is_right.take(covered, axis=1)
    middle = np.asarray(margins - loss.least[:, None] + 0.5, np.float64)
    shown = (weights * held).sum(axis=1) - loss.prior[:-1] * weights.sum()
    falls = np.full((3, len(held)), -np.inf)
    falls[1] = 0.0
    now = _losses(middle, held)
    for step in (1, -1):
        fall = now - _losses(np.asarray(middle + step), held)
        fall = np.where(right & (fall > 0), 0.0, fall)
        agrees = step * shown > TOLERANCE * (1 + np.abs(shown))
        falls[1 + step, agrees] = (fall @ weights)[agrees]
    price = float(objective.nats_of_bit * objective.of_exception)
    best: tuple[float, Integers] = (-np.inf, np.zeros(len(held) + 1, np.int64))
    for base in (0, -1, 1):
        worth = falls - price
        worth[1 + base] += price
        votes = worth.argmax(axis=0) - 1
        votes = np.where(worth[1 + base] >= worth.max(axis=0), base, votes)
        for vector in _within(votes, worth, base, constraints):
            exceptions = int(n_exceptions(vector[None])[0])
            total = float(falls[1 + vector[:-1], np.arange(len(held))].sum()) - price * exceptions
            if total > best[0] and vector.any() and constraints.allows(monomial, vector):
                best = total, vector
    return best


def _within(votes: Integers, worth: Floats, base: int, constraints: Constraints) -> list[Integers]:
    """Return votes as a vector, with the line at 0; with the best exception alone, if need be."""
    vector = np.append(votes, 0)
    may = constraints.may_vote(vector[None])
    if may is None or may[0] or base:
        return [vector]
    gains = worth.max(axis=0) - worth[1 + base]
    alone = np.zeros_like(vector)
    label = int(gains.argmax())
    alone[label] = votes[label]
    return [alone]


def _losses(middle: Floats, held: Bools) -> Floats:
    """Return the log loss of margins, seen from the middle, in each row."""
    return np.asarray(np.logaddexp(0.0, np.where(held, -STEEPNESS, STEEPNESS) * middle))
