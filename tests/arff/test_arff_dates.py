"""Dates; the expected values were printed by Java's SimpleDateFormat (not lenient, en-US, UTC)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from widc_arff.arff.calendar_days import date_of, day_number
from widc_arff.arff.dates import DateFormat

NOW = datetime(2025, 6, 15, 12, tzinfo=UTC)
ISO = "yyyy-MM-dd'T'HH:mm:ss"

READ = [
    ("yyyy-MM-dd", "2020-02-29", 1582934400000),
    ("yyyy-MM-dd", "2020-2-9", 1581206400000),
    ("yyyy-MM-dd", " 2020- 02-\t03", 1580688000000),
    ("yyyy-MM-dd", "2020-02-29trailing text", 1582934400000),
    ("yyyy-MM-dd", "12020-01-01", 317147356800000),
    ("yyyy-MM-dd", "292278994-01-01", 9223372017129600000),
    ("yyyy-MM-dd", "٢٠٢٠-01-01", 1577836800000),
    (ISO, "2019-03-31T02:30:00", 1553999400000),
    (ISO + ".SSS", "1969-12-31T23:59:59.999", -1),
    ("s.SSS", "1.5", 1005),
    ("yyyy-MM-dd", "2020-01-1E1", 1578614400000),
    ("yyyyMMdd", "20200229", 1582934400000),
    ("HHmmss", "112233", 40953000),
    ("yyyyDDD", "2020366", 1609372800000),
    ("d MMM yyyy", "1 jan 2000", 946684800000),
    ("d MMM yyyy", "1 SEPTEMBER 2000", 967766400000),
    ("EEE d MMM yyyy", "Sat 1 Jan 2000", 946684800000),
    ("u yyyy-MM-dd", "6 2000-01-01", 946684800000),
    ("EEEE MMM yyyy", "Friday Jan 2021", 1609459200000),
    ("h:mm a", "12:00 am", 0),
    ("h:mm a", "12:00 PM", 43200000),
    ("K:mm a", "0:05 PM", 43500000),
    ("k:mm", "24:10", 600000),
    ("H:mm a", "13:00 PM", 46800000),
    ("HH:mm z", "10:00 GMT", 36000000),
    ("HH:mm z", "10:00 utc", 36000000),
    ("HH:mm z", "10:00 GMT+02:30", 27000000),
    ("HH:mm z", "10:00 GMT+2:30", 27000000),
    ("HH:mm Z", "10:00 +0230", 27000000),
    ("HH:mmX", "10:00Z", 36000000),
    ("HH:mmX", "10:00-05", 54000000),
    ("HH:mmXX", "10:00-0530", 55800000),
    ("HH:mmXXX", "10:00-05:30", 55800000),
    ("yyyy-MM-dd", "1582-10-15", -12219292800000),
    ("yyyy-MM-dd", "1582-10-04", -12219379200000),
    ("yyyy-MM-dd", "1500-02-29", -14825894400000),
    ("yyyyDDD", "1582300", -12217392000000),
    ("yyyy G", "44 BC", -63524304000000),
    ("yyyy G", "1 ad", -62135769600000),
    ("yyyy G", "1 Anno Domini", -62135769600000),
    ("yyyy.MM.dd D", "2020.12.31 366", 1609372800000),
    ("d D yyyy", "1 60 2021", 1614556800000),
    ("h 'o''clock' a", "3 o'clock pm", 54000000),
    ("''yyyy''", "'2020'", 1577836800000),
    ("yyyy", "2020", 1577836800000),
    ("MM", "7", 15638400000),
]
REFUSED = [
    ("yyyy-MM-dd", "2021-02-29"),
    ("yyyy-MM-dd", "2020-02"),
    ("yyyy-MM-dd", "2020-13-01"),
    ("yyyy-MM-dd", "0000-01-01"),
    ("yyyy-MM-dd", "-001-01-01"),
    ("yyyy-MM-dd", ""),
    ("yyyy-MM-dd", "99999999999-01-01"),
    ("yyyy-MM-dd", "1E99-01-01"),
    (ISO, "2019-03-31T24:00:00"),
    (ISO, "2019-03-31T23:59:60"),
    ("yyyyMMdd", "2020229"),
    ("yyyyMMdd", "2020"),
    ("yyyyDDD", "2021366"),
    ("d MMM yyyy", "1 Sept 2000"),
    ("d MMM yyyy", "1 Foo 2000"),
    ("HH:mmX", "10:00 z"),
    ("d MMM yyyy", "1  jan 2000"),
    ("EEE d MMM yyyy", "Sunday 1 Jan 2000"),
    ("u yyyy-MM-dd", "7 2000-01-01"),
    ("u yyyy-MM-dd", "8 2000-01-01"),
    ("h:mm a", "13:00 PM"),
    ("h:mm a", "0:00 AM"),
    ("K:mm a", "12:05 PM"),
    ("k:mm", "0:10"),
    ("H:mm a", "13:00 AM"),
    ("HH:mm z", "10:00 GMT+0230"),
    ("HH:mm z", "10:00 CET"),
    ("HH:mm Z", "10:00 +02:30"),
    ("HH:mm Z", "10:00 +2460"),
    ("HH:mm Z", "10:00 Z"),
    ("HH:mmXXX", "10:00-0530"),
    ("HH:mmXX", "10:00+1500"),
    ("HH:mmXX", "10:00-1400"),
    ("yyyy-MM-dd", "1582-10-10"),
    ("yyyy-MM-dd", "1900-02-29"),
    ("E yyyy MM", "Fri 1582 10"),
    ("yyyy.MM.dd D", "2020.12.31 365"),
    ("D d yyyy", "60 1 2021"),
]


@pytest.mark.parametrize(("pattern", "text", "milliseconds"), READ)
def test_dates_are_read_as_java_reads_them(pattern, text, milliseconds):
    assert DateFormat(pattern, NOW).parse(text) == milliseconds


@pytest.mark.parametrize(("pattern", "text"), REFUSED)
def test_what_java_takes_for_no_date_is_refused(pattern, text):
    with pytest.raises(ValueError, match=r"."):
        DateFormat(pattern, NOW).parse(text)


@pytest.mark.parametrize(
    ("pattern", "milliseconds", "text"),
    [
        (ISO + ".SSS", -1, "1969-12-31T23:59:59.999"),
        ("yy/M/d", 951782400000, "00/2/29"),
        (
            "EEE, d MMM yyyy hh:mm:ss a Z",
            951782400000,
            "Tue, 29 Feb 2000 12:00:00 AM +0000",
        ),
        ("EEEE MMMM D u k K h", 951782400000, "Tuesday February 60 2 24 0 12"),
        ("u", 951609600000, "7"),
        ("G yyyy", -62198755200000, "BC 0002"),
        ("XXX zzzz z", 0, "Z Coordinated Universal Time UTC"),
        ("''yyyy'' 'at'", 0, "'1970' at"),
    ],
)
def test_dates_are_written_as_java_writes_them(pattern, milliseconds, text):
    assert DateFormat(pattern).format(milliseconds) == text


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("45-01-01", 2045),
        ("46-01-01", 1946),
        ("45-06-15", 2045),
        ("45-06-16", 1945),
        ("44-12-31", 2044),
        ("045-01-01", 45),
        ("5-01-01", 5),
        ("2045-01-01", 2045),
    ],
)
def test_two_digit_years_lie_between_80_years_ago_and_20_ahead(text, year):
    days, rest = divmod(int(DateFormat("yy-MM-dd", NOW).parse(text)), 86_400_000)
    assert rest == 0
    assert date_of(days).year == year


def test_the_window_of_two_digit_years_survives_a_29th_of_february():
    leap_day = datetime(2080, 2, 29, tzinfo=UTC)
    assert DateFormat("yy.M", leap_day).parse("00.2") == DateFormat("yyyy.M").parse("2100.2")
    assert DateFormat("yy.M", leap_day).parse("00.3") == DateFormat("yyyy.M").parse("2000.3")
    odd = datetime(2180, 2, 29, tzinfo=UTC)  # 2100 has no such day
    assert DateFormat("yy", odd).parse("01") == DateFormat("yyyy").parse("2101")


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("YYYY-MM-dd", "the year is yyyy"),
        ("yyyy-ww", "weeks"),
        ("yyyy-FF", "weeks"),
        ("yyyy-bb", "'b' is not a letter"),
        ("yyyyThh", "'T' is not a letter"),
        ("yyyy XXXX", "at most three X"),
        ("yyyy 'at", "not closed"),
        ("yyyy '''", "not closed"),
    ],
)
def test_a_format_that_is_not_understood_is_refused_with_the_reason(pattern, reason):
    with pytest.raises(ValueError, match=reason):
        DateFormat(pattern)


@pytest.mark.parametrize("milliseconds", [0.5, float("inf"), float("nan"), 2.0**63])
def test_what_is_no_whole_number_of_milliseconds_has_no_text(milliseconds):
    with pytest.raises(ValueError, match="whole number"):
        DateFormat("yyyy").format(milliseconds)


def test_days_and_dates_are_inverse_on_both_sides_of_the_change_of_calendars():
    for number in [*range(-141_900, -141_000), *range(-800_000, 800_000, 9973)]:
        date = date_of(number)
        assert day_number(date.year, date.month, date.day) == number


def test_weekdays_go_on_through_the_change_of_calendars():
    thursday, friday = date_of(-141_428), date_of(-141_427)
    assert (thursday.year, thursday.month, thursday.day, thursday.weekday) == (1582, 10, 4, 4)
    assert (friday.year, friday.month, friday.day, friday.weekday) == (1582, 10, 15, 5)
