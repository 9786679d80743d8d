"""How many training examples ties decide."""

from __future__ import annotations

import random
import warnings

import numpy as np
import pytest

from tests.reference import committee as reference
from tests.reference.bridge import dataset_of
from tests.search_cases import KINDS
from widc_arff.errors import WidcWarning
from widc_arff.induction import induce
from widc_arff.model.label_threshold import label_sets, split_by_ties
from widc_arff.options import Options
from widc_arff.reports.text import committee_text


@pytest.mark.parametrize("pruning", ["refined", "pessimistic"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_share_is_that_of_the_examples_whose_decision_votes_leave_open(kind, pruning):
    shares = set()
    for seed in range(20):
        rng = random.Random(f"ties {kind} {seed}")
        problem = reference.random_problem(rng)
        sets = None
        if kind == "sets":
            sets = reference.random_label_sets(rng, len(problem.rows), problem.n_classes)
        dataset = dataset_of(problem, sets)
        weight = "balanced" if kind == "classes" and seed % 2 else None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", WidcWarning)
            committee = induce(dataset, Options(pruning, penalty=0.5, class_weight=weight))
        tied = total = 0.0
        held = committee.predict_sets(dataset) if kind == "sets" else None
        for i, votes in enumerate(committee.votes(dataset).tolist()):
            if not (dataset.labelled[i] and dataset.weights[i]):
                continue
            total += dataset.weights[i]
            is_open = votes.count(max(votes)) > 1
            if held is not None:
                inside = {vote for vote, is_held in zip(votes, held[i], strict=True) if is_held}
                outside = {
                    vote for vote, is_held in zip(votes, held[i], strict=True) if not is_held
                }
                is_open = bool(inside & outside)
            tied += dataset.weights[i] * is_open
        assert committee.training.ties == pytest.approx(tied / total)
        told = f"ties decide {100 * tied / total:.1f} %"
        assert told in committee_text(committee).replace("\n", " ")
        shares.add(round(tied / total, 3))
    assert len(shares) > 5


def test_ties_decide_a_set_where_labels_of_equal_votes_are_in_it_and_others_are_not():
    votes = np.array([[2, 0, 0], [2, 1, 0], [1, 1, 1], [0, 0, 0], [2, 2, 0]])
    scores = votes + np.array([0.2, 0.1, 0.3]) / 2
    told = split_by_ties(votes, label_sets(scores, 1.12))
    # the third example gets its third label alone of three with a vote
    assert told.tolist() == [False, False, True, False, False]
