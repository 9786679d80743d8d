"""Predictions as a table: what is decided once for all rows of equal votes."""

from __future__ import annotations

import numpy as np
import pytest

from tests.export_cases import case
from widc_arff import Relation
from widc_arff.reports.predictions import kinds_of, prediction_table


@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (500, 2), (500, 5), (300, 40)])
def test_the_kinds_of_votes_are_the_different_rows(shape):
    votes = np.random.default_rng(1).integers(-3, 3, shape)
    kinds, kind_of = kinds_of(votes)
    assert kinds[kind_of].tolist() == votes.tolist()
    if shape[1] < 40:  # else there could be too many, and each row is one
        assert len(kinds) == len(np.unique(votes, axis=0))


def test_a_table_has_the_predictions_of_the_committee_to_the_last_bit():
    own = case("small")
    source = Relation("r", (), (), np.ones(own.examples.n_samples))  # nothing to keep
    table = prediction_table(own.committee, own.examples, source, ())
    _, _, predicted, *probabilities = table.columns
    assert predicted.tolist() == own.committee.predict_codes(own.examples).tolist()
    expected = own.committee.predict_proba(own.examples)
    assert np.stack(probabilities, axis=1).tolist() == expected.tolist()
