"""`evaluate` on a part held out, as Weka does it, and on folds along groups."""

from __future__ import annotations

import csv
import json
import re
import shlex
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weka.cross_validation import samples
from tests.weka.installation import JVM_OPTIONS, java, weka_jar
from widc_arff.arff.relation import Attribute
from widc_arff.errors import DataError
from widc_arff.evaluation.weka_folds import group_folds, group_numbers, weka_folds, weka_holdout

DATA = Path(__file__).parents[2] / "arff_data"
IRIS, WINE = (str(DATA / f"{name}.arff") for name in ("iris", "wine"))
VISITS = (
    "@relation visits\n@attribute patient {}\n@attribute x numeric\n@attribute c {{y,n}}\n@data\n"
)

KINDS = ["string", "numeric", f"{{{','.join(f'p{i}' for i in range(12))}}}"]


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def visits(kind: str = "string", *, missing: bool = False) -> str:
    """Return five visits of each of twelve patients, half of them with class y."""
    rows = [f"p{i // 5},{i % 5},{'yn'[i // 5 % 2]}\n" for i in range(60)]
    if kind == "numeric":
        rows = [row[1:] for row in rows]
    if missing:
        rows[7] = "?" + rows[7][rows[7].index(",") :]
    return VISITS.format(kind) + "".join(rows)


def predicted(name: str) -> pd.DataFrame:
    return pd.read_csv(name)


@pytest.mark.needs("weka")
def test_the_rows_held_out_are_those_of_weka_itself(tmp_path):
    cases = [(66, 1, False), (50, -5, False), (33.3, 42, False), (90, 2, True), (12.5, 1, False)]
    for sample, (percent, seed, in_order) in zip(samples(), cases, strict=True):
        path = tmp_path / "sample.arff"
        path.write_text(sample.to_arff(), encoding="utf-8")
        output = "weka.classifiers.evaluation.output.prediction.CSV -p 1"  # tells the row
        command = [
            str(java()),
            *JVM_OPTIONS,
            "-cp",
            str(weka_jar()),
            "weka.classifiers.rules.ZeroR",
        ]
        command += ["-t", str(path), "-split-percentage", str(percent), "-s", str(seed)]
        command += ["-preserve-order"] * in_order + ["-classifications", output]
        printed = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
        theirs = [
            int(line.split(",")[-1]) for line in re.findall(r"^\d+,.*$", printed, re.MULTILINE)
        ]
        n_samples = len(sample.classes)
        ours = weka_holdout(n_samples, percent, seed, preserve_order=in_order)
        assert theirs == ours.tolist(), sample.name


def test_a_holdout_trains_on_the_rounded_share_of_the_shuffled_rows():
    assert len(weka_holdout(10, 66, 1)) == 3  # 6.6 rows are 7
    assert len(weka_holdout(10, 65, 1)) == 3  # 6.5 are 7, as Java rounds
    assert len(weka_holdout(10, 64, 1)) == 4
    assert weka_holdout(10, 70, 1, preserve_order=True).tolist() == [7, 8, 9]
    # one stratum: folds of one row are the shuffle, dealt out
    shuffled = np.concatenate(weka_folds(np.zeros(20, np.int64), 20, 5))
    assert weka_holdout(20, 50, 5).tolist() == shuffled[10:].tolist()


@pytest.mark.parametrize("percent", [0.1, 99.9])
def test_a_holdout_without_rows_to_learn_from_or_to_test_is_refused(percent):
    with pytest.raises(DataError, match="expected rows to learn from and to test, got"):
        weka_holdout(20, percent, 1)


def test_holdout_goes_through_the_command(run):
    status, out, _ = run("evaluate", IRIS, "--holdout", "66", "--predictions", "p.csv")
    assert status == 0
    assert "trained on 66 % of the rows, seed 1, refined pruning" in out
    assert "rows tested           51" in out
    assert (predicted("p.csv")["row"] - 1).tolist() == weka_holdout(150, 66, 1).tolist()
    run("evaluate", IRIS, WINE, "--holdout", "50", "--repeats", "2", "--predictions", "p.csv")
    table = predicted("p.csv")
    for path, n in ((IRIS, 150), (WINE, 178)):
        for repeat in (1, 2):
            rows = table[(table["file"] == path) & (table["repeat"] == repeat)]["row"] - 1
            assert rows.tolist() == weka_holdout(n, 50, repeat).tolist()
    told = json.loads(run("evaluate", IRIS, "--holdout", "66", "--format", "json")[1])
    assert (told["holdout"], told["seed"], told["repeats"]) == (66.0, 1, 1)
    assert "folds" not in told


def test_holdout_takes_label_sets(run):
    rows = [f"{i % 2},{i // 2 % 2},{i % 7}\n" for i in range(40)]
    head = (
        "@relation 'm: -C 2'\n@attribute a {0,1}\n@attribute b {0,1}\n@attribute x numeric\n@data\n"
    )
    Path("m.arff").write_text(head + "".join(rows), encoding="utf-8")
    status, out, _ = run("evaluate", "m.arff", "--holdout", "75")
    assert status == 0
    assert "rows tested           10" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--holdout 66 --folds 5", "expected --folds or --holdout, got both"),
        ("--holdout 66 --test t.arff", "expected --test or --holdout, got both"),
        ("--groups x --test t.arff", "expected --test or --groups, got both"),
        ("--groups x --holdout 66", "expected --holdout or --groups, got both"),
        ("--preserve-order", "--preserve-order: expected --holdout with it"),
        ("--holdout 66 --preserve-order --repeats 2", "expected a shuffle for each"),
        ("--holdout 0", "--holdout"),
        ("--holdout 100", "--holdout"),
    ],
)
def test_contradicting_ways_to_test_are_refused(run, options, message):
    status, out, err = run("evaluate", IRIS, *options.split())
    assert (status, out) == (2, "")
    assert message in err


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_a_group_stay_in_one_fold_and_the_group_is_not_learned_from(run, kind):
    Path("v.arff").write_text(visits(kind), encoding="utf-8")
    command = ["evaluate", "v.arff", "--groups", "patient", "--folds", "4"]
    status, out, err = run(*command, "--predictions", "p.csv")
    assert (status, err) == (0, "")
    assert "4-fold cross-validation in groups, seed 1" in out
    table = predicted("p.csv").assign(patient=lambda rows: (rows["row"] - 1) // 5)
    assert table.groupby("patient")["fold"].nunique().eq(1).all()
    assert table.groupby("fold").size().tolist() == [15] * 4
    for fold in range(1, 5):  # classes are spread as well as groups of one class allow
        assert set(table[table["fold"] == fold]["actual"].value_counts()) == {5, 10}
    assert run(*command)[1] == out
    # x tells nothing of the class, and a patient all: rules there are from the patients alone
    command += ["--pruning", "none", "--format", "json"]
    assert json.loads(run(*command)[1])["rules"] == 0
    if kind != "string":
        command.remove("--groups")
        command.remove("patient")
        assert json.loads(run(*command)[1])["rules"] >= 1
    run(*command, "--seed", "2", "--predictions", "q.csv")
    assert predicted("q.csv")["row"].tolist() != table["row"].tolist()


def test_groups_of_csv_may_be_a_text_of_each_row(run):
    Path("v.csv").write_text("".join(visits().splitlines(keepends=True)[5:]), encoding="utf-8")
    text = Path("v.csv").read_text(encoding="utf-8")
    Path("v.csv").write_text("patient,x,c\n" + text, encoding="utf-8")
    status, out, _ = run("evaluate", "v.csv", "--groups", "patient", "--folds", "3", "-q")
    assert status == 0
    assert "3-fold cross-validation in groups" in out
    assert run("convert", "v.csv", "v.parquet", "-q")[0] == 0
    same = run("evaluate", "v.parquet", "--groups", "patient", "--folds", "3", "-q")
    assert same == (0, out.replace("v.csv", "v.parquet"), "")
    err = run("evaluate", "v.csv", "--groups", "patint", "-q")[2]
    assert "v.csv: groups: expected the name of an attribute" in err
    assert "did you mean 'patient'?" in err


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("string", "--groups patient --folds 13", "got 12 groups for 13 folds; --folds 12 tests"),
        ("string", "--groups patint", "did you mean 'patient'?"),
        ("string", "--groups c", "groups: expected an attribute other than the class, got 'c'"),
    ],
)
def test_groups_that_cannot_serve_are_refused(run, kind, options, message):
    Path("v.arff").write_text(visits(kind), encoding="utf-8")
    status, out, err = run("evaluate", "v.arff", *options.split())
    assert (status, out) == (1, "")
    assert message in err


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_without_a_group_is_refused(run, kind):
    Path("v.arff").write_text(visits(kind, missing=True), encoding="utf-8")
    status, _, err = run("evaluate", "v.arff", "--groups", "patient", "--folds", "3")
    assert status == 1
    assert "groups: expected a value of 'patient' in every row, got none in row 8" in err


@pytest.mark.parametrize("form", ["arff", "csv", "parquet"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--groups c", "groups: expected an attribute other than the class, got 'c'"),
        ("--groups patient --class 1", "expected an attribute other than the class, got 'patient'"),
        ("--groups b --labels a,b", "groups: expected an attribute other than the labels, got 'b'"),
        ("--groups ''", "groups: expected the name of an attribute"),
        ("--groups p*", "groups: expected the name of an attribute"),
    ],
)
def test_messages_on_groups_speak_of_groups_in_every_form(run, form, options, message):
    rows = [f"p{i // 5},{i % 5},{i % 2},{i % 3 % 2},{'yn'[i // 5 % 2]}" for i in range(60)]
    Path("g.csv").write_text("\n".join(["patient,x,a,b,c", *rows]) + "\n", encoding="utf-8")
    if form != "csv":
        options_of_copy = ("--nominal", "a", "--nominal", "b", "--nominal", "patient", "-q")
        assert run("convert", "g.csv", f"g.{form}", *options_of_copy)[0] == 0
    status, out, err = run("evaluate", f"g.{form}", *shlex.split(options), "-q")
    assert (status, out) == (1, "")
    assert message in err
    assert "ignore" not in err


def test_numbers_of_groups_are_equal_where_values_are():
    column = np.array(["b", "a", "b", "c"], object)
    assert group_numbers(Attribute("g", "string"), column).tolist() == [0, 1, 0, 2]
    assert group_numbers(Attribute("g", "numeric"), np.array([2.0, 1.0, 2.0])).tolist() == [1, 0, 1]


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(-1, 2)), min_size=2, max_size=60), st.data()
)
def test_folds_of_groups_are_disjoint_complete_and_whole(rows, data):
    groups, classes = (np.array(column) for column in zip(*rows, strict=True))
    n_groups = len(set(groups.tolist()))
    if n_groups < 2:
        with pytest.raises(DataError, match="got 1 group for 2 folds"):
            group_folds(groups, classes, 2, 1)
        return
    n_folds = data.draw(st.integers(2, n_groups))
    folds = group_folds(groups, classes, n_folds, data.draw(st.integers(-99, 99)))
    assert len(folds) == n_folds
    assert all(len(fold) for fold in folds)
    assert sorted(np.concatenate(folds).tolist()) == list(range(len(rows)))
    held = [set(groups[fold].tolist()) for fold in folds]
    assert sum(map(len, held)) == n_groups


def test_groups_of_one_row_and_class_are_dealt_out_evenly():
    folds = group_folds(np.arange(23), np.zeros(23, np.int64), 5, 1)
    assert sorted(map(len, folds)) == [4, 4, 5, 5, 5]


def test_predictions_of_files_with_other_labels_are_one_table(run):
    rows = [f"{i % 2},{i // 2 % 2},{i % 7}\n" for i in range(40)]
    head = (
        "@relation 'm: -C 2'\n@attribute a {0,1}\n@attribute b {0,1}\n@attribute x numeric\n@data\n"
    )
    Path("m.arff").write_text(head + "".join(rows), encoding="utf-8")
    files = [IRIS, WINE, "m.arff"]
    status, _, _ = run("evaluate", *files, "--folds", "2", "--predictions", "p.csv", "-q")
    assert status == 0
    with Path("p.csv").open(encoding="utf-8") as stream:
        lines = list(csv.reader(stream))
    assert len({len(line) for line in lines}) == 1
    assert sum(line[0] == "file" for line in lines) == 1
    table = predicted("p.csv")
    assert table.groupby("file").size().to_dict() == {IRIS: 150, WINE: 178, "m.arff": 40}
    of_wine = table[table["file"] == WINE]
    assert of_wine["probability:setosa"].isna().all()
    assert of_wine[["actual", "predicted"]].notna().all().all()
    labels = [c for c in table if c.startswith("probability:") and of_wine[c].notna().all()]
    assert np.allclose(of_wine[labels].sum(axis=1), 1)
    run("evaluate", IRIS, "--folds", "2", "--predictions", "q.csv", "-q")
    alone = predicted("q.csv")
    pd.testing.assert_frame_equal(table[table["file"] == IRIS][alone.columns], alone)
