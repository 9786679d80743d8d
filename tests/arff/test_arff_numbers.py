"""Numbers as Java reads them; the expected values were checked with Double.valueOf."""

from __future__ import annotations

import math

import pytest

from widc_arff.arff.numbers import java_double, number_text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1.0),
        ("-0.5", -0.5),
        ("+3.5", 3.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("007", 7.0),
        ("1E5", 1e5),
        ("1.e-5", 1e-5),
        ("1.5f", 1.5),
        ("2D", 2.0),
        ("1e5d", 1e5),
        ("0x1p3", 8.0),
        ("0X1.8p1", 3.0),
        ("0x.8P+1f", 1.0),
        ("-0x1p-1", -0.5),
        ("Infinity", math.inf),
        ("-Infinity", -math.inf),
        ("1e400", math.inf),
        ("-1e400", -math.inf),
        ("1e-400", 0.0),
        ("0x1p99999", math.inf),
        ("-0x1p99999", -math.inf),
        ("0x1p-99999", 0.0),
        ("123456789012345678901234567890", 123456789012345678901234567890.0),
        (" 1 ", 1.0),
        ("\t1\x0b\x1f", 1.0),
    ],
)
def test_what_java_takes_for_a_number_is_one(text, value):
    assert java_double(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        ".",
        "+",
        "-",
        "e5",
        "1e",
        "1e+",
        "1_000",
        "inf",
        "nan",
        "infinity",
        "INFINITY",
        "0x1",
        "0x",
        "0xp1",
        "1ff",
        "1 2",
        "1,5",
        "--1",
        "٣",
        "\xa01",
        "NaNf",
        "1e5.0",
        "0x1.8",
    ],
)
def test_what_java_does_not_take_for_a_number_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        java_double(text)


@pytest.mark.parametrize("text", ["NaN", "+NaN", "-NaN", " NaN "])
def test_nan_is_read(text):
    assert math.isnan(java_double(text))


def test_the_sign_of_zero_is_kept():
    assert math.copysign(1, java_double("-0")) == -1
    assert math.copysign(1, java_double(number_text(-0.0))) == -1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (-3.0, "-3"),
        (0.1, "0.1"),
        (1e22, "1e+22"),
        (9007199254740993.0, "9007199254740992"),
        (1e-7, "1e-07"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        (math.nan, "?"),
        (0.1 + 0.2, "0.30000000000000004"),
    ],
)
def test_numbers_are_written_with_all_their_digits_and_no_needless_point(value, text):
    assert number_text(value) == text
