"""From relations to examples: the class, what is usable, and matching new data by name."""

from __future__ import annotations

import numpy as np
import pytest

from widc_arff import Attribute, DataError, Dataset, OptionError, Options, Relation, WidcWarning
from widc_arff.induction import induce

COLOUR = Attribute("colour", "nominal", ("red", "blue"))
SIZE = Attribute("size", "numeric")
CLASS = Attribute("class", "nominal", ("no", "yes"))
ROWS = [("red", 1.0, "no"), ("blue", 2.0, "yes"), (None, None, "yes"), ("red", 3.0, None)]


def relation(attributes=(COLOUR, SIZE, CLASS), rows=ROWS, weights=None) -> Relation:
    return Relation.from_rows("r", attributes, rows, weights)


def test_columns_labels_and_missing_values_are_coded():
    dataset = Dataset.from_relation(relation())
    assert dataset.columns[0].tolist() == [0, 1, -1, 0]
    assert dataset.classes.tolist() == [0, 1, 1, -1]
    assert dataset.Y.sum(axis=1).tolist() == [1, 1, 1, 0]
    assert [a.name for a in dataset.schema.attributes] == ["colour", "size"]


@pytest.mark.parametrize("label", ["class", "last", "3"])
def test_the_class_is_found_by_name_word_or_number(label):
    assert Dataset.from_relation(relation(), label).schema.labels.attributes == ("class",)


def test_a_name_beats_words_and_numbers():
    attributes = (COLOUR, Attribute("first", "nominal", ("a",)), Attribute("1", "nominal", ("b",)))
    data = relation(attributes, [("red", "a", "b")])
    assert Dataset.from_relation(data, "first").schema.labels.attributes == ("first",)
    assert Dataset.from_relation(data, "1").schema.labels.attributes == ("1",)


@pytest.mark.parametrize(
    ("label", "ignore", "message"),
    [
        ("clas", (), "did you mean 'class'"),
        ("4", (), "expected a number from 1 to 3, got 4"),
        ("size", (), "'size': expected a nominal attribute, got a numeric one"),
        ("last", ("sise",), "did you mean 'size'"),
        ("last", ("class",), "other attributes than the class"),
    ],
)
def test_what_cannot_be_the_class_or_left_out_is_named(label, ignore, message):
    with pytest.raises(DataError, match="expected") as caught:
        Dataset.from_relation(relation(), label, ignore)
    assert message in str(caught.value)


def test_string_attributes_are_refused_unless_ignored():
    attributes = (Attribute("note", "string"), CLASS)
    data = relation(attributes, [("hello", "no")])
    with pytest.raises(DataError, match="--ignore 'note'"):
        Dataset.from_relation(data)
    assert Dataset.from_relation(data, ignore=["note"]).columns == ()


def test_new_data_are_matched_by_name_and_label_text():
    schema = Dataset.from_relation(relation()).schema
    other = relation(
        (
            CLASS,
            Attribute("extra", "numeric"),
            Attribute("colour", "nominal", ("blue", "red")),
            SIZE,
        ),
        [("yes", 0.0, "red", 5.0)],
    )
    dataset = Dataset.for_schema(other, schema)
    assert dataset.columns[0].tolist() == [0]
    assert dataset.columns[1].tolist() == [5.0]
    assert dataset.classes.tolist() == [1]


def test_unknown_labels_are_refused_with_their_rows_or_counted():
    schema = Dataset.from_relation(relation()).schema
    strange = Attribute("colour", "nominal", ("red", "green"))
    other = relation((strange, SIZE), [("red", 1.0), ("green", 1.0), ("green", 2.0)])
    with pytest.raises(DataError, match=r"got 'green' in 2 rows \(2, 3\)"):
        Dataset.for_schema(other, schema)
    with pytest.warns(WidcWarning, match="2 rows"):
        dataset = Dataset.for_schema(other, schema, unknown_as_missing=True)
    assert dataset.columns[0].tolist() == [0, -1, -1]
    assert not dataset.has_labels


def test_a_label_that_is_declared_anew_but_never_used_does_no_harm():
    schema = Dataset.from_relation(relation()).schema
    strange = Attribute("colour", "nominal", ("green", "red"))
    dataset = Dataset.for_schema(relation((strange, SIZE), [("red", 1.0), (None, 1.0)]), schema)
    assert dataset.columns[0].tolist() == [0, -1]


def test_a_column_of_another_type_or_a_missing_one_is_refused():
    schema = Dataset.from_relation(relation()).schema
    numeric = relation((Attribute("colour", "numeric"), SIZE), [(1.0, 1.0)])
    with pytest.raises(DataError, match="expected a nominal attribute as in training"):
        Dataset.for_schema(numeric, schema)
    short = relation((COLOUR,), [("red",)])
    with pytest.raises(DataError, match="'size'"):
        Dataset.for_schema(short, schema)
    dataset = Dataset.for_schema(short, schema, needed=[0])
    assert np.isnan(dataset.columns[1]).all()


def test_rows_without_class_or_weight_are_left_out_and_counted():
    rows = [("red", 1.0, "no"), ("blue", 2.0, "yes"), ("red", 1.0, None), ("blue", 2.0, "no")]
    dataset = Dataset.from_relation(relation(rows=rows, weights=[1.0, 1.0, 1.0, 0.0]))
    with pytest.warns(WidcWarning) as warned:
        committee = induce(dataset)
    assert [str(w.message) for w in warned] == [
        "1 row without a class left out of training",
        "1 row of weight zero left out of training",
    ]
    assert committee.training.examples == 2


@pytest.mark.parametrize(
    ("rows", "weights", "message"),
    [
        ([], None, "at least one row"),
        ([("red", 1.0, None)], None, "only missing values of 'class'"),
        ([("red", 1.0, "no")], [0.0], "only zero weights"),
    ],
)
def test_nothing_to_learn_from_is_refused(rows, weights, message):
    with pytest.raises(DataError, match=message):
        induce(Dataset.from_relation(relation(rows=rows, weights=weights)))


def test_one_class_only_gives_a_committee_without_rules_and_a_warning():
    dataset = Dataset.from_relation(relation(rows=[("red", 1.0, "yes"), ("blue", 2.0, "yes")]))
    with pytest.warns(WidcWarning, match="class 'yes'"):
        committee = induce(dataset)
    assert committee.rules == ()
    assert committee.predict(dataset).tolist() == ["yes", "yes"]
    # no examples and 2, with 10 in proportion to 1 and 3 added: 2.5 and 9.5 of 12
    shares = committee.predict_proba(dataset)
    assert shares == pytest.approx(np.array([[2.5 / 12, 9.5 / 12]] * 2))


def test_nothing_that_separates_gives_the_class_distribution_and_a_warning():
    rows = [(None, 1.0, "yes"), (None, 1.0, "yes"), (None, 1.0, "no")]
    dataset = Dataset.from_relation(relation(rows=rows))
    with pytest.warns(WidcWarning, match="no attribute separates"):
        committee = induce(dataset)
    assert committee.rules == ()
    # 1 and 2 examples, with 10 in proportion to 2 and 3 added: 5 and 8 of 13
    assert committee.predict_proba(dataset)[0] == pytest.approx([5 / 13, 8 / 13])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pruning": "optimistc"}, "did you mean 'optimistic'"),
        ({"cut_points": "quantile:1"}, "K from 2 to 65535"),
        ({"cut_points": "mld"}, "did you mean 'mdl"),
        ({"max_rules": -1}, "max_rules: expected a whole number from 0, got -1"),
        ({"max_literals": 0}, "max_literals"),
        ({"max_size": True}, "max_size"),
        ({"delta": 1.0}, "delta"),
        ({"cut_points": (("size", (2.0, 1.0)),)}, "increasing"),
        ({"cut_points": (("size", (float("nan"),)),)}, "finite"),
    ],
)
def test_options_outside_their_set_are_refused(options, message):
    with pytest.raises(OptionError) as caught:
        Options(**options)
    assert message in str(caught.value)


def test_given_cut_points_are_used_and_their_names_checked():
    dataset = Dataset.from_relation(relation(rows=[("red", 1.0, "no"), ("red", 2.0, "yes")]))
    committee = induce(dataset, Options("none", cut_points=(("size", (1.25,)),)))
    assert {x.value for rule in committee.rules for x in rule.monomial} == {1.25}
    assert committee.training.options["cut_points"] == {"size": [1.25]}
    with pytest.raises(OptionError, match="did you mean 'size'"):
        induce(dataset, Options(cut_points=(("sise", (1.25,)),)))
