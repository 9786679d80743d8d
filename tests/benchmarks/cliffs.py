"""Look for cliffs: error, size and time of refined pruning along one dimension of the data.

``python tests/benchmarks/cliffs.py OUT.png [SEED ...]`` makes data of growing rows, classes, cut
points and nominal values, learns from each with the default options (of cut points with
``quantile:K``), and plots error on 20,000 other rows, conditions (literals and exceptions), and CPU
seconds: a dot for each seed (by default 1 to 3), a line through their means.  A step between
neighbours that is larger than the spread of the seeds would be a cliff.  The numbers go to
``OUT.json`` beside the plot.
"""

from __future__ import annotations

import io
import json
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from widc_arff.arff.relation import Attribute, Relation
from widc_arff.data.dataset import Dataset
from widc_arff.induction import induce
from widc_arff.options import Options

N_ROWS, N_TESTED = 4000, 20_000
NOISE = 0.1
ROWS = (1000, 1400, 1950, 2700, 3800, 5000, 7400, 10_300, 14_300, 20_000)
CLASSES = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 30, 45, 60, 80, 100, 150)
CUTS = (4, 6, 8, 12, 16, 24, 32, 48, 64)
VALUES = (10, 20, 50, 100, 200, 500, 1000, 2000, 3000)


class Learned(NamedTuple):
    """What came of one data set."""

    value: int
    seed: int
    error: float
    conditions: int
    seconds: float


def conjunctions(n_rows: int, rng: np.random.Generator) -> Dataset:
    """Return two classes from three overlapping conjunctions of 20 numeric attributes."""
    X = rng.normal(size=(n_rows, 20))
    is_yes = (X[:, 0] > 0.3) & (X[:, 1] < 0.5) | (X[:, 2] > 1) & (X[:, 3] > -0.5)
    is_yes |= (X[:, 4] > 0.5) & (X[:, 5] > 0.5)
    return _dataset(list(X.T), [Attribute(f"a{a}", "numeric") for a in range(20)], is_yes, 2, rng)


def boxes(n_rows: int, n_classes: int, rng: np.random.Generator) -> Dataset:
    """Return classes around centres in ten numeric attributes, two for each class."""
    centres = np.random.default_rng(n_classes).uniform(-2, 2, size=(n_classes, 2, 10))
    y = rng.integers(n_classes, size=n_rows)
    X = rng.normal(centres[y, rng.integers(2, size=n_rows)], 0.7)
    attributes = [Attribute(f"a{a}", "numeric") for a in range(10)]
    return _dataset(list(X.T), attributes, y, n_classes, rng)


def values(n_rows: int, n_values: int, rng: np.random.Generator) -> Dataset:
    """Return two classes that a nominal attribute of many values and two numeric ones tell."""
    of_value = np.random.default_rng(n_values).random(n_values) < 0.3
    codes = rng.integers(n_values, size=n_rows)
    X = rng.normal(size=(n_rows, 5))
    is_yes = (X[:, 0] > 0.2) & (X[:, 1] > -0.4) | of_value[codes] & (X[:, 2] > 1)
    labels = tuple(f"v{value}" for value in range(n_values))
    attributes = [Attribute("n", "nominal", labels)]
    attributes += [Attribute(f"a{a}", "numeric") for a in range(5)]
    return _dataset([codes.astype(np.int16), *X.T], attributes, is_yes, 2, rng)


def _dataset(columns, attributes, y, n_classes: int, rng: np.random.Generator) -> Dataset:
    y = np.where(rng.random(len(y)) < NOISE, rng.integers(n_classes, size=len(y)), y)
    label = Attribute("class", "nominal", tuple(f"c{k}" for k in range(n_classes)))
    relation = Relation(
        "made", (*attributes, label), (*columns, y.astype(np.int16)), np.ones(len(y))
    )
    return Dataset.from_relation(relation)


DIMENSIONS = {
    "rows": (ROWS, lambda n, value, rng: conjunctions(n or value, rng)),
    "classes": (CLASSES, boxes),
    "cut points": (CUTS, lambda n, _value, rng: conjunctions(n, rng)),
    "nominal values": (VALUES, values),
}


def learned(dimension: str, value: int, seed: int) -> Learned:
    """Learn from one data set."""
    make = DIMENSIONS[dimension][1]
    rng = np.random.default_rng(seed)
    n_rows = 0 if dimension == "rows" else N_ROWS  # 0: as many as the value says
    training, test = make(n_rows, value, rng), make(N_TESTED, value, rng)
    options = Options(cut_points=f"quantile:{value}") if dimension == "cut points" else Options()
    start = time.process_time()
    committee = induce(training, options)
    seconds = time.process_time() - start
    error = float((committee.predict_codes(test) != test.classes).mean())
    exceptions = sum(
        len(rule.votes) - max(map(rule.votes.count, (-1, 0, 1))) for rule in committee.rules
    )
    if len(test.schema.labels.values) == 2:
        exceptions = 0
    return Learned(value, seed, 100 * error, committee.n_literals + exceptions, seconds)


def png_of(found: dict[str, list[Learned]]) -> bytes:
    """Return a panel for each dimension and measure."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import NullFormatter

    figure = Figure(figsize=(3.2 * len(found), 7), layout="constrained")
    grid = figure.subplots(3, len(found), squeeze=False, sharex="col")
    measures = {"error": "error, %", "conditions": "conditions", "seconds": "CPU seconds"}
    for column, (dimension, runs) in enumerate(found.items()):
        places = sorted({run.value for run in runs})
        for axes, (measure, label) in zip(grid[:, column], measures.items(), strict=True):
            axes.plot(
                [r.value for r in runs], [getattr(r, measure) for r in runs], ".", color="0.6"
            )
            means = [
                np.mean([getattr(r, measure) for r in runs if r.value == place]) for place in places
            ]
            axes.plot(places, means, color="tab:blue")
            axes.set(xscale="log", ylim=(0, None))
            axes.xaxis.set_major_formatter("{x:g}")
            axes.xaxis.set_minor_formatter(NullFormatter())
            if not column:
                axes.set_ylabel(label)
        grid[-1, column].set_xlabel(dimension)
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=110)
    return stream.getvalue()


def main(out: Path, seeds: list[int]) -> None:
    """Learn, print, plot."""
    found: dict[str, list[Learned]] = {}
    for dimension, (places, _) in DIMENSIONS.items():
        found[dimension] = [learned(dimension, value, seed) for value in places for seed in seeds]
        for value in places:
            runs = [run for run in found[dimension] if run.value == value]
            told = "  ".join(
                f"{np.mean(column):7.2f} ({min(column):.2f} to {max(column):.2f})"
                for column in zip(*(run[2:] for run in runs), strict=True)
            )
            sys.stdout.write(f"{value:6} {dimension}: {told}\n")
    table = {name: [run._asdict() for run in runs] for name, runs in found.items()}
    out.with_suffix(".json").write_text(json.dumps(table), encoding="utf-8")
    out.write_bytes(png_of(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), [int(seed) for seed in sys.argv[2:]] or [1, 2, 3])
