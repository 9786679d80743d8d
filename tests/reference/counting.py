"""Sums of roots after each literal, block by block and label by label."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.coding import holds

if TYPE_CHECKING:
    from widc_arff.induction.coding import CodedSample
    from widc_arff.induction.counting.partition import Front, Rows


def sums_of_roots(sample: CodedSample, front: Front, rows: Rows) -> list[float]:
    """Return the sum of roots of eq. (1) after each literal is added to a monomial.

    Parameters
    ----------
    sample : CodedSample
        The catalogue.
    front : Front
        The partition before the monomial.
    rows : Rows
        Its rows that satisfy the monomial so far.
    """
    labels = range(front.label_weights.shape[1])[front.two_classes :]
    sums = []
    for literal in range(len(sample.catalogue)):
        group, row = sample.catalogue.places[int(sample.catalogue.attribute[literal])]
        covered = holds(sample, literal, rows.codes[group][row])
        total = 0.0
        for block in range(len(front.totals)):
            inside = covered & (rows.block == block)
            for label in labels:
                total += _roots(front, rows, inside, block, label)
        sums.append(total)
    return sums


def _roots(front: Front, rows: Rows, inside, block: int, label: int) -> float:
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    held = rows.labels == label if rows.labels.ndim == 1 else rows.labels[:, label] == 1
    within = weights[inside & held].sum()
    without = weights[inside & ~held].sum()
    rest_within = front.label_weights[block, label] - within
    rest_without = front.totals[block] - front.label_weights[block, label] - without
    return sqrt(within * without) + sqrt(rest_within * rest_without)
