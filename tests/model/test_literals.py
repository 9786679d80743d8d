"""Sets of labels, ranges of labels, known and missing: what holds, and how it reads."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from tests.export_cases import case
from widc_arff.arff.relation import Attribute
from widc_arff.data.schema import Labels, Schema
from widc_arff.errors import ArffError, ModelError, OptionError
from widc_arff.evaluation.attribute_use import attribute_uses
from widc_arff.model.committee import DecisionCommittee
from widc_arff.model.expert_rules import parse_rules
from widc_arff.model.label_orders import order_of, with_orders
from widc_arff.model.literals import Literal, satisfied, with_sets
from widc_arff.model.resolving import by_names, resolved
from widc_arff.reports.formatting import conditions

SIZES = ("tiny", "small", "medium", "large", "huge", "unknown")
SCHEMA = Schema(
    "r",
    (
        Attribute("size", "nominal", SIZES, order=SIZES[:5]),
        Attribute("colour", "nominal", tuple("abcdef")),
        Attribute("grade", "nominal", ("10", "2", "30", "4", "0", "7")),
        Attribute("age", "numeric"),
    ),
    Labels("single", ("class",), ("no", "yes")),
)


def monomial(text: str):
    (found,) = resolved(parse_rules([f"if {text}"], "rules"), SCHEMA)
    return found


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("colour in {a, b}", "colour in {a, b}"),
        ("colour in {a, b, c} and colour != b", "colour in {a, c}"),
        ("colour in {a, b} and colour != b", "colour = a"),
        ("colour not in {a, b} and colour != c", "colour not in {a, b, c}"),
        ("colour is known", "colour is known"),
        ("colour is missing", "colour is missing"),
        ("colour in {a, b} and colour is known", "colour in {a, b}"),
        ("age is known and age > 3", "age > 3"),
        ("age is missing", "age is missing"),
        ("size <= small", "size <= small"),
        ("size > small and size <= large", "small < size <= large"),
        ("size in {large, huge}", "size > medium"),
        ("size in {tiny, huge}", "size in {tiny, huge}"),
        ("size not in {tiny, small}", "size not in {tiny, small}"),  # unknown is in it
        ("size > large", "size = huge"),
        ("grade <= 4", "grade <= 4"),
        ("grade in {10, 30}", "grade > 7"),
        ("grade != 0 and grade != 2", "grade > 2"),
    ],
)
def test_what_rules_say_of_labels_reads_as_one_condition(text, told):
    assert conditions(monomial(text), SCHEMA) == [told]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("colour <= b", "expected =, !=, in or not in for the nominal attribute 'colour'"),
        ("age in {3, 4}", "expected <= or > for the numeric attribute 'age', got in"),
        ("colour in {a, z}", "expected a value of 'colour', got 'z'"),
        ("size > huge", "expected a value of 'size' with others above it"),
        ("size <= unknown", "expected a value of 'size' with others up to it"),
    ],
)
def test_what_labels_have_not_is_refused(text, message):
    with pytest.raises(OptionError) as caught:
        monomial(text)
    assert str(caught.value).startswith(f"rules:1: {message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("if colour in {a, b", "expected }, got the end of the line"),
        ("if colour in {}", "expected a value, got '}'"),
        ("if colour not {a}", "expected one of the operators"),
        ("if colour is new", "expected one of the operators"),
    ],
)
def test_a_set_that_is_none_is_refused_with_its_place(text, message):
    with pytest.raises(ArffError) as caught:
        parse_rules([text], "rules")
    assert message in str(caught.value)


def test_names_may_hold_the_words_of_conditions():
    (rule,) = parse_rules(
        ["if age is known = yes and is in in {a} and 'x is known' is missing"], "r"
    )
    assert rule.conditions == (
        ("age is known", "=", "yes"),
        ("is in", "in", ("a",)),
        ("x is known", "missing", ""),
    )
    assert parse_rules([str(rule)], "rules")[0].conditions == rule.conditions


def test_a_model_of_all_kinds_is_read_back_the_same():
    committee = case("kinds").committee
    assert DecisionCommittee.from_json(committee.to_json(), "m") == committee
    # dates have no parts of a millisecond
    told = [x for x in committee.rules if all(y.value == 0 for y in x.monomial if y.attribute == 4)]
    rules = parse_rules([str(by_names(rule, committee.schema)) for rule in told], "rules")
    assert resolved(rules, committee.schema) == [rule.monomial for rule in told]
    operators = {x.operator for rule in committee.rules for x in rule.monomial}
    assert operators == {"=", "!=", "<=", ">", "in", "not in", "known", "missing"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"is": "in", "value": []}, "expected at least one label"),
        ({"is": "in", "value": ["a", "a"]}, "expected distinct labels"),
        ({"is": "in", "value": ["z"]}, "expected a label of 'colour'"),
        ({"is": "in", "value": "a"}, "expected a list"),
        ({"is": "known", "value": "a"}, "expected one of the keys attribute, is"),
        (
            {"is": "<=", "value": "a"},
            "expected one of '=', '!=', 'in', 'not in', 'known', 'missing'",
        ),
    ],
)
def test_damaged_sets_in_a_model_file_are_refused(change, message):
    data = json.loads(case("small").committee.to_json())
    data["attributes"][0] = {"name": "colour", "type": "nominal", "values": ["a", "b", "c"]}
    data["rules"] = data["rules"][:1]
    data["rules"][0]["if"] = [{"attribute": "colour", **change}]
    with pytest.raises(ModelError) as caught:
        DecisionCommittee.from_json(json.dumps(data), "m")
    assert message in str(caught.value)


def test_model_files_of_version_2_have_no_sets():
    data = json.loads(case("small").committee.to_json())
    data["version"] = 2
    data["rules"][0]["if"] = [{"attribute": "housing", "is": "in", "value": ["own", "rent"]}]
    with pytest.raises(ModelError) as caught:
        DecisionCommittee.from_json(json.dumps(data), "m")
    assert "expected one of '=', '!=', got \"in\"" in str(caught.value)


@pytest.mark.parametrize("seed", range(100))
def test_one_literal_for_all_that_is_said_of_labels_holds_on_the_same_rows(seed):
    rng = random.Random(seed)
    monomial = tuple(random_literal(rng) for _ in range(rng.randint(1, 6)))
    whole = with_sets(monomial)
    columns = [np.array([rng.randint(-1, 5) for _ in range(200)]) for _ in range(2)]
    assert (satisfied(whole, columns) == satisfied(monomial, columns)).all()
    about = [x.attribute for x in whole if x.named]
    if satisfied(monomial, columns).any():
        assert len(about) == len(set(about))


def random_literal(rng: random.Random) -> Literal:
    operator = rng.choice(["=", "!=", "!=", "in", "not in", "not in", "known", "missing"])
    attribute = rng.randrange(2)
    if operator in ("=", "!="):
        return Literal(attribute, operator, rng.randrange(6))
    if operator in ("known", "missing"):
        return Literal(attribute, operator)
    return Literal(attribute, operator, labels=tuple(sorted(rng.sample(range(6), 3))))


@pytest.mark.parametrize(
    ("labels", "order"),
    [
        (("10-14", "5-9", "15-19", "0-4"), ("0-4", "5-9", "10-14", "15-19")),
        ((">=30", "<10", "10-20", "20-30"), ("<10", "10-20", "20-30", ">=30")),
        (("'(-inf-2.5]'".strip("'"), "(5-inf)", "(2.5-5]"), ("(-inf-2.5]", "(2.5-5]", "(5-inf)")),
        (("3", "1", "2"), ("1", "2", "3")),
        (("1.5", "-2", "65+"), ("-2", "1.5", "65+")),
        (("high", "low"), ()),
        (("1", "2", "many"), ()),
        (("1", "1.0", "2"), ()),
        (("a1", "a2"), ()),
        (("2020-01-01", "2020-01-02"), ()),
    ],
)
def test_labels_that_are_all_numbers_or_ranges_have_their_order(labels, order):
    assert order_of(Attribute("a", "nominal", labels)) == order


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ("a", ("<5", "5<6", ">6")),
        ("a=>6<5<6<<5", (">6", "5<6", "<5")),
        ("a=<5<>6", ("<5", ">6")),
        ("a=", ()),
    ],
)
def test_orders_are_said_by_names_that_may_hold_the_sign(said, order):
    schema = Schema("r", (Attribute("a", "nominal", ("<5", "5<6", ">6")),), SCHEMA.labels)
    assert order_of(with_orders(schema, (said,)).attributes[0]) == order


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("b", "ordered: expected the name of an attribute, got 'b'"),
        ("age", "ordered: expected a nominal attribute, got 'age', which is numeric"),
        ("colour=a<z", "ordered: expected labels of 'colour'"),
        ("colour=a", "ordered: expected labels of 'colour'"),
        ("colour=a<b<a", "ordered: expected labels of 'colour'"),
    ],
)
def test_an_order_of_nothing_is_refused(said, message):
    with pytest.raises(OptionError) as caught:
        with_orders(SCHEMA, (said,))
    assert str(caught.value).startswith(message)


def test_rules_that_begin_to_hold_without_a_value_are_counted_in_its_use():
    kinds = case("kinds")
    committee, rows = kinds.committee, kinds.examples
    for use in attribute_uses(committee, rows):
        columns = list(rows.columns)
        is_nominal = committee.schema.attributes[use.attribute].type == "nominal"
        columns[use.attribute] = np.full_like(columns[use.attribute], -1 if is_nominal else np.nan)
        without = type(rows)(
            committee.schema, tuple(columns), rows.Y, rows.weights, has_labels=False
        )
        moved = committee.predict_codes(without) != committee.predict_codes(rows)
        assert use.decisive == pytest.approx(moved.mean())
