"""Growing by partitions: the paper's stage 1, of all examples or within those of equal votes.

`widc_arff.induction.paper.growing` counts how examples are told apart, not how they are voted on.
It finds conjunctions none of whose literals is worth its price alone, where stagewise growth stands
still.  Nothing is paid for while growing; what does not pay is left to shrinking.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.counting.by_code import CodeCounter
from widc_arff.induction.counting.partition import compact
from widc_arff.induction.counting.table import TableCounter
from widc_arff.induction.paper.growing import grow
from widc_arff.induction.sample.views import ABOVE, AT_MOST
from widc_arff.induction.search.budget import SUMMING
from widc_arff.induction.search.state import SearchedRule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Floats, Integers, Votes
    from widc_arff.induction.constraints import Constraints
    from widc_arff.induction.counting.counter import Counter
    from widc_arff.induction.sample.coding import Chain
    from widc_arff.induction.search.budget import Budget
    from widc_arff.induction.search.rows import Rows
    from widc_arff.induction.search.state import SearchState


def grow_by_partitions(
    state: SearchState, constraints: Constraints, budget: Budget, *, whole: bool = False
) -> dict[frozenset[int], Chain]:
    """Add rules until all examples of equal votes are of one class, or nothing helps.

    Each monomial gets the vector of its cover, or the opposite where that is what may be: most of
    what it covers can be of a class that is more frequent still elsewhere.

    Parameters
    ----------
    state : SearchState
        The committee, which grows.
    constraints : Constraints
        What is demanded of rules.
    budget : Budget
        How many rows are looked at.
    whole : bool
        Whether to begin with the whole sample, not with the examples of equal votes.

    Returns
    -------
    dict of frozenset of int to tuple of int
        The monomials that came up.
    """
    rows = state.rows
    known = constraints.known | {frozenset(rule.monomial) for rule in state.rules}
    counter = Bounded(_counter(rows, () if whole else state.rules, budget), rows, budget)
    limits = replace(constraints.of_one_rule, max_rules=budget.monomials)
    monomials = grow(counter, limits, known, literal_filter=constraints.literal_filter)
    rules = list(state.rules)
    for monomial in monomials:
        vector = constraints.vectors_of(monomial, rows.weights_in(monomial))
        if vector.max() > vector.min():
            either = (SearchedRule(monomial, v) for v in (vector, -vector))
            rules += islice((rule for rule in either if constraints.allows(*rule)), 1)
    state.restart(rules)
    return {frozenset(monomial): monomial for monomial in monomials}


class Bounded:
    """A `Counter` that finds no literal worth anything more when its work is spent.

    Parameters
    ----------
    counter : Counter
        Who counts.
    rows : Rows
        Whose work it is.
    budget : Budget
        How much work may be done.
    """

    def __init__(self, counter: Counter, rows: Rows, budget: Budget) -> None:
        self._counter, self._rows = counter, rows
        self._left = budget.partition_work
        self.catalogue, self.example_weight = counter.catalogue, counter.example_weight
        self.z_per_root = counter.z_per_root
        n_cells = min(rows.n_cells, budget.partition_cells)
        n_ordered = int(np.isin(self.catalogue.operator, (AT_MOST, ABOVE)).sum())
        self._of_rows, self._ordered = n_cells, n_ordered
        self._others = len(self.catalogue) - n_ordered

    @property
    def n_blocks(self) -> int:
        """Number of impure blocks."""
        return self._counter.n_blocks

    @property
    def sum_of_roots(self) -> float:
        """Sum of roots of the partition."""
        return self._counter.sum_of_roots

    def random_decrease(self) -> float:
        """Return by how much a random split of every block lowers the sum of roots (I6)."""
        return self._counter.random_decrease()

    def sums(self, chain: Chain) -> Floats:
        """Return the sum of roots after each literal is added, infinite when work is spent.

        Codes are counted in all rows, and what each literal makes of each block is summed; of
        ordered codes no more than there are in the rows.
        """
        n_blocks = self.n_blocks
        n_sums = n_blocks * self._others + min(n_blocks * self._ordered, self._of_rows)
        work = SUMMING * (self._of_rows + n_sums)
        if work > self._left:
            return np.full(len(self.catalogue), np.inf)
        self._left -= work
        self._rows.work += work
        return self._counter.sums(chain)

    def refine(self, monomial: Chain) -> None:
        """Refine the partition by a monomial."""
        self._counter.refine(monomial)


def _counter(rows: Rows, rules: Sequence[SearchedRule], budget: Budget) -> Counter:
    """Return who counts the rows, in blocks of equal votes of some rules and of those given."""
    votes = rows.votes_of(rules)
    are_all = rows.n_cells <= budget.partition_cells
    if are_all and rows.table is not None and rows.table.size <= budget.table_cells:
        weights, own = (rows.class_weights, rows.weights), (rows.catalogue, rows.example_weight)
        return TableCounter(rows.table, weights, _blocks(votes), *own, two_classes=True)
    part, row_of = rows.part(budget.partition_cells)
    example = np.full(rows.n_rows, -1)
    example[row_of] = np.arange(len(row_of))
    label, row = np.nonzero(rows.class_weights * (example >= 0))
    codes = [group.codes[:, example[row]] for group in part.groups]
    sample = part.with_rows(codes, label, rows.class_weights[label, row])
    return CodeCounter(sample, compact(_blocks(votes)[row]))


def _blocks(votes: Votes) -> Integers:
    """Return which columns have equal votes, shape (n_columns,)."""
    block = np.zeros(votes.shape[1], np.int64)
    for own in votes:
        least = own.min()
        block = compact(block * int(own.max() - least + 1) + (own - least))
    return block
