"""What training warns of: numbers of rows, a class of very many labels, a rule too good to be true.

Each is told once, by ``train``, ``evaluate`` and ``fit``; rules still rest on it.
"""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

from widc_arff import WIDCClassifier, WidcWarning

if TYPE_CHECKING:
    from collections.abc import Sequence

N = 240
COMMANDS = ("train", "evaluate --folds 3", "evaluate --holdout 66", "evaluate --folds 3 --jobs 2")


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def table(name: str, values: Sequence[object], classes: list[str] | None = None) -> str:
    """Write a CSV file of a column, noise, and a class that follows from the place of the row."""
    draw = random.Random(1)
    classes = classes or ["gone" if i >= N // 2 else "stays" for i in range(len(values))]
    rows = [f"{v},{draw.randrange(40)},{c}" for v, c in zip(values, classes, strict=True)]
    Path("d.csv").write_text("\n".join([f"{name},noise,out", *rows]) + "\n", encoding="utf-8")
    return "d.csv"


def numbers(step: int, seed: int = 0) -> list[int]:
    """Return whole numbers that are all different, of a range `step` times as wide."""
    return sorted(100_000 + n for n in random.Random(seed).sample(range(step * N), N))


SHUFFLED = random.Random(2).sample(numbers(1), N)
FLOATS = [round(i + random.Random(i).random(), 3) for i in range(N)]
IDENTIFIERS = [
    ("customer", numbers(1), "each whole number in its range occurs once"),
    ("customer", SHUFFLED, "each whole number in its range occurs once"),
    ("customer", numbers(8), "a different whole number in each row"),
    ("customer_id", numbers(10**6), "a different whole number in each row"),
    ("CustomerID", numbers(10**6), "a different whole number in each row"),
]
MEASURES: list[tuple[str, Sequence[object]]] = [
    ("paid", numbers(10**6)),
    ("weight", FLOATS),
    ("day", [f"{1990 + i // 12}-{1 + i % 12:02}-01" for i in range(N)]),
    ("time", [f"2020-01-01T{i // 60:02}:{i % 60:02}:00" for i in range(N)]),
    ("twice", [i // 2 for i in range(N)]),
]


@pytest.mark.parametrize("command", COMMANDS)
def test_numbers_of_rows_are_told_once(run, command):
    file = table("customer", numbers(1))
    status, out, err = run(*command.split(), file, "--class", "out")
    assert (status, err.count("identifier")) == (0, 1)
    assert err.count("warning") == 1  # that it alone decides needs no second one
    assert (
        "attribute 'customer' (each whole number in its range occurs once) looks like an "
        "identifier: rules on it will not work for new rows; --ignore 'customer' leaves it out"
    ) in err
    assert run("-q", *command.split(), file)[1:] == (out, "")
    assert "identifier" not in run(*command.split(), file, "--ignore", "customer")[2]


@pytest.mark.parametrize("form", ["csv", "arff", "parquet"])
@pytest.mark.parametrize(("name", "values", "why"), IDENTIFIERS)
def test_train_and_describe_agree_on_identifiers(run, name, values, why, form):
    table(name, values)
    if form != "csv":
        assert run("convert", "d.csv", f"d.{form}", "--class", "out", "-q")[0] == 0
    assert f"attribute '{name}' ({why}) looks like" in run("train", f"d.{form}")[2]
    told = " ".join(run("describe", f"d.{form}")[1].split())
    assert f"identifiers, on which rules would not work for new rows: {name} ({why})" in told


@pytest.mark.parametrize(("name", "values"), MEASURES)
def test_measures_that_are_all_different_are_no_identifiers(run, name, values):
    file = table(name, values)
    assert "identifier" not in run("train", file)[2]
    assert "identifier" not in run("describe", file)[1]


def test_measures_of_a_wide_range_stay_measures_however_many_columns_there_are(run):
    draw = np.random.default_rng(3)
    columns = {f"a{j}": draw.integers(0, 10**6, N) for j in range(200)}
    frame = pd.DataFrame(columns | {"out": draw.integers(0, 2, N)})
    frame.to_csv("wide.csv", index=False)
    assert "identifier" not in run("describe", "wide.csv")[1]


def test_the_estimator_tells_identifiers():
    y = np.arange(N) >= N // 2
    frame = pd.DataFrame({"customer": numbers(8), "noise": np.arange(N) % 7})
    with pytest.warns(WidcWarning, match="'customer' .* looks like an identifier") as caught:
        WIDCClassifier().fit(frame, y)
    assert len(caught) == 1
    days = pd.DataFrame({"day": pd.date_range("2020", periods=N), "weight": FLOATS})
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*alone predicts the class")
        WIDCClassifier().fit(days, y)


# a class of very many labels


@pytest.mark.parametrize("command", ["train", "evaluate --folds 2"])
def test_a_class_of_hundreds_of_labels_is_told_once(run, command):
    file = table("x", [i % 9 for i in range(400)], [f"l{i % 150}" for i in range(400)])
    err = run(*command.split(), file, "--pruning", "optimistic", "--max-rules", "1")[2]
    told = "d.csv: the class 'out' has 150 labels in 400 rows, 50 of them in only one or two rows; "
    assert err.count(f"{told}--class NAME takes another attribute as the class") == 1


def test_a_class_like_an_identifier_is_told_with_its_rare_labels(run):
    file = table("x", [i % 9 for i in range(60)], [f"l{i // 2}" for i in range(60)])
    err = run("train", file)[2]
    assert "'out' has 30 labels in 60 rows, 30 of them in only one or two rows; --class" in err


def test_a_class_of_few_labels_is_not_told(run):
    file = table("x", [i % 9 for i in range(400)], [f"l{i % 40}" for i in range(400)])
    assert "labels in" not in run("train", file)[2]


# a rule that is too good to be true


@pytest.mark.parametrize("command", COMMANDS)
def test_an_attribute_that_alone_predicts_the_class_is_told_once(run, command):
    values = ["late" if i >= N // 2 else "soon" for i in range(N)]
    file = table("closed", values)
    status, out, err = run(*command.split(), file)
    assert (status, err.count("warning")) == (0, 1)
    assert (
        "d.csv: the attribute 'closed' alone predicts the class of all training rows: is it known "
        "before the class is?  If not, --ignore 'closed' leaves it out\n"
    ) in err
    assert run("-q", *command.split(), file)[1:] == (out, "")


def test_a_test_file_is_no_reason_to_tell_it_twice(run):
    file = table("closed", ["late" if i >= N // 2 else "soon" for i in range(N)])
    Path("t.csv").write_bytes(Path(file).read_bytes())
    assert run("evaluate", file, "--test", "t.csv")[2].count("alone predicts") == 1


def test_the_estimator_tells_it_too():
    frame = pd.DataFrame({"closed": np.arange(N) // 120, "noise": np.arange(N) % 7})
    told = "'closed' alone predicts the class of all training rows.*fit without this column"
    with pytest.warns(WidcWarning, match=told) as caught:
        WIDCClassifier().fit(frame, frame["closed"].map({0: "stays", 1: "gone"}))
    assert len(caught) == 1


@pytest.mark.parametrize("wrong", [1, 2])
def test_one_error_in_a_hundred_rows_to_tell_apart_is_nearly_none(run, wrong):
    values = ["late" if i >= N // 2 else "soon" for i in range(N)]
    for i in range(wrong):
        values[i] = "late"
    err = run("train", table("closed", values))[2]
    assert ("alone predicts the class of 99.6 % of the training rows" in err) == (wrong == 1)


def test_small_tables_and_single_attributes_are_not_told(run):
    small = table("closed", ["late", "soon"] * 50, ["gone", "stays"] * 50)
    assert "alone" not in run("train", small)[2]
    one = table("closed", ["late", "soon"] * 120, ["gone", "stays"] * 120)
    assert "alone" in run("train", one)[2]
    assert "alone" not in run("train", one, "--ignore", "noise")[2]


def test_a_file_of_labels_beside_the_data_is_not_passed_over_in_silence(run):
    header = "@relation r\n@attribute x numeric\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n"
    rows = "".join(f"{i},{i % 2},{i // 2 % 2}\n" for i in range(40))
    Path("d.arff").write_text(header + rows, encoding="utf-8")
    named = (
        "d.xml lists 2 labels, which are read as attributes here; use --labels d.xml to learn them"
    )
    Path("d.xml").write_text(
        '<labels><label name="a"/><label name="b"/></labels>', encoding="utf-8"
    )
    assert named in " ".join(run("train", "d.arff")[2].split())
    for options in (("--labels", "d.xml"), ("--class", "b")):
        assert "d.xml" not in run("train", "d.arff", *options)[2]
    for other in ('<labels><label name="a"/><label name="z"/></labels>', "<svg/>", "no XML"):
        Path("d.xml").write_text(other, encoding="utf-8")
        assert "d.xml" not in run("train", "d.arff")[2]
