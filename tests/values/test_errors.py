"""Errors: what they are about, and how it reads."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest

from widc_arff.errors import ArffError, DataError, OptionError

ROOT = Path(__file__).parents[2]

ERRORS = [
    (OptionError("expected 1, got 2"), "expected 1, got 2"),
    (OptionError("expected 1, got 2", option="max_rules"), "max_rules: expected 1, got 2"),
    (
        OptionError("expected 2 rows, got 3", option="costs", place="a.cost"),
        "a.cost: costs: expected 2 rows, got 3",
    ),
    (DataError("expected a row, got none"), "expected a row, got none"),
    (DataError("expected a row, got none", file="a.arff"), "a.arff: expected a row, got none"),
    (DataError("no good", file="a.xml", line=3, column=5), "a.xml:3:5: no good"),
    (ArffError("no good", "a.arff", 3, 5, "@data oops"), "a.arff:3:5: no good\n    @data oops"),
]


@pytest.mark.parametrize(("error", "text"), ERRORS)
def test_an_error_reads_as_its_subjects_and_its_message(error, text):
    assert str(error).startswith(text)
    assert error.message in text


@pytest.mark.parametrize("error", [error for error, _ in ERRORS])
def test_an_error_of_another_process_is_the_same(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert vars(again) == vars(error)
    assert str(again) == str(error)


def test_an_error_that_names_its_place_keeps_it():
    data, option = DataError("no good", file="a.xml"), OptionError("no good", place="rules:3")
    data.in_file("b.arff")
    option.at("b.arff")
    assert (str(data), str(option)) == ("a.xml: no good", "rules:3: no good")


def test_no_code_takes_the_message_of_an_error_apart():
    apart = r"str\((error|fault)\)(\.(r?partition|split\((?!\))|remove|startswith|replace)|\[)"
    for path in [*(ROOT / "widc_arff").rglob("*.py"), *(ROOT / "weka_plugin").rglob("*.py")]:
        assert not re.search(apart, path.read_text("utf-8")), path
