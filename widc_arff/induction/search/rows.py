"""What the search looks at: distinct rows of codes, and sums of values over those of each literal.

Examples with the same codes satisfy the same monomials; they are taken together, in the order of
their codes, so that neither the order of the examples nor copies of them matter.  Values that are
summed are whole numbers in float64: sums are exact, however they are counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from widc_arff.induction.sample.coding import FEW_LITERALS
from widc_arff.induction.sample.distinct_rows import product
from widc_arff.induction.sample.kept import KEPT_BYTES, Kept
from widc_arff.induction.sample.views import ABOVE, AT_MOST, EQUAL
from widc_arff.induction.search.budget import CALL, COUNTING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats, Integers, Votes
    from widc_arff.induction.losses import Loss
    from widc_arff.induction.sample.coding import Chain, CodedSample


Scalar = TypeVar("Scalar", bound=np.generic)

DENSE_CELLS = 1 << 22
MOST_KINDS = 64
"""Kinds of rows that are counted apart: of more, values are summed."""


class CoverAndNearMisses(NamedTuple):
    """The rows that at most one literal keeps out of a monomial.

    Parameters
    ----------
    rows : ndarray of int64 of shape (n_near,)
        In order.
    kinds : ndarray of int64 of shape (n_near,)
        0 where the monomial covers a row, else one more than the place of that literal.
    """

    rows: Integers
    kinds: Integers


class Rows:
    """The distinct rows of a coded sample.

    Parameters
    ----------
    sample : CodedSample
        The examples.
    first : ndarray of int64 of shape (n_rows,)
        An example of each row.
    row_of : ndarray of int64 of shape (n_samples,)
        The row of each example.
    loss : Loss
        What decisions on the rows are judged by.
    """

    def __init__(self, sample: CodedSample, first: Integers, row_of: Integers, loss: Loss) -> None:
        self.sample, self.catalogue, self.loss = sample, sample.catalogue, loss
        self._row_of = row_of
        self.class_weights: Floats = loss.label_weights
        """Weight of the examples of each class, in quanta, shape (n_classes, n_rows)."""
        self.n_classes, self.n_rows = self.class_weights.shape
        self.weights: Floats = loss.weights
        self.total = float(self.weights.sum())
        self._class_of: Integers = self.class_weights.argmax(axis=0)
        self._is_of_one: Bools = np.count_nonzero(self.class_weights, axis=0) == 1
        """Of which class the examples of each row are, and whether all of them are."""
        self.example_weight = sample.example_weight
        given = sample.given_votes
        self.given_votes = None if given is None else given[:, first].astype(np.int32)
        self._bin_literals(sample, first)
        self._covers: Kept[frozenset[int], Bools] = Kept()
        self._places: Kept[frozenset[int], Integers] = Kept()
        self._near: Kept[Chain, CoverAndNearMisses] = Kept()
        self._weights_in: Kept[frozenset[int], Floats] = Kept(KEPT_BYTES // 4)
        self._weights_with_each: Kept[frozenset[int], Floats] = Kept(KEPT_BYTES // 2)
        self._weight_kinds: Integers | None = None
        self._truth: Kept[int, Bools] = Kept(KEPT_BYTES // 2)
        self.table: Floats | None = None
        """1 where a row satisfies a literal, (n_rows, n_literals); None where that is too much."""
        if self.n_rows * len(self.catalogue) <= DENSE_CELLS:
            truths = self._truths_of(np.arange(len(self.catalogue)))
            for literal, truth in enumerate(truths):
                self._truth.keep(literal, truth)
            self.table = truths.T.astype(np.float64, order="C")
        self.work = 0.0
        """Additions so far."""

    def _bin_literals(self, sample: CodedSample, first: Integers) -> None:
        """Give all codes of the attributes in use numbers, and put literals as ranges of these."""
        catalogue = sample.catalogue
        used = np.unique(catalogue.column)
        n_values = np.array([catalogue.n_values[a] for a in used.tolist()], np.int64)
        starts = np.zeros(len(used) + 1, np.int64)
        np.cumsum(n_values + 1, out=starts[1:])
        self._n_bins = int(starts[-1])
        code_type = np.min_scalar_type(int(n_values.max(initial=0)) + 1)
        self._codes = np.empty((len(used), self.n_rows), code_type)
        for k, a in enumerate(used.tolist()):
            group, place = catalogue.places[a]
            self._codes[k] = np.minimum(sample.groups[group].codes[place, first], n_values[k])
        self._starts = starts
        bins = self._codes.T + starts[:-1]
        self._bins = np.ascontiguousarray(bins, np.int32)
        self.column = np.searchsorted(used, catalogue.column)
        """Which of the attributes in use each literal tests, shape (n_literals,)."""
        start = starts[self.column]
        code, operator = catalogue.code, catalogue.operator
        is_plain = np.isin(operator, (EQUAL, AT_MOST))
        low = np.where(np.isin(operator, (AT_MOST, ABOVE)), 0, code)
        self._bounds = low.astype(code_type), code.astype(code_type)
        """From which to which code a literal holds, or else does not, of those of its attribute."""
        self._missing, self._complement = n_values.astype(code_type), ~is_plain
        key = (start + low) * (self._n_bins + 1) + start + code + 1
        ranges, self._range_of = np.unique(key, return_inverse=True)
        self._ranges = np.array(np.divmod(ranges, self._n_bins + 1))
        """The same of all codes, for each literal and its negation once."""
        own = start + code
        self._by_code = np.argsort(own, kind="stable")
        self._ends_by_code = np.searchsorted(own[self._by_code], np.arange(self._n_bins + 1))
        """The literals by the codes that they name, and where those of each code begin."""

    @property
    def n_cells(self) -> int:
        """Rows times attributes in use."""
        return self._bins.size

    def part(self, n_cells: float) -> tuple[CodedSample, Integers]:
        """Return the examples of every k-th row, and the row of each.

        So that rows times attributes are at most so many; in the order of their codes.
        """
        step = int(-(-self._bins.size // n_cells))
        if step <= 1:
            return self.sample, self._row_of
        some = self._row_of % step == 0
        return self.sample.take(some), self._row_of[some]

    def holds(self, literal: int) -> Bools:
        """Return which rows satisfy a literal, shape (n_rows,)."""
        found = self._truth.get(literal)
        if found is None:
            found = self._truth.keep(literal, self._truths_of(np.array([literal]))[0])
        return found

    def _truths_of(self, literals: Integers) -> Bools:
        columns = self.column[literals]
        codes, (low, high) = self._codes[columns], self._bounds
        truths = codes >= low[literals][:, None]
        truths &= codes <= high[literals][:, None]
        truths ^= self._complement[literals][:, None]
        truths &= codes != self._missing[columns][:, None]
        return truths

    def cover(self, monomial: Iterable[int]) -> Bools:
        """Return which rows satisfy a monomial, shape (n_rows,)."""
        key = frozenset(monomial)
        found = self._covers.get(key)
        if found is None:
            found = self._covers.keep(key, self._found_cover(tuple(key)))
        return found

    def _found_cover(self, literals: Chain) -> Bools:
        cover = np.ones(self.n_rows, np.bool_)
        if len(literals) <= FEW_LITERALS:
            for literal in literals:
                cover &= self.holds(literal)
            return cover
        n_held = self._in_bins(literals)
        for column, n_literals in self._literals_of_columns(literals):
            cover &= (self._of_column(n_held, column) == n_literals)[self._codes[column]]
        return cover

    def places(self, monomial: Iterable[int]) -> Integers:
        """Return the rows that satisfy a monomial, in order, shape (n_covered,)."""
        key = frozenset(monomial)
        found = self._places.get(key)
        if found is None:
            found = self._places.keep(key, np.flatnonzero(self.cover(key)))
        return found

    def _of_column(self, values: NDArray[Scalar], column: int) -> NDArray[Scalar]:
        """Return what is of the codes of an attribute in use."""
        return values[self._starts[column] : self._starts[column + 1]]

    def _in_bins(self, literals: Chain, values: Floats | None = None) -> Integers:
        """Return how many of some literals hold at each code, or the sum of values of these."""
        some = np.array(literals)
        edges = np.zeros(self._n_bins + 1)
        low, high = self._ranges[:, self._range_of[some]]
        signs = np.where(self._complement[some], -1.0, 1.0)
        values = signs if values is None else values * signs
        edges += np.bincount(low, values, minlength=len(edges))
        edges -= np.bincount(high, values, minlength=len(edges))
        others = np.flatnonzero(self._complement[some])
        start, end = self._starts[self.column[some[others]] + np.array([[0], [1]])]
        edges -= np.bincount(start, values[others], minlength=len(edges))
        edges += np.bincount(end - 1, values[others], minlength=len(edges))
        return np.cumsum(edges).astype(np.int64)

    def _literals_of_columns(self, literals: Chain) -> list[tuple[int, int]]:
        """Return the attributes in use that literals test, and how many literals test each."""
        n_literals = np.bincount(self.column[list(literals)])
        return [(k, n) for k, n in enumerate(n_literals.tolist()) if n]

    def near(self, monomial: Chain) -> CoverAndNearMisses:
        """Return the rows that at most one literal keeps out of a monomial."""
        found = self._near.get(monomial)
        if found is None:
            found = self._near.keep(monomial, self.find_near(monomial))
        return found

    def find_near(self, monomial: Chain) -> CoverAndNearMisses:
        """Return the same, without remembering it."""
        n_literals = len(monomial)
        if n_literals > FEW_LITERALS:
            return self._found_near(monomial)
        truths = [self.holds(literal) for literal in monomial]
        n_held = np.zeros(self.n_rows, np.int8)
        for truth in truths:
            n_held += truth
        rows = np.flatnonzero(n_held >= n_literals - 1)
        kinds = np.zeros(len(rows), np.int64)
        for k, truth in enumerate(truths):
            kinds[~truth[rows]] = k + 1
        return CoverAndNearMisses(rows, kinds)

    def _found_near(self, monomial: Chain) -> CoverAndNearMisses:
        places = np.arange(len(monomial), dtype=np.float64)
        n_held, held_places = self._in_bins(monomial), self._in_bins(monomial, places)
        left = np.full(self.n_rows, len(monomial))
        place = np.full(self.n_rows, int(places.sum()))
        for column, _ in self._literals_of_columns(monomial):
            left -= self._of_column(n_held, column)[self._codes[column]]
            place -= self._of_column(held_places, column)[self._codes[column]]
        self.work += float(self.n_rows)
        rows = np.flatnonzero(left <= 1)
        return CoverAndNearMisses(rows, np.where(left[rows] == 0, 0, place[rows] + 1))

    def votes_of(self, rules: Iterable[tuple[Chain, Integers]]) -> Votes:
        """Return the votes of some rules, and of those that are given, (n_classes, n_rows).

        Rules that are given have none for a line.
        """
        votes = np.zeros((self.n_classes, self.n_rows), np.int32)
        if self.given_votes is not None:
            votes[: len(self.given_votes)] = self.given_votes
        for monomial, vector in rules:
            votes[:, self.cover(monomial)] += vector.astype(np.int32)[:, None]
        return votes

    def kinds_with(self, kinds: Integers) -> tuple[Integers, Integers] | None:
        """Return which rows have equal weights and are of the same of some kinds, and one of each.

        None where these are many.
        """
        if self._weight_kinds is None:
            found = np.zeros(self.n_rows, np.int64)
            for own in self.class_weights:
                _, number = np.unique(own, return_inverse=True)
                _, found = np.unique(found * (1 + number.max()) + number, return_inverse=True)
            self._weight_kinds = found
        n_weights = 1 + int(self._weight_kinds.max())
        if n_weights > MOST_KINDS:
            return None
        found = kinds * n_weights + self._weight_kinds
        used = np.flatnonzero(np.bincount(found))
        if len(used) > MOST_KINDS:
            return None
        number = np.zeros(int(used[-1]) + 1, np.int64)
        number[used] = np.arange(len(used))
        found, first = number[found], np.empty(len(used), np.int64)
        first[found] = np.arange(self.n_rows)
        return found, first

    def weights_in(self, monomial: Iterable[int]) -> Floats:
        """Return the weight of the examples of each class that a monomial covers, in quanta."""
        key = frozenset(monomial)
        found = self._weights_in.get(key)
        if found is None:
            found = self._weights_in.keep(key, self.summed_weights(self.places(key)))
        return found

    def summed_weights(self, rows: Integers, signs: Floats | None = None) -> Floats:
        """Return the weight of the examples of each class in some rows, by default all added."""
        of_one = self._is_of_one.take(rows)
        some, others = rows[of_one], rows[~of_one]
        weights, rest = self.weights.take(some), self.class_weights.take(others, axis=1)
        if signs is not None:
            weights *= signs[of_one]
            rest *= signs[~of_one]
        of_classes = np.bincount(self._class_of.take(some), weights, self.n_classes)
        return np.asarray(of_classes + rest.sum(axis=1), np.float64)

    def weights_of(self, monomial: Chain, classes: list[int]) -> tuple[Floats, float]:
        """Return the weight of some classes in a cover, and of all, where each example has one."""
        weights = self._weights_in.get(frozenset(monomial))
        if weights is not None:
            return weights[classes], float(weights.sum())
        rows = self.places(monomial)
        own = [self.class_weights[label].take(rows).sum() for label in classes]
        return np.array(own), float(self.weights.take(rows).sum())

    def weights_without_each(self, monomial: Chain) -> Floats:
        """Return the same without each of its literals, shape (n_classes, n_monomial_literals)."""
        rows, kinds = self.near(monomial)
        of_each = [
            np.bincount(kinds, own, minlength=len(monomial) + 1)[1:]
            for own in self.class_weights.take(rows, axis=1)
        ]
        return np.asarray(self.weights_in(monomial)[:, None] + np.array(of_each))

    def weights_with_each(self, monomial: Iterable[int]) -> Floats:
        """Return the same with each literal more, shape (n_classes, n_literals)."""
        key = frozenset(monomial)
        found = self._weights_with_each.get(key)
        if found is None:
            sums = self.sums(self.class_weights * self.cover(key))
            found = self._weights_with_each.keep(key, sums)
        return found

    def truths(self, literals: Chain) -> Bools:
        """Return which rows satisfy each of some literals, shape (n_some, n_rows)."""
        return np.array([self.holds(i) for i in literals], np.bool_).reshape(-1, self.n_rows)

    def sums(self, values: Floats, rows: Integers | None = None) -> Floats:
        """Return the sums of values over the rows where each literal holds.

        Parameters
        ----------
        values : ndarray of float64 of shape (n_series, n_some) or (n_sets, n_in_set, n_some)
            Whole multiples of one unit, so that sums are exact.  Series of one set are zero in the
            same rows, mostly.
        rows : ndarray of int64 of shape (n_some,), optional
            The rows that the values are of; by default all.

        Returns
        -------
        ndarray of float64 of shape (n_series, n_literals)

        Notes
        -----
        By a product with the table of truths, or by counting codes where values are not zero,
        whichever costs less.
        """
        sets = values if values.ndim == 3 else values[:, None]
        sums = next(self.sums_in_turn(sets, rows, len(sets)))
        return sums.reshape(-1, len(self.catalogue))

    def sums_in_turn(self, sets: Floats, rows: Integers | None, at_once: int) -> Iterator[Floats]:
        """Yield the same of some sets after others, shape (n_at_once, n_in_set, n_literals)."""
        n_sets, n_in_set, _ = sets.shape
        n_not_zero = float(np.count_nonzero(sets))
        works = self._works(sets.size, n_not_zero, n_sets * n_in_set)
        self.work += min(works)
        if self.table is not None and works[0] <= works[1]:
            series = sets.reshape(n_sets * n_in_set, sets.shape[2])
            total = product(series, self.table, slice(None) if rows is None else rows)
            yield total.reshape(n_sets, n_in_set, -1)
            return
        for first in range(0, n_sets, at_once):
            some = sets[first : first + at_once]
            yield self.counted(some, rows).reshape(len(some), n_in_set, -1)

    def _works(self, n_values: float, n_not_zero: float, n_series: int) -> tuple[float, float]:
        """Return the work of sums of so many values by a product and by counting."""
        by_product = float(n_values) * len(self.catalogue)
        return by_product, self.work_of_counting(n_not_zero, n_series)

    def tell_sums(self, n_values: float, n_not_zero: float, n_series: int) -> None:
        """Tell the work of sums that are asked of all literals, and needed of few."""
        self.work += min(self._works(n_values, n_not_zero, n_series))

    def counted(self, sets: Floats, rows: Integers | None = None) -> Floats:
        """Return the same by counting, which is not told as work.

        Parameters
        ----------
        sets : ndarray of float64 of shape (n_sets, n_in_set, n_some)
        rows : ndarray of int64 of shape (n_some,), optional
            The rows that the values are of; by default all.

        Returns
        -------
        ndarray of float64 of shape (n_sets * n_in_set, n_literals)
        """
        of_codes = []
        for series in sets:
            some = np.flatnonzero(series.any(axis=0))
            bins = self._bins.take(some if rows is None else rows[some], axis=0)
            of_codes += self._of_codes(series.take(some, axis=1), bins)
        return self._of_literals(np.array(of_codes))

    def _of_codes(self, values: Floats, bins: Votes) -> list[Floats]:
        """Return the sum of values at each code, of each series."""
        codes, n_columns = bins.ravel(), bins.shape[1]
        sums = [np.bincount(codes, np.repeat(own, n_columns), self._n_bins) for own in values]
        return [np.asarray(of_codes, np.float64) for of_codes in sums]

    def counted_by_kind(self, values: Floats, kinds: Integers, rows: Integers) -> Floats:
        """Return the same of values that rows of one kind share.

        Codes of kinds are counted once, and multiplied by the values.

        Parameters
        ----------
        values : ndarray of float64 of shape (n_series, n_kinds)
        kinds : ndarray of int64 of shape (n_some,)
            The kind of each row.
        rows : ndarray of int64 of shape (n_some,)
        """
        n_kinds = values.shape[1]
        cells = self._bins.take(rows, axis=0) * np.int64(n_kinds)
        cells += kinds[:, None]
        counts = np.bincount(cells.ravel(), minlength=self._n_bins * n_kinds)
        return self._of_literals(values @ counts.reshape(-1, n_kinds).T)

    def counted_in_few(self, values: Floats, rows: Integers) -> tuple[Floats, Integers]:
        """Return the same of few rows, and of which literals: those that can differ from others.

        The others hold in none of the rows or in all, or in the same as one before them.

        Returns
        -------
        sums : ndarray of float64 of shape (n_series, n_some)
        literals : ndarray of int64 of shape (n_some,)
            In order.
        """
        bins = self._bins.take(rows, axis=0)
        is_seen = np.bincount(bins.ravel(), minlength=self._n_bins) > 0
        # where values are missing, a literal that holds in all others keeps these out
        is_seen[self._starts[:-1][is_seen[self._starts[1:] - 1]]] = True
        codes = np.flatnonzero(is_seen)
        begin, end = self._ends_by_code[codes], self._ends_by_code[codes + 1]
        n_before = np.cumsum(end - begin)
        places = np.arange(n_before[-1]) + np.repeat(end - n_before, end - begin)
        literals = np.sort(self._by_code[places])
        return self._of_literals(np.array(self._of_codes(values, bins)), literals), literals

    def _of_literals(self, of_codes: Floats, literals: Integers | None = None) -> Floats:
        """Return the sums of literals from those of each code, shape (n_series, n_literals)."""
        upto = np.zeros((len(of_codes), self._n_bins + 1))
        np.cumsum(of_codes, axis=1, out=upto[:, 1:])
        if literals is None:
            low, high = self._ranges
            of_ranges = upto.take(high, axis=1) - upto.take(low, axis=1)
            sums = of_ranges.take(self._range_of, axis=1)
            complement, column = self._complement, self.column[self._complement]
        else:
            low, high = self._ranges[:, self._range_of[literals]]
            sums = upto.take(high, axis=1) - upto.take(low, axis=1)
            complement = self._complement[literals]
            column = self.column[literals[complement]]
        known = upto.take(self._starts[1:] - 1, axis=1) - upto.take(self._starts[:-1], axis=1)
        sums[:, complement] = known.take(column, axis=1) - sums[:, complement]
        return np.asarray(sums)

    def work_of_counting(self, n_values: float, n_series: int = 0) -> float:
        """Return the work of sums of so many values that are not zero, if they are counted."""
        return COUNTING * n_values * int(self._bins.shape[1]) + CALL * n_series

    def pair_sums(self, values: Floats, literals: Integers, rows: Integers | None = None) -> Floats:
        """Return the sums of values over the rows where both of two of some literals hold.

        Parameters
        ----------
        values : ndarray of float64 of shape (n_some,)
        literals : ndarray of int64 of shape (n_literals,)
        rows : ndarray of int64 of shape (n_some,), optional
            The rows that the values are of; by default all.

        Returns
        -------
        ndarray of float64 of shape (n_literals, n_literals)
        """
        some = np.flatnonzero(values)
        places = some if rows is None else rows[some]
        truths = np.array(
            [self.holds(literal)[places] for literal in literals.tolist()], np.float64
        )
        self.work += float(truths.size) * len(truths)
        return product(truths * values[some], truths.T, slice(None))
