"""Compare refined pruning with other learners whose models people read, and with a forest.

``pip install -r tests/benchmarks/peers-requirements.txt``, then ``python tests/benchmarks/peers.py
FILE.arff ... [--weka weka.jar] [--learners NAME,...]`` prints a table in Markdown: for each file
and learner the error in percent and the number of conditions, both means over ten folds (those of
Weka with seed 1, the same for all).  Seeds of learners are 0.

- ``widc``: refined pruning as it comes;
- ``cart``: scikit-learn's tree, its cost-complexity pruning chosen by five inner folds: the
  smallest tree within one standard error of the best;
- ``figs``: a sum of trees (imodels), as it comes;
- ``ripper``: RIPPER of wittgenstein, as it comes; two classes only;
- ``ebm``: an additive model (interpret), as it comes; its size is the number of its terms, each a
  curve or a surface, and so no number of conditions;
- ``forest``: scikit-learn's random forest, 100 trees;
- ``j48``, ``part``, ``jrip``: Weka's, with ``--weka``; their size is that of the model of all rows.

Conditions are literals of rules and inner nodes of trees.  For learners of numbers a nominal
attribute of three values or more becomes a column for each, and a missing number the median of the
training rows.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from widc_arff.arff.reader import read_arff
from widc_arff.data.dataset import Dataset
from widc_arff.evaluation.cross_validation import folds_of, training_and_test
from widc_arff.induction import induce

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]
    Codes = NDArray[np.int64]
    Learned = tuple[Codes, float]
    """Classes of the test rows, and the size of what was learned."""

SEED = 1
N_FOLDS = 10
N_INNER_FOLDS = 5
WEKA = {"j48": "trees.J48", "part": "rules.PART", "jrip": "rules.JRip"}


def columns_of(dataset: Dataset) -> Matrix:
    """Return numbers, NaN where missing; nominal values are 0 and 1."""
    columns = []
    for attribute, column in zip(dataset.schema.attributes, dataset.columns, strict=True):
        if attribute.type == "nominal" and len(attribute.values) > 2:
            columns += [(column == code).astype(float) for code in range(len(attribute.values))]
        elif attribute.type == "nominal":
            columns.append((column == 1).astype(float))
        else:
            columns.append(column.astype(float))
    return np.stack(columns, axis=1)


def numbers(training: Dataset, test: Dataset) -> tuple[Matrix, Codes, Matrix]:
    """Return X and y to learn from and X to predict, without missing numbers."""
    X, new = columns_of(training), columns_of(test)
    medians = np.array(
        [np.nan_to_num(np.median(c[~np.isnan(c)])) if (~np.isnan(c)).any() else 0.0 for c in X.T]
    )
    X, new = (np.where(np.isnan(values), medians, values) for values in (X, new))
    return X, np.asarray(training.classes, np.int64), new


def widc(training: Dataset, test: Dataset) -> Learned:
    committee = induce(training)
    return committee.predict_codes(test), committee.n_literals


def cart(training: Dataset, test: Dataset) -> Learned:
    from sklearn.model_selection import StratifiedKFold, cross_val_score
    from sklearn.tree import DecisionTreeClassifier

    X, y, new = numbers(training, test)
    path = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y)
    alphas = np.unique(np.maximum(path.ccp_alphas, 0.0))
    alphas = alphas[np.linspace(0, len(alphas) - 1, min(len(alphas), 30)).astype(int)]
    inner = StratifiedKFold(N_INNER_FOLDS, shuffle=True, random_state=0)
    scores = np.array(
        [
            cross_val_score(DecisionTreeClassifier(ccp_alpha=a, random_state=0), X, y, cv=inner)
            for a in alphas
        ]
    )
    means = scores.mean(axis=1)
    best = int(means.argmax())
    least = means[best] - scores[best].std(ddof=1) / np.sqrt(N_INNER_FOLDS)
    alpha = alphas[np.flatnonzero(means >= least)[-1]]
    tree = DecisionTreeClassifier(ccp_alpha=alpha, random_state=0).fit(X, y)
    return tree.predict(new), tree.tree_.node_count - tree.get_n_leaves()


def figs(training: Dataset, test: Dataset) -> Learned:
    from imodels import FIGSClassifier

    X, y, new = numbers(training, test)
    np.random.seed(0)  # noqa: NPY002 - its stumps draw from the global generator
    model = FIGSClassifier(random_state=0).fit(X, y)
    return np.asarray(model.predict(new), np.int64), model.complexity_


def ripper(training: Dataset, test: Dataset) -> Learned:
    from wittgenstein import RIPPER

    if training.schema.n_classes > 2:
        raise ValueError("two classes only")
    X, y, new = numbers(training, test)
    rarer = int(np.bincount(y, minlength=2).argmin())
    model = RIPPER(random_state=0)
    model.fit(X, y=y, pos_class=rarer)
    covered = np.asarray(model.predict(new), bool)
    size = sum(len(rule.conds) for rule in model.ruleset_.rules)
    return np.where(covered, rarer, 1 - rarer), size


def ebm(training: Dataset, test: Dataset) -> Learned:
    from interpret.glassbox import ExplainableBoostingClassifier

    X, y, new = numbers(training, test)
    model = ExplainableBoostingClassifier(random_state=0, n_jobs=1).fit(X, y)
    return np.asarray(model.predict(new), np.int64), len(model.term_names_)


def forest(training: Dataset, test: Dataset) -> Learned:
    from sklearn.ensemble import RandomForestClassifier

    X, y, new = numbers(training, test)
    model = RandomForestClassifier(random_state=0).fit(X, y)
    size = sum(tree.tree_.node_count - tree.tree_.n_leaves for tree in model.estimators_)
    return model.predict(new), size


LEARNERS: dict[str, Callable[[Dataset, Dataset], Learned]] = {
    learn.__name__: learn for learn in (widc, cart, figs, ripper, ebm, forest)
}


def measured(learn: Callable[[Dataset, Dataset], Learned], data: Dataset) -> tuple[float, float]:
    """Return error in percent and size, means over the folds."""
    wrong, sizes = 0, []
    for rows in folds_of(data, min(N_FOLDS, data.n_samples), SEED):
        training, test = training_and_test(data, rows)
        predicted, size = learn(training, test)
        wrong += int((predicted != test.classes).sum())
        sizes.append(size)
    return 100 * wrong / data.n_samples, float(np.mean(sizes))


def of_weka(jar: str, name: str, path: str) -> tuple[float, float]:
    """Return what Weka says of the same folds, and the size of its model of all rows."""
    command = ["java", "-cp", jar, f"weka.classifiers.{WEKA[name]}", "-t", path]
    command += ["-x", str(N_FOLDS), "-s", str(SEED)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    model = text[text.index("=== Classifier model") : text.index("Time taken to build")]
    validation = text[text.index("=== Stratified cross-validation") :]
    (error,) = re.findall(
        r"^Incorrectly Classified Instances +\S+ +(\S+)", validation, re.MULTILINE
    )
    return float(error), conditions(name, model)


def conditions(name: str, model: str) -> int:
    """Count the conditions in what Weka prints of a model.

    A tree of J48 has a line for each branch; the branches of one node begin at the same depth with
    the same attribute, so a node is where such a run begins.
    """
    if name == "j48":
        lines = re.findall(r"^((?:\|   )*)(.+?) (?:<=|>|=) ", model, re.MULTILINE)
        open_nodes: list[str] = []
        count = 0
        for indent, attribute in lines:
            depth = len(indent) // 4
            if depth >= len(open_nodes) or open_nodes[depth] != attribute:
                count += 1
                open_nodes[depth:] = [attribute]
            else:
                del open_nodes[depth + 1 :]
        return count
    return len(re.findall(r" (?:<=|>=|<|>|=) (?!>)", model.replace("=>", "")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("files", nargs="+", metavar="FILE.arff")
    parser.add_argument("--weka", metavar="weka.jar")
    parser.add_argument("--learners", metavar="NAME,...")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    every_name = [*LEARNERS, *(WEKA if options.weka else ())]
    names = options.learners.split(",") if options.learners else every_name
    found: dict[tuple[str, str], tuple[float, float]] = {}
    say("| file | " + " | ".join(names) + " |")
    say("|---|" + "---:|" * len(names))
    for path in options.files:
        data = Dataset.from_relation(read_arff(path))
        for name in names:
            try:
                found[path, name] = (
                    of_weka(options.weka, name, path)
                    if name in WEKA
                    else measured(LEARNERS[name], data)
                )
            except Exception as fault:  # noqa: BLE001 - the others go on
                sys.stderr.write(f"{path}: {name}: {fault}\n")
        say(row(Path(path).stem, [found.get((path, name)) for name in names]))
    for what, files in (
        ("mean of all", options.files),
        (
            "mean where all answer",
            [p for p in options.files if all((p, n) in found for n in names)],
        ),
    ):
        say(
            row(f"{what} ({len(files)})", [mean([found.get((p, n)) for p in files]) for n in names])
        )


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def mean(pairs: list[tuple[float, float] | None]) -> tuple[float, float] | None:
    """Return the mean error and size, or None if one is not there."""
    there = [pair for pair in pairs if pair is not None]
    if len(there) < len(pairs) or not there:
        return None
    error, size = np.mean(there, axis=0)
    return float(error), float(size)


def row(name: str, pairs: list[tuple[float, float] | None]) -> str:
    cells = ["-" if pair is None else f"{pair[0]:.1f} / {pair[1]:.1f}" for pair in pairs]
    return f"| {name} | " + " | ".join(cells) + " |"


if __name__ == "__main__":
    main()
