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

from widc_arff import (
    Attribute,
    Relation,
    TableError,
    WidcError,
    WidcWarning,
    read_arff,
    read_data,
    write_data,
)
from widc_arff.tables import read_table
from widc_arff.tables.uses import TableOptions

ROOT = Path(__file__).parents[2]
DAY = 86_400_000.0


def parquet(table: pa.Table) -> io.BytesIO:
    file = io.BytesIO()
    pq.write_table(table, file)
    file.seek(0)
    return file


def read_parquet(file, **how) -> Relation:
    return read_table(file, "parquet", TableOptions(**how))


def column(values, kind=None, **how) -> tuple[str, tuple[str, ...], list[object]]:
    """Return type, labels and values of a column x."""
    relation = read_parquet(parquet(pa.table({"x": pa.array(values, kind)})), **how)
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
        ([-1000, None, 1000], pa.timestamp("us"), ("date", (), [-1, None, 1])),
        ([86_400_001], "date64", ("date", (), [DAY])),
        ([2**53 + 2, None, -(2**60)], "int64", ("numeric", (), [2.0**53 + 2, None, -(2.0**60)])),
        ([2**63], "uint64", ("numeric", (), [2.0**63])),
        ([Decimal("0.1234567891")], pa.decimal128(38, 10), ("numeric", (), [0.1234567891])),
        (["TRUE"], "string", ("nominal", ("FALSE", "TRUE"), ["TRUE"])),
        ([3], pa.timestamp("s", "Europe/Berlin"), ("date", (), [3000])),
    ],
)
def test_a_column_has_the_type_of_the_file(values, kind, expected):
    assert column(values, kind) == expected


@pytest.mark.parametrize(
    ("values", "kind", "held", "told"),
    [
        ([2**53 + 1, 1], "int64", 2.0**53, "9007199254740993 is read as the nearest number"),
        ([2**64 - 1, 2**64 - 2], "uint64", 2.0**64, r"1844674.* 53 bits, 1844.* \(and 1 more\)"),
        ([Decimal(2**53 + 1)], pa.decimal128(20, 0), 2.0**53, "9007199254740993 is read"),
        ([-1999, 1], pa.timestamp("us"), -2, "times are kept to the millisecond"),
        ([1_600_000_000_000_999_999], pa.timestamp("ns"), 1_600_000_000_000, "times are kept"),
    ],
)
def test_numbers_and_times_that_are_not_held_are_told(values, kind, held, told):
    with pytest.warns(WidcWarning, match=f"<file>: column 'x': .*{told}"):
        assert column(values, kind)[2][0] == held


IDS = [2**53 + 1, 2**53, 2**63 - 1, 2**63 - 2]
TEXTS = [str(number) for number in IDS]


@pytest.mark.parametrize("kind", ["int64", "uint64", pa.decimal128(20, 0), "dictionary"])
def test_whole_numbers_keep_their_digits_as_labels(kind):
    values = [*IDS, None] * 3
    array = pa.array(values, "int64").dictionary_encode() if kind == "dictionary" else None
    table = pa.table({"x": pa.array(values, kind) if array is None else array})
    for how in ({"target": "x"}, {"nominal": ["x"]}):
        relation = read_parquet(parquet(table), **how)
        assert [row[0] for row in relation.rows()] == [*TEXTS, None] * 3
        assert sorted(map(int, relation.attributes[0].values)) == sorted(IDS)
    declared = {"x": Attribute("x", "nominal", tuple(TEXTS[:2]))}
    relation = read_parquet(parquet(table), declared=declared)
    assert [row[0] for row in relation.rows()] == [*TEXTS, None] * 3
    relation = read_parquet(parquet(table), declared={})  # to be copied beside answers
    assert [row[0] for row in relation.rows()] == [*TEXTS, None] * 3


def test_a_double_beyond_2_53_is_no_label_of_an_integer_that_it_does_not_tell():
    two = {"x": Attribute("x", "nominal", tuple(TEXTS[:2]))}
    assert column([float(2**53)], declared=two)[2] == ["9007199254740992.0"]  # unknown
    one = {"x": Attribute("x", "nominal", (TEXTS[1],))}
    assert column([float(2**53)], declared=one)[2] == [TEXTS[1]]


def test_columns_that_are_left_out_are_not_read():
    table = pa.table({"x": ["secret" + "x" * 50] * 99, "y": [1, 2, 3] * 33})
    content = io.BytesIO()
    pq.write_table(table, content, compression="none", use_dictionary=False)
    damaged = content.getvalue().replace(b"secret", b"\xff\xfe\xfd\xfc\xfb\xfa")
    with pytest.raises(TableError, match="expected a Parquet file"):
        read_parquet(io.BytesIO(damaged))
    relation = read_parquet(io.BytesIO(damaged), ignore=["x"])
    assert [(a.type, len(relation)) for a in relation.attributes] == [
        ("string", 99),
        ("numeric", 99),
    ]
    assert read_parquet(io.BytesIO(damaged), declared={}).attributes[1].type == "numeric"


@pytest.mark.parametrize("index", [["key"], [None], [None, None], ["key", "other"]])
def test_the_index_that_pandas_wrote_is_left_out_and_told(index):
    frame = pd.DataFrame({"x": [1.0, 2.0], "k": ["a", "b"]})
    frame.index = pd.MultiIndex.from_arrays([[7, 8]] * len(index), names=index)
    if len(index) == 1:
        frame.index = pd.Index([7, 8], name=index[0])
    file = io.BytesIO()
    frame.to_parquet(file)
    with pytest.warns(WidcWarning, match="<file>: the index of pandas is left out: '"):
        relation = read_parquet(file, target="last")
    assert [a.name for a in relation.attributes] == ["x", "k"]
    assert len(read_parquet(file, declared={}).attributes) == 2 + len(index)


def test_columns_can_be_read_as_texts():
    table = pa.table(
        {"x": IDS, "d": [date(1970, 1, 2)] * 4, "t": ["a", None, "", "1"], "k": [1] * 4}
    )
    relation = read_parquet(parquet(table), texts=["x", "d", "t"])
    assert [a.type for a in relation.attributes] == ["string", "string", "string", "numeric"]
    assert [row[:3] for row in relation.rows()] == list(
        zip(TEXTS, ["1970-01-02"] * 4, ["a", None, "", "1"], strict=True)
    )


def test_the_index_of_pandas_is_a_column_where_its_name_is_asked_for():
    file = io.BytesIO()
    pd.DataFrame({"x": [1, 2, 3, 4]}, index=pd.Index([3, 3, 4, 4], name="key")).to_parquet(file)
    for how in ({"target": "key"}, {"nominal": ["key"]}):
        assert read_parquet(file, **how).attributes[1].values == ("3", "4")
    assert len(read_parquet(file, ignore=["key"]).attributes) == 2


def test_a_table_of_an_index_alone_is_refused():
    file = io.BytesIO()
    pd.DataFrame(index=pd.Index([1, 2], name="key")).to_parquet(file)
    with pytest.raises(TableError, match=r"got only the names of the rows \('key'\)"):
        read_parquet(file)


@pytest.mark.parametrize(
    "told", [b"", b"{", b"[]", b"7", b"{}", b'{"index_columns": 7}', b'{"index_columns": [7, {}]}']
)
def test_damaged_metadata_of_pandas_are_nothing(told):
    table = pa.table({"x": [1, 2]}).replace_schema_metadata({b"pandas": told})
    assert len(read_parquet(parquet(table)).attributes) == 1


@pytest.mark.parametrize("name", ["a", "a.b", "a.b.c", " ", "ü", "list.element"])
def test_columns_of_any_name_are_read_alone(name):
    names = dict.fromkeys([name, "a", "a.b", "b"])
    table = pa.table({other: [i, i] for i, other in enumerate(names)})
    relation = read_parquet(parquet(table), ignore=[n for n in names if n != name])
    assert relation.columns[0].tolist() == [0, 0]


def test_texts_that_look_like_measured_numbers_are_told():
    for words in (["1.5", "2.5", "3"], [*map(str, range(21)), "N/A"]):
        with pytest.warns(WidcWarning, match=r"column 'x': holds texts \('.*as labels"):
            assert column(words * 2, "string")[0] == "nominal"
    assert column(["1", "2", "N/A"], "string")[1] == ("1", "2", "N/A")  # few may be names


def test_a_time_beyond_all_years_is_refused():
    with pytest.raises(TableError, match=r"row 1, column 'x': expected a time within 275,760"):
        column([10**13], pa.timestamp("s"))


def test_a_dictionary_declares_its_values_in_their_order():
    codes = pa.DictionaryArray.from_arrays(pa.array([2, None, 0], "int8"), ["z", "unused", "a"])
    for array in (codes, pa.chunked_array([codes, codes])):
        file = parquet(pa.table({"x": array}))
        relation = read_parquet(file, target="x")
        assert relation.attributes[0].values == ("z", "unused", "a")
        assert [row[0] for row in relation.rows()][:3] == ["a", None, "z"]


def test_dictionaries_of_several_parts_are_made_one():
    parts = [pa.array(["b", "a"]).dictionary_encode(), pa.array(["c", "a"]).dictionary_encode()]
    table = pa.table({"x": pa.chunked_array(parts)})
    relation = read_parquet(parquet(table))
    assert [row[0] for row in relation.rows()] == ["b", "a", "c", "a"]


def test_the_class_is_nominal():
    assert column([3, 1, 3, None], target="x") == ("nominal", ("1", "3"), ["3", "1", "3", None])
    assert column([3.0, 1.0], target="x") == ("nominal", ("1", "3"), ["3", "1"])
    assert column([False], target="x") == ("nominal", ("False", "True"), ["False"])
    assert column([10, 9, 9], nominal=["x"]) == ("nominal", ("9", "10"), ["10", "9", "9"])
    with pytest.raises(TableError, match=r"row 2, column 'x': expected class labels, got"):
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
        read_parquet(file)
    assert read_parquet(file, ignore=["x"]).attributes[0].type == "string"
    assert read_parquet(file, declared={}).attributes[1].values == ("a", "b")


def test_what_is_no_parquet_is_refused(tmp_path):
    path = tmp_path / "a.parquet"
    path.write_bytes(b"a,b\n1,2\n")
    with pytest.raises(TableError, match=r"a\.parquet: expected a Parquet file"):
        read_data(path)
    with pytest.raises(TableError, match="expected each name once"):
        read_parquet(parquet(pa.table([[1], [2]], names=["a", "a"])))


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
