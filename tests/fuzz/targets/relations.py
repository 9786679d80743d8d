"""Two relations that must be equal, or two errors that must be."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.fuzz.findings import DifferenceError
from widc_arff.arff.relation import Relation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from widc_arff.arff.relation import Attribute

# Faults of the bytes themselves: which is told first, these or one of the text, depends on pieces.
_OF_BYTES = ("does not fit the encoding", "damaged gzip file")


def require_same(
    ways: str, first: Relation | str, second: Relation | str, *, to_the_bit: bool = True
) -> None:
    """Raise DifferenceError if two results are not the same.

    Parameters
    ----------
    ways : str
        Where they come from.
    first, second : Relation or str
        The results; a text is the message of an error.
    to_the_bit : bool
        Whether the formats of dates and the signs of zeros must be the same, too.
    """
    if isinstance(first, str) or isinstance(second, str):
        of_bytes = any(fault in f"{first}{second}" for fault in _OF_BYTES)
        if first != second and not (
            isinstance(first, str) and isinstance(second, str) and of_bytes
        ):
            raise DifferenceError(ways, f"{first!s:.300} and {second!s:.300}")
        return
    for one, other in zip(_parts(first, to_the_bit), _parts(second, to_the_bit), strict=False):
        if one != other:
            raise DifferenceError(ways, f"{one!r:.200} and {other!r:.200}")


def _parts(relation: Relation, to_the_bit: bool) -> Iterator[object]:
    yield relation.name
    yield relation.n_rows
    for attribute in relation.attributes:
        yield attribute if to_the_bit else _without_format(attribute)
    for row in relation.rows():
        yield [
            [*_parts(cell, to_the_bit)][1:]
            if isinstance(cell, Relation)
            else repr(cell)
            if to_the_bit
            else cell
            for cell in row
        ]
    yield from relation.weights.tolist()


def _without_format(attribute: Attribute) -> Attribute:
    inner = tuple(map(_without_format, attribute.attributes))
    return replace(attribute, format=None, attributes=inner)
