"""Train and test files that do not quite fit each other: what the commands make of them.

Each test writes its own small files.  The class follows from the temperature alone, so that the
right labels are plain to see.
"""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from widc_arff import read_arff

COLD = ("-4", "-2.5", "0", "1.5", "3", "4.5")
WARM = ("16", "17.5", "19", "21", "22.5", "24")
ROWS = [*(f"{t},cold" for t in COLD), *(f"{t},warm" for t in WARM)]
TEMPERATURE = "temperature numeric"
SEASON = "season {cold,warm}"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """Run in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Path(tmp_path)


def write(name: str, attributes: list[str], rows: list[str]) -> str:
    """Write an ARFF file and return its name."""
    header = "".join(f"@attribute {attribute}\n" for attribute in attributes)
    text = f"@relation weather\n{header}@data\n" + "".join(f"{row}\n" for row in rows)
    Path(name).write_text(text, encoding="utf-8")
    return name


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def predictions(run, train: str, test: str, *options: str) -> list[dict[str, str]]:
    """Train, predict, and return the rows; the warnings of training are passed over."""
    assert run("train", train, "--model", "m.json", *options)[0] == 0
    status, out, err = run("predict", "m.json", test)
    assert (status, err) == (0, "")
    return table(out)


def labels(rows: list[dict[str, str]]) -> list[str]:
    return [row["predicted"] for row in rows]


def shares(row: dict[str, str]) -> list[float]:
    return [float(value) for name, value in row.items() if name.startswith("probability:")]


def result_on(run, train: str, test: str, *options: str) -> Any:
    """Return what evaluate says about a test file, as data."""
    status, out, _ = run("evaluate", train, "--test", test, "--format", "json", *options)
    assert status == 0
    return json.loads(out)


def explained(run, test: str, row: int) -> Any:
    """Return the explanation of one row by the model of the last training, as data."""
    status, out, _ = run("explain", "m.json", test, "--row", str(row), "--format", "json")
    assert status == 0
    return json.loads(out)


# 201


def test_labels_in_another_order_are_matched_by_their_text(run):
    train = write("train.arff", [TEMPERATURE, SEASON], ROWS)
    rows = ["1,cold", "20,warm", "2,cold", "18,warm"]
    test = write("test.arff", [TEMPERATURE, "season {warm,cold}"], rows)
    found = predictions(run, train, test)
    assert labels(found) == [row["actual"] for row in found] == ["cold", "warm", "cold", "warm"]
    assert list(found[0])[3:] == ["probability:cold", "probability:warm"]
    result = result_on(run, train, test)
    assert result["error"] == 0
    assert result["confusion"] == [[2, 0], [0, 2]]
    assert explained(run, test, 2)["predicted"] == "warm"


def test_labels_of_an_attribute_in_another_order_are_matched_by_their_text(run):
    rows = ["snow,cold", "rain,warm"] * 4
    train = write("train.arff", ["sky {snow,rain}", SEASON], rows)
    test = write("test.arff", ["sky {rain,snow}", SEASON], rows[:2])
    assert labels(predictions(run, train, test)) == ["cold", "warm"]
    assert result_on(run, train, test)["error"] == 0


# 203


@pytest.fixture
def sky(folder, run) -> tuple[str, str]:
    """Return a training file, and a test file with a label that training does not know."""
    train = write("train.arff", ["sky {snow,rain}", SEASON], ["snow,cold", "rain,warm"] * 4)
    test = write(
        "test.arff", ["sky {hail,snow,rain}", SEASON], ["rain,warm", "hail,cold", "snow,cold"]
    )
    run("train", train, "--model", "m.json")
    return train, test


@pytest.mark.parametrize("command", ["predict", "explain", "evaluate"])
def test_an_unknown_label_is_refused_by_name_and_row(run, sky, command):
    train, test = sky
    arguments = {
        "predict": ["m.json", test],
        "explain": ["m.json", test, "--row", "2"],
        "evaluate": [train, "--test", test],
    }[command]
    status, out, err = run(command, *arguments)
    assert (status, out) == (1, "")
    assert err.startswith("widc-arff: test.arff: attribute 'sky'")
    assert "'hail' in row 2" in err
    assert "--unknown-as-missing" in err
    status, out, err = run(command, *arguments, "--unknown-as-missing")
    assert status == 0
    assert out
    assert err.startswith("widc-arff: warning:")
    assert "'hail', unknown in training, treated as missing in row 2" in err


def test_an_unknown_label_that_is_declared_but_not_used_does_no_harm(run, sky):
    test = write("other.arff", ["sky {hail,snow,rain}", SEASON], ["rain,warm", "snow,cold"])
    status, out, err = run("predict", "m.json", test)
    assert (status, err) == (0, "")
    assert labels(table(out)) == ["warm", "cold"]


# 205, 206


def test_without_a_class_column_predict_works_and_evaluate_says_why_not(run):
    train = write("train.arff", [TEMPERATURE, SEASON], ROWS)
    test = write("test.arff", [TEMPERATURE], ["1", "20"])
    found = predictions(run, train, test)
    assert labels(found) == ["cold", "warm"]
    assert [row["actual"] for row in found] == ["", ""]
    assert explained(run, test, 1)["predicted"] == "cold"
    status, out, err = run("evaluate", train, "--test", test)
    assert (status, out) == (1, "")
    assert err.startswith("widc-arff: test.arff: expected test rows with a class, got no such col")
    assert "'season'" in err


def test_with_every_class_missing_predict_works_and_evaluate_says_why_not(run):
    train = write("train.arff", [TEMPERATURE, SEASON], ROWS)
    test = write("test.arff", [TEMPERATURE, SEASON], ["1,?", "20,?", "2,?"])
    found = predictions(run, train, test)
    assert labels(found) == ["cold", "warm", "cold"]
    assert [row["actual"] for row in found] == ["", "", ""]
    status, out, err = run("evaluate", train, "--test", test)
    assert (status, out) == (1, "")
    assert "expected test rows with a class, got only missing values of 'season'" in err


def test_test_rows_without_a_class_do_not_count(run):
    train = write("train.arff", [TEMPERATURE, SEASON], ROWS)
    test = write("test.arff", [TEMPERATURE, SEASON], ["1,?", "20,warm", "2,warm", "?,?"])
    result = result_on(run, train, test)
    assert (result["examples"], result["unlabelled"]) == (2, 2)
    assert result["error"] == 0.5
    assert result["confusion"] == [[0, 0], [1, 1]]
    assert "2, and 2 rows without a class, not counted" in run("evaluate", train, "--test", test)[1]


# 207


def test_every_declared_label_has_a_probability_in_the_order_of_the_header(run):
    attributes = [TEMPERATURE, "season {cold,never,warm}"]
    train = write("train.arff", attributes, ROWS)
    test = write("test.arff", attributes, ["1,cold", "20,warm"])
    found = predictions(run, train, test)
    assert labels(found) == ["cold", "warm"]
    for row in found:
        assert list(row)[3:] == ["probability:cold", "probability:never", "probability:warm"]
        assert sum(shares(row)) == pytest.approx(1)
        assert shares(row)[1] < 0.15
    assert len(result_on(run, train, test)["confusion"]) == 3


def test_a_fold_without_a_class_has_all_its_columns(run):
    attributes = [TEMPERATURE, "season {cold,rare,warm}"]
    train = write("train.arff", attributes, [*ROWS, "50,rare"])
    arguments = ["--folds", "4", "--predictions", "p.csv", "--format", "json"]
    status, out, _ = run("evaluate", train, *arguments)
    assert status == 0
    assert len(json.loads(out)["errors_per_fold"]) == 4
    rows = table(Path("p.csv").read_text(encoding="utf-8"))
    assert sorted(int(row["row"]) for row in rows) == list(range(1, 14))
    for row in rows:
        assert len(shares(row)) == 3
        assert sum(shares(row)) == pytest.approx(1)


# 209


def test_training_rows_without_a_class_are_left_out_and_counted(run):
    whole = write("whole.arff", [TEMPERATURE, SEASON], ROWS)
    train = write("train.arff", [TEMPERATURE, SEASON], ["2.2,?", *ROWS, "20.5,?", "?,?"])
    expected = run("train", whole, "--format", "json")[1]
    status, out, err = run("train", train, "--format", "json")
    assert status == 0
    assert out == expected
    assert err == "widc-arff: warning: 3 rows without a class left out of training\n"


# 211


def test_one_class_in_training_gives_a_constant_model(run):
    train = write("train.arff", [TEMPERATURE, SEASON], ROWS[:6])
    status, _, err = run("train", train)
    assert status == 0
    assert err.startswith("widc-arff: warning: all training rows are of class 'cold'")
    test = write("test.arff", [TEMPERATURE, SEASON], ["1,cold", "20,warm", "?,?"])
    found = predictions(run, train, test)
    assert labels(found) == ["cold", "cold", "cold"]
    # 6 examples and none, with 10 in proportion to 7 and 1 added: 14.75 and 1.25 of 16
    assert all(shares(row) == pytest.approx([59 / 64, 5 / 64]) for row in found)
    result = result_on(run, train, test)
    assert result["error"] == 0.5
    assert result["rules"] == 0
    assert explained(run, test, 2)["decided_by"] == "default"


# 212


def test_a_numeric_class_is_refused_with_advice(run, folder):
    train = write("train.arff", ["sky {snow,rain}", TEMPERATURE], ["snow,1", "rain,9"])
    for command in (["train", train, "--model", "m.json"], ["evaluate", train, "--folds", "2"]):
        status, out, err = run(*command)
        assert (status, out) == (1, "")
        assert err.startswith("widc-arff: train.arff: class attribute 'temperature'")
        assert "declare its labels in the header" in err
        assert "--class NAME" in err
    assert [path.name for path in folder.iterdir()] == ["train.arff"]
    assert run("train", train, "--class", "sky")[0] == 0


# 214


def test_a_threshold_on_a_date_is_printed_as_a_date(run):
    attributes = ["seen date dd.MM.yyyy", "age {old,new}"]
    years = [*range(1970, 1976), *range(2010, 2016)]
    rows = [f"01.03.{year},{'old' if year < 2000 else 'new'}" for year in years]
    train = write("train.arff", attributes, rows)
    test = write("test.arff", attributes, ["24.12.1960,old", "24.12.2024,new"])
    assert labels(predictions(run, train, test)) == ["old", "new"]
    date = r"seen (<=|>) (\d\d\.\d\d\.)?(19|20)\d\d\b"
    assert re.search(date, run("show", "m.json")[1])
    model = json.loads(run("show", "m.json", "--format", "json")[1])
    assert model["attributes"] == [{"name": "seen", "type": "date", "format": "dd.MM.yyyy"}]
    cut = model["rules"][0]["if"][0]["value"]
    assert 157766400000 < cut < 1267401600000  # 1975 and March 2010 in milliseconds
    texts = [run("explain", "m.json", test, "--row", row)[1] for row in ("1", "2")]
    assert any(re.search(date, text) for text in texts)


def test_dates_in_another_format_are_the_same_moments(run):
    attributes = ["seen date dd.MM.yyyy", "age {old,new}"]
    rows = [f"01.03.{year},{'old' if year < 2000 else 'new'}" for year in (1970, 1971, 2010, 2011)]
    train = write("train.arff", attributes, rows)
    test = write("test.arff", ["seen date yyyy-MM-dd"], ["1960-12-24", "2024-12-24"])
    assert labels(predictions(run, train, test)) == ["old", "new"]


# 215


@pytest.mark.parametrize("pruning", ["pessimistic", "optimistic", "none"])
def test_weight_three_is_three_rows(run, pruning):
    attributes = [TEMPERATURE, "wind numeric", SEASON]
    rows = [f"{row.replace(',', f',{k % 5},')}" for k, row in enumerate([*ROWS, "30,cold"])]
    weighted = write("weighted.arff", attributes, [f"{row},{{3}}" for row in rows[:4]] + rows[4:])
    expanded = write("expanded.arff", attributes, rows[:4] * 3 + rows[4:])
    test = write("test.arff", attributes, ["1,0,cold", "20,1,warm", "29,2,cold"])
    outcomes = []
    for train in (weighted, expanded):
        model = json.loads(run("train", train, "--pruning", pruning, "--format", "json")[1])
        learned = model["rules"], model["default"], model["training"]["weights"]
        shown = [shares(row) for row in predictions(run, train, test, "--pruning", pruning)]
        error = result_on(run, train, test, "--pruning", pruning)["error"]
        outcomes.append((learned, shown, error))
    assert outcomes[0] == outcomes[1]


# 217


def test_awkward_labels_come_back_as_they_were(run):
    awkward = ["sun, mostly", 'what\'s "this"', "first\nsecond", "a\\b", "50% {maybe}", " blank "]
    quoted = [
        "'" + label.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"
        for label in awkward
    ]
    attributes = [TEMPERATURE, f"season {{{','.join(quoted)}}}"]
    rows = [f"{10 * k + d},{label}" for k, label in enumerate(quoted) for d in range(3)]
    train = write("train.arff", attributes, rows)
    assert run("train", train, "--model", "m.json", "--pruning", "none")[0] == 0
    found = table(run("predict", "m.json", train)[1])
    assert [row["actual"] for row in found] == [label for label in awkward for _ in range(3)]
    assert list(found[0])[3:] == [f"probability:{label}" for label in awkward]
    assert run("predict", "m.json", train, "--output", "p.arff")[0] == 0
    written = read_arff("p.arff")
    assert [row[1] for row in written.rows()] == [row["actual"] for row in found]
    assert [row[2] for row in written.rows()] == labels(found)
    model = json.loads(run("show", "m.json", "--format", "json")[1])
    assert model["labels"]["values"] == awkward
    per_class = result_on(run, train, train)["measures"]["per_class"]
    assert [entry["label"] for entry in per_class] == awkward
    assert list(explained(run, train, 1)["votes"]) == awkward
    for text in (
        run("show", "m.json")[1],
        run("show", "m.json", "--format", "markdown")[1],
        run("explain", "m.json", train, "--row", "7")[1],
        run("evaluate", train, "--test", train)[1],
    ):
        assert not any(line.startswith("second") for line in text.splitlines())


# 218


def test_a_condition_on_a_missing_value_does_not_hold(run):
    attributes = [TEMPERATURE, "sky {snow,rain}", SEASON]
    rows = [row.replace(",", f",{'snow' if k % 2 else 'rain'},") for k, row in enumerate(ROWS)]
    train = write("train.arff", attributes, rows)
    test = write("test.arff", attributes, ["?,snow,cold", "?,?,warm", "1,?,cold", "20,?,warm"])
    found = predictions(run, train, test)
    assert labels(found)[2:] == ["cold", "warm"]
    default = json.loads(run("show", "m.json", "--format", "json")[1])["default"]
    by_default = ["cold", "warm"][default.index(max(default))]
    assert labels(found)[:2] == [by_default, by_default]
    for row in (1, 2):
        explanation = explained(run, test, row)
        assert explanation["rules"] == []
        assert explanation["decided_by"] == "default"
        assert explanation["predicted"] == by_default


@pytest.mark.parametrize("negation", [False, True])
def test_neither_a_condition_on_a_missing_label_nor_its_negation_holds(run, negation):
    values = ["snow", "rain", "fog"]
    colds = values[1:] if negation else values[:1]
    rows = [f"{v},{'cold' if v in colds else 'warm'}" for v in values for _ in range(4)]
    train = write("train.arff", ["sky {snow,rain,fog}", SEASON], rows)
    test = write("test.arff", ["sky {snow,rain,fog}"], ["?"])
    predictions(run, train, test)
    assert explained(run, test, 1)["rules"] == []


# 220


def test_where_nothing_can_be_learned_the_class_distribution_decides(run):
    attributes = [TEMPERATURE, "sky {fog}", "wind numeric", SEASON]
    train = write("train.arff", attributes, ["?,fog,7,cold"] * 5 + ["?,fog,7,warm"] * 3)
    status, out, err = run("train", train)
    assert status == 0
    assert "0 rules" in out
    assert err.startswith("widc-arff: warning: no attribute separates")
    test = write("test.arff", attributes, ["5,fog,1,cold", "?,?,?,warm"])
    found = predictions(run, train, test)
    assert labels(found) == ["cold", "cold"]
    # 5 and 3 examples, with 10 in proportion to 6 and 4 added: 11 and 7 of 18
    assert all(shares(row) == pytest.approx([11 / 18, 7 / 18]) for row in found)
    assert result_on(run, train, test)["error"] == 0.5


# 221


@pytest.mark.parametrize("name", ["first", "1", "season"])
def test_the_class_may_be_the_first_attribute(run, name):
    attributes = [SEASON, TEMPERATURE]
    train = write("train.arff", attributes, [",".join(reversed(r.split(","))) for r in ROWS])
    test = write("test.arff", attributes, ["cold,1", "warm,20"])
    assert labels(predictions(run, train, test, "--class", name)) == ["cold", "warm"]
    assert result_on(run, train, test, "--class", name)["error"] == 0
    assert explained(run, test, 2)["predicted"] == "warm"


# 223


def test_a_cut_between_neighbouring_numbers_tells_them_apart(run):
    rows = ["0.7,cold"] * 4 + ["0.7000000000000001,warm"] * 4
    train = write("train.arff", [TEMPERATURE, SEASON], rows)
    found = predictions(run, train, train)
    assert labels(found) == [row["actual"] for row in found]
    assert result_on(run, train, train)["error"] == 0
    model = Path("m.json").read_text(encoding="utf-8")
    assert run("show", "m.json", "--format", "json")[1] == model
    assert '"value": 0.7}' in model
