"""Write a data set for timing: ``python tests/benchmarks/make_data.py ROWS ATTRIBUTES OUT.arff``.

Numeric attributes from a normal distribution; two classes from three overlapping conjunctions; the
class of each row is flipped with probability 0.1.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np


def main(n_rows: int, n_attributes: int, path: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_attributes))
    y = (X[:, 0] > 0.3) & (X[:, 1] < 0.5) | (X[:, 2] > 1) & (X[:, 3] > -0.5)
    y = (y | (X[:, 4] + X[:, 5] > 1.5)) ^ (rng.random(n_rows) < 0.1)
    with Path(path).open("w", encoding="utf-8") as stream:
        stream.write("@relation timing\n")
        stream.writelines(f"@attribute a{a} numeric\n" for a in range(n_attributes))
        stream.write("@attribute class {no,yes}\n@data\n")
        for row, label in zip(X, y, strict=True):
            cells = ",".join(f"{x:.4f}" for x in row)
            stream.write(f"{cells},{'yes' if label else 'no'}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
