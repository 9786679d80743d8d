"""Committees that were changed after their training: what is known of them, and their files."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.label_set_cases import random_sets
from widc_arff import (
    DecisionCommittee,
    LabelSetOptions,
    Literal,
    ModelError,
    Options,
    induce,
    read_dataset,
)
from widc_arff.induction.refitting import refitted
from widc_arff.model.expert_rules import parse_rules
from widc_arff.model.rules import Names


@pytest.fixture(name="iris", scope="module")
def _iris():
    return induce(read_dataset("arff_data/iris.arff"))


def test_what_a_rule_covers_stays_known_while_its_conditions_do(iris):
    first, second = iris.rules
    moved = replace(second, monomial=(Literal(2, ">", 2.0),))
    changed = iris.with_rules([moved, replace(first, votes=(0, 0, 1))])
    assert math.isnan(changed.rules[0].covered)
    assert changed.rules[1].covers == first.covers
    assert not changed.is_fitted
    assert changed.training.ties is None
    assert changed.calibration is None
    assert changed.tie_order == iris.tie_order
    assert changed.default == (3 / 6, 1 / 6, 2 / 6)  # setosa wins ties, then virginica


def test_values_that_occurred_beside_a_cut_point_are_not_known_beside_another(iris):
    first, second = iris.rules
    assert set(iris.seen) == {2, 3}
    moved = replace(first, monomial=(Literal(3, ">", 1.0),))
    assert set(iris.with_rules([moved, second]).seen) == {2}
    assert iris.with_rules([second, first]).seen == iris.seen


def test_names_locks_and_order_leave_all_figures_as_they_are(iris):
    named = [replace(rule, name=f"no {k}", locked=True) for k, rule in enumerate(iris.rules)]
    changed = iris.with_rules(named[::-1])
    assert changed == replace(iris, rules=tuple(named[::-1]))
    assert changed.is_fitted


@pytest.mark.parametrize("sets", [False, True])
def test_the_file_of_a_changed_model_says_what_is_not_known(iris, sets):
    committee = induce(random_sets(0)) if sets else iris
    first, *rest = committee.rules
    moved = replace(first, monomial=first.monomial[:1], votes=first.votes[::-1], name="it's")
    changed = replace(
        committee.with_rules([replace(moved, locked=True), *rest]),
        names=Names({"petal_width": "width of a petal"}, {"setosa": "bristle-pointed"}),
        history=("one", "two"),
    )
    text = changed.to_json()
    data = json.loads(text)
    assert data["training"]["error"] is None
    assert ("probabilities" in data) == sets  # of labels they stay, as the threshold does
    assert "hamming" not in data["training"]
    assert "ties" not in data["training"]
    assert (data["rules"][0]["covers"] is None) == (first.monomial != moved.monomial)
    read = DecisionCommittee.from_json(text)
    assert read.to_json() == text
    assert repr(read.rules) == repr(changed.rules)
    assert (read.names, read.history) == (changed.names, ("one", "two"))


def test_a_model_that_was_not_changed_has_no_new_keys(iris):
    data = json.loads(iris.to_json())
    assert not data.keys() & {"names", "history"}
    assert not data["rules"][0].keys() & {"name", "locked"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"names": {"attributes": {}}}, "no such key"),
        ({"names": {"attributes": {"a": 1}, "labels": {}}}, "expected a text, got 1"),
        ({"history": "once"}, "expected a list, got"),
        ({"history": [1]}, "expected a text, got 1"),
        ({"version": 2, "history": []}, "history"),
    ],
)
def test_faults_in_new_keys_are_named(iris, change, message):
    data = json.loads(iris.to_json()) | change
    del data["seen"]
    with pytest.raises(ModelError, match=message):
        DecisionCommittee.from_json(json.dumps(data))


@pytest.mark.parametrize("key", ["name", "locked"])
def test_faults_in_new_keys_of_rules_are_named(iris, key):
    data = json.loads(iris.to_json())
    data["rules"][0][key] = False
    with pytest.raises(ModelError, match=key):
        DecisionCommittee.from_json(json.dumps(data))


def test_a_changed_model_decides_and_its_probabilities_follow_its_votes(iris):
    flowers = read_dataset("arff_data/iris.arff")
    changed = iris.with_rules(iris.rules[:1])
    probabilities = changed.predict_proba(flowers)
    assert (probabilities.argmax(axis=1) == changed.predict_codes(flowers)).all()
    assert np.allclose(probabilities.sum(axis=1), 1)


def test_names_that_people_read_change_no_decision(iris):
    flowers = read_dataset("arff_data/iris.arff")
    names = Names({"petal_width": "breadth", "class": "species"}, {"virginica": "Virginia iris"})
    read = replace(iris, names=names).as_read()
    assert [a.name for a in read.schema.attributes][-1] == "breadth"
    assert read.schema.labels.attributes == ("species",)
    assert "Virginia iris" in str(read)
    assert (read.predict_codes(flowers) == iris.predict_codes(flowers)).all()
    assert iris.as_read() is iris


# The same rules on data.

CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "iris": ("iris", {}),
    "weighted": ("wine", {"class_weight": "balanced"}),
    "costs": ("monk2", {"costs": ((0.0, 3.0), (1.0, 0.0))}),
    "many classes": ("led7", {"penalty": 5.0}),
    "pessimistic": ("monk1", {"pruning": "pessimistic"}),
    "one kind": ("balance-scale", {"votes": "one"}),
}


@pytest.mark.parametrize("case", CASES)
def test_rules_on_the_rows_that_they_were_learned_from_have_the_figures_that_they_had(case):
    name, options = CASES[case]
    data = read_dataset(f"arff_data/{name}.arff")
    committee = induce(data, Options(**options))
    assert committee.rules
    assert refitted(committee, data) == committee


def test_given_rules_are_locked_and_cost_nothing_when_figures_are_fitted_anew():
    data = read_dataset("arff_data/iris.arff")
    given = parse_rules(("'wide' if petal_width > 1.6 then virginica, not setosa",), "given")
    committee = induce(data, Options(rules=given))
    assert committee.rules[0].locked
    assert not any(rule.locked for rule in committee.rules[1:])
    assert committee.rules[0].name == "wide"
    assert refitted(committee, data) == committee
    assert DecisionCommittee.from_json(committee.to_json()) == committee


@pytest.mark.parametrize("seed", [0, 3])
def test_label_sets_have_the_figures_that_they_had(seed):
    data = random_sets(seed)
    committee = induce(data)
    assert refitted(committee, data) == committee


def test_rules_on_other_rows_have_the_figures_of_these():
    data = read_dataset("arff_data/iris.arff")
    committee = induce(data)
    some = data.take(np.arange(30, 130))
    found = refitted(committee, some)
    assert found.training.examples == 100
    assert found.training.error == (found.predict_codes(some) != some.classes).mean()
    assert [rule.covered for rule in found.rules] == committee.fires(some).sum(axis=0).tolist()
    assert found.training.options == committee.training.options


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options("pessimistic", cut_points=(("age", (1.5, 2.0)),), max_rules=3, min_coverage="5%"),
        Options(class_weight=(("a", 2.0),), costs=((0.0, 2.0), (1.0, 0.0)), negation=False),
        Options(monotone=("age=+a",), rules=parse_rules(("if age > 1 then a",), "rules")),
        LabelSetOptions("pessimistic", vectors="approximate"),
    ],
)
def test_options_of_a_model_are_those_of_its_training(options):
    again = type(options).from_dict(json.loads(json.dumps(options.to_dict())))
    assert again.to_dict() == options.to_dict()
    assert type(options).from_dict({"of another version": 1}) == type(options)()
