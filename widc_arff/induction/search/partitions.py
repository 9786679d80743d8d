"""Growing by partitions: the paper's stage 1, of all examples or within those of equal votes.

`widc_arff.induction.growing` counts how rows are told apart, not how they are voted on.  It finds
conjunctions none of whose literals is worth its price alone, where stagewise growth stands still.
Nothing is paid for while growing; what does not pay is left to shrinking.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.growing import grow
from widc_arff.induction.search.rows import COUNTING
from widc_arff.induction.search.standing import SearchedRule

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff.induction.coding import CodedSample
    from widc_arff.induction.counter import Chain
    from widc_arff.induction.search.demands import RuleDemands
    from widc_arff.induction.search.rows import Rows
    from widc_arff.induction.search.standing import Standing

PASSES = 250
"""Times that all codes are looked at, with some 40 monomials of three literals and two signs."""


def partition_work(rows: Rows) -> float:
    """Return about how many additions growing by partitions costs."""
    return PASSES * COUNTING * float(rows.n_rows) * len(np.unique(rows.column))


class PartitionGrower:
    """Grows a committee by partitions; each monomial gets the vector of its cover.

    Parameters
    ----------
    sample : CodedSample
        The examples.
    standing : Standing
        The committee, which grows.
    demands : RuleDemands
        What is demanded of rules.
    whole : bool
        Whether it grows from the whole sample, not from the examples of equal votes.
    """

    def __init__(
        self, sample: CodedSample, standing: Standing, demands: RuleDemands, *, whole: bool
    ) -> None:
        self._sample, self._standing, self._demands = sample, standing, demands
        self._told = () if whole else tuple(standing.rules)
        self.seen: dict[frozenset[int], Chain] = {}
        """Monomials that came up."""

    def grow(self) -> None:
        """Add rules until all examples of equal votes are of one class, or nothing helps."""
        standing, rows = self._standing, self._standing.rows
        monomials = grow(
            self._sample,
            self._demands.of_one_rule,
            self._blocks(),
            self._demands.known | {frozenset(rule.monomial) for rule in standing.rules},
            admission=self._demands.admission,
        )
        rules = list(standing.rules)
        for monomial in monomials:
            weights = rows.class_weights[:, rows.cover(monomial)].sum(axis=1)
            vector = self._demands.vectors_of(monomial, weights)
            if vector.max() > vector.min():
                rules.append(SearchedRule(monomial, vector))
        self.seen = {frozenset(monomial): monomial for monomial in monomials}
        standing.restart(rules)

    def _blocks(self) -> NDArray[np.int64]:
        """Return which examples have equal votes, where those of learned rules are looked at."""
        sample = self._sample
        given = sample.given_votes
        shape = (sample.n_labels, sample.n_samples)
        votes = np.zeros(shape, np.int64) if given is None else given.astype(np.int64)
        for monomial, vector in self._told:
            votes[:, sample.satisfying_all(monomial)] += vector[:, None]
        _, block = np.unique(votes, axis=1, return_inverse=True)
        return block.reshape(-1).astype(np.int64)
