"""The moments that dates are compared with, as texts that are read back as the same moments.

Values are whole milliseconds, so a cut point between two of them says the same as the first.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from widc_arff.arff.dates import DEFAULT_FORMAT, DateFormat
from widc_arff.arff.numbers import number_text

if TYPE_CHECKING:
    from collections.abc import Iterator

EXACT_FORMATS = ("yyyy-MM-dd'T'HH:mm:ss.SSS", "yyyy-MM-dd'T'HH:mm:ss.SSS G")


def moment_text(moment: float, pattern: str | None) -> str:
    """Return a moment as a date: in its format if that tells it, else in ISO 8601.

    Parameters
    ----------
    moment : float
        Milliseconds since 1970; parts of one are left out.
    pattern : str or None
        The format of the attribute; None: that of ARFF files.

    Returns
    -------
    str
        The number, if no calendar reaches so far.
    """
    whole = math.floor(moment) if math.isfinite(moment) else moment
    for date_format in _formats(pattern):
        try:
            text = date_format.format(whole)
            if date_format.parse(text) == whole:
                return text
        except ValueError:
            continue
    return number_text(moment)


def moment_of(text: str, pattern: str | None) -> float:
    """Return the moment of a text as `moment_text` gives it, or in the format of the attribute.

    Raises
    ------
    ValueError
        If it is none.
    """
    for date_format in _formats(pattern):
        try:
            moment = date_format.parse(text)
            if date_format.format(moment) == text:  # a format passes over what follows a date
                return moment
        except ValueError:
            continue
    try:
        return DateFormat(pattern or DEFAULT_FORMAT).parse(text)
    except ValueError as error:
        try:
            return float(text)
        except ValueError:
            raise error from None


def _formats(pattern: str | None) -> Iterator[DateFormat]:
    for known in dict.fromkeys((pattern or DEFAULT_FORMAT, DEFAULT_FORMAT, *EXACT_FORMATS)):
        yield DateFormat(known)
