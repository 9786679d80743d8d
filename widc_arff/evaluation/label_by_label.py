"""Label sets by committees for one label each: what one committee for all labels is compared with.

*One committee per label* learns each label by itself (binary relevance).  *Classifier chains*
(Read, Pfahringer, Holmes & Frank, Machine Learning 85, 2011) learn the labels in the order of the
header, each with those before it as attributes: the true ones in training, in new rows those
predicted.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.arff.relation import Attribute
from widc_arff.data.schema import Labels
from widc_arff.induction import induce
from widc_arff.options import Options

if TYPE_CHECKING:
    from widc_arff.arrays import Bools, Floats
    from widc_arff.data.dataset import Dataset

WAYS = {"labels": "one committee per label", "chains": "classifier chains"}
"""How committees for one label each make label sets, and what that is called."""
_ABSENT, _PRESENT = "0", "1"


class Sets(NamedTuple):
    """What committees for one label each say of rows.

    Parameters
    ----------
    predicted : ndarray of bool of shape (n_samples, n_labels)
        The label sets.
    probabilities : ndarray of float64 of shape (n_samples, n_labels)
        Of each label.
    n_rules, n_literals, n_votes : int
        Size of all committees.
    """

    predicted: Bools
    probabilities: Floats
    n_rules: int
    n_literals: int
    n_votes: int


def label_by_label(training: Dataset, test: Dataset, options: Options, way: str) -> Sets:
    """Learn a committee for each label, and predict label sets.

    Parameters
    ----------
    training, test : Dataset
        With label sets; rows of which a label is missing are not learned from.
    options : Options
        Those that are not for label sets alone hold for each committee.
    way : str
        One of `WAYS`.
    """
    training = training.take(training.labelled)
    values = {field.name: getattr(options, field.name) for field in fields(Options)}
    n_labels = training.Y.shape[1]
    shape = test.n_samples, n_labels
    predicted, probabilities = np.zeros(shape, np.bool_), np.zeros(shape)
    sizes = np.zeros(3, np.int64)
    for j in range(n_labels):
        before = range(j) if way == "chains" else range(0)
        learned = _with_labels(_of_label(training, j), training, training.Y, before)
        tested = _with_labels(_of_label(test, j), test, predicted, before)
        committee = induce(learned, Options(**values))
        predicted[:, j] = committee.predict_codes(tested) == 1
        probabilities[:, j] = committee.predict_proba(tested)[:, 1]
        sizes += len(committee.rules), committee.n_literals, committee.n_votes
    return Sets(predicted, probabilities, *sizes.tolist())


def _of_label(dataset: Dataset, j: int) -> Dataset:
    """Return the same rows with one label as their class."""
    labels = Labels("single", (dataset.schema.labels.values[j],), (_ABSENT, _PRESENT))
    Y = np.stack([~dataset.Y[:, j], dataset.Y[:, j]], axis=1)
    return replace(dataset, schema=replace(dataset.schema, labels=labels), Y=Y, complete=None)


def _with_labels(dataset: Dataset, whole: Dataset, Y: Bools, labels: range) -> Dataset:
    """Return a data set with some labels as attributes behind the others."""
    names = [whole.schema.labels.values[j] for j in labels]
    more = tuple(Attribute(name, "nominal", (_ABSENT, _PRESENT)) for name in names)
    columns = (*dataset.columns, *(Y[:, j].astype(np.int8) for j in labels))
    schema = replace(dataset.schema, attributes=(*dataset.schema.attributes, *more))
    return replace(dataset, schema=schema, columns=columns)
