"""Shrinking: removals of rules, literals and exceptions, down the order of J.

What each rule gains best by is kept in a heap.  Entries are stale after a removal; one is looked at
again when it comes to the top.  The best committee of the sequence is returned.
"""

from __future__ import annotations

import heapq
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.search.state import SearchedRule
from widc_arff.model.decision import exceptions_of
from widc_arff.tolerance import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Floats, Integers
    from widc_arff.induction.constraints import Constraints
    from widc_arff.induction.search.budget import Budget
    from widc_arff.induction.search.state import SearchState


class Removals:
    """What a rule can lose: all of it, a literal, an exception; votes stay as they are.

    Parameters
    ----------
    state : SearchState
        The committee.
    rule : SearchedRule
        One of its rules.
    """

    def __init__(self, state: SearchState, rule: SearchedRule) -> None:
        self._rule = rule
        monomial, vector = rule
        self._n_literals = len(monomial) if len(monomial) > 1 else 0
        self.errors: Floats = state.lost_without(rule)
        """Weight by which errors rise with each, ties as they go at present."""
        self.prices: Floats = np.zeros(self._n_literals + 1)
        """Price of what each leaves."""
        if self._n_literals:
            self.prices[1:] = state.prices_without_each(rule)
        self._plain: list[Integers] = []
        if len(vector) > 2 and len(exceptions := exceptions_of(vector)) > 1:
            self._look_at_exceptions(state, exceptions)

    def _look_at_exceptions(
        self, state: SearchState, exceptions: Sequence[tuple[int, int]]
    ) -> None:
        monomial, vector = self._rule
        covered = state.rows.places(monomial)
        errors, prices = [self.errors], self.prices.tolist()
        for label, step in exceptions:
            come = np.zeros_like(vector)
            come[label] = -step
            self._plain.append(vector + come)
            errors.append(-state.won_after(covered, come).sum(keepdims=True))
            prices.append(state.price(SearchedRule(monomial, self._plain[-1])))
        self.errors, self.prices = np.concatenate(errors), np.array(prices)

    def left(self, n: int, order: Sequence[int] = (), at_once: int = 1) -> SearchedRule | None:
        """Return what the n-th leaves of the rule.

        Parameters
        ----------
        n : int
            Place of a removal.
        order : sequence of int
            Places of all, by what they are worth.
        at_once : int
            How many literals are removed, if it is one: the next in the order, too.
        """
        monomial, vector = self._rule
        if n == 0:
            return None
        if n > self._n_literals:
            return SearchedRule(monomial, self._plain[n - self._n_literals - 1])
        others = (k - 1 for k in order if 0 < k <= self._n_literals and k != n)
        gone = {n - 1, *islice(others, at_once - 1)}
        return SearchedRule(tuple(x for k, x in enumerate(monomial) if k not in gone), vector)


def shrink(state: SearchState, constraints: Constraints, budget: Budget) -> None:
    """Leave the best committee on the way down to none that keeps within the limits."""
    descent = _Descent(state, constraints, budget.one_by_one)
    best, least = list(state.rules), state.length
    within = constraints.allow_sizes(*sizes_of(best))
    while descent.step():
        length = descent.length
        allowed = constraints.allow_sizes(*sizes_of(state.rules))
        if allowed and (not within or length <= least + TOLERANCE * (1 + least)):
            best, least, within = list(state.rules), length, True
        elif within and length > least * (1 + budget.uphill_ratio) + budget.uphill_bits:
            break
    state.restart(best if within else [])


def sizes_of(rules: Sequence[SearchedRule]) -> tuple[int, int]:
    """Return how many rules and literals a committee has."""
    return len(rules), sum(len(rule.monomial) for rule in rules)


class _Descent:
    def __init__(self, state: SearchState, constraints: Constraints, one_by_one: int) -> None:
        self._state, self._constraints, self._one_by_one = state, constraints, one_by_one
        self._left: dict[int, SearchedRule] = dict(enumerate(state.rules))
        self._prices = {k: state.price(rule) for k, rule in self._left.items()}
        self._taken = {frozenset(rule.monomial) for rule in state.rules} | constraints.known
        self._n_done = 0
        self._heap: list[tuple[float, int, int, SearchedRule | None]] = []
        for k in self._left:
            self._look_at(k)

    @property
    def length(self) -> float:
        """J of what is left."""
        bits = self._state.objective.error_bits(self._state.errors)
        return bits + sum(self._prices.values())

    def step(self) -> bool:
        """Do the best removal; return whether there was one."""
        while self._heap:
            _, later, seen, left = heapq.heappop(self._heap)
            if seen < self._n_done:
                self._look_at(-later)
                if self._heap[0][1] != later or self._heap[0][2] != self._n_done:
                    continue
                _, _, _, left = heapq.heappop(self._heap)
            self._do(-later, left)
            return True
        return False

    def _do(self, k: int, left: SearchedRule | None) -> None:
        gone, come = [self._left[k]], []
        self._taken.difference_update({frozenset(gone[0].monomial)} - self._constraints.known)
        if left is None:
            del self._left[k], self._prices[k]
        else:
            self._left[k], self._prices[k] = left, self._state.price(left)
            self._taken.add(frozenset(left.monomial))
            come = [left]
        self._state.exchange(gone, come, list(self._left.values()))
        self._n_done += 1
        if left is not None:
            self._look_at(k)

    def _look_at(self, k: int) -> None:
        """Put the best removal of a rule on the heap."""
        state, objective = self._state, self._state.objective
        rule = self._left[k]
        removals = Removals(state, rule)
        bits = objective.of_errors(state.errors + removals.errors)
        lengths = (bits + removals.prices).round(9)
        at_once = max(1, len(rule.monomial) // self._one_by_one)
        best, order = int(lengths.argmin()), list[int]()
        left = removals.left(best) if at_once == 1 else rule
        if at_once > 1 or not self._may_be(rule, left):
            order = np.argsort(lengths, kind="stable").tolist()
            for best in order:
                left = removals.left(best, order, at_once)
                if self._may_be(rule, left):
                    break
        now = objective.error_bits(state.errors) + self._prices[k]
        # of equal ones the later rule first
        heapq.heappush(self._heap, (float(lengths[best]) - now, -k, self._n_done, left))

    def _may_be(self, rule: SearchedRule, left: SearchedRule | None) -> bool:
        """Tell whether what is left of a rule may be; nothing always may."""
        if left is None:
            return True
        is_new = left.monomial == rule.monomial or frozenset(left.monomial) not in self._taken
        return is_new and self._constraints.allows(*left)
