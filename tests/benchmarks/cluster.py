"""Train on two local Dask workers, and alone, on the same rows: time, memory, equality.

``python tests/benchmarks/cluster.py [ROWS [FILES [NAME...]]]`` makes ROWS x 20 numeric attributes
in FILES files (2,000,000 in 8 by default; the folder of temporary files needs 600 bytes a row).
For the default learner, with costs, with a rule that is given, with weights of rows, with a worker
that is killed every few seconds, and for pessimistic pruning, or for those of these that are named,
it prints wall time and peak memory of one machine, of the process that leads the cluster and of
each worker, and whether the models are equal.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.benchmarks.make_data import write  # noqa: E402 - the path comes first
from tests.benchmarks.processes import run  # noqa: E402
from widc_arff.__main__ import main as widc_arff  # noqa: E402
from widc_arff.cluster import crew as crews  # noqa: E402

KILLS, KILL_EVERY_S = 5, 4.0
VARIANTS = {
    "default": (),
    "killed": (),
    "weights": (),
    "costs": ("--costs", "costs.cost"),
    "rule": ("--rules", "rules.txt"),
    "pessimistic": ("--pruning", "pessimistic", "--cut-points", "quantile:32"),
}


def peak_mb() -> float:
    """Return the peak memory of this process."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1]) / 1024


def cut(whole: Path, n_files: int, *, weighted: bool) -> None:
    """Deal the rows of a file out to several files, and write them to one, weighted if wanted."""
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(whole.open("rb"))
        every = stack.enter_context(Path("all.arff").open("wb"))
        parts = [Path(f"part-{i}.arff") for i in range(n_files)]
        streams = [stack.enter_context(part.open("wb")) for part in parts]
        for line in file:
            for stream in (*streams, every):
                stream.write(line)
            if line.startswith(b"@data"):
                break
        for number, line in enumerate(file):
            row = line
            if weighted:
                row = line.rstrip() + b", {%.3f}\n" % (0.25 + number % 7 / 4)
            streams[number % n_files].write(row)
            every.write(row)


def kill_workers(crew: crews.DaskCrew, n_left: int) -> None:
    """Kill a worker every few seconds."""
    if n_left:
        timer = Timer(KILL_EVERY_S, _kill_one, (crew, n_left))
        timer.daemon = True
        timer.start()


def _kill_one(crew: crews.DaskCrew, n_left: int) -> None:
    with contextlib.suppress(Exception):  # while another one starts
        os.kill(crew.on_each(os.getpid)[n_left % 2], signal.SIGKILL)
        sys.stderr.write("a worker was killed\n")
    kill_workers(crew, n_left - 1)


def lead(variant: str, files: str = "part-*.arff") -> None:
    """Be the process that leads the cluster, and print the peak memory of all."""
    connected = crews.connected

    @contextlib.contextmanager
    def watched(address: str):
        with connected(address) as crew:
            if variant == "killed":
                kill_workers(crew, KILLS)
            yield crew
            peaks = [f"{mb:.0f}" for mb in crew.on_each(peak_mb)]
            sys.stderr.write(f"{peak_mb():.0f} MB leads, workers {', '.join(peaks)} MB\n")

    crews.connected = watched
    arguments = ["train", files, "--dask", "local", "--quiet", "--model", "together.json"]
    sys.argv[1:] = [*arguments, *VARIANTS[variant]]
    widc_arff()


def main(rows: str = "2_000_000", files: str = "8", *names: str) -> None:
    """Print the lines of each variant."""
    with TemporaryDirectory() as name, contextlib.chdir(name):
        whole = Path("whole.arff")
        write("numeric20", int(rows), whole)
        Path("costs.cost").write_text("2 2\n0 1\n3 0\n", encoding="ascii")
        text = whole.read_text(encoding="ascii", errors="replace")[:4000]
        labels = re.search(r"@attribute class \{(\w+), *(\w+)\}", text, re.IGNORECASE)
        attribute = re.search(r"@attribute (\w+) (?:numeric|real)", text, re.IGNORECASE)
        assert labels is not None
        assert attribute is not None
        rule = f"if {attribute[1]} > 0.5 then {labels[1]}\n"
        Path("rules.txt").write_text(rule, encoding="ascii")
        for variant in names or VARIANTS:
            cut(whole, int(files), weighted=variant == "weights")
            train = [sys.executable, "-m", "widc_arff", "train", str(Path("all.arff").resolve())]
            options = [str(Path(x).resolve()) if "." in x else x for x in VARIANTS[variant]]
            model = str(Path("alone.json").resolve())
            alone = run([*train, "--quiet", "--model", model, *options])
            start = time.perf_counter()
            leading = [sys.executable, __file__, "lead", variant]
            told = subprocess.run(leading, capture_output=True, text=True, check=True)
            seconds = time.perf_counter() - start
            same = Path("together.json").read_bytes() == Path("alone.json").read_bytes()
            sys.stdout.write(
                f"{variant}: alone {alone.seconds:.1f} s, {alone.peak_mb:.0f} MB; on two workers "
                f"{seconds:.1f} s, {told.stderr.strip().replace(chr(10), '; ')}; "
                f"the models are {'equal' if same else 'DIFFERENT'}\n"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    lead(*sys.argv[2:]) if sys.argv[1:2] == ["lead"] else main(*sys.argv[1:])
