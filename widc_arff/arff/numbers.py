"""Numbers as Java's ``Double.valueOf`` reads them and as both Weka and we read them back.

Python's `float` is close but not the same: it takes ``1_000``, ``inf`` and the digits of all
scripts, and it refuses ``1.5f`` and ``0x1p3``.
"""

from __future__ import annotations

import math
import re

# Everything up to the blank is trimmed, and nothing else is.
_TRIMMED = "".join(map(chr, range(33)))

_DECIMAL = re.compile(
    r"([+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?)[fFdD]?", re.ASCII
)
_HEXADECIMAL = re.compile(
    r"([+-]?0[xX](?:[0-9a-fA-F]++\.?[0-9a-fA-F]*+|\.[0-9a-fA-F]++)[pP][+-]?[0-9]++)[fFdD]?",
    re.ASCII,
)
# Of texts in these characters, Java and Python accept the same and make the same.
COMMON_CHARACTERS = "0123456789+-.eE"
_WORDS = {
    sign + word: -value if sign == "-" else value
    for sign in ("", "+", "-")
    for word, value in (("NaN", math.nan), ("Infinity", math.inf))
}
_LARGEST_WHOLE = 1e16


def java_double(text: str) -> float:
    """Return the double that Java's ``Double.valueOf`` makes of `text`.

    Parameters
    ----------
    text : str
        Decimal or hexadecimal digits with an optional sign, exponent and type suffix, or ``NaN``
        or ``Infinity``; blanks and control characters (up to U+0020) at both ends are ignored.

    Returns
    -------
    float
        The nearest double; infinite where the number is out of range.

    Raises
    ------
    ValueError
        If Java would raise a ``NumberFormatException``.
    """
    if text and not text.strip(COMMON_CHARACTERS):
        return float(text)
    text = text.strip(_TRIMMED)
    decimal = _DECIMAL.fullmatch(text)
    if decimal is not None:
        return float(decimal[1])
    if text in _WORDS:
        return _WORDS[text]
    hexadecimal = _HEXADECIMAL.fullmatch(text)
    if hexadecimal is None:
        raise ValueError(f"not a number: {text!r}")
    try:
        return float.fromhex(hexadecimal[1])
    except OverflowError:
        return -math.inf if text[0] == "-" else math.inf


def number_text(value: float) -> str:
    """Return the shortest text that reads back as `value`; ``?`` for NaN.

    Whole numbers of up to 16 digits come without a point.
    """
    if math.isnan(value):
        return "?"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value.is_integer() and abs(value) < _LARGEST_WHOLE:
        return repr(value)[:-2]  # "-0.0" is "-0": the sign of zero survives
    return repr(value)
