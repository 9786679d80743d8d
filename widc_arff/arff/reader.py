"""Reading ARFF files.

A file is read in chunks of whole lines.  Each chunk goes through the fast path
(`widc_arff.arff.fast`) if it is plain, else through the careful path (`widc_arff.arff.rows`), which
gives the same values or the error with its place.  Peak memory is that of the columns and of the
parts that they are joined from, one column at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.arff import chunks
from widc_arff.arff.columns import joined
from widc_arff.arff.fast import FastReader
from widc_arff.arff.header import HeaderUnfinishedError, read_header
from widc_arff.arff.lexer import SourceText
from widc_arff.arff.relation import Attribute, Relation
from widc_arff.arff.rows import RowReader

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from widc_arff.arff.columns import Column
    from widc_arff.arff.header import Header

_WEIGHT = Attribute("weight", "numeric")


def read_arff(path_or_file: chunks.File, encoding: str = "utf-8") -> Relation:
    """Read an ARFF file, with the values that Weka reads.

    Parameters
    ----------
    path_or_file : str, path or file
        A path, ``-`` for standard input, or an open binary or text file.  Compressed files (gzip)
        are recognised whatever their name.
    encoding : str
        The encoding of the file, unless it is an open text file.

    Returns
    -------
    Relation

    Raises
    ------
    ArffError
        If the file cannot be read or is not right, with line and column.
    """
    with chunks.opened(path_or_file) as (file, source):
        return _read(file, source, encoding)


def _read(file: chunks.Readable, source: str, encoding: str) -> Relation:
    stream = chunks.line_chunks(file, source, encoding)
    header, text, rest = _header(stream, source, encoding)
    body = _Body(header.attributes, source, encoding)
    before = SourceText(text, source).line_at(header.end)
    body.add(rest, before[0], before[2][: before[1] - 1])
    line = before[0] + chunks.count_lines(rest)
    for chunk in stream:
        body.add(chunk, line)
        line += chunks.count_lines(chunk)
    return body.relation(header.name)


def _header(stream: Iterator[bytes], source: str, encoding: str) -> tuple[Header, str, bytes]:
    """Return the header, its text, and the bytes that follow it in the chunks that it took."""
    taken = b""
    while True:
        # Each attempt takes twice as much, so a long header costs no more than two readings.
        more = next(stream, b"")
        while more and len(more) < len(taken):
            following = next(stream, b"")
            if not following:
                break
            more += following
        taken += more
        text = chunks.decoded(taken, source, 1, encoding)
        try:
            header = read_header(SourceText(text, source))
        except HeaderUnfinishedError:
            if not more:
                raise
            continue
        end = len(text[: header.end].encode())
        return header, text[: header.end], taken[end:]


class _Body:
    """The rows read so far: a list of parts for each column."""

    def __init__(self, attributes: Sequence[Attribute], source: str, encoding: str) -> None:
        self._attributes = tuple(attributes)
        self._source = source
        self._encoding = encoding
        self._careful = RowReader(attributes)
        self._fast = FastReader(self._careful.cells)
        self._parts: list[list[Column]] = [[] for _ in attributes]
        self._weights: list[Column] = []

    def add(self, chunk: bytes, first_line: int, before: str = "") -> None:
        """Add the rows of whole lines, the first of which begins with `before`."""
        block = self._fast.read(chunk)
        if block is None:
            text = chunks.decoded(chunk, self._source, first_line, self._encoding)
            block = self._careful.read(SourceText(text, self._source, first_line, before))
        if len(block.weights):
            for parts, column in zip(self._parts, block.columns, strict=True):
                parts.append(column)
            self._weights.append(block.weights)

    def relation(self, name: str) -> Relation:
        """Return all rows; the parts are given up one column after the other."""
        columns = []
        for index, attribute in enumerate(self._attributes):
            columns.append(joined(self._parts[index], attribute))
            self._parts[index] = []
        return Relation(name, self._attributes, tuple(columns), joined(self._weights, _WEIGHT))
