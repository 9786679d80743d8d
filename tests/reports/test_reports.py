"""What people read: golden texts, and lines that stay within 80 columns."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest

from widc_arff import (
    Attribute,
    Change,
    Dataset,
    DecisionCommittee,
    Literal,
    Options,
    Rule,
    Step,
    induce,
    read_arff,
)
from widc_arff.data.schema import Labels, Schema
from widc_arff.evaluation.cross_validation import Folding, cross_validate
from widc_arff.model.rules import TrainingSummary
from widc_arff.reports.blocks import in_form
from widc_arff.reports.committees import committee_in_form
from widc_arff.reports.evaluations import (
    evaluation_report,
    evaluations_report,
)
from widc_arff.reports.explanations import Explanations
from widc_arff.reports.formatting import change_in_words, conditions, shown
from widc_arff.reports.kinds import kind_of
from widc_arff.reports.text import committee_text

ROOT = Path(__file__).parents[2]
SCHEMA = Schema(
    "r",
    (
        Attribute("colour", "nominal", ("red", "green", "dark blue", "it's")),
        Attribute("size", "numeric"),
        Attribute("seen", "date", format="yyyy-MM-dd"),
    ),
    Labels("single", ("class",), ("no", "yes")),
)
DAY_MS = 86400000.0


def data(name: str) -> Dataset:
    return Dataset.from_relation(read_arff(ROOT / "arff_data" / f"{name}.arff"))


def many_classes(n_classes: int, label: str = "class number {}") -> DecisionCommittee:
    rng = random.Random(0)
    labels = Labels("single", ("kind",), tuple(label.format(j) for j in range(n_classes)))
    rules = tuple(
        Rule(
            (Literal(0, "!=", k % 4), Literal(1, ">", k / 3), Literal(1, "<=", k + 1.0)),
            tuple(rng.choice((-1, 0, 1)) for _ in range(n_classes)),
            tuple(float(rng.randrange(9)) for _ in range(n_classes)),
        )
        for k in range(3)
    )
    weights = tuple(float(j + 1) for j in range(n_classes))
    share = tuple(w / sum(weights) for w in weights)
    summary = TrainingSummary(int(sum(weights)), weights, 0.25, {}, "0")
    return DecisionCommittee(Schema("r", SCHEMA.attributes, labels), rules, share, summary)


@pytest.mark.parametrize("name", ["xd6", "iris", "tic-tac-toe"])
def test_the_printed_committee_is_the_golden_one(golden, name):
    golden(f"committee-{name}.txt", committee_text(induce(data(name))))


def test_the_markdown_committee_is_the_golden_one(golden):
    golden("committee-iris.md", committee_in_form(induce(data("iris")), "markdown"))


def test_many_classes_are_listed_by_label(golden):
    golden("committee-26-classes.txt", committee_text(many_classes(26)))


def test_explanations_are_the_golden_ones(golden):
    dataset = data("iris")
    committee = induce(dataset)
    rows = np.array([0, 70, 110, 149])
    explained = Explanations(committee, dataset.take(rows), rows + 1, 10)
    golden("explanations-iris.txt", "\n".join(explained.texts()))


def test_evaluations_are_the_golden_ones(golden):
    names = ("weather-nominal", "iris", "led7")
    results = [cross_validate(data(n), Options(), Folding(5), source=f"{n}.arff") for n in names]
    golden("evaluation-led7.txt", in_form(evaluation_report(results[2]), "text"))
    golden("evaluations.txt", in_form(evaluations_report(results), "text"))
    golden("evaluations.md", in_form(evaluations_report(results), "markdown"))


@pytest.mark.parametrize("text", ["x <= 3", "> 5", "North and South", "and", "a != b", "a,b", " x"])
def test_a_text_that_reads_as_a_condition_is_quoted(text):
    assert shown(text) == f"'{text}'"


@pytest.mark.parametrize("text", ["dark blue", ">50K", "a<b", "sandy", "candy land", "30-44"])
def test_a_text_that_is_clear_is_not_quoted(text):
    assert shown(text) == text


def test_a_format_of_dates_cannot_command_a_terminal():
    seen = Attribute("seen", "date", format="'\x1b[31m'yyyy")
    schema = Schema("r", (seen,), Labels("single", ("class",), ("a", "b")))
    assert conditions((Literal(0, "<=", 0.0),), schema) == ["seen <= \\x1b[31m1970"]


@pytest.mark.parametrize(
    ("literals", "text"),
    [
        ([Literal(1, "<=", 5.0), Literal(1, "<=", 3.0)], "size <= 3"),
        ([Literal(1, ">", 1.0), Literal(1, "<=", 3.0), Literal(1, ">", 2.0)], "2 < size <= 3"),
        ([Literal(1, ">", 1 / 3)], "size > 0.3333333333333333"),
        ([Literal(1, "<=", 12345678.0)], "size <= 12345678"),
        ([Literal(0, "=", 2)], "colour = dark blue"),
        ([Literal(0, "=", 3)], 'colour = "it\'s"'),
        ([Literal(0, "!=", 0), Literal(0, "!=", 1)], "colour not in {red, green}"),
        ([Literal(0, "!=", 0), Literal(0, "=", 1)], "colour = green"),
        ([Literal(2, "<=", 3 * DAY_MS)], "seen <= 1970-01-04"),
        ([Literal(2, ">", 3.5 * DAY_MS)], "seen > 1970-01-04T12:00:00"),
        ([Literal(2, ">", 1.5)], "seen > 1970-01-01T00:00:00.001"),  # values are whole
        ([Literal(2, ">", 0.5), Literal(2, "<=", DAY_MS)], "1970-01-01 < seen <= 1970-01-02"),
        ([Literal(0, "=", 0), Literal(1, ">", 1.0)], "colour = red and size > 1"),
    ],
)
def test_literals_of_one_attribute_are_merged(literals, text):
    assert " and ".join(conditions(tuple(literals), SCHEMA)) == text


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ((0, 0, 2, "=", 2), "colour = dark blue (now red)"),
        ((0, None, 2, "=", 2), "colour = dark blue (now missing)"),
        ((1, 1.5, 3.0, ">", 3.0), "size above 3 (now 1.5)"),
        ((1, 5.0, 3.0, "<=", 3.0), "size at most 3 (now 5)"),
        ((1, None, 3.0, "<=", 3.0), "size at most 3 (now missing)"),
        ((1, 1.5, 2.5, ">", 2.0, "<=", 3.0), "size above 2, at most 3 (now 1.5)"),
        ((1, 5.0, 3.0, ">", 2.0, "<=", 3.0), "size at most 3, above 2 (now 5)"),
        ((1, 1.0000001, 1.0, "<=", 1.0), "size at most 1 (now 1.0000001)"),
        ((2, 3.0 * DAY_MS, DAY_MS, "<=", DAY_MS), "seen at most 1970-01-02 (now 1970-01-04)"),
    ],
)
def test_changes_are_told_from_where_they_enter(change, text):
    attribute, before, after, *ends = change
    region = tuple(Literal(attribute, *ends[i : i + 2]) for i in range(0, len(ends), 2))
    told = Change((Step(attribute, before, after, region, 1.0),), 0)
    names = ("small", "large")
    assert change_in_words(told, SCHEMA, names, 1) == f"{text}: small"
    bare = change_in_words(told, SCHEMA, names, 1, present=False)
    assert bare == f"{text[: text.index(' (now')]}: small"
    twice = Change(told.steps * 2, 0)
    assert change_in_words(twice, SCHEMA, names, 1) == f"{text} and {text}: small"


@pytest.mark.parametrize("n_classes", [2, 3, 5, 8, 26, 60])
@pytest.mark.parametrize("label", ["c{}", "class number {}"])
def test_committees_stay_within_80_columns(n_classes, label):
    text = committee_text(many_classes(n_classes, label))
    assert max(map(len, text.splitlines())) <= 80


def test_long_lists_of_labels_are_wrapped_and_longer_ones_shortened():
    text = text_without(20)
    assert max(map(len, text.splitlines())) <= 80
    assert all(f"value{i}" in text for i in range(20))
    text = text_without(30)
    assert "value11," in text
    assert "and 18 more}" in " ".join(text.split())


def text_without(n_labels):
    values = tuple(f"value{i}" for i in range(40))
    schema = Schema("r", (Attribute("a", "nominal", values),), SCHEMA.labels)
    rule = Rule(tuple(Literal(0, "!=", i) for i in range(n_labels)), (-1, 1), (1.0, 2.0))
    summary = TrainingSummary(3, (1.0, 2.0), 0.0, {}, "0")
    return committee_text(DecisionCommittee(schema, (rule,), (0.5, 0.5), summary))


def test_a_committee_without_rules_prints():
    summary = TrainingSummary(3, (1.0, 2.0), 1 / 3, {}, "0")
    committee = DecisionCommittee(SCHEMA, (), (1 / 3, 2 / 3), summary)
    assert "0 rules" in committee_text(committee)
    assert "0 rules" in committee_in_form(committee, "markdown")
    dataset = Dataset(
        SCHEMA, (np.array([0]), np.ones(1), np.ones(1)), np.zeros((1, 2), bool), np.ones(1)
    )
    explained = kind_of(committee).explained(1, committee.explain(dataset, 0), None, None)
    assert "yes" in next(explained)


@pytest.mark.parametrize("name", ["xd6", "tic-tac-toe", "iris"])
def test_rules_have_their_numbers_in_text_markdown_and_latex(name):
    committee = induce(data(name))
    numbers = [str(k) for k in range(1, len(committee.rules) + 1)]
    lines = committee_text(committee, "rule").splitlines()
    assert [line.split()[0] for line in lines if re.match(r" *[0-9]+  ", line)] == numbers
    lines = committee_text(committee).splitlines()
    found = [line.split()[1] for line in lines if re.match(r"  \+[12] ", line)]
    assert sorted(found, key=int) == numbers
    rows = committee_in_form(committee, "markdown", "rule").splitlines()
    rows = [line for line in rows if line.startswith("| ")]
    table = [row.split("|")[1].strip() for row in rows]
    assert [cell for cell in table if cell.isdigit()] == numbers
    cells = re.findall(r"^([0-9]+) & ", committee_in_form(committee, "latex", "rule"), re.MULTILINE)
    assert cells == numbers


def test_values_are_listed_in_the_order_of_their_declaration():
    literals = [Literal(0, "!=", 2), Literal(0, "!=", 0)]
    assert conditions(tuple(literals), SCHEMA) == ["colour not in {red, dark blue}"]


@pytest.mark.parametrize("weight", [0.125, 1e3 + 0.1, 402689e5 + 0.1, 1e90])
def test_columns_stay_two_blanks_apart_however_wide_their_numbers(weight):
    rule = Rule((Literal(1, ">", 2.0),), (1, -1), (weight, 0.0), decides=weight)
    training = TrainingSummary(9, (weight, weight), 0.0, {}, "1")
    committee = DecisionCommittee(SCHEMA, (rule, rule), (0.5, 0.5), training)
    lines = committee_text(committee).splitlines()
    head, *rows = lines[2], *lines[5:7]
    assert re.split(r" {2,}", head) == ["points", "rule", "right on", "in all", "decides"]
    for k, row in enumerate(rows, start=1):
        _, points, number, rule_text, right, share, in_all, decides = re.split(r" {2,}", row)
        cells = [points, number, rule_text, share, in_all]
        assert cells == ["+2", str(k), "size > 2", "100 %", "50 %"]
        for figure in (*right.split(" of "), decides):
            assert float(figure) == pytest.approx(weight, rel=1e-5)
        assert len(row) == len(head) == len(lines[3]) == 80


@pytest.mark.parametrize("cost", [1.0, 1e12, 1e90])
def test_columns_of_evaluations_stay_apart_and_flush_however_wide_they_are(cost):
    options = Options(costs=((0.0, cost, cost), (cost, 0.0, cost), (1.0, cost, 0.0)))
    found = cross_validate(data("iris"), options, Folding(3), source="iris")
    lines = in_form(evaluations_report([found, found]), "text").splitlines()[2:]
    assert len({len(line) for line in lines}) == 1
    assert len(re.split(r" {2,}", lines[0])) == len(re.split(r" {2,}", lines[1])) == 7
