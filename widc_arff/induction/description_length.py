"""The objective of refined pruning: the bits that tell the labels once a committee is known.

A two-part code beyond the paper: which examples the committee gets wrong, which of the other
classes each of these has, and a price for each literal of the committee.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DescriptionLength:
    """J = m H(E/m) + E log2(c - 1) + penalty * size, in bits.

    H is the binary entropy; beyond E = m/2 the first term is m + (E - m/2), so that J always rises
    with E.

    Parameters
    ----------
    total : float
        Weight of all examples, in quanta.
    example_weight : float
        Weight of one quantum in examples.
    n_classes : int
        Classes that occur.
    penalty : float
        Bits a literal.
    """

    total: float
    example_weight: float
    n_classes: int
    penalty: float

    def of(self, errors: Values, size: NDArray[np.int64]) -> Values:
        """Return J of committees, from the weight of their errors in quanta and their literals."""
        m, wrong = self.total * self.example_weight, errors * self.example_weight
        share = np.clip(errors / self.total, 0.0, 0.5)
        entropy = np.zeros_like(share)
        for part in (share, 1 - share):
            entropy -= part * np.log2(part, where=part > 0, out=np.zeros_like(part))
        bits = m * entropy + np.maximum(wrong - m / 2, 0.0)
        if self.n_classes > 2:
            bits += wrong * np.log2(self.n_classes - 1)
        return np.asarray(bits + self.penalty * size)

    def of_one(self, errors: float, size: int) -> float:
        """Return J of one committee."""
        return float(self.of(np.array([errors]), np.array([size]))[0])
