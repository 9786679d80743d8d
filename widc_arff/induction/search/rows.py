"""What the search looks at: distinct rows of codes, and sums of values over those of each literal.

Examples with the same codes satisfy the same monomials; they are taken together, in the order of
their codes, so that neither the order of the examples nor copies of them matter.  Values that are
summed are whole numbers in float64: sums are exact, however they are counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.sample.coding import ABOVE, AT_MOST, EQUAL, FEW_LITERALS
from widc_arff.induction.sample.distinct_rows import product
from widc_arff.induction.sample.kept import KEPT_BYTES, Kept
from widc_arff.induction.search.budget import CALL, COUNTING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from widc_arff.arrays import Bools, Floats, Integers, Votes
    from widc_arff.induction.losses import Loss
    from widc_arff.induction.sample.coding import Chain, CodedSample


DENSE_CELLS = 1 << 22

COVERED, TWO_UNMET = -1, -2
"""What stands for a literal that keeps a row out where none does, or more than one."""


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
        self.weights: Floats = self.class_weights.sum(axis=0)
        self.total = float(self.weights.sum())
        self.example_weight = sample.example_weight
        given = sample.given_votes
        self.given_votes = None if given is None else given[:, first].astype(np.int32)
        self._bin_literals(sample, first)
        self._covers: Kept[frozenset[int], Bools] = Kept()
        self._unmet: Kept[Chain, Votes] = Kept(KEPT_BYTES // 2)
        self._weights_in: Kept[frozenset[int], Floats] = Kept(KEPT_BYTES // 4)
        self._weights_with_each: Kept[frozenset[int], Floats] = Kept(KEPT_BYTES // 2)
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
        used = np.unique(catalogue.attribute)
        n_values = np.array([catalogue.n_values[a] for a in used.tolist()], np.int64)
        starts = np.zeros(len(used) + 1, np.int64)
        np.cumsum(n_values + 1, out=starts[1:])
        self._n_bins = int(starts[-1])
        bins = np.empty((len(used), self.n_rows), np.int32)
        for k, a in enumerate(used.tolist()):
            group, place = catalogue.places[a]
            codes = sample.groups[group].codes[place, first].astype(np.int32)
            bins[k] = np.minimum(codes, n_values[k]) + starts[k]
        self._bins, self._bins_of = np.ascontiguousarray(bins.T), bins
        self.column = np.searchsorted(used, catalogue.attribute)
        """Which of the attributes in use each literal tests, shape (n_literals,)."""
        start, end = starts[self.column], starts[self.column + 1] - 1
        code, operator = catalogue.code, catalogue.operator
        own = start + code
        is_equal, is_unequal = operator == EQUAL, ~np.isin(operator, (EQUAL, AT_MOST, ABOVE))
        self._low = np.where(is_equal, own, np.where(operator == ABOVE, own + 1, start))
        upto = is_equal | (operator == AT_MOST)
        self._high = np.where(upto, own + 1, end)
        self._low_out = np.where(is_unequal, own, 0)
        self._high_out = np.where(is_unequal, own + 1, 0)

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
        bins, out = self._bins_of[self.column[literals]], self._high_out[literals, None] - 1
        is_in = (bins >= self._low[literals, None]) & (bins < self._high[literals, None])
        return np.asarray(is_in & (bins != out))

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
            cover &= (n_held == n_literals)[self._bins_of[column]]
        return cover

    def _in_bins(self, literals: Chain, values: Floats | None = None) -> Integers:
        """Return how many of some literals hold at each code, or the sum of values of these."""
        edges = np.zeros(self._n_bins + 1)
        some = np.array(literals)
        for places, sign in (
            (self._low, 1),
            (self._high, -1),
            (self._low_out, -1),
            (self._high_out, 1),
        ):
            edges += sign * np.bincount(places[some], values, minlength=len(edges))
        return np.cumsum(edges).astype(np.int64)

    def _literals_of_columns(self, literals: Chain) -> list[tuple[int, int]]:
        """Return the attributes in use that literals test, and how many literals test each."""
        n_literals = np.bincount(self.column[list(literals)])
        return [(k, n) for k, n in enumerate(n_literals.tolist()) if n]

    def unmet(self, monomial: Chain) -> Votes:
        """Return which literal alone keeps each row out of a monomial, shape (n_rows,).

        By its place in the monomial; `COVERED` where none does, `TWO_UNMET` where more than one.
        """
        found = self._unmet.get(monomial)
        if found is None:
            found = self._unmet.keep(monomial, self.find_unmet(monomial))
        return found

    def find_unmet(self, monomial: Chain) -> Votes:
        """Return the same, without remembering it."""
        n_literals = len(monomial)
        unmet = np.full(self.n_rows, TWO_UNMET, np.int32)
        if n_literals <= FEW_LITERALS:
            truths = self.truths(monomial)
            n_held = np.count_nonzero(truths, axis=0)
            unmet[n_held == n_literals] = COVERED
            almost = np.flatnonzero(n_held == n_literals - 1)
            if len(almost):
                unmet[almost] = truths[:, almost].argmin(axis=0)
            return unmet
        places = np.arange(n_literals, dtype=np.float64)
        n_held, held_places = self._in_bins(monomial), self._in_bins(monomial, places)
        left = np.full(self.n_rows, n_literals)
        place = np.full(self.n_rows, int(places.sum()))
        for column, _ in self._literals_of_columns(monomial):
            left -= n_held[self._bins_of[column]]
            place -= held_places[self._bins_of[column]]
        unmet[left == 0] = COVERED
        almost = np.flatnonzero(left == 1)
        unmet[almost] = place[almost]
        self.work += float(self.n_rows)
        return unmet

    def votes_of(self, rules: Iterable[tuple[Chain, Integers]]) -> Votes:
        """Return the votes of some rules, and of those that are given, (n_classes, n_rows)."""
        given = self.given_votes
        shape = self.n_classes, self.n_rows
        votes = np.zeros(shape, np.int32) if given is None else given.copy()
        for monomial, vector in rules:
            votes[:, self.cover(monomial)] += vector.astype(np.int32)[:, None]
        return votes

    def weights_in(self, monomial: Iterable[int]) -> Floats:
        """Return the weight of the examples of each class that a monomial covers, in quanta."""
        key = frozenset(monomial)
        found = self._weights_in.get(key)
        if found is None:
            weights = self.class_weights[:, self.cover(key)].sum(axis=1)
            found = self._weights_in.keep(key, weights)
        return found

    def weights_without_each(self, monomial: Chain) -> Floats:
        """Return the same without each of its literals, shape (n_classes, n_monomial_literals)."""
        unmet = self.unmet(monomial)
        almost = np.flatnonzero(unmet >= 0)
        of_each = [
            np.bincount(unmet[almost], own, minlength=len(monomial))
            for own in self.class_weights[:, almost]
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
        values : ndarray of float64 of shape (n_series, n_some)
            Whole multiples of one unit, so that sums are exact.
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
        by_product = float(values.size) * len(self.catalogue)
        by_counting = self.work_of_counting(int(np.count_nonzero(values)), len(values))
        if self.table is not None and by_product <= by_counting:
            self.work += by_product
            return product(values, self.table, slice(None) if rows is None else rows)
        self.work += by_counting
        return self.counted(values, rows)

    def counted(self, values: Floats, rows: Integers | None = None) -> Floats:
        """Return the same by counting, which is not told as work."""
        n_columns = self._bins.shape[1]
        counted = np.zeros((len(values), self._n_bins + 1))
        for series, sums in zip(values, counted[:, 1:], strict=True):
            some = np.flatnonzero(series)
            bins = self._bins[some if rows is None else rows[some]]
            repeated = np.repeat(series[some], n_columns)
            sums[:] = np.bincount(bins.ravel(), repeated, minlength=self._n_bins)
        np.cumsum(counted, axis=1, out=counted)
        found = counted[:, self._high]
        found -= counted[:, self._low]
        found -= counted[:, self._high_out]
        found += counted[:, self._low_out]
        return found

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
        assert self.table is not None
        some = np.flatnonzero(values)
        table = self.table[np.ix_(some if rows is None else rows[some], literals)]
        self.work += float(table.size) * table.shape[1]
        return product((table * values[some, None]).T, table, slice(None))

    def may_pair(self, work: float) -> bool:
        """Tell whether all pairs of literals can be looked at with so much work."""
        n_literals = len(self.catalogue)
        return self.table is not None and self.n_rows * n_literals**2 <= work
