"""Data sets as the learner sees them: coded columns, a label matrix and weights."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.arff.relation import Attribute
from widc_arff.arff.sparse import SparseColumns
from widc_arff.arff.stored_columns import StoredColumns
from widc_arff.data.label_sets import label_matrix_of, named_labels, without_meka_options
from widc_arff.data.new_columns import NewColumns
from widc_arff.data.rows import check_weights, label_matrix
from widc_arff.data.schema import Labels, Schema, require_usable
from widc_arff.tables.labels import find_attributes, find_class, names_ignored

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from widc_arff.arff.relation import Relation
    from widc_arff.arrays import Bools, Floats, Integers


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """Examples in columns.

    Parameters
    ----------
    schema : Schema
        Attributes and labels.
    columns : sequence of ndarray of shape (n_samples,)
        One per attribute: label indices with -1 for missing (nominal), or float64 with NaN for
        missing (numeric; dates in milliseconds since 1970, UTC).  A tuple, or of large data
        `StoredColumns`; of sparse rows `SparseColumns`.
    Y : ndarray of bool of shape (n_samples, n_classes)
        Label matrix.  A row without a class holds no True.
    weights : ndarray of float64 of shape (n_samples,)
        Non-negative weights.
    has_labels : bool
        Whether the source has a class column at all; for label sets all label columns.
    complete : ndarray of bool of shape (n_samples,), optional
        For label sets, the rows whose labels are all known. The other rows have no True in `Y`,
        like rows without labels.

    Examples
    --------
    >>> from widc_arff import Dataset, read_arff
    >>> dataset = Dataset.from_relation(read_arff("arff_data/iris.arff"), label="class")
    >>> dataset.n_samples, dataset.Y.shape, dataset.columns[0][:2]
    (150, (150, 3), array([5.1, 4.9]))
    """

    schema: Schema
    columns: Sequence[NDArray[np.generic]]
    Y: Bools
    weights: Floats
    has_labels: bool = True
    complete: Bools | None = None

    @property
    def n_samples(self) -> int:
        """Number of rows, those without a class included."""
        return len(self.weights)

    @property
    def classes(self) -> Integers:
        """Class index of each row, shape (n_samples,); -1 where the class is missing."""
        return np.where(self.Y.any(axis=1), self.Y.argmax(axis=1), -1)

    @property
    def labelled(self) -> Bools:
        """Which rows have a class, or a label set that is known, shape (n_samples,)."""
        return np.asarray(self.Y.any(axis=1)) if self.complete is None else self.complete

    @classmethod
    def from_relation(
        cls,
        relation: Relation,
        label: str = "last",
        ignore: Sequence[str] = (),
        *,
        labels: Sequence[str] | None = None,
        counts: bool = False,
    ) -> Dataset:
        """Return the examples of a relation.

        Parameters
        ----------
        relation : Relation
            As `read_arff` returns it.
        label : str
            Class attribute: its name, ``first``, ``last``, or a number counted from 1.
        ignore : sequence of str
            Attributes to leave out: names, lists and patterns, as `names_ignored` takes them.
        labels : sequence of str, optional
            Label attributes, two or more: each example has a set of labels, and `label` is not
            used.  `widc_arff.data.label_sets` reads them from MEKA names and MULAN's XML.
        counts : bool
            Accept label attributes that hold counts: 0 means absent, more means present.

        Raises
        ------
        DataError
            If the class attribute is not there or not nominal, if a label is not there or not
            binary, if a string or relational attribute is in use, or a weight is out of range.
        """
        check_weights(relation.weights)
        names_there = [attribute.name for attribute in relation.attributes]
        complete = None
        if labels is not None:
            names = named_labels(relation, labels)
            wanted = Labels("multi", names, names)
            targets = set(find_attributes(relation.attributes, names, "labels"))
            Y, complete = label_matrix_of(relation, names, counts=counts)
        else:
            target = find_class(relation.attributes, label)
            class_attribute = relation.attributes[target]
            wanted = Labels("single", (class_attribute.name,), class_attribute.values)
            targets = {target}
            Y = label_matrix(relation.columns[target], len(wanted.values))
        what = "labels" if labels else "class"
        left_out = set(names_ignored(names_there, ignore, wanted.attributes, what))
        used = [
            i for i, name in enumerate(names_there) if i not in targets and name not in left_out
        ]
        relation = _without_empty_texts(relation, used)
        require_usable([relation.attributes[i] for i in used])
        schema = Schema(
            relation.name if labels is None else without_meka_options(relation.name),
            tuple(replace(relation.attributes[i], weight=1.0) for i in used),
            wanted,
        )
        return cls(schema, relation.chosen(used), Y, relation.weights, complete=complete)

    @classmethod
    def for_schema(
        cls,
        relation: Relation,
        schema: Schema,
        needed: Collection[int] | None = None,
        *,
        unknown_as_missing: bool = False,
        unknown_classes_as_missing: bool = False,
        counts: bool = False,
    ) -> Dataset:
        """Return new examples in the columns of a given schema, matched by name and label text.

        Parameters
        ----------
        relation : Relation
            Any order of columns; extra columns are ignored.
        schema : Schema
            As a committee holds it.
        needed : collection of int, optional
            Indices of the attributes that must be there; by default all.  The others are missing in
            every row, whether they are there or not.
        unknown_as_missing : bool
            Treat labels that the schema does not know as missing, with a warning that counts the
            rows.
        unknown_classes_as_missing : bool
            Treat a class that the schema does not know as missing, whatever its type, and a label
            of a set that is neither present nor absent: rows need no class to be scored.
        counts : bool
            As in `from_relation`; for label sets only.

        Raises
        ------
        DataError
            If a needed column is absent or has another type, or a label of a needed column or of
            the class is unknown.
        """
        pieces = cls.pieces_for_schema(
            [relation],
            schema,
            needed,
            unknown_as_missing=unknown_as_missing,
            unknown_classes_as_missing=unknown_classes_as_missing,
            counts=counts,
        )
        ((_, dataset),) = pieces
        return dataset

    @classmethod
    def pieces_for_schema(
        cls,
        relations: Iterable[Relation],
        schema: Schema,
        needed: Collection[int] | None = None,
        *,
        unknown_as_missing: bool = False,
        unknown_classes_as_missing: bool = False,
        counts: bool = False,
    ) -> Iterator[tuple[Relation, Dataset]]:
        """Yield each piece of new data with its examples; all else is as in `for_schema`.

        Unknown labels are counted over all pieces; the error or warning comes after the last one.
        """
        new = NewColumns(
            schema,
            needed,
            unknown_as_missing=unknown_as_missing,
            unknown_classes_as_missing=unknown_classes_as_missing,
            counts=counts,
        )
        for relation in relations:
            columns, target = new.of(relation)
            yield relation, cls(schema, columns, target.Y, relation.weights, *target[1:])
        new.settle()

    def parts(self, n_rows: int = 4096) -> Iterator[Dataset]:
        """Yield the examples in order, `n_rows` at a time."""
        for start in range(0, self.n_samples, n_rows):
            yield self.take(np.arange(start, min(start + n_rows, self.n_samples)))

    def take(self, rows: NDArray[np.generic]) -> Dataset:
        """Return the examples of some rows, given as indices or as a mask."""
        columns: Sequence[NDArray[np.generic]]
        if isinstance(self.columns, StoredColumns | SparseColumns):
            columns = self.columns.take(rows)
        else:
            columns = tuple(column[rows] for column in self.columns)
        return replace(
            self,
            columns=columns,
            Y=self.Y[rows],
            weights=self.weights[rows],
            complete=None if self.complete is None else self.complete[rows],
        )


def _without_empty_texts(relation: Relation, used: Iterable[int]) -> Relation:
    """Return a relation in which used string attributes without any text are numeric, as in CSV."""
    if not isinstance(relation.columns, tuple):
        return relation
    attributes, columns = list(relation.attributes), list(relation.columns)
    for i in used:
        attribute = attributes[i]
        if attribute.type == "string" and all(value is None for value in columns[i]):
            attributes[i] = Attribute(attribute.name, "numeric", weight=attribute.weight)
            columns[i] = np.full(relation.n_rows, np.nan)
    if tuple(attributes) == relation.attributes:
        return relation
    return replace(relation, attributes=tuple(attributes), columns=tuple(columns))
