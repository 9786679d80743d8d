"""From problems of the reference to data sets of the product, and committees side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.arff.relation import Attribute
from widc_arff.dataset import Dataset, Labels, Schema, label_matrix

if TYPE_CHECKING:
    from tests.reference.problem import Problem
    from widc_arff.committee import DecisionCommittee


def dataset_of(problem: Problem) -> Dataset:
    """Return a problem of the reference as a data set of the product."""
    attributes, columns = [], []
    for a, attribute in enumerate(problem.attributes):
        cells = [row[a] for row in problem.rows]
        if attribute[0] == "nominal":
            attributes.append(Attribute(f"a{a}", "nominal", tuple(attribute[1])))
            columns.append(np.array([-1 if cell is None else cell for cell in cells], np.int8))
        else:
            attributes.append(Attribute(f"a{a}", "numeric"))
            columns.append(np.array([np.nan if cell is None else cell for cell in cells], float))
    classes = np.array([-1 if label is None else label for label in problem.labels])
    labels = Labels("single", ("class",), tuple(f"c{j}" for j in range(problem.n_classes)))
    return Dataset(
        Schema("problem", tuple(attributes), labels),
        tuple(columns),
        label_matrix(classes, problem.n_classes),
        np.array(problem.weights, float),
    )


def rules_as_data(committee: DecisionCommittee) -> list[Any]:
    """Return monomials and votes of a committee in the reference's terms."""
    return [
        ([(x.attribute, x.operator, x.value) for x in rule.monomial], rule.votes)
        for rule in committee.rules
    ]
