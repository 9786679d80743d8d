"""Rows on the careful path; the values were checked with Weka's ArffLoader."""

from __future__ import annotations

import math

import pytest

from widc_arff.arff.header import read_header
from widc_arff.arff.lexer import SourceText
from widc_arff.arff.relation import Relation
from widc_arff.arff.rows import RowReader
from widc_arff.errors import ArffError

HEADER = """@relation r
@attribute n numeric
@attribute c {x,y,'big z',1}
@attribute s string
@attribute d date yyyy-MM-dd
@data
"""
PAIR = "@relation r\n@attribute n numeric\n@attribute c {x,y,'big z',1}\n@data\n"
BAGS = """@relation r
@attribute bag relational
@attribute n numeric
@attribute c {x,y}
@end bag
@attribute k numeric
@data
"""


def read(header: str, rows: str) -> Relation:
    attributes = read_header(SourceText(header)).attributes
    block = RowReader(attributes).read(SourceText(rows, "f.arff"))
    return Relation("r", attributes, tuple(block.columns), block.weights)


def refusal(header: str, rows: str) -> ArffError:
    with pytest.raises(ArffError) as caught:
        read(header, rows)
    return caught.value


def test_a_dense_row_has_a_value_for_each_attribute():
    relation = read(HEADER, "1.5, 'big z' \"some text\"\t1970-01-02\n")
    assert list(relation.rows()) == [(1.5, "big z", "some text", 86_400_000.0)]


def test_only_a_bare_question_mark_is_missing():
    relation = read(HEADER, "?,?,?,?\n1,x,'?',?\n")
    assert list(relation.rows()) == [(None, None, None, None), (1.0, "x", "?", None)]


def test_a_question_mark_in_quotes_can_be_a_label():
    header = "@relation r\n@attribute c {?,a}\n@data\n"
    assert list(read(header, "'?'\n?\na\n").rows()) == [("?",), (None,), ("a",)]


def test_nan_is_missing_and_infinity_is_a_number():
    rows = list(read(PAIR, "NaN,x\n-Infinity,x\n").rows())
    assert rows == [(None, "x"), (-math.inf, "x")]


@pytest.mark.parametrize(
    "rows", ["1,x\n2,y", "1,x\n\n2,y\n", " 1 x,\n,2,,y %c\n%\n", "1,x\r\n2,y\r\n", "1,x\r2,y\r"]
)
def test_blanks_comments_and_line_ends_do_not_matter(rows):
    assert list(read(PAIR, rows).rows()) == [(1.0, "x"), (2.0, "y")]


def test_what_a_sparse_row_leaves_out_is_zero_or_the_first_label():
    rows = list(read(PAIR, "{0 3}\n{1 y}\n{}\n{ 0 ?,1 'big z' }\n{0\t1,,1 1,}\n").rows())
    assert rows == [(3.0, "x"), (0.0, "y"), (0.0, "x"), (None, "big z"), (1.0, "1")]


def test_a_date_left_out_is_the_first_moment_of_1970():
    assert list(read(HEADER, "{2 text}\n").rows()) == [(0.0, "x", "text", 0.0)]


def test_dense_and_sparse_rows_can_be_mixed():
    rows = list(read(PAIR, "1,y\n{1 y}\n2,x\n{}\n").rows())
    assert rows == [(1.0, "y"), (0.0, "y"), (2.0, "x"), (0.0, "x")]


def test_weights_in_braces_end_dense_and_sparse_rows():
    relation = read(PAIR, "1,x,{5}\n2,x {0.5}\n3,x\n{0 1},{0}\n{} { 2e3 , }\n")
    assert relation.weights.tolist() == [5.0, 0.5, 1.0, 0.0, 2000.0]


def test_relational_values_are_rows_in_quotes():
    relation = read(BAGS, r"""'1,x\n{1 y}\n?,\'y\',{3}',7""" + "\n?,8\n'',9\n")
    (first, _), (second, _), (third, _) = relation.rows()
    assert list(first.rows()) == [(1.0, "x"), (0.0, "y"), (None, "y")]
    assert first.weights.tolist() == [1.0, 1.0, 3.0]
    assert first.name == "bag"
    assert second is None
    assert third.n_rows == 0


@pytest.mark.parametrize(
    ("rows", "place", "message"),
    [
        ("a,x\n", (1, 1), "expected a number for attribute 'n', got 'a'"),
        ("1,x\n1;2,x\n", (2, 1), "semicolons do not separate values"),
        ("1;x\n", (1, 1), "semicolons do not separate values"),
        ("N/A,x\n", (1, 1), "a missing value is written ?"),
        ("'?',x\n", (1, 1), "a missing value is written ?"),
        ("1_000,x\n", (1, 1), "no underscores"),
        (",,x\n", (1, 3), "two commas in a row do not make a missing value: write ?"),
        ("1,,\n", (1, 4), "two commas in a row do not make a missing value: write ?"),
        ("y\n", (1, 1), "(the row has 1 value, the header declares 2 attributes)"),
        ("a,b,c,{2}\n", (1, 1), "(the row has 3 values, the header declares 2 attributes)"),
        ("1,z\n", (1, 3), "attribute 'c' has no label 'z'; its labels are 'x', 'y', 'big z', '1'"),
        ("1,X\n", (1, 3), "did you mean 'x'?"),
        ("1,1.0\n", (1, 3), "labels are compared as text: 1.0 is not 1"),
        ("1,big z\n", (1, 3), "must be quoted: 'big z'"),
        ("1,'?'\n", (1, 3), "a missing value is written ? without quotes"),
        ("1\n", (1, 2), "premature end of line: expected 2 values, got 1 (no value for attribute"),
        ("1 % of x\n", (1, 9), "% starts a comment"),
        ("1,x,2\n", (1, 5), "expected the end of the row, got '2'"),
        ("1,x,{2},3\n", (1, 9), "expected the end of the row, got '3'"),
        ("1,x}\n", (1, 4), "expected the end of the row, got '}'"),
        ("1,{x}\n", (1, 3), "not a valid value: expected a value for attribute 'c', got '{'"),
        ("1,'x\n", (1, 3), "expected a closing '"),
        ("1,x,'y\n", (1, 5), "expected a closing '"),
        ("1,x,{-1}\n", (1, 6), "expected a number of at least 0, got '-1'"),
        ("1,x,{NaN}\n", (1, 6), "expected a number of at least 0, got 'NaN'"),
        ("1,x,{Infinity}\n", (1, 6), "expected a number of at least 0, got 'Infinity'"),
        ("1,x,{}\n", (1, 6), "expected a number of at least 0, got '}'"),
        ("1,x,{\n", (1, 6), "expected a number of at least 0, got the end of the line"),
        ("1,x,{heavy}\n", (1, 6), "problem reading instance weight"),
        ("1,x,{2\n", (1, 7), "} expected, got the end of the line"),
        ("1,x,{2 3}\n", (1, 8), "} expected, got '3'"),
        ("{0 a}\n", (1, 4), "expected a number for attribute 'n', got 'a'"),
        ("{0}\n", (1, 3), "not a valid value: expected a value for attribute 'n', got '}'"),
        ("{0\n", (1, 3), "premature end of line: expected a value after index 0"),
        ("{0 1\n", (1, 5), "premature end of line: expected } at the end of a sparse row"),
        ("{1 x,0 1}\n", (1, 6), "indices have to be ordered: 0 after 1"),
        ("{0 1,0 1}\n", (1, 6), "indices have to be ordered: 0 after 0"),
        ("{2 1}\n", (1, 2), "index out of bounds: 2 is not between 0 and 1"),
        ("{x 1}\n", (1, 2), "index number expected, got 'x'"),
        ("{{ 1}\n", (1, 2), "index number expected, got '{'"),
        ("{0 1} 2\n", (1, 7), "expected the end of the row, got '2'"),
        ("\n\r\n1,x\r\n2,b\n", (4, 3), "has no label 'b'"),
    ],
)
def test_a_wrong_row_is_refused_at_its_place_with_a_remedy(rows, place, message):
    error = refusal(PAIR, rows)
    assert (error.line, error.column) == place
    assert message in error.message


def test_a_long_list_of_labels_is_shown_in_part():
    labels = ",".join(f"label{number}" for number in range(100))
    header = f"@relation r\n@attribute c {{{labels}}}\n@data\n"
    message = refusal(header, "label200\n").message
    assert "'label5', ...; did you mean 'label" in message
    assert "label6" not in message


def test_an_attribute_without_labels_has_no_values_but_missing():
    header = "@relation r\n@attribute c {}\n@attribute n numeric\n@data\n"
    assert list(read(header, "?,1\n").rows()) == [(None, 1.0)]
    assert "it has no labels at all" in refusal(header, "a,1\n").message
    assert "a sparse row cannot leave it out" in refusal(header, "{1 2}\n").message


@pytest.mark.parametrize(
    ("header", "name"), [(HEADER, "'s' (index 2) is string"), (BAGS, "'bag' (index 0) is relat")]
)
def test_a_sparse_row_cannot_leave_out_what_has_no_zero(header, name):
    assert name in refusal(header, "{}\n").message


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("28.02.2021", "'28.02.2021' does not fit the format 'yyyy-MM-dd'"),
        ("2021-02-29", "no such date or time"),
    ],
)
def test_a_wrong_date_is_refused_with_the_format(value, message):
    error = refusal(HEADER, f"1,x,s,{value}\n")
    assert (error.line, error.column) == (1, 7)
    assert "unparseable date for attribute 'd'" in error.message
    assert message in error.message


def test_a_date_with_a_blank_must_be_quoted():
    header = "@relation r\n@attribute d date 'yyyy-MM-dd HH:mm'\n@data\n"
    assert list(read(header, "'1970-01-01 00:01'\n").rows()) == [(60_000.0,)]
    assert "must be quoted" in refusal(header, "1970-01-01 00:01\n").message


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (r"'1,x\na,y'", "'bag' (line 2): expected a number for attribute 'n', got 'a'"),
        ("5", "'bag' (line 1): premature end of line"),
    ],
)
def test_a_wrong_relational_value_tells_its_own_line(value, message):
    error = refusal(BAGS, f"'1,x',1\n{value},2\n")
    assert (error.line, error.column) == (2, 1)
    assert message in error.message


def test_semicolons_are_noticed_in_a_text_that_swallows_the_row():
    header = "@relation r\n@attribute s string\n@attribute n numeric\n@data\n"
    assert "semicolons do not separate values" in refusal(header, "word;1\n").message


def test_a_relational_attribute_without_attributes_has_no_values_but_missing():
    header = "@relation r\n@attribute b relational\n@end b\n@attribute n numeric\n@data\n"
    assert list(read(header, "?,1\n").rows()) == [(None, 1.0)]
    assert "no attributes are declared" in refusal(header, "a,1\n").message
