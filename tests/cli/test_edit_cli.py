"""``edit``, ``diff`` and ``show --format rules``; nothing that a changed model says is stale."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.label_set_cases import DAYS
from widc_arff import DecisionCommittee, read_committee, read_dataset, write_committee
from widc_arff.induction.refitting import refitted
from widc_arff.model.rules import Calibration

ROOT = Path(__file__).parents[2]
IRIS = str(ROOT / "arff_data" / "iris.arff")
# Figures that stand nowhere by chance, and every form in which they are printed.
MARKED = (0.51273, 0.36481, 0.12246)
OF_COMMITTEE = ("7391", "73.9", "74 %", "6283", "62.8", "63 %", "61728394", "0.8765")
COVERS = (84327193.0, 42169731.0, 13190537.0)
OF_RULE = ("84327193", "42169731", "13190537")


@pytest.fixture(autouse=True)
def _model(tmp_path, monkeypatch, run):
    """A model whose figures are marked: error, ties, default vector, probabilities, covers."""
    monkeypatch.chdir(tmp_path)
    assert run("train", IRIS, "--model", "iris.json")[0] == 0
    committee = read_committee("iris.json")
    first, second = committee.rules
    training = replace(committee.training, error=0.739172, ties=0.628314)
    marked = replace(
        committee,
        rules=(replace(first, covers=COVERS, decides=61728394.0), second),
        default=MARKED,
        seen={**committee.seen, 3: (0.1, 1.74321, 1.8, 2.5)},
        training=replace(training, examples=150, weights=(50.0, 50.0, 50.0)),
        calibration=Calibration(0.8765, (1.0, 1.0, 1.0), MARKED),
    )
    write_committee(marked, "marked.json")


def everything(run, model, data=IRIS, languages=("python", "sql", "java", "pmml", "pmml-rules")):
    """Return all that is made of a model, by what makes it."""
    told = {
        f"show {form} {layout}": run("show", model, "--format", form, "--layout", layout)
        for form in ("text", "json", "markdown", "html", "latex")
        for layout in ("class", "rule")
    }
    for form in ("text", "json", "markdown"):
        told[f"explain {form}"] = run("explain", model, data, "--row", "71", "--format", form)
        told[f"explain all {form}"] = run("explain", model, data, "--format", form)
        if form != "json":
            told[f"card {form}"] = run("card", model, "--format", form)
    for language in languages:
        told[f"export {language}"] = run("export", model, "--to", language)
    told["report"] = run("report", model, data, "-o", "-")
    told["predict"] = run("predict", model, data)
    assert {status for status, _, _ in told.values()} == {0}
    return {name: out for name, (_, out, _) in told.items()}


CHANGES = {
    "remove": ("--remove", "2"),
    "add": ("--add", "if petal_width > 2 then virginica"),
    "votes": ("--change", "2", "then setosa"),
    "conditions": ("--change", "2", "if petal_length > 4"),
    "cut": ("--cut", "2", "petal_length > 3"),
    "round": ("--round", "1"),
    "first rule": ("--cut", "1", "petal_width = 1.5"),
    "literal": ("--change", "1", "if petal_width > 1.75 and petal_length > 2.45"),
}
CONDITIONS_OF_FIRST = ("round", "first rule", "literal")


@pytest.mark.parametrize("case", CHANGES)
def test_without_data_nothing_says_what_is_no_longer_true(run, case):
    before = everything(run, "marked.json")
    assert all(any(mark in text for text in before.values()) for mark in OF_COMMITTEE[::3])
    status, out, _ = run("edit", "marked.json", *CHANGES[case], "-o", "changed.json")
    assert status == 0
    assert "? is unknown" in " ".join(out.split())
    stale = [*OF_COMMITTEE, "51273", "36481", "12246"]
    stale += OF_RULE if case in CONDITIONS_OF_FIRST else ()
    stale += ["1.74321"] if case in ("round", "first rule") else []
    for name, text in everything(run, "changed.json").items():
        found = [mark for mark in stale if mark in text]
        assert not found, (name, found)
        assert name.startswith("export") or not re.search(r"\bnan\b", text), name
        assert (
            not name.endswith("json") or not name.startswith("explain") or '"fitted": false' in text
        )
    unchanged = case not in CONDITIONS_OF_FIRST
    assert (read_committee("changed.json").rules[0].covers[0] == 84327193) == unchanged


@pytest.mark.parametrize("case", CHANGES)
def test_with_data_all_figures_are_those_of_the_data(run, case):
    assert run("edit", "marked.json", IRIS, *CHANGES[case], "-o", "changed.json")[0] == 0
    changed = read_committee("changed.json")
    rows = read_dataset(IRIS)
    assert changed.is_fitted
    assert changed.training.error == (changed.predict_codes(rows) != rows.classes).mean()
    fires = changed.fires(rows)
    for rule, holds in zip(changed.rules, fires.T, strict=True):
        assert list(rule.covers) == rows.Y[holds].sum(axis=0).tolist()
    assert refitted(changed, rows) == changed
    stale = ("51273", "36481", "1.74321")
    for name, text in everything(run, "changed.json").items():
        found = [mark for mark in (*OF_COMMITTEE, *OF_RULE, *stale) if mark in text]
        assert not found, (name, found)


@pytest.mark.parametrize("with_data", [False, True])
def test_of_label_sets_nothing_says_what_is_no_longer_true(run, with_data):
    head, rows = DAYS.split("@data\n")
    rows = "\n".join(rows.splitlines()[:-1] * 12)
    Path("days.arff").write_text(f"{head}@data\n{rows}\n", encoding="utf-8")
    run("train", "days.arff", "--labels", "sail,run,read", "--model", "days.json")
    days = read_committee("days.json")
    first, *others = days.rules
    first = replace(first, covers=COVERS, weight=95741236.0, decides=61728394.0)
    training = replace(days.training, error=0.739172, ties=0.628314)
    write_committee(replace(days, rules=(first, *others), training=training), "days.json")
    before = everything(run, "days.json", "days.arff", ("python", "sql", "java"))
    stale = ["7391", "62.8", "628314", "61728394", *OF_RULE, "95741236"]
    assert all(any(mark in text for text in before.values()) for mark in stale)
    data = ["days.arff"] if with_data else []
    line = ["--change", "1", "if wind > 5", "-o", "changed.json"]
    assert run("edit", "days.json", *data, *line)[0] == 0
    after = everything(run, "changed.json", "days.arff", ("python", "sql", "java"))
    for name, text in after.items():
        assert not [mark for mark in stale if mark in text], name
        assert name.startswith("export") or not re.search(r"\bnan\b", text), name


def test_names_alone_leave_figures_and_are_read_everywhere_but_in_data(run):
    line = ["--name-attribute", "petal_width", "breadth", "--name-label", "virginica", "blue flag"]
    line += ["--name-attribute", "class", "species", "--name-rule", "1", "wide ones", "--lock", "1"]
    assert run("edit", "iris.json", *line, "-o", "named.json")[0] == 0
    named, iris = read_committee("named.json"), read_committee("iris.json")
    assert (named.training, named.calibration) == (iris.training, iris.calibration)
    for name, text in everything(run, "named.json").items():
        words = " ".join(text.split())
        is_of_data = name.startswith(("export", "predict")) or "json" in name
        assert ("breadth" in words) != is_of_data or "json" in name
        unnamed = ("predict", "explain json", "explain all", "export pmml")
        if not name.startswith(unnamed):
            assert "wide ones" in words, name
        if not is_of_data:
            words = words.partition("Changes since the training")[0]
            assert "petal_width" not in words, name
            assert "virginica" not in words, name
    assert run("predict", "named.json", IRIS) == run("predict", "iris.json", IRIS)
    assert run("evaluate", "named.json", IRIS)[1].count("blue flag") > 1


def test_the_rules_file_goes_round(run):
    status, out, _ = run("show", "marked.json", "--format", "rules")
    assert status == 0
    Path("rules.txt").write_text(out, encoding="utf-8")
    _, out, _ = run("edit", "marked.json", "--rules", "rules.txt", "-o", "same.json")
    assert "Nothing is different." in out
    assert Path("same.json").read_bytes() == Path("marked.json").read_bytes()
    assert run("train", IRIS, "--rules", "rules.txt", "--max-rules", "2")[0] == 0


def test_the_history_tells_every_change_and_the_next_ones(run):
    run("edit", "iris.json", "--remove", "1", "-o", "one.json")
    run("edit", "one.json", IRIS, "--cut", "1", "petal_length > 3", "-o", "two.json")
    history = json.loads(Path("two.json").read_text(encoding="utf-8"))["history"]
    errors = "training error 34.0 % (before the changes 33.3 %)"
    order = "setosa, versicolor, virginica (before setosa, virginica, versicolor)"
    assert history == [
        "Rule 1 is gone: petal_width > 1.75: virginica +2.",
        "Rule 1 changed: petal_length > 2.45 became petal_length > 3.",
        f"Ties are won in another order: {order}.",
        f"Figures are those of iris.arff, 150 rows: {errors}.",
    ]


def test_rules_on_attributes_known_by_name_alone_need_data(run):
    line = ["--add", "if sepal_length > 7 then virginica"]
    status, _, err = run("edit", "iris.json", *line)
    assert status == 2
    assert "DATA, which define 'sepal_length'" in err
    status, out, _ = run("edit", "iris.json", IRIS, *line, "-o", "more.json")
    assert status == 0
    assert "New rule 3: sepal_length > 7: virginica +1." in out
    assert read_committee("more.json").rules[2].covered == 12


def test_votes_that_are_not_told_are_learned_from_the_data(run):
    line = ["--add", "'small' if petal_length <= 2.45"]
    status, _, err = run("edit", "iris.json", *line)
    assert status == 2
    assert "expected votes behind then" in err
    assert run("edit", "iris.json", IRIS, *line, "-o", "more.json")[0] == 0
    added = read_committee("more.json").rules[2]
    assert added.name == "small"
    assert added.votes[0] > max(added.votes[1:])  # setosa, in all rows that it covers
    Path("rules.txt").write_text("if petal_length <= 2.45\n", encoding="utf-8")
    assert run("edit", "iris.json", IRIS, "--rules", "rules.txt", "-o", "one.json")[0] == 0
    assert read_committee("one.json").rules[0].votes == added.votes


def test_rows_weigh_what_a_column_says(run):
    head, rows = Path(IRIS).read_text(encoding="utf-8").split("@data\n")
    rows = "".join(f"{row},3\n" for row in rows.split())
    head += "@attribute n numeric\n@data\n"
    Path("heavy.arff").write_text(head + rows, encoding="utf-8")
    line = ["heavy.arff", "--weights", "n"]
    assert run("edit", "iris.json", *line, "-o", "heavy.json")[0] == 0
    assert read_committee("heavy.json").training.weights == (150, 150, 150)
    assert "| setosa | 150 |" in run("card", "heavy.json", *line)[1]
    run("edit", "iris.json", "--remove", "1", "-o", "one.json")
    told = " ".join(run("diff", "iris.json", "one.json", *line)[1].split())
    assert "virginica, now versicolor 138 3 135" in told


def test_odd_rules_are_warned_of(run):
    line = ["--change", "1", "if petal_width > 9", "--add", "if petal_length > 2.45 then setosa"]
    _, _, err = run("edit", "iris.json", IRIS, *line)
    assert "no row satisfies rule 1" in err
    assert "rules 2 and 3 have the same conditions" in err


def test_whoever_uses_a_model_changed_without_data_is_warned(run):
    run("edit", "iris.json", "--remove", "1", "-o", "one.json")
    lines = [[name, "one.json", IRIS] for name in ("predict", "evaluate", "explain")]
    for line in (*lines, ["export", "one.json", "--to", "sql"]):
        assert "its probabilities are not fitted; widc-arff edit one.json" in run(*line)[2]
        assert "not fitted" not in run(line[0], "iris.json", *line[2:])[2]


def test_a_model_on_standard_output_is_a_model(run):
    status, out, _ = run("edit", "iris.json", "--remove", "1", "-o", "-")
    assert status == 0
    assert len(DecisionCommittee.from_json(out).rules) == 1


def test_no_model_is_written_where_something_is_wrong(run):
    line = ["edit", "iris.json", "--remove", "3", "-o", "bad.json"]
    status, out, err = run(*line)
    assert (status, out) == (2, "")
    assert "expected a rule from 1 to 2" in err
    assert not Path("bad.json").exists()


def test_data_without_rows_are_named(run):
    head = Path(IRIS).read_text(encoding="utf-8").split("@data\n")[0]
    Path("none.arff").write_text(f"{head}@data\n", encoding="utf-8")
    status, out, err = run("edit", "iris.json", "none.arff", "--round", "1", "-o", "x.json")
    assert (status, out, Path("x.json").exists()) == (1, "", False)
    assert "none.arff: expected at least one row to learn from" in err


@pytest.mark.parametrize("form", ["text", "markdown", "html", "json"])
def test_two_models_are_compared(run, form):
    run("edit", "iris.json", "--remove", "1", "-o", "one.json")
    status, out, _ = run("diff", "iris.json", "one.json", IRIS, "--format", form)
    assert status == 0
    if form == "json":
        data = json.loads(out)
        assert [rule["fate"] for rule in data["rules"]] == ["gone", "kept"]
        changed = [row["row"] for row in data["decided_differently"]]
        rows = read_dataset(IRIS)
        one, other = (read_committee(m).predict_codes(rows) for m in ("iris.json", "one.json"))
        assert changed == ((one != other).nonzero()[0] + 1).tolist()
    else:
        words = " ".join(out.replace("<wbr>", "").split())
        assert "Rule 1 is gone" in words
        assert "rows of 150 decided differently" in words


@pytest.mark.parametrize("command", ["edit", "update"])
def test_changes_are_printed_as_json_and_markdown(run, command):
    line = [command, "iris.json", IRIS, *(["--remove", "1"] if command == "edit" else [])]
    status, out, _ = run(*line, "--format", "json", "-o", "changed.json")
    assert status == 0
    printed = json.loads(out)
    changed = read_committee("changed.json")
    assert printed == {"changes": list(changed.history), "model": json.loads(changed.to_json())}
    assert printed["changes"][-1].startswith("Figures are those of iris.arff, 150 rows")
    status, out, _ = run(*line, "--format", "markdown")
    assert "- Figures are those of iris.arff" in out
    assert run("show", "changed.json", "--format", "markdown")[1] in out
