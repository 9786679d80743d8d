"""Two committees compared: rules by their conditions, decisions row by row."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.label_set_cases import random_sets
from widc_arff import DataError, LabelSetOptions, Literal, Options, Rule, induce, read_dataset
from widc_arff.evaluation.differences import decision_changes, rule_changes
from widc_arff.reports.blocks import Item
from widc_arff.reports.differences import changes_told, differences_blocks

IRIS = read_dataset("arff_data/iris.arff")
OLD = induce(IRIS)  # petal_width > 1.75: virginica; petal_length > 2.45: versicolor


def test_a_committee_is_no_different_from_itself_in_whatever_order():
    assert {change.fate for change in rule_changes(OLD, OLD)} == {"kept"}
    turned = replace(OLD, rules=OLD.rules[::-1])
    assert [tuple(change) for change in rule_changes(OLD, turned)] == [
        (0, 1, "kept"),
        (1, 0, "kept"),
    ]
    assert list(changes_told(OLD, turned)) == []


def test_each_fate_of_a_rule_is_told():
    wide, long = OLD.rules
    new = OLD.with_rules(
        [
            Rule((Literal(0, ">", 5.0),), (1, -1, 0), (0.0, 0.0, 0.0)),
            replace(wide, monomial=(Literal(3, ">", 1.5),)),
        ]
    )
    assert [tuple(change) for change in rule_changes(OLD, new)] == [
        (0, 1, "changed"),
        (1, None, "gone"),
        (None, 0, "new"),
    ]
    assert list(changes_told(OLD, new)) == [
        "Rule 1 (now 2) changed: petal_width > 1.75 became petal_width > 1.5.",
        "Rule 2 is gone: petal_length > 2.45: versicolor +2.",
        "New rule 1: sepal_length > 5: setosa +1, versicolor -1.",
    ]
    votes = OLD.with_rules([wide, replace(long, votes=(1, -1, -1))])
    assert list(changes_told(OLD, votes)) == [
        "Rule 2 changed: petal_length > 2.45: versicolor +2 became setosa +2."
    ]


def test_rules_that_people_call_the_same_are_paired_before_those_that_look_alike():
    wide, long = OLD.rules
    old = OLD.with_rules([replace(wide, name="wide"), long])
    new = OLD.with_rules(
        [
            replace(long, monomial=(Literal(3, ">", 1.5),)),
            replace(wide, monomial=(Literal(0, ">", 5.0),), name="wide"),
        ]
    )
    assert [tuple(change) for change in rule_changes(old, new)] == [
        (0, 1, "changed"),
        (1, None, "gone"),
        (None, 0, "new"),
    ]


def test_rules_are_paired_by_names_whatever_the_schema():
    turned = replace(
        OLD,
        schema=replace(IRIS.schema, attributes=IRIS.schema.attributes[::-1]),
        rules=tuple(
            replace(r, monomial=tuple(replace(x, attribute=3 - x.attribute) for x in r.monomial))
            for r in OLD.rules
        ),
    )
    assert {change.fate for change in rule_changes(OLD, turned)} == {"kept"}


def test_rows_decided_differently_are_those_of_predict():
    new = induce(IRIS, Options(max_rules=1))
    found = decision_changes(OLD, new, IRIS, IRIS)
    one, other = OLD.predict_codes(IRIS), new.predict_codes(IRIS)
    assert found.rows.tolist() == np.flatnonzero(one != other).tolist()
    assert found.after.argmax(axis=1).tolist() == other[found.rows].tolist()
    right = IRIS.classes[found.rows]
    assert found.mended.tolist() == (other[found.rows] == right).tolist()
    assert found.spoilt.tolist() == (one[found.rows] == right).tolist()


def test_label_sets_are_compared_as_sets_and_not_with_classes():
    sets = random_sets(0)
    old, new = induce(sets), induce(sets, LabelSetOptions(max_rules=1))
    found = decision_changes(old, new, sets, sets)
    differ = (old.predict_sets(sets) != new.predict_sets(sets)).any(axis=1) & (sets.weights > 0)
    assert found.rows.tolist() == np.flatnonzero(differ).tolist()
    with pytest.raises(DataError, match="one for classes and one for label sets"):
        decision_changes(OLD, old, IRIS, sets)


def test_label_sets_are_told_by_what_comes_and_goes():
    sets = random_sets(0)
    old = induce(sets)
    new = old.with_rules(old.rules[1:])
    found = decision_changes(old, new, sets, sets)
    told = [
        block.words
        for block in differences_blocks(old, new, ("a", "b"), ("x", found))
        if isinstance(block, Item) and block.words.startswith("Row ")
    ]
    assert len(told) == min(len(found.rows), 20)
    k, first = 0, told[0]
    assert first.startswith(f"Row {found.rows[k] + 1}: ")
    for j, label in enumerate(found.labels):
        assert (label in first) == bool(found.before[k, j] != found.after[k, j])
