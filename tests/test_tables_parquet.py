"""Parquet as data: types of the file, whoever wrote it, and what is refused."""

# ruff: noqa: PD011 - `values` are the labels of our attributes
from __future__ import annotations

import io
import subprocess
import sys
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from widc_arff import Attribute, Relation, TableError, WidcError, read_arff, read_data, write_data
from widc_arff.tables import read_table

ROOT = Path(__file__).parents[1]
DAY = 86_400_000.0


def parquet(table: pa.Table) -> io.BytesIO:
    file = io.BytesIO()
    pq.write_table(table, file)
    file.seek(0)
    return file


def column(values, kind=None, **how) -> tuple[str, tuple[str, ...], list[object]]:
    """Return type, labels and values of a column x."""
    relation = read_table(parquet(pa.table({"x": pa.array(values, kind)})), "parquet", **how)
    attribute = relation.attributes[0]
    return attribute.type, attribute.values, [row[0] for row in relation.rows()]


@pytest.mark.parametrize(
    ("values", "kind", "expected"),
    [
        ([1, None, -3], "int64", ("numeric", (), [1, None, -3])),
        ([1.5, None, float("nan")], "float32", ("numeric", (), [1.5, None, None])),
        ([Decimal("1.25"), None], pa.decimal128(5, 2), ("numeric", (), [1.25, None])),
        ([None, None], "null", ("numeric", (), [None, None])),
        ([True, None], "bool", ("nominal", ("False", "True"), ["True", None])),
        (["b", None, "a"], "string", ("nominal", ("a", "b"), ["b", None, "a"])),
        (["10", "9"], "large_string", ("nominal", ("10", "9"), ["10", "9"])),
        (["NA", "", "?"], "string", ("nominal", ("", "?", "NA"), ["NA", "", "?"])),
        ([f"k{i}" for i in range(21)], "string", ("string", (), [f"k{i}" for i in range(21)])),
        ([date(1970, 1, 2), None], "date32", ("date", (), [DAY, None])),
        ([date(1969, 12, 31)], "date64", ("date", (), [-DAY])),
        ([-1, None, 1999], pa.timestamp("us"), ("date", (), [-1, None, 1])),  # rounded down
        ([1_600_000_000_000_999_999], pa.timestamp("ns"), ("date", (), [1_600_000_000_000])),
        ([3], pa.timestamp("s", "Europe/Berlin"), ("date", (), [3000])),
    ],
)
def test_a_column_has_the_type_of_the_file(values, kind, expected):
    assert column(values, kind) == expected


def test_a_dictionary_declares_its_values_in_their_order():
    codes = pa.DictionaryArray.from_arrays(pa.array([2, None, 0], "int8"), ["z", "unused", "a"])
    for array in (codes, pa.chunked_array([codes, codes])):
        file = parquet(pa.table({"x": array}))
        relation = read_table(file, "parquet", target="x")
        assert relation.attributes[0].values == ("z", "unused", "a")
        assert [row[0] for row in relation.rows()][:3] == ["a", None, "z"]


def test_dictionaries_of_several_parts_are_made_one():
    parts = [pa.array(["b", "a"]).dictionary_encode(), pa.array(["c", "a"]).dictionary_encode()]
    table = pa.table({"x": pa.chunked_array(parts)})
    relation = read_table(parquet(table), "parquet")
    assert [row[0] for row in relation.rows()] == ["b", "a", "c", "a"]


def test_the_class_is_nominal():
    assert column([3, 1, 3, None], target="x") == ("nominal", ("1", "3"), ["3", "1", "3", None])
    assert column([3.0, 1.0], target="x") == ("nominal", ("1", "3"), ["3", "1"])
    assert column([False], target="x") == ("nominal", ("False", "True"), ["False"])
    assert column([10, 9, 9], nominal=["x"]) == ("nominal", ("9", "10"), ["10", "9", "9"])
    with pytest.raises(TableError, match=r"row 2, column 'x': expected labels of classes, got"):
        column([1.0, 0.5], target="x")


def test_known_types_are_those_of_a_model():
    nominal = {"x": Attribute("x", "nominal", ("0", "1"))}
    assert column([1.0, None, 0.0], declared=nominal) == ("nominal", ("0", "1"), ["1", None, "0"])
    assert column(["1", "01", "NA"], declared=nominal)[2] == [
        "1",
        "1",
        "NA",
    ]  # no CSV: NA is a text
    words = {"x": Attribute("x", "nominal", ("true", "false"))}
    assert column([True, False], declared=words)[2] == ["true", "false"]
    assert column(["1.5", None], declared={"x": Attribute("x", "numeric")})[2] == [1.5, None]
    european = {"x": Attribute("x", "date", format="dd.MM.yyyy")}
    assert column(["02.01.1970"], declared=european)[2] == [DAY]
    assert column([datetime(1970, 1, 2, tzinfo=UTC)], declared=european)[2] == [DAY]
    days = {"x": Attribute("x", "nominal", ("1970-01-01",))}
    assert column([date(1970, 1, 1)], declared=days)[2] == ["1970-01-01"]
    with pytest.raises(TableError, match=r"row 2, column 'x': expected a number as in training"):
        column(["1", "one"], declared={"x": Attribute("x", "numeric")})


@pytest.mark.parametrize("kind", [pa.list_(pa.int8()), pa.struct({"a": pa.int8()}), pa.binary()])
def test_other_types_are_refused_by_name_unless_nobody_needs_them(kind):
    file = parquet(pa.table({"x": pa.array([None, None], kind), "y": ["a", "b"]}))
    with pytest.raises(TableError, match=r"column 'x': expected numbers, booleans, texts, dates"):
        read_table(file, "parquet")
    assert read_table(file, "parquet", ignore=["x"]).attributes[0].type == "string"
    assert read_table(file, "parquet", declared={}).attributes[1].values == ("a", "b")


def test_what_is_no_parquet_is_refused(tmp_path):
    path = tmp_path / "a.parquet"
    path.write_bytes(b"a,b\n1,2\n")
    with pytest.raises(TableError, match=r"a\.parquet: expected a Parquet file"):
        read_data(path)
    with pytest.raises(TableError, match="expected each name once"):
        read_table(parquet(pa.table([[1], [2]], names=["a", "a"])), "parquet")


def test_pandas_polars_and_duckdb_write_what_is_read_here(tmp_path):
    path = tmp_path / "a.parquet"
    expected = [("red", 1.0, "True", DAY), (None, None, "False", None)]
    frame = pd.DataFrame(
        {
            "c": pd.Categorical(["red", None], ["red", "blue"]),
            "n": pd.array([1, None], "Int64"),
            "b": [True, False],
            "d": pd.to_datetime(["1970-01-02", None]),
        }
    )
    frame.to_parquet(path)
    relation = read_data(path)
    assert list(relation.rows()) == expected
    assert relation.attributes[0].values == ("red", "blue")
    series = [
        pl.Series("c", ["red", None], pl.Enum(["red", "blue"])),
        pl.Series("n", [1, None], pl.Int16),
        pl.Series("b", [True, False]),
        pl.Series("d", [date(1970, 1, 2), None]),
    ]
    pl.DataFrame(series).write_parquet(path)
    assert list(read_data(path).rows()) == expected
    query = "select * from (values ('red', 1, true, date '1970-01-02'), (null, null, false, null))"
    duckdb.sql(f"copy ({query} t(c, n, b, d)) to '{path}' (format parquet)")
    assert list(read_data(path).rows()) == expected


@pytest.mark.parametrize("path", sorted((ROOT / "arff_data").glob("*.arff")), ids=lambda p: p.stem)
def test_what_is_written_reads_back_with_its_declarations(path, tmp_path):
    relation = read_arff(path)
    write_data(relation, tmp_path / f"{relation.name}.parquet")
    again = read_data(tmp_path / f"{relation.name}.parquet")
    assert again.equals(relation)


def test_every_type_with_missing_values_reads_back(tmp_path):
    attributes = (
        Attribute("n", "numeric"),
        Attribute("c", "nominal", ("z", "unused", "")),
        Attribute("s", "string"),
        Attribute("d", "date", format="yyyy-MM-dd"),
    )
    rows = [(float(i), "z", f"k{i}", i * DAY) for i in range(25)] + [(None,) * 4]
    relation = Relation.from_rows("all", attributes, rows)
    write_data(relation, tmp_path / "all.parquet")
    assert read_data(tmp_path / "all.parquet").equals(relation)


def test_relational_values_are_refused(tmp_path):
    bag = Attribute("b", "relational", attributes=(Attribute("n", "numeric"),))
    relation = Relation("r", (bag,), (np.array([None], object),), np.ones(1))
    with pytest.raises(WidcError, match="attribute 'b': "):
        write_data(relation, tmp_path / "r.parquet")
    assert list(tmp_path.iterdir()) == []


def test_without_pyarrow_the_message_says_what_to_install():
    code = (
        "import sys\n"
        "sys.modules['pyarrow'] = None\n"
        "from widc_arff.cli import main\n"
        "assert main(['train', 'a.parquet']) == 1\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, cwd=ROOT, capture_output=True, text=True
    )
    assert "pip install 'widc-arff[parquet]'" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_data_are_read_without_pyarrow_where_they_are_no_parquet():
    code = "import sys, widc_arff; widc_arff.read_data; assert 'pyarrow' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
