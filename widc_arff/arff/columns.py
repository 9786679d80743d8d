"""How the values of one attribute are held: one array a column, missing values included.

========== ======================== ==========
type       array                    missing
========== ======================== ==========
numeric    float64                  NaN
date       float64, milliseconds    NaN
nominal    int8, int16 or int32     -1
string     object, of str           None
relational object, of Relation      None
========== ======================== ==========
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arff.relation import Attribute

    Column = np.ndarray[Any, np.dtype[Any]]


def code_dtype(n_values: int) -> np.dtype[Any]:
    """Return the smallest integer type that holds the codes of `n_values` labels and -1."""
    for dtype in (np.int8, np.int16):
        if n_values - 1 <= np.iinfo(dtype).max:
            return np.dtype(dtype)
    return np.dtype(np.int32)


def column_dtype(attribute: Attribute) -> np.dtype[Any]:
    """Return the type of the array that holds the values of `attribute`."""
    if attribute.type == "nominal":
        return code_dtype(len(attribute.values))
    return np.dtype(np.float64 if attribute.type in ("numeric", "date") else object)


def packed(attribute: Attribute, values: Sequence[Any]) -> Column:
    """Return a column of `values`: floats, codes, texts or relations, missing as in the table."""
    column = np.empty(len(values), column_dtype(attribute))
    if attribute.type == "relational":
        for row, value in enumerate(values):  # numpy must not look into them
            column[row] = value
    else:
        column[:] = values
    return column


def joined(parts: list[Column], attribute: Attribute) -> Column:
    """Return the parts as one column."""
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else packed(attribute, ())


def fault_of(attribute: Attribute, column: Column) -> str:
    """Return what is wrong with the values of a column; an empty text if nothing is."""
    if column.ndim != 1:
        return f"a column has one dimension, not {column.ndim}"
    if attribute.type == "nominal":
        return _fault_of_codes(column, len(attribute.values))
    if attribute.type in ("numeric", "date"):
        return "" if column.dtype.kind in "fiu" else f"numbers are needed, not {column.dtype}"
    if column.dtype != object:
        return f"an array of objects is needed, not {column.dtype}"
    if column.strides == (0,):  # one value for all rows
        column = column[:1]
    is_text = attribute.type == "relational" or all(
        value is None or isinstance(value, str) for value in column
    )
    return "" if is_text else "texts or None are needed"


def _fault_of_codes(column: Column, n_values: int) -> str:
    if column.dtype.kind not in "iu":
        return f"codes are integers, not {column.dtype}"
    if len(column) and (column.min() < -1 or column.max() >= n_values):
        return f"codes lie between -1 and {n_values - 1}"
    return ""


def read_only(attribute: Attribute, column: Column) -> Column:
    """Return a view or, where the type differs, a copy of `column` that cannot be written to."""
    held = column.astype(column_dtype(attribute), copy=False).view()
    held.flags.writeable = False
    return held


def cells(attribute: Attribute, column: Column) -> list[Any]:
    """Return the values as Python objects: labels for codes, None for missing."""
    if attribute.type == "nominal":
        labels = (*attribute.values, None)  # code -1 is the last
        return [labels[code] for code in column.tolist()]
    if attribute.type in ("numeric", "date"):
        return [None if math.isnan(value) else value for value in column.tolist()]
    return list(column)


def has_same_values(attribute: Attribute, first: Column, second: Column) -> bool:
    """Return whether two columns of one length hold the same; missing equals missing."""
    if attribute.type in ("numeric", "date"):
        return bool(np.array_equal(first, second, equal_nan=True))
    if attribute.type == "relational":
        return all(
            a is b if a is None or b is None else a.has_same_rows(b)
            for a, b in zip(first, second, strict=True)
        )
    return bool(np.array_equal(first, second))
