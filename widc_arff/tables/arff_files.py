"""ARFF files with options of tables: attributes that become nominal, and weights in a column."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.arff.reader import read_pieces
from widc_arff.arff.relation import Attribute, Relation
from widc_arff.errors import DataError
from widc_arff.tables.cells import Origin, as_nominal, cells_of
from widc_arff.tables.labels import find_attribute
from widc_arff.tables.uses import unused_values, weights_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from widc_arff.arff import chunks
    from widc_arff.tables.uses import TableOptions


def arff_pieces(
    file: chunks.File, options: TableOptions, source: str, most_cells: int | None
) -> Iterator[Relation]:
    """Yield the rows of an ARFF file, some at a time.

    Parameters
    ----------
    file : path or file
        What to read.
    options : TableOptions
        Of these `encoding`, `nominal` and `weights` count, or `encoding`, `used` and
        `weights`.
    source : str
        Name of the file, for messages.
    most_cells : int or None
        As in `read_pieces`; labels are known when all rows are, so with `nominal` they are one
        piece.

    Raises
    ------
    ArffError
        If the file cannot be read or is not right.
    DataError
        If an attribute is not there, or cannot be what the options make of it.
    """
    if options.used is not None:
        names = {*options.used, options.weights}
        rows = _of_used(read_pieces(file, options.encoding), names)
        yield rows if options.weights is None else _weighted(rows, options.weights)
        return
    if options.nominal:
        most_cells = None
    for piece in read_pieces(file, options.encoding, most_cells=most_cells):
        for name in options.nominal:
            piece = _with_labels(piece, name, source)  # noqa: PLW2901
        yield piece if options.weights is None else _weighted(piece, options.weights)


def _of_used(pieces: Iterator[Relation], used: Collection[str | None]) -> Relation:
    """Return all rows, with the values of the attributes in use alone."""
    parts, weights = [], []
    for piece in pieces:
        name, attributes = piece.name, piece.attributes
        places = [i for i, attribute in enumerate(attributes) if attribute.name in used]
        parts.append([piece.columns[i] for i in places])
        weights.append(piece.weights)
    n_rows = sum(map(len, weights))
    found = dict(zip(places, map(np.concatenate, zip(*parts, strict=True)), strict=True))
    return Relation(
        name,
        tuple(a if i in found else Attribute(a.name, "string") for i, a in enumerate(attributes)),
        tuple(found.get(i, unused_values(n_rows)) for i in range(len(attributes))),
        np.concatenate(weights),
    )


def _with_labels(relation: Relation, name: str, source: str) -> Relation:
    """Return a relation with the texts of an attribute as labels."""
    index = find_attribute(relation.attributes, name, "nominal")
    attribute = relation.attributes[index]
    if attribute.type == "nominal":
        return relation
    if attribute.type == "relational":
        raise DataError(f"nominal: expected texts or numbers, got the relational {name!r}")
    made, column = as_nominal(cells_of(attribute, relation.columns[index], Origin(source)))
    attributes, columns = list(relation.attributes), list(relation.columns)
    attributes[index], columns[index] = replace(made, weight=attribute.weight), column
    return replace(relation, attributes=tuple(attributes), columns=tuple(columns))


def _weighted(relation: Relation, name: str) -> Relation:
    """Return a relation with an attribute as the weights of its rows."""
    index = find_attribute(relation.attributes, name, "weights")
    if (relation.weights != 1).any():
        raise DataError("weights: expected rows without weights of their own, got some with")
    weights = weights_of(relation.attributes[index], relation.columns[index])
    others = [i for i in range(len(relation.attributes)) if i != index]
    return replace(
        relation,
        attributes=tuple(relation.attributes[i] for i in others),
        columns=relation.chosen(others),
        weights=np.asarray(weights, np.float64),
    )
