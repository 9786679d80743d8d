"""Every report in every form: the same words in the same order, and nothing that is markup."""

from __future__ import annotations

import re
from html import unescape

import pytest

from widc_arff.reports.as_text import table_lines
from widc_arff.reports.blocks import (
    FILL,
    FORMS,
    UNBROKEN,
    Block,
    Column,
    Group,
    Heading,
    Item,
    Lines,
    Note,
    Plot,
    Shaded,
    Table,
    cards,
    columns,
    in_form,
    lines_in_form,
)

RULES = Table(
    [Column("points", "points"), Column("", "number"), Column("rule", "head", FILL), Column("n")],
    [
        Group("large", ["9 of 12"], "no rule"),
        ["+2", "1", ("size > 2", "colour in {red, blue}"), "7 !"],
        ["-1", "2", ("shape != round",), "2"],
    ],
    caption="What rules say",
)
FOLDED = [["7", Shaded("half", 0.5), "x = 1"]]
REPORT: list[Block] = [
    Heading("A title", 1),
    "A sentence with 50 % of it.",
    RULES,
    Heading("A part"),
    Item("first thing"),
    Item("second thing"),
    Lines(["o--o", "  #"]),
    cards([("rows", "150", "weight 163")]),
    Note("A remark."),
    Table([*columns("row", "share"), Column("values", "words", is_folded=True)], FOLDED),
    Plot("A curve", "<svg></svg>", "It rises.", ["It rises."]),
]
WORDS = ["A title", "A sentence", "What rules say", "large", "no rule", "size", "colour", "shape"]
WORDS += ["A part", "first thing", "second thing", "o--o", "rows", "150", "weight 163"]
WORDS += ["A remark", "share", "values", "half", "x = 1", "It rises"]


@pytest.mark.parametrize("form", FORMS)
def test_a_report_says_the_same_in_every_form(form):
    found = in_form(REPORT, form, "1.2.3")
    assert found.endswith("\n")
    plain = unescape(re.sub(r"<style>.*?</style>|<[^>]*>", "", found, flags=re.DOTALL))
    body = plain.split("A title", plain.count("A title"))[-1]  # a page also has it in its head
    places = [body.index(word) for word in WORDS[1:]]
    assert places == sorted(places)


def test_a_table_of_text_fills_the_line_and_marks_points_that_contradict():
    lines = [
        ("points  rule", "n"),
        ("large", "9 of 12"),
        ("! +2  1  size > 2 and colour in {red, blue}", "7 !"),
        ("  -1  2  shape != round", "2"),
    ]
    head, group, *rows = [f"{words:<73}{figure:>7}" for words, figure in lines]
    expected = ["What rules say", head, "-" * 80, group, "      no rule", *rows]
    assert list(table_lines(RULES)) == expected


def test_heads_that_are_too_wide_are_broken_and_hang_behind_their_number():
    words = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    table = Table([Column("", "number"), *columns("what", "rows")], [["7", words, "1"]])
    assert list(table_lines(table)) == [
        f"{'what':<74}  rows",
        f"{'7  one two three four five six seven eight nine ten eleven twelve':<74}     1",
        "     thirteen fourteen",
    ]


def test_rows_are_written_one_by_one():
    written = []

    def rows():
        for k in range(3):
            written.append(k)
            yield [str(k), "x"]

    lines = lines_in_form(
        [Table([Column("n", width=3), Column("x", "words", FILL)], rows())], "text"
    )
    assert [next(lines) for _ in range(3)] == ["  n  x", "-" * 80, "  0  x"]
    assert written == [0]


@pytest.mark.parametrize("form", FORMS)
def test_text_of_others_stays_in_its_line_and_unbroken_words_in_theirs(form):
    long = "word " * 14
    found = in_form([Item(f"{long}leave out with --ignore{UNBROKEN}'id'"), "a\nb"], form)
    assert re.search(r"ignore(</span>)? ('|&#x27;|{'})id", found)
    assert "a\nb" not in found
    assert UNBROKEN not in found


def test_a_page_alone_shows_shades_folds_drawings_and_links():
    blocks = [*REPORT, RULES._replace(anchor="rule"), Item("See rule 2, not rule 3.", "rule")]
    for markup in (
        '<td class="heat" style="--h: 0.50">half</td>',
        "<details><summary>show</summary>x = 1</details>",
        "<svg></svg>",
        '<p class="quiet">A remark.</p>',
        '<a href="#rule-2" title="shape != round">rule 2</a>, not rule 3.',
    ):
        for form in FORMS:
            assert (markup in in_form(blocks, form)) == (form == "html")
