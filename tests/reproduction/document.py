"""A report as a sequence of blocks, written as one HTML file or as Markdown."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from widc_arff.reports.as_markdown import escaped, escaped_line

if TYPE_CHECKING:
    from collections.abc import Sequence


class Strong(str):
    """A cell that stands out: the best of its row."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; the title has level 1."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of short texts."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Text in which each blank counts."""

    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table; all columns but the first hold figures.

    Parameters
    ----------
    caption : str
        What it shows, and in which unit.
    heads : tuple of str
        One per column.
    rows : tuple of tuple of str
        Body.
    last : tuple of tuple of str
        Rows of means, set apart.
    """

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    last: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture.

    Parameters
    ----------
    name : str
        Of its files, without ending.
    caption : str
        What it shows; also for those who do not see it.
    svg : str
        The picture as SVG.
    png : bytes
        The picture as PNG.
    """

    name: str
    caption: str
    svg: str
    png: bytes


Block = Heading | Paragraph | Listing | Verbatim | Table | Plot


def to_html(blocks: Sequence[Block]) -> str:
    """Return a page that needs no other file: light and dark, for screens and paper."""
    title = next((block.text for block in blocks if isinstance(block, Heading)), "")
    body = "\n".join(map(_html, blocks))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>\n{_STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def to_markdown(blocks: Sequence[Block]) -> str:
    """Return the same as Markdown; plots are named by their SVG files."""
    return "\n\n".join(map(_markdown, blocks)) + "\n"


def _html(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level}>{html.escape(text)}</h{level}>"
        case Paragraph(text):
            return f"<p>{html.escape(text)}</p>"
        case Listing(items):
            return "<ul>\n" + "".join(f"<li>{html.escape(item)}</li>\n" for item in items) + "</ul>"
        case Verbatim(text):
            return f'<div class="wide"><pre>{html.escape(text)}</pre></div>'
        case Plot(_, caption, svg, _):
            return (
                f'<figure><div class="wide" role="img" aria-label="{html.escape(caption)}">'
                f"{_inline(svg)}</div><figcaption>{html.escape(caption)}</figcaption></figure>"
            )
        case Table(caption, heads, rows, last):
            parts = [
                '<figure><div class="wide"><table>',
                "<thead>" + _html_row(heads, "th") + "</thead>",
                "<tbody>" + "\n".join(_html_row(row, "td") for row in rows) + "</tbody>",
            ]
            if last:
                parts.append(
                    "<tfoot>" + "\n".join(_html_row(row, "td") for row in last) + "</tfoot>"
                )
            return "\n".join(
                [*parts, f"</table></div><figcaption>{html.escape(caption)}</figcaption></figure>"]
            )


def _html_row(cells: Sequence[str], tag: str) -> str:
    scope = "col" if tag == "th" else "row"
    shown = [f'<th scope="{scope}">{html.escape(cells[0])}</th>']
    for cell in cells[1:]:
        text = html.escape(cell).replace(" ± ", "&nbsp;±&nbsp;")
        text = f"<strong>{text}</strong>" if isinstance(cell, Strong) else text
        shown.append(f"<{tag}>{text}</{tag}>")
    return "<tr>" + "".join(shown) + "</tr>"


def _inline(svg: str) -> str:
    """Return a picture without its prolog and without names of places on the network.

    Black becomes the colour of the text, so that it can be seen on dark ground too.
    """
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r' xmlns(:\w+)?="[^"]*"', "", svg)
    return svg.replace("#000000", "currentColor").strip()


def _markdown(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {escaped(text)}"
        case Paragraph(text):
            return escaped_line(text)
        case Listing(items):
            return "\n".join(f"- {escaped_line(item)}" for item in items)
        case Verbatim(text):
            return f"```\n{text.rstrip()}\n```"
        case Plot(name, caption, _, _):
            return f"![{escaped(caption)}]({name}.svg)"
        case Table(caption, heads, rows, last):
            lines = [_markdown_row(heads), "|---|" + "---:|" * (len(heads) - 1)]
            lines += map(_markdown_row, rows)
            lines += [_markdown_row([Strong(row[0]), *row[1:]]) for row in last]
            return "\n".join(lines) + f"\n\n{escaped(caption)}"


def _markdown_row(cells: Sequence[str]) -> str:
    shown = [
        f"**{escaped(cell)}**" if isinstance(cell, Strong) else escaped(cell) for cell in cells
    ]
    return f"| {' | '.join(shown)} |"


_STYLE = """\
:root { color-scheme: light dark; --ink: #1a1a1a; --ground: #ffffff; --line: #d0d0d0;
  --quiet: #5a5a5a; --band: #f4f4f2; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8e6; --ground: #161616; --line: #444444; --quiet: #a8a8a8; --band: #202020; } }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 82rem; margin: 0 auto; padding: 1rem; }
p, ul { max-width: 46rem; }
h1 { line-height: 1.2; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
figure { margin: 1.25rem 0; }
figcaption { max-width: 46rem; color: var(--quiet); font-size: .875rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .55rem; text-align: right; white-space: nowrap; }
thead th { border-bottom: 2px solid var(--line); vertical-align: bottom; }
tbody tr:nth-child(even) > * { background: var(--band); }
tfoot tr:first-child > * { border-top: 2px solid var(--line); }
tfoot > tr > * { font-weight: 600; }
tr > :first-child { position: sticky; left: 0; background: var(--ground); text-align: left;
  font-weight: 600; }
tbody tr:nth-child(even) > :first-child { background: var(--band); }
pre { font: .8rem/1.35 ui-monospace, monospace; margin: 0; }
svg { display: block; height: auto; max-width: 100%; }
@page { size: A4 landscape; margin: 12mm; }
@media print {
  :root { --ink: #000000; --ground: #ffffff; --line: #999999; --quiet: #333333; --band: #f4f4f4; }
  body { font-size: 10pt; } main { max-width: none; padding: 0; }
  .wide { overflow: visible; } table { font-size: 6.6pt; } th, td { padding: .1rem .25rem; }
  pre { font-size: 6.5pt; columns: 2; }
  figure, tr { break-inside: avoid; } figure:has(table) { break-inside: auto; } }
@media (max-width: 40rem) {
  main { padding: .6rem; } svg { max-width: none; }
  table { font-size: .8rem; } th, td { padding: .15rem .4rem; }
  tr > :first-child { min-width: 5.5rem; max-width: 8rem; white-space: normal; } }
"""
