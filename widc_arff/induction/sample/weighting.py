"""Weights of the examples by their class: class weights, and costs of misclassification."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.data.dataset import check_weights
from widc_arff.model.costs import all_equal, mean_costs, require_costs_for

if TYPE_CHECKING:
    from widc_arff.arrays import Floats
    from widc_arff.data.dataset import Dataset, Schema
    from widc_arff.options import Options


def weighted_by_class(dataset: Dataset, options: Options) -> Dataset:
    """Return a data set whose examples count as much as their class does.

    Class weights multiply the weights.  Costs do so by the mean cost of taking the class for
    another, over the mean of all examples: the total weight stays.

    Raises
    ------
    DataError
        If a weight is out of range.
    OptionError
        If class weights or costs are not for the labels of the data set.
    """
    check_weights(dataset.weights)
    if options.class_weight is None and options.costs is None:
        return dataset
    labels = dataset.schema.labels
    classes, labelled = dataset.classes, dataset.labelled
    weights = dataset.weights
    if options.class_weight is not None:
        totals = np.array([weights[classes == j].sum() for j in range(len(labels.values))])
        weights = weights * _class_weights(options, dataset.schema, totals)[classes]
    if options.costs is not None:
        require_costs_for(labels, options.costs)
        if not all_equal(options.costs):
            factors = mean_costs(options.costs)[classes]
            total = weights[labelled].sum()
            if total > 0:
                factors *= total / (weights * factors)[labelled].sum()
            weights = weights * factors
    return replace(dataset, weights=weights)


def _class_weights(options: Options, schema: Schema, totals: Floats) -> Floats:
    """Return the factor of each class, shape (n_classes,)."""
    if isinstance(options.class_weight, str):  # balanced
        even = totals.sum() / max(np.count_nonzero(totals), 1)
        return np.asarray(np.where(totals > 0, even / np.where(totals > 0, totals, 1.0), 1.0))
    factors = np.ones(schema.n_classes)
    for label, weight in options.class_weight or ():
        factors[schema.labels.index(label, "class_weight: ")] = weight
    return factors
