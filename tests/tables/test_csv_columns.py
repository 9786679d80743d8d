"""CSV column by column: the same as plain code reads it, in little memory, in any chunks."""

from __future__ import annotations

import io
import re
import tracemalloc
import warnings
from time import process_time
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.reference.csv_columns import columns_of
from widc_arff.arff import chunks
from widc_arff.arff.columns import cells
from widc_arff.arff.stored_columns import StoredColumns
from widc_arff.errors import ArffError, TableError, WidcWarning
from widc_arff.tables import read_table
from widc_arff.tables.uses import TableOptions

if TYPE_CHECKING:
    from widc_arff.arff.relation import Relation

KINDS = [
    st.integers(-99, 10**6).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.decimals(-999, 999, places=3).map(str),
    st.sampled_from(["007", "1e400", "-0", "9007199254740993", "+5", ".5", "5.", "1E3", "inf"]),
    st.dates().map(str),
    st.datetimes().map(str),
    st.sampled_from(["", "?", "NA", " ", "nan"]),
    st.sampled_from(["red", "green", " blue ", "a longer text than eight", "é", "日本語"]),
    st.text("ab,;'\" \n\r", max_size=4),
]


@st.composite
def tables(draw) -> tuple[str, str]:
    """Draw a CSV text and its separator."""
    n_columns, n_rows = draw(st.integers(1, 4)), draw(st.integers(0, 30))
    separator = draw(st.sampled_from([",", ";", "\t"]))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    kinds = [draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=2)) for _ in range(4)]
    rows = [[f"c{i}" for i in range(n_columns)]]
    rows += [[draw(st.one_of(kinds[i])) for i in range(n_columns)] for _ in range(n_rows)]

    def cell(text: str) -> str:
        needs_quotes = any(mark in text for mark in ",;\t'\"\n\r")
        return '"' + text.replace('"', '""') + '"' if needs_quotes else text

    return end.join(separator.join(map(cell, row)) for row in rows) + end, separator


def values_of(relation: Relation) -> list[tuple[object, list[object]]]:
    columns = zip(relation.attributes, relation.columns, strict=True)
    return [(attribute, cells(attribute, column)) for attribute, column in columns]


@example(("c0\n \n1\n \n", ","), 1, 0)
@given(tables(), st.sampled_from([1, 40, 1 << 18]), st.sampled_from([0, 3, 1 << 10]))
def test_columns_are_those_of_plain_code_whatever_the_chunks(table, chunk_size, most_texts):
    text, separator = table
    options = TableOptions(chunk_size=chunk_size, most_texts=most_texts)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)
        try:
            expected = columns_of(text, separator)
        except TableError as error:
            message = re.escape(error.message.split(": ", 1)[1])
            with pytest.raises(TableError, match=message):
                read_table(io.BytesIO(text.encode()), "csv", options)
            return
        except ValueError:  # a single column of blank cells has no rows
            return
        found = values_of(read_table(io.BytesIO(text.encode()), "csv", options))
    assert found == expected


def test_losses_are_the_same_however_many_texts_there_are():
    cells = ["1", "2", "007", "9007199254740993", "1e400", "3", "4", "9007199254740993"]
    text = "x,y\n" + "".join(f"{cell},\n" for cell in cells)
    messages = set()
    for most_texts in (0, 2, 5, 1 << 10):
        options = TableOptions(chunk_size=10, most_texts=most_texts)
        with pytest.warns(WidcWarning) as caught:
            read_table(io.BytesIO(text.encode()), "csv", options)
        messages.add(str(caught[0].message))
    first = "<file>:4: column 'x': '007' is read as the number 7 (and 2 more); "
    assert messages == {first + "--nominal 'x' reads all as labels"}


def test_a_text_among_many_numbers_is_refused_with_its_line_from_a_stream_too():
    options = TableOptions(chunk_size=100, most_texts=10)
    text = "x,y\n" + "".join(f"{i},{i % 2}\n" for i in range(200)) + "none,1\n"

    class Stream(io.RawIOBase):
        def __init__(self) -> None:
            self._file = io.BytesIO(text.encode())

        def read(self, size: int = -1) -> bytes:
            return self._file.read(size)

    for file in (io.BytesIO(text.encode()), Stream()):
        with pytest.raises(TableError, match=r":202: column 'x': expected a number as in 200 of"):
            read_table(file, "csv", options)


def peak(text: str, **how) -> float:
    """Return the bytes of memory at most in use for each byte of a CSV file."""
    file = io.BytesIO(text.encode())
    read_table(io.BytesIO(b"a,b\n1,x\n"), "csv")  # what is imported with the first file
    tracemalloc.start()
    try:
        read_table(file, "csv", TableOptions(chunk_size=1 << 14), **how)
        return tracemalloc.get_traced_memory()[1] / len(text)
    finally:
        tracemalloc.stop()


def test_memory_of_numbers_does_not_hold_their_texts():
    n = 20_000
    numbers = np.random.default_rng(0).normal(size=(n, 6)).round(6)
    text = "a,b,c,d,e,f\n" + "\n".join(",".join(map(str, row)) for row in numbers) + "\n"
    assert peak(text, most_cells=1000) < 1  # some columns at a time, 8 bytes for 9 of text
    assert peak(text) < 2


def test_memory_of_a_header_is_in_proportion():
    names = ",".join(f"n{i}" for i in range(30_000))
    assert peak(f"{names}\n") < 100
    row = ",".join("1" for _ in range(30_000))
    assert peak(f"{names}\n{row}\n") < 120


def test_columns_of_large_tables_are_in_a_file():
    text = "x,y\n" + "".join(f"{i},a b\n" for i in range(50))
    small = read_table(io.BytesIO(text.encode()), "csv", most_cells=100)
    large = read_table(io.BytesIO(text.encode()), "csv", most_cells=99)
    assert isinstance(small.columns, tuple)
    assert isinstance(large.columns, StoredColumns)
    assert large.has_same_rows(small)


def test_unused_columns_are_not_looked_at():
    text = 'x,y,z\n1,"1,2",a\n2,"3.4.5",b\n'
    relation = read_table(
        io.BytesIO(text.encode()),
        "csv",
        TableOptions(declared={"x": relation_attribute("x")}, used={"x"}),
    )
    assert list(relation.rows()) == [(1.0, None, None), (2.0, None, None)]


def relation_attribute(name: str):
    return read_table(io.BytesIO(f"{name},k\n1,a\n".encode()), "csv").attributes[0]


def test_a_quote_that_is_never_closed_is_named_at_once():
    line = "2" * 500_000 + ",3\n"
    text = 'x,y\n1,"open\n' + line * (1 + chunks.LONGEST_LINE // len(line))
    with pytest.raises(
        ArffError, match=r"2: expected a closing quote within .* of the one opened in"
    ):
        read_table(io.BytesIO(text.encode()), "csv")


@pytest.mark.parametrize("text", ['A\n""\n', "A\n \n", 'A\n""\n1\n'])
def test_of_one_column_a_blank_cell_is_a_row(text):
    assert read_table(io.BytesIO(text.encode()), "csv").n_rows == text.count("\n") - 1


def test_a_long_number_in_the_header_is_read_in_linear_time():
    start = process_time()
    with pytest.raises(TableError):
        read_table(io.BytesIO(b"1" * 200_000 + b"x,a.5,1.5\n"), "csv")
    assert process_time() - start < 1
