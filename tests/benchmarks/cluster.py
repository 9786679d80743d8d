"""Train on two local Dask workers, and alone, on the same rows: time, memory, equality.

``python tests/benchmarks/cluster.py [ROWS [FILES]]`` makes ROWS x 20 numeric attributes in FILES
files (2,000,000 in 8 by default; the folder of temporary files needs 300 bytes a row), and prints
wall time and peak memory of one machine, of the process that leads the cluster and of each worker.
"""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.benchmarks.make_data import write  # noqa: E402 - the path comes first
from tests.benchmarks.processes import run  # noqa: E402
from widc_arff.cluster.crew import connected  # noqa: E402
from widc_arff.cluster.training import Files, induce_from_files  # noqa: E402
from widc_arff.model.model_file import write_committee  # noqa: E402
from widc_arff.options import Options  # noqa: E402

METHOD = "quantile:32"
MARGIN_MB = 300
"""A worker may take this much more than half of what one machine takes."""


def peak_mb() -> float:
    """Return the peak memory of this process."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1]) / 1024


def cut(whole: Path, n_files: int) -> tuple[str, ...]:
    """Deal the rows of a file out to several files."""
    paths = [whole.with_name(f"part-{i}.arff") for i in range(n_files)]
    streams = [path.open("wb") for path in paths]
    with whole.open("rb") as file:
        for line in file:
            for stream in streams:
                stream.write(line)
            if line.startswith(b"@data"):
                break
        for number, line in enumerate(file):
            streams[number % n_files].write(line)
    for stream in streams:
        stream.close()
    return tuple(map(str, paths))


def on_workers(paths: tuple[str, ...], model: Path) -> tuple[float, list[float]]:
    """Train on local workers; return elapsed seconds and the peak memory of each worker."""
    start = time.perf_counter()
    with connected("local") as crew:
        committee = induce_from_files(Files(paths), Options("pessimistic", METHOD), crew)
        write_committee(committee, str(model))
        elapsed_s = time.perf_counter() - start
        return elapsed_s, crew.on_each(peak_mb)


def main(rows: str = "2_000_000", files: str = "8") -> None:
    """Print a line for each process."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        whole = folder / "whole.arff"
        write("numeric20", int(rows), whole)
        paths = cut(whole, int(files))
        elapsed_s, workers_mb = on_workers(paths, folder / "together.json")
        train = [sys.executable, "-m", "widc_arff", "train", str(whole)]
        options = ["--pruning", "pessimistic", "--cut-points", METHOD]
        alone = run([*train, *options, "--model", str(folder / "alone.json")])
        same = (folder / "together.json").read_bytes() == (folder / "alone.json").read_bytes()
    most_mb = alone.peak_mb / 2 + MARGIN_MB
    lines = [
        ("one machine", alone.seconds, alone.peak_mb),
        ("leading process", elapsed_s, peak_mb()),
    ]
    lines += [(f"worker {i}", elapsed_s, mb) for i, mb in enumerate(workers_mb, 1)]
    sys.stdout.write(f"{int(rows):,} rows x 20 in {files} files, {METHOD}, pessimistic\n")
    for who, seconds, megabytes in lines:
        sys.stdout.write(f"{who:<20}{seconds:>8.1f} s{megabytes:>8.0f} MB\n")
    sys.stdout.write(f"the models are {'equal' if same else 'DIFFERENT'}; ")
    sys.stdout.write(f"a worker may take {most_mb:.0f} MB: {max(workers_mb) <= most_mb}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
