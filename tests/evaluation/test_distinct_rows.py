"""An evaluation of distinct rows is that of all rows, in one piece or in several."""

from __future__ import annotations

import io
from dataclasses import asdict, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.label_set_cases import random_sets
from widc_arff import induce, read_dataset
from widc_arff.evaluation.cross_validation import Task, evaluate_rows, predicted
from widc_arff.evaluation.distinct_rows import _numbered, distinct_rows
from widc_arff.evaluation.drift import drift
from widc_arff.evaluation.outcomes import EVALUATIONS, Evaluation
from widc_arff.options import Options
from widc_arff.reports.predictions import write_evaluated

if TYPE_CHECKING:
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee


def cases() -> list[tuple[DecisionCommittee, Dataset]]:
    """Return committees, and rows with weights, some of them without a class."""
    rng = np.random.default_rng(5)
    found = []
    for dataset in (
        read_dataset("arff_data/iris.arff"),
        read_dataset("arff_data/weather-nominal.arff"),
        random_sets(3, 200),
        random_sets(4, 90, 3),
    ):
        n = dataset.n_samples
        committee = induce(dataset, Options())
        unknown = rng.random(n) < 0.1
        complete = None if dataset.complete is None else dataset.complete & ~unknown
        dataset = replace(dataset, Y=dataset.Y & ~unknown[:, None], complete=complete)  # noqa: PLW2901
        found += [
            (committee, replace(dataset, weights=weights))
            for weights in (np.ones(n), rng.integers(0, 4, n).astype(np.float64), rng.random(n))
        ]
    return found


CASES = cases()


def pieces_of(dataset: Dataset, size: int) -> list[Dataset]:
    n = dataset.n_samples
    return [dataset.take(np.arange(k, min(k + size, n))) for k in range(0, n, size)]


def plain(committee, dataset: Dataset, options: Options) -> Evaluation[Any]:
    """Evaluate row by row."""
    kind = EVALUATIONS[dataset.schema.labels.kind]
    options = kind.suited(options)
    prediction = predicted(committee, dataset, Task(1, 1, np.arange(dataset.n_samples)))
    return kind.of("data", "separate test set", dataset, options, [prediction])


def numbers(measures: object) -> list[Any]:
    fields = asdict(measures).values()  # type: ignore[call-overload] # they are dataclasses
    return [np.asarray(value) for value in fields if not isinstance(value, dict | tuple)]


@pytest.mark.parametrize("size", [7, 1000])
@pytest.mark.parametrize("case", range(len(CASES)))
def test_measures_counts_and_drift_are_those_of_all_rows(case, size):
    committee, dataset = CASES[case]
    rows = distinct_rows(committee, pieces_of(dataset, size), by_row=True)
    assert rows.examples.n_samples < dataset.n_samples
    found = evaluate_rows(committee, rows, Options(), "data")
    expected = plain(committee, dataset, Options())
    assert (found.examples, found.unlabelled) == (expected.examples, expected.unlabelled)
    for one, other in zip(numbers(found.measures), numbers(expected.measures), strict=True):
        assert one == pytest.approx(other, rel=1e-12, abs=1e-15, nan_ok=True)
    for one, other in zip(
        drift(committee, rows.examples, rows.counts), drift(committee, dataset), strict=True
    ):
        assert one.p == pytest.approx(other.p, rel=1e-9, nan_ok=True)
        assert (one.found.part, one.found.whole) == pytest.approx(
            (other.found.part, other.found.whole)
        )
    (p,), (q,) = found.predictions, expected.predictions
    assert rows.by_row is not None
    places, weights = rows.by_row
    assert weights.tolist() == dataset.weights.tolist()
    assert found.losses_of(p)[places].tolist() == expected.losses_of(q).tolist()
    texts = [io.StringIO(), io.StringIO()]
    for text, evaluation in zip(texts, (found, expected), strict=True):
        write_evaluated([evaluation], text)
    assert texts[0].getvalue() == texts[1].getvalue()


@pytest.mark.parametrize("size", [1, 7, 50])
def test_pieces_do_not_matter(size):
    for committee, dataset in CASES:
        if (dataset.weights != np.rint(dataset.weights)).any():
            continue
        whole = distinct_rows(committee, [dataset], by_row=True)
        found = distinct_rows(committee, pieces_of(dataset, size), by_row=True)
        assert found.counts.tolist() == whole.counts.tolist()
        assert found.examples.weights.tolist() == whole.examples.weights.tolist()
        assert found.by_row is not None
        assert whole.by_row is not None
        assert found.by_row.places.tolist() == whole.by_row.places.tolist()
        assert (found.examples.Y == whole.examples.Y).all()
        assert (committee.fires(found.examples) == committee.fires(whole.examples)).all()


@pytest.mark.parametrize("n_bits", [0, 1, 64, 65, 200])
def test_rows_of_bits_are_numbered_however_many_they_are(n_bits):
    rng = np.random.default_rng(n_bits)
    bits = rng.random((30, n_bits)) < 0.5
    bits = bits[rng.integers(0, 30, 100)]
    numbers_of = _numbered(bits)
    for one, other in combinations(range(100), 2):
        assert (numbers_of[one] == numbers_of[other]) == (bits[one] == bits[other]).all()
