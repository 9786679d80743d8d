"""In which form all texts of a column are numbers, or dates.

A column has one form.  Plain numbers and ISO 8601 come first.  Other forms are found where all
texts have them and only one reading is possible: a unit, a currency or a percent sign that all
texts share, marked thousands, a decimal comma; months, quarters, times of day, and days that are
written as Europeans or Americans do.  ``1,234`` alone can be two numbers, and ``01/02/2019`` two
days: then nothing is guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from widc_arff.arff.dates import DateFormat
from widc_arff.tables.iso_dates import ISO_DATE, moment_of
from widc_arff.tables.table_values import is_measured, plain_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

THOUSANDS = (",", ".", "'", "\N{RIGHT SINGLE QUOTATION MARK}", " ", "\xa0", "\u2009", "\u202f")
"""Marks between groups of three digits, in the writing of some country."""

_CURRENCIES = "$¢£¤¥" + "".join(map(chr, range(0x20A0, 0x20C1)))
_SIGNED = re.compile(
    rf"(?P<first>[+-]?)(?P<before>[A-Z]{{0,3}}[{_CURRENCIES}])?[ \xa0]?"
    rf"(?P<number>[+-]?[0-9.,](?:[0-9.,'’ \xa0\u2009\u202f]*[0-9.,])?+(?:[eE][+-]?[0-9]++)?)"
    rf"[ \xa0]?(?P<after>[%‰°{_CURRENCIES}][^\W\d_]?|[^\W\d_][^\s\d]{{0,9}}+)?"
)
_SIGNS = frozenset(f"%‰°{_CURRENCIES}")
_LONGEST_SIGNED = 60


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """How numbers are written in a column of texts.

    Parameters
    ----------
    decimal : {".", ","}
        The decimal mark.
    thousands : str
        What may stand between groups of three digits; an empty text: nothing.
    before, after : str
        A currency before each number, or a unit or sign after it.
    """

    decimal: str = "."
    thousands: str = ""
    before: str = ""
    after: str = ""

    def plain(self, text: str) -> str | None:
        """Return a number as `float` reads it, or None if the text is none in this style."""
        if self.before or self.after:
            parts = _parts(text)
            if parts is None or (parts.before, parts.after) != (self.before, self.after):
                return None
            text = parts.number
        if self.thousands and self.thousands in text:
            text = self._without_thousands(text)
        return plain_number(text, self.decimal)

    def _without_thousands(self, text: str) -> str:
        """Return a number without the marks of thousands; as it is if these are not in order."""
        whole, point, fraction = text.partition(self.decimal)
        first, *groups = whole.split(self.thousands)
        digits = first.lstrip("+-")
        is_in_order = (
            1 <= len(digits) <= 3
            and digits[0] != "0"  # 020 123 456 is a number to call
            and all(len(group) == 3 and group.isdigit() for group in groups)
        )
        return f"{first}{''.join(groups)}{point}{fraction}" if is_in_order else text

    def in_words(self) -> str:
        """Return what is taken off the numbers, and how they are written."""
        words = [f"without {sign!r}" for sign in (self.before, self.after) if sign]
        if self.thousands:
            words.append(f"with {self.thousands!r} between thousands")
        if self.decimal == ",":
            words.append("with a decimal comma")
        return ", ".join(words)


PLAIN_NUMBERS = NumberStyle()


class _Parts(NamedTuple):
    before: str
    number: str
    after: str


def _parts(text: str) -> _Parts | None:
    """Return what stands before a number, the number and what stands after it; None if none."""
    found = _SIGNED.fullmatch(text) if len(text) <= _LONGEST_SIGNED else None
    if found is None or (found["first"] and found["number"][0] in "+-"):
        return None
    return _Parts(found["before"] or "", found["first"] + found["number"], found["after"] or "")


def styles_of(
    words: Sequence[str], own: NumberStyle, *, measured: bool = False
) -> list[NumberStyle]:
    """Return the styles in which all texts of a column are numbers, and not plainly so.

    Parameters
    ----------
    words : sequence of str
        The distinct texts that are values.
    own : NumberStyle
        The style that the user names; what it says of decimals and thousands holds.
    measured : bool
        Whether the column is known to hold numbers; else a unit in letters is one only where the
        numbers are measured, since ``1A`` and ``2A`` are names.

    Returns
    -------
    list of NumberStyle
        None where the texts are no numbers, several where they can be read in several ways.
    """
    first = _parts(words[0]) if words else None
    if first is None:
        return []
    affixed = replace(own, before=first.before, after=first.after)
    decimals = [own.decimal] if own.thousands or own.decimal == "," else [".", ","]
    candidates = [
        replace(affixed, decimal=decimal, thousands=mark)
        for decimal in decimals
        for mark in ([own.thousands] if own.thousands else ["", *THOUSANDS])
        if mark != decimal
    ]
    fitting = [style for style in candidates if all(map(style.plain, words))]
    # a mark that no text has says nothing
    plainer = [style for style in fitting if not style.thousands]
    plainer = plainer[:1] if not any("," in word or "." in word for word in words) else plainer
    marked = [
        style
        for style in fitting
        if style.thousands and any(style.thousands in _core(word) for word in words)
    ]
    found = _distinct([*plainer, *marked], words)
    if measured or _is_sign(first) or not first.after:
        return found
    are_measured = [is_measured({s.plain(word) or "0" for word in words}) for s in found]
    return found if any(are_measured) else []


def signed_number(word: str) -> str | None:
    """Return the plain number of a text with a currency, a sign or a unit, or of a plain number."""
    parts = _parts(word)
    return None if parts is None else plain_number(parts.number)


def _core(word: str) -> str:
    parts = _parts(word)
    return word if parts is None else parts.number


def _is_sign(parts: _Parts) -> bool:
    return bool(parts.before) or parts.after[:1] in _SIGNS


def _distinct(styles: Iterable[NumberStyle], words: Sequence[str]) -> list[NumberStyle]:
    """Return one style for each way to read the texts."""
    by_numbers: dict[tuple[float, ...], NumberStyle] = {}
    for style in styles:
        numbers = tuple(float(style.plain(word) or "nan") for word in words)
        by_numbers.setdefault(numbers, style)
    return list(by_numbers.values())


class DateStyle(NamedTuple):
    """How dates are written in a column of texts.

    Parameters
    ----------
    format : str
        In the letters of Java's SimpleDateFormat; an empty text: any of ISO 8601.
    moment : callable
        Returns the milliseconds of a text, or raises ValueError.
    """

    format: str
    moment: Callable[[str], float]

    def reads(self, words: Iterable[str]) -> bool:
        """Return whether all texts are dates in this style."""
        try:
            for word in words:
                self.moment(word)
        except ValueError:
            return False
        return True


_YEAR = r"(?:1[5-9]|2[01])[0-9]{2}"
"""A year beside a month alone; 1234-01 is a code."""
_TIME = r"(?:[01]?[0-9]|2[0-3]):[0-5][0-9]"
_SECONDS = rf"{_TIME}:[0-5][0-9]"
_HALF = " ?[AaPp][Mm]"
_NAME = r"[A-Za-z]{3,9}"
_DAY = r"[0-3]?[0-9]"
_MONTH = r"[01]?[0-9]"
_FORMS = [
    (rf"{_YEAR}-[01][0-9]", "yyyy-MM"),
    (rf"{_YEAR}/[01][0-9]", "yyyy/MM"),
    (rf"{_NAME}[ -]{_YEAR}", "MMM yyyy"),
]
_TIMES = [
    (_TIME, "HH:mm"),
    (_SECONDS, "HH:mm:ss"),
    (rf"{_TIME}{_HALF}", "hh:mm a"),
    (rf"{_SECONDS}{_HALF}", "hh:mm:ss a"),
]
_DAYS = [
    (rf"{_DAY}\.{_MONTH}\.[0-9]{{4}}", "dd.MM.yyyy"),
    (rf"{_DAY}/{_MONTH}/[0-9]{{4}}", "dd/MM/yyyy"),
    (rf"{_MONTH}/{_DAY}/[0-9]{{4}}", "MM/dd/yyyy"),
    (rf"{_DAY}-{_MONTH}-[0-9]{{4}}", "dd-MM-yyyy"),
    (rf"{_MONTH}-{_DAY}-[0-9]{{4}}", "MM-dd-yyyy"),
    (rf"[0-9]{{4}}-{_MONTH}-{_DAY}", "yyyy-MM-dd"),
    (rf"[0-9]{{4}}/{_MONTH}/{_DAY}", "yyyy/MM/dd"),
    (rf"[0-9]{{4}}\.{_MONTH}\.{_DAY}", "yyyy.MM.dd"),
    (rf"{_DAY} {_NAME} [0-9]{{4}}", "dd MMM yyyy"),
    (rf"{_DAY}-{_NAME}-[0-9]{{4}}", "dd-MMM-yyyy"),
    (rf"{_NAME} {_DAY}, [0-9]{{4}}", "MMM dd, yyyy"),
    (rf"{_NAME} {_DAY} [0-9]{{4}}", "MMM dd yyyy"),
]
_FORMS += _TIMES + _DAYS
_FORMS += [(f"{day} {time}", f"{form} {at}") for time, at in _TIMES for day, form in _DAYS]
_QUARTER = re.compile(r"([0-9]{4})[ -]?Q([1-4])|Q([1-4])[ /-]([0-9]{4})")
_SEASON = re.compile(r"[0-9]{2}([0-9]{2})[-/]([0-9]{2})")


def dates_of(words: Sequence[str], formats: Sequence[str] = ()) -> list[DateStyle]:
    """Return the styles in which all texts of a column are dates.

    Parameters
    ----------
    words : sequence of str
        The distinct texts that are values, one at least.
    formats : sequence of str
        Formats that the user names, in Java's letters: these alone hold where one fits.

    Returns
    -------
    list of DateStyle
        Several where the texts can be read in several ways.
    """
    named = [style for style in map(_in_format, formats) if style.reads(words)]
    if named:
        return named[:1]
    fitting = [
        style for shape, style in _STYLES if shape.fullmatch(words[0]) and style.reads(words)
    ]
    if all(map(_is_season, words)):
        return []
    distinct = {tuple(map(style.moment, words)): style for style in reversed(fitting)}
    return list(distinct.values())[::-1]


def _is_season(word: str) -> bool:
    """Return whether a text is a year and the next one: 2009-10 need not be October."""
    found = _SEASON.fullmatch(word)
    return found is not None and (int(found[1]) + 1) % 100 == int(found[2])


def style_of_format(form: str) -> DateStyle:
    """Return the style of the dates of a known attribute: its format, ISO 8601 and quarters."""
    own = _in_format(form)

    def moment(text: str) -> float:
        iso = ISO_DATE.fullmatch(text)
        if iso is not None:
            return moment_of(iso)
        quarter = _QUARTER.fullmatch(text)
        return own.moment(text) if quarter is None else _moment_of_quarter(text)

    return DateStyle(form, moment)


def _moment_of_iso(text: str) -> float:
    return moment_of(ISO_DATE.fullmatch(text))


def _moment_of_quarter(text: str) -> float:
    found = _QUARTER.fullmatch(text)
    if found is None:
        raise ValueError("a quarter is written as 2022-Q3")
    year, quarter = found[1] or found[4], int(found[2] or found[3])
    return _MONTHS.parse(f"{year}-{3 * quarter - 2:02d}")


def _in_format(form: str) -> DateStyle:
    return DateStyle(form, DateFormat(form).parse)


def _in_shape(shape: re.Pattern[str], form: str) -> DateStyle:
    own = DateFormat(form)

    def moment(text: str) -> float:
        if shape.fullmatch(text) is None:  # Java's formats take much that is none
            raise ValueError(f"a date is written as {form}")
        return own.parse(text)

    return DateStyle(form, moment)


_MONTHS = DateFormat("yyyy-MM")
ISO_STYLE = DateStyle("", _moment_of_iso)
_STYLES: list[tuple[re.Pattern[str], DateStyle]] = [
    (ISO_DATE, ISO_STYLE),
    (_QUARTER, DateStyle("yyyy-MM", _moment_of_quarter)),
    *((re.compile(shape), _in_shape(re.compile(shape), form)) for shape, form in _FORMS),
]
