"""The modules of the page: types, style, and how they become one script."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from widc_arff.reports.formatting import shown
from widc_arff.workbench import bundle

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "tests" / "workbench" / "node_modules" / ".bin"
PAGE = ROOT / "widc_arff" / "workbench" / "page"
MODULES = sorted(PAGE.glob("*.js"))
_IMPORT = re.compile(r'^import .*?from "\./([\w.]+)";', re.MULTILINE | re.DOTALL)


@pytest.mark.needs("npm")
def test_modules_pass_the_tools():
    commands: list[list[str | Path]] = [
        ["tsc", "-p", "tests/workbench/tsconfig.json"],
        ["eslint", "--config", "tests/workbench/eslint.config.mjs", "--max-warnings", "0", PAGE],
        ["prettier", "--config", "tests/workbench/.prettierrc.json", "--check", PAGE],
    ]
    started = [
        subprocess.Popen(
            [TOOLS / str(name), *words],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for name, *words in commands
    ]
    told = [process.communicate()[0] for process in started]
    assert [process.returncode for process in started] == [0, 0, 0], "\n".join(told)


@pytest.mark.needs("npm")
def test_names_are_quoted_where_python_quotes_them(tmp_path):
    texts = ["x", "dark blue", "it's", "x <= 3", "> 5", ">50K", "a<b", "North and South", "and", ""]
    texts += ["sandy", "a =b", "a != b", "=", " x", "a,b", "tab\t", "back\\slash"]
    module = tmp_path / "texts.mjs"
    module.write_text((PAGE / "texts.js").read_text(encoding="utf-8"), encoding="utf-8")
    code = f"import {{shown}} from {json.dumps(module.as_uri())};"
    code += f"console.log(JSON.stringify({json.dumps(texts)}.map(shown)))"
    told = subprocess.check_output(["node", "--input-type=module", "-e", code], text=True)
    assert json.loads(told) == list(map(shown, texts))


def test_every_module_is_in_the_script_behind_those_that_it_imports():
    names = bundle.modules()
    assert {*names} == {path.name for path in MODULES} - {"types.js"}  # of which nothing runs
    for path in MODULES:
        for imported in re.findall(
            r'^import .*?from "\./([\w.]+)";', path.read_text(), re.MULTILINE | re.DOTALL
        ):
            assert names.index(imported) < names.index(path.name)


def test_the_script_has_no_imports_comments_or_ends_of_scripts():
    script = bundle.script()
    assert not re.search(r"^(import|export) |/\*\*|^\s*//|</script|<!--", script, re.MULTILINE)
    assert len(script) < sum(path.stat().st_size for path in MODULES)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_nothing_makes_markup_or_code_of_a_text(path):
    text = path.read_text(encoding="utf-8")
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert word not in text
    for word in ("new Function", "fetch(", "XMLHttpRequest", "localStorage", "http://", "cookie"):
        assert word not in text.replace("http://www.w3.org/2000/svg", "")


def test_the_kinds_of_conditions_stand_in_one_place():
    for path in MODULES:
        if path.name != "literals.js":
            assert "holds(value" not in path.read_text(encoding="utf-8")
