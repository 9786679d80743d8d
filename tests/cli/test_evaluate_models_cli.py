"""``evaluate MODEL... DATA``: what saved models do on data."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.label_set_cases import DAYS

ROOT = Path(__file__).parents[2]
ROWS = "".join(f"{age},{'yes' if age > 50 else 'no'}\n" for age in range(20, 80))
OTHERS = "".join(f"{age},{'yes' if age <= 50 else 'no'}\n" for age in range(20, 80))


@pytest.fixture(autouse=True)
def _models(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text("age,ill\n" + ROWS, encoding="utf-8")
    Path("others.csv").write_text("age,ill\n" + OTHERS, encoding="utf-8")
    assert run("train", "people.csv", "--model", "a.json")[0] == 0
    assert run("train", "people.csv", "--max-rules", "0", "--model", "none.json")[0] == 0


def as_json(run, *arguments):
    status, out, _ = run("evaluate", *arguments, "--format", "json")
    assert status == 0
    return json.loads(out)


def test_a_model_has_the_figures_of_testing_on_a_file(run):
    iris = str(ROOT / "arff_data" / "iris.arff")
    run("train", iris, "--model", "iris.json")
    of_model = as_json(run, "iris.json", iris)["models"][0]
    of_test = as_json(run, iris, "--test", iris)
    for name in ("error", "confusion", "measures", "examples", "rules", "literals", "votes"):
        assert of_model[name] == of_test[name]
    assert of_model["trained_error"] == of_model["error"]
    assert sum(b["weight"] for b in of_model["calibration"]) == 150
    wide = of_model["rules_on_data"][0]
    assert wide["conditions"] == "petal_width > 1.75"
    assert wide["covers"]["found"] == wide["covers"]["trained"] == {"part": 46, "whole": 150}
    assert wide["right"][0]["labels"] == ["virginica"]


def test_a_rule_that_is_wrong_now_is_told(run):
    status, out, _ = run("evaluate", "a.json", "others.csv")
    assert status == 0
    assert "error                 100.0 %" in out
    assert "Rule 1 is right (yes) on 0.0 % of the rows that it covers (0 of 29)" in out
    assert "100.0 % in training (p < 0.0001)." in " ".join(out.split())
    assert "covers 48" not in out
    same = run("evaluate", "a.json", "people.csv")[1]
    assert "No rule covers more or fewer rows than in training" in same


def test_models_are_compared_row_by_row(run):
    status, out, _ = run("evaluate", "a.json", "none.json", "people.csv")
    assert status == 0
    words = " ".join(out.split())
    assert "a.json none.json error 0.0 % 48.3 %" in words
    told = "- a.json does better than none.json on 29 rows and worse on 0 rows: more than chance"
    assert told in words
    test = as_json(run, "a.json", "none.json", "people.csv")["paired_tests"][0]
    assert (test["first"], test["better"], test["worse"]) == ("a.json", 29, 0)
    assert test["p"] == pytest.approx(2 / 2**29)


def test_costs_and_weights_of_rows_count(run):
    lines = ["age,ill,n", *(f"{line},{2 if i else 5}" for i, line in enumerate(ROWS.split()))]
    Path("heavy.csv").write_text("\n".join(lines), encoding="utf-8")
    Path("c.cost").write_text("2 2\n0 3\n7 0\n", encoding="utf-8")
    told = as_json(run, "none.json", "heavy.csv", "--weights", "n", "--costs", "c.cost")
    (model,) = told["models"]
    # all are taken for no: 29 of weight 2 wrong, of 30 times 2 and one of 5 beside
    assert model["confusion"] == [[65, 0], [58, 0]]
    assert model["cost"]["total"] == 58 * 7
    _, out, err = run("evaluate", "a.json", "none.json", "heavy.csv", "--costs", "c.cost")
    assert "cost per row" in out
    assert "warning" not in err


def test_a_model_is_also_evaluated_as_predict_decides_by_cost(run):
    Path("c.cost").write_text("2 2\n0 1\n30 0\n", encoding="utf-8")
    _, predicted, _ = run("predict", "none.json", "people.csv", "--costs", "c.cost")
    paid = {("no", "yes"): 1, ("yes", "no"): 30}
    rows = list(csv.DictReader(predicted.splitlines()))
    mean = sum(paid.get((row["actual"], row["predicted"]), 0) for row in rows) / len(rows)
    (model,) = as_json(run, "none.json", "people.csv", "--costs", "c.cost")["models"]
    assert model["lowest_expected_cost"] == pytest.approx(mean)
    assert mean < model["cost"]["mean"]
    _, out, _ = run("evaluate", "none.json", "people.csv", "--costs", "c.cost")
    assert f"cost, decided by it   {mean:.4f} (predict --costs)" in out
    weights = ["--class-weight", "yes=3", "--pruning", "none"]
    assert run("train", "people.csv", "--model", "w.json", *weights)[0] == 0
    (model,) = as_json(run, "w.json", "people.csv", "--costs", "c.cost")["models"]
    assert "lowest_expected_cost" not in model  # its probabilities follow the weights


def test_weights_of_arff_rows_can_stand_in_an_attribute(run):
    rows = "".join(f"{line},{3}\n" for line in ROWS.split())
    head = "@relation r\n@attribute age numeric\n@attribute ill {no,yes}\n"
    Path("w.arff").write_text(f"{head}@attribute n numeric\n@data\n{rows}", encoding="utf-8")
    told = as_json(run, "a.json", "w.arff", "--weights", "n")
    assert told["models"][0]["confusion"] == [[93, 0], [0, 87]]
    status, _, err = run("evaluate", "a.json", "w.arff", "--weights", "m")
    assert status == 1
    assert "'m'" in err


def test_label_sets_are_evaluated_with_a_claim_for_each_vote(run):
    rows = "\n".join(DAYS.splitlines()[7:-1] * 12)
    head = "\n".join(DAYS.splitlines()[:7])
    Path("days.arff").write_text(f"{head}\n{rows}\n", encoding="utf-8")
    labels = ("--labels", "sail,run,read")
    run("train", "days.arff", *labels, "--model", "days.json")
    (model,) = as_json(run, "days.json", "days.arff")["models"]
    assert model["ranking_loss"] == pytest.approx(model["trained_error"])
    rules = model["rules_on_data"]
    assert rules
    for rule in rules:
        assert {claim["vote"] for claim in rule["right"]} <= {1, -1}
        assert all(c["found"] == c["trained"] for c in [rule["covers"], *rule["right"]])
    status, out, _ = run("evaluate", "days.json", "days.json", "days.arff")
    assert status == 0
    assert "does better than days.json on 0 rows" in out
    assert run("evaluate", "days.json", "a.json", "days.arff")[0] == 1


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_several_files_of_data_have_a_part_each(run, form):
    status, out, _ = run("evaluate", "a.json", "people.csv", "others.csv", "--format", form)
    assert status == 0
    assert out.count("a.json on people.csv") + out.count('"data": "people.csv"') == 1
    assert out.count("a.json on others.csv") + out.count('"data": "others.csv"') == 1


def test_predictions_are_written_with_the_model_that_made_them(run):
    _, out, _ = run("evaluate", "a.json", "none.json", "people.csv", "--predictions", "-")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 120
    assert {row["file"] for row in rows} == {"a.json on people.csv", "none.json on people.csv"}


@pytest.mark.parametrize(
    ("line", "status", "told"),
    [
        ("a.json people.csv --folds 5", 2, "--folds: expected only data with this option, got the"),
        ("a.json people.csv --penalty 5", 2, "--penalty: expected only data with this option"),
        ("a.json people.csv --test others.csv", 2, "--test: expected only data with this option"),
        ("a.json new.csv", 1, "new.csv: expected test rows with a class, got no such column"),
    ],
)
def test_what_only_training_has_is_refused(run, line, status, told):
    Path("new.csv").write_text("age\n30\n40\n", encoding="utf-8")
    found, out, err = run("evaluate", *line.split())
    assert (found, out) == (status, "")
    assert told in err
