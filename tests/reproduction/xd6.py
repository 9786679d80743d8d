"""The XD6 domain seen from outside: its target, its Bayes error, and tests without chance.

Ten fair binary variables; positive iff three of the first nine in a row hold together.  Noise is
put in as `tests.reproduction.sample_data.xd6` does: each class is flipped with the probability of
the class noise, then each value with that of the attribute noise (sections 6.2 and 6.3 of the
paper).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from tests.reproduction.sample_data import xd6
from widc_arff.arff.relation import Relation
from widc_arff.data.dataset import Dataset

if TYPE_CHECKING:
    from widc_arff.arrays import Bools, Floats
    from widc_arff.model.committee import DecisionCommittee

TARGET = (("x0", "x1", "x2"), ("x3", "x4", "x5"), ("x6", "x7", "x8"))
IRRELEVANT = "x9"
POSITIVE = "+"
N_RELEVANT = 9


def holds_target(committee: DecisionCommittee) -> bool:
    """Tell whether all three conjunctions are rules, each in favour of the positive class."""
    schema = committee.schema
    positive = schema.labels.values.index(POSITIVE)
    found = set()
    for rule in committee.rules:
        tests = [
            (schema.attributes[test.attribute].name, test.operator, test.value)
            for test in rule.monomial
        ]
        are_true = all((operator, value) == ("=", 1) for _, operator, value in tests)
        if are_true and rule.votes[positive] > rule.votes[1 - positive]:
            found.add(tuple(sorted(name for name, _, _ in tests)))
    return found.issuperset(TARGET)


def uses_irrelevant(committee: DecisionCommittee) -> bool:
    """Tell whether some rule tests the irrelevant variable."""
    names = [attribute.name for attribute in committee.schema.attributes]
    return names.index(IRRELEVANT) in committee.used_attributes


def decides_as_target(committee: DecisionCommittee) -> bool:
    """Tell whether the committee decides each of the 1,024 inputs as the target does.

    A committee can do so without the three conjunctions: ``x4 and x5`` in favour of the positive
    class and ``not x3`` against it are as good as ``x3 and x4 and x5``.
    """
    inputs = _clean_inputs()
    return bool((committee.predict_codes(inputs) == inputs.classes).all())


@lru_cache(maxsize=1)
def _clean_inputs() -> Dataset:
    return Dataset.from_relation(whole_distribution(0.0))


def positive_probabilities(class_noise: float, attribute_noise: float) -> Floats:
    """Return the probability of the positive class given each of the 512 observed inputs.

    Summed over the 512 inputs that can lie behind an observation, each weighted by the probability
    of the flips between the two.
    """
    inputs = _inputs(N_RELEVANT)
    flips = (inputs[:, None, :] != inputs[None, :, :]).sum(axis=2)
    behind = attribute_noise**flips * (1 - attribute_noise) ** (N_RELEVANT - flips)
    clean = behind @ _concept(inputs)
    noisy: Floats = clean * (1 - class_noise) + (1 - clean) * class_noise
    return noisy


def bayes_error(class_noise: float, attribute_noise: float = 0.0) -> float:
    """Return the least error that any classifier can have, in [0, 1]."""
    positive = positive_probabilities(class_noise, attribute_noise)
    return float(np.minimum(positive, 1 - positive).mean())


def whole_distribution(class_noise: float) -> Relation:
    """Return all inputs with both classes, weighted by their probabilities times 1024.

    The error on them is the true error of a classifier.
    """
    inputs = _inputs(N_RELEVANT + 1)
    is_positive = _concept(inputs)
    rows, weights = [], []
    for values, positive in zip(inputs.tolist(), is_positive.tolist(), strict=True):
        for label, weight in ((positive, 1 - class_noise), (not positive, class_noise)):
            if weight > 0:
                rows.append([*("01"[value] for value in values), "-+"[label]])
                weights.append(weight)
    attributes = xd6(n_rows=1).attributes
    return Relation.from_rows("xd6", attributes, rows, weights)


def _inputs(n: int) -> Bools:
    """Return all inputs of n binary variables, shape (2**n, n)."""
    return np.asarray((np.arange(2**n)[:, None] >> np.arange(n)) % 2 == 1)


def _concept(inputs: Bools) -> Bools:
    conjunctions = np.all(inputs[:, :N_RELEVANT].reshape(-1, 3, 3), axis=2)
    return np.asarray(np.any(conjunctions, axis=1))
