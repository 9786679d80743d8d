"""``widc-arff export``."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.export_cases import case
from widc_arff.export.java import java_source
from widc_arff.export.pmml import pmml_document
from widc_arff.export.pmml_rules import pmml_rules_document
from widc_arff.export.python import python_source
from widc_arff.export.sql import sql_select
from widc_arff.model.model_file import write_committee

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., tuple[int, str, str]]

EXPORTS: dict[str, Callable[..., str]] = {
    "python": python_source,
    "sql": sql_select,
    "java": java_source,
    "pmml": pmml_document,
    "pmml-rules": pmml_rules_document,
}


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "model.json"
    write_committee(case("awkward labels").committee, path)
    return str(path)


@pytest.mark.parametrize("language", EXPORTS)
def test_code_goes_to_standard_output_or_a_file(
    run: Run, model: str, tmp_path: Path, language: str
) -> None:
    expected = EXPORTS[language](case("awkward labels").committee)
    assert run("export", model, "--to", language) == (0, expected, "")
    out = tmp_path / "Committee.out"
    assert run("export", model, "--to", language, "-o", str(out)) == (0, "", "")
    assert out.read_bytes() == expected.encode()


def test_code_is_utf_8_whatever_the_terminal(model: str) -> None:
    command = [sys.executable, "-m", "widc_arff", "export", model, "--to", "sql"]
    environment = {"PYTHONIOENCODING": "ascii", "PATH": ""}
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert done.stdout == sql_select(case("awkward labels").committee).encode()


def test_a_java_class_has_the_name_of_its_file(run: Run, model: str, tmp_path: Path) -> None:
    out = tmp_path / "Gadget.java"
    assert run("export", model, "--to", "java", "--output", str(out))[0] == 0
    assert "public final class Gadget {" in out.read_text(encoding="utf-8")
    status, _, err = run("export", model, "--to", "java", "-o", str(tmp_path / "my-class.java"))
    assert status == 1
    assert "expected a name for a Java class" in err
    assert "got 'my-class'" in err
    assert not (tmp_path / "my-class.java").exists()


def test_the_table_is_named(run: Run, model: str) -> None:
    _, out, _ = run("export", model, "--to", "sql", "--table", 'my "rows"')
    assert 'FROM "my ""rows""" AS t' in out
    _, out, _ = run("export", model, "--to", "sql")
    assert "FROM \"a 'table'\" AS t" in out
    status, _, err = run("export", model, "--to", "java", "--table", "x")
    assert status == 2
    assert "--table: expected with --to sql only, got --to java" in err


def test_a_language_is_required(run: Run, model: str) -> None:
    assert run("export", model)[0] == 2
    assert run("export", model, "--to", "cobol")[0] == 2


def test_names_that_sql_cannot_hold_are_refused(run: Run, model: str) -> None:
    status, _, err = run("export", model, "--to", "sql", "--table", "a\0b")
    assert status == 1
    assert (
        r"expected names and labels that SQL can hold, got the character '\x00' in 'a\x00b'" in err
    )
