"""The shared train and test files (201 to 223) through every command, and all shared files."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.needs("shared")
CASES = Path(__file__).parents[3] / "shared" / "arff-cases"
SINGLE = sorted(p.name for p in CASES.glob("[01]*.arff*")) if CASES.is_dir() else []
TRAINING = sorted(p.name for p in CASES.glob("2*-train*.arff")) if CASES.is_dir() else []
RIGHT = [
    (201, "lo hi lo hi", "last"),
    (205, "lo hi", "last"),
    (206, "lo hi lo", "last"),
    (207, "lo hi lo hi", "last"),
    (209, "lo hi lo hi", "last"),
    (211, "lo lo lo lo", "last"),
    (214, "old new", "last"),
    (215, "lo hi lo hi", "last"),
    (220, "lo lo", "last"),
    (221, "lo hi", "first"),
    (221, "lo hi", "1"),
    (221, "lo hi", "class"),
    (223, "lo hi", "last"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """Run in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Path(tmp_path)


def files(number: int) -> tuple[str, str]:
    (train,) = CASES.glob(f"{number}-*-train.arff")
    return str(train), str(train).removesuffix("-train.arff") + "-test.arff"


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def train(run, number: int, label: str = "last") -> str:
    """Train on a case, save the model, and return what went to stderr."""
    status, _, err = run("train", files(number)[0], "--class", label, "--model", "m.json")
    assert status == 0
    return str(err)


def evaluated(run, number: int, *options: str) -> Any:
    data, test = files(number)
    status, out, _ = run("evaluate", data, "--test", test, "--format", "json", *options)
    assert status == 0
    return json.loads(out)


@pytest.mark.parametrize(("number", "right", "label"), RIGHT)
def test_the_predictions_and_their_explanations_are_the_right_ones(run, number, right, label):
    train(run, number, label)
    _, test = files(number)
    status, out, err = run("predict", "m.json", test)
    assert (status, err) == (0, "")
    assert [row["predicted"] for row in table(out)] == right.split()
    for k, expected in enumerate(right.split(), start=1):
        _, out, _ = run("explain", "m.json", test, "--row", str(k), "--format", "json")
        explanation = json.loads(out)
        assert explanation["predicted"] == expected
        assert sum(explanation["probabilities"].values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("number", "error", "label"),
    [
        (201, 0, "last"),
        (207, 0, "last"),
        (209, 0, "last"),
        (211, 0.5, "last"),
        (214, 0, "last"),
        (215, 0, "last"),
        (217, None, "last"),
        (218, None, "last"),
        (220, 0.5, "last"),
        (221, 0, "first"),
        (223, 0, "last"),
    ],
)
def test_evaluate_counts_what_predict_predicts(run, number, error, label):
    train(run, number, label)
    rows = table(run("predict", "m.json", files(number)[1])[1])
    wrong = sum(row["actual"] != row["predicted"] for row in rows) / len(rows)
    result = evaluated(run, number, "--class", label)
    assert result["error"] == pytest.approx(wrong)
    assert error is None or result["error"] == error
    assert result["examples"] == len(rows)


@pytest.mark.parametrize("command", ["predict", "explain", "evaluate"])
def test_203_an_unknown_label_is_refused_or_counted(run, command):
    data, test = files(203)
    train(run, 203)
    arguments = {
        "predict": ["m.json", test],
        "explain": ["m.json", test, "--row", "2"],
        "evaluate": [data, "--test", test],
    }[command]
    status, out, err = run(command, *arguments)
    assert (status, out) == (1, "")
    assert err.startswith(f"widc-arff: {test}: attribute 'pond'")
    assert "got 'clay' in row 2" in err
    status, _, err = run(command, *arguments, "--unknown-as-missing")
    assert status == 0
    assert "'clay', unknown in training, treated as missing in row 2" in err


@pytest.mark.parametrize(("number", "why"), [(205, "no such column"), (206, "only missing values")])
def test_evaluate_says_that_there_is_no_class(run, number, why):
    data, test = files(number)
    status, out, err = run("evaluate", data, "--test", test)
    assert (status, out) == (1, "")
    assert err.startswith(f"widc-arff: {test}: expected test rows with a class, got {why}")


def test_207_every_declared_label_has_a_probability(run):
    train(run, 207)
    for row in table(run("predict", "m.json", files(207)[1])[1]):
        assert list(row)[3:] == ["probability:lo", "probability:none", "probability:hi"]
        assert float(row["probability:none"]) < 0.15


def test_209_rows_without_a_class_are_left_out_and_counted(run):
    assert "3 rows without a class left out of training" in train(run, 209)
    with_them = json.loads(Path("m.json").read_text(encoding="utf-8"))
    train(run, 201)  # the same rows without those
    assert with_them == json.loads(Path("m.json").read_text(encoding="utf-8"))


# as in test_cli_scenarios.py: ten examples of the class distribution are added
@pytest.mark.parametrize(("number", "shares"), [(211, (59 / 64, 5 / 64)), (220, (11 / 18, 7 / 18))])
def test_without_rules_the_class_distribution_decides(run, number, shares):
    assert train(run, number).startswith("widc-arff: warning: ")
    for row in table(run("predict", "m.json", files(number)[1])[1]):
        found = [float(row["probability:lo"]), float(row["probability:hi"])]
        assert found == pytest.approx(shares)


@pytest.mark.parametrize("command", [["train"], ["evaluate", "--folds", "2"]])
def test_212_a_numeric_class_is_refused_with_advice(run, folder, command):
    path = str(next(CASES.glob("212-*-train.arff")))
    status, out, err = run(*command, path)
    assert (status, out) == (1, "")
    assert err.startswith(f"widc-arff: {path}: class attribute 'y'")
    assert "declare its labels in the header" in err
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_214_a_threshold_on_a_date_is_printed_as_a_date(run, form):
    train(run, 214)
    assert re.search(r"d \\?> 19\d\d-\d\d-\d\d", run("show", "m.json", "--format", form)[1])


@pytest.mark.parametrize("pruning", ["pessimistic", "optimistic", "none"])
def test_215_weight_three_is_three_rows(run, pruning):
    data, test = files(215)
    outcomes = []
    for path in (data, data.removesuffix(".arff") + "-expanded.arff"):
        run("train", path, "--pruning", pruning, "--model", "m.json")
        model = json.loads(Path("m.json").read_text(encoding="utf-8"))
        outcomes.append((model["rules"], model["default"], run("predict", "m.json", test)))
    assert outcomes[0] == outcomes[1]


def test_217_labels_with_comma_quote_and_line_end_come_back(run):
    train(run, 217)
    awkward = ["a,b", "it's", "two\nlines"]
    rows = table(run("predict", "m.json", files(217)[1])[1])
    assert [row["actual"] for row in rows] == awkward
    assert {row["predicted"] for row in rows} <= set(awkward)
    assert list(rows[0])[3:] == [f"probability:{label}" for label in awkward]


def test_218_a_condition_on_a_missing_value_does_not_hold(run):
    train(run, 218)
    test = files(218)[1]
    rows = table(run("predict", "m.json", test)[1])
    assert [row["predicted"] for row in rows] == ["lo", "lo", "lo", "hi"]
    for k in ("1", "2"):
        explanation = json.loads(run("explain", "m.json", test, "--row", k, "--format", "json")[1])
        assert (explanation["rules"], explanation["decided_by"]) == ([], "default")


@pytest.mark.parametrize("name", SINGLE)
def test_whatever_the_file_train_gives_a_committee_or_names_the_file(run, folder, name):
    path = str(CASES / name)
    status, out, err = run("train", path, "--model", "m.json")
    if status == 0:
        assert out.startswith("Decision committee for ")
        assert run("show", "m.json") == (0, out, "")
        return
    assert (status, out) == (1, "")
    assert err.startswith(f"widc-arff: {path}:")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("name", TRAINING)
@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_whatever_the_form_a_model_prints_as_its_training_did(run, name, form):
    label = "first" if name.startswith("221") else "c" if name.startswith("212") else "last"
    arguments = ["--class", label, "--model", "m.json", "--format", form]
    status, out, _ = run("train", str(CASES / name), *arguments)
    assert status == 0
    assert run("show", "m.json", "--format", form) == (0, out, "")
