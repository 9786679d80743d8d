"""``widc-arff explain`` for all rows of a file, some of them, and one."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.label_set_cases import DAYS
from widc_arff import read_arff, write_arff
from widc_arff.arff.relation import Relation

DATA = Path(__file__).parents[2] / "arff_data"
IRIS, WEATHER, NUMERIC = (
    str(DATA / f"{name}.arff") for name in ("iris", "weather-nominal", "weather-numeric")
)
UNKNOWN = """@relation play
@attribute outlook {sunny,overcast,rainy}
@attribute temperature numeric
@attribute humidity numeric
@attribute windy {TRUE,FALSE}
@data
?,?,90,?
sunny,?,90,?
?,70,?,TRUE
rainy,Infinity,-Infinity,FALSE
"""


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def trained(run, data: str, *options: str) -> str:
    assert run("train", data, "--model", "m.json", *options)[0] == 0
    return "m.json"


def explained(run, *arguments: str) -> list[Any]:
    status, out, err = run("explain", "m.json", *arguments, "--format", "json")
    assert (status, err) == (0, "")
    return [json.loads(line) for line in out.splitlines()]


def with_cells(relation: Relation, row: int, cells: dict[str, Any]) -> Relation:
    """Return a relation of one row of another, in which some cells have other values."""
    columns = []
    for attribute, whole in zip(relation.attributes, relation.columns, strict=True):
        column = whole[row : row + 1]
        if attribute.name in cells:
            value = cells[attribute.name]
            code = value if attribute.type == "numeric" else attribute.values.index(value)
            column = np.array([code], column.dtype)
        columns.append(column)
    return Relation(relation.name, relation.attributes, tuple(columns), np.ones(1))


@pytest.mark.parametrize(
    ("data", "pruning"), [(IRIS, "none"), (WEATHER, "none"), (NUMERIC, "none"), (IRIS, "refined")]
)
def test_a_change_put_into_the_data_is_predicted_as_told(run, data, pruning):
    trained(run, data, "--pruning", pruning)
    relation = read_arff(data)
    rows = explained(run, data)
    assert [row["row"] for row in rows] == list(range(1, len(rows) + 1))
    assert sum(len(row["changes"]) for row in rows) > len(rows) / 2
    for row in rows[:: max(1, len(rows) // 12)]:
        for change in row["changes"]:
            cells = {step["attribute"]: step["to"] for step in change["steps"]}
            changed = with_cells(relation, row["row"] - 1, cells)
            write_arff(changed, "changed.arff")
            (predicted,) = csv.DictReader(io.StringIO(run("predict", "m.json", "changed.arff")[1]))
            assert predicted["predicted"] == change["predicted"] != row["predicted"]


def test_rows_are_explained_alike_alone_and_together(run):
    trained(run, IRIS)
    together = run("explain", "m.json", IRIS, "--format", "json")[1].splitlines(keepends=True)
    assert len(together) == 150
    for row in (1, 75, 150):
        alone = run("explain", "m.json", IRIS, "--row", str(row), "--format", "json")
        assert alone == (0, together[row - 1], "")
    some = run("explain", "m.json", IRIS, "--row", "149-150", "--row", "3", "--row", "150",
               "--format", "json")[1]  # fmt: skip
    assert some == together[148] + together[149] + together[2]


def test_the_margin_is_the_lead_of_the_winner(run):
    trained(run, IRIS, "--pruning", "none")
    for row in explained(run, IRIS):
        others = [votes for label, votes in row["votes"].items() if label != row["predicted"]]
        assert row["margin"] == row["votes"][row["predicted"]] - max(others)
        assert (row["margin"] == 0) == (row["decided_by"] == "default")


def test_a_row_is_told_at_length(run, golden):
    trained(run, NUMERIC, "--pruning", "none")
    status, text, _ = run("explain", "m.json", NUMERIC, "--row", "14")
    assert status == 0
    assert run("explain", "m.json", NUMERIC, "--row", "14-14")[1] == text
    assert run("explain", "m.json", NUMERIC, "--row", "14", "--format", "markdown")[1] == (
        f"```\n{text}```\n"
    )
    golden("explain-row.txt", text)


@pytest.mark.parametrize(("form", "ending"), [("text", "txt"), ("markdown", "md")])
def test_all_rows_are_told_in_a_table(run, golden, form, ending):
    trained(run, NUMERIC, "--pruning", "none")
    golden(f"explain-table.{ending}", run("explain", "m.json", NUMERIC, "--format", form)[1])


def test_a_table_stays_within_80_columns_and_loses_nothing(run):
    data = str(DATA / "led24.arff")
    trained(run, data, "--pruning", "none")
    lines = run("explain", "m.json", data)[1].splitlines()
    assert max(map(len, lines)) <= 80
    told = " ".join(" ".join(lines[2:]).split())
    for row in explained(run, data, "--row", "1-20"):
        assert row["changes"][0]["steps"][0]["attribute"] in told
    assert sum(line[:3].strip().isdigit() for line in lines) == len(read_arff(data))


def test_missing_and_infinite_values_can_change_too(run):
    trained(run, NUMERIC, "--pruning", "none")
    Path("new.arff").write_text(UNKNOWN, encoding="utf-8")
    rows = explained(run, "new.arff")
    steps = [step for row in rows for change in row["changes"] for step in change["steps"]]
    assert None in [step["from"] for step in steps]
    assert "-Infinity" in [step["from"] for step in steps]
    text = run("explain", "m.json", "new.arff", "--row", "1")[1]
    assert "(now missing)" in text


def test_rules_that_cannot_be_judged_are_named_with_what_each_value_would_decide(run):
    trained(run, NUMERIC, "--pruning", "none")
    model = json.loads(Path("m.json").read_text(encoding="utf-8"))
    head = Path(NUMERIC).read_text(encoding="utf-8").partition("@data")[0]
    Path("new.arff").write_text(f"{head}@data\nrainy, 70, ?, FALSE, yes\n", encoding="utf-8")
    (row,) = explained(run, "new.arff")
    text = run("explain", "m.json", "new.arff", "--row", "1")[1]
    found = [k for k, rule in enumerate(model["rules"], 1)
             if "humidity" in {literal["attribute"] for literal in rule["if"]}]  # fmt: skip
    (unknown,) = row["unknown"]
    assert unknown["attribute"] == "humidity"
    assert set(unknown["rules"]) <= set(found)
    assert "humidity is missing: rule" in text
    for value in unknown["values"]:
        number = value["if"][0]["value"] + (-0.25 if value["if"][0]["is"] == "<=" else 0.25)
        Path("new.arff").write_text(
            f"{head}@data\nrainy, 70, {number}, FALSE, ?\n", encoding="utf-8"
        )
        assert (
            run("predict", "m.json", "new.arff")[1].splitlines()[1].split(",")[2]
            == value["predicted"]
        )
        assert f": {value['predicted']}\n" in text


def test_attributes_can_be_kept_from_changing(run):
    trained(run, IRIS)
    rows = explained(
        run, IRIS, "--fixed", "petal_width,sepal_width", "--increasing", "petal_length"
    )
    steps = [step for row in rows for change in row["changes"] for step in change["steps"]]
    assert steps
    assert {step["attribute"] for step in steps} == {"petal_length"}
    assert all(step["to"] > step["from"] for step in steps)
    for option, text, message in (
        ("--fixed", "petal", "expected an attribute of the model, got 'petal'"),
        ("--fixed", "", "--fixed: expected a name, got ''"),
    ):
        status, _, err = run("explain", "m.json", IRIS, option, text)
        assert status == 1
        assert message in err


def test_where_nothing_flips_the_decision_that_is_said(run):
    Path("one.arff").write_text(
        "@relation r\n@attribute x numeric\n@attribute c {a,b}\n@data\n1,a\n2,a\n", encoding="utf-8"
    )
    assert run("train", "one.arff", "--model", "m.json")[0] == 0
    text = run("explain", "m.json", "one.arff", "--row", "1")[1]
    assert text.endswith("No change of up to 3 attributes would change the decision.\n")
    assert explained(run, "one.arff", "--row", "1")[0]["changes"] == []
    assert run("explain", "m.json", "one.arff")[1].splitlines()[-1].split() == [
        "2", "a", "0", "none", "none",
    ]  # fmt: skip


def test_the_rows_of_a_rule_are_those_that_satisfy_it(run):
    trained(run, IRIS)
    rows = explained(run, IRIS, "--rule", "1")
    relation = read_arff(IRIS)
    names = [attribute.name for attribute in relation.attributes]
    holds = relation.columns[names.index("petal_width")] > 1.75
    assert [row["row"] for row in rows] == (np.flatnonzero(holds) + 1).tolist()
    labels = relation.attributes[-1].values
    assert [row["actual"] for row in rows] == [labels[j] for j in relation.columns[-1][holds]]
    every = {row["row"]: row for row in explained(run, IRIS)}
    for row in rows:
        assert 1 in row["rules"]
        assert row["rules"] == [told["rule"] for told in every[row["row"]]["rules"]]
        assert row["predicted"] == every[row["row"]]["predicted"]


def test_the_rows_of_a_rule_are_summed_up_before_they_are_listed(run):
    trained(run, IRIS)
    status, out, err = run("explain", "m.json", IRIS, "--rule", "2", "--row", "49-72")
    lines = out.splitlines()
    assert (status, err) == (0, "")
    assert lines[0] == "Rule 2: petal_length > 2.45: versicolor +2"
    assert lines[2] == "It holds on 22 of 24 rows (91.7 %): versicolor 22; 1 row decided wrongly."
    assert lines[4].split() == ["row", "actual", "decision", "rules", "that", "hold"]
    assert [line.split() for line in lines if "wrong" in line][1:] == [
        ["71", "versicolor", "virginica", "wrong", "1,", "2"]
    ]
    table = run("explain", "m.json", IRIS, "--rule", "2", "--format", "markdown")[1]
    rows = [line for line in table.splitlines() if line.startswith("|")]
    assert len(rows) == 102
    assert {line.count("|") for line in rows} == {6}


def test_a_rule_may_hold_nowhere_and_data_may_have_no_class(run):
    trained(run, NUMERIC, "--pruning", "none")
    Path("new.arff").write_text(UNKNOWN, encoding="utf-8")
    n_rules = len(json.loads(Path("m.json").read_text(encoding="utf-8"))["rules"])
    for k in range(1, n_rules + 1):
        status, out, _ = run("explain", "m.json", "new.arff", "--rule", str(k))
        assert status == 0
        assert "of 4 rows" in out
        assert "decided wrongly" not in out
        assert {row["actual"] for row in explained(run, "new.arff", "--rule", str(k))} <= {None}


def test_a_rule_that_is_not_there_is_refused(run):
    trained(run, IRIS)
    status, out, err = run("explain", "m.json", IRIS, "--rule", "3")
    assert (status, out) == (1, "")
    assert err == "widc-arff: m.json: expected a rule from 1 to 2, got rule 3\n"
    assert run("explain", "m.json", IRIS, "--rule", "0")[0] == 2


def test_rows_of_a_rule_for_label_sets(run):
    rows = [f"{i % 2},{i // 2 % 2},{i % 2},{i % 7}\n" for i in range(40)]
    head = "@relation 'm: -C 2'\n@attribute a {0,1}\n@attribute b {0,1}\n"
    head += "@attribute p numeric\n@attribute q numeric\n@data\n"
    Path("m.arff").write_text(head + "".join(rows), encoding="utf-8")
    trained(run, "m.arff")
    status, out, _ = run("explain", "m.json", "m.arff", "--rule", "1")
    assert status == 0
    assert "10 rows with exactly the labels decided" in " ".join(out.split())
    for row in explained(run, "m.arff", "--rule", "1"):
        assert set(row["actual"]) <= {"a", "b"}


def test_classes_that_share_the_largest_sum_are_listed(run):
    head = "@relation r\n@attribute x {0,1}\n@attribute c {a,b,d,e}\n@data\n"
    Path("t.arff").write_text(head + "0,a\n0,b\n0,d\n1,a\n1,e\n", encoding="utf-8")
    Path("r.txt").write_text("if x = 1 then not b\n", encoding="utf-8")
    trained(run, "t.arff", "--rules", "r.txt")
    out = run("explain", "m.json", "t.arff", "--row", "1")[1]
    assert "All classes have the same points; a wins ties." in out
    out = run("explain", "m.json", "t.arff", "--row", "5")[1]
    assert out.startswith("Row 5: a (probability ")
    assert ", wrong: it is e\n" in out
    assert "a, d and e have the most points; a wins ties." in out


def test_a_change_of_label_sets_says_which_labels_come_and_go(run):
    Path("days.arff").write_text(DAYS, encoding="utf-8")
    names = "sail,run,read"
    assert run("train", "days.arff", "--labels", names, "--model", "m.json")[0] == 0
    relation = read_arff("days.arff")
    seen = 0
    for row in explained(run, "days.arff"):
        text = run("explain", "m.json", "days.arff", "--row", str(row["row"]))[1]
        for change in row["changes"]:
            cells = {step["attribute"]: step["to"] for step in change["steps"]}
            write_arff(with_cells(relation, row["row"] - 1, cells), "changed.arff")
            (other,) = explained(run, "changed.arff")
            assert set(other["predicted"]) == set(change["predicted"]) != set(row["predicted"])
            more = [label for label in change["predicted"] if label not in row["predicted"]]
            less = [label for label in row["predicted"] if label not in change["predicted"]]
            parts = [f"{word} {', '.join(labels)}"
                     for word, labels in (("also", more), ("not", less)) if labels]  # fmt: skip
            assert f": {'; '.join(parts)}\n" in text
            seen += 1
    assert seen > 2
