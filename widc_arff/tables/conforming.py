"""New data in the types of known attributes: a value means the same whatever its column's type.

A table may hold 1 and 0 where training had True and False, texts where it had numbers, or labels
that are spelled in another way: `widc_arff.tables.table_values` says what equals what.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.errors import TableError
from widc_arff.tables.cells import Cells, Origin, as_declared, cells_of
from widc_arff.tables.table_values import plain_number, truth_pair

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from widc_arff.arff.relation import Attribute

    Column = tuple[Attribute, NDArray[Any]]


def in_type_of(
    wanted: Attribute, column: Column, cells: Callable[[], Cells] | None = None
) -> Column:
    """Return a column in the type of a known attribute, where its values have a meaning there.

    Parameters
    ----------
    wanted : Attribute
        What is known from training.
    column : tuple of Attribute and ndarray
        What a table holds.
    cells : callable, optional
        Returns the column as texts, where the values of the array have lost some digits.

    Returns
    -------
    attribute, column
        Of a nominal attribute the declared labels come first, and unknown ones after them.  A
        column without values fits every type; one whose values have no meaning in the wanted type
        comes back as it is.
    """
    given, values = column
    if given.type == wanted.type and given.values == wanted.values:
        return column
    if given.type != wanted.type and given.type in _EMPTY and _EMPTY[given.type](values).all():
        missing = (-1, np.int8) if wanted.type == "nominal" else (np.nan,)
        return wanted, np.full(len(values), *missing)
    if wanted.type not in _FROM or given.type not in _FROM[wanted.type]:
        return column
    if given.type == "numeric" and not _can_be_numbers(wanted):
        return column
    if given.type == wanted.type:
        texts = Cells(given.name, given.values, values, frozenset(), _NOWHERE)
    else:
        texts = cells() if cells is not None else cells_of(given, values, _NOWHERE)
    try:
        return as_declared(texts, wanted)
    except TableError:
        return column


_NOWHERE = Origin("")
_FROM = {
    "nominal": ("nominal", "numeric", "string", "date"),
    "numeric": ("nominal", "string"),
    "date": ("nominal", "string"),
}
"""The types of columns that a known type can read."""
_EMPTY: dict[str, Callable[[NDArray[Any]], NDArray[np.bool_]]] = {
    "nominal": lambda codes: codes < 0,
    "numeric": np.isnan,
    "date": np.isnan,
    "string": lambda texts: np.array([text is None for text in texts], np.bool_),
}
"""Which values of a type are missing."""


def _can_be_numbers(wanted: Attribute) -> bool:
    labels = wanted.values
    return truth_pair(labels) is not None or any(
        plain_number(label.strip()) is not None for label in labels
    )
