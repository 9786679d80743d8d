"""A committee while it is searched, and how the rows stand with it.

The search asks a committee the same questions whatever is decided: what a rule and each of its
literals are worth, what votes in a place would win, what is right with another rule in the place
when ties have gone their new way.  How rows are kept, and so how these are answered, depends on
what is decided: `margins` for two classes, `keys` for more and for rankings of labels,
`label_margins` for sets of labels.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.induction.constraints import Constraints
    from widc_arff.induction.sample.coding import Chain
    from widc_arff.induction.search.families import Vectors
    from widc_arff.induction.search.objective import Objective
    from widc_arff.induction.search.rows import Rows


class SearchedRule(NamedTuple):
    """A rule: literals of the catalogue, and votes for the classes that occur."""

    monomial: Chain
    vector: Integers


class SearchState(ABC):
    """The votes, decisions and errors of a committee.

    Parameters
    ----------
    rows : Rows
        The examples.
    objective : Objective
        J.
    rules : sequence of SearchedRule
        The committee.
    """

    won: Floats
    """Weight that is right in each row, shape (n_rows,)."""
    errors: float
    """Weight of the errors, in quanta."""

    def __init__(
        self, rows: Rows, objective: Objective, rules: Sequence[SearchedRule] = ()
    ) -> None:
        self.rows, self.objective = rows, objective
        self.restart(rules)

    def restart(self, rules: Sequence[SearchedRule]) -> None:
        """Take another committee."""
        self.rules: list[SearchedRule] = list(rules)
        self._clear()
        for rule in rules:
            self.vote(rule)
        self.settle()

    def change(self, slot: int, come: Sequence[SearchedRule]) -> None:
        """Put rules in the place of the one at a slot, or behind the last."""
        gone = self.rules[slot : slot + 1]
        self.exchange(gone, come, [*self.rules[:slot], *come, *self.rules[slot + 1 :]])

    @abstractmethod
    def _clear(self) -> None:
        """Begin with the votes that are given, and no decisions."""

    @abstractmethod
    def vote(self, rule: SearchedRule, sign: int = 1) -> None:
        """Add the votes of a rule, or with -1 take them away; decisions stay as they are."""

    @abstractmethod
    def settle(self) -> None:
        """Recompute the default vector, and with it the decisions."""

    def exchange(
        self,
        gone: Sequence[SearchedRule],
        come: Sequence[SearchedRule],
        rules: Sequence[SearchedRule],
    ) -> None:
        """Take a committee in which some rules are gone and some have come."""
        for rule in gone:
            self.vote(rule, -1)
        for rule in come:
            self.vote(rule)
        self.rules = list(rules)
        self._settle_where([*gone, *come])

    @abstractmethod
    def _settle_where(self, rules: Sequence[SearchedRule]) -> None:
        """Do as `settle` does, when only the votes of some rules have come or gone since then."""

    @contextmanager
    def without(self, rule: SearchedRule | None) -> Iterator[None]:
        """Stand without a rule for a while, ties as they go at present."""
        if rule is None:
            yield
            return
        kept = self._leave_out(rule)
        try:
            yield
        finally:
            self._put_back(rule, kept)

    @abstractmethod
    def _leave_out(self, rule: SearchedRule) -> tuple[Any, ...]:
        """Take a rule away; return what `_put_back` needs."""

    @abstractmethod
    def _put_back(self, rule: SearchedRule, kept: tuple[Any, ...]) -> None:
        """Undo `_leave_out`."""

    @abstractmethod
    def can_change(self, n_rules: int, rows: Integers | slice = slice(None)) -> Bools:
        """Return in which rows the votes of so many rules more can change what is right."""

    @abstractmethod
    def won_after(self, rows: Integers, vector: Integers) -> Floats:
        """Return what some rows win by a vector, ties as they go at present, shape (n_some,)."""

    @abstractmethod
    def won_with(self, rows: Integers, vectors: Vectors) -> Floats:
        """Return the same of the vectors that are tried, shape (n_tried, n_some)."""

    def lost_without(self, rule: SearchedRule) -> Floats:
        """Return what is lost without a rule, and without each of its literals, if several.

        Ties as they go at present.  Shape (1,), or (n_monomial_literals + 1,).
        """
        monomial, vector = rule
        covered = self.rows.places(monomial)
        lost = [-self.won_after(covered, -vector).sum(keepdims=True)]
        if len(monomial) > 1:
            rows, kinds = self.rows.near(monomial)
            almost = np.flatnonzero(kinds)
            won = self.won_after(rows[almost], vector)
            lost.append(-np.bincount(kinds[almost] - 1, won, minlength=len(monomial)))
        return np.concatenate(lost)

    @abstractmethod
    def errors_with(self, rows: Integers, vector: Integers, *, is_known: bool) -> float | None:
        """Return the errors with the votes of a rule in some rows, the default vector recomputed.

        None where ties go as they go at present and `is_known`: the errors are known then.
        """

    def vector_of_cover(self, monomial: Chain, constraints: Constraints) -> Integers:
        """Return the votes that a cover by itself asks for."""
        return constraints.vectors_of(monomial, self.rows.weights_in(monomial))

    def price(self, rule: SearchedRule) -> float:
        """Return the price of a rule, with that of what contradicts it."""
        bits = self.objective.of_rule(*rule)
        if self.objective.of_contradiction:
            bits += self.objective.cover_bits(rule.vector, self.rows.weights_in(rule.monomial))
        return bits

    def prices_without_each(self, rule: SearchedRule) -> Floats:
        """Return the price of a rule without each of its literals, shape (n_monomial_literals,)."""
        monomial, vector = rule
        bits = self.objective.without_each(monomial) + self.objective.vote_bits(vector)
        if self.objective.of_contradiction:
            weights = self.rows.weights_without_each(monomial)
            bits += self.objective.cover_bits_of_each(vector[None], weights)[0]
        return bits

    @property
    def cost(self) -> float:
        """Price of all rules."""
        return sum(map(self.price, self.rules))

    @property
    def length(self) -> float:
        """J of the committee."""
        return self.objective.error_bits(self.errors) + self.cost


class SoftStanding(SearchState):
    """A committee whose votes make probabilities of which one class gets what others lose."""

    @abstractmethod
    def softmax(self, rows: Integers | slice) -> tuple[Floats, Floats, Integers | None]:
        """Return the softmax of the votes of some rows, with half a vote for the last resort.

        Returns
        -------
        p : ndarray of float64 of shape (n_classes, n_kinds)
        weights : ndarray of float64 of shape (n_kinds,)
            Weight of the rows of each kind, in quanta.
        kind : ndarray of int64 of shape (n_some,), or None
            The kind of each row; None where each is one by itself.
        """

    @property
    @abstractmethod
    def default_class(self) -> int:
        """The class that wins if all tie."""
