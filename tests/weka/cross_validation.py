"""Small data sets, cross-validated by Weka in one run of Java, and what Weka found."""

from __future__ import annotations

import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from itertools import cycle, product
from pathlib import Path

import numpy as np

from tests.weka.installation import JVM_OPTIONS, java, weka_jar

PROGRAM = Path(__file__).with_name("Folds.java")
CLASSIFIERS = ("weka.classifiers.trees.J48", "weka.classifiers.bayes.NaiveBayes")
SEEDS = (1, 2, -5, 42)
FOLDS = (2, 3, 10)


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A data set; its class codes are -1 where the class is missing."""

    name: str
    classes: np.ndarray
    weights: np.ndarray
    n_classes: int

    def to_arff(self) -> str:
        """Return the rows with their numbers, a numeric and a nominal attribute, and the class."""
        generator = np.random.default_rng(len(self.classes))
        labels = [f"c{code}" for code in range(self.n_classes)]
        lines = [
            f"@relation {self.name}",
            "@attribute row numeric",
            "@attribute size numeric",
            "@attribute colour {red,green,blue}",
            f"@attribute class {{{','.join(labels)}}}",
            "@data",
        ]
        for row, (code, weight) in enumerate(zip(self.classes, self.weights, strict=True)):
            size = round(float(generator.normal(code, 1.5)), 1)
            colour = ("red", "green", "blue")[int(generator.integers(code + 3)) % 3]
            label = labels[code] if code >= 0 else "?"
            lines.append(f"{row},{size},{colour},{label},{{{weight}}}")
        return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """A cross-validation and all that Weka printed about it; numbers by name, line by line."""

    sample: Sample
    n_folds: int
    seed: int
    folds: tuple[tuple[int, ...], ...]
    numbers: dict[str, np.ndarray]

    def __str__(self) -> str:
        return f"{self.sample.name}, {self.n_folds} folds, seed {self.seed}"


def samples() -> tuple[Sample, ...]:
    """Return data sets with two and many classes, rare, absent and missing ones, and weights."""
    generator = np.random.default_rng(7)
    few = generator.integers(2, size=14)
    some = generator.choice([0, 1, 2, 3, 5], size=97, p=[0.5, 0.3, 0.1, 0.08, 0.02])
    unlabelled = np.where(generator.random(61) < 0.2, -1, generator.integers(3, size=61))
    many = generator.integers(26, size=260)
    return (
        Sample("two_classes", few, np.ones(14), 2),
        Sample("rare_and_absent_classes", some, np.ones(97), 6),
        Sample("missing_classes", unlabelled, generator.integers(1, 4, 61), 3),
        Sample("many_classes", many, np.ones(260), 26),
        Sample("weights", some[:64], generator.choice([0.25, 1.0, 2.5], 64), 6),
    )


@cache
def answers() -> tuple[Answer, ...]:
    """Return Weka's answer to every pair of data set, number of folds and seed."""
    cases = list(product(samples(), FOLDS, SEEDS))
    with tempfile.TemporaryDirectory() as folder:
        for sample in samples():
            path = Path(folder) / f"{sample.name}.arff"
            path.write_text(sample.to_arff(), encoding="utf-8")
        lines = [
            f"{folder}/{sample.name}.arff\t{n_folds}\t{seed}\t{classifier}\n"
            for (sample, n_folds, seed), classifier in zip(cases, cycle(CLASSIFIERS), strict=False)
        ]
        case_file = Path(folder) / "cases.txt"
        case_file.write_text("".join(lines), encoding="utf-8")
        printed = run_weka(PROGRAM, str(case_file))
    blocks = printed.split("case\n")[1:]
    return tuple(Answer(*case, *_parsed(block)) for case, block in zip(cases, blocks, strict=True))


def run_weka(program: Path, *arguments: str) -> str:
    """Run a Java program of one source file with Weka and return what it prints."""
    launcher, jar = java(), weka_jar()
    if launcher is None or jar is None:
        raise RuntimeError("expected Java and weka.jar; set JAVA_HOME and WEKA_JAR")
    command = [launcher, *JVM_OPTIONS, "-cp", str(jar), str(program), *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise RuntimeError(f"Weka failed:\n{done.stderr}")
    return done.stdout


def _parsed(block: str) -> tuple[tuple[tuple[int, ...], ...], dict[str, np.ndarray]]:
    """Return the folds and the numbers of one case."""
    folds: list[tuple[int, ...]] = []
    rows: dict[str, list[list[float]]] = {}
    for line in block.splitlines():
        name, *fields = line.split("\t")
        if name == "fold":
            folds.append(tuple(map(int, fields)))
        else:
            rows.setdefault(name, []).append([float(field) for field in fields])
    return tuple(folds), {name: np.array(values) for name, values in rows.items()}
