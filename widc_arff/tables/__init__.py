"""Data files of every form: ARFF, CSV and Parquet, told by the ending of their names.

==========================  =========  ==========================================
ending                      form       types of the columns
==========================  =========  ==========================================
``.csv``                    CSV        by their texts
``.tsv``                    CSV, tabs  by their texts
``.xlsx``                   Excel      by their texts, of the first sheet
``.parquet``                Parquet    of the file
``.feather``, ``.orc``      alike      of the file
``.txt .tab .data .dat``    either     ARFF if the text begins with @ or %, else CSV
any other                   ARFF       declared
==========================  =========  ==========================================

Texts may be packed: ``.gz``, ``.bz2``, ``.xz``, ``.zst`` (from Python 3.14 on) and ``.zip``, behind
the other ending.
``-``, standard input, is what its first bytes are.  What reads and writes the others than ARFF is
imported with the first of them.
"""

from __future__ import annotations

import os
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from widc_arff.arff import chunks
from widc_arff.arff.dates import DateFormat
from widc_arff.arff.relation import Relation
from widc_arff.arff.writer import write_arff
from widc_arff.errors import ArffError, DataError, TableError
from widc_arff.system.files import files_of, is_folder, written_whole
from widc_arff.tables.labels import names_meant
from widc_arff.tables.type_summary import types_in_words
from widc_arff.tables.uses import TableOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from widc_arff.arff.relation import Attribute

FORMS = ("arff", "csv", "tsv", "parquet")
ARROW = ("parquet", "feather", "orc")
READ_FORMS = (*FORMS, "xlsx", "feather", "orc")
"""Those of `FORMS` are written too."""
PACKED = (".gz", ".bz2", ".xz", ".zst", ".zip")
"""Endings of packed files, which are read; only those of gzip are written."""
_OF_ANY_TEXT = (".txt", ".tab", ".data", ".dat")
"""Endings that do not tell ARFF from CSV."""
_HEAD = 1 << 20  # a block of bzip2 and more
_PARQUET_MAGIC = b"PAR1"


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
    thousands: str = "",
    dates: Sequence[str] = (),
    header: bool = True,
    weights: str | None = None,
    on_types: Callable[[str], None] | None = None,
) -> Relation:
    """Read an ARFF, CSV or Parquet file.

    Parameters
    ----------
    path : str or path-like
        The ending of the name decides the format; ``-`` is standard input.
    encoding : str
        Of ARFF and CSV files.
    target : str, optional
        The class: its name, ``first``, ``last`` or a number from 1.  In CSV and Parquet it becomes
        nominal, whatever its values; an ARFF file declares its type.
    ignore : sequence of str
        Columns to leave out, names or patterns: in CSV and Parquet they become string attributes,
        unchecked; those of Parquet are not read and are empty.
    nominal : sequence of str
        Columns that are nominal even if they hold numbers, or the texts of an ARFF file.
    texts : sequence of str
        Columns of CSV and Parquet that are read unchanged, as string attributes.
    declared : mapping of str to Attribute, optional
        Attributes of a model, by name: columns of CSV and Parquet with these names get their types.
        Others
        are then string attributes if they cannot be read, or lose something as numbers or dates.
    decimal : {".", ","}
        Decimal mark of numbers in CSV.
    thousands : {"", ",", ".", "'", " "}
        Thousands separator of numbers in CSV.
    dates : sequence of str
        Formats of dates in CSV other than ISO 8601, in the letters of Java's SimpleDateFormat.
    header : bool
        Whether CSV has a line with the names of the columns; else they are x1, x2, ...
    weights : str, optional
        A column with the weights of the rows; rules do not use it.
    on_types : callable, optional
        Called with a text on the types that the columns of a CSV or Parquet file were found to
        have.

    Returns
    -------
    Relation
        For CSV and Parquet its name is that of the file without the ending.

    Raises
    ------
    ArffError, TableError
        If the file cannot be read or has a fault.
    DataError
        If there is no such class, or no such column to be nominal.
    WidcError
        If the format is Parquet and pyarrow is not installed.

    Examples
    --------
    >>> from widc_arff import read_data
    >>> read_data("arff_data/iris.arff").name
    'iris'
    """
    options = TableOptions(
        encoding,
        target,
        ignore,
        nominal,
        texts,
        declared=declared,
        decimal=decimal,
        thousands=thousands,
        dates=dates,
        header=header,
        weights=weights,
    )
    (relation,) = data_pieces(path, options, on_types=on_types)
    return relation


def data_pieces(
    path: str | os.PathLike[str],
    options: TableOptions,
    *,
    on_types: Callable[[str], None] | None = None,
    most_cells: int | None = None,
) -> Iterator[Relation]:
    """Read a data file, or those of a folder, as `read_data` does; ARFF some rows at a time.

    Parameters
    ----------
    path, options, on_types
        As in `read_data`.
    most_cells : int or None
        About how many values a piece of an ARFF file holds, and of Parquet that is read for a
        model; None: all.  Other tables are one piece, the columns of which are in a temporary file
        where there are more.
    """
    file: chunks.File = path
    is_of_files = is_folder(path)
    form = _form_of_folder(path) if is_of_files else form_of_file(path, options.encoding)
    if path == "-":
        file, form = _standard_input(options.encoding)
    _check_form(form, options, os.fspath(path))
    if form == "arff" and is_of_files:
        yield from _pieces_of_files(files_of(os.fspath(path)), options, most_cells)
        return
    if form == "arff":
        from widc_arff.tables.arff_files import arff_pieces  # noqa: PLC0415

        yield from arff_pieces(
            file, options, "<stdin>" if path == "-" else os.fspath(path), most_cells
        )
        return
    name = "data" if path == "-" else stem_of(path)
    if form in ARROW and options.declared is not None and most_cells is not None:
        from widc_arff.tables.parquet_files import parquet_pieces  # noqa: PLC0415

        yield from parquet_pieces(file, form, options, name, most_cells)
        return
    relation = read_table(file, form, options, name, most_cells)
    if on_types is not None:
        source = "<stdin>" if path == "-" else os.fspath(path)
        names = [attribute.name for attribute in relation.attributes]
        of_no_type = {*names_meant(names, options.ignore, "ignore"), *options.texts, options.lists}
        on_types(types_in_words(relation, source, options.target, of_no_type))
    yield relation


def _form_of_folder(path: str | os.PathLike[str]) -> str:
    """Return the form of the files of a folder.

    Raises
    ------
    TableError
        If there are none, or not of one form that is read from folders.
    """
    source = os.fspath(path)
    files = (file for file in files_of(source) if file != source)
    endings = {Path(_unpacked_name(file)).suffix.lower() for file in files}
    forms = sorted({ending.removeprefix(".") or "no ending" for ending in endings})
    if len(forms) != 1 or forms[0] not in (*FORMS, *ARROW):
        found = " and ".join(forms) or "none"
        raise TableError(f"expected a folder of ARFF, CSV or Parquet files, got {found}", source)
    return forms[0]


def _pieces_of_files(
    files: Sequence[str], options: TableOptions, most_cells: int | None
) -> Iterator[Relation]:
    """Yield the rows of ARFF files one after the other; all as one where nothing is the limit."""
    from widc_arff.tables.arff_files import arff_pieces  # noqa: PLC0415

    def pieces() -> Iterator[Relation]:
        first = None
        for file in files:
            for piece in arff_pieces(file, options, file, most_cells):
                first = first or piece
                if piece.attributes != first.attributes:
                    raise TableError(f"expected the attributes of {files[0]}", file)
                yield piece

    if most_cells is None:
        yield Relation.joined(list(pieces()))
    else:
        yield from pieces()


def _check_form(form: str, options: TableOptions, path: str) -> None:
    """Refuse options that are for texts of CSV alone."""
    default = TableOptions()
    for name, option in (
        ("decimal", "decimal"),
        ("thousands", "thousands"),
        ("dates", "dates"),
        ("header", "no_header"),
    ):
        if (form == "arff" or form in ARROW) and getattr(options, name) != getattr(default, name):
            raise DataError(
                f"{option}: expected CSV with it, got {path}: numbers and dates of ARFF are "
                "written in one way, those of Parquet are no texts"
            )
    if options.thousands == options.decimal:
        raise DataError(
            f"thousands: expected a mark other than the decimal mark, got {options.thousands!r}"
        )
    for date_format in options.dates:
        try:
            DateFormat(date_format)
        except ValueError as error:
            raise DataError(
                f"dates: expected a format such as dd/MM/yyyy, got {date_format!r}: {error}"
            ) from error


def read_table(
    file: chunks.File,
    form: str,
    options: TableOptions | None = None,
    name: str = "data",
    most_cells: int | None = None,
) -> Relation:
    """Read CSV, tab-separated values or Parquet; all else is as in `read_data`.

    Parameters
    ----------
    file : path or file
        What to read.
    form : {"csv", "tsv", "xlsx", "parquet", "feather", "orc"}
        Its form.
    options : TableOptions, optional
        How.
    name : str
        Name of the relation.
    most_cells : int or None
        Where there are more values the columns are in a temporary file; None: never.
    """
    options = options or TableOptions()
    if form in ARROW:
        from widc_arff.tables.parquet_files import read_parquet  # noqa: PLC0415

        return read_parquet(file, form, options, name, most_cells)
    from widc_arff.tables.csv_columns import read_texts  # noqa: PLC0415

    return read_texts(file, form, options, name, most_cells)


def write_data(relation: Relation, path: str | os.PathLike[str]) -> None:
    """Write a relation as ARFF, CSV or Parquet, by the ending of the name.

    The file is complete or not there at all.  CSV and Parquet have no place for weights.

    Raises
    ------
    ArffError, WidcError
        If the format cannot express something, or pyarrow is not installed.
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
    """Return the form of a file by the ending of its name: one of `READ_FORMS`."""
    name = _unpacked_name(os.fspath(path)).lower()
    return next((form for form in READ_FORMS if name.endswith(f".{form}")), "arff")


def form_of_file(path: str | os.PathLike[str], encoding: str = "utf-8") -> str:
    """Return the form of a file that is there, by its first bytes if its ending does not tell.

    Raises
    ------
    ArffError
        If it cannot be opened.
    TableError
        If it is a model file.
    """
    if not _unpacked_name(os.fspath(path)).lower().endswith(_OF_ANY_TEXT):
        return form_of(path)
    with chunks.opened(path) as (file, source):
        head = file.read(_HEAD)
    return _form_of_text(cast("bytes", head), source, encoding)


def stem_of(path: str | os.PathLike[str]) -> str:
    """Return the name of a file without folder and ending."""
    name = _unpacked_name(Path(path).name)
    return _without_ending(name, (*_OF_ANY_TEXT, *(f".{form}" for form in READ_FORMS)))


def _unpacked_name(name: str) -> str:
    """Return the name of a file without the ending of a packing."""
    return _without_ending(name, PACKED)


def _without_ending(name: str, endings: Sequence[str]) -> str:
    ending = next((ending for ending in endings if name.lower().endswith(ending)), "")
    return name[: len(name) - len(ending)]


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
    return file, _form_of_text(head, "<stdin>", encoding)


def _form_of_text(head: bytes, source: str, encoding: str) -> str:
    """Return ``arff`` or ``csv`` by the first bytes of a text, packed or not."""
    try:
        head = next(chunks.unpacked(iter([head]), ""), b"")[:_HEAD]
    except ArffError:
        return "arff"  # its reader says what is wrong
    try:
        text = head.decode(encoding, "ignore").lstrip("\ufeff \t\r\n")
    except LookupError:
        return "arff"
    if text.startswith("{") and '"widc-arff/committee"' in text:
        raise TableError("expected data (ARFF, CSV or Parquet), got a model file", source)
    return "arff" if not text or text[0] in "@%" else "csv"
