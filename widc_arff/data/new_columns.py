"""New rows in the columns of a known schema, a piece of the data at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.arff.relation import Attribute
from widc_arff.data.label_cells import with_labels_of_cells
from widc_arff.data.label_sets import label_matrix_of
from widc_arff.data.rows import check_weights, label_matrix
from widc_arff.data.schema import ignoring_names, is_usable
from widc_arff.data.unknown_labels import UnknownLabels, as_labels
from widc_arff.errors import DataError, did_you_mean, listed
from widc_arff.tables.conforming import in_type_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from widc_arff.arff.relation import Relation
    from widc_arff.arrays import Bools
    from widc_arff.data.schema import Schema


class Target(NamedTuple):
    """The classes or label sets of rows, as `Dataset` holds them."""

    Y: Bools
    has_labels: bool
    complete: Bools | None = None


class NewColumns:
    """Takes rows piece by piece; what it finds unknown it tells at the end, counted over all.

    The parameters are those of `Dataset.for_schema`.
    """

    def __init__(
        self,
        schema: Schema,
        needed: Collection[int] | None = None,
        *,
        unknown_as_missing: bool = False,
        unknown_classes_as_missing: bool = False,
        counts: bool = False,
    ) -> None:
        self._schema, self._counts = schema, counts
        # of attributes that no rule tests a model file has the names alone
        known = [i for i, attribute in enumerate(schema.attributes) if is_usable(attribute)]
        self._required = frozenset(known if needed is None else needed)
        self._unknown_as_missing = unknown_as_missing
        self._unknown_classes_as_missing = unknown_classes_as_missing
        self._unknown = UnknownLabels()

    def settle(self) -> None:
        """Warn of unknown labels of all pieces, or refuse them (`UnknownLabels.settle`)."""
        self._unknown.settle()

    def of(self, relation: Relation) -> tuple[tuple[NDArray[np.generic], ...], Target]:
        """Return the columns of the next piece, and its classes or label sets.

        Raises
        ------
        DataError
            As `Dataset.for_schema` does, but of unknown labels.
        """
        check_weights(relation.weights, first_row=self._unknown.n_rows + 1)
        relation = self._with_labels(relation)
        position = {attribute.name: i for i, attribute in enumerate(relation.attributes)}
        self._require_columns(relation.name, position)
        columns = self._columns(relation, position)
        target = self._label_sets if self._schema.labels.are_sets else self._classes
        found = columns, target(relation, position)
        self._unknown.n_rows += relation.n_rows
        return found

    def _require_columns(self, name: str, position: Collection[str]) -> None:
        schema = self._schema
        absent = [schema.attributes[i].name for i in sorted(self._required)]
        absent = [name for name in absent if name not in position]
        if not absent:
            return
        own = {attribute.name for attribute in schema.attributes} | {*schema.labels.columns}
        others = [name for name in position if name not in own]  # the rest have their place
        advice = f"; train with {ignoring_names(absent)} for a model that does without"
        if not any(attribute.name in position for attribute in schema.attributes):
            advice = f": these look like other data than {schema.relation!r}"
        raise DataError(
            f"expected the attribute{'s' if len(absent) > 1 else ''} "
            f"{listed(absent)}, which the rules use; got no such "
            f"column in {name!r}" + (did_you_mean(absent[0], others) or advice)
        )

    def _columns(
        self, relation: Relation, position: dict[str, int]
    ) -> tuple[NDArray[np.generic], ...]:
        unused = (np.full(relation.n_rows, -1, np.int8), np.full(relation.n_rows, np.nan))
        columns: list[NDArray[np.generic]] = []
        for place, attribute in enumerate(self._schema.attributes):
            i = position.get(attribute.name)
            column = unused[attribute.type != "nominal"]
            if i is not None and place in self._required:
                given, values = in_type_of(attribute, (relation.attributes[i], relation.columns[i]))
                column = self._conformed(given, values, attribute, self._unknown_as_missing)
            columns.append(column)
        return tuple(columns)

    def _with_labels(self, relation: Relation) -> Relation:
        """Return a piece with label attributes, where its cells list labels; note unknown ones."""
        labels, there = self._schema.labels, {attribute.name for attribute in relation.attributes}
        if labels.cells is None or labels.cells.attribute not in there or there & {*labels.values}:
            return relation
        relation = with_labels_of_cells(relation, labels.cells, labels.values)
        wanted = Attribute(labels.cells.attribute, "nominal", labels.values)
        as_missing = self._unknown_as_missing or self._unknown_classes_as_missing
        columns = dict(zip((a.name for a in relation.attributes), relation.columns, strict=True))
        is_unknown = np.zeros(relation.n_rows, np.bool_)
        for name in sorted(columns.keys() - there - {*labels.values}):
            has, codes = columns[name] == 1, np.zeros(relation.n_rows, np.int64)
            self._unknown.note(wanted, [name], codes, np.flatnonzero(has), as_missing=as_missing)
            is_unknown |= has
        for label in labels.values:
            columns[label] = np.where(is_unknown, np.int8(-1), columns[label])
        return replace(relation, columns=tuple(columns.values()))

    def _label_sets(self, relation: Relation, position: Collection[str]) -> Target:
        names = self._schema.labels.attributes
        if not all(name in position for name in names):
            none = np.zeros((relation.n_rows, len(names)), np.bool_)
            return Target(none, has_labels=False, complete=np.zeros(relation.n_rows, np.bool_))
        unknown = self._unknown if self._unknown_classes_as_missing else None
        first_row = self._unknown.n_rows + 1
        Y, complete = label_matrix_of(
            relation, names, counts=self._counts, unknown=unknown, first_row=first_row
        )
        return Target(Y, has_labels=True, complete=complete)

    def _classes(self, relation: Relation, position: dict[str, int]) -> Target:
        labels = self._schema.labels
        target = Attribute(labels.attributes[0], "nominal", labels.values)
        i = position.get(target.name)
        codes: NDArray[np.generic] = np.full(relation.n_rows, -1)
        if i is not None:
            given, values = in_type_of(target, (relation.attributes[i], relation.columns[i]))
            if self._unknown_classes_as_missing:
                given, values = as_labels(given, values)
            as_missing = self._unknown_as_missing or self._unknown_classes_as_missing
            codes = self._conformed(given, values, target, as_missing)
        return Target(label_matrix(codes, len(labels.values)), has_labels=i is not None)

    def _conformed(
        self,
        given: Attribute,
        column: NDArray[np.generic],
        wanted: Attribute,
        as_missing: bool,
    ) -> NDArray[np.generic]:
        """Return a column in the codes of the attribute `wanted`; unknown labels are missing."""
        if given.type != wanted.type:
            raise DataError(
                f"attribute {wanted.name!r}: expected a {wanted.type} attribute as in training, "
                f"got a {given.type} one"
            )
        if wanted.type != "nominal" or given.values == wanted.values:
            return column
        known = {value: code for code, value in enumerate(wanted.values)}
        recoded = np.array([known.get(value, -2) for value in given.values] + [-1], np.int32)
        codes = recoded[column.astype(np.int64)]  # -1, missing, picks the last
        rows = np.flatnonzero(codes == -2)
        self._unknown.note(wanted, given.values, column, rows, as_missing=as_missing)
        codes[rows] = -1
        return codes
