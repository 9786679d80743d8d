"""The open choices, studied: variants over all domains, the same folds for all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.reproduction.document import Block, Heading, Listing, Paragraph, Table
from tests.reproduction.learners import (
    OPTIMISTIC,
    PESSIMISTIC,
    REFINED,
    REFINED_SMALL,
    UNPRUNED,
    Learner,
    widc,
)
from tests.reproduction.plots import Panel, Series, plot
from tests.reproduction.results import FOLDING_RULE, Matrix, mean, p_value, shown

if TYPE_CHECKING:
    from tests.reproduction.problems import Collection
    from tests.reproduction.results import Results
    from tests.reproduction.runs import Task

CUT_POINTS = (*("mdl", "all", "quantile:4", "quantile:8", "quantile:16", "quantile:32", "width:8"),)


def _with_cut_points(pruning: str, name: str) -> list[Learner]:
    return [widc(f"{name}, {cuts}", pruning=pruning, cut_points=cuts) for cuts in CUT_POINTS]


GROUPS: tuple[tuple[str, tuple[Learner, ...]], ...] = (
    ("Pruning", (PESSIMISTIC, OPTIMISTIC, UNPRUNED, REFINED)),
    ("Cut points, pessimistic", (PESSIMISTIC, *_with_cut_points("pessimistic", "WIDC(p)"))),
    ("Cut points, refined", (REFINED, *_with_cut_points("refined", "refined"))),
    (
        "Penalty in bits per condition, refined",
        (
            REFINED,
            widc("refined 2", pruning="refined", penalty=2.0),
            REFINED_SMALL,
            widc("refined 8", pruning="refined", penalty=8.0),
        ),
    ),
)
"""Name and variants; the first is the default, which the others are compared with."""


@dataclass(frozen=True, slots=True)
class Study:
    """Variants of WIDC over the domains of Table 1 and over other files.

    Parameters
    ----------
    domains : Collection
        Those of Table 1.
    extra : Collection
        Other files.
    repeats, seed : int
        Of the cross-validations.
    groups : tuple of (str, tuple of Learner)
        Names of groups, and their variants.
    """

    domains: Collection
    extra: Collection
    repeats: int
    seed: int
    groups: tuple[tuple[str, tuple[Learner, ...]], ...] = GROUPS

    @property
    def learners(self) -> tuple[Learner, ...]:
        """All variants, each once."""
        return tuple(dict.fromkeys(v for _, learners in self.groups for v in learners))

    @property
    def sets(self) -> list[tuple[str, Matrix]]:
        """The sets of data, each with all variants."""
        sets = [
            ("Table 1", self.domains.problems),
            ("other files", self.extra.problems),
            ("all", self.domains.problems + self.extra.problems),
        ]
        if not self.extra.problems:
            sets = sets[:1]
        return [
            (name, Matrix(problems, self.learners, self.repeats, self.seed))
            for name, problems in sets
        ]

    def tasks(self) -> list[Task]:
        """Return the runs that it takes."""
        return self.sets[-1][1].tasks()

    def blocks(self, results: Results) -> list[Block]:
        """Return a table for each choice, and a plot."""
        sizes = ", ".join(f"{name}: {len(matrix.problems)}" for name, matrix in self.sets)
        blocks: list[Block] = [
            Heading("Study of the open choices"),
            Paragraph(
                f"{self.repeats} × 10-fold cross-validation, the same folds for all variants; sets "
                f"of data: {sizes}. {FOLDING_RULE} Each table compares with its first line; many "
                "variants are compared, so read p > .005 as weak."
            ),
            Paragraph(
                "The sign of a rule's first condition (I4) and what a missing value satisfies (I2) "
                "are no options, hence no variants here."
            ),
            *(self._table(results, name, learners) for name, learners in self.groups),
            self._plot(results),
        ]
        left_out = self.domains.left_out + self.extra.left_out
        told = [f"{name}: {reason}" for name, reason in left_out]
        told += self.sets[-1][1].faults(results)
        if told:
            blocks += [Paragraph("Not run:"), Listing(tuple(told))]
        return blocks

    def _table(self, results: Results, name: str, learners: tuple[Learner, ...]) -> Table:
        base = learners[0]
        heads = ["variant"]
        for title, _ in self.sets:
            heads += [f"{title}: error", f"{title}: conditions", "better / equal / worse", "p"]
        rows = []
        for learner in learners:
            row = [learner.name]
            for _, matrix in self.sets:
                row.append(shown(mean(matrix.means(results, learner, "error")), 2))
                row.append(shown(mean(matrix.means(results, learner, "conditions"))))
                c = matrix.compare(results, learner, base, "error")
                versus = [f"{c.better} / {c.equal} / {c.worse}", p_value(c.p)]
                row += ["–", "–"] if learner == base else versus
            rows.append(tuple(row))
        caption = (
            f"{name}: mean error in percent, mean number of conditions, on how many data sets the "
            f"error is less than that of {base.name}, and Wilcoxon's p."
        )
        return Table(caption, tuple(heads), tuple(rows))

    def _plot(self, results: Results) -> Block:
        panels = []
        for title, matrix in self.sets[:2]:
            series = []
            for place, (name, learners) in enumerate(self.groups):
                x = [mean(matrix.means(results, learner, "conditions")) for learner in learners]
                y = [mean(matrix.means(results, learner, "error")) for learner in learners]
                labels = [learner.name.rpartition(" ")[2] for learner in learners]
                series.append(Series(name, x, y, place, is_hollow=place > 0, labels=labels))
            panels.append(Panel(title, "conditions", "error in percent", series, starts_at_0=False))
        caption = "Mean error and mean size of the variants."
        return plot("study", caption, panels, len(panels))
