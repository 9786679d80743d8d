"""A float32 is the decimal that it prints."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from widc_arff import Dataset, DecisionCommittee, WIDCClassifier, read_arff, read_data
from widc_arff.tables.single_precision import as_doubles


def plainly(values):
    """Return the double of the text of each number; whole numbers as they are."""
    return [float(v) if float(v).is_integer() else float(str(v)) for v in values]


@given(st.lists(st.floats(width=32)))
def test_a_float32_is_the_double_of_its_text(numbers):
    values = np.array(numbers, np.float32)
    assert np.array_equal(as_doubles(values), plainly(values), equal_nan=True)


@given(st.lists(st.floats(width=16)))
def test_a_float16_is_the_double_of_its_text(numbers):
    values = np.array(numbers, np.float16)
    assert np.array_equal(as_doubles(values), plainly(values), equal_nan=True)


@given(st.lists(st.integers(-(10**6), 10**6)), st.integers(0, 8))
def test_decimals_that_people_write_come_back(numbers, places):
    decimals = np.array([n / 10**places for n in numbers])
    assert as_doubles(decimals.astype(np.float32)).tolist() == decimals.tolist()
    assert as_doubles(decimals) is decimals


IRIS = Dataset.from_relation(read_arff("arff_data/iris.arff"))
TABLE = np.column_stack(IRIS.columns)


@pytest.mark.parametrize(
    "kind",
    [
        lambda table: table.astype(np.float32),
        lambda table: table.astype(np.float16),
        lambda table: pd.DataFrame(table).astype("float32"),
        lambda table: pd.DataFrame(table).astype("Float32"),
        lambda table: pd.DataFrame(table).astype(pd.ArrowDtype(pa.float32())),
        lambda table: pl.DataFrame(table.astype(np.float32), schema=["x0", "x1", "x2", "x3"]),
    ],
    ids=["float32", "float16", "pandas", "Float32", "arrow", "polars"],
)
def test_a_model_of_single_precision_is_that_of_double_precision(kind):
    expected = WIDCClassifier(pruning="pessimistic").fit(TABLE, IRIS.classes)
    found = WIDCClassifier(pruning="pessimistic").fit(kind(TABLE), IRIS.classes)
    assert found.committee_.rules == expected.committee_.rules
    assert max(len(rule.split(": ")[0]) for rule in found.rules_) < 50
    assert (found.predict_proba(kind(TABLE)) == expected.predict_proba(TABLE)).all()
    assert "(now 4.8)" in found.explain(kind(TABLE[70:71]))[0]


def as_version_2(text: str) -> str:
    """Return a model file as version 2 has it: without what version 3 alone says."""
    committee = DecisionCommittee.from_json(text)
    rules = tuple(replace(rule, decides=None) for rule in committee.rules)
    training = replace(committee.training, ties=None)
    return replace(committee, version=2, rules=rules, training=training, seen={}).to_json()


@pytest.mark.parametrize("kind", ["float32", "float16"])
def test_single_precision_of_parquet_is_read_as_decimals(kind, tmp_path, run):
    numbers = [1.9, None, 3.0, 2.5, 0.7] * 9
    of_doubles, of_singles = tmp_path / "d.parquet", tmp_path / "s.parquet"
    labels = ["b" if n and n > 2 else "a" for n in numbers]
    for path, type_ in ((of_doubles, "float64"), (of_singles, kind)):
        column = pa.array(np.array([np.nan if n is None else n for n in numbers], type_))
        pyarrow.parquet.write_table(pa.table({"x": column, "class": labels}), path)
    first, second = read_data(of_doubles), read_data(of_singles)
    assert np.array_equal(first.columns[0], second.columns[0], equal_nan=True)
    model, older = tmp_path / "m.json", tmp_path / "old.json"
    assert run("train", str(of_singles), "--model", str(model), "--quiet")[0] == 0
    text = model.read_text(encoding="utf-8")
    assert '"value": 2.2' in text
    # of version 2, and with the cut point of a float32 that is less than its decimal
    cut = repr(float(np.float32(0.7)))
    older.write_text(as_version_2(text).replace("2.2", cut))
    model.write_text(text.replace("2.2", cut))
    new = tmp_path / "new.parquet"
    pyarrow.parquet.write_table(pa.table({"x": pa.array([0.7], "float32")}), new)
    predicted = [run("predict", str(m), str(new))[1].splitlines()[1] for m in (model, older)]
    assert [line.split(",")[2] for line in predicted] == ["b", "a"]


def test_a_model_of_version_2_reads_single_precision_as_it_did():
    # 0.7 is a bit more than the float32 of it, which this cut point is
    cut = float(np.float32(0.7))
    assert cut < 0.7
    fitted = WIDCClassifier(cut_points={"x0": [cut]}, pruning="none").fit(
        [[0.5], [0.9]] * 9, ["a", "b"] * 9
    )
    text = fitted.to_json()
    assert '"version": 3' in text
    older = WIDCClassifier.from_model(as_version_2(text))
    at_cut = np.array([[0.7]], np.float32)
    assert WIDCClassifier.from_model(text).predict(at_cut).tolist() == ["b"]
    assert older.predict(at_cut).tolist() == ["a"]
    assert older.to_json() == as_version_2(text)
