"""Time a warm training on iris through Weka against the same in Python.

``python tests/benchmarks/plugin.py`` needs java and weka.jar.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.weka.plugin import run_probe  # noqa: E402 - the path comes first
from widc_arff import Dataset, induce, read_arff  # noqa: E402

IRIS = ROOT / "arff_data" / "iris.arff"
REPEATS = 40


def main() -> None:
    dataset = Dataset.from_relation(read_arff(IRIS))
    in_python = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        induce(dataset)
        in_python.append(1000 * (time.perf_counter() - start))
    printed = run_probe({"speed": ("speed", IRIS, REPEATS)})["speed"]
    in_weka = [float(line.split("\t")[1]) for line in printed if line.startswith("ms\t")]
    for name, times in (("Python", in_python), ("Weka", in_weka)):
        sys.stdout.write(f"{name:<8} median {median(times):.1f} ms, least {min(times):.1f} ms\n")


if __name__ == "__main__":
    main()
