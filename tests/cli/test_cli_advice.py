"""The most likely mistakes: each message says what to do next where that is not obvious."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest

DATA = Path(__file__).parents[2] / "arff_data"
HEAD = "@relation r\n@attribute a numeric\n@attribute c {x,y}\n@data\n"
FILES = {
    "csv.arff": "a,b,c\n1,2,x\n",
    "semicolons.arff": HEAD + "1;x\n",
    "decimals.arff": HEAD + "'1,5',x\n",
    "gaps.arff": HEAD + "NA,x\n",
    "undeclared.arff": HEAD + "1,z\n",
    "numbers.arff": "@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n1,2\n",
    "two.arff": HEAD + "1,x\n2,y\n",
    "strings.arff": "@relation r\n@attribute s string\n@attribute c {x,y}\n@data\nhello,x\n",
    "blanks.arff": "@relation r\n@attribute a b numeric\n@data\n",
    "page.arff": "<html>\n",
    "list.json": "[1, 2]\n",
    "renamed.arff": "@relation iris\n@attribute petal_widht numeric\n"
    "@attribute petal_length numeric\n@data\n1,1\n",
    "new.arff": "@relation paint\n@attribute colour {red}\n@data\nred\n",
    "sepals.arff": "@relation iris\n@attribute sepal_length numeric\n@data\n5.1\n",
}


@pytest.fixture(autouse=True)
def _in_a_folder_of_a_user(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    Path("latin.arff").write_bytes(HEAD.replace("x,y", "größe,y").encode("latin-1"))
    with ZipFile("sheet.csv", "w") as archive:
        archive.writestr("[Content_Types].xml", "")
    for name in ("iris.arff", "weather-nominal.arff"):
        shutil.copy(DATA / name, name)
    assert run("train", "iris.arff", "--model", "model.json")[0] == 0
    weather = ["train", "weather-nominal.arff", "--pruning", "none", "--model", "weather.json"]
    assert run(*weather)[0] == 0
    sunny = Path("weather-nominal.arff").read_text(encoding="utf-8").replace("sunny", "snowy")
    Path("unseen.arff").write_text(sunny, encoding="utf-8")


MISTAKES = [
    # names
    ("trian iris.arff", 2, "no such command 'trian'; did you mean 'train'?"),
    (
        "reproduce all",
        2,
        "no such command 'reproduce'; 'python -m tests.reproduction' does it, in a clone",
    ),
    ("iris.arff", 2, "did you mean 'widc-arff train iris.arff'?"),
    ("model.json", 2, "did you mean 'widc-arff show model.json'?"),
    ("help", 2, "no such command 'help'; did you mean 'widc-arff --help'?"),
    ("help train", 2, "did you mean 'widc-arff train --help'?"),
    ("version", 2, "did you mean 'widc-arff --version'?"),
    ("train iris.arff --max-rules two", 2, "'--max-rules': 'two' is not a whole number."),
    ("train iris.arff --penalty much", 2, "'--penalty': 'much' is not a number."),
    ("evaluate iris.arff --seed one", 2, "'--seed': 'one' is not a whole number."),
    ("train irsi.arff", 1, "there is no such file; did you mean 'iris.arff'?"),
    ("show modell.json", 1, "modell.json: there is no such file; did you mean 'model.json'?"),
    ("train iris.arff --rules no.txt", 1, "no.txt: there is no such file"),
    ("train iris.arff --costs no.cost", 1, "no.cost: there is no such file"),
    ("train nowhere/iris.arff", 1, "there is no such file; there is no folder 'nowhere'"),
    ("train nowhere://a/iris.arff", 1, "cannot be opened: Protocol not known: nowhere"),
    ("train iris.arff --prunning none", 2, "--pruning"),
    ("train iris.arff --pruning pesimistic", 2, "'pessimistic', 'optimistic', 'none', 'refined'"),
    ("train iris.arff --class clas", 1, "got 'clas'; did you mean 'class'?"),
    ("train iris.arff --class species", 1, "expected the name of an attribute ('sepal_length',"),
    ("train iris.arff --ignore sepallength", 1, "did you mean 'sepal_length'?"),
    ("train iris.arff --model nowhere/m.json", 1, "there is no folder 'nowhere' to write it in"),
    # one kind of file for another
    ("train list.json", 1, "it looks like JSON, as model files are"),
    ("train csv.arff", 1, "it looks like CSV; the name of a CSV file ends in .csv"),
    ("train page.arff", 1, "it looks like a document"),
    ("train sheet.csv", 1, "got an Excel file: name it .xlsx"),
    # data that cannot serve
    ("train numbers.arff", 1, "or choose another attribute with --class NAME"),
    ("train strings.arff", 1, "leave it out with --ignore 's'"),
    ("train iris.arff --labels class", 1, "one class attribute is named with --class"),
    ("train iris.arff --labels class", 1, "several labels in a cell need --label-separator"),
    ("evaluate two.arff", 1, "with --folds 2 each row is tested alone"),
    ("explain model.json iris.arff --row 151", 1, "expected a row from 1 to 150, got 151"),
    ("predict model.json renamed.arff", 1, "'petal_width', which the rules use"),
    ("predict model.json renamed.arff", 1, "did you mean 'petal_widht'?"),
    ("predict model.json new.arff", 1, "in 'paint': these look like other data than 'iris'"),
    ("predict model.json sepals.arff", 1, "train with --ignore 'petal_length,petal_width' for"),
    ("evaluate iris.arff --holdout 0.66", 2, "such as 66, got 0.66; did you mean 66?"),
    ("predict weather.json unseen.arff", 1, "--unknown-as-missing treats such labels as missing"),
    # faults inside a file
    ("train semicolons.arff", 1, "semicolons do not separate values: write commas"),
    ("train decimals.arff", 1, "the decimal mark is a point"),
    ("train gaps.arff", 1, "a missing value is written ?"),
    ("train undeclared.arff", 1, "has no label 'z'; its labels are 'x', 'y'"),
    ("train blanks.arff", 1, "a name with blanks must be quoted"),
    ("train latin.arff", 1, "give it, as in --encoding latin-1"),
    # options that do not go together
    ("train iris.arff --penalty 3 --pruning none", 2, "expected --pruning refined with it"),
    ("predict model.json iris.arff --output p.txt", 2, "expected OUT.arff, OUT.csv"),
    ("export model.json", 2, "python"),
]


@pytest.mark.parametrize(("line", "status", "advice"), MISTAKES)
def test_a_mistake_is_answered_with_what_to_do(run, line, status, advice):
    found, out, err = run(*shlex.split(line))
    assert (found, out) == (status, "")
    assert advice in err


SHOW = "widc-arff show model.json prints it, widc-arff predict model.json DATA.arff uses it"
TEST = "widc-arff evaluate model.json iris.arff"
REPORT = "widc-arff report model.json iris.arff -o OUT.html"
PREDICT = "widc-arff predict model.json iris.arff"
MIX_UPS = [
    ("train model.json", SHOW),
    ("describe model.json", SHOW),
    ("evaluate model.json", "evaluate takes a model first, then data"),
    ("compare model.json", SHOW),
    ("convert model.json x.csv", SHOW),
    ("evaluate iris.arff --test model.json", "evaluate takes a model first, then data"),
    ("evaluate iris.arff model.json", f"the model comes first, then the data: {TEST}"),
    ("evaluate model.json iris.arff model.json", f"the model comes first, then the data: {TEST}"),
    ("train model.json iris.arff", f"to test a model on data: {TEST}"),
    ("train model.json iris.arff", f"to predict classes: {PREDICT}"),
    ("predict model.json model.json", "predict takes a model first, then data"),
    ("predict iris.arff model.json", f"the model comes first, then the data: {PREDICT}"),
    ("report iris.arff model.json -o x.html", f"the model comes first, then the data: {REPORT}"),
    ("explain iris.arff model.json", "then the data: widc-arff explain model.json iris.arff"),
    ("explain iris.arff iris.arff", "widc-arff train iris.arff --model MODEL.json makes a model"),
    ("predict csv.csv iris.arff", "widc-arff train csv.csv --model MODEL.json makes a model"),
    ("show iris.arff", "widc-arff train iris.arff --model MODEL.json makes a model"),
    ("export iris.arff --to sql", "widc-arff train iris.arff --model MODEL.json makes a model"),
    ("show 'two words.arff'", "widc-arff train 'two words.arff' --model MODEL.json makes a model"),
]


@pytest.mark.parametrize(("line", "advice"), MIX_UPS)
def test_a_model_for_data_or_data_for_a_model_is_answered_with_the_right_command(run, line, advice):
    shutil.copy("csv.arff", "csv.csv")
    shutil.copy("iris.arff", "two words.arff")
    status, out, err = run(*shlex.split(line))
    assert (status, out) == (1, "")
    assert re.match(r"widc-arff: [a-z. ]+: expected (data|a model file) \(", err)
    assert advice in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "line", ["train iris.arff two.arff", "train iris.arff two.arff --pruning none"]
)
def test_several_files_to_train_from_are_refused_plainly(run, line):
    status, out, err = run(*line.split())
    assert (status, out) == (2, "")
    assert "train takes one data file, or several with --dask local, got 2 files" in err


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("predict model.json iris.csv --output iris.csv", "iris.csv"),
        ("predict model.json iris.csv -o iris.csv", "iris.csv"),
        ("train iris.arff --model iris.arff", "iris.arff"),
        ("report model.json iris.arff -o ./iris.arff", "iris.arff"),
        ("export model.json --to python -o model.json", "model.json"),
        ("convert iris.arff iris.arff", "iris.arff"),
    ],
)
def test_no_input_is_overwritten(run, command, name):
    assert run("convert", "iris.arff", "iris.csv")[0] == 0
    before = Path(name).read_bytes()
    status, out, err = run(*command.split())
    assert (status, out) == (2, "")
    assert "expected a file other than the one that is" in err
    assert Path(name).read_bytes() == before


def test_a_text_among_numbers_is_named_with_its_line(run):
    rows = [f"{age},{'yes' if age > 50 else 'no'}" for age in range(20, 80)]
    rows[41] = "old,yes"
    Path("people.csv").write_text("age,ill\n" + "\n".join(rows) + "\n", encoding="utf-8")
    status, _, err = run("train", "people.csv")
    assert status == 1
    assert "people.csv:43: column 'age': expected a number as in 59 of 60 rows, got 'old'" in err
    assert run("train", "people.csv", "--nominal", "age", "--ignore", "age")[0] == 0


def test_one_column_of_blanks_is_no_table(run):
    Path("blanks.csv").write_text("a b c\n1 2 x\n3 4 y z\n", encoding="utf-8")
    status, _, err = run("train", "blanks.csv")
    assert status == 1
    assert "blanks.csv:1: expected cells between commas, semicolons or tabs, got one column" in err


def test_refined_without_rules_says_what_shows_more(run):
    data = str(DATA / "weather-numeric.arff")
    status, _, err = run("train", data, "--penalty", "9")
    assert status == 0
    advice = "--pruning pessimistic without --penalty keeps "
    assert f"no rule improves the description enough to be kept; {advice}" in err
    assert run("train", data, "--penalty", "9", "--pruning", "pessimistic")[0] == 2


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (HEAD + "".join(f"{i % 2},{'xxyy'[i % 4]}\n" for i in range(40)), ()),  # unrelated
        (HEAD + "1,x\n1,y\n", ()),  # nothing to test
        (FILES["two.arff"], ("--max-rules", "0")),
        (FILES["two.arff"], ("--max-size", "0")),
    ],
)
def test_another_pruning_is_proposed_only_where_it_keeps_rules(run, text, options):
    Path("r.arff").write_text(text, encoding="utf-8")
    status, out, err = run("train", "r.arff", *options)
    assert status == 0
    assert "0 rules" in out
    assert "0 rules" in run("train", "r.arff", *options, "--pruning", "pessimistic")[1]
    assert "pessimistic" not in err


@pytest.mark.parametrize("method", ["quantile:0", "quantile:1", "width:99999"])
def test_no_other_number_is_proposed_for_cut_points_out_of_range(run, method):
    status, _, err = run("train", "iris.arff", "--cut-points", method)
    assert status == 2
    assert "(K from 2 to 65535)" in err
    assert "did you mean" not in err
    assert "did you mean 'quantile:32'" in run("train", "iris.arff", "--cut-points", "quantil")[2]


def test_an_attribute_that_has_its_own_place_is_not_proposed_for_another(run):
    text = Path("iris.arff").read_text(encoding="utf-8")
    Path("less.arff").write_text(text.replace("petal_length", "length"), encoding="utf-8")
    err = run("predict", "model.json", "less.arff")[2]
    assert "expected the attribute 'petal_length', which the rules use" in err
    assert "sepal_length" not in err
    assert "petal_width" not in err


def test_a_form_that_is_not_known_is_not_written(run):
    status, _, err = run("convert", "iris.arff", "iris.xlsx")
    assert status == 2
    assert "expected OUT to end in one of .arff, .csv, .tsv, .parquet, got 'iris.xlsx'" in err
    assert not Path("iris.xlsx").exists()


@pytest.mark.parametrize(
    "line",
    [
        "train ''",
        "train iris.arff --model ''",
        "train iris.arff --costs ''",
        "train iris.arff --rules ''",
        "train iris.arff --cut-points ''",
        "train iris.arff --labels ''",
        "predict '' iris.arff",
        "predict model.json ''",
        "predict model.json iris.arff --output ''",
        "evaluate iris.arff ''",
        "evaluate iris.arff --test ''",
        "evaluate iris.arff --predictions ''",
        "report model.json iris.arff -o ''",
        "export model.json --to python -o ''",
        "compare iris.arff -o ''",
        "convert iris.arff ''",
        "describe ''",
        "show ''",
    ],
)
def test_an_empty_name_of_a_file_is_told_with_what_it_is_for(run, line):
    words = shlex.split(line)
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    option = words[-2] if words[-2].startswith("-") else "[A-Z.a-z]+"
    assert re.search(rf"Invalid value for '.*{option}.*': expected .*[A-Z]+.*, got ''", err)


def test_a_name_is_not_proposed_for_itself(run):
    Path("loop.json").symlink_to("loop.json")
    Path("gone.json").symlink_to("nowhere.json")
    Path("folder.json").mkdir()
    for name in ("loop.json", "gone.json", "folder.json"):
        for arguments in (["show", name], ["train", name]):
            status, _, err = run(*arguments)
            assert (status, "did you mean" in err) == (1, False)
            assert name in err


@pytest.mark.parametrize("command", ["train {}", "show {}", "train iris.arff --model {}"])
@pytest.mark.parametrize(
    "name", ["d" * 250 + "/x.json", ("d" * 200 + "/") * 9 + "x.json", "d" * 999]
)
def test_a_very_long_name_is_told_shortly(run, command, name):
    status, _, err = run(*command.format(name).split())
    assert status == 1
    assert len(err) < 600
    assert err.startswith("widc-arff: ddd")


@pytest.mark.parametrize(
    ("cells", "advised"),
    [
        (["1,234", "2,345"], True),
        (["1,234", "2"], True),
        (["1,5", "2", "3,5"], False),
        (["3,5", "1.000,5"], False),
        (["1,234,567", "2"], False),
        (["1,234.5", "2"], False),
    ],
)
def test_a_decimal_mark_is_asked_for_only_where_numbers_can_be_read_in_two_ways(
    run, cells, advised
):
    rows = "".join(f"{cell};{'xy'[i % 2]}\n" for i, cell in enumerate(cells))
    Path("n.csv").write_text("v;c\n" + rows, encoding="utf-8")
    status, _, err = run("train", "n.csv", "-q")
    assert (status, "--decimal , or --thousands ','" in err) == (int(advised), advised)
    for option in (["--decimal", ","], ["--thousands", ","]) if advised else ():
        assert run("train", "n.csv", "-q", *option)[0] == 0


@pytest.mark.parametrize("weight", ["0", "-1", "1e99", "nan"])
def test_class_weights_out_of_range_are_refused_with_the_range(run, weight):
    status, _, err = run("train", "iris.arff", "--class-weight", f"Iris-setosa={weight}")
    assert status == 2
    assert "expected a weight from 1e-90 to 1e+90 for 'Iris-setosa', got" in err
