"""Time, memory and error on nominal attributes of hundreds of values, beside the paper and Weka.

``python tests/benchmarks/wide_nominal.py [LIMIT_S] [SIZE ...]`` makes files whose class follows
from the value of an attribute (of two, for each value of the first, from one of them), 10 % of the
rows in the other class, with a numeric attribute that says nothing.  It prints, as Markdown, CPU
seconds and peak memory of a training in a process of its own, and error on 20,000 new rows, of
refined and pessimistic pruning and of Weka's J48 and JRip.  A SIZE is ROWSxVALUES,
ROWSxVALUESxATTRIBUTES or ROWSxVALUESxATTRIBUTESxCLASSES; by default eight.  ``drawn:N`` stands for
N sizes drawn from 2,000 to 100,000 rows, 10 to 3,000 values, 1 to 3 attributes and 2 to 20 classes,
without pessimistic pruning.
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
LABELS = ("no", "yes", *(f"k{i}" for i in range(2, 20)))
LIMIT_S = 600.0
PRUNINGS = ("refined", "pessimistic")


class Size(NamedTuple):
    """What a file has."""

    n_rows: int
    n_values: int
    n_attributes: int = 1
    n_classes: int = 2


def drawn(n: int) -> list[Size]:
    """Return sizes from all over the range, the same for each run."""
    rng = np.random.default_rng(0)
    return [
        Size(
            int(2000 * 50 ** rng.random()),
            int(10 * 300 ** rng.random()),
            int(rng.integers(1, 4)),
            int(rng.integers(2, 21)),
        )
        for _ in range(n)
    ]


def relation_of(size: Size, seed: int) -> Relation:
    """Return rows; what values mean depends on the size alone."""
    n_rows, n_values, n_attributes, n_classes = size
    meaning = np.random.default_rng(n_values)
    drawn_class = meaning.random((n_attributes, n_values)) * (n_classes - 1)
    class_of = np.where(drawn_class < SHARE, 1, 0)  # the first one is frequent
    if n_classes > 2:
        class_of = (drawn_class * n_classes / (n_classes - 1)).astype(np.int64)
    decisive = meaning.integers(n_attributes, size=n_values)
    rng = np.random.default_rng(seed)
    codes = rng.integers(n_values, size=(n_attributes, n_rows))
    which = decisive[codes[0]]
    label = class_of[which, codes[which, np.arange(n_rows)]]
    is_noise = rng.random(n_rows) < NOISE
    other = rng.integers(1, n_classes, size=n_rows) if n_classes > 2 else 1
    label = np.where(is_noise, (label + other) % n_classes, label)
    values = tuple(f"v{value}" for value in range(n_values))
    attributes = [Attribute(f"id{a}", "nominal", values) for a in range(n_attributes)]
    attributes += [Attribute("x", "numeric"), Attribute("class", "nominal", LABELS[:n_classes])]
    columns = [*codes.astype(np.int16), rng.normal(size=n_rows).round(3), label.astype(np.int8)]
    return Relation("wide", tuple(attributes), tuple(columns), np.ones(n_rows))


def measured(
    size: Size, folder: Path, limit_s: float, prunings: tuple[str, ...] = PRUNINGS
) -> list[str]:
    """Return the cells of a row."""
    files = {name: str(folder / f"{name}.arff") for name in ("train", "test")}
    write_arff(relation_of(size, 1), files["train"])
    write_arff(relation_of(size._replace(n_rows=N_TESTED), 2), files["test"])
    cells = []
    for pruning in prunings:
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
    are_drawn = sizes[0].startswith("drawn:")
    prunings = PRUNINGS[:1] if are_drawn else PRUNINGS
    sys.stdout.write(
        "CPU seconds, peak memory, error on new rows / literals.\n\n"
        f"| rows x values x attributes x classes | {' | '.join(prunings)} | J48 | JRip |\n"
        f"|---|{'---|' * len(prunings)}---|---|\n"
    )
    given = [Size(*map(int, text.split("x"))) for text in sizes if not are_drawn]
    for size in given or drawn(int(sizes[0].partition(":")[2])):
        with tempfile.TemporaryDirectory() as folder:
            cells = measured(size, Path(folder), limit_s, prunings)
        sys.stdout.write(f"| {' x '.join(map(str, size))} | {' | '.join(cells)} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    arguments = sys.argv[1:]
    has_limit = bool(arguments) and arguments[0].replace(".", "").isdigit()
    limit = float(arguments.pop(0)) if has_limit else LIMIT_S
    main(limit, arguments or list(SIZES))
