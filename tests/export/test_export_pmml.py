"""Two readers of PMML, JPMML-Evaluator and PMML4S, predict from the export as the model does."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.export_cases import NAMES, case
from widc_arff.errors import ModelError
from widc_arff.export.pmml import pmml_document, separated_scores

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Predictions = dict[str, dict[str, list[list[Any]]]]

READ = [name for name in NAMES if name != "one class"]
READERS = Path(__file__).parents[1] / "pmml_readers.py"
TOLERANCE = 1e-12


def rows_in_use(name: str) -> list[dict[str, Any]]:
    """Return the rows in the attributes that rules test, in another where they test none."""
    committee = case(name).committee
    used = [committee.schema.attributes[a].name for a in sorted(committee.used_attributes)]
    return [{key: row[key] for key in used} or {"nothing": 1.0} for row in case(name).rows]


@cache
def predictions() -> Predictions:
    """Return for each case and reader the label and probabilities of each row."""
    return predictions_of(READ, [pmml_document(case(name).committee) for name in READ])


def predictions_of(names: Sequence[str], documents: Sequence[str]) -> Predictions:
    """Return for each case and reader what its document predicts for each row."""
    cases = [
        {"pmml": document, "rows": rows_in_use(name)}
        for name, document in zip(names, documents, strict=True)
    ]
    done = subprocess.run(
        [sys.executable, str(READERS)],
        input=json.dumps(cases),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(zip(names, json.loads(done.stdout), strict=True))


@pytest.mark.needs("weka")
@pytest.mark.parametrize("reader", ["jpmml", "pmml4s"])
@pytest.mark.parametrize("name", READ)
def test_every_row_has_the_model_s_answers(name: str, reader: str) -> None:
    tried = case(name)
    found = predictions()[name][reader]
    assert len(found) == len(tried.rows)
    n_compared = 0
    for row, (label, *chances), expected, probabilities in zip(
        rows_in_use(name), found, tried.labels, tried.probabilities, strict=True
    ):
        if reader == "pmml4s" and "" in row.values():
            continue  # it takes an empty text for a missing value
        assert label == expected
        assert chances == pytest.approx(probabilities, abs=TOLERANCE, rel=0)
        n_compared += 1
    assert n_compared > 0.9 * len(found)


def test_scores_are_moved_apart_in_their_order() -> None:
    # Preference: 3 (largest), then 0 and 2 (equal, the first declared first), then 1 and 4 (zero).
    scores = separated_scores([0.25, 0.0, 0.25, 0.5, 0.0])
    assert sorted(range(5), key=lambda j: -scores[j]) == [3, 0, 2, 1, 4]
    assert scores[3] == 0.5
    assert scores[0] == 0.25
    assert scores[2] == 0.25 * (1 - 2**-46)
    assert scores[1] == 1e-300
    assert 0 < scores[4] < scores[1]


def test_one_label_is_refused() -> None:
    with pytest.raises(ModelError, match=r"expected a model with two labels.*'only' only"):
        pmml_document(case("one class").committee)


def test_what_xml_cannot_hold_is_refused() -> None:
    committee = case("iris").committee
    labels = replace(committee.schema.labels, values=("a", "b\0", "c"))
    faulty = replace(committee, schema=replace(committee.schema, labels=labels))
    with pytest.raises(ModelError, match=r"that PMML can hold, got the character '\\x00' in"):
        pmml_document(faulty)


def test_texts_come_back_from_the_document() -> None:
    committee = case("awkward labels").committee
    root = ET.fromstring(pmml_document(committee).encode())
    space = {"p": "http://www.dmg.org/PMML-4_4"}
    for field in root.findall("p:DataDictionary/p:DataField", space):
        values = [value.get("value") for value in field.findall("p:Value", space)]
        expected = {a.name: a.values for a in committee.schema.attributes}
        expected[committee.schema.labels.attributes[0]] = committee.schema.labels.values
        known = expected[str(field.get("name"))]
        assert tuple(values[: len(known)]) == known
        assert {str(value).lower() for value in values[len(known) :]} <= {"true"}


def test_golden(golden: Callable[[str, str], None]) -> None:
    golden("export-small.pmml.txt", pmml_document(case("small").committee))
