"""Directions of attributes: what literals demand of votes so that decisions are monotone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.errors import OptionError, did_you_mean
from widc_arff.induction.coding import ABOVE
from widc_arff.induction.voting import MOST_TRIED
from widc_arff.options import parse_direction

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from widc_arff.dataset import Schema
    from widc_arff.induction.coding import Catalogue


def directions(
    monotone: Iterable[str], schema: Schema, present: NDArray[np.bool_], catalogue: Catalogue
) -> NDArray[np.int64]:
    """Return what each literal of a catalogue demands of votes, as `Voting` has it.

    Parameters
    ----------
    monotone : iterable of str
        Directions: ``NAME=+LABEL`` or ``NAME=-LABEL``.
    schema : Schema
        Attributes and labels that they name.
    present : ndarray of bool of shape (n_declared,)
        Classes that occur; no other is ever decided.
    catalogue : Catalogue
        The literals.

    Raises
    ------
    OptionError
        If an attribute or a label is unknown, an attribute nominal, or more than eight classes
        occur.
    """
    n_classes = int(present.sum())
    if n_classes > MOST_TRIED:
        raise OptionError(f"monotone: expected at most {MOST_TRIED} classes, got {n_classes}")
    demands = np.zeros(len(catalogue), np.int64)
    for text in monotone:
        attribute, sign, label = _resolved(text, schema)
        if not present[label]:
            continue
        place = int(present[:label].sum())
        highest, lowest = 1 << place, 1 << (n_classes + place)
        of_attribute = catalogue.attribute == attribute
        rises = (catalogue.operator == ABOVE) == (sign == "+")
        demands[of_attribute & rises] |= highest
        demands[of_attribute & ~rises] |= lowest
    return demands


def _resolved(text: str, schema: Schema) -> tuple[int, str, int]:
    """Return attribute, sign and label of a direction."""
    name, sign, label = parse_direction(text)
    names = [attribute.name for attribute in schema.attributes]
    if name not in names:
        raise OptionError(
            f"monotone: expected an attribute of the data, got {name!r}" + did_you_mean(name, names)
        )
    labels = schema.labels.values
    if label not in labels:
        raise OptionError(
            f"monotone: expected a label of {schema.labels.attributes[0]!r} ({', '.join(labels)}), "
            f"got {label!r}" + did_you_mean(label, labels)
        )
    if schema.attributes[names.index(name)].type == "nominal":
        raise OptionError(
            f"monotone: expected a numeric or date attribute, whose values have an order, got the "
            f"nominal {name!r}"
        )
    return names.index(name), sign, labels.index(label)
