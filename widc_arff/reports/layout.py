"""Lines of 80 columns: wrapping, indents, short numbers."""

from __future__ import annotations

import math

WIDTH = 80


def signed(vote: int) -> str:
    """Return a vote with its sign."""
    return f"{vote:+d}" if vote else "0"


def fixed(value: float, digits: int) -> str:
    """Return a number with so many decimals, or ``?`` for NaN."""
    return "?" if math.isnan(value) else f"{value:.{digits}f}"


def short(text: str, width: int, *, keep_end: bool = False) -> str:
    """Return a text cut to a width, at its end or, to keep that, at its start."""
    if len(text) <= width:
        return text
    return "..." + text[3 - width :] if keep_end else text[: width - 3] + "..."


def wrap(parts: list[str], width: int) -> list[str]:
    """Break a conjunction into lines, at its ands and within long lists of labels.

    Lines after the first leave room for an indent of two.
    """
    whole = " and ".join(parts)
    if len(whole) <= width:
        return [whole]
    words: list[str] = []
    for i, part in enumerate(parts):
        text = part if i == 0 else f"and {part}"
        words += [text] if len(text) <= width - 2 else text.split(" ")
    return wrap_words(words, width - 2, " ")


def wrap_words(words: list[str], width: int, glue: str = ", ") -> list[str]:
    """Break words into lines, joined by a glue."""
    lines = [""]
    for i, word in enumerate(words):
        text = word if i == len(words) - 1 else word + glue
        if lines[-1] and len(lines[-1]) + len(text.rstrip()) > width:
            lines.append("")
        lines[-1] += text
    return [line.rstrip() for line in lines]


def indented(lines: list[str], first: str) -> list[str]:
    """Return lines under a first one that begins with a mark."""
    rest = " " * len(first)
    return [(first if i == 0 else rest) + line for i, line in enumerate(lines)]
