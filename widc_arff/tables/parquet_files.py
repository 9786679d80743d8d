"""Parquet, by pyarrow: the file has types, nothing is guessed.

Numbers are numeric, booleans and dictionaries nominal in their order, texts nominal (sorted) or,
where nearly every row has its own, string; dates and times are dates in whole milliseconds, UTC.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from widc_arff.arff import chunks
from widc_arff.arff.relation import Attribute
from widc_arff.errors import TableError, WidcError, first_repeated
from widc_arff.frames import dated
from widc_arff.tables.cells import (
    Cells,
    Origin,
    as_class,
    as_declared,
    as_nominal,
    cells_of,
    is_identifier,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff.arff.relation import Relation

    Column = tuple[Attribute, NDArray[Any]]

_PER_MS = {"us": 1000, "ns": 1_000_000}
_MS_PER = {"s": 1000, "ms": 1}
_MS_PER_DAY = 86_400_000


@dataclass(frozen=True, slots=True, eq=False)
class ParquetColumn:
    """A column as it stands in the file.

    Parameters
    ----------
    name : str
        Its name.
    array : pyarrow.ChunkedArray
        Its values.
    origin : Origin
        Where it comes from.
    """

    name: str
    array: Any
    origin: Origin

    def inferred(self) -> Column:
        """Return the column with the type of the file.

        Raises
        ------
        TableError
            If no attribute has that type.
        """
        return _typed(self.name, self.array, self.origin)

    def as_class(self) -> Column:
        """Return the column as a nominal one; see `widc_arff.tables.cells.as_class`."""
        attribute, column = self.inferred()
        if attribute.type == "nominal":
            return attribute, column
        return as_class(cells_of(attribute, column, self.origin))

    def as_nominal(self) -> Column:
        """Return the column as a nominal one; see `widc_arff.tables.cells.as_nominal`."""
        attribute, column = self.inferred()
        if attribute.type == "nominal":
            return attribute, column
        return as_nominal(cells_of(attribute, column, self.origin))

    def as_declared(self, wanted: Attribute) -> Column:
        """Return the column in the type of an attribute; see `widc_arff.tables.cells`."""
        attribute, column = self.inferred()
        if attribute.type == wanted.type != "nominal":
            return wanted, column
        return as_declared(cells_of(attribute, column, self.origin), wanted)

    def as_texts(self) -> Column:
        """Return a string column; nothing in it where the type has no texts."""
        try:
            return cells_of(*self.inferred(), self.origin).as_texts()
        except TableError:
            return Attribute(self.name, "string"), np.full(len(self.array), None, object)


def read_parquet_columns(path_or_file: chunks.File) -> list[ParquetColumn]:
    """Read the columns of a Parquet file.

    Raises
    ------
    TableError, ArffError
        If the file cannot be read, or two columns have one name.
    WidcError
        If pyarrow is not installed.
    """
    pyarrow = _pyarrow()
    with chunks.opened(path_or_file) as (file, source):
        is_file = hasattr(file, "seek") and hasattr(file, "tell")
        content = file if is_file else io.BytesIO(file.read(-1))  # type: ignore[arg-type]
        try:
            table = pyarrow.parquet.ParquetFile(content).read()
            table.validate(full=True)  # texts are UTF-8, too
            names = list(table.column_names)
        except (pyarrow.ArrowException, OSError, ValueError) as error:
            raise TableError(f"expected a Parquet file: {error}", source) from error
    if not names:
        raise TableError("expected columns, got a table without any", source)
    repeated = first_repeated(names)
    if repeated is not None:
        raise TableError(f"expected each name once, got two columns {repeated!r}", source)
    origin = Origin(source)
    return [ParquetColumn(name, table[name], origin) for name in names]


def write_parquet(relation: Relation, stream: IO[bytes]) -> None:
    """Write a relation, without its weights, as Parquet.

    Numbers are doubles, nominal columns dictionaries with all their labels, dates timestamps in
    milliseconds.

    Raises
    ------
    WidcError
        If pyarrow is not installed, or an attribute is relational.
    """
    pyarrow = _pyarrow()
    arrays = {
        attribute.name: _array(pyarrow, attribute, column)
        for attribute, column in zip(relation.attributes, relation.columns, strict=True)
    }
    pyarrow.parquet.write_table(pyarrow.table(arrays), stream)


def _pyarrow() -> Any:  # noqa: ANN401 - a module that may be absent
    try:
        import pyarrow.parquet  # noqa: PLC0415 - an extra, and heavy
    except ImportError as error:
        raise WidcError(
            f"Parquet files need pyarrow: pip install 'widc-arff[parquet]' ({error})"
        ) from error
    return pyarrow


def _typed(name: str, array: Any, origin: Origin) -> Column:  # noqa: ANN401 - pyarrow is untyped
    types = _pyarrow().types
    kind = array.type
    if types.is_dictionary(kind):
        return _from_dictionary(name, array, origin)
    if types.is_boolean(kind):
        codes = array.cast("int8").fill_null(-1).to_numpy()
        return Attribute(name, "nominal", ("False", "True")), codes
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        numbers = array.cast("float64").fill_null(float("nan")).to_numpy()
        return Attribute(name, "numeric"), numbers
    if types.is_null(kind):
        return Attribute(name, "numeric"), np.full(len(array), np.nan)
    if types.is_date(kind) or types.is_timestamp(kind):
        return dated(name, _milliseconds(array))
    if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
        return _from_texts(name, array, origin)
    raise TableError(
        f"column {name!r}: expected numbers, booleans, texts, dates or a dictionary of texts, got "
        f"the type {kind}: leave the column out of the file, or cast it",
        origin.source,
    )


def _from_dictionary(name: str, array: Any, origin: Origin) -> Column:  # noqa: ANN401
    types = _pyarrow().types
    value_type = array.type.value_type
    if not (types.is_string(value_type) or types.is_large_string(value_type)):
        return _typed(name, array.cast(value_type), origin)
    if len(array) == 0:  # a chunk has the dictionary, and there is none
        return Attribute(name, "nominal"), np.empty(0, np.int64)
    whole = array.unify_dictionaries().combine_chunks()
    codes = whole.indices.cast("int64").fill_null(-1).to_numpy()
    return Attribute(name, "nominal", tuple(whole.dictionary.to_pylist())), codes


def _from_texts(name: str, array: Any, origin: Origin) -> Column:  # noqa: ANN401
    encoded = array.cast("large_string").combine_chunks().dictionary_encode()
    codes = encoded.indices.cast("int64").fill_null(-1).to_numpy()
    texts = encoded.dictionary.to_pylist()
    cells = Cells(name, texts, codes, frozenset(), origin)
    return cells.as_texts() if is_identifier(cells) else cells.labelled(sorted(texts))


def _milliseconds(array: Any) -> NDArray[np.float64]:  # noqa: ANN401
    """Return whole milliseconds, rounded down, NaN for missing."""
    if _pyarrow().types.is_date(array.type):
        array = array.cast("date32").cast("int32")
        factor, divisor = _MS_PER_DAY, 1
    else:
        unit = array.type.unit
        factor, divisor = _MS_PER.get(unit, 1), _PER_MS.get(unit, 1)
    whole = array.cast("int64").fill_null(0).to_numpy() * factor // divisor
    absent = array.is_null().to_numpy()
    return np.where(absent, np.nan, whole.astype(np.float64))


def _array(pyarrow: Any, attribute: Attribute, column: NDArray[Any]) -> Any:  # noqa: ANN401
    if attribute.type == "relational":
        raise WidcError(
            f"attribute {attribute.name!r}: Parquet as it is written here has no relational values"
        )
    if attribute.type == "nominal":
        indices = pyarrow.array(column.astype(np.int32), mask=column < 0)
        values = pyarrow.array(list(attribute.values), "string")
        return pyarrow.DictionaryArray.from_arrays(indices, values)
    if attribute.type == "string":
        return pyarrow.array(column.tolist(), "string")
    absent = np.isnan(column)
    if attribute.type == "date":
        whole = np.where(absent, 0, column).astype(np.int64)
        return pyarrow.array(whole, mask=absent).cast(pyarrow.timestamp("ms", "UTC"))
    return pyarrow.array(column, mask=absent)
