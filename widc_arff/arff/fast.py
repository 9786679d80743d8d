"""Plain dense rows at speed: the fast path.

A chunk is plain when it has no quotes and no braces but those of a weight behind each row.  Then
the separators alone tell where the values are, and if every line has one value for each attribute
they form a grid, found in a few passes over all bytes at once.  Numbers are read eight digits at a
time: the bytes before a point or separator, seen as one 64-bit integer, become a number with three
multiplications; a mantissa of at most 15 digits and a power of ten are exact in double precision,
and one division rounds correctly.  Whatever else stands in a cell is read by itself, as on the
careful path.

Anything unusual gives the chunk to the careful path: there are no errors here.
"""

from __future__ import annotations

import re
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.arff.columns import column_dtype, packed
from widc_arff.arff.numbers import COMMON_CHARACTERS, java_double
from widc_arff.arff.rows import Block
from widc_arff.errors import ArffError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.arff.columns import Column
    from widc_arff.arff.relation import Attribute
    from widc_arff.arff.rows import CellReader
    from widc_arff.arrays import Bools, Floats, Integers

    Positions = Integers
    Words = NDArray[np.uint64]

_COMMENT = re.compile(rb"%[^\r\n]*+")
_COMMENT_LINE = re.compile(rb"^[\x00-\x09\x0b\x0c\x0e-\x20,]*+%[^\r\n]*+", re.MULTILINE)
_WEIGHT = re.compile(rb"\{[\t ,]*+([^\x00-\x20,{}]++)[\t ,]*+\}(?=[\t ,]*+(?:[\r\n]|\Z))")
_COMMON_BYTES = COMMON_CHARACTERS.encode()

_EIGHT = np.uint64(8)
_LENGTH_OF_WORD = 8
_MOST_DIGITS = 15  # 10**15 < 2**53
_VALUES_AT_A_TIME = 1 << 14  # their intermediate results stay in the cache
ROOM_BEFORE = 2 * _LENGTH_OF_WORD
"""Bytes before the first value of a `ByteText`, so that there are 16 before every value."""
_PADDING = b" " * ROOM_BEFORE


def _repeated(byte: int) -> np.uint64:
    return np.uint64(byte * 0x0101010101010101)


_ZEROS = _repeated(ord("0"))
_POINTS = _repeated(ord("."))
_SIXES = _repeated(6)
_HIGH_NIBBLES = _repeated(0xF0)
_LOW_BITS = _repeated(0x7F)
_HIGH_BITS = _repeated(0x80)
_HIGH_BIT_SHIFT = np.uint64(7)
_HIGHEST_BYTE_SHIFT = np.uint64(56)
_ONE, _ONES = np.uint64(1), _repeated(1)
_POINT_AMONG_DIGITS = _repeated(ord(".") ^ ord("0"))
_TO_HIGH_BIT = _repeated(0x80 - 10)  # added to a byte, it sets the highest bit of 10 and more
# For a word that holds the last bytes of a value: the mask of its last `length` bytes.
_LAST_BYTES = np.array([(1 << 64) - (1 << 8 * (8 - length)) for length in range(9)], np.uint64)
_ZEROS_BEFORE = _ZEROS & ~_LAST_BYTES
# Multiplied by 1 << 8k, it has 7 - k in its highest byte: the number of bytes after byte k.
_BYTES_AFTER = np.uint64(0x0706050403020100)
_POWERS = 10 ** np.arange(_MOST_DIGITS + 1, dtype=np.uint64)
_POWERS_FLOAT = _POWERS.astype(np.float64)


class _UnusualError(Exception):
    """The chunk is not plain, or not right."""


class ByteText(NamedTuple):
    """Bytes in three views: as they are, as numbers, and as the 8-byte words at each offset."""

    raw: bytes
    array: NDArray[np.uint8]
    words: Words


class FastReader:
    """Reads chunks of plain dense rows.

    Parameters
    ----------
    cells : sequence of CellReader
        The readers of the careful path, one for each attribute.
    """

    def __init__(self, cells: Sequence[CellReader]) -> None:
        types = [cell.attribute.type for cell in cells]
        self._is_possible = "relational" not in types
        self._numeric = np.array([j for j, kind in enumerate(types) if kind == "numeric"], np.intp)
        self._others: dict[int, _NominalColumn | _TextColumn] = {
            index: (_NominalColumn if cell.attribute.type == "nominal" else _TextColumn)(cell)
            for index, cell in enumerate(cells)
            if cell.attribute.type != "numeric"
        }

    def read(self, chunk: bytes) -> Block | None:
        """Return the rows of a chunk in UTF-8, or None if it is for the careful path."""
        if not self._is_possible:
            return None
        try:
            plain, n_weights = _without_braces(_without_comments(chunk))
            text = byte_text(plain)
            starts, ends = _grid(text, len(self._numeric) + len(self._others) + (n_weights > 0))
            weights = np.ones(starts.shape[1])
            if n_weights:
                weights = _weights(text, starts[-1], ends[-1], n_weights)
            columns = self._numeric_columns(text, starts, ends)
            for index, column in self._others.items():
                columns[index] = column.read(text, starts[index], ends[index])
        except (_UnusualError, ValueError, KeyError, ArffError):
            return None
        return Block([columns[index] for index in range(len(columns))], weights)

    def _numeric_columns(
        self, text: ByteText, starts: Positions, ends: Positions
    ) -> dict[int, Column]:
        """Return the numeric columns; many at a time where they are short."""
        n_rows = starts.shape[1]
        n_at_a_time = max(1, _VALUES_AT_A_TIME // max(1, n_rows))
        columns: dict[int, Column] = {}
        for first in range(0, len(self._numeric), n_at_a_time):
            indices = self._numeric[first : first + n_at_a_time]
            some = indices if _have_gaps(indices) else slice(indices[0], indices[-1] + 1)
            values = _numbers(text, starts[some].ravel(), ends[some].ravel())
            by_column = values.reshape(len(indices), n_rows)
            columns.update(zip(indices.tolist(), by_column, strict=True))
        return columns


def _have_gaps(indices: NDArray[np.intp]) -> bool:
    return bool(indices[-1] - indices[0] >= len(indices))


def _without_comments(chunk: bytes) -> bytes:
    """Return a chunk without comments, which has no quotes either.

    Where there are no quotes, each percent sign begins a comment.  Where there are, a comment that
    fills its line is one all the same, unless a quoted value can run over the line end.
    """
    if not chunk.isascii():
        chunk.decode()  # the careful path tells where it is not valid
    if b"%" in chunk:
        has_quotes = b"'" in chunk or b'"' in chunk
        if has_quotes and (b"\\\n" in chunk or b"\\\r" in chunk):
            raise _UnusualError
        chunk = (_COMMENT_LINE if has_quotes else _COMMENT).sub(b"", chunk)
    if any(mark in chunk for mark in (b"'", b'"', b"%")):
        raise _UnusualError
    return chunk


def _without_braces(chunk: bytes) -> tuple[bytes, int]:
    """Return a chunk in which weights are the last values of their rows, and how many there are."""
    n_weights = 0
    if b"{" in chunk:
        chunk, n_weights = _WEIGHT.subn(rb" \1 ", chunk)
    if b"{" in chunk or b"}" in chunk:
        raise _UnusualError
    return chunk, n_weights


def byte_text(chunk: bytes) -> ByteText:
    """Return a chunk with room before its first value, and a line end behind its last one."""
    line_end = b"" if chunk.endswith(b"\n") else b"\n"
    raw = b"".join((_PADDING, chunk, line_end))
    words = np.ndarray((len(raw) - 7,), "<u8", raw, strides=(1,))
    return ByteText(raw, np.frombuffer(raw, np.uint8), words)


def _grid(text: ByteText, n_columns: int) -> Positions:
    """Return start and end of each value, of shape (2, n_columns, n_rows)."""
    is_word = (text.array > ord(" ")) & (text.array != ord(","))
    edges = np.flatnonzero(is_word[1:] != is_word[:-1])
    edges += 1
    if len(edges) % (2 * n_columns):
        raise _UnusualError
    grid = np.ascontiguousarray(edges.reshape(-1, n_columns, 2).transpose(2, 1, 0))
    is_line_end = text.array == ord("\n")
    if b"\r" in text.raw:
        is_line_end |= text.array == ord("\r")
    n_lines = np.count_nonzero(is_line_end)
    if n_lines != len(grid[1, -1]) or not is_line_end[grid[1, -1]].all():
        _check_lines(np.flatnonzero(is_line_end), grid)
    return grid


def _check_lines(line_ends: Positions, grid: Positions) -> None:
    """Check that each row of the grid has lines of its own, where other bytes surround it."""
    line_of_first = np.searchsorted(line_ends, grid[0, 0])
    line_of_last = np.searchsorted(line_ends, grid[1, -1])
    if (line_of_first != line_of_last).any() or (line_of_first[1:] == line_of_last[:-1]).any():
        raise _UnusualError


def _weights(text: ByteText, starts: Positions, ends: Positions, n_weights: int) -> Floats:
    """Return the weights of rows, of which each has one."""
    weights = _numbers(text, starts, ends)
    if n_weights != len(weights) or not (np.isfinite(weights) & (weights >= 0)).all():
        raise _UnusualError
    return weights


def _numbers(text: ByteText, starts: Positions, ends: Positions) -> Floats:
    """Return the numbers between `starts` and `ends`; NaN for the question mark."""
    values, is_read = plain_decimals(text, starts, ends)
    if not is_read.all():
        is_missing = (text.array[starts] == ord("?")) & (ends - starts == 1)
        values[is_missing] = np.nan
        others = np.flatnonzero(~(is_read | is_missing))
        values[others] = _singly(text.raw, starts[others], ends[others])
    return values


def plain_decimals(text: ByteText, starts: Positions, ends: Positions) -> tuple[Floats, Bools]:
    """Return the numbers between `starts` and `ends`, and which of them are plain decimals.

    These have up to 15 digits, perhaps a point and a minus sign, and nothing else; the values of
    the others mean nothing.
    """
    is_negative = text.array[starts] == ord("-")
    lengths = ends - starts
    lengths -= is_negative
    values, is_read = _short_decimals(text.words[ends - 8], lengths)
    longer = np.flatnonzero(lengths > _LENGTH_OF_WORD)
    if len(longer):
        values[longer], is_read[longer] = _decimals(text, ends[longer], lengths[longer])
    return np.where(is_negative, -values, values), is_read


def short_keys(text: ByteText, starts: Positions, ends: Positions) -> tuple[Words, Bools]:
    """Return a number for each value, equal where up to eight bytes are, and which have so many."""
    lengths = ends - starts
    keys = text.words[ends - 8] & _LAST_BYTES[np.minimum(lengths, _LENGTH_OF_WORD)]
    return keys, lengths <= _LENGTH_OF_WORD


def _short_decimals(words: Words, lengths: Positions) -> tuple[Floats, Bools]:
    """Return the plain decimals in the last bytes of words, and which are that: 8 bytes at most."""
    digits = (words ^ _ZEROS) & _LAST_BYTES.take(lengths, mode="clip")
    rest = digits ^ _POINT_AMONG_DIGITS
    marks = (rest - _ONES) & ~rest & _HIGH_BITS  # the lowest one is exact
    point = (marks & (~marks + _ONE)) >> _HIGH_BIT_SHIFT
    has_point = point != 0
    if has_point.any():
        # The digits before the point move into its place.
        joined = ((digits & (point - _ONE)) << _EIGHT) | (digits & ~((point << _EIGHT) - _ONE))
        digits = joined if has_point.all() else np.where(has_point, joined, digits)
    is_other = ((digits + _TO_HIGH_BIT) | digits) & _HIGH_BITS
    is_read = (is_other == 0) & (lengths > has_point) & (lengths <= _LENGTH_OF_WORD)
    values = _joined_digits(digits).astype(np.float64)
    if has_point.any():
        values /= _POWERS_FLOAT[((point * _BYTES_AFTER) >> _HIGHEST_BYTE_SHIFT).astype(np.intp)]
    return values, is_read


def _joined_digits(digits: Words) -> Words:
    """Return the numbers of eight digits each, from bytes 0 to 9: neighbours join into pairs."""
    pairs = ((digits * np.uint64(10 * 2**8 + 1)) >> _EIGHT) & np.uint64(0x00FF00FF00FF00FF)
    fours = (pairs * np.uint64(100 * 2**16 + 1)) >> np.uint64(16) & np.uint64(0x0000FFFF0000FFFF)
    return (fours * np.uint64(10000 * 2**32 + 1)) >> np.uint64(32)


def _decimals(text: ByteText, ends: Positions, lengths: Positions) -> tuple[Floats, Bools]:
    """Return the values of plain decimals without sign, and which of them are that."""
    n_decimals = _bytes_after_point(text, ends, lengths)
    has_point = n_decimals >= 0
    n_decimals[~has_point] = 0
    n_whole = lengths - n_decimals - has_point
    n_digits = n_whole + n_decimals
    is_read = (n_digits > 0) & (n_digits <= _MOST_DIGITS)
    n_decimals[~is_read] = 0
    n_whole[~is_read] = 0
    mantissa, is_number = _digits(text, ends - n_decimals - has_point, n_whole)
    is_read &= is_number
    if n_decimals.any():
        decimals, is_number = _digits(text, ends, n_decimals)
        is_read &= is_number
        mantissa *= _POWERS[n_decimals]
        mantissa += decimals
        return mantissa / _POWERS_FLOAT[n_decimals], is_read
    return mantissa.astype(np.float64), is_read


def _bytes_after_point(text: ByteText, ends: Positions, lengths: Positions) -> Positions:
    """Return the number of bytes after a point in the last 16 bytes; -1 where there is none."""
    found = _bytes_after_point_in_word(text.words[ends - 8], lengths)
    further = np.flatnonzero((found < 0) & (lengths > _LENGTH_OF_WORD))
    if len(further):
        before = _bytes_after_point_in_word(text.words[ends[further] - 16], lengths[further] - 8)
        found[further] = np.where(before < 0, -1, before + 8)
    return found


def _bytes_after_point_in_word(words: Words, lengths: Positions) -> Positions:
    words = words & _LAST_BYTES[np.minimum(lengths, _LENGTH_OF_WORD)]
    rest = words ^ _POINTS
    # The highest bit of each byte that is zero in `rest`, exactly.
    marks = ~(((rest & _LOW_BITS) + _LOW_BITS) | rest | _LOW_BITS)
    # Of two points the first is taken; the other is then no digit.
    first = (marks & (~marks + np.uint64(1))) >> _HIGH_BIT_SHIFT
    n_after = ((first * _BYTES_AFTER) >> _HIGHEST_BYTE_SHIFT).astype(np.int64)
    return np.where(marks == 0, -1, n_after)


def _digits(text: ByteText, ends: Positions, lengths: Positions) -> tuple[Words, Bools]:
    """Return the numbers in the up to 16 bytes before `ends`, and which of them are digits only."""
    values, are_digits = _digits_in_word(text.words[ends - 8], np.minimum(lengths, _LENGTH_OF_WORD))
    longer = np.flatnonzero(lengths > _LENGTH_OF_WORD)
    if len(longer):
        high, are_high_digits = _digits_in_word(text.words[ends[longer] - 16], lengths[longer] - 8)
        values[longer] += high * _POWERS[_LENGTH_OF_WORD]
        are_digits[longer] &= are_high_digits
    return values, are_digits


def _digits_in_word(words: Words, lengths: Positions) -> tuple[Words, Bools]:
    """Return the numbers in the last `lengths` bytes (at most 8) of little-endian words."""
    words = (words & _LAST_BYTES[lengths]) | _ZEROS_BEFORE[lengths]
    is_other = ((words & _HIGH_NIBBLES) ^ _ZEROS) | (((words + _SIXES) & _HIGH_NIBBLES) ^ _ZEROS)
    return _joined_digits(words - _ZEROS), is_other == 0


def _singly(raw: bytes, starts: Positions, ends: Positions) -> list[float]:
    texts = _slices(raw, starts, ends)
    if not b"".join(texts).translate(None, _COMMON_BYTES):
        values = list(map(float, texts))
        if inf in values or -inf in values:  # the careful path says so
            raise _UnusualError
        return values
    return [java_double(text.decode()) for text in texts]


def _slices(raw: bytes, starts: Positions, ends: Positions) -> list[bytes]:
    return [raw[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


class _NominalColumn:
    def __init__(self, cell: CellReader) -> None:
        attribute = cell.attribute
        self._codes = {label.encode(): code for label, code in _bare_labels(attribute)}
        short = sorted(
            (int.from_bytes(label.rjust(8, b"\0"), "little"), code)
            for label, code in self._codes.items()
            if len(label) <= _LENGTH_OF_WORD
        )
        self._keys = np.array([key for key, _ in short], np.uint64)
        self._key_codes = np.array([code for _, code in short], column_dtype(attribute))

    def read(self, text: ByteText, starts: Positions, ends: Positions) -> Column:
        keys, are_short = short_keys(text, starts, ends)
        places = np.searchsorted(self._keys, keys)
        places[places == len(self._keys)] = 0
        codes: Column = self._key_codes[places]
        is_other = (self._keys[places] != keys) | ~are_short
        others = np.flatnonzero(is_other)
        if len(others):
            labels = _slices(text.raw, starts[others], ends[others])
            codes[others] = [self._codes[label] for label in labels]
        return codes


def _bare_labels(attribute: Attribute) -> list[tuple[str, int]]:
    """Return the labels that can stand without quotes, with their codes, and the missing value."""
    bare = [
        (label, code)
        for code, label in enumerate(attribute.values)
        if label != "?" and not re.search(r"[\x00-\x20,%\"'{}]", label) and label
    ]
    return [*bare, ("?", -1)]


class _TextColumn:
    """Strings and dates, one by one."""

    def __init__(self, cell: CellReader) -> None:
        self._cell = cell

    def read(self, text: ByteText, starts: Positions, ends: Positions) -> Column:
        values = [self._cell.bare(raw.decode()) for raw in _slices(text.raw, starts, ends)]
        return packed(self._cell.attribute, values)
