"""Orders of labels: what is declared or said of them, or the numbers or ranges that they are."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from widc_arff.errors import OptionError, did_you_mean, listed
from widc_arff.model.literals import Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arff.relation import Attribute
    from widc_arff.data.schema import Schema

_NUMBER = r"[-+]?(?:\d+(?:[.,]\d+)?|\.\d+)(?:[eE][-+]?\d+)?%?"
_INFINITE = r"[-+]?(?:inf|infinity|∞)"
_RANGE = re.compile(
    rf"[\[(]?\s*(?P<sign><=|>=|<|>|=|≤|≥)?\s*(?P<low>{_NUMBER}|{_INFINITE})\s*"
    rf"(?:(?P<plus>\+)|(?:-|–|—|\.\.+|_|,|;|:|to)\s*(?:{_NUMBER}|{_INFINITE}))?\s*[\])]?",
    re.IGNORECASE,
)
_SIDES = {"<": -2, "<=": -1, "≤": -1, ">=": 1, "≥": 1, ">": 2}


def order_of(attribute: Attribute) -> tuple[str, ...]:
    """Return the labels of a nominal attribute that have an order, in it; none if they have none.

    Where none is declared or said, labels that are all numbers or ranges have that of the numbers.
    """
    return _by_numbers(attribute.values) if attribute.order is None else attribute.order


@lru_cache(maxsize=1 << 10)
def _by_numbers(labels: tuple[str, ...]) -> tuple[str, ...]:
    places = []
    for label in labels:
        match = _RANGE.fullmatch(label.strip())
        if match is None:
            return ()
        low = float(match["low"].rstrip("%").replace(",", ".").replace("∞", "inf"))
        places.append((low, _SIDES.get(match["sign"] or "", 0)))
    found = sorted(zip(places, labels, strict=True))
    if any(one == other for (one, _), (other, _) in pairwise(found)):
        return ()
    return tuple(label for _, label in found)


def set_literal(a: int, held: Sequence[int], others: Sequence[int]) -> Literal:
    """Return the literal that holds for some labels and not for others, which names the fewer."""
    is_held = len(held) <= len(others)
    named = held if is_held else others
    if len(named) == 1:
        return Literal(a, "=" if is_held else "!=", named[0])
    return Literal(a, "in" if is_held else "not in", labels=tuple(sorted(named)))


def range_literal(a: int, attribute: Attribute, operator: str, label: str) -> Literal:
    """Return ``<=`` or ``>`` of an attribute whose labels have an order as a set of labels.

    Raises
    ------
    ValueError
        If the label has no place in the order, or no label satisfies the literal.
    """
    order = order_of(attribute)
    end = order.index(label) + 1
    within = set(order[:end] if operator == "<=" else order[end:])
    if not within:
        raise ValueError
    held = [code for code, value in enumerate(attribute.values) if value in within]
    others = [code for code, value in enumerate(attribute.values) if value not in within]
    return set_literal(a, held, others) if others else Literal(a, "in", labels=tuple(held))


def range_of(literal: Literal, attribute: Attribute) -> tuple[str, str] | None:
    """Return a set as ``<=`` or ``>`` and a label, where `range_literal` gives it back."""
    order = order_of(attribute) if literal.operator in ("in", "not in") else ()
    named = {attribute.values[code] for code in literal.labels}
    n = sum((label in named) == literal.is_for_named for label in order)
    if 0 < n < len(order):
        for operator, label in (("<=", order[n - 1]), (">", order[-n - 1])):
            if range_literal(literal.attribute, attribute, operator, label) == literal:
                return operator, label
    return None


def with_orders(schema: Schema, ordered: Sequence[str]) -> Schema:
    """Return a schema whose attributes have the orders that users say.

    Parameters
    ----------
    schema : Schema
        Of the data.
    ordered : sequence of str
        ``NAME`` for the order of declaration, ``NAME=a<b<c`` for another, which may leave labels
        out, ``NAME=`` for none.

    Raises
    ------
    OptionError
        If an attribute or label is not there, or the attribute not nominal.
    """
    if not ordered:
        return schema
    attributes = {attribute.name: attribute for attribute in schema.attributes}
    for text in ordered:
        name, sign, order = (text, "", "") if text in attributes else text.partition("=")
        attribute = attributes.get(name)
        if attribute is None:
            raise OptionError(
                f"expected the name of an attribute, got {name!r}" + did_you_mean(name, attributes),
                option="ordered",
            )
        if attribute.type != "nominal":
            raise OptionError(
                f"expected a nominal attribute, got {name!r}, which is {attribute.type}",
                option="ordered",
            )
        said = _split(order, attribute) if order else () if sign else attribute.values
        attributes[name] = replace(attribute, order=said)
    return replace(schema, attributes=tuple(attributes[a.name] for a in schema.attributes))


def _split(text: str, attribute: Attribute) -> tuple[str, ...]:
    """Return the labels of ``a<b<c``, in which labels may hold ``<`` too."""
    labels: list[str] = []
    rest = f"<{text}"
    while rest:
        fitting = [
            label
            for label in attribute.values
            if rest.startswith(f"<{label}") and rest[len(label) + 1 :][:1] in ("", "<")
        ]
        if not fitting:
            break
        labels.append(max(fitting, key=len))
        rest = rest[len(labels[-1]) + 1 :]
    if not rest and len(labels) == len(set(labels)) > 1:
        return tuple(labels)
    raise OptionError(
        f"expected labels of {attribute.name!r} ({listed(attribute.values)}), two or "
        f"more, each once, as in a<b<c, got {text!r}",
        option="ordered",
    )
