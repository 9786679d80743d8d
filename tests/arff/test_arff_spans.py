"""Files read a piece at a time, and cut into spans that can be read at the same time."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from widc_arff.arff.reader import read_arff, read_declarations, read_pieces
from widc_arff.arff.spans import Span, read_span, spans
from widc_arff.errors import ArffError

HEADER = "% about\n@relation r\n@attribute x numeric\n@attribute s string\n@data\n"
ROWS = [
    "1,a",
    "% a comment",
    "2,'b\\\nc'",  # a value that goes on after a line end
    "",
    "3,'d,e' ,{0.5}",
    "4,?",
    '5,"f"',
    "{0 6,1 'g'}",
    "7,h",
]


def values(pieces) -> list[tuple[object, ...]]:
    return [
        (*row, w) for piece in pieces for row, w in zip(piece.rows(), piece.weights, strict=True)
    ]


def text(line_end: str = "\n", mark: bytes = b"", last: str = "\n") -> bytes:
    rows = line_end.join(ROWS if line_end == "\n" else [r.replace("\\\n", " ") for r in ROWS])
    return mark + (HEADER.replace("\n", line_end) + rows + last).encode()


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("last", ["", "\n"])
def test_the_spans_of_a_file_hold_its_rows_once_each(tmp_path, line_end, mark, last):
    path = tmp_path / "a.arff"
    path.write_bytes(text(line_end, mark, last))
    whole = values([read_arff(path)])
    for most_bytes in (1, 3, 5, 10, 25, 60, 1000):
        cut = spans(str(path), "utf-8", most_bytes)
        assert values(piece for span in cut for piece in read_span(span)) == whole
        assert len(cut) > 1 or most_bytes > 25


def test_a_span_is_as_large_as_asked_up_to_a_line(tmp_path):
    path = tmp_path / "a.arff"
    path.write_bytes((HEADER + "1,a\n" * 100).encode())
    # rows of 4 bytes: a cut falls on the first start of a line that is far enough
    assert [span.n_bytes for span in spans(str(path), "utf-8", 100)] == [100] * 4
    assert [span.n_bytes for span in spans(str(path), "utf-8", 101)] == [104, 104, 104, 88]


def test_compressed_and_recoded_files_stay_whole(tmp_path):
    packed, wide = tmp_path / "a.arff.gz", tmp_path / "wide.arff"
    packed.write_bytes(gzip.compress(text()))
    wide.write_bytes(text().decode().encode("utf-16"))
    for path, encoding in ((packed, "utf-8"), (wide, "utf-16")):
        (span,) = spans(str(path), encoding, 10)
        assert values(read_span(span, encoding)) == values([read_arff(path, encoding=encoding)])


def test_a_row_on_the_line_of_data_keeps_a_file_whole(tmp_path):
    path = tmp_path / "a.arff"
    path.write_bytes((HEADER.rstrip() + " % comment\n" + "1,a\n" * 9).encode())
    assert spans(str(path), "utf-8", 4) == [Span(str(path), 0, 0, path.stat().st_size)]


def test_an_error_in_a_span_names_the_line_of_the_file(tmp_path):
    path = tmp_path / "a.arff"
    path.write_bytes((HEADER + "1,a\n" * 50 + "x,a\n").encode())
    last = spans(str(path), "utf-8", 40)[-1]
    with pytest.raises(ArffError) as error:
        list(read_span(last))
    with pytest.raises(ArffError) as expected:
        read_arff(path)
    assert str(error.value) == str(expected.value)
    assert error.value.line == 56


def test_an_unknown_encoding_is_told(tmp_path):
    path = tmp_path / "a.arff"
    path.write_bytes(text())
    with pytest.raises(ArffError, match="unknown encoding 'nonsense'"):
        spans(str(path), "nonsense", 5)


def test_pieces_hold_the_rows_of_the_file(tmp_path):
    path = tmp_path / "a.arff"
    path.write_bytes(text() + b"1,z\n" * 100)
    whole = read_arff(path)
    pieces = list(read_pieces(path, most_cells=20, chunk_size=64))
    assert len(pieces) > 5
    assert values(pieces) == values([whole])
    assert all(len(piece) > 0 for piece in pieces)


def test_a_file_without_rows_is_one_piece(tmp_path):
    path = tmp_path / "a.arff"
    path.write_text(HEADER, encoding="utf-8")
    (piece,) = read_pieces(path)
    assert len(piece) == 0
    assert piece.attributes == read_arff(path).attributes


def test_declarations_are_read_without_rows(tmp_path):
    path = tmp_path / "a.arff"
    path.write_bytes(text())
    relation, n_bytes = read_declarations(str(path))
    assert relation.attributes == read_arff(path).attributes
    assert n_bytes == len(HEADER.rstrip())
    assert np.array_equal(relation.weights, [])
