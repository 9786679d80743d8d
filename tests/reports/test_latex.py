"""Committees as LaTeX: rows of equal length, and nothing of the user's that is a command."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.label_set_cases import DAYS
from tests.report_cases import COMMITTEE
from tests.reports.test_reports import many_classes
from widc_arff import Attribute
from widc_arff.data.schema import Labels
from widc_arff.model.model_file import write_committee
from widc_arff.reports.as_latex import ROWS_IN_A_TABLE, escaped
from widc_arff.reports.by_class import class_sections
from widc_arff.reports.committees import committee_in_form

# A letter that is a command of its own, unless it is escaped.
UNSAFE = re.compile(r"(?<!\\)[#_~^<>|\"]|(?<!\\)%(?! )")


def rows(text: str) -> list[list[str]]:
    """Return the cells of all rows."""
    lines = [line for line in text.splitlines() if line.endswith(r" \\")]
    lines = [line.replace("\\raggedright ", "") for line in lines]
    return [re.split(r"(?<!\\) & ", line.removesuffix(r" \\")) for line in lines]


def columns(text: str) -> int:
    """Return how many columns the first table declares."""
    found = re.search(r"\\begin\{tabular\}\{(.*)\}", text)
    assert found is not None
    return len(re.sub(r"p\{[^}]*\}", "p", found[1]))


def test_a_committee_is_a_table_of_booktabs():
    text = committee_in_form(COMMITTEE, "latex")
    name = r"\multicolumn{3}{p{0.5\linewidth}}{\textbf{%s}}"
    assert rows(text) == [
        ["points", "", "rule", "right on", "", "in all"],
        [name % "no", "3 of 4", r"75 \%", ""],
        ["$+2$", "2", "b $>$ 1", "2 of 2", r"100 \%", r"75 \%"],
        [name % "yes", "1 of 4", r"25 \%", ""],
        ["$+2$", "1", "a = x", "1 of 2", r"50 \%", r"25 \%"],
        ["$+2$", "3", r"a $\neq$ z", "1 of 3", r"33 \%", r"25 \%"],
    ]
    assert columns(text) == 6
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 1
    for rule, n in (("toprule", 1), ("midrule", 1), ("bottomrule", 1)):
        assert text.count(f"\\{rule}") == n


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("50 % & $2 #1 a_b {x}", r"50 \% \& \$2 \#1 a\_b \{x\}"),
        (r"\input{/etc}", r"\textbackslash{}input\{/etc\}"),
        ("~^|", r"\textasciitilde{}\textasciicircum{}\textbar{}"),
        ("<1 >2", r"\textless{}1 \textgreater{}2"),
        ("[2pt] *", "{[}2pt{]} {*}"),
        ("a---b -1", "a-{}-{}-b -1"),
        ("it's `so`", "it{'}s {`}so{`}"),
    ],
)
def test_special_letters_are_escaped(text, written):
    assert escaped(text) == written


def test_names_are_no_commands():
    wild = "\\evil{%}$&#_~^<>|\"'"
    attributes = (
        Attribute(wild, "nominal", ("x", "*[a]", "50 % & more")),
        COMMITTEE.schema.attributes[1],
    )
    labels = Labels("single", ("the_class",), ("<50", ">50_1 & \\\\"))
    schema = replace(COMMITTEE.schema, attributes=attributes, labels=labels)
    text = committee_in_form(replace(COMMITTEE, schema=schema), "latex", "rule")
    table = rows(text)
    assert {len(row) for row in table} == {columns(text)} == {6}
    for row in table:
        for cell in row:
            assert not UNSAFE.search(re.sub(r"\$(\\neq|\\leq|<|>)\$", "", cell))
            assert cell.count("{") - cell.count(r"\{") == cell.count("}") - cell.count(r"\}")
    assert r"\evil" not in text.replace(r"\textbackslash{}evil", "")


@pytest.mark.parametrize("n_classes", [3, 26])
def test_rule_by_rule_classes_are_listed_for_and_against(n_classes):
    committee = many_classes(n_classes)
    text = committee_in_form(committee, "latex", "rule")
    assert columns(text) == 7
    assert rows(text)[0] == ["", "rule", "for", "against", "right on", "", "in all"]
    for k, (points, row) in enumerate(zip(committee.points, rows(text)[1:], strict=True), 1):
        assert row[0] == str(k)
        for cell, signs in ((row[2], (1, 2)), (row[3], (-1, -2))):
            marked = {1: "", -1: "", 2: " (+2)", -2: " (-2)"}
            told = {f"class number {j}{marked[n]}" for j, n in enumerate(points) if n in signs}
            assert set(cell.split(", ")) == (told or {""})


def test_of_four_classes_each_has_its_rules():
    committee = many_classes(5)
    text = committee_in_form(committee, "latex")
    assert columns(text) == 6
    found = [row for row in rows(text)[1:] if len(row) == 6]
    sections = class_sections(committee)
    expected = [
        [f"${vote.points:+d}$", str(vote.rule + 1), vote.right.covered.in_words]
        for section in sections
        for vote in section.votes
    ]
    assert [[row[0], row[1], row[3]] for row in found] == expected
    names = [row for row in rows(text)[1:] if len(row) == 4]
    for row, section in zip(names, sections, strict=True):
        assert rf"\textbf{{{section.name}}}" in row[0]
        assert row[1] == section.examples.in_words


def test_many_rules_make_several_tables():
    committee = replace(COMMITTEE, rules=COMMITTEE.rules * 100)
    text = committee_in_form(committee, "latex", "rule")
    assert text.count(r"\begin{tabular}") == 300 // ROWS_IN_A_TABLE
    assert [row[0] for row in rows(text) if row[0]] == [str(k) for k in range(1, 301)]


def test_a_committee_without_rules_says_what_it_decides():
    committee = replace(COMMITTEE, rules=())
    for text in (
        committee_in_form(committee, "latex"),
        committee_in_form(committee, "latex", "rule"),
    ):
        assert "There is no rule: every row is decided for no." in text


def test_show_prints_latex(tmp_path, run):
    write_committee(COMMITTEE, tmp_path / "days.json")
    status, out, err = run("show", str(tmp_path / "days.json"), "--format", "latex")
    assert (status, out, err) == (0, committee_in_form(COMMITTEE, "latex"), "")


def test_label_sets_are_listed_by_vote(tmp_path, run):
    (tmp_path / "days.arff").write_text(DAYS)
    model = str(tmp_path / "days.json")
    run("train", str(tmp_path / "days.arff"), "--labels", "sail,run,read", "--model", model)
    status, out, _ = run("show", model, "--format", "latex")
    assert status == 0
    assert rows(out)[0] == ["", "rule", "for", "covers", "decides"]  # none has a vote against
    assert columns(out) == 5
    assert {len(row) for row in rows(out)} == {5}
