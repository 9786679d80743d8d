"""Parquet, by pyarrow: the file has types, nothing is guessed.

Numbers are numeric, booleans and dictionaries nominal in their order, texts nominal (sorted) or,
where nearly every row has its own, string; dates and times are dates in whole milliseconds, UTC.
A number that becomes a label keeps its digits: it never passes through a double.  A column is read
when its values are asked for.  Which columns are the index of a frame, the metadata of pandas tell.
"""

from __future__ import annotations

import json
import os
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

from widc_arff.arff import chunks
from widc_arff.arff.relation import Attribute
from widc_arff.errors import TableError, WidcError, WidcWarning, first_repeated
from widc_arff.system.files import files_of, is_folder, rereadable
from widc_arff.system.stores import is_address, store_of
from widc_arff.tables.cells import (
    Cells,
    Origin,
    as_class,
    as_declared,
    as_nominal,
    cells_of,
    cells_of_values,
    labels_of_texts,
)
from widc_arff.tables.moments import dated
from widc_arff.tables.single_precision import as_doubles
from widc_arff.tables.table_values import label_text
from widc_arff.tables.typed_values import tell_finer, tell_lost
from widc_arff.tables.uses import (
    NOTHING,
    TableOptions,
    Use,
    relation_of_columns,
    typed,
    uses_of,
    without_row_names,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from widc_arff.arff.relation import Relation

    Column = tuple[Attribute, NDArray[Any]]

_MS_PER_DAY = 86_400_000
_PER_SECOND = {"s": 1, "ms": 1000, "us": 1_000_000, "ns": 1_000_000_000}
_CELLS_OF_A_ROW_GROUP = 1 << 22
_BUFFER_SIZE = 1 << 20
_LAST_MOMENT = 8.64e15  # milliseconds, in the year 275,760


@dataclass(frozen=True, slots=True, eq=False)
class ParquetColumn:
    """A column of an open file.

    Parameters
    ----------
    name : str
        Its name.
    file : ParquetFile of pyarrow, or _Alike
        The file.
    origin : Origin
        Where it comes from.
    widen : bool
        How numbers of single precision are read, as in `TableOptions`.
    """

    name: str
    file: Any
    origin: Origin
    widen: bool = False

    def inferred(self) -> Column:
        """Return the column with the type of the file.

        Raises
        ------
        TableError
            If it cannot be read, or no attribute has that type.
        """
        return _typed(self.name, self._values(), self.origin)

    def as_class(self) -> Column:
        """Return the column as a nominal one; see `widc_arff.tables.cells.as_class`."""
        return self._labelled(as_class)

    def as_nominal(self) -> Column:
        """Return the column as a nominal one; see `widc_arff.tables.cells.as_nominal`."""
        return self._labelled(as_nominal)

    def as_declared(self, wanted: Attribute) -> Column:
        """Return the column in the type of an attribute; see `widc_arff.tables.cells`."""
        values = self._values()
        if wanted.type == "nominal" and _is_number(values.type):
            return as_declared(_number_cells(self.name, values, self.origin), wanted)
        attribute, column = _typed(self.name, values, self.origin)
        if attribute.type == wanted.type != "nominal":
            return wanted, column
        return as_declared(cells_of(attribute, column, self.origin), wanted)

    def as_kept(self) -> Column:
        """Return the column as it is: as texts where numbers or times would lose some digits."""
        values = self._values()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", WidcWarning)
            attribute, column = _typed(self.name, values, self.origin)
        is_lossy = caught and attribute.type in ("numeric", "date")
        return self._texts_of(values) if is_lossy else (attribute, column)

    def as_texts(self) -> Column:
        """Return a string column."""
        return self._texts_of(self._values())

    as_lists = as_texts

    def _texts_of(self, values: Any) -> Column:  # noqa: ANN401 - pyarrow is untyped
        if _is_number(values.type):
            return _number_cells(self.name, values, self.origin).as_texts()
        with _faults(self.origin.source):
            return _text_cells(self.name, values.cast("large_string"), self.origin).as_texts()

    def _labelled(self, by: Callable[[Cells], Column]) -> Column:
        values = self._values()
        if _is_number(values.type):
            return by(_number_cells(self.name, values, self.origin))
        attribute, column = _typed(self.name, values, self.origin)
        if attribute.type == "nominal":
            return attribute, column
        return by(cells_of(attribute, column, self.origin))

    def _values(self) -> Any:  # noqa: ANN401 - pyarrow is untyped
        """Return the values as a chunked array, dictionaries of anything but texts unpacked."""
        with _faults(self.origin.source):
            values = self.file.read(columns=[self.name])[self.name]
            values.validate(full=True)  # texts are UTF-8, too
            types = _pyarrow().types
            if types.is_dictionary(values.type) and not _is_text(values.type.value_type):
                values = values.cast(values.type.value_type)
        if not self.widen and (types.is_float32(values.type) or types.is_float16(values.type)):
            doubles = as_doubles(values.to_numpy())
            values = _pyarrow().chunked_array([_pyarrow().array(doubles, from_pandas=True)])
        return values


def read_parquet(
    path_or_file: chunks.File,
    form: str,
    options: TableOptions,
    name: str,
    most_cells: int | None = None,
) -> Relation:
    """Read a Parquet, Feather or ORC file; all else is as in `widc_arff.tables.read_table`.

    Columns that are not in use are not read, and one of the others at a time.

    Raises
    ------
    TableError, ArffError
        If the file cannot be read, or two columns have one name.
    DataError
        If the options name a column that is not there.
    WidcError
        If pyarrow is not installed.
    """
    with _opened(path_or_file, form) as (file, source):
        return _relation_of(file, source, options, name, most_cells)


def parquet_pieces(
    path_or_file: chunks.File, form: str, options: TableOptions, name: str, most_cells: int
) -> Iterator[Relation]:
    """Yield the rows of such a file for a model (`options.declared`), so many values at a time.

    A column that the model does not know has the type of all its rows: it is read before.
    """
    with _opened(path_or_file, form) as (file, source):
        uses, _ = _columns_of(file, source, options, ParquetColumn)
        kept = [column for column, use in uses.items() if use is Use.KEPT]
        known = [c for c, use in uses.items() if use in (Use.DECLARED, Use.WEIGHTS)]
        of_kept = replace(options, used=kept, weights=None)
        whole = _relation_of(file, source, of_kept, name, most_cells) if kept else None
        n_rows = max(1, most_cells // len(uses))
        start = 0
        for rows in _batches(file, known, n_rows, source):
            some = _Rows(rows, file.schema_arrow, start + 1)
            piece = _relation_of(some, source, replace(options, used=known), name, None)
            stop = start + piece.n_rows
            yield (
                piece if whole is None else piece.with_columns_of(whole.between(start, stop), kept)
            )
            start = stop
        if start == 0:
            yield _relation_of(file, source, options, name, None)


def _batches(file: Any, columns: list[str], n_rows: int, source: str) -> Iterator[Any]:  # noqa: ANN401
    """Yield some columns of an open file, so many rows at a time."""
    with _faults(source):
        batches = file.iter_batches(n_rows, columns=columns, use_threads=False)
    while True:
        with _faults(source):
            batch = next(batches, None)
        if batch is None:
            return
        _pyarrow().default_memory_pool().release_unused()
        if batch.num_rows:
            yield _pyarrow().Table.from_batches([batch])


@contextmanager
def _opened(path_or_file: chunks.File, form: str) -> Iterator[tuple[Any, str]]:
    """Open a file, or those of a folder, as pyarrow's ParquetFile, or with its interface."""
    _pyarrow()
    if isinstance(path_or_file, str | os.PathLike) and is_folder(path_or_file):
        source = os.fspath(path_or_file)
        yield _Several(files_of(source), form), source
        return
    with chunks.opened(path_or_file) as (opened, source), rereadable(opened) as content:
        with _faults(source, form.title()):
            file = _parquet(content) if form == "parquet" else _Alike(content, form)
        yield file, source


def _parquet(content: Any) -> Any:  # noqa: ANN401 - pyarrow is untyped
    """Open a Parquet file so that reading it in batches does not hold whole row groups."""
    return _pyarrow().parquet.ParquetFile(content, pre_buffer=False, buffer_size=_BUFFER_SIZE)


def _relation_of(
    file: Any,  # noqa: ANN401 - pyarrow is untyped
    source: str,
    options: TableOptions,
    name: str,
    most_cells: int | None,
) -> Relation:
    """Return the relation of an open file, or of several."""
    uses, made = _columns_of(file, source, options, ParquetColumn)
    origin = _origin_of(file, source)
    return relation_of_columns(name, made, uses, file.metadata.num_rows, origin, most_cells)


def _origin_of(file: Any, source: str) -> Origin:  # noqa: ANN401 - pyarrow is untyped
    """Return where the rows of an open file stand."""
    return Origin(source, first_row=getattr(file, "first_row", 1))


def _columns_of(
    file: Any,  # noqa: ANN401 - pyarrow is untyped
    source: str,
    options: TableOptions,
    kind: type[ParquetColumn],
) -> tuple[dict[str, Use], Iterator[Column]]:
    """Return what the columns of an open file are used for, and each as it gets its type."""
    with _faults(source):
        names, index = list(file.schema_arrow.names), _index_names(file.schema_arrow)
    if not names:
        raise TableError("expected columns, got a table without any", source)
    repeated = first_repeated(names)
    if repeated is not None:
        raise TableError(f"expected each name once, got two columns {repeated!r}", source)
    origin = _origin_of(file, source)
    uses = uses_of(without_row_names(names, {"", *index}, options, source), options)
    return uses, typed(lambda name: kind(name, file, origin, options.widen), uses, options)


class RowGroups(NamedTuple):
    """Rows of a Parquet file that can be read by themselves.

    Parameters
    ----------
    path : str
        The file.
    groups : tuple of int
        Numbers of its row groups.
    n_bytes : int
        Their size in the file, unpacked.
    """

    path: str
    groups: tuple[int, ...]
    n_bytes: int

    def read(self, attributes: Sequence[Attribute], name: str) -> Relation:
        """Return the rows in columns of some attributes; others of the file are not read.

        Raises
        ------
        TableError, ArffError
            If the file cannot be read, or a column is not of its attribute.
        """
        declared = {attribute.name: attribute for attribute in attributes}
        options = TableOptions(declared=declared, used=declared)
        with _opened(self.path, "parquet") as (file, source):
            return _relation_of(_Groups(file, self.groups), source, options, name, None)


def row_groups(path: str) -> list[RowGroups]:
    """Return the row groups of a Parquet file.

    Raises
    ------
    TableError, ArffError
        If it cannot be read.
    """
    with _opened(path, "parquet") as (file, _):
        every = file.metadata
        return [
            RowGroups(path, (k,), every.row_group(k).total_byte_size)
            for k in range(every.num_row_groups)
        ]


def parquet_attributes(paths: Sequence[str], options: TableOptions) -> tuple[Attribute, ...]:
    """Return the attributes of Parquet files with the same columns, as `read_parquet` finds them.

    Of numbers the type alone is read, of other columns all values, one column at a time.

    Raises
    ------
    TableError, ArffError
        If a file cannot be read, or has other columns than the first.
    """
    schemas = []
    for path in paths:
        with _opened(path, "parquet") as (file, source):
            schemas.append(file.schema_arrow)
            if not schemas[-1].equals(schemas[0]):
                raise TableError(f"expected the columns of {paths[0]}", source)
    _, made = _columns_of(_Several(paths, "parquet"), paths[0], options, _OfType)
    return tuple(attribute for attribute, _ in made)


class _OfType(ParquetColumn):
    """A column of which no values are read where the type of the file tells the attribute."""

    __slots__ = ()

    def inferred(self) -> Column:
        if _is_number(self.file.schema_arrow.field(self.name).type):
            return Attribute(self.name, "numeric"), NOTHING
        return super().inferred()


class _Groups:
    """Some row groups of a file, with the interface of pyarrow's ParquetFile."""

    def __init__(self, file: Any, groups: Sequence[int]) -> None:  # noqa: ANN401
        self._file, self._groups, self.schema_arrow = file, list(groups), file.schema_arrow
        n_rows = sum(file.metadata.row_group(k).num_rows for k in groups)
        self.metadata = SimpleNamespace(num_rows=n_rows)

    def read(self, columns: list[str]) -> Any:  # noqa: ANN401
        """Return some columns as a table."""
        return self._file.read_row_groups(self._groups, columns)


class _Rows:
    """Some rows of a file, with the interface of pyarrow's ParquetFile."""

    def __init__(self, rows: Any, schema: Any, first_row: int) -> None:  # noqa: ANN401
        self.read, self.schema_arrow, self.first_row = rows.select, schema, first_row
        self.metadata = SimpleNamespace(num_rows=rows.num_rows)


class _Several:
    """Files of one form, here or in a store, with the interface of pyarrow's ParquetFile."""

    def __init__(self, paths: Sequence[str], form: str) -> None:
        from pyarrow import dataset  # noqa: PLC0415 - few need it

        self._paths, self._form = paths, form
        store = store_of(paths[0])[0] if is_address(paths[0]) else None
        places = [path if store is None else store_of(path)[1] for path in paths]
        with _faults(paths[0], form.title()):
            self._files = dataset.dataset(places, format=form, filesystem=store)
            self.schema_arrow = self._files.schema
            self.metadata = SimpleNamespace(num_rows=self._files.count_rows())

    def read(self, columns: list[str]) -> Any:  # noqa: ANN401
        """Return some columns as a table."""
        return self._files.to_table(columns).unify_dictionaries()

    def iter_batches(self, n_rows: int, *, columns: list[str], **others: Any) -> Iterator[Any]:  # noqa: ANN401
        """Yield some columns, at most so many rows at a time."""
        for path in self._paths:
            with _opened(path, self._form) as (file, _):
                yield from file.iter_batches(n_rows, columns=columns, **others)


class _Alike:
    """A Feather or ORC file, with the interface of pyarrow's ParquetFile as far as it is used."""

    def __init__(self, content: Any, form: str) -> None:  # noqa: ANN401 - pyarrow is untyped
        if form == "orc":
            from pyarrow import orc  # noqa: PLC0415 - few need it

            file = orc.ORCFile(content)
            self.schema_arrow, n_rows = file.schema, file.nrows
            self._read: Any = lambda columns: file.read(columns=columns)
        else:
            from pyarrow import feather  # noqa: PLC0415 - few need it

            table = feather.read_table(content, memory_map=False)
            self.schema_arrow, n_rows = table.schema, table.num_rows
            self._read = table.select
        self.metadata = SimpleNamespace(num_rows=n_rows)

    def iter_batches(self, n_rows: int, *, columns: list[str], **_: Any) -> Iterator[Any]:  # noqa: ANN401
        """Yield some columns, at most so many rows at a time; all of them are in memory."""
        return iter(self._read(columns).to_batches(n_rows))

    def read(self, columns: list[str]) -> Any:  # noqa: ANN401
        """Return some columns as a table."""
        return self._read(columns)


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
    writer = None
    for piece in relation.pieces(_CELLS_OF_A_ROW_GROUP):
        arrays = {
            attribute.name: _array(pyarrow, attribute, column)
            for attribute, column in zip(piece.attributes, piece.columns, strict=True)
        }
        rows = pyarrow.table(arrays)
        writer = writer or pyarrow.parquet.ParquetWriter(stream, rows.schema)
        writer.write_table(rows)
    if writer is not None:
        writer.close()


def _pyarrow() -> Any:  # noqa: ANN401 - a module that may be absent
    try:
        import pyarrow.parquet  # noqa: PLC0415 - an extra, and heavy
    except ImportError as error:
        raise WidcError(
            f"Parquet files need pyarrow: pip install 'widc-arff[parquet]' ({error})"
        ) from error
    return pyarrow


@contextmanager
def _faults(source: str, form: str = "Parquet") -> Iterator[None]:
    """Raise what pyarrow finds wrong with a file as a TableError."""
    try:
        yield
    except (_pyarrow().ArrowException, OSError, ValueError, KeyError) as error:
        message = " ".join(str(error).split())
        raise TableError(f"expected a {form} file: {message}", source) from error


def _index_names(schema: Any) -> frozenset[str]:  # noqa: ANN401
    """Return the names of the columns that the metadata of pandas call its index."""
    try:
        names = list(json.loads(schema.metadata[b"pandas"])["index_columns"])
    except (TypeError, KeyError, ValueError, RecursionError):
        return frozenset()
    return frozenset(filter(lambda name: isinstance(name, str), names))


def _is_number(kind: Any) -> bool:  # noqa: ANN401
    types = _pyarrow().types
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind))


def _is_text(kind: Any) -> bool:  # noqa: ANN401
    types = _pyarrow().types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _typed(name: str, values: Any, origin: Origin) -> Column:  # noqa: ANN401
    types = _pyarrow().types
    kind = values.type
    if types.is_dictionary(kind):
        return _from_dictionary(name, values)
    if types.is_boolean(kind):
        codes = values.cast("int8").fill_null(-1).to_numpy()
        return Attribute(name, "nominal", ("False", "True")), codes
    if _is_number(kind) or types.is_null(kind):
        return _numeric(name, values, origin)
    if types.is_date(kind) or types.is_timestamp(kind):
        return _dates(name, values, origin)
    if _is_text(kind):
        return labels_of_texts(_text_cells(name, values, origin))
    raise TableError(
        f"column {name!r}: expected numbers, booleans, texts, dates or a dictionary of texts, got "
        f"the type {kind}: leave it out with --ignore {name!r}, or cast it",
        origin.source,
    )


def _numeric(name: str, values: Any, origin: Origin) -> Column:  # noqa: ANN401
    """Return the nearest doubles, and tell which numbers they are not."""
    types = _pyarrow().types
    advice = f"--nominal {name!r} reads all as labels"
    if types.is_integer(values.type):
        tell_lost(_place(name, origin), values.drop_null().to_numpy(), advice)
    elif types.is_decimal(values.type):
        tell_lost(_place(name, origin), values.drop_null().unique().to_pylist(), advice)
        values = values.cast("string")  # pyarrow's own doubles of decimals are not the nearest
    numbers = values.cast("float64", safe=False).fill_null(float("nan")).to_numpy()
    return Attribute(name, "numeric"), numbers


def _number_cells(name: str, values: Any, origin: Origin) -> Cells:  # noqa: ANN401
    """Return numbers as texts with all their digits."""
    types = _pyarrow().types
    known = ~values.is_null().to_numpy()
    if types.is_integer(values.type):
        numbers = values.fill_null(0).to_numpy()
    elif types.is_decimal(values.type):
        numbers = np.array(values.to_pylist(), object)
    else:
        numbers = values.cast("float64").fill_null(float("nan")).to_numpy()
        known &= ~np.isnan(numbers)
    return cells_of_values(name, numbers, known, label_text, origin)


def _from_dictionary(name: str, values: Any) -> Column:  # noqa: ANN401
    if len(values) == 0:  # a chunk has the dictionary, and there is none
        return Attribute(name, "nominal"), np.empty(0, np.int64)
    whole = values.unify_dictionaries().combine_chunks()
    codes = whole.indices.cast("int64").fill_null(-1).to_numpy()
    labels = tuple(whole.dictionary.to_pylist())
    return Attribute(name, "nominal", labels, order=labels if values.type.ordered else None), codes


def _text_cells(name: str, values: Any, origin: Origin) -> Cells:  # noqa: ANN401
    encoded = values.cast("large_string").combine_chunks().dictionary_encode()
    codes = encoded.indices.fill_null(-1).to_numpy()
    return Cells(name, encoded.dictionary.to_pylist(), codes, frozenset(), origin)


def _dates(name: str, values: Any, origin: Origin) -> Column:  # noqa: ANN401
    """Return whole milliseconds, rounded down, NaN for missing, and tell what is cut off."""
    types = _pyarrow().types
    absent = values.is_null().to_numpy()
    unit, whole = "ms", values
    if types.is_date32(values.type):
        whole = values.cast("int32")
    elif types.is_timestamp(values.type):
        unit = values.type.unit
    numbers = whole.cast("int64").fill_null(0).to_numpy()
    per_ms, finer = divmod(_PER_SECOND[unit], 1000)
    if types.is_date32(values.type):
        moments = numbers * float(_MS_PER_DAY)
    elif per_ms:
        moments = (numbers // per_ms).astype(np.float64)
        if (numbers % per_ms).any():
            tell_finer(_place(name, origin))
    else:
        moments = numbers * (1000.0 / finer)
    far = np.flatnonzero(np.abs(moments) > _LAST_MOMENT)
    if len(far):
        message = "expected a time within 275,760 years of 1970, got one outside"
        raise origin.fault(name, int(far[0]), message)
    return dated(name, np.where(absent, np.nan, moments))


def _place(name: str, origin: Origin) -> str:
    return f"{origin.source}: column {name!r}"


def _array(pyarrow: Any, attribute: Attribute, column: NDArray[Any]) -> Any:  # noqa: ANN401
    if attribute.type == "relational":
        raise WidcError(
            f"attribute {attribute.name!r}: expected values that Parquet can hold, got relational "
            "ones"
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
