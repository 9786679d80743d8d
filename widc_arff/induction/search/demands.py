"""What is demanded of rules while they are searched: hard limits, coverage, directions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.voting import meets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.induction.aim import Demands
    from widc_arff.induction.counter import Chain
    from widc_arff.induction.growing import GrowthLimits
    from widc_arff.induction.search.standing import SearchedRule

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


class RuleDemands:
    """Limits and demands of learned rules.

    Parameters
    ----------
    demands : Demands
        Admission of literals, directions of votes, monomials that are given.
    limits : GrowthLimits
        Hard limits of the committee.
    n_literals : int
        Literals of the catalogue.
    """

    def __init__(self, demands: Demands, limits: GrowthLimits, n_literals: int) -> None:
        self.admission = demands.admission
        """Bars literals from monomials."""
        self._voting = demands.voting
        self.known = demands.known
        """Monomials that must not come up."""
        self._limits = limits
        self.of_one_rule = replace(limits, max_rules=None, max_size=None)
        """The limits that each rule meets by itself."""
        self._none, self._all = np.zeros(n_literals, np.bool_), np.ones(n_literals, np.bool_)

    def barred(self, monomial: Chain) -> Bools:
        """Return which literals may not join a monomial, shape (n_literals,)."""
        most = self._limits.max_literals
        if most is not None and len(monomial) >= most:
            return self._all
        return self._none if self.admission is None else self.admission.barred(monomial)

    def vectors_of(self, monomial: Chain, class_weights: Floats) -> Ints:
        """Return the paper's vector of a cover with some class weights (eq. 3)."""
        vectors = self._voting.best(class_weights[None], self._voting.demanded([monomial]))
        return np.asarray(vectors[0])

    def allowed(self, monomial: Chain, vectors: Ints) -> Bools:
        """Return which vectors a monomial may have, shape (n_vectors,)."""
        demanded = self._voting.demanded([monomial])
        if demanded is None:
            return np.ones(len(vectors), np.bool_)
        return meets(vectors, int(demanded[0]))

    def allowed_with_each(self, rest: Chain, vectors: Ints) -> Bools | None:
        """Return which vectors a monomial may have with each literal, (n_vectors, n_literals).

        None if all may be.
        """
        demanded = self._voting.demanded_with_each(rest)
        if demanded is None:
            return None
        kinds, which = np.unique(demanded, return_inverse=True)
        return np.stack([meets(vectors, int(kind)) for kind in kinds], axis=1)[:, which]

    def allow(self, rules: Sequence[SearchedRule]) -> bool:
        """Tell whether a committee keeps within the limits of size."""
        return self.allow_sizes(len(rules), sum(len(rule.monomial) for rule in rules))

    def allow_sizes(self, n_rules: int, n_literals: int) -> bool:
        """Tell whether so many rules with so many literals in all keep within the limits."""
        most_rules, most_literals = self._limits.max_rules, self._limits.max_size
        return (most_rules is None or n_rules <= most_rules) and (
            most_literals is None or n_literals <= most_literals
        )
