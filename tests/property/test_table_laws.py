"""Laws of tables: what is written reads back, order of rows is nothing, garbage is refused."""

from __future__ import annotations

import io
import warnings
from contextlib import suppress
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given
from hypothesis import strategies as st

from widc_arff.arff import Attribute, Relation
from widc_arff.errors import ArffError, DataError, WidcWarning
from widc_arff.tables import read_table, write_to
from widc_arff.tables.table_values import label_text, matched, number_key
from widc_arff.tables.uses import TableOptions

LABELS = ("a", "b c", 'd "e"', "f,g", "h;i", "\tj", "k\nl", "1", "1.0", "NA", "", "true", "日本")
CELLS = st.sampled_from(
    ["", "?", "NA", "1", "-2.5", "1e3", "x", "y", " x", "2020-02-29", "1,5", "true", '"q"', "nan"]
)
DAY = 86_400_000


@st.composite
def relations(draw: Any) -> Relation:
    attributes = (
        Attribute("n", "numeric"),
        Attribute("c", "nominal", LABELS),
        Attribute("d", "date", format=draw(st.sampled_from(["yyyy-MM-dd", "dd.MM.yyyy HH:mm"]))),
    )
    finite = st.floats(allow_nan=False)
    dates = st.integers(-100_000, 1_000_000).map(lambda n: float(n * DAY))
    labels = st.sampled_from([label for label in LABELS if label])
    row = st.tuples(*(st.none() | values for values in (finite, labels, dates)))
    return Relation.from_rows("data", attributes, draw(st.lists(row, min_size=1, max_size=8)))


@given(relations(), st.sampled_from(["csv", "tsv", "parquet"]))
def test_what_is_written_reads_back_with_its_declarations(relation, form):
    file = io.BytesIO()
    write_to(relation, file, form)
    file.seek(0)
    declared = {attribute.name: attribute for attribute in relation.attributes}
    assert read_table(file, form, TableOptions(declared=declared)).equals(relation)


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=8), st.randoms())
def test_the_order_of_rows_does_not_matter(rows, random):
    def read(rows) -> Relation | str:
        quoted = ["".join(f'"{c.replace(chr(34), 2 * chr(34))}",' for c in row) for row in rows]
        text = "a,b,k\n" + "".join(f"{line}1\n" for line in quoted)
        try:
            with warnings.catch_warnings():  # these name the first line
                warnings.simplefilter("ignore", WidcWarning)
                return read_table(io.BytesIO(text.encode()), "csv", TableOptions(target="b"))
        except ArffError as error:
            return error.message.partition("got")[0]

    shuffled = list(rows)
    random.shuffle(shuffled)
    first, second = read(rows), read(shuffled)
    if isinstance(first, Relation) and isinstance(second, Relation):
        assert first.attributes == second.attributes
        assert sorted(map(repr, first.rows())) == sorted(map(repr, second.rows()))
    else:
        assert first == second


NUMBERS = st.from_regex(
    r"[+-]?(0{0,2}[0-9]{1,20}(\.[0-9]{0,5})?|\.[0-9]{1,5})(e[+-]?[0-9]{1,2})?", fullmatch=True
)


@given(NUMBERS, NUMBERS)
def test_texts_of_one_number_have_one_key(first, second):
    assert (number_key(first) == number_key(second)) == (Decimal(first) == Decimal(second))


@given(st.lists(NUMBERS | st.sampled_from(["x", "07", "7", "7.0"]), min_size=1, max_size=8))
def test_a_label_is_its_text(texts):
    content = io.BytesIO(
        "".join(f"{cell},\n" for cell in ["c", *texts]).replace("c,", "c,d").encode()
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)
        relation = read_table(content, "csv", TableOptions(nominal=["c"]))
    assert [row[0] for row in relation.rows()] == texts
    assert matched(texts, relation.attributes[0].values) == {text: text for text in texts}


@given(st.lists(st.floats(allow_nan=False, width=32) | st.integers(-(2**60), 2**60), min_size=1))
def test_a_number_of_any_type_has_the_label_that_its_text_has(values):
    labels = list(dict.fromkeys(map(label_text, values)))
    assert matched(labels, labels) == {label: label for label in labels}
    for value, label in zip(values, map(label_text, values), strict=True):
        assert float(label) == float(value)


@given(st.binary(max_size=200) | st.text('a1,;\t\n\r" -.?', max_size=60).map(str.encode))
def test_any_bytes_are_csv_or_refused(content):
    for target in (None, "last"):
        with suppress(ArffError, DataError), warnings.catch_warnings():
            warnings.simplefilter("ignore", WidcWarning)
            read_table(io.BytesIO(content), "csv", TableOptions(target=target))


@given(st.integers(0, 10_000), st.binary(min_size=1, max_size=3))
def test_damaged_parquet_is_read_or_refused(place, damage):
    file = io.BytesIO()
    texts = [f"t{i % 7}" for i in range(50)]
    pq.write_table(pa.table({"x": np.arange(50.0), "c": texts}), file)
    content = bytearray(file.getvalue())
    place %= len(content)
    content[place : place + len(damage)] = damage
    with suppress(ArffError):
        read_table(io.BytesIO(bytes(content)), "parquet")
