"""What each attribute does in a committee: what would become of its answers without the value.

The use of an attribute on data is how far the answers move when its value is taken to be missing in
every row: no retraining, no chance, and zero for an attribute that no rule tests.  A missing value
satisfies no literal but ``missing`` (I2).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.evaluation.answers import decided

if TYPE_CHECKING:
    from widc_arff.arrays import Bools, Floats
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee


@dataclass(frozen=True, slots=True)
class AttributeUse:
    """What one attribute does.

    Parameters
    ----------
    attribute : int
        Its index in the schema.
    rules : tuple of int
        Indices of the rules that test it.
    literals : int
        Literals with it.
    held : float
        Share of the weight of the rows on which a rule holds that tests it, or would if the value
        were missing, in [0, 1].
    decisive : float
        Share of the rows that would be decided differently (of label sets: get other labels) if the
        value were missing, in [0, 1].
    shift : float
        How far the probabilities move if it is missing, the mean over rows, in [0, 1]: half the sum
        of the differences over the classes, or their mean over the labels.
    """

    attribute: int
    rules: tuple[int, ...]
    literals: int
    held: float
    decisive: float
    shift: float


def attribute_uses(committee: DecisionCommittee, dataset: Dataset) -> tuple[AttributeUse, ...]:
    """Return the use of each attribute that a rule tests, the largest shift first.

    Parameters
    ----------
    committee : DecisionCommittee
        For classes or label sets.
    dataset : Dataset
        In its schema, with a positive weight; classes play no part.

    Notes
    -----
    Rows on which the same rules hold are looked at once.
    """
    n_rules = len(committee.rules)
    tests = [[literal.attribute for literal in rule.monomial] for rule in committee.rules]
    begin_to_hold = sorted(
        {x.attribute for rule in committee.rules for x in rule.monomial if x.operator == "missing"}
    )
    fires = [committee.fires(dataset)]
    fires += [committee.fires(_without(dataset, attribute)) for attribute in begin_to_hold]
    every, weights = _patterns(np.hstack(fires), dataset.weights)
    patterns = every[:, :n_rules]
    answers = _Answers(committee, patterns)
    uses = []
    for attribute in sorted(committee.used_attributes):
        rules = [k for k, tested in enumerate(tests) if attribute in tested]
        without = patterns.copy()
        without[:, rules] = False
        if attribute in begin_to_hold:
            start = n_rules * (1 + begin_to_hold.index(attribute))
            without = every[:, start : start + n_rules]
        touched = (patterns[:, rules] | without[:, rules]).any(axis=1)
        other = _Answers(committee, without[touched])
        share = weights[touched]
        uses.append(
            AttributeUse(
                attribute,
                tuple(rules),
                sum(tested.count(attribute) for tested in tests),
                float(share.sum()),
                float(share @ (other.decided != answers.decided[touched]).any(axis=1)),
                float(share @ other.distance(answers.shares[touched])),
            )
        )
    return tuple(sorted(uses, key=lambda use: -use.shift))


def importances(committee: DecisionCommittee, dataset: Dataset) -> Floats:
    """Return the shift of each attribute over the sum of all, shape (n_attributes,).

    Not negative; the sum is 1, or all are 0 where the committee answers all rows alike.
    """
    shifts = np.zeros(len(committee.schema.attributes))
    for use in attribute_uses(committee, dataset):
        shifts[use.attribute] = use.shift
    total = shifts.sum()
    return shifts / total if total > 0 else shifts


class _Answers:
    """What a committee says of rows, given which rules hold on them."""

    def __init__(self, committee: DecisionCommittee, fires: Bools) -> None:
        vectors = np.array([rule.votes for rule in committee.rules], np.int64)
        votes = fires.astype(np.int64) @ vectors.reshape(-1, committee.schema.n_classes)
        self.decided = decided(committee, votes)
        self.shares = committee.probabilities_of(votes)
        # what a class loses another wins
        self._largest = 2 if committee.threshold is None else votes.shape[1]

    def distance(self, shares: Floats) -> Floats:
        """Return how far the probabilities are from others, row by row, in [0, 1]."""
        return np.asarray(np.abs(self.shares - shares).sum(axis=1) / self._largest)


def _without(dataset: Dataset, attribute: int) -> Dataset:
    """Return rows whose value of an attribute is missing."""
    is_nominal = dataset.schema.attributes[attribute].type == "nominal"
    columns = list(dataset.columns)
    columns[attribute] = np.full_like(columns[attribute], -1 if is_nominal else np.nan)
    return replace(dataset, columns=tuple(columns))


def _patterns(fires: Bools, weights: Floats) -> tuple[Bools, Floats]:
    """Return the distinct rows, shape (n_patterns, n_rules), and the share of weight of each."""
    packed = np.ascontiguousarray(np.packbits(fires, axis=1))
    if packed.shape[1] == 0:
        return fires[:1], np.ones(len(fires[:1]))
    keys = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, first, of_row = np.unique(keys, return_index=True, return_inverse=True)
    shares = np.bincount(of_row.ravel(), weights, minlength=len(first))
    return fires[first], np.asarray(shares / weights.sum())
