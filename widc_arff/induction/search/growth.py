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
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from widc_arff.induction.search.budget import FITTING, LARGEST_STEP, LEAST_STEP, SCORING
from widc_arff.induction.search.rows import COVERED
from widc_arff.induction.search.standing import SearchedRule
from widc_arff.tolerance import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.induction.demands import Demands
    from widc_arff.induction.sample.coding import Chain
    from widc_arff.induction.search.budget import Budget
    from widc_arff.induction.search.standing import Standing


FIXED_POINT = 2.0**40
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
        p = probabilities(standing, slice(None))
        slope = rows.class_weights - rows.weights * p
        near = np.abs(slope) > idle * rows.weights / rows.n_classes
        # whole multiples of a small unit: sums are exact, in whatever order
        unit = 2.0 ** np.ceil(np.log2(rows.total)) / FIXED_POINT
        self.unit = unit
        self.slope: Floats = np.rint(np.where(near, slope, 0.0) / unit) * unit
        curve = rows.weights * p * (1 - p)
        self.curve: Floats = np.rint(np.where(near, curve, 0.0) / unit) * unit

    def take(self, part: Integers, scale: int) -> None:
        """Leave some rows, which stand for `scale` times as many."""
        self.part, self._whole = part, (self.slope, self.curve)
        self.slope = self.slope[:, part] * scale
        self.curve = self.curve[:, part] * scale

    def gain_in_all(self, label: int, sign: int, covered: Bools) -> float:
        """Return what one step for or against a class in some of all rows gains."""
        slope, curve = self._whole
        return float(newton_gain(sign * slope[label][covered].sum(), curve[label][covered].sum()))

    def of_part(self, values: NDArray[Scalar]) -> NDArray[Scalar]:
        """Return what is of these rows, from values of all along the last axis."""
        return values if self.part is None else values[..., self.part]


def probabilities(standing: Standing, rows: Integers | slice) -> Floats:
    """Return the softmax of the votes of some rows, shape (n_classes, n_some)."""
    scores = standing.votes[:, rows].astype(np.float64)
    scores[standing.last_resort] += 0.5
    scores -= scores.max(axis=0)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=0)
    return scores


def newton_gain(slope: Floats, curve: Floats) -> Floats:
    """Return the fall of the log loss in one Newton step of a part of a vote up to two."""
    step = np.clip(slope / np.maximum(curve, 1e-12), LEAST_STEP, LARGEST_STEP)
    return np.asarray(np.maximum(step * (slope - 0.5 * curve * step), 0.0))


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
        cover = self._standing.rows.cover(candidate.monomial)
        gain = residual.gain_in_all(candidate.label, candidate.sign, cover)
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

        Shape (3, n_starts, n_rows), or (2, ...) where what contradicts costs nothing.
        """
        rows, labels = self._standing.rows, [start.label for start in starts]
        signs = np.array([[start.sign] for start in starts], np.float64)
        undone = [residual.slope[labels] * signs, residual.curve[labels]]
        if self._of_contradiction:
            part = slice(None) if residual.part is None else residual.part
            own = rows.class_weights[labels][:, part]
            undone.append(np.where(signs > 0, rows.weights[part] - own, own) * self._step)
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
        n_cells = float(np.count_nonzero(residual.slope[self._labels]))
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
        sums = rows.sums(np.concatenate(self._of_labels(residual)), residual.part)
        slopes, curves = sums.reshape(2, len(labels), -1)
        gains = np.array([newton_gain(slopes, curves), newton_gain(-slopes, curves)])
        gains[..., self._demands.barred(())] = 0.0
        can_pay = self._hope(residual) > self._prices + self._price_of_vote
        starts: list[list[tuple[int, ...]]] = [[] for _ in range(2 * len(labels))]
        for _ in range(self._budget.beam):
            best = gains.argmax(axis=2)[..., None]
            pays = np.take_along_axis((gains > 0) & can_pay, best, axis=2)
            for own, literal, may_start in zip(starts, best.flat, pays.flat, strict=True):
                if may_start:
                    own.append((int(literal),))
            gains[rows.column == rows.column[best]] = 0.0
        for k, own in enumerate(starts):
            for literals in own:
                yield Start(labels[k % len(labels)], 1 if k < len(labels) else -1, literals)

    def _of_labels(self, residual: Residual) -> tuple[Floats, Floats]:
        return residual.slope[self._labels], residual.curve[self._labels]

    def _hope(self, residual: Residual) -> Floats:
        """Return what monomials with each literal can gain at most, for and against each class.

        As if each row had a step of its own.  Shape (2, n_labels, n_literals).
        """
        slopes, curves = self._of_labels(residual)
        gains = np.concatenate([newton_gain(slopes, curves), newton_gain(-slopes, curves)])
        gains = np.ceil(gains / residual.unit) * residual.unit  # sums of these are exact
        return self._standing.rows.sums(gains, residual.part).reshape(2, len(slopes), -1)

    def _pair_starts(self, residual: Residual) -> Iterator[Start]:
        """Yield the best pairs of literals, if all that can pay can be looked at."""
        rows = self._standing.rows
        if not rows.may_pair(self._budget.pair_work / len(self._labels)):
            return
        least = self._prices + self._prices.min(initial=np.inf) + self._price_of_vote
        hope = self._hope(residual)
        can_pay = (hope > least).any(axis=0)
        for place, (label, pays) in enumerate(zip(self._labels.tolist(), can_pay, strict=True)):
            literals = np.flatnonzero(pays)
            if len(literals) < 2:
                continue
            if len(literals) > self._budget.paired:
                hopes = hope[:, place, literals].max(axis=0)
                best = np.argsort(-hopes, kind="stable")[: self._budget.paired]
                literals = np.sort(literals[best])
            slopes = rows.pair_sums(residual.slope[label], literals, residual.part)
            curves = rows.pair_sums(residual.curve[label], literals, residual.part)
            column = rows.column[literals]
            for sign in (1, -1):
                gains = np.triu(newton_gain(sign * slopes, curves), 1)
                for _ in range(self._budget.beam):
                    pair = divmod(int(gains.argmax()), len(gains))
                    if gains[pair] <= 0:
                        break
                    first, second = literals[list(pair)].tolist()
                    if not (
                        self._demands.barred(())[first] or self._demands.barred((first,))[second]
                    ):
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

        Sums change by the rows that a literal keeps out, or are those of the rows that it leaves.
        Up to so many literals as `short` says all of its rows count as work for each.
        """
        rows, prices, monomial = self._standing.rows, self._prices, start.literals
        undone = self._undone(residual, [start])[:, 0]
        covered = residual.of_part(rows.cover(monomial)).copy()
        sums, n_values = self._counted(residual, undone, covered)
        worth = float(self._gain(undone[:, covered].sum(axis=1)))
        while True:
            if len(monomial) < self._budget.short:
                rows.work += rows.work_of_counting(n_values, len(undone))
            elif rows.work > self._most_work:
                break
            gains = self._gain(sums)
            less_price = gains - prices
            less_price[self._demands.barred(monomial)] = -np.inf
            best = int(less_price.argmax())
            if less_price[best] <= worth + TOLERANCE:
                break
            monomial, worth = (*monomial, best), float(gains[best])
            gone = covered & ~residual.of_part(rows.holds(best))
            covered &= ~gone
            if np.count_nonzero(gone) < np.count_nonzero(covered):
                of_gone, n_looked = self._counted(residual, undone, gone)
                sums, n_values = sums - of_gone, n_values - n_looked
            else:
                sums, n_values = self._counted(residual, undone, covered)
                n_looked = n_values
            if len(monomial) > self._budget.short:
                rows.work += rows.work_of_counting(n_looked, len(undone))
                rows.work += SCORING * len(prices) + float(len(covered))
        price = self._price(monomial)
        candidate = Candidate(worth - price, monomial, start.label, start.sign)
        return self._pruned(candidate, residual, undone)

    def _counted(self, residual: Residual, undone: Floats, some: Bools) -> tuple[Floats, int]:
        """Return the sums of what is undone in some rows, and of how many values."""
        places = np.flatnonzero(some)
        values = undone[:, places]
        part = places if residual.part is None else residual.part[places]
        return self._standing.rows.counted(values, part), int(np.count_nonzero(values))

    def _pruned(self, candidate: Candidate, residual: Residual, undone: Floats) -> Candidate:
        """Return a candidate without the literals that do not pay, and what it is worth."""
        rows, monomial = self._standing.rows, candidate.monomial
        if len(monomial) == 1:
            return candidate
        while True:
            unmet = residual.of_part(rows.find_unmet(monomial))
            whole = undone[:, unmet == COVERED].sum(axis=1)
            worth = float(self._gain(whole))
            paid = self._prices[list(monomial)]
            if len(monomial) == 1:
                break
            almost = np.flatnonzero(unmet >= 0)
            kept_out = np.array(
                [np.bincount(unmet[almost], own[almost], len(monomial)) for own in undone]
            )
            losses = worth - self._gain(whole[:, None] + kept_out) - paid
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
        may_be = partial(self._demands.allowed, candidate.monomial)
        tried = [fit.descend(start, self._budget.votes, may_be) for start in (alone, strongly)]
        tried.append((fit.worth(of_cover), of_cover))
        self._work_of_fits += fit.work
        allowed = may_be(np.array([v for _, v in tried]))
        worths = np.where(allowed, [worth for worth, _ in tried], -np.inf)
        best = int(np.argmax(np.round(worths, 9)))
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
        self._p = probabilities(standing, rows)
        self._weights = standing.rows.weights[rows] * scale
        self.class_weights: Floats = standing.rows.class_weights[:, rows].sum(axis=1) * scale
        self.work = 0.0
        """Additions so far."""

    def worth(self, vector: Integers) -> float:
        """Return the fall of the loss by a vector, less the price of its votes, in nats.

        What contradicts them in the cover is part of their price.
        """
        return -self._loss(vector, self._norms(vector))

    def _norms(self, vector: Integers) -> Floats:
        return np.asarray((self._p * np.exp(vector)[:, None]).sum(axis=0))

    def _loss(self, vector: Integers, norms: Floats) -> float:
        objective = self._objective
        bits = objective.of_vector(vector)
        if objective.of_contradiction:
            bits += objective.of_cover(vector, self.class_weights)
        price = bits * objective.nats_of_bit
        return float(self._weights @ np.log(norms) - self.class_weights @ vector + price)

    def descend(
        self, vector: Integers, n_tried: int, may_be: Callable[[Integers], Bools]
    ) -> tuple[float, Integers]:
        """Change one vote at a time, the best first, as long as that is worth it.

        The `n_tried` votes are tried that the rows want most to change, within the vectors that may
        be.
        """
        objective = self._objective
        apart = np.abs(self.class_weights - self._p @ self._weights)
        labels = np.argsort(-np.round(apart, 9), kind="stable")[:n_tried]
        label = np.repeat(labels, 2)
        p, place = self._p[label], np.arange(len(label))
        norms = self._norms(vector)
        loss = self._loss(vector, norms)
        while True:
            vote = OTHER_VOTES[vector[labels]].ravel()
            steps = np.exp(vote) - np.exp(vector[label])
            changed = norms + p * steps[:, None]
            vectors = np.repeat(vector[None], len(label), axis=0)
            vectors[place, label] = vote
            self.work += FITTING * changed.size
            losses = np.log(changed) @ self._weights - vectors @ self.class_weights
            bits = objective.of_vectors(vectors)
            if objective.of_contradiction:
                bits += objective.of_covers(vectors, self.class_weights[:, None])[:, 0]
            losses += bits * objective.nats_of_bit
            losses[~may_be(vectors)] = np.inf
            best = int(losses.argmin())
            if losses[best] >= loss - TOLERANCE:
                return -loss, vector
            loss, vector, norms = float(losses[best]), vectors[best], changed[best]
