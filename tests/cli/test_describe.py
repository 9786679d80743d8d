"""What `describe` tells of data before training, and the warning of attributes like identifiers."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from widc_arff import Attribute, Dataset, WIDCClassifier, read_arff
from widc_arff.data.schema import ignoring
from widc_arff.data.survey import identifiers, is_identifier, survey
from widc_arff.errors import WidcWarning

DATA = Path(__file__).parents[2] / "arff_data"
SHOP = """@relation shop
@attribute customer {c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11,c12}
@attribute 'the price' numeric
@attribute day date yyyy-MM-dd
@attribute coupon {t}
@attribute note string
@attribute colour {red,green,blue}
@attribute bought {yes,no,later}
@data
c1,1.5,2020-01-05,?,'a',red,yes
c2,2.5,2020-01-06,t,'b',red,yes
c3,?,2020-01-07,?,'c',green,no
c4,1.5,2020-01-08,?,?,green,no
c5,4,2020-01-09,?,'a',red,?
c6,1.5,2020-01-05,?,'a',red,yes,{0}
c7,1.5,2020-01-05,t,'a',red,yes
c8,1.5,2020-01-05,?,'a',?,no
c9,1.5,2020-01-05,?,'a',red,yes
c10,1.5,2020-01-05,?,'a',red,no
c11,1.5,2020-01-05,?,'a',red,yes
c12,1.5,2020-01-05,?,'a',red,yes
"""


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("shop.arff").write_text(SHOP, encoding="utf-8")


def named_people(n_rows: int) -> str:
    """Return rows of CSV with a name that occurs once or twice and one attribute that decides."""
    lines = ["name,size,class"]
    lines += [f"p{i // 2},{i % 7},{'big' if i % 7 > 3 else 'small'}" for i in range(n_rows)]
    return "\n".join(lines) + "\n"


def test_each_attribute_has_a_line_with_type_missing_distinct_and_values(run):
    status, out, err = run("describe", "shop.arff")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "shop.arff: 12 rows of weight 11, 6 attributes and the class bought"
    assert lines[4].split() == [
        "customer",
        "nominal",
        "-",
        "12",
        "c1,",
        "...,",
        "each",
        "in",
        "one",
        "row",
    ]
    assert lines[5].split() == ["the", "price", "numeric", "1", "(8", "%)", "3", "1.5", "to", "4"]
    assert lines[6].split() == ["day", "date", "-", "5", "2020-01-05", "to", "2020-01-09"]
    assert lines[7].split() == ["coupon", "nominal", "10", "(83", "%)", "1", "t", "(2)"]
    assert lines[8].split() == [
        "note",
        "string",
        "1",
        "(8",
        "%)",
        "3",
        "a",
        "(9),",
        "b",
        "(1),",
        "c",
        "(1)",
    ]
    assert lines[9].split() == [
        "colour",
        "nominal",
        "1",
        "(8",
        "%)",
        "2",
        "red",
        "(9),",
        "green",
        "(2)",
    ]
    assert lines[10].split() == [
        "bought",
        "class",
        "1",
        "(8",
        "%)",
        "2",
        "yes",
        "(7),",
        "no",
        "(4)",
    ]
    assert all(len(line) <= 80 for line in lines)


def test_what_training_refuses_and_leaves_out_is_told_with_what_to_do(run):
    out = " ".join(run("describe", "shop.arff")[1].split())
    assert "yes: 7 rows (63.6 %), weight 6" in out
    assert "1 string attribute: note; leave it out with --ignore 'note'" in out
    assert "1 row without a class - 1 row of weight zero" in out
    assert (
        "1 attribute of one value or none, which no rule can test: coupon; a missing value is"
        in out
    )
    why = "12 of 12 values occur in one or two rows"
    assert f"customer ({why}); leave out with --ignore 'customer'" in out
    assert "no row with the class later" in out


def test_the_advice_of_describe_makes_training_go(run):
    advice = json.loads(run("describe", "shop.arff", "--format", "json")[1])["advice"]
    assert advice == "--ignore 'note,customer'"
    status, _, err = run("train", "shop.arff", "--ignore", "note,customer")
    assert status == 0
    assert "identifier" not in err


def test_json_has_it_all(run):
    told = json.loads(run("describe", "shop.arff", "--ignore", "col*", "--format", "json")[1])
    assert (told["rows"], told["weight"], told["targets"]) == (12, 11.0, ["bought"])
    uses = {a["name"]: a["use"] for a in told["attributes"]}
    assert uses == {
        "customer": "identifier",
        "the price": "learned from",
        "day": "learned from",
        "coupon": "of one value",
        "note": "refused",
        "colour": "ignored",
        "bought": "class",
    }
    assert told["attributes"][1]["range"] == [1.5, 4.0]
    assert told["attributes"][2]["range"] == ["2020-01-05", "2020-01-09"]
    assert told["attributes"][5] == {"name": "colour", "type": "nominal", "use": "ignored"}
    assert told["attributes"][6]["frequent"][0] == {"value": "yes", "rows": 7}
    assert told["left_out"] == {
        "rows_without_class": 1,
        "rows_of_weight_zero": 1,
        "ignored": ["colour"],
        "of_one_value": ["coupon"],
    }
    assert told["labels"][0] == {"label": "yes", "rows": 7, "weight": 6.0}


def test_markdown_has_as_many_cells_in_every_row(run):
    rows = [
        line
        for line in run("describe", "shop.arff", "--format", "markdown")[1].splitlines()
        if line.startswith("|")
    ]
    assert len(rows) == 9
    assert {line.count("|") for line in rows} == {6}


def test_data_without_a_class_are_described_and_classes_proposed(run):
    status, out, _ = run("describe", "shop.arff", "--class", "the price")
    text = " ".join(out.split())
    assert status == 0
    assert "6 attributes" not in text
    assert "no class" in text
    assert "expected a nominal attribute, got a numeric one" in text
    assert "such as colour, bought" in text
    assert run("describe", "shop.arff", "--class", "prize")[0] == 1


@pytest.mark.parametrize("form", ["arff", "csv", "parquet", "-"])
def test_every_form_of_data_is_described_alike(run, form, stdin):
    Path("people.csv").write_text(named_people(60), encoding="utf-8")
    name = f"people.{form}"
    if form in ("arff", "parquet"):
        assert run("convert", "people.csv", name, "--target", "class", "-q")[0] == 0
    if form == "-":
        name = "-"
        stdin(named_people(60))
    status, out, err = run("describe", name, "--format", "json")
    assert (status, err) == (0, "")
    told = json.loads(out)
    assert told["identifiers"] == ["name"]
    assert [a["distinct"] for a in told["attributes"]] == [30, 7, 2]


def test_csv_whose_last_column_is_no_class_is_described(run):
    Path("n.csv").write_text("a,b\n" + "".join(f"{i % 2},{i / 7}\n" for i in range(80)), "utf-8")
    status, out, _ = run("describe", "n.csv")
    assert status == 0
    assert "no class" in out
    assert "choose the class with --class NAME" in " ".join(out.split())


def test_a_number_of_each_row_is_like_an_identifier(run):
    rows = [f"{i + 100},{i * i % 13},{'xy'[i % 2]}\n" for i in range(30)]
    head = (
        "@relation r\n@attribute number numeric\n@attribute b numeric\n@attribute c {x,y}\n@data\n"
    )
    Path("r.arff").write_text(head + "".join(rows), encoding="utf-8")
    out = " ".join(run("describe", "r.arff")[1].split())
    assert "number (each whole number in its range occurs once); leave out with" in out


def test_label_sets_have_their_labels_counted(run):
    head = "@relation 'm: -C 2'\n@attribute l1 {0,1}\n@attribute l2 {0,1}\n"
    Path("m.arff").write_text(
        f"{head}@attribute a numeric\n@data\n" + "1,0,1\n1,1,2\n0,?,3\n", encoding="utf-8"
    )
    out = run("describe", "m.arff")[1]
    assert "1 attribute and 2 labels" in out
    assert "Labels, 1.50 a row" in out
    assert "l1: 2 rows (100.0 %)" in out
    assert "1 row with a missing label" in out


def test_pieces_of_a_file_are_counted_as_the_whole():
    relation = read_arff("shop.arff")
    parts = [
        type(relation)(
            relation.name,
            relation.attributes,
            tuple(column[start : start + 5] for column in relation.columns),
            relation.weights[start : start + 5],
        )
        for start in range(0, 12, 5)
    ]
    assert survey(parts, ("bought",)) == survey([relation], ("bought",))


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([1] * 11, True),
        ([2] * 11, True),
        ([1] * 10, False),  # few values
        ([1] * 11 + [100], False),  # few rows have a rare one
        ([3] * 30, False),  # each value has some rows
        ([1] * 20 + [3] * 19, True),
        ([5, 5, 4], False),
        ([], False),
    ],
)
def test_identifiers_have_values_that_occur_once_or_twice(counts, expected):
    assert is_identifier(np.array([*counts, 0, 0], np.int64)) is expected


def test_no_attribute_of_the_sample_data_is_like_an_identifier():
    for path in sorted(DATA.glob("*.arff")):
        assert identifiers(Dataset.from_relation(read_arff(path))) == [], path.name


@pytest.mark.parametrize("form", ["arff", "csv", "parquet"])
@pytest.mark.parametrize("command", ["train", "evaluate"])
def test_training_and_evaluation_name_identifiers_in_every_form_of_data(run, form, command):
    Path("people.csv").write_text(named_people(60), encoding="utf-8")
    name = f"people.{form}"
    if form != "csv":
        run("convert", "people.csv", name, "--target", "class", "-q")
    status, _, err = run(command, name)
    assert status == 0
    named = "attribute 'name' (30 of 30 values occur in one or two rows) looks like an identifier"
    assert err.count(f"warning: {name}: {named}") == err.count("identifier") == 1
    assert "--ignore 'name' leaves it out" in err
    assert "identifier" not in run(command, name, "--ignore", "name")[2]


def test_the_estimator_warns_of_identifiers():
    frame = pd.DataFrame(
        {"who": [f"p{i // 2}" for i in range(60)], "size": [i % 7 for i in range(60)]}
    )
    y = (frame["size"] > 3).to_numpy()
    with pytest.warns(WidcWarning, match=r"'who' \(30 of 30 values occur in one or two rows\)"):
        WIDCClassifier().fit(frame, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        WIDCClassifier().fit(frame[["size"]], y)


@pytest.mark.parametrize(
    ("left_out", "message"),
    [
        ("nam", "did you mean 'name'?"),
        ("nam,size", "did you mean 'name'?"),
        ("nome*", "expected a pattern that some attribute matches ('name', 'size', 'class'), got"),
        ("nome*", "did you mean 'name'?"),
        ("*", "expected other attributes than the class, got 'class' by '*'"),
        ("c*", "expected other attributes than the class, got 'class' by 'c*'"),
        ("size,c*", "expected other attributes than the class, got 'class' by 'c*'\n"),
        ("size,class", "expected other attributes than the class, got 'class'\n"),
        ("class", "expected other attributes than the class, got 'class'\n"),
        ("name,", "ignore: expected names between commas, got an empty one in 'name,'"),
        ("name, ,size", "expected names between commas, got an empty one in 'name, ,size'"),
        (",", "ignore: expected names between commas, got an empty one in ','"),
        ("", "ignore: expected a name, got ''"),
        (" ", "ignore: expected a name, got ' '"),
    ],
)
@pytest.mark.parametrize("form", ["arff", "csv", "parquet"])
@pytest.mark.parametrize("command", ["train", "describe"])
def test_what_ignore_cannot_mean_is_refused(run, command, form, left_out, message):
    Path("people.csv").write_text(named_people(20), encoding="utf-8")
    for copy in ("people.arff", "people.parquet"):
        run("convert", "people.csv", copy, "--target", "class", "-q")
    status, out, err = run(command, f"people.{form}", "--ignore", left_out, "-q")
    assert (status, out) == (1, "")
    assert message in err


def test_ignore_takes_lists_and_patterns_and_a_name_beats_both():
    names = ["a,b", "x*", "xa", "xb", "y", "z"]
    text = "@relation r\n" + "".join(f"@attribute '{name}' numeric\n" for name in names)
    Path("r.arff").write_text(text + "@attribute c {p,q}\n@data\n1,1,1,1,1,1,p\n", encoding="utf-8")
    relation = read_arff("r.arff")

    def kept(*ignore: str) -> list[str]:
        return [a.name for a in Dataset.from_relation(relation, ignore=ignore).schema.attributes]

    assert kept("y,z") == ["a,b", "x*", "xa", "xb"]
    assert kept("y", "z") == kept("y, z") == kept("[yz]") == kept("y,z,y")
    assert kept("x?") == ["a,b", "y", "z"]
    assert kept("x*") == ["a,b", "xa", "xb", "y", "z"]
    assert kept("a,b") == ["x*", "xa", "xb", "y", "z"]
    assert kept(" y ", "z ") == kept("y,z")
    assert kept("y,a,b,x*") == ["xa", "xb", "z"]


def test_attributes_that_cannot_be_learned_from_are_named_all_at_once(run):
    head = "".join(f"@attribute {name} string\n" for name in ("note", "'it''s'", "text"))
    head = head.replace("'it''s'", '"it\'s"')
    Path("s.arff").write_text(
        f"@relation s\n{head}@attribute n numeric\n@attribute c {{p,q}}\n@data\n"
        "a,b,c,1,p\nd,e,f,2,q\n",
        encoding="utf-8",
    )
    status, _, err = run("train", "s.arff")
    assert status == 1
    assert "attributes 'note', \"it's\", 'text': expected nominal, numeric or date" in err
    assert err.endswith(
        "leave them out with --ignore 'note,it'\\''s,text', or take texts as labels with --nominal "
        "NAME\n"
    )
    assert run("train", "s.arff", "--ignore", "note,it's,text")[0] == 0


def test_very_many_or_odd_names_keep_messages_short_and_plain(run):
    head = "".join(f"@attribute s{i} string\n" for i in range(3000))
    row = "a," * 3000
    text = f"@relation s\n{head}@attribute c {{p,q}}\n@data\n{row}p\n{row}q\n"
    Path("many.arff").write_text(text, encoding="utf-8")
    err = run("train", "many.arff")[2]
    assert len(err) < 1000
    assert "(3000 in all)" in err
    assert "--ignore 'NAME,NAME,...', also with patterns such as 'id*'" in err
    assert run("train", "many.arff", "--ignore", "s*", "-q")[0] == 0
    assert ignoring([Attribute("\x1b[1m", "string")]) == r"--ignore $'\x1b[1m'"


def test_blanks_of_a_name_in_a_list_are_its_own_where_it_has_them():
    text = "@relation r\n@attribute ' f' numeric\n@attribute f numeric\n@attribute g numeric\n"
    Path("r.arff").write_text(text + "@attribute c {p,q}\n@data\n1,1,1,p\n", encoding="utf-8")
    relation = read_arff("r.arff")

    def kept(*ignore: str) -> list[str]:
        return [a.name for a in Dataset.from_relation(relation, ignore=ignore).schema.attributes]

    assert kept(" f") == ["f", "g"]
    assert kept("f ") == [" f", "g"]
    assert kept("f, f") == ["g"]


ROWS = "@relation r\n@attribute x numeric\n@attribute k {u,v}\n@attribute y {a,b}\n@data\n"
SETS = "@relation 's: -C 2'\n@attribute p {0,1}\n@attribute q {0,1}\n@attribute x numeric\n@data\n"


@pytest.mark.parametrize(
    "text",
    [
        ROWS,
        ROWS + "1,u,?\n2,v,?\n",
        ROWS + "1,u,a,{0}\n2,v,b,{0}\n",
        ROWS + "1,u,?\n1,u,a,{0}\n",
        ROWS + "1,u,?,{0}\n",
        ROWS + "1,u,a\n2,v,b,{1e200}\n",
        SETS,
        SETS + "0,?,1\n?,1,2\n",
        SETS + "0,0,1\n0,0,2\n",
        SETS + "0,0,1\n1,0,2,{0}\n",
        SETS + "0,1,1,{0}\n",
        "x,y\n",
        "x,y\n1,\n2,?\n",
    ],
)
@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_what_training_refuses_is_told_in_its_words(run, text, form):
    name = "d.arff" if text.startswith("@") else "d.csv"
    Path(name).write_text(text, encoding="utf-8")
    status, _, err = run("train", name, "-q")
    assert status == 1
    refusal = err.strip().partition(f"{name}: ")[2]
    status, out, err = run("describe", name, "--format", form)
    assert (status, err) == (0, "")
    if form == "json":
        assert json.loads(out)["refusal"] == refusal
        return
    told = " ".join(out.replace("\\", "").split()) + "\n"
    assert told.rstrip().endswith(refusal)
    for idle in ("nothing is left", "of one value", "no row with", "Training leaves out"):
        assert idle not in told


def test_training_refuses_nothing_where_a_row_counts(run):
    Path("d.arff").write_text(ROWS + "1,u,?\n2,v,a,{0}\n3,u,b\n", encoding="utf-8")
    assert json.loads(run("describe", "d.arff", "--format", "json")[1])["refusal"] is None
    assert "Training refuses" not in run("describe", "d.arff")[1]


def test_one_row_is_told_as_one(run):
    Path("one.csv").write_text("x,y\n1,a\n", encoding="utf-8")
    assert run("describe", "one.csv")[1].startswith("one.csv: 1 row, 1 attribute and the class y\n")
    assert run("train", "one.csv")[2].startswith("one.csv: 1 row\n")
    assert "got 10 folds for 1 row\n" in run("evaluate", "one.csv")[2]
    assert "got 0 of 1 row to learn from" in run("evaluate", "one.csv", "--holdout", "10")[2]
