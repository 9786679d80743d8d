"""Model files: exact round trips, and faults named by their path."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widc_arff.arff.relation import Attribute
from widc_arff.committee import DecisionCommittee, Rule, TrainingSummary
from widc_arff.dataset import Labels, Schema
from widc_arff.errors import ModelError, WidcError
from widc_arff.literals import Literal
from widc_arff.model_file import (
    committee_from_json,
    committee_to_dict,
    read_committee,
    write_committee,
)

SCHEMA = Schema(
    "r",
    (
        Attribute("colour", "nominal", ("red", "", 'it\'s, {a} "b"\n')),
        Attribute("size", "numeric"),
        Attribute("seen", "date", format="yyyy-MM-dd"),
    ),
    Labels("single", ("class",), ("no", "yes")),
)
COMMITTEE = DecisionCommittee(
    SCHEMA,
    (
        Rule((Literal(0, "!=", 2), Literal(1, "<=", 0.1 + 0.2)), (-1, 1), (0.5, 3.0)),
        Rule((Literal(2, ">", 86400000.0),), (1, 0), (2.0, 1.0)),
    ),
    (1 / 3, 2 / 3),
    TrainingSummary(7, (3.5, 4.0), 1 / 7, {"pruning": "pessimistic"}, "0.1.0"),
)


def changed(*path_and_value):
    """Return the model's data with the value at a path replaced (or removed, for None)."""
    data = copy.deepcopy(committee_to_dict(COMMITTEE))
    *path, last, value = path_and_value
    place = data
    for key in path:
        place = place[key]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return json.dumps(data)


def test_a_model_file_round_trips_exactly(tmp_path):
    path = tmp_path / "m.json"
    write_committee(COMMITTEE, path)
    assert read_committee(path) == COMMITTEE
    assert list(tmp_path.iterdir()) == [path]


def test_the_file_has_the_documented_keys():
    data = committee_to_dict(COMMITTEE)
    assert list(data) == [
        "format", "version", "relation", "attributes", "labels", "rules", "default", "training",
    ]  # fmt: skip
    assert data["rules"][0]["if"][0] == {
        "attribute": "colour", "is": "!=", "value": "it's, {a} \"b\"\n",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("rules", 1, "votes", [1, 0, 0]), "expected 2 components, got 3 in 'rules[1].votes'"),
        (("rules", 0, "votes", 1, 2), "whole number from -1 to 1, got 2 in 'rules[0].votes[1]'"),
        (("rules", 0, "if", []), "at least one literal, got [] in 'rules[0].if'"),
        (("rules", 0, "if", 1, "attribute", "sise"), "did you mean 'size'?"),
        (("rules", 0, "if", 0, "value", "blue"), "in 'rules[0].if[0].value'"),
        (("rules", 0, "if", 1, "is", "="), "one of '<=', '>', got \"=\" in 'rules[0].if[1].is'"),
        (("rules", 0, "weight", 1), "got 'weight' in 'rules[0]'"),
        (("labels", "kind", "both"), "in 'labels.kind'"),
        (("labels", "values", ["no", "no"]), "expected distinct labels, got 'no' twice"),
        (("default", [0.9, 0.9]), "components that sum to 1, got 1.8 in 'default'"),
        (("training", None), "expected the key 'training', got no such key"),
        (("training", "weights", [0, 0]), "weights with a positive sum"),
        (("version", 2), "a newer version of widc-arff wrote it"),
        (("version", "1"), "expected version 1"),
        (("format", "other"), "expected a model file"),
        (("extra", 1), "got 'extra'"),
        (("attributes", 0, "type", "string"), "in 'attributes[0].type'"),
        (("attributes", 1, "values", ["a"]), "got 'values' in 'attributes[1]'"),
    ],
)
def test_a_fault_is_named_with_its_path(change, message):
    with pytest.raises(ModelError, match=r"m\.json") as caught:
        committee_from_json(changed(*change), "m.json")
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"format": 1, "format": 1}', "[" * 10**5])
def test_what_is_no_model_at_all_is_refused(text):
    with pytest.raises(ModelError):
        committee_from_json(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@given(st.data(), json_values)
def test_any_value_anywhere_gives_a_committee_or_a_model_error(data, value):
    tree = copy.deepcopy(committee_to_dict(COMMITTEE))
    place = tree
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            break
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], dict | list) or data.draw(st.booleans()):
            place[key] = value
            break
        place = place[key]
    try:
        committee = committee_from_json(json.dumps(tree))
    except WidcError:
        return
    assert committee_from_json(committee.to_json()) == committee


@given(st.text())
def test_any_text_gives_a_model_error(text):
    with pytest.raises(ModelError):
        committee_from_json(text)
