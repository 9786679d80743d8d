"""What refined pruning works on: the distinct rows of codes, with the truth of each literal.

Examples with the same codes satisfy the same monomials; they are taken together.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.decision import distribution
from widc_arff.induction.coding import holds
from widc_arff.induction.pruning import Standing, right_weights
from widc_arff.induction.voting import Voting

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from widc_arff.induction.coding import CodedSample
    from widc_arff.induction.counter import Chain

EXACT_IN_SINGLE = 2.0**24
UNTHREADED = 1 << 18
KEPT_CELLS = 1 << 24
FEW_SERIES = 16
LARGEST_KEY = 1 << 63

NO_VECTOR = -1
PLAIN = Voting()


class DistinctRows:
    """The distinct rows of a coded sample, and vectors of monomials on them.

    Parameters
    ----------
    truth : ndarray of bool of shape (n_literals, n_rows)
        Where each literal of the catalogue holds.
    negation : ndarray of int64 of shape (n_literals,)
        The negation of each literal; the literal itself where there is none.
    class_weights : ndarray of float64 of shape (n_classes, n_rows)
        Weight of the examples of each class in each row, in quanta; every class occurs.
    voting : Voting
        How vectors are found, and what errors cost.
    given_votes : ndarray of int16 of shape (n_classes, n_rows), optional
        Votes of rules that are not learned but given.
    """

    def __init__(
        self,
        truth: NDArray[np.bool_],
        negation: NDArray[np.int64],
        class_weights: NDArray[np.float64],
        voting: Voting = PLAIN,
        given_votes: NDArray[np.int16] | None = None,
    ) -> None:
        self.truth = truth
        self.given_votes = given_votes
        self.class_weights = class_weights
        self.voting = voting
        self.right_weights = right_weights(class_weights, voting.costs)
        """Weight that is right with each decision, shape (n_classes, n_rows)."""
        self.prior = distribution(class_weights.sum(axis=1))
        """Class distribution, shape (n_classes,)."""
        self._negation = negation
        single = class_weights.sum() < EXACT_IN_SINGLE and (class_weights % 1 == 0).all()
        single = single and voting.costs is None
        self.dtype: type[np.floating] = np.float32 if single else np.float64
        """Of products of truth and weights: single precision where whole numbers stay exact."""
        self.vectors: list[NDArray[np.int64]] = []
        """The distinct vectors met so far; `literal_vectors` gives their numbers."""
        self._number: dict[bytes, int] = {}
        self._covers: dict[frozenset[int], NDArray[np.bool_]] = {}
        self._vectors: dict[frozenset[int], NDArray[np.int64]] = {}
        self._literal_vectors: dict[frozenset[int], NDArray[np.int64]] = {}
        # One literal of each pair is counted; the other holds where it does not, if known at all.
        self._counted = np.flatnonzero(np.arange(len(negation)) <= negation)
        self._paired = np.flatnonzero(negation[self._counted] != self._counted)
        pairs = truth[self._counted] | truth[negation[self._counted]]
        has_missing = ~pairs.all(axis=1) & (negation[self._counted] != self._counted)
        self._some_missing = np.flatnonzero(has_missing)
        columns = np.concatenate([truth[self._counted], pairs[self._some_missing]])
        small = columns.size <= KEPT_CELLS
        self._table = np.ascontiguousarray(columns.T, self.dtype if small else np.bool_)
        self._pair_vectors: NDArray[np.int64] | None = None

    @property
    def n_rows(self) -> int:
        """Number of distinct rows."""
        return int(self.truth.shape[1])

    def with_two_classes(self, label: int) -> DistinctRows:
        """Return the same rows with the labels "another class" and "this class"."""
        of_class = self.class_weights[label]
        rest = self.class_weights.sum(axis=0) - of_class
        return DistinctRows(self.truth, self._negation, np.stack([rest, of_class]))

    def cover(self, monomial: Iterable[int]) -> NDArray[np.bool_]:
        """Return which rows satisfy a monomial, shape (n_rows,)."""
        key = frozenset(monomial)
        if key not in self._covers:
            self._make_room(self._covers, self.n_rows)
            self._covers[key] = np.asarray(self.truth[list(key)].all(axis=0))
        return self._covers[key]

    def vector(self, monomial: Chain) -> NDArray[np.int64]:
        """Return the vector of a monomial that covers some rows, shape (n_classes,)."""
        key = frozenset(monomial)
        if key not in self._vectors:
            weights = self.class_weights[:, self.cover(monomial)].sum(axis=1)
            self._make_room(self._vectors, len(weights))
            self._vectors[key] = self.voting.best(weights[None], self.voting.demanded([monomial]))[
                0
            ]
        return self._vectors[key]

    def votes(self, committee: Iterable[Chain]) -> NDArray[np.int16]:
        """Return the summed votes of a committee, given rules included, (n_classes, n_rows)."""
        votes = np.zeros(self.class_weights.shape, np.int16)
        if self.given_votes is not None:
            votes += self.given_votes
        for monomial in committee:
            self.add_votes(votes, monomial)
        return votes

    def add_votes(self, votes: NDArray[np.int16], monomial: Chain, times: int = 1) -> None:
        """Add the votes of a rule to summed votes, or with -1 take them away, in place."""
        votes[:, self.cover(monomial)] += times * self.vector(monomial).astype(np.int16)[:, None]

    def standing(self, votes: NDArray[np.integer]) -> Standing:
        """Return how the rows stand with summed votes of shape (n_classes, n_rows)."""
        return Standing(self.class_weights, votes, self.prior, self.voting.costs)

    def number(self, vector: NDArray[np.int64]) -> int:
        """Return the number of a vector in `vectors`; NO_VECTOR for one that says nothing."""
        if (vector == vector[0]).all():
            return NO_VECTOR
        key = vector.tobytes()
        if key not in self._number:
            self._number[key] = len(self.vectors)
            self.vectors.append(vector)
        return self._number[key]

    def literal_vectors(self, rest: frozenset[int]) -> NDArray[np.int64]:
        """Return the number of the vector of a monomial with each literal added.

        NO_VECTOR where the cover is empty or the vector constant.

        Returns
        -------
        ndarray of int64 of shape (n_literals,)
        """
        if rest not in self._literal_vectors:
            self._make_room(self._literal_vectors, len(self.truth))
            covered = np.flatnonzero(self.cover(rest))
            sums = self.sums_where_true(self.class_weights[:, covered], covered)
            numbers = np.full(len(self.truth), NO_VECTOR)
            some = np.flatnonzero(sums.any(axis=1))
            demanded = self.voting.demanded_with_each(rest)
            demanded = None if demanded is None else demanded[some]
            numbers[some] = self._numbers(self.voting.best(sums[some], demanded))
            self._literal_vectors[rest] = numbers
        return self._literal_vectors[rest]

    def _numbers(self, vectors: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the numbers of many vectors."""
        keys = np.ascontiguousarray(vectors, np.int8).view(f"V{vectors.shape[1]}")[:, 0]
        _, first, which = np.unique(keys, return_index=True, return_inverse=True)
        return np.array([self.number(vectors[i]) for i in first], np.int64)[which]

    def sums_where_true(
        self, values: NDArray[np.floating], rows: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the sums of values over the rows where each literal holds.

        Parameters
        ----------
        values : ndarray of shape (n_series, n_selected)
            Differences and sums of weights.
        rows : ndarray of int64 of shape (n_selected,)
            The rows selected.

        Returns
        -------
        ndarray of float64 of shape (n_literals, n_series)
        """
        values = values.astype(self.dtype, copy=False)
        counted = product(values, self._table, rows)
        n = len(self._counted)
        known = np.repeat(values.sum(axis=1, dtype=np.float64)[:, None], n, axis=1)
        known[:, self._some_missing] = counted[:, n:]
        sums = np.empty((len(self.truth), len(values)))
        sums[self._counted] = counted[:, :n].T
        others = (known - counted[:, :n]).T
        sums[self._negation[self._counted[self._paired]]] = others[self._paired]
        return sums

    def sums_of_own(
        self,
        values: NDArray[np.floating],
        series: NDArray[np.int64],
        literals: NDArray[np.int64],
        rows: NDArray[np.int64],
    ) -> NDArray[np.float64]:
        """Return for each of some literals the sum of one series over the rows where it holds.

        Parameters
        ----------
        values : ndarray of shape (n_series, n_selected)
        series, literals : ndarray of int64 of shape (n_pairs,)
            A literal, and the series that is summed for it.
        rows : ndarray of int64 of shape (n_selected,)
            The rows selected.

        Returns
        -------
        ndarray of float64 of shape (n_pairs,)
        """
        if len(values) <= FEW_SERIES:
            return self.sums_where_true(values, rows)[literals, series]
        sums = np.empty(len(literals))
        step = max(1, UNTHREADED // max(1, len(rows)))
        for start in range(0, len(literals), step):
            some = slice(start, start + step)
            holds = self.truth[literals[some, None], rows]
            sums[some] = np.einsum("lr,lr->l", values[series[some]], holds)
        return sums

    def pair_vectors(self) -> NDArray[np.int64]:
        """Return the number of the vector of each monomial of two literals.

        NO_VECTOR where the cover is empty or the vector constant, and for the second literal above
        the first, so that each monomial is there once.

        Returns
        -------
        ndarray of int64 of shape (n_literals, n_literals)
        """
        if self._pair_vectors is None:
            every = np.arange(self.n_rows)
            sums = np.stack([self.pair_sums(of_class, every) for of_class in self.class_weights], 2)
            first, second = np.nonzero(np.triu(sums.any(axis=2), 1))
            demands = self.voting.demands
            demanded = None if demands is None else demands[first] | demands[second]
            numbers = np.full(sums.shape[:2], NO_VECTOR)
            if len(first):
                vectors = self.voting.best(sums[first, second], demanded)
                numbers[first, second] = self._numbers(vectors)
            self._pair_vectors = numbers
        return self._pair_vectors

    def pair_sums(
        self, values: NDArray[np.floating], rows: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the sums of values over the rows where both of two literals hold.

        Parameters
        ----------
        values : ndarray of shape (n_selected,)
        rows : ndarray of int64 of shape (n_selected,)
            The rows selected.

        Returns
        -------
        ndarray of float64 of shape (n_literals, n_literals)
        """
        values = values.astype(self.dtype, copy=False)
        n = self._table.shape[1] + 1
        sums = np.zeros((n, n))  # of two columns of the table; the last stands for all rows
        step = max(1, UNTHREADED // n**2)
        for start in range(0, len(rows), step):
            part = slice(start, start + step)
            columns = np.ones((len(rows[part]), n), self.dtype)
            columns[:, :-1] = self._table[rows[part]]
            sums += (columns * values[part, None]).T @ columns
        return self._of_literals(self._of_literals(sums).T)

    def _of_literals(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return sums for each literal, from those for each column of the table and for all."""
        found = np.empty((len(self.truth), sums.shape[1]))
        n = len(self._counted)
        found[self._counted] = sums[:n]
        known = np.repeat(sums[-1:], n, axis=0)
        known[self._some_missing] = sums[n:-1]
        others = self._negation[self._counted[self._paired]]
        found[others] = (known - sums[:n])[self._paired]
        return found

    @staticmethod
    def _make_room(kept: dict[frozenset[int], Any], cells: int) -> None:
        if (len(kept) + 1) * cells > KEPT_CELLS:
            kept.clear()


def product(
    values: NDArray[np.floating],
    table: NDArray[np.generic],
    rows: NDArray[np.int64] | slice,
) -> NDArray[np.float64]:
    """Return ``values @ table[rows]``, in steps so small that no linear algebra library threads.

    Threads cost more here than they bring, and processes that run side by side suffer most.

    Parameters
    ----------
    values : ndarray of shape (n_series, n_selected)
    table : ndarray of shape (n_rows, n_columns)
    rows : ndarray of int64 of shape (n_selected,) or slice
        Rows of the table.
    """
    n_series, n_columns = len(values), table.shape[1]
    if n_series == 1:  # a product with a vector threads earlier
        values = np.repeat(values, 2, axis=0)
    total = np.zeros((len(values), n_columns))
    step = max(1, UNTHREADED // max(1, n_columns * len(values)))
    for start in range(0, values.shape[1], step):
        part = slice(start, start + step)
        selected = table[part] if isinstance(rows, slice) else table[rows[part]]
        total += values[:, part] @ selected.astype(values.dtype, copy=False)
    return total[:n_series]


def distinct_codes(sample: CodedSample) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first example of each distinct row of codes, and the row of each example.

    Rows are in the order of their bytes: by the first code, then by the second and so on.  As many
    codes as 63 bits hold are told apart at once, until no two examples are alike.
    """
    parts = [group.codes for group in sample.groups]
    if sample.given_votes is not None:
        parts.append(sample.given_votes.view(np.uint16))
    row = np.zeros(sample.n_samples, np.int64)
    n_keys = 1
    for codes in chain.from_iterable(parts):
        n_codes = 1 << 8 * codes.itemsize if codes.itemsize > 1 else int(codes.max(initial=0)) + 1
        if n_keys * n_codes > LARGEST_KEY:
            first, row = _numbered(row)
            n_keys = len(first)
            if n_keys == sample.n_samples:
                return first, row
        row = row * n_codes
        row += codes.byteswap() if codes.itemsize > 1 else codes
        n_keys *= n_codes
    return _numbered(row)


def _numbered(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first place of each distinct key, and the number of each key among them."""
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    return first, number


def distinct_rows(
    sample: CodedSample, voting: Voting = PLAIN
) -> tuple[DistinctRows, NDArray[np.int64]]:
    """Return the distinct rows of a sample with one class a row, and the row of each example."""
    first, row = distinct_codes(sample)
    weights = np.zeros((sample.n_labels, len(first)))
    examples = np.ones(sample.n_samples) if sample.weights is None else sample.weights
    np.add.at(weights, (sample.labels.astype(np.int64), row), examples)
    catalogue = sample.catalogue
    truth = np.empty((len(catalogue), len(first)), np.bool_)
    for i in range(len(catalogue)):
        group, place = catalogue.places[int(catalogue.attribute[i])]
        truth[i] = holds(sample, i, sample.groups[group].codes[place, first])
    given = None if sample.given_votes is None else sample.given_votes[:, first]
    return DistinctRows(truth, catalogue.negation, weights, voting, given), row
