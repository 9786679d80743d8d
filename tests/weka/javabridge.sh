#!/usr/bin/env bash
# The classifier under python-weka-wrapper3 on python-javabridge, in an environment of its own:
#   tests/weka/javabridge.sh [FOLDER]
# Needs a JDK and a C compiler.  Prints the error of a cross-validation there and with our own
# command, and fails if they differ.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:-$(mktemp -d)}
javac=$(readlink -f "$(command -v javac)")
export JAVA_HOME=${JAVA_HOME:-${javac%/bin/javac}}

python3 -m venv "$folder/env"
source "$folder/env/bin/activate"
pip install -q "numpy<2" "cython<3.1" wheel setuptools
pip install -q --no-build-isolation python-javabridge
pip install -q --no-build-isolation "python-weka-wrapper3==0.2.16"
pip install -q "$root"
python -m weka_plugin build -o "$folder"

WIDC_PYTHON=$(command -v python) python - "$folder/widc.jar" "$root/arff_data/iris.arff" <<'PYTHON'
import sys

import weka.core.jvm as jvm

jvm.start(class_path=[sys.argv[1]], packages=False)
try:  # an exception before the stop would leave the process hanging
    from weka.classifiers import Classifier, Evaluation
    from weka.core.classes import Random
    from weka.core.converters import Loader

    data = Loader("weka.core.converters.ArffLoader").load_file(sys.argv[2])
    data.class_is_last()
    evaluation = Evaluation(data)
    classifier = Classifier(classname="weka.classifiers.rules.WIDC")
    evaluation.crossvalidate_model(classifier, data, 10, Random(1))
    there = evaluation.percent_incorrect
finally:
    jvm.stop()

from widc_arff import Dataset, Options, read_arff
from widc_arff.evaluation.cross_validation import Folding, cross_validate

dataset = Dataset.from_relation(read_arff(sys.argv[2]))
here = 100 * cross_validate(dataset, Options(), Folding()).error
print(f"javabridge {there:.4f} %, widc-arff evaluate {here:.4f} %")
sys.exit(abs(there - here) > 1e-9)
PYTHON
