"""The learning sample: the rows that count, with weights whose sums are exact.

Rows without a class and rows of weight zero leave before anything else; of label sets those rows
of which a label is missing leave, and rows with no label stay.  Weights are held as whole
numbers in float64, after multiplication by a power of two where they are not whole: every sum of
them is then exact and independent of the order of the rows, and the square roots of stage 1 cannot
turn a residue of 1e-16 into 1e-8.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.errors import DataError
from widc_arff.induction.sample.cut_points import distinct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.data.schema import Schema

EXACT_BITS = 52
UNIT_BITS = 1128  # enough for the last bit of the least positive number
FEWEST_QUANTA = 1024
"""Of a weight: it holds to three digits at least."""


class Weighed(NamedTuple):
    """What the weights of all examples come to.

    Parameters
    ----------
    n_samples : int
        Number of examples.
    class_weights : ndarray of float64 of shape (n_declared,)
        Weight of those of each class, or with each label, in quanta.
    total : float
        Weight of all, in quanta.
    quantum : float
        Weight of one quantum in the data's own unit, a power of two.
    example_weight : float
        Weight of one quantum in examples.
    """

    n_samples: int
    class_weights: Floats
    total: float
    quantum: float
    example_weight: float

    @property
    def present(self) -> Bools:
        """Classes or labels that occur."""
        return self.class_weights > 0


@dataclass(frozen=True, eq=False)
class LearningSample:
    """The examples that are learned from.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_samples,)
        As in `Dataset`.
    Y : ndarray of bool of shape (n_samples, n_classes)
        Label matrix; one label a row, or any number for label sets.
    weights : ndarray of float64 of shape (n_samples,)
        Positive whole numbers, in quanta.
    quantum : float
        Weight of one quantum in the data's own unit, a power of two.
    example_weight : float
        Weight of one quantum in examples: the quantum itself where all weights are whole; else the
        weights are scaled to sum to the number of rows.
    label_sets : bool
        Whether an example can have any number of labels.
    """

    columns: Sequence[NDArray[np.generic]]
    Y: Bools
    weights: Floats
    quantum: float
    example_weight: float
    label_sets: bool = False

    @classmethod
    def of(cls, dataset: Dataset) -> LearningSample:
        """Return the learning sample of a data set.

        Raises
        ------
        DataError
            If there are no rows, no row with a class, or only zero weights.
        """
        survey = RowSurvey.of(dataset)
        survey.check(dataset.schema)
        dataset = rows_that_count(dataset)
        if not dataset.Y.any():
            raise DataError("expected at least one row with a label to learn from, got none")
        weights = in_quanta(dataset.weights, survey.exponent)
        return cls(
            dataset.columns,
            dataset.Y,
            weights,
            survey.quantum,
            survey.example_weight(float(weights.sum())),
            dataset.schema.labels.are_sets,
        )

    @cached_property
    def weighed(self) -> Weighed:
        """What the weights come to."""
        return Weighed(
            len(self.weights),
            self.class_weights,
            float(self.weights.sum()),
            self.quantum,
            self.example_weight,
        )

    @cached_property
    def class_weights(self) -> Floats:
        """Weight of each class in quanta, shape (n_classes,)."""
        return class_weights(self.Y, self.weights)

    @property
    def n_examples(self) -> float:
        """Total weight in examples."""
        return float(self.weights.sum()) * self.example_weight


def class_weights(Y: Bools, weights: Floats) -> Floats:
    """Return the weight of the rows with each label, shape (n_classes,)."""
    return np.array([weights[Y[:, j]].sum() for j in range(Y.shape[1])])


@dataclass(frozen=True, slots=True)
class RowSurvey:
    """What must be known of all rows before any is weighed; those of parts of the rows add up.

    Parameters
    ----------
    n_rows : int
        All rows.
    n_labelled : int
        Those that tell their class, or all of their labels.
    n_counting : int
        Of these the ones of positive weight.
    whole : bool
        Whether all their weights are whole numbers.
    units : int
        Sum of their weights, exactly, in units of ``2**-UNIT_BITS``.
    least : float
        The least of their weights; infinite if there are none.
    """

    n_rows: int = 0
    n_labelled: int = 0
    n_counting: int = 0
    whole: bool = True
    units: int = 0
    least: float = np.inf

    @classmethod
    def of(cls, dataset: Dataset) -> RowSurvey:
        """Survey the rows of a data set."""
        labelled = dataset.labelled
        weights = dataset.weights[labelled & (dataset.weights > 0)]
        return cls(dataset.n_samples, int(labelled.sum())).weighing(
            weights, np.ones(len(weights), np.int64)
        )

    def weighing(self, weights: Floats, counts: Integers) -> RowSurvey:
        """Return the survey of the same rows with other weights, positive, of so many rows each."""
        return RowSurvey(
            self.n_rows,
            self.n_labelled,
            int(counts.sum()),
            bool((weights == np.rint(weights)).all()),
            _exact_sum(weights, counts),
            float(weights.min(initial=np.inf)),
        )

    def __add__(self, other: RowSurvey) -> RowSurvey:
        return RowSurvey(
            self.n_rows + other.n_rows,
            self.n_labelled + other.n_labelled,
            self.n_counting + other.n_counting,
            self.whole and other.whole,
            self.units + other.units,
            min(self.least, other.least),
        )

    def check(self, schema: Schema) -> None:
        """Raise a DataError unless there are rows to learn from, whose weights all tell."""
        labels = schema.labels
        if self.n_rows == 0:
            raise DataError(
                f"expected at least one row to learn from, got none in {schema.relation!r}"
            )
        if self.n_labelled == 0:
            raise DataError(
                "expected at least one row with all of its labels known, got only missing labels"
                if labels.are_sets
                else "expected at least one row with a class to learn from, "
                f"got only missing values of {labels.attributes[0]!r}"
            )
        if self.n_counting == 0:
            raise DataError(
                "expected at least one row of positive weight to learn from, got only zero weights"
            )
        is_exact = self.whole and self.exponent == 0
        if not is_exact and np.ldexp(self.least, self.exponent) < FEWEST_QUANTA:
            raise DataError(
                f"expected weights of at least {FEWEST_QUANTA / 2.0**EXACT_BITS:.0e} of their sum, "
                f"got {self.least!r} with a sum of about "
                f"{float(np.ldexp(1.0, EXACT_BITS - self.exponent)):.0e}"
            )

    @property
    def exponent(self) -> int:
        """Number of bits by which weights are shifted to become quanta."""
        bits = (self.units - 1).bit_length() - UNIT_BITS  # the sum is at most 2**bits
        if self.whole and bits <= EXACT_BITS:
            return 0
        # A sum of n numbers, each rounded up by at most one half, must stay below 2**53.
        return EXACT_BITS - bits

    @property
    def quantum(self) -> float:
        """Weight of one quantum in the data's own unit."""
        return float(np.ldexp(1.0, -self.exponent))

    def example_weight(self, n_quanta: float) -> float:
        """Return the weight of one quantum in examples, given the sum of all weights in quanta."""
        return self.quantum if self.whole else self.n_counting / n_quanta


def rows_that_count(dataset: Dataset) -> Dataset:
    """Return the rows that tell their labels and have a positive weight."""
    kept = dataset.labelled & (dataset.weights > 0)
    return dataset if kept.all() else dataset.take(kept)


def in_quanta(weights: Floats, exponent: int) -> Floats:
    """Return positive weights as whole numbers of quanta."""
    if exponent == 0 and (weights == np.rint(weights)).all():
        return weights
    return np.maximum(np.rint(np.ldexp(weights, exponent)), 1.0)


def _exact_sum(weights: Floats, counts: Integers) -> int:
    """Return the sum of positive weights in units of ``2**-UNIT_BITS``, each so many times.

    Whatever their order; of fewer than 2**36 in all.
    """
    fractions, exponents = np.frexp(weights)
    mantissas = np.ldexp(fractions, 53).astype(np.int64)
    total = 0
    for exponent in distinct(exponents).tolist():
        here = exponents == exponent
        of, times = mantissas[here], counts[here]
        high, low = (of >> 27) * times, (of & (2**27 - 1)) * times
        total += ((int(high.sum()) << 27) + int(low.sum())) << (exponent - 53 + UNIT_BITS)
    return total
