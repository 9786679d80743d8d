"""Two classes: one number a row, its margin, how many more votes the second class has.

The second class wins where twice the margin and the tie, +1 or -1, are positive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.induction.losses.class_error import ClassError
from widc_arff.induction.search.state import SearchedRule, SoftStanding
from widc_arff.model.decision import PRIOR_WEIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Bools, Floats, Integers, Votes
    from widc_arff.induction.search.families import Vectors


class Margins(SoftStanding):
    """A committee for two classes."""

    def _clear(self) -> None:
        rows = self.rows
        assert isinstance(rows.loss, ClassError)
        self._right = rows.loss.right
        self._more = self._right[1] - self._right[0]
        """What is right in each row with the second class and not with the first."""
        given = rows.given_votes
        self.margins: Votes = (
            np.zeros(rows.n_rows, np.int32) if given is None else given[1] - given[0]
        )

    def vote(self, rule: SearchedRule, sign: int = 1) -> None:
        """Add the votes of a rule, or with -1 take them away; decisions stay as they are."""
        self.margins[self.rows.places(rule.monomial)] += sign * _lead(rule.vector)

    def settle(self) -> None:
        """Recompute the default vector, and with it the decisions."""
        self.ambiguous: Floats = self._label_weights(np.flatnonzero(self.margins == 0))
        """Weight of the rows where the default vector matters, by class."""
        self._tie = self._tie_of(self.ambiguous)
        self._is_second: Bools = 2 * self.margins + self._tie > 0
        self.won = np.where(self._is_second, self._right[1], self._right[0])
        self.errors = self.rows.loss.total - float(self.won.sum())

    def _label_weights(self, rows: Integers) -> Floats:
        return np.asarray(self.rows.class_weights[:, rows].sum(axis=1))

    def _tie_of(self, ambiguous: Floats) -> int:
        """Return who wins ties, as `scores_in_ties` has it: +1 for the second class, else -1."""
        first, second = ambiguous.tolist()
        p_first, p_second = prior = self.rows.loss.prior.tolist()
        total = first + second
        d_first, d_second = (first / total, second / total) if total else prior
        return 1 if d_second + PRIOR_WEIGHT * p_second > d_first + PRIOR_WEIGHT * p_first else -1

    def _settle_where(self, rules: Sequence[SearchedRule]) -> None:
        """Look at all rows: they are one number each."""
        del rules
        self.settle()

    def _leave_out(self, rule: SearchedRule) -> tuple[Any, ...]:
        rows = self.rows.places(rule.monomial)
        kept = (
            self.margins[rows],
            self._is_second[rows],
            self.won[rows],
            self.ambiguous,
            self.errors,
        )
        margins = kept[0] - _lead(rule.vector)
        is_second = 2 * margins + self._tie > 0
        self.errors -= float((self._more[rows] * _change(kept[1], is_second)).sum())
        self.ambiguous = self._ambiguous_after(rows, kept[0], margins)
        self.margins[rows], self._is_second[rows] = margins, is_second
        self.won[rows] = np.where(is_second, self._right[1][rows], self._right[0][rows])
        return kept

    def _put_back(self, rule: SearchedRule, kept: tuple[Any, ...]) -> None:
        rows = self.rows.places(rule.monomial)
        self.margins[rows], self._is_second[rows], self.won[rows] = kept[:3]
        self.ambiguous, self.errors = kept[3:]

    def _ambiguous_after(self, rows: Integers, before: Votes, after: Votes) -> Floats:
        """Return the weight of all ambiguous rows when the margins of some have changed."""
        come, gone = rows[after == 0], rows[before == 0]
        return np.asarray(self.ambiguous + self._label_weights(come) - self._label_weights(gone))

    def can_change(self, n_rules: int, rows: Integers | slice = slice(None)) -> Bools:
        """Return where another class can win or tie; the votes of a rule differ by two at most."""
        return np.asarray(np.abs(self.margins[rows]) <= 2 * n_rules)

    def won_after(self, rows: Integers, vector: Integers) -> Floats:
        """Return what some rows win by a vector, ties as they go at present, shape (n_some,)."""
        margins = self.margins[rows] + _lead(vector)
        won = _change(self._is_second[rows], 2 * margins + self._tie > 0)
        won *= self._more[rows]
        return won

    def won_with(self, rows: Integers, vectors: Vectors) -> Floats:
        """Return the same of the vectors that are tried, shape (n_tried, n_some)."""
        tried = vectors.vectors[vectors.tried]
        leads = (2 * (tried[:, 1] - tried[:, 0])).astype(np.int32)
        twice = 2 * self.margins[rows] + self._tie
        won = _change(self._is_second[rows], twice + leads[:, None] > 0)
        won *= self._more[rows]
        return won

    def lost_without(self, rule: SearchedRule) -> Floats:
        """Return what is lost without a rule, and without each of its literals, if several."""
        monomial, vector = rule
        if len(monomial) == 1:
            won = self.won_after(self.rows.places(monomial), -vector)
            return np.asarray(-won.sum(keepdims=True))
        rows, kinds = self.rows.near(monomial)
        leads = np.full(len(monomial) + 1, _lead(vector), np.int32)
        leads[0] *= -1
        margins = self.margins[rows] + leads[kinds]
        lost = _change(2 * margins + self._tie > 0, self._is_second[rows])
        lost *= self._more[rows]
        return np.bincount(kinds, lost, minlength=len(monomial) + 1).astype(np.float64, copy=False)

    def errors_with(self, rows: Integers, vector: Integers, *, is_known: bool) -> float | None:
        """Return the errors with the votes of a rule in some rows, ties as they go then."""
        before = self.margins[rows]
        after = before + _lead(vector)
        tie = self._tie_of(self._ambiguous_after(rows, before, after))
        if tie == self._tie and is_known:
            return None
        change = _change(self._is_second[rows], 2 * after + tie > 0)
        right = float((self._more[rows] * change).sum())
        if tie != self._tie:
            is_tied = self.margins == 0
            is_tied[rows] = False
            right += tie * float(self._more[is_tied].sum())
        return self.errors - right

    def softmax(self, rows: Integers | slice) -> tuple[Floats, Floats, Integers | None]:
        """Return the softmax of the votes, which rows of the same margin share."""
        margins = self.margins[rows]
        least = int(margins.min(initial=0))
        kinds = (margins - least).astype(np.int64)
        weights = np.bincount(kinds, self.rows.weights[rows]).astype(np.float64, copy=False)
        scores = np.zeros((2, len(weights)))
        scores[1] = np.arange(least, least + len(weights))
        return softmax_of(scores, self.default_class), weights, kinds

    @property
    def default_class(self) -> int:
        """The class that wins if all tie."""
        return 1 if self._tie > 0 else 0


def softmax_of(scores: Floats, default_class: int) -> Floats:
    """Return the softmax of votes of shape (n_classes, n_rows), in their place."""
    scores[default_class] += 0.5
    scores -= scores.max(axis=0)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=0)
    return scores


def _lead(vector: Integers) -> int:
    """Return by how much a vector moves the margin."""
    return int(vector[1] - vector[0])


def _change(before: Bools, after: Bools) -> Floats:
    """Return +1 where something has become true, -1 where it is no more."""
    change = after.astype(np.float64)
    change -= before
    return change
