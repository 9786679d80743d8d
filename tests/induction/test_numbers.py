"""Each number of learning is in the budget, or changes no model, or is part of a definition."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import random
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import widc_arff.induction as learning
from tests.reference import committee as reference
from tests.reference.bridge import dataset_of
from widc_arff.induction import induce
from widc_arff.model.model_file import committee_to_json
from widc_arff.options import LabelSetOptions, Options

if TYPE_CHECKING:
    from widc_arff.data.dataset import Dataset

pytestmark = pytest.mark.filterwarnings("ignore::widc_arff.errors.WidcWarning")

BUDGET = "widc_arff.induction.search.budget"

SPEED_ONLY = {
    "counting.by_code": ["CELLS", "MOST_CELLS"],
    "counting.choice": [
        "CELL_COST",
        "LABEL_ROW_COST",
        "ROWS_OF_COLUMN",
        "ROW_COST",
        "WEIGHTED_LABEL_ROW_COST",
        "WEIGHTED_ROW_COST",
    ],
    "counting.slices": ["ELEMENTS"],
    "counting.sorted": ["KEYS"],
    "counting.sparse": ["CELLS"],
    "counting.counters": ["CODES", "TABLE_CELLS"],
    "calibrating": ["ROWS_AT_A_TIME"],
    "preparing": ["ROWS_AT_ONCE"],
    "constraints.vector_search": ["ELEMENTS"],
    "sample.coding": ["FEW_CODES", "FEW_LITERALS", "FEW_ROWS", "RARE_SHARE", "SPARSE_CELLS"],
    "sample.distinct_rows": ["UNTHREADED"],
    "sample.kept": ["ARRAY_BYTES", "ENTRY_BYTES", "KEPT_BYTES"],
    "search.fitting": ["AT_ONCE"],
    "search.growth": ["STARTS_AT_ONCE"],
    "search.keys": ["AT_ONCE", "FEW_VECTORS", "MANY_CLASSES"],
    "search.objective": ["MOST_WHOLE"],
    "search.polishing": ["COVERED_CELLS"],
    "search.residual": ["HOPES_AT_ONCE"],
    "search.rows": ["DENSE_CELLS", "MOST_KINDS"],
    "vectors.classes": ["ELEMENTS"],
}
"""They choose between ways to the same."""

MEANINGS = {
    "calibrating": [
        *("GRID", "LEAST_BITS", "LEAST_CHANCE", "PART_HIDDEN", "PRIOR_EXAMPLES"),
        *("MORE_OF_LITERAL", "MOST_MORE", "MOST_STEPS", "ODDS_GRID"),
    ],
    "constraints.vector_search": ["MOST_TRIED"],  # of more classes a cut finds a vector as good
    "paper.growing": ["MANY_BLOCKS", "RANDOM_FACTOR"],
    "paper.pruning": ["RESAMPLED"],
    "sample.coding": ["NOWHERE"],
    "sample.cut_points": ["FEW_VALUES", "MOST_CUTS", "MOST_VALUES"],
    "sample.learning_sample": ["EXACT_BITS", "FEWEST_QUANTA", "UNIT_BITS"],
    "sample.distinct_rows": ["LARGEST_KEY"],
    "seeing": ["BITS_OF_NAME", "FEWEST_LABELS", "SHRINKING"],
    "sample.views": ["EQUAL", "UNEQUAL", "AT_MOST", "ABOVE"],
    "search.growth": ["SPREAD"],
    "search.label_residual": ["STEEPNESS"],
    "search.turning": ["MIXING"],
    "updating": ["NEVER", "WORTH_KEEPING"],
    "vectors.pair_cut": ["STEEPEST"],
}
"""Codes, and what the documents say of the paper's stages, of cut points and of probabilities."""


def numbers_of(module: str) -> set[str]:
    """Return the names in capitals to which a module assigns numbers."""
    path = sys.modules[module].__file__
    assert path is not None
    found = set()
    for statement in ast.parse(Path(path).read_text()).body:
        if isinstance(statement, ast.Assign):
            for target in ast.walk(ast.Module([statement], [])):
                if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store):
                    found.add(target.id)
    values = vars(sys.modules[module])
    return {
        name
        for name in found
        if name.isupper() and not name.startswith("_") and is_number(values[name])
    }


def is_number(value: object) -> bool:
    if isinstance(value, tuple):
        return bool(value) and all(map(is_number, value))
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@cache
def modules() -> tuple[str, ...]:
    """Return the modules of learning."""
    found = pkgutil.walk_packages(learning.__path__, "widc_arff.induction.")
    return tuple(importlib.import_module(module.name).__name__ for module in found)


def test_every_number_has_its_reason_or_changes_nothing():
    for module in modules():
        short = module.removeprefix("widc_arff.induction.")
        told = {*SPEED_ONLY.get(short, ()), *MEANINGS.get(short, ())}
        assert module == BUDGET or numbers_of(module) == told, short


@cache
def problems() -> list[tuple[Dataset, Options]]:
    """Return problems of classes and label sets, in many ways of learning."""
    found: list[tuple[Dataset, Options]] = []
    for seed in range(4):
        rng = random.Random(f"numbers {seed}")
        problem = reference.random_problem(rng, max_rows=80, max_classes=4)
        label_sets = reference.random_label_sets(rng, len(problem.rows), problem.n_classes)
        pruning = ("refined", "pessimistic", "optimistic")[seed % 3]
        of_sets = "pessimistic" if pruning == "pessimistic" else "refined"
        every = Options(pruning=pruning, penalty=1.0)
        found.append((dataset_of(problem), every))
        found.append((dataset_of(problem), Options(penalty=0.5, impurity_penalty=0.1 * (seed % 2))))
        if seed % 2 and any(label_sets):
            found.append((dataset_of(problem, label_sets), LabelSetOptions(of_sets, penalty=0.5)))
    return found


@cache
def models(module: str = "", name: str = "", factor: float = 1.0) -> list[str]:
    """Return the models of all problems with one number so many times what it is."""
    patch = pytest.MonkeyPatch()
    value = vars(sys.modules[f"widc_arff.induction.{module}"])[name] if name else None
    changed = None if value is None else type(value)(value * factor)
    for other in modules():
        if name and vars(sys.modules[other]).get(name) == value:
            patch.setattr(sys.modules[other], name, changed)
    try:
        return [committee_to_json(induce(dataset, options)) for dataset, options in problems()]
    finally:
        patch.undo()


@pytest.mark.parametrize("factor", [2.0, 0.001])
@pytest.mark.parametrize(
    ("module", "name"),
    [(module, name) for module in SPEED_ONLY for name in sorted(SPEED_ONLY[module])],
)
def test_a_number_for_speed_changes_no_model(module, name, factor):
    assert models(module, name, factor) == models()


def test_a_number_that_is_no_number_for_speed_changes_models():
    assert models("calibrating", "PART_HIDDEN", 0.5) != models()
    assert models("search.budget", "LARGEST_STEP", 0.25) != models()
