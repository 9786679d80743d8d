"""Small data with label sets, for several test modules."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from widc_arff.arff import read_arff
from widc_arff.arff.relation import Attribute, Relation
from widc_arff.data.dataset import Dataset

MULTILABEL = Path(__file__).parents[2] / "shared" / "data" / "multilabel"

# Sport in the open is for fair weather and wind, reading for rain; ? is not known.
DAYS = """@relation days
@attribute sky {sun, rain}
@attribute sail {0,1}
@attribute run {no,yes}
@attribute read {0,1}
@attribute wind numeric
@data
sun,1,yes,0,8
sun,1,yes,0,9
sun,0,yes,0,1
sun,0,yes,0,2
rain,1,no,1,8
rain,0,no,1,1
rain,0,no,1,2
rain,0,no,0,1
rain,?,no,0,1
"""
LABELS = ("sail", "run", "read")


def relation(text: str = DAYS) -> Relation:
    """Return the relation of an ARFF text."""
    return read_arff(io.StringIO(text))


def days() -> Dataset:
    """Return the nine days, one of them with a missing label, one without a label."""
    return Dataset.from_relation(relation(), labels=LABELS)


def random_sets(seed: int, n_samples: int = 60, n_labels: int = 4) -> Dataset:
    """Return random label sets that depend on three nominal and one numeric attribute."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (3, n_samples))
    number = rng.normal(size=n_samples)
    told = np.arange(n_labels) % 3  # the attribute that tells a label, and its value
    chance = np.where(told == codes[told].T, 0.75, 0.15)
    Y = rng.random((n_samples, n_labels)) < chance
    names = tuple(f"l{j}" for j in range(n_labels))
    attributes = [Attribute(f"a{i}", "nominal", ("u", "v", "w")) for i in range(3)]
    attributes += [Attribute("x", "numeric")]
    attributes += [Attribute(name, "nominal", ("0", "1")) for name in names]
    columns = [*codes.astype(np.int8), number, *Y.T.astype(np.int8)]
    weights = rng.integers(1, 4, n_samples).astype(float)
    table = Relation("random", tuple(attributes), tuple(columns), weights)
    return Dataset.from_relation(table, labels=names)
