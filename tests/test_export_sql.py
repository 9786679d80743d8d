"""The exported SELECT equals the model in SQLite and DuckDB."""

from __future__ import annotations

import math
import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

import duckdb
import pytest

from tests.export_cases import NAMES, NUMBERS, Case, case
from widc_arff.export.content import UnusedNames
from widc_arff.export.sql import sql_limits, sql_select
from widc_arff.export.sql_reading import other_spellings
from widc_arff.export.sql_terms import exact_number, quoted_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TOLERANCE = 1e-12


class Connection(Protocol):
    """What both databases have."""

    def execute(self, query: str) -> Any: ...
    def executemany(self, query: str, parameters: Any) -> Any: ...


OPEN: dict[str, Callable[[], Connection]] = {
    "sqlite": lambda: sqlite3.connect(":memory:"),
    "duckdb": duckdb.connect,
}


def with_rows(engine: str, tried: Case, table: str, rows: Sequence[dict[str, Any]]) -> Connection:
    """Return a connection to a database with a table of rows, numbered in a last column."""
    connection = OPEN[engine]()
    columns = [
        f"{quoted_name(attribute.name)} {'TEXT' if attribute.values else 'DOUBLE PRECISION'}"
        for attribute in tried.committee.schema.attributes
    ]
    columns.append("serial_number INTEGER")
    name = quoted_name(table)
    connection.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
    places = f"({', '.join('?' * len(columns))})"
    if engine == "sqlite":
        numbered = [(*row.values(), i) for i, row in enumerate(rows)]
        connection.executemany(f"INSERT INTO {name} VALUES {places}", numbered)
    else:  # DuckDB is slow row by row
        arrays = [list(column) for column in zip(*(row.values() for row in rows), strict=True)]
        arrays.append(list(range(len(rows))))
        unnested = ", ".join(f"UNNEST(${i + 1})" for i in range(len(columns)))
        connection.execute(f"INSERT INTO {name} SELECT {unnested}", arrays)  # type: ignore[call-arg]
    return connection


def answers(
    connection: Connection, tried: Case, table: str
) -> tuple[list[str], list[list[float]], list[list[int]]]:
    """Return labels, probabilities and votes of the exported statement, by serial number."""
    statement = sql_select(tried.committee, table).rstrip().removesuffix(";")
    found = connection.execute(f"SELECT * FROM ({statement}\n) AS s ORDER BY serial_number")
    rows = found.fetchall()
    n_labels = tried.committee.schema.n_classes
    first = len(tried.committee.schema.attributes) + 2
    middle = first + 1 + n_labels
    assert all(len(row) == middle + n_labels for row in rows)
    return (
        [row[first] for row in rows],
        [list(row[first + 1 : middle]) for row in rows],
        [list(row[middle:]) for row in rows],
    )


@pytest.mark.parametrize("engine", OPEN)
@pytest.mark.parametrize("name", NAMES)
def test_every_row_has_the_model_s_answers(engine: str, name: str) -> None:
    tried = case(name)
    connection = with_rows(engine, tried, 'the "table"', tried.rows)
    labels, chances, votes = answers(connection, tried, 'the "table"')
    assert labels == tried.labels
    assert votes == tried.votes
    for row, expected in zip(chances, tried.probabilities, strict=True):
        assert row == pytest.approx(expected, abs=TOLERANCE, rel=0)


@pytest.mark.parametrize("engine", OPEN)
def test_all_columns_of_the_table_stay(engine: str) -> None:
    tried = case("iris")
    connection = with_rows(engine, tried, "iris", tried.rows[:1])
    found = connection.execute(sql_select(tried.committee))
    assert [column[0] for column in found.description] == [
        "row_number",
        *(attribute.name for attribute in tried.committee.schema.attributes),
        "serial_number",
        "predicted",
        *("probability:setosa", "probability:versicolor", "probability:virginica"),
        *("votes:setosa", "votes:versicolor", "votes:virginica"),
    ]


@pytest.mark.parametrize("engine", OPEN)
def test_an_unknown_label_gets_no_prediction(engine: str) -> None:
    tried = case("tic-tac-toe")
    used = tried.committee.schema.attributes[min(tried.committee.used_attributes)].name
    rows = [dict(tried.rows[0]), {**tried.rows[0], used: "X"}]
    labels, chances, votes = answers(with_rows(engine, tried, "t", rows), tried, "t")
    assert labels == [tried.labels[0], None]
    assert chances[1] == votes[1] == [None, None]


@pytest.mark.parametrize("engine", OPEN)
def test_labels_that_are_digits_may_be_whole_numbers(engine: str) -> None:
    tried = case("monk1-124")
    connection = OPEN[engine]()
    names = [quoted_name(attribute.name) for attribute in tried.committee.schema.attributes]
    columns = ", ".join(f"{name} INTEGER" for name in [*names, "serial_number"])
    connection.execute(f"CREATE TABLE t ({columns})")
    rows = [
        (*(None if value is None else int(value) for value in row.values()), i)
        for i, row in enumerate(tried.rows)
    ]
    places = ", ".join("?" * (len(names) + 1))
    connection.executemany(f"INSERT INTO t VALUES ({places})", rows)
    assert answers(connection, tried, "t")[0] == tried.labels


@pytest.mark.parametrize("engine", OPEN)
@pytest.mark.parametrize(
    "value", [*NUMBERS, 2.45, -7.0, 0.0, 123456789012345.0, 1.5e22, 2.0**-1074]
)
def test_numbers_are_the_same_doubles(engine: str, value: float) -> None:
    expression = f"SELECT CAST({exact_number(value)} AS DOUBLE PRECISION)"
    found = OPEN[engine]().execute(expression).fetchall()[0][0]
    assert (found, type(found)) == (value, float)


@pytest.mark.parametrize("engine", OPEN)
def test_a_thousand_rules_are_within_the_limits_of_databases(engine: str) -> None:
    small = case("small")
    rules = tuple(replace(rule, votes=(1, -1, 0)) for rule in small.committee.rules * 250)
    tried = replace(small, committee=replace(small.committee, rules=rules))
    labels, chances, votes = answers(with_rows(engine, tried, "t", tried.rows), tried, "t")
    assert labels == tried.labels
    assert votes == tried.votes
    # exp(-1500) is no double but zero, where exp() itself is an error in PostgreSQL
    assert [750, -750, 0] in votes
    for row, expected in zip(chances, tried.probabilities, strict=True):
        assert row == pytest.approx(expected, abs=TOLERANCE, rel=0)


def test_short_numbers_are_written_as_they_are() -> None:
    assert exact_number(2.45) == "2.45"
    assert exact_number(-41.0) == "-41.0"
    # 1.2000000000000002 = 5404319552844596 / 2**52 = 1351079888211149 / 2**50
    double = "CAST({} AS DOUBLE PRECISION)".format
    expected = f"({double(1351079888211149)} / {double(2**50)})"
    assert exact_number(math.nextafter(1.2, 2)) == expected


def test_names_of_columns_differ_within_63_bytes_and_case_aside() -> None:
    names = UnusedNames(["predicted"])
    assert names.take("Predicted") == "Predicted_2"
    assert names.take("predicted") == "predicted_3"
    long = "é" * 40
    assert names.take(long + "1") == "é" * 31
    assert names.take(long + "2") == "é" * 30 + "_2"
    assert len(("é" * 30 + "_2").encode()) <= 63


def test_golden(golden: Callable[[str, str], None]) -> None:
    golden("export-small.sql.txt", sql_select(case("small").committee))
