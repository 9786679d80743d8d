"""A crew without a cluster, and random data in several files."""

from __future__ import annotations

import pickle
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.arff.relation import Attribute, Relation
from widc_arff.arff.writer import write_arff
from widc_arff.data.dataset import Dataset
from widc_arff.errors import WidcWarning
from widc_arff.induction import induce
from widc_arff.model.model_file import committee_to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from widc_arff.induction.search.budget import Budget
    from widc_arff.options import Options


class InProcessCrew:
    """Runs everything here, one after the other; what travels is packed as for another process."""

    def __init__(self, n_workers: int) -> None:
        self.n_workers = n_workers

    def start(self, function: Callable[..., Any], *arguments: Any) -> bytes:
        found = [pickle.loads(a) if isinstance(a, bytes) else a for a in arguments]
        return pickle.dumps(function(*found))

    def results(self, handles: Sequence[bytes]) -> list[Any]:
        return [pickle.loads(handle) for handle in handles]


def random_relation(seed: int) -> Relation:
    """Return nominal and numeric attributes, most with missing values, and weights of all kinds."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 400))
    n_classes = int(rng.integers(2, 5))
    attributes, columns = [], []
    for a in range(int(rng.integers(1, 6))):
        if rng.random() < 0.5:
            values = tuple(f"v{i}" for i in range(int(rng.integers(1, 9))))
            attributes.append(Attribute(f"a{a}", "nominal", values))
            column = rng.integers(0, len(values), n).astype(float)
        else:
            attributes.append(Attribute(f"a{a}", "numeric"))
            column = np.round(rng.normal(size=n), int(rng.integers(0, 4))) - 0.0
        if rng.random() < 0.6:
            column[rng.random(n) < 0.15] = np.nan
        columns.append(column)
    labels = rng.integers(0, n_classes, n)
    first = np.nan_to_num(columns[0]) > np.nanmedian(np.append(columns[0], 0.0))
    labels = np.where(rng.random(n) < 0.6, first, labels)
    attributes.append(Attribute("class", "nominal", tuple(f"c{j}" for j in range(n_classes + 1))))
    columns.append(np.where(rng.random(n) < 0.05, np.nan, labels))
    weights = [
        np.ones(n),
        rng.integers(0, 4, n).astype(float),
        np.round(rng.random(n), 3),
        np.full(n, 1 / n),
    ][seed % 4]
    held = [
        np.where(np.isnan(c), -1, c).astype(np.int8) if x.type == "nominal" else c
        for x, c in zip(attributes, columns, strict=True)
    ]
    return Relation("r", tuple(attributes), tuple(held), weights)


def write_parts(relation: Relation, n_parts: int, folder: Path) -> tuple[str, ...]:
    """Write the rows of a relation to several files."""
    paths = []
    for i, rows in enumerate(np.array_split(np.arange(len(relation)), n_parts)):
        part = Relation(
            relation.name,
            relation.attributes,
            tuple(column[rows] for column in relation.columns),
            relation.weights[rows],
        )
        paths.append(str(folder / f"part-{i}.arff"))
        write_arff(part, paths[-1])
    return tuple(paths)


def alone(relation: Relation, options: Options, budget: Budget | None = None) -> str:
    """Return the model that one machine learns, as its file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)
        return committee_to_json(induce(Dataset.from_relation(relation), options, budget=budget))
