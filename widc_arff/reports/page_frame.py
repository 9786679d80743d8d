"""The frame of a page: one HTML file that loads nothing, for light and dark, screen and paper."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from widc_arff.reports.elements import breakable, element, text
from widc_arff.reports.style_sheets import style_sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.evaluation.label_set_statistics import LabelSetStatistics
    from widc_arff.evaluation.rule_statistics import CommitteeStatistics

Fact: TypeAlias = tuple[str, str, str]
"""A key figure: name, value and note, plain text."""

SAME_AS_TRAINING = (
    "These seem to be the training data, because the counts are the same: expect more errors on "
    "new data."
)


class PageSection(NamedTuple):
    """A section of a page, which a link can name: its HTML stands below the title."""

    name: str
    title: str
    content: tuple[str, ...]

    @property
    def html(self) -> str:
        """The section as HTML."""
        return element(
            "section", element("h2", text(self.title)), "\n", *self.content, id=self.name
        )


class DataTold(NamedTuple):
    """What the page of a report tells of one kind of labels alone.

    Parameters
    ----------
    statistics : DataStatistics
        Of the committee on the data.
    figures : sequence of (str, str, str)
        Key figures.
    left_out : sequence of str
        Sentences on what is not told.
    can_be_training : bool
        Whether the labels can be those that the committee was learned from.
    doubts, losses : sequence of str
        HTML of what a reader asks first, before and after the most decisive rule.
    rules : PageSection
        The section on rules.
    parts : sequence of PageSection
        The sections behind those that all pages have.
    """

    statistics: CommitteeStatistics | LabelSetStatistics
    figures: Sequence[Fact]
    left_out: Sequence[str]
    can_be_training: bool
    doubts: Sequence[str]
    losses: Sequence[str]
    rules: PageSection
    parts: Sequence[PageSection]


def page(title: str, body: Sequence[str], version: str) -> str:
    """Return a whole page.

    Parameters
    ----------
    title : str
        Plain text.
    body : sequence of str
        HTML.
    version : str
        Of the package that wrote the model.
    """
    style = style_sheet("colours", "table", "plot", "page")
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            element("title", text(title)),
            f"<style>{style}</style></head><body>",
            *body,
            element("footer", text(f"widc-arff {version}")),
            "</body></html>\n",
        ]
    )


def section(name: str, title: str, *content: str) -> PageSection:
    """Return a section of a page."""
    return PageSection(name, title, content)


def paragraph(*sentences: str, kind: str | None = None) -> str:
    """Return a paragraph of plain text; empty sentences vanish."""
    words = " ".join(sentence for sentence in sentences if sentence)
    return element("p", breakable(words), class_=kind) + "\n" if words else ""


def facts(entries: Sequence[Fact]) -> str:
    """Return key figures."""
    return element(
        "dl",
        *(
            element(
                "div",
                element("dt", text(name)),
                element("dd", text(value), element("small", text(note)) if note else ""),
            )
            for name, value, note in entries
        ),
        class_="facts",
    )


def contents(sections: Sequence[PageSection]) -> str:
    """Return links to sections."""
    links = (element("a", text(part.title), href=f"#{part.name}") for part in sections)
    return element("nav", *links) + "\n"


def fixed_or_dash(value: float) -> str:
    """Return a number with three decimals, or a dash for NaN."""
    return "–" if math.isnan(value) else f"{value:.3f}"
