"""The rows of two data sets as one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.data.dataset import Dataset
from widc_arff.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff.arff.relation import Attribute


def merged(new: Dataset, old: Dataset, weight_old: float = 1.0) -> Dataset:
    """Return the rows of two data sets, in the attributes of the first.

    Parameters
    ----------
    new, old : Dataset
        With the same class attribute, or label attributes.  Attributes are matched by name and
        nominal values by text; those that only the old ones have come last.
    weight_old : float
        What the weights of the old rows are multiplied by; 0: the new ones alone.

    Raises
    ------
    DataError
        If an attribute has another type, or is not there, or the labels are others.
    """
    if weight_old == 0:
        return new
    wanted, found = new.schema.labels, old.schema.labels
    if (wanted.kind, wanted.attributes) != (found.kind, found.attributes):
        raise DataError(
            f"expected the old rows to have the labels of {', '.join(wanted.attributes)}, got "
            f"those of {', '.join(found.attributes)}"
        )
    values = tuple(dict.fromkeys((*wanted.values, *found.values)))
    place = {a.name: i for i, a in enumerate(old.schema.attributes)}
    attributes, columns = [], []
    for attribute, column in zip(new.schema.attributes, new.columns, strict=True):
        i = place.get(attribute.name)
        if i is None or old.schema.attributes[i].type != attribute.type:
            got = "none" if i is None else f"a {old.schema.attributes[i].type} one"
            raise DataError(
                f"expected the {attribute.type} attribute {attribute.name!r} in old rows too, got "
                + got
            )
        both, codes = _as_one(attribute, column, old.schema.attributes[i], old.columns[i])
        attributes.append(both)
        columns.append(codes)
    Y = np.zeros((new.n_samples + old.n_samples, len(values)), np.bool_)
    Y[: new.n_samples, : len(wanted.values)] = new.Y
    Y[new.n_samples :, [values.index(label) for label in found.values]] = old.Y
    complete = None
    if new.complete is not None and old.complete is not None:
        complete = np.concatenate([new.complete, old.complete])
    labels = replace(wanted, values=values)
    return Dataset(
        replace(new.schema, attributes=tuple(attributes), labels=labels),
        tuple(columns),
        Y,
        np.concatenate([new.weights, old.weights * weight_old]),
        new.has_labels or old.has_labels,
        complete,
    )


def _as_one(
    attribute: Attribute, column: NDArray[Any], other: Attribute, old: NDArray[Any]
) -> tuple[Attribute, NDArray[Any]]:
    """Return an attribute with the values of both, and the rows of both in their codes."""
    if attribute.type != "nominal":
        return attribute, np.concatenate([np.asarray(column), np.asarray(old)])
    values = tuple(dict.fromkeys((*attribute.values, *other.values)))
    code = {value: k for k, value in enumerate(values)}
    codes = np.array([*(code[value] for value in other.values), -1])  # the last: missing
    both = np.concatenate([np.asarray(column, np.int64), codes[np.asarray(old, np.int64)]])
    return replace(attribute, values=values), both.astype(np.min_scalar_type(-len(values) - 1))
