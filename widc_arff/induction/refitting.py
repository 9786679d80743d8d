"""A committee with given rules on data: what they cover, default vector, probabilities, error."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.committees import (
    fitted_to_classes,
    fitted_to_label_sets,
    having_seen,
)
from widc_arff.induction.constraints.given import (
    given_covers,
    given_rules,
    given_rules_of_sets,
)
from widc_arff.induction.constraints.vector_search import VectorSearch
from widc_arff.induction.preparing import costs_of_errors, warn_of_rows_left_out
from widc_arff.induction.sample.learning_sample import LearningSample, class_weights
from widc_arff.induction.sample.weighting import weighted_by_class
from widc_arff.options import options_of

if TYPE_CHECKING:
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.editing import Edit


def refitted(committee: DecisionCommittee, dataset: Dataset) -> DecisionCommittee:
    """Return a committee with the same rules and figures recomputed from a data set.

    Parameters
    ----------
    committee : DecisionCommittee
        Its options say how classes and errors are weighted.
    dataset : Dataset
        In its schema; rows without a class or of weight zero are left out, with a warning.

    Returns
    -------
    DecisionCommittee
        On the rows that it was learned from it has the same figures as before.  Probabilities
        count hidden errors (I11) by the price of the rules that are not locked.

    Raises
    ------
    DataError
        If there is no row to count.

    Examples
    --------
    >>> from widc_arff import Edit, edited, induce, read_dataset
    >>> flowers = read_dataset("arff_data/iris.arff")
    >>> committee = induce(flowers)
    >>> refitted(committee, flowers) == committee
    True
    >>> refitted(edited(committee, Edit(remove=[1])), flowers).training.error
    0.3333333333333333
    """
    warn_of_rows_left_out(dataset)
    options = options_of(committee)
    in_data = LearningSample.of(dataset)
    if committee.schema.labels.are_sets:
        found = fitted_to_label_sets(committee.rules, committee.schema, in_data, options)
    else:
        sample = in_data
        if not options.weights_stay:
            sample = LearningSample.of(weighted_by_class(dataset, options))
        found = fitted_to_classes(committee.rules, committee.schema, sample, in_data, options)
    found = having_seen(found, in_data, options)
    training = replace(found.training, options=committee.training.options)
    kept = {name: getattr(committee, name) for name in ("names", "history", "provenance")}
    return replace(found, training=training, **kept)


def with_learned_votes(edit: Edit, committee: DecisionCommittee, dataset: Dataset) -> Edit:
    """Return an edit whose rules have votes, learned where none are told.

    Parameters
    ----------
    edit : Edit
        Its rules may have no votes.
    committee : DecisionCommittee
        Its options say how classes and errors are weighted.
    dataset : Dataset
        In its schema.

    Raises
    ------
    DataError, OptionError
        If there is no row to count, or a rule does not fit the data.
    """
    every = [*(edit.rules or ()), *edit.added]
    if all(rule.votes is not None for rule in every):
        return edit
    options = replace(options_of(committee), rules=tuple(every), max_rules=None, max_size=None)
    sample, schema = LearningSample.of(weighted_by_class(dataset, options)), dataset.schema
    covers = given_covers(options, sample.columns, len(sample.weights), schema)
    if schema.labels.are_sets:
        given = given_rules_of_sets(options, covers, sample.Y, sample.weights, schema)
    else:
        present, costs = sample.weighed.present, costs_of_errors(options)
        vector_search = VectorSearch(None if costs is None else costs[np.ix_(present, present)])
        weights = np.array([class_weights(sample.Y[own], sample.weights[own]) for own in covers])
        given = given_rules(options, weights, present, schema, vector_search)
    vectors = given.vectors.tolist()
    voting = [
        replace(rule, votes=tuple(vector)) if rule.votes is None else rule
        for rule, vector in zip(every, vectors, strict=True)
    ]
    n = len(every) - len(edit.add)
    return edit._replace(
        rules=None if edit.rules is None else voting[:n], add=[str(rule) for rule in voting[n:]]
    )
