"""Sums of roots after each literal, block by block and label by label."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.sample.coding import holds

if TYPE_CHECKING:
    from widc_arff.induction.counting.partition import BlockRows, Front
    from widc_arff.induction.sample.coding import CodedSample


def sums_of_roots(sample: CodedSample, front: Front, rows: BlockRows) -> list[float]:
    """Return the sum of roots of eq. (1) after each literal is added to a monomial.

    Parameters
    ----------
    sample : CodedSample
        The catalogue.
    front : Front
        The partition before the monomial.
    rows : BlockRows
        Its rows that satisfy the monomial so far.
    """
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    every = range(front.label_weights.shape[1])
    held = rows.labels[:, None] == every if rows.labels.ndim == 1 else rows.labels == 1
    with_label = held * weights[:, None]
    without_label = ~held * weights[:, None]
    in_blocks = [rows.block == block for block in range(len(front.totals))]
    sums = []
    for literal in range(len(sample.catalogue)):
        group, row = sample.catalogue.places[int(sample.catalogue.column[literal])]
        covered = holds(sample, literal, rows.codes[group][row])
        total = 0.0
        for block, in_block in enumerate(in_blocks):
            inside = covered & in_block
            within = with_label[inside].sum(axis=0).tolist()
            without = without_label[inside].sum(axis=0).tolist()
            for label in every[front.two_classes :]:
                total += _roots(front, block, label, within[label], without[label])
        sums.append(total)
    return sums


def _roots(front: Front, block: int, label: int, within: float, without: float) -> float:
    """Return the roots of a block and a label, of those inside a literal and of the rest."""
    rest_within = front.label_weights[block, label] - within
    rest_without = front.totals[block] - front.label_weights[block, label] - without
    return sqrt(within * without) + sqrt(rest_within * rest_without)
