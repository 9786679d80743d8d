"""Attributes and relations, and their interchange with liac-arff."""

from __future__ import annotations

import io
import math
from pathlib import Path

import arff
import numpy as np
import pytest

from widc_arff.arff import Attribute, Relation, read_arff, write_arff
from widc_arff.errors import ArffError

DATA = Path(__file__).parents[2] / "arff_data"
N = Attribute("n", "numeric")
C = Attribute("c", "nominal", ("x", "y"))
S = Attribute("s", "string")
D = Attribute("d", "date", format="yyyy-MM-dd")
BAG = Attribute("b", "relational", attributes=(N, C))


def test_rows_come_back_as_they_were_given():
    bag = Relation.from_rows("b", BAG.attributes, [(1.0, "y")])
    rows = [(1.5, "x", "text", 86_400_000.0, bag), (None, None, None, None, None)]
    relation = Relation.from_rows("r", (N, C, S, D, BAG), rows, [2, 0.5])
    assert list(relation.rows()) == rows
    assert relation.n_rows == len(relation) == 2
    assert relation.weights.tolist() == [2.0, 0.5]
    assert repr(relation) == "<Relation 'r': 2 rows, 5 attributes>"


def test_rows_are_given_in_parts_without_a_seam():
    relation = Relation("r", (N,), (np.arange(10_000),), np.ones(10_000))
    assert [value for (value,) in relation.rows()] == list(range(10_000))


def test_nan_is_missing():
    assert list(Relation.from_rows("r", (N,), [(math.nan,), (np.float32(2),)]).rows()) == [
        (None,),
        (2.0,),
    ]


@pytest.mark.parametrize(
    ("n_labels", "dtype"), [(0, "int8"), (128, "int8"), (129, "int16"), (32769, "int32")]
)
def test_codes_take_the_smallest_type_that_holds_them(n_labels, dtype):
    labels = tuple(map(str, range(n_labels)))
    last = labels[-1] if labels else None
    relation = Relation.from_rows("r", (Attribute("c", "nominal", labels),), [(last,), (None,)])
    assert relation.columns[0].dtype == dtype
    assert relation.columns[0].tolist() == [n_labels - 1, -1]
    assert list(relation.rows()) == [(last,), (None,)]


def test_columns_and_weights_cannot_be_written_to_and_the_callers_still_can():
    numbers, weights = np.zeros(2), np.ones(2)
    relation = Relation("r", (N,), (numbers,), weights)
    with pytest.raises(ValueError, match="read-only"):
        relation.columns[0][0] = 1
    with pytest.raises(ValueError, match="read-only"):
        relation.weights[0] = 2
    numbers[0] = weights[0] = 3


@pytest.mark.parametrize(
    ("attributes", "columns", "weights", "message"),
    [
        ((N,), (), [], "1 attributes need as many columns, got 0"),
        ((N,), ([1.0],), [1.0, 1.0], "column of attribute 'n': 2 weights need as many values"),
        ((N,), ([[1.0]],), [1.0], "one dimension, not 2"),
        ((N,), (["a"],), [1.0], "numbers are needed"),
        ((C,), ([2],), [1.0], "codes lie between -1 and 1"),
        ((C,), ([-2],), [1.0], "codes lie between -1 and 1"),
        ((C,), ([0.0],), [1.0], "codes are integers, not float64"),
        ((S,), ([1.0],), [1.0], "an array of objects is needed"),
        ((S,), (np.array([1], object),), [1.0], "texts or None are needed"),
        ((BAG,), (np.array(["x"], object),), [1.0], "relations or None are needed"),
        ((N, N), ([1.0], [1.0]), [1.0], "names are not unique: 'n'"),
        ((N,), ([1.0],), [-1.0], "weights must be finite and zero or more"),
        ((N,), ([1.0],), [math.nan], "weights must be finite and zero or more"),
    ],
)
def test_columns_that_do_not_fit_are_refused(attributes, columns, weights, message):
    with pytest.raises(ArffError, match=message):
        Relation("r", attributes, columns, np.array(weights))


def test_a_relation_as_value_must_have_the_declared_attributes():
    other = Relation.from_rows("b", (S,), [])
    with pytest.raises(ArffError, match="not have the declared attributes"):
        Relation.from_rows("r", (BAG,), [(other,)])


@pytest.mark.parametrize(
    ("attribute", "value", "message"),
    [
        (N, "1", "row 2, attribute 'n': expected a number, got '1'"),
        (N, 10**400, "row 2, attribute 'n': "),
        (C, "z", "row 2, attribute 'c': 'z' is not a label"),
        (C, "X", "did you mean 'x'"),
        (C, 0, r"expected a label \(text\), got 0"),
        (S, 1, "expected a text, got 1"),
        (D, "2020-01-01", "expected a number, got '2020-01-01'"),
        (BAG, [], "expected a Relation"),
    ],
)
def test_a_value_that_does_not_fit_is_named_by_row_and_attribute(attribute, value, message):
    with pytest.raises(ArffError, match=message):
        Relation.from_rows("r", (attribute,), [(None,), (value,)])


def test_rows_and_weights_must_have_the_right_number():
    with pytest.raises(ArffError, match="row 2: expected 1 values, got 2"):
        Relation.from_rows("r", (N,), [(1,), (1, 2)])
    with pytest.raises(ArffError, match="1 rows need as many weights, got 2"):
        Relation.from_rows("r", (N,), [(1,)], [1, 1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"type": "number"}, "no type 'number'; use numeric"),
        ({"type": "nominl"}, "did you mean 'nominal'"),
        ({"type": "numeric", "values": ("a",)}, "values of a numeric attribute"),
        ({"type": "string", "format": "yyyy"}, "format of a string attribute"),
        ({"type": "string", "attributes": (N,)}, "attributes of a string attribute"),
        ({"type": "nominal", "values": ("a", "a")}, "the label 'a' occurs twice"),
        ({"type": "date", "format": "YYYY"}, "date format 'YYYY': weeks"),
        ({"type": "numeric", "weight": math.nan}, "weight is not a number"),
        ({"type": "relational", "attributes": (N, N)}, "names are not unique"),
    ],
)
def test_an_attribute_with_contradictions_is_refused(arguments, message):
    with pytest.raises(ArffError, match=message):
        Attribute("a", **arguments)


def test_relations_are_equal_when_all_is():
    def relation(**changes):
        arguments = {"name": "r", "attributes": (N, C, S), "rows": [(1, "x", "a"), (None,) * 3]}
        return Relation.from_rows(**{**arguments, **changes})

    assert relation().equals(relation())
    assert not relation().equals(relation(name="q"))
    assert not relation().equals(relation(weights=[1, 2]))
    assert not relation().equals(relation(rows=[(1, "x", "a")]))
    assert not relation().equals(relation(rows=[(2, "x", "a"), (None,) * 3]))
    assert not relation().equals(relation(rows=[(1, "y", "a"), (None,) * 3]))
    assert not relation().equals(relation(rows=[(1, "x", "b"), (None,) * 3]))


def test_relations_as_values_are_compared_by_their_rows():
    one = Relation.from_rows("one", BAG.attributes, [(1, "x")])
    same = Relation.from_rows("same", BAG.attributes, [(1, "x")])
    other = Relation.from_rows("other", BAG.attributes, [(2, "x")])
    relations = [Relation.from_rows("r", (BAG,), [(bag,)]) for bag in (one, same, other, None)]
    assert [relations[0].equals(relation) for relation in relations] == [True, True, False, False]


LIAC_ATTRIBUTES = [("n", "REAL"), ("i", "integer"), ("c", ["x", "y"])]


@pytest.mark.parametrize(
    "data",
    [
        [[0.0, 2, "x"], [None, 0, "y"]],
        [{1: 2}, {0: None, 2: "y"}],
        ([2, None, "y"], [0, 1, 1], [1, 0, 2]),
    ],
    ids=["dense", "list of dictionaries", "three lists"],
)
def test_liac_data_are_read_dense_and_sparse(data):
    relation = Relation.from_liac({"relation": "r", "attributes": LIAC_ATTRIBUTES, "data": data})
    assert [attribute.type for attribute in relation.attributes] == ["numeric"] * 2 + ["nominal"]
    assert list(relation.rows()) == [(0.0, 2.0, "x"), (None, 0.0, "y")]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"relation": "r", "data": []}, "it has no 'attributes'"),
        ({"relation": "r", "attributes": [("a", "REALL")], "data": []}, "did you mean 'REAL'"),
        ({"relation": "r", "attributes": [("a", [1, 2])], "data": []}, "labels are texts, got 1"),
        ({"relation": "r", "attributes": [("a", "REAL")], "data": [["x"]]}, "row 1, attribute 'a'"),
        ({"relation": "r", "attributes": [("a", "REAL")], "data": [{1: 2}]}, "no attribute 1"),
        (
            {"relation": "r", "attributes": [("a", "STRING")], "data": [{}]},
            "a string attribute has no 0",
        ),
    ],
)
def test_wrong_liac_dictionaries_are_refused(document, message):
    with pytest.raises(ArffError, match=message):
        Relation.from_liac(document)


def test_a_relation_survives_liac():
    rows = [(1.5, "x", "text"), (None, None, None), (math.inf, "y", "")]
    relation = Relation.from_rows("r", (N, C, S), rows)
    assert Relation.from_liac(relation.to_liac()).equals(relation)


@pytest.mark.parametrize("path", sorted(DATA.glob("*.arff")), ids=lambda path: path.stem)
def test_liac_reads_the_sample_files_as_they_are_read_here(path):
    """An independent reader: its dictionary and the relation are the same, both ways."""
    relation, document = read_arff(path), arff.loads(path.read_text(encoding="utf-8"))
    assert Relation.from_liac(document).equals(relation)
    again = arff.loads(arff.dumps(relation.to_liac()))
    assert Relation.from_liac(again).equals(relation)


def test_liac_gets_dates_as_text():
    document = Relation.from_rows("r", (D,), [(86_400_000,), (None,)]).to_liac()
    assert document["attributes"] == [("d", "STRING")]
    assert document["data"] == [["1970-01-02"], [None]]


@pytest.mark.parametrize(
    ("relation", "message"),
    [
        (Relation.from_rows("r", (BAG,), []), "no relational attributes; 'b' would be lost"),
        (Relation.from_rows("r", (N,), [(1,), (1,)], [1, 2]), "that of row 2 would be lost"),
        (
            Relation.from_rows("r", (Attribute("w", "numeric", weight=2.0),), []),
            "that of attribute 'w' would be lost",
        ),
        (Relation.from_rows("r", (D,), [(0.5,)]), "attribute 'd': not a whole number"),
    ],
)
def test_what_liac_has_no_place_for_is_refused(relation, message):
    with pytest.raises(ArffError, match=message):
        relation.to_liac()


def test_liac_and_we_read_the_same_from_a_plain_file():
    text = """% comment
@RELATION 'a name'
@ATTRIBUTE "an attribute" REAL
@ATTRIBUTE class {yes,no,'not sure'}
@ATTRIBUTE text STRING
@DATA
1.5,yes,'some words'
-2e3,'not sure',word
?,?,?
"""
    document = arff.loads(text)
    relation = read_arff(io.StringIO(text))
    assert Relation.from_liac(document).equals(relation)
    assert relation.to_liac()["data"] == document["data"]


def test_liac_reads_what_we_write():
    rows = [(0.1, "x", "some words"), (None, "y", "it's 50 %, or not"), (-1e300, None, "a\\b")]
    relation = Relation.from_rows("a name", (N, C, S), rows)
    file = io.StringIO()
    write_arff(relation, file)
    assert [tuple(row) for row in arff.loads(file.getvalue())["data"]] == rows
