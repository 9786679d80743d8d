"""Learners in Python, as processes.

``python tests/benchmarks/contenders.py train NAME DATA MODEL`` learns and writes a pickle, ``test
MODEL DATA`` prints error and size as JSON (of a committee in JSON too), ``predict MODEL DATA``
prints how long predict() of a committee takes in memory.  Size is the number of conditions:
literals of rules, inner nodes of trees.
"""

from __future__ import annotations

import json
import pickle
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from widc_arff.arff.reader import read_arff
from widc_arff.data.dataset import Dataset
from widc_arff.model.committee import read_committee


def table(path: str):
    """Return numbers and classes; three nominal values or more become a column each."""
    dataset = Dataset.from_relation(read_arff(path))
    columns = []
    for attribute, column in zip(dataset.schema.attributes, dataset.columns, strict=True):
        if attribute.type == "nominal" and len(attribute.values) > 2:
            columns += [column == code for code in range(len(attribute.values))]
        else:
            columns.append(column)
    X = np.stack(columns, axis=1).astype(np.float32)
    return X, dataset.classes


class DecisionTree:
    """scikit-learn's tree as it comes."""

    def __init__(self, X, y) -> None:
        from sklearn.tree import DecisionTreeClassifier

        self.model = DecisionTreeClassifier(random_state=0).fit(X, y)
        self.predict = self.model.predict

    @property
    def size(self) -> int:
        return int(self.model.tree_.node_count - self.model.tree_.n_leaves)


class Ripper:
    """RIPPER of the package wittgenstein."""

    def __init__(self, X, y) -> None:
        from wittgenstein import RIPPER

        require_two_classes(y)
        self.model = RIPPER(random_state=0)
        self.model.fit(X, y=y, pos_class=1)

    def predict(self, X):
        return np.array(self.model.predict(X)).astype(int)

    @property
    def size(self) -> int:
        return sum(len(rule.conds) for rule in self.model.ruleset_.rules)


class RuleFit:
    """RuleFit of the package imodels."""

    def __init__(self, X, y) -> None:
        from imodels import RuleFitClassifier

        require_two_classes(y)
        self.model = RuleFitClassifier(random_state=0).fit(X, y)
        self.predict = self.model.predict

    @property
    def size(self) -> int:
        return sum(str(rule).count(" and ") + 1 for rule in self.model.rules_)


CONTENDERS = {"DecisionTree": DecisionTree, "RIPPER": Ripper, "RuleFit": RuleFit}
PACKAGES = {"DecisionTree": "sklearn", "RIPPER": "wittgenstein", "RuleFit": "imodels"}


def require_two_classes(y) -> None:
    """Stop where a learner tells only two classes apart."""
    if y.max() > 1:
        sys.exit("for two classes only")


def train(name: str, data: str, model: str) -> None:
    learned = CONTENDERS[name](*table(data))
    with Path(model).open("wb") as stream:
        pickle.dump(learned, stream)


def test(model: str, data: str) -> None:
    if model.endswith(".json"):
        committee = read_committee(model)
        dataset = Dataset.for_schema(read_arff(data), committee.schema)
        predicted, y = committee.predict_codes(dataset), dataset.classes
        size = committee.n_literals
    else:
        with Path(model).open("rb") as stream:
            learned = pickle.load(stream)
        X, y = table(data)
        predicted, size = learned.predict(X), learned.size
    told = {"error": float(np.mean(predicted != y)), "size": int(size)}
    sys.stdout.write(json.dumps(told))


def predict(model: str, data: str) -> None:
    committee = read_committee(model)
    dataset = Dataset.for_schema(read_arff(data), committee.schema)
    start = time.perf_counter()
    committee.predict(dataset)
    sys.stdout.write(f"{time.perf_counter() - start}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case "train", name, data, model:
            train(name, data, model)
        case "test", model, data:
            test(model, data)
        case "predict", model, data:
            predict(model, data)
