"""Error and size of committees on examples that they were not learned from.

Folds are those of Weka's cross-validation over all rows of the file; repeat r uses the seed plus
r - 1, as the runs of Weka's Experimenter do.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np

from widc_arff.errors import DataError, WidcError, WidcWarning
from widc_arff.evaluation.measures import Measures, measure
from widc_arff.evaluation.weka_folds import group_folds, weka_folds, weka_holdout
from widc_arff.induction import induce
from widc_arff.induction.preparing import prepare
from widc_arff.system.processes import in_order, number_of_jobs

if TYPE_CHECKING:
    from collections.abc import Generator

    from widc_arff.arrays import Floats, Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.costs import CostMatrix
    from widc_arff.options import Options

Outcome = TypeVar("Outcome")
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
            are_sets = dataset.schema.labels.are_sets
            classes = np.zeros(n, np.int64) if are_sets else dataset.classes
            return group_folds(self.groups, classes, self.n_folds, seed)
        return folds_of(dataset, self.n_folds, seed)

    def in_words(self) -> str:
        """Return how rows are divided, as reports tell it."""
        repeats = f", {self.repeats} repeats" if self.repeats > 1 else ""
        if self.holdout is None:
            kind = "cross-validation" if self.groups is None else "cross-validation in groups"
            return f"{self.n_folds}-fold {kind}, seed {self.seed}{repeats}"
        order = "in the order of the file" if self.preserve_order else f"seed {self.seed}{repeats}"
        return f"trained on {self.holdout:g} % of the rows, {order}"


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """The predictions for the test rows of one fold.

    Parameters
    ----------
    repeat, fold : int
        Counted from 1.
    rows : ndarray of int64 of shape (n_test,)
        Rows of the file, counted from 0.
    actual, predicted : ndarray of int64 of shape (n_test,)
        Class indices; -1 where the class is missing.
    probabilities : ndarray of float64 of shape (n_test, n_classes)
        Class probabilities.
    weights : ndarray of float64 of shape (n_test,)
        Weights of the rows.
    n_rules, n_literals, n_votes : int
        Size of the committee that predicted.
    """

    repeat: int
    fold: int
    rows: Integers
    actual: Integers
    predicted: Integers
    probabilities: Floats
    weights: Floats
    n_rules: int
    n_literals: int
    n_votes: int

    @property
    def error(self) -> float:
        """Weight of the wrong over that of the rows with a class; NaN where there are none."""
        labelled = self.actual >= 0
        weight = self.weights[labelled].sum()
        wrong = self.weights[labelled & (self.actual != self.predicted)].sum()
        return float(wrong / weight) if weight else float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """The outcome of testing on one file.

    Parameters
    ----------
    source : str
        Name of the file.
    method : str
        How it was tested, in words.
    labels : tuple of str
        The declared labels.
    predictions : tuple of Prediction
        Fold by fold, repeat by repeat.
    measures : Measures
        Over all predictions for rows with a class.
    costs : tuple of tuple of float, or None
        What it costs to take a class (rows) for another (columns), where that was told.
    """

    source: str
    method: str
    labels: tuple[str, ...]
    predictions: tuple[Prediction, ...]
    measures: Measures
    costs: CostMatrix | None = None

    @property
    def total_cost(self) -> float:
        """What the predictions cost in all, weights counted; without costs the wrong weight."""
        confusion = self.measures.confusion
        costs = 1 - np.eye(len(confusion)) if self.costs is None else np.array(self.costs)
        return float((confusion * costs).sum())

    @property
    def mean_cost(self) -> float:
        """Cost over the weight tested."""
        return self.total_cost / float(self.measures.confusion.sum())

    @property
    def error(self) -> float:
        """Weight of the wrong over the weight tested, in [0, 1]."""
        return self.measures.error

    @property
    def errors_per_fold(self) -> list[float]:
        """Error of each fold, repeat by repeat; NaN where a fold has no row with a class."""
        return [prediction.error for prediction in self.predictions]

    @property
    def spread(self) -> float:
        """Standard deviation of the folds' errors; NaN for fewer than two folds."""
        return spread_of(self.errors_per_fold)

    @property
    def examples(self) -> int:
        """Rows tested that have a class, each counted once however many repeats."""
        return self._rows_where(labelled=True)

    @property
    def unlabelled(self) -> int:
        """Rows without a class."""
        return self._rows_where(labelled=False)

    @property
    def rules(self) -> float:
        """Mean number of rules of the folds' committees."""
        return float(np.mean([prediction.n_rules for prediction in self.predictions]))

    @property
    def literals(self) -> float:
        """Mean number of literals of the folds' committees."""
        return float(np.mean([prediction.n_literals for prediction in self.predictions]))

    @property
    def votes(self) -> float:
        """Mean number of votes of the folds' committees: `DecisionCommittee.n_votes`."""
        return float(np.mean([prediction.n_votes for prediction in self.predictions]))

    def _rows_where(self, *, labelled: bool) -> int:
        first = [p for p in self.predictions if p.repeat == 1]
        return sum(int(((p.actual >= 0) == labelled).sum()) for p in first)


def spread_of(values: Iterable[float]) -> float:
    """Return the standard deviation of the values that are not NaN; NaN for fewer than two."""
    known = [value for value in values if not np.isnan(value)]
    return float(np.std(known, ddof=1)) if len(known) > 1 else float("nan")


def cross_validate(
    dataset: Dataset,
    options: Options,
    folding: Folding,
    *,
    source: str = "",
    jobs: int | Spread = 1,
    on_fold: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Return error and size over Weka's folds.

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

    Raises
    ------
    DataError
        If there are more folds than rows or groups, or no row with a class.
    """
    if dataset.n_samples == 0:
        raise DataError("expected at least one row to evaluate on, got none")
    if not dataset.Y.any():
        name = dataset.schema.labels.attributes[0]
        raise DataError(
            "expected at least one row with a class to evaluate on, "
            f"got only missing values of {name!r}"
        )
    tasks = folding.tasks(dataset)
    _require_tested_classes(dataset, tasks)
    predictions = run_folds(dataset, options, tasks, _predict, jobs=jobs, on_fold=on_fold)
    method = method_in_words(options, folding.in_words())
    return _evaluation(source, method, dataset, predictions, options.costs)


def _require_tested_classes(dataset: Dataset, tasks: Sequence[Task]) -> None:
    """Refuse a part to test in which no row has a class that could be right or wrong."""
    if not any(dataset.labelled[task.test_rows].any() for task in tasks):
        raise DataError("expected a tested row with a class, got none; another --seed may help")


def method_in_words(options: Options, tested: str = "separate test set") -> str:
    """Return how committees are tested, and how they are pruned."""
    return f"{tested}, {options.pruning} pruning".replace("none", "no")


def run_folds(
    dataset: Dataset,
    options: Options,
    tasks: Sequence[Task],
    predict: Callable[[DecisionCommittee, Dataset, Task], Outcome],
    *,
    jobs: int | Spread = 1,
    on_fold: Callable[[int, int], None] | None = None,
) -> list[Outcome]:
    """Return what a predictor tells of each fold, repeat by repeat.

    Parameters
    ----------
    dataset : Dataset
        All rows of the file.
    options, jobs, on_fold
        As in `cross_validate`.
    tasks : sequence of Task
        What is tested, as `Folding.tasks` gives it.
    predict : callable
        Takes a committee, the test rows of its fold, and the task.

    Raises
    ------
    DataError
        If a fold has nothing to learn from.
    """
    prepare(dataset, options)  # its warnings count for the whole file, not fold by fold
    outcomes = []
    runner = _FoldRunner(dataset, options, predict)
    with closing(_run(runner, tasks, jobs)) as run:  # an interruption ends the processes at once
        for done, outcome in enumerate(run, 1):
            outcomes.append(outcome)
            if on_fold is not None:
                on_fold(done, len(tasks))
    return outcomes


def folds_of(dataset: Dataset, n_folds: int, seed: int) -> list[Integers]:
    """Return Weka's folds: stratified by class; of label sets, blocks of the shuffled rows."""
    if not dataset.schema.labels.are_sets:
        return weka_folds(dataset.classes, n_folds, seed)
    order = np.empty(dataset.n_samples, np.int64)
    for fold, rows in enumerate(weka_folds(np.zeros_like(order), n_folds, seed)):
        order[fold::n_folds] = rows  # one stratum: dealt out fold by fold
    return np.array_split(order, n_folds)


def evaluate_on(
    committee: DecisionCommittee, test: Dataset, options: Options, source: str = ""
) -> Evaluation:
    """Return error and size of a committee on a test set in its schema.

    Raises
    ------
    DataError
        If no test row has a class.
    """
    if test.n_samples == 0:
        raise DataError(f"{source}: expected at least one row to evaluate on, got none")
    if not test.Y.any():
        why = "only missing values" if test.has_labels else "no such column"
        raise DataError(
            f"{source}: expected test rows with a class, got {why} of "
            f"{test.schema.labels.attributes[0]!r}; predict works without them"
        )
    prediction = _predict(committee, test, Task(1, 1, np.arange(test.n_samples)))
    method = method_in_words(options)
    return _evaluation(source, method, test, [prediction], options.costs)


def training_and_test(dataset: Dataset, test_rows: Integers) -> tuple[Dataset, Dataset]:
    """Return the examples outside and inside of a fold."""
    in_test = np.zeros(dataset.n_samples, np.bool_)
    in_test[test_rows] = True
    return dataset.take(~in_test), dataset.take(test_rows)


def _evaluation(
    source: str,
    method: str,
    dataset: Dataset,
    predictions: list[Prediction],
    costs: CostMatrix | None,
) -> Evaluation:
    measures = measure(
        np.concatenate([p.actual for p in predictions]),
        np.concatenate([p.predicted for p in predictions]),
        np.concatenate([p.probabilities for p in predictions]),
        np.concatenate([p.weights for p in predictions]),
    )
    labels = dataset.schema.labels.values
    return Evaluation(source, method, labels, tuple(predictions), measures, costs)


class Task(NamedTuple):
    """One fold of one repeat, both counted from 1, and its test rows."""

    repeat: int
    fold: int
    test_rows: Integers


class _FoldRunner(Generic[Outcome]):
    """Runs folds of one data set; each process of a pool gets it once."""

    def __init__(
        self,
        dataset: Dataset,
        options: Options,
        predict: Callable[[DecisionCommittee, Dataset, Task], Outcome],
    ) -> None:
        self.dataset = dataset
        self.options = options
        self.predict = predict

    def run(self, task: Task) -> Outcome:
        training, test = training_and_test(self.dataset, task.test_rows)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", WidcWarning)  # said once for the whole file
            try:
                committee = induce(training, self.options)
            except WidcError as error:
                raise type(error)(f"fold {task.fold}: {error}") from error
        return self.predict(committee, test, task)


def _predict(committee: DecisionCommittee, test: Dataset, task: Task) -> Prediction:
    return Prediction(
        task.repeat,
        task.fold,
        task.test_rows,
        test.classes,
        committee.predict_codes(test),
        committee.predict_proba(test),
        test.weights,
        len(committee.rules),
        committee.n_literals,
        committee.n_votes,
    )


def _run_fold(runner: _FoldRunner[Outcome], task: Task) -> Outcome:
    return runner.run(task)


def _run(
    runner: _FoldRunner[Outcome], tasks: Sequence[Task], jobs: int | Spread
) -> Generator[Outcome, None, None]:
    if not isinstance(jobs, int):
        yield from jobs(_run_fold, runner, tasks)
    elif number_of_jobs(jobs) == 1:
        yield from map(runner.run, tasks)
    else:
        yield from in_order(runner.run, tasks, min(number_of_jobs(jobs), len(tasks)))
