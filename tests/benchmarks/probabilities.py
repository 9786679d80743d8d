"""Probabilities of refined committees beside those of other learners, on the same folds.

``python tests/benchmarks/probabilities.py FILE.arff ... [--seeds 1,2,3] [--learners ...]`` prints a
table of means over files and seeds: error, log loss, Brier score, calibration error and area under
the ROC curve (mean over the classes, by weight), and those of each file with ``--each``.  The class
is the last attribute.  Weka's learners run in weka.jar, with its folds; ``CART`` is scikit-learn's
tree with cost-complexity pruning, its alpha chosen by five inner folds.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from argparse import ArgumentParser
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.benchmarks.contenders import table
from weka_plugin.build import find_weka_jar
from widc_arff import Options
from widc_arff.arff.reader import read_arff
from widc_arff.dataset import Dataset
from widc_arff.evaluation.cross_validation import Folding, cross_validate
from widc_arff.evaluation.measures import measure
from widc_arff.evaluation.weka_folds import weka_folds

if TYPE_CHECKING:
    from collections.abc import Callable

    from widc_arff.evaluation.measures import Measures

WEKA = {
    "J48 -A": ["weka.classifiers.trees.J48", "-A"],
    "J48": ["weka.classifiers.trees.J48"],
    "JRip": ["weka.classifiers.rules.JRip"],
    "RandomForest": ["weka.classifiers.trees.RandomForest"],
}
FOLDS = 10
ALPHAS = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)
COLUMNS = ("error %", "log loss", "Brier", "ECE %", "AUC")


def of_widc(options: Options, path: str, seed: int) -> Measures:
    """Return the measures of a committee."""
    dataset = Dataset.from_relation(read_arff(path))
    return cross_validate(dataset, options, Folding(FOLDS, seed)).measures


def of_weka(words: list[str], path: str, seed: int) -> Measures:
    """Return the measures of a learner of Weka, from the predictions that it prints."""
    labels = Dataset.from_relation(read_arff(path)).schema.labels.values
    with TemporaryDirectory() as folder:
        out = Path(folder) / "predictions.csv"
        printer = "weka.classifiers.evaluation.output.prediction.CSV"
        printer += f" -distribution -decimals 17 -suppress -file {out}"
        command = ["java", "-cp", str(find_weka_jar()), words[0], "-t", path, *words[1:], "-o"]
        command += ["-x", str(FOLDS), "-s", str(seed), "-classifications", printer]
        subprocess.run(command, check=True, capture_output=True)
        with out.open(newline="") as stream:
            rows = [row for row in csv.reader(stream) if row and row[0].isdigit()]
    actual = [int(row[1].split(":")[0]) - 1 if row[1] != "1:?" else -1 for row in rows]
    predicted = [int(row[2].split(":")[0]) - 1 for row in rows]
    p = np.array([[float(cell.lstrip("*")) for cell in row[-len(labels) :]] for row in rows])
    return measure(actual, predicted, p.clip(0, 1))  # Weka's -A has some of -1e-16


def of_cart(path: str, seed: int) -> Measures:
    """Return the measures of scikit-learn's tree."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier

    X, y = table(path)
    n_classes = len(Dataset.from_relation(read_arff(path)).schema.labels.values)
    actual, predicted, told = [], [], []
    for test in weka_folds(y, FOLDS, seed):
        train = np.setdiff1d(np.flatnonzero(y >= 0), test)
        tree = DecisionTreeClassifier(random_state=0)
        n_folds = max(2, min(5, np.bincount(y[train]).max()))
        search = GridSearchCV(tree, {"ccp_alpha": ALPHAS}, cv=n_folds).fit(X[train], y[train])
        p = np.zeros((len(test), n_classes))
        p[:, search.classes_] = search.predict_proba(X[test])
        actual.append(y[test])
        predicted.append(search.predict(X[test]))
        told.append(p)
    return measure(np.concatenate(actual), np.concatenate(predicted), np.concatenate(told))


LEARNERS: dict[str, Callable[[str, int], Measures]] = {
    "refined": partial(of_widc, Options()),
    "pessimistic": partial(of_widc, Options(pruning="pessimistic")),
    "CART": of_cart,
    **{name: partial(of_weka, words) for name, words in WEKA.items()},
}


def figures(task: tuple[str, str, int]) -> list[float]:
    """Return the columns of one learner on one file with one seed."""
    import warnings

    warnings.simplefilter("ignore")  # such as of classes that are rarer than folds
    learner, path, seed = task
    m = LEARNERS[learner](path, seed)
    area = m.weighted_average.roc_area
    classes = m.confusion.sum(axis=1)
    if np.isnan(area):
        areas = np.array([c.roc_area for c in m.per_class])
        known = ~np.isnan(areas) & (classes > 0)
        area = float(areas[known] @ classes[known] / classes[known].sum())
    return [100 * m.error, m.log_loss, m.brier_score, 100 * m.calibration_error, area]


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--learners", default="refined,J48 -A,JRip,CART,RandomForest")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--each", action="store_true")
    arguments = parser.parse_args()
    seeds = [int(seed) for seed in arguments.seeds.split(",")]
    learners = arguments.learners.split(",")
    tasks = [(name, path, s) for path in arguments.files for s in seeds for name in learners]
    with ProcessPoolExecutor(arguments.jobs) as pool:
        found = np.array(list(pool.map(figures, tasks)))
    by_file = found.reshape(len(arguments.files), len(seeds), len(learners), -1).mean(axis=1)
    lines = [f"| mean of {len(arguments.files)} files | {' | '.join(COLUMNS)} |"]
    lines.append(f"|---|{'---:|' * len(COLUMNS)}")
    for k, name in enumerate(learners):
        lines.append(f"| {name} | {' | '.join(map(_shown, by_file[:, k].mean(axis=0)))} |")
    if arguments.each:
        for path, of_file in zip(arguments.files, by_file, strict=True):
            for name, row in zip(learners, of_file, strict=True):
                lines.append(f"{Path(path).stem:<20} {name:<14} {'  '.join(map(_shown, row))}")
    sys.stdout.write("\n".join([*lines, ""]))


def _shown(number: float) -> str:
    return f"{number:.3f}"


if __name__ == "__main__":
    main()
