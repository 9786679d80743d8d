"""A truth value is the same whatever the column that holds it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from widc_arff import Attribute, DataError, Dataset, Relation, WIDCClassifier
from widc_arff.data.schema import Labels, Schema
from widc_arff.tables.table_values import matched, truth_pair

PAIRS = [
    [False, True],
    ["False", "True"],
    ["no", "yes"],
    ["N", "Y"],
    ["f", "t"],
    ["OFF", "on"],
    ["0", "1"],
    [0, 1],
    [0.0, 1.0],
]
SPELLINGS = [
    [0, 1],
    [0.0, 1.0],
    [False, True],
    ["FALSE", "true"],
    ["0", "1"],
    ["0.0", " 1.00"],
    np.array([False, True], object),
    np.array([0, 1], np.float32),
    pd.array([False, True, None], "boolean"),
    pd.array([0, 1, None], "Int64"),
    pd.Categorical([0, 1]),
    pl.Series([False, True]),
    pl.Series([0, 1], dtype=pl.UInt8),
]


@pytest.mark.parametrize("pair", PAIRS, ids=repr)
def test_whatever_a_truth_value_was_in_training_it_is_known_in_new_data(pair):
    classifier = WIDCClassifier().fit(pd.DataFrame({"flag": pair * 9}), ["a", "b"] * 9)
    assert len(classifier.rules_) == 1
    for new in SPELLINGS:
        library = pl if isinstance(new, pl.Series) else pd
        assert classifier.predict(library.DataFrame({"flag": new}))[:2].tolist() == ["a", "b"]


@pytest.mark.parametrize("declared", [("no", "yes"), ("F", "T"), ("n", "y"), ("off", "on")])
def test_all_words_of_a_truth_value_are_the_label_of_a_pair(declared):
    words = ["false", "no", "N", "f", "OFF", "0", "0.0", "true", "Yes", "Y", "t", "on", "1", "1.0"]
    expected = [declared[0]] * 7 + [declared[1]] * 7
    assert [matched([word], declared).get(word) for word in words] == expected


@pytest.mark.parametrize(
    ("declared", "text"),
    [
        (("False", "True", "1"), "0"),  # 1 is another label, so 0 is none
        (("False", "True", "unknown"), "1"),
        (("yes", "false"), "1"),  # words of two pairs
        (("n", "N"), "no"),
        (("0", "1", "2"), "True"),
        (("1", "01"), "True"),
        (("True",), "1"),
        (("m", "f"), "no"),
        (("7", "007"), "7.0"),
    ],
)
def test_a_text_that_could_be_another_label_is_none(declared, text):
    assert matched([text], declared) == {}


def test_only_two_labels_of_one_pair_are_truth_values():
    assert truth_pair(["TRUE", "false"]) == {True: "TRUE", False: "false"}
    assert truth_pair(["0", "1.0"]) == {True: "1.0", False: "0"}
    for labels in (["True"], ["True", "no"], ["1", "2"], ["0", "00"], ["a", "b"], ["t", "f", "?"]):
        assert truth_pair(labels) is None


def test_truth_values_of_an_arff_file_match_whatever_it_declares():
    wanted = (Attribute("flag", "nominal", ("False", "True")), Attribute("n", "numeric"))
    schema = Schema("r", wanted, Labels("single", ("class",), ("no", "yes")))
    forms: list[tuple[Attribute, list[Any]]] = [
        (Attribute("flag", "numeric"), [0.0, 1.0, None]),
        (Attribute("flag", "nominal", ("1", "0")), ["0", "1", None]),
        (Attribute("flag", "nominal", ("TRUE", "FALSE")), ["FALSE", "TRUE", None]),
        (Attribute("flag", "string"), ["false", "t", None]),
    ]
    for flag, values in forms:
        n = Attribute("n", "nominal", ("true", "FALSE"))
        of_class = Attribute("class", "numeric")
        others, labels = ["FALSE", "true", None], [0.0, 1.0, None]
        rows = [list(row) for row in zip(values, others, labels, strict=True)]
        relation = Relation.from_rows("new", (flag, n, of_class), rows)
        dataset = Dataset.for_schema(relation, schema)
        assert dataset.columns[0].tolist() == [0, 1, -1]
        assert np.array_equal(dataset.columns[1], [0.0, 1.0, np.nan], equal_nan=True)
        assert dataset.classes.tolist() == [0, 1, -1]


def test_words_that_are_no_truth_values_are_no_numbers():
    schema = Schema("r", (Attribute("n", "numeric"),), Labels("single", ("class",), ("no", "yes")))
    relation = Relation.from_rows("new", (Attribute("n", "nominal", ("yes", "2")),), [["2"]])
    assert Dataset.for_schema(relation, schema).columns[0].tolist() == [2.0]
    relation = Relation.from_rows("new", relation.attributes, [["yes"]])
    with pytest.raises(DataError, match="expected a numeric attribute as in training"):
        Dataset.for_schema(relation, schema)


@pytest.mark.parametrize(
    "pair", [("0", "1"), ("False", "True"), ("no", "yes"), ("f", "t"), ("off", "ON"), ("N", "Y")]
)
def test_label_attributes_are_any_pair_of_truth_values(pair):
    def read(absent: object, present: object) -> Dataset:
        n = Attribute("n", "numeric")
        kinds = [
            Attribute(name, "nominal", (str(absent), str(present))) for name in ("odd", "large")
        ]
        rows = [
            [float(i), *(str(present if on else absent) for on in (i % 2, i > 9))]
            for i in range(24)
        ]
        relation = Relation.from_rows("sets", (n, *kinds), rows)
        return Dataset.from_relation(relation, labels=["odd", "large"])

    expected = read("0", "1")
    assert expected.Y.sum(axis=0).tolist() == [12, 14]
    found = read(*pair)
    assert (found.Y == expected.Y).all()
    assert found.labelled.all()
