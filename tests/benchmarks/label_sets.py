"""Compare one committee for label sets with binary relevance: a classifier for each label.

``python tests/benchmarks/label_sets.py FOLDER [NAME ...]`` reads the multilabel files of FOLDER and
prints, as Markdown, ranking loss and number of conditions over the same folds (Weka's shuffle with
seed 1) of

- one committee, refined; pessimistic with exact vectors and with the paper's approximation;
- binary relevance with scikit-learn's decision trees.  Their depth is chosen by 3 inner folds, in
  two ways: one depth for all labels by ranking loss, or a depth for each label by its log loss;
- binary relevance with committees for one label each, refined and pessimistic.

Conditions are literals of rules and inner nodes of trees, all labels together.  Needs scikit-learn.
"""

from __future__ import annotations

import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from sklearn.metrics import log_loss
from sklearn.tree import DecisionTreeClassifier

sys.path.insert(0, str(Path(__file__).parents[2]))

from widc_arff.arff.reader import read_arff
from widc_arff.data.dataset import Dataset, Labels
from widc_arff.data.label_sets import meka_labels, mulan_labels
from widc_arff.errors import WidcWarning
from widc_arff.evaluation.cross_validation import folds_of, training_and_test
from widc_arff.evaluation.label_set_measures import measure_label_sets
from widc_arff.induction import induce
from widc_arff.induction.vectors.label_sets import ranking_loss_bound
from widc_arff.options import VECTORS, LabelSetOptions, Options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SEED = 1
DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 15, None)
N_INNER_FOLDS = 3


class Domain(NamedTuple):
    """A multilabel file, and into how many folds it is cut."""

    file: str
    n_folds: int = 10
    counts: bool = False

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
    "enron": Domain("enron.arff", n_folds=5),
    "cal500": Domain("cal500.arff"),
    "Music": Domain("meka-Music.arff"),
    "solar_flare": Domain("meka-solar_flare.arff", counts=True),
}


class Learned(NamedTuple):
    """Scores of the test rows' labels, and what was learned."""

    scores: Floats
    n_conditions: int
    z: float = float("nan")


def committee(
    training: Dataset, test: Dataset, pruning: str = "pessimistic", vectors: str = "exact"
) -> Learned:
    """Learn one committee for all labels; without refining Z is the mean over rules as grown."""
    options = LabelSetOptions(pruning, vectors=vectors)
    found = induce(training, options)
    if pruning == "refined":
        return Learned(found.ranking_scores(test), found.n_literals)
    grown = induce(training, replace(options, pruning="none"))
    covers = grown.fires(training)
    bounds = [
        ranking_loss_bound(training.Y[cover], training.weights[cover], np.array(rule.votes))
        for cover, rule in zip(covers.T, grown.rules, strict=True)
    ]
    return Learned(found.ranking_scores(test), found.n_literals, float(np.mean(bounds)))


def single_committees(training: Dataset, test: Dataset, pruning: str) -> Learned:
    """Learn a committee for each label."""
    scores = np.empty(test.Y.shape)
    n_conditions = 0
    for j, label in enumerate(training.schema.labels.values):
        found = induce(_of_label(training, j, label), Options(pruning=pruning))
        scores[:, j] = found.predict_proba(_of_label(test, j, label))[:, 1]
        n_conditions += found.n_literals
    return Learned(scores, n_conditions)


def _of_label(dataset: Dataset, j: int, label: str) -> Dataset:
    schema = replace(dataset.schema, labels=Labels("single", (label,), ("0", "1")))
    Y = np.stack([~dataset.Y[:, j], dataset.Y[:, j]], axis=1)
    return replace(dataset, schema=schema, Y=Y, complete=None)


def trees(training: Dataset, test: Dataset, *, depth_per_label: bool) -> Learned:
    """Learn a tree for each label."""
    X, X_test = _matrix(training), _matrix(test)
    n_labels = training.Y.shape[1]
    inner = np.random.default_rng(SEED).permutation(len(X)) % N_INNER_FOLDS
    scores = np.zeros((len(DEPTHS), *training.Y.shape))
    for fold in range(N_INNER_FOLDS):
        out, within = inner == fold, inner != fold
        for d, depth in enumerate(DEPTHS):
            for j in range(n_labels):
                scores[d, out, j] = _tree(X[within], training.Y[within, j], X[out], depth)[0]
    if depth_per_label:
        losses = np.array(
            [
                [
                    log_loss(training.Y[:, j], of_depth[:, j], labels=[False, True])
                    for j in range(n_labels)
                ]
                for of_depth in scores
            ]
        )
        best = losses.argmin(axis=0)
    else:
        of_depths = [ranking_loss(of_depth, training) for of_depth in scores]
        best = np.full(n_labels, int(np.argmin(of_depths)))
    found = [_tree(X, training.Y[:, j], X_test, DEPTHS[d]) for j, d in enumerate(best)]
    return Learned(np.stack([s for s, _ in found], axis=1), sum(n for _, n in found))


def _tree(X: Floats, y: NDArray[np.bool_], X_test: Floats, depth: int | None) -> tuple[Floats, int]:
    """Return the probability of the label for test rows, and the number of inner nodes."""
    if y.all() or not y.any():
        return np.full(len(X_test), float(y[0])), 0
    tree = DecisionTreeClassifier(max_depth=depth, random_state=SEED).fit(X, y)
    n_nodes = tree.tree_.node_count
    return tree.predict_proba(X_test)[:, 1], (n_nodes - 1) // 2


def _matrix(dataset: Dataset) -> Floats:
    """Return numeric columns as they are, and nominal ones as an indicator of each value."""
    columns = []
    for attribute, column in zip(dataset.schema.attributes, dataset.columns, strict=True):
        if attribute.type == "nominal":
            columns += [column == v for v in range(len(attribute.values))]
        else:
            columns.append(np.asarray(column, np.float64))
    return np.stack(columns, axis=1).astype(np.float64)


def ranking_loss(scores: Floats, dataset: Dataset) -> float:
    """Return the ranking loss of scores for the rows of a data set."""
    known = dataset.labelled
    predicted = np.zeros_like(dataset.Y[known])
    measures = measure_label_sets(
        scores[known], predicted, dataset.Y[known], dataset.weights[known]
    )
    return measures.ranking_loss


LEARNERS: dict[str, Callable[[Dataset, Dataset], Learned]] = {
    "committee, refined": partial(committee, pruning="refined"),
    **{
        f"committee, pessimistic, {vectors}": partial(committee, vectors=vectors)
        for vectors in VECTORS
    },
    "trees, one depth": partial(trees, depth_per_label=False),
    "trees, depth per label": partial(trees, depth_per_label=True),
    "committees, refined": partial(single_committees, pruning="refined"),
    "committees, pessimistic": partial(single_committees, pruning="pessimistic"),
}


def run_fold(dataset: Dataset, learner: str, test_rows: NDArray[np.int64]) -> tuple[Learned, float]:
    """Return what a learner learned outside of a fold, and how many seconds it took."""
    training, test = training_and_test(dataset, test_rows)
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)
        learned = LEARNERS[learner](training, test)
    return learned, time.perf_counter() - start


def compare(name: str, folder: Path) -> Iterator[str]:
    """Yield a row for each learner."""
    domain = DOMAINS[name]
    dataset = domain.read(folder)
    folds = folds_of(dataset, domain.n_folds, SEED)
    rows = np.concatenate(folds)
    for learner in LEARNERS:
        with ProcessPoolExecutor(2) as pool:
            results = list(pool.map(partial(run_fold, dataset, learner), folds))
        learned = [outcome for outcome, _ in results]
        scores = np.concatenate([outcome.scores for outcome in learned])
        loss = ranking_loss(scores, dataset.take(rows))
        n_conditions = np.mean([outcome.n_conditions for outcome in learned])
        z = np.mean([outcome.z for outcome in learned])
        elapsed_s = np.mean([elapsed for _, elapsed in results])
        yield (
            f"| {name} | {domain.n_folds} | {learner} | {loss:.4f} | {n_conditions:.1f} | "
            f"{'' if np.isnan(z) else f'{z:.4f}'} | {elapsed_s:.1f} |"
        )


def main(folder: str, *names: str) -> None:
    """Print the table."""
    heads = ["data", "folds", "learner", "ranking loss", "conditions", "Z of a rule", "s a fold"]
    sys.stdout.write(f"| {' | '.join(heads)} |\n|---|---:|---|---:|---:|---:|---:|\n")
    for name in names or DOMAINS:
        for row in compare(name, Path(folder)):
            sys.stdout.write(f"{row}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
