"""CSV and Parquet on the command line: train to predict, and convert."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.weka.installation import JVM_OPTIONS, java, weka_jar
from widc_arff import Dataset, Options, Relation, read_arff, read_data, write_data
from widc_arff.evaluation.cross_validation import Folding, cross_validate
from widc_arff.tables import read_table, write_to
from widc_arff.tables.uses import TableOptions

DATA = Path(__file__).parents[2] / "arff_data"
FILES = sorted(DATA.glob("*.arff"))
SHOP = """id,colour,price,sold,kind
a1,red,1.5,2021-01-01,3
a2,blue,,2021-01-02,7
a3,"light, green",3,2021-01-03,7
"""
TYPES = """  numeric: price
  nominal: id (3 values), colour (3 values)
  date: sold
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("shop.csv").write_text(SHOP, encoding="utf-8")
    return Path(tmp_path)


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def in_form(relation: Relation, form: str) -> io.BytesIO:
    file = io.BytesIO()
    write_to(relation, file, form)
    file.seek(0)
    return file


# Commands


def test_train_shows_the_types_it_found(run):
    status, out, err = run("train", "shop.csv")
    assert status == 0
    assert "Decision committee for kind" in out
    assert err.startswith("shop.csv: 3 rows\n" + TYPES + "  class: kind (3, 7)\n")
    for target in (["--target", "colour"], ["--class", "2"]):
        _, out, err = run("train", "shop.csv", *target, "--ignore", "id")
        assert "Decision committee for colour" in out
        assert "  class: colour (blue, light, green, red)\n" in err
        assert "id, " not in err


def test_target_is_the_same_as_class_for_arff_too(run):
    path = str(DATA / "weather-numeric.arff")
    first = run("train", path, "--target", "outlook", "--pruning", "none")
    assert first == run("train", path, "--class", "outlook", "--pruning", "none")
    assert first[2] == ""


def test_identifiers_are_refused_with_what_to_do(run, folder):
    rows = "".join(f"customer {i},{i % 3},{'ab'[i % 2]}\n" for i in range(40))
    (folder / "c.csv").write_text("name,n,k\n" + rows)
    status, _, err = run("train", "c.csv")
    assert status == 1
    assert "  a different text in nearly every row: name\n" in err
    assert "leave it out with --ignore 'name'" in err
    assert run("train", "c.csv", "--ignore", "name")[0] == 0
    assert run("train", "c.csv", "--target", "name")[0] == 1


def test_numbers_can_be_categories(run, folder):
    (folder / "n.csv").write_text("code,k\n" + "1,a\n2,b\n3,a\n" * 9)
    _, out, _ = run("train", "n.csv", "--nominal", "code", "--pruning", "none")
    assert "code = 2" in out or "code != 2" in out
    status, _, err = run("train", "n.csv", "--nominal", "cod")
    assert (status, "did you mean 'code'?" in err) == (1, True)
    assert run("train", str(DATA / "iris.arff"), "--nominal", "code")[0] == 1


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_predictions_are_the_same_in_every_form(path, run):
    """The schema is the model's: labels that look like numbers stay labels."""
    assert run("train", str(path), "--model", "m.json")[0] == 0
    relation = read_arff(path)
    _, expected, _ = run("predict", "m.json", str(path))
    for form in ("csv", "tsv", "parquet", "csv.gz"):
        write_data(relation, f"data.{form}")
        assert run("predict", "m.json", f"data.{form}") == (0, expected, "")


def test_training_on_parquet_gives_the_model_of_the_arff_file(run):
    for path in FILES:
        relation = read_arff(path)
        write_data(relation, f"{relation.name}.parquet")
        printed = [
            run("train", name, "--model", "-")[1]
            for name in (str(path), f"{relation.name}.parquet")
        ]
        assert json.loads(printed[0]) == json.loads(printed[1])


def test_evaluate_and_explain_take_all_forms(run):
    path = DATA / "iris.arff"
    write_data(read_arff(path), "iris.csv")
    write_data(read_arff(path), "iris.parquet")
    expected = cross_validate(Dataset.from_relation(read_arff(path)), Options(), Folding(5))
    for name in ("iris.csv", "iris.parquet"):
        _, out, err = run("evaluate", name, "--folds", "5", "--format", "json")
        assert json.loads(out)["errors_per_fold"] == list(expected.errors_per_fold)
        assert "class: class (" in err
    assert run("train", str(path), "--model", "m.json")[0] == 0
    texts = [run("explain", "m.json", name, "--row", "77") for name in (str(path), "iris.csv")]
    assert texts[0] == texts[1]
    tests = [
        run("evaluate", str(path), "--test", name, "--format", "json")[1]
        for name in (str(path), "iris.csv", "iris.parquet")
    ]
    assert len({json.loads(test)["error"] for test in tests}) == 1


def test_unknown_labels_and_wrong_types_in_csv(run, folder):
    assert (
        run("train", "shop.csv", "--ignore", "id", "--model", "m.json", "--pruning", "none")[0] == 0
    )
    (folder / "new.csv").write_text("price,colour,sold\n1,red,\n2,pink,2021-01-02\n")
    status, _, err = run("predict", "m.json", "new.csv")
    assert status == 1
    assert "new.csv: attribute 'colour': expected a label" in err
    assert "got 'pink' in row 2" in err
    assert run("predict", "m.json", "new.csv", "--unknown-as-missing")[0] == 0
    (folder / "new.csv").write_text("price,colour,sold\ncheap,red,soon\n")
    status, out, err = run("predict", "m.json", "new.csv")  # its rule is on the colour alone
    assert (status, table(out)[0]["predicted"], err) == (0, "3", "")
    (folder / "rules.txt").write_text("if price > 2 then 7\n")
    training = ["shop.csv", "--ignore", "id", "--rules", "rules.txt"]
    assert run("train", *training, "--model", "m.json")[0] == 0
    assert "new.csv:2: column 'price': expected a number" in run("predict", "m.json", "new.csv")[2]


def test_label_sets_of_csv(run, folder):
    rows = "".join(f"{i},{i % 2},{'no' if i < 6 else 'yes'},False\n" for i in range(12))
    (folder / "sets.csv").write_text("n,odd,large,never\n" + rows)
    names = ["--labels", "odd,large,never"]
    status, _, err = run("train", "sets.csv", *names, "--model", "m.json")
    assert (status, "class:" in err) == (0, False)
    (folder / "new.csv").write_text("n,odd,large,never\n3,1,no,False\n")
    status, out, _ = run("predict", "m.json", "new.csv")
    assert (status, table(out)[0]["predicted:never"]) == (0, "0")
    assert run("evaluate", "sets.csv", *names, "--test", "new.csv")[0] == 0


def test_predictions_as_parquet_hold_what_those_as_csv_do(run):
    assert run("train", "shop.csv", "--model", "m.json", "--pruning", "none")[0] == 0
    keep = ["--keep", "id", "--keep", "sold"]
    printed = table(run("predict", "m.json", "shop.csv", *keep)[1])
    for name in ("p.parquet", "p.csv", "p.arff"):
        assert run("predict", "m.json", "shop.csv", *keep, "--output", name) == (0, "", "")
    relation = read_data("p.parquet")
    assert [a.name for a in relation.attributes] == list(printed[0])
    assert relation.attributes[3].values == relation.attributes[4].values == ("3", "7")
    for row, line in zip(relation.rows(), printed, strict=True):
        assert [row[0], row[1], row[3], row[4]] == [
            float(line["row"]), line["id"], line["actual"], line["predicted"]
        ]  # fmt: skip
        assert row[5:] == (float(line["probability:3"]), float(line["probability:7"]))
    assert relation.has_same_rows(read_arff("p.arff"))


def test_the_words_of_pandas_are_missing_and_numbers_stay_numbers(run, folder):
    rows = [f"{'N/A' if i % 3 else i},{'ab'[i > 50]}" for i in range(100)]
    (folder / "na.csv").write_text("age,k\n" + "\n".join(rows) + "\n")
    _, out, err = run("train", "na.csv", "--pruning", "none")
    assert "  numeric: age\n" in err
    assert "age <= 49.5" in out
    (folder / "na.csv").write_text(("age,k\n" + "\n".join(rows)).replace("N/A", "none"))
    status, _, err = run("train", "na.csv")
    assert (status, "expected a number as in 34 of 100 rows, got 'none'" in err) == (1, True)


def test_identifiers_keep_their_digits_where_they_are_copied_beside_predictions(run, folder):
    ids = ["9007199254740993", "9007199254740992", "007"]
    rows = "".join(f"{ids[i % 3]},{i},{'ab'[i > 8]}\n" for i in range(18))
    (folder / "ids.csv").write_text("id,n,k\n" + rows)
    assert run("train", "ids.csv", "--ignore", "id", "--model", "m.json")[0] == 0
    status, out, err = run("predict", "m.json", "ids.csv", "--keep", "id")
    assert (status, err) == (0, "")
    assert [row["id"] for row in table(out)] == ids * 6
    assert run("predict", "m.json", "ids.csv", "--keep", "id", "--output", "p.parquet")[0] == 0
    assert [row[1] for row in read_data("p.parquet", texts=["id"]).rows()] == ids * 6


def test_decimal_commas_on_the_command_line(run, folder):
    text = "".join(f"{i // 4},{25 * (i % 4):02d};{'ab'[i > 20]}\n" for i in range(40))
    (folder / "eu.csv").write_text("price;k\n" + text)
    (folder / "zz.csv").write_text("price;k\n" + text.replace(",", "."))
    for command in (["train", "--model", "-"], ["evaluate", "--format", "json", "--folds", "2"]):
        _, plain, _ = run(command[0], "zz.csv", *command[1:])
        _, with_commas, _ = run(command[0], "eu.csv", "--decimal", ",", *command[1:])
        assert with_commas == plain.replace("zz", "eu")
    assert run("train", "zz.csv", "--model", "m.json")[0] == 0
    for command in (["predict"], ["explain", "--row", "3"], ["report", "-o", "-"]):
        status, plain, _ = run(command[0], "m.json", "zz.csv", *command[1:])
        assert status == 0
        given = run(command[0], "m.json", "eu.csv", "--decimal", ",", *command[1:])
        assert given == (0, plain.replace("zz.csv", "eu.csv"), "")
    assert run("evaluate", "eu.csv", "--test", "eu.csv", "--decimal", ",")[0] == 0
    assert run("convert", "eu.csv", "out.csv", "--decimal", ",")[0] == 0
    assert Path("out.csv").read_text() == Path("zz.csv").read_text().replace(";", ",").replace(
        ".00", ""
    ).replace(".50", ".5")
    assert "'0,00' is read as the number 0.00, with a decimal comma" in run("train", "eu.csv")[2]
    status, _, err = run("train", str(FILES[0]), "--decimal", ",")
    assert (status, "decimal: expected CSV with it, got" in err) == (1, True)
    assert run("train", str(FILES[0]), "--dask", "local", "--decimal", ",")[0] == 2


def test_names_and_labels_cannot_command_a_terminal(run, folder):
    (folder / "esc.csv").write_text("a\x1b[31m,k\x1b]0;x\x07\n1,\x1b[2J\n2,w\x9b\n" * 1)
    write_data(read_data("esc.csv", target="last"), "esc.parquet")
    for name in ("esc.csv", "esc.parquet"):
        _, _, err = run("train", name)
        assert r"class: k\x1b]0;x\x07 (\x1b[2J, w\x9b)" in err
        assert err.replace("\n", "").isprintable()
        assert run("convert", name, "out.csv")[2].replace("\n", "").isprintable()


# convert


def test_convert_tells_numbers_that_it_cannot_keep_and_keeps_labels(run, folder):
    (folder / "id.csv").write_text("id,k\n9007199254740993,a\n9007199254740992,b\n")
    _, _, err = run("convert", "id.csv", "id.arff")
    assert "warning: id.csv:2: column 'id': '9007199254740993' is read as the nearest" in err
    status, _, err = run("convert", "id.csv", "id.arff", "--nominal", "id")
    assert (status, "warning" in err) == (0, False)
    assert "@attribute id {9007199254740992,9007199254740993}" in Path("id.arff").read_text()
    assert "nominal becomes numeric: id" in run("convert", "id.arff", "id2.csv")[2]
    assert Path("id2.csv").read_text() == Path("id.csv").read_text()


def test_wide_characters_of_arff_are_named(run, folder):
    text = "@relation r\n@attribute a {x,y}\n@data\nx\n"
    for encoding in ("utf-16-le", "utf-16-be"):
        (folder / "w.arff").write_bytes(text.encode(encoding))
        status, _, err = run("train", "w.arff")
        assert (status, err.endswith(f"--encoding {encoding}\n")) == (1, True)
        assert run("convert", "w.arff", "w.csv", "--encoding", encoding)[0] == 0


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_csv_keeps_all_values(path):
    relation = read_arff(path)
    known = {attribute.name: attribute for attribute in relation.attributes}
    for form in ("csv", "tsv"):
        again = read_table(in_form(relation, form), form, TableOptions(declared=known))
        assert again.has_same_rows(relation)


def test_what_is_read_from_csv_is_written_as_it_was(run):
    for name in ("shop.arff", "shop.parquet", "shop.tsv", "shop.csv.gz"):
        assert run("convert", "shop.csv", name)[0] == 0
        assert run("convert", name, "again.csv")[0] == 0
        assert Path("again.csv").read_text() == SHOP
        if name != "shop.arff":
            assert read_data(name).equals(read_data("shop.csv"))


def test_types_are_kept_by_arff_and_parquet(run):
    status, _, err = run("convert", "shop.csv", "shop.arff", "--target", "kind")
    assert (status, err) == (0, "shop.csv: 3 rows\n" + TYPES + "  class: kind (3, 7)\n")
    for first, second in (("shop.arff", "shop.parquet"), ("shop.parquet", "shop2.arff")):
        status, _, err = run("convert", first, second)
        assert (status, "warning" in err) == (0, False)
    assert (
        Path("shop2.arff").read_text().splitlines()[1:]
        == Path("shop.arff").read_text().splitlines()[1:]
    )
    assert "@attribute kind {3,7}" in Path("shop.arff").read_text()


def test_what_csv_cannot_keep_is_told(run, folder):
    (folder / "a.arff").write_text(
        "@relation r\n@attribute w {1,2}\n@attribute x numeric {2}\n@attribute y {b,a,unused}\n"
        "@attribute z {NA,c}\n@attribute s string\n@attribute k {n,y}\n@data\n"
        "1,1,a,NA,t,n,{2}\n2,2,b,c,t,y\n"
    )
    lost = "labels without a row, or the declared order, are lost"
    otherwise = "some values are read back differently, such as NA as missing"
    status, _, err = run("convert", "a.arff", "a.csv")
    assert (status, err.splitlines()) == (
        0,
        [
            "widc-arff: warning: a.csv: the weights of the rows are lost",
            "widc-arff: warning: a.csv: the weights of attributes are lost: x",
            "widc-arff: warning: a.csv: nominal becomes numeric: w",
            "widc-arff: warning: a.csv: string becomes nominal: s",
            f"widc-arff: warning: a.csv: {lost}: y, z",
            f"widc-arff: warning: a.csv: {otherwise}: z",
        ],
    )
    assert Path("a.csv").read_text() == "w,x,y,z,s,k\n1,1,a,NA,t,n\n2,2,b,c,t,y\n"
    Path("b.arff").write_text("@relation r\n@attribute w {'1,2','3'}\n@data\n'1,2'\n3\n")
    assert "nominal becomes numeric: w" in run("convert", "b.arff", "b.csv")[2]


def test_dates_in_any_format_are_iso_8601_in_csv(run, folder):
    (folder / "d.arff").write_text(
        "@relation r\n@attribute d date dd.MM.yy\n@data\n'31.12.99'\n?\n'01.01.00'\n"
    )
    assert run("convert", "d.arff", "d.csv") == (0, "", "")
    assert Path("d.csv").read_text() == 'd\n1999-12-31\n""\n2000-01-01\n'
    assert run("convert", "d.csv", "e.arff")[0] == 0
    assert "@attribute d date yyyy-MM-dd" in Path("e.arff").read_text()


@pytest.mark.parametrize("form", ["arff", "csv", "tsv", "parquet"])
def test_convert_writes_to_standard_output(run, form):
    assert run("convert", "shop.csv", f"out.{form}")[0] == 0
    command = [sys.executable, "-m", "widc_arff", "convert", "shop.csv", "-", "--to", form]
    environment = {**os.environ, "PYTHONPATH": str(DATA.parent)}
    done = subprocess.run(command, check=True, capture_output=True, env=environment)
    assert done.stdout == Path(f"out.{form}").read_bytes()


@pytest.mark.parametrize("form", ["arff", "csv", "parquet"])
def test_convert_reads_standard_input(run, form, stdin):
    assert run("convert", "shop.csv", f"out.{form}")[0] == 0
    stdin(Path(f"out.{form}").read_bytes())
    assert run("convert", "-", "again.csv")[0] == 0
    assert Path("again.csv").read_text() == SHOP


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["shop.csv", "-"], "--to: expected one of arff, csv, tsv, parquet with OUT -"),
        (["shop.csv", "x.arff", "--to", "csv"], "--to: expected arff, as OUT is named, got csv"),
    ],
)
def test_usage_of_convert(run, arguments, message):
    status, _, err = run("convert", *arguments)
    assert (status, message in err) == (2, True)


def test_a_file_that_cannot_be_read_leaves_nothing(run, folder):
    (folder / "bad.csv").write_text("a,b\n1\n")
    status, _, err = run("convert", "bad.csv", "bad.arff")
    assert (status, "bad.csv:2: expected 2 cells" in err) == (1, True)
    assert not Path("bad.arff").exists()
    assert run("convert", "shop.csv", "nowhere/a.arff")[0] == 1


@pytest.mark.needs("weka")
def test_weka_loads_what_is_converted_and_predicted(run):
    assert run("convert", "shop.csv", "shop.arff", "--target", "kind")[0] == 0
    assert run("train", "shop.csv", "--model", "m.json")[0] == 0
    assert run("predict", "m.json", "shop.csv", "--keep", "colour", "--output", "p.arff")[0] == 0
    for name, n_attributes in (("shop.arff", 5), ("p.arff", 6)):
        command = [str(java()), *JVM_OPTIONS, "-cp", str(weka_jar()), "weka.core.Instances", name]
        shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        assert "Num Instances:  3" in shown
        assert f"Num Attributes: {n_attributes}" in shown


@pytest.mark.needs("weka")
def test_compare_takes_csv(run):
    write_data(read_arff(DATA / "iris.arff"), "flowers.csv")
    options = ["--runs", "1", "--folds", "2", "--against", "ZeroR", "-o", "out"]
    status, out, err = run("compare", "flowers.csv", *options)
    assert status == 0, err
    assert "flowers" in out
    assert Path("out/flowers.arff").is_file()
