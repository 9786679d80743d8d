"""Polishing: a local search that changes one rule at a time, literals and votes together.

Slots are the rules and one for a new rule.  In a slot every vector is tried with every monomial
that has one literal more, one less, another one, or the same; in that of a new rule every literal
and every monomial that came up while growing.  All are scored by what they win with ties as they
go at present; the most promising are looked at with the default vector recomputed, and the best is
done if J falls.

Vectors have one exception, or differ from the rule's own in one vote.  Where all of them with all
literals are more work than a visit may cost, the most promising vectors are tried, and if these are
still too much every k-th row is looked at.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.induction.paper.growing import by_length, completing
from widc_arff.induction.sample.coding import FEW_LITERALS
from widc_arff.induction.sample.distinct_rows import product
from widc_arff.induction.search.budget import LOOKING, SCORING
from widc_arff.induction.search.families import simple_vectors, vectors_near
from widc_arff.induction.search.state import SearchedRule
from widc_arff.tolerance import TOLERANCE, is_lower

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.induction.constraints import Constraints
    from widc_arff.induction.sample.coding import Chain
    from widc_arff.induction.search.budget import Budget
    from widc_arff.induction.search.families import Vectors
    from widc_arff.induction.search.state import SearchState


NONE = np.zeros(2, np.int64)
COVERED_CELLS = 1 << 22
"""Rows times monomials that are looked at together, for the memory."""


class Polisher:
    """Changes the rules of a committee as long as J falls.

    Parameters
    ----------
    state : SearchState
        The committee, which changes.
    constraints : Constraints
        Limits and demands.
    budget : Budget
        What may be tried.
    pool : iterable of tuple of int
        Monomials that came up before; the last of them are tried as new rules.
    """

    def __init__(
        self, state: SearchState, constraints: Constraints, budget: Budget, pool: Iterable[Chain]
    ) -> None:
        self._state, self._constraints, self._budget = state, constraints, budget
        self._pool = [monomial for monomial in pool if len(monomial) > 1][-budget.pool :]

    def polish(self, *, again: bool = False) -> bool:
        """Visit the slots in turn until none can be improved, or no more is worth it.

        Where none could be improved before, only monomials that were not seen then can do so: the
        slot of a new rule comes first, and the others if that changes.

        Parameters
        ----------
        again : bool
            Whether none could be improved when this committee was polished before.

        Returns
        -------
        bool
            Whether none can be improved.
        """
        most_work = self._state.rows.work + self._budget.polish_work
        slot = idle = len(self._state.rules) if again else 0
        length = before = self._state.length
        costs = self._costs_of(self._state.rules)
        around = CommitteeContext(self._state, self._constraints, costs)
        while idle <= len(self._state.rules) and self._state.rows.work <= most_work:
            change, new_length = self._best_change(slot, around, length)
            if change is None:
                idle += 1
                slot += 1
            else:
                self._state.change(slot, change)
                costs[slot : slot + 1] = self._costs_of(change)
                around = CommitteeContext(self._state, self._constraints, costs)
                length, idle = new_length, 0
                if again:
                    slot, again = 0, False
            if slot > len(self._state.rules):
                if before - length < self._budget.min_improvement * before:
                    break
                slot, before = 0, length
        return idle > len(self._state.rules)

    def _costs_of(self, rules: Sequence[SearchedRule]) -> list[float]:
        return [self._state.price(rule) for rule in rules]

    def _best_change(
        self, slot: int, around: CommitteeContext, length: float
    ) -> tuple[list[SearchedRule] | None, float]:
        """Return what should stand in a slot, and J with it; None to leave it."""
        rule = self._state.rules[slot] if slot < len(self._state.rules) else None
        place = _SlotSearch(around, slot, length, self._budget)
        place.plan(self._vectors_near(rule))
        with self._state.without(rule):
            place.look()
            whole = place.less() if rule else place.whole(self._pool)
            changes = [place.with_each(), whole, place.nothing()]
            return place.best([change for change in changes if change])

    def _vectors_near(self, rule: SearchedRule | None) -> Vectors:
        """Return the vectors to try in a place: of one exception, and near the rule's own."""
        rows = self._state.rows
        if rows.n_classes == 2:
            return simple_vectors(rows.n_classes)
        if rule is None:
            near = simple_vectors(rows.n_classes)
        else:
            of_cover = self._state.vector_of_cover(rule.monomial, self._constraints)
            near = vectors_near(rule.vector.tobytes(), of_cover.tobytes())
        may_vote = self._constraints.may_vote(near.vectors[near.tried])
        if may_vote is None or may_vote.all():
            return near
        return near.only(np.flatnonzero(may_vote))


class CommitteeContext:
    """What all slots of a committee share, until it changes.

    Parameters
    ----------
    state : SearchState
        The committee.
    constraints : Constraints
        Limits and demands.
    costs : list of float
        What each rule costs.
    """

    def __init__(self, state: SearchState, constraints: Constraints, costs: list[float]) -> None:
        self.state, self.constraints, self.costs = state, constraints, costs
        self.n_literals = sum(len(rule.monomial) for rule in state.rules)
        self.taken = constraints.known | {frozenset(rule.monomial) for rule in state.rules}
        self.by_length = by_length(self.taken)
        self.reachable_rows: Bools = state.can_change(2)
        """Rows that another rule in the place of one can."""


class _Scored(NamedTuple):
    """Changes of one kind that would lower J with ties as they go at present.

    Parameters
    ----------
    lengths : ndarray of float64 of shape (n_changes,)
        J with each.
    rule : callable
        Returns what a change puts in the place, by its number; None for no rule.
    """

    lengths: Floats
    rule: Callable[[int], SearchedRule | None]


class _SlotSearch:
    """The place of a rule in a committee, or of a new one, and what another rule brings there.

    Parameters
    ----------
    around : CommitteeContext
        The committee.
    slot : int
        Which of its rules stands there; none behind the last.
    length : float
        J at present.
    budget : Budget
        What may be tried.
    """

    def __init__(self, around: CommitteeContext, slot: int, length: float, budget: Budget) -> None:
        self.state = state = around.state
        self.rule = state.rules[slot] if slot < len(state.rules) else None
        self._around, self._constraints, self._objective = (
            around,
            around.constraints,
            state.objective,
        )
        self._length, self._budget = length, budget
        others = around.costs[:slot] + around.costs[slot + 1 :]
        self._price, self._n_others = sum(others), len(others)
        self.monomial = monomial = self.rule.monomial if self.rule else ()
        self._size = around.n_literals - len(monomial)
        self._n_rests = min(len(monomial), budget.rests) + 1
        """The monomial, and what is left of it without a literal: its rests are numbered so."""
        rows, kinds = state.rows.near(monomial)
        can_change = around.reachable_rows[rows]
        self._rows, self._kinds = rows[can_change], kinds[can_change]
        """Rows that any of the rests covers, and that any vector can decide in another way.

        0 where the rule holds, else the number of the only rest that covers a row.
        """

    def plan(self, vectors: Vectors) -> None:
        """Plan what to look at: every k-th row if work is short.

        Parameters
        ----------
        vectors : Vectors
            Those to try.
        """
        work, n_rows = self._budget.slot_work, len(self._rows)
        of_literal = float(self._n_rests) * (n_rows + SCORING)
        of_vector = of_literal * len(self.state.rows.catalogue)
        of_looking = LOOKING * n_rows * len(vectors.tried)
        self._step = step = max(1, int(max(of_vector, of_looking) / work))
        self.state.rows.work += of_looking / step
        self._most_vectors = max(1, int(work * step / max(of_vector, 1.0)))
        self._planned, self._vectors = vectors, vectors.vectors[:0]
        if step > 1:
            self._rows, self._kinds = self._rows[::step], self._kinds[::step]
            self._errors = self.state.errors + step * float(self.state.won[self._rows].sum())

    def look(self) -> None:
        """Find what vectors win in each row without the rule; the most promising if work is short.

        None is looked at where J could not fall even if all rows were right with it.
        """
        state, step, rows = self.state, self._step, self._rows
        if step > 1:
            self._errors -= step * float(state.won[rows].sum())
        else:
            self._errors = state.errors
        some = state.can_change(1, rows)
        if not some.all():
            rows, self._kinds = rows[some], self._kinds[some]
        winnable = float((state.rows.loss.most_right[rows] - state.won[rows]).sum())
        if not self._can_pay(step * winnable, self._objective.of_exception):
            return
        vectors, most = self._planned, self._most_vectors
        if most < len(vectors.tried):
            won = state.won_with(rows[self._kinds == 0], vectors)
            promise = np.maximum(won, 0.0).sum(axis=1)
            best = np.argsort(-promise, kind="stable")[:most]
            vectors = vectors.only(np.sort(best))
        won = state.won_with(rows, vectors)
        some = np.asarray(won.any(axis=0))
        if not some.all():
            won, rows, self._kinds = won[:, some], rows[some], self._kinds[some]
        self._won, self._rows = won * step if step > 1 else won, rows
        self._vectors = vectors.vectors[vectors.tried]
        self._vector_prices = self._objective.of_exception * vectors.n_exceptions

    def _can_pay(self, won: Floats | float, price: Floats | float = 0.0) -> Bools:
        """Return whether J could fall by a rule that wins so much, for `price` and a literal."""
        least = self._objective.of_errors(np.asarray(self._errors - won)) + self._price
        return np.asarray(least + price + self._objective.of_least_literal < self._length)

    def with_each(self) -> _Scored | None:
        """Score each literal added to the rule's monomial and to its rests.

        Not where J could not fall even if the literal kept out all that is lost, and only that.
        """
        if not len(self._vectors):
            return None
        rows, objective = self.state.rows, self._objective
        prices = self._prices_of_rests[:, None] + self._vector_prices
        gains = self._over_rests(np.maximum(self._won, 0.0))
        can_pay = self._can_pay(gains, prices)
        if len(can_pay) > self._n_rests:
            can_pay[self._least_promising(gains, prices)] = False
        rest, vector = np.nonzero(can_pay)
        if not len(rest):
            return None
        held = (self._kinds == 0) | (self._kinds == rest[:, None])
        sums = rows.sums(held * self._won[vector], self._rows)
        lengths = objective.of_errors(self._errors - sums) + self._price
        lengths += prices[rest, vector][:, None] + objective.prices
        vectors = self._vectors[vector]
        for number in dict.fromkeys(rest.tolist()):
            some, monomial = slice(*np.searchsorted(rest, (number, number + 1))), self._rest(number)
            of_rest, own = lengths[some], vectors[some]
            if objective.of_contradiction:
                of_rest += objective.cover_bits_of_each(own, rows.weights_with_each(monomial))
            of_rest[:, self._barred(number)] = np.inf
            allowed = self._constraints.allowed_with_each(monomial, own)
            if allowed is not None:
                of_rest[~allowed] = np.inf
        below = np.flatnonzero(lengths < self._length)

        def rule_of(k: int) -> SearchedRule:
            pair, literal = divmod(int(below[k]), lengths.shape[1])
            return SearchedRule((*self._rest(int(rest[pair])), literal), vectors[pair])

        return _Scored(lengths.ravel()[below], rule_of)

    def _rest(self, number: int) -> Chain:
        """Return a rest: 0 is the monomial itself, k + 1 the one without its k-th literal."""
        return self.monomial[: max(number - 1, 0)] + self.monomial[number:]

    @cached_property
    def _prices_of_rests(self) -> Floats:
        """Price of the literals of each rest."""
        whole = self._objective.literal_bits(self.monomial)
        return np.append(whole, self._objective.without_each(self.monomial))

    def _over_rests(self, values: Floats) -> Floats:
        """Return the sums of values over the rows of each rest, shape (n_rests, n_series)."""
        n_rests = len(self.monomial) + 1
        if n_rests <= FEW_LITERALS:
            numbers = np.arange(n_rests)[:, None]
            held = (self._kinds == 0) | (self._kinds == numbers)
            return product(held.astype(np.float64), values.T, slice(None))
        sums = np.array([np.bincount(self._kinds, own, minlength=n_rests) for own in values]).T
        sums[1:] += sums[0]
        return sums

    def _least_promising(self, gains: Floats, prices: Floats) -> Integers:
        """Return the rests that are not tried: those of the largest J if all goes well."""
        least = (self._objective.of_errors(self._errors - gains) + prices).min(axis=1)
        least[0] = -np.inf
        return np.argsort(np.round(least, 9), kind="stable")[self._n_rests :]

    def _barred(self, number: int) -> Bools:
        rest = self._rest(number)
        barred = self._constraints.barred(rest).copy()
        barred[list(self.monomial)] = True
        barred[self._taken_with.get(number, [])] = True
        if not self._constraints.allow_sizes(self._n_others + 1, self._size + len(rest) + 1):
            barred[:] = True
        return barred

    @cached_property
    def _taken_with(self) -> dict[int, list[int]]:
        """The literals with which rests, by their numbers, are monomials that are taken."""
        own, by_length = frozenset(self.monomial), self._around.by_length
        found = defaultdict[int, list[int]](list)
        found[0] = completing(by_length, own)
        for other in by_length.get(len(own), []):
            come = other - own
            if len(come) == 1:
                found[self.monomial.index(*(own - other)) + 1] += come
        return found

    def less(self) -> _Scored | None:
        """Score the rule's monomial, and what is left of it without a literal, by themselves."""
        if not len(self._vectors):
            return None
        own, n_others = frozenset(self.monomial), self._n_others
        n_literals = self._size + len(own)
        fit = np.full(len(own) + 1, self._constraints.allow_sizes(n_others + 1, n_literals - 1))
        fit[0] = self._constraints.allow_sizes(n_others + 1, n_literals)
        if len(own) == 1:
            fit[1] = False
        for other in self._around.by_length.get(len(own) - 1, []):
            if other < own:
                fit[self.monomial.index(*(own - other)) + 1] = False
        numbers = np.flatnonzero(fit)
        if not len(numbers):
            return None
        rows = self.state.rows
        n_looked = len(numbers) if len(own) < FEW_LITERALS else 1
        rows.work += float(n_looked * len(self._rows)) * len(self._won)
        weights = None
        if self._objective.of_contradiction:
            of_whole = rows.weights_in(self.monomial)[:, None]
            weights = np.hstack([of_whole, rows.weights_without_each(self.monomial)])[:, numbers]
        allowed = self._constraints.allowed_without_each(self.monomial, self._vectors)
        return self._by_themselves(
            self._over_rests(self._won)[numbers],
            self._prices_of_rests[numbers],
            weights,
            None if allowed is None else allowed[numbers],
            lambda k: self._rest(int(numbers[k])),
        )

    def whole(self, monomials: Sequence[Chain]) -> _Scored | None:
        """Score whole monomials in the place of a new rule."""
        if not len(self._vectors):
            return None
        rows, objective = self.state.rows, self._objective
        fit = [monomial for monomial in monomials if self._may_be(monomial)]
        if not fit:
            return None
        rows.work += float(len(fit) * len(self._rows)) * len(self._won)
        at_once = max(1, COVERED_CELLS // max(1, len(self._rows)))
        won = []
        for first in range(0, len(fit), at_once):
            covers = [rows.cover(monomial)[self._rows] for monomial in fit[first : first + at_once]]
            won.append(product(np.array(covers, np.float64), self._won.T, slice(None)))
        weights = None
        if objective.of_contradiction:
            weights = np.array([rows.weights_in(monomial) for monomial in fit]).T
        return self._by_themselves(
            np.concatenate(won),
            np.array([objective.literal_bits(monomial) for monomial in fit]),
            weights,
            self._constraints.allowed_of_each(fit, self._vectors),
            lambda k: fit[k],
        )

    def _may_be(self, monomial: Chain) -> bool:
        """Tell whether no rule has a monomial, and the limits allow it."""
        size = self._size + len(monomial)
        is_free = frozenset(monomial) not in self._around.taken
        return is_free and self._constraints.allow_sizes(self._n_others + 1, size)

    def _by_themselves(
        self,
        won: Floats,
        prices: Floats,
        weights: Floats | None,
        allowed: Bools | None,
        monomial: Callable[[int], Chain],
    ) -> _Scored:
        """Score monomials to which no literal is added.

        Parameters
        ----------
        won : ndarray of float64 of shape (n_monomials, n_vectors)
            What is won with each vector.
        prices : ndarray of float64 of shape (n_monomials,)
            Price of the literals.
        weights : ndarray of float64 of shape (n_classes, n_monomials), optional
            Weight of each class in the covers, if what contradicts costs something.
        allowed : ndarray of bool of shape (n_monomials, n_vectors), optional
            Which vectors each may have, if not all.
        monomial : callable
            Returns one, by its place.
        """
        lengths = self._objective.of_errors(self._errors - won) + self._price
        lengths += self._vector_prices
        lengths += prices[:, None]
        if weights is not None:
            lengths += self._objective.cover_bits_of_each(self._vectors, weights).T
        if allowed is not None:
            lengths[~allowed] = np.inf
        which, vector = np.nonzero(lengths < self._length)

        def rule_of(k: int) -> SearchedRule:
            return SearchedRule(monomial(int(which[k])), self._vectors[vector[k]])

        return _Scored(lengths[which, vector], rule_of)

    def nothing(self) -> _Scored | None:
        """Score the removal of the rule."""
        if self.rule is None:
            return None
        length = self._objective.error_bits(self._errors) + self._price
        return _Scored(np.array([length]), lambda _: None) if length < self._length else None

    def best(self, changes: list[_Scored]) -> tuple[list[SearchedRule] | None, float]:
        """Return the best change if it lowers J, and J with it.

        Votes that do not agree with the cover are passed over.  Of the most promising ones that do
        the default vector is recomputed.
        """
        best, length = None, self._length
        scored = np.concatenate([change.lengths for change in changes] or [np.zeros(0)])
        n_seen, n_exact = self._budget.seen, self._budget.n_exact
        some = np.arange(len(scored))
        if len(some) > n_seen:
            most = np.partition(scored, n_seen - 1)[n_seen - 1]
            some = np.flatnonzero(scored <= most + TOLERANCE)
        some = some[np.argsort(np.round(scored[some], 9), kind="stable")][:n_seen]
        for k in some.tolist():
            if not n_exact or not is_lower(float(scored[k]), length):
                break
            rule = self._rule(changes, k)
            if rule and not self._constraints.agrees(*rule):
                continue
            n_exact -= 1
            exact = self._exact(rule, float(scored[k]))
            if is_lower(exact, length):
                best, length = [rule] if rule else [], exact
        return best, length

    def _rule(self, changes: list[_Scored], place: int) -> SearchedRule | None:
        """Return what a change puts in the place."""
        for change in changes:
            if place < len(change.lengths):
                break
            place -= len(change.lengths)
        return change.rule(place)

    def _exact(self, come: SearchedRule | None, length: float) -> float:
        """Return J with a rule in the place, or none, the default vector recomputed.

        `length` is J with ties as they go at present.
        """
        state, price, rows, vector = self.state, self._price, np.zeros(0, np.int64), NONE
        if come is not None:
            rows, vector = state.rows.places(come.monomial), come.vector
            rows = rows[self._around.reachable_rows[rows]]
            price += state.price(come)
        errors = state.errors_with(rows, vector, is_known=self._step == 1)
        return length if errors is None else self._objective.error_bits(errors) + price
