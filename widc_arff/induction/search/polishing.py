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

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.induction.sample.distinct_rows import product
from widc_arff.induction.search.budget import LOOKING, SCORING
from widc_arff.induction.search.families import Vectors, families_near, simple_families
from widc_arff.induction.search.standing import SearchedRule
from widc_arff.tolerance import TOLERANCE, is_lower

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from widc_arff.arrays import Bools, Floats, Integers, Votes
    from widc_arff.induction.demands import Demands
    from widc_arff.induction.sample.coding import Chain
    from widc_arff.induction.search.budget import Budget
    from widc_arff.induction.search.families import Family
    from widc_arff.induction.search.standing import Standing


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
        self._near: dict[bytes, Vectors] = {}

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
        place = _Place(around, slot, length)
        place.look_at(self._vectors_near(place.rule), self._budget.slot_work)
        whole = [rest for rest in place.rests if rest] if place.rule else self._pool
        changes = [place.with_each(), place.whole(whole), place.nothing()]
        return place.best([change for change in changes if change], self._budget.exact)

    def _vectors_near(self, rule: SearchedRule | None) -> Vectors:
        """Return the vectors to try in a place: of one exception, and near the rule's own."""
        rows = self._standing.rows
        if rule is None or rows.n_classes == 2:
            return self._simple
        of_cover = self._demands.vectors_of(rule.monomial, rows.weights_in(rule.monomial))
        key = rule.vector.tobytes() + of_cover.tobytes()
        if key not in self._near:
            families = [*families_near(rule.vector, of_cover), *self._simple.families]
            near = Vectors.of(families)
            may_vote = self._demands.may_vote(near.vectors)
            if may_vote is not None:
                near = near.only(near.tried[may_vote[near.tried]])
            self._near[key] = near
        return self._near[key]


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
        self.taken_with: dict[frozenset[int], list[int]] = {}
        """The literals that make one of these of a monomial."""
        for monomial in self.taken:
            for literal in monomial:
                self.taken_with.setdefault(monomial - {literal}, []).append(literal)
        self.nearly_open: Bools = standing.rows.loss.is_open(standing.keys, 2)
        """Rows that another rule in the place of one can."""


class _Scored(NamedTuple):
    """Changes of one kind: J with ties as they go at present, and what they are.

    Parameters
    ----------
    lengths : ndarray of float64 of shape (n_pairs, n_literals)
        One literal where none is added.
    pairs : sequence of (tuple of int, ndarray of int64 of shape (n_classes,))
        Monomials with their vectors; none for no rule at all.
    grows : bool
        Whether a literal is added.
    """

    lengths: Floats
    pairs: Sequence[tuple[Chain, Integers]]
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
    """

    def __init__(self, around: Surroundings, slot: int, length: float) -> None:
        self.standing = standing = around.standing
        rows = standing.rows
        self.rule = standing.rules[slot] if slot < len(standing.rules) else None
        self._around, self._demands, self._objective = around, around.demands, standing.objective
        self._length = length
        others = around.costs[:slot] + around.costs[slot + 1 :]
        self._price, self._n_others = sum(others), len(others)
        monomial = self.rule.monomial if self.rule else ()
        self._size = around.n_literals - len(monomial)
        self.rests = [monomial, *(monomial[:k] + monomial[k + 1 :] for k in range(len(monomial)))]
        n_held = rows.truths(monomial).sum(axis=0)
        self._reach = np.flatnonzero((n_held >= len(monomial) - 1) & around.nearly_open)
        """Rows that any of the rests covers, and that any vector can decide in another way."""
        self._held: Bools = n_held[self._reach] == len(monomial)

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
        of_literal = float(len(self.rests)) * (len(self._reach) + SCORING)
        of_vector = of_literal * len(self.standing.rows.catalogue)
        of_looking = LOOKING * len(self._reach) * len(vectors.tried)
        self._step = max(1, int(max(of_vector, of_looking) / work))
        self.standing.rows.work += of_looking / self._step
        rows, held = self._reach[:: self._step], self._held[:: self._step]
        self.others = others = Others(self.standing, self.rule, rows, held)
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
        self._vector_prices = self._objective.of_vectors(self._vectors)

    def _can_pay(self, won: Floats | float, price: Floats | float = 0.0) -> Bools:
        """Return whether J could fall by a rule that wins so much, for `price` and a literal."""
        least = self._objective.of_errors(np.asarray(self._errors - won)) + self._price
        return np.asarray(least + price + self._objective.of_least_literal < self._length)

    def with_each(self) -> _Scored | None:
        """Score each literal added to the rule's monomial and to each of its rests.

        Not where J could not fall even if the literal kept out all that is lost, and only that.
        """
        if not len(self._vectors):
            return None
        rows, objective = self.standing.rows, self._objective
        held = np.array([rows.cover(rest)[self._rows] for rest in self.rests], np.float64)
        prices = np.array([objective.of_monomial(rest) for rest in self.rests])[:, None]
        prices = prices + self._vector_prices
        gains = product(held, np.maximum(self._won, 0.0).T, slice(None))
        rest, vector = np.nonzero(self._can_pay(gains, prices))
        if not len(rest):
            return None
        sums = rows.sums(held[rest] * self._won[vector], self._rows)
        lengths = objective.of_errors(self._errors - sums) + self._price
        lengths += prices[rest, vector][:, None] + objective.prices
        vectors = self._vectors[vector]
        ends = np.searchsorted(rest, np.arange(len(self.rests) + 1))
        for monomial, (start, end) in zip(self.rests, pairwise(ends.tolist()), strict=True):
            if start == end:
                continue
            of_rest, own = lengths[start:end], vectors[start:end]
            if objective.of_contradiction:
                of_rest += objective.of_covers(own, rows.weights_with_each(monomial))
            of_rest[:, self._barred(monomial)] = np.inf
            allowed = self._demands.allowed_with_each(monomial, own)
            if allowed is not None:
                of_rest[~allowed] = np.inf
        pairs = [(self.rests[k], own) for k, own in zip(rest.tolist(), vectors, strict=True)]
        return _Scored(lengths, pairs, grows=True)

    def _barred(self, rest: Chain) -> Bools:
        barred = self._demands.barred(rest).copy()
        barred[list(self.rests[0])] = True
        barred[self._around.taken_with.get(frozenset(rest), [])] = True
        if not self._demands.allow_sizes(self._n_others + 1, self._size + len(rest) + 1):
            barred[:] = True
        return barred

    def whole(self, monomials: Sequence[Chain]) -> _Scored | None:
        """Score whole monomials."""
        if not len(self._vectors):
            return None
        rows, objective = self.standing.rows, self._objective
        fit = [monomial for monomial in monomials if self._may_be(monomial)]
        if not fit:
            return None
        covers = np.array([rows.cover(monomial)[self._rows] for monomial in fit], np.float64)
        rows.work += float(covers.size) * len(self._won)
        lengths = objective.of_errors(self._errors - covers @ self._won.T) + self._price
        lengths += self._vector_prices
        lengths += np.array([objective.of_monomial(monomial) for monomial in fit])[:, None]
        if objective.of_contradiction:
            weights = np.array([rows.weights_in(monomial) for monomial in fit])
            lengths += objective.of_covers(self._vectors, weights.T).T
        allowed = self._demands.allowed_of_each(fit, self._vectors)
        if allowed is not None:
            lengths[~allowed] = np.inf
        which, vector = np.nonzero(lengths < self._length)
        chosen = zip(which.tolist(), self._vectors[vector], strict=True)
        pairs = [(fit[k], own) for k, own in chosen]
        return _Scored(lengths[which, vector][:, None], pairs, grows=False)

    def _may_be(self, monomial: Chain) -> bool:
        """Tell whether no other rule has a monomial, and the limits allow it."""
        key, size = frozenset(monomial), self._size + len(monomial)
        is_free = key not in self._around.taken or key == frozenset(self.rests[0])
        return is_free and self._demands.allow_sizes(self._n_others + 1, size)

    def nothing(self) -> _Scored | None:
        """Score the removal of the rule."""
        if self.rule is None:
            return None
        length = self._objective.of_error(self._errors) + self._price
        return _Scored(np.array([[length]]), (), grows=False)

    def best(self, changes: list[_Scored], n_exact: int) -> tuple[list[SearchedRule] | None, float]:
        """Return the best change if it lowers J, and J with it.

        Parameters
        ----------
        changes : list of _Scored
            All that is tried.
        n_exact : int
            Of how many the default vector is recomputed.
        """
        best, length = None, self._length
        flat = np.concatenate([change.lengths.ravel() for change in changes] or [np.zeros(0)])
        some = np.flatnonzero(flat < length)
        if len(some) > n_exact:
            most = np.partition(flat[some], n_exact - 1)[n_exact - 1]
            some = some[flat[some] <= most + TOLERANCE]
        some = some[np.argsort(np.round(flat[some], 9), kind="stable")][:n_exact]
        for k in some.tolist():
            if not is_lower(float(flat[k]), length):
                break
            rules = self._rules(changes, k)
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
        monomial, vector = change.pairs[k]
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
        return Others(self.standing, self.rule, self._reach, self._held)

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
