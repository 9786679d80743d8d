"""Time, memory and error on nominal attributes of hundreds of values, beside the paper and Weka.

``python tests/benchmarks/wide_nominal.py [LIMIT_S] [SIZE ...]`` makes files whose class follows
from the value of an attribute (of two, for each value of the first, from one of them), 10 % of the
rows in the other class, with a numeric attribute that says nothing.  It prints, as Markdown, CPU
seconds and peak memory of a training in a process of its own, and error on 20,000 new rows, of
refined and pessimistic pruning and of Weka's J48 and JRip.  A SIZE is ROWSxVALUES or
ROWSxVALUESxATTRIBUTES; by default eight.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.benchmarks.processes import run
from tests.benchmarks.suite import weka
from widc_arff.arff.reader import read_arff
from widc_arff.arff.relation import Attribute, Relation
from widc_arff.arff.writer import write_arff
from widc_arff.data.dataset import Dataset
from widc_arff.model.committee import read_committee

SIZES = (
    "10000x1000",
    "25000x1000",
    "25000x1000x2",
    "60000x700",
    "60000x700x2",
    "100000x1000",
    "100000x1000x2",
    "500000x1000",
)
N_TESTED = 20_000
NOISE, SHARE = 0.1, 0.3
LIMIT_S = 600.0


class Size(NamedTuple):
    """What a file has."""

    n_rows: int
    n_values: int
    n_attributes: int = 1


def relation_of(size: Size, seed: int) -> Relation:
    """Return rows; what values mean depends on the size alone."""
    n_rows, n_values, n_attributes = size
    meaning = np.random.default_rng(n_values)
    is_yes = meaning.random((n_attributes, n_values)) < SHARE
    decisive = meaning.integers(n_attributes, size=n_values)
    rng = np.random.default_rng(seed)
    codes = rng.integers(n_values, size=(n_attributes, n_rows))
    which = decisive[codes[0]]
    label = is_yes[which, codes[which, np.arange(n_rows)]] != (rng.random(n_rows) < NOISE)
    values = tuple(f"v{value}" for value in range(n_values))
    attributes = [Attribute(f"id{a}", "nominal", values) for a in range(n_attributes)]
    attributes += [Attribute("x", "numeric"), Attribute("class", "nominal", ("no", "yes"))]
    columns = [*codes.astype(np.int16), rng.normal(size=n_rows).round(3), label.astype(np.int8)]
    return Relation("wide", tuple(attributes), tuple(columns), np.ones(n_rows))


def measured(size: Size, folder: Path, limit_s: float) -> list[str]:
    """Return the cells of a row."""
    files = {name: str(folder / f"{name}.arff") for name in ("train", "test")}
    write_arff(relation_of(size, 1), files["train"])
    write_arff(relation_of(size._replace(n_rows=N_TESTED), 2), files["test"])
    cells = []
    for pruning in ("refined", "pessimistic"):
        model = str(folder / "model.json")
        options = ["--pruning", pruning, "--model", model, "--quiet"]
        used = run([sys.executable, "-m", "widc_arff", "train", files["train"], *options], limit_s)
        told = used.failure
        if not told:
            committee = read_committee(model)
            tested = Dataset.for_schema(read_arff(files["test"]), committee.schema)
            error = 100 * float((committee.predict_codes(tested) != tested.classes).mean())
            told = f"{error:.1f} % / {committee.n_literals}"
        cells.append(f"{used.cpu_s:.1f} s, {used.peak_mb:.0f} MB, {told}")
    for learner in ("trees.J48", "rules.JRip"):
        on = ["-t", files["train"], "-T", files["test"], "-v"]
        used = run(weka(f"weka.classifiers.{learner}", *on), limit_s)
        wrong = re.search(r"Incorrectly Classified Instances.*?([\d.]+)\s+%", used.stdout)
        error_told = f"{float(wrong[1]):.1f} %" if wrong else used.failure
        cells.append(f"{used.cpu_s:.1f} s, {used.peak_mb:.0f} MB, {error_told}")
    return cells


def main(limit_s: float, sizes: list[str]) -> None:
    """Print the table."""
    sys.stdout.write(
        "CPU seconds, peak memory, error on new rows / literals.\n\n"
        "| rows x values x attributes | refined | pessimistic | J48 | JRip |\n"
        "|---|---|---|---|---|\n"
    )
    for text in sizes:
        size = Size(*map(int, text.split("x")))
        with tempfile.TemporaryDirectory() as folder:
            cells = measured(size, Path(folder), limit_s)
        sys.stdout.write(f"| {' x '.join(map(str, size))} | {' | '.join(cells)} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    arguments = sys.argv[1:]
    limit = float(arguments.pop(0)) if arguments and "x" not in arguments[0] else LIMIT_S
    main(limit, arguments or list(SIZES))
