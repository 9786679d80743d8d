"""``workbench``: what goes into a page, and what is refused."""

from __future__ import annotations

import base64
import json
import re
import shlex
import zlib
from pathlib import Path
from typing import Any

import pytest

from tests.label_set_cases import DAYS
from tests.report_cases import COMMITTEE, DATA
from widc_arff import read_committee, write_committee

ROOT = Path(__file__).parents[2]
IRIS = str(ROOT / "arff_data" / "iris.arff")


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    assert run("train", IRIS, "--model", "iris.json")[0] == 0
    write_committee(COMMITTEE, "days.json")
    Path("days.arff").write_text(DATA, encoding="utf-8")


def content(html: str) -> dict[str, Any]:
    """Return the header of what a page holds."""
    match = re.search(r'id="content">([^<]*)<', html)
    assert match is not None
    data = zlib.decompress(base64.b64decode(match[1]))
    header: dict[str, Any] = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    return header


def test_the_page_goes_to_a_file_or_to_standard_output(run):
    status, out, err = run("workbench", "iris.json", IRIS, "-o", "page.html")
    assert (status, err) == (0, "")
    told = r"page.html: 150 rows, 4 attributes and the class; \d+ kB\n"
    assert re.fullmatch(told, out)
    page = Path("page.html").read_text(encoding="utf-8")
    assert run("workbench", "iris.json", IRIS, "-o", "-") == (0, page, "")
    assert "This page holds 150 rows, 4 attributes and the class." in page
    assert run("workbench", "iris.json", IRIS)[0] == 2


def test_rows_are_at_most_so_many_and_evenly_spread(run):
    _, out, _ = run("workbench", "iris.json", IRIS, "-o", "-", "--rows", "10")
    assert "This page holds 10 rows of 150, 4 attributes" in out
    assert content(out)["data"]["n"] == 10
    assert content(out)["files"]["rowsInFile"] == 150


@pytest.mark.parametrize(
    ("columns", "names", "told"),
    [
        (
            (),
            ["sepal_length", "sepal_width", "petal_length", "petal_width"],
            "4 attributes and the class",
        ),
        (("used",), ["petal_length", "petal_width"], "2 attributes (2 left out) and the"),
        (
            ("*_length",),
            ["sepal_length", "petal_length", "petal_width"],
            "3 attributes (1 left out)",
        ),
        (("used,sepal_width",), None, "expected the name of an attribute"),
    ],
)
def test_columns_are_those_that_are_wanted_and_those_of_rules(run, columns, names, told):
    options = [text for name in columns for text in ("--columns", name)]
    status, out, err = run("workbench", "iris.json", IRIS, "-o", "-", *options)
    assert told in (out if names else err)
    assert status == (0 if names else 1)
    if names:
        assert [a["name"] for a in content(out)["attributes"]] == names


def test_a_test_file_that_has_an_attribute_otherwise_leaves_it_out(run):
    text = Path(IRIS).read_text(encoding="utf-8")
    Path("other.arff").write_text(
        text.replace("@attribute sepal_width numeric", "@attribute sepal_width {3.5,3}").split(
            "@data"
        )[0]
        + "@data\n5.1,3.5,1.4,0.2,setosa\n6,3,5,2,virginica\n",
        encoding="utf-8",
    )
    status, out, err = run("workbench", "iris.json", IRIS, "--test", "other.arff", "-o", "-")
    assert status == 0
    assert "missing or different in this file, so left out of the page: sepal_width" in err
    assert "150 rows, 2 test rows, 3 attributes (1 left out) and the class" in out
    assert content(out)["test"]["n"] == 2
    text = text.replace("petal_width", "breadth")
    Path("other.arff").write_text(text, encoding="utf-8")
    status, _, err = run("workbench", "iris.json", IRIS, "--test", "other.arff", "-o", "x.html")
    assert status == 1
    assert "other.arff: expected the attribute 'petal_width'" in err
    assert not Path("x.html").exists()


def test_weights_and_costs_go_in(run):
    _, out, _ = run("workbench", "days.json", "days.arff", "-o", "-")
    assert content(out)["data"]["weights"]["n"] == 7
    assert "2 attributes, the class and weights" in out
    assert content(out)["costs"] is None
    Path("days.cost").write_text("2 2\n0 5\n1 0\n", encoding="utf-8")
    _, out, _ = run("workbench", "days.json", "days.arff", "-o", "-", "--costs", "days.cost")
    assert content(out)["costs"] == [[0, 5], [1, 0]]
    assert content(out)["files"]["evaluate"].endswith(" --costs days.cost")
    assert "--costs" not in content(out)["files"]["learn"]


def test_the_commands_learn_as_the_model_was_learned(run):
    Path("odd name.csv").write_text("play,x,who\nno,1,a\nyes,2,b\nno,1,c\nyes,3,d\n" * 9)
    line = ["odd name.csv", "--class", "play", "--ignore", "who", "--penalty", "2"]
    assert run("train", *line, "--model", "m.json", "--class-weight", "yes=2")[0] == 0
    _, out, _ = run("workbench", "m.json", "odd name.csv", "-o", "-")
    assert content(out)["files"]["learn"] == (
        "widc-arff train 'odd name.csv' --rules @rules@ --model @next@ --class play --ignore who "
        "--penalty 2.0 --class-weight yes=2"
    )
    Path("sets.arff").write_text(DAYS, encoding="utf-8")
    run("train", "sets.arff", "--labels", "sail,run,read", "--model", "s.json")
    _, out, _ = run("workbench", "s.json", "sets.arff", "-o", "-")
    assert content(out)["files"]["learn"] == (
        "widc-arff train sets.arff --rules @rules@ --model @next@ --labels sail,run,read"
    )
    assert "2 attributes and their labels" in out


def test_the_commands_read_files_as_the_page_was_made(run):
    lines = ["größe;plz;id;w;kauf"]
    lines += [
        f"{k % 7},5;{k % 4 + 1};{k};{k % 2 + 1};{'nein' if k % 7 > 3 or k % 4 == 1 else 'ja'}"
        for k in range(56)
    ]
    Path("de.csv").write_text("\n".join(lines), encoding="latin-1")
    form = ["--encoding", "latin-1", "--decimal", ",", "--weights", "w"]
    learned = [
        "--ignore",
        "id",
        "--nominal",
        "plz",
        "--ordered",
        "plz=1<2<4<3",
        "--literals",
        "order",
    ]
    assert run("train", "de.csv", *form, *learned, "--model", "de.json")[0] == 0
    assert {a.type for a in read_committee("de.json").schema.attributes if a.values} == {"nominal"}
    line = ["workbench", "de.json", "de.csv", *form, "--unknown-as-missing", "-o", "-"]
    files = content(run(*line)[1])["files"]
    Path("rules.txt").write_text("if größe > 3 then nein\n", encoding="utf-8")
    learn = shlex.split(files["learn"].replace("@rules@", "rules.txt").replace("@next@", "n.json"))
    assert run(*learn[1:])[0] == 0
    old, new = read_committee("de.json").training, read_committee("n.json").training
    assert (new.weights, new.examples) == (old.weights, old.examples)
    for name, value in old.options.items():
        assert name == "rules" or new.options[name] == value
    types = {a.name: a.type for a in read_committee("n.json").schema.attributes if a.values}
    assert types == {"plz": "nominal"}
    for name in ("edit", "evaluate"):
        line = files[name].replace("@rules@", "rules.txt").replace("@model@", "changed.json")
        words = shlex.split(line)
        assert sorted(words[-7:-1]) == sorted(form)
        assert words[-1] == "--unknown-as-missing"
        assert run(*words[1:])[0::2] == (0, "")


def test_data_that_tell_no_class_are_refused(run):
    text = "\n".join(line for line in DATA.splitlines() if "class" not in line)
    Path("bare.arff").write_text(text.replace(", yes", "").replace(", no", "").replace(", ?", ""))
    status, _, err = run("workbench", "days.json", "bare.arff", "-o", "x.html")
    assert status == 1
    assert "bare.arff: expected test rows with a class, got no such column of 'class'" in err
    assert not Path("x.html").exists()
    status, _, err = run("workbench", "days.arff", "days.json", "-o", "x.html")
    assert status == 1
    assert "takes" in err or "expected a model" in err


def test_what_is_given_back_says_where_its_figures_are_from(run):
    assert run("train", IRIS, "--provenance", "--model", "known.json")[0] == 0
    Path("half.arff").write_bytes(Path(IRIS).read_bytes())
    _, out, _ = run("workbench", "known.json", "half.arff", "-o", "-")
    verbatim = content(out)["verbatim"]
    assert json.loads(verbatim["provenanceAsRead"])["data"][0]["name"] == "iris.arff"
    assert json.loads(verbatim["provenance"])["data"][0]["name"] == "half.arff"
    assert read_committee("known.json").provenance.data
