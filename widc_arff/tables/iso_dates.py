"""Dates as ISO 8601 writes them: a day, and perhaps a time of day with its zone."""

from __future__ import annotations

import re

from widc_arff.arff.dates import DateFormat

ISO_DATE = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?"
    r" ?(Z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?"
)
_DAY = DateFormat("yyyy-MM-dd")


def moment_of(iso: re.Match[str] | None) -> float:
    """Return the milliseconds of a date of ISO 8601, parts of one rounded down."""
    if iso is None:
        raise ValueError("a date has the form yyyy-MM-dd")
    day, hours, minutes, seconds, fraction, zone = iso.groups()
    moment = _DAY.parse(day)
    if hours is None:
        return moment
    if int(hours) > 23 or int(minutes) > 59 or int(seconds or 0) > 59:
        raise ValueError("no such time of day")
    offset = 0
    if zone not in (None, "Z"):
        digits = zone[1:].replace(":", "").ljust(4, "0")
        offset = (60 * int(digits[:2]) + int(digits[2:])) * (-1 if zone[0] == "-" else 1)
    minute = 60 * int(hours) + int(minutes) - offset
    return moment + 60_000 * minute + 1000 * int(seconds or 0) + int(f"{fraction or 0:0<3}"[:3])


def is_finer(iso: re.Match[str] | None) -> bool:
    """Return whether a date tells parts of a millisecond."""
    return iso is not None and (iso[5] or "")[3:].strip("0") != ""
