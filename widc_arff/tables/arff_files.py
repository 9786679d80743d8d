"""ARFF files with options of tables: attributes that become nominal, and weights in a column."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.arff.reader import CELLS, read_pieces
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
        Of these `encoding`, `nominal`, `used` and `weights` count.
    source : str
        Name of the file, for messages.
    most_cells : int or None
        As in `read_pieces`; with `nominal` all rows are one piece, because the labels are not
        known before the last row.

    Raises
    ------
    ArffError
        If the file cannot be read or is not right.
    DataError
        If an attribute is not there, or cannot be what the options make of it.
    """
    pieces = _pieces(file, options, source, most_cells)
    yield from pieces if most_cells is not None else [Relation.joined(list(pieces))]


def _pieces(
    file: chunks.File, options: TableOptions, source: str, most_cells: int | None
) -> Iterator[Relation]:
    if options.nominal:
        most_cells = None
    elif options.used is not None:
        most_cells = min(most_cells or CELLS, CELLS)  # memory holds the values in use alone
    first_row = 1
    for piece in read_pieces(file, options.encoding, most_cells=most_cells):
        n_rows = piece.n_rows
        if options.used is not None:
            piece = _of_used(piece, {*options.used, options.weights})  # noqa: PLW2901
        for name in options.nominal:
            piece = _with_labels(piece, name, source)  # noqa: PLW2901
        origin = Origin(source, first_row=first_row)
        yield piece if options.weights is None else _weighted(piece, options.weights, origin)
        first_row += n_rows


def _of_used(rows: Relation, used: Collection[str | None]) -> Relation:
    """Return rows with the values of the attributes in use alone."""
    attributes = tuple(
        attribute if attribute.name in used else Attribute(attribute.name, "string")
        for attribute in rows.attributes
    )
    columns = tuple(
        rows.columns[i] if attribute.name in used else unused_values(rows.n_rows)
        for i, attribute in enumerate(attributes)
    )
    return replace(rows, attributes=attributes, columns=columns)


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


def _weighted(relation: Relation, name: str, origin: Origin) -> Relation:
    """Return a relation with an attribute as the weights of its rows."""
    index = find_attribute(relation.attributes, name, "weights")
    if (relation.weights != 1).any():
        raise DataError("weights: expected rows without weights of their own, got some with")
    weights = weights_of(relation.attributes[index], relation.columns[index], origin)
    others = [i for i in range(len(relation.attributes)) if i != index]
    return replace(
        relation,
        attributes=tuple(relation.attributes[i] for i in others),
        columns=relation.chosen(others),
        weights=np.asarray(weights, np.float64),
    )
