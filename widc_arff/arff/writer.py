"""Writing ARFF files that Weka and we read back with equal values.

Numbers have all their digits (Weka's own saver keeps six decimals).  Dates stand in their own
format if that tells each of them exactly, else in one that does, which the header then declares.
"""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from widc_arff.arff.columns import cells
from widc_arff.arff.date_texts import EXACT_FORMATS
from widc_arff.arff.numbers import number_text
from widc_arff.arff.relation import Attribute, Relation
from widc_arff.errors import ArffError
from widc_arff.system.files import written_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from widc_arff.arff.columns import Column

_NEEDS_QUOTES = re.compile(r"[\x00-\x20\x7f-\xa0,%\"'{}\\@\u2028\u2029\ufeff]|\A\Z|\A\?\Z")
_ESCAPED_IN_QUOTES = re.compile(r"[\x00-\x1f'\\]")
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def write_arff(relation: Relation, path_or_file: str | os.PathLike[str] | IO[Any]) -> None:
    """Write an ARFF file in UTF-8 that reads back as an equal relation.

    A file given by its path is complete or not there at all: it is written under another name in
    the same folder and then moved into its place.  A name that ends in ``.gz`` makes a compressed
    file.

    Parameters
    ----------
    relation : Relation
        What to write.
    path_or_file : str, path or file
        A path, or an open binary or text file.

    Raises
    ------
    ArffError
        If the file cannot be written, or the relation holds something that ARFF cannot express.

    Examples
    --------
    >>> import io
    >>> from widc_arff import Attribute, Relation, write_arff
    >>> file = io.StringIO()
    >>> write_arff(Relation.from_rows("r", (Attribute("x", "numeric"),), [[1.5], [None]]), file)
    >>> file.getvalue().split()
    ['@relation', 'r', '@attribute', 'x', 'numeric', '@data', '1.5', '?']
    """
    lines = _lines(relation)
    if isinstance(path_or_file, str | os.PathLike):
        _write_in_place(lines, Path(path_or_file))
        return
    is_text = isinstance(path_or_file, io.TextIOBase) or hasattr(path_or_file, "encoding")
    try:
        for text in lines:
            path_or_file.write(text if is_text else _encoded(text))
    except OSError as error:
        raise ArffError(f"cannot be written: {error.strerror or error}") from error
    except UnicodeError as error:
        raise ArffError(f"cannot be written: {error}") from error


def _write_in_place(lines: Iterator[str], path: Path) -> None:
    name = os.fspath(path)
    try:
        with written_whole(path) as file:
            _write_bytes(lines, file, is_packed=path.suffix == ".gz")
    except OSError as error:
        raise ArffError(f"cannot be written: {error.strerror or error}", name) from error
    except ArffError as error:
        raise ArffError(error.message, name) from error


def _write_bytes(lines: Iterator[str], file: IO[bytes], *, is_packed: bool) -> None:
    if is_packed:
        from gzip import GzipFile  # noqa: PLC0415 - mostly not needed

        with GzipFile("", "wb", fileobj=file, mtime=0) as packed_file:
            packed_file.writelines(map(_encoded, lines))
    else:
        file.writelines(map(_encoded, lines))


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        strange = text[error.start : error.end]
        raise ArffError(f"{strange!r} is not a character and cannot be written") from error


def _lines(relation: Relation) -> Iterator[str]:
    """Yield the file in pieces of some lines."""
    if not relation.attributes:
        raise ArffError("a relation without attributes cannot be written")
    attributes = [
        _with_exact_dates(attribute, [relation.columns[i]]) if _has_dates(attribute) else attribute
        for i, attribute in enumerate(relation.attributes)
    ]
    yield f"@relation {_quoted(relation.name)}\n\n"
    for attribute in attributes:
        yield _declaration(attribute)
    yield "\n@data\n"
    yield from _row_texts(attributes, relation)


def _has_dates(attribute: Attribute) -> bool:
    return attribute.type == "date" or any(map(_has_dates, attribute.attributes))


def _with_exact_dates(attribute: Attribute, columns: Sequence[Column]) -> Attribute:
    """Return the attribute with a format that tells each date in `columns` exactly.

    The columns are all those of the attribute: one, or one in each value of a relational attribute.
    """
    if attribute.type == "relational":
        values = [value for column in columns for value in column if value is not None]
        inner = tuple(
            _with_exact_dates(inner_attribute, [value.columns[index] for value in values])
            for index, inner_attribute in enumerate(attribute.attributes)
        )
        return Attribute(attribute.name, "relational", weight=attribute.weight, attributes=inner)
    if attribute.type != "date":
        return attribute
    moments = np.unique(np.concatenate([np.empty(0), *columns]))
    moments = moments[~np.isnan(moments)]
    for pattern in (attribute.format, *EXACT_FORMATS):
        candidate = Attribute(attribute.name, "date", format=pattern, weight=attribute.weight)
        if _tells(candidate, moments.tolist()):
            return candidate
    raise ArffError(f"attribute {attribute.name!r} holds dates that have no text")


def _tells(attribute: Attribute, moments: list[float]) -> bool:
    date_format = attribute.date_format()
    try:
        return all(date_format.parse(date_format.format(moment)) == moment for moment in moments)
    except ValueError:
        return False


def _declaration(attribute: Attribute, indent: str = "") -> str:
    name, kind = _quoted(attribute.name), str(attribute.type)
    if attribute.type == "nominal":
        kind = "{" + ",".join(map(_quoted, attribute.values)) + "}"
    elif attribute.format is not None:
        kind = f"date {_quoted(attribute.format)}"
    weight = "" if attribute.weight == 1 else f" {{{number_text(attribute.weight)}}}"
    line = f"{indent}@attribute {name} {kind}{weight}\n"
    if attribute.type != "relational":
        return line
    inner = "".join(_declaration(inner, indent + "  ") for inner in attribute.attributes)
    return f"{line}{inner}{indent}@end {name}\n"


def _row_texts(attributes: Sequence[Attribute], relation: Relation) -> Iterator[str]:
    """Yield the rows, some at a time."""
    cell_texts = [_cell_texts(attribute) for attribute in attributes]
    for columns, weights in relation.parts():
        texts = [make_texts(column) for make_texts, column in zip(cell_texts, columns, strict=True)]
        if (weights != 1).any():
            texts.append(["" if w == 1 else f"{{{number_text(w)}}}" for w in weights.tolist()])
            yield "".join(
                ",".join(row if row[-1] else row[:-1]) + "\n" for row in zip(*texts, strict=True)
            )
        else:
            yield "".join(",".join(row) + "\n" for row in zip(*texts, strict=True))


def _cell_texts(attribute: Attribute) -> Callable[[Column], list[str]]:
    """Return the function that turns a column of `attribute` into texts."""
    if attribute.type == "numeric":
        return lambda column: list(map(number_text, column.tolist()))
    if attribute.type == "nominal":
        labels = (*map(_quoted, attribute.values), "?")
        return lambda column: [labels[code] for code in column.tolist()]
    if attribute.type == "string":
        return lambda column: ["?" if text is None else _quoted(text) for text in column]
    if attribute.type == "date":
        date_format = attribute.date_format()
        return lambda column: [
            "?" if moment is None else _quoted(date_format.format(moment))
            for moment in cells(attribute, column)
        ]
    return lambda column: [
        "?"
        if value is None
        else _in_quotes("".join(_row_texts(attribute.attributes, value)).removesuffix("\n"))
        for value in column
    ]


def _quoted(text: str) -> str:
    """Return a text so that it is one word: as it is, or in quotes."""
    return _in_quotes(text) if _NEEDS_QUOTES.search(text) else text


def _in_quotes(text: str) -> str:
    return f"'{_ESCAPED_IN_QUOTES.sub(_escape, text)}'"


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    # Three octal digits, so that a digit that follows is not taken for one of them.
    return _ESCAPES.get(character) or f"\\{ord(character):03o}"
