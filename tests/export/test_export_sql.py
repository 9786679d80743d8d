"""The exported SELECT equals the model in SQLite and DuckDB."""

from __future__ import annotations

import math
import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

import duckdb
import numpy as np
import pytest

from tests.export_cases import NAMES, NUMBERS, Case, case
from widc_arff.arff.relation import Attribute
from widc_arff.data.dataset import Dataset
from widc_arff.data.rows import label_matrix
from widc_arff.data.schema import Labels, Schema
from widc_arff.export.content import UnusedNames
from widc_arff.export.spellings import other_spellings
from widc_arff.export.sql import sql_limits, sql_select
from widc_arff.export.sql_terms import exact_number, quoted_name
from widc_arff.model.committee import DecisionCommittee
from widc_arff.model.literals import Literal
from widc_arff.model.model_file import write_committee
from widc_arff.model.rules import Rule, TrainingSummary

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

TOLERANCE = 1e-12


class Connection(Protocol):
    """What both databases have."""

    def execute(self, query: str) -> Any: ...
    def executemany(self, query: str, parameters: Any) -> Any: ...


def opened_sqlite() -> Connection:
    """Return a database that `closed_databases` closes."""
    OPENED.append(sqlite3.connect(":memory:"))
    return OPENED[-1]


OPENED: list[sqlite3.Connection] = []
OPEN: dict[str, Callable[[], Connection]] = {"sqlite": opened_sqlite, "duckdb": duckdb.connect}


@pytest.fixture(autouse=True)
def closed_databases():
    """Close what a test opened: Python warns of connections that are not closed."""
    yield
    while OPENED:
        OPENED.pop().close()


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


def large(n_classes: int, n_rules: int, n_literals: int, n_values: int = 3) -> Case:
    """Return a committee of a size of one's choice, and rows around its cut points."""
    rng = np.random.default_rng(5)
    attributes = (
        Attribute("word", "nominal", tuple(f"value {i}" for i in range(n_values))),
        Attribute("x", "numeric"),
        Attribute("y", "numeric"),
    )
    labels = tuple(f"label {j}" for j in range(n_classes))
    rules = []
    for _ in range(n_rules):
        literals = [Literal(0, "!=", int(v)) for v in rng.integers(n_values, size=n_literals // 2)]
        literals += [Literal(1, "<=", 2 + x) for x in rng.random(n_literals // 2 - 1).tolist()]
        literals.append(Literal(2, ">", float(rng.random())))
        votes = tuple(rng.integers(-1, 2, size=n_classes).tolist())
        rules.append(Rule(tuple(literals), votes, (1.0,) * n_classes))
    weights = tuple(rng.integers(1, 9, size=n_classes).astype(float).tolist())
    committee = DecisionCommittee(
        Schema("large", attributes, Labels("single", ("class",), labels)),
        tuple(rules),
        tuple(w / sum(weights) for w in weights),
        TrainingSummary(int(sum(weights)), weights, 0.25, {}, "0.1.0"),
    )
    n = 12
    columns = (rng.integers(-1, n_values, n), rng.random(n), rng.random(n))
    nothing = label_matrix(np.full(n, -1), n_classes)
    examples = Dataset(committee.schema, columns, nothing, np.ones(n), has_labels=False)
    return Case(committee, examples)


@pytest.mark.parametrize("engine", OPEN)
@pytest.mark.parametrize(
    ("n_classes", "n_rules", "n_literals", "n_values"),
    [(3, 1700, 2, 3), (150, 10, 2, 3), (2, 4, 1400, 2000), (2, 10, 2, 5000)],
)
def test_large_committees_are_within_the_limits_of_databases(
    engine: str, n_classes: int, n_rules: int, n_literals: int, n_values: int
) -> None:
    tried = large(n_classes, n_rules, n_literals, n_values)
    labels, chances, votes = answers(with_rows(engine, tried, "t", tried.rows), tried, "t")
    assert labels == tried.labels
    assert votes == tried.votes
    for row, expected in zip(chances, tried.probabilities, strict=True):
        assert row == pytest.approx(expected, abs=TOLERANCE, rel=0)
    assert sql_limits(tried.committee) == []


def test_more_classes_than_a_compound_select_of_sqlite_has_terms_are_decided() -> None:
    tried = large(520, 8, 2)
    labels, _, votes = answers(with_rows("sqlite", tried, "t", tried.rows), tried, "t")
    assert labels == tried.labels
    assert votes == tried.votes


@pytest.mark.parametrize("engine", OPEN)
def test_more_classes_than_columns_have_the_predicted_label_alone_and_that_is_told(
    engine: str,
) -> None:
    tried = large(1200, 10, 2)
    rows = [*tried.rows, {**tried.rows[0], "word": "unknown"}]
    statement = sql_select(tried.committee, "t").rstrip().removesuffix(";")
    found = with_rows(engine, tried, "t", rows).execute(
        f"SELECT predicted, probability, votes FROM ({statement}\n) AS s ORDER BY serial_number"
    )
    *known, unknown = found.fetchall()
    assert unknown == (None, None, None)
    assert [row[0] for row in known] == tried.labels
    assert [row[1] for row in known] == pytest.approx(
        [max(chances) for chances in tried.probabilities], abs=TOLERANCE, rel=0
    )
    assert [row[2] for row in known] == [max(votes) for votes in tried.votes]
    (told,) = sql_limits(tried.committee)
    assert "1,200 labels" in told
    assert "PostgreSQL (1,664) and SQLite (2,000)" in told


def test_a_table_with_too_many_columns_for_a_database_is_told(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    committee = case("small").committee
    more = tuple(Attribute(f"a{k}", "numeric") for k in range(1700))
    schema = replace(committee.schema, attributes=committee.schema.attributes + more)
    path = tmp_path / "wide.json"
    write_committee(replace(committee, schema=schema), path)
    status, out, err = run("export", str(path), "--to", "sql")
    assert status == 0
    assert out.startswith("-- Decision committee")
    assert "1,713 columns, more than PostgreSQL (1,664) can return" in err


def test_that_sqlite_loses_columns_called_true_or_false_is_told() -> None:
    iris = case("iris").committee
    assert sql_limits(iris) == []
    used = min(iris.used_attributes)
    attributes = list(iris.schema.attributes)
    attributes[used] = replace(attributes[used], name="True")
    committee = replace(iris, schema=replace(iris.schema, attributes=tuple(attributes)))
    (told,) = sql_limits(committee)
    assert told.startswith("SQLite gives columns called 'True' other names within a statement")
    for engine, open_ in OPEN.items():
        connection = open_()
        columns = ", ".join(f"{quoted_name(a.name)} DOUBLE PRECISION" for a in attributes)
        connection.execute(f"CREATE TABLE t ({columns})")
        if engine == "sqlite":  # should this run one day, the sentence can go
            with pytest.raises(sqlite3.OperationalError, match=r"no such column: s\.True"):
                connection.execute(sql_select(committee, "t"))
        else:
            assert connection.execute(sql_select(committee, "t")).fetchall() == []


@pytest.mark.parametrize("engine", OPEN)
@pytest.mark.parametrize(
    ("labels", "type_", "cells", "meant"),
    [
        (("007", "7", "1E2", "100"), "TEXT", ["'007'", "'7'", "'1E2'", "'100'"], [0, 1, 2, 3]),
        (("007", "7", "1E2", "100"), "INTEGER", ["7", "100", "8"], [1, 3, None]),
        (("007", "1E2", "-3", "2.50"), "INTEGER", ["7", "100", "-3"], [0, 1, 2]),
        (
            ("1", "2", "0.50", "1000000"),
            "DOUBLE PRECISION",
            ["1", "2.0", "0.5", "1e6"],
            [0, 1, 2, 3],
        ),
        (
            ("9007199254740993", "9007199254740992"),
            "BIGINT",
            ["9007199254740993", "9007199254740992"],
            [0, 1],
        ),
        (("0", "1-2", "3+"), "TEXT", ["'0'", "'0.0'", "'-0'", "'1-2'", "'1'"], [0, 0, 0, 1, None]),
        (("0", "none"), "INTEGER", ["0", "1", "NULL"], [0, None, None]),
        (("it's", "TRUE", "?"), "TEXT", ["'TRUE'", "'true'", "'?'", "NULL"], [1, 1, 2, None]),
    ],
)
def test_labels_are_their_texts_or_the_one_label_of_the_same_number(
    engine: str, labels: tuple[str, ...], type_: str, cells: list[str], meant: list[int | None]
) -> None:
    # One class for each label, and one rule that votes for it.
    rules = tuple(
        Rule(
            (Literal(0, "=", j),),
            tuple(int(i == j) for i in range(len(labels))),
            (1.0,) * len(labels),
        )
        for j in range(len(labels))
    )
    weights = (1.0,) * len(labels)
    committee = DecisionCommittee(
        Schema("t", (Attribute("a", "nominal", labels),), Labels("single", ("c",), labels)),
        rules,
        tuple(w / len(labels) for w in weights),
        TrainingSummary(len(labels), weights, 0.0, {}, "0.1.0"),
    )
    connection = OPEN[engine]()
    connection.execute(f"CREATE TABLE t (a {type_}, i INTEGER)")
    for i, cell in enumerate(cells):
        connection.execute(f"INSERT INTO t VALUES ({cell}, {i})")
    statement = sql_select(committee, "t").rstrip().removesuffix(";")
    found = connection.execute(
        f"SELECT a, predicted FROM ({statement}\n) AS s ORDER BY i"
    ).fetchall()
    for (value, predicted), j in zip(found, meant, strict=True):
        # without a value the first label is decided, all being tied
        expected = labels[0] if value is None else None if j is None else labels[j]
        assert predicted == expected


@pytest.mark.parametrize("type_", ["BOOLEAN", "ENUM ('false', 'true')"])
def test_truth_values_are_labels_however_they_are_written(type_: str) -> None:
    committee = with_labels(case("small").committee, ("TRUE", "False", "maybe"))
    connection = duckdb.connect()
    connection.execute(f'CREATE TABLE t (housing {type_}, age DOUBLE, "last visit" DOUBLE)')
    connection.execute("INSERT INTO t VALUES ('true', 50, NULL), ('false', 50, NULL)")
    rows = connection.execute(sql_select(committee, "t")).fetchall()
    # rules 1 and 4 hold where housing is the first label: votes 0 0 0; rule 4 alone: -1 1 0
    assert [row[-3:] for row in rows] == [(0, 0, 0), (-1, 1, 0)]


def test_labels_with_the_same_truth_value_keep_apart() -> None:
    assert other_spellings(("TRUE", "true", "7", "007", "x")) == {}
    odd = ("nan1", "sNaN2", "1e9999999", "0.1000000000000000000000000000000001")
    assert other_spellings((*odd, "-0")) == {"0": "-0"}
    assert other_spellings(("1e-9999999", "0")) == {}  # one double
    assert other_spellings(("TRUE", "07", "1e2", "1e30", "nan", "1_0", "٣")) == {
        "true": "TRUE",
        "7": "07",
        "100": "1e2",
    }


@pytest.mark.parametrize(
    ("engine", "type_", "cells"),
    [
        ("sqlite", "TEXT", ["'50'", "'9'", "''", "'?'", "NULL"]),
        ("sqlite", "", ["'50'", "9", "''", "'NaN'", "NULL"]),
        ("sqlite", "INTEGER", ["50", "9", "''", "NULL", "NULL"]),
        ("duckdb", "DOUBLE", ["50", "9", "'nan'", "NULL", "NULL"]),
        ("duckdb", "DECIMAL(6, 2)", ["50", "9", "NULL", "NULL", "NULL"]),
        ("duckdb", "UTINYINT", ["50", "9", "NULL", "NULL", "NULL"]),
    ],
)
def test_numbers_are_doubles_and_what_is_missing_satisfies_nothing(
    engine: str, type_: str, cells: list[str]
) -> None:
    # 50 > 40.5 and > 0.3: rules 1 and 4; 9 > 0.3: rule 4; missing: none
    connection = OPEN[engine]()
    connection.execute(f'CREATE TABLE t (housing TEXT, age {type_}, "last visit" BIGINT)')
    for cell in cells:
        connection.execute(f"INSERT INTO t VALUES ('own', {cell}, NULL)")
    rows = connection.execute(sql_select(case("small").committee, "t")).fetchall()
    assert [row[-3:] for row in rows] == [(0, 0, 0), (-1, 1, 0), *[(0, 0, 0)] * 3]
    assert [row[4] for row in rows] == ["low"] * 1 + ["high"] + ["low"] * 3


def test_a_number_of_32_bits_is_compared_as_the_double_that_it_is() -> None:
    # The float nearest to 40.7 is 40.70000076..., above the cut.
    committee = case("small").committee
    rule = Rule((Literal(1, "<=", 40.7),), (1, 0, 0), (1.0, 1.0, 1.0))
    connection = duckdb.connect()
    connection.execute('CREATE TABLE t (housing TEXT, age REAL, "last visit" BIGINT)')
    connection.execute("INSERT INTO t VALUES ('own', 40.7, NULL)")
    (row,) = connection.execute(sql_select(replace(committee, rules=(rule,)), "t")).fetchall()
    assert row[-3:] == (0, 0, 0)


def test_columns_are_named_as_in_other_outputs_and_differ() -> None:
    statement = sql_select(with_labels(case("small").committee, ("a", "A", 'b"'), target=True))
    for name in ("probability:a", "probability:A_2", 'probability:b""', "votes:a", "votes:A_2"):
        assert f'AS "{name}"' in statement


def with_labels(
    committee: DecisionCommittee, labels: tuple[str, ...], *, target: bool = False
) -> DecisionCommittee:
    """Return a committee with other labels of its class, or of its first attribute."""
    schema = committee.schema
    if target:
        schema = replace(schema, labels=replace(schema.labels, values=labels))
    else:
        first = replace(schema.attributes[0], values=labels)
        schema = replace(schema, attributes=(first, *schema.attributes[1:]))
    return replace(committee, schema=schema)


def test_forty_thousand_labels_with_the_same_beginning_get_names_in_no_time() -> None:
    names = UnusedNames([])
    found = {names.take(f"{'x' * 70}{k}") for k in range(40_000)}
    assert len(found) == 40_000
