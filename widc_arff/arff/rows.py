"""The rows of an ARFF file, token by token: the careful path, which knows all of the syntax.

A row is dense (a value for each attribute) or sparse (pairs of index and value in braces), and may
end with a weight in braces.  Where Weka drops something without a word, such as a value too many,
we refuse the row.
"""

from __future__ import annotations

import math
import re
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from widc_arff.arff import suggestions
from widc_arff.arff.columns import packed
from widc_arff.arff.lexer import TOKEN, SourceText, TokenKind, token_of, unclosed_quote, unescaped
from widc_arff.arff.numbers import java_double
from widc_arff.arff.relation import Relation
from widc_arff.arff.sparse import SparseColumns, Stated
from widc_arff.errors import ArffError, WidcWarning

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from widc_arff.arff.columns import Column
    from widc_arff.arff.lexer import Token
    from widc_arff.arff.relation import Attribute

_INDEX = re.compile(r"[+-]?[0-9]{1,10}")
_DATES_REMEMBERED = 1 << 13


class Block(NamedTuple):
    """Some rows: a column for each attribute, or what sparse rows state, and the weights."""

    columns: list[Column] | SparseColumns
    weights: Column


class RowReader:
    """Reads rows of the given attributes.

    Parameters
    ----------
    attributes : sequence of Attribute
        The attributes that the header declares.
    """

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self.attributes = tuple(attributes)
        self.cells = tuple(map(CellReader, attributes))
        self._bare = [cell.bare for cell in self.cells]
        self._quoted = [cell.quoted for cell in self.cells]
        self._without_zero = [
            index
            for index, attribute in enumerate(attributes)
            if attribute.type in ("string", "relational")
            or (attribute.type == "nominal" and not attribute.values)
        ]

    def read(self, source: SourceText) -> Block:
        """Return the rows of `source`, whole lines of a data section.

        Raises
        ------
        ArffError
            At the first row that is not as declared.
        """
        rows = _Rows(self.attributes)
        row: list[re.Match[str]] = []
        most = 2 * len(self.cells) + 6  # words of a row: pairs, braces and a weight; more are wrong
        for match in TOKEN.finditer(source.text):
            kind = match.lastindex
            if kind == TokenKind.LINE_END or len(row) > most:
                if row:
                    self._read_row(row, rows, source, match)
                    row.clear()
            elif kind is not None:
                row.append(match)
        return rows.block()

    def _read_row(
        self, row: list[re.Match[str]], rows: _Rows, source: SourceText, end: re.Match[str]
    ) -> None:
        if row[0].lastindex == TokenKind.OPEN:
            rest = self._read_sparse(row, rows, source, end)
        else:
            self._read_dense(row, rows, source, end)
            rest = row[len(self.cells) :]
        rows.weights.append(self._weight(rest, source, end) if rest else 1.0)

    def _read_dense(
        self, row: list[re.Match[str]], rows: _Rows, source: SourceText, end: re.Match[str]
    ) -> None:
        try:
            for match, bare, quoted, column in zip(
                row, self._bare, self._quoted, rows.values, strict=False
            ):
                if match.lastindex == TokenKind.WORD:
                    column.append(bare(match[1]))
                else:
                    column.append(quoted(_quoted_text(match)))
        except (ValueError, KeyError, ArffError) as fault:
            raise self._fault_in_row(row, source) from fault
        if len(row) < len(self.cells):
            message = suggestions.row_too_short(self.attributes, len(row), source, end.start(2))
            raise source.error(message, end.start(2))
        if rows.places is not None:
            for places in rows.places:
                places.append(len(rows.weights))

    def _fault_in_row(self, row: Sequence[re.Match[str]], source: SourceText) -> ArffError:
        """Return the error of the first cell of a dense row that cannot be read."""
        for match, cell in zip(row, self.cells, strict=False):
            token = _token(match, source)
            try:
                cell.read(token)
            except (ValueError, KeyError, ArffError) as fault:
                message = suggestions.bad_cell(cell.attribute, token, fault, source)
                message += suggestions.other_length(row, len(self.cells))
                return source.error(message, token.offset)
        raise AssertionError("a row that could not be read the first time has a faulty cell")

    def _read_sparse(
        self, row: list[re.Match[str]], rows: _Rows, source: SourceText, end: re.Match[str]
    ) -> list[re.Match[str]]:
        """Read the pairs of index and value; return what follows the closing brace."""
        places = rows.sparse_places()
        last = -1
        position = 1
        while position < len(row) and row[position].lastindex != TokenKind.CLOSE:
            index_token = _token(row[position], source)
            last = self._index(index_token, last, source)
            if position + 1 == len(row):
                raise source.error(
                    f"premature end of line: expected a value after index {last}", end.start(2)
                )
            token = _token(row[position + 1], source)
            try:
                rows.values[last].append(self.cells[last].read(token))
            except (ValueError, KeyError, ArffError) as fault:
                message = suggestions.bad_cell(self.attributes[last], token, fault, source)
                raise source.error(message, token.offset) from fault
            places[last].append(len(rows.weights))
            position += 2
        if position >= len(row):
            raise source.error(
                "premature end of line: expected } at the end of a sparse row", end.start(2)
            )
        self._check_left_out(rows, row[position], source)
        return row[position + 1 :]

    def _index(self, token: Token, last: int, source: SourceText) -> int:
        if not token.is_word or not _INDEX.fullmatch(token.text):
            raise source.error(f"index number expected, got {token}", token.offset)
        index = int(token.text)
        if index <= last:
            raise source.error(f"indices have to be ordered: {index} after {last}", token.offset)
        if not 0 <= index < len(self.cells):
            raise source.error(
                f"index out of bounds: {index} is not between 0 and {len(self.cells) - 1}",
                token.offset,
            )
        return index

    def _check_left_out(self, rows: _Rows, closing: re.Match[str], source: SourceText) -> None:
        """Refuse a sparse row that leaves out a value which is not zero by itself."""
        places = rows.sparse_places()
        for index in self._without_zero:
            if not places[index] or places[index][-1] != len(rows.weights):
                attribute = self.attributes[index]
                kind = (
                    "nominal, but without labels" if attribute.type == "nominal" else attribute.type
                )
                raise source.error(
                    f"attribute {attribute.name!r} (index {index}) is {kind}: a sparse row"
                    " cannot leave it out; write its value, or ? if it is missing",
                    closing.start(TokenKind.CLOSE),
                )

    def _weight(self, rest: list[re.Match[str]], source: SourceText, end: re.Match[str]) -> float:
        """Return the weight in braces that ends a row."""
        tokens = [_token(match, source) for match in rest]
        if tokens[0].kind is not TokenKind.OPEN:
            message = suggestions.row_too_long(self.attributes, tokens[0])
            raise source.error(message, tokens[0].offset)
        number = tokens[1] if len(tokens) > 1 else _token(end, source)
        try:
            weight = java_double(number.text if number.is_word else "")
        except ValueError:
            weight = math.nan
        if not (math.isfinite(weight) and weight >= 0):
            raise source.error(
                f"problem reading instance weight: expected a number of at least 0, got {number}",
                number.offset,
            )
        closing = tokens[2] if len(tokens) > 2 else _token(end, source)
        if closing.kind is not TokenKind.CLOSE:
            raise source.error(
                f"problem reading instance weight: }} expected, got {closing}", closing.offset
            )
        if len(tokens) > 3:
            raise source.error(f"expected the end of the row, got {tokens[3]}", tokens[3].offset)
        return weight


class _Rows:
    """Rows under way: the values of each column and, once a row was sparse, their rows."""

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self._attributes = attributes
        self.values: list[list[Any]] = [[] for _ in attributes]
        self.weights: list[float] = []
        self.places: list[list[int]] | None = None

    def sparse_places(self) -> list[list[int]]:
        """Return, for each column, the rows that its values belong to."""
        if self.places is None:
            self.places = [list(range(len(self.weights))) for _ in self.values]
        return self.places

    def block(self) -> Block:
        columns: list[Column] | SparseColumns
        if self.places is None:
            columns = list(map(packed, self._attributes, self.values))
        else:
            stated = Stated.of(self._attributes, self.values, self.places, len(self.weights))
            columns = SparseColumns(self._attributes, stated)
        return Block(columns, np.array(self.weights, np.float64))


class CellReader:
    """Turns the text of a cell into what its column holds.

    `bare` and `quoted` take a text and raise ValueError, KeyError or `ArffError` if it is none
    for the attribute; they differ in the question mark.

    Parameters
    ----------
    attribute : Attribute
        The attribute of the cell.
    """

    def __init__(self, attribute: Attribute) -> None:
        self.attribute = attribute
        self.bare: Callable[[str], Any]
        self.quoted: Callable[[str], Any]
        if attribute.type == "nominal":
            codes = {label: code for code, label in enumerate(attribute.values)}
            self.quoted = codes.__getitem__
            self.bare = {**codes, "?": -1}.__getitem__
        elif attribute.type == "string":
            self.quoted = str
            self.bare = _bare_text
        elif attribute.type == "relational":
            self.quoted = _RelationReader(attribute).read
            self.bare = self._bare_relation
        else:
            self.quoted = self._number
            if attribute.type == "date":
                self.quoted = lru_cache(_DATES_REMEMBERED)(attribute.date_format().parse)
            self.bare = self._bare_number

    def read(self, token: Token) -> Any:  # noqa: ANN401 - a float, code, text or relation
        """Return what a token means; raise as `bare` and `quoted` do."""
        if not token.is_word:
            raise ValueError("not a value")
        return self.bare(token.text) if token.kind is TokenKind.WORD else self.quoted(token.text)

    def _number(self, text: str) -> float:
        value = java_double(text)
        if math.isinf(value) and "n" not in text:  # not "Infinity"
            warnings.warn(
                f"attribute {self.attribute.name!r}: {text} is beyond the largest number, 1.8e308: "
                "read as infinite",
                WidcWarning,
                stacklevel=2,
            )
        return value

    def _bare_number(self, text: str) -> float:
        return math.nan if text == "?" else self.quoted(text)

    def _bare_relation(self, text: str) -> Relation | None:
        return None if text == "?" else self.quoted(text)


class _RelationReader:
    """Reads the value of a relational attribute: a text that is itself rows."""

    def __init__(self, attribute: Attribute) -> None:
        self._attribute = attribute
        self._rows = RowReader(attribute.attributes)

    def read(self, text: str) -> Relation:
        attributes = self._attribute.attributes
        if not attributes:
            raise ArffError("no attributes are declared for it")
        return Relation(self._attribute.name, attributes, *self._rows.read(SourceText(text)))


def _bare_text(text: str) -> str | None:
    return None if text == "?" else text


def _quoted_text(match: re.Match[str]) -> str:
    kind = match.lastindex
    if kind not in (TokenKind.SINGLE_QUOTED, TokenKind.DOUBLE_QUOTED):
        raise ValueError("not a value")
    return unescaped(match[kind])


def _token(match: re.Match[str], source: SourceText) -> Token:
    token = token_of(match)
    assert token is not None
    if token.kind is TokenKind.UNCLOSED:
        raise unclosed_quote(token, source)
    return token
