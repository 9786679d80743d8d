"""What an ARFF file holds: attributes, and a column of values for each.

The columns are arrays as described in `widc_arff.arff.columns`; `Relation.rows` gives them as
Python values.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from itertools import chain
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from widc_arff.arff import columns as _columns
from widc_arff.arff.dates import DEFAULT_FORMAT, DateFormat
from widc_arff.arff.sparse import SparseColumns
from widc_arff.arff.stored_columns import ColumnFile, StoredColumns
from widc_arff.arrays import equal_weights, joined_weights
from widc_arff.errors import ArffError, did_you_mean, first_repeated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from widc_arff.arff.columns import Column

AttributeType = Literal["numeric", "nominal", "string", "date", "relational"]

_CELLS_AT_A_TIME = 1 << 18
_MADE = (SparseColumns, StoredColumns)
"""Columns that are made, or read, whenever they are used."""
_LIAC_TYPES: dict[str, AttributeType] = {
    "REAL": "numeric",
    "NUMERIC": "numeric",
    "INTEGER": "numeric",
    "STRING": "string",
}


@dataclass(frozen=True, slots=True)
class Attribute:
    """The declaration of an attribute.

    Parameters
    ----------
    name : str
        Its name.
    type : {"numeric", "nominal", "string", "date", "relational"}
        Its type; ``real`` and ``integer`` are numeric.
    values : tuple of str
        The labels of a nominal attribute, in the order of their declaration.
    format : str or None
        The format of a date attribute, in Java's letters; None: ``yyyy-MM-dd'T'HH:mm:ss``.
    weight : float
        Weka's attribute weight; 1 where the file gives none.
    attributes : tuple of Attribute
        Of a relational attribute: the attributes of the relations that are its values.
    order : tuple of str or None
        The ordered labels of a nominal attribute; None if they have no order. Attributes that
        differ only in this are equal: they hold the same values.

    Raises
    ------
    ArffError
        If the parts contradict one another, or the format is not understood.

    Examples
    --------
    >>> Attribute("outlook", "nominal", ("sunny", "overcast", "rainy")).values
    ('sunny', 'overcast', 'rainy')
    """

    name: str
    type: AttributeType
    values: tuple[str, ...] = ()
    format: str | None = None
    weight: float = 1.0
    attributes: tuple[Attribute, ...] = ()
    order: tuple[str, ...] | None = dataclasses.field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.type not in get_args(AttributeType):
            kinds = ", ".join(get_args(AttributeType))
            hint = did_you_mean(str(self.type), get_args(AttributeType))
            raise ArffError(f"attribute {self.name!r}: no type {self.type!r}; use {kinds}{hint}")
        for field, owner in _OWNERS.items():
            if getattr(self, field) and self.type != owner:
                raise ArffError(f"attribute {self.name!r}: {field} of a {self.type} attribute")
        if math.isnan(self.weight):
            raise ArffError(f"attribute {self.name!r}: the weight is not a number")
        repeated = first_repeated(self.values)
        if repeated is not None:
            raise ArffError(f"attribute {self.name!r}: the label {repeated!r} occurs twice")
        check_names(self.attributes)
        if self.type == "date":
            self.date_format()

    def date_format(self) -> DateFormat:
        """Return the compiled format of a date attribute."""
        try:
            return DateFormat(self.format or DEFAULT_FORMAT)
        except ValueError as error:
            raise ArffError(
                f"attribute {self.name!r}: date format {self.format!r}: {error}"
            ) from error


_OWNERS = {"values": "nominal", "format": "date", "attributes": "relational"}


def check_names(attributes: Sequence[Attribute]) -> None:
    """Raise an `ArffError` if two attributes have one name."""
    repeated = first_repeated([attribute.name for attribute in attributes])
    if repeated is not None:
        raise ArffError(f"attribute names are not unique: {repeated!r} occurs twice")


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    """A table with declared columns and a weight for each row.

    Parameters
    ----------
    name : str
        Its name.
    attributes : tuple of Attribute
        The declarations.
    columns : sequence of ndarray of shape (n_rows,)
        One array per attribute, held as read-only views.  `SparseColumns`, for sparse rows, build a
        column each time it is used; `StoredColumns`, for large tables, read it each time.
    weights : ndarray of shape (n_rows,), float64
        The weights of the rows, zero or more.

    Raises
    ------
    ArffError
        If columns and attributes do not fit together.

    Examples
    --------
    >>> from widc_arff import Attribute
    >>> relation = Relation.from_rows("r", (Attribute("x", "numeric"),), [[1.5], [None]])
    >>> relation.columns[0]
    array([1.5, nan])
    """

    name: str
    attributes: tuple[Attribute, ...]
    columns: Sequence[Column]
    weights: Column

    def __post_init__(self) -> None:
        check_names(self.attributes)
        if len(self.columns) != len(self.attributes):
            raise ArffError(
                f"{len(self.attributes)} attributes need as many columns, got {len(self.columns)}"
            )
        weights = np.asarray(self.weights, np.float64)
        if not (np.isfinite(weights) & (weights >= 0)).all():
            raise ArffError("weights must be finite and zero or more")
        if not isinstance(self.columns, _MADE):  # which a reader checked
            held = tuple(
                _checked(attribute, np.asarray(column), len(weights))
                for attribute, column in zip(self.attributes, self.columns, strict=True)
            )
            object.__setattr__(self, "columns", held)
        weights = equal_weights(len(weights)) if (weights == 1).all() else weights.view()
        weights.flags.writeable = False
        object.__setattr__(self, "attributes", tuple(self.attributes))
        object.__setattr__(self, "weights", weights)

    def __len__(self) -> int:
        return len(self.weights)

    def __repr__(self) -> str:
        return f"<Relation {self.name!r}: {len(self)} rows, {len(self.attributes)} attributes>"

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.weights)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows as tuples.

        Yields
        ------
        tuple
            str for nominal and string, float for numeric, milliseconds from 1970-01-01 UTC (float)
            for dates, Relation for relational attributes, None for a missing value.
        """
        for columns, _ in self.parts():
            yield from zip(*map(_columns.cells, self.attributes, columns), strict=True)

    def parts(self) -> Iterator[tuple[Sequence[Column], Column]]:
        """Yield the columns and weights of some rows at a time."""
        n_rows = max(1, _CELLS_AT_A_TIME // max(1, len(self.attributes)))
        for start in range(0, len(self), n_rows):
            stop = start + n_rows
            yield self._part(start, stop), self.weights[start:stop]

    def _part(self, start: int, stop: int) -> Sequence[Column]:
        if isinstance(self.columns, _MADE):
            return self.columns.part(start, stop)
        return tuple(column[start:stop] for column in self.columns)

    def pieces(self, most_cells: int) -> Iterator[Relation]:
        """Yield the rows in pieces of about `most_cells` values if they are in a file, else all."""
        if not isinstance(self.columns, StoredColumns):
            yield self
            return
        n_rows = max(1, most_cells // max(1, len(self.attributes)))
        for start in range(0, len(self), n_rows):
            yield self.between(start, start + n_rows)

    def between(self, start: int, stop: int) -> Relation:
        """Return the rows from `start` to before `stop`."""
        columns = self._part(start, stop)
        return dataclasses.replace(self, columns=columns, weights=self.weights[start:stop])

    def with_columns_of(self, other: Relation, names: Sequence[str]) -> Relation:
        """Return the relation with the attributes `names` replaced by those of another relation."""
        theirs = {attribute.name: i for i, attribute in enumerate(other.attributes)}
        attributes, columns = list(self.attributes), list(self.columns)
        for i, attribute in enumerate(self.attributes):
            if attribute.name in names:
                place = theirs[attribute.name]
                attributes[i], columns[i] = other.attributes[place], other.columns[place]
        return dataclasses.replace(self, attributes=tuple(attributes), columns=tuple(columns))

    def chosen(self, indices: Sequence[int]) -> Sequence[Column]:
        """Return some of the columns; those of sparse rows and of files are made when used."""
        if isinstance(self.columns, _MADE):
            return self.columns.chosen(indices)
        return tuple(self.columns[i] for i in indices)

    @classmethod
    def without_rows(cls, name: str, attributes: tuple[Attribute, ...]) -> Relation:
        """Return a relation that declares attributes and has no rows."""
        kinds = {"nominal": np.int16, "numeric": np.float64, "date": np.float64}
        columns = tuple(np.empty(0, kinds.get(x.type, np.object_)) for x in attributes)
        return cls(name, attributes, columns, np.empty(0))

    @classmethod
    def joined(cls, pieces: Sequence[Relation]) -> Relation:
        """Join one or more relations with the same attributes, row after row."""
        if len(pieces) == 1:
            return pieces[0]
        columns = zip(*(piece.columns for piece in pieces), strict=True)
        weights = joined_weights([piece.weights for piece in pieces])
        first = pieces[0]
        return cls(first.name, first.attributes, tuple(map(np.concatenate, columns)), weights)

    @classmethod
    def stored(cls, pieces: Iterable[Relation]) -> Relation:
        """Join one or more relations; a temporary file holds the columns.

        A single relation is returned as it is.
        """
        ordered = iter(pieces)
        first = next(ordered)
        second = next(ordered, None)
        if second is None:
            return first
        file, weights = ColumnFile(), []
        name, attributes = first.name, first.attributes
        ordered = chain([first, second], ordered)
        del first, second
        for piece in ordered:
            file.append(piece.columns)
            weights.append(piece.weights)
            del piece
        return cls(name, attributes, StoredColumns(file), joined_weights(weights))

    def equals(self, other: Relation) -> bool:
        """Return whether `other` has the same name, attributes, values and weights.

        Missing equals missing.  The names of relations that are values do not matter, since a
        file has no place for them.
        """
        return self.name == other.name and self.has_same_rows(other)

    def has_same_rows(self, other: Relation) -> bool:
        """Return whether `other` has the same attributes, values and weights."""
        return (
            self.attributes == other.attributes
            and np.array_equal(self.weights, other.weights)
            and all(map(_columns.has_same_values, self.attributes, self.columns, other.columns))
        )

    @classmethod
    def from_rows(
        cls,
        name: str,
        attributes: Sequence[Attribute],
        rows: Iterable[Sequence[Any]],
        weights: Sequence[float] | Column | None = None,
    ) -> Relation:
        """Return a relation of `rows`, with values as `rows` yields them.

        Parameters
        ----------
        name : str
            Name of the relation.
        attributes : sequence of Attribute
            The declarations.
        rows : iterable of sequences
            The values of each row; None, or NaN for numbers, is missing.
        weights : sequence of float, or None
            Weights of the rows; None: all 1.

        Returns
        -------
        Relation

        Raises
        ------
        ArffError
            If a value does not fit its attribute; rows are counted from 1.
        """
        converters = [_converter(attribute) for attribute in attributes]
        values: list[list[Any]] = [[] for _ in attributes]
        n_rows = 0
        for n_rows, row in enumerate(rows, start=1):
            if len(row) != len(attributes):
                raise ArffError(f"row {n_rows}: expected {len(attributes)} values, got {len(row)}")
            for attribute, convert, value, column in zip(
                attributes, converters, row, values, strict=True
            ):
                try:
                    column.append(convert(value))
                except (TypeError, ValueError, OverflowError) as error:
                    raise ArffError(
                        f"row {n_rows}, attribute {attribute.name!r}: {error}"
                    ) from error
        held = [
            _columns.packed(attribute, column)
            for attribute, column in zip(attributes, values, strict=True)
        ]
        if weights is None:
            weights = np.ones(n_rows)
        if len(weights) != n_rows:
            raise ArffError(f"{n_rows} rows need as many weights, got {len(weights)}")
        return cls(name, tuple(attributes), tuple(held), np.asarray(weights, np.float64))

    @classmethod
    def from_liac(cls, document: Mapping[str, Any]) -> Relation:
        """Return the relation in a dictionary of liac-arff, which OpenML's tools use.

        Parameters
        ----------
        document : mapping
            Keys ``relation``, ``attributes`` and ``data``; the data dense, as a list of
            dictionaries (``LOD``) or as three lists (``COO``).  A cell that sparse data leave out
            is zero or the first label.

        Returns
        -------
        Relation

        Raises
        ------
        ArffError
            If something is missing or of another type.
        """
        missing = [key for key in ("relation", "attributes", "data") if key not in document]
        if missing:
            raise ArffError(f"not a dictionary of liac-arff: it has no {missing[0]!r}")
        attributes = [_from_liac_attribute(*pair) for pair in document["attributes"]]
        return cls.from_rows(
            document["relation"], attributes, _from_liac_rows(document["data"], attributes)
        )

    def to_liac(self) -> dict[str, Any]:
        """Return a dictionary of liac-arff with dense data.

        Dates become texts in their format.

        Raises
        ------
        ArffError
            If there are relational attributes or weights other than 1, which liac-arff does not
            support.
        """
        for attribute in self.attributes:
            if attribute.type == "relational":
                raise ArffError(
                    f"liac-arff has no relational attributes; {attribute.name!r} would be lost"
                )
            if attribute.weight != 1:
                raise ArffError(
                    f"liac-arff has no weights; that of attribute {attribute.name!r} would be lost"
                )
        if (self.weights != 1).any():
            row = int(np.flatnonzero(self.weights != 1)[0]) + 1
            raise ArffError(f"liac-arff has no weights; that of row {row} would be lost")
        values = [
            _to_liac_values(attribute, column)
            for attribute, column in zip(self.attributes, self.columns, strict=True)
        ]
        return {
            "description": "",
            "relation": self.name,
            "attributes": [_to_liac_attribute(attribute) for attribute in self.attributes],
            "data": [list(row) for row in zip(*values, strict=True)],
        }


def _checked(attribute: Attribute, column: Column, n_rows: int) -> Column:
    fault = _columns.fault_of(attribute, column)
    if not fault and len(column) != n_rows:
        fault = f"{n_rows} weights need as many values, got {len(column)}"
    if not fault and attribute.type == "relational":
        fault = _fault_of_relations(attribute, column)
    if fault:
        raise ArffError(f"column of attribute {attribute.name!r}: {fault}")
    return _columns.read_only(attribute, column)


def _fault_of_relations(attribute: Attribute, column: Column) -> str:
    for value in column:
        if value is not None and not isinstance(value, Relation):
            return "relations or None are needed"
        if value is not None and value.attributes != attribute.attributes:
            return "a relational value does not have the declared attributes"
    return ""


class _Converter:
    """Turns the value of a cell into what the column of `attribute` holds, or raises."""

    def __init__(self, attribute: Attribute) -> None:
        self._attribute = attribute
        self._codes = {label: code for code, label in enumerate(attribute.values)}

    def number(self, value: Any) -> float:  # noqa: ANN401 - anything may stand in a cell
        if value is None:
            return math.nan
        if isinstance(value, Real):
            return float(value)
        raise TypeError(f"expected a number, got {value!r}")

    def code(self, value: Any) -> int:  # noqa: ANN401
        if value is None:
            return -1
        if not isinstance(value, str):
            raise TypeError(f"expected a label (text), got {value!r}")
        if value not in self._codes:
            hint = did_you_mean(value, self._attribute.values)
            raise ValueError(f"{value!r} is not a label of the attribute{hint}")
        return self._codes[value]

    def text(self, value: Any) -> str | None:  # noqa: ANN401
        if value is None or isinstance(value, str):
            return value
        raise TypeError(f"expected a text, got {value!r}")

    def relation(self, value: Any) -> Relation | None:  # noqa: ANN401
        if value is None or isinstance(value, Relation):
            return value
        raise TypeError(f"expected a Relation, got {value!r}")


def _converter(attribute: Attribute) -> Any:  # noqa: ANN401 - a method of _Converter
    converter = _Converter(attribute)
    return {
        "numeric": converter.number,
        "date": converter.number,
        "nominal": converter.code,
        "string": converter.text,
        "relational": converter.relation,
    }[attribute.type]


def _from_liac_attribute(name: str, kind: str | Sequence[str]) -> Attribute:
    if not isinstance(kind, str):
        strange = next((label for label in kind if not isinstance(label, str)), None)
        if strange is not None:
            raise ArffError(f"attribute {name!r}: labels are texts, got {strange!r}")
        return Attribute(name, "nominal", tuple(kind))
    if kind.upper() not in _LIAC_TYPES:
        raise ArffError(
            f"attribute {name!r}: liac-arff has no type {kind!r}"
            + did_you_mean(kind.upper(), _LIAC_TYPES)
        )
    return Attribute(name, _LIAC_TYPES[kind.upper()])


def _from_liac_rows(data: Any, attributes: Sequence[Attribute]) -> Iterable[Sequence[Any]]:  # noqa: ANN401
    """Return dense rows of the three kinds of data that liac-arff gives."""
    if isinstance(data, tuple) and len(data) == 3:
        by_row: list[dict[int, Any]] = [{} for _ in range(max(data[1], default=-1) + 1)]
        for value, row, column in zip(*data, strict=True):
            by_row[row][column] = value
        data = by_row
    return [
        _filled(row, attributes, number) if isinstance(row, dict) else row
        for number, row in enumerate(data, start=1)
    ]


def _filled(row: Mapping[int, Any], attributes: Sequence[Attribute], number: int) -> list[Any]:
    """Return a dense row; what a sparse row leaves out is zero or the first label."""
    strange = next((index for index in row if not 0 <= index < len(attributes)), None)
    if strange is not None:
        raise ArffError(f"row {number}: there is no attribute {strange}; indices start at 0")
    cells = []
    for index, attribute in enumerate(attributes):
        if index in row:
            cells.append(row[index])
        elif attribute.type == "numeric":
            cells.append(0.0)
        elif attribute.values:
            cells.append(attribute.values[0])
        else:
            raise ArffError(
                f"row {number}: expected a value of {attribute.name!r}, got a sparse row without "
                f"one, which stands for 0: a {attribute.type} attribute has no 0"
            )
    return cells


def _to_liac_attribute(attribute: Attribute) -> tuple[str, str | list[str]]:
    if attribute.type == "nominal":
        return attribute.name, list(attribute.values)
    return attribute.name, "NUMERIC" if attribute.type == "numeric" else "STRING"


def _to_liac_values(attribute: Attribute, column: Column) -> list[Any]:
    values = _columns.cells(attribute, column)
    if attribute.type != "date":
        return values
    date_format = attribute.date_format()
    try:
        return [None if value is None else date_format.format(value) for value in values]
    except ValueError as error:
        raise ArffError(f"attribute {attribute.name!r}: {error}") from error
