"""Model files: exact round trips, and faults named by their path."""

from __future__ import annotations

import copy
import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from widc_arff.arff.reader import read_arff
from widc_arff.arff.relation import Attribute
from widc_arff.data.dataset import Dataset
from widc_arff.data.schema import Labels, Schema
from widc_arff.errors import ModelError, WidcError
from widc_arff.induction import induce
from widc_arff.model.committee import DecisionCommittee, read_committee
from widc_arff.model.literals import Literal
from widc_arff.model.model_file import committee_to_dict, write_committee
from widc_arff.model.rules import Calibration, Rule, TrainingSummary
from widc_arff.options import Options

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

COMMITTEE = replace(COMMITTEE, version=1)
CERTAIN = replace(COMMITTEE, calibration=Calibration(0.405, (0.5, 1.0), (0.25, 0.75)), version=2)
NAMES = tuple(Attribute(name, "string") for name in ("a", "x4", "x5", "b", "x7"))
BRIEF = replace(
    CERTAIN,
    schema=Schema("r", SCHEMA.attributes + NAMES, replace(SCHEMA.labels, type="object/str")),
    version=3,
)


def changed(*path_and_value, committee=COMMITTEE):
    """Return the model's data with the value at a path replaced (or removed, for None)."""
    data = copy.deepcopy(committee_to_dict(committee))
    *path, last, value = path_and_value
    place = data
    for key in path:
        place = place[key]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return json.dumps(data)


@pytest.mark.parametrize("committee", [COMMITTEE, CERTAIN, BRIEF], ids=["1", "2", "3"])
def test_a_model_file_round_trips_exactly(tmp_path, committee):
    path = tmp_path / "m.json"
    write_committee(committee, path)
    assert read_committee(path) == committee
    assert list(tmp_path.iterdir()) == [path]


def test_the_file_has_the_documented_keys():
    data = committee_to_dict(COMMITTEE)
    assert list(data) == [
        "format", "version", "relation", "attributes", "labels", "rules", "default", "training",
    ]  # fmt: skip
    assert data["rules"][0]["if"][0] == {
        "attribute": "colour", "is": "!=", "value": "it's, {a} \"b\"\n",
    }  # fmt: skip


def test_version_2_tells_what_makes_probabilities_of_votes():
    data = committee_to_dict(CERTAIN)
    assert list(data) == [
        "format", "version", "relation", "attributes", "labels", "rules", "default",
        "probabilities", "training",
    ]  # fmt: skip
    assert data["version"] == 2
    assert data["probabilities"] == {
        "factor": 0.405,
        "frequencies": [0.5, 1.0],
        "shares": [0.25, 0.75],
    }
    before = committee_to_dict(COMMITTEE)
    assert before["version"] == 1
    assert {**before, "version": 2, "probabilities": data["probabilities"]} == data


def test_version_3_has_the_names_of_attributes_that_no_rule_tests_and_the_type_of_labels():
    data = committee_to_dict(BRIEF)
    assert data["version"] == 3
    assert data["attributes"][3:] == ["a", 2, "b", 1]
    assert data["labels"]["type"] == "object/str"
    assert {key: data[key] for key in ("rules", "default", "probabilities")} == {
        key: committee_to_dict(CERTAIN)[key] for key in ("rules", "default", "probabilities")
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("attributes", 4, 0), "expected a whole number from 1 to 16777212, got 0 in 'attributes["),
        (("attributes", 4, 10**9), "expected a whole number from 1 to 16777212, got 1000000000"),
        (("attributes", 4, True), "got true in 'attributes[4]'"),
        (("attributes", 3, "size"), "expected distinct names of attributes, got 'size' twice"),
        (
            ("attributes", 1, "size"),
            "expected an attribute with its type, got the name of 'size' a",
        ),
        (
            ("labels", "type", "int"),
            "type of labels, such as 'int64', got \"int\" in 'labels.type'",
        ),
        (("labels", "type", "int64"), "expected labels of the type 'int64', got"),
        (("training", "ties", 1.5), "expected a number from 0 to 1, got 1.5 in 'training.ties'"),
        (("version", 2), "expected an object, got \"a\" in 'attributes[3]'"),
    ],
)
def test_a_fault_of_version_3_is_named_with_its_path(change, message):
    with pytest.raises(ModelError, match=r"m\.json") as caught:
        DecisionCommittee.from_json(changed(*change, committee=BRIEF), "m.json")
    assert message in str(caught.value)


def test_version_3_tells_how_many_examples_ties_decide():
    assert "ties" not in committee_to_dict(BRIEF)["training"]
    told = replace(BRIEF, training=replace(BRIEF.training, ties=0.25))
    assert committee_to_dict(told)["training"]["ties"] == 0.25
    assert DecisionCommittee.from_json(told.to_json()) == told
    with pytest.raises(ModelError, match="got 'ties'"):
        DecisionCommittee.from_json(changed("training", "ties", 0.25, committee=CERTAIN))


def test_version_3_tells_how_many_examples_each_rule_decides():
    assert "decides" not in committee_to_dict(BRIEF)["rules"][0]
    first, *others = BRIEF.rules
    told = replace(BRIEF, rules=(replace(first, decides=1.5), *others))
    assert committee_to_dict(told)["rules"][0]["decides"] == 1.5
    assert DecisionCommittee.from_json(told.to_json()) == told
    for value, message in ((-1, "a number from 0"), ("x", "a number")):
        told = changed("rules", 0, "decides", value, committee=BRIEF)
        with pytest.raises(ModelError, match=rf"expected {message}.* in 'rules\[0\].decides'"):
            DecisionCommittee.from_json(told)
    with pytest.raises(ModelError, match="got 'decides'"):
        DecisionCommittee.from_json(changed("rules", 0, "decides", 1.5, committee=CERTAIN))


def test_version_1_gives_the_probabilities_that_it_gave():
    committee = DecisionCommittee.from_json(json.dumps(committee_to_dict(COMMITTEE)))
    votes = np.array([[-1, 1], [0, 0]])
    # exp(-1) and exp(1); a tie by D = (1/3, 2/3) plus 1e-6 (3.5, 4) / 7.5
    no, yes = 1 / 3 + 1e-6 * 3.5 / 7.5, 2 / 3 + 1e-6 * 4 / 7.5
    expected = [
        [1 / (1 + math.exp(2)), 1 / (1 + math.exp(-2))],
        [no / (no + yes), yes / (no + yes)],
    ]
    assert committee.probabilities_of(votes) == pytest.approx(np.array(expected), rel=1e-14)
    # with a factor of 0.405, half as frequent, and shares of 1 to 3: 0.405 ** 2 / 2 to 1
    expected = [[0.0820125 / 1.0820125, 1 / 1.0820125], [0.25, 0.75]]
    assert CERTAIN.probabilities_of(votes) == pytest.approx(np.array(expected), rel=1e-14)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("probabilities", None), "expected the key 'probabilities', got no such key"),
        (("probabilities", []), "expected an object, got [] in 'probabilities'"),
        (("probabilities", "factor", None), "the key 'factor'"),
        (("probabilities", "factor", 1), "between 0 and 1, got 1 in 'probabilities.factor'"),
        (("probabilities", "factor", 0.0), "between 0 and 1, got 0.0 in 'probabilities.factor'"),
        (("probabilities", "factor", "a"), 'expected a number, got "a"'),
        (("probabilities", "share", 1), "got 'share'; did you mean 'shares'? in 'probabilities'"),
        (("probabilities", "frequencies", [1.0]), "2 components, got 1 in 'probabilities.freq"),
        (("probabilities", "frequencies", 0, 2), "from 0 to 1, got 2 in 'probabilities.freq"),
        (("probabilities", "shares", [1.0]), "2 components, got 1 in 'probabilities.shares'"),
        (("probabilities", "shares", 0, -1), "from 0 to 1, got -1 in 'probabilities.shares[0]'"),
        (
            ("probabilities", "shares", [0.5, 0.25]),
            "shares in the order in which ties are won, got 0.5 after 0.25 in",
        ),
        (("probabilities", "shares", [0.5, 0.5]), "order in which ties are won, got 0.5 after 0.5"),
        (("version", 1), "got 'probabilities'"),
        (("threshold", 1.0), "got 'threshold'"),
    ],
)
def test_a_fault_of_probabilities_is_named_with_its_path(change, message):
    with pytest.raises(ModelError, match=r"m\.json") as caught:
        DecisionCommittee.from_json(changed(*change, committee=CERTAIN), "m.json")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("rules", 1, "votes", [1, 0, 0]), "expected 2 components, got 3 in 'rules[1].votes'"),
        (("rules", 0, "votes", 1, 2), "whole number from -1 to 1, got 2 in 'rules[0].votes[1]'"),
        (("rules", 0, "if", []), "at least one condition, got [] in 'rules[0].if'"),
        (("rules", 0, "if", 1, "attribute", "sise"), "did you mean 'size'?"),
        (("rules", 0, "if", 0, "value", "blue"), "in 'rules[0].if[0].value'"),
        (("rules", 0, "if", 1, "is", "="), "one of '<=', '>', got \"=\" in 'rules[0].if[1].is'"),
        (("rules", 0, "weight", 1), "got 'weight' in 'rules[0]'"),
        (("labels", "kind", "both"), "in 'labels.kind'"),
        (("labels", "values", ["no", "no"]), "expected distinct labels, got 'no' twice"),
        (("default", [0.9, 0.9]), "components that sum to 1, got 1.8 in 'default'"),
        (("training", None), "expected the key 'training', got no such key"),
        (("training", "weights", [0, 0]), "weights with a positive sum"),
        (("version", 4), "a newer version of widc-arff wrote it"),
        (("version", 2), "expected the key 'probabilities'"),
        (("version", "1"), "expected version 1 to 3"),
        (("format", "other"), "expected a model file"),
        (("extra", 1), "got 'extra'"),
        (("attributes", 0, "type", "string"), "in 'attributes[0].type'"),
        (("attributes", 1, "values", ["a"]), "got 'values' in 'attributes[1]'"),
        (("attributes", 0, "values", 1, "red"), "'red' twice in 'attributes[0].values'"),
        (("attributes", 2, "format", "Qq"), "in 'attributes[2].format'"),
    ],
)
def test_a_fault_is_named_with_its_path(change, message):
    with pytest.raises(ModelError, match=r"m\.json") as caught:
        DecisionCommittee.from_json(changed(*change), "m.json")
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"format": 1, "format": 1}', "[" * 10**5])
def test_what_is_no_model_at_all_is_refused(text):
    with pytest.raises(ModelError):
        DecisionCommittee.from_json(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@given(st.data(), json_values, st.sampled_from([COMMITTEE, CERTAIN, BRIEF]))
def test_any_value_anywhere_gives_a_committee_or_a_model_error(data, value, committee):
    tree = copy.deepcopy(committee_to_dict(committee))
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
        committee = DecisionCommittee.from_json(json.dumps(tree))
    except WidcError:
        return
    assert DecisionCommittee.from_json(committee.to_json()) == committee


@given(st.text())
def test_any_text_gives_a_model_error(text):
    with pytest.raises(ModelError):
        DecisionCommittee.from_json(text)


def test_a_file_of_few_rules_from_many_columns_is_small():
    names = tuple(Attribute(f"x{i}", "nominal", ("no", "yes")) for i in range(3, 10_003))
    wide = replace(BRIEF, schema=replace(SCHEMA, attributes=SCHEMA.attributes + names)).brief()
    small = replace(BRIEF, schema=SCHEMA)
    assert len(wide.to_json()) < len(small.to_json()) + 20
    assert DecisionCommittee.from_json(wide.to_json()) == wide
    assert [a.name for a in wide.schema.attributes[-2:]] == ["x10001", "x10002"]


def test_new_data_are_read_for_a_model_that_has_the_names_alone_of_some_attributes():
    iris = read_arff(Path(__file__).parents[2] / "arff_data" / "iris.arff")
    dataset = Dataset.from_relation(iris)
    committee = induce(dataset, Options())
    again = DecisionCommittee.from_json(committee.to_json())
    assert len(again.used_attributes) < len(again.schema.attributes)
    found = again.predict(Dataset.for_schema(iris, again.schema))
    assert found.tolist() == committee.predict(dataset).tolist()
