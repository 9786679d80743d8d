"""Files as people have them: packed, with row names, without a header, quoted singly, weighted."""

# ruff: noqa: PD011 - `values` are the labels of our attributes
from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import openpyxl
import pandas as pd
import pytest
from pyarrow import orc

from widc_arff import read_data
from widc_arff.tables import data_pieces
from widc_arff.tables.uses import TableOptions

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS = [(i, "ab"[i % 2], "yes" if i > 19 else "no") for i in range(40)]
TEXT = "size,kind,big\n" + "".join(f"{i},{kind},{big}\n" for i, kind, big in ROWS)
RULES = "size > 19.5"


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(TEXT)


def arff(text: str = TEXT) -> str:
    head = "@relation t\n@attribute size numeric\n@attribute kind string\n"
    return head + "@attribute big {no,yes}\n@data\n" + text.partition("\n")[2]


def zipped(content: bytes, *names: str) -> bytes:
    with zipfile.ZipFile("made.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.mkdir("folder") if hasattr(archive, "mkdir") else None
        for name in names:
            archive.writestr(name, content)
    return Path("made.zip").read_bytes()


PACKED: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zip": lambda content: zipped(content, "inside.txt", "__MACOSX/._inside.txt"),
}


@pytest.mark.parametrize("ending", PACKED)
def test_packed_files_are_read_as_they_were(run, ending):
    plain = run("train", "t.csv", "--model", "-")[1]
    Path(f"t.csv{ending}").write_bytes(PACKED[ending](TEXT.encode()))
    Path(f"t.arff{ending}").write_bytes(PACKED[ending](arff().encode()))
    assert run("train", f"t.csv{ending}", "--model", "-")[1] == plain
    assert RULES in run("train", f"t.arff{ending}", "--ignore", "kind")[1]
    two = PACKED[ending](TEXT.encode()[:100]) + PACKED[ending](TEXT.encode()[100:])
    if ending != ".zip":  # members one after the other
        Path(f"t.csv{ending}").write_bytes(two)
        assert run("train", f"t.csv{ending}", "--model", "-")[1] == plain


@pytest.mark.parametrize("ending", [".txt", ".tab", ".data", ".DAT", ".data.gz"])
def test_files_of_any_text_are_what_their_first_bytes_are(run, ending):
    plain = run("train", "t.csv", "--model", "-")[1]
    pack = PACKED[".gz"] if ending.endswith(".gz") else bytes
    for text in (TEXT, TEXT.replace(",", "\t"), "\ufeff" + TEXT.replace(",", ";")):
        Path(f"t{ending}").write_bytes(pack(text.encode()))
        assert run("train", f"t{ending}", "--model", "-")[1] == plain
    Path(f"t{ending}").write_bytes(pack(b"% a remark\n" + arff().encode()))
    assert RULES in run("train", f"t{ending}", "--ignore", "kind")[1]
    assert "there is no such file" in run("train", f"none{ending}")[2]


@pytest.mark.parametrize("ending", ["", " ", "  "])
@pytest.mark.parametrize("start", ["", "  "])
def test_blanks_alone_may_separate_cells(run, start, ending):
    plain = run("train", "t.csv", "--model", "-")[1]
    lines = [[f"{cell:>5}" for cell in line.split(",")] for line in TEXT.splitlines()]
    text = "".join(f"{start}{' '.join(line)}{ending}\n" for line in lines)
    for name in ("t.csv", "t.dat"):
        Path(name).write_text(text)
        assert run("train", name, "--model", "-")[1] == plain
    head, _, rest = text.partition("\n")
    named = "".join(f"r{i}  {line}\n" for i, line in enumerate(rest.splitlines()))
    Path("t.csv").write_text(f"{head}\n{named}")  # R's write.table without quotes
    status, out, err = run("train", "t.csv", "--model", "-")
    assert (status, out) == (0, plain), err
    assert "1 column without a name left out" in err
    Path("t.csv").write_text(rest)
    assert RULES.replace("size", "x1") in run("train", "t.csv", "--no-header", "--ignore", "2")[1]


@pytest.mark.parametrize(
    "text", ["full name\nAda Lovelace\nAlan\n", "full name\n", "name\nAda\n", "a b\n1 2\n3 4 5\n"]
)
def test_blanks_in_one_column_separate_nothing(run, text):
    Path("t.csv").write_text(text)
    status, _, err = run("describe", "t.csv")
    assert (status, "expected cells between commas, semicolons or tabs" in err) == (
        (0, False) if text.startswith("name") else (1, True)
    ), err


def test_standard_input_may_be_one_large_block_of_bzip2(run, stdin):
    numbers = np.random.default_rng(1).random(10_000).tolist()
    text = "a,b\n" + "".join(f"{number},{'xy'[number > 0.5]}\n" for number in numbers)
    packed = bz2.compress(text.encode())
    assert len(packed) > 1 << 16
    stdin(packed)
    status, out, _ = run("describe", "-")
    assert (status, "10,000" in out) == (0, True)


@pytest.mark.parametrize("ending", PACKED)
def test_damaged_packed_files_are_named(run, ending):
    packed = PACKED[ending](TEXT.encode() * 50)
    for damaged in (packed[:-30], packed[:60] + b"damaged" + packed[67:]):
        Path(f"t.csv{ending}").write_bytes(damaged)
        status, _, err = run("train", f"t.csv{ending}")
        assert (status, "damaged " in err) == (1, True), err


def test_a_zip_archive_holds_one_file(run):
    Path("t.csv.zip").write_bytes(zipped(b"x", "a.csv", "b.csv"))
    status, _, err = run("train", "t.csv.zip")
    assert status == 1
    assert "expected one file in a zip archive, got 2 ('a.csv', 'b.csv')" in err


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"(\xb5/\xfd....", "zstd"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "old Excel file"),
        (b"X\n\0\0\0\x03", ".rds"),
        (gzip.compress(b"RDX3\nX\n", mtime=0), "R workspace"),
        (b"\x80\x04\x95\x10", ".pkl"),
        (b"\x89HDF\r\n", "HDF5"),
        (b"$FL2@(#) SPSS", ".sav"),
        (b"<stata_dta>", ".dta"),
        (b"SQLite format 3\0", "SQLite"),
        (b"PAR1\x15", "give it a name that ends in .parquet"),
    ],
)
def test_files_of_other_programs_are_named(run, head, name):
    for file in ("t.csv", "t.arff"):
        Path(file).write_bytes(head + b"\0" * 100)
        status, _, err = run("train", file)
        assert (status, name in err, "latin-1" in err) == (1, True, False), err


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_row_names_of_r_and_pandas_are_left_out(run, end):
    plain = run("train", "t.csv", "--model", "-")[1]
    lines = TEXT.splitlines()
    named = [f'"{i}",{line}' for i, line in enumerate(lines[1:], start=1)]
    quoted = '"size" "kind" "big"'
    forms = {
        "write.csv": ['"",' + lines[0], *named],
        "to_csv": ["," + lines[0], *named],
        "to_csv twice": ["Unnamed: 0," + lines[0], *named],
        "write.table": [quoted, *(line.replace(",", " ") for line in named)],
        "write.table, sep": [lines[0], *named],
        "trailing separators": [f"{line},," for line in lines],
    }
    for name, text in forms.items():
        Path("t.csv").write_text(end.join(text) + end, newline="")
        status, out, err = run("train", "t.csv", "--model", "-")
        assert (status, out) == (0, plain), name
        assert "left out" in err, name
        if "separators" not in name:
            assert "left out" not in run("predict", write(plain), "t.csv")[2]


def write(model: str) -> str:
    Path("m.json").write_text(model)
    return "m.json"


def test_a_table_of_row_names_alone_is_refused(run):
    Path("t.csv").write_text('""\n"1"\n')
    assert run("train", "t.csv")[0] == 1


def test_a_missing_header_is_named_and_can_be_left_out(run):
    body = TEXT.partition("\n")[2]
    Path("pixels.csv").write_text("".join(",".join(["0"] * 60) + f",{i % 3}\n" for i in range(9)))
    status, _, err = run("train", "pixels.csv")
    assert (status, len(err) < 250) == (1, True)
    assert "expected a header line with the names of the columns, got the number 0; --no-h" in err
    Path("t.csv").write_text(body)
    assert run("train", "t.csv", "--no-header", "--model", "m.json")[0] == 0
    out = run("show", "m.json")[1]
    assert "x1 > 19.5" in out
    assert run("predict", "m.json", "t.csv", "--no-header")[1].count("\n") == 41
    assert "x2" not in run("train", "t.csv", "--no-header", "--class", "3", "--ignore", "2")[2]
    assert "x1 > 19.5" in run("train", "t.csv", "--no-header", "--ignore", "2")[1]


def test_single_quotes_as_weka_writes_them(run):
    lines = ["'the size',kind,'is big'"]
    lines += [f"{i},'{kind}, it\\'s',{big}" for i, kind, big in ROWS]
    Path("t.csv").write_text("\n".join(lines) + "\n")
    relation = read_data("t.csv")
    assert [a.name for a in relation.attributes] == ["the size", "kind", "is big"]
    assert relation.attributes[1].values == ("a, it's", "b, it's")
    Path("t.csv").write_text("who,k\nO'Brien,a\nD'Arcy,b\n'tis,a\n")  # no quotes, but letters
    assert read_data("t.csv").attributes[0].values == ("'tis", "D'Arcy", "O'Brien")


@pytest.mark.parametrize("form", ["csv", "arff", "parquet"])
def test_a_column_of_weights(run, form):
    text = TEXT.replace("\n", ",w\n", 1)
    text = text.replace("no\n", "no,3\n").replace("yes\n", "yes,1\n")
    Path("w.csv").write_text(text)
    if form != "csv":
        assert run("convert", "w.csv", f"w.{form}", "--class", "big")[0] == 0
    settings = ["--weights", "w", "--class", "big"]
    status, out, _ = run("train", f"w.{form}", *settings, "--model", "m.json")
    assert (status, "w >" in out) == (0, False)
    assert '"weights": [60.0, 20.0]' in Path("m.json").read_text()
    assert run("evaluate", f"w.{form}", *settings)[0] == 0
    assert "w" not in run("describe", f"w.{form}", *settings)[1].split("size")[0].split()


@pytest.mark.parametrize("weight", ["-1", "inf", "", "heavy"])
def test_weights_that_are_none_are_refused(run, weight):
    Path("w.csv").write_text(TEXT.replace("\n", ",w\n", 1).replace("s\n", "s,1\n").replace(
        "no\n", f"no,{weight}\n"))  # fmt: skip
    status, _, err = run("train", "w.csv", "--weights", "w", "--class", "big")
    assert (status, "eights" in err or "'w'" in err) == (1, True), err


@pytest.mark.parametrize("form", ["csv", "arff", "parquet"])
def test_a_weight_that_is_none_is_told_with_its_place(run, form):
    Path("w.csv").write_text('x,w,c\n"a\nb",1,y\nb,-1,n\n')
    if form != "csv":
        assert run("convert", "w.csv", f"w.{form}", "--class", "c")[0] == 0
    _, _, err = run("train", f"w.{form}", "--weights", "w", "--class", "c")
    place = "w.csv:4:" if form == "csv" else f"w.{form}: row 2,"  # a line end stands in row 1
    message = "column 'w': expected a number of 0 or more as a weight, got -1"
    assert err == f"widc-arff: {place} {message}\n"


def test_weights_of_a_test_file_count(run):
    rows = "3,a,1\n4,a,1\n7,b,1\n8,b,1\n"
    Path("train.csv").write_text(f"x,class,w\n{rows * 5}")
    Path("test.csv").write_text(f"x,class,w\n{rows}9,a,4\n")
    settings = ["--class", "class", "--weights", "w"]
    status, out, _ = run("evaluate", "train.csv", "--test", "test.csv", *settings)
    assert status == 0
    assert "error                 50.0 %" in out
    Path("test.csv").write_text("x,class\n1,a\n")
    status, _, err = run("evaluate", "train.csv", "--test", "test.csv", *settings)
    assert (status, "test.csv" in err, "'w'" in err) == (1, True, True)


def test_texts_and_numbers_of_arff_become_labels(run):
    Path("t.arff").write_text(arff())
    status, _, err = run("train", "t.arff")
    assert (status, "or take texts as labels with --nominal NAME" in err) == (1, True)
    options = ["--nominal", "kind", "--nominal", "size"]
    out = run("describe", "t.arff", *options)[1]
    assert "string" not in out
    assert (
        run("train", "t.arff", "--nominal", "kind", "--class", "kind", "--model", "m.json")[0] == 0
    )
    status, out, err = run("predict", "m.json", "t.arff")  # where kind is a string
    assert (status, out.count("\n"), err) == (0, 41, "")
    assert run("predict", "m.json", "t.csv")[1].splitlines()[1:] == out.splitlines()[1:]


def test_a_string_attribute_without_any_text_does_not_stop_training(run):
    Path("t.arff").write_text(arff(TEXT.replace(",a,", ",?,").replace(",b,", ",?,")))
    status, out, _ = run("train", "t.arff")
    assert (status, RULES in out) == (0, True)


def test_numbers_of_arff_beyond_the_largest_are_told(run):
    for number, told in [("1e400", True), ("-" + "9" * 400, True), ("Infinity", False)]:
        Path("t.arff").write_text(arff(TEXT.replace("39,", f"{number},")))
        status, _, err = run("train", "t.arff", "--ignore", "kind")
        assert (status, "beyond the largest number, 1.8e308: read as infinite" in err) == (0, told)
        assert not told or "attribute 'size'" in err


def test_excel_feather_and_orc_are_read_as_csv_and_parquet_are(run):
    frame = pd.read_csv("t.csv")
    frame["day"] = pd.date_range("2020-01-30", periods=40)
    frame.loc[3, "size"] = None
    frame.to_csv("t.csv", index=False)
    frame.to_parquet("t.parquet")
    frame.to_feather("t.feather")
    frame.to_excel("t.xlsx", index=False)
    frame.to_excel("named.xlsx")  # with the names of rows
    table = read_data("t.parquet")
    assert read_data("t.csv", target="big").has_same_rows(table)
    for name in ("t.feather", "t.xlsx"):
        assert read_data(name, target="big").has_same_rows(table), name
    assert len(read_data("t.xlsx").attributes) == 4
    status, out, err = run("train", "named.xlsx", "--class", "big")
    assert (status, RULES in out) == (0, True)
    assert "1 column without a name left out" in err
    orc.write_table(pd_table(frame.drop(columns="day")), "t.orc")
    assert run("train", "t.orc", "--class", "big", "--model", "m.json")[0] == 0
    predicted = [run("predict", "m.json", name)[1] for name in ("t.orc", "t.xlsx", "t.feather")]
    assert len(set(predicted)) == 1


def pd_table(frame: pd.DataFrame):
    import pyarrow as pa

    return pa.Table.from_pandas(frame, preserve_index=False)


def test_what_is_wrong_in_an_excel_file_is_named_with_its_row(run):
    book = openpyxl.Workbook()
    for row in [[], ["x", "k"], *([i, "ab"[i % 2]] for i in range(30)), [], ["none", "a"]]:
        book.active.append(row)
    book.save("t.xlsx")
    status, _, err = run("train", "t.xlsx")
    assert (status, "t.xlsx:34: column 'x': expected a number as in 30 of 31" in err) == (1, True)
    Path("t.xlsx").write_bytes(Path("t.xlsx").read_bytes()[:500])
    status, _, err = run("train", "t.xlsx")
    assert (status, "t.xlsx: expected an Excel file (.xlsx) that is whole" in err) == (1, True)
    Path("t.feather").write_bytes(b"none")
    assert "t.feather: expected a Feather file" in run("train", "t.feather")[2]


@pytest.mark.parametrize("form", ["arff", "csv", "parquet"])
def test_what_a_model_does_not_use_takes_no_memory_in_new_data(run, form):
    assert run("train", "t.csv", "--model", "m.json")[0] == 0
    assert run("convert", "t.csv", f"new.{form}", "--class", "big")[0] in (0, 2)
    name = "t.csv" if form == "csv" else f"new.{form}"
    (relation,) = data_pieces(name, TableOptions(declared={}, used={"size", "big"}))
    assert [column.strides == (0,) for column in relation.columns] == [False, True, False]
    assert run("predict", "m.json", name) == run("predict", "m.json", "t.csv")
    kept = run("predict", "m.json", name, "--keep", "kind")[1].splitlines()
    assert kept[1].startswith("1,a,no,no,")


@pytest.mark.parametrize("name", ["ORC", "PAR1", "ARROW1", "RDX", "RDA3", "BZ", "PK"])
def test_the_name_of_a_column_is_no_mark_of_another_format(run, name):
    Path("t.csv").write_text(TEXT.replace("size", name, 1))
    status, out, _ = run("train", "t.csv")
    assert (status, f"{name} > 19.5" in out) == (0, True)
