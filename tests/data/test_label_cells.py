"""Labels of a row in one cell."""

from __future__ import annotations

import pytest

from widc_arff.arff.relation import Attribute, Relation
from widc_arff.data.label_cells import with_labels_of_cells
from widc_arff.data.label_sets import meka_labels
from widc_arff.data.schema import LabelCells
from widc_arff.errors import DataError

X = Attribute("x", "numeric")


def relation(cells, kind="string", more=()):
    values = tuple(dict.fromkeys(cell for cell in cells if cell is not None))
    tags = Attribute("tags", kind, values if kind == "nominal" else ())
    return Relation.from_rows("songs: -C 1", (tags, X, *more), [[cell, 1.0] for cell in cells])


@pytest.mark.parametrize("kind", ["string", "nominal"])
def test_each_label_becomes_an_attribute_in_the_order_of_names(kind):
    found = with_labels_of_cells(
        relation(["rock|pop", " pop ", "", None, "jazz"], kind), LabelCells("tags", "|")
    )
    assert [a.name for a in found.attributes] == ["x", "jazz", "pop", "rock"]
    assert [a.values for a in found.attributes[1:]] == [("0", "1")] * 3
    assert [row[1:] for row in found.rows()] == [
        ("0", "1", "1"),
        ("0", "1", "0"),
        ("0", "0", "0"),
        (None, None, None),
        ("1", "0", "0"),
    ]
    assert found.name == "songs: -C -3"
    assert meka_labels(found) == ("jazz", "pop", "rock")


def test_labels_that_are_known_are_there_even_if_no_cell_has_them():
    found = with_labels_of_cells(relation(["a;b", "b"]), LabelCells("tags", ";"), ["a", "z"])
    assert [a.name for a in found.attributes[1:]] == ["a", "b", "z"]


@pytest.mark.parametrize(
    ("cells", "name", "separator", "message"),
    [
        (["a|b"], "tag", "|", "expected the name of an attribute ('tags', 'x'), got 'tag'"),
        (["a|b"], "x", "|", "expected texts in 'x', got numeric values"),
        (["a|b"], "tags", "", "expected one letter or more, got none"),
        (["a|b"], "tags", ";", "two labels or more in the cells of 'tags' between ';', got 'a|b'"),
        ([None], "tags", "|", "between '|', got none"),
        (["a|x"], "tags", "|", "expected labels other than the attributes, got 'x'"),
    ],
)
def test_what_cannot_serve_is_refused(cells, name, separator, message):
    with pytest.raises(DataError) as caught:
        with_labels_of_cells(relation(cells), LabelCells(name, separator))
    assert message in str(caught.value)
