"""The fast path: what it reads, and what it leaves to the careful path."""

from __future__ import annotations

import math

import numpy as np
import pytest

from widc_arff.arff.fast import FastReader
from widc_arff.arff.relation import Attribute
from widc_arff.arff.rows import Block, CellReader

N = Attribute("n", "numeric")
C = Attribute("c", "nominal", ("yes", "no", "a label of some length", "exactly8", "é", "?", "a b"))
S = Attribute("s", "string")
D = Attribute("d", "date", format="yyyy-MM-dd")


def read(chunk: str | bytes, *attributes: Attribute) -> Block | None:
    raw = chunk.encode() if isinstance(chunk, str) else chunk
    return FastReader([CellReader(attribute) for attribute in attributes]).read(raw)


def numbers(*texts: str) -> list[float]:
    block = read("\n".join(texts) + "\n", N)
    assert block is not None
    values: list[float] = block.columns[0].tolist()
    return values


@pytest.mark.parametrize(
    "text",
    [
        "0",
        "7",
        "-7",
        "+7",
        "12345678",
        "123456789",
        "123456789012345",
        "1234567890123456",
        "0.5",
        ".5",
        "5.",
        "1234567.",
        ".1234567",
        "-123.4567",
        "-.5",
        "+0.25",
        "3.14159265",
        "0.1234567",
        "0.12345678",
        "0.123456789",
        "12345678.1",
        "1234567.12345678",
        "0.123456789012345",
        "0.12345678901234567",
        "100000000000000.5",
        "000000000000000000001",
        "0.00000000000000000001",
        "1e5",
        "-1.5E-300",
        "9007199254740993",
        "4.35",
        "2.2250738585072011e-308",
    ],
)
def test_numbers_have_the_bits_that_float_gives(text):
    values = numbers("1", text, "2.5")
    assert values == [1.0, float(text), 2.5]
    assert math.copysign(1, values[1]) == math.copysign(1, float(text))


@pytest.mark.parametrize("strange", "/:;=@~é.")
@pytest.mark.parametrize("length", range(1, 11))
def test_what_is_no_digit_is_noticed_wherever_it_stands(strange, length):
    for place in range(length + 1):
        text = "." + "1" * place + strange + "1" * (length - place)
        assert read(f"1\n{text}\n2\n", N) is None


def test_javas_own_spellings_are_read_one_by_one():
    values = numbers("1.5f", "0x1p3", "Infinity", "NaN", "?", "-0")
    assert values[:3] == [1.5, 8.0, math.inf]
    assert np.isnan(values[3:5]).all()
    assert math.copysign(1, values[5]) == -1


def test_labels_are_found_by_their_bytes():
    block = read("yes\nno\nexactly8\né\n?\nyes\n", C)
    assert block is not None
    assert block.columns[0].tolist() == [0, 1, 3, 4, -1, 0]
    assert block.columns[0].dtype == np.int8


def test_long_labels_are_found_too():
    long = Attribute("c", "nominal", ("a_label_of_some_length", "a_label_of_some_lengthX", "x"))
    block = read("a_label_of_some_length\nx\na_label_of_some_lengthX\n", long)
    assert block is not None
    assert block.columns[0].tolist() == [0, 2, 1]


def test_strings_and_dates_are_read():
    block = read("word,1970-01-02\n?,?\nüber,1970-01-01\n", S, D)
    assert block is not None
    assert block.columns[0].tolist() == ["word", None, "über"]
    assert block.columns[1][[0, 2]].tolist() == [86_400_000.0, 0.0]
    assert math.isnan(block.columns[1][1])


@pytest.mark.parametrize(
    "chunk",
    [
        "1,yes\n2,no\n",
        "1,yes\r\n2,no\r\n",
        "1,yes\r2,no\r",
        "1,yes\n2,no",
        "\n\n1,yes\n\n2,no\n\n",
        "1, yes\n2 ,no\n",
        "1\tyes\n\t2\tno\n",
        "1,,yes\n,2,no,\n",
        "1\x00yes\n2\x1fno\n",
        "% comment\n1,yes % 3\n2,no\n%",
        "1,yes\n% it's a {comment}\n2,no\n",
    ],
)
def test_layout_does_not_matter(chunk):
    block = read(chunk, N, C)
    assert block is not None
    assert [column.tolist() for column in block.columns] == [[1.0, 2.0], [0, 1]]
    assert block.weights.tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    "chunk",
    [
        "1,yes,{0.5}\n2,no,{3}\n",
        "1,yes, { 0.5 }\r\n2,no {3}  \r\n",
        "1 yes {.5} % a {comment}\n\n2,no,{3.0},\n",
        "% {9}\n1,yes,{5e-1}\n2,no,{3}",
    ],
)
def test_weights_of_rows_are_read(chunk):
    block = read(chunk, N, C)
    assert block is not None
    assert [column.tolist() for column in block.columns] == [[1.0, 2.0], [0, 1]]
    assert block.weights.tolist() == [0.5, 3.0]


@pytest.mark.parametrize(
    "chunk",
    [
        "1,yes,{0.5}\n2,no\n",  # one has none
        "1,yes,{-1}\n2,no,{1}\n",
        "1,yes,{?}\n2,no,{1}\n",
        "1,yes,{NaN}\n2,no,{1}\n",
        "1,yes,{1}\n2,{no},{1}\n",
        "1,{yes}\n2,{no}\n",  # a value less
        "1,yes,{1} x\n2,no,{1}\n",
        "1,yes,{1 2}\n2,no,{1}\n",
        "1,yes,{}\n2,no,{1}\n",
        "{0 1,1 yes}\n{0 2,1 no}\n",
        "{0 1}\n{1}\n",
        "1,yes,3,{1}\n2,{1}\n",  # as many values in all
    ],
)
def test_other_braces_are_left_to_the_careful_path(chunk):
    assert read(chunk, N, C) is None


def test_a_chunk_without_rows_is_a_block_without_rows():
    block = read("\n% nothing\n\n", N, C)
    assert block is not None
    assert [len(column) for column in block.columns] == [0, 0]


@pytest.mark.parametrize(
    "chunk",
    [
        "1,'yes'\n",
        '1,"yes"\n',
        "{0 1}\n",
        "1,yes}\n",
        "1\nyes\n",
        "1,yes,2,no\n",
        "1,yes\n2\nno\n",
        "1\n",
        "1,yes,3\n",
        "1,yes 2,no\n",
        "x,yes\n",
        "1_0,yes\n",
        "1.2.3,yes\n",
        "1-2,yes\n",
        "-,yes\n",
        ".,yes\n",
        "inf,yes\n",
        "1e,yes\n",
        "1,maybe\n",
        "1,Yes\n",
        "1,a\n",
        "1,es\n",
        "1,a_label_of_some_lengtX\n",
        "1,yes % it's\n",
        "% it's \\\n1,yes\n",
        b"1,yes % \xe9\n",
        b"1,\xc3\n",
    ],
)
def test_all_that_is_unusual_is_left_to_the_careful_path(chunk):
    assert read(chunk, N, C) is None


def test_a_label_that_needs_quotes_is_not_found_by_a_part_of_its_bytes():
    odd = Attribute("c", "nominal", ("\x00\x00a", "b"))
    assert read("b\n", odd) is not None
    assert read("a\n", odd) is None


def test_relational_attributes_are_left_to_the_careful_path():
    assert read("1\n", Attribute("r", "relational", attributes=(N,))) is None


@pytest.mark.parametrize("value", ["2021-02-29", "yesterday"])
def test_a_wrong_date_is_left_to_the_careful_path(value):
    assert read(f"{value}\n", D) is None
