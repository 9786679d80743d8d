"""A committee while it is searched, and how the rows stand with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Bools, Floats, Integers, Votes
    from widc_arff.induction.sample.coding import Chain
    from widc_arff.induction.search.objective import Objective
    from widc_arff.induction.search.rows import Rows


class SearchedRule(NamedTuple):
    """A rule: literals of the catalogue, and votes for the classes that occur."""

    monomial: Chain
    vector: Integers


class Standing:
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

    def __init__(
        self, rows: Rows, objective: Objective, rules: Sequence[SearchedRule] = ()
    ) -> None:
        self.rows, self.objective = rows, objective
        self.restart(rules)

    def vote(self, rule: SearchedRule, sign: int = 1) -> None:
        """Add the votes of a rule, or with -1 take them away."""
        shift = (sign * rule.vector).astype(np.int32)
        self.votes[:, self.rows.cover(rule.monomial)] += shift[:, None]

    def restart(self, rules: Sequence[SearchedRule]) -> None:
        """Take another committee."""
        self.rules: list[SearchedRule] = list(rules)
        self.votes: Votes = self.rows.votes_of(rules)
        self.settle()

    def settle(self) -> None:
        """Recompute the default vector, and with it the decisions."""
        n_classes = self.rows.n_classes
        loss, every = self.rows.loss, slice(None)
        self.is_tied: Bools = loss.is_ambiguous(self.votes, every)
        self.ambiguous: Floats = self.rows.class_weights[:, self.is_tied].sum(axis=1)
        """Weight of the rows where the default vector matters, by class."""
        self.order = loss.order(self.ambiguous)
        self.keys: Votes = self.votes * n_classes + self.order.ranks[:, None]
        """The class with the largest key wins."""
        self.won: Floats = loss.decided(self.keys, self.order, every).right
        """Weight that is right in each row, shape (n_rows,)."""
        self.errors = loss.total - float(self.won.sum())
        """Weight of the errors, in quanta."""

    def change(self, slot: int, come: Sequence[SearchedRule]) -> None:
        """Put rules in the place of the one at a slot, or behind the last."""
        gone = self.rules[slot : slot + 1]
        self.exchange(gone, come, [*self.rules[:slot], *come, *self.rules[slot + 1 :]])

    def exchange(
        self,
        gone: Sequence[SearchedRule],
        come: Sequence[SearchedRule],
        rules: Sequence[SearchedRule],
    ) -> None:
        """Take a committee in which some rules are gone and some have come.

        Only rows that these cover are looked at, and ties, where they go in another order.
        """
        rows, loss = self.rows, self.rows.loss
        is_changed = np.zeros(rows.n_rows, np.bool_)
        for rule, sign in [*((rule, -1) for rule in gone), *((rule, 1) for rule in come)]:
            self.vote(rule, sign)
            is_changed |= rows.cover(rule.monomial)
        self.rules = list(rules)
        changed = np.flatnonzero(is_changed)
        votes, was_tied = self.votes[:, changed], self.is_tied[changed]
        self.is_tied[changed] = loss.is_ambiguous(votes, changed)
        change = self.is_tied[changed].astype(np.float64) - was_tied
        self.ambiguous = self.ambiguous + rows.class_weights[:, changed] @ change
        before, self.order = self.order, loss.order(self.ambiguous)
        self.keys[:, changed] = votes * rows.n_classes + before.ranks[:, None]
        moved = self.order.ranks - before.ranks
        if moved.any():
            self.keys += moved[:, None]
            changed = np.flatnonzero(is_changed | self.is_tied)
        self.won[changed] = self.right_with(self.keys[:, changed], changed)
        self.errors = loss.total - float(self.won.sum())

    def price(self, rule: SearchedRule) -> float:
        """Return the price of a rule, with that of what contradicts it."""
        bits = self.objective.of_rule(*rule)
        if self.objective.of_contradiction:
            bits += self.objective.of_cover(rule.vector, self.rows.weights_in(rule.monomial))
        return bits

    def prices_without_each(self, rule: SearchedRule) -> Floats:
        """Return the price of a rule without each of its literals, shape (n_monomial_literals,)."""
        monomial, vector = rule
        bits = self.objective.without_each(monomial) + self.objective.of_vector(vector)
        if self.objective.of_contradiction:
            weights = self.rows.weights_without_each(monomial)
            bits += self.objective.of_covers(vector[None], weights)[0]
        return bits

    @property
    def cost(self) -> float:
        """Price of all rules."""
        return sum(map(self.price, self.rules))

    @property
    def length(self) -> float:
        """J of the committee."""
        return self.objective.of_error(self.errors) + self.cost

    @property
    def last_resort(self) -> int:
        """The class that wins if all tie."""
        return int(self.order.of_rank[-1])

    def right_with(self, keys: Votes, rows: Integers) -> Floats:
        """Return the weight that is right in some rows with other keys, shape (n_some,)."""
        return self.rows.loss.decided(keys, self.order, rows).right
