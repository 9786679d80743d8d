"""Figures 1 and 2 of the paper: a committee and a tree on samples of XD6."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.reproduction.document import Block, Heading, Paragraph, Table, Verbatim
from tests.reproduction.learners import (
    J48,
    OPTIMISTIC,
    PESSIMISTIC,
    REFINED,
    REFINED_SMALL,
    Learner,
)
from tests.reproduction.problems import loaded, xd6_problem
from tests.reproduction.results import shown
from tests.reproduction.runs import Task
from tests.reproduction.statistics import measured
from widc_arff.induction import induce
from widc_arff.reports.formatting import conditions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.reproduction.results import Results
    from tests.reproduction.runs import Run
    from widc_arff.model.committee import DecisionCommittee

NOISES = (0.0, 0.1)
COMMITTEES = (OPTIMISTIC, PESSIMISTIC, REFINED, REFINED_SMALL)
PRINTED_COMMITTEE = (
    ("x0 and x1 and x2", "-1", "+1"),
    ("x3 and x4 and x5", "-1", "+1"),
    ("x6 and x7 and x8", "-1", "+1"),
    ("x1 and not x5", "0", "-1"),
    ("not x0 and x2", "+1", "-1"),
    ("not x1", "+1", "-1"),
    ("default", "0.963", "0.037"),
)


def sample_tasks(learner: Learner, noise: float, samples: int, seed: int) -> list[Task]:
    """Return a training of a learner on each of a number of samples."""
    return [Task(xd6_problem(seed + i, noise), learner, 0, 1, seed + i) for i in range(samples)]


@dataclass(frozen=True, slots=True)
class Figure1:
    """Whether committees on XD6 hold the target and leave out the irrelevant variable.

    Parameters
    ----------
    samples : int
        Samples of 512 examples at each level of noise.
    seed : int
        Of the first sample.
    """

    samples: int
    seed: int

    def tasks(self) -> list[Task]:
        """Return the runs that it takes."""
        return [
            task
            for noise in NOISES
            for learner in COMMITTEES
            for task in sample_tasks(learner, noise, self.samples, self.seed)
        ]

    def blocks(self, results: Results) -> list[Block]:
        """Return the counts, and the committees of the first sample with noise."""
        rows = []
        for noise in NOISES:
            for learner in COMMITTEES:
                tasks = sample_tasks(learner, noise, self.samples, self.seed)
                rows.append(
                    (f"{learner.name}, {noise:.0%} noise", *self._counts(results.find(tasks)))
                )
        caption = (
            f"XD6, {self.samples} samples of 512 examples, class noise as named. Target: "
            "committees that hold all three conjunctions as rules for the positive class. "
            "Equivalent: those that decide every input as the target. True error: over the whole "
            "distribution; that of the Bayes rule is the noise."
        )
        heads = (
            "learner",
            "target",
            "equivalent",
            "without x9",
            "rules",
            "conditions",
            "true error",
        )
        blocks: list[Block] = [
            Heading("Figure 1: committees on XD6"),
            Table(caption, heads, tuple(rows)),
        ]
        problem = xd6_problem(self.seed, NOISES[-1])
        for learner in (PESSIMISTIC, REFINED):
            committee = induce(loaded(problem), learner.options)
            caption = f"{learner.name} on the first sample with {NOISES[-1]:.0%} noise."
            blocks.append(Table(caption, ("rule", "-", "+"), committee_rows(committee)))
        caption = "As printed in Figure 1 of the paper, WIDC(p)."
        blocks.append(Table(caption, ("rule", "-", "+"), PRINTED_COMMITTEE))
        return blocks

    def _counts(self, runs: Sequence[Run]) -> tuple[str, ...]:
        if not runs:
            return ("–",) * 6
        holding = sum(run.per_fold["target"][0] for run in runs)
        equivalent = sum(run.per_fold["equivalent"][0] for run in runs)
        without = len(runs) - sum(run.per_fold["irrelevant"][0] for run in runs)
        return (
            f"{holding:.0f} of {len(runs)}",
            f"{equivalent:.0f} of {len(runs)}",
            f"{without:.0f} of {len(runs)}",
            shown(measured(runs, "rules").mean),
            shown(measured(runs, "literals").mean),
            shown(measured(runs, "error").mean, 2),
        )


@dataclass(frozen=True, slots=True)
class Figure2:
    """J48's tree on the same samples."""

    samples: int
    seed: int

    def tasks(self) -> list[Task]:
        """Return the runs that it takes."""
        return [
            task for noise in NOISES for task in sample_tasks(J48, noise, self.samples, self.seed)
        ]

    def blocks(self, results: Results) -> list[Block]:
        """Return the sizes, and the tree of the first sample with noise."""
        blocks: list[Block] = [Heading("Figure 2: J48's tree on the same data")]
        first, rows = [], []
        for noise in NOISES:
            runs = results.find(sample_tasks(J48, noise, self.samples, self.seed))
            if not runs:
                return [*blocks, Paragraph("Not run: Weka is not there.")]
            first = runs[:1]
            rows.append((f"first sample, {noise:.0%} noise", *_tree(first)))
            rows.append((f"all {self.samples} samples, {noise:.0%} noise", *_tree(runs)))
        rows.append(("paper, C4.5", "59", "29", "30", "179", "1 of 1", "–"))
        caption = (
            "Size of the tree (means). Rules: leaves; their conditions: tests on the ways to all "
            "leaves, as in the paper, whose Table 1 counts all nodes, its Figure 4 the inner ones. "
            "Its 30 rules with 179 conditions make 59 nodes."
        )
        heads = (
            "tree",
            "nodes",
            "inner nodes",
            "rules",
            "their conditions",
            "with x9",
            "true error in percent",
        )
        blocks.append(Table(caption, heads, tuple(rows)))
        blocks.append(Verbatim(first[0].model))
        return blocks


def _tree(runs: Sequence[Run]) -> tuple[str, ...]:
    nodes, rules = measured(runs, "nodes").mean, measured(runs, "rules").mean
    with_irrelevant = sum(run.per_fold["irrelevant"][0] for run in runs)
    return (
        shown(nodes),
        shown(nodes - rules),
        shown(rules),
        shown(measured(runs, "literals").mean),
        f"{with_irrelevant:.0f} of {len(runs)}",
        shown(measured(runs, "error").mean, 2),
    )


def committee_rows(committee: DecisionCommittee) -> tuple[tuple[str, ...], ...]:
    """Return the rules with their votes, and the default vector, as rows of a table."""
    rows = [
        (
            " and ".join(conditions(rule.monomial, committee.schema)),
            *(f"{vote:+d}" if vote else "0" for vote in rule.votes),
        )
        for rule in committee.rules
    ]
    return (*rows, ("default", *(f"{share:.3f}" for share in committee.default)))
