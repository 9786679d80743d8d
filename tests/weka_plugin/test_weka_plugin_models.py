"""Saved models, other headers, and the package in Weka's package manager."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.weka.installation import weka_jar
from tests.weka.plugin import (
    CLASSIFIER,
    DATA,
    PROBE,
    environment,
    plugin,
    run,
    run_probe,
    values,
    work_folder,
)
from widc_arff.arff.reader import read_arff
from widc_arff.data.dataset import Dataset
from widc_arff.induction import induce
from widc_arff.model.model_file import VERSION
from widc_arff.options import Options

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.needs("weka")

WEATHER = DATA / "weather-numeric.arff"

OTHER_HEADER = """@relation weather
@attribute note string
@attribute windy {FALSE,TRUE}
@attribute humidity numeric
@attribute temperature numeric
@attribute outlook {rainy,fog,overcast,sunny}
@attribute play {yes,no}
@data
x,FALSE,85,85,sunny,?
x,TRUE,90,80,sunny,?
x,FALSE,86,83,overcast,?
x,FALSE,?,?,?,?
"""


def without_python() -> dict[str, str]:
    return environment(PATH="/nonexistent", WIDC_PYTHON=None)


@cache
def saved() -> tuple[Path, list[str]]:
    """Return a saved model and what the probe prints of it and its predictions when it is new."""
    path = work_folder() / "weather.model"
    return path, run_probe({"save": ("save", WEATHER, "", path)})["save"][:-1]


@cache
def loaded() -> dict[str, list[str]]:
    path, _ = saved()
    newer = (f'"version": {VERSION}', f'"version": {VERSION + 1}')
    commands: dict[str, tuple[object, ...]] = {
        "load": ("load", WEATHER, path),
        "newer": ("loadChanged", WEATHER, path, *newer),
        "version 1": ("loadChanged", WEATHER, path, '"probabilities"', '"before"'),
        "other": ("loadChanged", WEATHER, path, "widc-arff/committee", "tree"),
        "cut": ("loadChanged", WEATHER, path, '"rules"', '"rule"'),
        "broken": ("loadChanged", WEATHER, path, "{", "["),
    }
    return run_probe(commands, env=without_python())


def test_a_saved_model_scores_in_a_fresh_jvm_without_python() -> None:
    _, new = saved()
    assert loaded()["load"][:-1] == new
    assert len(values(new, "row")) == 14


def test_a_saved_model_of_version_1_gives_the_probabilities_that_it_gave() -> None:
    dataset = Dataset.from_relation(read_arff(WEATHER))
    committee = replace(induce(dataset), calibration=None)
    rows = [line.split("\t") for line in loaded()["version 1"] if line.startswith("row\t")]
    found = [[float(p) for p in row[2].strip("[]").split(", ")] for row in rows]
    assert found == committee.predict_proba(dataset).tolist()


def test_measures_count_the_default_rule() -> None:
    committee = induce(Dataset.from_relation(read_arff(WEATHER)))
    _, new = saved()
    rules, literals = len(committee.rules) + 1, committee.n_literals
    assert values(new, "measureNumRules") == [f"{rules}.0"]
    assert values(new, "measureNumLiterals") == [f"{literals}.0"]
    assert f"Number of rules: {rules} (with the default)" in new
    assert f"Number of conditions: {literals}" in new


@pytest.mark.parametrize(
    ("case", "fault"),
    [
        ("newer", f"got {VERSION + 1}; a newer version of WIDC wrote it: please upgrade"),
        ("other", "expected a committee of format 'widc-arff/committee', got format 'tree'"),
        ("cut", "the committee of this model is damaged"),
        ("broken", "the committee of this model is damaged: expected ']'"),
    ],
)
def test_a_model_that_cannot_be_read_says_why(case: str, fault: str) -> None:
    lines = loaded()[case]
    assert any(line.startswith("exception\t") for line in lines)
    assert fault in " ".join(lines)


def test_weka_s_command_line_loads_and_tests_a_saved_model() -> None:
    path, new = saved()
    text = run(CLASSIFIER, "-l", str(path), "-T", str(WEATHER), env=without_python())
    assert new[0] in text
    assert "=== Error on test data ===" in text


def test_columns_are_found_by_name_and_labels_by_text(tmp_path: Path) -> None:
    path = tmp_path / "other.arff"
    path.write_text(OTHER_HEADER, encoding="utf-8")
    committee = induce(Dataset.from_relation(read_arff(WEATHER)), Options("pessimistic"))
    other = read_arff(path)
    expected = committee.predict(Dataset.for_schema(other, committee.schema)).tolist()
    printed = run_probe({"other": ("otherHeader", WEATHER, path)})
    assert values(printed["other"], "row") == expected
    assert len(np.unique(expected)) == 2


def test_the_class_of_a_row_plays_no_part_in_its_score(tmp_path: Path) -> None:
    # as of other classifiers of Weka: the index is that of the class in training
    text = WEATHER.read_text(encoding="utf-8")
    assert "{yes,no}" in text
    cases = {"same": ("otherHeader", WEATHER, WEATHER)}
    for name, labels in (("other", "{no,yes}"), ("longer", "{yes,no,perhaps}")):
        path = tmp_path / f"{name}.arff"
        path.write_text(text.replace("{yes,no}", labels), encoding="utf-8")
        cases[name] = ("otherHeader", WEATHER, path)
    printed = run_probe(cases)
    expected = values(printed["same"], "row")
    assert set(expected) == {"yes", "no"}
    assert values(printed["longer"], "row") == expected
    swapped = {"yes": "no", "no": "yes"}
    assert values(printed["other"], "row") == [swapped[label] for label in expected]


def test_the_package_installs_offline_and_runs(tmp_path: Path) -> None:
    home = tmp_path / "weka home"
    home.mkdir()
    path = os.fspath(weka_jar() or "")
    options = [f"-DWEKA_HOME={home}", "-Dweka.packageManager.offline=true"]

    def weka(*arguments: str) -> str:
        return run(*arguments, options=options, path=path, env=environment(WEKA_HOME=str(home)))

    manager = ("weka.core.WekaPackageManager", "-offline")
    weka(*manager, "-install-package", str(plugin().zip))
    assert (home / "packages" / "WIDC" / "widc.jar").is_file()
    assert "WIDC" in weka(*manager, "-list-packages", "installed")
    text = weka("weka.Run", ".WIDC", "-t", str(WEATHER), "-x", "10", "-s", "1")
    assert "Decision committee for play" in text
    assert "=== Stratified cross-validation ===" in text
    listed = weka(os.fspath(PROBE.with_name("ClassList.java"))).splitlines()
    assert "weka.classifiers.trees.J48" in listed
    assert "weka.classifiers.rules.WIDC" in listed
    assert "partition weka.classifiers.rules.WIDC" in listed
    assert "partition weka.classifiers.trees.J48" in listed
