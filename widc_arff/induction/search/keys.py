"""Three classes and more, and label sets: a key for each class in each row.

A key is a whole number: the votes times the number of classes, plus the rank of the class where
votes are equal.  A constant added to a vector changes no decision, so that a rule moves the keys of
its exceptions alone.  Where the order of ties changes, only rows that tie can go in another way.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.induction.losses import TieOrder
from widc_arff.induction.losses.class_error import ClassError, Decisions
from widc_arff.induction.losses.ranking_loss import RankingLoss
from widc_arff.induction.sample.kept import KEPT_BYTES, Kept
from widc_arff.induction.search.margins import softmax_of
from widc_arff.induction.search.state import SearchedRule, SoftStanding
from widc_arff.model.decision import exceptions_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from widc_arff.arrays import Bools, Floats, Integers, Votes
    from widc_arff.induction.losses import Decided
    from widc_arff.induction.search.families import Vectors
    from widc_arff.induction.search.objective import Objective
    from widc_arff.induction.search.rows import Rows


AT_ONCE = 1 << 15
"""Keys of all vectors that are looked at together: of more, families of vectors share them."""

MANY_CLASSES = 40
"""Classes above which the keys of some rows stay as they are kept, row by row."""
FEW_VECTORS = 8
"""Vectors that are looked at one by one, if these keys are too many."""


class Keys(SoftStanding):
    """A committee whose decisions are told from keys."""

    def __init__(
        self, rows: Rows, objective: Objective, rules: Sequence[SearchedRule] = ()
    ) -> None:
        self._orders: Kept[bytes, TieOrder] = Kept(KEPT_BYTES // 16)
        super().__init__(rows, objective, rules)

    def _clear(self) -> None:
        rows = self.rows
        n_classes, given = rows.n_classes, rows.given_votes
        self.order = TieOrder(np.arange(n_classes, dtype=np.int32), np.arange(n_classes))
        self._by_row: Votes = np.repeat(self.order.ranks[None], rows.n_rows, axis=0)
        """Keys, those of a row side by side: a rule covers few rows of many."""
        if given is not None:
            self._by_row += given.T * n_classes
        self.is_tied: Bools = np.zeros(rows.n_rows, np.bool_)
        """In which rows the default vector matters."""
        self.ambiguous: Floats = np.zeros(n_classes)
        """Weight of these rows, by class."""
        self.won = np.zeros(rows.n_rows)
        self._p: Floats | None = None

    def vote(self, rule: SearchedRule, sign: int = 1) -> None:
        """Add the votes of a rule, or with -1 take them away; decisions stay as they are."""
        rows = self.rows.places(rule.monomial)
        self._move(rows, rule.vector, sign)
        if self._p is not None:
            self._p[:, rows] = self._softmax_of(rows)

    def _keys_of(self, rows: Integers) -> Votes:
        """Return the keys of some rows, shape (n_classes, n_some)."""
        keys = self._by_row.take(rows, axis=0).T
        return keys if len(keys) > MANY_CLASSES else np.ascontiguousarray(keys)

    def _key_of(self, label: int, rows: Integers) -> Votes:
        """Return the keys of one class."""
        return np.asarray(self._by_row.take(rows * self.rows.n_classes + label))

    def _move(self, rows: Integers, vector: Integers, sign: int) -> None:
        n_classes, keys = self.rows.n_classes, self._by_row.reshape(-1)
        first = rows * n_classes
        for label, step in exceptions_of(vector):
            keys[first + label] += sign * step * n_classes

    def _moved(self, rows: Integers, vector: Integers) -> Votes:
        """Return the keys of some rows with a vector more."""
        keys = self._keys_of(rows)
        for label, step in exceptions_of(vector):
            keys[label] += step * len(keys)
        return keys

    @abstractmethod
    def _look(self, rows: Integers) -> None:
        """Renew `is_tied`, `won` and what else is kept of some rows, from their keys."""

    @abstractmethod
    def _looked_at(self, keys: Votes, rows: Integers) -> tuple[Bools, Floats]:
        """Return where some rows tie with other keys, and the weight that is right."""

    @abstractmethod
    def _right_with(self, keys: Votes, rows: Integers) -> Floats:
        """Return the weight that is right in some rows with other keys."""

    @abstractmethod
    def _decider(self, rows: Integers) -> Callable[[Votes], Decided]:
        """Return what tells how some rows are decided with other keys."""

    def _after(self, rows: Integers, vector: Integers) -> tuple[Bools, Floats]:
        """Return where some rows tie with a vector more, and the weight that is right."""
        return self._looked_at(self._moved(rows, vector), rows)

    def _touched(self, order: TieOrder) -> Bools:
        """Return which rows may go in another way when ties go in another order."""
        del order
        return self.is_tied

    def _reorder(self, order: TieOrder) -> None:
        """Let ties go in another order."""
        touched = np.flatnonzero(self._touched(order))
        self._by_row += order.ranks - self.order.ranks
        self.order = order
        self._look(touched)

    def _order_of(self, ambiguous: Floats) -> TieOrder:
        """Return how ties go."""
        key = ambiguous.tobytes()
        found = self._orders.get(key)
        if found is None:
            loss = self.rows.loss
            assert isinstance(loss, ClassError | RankingLoss)
            found = self._orders.keep(key, loss.order(ambiguous))
        return found

    def settle(self) -> None:
        """Recompute the default vector, and with it the decisions."""
        self._settle(np.arange(self.rows.n_rows))

    def _settle(self, rows: Integers) -> None:
        self._p = None
        was_tied = self.is_tied[rows]
        self._look(rows)
        self.ambiguous = self._ambiguous_after(rows, was_tied, self.is_tied[rows])
        order = self._order_of(self.ambiguous)
        if (order.ranks != self.order.ranks).any():
            self._reorder(order)
        self.errors = self.rows.loss.total - float(self.won.sum())

    def _ambiguous_after(self, rows: Integers, before: Bools, after: Bools) -> Floats:
        """Return the weight of all ambiguous rows when some have changed."""
        differ = np.flatnonzero(before != after)
        if not len(differ):
            return self.ambiguous
        signs = np.where(after[differ], 1.0, -1.0)
        return self.ambiguous + self.rows.summed_weights(rows[differ], signs)

    def _settle_where(self, rules: Sequence[SearchedRule]) -> None:
        """Look at the rows that the rules cover, and at ties, where they go in another order."""
        is_changed = np.zeros(self.rows.n_rows, np.bool_)
        for rule in rules:
            is_changed[self.rows.places(rule.monomial)] = True
        self._settle(np.flatnonzero(is_changed))

    def _leave_out(self, rule: SearchedRule) -> tuple[Any, ...]:
        rows = self.rows.places(rule.monomial)
        kept = self._kept(rows), self.ambiguous, self.errors
        was_tied, won = self.is_tied[rows], self.won[rows]
        self._move(rows, rule.vector, -1)
        self._look(rows)
        self.errors += float((won - self.won[rows]).sum())
        self.ambiguous = self._ambiguous_after(rows, was_tied, self.is_tied[rows])
        return kept

    def _put_back(self, rule: SearchedRule, kept: tuple[Any, ...]) -> None:
        rows = self.rows.places(rule.monomial)
        self._move(rows, rule.vector, 1)
        of_rows, self.ambiguous, self.errors = kept
        self._restore(rows, of_rows)

    def _kept(self, rows: Integers) -> tuple[Any, ...]:
        """Return what `_look` renews, of some rows."""
        return self.is_tied[rows], self.won[rows]

    def _restore(self, rows: Integers, kept: tuple[Any, ...]) -> None:
        self.is_tied[rows], self.won[rows] = kept

    def won_after(self, rows: Integers, vector: Integers) -> Floats:
        """Return what some rows win by a vector, ties as they go at present, shape (n_some,)."""
        return self._after(rows, vector)[1] - self.won[rows]

    def won_with(self, rows: Integers, vectors: Vectors) -> Floats:
        """Return the same of the vectors that are tried, shape (n_tried, n_some)."""
        keys, won, decide = self._keys_of(rows), self.won[rows], self._decider(rows)
        total = np.empty((len(vectors.vectors), len(rows)))
        decided: dict[bytes, Decided] = {}
        first = 0
        for vector, step, labels in vectors.families:
            shift = (vector - vector.min()).astype(np.int32)
            with_it = decided.get(shift.tobytes())
            if with_it is None:
                with_it = decide(keys + (shift * len(keys))[:, None] if shift.any() else keys)
                decided[shift.tobytes()] = with_it
            of_family = total[first : first + len(labels)]
            of_family[:] = with_it.right
            if step:
                with_it.move(step, labels, of_family)
            first += len(labels)
        if len(vectors.tried) < len(total):
            total = total[vectors.tried]
        total -= won
        return total

    def errors_with(self, rows: Integers, vector: Integers, *, is_known: bool) -> float | None:
        """Return the errors with the votes of a rule in some rows, ties as they go then."""
        is_tied, right = self._after(rows, vector)
        order = self._order_of(self._ambiguous_after(rows, self.is_tied[rows], is_tied))
        moved = order.ranks - self.order.ranks
        is_same = not moved.any()
        if is_same and is_known:
            return None
        won = float((right - self.won[rows]).sum())
        if not is_same:
            tied = np.flatnonzero(is_tied)
            others = self._touched(order).copy()
            others[rows] = False
            outside = np.flatnonzero(others)
            before, self.order = self.order, order
            keys = self._moved(rows[tied], vector) + moved[:, None]
            won += float((self._right_with(keys, rows[tied]) - right[tied]).sum())
            keys = self._keys_of(outside) + moved[:, None]
            won += float((self._right_with(keys, outside) - self.won[outside]).sum())
            self.order = before
        return self.errors - won

    def softmax(self, rows: Integers | slice) -> tuple[Floats, Floats, Integers | None]:
        """Return the softmax of the votes, which is kept of all rows while rules only come."""
        if self._p is None:
            self._p = self._softmax_of(slice(None))
        p = self._p if isinstance(rows, slice) else self._p.take(rows, axis=1)
        return p, self.rows.weights[rows], None

    def _softmax_of(self, rows: Integers | slice) -> Floats:
        votes = self._by_row[rows].T // self.rows.n_classes
        return softmax_of(np.ascontiguousarray(votes, np.float64), self.default_class)

    @property
    def default_class(self) -> int:
        """The class that wins if all tie."""
        return int(self.order.of_rank[-1])


class ClassKeys(Keys):
    """A committee for three classes and more: of each row the largest key, its class, the second.

    With one vote more its class wins where its key passes the largest, else nothing changes; with
    one less something changes only in rows that it wins.
    """

    def _clear(self) -> None:
        super()._clear()
        n_rows = self.rows.n_rows
        assert isinstance(self.rows.loss, ClassError)
        self.right = self.rows.loss.right
        self.top, self.second = np.zeros(n_rows, np.int32), np.zeros(n_rows, np.int32)
        self.first = np.zeros(n_rows, np.int64)

    def _look(self, rows: Integers) -> None:
        found = Decisions(self._keys_of(rows), self.right, self.order.of_rank, rows)
        self.top[rows], self.first[rows], self.second[rows] = found.top, found.first, found.second
        self.won[rows] = found.right
        self.is_tied[rows] = found.is_tied

    def _looked_at(self, keys: Votes, rows: Integers) -> tuple[Bools, Floats]:
        found = Decisions(keys, self.right, self.order.of_rank, rows)
        return found.is_tied, found.right

    def _right_with(self, keys: Votes, rows: Integers) -> Floats:
        return Decisions(keys, self.right, self.order.of_rank, rows).right

    def _decider(self, rows: Integers) -> Callable[[Votes], Decided]:
        return partial(Decisions, right=self.right.take(rows, axis=1), of_rank=self.order.of_rank)

    def won_with(self, rows: Integers, vectors: Vectors) -> Floats:
        """Return the same of the vectors that are tried, shape (n_tried, n_some)."""
        n_tried, n_classes = len(vectors.tried), self.rows.n_classes
        if n_tried * n_classes * len(rows) > AT_ONCE:
            if n_tried > FEW_VECTORS:
                return super().won_with(rows, vectors)
            tried = vectors.vectors[vectors.tried]
            return np.array([self.won_after(rows, vector) for vector in tried])
        shifts = (vectors.vectors[vectors.tried] * n_classes).astype(np.int32)
        keys = self._keys_of(rows) + shifts[:, :, None]
        won = self.right[self.order.of_rank[keys.max(axis=1) % n_classes], rows]
        won -= self.won[rows]
        return np.asarray(won)

    def won_after(self, rows: Integers, vector: Integers) -> Floats:
        """Return what some rows win by a vector, ties as they go at present, shape (n_some,)."""
        n_classes, before = self.rows.n_classes, self.won[rows]
        right, best = before, self.top[rows]
        steps = np.zeros(n_classes, np.int32)
        for label, step in exceptions_of(vector):
            steps[label] = step * n_classes
            if step > 0:
                keys = self._key_of(label, rows) + steps[label]
                right = np.where(keys > best, self.right[label, rows], right)
                best = np.maximum(best, keys)
        fall = np.minimum(steps, 0)[self.first[rows]]
        # a winner that falls stays one above the votes of the second
        open_ = np.flatnonzero(fall)
        if len(open_):
            of_fall = rows[open_]
            is_passed = self.top[of_fall] + fall[open_] < self._above_second(of_fall)
            if (steps > 0).any():
                is_passed[:] = True
            open_, of_fall = open_[is_passed], of_fall[is_passed]
            if right is before:
                right = before.copy()
            keys = self._keys_of(of_fall) + steps[:, None]
            first = self.order.of_rank[keys.max(axis=0) % n_classes]
            right[open_] = self.right[first, of_fall]
        return np.asarray(right - before)

    def _above_second(self, rows: Integers) -> Votes:
        """Return the least key of more votes than the second class has."""
        n_classes = self.rows.n_classes
        return np.asarray((self.second[rows] // n_classes + 1) * n_classes)

    def _after(self, rows: Integers, vector: Integers) -> tuple[Bools, Floats]:
        """Return where some rows tie with a vector more, and the weight that is right."""
        n_classes, exceptions = self.rows.n_classes, exceptions_of(vector)
        first, was_tied = self.first[rows], self.is_tied[rows]
        if len(exceptions) == 1 and exceptions[0][1] > 0:
            label, step = exceptions[0]
            keys, top = self._key_of(label, rows) + step * n_classes, self.top[rows]
            above = keys // n_classes - top // n_classes
            is_tied = (first != label) & ((above == 0) | (was_tied & (above < 0)))
            right = np.where(keys > top, self.right[label, rows], self.won[rows])
            return is_tied, right
        # only where one of its classes is, or comes to, where the second is
        matters = np.zeros(len(rows), np.bool_)
        least = self._above_second(rows) - n_classes
        for label, step in exceptions:
            matters |= self._key_of(label, rows) + max(step, 0) * n_classes >= least
        some = np.flatnonzero(matters)
        is_tied, right = was_tied, self.won[rows]
        is_tied[some], right[some] = self._looked_at(self._moved(rows[some], vector), rows[some])
        return is_tied, right

    def _touched(self, order: TieOrder) -> Bools:
        """Return the ties whose winner is overtaken by another class."""
        after = order.ranks[self.order.of_rank]
        is_overtaken = np.empty(len(after), np.bool_)
        is_overtaken[self.order.of_rank] = np.maximum.accumulate(after) > after
        return self.is_tied & is_overtaken[self.first]

    def _reorder(self, order: TieOrder) -> None:
        # of the second only its votes count
        moved = order.ranks - self.order.ranks
        self.top += moved[self.first]
        super()._reorder(order)

    def _kept(self, rows: Integers) -> tuple[Any, ...]:
        of_keys = self.top[rows], self.first[rows], self.second[rows]
        return (*super()._kept(rows), *of_keys)

    def _restore(self, rows: Integers, kept: tuple[Any, ...]) -> None:
        super()._restore(rows, kept[:2])
        self.top[rows], self.first[rows], self.second[rows] = kept[2:]

    def can_change(self, n_rules: int, rows: Integers | slice = slice(None)) -> Bools:
        """Return where another class can win or tie; the votes of a rule differ by two at most."""
        n_classes = self.rows.n_classes
        least = (self.top[rows] // n_classes - 2 * n_rules) * n_classes
        return np.asarray(self.second[rows] >= least)


class LabelKeys(Keys):
    """A committee for label sets: every vote counts."""

    @property
    def _loss(self) -> RankingLoss:
        assert isinstance(self.rows.loss, RankingLoss)
        return self.rows.loss

    def _look(self, rows: Integers) -> None:
        self.is_tied[rows], self.won[rows] = self._looked_at(self._keys_of(rows), rows)

    def _looked_at(self, keys: Votes, rows: Integers) -> tuple[Bools, Floats]:
        is_tied = self._loss.is_ambiguous(keys // len(keys), rows)
        return is_tied, self._right_with(keys, rows)

    def _right_with(self, keys: Votes, rows: Integers) -> Floats:
        return self._loss.decided(keys, rows).right

    def _decider(self, rows: Integers) -> Callable[[Votes], Decided]:
        return partial(self._loss.decided, rows=rows)

    def can_change(self, n_rules: int, rows: Integers | slice = slice(None)) -> Bools:
        """Return all rows."""
        del n_rules
        return np.ones(self.rows.n_rows, np.bool_)[rows]
