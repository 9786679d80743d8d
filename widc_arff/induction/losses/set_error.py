"""Wrong labels: each label of an example is right or wrong by itself.

A *line* stands among the labels, a virtual label of which no example speaks (calibrated label
ranking: Fürnkranz, Hüllermeier, Loza Mencía & Brinker, Machine Learning 73, 2008).  Labels of more
votes than the line are in the set of an example.  Where votes are equal, labels of more than half
of all examples are in it, and others are not.  So a constant added to the votes for all labels and
the line changes nothing, and examples with no label or with all of them count like others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from widc_arff.arrays import Bools, Floats, Integers


class SetError:
    """The weight of the wrong labels, on distinct rows of codes and label sets.

    Parameters
    ----------
    Y : ndarray of bool of shape (n_labels, n_rows)
        Label sets of the rows.
    weights : ndarray of float64 of shape (n_rows,)
        Weight of the examples of each row, in quanta.

    Attributes
    ----------
    least : ndarray of int64 of shape (n_labels,)
        How many votes more than the line a label has in the set, at least: 0 or 1.
    """

    is_whole = True
    bits_of_example, bits_of_correction = 1.0, 0.0

    def __init__(self, Y: Bools, weights: Floats) -> None:
        self.Y, self.weights = Y, weights
        of_labels = weights * Y
        self.label_weights: Floats = np.vstack([of_labels, np.zeros(len(weights))])
        """Those of the line, which no example has, come last."""
        in_all = float(weights.sum())
        self.total, self.most_right = len(Y) * in_all, len(Y) * weights
        shares = of_labels.sum(axis=1) / in_all
        self.prior: Floats = np.append(shares, 0.5)
        self.least: Integers = np.where(2 * of_labels.sum(axis=1) > in_all, 0, 1)
