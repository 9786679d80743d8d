"""Days and dates of the calendar that Java's dates live in.

It is Julian up to 4 October 1582 and Gregorian from the next day, 15 October 1582; the year before
year 1 is 1 BC.  Days are counted from 1 January 1970, which is day 0.
"""

from __future__ import annotations

from typing import NamedTuple

# 15 October 1582, the first Gregorian day.
_CUTOVER_YEAR = 1582
_CUTOVER_DAY = -141427


class CalendarDate(NamedTuple):
    """A date; `year` is 0 for 1 BC, -1 for 2 BC and so on, `weekday` is 0 for Sunday."""

    year: int
    month: int
    day: int
    day_of_year: int
    weekday: int


def day_number(year: int, month: int, day: int) -> int:
    """Return the number of days from 1970-01-01 to a date; `month` is 1 to 12.

    Raises
    ------
    ValueError
        For the ten days of October 1582 that never were.
    """
    # Years begin in March here, so that the leap day is their last one.
    march_year = year - (month <= 2)
    day_of_march_year = (153 * ((month - 3) % 12) + 2) // 5 + day - 1
    common = 365 * march_year + march_year // 4 + day_of_march_year
    gregorian = common - march_year // 100 + march_year // 400 - 719468
    julian = common - 719470
    if year > _CUTOVER_YEAR or (year == _CUTOVER_YEAR and gregorian >= _CUTOVER_DAY):
        return gregorian
    if year == _CUTOVER_YEAR and julian >= _CUTOVER_DAY:
        raise ValueError("a date that does not exist: the calendar jumps from 4 to 15 October 1582")
    return julian


def date_of(number: int) -> CalendarDate:
    """Return the date that is `number` days after 1970-01-01."""
    if number >= _CUTOVER_DAY:
        era, day_of_era = divmod(number + 719468, 146097)
        year_of_era = (
            day_of_era - day_of_era // 1460 + day_of_era // 36524 - day_of_era // 146096
        ) // 365
        march_year = year_of_era + era * 400
        leap_days = year_of_era // 4 - year_of_era // 100
    else:
        era, day_of_era = divmod(number + 719470, 1461)
        year_of_era = (day_of_era - day_of_era // 1460) // 365
        march_year = year_of_era + era * 4
        leap_days = year_of_era // 4
    day_of_march_year = day_of_era - 365 * year_of_era - leap_days
    march_month = (5 * day_of_march_year + 2) // 153
    day = day_of_march_year - (153 * march_month + 2) // 5 + 1
    month = march_month + 3 if march_month < 10 else march_month - 9
    year = march_year + (month <= 2)
    return CalendarDate(year, month, day, number - day_number(year, 1, 1) + 1, (number + 4) % 7)
