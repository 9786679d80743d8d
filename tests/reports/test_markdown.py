"""Names and labels that are markup of Markdown stand in its documents as they are."""

from __future__ import annotations

import re
from html import escape, unescape
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from widc_arff.reports.as_markdown import fenced

NAMES = (
    *("a|b", "*c*", "`d`", "<b>e</b>", "[f](g)", "h\\i", "&amp;j", "~~k~~", "$l$", "# m", "- n"),
    *("1. o", "_p_", "```", "=", "+ q", "![r](s)", "% t", "AT&amp;T", "&#35;"),
)
ELEMENTS = {
    "h1",
    "p",
    "strong",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "ul",
    "li",
    "code",
    "pre",
}
RENDERER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\") + "'"


@pytest.fixture
def model(run, tmp_path, monkeypatch) -> str:
    """Write data of hostile names, the class decided by the first two, and learn from them."""
    monkeypatch.chdir(tmp_path)
    lines = ["@relation r"]
    lines += [f"@attribute {quoted(name)} {{{quoted(f'{name} v')},w}}" for name in NAMES]
    lines += ["@attribute '<i>' {" + ",".join(map(quoted, NAMES)) + "}", "@data"]
    for row in range(80):
        holds = [row >> bit & 1 for bit in range(len(NAMES))]
        label = NAMES[(2 * holds[0] + holds[1]) * 6]
        cells = [f"{name} v" if held else "w" for name, held in zip(NAMES, holds, strict=True)]
        lines.append(",".join(map(quoted, [*cells, label])))
    Path("r *s* &amp;.arff").write_text("\n".join(lines), encoding="utf-8")
    assert run("train", "r *s* &amp;.arff", "--model", "m.json", "-q")[0] == 0
    return "m.json"


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "m.json", "--layout", "class"],
        ["show", "m.json", "--layout", "rule"],
        ["describe", "r *s* &amp;.arff"],
        ["evaluate", "r *s* &amp;.arff", "--test", "r *s* &amp;.arff"],
        ["explain", "m.json", "r *s* &amp;.arff"],
        ["explain", "m.json", "r *s* &amp;.arff", "--rule", "1"],
    ],
)
def test_names_are_never_markup(run, model, arguments):
    assert model == "m.json"
    status, out, _ = run(*arguments, "--format", "markdown")
    assert status == 0
    page = RENDERER.render(out)
    assert set(re.findall(r"</?([a-z0-9]+)", page)) <= ELEMENTS
    told = "".join(unescape(re.sub(r"<[^>]*>", "", page)).split())
    written = "".join(out.split())
    bare = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", written)
    for name in ["".join(name.split()) for name in NAMES]:
        assert (name in told) == (name in written or name in bare)
    assert "a|b" in told or "r*s*&amp;.arff" in told


def test_a_text_between_fences_does_not_end_them():
    text = "```\n# a\n`````\n<b>"
    page = RENDERER.render(fenced(text))
    assert page == f"<pre><code>{escape(text, quote=False)}\n</code></pre>\n"


def test_one_row_is_explained_between_fences(run, model):
    row = [model, "r *s* &amp;.arff", "--row", "2"]
    out = run("explain", *row)[1]
    assert run("explain", *row, "--format", "markdown")[1] == f"```\n{out}```\n"
