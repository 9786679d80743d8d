"""The classifier in Weka's Knowledge Flow: the same error as everywhere."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.weka.installation import java
from tests.weka.plugin import DATA, plugin
from weka_plugin.build import find_weka_jar
from widc_arff import read_dataset
from widc_arff.evaluation.cross_validation import Folding, cross_validate
from widc_arff.options import Options

FLOW = Path(__file__).parents[1] / "weka" / "KnowledgeFlow.java"


@pytest.mark.needs("weka")
def test_a_flow_cross_validates_as_evaluate_does(tmp_path: Path) -> None:
    data, result = DATA / "iris.arff", tmp_path / "result.txt"
    jars = f"{find_weka_jar()}:{plugin().jar}"
    command = [str(java()), "-Djava.awt.headless=true", "-cp", jars, str(FLOW), str(data)]
    done = subprocess.run([*command, str(result)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = re.search(r"Incorrectly Classified Instances +(\d+)", result.read_text())
    assert found is not None
    evaluation = cross_validate(read_dataset(data), Options(), Folding(10, 1))
    assert int(found[1]) == round(evaluation.error * 150)
