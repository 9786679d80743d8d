"""The type that labels had in Python, told in a model file, and labels of that type again.

A type is the name of a numpy type: ``int64``, ``bool``, ``datetime64[D]``; nothing where labels are
texts.  Of an array of objects it is ``object/`` and the type of the objects, ``object/str``.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

TEXTS = ""
_ARRAYS = re.compile(
    r"bool|u?int(8|16|32|64)|float(16|32|64)|datetime64\[(Y|M|W|D|h|m|s|ms|us|ns)\]"
)
_OF_TEXT: dict[str, Callable[[str], Any]] = {
    "str": str,
    "bool": {"True": True, "False": False}.__getitem__,
    "int": int,
    "float": float,
    "Decimal": Decimal,
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
}
"""How objects of each type are made of the text of a label."""


def label_type(labels: NDArray[Any]) -> str:
    """Return the type of labels.

    Parameters
    ----------
    labels : ndarray of shape (n_labels,)
        None of them missing.

    Raises
    ------
    DataError
        If they are neither texts, numbers, booleans nor dates, or of several types.
    """
    if labels.dtype.kind == "U":
        return TEXTS
    if labels.dtype != object:
        if _ARRAYS.fullmatch(labels.dtype.name):
            return labels.dtype.name
        raise _refused(np.dtype(labels.dtype).name, labels.dtype.kind == "S")
    kinds = set()
    for kind in dict.fromkeys(map(type, labels)):
        name = _name_of(kind)
        if not name:
            raise _refused(kind.__name__, issubclass(kind, bytes), issubclass(kind, Enum))
        kinds.add(name)
    if kinds == {"int", "float"}:
        kinds = {"float"}
    if len(kinds) > 1:
        found = ", ".join(sorted({type(label).__name__ for label in labels}))
        raise DataError(
            f"y: expected labels of one type, got {found}; [str(label) for label in y] makes texts "
            "of them"
        )
    return f"object/{kinds.pop()}"


def is_label_type(name: str) -> bool:
    """Return whether a text names a type of labels."""
    return bool(_ARRAYS.fullmatch(name)) or (
        name.startswith("object/") and name.removeprefix("object/") in _OF_TEXT
    )


def typed_labels(texts: Sequence[str], name: str) -> NDArray[Any]:
    """Return labels in the type that they had, in the order of their texts.

    Raises
    ------
    ValueError
        If a text is no such label.
    """
    if name == TEXTS:
        return np.array(texts)
    if name.startswith("object/"):
        typed = np.empty(len(texts), object)
        try:
            typed[:] = list(map(_OF_TEXT[name.removeprefix("object/")], texts))
        except (KeyError, ArithmeticError) as error:
            raise ValueError(f"no label of the type {name}: {error}") from error
        return typed
    if name.startswith("datetime64"):
        return np.array(texts, name)
    return np.array(list(_numbers_of(texts, name)), name)


def _numbers_of(texts: Sequence[str], name: str) -> Iterable[float]:
    for text in texts:
        if name == "bool":
            if text not in ("False", "True"):
                raise ValueError(f"no boolean: {text!r}")
            yield text == "True"
        else:
            yield float(text) if name.startswith("float") else int(text)


def _name_of(kind: type) -> str:
    """Return the name of a type of objects, or nothing if labels cannot have it."""
    if issubclass(kind, Enum) and not issubclass(kind, str | int):
        return ""
    if issubclass(kind, np.timedelta64 | Fraction):
        return ""
    for name, base in (
        ("str", str),
        ("bool", bool | np.bool_),
        ("int", Integral),
        ("Decimal", Decimal),
        ("float", Real),
        ("datetime", datetime),
        ("date", date),
    ):
        if issubclass(kind, base):
            return name
    return ""


def _refused(found: str, is_bytes: bool = False, is_enum: bool = False) -> DataError:
    advice = "[str(label) for label in y] makes them texts"
    if is_bytes:
        advice = "[label.decode() for label in y] makes them texts"
    elif is_enum:
        advice = "[label.name for label in y] makes them texts"
    return DataError(f"y: expected texts, numbers, booleans or dates, got {found}; {advice}")
