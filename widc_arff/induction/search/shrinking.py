"""Shrinking: removals of rules, literals and exceptions, down the order of J.

What each rule gains best by is kept in a heap.  Entries are stale after a removal; one is looked at
again when it comes to the top.  The best committee of the sequence is returned.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.induction.search.standing import SearchedRule
from widc_arff.model.decision import base_of
from widc_arff.tolerance import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.induction.demands import Demands
    from widc_arff.induction.search.budget import Budget
    from widc_arff.induction.search.standing import Standing


class Removal(NamedTuple):
    """What a rule loses.

    Parameters
    ----------
    errors : float
        Weight by which errors rise, ties as they go at present.
    rule : SearchedRule or None
        What is left of the rule.
    """

    errors: float
    rule: SearchedRule | None


def shrink(standing: Standing, demands: Demands, budget: Budget) -> None:
    """Leave the best committee on the way down to none that keeps within the limits."""
    descent = _Descent(standing, demands)
    best, least = list(standing.rules), standing.length
    within = demands.allow_sizes(*sizes_of(best))
    while descent.step():
        length = standing.length
        allowed = demands.allow_sizes(*sizes_of(standing.rules))
        if allowed and (not within or length <= least + TOLERANCE * (1 + least)):
            best, least, within = list(standing.rules), length, True
        elif within and length > least * (1 + budget.dips) + budget.dips_bits:
            break
    standing.restart(best if within else [])


def sizes_of(rules: Sequence[SearchedRule]) -> tuple[int, int]:
    """Return how many rules and literals a committee has."""
    return len(rules), sum(len(rule.monomial) for rule in rules)


class _Descent:
    def __init__(self, standing: Standing, demands: Demands) -> None:
        self._standing, self._demands = standing, demands
        self._left: dict[int, SearchedRule] = dict(enumerate(standing.rules))
        self._taken = {frozenset(rule.monomial) for rule in standing.rules} | demands.known
        self._n_done = 0
        self._heap: list[tuple[float, int, int, Removal]] = []
        for k in self._left:
            self._look_at(k)

    def step(self) -> bool:
        """Do the best removal; return whether there was one."""
        while self._heap:
            _, later, seen, removal = heapq.heappop(self._heap)
            if seen < self._n_done:
                self._look_at(-later)
                if self._heap[0][1] != later or self._heap[0][2] != self._n_done:
                    continue
                _, _, _, removal = heapq.heappop(self._heap)
            self._do(-later, removal)
            return True
        return False

    def _do(self, k: int, removal: Removal) -> None:
        gone, come = [self._left[k]], []
        self._taken.difference_update({frozenset(gone[0].monomial)} - self._demands.known)
        if removal.rule is None:
            del self._left[k]
        else:
            self._left[k] = removal.rule
            self._taken.add(frozenset(removal.rule.monomial))
            come = [removal.rule]
        self._standing.exchange(gone, come, list(self._left.values()))
        self._n_done += 1
        if removal.rule is not None:
            self._look_at(k)

    def _look_at(self, k: int) -> None:
        """Put the best removal of a rule on the heap."""
        standing, objective = self._standing, self._standing.objective
        rule = self._left[k]
        removals = removals_of(standing, rule)
        errors = standing.errors + np.array([removal.errors for removal in removals])
        prices = np.array([0.0 if r.rule is None else standing.price(r.rule) for r in removals])
        lengths = np.round(objective.of_errors(errors) + prices, 9)
        order = np.argsort(lengths, kind="stable").tolist()
        best = next(n for n in order if self._may_be(rule, removals[n].rule))
        now = objective.of_error(standing.errors) + standing.price(rule)
        # of equal ones the later rule first
        heapq.heappush(self._heap, (float(lengths[best]) - now, -k, self._n_done, removals[best]))

    def _may_be(self, rule: SearchedRule, left: SearchedRule | None) -> bool:
        """Tell whether what is left of a rule may be; nothing always may."""
        if left is None:
            return True
        is_new = left.monomial == rule.monomial or frozenset(left.monomial) not in self._taken
        return is_new and bool(self._demands.allowed(left.monomial, left.vector[None])[0])


def removals_of(standing: Standing, rule: SearchedRule) -> list[Removal]:
    """Return what a rule can lose: all of it, a literal, an exception; votes stay as they are."""
    rows, n_classes = standing.rows, standing.rows.n_classes
    monomial, vector = rule
    near, n_covered, unmet = rows.near(monomial)
    shift = (vector * n_classes).astype(np.int32)[:, None]
    keys = standing.keys[:, near]
    keys[:, :n_covered] -= shift
    keys[:, n_covered:] += shift
    lost = standing.won[near] - standing.right_with(keys, near)
    removals = [Removal(float(lost[:n_covered].sum()), None)]
    if len(monomial) > 1:
        removals += [
            Removal(errors, SearchedRule(monomial[:k] + monomial[k + 1 :], vector))
            for k, errors in enumerate((unmet @ lost[n_covered:]).tolist())
        ]
    if n_classes > 2:
        covered, bare = near[:n_covered], keys[:, :n_covered]
        won = float(standing.won[covered].sum())
        base = base_of(vector.tolist())
        for label in np.flatnonzero(vector != base).tolist():
            plain = vector.copy()
            plain[label] = base
            if (plain != base).any():
                with_it = bare + (plain * n_classes).astype(np.int32)[:, None]
                errors = won - float(standing.right_with(with_it, covered).sum())
                removals.append(Removal(errors, SearchedRule(monomial, plain)))
    return removals
