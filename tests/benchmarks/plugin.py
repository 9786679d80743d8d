"""Time warm trainings through Weka beside J48 and JRip in the same JVM, and in Python.

``python tests/benchmarks/plugin.py [FILE ...]`` needs java and weka.jar; medians in milliseconds.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from statistics import mean, median

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.weka.plugin import run_probe  # noqa: E402 - the path comes first
from widc_arff import Dataset, induce, read_arff  # noqa: E402

REPEATS = {"rules.JRip": 400, "trees.J48": 400, "rules.WIDC": 40}
"""Trainings of each learner; the first half is for the JVM to warm up."""


def main(paths: list[Path]) -> None:
    cases = {
        f"{learner} {path}": ("speed", f"weka.classifiers.{learner}", path.resolve(), repeats)
        for path in paths
        for learner, repeats in REPEATS.items()
    }
    printed = run_probe(cases)
    rows = []
    for path in paths:
        in_weka = (warm(printed[f"{learner} {path}"]) for learner in REPEATS)
        rows.append((path.stem, *in_weka, in_python(path)))
    if len(rows) > 1:
        rows.append(("mean", *(mean(column) for column in list(zip(*rows, strict=True))[1:])))
    heads = ("", "JRip", "J48", "WIDC", "in Python")
    sys.stdout.write(f"{heads[0]:<20}" + "".join(f"{head:>11}" for head in heads[1:]) + "\n")
    for name, *times in rows:
        sys.stdout.write(f"{name:<20}" + "".join(f"{ms:11.1f}" for ms in times) + "\n")


def warm(lines: list[str]) -> float:
    times = [float(line.split("\t")[1]) for line in lines if line.startswith("ms\t")]
    return median(times[len(times) // 2 :])


def in_python(path: Path) -> float:
    dataset = Dataset.from_relation(read_arff(path))
    times = []
    for _ in range(REPEATS["rules.WIDC"]):
        start = time.perf_counter()
        induce(dataset)
        times.append(1000 * (time.perf_counter() - start))
    return median(times[len(times) // 2 :])


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]] or [ROOT / "arff_data" / "iris.arff"])
