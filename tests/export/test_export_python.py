"""Exported Python equals the model: labels, votes, and probabilities to the last bit."""

from __future__ import annotations

import ast
import math
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.export_cases import DATA, NAMES, case
from widc_arff.arff.reader import read_arff
from widc_arff.data.dataset import Dataset
from widc_arff.export.python import python_source
from widc_arff.induction import induce

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def module(source: str) -> dict[str, Any]:
    """Return the names of an exported module, run where nothing else is."""
    namespace: dict[str, Any] = {"__name__": "exported"}
    exec(compile(source, "exported.py", "exec"), namespace)
    return namespace


@pytest.fixture(scope="module")
def weather() -> dict[str, Any]:
    relation = read_arff(DATA / "weather-nominal.arff")
    return module(python_source(induce(Dataset.from_relation(relation))))


@pytest.mark.parametrize("name", NAMES)
def test_every_row_has_the_model_s_answers(name: str) -> None:
    tried = case(name)
    exported = module(python_source(tried.committee))
    labels = tried.committee.schema.labels.values
    assert [exported["predict"](row) for row in tried.rows] == tried.labels
    proba = [exported["predict_proba"](row) for row in tried.rows]
    assert [tuple(chances) for chances in proba] == [labels] * len(proba)
    assert [list(chances.values()) for chances in proba] == tried.probabilities
    assert [list(exported["votes"](row).values()) for row in tried.rows] == tried.votes


@pytest.mark.parametrize("name", NAMES)
def test_the_module_is_python_3_8_and_imports_nothing(name: str) -> None:
    tree = ast.parse(python_source(case(name).committee), feature_version=(3, 8))
    assert not any(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.walk(tree))


def test_missing_is_none_nan_or_not_there(weather: dict[str, Any]) -> None:
    row = {"outlook": "sunny", "humidity": "high", "windy": "FALSE"}
    for name in row:
        absent = {other: value for other, value in row.items() if other != name}
        expected = weather["predict_proba"](absent)
        assert weather["predict_proba"]({**row, name: None}) == expected
        assert weather["predict_proba"]({**row, name: math.nan}) == expected
    assert weather["votes"]({}) == {"yes": 0, "no": 0}


@pytest.mark.parametrize("value", ["Sunny", "", 1, True, b"sunny"])
def test_an_unknown_label_is_an_error_that_names_it(weather: dict[str, Any], value: object) -> None:
    with pytest.raises(ValueError, match="attribute 'outlook': expected one of") as caught:
        weather["predict"]({"outlook": value})
    assert str(caught.value).endswith(f"got {value!r}")


@pytest.mark.parametrize("value", ["5,1", "?", [1], 10**400])
def test_what_is_no_number_is_an_error_that_names_it(value: object) -> None:
    exported = module(python_source(case("small").committee))
    with pytest.raises(ValueError, match="attribute 'age': expected a number, got"):
        exported["predict"]({"age": value})


def test_golden(golden: Callable[[str, str], None]) -> None:
    golden("export-small.py.txt", python_source(case("small").committee))


def test_a_fresh_interpreter_runs_the_file(tmp_path: Path) -> None:
    source = python_source(case("iris").committee)
    (tmp_path / "flowers.py").write_text(source, encoding="utf-8")
    code = "import flowers; print(flowers.predict({'petal_length': 1.4, 'petal_width': 0.2}))"
    command = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:0] = ['.']; {code}"]
    done = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert done.stdout == "setosa\n"
