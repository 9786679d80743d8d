"""Learners side by side over problems: which runs that takes, and what came out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.reproduction.document import Strong, Table
from tests.reproduction.runs import Task, fingerprint_of
from tests.reproduction.statistics import Comparison, Measured, compare, measured

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tests.reproduction.learners import Learner
    from tests.reproduction.problems import StudyProblem
    from tests.reproduction.runs import Run, RunFile

FOLDS = 10
BIG, VERY_BIG = 20_000, 300_000
"""Rows times attributes above which a file gets one repeat; above which that has 5 folds."""

FOLDING_RULE = (
    f"Files with more than {BIG:,} values (rows times attributes) get one repeat, those with more "
    f"than {VERY_BIG:,} one repeat of 5 folds, those with fewer than {FOLDS} rows as many folds as "
    "rows."
)


@dataclass(frozen=True, slots=True)
class Results:
    """The runs made, found by their tasks."""

    runs: RunFile
    other_versions: Mapping[str, str]

    def find(self, tasks: Iterable[Task]) -> list[Run]:
        """Return the runs of tasks; empty if one is not there."""
        found = [self.runs.get(fingerprint_of(task, self.other_versions)) for task in tasks]
        return [run for run in found if run is not None] if all(found) else []


@dataclass(frozen=True, slots=True)
class Matrix:
    """Learners over problems, the same folds for all.

    Parameters
    ----------
    problems : tuple of StudyProblem
        Rows.
    learners : tuple of Learner
        Columns.
    repeats : int
        Most repeats of the cross-validation; `FOLDING_RULE` says where there are fewer.
    seed : int
        Of the first repeat.
    """

    problems: tuple[StudyProblem, ...]
    learners: tuple[Learner, ...]
    repeats: int
    seed: int

    def folding(self, problem: StudyProblem) -> tuple[int, int]:
        """Return folds and repeats for a problem."""
        rows, attributes, _ = problem.shape
        folds = min(FOLDS, rows)
        if rows * attributes <= BIG:
            return folds, self.repeats
        return (folds if rows * attributes <= VERY_BIG else 5), 1

    def tasks_of(self, problem: StudyProblem, learner: Learner) -> list[Task]:
        """Return the repeats of a learner on a problem."""
        folds, repeats = self.folding(problem)
        return [Task(problem, learner, folds, r + 1, self.seed + r) for r in range(repeats)]

    def tasks(self) -> list[Task]:
        """Return all runs."""
        return [
            task
            for problem in self.problems
            for learner in self.learners
            for task in self.tasks_of(problem, learner)
        ]

    def column(self, results: Results, learner: Learner, measure: str) -> list[Measured]:
        """Return a measure of a learner on each problem."""
        return [
            measured(results.find(self.tasks_of(problem, learner)), measure)
            for problem in self.problems
        ]

    def means(self, results: Results, learner: Learner, measure: str) -> list[float]:
        """Return the means of `column`."""
        return [value.mean for value in self.column(results, learner, measure)]

    def compare(
        self, results: Results, first: Learner, second: Learner, measure: str
    ) -> Comparison:
        """Compare two learners over the problems."""
        return compare(self.means(results, first, measure), self.means(results, second, measure))

    def present(self, results: Results) -> tuple[Learner, ...]:
        """Return the learners that have a result on some problem."""
        return tuple(
            learner
            for learner in self.learners
            if not all(map(math.isnan, self.means(results, learner, "error")))
        )

    def faults(self, results: Results) -> list[str]:
        """Return which learner failed on which problem, and why."""
        told = []
        for problem in self.problems:
            for learner in self.learners:
                reasons = [run.fault for run in results.find(self.tasks_of(problem, learner))]
                told += [
                    f"{problem.name}, {learner.name}: {reason}" for reason in reasons[:1] if reason
                ]
        return told


def shown(value: float, digits: int = 1) -> str:
    """Return a number in few digits; a dash for none."""
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


def with_spread(value: Measured, digits: int = 1) -> str:
    """Return a mean with its spread."""
    if math.isnan(value.spread):
        return shown(value.mean, digits)
    return f"{value.mean:.{digits}f} ± {value.spread:.{digits}f}"


def best_marked(cells: Sequence[str], values: Sequence[float]) -> list[str]:
    """Return the cells with the least values standing out."""
    least = min((value for value in values if not math.isnan(value)), default=math.nan)
    return [
        Strong(cell) if value <= least + 1e-9 else cell
        for cell, value in zip(cells, values, strict=True)
    ]


def mean(values: Sequence[float]) -> float:
    """Return the mean of the numbers that are there."""
    there = [value for value in values if not math.isnan(value)]
    return sum(there) / len(there) if there else math.nan


def complete(columns: Sequence[Sequence[float]]) -> list[int]:
    """Return the rows in which every column has a number."""
    rows = zip(*columns, strict=True)
    return [i for i, row in enumerate(rows) if not any(map(math.isnan, row))]


def comparison_table(caption: str, comparisons: Sequence[tuple[str, str, Comparison]]) -> Table:
    """Return comparisons, each named by its two learners and the measure in the first cell."""
    rows = [
        (
            f"{first} : {second}",
            str(c.n),
            shown(c.first, 2),
            shown(c.second, 2),
            f"{c.better} / {c.equal} / {c.worse}",
            p_value(c.p),
        )
        for first, second, c in comparisons
        if c.n
    ]
    heads = ("A : B", "domains", "A", "B", "A better / equal / worse", "p")
    return Table(caption, heads, tuple(rows))


def p_value(p: float) -> str:
    """Return a p-value in words of three digits."""
    return "–" if math.isnan(p) else "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")
