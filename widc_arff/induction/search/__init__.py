"""One search for a committee of small description length, J of `objective`.

A committee is *grown* stagewise on what it leaves undone (`growth`), *shrunk* by removals down the
order of J (`shrinking`), and *polished* by changes of one rule at a time (`polishing`); then grown
again from there, as long as J falls.  All three count on the distinct rows of codes (`rows`);
`budget` bounds what is tried.

It is to take the place of `widc_arff.induction.refining`; no pruning uses it yet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.induction.search.budget import Budget
from widc_arff.induction.search.demands import RuleDemands
from widc_arff.induction.search.growth import Grower
from widc_arff.induction.search.objective import Objective, literal_prices
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
    for _ in range(budget.starts):
        grower = Grower(standing, of_rules, budget)
        grower.grow()
        seen |= grower.seen
        shrink(standing, of_rules, budget)
        Polisher(standing, of_rules, budget, seen.values()).polish()
        if not is_lower(standing.length, least):
            break
        best, least = list(standing.rules), standing.length
        if rows.work > budget.search_work:
            break
    return best
