"""Rows to be scored need no class: one that the model does not know counts as missing."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.label_set_cases import DAYS, LABELS

HEAD = "@relation r\n@attribute x numeric\n"
TRAIN = HEAD + "@attribute out {hi,lo}\n@data\n"
TRAIN += "".join(f"{x},{'hi' if x > 0 else 'lo'}\n" for x in range(-20, 21))
TOLD = "attribute 'out': {}, unknown in training, treated as missing in {}"
# Header of the class, its value in four rows with x = 9, -9, 9, -9, and what is told.
CLASSES = [
    ("{hi,lo,pending}", ["hi", "pending", "pending", "lo"], "'pending'", "2 rows (2, 3)"),
    ("{b,a}", ["a", "?", "b", "b"], "'a', 'b'", "3 rows (1, 3, 4)"),
    ("{HI,Lo}", ["HI", "Lo", "?", "?"], "'HI', 'Lo'", "2 rows (1, 2)"),
    ("numeric", ["1", "0", "?", "0.5"], "'1', '0', '0.5'", "3 rows (1, 2, 4)"),
    ("string", ["hi", "new", "hi", "?"], "'new'", "row 2"),
    ("date yyyy", ["2020", "?", "?", "?"], "'2020'", "row 1"),
    ("relational\n@attribute z numeric\n@end out", ["'1'", "?", "?", "?"], "'a table'", "row 1"),
]


@pytest.fixture(autouse=True)
def _model(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    Path("train.arff").write_text(TRAIN, encoding="utf-8")
    assert run("train", "train.arff", "--model", "m.json", "-q")[0] == 0


def new_rows(kind: str, classes: list[str]) -> None:
    rows = "".join(f"{x},{c}\n" for x, c in zip((9, -9, 9, -9), classes, strict=True))
    Path("new.arff").write_text(f"{HEAD}@attribute out {kind}\n@data\n{rows}", encoding="utf-8")


@pytest.mark.parametrize(("kind", "classes", "labels", "rows"), CLASSES)
def test_rows_of_an_unknown_class_are_scored(run, kind, classes, labels, rows):
    new_rows(kind, classes)
    status, out, err = run("predict", "m.json", "new.arff")
    assert (status, err) == (0, f"widc-arff: warning: {TOLD.format(labels, rows)}\n")
    table = list(csv.DictReader(out.splitlines()))
    assert [row["predicted"] for row in table] == ["hi", "lo", "hi", "lo"]
    assert [row["actual"] for row in table] == [c if c in ("hi", "lo") else "" for c in classes]
    assert run("predict", "m.json", "new.arff", "-q") == (0, out, "")


@pytest.mark.parametrize("command", ["explain m.json new.arff", "report m.json new.arff -o r.html"])
@pytest.mark.parametrize(("kind", "classes", "labels", "rows"), CLASSES)
def test_they_are_explained_and_reported_on(run, kind, classes, labels, rows, command):
    new_rows(kind, classes)
    status, _, err = run(*command.split())
    assert (status, err) == (0, f"widc-arff: warning: {TOLD.format(labels, rows)}\n")


def test_an_explanation_of_such_a_row_says_nothing_of_its_class(run):
    new_rows("{hi,lo,pending}", ["hi", "pending", "lo", "lo"])
    told = run("explain", "m.json", "new.arff", "--format", "json")[1]
    assert [json.loads(line)["actual"] for line in told.splitlines()] == ["hi", None, "lo", "lo"]
    assert ", wrong" in run("explain", "m.json", "new.arff", "--row", "3")[1]
    assert "wrong" not in run("explain", "m.json", "new.arff", "--row", "2")[1]


def test_a_report_counts_them_as_without_a_class(run):
    new_rows("{hi,lo,pending}", ["hi", "pending", "lo", "lo"])
    assert run("report", "m.json", "new.arff", "-o", "r.html")[0] == 0
    assert "1 row without a class is not counted" in Path("r.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_tables_are_no_exception(run, ending):
    new_rows("{hi,lo,pending}", ["hi", "pending", "pending", "lo"])
    assert run("convert", "new.arff", f"new.{ending}", "-q")[0] == 0
    status, out, err = run("predict", "m.json", f"new.{ending}")
    assert status == 0
    assert TOLD.format("'pending'", "2 rows (2, 3)") in err
    assert [row["actual"] for row in csv.DictReader(out.splitlines())] == ["hi", "", "", "lo"]


def test_rows_to_test_need_a_class_that_is_known(run):
    new_rows("{hi,lo,pending}", ["hi", "pending", "pending", "lo"])
    status, out, err = run("evaluate", "train.arff", "--test", "new.arff")
    assert (status, out) == (1, "")
    assert (
        "attribute 'out': expected a label that was declared in training ('hi', 'lo'), got" in err
    )
    assert "'pending' in 2 rows (2, 3); --unknown-as-missing" in err


@pytest.mark.parametrize(
    ("declaration", "cells", "told"),
    [
        ("sail {0,1,x}", ["0", "1", "x"], "attribute 'sail': 'x', unknown in training"),
        ("sail numeric", ["0", "1", "0.5"], "attribute 'sail': '0.5', unknown in training"),
        ("sail string", ["no", "Yes", "maybe"], "attribute 'sail': 'maybe', unknown in training"),
        ("sail {no,maybe,yes}", ["no", "yes", "maybe"], "attribute 'sail': 'maybe', unknown in"),
    ],
)
@pytest.mark.parametrize("command", ["predict", "explain", "report -o r.html"])
def test_a_label_of_a_set_that_is_unknown_is_missing(run, declaration, cells, told, command):
    Path("days.arff").write_text(DAYS, encoding="utf-8")
    labels = ["--labels", ",".join(LABELS)]
    assert run("train", "days.arff", *labels, "--model", "d.json", "-q")[0] == 0
    header = DAYS.partition("@data")[0].replace("sail {0,1}", declaration)
    rows = "".join(f"sun,{cell},yes,0,8\n" for cell in cells)
    Path("new.arff").write_text(f"{header}@data\n{rows}", encoding="utf-8")
    name, *options = command.split()
    status, _, err = run(name, "d.json", "new.arff", *options)
    assert (status, err.count("\n")) == (0, 1)
    assert told in err
    assert err.endswith("in row 3\n")
    if name == "explain":
        told = run("explain", "d.json", "new.arff", "--format", "json")[1]
        actual = [json.loads(line)["actual"] for line in told.splitlines()]
        assert actual == [["run"], ["sail", "run"], None]
    status, _, err = run("evaluate", "days.arff", *labels, "--test", "new.arff")
    assert status == 1
    assert "label attribute 'sail': expected the values {0,1}" in err
