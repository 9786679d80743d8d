"""Tables in memory as relations: numpy arrays, pandas and polars frames.

===================================  ==========================================
column                               attribute
===================================  ==========================================
numbers                              numeric
booleans                             nominal: False, True
pandas categorical, polars Enum      nominal: the categories in their order
texts, polars Categorical            nominal: the distinct texts, sorted; string
                                     where nearly every row has a text of its own
dates and times                      date: whole milliseconds, UTC
===================================  ==========================================

Numbers of single and half precision are the decimals that they print
(`widc_arff.tables.single_precision`).  Sparse tables of scipy hold numbers or booleans, and what is
not stored is 0 or False.

None, NaN, NaT and NA are missing; texts and numbers are taken by `widc_arff.tables.table_values`.
Columns of objects are what their values are.  A float64 column is not copied.  Neither pandas nor
polars is imported here: a frame brings its library along.
"""

from __future__ import annotations

import sys
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any
from warnings import warn

import numpy as np

from widc_arff.arff.relation import Attribute, Relation
from widc_arff.arff.sparse import SparseColumns, Stated
from widc_arff.errors import DataError, WidcWarning
from widc_arff.tables.cells import Cells, Origin, cells_of, cells_of_values, labels_of_texts
from widc_arff.tables.conforming import in_type_of
from widc_arff.tables.moments import dated
from widc_arff.tables.single_precision import as_doubles
from widc_arff.tables.table_values import label_text
from widc_arff.tables.typed_values import nearest_double, tell_finer, tell_lost

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Column = tuple[Attribute, NDArray[Any]]

_MOST_SHOWN = 8
_NOWHERE = Origin("")  # no file: messages name the column


def is_frame(table: object) -> bool:
    """Return whether a table is a pandas or polars frame."""
    return _library_of(table, "DataFrame") != ""


def column_names(table: Any) -> list[str]:  # noqa: ANN401 - a table of any library
    """Return the names of a frame's columns; x0, x1, ... where they are not all texts."""
    names = list(table.columns) if is_frame(table) else []
    if names and all(isinstance(name, str) for name in names):
        return [str(name) for name in names]
    return generated_names(table.shape[1])


def generated_names(n_columns: int) -> list[str]:
    """Return x0, x1, ..., as scikit-learn names columns without names."""
    return [f"x{i}" for i in range(n_columns)]


def relation_of(
    table: Any,  # noqa: ANN401
    names: Sequence[str],
    name: str,
) -> Relation:
    """Return a table as a relation.

    Parameters
    ----------
    table : ndarray or scipy.sparse of shape (n_rows, n_columns), or pandas or polars frame
        Its columns are typed as the module says.
    names : sequence of str
        Name of each attribute.
    name : str
        Name of the relation.

    Raises
    ------
    DataError
        If a column holds something else, or texts beside numbers.
    ArffError
        If two names are equal.

    Warns
    -----
    WidcWarning
        If numbers or times are not held as they are, or texts are taken as labels that look like
        measured numbers.
    """
    if is_sparse(table):
        attributes, columns = sparse_columns(table, names)
        return Relation(name, attributes, columns, np.ones(table.shape[0]))
    library = _library_of(table, "DataFrame")
    found = [_column(library, table, i, name) for i, name in enumerate(names)]
    return Relation(
        name,
        tuple(attribute for attribute, _ in found),
        tuple(values for _, values in found),
        np.ones(table.shape[0]),
    )


def columns_for(
    table: Any,  # noqa: ANN401
    attributes: Sequence[Attribute],
    *,
    unknown_as_missing: bool,
    widen: bool = False,
) -> tuple[NDArray[Any], ...]:
    """Return the columns of new data in the codes of known attributes, matched by position.

    A column without any known value fits every attribute.

    Parameters
    ----------
    table : ndarray or scipy.sparse of shape (n_rows, n_columns), or pandas or polars frame
        With a column for each attribute; those of string attributes are not looked at.
    attributes : sequence of Attribute
        Values are read by them as `widc_arff.tables.conforming` does.
    unknown_as_missing : bool
        Whether labels that are not declared are missing, with a warning that counts them.
    widen : bool
        Whether numbers of single precision are the doubles of the same value, as models of the
        versions 1 and 2 take them, and not those of the same decimal.

    Raises
    ------
    DataError
        If a column has another type, or holds values that its attribute does not declare and these
        are not to be missing.
    """
    library = _library_of(table, "DataFrame")
    by_column = table.tocsc() if is_sparse(table) else table
    unused = np.full(table.shape[0], np.nan)
    columns = []
    for i, wanted in enumerate(attributes):
        if wanted.type == "string":
            columns.append(unused)
            continue
        found = _column(library, by_column, i, wanted.name, widen=widen)
        cells = partial(_cells_of, found, library, by_column, i)
        given, values = in_type_of(wanted, found, cells)
        columns.append(_conformed(given, values, wanted, unknown_as_missing))
    return tuple(columns)


def is_sparse(table: object) -> bool:
    """Return whether a table is a sparse array or matrix of scipy."""
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(table))


def sparse_columns(
    table: Any,  # noqa: ANN401
    names: Sequence[str],
) -> tuple[tuple[Attribute, ...], SparseColumns]:
    """Return the attributes and columns of a sparse table, which hold what it holds."""
    by_column = table.tocsc(copy=True)
    by_column.sum_duplicates()  # which sorts the rows of each column
    attribute, values = _from_array("X", by_column.data)
    attributes = tuple(Attribute(name, attribute.type, attribute.values) for name in names)
    stated = Stated(
        np.repeat(np.arange(len(names)), np.diff(by_column.indptr)),
        by_column.indices.astype(np.int64),
        values.astype(np.float64, copy=False),
        {},
        table.shape[0],
    )
    return attributes, SparseColumns(attributes, stated)


def declared_values(series: Any) -> list[str]:  # noqa: ANN401 - anything may be a target
    """Return the categories of a pandas categorical or polars Enum as texts; else an empty list."""
    if _library_of(series, "Series") == "pandas" and series.dtype.name == "category":
        return [label_text(value) for value in series.cat.categories]
    if _library_of(series, "Series") == "polars" and type(series.dtype).__name__ == "Enum":
        return list(series.dtype.categories)
    return []


def plain_numbers(series: Any) -> Any:  # noqa: ANN401 - anything may be a target
    """Return a pandas series of nullable integers or booleans, none missing, as an array of them.

    Anything else comes back as it is; numpy would make floats of such a series.
    """
    plain = getattr(getattr(series, "dtype", None), "numpy_dtype", None)
    if plain is None or plain.kind not in "biu" or series.isna().any():
        return series
    return series.to_numpy(dtype=plain)


def is_missing(value: object) -> bool:
    """Return whether a value is None, NaN, NaT or NA."""
    if value is None or type(value).__name__ == "NAType":
        return True
    return isinstance(value, Real | Decimal | date | np.datetime64) and bool(value != value)  # noqa: PLR0124


def _library_of(table: object, kind: str) -> str:
    """Return ``pandas`` or ``polars`` for its frames (`kind` DataFrame) or series, else a blank."""
    for name in ("pandas", "polars"):
        library = sys.modules.get(name)
        if library is not None and isinstance(table, getattr(library, kind)):
            return name
    return ""


def _column(
    library: str,
    table: Any,  # noqa: ANN401
    i: int,
    name: str,
    *,
    widen: bool = False,
) -> Column:
    values = _values_of(library, table, i)
    if library == "pandas":
        return _from_pandas(name, values, widen=widen)
    if library == "polars":
        return _from_polars(name, values, widen=widen)
    return _from_array(name, values, widen=widen)


def _values_of(library: str, table: Any, i: int) -> Any:  # noqa: ANN401
    """Return a column as its library has it."""
    if library == "pandas":
        return table.iloc[:, i]
    if library == "polars":
        return table.to_series(i)
    return table[:, [i]].toarray()[:, 0] if is_sparse(table) else table[:, i]


def _from_pandas(name: str, series: Any, *, widen: bool) -> Column:  # noqa: ANN401
    dtype = series.dtype
    if dtype.name == "category":
        categories, codes = series.cat.categories, series.cat.codes.to_numpy()
        return _nominal(name, categories, codes, ordered=series.cat.ordered)
    if isinstance(dtype, np.dtype) or hasattr(dtype, "fill_value"):  # of a sparse column
        return _from_array(name, series.to_numpy(), widen=widen)
    if dtype.kind in "biuf":
        numbers = series.to_numpy(dtype=np.float64, na_value=np.nan)
        if dtype.kind == "b":
            return _nominal(name, (False, True), np.where(np.isnan(numbers), -1, numbers))
        if dtype.kind == "f":
            numbers = numbers.astype(f"f{dtype.itemsize}")
        else:
            tell_lost(f"column {name!r}", series.dropna().to_numpy(dtype=dtype.numpy_dtype))
        return _from_array(name, numbers, widen=widen)
    if hasattr(dtype, "tz"):
        return dated(name, series.to_numpy(dtype=f"datetime64[{dtype.unit}]"))  # in UTC
    return _from_objects(name, series.tolist())


def _from_polars(name: str, series: Any, *, widen: bool) -> Column:  # noqa: ANN401
    polars = sys.modules["polars"]
    dtype = series.dtype
    if dtype == polars.Enum:
        codes = series.to_physical().cast(polars.Int32).fill_null(-1)
        return _nominal(name, dtype.categories, codes.to_numpy(), ordered=True)
    if dtype == polars.Boolean:
        return _nominal(name, (False, True), series.cast(polars.Int8).fill_null(-1).to_numpy())
    if dtype.is_numeric():
        if dtype.is_decimal():
            return _from_objects(name, series.to_list())
        if dtype.is_integer():
            tell_lost(f"column {name!r}", series.drop_nulls().to_numpy())
        numbers = series.to_numpy() if dtype.is_float() else series.cast(polars.Float64).to_numpy()
        return _from_array(name, numbers, widen=widen)
    if dtype in (polars.Date, polars.Datetime):
        return dated(name, series.to_numpy())
    return _from_objects(name, series.to_list())


def _from_array(name: str, column: NDArray[Any], *, widen: bool = False) -> Column:
    kind = column.dtype.kind
    if kind == "b":
        return _nominal(name, (False, True), column.astype(np.int8))
    if kind == "f" and not widen:
        return Attribute(name, "numeric"), as_doubles(column)
    if kind in "iuf":
        tell_lost(f"column {name!r}", column)
        return Attribute(name, "numeric"), column.astype(np.float64, copy=False)
    if kind == "M":
        return dated(name, column)
    return _from_objects(name, list(column))


def _from_objects(name: str, values: list[Any]) -> Column:
    """Return a column of Python objects as what they are: texts, booleans, numbers or dates."""
    missing = [is_missing(value) for value in values]
    known = [value for value, absent in zip(values, missing, strict=True) if not absent]
    kinds = {kind: _kind_of(kind) for kind in dict.fromkeys(map(type, known))}
    if len(set(kinds.values())) > 1 or "" in kinds.values():
        found = ", ".join(sorted(kind.__name__ for kind in kinds))
        raise DataError(
            f"column {name!r}: expected texts, numbers, booleans or dates, and one of these "
            f"throughout; got values of the types {found}: convert them or leave the column out"
        )
    kind = next(iter(kinds.values()), "text")
    if kind == "number":
        numbers = np.full(len(values), np.nan)
        numbers[~np.array(missing, np.bool_)] = [nearest_double(value) for value in known]
        tell_lost(f"column {name!r}", known)
        return Attribute(name, "numeric"), numbers
    if kind == "date":
        moments = [None if a else _naive(v) for v, a in zip(values, missing, strict=True)]
        if any(getattr(value, "nanosecond", 0) for value in known):
            tell_finer(f"column {name!r}")
        return dated(name, np.array(moments, "datetime64[us]"))
    place = {value: i for i, value in enumerate(dict.fromkeys(known))}
    codes = [-1 if a else place[v] for v, a in zip(values, missing, strict=True)]
    cells = Cells(name, list(map(str, place)), np.array(codes, np.int64), frozenset(), _NOWHERE)
    if kind == "boolean":
        return cells.labelled(["False", "True"])
    return labels_of_texts(cells)


def _cells_of(column: Column, library: str, table: Any, i: int) -> Cells:  # noqa: ANN401
    """Return a column as texts; whole numbers keep all of their digits."""
    attribute, held = column
    if attribute.type == "numeric":
        values = _values_of(library, table, i)
        plain = np.asarray(values.to_numpy() if library else values)
        if plain.dtype.kind in "iuO":
            known = np.array([not is_missing(value) for value in plain], np.bool_)
            return cells_of_values(attribute.name, plain, known, label_text, _NOWHERE)
    return cells_of(attribute, held, _NOWHERE)


def _kind_of(kind: type) -> str:
    if issubclass(kind, str):
        return "text"
    if issubclass(kind, bool | np.bool_):
        return "boolean"
    if issubclass(kind, date | np.datetime64):
        return "date"
    is_number = issubclass(kind, Real | Decimal) and not issubclass(kind, np.timedelta64)
    return "number" if is_number else ""


def _naive(value: Any) -> Any:  # noqa: ANN401 - a date or a datetime of any kind
    """Return a moment in UTC without its time zone; without a zone it is in UTC already."""
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC).replace(tzinfo=None)
    return value


def _nominal(
    name: str, values: Iterable[object], codes: NDArray[Any], *, ordered: bool = False
) -> Column:
    labels = tuple(label_text(value) for value in values)
    attribute = Attribute(name, "nominal", labels, order=labels if ordered else None)
    return attribute, codes if codes.dtype.kind == "i" else codes.astype(np.int64)


def _conformed(
    given: Attribute, column: NDArray[Any], wanted: Attribute, unknown_as_missing: bool
) -> NDArray[Any]:
    if given.type != wanted.type:
        raise DataError(
            f"column {wanted.name!r}: expected {wanted.type} values as in training, "
            f"got {given.type} ones"
        )
    if wanted.type != "nominal" or given.values == wanted.values:
        return column
    code = {value: i for i, value in enumerate(wanted.values)}
    codes: NDArray[Any] = np.array([*(code.get(value, -2) for value in given.values), -1])[column]
    rows = np.flatnonzero(codes == -2)
    if len(rows):
        found = ", ".join(repr(given.values[i]) for i in np.unique(column[rows])[:_MOST_SHOWN])
        places = ", ".join(map(str, rows[:_MOST_SHOWN])) + (
            ", ..." if len(rows) > _MOST_SHOWN else ""
        )
        known = ", ".join(map(repr, wanted.values[:_MOST_SHOWN]))
        known += ", ..." if len(wanted.values) > _MOST_SHOWN else ""
        if not unknown_as_missing:
            raise DataError(
                f"column {wanted.name!r}: expected one of the values known from training ({known}),"
                f" got {found} in row {places} (counted from 0); unknown='missing' treats such "
                "values as missing, and a categorical column declares its values beforehand"
            )
        warn(
            f"column {wanted.name!r}: {found}, unknown in training, treated as missing in "
            f"{len(rows)} of {len(codes)} rows",
            WidcWarning,
            stacklevel=2,
        )
        codes[rows] = -1
    return codes
