"""Stage 1 alone: label sets and initial partitions against the loops."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.reference import committee as reference
from tests.reference.bridge import coded
from widc_arff.induction.counting.counters import counter_of
from widc_arff.induction.paper.growing import grow

if TYPE_CHECKING:
    from widc_arff.induction.sample.coding import CodedSample


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
    grown = grow(counter_of(ours))
    assert as_data(ours, grown) == [[tuple(x) for x in monomial] for monomial in expected]


@pytest.mark.parametrize("seed", range(40))
def test_growing_from_an_initial_partition_is_that_of_the_reference(seed):
    rng = random.Random(seed)
    problem = reference.random_problem(rng)
    sample = reference.counting_examples(problem)
    blocks = [rng.randrange(3) for _ in sample.rows]
    expected = reference.grow(sample, reference.literals(sample, "all"), initial=blocks)
    ours = coded(problem)
    grown = grow(counter_of(ours, np.array(blocks)))
    assert as_data(ours, grown) == [[tuple(x) for x in monomial] for monomial in expected]


def test_known_monomials_do_not_come_up_again():
    problem = reference.random_problem(random.Random(3))
    sample = coded(problem)
    first = grow(counter_of(sample))
    again = grow(counter_of(sample), known=frozenset(frozenset(monomial) for monomial in first))
    assert first
    assert not {frozenset(m) for m in first} & {frozenset(m) for m in again}
