"""What committees predicted on rows that they were not learned from, and how well.

Rows without a class, or of which a label is missing, are left out of all measures, and counted.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np

from widc_arff.errors import DataError
from widc_arff.evaluation.curves import calibration_bins
from widc_arff.evaluation.label_set_measures import LabelSetMeasures, measure_label_sets
from widc_arff.evaluation.measures import Measures, measure
from widc_arff.model.costs import least_cost
from widc_arff.model.decision import ranking_losses
from widc_arff.options import LabelSetOptions, aims_at_sets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Self

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.evaluation.curves import CalibrationBin
    from widc_arff.evaluation.distinct_rows import ByRow
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.costs import CostMatrix
    from widc_arff.options import Options

Measured = TypeVar("Measured", Measures, LabelSetMeasures)


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """The predictions for the test rows of one fold.

    Of a test set each row stands for all of its kind (`DistinctRows`), and `n_test` is the number
    of kinds.

    Parameters
    ----------
    repeat, fold : int
        Counted from 1.
    rows : ndarray of int64 of shape (n_test,)
        Rows of the file, counted from 0.
    counts : ndarray of int64 of shape (n_test,)
        For how many rows each stands.
    by_row : ByRow or None
        The rows of a test set, where they are wanted; None: each stands for itself.
    known : ndarray of bool of shape (n_test,)
        Rows that have a class, or tell all of their labels.
    actual, predicted : ndarray of shape (n_test,) or (n_test, n_labels)
        Class indices, int64, -1 where the class is missing; or label sets, bool.
    probabilities : ndarray of float64 of shape (n_test, n_classes)
        Of the classes, or of each label.
    scores : ndarray of float64 of shape (n_test, n_classes)
        What ranks the labels; of classes the probabilities.
    weights : ndarray of float64 of shape (n_test,)
        Weights of the rows.
    n_rules, n_literals, n_votes : int
        Size of the committee that predicted.
    """

    repeat: int
    fold: int
    rows: Integers
    counts: Integers
    by_row: ByRow | None
    known: Bools
    actual: NDArray[Any]
    predicted: NDArray[Any]
    probabilities: Floats
    scores: Floats
    weights: Floats
    n_rules: int
    n_literals: int
    n_votes: int


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation(ABC, Generic[Measured]):
    """The outcome of testing on one file.

    Parameters
    ----------
    source : str
        Name of the file.
    method : str
        How it was tested, in words.
    labels : tuple of str
        The declared labels.
    options : Options
        With which the committees were learned.
    predictions : tuple of Prediction
        Fold by fold, repeat by repeat.
    measures : Measures or LabelSetMeasures
        Over all predictions for rows that count.
    """

    kind: ClassVar[str]
    """Of the labels: single or multi, as in a schema."""
    must_test_known: ClassVar[bool] = False
    """Whether some tested row must count; where none need, measures can be NaN."""

    source: str
    method: str
    labels: tuple[str, ...]
    options: Options
    predictions: tuple[Prediction, ...]
    measures: Measured

    @classmethod
    def of(
        cls,
        source: str,
        tested: str,
        dataset: Dataset,
        options: Options,
        predictions: Sequence[Prediction],
    ) -> Self:
        """Return the outcome of predictions; how they were tested is told in words."""
        method = f"{tested}, {options.pruning} pruning".replace("none", "no")
        labels, measures = dataset.schema.labels.values, cls.measured(predictions)
        return cls(source, method, labels, options, tuple(predictions), measures)

    @classmethod
    def require_rows(cls, dataset: Dataset, test: str = "") -> None:
        """Refuse data without a row that could be right or wrong; of a test set with its name.

        Raises
        ------
        DataError
            If there is no row, or none that tells its class or labels.
        """
        if dataset.n_samples == 0:
            raise DataError("expected at least one row to evaluate on, got none", file=test)
        if not dataset.labelled.any():
            raise DataError(cls.none_known(dataset, is_test=bool(test)), file=test)

    @staticmethod
    @abstractmethod
    def none_known(dataset: Dataset, *, is_test: bool) -> str:
        """Return why no row of data can be right or wrong."""

    @staticmethod
    def suited(options: Options) -> Options:
        """Return options as they hold for this kind of labels."""
        return options

    @staticmethod
    @abstractmethod
    def predicted(
        committee: DecisionCommittee, test: Dataset
    ) -> tuple[NDArray[Any], NDArray[Any], Floats, Floats]:
        """Return what is true, what is decided, probabilities and scores of test rows."""

    @staticmethod
    @abstractmethod
    def measured(predictions: Sequence[Prediction]) -> Measured:
        """Return the measures over predictions."""

    @property
    @abstractmethod
    def error_name(self) -> str:
        """Which of the measures is the error."""

    def error_of(self, prediction: Prediction) -> float:
        """Return the error of one fold."""
        return float(getattr(self.measured([prediction]), self.error_name))

    @abstractmethod
    def losses_of(self, prediction: Prediction) -> Floats:
        """Return what each tested row adds to the error, or to the costs where there are some."""

    @staticmethod
    @abstractmethod
    def calibration_of(prediction: Prediction) -> tuple[CalibrationBin, ...]:
        """Return how often what is said with some probability is right, over rows that count."""

    @property
    @abstractmethod
    def decision_names(self) -> list[str]:
        """Names of what `decisions` tells of a row."""

    @abstractmethod
    def decisions(self, prediction: Prediction, i: int) -> list[str | int]:
        """Return what is true of a tested row, empty where it is not known, and what is decided."""

    @abstractmethod
    def results(self) -> dict[str, Any]:
        """Return errors, sizes and measures as plain data."""

    @property
    def error(self) -> float:
        """What is wrong, in [0, 1]: share of the weight tested; of label sets what was aimed at."""
        return float(getattr(self.measures, self.error_name))

    @property
    def errors_per_fold(self) -> list[float]:
        """Error of each fold, repeat by repeat; NaN where a fold has no row that counts."""
        return [self.error_of(prediction) for prediction in self.predictions]

    @property
    def spread(self) -> float:
        """Standard deviation of the folds' errors; NaN for fewer than two folds."""
        known = [error for error in self.errors_per_fold if not np.isnan(error)]
        return float(np.std(known, ddof=1)) if len(known) > 1 else float("nan")

    @property
    def examples(self) -> int:
        """Rows tested that count in the measures, each once however many repeats."""
        return sum(int(p.counts[p.known].sum()) for p in self.predictions if p.repeat == 1)

    @property
    def unlabelled(self) -> int:
        """Rows without a class, or of which a label is missing."""
        return sum(int(p.counts[~p.known].sum()) for p in self.predictions if p.repeat == 1)

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


class ClassEvaluation(Evaluation[Measures]):
    """The outcome for one class a row."""

    __slots__ = ()
    kind = "single"
    must_test_known = True

    @property
    def error_name(self) -> str:
        """The share of wrong decisions."""
        return "error"

    @staticmethod
    def none_known(dataset: Dataset, *, is_test: bool) -> str:
        """Return why no row has a class."""
        why = "only missing values" if dataset.has_labels or not is_test else "no such column"
        found = f"{why} of {dataset.schema.labels.attributes[0]!r}"
        if is_test:
            return f"expected test rows with a class, got {found}; predict works without them"
        return f"expected at least one row with a class to evaluate on, got {found}"

    @staticmethod
    def predicted(
        committee: DecisionCommittee, test: Dataset
    ) -> tuple[Integers, Integers, Floats, Floats]:
        """Return true classes, classes decided, and their probabilities twice."""
        probabilities = committee.predict_proba(test)
        return test.classes, committee.predict_codes(test), probabilities, probabilities

    @staticmethod
    def measured(predictions: Sequence[Prediction]) -> Measures:
        """Return the measures over predictions."""
        known = _of_known(predictions)
        return measure(known["actual"], known["predicted"], known["scores"], known["weights"])

    def error_of(self, prediction: Prediction) -> float:
        """Return the weight of the wrong over that of the rows with a class."""
        known, weights = prediction.known, prediction.weights
        weight = weights[known].sum()
        wrong = weights[known & (prediction.actual != prediction.predicted)].sum()
        return float(wrong / weight) if weight else float("nan")

    def losses_of(self, prediction: Prediction) -> Floats:
        """Return 1 for each wrong row, or what it costs; of a row without a class 0."""
        n = len(self.labels)
        table = np.zeros((n + 1, n))  # the last row: no class
        table[:n] = 1 - np.eye(n) if self.costs is None else self.costs
        return np.asarray(table[prediction.actual, prediction.predicted])

    @staticmethod
    def calibration_of(prediction: Prediction) -> tuple[CalibrationBin, ...]:
        """Return the bins of the probability of the class decided."""
        known = prediction.known & (prediction.weights > 0)
        probabilities = prediction.probabilities[known].max(axis=1, initial=0)
        right = (prediction.actual == prediction.predicted)[known]
        return calibration_bins(probabilities, right, prediction.weights[known])

    @property
    def costs(self) -> CostMatrix | None:
        """What it costs to take a class (rows) for another (columns), where that was told."""
        return self.options.costs

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
    def mean_lowest_cost(self) -> float:
        """Cost over the weight tested, if the class of lowest expected cost is decided for."""
        if self.costs is None:
            return self.mean_cost
        costs, total, weight = np.array(self.costs), 0.0, 0.0
        for p in self.predictions:
            decided = least_cost(p.probabilities, p.predicted, self.costs).decisions
            total += float((p.weights * costs[p.actual, decided])[p.known].sum())
            weight += float(p.weights[p.known].sum())
        return total / weight

    @property
    def decision_names(self) -> list[str]:
        """The class and the decision."""
        return ["actual", "predicted"]

    def decisions(self, prediction: Prediction, i: int) -> list[str | int]:
        """Return both by their labels."""
        names = [*self.labels, ""]  # -1, a missing class, picks the last
        return [names[prediction.actual[i]], names[prediction.predicted[i]]]

    def results(self) -> dict[str, Any]:
        """Return errors, costs, sizes, confusion and measures as plain data."""
        measures = self.measures.to_dict(self.labels)
        confusion = measures.pop("confusion")
        measures.pop("error")
        data: dict[str, Any] = {"error": self.error, "errors_per_fold": self.errors_per_fold}
        if self.costs is not None:
            data["cost"] = {"total": self.total_cost, "mean": self.mean_cost}
        data |= {"rules": self.rules, "literals": self.literals}
        if len(self.labels) > 2:
            data["votes"] = self.votes
        return data | {"confusion": confusion, "measures": measures}


class LabelSetEvaluation(Evaluation[LabelSetMeasures]):
    """The outcome for label sets; errors are wrong labels, or ranking losses, as was aimed at."""

    __slots__ = ()
    kind = "multi"
    suited = LabelSetOptions.of

    @property
    def error_name(self) -> str:
        """The Hamming loss where sets were aimed at, else the ranking loss."""
        return "hamming_loss" if aims_at_sets(self.options) else "ranking_loss"

    @staticmethod
    def none_known(dataset: Dataset, *, is_test: bool) -> str:  # noqa: ARG004 - it is all the same
        """Return why no row tells all of its labels."""
        why = "only missing values" if dataset.has_labels else "not all label columns"
        return f"expected rows with all of their labels known, got {why}"

    @staticmethod
    def predicted(
        committee: DecisionCommittee, test: Dataset
    ) -> tuple[Bools, Bools, Floats, Floats]:
        """Return true and predicted label sets, probability and score of each label."""
        sets, probabilities = committee.predict_sets(test), committee.predict_proba(test)
        return test.Y, sets, probabilities, committee.ranking_scores(test)

    @staticmethod
    def measured(predictions: Sequence[Prediction]) -> LabelSetMeasures:
        """Return the measures over predictions."""
        known = _of_known(predictions)
        chances = np.concatenate([p.probabilities[p.known] for p in predictions])
        return measure_label_sets(**known, probabilities=chances)

    def losses_of(self, prediction: Prediction) -> Floats:
        """Return the share of wrong labels of each row, or its ranking loss."""
        if aims_at_sets(self.options):
            return np.asarray((prediction.predicted != prediction.actual).mean(axis=1))
        return ranking_losses(prediction.scores, prediction.actual)

    @staticmethod
    def calibration_of(prediction: Prediction) -> tuple[CalibrationBin, ...]:
        """Return the bins of the probabilities of all labels."""
        known = prediction.known & (prediction.weights > 0)
        probabilities, actual = prediction.probabilities[known], prediction.actual[known]
        weights = np.repeat(prediction.weights[known], probabilities.shape[1])
        return calibration_bins(probabilities.ravel(), actual.ravel(), weights)

    @property
    def decision_names(self) -> list[str]:
        """Each label, true and predicted."""
        return [f"{what}:{label}" for what in ("actual", "predicted") for label in self.labels]

    def decisions(self, prediction: Prediction, i: int) -> list[str | int]:
        """Return 0 or 1 for each."""
        actual = prediction.actual[i].astype(int).tolist()
        cells = actual if prediction.known[i] else [""] * len(actual)
        return [*cells, *prediction.predicted[i].astype(int).tolist()]

    def results(self) -> dict[str, Any]:
        """Return losses, sizes and measures as plain data."""
        measures = self.measures.to_dict()
        return {
            "ranking_loss": measures.pop("ranking_loss"),
            "ranking_losses_per_fold": [
                self.measured([prediction]).ranking_loss for prediction in self.predictions
            ],
            "rules": self.rules,
            "literals": self.literals,
            "labels": len(self.labels),
            "measures": measures,
        }


def _of_known(predictions: Sequence[Prediction]) -> dict[str, NDArray[Any]]:
    """Return scores, decisions, truth and weights of the rows that count, of all folds."""
    return {
        name: np.concatenate([getattr(p, name)[p.known] for p in predictions])
        for name in ("scores", "predicted", "actual", "weights")
    }


EVALUATIONS: Mapping[str, type[Evaluation[Any]]] = {
    kind.kind: kind for kind in (ClassEvaluation, LabelSetEvaluation)
}
"""By the kind of labels of a schema."""
