"""Directions of attributes: what literals demand of votes so that decisions are monotone."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.data.schema import Positions
from widc_arff.errors import OptionError, did_you_mean
from widc_arff.induction.constraints.vector_search import MOST_TRIED
from widc_arff.induction.sample.views import ABOVE, AT_MOST
from widc_arff.model.label_orders import order_of
from widc_arff.option_kinds import parse_direction

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from widc_arff.arff.relation import Attribute
    from widc_arff.arrays import Bools, Integers
    from widc_arff.data.schema import Schema
    from widc_arff.induction.sample.coding import Catalogue
    from widc_arff.model.literals import Literal, Monomial


def directions(
    monotone: Iterable[str], schema: Schema, present: Bools, catalogue: Catalogue
) -> Integers:
    """Return what each literal of a catalogue demands of votes, as `VectorSearch` has it.

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
        If an attribute or a label is unknown, an attribute has no order, or more than eight classes
        occur.
    """
    n_classes = int(present.sum())
    if n_classes > MOST_TRIED:
        raise OptionError(
            f"expected at most {MOST_TRIED} classes, got {n_classes}", option="monotone"
        )
    constraints = np.zeros(len(catalogue), np.int64)
    for attribute, above, at_most in _bits(monotone, schema, present):
        of_attribute = catalogue.tests(attribute)
        constraints[of_attribute & (catalogue.operator == ABOVE)] |= above
        constraints[of_attribute & (catalogue.operator == AT_MOST)] |= at_most
    return constraints


def demand_of(monotone: Iterable[str], schema: Schema, present: Bools, monomial: Monomial) -> int:
    """Return what a monomial of any literals demands of its vector, as `directions` does."""
    demand = 0
    for attribute, above, at_most in _bits(monotone, schema, present):
        for literal in monomial:
            if literal.attribute == attribute:
                is_above, is_at_most = _sides(literal, schema.attributes[attribute])
                demand |= above * is_above | at_most * is_at_most
    return demand


def _sides(literal: Literal, attribute: Attribute) -> tuple[bool, bool]:
    """Return whether a literal holds for values above others, and for values below others."""
    if attribute.type != "nominal" or literal.operator in ("known", "missing"):
        return literal.operator == ">", literal.operator == "<="
    order, named = order_of(attribute), {attribute.values[code] for code in literal.named}
    holds = [(label in named) == literal.is_for_named for label in order]
    steps = [after - before for before, after in pairwise(holds)]
    return 1 in steps, -1 in steps


def _bits(
    monotone: Iterable[str], schema: Schema, present: Bools
) -> Iterator[tuple[int, int, int]]:
    """Yield the attribute of each direction, and what its literals > and <= demand."""
    positions = Positions(schema.attributes)
    for text in monotone:
        attribute, sign, label = _resolved(text, schema, positions)
        if present[label]:
            place = int(present[:label].sum())
            highest, lowest = 1 << place, 1 << (int(present.sum()) + place)
            yield (attribute, highest, lowest) if sign == "+" else (attribute, lowest, highest)


def _resolved(text: str, schema: Schema, positions: Positions) -> tuple[int, str, int]:
    """Return attribute, sign and label of a direction."""
    name, sign, label = parse_direction(text)
    index = positions.attribute.get(name)
    if index is None:
        raise OptionError(
            f"expected an attribute of the data, got {name!r}"
            + did_you_mean(name, positions.attribute),
            option="monotone",
        )
    of_label = schema.labels.index(label, "monotone")
    attribute = schema.attributes[index]
    if attribute.type == "nominal" and not order_of(attribute):
        raise OptionError(
            f"expected an attribute whose values have an order, got the nominal {name!r}",
            option="monotone",
        )
    return index, sign, of_label
