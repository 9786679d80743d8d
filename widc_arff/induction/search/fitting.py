"""Fitting votes: coordinate descent on the log loss of what a monomial covers."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.search.budget import FITTING
from widc_arff.tolerance import ROUNDED, TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from widc_arff.arrays import Floats, Integers
    from widc_arff.induction.search.state import SoftStanding


AT_ONCE = 1 << 12
"""Logarithms that are taken together: of more, changes are looked at one after another."""
OTHER_VOTES = np.array([[-1, 1], [-1, 0], [0, 1]])
"""What a vote of 0, 1, or at the end of -1, can change to."""


class VoteFit:
    """The log loss of the rows of a cover with votes added, given the votes that are there.

    Parameters
    ----------
    state : SoftStanding
        The committee.
    rows : ndarray of int64 of shape (n_covered,)
        The cover, or a part of it.
    scale : int
        How many rows each stands for.
    """

    def __init__(self, state: SoftStanding, rows: Integers, scale: int = 1) -> None:
        self._objective = state.objective
        self._p, weights, _ = state.softmax(rows)
        self._weights = weights * scale
        self._n_rows = len(rows)
        self.class_weights: Floats = state.rows.summed_weights(rows) * scale
        self.margin = TOLERANCE + ROUNDED * float(self.class_weights.sum())
        """What losses can differ by, by the order of the rows."""
        self.work = 0.0
        """Additions so far."""

    def worth(self, vector: Integers) -> float:
        """Return by how much a vector lowers the loss, minus the price of its votes, in nats.

        The price includes the covered rows that contradict the votes.
        """
        fall = self.class_weights @ vector - self._weights @ np.log(self._norms(vector))
        return float(fall) - self._price_of(vector)

    def _norms(self, vector: Integers) -> Floats:
        return np.asarray(np.exp(vector) @ self._p)

    def _price_of(self, vector: Integers) -> float:
        """Return the price of the votes of a vector, in nats."""
        objective = self._objective
        bits = objective.vote_bits(vector)
        if objective.of_contradiction:
            bits += objective.cover_bits(vector, self.class_weights)
        return float(bits * objective.nats_of_bit)

    def descend(
        self, vector: Integers, n_tried: int, may_be: Callable[[Integers], bool]
    ) -> tuple[float, Integers]:
        """Change one vote at a time, the best first, as long as that is worth it.

        The `n_tried` votes are tried that the rows want most to change, within the vectors that may
        be.  The log loss is convex in each vote, so that its slope bounds what a
        change can gain: changes are looked at by these bounds, until none can be the best.
        """
        apart = np.abs(self.class_weights - self._p @ self._weights)
        labels = np.argsort(-np.round(apart, 9), kind="stable")[:n_tried]
        label = np.repeat(labels, 2)
        p, wanted, norms = self._p[label], self.class_weights[label], self._norms(vector)
        of_rows = float(self._weights @ np.log(norms))
        loss = of_rows - float(self.class_weights @ vector) + self._price_of(vector)
        while True:
            now, vote = vector[label], OTHER_VOTES[vector[labels]].ravel()
            self.work += FITTING * len(label) * self._n_rows
            steps = np.exp(vote) - np.exp(now)
            rest = self._prices_of_changes(vector, label, vote) - wanted * (vote - now)
            rest -= float(self.class_weights @ vector)
            if p.size <= AT_ONCE:
                losses = np.log(norms + p * steps[:, None]) @ self._weights + rest
                bounds, left = losses, []
            else:
                slopes = (p @ (self._weights / norms)) * np.exp(now)
                bounds = of_rows + slopes * (vote - now) + rest
                losses, left = np.full(len(label), np.inf), np.argsort(-bounds).tolist()
            while True:
                while left and bounds[left[-1]] <= min(losses.min(), loss) + TOLERANCE * (
                    1 + abs(loss)
                ):
                    k = left.pop()
                    losses[k] = self._weights @ np.log(norms + p[k] * steps[k]) + rest[k]
                least = float(losses.min())
                if not least < loss - self.margin:
                    return -loss, vector
                best = int((losses <= least + ROUNDED * (1 + abs(least))).argmax())
                changed = vector.copy()
                changed[label[best]] = vote[best]
                if may_be(changed):
                    break
                losses[best] = np.inf
            loss, norms = float(losses[best]), norms + p[best] * steps[best]
            vector, of_rows = changed, loss - float(rest[best])

    def _prices_of_changes(self, vector: Integers, label: Integers, vote: Integers) -> Floats:
        """Return what a vector costs, in nats, with one vote changed."""
        objective, values = self._objective, vector.tolist()
        n_exceptions = exceptions_after(values.count(-1), values.count(0), values.count(1))
        bits = objective.of_exception * n_exceptions[vector[label], vote]
        if objective.of_contradiction:
            vectors = np.repeat(vector[None], len(label), axis=0)
            vectors[np.arange(len(label)), label] = vote
            bits += objective.cover_bits_of_each(vectors, self.class_weights[:, None])[:, 0]
        return np.asarray(bits * objective.nats_of_bit)


@lru_cache(maxsize=1 << 12)
def exceptions_after(*counts: int) -> Integers:
    """Return how many exceptions a vector has when one vote (rows) has become another (columns).

    `counts` are of its votes of -1, 0 and 1; in the result votes are places.
    """
    found = np.zeros((3, 3), np.int64)
    for now, vote in product((-1, 0, 1), repeat=2):
        after = list(counts)
        after[now + 1] -= 1
        after[vote + 1] += 1
        found[now, vote] = sum(counts) - max(after)
    return found
