"""Parts of an ARFF file that can be read at the same time.

A span is the header and some of the rows: read as a file of its own it gives these rows.  Only
plain files are cut; compressed ones, and those in other encodings than UTF-8, are one span.
"""

from __future__ import annotations

import codecs
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, cast

from widc_arff.arff import chunks
from widc_arff.arff.reader import read_declarations, read_pieces
from widc_arff.errors import ArffError
from widc_arff.system.files import opened_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedReader

    from widc_arff.arff.relation import Relation

_SPACE = b" \t\r\n"


@dataclass(frozen=True, slots=True)
class Span:
    """A whole file, or its header and some of its rows.

    Parameters
    ----------
    path : str
        The file.
    header_stop, start, stop : int
        The bytes before `header_stop` and from `start` to `stop` belong to the span.
    """

    path: str
    header_stop: int
    start: int
    stop: int

    @property
    def n_bytes(self) -> int:
        """Size of the rows."""
        return self.stop - self.start


def spans(path: str, encoding: str, most_bytes: int) -> list[Span]:
    """Return the spans of a file, of about `most_bytes` at most where it can be cut.

    Raises
    ------
    ArffError
        If the file or its header cannot be read.
    """
    with chunks.opened(path) as (opened, _):
        file = cast("BufferedReader", opened)
        size = file.seek(0, 2)
        whole = Span(path, 0, 0, size)
        if size <= most_bytes or chunks.codec(encoding) not in ("utf-8", "ascii"):
            return [whole]
        file.seek(0)
        if file.read(2) == chunks.GZIP_MAGIC:
            return [whole]
        mark = codecs.BOM_UTF8
        file.seek(0)
        header_stop = read_declarations(path, encoding)[1]
        header_stop += len(mark) if file.read(len(mark)) == mark else 0
        file.seek(header_stop)
        if file.readline().strip(_SPACE):  # rows, or a comment, after @data
            return [whole]
        header_stop = file.tell()
        bounds = [header_stop]
        while size - bounds[-1] > most_bytes:
            bounds.append(_line_start(file, bounds[-1] + most_bytes))
        bounds = [*(bound for bound in bounds if bound < size), size]
    return [Span(path, header_stop, start, stop) for start, stop in pairwise(bounds)]


def read_span(span: Span, encoding: str = "utf-8") -> Iterator[Relation]:
    """Yield the rows of a span, a piece at a time; one piece at least.

    Raises
    ------
    ArffError
        As `read_arff` does, with the line of the file.
    """
    if span.header_stop == 0:
        yield from read_pieces(span.path, encoding)
        return
    with chunks.opened(span.path) as (_, source), closing(_SpanFile(span)) as file:
        try:
            yield from read_pieces(file, encoding)
        except ArffError as error:
            line = error.line
            if line is not None and line > file.count_lines(0, span.header_stop):
                line += file.count_lines(span.header_stop, span.start)
            raise ArffError(error.message, source, line, error.column, error.text) from error


class _SpanFile:
    """The bytes of a span as a file."""

    def __init__(self, span: Span) -> None:
        self.name = span.path
        self._file = opened_file(span.path)
        self._ranges = [(span.start, span.stop), (0, span.header_stop)]
        self._left = 0

    def read(self, size: int, /) -> bytes:
        while self._left == 0 and self._ranges:
            start, stop = self._ranges.pop()
            self._file.seek(start)
            self._left = stop - start
        content = self._file.read(min(size, self._left))
        self._left -= len(content)
        return content

    def count_lines(self, start: int, stop: int) -> int:
        """Return the number of line ends in some bytes of the file."""
        self._file.seek(start)
        n_lines, left = 0, stop - start
        while left and (block := self._file.read(min(left, chunks.CHUNK_SIZE))):
            n_lines += chunks.count_lines(block)
            left -= len(block)
        return n_lines

    def close(self) -> None:
        self._file.close()


def _line_start(file: BufferedReader, position: int) -> int:
    """Return the first start of a line from `position` on that is sure not to be in a value."""
    file.seek(position - 2)  # so that an escaped line end just before is seen as one
    while line := file.readline():
        if file.tell() >= position and not line.rstrip(b"\r\n").endswith(b"\\"):
            break
    return file.tell()
