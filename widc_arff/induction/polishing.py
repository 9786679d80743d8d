"""Refined pruning, second part: a local search over the literals of a committee."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.contest import Contest, most_promising, ranks
from widc_arff.induction.distinct_rows import NO_VECTOR
from widc_arff.induction.growing import completing
from widc_arff.induction.pruning import Standing, leaders
from widc_arff.tolerance import first_least, is_lower

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.induction.aim import Aim
    from widc_arff.induction.counter import Chain
    from widc_arff.induction.description_length import DescriptionLength
    from widc_arff.induction.distinct_rows import DistinctRows

LARGEST_SPREAD = 2
MOST_PAIRED = 1000
MOST_PAIR_CELLS = 6e10


def polish(
    rows: DistinctRows,
    monomials: Sequence[Chain],
    length: DescriptionLength,
    aim: Aim,
) -> list[Chain]:
    """Return a committee that no single change of a rule makes shorter to describe.

    The slots, the rules and one for a new rule, are visited in turn.  Moves of a slot: drop the
    rule, drop a literal, add one, replace one by any other, or a new rule of one literal; vectors
    are found anew.  All are scored with the default vector as it stands; the best twelve are
    evaluated exactly, and the best of these is done if J falls.  Where no new rule of one literal
    helps, those of two are tried if this is wanted and not too costly.  The search ends when all
    slots are idle.

    Parameters
    ----------
    rows : DistinctRows
        The training examples.
    monomials : sequence of tuple of int
        The committee, within the limits.
    length : DescriptionLength
        J.
    aim : Aim
        Hard limits, which no move exceeds, and demands; whether pairs are tried.
    """
    search = _Search(rows, monomials, length, aim)
    slot = idle = 0
    while idle <= len(search.monomials):
        if search.improve(slot):
            idle = 0
        else:
            idle += 1
            slot = (slot + 1) % (len(search.monomials) + 1)
    return search.monomials


@dataclass(frozen=True, slots=True, eq=False)
class _Moves:
    """Moves of a slot, in scan order.

    Parameters
    ----------
    rest : ndarray of int64 of shape (n_moves,)
        Which of the rests of the rule stays; -1 for none (the rule is dropped).
    literal : ndarray of int64 of shape (n_moves,)
        Literal that is added to it; -1 for none.
    vector : ndarray of int64 of shape (n_moves,)
        Number of the vector of the new rule.
    errors : ndarray of float64 of shape (n_moves,)
        Weight of the errors, with the default vector of the committee before the move.
    size : ndarray of int64 of shape (n_moves,)
        Literals of the rule.
    """

    rest: NDArray[np.int64]
    literal: NDArray[np.int64]
    vector: NDArray[np.int64]
    errors: NDArray[np.float64]
    size: NDArray[np.int64]

    @classmethod
    def one(cls, rest: int, vector: int, error: float, size: int) -> _Moves:
        """Return the move to a rest without a new literal."""
        return cls(
            np.array([rest]),
            np.array([-1]),
            np.array([vector]),
            np.array([error]),
            np.array([size]),
        )


class _Search:
    """A committee, and the moves that make it better."""

    def __init__(
        self,
        rows: DistinctRows,
        monomials: Sequence[Chain],
        length: DescriptionLength,
        aim: Aim,
    ) -> None:
        self._rows = rows
        self._known = aim.demands.known
        self._admission = aim.demands.admission
        self._length = length
        self._limits = aim.limits
        self._replacing = aim.replacing
        self._pairs = aim.pairs and len(rows.truth) <= MOST_PAIRED
        self.monomials: list[Chain] = list(monomials)
        self._update()

    @property
    def _size(self) -> int:
        return sum(map(len, self.monomials))

    def _update(self) -> None:
        """Find the votes, the default vector and J of the present committee."""
        self._votes = self._rows.votes(self.monomials)
        standing = self._rows.standing(self._votes)
        self._ranks = ranks(standing.scores)
        self.value = self._length.of_one(standing.error(), self._size)

    def improve(self, slot: int) -> bool:
        """Do the best move of a slot if it lowers J; tell whether it did."""
        rule = self.monomials[slot] if slot < len(self.monomials) else ()
        base = self._votes.copy()
        if rule:
            self._rows.add_votes(base, rule, -1)
        neighbourhood = _Neighbourhood(self._rows, base, self._ranks)
        rests = [rule, *(rule[:i] + rule[i + 1 :] for i in range(len(rule)))]
        if self._done(slot, neighbourhood, rests, self._moves(rule, rests, neighbourhood)):
            return True
        if rule or not self._pairs or not self._may_have((), 2):
            return False
        single = [(literal,) for literal in range(len(self._rows.truth))]
        return self._done(slot, neighbourhood, single, self._pair_moves(neighbourhood))

    def _done(
        self,
        slot: int,
        neighbourhood: _Neighbourhood,
        rests: Sequence[Chain],
        moves: _Moves | None,
    ) -> bool:
        """Do the best of some moves of a slot if it lowers J; tell whether it did."""
        if moves is None:
            return False
        other_size = self._size - sum(map(len, self.monomials[slot : slot + 1]))
        scores = self._length.of(moves.errors, other_size + moves.size)
        best = most_promising(scores)
        changed = [
            (*rests[rest], *([literal] if literal >= 0 else [])) if rest >= 0 else ()
            for rest, literal in zip(moves.rest[best], moves.literal[best], strict=True)
        ]
        vectors = [self._rows.vectors[i] if i >= 0 else None for i in moves.vector[best]]
        errors = neighbourhood.errors(changed, vectors)
        values = self._length.of(errors, other_size + moves.size[best])
        first = first_least(values)
        if not is_lower(float(values[first]), self.value):
            return False
        self.monomials[slot : slot + 1] = [changed[first]] if changed[first] else []
        self._update()
        return True

    def _pair_moves(self, neighbourhood: _Neighbourhood) -> _Moves | None:
        """Return the moves that add a rule of two literals; None if there is none."""
        vectors = self._rows.pair_vectors().copy()
        cells = self._rows.n_rows * vectors.size * len(np.unique(vectors))
        if cells > MOST_PAIR_CELLS:
            self._pairs = False
            return None
        for monomial in {*map(frozenset, self.monomials), *self._known}:
            if len(monomial) == 2:
                vectors[min(monomial), max(monomial)] = NO_VECTOR
        if self._admission is not None:
            for literal in range(len(vectors)):
                vectors[literal, self._admission.barred((literal,))] = NO_VECTOR
        first, second = np.nonzero(vectors != NO_VECTOR)
        vector = vectors[first, second]
        errors = np.full(len(first), neighbourhood.base_error)
        for number in np.unique(vector).tolist():
            has_it = np.flatnonzero(vector == number)
            errors[has_it] -= neighbourhood.pair_gains(number)[first[has_it], second[has_it]]
        moves = _Moves(first, second, vector, errors, np.full(len(first), 2))
        return moves if len(first) else None

    def _moves(
        self, rule: Chain, rests: Sequence[Chain], neighbourhood: _Neighbourhood
    ) -> _Moves | None:
        """Return the moves of a rule (empty: of a new rule), in scan order; None if there is none.

        Drop the rule; add; for each literal as added: drop it, replace it.
        """
        rows = self._rows
        taken = {frozenset(monomial) for monomial in self.monomials} | self._known
        moves = [_Moves.one(-1, NO_VECTOR, neighbourhood.base_error, 0)] if rule else []
        for number, rest in enumerate(rests):
            if number and rest and frozenset(rest) not in taken:
                vector = rows.number(rows.vector(rest))
                if vector != NO_VECTOR:
                    error = neighbourhood.error_of(rest, vector)
                    moves.append(_Moves.one(number, vector, error, len(rest)))
            if (number == 0 or self._replacing) and self._may_have(rule, len(rest) + 1):
                vectors = rows.literal_vectors(frozenset(rest)).copy()
                vectors[list(rule)] = NO_VECTOR
                vectors[completing(taken, frozenset(rest))] = NO_VECTOR
                if self._admission is not None:
                    vectors[self._admission.barred(rest)] = NO_VECTOR
                moves.append(neighbourhood.additions(number, rest, vectors))
        if not moves:
            return None
        joined = _Moves(
            *(np.concatenate([getattr(part, name) for part in moves]) for name in _Moves.__slots__)
        )
        return joined if len(joined.errors) else None

    def _may_have(self, rule: Chain, n_literals: int) -> bool:
        """Tell whether a rule may be replaced by one of so many literals."""
        limits = self._limits
        if not rule and limits.max_rules is not None and len(self.monomials) >= limits.max_rules:
            return False
        if limits.max_literals is not None and n_literals > limits.max_literals:
            return False
        size = self._size - len(rule) + n_literals
        return limits.max_size is None or size <= limits.max_size


class _Neighbourhood:
    """The committee without one rule, and its errors with any other in place of it.

    Only critical rows are looked at: those whose leader another rule can change.

    Parameters
    ----------
    rows : DistinctRows
        The training examples.
    votes : ndarray of int16 of shape (n_classes, n_rows)
        Summed votes of the other rules.
    ranks : ndarray of int16 of shape (n_classes,)
        Order of the classes among tied ones, the winner highest.
    """

    def __init__(
        self, rows: DistinctRows, votes: NDArray[np.int16], ranks: NDArray[np.int16]
    ) -> None:
        self._rows = rows
        winner, lead = leaders(votes)
        is_critical = lead <= LARGEST_SPREAD
        self._critical = np.flatnonzero(is_critical)
        self._votes = votes[:, self._critical]
        self._weights = rows.class_weights[:, self._critical]
        right = rows.right_weights[:, self._critical]
        self._contest = Contest(self._votes, ranks, right, LARGEST_SPREAD)
        settled = np.flatnonzero(~is_critical)
        settled_right = rows.right_weights[winner[settled], settled].sum()
        self._settled_errors = float(rows.class_weights[:, settled].sum() - settled_right)
        critical_errors = float(self._weights.sum() - self._contest.won.sum())
        self.base_error = self._settled_errors + critical_errors

    def error_of(self, monomial: Chain, vector: int) -> float:
        """Return the weight of the errors with a rule, ties as they go at present."""
        covered = np.flatnonzero(self._rows.cover(monomial)[self._critical])
        return self.base_error - float(self._gains([vector], covered).sum())

    def additions(self, number: int, rest: Chain, vectors: NDArray[np.int64]) -> _Moves:
        """Return the moves that add a literal to a rest, for those that have a vector."""
        literals = np.flatnonzero(vectors != NO_VECTOR)
        used, column = np.unique(vectors[literals], return_inverse=True)
        errors = np.full(len(literals), self.base_error)
        if len(used):
            covered = np.flatnonzero(self._rows.cover(rest)[self._critical])
            gains = self._gains(used.tolist(), covered)
            errors -= self._rows.sums_of_own(gains, column, literals, self._critical[covered])
        return _Moves(
            np.full(len(literals), number),
            literals,
            vectors[literals],
            errors,
            np.full(len(literals), len(rest) + 1),
        )

    def pair_gains(self, vector: int) -> NDArray[np.float64]:
        """Return what each rule of two literals saves with a vector, (n_literals, n_literals)."""
        gains = self._gains([vector], np.arange(len(self._critical)))[0]
        return self._rows.pair_sums(gains, self._critical)

    def errors(
        self, monomials: Sequence[Chain], vectors: Sequence[NDArray[np.int64] | None]
    ) -> NDArray[np.float64]:
        """Return the weight of the errors with each rule, default vector recomputed.

        Parameters
        ----------
        monomials : sequence of tuple of int
            Rules; the empty one stands for no rule.
        vectors : sequence of ndarray of int64 of shape (n_classes,)
            Their vectors; None for no rule.
        """
        costs = self._rows.voting.costs
        standing = Standing(self._weights, self._votes, self._rows.prior, costs)
        covered = [
            np.flatnonzero(self._rows.cover(monomial)[self._critical] & bool(monomial))
            for monomial in monomials
        ]
        lengths = [len(rows) for rows in covered]
        row, move = np.concatenate(covered), np.repeat(np.arange(len(covered)), lengths)
        none = np.zeros(len(self._votes), np.int16)
        added = np.array([none if vector is None else vector for vector in vectors], np.int16)
        votes = self._votes[:, row] + added.T[:, move]
        return standing.errors_after(row, move, votes, len(covered)) + self._settled_errors

    def _gains(self, numbers: list[int], critical: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the weight of the errors that each vector saves in some critical rows."""
        return self._contest.gains(critical, np.array([self._rows.vectors[i] for i in numbers]))
