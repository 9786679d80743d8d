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

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.induction.search.standing import SearchedRule
from widc_arff.tolerance import is_lower

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from widc_arff.induction.coding import Chain
    from widc_arff.induction.demands import Demands
    from widc_arff.induction.search.budget import Budget
    from widc_arff.induction.search.standing import Standing, Votes

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


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

    def polish(self) -> None:
        """Visit the slots in turn until none can be improved."""
        slot = idle = 0
        length = self._standing.length
        while idle <= len(self._standing.rules):
            change, new_length = self._best_change(slot, length)
            if change is None:
                idle += 1
                slot += 1
            else:
                self._standing.change(slot, change)
                length, idle = new_length, 0
            slot %= len(self._standing.rules) + 1

    def _best_change(self, slot: int, length: float) -> tuple[list[SearchedRule] | None, float]:
        """Return what should stand in a slot, and J with it; None to leave it."""
        rule = self._standing.rules[slot] if slot < len(self._standing.rules) else None
        place = _Place(self._standing, self._demands, rule)
        place.look_at(vectors_near(place, self._demands), self._budget.slot_work)
        whole = [rest for rest in place.rests if rest] if rule else self._pool
        changes = [place.with_each(place.rests), place.whole(whole), place.nothing()]
        return place.best([change for change in changes if change], self._budget.exact, length)


class _Scored(NamedTuple):
    """Changes of one kind: J with ties as they go at present, and what they are.

    Parameters
    ----------
    lengths : ndarray of float64 of shape (n_monomials, n_vectors, n_literals)
        One literal where none is added.
    monomials : sequence of tuple of int
        To which a literal is added; none for no rule at all.
    grows : bool
        Whether a literal is added.
    """

    lengths: Floats
    monomials: Sequence[Chain]
    grows: bool


class _Place:
    """The place of a rule in a committee, or of a new one, and what another rule brings there.

    Parameters
    ----------
    standing : Standing
        The committee.
    demands : Demands
        Limits and demands.
    rule : SearchedRule or None
        The rule that stands there.
    """

    def __init__(self, standing: Standing, demands: Demands, rule: SearchedRule | None) -> None:
        rows = standing.rows
        self.standing, self.rule = standing, rule
        self._demands = demands
        self._objective = standing.objective
        others = [other for other in standing.rules if other is not rule]
        self._price = sum(self._objective.of_rule(*other) for other in others)
        self._n_others, self._size = len(others), sum(len(other.monomial) for other in others)
        self._taken = demands.known | {frozenset(other.monomial) for other in others}
        monomial = rule.monomial if rule else ()
        self.rests = [monomial, *(monomial[:k] + monomial[k + 1 :] for k in range(len(monomial)))]
        self.reach = np.arange(rows.n_rows)
        """Rows that any of the rests covers."""
        if len(monomial) > 1:
            n_held = rows.truths(monomial).sum(axis=0)
            self.reach = np.flatnonzero(n_held >= len(monomial) - 1)
        self.keys: Votes = standing.keys[:, self.reach]
        """Of the others, in these rows."""
        self._errors = standing.errors
        if rule is not None:
            held = rows.cover(monomial)[self.reach]
            shift = (rule.vector * rows.n_classes).astype(np.int32)[:, None]
            self.keys[:, held] -= shift
            won = standing.right_with(self.keys[:, held], self.reach[held]).sum()
            self._errors += float(standing.won[self.reach[held]].sum() - won)

    def look_at(self, families: list[Family], work: float) -> None:
        """Find what vectors win in each row, the most promising of them if work is short.

        Parameters
        ----------
        families : list of Family
            The vectors to try.
        work : float
            Additions that scoring may cost.
        """
        rows = self.standing.rows
        of_vector = float(len(self.rests)) * len(self.reach) * len(rows.catalogue)
        most = max(1, int(work / max(of_vector, 1.0)))
        vectors = np.concatenate([family.vectors for family in families])
        tried = _distinct(vectors)
        if most < len(tried):
            held = np.ones(len(self.reach), np.bool_)
            if self.rule is not None:
                held = rows.cover(self.rule.monomial)[self.reach]
            promise = np.maximum(self._won_with(families, held), 0.0).sum(axis=1)[tried]
            tried = tried[np.sort(np.argsort(-promise, kind="stable")[:most])]
        taken = np.zeros(len(vectors), np.bool_)
        taken[tried] = True
        ends = np.cumsum([len(family.labels) for family in families])[:-1]
        families = [
            family._replace(labels=family.labels[of_family])
            for family, of_family in zip(families, np.split(taken, ends), strict=True)
            if of_family.any()
        ]
        won = self._won_with(families, np.ones(len(self.reach), np.bool_))
        some = np.flatnonzero(won.any(axis=0))
        step = max(1, int(of_vector * len(tried) / work))
        some = some[::step]
        self._vectors, self._won, self._rows = vectors[tried], won[:, some] * step, self.reach[some]
        self._is_part = step > 1
        self._vector_prices = self._objective.of_vectors(self._vectors)

    def _won_with(self, families: list[Family], held: Bools) -> Floats:
        """Return what vectors win in some of the rows in reach, shape (n_vectors, n_held)."""
        keys, reach = self.keys[:, held], self.reach[held]
        won = np.concatenate([family.right(keys, self.standing, reach) for family in families])
        won -= self.standing.right_with(keys, reach)
        return won

    def with_each(self, rests: list[Chain]) -> _Scored:
        """Score each literal added to each of some monomials."""
        rows, objective = self.standing.rows, self._objective
        held = np.array([rows.cover(rest)[self._rows] for rest in rests])
        won = (held[:, None, :] * self._won).reshape(-1, len(self._rows))
        sums = rows.sums(won, self._rows).reshape(len(rests), len(self._vectors), -1)
        lengths = objective.of_errors(self._errors - sums) + self._price
        lengths += self._vector_prices[:, None] + objective.prices
        for rest, of_rest in zip(rests, lengths, strict=True):
            of_rest[:] += objective.of_monomial(rest)
            of_rest[:, self._barred(rest)] = np.inf
            allowed = self._demands.allowed_with_each(rest, self._vectors)
            if allowed is not None:
                of_rest[~allowed] = np.inf
        return _Scored(lengths, rests, grows=True)

    def _barred(self, rest: Chain) -> Bools:
        barred = self._demands.barred(rest).copy()
        barred[list(self.rests[0])] = True
        for taken in self._taken:
            if len(taken) == len(rest) + 1 and taken.issuperset(rest):
                barred[list(taken.difference(rest))] = True
        if not self._demands.allow_sizes(self._n_others + 1, self._size + len(rest) + 1):
            barred[:] = True
        return barred

    def whole(self, monomials: Sequence[Chain]) -> _Scored | None:
        """Score whole monomials."""
        rows, objective = self.standing.rows, self._objective
        fit = [
            monomial
            for monomial in monomials
            if frozenset(monomial) not in self._taken
            and self._demands.allow_sizes(self._n_others + 1, self._size + len(monomial))
        ]
        if not fit:
            return None
        covers = np.array([rows.cover(m)[self._rows] for m in fit], np.float64)
        rows.work += float(covers.size) * len(self._won)
        lengths = objective.of_errors(self._errors - covers @ self._won.T) + self._price
        lengths += self._vector_prices
        for monomial, of_monomial in zip(fit, lengths, strict=True):
            of_monomial[:] += objective.of_monomial(monomial)
            of_monomial[~self._demands.allowed(monomial, self._vectors)] = np.inf
        return _Scored(lengths[:, :, None], fit, grows=False)

    def nothing(self) -> _Scored | None:
        """Score the removal of the rule."""
        if self.rule is None:
            return None
        length = self._objective.of_errors(np.full((1, 1, 1), self._errors)) + self._price
        return _Scored(length, (), grows=False)

    def best(
        self, changes: list[_Scored], n_exact: int, length: float
    ) -> tuple[list[SearchedRule] | None, float]:
        """Return the best change if it lowers J, and J with it.

        Parameters
        ----------
        changes : list of _Scored
            All that is tried.
        n_exact : int
            Of how many the default vector is recomputed.
        length : float
            J at present.
        """
        flat = np.concatenate([change.lengths.ravel() for change in changes])
        n = min(n_exact, len(flat))
        some = np.argpartition(flat, n - 1)[:n]
        some = some[np.lexsort((some, np.round(flat[some], 9)))]
        best: list[SearchedRule] | None = None
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
        if not change.monomials:
            return []
        k, vector, literal = np.unravel_index(place, change.lengths.shape)
        monomial = change.monomials[int(k)]
        grown = (*monomial, int(literal)) if change.grows else monomial
        return [SearchedRule(grown, self._vectors[vector])]

    def _exact(self, come: list[SearchedRule], length: float) -> float:
        """Return J with other rules in the place, the default vector recomputed.

        `length` is J with ties as they go at present.
        """
        standing, rows = self.standing, self.standing.rows
        n_classes = rows.n_classes
        gone = [] if self.rule is None else [self.rule]
        touched = np.zeros(rows.n_rows, np.bool_)
        for rule in (*gone, *come):
            touched |= rows.cover(rule.monomial)
        changed = np.flatnonzero(touched)
        votes = standing.votes[:, changed]
        for rule, sign in [*((rule, -1) for rule in gone), *((rule, 1) for rule in come)]:
            held = rows.cover(rule.monomial)[changed]
            votes[:, held] += (sign * rule.vector).astype(np.int32)[:, None]
        loss = rows.loss
        is_tied = loss.is_ambiguous(votes, changed)
        was_tied = standing.is_tied[changed]
        ambiguous = standing.ambiguous + rows.class_weights[:, changed] @ (
            is_tied.astype(np.float64) - was_tied
        )
        order = loss.order(ambiguous)
        price = self._price + sum(self._objective.of_rule(*rule) for rule in come)
        if (order.ranks == standing.order.ranks).all():
            if not self._is_part:
                return length
            keys = votes * n_classes + order.ranks[:, None]
            won = standing.right_with(keys, changed).sum() - standing.won[changed].sum()
            errors = standing.errors - float(won)
        else:
            every = standing.votes.copy()
            every[:, changed] = votes
            keys = every * n_classes + order.ranks[:, None]
            errors = loss.total - float(loss.right(keys, order, slice(None)).sum())
        return float(self._objective.of_errors(np.array([errors]))[0]) + price


class Family(NamedTuple):
    """Vectors that differ from one vector in one vote.

    Parameters
    ----------
    vector : ndarray of int64 of shape (n_classes,)
    step : int
        By how much; 0 for the vector itself.
    labels : ndarray of int64 of shape (n_vectors,)
        In which votes.
    """

    vector: Ints
    step: int
    labels: Ints

    @property
    def vectors(self) -> Ints:
        """The vectors, shape (n_vectors, n_classes)."""
        one = np.eye(len(self.vector), dtype=np.int64)
        return np.asarray(self.vector + self.step * one[self.labels])

    def right(self, keys: Votes, standing: Standing, rows: Ints) -> Floats:
        """Return the weight that is right in rows with each vector, shape (n_vectors, n_rows)."""
        keys = keys + (self.vector * len(keys)).astype(np.int32)[:, None]
        if not self.step:
            return standing.right_with(keys, rows)[None]
        loss, order = standing.rows.loss, standing.order
        return loss.right_if_moved(keys, self.step, self.labels, order, rows)


def _distinct(vectors: Ints) -> Ints:
    """Return the places of vectors that say something, each of equal meaning once."""
    says = np.flatnonzero((vectors != vectors[:, :1]).any(axis=1))
    said = vectors[says] - vectors[says].min(axis=1, keepdims=True)
    _, first = np.unique(said, axis=0, return_index=True)
    return says[np.sort(first)]


def vectors_near(place: _Place, demands: Demands) -> list[Family]:
    """Return the vectors to try in a place: of one exception, and near the rule's own.

    For a class, against it, and strongly for it; with two classes against one is for the other.
    Beside them the rule's own, those that differ from it in one vote, and the vector of its cover.
    """
    rows = place.standing.rows
    every, nothing = np.arange(rows.n_classes), np.zeros(rows.n_classes, np.int64)
    one = np.zeros(1, np.int64)
    if rows.n_classes == 2:
        return [Family(nothing - 1, 2, every), Family(nothing, 1, every)]
    simple = [Family(nothing, 1, every), Family(nothing, -1, every), Family(nothing - 1, 2, every)]
    if place.rule is None:
        return simple
    monomial, own = place.rule
    weights = rows.class_weights[:, rows.cover(monomial)].sum(axis=1)
    near = [Family(own, step, np.flatnonzero(abs(own + step) <= 1)) for step in (1, -1, 2, -2)]
    of_cover = demands.vectors_of(monomial, weights)
    return [Family(own, 0, one), Family(of_cover, 0, one), *near, *simple]
