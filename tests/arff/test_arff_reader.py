"""Reading files: where they come from, encodings, compression, chunks, memory."""

from __future__ import annotations

import gzip
import io
import os
import random
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from widc_arff.arff import read_arff
from widc_arff.errors import ArffError

if TYPE_CHECKING:
    from pathlib import Path

SMALL = "@relation r\n@attribute n numeric\n@attribute c {x,é}\n@data\n1,x\n2,é\n"
ROWS = [(1.0, "x"), (2.0, "é")]


class Pipe(io.RawIOBase):
    """A stream that gives a few bytes at a time and cannot be rewound."""

    def __init__(self, content: bytes, step: int) -> None:
        self._content = io.BytesIO(content)
        self._step = step

    def read(self, size: int = -1) -> bytes:
        return self._content.read(min(self._step, size) if size >= 0 else self._step)


def refusal(source, **options) -> ArffError:
    with pytest.raises(ArffError) as caught:
        read_arff(source, **options)
    return caught.value


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "small.arff"
    path.write_bytes(SMALL.encode())
    return path


def test_a_file_is_given_by_its_name_or_path(path):
    assert list(read_arff(path).rows()) == list(read_arff(str(path)).rows()) == ROWS


def test_an_open_file_stays_open(path):
    with path.open("rb") as binary, path.open(encoding="utf-8") as text:
        assert list(read_arff(binary).rows()) == list(read_arff(text).rows()) == ROWS
        assert not binary.closed
        assert not text.closed


def test_a_hyphen_is_standard_input(stdin):
    stdin(SMALL)
    assert list(read_arff("-").rows()) == ROWS
    stdin("@relation\n")
    assert str(refusal("-")).startswith("<stdin>:1:10: premature end of line")


@pytest.mark.parametrize("step", [1, 2, 3, 7])
def test_a_stream_may_give_a_few_bytes_at_a_time(step):
    assert list(read_arff(Pipe(SMALL.encode(), step)).rows()) == ROWS
    assert list(read_arff(Pipe(gzip.compress(SMALL.encode()), step)).rows()) == ROWS


def test_compressed_files_are_known_by_their_first_bytes(tmp_path):
    path = tmp_path / "no-hint.arff"
    path.write_bytes(gzip.compress(SMALL.encode()))
    assert list(read_arff(path).rows()) == ROWS


def test_compressed_files_may_have_several_members_and_padding():
    data = SMALL.encode()
    packed = gzip.compress(data[:50]) + gzip.compress(data[50:]) + bytes(100)
    assert list(read_arff(io.BytesIO(packed)).rows()) == ROWS


def test_a_compressed_file_larger_than_a_chunk_is_unpacked_in_parts():
    rows = "123456.5,x\n" * 400_000
    text = SMALL.split("1,x", maxsplit=1)[0] + rows
    relation = read_arff(io.BytesIO(gzip.compress(text.encode(), 1)))
    assert relation.n_rows == 400_000
    assert (relation.columns[0] == 123456.5).all()


@pytest.mark.parametrize("damage", [lambda b: b[:-9], lambda b: b[:20] + b"!!" + b[22:]])
def test_damaged_compressed_files_are_refused(damage, tmp_path):
    path = tmp_path / "damaged.arff.gz"
    path.write_bytes(damage(gzip.compress(SMALL.encode() * 10)))
    assert str(refusal(path)).startswith(f"{path}: damaged gzip file")


def test_a_file_that_is_not_there_is_refused_by_name(tmp_path):
    missing = tmp_path / "missing.arff"
    assert str(refusal(missing)) == f"{missing}: there is no such file"
    assert str(refusal(tmp_path)) == f"{tmp_path}: this is a directory, not a file"
    assert "cannot be opened" in str(refusal("nul\0byte"))


def test_an_empty_file_is_refused():
    assert "premature end of file" in str(refusal(io.BytesIO()))


def test_trouble_while_reading_names_the_file():
    class Broken(io.BytesIO):
        name = "broken.arff"

        def read(self, _size: int | None = -1) -> bytes:
            raise OSError(5, "Input/output error")

    assert str(refusal(Broken())) == "broken.arff: cannot be read: Input/output error"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "UTF8", "utf-16", "utf-16-be"])
def test_a_byte_order_mark_is_no_part_of_the_text(encoding):
    mark = "" if encoding in ("utf-8-sig", "utf-16") else "\ufeff"
    data = (mark + SMALL).encode(encoding)
    assert list(read_arff(io.BytesIO(data), encoding=encoding).rows()) == ROWS


def test_a_byte_order_mark_in_a_text_file_is_no_part_of_the_text():
    assert list(read_arff(io.StringIO("\ufeff" + SMALL)).rows()) == ROWS


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "cp437", "utf-32"])
def test_other_encodings_are_read_by_name(encoding):
    data = SMALL.encode(encoding)
    assert list(read_arff(Pipe(data, 5), encoding=encoding).rows()) == ROWS


def test_a_byte_that_does_not_fit_is_refused_with_advice():
    error = refusal(io.BytesIO(SMALL.encode("latin-1")))
    assert (error.line, error.column) == (3, 17)
    assert "byte 0xe9 does not fit the encoding utf-8" in error.message
    assert "--encoding latin-1" in error.message


def test_a_byte_that_does_not_fit_is_found_in_rows_and_comments():
    head, rows = SMALL.encode().split(b"1,x\n")
    assert refusal(io.BytesIO(head + b"1,x\n2,\xe9\n")).line == 6
    assert refusal(io.BytesIO(head + b"% caf\xe9\n" + rows)).line == 5


def test_utf_16_is_recognised_when_it_is_not_named():
    assert "--encoding utf-16" in refusal(io.BytesIO(SMALL.encode("utf-16"))).message


def test_a_byte_that_does_not_fit_another_encoding_is_refused_with_its_line():
    error = refusal(io.BytesIO(SMALL.encode()), encoding="ascii")
    assert error.line == 3
    assert "does not fit the encoding ascii" in error.message
    assert refusal(io.BytesIO(SMALL.encode("utf-16")[:-1]), encoding="utf-16").line is not None


@pytest.mark.parametrize("encoding", ["no-such", "rot13", "hex", "a\0b"])
def test_an_unknown_encoding_is_refused(encoding):
    assert "unknown encoding" in refusal(io.BytesIO(SMALL.encode()), encoding=encoding).message


def test_text_that_is_no_text_is_refused():
    assert "the text cannot be read" in refusal(io.StringIO("\udc80" + SMALL)).message


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_chunks_are_cut_at_line_ends_of_all_kinds(line_end):
    lines = ["@relation r", "@attribute n numeric", "@attribute s string", "@data"]
    lines += [
        f"{number},'a \\\nb{number}'" if number % 3 else f"{number},c" for number in range(50)
    ]
    file = io.BytesIO(line_end.join(lines).encode())
    rows = list(read_arff(file, chunk_size=16).rows())
    assert rows == [
        (float(number), f"a \nb{number}" if number % 3 else "c") for number in range(50)
    ]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("row", [0, 1, 17, 49])
def test_the_line_of_an_error_counts_through_all_chunks(line_end, row):
    lines = ["@relation r", "@attribute n numeric", "% comment", "@attribute m numeric", "@data"]
    lines += ["1,'2'" if number % 5 else "1,2" for number in range(50)]
    lines[5 + row] = "1,oops"
    error = refusal(io.BytesIO((line_end.join(lines) + line_end).encode()), chunk_size=16)
    assert (error.line, error.column, error.text) == (6 + row, 3, "1,oops")


def test_an_error_in_the_row_on_the_line_of_data_has_its_column():
    error = refusal(io.StringIO("@relation r\n@attribute n numeric\n@data oops\n"))
    assert str(error).endswith("\n    @data oops\n          ^")
    assert (error.line, error.column) == (3, 7)


def test_a_header_may_be_longer_than_a_chunk():
    lines = [f"@attribute a{number} {{x,y}}" for number in range(300)]
    text = "\n".join(["@relation r", *lines, "@data", "{299 y}"])
    relation = read_arff(io.StringIO(text), chunk_size=16)
    assert len(relation.attributes) == 300
    assert next(relation.rows()) == ("x",) * 299 + ("y",)


def test_a_line_may_be_longer_than_a_chunk():
    text = "@relation r\n@attribute s string\n@data\n" + "x" * 1000 + "\n" + "y" * 1000
    rows = read_arff(io.StringIO(text), chunk_size=16).rows()
    assert list(rows) == [("x" * 1000,), ("y" * 1000,)]


def test_an_error_in_a_very_long_line_shows_a_part_of_it():
    names = "".join(f"@attribute a{number} numeric\n" for number in range(5000))
    row = ",".join(["1"] * 4999 + ["oops"])
    error = refusal(io.StringIO(f"@relation r\n{names}@data\n{row}\n"))
    assert error.column == 2 * 4999 + 1
    assert max(map(len, str(error).splitlines())) < 200


def test_a_file_without_rows_has_empty_columns():
    relation = read_arff(io.StringIO(SMALL.split("1,x", maxsplit=1)[0]))
    assert relation.n_rows == 0
    assert [column.dtype.kind for column in relation.columns] == ["f", "i"]
    assert list(relation.rows()) == []


def test_a_named_pipe_can_be_read(tmp_path):
    import threading

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(SMALL.encode(),))
    writer.start()
    assert list(read_arff(pipe).rows()) == ROWS
    writer.join()


@pytest.mark.parametrize("quote", ["", "'"], ids=["fast", "careful"])
def test_peak_memory_stays_under_three_times_the_columns(quote, tmp_path):
    rng = random.Random(1)
    path = tmp_path / "large.arff"
    with path.open("w", encoding="utf-8") as file:
        file.write("@relation r\n")
        file.writelines(f"@attribute a{number} numeric\n" for number in range(10))
        file.write("@attribute c {yes,no}\n@data\n")
        row = ",".join(f"{rng.uniform(-100, 100):.3f}" for _ in range(10))
        file.writelines(f"{row},{quote}yes{quote}\n" for _ in range(40_000))
    tracemalloc.start()
    try:
        relation = read_arff(path, chunk_size=1 << 16)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    needed = sum(column.nbytes for column in relation.columns) + relation.weights.nbytes
    assert needed > 3_000_000
    assert peak < 3 * needed
