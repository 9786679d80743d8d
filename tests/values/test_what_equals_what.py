"""The table of what equals what: each value in each tool that reads new data.

A model of each kind says which label a value is: rule 1 is for the first label, rule 2 for the
second, and where a value is missing neither holds.  An unknown label is an error, and in SQL NULL.
"""

# ruff: noqa: PD011 - `values` are the labels of our attributes
from __future__ import annotations

import datetime as dt
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from decimal import Decimal
from functools import cache
from itertools import chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

from tests.weka.installation import java
from tests.weka.plugin import plugin, work_folder
from weka_plugin.build import find_javac, find_weka_jar
from widc_arff import Attribute, Dataset, Relation, WIDCClassifier, read_data, write_data
from widc_arff.data.schema import Labels, Schema
from widc_arff.errors import WidcError
from widc_arff.export.java import java_source
from widc_arff.export.pmml import pmml_document
from widc_arff.export.python import python_source
from widc_arff.export.sql import sql_select
from widc_arff.model.committee import DecisionCommittee
from widc_arff.model.literals import Literal
from widc_arff.model.rules import Rule, TrainingSummary

if TYPE_CHECKING:
    from collections.abc import Callable

NAN = float("nan")
FIRST, SECOND, MISSING, UNKNOWN = "first", "second", "none", "unknown"

KINDS: dict[str, Attribute] = {
    "truth": Attribute("v", "nominal", ("False", "True")),
    "yes and no": Attribute("v", "nominal", ("no", "yes")),
    "letters": Attribute("v", "nominal", ("f", "t")),
    "0 and 1": Attribute("v", "nominal", ("0", "1")),
    "codes": Attribute("v", "nominal", ("007", "12")),
    "twins": Attribute("v", "nominal", ("007", "7")),
    "with a third": Attribute("v", "nominal", ("False", "True", "1")),
    "texts": Attribute("v", "nominal", ("red", "Blue")),
    "words": Attribute("v", "nominal", ("NA", "None")),
    "number": Attribute("v", "numeric"),
    "date": Attribute("v", "date", format="yyyy-MM-dd"),
}

FALSES: list[Any] = [False, 0, 0.0, Decimal("0.00"), "False", "FALSE", "false", "0", "0.0"]
TRUES: list[Any] = [True, 1, 1.0, Decimal("1.00"), "True", "TRUE", "true", "1", "1.0"]
OF_TRUTH = [(v, FIRST) for v in FALSES] + [(v, SECOND) for v in TRUES]
OF_WORDS = [
    *((v, FIRST) for v in ("no", "NO", "No", "n", "N", "f", "F", "off", "OFF")),
    *((v, SECOND) for v in ("yes", "YES", "Yes", "y", "Y", "t", "T", "on", "ON")),
    *((v, UNKNOWN) for v in (2, -1.0, 0.5, "maybe", "tru", "10")),
]
NOTHING = [(None, MISSING), (NAN, MISSING)]
TABLE: dict[str, list[tuple[Any, str]]] = {
    "truth": [*OF_TRUTH, *OF_WORDS, *NOTHING, (" True ", SECOND), ("01", SECOND)],
    "yes and no": [*OF_TRUTH, *OF_WORDS, *NOTHING, (" 1 ", SECOND)],
    "letters": [*OF_TRUTH, *OF_WORDS, *NOTHING],
    "0 and 1": [*OF_TRUTH, *OF_WORDS, *NOTHING, ("00", FIRST), (" 1", SECOND)],
    "codes": [
        *((v, FIRST) for v in ("007", "7", "07", "7.0", "7.00", " 007", 7, 7.0, Decimal("7.0"))),
        *((v, SECOND) for v in ("12", "012", "12.0", 12, 12.0)),
        *((v, UNKNOWN) for v in ("70", "0", 1, 0.7, True, "true", "seven")),
        *NOTHING,
    ],
    "twins": [
        *[("007", FIRST), ("7", SECOND), (7, SECOND)],
        *((v, UNKNOWN) for v in ("07", "7.0", "7.00", True)),
        *NOTHING,
    ],
    "with a third": [
        *((v, FIRST) for v in (False, "False", "FALSE", "false")),
        *((v, SECOND) for v in (True, "True", "TRUE", "true")),
        *((v, UNKNOWN) for v in (0, 0.0, "0", "no", "yes", "t")),
        *NOTHING,
    ],
    "texts": [
        *[("red", FIRST), (" red ", FIRST), ("Blue", SECOND)],
        *((v, UNKNOWN) for v in ("Red", "RED", "blue", 1, True, "1", "true")),
        *NOTHING,
    ],
    "words": [("NA", FIRST), ("None", SECOND), ("na", UNKNOWN), *NOTHING],
    "number": [
        *((v, FIRST) for v in (0, 0.0, -1, 0.5, Decimal("0.25"), False)),
        *((v, SECOND) for v in (1, 1.0, 0.5000001, Decimal("1.00"), True)),
        *((v, FIRST) for v in ("0", "0.0", "-1", "5e-1", "false", "FALSE")),
        *((v, SECOND) for v in ("1", "01", "1.0", " 1 ", "true", "True")),
        *((v, UNKNOWN) for v in ("yes", "t", "two")),
        *NOTHING,
    ],
    "date": [
        (dt.date(2024, 1, 1), FIRST),
        (dt.date(2024, 3, 1), SECOND),
        (dt.datetime(2024, 3, 1, 12), SECOND),  # noqa: DTZ001
        ("2024-01-01", FIRST),
        ("2024-03-01", SECOND),
        ("2024-03-01T10:00:00", SECOND),
        ("2024-13-01", UNKNOWN),
        (None, MISSING),
    ],
}
WORDS_FOR_MISSING = ["", "?", "NA", "NaN", "nan", "null", "None", "N/A"]
FEBRUARY = 1706745600000.0


def committee_of(kind: str) -> DecisionCommittee:
    attribute = KINDS[kind]
    literals = [Literal(0, "=", code) for code in range(len(attribute.values))]
    if not literals:
        cut = FEBRUARY if attribute.type == "date" else 0.5
        literals = [Literal(0, "<=", cut), Literal(0, ">", cut)]
    labels = (FIRST, SECOND, MISSING)
    rules = [Rule((literal,), (0, 0, 0), (1.0, 1.0, 1.0)) for literal in literals]
    for k in (0, 1):
        votes = tuple(1 if j == k else 0 for j in range(3))
        rules[k] = Rule(rules[k].monomial, votes, rules[k].covers)
    summary = TrainingSummary(9, (3.0, 3.0, 3.0), 0.0, {}, "0")
    schema = Schema("new", (attribute,), Labels("single", ("class",), labels))
    return DecisionCommittee(schema, tuple(rules), (0.25, 0.25, 0.5), summary)


COMMITTEES = {kind: committee_of(kind) for kind in KINDS}


def is_missing(value: object) -> bool:
    return value is None or value != value  # noqa: PLR0124


def text_of(value: Any) -> str:
    return "" if is_missing(value) else str(value)


# What each tool does with a value


def _of_file(kind: str, path: Path) -> str:
    committee = COMMITTEES[kind]
    relation = read_data(path, declared=committee.schema.declared)
    dataset = Dataset.for_schema(relation, committee.schema)
    return str(committee.predict(dataset)[0])


def of_csv(kind: str, value: Any, folder: Path) -> str:
    path = folder / "new.csv"
    path.write_text(f"v,other\n{text_of(value)},1\n", encoding="utf-8")
    return _of_file(kind, path)


def of_parquet(kind: str, value: Any, folder: Path) -> str:
    path = folder / "new.parquet"
    pyarrow.parquet.write_table(pa.table({"v": [value, value]}), path)
    return _of_file(kind, path)


def of_arff(kind: str, value: Any, folder: Path) -> str:
    path = folder / "new.arff"
    attribute = Attribute("v", "nominal", (str(value),))
    if isinstance(value, bool):
        attribute, value = Attribute("v", "nominal", ("False", "True")), str(value)
    elif isinstance(value, dt.date):
        attribute = Attribute("v", "date", format="yyyy-MM-dd'T'HH:mm:ss")
        value = np.datetime64(value, "ms").astype(np.int64).astype(float)
    elif is_missing(value) or isinstance(value, int | float | Decimal):
        attribute = Attribute("v", "numeric")
        value = None if is_missing(value) else float(value)
    write_data(Relation.from_rows("new", (attribute,), [[value]]), path)
    return _of_file(kind, path)


def _of_estimator(kind: str, table: Any) -> str:
    classifier = WIDCClassifier.from_model(COMMITTEES[kind])
    return str(classifier.predict(table)[0])


def of_numpy(kind: str, value: Any, _: Path) -> str:
    return _of_estimator(kind, np.array([[value], [value]], object))


def of_array(kind: str, value: Any, _: Path) -> str:
    """An array of the type that numpy finds."""
    return _of_estimator(kind, np.array([[value], [value]]))


def of_pandas(kind: str, value: Any, _: Path) -> str:
    return _of_estimator(kind, pd.DataFrame({"v": [value, None]}))


def of_categories(kind: str, value: Any, _: Path) -> str:
    return _of_estimator(kind, pd.DataFrame({"v": pd.Categorical([value, value])}))


def of_polars(kind: str, value: Any, _: Path) -> str:
    return _of_estimator(kind, pl.DataFrame({"v": [value, None]}, strict=False))


@cache
def exported_python(kind: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {}
    exec(python_source(COMMITTEES[kind]), namespace)
    return namespace


def of_python(kind: str, value: Any, _: Path) -> str:
    return str(exported_python(kind)["predict"]({"v": value}))


def _of_sql(connection: Any, types: dict[type, str], kind: str, value: Any) -> str:
    type_ = next(
        (name for key, name in types.items() if isinstance(value, key)),
        "DOUBLE PRECISION" if KINDS[kind].type != "nominal" else "TEXT",
    )
    connection.execute('DROP TABLE IF EXISTS "new"')
    connection.execute(f'CREATE TABLE "new" (v {type_})')
    if isinstance(value, Decimal) and isinstance(connection, sqlite3.Connection):
        value = float(value)  # SQLite has no decimals
    connection.execute('INSERT INTO "new" VALUES (?)', (value,))
    found = connection.execute(sql_select(COMMITTEES[kind])).fetchall()[0][2]
    return UNKNOWN if found is None else str(found)


def of_sqlite(kind: str, value: Any, _: Path) -> str:
    types = {bool: "INTEGER", int: "INTEGER", float: "REAL", Decimal: "NUMERIC", str: "TEXT"}
    with closing(sqlite3.connect(":memory:")) as connection:
        return _of_sql(connection, types, kind, value)


def of_duckdb(kind: str, value: Any, _: Path) -> str:
    types = {bool: "BOOLEAN", int: "INTEGER", float: "DOUBLE", Decimal: "DECIMAL(9,2)", str: "TEXT"}
    return _of_sql(database(), types, kind, value)


@cache
def database() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


HERE: dict[str, Callable[[str, Any, Path], str]] = {
    "CSV": of_csv,
    "Parquet": of_parquet,
    "ARFF": of_arff,
    "numpy, objects": of_numpy,
    "numpy": of_array,
    "pandas": of_pandas,
    "pandas, categories": of_categories,
    "polars": of_polars,
    "Python": of_python,
    "SQLite": of_sqlite,
    "DuckDB": of_duckdb,
}


def cells_of(tool: str) -> list[tuple[str, Any, str]]:
    """Return kind, value and what is right for each cell of a tool."""
    cells = [(kind, value, right) for kind, rows in TABLE.items() for value, right in rows]
    if tool == "CSV":
        cells += [
            (kind, word, MISSING)
            for kind in KINDS
            for word in WORDS_FOR_MISSING
            if word not in KINDS[kind].values
        ]
    if tool in ("SQLite", "DuckDB"):
        cells += [(kind, word, MISSING) for kind in KINDS if kind != "date" for word in ("", "?")]
    return [cell for cell in cells if _has_place(tool, *cell)]


def _has_place(tool: str, kind: str, value: Any, right: str) -> bool:  # noqa: C901, PLR0911
    """Return whether the tool can be given the value at all."""
    is_text = isinstance(value, str)
    if tool == "numpy":  # numpy makes texts or objects of anything else
        return isinstance(value, bool | int | float | str)
    if tool == "pandas, categories":
        return not is_missing(value)
    if tool in ("Weka", "JPMML", "PMML4S", "Java", "Python"):
        if kind == "date":  # milliseconds, or Weka's dates
            return False
        if isinstance(value, Decimal):
            return tool == "Python"
    if tool in ("Java", "JPMML", "PMML4S") and kind == "number":  # a number is a number there
        return not is_text and not (tool == "PMML4S" and isinstance(value, bool))
    if tool in ("JPMML", "PMML4S"):  # the texts that typed columns give, and no others
        return not is_text or value in ("0", "007") or value == value.strip(" 0")
    if tool in ("SQLite", "DuckDB"):
        if kind == "date":
            return False
        if kind == "number" and (is_text or isinstance(value, bool)):  # a column of numbers
            return tool == "SQLite" and (isinstance(value, bool) or right == MISSING)
        if kind == "with a third" and tool == "SQLite":
            return not isinstance(value, bool)  # SQLite has 1 for it, which is the third
    return True


def answer(call: Callable[[str, Any, Path], str], kind: str, value: Any, folder: Path) -> str:
    try:
        return call(kind, value, folder)
    except (WidcError, ValueError):
        return UNKNOWN


def wrong(found: list[str], cells: list[tuple[str, Any, str]]) -> list[str]:
    return [
        f"{kind}: {value!r} is {right}, got {got}"
        for got, (kind, value, right) in zip(found, cells, strict=True)
        if got != right
    ]


@pytest.mark.filterwarnings("ignore::widc_arff.WidcWarning", "ignore:X does not have valid")
@pytest.mark.parametrize("tool", HERE)
def test_a_value_means_the_same_in_every_tool(tool: str, tmp_path: Path) -> None:
    cells = cells_of(tool)
    assert len(cells) > 150
    found = [answer(HERE[tool], kind, value, tmp_path) for kind, value, _ in cells]
    assert wrong(found, cells) == []


@pytest.mark.needs("weka")
def test_a_value_means_the_same_in_java_and_weka() -> None:
    folder = work_folder() / "values"
    folder.mkdir()
    for k, kind in enumerate(KINDS):
        source = java_source(COMMITTEES[kind], f"Values{k}")
        (folder / f"Values{k}.java").write_text(source, encoding="ascii")
        (folder / f"{k}.json").write_text(COMMITTEES[kind].to_json(), encoding="utf-8")
    path = f"{find_weka_jar()}:{plugin().jar}:{folder}"
    sources = [str(path) for path in folder.glob("*.java")]
    probe = str(Path(__file__).parents[1] / "weka" / "ValueProbe.java")
    subprocess.run([find_javac(), "-cp", path, "-d", str(folder), *sources, probe], check=True)
    place = {kind: k for k, kind in enumerate(KINDS)}
    cells = [("java", *cell) for cell in cells_of("Java")]
    cells += [("weka", *cell) for cell in cells_of("Weka")]
    lines = []
    for tool, kind, value, _ in cells:
        model = f"Values{place[kind]}" if tool == "java" else str(folder / f"{place[kind]}.json")
        typed = "\t" if is_missing(value) else f"{type(value).__name__}\t{value}"
        lines.append(f"{tool}\t{model}\t{typed}")
    command = [str(java()), "-Dfile.encoding=UTF-8", "-cp", path, "ValueProbe"]
    done = subprocess.run(
        command, input="\n".join(lines), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    names = {"0": FIRST, "1": SECOND, "2": MISSING}
    found = [
        UNKNOWN if line.startswith("!") else names.get(line, line)
        for line in done.stdout.splitlines()
    ]
    assert wrong(found, [cell[1:] for cell in cells]) == []


READERS = """
import json, sys
from tests.pmml_readers import by_jpmml, by_pmml4s

def answers(reader, pmml, rows):
    try:
        return [row[0] or "unknown" for row in reader(pmml, rows)]
    except Exception:
        half = len(rows) // 2
        if not half:
            return ["unknown"]
        return answers(reader, pmml, rows[:half]) + answers(reader, pmml, rows[half:])

readers = {"JPMML": by_jpmml, "PMML4S": by_pmml4s}
cases = json.load(sys.stdin)
print(json.dumps([answers(readers[tool], pmml, rows) for tool, pmml, rows in cases]))
"""


@pytest.mark.needs("weka")
def test_a_value_means_the_same_in_readers_of_pmml() -> None:
    documents = {kind: pmml_document(committee) for kind, committee in COMMITTEES.items()}
    cells = [(tool, *cell) for tool in ("JPMML", "PMML4S") for cell in cells_of(tool)]
    cells.sort(key=lambda cell: cell[:2])
    cases = [
        (
            tool,
            documents[kind],
            [{"v": None if is_missing(value) else value} for *_, value, _ in of],
        )
        for (tool, kind), of in groupby(cells, key=lambda cell: cell[:2])
    ]
    done = subprocess.run(
        [sys.executable, "-c", READERS],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    found = list(chain.from_iterable(json.loads(done.stdout)))
    assert wrong(found, [cell[1:] for cell in cells]) == []
