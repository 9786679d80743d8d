"""The search: grow, shrink, polish, and again while J falls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.committees import Rules
from widc_arff.induction.demands import Demands
from widc_arff.induction.observer import tell_votes
from widc_arff.induction.search.budget import Budget
from widc_arff.induction.search.growth import Grower
from widc_arff.induction.search.objective import Objective, literal_prices
from widc_arff.induction.search.polishing import Polisher
from widc_arff.induction.search.rows import Rows
from widc_arff.induction.search.shrinking import shrink
from widc_arff.induction.search.standing import SearchedRule, Standing
from widc_arff.tolerance import is_lower

if TYPE_CHECKING:
    from widc_arff.induction.coding import Chain, CodedSample
    from widc_arff.induction.observer import Observer
    from widc_arff.induction.preparing import Problem


def searched_rules(problem: Problem, observer: Observer | None = None) -> Rules:
    """Return the rules of a committee of small description length.

    A class that does not occur gets the least vote of each rule (I7).
    """
    coded = problem.coded
    demands = Demands(
        len(coded.catalogue), problem.limits, problem.voting, problem.admission, problem.known
    )
    found = search(coded, demands, problem.options.penalty, observer=observer)
    present = problem.sample.class_weights > 0
    vectors = np.empty((len(found), len(present)), np.int64)
    for vector, rule in zip(vectors, found, strict=True):
        vector[:] = rule.vector.min()
        vector[present] = rule.vector
    rules = Rules([rule.monomial for rule in found], vectors)
    tell_votes(observer, coded.catalogue, *rules)
    if observer is not None:
        observer.kept(range(1, len(found) + 1))
    return rules


def search(
    sample: CodedSample,
    demands: Demands,
    penalty: float,
    budget: Budget | None = None,
    observer: Observer | None = None,
) -> list[SearchedRule]:
    """Return a committee of small description length.

    Parameters
    ----------
    sample : CodedSample
        Examples of one class each.
    demands : Demands
        What is demanded of rules.
    penalty : float
        Bits of a literal that is one of few.
    budget : Budget, optional
        What may be tried.
    observer : Observer, optional
        Is told of each committee that the search comes to.

    Returns
    -------
    list of SearchedRule
        Votes are for the classes that occur.
    """
    budget = budget or Budget()
    rows = Rows(sample, demands.voting)
    prices = literal_prices(sample.catalogue, penalty)
    objective = Objective(rows.total, rows.example_weight, rows.n_classes, prices)
    standing = Standing(rows, objective)
    best, least = list(standing.rules), standing.length
    if rows.n_classes < 2 or not len(prices):
        return best
    seen: dict[frozenset[int], Chain] = {}
    for _ in range(budget.starts):
        grower = Grower(standing, demands, budget)
        grower.grow()
        seen |= grower.seen
        _tell(observer, "grown", standing)
        shrink(standing, demands, budget)
        _tell(observer, "shrunk", standing)
        Polisher(standing, demands, budget, seen.values()).polish()
        is_shorter = is_lower(standing.length, least)
        _tell(observer, "polished", standing, kept=is_shorter)
        if not is_shorter:
            break
        best, least = list(standing.rules), standing.length
        if rows.work > budget.search_work:
            break
    return best


def _tell(observer: Observer | None, how: str, standing: Standing, *, kept: bool = True) -> None:
    if observer is not None:
        sizes = [len(rule.monomial) for rule in standing.rules]
        observer.refined(how, sizes, standing.length, kept=kept)
