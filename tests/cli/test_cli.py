"""The command line's contract: results, exit codes, one clear message for what is at fault."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from widc_arff import Dataset, induce, read_arff
from widc_arff.model.committee import read_committee

ROOT = Path(__file__).parents[2]
XD6 = str(ROOT / "arff_data" / "xd6.arff")
IRIS = str(ROOT / "arff_data" / "iris.arff")
HEADER = "@relation r\n@attribute x numeric\n@attribute colour {red,blue}\n"
TRAINING = (
    HEADER
    + "@attribute note string\n@attribute class {lo,hi}\n@data\n"
    + "".join(f"{x},red,'n {x}',{'lo' if x < 5 else 'hi'}\n" for x in range(10))
)


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """Return a folder with a training file, where the command runs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.arff").write_text(TRAINING, encoding="utf-8")
    return Path(tmp_path)


@pytest.fixture
def model(folder, run) -> str:
    """Return the name of a model file of the training file, colour unused."""
    assert run("train", "train.arff", "--ignore", "note", "--model", "m.json")[0] == 0
    return "m.json"


def write(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def program(*arguments: str, **settings: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "widc_arff", *arguments]
    settings = {"cwd": ROOT, "capture_output": True, "text": True, **settings}
    return subprocess.run(command, check=False, **settings)


# results


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_train_prints_what_show_prints_of_the_saved_model(run, tmp_path, form):
    path = str(tmp_path / "m.json")
    status, trained, errors = run("train", XD6, "--model", path, "--format", form)
    assert (status, errors) == (0, "")
    assert run("show", path, "--format", form) == (0, trained, "")


def test_train_json_is_the_model_file(run, tmp_path):
    path = tmp_path / "m.json"
    _, printed, _ = run("train", IRIS, "--format", "json", "--model", str(path))
    assert printed == path.read_text(encoding="utf-8")
    assert run("train", IRIS, "--model", "-")[1] == printed


def test_predictions_of_a_loaded_model_are_those_of_the_library(run, tmp_path):
    path = str(tmp_path / "m.json")
    run("train", IRIS, "--model", path)
    rows = list(csv.DictReader(io.StringIO(run("predict", path, IRIS)[1])))
    dataset = Dataset.from_relation(read_arff(IRIS))
    committee = induce(dataset)
    assert read_committee(path) == committee
    assert [row["predicted"] for row in rows] == committee.predict(dataset).tolist()
    labels = committee.schema.labels.values
    for row, shares in zip(rows, committee.predict_proba(dataset).tolist(), strict=True):
        assert [float(row[f"probability:{label}"]) for label in labels] == shares
    assert [row["row"] for row in rows] == [str(i) for i in range(1, 151)]


def test_predictions_are_written_as_csv_and_arff_with_kept_columns(folder, run, model):
    keep = ("--keep", "note", "--keep", "x")
    _, printed, _ = run("predict", model, "train.arff", *keep)
    assert run("predict", model, "train.arff", "--output", "p.csv", *keep) == (0, "", "")
    assert Path("p.csv").read_text(encoding="utf-8") == printed
    assert printed.splitlines()[1].startswith("1,n 0,0,lo,lo,")
    assert run("predict", model, "train.arff", "--output", "p.arff", *keep) == (0, "", "")
    relation = read_arff("p.arff")
    names = [a.name for a in relation.attributes]
    kinds = [a.type for a in relation.attributes]
    assert names[:5] == ["row", "note", "x", "actual", "predicted"]
    assert kinds[:5] == ["numeric", "string", "numeric", "nominal", "nominal"]
    assert len(list(folder.iterdir())) == 4


def test_kept_names_that_clash_keep_theirs(folder, run):
    write(
        "odd.arff",
        "@relation r\n@attribute predicted numeric\n@attribute c {a,b}\n@data\n1,a\n2,b\n",
    )
    run("train", "odd.arff", "--model", "odd.json")
    printed = run("predict", "odd.json", "odd.arff", "--keep", "predicted")[1]
    assert printed.splitlines()[0] == "row,predicted,actual,predicted_,probability:a,probability:b"


def test_new_data_may_have_other_orders_extra_columns_and_no_class(folder, run, model):
    write(
        "new.arff", "@relation n\n@attribute extra string\n@attribute x numeric\n@data\na,1\nb,9\n"
    )
    status, out, errors = run("predict", model, "new.arff")
    assert (status, errors) == (0, "")
    assert [row["predicted"] for row in csv.DictReader(io.StringIO(out))] == ["lo", "hi"]


def test_evaluate_json_has_the_documented_keys(run):
    _, out, _ = run("evaluate", IRIS, XD6, "--folds", "4", "--repeats", "2", "--format", "json")
    results = [json.loads(line) for line in out.splitlines()]
    assert [result["file"] for result in results] == [IRIS, XD6]
    for result in results:
        votes = ["votes"] if result["file"] == IRIS else []  # of three classes
        assert list(result) == [
            "file", "examples", "unlabelled", "error", "errors_per_fold", "rules", "literals",
            *votes, "confusion", "measures", "options", "seed", "folds", "repeats", "versions",
        ]  # fmt: skip
        assert len(result["errors_per_fold"]) == 8
        wrong = sum(
            cell
            for i, row in enumerate(result["confusion"])
            for j, cell in enumerate(row)
            if i != j
        )
        assert result["error"] == pytest.approx(wrong / (2 * result["examples"]))


def test_repeats_use_the_seeds_one_after_the_other(run):
    def errors(*options: str) -> Any:
        return json.loads(run("evaluate", XD6, "--folds", "3", "--format", "json", *options)[1])[
            "errors_per_fold"
        ]

    twice = errors("--seed", "5", "--repeats", "2")
    assert twice == errors("--seed", "5") + errors("--seed", "6")


def test_jobs_change_nothing(run, tmp_path):
    printed = []
    for jobs in ("1", "2", "-1"):
        path = tmp_path / f"{jobs}.csv"
        result = run("evaluate", IRIS, "--jobs", jobs, "--predictions", str(path))
        printed.append((result, path.read_text(encoding="utf-8")))
    assert printed[0] == printed[1] == printed[2]
    assert len(printed[0][1].splitlines()) == 151


def test_evaluate_on_a_test_file_trains_once(folder, run):
    result = json.loads(run("evaluate", XD6, "--test", XD6, "--format", "json")[1])
    committee = induce(Dataset.from_relation(read_arff(XD6)))
    assert result["error"] == pytest.approx(committee.training.error)
    assert result["rules"] == len(committee.rules)
    assert "folds" not in result


def test_a_file_at_fault_does_not_stop_the_others(folder, run):
    write("broken.arff", "hello")
    status, out, errors = run("evaluate", IRIS, "broken.arff", XD6, "--folds", "2")
    assert status == 1
    assert "xd6.arff" in out
    assert errors.startswith("widc-arff: broken.arff:1:1:")


def test_explain_says_which_rules_hold_and_who_wins(run, tmp_path):
    path = str(tmp_path / "m.json")
    run("train", IRIS, "--pruning", "pessimistic", "--model", path)
    text = run("explain", path, IRIS, "--row", "1")[1]
    assert text.startswith("Row 1: setosa (probability")
    data = json.loads(run("explain", path, IRIS, "--row", "1", "--format", "json")[1])
    assert data["predicted"] == "setosa"
    assert data["decided_by"] == "votes"
    totals = [
        sum(column) for column in zip(*(rule["votes"] for rule in data["rules"]), strict=True)
    ]
    assert totals == list(data["votes"].values())


def test_limits_and_cut_points_reach_the_learner(folder, run):
    write("cuts.json", '{"petal_length": [2.5, 4.75], "petal_width": [1.5]}')
    arguments = ["--max-rules", "2", "--max-literals", "1", "--cut-points", "cuts.json"]
    model = json.loads(run("train", IRIS, "--format", "json", *arguments)[1])
    assert len(model["rules"]) <= 2
    values = {literal["value"] for rule in model["rules"] for literal in rule["if"]}
    assert values <= {2.5, 4.75, 1.5}
    assert model["training"]["options"]["max_rules"] == 2


def test_standard_input_gz_and_encodings_are_read(folder, run):
    expected = run("train", "train.arff", "--ignore", "note")[1]
    Path("train.arff.gz").write_bytes(gzip.compress(TRAINING.encode()))
    assert run("train", "train.arff.gz", "--ignore", "note")[1] == expected
    assert program("train", "-", "--ignore", "note", input=TRAINING).stdout == expected
    Path("latin.arff").write_bytes(TRAINING.replace("red", "röd").encode("latin-1"))
    status, _, errors = run("train", "latin.arff", "--ignore", "note")
    assert status == 1
    assert "latin.arff:3:" in errors
    assert "--encoding" in errors
    assert run("train", "latin.arff", "--ignore", "note", "--encoding", "latin-1")[1] == expected


def test_hash_seeds_change_nothing():
    outputs = {
        program("train", IRIS, env={**os.environ, "PYTHONHASHSEED": seed}).stdout for seed in "01"
    }
    assert len(outputs) == 1


# what bad input gets


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "premature end of file"),
        ("hello", "keyword @relation expected"),
        (TRAINING.replace("0,red", "zero,red"), "train.arff:7:1: expected a number"),
        (TRAINING.replace(",lo\n", ",lo,{-1}\n"), "train.arff:7:17: problem reading"),
        (TRAINING.replace(",lo\n", ",lo,{NaN}\n"), "train.arff:7:17: problem reading"),
        (TRAINING.replace("lo\n", "lo,{0}\n").replace("hi\n", "hi,{0}\n"), "only zero weights"),
        (TRAINING[: TRAINING.index("0,red")], "at least one row"),
        (
            TRAINING.replace(",lo\n", ",?\n").replace(",hi\n", ",?\n"),
            "only missing values of 'class'",
        ),
        (TRAINING.replace("class {lo,hi}", "class string"), "expected a nominal attribute"),
    ],
)
def test_what_cannot_be_learned_from_gets_one_message(folder, run, text, message):
    write("train.arff", text)
    write("m.json", "before")
    status, out, errors = run("train", "train.arff", "--ignore", "note", "--model", "m.json")
    assert (status, out) == (1, "")
    assert errors.startswith("widc-arff: train.arff")
    assert message in errors
    assert Path("m.json").read_text(encoding="utf-8") == "before"
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "no.arff"], "no.arff: there is no such file"),
        (["train", "."], "expected a folder of ARFF, CSV or Parquet files, got"),
        (["train", "train.arff"], "attribute 'note': expected a nominal, numeric or date"),
        (["train", "train.arff", "--class", "clas"], "did you mean 'class'?"),
        (
            ["train", "train.arff", "--class", "x"],
            "'x': expected a nominal attribute, got a numeric",
        ),
        (["train", "train.arff", "--ignore", "not"], "did you mean 'note'?"),
        (["train", "train.arff", "--ignore", "class"], "other attributes than the class"),
        (["train", "train.arff", "--model", "no/m.json"], "no/m.json: there is no folder 'no'"),
        (
            ["evaluate", "train.arff", "--ignore", "note", "--folds", "11"],
            "train.arff: expected at",
        ),
        (["predict", "m.json", "train.arff", "--keep", "nte"], "did you mean 'note'?"),
        (["explain", "m.json", "train.arff", "--row", "11"], "expected a row from 1 to 10, got 11"),
        (["show", "train.arff"], "train.arff: expected a model file"),
        (["show", "no.json"], "no.json: there is no such file"),
    ],
)
def test_faults_have_exit_status_1_and_one_message(model, run, arguments, message):
    status, out, errors = run(*arguments)
    assert (status, out) == (1, "")
    assert errors.startswith("widc-arff: ")
    assert message in errors


@pytest.mark.parametrize(
    "arguments",
    [
        ["fly"],
        ["trian", "train.arff"],
        ["train"],
        ["train", "train.arff", "--pruning", "most"],
        ["train", "train.arff", "--cut-points", "mdl++"],
        ["train", "train.arff", "--max-literals", "0"],
        ["evaluate", "train.arff", "--folds", "1"],
        ["evaluate", "train.arff", "train.arff", "--test", "train.arff"],
        ["explain", "m.json", "train.arff", "--row", "0"],
        ["predict", "m.json", "train.arff", "--output", "p.txt"],
    ],
)
def test_wrong_usage_has_exit_status_2(model, run, arguments):
    status, out, errors = run(*arguments)
    assert (status, out) == (2, "")
    assert "Usage:" in errors


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEADER.replace("numeric", "{a,b}") + "@data\na,red\n", "expected a numeric attribute"),
        ("@relation r\n@attribute y numeric\n@data\n1\n", "'x', which the rules use"),
    ],
)
def test_new_data_that_do_not_fit_are_refused(model, run, text, message):
    write("new.arff", text)
    status, out, errors = run("predict", model, "new.arff")
    assert (status, out) == (1, "")
    assert errors.startswith("widc-arff: new.arff: ")
    assert message in errors


def test_unknown_labels_are_refused_where_rules_use_them(folder, run):
    write("rules.txt", "if colour = red then lo\n")
    arguments = ["train", "train.arff", "--ignore", "note", "--rules", "rules.txt"]
    assert run(*arguments, "--model", "m.json")[0] == 0
    write("new.arff", HEADER.replace("{red,", "{green,") + "@data\n1,green\n2,blue\n")
    status, out, errors = run("predict", "m.json", "new.arff")
    assert (status, out) == (1, "")
    assert "got 'green' in row 1" in errors


def test_a_column_that_no_rule_uses_is_not_looked_at(model, run):
    for kind in ("{green,blue}", "string"):
        header = HEADER.replace("{red,blue}", kind)
        write("new.arff", header + "@data\n1,green\n2,blue\n9,green\n")
        status, out, errors = run("predict", model, "new.arff")
        assert (status, errors) == (0, "")
        assert len(out.splitlines()) == 4


@pytest.mark.parametrize("cells", ["1\n9\n", "1,?\n9,?\n"])
def test_evaluate_says_why_it_needs_a_class(model, run, cells):
    header = "@relation r\n@attribute x numeric\n@attribute colour {red,blue}\n"
    rows = "1,red\n9,red\n"
    if "?" in cells:
        header += "@attribute class {lo,hi}\n"
        rows = "1,red,?\n9,red,?\n"
    write("new.arff", header + "@data\n" + rows)
    status, _, errors = run("evaluate", "train.arff", "--ignore", "note", "--test", "new.arff")
    assert status == 1
    assert "new.arff: expected test rows with a class" in errors
    assert run("predict", model, "new.arff")[0] == 0


def test_a_newer_or_damaged_model_is_refused_with_the_path(model, run):
    text = Path(model).read_text(encoding="utf-8")
    write("newer.json", text.replace('"version": 3', '"version": 4'))
    assert "newer version of widc-arff" in run("show", "newer.json")[2]
    write("odd.json", text.replace('"votes": [-1, 1]', '"votes": [1]'))
    assert "in 'rules[0].votes'" in run("predict", "odd.json", "train.arff")[2]


def test_one_class_only_is_a_warning(folder, run):
    write("one.arff", TRAINING.replace(",hi\n", ",lo\n"))
    status, out, errors = run("train", "one.arff", "--ignore", "note")
    assert status == 0
    assert "0 rules" in out
    assert errors == (
        "widc-arff: warning: all training rows are of class 'lo': the committee has no rules\n"
    )


@pytest.mark.needs("/dev/full")
def test_a_full_disk_is_one_message():
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        run = program("train", XD6, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert run.returncode == 1
    assert run.stderr == "widc-arff: No space left on device\n"


def test_a_closed_pipe_is_quiet():
    command = f"{sys.executable} -m widc_arff predict {{}} {XD6} | head -1"
    model = program("train", XD6, "--model", "-").stdout
    path = ROOT / ".pipe-test.json"
    try:
        path.write_text(model, encoding="utf-8")
        run = subprocess.run(
            command.format(path), shell=True, check=True, capture_output=True, text=True, cwd=ROOT
        )
    finally:
        path.unlink()
    assert run.stdout.startswith("row,")
    assert run.stderr == ""


def test_long_work_shows_its_progress_on_a_terminal_only(run, terminal):
    arguments = ("evaluate", IRIS, "--folds", "3")
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    screen = terminal()
    assert run(*arguments)[:2] == (0, out)
    assert "evaluating" in screen.getvalue()
