"""What model files do on data: each by itself, and compared with one another row by row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from widc_arff.errors import DataError
from widc_arff.evaluation.cross_validation import evaluate_rows
from widc_arff.evaluation.drift import drift
from widc_arff.evaluation.outcomes import ClassEvaluation
from widc_arff.evaluation.paired_test import PairedTest, paired_test
from widc_arff.options import options_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Bools, Floats
    from widc_arff.evaluation.distinct_rows import DistinctRows
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
    def lowest_cost(self) -> float | None:
        """Cost per row of decisions by ``predict --costs``.

        None without costs, and where the votes, and so the probabilities, follow costs or class
        weights already.
        """
        if not isinstance(self.evaluation, ClassEvaluation) or self.evaluation.costs is None:
            return None
        return self.evaluation.mean_lowest_cost if options_of(self.committee).weights_stay else None

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
    name: str, committee: DecisionCommittee, rows: DistinctRows, options: Options, source: str
) -> ModelOnData:
    """Return what a model does on rows in its schema.

    Parameters
    ----------
    name : str
        Of the model.
    committee : DecisionCommittee
        The model.
    rows : DistinctRows
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
    evaluation = evaluate_rows(committee, rows, options, source)
    comparisons = drift(committee, rows.examples, rows.counts)
    return ModelOnData(name, committee, evaluation, comparisons)


def versus(models: Sequence[ModelOnData]) -> tuple[Versus, ...]:
    """Return the paired test of each two models on the same rows, which were asked for by row.

    Raises
    ------
    DataError
        If some decide for classes and others for label sets.
    """
    if len({type(model.evaluation) for model in models}) > 1:
        raise DataError("expected models of one kind, got some for classes and some for label sets")
    tests = []
    for first, second in combinations(range(len(models)), 2):
        one, other = _of_rows(models[first]), _of_rows(models[second])
        rows = one.known & other.known & (one.weights > 0)
        test = paired_test(one.losses[rows], other.losses[rows], one.weights[rows])
        tests.append(Versus(first, second, test))
    return tuple(tests)


class _OfRows(NamedTuple):
    known: Bools
    losses: Floats
    weights: Floats


def _of_rows(model: ModelOnData) -> _OfRows:
    """Return which rows count, what the model loses on each, and what it weighs."""
    prediction = model.prediction
    assert prediction.by_row is not None
    places, weights = prediction.by_row
    losses = model.evaluation.losses_of(prediction)
    return _OfRows(prediction.known[places], losses[places], weights)
