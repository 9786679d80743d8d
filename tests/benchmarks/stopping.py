"""Compare ways to stop growing (I6): ``python tests/benchmarks/stopping.py [REPEATS]``.

Prints, as Markdown, medians over samples that differ in their seed: rules grown, rules and literals
kept by pessimistic pruning, seconds of training, and the error on 50,000 other rows.

- to the end: until no rule lowers Z;
- I6: above 2,500 impure blocks, also at a rule that gains less than twice what random splits would;
- I6 everywhere: the same in any number of blocks.
"""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.benchmarks.make_data import SHAPES, rows_of
from widc_arff import induction
from widc_arff.arff.relation import Attribute
from widc_arff.data.dataset import Dataset
from widc_arff.data.rows import label_matrix
from widc_arff.data.schema import Labels, Schema
from widc_arff.induction.paper import growing, stages
from widc_arff.options import Options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from widc_arff.induction.sample.coding import Chain

N_TEST_ROWS = 50_000
TEST_SEED = 1000
MANY_BLOCKS = {"to the end": math.inf, "I6": growing.MANY_BLOCKS, "I6 everywhere": 0}
CASES = [
    (shape, n_rows, method)
    for shape, methods in (("numeric20", ("mdl+", "quantile:32")), ("binary20", ("mdl+",)))
    for method in methods
    for n_rows in (10_000, 30_000, 100_000)
]


class Found(NamedTuple):
    """What one way of stopping led to."""

    n_grown: float
    n_rules: float
    n_literals: float
    elapsed_s: float
    error: float


def sample(shape: str, n_rows: int, seed: int) -> Dataset:
    """Return rows of a shape."""
    X, y = rows_of(SHAPES[shape], n_rows, np.random.default_rng(seed))
    is_numeric = SHAPES[shape].kind == "numeric"
    attributes = tuple(
        Attribute(f"a{a}", "numeric") if is_numeric else Attribute(f"a{a}", "nominal", ("n", "y"))
        for a in range(X.shape[1])
    )
    columns = [column if is_numeric else (column == "y").astype(np.int8) for column in X.T]
    labels = Labels("single", ("class",), ("no", "yes"))
    schema = Schema(shape, attributes, labels)
    return Dataset(schema, tuple(columns), label_matrix(y, 2), np.ones(n_rows))


def learned(training: Dataset, test: Dataset, method: str, many_blocks: float) -> Found:
    """Learn with one way of stopping, and measure."""
    n_grown = 0

    def counted(*arguments: Any) -> list[Chain]:
        nonlocal n_grown
        monomials = growing.grow(*arguments)
        n_grown = len(monomials)
        return monomials

    start = time.perf_counter()
    with (
        patch.object(growing, "MANY_BLOCKS", many_blocks),
        patch.object(stages, "grow", counted),
    ):
        committee = induction.induce(training, Options(pruning="pessimistic", cut_points=method))
    elapsed_s = time.perf_counter() - start
    error = float((committee.predict_codes(test) != test.classes).mean())
    return Found(n_grown, len(committee.rules), committee.n_literals, elapsed_s, error)


def table(repeats: int) -> Iterator[str]:
    """Return the lines of the table, as they are found."""
    yield "| data | rows | cut points | stop | grown | rules | literals | s | error, % |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for shape, n_rows, method in CASES:
        test = sample(shape, N_TEST_ROWS, TEST_SEED)
        trained = [sample(shape, n_rows, seed) for seed in range(repeats)]
        for stop, many_blocks in MANY_BLOCKS.items():
            found = [learned(training, test, method, many_blocks) for training in trained]
            middle = Found(*(median(values) for values in zip(*found, strict=True)))
            yield (
                f"| {shape} | {n_rows:,} | {method} | {stop} | {middle.n_grown:g} "
                f"| {middle.n_rules:g} | {middle.n_literals:g} | {middle.elapsed_s:.2f} "
                f"| {100 * middle.error:.2f} |"
            )


if __name__ == "__main__":
    for line in table(int(sys.argv[1]) if len(sys.argv) > 1 else 3):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
