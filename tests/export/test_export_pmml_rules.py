"""Weka, JPMML-Evaluator and PMML4S predict from the rule set the labels that the model does."""

from __future__ import annotations

import json
import os
import subprocess
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.export.test_export_pmml import predictions_of, rows_in_use
from tests.export_cases import NAMES, case
from tests.weka.installation import JVM_OPTIONS, java, weka_jar
from tests.weka.plugin import work_folder
from weka_plugin.build import find_javac
from widc_arff.arff.relation import Attribute, Relation
from widc_arff.arff.writer import write_arff
from widc_arff.errors import ModelError
from widc_arff.export.pmml_rules import pmml_rules_document

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.export.test_export_pmml import Predictions

PROBE = Path(__file__).parents[1] / "weka" / "PmmlProbe.java"
READ_BY_OTHERS = ("iris", "small", "one class")


def rows_file(name: str) -> Path:
    """Return an ARFF file of what rules test in the rows of a case, without their classes."""
    schema, rows = case(name).committee.schema, rows_in_use(name)
    given = {attribute.name: attribute for attribute in schema.attributes}
    attributes = [
        given[key] if given.get(key) and given[key].type == "nominal" else Attribute(key, "numeric")
        for key in rows[0]
    ]
    attributes.append(Attribute(schema.labels.attributes[0], "nominal", schema.labels.values))
    path = work_folder() / f"{name} rows.arff"
    cells = [[*row.values(), None] for row in rows]
    write_arff(Relation.from_rows("rows", attributes, cells), path)
    return path


@cache
def of_weka() -> dict[str, list[str]]:
    """Return the label that Weka predicts for each row of each case."""
    paths = []
    for name in NAMES:
        path = work_folder() / f"{name} rules.pmml"
        path.write_text(pmml_rules_document(case(name).committee), encoding="utf-8")
        paths += [str(path), str(rows_file(name))]
    folder = work_folder() / "pmml"
    jar = str(weka_jar())
    subprocess.run([find_javac(), "-cp", jar, "-d", str(folder), str(PROBE)], check=True)
    command = [str(java()), *JVM_OPTIONS, "-cp", os.pathsep.join([jar, str(folder)])]
    done = subprocess.run(
        [*command, "PmmlProbe", *paths], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    answers = {}
    for name, line in zip(NAMES, done.stdout.splitlines(), strict=True):
        labels = case(name).committee.schema.labels.values
        answers[name] = [labels[int(j)] for j in json.loads(line)]
    return answers


@pytest.mark.needs("weka")
@pytest.mark.parametrize("name", NAMES)
def test_weka_predicts_the_labels_of_the_model(name: str) -> None:
    """Of all files, with missing cells too, and of committees with many ties."""
    assert of_weka()[name] == case(name).labels


@cache
def of_others() -> Predictions:
    documents = [pmml_rules_document(case(name).committee) for name in READ_BY_OTHERS]
    return predictions_of(READ_BY_OTHERS, documents)


@pytest.mark.needs("weka")
@pytest.mark.parametrize("reader", ["jpmml", "pmml4s"])
@pytest.mark.parametrize("name", READ_BY_OTHERS)
def test_other_readers_predict_the_labels_of_the_model(name: str, reader: str) -> None:
    found = of_others()[name][reader]
    assert [label for (label,) in found] == case(name).labels


def test_what_pmml_cannot_hold_is_refused() -> None:
    committee = case("iris").committee
    labels = replace(committee.schema.labels, values=("a", "b\0", "c"))
    faulty = replace(committee, schema=replace(committee.schema, labels=labels))
    with pytest.raises(ModelError, match=r"that PMML can hold, got the character '\\x00' in"):
        pmml_rules_document(faulty)


def test_dashes_in_labels_do_not_end_a_comment() -> None:
    committee = case("iris").committee
    labels = replace(committee.schema.labels, values=("a---b", "--", "c->-"))
    named = replace(committee, schema=replace(committee.schema, labels=labels))
    root = ET.fromstring(pmml_rules_document(named).encode())
    scores = {rule.get("score") for rule in root.iter("{http://www.dmg.org/PMML-4_4}SimpleRule")}
    assert scores == {"a---b", "--", "c->-"}


def test_golden(golden: Callable[[str, str], None]) -> None:
    golden("export-small.pmml-rules.txt", pmml_rules_document(case("small").committee))
