"""The three stages of the paper, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.demands.limits import Limits
from widc_arff.induction.demands.voting import PLAIN
from widc_arff.induction.losses.ranking_loss import RankedExamples
from widc_arff.induction.paper.growing import grow
from widc_arff.induction.paper.pruning import (
    OptimisticPenalty,
    prune_by_ranking_loss,
    prune_optimistic,
    prune_pessimistic,
)
from widc_arff.induction.sample.coded_rules import Rules
from widc_arff.induction.sample.learning_sample import class_weights
from widc_arff.induction.vectors.label_sets import approximate_vector, exact_vector
from widc_arff.observer import tell_votes
from widc_arff.options import LabelSetOptions

if TYPE_CHECKING:
    from widc_arff.arrays import Bools, Integers
    from widc_arff.induction.demands.voting import Voting
    from widc_arff.induction.preparing import Problem
    from widc_arff.induction.sample.coding import Catalogue, Chain, CodedSample
    from widc_arff.induction.sample.learning_sample import LearningSample
    from widc_arff.induction.sample.patterns import Patterns
    from widc_arff.observer import Observer
    from widc_arff.options import Options


def rules_of_classes(problem: Problem, observer: Observer | None = None) -> Rules:
    """Return the rules for examples of one class each."""
    options, voting = problem.options, problem.voting
    blocks = problem.given.blocks if problem.given.monomials else None
    monomials = grow(
        problem.coded, growth_limits(options), blocks, problem.known, observer, problem.admission
    )
    if voting.demands is not None:
        monomials = _that_say_something(monomials, problem.coded, problem.sample, voting)
    patterns = problem.patterns(monomials)
    catalogue, example_weight = problem.coded.catalogue, problem.sample.example_weight
    rules = vote(patterns, monomials, catalogue, voting, observer)
    return rules.take(prune(patterns, rules, catalogue, example_weight, options, observer))


def label_set_rules(problem: Problem, observer: Observer | None = None) -> Rules:
    """Return the rules for examples that can have several labels."""
    sample, options = problem.sample, problem.options
    monomials = grow(
        problem.coded, growth_limits(options), observer=observer, admission=problem.admission
    )
    covers = problem.covers(monomials)
    assert isinstance(options, LabelSetOptions)
    rules = Rules(monomials, _label_set_vectors(sample, covers, options))
    tell_votes(observer, problem.coded.catalogue, *rules)
    kept = list(range(len(monomials)))
    if options.pruning == "pessimistic":
        examples = RankedExamples(covers.T, sample.Y, sample.weights)
        sizes = [len(monomial) for monomial in monomials]
        kept = prune_by_ranking_loss(examples, rules.vectors, sizes, problem.limits, observer)
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
    voting: Voting = PLAIN,
    observer: Observer | None = None,
) -> Rules:
    """Return monomials with their vectors: stage 2, on patterns of satisfied monomials."""
    present = patterns.class_weights.sum(axis=0) > 0
    covered = [patterns.covered_weights(k) for k in range(len(monomials))]
    vectors = voting.best_of_present(
        np.array(covered).reshape(-1, len(present)), present, voting.demanded(monomials)
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


def _that_say_something(
    monomials: list[Chain], coded: CodedSample, sample: LearningSample, voting: Voting
) -> list[Chain]:
    """Return the monomials whose vector within the directions is not constant."""
    said = []
    for monomial in monomials:
        cover = coded.satisfying_all(monomial)
        weights = class_weights(sample.Y[cover], sample.weights[cover])[sample.class_weights > 0]
        vector = voting.best(weights[None], voting.demanded([monomial]))[0]
        if (vector != vector[0]).any():
            said.append(monomial)
    return said


def _label_set_vectors(sample: LearningSample, covers: Bools, options: LabelSetOptions) -> Integers:
    """Return the vector of each monomial, shape (n_rules, n_labels)."""
    present = sample.class_weights > 0
    n_held = sample.Y.sum(axis=1)
    ranked = n_held < present.sum()
    # With one label an example the paper's search finds the optimum.
    several = bool((n_held[ranked] > 1).any())
    search = exact_vector if several and options.vectors == "exact" else approximate_vector
    vectors = [search(sample.Y[cover], sample.weights[cover], present) for cover in covers]
    return np.array(vectors, np.int64).reshape(-1, sample.Y.shape[1])
