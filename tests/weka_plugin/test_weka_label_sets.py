"""A committee for label sets in Java, without Python: the example script equals the model."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.label_set_cases import random_sets
from tests.weka.installation import java
from tests.weka.plugin import plugin
from weka_plugin.build import find_weka_jar
from widc_arff import Relation, write_arff
from widc_arff.induction import induce
from widc_arff.model.model_file import write_committee
from widc_arff.options import LabelSetOptions

EXAMPLE = Path(__file__).parents[2] / "weka_plugin" / "examples" / "PredictLabelSets.java"


def ran(folder: Path) -> subprocess.CompletedProcess[str]:
    jars = f"{find_weka_jar()}:{plugin().jar}"
    command = [str(java()), "-cp", jars, str(EXAMPLE), "model.json", "data.arff"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.needs("weka")
def test_the_example_predicts_as_the_model_does(tmp_path: Path) -> None:
    dataset = random_sets(5)
    committee = induce(dataset, LabelSetOptions())
    assert committee.rules
    write_committee(committee, tmp_path / "model.json")
    columns = dataset.columns[::-1]  # the attributes are found by name
    attributes = dataset.schema.attributes[::-1]
    relation = Relation("rows", attributes, columns, np.ones(dataset.n_samples))
    write_arff(relation, tmp_path / "data.arff")
    done = ran(tmp_path)
    assert done.returncode == 0, done.stderr
    labels = dataset.schema.labels.values
    for row, (line, held) in enumerate(
        zip(done.stdout.splitlines(), committee.predict_sets(dataset), strict=True), start=1
    ):
        assert line == f"{row} {','.join(labels[j] for j in np.flatnonzero(held))}"


@pytest.mark.needs("weka")
def test_a_committee_for_one_class_is_refused(tmp_path: Path) -> None:
    from widc_arff import read_arff, read_dataset

    iris = str(Path(__file__).parents[2] / "arff_data" / "iris.arff")
    write_committee(induce(read_dataset(iris)), tmp_path / "model.json")
    write_arff(read_arff(iris), tmp_path / "data.arff")
    done = ran(tmp_path)
    assert done.returncode != 0
    assert "expected a committee for label sets, got one for the class 'class'" in done.stderr
