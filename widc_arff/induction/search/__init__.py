"""One search for a committee of small description length, J of `objective`.

A committee is *grown* stagewise on what it leaves undone (`growth`), *shrunk* by removals down the
order of J (`shrinking`), and *polished* by changes of one rule at a time (`polishing`); then grown
again from there, as long as J falls.  All three count on the distinct rows of codes (`rows`);
`budget` bounds what is tried.

With two classes the paper's growing by partitions (`partitions`) takes turns with it: first from
the whole sample, then from what equal votes leave together.  It reaches conjunctions before which
growth by residuals stands still, and that lowers J and the error on new rows.  With more classes
its rules vote on too many of them to be read, and it gained nothing on the mean.

It is to take the place of `widc_arff.induction.refining`; no pruning uses it yet.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from widc_arff.induction.search.budget import Budget
from widc_arff.induction.search.demands import RuleDemands
from widc_arff.induction.search.growth import Grower
from widc_arff.induction.search.objective import Objective, literal_prices
from widc_arff.induction.search.partitions import PartitionGrower, partition_work
from widc_arff.induction.search.polishing import Polisher
from widc_arff.induction.search.rows import Rows
from widc_arff.induction.search.shrinking import shrink
from widc_arff.induction.search.standing import SearchedRule, Standing
from widc_arff.tolerance import is_lower

if TYPE_CHECKING:
    from widc_arff.induction.aim import Demands
    from widc_arff.induction.coding import CodedSample
    from widc_arff.induction.counter import Chain
    from widc_arff.induction.growing import GrowthLimits


class Way(Enum):
    """How a committee is grown, in turn."""

    BY_RESIDUAL = auto()
    BY_WHOLE = auto()
    BY_VOTES = auto()


def search(
    sample: CodedSample,
    demands: Demands,
    limits: GrowthLimits,
    penalty: float,
    budget: Budget | None = None,
) -> list[SearchedRule]:
    """Return a committee of small description length.

    Parameters
    ----------
    sample : CodedSample
        Examples of one class each.
    demands : Demands
        What is demanded of rules.
    limits : GrowthLimits
        Hard limits of the committee.
    penalty : float
        Bits of a literal that is one of few.
    budget : Budget, optional
        What may be tried.

    Returns
    -------
    list of SearchedRule
        Votes are for the classes that occur.
    """
    budget = budget or Budget()
    rows = Rows(sample, demands.voting)
    prices = literal_prices(sample.catalogue, penalty)
    objective = Objective(rows.total, rows.example_weight, rows.n_classes, prices)
    of_rules = RuleDemands(demands, limits, len(prices))
    standing = Standing(rows, objective)
    best, least = list(standing.rules), standing.length
    if rows.n_classes < 2 or not len(prices):
        return best
    seen: dict[frozenset[int], Chain] = {}
    ways = [Way.BY_RESIDUAL]
    partitioning = partition_work(rows)
    if rows.n_classes == 2 and len(Way) * partitioning <= budget.search_work:
        ways = list(Way)
    idle: set[Way] = set()
    for _ in range(budget.starts * len(ways)):
        way = ways.pop(0)
        if way != Way.BY_WHOLE:  # that would propose the same again
            ways.append(way)
        grower: Grower | PartitionGrower = Grower(standing, of_rules, budget)
        if way != Way.BY_RESIDUAL:
            grower = PartitionGrower(sample, standing, of_rules, whole=way == Way.BY_WHOLE)
            rows.work += partitioning
        grower.grow()
        seen |= grower.seen
        shrink(standing, of_rules, budget)
        Polisher(standing, of_rules, budget, seen.values()).polish()
        if is_lower(standing.length, least):
            best, least = list(standing.rules), standing.length
            idle.clear()
        else:
            idle.add(way)
        if idle.issuperset(ways) or rows.work > budget.search_work:
            break
        if idle:
            standing.restart(best)
    return best
