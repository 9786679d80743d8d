"""Small files as editors and shells of Windows write them: with a byte-order mark."""

from __future__ import annotations

import codecs
import json
from pathlib import Path

import pytest

from widc_arff import DecisionCommittee

DATA = Path(__file__).parents[2] / "arff_data"
IRIS = str(DATA / "iris.arff")
UTF8, UTF16 = "utf-8-sig", "utf-16"
COSTS = "3 3\n0 1 1\n1 0 1\n1 9 0\n"
CUTS = json.dumps({"petal_width": [0.8, 1.75]})
RULES = "if petal_width > 1.75 then virginica\n"


@pytest.mark.parametrize("encoding", [UTF8, UTF16])
@pytest.mark.parametrize(
    ("option", "name", "text"),
    [("--costs", "c.cost", COSTS), ("--cut-points", "c.json", CUTS), ("--rules", "r.txt", RULES)],
)
def test_what_train_reads_may_have_a_mark(run, tmp_path, option, name, text, encoding):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    plain = run("train", IRIS, option, str(path))
    assert plain[0] == 0
    path.write_text(text, encoding=encoding)
    assert path.read_bytes()[:2] in (codecs.BOM_UTF8[:2], codecs.BOM_UTF16)
    assert run("train", IRIS, option, str(path)) == plain


@pytest.mark.parametrize("encoding", [UTF8, UTF16])
def test_a_model_file_may_have_a_mark(run, tmp_path, encoding):
    model, marked = tmp_path / "m.json", tmp_path / "marked.json"
    assert run("train", IRIS, "--model", str(model))[0] == 0
    text = model.read_text(encoding="utf-8")
    marked.write_text(text, encoding=encoding)
    assert run("predict", str(marked), IRIS) == run("predict", str(model), IRIS)
    assert run("train", IRIS, "--rules", str(marked)) == run("train", IRIS, "--rules", str(model))
    assert DecisionCommittee.from_json("\ufeff" + text) == DecisionCommittee.from_json(text)
    assert "expected data" in run("train", str(marked))[2]


def test_a_label_xml_may_have_a_mark(run, tmp_path):
    data, labels = tmp_path / "d.arff", tmp_path / "d.xml"
    head = "@relation d\n@attribute a {x,y}\n@attribute p {0,1}\n@attribute q {0,1}\n@data\n"
    data.write_text(head + "x,0,1\ny,1,0\n" * 9, encoding="utf-8")
    labels.write_text('<labels><label name="p"/><label name="q"/></labels>', encoding=UTF8)
    status, out, _ = run("train", str(data), "--labels", str(labels))
    assert (status, "a = x" in out) == (0, True)
