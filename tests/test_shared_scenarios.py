"""Train and test files that users stumble over, each with its right outcome (201 to 223)."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

pytestmark = pytest.mark.needs("shared")
CASES = Path(__file__).parents[2] / "shared" / "arff-cases"


def files(number: int) -> tuple[str, str]:
    (train,) = CASES.glob(f"{number}-*-train.arff")
    return str(train), str(train).removesuffix("-train.arff") + "-test.arff"


def predicted(run, tmp_path, number: int, *options: str) -> list[dict[str, str]]:
    """Return the rows that predict prints after training, the warnings of training passed over."""
    train, test = files(number)
    model = str(tmp_path / "m.json")
    assert run("train", train, "--model", model, *options)[0] == 0
    status, out, err = run("predict", model, test)
    assert (status, err) == (0, "")
    return list(csv.DictReader(io.StringIO(out)))


@pytest.mark.parametrize(
    ("number", "labels", "options"),
    [
        (201, ["lo", "hi", "lo", "hi"], []),
        (205, ["lo", "hi"], []),
        (206, ["lo", "hi", "lo"], []),
        (207, ["lo", "hi", "lo", "hi"], []),
        (209, ["lo", "hi", "lo", "hi"], []),
        (211, ["lo", "lo", "lo", "lo"], []),
        (214, ["old", "new"], []),
        (215, ["lo", "hi", "lo", "hi"], []),
        (218, ["hi", "hi", "lo", "hi"], []),  # a condition on a missing value does not hold
        (220, ["lo", "lo"], []),
        (221, ["lo", "hi"], ["--class", "first"]),
        (221, ["lo", "hi"], ["--class", "1"]),
        (221, ["lo", "hi"], ["--class", "class"]),
        (223, ["lo", "hi"], []),
    ],
)
def test_predictions_are_the_right_ones(run, tmp_path, number, labels, options):
    rows = predicted(run, tmp_path, number, *options)
    assert [row["predicted"] for row in rows] == labels


def test_201_labels_in_another_order_are_matched_by_text(run):
    train, test = files(201)
    assert "error                 0.0 %" in run("evaluate", train, "--test", test)[1]


def test_203_an_unknown_label_is_refused_or_counted(run, tmp_path):
    train, test = files(203)
    model = str(tmp_path / "m.json")
    run("train", train, "--model", model)
    status, _, err = run("predict", model, test)
    assert status == 1
    assert "got 'clay' in row 2" in err
    status, out, err = run("predict", model, test, "--unknown-as-missing")
    assert status == 0
    assert "'clay', unknown in training, treated as missing in row 2" in err
    assert len(out.splitlines()) == 4


@pytest.mark.parametrize("number", [205, 206])
def test_evaluate_says_that_there_is_no_class(run, number):
    train, test = files(number)
    status, _, err = run("evaluate", train, "--test", test)
    assert status == 1
    assert "expected test rows with a class" in err


def test_207_every_declared_label_has_a_probability(run, tmp_path):
    rows = predicted(run, tmp_path, 207)
    names = [name for name in rows[0] if name.startswith("probability:")]
    assert names == ["probability:lo", "probability:none", "probability:hi"]


def test_209_rows_without_a_class_are_counted(run):
    assert "3 rows without a class left out of training" in run("train", files(209)[0])[2]


@pytest.mark.parametrize(("number", "shares"), [(211, (1, 0)), (220, (5 / 8, 3 / 8))])
def test_without_rules_the_class_distribution_decides(run, tmp_path, number, shares):
    train, _ = files(number)
    assert "warning" in run("train", train)[2]
    for row in predicted(run, tmp_path, number):
        found = [float(value) for name, value in row.items() if name.startswith("probability:")]
        assert found == pytest.approx(shares, abs=1e-6)


def test_212_a_numeric_class_is_refused_with_advice(run):
    status, _, err = run("train", str(next(CASES.glob("212-*-train.arff"))))
    assert status == 1
    assert "'y': expected a nominal attribute, got a numeric one; declare its labels" in err


def test_214_a_threshold_on_a_date_is_printed_as_a_date(run):
    assert "d <= 1993-10-30T12:00:00" in run("train", files(214)[0])[1]


def test_215_weight_three_is_three_rows(run):
    train, test = files(215)
    expanded = train.removesuffix(".arff") + "-expanded.arff"
    outputs = []
    for path in (train, expanded):
        rules = run("train", path)[1].split("Votes of")[0]
        outputs.append((rules, run("evaluate", path, "--test", test)[1].splitlines()[2:]))
    assert outputs[0] == outputs[1]


def test_217_labels_with_comma_quote_and_line_end_come_back(run, tmp_path):
    rows = predicted(run, tmp_path, 217)
    assert [row["actual"] for row in rows] == ["a,b", "it's", "two\nlines"]
    assert list(rows[0])[3:] == ["probability:a,b", "probability:it's", "probability:two\nlines"]


def test_223_a_cut_between_neighbouring_numbers_tells_them_apart(run):
    train, test = files(223)
    assert "error                 0.0 %" in run("evaluate", train, "--test", test)[1]
