"""Weights of the examples by their class: class weights, and costs of misclassification."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.data.rows import check_weights
from widc_arff.induction.sample.learning_sample import (
    RowSurvey,
    class_weights,
    in_quanta,
    rows_that_count,
)
from widc_arff.model.costs import all_equal, mean_costs, require_costs_for

if TYPE_CHECKING:
    from widc_arff.arrays import Floats
    from widc_arff.data.dataset import Dataset
    from widc_arff.data.schema import Schema
    from widc_arff.options import Options


def weighted_by_class(dataset: Dataset, options: Options) -> Dataset:
    """Return a data set whose examples count as much as their class does.

    Raises
    ------
    DataError
        If a weight is out of range.
    OptionError
        If class weights or costs are not for the labels of the data set.
    """
    check_weights(dataset.weights)
    if options.weights_stay:
        return dataset
    survey, counted = RowSurvey.of(dataset), rows_that_count(dataset)
    totals = class_weights(counted.Y, in_quanta(counted.weights, survey.exponent)) * survey.quantum
    factors = class_factors(options, dataset.schema, totals)
    return replace(dataset, weights=dataset.weights * factors[dataset.classes])


def class_factors(options: Options, schema: Schema, totals: Floats) -> Floats:
    """Return how much more than it weighs an example of each class counts, shape (n_classes,).

    Class weights multiply the weights.  Costs do so by the mean cost of taking the class for
    another, over the mean of all examples: the total weight stays.

    Parameters
    ----------
    options : Options
        With class weights and costs.
    schema : Schema
        Of the labels.
    totals : ndarray of float64 of shape (n_classes,)
        Weight of the examples of each class.

    Raises
    ------
    OptionError
        If class weights or costs are not for these labels.
    """
    factors = np.ones(schema.n_classes)
    if options.class_weight is not None:
        factors = _class_weights(options, schema, totals)
    if options.costs is not None:
        require_costs_for(schema.labels, options.costs)
        if not all_equal(options.costs):
            costs, weighed = mean_costs(options.costs), totals * factors
            if weighed.any():
                costs *= weighed.sum() / (costs * weighed).sum()
            factors = factors * costs
    return factors


def _class_weights(options: Options, schema: Schema, totals: Floats) -> Floats:
    """Return the factor of each class, shape (n_classes,)."""
    if isinstance(options.class_weight, str):  # balanced
        even = totals.sum() / max(np.count_nonzero(totals), 1)
        return np.asarray(np.where(totals > 0, even / np.where(totals > 0, totals, 1.0), 1.0))
    factors = np.ones(schema.n_classes)
    for label, weight in options.class_weight or ():
        factors[schema.labels.index(label, "class_weight")] = weight
    return factors
