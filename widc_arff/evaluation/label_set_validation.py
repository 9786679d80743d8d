"""How well committees rank and choose labels on examples that they were not learned from.

Folds are blocks of Weka's shuffle, without strata: label sets have no classes to stratify by.
Rows of which a label is missing are left out of all measures, and counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.errors import DataError
from widc_arff.evaluation.cross_validation import (
    Folding,
    Task,
    method_in_words,
    run_folds,
    spread_of,
)
from widc_arff.evaluation.label_set_measures import LabelSetMeasures, measure_label_sets
from widc_arff.model.decision import label_probabilities
from widc_arff.model.label_threshold import label_sets
from widc_arff.options import LabelSetOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.evaluation.cross_validation import Spread
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.options import Options


@dataclass(frozen=True, slots=True, eq=False)
class LabelSetPrediction:
    """The predictions for the test rows of one fold.

    Parameters
    ----------
    repeat, fold : int
        Counted from 1.
    rows : ndarray of int64 of shape (n_test,)
        Rows of the file, counted from 0.
    actual : ndarray of bool of shape (n_test, n_labels)
        True label sets.
    known : ndarray of bool of shape (n_test,)
        Rows that tell all of their labels.
    scores, probabilities : ndarray of float64 of shape (n_test, n_labels)
        What ranks the labels, and the probability of each.
    predicted : ndarray of bool of shape (n_test, n_labels)
        Predicted label sets.
    weights : ndarray of float64 of shape (n_test,)
        Weights of the rows.
    n_rules, n_literals : int
        Size of the committee that predicted.
    """

    repeat: int
    fold: int
    rows: Integers
    actual: Bools
    known: Bools
    scores: Floats
    probabilities: Floats
    predicted: Bools
    weights: Floats
    n_rules: int
    n_literals: int

    @classmethod
    def of(cls, committee: DecisionCommittee, test: Dataset, task: Task) -> LabelSetPrediction:
        """Return what a committee predicts for the test rows of a fold."""
        assert committee.threshold is not None
        scores = committee.ranking_scores(test)
        return cls(
            task.repeat,
            task.fold,
            task.test_rows,
            test.Y,
            test.labelled,
            scores,
            label_probabilities(scores, committee.threshold),
            label_sets(scores, committee.threshold),
            test.weights,
            len(committee.rules),
            committee.n_literals,
        )


@dataclass(frozen=True, slots=True, eq=False)
class LabelSetEvaluation:
    """The outcome of testing on one file.

    Parameters
    ----------
    source : str
        Name of the file.
    method : str
        How it was tested, in words.
    labels : tuple of str
        The labels.
    predictions : tuple of LabelSetPrediction
        Fold by fold, repeat by repeat.
    measures : LabelSetMeasures
        Over all predictions for rows that tell all of their labels.
    """

    source: str
    method: str
    labels: tuple[str, ...]
    predictions: tuple[LabelSetPrediction, ...]
    measures: LabelSetMeasures

    @property
    def losses_per_fold(self) -> list[float]:
        """Ranking loss of each fold, repeat by repeat; NaN where a fold has no row that counts."""
        return [_measure([prediction]).ranking_loss for prediction in self.predictions]

    @property
    def spread(self) -> float:
        """Standard deviation of the folds' ranking losses; NaN for fewer than two folds."""
        return spread_of(self.losses_per_fold)

    @property
    def examples(self) -> int:
        """Rows tested that tell all of their labels, each counted once however many repeats."""
        return sum(int(p.known.sum()) for p in self.predictions if p.repeat == 1)

    @property
    def unlabelled(self) -> int:
        """Rows of which a label is missing."""
        return sum(int((~p.known).sum()) for p in self.predictions if p.repeat == 1)

    @property
    def rules(self) -> float:
        """Mean number of rules of the folds' committees."""
        return float(np.mean([prediction.n_rules for prediction in self.predictions]))

    @property
    def literals(self) -> float:
        """Mean number of literals of the folds' committees."""
        return float(np.mean([prediction.n_literals for prediction in self.predictions]))


def cross_validate_label_sets(
    dataset: Dataset,
    options: Options,
    folding: Folding,
    *,
    source: str = "",
    jobs: int | Spread = 1,
    on_fold: Callable[[int, int], None] | None = None,
) -> LabelSetEvaluation:
    """Return measures and size over folds.

    Parameters
    ----------
    dataset, options, folding, source, jobs, on_fold
        As in `cross_validate`.

    Raises
    ------
    DataError
        If there are more folds than rows, or no row that tells all of its labels.
    OptionError
        If the pruning is not for label sets.
    """
    options = LabelSetOptions.of(options)
    _require_rows(dataset, source="")
    predictions = run_folds(
        dataset,
        options,
        folding.tasks(dataset),
        LabelSetPrediction.of,
        jobs=jobs,
        on_fold=on_fold,
    )
    method = method_in_words(options, folding.in_words())
    return _evaluation(source, method, dataset, predictions)


def evaluate_label_sets_on(
    committee: DecisionCommittee, test: Dataset, options: Options, source: str = ""
) -> LabelSetEvaluation:
    """Return measures and size of a committee on a test set in its schema.

    Raises
    ------
    DataError
        If no test row tells all of its labels.
    """
    _require_rows(test, f"{source}: ")
    prediction = LabelSetPrediction.of(committee, test, Task(1, 1, np.arange(test.n_samples)))
    method = method_in_words(LabelSetOptions.of(options))
    return _evaluation(source, method, test, [prediction])


def _require_rows(dataset: Dataset, source: str) -> None:
    if dataset.n_samples == 0:
        raise DataError(f"{source}expected at least one row to evaluate on, got none")
    if not dataset.labelled.any():
        why = "only missing values" if dataset.has_labels else "not all label columns"
        raise DataError(f"{source}expected rows that tell all of their labels, got {why}")


def _evaluation(
    source: str, method: str, dataset: Dataset, predictions: list[LabelSetPrediction]
) -> LabelSetEvaluation:
    labels = dataset.schema.labels.values
    return LabelSetEvaluation(source, method, labels, tuple(predictions), _measure(predictions))


def _measure(predictions: Sequence[LabelSetPrediction]) -> LabelSetMeasures:
    return measure_label_sets(
        np.concatenate([p.scores[p.known] for p in predictions]),
        np.concatenate([p.predicted[p.known] for p in predictions]),
        np.concatenate([p.actual[p.known] for p in predictions]),
        np.concatenate([p.weights[p.known] for p in predictions]),
    )
