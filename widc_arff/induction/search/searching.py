"""The search: grow, shrink, polish, and again while J falls."""

from __future__ import annotations

from collections import deque
from enum import Enum, auto
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.constraints import Constraints
from widc_arff.induction.constraints.evidence import Evidence
from widc_arff.induction.losses.class_error import ClassError
from widc_arff.induction.losses.ranking_loss import RankingLoss
from widc_arff.induction.losses.set_error import SetError
from widc_arff.induction.sample.coded_rules import Rules
from widc_arff.induction.sample.distinct_rows import distinct_codes
from widc_arff.induction.search.budget import Budget
from widc_arff.induction.search.deciding import state_of
from widc_arff.induction.search.growth import Grower
from widc_arff.induction.search.objective import Objective
from widc_arff.induction.search.partitions import grow_by_partitions
from widc_arff.induction.search.polishing import Polisher
from widc_arff.induction.search.rows import Rows
from widc_arff.induction.search.shrinking import shrink
from widc_arff.induction.search.turning import turned, vectors_of_declared
from widc_arff.model.decision import distribution, from_line
from widc_arff.observer import tell_votes
from widc_arff.options import aims_at_sets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.induction.preparing import Problem
    from widc_arff.induction.sample.coding import Chain, CodedSample
    from widc_arff.induction.search.state import SearchedRule, SearchState
    from widc_arff.observer import Observer


def searched_rules(
    problem: Problem, observer: Observer | None = None, budget: Budget | None = None
) -> Rules:
    """Return the rules of a committee of small description length.

    Literals stand in the order of the attributes.  A class that does not
    occur gets the least vote of each rule (I7).
    """
    catalogue, budget = problem.catalogue, budget or Budget()
    rows = rows_of(problem, problem.examples.searched(budget.searched_cells))
    found: list[SearchedRule] = []
    if rows is not None:
        constraints = Constraints(
            len(catalogue),
            problem.limits,
            problem.vector_search,
            problem.literal_filter,
            problem.known,
            most_exceptions=1 if problem.options.votes == "one" else None,
            evidence=evidence_of(problem, rows),
            with_line=isinstance(rows.loss, SetError),
        )
        objective = Objective.of(rows, problem.options, problem.share_of_examples)
        found = search(rows, constraints, objective, budget, observer)
        if not problem.schema.labels.are_sets:
            found = turned(found, problem, constraints, objective)
    vectors = votes_of_declared(found, problem)
    monomials = [catalogue.in_order(rule.monomial) for rule in found]
    rules = Rules(monomials, vectors)
    tell_votes(observer, catalogue, *rules)
    if observer is not None:
        observer.kept(range(1, len(found) + 1))
    return rules


def evidence_of(problem: Problem, rows: Rows) -> list[Evidence]:
    """Return what shows the votes of rules: the rows that are searched, then all examples."""
    are_sets = problem.schema.labels.are_sets
    with_line = isinstance(rows.loss, SetError)
    n_labels = rows.n_classes - with_line
    of_all = Evidence(problem.examples.weights_in, n_labels, are_sets=are_sets, with_line=with_line)
    if are_sets:  # not all examples are ranked
        return [of_all]
    of_rows = Evidence(rows.weights_of, rows.n_classes)
    is_part = rows.sample.total_weight < problem.weighed.total
    return [of_rows, of_all] if is_part else [of_rows]


def rows_of(problem: Problem, searched: CodedSample) -> Rows | None:
    """Return the distinct rows of some examples, as the committee is judged on them."""
    if not problem.schema.labels.are_sets:
        return rows_of_classes(searched, problem.vector_search.costs)
    labels = searched.labels
    if labels.ndim == 1:  # each example has one
        labels = labels[:, None] == np.arange(searched.n_labels)
    Y = np.asarray(labels, np.bool_)
    aims = aims_at_sets(problem.options)
    return rows_of_sets(searched, Y) if aims else rows_of_label_sets(searched, Y)


def rows_of_classes(sample: CodedSample, costs: Floats | None = None) -> Rows:
    """Return the distinct rows of examples of one class each."""
    first, row_of = distinct_codes(sample)
    n_rows = len(first)
    place = sample.labels.astype(np.int64) * n_rows + row_of
    weights = np.bincount(place, sample.weights, minlength=n_rows * sample.n_labels)
    class_weights = weights.astype(np.float64).reshape(-1, n_rows)
    return Rows(sample, first, row_of, ClassError(class_weights, costs))


def rows_of_label_sets(sample: CodedSample, Y: Bools) -> Rows | None:
    """Return the distinct rows of examples that have some of the labels, but not all.

    Parameters
    ----------
    sample : CodedSample
        The examples.
    Y : ndarray of bool of shape (n_samples, n_labels)
        Label matrix; every label occurs.

    Returns
    -------
    Rows or None
        None if there are none.
    """
    examples = np.ones(len(Y)) if sample.weights is None else sample.weights
    n_held = Y.sum(axis=1)
    is_ranked = (n_held > 0) & (n_held < Y.shape[1])
    if not is_ranked.any():
        return None
    prior = distribution(examples @ Y)
    sample, Y, examples = sample.take(is_ranked), Y[is_ranked], examples[is_ranked]
    first, row_of = distinct_codes(sample, np.packbits(Y, axis=1).T)
    weights = np.bincount(row_of, examples, minlength=len(first)).astype(np.float64)
    loss = RankingLoss(np.ascontiguousarray(Y[first].T), weights, prior)
    return Rows(sample, first, row_of, loss)


def rows_of_sets(sample: CodedSample, Y: Bools) -> Rows:
    """Return the distinct rows of examples with any labels, for committees that aim at sets.

    Parameters
    ----------
    sample, Y
        As for `rows_of_label_sets`.
    """
    examples = np.ones(len(Y)) if sample.weights is None else sample.weights
    first, row_of = distinct_codes(sample, np.packbits(Y, axis=1).T)
    weights = np.bincount(row_of, examples, minlength=len(first)).astype(np.float64)
    return Rows(sample, first, row_of, SetError(np.ascontiguousarray(Y[first].T), weights))


def votes_of_declared(rules: Sequence[SearchedRule], problem: Problem) -> Integers:
    """Return the votes of rules for all classes or labels, shape (n_rules, n_declared).

    Of those that aim at sets less the votes for the line; they name no label that does not occur.
    """
    present = problem.weighed.present
    if not aims_at_sets(problem.options):
        return vectors_of_declared(rules, present)
    vectors = np.zeros((len(rules), len(present)), np.int64)
    for vector, rule in zip(vectors, rules, strict=True):
        vector[present] = from_line(rule.vector)
    return vectors


def search(
    rows: Rows,
    constraints: Constraints,
    objective: Objective,
    budget: Budget | None = None,
    observer: Observer | None = None,
) -> list[SearchedRule]:
    """Return a committee of small description length.

    Parameters
    ----------
    rows : Rows
        The examples.
    constraints : Constraints
        What is demanded of rules.
    objective : Objective
        J on these rows.
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
    state = state_of(rows, objective)
    best, least = list(state.rules), state.length
    if rows.n_classes < 2 or not len(rows.catalogue):
        return best
    seen: dict[frozenset[int], Chain] = {}
    turns = deque([Growth.STAGEWISE] if rows.n_classes > 2 else Growth)
    idle: set[Growth] = set()
    is_polished, n_left = False, budget.turns
    while rows.work <= budget.search_work and n_left and not idle.issuperset(turns):
        n_left -= 1
        way = turns.popleft()
        seen |= _grow(way, state, constraints, budget)
        if way is not Growth.PARTITION:  # that would come up with the same again
            turns.append(way)
        _tell(observer, "grown", state)
        shrink(state, constraints, budget)
        _tell(observer, "shrunk", state)
        again = is_polished and _as_set(state.rules) == _as_set(best)
        is_done = Polisher(state, constraints, budget, seen.values()).polish(again=again)
        fall = least - state.length
        _tell(observer, "polished", state, kept=fall > 0)
        if fall > budget.min_improvement * least:
            idle.clear()
        else:
            idle.add(way)
        if fall > 0:
            best, least, is_polished = list(state.rules), state.length, is_done
        state.restart(best)
    return best


def _as_set(rules: list[SearchedRule]) -> set[tuple[frozenset[int], bytes]]:
    return {(frozenset(monomial), vector.tobytes()) for monomial, vector in rules}


class Growth(Enum):
    """How a committee is grown: on what it leaves undone, or by partitions of the examples."""

    STAGEWISE = auto()
    PARTITION = auto()
    PARTITION_WITHIN_VOTES = auto()


def _grow(
    way: Growth, state: SearchState, constraints: Constraints, budget: Budget
) -> dict[frozenset[int], Chain]:
    """Add rules; return the monomials that came up."""
    if way is not Growth.STAGEWISE:
        return grow_by_partitions(state, constraints, budget, whole=way is Growth.PARTITION)
    grower = Grower(state, constraints, budget)
    grower.grow()
    return grower.seen


def _tell(observer: Observer | None, how: str, state: SearchState, *, kept: bool = True) -> None:
    if observer is not None:
        sizes = [len(rule.monomial) for rule in state.rules]
        observer.refined(how, sizes, state.length, kept=kept)
