"""Writing files, and that they read back equal."""

from __future__ import annotations

import errno
import gzip
import io
import os
from pathlib import Path

import numpy as np
import pytest

from widc_arff.arff import Attribute, Relation, read_arff, write_arff
from widc_arff.errors import ArffError

N = Attribute("n", "numeric")


def written(relation: Relation) -> str:
    file = io.StringIO()
    write_arff(relation, file)
    assert read_arff(io.StringIO(file.getvalue())).equals(relation)
    return file.getvalue()


def rows_of(relation: Relation) -> list[str]:
    return written(relation).split("@data\n")[1].splitlines()


def test_a_file_looks_like_this():
    bag = Attribute("a bag", "relational", attributes=(N, Attribute("s", "string")), weight=2.0)
    attributes = (
        Attribute("n", "numeric", weight=0.5),
        Attribute("c", "nominal", ("plain", "two words", "?", "it's", "")),
        Attribute("s", "string"),
        Attribute("d", "date"),
        Attribute("e", "date", format="dd/MM yyyy"),
        bag,
    )
    value = Relation.from_rows("a bag", bag.attributes, [(1, "it's"), (None, None)], [1, 3])
    rows = [
        (1.0, "two words", "a\nb", 0.0, 0.0, value),
        (0.1, "?", "?", None, None, None),
        (None, None, None, 1000.0, 86_400_000.0, Relation.from_rows("a bag", bag.attributes, [])),
    ]
    assert (
        written(Relation.from_rows("my data", attributes, rows, [1, 1, 2.5]))
        == r"""@relation 'my data'

@attribute n numeric {0.5}
@attribute c {plain,'two words','?','it\'s',''}
@attribute s string
@attribute d date
@attribute e date 'dd/MM yyyy'
@attribute 'a bag' relational {2}
  @attribute n numeric
  @attribute s string
@end 'a bag'

@data
1,'two words','a\nb',1970-01-01T00:00:00,'01/01 1970','1,\'it\\\'s\'\n?,?,{3}'
0.1,'?','?',?,?,?
?,?,?,1970-01-01T00:00:01,'02/01 1970','',{2.5}
"""
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "?",
        "a b",
        "a,b",
        "%",
        "{",
        "}",
        "'",
        '"',
        "\\",
        "\\n",
        "\n",
        "\r\n",
        "\t",
        "\x00",
        "\x0012",
        "\x1f",
        "\x7f",
        "\x85",
        "\xa0",
        "\u2028",
        "\ufeff",
        "é",
        "日本",
        "😀",
        "@data",
        "'?'",
    ],
)
def test_every_text_survives_as_name_label_and_string(text):
    attributes = (Attribute(text, "nominal", (text,)), Attribute(f"{text}2", "string"))
    rows_of(Relation.from_rows(text, attributes, [(text, text), (None, None)]))


def test_numbers_keep_all_their_digits():
    values = [0.1, 1 / 3, 1e-7, 1e300, 5e-324, -0.0, 123456789.0, np.inf, -np.inf, np.nan, 2**53]
    relation = Relation("r", (N,), (np.array(values),), np.ones(len(values)))
    assert rows_of(relation)[:3] == ["0.1", "0.3333333333333333", "1e-07"]


@pytest.mark.parametrize(
    ("pattern", "milliseconds", "declared"),
    [
        (None, 1000, None),
        (None, 1, "yyyy-MM-dd'T'HH:mm:ss.SSS"),
        ("yyyy", 0, "yyyy"),
        ("yyyy", 1, "yyyy-MM-dd'T'HH:mm:ss.SSS"),
        ("MM", -(10**14), "yyyy-MM-dd'T'HH:mm:ss.SSS G"),
    ],
)
def test_dates_get_a_format_that_tells_them_exactly(pattern, milliseconds, declared):
    date = Attribute("d", "date", format=pattern)
    bag = Attribute("b", "relational", attributes=(date,))
    rows = [(milliseconds, Relation.from_rows("b", (date,), [(milliseconds,)])), (None, None)]
    file = io.StringIO()
    write_arff(Relation.from_rows("r", (date, bag), rows), file)
    relation = read_arff(io.StringIO(file.getvalue()))
    assert relation.attributes[0].format == declared
    assert relation.attributes[1].attributes[0].format == declared
    assert relation.columns[0][0] == milliseconds
    assert relation.columns[1][0].columns[0][0] == milliseconds


@pytest.mark.parametrize("milliseconds", [0.5, np.inf])
def test_a_date_without_a_text_is_refused(milliseconds):
    relation = Relation.from_rows("r", (Attribute("d", "date"),), [(milliseconds,)])
    with pytest.raises(ArffError, match="attribute 'd' holds dates that have no text"):
        write_arff(relation, io.BytesIO())


def test_a_relation_without_attributes_is_refused():
    with pytest.raises(ArffError, match="without attributes"):
        write_arff(Relation("r", (), (), np.ones(1)), io.BytesIO())


def test_many_rows_are_written_in_parts_without_a_seam():
    relation = Relation("r", (N,), (np.arange(10_000.0),), np.ones(10_000))
    assert rows_of(relation) == [str(number) for number in range(10_000)]


SMALL = Relation.from_rows("r", (N,), [(1,), (2,)])


def test_a_path_gets_the_whole_file_and_nothing_else_is_left(tmp_path):
    path = tmp_path / "out.arff"
    write_arff(SMALL, path)
    write_arff(SMALL, str(path))
    assert read_arff(path).equals(SMALL)
    assert list(tmp_path.iterdir()) == [path]


def test_a_name_with_gz_makes_a_compressed_file(tmp_path):
    path = tmp_path / "out.arff.gz"
    write_arff(SMALL, path)
    assert gzip.decompress(path.read_bytes()).startswith(b"@relation r\n")
    assert read_arff(path).equals(SMALL)


def test_an_open_file_is_written_to_and_stays_open():
    binary, text = io.BytesIO(), io.StringIO()
    write_arff(SMALL, binary)
    write_arff(SMALL, text)
    assert binary.getvalue().decode() == text.getvalue()


def test_the_mode_of_an_existing_file_is_kept(tmp_path):
    path = tmp_path / "out.arff"
    path.touch(0o600)
    write_arff(SMALL, path)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_link_stays_a_link(tmp_path):
    target, link = tmp_path / "target.arff", tmp_path / "link.arff"
    target.touch()
    link.symlink_to(target)
    write_arff(SMALL, link)
    assert link.is_symlink()
    assert read_arff(target).equals(SMALL)


def test_a_device_is_written_to_and_not_replaced():
    write_arff(SMALL, os.devnull)
    assert not Path(os.devnull).is_file()


def test_nothing_half_written_stays_when_writing_fails(tmp_path):
    path = tmp_path / "out.arff"
    path.write_text("as it was", encoding="utf-8")
    strings = Relation.from_rows("r", (Attribute("s", "string"),), [("good",), ("\udc80",)])
    with pytest.raises(ArffError, match=r"out\.arff: '\\udc80' is not a character"):
        write_arff(strings, path)
    assert path.read_text(encoding="utf-8") == "as it was"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("target", ["no/such/folder/out.arff", "."])
def test_a_place_that_cannot_be_written_to_is_named(target, tmp_path):
    with pytest.raises(ArffError, match="cannot be written") as caught:
        write_arff(SMALL, tmp_path / target)
    assert caught.value.source == str(tmp_path / target)


def test_a_full_disk_is_reported():
    class Full(io.BytesIO):
        def write(self, _data: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(ArffError, match="cannot be written: No space left on device"):
        write_arff(SMALL, Full())


def test_a_text_file_in_a_small_encoding_is_refused_what_it_cannot_hold(tmp_path):
    relation = Relation.from_rows("日本", (N,), [(1,)])
    with (
        (tmp_path / "out.arff").open("w", encoding="ascii") as file,
        pytest.raises(ArffError, match="cannot be written"),
    ):
        write_arff(relation, file)
