"""What the columns of a table are used for, and the relation that they become."""

from __future__ import annotations

import warnings
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from widc_arff.arff.relation import Attribute, Relation
from widc_arff.arff.stored_columns import ColumnFile, StoredColumns
from widc_arff.arrays import equal_weights
from widc_arff.errors import DataError, TableError, WidcWarning, counted_in_words
from widc_arff.tables.labels import class_index, index_of, names_meant

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Floats
    from widc_arff.tables.cells import Origin

    Column = tuple[Attribute, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class TableOptions:
    """How tables are read, as `read_data` takes it.

    With `widen` numbers of single precision are the doubles of the same value, as models of the
    versions 1 and 2 take them, and not those of the same decimal.  About `chunk_size` bytes of CSV
    are parsed at once, by default `widc_arff.arff.chunks.CHUNK_SIZE`.  Up to `most_texts` distinct
    texts of a column of CSV are all held in memory, whatever they are.
    """

    encoding: str = "utf-8"
    target: str | None = None
    ignore: Sequence[str] = ()
    nominal: Sequence[str] = ()
    texts: Sequence[str] = ()
    lists: str | None = None
    declared: Mapping[str, Attribute] | None = None
    used: Collection[str] | None = None
    decimal: str = "."
    thousands: str = ""
    dates: Sequence[str] = ()
    header: bool = True
    weights: str | None = None
    widen: bool = False
    chunk_size: int | None = None
    most_texts: int = 1 << 10


class Use(Enum):
    """What a column is used for."""

    CLASS = auto()
    NOMINAL = auto()
    INFERRED = auto()
    DECLARED = auto()
    """In the type of an attribute of a model."""
    KEPT = auto()
    """Beside a model: as its texts are, as texts where numbers or dates would lose something."""
    TEXTS = auto()
    LISTS = auto()
    """Each cell lists labels."""
    WEIGHTS = auto()
    UNUSED = auto()


class _RawColumn(Protocol):
    """A column that has not got its type yet."""

    @property
    def name(self) -> str: ...
    def inferred(self) -> Column: ...
    def as_class(self) -> Column: ...
    def as_nominal(self) -> Column: ...
    def as_declared(self, wanted: Attribute) -> Column: ...
    def as_kept(self) -> Column: ...
    def as_texts(self) -> Column: ...
    def as_lists(self) -> Column: ...


def uses_of(names: Sequence[str], options: TableOptions) -> dict[str, Use]:
    """Return what each column of a table is used for.

    Raises
    ------
    DataError
        If a name or a number that the options have is that of no column.
    """
    if options.declared is not None:
        uses = {name: _use_with_model(name, options) for name in names}
        if options.weights is not None:
            uses[names[index_of(names, options.weights, "weights")]] = Use.WEIGHTS
        return uses
    ignored = set(names_meant(names, options.ignore, "ignore"))
    nominal = {names[index_of(names, name, "nominal")] for name in options.nominal}
    target = None if options.target is None else names[class_index(names, options.target)]
    uses = dict.fromkeys(names, Use.INFERRED)
    uses |= dict.fromkeys(nominal, Use.NOMINAL)
    uses |= dict.fromkeys(ignored, Use.UNUSED)
    uses |= dict.fromkeys(set(options.texts) & uses.keys(), Use.TEXTS)
    if options.lists in uses:
        uses[options.lists] = Use.LISTS
    if options.weights is not None:
        weights = names[index_of(names, options.weights, "weights")]
        if weights == target:
            raise DataError(f"weights: expected a column other than the class, got {weights!r}")
        uses[weights] = Use.WEIGHTS
    if target is not None:
        uses[target] = Use.CLASS
    return uses


def _use_with_model(name: str, options: TableOptions) -> Use:
    assert options.declared is not None
    if options.used is not None and name not in options.used:
        return Use.UNUSED
    if name == options.lists:
        return Use.LISTS
    return Use.DECLARED if name in options.declared else Use.KEPT


def without_row_names(
    names: Sequence[str], row_names: Collection[str], options: TableOptions, source: str
) -> list[str]:
    """Return the names of the columns but those that name the rows; say which these are.

    Raises
    ------
    TableError
        If there is no other column.
    """
    asked = {options.target, options.weights, options.lists, *options.nominal, *options.texts}
    if options.ignore:
        asked |= set(names_meant(names, options.ignore, "ignore"))
    if options.declared is not None:
        asked |= {name for name in names if name} if options.used is None else {*options.used}
    left_out = [name for name in names if name in row_names and name not in asked]
    out = set(left_out)
    kept = [name for name in names if name not in out]
    if left_out and not kept:
        message = f"expected columns, got only the names of the rows ({left_out[0]!r})"
        raise TableError(message, source)
    index = ", ".join(repr(name) for name in left_out if name)
    sentences = []
    if index:
        sentences.append(f"the index of pandas is left out: {index} (--nominal NAME keeps it)")
    if "" in left_out:
        n = counted_in_words(left_out.count(""), "column")
        sentences.append(f"{n} without a name left out, such as row names")
    if sentences and options.declared is None:
        warnings.warn(f"{source}: {'; '.join(sentences)}", WidcWarning, stacklevel=2)
    return kept


def typed(
    column_of: Callable[[str], _RawColumn], uses: Mapping[str, Use], options: TableOptions
) -> Iterator[Column]:
    """Yield the columns in use with their types, and the weights."""
    declared = options.declared or {}
    with warnings.catch_warnings():
        if options.declared is not None:  # training told what there is to tell
            warnings.simplefilter("ignore", WidcWarning)
        for name, use in uses.items():
            if use is Use.UNUSED:
                yield Attribute(name, "string"), NOTHING
            elif use is Use.DECLARED:
                yield column_of(name).as_declared(declared[name])
            else:
                yield _OF_USE[use](column_of(name))


def _as_kept(column: _RawColumn) -> Column:
    for way in (column.as_kept, column.as_texts):
        with suppress(TableError):  # nobody learns from it
            return way()
    return Attribute(column.name, "string"), NOTHING


_OF_USE: dict[Use, Callable[[_RawColumn], Column]] = {
    Use.CLASS: lambda column: column.as_class(),
    Use.NOMINAL: lambda column: column.as_nominal(),
    Use.INFERRED: lambda column: column.inferred(),
    Use.WEIGHTS: lambda column: column.inferred(),
    Use.KEPT: _as_kept,
    Use.TEXTS: lambda column: column.as_texts(),
    Use.LISTS: lambda column: column.as_lists(),
}
NOTHING: NDArray[Any] = np.empty(0, object)
"""Stands for the values of a column that nobody uses."""


def unused_values(n_rows: int) -> NDArray[Any]:
    """Return the column of an attribute that is not in use; it takes no memory."""
    return np.broadcast_to(np.array(None, object), (n_rows,))


def relation_of_columns(
    name: str,
    columns: Iterator[Column],
    uses: Mapping[str, Use],
    n_rows: int,
    origin: Origin,
    most_cells: int | None = None,
) -> Relation:
    """Return a relation of columns that are made one at a time.

    Parameters
    ----------
    name : str
        Its name.
    columns : iterator of (Attribute, ndarray)
        As `typed` yields them.
    uses : mapping of str to Use
        In the order of the columns.
    n_rows : int
        Number of rows.
    origin : Origin
        Where they come from, for messages.
    most_cells : int or None
        Where there are more values the columns are in a temporary file; None: never.
    """
    is_large = most_cells is not None and n_rows * len(uses) > most_cells
    file = ColumnFile() if is_large else None
    attributes: list[Attribute] = []
    held: list[NDArray[Any]] = []
    weights = equal_weights(n_rows)
    for (attribute, column), use in zip(columns, uses.values(), strict=True):
        if use is Use.WEIGHTS:
            weights = weights_of(attribute, column, origin)
            continue
        values = unused_values(n_rows) if column is NOTHING else column
        if file is None:
            held.append(values)
        else:
            file.write(len(attributes), values)
        attributes.append(attribute)
    made = tuple(held) if file is None else StoredColumns(file)
    return Relation(name, tuple(attributes), made, weights)


def weights_of(attribute: Attribute, column: NDArray[Any], origin: Origin) -> Floats:
    """Return a column as the weights of rows.

    Raises
    ------
    DataError
        If it is not a column of numbers.
    TableError
        If it does not hold a number, zero or more, in each row; with the place of the first fault.
    """
    if attribute.type != "numeric":
        raise DataError(
            f"weights: expected a column of numbers, got the {attribute.type} {attribute.name!r}"
        )
    bad = np.flatnonzero(~((column >= 0) & np.isfinite(column)))
    if len(bad):
        found = float(column[bad[0]])
        got = "none" if np.isnan(found) else f"{found:g}"
        message = f"expected a number of 0 or more as a weight, got {got}"
        raise origin.fault(attribute.name, int(bad[0]), message)
    return column
