"""Labels of a row in one cell, such as ``rock|pop``: an attribute for each label."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.arff.relation import Attribute
from widc_arff.data.label_sets import without_meka_options
from widc_arff.errors import DataError
from widc_arff.tables.labels import find_attribute

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.arff.relation import Relation
    from widc_arff.data.schema import LabelCells


def with_labels_of_cells(
    relation: Relation, cells: LabelCells, known: Sequence[str] = ()
) -> Relation:
    """Return a relation with an attribute {0,1} per label in place of one whose cells list them.

    Parameters
    ----------
    relation : Relation
        The data.
    cells : LabelCells
        A nominal or string attribute, and what stands between labels.  Blanks around a label do not
        count; an empty text is a row without a label, and a missing one a row whose labels are not
        known.
    known : sequence of str
        Labels that are attributes even if no cell has them.

    Returns
    -------
    Relation
        The labels come last, in the order of their names; the relation's name says how many there
        are, as in MEKA.

    Raises
    ------
    DataError
        If there is no such attribute, it holds numbers, fewer than two labels are found, or one is
        called like another attribute.
    """
    name, separator = cells
    if not separator:
        raise DataError("label separator: expected one letter or more, got none")
    index = find_attribute(relation.attributes, name, "labels")
    texts = _texts(relation.attributes[index], relation.columns[index])
    held = {text: _labels_in(text, separator) for text in set(texts.tolist()) - {None}}
    labels = sorted({*known, *(label for cell in held.values() for label in cell)})
    if len(labels) < 2:
        raise DataError(
            f"labels: expected two labels or more in the cells of {name!r} between "
            f"{separator!r}, got {', '.join(map(repr, labels)) or 'none'}"
        )
    others = [i for i in range(len(relation.attributes)) if i != index]
    taken = {relation.attributes[i].name for i in others}
    for label in labels:
        if label in taken:
            raise DataError(f"labels: expected labels other than the attributes, got {label!r}")
    of_rows = [None if text is None else held[text] for text in texts.tolist()]
    columns = [
        np.array([-1 if cell is None else label in cell for cell in of_rows], np.int8)
        for label in labels
    ]
    more = tuple(Attribute(label, "nominal", ("0", "1")) for label in labels)
    return replace(
        relation,
        name=f"{without_meka_options(relation.name)}: -C -{len(labels)}",
        attributes=(*(relation.attributes[i] for i in others), *more),
        columns=(*(relation.columns[i] for i in others), *columns),
    )


def _texts(attribute: Attribute, column: NDArray[Any]) -> NDArray[np.object_]:
    """Return the text of each cell, None where it is missing."""
    if attribute.type == "string":
        return np.asarray(column, object)
    if attribute.type != "nominal":
        raise DataError(
            f"labels: expected texts in {attribute.name!r}, got {attribute.type} values"
        )
    return np.asarray(np.array([*attribute.values, None], object)[column], object)


def _labels_in(cell: str, separator: str) -> frozenset[str]:
    return frozenset(label for part in cell.split(separator) if (label := part.strip()))
