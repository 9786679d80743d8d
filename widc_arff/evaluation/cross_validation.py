"""Error and size of committees on examples that they were not learned from.

Folds are those of Weka's cross-validation over all rows of the file; repeat r uses the seed plus
r - 1, as the runs of Weka's Experimenter do.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from widc_arff.errors import DataError, WidcWarning
from widc_arff.evaluation.label_by_label import label_by_label
from widc_arff.evaluation.outcomes import EVALUATIONS, Prediction
from widc_arff.evaluation.weka_folds import group_folds, weka_folds, weka_holdout
from widc_arff.induction import induce
from widc_arff.induction.preparing import prepare
from widc_arff.system.processes import in_order, number_of_jobs

if TYPE_CHECKING:
    from collections.abc import Generator

    from widc_arff.arrays import Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.evaluation.distinct_rows import DistinctRows
    from widc_arff.evaluation.outcomes import Evaluation
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.options import Options

Spread = Callable[[Callable[[Any, Any], Any], Any, Iterable[Any]], Iterable[Any]]
"""Yields ``function(shared, argument)`` for each argument in their order, many at a time."""


@dataclass(frozen=True, slots=True)
class Folding:
    """How a cross-validation divides the rows.

    Parameters
    ----------
    n_folds : int
        Folds of each repeat, at least 2.
    seed : int
        Seed of the first repeat.
    repeats : int
        Number of repeats, at least 1.
    holdout : float or None
        Percent of the rows to learn from, in (0, 100), in place of folds: the others are tested,
        which are those of Weka's ``-split-percentage``.
    preserve_order : bool
        With `holdout`, learn from the first rows without a shuffle.
    groups : ndarray of int64 of shape (n_samples,), optional
        Rows with the same number stay in one fold (`group_folds`).
    """

    n_folds: int = 10
    seed: int = 1
    repeats: int = 1
    holdout: float | None = None
    preserve_order: bool = False
    groups: Integers | None = field(default=None, compare=False)

    def tasks(self, dataset: Dataset) -> list[Task]:
        """Return what is tested, fold by fold and repeat by repeat.

        Parameters
        ----------
        dataset : Dataset
            All rows of the file.

        Raises
        ------
        DataError
            If there are too few rows or groups.
        """
        return [
            Task(repeat + 1, fold + 1, rows)
            for repeat in range(self.repeats)
            for fold, rows in enumerate(self._test_rows(dataset, self.seed + repeat))
        ]

    def _test_rows(self, dataset: Dataset, seed: int) -> list[Integers]:
        n = dataset.n_samples
        if self.holdout is not None:
            return [weka_holdout(n, self.holdout, seed, preserve_order=self.preserve_order)]
        if self.groups is not None:
            return group_folds(self.groups, _strata(dataset), self.n_folds, seed)
        return folds_of(dataset, self.n_folds, seed)

    def in_words(self) -> str:
        """Return how rows are divided, as reports tell it."""
        repeats = f", {self.repeats} repeats" if self.repeats > 1 else ""
        if self.holdout is None:
            kind = "cross-validation" if self.groups is None else "cross-validation in groups"
            return f"{self.n_folds}-fold {kind}, seed {self.seed}{repeats}"
        order = "in the order of the file" if self.preserve_order else f"seed {self.seed}{repeats}"
        return f"trained on {self.holdout:g} % of the rows, {order}"


def cross_validate(  # noqa: PLR0913 - all but three are by name
    dataset: Dataset,
    options: Options,
    folding: Folding,
    *,
    source: str = "",
    jobs: int | Spread = 1,
    on_fold: Callable[[int, int], None] | None = None,
    way: str | None = None,
) -> Evaluation[Any]:
    """Return error and size over Weka's folds; of label sets the folds are not stratified.

    Parameters
    ----------
    dataset : Dataset
        All rows of the file.
    options : Options
        Of the induction.
    folding : Folding
        Folds, seed and repeats.
    source : str
        Name of the file, for reports.
    jobs : int or callable
        Folds that run at a time, each in a process of its own (-1: one per processor, as
        `number_of_jobs` has it); or what runs them elsewhere.
    on_fold : callable, optional
        Called with the number of folds done and of all folds after each.
    way : str, optional
        Of label sets, one of `widc_arff.evaluation.label_by_label.WAYS`: committees for one label
        each, in place of one for all.

    Raises
    ------
    DataError
        If there are more folds than rows or groups, or no row with a class, or that tells all of
        its labels.
    OptionError
        If the pruning is not for label sets.
    """
    kind = EVALUATIONS[dataset.schema.labels.kind]
    options = kind.suited(options)
    kind.require_rows(dataset)
    tasks = folding.tasks(dataset)
    if kind.must_test_known and not any(dataset.labelled[t.test_rows].any() for t in tasks):
        raise DataError("expected a tested row with a class, got none; another --seed may help")
    prepare(dataset, options)  # its warnings count for the whole file, not fold by fold
    predictions = []
    with closing(
        _run((dataset, options, way), tasks, jobs)
    ) as run:  # an interruption ends all at once
        for done, prediction in enumerate(run, 1):
            predictions.append(prediction)
            if on_fold is not None:
                on_fold(done, len(tasks))
    return kind.of(source, folding.in_words(), dataset, options, predictions)


def folds_of(dataset: Dataset, n_folds: int, seed: int) -> list[Integers]:
    """Return Weka's folds: stratified by class; of label sets, blocks of the shuffled rows."""
    folds = weka_folds(_strata(dataset), n_folds, seed)
    if not dataset.schema.labels.are_sets:
        return folds
    order = np.empty(dataset.n_samples, np.int64)
    for fold, rows in enumerate(folds):
        order[fold::n_folds] = rows  # one stratum: dealt out fold by fold
    return np.array_split(order, n_folds)


def _strata(dataset: Dataset) -> Integers:
    """Return what folds are stratified by: the classes; label sets have none."""
    are_sets = dataset.schema.labels.are_sets
    return np.zeros(dataset.n_samples, np.int64) if are_sets else dataset.classes


def evaluate_rows(
    committee: DecisionCommittee, test: DistinctRows, options: Options, source: str = ""
) -> Evaluation[Any]:
    """Return error and size of a committee on the rows of a test set in its schema.

    Raises
    ------
    DataError
        If no test row has a class, or tells all of its labels.
    """
    examples = test.examples
    kind = EVALUATIONS[examples.schema.labels.kind]
    options = kind.suited(options)
    kind.require_rows(examples, source)
    prediction = predicted(committee, examples, Task(1, 1, np.arange(examples.n_samples)))
    prediction = replace(prediction, counts=test.counts, by_row=test.by_row)
    return kind.of(source, "separate test set", examples, options, [prediction])


def training_and_test(dataset: Dataset, test_rows: Integers) -> tuple[Dataset, Dataset]:
    """Return the examples outside and inside of a fold."""
    in_test = np.zeros(dataset.n_samples, np.bool_)
    in_test[test_rows] = True
    return dataset.take(~in_test), dataset.take(test_rows)


class Task(NamedTuple):
    """One fold of one repeat, both counted from 1, and its test rows."""

    repeat: int
    fold: int
    test_rows: Integers


def _run_fold(shared: tuple[Dataset, Options, str | None], task: Task) -> Prediction:
    """Learn from what is not in a fold, and predict what is in it."""
    dataset, options, way = shared
    training, test = training_and_test(dataset, task.test_rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)  # said once for the whole file
        try:
            if way is not None:
                return predicted_label_by_label(training, test, options, task, way)
            committee = induce(training, options)
        except DataError as error:  # others are no fault of a fold
            raise DataError(f"fold {task.fold}: {error}") from error
    return predicted(committee, test, task)


def predicted(committee: DecisionCommittee, test: Dataset, task: Task) -> Prediction:
    """Return what a committee says of the rows of a fold."""
    kind = EVALUATIONS[test.schema.labels.kind]
    return Prediction(
        task.repeat,
        task.fold,
        task.test_rows,
        np.ones(test.n_samples, np.int64),
        None,
        test.labelled,
        *kind.predicted(committee, test),
        test.weights,
        len(committee.rules),
        committee.n_literals,
        committee.n_votes,
    )


def predicted_label_by_label(
    training: Dataset, test: Dataset, options: Options, task: Task, way: str
) -> Prediction:
    """Return what committees for one label each say of the rows of a fold."""
    found = label_by_label(training, test, options, way)
    scores = found.probabilities
    return Prediction(
        task.repeat,
        task.fold,
        task.test_rows,
        np.ones(test.n_samples, np.int64),
        None,
        test.labelled,
        test.Y,
        found.predicted,
        found.probabilities,
        scores,
        test.weights,
        found.n_rules,
        found.n_literals,
        found.n_votes,
    )


def _run(
    shared: tuple[Dataset, Options, str | None], tasks: Sequence[Task], jobs: int | Spread
) -> Generator[Prediction, None, None]:
    """Yield the predictions of each fold; each process of a pool gets the data once."""
    if not isinstance(jobs, int):
        yield from jobs(_run_fold, shared, tasks)
    elif number_of_jobs(jobs) == 1:
        yield from (_run_fold(shared, task) for task in tasks)
    else:
        run = partial(_run_fold, shared)
        yield from in_order(run, tasks, min(number_of_jobs(jobs), len(tasks)))
