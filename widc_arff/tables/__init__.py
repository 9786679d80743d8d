"""Data files of every form: ARFF, CSV and Parquet, told by the ending of their names.

==========================  =========  ==========================================
ending                      form       types of the columns
==========================  =========  ==========================================
``.csv``, ``.csv.gz``       CSV        by their texts
``.tsv``, ``.tsv.gz``       CSV, tabs  by their texts
``.parquet``                Parquet    of the file
any other                   ARFF       declared
==========================  =========  ==========================================

``-``, standard input, is what its first bytes are.  What reads and writes the others than ARFF is
imported with the first of them.
"""

from __future__ import annotations

import os
import warnings
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from widc_arff.arff import chunks
from widc_arff.arff.reader import read_pieces
from widc_arff.arff.relation import Attribute, Relation
from widc_arff.arff.writer import write_arff
from widc_arff.errors import DataError, TableError, WidcWarning
from widc_arff.system.files import written_whole
from widc_arff.tables.in_words import types_in_words
from widc_arff.tables.labels import class_index, index_of, names_meant

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from widc_arff.tables.cells import Origin

    Column = tuple[Attribute, NDArray[Any]]

FORMS = ("arff", "csv", "tsv", "parquet")
_HEAD = 1 << 16
_PARQUET_MAGIC = b"PAR1"


@dataclass(frozen=True, slots=True)
class TableOptions:
    """How tables are read, as `read_data` takes it."""

    encoding: str = "utf-8"
    target: str | None = None
    ignore: Sequence[str] = ()
    nominal: Sequence[str] = ()
    texts: Sequence[str] = ()
    declared: Mapping[str, Attribute] | None = None
    decimal: str = "."


def read_data(  # noqa: PLR0913 - optional, by name
    path: str | os.PathLike[str],
    encoding: str = "utf-8",
    *,
    target: str | None = None,
    ignore: Sequence[str] = (),
    nominal: Sequence[str] = (),
    texts: Sequence[str] = (),
    declared: Mapping[str, Attribute] | None = None,
    decimal: str = ".",
    on_types: Callable[[str], None] | None = None,
) -> Relation:
    """Read an ARFF, CSV or Parquet file.

    Parameters
    ----------
    path : str or path-like
        The ending of the name tells the form; ``-`` is standard input.
    encoding : str
        Of ARFF and CSV files.
    target : str, optional
        The class: its name, ``first``, ``last`` or a number from 1.  Of CSV and Parquet it becomes
        nominal, whatever its values; an ARFF file declares what it is.
    ignore : sequence of str
        Columns that nobody will use, as `names_meant` takes them: of CSV and Parquet they become
        string attributes, unchecked; those of Parquet are not read and hold nothing.
    nominal : sequence of str
        Columns of CSV and Parquet that are nominal even if they hold numbers.
    texts : sequence of str
        Columns of CSV and Parquet that are read as string attributes, letter by letter.
    declared : mapping of str to Attribute, optional
        Attributes of a model, by name: such columns of CSV and Parquet are read by them.  Others
        are then string attributes if they cannot be read, or lose something as numbers or dates.
    decimal : {".", ","}
        The decimal sign of numbers in CSV.
    on_types : callable, optional
        Is told in words which types the columns of a CSV or Parquet file were found to have.

    Returns
    -------
    Relation
        Of CSV and Parquet it has the name of the file without its ending.

    Raises
    ------
    ArffError, TableError
        If the file cannot be read or is not right.
    DataError
        If there is no such class, or no such column to be nominal.
    WidcError
        If the form is Parquet and pyarrow is not installed.

    Examples
    --------
    >>> from widc_arff import read_data
    >>> read_data("arff_data/iris.arff").name
    'iris'
    """
    options = TableOptions(encoding, target, ignore, nominal, texts, declared, decimal)
    (relation,) = data_pieces(path, options, on_types=on_types)
    return relation


def data_pieces(
    path: str | os.PathLike[str],
    options: TableOptions,
    *,
    on_types: Callable[[str], None] | None = None,
    most_cells: int | None = None,
) -> Iterator[Relation]:
    """Read a data file as `read_data` does, an ARFF file some rows at a time.

    Parameters
    ----------
    path, options, on_types
        As in `read_data`.
    most_cells : int or None
        About how many values a piece of an ARFF file holds; None: all.
    """
    form: str = form_of(path)
    file: chunks.File = path
    if path == "-":
        file, form = _standard_input(options.encoding)
    if options.decimal != "." and form not in ("csv", "tsv"):
        raise DataError(
            f"decimal: expected CSV with it, got {os.fspath(path)}: numbers of ARFF have points, "
            "those of Parquet are no texts"
        )
    if form == "arff":
        if options.nominal:
            raise DataError(
                f"nominal: expected CSV or Parquet with it, got {os.fspath(path)}: an ARFF file "
                "declares its types"
            )
        yield from read_pieces(file, options.encoding, most_cells=most_cells)
        return
    name = "data" if path == "-" else stem_of(path)
    relation = read_table(file, form, options, name)
    if on_types is not None:
        source = "<stdin>" if path == "-" else os.fspath(path)
        names = [attribute.name for attribute in relation.attributes]
        ignored = frozenset([*names_meant(names, options.ignore, "ignore"), *options.texts])
        on_types(types_in_words(relation, source, options.target, ignored))
    yield relation


def read_table(
    file: chunks.File, form: str, options: TableOptions | None = None, name: str = "data"
) -> Relation:
    """Read CSV, tab-separated values or Parquet; all else is as in `read_data`.

    Parameters
    ----------
    file : path or file
        What to read.
    form : {"csv", "tsv", "parquet"}
        Its form.
    options : TableOptions, optional
        How.
    name : str
        Name of the relation.
    """
    options = options or TableOptions()
    with _raw_columns(file, form, options.encoding, options.decimal) as raw:
        if options.declared is None:
            columns = list(_inferred(raw, options))
        else:
            columns = list(_declared(raw, options.declared))
    return Relation(
        name,
        tuple(attribute for attribute, _ in columns),
        tuple(column for _, column in columns),
        np.ones(len(columns[0][1])),
    )


def write_data(relation: Relation, path: str | os.PathLike[str]) -> None:
    """Write a relation as ARFF, CSV or Parquet, by the ending of the name.

    The file is complete or not there at all.  CSV and Parquet have no place for weights.

    Raises
    ------
    ArffError, WidcError
        If the form has no words for something, or pyarrow is not installed.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import os, tempfile
    >>> from widc_arff import read_data, write_data
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "iris.csv")
    ...     write_data(read_data("arff_data/iris.arff"), path)
    ...     read_data(path).n_rows
    150
    """
    form = form_of(path)
    if form == "arff":
        write_arff(relation, path)
        return
    with written_whole(path) as file:
        if os.fspath(path).lower().endswith(".gz"):
            from gzip import GzipFile  # noqa: PLC0415

            with GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                write_to(relation, cast("IO[bytes]", packed), form)
        else:
            write_to(relation, file, form)


def write_to(relation: Relation, file: IO[bytes], form: str) -> None:
    """Write a relation to an open binary file in one of `FORMS`; dates of CSV are ISO 8601."""
    if form == "arff":
        write_arff(relation, file)
    elif form == "parquet":
        from widc_arff.tables.parquet_files import write_parquet  # noqa: PLC0415

        write_parquet(relation, file)
    else:
        from widc_arff.tables.csv_files import write_csv  # noqa: PLC0415

        text = TextIOWrapper(file, encoding="utf-8", newline="\n")
        write_csv(relation, text, delimiter="\t" if form == "tsv" else ",", iso_dates=True)
        text.flush()
        text.detach()  # the file below stays open


def form_of(path: str | os.PathLike[str]) -> str:
    """Return the form of a file by the ending of its name: one of `FORMS`."""
    name = os.fspath(path).lower().removesuffix(".gz")
    return next((form for form in FORMS if name.endswith(f".{form}")), "arff")


def stem_of(path: str | os.PathLike[str]) -> str:
    """Return the name of a file without folder and ending."""
    name = Path(path).name
    for ending in (".gz", *(f".{form}" for form in FORMS)):
        if name.lower().endswith(ending):
            name = name[: -len(ending)]
    return name


class _RawColumn(Protocol):
    """A column that has not got its type yet."""

    @property
    def name(self) -> str: ...
    @property
    def origin(self) -> Origin: ...
    @property
    def is_index(self) -> bool: ...
    def inferred(self) -> Column: ...
    def as_class(self) -> Column: ...
    def as_nominal(self) -> Column: ...
    def as_declared(self, wanted: Attribute) -> Column: ...
    def as_kept(self) -> Column: ...
    def as_texts(self) -> Column: ...
    def unused(self) -> Column: ...


def _inferred(raw: Sequence[_RawColumn], options: TableOptions) -> Iterator[Column]:
    target, texts = options.target, frozenset(options.texts)
    asked_out = names_meant([column.name for column in raw], options.ignore, "ignore")
    raw = _without_index(raw, {target, *asked_out, *options.nominal, *texts})
    names = [column.name for column in raw]
    place = None if target is None else class_index(names, target)
    nominal = {index_of(names, name, "nominal") for name in options.nominal}
    ignored = frozenset(asked_out) - texts
    for i, column in enumerate(raw):
        if i == place:
            yield column.as_class()
        elif column.name in ignored:
            yield column.unused()
        elif column.name in texts:
            yield column.as_texts()
        else:
            yield column.as_nominal() if i in nominal else column.inferred()


def _declared(raw: Sequence[_RawColumn], declared: Mapping[str, Attribute]) -> Iterator[Column]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)  # training told what there is to tell
        for column in raw:
            if column.name in declared:
                yield column.as_declared(declared[column.name])
                continue
            try:
                yield column.as_kept()
            except TableError:  # nobody asked for it
                yield column.unused()


def _without_index(raw: Sequence[_RawColumn], asked: Collection[str | None]) -> list[_RawColumn]:
    """Return the columns but the index of pandas, unless it is asked for by name; say so."""
    index = [column for column in raw if column.is_index and column.name not in asked]
    kept = [column for column in raw if column not in index]
    if index:
        names = ", ".join(repr(column.name) for column in index)
        source = index[0].origin.source
        if not kept:
            raise TableError(f"expected columns, got the index of pandas alone ({names})", source)
        warnings.warn(
            f"{source}: the index of pandas is left out: {names} (reset_index() before writing "
            "makes it a column)",
            WidcWarning,
            stacklevel=2,
        )
    return kept


@contextmanager
def _raw_columns(
    file: chunks.File, form: str, encoding: str, decimal: str
) -> Iterator[Sequence[_RawColumn]]:
    """Give the columns of a CSV or Parquet file, imported with the first of them."""
    if form == "parquet":
        from widc_arff.tables.parquet_files import parquet_columns  # noqa: PLC0415

        with parquet_columns(file) as columns:
            yield columns
    else:
        from widc_arff.tables.csv_files import read_csv_cells  # noqa: PLC0415

        yield read_csv_cells(file, encoding, is_tsv=form == "tsv", decimal=decimal)


class _Peeked:
    """A binary stream of which the beginning has been read already."""

    name = "<stdin>"

    def __init__(self, head: bytes, rest: IO[bytes]) -> None:
        self._head, self._rest = BytesIO(head), rest

    def read(self, size: int = -1) -> bytes:
        if size < 0:
            return self._head.read() + self._rest.read()
        return self._head.read(size) or self._rest.read(size)


def _standard_input(encoding: str) -> tuple[_Peeked, str]:
    """Return standard input and its form, by its first bytes: ARFF begins with @ or a comment."""
    with chunks.opened("-") as (stream, _):
        head = stream.read(_HEAD)
    assert isinstance(head, bytes)
    file = _Peeked(head, stream)  # type: ignore[arg-type] # binary
    if head.startswith(_PARQUET_MAGIC):
        return file, "parquet"
    if head.startswith(chunks.GZIP_MAGIC):
        try:
            head = zlib.decompressobj(31).decompress(head, _HEAD)
        except zlib.error:
            return file, "arff"  # its reader says what is wrong
    try:
        text = head.decode(encoding, "ignore").lstrip("\ufeff \t\r\n")
    except LookupError:
        return file, "arff"
    return file, "arff" if not text or text[0] in "@%" else "csv"
