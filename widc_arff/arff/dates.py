"""Dates in the formats of Java's ``SimpleDateFormat``, as Weka reads them.

Weka's formats are strict ("not lenient"): 31 February is no date, and a weekday must fit its date.
Names are English and the time zone is UTC, whatever the machine: a file means the same everywhere.
As in Java, text after the end of the format is ignored, numbers may be preceded by blanks and have
more or fewer digits than the format shows, unless the next field follows without a separator.

Not read, on purpose: weeks (``w``, ``W``, ``F``, ``Y``), since files with ``YYYY-MM-dd`` mean years
and would lose their months and days, and names of time zones other than GMT and UTC.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Literal, NamedTuple

from widc_arff.arff.calendar_days import date_of, day_number

if TYPE_CHECKING:
    from collections.abc import Iterator

DEFAULT_FORMAT = "yyyy-MM-dd'T'HH:mm:ss"

_MS_PER_DAY = 86_400_000
_MS_PER_MINUTE = 60_000
_LARGEST_YEAR = 292_278_994  # of Java's 64-bit milliseconds

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_WEEKDAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_ERAS = {"BC": 0, "AD": 1, "Before Christ": 0, "Anno Domini": 1}
_HALVES = {"AM": 0, "PM": 1}
_ZONES = ("Coordinated Universal Time", "Greenwich Mean Time", "GMT", "UTC")

Part = Literal[
    "era",
    "year",
    "month",
    "day",
    "day_of_year",
    "weekday",
    "hour",
    "half_hour",
    "half",
    "minute",
    "second",
    "millisecond",
    "zone",
]
# `half_hour` is the hour 0 to 11 within a half of the day, `zone` is in minutes.
_PART_OF_LETTER: dict[str, Part] = {
    "G": "era",
    "y": "year",
    "M": "month",
    "L": "month",
    "d": "day",
    "D": "day_of_year",
    "E": "weekday",
    "u": "weekday",
    "H": "hour",
    "k": "hour",
    "K": "half_hour",
    "h": "half_hour",
    "a": "half",
    "m": "minute",
    "s": "second",
    "S": "millisecond",
    "z": "zone",
    "Z": "zone",
    "X": "zone",
}
_WEEK_LETTERS = "wWFY"
_NAMES_BY_LETTER: dict[str, dict[str, int]] = {
    "G": {name.lower(): value for name, value in _ERAS.items()},
    "a": {name.lower(): value for name, value in _HALVES.items()},
    "E": {
        name.lower(): value
        for value, long_name in enumerate(_WEEKDAYS)
        for name in (long_name, long_name[:3])
    },
    "M": {
        name.lower(): value
        for value, long_name in enumerate(_MONTHS, start=1)
        for name in (long_name, long_name[:3])
    },
}
_NAMES_BY_LETTER["L"] = _NAMES_BY_LETTER["M"]

_BLANKS = re.compile(r"[ \t]*+")
# Java's number format knows exponents, and so must we: "1E1" is ten, not one and a rest.
_NUMBER = re.compile(r"(-?\d{1,9}+)(?!\d)(?:E(-?\d++))?")
_OFFSETS = {
    "Z": re.compile(r"([0-9]{2})([0-9]{2})"),
    "GMT": re.compile(r"([0-9]{1,2}):([0-9]{2})"),
    "X": re.compile(r"([0-9]{2})"),
    "XX": re.compile(r"([0-9]{2})([0-9]{2})"),
    "XXX": re.compile(r"([0-9]{2}):([0-9]{2})"),
}
_PATTERN = re.compile(r"''|'((?:[^']|'')++)'|([a-zA-Z])\2*+|(')|([^a-zA-Z']++)")


class _Field(NamedTuple):
    """A run of one letter in a format; `is_abutting` when a number follows at once."""

    letter: str
    n_letters: int
    is_abutting: bool

    @property
    def is_number(self) -> bool:
        return self.letter in "ydDukHhKmsS" or (self.letter in "ML" and self.n_letters <= 2)


@dataclass(frozen=True, slots=True)
class _Century:
    """The hundred years, counted from a moment 80 years back, that two-digit years fall in."""

    start_ms: int
    start_year: int

    @classmethod
    def around(cls, now: datetime) -> _Century:
        year = now.year - 80
        day = now.day if (now.month, now.day) != (2, 29) or _is_leap(year) else 28
        start = datetime(year, now.month, day, now.hour, now.minute, now.second, tzinfo=UTC)
        return cls((start - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1), year)

    def year(self, two_digits: int) -> int:
        century, first = divmod(self.start_year, 100)
        return century * 100 + two_digits + (100 if two_digits < first else 0)


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


class DateFormat:
    """A compiled date format.

    Parameters
    ----------
    pattern : str
        Letters as in ``SimpleDateFormat``: G y M L d D H k K h m s S a E u z Z X, and text in
        single quotes.
    now : datetime or None
        The moment that decides the century of two-digit years (80 years back to 20 ahead); None
        stands for the clock.

    Raises
    ------
    ValueError
        If the pattern is not understood.
    """

    __slots__ = ("_century", "_items", "pattern")

    def __init__(self, pattern: str, now: datetime | None = None) -> None:
        self.pattern = pattern
        self._items: tuple[str | _Field, ...] = tuple(_with_neighbours(list(_compiled(pattern))))
        self._century = _Century.around(now or datetime.now(UTC))

    def parse(self, text: str) -> float:
        """Return the milliseconds from 1970-01-01 UTC to the date in `text`.

        Raises
        ------
        ValueError
            If the text does not fit the format or is no date of the calendar.
        """
        parts, is_ambiguous = self._parts(text)
        moment = _milliseconds(parts)
        if is_ambiguous and moment < self._century.start_ms:
            moment = _milliseconds({**parts, "year": parts["year"] + 100})
        return float(moment)

    def format(self, milliseconds: float) -> str:
        """Return the text of a moment given in milliseconds from 1970-01-01 UTC.

        Raises
        ------
        ValueError
            If it is not a whole number, or beyond the years of the format.
        """
        if not float(milliseconds).is_integer() or abs(milliseconds) >= 2**63:
            raise ValueError(f"not a whole number of milliseconds: {milliseconds!r}")
        parts = _parts_of(int(milliseconds))
        return "".join(
            item if isinstance(item, str) else _formatted(item, parts) for item in self._items
        )

    def _parts(self, text: str) -> tuple[dict[Part, int], bool]:
        """Return the parts in the order in which they were set last, and whether the year may move.

        A two-digit year that is the first of the window can also be the first after it.
        """
        parts: dict[Part, int] = {}
        offset, is_ambiguous = 0, False
        for item in self._items:
            if isinstance(item, str):
                if not text.startswith(item, offset):
                    raise ValueError(f"expected {item!r} at {text[offset : offset + 12]!r}")
                offset += len(item)
                continue
            value, offset, n_digits = _read_field(item, text, offset)
            part = _PART_OF_LETTER[item.letter]
            if part == "year" and item.n_letters <= 2 and n_digits == 2:
                is_ambiguous = value == self._century.start_year % 100
                value = self._century.year(value)
            parts.pop(part, None)
            parts[part] = value
        return parts, is_ambiguous


def _compiled(pattern: str) -> Iterator[str | _Field]:
    for match in _PATTERN.finditer(pattern):
        quoted, letter, quote, literal = match.groups()
        if quote:
            raise ValueError("a quote that is not closed")
        if letter:
            _check_letter(letter, len(match[0]))
            yield _Field(letter, len(match[0]), is_abutting=False)
        else:
            yield literal or (quoted or "''").replace("''", "'")


def _check_letter(letter: str, count: int) -> None:
    if letter in _WEEK_LETTERS:
        hint = "; the year is yyyy" if letter == "Y" else ""
        raise ValueError(f"weeks ({letter!r}) are not supported{hint}")
    if letter not in _PART_OF_LETTER:
        raise ValueError(f"{letter!r} is not a letter of date formats; put text in single quotes")
    if letter == "X" and count > 3:
        raise ValueError("at most three X in a row")


def _with_neighbours(items: list[str | _Field]) -> Iterator[str | _Field]:
    """Tell each number whether another number follows without a separator."""
    for item, following in zip(items, [*items[1:], ""], strict=True):
        if isinstance(item, str):
            yield item
        else:
            abuts = isinstance(following, _Field) and following.is_number
            yield item._replace(is_abutting=abuts)


def _read_field(field: _Field, text: str, start: int) -> tuple[int, int, int]:
    """Return value, end and number of plain digits of `field` in `text` at `start`."""
    blanks = _BLANKS.match(text, start)
    first = blanks.end() if blanks else start
    if first >= len(text):
        raise ValueError("the text ends too early")
    if field.is_number:
        value, end = _read_number(field, text, start, first)
        return value, end, end - first if text[first:end].isdigit() else 0
    if field.letter in "zZX":
        return *_read_zone(field, text, start, first), 0
    # Names do not skip blanks, in Java.
    for length in range(min(13, len(text) - start), 1, -1):
        value_or_none = _NAMES_BY_LETTER[field.letter].get(text[start : start + length].lower())
        if value_or_none is not None:
            return value_or_none, start + length, 0
    raise ValueError(f"expected a name at {text[start : start + 12]!r}")


def _read_number(field: _Field, text: str, start: int, first: int) -> tuple[int, int]:
    end = len(text)
    if field.is_abutting:
        end = start + field.n_letters
        if end > len(text):
            raise ValueError("the text ends too early")
    match = _NUMBER.match(text, first, end)
    if match is None:
        raise ValueError(f"expected a number at {text[first : first + 12]!r}")
    digits, exponent = match.groups()
    value = int(digits)
    if exponent:
        value = _scaled(value, int(exponent))
    return _checked_number(field.letter, value), match.end()


def _scaled(value: int, exponent: int) -> int:
    """Return ``value * 10**exponent`` without its fraction."""
    if value and exponent > 9:
        raise ValueError("a number out of all range")
    return (
        value * 10 ** min(exponent, 9) if exponent >= 0 else int(value / 10 ** min(-exponent, 20))
    )


def _checked_number(letter: str, value: int) -> int:
    """Return the value as its part holds it: hours from 0, weekdays from Sunday."""
    if letter in "kh":
        largest = 24 if letter == "k" else 12
        if not 1 <= value <= largest:
            raise ValueError(f"expected an hour from 1 to {largest}, got {value}")
        return value % largest
    if letter == "u":
        return value % 7 if 1 <= value <= 7 else -1  # -1 is the weekday of no date
    return value


def _read_zone(field: _Field, text: str, start: int, first: int) -> tuple[int, int]:
    """Return the offset from UTC in minutes and the end of a time zone."""
    form = "X" * field.n_letters if field.letter == "X" else "Z"
    if form != "Z" and text[first] == "Z":
        return 0, first + 1
    if text[first] in "+-":
        return _read_offset(form, text, first)
    if form == "Z":
        if text[start : start + 3].upper() == "GMT" and text[start + 3 : start + 4] in ("+", "-"):
            return _read_offset("GMT", text, start + 3)
        for name in _ZONES:
            if text[first : first + len(name)].lower() == name.lower():
                return 0, first + len(name)
    raise ValueError(f"expected GMT, UTC or an offset at {text[first : first + 12]!r}")


def _read_offset(form: str, text: str, sign_at: int) -> tuple[int, int]:
    match = _OFFSETS[form].match(text, sign_at + 1)
    if match is None:
        raise ValueError(f"expected an offset at {text[sign_at : sign_at + 12]!r}")
    hours, minutes = int(match[1]), int(match[2]) if match.lastindex == 2 else 0
    offset = (hours * 60 + minutes) * (-1 if text[sign_at] == "-" else 1)
    if hours > 23 or minutes > 59:
        raise ValueError(f"no such time zone: {text[sign_at : match.end()]!r}")
    return offset, match.end()


def _milliseconds(parts: dict[Part, int]) -> int:
    """Return the moment that the parts tell, after checking that it has all of these parts."""
    local = _day(parts) * _MS_PER_DAY + _time_of_day(parts)
    computed = _parts_of(local)
    wrong = [part for part, value in parts.items() if part != "zone" and computed[part] != value]
    if wrong:
        of_weekday = ": it is another weekday" if wrong == ["weekday"] else ""
        raise ValueError(f"no such date or time{of_weekday}")
    offset = parts.get("zone", 0)
    if not -13 * 60 <= offset <= 14 * 60:
        raise ValueError("no such time zone: more than 13 hours west or 14 hours east of UTC")
    return local - offset * _MS_PER_MINUTE


def _day(parts: dict[Part, int]) -> int:
    """Return the day number; of day of month and day of year, the one set last decides."""
    year, month = parts.get("year", 1970), parts.get("month", 1)
    if not (1 <= year <= _LARGEST_YEAR and 1 <= month <= 12):
        raise ValueError("no such year or month")
    if parts.get("era") == 0:
        year = 1 - year
    order = list(parts)
    if "day_of_year" in parts and (
        "day" not in parts or order.index("day_of_year") > order.index("day")
    ):
        return day_number(year, 1, 1) + parts["day_of_year"] - 1
    if "weekday" in parts and "day" not in parts:  # the first such weekday of the month
        first = day_number(year, month, 1)
        number = first + (parts["weekday"] - date_of(first).weekday) % 7
        if date_of(number).day > 7:
            raise ValueError("no such weekday: in October 1582 the calendar jumps")
        return number
    return day_number(year, month, parts.get("day", 1))


def _time_of_day(parts: dict[Part, int]) -> int:
    """Return milliseconds; the hour of the day yields to a later hour with am or pm."""
    order = list(parts)
    hour = parts.get("hour")
    if hour is None or (
        "half" in parts
        and "half_hour" in parts
        and max(order.index("half"), order.index("half_hour")) > order.index("hour")
    ):
        hour = parts.get("half_hour", 0) + 12 * parts.get("half", 0)
    minutes = hour * 60 + parts.get("minute", 0)
    return (minutes * 60 + parts.get("second", 0)) * 1000 + parts.get("millisecond", 0)


def _parts_of(milliseconds: int) -> dict[Part, int]:
    """Return all the parts of a moment in UTC."""
    number, rest = divmod(milliseconds, _MS_PER_DAY)
    date = date_of(number)
    seconds, millisecond = divmod(rest, 1000)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return {
        "era": int(date.year > 0),
        "year": date.year if date.year > 0 else 1 - date.year,
        "month": date.month,
        "day": date.day,
        "day_of_year": date.day_of_year,
        "weekday": date.weekday,
        "hour": hour,
        "half_hour": hour % 12,
        "half": hour // 12,
        "minute": minute,
        "second": second,
        "millisecond": millisecond,
        "zone": 0,
    }


def _formatted(field: _Field, parts: dict[Part, int]) -> str:
    letter, count = field.letter, field.n_letters
    value = parts[_PART_OF_LETTER[letter]]
    if letter == "y" and count == 2:
        return f"{value % 100:02d}"
    if field.is_number:
        if value == 0 and letter in "khu":
            value = {"k": 24, "h": 12, "u": 7}[letter]
        return f"{value:0{count}d}"
    return _name(letter, count, value)


def _name(letter: str, count: int, value: int) -> str:
    if letter == "G":
        return ("BC", "AD")[value]
    if letter == "a":
        return ("AM", "PM")[value]
    if letter == "z":
        return "Coordinated Universal Time" if count >= 4 else "UTC"
    if letter in "ZX":
        return "+0000" if letter == "Z" else "Z"
    name = _WEEKDAYS[value] if letter == "E" else _MONTHS[value - 1]
    return name if count >= 4 else name[:3]
