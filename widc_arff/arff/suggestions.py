"""What to tell the author of a row that cannot be read: the fault, and the usual remedies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from widc_arff.arff.lexer import TokenKind
from widc_arff.arff.numbers import java_double
from widc_arff.errors import ArffError, did_you_mean, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arff.lexer import SourceText, Token
    from widc_arff.arff.relation import Attribute

_WORDS_FOR_MISSING = {"na", "n/a", "nan", "null", "none", "nil", "missing", "unknown", "", "-", "."}
_LABELS_SHOWN = 6
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")
_TWO_COMMAS = re.compile(r",[ \t]*,")


def bad_cell(attribute: Attribute, token: Token, fault: Exception, source: SourceText) -> str:
    """Return the message for a token that is no value of `attribute`."""
    name = attribute.name
    if not token.is_word:
        return f"not a valid value: expected a value for attribute {name!r}, got {token}"
    if attribute.type == "numeric":
        hint = _number_hint(token, source)
        return f"expected a number for attribute {name!r}, got {token}{hint}"
    if attribute.type == "nominal":
        hint = _label_hint(attribute, token, source)
        return (
            f"nominal value not declared in header: attribute {name!r} has no label {token}{hint}"
        )
    if attribute.type == "date":
        return _bad_date(attribute, token, fault)
    reason = fault.message if isinstance(fault, ArffError) else str(fault)
    place = f" (line {fault.line})" if isinstance(fault, ArffError) and fault.line else ""
    return f"value of relational attribute {name!r}{place}: {reason}"


def row_too_short(
    attributes: Sequence[Attribute], n_values: int, source: SourceText, offset: int
) -> str:
    """Return the message for a row that ends at `offset` after too few values."""
    message = (
        f"premature end of line: expected {len(attributes)} values, got {n_values}"
        f" (no value for attribute {attributes[n_values].name!r})"
    )
    line = _line_of(source, offset)
    if "%" in line:
        return message + "; % starts a comment: a value with a percent sign must be quoted"
    if len(attributes) > 1 and n_values == 1 and ";" in line:
        return message + "; semicolons do not separate values: write commas"
    return message + _comma_hint(line)


def row_too_long(attributes: Sequence[Attribute], token: Token) -> str:
    """Return the message for a value after the last attribute."""
    return (
        f"expected the end of the row, got {token}: the header declares {len(attributes)}"
        " attributes; a value with blanks or commas must be quoted"
    )


def other_length(row: Sequence[re.Match[str]], n_attributes: int) -> str:
    """Return a remark on a row that has not as many values as there are attributes."""
    if len(row) > 2 * n_attributes + 6:  # what follows was not looked at
        return f" (the row has more values than the header declares, {n_attributes})"
    n_values = next(
        (index for index, match in enumerate(row) if match.lastindex == TokenKind.OPEN), len(row)
    )
    if n_values == n_attributes:
        return ""
    values = "1 value" if n_values == 1 else f"{n_values} values"
    return f" (the row has {values}, the header declares {n_attributes} attributes)"


def other_form(line: str) -> str:
    """Return what a file may be that begins with a line without @relation, or an empty text."""
    if line.startswith(("{", "[")):
        return " it looks like JSON, as model files are"
    if line.startswith(("<", "%PDF")):
        return " it looks like a document"
    if any(mark in line for mark in ",;\t"):
        return " it looks like CSV; the name of a CSV file ends in .csv"
    return ""


def _number_hint(token: Token, source: SourceText) -> str:
    text = token.text
    if ";" in text:
        return "; semicolons do not separate values: write commas"
    if text.strip().lower() in _WORDS_FOR_MISSING or (
        token.kind is not TokenKind.WORD and text == "?"
    ):
        return "; a missing value is written ?"
    if _DECIMAL_COMMA.fullmatch(text):
        return "; the decimal mark is a point"
    if text.strip().lower().lstrip("+-") in ("inf", "infinity"):
        return "; Weka reads Infinity and -Infinity"
    if "_" in text:
        return "; numbers have no underscores"
    return _comma_hint(_line_of(source, token.offset))


def _label_hint(attribute: Attribute, token: Token, source: SourceText) -> str:
    text, labels = token.text, attribute.values
    if not labels:
        return "; it has no labels at all"
    known = f"; its labels are {listed(labels, _LABELS_SHOWN)}"
    start = len(text)
    longer = next((label for label in labels if _goes_on(label, text, start)), None)
    if longer is not None and token.kind is TokenKind.WORD:
        return f"{known}; a value with blanks or commas must be quoted: '{longer}'"
    number = _number(text)
    twin = next(
        (label for label in labels if number is not None and _number(label) == number), None
    )
    if twin is not None:
        return f"{known}; labels are compared as text: {text} is not {twin}"
    if token.kind is not TokenKind.WORD and text == "?":
        return f"{known}; a missing value is written ? without quotes"
    return known + (did_you_mean(text, labels) or _comma_hint(_line_of(source, token.offset)))


def _bad_date(attribute: Attribute, token: Token, fault: Exception) -> str:
    pattern = attribute.date_format().pattern
    message = (
        f"unparseable date for attribute {attribute.name!r}: {token} does not fit the format"
        f" {pattern!r} ({fault})"
    )
    if token.kind is TokenKind.WORD and re.search(r"[\s,]", pattern):
        message += "; a date with blanks must be quoted"
    return message


def _comma_hint(line: str) -> str:
    if _TWO_COMMAS.search(line):
        return "; two commas in a row do not make a missing value: write ?"
    return ""


def _line_of(source: SourceText, offset: int) -> str:
    return source.line_at(offset)[2]


def _goes_on(label: str, text: str, start: int) -> bool:
    """Return whether a label begins with a text, followed by what ends a word without quotes."""
    return label.startswith(text) and (
        label[start : start + 1].isspace() or label[start : start + 1] == ","
    )


def _number(text: str) -> float | None:
    try:
        return java_double(text)
    except ValueError:
        return None
