"""Refined pruning of label sets equals its plain twin on random data."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.label_set_cases import random_sets
from tests.reference.label_set_refining import Example, Weigher, shrink
from widc_arff.induction import prepare
from widc_arff.induction.growing import GrowthLimits, distinct, grow
from widc_arff.induction.label_set_refining import _Shrinking, refine_label_sets
from widc_arff.induction.pruning import SizeLimits
from widc_arff.options import LabelSetOptions


@pytest.mark.parametrize("seed", range(25))
def test_a_shrunk_committee_is_that_of_plain_loops(seed):
    rng = random.Random(seed)
    dataset = random_sets(seed, n_samples=rng.choice([25, 40]), n_labels=rng.choice([2, 3, 4]))
    _, coded = prepare(dataset, LabelSetOptions())
    catalogue = range(len(coded.catalogue))
    pool = [tuple(rng.sample(catalogue, rng.choice([1, 2, 2, 3, 4]))) for _ in range(5)]
    pool = distinct([*grow(coded, GrowthLimits(max_rules=3)), *pool])
    penalty, most = rng.choice([0.5, 3.0]), rng.choice([None, 2])

    truth = np.array([coded.satisfying(i) for i in catalogue])
    weights = np.ones(coded.n_samples) if coded.weights is None else coded.weights
    examples = [
        Example(
            frozenset(np.flatnonzero(truth[:, i]).tolist()),
            frozenset(np.flatnonzero(labels).tolist()),
            int(weight),
        )
        for i, (labels, weight) in enumerate(zip(coded.labels, weights, strict=True))
    ]
    weigher = Weigher(examples, coded.n_labels, penalty)
    expected, bits = shrink(weigher, pool, most)

    found = _Shrinking(coded, penalty, SizeLimits(max_rules=most)).least(pool)
    assert found.monomials == expected
    assert found.bits == pytest.approx(bits)


@pytest.mark.parametrize("seed", range(8))
def test_refining_never_ends_above_the_shrunk_large_committee(seed):
    dataset = random_sets(seed)
    _, coded = prepare(dataset, LabelSetOptions())
    grown = grow(coded, GrowthLimits())
    refined = refine_label_sets(coded, grown, 3.0, GrowthLimits(max_size=6))
    shrinking = _Shrinking(coded, 3.0, SizeLimits(max_size=6))
    assert sum(map(len, refined)) <= 6
    # shrinking once more never raises J, and says what it is
    assert shrinking.least(refined).bits <= shrinking.least(grown).bits + 1e-9


def test_residual_weights_grow_with_the_ranking_loss_up_to_ten_times():
    dataset = random_sets(1)
    _, coded = prepare(dataset, LabelSetOptions())
    weights = _Shrinking(coded, 3.0, SizeLimits()).residual_weights([])
    own = np.ones(coded.n_samples) if coded.weights is None else coded.weights
    sizes = dataset.Y.sum(axis=1)
    ranked = (sizes > 0) & (sizes < dataset.Y.shape[1])
    # without rules the default ranks, the mean of Y / |Y| over the rows with some labels
    default = (own[ranked] / sizes[ranked]) @ dataset.Y[ranked]
    losses = np.zeros(coded.n_samples)
    for i in np.flatnonzero(ranked):
        held, others = default[dataset.Y[i]], default[~dataset.Y[i]]
        losses[i] = np.mean(held[:, None] <= others)
    assert (weights == own * (1 + np.rint(9 * losses / losses.max()))).all()
    assert losses.max() > 0
