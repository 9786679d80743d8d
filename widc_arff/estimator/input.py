"""What users of the estimator pass, checked as scikit-learn checks it: arrays, labels, weights."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from dataclasses import dataclass, replace
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

from widc_arff.data.label_types import label_type, typed_labels
from widc_arff.data.rows import COUNTED_FROM_0, check_weights, label_matrix
from widc_arff.data.schema import Labels, is_usable
from widc_arff.errors import WidcError, WidcWarning
from widc_arff.model.costs import require_costs_for
from widc_arff.option_kinds import check_class_weight
from widc_arff.tables.frames import (
    column_names,
    declared_values,
    generated_names,
    is_frame,
    is_missing,
    plain_numbers,
    relation_of,
)
from widc_arff.tables.table_values import label_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from numpy.typing import NDArray

    from widc_arff.arff.relation import Relation
    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.data.schema import Schema
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.costs import CostMatrix


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
    type : str
        Of the labels, as a model file names it.
    """

    classes: NDArray[Any]
    codes: Integers
    order: Integers
    type: str = ""

    @classmethod
    def of(cls, array: NDArray[Any], declared: Sequence[str]) -> Target:
        """Return the checked target.

        Parameters
        ----------
        array : ndarray of shape (n_samples,) or (n_samples, 1)
            The labels.
        declared : sequence of str
            Labels in the order of their declaration, where there is one: that of a pandas
            categorical or a polars Enum.

        Raises
        ------
        EstimatorError, ValueError
            If it is not a one-dimensional array of labels of one type, none missing.
        """
        labels = _checked_labels(array)
        kind = label_type(labels)
        classes, codes = np.unique(labels, return_inverse=True)
        _require_classes(labels)
        if classes.dtype.kind == "U":
            classes = np.array(classes.tolist())  # as wide as its texts
        position = {label_text(value): i for i, value in enumerate(classes)}
        order = [position[text] for text in declared if text in position]
        if len(order) < len(classes):
            order = list(range(len(classes)))
        return cls(classes, codes, np.array(order, np.int64), kind)

    @property
    def Y(self) -> Bools:  # noqa: N802 - the paper's name
        """The label matrix (n_samples, n_classes), columns in the order of the declaration."""
        return label_matrix(np.argsort(self.order)[self.codes], len(self.classes))

    @property
    def complete(self) -> None:
        """Nothing: the label matrix tells which rows have a class."""
        return

    def labels(self, y: Any, taken: Collection[str]) -> Labels:  # noqa: ANN401 - array-like
        """Return the labels in the order of their declaration, with the name of a series."""
        name = getattr(y, "name", None)
        name = _unless_taken(name if isinstance(name, str) and name else "class", taken)
        texts = tuple(label_text(self.classes[i]) for i in self.order)
        return Labels("single", (name,), texts, self.type)


@dataclass(frozen=True, slots=True, eq=False)
class LabelSetTarget:
    """The label sets of the training examples.

    Parameters
    ----------
    pair : ndarray of shape (2,)
        What is absent and what is present, 0 and 1 in the type of `y`.
    Y : ndarray of bool of shape (n_samples, n_labels)
        Which labels each example has.
    """

    pair: NDArray[Any]
    Y: Bools

    @classmethod
    def of(cls, array: NDArray[Any]) -> LabelSetTarget:
        """Return the checked target, from an array of shape (n_samples, n_labels).

        Raises
        ------
        EstimatorError
            If it holds anything but 0 and 1, or False and True.
        """
        is_indicator = np.isin(array, (0, 1))
        if not is_indicator.all():
            row, column = np.argwhere(~is_indicator)[0].tolist()
            found = array[row].tolist()[column]
            raise EstimatorError(
                "y: expected one label for each row, or an indicator matrix of 0 and 1 for label "
                f"sets, got an array of shape {array.shape} with {found!r} in row {row}, column "
                f"{column}{COUNTED_FROM_0}"
            )
        dtype = array.dtype if array.dtype.kind in "biuf" else np.dtype(np.int64)
        return cls(np.array([0, 1], dtype), array.astype(np.bool_))

    @property
    def classes(self) -> list[NDArray[Any]]:
        """What is absent and present, for each label."""
        return [self.pair] * self.Y.shape[1]

    @property
    def order(self) -> Integers:
        """The labels as they stand."""
        return np.arange(self.Y.shape[1])

    @property
    def complete(self) -> Bools:
        """All rows tell all of their labels, shape (n_samples,)."""
        return np.ones(len(self.Y), np.bool_)

    def labels(self, y: Any, taken: Collection[str]) -> Labels:  # noqa: ANN401 - array-like
        """Return the labels, with the names of a frame's columns, or y0, y1, ..."""
        names = column_names(y) if is_frame(y) else []
        if not names or names == generated_names(len(names)):
            names = [f"y{i}" for i in range(self.Y.shape[1])]
        free: list[str] = []
        for name in names:
            free.append(_unless_taken(name, {*taken, *free}))
        return Labels("multi", tuple(free), tuple(free), self.pair.dtype.name)


def target_of(y: Any) -> Target | LabelSetTarget:  # noqa: ANN401 - array-like
    """Return the checked target: classes, or of two and more columns label sets.

    Raises
    ------
    EstimatorError, ValueError
        If it is neither.
    """
    if y is None:
        raise EstimatorError("WIDCClassifier requires y to be passed, but the target y is None")
    dense = y.toarray() if hasattr(y, "toarray") else plain_numbers(y)  # scipy's sparse arrays
    array = checked_array(dense, input_name="y", ensure_2d=False, ensure_min_samples=0)
    if array.ndim > 1 and array.shape[1] > 1:
        return LabelSetTarget.of(array)
    return Target.of(array, declared_values(y))


def classes_of_model(
    labels: Labels,
    classes: Any,  # noqa: ANN401 - array-like
) -> tuple[NDArray[Any] | list[NDArray[Any]], Integers]:
    """Return `classes_` for the labels of a model, and the place in it of each label.

    Raises
    ------
    EstimatorError
        If `classes`, which may be None, are other labels.
    """
    if labels.are_sets:
        known = np.array([0, 1], labels.type or np.int64)
        pair = np.unique(known if classes is None else np.asarray(classes))
        if len(pair) != 2 or not (pair == np.array([0, 1])).all():
            raise EstimatorError(
                f"classes: expected 0 and 1, or False and True, for label sets, got {classes!r}"
            )
        return [pair] * len(labels.values), np.arange(len(labels.values))
    known = typed_labels(labels.values, labels.type)
    given = np.unique(known if classes is None else np.asarray(classes))
    texts = [label_text(value) for value in given]
    if sorted(texts) != sorted(labels.values):
        raise EstimatorError(
            f"classes: expected the labels of the model ({', '.join(map(repr, labels.values))}), "
            f"got {', '.join(map(repr, texts))}"
        )
    return given, np.array([texts.index(label) for label in labels.values])


def require_no_identifiers(relation: Relation) -> None:
    """Refuse columns of texts of which nearly every row has its own, as files are refused.

    Raises
    ------
    EstimatorError
        If there are any; it names them.
    """
    names = [repr(attribute.name) for attribute in relation.attributes if not is_usable(attribute)]
    if names:
        what = "column" if len(names) == 1 else "columns"
        raise EstimatorError(
            f"{what} {', '.join(names)}: expected values that several rows share, got a different "
            "text in nearly every row, as in names and identifiers: leave the features out, or "
            "convert them to numbers, dates or categories"
        )


def labels_in(target: Target | LabelSetTarget, labels: Labels) -> Bools:
    """Return the label matrix of a target in the order of the labels of a model.

    Raises
    ------
    EstimatorError
        If the target has labels that the model does not know, or another number of them.
    """
    n_labels = len(labels.values)
    if isinstance(target, LabelSetTarget) != labels.are_sets:
        expected = f"{n_labels} labels for each row" if labels.are_sets else "a label for each row"
        raise EstimatorError(f"y: expected {expected}, as in training")
    if isinstance(target, LabelSetTarget):
        if target.Y.shape[1] != n_labels:
            raise EstimatorError(f"y: expected {n_labels} labels, got {target.Y.shape[1]}")
        return target.Y
    places = [labels.index(label_text(value), "y") for value in target.classes]
    return label_matrix(np.array(places)[target.codes], n_labels)


def schema_of_page(committee: DecisionCommittee, X: Any) -> Schema:  # noqa: ANN401 - array-like
    """Return the schema of a committee that also knows what rules could test in a table."""
    schema = committee.schema
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)
        relation = relation_of(X, [attribute.name for attribute in schema.attributes], "data")
    attributes = tuple(
        own if i in committee.used_attributes or not is_usable(found) else found
        for i, (own, found) in enumerate(zip(schema.attributes, relation.attributes, strict=True))
    )
    return replace(schema, attributes=attributes)


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
    target: Target | LabelSetTarget,
) -> Floats:
    """Return the weights of the examples, those of their classes multiplied in.

    Raises
    ------
    EstimatorError, ValueError
        If a weight is negative, not finite or not there, or all are zero; if label sets are to have
        weights of their classes.
    """
    examples = target.Y if isinstance(target, LabelSetTarget) else target.codes
    weights: Floats = _check_sample_weight(
        sample_weight, examples, dtype=np.float64, ensure_non_negative=True
    )
    with faults_as_value_errors():
        check_weights(weights, what="sample_weight: ", first_row=0)
    if isinstance(target, LabelSetTarget):
        if class_weight is not None:
            raise EstimatorError(f"class_weight: expected None for label sets, got {class_weight}")
    elif isinstance(class_weight, str) and class_weight == "balanced":
        totals = np.bincount(target.codes, weights, minlength=len(target.classes))
        even = weights.sum() / np.count_nonzero(totals)
        by_class = np.divide(even, totals, out=np.zeros_like(totals), where=totals > 0)
        weights = weights * by_class[target.codes]
    elif class_weight is not None:
        labels = target.classes[target.codes]
        by_class = compute_class_weight(class_weight, classes=target.classes, y=labels)
        with faults_as_value_errors():
            for label, weight in zip(target.classes.tolist(), by_class.tolist(), strict=True):
                check_class_weight(label, weight)
        weights = weights * by_class[target.codes]
    with faults_as_value_errors():  # what is multiplied may leave the range
        check_weights(weights, what="sample_weight times class_weight: ", first_row=0)
    if not weights.any():
        raise EstimatorError("expected a positive weight, got only weights of zero")
    return weights


def declared_costs(costs: CostMatrix, labels: Labels, order: Integers) -> CostMatrix:
    """Return costs in the order in which labels are declared.

    Raises
    ------
    OptionError
        If there is not a row for each label.
    """
    require_costs_for(labels, costs)
    return tuple(map(tuple, np.array(costs)[np.ix_(order, order)].tolist()))


def _checked_labels(array: NDArray[Any]) -> NDArray[Any]:
    """Return the labels as an array of shape (n_samples,) without missing values."""
    labels: NDArray[Any] = column_or_1d(array, warn=True)
    if labels.dtype.kind in "OM":
        for row, label in enumerate(labels):
            if is_missing(label):
                raise EstimatorError(
                    f"y: expected a label in every row, got {label!r} in row {row}{COUNTED_FROM_0}"
                )
    assert_all_finite(labels, input_name="y")
    return labels


def _require_classes(labels: NDArray[Any]) -> None:
    kind = type_of_target(labels, input_name="y")
    if kind.startswith("continuous"):
        raise EstimatorError(
            f"Unknown label type: {kind}. Expected class labels, got numbers with fractions, as in "
            "regression"
        )


def _unless_taken(name: str, taken: Collection[str]) -> str:
    """Return a name; underscores tell it from those that are taken."""
    while name in taken:
        name += "_"
    return name
