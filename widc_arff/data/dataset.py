"""Data sets as the learner sees them: coded columns, a label matrix and weights."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.arff.relation import Attribute
from widc_arff.arff.sparse import SparseColumns
from widc_arff.arff.stored_columns import StoredColumns
from widc_arff.data.label_sets import label_matrix_of, named_labels
from widc_arff.data.unknown_labels import as_labels, rows_in_words, unknown_in, warn_of_unknown
from widc_arff.errors import DataError, OptionError, did_you_mean, listed
from widc_arff.tables.conforming import in_type_of
from widc_arff.tables.labels import find_attributes, find_class, names_ignored
from widc_arff.tolerance import LARGEST_WEIGHT, LEAST_WEIGHT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from widc_arff.arff.relation import Relation
    from widc_arff.arrays import Bools, Floats, Integers


_MOST_NAMED = 20
_LONGEST_OPTION = 1000
COUNTED_FROM_0 = " (counted from 0)"
"""Behind the number of a row where data come from Python, not from a file."""


@dataclass(frozen=True, slots=True)
class Labels:
    """The classes that a committee votes on.

    Parameters
    ----------
    kind : {"single", "multi"}
        Whether each example has one class, or a set of labels.
    attributes : tuple of str
        Name of the class attribute; for label sets the label attributes.
    values : tuple of str
        The declared labels, in the order of the header; for label sets the names of the label
        attributes again.
    type : str
        What the labels were in Python, for label sets what is absent and present, as
        `widc_arff.data.label_types` names it; nothing for texts.
    """

    kind: str
    attributes: tuple[str, ...]
    values: tuple[str, ...]
    type: str = ""

    @property
    def are_sets(self) -> bool:
        """Whether an example can have any number of labels."""
        return self.kind == "multi"

    def index(self, label: str, option: str = "") -> int:
        """Return the index of a label of the class, which stands in an option.

        Raises
        ------
        OptionError
            If there is no such label.
        """
        if label not in self.values:
            raise OptionError(
                f"expected a label of {self.attributes[0]!r} ({listed(self.values)}), got "
                f"{label!r}" + did_you_mean(label, self.values),
                option=option,
            )
        return self.values.index(label)


@dataclass(frozen=True, slots=True)
class Schema:
    """What a committee must know about the data: attributes and labels.

    Of attributes that its rules do not test, a committee knows only the names; they are string
    attributes (`brief`).

    Examples
    --------
    >>> from widc_arff import read_dataset
    >>> schema = read_dataset("arff_data/iris.arff").schema
    >>> [attribute.name for attribute in schema.attributes][-1], schema.n_classes
    ('petal_width', 3)
    """

    relation: str
    attributes: tuple[Attribute, ...]
    labels: Labels

    @property
    def n_classes(self) -> int:
        """Number of declared labels."""
        return len(self.labels.values)

    @property
    def declared(self) -> dict[str, Attribute]:
        """The attributes that rules can test by name, and the class; labels of sets are not."""
        declared = {
            attribute.name: attribute for attribute in self.attributes if is_usable(attribute)
        }
        if not self.labels.are_sets:
            name = self.labels.attributes[0]
            declared[name] = Attribute(name, "nominal", self.labels.values)
        return declared

    def brief(self, used: Collection[int]) -> Schema:
        """Return the schema without what is known of attributes that are not in use."""
        return replace(
            self,
            attributes=tuple(
                attribute if i in used else Attribute(attribute.name, "string")
                for i, attribute in enumerate(self.attributes)
            ),
        )


class Positions:
    """Where attributes and their labels stand, found by their texts however many there are.

    Parameters
    ----------
    attributes : sequence of Attribute
        With different names.
    """

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self._attributes = attributes
        self.attribute = {attribute.name: i for i, attribute in enumerate(attributes)}
        self._codes: dict[int, dict[str, int]] = {}

    def code(self, attribute: int, label: object) -> int | None:
        """Return the code of a label of a nominal attribute; None if it has no such label."""
        if attribute not in self._codes:
            values = self._attributes[attribute].values
            self._codes[attribute] = {value: code for code, value in enumerate(values)}
        return self._codes[attribute].get(label) if isinstance(label, str) else None


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
            Take labels that count something: 0 is absent, more is present.

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
            relation.name,
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
            Any order of columns; extra columns are passed over.
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
        check_weights(relation.weights)
        position = {attribute.name: i for i, attribute in enumerate(relation.attributes)}
        # of attributes that no rule tests a model file has the names alone
        known = [i for i, attribute in enumerate(schema.attributes) if is_usable(attribute)]
        required = frozenset(known if needed is None else needed)
        absent = [schema.attributes[i].name for i in sorted(required)]
        absent = [name for name in absent if name not in position]
        if absent:
            own = {attribute.name for attribute in schema.attributes} | {*schema.labels.attributes}
            others = [name for name in position if name not in own]  # the rest have their place
            advice = f"; train with {ignoring_names(absent)} for a model that does without"
            if not any(attribute.name in position for attribute in schema.attributes):
                advice = f": these look like other data than {schema.relation!r}"
            raise DataError(
                f"expected the attribute{'s' if len(absent) > 1 else ''} "
                f"{listed(absent)}, which the rules use; got no such "
                f"column in {relation.name!r}" + (did_you_mean(absent[0], others) or advice)
            )
        unused = (np.full(relation.n_rows, -1, np.int8), np.full(relation.n_rows, np.nan))
        columns: list[NDArray[np.generic]] = []
        for place, attribute in enumerate(schema.attributes):
            i = position.get(attribute.name)
            column = unused[attribute.type != "nominal"]
            if i is not None and place in required:
                given, values = in_type_of(attribute, (relation.attributes[i], relation.columns[i]))
                _require_same_type(given, attribute)
                column = _conform(given, values, attribute, unknown_as_missing=unknown_as_missing)
            columns.append(column)
        if schema.labels.are_sets:
            names = schema.labels.attributes
            has_labels = position.keys() >= set(names)
            Y = np.zeros((relation.n_rows, len(names)), np.bool_)
            complete = np.zeros(relation.n_rows, np.bool_)
            if has_labels:
                Y, complete = label_matrix_of(
                    relation, names, counts=counts, unknown_as_missing=unknown_classes_as_missing
                )
            return cls(schema, tuple(columns), Y, relation.weights, has_labels, complete)
        name = schema.labels.attributes[0]
        target = Attribute(name, "nominal", schema.labels.values)
        has_labels = name in position
        codes = np.full(relation.n_rows, -1)
        if has_labels:
            i = position[name]
            given, values = in_type_of(target, (relation.attributes[i], relation.columns[i]))
            as_missing = unknown_as_missing or unknown_classes_as_missing
            if given.type != "nominal" and unknown_classes_as_missing:
                given, values = as_labels(given, values)
            _require_same_type(given, target)
            codes = _conform(given, values, target, unknown_as_missing=as_missing)
        return cls(
            schema,
            tuple(columns),
            label_matrix(codes, schema.n_classes),
            relation.weights,
            has_labels,
        )

    def parts(self, n_rows: int = 4096) -> Iterator[Dataset]:
        """Yield the examples in their order, so many at a time."""
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


def check_weights(weights: Floats, *, what: str = "", first_row: int = 1) -> None:
    """Check the weights of rows.

    Parameters
    ----------
    weights : ndarray of float64 of shape (n_samples,)
        One for each row.
    what : str
        Begins the message.
    first_row : {1, 0}
        Number of the first row in messages.

    Raises
    ------
    DataError
        If one is negative, not finite, or so small or large that sums and products would not hold.
    """
    in_range = (weights >= LEAST_WEIGHT) & (weights <= LARGEST_WEIGHT)
    bad = np.flatnonzero(~(in_range | (weights == 0)))
    if len(bad):
        raise DataError(
            f"{what}expected weights of 0 or from {LEAST_WEIGHT} to {LARGEST_WEIGHT}, got "
            f"{float(weights[bad[0]])!r} in row {bad[0] + first_row}"
            + ("" if first_row else COUNTED_FROM_0)
        )


def label_matrix(codes: NDArray[np.generic], n_classes: int) -> Bools:
    """Return the 0/1 matrix of shape (n_samples, n_classes) of class codes, -1 for missing."""
    return np.asarray(codes[:, None] == np.arange(n_classes)[None, :])


def is_usable(attribute: Attribute) -> bool:
    """Tell whether there are literals for the type of an attribute."""
    return attribute.type not in ("string", "relational")


def require_usable(attributes: Sequence[Attribute]) -> None:
    """Refuse attributes that no literal can test, all at once.

    Raises
    ------
    DataError
        The message has the option that leaves them out.
    """
    unusable = [attribute for attribute in attributes if not is_usable(attribute)]
    if not unusable:
        return
    advice = f"leave {'it' if len(unusable) == 1 else 'them'} out with {ignoring(unusable)}"
    if all(attribute.type == "string" for attribute in unusable):
        advice += ", or take texts as labels with --nominal NAME"
    if len(unusable) == 1:
        raise DataError(
            f"attribute {unusable[0].name!r}: expected a nominal, numeric or date attribute, got a "
            f"{unusable[0].type} one; {advice}"
        )
    types = " and ".join(sorted({attribute.type for attribute in unusable}))
    names = ", ".join(repr(attribute.name) for attribute in unusable[:_MOST_NAMED])
    if len(unusable) > _MOST_NAMED:
        names += f", ... ({len(unusable)} in all)"
    raise DataError(
        f"attributes {names}: expected nominal, numeric or date attributes, got {types} ones; "
        f"{advice}"
    )


def ignoring(attributes: Iterable[Attribute]) -> str:
    """Return the option that leaves attributes out, quoted for a shell; of very many its form."""
    return ignoring_names([attribute.name for attribute in attributes])


def ignoring_names(names: Sequence[str]) -> str:
    """Return the option that leaves attributes of some names out."""
    text = ",".join(names)
    if len(text) > _LONGEST_OPTION:
        return "--ignore 'NAME,NAME,...', also with patterns such as 'id*'"
    if text.isprintable():
        return "--ignore '" + text.replace("'", "'\\''") + "'"
    letters = text.replace("\\", "\\\\").replace("'", "\\'")
    plain = [c if c.isprintable() else c.encode("unicode_escape").decode() for c in letters]
    return f"--ignore $'{''.join(plain)}'"


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


def _require_same_type(given: Attribute, wanted: Attribute) -> None:
    if given.type != wanted.type:
        raise DataError(
            f"attribute {wanted.name!r}: expected a {wanted.type} attribute as in training, "
            f"got a {given.type} one"
        )


def _conform(
    given: Attribute,
    column: NDArray[np.generic],
    wanted: Attribute,
    *,
    unknown_as_missing: bool,
) -> NDArray[np.generic]:
    """Return a column in the codes of the attribute `wanted`, which has the same type."""
    if wanted.type != "nominal" or given.values == wanted.values:
        return column
    known = {value: code for code, value in enumerate(wanted.values)}
    recoded = np.array([known.get(value, -2) for value in given.values] + [-1], np.int32)
    codes = recoded[column.astype(np.int64)]  # -1, missing, picks the last
    rows = np.flatnonzero(codes == -2)
    if len(rows) == 0:
        return codes
    found = unknown_in(given.values, column, rows)
    if not unknown_as_missing:
        raise DataError(
            f"attribute {wanted.name!r}: expected a label that was declared in training "
            f"({listed(wanted.values)}), got {found} in {rows_in_words(rows)}; "
            "--unknown-as-missing treats such labels as missing"
        )
    warn_of_unknown(wanted.name, found, rows)
    codes[rows] = -1
    return codes
