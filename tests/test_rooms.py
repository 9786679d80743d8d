"""Imports only go down, and the package stays light to import."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "widc_arff"
# The plan of the house, from the lowest room to the highest: a room imports from lower lines, never
# from its own line or a higher one.  A room is a package or a module at the top.
FLOORS = [
    ["errors", "tolerance", "version", "arrays", "observer"],
    ["system"],
    ["arff"],
    ["tables"],
    ["data"],
    ["model"],
    ["option_kinds"],
    ["options"],
    ["induction.sample", "induction.vectors"],
    ["induction.losses", "induction.counting", "induction.constraints"],
    ["induction.paper"],
    ["induction.search"],
    ["induction"],
    ["evaluation", "cluster"],
    ["reports"],
    ["__init__", "export", "workbench"],
    ["bridge", "estimator"],
    ["cli"],
    ["__main__"],
]
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
MODULES = sorted(PACKAGE.rglob("*.py"))
NAMES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in MODULES
}


def room_of(module: str) -> str:
    """Return the room of a dotted module: the longest prefix that has a floor."""
    parts = module.split(".")
    for n in range(len(parts), 0, -1):
        if ".".join(parts[:n]) in FLOOR:
            return ".".join(parts[:n])
    raise AssertionError(f"{module} has no floor")


def imports(path: Path) -> set[str]:
    """Return the modules of the package that a module imports, inside of functions too.

    Those for the types alone do not count.
    """
    found = set()
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found |= {
                f"{node.module}.{name.name}"
                if is_module(f"{node.module}.{name.name}")
                else node.module
                for name in node.names
            }
    of_package = {name for name in found if name.split(".")[0] == "widc_arff"}
    return {name.removeprefix("widc_arff").removeprefix(".") or "__init__" for name in of_package}


def is_module(name: str) -> bool:
    return name.removeprefix("widc_arff.") in NAMES


@pytest.mark.parametrize("name", NAMES)
def test_imports_only_go_down(name):
    room = room_of(name)
    for imported in imports(NAMES[name]):
        other = room_of(imported)
        assert other == room or FLOOR[other] < FLOOR[room], f"{name} imports {imported}"


def test_no_module_imports_itself_by_way_of_others():
    arrows = {name: imports(path) for name, path in NAMES.items()}
    while leaves := {name for name, others in arrows.items() if not others & set(arrows)}:
        arrows = {name: others for name, others in arrows.items() if name not in leaves}
    assert not arrows


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if "cli" not in path.parts and path.name != "__main__.py"],
    ids=lambda path: str(path.relative_to(PACKAGE)),
)
def test_only_the_command_line_prints_or_reads_the_environment(path):
    text = path.read_text(encoding="utf-8")
    words = {"import click", "import rich", "os.environ", "getenv", "pickle", "eval("}
    if path.name == "processes.py":  # what passes between a process and the one that started it
        words.remove("pickle")
    for word in words:
        assert word not in text
    assert "print(" not in text


def test_the_packages_need_nothing_that_is_only_in_a_clone():
    for folder in (PACKAGE, PACKAGE.parent / "weka_plugin"):
        for path in folder.rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                assert {name.split(".")[0] for name in names}.isdisjoint({"tests", "docs"}), path


def test_importing_the_package_brings_nothing_heavy():
    code = (
        "import sys, widc_arff, widc_arff.induction\n"
        "widc_arff.read_arff, widc_arff.DecisionCommittee\n"
        "heavy = {'click', 'rich', 'arff', 'scipy', 'sklearn', 'pandas'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=PACKAGE.parent)


def test_reading_brings_no_learner_and_no_other_forms_of_tables():
    code = (
        "import sys\n"
        "from widc_arff import *\n"
        "read_arff\n"
        "heavy = {'widc_arff.induction', 'widc_arff.tables.csv_files', 'csv', 'difflib',"
        " 'gzip', 'secrets', 'hashlib', 'concurrent.futures'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "assert 'observer' in induce.__doc__\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=PACKAGE.parent)
