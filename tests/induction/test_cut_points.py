"""Candidate cut points by hand and against the plain reference (I1)."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.reference import committee as reference
from widc_arff.errors import OptionError
from widc_arff.induction.sample.cut_points import (
    ValueCounter,
    candidate_cuts,
    logs_of_whole_numbers,
)


def cuts_of(values, method="mdl+", labels=None, weights=None):
    values = np.array(values, float)
    labels = np.zeros(len(values), int) if labels is None else np.array(labels)
    Y = labels[:, None] == np.arange(max(labels.max(initial=0) + 1, 2))
    weights = np.ones(len(values)) if weights is None else np.array(weights, float)
    return candidate_cuts(ValueCounter(Y, weights).count(values), method).tolist()


def test_few_values_are_cut_at_all_midpoints():
    assert cuts_of([3, 1, 2, 2, np.nan]) == [1.5, 2.5]


def test_a_constant_or_unknown_column_has_no_cut():
    assert cuts_of([4, 4, 4]) == []
    assert cuts_of([np.nan, np.nan]) == []


def test_many_values_of_one_class_are_cut_at_the_median_only():
    # eleven values, none separable by class: 5 below and 6 above is as equal as 6 and 5; the upper
    assert cuts_of(range(11)) == [5.5]


def test_a_clean_change_of_class_is_found_beside_the_median():
    values = list(range(40))
    assert cuts_of(values, labels=[v >= 10 for v in values]) == [9.5, 19.5]
    assert cuts_of(values, "mdl", labels=[v >= 10 for v in values]) == [9.5]


def test_the_median_cut_goes_beside_a_long_run_of_equal_values():
    # of 20 rows 8 are equal to 5: 7 below it, 5 above; 7 against 13 is more equal than 15 against 5
    values = [0, 1, 2, 3, 4, 4.2, 4.4] + [5] * 8 + [6, 7, 8, 9, 10]
    assert cuts_of(values) == [4.7]


def test_quantiles_fall_where_the_weight_reaches_their_share():
    assert cuts_of(range(8), "quantile:4") == [1.5, 3.5, 5.5]
    assert cuts_of([0, 1, 2], "quantile:2", weights=[1, 1, 6]) == []
    assert cuts_of([0, 1, 2], "quantile:2", weights=[6, 1, 1]) == [0.5]


def test_widths_divide_the_range_evenly():
    assert cuts_of([0, 1, 10], "width:5") == [2, 4, 6, 8]


def test_a_midpoint_that_rounds_up_or_overflows_becomes_the_lower_value():
    low, high = 1.0, np.nextafter(1.0, 2)
    assert cuts_of([low, high]) == [low]
    big = np.finfo(float).max
    assert cuts_of([big / 2 * 1.5, big]) == [big / 2 * 1.5]
    assert cuts_of([1.0, np.inf]) == [1.0]


def test_minus_infinity_is_cut_off_by_a_finite_number():
    (cut,) = cuts_of([-np.inf, 0.0])
    assert np.isfinite(cut)
    assert cut < 0


def test_more_cuts_than_codes_are_refused_with_advice():
    with pytest.raises(OptionError, match="quantile:K"):
        cuts_of(range(70000), "all")


@pytest.mark.parametrize("method", ["mdl+", "mdl", "all", "quantile:5", "width:4"])
@pytest.mark.parametrize("seed", range(60))
def test_cuts_are_those_of_the_reference(method, seed):
    rng = random.Random(seed)
    n, n_classes = rng.randint(1, 60), rng.randint(2, 4)
    values = [rng.choice([None, rng.randint(0, 30), rng.random() * 9]) for _ in range(n)]
    labels = [int(v is not None and v > 10 and rng.random() < 0.9) for v in values]
    weights = [rng.choice([1.0, 2.0, 5.0]) for _ in values]
    expected = reference.cut_points(
        values, [frozenset([x]) for x in labels], weights, n_classes, method
    )
    columns = np.array([np.nan if v is None else v for v in values], float)
    Y = np.array(labels)[:, None] == np.arange(n_classes)
    counts = ValueCounter(Y, np.array(weights)).count(columns)
    cuts = candidate_cuts(counts, method)
    assert cuts.tolist() == pytest.approx(list(expected), rel=1e-12)
    logs = logs_of_whole_numbers(5 * n)
    assert candidate_cuts(counts, method, logs).tolist() == cuts.tolist()


@pytest.mark.parametrize("n_labels", [0, 1, 3])
@pytest.mark.parametrize("are_sets", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_values_are_counted_as_one_by_one(seed, are_sets, n_labels):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 40))
    column = rng.choice([np.nan, -0.0, 0.0, 1.5, 3.0, np.inf][seed % 5 :], n)
    Y = rng.random((n, n_labels)) < 0.4
    if not are_sets:
        Y = rng.integers(0, max(n_labels, 1), n)[:, None] == np.arange(n_labels)
    weights = rng.integers(1, 4, n).astype(float) if seed % 2 else np.ones(n)
    counts = ValueCounter(Y, weights).count(column)
    assert counts.values.tolist() == sorted({v + 0.0 for v in column[~np.isnan(column)].tolist()})
    assert not np.signbit(counts.values).any()
    for value, weight, of_labels in zip(
        counts.values, counts.weights, counts.class_weights, strict=True
    ):
        rows = column == value
        assert weight == weights[rows].sum()
        assert of_labels.tolist() == [weights[rows & held].sum() for held in Y.T]
