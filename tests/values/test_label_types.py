"""Labels have the type that they had, also when they come back from a model file."""

from __future__ import annotations

import datetime as dt
import enum
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest

from widc_arff import WIDCClassifier

X = np.arange(18.0)[:, None]


class Colour(enum.Enum):
    RED = 0
    BLUE = 1


class Grade(enum.IntEnum):
    LOW = 0
    HIGH = 1


DAYS = [dt.date(2024, 1, 1), dt.date(2024, 2, 29)]
TAKEN = {
    "texts": ["a", "b"],
    "wide texts": np.array(["a", "b"], "U9"),
    "objects": np.array(["a", "b"], object),
    "pandas texts": pd.Series(["a", "b"], dtype="string"),
    "whole numbers": [10, 9],
    "bytes of numbers": np.array([2, 10], np.uint8),
    "floats": [0.0, 1.0],
    "single precision": np.array([1.0, 0.0], np.float32),
    "booleans": [False, True],
    "numpy booleans": np.array([True, False]),
    "objects of booleans": np.array([True, False], object),
    "objects of numbers": np.array([1, 2.0], object),
    "nullable": pd.array([7, 8], "Int16"),
    "nullable booleans": pd.array([False, True], "boolean"),
    "categories": pd.Categorical(["b", "a"], ["b", "a"]),
    "categories of numbers": pd.Categorical([3, 1]),
    "polars": pl.Series([3, 1], dtype=pl.Int8),
    "polars Enum": pl.Series(["y", "n"], dtype=pl.Enum(["y", "n"])),
    "dates": DAYS,
    "days": np.array(DAYS, "M8[D]"),
    "moments": pd.Series(pd.to_datetime(DAYS)),
    "moments of a zone": pd.Series(pd.to_datetime(DAYS)).dt.tz_localize("Europe/Oslo"),
    "moments of Python": np.array([dt.datetime(2024, 1, 1), dt.datetime(2025, 1, 1)], object),  # noqa: DTZ001
    "decimals": [Decimal(1), Decimal("2.00")],
    "IntEnum": [Grade.LOW, Grade.HIGH],
}


@pytest.mark.parametrize("kind", TAKEN)
def test_labels_come_back_from_a_model_file_as_they_were(kind):
    pair = TAKEN[kind]
    if isinstance(pair, pd.Series | pd.api.extensions.ExtensionArray):
        y = pd.Series(pair).repeat(9)
    elif isinstance(pair, pl.Series):
        y = pair.gather(np.repeat([0, 1], 9))
    elif isinstance(pair, np.ndarray):
        y = np.repeat(pair, 9)
    else:
        y = [pair[0]] * 9 + [pair[1]] * 9
    fitted = WIDCClassifier().fit(X, y)
    again = WIDCClassifier.from_model(fitted.to_json())
    assert again.classes_.dtype == fitted.classes_.dtype
    assert again.classes_.tolist() == fitted.classes_.tolist()
    assert again.predict(X).tolist() == fitted.predict(X).tolist() == list(y)
    assert (again.predict_proba(X) == fitted.predict_proba(X)).all()
    assert again.to_json() == fitted.to_json()
    if fitted.classes_.dtype != object or isinstance(fitted.classes_[0], str):  # sklearn's limits
        assert again.score(X, y) == fitted.score(X, y) == 1


@pytest.mark.parametrize("kind", [np.int64, np.bool_, np.float32, np.uint8])
def test_indicators_of_label_sets_come_back_in_their_type(kind):
    Y = np.column_stack([np.arange(18) < 9, np.arange(18) % 2 == 0]).astype(kind)
    fitted = WIDCClassifier().fit(X, Y)
    again = WIDCClassifier.from_model(fitted.to_json())
    assert [pair.dtype for pair in again.classes_] == [kind] * 2
    assert again.predict(X).dtype == kind
    assert (again.predict(X) == fitted.predict(X)).all()


@pytest.mark.parametrize(
    ("pair", "found"),
    [
        (pd.to_timedelta([1, 2], unit="D"), "got timedelta64"),
        ([dt.timedelta(1), dt.timedelta(2)], "got timedelta"),
        (list(Colour), r"got Colour; \[label.name for label in y\]"),
        ([b"a", b"b"], r"got bytes; \[label.decode\(\) for"),
        (np.array([b"a", b"b"], object), r"got bytes; \[label.decode\(\) for"),
        ([1j, 2j], "omplex"),
        ([Fraction(1, 2), Fraction(1, 3)], r"got Fraction; \[str\(label\) for"),
        (pd.interval_range(0, 2), "got Interval"),
        (pd.period_range("2024", periods=2, freq="M"), "got Period"),
        ([dt.time(1), dt.time(2)], "got time"),
        (np.array(["a", 1], object), r"one type, got int, str; \[str\(label\) for label in y\]"),
        (np.array([True, 2], object), "one type, got bool, int"),
        ([dt.date(2024, 1, 1), "a"], "one type, got date, str"),
        ([None, "a"], "expected a label in every row, got None in row 0"),
        ([pd.NaT, dt.date(2024, 1, 1)], "expected a label in every row, got NaT in row 0"),
        (np.array(["NaT", "2024-01-01"], "M8[D]"), "expected a label in every row, got .*NaT"),
    ],
    ids=str,
)
def test_labels_that_are_not_taken_are_named_with_what_to_do(pair, found):
    y = pd.Series(pair).repeat(9) if isinstance(pair, pd.Index) else list(pair) * 9
    if isinstance(pair, np.ndarray):
        y = np.tile(pair, 9)
    with pytest.raises(ValueError, match=found):
        WIDCClassifier().fit(X, y)
