"""The report on data in every form: the same figures, and links to rows that exist."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.html_pages import Page
from tests.label_set_cases import random_sets
from tests.report_cases import COMMITTEE, DATA
from widc_arff import Dataset, induce, read_arff
from widc_arff.model.model_file import write_committee
from widc_arff.reports.blocks import FORMS, in_form
from widc_arff.reports.layout import WIDTH, width_of
from widc_arff.reports.report import report_blocks

if TYPE_CHECKING:
    from widc_arff import DecisionCommittee

ROOT = Path(__file__).parents[2]
FIGURE = re.compile(r"\d+(?:\.\d+)?")


def classes() -> tuple[DecisionCommittee, Dataset]:
    """Return rows with errors, of which one has no class and one another weight."""
    return COMMITTEE, Dataset.for_schema(read_arff(io.StringIO(DATA)), COMMITTEE.schema)


def many_classes() -> tuple[DecisionCommittee, Dataset]:
    data = Dataset.from_relation(read_arff(ROOT / "arff_data" / "led7.arff"))
    return induce(data), data


def label_sets() -> tuple[DecisionCommittee, Dataset]:
    data = random_sets(1)
    return induce(data), data


CASES = {"classes": classes, "many classes": many_classes, "label sets": label_sets}


def report(case: str, form: str) -> str:
    committee, data = CASES[case]()
    return in_form(report_blocks(committee, data, "days.arff"), form, "0")


def figures(text: str) -> set[str]:
    return set(FIGURE.findall(text))


def on_page(case: str) -> set[str]:
    html = re.sub(r"<style>.*?</style>|<wbr>", "", report(case, "html"), flags=re.DOTALL)
    return figures(unescape(re.sub("<[^>]*>", " ", html)))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_a_page_has_every_figure_of_the_other_forms(case, form):
    written = report(case, form)
    if form == "latex":  # without the widths of columns and the room between them
        written = re.sub(r"(p\{|tabcolsep\}\{)[^}]*\}|multicolumn\{\d+\}", "", written)
    assert figures(written) - on_page(case) == set()


@pytest.mark.parametrize("case", CASES)
def test_markdown_has_every_figure_of_the_tables_of_a_page(case):
    page = Page(report(case, "html"))
    cells = {cell for table in page.tables.values() for row in table for cell in row}
    assert figures(" ".join(cells)) - figures(report(case, "markdown")) == set()


@pytest.mark.parametrize("case", CASES)
def test_a_text_keeps_to_80_columns(case):
    assert max(width_of(line) for line in report(case, "text").splitlines()) <= WIDTH


def test_a_text_tells_wide_tables_row_by_row():
    text = report("classes", "text")
    rule = """\
   3  a != z
        right on 1 of 4; 25 % !; in training 33 %; in all 33 %; decides 1; to
        right 0; to wrong 1; mistakes 1; to blame 1
"""
    error = """\
row 2
        actual no; decided yes; margin 2; rules that hold 1, 2, 3; to blame 1,
        3; weight 1; nearest change a = y (now x): no; values a = x, b = 2
"""
    assert rule in text
    assert error in text
    assert "1  a = x\n        covers 2; inside of rule 3 (100.0 %)\n" in text
    assert "error on these data   33.3 %  2 of 6\n" in text


@pytest.mark.parametrize("case", CASES)
def test_links_of_a_page_lead_to_what_it_has(case):
    page = Page(report(case, "html"))
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert {"#committee", "#rules", "#attributes"} <= set(page.links)
    assert any(link.startswith("#rule-") for link in page.links)


def test_labels_are_neither_links_nor_marks_of_a_page():
    committee, data = classes()
    schema = replace(
        committee.schema, labels=replace(committee.schema.labels, values=("rule 1", "2!"))
    )
    blocks = report_blocks(replace(committee, schema=schema), replace(data, schema=schema), "x")
    page, usual = in_form(blocks, "html"), report("classes", "html")
    assert "Most frequent confusion: rule 1 taken for class 2!" in re.sub(r"<[^>]*>", "", page)
    for markup in ('href="#rule-1"', 'class="against"'):
        assert page.count(markup) == usual.count(markup) > 0


def test_a_link_tells_the_conditions_of_its_rule():
    page = report("classes", "html")
    assert '<a href="#rule-3" title="a != z">rule 3</a>, right on' in page
    assert '<a href="#rule-3" title="a != z">3</a> <span class="word">(100.0</span>' in page


@pytest.fixture
def files(tmp_path):
    write_committee(COMMITTEE, tmp_path / "days.json")
    (tmp_path / "days.arff").write_text(DATA)
    return [str(tmp_path / name) for name in ("days.json", "days.arff")]


@pytest.mark.parametrize(
    ("ending", "form"),
    [("html", "html"), ("md", "markdown"), ("tex", "latex"), ("TXT", "text"), ("page", "html")],
)
def test_the_form_is_that_of_the_ending_unless_it_is_given(files, run, tmp_path, ending, form):
    out = tmp_path / f"out.{ending}"
    assert run("report", *files, "-o", str(out)) == (0, "", "")
    assert out.read_text(encoding="utf-8") == report("classes", form)
    for given in FORMS:
        assert run("report", *files, "-o", str(out), "--format", given)[0] == 0
        assert out.read_text(encoding="utf-8") == report("classes", given)


def test_a_report_of_any_form_goes_to_standard_output(files, run):
    for form in FORMS:
        assert run("report", *files, "-o", "-", "--format", form) == (
            0,
            report("classes", form),
            "",
        )
    status, _, err = run("report", *files, "-o", "-", "--format", "pdf")
    assert status == 2
    assert "'pdf' is not one of" in err
