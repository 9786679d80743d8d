"""Reading ARFF files.

A file is read in chunks of whole lines.  Each chunk goes through the fast path
(`widc_arff.arff.fast`) if it is plain, else through the careful path (`widc_arff.arff.rows`), which
gives the same values or the error with its place.  Peak memory is that of the columns and of the
parts that they are joined from, one column at a time; of sparse rows that of what they state.
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
from widc_arff.arff.sparse import SparseColumns
from widc_arff.errors import ArffError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from widc_arff.arff.columns import Column
    from widc_arff.arff.header import Header
    from widc_arff.arff.rows import Block

CELLS = 1 << 21
"""Values of a piece: 16 MB of numbers."""

LONGEST_HEADER = 1 << 26
"""Bytes of a header at most: a million attributes take half of that."""

_WEIGHT = Attribute("weight", "numeric")


def read_arff(
    path_or_file: chunks.File, encoding: str = "utf-8", *, chunk_size: int | None = None
) -> Relation:
    """Read an ARFF file, with the values that Weka reads.

    Parameters
    ----------
    path_or_file : str, path or file
        A path, ``-`` for standard input, or an open binary or text file.  Compressed files (gzip)
        are recognised whatever their name.
    encoding : str
        Encoding of the file; ignored for an open text file.
    chunk_size : int, optional
        About how many bytes are read and parsed at once.

    Returns
    -------
    Relation

    Raises
    ------
    ArffError
        If the file cannot be read or has a fault, with line and column.

    Examples
    --------
    >>> from widc_arff import read_arff
    >>> weather = read_arff("arff_data/weather-nominal.arff")
    >>> weather.n_rows, weather.attributes[0].values
    (14, ('sunny', 'overcast', 'rainy'))
    """
    (relation,) = read_pieces(path_or_file, encoding, most_cells=None, chunk_size=chunk_size)
    return relation


def read_pieces(
    path_or_file: chunks.File,
    encoding: str = "utf-8",
    *,
    most_cells: int | None = CELLS,
    chunk_size: int | None = None,
) -> Iterator[Relation]:
    """Read an ARFF file as `read_arff` does, some rows at a time.

    Parameters
    ----------
    path_or_file, encoding, chunk_size
        As in `read_arff`.
    most_cells : int or None
        About how many values a piece holds; None: all rows are one piece.  Sparse rows do not
        count: they are held as what they state.

    Yields
    ------
    Relation
        One at least, and no other one without rows.

    Raises
    ------
    ArffError
        As `read_arff` does.
    """
    with chunks.opened(path_or_file) as (file, source):
        stream = chunks.line_chunks(file, source, encoding, chunk_size)
        header, text, rest = _header(stream, source, encoding)
        body = _Body(header.attributes, source, encoding)
        line, column, line_text = SourceText(text, source).line_at(header.end)
        body.add(rest, line, line_text[: column - 1])
        line += chunks.count_lines(rest)
        n_pieces = 0
        for chunk in stream:
            if most_cells is not None and body.n_cells >= most_cells:
                yield body.relation(header.name)
                n_pieces += 1
            body.add(chunk, line)
            line += chunks.count_lines(chunk)
        if body.has_rows or n_pieces == 0:
            yield body.relation(header.name)


def read_declarations(path: str, encoding: str = "utf-8") -> tuple[Relation, int]:
    """Read the header of an ARFF file.

    Parameters
    ----------
    path, encoding
        As in `read_arff`.

    Returns
    -------
    relation : Relation
        Without rows.
    n_bytes : int
        Length of the header in UTF-8, a byte-order mark not counted.

    Raises
    ------
    ArffError
        If the file cannot be opened, or the header is not right.
    """
    with chunks.opened(path) as (file, source):
        stream = chunks.line_chunks(file, source, encoding)
        header, text, _ = _header(stream, source, encoding)
    relation = _Body(header.attributes, source, encoding).relation(header.name)
    return relation, len(text.encode())


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
            if len(taken) > LONGEST_HEADER:
                raise ArffError(
                    f"expected @data within the first {LONGEST_HEADER:,} bytes, got none",
                    source,
                ) from None
            continue
        end = len(text[: header.end].encode())
        return header, text[: header.end], taken[end:]


class _Body:
    """The rows read so far: blocks of dense rows in columns, or of what sparse rows state."""

    def __init__(self, attributes: Sequence[Attribute], source: str, encoding: str) -> None:
        self._attributes = tuple(attributes)
        self._source = source
        self._encoding = encoding
        self._careful = RowReader(attributes)
        self._fast = FastReader(self._careful.cells)
        self._blocks: list[Block] = []
        self.n_cells = 0

    @property
    def has_rows(self) -> bool:
        """Whether there are rows since the last relation."""
        return bool(self._blocks)

    def add(self, chunk: bytes, first_line: int, before: str = "") -> None:
        """Add the rows of whole lines, the first of which begins with `before`."""
        block = self._fast.read(chunk)
        if block is None:
            text = chunks.decoded(chunk, self._source, first_line, self._encoding)
            block = self._careful.read(SourceText(text, self._source, first_line, before))
        if len(block.weights):
            self._blocks.append(block)
            if isinstance(block.columns, list):
                self.n_cells += len(block.weights) * len(self._attributes)

    def relation(self, name: str) -> Relation:
        """Return all rows since the last time; parts are given up one column after the other."""
        blocks, self._blocks, self.n_cells = self._blocks, [], 0
        weights = joined([block.weights for block in blocks], _WEIGHT)
        return Relation(name, self._attributes, self._columns(blocks), weights)

    def _columns(self, blocks: list[Block]) -> Sequence[Column]:
        dense = [block.columns for block in blocks if isinstance(block.columns, list)]
        if len(dense) < len(blocks):
            return SparseColumns.joined(self._attributes, [block.columns for block in blocks])
        return tuple(
            joined([columns.pop() for columns in dense], attribute)
            for attribute in self._attributes[::-1]
        )[::-1]
