"""``update``: a model fitted to new rows, with or without the old ones."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tests.label_set_cases import DAYS
from widc_arff import read_committee


def people(limit: int, seed: int) -> str:
    """Return rows where those above an age are ill, in a column that is told apart by seed."""
    rng = random.Random(seed)
    lines = ["name,age,smokes,ill"]
    for i in range(120):
        age, smokes = rng.randrange(20, 80), rng.choice(["yes", "no"])
        ill = "yes" if age > limit or (smokes == "yes" and age > limit - 10) else "no"
        lines.append(f"n{i},{age},{smokes},{ill}")
    return "\n".join(lines) + "\n"


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    Path("old.csv").write_text(people(50, 1), encoding="utf-8")
    Path("new.csv").write_text(people(40, 2), encoding="utf-8")
    assert run("train", "old.csv", "--ignore", "name", "--model", "model.json")[0] == 0


def test_a_model_follows_its_rows_and_says_each_change(run):
    status, out, err = run("update", "model.json", "new.csv", "-o", "next.json")
    assert (status, "warning" in err) == (0, False)
    old, new = read_committee("model.json"), read_committee("next.json")
    assert new.training.examples == 120
    assert new.training.error < 0.02
    assert set(new.history) <= {" ".join(line.split()) for line in items(out)}
    assert len(new.history) > 1
    assert f"training error {100 * new.training.error:.1f} %" in " ".join(out.split())
    assert [a.name for a in new.schema.attributes] == [a.name for a in old.schema.attributes]
    assert new.schema.labels == old.schema.labels


def items(out: str) -> list[str]:
    """Return the items of the lists of a report, their lines put together."""
    found: list[str] = []
    for line in out.splitlines():
        if line.startswith("- "):
            found.append(line[2:])
        elif line.startswith("  ") and found:
            found[-1] += f" {line.strip()}"
        elif found:
            break
    return found


def test_old_rows_count_as_they_weigh(run):
    alone = json.loads(run("update", "model.json", "new.csv", "-o", "-")[1])
    for weight, examples, total in (("0", 120, 120), ("1", 240, 240), ("0.5", 240, 180)):
        line = ["update", "model.json", "new.csv", "old.csv", "--weight-old", weight, "-o", "-"]
        found = json.loads(run(*line)[1])
        assert found["training"]["examples"] == examples
        assert sum(found["training"]["weights"]) == total
        if weight == "0":
            assert found["rules"] == alone["rules"]


def test_a_locked_rule_stays(run):
    rule = "locked 'sworn by' if age > 75 then no"
    assert run("edit", "model.json", "--add", rule, "-o", "locked.json")[0] == 0
    _, out, err = run("update", "locked.json", "new.csv", "-o", "next.json")
    assert "was changed without data" in err
    (kept,) = [rule for rule in read_committee("next.json").rules if rule.locked]
    assert kept.name == "sworn by"
    assert "is locked" in out


def test_values_that_no_new_row_has_are_known_from_the_rules(run):
    rule = "if smokes = no then no"
    assert run("edit", "model.json", "old.csv", "--add", rule, "-o", "more.json", "-q")[0] == 0
    text = "".join(line for line in people(40, 2).splitlines(keepends=True) if ",no," not in line)
    Path("smokers.csv").write_text(text, encoding="utf-8")
    status, out, _ = run("update", "more.json", "smokers.csv", "-q")
    assert status == 0
    assert "smokes = no" in out.partition("Decision committee")[0]
    assert "smokes" not in out.partition("Decision committee")[2]


def test_label_sets_are_updated_too(run):
    rows = "\n".join(DAYS.splitlines()[7:-1] * 12)
    head = "\n".join(DAYS.splitlines()[:7])
    Path("days.arff").write_text(f"{head}\n{rows}\n", encoding="utf-8")
    run("train", "days.arff", "--labels", "sail,run,read", "--model", "days.json")
    status, out, _ = run("update", "days.json", "days.arff", "-o", "next.json")
    assert status == 0
    assert "No rule is different." in out
    before, after = read_committee("days.json"), read_committee("next.json")
    assert (after.rules, after.threshold) == (before.rules, before.threshold)


@pytest.mark.parametrize(
    ("line", "status", "told"),
    [
        ("model.json new.csv --weight-old 0.5", 2, "--weight-old: expected OLD.arff with it"),
        (
            "model.json new.csv old.csv --weight-old nan",
            2,
            "--weight-old: expected 0 or from 1e-90",
        ),
        ("model.json new.csv old.csv --weight-old -1", 2, "--weight-old: expected 0 or from 1e-90"),
        ("model.json none.csv", 1, "none.csv: expected at least one row to learn from, got none"),
        ("model.json short.csv", 1, "expected an attribute of the data, got 'age'"),
        ("model.json other.csv", 1, "other.csv: class attribute: expected the name"),
        ("new.csv model.json", 1, "the model comes first, then the data: widc-arff update"),
    ],
)
def test_what_cannot_be_is_said(run, line, status, told):
    Path("short.csv").write_text("smokes,ill\nyes,no\nno,yes\n", encoding="utf-8")
    Path("other.csv").write_text("age,smokes\n3,no\n4,yes\n", encoding="utf-8")
    Path("none.csv").write_text("age,smokes,ill\n", encoding="utf-8")
    found, out, err = run("update", *line.split())
    assert (found, out) == (status, "")
    assert told in err


def test_a_name_goes_where_conditions_go_that_it_was_for(run):
    rows = [
        f"{age},{smokes},{'yes' if age > 60 else 'no'}" for age in range(20, 80) for smokes in "yn"
    ]
    Path("age.csv").write_text("age,smokes,ill\n" + "\n".join(rows), encoding="utf-8")
    some = (
        "'old smokers' if age > 60 and smokes = y then yes\nif age > 60 and smokes = n then yes\n"
    )
    run("train", "age.csv", "--model", "age.json")
    for rules, name in ((some, ""), ("'old' if age > 60 then yes\n", "old")):
        Path("rules.txt").write_text(rules, encoding="utf-8")
        assert run("edit", "age.json", "age.csv", "--rules", "rules.txt", "-o", "old.json")[0] == 0
        _, out, _ = run("update", "old.json", "age.csv", "-o", "next.json")
        (rule,) = read_committee("next.json").rules
        assert (len(rule.monomial), rule.name) == (1, name)
        assert ("Rule 1 is called nothing any more." in out) == (name == "")
