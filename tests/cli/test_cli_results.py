"""What the commands give: tables, files, forms and limits, the same however they are asked."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from widc_arff import Dataset, Options, induce, read_arff
from widc_arff.model.committee import read_committee

ROOT = Path(__file__).parents[2]
DATA = ROOT / "arff_data"
IRIS = str(DATA / "iris.arff")
TIC_TAC_TOE = str(DATA / "tic-tac-toe.arff")
BALANCE_SCALE = str(DATA / "balance-scale.arff")
LED7 = str(DATA / "led7.arff")
XD6 = str(DATA / "xd6.arff")
WEATHER = str(DATA / "weather-numeric.arff")
PRUNINGS = ["pessimistic", "optimistic", "none"]
SHOP = (
    "@relation shop\n@attribute 'the price' numeric\n@attribute colour {red,blue,'light, green'}\n"
    "@attribute sold date dd.MM.yyyy\n@attribute note string\n@attribute class {3,7,none}\n@data\n"
    + "".join(
        f"{k}.25,{['red', 'blue', chr(39) + 'light, green' + chr(39)][k % 3]},"
        f"{k + 1:02}.02.2021,'it\\'s \"{k}\",\\nreally',{3 if k < 6 else 7}\n"
        for k in range(12)
    )
    + "?,?,?,?,7\n"
)
SETS = (
    "@relation 'sets: -C 2'\n@attribute p {0,1}\n@attribute q {0,1}\n@attribute x numeric\n@data\n"
    + "".join(f"{i % 2},{i % 3 // 2},{i % 6}\n" for i in range(24))
)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """Run in a folder with a small file of every type."""
    monkeypatch.chdir(tmp_path)
    write("shop.arff", SHOP)
    return Path(tmp_path)


@pytest.fixture
def model(folder, run) -> str:
    """Return the name of a model file that knows neither notes nor dates."""
    arguments = ["shop.arff", "--ignore", "note", "--ignore", "sold", "--model", "shop.json"]
    assert run("train", *arguments)[0] == 0
    return "shop.json"


def write(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8", newline="")
    return name


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def shares(row: dict[str, str]) -> list[float]:
    return [float(value) for name, value in row.items() if name.startswith("probability:")]


def trained(run, *arguments: str) -> Any:
    """Return the model that train prints, as data."""
    status, out, _ = run("train", *arguments, "--format", "json")
    assert status == 0
    return json.loads(out)


def evaluated(run, *arguments: str) -> Any:
    """Return what evaluate says about one file, as data."""
    status, out, _ = run("evaluate", *arguments, "--format", "json")
    assert status == 0
    return json.loads(out)


def program(*arguments: str, **settings: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "widc_arff", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **settings.pop("env", {})}
    settings = {"capture_output": True, "text": True, "encoding": "utf-8", **settings}
    return subprocess.run(command, check=False, env=environment, **settings)


# train and show


@pytest.mark.parametrize("pruning", PRUNINGS)
@pytest.mark.parametrize("data", [IRIS, TIC_TAC_TOE, str(DATA / "led7.arff")])
def test_the_model_file_is_what_the_contract_says(run, data, pruning):
    model = trained(run, data, "--pruning", pruning)
    numbers = any(a.get("type") == "numeric" for a in model["attributes"] if isinstance(a, dict))
    assert list(model) == [
        *("format", "version", "relation", "attributes", "labels", "rules", "default"),
        *("probabilities", "training"),
        *(["seen"] if numbers else []),
    ]
    assert (model["format"], model["version"]) == ("widc-arff/committee", 3)
    assert list(model["probabilities"]) == ["factor", "frequencies", "shares"]
    labels = model["labels"]["values"]
    relation = read_arff(data)
    assert labels == list(relation.attributes[-1].values)
    by_name = {a["name"]: a for a in model["attributes"] if isinstance(a, dict)}
    names = [a["name"] if isinstance(a, dict) else a for a in model["attributes"]]
    assert names == [a.name for a in relation.attributes[:-1]]
    assert by_name.keys() == {
        literal["attribute"] for rule in model["rules"] for literal in rule["if"]
    }
    for rule in model["rules"]:
        assert list(rule) == ["if", "votes", "covers", "decides"]
        assert len(rule["votes"]) == len(rule["covers"]) == len(labels)
        assert set(rule["votes"]) <= {-1, 0, 1}
        for literal in rule["if"]:
            attribute = by_name[literal["attribute"]]
            if attribute["type"] == "nominal":
                assert literal["is"] in ("=", "!=")
                assert literal["value"] in attribute["values"]
            else:
                assert literal["is"] in ("<=", ">")
                assert isinstance(literal["value"], float)
    assert len(model["default"]) == len(labels)
    assert sum(model["default"]) == pytest.approx(1)
    assert sum(model["training"]["weights"]) == model["training"]["examples"] == len(relation)
    assert model["training"]["options"]["pruning"] == pruning
    assert "jobs" not in model["training"]["options"]


def test_the_error_in_the_model_file_is_that_of_its_predictions(run):
    model = trained(run, TIC_TAC_TOE, "--model", "m.json")
    rows = table(run("predict", "m.json", TIC_TAC_TOE)[1])
    wrong = sum(row["actual"] != row["predicted"] for row in rows)
    assert model["training"]["error"] == pytest.approx(wrong / len(rows))


def test_the_printed_table_has_a_line_per_rule_with_votes_and_how_often_they_are_right(run):
    model = trained(run, XD6)
    lines = run("train", XD6)[1].splitlines()
    n_literals = sum(len(rule["if"]) for rule in model["rules"])
    rules = model["rules"]
    assert lines[0] == (
        f"Decision committee for class: {len(rules)} rules, {n_literals} conditions"
    )
    assert lines[2].split() == ["points", "rule", "right", "on", "in", "all", "decides"]
    table = [line for line in lines[4 : lines.index("", 2)] if line.startswith("  +")]
    assert len(table) == len(rules)
    whole = model["training"]["weights"]
    for line in table:
        points, number, text, right, percent, in_all, decides = re.split(r" {2,}", line.strip())
        rule = rules[int(number) - 1]
        winner = rule["votes"].index(max(rule["votes"]))
        assert points == f"+{max(rule['votes']) - min(rule['votes'])}"
        n, covered = rule["covers"][winner], sum(rule["covers"])
        assert right == f"{n:.0f} of {covered:.0f}"
        assert percent == f"{100 * n / covered:.0f} %"
        assert in_all == f"{100 * whole[winner] / sum(whole):.0f} %"
        assert decides == f"{rule['decides']:.0f}"
        assert text == " and ".join(
            f"{literal['attribute']} {literal['is']} {literal['value']}" for literal in rule["if"]
        )
    assert f"training error {100 * model['training']['error']:.1f} %" in lines[-1]


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_a_model_of_five_hundred_rules_is_shown_whole(run, form):
    model = trained(run, IRIS)
    template = {"votes": [1, 0, -1], "covers": [3.0, 2.0, 1.0]}
    model["rules"] = [
        {"if": [{"attribute": "petal_length", "is": ">", "value": k + 0.5}], **template}
        for k in range(500)
    ]
    write("many.json", json.dumps(model))
    status, out, err = run("show", "many.json", "--format", form)
    assert (status, err) == (0, "")
    if form == "json":
        assert json.loads(out) == model
        return
    for k in range(500):
        assert f"petal_length > {k + 0.5} " in out.replace("\\", "")


def test_the_markdown_table_has_as_many_cells_in_every_row(run):
    odd = SHOP.replace("{3,7,none}", "{'3|4','a*b','`c`'}")
    odd = odd.replace(",3\n", ",'3|4'\n").replace(",7\n", ",'a*b'\n")
    write("odd.arff", odd.replace("the price", "a|price"))
    out = run("train", "odd.arff", "--ignore", "note", "--format", "markdown")[1]
    rows = [line for line in out.splitlines() if line.startswith("|")]
    assert len(rows) >= 4
    assert {line.replace("\\|", "").count("|") for line in rows} == {8}


@pytest.mark.parametrize("data", ["led7", "iris", "balance-scale", "waveform", "weather-nominal"])
@pytest.mark.parametrize("pruning", PRUNINGS)
def test_tables_fit_eighty_columns(run, data, pruning):
    path = str(DATA / f"{data}.arff")
    texts = [
        run("train", path, "--pruning", pruning, "--model", "m.json")[1],
        run("explain", "m.json", path, "--row", "1")[1],
        run("evaluate", path, "--folds", "2", "--pruning", pruning)[1].split("\n", 1)[1],
    ]
    assert max(len(line) for text in texts for line in text.splitlines()) <= 80


def test_a_long_name_does_not_push_the_votes_out_of_their_columns(run):
    name = "received_from_this_customer_during_the_twelve_months_before_the_interview"
    write("long.arff", SHOP.replace("'the price'", name))
    lines = run("train", "long.arff", "--ignore", "note")[1].splitlines()
    head = next(line for line in lines if line.startswith("points"))
    assert any(name in line for line in lines)
    end = lines.index("", 2)
    votes = [line for line in lines[4:end] if re.search("[0-9] of [0-9]+ .*% .*% ", line)]
    assert votes
    assert {len(line) for line in votes} == {len(head)}
    assert len(head) <= 80


def test_cuts_that_differ_are_printed_differently(run):
    write(
        "account.arff",
        "@relation r\n@attribute account numeric\n@attribute class {a,b}\n@data\n"
        + "".join(f"{12345670 + k},{'a' if 4 <= k < 6 else 'b'}\n" for k in range(10)),
    )
    write("cuts.json", '{"account": [12345673.5, 12345675.5]}')
    out = run("train", "account.arff", "--cut-points", "cuts.json", "--pruning", "none")[1]
    assert "12345673.5" in out
    assert "12345675.5" in out


# predict


def test_kept_columns_may_be_ignored_dates_and_strings(run, model):
    keep = ["--keep", "note", "--keep", "sold", "--keep", "colour", "--keep", "the price"]
    status, out, err = run("predict", model, "shop.arff", *keep)
    assert (status, err) == (0, "")
    rows = table(out)
    names = ["row", "note", "sold", "colour", "the price", "actual", "predicted"]
    labels = ["3", "7", "none"]
    assert list(rows[0]) == [*names, *(f"probability:{label}" for label in labels)]
    assert rows[2] | {"predicted": ""} == rows[2] | {
        "row": "3",
        "note": 'it\'s "2",\nreally',
        "sold": "03.02.2021",
        "colour": "light, green",
        "the price": "2.25",
        "actual": "3",
        "predicted": "",
    }
    assert [rows[12][name] for name in names[1:5]] == ["", "", "", ""]
    assert run("predict", model, "shop.arff", "--output", "p.csv", *keep) == (0, "", "")
    assert Path("p.csv").read_text(encoding="utf-8") == out


def test_predictions_in_arff_are_those_in_csv_with_types(run, model):
    keep = ["--keep", "note", "--keep", "sold", "--keep", "colour", "--keep", "the price"]
    rows = table(run("predict", model, "shop.arff", *keep)[1])
    assert run("predict", model, "shop.arff", "--output", "p.arff", *keep) == (0, "", "")
    written, source = read_arff("p.arff"), read_arff("shop.arff")
    assert [a.name for a in written.attributes] == list(rows[0])
    kinds = "numeric string date nominal numeric nominal nominal numeric numeric numeric"
    assert [a.type for a in written.attributes] == kinds.split()
    assert written.attributes[5].values == written.attributes[6].values == ("3", "7", "none")
    for row, found, original in zip(rows, written.rows(), source.rows(), strict=True):
        assert found[:5] == (float(row["row"]), original[3], original[2], original[1], original[0])
        assert found[5:7] == (row["actual"], row["predicted"])
        assert list(found[7:]) == shares(row)


@pytest.mark.parametrize(
    "label", ["a,b", 'a"b', "a'b", "a\nb", "a\rb", "a\r\nb", " a ", "ä|b", "%"]
)
def test_odd_labels_come_back_from_csv(run, label):
    code = label.replace("'", "\\'").replace("\n", "\\n").replace("\r", "\\r")
    header = f"@relation r\n@attribute x numeric\n@attribute class {{'{code}',plain}}\n@data\n"
    write("odd.arff", header + "".join(f"{k},'{code}'\n{k + 50},plain\n" for k in range(5)))
    assert run("train", "odd.arff", "--model", "odd.json")[0] == 0
    rows = table(run("predict", "odd.json", "odd.arff")[1])
    assert list(rows[0])[3:] == [f"probability:{label}", "probability:plain"]
    assert [row["actual"] for row in rows] == [label, "plain"] * 5
    assert [row["predicted"] for row in rows] == [label, "plain"] * 5


@pytest.mark.parametrize("pruning", PRUNINGS)
@pytest.mark.parametrize("name", ["iris", "led7", "balance-scale", "weather-numeric", "monk1-124"])
def test_the_prediction_has_the_largest_probability(run, name, pruning):
    path = str(DATA / f"{name}.arff")
    assert run("train", path, "--pruning", pruning, "--model", "m.json")[0] == 0
    rows = table(run("predict", "m.json", path)[1])
    labels = [column.removeprefix("probability:") for column in list(rows[0])[3:]]
    assert labels == list(read_arff(path).attributes[-1].values)
    for row in rows:
        found = shares(row)
        assert sum(found) == pytest.approx(1)
        assert min(found) >= 0
        assert row["predicted"] == labels[found.index(max(found))]


def test_a_model_file_predicts_to_the_last_bit_what_the_library_does(run):
    for path in (IRIS, TIC_TAC_TOE):
        assert run("train", path, "--model", "m.json")[0] == 0
        dataset = Dataset.from_relation(read_arff(path))
        committee = induce(dataset)
        assert read_committee("m.json") == committee
        rows = table(run("predict", "m.json", path)[1])
        assert [shares(row) for row in rows] == committee.predict_proba(dataset).tolist()
        assert [row["predicted"] for row in rows] == committee.predict(dataset).tolist()


def test_predict_needs_only_the_columns_that_rules_use(run):
    model = trained(run, IRIS, "--model", "m.json")
    used = {literal["attribute"] for rule in model["rules"] for literal in rule["if"]}
    relation = read_arff(IRIS)
    names = [attribute.name for attribute in relation.attributes]
    kept = [name for name in reversed(names) if name in used]
    header = "".join(f"@attribute {name} numeric\n" for name in kept)
    rows = "".join(
        ",".join(repr(row[names.index(name)]) for name in kept) + "\n" for row in relation.rows()
    )
    write("used.arff", f"@relation r\n{header}@data\n{rows}")
    whole = table(run("predict", "m.json", IRIS)[1])
    some = table(run("predict", "m.json", "used.arff")[1])
    assert [{**row, "actual": ""} for row in whole] == some
    write("few.arff", f"@relation r\n@attribute {kept[0]} numeric\n@data\n1\n")
    if len(kept) > 1:
        status, _, err = run("predict", "m.json", "few.arff")
        assert status == 1
        assert all(repr(name) in err for name in kept[1:])


def test_data_without_rows_give_a_header_only(run, model):
    write("none.arff", SHOP[: SHOP.index("@data")] + "@data\n")
    status, out, err = run("predict", model, "none.arff")
    assert (status, err) == (0, "")
    assert out == "row,actual,predicted,probability:3,probability:7,probability:none\n"


# evaluate

KEYS = [
    "file",
    "examples",
    "unlabelled",
    "error",
    "errors_per_fold",
    "rules",
    "literals",
    "votes",
    "confusion",
    "measures",
    "options",
    "seed",
    "folds",
    "repeats",
    "versions",
]


@pytest.mark.parametrize("repeats", [1, 3])
def test_evaluate_json_holds_what_the_contract_says(run, repeats):
    options = ["--folds", "5", "--seed", "4", "--repeats", str(repeats), "--predictions", "p.csv"]
    result = evaluated(run, IRIS, *options)
    assert list(result) == KEYS
    assert (result["folds"], result["seed"], result["repeats"]) == (5, 4, repeats)
    assert (result["examples"], result["unlabelled"]) == (150, 0)
    assert len(result["errors_per_fold"]) == 5 * repeats
    rows = table(Path("p.csv").read_text(encoding="utf-8"))
    assert len(rows) == 150 * repeats
    wrong = [row for row in rows if row["actual"] != row["predicted"]]
    assert result["error"] == pytest.approx(len(wrong) / len(rows))
    per_fold = [
        sum((w["repeat"], w["fold"]) == (str(r + 1), str(f + 1)) for w in wrong) / 30
        for r in range(repeats)
        for f in range(5)
    ]
    assert result["errors_per_fold"] == pytest.approx(per_fold)
    labels = ["setosa", "versicolor", "virginica"]
    assert result["confusion"] == [
        [sum((row["actual"], row["predicted"]) == (a, p) for row in rows) for p in labels]
        for a in labels
    ]
    measures = result["measures"]
    assert {"accuracy", "kappa", "log_loss", "per_class"} <= set(measures)
    assert measures["accuracy"] == pytest.approx(1 - result["error"])
    assert [entry["label"] for entry in measures["per_class"]] == labels
    for j, entry in enumerate(measures["per_class"]):
        assert {"precision", "recall", "f_measure", "roc_area"} <= set(entry)
        row = result["confusion"][j]
        column = [line[j] for line in result["confusion"]]
        assert entry["recall"] == pytest.approx(row[j] / sum(row))
        assert entry["precision"] == pytest.approx(row[j] / sum(column))
    assert result["options"] == {"pruning": "refined", "cut_points": "mdl+", "penalty": 3.0}
    assert 0 < result["votes"] < 3 * result["rules"]


def test_a_penalty_reaches_the_learner_and_is_recorded(run):
    options = ["--pruning", "refined", "--penalty", "5"]
    recorded = {"pruning": "refined", "cut_points": "mdl+", "penalty": 5.0}
    assert trained(run, BALANCE_SCALE, *options)["training"]["options"] == recorded
    result = evaluated(run, BALANCE_SCALE, "--folds", "2", *options)
    assert result["options"] == recorded
    cheap = evaluated(run, BALANCE_SCALE, "--folds", "2", *options[:2], "--penalty", "0")
    assert result["literals"] < cheap["literals"]


def test_what_votes_cost_reaches_the_learner_and_is_recorded(run):
    recorded = {"pruning": "refined", "cut_points": "mdl+", "penalty": 3.0}
    for options, more in (
        (["--votes", "one"], {"votes": "one"}),
        (["--votes", "free"], {"votes": "free"}),
        (["--vote-penalty", "4"], {"vote_penalty": 4.0}),
    ):
        model = trained(run, LED7, *options)
        assert model["training"]["options"] == {**recorded, **more}
        exceptions = [
            len(rule["votes"]) - max(map(rule["votes"].count, (-1, 0, 1)))
            for rule in model["rules"]
        ]
        if more == {"votes": "one"}:
            assert set(exceptions) == {1}
        else:
            assert max(exceptions) > 1
    result = evaluated(run, LED7, "--folds", "2", "--votes", "one", "--vote-penalty", "0")
    assert result["options"] == {**recorded, "votes": "one", "vote_penalty": 0.0}


def test_the_penalty_of_impurity_reaches_the_learner_and_is_recorded(run):
    usual = trained(run, LED7)
    charged = trained(run, LED7, "--impurity-penalty", "0.5")
    recorded = {**usual["training"]["options"], "impurity_penalty": 0.5}
    assert charged["training"]["options"] == recorded
    assert charged["rules"] != usual["rules"]
    assert trained(run, LED7, "--impurity-penalty", "0") == usual
    result = evaluated(run, LED7, "--folds", "2", "--impurity-penalty", "0.5")
    assert result["options"] == recorded


def test_refined_pruning_has_the_default_penalty(run):
    found = trained(run, WEATHER, "--pruning", "refined")["training"]["options"]
    assert found["penalty"] == Options().penalty


def test_help_shows_the_defaults_of_the_library(run):
    _, out, _ = run("train", "--help")
    text = " ".join(out.split())
    for name in ("pruning", "penalty", "votes", "impurity_penalty", "cut_points"):
        assert f"[default: {getattr(Options(), name)}" in text
    assert "[default: (log2(classes - 1))" in text


def test_every_row_is_tested_once_in_each_repeat(run):
    evaluated(run, WEATHER, "--folds", "3", "--repeats", "2", "--predictions", "p.csv")
    rows = table(Path("p.csv").read_text(encoding="utf-8"))
    for repeat in ("1", "2"):
        tested = [int(row["row"]) for row in rows if row["repeat"] == repeat]
        assert sorted(tested) == list(range(1, 15))


def test_a_repeat_has_the_folds_of_the_next_seed(run):
    options = [TIC_TAC_TOE, "--folds", "3", "--max-rules", "2"]
    twice = evaluated(run, *options, "--seed", "7", "--repeats", "2")
    single = [evaluated(run, *options, "--seed", seed) for seed in ("7", "8")]
    assert twice["errors_per_fold"] == single[0]["errors_per_fold"] + single[1]["errors_per_fold"]
    assert twice["error"] == pytest.approx((single[0]["error"] + single[1]["error"]) / 2)
    assert twice["rules"] == pytest.approx((single[0]["rules"] + single[1]["rules"]) / 2)


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_two_jobs_give_what_one_gives(run, form):
    outcomes = []
    for jobs in ("1", "2"):
        options = ["--folds", "4", "--jobs", jobs, "--predictions", "p.csv", "--format", form]
        result = run("evaluate", IRIS, WEATHER, *options)
        outcomes.append((result, Path("p.csv").read_bytes()))
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("pruning", PRUNINGS)
def test_a_test_file_is_predicted_by_one_model_of_all_training_rows(run, pruning):
    options = ["--pruning", pruning, "--max-literals", "2"]
    model = trained(run, IRIS, "--model", "m.json", *options)
    result = evaluated(run, IRIS, "--test", IRIS, "--predictions", "p.csv", *options)
    assert result["error"] == pytest.approx(model["training"]["error"])
    assert result["rules"] == len(model["rules"])
    assert result["literals"] == sum(len(rule["if"]) for rule in model["rules"])
    assert len(result["errors_per_fold"]) == 1
    columns = ["row", "actual", "predicted", "probability:setosa"]
    tested = table(Path("p.csv").read_text(encoding="utf-8"))
    predicted = table(run("predict", "m.json", IRIS)[1])
    assert [[row[c] for c in columns] for row in tested] == [
        [row[c] for c in columns] for row in predicted
    ]


def test_several_files_give_a_row_each_in_their_order(run):
    status, out, err = run("evaluate", XD6, WEATHER, IRIS, "--folds", "3")
    assert (status, err) == (0, "")
    rows = [line.split() for line in out.splitlines() if ".arff" in line]
    assert [row[0].rsplit("/", 1)[-1] for row in rows] == [
        "xd6.arff",
        "weather-numeric.arff",
        "iris.arff",
    ]
    results = [evaluated(run, path, "--folds", "3") for path in (XD6, WEATHER, IRIS)]
    for row, result in zip(rows, results, strict=True):
        assert int(row[1]) == result["examples"]
        assert row[2] == f"{100 * result['error']:.2f}"
        assert [row[4], row[5]] == [f"{result['rules']:.1f}", f"{result['literals']:.1f}"]
    lines = run("evaluate", XD6, WEATHER, IRIS, "--folds", "3", "--format", "json")[1].splitlines()
    assert [json.loads(line) for line in lines] == results


def test_rows_without_a_class_are_in_the_folds_but_do_not_count(run):
    write("shop.arff", SHOP.replace("?,?,?,?,7", "?,?,?,?,?"))
    options = ["--ignore", "note", "--folds", "4", "--predictions", "p.csv"]
    result = evaluated(run, "shop.arff", *options)
    assert (result["examples"], result["unlabelled"]) == (12, 1)
    assert sum(map(sum, result["confusion"])) == 12
    rows = table(Path("p.csv").read_text(encoding="utf-8"))
    assert len(rows) == 13
    assert [row["actual"] for row in rows].count("") == 1


# standard input and output, compressed files


def test_a_dash_is_standard_input_for_data(run, model, stdin):
    for command in (
        ["train", "shop.arff", "--ignore", "note"],
        ["predict", model, "shop.arff", "--keep", "note"],
        ["explain", model, "shop.arff", "--row", "2"],
    ):
        expected = run(*command)
        stdin(SHOP)
        piped = ["-" if argument == "shop.arff" else argument for argument in command]
        assert run(*piped) == expected
    result = evaluated(run, "shop.arff", "--ignore", "note", "--folds", "3")
    stdin(SHOP)
    piped = evaluated(run, "-", "--ignore", "note", "--folds", "3")
    assert {**piped, "file": "shop.arff"} == result


@pytest.mark.parametrize(
    "command",
    [["show"], ["predict", "shop.arff"], ["explain", "shop.arff", "--row", "2"]],
)
def test_a_dash_is_standard_input_for_a_model(run, model, stdin, command):
    name, *rest = command
    expected = run(name, model, *rest)
    stdin(Path(model).read_text(encoding="utf-8"))
    assert run(name, "-", *rest) == expected


def test_a_dash_is_standard_output_for_results(run, model):
    text = Path(model).read_text(encoding="utf-8")
    printed = run("train", "shop.arff", "--ignore", "note", "--ignore", "sold", "--model", "-")
    assert printed == (0, text, "")
    assert run("predict", model, "shop.arff", "--output", "-") == run("predict", model, "shop.arff")
    assert not Path("-").exists()


def test_a_dash_is_standard_output_for_the_predictions_of_an_evaluation(run):
    options = ["--ignore", "note", "--folds", "3", "--predictions"]
    run("evaluate", "shop.arff", *options, "p.csv")
    status, out, _ = run("evaluate", "shop.arff", *options, "-")
    assert status == 0
    assert not Path("-").exists()
    assert Path("p.csv").read_text(encoding="utf-8") in out


def test_a_pipe_of_commands_works():
    command = f"{sys.executable} -m widc_arff"
    line = f"cat shop.arff | {command} train - --ignore note | tail -1"
    done = subprocess.run(
        line,
        shell=True,
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.stdout.startswith("13 training rows, training error")


def test_compressed_files_are_read_as_they_are(run, model):
    Path("shop.arff.gz").write_bytes(gzip.compress(SHOP.encode()))
    Path("plain.arff").write_bytes(gzip.compress(SHOP.encode()))  # whatever the name
    for name in ("shop.arff.gz", "plain.arff"):
        assert run("train", name, "--ignore", "note") == run(
            "train", "shop.arff", "--ignore", "note"
        )
        assert run("predict", model, name) == run("predict", model, "shop.arff")
        result = evaluated(run, name, "--ignore", "note", "--folds", "2")
        expected = evaluated(run, "shop.arff", "--ignore", "note", "--folds", "2")
        assert {**result, "file": ""} == {**expected, "file": ""}


# limits and cut points


@pytest.mark.parametrize("limit", ["max-rules", "max-literals", "max-size"])
@pytest.mark.parametrize("pruning", PRUNINGS)
@pytest.mark.parametrize("data", [IRIS, TIC_TAC_TOE, str(DATA / "monk2-169.arff")])
def test_limits_are_hard(run, data, pruning, limit):
    for n in (1, 2, 3, 5, 8):
        model = trained(run, data, "--pruning", pruning, f"--{limit}", str(n))
        sizes = [len(rule["if"]) for rule in model["rules"]]
        measured = {
            "max-rules": len(sizes),
            "max-literals": max(sizes, default=0),
            "max-size": sum(sizes),
        }
        assert measured[limit] <= n
        assert model["training"]["options"][limit.replace("-", "_")] == n


@pytest.mark.parametrize("limit", ["max-rules", "max-size"])
@pytest.mark.parametrize("data", [IRIS, TIC_TAC_TOE, str(DATA / "monk2-169.arff")])
def test_a_wider_limit_of_pessimistic_pruning_never_errs_more_in_training(run, data, limit):
    pessimistic = ["--pruning", "pessimistic"]
    errors = [
        trained(run, data, *pessimistic, f"--{limit}", str(n))["training"]["error"]
        for n in (0, 1, 2, 3, 4, 6, 9, 14, 20)
    ]
    assert all(wider <= narrower for narrower, wider in pairwise(errors))
    assert errors[0] > errors[-1]
    unlimited = trained(run, data, *pessimistic)
    assert trained(run, data, *pessimistic, f"--{limit}", "1000")["rules"] == unlimited["rules"]


@pytest.mark.parametrize("limit", ["max-rules", "max-size"])
@pytest.mark.parametrize("pruning", PRUNINGS)
def test_a_limit_of_zero_leaves_the_default_alone(run, limit, pruning):
    model = trained(run, IRIS, "--pruning", pruning, f"--{limit}", "0")
    assert model["rules"] == []
    assert model["default"] == pytest.approx([1 / 3, 1 / 3, 1 / 3])


@pytest.mark.parametrize("pruning", PRUNINGS)
def test_cut_points_of_a_file_are_the_only_ones(run, pruning):
    table_of_cuts = {"petal_length": [2.45, 4.75], "sepal_width": [3.0]}
    write("cuts.json", json.dumps(table_of_cuts))
    model = trained(run, IRIS, "--cut-points", "cuts.json", "--pruning", pruning)
    assert model["rules"]
    for rule in model["rules"]:
        for literal in rule["if"]:
            assert literal["value"] in table_of_cuts[literal["attribute"]]
    assert model["training"]["options"]["cut_points"] == {
        "petal_length": [2.45, 4.75],
        "sepal_width": [3.0],
    }
    assert evaluated(run, IRIS, "--cut-points", "cuts.json", "--folds", "3")["options"][
        "cut_points"
    ] == {"petal_length": [2.45, 4.75], "sepal_width": [3.0]}


@pytest.mark.parametrize("method", ["mdl+", "mdl", "all", "quantile:4", "width:4"])
def test_every_method_of_cut_points_is_remembered_in_the_model(run, method):
    model = trained(run, IRIS, "--cut-points", method)
    assert model["training"]["options"]["cut_points"] == method
    values = {literal["value"] for rule in model["rules"] for literal in rule["if"]}
    assert values


# which attribute is the class

NAMED = (
    "@relation r\n@attribute last {a,b}\n@attribute 1 {c,d}\n@attribute x numeric\n"
    "@attribute first {e,f}\n@attribute 9 {g,h}\n@attribute end {i,j}\n@data\n"
    "a,c,1,e,g,i\nb,c,2,f,h,i\na,d,3,e,h,j\nb,d,4,f,g,j\n"
)
PLAIN = (
    "@relation r\n@attribute u {a,b}\n@attribute x numeric\n@attribute v {c,d}\n@data\n"
    "a,1,c\nb,2,d\n"
)


@pytest.mark.parametrize(
    ("text", "asked", "found"),
    [
        (NAMED, "last", "last"),  # a name beats the word
        (NAMED, "first", "first"),
        (NAMED, "1", "1"),  # and a number
        (NAMED, "9", "9"),
        (NAMED, "2", "1"),  # the second attribute
        (NAMED, "6", "end"),
        (NAMED, "end", "end"),
        (PLAIN, "last", "v"),
        (PLAIN, "first", "u"),
        (PLAIN, "1", "u"),
        (PLAIN, "3", "v"),
        (PLAIN, "v", "v"),
    ],
)
def test_names_beat_words_and_words_beat_numbers(run, text, asked, found):
    write("named.arff", text)
    assert trained(run, "named.arff", "--class", asked)["labels"]["attributes"] == [found]


def test_the_class_is_the_last_attribute_unless_said_otherwise(run):
    write("plain.arff", PLAIN)
    assert trained(run, "plain.arff")["labels"]["attributes"] == ["v"]


# explain


@pytest.mark.parametrize("data", [IRIS, WEATHER, XD6])
def test_an_explanation_adds_up(run, data):
    model = trained(run, data, "--model", "m.json")
    labels = model["labels"]["values"]
    rows = table(run("predict", "m.json", data)[1])
    for k in (1, len(rows) // 2, len(rows)):
        _, out, _ = run("explain", "m.json", data, "--row", str(k), "--format", "json")
        explanation = json.loads(out)
        assert (explanation["row"], explanation["predicted"]) == (k, rows[k - 1]["predicted"])
        assert list(explanation["probabilities"].values()) == shares(rows[k - 1])
        for rule in explanation["rules"]:
            of_model = model["rules"][rule["rule"] - 1]
            assert (rule["if"], rule["votes"]) == (of_model["if"], of_model["votes"])
        for j, label in enumerate(labels):
            assert explanation["votes"][label] == sum(r["votes"][j] for r in explanation["rules"])
        top = max(explanation["votes"].values())
        tied = [label for label in labels if explanation["votes"][label] == top]
        assert explanation["tied"] == (tied if len(tied) > 1 else [])
        assert explanation["decided_by"] == ("votes" if len(tied) == 1 else "default")
        assert explanation["predicted"] in tied
        text = run("explain", "m.json", data, "--row", str(k))[1]
        assert re.match(rf"Row {k}: (class )?{re.escape(explanation['predicted'])} \(prob", text)


# the same in every process


def test_hash_seeds_change_neither_models_nor_evaluations():
    outputs = {
        "\0".join(
            program(*command, env={"PYTHONHASHSEED": seed}).stdout
            for command in (
                ["train", TIC_TAC_TOE, "--format", "json"],
                ["evaluate", WEATHER, "--format", "json", "--jobs", "2"],
            )
        )
        for seed in ("0", "1")
    }
    assert len(outputs) == 1
    assert len(outputs.pop()) > 1000


def test_the_order_of_the_rows_does_not_change_the_model(run):
    relation = read_arff(TIC_TAC_TOE)
    text = Path(TIC_TAC_TOE).read_text(encoding="utf-8")
    rows = text.splitlines()[-len(relation) :]
    head = text[: text.index(rows[0])]
    write("reversed.arff", head + "\n".join(reversed(rows)) + "\n")
    assert run("train", "reversed.arff") == run("train", TIC_TAC_TOE)


def test_importing_the_package_loads_neither_click_nor_rich():
    code = (
        "import sys, widc_arff; "
        "print(sorted({name.split('.')[0] for name in sys.modules} & "
        "{'click', 'rich', 'arff', 'scipy', 'sklearn', 'matplotlib', 'weka_plugin'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["-h"]])
def test_help_and_version_go_to_standard_output(run, arguments):
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    assert out


@pytest.mark.parametrize("command", ["train", "predict", "evaluate", "show", "explain"])
def test_every_command_explains_its_options(run, command):
    status, out, err = run(command, "--help")
    assert (status, err) == (0, "")
    assert out.startswith(f"Usage: widc-arff {command} ")


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["train", "shop.arff", "--ignore", "note"], 0),
        (["train", "shop.arff"], 1),
        (["show", "none.json"], 1),
        (["show"], 2),
        (["evaluate", "shop.arff", "none.arff", "--ignore", "note", "--folds", "2"], 1),
    ],
)
def test_the_process_ends_with_the_status_of_the_command(arguments, status):
    done = program(*arguments, env={"PYTHONWARNINGS": "error"})
    assert done.returncode == status
    assert (done.stdout == "") == (arguments[0] == "show" or arguments == ["train", "shop.arff"])
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="no such names of files")
@pytest.mark.parametrize("data", ["weather-numeric", "sets"])
def test_names_of_files_cannot_command_a_terminal(run, data):
    name = "e\x1b[\u202es\nc\x9b.arff"
    text = SETS if data == "sets" else (DATA / f"{data}.arff").read_text(encoding="utf-8")
    write(name, text)
    assert run("train", name, "--model", "m.json")[0] == 0
    evaluate = ("evaluate", name, "--folds", "2")
    for command in (
        ("describe", name),
        ("describe", name, "--format", "markdown"),
        evaluate,
        (*evaluate, "--jobs", "2"),
        (*evaluate, "--format", "markdown"),
        (*evaluate, name),
        ("evaluate", name, "--holdout", "50"),
        ("evaluate", name, "--test", name),
        ("report", "m.json", name, "-o", "-"),
    ):
        status, out, _ = run(*command, "-q")
        assert status == 0
        assert out.replace("\n", "").isprintable()
        assert r"\u202es\nc\x9b.arff" in re.sub(r"\s|\\(?=[\\[])", "", out)
    assert json.loads(run("describe", name, "--format", "json")[1])["file"] == name
    assert json.loads(run(*evaluate, "--format", "json")[1])["file"] == name
    rows = csv.DictReader(io.StringIO(run(*evaluate, "--predictions", "-")[1]))
    assert {row["file"] for row in rows} == {name}
