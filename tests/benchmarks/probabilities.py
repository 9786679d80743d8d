"""Probabilities of refined committees beside those of other learners, on the same folds.

``python tests/benchmarks/probabilities.py FILE.arff ... [--seeds 1,2,3] [--learners ...]`` prints a
table of means over files and seeds: error, log loss, Brier score, calibration error and area under
the ROC curve (mean over the classes, by weight), and those of each file with ``--each``;
``--plot OUT.svg`` draws how often decisions of a probability are right, over all predictions.  The
class is the last attribute.  Weka's learners run in weka.jar, with its folds; ``CART`` is
scikit-learn's tree with cost-complexity pruning, its alpha chosen by five inner folds.
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
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.benchmarks.contenders import table
from tests.reproduction.plots import COLOURS, MARKERS, STYLE
from weka_plugin.build import find_weka_jar
from widc_arff import Options
from widc_arff.arff.reader import read_arff
from widc_arff.data.dataset import Dataset
from widc_arff.evaluation.cross_validation import Folding, cross_validate
from widc_arff.evaluation.curves import calibration_bins
from widc_arff.evaluation.measures import measure
from widc_arff.evaluation.weka_folds import weka_folds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

WEKA = {
    "J48 -A": ["weka.classifiers.trees.J48", "-A"],
    "J48": ["weka.classifiers.trees.J48"],
    "JRip": ["weka.classifiers.rules.JRip"],
    "RandomForest": ["weka.classifiers.trees.RandomForest"],
}
FOLDS = 10
ALPHAS = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)
LEAST_SHARE = 0.002
"""Of rows: bins with fewer are not drawn."""
COLUMNS = ("error %", "log loss", "Brier", "ECE %", "AUC")


class Predictions(NamedTuple):
    """Of all test rows: true class, decision, probabilities of the classes."""

    actual: NDArray[np.int64]
    predicted: NDArray[np.int64]
    probabilities: NDArray[np.float64]


def of_widc(options: Options, path: str, seed: int) -> Predictions:
    """Return the predictions of committees."""
    dataset = Dataset.from_relation(read_arff(path))
    of_folds = cross_validate(dataset, options, Folding(FOLDS, seed)).predictions
    return joined([(p.actual, p.predicted, p.probabilities) for p in of_folds])


def of_weka(words: list[str], path: str, seed: int) -> Predictions:
    """Return the predictions that a learner of Weka prints."""
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
    return Predictions(np.array(actual), np.array(predicted), p.clip(0, 1))  # -A has some of -1e-16


def of_cart(path: str, seed: int) -> Predictions:
    """Return the predictions of scikit-learn's trees."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier

    X, y = table(path)
    n_classes = len(Dataset.from_relation(read_arff(path)).schema.labels.values)
    of_folds = []
    for test in weka_folds(y, FOLDS, seed):
        train = np.setdiff1d(np.flatnonzero(y >= 0), test)
        tree = DecisionTreeClassifier(random_state=0)
        n_folds = max(2, min(5, np.bincount(y[train]).max()))
        search = GridSearchCV(tree, {"ccp_alpha": ALPHAS}, cv=n_folds).fit(X[train], y[train])
        p = np.zeros((len(test), n_classes))
        p[:, search.classes_] = search.predict_proba(X[test])
        of_folds.append((y[test], search.predict(X[test]), p))
    return joined(of_folds)


def joined(of_folds: Sequence[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]]) -> Predictions:
    """Return the predictions of all folds."""
    return Predictions(*(np.concatenate(parts) for parts in zip(*of_folds, strict=True)))


LEARNERS: dict[str, Callable[[str, int], Predictions]] = {
    "refined": partial(of_widc, Options()),
    "pessimistic": partial(of_widc, Options(pruning="pessimistic")),
    "CART": of_cart,
    **{name: partial(of_weka, words) for name, words in WEKA.items()},
}


def figures(task: tuple[str, str, int]) -> tuple[list[float], NDArray[np.float64]]:
    """Return the columns of one learner on one file with one seed, and chances of decisions.

    The latter are two rows: the probability of each decision, and whether it is right.
    """
    import warnings

    warnings.simplefilter("ignore")  # such as of classes that are rarer than folds
    learner, path, seed = task
    actual, predicted, p = LEARNERS[learner](path, seed)
    m = measure(actual, predicted, p)
    area = m.weighted_average.roc_area
    if np.isnan(area):
        areas, classes = np.array([c.roc_area for c in m.per_class]), m.confusion.sum(axis=1)
        known = ~np.isnan(areas) & (classes > 0)
        area = float(areas[known] @ classes[known] / classes[known].sum())
    chances = np.array([p[np.arange(len(p)), predicted], predicted == actual])[:, actual >= 0]
    columns = [100 * m.error, m.log_loss, m.brier_score, 100 * m.calibration_error, area]
    return columns, chances


def drawn(chances: dict[str, NDArray[np.float64]], path: str) -> None:
    """Draw a reliability diagram, and below it how many decisions have a probability."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        figure = Figure(figsize=(4.6, 5.6), layout="constrained")
        axes, counts = figure.subplots(2, 1, height_ratios=[3, 1], sharex=True)
        axes.plot([0, 1], [0, 1], color="#888888", linewidth=1)
        axes.set(ylabel="share of right decisions", ylim=(0.2, 1.01), xlim=(0.2, 1.01))
        counts.set(xlabel="probability of the decision", ylabel="share of rows")
        for k, (name, (told, right)) in enumerate(chances.items()):
            bins = calibration_bins(told, right > 0, np.ones(len(told)))
            style = {"color": COLOURS[k], "marker": MARKERS[k], "markersize": 4}
            shares = [b.weight / len(told) for b in bins]
            some = [b for b, share in zip(bins, shares, strict=True) if share > LEAST_SHARE]
            axes.plot([b.predicted for b in some], [b.observed for b in some], label=name, **style)
            counts.plot([(b.low + b.high) / 2 for b in bins], shares, **style)
        axes.legend(frameon=False)
        figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--learners", default="refined,J48 -A,JRip,CART,RandomForest")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--plot")
    arguments = parser.parse_args()
    seeds = [int(seed) for seed in arguments.seeds.split(",")]
    learners = arguments.learners.split(",")
    tasks = [(name, path, s) for path in arguments.files for s in seeds for name in learners]
    with ProcessPoolExecutor(arguments.jobs) as pool:
        found, chances = zip(*pool.map(figures, tasks), strict=True)
    by_file = (
        np.array(found).reshape(len(arguments.files), len(seeds), len(learners), -1).mean(axis=1)
    )
    lines = [f"| mean of {len(arguments.files)} files | {' | '.join(COLUMNS)} |"]
    lines.append(f"|---|{'---:|' * len(COLUMNS)}")
    for k, name in enumerate(learners):
        lines.append(f"| {name} | {' | '.join(map(_shown, by_file[:, k].mean(axis=0)))} |")
    if arguments.each:
        for path, of_file in zip(arguments.files, by_file, strict=True):
            for name, row in zip(learners, of_file, strict=True):
                lines.append(f"{Path(path).stem:<20} {name:<14} {'  '.join(map(_shown, row))}")
    sys.stdout.write("\n".join([*lines, ""]))
    if arguments.plot:
        n = len(learners)
        drawn({name: np.hstack(chances[k::n]) for k, name in enumerate(learners)}, arguments.plot)


def _shown(number: float) -> str:
    return f"{number:.3f}"


if __name__ == "__main__":
    main()
