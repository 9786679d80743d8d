"""The page of ``report``: its numbers, well-formed HTML that loads nothing, and how it looks."""

from __future__ import annotations

import io
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.browser import measured, picture
from tests.html_pages import Page
from tests.label_set_cases import DAYS
from tests.report_cases import COMMITTEE, DATA
from tests.reports.test_reports import many_classes
from widc_arff import Attribute, Dataset, DecisionCommittee, Literal, Rule, read_arff
from widc_arff.data.rows import label_matrix
from widc_arff.data.schema import Labels, Schema
from widc_arff.model.model_file import write_committee
from widc_arff.model.rules import TrainingSummary
from widc_arff.reports.blocks import in_form
from widc_arff.reports.committees import committee_in_form
from widc_arff.reports.elements import breakable
from widc_arff.reports.report import report_blocks

ROOT = Path(__file__).parents[2]
WITHOUT_CLASSES = (
    DATA.replace("@attribute class {no, yes}\n", "")
    .replace(", yes", "")
    .replace(", no", "")
    .replace(", ?", "")
)


def dataset(text: str = DATA) -> Dataset:
    return Dataset.for_schema(read_arff(io.StringIO(text)), COMMITTEE.schema)


def report_page(committee: DecisionCommittee, data: Dataset, source: str, **settings: Any) -> str:
    blocks = report_blocks(committee, data, source, **settings)
    return in_form(blocks, "html", committee.training.version)


def report(text: str = DATA) -> Page:
    return Page(report_page(COMMITTEE, dataset(text), "days.arff"))


def wide(n_rules: int, label: str = "class number {} <&\"'>") -> tuple[DecisionCommittee, Dataset]:
    """Return a committee of 26 classes with so many rules, and rows that are mostly errors."""
    committee = many_classes(26, label)
    committee = replace(committee, rules=(committee.rules * n_rules)[:n_rules])
    rng = np.random.default_rng(1)
    n = 120
    columns = (rng.integers(-1, 4, n), rng.random(n) * 4, np.full(n, np.nan))
    Y = label_matrix(rng.integers(0, 26, n), 26)
    return committee, Dataset(committee.schema, columns, Y, np.ones(n))


def test_the_committee_is_told_with_its_training_counts():
    page = report()
    assert page.tables["committee"][0] == ["rule", "points", "right on", "", "in all"]
    # 1 of 2 covered is yes, a class of 1 of 4
    assert page.row("committee", "1a = x") == ["+2", "1 of 2", "50 %", "25 %"]
    assert page.row("committee", "yes") == ["", "1 of 4", "25 %", ""]


def test_rules_are_told_as_they_are_on_the_data():
    page = report()
    # right on, in training, in all, decides, to right, to wrong, mistakes, to blame
    for rule, cells in (
        ("1a = x", "1 of 2, 50 %, 50 %, 33 %, 1, 0, 1, 1, 1"),
        ("2b > 1", "4 of 4, 100 %, 100 %, 67 %, 2, 2, 0, 1, 0"),
        ("3a != z", "1 of 4, 25 % !, 33 %, 33 %, 1, 0, 1, 1, 1"),
    ):
        assert ", ".join(page.row("rules", rule)) == cells
    assert "No rule holds on rows of weight 1 (16.7 %)" in page.words["rules"]
    assert "ties decide rows of weight 3 (50.0 %)" in page.words["rules"]


def test_overlap_tells_rules_that_hold_mostly_where_others_do():
    # rule 1 holds on the rows 1 and 2, rule 3 there too and on row 3 of weight 2; rule 2 also on 5
    assert report().tables["overlap"][1:] == [["1a = x", "2", "3 (100.0 %)"]]


def test_confusion_and_measures_are_told():
    page = report()
    # rows of no: 3 and 5 (weight 3) right, 2 taken for yes; of yes: 1 right, 4 taken for no
    assert page.tables["classes"][:4] == [
        ["true class", "no", "yes", "all"],
        ["no", "3", "1", "4"],
        ["yes", "1", "1", "2"],
        ["all", "4", "2", "6"],
    ]
    assert [row[:5] for row in page.tables["classes"][5:7]] == [
        ["no", "4", "0.750", "0.750", "0.750"],
        ["yes", "2", "0.500", "0.500", "0.500"],
    ]
    assert "Accuracy 66.7 %" in page.words["classes"]


def test_probabilities_are_drawn_with_the_area_of_the_class_table():
    page = report()
    area = page.tables["classes"][6][5]
    assert f"The area under the curve is {area}" in page.words["probabilities"]
    assert "Calibration" in page.words["probabilities"]


def test_errors_are_told_with_the_rules_to_blame():
    rows = report().tables["errors"]
    assert rows[0][:6] == ["row", "actual", "decided", "margin", "rules that hold", "to blame"]
    assert rows[1][:7] == ["2", "no", "yes", "2", "1, 2, 3", "1, 3", "1"]
    assert rows[2][:7] == ["4", "yes", "no", "0", "none", "ties", "1"]
    assert [row[-1] for row in rows[1:3]] == ["showa = x, b = 2", "showa = z, b = 0"]
    assert rows[4:] == [
        ["1a = x", "1", "50.0 %", "2"],
        ["3a != z", "1", "50.0 %", "2"],
        ["ties alone", "1", "50.0 %", "4"],
        ["2b > 1", "0", "0.0 %", ""],
    ]


def test_the_head_says_what_is_counted_and_what_to_doubt():
    words = " ".join(report().words[""].split())
    for sentence in (
        "error on these data33.3 %2 of 6",
        "rows5weight 6",
        "1 row without a class is not counted. 1 row of weight 0 is not counted.",
        "Least reliable: rule 3, right on 25.0 % of rows of weight 4 where it holds.",
        "Most decisive: rule 2, without which rows of weight 2 would be decided differently.",
        "Most frequent confusion: no taken for yes, rows of weight 1.",
    ):
        assert sentence in words
    assert "seem to be the training data" not in words


def test_the_data_of_training_are_recognized():
    rows = ["x, 0, yes", "x, 2, no", "y, 2, no", "z, 0, no"]
    text = DATA[: DATA.index("x, 0")] + "\n".join(rows) + "\n"
    assert "seem to be the training data" in report(text).words[""]


def test_errors_tell_the_nearest_change():
    rows = report().tables["errors"]
    place = rows[0].index("nearest change")
    # a = y leaves row 2 the sum 0; of equally near labels the first flips row 4
    changes = [(row[0], row[place]) for row in rows[1:3]]
    assert changes == [("2", "a = y (now x): no"), ("4", "a = x (now z): yes")]


def test_links_lead_somewhere():
    page = report()
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert {"rule-1", "rule-2", "rule-3", "row-2", "row-4"} <= set(page.ids)


def test_data_without_classes_have_a_page_without_what_needs_them():
    page = report(WITHOUT_CLASSES)
    assert page.tables.keys() >= {"committee", "rules", "attributes", "decisions"}
    assert page.tables["rules"][0] == ["rule", "covers", "share", "decides"]
    # the row that had no class counts: a = y and b = 0, decided as yes
    assert page.row("decisions", "yes") == ["3", "42.9 %"]
    assert page.row("decisions", "no") == ["4", "57.1 %"]
    assert "error on these data" not in page.words[""]


def test_a_committee_without_rules_has_a_page():
    empty = replace(COMMITTEE, rules=())
    page = Page(report_page(empty, dataset(), "days.arff"))
    assert page.tables["committee"] == [
        ["rule", "points", "right on", "", "in all"],
        ["no: no rule", "", "3 of 4", "75 %", ""],
    ]
    assert "There are no rules." in page.words["rules"]
    assert Page(committee_in_form(empty, "html")).tables.keys() == {""}


def test_right_decisions_alone_have_a_page():
    text = DATA[: DATA.index("x, 0")] + "x, 0, yes\n"
    assert "No row is decided wrongly." in report(text).words["errors"]


def test_nothing_that_is_named_is_markup():
    names = ("<script>alert(1)</script>", 'b" onload="x', "it's & <b>")
    schema = Schema(
        "<img src=x>",
        (Attribute(names[0], "nominal", ("<i>", "&amp;")), Attribute(names[1], "numeric")),
        Labels("single", ("<u>",), (names[2], "]]><!--")),
    )
    rules = (
        Rule((Literal(0, "=", 0), Literal(1, "<=", 1.0)), (1, -1), (1.0, 2.0)),
        Rule((Literal(0, "=", 1),), (-1, 1), (1.0, 1.0)),
    )
    committee = replace(COMMITTEE, schema=schema, rules=rules)
    columns = (np.array([0, 1]), np.array([0.5, np.nan]))
    data = Dataset(schema, columns, label_matrix(np.array([1, 0]), 2), np.ones(2))
    html = report_page(committee, data, '<"data">.arff')
    page = Page(html)
    for text in (*names[:2], "<img", "<i>", "<b>", "<u>", "<!--", '<"data"'):
        assert text not in html
    assert page.tables["committee"][2][0] == f"1{names[0]} = <i> and 'b\" onload=\"x' <= 1"
    assert Page(committee_in_form(committee, "html")).tables[""] == page.tables["committee"]


def test_many_rules_and_classes_are_all_shown():
    committee, data = wide(500)
    page = Page(report_page(committee, data, "wide.arff", layout="rule"))
    assert len(page.tables["committee"]) == len(page.tables["rules"]) == 501
    assert len(page.tables["overlap"]) == 501
    assert page.tables["overlap"][0] == ["rule", "covers", "inside of rule"]
    assert page.tables["committee"][0] == ["rule", "for", "against", "right on", "", "in all"]
    wrong = int((committee.predict_codes(data) != data.classes).sum())
    assert wrong > 50
    assert (
        f"{wrong} rows are decided wrongly. The 50 with the largest margins" in page.words["errors"]
    )
    assert sum(row_id.startswith("row-") for row_id in page.ids) == 50


# The command line


@pytest.fixture
def files(tmp_path):
    write_committee(COMMITTEE, tmp_path / "days.json")
    (tmp_path / "days.arff").write_text(DATA)
    return tmp_path


def test_the_page_goes_to_a_file_or_to_standard_output(files, run):
    model, data, out = (str(files / name) for name in ("days.json", "days.arff", "out.html"))
    assert run("report", model, data, "-o", out) == (0, "", "")
    page = Path(out).read_text(encoding="utf-8")
    assert page == report_page(COMMITTEE, dataset(), "days.arff")
    assert run("report", model, data, "-o", "-") == (0, page, "")
    status, _, err = run("report", model, data)
    assert (status, "-o: expected where the page goes" in err) == (2, True)
    text = run("report", model, data, "--format", "text")
    assert text == run("report", model, data, "--format", "text", "-o", "-")
    assert text[0] == 0


def test_what_cannot_be_reported_is_told(files, run):
    model, out = str(files / "days.json"), str(files / "out.html")
    (files / "none.arff").write_text(DATA[: DATA.index("x, 0")])
    status, _, err = run("report", model, str(files / "none.arff"), "-o", out)
    assert status == 1
    assert "none.arff: expected a row with a positive weight, got 0 rows" in err
    status, _, err = run("report", model, str(files / "days.arff"), "-o", str(files / "no" / "x"))
    assert status == 1
    assert "there is no folder" in err
    assert not Path(out).exists()


def test_show_prints_a_page(files, run):
    status, out, err = run("show", str(files / "days.json"), "--format", "html")
    assert (status, err) == (0, "")
    assert out == committee_in_form(COMMITTEE, "html")
    assert [row[0] for row in Page(out).tables[""]] == [
        "rule",
        "no",
        "2b > 1",
        "yes",
        "1a = x",
        "3a != z",
    ]


# Label sets


@pytest.fixture
def sets(tmp_path, run):
    (tmp_path / "days.arff").write_text(DAYS)
    model, data = str(tmp_path / "days.json"), str(tmp_path / "days.arff")
    assert run("train", data, "--labels", "sail,run,read", "--model", model)[0] == 0
    return model, data


def test_label_sets_have_a_page_of_their_own(sets, run):
    status, out, _ = run("report", *sets, "-o", "-")
    assert status == 0
    page = Page(out)
    assert page.tables.keys() >= {"committee", "rules", "labels"}
    assert page.tables["committee"][0] == ["rule", "for", "covers", "decides"]
    assert [row[0] for row in page.tables["labels"]] == ["label", "sail", "run", "read"]
    assert "ranking loss0.0000" in page.words[""]
    assert "1 row with missing labels is not counted." in page.words[""]
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    status, out, _ = run("show", sets[0], "--format", "html")
    assert status == 0
    assert Page(out).tables[""] == page.tables["committee"]


def test_rules_and_labels_of_sets_are_counted_by_hand():
    labels = Labels("multi", ("sail", "run"), ("sail", "run"))
    schema = Schema("sets", (Attribute("b", "numeric"),), labels)
    rules = (
        Rule((Literal(0, ">", 1.0),), (1, -1), (1.0, 1.0), 2.0),
        Rule((Literal(0, "<=", 5.0),), (0, 1), (1.0, 1.0), 2.0),
    )
    summary = TrainingSummary(4, (2.0, 2.0), 0.0, {}, "0")
    committee = DecisionCommittee(schema, rules, (0.5, 0.5), summary, threshold=0.5)
    # b = 0: votes 0 1, run; b = 2: 1 0, sail; b = 9 (weight 2): 1 -1, sail; b missing: none
    columns = (np.array([0.0, 2.0, 9.0, np.nan]),)
    Y = np.array([[0, 1], [1, 1], [0, 0], [1, 0]], np.bool_)
    data = Dataset(
        schema, columns, Y, np.array([1.0, 1.0, 2.0, 1.0]), complete=np.ones(4, np.bool_)
    )
    page = Page(report_page(committee, data, "sets.arff", most=9))
    # holds, share, decisive, sail where it holds, no run where it holds
    assert page.row("rules", "1b > 1") == ["3", "60.0 %", "3", "0.333", "0.667"]
    assert page.row("rules", "2b <= 5") == ["2", "40.0 %", "1", "1.000", "–"]
    # true, predicted, precision, recall, F1
    assert page.row("labels", "sail") == ["2", "3", "0.333", "0.500", "0.400"]
    assert page.row("labels", "run") == ["2", "1", "1.000", "0.500", "0.667"]
    assert "overlap" not in page.tables
    bare = replace(data, has_labels=False, complete=np.zeros(4, np.bool_))
    page = Page(report_page(committee, bare, "sets.arff", most=9))
    assert page.row("labels", "sail") == ["3"]
    assert "These data have no labels" in page.words[""]


# In a browser


def pages(folder: Path) -> list[Path]:
    """Write a page of two classes, one of 26 with long names, and one of a model alone."""
    rng = random.Random(0)
    lines = [
        f"{rng.choice('xyz')}, {rng.random() * 2}, {rng.choice(['no', 'yes'])}" for _ in range(99)
    ]
    text = DATA[: DATA.index("x, 0")] + "\n".join(lines) + "\n"
    committee, data = wide(60, "class number {} with_a_long_name_that_goes_on_and_on")
    written = {
        "two": report_page(COMMITTEE, dataset(text), "days.arff"),
        "wide": report_page(committee, data, "x" * 200 + ".arff"),
        "model": committee_in_form(committee, "html"),
    }
    for name, html in written.items():
        (folder / f"{name}.html").write_text(html, encoding="utf-8")
    return [folder / f"{name}.html" for name in written]


@pytest.mark.needs("chromium")
def test_nothing_sticks_out_of_the_window(tmp_path):
    widths = (1200, 360)
    for page in pages(tmp_path):
        for width, found in zip(widths, measured(page, *widths), strict=True):
            assert found["room"] == width
            assert found["page"] <= width
            assert found["out"] == []
            assert found["words"] >= 165  # the first column keeps its words; the rest scrolls
            assert found["scrolls"] or width > 360


@pytest.mark.needs("chromium")
def test_the_page_is_light_or_dark_as_the_reader_likes(tmp_path):
    from matplotlib.image import imread

    page = pages(tmp_path)[0]
    for scheme, is_right in (("light", lambda x: x > 0.85), ("dark", lambda x: x < 0.2)):
        for width in (1200, 360):
            target = tmp_path / f"{scheme}-{width}.png"
            picture(page, width, scheme, target)
            pixels = imread(target)
            assert pixels.shape[1] == width
            assert is_right(float(pixels[..., :3].mean()))


WIDTHS = (320, 390, 768, 900, 1024, 1200, 1600)
LONG_NAMES = (
    "lt-normal",
    "area-damaged-by-frost",
    "with_a_long_name_that_goes_on_and_on_and_on",
    "x" * 90,
    "非常に長い名前の属性で区切りがない",
    "two words and more of them",
)


def named() -> dict[str, str]:
    """Return pages with names of all kinds: classes, 200 rules and 26 classes, label sets."""
    few = Labels("single", ("class",), LONG_NAMES)
    attributes = tuple(Attribute(name, "nominal", LONG_NAMES) for name in LONG_NAMES[:5])
    schema = Schema("names", (*attributes, Attribute("b", "numeric")), few)
    votes = (1, -1, 0, 1, 1, -1)
    rules = tuple(
        Rule((Literal(k, "=", k), Literal(5, ">", 0.25), Literal(5, "<=", 0.75)), votes, (1.0,) * 6)
        for k in range(5)
    )
    summary = TrainingSummary(6, (1.0,) * 6, 0.5, {}, "0.1.0")
    committee = DecisionCommittee(schema, rules, (0.2,) * 6, summary)
    rng = np.random.default_rng(2)
    columns = (*(rng.integers(-1, 6, 60) for _ in range(5)), rng.random(60))
    Y = label_matrix(rng.integers(0, 6, 60), 6)
    data = Dataset(schema, columns, Y, np.ones(60), complete=np.ones(60, np.bool_))
    many, many_rows = wide(200, "class {} lt-normal")
    multi = replace(schema, labels=Labels("multi", LONG_NAMES, LONG_NAMES))
    sets = replace(
        committee,
        schema=multi,
        rules=tuple(replace(rule, weight=4.0) for rule in rules),
        threshold=0.5,
    )
    return {
        "few": report_page(committee, data, "names.arff"),
        "many": report_page(many, many_rows, "names.arff"),
        "sets": report_page(sets, replace(data, schema=multi), "names.arff", most=9),
    }


@pytest.mark.needs("chromium")
@pytest.mark.parametrize("name", ["few", "many", "sets"])
def test_a_page_is_readable_at_every_width(tmp_path, name):
    page = tmp_path / f"{name}.html"
    page.write_text(named()[name], encoding="utf-8")
    for width, found in zip(WIDTHS, measured(page, *WIDTHS), strict=True):
        assert found["page"] <= width
        assert found["out"] == []
        assert found["broken"] == []  # short words keep together
        assert found["moved"] == []  # the first column stays, and leaves room for the others
        assert found["scrolls"] or width > 390  # so that the line above has something to tell


@pytest.mark.needs("chromium")
def test_an_explanation_is_no_wider_than_a_phone(tmp_path, run):
    page, model = tmp_path / "why.html", str(tmp_path / "few.json")
    iris = str(ROOT / "arff_data" / "iris.arff")
    assert run("train", iris, "--model", model)[0] == 0
    _, out, _ = run("explain", model, iris, "--row", "71", "--format", "html")
    page.write_text(out, encoding="utf-8")
    (found,) = measured(page, 390)
    assert found["page"] <= 390


@pytest.mark.needs("chromium")
def test_tables_of_few_classes_fit_into_a_window(tmp_path):
    page = tmp_path / "fit.html"
    long = tuple(literal for rule in COMMITTEE.rules for literal in rule.monomial)
    rules = tuple(replace(rule, monomial=long) for rule in COMMITTEE.rules)
    committee = replace(COMMITTEE, rules=rules)
    page.write_text(report_page(committee, dataset(), "days.arff"), encoding="utf-8")
    assert [found["cut"] for found in measured(page, 900, 1024, 1200)] == [[], [], []]


def test_a_page_of_label_sets_begins_with_what_a_reader_asks_first(sets, run):
    status, out, _ = run("report", *sets, "-o", "-")
    assert status == 0
    words = " ".join(Page(out).words[""].split())
    for sentence in (
        "These seem to be the training data",
        "Least reliable: rule",
        "Most decisive: rule",
    ):
        assert sentence in words
    _, out, _ = run("show", sets[0], "--format", "html")
    assert "A row gets a label if" in Page(out).words[""]


def test_no_rule_is_called_least_reliable_where_all_are_right(run, tmp_path):
    rows = "1,0,a\n2,0,a\n8,1,b\n9,1,b\n" * 5
    model = str(tmp_path / "m.json")
    for name, head, labels in (
        ("class.csv", "x,y,z", ["--ignore", "y"]),
        ("sets.csv", "x,y,z", ["--labels", "y,z"]),
    ):
        text = rows if name == "class.csv" else rows.replace("a", "1").replace("b", "0")
        data = tmp_path / name
        data.write_text(f"{head}\n{text}", encoding="utf-8")
        assert run("train", str(data), *labels, "--model", model)[0] == 0
        _, out, _ = run("report", model, str(data), "--format", "text")
        assert "Most decisive: rule 1" in out
        assert "Least reliable" not in out


def test_long_words_may_be_broken_behind_signs_and_short_ones_not():
    assert breakable("a <b> lt-normal") == ('a &lt;b&gt; <span class="word">lt-normal</span>')
    assert breakable("one_name_that_goes_on_and_on") == (
        "one_<wbr>name_<wbr>that_<wbr>goes_<wbr>on_<wbr>and_<wbr>on"
    )
    assert breakable("&" * 30) == "&amp;" * 20 + "<wbr>" + "&amp;" * 10
    assert breakable("x" * 60) == "<wbr>".join(["x" * 20] * 3)
