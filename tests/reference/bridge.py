"""From problems of the reference to data sets of the product, and committees side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.reference import committee as reference
from widc_arff.arff.relation import Attribute
from widc_arff.data.dataset import Dataset
from widc_arff.data.rows import label_matrix
from widc_arff.data.schema import Labels, Schema
from widc_arff.induction.preparing import seen_in
from widc_arff.induction.sample.coding import code_sample
from widc_arff.induction.sample.learning_sample import LearningSample
from widc_arff.induction.seeing import Seeing, columns_of
from widc_arff.model.label_orders import with_orders
from widc_arff.options import Options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tests.reference.problem import LabelSet, Problem
    from widc_arff.induction.sample.coding import CodedSample
    from widc_arff.model.committee import DecisionCommittee


def dataset_of(problem: Problem, label_sets: Sequence[LabelSet] | None = None) -> Dataset:
    """Return a problem of the reference as a data set of the product.

    `label_sets` stand in for the classes if given.
    """
    attributes, columns = [], []
    for a, attribute in enumerate(problem.attributes):
        cells = [row[a] for row in problem.rows]
        if attribute[0] == "nominal":
            attributes.append(Attribute(f"a{a}", "nominal", tuple(attribute[1])))
            columns.append(np.array([-1 if cell is None else cell for cell in cells], np.int8))
        else:
            attributes.append(Attribute(f"a{a}", "numeric"))
            columns.append(np.array([np.nan if cell is None else cell for cell in cells], float))
    names = tuple(f"c{j}" for j in range(problem.n_classes))
    complete = None
    if label_sets is None:
        labels = Labels("single", ("class",), names)
        classes = np.array([-1 if label is None else label for label in problem.labels])
        Y = label_matrix(classes, problem.n_classes)
    else:
        labels = Labels("multi", names, names)
        Y = np.array([[j in held for j in range(problem.n_classes)] for held in label_sets])
        complete = np.ones(len(Y), np.bool_)
    return Dataset(
        Schema("problem", tuple(attributes), labels),
        tuple(columns),
        Y,
        np.array(problem.weights, float),
        complete=complete,
    )


def rules_as_data(committee: DecisionCommittee) -> list[Any]:
    """Return monomials and votes of a committee in the reference's terms."""
    return [
        ([(x.attribute, x.operator, x.labels or x.value) for x in rule.monomial], rule.votes)
        for rule in committee.rules
    ]


def coded(
    problem: Problem,
    method: str = "all",
    label_sets: Sequence[LabelSet] | None = None,
    kinds: Sequence[str] = (),
) -> CodedSample:
    """Return a problem of the reference in codes, with the cut points of the reference.

    And literals beyond the paper's, of some kinds; labels have the order of their declaration.
    """
    dataset = dataset_of(problem, label_sets)
    sample = LearningSample.of(dataset)
    cuts = [
        np.empty(0)
        if attribute.type == "nominal"
        else np.array(
            reference.cut_points(
                [None if np.isnan(x) else float(x) for x in column],
                [frozenset(np.flatnonzero(row).tolist()) for row in sample.Y],
                sample.weights.tolist(),
                problem.n_classes,
                method,
            ),
            np.float64,
        )
        for attribute, column in zip(dataset.schema.attributes, sample.columns, strict=True)
    ]
    names = [attribute.name for attribute in dataset.schema.attributes if attribute.values]
    schema = with_orders(dataset.schema, names)
    return coded_by(sample, schema, cuts, Options(literals=tuple(kinds)))


def coded_by(
    sample: LearningSample,
    schema: Schema,
    cuts: list[NDArray[np.float64]],
    options: Options | None = None,
) -> CodedSample:
    """Return a sample in codes by the given cut points of each attribute."""
    seeing = replace(Seeing.of(schema, options or Options("none")), table=cuts)
    return code_sample(sample, columns_of(seen_in(sample, seeing), 99))
