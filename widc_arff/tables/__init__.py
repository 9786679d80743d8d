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
import zlib
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from widc_arff.arff import chunks
from widc_arff.arff.reader import read_pieces
from widc_arff.arff.relation import Attribute, Relation
from widc_arff.arff.writer import write_arff
from widc_arff.errors import DataError, TableError
from widc_arff.files import written_whole
from widc_arff.labels import class_index, index_of
from widc_arff.tables.wording import types_in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    Column = tuple[Attribute, NDArray[Any]]

FORMS = ("arff", "csv", "tsv", "parquet")
_HEAD = 1 << 16
_PARQUET_MAGIC = b"PAR1"


def read_data(  # noqa: PLR0913 - optional, by name
    path: str | os.PathLike[str],
    encoding: str = "utf-8",
    *,
    target: str | None = None,
    ignore: Sequence[str] = (),
    nominal: Sequence[str] = (),
    declared: Mapping[str, Attribute] | None = None,
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
        Columns that nobody will use: of CSV they become string attributes, unchecked.
    nominal : sequence of str
        Columns of CSV and Parquet that are nominal even if they hold numbers.
    declared : mapping of str to Attribute, optional
        Attributes of a model, by name: such columns of CSV and Parquet are read by them.  Others
        are then string attributes if they cannot be read.
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
    """
    (relation,) = data_pieces(
        path,
        encoding,
        target=target,
        ignore=ignore,
        nominal=nominal,
        declared=declared,
        on_types=on_types,
    )
    return relation


def data_pieces(  # noqa: PLR0913 - what read_data takes
    path: str | os.PathLike[str],
    encoding: str = "utf-8",
    *,
    target: str | None = None,
    ignore: Sequence[str] = (),
    nominal: Sequence[str] = (),
    declared: Mapping[str, Attribute] | None = None,
    on_types: Callable[[str], None] | None = None,
    most_cells: int | None = None,
) -> Iterator[Relation]:
    """Read a data file as `read_data` does, an ARFF file some rows at a time.

    Parameters
    ----------
    path, encoding, target, ignore, nominal, declared, on_types
        As in `read_data`.
    most_cells : int or None
        About how many values a piece of an ARFF file holds; None: all.
    """
    form: str = form_of(path)
    file: chunks.File = path
    if path == "-":
        file, form = _standard_input(encoding)
    if form == "arff":
        if nominal:
            raise DataError(
                f"nominal: expected CSV or Parquet with it, got {os.fspath(path)}: an ARFF file "
                "declares its types"
            )
        yield from read_pieces(file, encoding, most_cells=most_cells)
        return
    relation = read_table(
        file,
        form,
        encoding,
        name="data" if path == "-" else stem_of(path),
        target=target,
        ignore=ignore,
        nominal=nominal,
        declared=declared,
    )
    if on_types is not None:
        source = "<stdin>" if path == "-" else os.fspath(path)
        on_types(types_in_words(relation, source, target, frozenset(ignore)))
    yield relation


def read_table(  # noqa: PLR0913 - what read_data takes
    file: chunks.File,
    form: str,
    encoding: str = "utf-8",
    *,
    name: str = "data",
    target: str | None = None,
    ignore: Sequence[str] = (),
    nominal: Sequence[str] = (),
    declared: Mapping[str, Attribute] | None = None,
) -> Relation:
    """Read CSV, tab-separated values or Parquet; all else is as in `read_data`.

    Parameters
    ----------
    file : path or file
        What to read.
    form : {"csv", "tsv", "parquet"}
        Its form.
    encoding, target, ignore, nominal, declared
        As in `read_data`.
    name : str
        Name of the relation.
    """
    raw: Sequence[_RawColumn]
    if form == "parquet":
        from widc_arff.tables.parquet_files import read_parquet_columns  # noqa: PLC0415

        raw = read_parquet_columns(file)
    else:
        from widc_arff.tables.csv_files import read_csv_cells  # noqa: PLC0415

        raw = read_csv_cells(file, encoding, is_tsv=form == "tsv")
    if declared is None:
        names = [column.name for column in raw]
        place = None if target is None else class_index(names, target)
        chosen = {index_of(names, name, "nominal") for name in nominal}
        columns = list(_inferred(raw, place, frozenset(ignore), chosen))
    else:
        columns = list(_declared(raw, declared))
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
    def inferred(self) -> Column: ...
    def as_class(self) -> Column: ...
    def as_nominal(self) -> Column: ...
    def as_declared(self, wanted: Attribute) -> Column: ...
    def as_texts(self) -> Column: ...


def _inferred(
    raw: Sequence[_RawColumn], place: int | None, ignored: frozenset[str], nominal: set[int]
) -> Iterator[Column]:
    for i, column in enumerate(raw):
        if i == place:
            yield column.as_class()
        elif column.name in ignored:
            yield column.as_texts()
        else:
            yield column.as_nominal() if i in nominal else column.inferred()


def _declared(raw: Sequence[_RawColumn], declared: Mapping[str, Attribute]) -> Iterator[Column]:
    for column in raw:
        if column.name in declared:
            yield column.as_declared(declared[column.name])
            continue
        try:
            yield column.inferred()
        except TableError:  # nobody asked for it
            yield column.as_texts()


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
