"""The command line on label sets, from training to explanation."""

from __future__ import annotations

import csv
import io
import json
import random
from pathlib import Path

import pytest

from tests.label_set_cases import DAYS
from widc_arff import read_committee
from widc_arff.workbench.commands import Words, commands_of

NAMES = "sail,run,read"
XML = (
    '<labels xmlns="http://mulan.sourceforge.net/labels"><label name="read"/>'
    '<label name="sail"/><label name="run"/></labels>'
)
MEKA_HEAD = """@relation 'days: -C 3'
@attribute sail {0,1}
@attribute run {no,yes}
@attribute read {0,1}
@attribute sky {sun, rain}
@attribute wind numeric
@data"""
COMPLETE = DAYS[: DAYS.index("rain,?")]


@pytest.fixture
def files(tmp_path):
    """Write the days in several ways, and a model of them."""
    (tmp_path / "days.arff").write_text(DAYS)
    (tmp_path / "complete.arff").write_text(COMPLETE)
    (tmp_path / "days.xml").write_text(XML)
    rows = [line.split(",") for line in COMPLETE[COMPLETE.index("@data\n") + 6 :].split()]
    data = [",".join([*row[1:4], row[0], row[4]]) for row in rows]
    (tmp_path / "meka.arff").write_text("\n".join([MEKA_HEAD, *data, ""]))
    return tmp_path


@pytest.fixture
def model(files, run):
    path = str(files / "days.json")
    arguments = ["--labels", NAMES, "--aim", "ranking", "--model", path]
    assert run("train", str(files / "complete.arff"), *arguments)[0] == 0
    return path


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_train_prints_what_each_rule_votes_for_and_against(files, run):
    arguments = ["train", str(files / "days.arff"), "--labels", NAMES, "--aim", "ranking"]
    status, out, err = run(*arguments)
    assert status == 0
    assert "1 row with missing labels left out of training" in err
    assert out.startswith("Decision committee for 3 labels: ")
    assert "        +: " in out
    assert "        -: " in out
    line = "8 training rows, training Hamming loss 0.1667, training ranking loss 0.0000"
    assert " ".join(out.split()).endswith(line)


def test_names_xml_and_meka_give_the_same_model(files, run):
    models = []
    for file, *labels in (
        ("complete.arff", "--labels", NAMES),
        ("complete.arff", "--labels", str(files / "days.xml")),
        ("meka.arff",),
    ):
        status, out, _ = run("train", str(files / file), *labels, "--model", "-")
        assert status == 0
        data = json.loads(out)
        data["relation"] = "days"
        models.append(data)
    assert models[0] == models[1] == models[2]
    assert models[0]["labels"]["kind"] == "multi"
    assert models[0]["training"]["options"]["pruning"] == "refined"
    assert "vectors" not in models[0]["training"]["options"]


def test_a_class_attribute_beats_the_name_of_a_meka_file(files, run):
    _, out, _ = run("train", str(files / "meka.arff"), "--class", "sky", "--format", "json")
    assert json.loads(out)["labels"]["attributes"] == ["sky"]


def test_a_single_label_of_a_meka_file_is_its_class(files, run):
    text = (files / "meka.arff").read_text().replace("-C 3", "-C 1")
    (files / "one.arff").write_text(text)
    _, out, _ = run("train", str(files / "one.arff"), "--format", "json")
    assert json.loads(out)["labels"] == {
        "kind": "single",
        "attributes": ["sail"],
        "values": ["0", "1"],
    }


def test_label_counts_are_taken_when_asked_for(files, run):
    text = COMPLETE.replace("@attribute sail {0,1}", "@attribute sail {0,1,2}")
    (files / "counts.arff").write_text(text.replace("sun,1,yes,0,9", "sun,2,yes,0,9"))
    arguments = ["train", str(files / "counts.arff"), "--labels", NAMES, "--model", "-"]
    status, _, err = run(*arguments)
    assert status == 1
    assert "label attribute 'sail': expected the values {0,1}" in err
    status, out, _ = run(*arguments, "--label-counts")
    assert status == 0
    _, other, _ = run("train", str(files / "complete.arff"), "--labels", NAMES, "--model", "-")
    assert out == other


def test_predict_writes_each_label_and_its_probability(files, model, run):
    status, out, _ = run("predict", model, str(files / "days.arff"), "--keep", "sail")
    assert status == 0
    rows = rows_of(out)
    heads = ["row", "sail"]
    for what in ("predicted", "probability"):
        heads += [f"{what}:{label}" for label in ("sail", "run", "read")]
    assert list(rows[0]) == heads
    assert [row["sail"] for row in rows] == ["1", "1", "0", "0", "1", "0", "0", "0", ""]
    for row in rows:
        for label in ("sail", "run", "read"):
            chance = float(row[f"probability:{label}"])
            assert 0 <= chance <= 1
            assert row[f"predicted:{label}"] == str(int(chance >= 0.5))
    assert rows[0]["predicted:run"] == "1"
    assert rows[0]["predicted:read"] == "0"


def test_predict_needs_no_labels_and_writes_arff(files, model, run):
    (files / "new.arff").write_text(
        "@relation new\n@attribute wind numeric\n@attribute sky {rain,sun}\n@data\n8,sun\n1,rain\n"
    )
    out = files / "out.arff"
    assert run("predict", model, str(files / "new.arff"), "--output", str(out))[0] == 0
    text = out.read_text()
    assert "@attribute predicted:sail {0,1}" in text
    assert len(text.split("@data\n")[1].split()) == 2


def test_predictions_from_a_meka_model_do_not_claim_labels_where_they_have_none(files, run):
    """Neither MEKA nor `describe` reads `-C 3-predictions`, and the first column is the row."""
    data, model, out = (str(files / name) for name in ("meka.arff", "meka.json", "out.arff"))
    assert run("train", data, "--model", model)[0] == 0
    assert run("predict", model, data, "--output", out)[0] == 0
    assert (files / "out.arff").read_text().startswith("@relation days-predictions\n")
    assert run("describe", out)[0] == 0


def test_show_prints_what_train_printed(files, model, run):
    arguments = ["--labels", NAMES, "--aim", "ranking"]
    trained = run("train", str(files / "complete.arff"), *arguments)[1]
    assert run("show", model)[1] == trained
    assert json.loads(run("show", model, "--format", "json")[1])["labels"]["kind"] == "multi"
    markdown = run("show", model, "--format", "markdown")[1]
    assert "| rule | for | against | covers | decides |" in markdown


def test_labels_shown_limits_the_lists(files, run):
    (files / "many.arff").write_text(random_days(60))
    model = str(files / "many.json")
    arguments = ["--labels", NAMES, "--pruning", "none", "--model", model]
    assert run("train", str(files / "many.arff"), *arguments)[0] == 0
    text = run("show", model, "--labels-shown", "1")[1]
    assert ", and 1 more" in text
    assert "labels" in run("show", model, "--labels-shown", "0", "--format", "markdown")[1]


def test_explain_tells_the_ranking_of_a_row(files, model, run):
    arguments = ["explain", model, str(files / "complete.arff"), "--row", "5"]
    status, out, _ = run(*arguments)
    assert status == 0
    assert out.startswith("Row 5: ")
    assert "ranking  votes  probability" in out
    data = json.loads(run(*arguments, "--format", "json")[1])
    assert data["row"] == 5
    assert data["ranking"][-1] == "run"
    assert data["predicted"] == data["ranking"][: len(data["predicted"])]
    chances = data["probabilities"]
    assert {label for label in chances if chances[label] >= 0.5} == set(data["predicted"])
    assert sum(rule["votes"][0] for rule in data["rules"]) == data["votes"]["sail"]
    assert run(*arguments, "--format", "markdown")[1] == f"```\n{out}```\n"


def test_explain_tells_a_line_for_each_of_all_rows(files, model, run):
    data = str(files / "complete.arff")
    one_by_one = []
    for row in range(1, 9):
        arguments = ["explain", model, data, "--row", str(row), "--format", "json"]
        one_by_one.append(run(*arguments)[1])
    assert run("explain", model, data, "--format", "json") == (0, "".join(one_by_one), "")
    rows = [json.loads(line) for line in one_by_one]
    head, _, *lines = run("explain", model, data)[1].splitlines()
    assert head.split() == ["row", "labels", "rules", "nearest", "change"]
    for line, row in zip(lines, rows, strict=True):
        number, labels, *mark, rules, _ = [x.strip() for x in line.split("  ") if x.strip()]
        assert mark == ["wrong"] * (set(row["actual"]) != set(row["predicted"]))
        assert number == str(row["row"])
        assert labels == (", ".join(row["predicted"]) or "none")
        assert rules == (", ".join(str(rule["rule"]) for rule in row["rules"]) or "none")
    table = run("explain", model, data, "--format", "markdown")[1].splitlines()
    assert table[:2] == ["| row | labels |  | rules | nearest change |", "|---:|---|---|---|---|"]
    assert len(table) == 10


def random_days(rows: int) -> str:
    """Return days on which the sky tells running and reading, nine times of ten."""
    rng = random.Random(3)
    lines = []
    for _ in range(rows):
        sun, wind = rng.random() < 0.5, rng.randrange(10)
        run, read = (sun != (rng.random() < 0.1)), (sun == (rng.random() < 0.1))
        sail = int(wind > 5)
        lines.append(
            f"{'sun' if sun else 'rain'},{sail},{'yes' if run else 'no'},{int(read)},{wind}"
        )
    return COMPLETE[: COMPLETE.index("@data")] + "@data\n" + "\n".join(lines) + "\n"


def test_evaluate_prints_measures_of_rankings_and_label_sets(files, run):
    (files / "many.arff").write_text(random_days(60))
    arguments = ["evaluate", str(files / "many.arff"), "--labels", NAMES, "--folds", "3"]
    status, text, _ = run(*arguments)
    assert status == 0
    assert "3-fold cross-validation, seed 1, refined pruning" in text
    of_ranking = ["ranking loss", "one-error", "coverage", "average precision"]
    of_sets = ["Hamming loss", "subset accuracy", "micro F1", "macro F1"]
    others = ["log loss", "calibration error", "labels a row", "rules", "conditions"]
    ranked = run(*arguments, "--aim", "ranking")[1]
    # what was aimed at comes first, with its spread over the folds
    for told, first in ((text, [*of_sets, *of_ranking]), (ranked, [*of_ranking, *of_sets])):
        lines = told.split("\n\n")[1].splitlines()
        assert [line[:22].strip() for line in lines] == [*first, *others, "rows tested"]
        assert "standard deviation between folds" in lines[0]
    status, out, _ = run(*arguments, "--format", "json")
    data = json.loads(out)
    assert (data["examples"], data["unlabelled"], data["labels"]) == (60, 0, 3)
    assert 0 < data["ranking_loss"] < 0.2
    assert len(data["ranking_losses_per_fold"]) == 3
    assert data["measures"]["micro_f1"] > 0.5
    assert "vectors" not in data["options"]
    assert (data["options"]["pruning"], data["options"]["penalty"]) == ("refined", 3.0)
    assert f"{data['ranking_loss']:.4f}" in text
    markdown = run(*arguments, "--format", "markdown")[1]
    assert f"| ranking loss | {data['ranking_loss']:.4f} |" in markdown


def test_evaluate_takes_options_of_label_sets(files, run):
    (files / "many.arff").write_text(random_days(60))
    arguments = ["evaluate", str(files / "many.arff"), "--labels", NAMES, "--format", "json"]
    out = run(*arguments, "--vectors", "approximate", "--pruning", "none")[1]
    assert json.loads(out)["options"]["vectors"] == "approximate"
    assert json.loads(out)["options"]["pruning"] == "none"
    out = run(*arguments, "--pruning", "pessimistic")[1]
    assert json.loads(out)["options"]["vectors"] == "exact"


def test_evaluate_on_a_test_file_leaves_rows_with_missing_labels_out(files, run):
    complete, test = str(files / "complete.arff"), str(files / "days.arff")
    arguments = ["evaluate", complete, "--test", test, "--labels", NAMES, "--aim", "ranking"]
    status, out, _ = run(*arguments)
    assert status == 0
    assert "separate test set, refined pruning" in out
    assert "8, and 1 row with missing labels, not counted" in out
    data = json.loads(run(*arguments, "--format", "json")[1])
    assert data["ranking_loss"] == 0
    assert (data["examples"], data["unlabelled"]) == (8, 1)


def test_evaluate_writes_all_predictions(files, run):
    path = files / "predictions.csv"
    arguments = ["evaluate", str(files / "days.arff"), "--labels", NAMES, "--folds", "2"]
    assert run(*arguments, "--predictions", str(path))[0] == 0
    rows = rows_of(path.read_text())
    assert sorted(int(row["row"]) for row in rows) == list(range(1, 10))
    by_row = {row["row"]: row for row in rows}
    assert [by_row["5"][f"actual:{label}"] for label in ("sail", "run", "read")] == ["1", "0", "1"]
    assert [by_row["9"][f"actual:{label}"] for label in ("sail", "run", "read")] == ["", "", ""]
    for row in rows:
        chance = float(row["probability:run"])
        assert row["predicted:run"] == str(int(chance >= 0.5))


def test_files_with_and_without_label_sets_have_a_table_each(files, run):
    (files / "single.arff").write_text(COMPLETE.replace("@relation days", "@relation single"))
    arguments = [str(files / "meka.arff"), str(files / "single.arff"), "--folds", "2"]
    (files / "single.arff").write_text(
        "@relation single\n@attribute a {0,1}\n@attribute c {0,1}\n@data\n" + "0,0\n1,1\n" * 5
    )
    status, out, _ = run("evaluate", *arguments)
    assert status == 0
    assert out.index("error %") < out.index("rank loss")
    _, out, _ = run("evaluate", *arguments, "--format", "json")
    first, second = map(json.loads, out.splitlines())
    assert "ranking_loss" in first
    assert "error" in second


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--labels", NAMES, "--class", "sky"], "expected --class or --labels, got both"),
        (["--labels", NAMES, "--pruning", "optimistic"], "for label sets, got 'optimistic'"),
        (["--class", "sky", "--vectors", "exact"], "--vectors: expected label sets with it"),
        (
            ["--labels", NAMES, "--impurity-penalty", "0.1"],
            "--impurity-penalty: expected one class per row with this option, got label sets",
        ),
        (["--labels", NAMES, "--vectors", "exact"], "expected --pruning pessimistic or none with"),
        (["--class", "sky", "--label-counts"], "--label-counts: expected label sets with it"),
        (["--class", "sky", "--aim", "sets"], "--aim: expected label sets with it"),
        (["--class", "sky", "--sets", "f1"], "--sets: expected label sets with it"),
        (
            ["--labels", NAMES, "--aim", "sets", "--pruning", "none"],
            "--aim: expected --pruning refined with it, got none",
        ),
        (["--label-separator", "|"], "--label-separator: expected --labels NAME with it"),
    ],
)
@pytest.mark.parametrize("command", ["train", "evaluate"])
def test_options_that_do_not_fit_are_a_usage_error(files, run, command, options, message):
    status, _, err = run(command, str(files / "complete.arff"), *options)
    assert status == 2
    assert message in err


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ("sail,rum", "--labels: expected the name of an attribute"),
        ("sail", "--labels: expected two labels or more, got 1"),
        ("sail,sail", "--labels: expected each label once, got 'sail' twice"),
        ("sail,sky", "label attribute 'sky': expected the values {0,1}"),
        ("none.xml", "none.xml: there is no such file"),
    ],
)
def test_labels_that_are_not_there_are_told(files, run, labels, message):
    status, out, err = run("train", str(files / "complete.arff"), "--labels", labels)
    assert (status, out) == (1, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_a_model_of_label_sets_is_exported_but_for_pmml(model, run):
    status, out, err = run("export", model, "--to", "sql")
    assert (status, err) == (0, "")
    assert "predicted:" in out
    status, _, err = run("export", model, "--to", "pmml")
    assert status == 1
    assert "expected a model with one class" in err


def test_aims_and_sets_reach_the_learner(files, run):
    (files / "many.arff").write_text(random_days(200))
    arguments = ["train", str(files / "many.arff"), "--labels", NAMES]
    found = {}
    for more in ([], ["--aim", "sets"], ["--aim", "ranking"], ["--sets", "f1"]):
        path = str(files / "model.json")
        assert run(*arguments, *more, "--model", path)[0] == 0
        found[" ".join(more)] = json.loads((files / "model.json").read_text())
    assert found[""] == found["--aim sets"]
    assert found[""]["training"]["options"]["aim"] == "sets"
    assert found["--aim ranking"]["rules"] != found[""]["rules"]
    assert found["--sets f1"]["training"]["options"]["sets"] == "f1"
    assert found["--sets f1"]["rules"] != []
    assert found[""]["threshold"] == 0 > found["--sets f1"]["threshold"]


def test_labels_are_named_by_patterns_too(files, run):
    told = run("train", str(files / "complete.arff"), "--labels", "r*,sail")
    assert told == run("train", str(files / "complete.arff"), "--labels", NAMES)
    status, _, err = run("train", str(files / "complete.arff"), "--labels", "z*")
    assert status == 1
    assert "--labels: expected a pattern that some attribute matches" in err


def test_labels_in_one_cell_are_those_of_columns(files, run):
    rows = [line.split(",") for line in random_days(80).split("@data\n")[1].split()]
    cells, columns = ["sky,wind,what"], ["sky,wind,read,run,sail"]
    for sky, sail, runs, read, wind in rows:
        held = {"sail": sail == "1", "run": runs == "yes", "read": read == "1"}
        cells.append(f"{sky},{wind},{';'.join(name for name, has in held.items() if has)}")
        columns.append(f"{sky},{wind},{held['read']:d},{held['run']:d},{held['sail']:d}")
    assert any(line.endswith(",") for line in cells)  # without a label
    (files / "cells.csv").write_text("\n".join([*cells, "sun,1,?"]) + "\n")
    (files / "columns.csv").write_text("\n".join([*columns, "sun,1,?,?,?"]) + "\n")
    arguments = ["--labels", "what", "--label-separator", ";"]
    status, out, err = run("train", str(files / "cells.csv"), *arguments)
    assert status == 0
    assert "1 row with missing labels" in err
    assert out == run("train", str(files / "columns.csv"), "--labels", NAMES)[1]
    test = ["--test", str(files / "cells.csv"), "--format", "json"]
    status, out, _ = run("evaluate", str(files / "cells.csv"), *arguments, *test)
    assert status == 0
    test[1] = str(files / "columns.csv")
    other = run("evaluate", str(files / "columns.csv"), "--labels", NAMES, *test)[1]
    assert json.loads(out)["measures"] == json.loads(other)["measures"]


@pytest.fixture
def songs(tmp_path, run, monkeypatch):
    """A model of tags that stand in one cell, and files of rows."""
    monkeypatch.chdir(tmp_path)
    lines = [
        f"{x},{y},{'|'.join(['low'] * (x < 5) + ['high'] * (x > 3) + ['odd'] * (y == 'b'))}"
        for x in range(10)
        for y in "abc"
    ]
    Path("songs.csv").write_text("\n".join(["x,y,tags", *lines]) + "\n")
    Path("new.csv").write_text("x,y,tags\n1,a,low\n2,b,low|loud\n9,c,\n")
    command = ["train", "songs.csv", "--labels", "tags", "--label-separator", "|"]
    assert run(*command, "--model", "songs.json")[0] == 0


def test_a_model_knows_in_which_cell_labels_stand(songs, run):
    labels = read_committee("songs.json").schema.labels
    assert labels.cells == ("tags", "|")
    assert json.loads(Path("songs.json").read_text())["labels"]["cells"] == {
        "attribute": "tags",
        "separator": "|",
    }
    status, out, _ = run("evaluate", "songs.json", "songs.csv", "--format", "json")
    assert status == 0
    assert json.loads(out)["models"][0]["measures"]["hamming_loss"] == 0
    for command in (
        ["report", "songs.json", "songs.csv", "-o", "report.html"],
        ["workbench", "songs.json", "songs.csv", "-o", "workbench.html"],
        ["card", "songs.json", "songs.csv"],
        ["edit", "songs.json", "songs.csv", "--remove", "1", "-o", "edited.json"],
        ["update", "edited.json", "songs.csv", "-o", "updated.json"],
    ):
        status, _, err = run(*command)
        assert (status, "missing labels" in err) == (0, False), command
    updated = read_committee("updated.json")
    assert updated.schema.labels == labels
    assert "In the data: the same" in run("explain", "songs.json", "songs.csv", "--row", "1")[1]
    columns, files = ["x", "y", "tags"], ("songs.json", "songs.csv", None)
    learn = commands_of(read_committee("songs.json"), columns, files, Words())["learn"]
    assert learn.endswith("--labels tags --label-separator '|'")


def test_labels_that_a_model_does_not_know_are_refused_or_missing(songs, run):
    status, _, err = run("evaluate", "songs.json", "new.csv")
    assert status == 1
    message = "attribute 'tags': expected a label that was declared in training ('high', 'low',"
    assert message in err
    assert "got 'loud' in row 2" in err
    status, _, err = run("evaluate", "songs.json", "new.csv", "--unknown-as-missing")
    assert status == 0
    assert "'loud', unknown in training, treated as missing in row 2" in err
    assert run("predict", "songs.json", "new.csv")[0] == 0
    # a new label is learned where the model is fitted to new rows, and known ones stay
    rows = Path("songs.csv").read_text() + "5,a,loud\n" * 5
    Path("more.csv").write_text(rows.replace("high", ""))
    assert run("update", "songs.json", "more.csv", "-o", "more.json")[0] == 0
    assert read_committee("more.json").schema.labels.values == ("high", "loud", "low", "odd")


def test_other_ways_are_tested_on_the_same_folds(files, run):
    (files / "many.arff").write_text(random_days(60))
    arguments = ["evaluate", str(files / "many.arff"), "--labels", NAMES, "--folds", "3"]
    ways = ["--against", "labels", "--against", "chains"]
    status, out, _ = run(*arguments, *ways)
    assert status == 0
    assert out.startswith(run(*arguments)[1])
    lines = out.splitlines()
    names = ["one committee for all", "one committee per label", "classifier chains"]
    assert [line[:24].strip() for line in lines[-3:]] == names
    data = json.loads(run(*arguments, *ways, "--format", "json")[1])
    assert list(data["against"]) == names[1:]
    for name, line in zip(names[1:], lines[-2:], strict=True):
        measures = data["against"][name]["measures"]
        assert line.split()[-7] == f"{measures['hamming_loss']:.3f}"[:5]
    markdown = run(*arguments, *ways, "--format", "markdown")[1]
    assert "\nOn the same folds:\n\n|  | Hamming | exact |" in markdown


def test_other_ways_want_label_sets_and_folds(files, run):
    arguments = ["evaluate", str(files / "complete.arff"), "--against", "labels"]
    status, _, err = run(*arguments, "--class", "sky")
    assert status == 2
    assert "--against: expected label sets with it" in err
    status, _, err = run(*arguments, "--labels", NAMES, "--test", str(files / "days.arff"))
    assert status == 2
    assert "--against: expected folds in this process with it" in err
