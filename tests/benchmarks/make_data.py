"""Write a data set for timing: ``python tests/benchmarks/make_data.py SHAPE ROWS OUT.arff [SEED]``.

- ``numeric20``, ``wide200``: 20 and 200 numeric attributes from a normal distribution; two classes
  from three overlapping conjunctions;
- ``binary20``: 20 attributes of two values, two classes likewise;
- ``letters26``: 26 classes from 16 whole numbers from 0 to 15, two centres for each class.

The class of each row is replaced with probability 0.1.  The seed changes the rows, not the concept.
"""

from __future__ import annotations

import sys
from pathlib import Path
from string import ascii_uppercase
from typing import NamedTuple

import numpy as np

ROWS_AT_A_TIME = 20_000


class Shape(NamedTuple):
    """Kind and number of attributes."""

    kind: str
    n_attributes: int


SHAPES = {
    "numeric20": Shape("numeric", 20),
    "binary20": Shape("binary", 20),
    "wide200": Shape("numeric", 200),
    "letters26": Shape("letters", 16),
}
TYPES = {"numeric": "numeric", "binary": "{n,y}", "letters": "numeric"}
CELLS = {"numeric": "%.4f", "binary": "%s", "letters": "%d"}


def rows_of(shape: Shape, n_rows: int, rng: np.random.Generator):
    """Return cells, one row per example, and the number of the class of each."""
    size = (n_rows, shape.n_attributes)
    is_replaced = rng.random(n_rows) < 0.1
    if shape.kind == "letters":
        centres = np.random.default_rng(26).uniform(1, 14, size=(26, 2, shape.n_attributes))
        y = rng.integers(26, size=n_rows)
        mean = centres[y, rng.integers(2, size=n_rows)]
        X = np.clip(np.rint(rng.normal(mean, 1.8)), 0, 15)
        return X, np.where(is_replaced, rng.integers(26, size=n_rows), y)
    if shape.kind == "binary":
        B = rng.random(size) < 0.5
        is_yes = B[:, 0] & ~B[:, 1] | B[:, 2] & B[:, 3] & B[:, 4] | ~B[:, 5] & B[:, 6] & ~B[:, 7]
        return np.where(B, "y", "n"), (is_yes ^ is_replaced).astype(int)
    X = rng.normal(size=size)
    is_yes = (X[:, 0] > 0.3) & (X[:, 1] < 0.5) | (X[:, 2] > 1) & (X[:, 3] > -0.5)
    is_yes |= X[:, 4] + X[:, 5] > 1.5
    return X, (is_yes ^ is_replaced).astype(int)


def write(name: str, n_rows: int, path: Path, seed: int = 0) -> None:
    """Write rows of a shape."""
    shape = SHAPES[name]
    rng = np.random.default_rng(seed)
    classes = list(ascii_uppercase) if shape.kind == "letters" else ["no", "yes"]
    row_format = ",".join([CELLS[shape.kind]] * shape.n_attributes) + ",%s\n"
    with path.open("w", encoding="utf-8") as stream:
        stream.write(f"@relation {name}\n")
        stream.writelines(
            f"@attribute a{a} {TYPES[shape.kind]}\n" for a in range(shape.n_attributes)
        )
        stream.write(f"@attribute class {{{','.join(classes)}}}\n@data\n")
        for start in range(0, n_rows, ROWS_AT_A_TIME):
            X, y = rows_of(shape, min(ROWS_AT_A_TIME, n_rows - start), rng)
            stream.writelines(
                row_format % (*row, classes[label])
                for row, label in zip(X.tolist(), y.tolist(), strict=True)
            )


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), *map(int, sys.argv[4:]))
