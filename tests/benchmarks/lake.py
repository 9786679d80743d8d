"""Train from a folder of Parquet, alone and on two local workers: time, memory, equality.

``python tests/benchmarks/lake.py [ROWS [FILES]]`` makes ROWS x 20 numbers in FILES files
(10,000,000 in 10 by default; the folder of temporary files needs 200 bytes a row).
"""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
from pyarrow import parquet

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.benchmarks.make_data import SHAPES, rows_of  # noqa: E402 - the path comes first
from tests.benchmarks.processes import run  # noqa: E402

GROUP = 1 << 18
"""Rows of a row group."""


def make(folder: Path, n_rows: int, n_files: int) -> None:
    """Write the rows."""
    for number in range(n_files):
        rng = np.random.default_rng(number)
        X, y = rows_of(SHAPES["numeric20"], n_rows // n_files, rng)
        columns = {f"a{k}": column.round(4) for k, column in enumerate(X.T)}
        columns["class"] = np.array(["no", "yes"])[y]
        path = folder / f"part-{number}.parquet"
        parquet.write_table(pa.table(columns), path, row_group_size=GROUP)


def main(rows: str = "10_000_000", files: str = "10") -> None:
    """Print a line for each way to train."""
    with TemporaryDirectory() as name, chdir(name):
        folder = Path(name, "rows")
        folder.mkdir()
        make(folder, int(rows), int(files))
        train = [sys.executable, "-m", "widc_arff", "train", str(folder), "--quiet", "--model"]
        alone = run([*train, str(Path(name, "alone.json"))])
        sys.stdout.write(f"alone: {alone.seconds:.1f} s, {alone.peak_mb:.0f} MB\n")
        sys.stdout.flush()
        cluster = str(Path(__file__).with_name("cluster.py"))
        start = time.perf_counter()
        leading = [sys.executable, cluster, "lead", "default", "rows"]
        told = subprocess.run(leading, capture_output=True, text=True, check=True)
        seconds = time.perf_counter() - start
        same = Path("alone.json").read_bytes() == Path("together.json").read_bytes()
        sys.stdout.write(f"two workers: {seconds:.1f} s, {told.stderr.strip()}; ")
        sys.stdout.write(f"the models are {'equal' if same else 'DIFFERENT'}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
