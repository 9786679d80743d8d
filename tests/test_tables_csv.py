"""CSV as data: what is read, which types columns get, and what is refused with its line."""

from __future__ import annotations

import gzip
import io
import sys

import numpy as np
import pytest

from widc_arff import Attribute, DataError, Relation, TableError, read_data
from widc_arff.errors import ArffError
from widc_arff.tables import read_table
from widc_arff.tables.csv_files import write_csv

DAY = 86_400_000.0


def read(text: str, form: str = "csv", **how) -> Relation:
    return read_table(io.BytesIO(text.encode()), form, **how)


def column(*cells: str, **how) -> tuple[str, tuple[str, ...], list[object]]:
    """Return type, labels and values of a column x, of a file that has an empty column too."""
    relation = read("x,y\n" + "".join(f"{cell},\n" for cell in cells), **how)
    attribute = relation.attributes[0]
    return attribute.type, attribute.values, [row[0] for row in relation.rows()]


def fault(text: str, **how) -> str:
    with pytest.raises(TableError) as caught:
        read(text, **how)
    return str(caught.value).removeprefix("<file>:")


# Types


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1", "-2.5", ".5", "1e3", "+4."], ("numeric", (), [1, -2.5, 0.5, 1000, 4])),
        (["01", "inf", "-Infinity"], ("numeric", (), [1, np.inf, -np.inf])),
        (["", "?"], ("numeric", (), [None, None])),
        (["b", "a", "b"], ("nominal", ("a", "b"), ["b", "a", "b"])),
        (["1", "x"], ("nominal", ("1", "x"), ["1", "x"])),
        (["1_000", "5d"], ("nominal", ("1_000", "5d"), ["1_000", "5d"])),
        (["None", "na", "N/A"], ("nominal", ("N/A", "None", "na"), ["None", "na", "N/A"])),
        (["True", "True"], ("nominal", ("False", "True"), ["True", "True"])),
        (["no"], ("nominal", ("no", "yes"), ["no"])),
        (["oui"], ("nominal", ("oui",), ["oui"])),
        (["1970-01-02", "1970-01-01"], ("date", (), [DAY, 0])),
        (["1970-01-02", "today"], ("nominal", ("1970-01-02", "today"), ["1970-01-02", "today"])),
        (["1970-01-01T00:01", "1970-01-01 00:00:01.5"], ("date", (), [60_000, 1500])),
        (["1970-01-01T01:00+01:00", "1970-01-01T00:00:00.0019Z"], ("date", (), [0, 1])),
        (["1970-01-01T00:00:00-0130"], ("date", (), [5_400_000])),
    ],
)
def test_a_column_is_what_its_texts_are(cells, expected):
    assert column(*cells) == expected


@pytest.mark.parametrize("word", ["", " ", '""', "?", "NA", "NaN", "nan", "null", "NULL", '" "'])
@pytest.mark.parametrize("value", ["1", "a", "1970-01-01"])
def test_these_words_are_missing_quoted_or_not(word, value):
    kind = column(value)[:2]
    assert column(word, value)[:2] == kind
    assert column(word, value)[2][0] is None


def test_blanks_around_cells_are_no_part_of_them():
    assert column("  a ", "a", "a\t")[2] == ["a", "a", "a"]


def test_dates_have_the_shortest_format_that_tells_them():
    formats = [
        read(f"d,e\n{text},\n").attributes[0].format
        for text in ("2020-02-29", "2020-02-29 12:00", "2020-02-29T12:00:00.250")
    ]
    assert formats == ["yyyy-MM-dd", "yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd'T'HH:mm:ss.SSS"]


def test_nearly_every_row_with_a_text_of_its_own_is_a_string_column():
    own = [f"k{i}" for i in range(21)]
    assert column(*own)[0] == "string"
    assert column(*own[:20])[0] == "nominal"  # 20 values are few
    assert column(*own, "k0", "k0")[0] == "string"  # 21 of 23
    assert column(*own, "k0", "k0", "k0")[0] == "nominal"  # 21 of 24 is less than nine in ten
    assert column(*own, *["?"] * 9)[2][-9:] == [None] * 9  # missing ones do not count
    assert column(*own, *["?"] * 9)[0] == "string"


def test_the_same_rows_in_another_order_give_the_same_attributes():
    first = read("a,b\nx,1\ny,2\nz,2\n", target="b")
    second = read("a,b\nz,2\nx,1\ny,2\n", target="b")
    assert first.attributes == second.attributes


# The class


def test_the_class_is_nominal_and_numbers_are_in_their_order():
    cells = ["10", "9", "9.0", "-1", "10", "9", "?", "9"]
    assert column(*cells, target="x") == (
        "nominal",
        ("-1", "9", "10"),
        ["10", "9", "9", "-1", "10", "9", None, "9"],
    )
    for target in ("x", "first", "1"):
        assert column("1", "2", target=target)[0] == "nominal"


def test_columns_can_be_taken_as_nominal():
    relation = read("a,b\n2,0.5\n10,0.5\n2,1\n", nominal=["a", "b"])
    assert [a.values for a in relation.attributes] == [("2", "10"), ("0.5", "1")]
    with pytest.raises(DataError, match=r"nominal: expected the name .*'c'"):
        read("a,b\n1,2\n", nominal=["c"])


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (["1", "2.5"], "3: column 'x': expected labels of classes, got the number 2.5: fractions"),
        ([str(i) for i in range(120)], "2: column 'x': expected a class of at most 50 distinct"),
        (["1", "2", "3", "4", "5"], "2: column 'x': expected a class of at most 2 distinct"),
        ([f"k{i}" for i in range(21)], "2: column 'x': expected a class of few labels, got a text"),
    ],
)
def test_a_class_that_is_none_is_refused(cells, message):
    text = "x,y\n" + "".join(f"{cell},\n" for cell in cells)
    assert fault(text, target="x").startswith(message)
    assert "--class NAME" in fault(text, target="x")


def test_an_unknown_class_is_refused_with_the_nearest_name():
    with pytest.raises(DataError, match="did you mean 'play'"):
        read("play,b\n1,2\n", target="plya")


# Known types: those of a model


def declared(*cells: str, **attribute) -> list[object]:
    return column(*cells, declared={"x": Attribute("x", **attribute)})[2]


def labels(*cells: str, values: tuple[str, ...]) -> list[object]:
    return declared(*cells, type="nominal", values=values)


def test_labels_match_by_text_and_then_by_the_one_number_that_is_equal():
    assert labels("0", "1", "1.0", "01", "1e0", values=("0", "1")) == ["0", "1", "1", "1", "1"]
    assert labels("1", "01", values=("1", "01")) == ["1", "01"]
    assert labels("1.0", values=("1", "01")) == ["1.0"]  # which of them? unknown
    assert labels("1", values=("1.0", "2.0")) == ["1.0"]
    assert labels("2", "x", values=("0", "1")) == ["2", "x"]


def test_unknown_labels_stand_after_the_declared_ones():
    relation = read("x,y\nz,\nb,\na,\n", declared={"x": Attribute("x", "nominal", ("b",))})
    assert relation.attributes[0].values == ("b", "a", "z")


def test_true_and_false_match_in_any_letters():
    assert labels("TRUE", "False", values=("false", "true")) == ["true", "false"]
    assert labels("TRUE", values=("true", "True")) == ["TRUE"]


def test_a_declared_label_is_no_missing_value_but_the_empty_cell_always_is():
    assert labels("NA", "?", "", "null", values=("NA", "?", "")) == ["NA", "?", None, None]


def test_numbers_and_dates_are_read_as_declared():
    assert declared("1", "?", type="numeric") == [1.0, None]
    european = {"type": "date", "format": "dd.MM.yyyy"}
    assert declared("02.01.1970", "1970-01-02", "NA", **european) == [DAY, DAY, None]
    relation = read("x,y\n?,\n", declared={"x": Attribute("x", "date", format="yyyy")})
    assert relation.attributes[0].format == "yyyy"


def test_values_of_another_type_are_named_with_their_line():
    number = {"x": Attribute("x", "numeric")}
    assert fault("x,y\n1,\n\n2x,\n", declared=number) == (
        "4: column 'x': expected a number as in training, got '2x'"
    )
    assert "decimal point, got '1,5'" in fault('x,y\n"1,5",\n', declared=number)
    date = {"x": Attribute("x", "date", format="dd.MM.yyyy")}
    assert fault("x,y\nsoon,\n", declared=date).startswith("2: column 'x': expected a date, got")


def test_other_columns_are_texts_where_they_cannot_be_typed():
    relation = read('x,y\n1,"1,5"\n', declared={"x": Attribute("x", "numeric")})
    assert relation.attributes[1].type == "string"
    assert list(relation.rows()) == [(1.0, "1,5")]


# The file


@pytest.mark.parametrize(
    "text",
    [
        "a,b c,k\n1,x y,p\n2,z,q\n",
        "a;b c;k\n1;x y;p\n2;z;q\n",
        "a\tb c\tk\n1\tx y\tp\n2\tz\tq\n",
        "\ufeffa,b c,k\r\n1,x y,p\r\n2,z,q\r\n",
        "\n\na,b c,k\n\n1,x y,p\n\n2,z,q",
        'a, "b c", "k"\n1 , "x y",p\n  \n2, z, q \n',
        '"a","b c","k"\r1,"x y",p\r2,z,q\r',
    ],
)
def test_these_files_are_the_same(text):
    relation = read(text)
    assert [a.name for a in relation.attributes] == ["a", "b c", "k"]
    assert list(relation.rows()) == [(1.0, "x y", "p"), (2.0, "z", "q")]


def test_quotes_may_hold_separators_quotes_and_line_ends():
    relation = read('a,b\n"x, ""y""\nz",1\nw,2\n')
    assert list(relation.rows()) == [('x, "y"\nz', 1.0), ("w", 2.0)]


def test_a_tab_file_is_told_by_its_ending(tmp_path):
    (tmp_path / "a.tsv").write_text("a,b\tc\n1\t2\n")
    assert [a.name for a in read_data(tmp_path / "a.tsv").attributes] == ["a,b", "c"]


def test_files_may_be_compressed_and_in_any_encoding(tmp_path):
    path = tmp_path / "Über.CSV.gz"
    path.write_bytes(gzip.compress("a,k\n1,é\n2,ü\n".encode("latin-1")))
    relation = read_data(path, "latin-1")
    assert relation.name == "Über"
    assert relation.attributes[1].values == ("é", "ü")
    with pytest.raises(ArffError, match=r"CSV.gz:2:3: byte 0xe9 .* --encoding latin-1"):
        read_data(path)


def test_a_file_without_rows_has_its_columns():
    relation = read("a,b\n", target="b")
    assert [(a.name, a.type) for a in relation.attributes] == [("a", "numeric"), ("b", "nominal")]
    assert len(relation) == 0


def test_standard_input_is_what_its_first_bytes_are(monkeypatch):
    def given(content: bytes) -> Relation:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        return read_data("-")

    arff = b"% comment\n@relation r\n@attribute a numeric\n@data\n1\n"
    assert given(arff).name == given(gzip.compress(arff)).name == "r"
    for csv in (b"a\n1\n", b"\n a;b\n1;2\n", b"\xef\xbb\xbfa,b\n1,2\n"):
        assert given(csv).name == given(gzip.compress(csv)).name == "data"
    with pytest.raises(TableError, match=r"<stdin>:3: expected 2 cells"):
        given(b"a,b\n1,2\n1\n")
    with pytest.raises(ArffError, match="premature end of file"):
        given(b"")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", " expected a header line with the names of the columns, got none"),
        ("\n \n", " expected a header line"),
        ("a,b\n1,2\n\n3\n", "4: expected 2 cells, separated by commas, got 1 cell (none for"),
        ('a;b\n"x\ny";2\n1;2;3\n', "4: expected 2 cells, separated by semicolons, got 3 cells"),
        ("a,b,a\n", "1: expected each name once in the header line, got 'a' in the columns 1, 3"),
        (
            ",a\n0,1\n",
            "1: expected a name for each column, got none for column 1 of 2; an index of",
        ),
        ("a,,b\n", "1: expected a name for each column, got none for column 2 of 3"),
        ("a,b,\n", "1: expected a name for each column, got none for column 3 of 3; does the line"),
        ("5.1,3.5,setosa\n", "1: expected a header line with the names of the columns, got the"),
        ('a,b\n1,2\n1,"x\n2,3\n', "3: expected a quote that closes the one of this row, got the"),
        ('a,b\n"x"y,2\n', "2: expected a separator or the line end after a quoted cell, got more"),
        ('a,b\n"' + "x" * 140_000 + '",2\n', "2: expected cells of at most 131,072 characters"),
        ("a;b\n1,5;x\n2;y\n", "2: column 'a': expected numbers with a decimal point, got '1,5'"),
        ('a,b\n"1,234.5",x\n', "2: column 'a': expected numbers with a decimal point, got '1,234"),
        ("a,b\n2021-01-01,\n2021-02-30,\n", "3: column 'a': expected a date, got '2021-02-30'"),
        ("a,b\n2021-01-01 24:00,\n", "2: column 'a': expected a date, got '2021-01-01 24:00'"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text, message):
    assert fault(text).startswith(message)


def test_columns_to_leave_out_are_not_looked_at():
    relation = read('a,b\n"1,5",1\n', ignore=["a"])
    assert relation.attributes[0].type == "string"


def test_declared_types_of_arff_stay_and_columns_cannot_be_named_nominal(tmp_path):
    path = tmp_path / "a.arff"
    path.write_text("@relation r\n@attribute a numeric\n@data\n1\n")
    assert read_data(path, target="a").attributes[0].type == "numeric"
    with pytest.raises(DataError, match="an ARFF file declares its types"):
        read_data(path, nominal=["a"])


def test_every_text_survives_as_label_and_name():
    texts = ['a "b"', "c,d", "e;f", "g\nh", "i\r\nj", "'", "é", "日本", "@data", "%", "a" * 1000]
    attributes = [Attribute(text, "nominal", tuple(sorted(texts))) for text in texts]
    relation = Relation.from_rows("data", attributes, [[text] * len(texts) for text in texts])
    for delimiter, form in ((",", "csv"), ("\t", "tsv")):
        file = io.StringIO()
        write_csv(relation, file, delimiter=delimiter)
        again = read(file.getvalue(), form)
        assert again.equals(relation)
