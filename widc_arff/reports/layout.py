"""Lines of 80 columns: wrapping, indents, short numbers; East Asian letters take two columns."""

from __future__ import annotations

import math
import unicodedata

WIDTH = 80
_HUGE = 1e15


def signed(vote: int) -> str:
    """Return a vote with its sign."""
    return f"{vote:+d}" if vote else "0"


def width_of(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(letter) else 1 + (unicodedata.east_asian_width(letter) in "WF")
        for letter in text
    )


def left(text: str, width: int) -> str:
    """Return a text with blanks behind it, to so many columns."""
    return text + " " * (width - width_of(text))


def right(text: str, width: int) -> str:
    """Return a text with blanks before it, to so many columns."""
    return " " * (width - width_of(text)) + text


def fixed(value: float, digits: int) -> str:
    """Return a number with so many decimals, ``?`` for NaN; a huge one with six digits in all."""
    if math.isnan(value):
        return "?"
    return f"{value:.{digits}f}" if abs(value) < _HUGE else f"{value:.6g}"


def short(text: str, width: int, *, keep_end: bool = False) -> str:
    """Return a text cut to a width, at its end or, to keep that, at its start."""
    if width_of(text) <= width:
        return text
    letters = text[::-1] if keep_end else text
    while width_of(letters) > width - 3:
        letters = letters[: min(len(letters) - 1, width - 3)]
    return "..." + letters[::-1] if keep_end else letters + "..."


def wrap(parts: list[str], width: int) -> list[str]:
    """Break a conjunction into lines, at its ands and within long lists of labels.

    Lines after the first leave room for an indent of two.
    """
    whole = " and ".join(parts)
    if width_of(whole) <= width:
        return [whole]
    words: list[str] = []
    for i, part in enumerate(parts):
        text = part if i == 0 else f"and {part}"
        words += [text] if width_of(text) <= width - 2 else text.split(" ")
    return wrap_words(words, width - 2, " ")


def wrap_words(words: list[str], width: int, glue: str = ", ") -> list[str]:
    """Break words into lines, joined by a glue."""
    lines = [""]
    for i, word in enumerate(words):
        text = word if i == len(words) - 1 else word + glue
        if lines[-1] and width_of(lines[-1]) + width_of(text.rstrip()) > width:
            lines.append("")
        lines[-1] += text
    return [line.rstrip() for line in lines]


def indented(lines: list[str], first: str) -> list[str]:
    """Return lines under a first one that begins with a mark."""
    rest = " " * len(first)
    return [(first if i == 0 else rest) + line for i, line in enumerate(lines)]
