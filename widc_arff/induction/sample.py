"""The learning sample: the rows that count, with weights whose sums are exact.

Rows without a class and rows of weight zero leave before anything else; of label sets those rows
of which a label is missing leave, and rows with no label stay.  Weights are held as whole
numbers in float64, after multiplication by a power of two where they are not whole: every sum of
them is then exact and independent of the order of the rows, and the square roots of stage 1 cannot
turn a residue of 1e-16 into 1e-8.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff.dataset import Dataset

EXACT_BITS = 52


@dataclass(frozen=True, slots=True, eq=False)
class LearningSample:
    """The examples that are learned from.

    Parameters
    ----------
    columns : tuple of ndarray of shape (n_samples,)
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

    columns: tuple[NDArray[np.generic], ...]
    Y: NDArray[np.bool_]
    weights: NDArray[np.float64]
    quantum: float
    example_weight: float
    label_sets: bool = False

    @classmethod
    def of(cls, dataset: Dataset) -> LearningSample:
        """Return the learning sample of a data set.

        Raises
        ------
        DataError
            If there are no rows, no row with a class, only zero weights, or a weight that is
            negative or not finite.
        """
        if dataset.n_samples == 0:
            raise DataError(
                f"expected at least one row to learn from, got none in {dataset.schema.relation!r}"
            )
        bad = np.flatnonzero(~(np.isfinite(dataset.weights) & (dataset.weights >= 0)))
        if len(bad):
            raise DataError(
                f"expected weights that are finite and not negative, got "
                f"{float(dataset.weights[bad[0]])!r} in row {bad[0] + 1}"
            )
        labelled, labels = dataset.labelled, dataset.schema.labels
        if not labelled.any():
            raise DataError(
                "expected at least one row that tells all of its labels, got only missing ones"
                if labels.are_sets
                else "expected at least one row with a class to learn from, "
                f"got only missing values of {labels.attributes[0]!r}"
            )
        kept = labelled & (dataset.weights > 0)
        if not kept.any():
            raise DataError(
                "expected at least one row of positive weight to learn from, got only zero weights"
            )
        if not dataset.Y[kept].any():
            raise DataError("expected at least one row with a label to learn from, got none")
        if not kept.all():
            dataset = dataset.take(kept)
        weights, quantum = _in_quanta(dataset.weights)
        whole = bool((dataset.weights == np.rint(dataset.weights)).all())
        example_weight = quantum if whole else len(weights) / float(weights.sum())
        return cls(dataset.columns, dataset.Y, weights, quantum, example_weight, labels.are_sets)

    @property
    def class_weights(self) -> NDArray[np.float64]:
        """Weight of each class in quanta, shape (n_classes,)."""
        return class_weights(self.Y, self.weights)

    @property
    def n_examples(self) -> float:
        """Total weight in examples."""
        return float(self.weights.sum()) * self.example_weight


def class_weights(Y: NDArray[np.bool_], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weight of the rows with each label, shape (n_classes,)."""
    return np.array([weights[Y[:, j]].sum() for j in range(Y.shape[1])])


def _in_quanta(weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    total = weights.sum()
    if total < 2.0**EXACT_BITS and (weights == np.rint(weights)).all():
        return weights, 1.0
    # A sum of n numbers, each rounded up by at most one half, must stay below 2**53.
    exponent = float(EXACT_BITS - np.ceil(np.log2(total)))
    quanta = np.maximum(np.rint(np.ldexp(weights, int(exponent))), 1.0)
    return quanta, float(np.ldexp(1.0, -int(exponent)))
