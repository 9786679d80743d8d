"""Time training as whole processes, side by side with Weka.

``python tests/benchmarks/training.py [ROWS|FILE [REPEATS]]`` runs each learner REPEATS times in
turn, on a file of ROWS x 20 numeric attributes or on FILE (class last), and prints the medians of
time and of peak memory.  Weka is left out where java or weka.jar is missing.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.weka.installation import java, weka_jar  # noqa: E402 - the path comes first

TRAIN = [sys.executable, "-m", "widc_arff", "train"]


def learners(data: Path) -> dict[str, list[str]]:
    """Return the command of each learner."""
    pessimistic = [*TRAIN, str(data), "--pruning", "pessimistic"]
    commands = {
        "refined": [*TRAIN, str(data)],
        "pessimistic": pessimistic,
        "pessimistic, quantile:32": [*pessimistic, "--cut-points", "quantile:32"],
    }
    jar, launcher = weka_jar(), java()
    if jar is not None and launcher is not None:
        for name in ("trees.J48", "rules.JRip"):
            classifier = f"weka.classifiers.{name}"
            arguments = [classifier, "-t", str(data), "-no-cv"]
            commands[name] = [launcher, "-cp", str(jar), *arguments]
    return commands


def run(command: list[str]) -> tuple[float, float]:
    """Return elapsed seconds and peak memory in MB of a child process."""
    code = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, "
    code += "stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL); "
    code += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    start = time.perf_counter()
    child = subprocess.run(
        [sys.executable, "-c", code, *command], check=True, capture_output=True, text=True, cwd=ROOT
    )
    return time.perf_counter() - start, int(child.stdout) / 1024


def measure(data: Path, repeats: int) -> None:
    """Print a line per learner."""
    runs: dict[str, list[tuple[float, float]]] = {}
    for _ in range(repeats):
        for name, command in learners(data).items():
            runs.setdefault(name, []).append(run(command))
    sys.stdout.write(f"{data.stem}, medians of {repeats}\n")
    for name, results in runs.items():
        elapsed_s, peak_mb = (median(column) for column in zip(*results, strict=True))
        sys.stdout.write(f"{name:<25}{elapsed_s:>8.2f} s{peak_mb:>8.0f} MB\n")


def main(what: str = "100_000", repeats: str = "3") -> None:
    """Measure on a file, or on one that is made."""
    if Path(what).is_file():
        measure(Path(what), int(repeats))
        return
    with TemporaryDirectory() as folder:
        data = Path(folder) / f"{what}x20.arff"
        maker = ROOT / "tests" / "benchmarks" / "make_data.py"
        subprocess.run([sys.executable, maker, str(int(what)), "20", data], check=True)
        measure(data, int(repeats))


if __name__ == "__main__":
    main(*sys.argv[1:])
