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
from functools import lru_cache, partial
from itertools import product
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from widc_arff.induction.search.budget import FITTING, LARGEST_STEP, LEAST_STEP, SCORING
from widc_arff.induction.search.standing import SearchedRule
from widc_arff.tolerance import FIXED_POINT, ROUNDED, TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from widc_arff.arrays import Floats, Integers
    from widc_arff.induction.demands import Demands
    from widc_arff.induction.sample.coding import Chain
    from widc_arff.induction.search.budget import Budget
    from widc_arff.induction.search.rows import Rows
    from widc_arff.induction.search.standing import Standing


SPREAD = 0x9E3779B1
"""Multiples of it, by 2**32, lie evenly in any part of a sequence (Knuth, volume 3, 6.4)."""
STARTS_AT_ONCE = 1 << 14
"""Classes times literals whose gains are looked at together."""
HOPES_AT_ONCE = 1 << 20
"""Additions up to which what all literals can gain is computed, not of those alone that ask."""
AT_ONCE = 1 << 12
"""Logarithms that are taken together: of more, changes are looked at one after another."""
OTHER_VOTES = np.array([[-1, 1], [-1, 0], [0, 1]])
"""What a vote of 0, 1, or at the end of -1, can change to."""


Scalar = TypeVar("Scalar", bound=np.generic)


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


class Residual:
    """What a committee leaves undone, of each class in each row.

    Of two classes rows of the same margin and weights leave the same undone: where there is no
    table, and these kinds are few, values are of kinds.

    Parameters
    ----------
    standing : Standing
        The committee.
    idle : float
        Share of a row's weight, divided by the number of classes, below which its residual for a
        class is taken as none.
    """

    part: Integers | None = None
    """The rows that it is of; None for all."""

    def __init__(self, standing: Standing, idle: float) -> None:
        rows = standing.rows
        weights, class_weights = rows.weights, rows.class_weights
        p, _, kinds = standing.softmax(slice(None))
        self.kinds: Integers | None = None
        """The kind of each row, where values are of kinds."""
        if kinds is not None:
            found = None if rows.table is not None else rows.kinds_with(kinds)
            if found is None:
                p = p[:, kinds]
            else:
                self.kinds, first = found
                p, class_weights, weights = (
                    p[:, kinds[first]],
                    class_weights[:, first],
                    weights[first],
                )
        self.class_weights, self.weights = class_weights, weights
        # whole multiples of a small unit: sums are exact, in whatever order
        self.unit = unit = float(2.0 ** np.ceil(np.log2(rows.total)) / FIXED_POINT)
        least = idle * weights / rows.n_classes
        self.slope: Floats = np.empty(p.shape)
        self.curve: Floats = np.empty(p.shape)
        for j, (own, of_class) in enumerate(zip(p, class_weights, strict=True)):
            expected = weights * own
            slope = of_class - expected
            near = np.abs(slope) > least
            self.slope[j] = np.rint(slope * near / unit) * unit
            self.curve[j] = np.rint(expected * (1 - own) * near / unit) * unit
        self._of_all = self.slope, self.curve, self.kinds
        self.n_rows = rows.n_rows

    def take(self, part: Integers, scale: int) -> None:
        """Leave some rows, which stand for `scale` times as many."""
        self.part, self.n_rows = part, len(part)
        if self.kinds is None:
            self.slope, self.curve = self.slope.take(part, axis=1), self.curve.take(part, axis=1)
            self.class_weights = self.class_weights.take(part, axis=1)
            self.weights = self.weights[part]
        else:
            self.kinds = self.kinds[part]
        self.slope, self.curve = self.slope * scale, self.curve * scale

    def gain_in_all(self, label: int, sign: int, covered: Integers) -> float:
        """Return what one step for or against a class in some of all rows gains."""
        slope, curve, kinds = self._of_all
        some = covered if kinds is None else kinds[covered]
        return float(newton_gain(sign * slope[label][some].sum(), curve[label][some].sum()))

    def hopes(self, labels: Integers, sign: int, rows: Integers | None = None) -> Floats:
        """Return what steps for or against some classes gain, each of some rows by itself."""
        slope, curve = self.slope[labels], self.curve[labels]
        if rows is not None and self.kinds is None:
            slope, curve = slope.take(rows, axis=-1), curve.take(rows, axis=-1)
        gains = np.ceil(newton_gain(sign * slope, curve) / self.unit)
        if rows is not None and self.kinds is not None:
            gains = gains.take(self.kinds[rows], axis=-1)
        return np.asarray(gains * self.unit)  # sums of these are exact

    def of_part(self, values: NDArray[Scalar]) -> NDArray[Scalar]:
        """Return what is of these rows, from values of all along the last axis."""
        return values if self.part is None else values[..., self.part]

    def in_all(self, rows: Integers) -> Integers:
        """Return which of all rows some of these are."""
        return rows if self.part is None else self.part[rows]

    def of_rows(self, values: NDArray[Scalar], rows: Integers | slice) -> NDArray[Scalar]:
        """Return the values of some of these rows, along the last axis."""
        return values[..., rows if self.kinds is None else self.kinds[rows]]

    def n_values(self, values: NDArray[np.generic]) -> float:
        """Return how many values of these rows are not zero, or true."""
        if self.kinds is None:
            return float(np.count_nonzero(values))
        n_rows = np.bincount(self.kinds, minlength=values.shape[1])
        return float((np.count_nonzero(values, axis=0) * n_rows).sum())


def newton_gain(slope: Floats, curve: Floats) -> Floats:
    """Return the fall of the log loss in one Newton step of a part of a vote up to two."""
    step = np.clip(slope / np.maximum(curve, 1e-12), LEAST_STEP, LARGEST_STEP)
    return np.asarray(np.maximum(step * (slope - 0.5 * curve * step), 0.0))


class MayPay:
    """What monomials with some literals can gain at most: it is asked of few.

    Parameters
    ----------
    residual : Residual
    rows : Rows
        Told of the work of all literals.
    labels : ndarray of int64 of shape (n_labels,)
        The classes for and against which monomials grow.
    """

    def __init__(self, residual: Residual, rows: Rows, labels: Integers) -> None:
        self._residual, self._rows, self._labels = residual, rows, labels
        slope, curve = residual.slope[labels], residual.curve[labels]
        rises = [residual.n_values(s * slope > LEAST_STEP / 2 * curve) for s in (1, -1)]
        n_values = 2.0 * len(labels) * residual.n_rows
        rows.tell_sums(n_values, sum(rises), 2 * len(labels))
        self._all: Floats | None = None
        if rows.table is not None and n_values * rows.table.shape[1] <= HOPES_AT_ONCE:
            hopes = [residual.hopes(labels, sign) for sign in (1, -1)]
            part = slice(None) if residual.part is None else residual.part
            self._all = np.array(hopes) @ rows.table[part]

    def hope(self, side: int, place: int, literal: int) -> float:
        """Return it for (0) or against (1) one of the classes, as if each row had its own step."""
        if self._all is not None:
            return float(self._all[side, place, literal])
        covered = np.flatnonzero(self._residual.of_part(self._rows.holds(literal)))
        return float(self._residual.hopes(self._labels[place], 1 - 2 * side, covered).sum())


class Grower:
    """Grows a committee on rows.

    Parameters
    ----------
    standing : Standing
        The committee, which grows.
    demands : Demands
        What is demanded of rules.
    budget : Budget
        What may be tried.
    """

    def __init__(self, standing: Standing, demands: Demands, budget: Budget) -> None:
        self._standing, self._demands, self._budget = standing, demands, budget
        rows, objective = standing.rows, standing.objective
        self._prices = objective.nats_of_bit * objective.prices
        self._price_of_vote = float(objective.nats_of_bit * objective.of_exception)
        self._of_contradiction = float(objective.nats_of_bit * objective.of_contradiction)
        self._labels = np.arange(rows.n_classes) if rows.n_classes > 2 else np.array([0])
        self._n_rounds, self._step, self._work = 0, 1, budget.growth_work
        self._most_work = rows.work + budget.search_work
        self._work_of_fits = 0.0
        self.seen: dict[frozenset[int], Chain] = {}
        """Monomials that came up."""

    def grow(self) -> None:
        """Add rules until nothing joins; where it does not from a part of the rows, from more.

        Or until the work is spent.
        """
        rows = self._standing.rows
        most_work = rows.work + self._budget.grown_work
        while rows.work + self._work_of_fits <= most_work:
            if not (self._round(self._single_starts) or self._round(self._pair_starts)):
                if self._step == 1:
                    break
                self._work *= self._budget.more_rows

    def _round(self, starts_of: Callable[[Residual], Iterable[Start]]) -> int:
        """Add the rules of one round; return how many."""
        residual = self._residual()
        starts = list(starts_of(residual))
        if not starts:
            return 0
        candidates = self._best_of_each(self._grown(residual, starts))
        if residual.part is not None:
            candidates = [self._seen_in_all(candidate, residual) for candidate in candidates]
        return self._join(candidates)

    def _seen_in_all(self, candidate: Candidate, residual: Residual) -> Candidate:
        """Return a candidate that grew on a part with what it is worth in all rows."""
        covered = self._standing.rows.places(candidate.monomial)
        gain = residual.gain_in_all(candidate.label, candidate.sign, covered)
        if self._of_contradiction:
            weights = self._standing.rows.weights_in(candidate.monomial)
            own = weights[candidate.label]
            gain -= self._of_contradiction * (weights.sum() - own if candidate.sign > 0 else own)
        return candidate._replace(worth=gain - self._price(candidate.monomial))

    def _price(self, monomial: Chain) -> float:
        """Return what a monomial costs with one vote, in nats."""
        return float(self._prices[list(monomial)].sum()) + self._price_of_vote

    def _undone(self, residual: Residual, starts: list[Start]) -> Floats:
        """Return slope, curve and what contradicts one vote, of some starts in each row.

        Shape (3, n_starts, n_rows), or (2, ...) where what contradicts costs nothing; of kinds of
        rows, where the residual is.
        """
        labels = [start.label for start in starts]
        signs = np.array([[start.sign] for start in starts], np.float64)
        undone = [residual.slope[labels] * signs, residual.curve[labels]]
        if self._of_contradiction:
            own = residual.class_weights[labels]
            undone.append(np.where(signs > 0, residual.weights - own, own) * self._step)
        return np.array(undone)

    def _gain(self, undone: Floats) -> Floats:
        """Return the fall of the log loss in a step, less the price of what contradicts it.

        From sums of what `_undone` returns, along the first axis.
        """
        gain = newton_gain(undone[0], undone[1])
        return gain - self._of_contradiction * undone[2] if self._of_contradiction else gain

    def _residual(self) -> Residual:
        """Return the residual of all rows, or of every k-th if work is short."""
        residual = Residual(self._standing, self._budget.idle_residual)
        n_cells = residual.n_values(residual.slope[self._labels])
        work = 2 * self._budget.beam * self._standing.rows.work_of_counting(2 * n_cells)
        self._step = max(1, math.ceil(work / self._work))
        self._offset = self._n_rounds % self._step
        self._n_rounds += 1
        if self._step > 1:
            part = np.arange(self._offset, self._standing.rows.n_rows, self._step)
            residual.take(part, self._step)
        return residual

    def _single_starts(self, residual: Residual) -> Iterator[Start]:
        """Yield the best literals of different attributes for and against each class."""
        rows, labels = self._standing.rows, self._labels.tolist()
        undone = np.stack([residual.slope[self._labels], residual.curve[self._labels]], axis=1)
        barred, column = self._demands.barred(()), rows.column
        may_pay = MayPay(residual, rows, self._labels)
        least = self._prices + self._price_of_vote
        starts: list[list[tuple[int, ...]]] = [[] for _ in range(2 * len(labels))]
        first = 0
        for sums in self._sums_in_turn(residual, undone):
            slopes = sums[:, 0]
            gain = newton_gain(np.abs(slopes), sums[:, 1])
            gain[:, barred] = 0.0
            gains = np.where([slopes > 0, slopes < 0], gain, 0.0)
            for _ in range(self._budget.beam):
                best = gains.argmax(axis=2)
                for side, k in np.ndindex(best.shape):
                    literal, place = int(best[side, k]), first + k
                    gain = gains[side, k, literal]
                    if gain > 0 and may_pay.hope(side, place, literal) > least[literal]:
                        starts[side * len(labels) + place].append((literal,))
                gains[column == column[best][..., None]] = 0.0
            first += len(sums)
        for k, own in enumerate(starts):
            for literals in own:
                yield Start(labels[k % len(labels)], 1 if k < len(labels) else -1, literals)

    def _sums_in_turn(self, residual: Residual, sets: Floats) -> Iterator[Floats]:
        """Yield the sums of some sets of series, as many at once as a cache holds.

        Of shape (n_at_once, n_in_set, n_literals).
        """
        n_in_set, n_literals = sets.shape[1], len(self._prices)
        if residual.kinds is not None:
            yield self._sums(residual, sets).reshape(-1, n_in_set, n_literals)
            return
        at_once = max(1, STARTS_AT_ONCE // max(1, n_literals))
        yield from self._standing.rows.sums_in_turn(sets, residual.part, at_once)

    def _sums(self, residual: Residual, values: Floats) -> Floats:
        """Return the sums of what is undone over the rows where each literal holds."""
        rows = self._standing.rows
        if residual.kinds is None:
            return rows.sums(values, residual.part)
        series = values if values.ndim == 2 else np.concatenate(values)
        rows.tell_sums(float(residual.n_rows * len(series)), residual.n_values(series), len(series))
        live = np.flatnonzero(residual.of_rows(np.any(series, axis=0), slice(None)))
        part = residual.in_all(live)
        return rows.counted_by_kind(series, residual.kinds[live], part)

    def _hope(self, residual: Residual) -> Floats:
        """Return what monomials with each literal can gain at most, for and against each class.

        As if each row had a step of its own.  Shape (2, n_labels, n_literals).
        """
        hopes = np.array([residual.hopes(self._labels, sign) for sign in (1, -1)])
        return self._sums(residual, hopes.reshape(2 * len(self._labels), -1)).reshape(
            2, len(self._labels), -1
        )

    def _pair_starts(self, residual: Residual) -> Iterator[Start]:
        """Yield the best pairs of literals for and against each class.

        Of the literals that can pay those that promise most are looked at, and of the rows some, so
        that work is bounded; what grows from a pair is judged by all.
        """
        least = self._prices + self._prices.min(initial=np.inf) + self._price_of_vote
        hope = self._hope(residual)
        can_pay = (hope > least).any(axis=0)
        for place, (label, pays) in enumerate(zip(self._labels.tolist(), can_pay, strict=True)):
            literals = np.flatnonzero(pays)
            if len(literals) < 2:
                continue
            hopes = hope[:, place, literals].max(axis=0)
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
        rows, part = self._standing.rows, residual.in_all(some)
        slopes = rows.pair_sums(residual.of_rows(residual.slope[label], some), literals, part)
        curves = rows.pair_sums(residual.of_rows(residual.curve[label], some), literals, part)
        column = rows.column[literals]
        for sign in (1, -1):
            gains = np.triu(newton_gain(sign * slopes, curves), 1)
            for _ in range(self._budget.beam):
                pair = divmod(int(gains.argmax()), len(gains))
                if gains[pair] <= 0:
                    break
                first, second = literals[list(pair)].tolist()
                if not (self._demands.barred(())[first] or self._demands.barred((first,))[second]):
                    yield Start(label, sign, (first, second))
                gains[np.ix_(*(column == column[k] for k in pair))] = 0.0

    def _grown(self, residual: Residual, starts: list[Start]) -> list[Candidate]:
        """Return the monomials that grow from some starts: at once where there is a table."""
        if self._standing.rows.table is not None:
            return self._grown_at_once(residual, starts)
        return [self._grown_alone(residual, start) for start in starts]

    def _grown_at_once(self, residual: Residual, starts: list[Start]) -> list[Candidate]:
        """Return the monomials that grow from some starts, literal by literal, all at once."""
        rows, prices = self._standing.rows, self._prices
        undone = self._undone(residual, starts)
        monomials = [start.literals for start in starts]
        covers = np.array([residual.of_part(rows.cover(m)) for m in monomials])
        worth = self._gain((undone * covers).sum(axis=2))
        open_ = np.arange(len(starts))
        while len(open_):
            n = len(open_)
            values = (undone[:, open_] * covers[open_]).reshape(len(undone) * n, -1)
            gains = self._gain(rows.sums(values, residual.part).reshape(len(undone), n, -1))
            less_price = gains - prices
            for gain, k in zip(less_price, open_.tolist(), strict=True):
                gain[self._demands.barred(monomials[k])] = -np.inf
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
            self._pruned(candidate, residual, undone[:, k]) for k, candidate in enumerate(grown)
        ]

    def _grown_alone(self, residual: Residual, start: Start) -> Candidate:
        """Return the monomial that grows from a start, the same as at once.

        Sums change by the rows that a literal keeps out, or are those of the rows that it leaves;
        of few rows literals are looked at that name their codes.
        Up to so many literals as `short` says all of its rows count as work for each.
        """
        rows, monomial = self._standing.rows, start.literals
        undone = self._undone(residual, [start])[:, 0]
        n_of_row = residual.of_rows(np.count_nonzero(undone, axis=0), slice(None))
        covered = residual.of_part(rows.cover(monomial)).copy()
        live = np.flatnonzero(covered & (n_of_row > 0))
        n_values, sums = int(n_of_row[live].sum()), None
        worth = float(self._gain(residual.of_rows(undone, live).sum(axis=1)))
        while True:
            if len(monomial) < self._budget.short:
                rows.work += rows.work_of_counting(n_values, len(undone))
            elif rows.work > self._most_work:
                break
            few = self._counted_in_few(residual, undone, live)
            if few is None:
                if sums is None:
                    sums = self._counted(residual, undone, live)
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
                sums = sums - self._counted(residual, undone, of_gone) if fewer else None
            if len(monomial) > self._budget.short:
                is_less = np.count_nonzero(gone) < np.count_nonzero(covered)
                n_looked = n_before - n_values if is_less else n_values
                rows.work += rows.work_of_counting(n_looked, len(undone))
                rows.work += SCORING * len(self._prices) + float(len(covered))
        price = self._price(monomial)
        candidate = Candidate(worth - price, monomial, start.label, start.sign)
        return self._pruned(candidate, residual, undone)

    def _best_literal(
        self, monomial: Chain, sums: Floats, literals: Integers | None = None
    ) -> tuple[int, float, float]:
        """Return the literal that gains most less its price, of all or some.

        What it gains comes second, and last that less the price.
        """
        gains = self._gain(sums)
        less_price = gains - (self._prices if literals is None else self._prices[literals])
        barred = self._demands.barred(monomial)
        less_price[barred if literals is None else barred[literals]] = -np.inf
        best = int(less_price.argmax())
        literal = best if literals is None else int(literals[best])
        return literal, float(gains[best]), float(less_price[best])

    def _counted(self, residual: Residual, undone: Floats, live: Integers) -> Floats:
        """Return the sums of what is undone in some rows."""
        rows, part = self._standing.rows, residual.in_all(live)
        if residual.kinds is not None:
            return rows.counted_by_kind(undone, residual.kinds[live], part)
        return rows.counted(undone[None, :, live], part)

    def _counted_in_few(
        self, residual: Residual, undone: Floats, live: Integers
    ) -> tuple[Floats, Integers] | None:
        """Return the same of the literals that can gain most; None where rows are not few.

        Literals that hold in the same of these rows are alike, unless other rows count too.
        """
        rows, part = self._standing.rows, residual.in_all(live)
        is_few = 4 * len(live) * (1 + int(rows.column[-1])) < len(rows.catalogue)
        if not is_few or not len(live) or self._demands.admission or self._of_contradiction:
            return None
        sums, literals = rows.counted_in_few(residual.of_rows(undone, live), part)
        return (sums, literals) if len(literals) else None

    def _pruned(self, candidate: Candidate, residual: Residual, undone: Floats) -> Candidate:
        """Return a candidate without the literals that do not pay, and what it is worth."""
        rows, monomial = self._standing.rows, candidate.monomial
        if len(monomial) == 1:
            return candidate
        while True:
            near, kinds = rows.find_near(monomial)
            if residual.part is not None:
                is_of_part = near % self._step == self._offset
                near, kinds = near[is_of_part] // self._step, kinds[is_of_part]
            of_near = residual.of_rows(undone, near)
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
        known = self._demands.known | {frozenset(rule.monomial) for rule in self._standing.rules}
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
        standing, budget = self._standing, self._budget
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
            if heap and worth < -budget.overtaken * max(heap[0][0], stale):
                heapq.heappush(heap, (-worth, k))
            elif worth >= budget.worth_keeping * candidate.worth:
                standing.rules.append(SearchedRule(candidate.monomial, vector))
                standing.vote(standing.rules[-1])
                joined.add(frozenset(candidate.monomial))
        if joined:
            standing.settle()
        return len(joined)

    def _fitted(self, candidate: Candidate) -> tuple[float, Integers]:
        """Return the fall of the log loss less the price of the votes, and the vector.

        Minus infinity if no vector that is tried may be.
        """
        standing = self._standing
        covered = np.flatnonzero(standing.rows.cover(candidate.monomial))
        part = covered[covered % self._step == self._offset]
        is_part = 0 < len(part) < len(covered)
        fit = VoteFit(standing, part, self._step) if is_part else VoteFit(standing, covered)
        n_classes = standing.rows.n_classes
        alone = np.zeros(n_classes, np.int64)
        alone[candidate.label] = candidate.sign
        strongly = np.full(n_classes, -candidate.sign)
        strongly[candidate.label] = candidate.sign
        of_cover = self._demands.vectors_of(candidate.monomial, fit.class_weights)
        may_be = partial(self._demands.allows, candidate.monomial)
        tried = [fit.descend(start, self._budget.votes, may_be) for start in (alone, strongly)]
        tried.append((fit.worth(of_cover), of_cover))
        self._work_of_fits += fit.work
        allowed = [may_be(vector) for _, vector in tried]
        worths = np.where(allowed, [worth for worth, _ in tried], -np.inf)
        best = int((worths >= worths.max() - fit.margin).argmax())
        vector = tried[best][1]
        if is_part and allowed[best]:
            return VoteFit(standing, covered).worth(vector), vector
        return float(worths[best]), vector


class VoteFit:
    """The log loss of the rows of a cover with votes added, given the votes that are there.

    Parameters
    ----------
    standing : Standing
        The committee.
    rows : ndarray of int64 of shape (n_covered,)
        The cover, or a part of it.
    scale : int
        How many rows each stands for.
    """

    def __init__(self, standing: Standing, rows: Integers, scale: int = 1) -> None:
        self._objective = standing.objective
        self._p, weights, _ = standing.softmax(rows)
        self._weights = weights * scale
        self._n_rows = len(rows)
        self.class_weights: Floats = (
            standing.rows.class_weights.take(rows, axis=1).sum(axis=1) * scale
        )
        self.margin = TOLERANCE + ROUNDED * float(self.class_weights.sum())
        """What losses can differ by, by the order of the rows."""
        self.work = 0.0
        """Additions so far."""

    def worth(self, vector: Integers) -> float:
        """Return the fall of the loss by a vector, less the price of its votes, in nats.

        What contradicts them in the cover is part of their price.
        """
        fall = self.class_weights @ vector - self._weights @ np.log(self._norms(vector))
        return float(fall) - self._price_of(vector)

    def _norms(self, vector: Integers) -> Floats:
        return np.asarray(np.exp(vector) @ self._p)

    def _price_of(self, vector: Integers) -> float:
        """Return the price of the votes of a vector, in nats."""
        objective = self._objective
        bits = objective.of_vector(vector)
        if objective.of_contradiction:
            bits += objective.of_cover(vector, self.class_weights)
        return float(bits * objective.nats_of_bit)

    def descend(
        self, vector: Integers, n_tried: int, may_be: Callable[[Integers], bool]
    ) -> tuple[float, Integers]:
        """Change one vote at a time, the best first, as long as that is worth it.

        The `n_tried` votes are tried that the rows want most to change, within the vectors that may
        be.  The log loss is convex in each vote, so that its slope bounds what a
        change can gain: changes are looked at by these bounds, until none can be the best.
        """
        apart = np.abs(self.class_weights - self._p @ self._weights)
        labels = np.argsort(-np.round(apart, 9), kind="stable")[:n_tried]
        label = np.repeat(labels, 2)
        p, wanted, norms = self._p[label], self.class_weights[label], self._norms(vector)
        of_rows = float(self._weights @ np.log(norms))
        loss = of_rows - float(self.class_weights @ vector) + self._price_of(vector)
        while True:
            now, vote = vector[label], OTHER_VOTES[vector[labels]].ravel()
            self.work += FITTING * len(label) * self._n_rows
            steps = np.exp(vote) - np.exp(now)
            rest = self._prices_of_changes(vector, label, vote) - wanted * (vote - now)
            rest -= float(self.class_weights @ vector)
            if p.size <= AT_ONCE:
                losses = np.log(norms + p * steps[:, None]) @ self._weights + rest
                bounds, left = losses, []
            else:
                slopes = (p @ (self._weights / norms)) * np.exp(now)
                bounds = of_rows + slopes * (vote - now) + rest
                losses, left = np.full(len(label), np.inf), np.argsort(-bounds).tolist()
            while True:
                while left and bounds[left[-1]] <= min(losses.min(), loss) + TOLERANCE * (
                    1 + abs(loss)
                ):
                    k = left.pop()
                    losses[k] = self._weights @ np.log(norms + p[k] * steps[k]) + rest[k]
                least = float(losses.min())
                if not least < loss - self.margin:
                    return -loss, vector
                best = int((losses <= least + ROUNDED * (1 + abs(least))).argmax())
                changed = vector.copy()
                changed[label[best]] = vote[best]
                if may_be(changed):
                    break
                losses[best] = np.inf
            loss, norms = float(losses[best]), norms + p[best] * steps[best]
            vector, of_rows = changed, loss - float(rest[best])

    def _prices_of_changes(self, vector: Integers, label: Integers, vote: Integers) -> Floats:
        """Return what a vector costs, in nats, with one vote changed."""
        objective, values = self._objective, vector.tolist()
        n_exceptions = exceptions_after(values.count(-1), values.count(0), values.count(1))
        bits = objective.of_exception * n_exceptions[vector[label], vote]
        if objective.of_contradiction:
            vectors = np.repeat(vector[None], len(label), axis=0)
            vectors[np.arange(len(label)), label] = vote
            bits += objective.of_covers(vectors, self.class_weights[:, None])[:, 0]
        return np.asarray(bits * objective.nats_of_bit)


@lru_cache(maxsize=1 << 12)
def exceptions_after(*counts: int) -> Integers:
    """Return how many exceptions a vector has when one vote (rows) has become another (columns).

    `counts` are of its votes of -1, 0 and 1; in the result votes are places.
    """
    found = np.zeros((3, 3), np.int64)
    for now, vote in product((-1, 0, 1), repeat=2):
        after = list(counts)
        after[now + 1] -= 1
        after[vote + 1] += 1
        found[now, vote] = sum(counts) - max(after)
    return found
