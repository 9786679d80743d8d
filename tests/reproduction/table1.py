"""Tables 1 and 2 of the paper: error and size of the variants over the domains."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.reproduction.document import Block, Heading, Listing, Paragraph, Table
from tests.reproduction.learners import (
    J48,
    JRIP,
    NEAREST,
    OPTIMISTIC,
    PESSIMISTIC,
    REFINED,
    REFINED_SMALL,
    UNPRUNED,
    Learner,
)
from tests.reproduction.plots import Panel, Series, plot
from tests.reproduction.published import Published, published
from tests.reproduction.results import (
    FOLDING_RULE,
    Matrix,
    best_marked,
    comparison_table,
    mean,
    p_value,
    shown,
    with_spread,
)
from tests.reproduction.statistics import compare

if TYPE_CHECKING:
    from tests.reproduction.problems import Collection
    from tests.reproduction.results import Results
    from tests.reproduction.runs import Task

PAPER = {OPTIMISTIC: "optimistic", PESSIMISTIC: "pessimistic", UNPRUNED: "none"}
"""The variants of Table 1, and their keys among the published figures."""

MEASURES = ("error", "rules", "conditions")
"""In the order of the published figures."""

LEARNERS = (OPTIMISTIC, PESSIMISTIC, UNPRUNED, REFINED, REFINED_SMALL, J48, JRIP, NEAREST)
PAIRS = [
    (refined, other)
    for refined in (REFINED, REFINED_SMALL)
    for other in (PESSIMISTIC, OPTIMISTIC, UNPRUNED, J48, JRIP, NEAREST)
]
PAIRS += [(PESSIMISTIC, other) for other in (OPTIMISTIC, UNPRUNED, J48, JRIP, NEAREST)]


@dataclass(frozen=True, slots=True)
class Table1:
    """Error, rules and conditions, ours and the printed ones, and J48, JRip and 1-NN.

    Parameters
    ----------
    collection : Collection
        The domains.
    repeats, seed : int
        Of the cross-validations.
    """

    collection: Collection
    repeats: int
    seed: int

    @property
    def matrix(self) -> Matrix:
        """All learners over the domains."""
        return Matrix(self.collection.problems, LEARNERS, self.repeats, self.seed)

    def tasks(self) -> list[Task]:
        """Return the runs that it takes."""
        return self.matrix.tasks()

    def blocks(self, results: Results) -> list[Block]:
        """Return the tables."""
        matrix = self.matrix
        n = len(matrix.problems)
        blocks: list[Block] = [
            Heading("Table 1: error and size"),
            Paragraph(
                f"{n} domains, {self.repeats} × 10-fold stratified cross-validation with the "
                f"folds of Weka (seeds from {self.seed}); the same folds for every learner. ±: "
                "standard deviation over all folds. The least error of a row stands out. "
                f"{FOLDING_RULE}"
            ),
            self._table(results, "error", "Error in percent. Paper: as printed in Table 1."),
            self._table(
                results,
                "conditions",
                "Conditions of a committee or of JRip's rules; inner nodes of J48's tree.",
            ),
            self._table(
                results, "rules", "Rules, default rules and vectors not counted; J48: leaves."
            ),
            *self._comparisons(results),
        ]
        faults = matrix.faults(results)
        faults += [f"{name}: {reason}" for name, reason in self.collection.left_out]
        if faults:
            blocks += [Paragraph("Not run:"), Listing(tuple(faults))]
        return blocks

    def headline(self, results: Results) -> list[str]:
        """Return the means in a line per learner, and how refined compares."""
        matrix, lines = self.matrix, []
        for learner in matrix.present(results):
            error = mean(matrix.means(results, learner, "error"))
            size = mean(matrix.means(results, learner, "conditions"))
            line = f"{learner.name}: {shown(error)} % error"
            if not math.isnan(size):
                line += f", {shown(size)} {'inner nodes' if learner.is_tree else 'conditions'}"
            if learner in PAPER:
                theirs = [mean(_printed(matrix, learner, k)) for k in (0, 2)]
                line += f" (paper: {shown(theirs[0])} %, {shown(theirs[1])})"
            lines.append(line)
        for other in (PESSIMISTIC, J48, JRIP):
            c = matrix.compare(results, REFINED, other, "error")
            if c.n:
                lines.append(
                    f"refined against {other.name}: less error on {c.better} domains, equal on "
                    f"{c.equal}, more on {c.worse}; Wilcoxon p {p_value(c.p)}"
                )
        return lines

    def _table(self, results: Results, measure: str, caption: str) -> Table:
        matrix = self.matrix
        learners = [
            learner for learner in matrix.present(results) if learner.has_size or measure == "error"
        ]
        columns = [matrix.column(results, learner, measure) for learner in learners]
        lines = published()
        rows = []
        for i, problem in enumerate(matrix.problems):
            values = [column[i] for column in columns]
            cells = [with_spread(value) for value in values]
            if measure == "error":
                cells = best_marked(cells, [value.mean for value in values])
            rows.append(
                (problem.name, *_with_paper(learners, cells, lines.get(problem.name), measure))
            )
        means = [shown(mean([value.mean for value in column]), 2) for column in columns]
        last = ["mean"]
        for learner, text in zip(learners, means, strict=True):
            last.append(text)
            if learner in PAPER:
                last.append(shown(mean(_printed(matrix, learner, MEASURES.index(measure))), 2))
        heads = ["domain"]
        for learner in learners:
            heads += [learner.name, "paper"] if learner in PAPER else [learner.name]
        if measure == "error":
            heads.append("paper, others")
            last.append("")
        return Table(caption, tuple(heads), tuple(rows), (tuple(last),))

    def _comparisons(self, results: Results) -> list[Block]:
        matrix = self.matrix
        present = matrix.present(results)
        pairs = [pair for pair in PAIRS if set(pair) <= set(present)]
        by_error = [(a.name, b.name, matrix.compare(results, a, b, "error")) for a, b in pairs]
        for learner, key in PAPER.items():
            ours = matrix.means(results, learner, "error")
            by_error.append(
                (learner.name, f"as printed ({key})", compare(ours, _printed(matrix, learner, 0)))
            )
        by_size = [
            (a.name, b.name, matrix.compare(results, a, b, "conditions"))
            for a, b in pairs
            if b.has_size
        ]
        tail = "p: two-sided Wilcoxon signed-rank test over the domains; better: less."
        return [
            comparison_table(f"Errors compared (mean in percent). {tail}", by_error),
            comparison_table(f"Conditions compared, inner nodes of J48 (mean). {tail}", by_size),
        ]


@dataclass(frozen=True, slots=True)
class Table2:
    """The three variants against one another, a point per domain."""

    table1: Table1

    def tasks(self) -> list[Task]:
        """Return the runs that it takes."""
        matrix = self.table1.matrix
        return [
            task
            for problem in matrix.problems
            for learner in PAPER
            for task in matrix.tasks_of(problem, learner)
        ]

    def blocks(self, results: Results) -> list[Block]:
        """Return the plot."""
        matrix = self.table1.matrix
        panels = [
            _panel(matrix, results, measure, *pair)
            for measure in ("error", "conditions")
            for pair in ((OPTIMISTIC, PESSIMISTIC), (OPTIMISTIC, UNPRUNED), (PESSIMISTIC, UNPRUNED))
        ]
        caption = (
            "Errors (above) and sizes (below) of the three variants, a point per domain. A point "
            "above the line is a domain on which the variant of the horizontal axis is better."
        )
        return [
            Heading("Table 2: the three variants against one another"),
            plot("table2", caption, panels, 3),
        ]


def _panel(matrix: Matrix, results: Results, measure: str, x: Learner, y: Learner) -> Panel:
    here = [matrix.means(results, learner, measure) for learner in (x, y)]
    column = MEASURES.index(measure)
    there = [_printed(matrix, learner, column) for learner in (x, y)]
    unit = "error in percent" if measure == "error" else "conditions"
    return Panel(
        f"{y.name} against {x.name}",
        f"{x.name}, {unit}",
        f"{y.name}, {unit}",
        (
            Series("here", here[0], here[1]),
            Series("paper", there[0], there[1], place=1, is_hollow=True),
        ),
        is_square=True,
    )


def _printed(matrix: Matrix, learner: Learner, column: int) -> list[float]:
    """Return the published figures of a variant on the problems; NaN where there is none."""
    lines, key = published(), PAPER[learner]
    return [
        lines[problem.name].results[key][column] if problem.name in lines else math.nan
        for problem in matrix.problems
    ]


def _with_paper(
    learners: list[Learner], cells: list[str], line: Published | None, measure: str
) -> list[str]:
    """Return the cells of a row with the published figures between them."""
    row = []
    for learner, cell in zip(learners, cells, strict=True):
        row.append(cell)
        if learner in PAPER:
            figure = line.results[PAPER[learner]][MEASURES.index(measure)] if line else math.nan
            row.append(shown(figure))
    if measure == "error":
        row.append(f"{shown(line.other_error)} {line.other_system}" if line else "–")
    return row
