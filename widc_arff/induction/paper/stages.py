"""The three stages of the paper, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.constraints.limits import Limits
from widc_arff.induction.constraints.vector_search import PLAIN
from widc_arff.induction.losses.ranking_loss import RankedExamples
from widc_arff.induction.paper.growing import grow
from widc_arff.induction.paper.pruning import (
    OptimisticPenalty,
    prune_by_ranking_loss,
    prune_optimistic,
    prune_pessimistic,
)
from widc_arff.induction.sample.coded_rules import Rules
from widc_arff.induction.vectors.label_sets import vectors_of_covers
from widc_arff.observer import tell_votes
from widc_arff.options import LabelSetOptions

if TYPE_CHECKING:
    from widc_arff.induction.constraints.vector_search import VectorSearch
    from widc_arff.induction.preparing import Problem
    from widc_arff.induction.sample.coding import Catalogue, Chain
    from widc_arff.induction.sample.patterns import Patterns
    from widc_arff.observer import Observer
    from widc_arff.options import Options


def rules_of_classes(problem: Problem, observer: Observer | None = None) -> Rules:
    """Return the rules for examples of one class each."""
    options, vector_search = problem.options, problem.vector_search
    counter, limits = problem.examples.counter(), growth_limits(options)
    monomials = grow(counter, limits, problem.known, observer, problem.literal_filter)
    if vector_search.constraints is not None:
        monomials = _that_say_something(monomials, problem)
    patterns = problem.patterns(monomials)
    catalogue, example_weight = problem.catalogue, problem.weighed.example_weight
    rules = vote(patterns, monomials, catalogue, vector_search, observer)
    return rules.take(prune(patterns, rules, catalogue, example_weight, options, observer))


def label_set_rules(problem: Problem, observer: Observer | None = None) -> Rules:
    """Return the rules for examples that can have several labels."""
    sample, options, given = problem.sample, problem.options, problem.given
    counter, limits = problem.examples.counter(), growth_limits(options)
    monomials = grow(counter, limits, problem.known, observer, problem.literal_filter)
    covers = problem.held.covers(monomials)
    assert isinstance(options, LabelSetOptions)
    exact = options.vectors == "exact"
    rules = Rules(monomials, vectors_of_covers(covers, sample.Y, sample.weights, exact=exact))
    tell_votes(observer, problem.catalogue, *rules)
    kept = list(range(len(monomials)))
    if options.pruning == "pessimistic":
        examples = RankedExamples(
            np.vstack([problem.held.given, covers]).T, sample.Y, sample.weights
        )
        sizes = [len(monomial) for monomial in monomials]
        vectors = np.vstack([given.vectors, rules.vectors])
        kept = prune_by_ranking_loss(examples, vectors, sizes, problem.limits, observer)
    if observer is not None:
        observer.kept([k + 1 for k in kept])
    return rules.take(kept)


def growth_limits(options: Options) -> Limits:
    """Return the limits of stage 1: all of them where no pruning follows."""
    limits = Limits.of_learned(options)
    return limits if options.pruning == "none" else Limits(max_literals=limits.max_literals)


def vote(
    patterns: Patterns,
    monomials: list[Chain],
    catalogue: Catalogue,
    vector_search: VectorSearch = PLAIN,
    observer: Observer | None = None,
) -> Rules:
    """Return monomials with their vectors: stage 2, on patterns of satisfied monomials."""
    present = patterns.class_weights.sum(axis=0) > 0
    covered = [patterns.covered_weights(k) for k in range(len(monomials))]
    vectors = vector_search.best_of_present(
        np.array(covered).reshape(-1, len(present)), present, vector_search.demanded(monomials)
    )
    tell_votes(observer, catalogue, monomials, vectors)
    return Rules(monomials, vectors)


def prune(
    patterns: Patterns,
    rules: Rules,
    catalogue: Catalogue,
    example_weight: float,
    options: Options,
    observer: Observer | None = None,
) -> list[int]:
    """Return which rules to keep: stage 3.

    Parameters
    ----------
    patterns : Patterns
        The examples.
    rules : Rules
        The large committee.
    catalogue : Catalogue
        Of its literals.
    example_weight : float
        Weight of one quantum in examples.
    options : Options
        How to prune.
    observer : Observer, optional
        Is told of the removals.
    """
    limits = Limits.of_learned(options)
    sizes = [len(monomial) for monomial in rules.monomials]
    kept = list(range(len(sizes)))
    if options.pruning == "optimistic":
        n_examples = patterns.total_weight * example_weight
        penalty = OptimisticPenalty(
            catalogue, rules.monomials, options.delta, example_weight, n_examples
        )
        kept = prune_optimistic(patterns, rules.vectors, penalty, observer)
    is_small = limits.allow(len(kept), sum(sizes[k] for k in kept))
    if options.pruning == "pessimistic" or (options.pruning == "optimistic" and not is_small):
        kept = prune_pessimistic(patterns, rules.vectors, sizes, limits, kept, observer)
    if observer is not None:
        observer.kept([k + 1 for k in kept])
    return kept


def _that_say_something(monomials: list[Chain], problem: Problem) -> list[Chain]:
    """Return the monomials whose vector within the directions is not constant."""
    said, vector_search = [], problem.vector_search
    labels = list(range(int(problem.weighed.present.sum())))
    for monomial in monomials:
        weights, _ = problem.examples.weights_in(monomial, labels)
        vector = vector_search.best(weights[None], vector_search.demanded([monomial]))[0]
        if (vector != vector[0]).any():
            said.append(monomial)
    return said
