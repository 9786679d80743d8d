"""What users of the estimator pass, checked as scikit-learn checks it: arrays, labels, weights."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import (
    _check_sample_weight,
    assert_all_finite,
    check_array,
    column_or_1d,
)

from widc_arff.dataset import label_matrix
from widc_arff.errors import OptionError, WidcError
from widc_arff.frames import declared_values, is_missing, plain_numbers, text_of
from widc_arff.options import cut_point_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from widc_arff.options import CutPointTable


class EstimatorError(WidcError, ValueError):
    """Data or parameters that cannot serve; a ValueError, as users of scikit-learn expect."""


@contextmanager
def faults_as_value_errors() -> Iterator[None]:
    """Raise our errors as `EstimatorError`, with the same message."""
    try:
        yield
    except ValueError:
        raise
    except WidcError as fault:
        raise EstimatorError(str(fault)) from fault


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """The labels of the training examples.

    Parameters
    ----------
    classes : ndarray of shape (n_classes,)
        The distinct labels, sorted, of their own type.
    codes : ndarray of int64 of shape (n_samples,)
        Position in `classes` of the label of each example.
    order : ndarray of int64 of shape (n_classes,)
        Positions in `classes` in the order in which the labels are declared.
    """

    classes: NDArray[Any]
    codes: NDArray[np.int64]
    order: NDArray[np.int64]

    @classmethod
    def of(cls, y: Any) -> Target:  # noqa: ANN401 - array-like
        """Return the checked target; only a pandas categorical or polars Enum declares an order.

        Raises
        ------
        EstimatorError, ValueError
            If it is no one-dimensional array of labels of one type, none missing.
        """
        labels = _checked_labels(y)
        try:
            classes, codes = np.unique(labels, return_inverse=True)
        except TypeError as fault:
            kinds = ", ".join(sorted({type(label).__name__ for label in labels}))
            raise EstimatorError(f"y: expected labels of one type, got {kinds}") from fault
        _require_classes(labels)
        position = {text_of(value): i for i, value in enumerate(classes)}
        order = [position[text] for text in declared_values(y) if text in position]
        if len(order) < len(classes):
            order = list(range(len(classes)))
        return cls(classes, codes, np.array(order, np.int64))

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels as texts, in the order of their declaration."""
        return tuple(text_of(self.classes[i]) for i in self.order)

    def matrix(self) -> NDArray[np.bool_]:
        """Return the label matrix (n_samples, n_classes), columns in the order of `labels`."""
        return label_matrix(np.argsort(self.order)[self.codes], len(self.classes))


def checked_array(values: Any, **rules: Any) -> NDArray[Any]:  # noqa: ANN401 - array-like
    """Return an array that scikit-learn finds well-formed, whatever its values.

    Parameters
    ----------
    values : array-like
        Of numbers beside texts in a list, which numpy would turn into texts, both are kept.
    **rules
        As in ``sklearn.utils.check_array``.
    """
    array: NDArray[Any] = check_array(values, dtype=None, ensure_all_finite=False, **rules)
    if array.dtype.kind in "US" and not hasattr(values, "dtype"):
        mixed: NDArray[Any] = check_array(values, dtype=object, ensure_all_finite=False, **rules)
        if not all(isinstance(value, str) for value in mixed.flat):
            return mixed
    return array


def checked_weights(
    sample_weight: Any,  # noqa: ANN401 - array-like
    class_weight: Any,  # noqa: ANN401 - a mapping or text
    target: Target,
) -> NDArray[np.float64]:
    """Return the weights of the examples, those of their classes multiplied in.

    Raises
    ------
    EstimatorError, ValueError
        If a weight is negative, not finite or not there, or all are zero.
    """
    weights: NDArray[np.float64] = _check_sample_weight(
        sample_weight, target.codes, dtype=np.float64, ensure_non_negative=True
    )
    if isinstance(class_weight, str) and class_weight == "balanced":
        totals = np.bincount(target.codes, weights, minlength=len(target.classes))
        even = weights.sum() / np.count_nonzero(totals)
        by_class = np.divide(even, totals, out=np.zeros_like(totals), where=totals > 0)
        weights = weights * by_class[target.codes]
    elif class_weight is not None:
        labels = target.classes[target.codes]
        by_class = compute_class_weight(class_weight, classes=target.classes, y=labels)
        weights = weights * by_class[target.codes]
    if not weights.any():
        raise EstimatorError("expected a positive weight, got only weights of zero")
    return weights


def checked_cut_points(cut_points: Any) -> str | CutPointTable:  # noqa: ANN401
    """Return a method, or a table of cut points from a mapping.

    Raises
    ------
    OptionError
        If it is neither.
    """
    if isinstance(cut_points, str):
        return cut_points
    try:
        return cut_point_table(dict(cut_points))
    except (TypeError, ValueError) as fault:
        raise OptionError(
            "cut_points: expected a method or a dict of increasing numbers by name of the feature, "
            f"got {cut_points!r}"
        ) from fault


def _checked_labels(y: Any) -> NDArray[Any]:  # noqa: ANN401
    """Return the target as an array of shape (n_samples,) without missing values."""
    if y is None:
        raise EstimatorError("WIDCClassifier requires y to be passed, but the target y is None")
    array = checked_array(plain_numbers(y), input_name="y", ensure_2d=False, ensure_min_samples=0)
    if array.ndim > 1 and array.shape[1] > 1:
        raise EstimatorError(
            f"y should be a 1d array of labels, got an array of shape {array.shape}: label sets "
            "are not supported; sklearn.multioutput.MultiOutputClassifier fits a committee a column"
        )
    labels: NDArray[Any] = column_or_1d(array, warn=True)
    if labels.dtype == object:
        for row, label in enumerate(labels):
            if is_missing(label):
                raise EstimatorError(
                    f"y: expected a label in every row, got {label!r} in row {row}"
                )
    assert_all_finite(labels, input_name="y")
    return labels


def _require_classes(labels: NDArray[Any]) -> None:
    kind = type_of_target(labels, input_name="y")
    if kind.startswith("continuous"):
        raise EstimatorError(
            f"Unknown label type: {kind}. Expected labels of classes, got numbers with fractions, "
            "as regression has them"
        )
