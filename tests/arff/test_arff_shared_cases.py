"""The shared cases: what users stumble over, with the values that Weka reads."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import Any

import pytest

from tests.arff_adapter import load
from widc_arff.arff import read_arff, write_arff
from widc_arff.errors import ArffError

FOLDER = Path(__file__).parents[3] / "shared" / "arff-cases"
CASES = sorted(FOLDER.glob("[01]*.json"))
FILES = sorted(path for path in FOLDER.glob("*.arff*") if path.suffix in (".arff", ".gz"))

# Our deliberate differences: a lost field, bytes of another encoding; a byte-order mark.
STRICTER = {"085-one-value-too-many", "079-latin1-bytes"}
MORE_LENIENT = {"076-utf8-bom"}

pytestmark = pytest.mark.needs("shared")


def plain(cell: Any) -> Any:
    """Return a cell of the cases as our rows hold it."""
    if isinstance(cell, dict):
        return cell["epoch_ms"]
    return {"Infinity": math.inf, "-Infinity": -math.inf}.get(cell, cell) if cell else cell


def file_of(case: Path) -> str:
    plain_file = case.with_suffix(".arff")
    return str(plain_file if plain_file.exists() else case.with_suffix(".arff.gz"))


def test_the_cases_are_there():
    assert len(CASES) == 81


@pytest.mark.filterwarnings("ignore:.*beyond the largest number")
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_a_file_is_read_as_weka_reads_it_or_as_our_policy_says(case):
    wanted = json.loads(case.read_text(encoding="utf-8"))
    if case.stem in STRICTER or not (wanted["accepts"] or case.stem in MORE_LENIENT):
        with pytest.raises(ArffError) as caught:
            load(file_of(case))
        assert caught.value.line is not None
        return
    names, rows, weights = load(file_of(case))
    if case.stem in MORE_LENIENT:
        return  # there are no values of Weka's to compare with
    assert names == [attribute["name"] for attribute in wanted["attributes"]]
    assert weights.tolist() == wanted["weights"]
    for row, cells in zip(rows, wanted["cells"], strict=True):
        for value, cell in zip(row, cells, strict=True):
            if not isinstance(cell, list):
                assert value == plain(cell)


@pytest.mark.filterwarnings("ignore:.*beyond the largest number")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_was_read_is_written_and_read_back_equal(path):
    try:
        relation = read_arff(path)
    except ArffError:
        return
    file = io.BytesIO()
    write_arff(relation, file)
    file.seek(0)
    assert read_arff(file).equals(relation)
