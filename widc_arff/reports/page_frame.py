"""The frame of a page: one HTML file that loads nothing, for light and dark, screen and paper."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from widc_arff.reports.drawing import PLOT_STYLE
from widc_arff.reports.elements import TABLE_STYLE, breakable, element, text

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

_DARK = """--ink: #e4e7eb; --quiet: #98a2ad; --paper: #14171a; --raised: #1c2024; --line: #343a41;
  --link: #7ab7ff; --mark: rgba(255, 200, 60, 0.16);
  --shade: rgba(0, 0, 0, 0.65);"""
_LIGHT = """--ink: #1d2125; --quiet: #5c6670; --paper: #ffffff; --raised: #f5f7f9; --line: #d9dee3;
  --link: #0b5cad; --mark: rgba(255, 200, 60, 0.3);
  --shade: rgba(0, 0, 0, 0.3);"""
COLOURS = f"""
:root {{ color-scheme: light dark; {_LIGHT} }}
@media (prefers-color-scheme: dark) {{ :root {{ {_DARK} }} }}
"""
"""The colours of all pages, as properties of style sheets, for light and dark."""
_PAGE_STYLE = f"""{COLOURS}
* {{ box-sizing: border-box; }}
html {{ -webkit-text-size-adjust: 100%; }}
body {{ margin: 0 auto; padding: 2.5rem 1.5rem 4rem; max-width: 74rem; background: var(--paper);
  color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial,
  sans-serif; overflow-wrap: break-word; }}
h1 {{ font-size: 1.9rem; line-height: 1.2; margin: 0.1em 0 0.2em; font-weight: 650; }}
h2 {{ font-size: 1.25rem; margin: 0 0 0.3em; font-weight: 650; }}
h3 {{ font-size: 1rem; margin: 1.8em 0 0.4em; font-weight: 600; }}
h1, h2, h3 {{ text-wrap: balance; overflow-wrap: anywhere; }}
p {{ margin: 0.4em 0 0.9em; max-width: 46em; }}
a {{ color: var(--link); text-decoration: none; }}
a:hover {{ text-decoration: underline; }}
.word {{ white-space: nowrap; }}
.quiet {{ color: var(--quiet); }}
.kind {{ color: var(--quiet); margin: 0; letter-spacing: 0.02em; }}
section {{ margin-top: 3.2rem; }}
nav {{ display: flex; flex-wrap: wrap; gap: 0.3em 1.3em; margin: 1.4rem 0 0; padding: 0.7em 0;
  border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); }}
dl.facts {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr));
  gap: 0.8rem; margin: 1.4rem 0; }}
.facts div {{ background: var(--raised); border-radius: 8px; padding: 0.7em 0.9em; min-width: 0; }}
.facts dt {{ color: var(--quiet); font-size: 0.87rem; }}
.facts dd {{ margin: 0; font-size: 1.45rem; font-weight: 600; line-height: 1.3;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }}
.facts dd small {{ display: block; font-size: 0.87rem; font-weight: normal; color: var(--quiet);
  line-height: 1.4; }}
ul.short {{ margin: 0.6em 0; padding-left: 1.2em; max-width: 52em; }}
ul.short li {{ margin: 0.3em 0; }}
.plots {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr));
  gap: 1.5rem 3rem; }}
.plots > div {{ min-width: 0; }}
.widc {{ font-size: 0.93rem; margin: 0.9rem 0; width: fit-content;
  max-width: calc(100% + max(0px, 50vw - 38rem)); background:
  linear-gradient(to left, var(--paper) 40%, transparent) right / 3rem 100% no-repeat local,
  linear-gradient(to left, var(--shade), transparent) right / 1rem 100% no-repeat scroll; }}
.widc table {{ border-collapse: separate; border-spacing: 0; }}
.widc tbody th, .widc td {{ vertical-align: top; }}
.widc tr > :first-child {{ position: sticky; left: 0; z-index: 1; background: var(--paper); }}
.widc tr:target > * {{ background: var(--mark); }}
.widc tr:target > :first-child {{
  background: linear-gradient(var(--mark), var(--mark)), var(--paper); }}
.widc details summary {{ cursor: pointer; color: var(--link); }}
.widc details {{ max-width: 30em; white-space: normal; overflow-wrap: break-word; }}
.rules a {{ display: inline-block; padding: 0 0.25em; }}
footer {{ margin-top: 4rem; color: var(--quiet); font-size: 0.87rem; }}
@media (max-width: 76rem) {{
  .widc th, .widc td {{ padding: 0.3em 0.45em; }}
  .widc thead th {{ white-space: normal; }}
}}
@media (max-width: 64rem) {{
  .widc {{ font-size: 0.88rem; }}
  .widc th, .widc td {{ padding: 0.3em 0.35em; }}
  .widc .whole {{ white-space: normal; }}
  .widc .words {{ min-width: 13em; }}
}}
@media (max-width: 40rem) {{
  body {{ padding: 1.3rem 1rem 3rem; }}
  section {{ margin-top: 2.4rem; }}
  h1 {{ font-size: 1.5rem; }}
  dl.facts {{ grid-template-columns: 1fr 1fr; gap: 0.5rem; }}
  .facts dd {{ font-size: 1.2rem; }}
  .widc .words {{ min-width: 12em; }}
  .widc .numbered {{ padding-left: 2.4em; text-indent: -2em; }}
  .widc .no {{ width: 2em; }}
}}
@media print {{
  :root {{ {_LIGHT} color-scheme: light; }}
  body {{ max-width: none; padding: 0; font-size: 9.5pt; print-color-adjust: exact;
    -webkit-print-color-adjust: exact; }}
  nav {{ display: none; }}
  a {{ color: inherit; }}
  section {{ margin-top: 1.6rem; }}
  h2, h3 {{ break-after: avoid; }}
  details, footer {{ display: none; }}
  tr, svg, .facts div {{ break-inside: avoid; }}
  .widc {{ overflow: visible; font-size: 8pt; background: none; }}
  .widc tr > :first-child {{ position: static; }}
  .widc th, .widc td {{ padding: 0.2em 0.5em; }}
  .widc .words {{ min-width: 10em; }}
}}
"""


class PageSection(NamedTuple):
    """A section of a page: its names for links and for readers, and its HTML, if there is any."""

    name: str
    title: str
    html: str


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
    rules : str
        HTML of the section on rules.
    parts : sequence of PageSection
        The sections behind those that all pages have.
    """

    statistics: CommitteeStatistics | LabelSetStatistics
    figures: Sequence[Fact]
    left_out: Sequence[str]
    can_be_training: bool
    doubts: Sequence[str]
    losses: Sequence[str]
    rules: str
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
    style = f"{TABLE_STYLE}{PLOT_STYLE}{_PAGE_STYLE}"
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


def section(name: str, title: str, *content: str) -> str:
    """Return a section of a page, which a link can name."""
    return element("section", element("h2", text(title)), "\n", *content, id=name) + "\n"


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


def contents(places: Sequence[tuple[str, str]]) -> str:
    """Return links to sections, each given by name and title."""
    return (
        element("nav", *(element("a", text(title), href=f"#{to}") for to, title in places)) + "\n"
    )


def fixed_or_dash(value: float) -> str:
    """Return a number with three decimals, or a dash for NaN."""
    return "–" if math.isnan(value) else f"{value:.3f}"
