"""What model files do on data: each by itself, and compared with one another row by row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from widc_arff.errors import DataError
from widc_arff.evaluation.cross_validation import evaluate_on
from widc_arff.evaluation.drift import drift
from widc_arff.evaluation.paired_test import PairedTest, paired_test

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.data.dataset import Dataset
    from widc_arff.evaluation.drift import Comparison
    from widc_arff.evaluation.outcomes import Evaluation, Prediction
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.options import Options


@dataclass(frozen=True, slots=True, eq=False)
class ModelOnData:
    """What one model does on data.

    Parameters
    ----------
    name : str
        Of the model.
    committee : DecisionCommittee
        The model.
    evaluation : Evaluation
        Error, costs and measures.
    comparisons : tuple of Comparison
        What its rules cover and how often they are right, compared with training.
    """

    name: str
    committee: DecisionCommittee
    evaluation: Evaluation[Any]
    comparisons: tuple[Comparison, ...]

    def as_read(self) -> ModelOnData:
        """Return the same with the names that people read."""
        committee = self.committee.as_read()
        labels = committee.schema.labels.values
        return replace(
            self, committee=committee, evaluation=replace(self.evaluation, labels=labels)
        )

    @property
    def prediction(self) -> Prediction:
        """Decisions and probabilities."""
        return self.evaluation.predictions[0]


class Versus(NamedTuple):
    """Two models, by their places, on the same rows."""

    first: int
    second: int
    test: PairedTest


def model_on_data(
    name: str, committee: DecisionCommittee, dataset: Dataset, options: Options, source: str
) -> ModelOnData:
    """Return what a model does on a data set in its schema.

    Parameters
    ----------
    name : str
        Of the model.
    committee : DecisionCommittee
        The model.
    dataset : Dataset
        With classes or labels.
    options : Options
        Those of the model (`options_of`), or with costs of another kind.
    source : str
        Name of the data.

    Raises
    ------
    DataError
        If no row has a class, or tells all of its labels.
    """
    evaluation = evaluate_on(committee, dataset, options, source)
    return ModelOnData(name, committee, evaluation, drift(committee, dataset))


def versus(models: Sequence[ModelOnData]) -> tuple[Versus, ...]:
    """Return the paired test of each two models on the same rows.

    Raises
    ------
    DataError
        If some decide for classes and others for label sets.
    """
    if len({type(model.evaluation) for model in models}) > 1:
        raise DataError("expected models of one kind, got some for classes and some for label sets")
    tests = []
    for first, second in combinations(range(len(models)), 2):
        one, other = (models[i].prediction for i in (first, second))
        rows = one.known & other.known & (one.weights > 0)
        losses, others = (
            models[i].evaluation.losses_of(models[i].prediction)[rows] for i in (first, second)
        )
        tests.append(Versus(first, second, paired_test(losses, others, one.weights[rows])))
    return tuple(tests)
