"""Growing a committee stagewise: each round adds rules for what it does not yet tell.

The votes that are there make probabilities, their softmax with half a vote for the class that wins
if all tie.  Each row leaves a *residual* for each class: its weight of the class less the
probability times its weight, with the curvature of the log loss.  For each class, and against it,
monomials are grown literal by literal, by the fall of the log loss in a bounded Newton step; the
vector of a monomial is the one of least log loss given the votes that are there.  What pays for
its literals and votes joins, the most useful first, each seen again after those before it.
"""

from __future__ import annotations

import heapq
import math
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.induction.search.budget import SCORING
from widc_arff.induction.search.deciding import grown_labels, residual_of
from widc_arff.induction.search.fitting import VoteFit
from widc_arff.induction.search.label_margins import LabelMargins
from widc_arff.induction.search.label_residual import fitted_to_labels
from widc_arff.induction.search.residual import MayPay, newton_gain
from widc_arff.induction.search.state import SearchedRule, SoftStanding
from widc_arff.tolerance import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from widc_arff.arrays import Floats, Integers
    from widc_arff.induction.constraints import Constraints
    from widc_arff.induction.sample.coding import Chain
    from widc_arff.induction.search.budget import Budget
    from widc_arff.induction.search.residual import Residual
    from widc_arff.induction.search.state import SearchState


SPREAD = 0x9E3779B1
"""Multiples of it, by 2**32, lie evenly in any part of a sequence (Knuth, volume 3, 6.4)."""
STARTS_AT_ONCE = 1 << 14
"""Classes times literals whose gains are looked at together."""


class Start(NamedTuple):
    """Where a monomial begins: for (1) or against (-1) a class, with some literals."""

    label: int
    sign: int
    literals: Chain


class Candidate(NamedTuple):
    """A monomial for or against a class, and what it is worth with one vote, in nats."""

    worth: float
    monomial: Chain
    label: int
    sign: int


class Grower:
    """Grows a committee on rows.

    Parameters
    ----------
    state : SearchState
        The committee, which grows.
    constraints : Constraints
        What is demanded of rules.
    budget : Budget
        What may be tried.
    """

    def __init__(self, state: SearchState, constraints: Constraints, budget: Budget) -> None:
        self._state, self._constraints, self._budget = state, constraints, budget
        rows, objective = state.rows, state.objective
        self._prices = objective.nats_of_bit * objective.prices
        self._price_of_vote = float(objective.nats_of_bit * objective.of_exception)
        self._of_contradiction = float(objective.nats_of_bit * objective.of_contradiction)
        self._labels = grown_labels(state)
        self._n_rounds, self._step, self._work = 0, 1, budget.growth_work
        self._n_candidates = 0
        self._most_work = rows.work + budget.search_work
        self._work_of_fits = 0.0
        self.seen: dict[frozenset[int], Chain] = {}
        """Monomials that came up."""

    def grow(self) -> None:
        """Add rules until nothing joins; where few do from a part of the rows, go on with more.

        Or until the work is spent.
        """
        rows, budget = self._state.rows, self._budget
        most_work = rows.work + budget.grown_work
        while rows.work + self._work_of_fits <= most_work:
            joined = self._round(self._single_starts) or self._round(self._pair_starts)
            if not joined and self._step == 1:
                break
            if joined <= budget.few_join * self._n_candidates:
                self._work *= budget.more_rows

    def _round(self, starts_of: Callable[[Residual], Iterable[Start]]) -> int:
        """Add the rules of one round; return how many."""
        residual = self._residual()
        starts = list(starts_of(residual))
        if not starts:
            return 0
        candidates = self._best_of_each(self._grown(residual, starts))
        if residual.part is not None:
            candidates = [self._seen_in_all(candidate, residual) for candidate in candidates]
        self._n_candidates = len(candidates)
        return self._join(candidates)

    def _seen_in_all(self, candidate: Candidate, residual: Residual) -> Candidate:
        """Return a candidate that grew on a part with what it is worth in all rows."""
        covered = self._state.rows.places(candidate.monomial)
        gain = residual.gain_in_all(candidate.label, candidate.sign, covered)
        if self._of_contradiction:
            weights = self._state.rows.weights_in(candidate.monomial)
            own = weights[candidate.label]
            gain -= self._of_contradiction * (weights.sum() - own if candidate.sign > 0 else own)
        return candidate._replace(worth=gain - self._price(candidate.monomial))

    def _price(self, monomial: Chain) -> float:
        """Return what a monomial costs with one vote, in nats."""
        return float(self._prices[list(monomial)].sum()) + self._price_of_vote

    def _gradients(self, residual: Residual, starts: list[Start]) -> Floats:
        """Return slope, curve and what contradicts one vote, of some starts in each row.

        Shape (3, n_starts, n_rows), or (2, ...) where what contradicts costs nothing; of kinds of
        rows, where the residual is.
        """
        labels = [start.label for start in starts]
        signs = np.array([[start.sign] for start in starts], np.float64)
        gradients = [residual.slope[labels] * signs, residual.curve[labels]]
        if self._of_contradiction:
            own = residual.class_weights[labels]
            gradients.append(np.where(signs > 0, residual.weights - own, own) * self._step)
        return np.array(gradients)

    def _gain(self, gradients: Floats) -> Floats:
        """Return the fall of the log loss in a step, less the price of what contradicts it.

        From sums of what `_gradients` returns, along the first axis.
        """
        gain = newton_gain(gradients[0], gradients[1])
        return gain - self._of_contradiction * gradients[2] if self._of_contradiction else gain

    def _residual(self) -> Residual:
        """Return the residual of all rows, or of every k-th if work is short."""
        residual = residual_of(self._state, self._budget.min_residual)
        n_cells = residual.n_values(residual.slope[self._labels])
        work = 2 * self._budget.beam * self._state.rows.work_of_counting(2 * n_cells)
        self._step = max(1, math.ceil(work / self._work))
        self._offset = self._n_rounds % self._step
        self._n_rounds += 1
        if self._step > 1:
            part = np.arange(self._offset, self._state.rows.n_rows, self._step)
            residual.take(part, self._step)
        return residual

    def _single_starts(self, residual: Residual) -> Iterator[Start]:
        """Yield the best literals of different attributes for and against each class."""
        rows, labels = self._state.rows, self._labels.tolist()
        gradients = np.stack([residual.slope[self._labels], residual.curve[self._labels]], axis=1)
        barred, column = self._constraints.barred(()), rows.column
        may_pay = MayPay(residual, rows, self._labels)
        least = self._prices + self._price_of_vote
        signs = residual.signs
        starts: list[list[tuple[int, ...]]] = [[] for _ in range(len(signs) * len(labels))]
        first = 0
        for sums in self._sums_in_turn(residual, gradients):
            slopes = sums[:, 0]
            gain = newton_gain(np.abs(slopes), sums[:, 1])
            gain[:, barred] = 0.0
            gains = np.where([sign * slopes > 0 for sign in signs], gain, 0.0)
            for _ in range(self._budget.beam):
                best = gains.argmax(axis=2)
                for side, k in np.ndindex(best.shape):
                    literal, place = int(best[side, k]), first + k
                    gain = gains[side, k, literal]
                    if gain > 0 and may_pay.gain_bound(side, place, literal) > least[literal]:
                        starts[side * len(labels) + place].append((literal,))
                gains[column == column[best][..., None]] = 0.0
            first += len(sums)
        for k, own in enumerate(starts):
            for literals in own:
                yield Start(labels[k % len(labels)], signs[k // len(labels)], literals)

    def _sums_in_turn(self, residual: Residual, sets: Floats) -> Iterator[Floats]:
        """Yield the sums of some sets of series, as many at once as a cache holds.

        Of shape (n_at_once, n_in_set, n_literals).
        """
        n_in_set, n_literals = sets.shape[1], len(self._prices)
        if residual.kinds is not None:
            yield self._sums(residual, sets).reshape(-1, n_in_set, n_literals)
            return
        at_once = max(1, STARTS_AT_ONCE // max(1, n_literals))
        yield from self._state.rows.sums_in_turn(sets, residual.part, at_once)

    def _sums(self, residual: Residual, values: Floats) -> Floats:
        """Return the sums of what is undone over the rows where each literal holds."""
        rows = self._state.rows
        if residual.kinds is None:
            return rows.sums(values, residual.part)
        series = values if values.ndim == 2 else np.concatenate(values)
        rows.tell_sums(float(residual.n_rows * len(series)), residual.n_values(series), len(series))
        live = np.flatnonzero(residual.of_rows(np.any(series, axis=0), slice(None)))
        part = residual.in_all(live)
        return rows.counted_by_kind(series, residual.kinds[live], part)

    def _gain_bound(self, residual: Residual) -> Floats:
        """Return what monomials with each literal can gain at most, for and against each class.

        As if each row had a step of its own.  Shape (n_signs, n_labels, n_literals).
        """
        hopes = np.array([residual.hopes(self._labels, sign) for sign in residual.signs])
        sums = self._sums(residual, hopes.reshape(hopes.shape[0] * hopes.shape[1], -1))
        return sums.reshape(*hopes.shape[:2], -1)

    def _pair_starts(self, residual: Residual) -> Iterator[Start]:
        """Yield the best pairs of literals for and against each class.

        Of the literals that can pay those that promise most are looked at, and of the rows some, so
        that work is bounded; what grows from a pair is judged by all.
        """
        least = self._prices + self._prices.min(initial=np.inf) + self._price_of_vote
        gain_bound = self._gain_bound(residual)
        can_pay = (gain_bound > least).any(axis=0)
        for place, (label, pays) in enumerate(zip(self._labels.tolist(), can_pay, strict=True)):
            literals = np.flatnonzero(pays)
            if len(literals) < 2:
                continue
            hopes = gain_bound[:, place, literals].max(axis=0)
            literals, some = self._some_of_pairs(residual, literals, hopes)
            yield from self._best_pairs(residual, label, literals, some)

    def _some_of_pairs(
        self, residual: Residual, literals: Integers, hopes: Floats
    ) -> tuple[Integers, Integers]:
        """Return the literals of which all pairs are looked at, and in which of these rows."""
        n_rows = residual.n_rows
        work = self._budget.pair_work / len(self._labels)
        most = int(math.sqrt(work / min(n_rows, self._budget.pair_rows)))
        most = max(2, min(most, self._budget.paired))
        if len(literals) > most:
            best = np.argsort(-hopes, kind="stable")[:most]
            literals = np.sort(literals[best])
        rows = np.arange(n_rows)
        share = work / (float(n_rows) * len(literals) ** 2)
        if share < 1:  # not each k-th: in a complete table these have values in common
            rows = np.flatnonzero((rows * SPREAD & 0xFFFFFFFF) < share * 2.0**32)
        return literals, rows

    def _best_pairs(
        self, residual: Residual, label: int, literals: Integers, some: Integers
    ) -> Iterator[Start]:
        """Yield the best pairs of some literals in some rows, for and against a class."""
        rows, part = self._state.rows, residual.in_all(some)
        slopes = rows.pair_sums(residual.of_rows(residual.slope[label], some), literals, part)
        curves = rows.pair_sums(residual.of_rows(residual.curve[label], some), literals, part)
        column = rows.column[literals]
        for sign in residual.signs:
            gains = np.triu(newton_gain(sign * slopes, curves), 1)
            for _ in range(self._budget.beam):
                pair = divmod(int(gains.argmax()), len(gains))
                if gains[pair] <= 0:
                    break
                first, second = literals[list(pair)].tolist()
                if not (
                    self._constraints.barred(())[first]
                    or self._constraints.barred((first,))[second]
                ):
                    yield Start(label, sign, (first, second))
                gains[np.ix_(*(column == column[k] for k in pair))] = 0.0

    def _grown(self, residual: Residual, starts: list[Start]) -> list[Candidate]:
        """Return the monomials that grow from some starts: at once where there is a table."""
        if self._state.rows.table is not None:
            return self._grown_at_once(residual, starts)
        return [self._grown_alone(residual, start) for start in starts]

    def _grown_at_once(self, residual: Residual, starts: list[Start]) -> list[Candidate]:
        """Return the monomials that grow from some starts, literal by literal, all at once."""
        rows, prices = self._state.rows, self._prices
        gradients = self._gradients(residual, starts)
        monomials = [start.literals for start in starts]
        covers = np.array([residual.of_part(rows.cover(m)) for m in monomials])
        worth = self._gain((gradients * covers).sum(axis=2))
        open_ = np.arange(len(starts))
        while len(open_):
            n = len(open_)
            values = (gradients[:, open_] * covers[open_]).reshape(len(gradients) * n, -1)
            gains = self._gain(rows.sums(values, residual.part).reshape(len(gradients), n, -1))
            less_price = gains - prices
            for gain, k in zip(less_price, open_.tolist(), strict=True):
                gain[self._constraints.barred(monomials[k])] = -np.inf
            best = less_price.argmax(axis=1)
            pays = less_price[np.arange(n), best] > worth[open_] + TOLERANCE
            worth[open_[pays]] = gains[pays, best[pays]]
            open_, best = open_[pays], best[pays]
            for k, literal in zip(open_.tolist(), best.tolist(), strict=True):
                monomials[k] = (*monomials[k], literal)
                covers[k] &= residual.of_part(rows.holds(literal))
        grown = [
            Candidate(w - self._price(monomial), monomial, start.label, start.sign)
            for w, monomial, start in zip(worth.tolist(), monomials, starts, strict=True)
        ]
        return [
            self._pruned(candidate, residual, gradients[:, k]) for k, candidate in enumerate(grown)
        ]

    def _grown_alone(self, residual: Residual, start: Start) -> Candidate:
        """Return the monomial that grows from a start, the same as at once.

        Sums change by the rows that a literal keeps out, or are those of the rows that it leaves;
        of few rows literals are looked at that name their codes.
        Up to so many literals as `short` says all of its rows count as work for each.
        """
        rows, monomial = self._state.rows, start.literals
        gradients = self._gradients(residual, [start])[:, 0]
        n_of_row = residual.of_rows(np.count_nonzero(gradients, axis=0), slice(None))
        covered = residual.of_part(rows.cover(monomial)).copy()
        live = np.flatnonzero(covered & (n_of_row > 0))
        n_values, sums = int(n_of_row[live].sum()), None
        worth = float(self._gain(residual.of_rows(gradients, live).sum(axis=1)))
        while True:
            if len(monomial) < self._budget.short:
                rows.work += rows.work_of_counting(n_values, len(gradients))
            elif rows.work > self._most_work:
                break
            few = self._counted_in_few(residual, gradients, live)
            if few is None:
                if sums is None:
                    sums = self._counted(residual, gradients, live)
                best, gain, less_price = self._best_literal(monomial, sums)
            else:
                best, gain, less_price = self._best_literal(monomial, *few)
            if less_price <= worth + TOLERANCE:
                break
            monomial, worth = (*monomial, best), gain
            gone = covered & ~residual.of_part(rows.holds(best))
            covered &= ~gone
            n_before, is_gone = n_values, gone[live]
            of_gone, live = live[is_gone], live[~is_gone]
            n_values = int(n_of_row[live].sum())
            if sums is not None:
                fewer = len(of_gone) < len(live)
                sums = sums - self._counted(residual, gradients, of_gone) if fewer else None
            if len(monomial) > self._budget.short:
                is_less = np.count_nonzero(gone) < np.count_nonzero(covered)
                n_looked = n_before - n_values if is_less else n_values
                rows.work += rows.work_of_counting(n_looked, len(gradients))
                rows.work += SCORING * len(self._prices) + float(len(covered))
        price = self._price(monomial)
        candidate = Candidate(worth - price, monomial, start.label, start.sign)
        return self._pruned(candidate, residual, gradients)

    def _best_literal(
        self, monomial: Chain, sums: Floats, literals: Integers | None = None
    ) -> tuple[int, float, float]:
        """Return the literal that gains most less its price, of all or some.

        What it gains comes second, and last that less the price.
        """
        gains = self._gain(sums)
        less_price = gains - (self._prices if literals is None else self._prices[literals])
        barred = self._constraints.barred(monomial)
        less_price[barred if literals is None else barred[literals]] = -np.inf
        best = int(less_price.argmax())
        literal = best if literals is None else int(literals[best])
        return literal, float(gains[best]), float(less_price[best])

    def _counted(self, residual: Residual, gradients: Floats, live: Integers) -> Floats:
        """Return the sums of what is undone in some rows."""
        rows, part = self._state.rows, residual.in_all(live)
        if residual.kinds is not None:
            return rows.counted_by_kind(gradients, residual.kinds[live], part)
        return rows.counted(gradients[None, :, live], part)

    def _counted_in_few(
        self, residual: Residual, gradients: Floats, live: Integers
    ) -> tuple[Floats, Integers] | None:
        """Return the same of the literals that can gain most; None where rows are not few.

        Literals that hold in the same of these rows are alike, unless other rows count too.
        """
        rows, part = self._state.rows, residual.in_all(live)
        is_few = 4 * len(live) * (1 + int(rows.column[-1])) < len(rows.catalogue)
        if (
            not is_few
            or not len(live)
            or self._constraints.literal_filter
            or self._of_contradiction
        ):
            return None
        sums, literals = rows.counted_in_few(residual.of_rows(gradients, live), part)
        return (sums, literals) if len(literals) else None

    def _pruned(self, candidate: Candidate, residual: Residual, gradients: Floats) -> Candidate:
        """Return a candidate without the literals that do not pay, and what it is worth."""
        rows, monomial = self._state.rows, candidate.monomial
        if len(monomial) == 1:
            return candidate
        while True:
            near, kinds = rows.find_near(monomial)
            if residual.part is not None:
                is_of_part = near % self._step == self._offset
                near, kinds = near[is_of_part] // self._step, kinds[is_of_part]
            of_near = residual.of_rows(gradients, near)
            n = len(monomial)
            sums = np.array([np.bincount(kinds, own, minlength=n + 1) for own in of_near])
            worth = float(self._gain(sums[:, 0]))
            if n == 1:
                break
            without = self._gain(sums[:, :1] + sums[:, 1:])
            losses = worth - without - self._prices[list(monomial)]
            least = int(losses.argmin())
            if losses[least] >= 0:
                break
            monomial = monomial[:least] + monomial[least + 1 :]
        return candidate._replace(monomial=monomial, worth=worth - self._price(monomial))

    def _best_of_each(self, candidates: list[Candidate]) -> list[Candidate]:
        """Return the best new monomial for and against each class."""
        known = self._constraints.known | {frozenset(rule.monomial) for rule in self._state.rules}
        best: dict[tuple[int, int], Candidate] = {}
        for candidate in candidates:
            key = frozenset(candidate.monomial)
            self.seen[key] = candidate.monomial
            place = candidate.label, candidate.sign
            if key not in known and candidate.worth > max(
                0.0, best[place].worth if place in best else 0.0
            ):
                best[place] = candidate
        return sorted(best.values(), key=lambda candidate: -candidate.worth)

    def _join(self, candidates: list[Candidate]) -> int:
        """Add the candidates that are worth it, the best first; return how many."""
        state, budget = self._state, self._budget
        joined: set[frozenset[int]] = set()
        heap = [(-candidate.worth, k) for k, candidate in enumerate(candidates)]
        while heap:
            stale, k = heapq.heappop(heap)
            candidate = candidates[k]
            if frozenset(candidate.monomial) in joined:
                continue
            worth, vector = self._fitted(candidate)
            worth -= float(self._prices[list(candidate.monomial)].sum())
            if worth <= 0 or vector.max() == vector.min():
                continue
            if heap and worth < -budget.requeue_ratio * max(heap[0][0], stale):
                heapq.heappush(heap, (-worth, k))
            elif worth >= budget.keep_ratio * candidate.worth:
                state.rules.append(SearchedRule(candidate.monomial, vector))
                state.vote(state.rules[-1])
                joined.add(frozenset(candidate.monomial))
        if joined:
            state.settle()
        return len(joined)

    def _fitted(self, candidate: Candidate) -> tuple[float, Integers]:
        """Return the fall of the log loss less the price of the votes, and the vector.

        Minus infinity if no vector that is tried may be.
        """
        state = self._state
        covered = state.rows.places(candidate.monomial)
        if isinstance(state, LabelMargins):
            return fitted_to_labels(state, self._constraints, candidate.monomial, covered)
        assert isinstance(state, SoftStanding)
        part = covered[covered % self._step == self._offset]
        is_part = 0 < len(part) < len(covered)
        fit = VoteFit(state, part, self._step) if is_part else VoteFit(state, covered)
        n_classes = state.rows.n_classes
        alone = np.zeros(n_classes, np.int64)
        alone[candidate.label] = candidate.sign
        strongly = np.full(n_classes, -candidate.sign)
        strongly[candidate.label] = candidate.sign
        of_cover = self._constraints.vectors_of(candidate.monomial, fit.class_weights)
        state.rows.weights_in(candidate.monomial)  # remembered: all vectors must agree with them
        may_be = partial(self._constraints.allows, candidate.monomial)
        tried = [fit.descend(start, self._budget.votes, may_be) for start in (alone, strongly)]
        tried.append((fit.worth(of_cover), of_cover))
        self._work_of_fits += fit.work
        allowed = [may_be(vector) for _, vector in tried]
        worths = np.where(allowed, [worth for worth, _ in tried], -np.inf)
        best = int((worths >= worths.max() - fit.margin).argmax())
        vector = tried[best][1]
        if is_part and allowed[best]:
            return VoteFit(state, covered).worth(vector), vector
        return float(worths[best]), vector
