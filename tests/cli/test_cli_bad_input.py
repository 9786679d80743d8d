"""What bad input gets: one clear message, an exit status, and nothing half written.

Each case is run where files of earlier runs lie about; these must stay as they are.
"""

from __future__ import annotations

import gzip
import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.endings import PATIENCE_S, read_by, started
from widc_arff import Options

ROOT = Path(__file__).parents[2]
WAVEFORM = str(ROOT / "arff_data" / "waveform.arff")
ATTRIBUTES = (
    "@relation shop\n@attribute price numeric\n@attribute colour {red,blue,green}\n"
    "@attribute sold date yyyy-MM-dd\n@attribute note string\n@attribute class {good,bad}\n@data\n"
)
ROWS = [
    f"{k},{['red', 'blue', 'green'][k % 3]},2020-01-{k + 1:02},'n {k}',{'good' if k < 6 else 'bad'}"
    for k in range(12)
]
TRAINING = ATTRIBUTES + "\n".join(ROWS) + "\n"
TRAIN = ["train", "data.arff", "--ignore", "note", "--model", "m.json"]
EVALUATE = ["evaluate", "data.arff", "--ignore", "note", "--folds", "2", "--predictions", "p.csv"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """Run in a folder with training data and the results of an earlier run."""
    monkeypatch.chdir(tmp_path)
    write("data.arff", TRAINING)
    write("m.json", "an earlier model")
    write("p.csv", "earlier predictions")
    return Path(tmp_path)


@pytest.fixture
def model(folder, run) -> str:
    """Return the name of a model file that uses the price only."""
    assert run("train", "data.arff", "--ignore", "note", "--model", "price.json")[0] == 0
    return "price.json"


def write(name: str, content: str | bytes) -> str:
    data = content.encode() if isinstance(content, str) else content
    Path(name).write_bytes(data)
    return name


def files() -> dict[str, bytes]:
    """Return what lies in the folder."""
    return {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()}


def fault(run, *arguments: str) -> str:
    """Run a command that must fail, and return its one message."""
    before = files()
    status, out, err = run(*arguments)
    assert (status, out) == (1, "")
    assert files() == before
    lines = err.splitlines()
    assert lines[0].startswith("widc-arff: ")
    assert err.count("widc-arff: ") == 1
    assert len(lines) in (1, 3)  # with the source line and a caret, or without
    return str(err)


def program(*arguments: str, **settings: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "widc_arff", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **settings.pop("env", {})}
    settings = {"capture_output": True, "text": True, "encoding": "utf-8", **settings}
    return subprocess.run(command, check=False, env=environment, **settings)


# data that cannot be learned from


@pytest.mark.parametrize("command", [TRAIN, EVALUATE])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "data.arff:1:1: premature end of file"),
        ("price,class\n1,good\n", "data.arff:1:1: keyword @relation expected"),
        ("% a comment only\n", "data.arff:"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe", "data.arff:1:1: byte 0x89"),
        (b"\x00" * 600, "data.arff:"),
        (gzip.compress(TRAINING.encode(), mtime=0)[:80], "data.arff: damaged gzip file"),
        (gzip.compress(TRAINING.encode(), mtime=0)[:-4], "data.arff: damaged gzip file"),
        (b"\x1f\x8b" + b"x" * 60, "data.arff: damaged gzip file"),
        (ATTRIBUTES[: ATTRIBUTES.index("@data")], "data.arff:7:1: premature end of file"),
        (TRAINING.replace("3,red", "three,red"), "data.arff:11:1: expected a number"),
        (TRAINING.replace("4,blue", "4,pink"), "data.arff:12:3: "),
        (TRAINING.replace("2020-01-02", "2020-13-02"), "data.arff:9:8: "),
        (TRAINING.replace("'n 5',good", "'n 5',good,{-0.5}"), "data.arff:13:"),
        (TRAINING.replace("'n 5',good", "'n 5',good,{NaN}"), "data.arff:13:"),
        (TRAINING.replace("'n 5',good", "'n 5',good,{Infinity}"), "data.arff:13:"),
        (TRAINING.replace("class {good,bad}", "class numeric"), "data.arff:8:"),
    ],
)
def test_a_file_that_is_not_arff_or_broken_is_named_with_the_place(run, command, content, message):
    write("data.arff", content)
    assert fault(run, *command).startswith(f"widc-arff: {message}")


@pytest.mark.parametrize("command", ["train", "evaluate", "sizes"])
@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--monotone", "prize=+good"], "data.arff: monotone: expected an attribute of the data"),
        (["--rules", "r.txt"], "r.txt:1: expected an attribute of the data, got 'prize'"),
        (["--costs", "c.cost"], "c.cost: costs: expected 2 rows and columns"),
        (["--cut-points", "c.json"], "c.json: cut_points: expected the names of numeric"),
        (["--class-weight", "best=2"], "data.arff: class_weight: expected a label of 'class'"),
    ],
)
def test_an_option_that_does_not_fit_the_data_is_told_alike_whatever_is_learned(
    run, command, option, message
):
    write("r.txt", "if prize > 3 then good\n")
    write("c.cost", "3 3\n0 1 1\n1 0 1\n1 1 0\n")
    write("c.json", '{"prize": [3]}')
    err = fault(run, command, "data.arff", "--ignore", "note", *option)
    assert err.startswith(f"widc-arff: {message}")


@pytest.mark.parametrize("command", [TRAIN, EVALUATE])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (ATTRIBUTES, "at least one row"),
        (TRAINING.replace(",good\n", ",?\n").replace(",bad\n", ",?\n"), "only missing values of "),
        (TRAINING.replace("good\n", "good,{0}\n").replace("bad\n", "bad,{0}\n"), "zero weights"),
        (TRAINING.replace("class {good,bad}", "class string"), "'class': expected a nominal attr"),
    ],
)
def test_data_that_hold_nothing_to_learn_are_refused(run, command, content, message):
    write("data.arff", content)
    err = fault(run, *command)
    assert err.startswith("widc-arff: data.arff: ")
    assert message in err


@pytest.mark.parametrize(
    "command",
    [["train", "none.arff"], ["evaluate", "none.arff"], ["evaluate", "data.arff", "--test"]],
)
def test_a_file_without_rows_is_not_said_to_miss_values(run, command):
    write("none.arff", ATTRIBUTES)
    arguments = [*command, "none.arff"] if command[-1] == "--test" else command
    err = fault(run, *arguments, "--ignore", "note")
    assert err.startswith("widc-arff: none.arff: ")
    assert "missing" not in err


@pytest.mark.parametrize("command", [TRAIN, EVALUATE])
def test_a_missing_file_and_a_folder_are_named(run, folder, command):
    Path("data.arff").unlink()
    assert fault(run, *command) == "widc-arff: data.arff: there is no such file\n"
    Path("data.arff").mkdir()
    assert fault(run, *command).startswith("widc-arff: data.arff: expected a folder of ARFF")


@pytest.mark.parametrize("command", [TRAIN, EVALUATE])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--class", "Clas"], "got 'Clas'; did you mean 'class'?"),
        (["--class", "6"], "expected a number from 1 to 5, got 6"),
        (["--class", "0"], "expected a number from 1 to 5, got 0"),
        (["--class", "-1"], "expected the name of an attribute"),
        (["--class", ""], "expected the name of an attribute"),
        (["--class", "price"], "'price': expected a nominal attribute, got a numeric one"),
        (["--class", "sold"], "'sold': expected a nominal attribute, got a date one"),
        (["--class", "note"], "'note': expected a nominal attribute, got a string one"),
        (["--ignore", "colou"], "got 'colou'; did you mean 'colour'?"),
        (["--ignore", "99"], "got '99'"),
        (["--ignore", "class"], "expected other attributes than the class, got 'class'"),
    ],
)
def test_an_attribute_that_cannot_serve_is_named_with_the_file(run, command, options, message):
    err = fault(run, *command, *options)
    assert err.startswith("widc-arff: data.arff: ")
    assert message in err


def test_a_string_or_relational_attribute_in_use_is_named_with_what_to_do(run):
    err = fault(run, "train", "data.arff", "--model", "m.json")
    assert "attribute 'note': expected a nominal, numeric or date attribute, got a string" in err
    assert "--ignore 'note'" in err
    bag = "@attribute 'a bag' relational\n@attribute n numeric\n@end 'a bag'\n"
    write(
        "bag.arff",
        f"@relation r\n{bag}@attribute class {{a,b}}\n@data\n'1\\n2',a\n'3',b\n",
    )
    assert "'a bag'" in fault(run, "train", "bag.arff", "--model", "m.json")
    assert run("train", "bag.arff", "--ignore", "a bag")[0] == 0


# warnings


@pytest.mark.parametrize("command", [TRAIN, EVALUATE])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (TRAINING.replace(",bad\n", ",good\n"), "all training rows are of class 'good'"),
        (
            TRAINING.split("@attribute price")[0]
            + "@attribute note string\n@attribute class {good,bad}\n@data\na,good\nb,bad\n",
            "the committee has no rules and decides by the class distribution",
        ),
        (
            "@relation r\n@attribute x numeric\n@attribute note string\n"
            "@attribute class {good,bad}\n@data\n" + "1,a,good\n1,b,good\n1,c,bad\n1,d,good\n",
            "the committee has no rules and decides by the class distribution",
        ),
    ],
)
def test_nothing_to_separate_is_a_warning(run, command, content, message):
    write("data.arff", content)
    status, out, err = run(*command)
    assert status == 0
    assert out
    assert err.startswith("widc-arff: warning: ")
    assert message in err


def test_rows_of_weight_zero_are_counted_in_a_warning(run):
    write("data.arff", TRAINING.replace("'n 5',good", "'n 5',good,{0}"))
    status, _, err = run(*TRAIN)
    assert status == 0
    assert err == "widc-arff: warning: 1 row of weight zero left out of training\n"


# new data that do not fit

NEW = {
    "price of another type": TRAINING.replace("price numeric", "price string").replace("0,", "x,"),
    "class of another type": ATTRIBUTES.replace("class {good,bad}", "class numeric")
    + "1,red,2020-01-01,n,1\n",
    "no price": "@relation shop\n@attribute colour {red}\n@attribute class {good,bad}\n@data\n"
    "red,good\n",
    "an empty file": "",
}


@pytest.mark.parametrize(
    ("which", "message"),
    [
        ("price of another type", "attribute 'price': expected a numeric attribute"),
        ("no price", "'price', which the rules use"),
        ("an empty file", "premature end of file"),
    ],
)
def test_new_data_that_do_not_fit_are_named(run, model, which, message):
    write("new.arff", NEW[which])
    for command in (
        ["predict", model, "new.arff", "--output", "p.csv"],
        ["explain", model, "new.arff", "--row", "1"],
        ["evaluate", "data.arff", "--ignore", "note", "--test", "new.arff"],
    ):
        err = fault(run, *command)
        assert err.startswith("widc-arff: new.arff:")
        assert message in err


def test_a_class_of_another_type_is_no_test(run):
    write("new.arff", NEW["class of another type"])
    err = fault(run, "evaluate", "data.arff", "--ignore", "note", "--test", "new.arff")
    assert "attribute 'class': expected a nominal attribute as in training" in err


def test_a_missing_column_that_no_rule_uses_is_fine(run, model):
    columns = "@relation shop\n@attribute price numeric\n@attribute class {good,bad}\n@data\n"
    write("new.arff", columns + "1,good\n9,bad\n")
    assert run("predict", model, "new.arff")[0] == 0
    assert run("explain", model, "new.arff", "--row", "1")[0] == 0
    status, out, err = run("evaluate", "data.arff", "--ignore", "note", "--test", "new.arff")
    assert (status, err) == (0, "")
    assert "error                 0.0 %" in out


def test_unknown_labels_are_named_with_their_rows_or_counted(run):
    strange = TRAINING.replace("{red,blue,green}", "{red,pink,blue,grey,green}")
    strange = strange.replace("4,blue", "4,pink").replace("7,blue", "7,grey")
    write("new.arff", strange)
    write("rules.txt", "if colour = red then [1, -1]\n")
    rules = ["--ignore", "note", "--rules", "rules.txt"]
    assert run("train", "data.arff", *rules, "--model", "colour.json")[0] == 0
    for command in (
        ["predict", "colour.json", "new.arff", "--output", "p.csv"],
        ["explain", "colour.json", "new.arff", "--row", "1"],
        ["evaluate", "data.arff", *rules, "--test", "new.arff"],
    ):
        err = fault(run, *command)
        assert err.startswith("widc-arff: new.arff: attribute 'colour'")
        assert "got 'pink', 'grey' in 2 rows (5, 8)" in err
        status, _, err = run(*command, "--unknown-as-missing")
        assert status == 0
        assert "'pink', 'grey', unknown in training, treated as missing in 2 rows (5, 8)" in err


def test_an_unknown_class_label_is_refused_or_not_counted(run, model):
    strange = TRAINING.replace("{good,bad}", "{good,bad,worse}").replace("11',bad", "11',worse")
    write("new.arff", strange)
    command = ["evaluate", "data.arff", "--ignore", "note", "--test", "new.arff"]
    assert "got 'worse' in row 12" in fault(run, *command)
    assert run("predict", model, "new.arff")[0] == 0  # to be scored it needs none
    status, out, err = run(*command, "--unknown-as-missing", "--format", "json")
    assert status == 0
    assert "'worse', unknown in training, treated as missing in row 12" in err
    result = json.loads(out)
    assert (result["examples"], result["unlabelled"]) == (11, 1)


# model files


@pytest.mark.parametrize("command", [["show"], ["predict", "data.arff"], ["explain", "data.arff"]])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "expected a model file (JSON)"),
        ("[]", "expected a model file"),
        ("[" * 100_000, "expected a model file"),
        (TRAINING, "expected a model file (JSON)"),
        (b"\x80\x81", "expected a model file"),
        ('{"format": "widc-arff/committee", "version": 1, "version": 1}', "the same key twice"),
        ('{"format": "other", "version": 1}', "expected a model file"),
        ('{"format": "widc-arff/committee", "version": 4}', "a newer version of widc-arff"),
        ('{"format": "widc-arff/committee", "version": 0}', "expected version 1"),
        ('{"format": "widc-arff/committee", "version": 1}', "expected the key 'relation'"),
    ],
)
def test_what_is_no_model_file_of_this_version_is_named(run, command, content, message):
    write("broken.json", content)
    name, *rest = command
    options = ["--row", "1"] if name == "explain" else []
    err = fault(run, name, "broken.json", *rest, *options)
    assert err.startswith("widc-arff: broken.json: ")
    assert message in err


REMOVED = object()


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["rulez"], [], "got 'rulez'; did you mean 'rules'?"),
        (["rules", 0, "votes"], [1], "expected 2 components, got 1 in 'rules[0].votes'"),
        (["rules", 0, "votes", 1], 2, "in 'rules[0].votes[1]'"),
        (["rules", 0, "votes", 1], 0.5, "in 'rules[0].votes[1]'"),
        (["rules", 0, "covers", 0], -1, "in 'rules[0].covers[0]'"),
        (["rules", 0, "covers"], REMOVED, "in 'rules[0]'"),
        (["rules", 0, "if"], [], "in 'rules[0].if'"),
        (["rules", 0, "if", 0, "attribute"], "prices", "did you mean 'price'? in 'rules[0].if[0]"),
        (["rules", 0, "if", 0, "is"], "=", "in 'rules[0].if[0].is'"),
        (["rules", 0, "if", 0, "value"], "4", "in 'rules[0].if[0].value'"),
        (["rules", 0, "if", 0, "value"], float("nan"), "in 'rules[0].if[0].value'"),
        (["rules", 0, "if", 0, "value"], 10**400, "in 'rules[0].if[0].value'"),
        (["default"], [0.3, 0.3], "in 'default'"),
        (["default"], None, "in 'default'"),
        (["attributes", 0, "type"], "string", "in 'attributes[0].type'"),
        (["attributes", 0, "values"], ["blue"], "got 'values' in 'attributes[0]'"),
        (["attributes", 1], "price", "'price' twice in 'attributes'"),
        (["attributes", 2], None, "got null in 'attributes[2]'"),
        (["labels", "values"], ["bad", "bad"], "in 'labels.values'"),
        (["labels", "kind"], "double", "in 'labels.kind'"),
        (["labels", "attributes"], ["price"], "in 'labels.attributes"),
        (["training", "error"], 1.5, "in 'training.error'"),
        (["training", "weights"], [0, 0], "in 'training.weights'"),
    ],
)
def test_a_fault_in_a_model_file_is_named_by_its_path(run, model, path, value, message):
    data: Any = json.loads(Path(model).read_text(encoding="utf-8"))
    *way, last = path
    place = data
    for step in way:
        place = place[step]
    if value is REMOVED:
        del place[last]
    else:
        place[last] = value
    write("broken.json", json.dumps(data))
    for command in (["show", "broken.json"], ["predict", "broken.json", "data.arff"]):
        err = fault(run, *command)
        assert err.startswith("widc-arff: broken.json: ")
        assert message in err


@pytest.mark.parametrize("command", [["show"], ["predict", "data.arff"], ["explain", "data.arff"]])
def test_a_model_file_that_is_not_there_is_named(run, command):
    name, *rest = command
    options = ["--row", "1"] if name == "explain" else []
    for path, message in (("no.json", "there is no such file"), (".", "expected a model file")):
        err = fault(run, name, path, *rest, *options)
        assert err.startswith(f"widc-arff: {path}: {message}")


# options


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["tarin", "data.arff"],
        ["train"],
        ["train", "data.arff", "more.arff"],
        ["train", "data.arff", "--prunning", "none"],
        ["train", "data.arff", "--pruning", "some"],
        ["train", "data.arff", "--pruning", "refined", "--penalty", "-1"],
        ["train", "data.arff", "--pruning", "refined", "--penalty", "few"],
        ["train", "data.arff", "--votes", "two"],
        ["train", "data.arff", "--vote-penalty", "-1"],
        ["train", "data.arff", "--vote-penalty", "few"],
        ["train", "data.arff", "--impurity-penalty", "-1"],
        ["train", "data.arff", "--impurity-penalty", "few"],
        ["train", "data.arff", "--format", "yaml"],
        ["train", "data.arff", "--max-rules", "-1"],
        ["train", "data.arff", "--max-rules", "few"],
        ["train", "data.arff", "--max-literals", "0"],
        ["train", "data.arff", "--max-size", "1.5"],
        ["evaluate"],
        ["evaluate", "data.arff", "--folds", "1"],
        ["evaluate", "data.arff", "--folds", "ten"],
        ["evaluate", "data.arff", "--seed", "x"],
        ["evaluate", "data.arff", "--repeats", "0"],
        ["evaluate", "data.arff", "--jobs", "0"],
        ["evaluate", "data.arff", "data.arff", "--test", "data.arff"],
        ["predict", "price.json"],
        ["predict", "price.json", "data.arff", "--output", "p.txt"],
        ["explain", "price.json"],
        ["explain", "price.json", "data.arff", "--row", "0"],
        ["explain", "price.json", "data.arff", "--row", "0-3"],
        ["explain", "price.json", "data.arff", "--row", "5-3"],
        ["explain", "price.json", "data.arff", "--row", "-3"],
        ["explain", "price.json", "data.arff", "--row", "one"],
        ["show"],
        ["show", "price.json", "--format", "yaml"],
    ],
)
def test_wrong_usage_has_exit_status_2(run, model, arguments):
    before = files()
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert "Usage: widc-arff" in err
    assert files() == before


@pytest.mark.parametrize(
    "text",
    ["mdl++", "quantile", "quantile:", "quantile:1", "quantile:70000", "width:-3", "cuts.js"],
)
@pytest.mark.parametrize("command", [TRAIN, EVALUATE])
def test_wrong_cut_points_are_wrong_usage(run, command, text):
    before = files()
    status, out, err = run(*command, "--cut-points", text)
    assert out == ""
    assert "Error: --cut-points: expected one of mdl+, mdl, all, quantile:K, width:K" in err
    assert repr(text) in err
    assert files() == before
    assert status == 2


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--penalty", "5"),
        ("--penalty", str(Options().penalty)),
        ("--votes", "one"),
        ("--votes", Options().votes),
        ("--vote-penalty", "1"),
        ("--impurity-penalty", "0.1"),
        ("--impurity-penalty", "0"),
    ],
)
@pytest.mark.parametrize("pruning", ["pessimistic", "optimistic", "none"])
@pytest.mark.parametrize("command", [TRAIN, EVALUATE])
def test_prices_without_refined_pruning_are_wrong_usage(run, command, pruning, option, value):
    status, out, err = run(*command, "--pruning", pruning, option, value)
    assert (status, out) == (2, "")
    assert f"{option}: expected --pruning refined with it, got {pruning}" in err


@pytest.mark.parametrize("option", ["--penalty", "--vote-penalty", "--impurity-penalty"])
@pytest.mark.parametrize("penalty", ["nan", "inf", "1e+91"])
def test_a_penalty_that_is_no_finite_number_is_wrong_usage(run, option, penalty):
    status, out, err = run(*TRAIN, "--pruning", "refined", option, penalty)
    assert (status, out) == (2, "")
    assert f"{option}: expected a number of bits from 0 to 1e+90, got {penalty}" in err


@pytest.mark.parametrize("command", [TRAIN, EVALUATE])
def test_a_price_of_free_votes_is_wrong_usage(run, command):
    status, out, err = run(*command, "--votes", "free", "--vote-penalty", "0")
    assert (status, out) == (2, "")
    assert "--vote-penalty: expected votes sparse or one with this option, got free" in err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "expected cut points as JSON"),
        (b"\xff\xfe", "expected cut points as JSON"),
        ("[1, 2]", "expected an object"),
        ('{"price": 3}', "expected an object"),
        ('{"price": ["3"]}', "expected an object"),
        ('{"price": [3, 2]}', "expected increasing numbers"),
        ('{"price": [NaN]}', "expected finite numbers"),
        ('{"price": [1' + "0" * 400 + "]}", "expected finite numbers"),
        ('{"prise": [3]}', "did you mean 'price'?"),
        ('{"colour": [3]}', "expected the names of numeric attributes, got 'colour'"),
    ],
)
def test_a_faulty_file_of_cut_points_is_named(run, content, message):
    write("cuts.json", content)
    err = fault(run, *TRAIN, "--cut-points", "cuts.json")
    assert message in err
    assert "cuts.json" in err


def test_more_folds_than_rows_are_refused(run):
    err = fault(run, *EVALUATE, "--folds", "13")
    assert err.startswith("widc-arff: data.arff: expected at most as many folds as rows, got 13")
    assert run(*EVALUATE, "--folds", "12")[0] == 0


def test_a_row_beyond_the_last_is_refused(run, model):
    err = fault(run, "explain", model, "data.arff", "--row", "13")
    assert err == "widc-arff: data.arff: expected a row from 1 to 12, got 13\n"
    assert "to 12, got 100" in fault(run, "explain", model, "data.arff", "--row", "3-100")


def test_no_row_can_be_explained_where_there_is_none(run, model):
    write("none.arff", ATTRIBUTES)
    err = fault(run, "explain", model, "none.arff", "--row", "1")
    assert err.startswith("widc-arff: none.arff: ")
    assert "from 1 to 0" not in err


def test_a_column_to_keep_that_is_not_there_is_named_with_the_file(run, model):
    err = fault(run, "predict", model, "data.arff", "--output", "p.csv", "--keep", "notes")
    assert "did you mean 'note'?" in err
    assert "data.arff" in err


def test_a_column_kept_twice_is_kept_once_or_refused_by_name(run, model):
    status, out, err = run("predict", model, "data.arff", "--keep", "note", "--keep", "note")
    if status == 0:
        assert out.splitlines()[0].count("note") == 1
    else:
        assert "keep" in err
        assert "'note'" in err


def test_an_unknown_encoding_is_named(run):
    assert "'klingon'" in fault(run, *TRAIN, "--encoding", "klingon")


# one file of several


def test_of_several_files_those_at_fault_are_named_and_the_others_go_on(run):
    write("none.arff", ATTRIBUTES)
    write("class.arff", TRAINING.replace("class {good,bad}", "target {good,bad}"))
    names = ["none.arff", "data.arff", "missing.arff", "class.arff", "."]
    options = ["--ignore", "note", "--folds", "2", "--class", "class", "--format", "json"]
    status, out, err = run("evaluate", *names, *options, "--predictions", "p.csv")
    assert status == 1
    assert [json.loads(line)["file"] for line in out.splitlines()] == ["data.arff"]
    faults = [line for line in err.splitlines() if line.startswith("widc-arff: ")]
    assert [line.split(":")[1].strip() for line in faults] == [n for n in names if n != "data.arff"]


# places where nothing can be written


@pytest.mark.parametrize(
    "command",
    [
        ["train", "data.arff", "--ignore", "note", "--model"],
        ["predict", "price.json", "data.arff", "--output"],
        ["evaluate", "data.arff", "--ignore", "note", "--folds", "2", "--predictions"],
    ],
)
@pytest.mark.parametrize("place", ["no folder/out.csv", "data.arff/out.csv", "folder.csv"])
def test_an_impossible_place_for_the_result_is_named(run, model, command, place):
    Path("folder.csv").mkdir()
    assert fault(run, *command, place).startswith(f"widc-arff: {place}: ")
    assert list(Path("folder.csv").iterdir()) == []


@pytest.mark.parametrize(
    ("command", "place"),
    [
        (["train", "data.arff", "--ignore", "note", "--model"], "m.json"),
        (["predict", "price.json", "data.arff", "--output"], "p.csv"),
        (["predict", "price.json", "data.arff", "--output"], "new.csv"),
        (["predict", "price.json", "data.arff", "--output"], "new.arff"),
        (
            ["evaluate", "data.arff", "--ignore", "note", "--folds", "2", "--predictions"],
            "p.csv",
        ),
    ],
)
def test_a_result_that_does_not_fit_leaves_what_was_there(folder, model, command, place):
    before = files()
    done = program(
        *command,
        place,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"widc-arff: {place}: ")
    assert done.stderr.count("\n") == 1
    assert files() == before


@pytest.mark.needs("/dev/full")
@pytest.mark.parametrize(
    "command",
    [
        ["train", "data.arff", "--ignore", "note"],
        ["evaluate", "data.arff", "--ignore", "note", "--folds", "2", "--format", "json"],
        ["evaluate", "data.arff", "data.arff", "--ignore", "note", "--folds", "2"],
        ["predict", "price.json", "data.arff"],
        ["show", "price.json"],
        ["explain", "price.json", "data.arff", "--row", "1"],
        ["--help"],
    ],
)
def test_a_full_standard_output_is_one_message(model, command):
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = program(*command, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert done.stderr.startswith("widc-arff: ")
    assert "No space left on device" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.needs("/dev/full")
@pytest.mark.parametrize(
    "command",
    [
        ["train", "data.arff", "--ignore", "note", "--model"],
        ["predict", "price.json", "data.arff", "--output"],
        ["evaluate", "data.arff", "--ignore", "note", "--folds", "2", "--predictions"],
    ],
)
def test_a_full_disk_is_named(run, model, command):
    Path("full.csv").symlink_to("/dev/full")
    status, out, err = run(*command, "full.csv")
    assert (status, out) == (1, "")
    assert "No space left on device" in err
    assert err.startswith("widc-arff: full.csv: ")


@pytest.mark.parametrize(
    "command",
    [
        ["train", "data.arff", "--ignore", "note"],
        ["predict", "price.json", "data.arff"],
        ["show", "price.json"],
    ],
)
def test_a_closed_standard_output_is_no_traceback(model, command):
    done = program(
        *command,
        capture_output=False,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: os.close(1),
    )
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") <= 1


@pytest.mark.parametrize(
    "command",
    [
        ["train", "data.arff", "--ignore", "note"],
        ["show", "price.json", "--format", "json"],
        ["predict", WAVEFORM],
    ],
)
def test_a_reader_that_goes_away_is_no_message(run, model, command):
    if command[0] == "predict":
        assert run("train", WAVEFORM, "--model", "wave.json")[0] == 0
        command = ["predict", "wave.json", WAVEFORM]
    reading, writing = os.pipe()
    os.close(reading)
    done = program(*command, capture_output=False, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert done.returncode == 141
    assert done.stderr == ""


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
@pytest.mark.parametrize(
    "command",
    [
        ["train", "data.arff"],
        ["predict", "omega.json", "data.arff"],
        ["evaluate", "data.arff", "--folds", "2"],
        ["evaluate", "data.arff", "--folds", "2", "--format", "json"],
        ["explain", "omega.json", "data.arff", "--row", "1"],
        ["show", "omega.json", "--format", "markdown"],
    ],
)
def test_letters_that_the_terminal_does_not_know_are_no_traceback(run, encoding, command):
    rows = "".join(f"{k},{'Ω' if k < 4 else 'ß'}\n" for k in range(8))
    header = "@relation r\n@attribute größe numeric\n@attribute 類 {Ω,ß}\n@data\n"
    write("data.arff", header + rows)
    assert run("train", "data.arff", "--model", "omega.json")[0] == 0
    environment = {"PYTHONIOENCODING": encoding}
    done = program(*command, encoding=encoding, errors="replace", env=environment)
    assert "Traceback" not in done.stderr
    assert done.returncode == 0 or done.stderr.startswith("widc-arff: ")


def test_half_a_character_in_a_model_file_is_no_traceback(run, model):
    text = Path(model).read_text(encoding="utf-8")
    write("half.json", text.replace('"good"', '"\\ud800"'))
    write("new.arff", "@relation r\n@attribute price numeric\n@data\n1\n9\n")
    for command in (["show", "half.json"], ["predict", "half.json", "new.arff"]):
        done = program(*command)
        assert "Traceback" not in done.stderr
        assert done.returncode in (0, 1)


# interruptions


@pytest.mark.parametrize("command", ["train", "evaluate"])
def test_an_interrupted_reading_leaves_nothing(folder, command):
    before = files()
    option = "--model" if command == "train" else "--predictions"
    with started(command, "-", option, "out") as process:
        read_by(process, b"% a comment\n")
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, out, err.strip()) == (130, b"", b"widc-arff: interrupted")
    assert files() == before


def test_an_interrupted_evaluation_leaves_nothing(folder):
    before = files()
    with started("evaluate", "-", "--repeats", "50", "--predictions", "p.csv") as process:
        read_by(process, b"% a comment\n")
        assert process.stdin is not None
        process.stdin.write(Path(WAVEFORM).read_bytes())
        process.stdin.close()
        process.stdin = None
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, out, err.strip()) == (130, b"", b"widc-arff: interrupted")
    assert files() == before


def test_an_interruption_while_the_program_starts_is_no_traceback(folder):
    # Ctrl-C falls into the import of click here
    Path("stubs").mkdir()
    write("stubs/click.py", "raise KeyboardInterrupt\n")
    done = program("train", "data.arff", env={"PYTHONPATH": f"stubs{os.pathsep}{ROOT}"})
    assert "Traceback" not in done.stderr
    assert (done.returncode, done.stderr.strip()) == (130, "widc-arff: interrupted")
