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
from widc_arff.induction.sample.kept import Kept
from widc_arff.induction.search.budget import LOOKING, SCORING
from widc_arff.induction.search.families import Vectors, families_near, simple_families
from widc_arff.induction.search.rows import COVERED
from widc_arff.induction.search.standing import SearchedRule
from widc_arff.tolerance import TOLERANCE, is_lower

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from widc_arff.arrays import Bools, Floats, Integers, Votes
    from widc_arff.induction.demands import Demands
    from widc_arff.induction.sample.coding import Chain
    from widc_arff.induction.search.budget import Budget
    from widc_arff.induction.search.families import Family
    from widc_arff.induction.search.standing import Standing


COVERED_CELLS = 1 << 22
"""Rows times monomials that are looked at together, for the memory."""


class Polisher:
    """Changes the rules of a committee as long as J falls.

    Parameters
    ----------
    standing : Standing
        The committee, which changes.
    demands : Demands
        Limits and demands.
    budget : Budget
        What may be tried.
    pool : iterable of tuple of int
        Monomials that came up before; the last of them are tried as new rules.
    """

    def __init__(
        self, standing: Standing, demands: Demands, budget: Budget, pool: Iterable[Chain]
    ) -> None:
        self._standing, self._demands, self._budget = standing, demands, budget
        self._pool = [monomial for monomial in pool if len(monomial) > 1][-budget.pool :]
        self._simple = Vectors.of(simple_families(standing.rows.n_classes))
        self._near: Kept[bytes, Vectors] = Kept()

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
        most_work = self._standing.rows.work + self._budget.polish_work
        slot = idle = len(self._standing.rules) if again else 0
        length = before = self._standing.length
        costs = self._costs_of(self._standing.rules)
        around = Surroundings(self._standing, self._demands, costs)
        while idle <= len(self._standing.rules) and self._standing.rows.work <= most_work:
            change, new_length = self._best_change(slot, around, length)
            if change is None:
                idle += 1
                slot += 1
            else:
                self._standing.change(slot, change)
                costs[slot : slot + 1] = self._costs_of(change)
                around = Surroundings(self._standing, self._demands, costs)
                length, idle = new_length, 0
                if again:
                    slot, again = 0, False
            if slot > len(self._standing.rules):
                if before - length < self._budget.worth_a_turn * before:
                    break
                slot, before = 0, length
        return idle > len(self._standing.rules)

    def _costs_of(self, rules: Sequence[SearchedRule]) -> list[float]:
        return [self._standing.price(rule) for rule in rules]

    def _best_change(
        self, slot: int, around: Surroundings, length: float
    ) -> tuple[list[SearchedRule] | None, float]:
        """Return what should stand in a slot, and J with it; None to leave it."""
        place = _Place(around, slot, length, self._budget.rests)
        place.look_at(self._vectors_near(place.rule), self._budget.slot_work)
        whole = place.less() if place.rule else place.whole(self._pool)
        changes = [place.with_each(), whole, place.nothing()]
        return place.best([change for change in changes if change], self._budget)

    def _vectors_near(self, rule: SearchedRule | None) -> Vectors:
        """Return the vectors to try in a place: of one exception, and near the rule's own."""
        rows = self._standing.rows
        if rule is None or rows.n_classes == 2:
            return self._simple
        of_cover = self._demands.vectors_of(rule.monomial, rows.weights_in(rule.monomial))
        key = rule.vector.tobytes() + of_cover.tobytes()
        near = self._near.get(key)
        if near is None:
            families = [*families_near(rule.vector, of_cover), *self._simple.families]
            near = Vectors.of(families)
            may_vote = self._demands.may_vote(near.vectors)
            if may_vote is not None:
                near = near.only(near.tried[may_vote[near.tried]])
            self._near.keep(key, near)
        return near


class Surroundings:
    """What all slots of a committee share, until it changes.

    Parameters
    ----------
    standing : Standing
        The committee.
    demands : Demands
        Limits and demands.
    costs : list of float
        What each rule costs.
    """

    def __init__(self, standing: Standing, demands: Demands, costs: list[float]) -> None:
        self.standing, self.demands, self.costs = standing, demands, costs
        self.n_literals = sum(len(rule.monomial) for rule in standing.rules)
        self.taken = demands.known | {frozenset(rule.monomial) for rule in standing.rules}
        self.by_length = by_length(self.taken)
        self.nearly_open: Bools = standing.rows.loss.is_open(standing.keys, 2)
        """Rows that another rule in the place of one can."""


class _Scored(NamedTuple):
    """Changes of one kind: J with ties as they go at present, and what they are.

    Parameters
    ----------
    lengths : ndarray of float64 of shape (n_pairs, n_literals)
        One literal where none is added.
    pairs : sequence of (int, ndarray of int64 of shape (n_classes,))
        Which monomials with which vectors; none for no rule at all.
    monomial : callable
        Returns a monomial, by its number.
    grows : bool
        Whether a literal is added.
    """

    lengths: Floats
    pairs: Sequence[tuple[int, Integers]]
    monomial: Callable[[int], Chain]
    grows: bool


class _Place:
    """The place of a rule in a committee, or of a new one, and what another rule brings there.

    Parameters
    ----------
    around : Surroundings
        The committee.
    slot : int
        Which of its rules stands there; none behind the last.
    length : float
        J at present.
    n_rests : int
        Of how many rests at most each literal is added: of those that promise most.
    """

    def __init__(self, around: Surroundings, slot: int, length: float, n_rests: int) -> None:
        self.standing = standing = around.standing
        rows = standing.rows
        self.rule = standing.rules[slot] if slot < len(standing.rules) else None
        self._around, self._demands, self._objective = around, around.demands, standing.objective
        self._length = length
        others = around.costs[:slot] + around.costs[slot + 1 :]
        self._price, self._n_others = sum(others), len(others)
        self.monomial = monomial = self.rule.monomial if self.rule else ()
        self._size = around.n_literals - len(monomial)
        self._n_rests = min(len(monomial), n_rests) + 1
        """The monomial, and what is left of it without a literal: its rests are numbered so."""
        unmet = rows.unmet(monomial)
        self._reach = np.flatnonzero((unmet >= COVERED) & around.nearly_open)
        """Rows that any of the rests covers, and that any vector can decide in another way."""
        self._kind_of: Votes = unmet + 1
        """0 where the rule holds, else the number of the only rest that covers a row."""

    def look_at(self, vectors: Vectors, work: float) -> None:
        """Find what vectors win in each row, the most promising of them if work is short.

        None is looked at where J could not fall even if all rows were right with it.

        Parameters
        ----------
        vectors : Vectors
            Those to try.
        work : float
            Additions that this may cost, and scoring with all literals.
        """
        of_literal = float(self._n_rests) * (len(self._reach) + SCORING)
        of_vector = of_literal * len(self.standing.rows.catalogue)
        of_looking = LOOKING * len(self._reach) * len(vectors.tried)
        self._step = max(1, int(max(of_vector, of_looking) / work))
        self.standing.rows.work += of_looking / self._step
        rows = self._reach[:: self._step]
        self.others = others = Others(self.standing, self.rule, rows, self._kind_of[rows] == 0)
        self._errors = self.standing.errors + self._step * others.loss
        self._vectors = vectors.vectors[:0]
        if not self._can_pay(self._step * others.winnable, self._objective.of_exception):
            return
        most = max(1, int(work * self._step / max(of_vector, 1.0)))
        if most < len(vectors.tried):
            won = others.won_with(vectors.families, others.held)
            promise = np.maximum(won, 0.0).sum(axis=1)[vectors.tried]
            best = np.argsort(-promise, kind="stable")[:most]
            vectors = vectors.only(vectors.tried[np.sort(best)])
        won = others.won_with(vectors.families)[vectors.tried]
        some = np.flatnonzero(won.any(axis=0))
        self._vectors = vectors.vectors[vectors.tried]
        self._won, self._rows = won[:, some] * self._step, others.rows[some]
        self._kinds = self._kind_of[self._rows]
        self._vector_prices = self._objective.of_vectors(self._vectors)

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
        rows, objective = self.standing.rows, self._objective
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
                of_rest += objective.of_covers(own, rows.weights_with_each(monomial))
            of_rest[:, self._barred(number)] = np.inf
            allowed = self._demands.allowed_with_each(monomial, own)
            if allowed is not None:
                of_rest[~allowed] = np.inf
        pairs = list(zip(rest.tolist(), vectors, strict=True))
        return _Scored(lengths, pairs, self._rest, grows=True)

    def _rest(self, number: int) -> Chain:
        """Return a rest: 0 is the monomial itself, k + 1 the one without its k-th literal."""
        return self.monomial[: max(number - 1, 0)] + self.monomial[number:]

    @cached_property
    def _prices_of_rests(self) -> Floats:
        """Price of the literals of each rest."""
        whole = self._objective.of_monomial(self.monomial)
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
        barred = self._demands.barred(rest).copy()
        barred[list(self.monomial)] = True
        barred[self._taken_with.get(number, [])] = True
        if not self._demands.allow_sizes(self._n_others + 1, self._size + len(rest) + 1):
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
        fit = np.full(len(own) + 1, self._demands.allow_sizes(n_others + 1, n_literals - 1))
        fit[0] = self._demands.allow_sizes(n_others + 1, n_literals)
        if len(own) == 1:
            fit[1] = False
        for other in self._around.by_length.get(len(own) - 1, []):
            if other < own:
                fit[self.monomial.index(*(own - other)) + 1] = False
        numbers = np.flatnonzero(fit)
        if not len(numbers):
            return None
        rows = self.standing.rows
        n_looked = len(numbers) if len(own) < FEW_LITERALS else 1
        rows.work += float(n_looked * len(self._rows)) * len(self._won)
        weights = None
        if self._objective.of_contradiction:
            of_whole = rows.weights_in(self.monomial)[:, None]
            weights = np.hstack([of_whole, rows.weights_without_each(self.monomial)])[:, numbers]
        allowed = self._demands.allowed_without_each(self.monomial, self._vectors)
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
        rows, objective = self.standing.rows, self._objective
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
            np.array([objective.of_monomial(monomial) for monomial in fit]),
            weights,
            self._demands.allowed_of_each(fit, self._vectors),
            lambda k: fit[k],
        )

    def _may_be(self, monomial: Chain) -> bool:
        """Tell whether no rule has a monomial, and the limits allow it."""
        size = self._size + len(monomial)
        is_free = frozenset(monomial) not in self._around.taken
        return is_free and self._demands.allow_sizes(self._n_others + 1, size)

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
            lengths += self._objective.of_covers(self._vectors, weights).T
        if allowed is not None:
            lengths[~allowed] = np.inf
        which, vector = np.nonzero(lengths < self._length)
        pairs = list(zip(which.tolist(), self._vectors[vector], strict=True))
        return _Scored(lengths[which, vector][:, None], pairs, monomial, grows=False)

    def nothing(self) -> _Scored | None:
        """Score the removal of the rule."""
        if self.rule is None:
            return None
        length = self._objective.of_error(self._errors) + self._price
        return _Scored(np.array([[length]]), (), self._rest, grows=False)

    def best(
        self, changes: list[_Scored], budget: Budget
    ) -> tuple[list[SearchedRule] | None, float]:
        """Return the best change if it lowers J, and J with it.

        Votes that do not agree with the cover are passed over.

        Parameters
        ----------
        changes : list of _Scored
            All that is tried.
        budget : Budget
            Of how many the default vector is recomputed.
        """
        best, length = None, self._length
        n_seen, n_exact = budget.seen, budget.exact
        flat = np.concatenate([change.lengths.ravel() for change in changes] or [np.zeros(0)])
        some = np.flatnonzero(flat < length)
        if len(some) > n_seen:
            most = np.partition(flat[some], n_seen - 1)[n_seen - 1]
            some = some[flat[some] <= most + TOLERANCE]
        some = some[np.argsort(np.round(flat[some], 9), kind="stable")][:n_seen]
        for k in some.tolist():
            if not n_exact or not is_lower(float(flat[k]), length):
                break
            rules = self._rules(changes, k)
            if not all(self._demands.agreeing(m, vector[None])[0] for m, vector in rules):
                continue
            n_exact -= 1
            exact = self._exact(rules, float(flat[k]))
            if is_lower(exact, length):
                best, length = rules, exact
        return best, length

    def _rules(self, changes: list[_Scored], place: int) -> list[SearchedRule]:
        """Return what a change puts in the place: a rule, or none."""
        for change in changes:
            if place < change.lengths.size:
                break
            place -= change.lengths.size
        if not change.pairs:
            return []
        k, literal = divmod(place, change.lengths.shape[1])
        number, vector = change.pairs[k]
        monomial = change.monomial(number)
        grown = (*monomial, literal) if change.grows else monomial
        return [SearchedRule(grown, vector)]

    def _exact(self, come: list[SearchedRule], length: float) -> float:
        """Return J with other rules in the place, the default vector recomputed.

        `length` is J with ties as they go at present.
        """
        standing, others = self.standing, self._every_other
        votes, held = others.votes_with(come)
        loss = standing.rows.loss
        is_tied = loss.is_ambiguous(votes, others.rows[held])
        weights = standing.rows.class_weights[:, others.rows[held]]
        ambiguous = others.ambiguous + weights @ (is_tied.astype(np.float64) - others.is_tied[held])
        order = loss.order(ambiguous)
        price = self._price + sum(map(standing.price, come))
        is_same = (order.ranks == standing.order.ranks).all()
        if is_same and self._step == 1:
            return length
        rows, now = [others.rows[held]], [others.right[held]]
        every = [votes]
        if not is_same:  # then all other ties can go in another way too
            tied = others.is_tied & ~held
            outside = self._tied_outside
            rows += [others.rows[tied], outside]
            now += [others.right[tied], standing.won[outside]]
            every += [others.votes[:, tied], standing.votes[:, outside]]
        keys = np.concatenate(every, axis=1) * len(votes) + order.ranks[:, None]
        right = loss.decided(keys, order, np.concatenate(rows)).right
        errors = standing.errors + others.loss - float(right.sum() - np.concatenate(now).sum())
        return self._objective.of_error(errors) + price

    @cached_property
    def _every_other(self) -> Others:
        """The other rules, in all rows that matter."""
        if self._step == 1:
            return self.others
        return Others(self.standing, self.rule, self._reach, self._kind_of[self._reach] == 0)

    @cached_property
    def _tied_outside(self) -> Integers:
        """Rows where ties matter and no rule in the place does."""
        is_tied = self.standing.is_tied.copy()
        is_tied[self._every_other.rows] = False
        return np.flatnonzero(is_tied)


class Others:
    """The committee without the rule of a place, where another one can decide otherwise.

    Parameters
    ----------
    standing : Standing
        The committee.
    rule : SearchedRule or None
        The rule that is taken away.
    rows : ndarray of int64 of shape (n_some,)
        The rows to look at.
    held : ndarray of bool of shape (n_some,)
        Which of them the rule covers.
    """

    def __init__(
        self, standing: Standing, rule: SearchedRule | None, rows: Integers, held: Bools
    ) -> None:
        self._standing = standing
        keys = standing.keys[:, rows]
        if rule is not None:
            keys[:, held] -= (rule.vector * len(keys)).astype(np.int32)[:, None]
        some = standing.rows.loss.is_open(keys, 1)
        self.rows, self.keys, self.held = rows[some], keys[:, some], held[some]
        self.right: Floats = standing.right_with(self.keys, self.rows)
        """Weight that is right in each row, shape (n_rows,)."""
        self.loss = float(standing.won[self.rows].sum() - self.right.sum())
        """Weight that is right only with the rule, less that only without."""
        most = standing.rows.loss.most_right[self.rows]
        self.winnable = float(most.sum() - self.right.sum())
        """Weight that other votes could make right beyond what is right without the rule."""

    def won_with(self, families: Sequence[Family], held: Bools | slice = slice(None)) -> Floats:
        """Return what vectors win in each row, or in some of them, shape (n_vectors, n_held)."""
        keys, rows = self.keys[:, held], self.rows[held]
        n_classes, loss, order = len(keys), self._standing.rows.loss, self._standing.order
        without = loss.decided(keys, order, rows)
        decided = {np.zeros(n_classes, np.int64).tobytes(): without}
        won = []
        for vector, step, labels in families:
            shift = vector - vector.min()
            with_it = decided.get(shift.tobytes())
            if with_it is None:
                shifted = keys + (shift * n_classes).astype(np.int32)[:, None]
                with_it = decided[shift.tobytes()] = loss.decided(shifted, order, rows)
            won.append(with_it.moved(step, labels) if step else with_it.right[None])
        total = np.concatenate(won)
        total -= without.right
        return total

    def votes_with(self, come: list[SearchedRule]) -> tuple[Votes, Bools]:
        """Return the votes with a rule more in the rows that it covers, and which these are."""
        held = np.zeros(len(self.rows), np.bool_)
        for rule in come:
            held = self._standing.rows.cover(rule.monomial)[self.rows]
        votes = self.votes[:, held]
        for rule in come:
            votes += rule.vector.astype(np.int32)[:, None]
        return votes, held

    @cached_property
    def votes(self) -> Votes:
        """Votes of the others, shape (n_classes, n_rows)."""
        return np.asarray(self.keys // len(self.keys))

    @cached_property
    def is_tied(self) -> Bools:
        """In which rows the default vector matters without the rule."""
        return self._standing.rows.loss.is_ambiguous(self.votes, self.rows)

    @cached_property
    def ambiguous(self) -> Floats:
        """Weight of all these rows, by class."""
        standing = self._standing
        change = self.is_tied.astype(np.float64) - standing.is_tied[self.rows]
        return np.asarray(standing.ambiguous + standing.rows.class_weights[:, self.rows] @ change)
