"""More files than the paper has: the refined pruning, J48 and JRip, none left out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tests.reproduction.document import Block, Heading, Listing, Paragraph, Table
from tests.reproduction.learners import J48, JRIP, PESSIMISTIC, REFINED
from tests.reproduction.plots import Panel, Series, plot
from tests.reproduction.results import (
    FOLDING_RULE,
    Matrix,
    best_marked,
    comparison_table,
    complete,
    mean,
    shown,
)

if TYPE_CHECKING:
    from tests.reproduction.learners import Learner
    from tests.reproduction.problems import Collection
    from tests.reproduction.results import Results
    from tests.reproduction.runs import Task

LEARNERS = (REFINED, PESSIMISTIC, J48, JRIP)
FIRST = LEARNERS[0]
"""Refined, which the others are compared with."""

ENOUGH_ROWS = 100
"""For means and comparisons that files of a few rows do not disturb."""


@dataclass(frozen=True, slots=True)
class Extra:
    """Error and size on the files of another folder.

    Parameters
    ----------
    collection : Collection
        Its problems.
    domains : tuple of Problem
        Those of Table 1, for the comparison over both.
    repeats, seed : int
        Of the cross-validations.
    """

    collection: Collection
    domains: Collection
    repeats: int
    seed: int

    @property
    def matrix(self) -> Matrix:
        """The learners over the files."""
        return Matrix(self.collection.problems, LEARNERS, self.repeats, self.seed)

    @property
    def both(self) -> Matrix:
        """The learners over the files and over the domains of Table 1."""
        problems = self.domains.problems + self.collection.problems
        return Matrix(problems, LEARNERS, self.repeats, self.seed)

    def tasks(self) -> list[Task]:
        """Return the runs that it takes."""
        return self.both.tasks()

    def blocks(self, results: Results) -> list[Block]:
        """Return the tables, what was left out, and a plot."""
        matrix = self.matrix
        listed = [f"{name}: {reason}" for name, reason in self.collection.left_out]
        blocks: list[Block] = [
            Heading("Other files"),
            Paragraph(
                f"{len(matrix.problems)} classification files besides those of Table 1, "
                f"{self.repeats} × 10-fold cross-validation, the same folds for every learner. "
                f"{FOLDING_RULE} String and relational attributes are left out, attribute weights "
                "too."
            ),
            self._table(results),
            self._files(),
            *self._comparisons(results),
        ]
        if listed:
            blocks += [Paragraph("Files that are not run:"), Listing(tuple(listed))]
        faults = matrix.faults(results)
        if faults:
            blocks += [Paragraph("Learners that gave no result:"), Listing(tuple(faults))]
        return blocks

    def _table(self, results: Results) -> Table:
        matrix = self.matrix
        learners = matrix.present(results)
        errors = [matrix.means(results, learner, "error") for learner in learners]
        sizes = [matrix.means(results, learner, "conditions") for learner in learners]
        rows = []
        for i, problem in enumerate(matrix.problems):
            values = [column[i] for column in errors]
            cells = best_marked([shown(value) for value in values], values)
            rows.append((problem.name, *cells, *(shown(column[i]) for column in sizes)))
        everywhere = complete(errors)
        larger = [i for i in everywhere if matrix.problems[i].shape[0] >= ENOUGH_ROWS]
        last = [
            (name, *(shown(mean([column[i] for i in chosen]), 2) for column in errors + sizes))
            for name, chosen in (
                (f"mean of {len(everywhere)}", everywhere),
                (f"of {len(larger)}, {ENOUGH_ROWS} rows or more", larger),
            )
        ]
        heads = ["file", *(learner.name for learner in learners)]
        heads += [f"{learner.name}: conditions" for learner in learners]
        caption = (
            "Error in percent, then conditions, of J48 inner nodes (means over the folds). "
            "The least error of a row stands out. Means: over the files on which all have a result."
        )
        return Table(caption, tuple(heads), tuple(rows), tuple(last))

    def _files(self) -> Table:
        rows = []
        for problem in self.collection.problems:
            folds, repeats = self.matrix.folding(problem)
            counts = [str(number) for number in problem.shape]
            ignored = ", ".join(problem.ignore) or "–"
            rows.append((problem.name, *counts, problem.label, f"{repeats} × {folds}", ignored))
        heads = ("file", "rows", "attributes", "classes", "class", "repeats × folds", "left out")
        caption = "The files: attributes in use without the class; classes that occur."
        return Table(caption, heads, tuple(rows))

    def _comparisons(self, results: Results) -> list[Block]:
        larger = tuple(p for p in self.collection.problems if p.shape[0] >= ENOUGH_ROWS)
        sets = [("other files", self.matrix)]
        if larger:
            name = f"those of {ENOUGH_ROWS} rows or more"
            sets.append((name, replace(self.matrix, problems=larger)))
        if self.domains.problems:
            sets.append(("all", self.both))
        others = [learner for learner in self.matrix.present(results) if learner != FIRST]
        blocks: list[Block] = []
        for measure, unit in (("error", "mean error in percent"), ("conditions", "mean number")):
            rows = [
                (FIRST.name, f"{learner.name}, {name}", m.compare(results, FIRST, learner, measure))
                for name, m in sets
                for learner in others
            ]
            caption = f"Compared by {measure} ({unit}). p: two-sided Wilcoxon signed-rank test."
            blocks.append(comparison_table(caption, rows))
        if J48 in others:
            blocks.append(self._plot(results, J48))
        return blocks

    def _plot(self, results: Results, other: Learner) -> Block:
        panels = []
        for measure in ("error", "conditions"):
            series = []
            domains = Matrix(self.domains.problems, LEARNERS, self.repeats, self.seed)
            for place, (name, matrix) in enumerate(
                (("Table 1", domains), ("other files", self.matrix))
            ):
                x, y = (matrix.means(results, learner, measure) for learner in (FIRST, other))
                series.append(Series(name, x, y, place, is_hollow=place == 1))
            panels.append(
                Panel(
                    "error in percent" if measure == "error" else "conditions, inner nodes",
                    FIRST.name,
                    other.name,
                    series,
                    is_square=True,
                    is_logarithmic=measure == "conditions",
                )
            )
        caption = (
            f"{FIRST.name} and {other.name}, a point per file: above the line {FIRST.name} is "
            "better. Sizes on logarithmic axes."
        )
        return plot("others", caption, panels, 2)
