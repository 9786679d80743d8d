"""A model of training on a cluster: fitted here on small runs, tried on a larger one, and used.

``python tests/benchmarks/plan.py [ROWS COLUMNS WORKERS]`` trains on two local workers on made
Parquet files of several sizes, and measures the CPU time and peak memory of the process that leads
and of the workers, and the bytes that go between them.  It fits each of these by least squares to
what it should grow with, compares the fit with a run of 4,000,000 x 40 that was not used, and
prints what it gives for ROWS x COLUMNS on WORKERS workers of one core (by default a billion x 100
on 100).
"""

from __future__ import annotations

import contextlib
import json
import pickle
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import parquet

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from widc_arff.__main__ import main as widc_arff  # noqa: E402 - the path comes first
from widc_arff.cluster import crew as crews  # noqa: E402

FITTED = [(1_000_000, 20), (2_000_000, 20), (4_000_000, 20), (1_000_000, 40), (2_000_000, 60)]
TRIED = (4_000_000, 40)
FILES, GROUP, WORKERS = 8, 1 << 17, 2


class Size(NamedTuple):
    """Rows, columns, and the workers that share them."""

    rows: int
    columns: int
    workers: int


GROWTH = {
    "CPU of all workers, s": lambda s: [s.workers, s.rows * s.columns / 1e6],
    "memory of a worker, MB": lambda s: [1, s.columns, s.rows * s.columns / s.workers / 1e6],
    "CPU where it leads, s": lambda s: [1, s.rows / 1e6],
    "memory where it leads, MB": lambda s: [1, s.rows / 1e6, s.columns],
    "received, MB": lambda s: [1, s.workers / s.columns],  # codes; a fingerprint a row and worker
    "sent, MB": lambda s: [s.workers, s.columns * s.workers],
}
"""What each figure is a sum of, with factors that are fitted."""


def make(folder: Path, n_rows: int, n_columns: int) -> None:
    """Write numbers of five digits, of which three decide the class, with a tenth of noise."""
    for number in range(FILES):
        rng = np.random.default_rng(number)
        X = rng.normal(size=(n_rows // FILES, n_columns)).round(4)
        is_yes = ((X[:, 0] > 0) & (X[:, 1] < 0.5)) | (X[:, 2] > 1)
        is_yes ^= rng.random(len(X)) < 0.1
        columns: dict[str, Any] = {f"a{k}": column for k, column in enumerate(X.T)}
        columns["class"] = np.array(["no", "yes"])[is_yes.astype(int)]
        path = folder / f"part-{number}.parquet"
        parquet.write_table(pa.table(columns), path, row_group_size=GROUP)


def used() -> tuple[float, float]:
    """Return the CPU seconds and the peak memory of this process, in MB."""
    usage = resource.getrusage(resource.RUSAGE_SELF)  # its memory can be of who started it
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return usage.ru_utime + usage.ru_stime, int(status.split("VmHWM:")[1].split()[0]) / 1024


def lead() -> None:
    """Be the process that leads, and print the figures as JSON on stderr."""
    connected = crews.connected
    moved = {"received": 0, "sent": 0}

    class Counting(crews.DaskCrew):
        def start(self, function: Any, *arguments: Any) -> Any:
            own = [x for x in arguments if not hasattr(x, "key")]
            moved["sent"] += len(pickle.dumps(own, protocol=5))
            return super().start(function, *arguments)

        def results(self, handles: Any) -> list[Any]:
            found = super().results(handles)
            moved["received"] += sum(len(pickle.dumps(x, protocol=5)) for x in found)
            return found

    @contextlib.contextmanager
    def watched(address: str):
        with connected(address) as crew:
            counting = Counting(crew._client)
            before = sum(cpu for cpu, _ in crew.on_each(used))
            cpu_before, _ = used()
            yield counting
            cpu, peak = used()
            workers = crew.on_each(used)
            figures = (
                sum(cpu for cpu, _ in workers) - before,
                max(peak for _, peak in workers),
                cpu - cpu_before,
                peak,
                moved["received"] / 1e6,
                moved["sent"] / 1e6,
            )
            sys.stderr.write(json.dumps(figures) + "\n")

    crews.connected = watched
    arguments = ["train", "rows", "--dask", "local", "--quiet", "--model", "model.json"]
    sys.argv[1:] = arguments
    widc_arff()


def figures_of(n_rows: int, n_columns: int) -> list[float]:
    """Return the figures of one training, in the order of `GROWTH`."""
    with TemporaryDirectory() as name:
        folder = Path(name, "rows")
        folder.mkdir()
        make(folder, n_rows, n_columns)
        leading = [sys.executable, __file__, "lead"]
        ended = subprocess.run(leading, capture_output=True, text=True, check=True, cwd=name)
        found: list[float] = json.loads(ended.stderr.splitlines()[-1])
    _tell(f"{n_rows:,} x {n_columns}", *(f"{value:.1f}" for value in found))
    return found


def main(rows: str = "1_000_000_000", columns: str = "100", workers: str = "100") -> None:
    """Print the runs, and beside the run that was tried what the fits give."""
    _tell("rows x columns", *GROWTH)
    _tell("---", *["---:"] * len(GROWTH))
    runs = {Size(*size, WORKERS): figures_of(*size) for size in FITTED}
    figures_of(*TRIED)
    tried, wanted = Size(*TRIED, WORKERS), Size(int(rows), int(columns), int(workers))
    fits: dict[Size, list[float]] = {tried: [], wanted: []}
    for i, grows in enumerate(GROWTH.values()):
        A = np.array([grows(size) for size in runs], np.float64)
        b = np.array([figures[i] for figures in runs.values()])
        factors, *_ = np.linalg.lstsq(A, b)
        for size, found in fits.items():
            found.append(float(np.array(grows(size)) @ factors))
        _tell(f"factors: {list(GROWTH)[i]}", *(f"{factor:.4g}" for factor in factors))
    for size, found in fits.items():
        what = f"fitted: {size.rows:,} x {size.columns}, {size.workers} workers"
        _tell(what, *(f"{value:.1f}" for value in found))


def _tell(*cells: str) -> None:
    sys.stdout.write(f"| {' | '.join(cells)} |\n")
    sys.stdout.flush()


if __name__ == "__main__":
    lead() if sys.argv[1:2] == ["lead"] else main(*sys.argv[1:])
