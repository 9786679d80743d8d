"""Compare one committee for label sets with others, and with a classifier for each label.

``python tests/benchmarks/label_sets.py FOLDER [NAME ...]`` reads the multilabel files of FOLDER and
prints, as Markdown, over the same folds (Weka's shuffle, ten folds with the seeds 1 to 3, five for
large files with seed 1): Hamming loss, rows whose whole set is right, micro and macro F1, ranking
loss (pairs that tie count half), log loss, calibration error in ten bins, the number of conditions
and the CPU time of a fold, of

- one committee that aims at sets, and one that aims at the ranking;
- a committee for each label, and classifier chains of such;
- scikit-learn's decision tree for each label, its depth chosen by 3 inner folds by log loss;
- the frequencies of the labels in training.

Conditions are literals of rules and inner nodes of trees, all labels together.  ``--plot FILE.svg``
draws how often rows have labels that are given some probability.  Needs scikit-learn.
"""

from __future__ import annotations

import sys
import time
import warnings
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from sklearn.metrics import log_loss
from sklearn.tree import DecisionTreeClassifier

sys.path.insert(0, str(Path(__file__).parents[2]))

from widc_arff.arff.reader import read_arff
from widc_arff.data.dataset import Dataset
from widc_arff.data.label_sets import meka_labels, mulan_labels
from widc_arff.evaluation.cross_validation import folds_of, training_and_test
from widc_arff.evaluation.curves import calibration_bins
from widc_arff.evaluation.label_by_label import label_by_label
from widc_arff.evaluation.label_set_measures import measure_label_sets
from widc_arff.induction import induce
from widc_arff.model.decision import ranking_losses
from widc_arff.options import LabelSetOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from widc_arff.evaluation.curves import CalibrationBin

    Floats = NDArray[np.float64]

SEED, SEEDS = 1, (1, 2, 3)
"""Of trees, and of the folds: the first one alone for large files."""
FOLDS = 10
"""Folds of small files."""
LEAST_IN_BIN = 20
"""Decisions in a bin that is drawn."""
DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 15, None)
N_INNER_FOLDS = 3


class Domain(NamedTuple):
    """A multilabel file, the number of folds, and whether trees choose their depths in minutes."""

    file: str
    n_folds: int = FOLDS
    counts: bool = False
    are_trees_fast: bool = True

    def read(self, folder: Path) -> Dataset:
        """Return the examples; the labels are told by the XML beside the file or by its name."""
        path = folder / self.file
        relation = read_arff(path)
        xml = path.with_suffix(".xml")
        labels = mulan_labels(xml) if xml.exists() else meka_labels(relation)
        return Dataset.from_relation(relation, labels=labels, counts=self.counts)


DOMAINS = {
    "emotions": Domain("emotions.arff"),
    "flags": Domain("flags.arff"),
    "enron": Domain("enron.arff", n_folds=5, are_trees_fast=False),
    "cal500": Domain("cal500.arff", n_folds=5),
    "Music": Domain("meka-Music.arff"),
    "solar_flare": Domain("meka-solar_flare.arff", counts=True),
}


class Learned(NamedTuple):
    """What is said of the test rows' labels, and how much was learned."""

    probabilities: Floats
    predicted: NDArray[np.bool_]
    n_conditions: int


def committee(training: Dataset, test: Dataset, aim: str) -> Learned:
    """Learn one committee for all labels."""
    found = induce(training, LabelSetOptions(aim=aim))
    return Learned(found.predict_proba(test), found.predict_sets(test), found.n_literals)


def committees(training: Dataset, test: Dataset, way: str) -> Learned:
    """Learn a committee for each label."""
    found = label_by_label(training, test, LabelSetOptions(), way)
    return Learned(found.probabilities, found.predicted, found.n_literals)


def trees(training: Dataset, test: Dataset) -> Learned:
    """Learn a tree for each label."""
    X, X_test = _matrix(training), _matrix(test)
    inner = np.random.default_rng(SEED).permutation(len(X)) % N_INNER_FOLDS
    probabilities, n_nodes = np.zeros(test.Y.shape), 0
    for j, y in enumerate(training.Y.T):
        losses = np.zeros(len(DEPTHS))
        for fold in range(N_INNER_FOLDS):
            out, within = inner == fold, inner != fold
            for d, depth in enumerate(DEPTHS):
                scores = _tree(X[within], y[within], X[out], depth)[0]
                losses[d] += log_loss(y[out], scores, labels=[False, True]) * out.sum()
        probabilities[:, j], n = _tree(X, y, X_test, DEPTHS[int(losses.argmin())])
        n_nodes += n
    return Learned(probabilities, probabilities >= 0.5, n_nodes)


def _tree(X: Floats, y: NDArray[np.bool_], X_test: Floats, depth: int | None) -> tuple[Floats, int]:
    """Return the probability of the label for test rows, and the number of inner nodes."""
    if y.all() or not y.any():
        return np.full(len(X_test), float(y[0])), 0
    tree = DecisionTreeClassifier(max_depth=depth, random_state=SEED).fit(X, y)
    return tree.predict_proba(X_test)[:, 1], (tree.tree_.node_count - 1) // 2


def frequencies(training: Dataset, test: Dataset) -> Learned:
    """Say of each label how often it occurs."""
    shares = (training.Y.sum(axis=0) + 0.5) / (len(training.Y) + 1)
    probabilities = np.repeat(shares[None], len(test.Y), axis=0)
    return Learned(probabilities, probabilities >= 0.5, 0)


def _matrix(dataset: Dataset) -> Floats:
    """Return numeric columns as they are, and nominal ones as an indicator of each value."""
    columns = []
    for attribute, column in zip(dataset.schema.attributes, dataset.columns, strict=True):
        if attribute.type == "nominal":
            columns += [column == v for v in range(len(attribute.values))]
        else:
            columns.append(np.asarray(column, np.float64))
    return np.stack(columns, axis=1).astype(np.float64)


def ranking_loss(scores: Floats, Y: NDArray[np.bool_]) -> float:
    """Return the mean ranking loss; pairs of equal scores count half, whoever made them."""
    strict, ties = ranking_losses(scores, Y), ranking_losses(-scores, Y)
    ranked = (Y.any(axis=1)) & (~Y.all(axis=1))
    return float(np.where(ranked, (strict + 1 - ties) / 2, 0.0).mean())


LEARNERS: dict[str, Callable[[Dataset, Dataset], Learned]] = {
    "one committee, aim sets": partial(committee, aim="sets"),
    "one committee, aim ranking": partial(committee, aim="ranking"),
    "one committee per label": partial(committees, way="labels"),
    "classifier chains": partial(committees, way="chains"),
    "one tree per label": trees,
    "frequencies": frequencies,
}


def row_of(name: str, learner: str, dataset: Dataset, domain: Domain) -> tuple[str, Learned]:
    """Return a row of the table, and what was said of all rows in their order."""
    found, seconds = [], 0.0
    seeds = SEEDS if domain.n_folds == FOLDS else SEEDS[:1]
    folds = [rows for seed in seeds for rows in folds_of(dataset, domain.n_folds, seed)]
    for test_rows in folds:
        training, test = training_and_test(dataset, test_rows)
        start = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.append(LEARNERS[learner](training, test))
        seconds += time.process_time() - start
    tested = dataset.take(np.concatenate(folds))
    probabilities = np.concatenate([learned.probabilities for learned in found])
    predicted = np.concatenate([learned.predicted for learned in found])
    m = measure_label_sets(probabilities, predicted, tested.Y, tested.weights, probabilities)
    n_conditions = np.mean([learned.n_conditions for learned in found])
    shares = m.hamming_loss, m.subset_accuracy, m.micro_f1, m.macro_f1
    cells = [f"{100 * share:.1f}" for share in (*shares, ranking_loss(probabilities, tested.Y))]
    cells += [f"{m.log_loss:.3f}", f"{100 * m.calibration_error:.1f}", f"{n_conditions:.1f}"]
    cells.append(f"{seconds / len(folds):.2f}")
    text = f"| {name} | {learner} | {' | '.join(cells)} |"
    return text, Learned(probabilities, tested.Y, 0)


def main(folder: str, *names: str, plot: str | None = None) -> None:
    """Print the table."""
    heads = ["Hamming %", "exact %", "micro F1", "macro F1", "ranking %", "log loss", "ECE %"]
    heads += ["conditions", "CPU s"]
    sys.stdout.write(f"| data | learner | {' | '.join(heads)} |\n|---|---|{'---:|' * len(heads)}\n")
    points: dict[str, tuple[CalibrationBin, ...]] = {}
    for name in names or DOMAINS:
        dataset = DOMAINS[name].read(Path(folder))
        for learner, learn in LEARNERS.items():
            if learn is trees and not DOMAINS[name].are_trees_fast:
                continue
            text, said = row_of(name, learner, dataset, DOMAINS[name])
            sys.stdout.write(f"{text}\n")
            sys.stdout.flush()
            if learner == "one committee, aim sets":
                chances, held = said.probabilities.ravel(), said.predicted.ravel()
                points[name] = calibration_bins(chances, held, np.ones(len(chances)))
    if plot is not None:
        Path(plot).write_text(reliability_plot(points), encoding="utf-8")


COLOURS = ("#1b6ca8", "#c8553d", "#588157", "#8e6c8a", "#b08900", "#4a4a4a")


def reliability_plot(points: dict[str, tuple[CalibrationBin, ...]]) -> str:
    """Return a plot of how often labels are there, by the probability that they were given."""

    def place(share: float, *, up: bool = False) -> str:
        return f"{(340 - 300 * share if up else 50 + 300 * share):.1f}"

    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="520" height="390">',
        '<g font-family="sans-serif" font-size="12">',
        '<rect width="520" height="390" fill="white"/>',
        '<path d="M50,340 L350,40" stroke="#999" stroke-dasharray="4 4"/>',
        '<path d="M50,40 V340 H350" fill="none" stroke="#333"/>',
        '<text x="200" y="380" text-anchor="middle">probability of a label</text>',
        '<text x="10" y="24">share of rows that have it</text>',
    ]
    for tenth in range(0, 11, 2):
        share = tenth / 10
        parts.append(f'<text x="{place(share)}" y="356" text-anchor="middle">{share:g}</text>')
        parts.append(f'<text x="44" y="{place(share, up=True)}" text-anchor="end">{share:g}</text>')
    for k, (name, bins) in enumerate(points.items()):
        held = [b for b in bins if b.weight >= LEAST_IN_BIN]
        line = " ".join(f"{place(b.predicted)},{place(b.observed, up=True)}" for b in held)
        colour, y = COLOURS[k % len(COLOURS)], 60 + 20 * k
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}"/>')
        for b in held:
            x, height = place(b.predicted), place(b.observed, up=True)
            parts.append(f'<circle cx="{x}" cy="{height}" r="3.5" fill="{colour}"/>')
        parts.append(f'<circle cx="380" cy="{y - 4}" r="4" fill="{colour}"/>')
        parts.append(f'<text x="392" y="{y}">{name}</text>')
    return "\n".join([*parts, "</g>", "</svg>", ""])


if __name__ == "__main__":
    arguments = sys.argv[1:]
    drawn = None
    if "--plot" in arguments:
        at = arguments.index("--plot")
        drawn = arguments[at + 1]
        del arguments[at : at + 2]
    main(*arguments, plot=drawn)
