"""The training examples, as the induction asks for them: here, or on the workers of a cluster."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from widc_arff.induction.counting.counters import counter_of
from widc_arff.induction.sample.cut_points import distinct
from widc_arff.induction.sample.distinct_rows import distinct_codes, fingerprints
from widc_arff.induction.sample.patterns import collect_patterns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.induction.counting.counter import Counter
    from widc_arff.induction.sample.coding import Chain, CodedSample
    from widc_arff.induction.sample.learning_sample import LearningSample
    from widc_arff.induction.sample.patterns import Patterns

    Fingerprints = NDArray[np.uint64]


class Counted(NamedTuple):
    """The examples that satisfy the same monomials taken together, as they weigh and as is told.

    Parameters
    ----------
    weighed : Patterns
        With the weights of training.
    in_data : Patterns or None
        The same with the weights that the data tell; None where these are the same.
    """

    weighed: Patterns
    in_data: Patterns | None


class Examples(Protocol):
    """What is asked of the examples; sums are of whole quanta, so that those of parts add up."""

    def counter(self) -> Counter:
        """Return who counts them while monomials grow by partitions."""

    def searched(self, n_cells: float) -> CodedSample:
        """Return the examples that are searched: so many values of distinct rows at most.

        Of more those of the least fingerprints are taken (a bottom-k sample; Cohen and Kaplan
        2007), with all their examples, those that are alike as one: each part of the examples can
        tell alone which of its rows may be among them.
        """

    def weights_in(self, monomial: Chain, labels: list[int]) -> tuple[Floats, float]:
        """Return the weights of some labels in the cover of a monomial, and of all that it covers.

        Labels are numbered among those that occur.
        """

    def classes_with_each(self, monomial: Chain) -> Floats:
        """Return the weights of the classes with each literal added to a monomial.

        Of those that occur, shape (n_literals, n_present).
        """

    def in_data_with_each(self, monomial: Chain) -> Floats:
        """Return the weights, as the data tell them, with each literal added to a monomial.

        Shape (n_literals,).
        """

    def patterns(self, monomials: Sequence[Chain]) -> Counted:
        """Return the examples by the rules that are given, and some monomials after these."""


@dataclass(frozen=True, slots=True, eq=False)
class HeldExamples:
    """Examples in memory.

    Parameters
    ----------
    coded : CodedSample
        Their codes, labels among those that occur, and weights in quanta.
    present : ndarray of bool of shape (n_declared,)
        Classes or labels that occur.
    in_data : ndarray of float64 of shape (n_samples,) or None
        Weights that the data tell, in quanta of their own; None where they are the same.
    given : ndarray of bool of shape (n_given, n_samples)
        Which examples satisfy each rule that is given.
    sample : LearningSample, optional
        Their rows.
    """

    coded: CodedSample
    present: Bools
    in_data: Floats | None
    given: Bools
    sample: LearningSample | None = None

    def __sizeof__(self) -> int:
        """Tell Dask what it would cost to move this."""
        return sum(group.codes.nbytes for group in self.coded.groups) + self.given.nbytes

    def covers(self, monomials: Sequence[Chain]) -> Bools:
        """Return which examples satisfy each monomial, shape (n_monomials, n_samples)."""
        covers = [self.coded.satisfying_all(monomial) for monomial in monomials]
        return np.array(covers, np.bool_).reshape(len(covers), self.coded.n_samples)

    def with_votes(self, vectors: Integers) -> HeldExamples:
        """Return the same examples with votes of the rules that are given.

        `vectors` are of the classes that occur, shape (n_given, n_present).
        """
        votes = np.asarray(vectors.T @ self.given.astype(np.int64)).astype(np.int16)
        return replace(self, coded=self.coded.with_given(votes))

    def weights_of_given(self) -> Floats:
        """Return the weights of the classes in the cover of each rule that is given.

        Shape (n_given, n_declared).
        """
        weights = np.zeros((len(self.given), len(self.present)))
        labels = list(range(self.coded.n_labels))
        for of_rule, cover in zip(weights, self.given, strict=True):
            of_rule[self.present] = self._weights_at(np.flatnonzero(cover), labels)[0]
        return weights

    def counter(self) -> Counter:
        """Return who counts them; the rules that are given part them beforehand."""
        if not len(self.given):
            return counter_of(self.coded)
        _, blocks = np.unique(self.given, axis=1, return_inverse=True)
        return counter_of(self.coded, np.asarray(blocks, np.int64).reshape(-1))

    def searched(self, n_cells: float) -> CodedSample:
        """Return the examples that are searched."""
        n_rows = most_rows(self.coded, n_cells)
        if self.coded.n_samples <= n_rows:
            return self.coded
        found = fingerprints(self.coded)
        return self.below(found, limit_of([found], n_rows))

    def below(self, found: Fingerprints, limit: np.uint64) -> CodedSample:
        """Return the examples of fingerprints up to a limit, those that are alike as one."""
        return _taken_together(self.coded.take(found <= limit))

    def weights_in(self, monomial: Chain, labels: list[int]) -> tuple[Floats, float]:
        """Return the weights of some labels in the cover of a monomial, and of all of it."""
        return self._weights_at(np.flatnonzero(self.coded.satisfying_all(monomial)), labels)

    def _weights_at(self, rows: Integers, labels: list[int]) -> tuple[Floats, float]:
        """Return the weights of some labels at some rows, and of all of these."""
        weights, held = self._weights[rows], self.coded.labels[rows]
        are_of = held[:, labels].T if held.ndim > 1 else (held == label for label in labels)
        own = [float(weights[is_of].sum()) for is_of in are_of]
        return np.array(own), float(weights.sum())

    def classes_with_each(self, monomial: Chain) -> Floats:
        """Return the weights of the classes with each literal added to a monomial."""
        rows = np.flatnonzero(self.coded.satisfying_all(monomial))
        labels = self.coded.labels[rows]
        of_classes = [
            self._with_each(rows[labels == j], self._weights) for j in range(self.coded.n_labels)
        ]
        return np.column_stack(of_classes)

    def in_data_with_each(self, monomial: Chain) -> Floats:
        """Return the weights, as told, with each literal added to a monomial."""
        rows = np.flatnonzero(self.coded.satisfying_all(monomial))
        return self._with_each(rows, self._weights if self.in_data is None else self.in_data)

    def patterns(self, monomials: Sequence[Chain]) -> Counted:
        """Return the examples by the rules that are given, and some monomials after these."""
        covers = [*self.given, *self.covers(monomials)]
        labels = np.where(self.present, np.cumsum(self.present) - 1, -1).tolist()

        def of(weights: Floats) -> Patterns:
            held = self.coded.labels
            return collect_patterns(covers, (weights * (held == label) for label in labels))

        return Counted(of(self._weights), None if self.in_data is None else of(self.in_data))

    @property
    def _weights(self) -> Floats:
        """Of the examples, in quanta."""
        coded = self.coded
        if coded.weights is None:
            return np.broadcast_to(np.ones(1), coded.n_samples)
        return coded.weights

    def _with_each(self, rows: Integers, weights: Floats) -> Floats:
        """Return the weight of those rows that satisfy each literal, shape (n_literals,)."""
        of_rows = weights[rows]
        covered = np.zeros(len(self.coded.catalogue))
        for group in self.coded.groups:
            counts = np.array(
                [
                    np.bincount(codes[rows], of_rows, minlength=group.n_codes)
                    for codes in group.codes
                ],
                np.float64,
            ).reshape(-1, group.n_codes)
            known = counts.sum(axis=1, keepdims=True)
            if group.has_missing:
                known -= counts[:, -1:]
            if group.numeric:
                counts = counts.cumsum(axis=1)
            covered[group.plain] = counts.ravel()[group.cells]
            covered[group.complement] = (known - counts).ravel()[group.cells[group.paired]]
        return covered


def most_rows(sample: CodedSample, n_cells: float) -> int:
    """Return how many rows have so many values."""
    return int(n_cells / max(1, sum(len(group.codes) for group in sample.groups)))


def least_of(found: Fingerprints, n_rows: int) -> Fingerprints:
    """Return the least distinct fingerprints."""
    return np.asarray(distinct(found)[:n_rows])


def limit_of(parts: Sequence[Fingerprints], n_rows: int) -> np.uint64:
    """Return the largest of the least distinct fingerprints of several parts of the examples."""
    return np.uint64(least_of(np.concatenate(parts), n_rows)[-1])


def _taken_together(sample: CodedSample) -> CodedSample:
    """Return examples of which no two are alike, with the weights of all."""
    if sample.labels.ndim > 1:
        return sample
    _, row = distinct_codes(sample)
    key = row * sample.n_labels + sample.labels.astype(np.int64)
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    if len(first) == sample.n_samples:
        return sample
    weights = np.bincount(number, sample.weights).astype(np.float64)
    return replace(sample.take(first), weights=weights)
