"""Imports only go down, and the package stays light to import."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "widc_arff"
# From the lowest room to the highest; rooms of one line do not import one another.
FLOORS = [
    ["errors", "tolerance"],
    ["files", "processes", "interruption"],
    ["costs", "expert_rules"],
    ["options"],
    ["arff"],
    ["table_values"],
    ["typed_values"],
    ["literals", "labels", "sample_data", "frames"],
    ["label_sets", "tables", "stored_columns"],
    ["dataset", "cut_points", "decision", "label_threshold"],
    [
        "committee",
        "large_data",
        "survey",
        "induction.sample",
        "induction.observer",
        "induction.weighting",
    ],
    ["changes"],
    ["induction.coding", "induction.limits"],
    ["induction.distinct_rows", "induction.counting", "induction.patterns", "induction.vectors"],
    ["induction.pair_cut"],
    ["induction.label_set_vectors"],
    ["induction.demands"],
    ["induction.growing", "induction.losses"],
    ["induction.pruning"],
    ["induction.search.budget"],
    ["induction.preparing"],
    ["induction.calibrating"],
    ["induction.committees"],
    ["induction.paper", "induction.search"],
    ["induction"],
    ["model_file", "cluster"],
    ["evaluation.curves"],
    ["evaluation.weka_folds", "evaluation.measures", "evaluation.label_set_measures", "evaluation"],
    ["evaluation.rule_statistics", "evaluation.attribute_use"],
    ["evaluation.label_set_statistics"],
    ["evaluation.cross_validation"],
    ["evaluation.label_set_validation"],
    ["reports.wording", "reports.layout", "reports"],
    ["reports.by_class"],
    ["reports.text", "reports.tree_graph", "reports.predictions", "reports.elements"],
    ["reports.markdown", "reports.committee_table", "reports.drawing"],
    ["reports.label_sets", "reports.explanations", "reports.notebook", "reports.page_frame"],
    ["reports.description", "reports.rule_rows"],
    ["reports.latex", "reports.rule_sections", "reports.class_sections"],
    ["reports.page", "reports.label_set_page"],
    ["export"],
    ["protocol"],
    ["reproduction"],
    ["worker", "estimator_input"],
    ["estimator"],
    ["cli"],
    ["__main__"],
]
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(module: str) -> str:
    """Return the room of a dotted module: the longest prefix that has a floor."""
    parts = module.split(".")
    for n in range(len(parts), 0, -1):
        if ".".join(parts[:n]) in FLOOR:
            return ".".join(parts[:n])
    raise AssertionError(f"{module} has no floor")


def imports(path: Path) -> set[str]:
    """Return the modules of the package that a module imports when it is loaded."""
    found = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith(
            "widc_arff."
        ):
            found.add(str(statement.module).removeprefix("widc_arff."))
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_only_go_down(path):
    name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
    if name == "__init__":
        assert imports(path) == set()
        return
    room = room_of(name)
    for imported in imports(path):
        other = room_of(imported)
        assert other == room or FLOOR[other] < FLOOR[room], f"{name} imports {imported}"


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
    if path.name != "sample_data.py":  # its own small command says which files it wrote
        assert "print(" not in text


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
        "heavy = {'widc_arff.induction', 'widc_arff.tables.csv_files', 'csv', 'difflib', 'gzip',"
        " 'secrets', 'hashlib', 'concurrent.futures'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "assert 'observer' in induce.__doc__\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=PACKAGE.parent)
