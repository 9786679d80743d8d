"""The header of an ARFF file: from ``@relation`` to ``@data``.

It is read as Weka reads it: keywords and types in any case, quoted or not; what follows a type on
its line is ignored, but for a weight in braces; ``@data`` may be followed by the first row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from widc_arff.arff.lexer import Lexer, Token, TokenKind
from widc_arff.arff.numbers import java_double
from widc_arff.arff.relation import Attribute, AttributeType
from widc_arff.arff.suggestions import other_form
from widc_arff.errors import ArffError, did_you_mean

if TYPE_CHECKING:
    from widc_arff.arff.lexer import SourceText

_TYPES: dict[str, AttributeType] = {
    "numeric": "numeric",
    "real": "numeric",
    "integer": "numeric",
    "string": "string",
    "date": "date",
    "relational": "relational",
}
_TYPE_LIST = "numeric, real, integer, string, date, relational or a list of labels in braces"
_DEEPEST = 32


@dataclass(frozen=True, slots=True)
class Header:
    """What the header declares, and where in the text the rows begin."""

    name: str
    attributes: tuple[Attribute, ...]
    end: int


class HeaderUnfinishedError(ArffError):
    """The text ends within the header; with more text it may be right."""


def read_header(source: SourceText) -> Header:
    """Read the header that `source` begins with.

    Parameters
    ----------
    source : SourceText
        The file, or enough of its beginning.

    Returns
    -------
    Header

    Raises
    ------
    HeaderUnfinishedError
        If the text ends before ``@data``.
    ArffError
        If it is not the header of an ARFF file.
    """
    return _HeaderReader(source).read()


class _HeaderReader:
    def __init__(self, source: SourceText) -> None:
        self._lexer = Lexer(source)

    def read(self) -> Header:
        name = self._relation_name()
        attributes, token = self._attributes(depth=0)
        if not _is_keyword(token, "@data"):
            raise self._lexer.error(
                f"keyword @data or @attribute expected, got {token}"
                + did_you_mean(token.text, ("@data", "@attribute")),
                token,
            )
        if not attributes:
            raise self._lexer.error("no attributes declared before @data", token)
        return Header(name, attributes, self._lexer.offset)

    def _relation_name(self) -> str:
        keyword = self._next_on_any_line()
        if not _is_keyword(keyword, "@relation"):
            hint = did_you_mean(keyword.text, ("@relation",))
            if not keyword.text.startswith("@"):
                line = self._lexer.source.line_at(keyword.offset)[2]
                hint = f"; is it an ARFF file?{other_form(line)}"
            raise self._lexer.error(f"keyword @relation expected, got {keyword}{hint}", keyword)
        name = self._word("the name of the relation")
        following = self._lexer.next()
        self._check_more(following)
        if following.kind is not TokenKind.LINE_END:
            raise self._lexer.error(
                f"end of line expected after the relation name {name!r}, got {following};"
                " a name with blanks must be quoted",
                following,
            )
        return name

    def _attributes(self, depth: int) -> tuple[tuple[Attribute, ...], Token]:
        """Read declarations; return them and the token after them."""
        attributes: list[Attribute] = []
        names: set[str] = set()
        token = self._next_on_any_line()
        while _is_keyword(token, "@attribute"):
            name_token = self._lexer.next()
            self._lexer.push_back(name_token)
            attribute = self._attribute(depth)
            if attribute.name in names:
                raise self._lexer.error(
                    f"attribute names are not unique: {attribute.name!r} is declared twice",
                    name_token,
                )
            names.add(attribute.name)
            attributes.append(attribute)
            token = self._next_on_any_line()
        return tuple(attributes), token

    def _attribute(self, depth: int) -> Attribute:
        name = self._word("the name of an attribute")
        token = self._lexer.next()
        self._check_more(token)
        if token.kind is TokenKind.OPEN:
            values = self._labels(name)
            weight = self._weight()
            self._skip_line()
            return Attribute(name, "nominal", values, weight=weight)
        kind = _TYPES.get(token.text.lower()) if token.is_word else None
        if kind is None:
            raise self._type_error(name, token)
        if kind == "relational":
            return self._relational(name, depth)
        date_format = self._date_format(name) if kind == "date" else None
        weight = self._weight()
        self._skip_line()
        return Attribute(name, kind, format=date_format, weight=weight)

    def _labels(self, name: str) -> tuple[str, ...]:
        labels: dict[str, None] = {}
        token = self._lexer.next()
        while token.kind is not TokenKind.CLOSE:
            if not token.is_word:
                self._check_more(token)
                raise self._lexer.error(
                    f"}} expected at end of enumeration of attribute {name!r}, got {token};"
                    " the list of labels stands on one line",
                    token,
                )
            if token.text in labels:
                raise self._lexer.error(
                    f"nominal attribute {name!r} cannot have duplicate labels: {token.text!r}",
                    token,
                )
            labels[token.text] = None
            token = self._lexer.next()
        return tuple(labels)

    def _date_format(self, name: str) -> str | None:
        """Read the format if there is one."""
        token = self._lexer.next()
        if not token.is_word:
            self._lexer.push_back(token)
            return None
        try:
            # The constructor compiles the format.
            return Attribute(name, "date", format=token.text).format
        except ArffError as error:
            raise self._lexer.error(error.message, token) from error

    def _weight(self) -> float:
        """Read a weight in braces; 1 if there is none."""
        token = self._lexer.next(is_ignored=True)
        if token.kind is not TokenKind.OPEN:
            if token.ends_line:
                self._lexer.push_back(token)
            return 1.0
        number = self._lexer.next()
        try:
            weight = java_double(number.text if number.is_word else "")
        except ValueError:
            weight = float("nan")
        if weight != weight:  # noqa: PLR0124 - NaN
            self._check_more(number)
            raise self._lexer.error(f"attribute weight: expected a number, got {number}", number)
        closing = self._lexer.next()
        if closing.kind is not TokenKind.CLOSE:
            self._check_more(closing)
            raise self._lexer.error(f"attribute weight: }} expected, got {closing}", closing)
        return weight

    def _relational(self, name: str, depth: int) -> Attribute:
        weight = self._weight()
        line_end = self._skip_line()
        if depth >= _DEEPEST:
            raise self._lexer.error("relational attributes nested too deeply", line_end)
        attributes, token = self._attributes(depth + 1)
        end_name = self._lexer.next() if _is_keyword(token, "@end") else token
        self._check_more(end_name)
        if end_name is token or end_name.text.lower() != name.lower():
            raise self._lexer.error(
                f"declaration of subrelation {name!r} must be terminated by @end {name},"
                f" got {end_name}",
                end_name,
            )
        following = self._lexer.next()
        self._check_more(following)
        if following.kind is not TokenKind.LINE_END:
            raise self._lexer.error(f"end of line expected, got {following}", following)
        return Attribute(name, "relational", weight=weight, attributes=attributes)

    def _type_error(self, name: str, token: Token) -> ArffError:
        message = f"no valid attribute type for {name!r}: expected {_TYPE_LIST}, got {token}"
        following = [] if token.ends_line else self._rest_of_line()
        known = next((word.text for word in following if word.text.lower() in _TYPES), None)
        if known is not None or any(word.kind is TokenKind.OPEN for word in following):
            message += "; a name with blanks must be quoted"
        elif token.is_word and following:
            message += "; labels must be in braces: {a, b}"
        elif token.is_word:
            message += did_you_mean(token.text, _TYPES)
        return self._lexer.error(message, token)

    def _rest_of_line(self) -> list[Token]:
        tokens = []
        token = self._lexer.next(is_ignored=True)
        while not token.ends_line:
            tokens.append(token)
            token = self._lexer.next(is_ignored=True)
        return tokens

    def _skip_line(self) -> Token:
        """Skip what follows on the line; return its end."""
        token = self._lexer.next(is_ignored=True)
        while not token.ends_line:
            token = self._lexer.next(is_ignored=True)
        self._check_more(token)
        return token

    def _word(self, what: str) -> str:
        token = self._lexer.next()
        if not token.is_word:
            self._check_more(token)
            problem = "premature end of line: " if token.kind is TokenKind.LINE_END else ""
            raise self._lexer.error(f"{problem}expected {what}, got {token}", token)
        return token.text

    def _next_on_any_line(self) -> Token:
        token = self._lexer.next_on_any_line()
        self._check_more(token)
        return token

    def _check_more(self, token: Token) -> None:
        """Raise if the text has ended."""
        if token.kind is TokenKind.FILE_END:
            error = self._lexer.error("premature end of file: the header has no end", token)
            raise HeaderUnfinishedError(
                error.message, error.source, error.line, error.column, error.text
            )


def _is_keyword(token: Token, keyword: str) -> bool:
    return token.is_word and token.text.lower() == keyword
