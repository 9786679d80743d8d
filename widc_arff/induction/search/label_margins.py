"""Label sets: one number for each label of a row, its margin, how many votes more than the line.

A vote for a label moves its own margin, one for the line the margins of all; what is right of one
label has nothing to do with the others, so that what vectors win is a sum over labels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.induction.losses.set_error import SetError
from widc_arff.induction.search.state import SearchedRule, SearchState
from widc_arff.induction.vectors.label_sets import majority_votes
from widc_arff.model.decision import from_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Bools, Floats, Integers, Votes
    from widc_arff.induction.constraints import Constraints
    from widc_arff.induction.sample.coding import Chain
    from widc_arff.induction.search.families import Vectors


class LabelMargins(SearchState):
    """A committee that aims at sets; vectors have a vote for the line behind those for labels."""

    @property
    def loss(self) -> SetError:
        """What decisions are judged by."""
        assert isinstance(self.rows.loss, SetError)
        return self.rows.loss

    def _clear(self) -> None:
        shape, given = self.loss.Y.shape, self.rows.given_votes
        self.margins: Votes = np.zeros(shape, np.int32) if given is None else given.copy()
        self.is_right: Bools = np.zeros(shape, np.bool_)
        """Of each label in each row."""
        self.won = np.zeros(shape[1])

    def vote(self, rule: SearchedRule, sign: int = 1) -> None:
        """Add the votes of a rule, or with -1 take them away; decisions stay as they are."""
        self._move(self.rows.places(rule.monomial), rule.vector, sign)

    def _move(self, rows: Integers, vector: Integers, sign: int) -> None:
        steps = from_line(vector)
        for label in np.flatnonzero(steps).tolist():
            self.margins[label, rows] += sign * int(steps[label])

    def settle(self) -> None:
        """Recompute the decisions; how ties go is known."""
        self._look(np.arange(self.rows.n_rows))
        self.errors = self.loss.total - float(self.won.sum())

    def _look(self, rows: Integers) -> None:
        loss = self.loss
        margins = self.margins.take(rows, axis=1)
        is_right = (margins >= loss.least[:, None]) == loss.Y.take(rows, axis=1)
        self.is_right[:, rows] = is_right
        self.won[rows] = loss.weights[rows] * is_right.sum(axis=0)

    def _settle_where(self, rules: Sequence[SearchedRule]) -> None:
        """Look at the rows that the rules cover."""
        is_changed = np.zeros(self.rows.n_rows, np.bool_)
        for rule in rules:
            is_changed[self.rows.places(rule.monomial)] = True
        self._look(np.flatnonzero(is_changed))
        self.errors = self.loss.total - float(self.won.sum())

    def _leave_out(self, rule: SearchedRule) -> tuple[Any, ...]:
        rows = self.rows.places(rule.monomial)
        kept = self.is_right.take(rows, axis=1), self.won[rows], self.errors
        self._move(rows, rule.vector, -1)
        self._look(rows)
        self.errors += float((kept[1] - self.won[rows]).sum())
        return kept

    def _put_back(self, rule: SearchedRule, kept: tuple[Any, ...]) -> None:
        rows = self.rows.places(rule.monomial)
        self._move(rows, rule.vector, 1)
        self.is_right[:, rows], self.won[rows], self.errors = kept

    def can_change(self, n_rules: int, rows: Integers | slice = slice(None)) -> Bools:
        """Return where a label can pass the line, or fall: a rule moves it by one at most."""
        beyond = self.margins[:, rows] - self.loss.least[:, None]
        return np.asarray(((beyond >= -n_rules) & (beyond < n_rules)).any(axis=0))

    def won_after(self, rows: Integers, vector: Integers) -> Floats:
        """Return what some rows win by a vector, shape (n_some,)."""
        steps = from_line(vector)
        labels = np.flatnonzero(steps)
        gained = self._gained(steps[labels][:, None], rows, labels).sum(axis=0)
        return np.asarray(self.loss.weights[rows] * gained)

    def _gained(self, step: Integers | int, rows: Integers, labels: Integers) -> Integers:
        """Return where some labels become right (1), or wrong (-1), with a step of their margins.

        Shape (n_labels, n_some).
        """
        places = np.ix_(labels, rows)
        loss = self.loss
        after = (self.margins[places] + step >= loss.least[labels][:, None]) == loss.Y[places]
        return np.asarray(after.astype(np.int8) - self.is_right[places].astype(np.int8))

    def won_with(self, rows: Integers, vectors: Vectors) -> Floats:
        """Return the same of the vectors that are tried, shape (n_tried, n_some)."""
        steps = from_line(vectors.vectors[vectors.tried])
        gained = np.zeros((len(steps), len(rows)), np.float32)
        for step in np.unique(steps[steps != 0]).tolist():
            labels = np.flatnonzero((steps == step).any(axis=0))
            of_labels = self._gained(step, rows, labels).astype(np.float32)
            gained += (steps[:, labels] == step).astype(np.float32) @ of_labels
        return np.asarray(gained * self.loss.weights[rows])

    def errors_with(self, rows: Integers, vector: Integers, *, is_known: bool) -> float | None:
        """Return the errors with the votes of a rule in some rows."""
        if is_known:
            return None
        if not vector.any():
            return self.errors
        return self.errors - float(self.won_after(rows, vector).sum())

    def vector_of_cover(self, monomial: Chain, constraints: Constraints) -> Integers:
        """Return the votes that make the fewest wrong labels in what a monomial covers."""
        del constraints
        weights = self.rows.weights_in(monomial)
        covered = float(self.loss.weights[self.rows.places(monomial)].sum())
        votes = majority_votes(weights[:-1], covered, self.loss.least == 0)
        return np.append(votes, 0)  # none for the line
