"""Laws of reading and writing ARFF: the paths agree, files survive, garbage is refused."""

from __future__ import annotations

import io
import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from widc_arff.arff import Attribute, Relation, read_arff, write_arff
from widc_arff.arff.fast import FastReader
from widc_arff.arff.lexer import SourceText
from widc_arff.arff.numbers import java_double
from widc_arff.arff.rows import RowReader
from widc_arff.errors import ArffError

# Plain chunks: the fast path may decline them, but must not read them otherwise.

DIGITS = st.text("0123456789", min_size=0, max_size=20)
DECIMALS = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["", "", "-", "+"]),
    DIGITS,
    st.sampled_from(["", ".", "."]),
    DIGITS,
    st.sampled_from(["", "", "", "e5", "E-12", "e+300", "f", "d", "e"]),
)
NUMBERS = st.one_of(
    DECIMALS,
    st.floats().map(repr),
    st.integers().map(str),
    st.sampled_from(
        ["?", "NaN", "Infinity", "-Infinity", "0x1p3", "1_0", "inf", "1.2.3", "-", "/"]
    ),
)
LABELS = ("a", "b", "label", "12345678", "123456789", "é", "日本語の札", "?", "two words", "\\")
VALUES = {
    "numeric": NUMBERS,
    "nominal": st.sampled_from([*LABELS, "unknown"]),
    "string": st.text(min_size=1, max_size=12).filter(lambda text: not text.isspace()),
    "date": st.sampled_from(["2020-02-29", "1582-10-04", "2021-02-29", "?", "2020-1-1x"]),
}
SEPARATORS = st.sampled_from([",", ",", ",", ", ", " ", "\t", ",,", " , ", "\x00"])
ROW_ENDS = st.sampled_from(
    ["\n", "\n", "\n", "\r\n", "\r", ",\n", " \n\n", "\n % comment\n", "\n,"]
)


def attribute(name: str, kind: Any) -> Attribute:
    return Attribute(
        name,
        kind,
        values=LABELS if kind == "nominal" else (),
        format="yyyy-MM-dd" if kind == "date" else None,
    )


@st.composite
def chunks_of_rows(draw):
    kinds = draw(st.lists(st.sampled_from(sorted(VALUES)), min_size=1, max_size=4))
    attributes = [attribute(f"a{index}", kind) for index, kind in enumerate(kinds)]
    rows = []
    for _ in range(draw(st.integers(0, 6))):
        values = [draw(VALUES[kind]) for kind in kinds]
        if draw(st.integers(0, 30)) == 0:
            values.append("extra")
        rows.append(draw(SEPARATORS).join(values) + draw(ROW_ENDS))
    return attributes, "".join(rows)


def same(first: Relation, second: Relation) -> bool:
    """Return whether two relations are equal, the signs of zeros included."""
    return first.equals(second) and repr(list(first.rows())) == repr(list(second.rows()))


@given(chunks_of_rows())
def test_the_fast_path_reads_what_the_careful_path_reads(drawn):
    attributes, text = drawn
    careful = RowReader(attributes)
    fast_block = FastReader(careful.cells).read(text.encode())
    if fast_block is None:
        return
    careful_block = careful.read(SourceText(text))
    fast_relation, careful_relation = (
        Relation("r", tuple(attributes), tuple(block.columns), block.weights)
        for block in (fast_block, careful_block)
    )
    assert same(fast_relation, careful_relation)


def is_finite_number(text: str) -> bool:
    try:
        return math.isfinite(java_double(text))
    except ValueError:
        return False


@given(st.lists(DECIMALS.filter(is_finite_number), min_size=1))
def test_the_fast_path_takes_plain_numbers(texts):
    cells = RowReader([attribute("n", "numeric")]).cells
    block = FastReader(cells).read("\n".join(texts).encode())
    assert block is not None
    assert repr(block.columns[0].tolist()) == repr(list(map(java_double, texts)))


# Relations of all types.

NAMES = st.text(st.characters(codec="utf-8"), max_size=8)
WEIGHTS = st.one_of(st.just(1.0), st.floats(0, 1e300))
MOMENTS = st.integers(-(10**14), 10**14).map(float)
FORMATS = st.sampled_from([None, "yyyy-MM-dd", "yy", "d MMM yyyy G, HH:mm:ss.SSS", "E"])


@st.composite
def attributes_of(draw, name: str, depth: int = 0) -> Attribute:
    kinds = ["numeric", "nominal", "string", "date"] + ["relational"] * (depth < 2)
    kind = draw(st.sampled_from(kinds))
    return Attribute(
        name,
        kind,
        values=tuple(draw(st.lists(NAMES, unique=True, max_size=4))) if kind == "nominal" else (),
        format=draw(FORMATS) if kind == "date" else None,
        weight=draw(WEIGHTS),
        attributes=draw(attribute_lists(depth + 1)) if kind == "relational" else (),
    )


@st.composite
def attribute_lists(draw, depth: int = 0) -> tuple[Attribute, ...]:
    names = draw(st.lists(NAMES, unique=True, min_size=1, max_size=4 - depth))
    return tuple(draw(attributes_of(name, depth)) for name in names)


def values_of(attribute: Attribute) -> st.SearchStrategy[Any]:
    if attribute.type == "numeric":
        values: st.SearchStrategy[Any] = st.floats(allow_nan=False)
    elif attribute.type == "date":
        values = MOMENTS
    elif attribute.type == "string":
        values = NAMES
    elif attribute.type == "nominal":
        values = st.sampled_from([*attribute.values, None])
    else:
        values = relations_of(attribute.attributes)
    return st.one_of(st.none(), values)


@st.composite
def relations_of(draw, attributes: tuple[Attribute, ...]) -> Relation:
    rows = draw(st.lists(st.tuples(*map(values_of, attributes)), max_size=4))
    weights = draw(st.lists(WEIGHTS, min_size=len(rows), max_size=len(rows)))
    return Relation.from_rows(draw(NAMES), attributes, rows, weights)


RELATIONS = attribute_lists().flatmap(relations_of)


def written(relation: Relation) -> bytes:
    file = io.BytesIO()
    write_arff(relation, file)
    return file.getvalue()


def cells(relation: Relation) -> list[Any]:
    """Return rows and weights, those of inner relations too."""
    rows = [
        [cells(cell) if isinstance(cell, Relation) else cell for cell in row]
        for row in relation.rows()
    ]
    return [*rows, *relation.weights]


@given(RELATIONS)
def test_what_is_written_reads_back_with_equal_values(relation):
    read = read_arff(io.BytesIO(written(relation)))
    assert read.name == relation.name
    assert repr(cells(read)) == repr(cells(relation))


@given(RELATIONS)
def test_what_was_read_is_written_and_read_back_equal(relation):
    read = read_arff(io.BytesIO(written(relation)))
    assert read_arff(io.BytesIO(written(read))).equals(read)


# Anything at all.


def read_or_refuse(data: bytes) -> None:
    try:
        relation = read_arff(io.BytesIO(data))
    except ArffError:
        return
    assert all(len(column) == relation.n_rows for column in relation.columns)
    assert all(weight >= 0 and math.isfinite(weight) for weight in relation.weights)


@given(st.binary(max_size=200))
def test_arbitrary_bytes_raise_only_arff_errors(data):
    read_or_refuse(data)
    read_or_refuse(b"@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n" + data)
    read_or_refuse(b"\x1f\x8b\x08" + data)


@given(RELATIONS, st.data())
def test_mutated_files_raise_only_arff_errors(relation, data):
    content = bytearray(written(relation))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(content)))
        stop = start + data.draw(st.integers(0, 3))
        content[start:stop] = data.draw(
            st.one_of(
                st.binary(max_size=3), st.sampled_from([b"'", b"{", b"}", b"%", b"\n", b"\\"])
            )
        )
    read_or_refuse(bytes(content))


@given(st.text(max_size=60), st.sampled_from(["utf-8", "latin-1", "utf-16", "ascii", "utf-7"]))
def test_arbitrary_encodings_raise_only_arff_errors(text, encoding):
    data = f"@relation r\n@attribute s string\n@data\n{text}".encode(errors="surrogatepass")
    try:
        read_arff(io.BytesIO(data), encoding=encoding)
    except ArffError:
        return
