"""The modules of the page as one script, and its style sheet.

The modules are plain ES modules, which a browser takes as they are.  A page that loads nothing has
one script, though: here each becomes a function that returns what the module exports, behind those
that it imports, and without comments.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

FOLDER = "page"
MAIN = "main.js"
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function\*?|const|class) (\w+)", re.MULTILINE)
_COMMENT = re.compile(
    r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/[ \t]*\n|//[^\n]*\n)", re.MULTILINE | re.DOTALL
)
_CAST = re.compile(r"/\*\* @type \{[^\n]*?\} \*/ ?")
_INDENT = re.compile(r"^\s+", re.MULTILINE)


@cache
def style_sheet() -> str:
    """Return the style sheet of the page, without the colours that all pages share."""
    return " ".join(line.strip() for line in _text("style.css").splitlines() if line)


@cache
def script() -> str:
    """Return all modules of the page as one script."""
    return "".join(_as_function(name) for name in modules())


@cache
def modules() -> tuple[str, ...]:
    """Return the names of the modules, each behind those that it imports."""
    found: dict[str, None] = {}

    def visit(name: str) -> None:
        if name not in found:
            for _, imported in _IMPORT.findall(_text(name)):
                visit(f"{imported}.js")
            found[name] = None

    visit(MAIN)
    return tuple(found)


def _as_function(name: str) -> str:
    """Return a module as a function that is called once."""
    text = _text(name)
    exported = ", ".join(own for _, own in _EXPORT.findall(text))
    text = _IMPORT.sub(r"const \1 = module_\2;\n", text)
    text = _EXPORT.sub(r"\1 \2", text)
    for pattern in (_COMMENT, _CAST, _INDENT):
        text = pattern.sub("", text)
    return f"const module_{name[:-3]} = (() => {{\n{text}return {{ {exported} }};\n}})();\n"


@cache
def _text(name: str) -> str:
    return (files("widc_arff.workbench") / FOLDER / name).read_text(encoding="utf-8")
