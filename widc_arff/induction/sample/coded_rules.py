"""Rules in codes, as they are learned."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from widc_arff.induction.sample.coding import Chain

    Integers = NDArray[np.int64]


class Rules(NamedTuple):
    """Learned rules.

    Parameters
    ----------
    monomials : list of tuple of int
        Literals as indices in the catalogue.
    vectors : ndarray of int64 of shape (n_rules, n_declared)
        Votes for all labels that are declared.
    """

    monomials: list[Chain]
    vectors: Integers

    def take(self, kept: Sequence[int]) -> Rules:
        """Return some of the rules."""
        return Rules([self.monomials[k] for k in kept], self.vectors[kept])
