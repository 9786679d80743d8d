"""Committees for one label each, beside one for all."""

from __future__ import annotations

import numpy as np
import pytest

from tests.label_set_cases import days, random_sets
from widc_arff import LabelSetOptions, Options, induce
from widc_arff.arff.relation import Attribute
from widc_arff.data.dataset import Dataset
from widc_arff.data.schema import Labels, Schema
from widc_arff.evaluation.cross_validation import Folding, cross_validate
from widc_arff.evaluation.label_by_label import label_by_label


def of_label(dataset: Dataset, j: int, more: list[np.ndarray]) -> Dataset:
    """Return one label as the class, with columns of labels before it as attributes."""
    names = dataset.schema.labels.values
    attributes = [Attribute(name, "nominal", ("0", "1")) for name in names[: len(more)]]
    labels = Labels("single", (names[j],), ("0", "1"))
    schema = Schema("one", (*dataset.schema.attributes, *attributes), labels)
    Y = np.stack([~dataset.Y[:, j], dataset.Y[:, j]], axis=1)
    return Dataset(schema, (*dataset.columns, *more), Y, dataset.weights)


@pytest.mark.parametrize("way", ["labels", "chains"])
@pytest.mark.parametrize("seed", range(3))
def test_sets_are_those_of_committees_learned_label_by_label(way, seed):
    dataset = random_sets(seed, n_samples=120)
    training, test = dataset.take(np.arange(80)), dataset.take(np.arange(80, 120))
    found = label_by_label(training, test, LabelSetOptions(penalty=1.0), way)
    before: list[np.ndarray] = []
    told: list[np.ndarray] = []
    sizes = np.zeros(2, int)
    for j in range(4):
        committee = induce(of_label(training, j, before), Options(penalty=1.0))
        rows = of_label(test, j, told)
        predicted = committee.predict_codes(rows) == 1
        assert found.predicted[:, j].tolist() == predicted.tolist()
        assert found.probabilities[:, j].tolist() == committee.predict_proba(rows)[:, 1].tolist()
        sizes += len(committee.rules), committee.n_literals
        if way == "chains":
            before.append(training.Y[:, j].astype(np.int8))
            told.append(predicted.astype(np.int8))
    assert (found.n_rules, found.n_literals) == tuple(sizes)
    assert found.n_literals


def test_they_are_tested_on_the_same_folds():
    dataset = random_sets(2)
    one = cross_validate(dataset, Options(), Folding(3))
    other = cross_validate(dataset, Options(), Folding(3), way="labels")
    rows = [[prediction.rows.tolist() for prediction in e.predictions] for e in (one, other)]
    assert rows[0] == rows[1]
    assert other.measures.to_dict().keys() == one.measures.to_dict().keys()


def test_rows_of_which_a_label_is_missing_are_not_learned_from():
    dataset = days()
    every, known = (
        label_by_label(part, dataset, LabelSetOptions(), "labels")
        for part in (dataset, dataset.take(np.arange(8)))
    )
    assert every.probabilities.tolist() == known.probabilities.tolist()
