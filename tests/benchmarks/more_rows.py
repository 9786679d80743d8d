"""Do more rows of a kind make any model worse?

``python tests/benchmarks/more_rows.py [SEEDS [ROWS ...]]`` makes data of three kinds, *pairs* of
attributes that decide only together, *bands* of numeric values, and *conjunctions*, of 1,000 to
300,000 rows or of so many as are named, learns from each with the default options, and prints the
error on 20,000 other rows in percent, the literals and the CPU seconds: the means over the seeds
(by default 1 to 3), and the largest error.  No error should rise with the rows by more than seeds
differ.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from widc_arff.arff.relation import Attribute, Relation
from widc_arff.data.dataset import Dataset
from widc_arff.induction import induce
from widc_arff.options import Options

N_TESTED = 20_000
NOISE = 0.05
ROWS = (1000, 3000, 10_000, 20_000, 41_000, 43_000, 60_000, 100_000, 300_000)


def pairs(n_rows: int, rng: np.random.Generator) -> Dataset:
    """Return three classes of 20 binary attributes, of which two decide only together."""
    X = rng.integers(2, size=(n_rows, 20)).astype(np.int8)
    y = np.where(X[:, 3] ^ X[:, 7], 1, 2 * (X[:, 0] & X[:, 1]))
    attributes = [Attribute(f"a{a}", "nominal", ("no", "yes")) for a in range(20)]
    return with_noise(list(X.T), attributes, y, 3, rng)


def bands(n_rows: int, rng: np.random.Generator) -> Dataset:
    """Return two classes of ten numeric attributes: one lies within bands of two of them."""
    X = rng.normal(size=(n_rows, 10))
    y = (np.abs(X[:, 0]) < 0.6) & (np.abs(X[:, 4] - 0.5) < 0.8)
    return with_noise(list(X.T), [Attribute(f"a{a}", "numeric") for a in range(10)], y, 2, rng)


def conjunctions(n_rows: int, rng: np.random.Generator) -> Dataset:
    """Return two classes of 20 numeric attributes: one lies in any of three conjunctions."""
    X = rng.normal(size=(n_rows, 20))
    y = (X[:, 0] > 0.3) & (X[:, 1] < 0.5) | (X[:, 2] > 1) & (X[:, 3] > -0.5)
    y |= (X[:, 4] > 0.5) & (X[:, 5] > 0.5)
    return with_noise(list(X.T), [Attribute(f"a{a}", "numeric") for a in range(20)], y, 2, rng)


def with_noise(
    columns: list[np.ndarray],
    attributes: list[Attribute],
    y: np.ndarray,
    n_classes: int,
    rng: np.random.Generator,
) -> Dataset:
    """Return the data set, with classes drawn anew in a part of the rows."""
    is_noise = rng.random(len(y)) < NOISE
    y = np.where(is_noise, rng.integers(n_classes, size=len(y)), y).astype(np.int8)
    labels = tuple(f"c{k}" for k in range(n_classes))
    every = (*attributes, Attribute("class", "nominal", labels))
    return Dataset.from_relation(Relation("made", every, (*columns, y), np.ones(len(y))))


def main() -> None:
    """Print a line for each kind and number of rows."""
    n_seeds, *rows = map(int, sys.argv[1:] or ["3"])
    sys.stdout.write(f"{'kind':14}{'rows':>9}{'error':>8}{'most':>8}{'literals':>10}{'CPU s':>8}\n")
    for kind in (pairs, bands, conjunctions):
        tested = kind(N_TESTED, np.random.default_rng(0))
        for n_rows in rows or ROWS:
            found = []
            for seed in range(1, n_seeds + 1):
                dataset = kind(n_rows, np.random.default_rng([seed, n_rows]))
                start = time.process_time()
                committee = induce(dataset, Options())
                seconds = time.process_time() - start
                error = float((committee.predict_codes(tested) != tested.classes).mean())
                found.append((100 * error, committee.n_literals, seconds))
            error, literals, seconds = np.mean(found, axis=0)
            most = max(found)[0]
            line = f"{n_rows:9,}{error:8.2f}{most:8.2f}{literals:10.1f}{seconds:8.1f}"
            sys.stdout.write(f"{kind.__name__:14}{line}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
