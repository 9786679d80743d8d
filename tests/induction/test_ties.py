"""How many training examples ties decide, and each rule."""

from __future__ import annotations

import random
import warnings
from dataclasses import replace

import numpy as np
import pytest

from tests.reference import committee as reference
from tests.reference.bridge import dataset_of
from tests.search_cases import KINDS
from widc_arff.arff.relation import Attribute, Relation
from widc_arff.data.dataset import Dataset
from widc_arff.errors import OptionError, WidcWarning
from widc_arff.induction import induce
from widc_arff.induction.preparing import Problem
from widc_arff.induction.search.deciding import state_of
from widc_arff.induction.search.objective import Objective
from widc_arff.induction.search.searching import rows_of_classes
from widc_arff.model.decision import decide, tie_scores
from widc_arff.model.expert_rules import parse_rules
from widc_arff.options import Options
from widc_arff.reports.text import committee_text


@pytest.mark.parametrize("n_classes", [2, 3])
def test_of_classes_with_equal_votes_and_frequencies_the_first_one_wins(n_classes):
    values = tuple("xyz"[:n_classes])
    attributes = tuple(Attribute(name, "nominal", values) for name in ("a", "class"))
    relation = Relation.from_rows("r", attributes, [(value, value) for value in values])
    problem = Problem.of(Dataset.from_relation(relation), Options())
    rows = rows_of_classes(problem.held.coded)
    state = state_of(rows, Objective.of(rows, problem.options))
    assert (state.won == rows.class_weights[0]).all()
    equal = np.full(n_classes, 1 / n_classes)
    assert decide(np.zeros((1, n_classes)), tie_scores(equal, equal)).tolist() == [0]


@pytest.mark.parametrize("pruning", ["refined", "pessimistic"])
def test_the_share_is_that_of_the_examples_whose_decision_votes_leave_open(pruning):
    shares = set()
    for seed in range(20):
        rng = random.Random(f"ties classes {seed}")
        dataset = dataset_of(reference.random_problem(rng))
        weight = "balanced" if seed % 2 else None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", WidcWarning)
            committee = induce(dataset, Options(pruning, penalty=0.5, class_weight=weight))
        tied = total = 0.0
        for i, votes in enumerate(committee.votes(dataset).tolist()):
            if not (dataset.labelled[i] and dataset.weights[i]):
                continue
            total += dataset.weights[i]
            tied += dataset.weights[i] * (votes.count(max(votes)) > 1)
        assert committee.training.ties == pytest.approx(tied / total)
        if committee.rules:
            told = f", ties {100 * tied / total:.1f} %."
            assert told in committee_text(committee).replace("\n", " ")
        shares.add(round(tied / total, 3))
    assert len(shares) > 5


@pytest.mark.parametrize("pruning", ["refined", "pessimistic"])
@pytest.mark.parametrize("kind", KINDS)
def test_each_rule_knows_how_many_examples_would_be_decided_otherwise_without_it(kind, pruning):
    found = set()
    for seed in range(12):
        rng = random.Random(f"decides {kind} {seed}")
        problem = reference.random_problem(rng)
        sets = None
        if kind == "sets":
            sets = reference.random_label_sets(rng, len(problem.rows), problem.n_classes)
        dataset = dataset_of(problem, sets)
        options = Options(pruning, penalty=0.5)
        if kind == "classes":
            given = "if a0 <= 1" if dataset.schema.attributes[0].type == "numeric" else "if a0 = v0"
            weight = "balanced" if seed % 2 else None
            options = replace(options, class_weight=weight, rules=parse_rules((given,), "r"))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", WidcWarning)
            try:
                committee = induce(dataset, options)
            except OptionError:  # no such value
                committee = induce(dataset, replace(options, rules=()))
        known = dataset.take(dataset.labelled & (dataset.weights > 0))
        decide = committee.predict_sets if kind == "sets" else committee.predict_codes
        for k, rule in enumerate(committee.rules):
            rest = replace(committee, rules=committee.rules[:k] + committee.rules[k + 1 :])
            decide_without = rest.predict_sets if kind == "sets" else rest.predict_codes
            changed = decide(known) != decide_without(known)
            changed = changed.reshape(known.n_samples, -1).any(axis=1)
            assert rule.decides == pytest.approx(known.weights[changed].sum())
            found.add(rule.decides)
        again = type(committee).from_json(committee.to_json())
        assert again == committee
    assert len(found) > 2
