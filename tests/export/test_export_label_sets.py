"""Exported code for label sets equals the model: labels, votes, and probabilities."""

from __future__ import annotations

import struct
import subprocess
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.export.test_export_java import PROBE, cell
from tests.export.test_export_python import module
from tests.export.test_export_sql import OPEN, closed_databases, with_rows  # noqa: F401
from tests.export_cases import Case, doubled_with_missing
from tests.label_set_cases import days, random_sets
from tests.weka.installation import java
from weka_plugin.build import find_javac
from widc_arff.errors import ModelError
from widc_arff.export.java import java_source
from widc_arff.export.pmml import pmml_document
from widc_arff.export.pmml_rules import pmml_rules_document
from widc_arff.export.python import python_source
from widc_arff.export.sql import sql_select
from widc_arff.induction import induce
from widc_arff.options import LabelSetOptions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NAMES = ("days", "random", "random, pruned little")


@cache
def case(name: str) -> Case:
    """Return a committee for label sets, and rows with and without missing values."""
    dataset = days().take(np.arange(8)) if name == "days" else random_sets(5)
    pruning = "none" if "little" in name else "refined"
    options = LabelSetOptions(pruning=pruning, vectors="approximate")
    return Case(induce(dataset, options), doubled_with_missing(dataset))


def predicted(tried: Case) -> list[tuple[str, ...]]:
    labels = tried.committee.schema.labels.values
    sets = tried.committee.predict_sets(tried.examples)
    return [tuple(labels[j] for j in np.flatnonzero(held)) for held in sets]


@pytest.mark.parametrize("name", NAMES)
def test_python_gives_the_model_s_answers(name: str) -> None:
    tried = case(name)
    exported = module(python_source(tried.committee))
    assert [exported["predict"](row) for row in tried.rows] == predicted(tried)
    assert [list(exported["votes"](row).values()) for row in tried.rows] == tried.votes
    chances = [list(exported["predict_proba"](row).values()) for row in tried.rows]
    np.testing.assert_allclose(chances, tried.probabilities, rtol=1e-14)


@pytest.mark.parametrize("engine", OPEN)
@pytest.mark.parametrize("name", NAMES)
def test_sql_gives_the_model_s_answers(engine: str, name: str) -> None:
    tried = case(name)
    n = tried.committee.schema.n_classes
    connection = with_rows(engine, tried, "t", tried.rows)
    statement = sql_select(tried.committee, "t").rstrip().removesuffix(";")
    found = connection.execute(f"SELECT * FROM ({statement}\n) AS s ORDER BY serial_number")
    assert [column[0] for column in found.description][-3 * n :] == [
        f"{what}:{label}"
        for what in ("predicted", "probability", "votes")
        for label in tried.committee.schema.labels.values
    ]
    table = np.array([row[-3 * n :] for row in found.fetchall()], float)
    assert (table[:, :n] == tried.committee.predict_sets(tried.examples)).all()
    np.testing.assert_allclose(table[:, n : 2 * n], tried.probabilities, atol=1e-12)
    assert table[:, 2 * n :].tolist() == tried.votes


@pytest.mark.parametrize("engine", OPEN)
def test_sql_predicts_nothing_for_an_unknown_label(engine: str) -> None:
    tried = case("random")
    used = min(a for a in tried.committee.used_attributes if a < 3)
    name = tried.committee.schema.attributes[used].name
    connection = with_rows(engine, tried, "t", [{**tried.rows[0], name: "nobody"}])
    (row,) = connection.execute(sql_select(tried.committee, "t")).fetchall()
    assert set(row[-3 * tried.committee.schema.n_classes :]) == {None}


@pytest.mark.needs("weka")
def test_java_gives_the_model_s_answers(tmp_path: Path) -> None:
    lines: list[str] = []
    expected: list[tuple[Any, ...]] = []
    for k, name in enumerate(NAMES):
        tried = case(name)
        source = java_source(tried.committee, f"Sets{k}")
        (tmp_path / f"Sets{k}.java").write_text(source, encoding="ascii")
        for row in tried.rows:
            cells = [text for pair in row.items() for text in map(cell, pair)]
            lines.append("\t".join([f"Sets{k}", *cells]))
        expected += zip(predicted(tried), tried.probabilities, tried.votes, strict=True)
    options = ["-encoding", "US-ASCII", "--release", "8", "-Xlint:all,-options", "-Werror"]
    sources = [str(path) for path in tmp_path.glob("*.java")]
    subprocess.run([find_javac(), *options, "-d", str(tmp_path), *sources], check=True)
    subprocess.run([find_javac(), "-d", str(tmp_path), str(PROBE)], check=True)
    command: list[Any] = [java(), "-cp", tmp_path, "ExportProbe"]
    text = "\n".join(lines)
    done = subprocess.run(command, input=text, capture_output=True, encoding="ascii", check=True)
    for line, (labels, chances, votes) in zip(done.stdout.splitlines(), expected, strict=True):
        label, *numbers = line.split("\t")
        assert bytes.fromhex(label).decode() == ",".join(labels)
        n = len(chances)
        assert [int(text) for text in numbers[n:]] == votes
        found = [struct.unpack(">d", bytes.fromhex(text.zfill(16)))[0] for text in numbers[:n]]
        assert found == pytest.approx(chances, rel=1e-14)


@pytest.mark.parametrize("export", [pmml_document, pmml_rules_document])
def test_pmml_has_no_form_for_them(export: Callable[..., str]) -> None:
    with pytest.raises(ModelError, match="label sets, which PMML has no form for"):
        export(case("days").committee)
