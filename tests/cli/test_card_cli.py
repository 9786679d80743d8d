"""Model cards, and what a model file records of where it comes from."""

from __future__ import annotations

import hashlib
import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.html_pages import Page
from tests.label_set_cases import DAYS
from widc_arff import DecisionCommittee, ModelError, read_committee

IRIS = str(Path(__file__).parents[2] / "arff_data" / "iris.arff")


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)


def provenance(path: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    return dict(found.get("provenance", {}))


def test_a_model_records_its_files_only_if_that_is_asked(run, monkeypatch):
    run("train", IRIS, "--model", "plain.json")
    assert provenance("plain.json") == {}
    run("train", IRIS, "--provenance", "--model", "m.json")
    digest = hashlib.sha256(Path(IRIS).read_bytes()).hexdigest()
    assert provenance("m.json") == {"data": [{"name": "iris.arff", "sha256": digest}]}
    assert read_committee("m.json") == read_committee("plain.json")
    again = Path("m.json").read_bytes()
    run("train", IRIS, "--provenance", "--model", "m.json")
    assert Path("m.json").read_bytes() == again
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764460800")
    run("train", IRIS, "--provenance", "--model", "m.json")
    assert provenance("m.json")["date"] == "2025-11-30"


def test_the_error_of_folds_is_that_of_evaluate_and_goes_with_the_rules(run):
    run("train", IRIS, "--folds", "5", "--model", "m.json")
    found = json.loads(run("evaluate", IRIS, "--folds", "5", "--format", "json")[1])["error"]
    assert provenance("m.json") == {"folds": {"number": 5, "error": found}}
    run("edit", "m.json", "--name-rule", "1", "wide", "-o", "named.json")
    assert "folds" in provenance("named.json")
    run("edit", "m.json", "--remove", "1", "-o", "edited.json")
    assert provenance("edited.json") == {}


def test_new_figures_have_new_files_and_what_people_said_stays(run):
    Path("half.arff").write_text("".join(half()), encoding="utf-8")
    run("train", IRIS, "--provenance", "--folds", "5", "--model", "m.json")
    said = ["--author", "A", "--use", "study", "--date", "2026-11-30"]
    assert run("edit", "m.json", *said, "-o", "said.json")[0] == 0
    assert provenance("said.json") == provenance("m.json") | {
        "date": "2026-11-30",
        "author": "A",
        "use": "study",
    }
    for line in (["edit", "said.json", "half.arff"], ["update", "said.json", "half.arff"]):
        assert run(*line, "-o", "next.json")[0] == 0
        found = provenance("next.json")
        assert [of["name"] for of in found["data"]] == ["half.arff"]
        assert "folds" not in found
        assert (found["author"], found["use"]) == ("A", "study")


def half() -> list[str]:
    """Return the head of iris and every other row."""
    lines = Path(IRIS).read_text(encoding="utf-8").splitlines(keepends=True)
    start = next(i for i, line in enumerate(lines) if line.lower().startswith("@data")) + 1
    return lines[:start] + lines[start::2]


@pytest.mark.parametrize("form", ["markdown", "text", "html"])
def test_a_card_has_all_that_is_known(run, form):
    run("train", IRIS, "--provenance", "--folds", "5", "--model", "m.json")
    rename = ["--name-label", "virginica", "blue flag", "--name-rule", "1", "wide ones"]
    run("edit", "m.json", "--use", "a <study> & more", *rename, "--lock", "1", "-o", "m2.json")
    status, out, _ = run("card", "m2.json", IRIS, "--format", form)
    assert status == 0
    if form == "html":
        Page(out)
        out = unescape(re.sub(r"<[^>]*>", "", out))
    plain = " ".join(out.replace("\\", "").split())
    for told in (
        "a <study> & more",
        "Author: not recorded",
        "iris.arff: SHA-256 ",
        "wide ones:" if form == "text" else "wide ones: petal_width > 1.75 (locked)",
        "training error 4.0 % (6 of 150)",
        "by 5 folds of the training data: ",
        "petal_width (numeric): cut at 1.75",
        "2 attributes of the training data are not used.",
        "No rule covers more or fewer rows than in training",
        "Label virginica is called blue flag.",
    ):
        assert told in plain, told
    if form == "text":
        assert max(map(len, out.splitlines())) <= 100


def test_a_card_of_a_model_that_was_changed_without_data_says_so(run):
    run("train", IRIS, "--model", "m.json")
    run("edit", "m.json", "--cut", "1", "petal_width > 1.5", "-o", "m2.json")
    text = " ".join(run("card", "m2.json", "--format", "text")[1].split())
    assert "training error ? (? of 150)" in text
    assert "Probabilities are not fitted" in text
    assert not re.search(r"\bnan\b", text)
    assert "No error on held-out rows is recorded" in text


def test_a_card_of_label_sets(run):
    rows = "\n".join(DAYS.splitlines()[7:-1] * 12)
    head = "\n".join(DAYS.splitlines()[:7])
    Path("days.arff").write_text(f"{head}\n{rows}\n", encoding="utf-8")
    labels = ["--labels", "sail,run,read"]
    run("train", "days.arff", *labels, "--folds", "4", "--model", "days.json")
    status, out, _ = run("card", "days.json", "days.arff")
    assert status == 0
    assert re.search(r"by 4 folds of the training data: Hamming loss 0\.\d{4}\.", out)
    assert "| ranking loss |" in out
    run("edit", "days.json", "--remove", "1", "-o", "less.json")
    for line in (
        ["show", "less.json"],
        ["card", "less.json"],
        ["explain", "less.json", "days.arff"],
    ):
        status, out, _ = run(*line)
        assert status == 0
        assert not re.search(r"\bnan\b", out)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"data": [{"name": "a"}]}, "no such key"),
        ({"folds": {"number": 1, "error": 0.5}}, "a whole number from 2"),
        ({"folds": {"number": 5, "error": 2}}, "from 0 to 1"),
        ({"author": 3}, "expected a text"),
        ({"owner": "x"}, "owner"),
    ],
)
def test_faults_in_what_is_recorded_are_named(run, change, message):
    run("train", IRIS, "--model", "m.json")
    data = json.loads(Path("m.json").read_text(encoding="utf-8")) | {"provenance": change}
    with pytest.raises(ModelError, match=message):
        DecisionCommittee.from_json(json.dumps(data))


def test_a_date_is_a_date(run):
    run("train", IRIS, "--model", "m.json")
    status, _, err = run("edit", "m.json", "--date", "30.11.2026")
    assert status == 2
    assert "expected a date such as 2026-11-30, or today; got '30.11.2026'" in err
