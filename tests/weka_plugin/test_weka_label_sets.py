"""A committee for label sets in Java, without Python: the example script equals the model."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.label_set_cases import random_sets
from tests.weka.installation import java
from tests.weka.plugin import plugin
from weka_plugin.build import find_javac, find_weka_jar
from widc_arff import Attribute, Relation, write_arff
from widc_arff.induction import induce
from widc_arff.model.model_file import write_committee
from widc_arff.options import LabelSetOptions

EXAMPLES = Path(__file__).parents[2] / "weka_plugin" / "examples"
EXAMPLE = EXAMPLES / "PredictLabelSets.java"

STAND_IN_FOR_MEKA = """package meka.classifiers.multilabel;

import weka.core.Instances;

/** Has what the example uses of MEKA: labels first, their number as the index of the class. */
public abstract class AbstractMultiLabelClassifier extends weka.classifiers.AbstractClassifier {
    public static void runClassifier(AbstractMultiLabelClassifier classifier, String[] options) {
        try {
            int labels = Integer.parseInt(weka.core.Utils.getOption('L', options));
            String data = weka.core.Utils.getOption('t', options);
            classifier.setOptions(options);
            Instances rows = weka.core.converters.ConverterUtils.DataSource.read(data);
            rows.setClassIndex(labels);
            classifier.buildClassifier(rows);
            for (int i = 0; i < rows.numInstances(); i++) {
                System.out.println(java.util.Arrays.toString(
                    classifier.distributionForInstance(rows.instance(i))));
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
"""


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


@pytest.mark.needs("weka")
def test_the_example_for_meka_gives_probabilities_in_the_order_of_the_rows(tmp_path: Path) -> None:
    """MEKA itself is not at hand; a stand-in has the one class of it that the example uses."""
    dataset = random_sets(5)
    committee = induce(dataset, LabelSetOptions())
    write_committee(committee, tmp_path / "model.json")
    labels = dataset.schema.labels.values[::-1]  # the labels are found by name
    columns = [*(np.zeros(dataset.n_samples, np.int8) for _ in labels), *dataset.columns]
    attributes = [
        *(Attribute(label, "nominal", ("0", "1")) for label in labels),
        *dataset.schema.attributes,
    ]
    relation = Relation("rows", tuple(attributes), tuple(columns), np.ones(dataset.n_samples))
    write_arff(relation, tmp_path / "data.arff")
    (tmp_path / "AbstractMultiLabelClassifier.java").write_text(STAND_IN_FOR_MEKA)
    jars = f"{find_weka_jar()}:{plugin().jar}"
    sources = [tmp_path / "AbstractMultiLabelClassifier.java", EXAMPLES / "MekaLabelSets.java"]
    compile_ = [find_javac(), "-cp", jars, "-d", str(tmp_path), *map(str, sources)]
    subprocess.run(compile_, check=True, capture_output=True)
    command = [str(java()), "-cp", f"{jars}:{tmp_path}", "MekaLabelSets"]
    command += ["-L", str(len(labels)), "-M", "model.json", "-t", "data.arff"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = [[float(p) for p in line[1:-1].split(",")] for line in done.stdout.splitlines()]
    np.testing.assert_allclose(told, committee.predict_proba(dataset)[:, ::-1], rtol=1e-12)
