"""Stage 1 alone: label sets, initial partitions, and both ways of counting against the loops."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from tests.reference import committee as reference
from tests.reference.bridge import dataset_of
from widc_arff.induction import counting
from widc_arff.induction.coding import CodedSample, code_sample, holds
from widc_arff.induction.counting import literal_sums, narrow
from widc_arff.induction.growing import grow
from widc_arff.induction.partition import open_front, whole_sample
from widc_arff.induction.sample import LearningSample


def coded(problem, method="all") -> CodedSample:
    dataset = dataset_of(problem)
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
    return code_sample(sample, dataset.schema, cuts)


def as_data(sample: CodedSample, monomials):
    literals = [[sample.catalogue.literal(i) for i in monomial] for monomial in monomials]
    return [[(x.attribute, x.operator, x.value) for x in monomial] for monomial in literals]


@pytest.mark.parametrize("seed", range(40))
def test_label_sets_grow_the_monomials_of_the_reference(seed):
    rng = random.Random(seed)
    problem = reference.random_problem(rng)
    label_sets = reference.random_label_sets(rng, len(problem.rows), problem.n_classes)
    sample = reference.counting_examples(problem, label_sets)
    expected = reference.grow(sample, reference.literals(sample, "all"))

    # Some class for every row, so that all of them stay; the label matrix takes its place.
    ours = coded(replace(problem, labels=[0] * len(problem.rows)))
    Y = np.zeros((len(sample.kept), problem.n_classes), bool)
    for i, row in enumerate(sample.kept):
        Y[i, list(label_sets[row])] = True
    ours = replace(ours, labels=Y, n_labels=problem.n_classes)
    assert as_data(ours, grow(ours)) == [[tuple(x) for x in monomial] for monomial in expected]


@pytest.mark.parametrize("seed", range(40))
def test_growing_from_an_initial_partition_is_that_of_the_reference(seed):
    rng = random.Random(seed)
    problem = reference.random_problem(rng)
    sample = reference.counting_examples(problem)
    blocks = [rng.randrange(3) for _ in sample.rows]
    expected = reference.grow(sample, reference.literals(sample, "all"), initial=blocks)
    ours = coded(problem)
    grown = grow(ours, blocks=np.array(blocks))
    assert as_data(ours, grown) == [[tuple(x) for x in monomial] for monomial in expected]


def test_known_monomials_do_not_come_up_again():
    problem = reference.random_problem(random.Random(3))
    sample = coded(problem)
    first = grow(sample)
    again = grow(sample, known=frozenset(frozenset(monomial) for monomial in first))
    assert first
    assert not {frozenset(m) for m in first} & {frozenset(m) for m in again}


def plain_sums(sample: CodedSample, front, rows) -> np.ndarray:
    """Sum of roots after each literal, block by block and literal by literal."""
    sums = np.zeros(len(sample.catalogue))
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    for literal in range(len(sums)):
        group, row = sample.catalogue.places[int(sample.catalogue.attribute[literal])]
        covered = holds(sample, literal, rows.codes[group][row])
        for block in range(len(front.totals)):
            inside = covered & (rows.block == block)
            total = weights[inside].sum()
            for label in range(front.label_weights.shape[1])[front.two_classes :]:
                positive = weights[inside & (rows.labels == label)].sum()
                rest = front.label_weights[block, label] - positive
                others = front.totals[block] - total - rest
                sums[literal] += np.sqrt(positive * (total - positive)) + np.sqrt(rest * others)
    return sums


@pytest.mark.parametrize("row_cost", [0.0, 9.5, 1e9], ids=["sorted", "mixed", "dense"])
@pytest.mark.parametrize("elements", [64, 65536], ids=["many chunks", "one chunk"])
@pytest.mark.parametrize("seed", range(12))
def test_dense_and_sorted_counting_add_up_to_the_plain_sums(monkeypatch, row_cost, elements, seed):
    monkeypatch.setattr(counting, "ROW_COST", row_cost)
    monkeypatch.setattr(counting, "WEIGHTED_ROW_COST", row_cost)
    monkeypatch.setattr(counting, "ELEMENTS", elements)
    rng = random.Random(seed)
    problem = reference.random_problem(rng, max_rows=200, max_classes=2 + seed % 3)
    sample = coded(problem)
    blocks = np.array([rng.randrange(6) for _ in range(sample.n_samples)])
    front = open_front(whole_sample(sample, blocks), sample.n_labels)
    rows = front.rows
    for _ in range(3):
        if not len(rows) or not len(sample.catalogue):
            break
        sums = literal_sums(sample, front, rows)
        np.testing.assert_allclose(sums, plain_sums(sample, front, rows), rtol=1e-9)
        rows = narrow(sample, rows, rng.randrange(len(sums)))
