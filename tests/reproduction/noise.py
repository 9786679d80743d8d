"""Figure 4 of the paper: error and size on XD6 under growing noise, and the target found."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.reproduction.document import Block, Heading, Table
from tests.reproduction.learners import J48, PESSIMISTIC, REFINED, Learner
from tests.reproduction.plots import Panel, Series, plot
from tests.reproduction.problems import xd6_problem
from tests.reproduction.results import FOLDS, shown
from tests.reproduction.runs import Task
from tests.reproduction.statistics import measured
from tests.reproduction.xd6 import bayes_error

if TYPE_CHECKING:
    from tests.reproduction.results import Results
    from tests.reproduction.runs import Run

LEVELS = tuple(round(0.02 * step, 2) for step in range(21))
KINDS = ("class", "attribute")
SHARES = ("target", "equivalent")
"""Measures that are shares of the folds."""

LEARNERS = (PESSIMISTIC, REFINED, J48)


@dataclass(frozen=True, slots=True)
class Figure4:
    """Error and size of WIDC(p), refined, J48 and the Bayes rule.

    Parameters
    ----------
    samples : int
        Samples of 512 examples at each level of noise, each with ten folds.
    seed : int
        Of the first sample, and of its folds.
    levels : tuple of float
        Probabilities of a flip.
    """

    samples: int
    seed: int
    levels: tuple[float, ...] = LEVELS

    def tasks(self) -> list[Task]:
        """Return the runs that it takes."""
        return [
            task
            for kind in KINDS
            for level in self.levels
            for learner in LEARNERS
            for task in self._tasks_of(kind, level, learner)
        ]

    def blocks(self, results: Results) -> list[Block]:
        """Return the plots, and a table for each kind of noise."""
        caption = (
            "XD6 under class noise (left) and attribute noise (right): error, size (conditions; "
            "inner nodes of J48's tree) and the share of the folds whose committee holds all three "
            "conjunctions of the target. WIDC and J48: means over ten folds of "
            f"{self.samples} samples of 512 examples."
        )
        return [
            Heading("Figure 4: noise"),
            plot("figure4", caption, self._panels(results), 2),
            self._reached(results),
            *(self._table(results, kind) for kind in KINDS),
        ]

    def _tasks_of(self, kind: str, level: float, learner: Learner) -> list[Task]:
        noise = (level, 0.0) if kind == "class" else (0.0, level)
        seeds = range(self.seed, self.seed + self.samples)
        return [Task(xd6_problem(seed, *noise), learner, FOLDS, 1, seed) for seed in seeds]

    def _curve(self, results: Results, kind: str, learner: Learner, measure: str) -> list[float]:
        return [self._value(results, kind, level, learner, measure) for level in self.levels]

    def _value(
        self, results: Results, kind: str, level: float, learner: Learner, measure: str
    ) -> float:
        runs = results.find(self._tasks_of(kind, level, learner))
        if measure in SHARES:
            return _share(runs, measure)
        return measured(runs, measure).mean

    def _panels(self, results: Results) -> list[Panel]:
        percent = [100 * level for level in self.levels]
        panels = []
        for measure, unit in (
            ("error", "error in percent"),
            ("conditions", "conditions; inner nodes"),
            ("target", "folds with the target, percent"),
        ):
            for kind in KINDS:
                series = [
                    Series(
                        learner.name,
                        percent,
                        self._curve(results, kind, learner, measure),
                        place,
                        is_line=True,
                    )
                    for place, learner in enumerate(LEARNERS)
                ]
                if measure == "error":
                    bayes = [100 * _bayes(kind, level) for level in self.levels]
                    series.append(Series("Bayes rule", percent, bayes, 3, is_line=True))
                panels.append(Panel(f"{kind} noise", f"{kind} noise in percent", unit, series))
        return panels

    def _reached(self, results: Results) -> Table:
        """Return up to which level every fold finds the target: all samples, and one by one."""
        rows = []
        for kind in KINDS:
            for learner in (PESSIMISTIC, REFINED):
                for measure in SHARES:
                    runs = [results.find(self._tasks_of(kind, x, learner)) for x in self.levels]
                    one_by_one = [
                        highest_level(self.levels, [_share(at[i : i + 1], measure) for at in runs])
                        for i in range(self.samples)
                    ]
                    together = highest_level(self.levels, [_share(at, measure) for at in runs])
                    sorted_levels = sorted(-1.0 if x is None else x for x in one_by_one)
                    middle = sorted_levels[(len(sorted_levels) - 1) // 2]
                    found = (together, middle, sorted_levels[0], sorted_levels[-1])
                    name = f"{learner.name}, {kind} noise, {measure}"
                    rows.append((name, *map(_level_in_words, found)))
        caption = (
            "The highest level of noise up to which the committees of all folds hold the target, "
            "or are equivalent to it: folds of all samples together, and the ten folds of each "
            f"sample (the lower median, the least and the greatest of {self.samples}). The paper, "
            "with one sample: some committees no longer hold it from 12 % class noise and 16 % "
            "attribute noise on."
        )
        heads = ("committees", "all folds", "a sample: median", "least", "greatest")
        return Table(caption, heads, tuple(rows))

    def _table(self, results: Results, kind: str) -> Table:
        measures = ("error", "conditions", *SHARES)
        columns = [
            (learner, measure, self._curve(results, kind, learner, measure))
            for measure in measures
            for learner in LEARNERS
        ]
        columns = [column for column in columns if not all(map(math.isnan, column[2]))]
        rows = [
            (
                f"{level:.0%}",
                shown(100 * _bayes(kind, level)),
                *(shown(curve[i], 0 if measure in SHARES else 1) for _, measure, curve in columns),
            )
            for i, level in enumerate(self.levels)
        ]
        heads = [f"{learner.name}: {measure}" for learner, measure, _ in columns]
        caption = (
            f"XD6, {kind} noise: error in percent; conditions, of J48 inner nodes; target, "
            "equivalent: share of the folds whose committee holds the target, or decides every "
            "input as it does, in percent."
        )
        return Table(caption, (f"{kind} noise", "Bayes: error", *heads), tuple(rows))


def highest_level(levels: tuple[float, ...], shares: list[float]) -> float | None:
    """Return the highest level up to which all shares are 100 percent; None if there is none."""
    reached = None
    for level, share in zip(levels, shares, strict=True):
        if not share >= 100:  # also where there is no result
            break
        reached = level
    return reached


def _share(runs: list[Run], measure: str) -> float:
    return 100 * measured(runs, measure).mean


def _level_in_words(level: float | None) -> str:
    return "none" if level is None or level < 0 else f"{level:.0%}"


def _bayes(kind: str, level: float) -> float:
    return bayes_error(level) if kind == "class" else bayes_error(0.0, level)
