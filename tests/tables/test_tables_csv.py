"""CSV as data: what is read, which types columns get, and what is refused with its line."""

# ruff: noqa: PD011 - `values` are the labels of our attributes
from __future__ import annotations

import csv
import gzip
import io
import warnings
from contextlib import suppress
from time import process_time

import numpy as np
import pandas as pd
import pytest

from tests.reference.csv_rows import csv_rows
from widc_arff import Attribute, DataError, Relation, TableError, WidcWarning, read_data
from widc_arff.errors import ArffError
from widc_arff.tables import read_table
from widc_arff.tables.csv_files import write_csv
from widc_arff.tables.table_values import MISSING_WORDS
from widc_arff.tables.uses import TableOptions

DAY = 86_400_000.0


def read(text: str, form: str = "csv", **how) -> Relation:
    return read_table(io.BytesIO(text.encode()), form, TableOptions(**how))


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
        (["1", "inf", "-Infinity"], ("numeric", (), [1, np.inf, -np.inf])),
        (["", "?"], ("numeric", (), [None, None])),
        (["b", "a", "b"], ("nominal", ("a", "b"), ["b", "a", "b"])),
        (["1", "x"], ("nominal", ("1", "x"), ["1", "x"])),
        (["1", "2", "3+"], ("nominal", ("1", "2", "3+"), ["1", "2", "3+"])),
        (["12", "A3", "B7"], ("nominal", ("12", "A3", "B7"), ["12", "A3", "B7"])),
        (["1_000", "5d"], ("nominal", ("1_000", "5d"), ["1_000", "5d"])),
        (["none", "na", "-"], ("nominal", ("-", "na", "none"), ["none", "na", "-"])),
        (["True", "True"], ("nominal", ("False", "True"), ["True", "True"])),
        (["no"], ("nominal", ("no", "yes"), ["no"])),
        (["oui"], ("nominal", ("oui",), ["oui"])),
        (["1970-01-02", "1970-01-01"], ("date", (), [DAY, 0])),
        (["1970-01-02", "today"], ("nominal", ("1970-01-02", "today"), ["1970-01-02", "today"])),
        (["1970-01-01T00:01", "1970-01-01 00:00:01.5"], ("date", (), [60_000, 1500])),
        (["1970-01-01T01:00+01:00", "1970-01-01T00:00:00.0010Z"], ("date", (), [0, 1])),
        (["1970-01-01T00:00:00-0130"], ("date", (), [5_400_000])),
    ],
)
def test_a_column_is_what_its_texts_are(cells, expected):
    assert column(*cells) == expected


@pytest.mark.parametrize("word", [*sorted(MISSING_WORDS), " ", '""', '"N/A"', '" "'])
@pytest.mark.parametrize("value", ["1", "a", "1970-01-01"])
def test_these_words_are_missing_quoted_or_not(word, value):
    kind = column(value)[:2]
    assert column(word, value)[:2] == kind
    assert column(word, value)[2][0] is None


def test_missing_are_the_words_of_pandas_and_the_question_mark():
    words = sorted(MISSING_WORDS - {"?"})
    frame = pd.read_csv(io.StringIO("x,y\n" + "".join(f"{word},1\n" for word in words)))
    assert frame["x"].isna().all()
    others = ["none", "na", "n.a.", "-", ".", "NIL", "missing", "Null"]
    frame = pd.read_csv(io.StringIO("x,y\n" + "".join(f"{word},1\n" for word in others)))
    assert not frame["x"].isna().any()
    assert None not in column(*others)[2]


NUMBERS = [str(i) for i in range(21)]


@pytest.mark.parametrize("n_rows", [1, 5, 40])
@pytest.mark.parametrize("word", ["unknown", "-", "N.V.", "9+"])
def test_one_other_text_among_many_numbers_is_refused_whatever_its_share(word, n_rows):
    text = "x,y\n" + "".join(f"{cell},\n" for cell in [*NUMBERS, *[word] * n_rows])
    assert fault(text).startswith(
        f"23: column 'x': expected a number as in 21 of {21 + n_rows} rows, got {word!r}; write ?"
    )


@pytest.mark.parametrize(
    ("cells", "refused"),
    [
        ([*NUMBERS, "unknown", "refused"], True),  # ten numbers for each word
        ([*NUMBERS, *["a", "b", "c"] * 2], False),  # 21 are fewer than ten for each of three
        ([*NUMBERS * 3, "a", "b", "c"], True),  # nine rows in ten hold numbers
        ([*NUMBERS[:20] * 2, "-", "-"], False),  # twenty numbers may be names
        (["0.5", "2", "-"], True),  # fractions are measured, however few
        (["2", "3", "4", "5more"], False),
        ([f"2020-01-{day:02d}" for day in range(1, 22)] + ["never"] * 9, True),
        (["2020-01-01", "2020-01-02", "never"], False),
        (['"0,5"', *NUMBERS, "-"], True),  # a number with a comma, and a stray text
    ],
)
def test_the_border_between_stray_texts_and_labels(cells, refused):
    text = "x,y\n" + "".join(f"{cell},\n" for cell in cells)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if refused:
            assert "column 'x': expected " in fault(text)
        else:
            assert read(text).attributes[0].type == "nominal"


def test_a_single_word_among_few_numbers_is_told():
    with pytest.warns(WidcWarning, match=r"<file>:4: column 'x': 'unknown' among 2 numbers turns"):
        assert column("1", "2", "unknown")[0] == "nominal"
    assert column("1", "2", "unknown", nominal=["x"])[0] == "nominal"  # confirmed


def test_spellings_of_a_truth_value_are_one_label_and_told():
    with pytest.warns(WidcWarning, match=r"'TRUE', 'false', 'true' .* labels 'False' and 'True'"):
        assert column("TRUE", "true", "false") == ("nominal", ("False", "True"), [
            "True", "True", "False",
        ])  # fmt: skip
    with pytest.warns(WidcWarning, match="labels 'No' and 'Yes'"):
        assert column("yes", "Yes", "NO", target="x")[1] == ("No", "Yes")
    assert column("TRUE", "FALSE")[1] == ("FALSE", "TRUE")
    assert column("Yes", "yes", "maybe")[1] == ("Yes", "maybe", "yes")


@pytest.mark.parametrize(
    ("text", "held", "told"),
    [
        ("9007199254740993", 2.0**53, "nearest number of 53 bits, 9007199254740992"),
        ("-12345678901234567.89", -12345678901234568.0, "nearest number of 53 bits"),
        ("9" * 5000, np.inf, "beyond the largest number"),
        ("1e400", np.inf, "beyond the largest number"),
        ("1e-400", 0.0, "read as 0"),
        ("007", 7.0, "'007' is read as the number 7;"),
    ],
)
def test_a_number_that_is_not_held_as_it_is_written_is_told(text, held, told):
    with pytest.warns(WidcWarning, match=rf"<file>:3: column 'x': .*{told}.*--nominal 'x'"):
        assert column("1", text)[2] == [1.0, held]


@pytest.mark.parametrize("text", ["9007199254740992", "1152921504606846976", "0.10000000000000001"])
def test_a_number_that_is_held_is_not_told(text):
    assert column(text, "1e23", "0.5", "0")[2][0] == float(text)


def test_times_finer_than_milliseconds_are_told():
    with pytest.warns(WidcWarning, match=r"times are kept to the millisecond, '.*0019Z' is cut"):
        assert column("1970-01-01T00:00:00.0019Z")[2] == [1]


@pytest.mark.parametrize(
    "digits", ["1" * 100_000 + "x", "1," * 50_000 + "x", "0" * 100_000, "1." * 50_000, "." * 10**5]
)
def test_long_cells_of_digits_are_read_in_linear_time(digits):
    for decimal in (".", ","):  # one second holds 10^5 characters, not their square
        start = process_time()
        with suppress(TableError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read(f'x,y\n"{digits}",\n1,\n', decimal=decimal)
        assert process_time() - start < 1


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
    cells = ["10", "9", "-1", "10", "9", "?", "9"]
    assert column(*cells, target="x") == (
        "nominal",
        ("-1", "9", "10"),
        ["10", "9", "-1", "10", "9", None, "9"],
    )
    for target in ("x", "first", "1"):
        assert column("1", "2", target=target)[0] == "nominal"


def test_a_label_is_its_text():
    codes = ["007", "7", "0100", "1E2", "100"]
    told = r"<file>:3: column 'x': '007' and '7' are two labels, although they are one number"
    with pytest.warns(WidcWarning, match=told):
        assert column(*codes, nominal=["x"]) == (
            "nominal",
            ("7", "007", "100", "1E2", "0100"),
            codes,
        )
    with pytest.warns(WidcWarning, match="'01' and '1'"):
        assert column(*["01", "1"] * 9, target="x")[1] == ("1", "01")
    ids = ["9007199254740993", "9007199254740992"]
    assert column(*ids, nominal=["x"]) == ("nominal", tuple(ids[::-1]), ids)
    assert column(*ids * 3, target="x")[1] == tuple(ids[::-1])


def test_columns_can_be_taken_as_nominal():
    relation = read("a,b\n2,0.5\n10,0.5\n2,1\n", nominal=["a", "b"])
    assert [a.values for a in relation.attributes] == [("2", "10"), ("0.5", "1")]
    with pytest.raises(DataError, match=r"nominal: expected the name .*'c'"):
        read("a,b\n1,2\n", nominal=["c"])


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (["1", "2.5"], "3: column 'x': expected class labels, got the number 2.5: fractions"),
        ([str(i) for i in range(120)], "2: column 'x': expected a class of at most 50 distinct"),
        (["1", "2", "3", "4", "5"], "2: column 'x': expected a class of at most 2 distinct"),
        ([f"k{i}" for i in range(21)], "2: column 'x': expected a class of few labels, got a"),
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


def test_labels_of_one_double_are_not_confused():
    ids = ("9007199254740993", "9007199254740992")
    assert labels(*ids, "9007199254740994", values=ids) == [*ids, "9007199254740994"]
    assert labels("9007199254740992.0", values=ids) == ["9007199254740992.0"]  # unknown
    assert labels("9007199254740992.0", values=ids[:1]) == ["9007199254740992.0"]
    assert labels("9007199254740992.0", values=ids[1:]) == [ids[1]]


def test_unknown_labels_stand_after_the_declared_ones():
    relation = read("x,y\nz,\nb,\na,\n", declared={"x": Attribute("x", "nominal", ("b",))})
    assert relation.attributes[0].values == ("b", "a", "z")


def test_true_and_false_match_in_any_letters():
    assert labels("TRUE", "False", values=("false", "true")) == ["true", "false"]
    assert labels("TRUE", values=("true", "True")) == ["TRUE"]
    assert labels("YES", "no", values=("No", "Yes")) == ["Yes", "No"]


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
    assert "in one way only, got '1,234', which" in fault('x,y\n"1,234",\n', declared=number)
    date = {"x": Attribute("x", "date", format="dd.MM.yyyy")}
    assert fault("x,y\nsoon,\n", declared=date).startswith("2: column 'x': expected a date, got")


def test_other_columns_are_texts_where_they_cannot_be_typed():
    relation = read('x,y\n1,"1,5"\n', declared={"x": Attribute("x", "numeric")})
    assert relation.attributes[1].type == "string"
    assert list(relation.rows()) == [(1.0, "1,5")]


def test_other_columns_stay_texts_where_numbers_or_times_lose_some():
    cells = ("9007199254740993,007,1970-01-01T00:00:00.00001,1", "2,1,1970-01-02,2.5")
    relation = read("id,code,t,n\n" + "\n".join(cells), declared={})
    assert [a.type for a in relation.attributes] == ["string", "string", "string", "numeric"]
    assert [row[:3] for row in relation.rows()] == [tuple(c.split(",")[:3]) for c in cells]


# Decimal commas


def test_numbers_with_decimal_commas():
    text = "a;b;d\n1,5;-,25;2020-12-31\n-2;3e1;2020-12-30\n?;N/A;2020-12-30\n"
    relation = read(text, decimal=",")
    assert [a.type for a in relation.attributes] == ["numeric", "numeric", "date"]
    assert [row[:2] for row in relation.rows()] == [(1.5, -0.25), (-2, 30), (None, None)]
    for other in (text.replace(";", "\t"), '"a","b"\n"1,5","-,25"\n'):
        assert next(read(other, decimal=",").rows())[:2] == (1.5, -0.25)
    assert len(read("x, y;z\n1,5;2\n", decimal=",").attributes) == 2  # the semicolon goes first


def test_labels_with_decimal_commas_match_those_with_points():
    relation = read("x;y\n0,5;\n1,0;\n", decimal=",", nominal=["x"])
    assert relation.attributes[0].values == ("0,5", "1,0")
    known = {"x": Attribute("x", "nominal", ("0.5", "1"))}
    relation = read("x;y\n0,5;\n1,0;\n", decimal=",", declared=known)
    assert [row[0] for row in relation.rows()] == ["0.5", "1"]


def test_points_that_are_no_thousands_beside_decimal_commas_are_refused():
    message = fault("x;y\n1,5;\n1.5;\n", decimal=",")
    assert message.startswith("3: column 'x': expected numbers with a decimal comma, got '1.5'")


def test_decimal_commas_are_for_csv(tmp_path):
    (tmp_path / "a.arff").write_text("@relation r\n@attribute a numeric\n@data\n1\n")
    with pytest.raises(DataError, match="decimal: expected CSV with it, got"):
        read_data(tmp_path / "a.arff", decimal=",")


# The file


@pytest.mark.parametrize("mark", [";", ",", "|", "\t", "^"])
@pytest.mark.parametrize("line", ["sep={}", "SEP={}", "\ufeffsep={}"])
def test_the_separator_that_excel_obeys_is_obeyed(line, mark):
    rows = [["size", "kind, all"], ["1", "a"], ["2", "b"]]
    text = "\r\n".join([line.format(mark), *(mark.join(f'"{c}"' for c in row) for row in rows)])
    relation = read(text)
    assert [a.name for a in relation.attributes] == rows[0]
    assert list(relation.rows()) == [(1.0, "a"), (2.0, "b")]
    assert fault(text + "\r\n3").startswith("5: expected 2 cells, separated by ")


def test_a_separator_that_can_be_none_is_refused():
    assert fault("sep=x\naxb\n") == "1: expected a separator such as ; after sep=, got 'x'"


def test_cells_have_any_length():
    limit = csv.field_size_limit()
    text = "w " * 100_000
    assert column(text, "z")[2] == [text.strip(), "z"]
    assert csv.field_size_limit() == limit  # of the process


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_wide_characters_without_a_mark_are_named(encoding, form):
    content = "größe\tk\n1\ta\n2\tb\n".encode(encoding)
    for named in ("utf-8", "latin-1", "cp1252"):
        with pytest.raises(ArffError, match=f"--encoding {encoding}$"):
            read_table(io.BytesIO(content), form, TableOptions(named))
    assert len(read_table(io.BytesIO(content), form, TableOptions(encoding))) == 2


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


def test_standard_input_is_what_its_first_bytes_are(stdin):
    def given(content: bytes) -> Relation:
        stdin(content)
        return read_data("-")

    arff = b"% comment\n@relation r\n@attribute a numeric\n@data\n1\n"
    assert given(arff).name == given(gzip.compress(arff)).name == "r"
    for text in (b"a\n1\n", b"\n a;b\n1;2\n", b"\xef\xbb\xbfa,b\n1,2\n"):
        assert given(text).name == given(gzip.compress(text)).name == "data"
    with pytest.raises(TableError, match=r"<stdin>:3: expected 2 cells"):
        given(b"a,b\n1,2\n1\n")
    with pytest.raises(ArffError, match="premature end of file"):
        given(b"")
    with pytest.raises(TableError, match=r"<stdin>: expected data .*, got a model file"):
        given(b'{"format": "widc-arff/committee", "version": 3}')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", " expected a header line with the names of the columns, got none"),
        ("\n \n", " expected a header line"),
        ("a,b\n1,2\n\n3\n", "4: expected 2 cells, separated by commas, got 1 cell (none for"),
        ('a;b\n"x\ny";2\n1;2;3\n', "4: expected 2 cells, separated by semicolons, got 3 cells"),
        ("a,b,a\n", "1: expected each name once in the header line, got 'a' in the columns 1, 3"),
        ("5.1,3.5,setosa\n", "1: expected a header line with the names of the columns, got the"),
        ('a,b\n1,2\n1,"x\n2,3\n', "3: expected a closing quote for the one opened in this row"),
        ('a,b\n"x"y,2\n', "2: expected a separator or the line end after a quoted cell, got more"),
        (
            'a,b\n"1,234",x\n',
            "2: column 'a': expected numbers that can be read in one way only, got '1,",
        ),
        ("a,b\n2021-01-01,\n2021-02-30,\n", "3: column 'a': expected a date, got '2021-02-30'"),
        ("a,b\n2021-01-01 24:00,\n", "2: column 'a': expected a date, got '2021-01-01 24:00'"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text, message):
    assert fault(text).startswith(message)


@pytest.mark.filterwarnings("ignore:.*1 column without a name left out")
def test_a_first_row_with_a_separator_too_many_is_told_where_others_have_no_row_names():
    told = fault("a,b\n1,2,3\n4,5\n")
    assert told.startswith(
        "3: expected 3 cells, separated by commas, got 2 cells, as many as names"
    )
    assert "line 2 has one more, as in files with row names" in told


def test_columns_to_leave_out_are_not_looked_at():
    relation = read('a,b\n"1,5",1\n', ignore=["a"])
    assert relation.attributes[0].type == "string"


def test_columns_can_be_read_as_texts():
    relation = read("a,b\n007,1\n?,2\n", texts=["a"])
    assert list(relation.rows()) == [("007", 1), (None, 2)]


def test_declared_types_of_arff_stay(tmp_path):
    path = tmp_path / "a.arff"
    path.write_text("@relation r\n@attribute a numeric\n@data\n1\n")
    assert read_data(path, target="a").attributes[0].type == "numeric"


def test_every_text_survives_as_label_and_name():
    texts = [
        "sep=|",
        'a "b"',
        "c,d",
        "a;b;c;d;e;f;g",
        "e;f",
        "g\nh",
        "i\r\nj",
        "'",
        "''",
        "'a'",
        "é",
        "日本",
        "@data",
        "%",
        "a" * 1000,
    ]
    attributes = [Attribute(text, "nominal", tuple(sorted(texts))) for text in texts]
    relation = Relation.from_rows("data", attributes, [[text] * len(texts) for text in texts])
    for delimiter, form in ((",", "csv"), ("\t", "tsv")):
        file = io.StringIO()
        write_csv(relation, file, delimiter=delimiter)
        again = read(file.getvalue(), form)
        assert again.equals(relation)


@pytest.mark.parametrize("delimiter", [",", "\t"])
@pytest.mark.parametrize("which", [range(4), [0], [1], [2], [3], []])
def test_rows_are_those_of_the_csv_module(delimiter, which):
    texts = ("", "a", 'b"', "c,", "d\t", "e\nf", "g\rh", "i\r\n", " j ", "'", "k l", "\ufeff", "é")
    numbers = (0.0, -0.0, 1.0, 0.1, 1e300, 2.0**53, 2.0**53 - 1, -7.0, np.nan, np.inf, 5e-324, 1e22)
    attributes = (
        Attribute("label", "nominal", texts),
        Attribute("text", "string"),
        Attribute("number", "numeric"),
        Attribute("day", "date", format="d, 'of' MMM \"yyyy\""),
    )
    rng = np.random.default_rng(1)
    n = 200
    columns = (
        rng.integers(-1, len(texts), n),
        np.array([(*texts, None)[k] for k in rng.integers(0, len(texts) + 1, n)], object),
        rng.choice(np.array(numbers), n),
        rng.choice(np.array([0.0, DAY, np.nan, -1e12]), n),
    )
    table = Relation(
        "r", tuple(attributes[i] for i in which), tuple(columns[i] for i in which), np.ones(n)
    )
    file = io.StringIO()
    write_csv(table, file, delimiter=delimiter)
    assert file.getvalue().partition("\n")[2] == csv_rows(table, delimiter)


@pytest.mark.parametrize(
    "name", ["a;b", "a\tb", "sep=;", "sep=|", "a,b", "\ufeff", "\ufeffa", "''", "'a'"]
)
def test_a_single_column_of_any_name_is_read_back(name):
    relation = Relation.from_rows("data", [Attribute(name, "numeric")], [(1.0,)])
    file = io.StringIO()
    write_csv(relation, file)
    assert read(file.getvalue()).equals(relation)
