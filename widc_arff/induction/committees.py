"""The committee of learned rules: covers, default vector and training error."""

from __future__ import annotations

import math
from dataclasses import replace
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.induction.calibrating import certainty_of
from widc_arff.induction.losses.ranking_loss import RankedExamples
from widc_arff.induction.sample.learning_sample import LearningSample, class_weights
from widc_arff.induction.sample.patterns import Patterns, collect_patterns
from widc_arff.model.committee import DecisionCommittee
from widc_arff.model.decision import (
    decide,
    default_vector,
    ranking_losses,
    ranking_scores,
    tie_scores,
)
from widc_arff.model.label_threshold import calibrated_threshold, label_sets, split_by_ties
from widc_arff.model.rules import Rule, TrainingSummary
from widc_arff.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.data.dataset import Schema
    from widc_arff.induction.demands.given import GivenRules
    from widc_arff.induction.preparing import Problem
    from widc_arff.induction.sample.coding import Catalogue, Chain
    from widc_arff.options import Options


class CodeMeaning(NamedTuple):
    """What the codes and weights of the examples mean.

    Parameters
    ----------
    schema : Schema
        Attributes and classes.
    catalogue : Catalogue
        The literals.
    n_samples : int
        Number of examples.
    quantum : float
        Weight of one quantum in the data's own unit.
    example_weight : float
        Weight of one quantum in examples.
    """

    schema: Schema
    catalogue: Catalogue
    n_samples: int
    quantum: float
    example_weight: float


class Beside(NamedTuple):
    """What stands beside the learned rules.

    Parameters
    ----------
    given : tuple of Rule
        Rules that stand before the learned ones; the patterns hold their votes.
    in_data : Patterns or None
        The same patterns with the weights that the data tell, where classes count more or less.
        The committee tells of these, its quantum is theirs.
    """

    given: tuple[Rule, ...] = ()
    in_data: Patterns | None = None


def committee_of(
    patterns: Patterns,
    monomials: Sequence[Chain],
    vectors: Integers,
    meaning: CodeMeaning,
    options: Options,
    beside: Beside | None = None,
) -> DecisionCommittee:
    """Return the committee of rules for examples of one class each.

    Parameters
    ----------
    patterns : Patterns
        The examples, by which of the monomials they satisfy.
    monomials : sequence of tuple of int
        Literals as indices in the catalogue.
    vectors : ndarray of int64 of shape (n_rules, n_declared)
        Their votes.
    meaning : CodeMeaning
        Of codes and weights.
    options : Options
        What was varied.
    beside : Beside, optional
        Other rules, other weights.
    """
    beside = beside or Beside()
    in_data = beside.in_data or patterns
    learned = tuple(
        Rule(
            meaning.catalogue.monomial(monomial),
            tuple(vector.tolist()),
            tuple((in_data.covered_weights(k) * meaning.quantum).tolist()),
        )
        for k, (monomial, vector) in enumerate(zip(monomials, vectors, strict=True))
    )
    votes = patterns.votes(vectors)
    default = default_vector(patterns.ambiguous(votes), patterns.prior)
    wrong = in_data.errors(votes, tie_scores(default, in_data.prior)).sum()
    training = TrainingSummary(
        meaning.n_samples,
        tuple((in_data.class_weights.sum(axis=0) * meaning.quantum).tolist()),
        float(wrong / in_data.total_weight),
        options.to_dict(),
        __version__,
        float(in_data.ambiguous(votes).sum() / in_data.total_weight),
    )
    committee = DecisionCommittee(meaning.schema, learned, tuple(default.tolist()), training)
    scores, in_units = committee.tie_scores, in_data.class_weights.sum(axis=1) * meaning.quantum
    learned = _with_decides(
        learned,
        in_data.satisfied,
        in_data.votes(vectors),
        in_units,
        lambda votes: decide(votes, scores),
    )
    of_vote = math.log2(max(len(committee.tie_order) - 1, 1))
    price = committee.n_literals * options.penalty + committee.n_votes * of_vote
    certainty = certainty_of(
        in_data.votes(vectors),
        in_data.class_weights,
        meaning.example_weight,
        scores,
        price,
    )
    return replace(committee, rules=beside.given + learned, certainty=certainty).brief()


def committee_of_classes(
    problem: Problem, monomials: Sequence[Chain], vectors: Integers
) -> DecisionCommittee:
    """Return the committee of rules learned from examples of one class each."""
    told = problem.told
    meaning = CodeMeaning(
        problem.schema,
        problem.coded.catalogue,
        len(told.weights),
        told.quantum,
        told.example_weight,
    )
    patterns = problem.patterns(monomials)
    covers = (problem.coded.satisfying_all(monomial) for monomial in monomials)
    of_classes = (told.weights * label for label in told.Y.T)
    in_data = (
        None
        if told is problem.sample
        else collect_patterns(covers, of_classes, None, problem.given_votes)
    )
    beside = Beside(_rules_of(problem.given, told), in_data)
    committee = committee_of(patterns, monomials, vectors, meaning, problem.options, beside)
    if not beside.given:
        return committee
    votes = problem.given.votes.T.astype(np.int64)
    votes += problem.covers(monomials).T.astype(np.int64) @ vectors
    given = _with_decides(
        beside.given,
        problem.given.covers.T,
        votes,
        told.weights * told.quantum,
        lambda votes: decide(votes, committee.tie_scores),
    )
    return replace(committee, rules=given + committee.rules[len(given) :])


def committee_of_label_sets(
    problem: Problem, monomials: Sequence[Chain], vectors: Integers
) -> DecisionCommittee:
    """Return the committee that ranks labels, with a threshold that makes sets of them."""
    sample = problem.sample
    covers = problem.covers(monomials)
    in_units = sample.weights * sample.quantum
    rules = tuple(
        Rule(
            problem.coded.catalogue.monomial(monomial),
            tuple(vector.tolist()),
            tuple(class_weights(sample.Y[cover], in_units[cover]).tolist()),
            float(in_units[cover].sum()),
        )
        for monomial, vector, cover in zip(monomials, vectors, covers, strict=True)
    )
    examples = RankedExamples(covers.T, sample.Y, sample.weights)
    default = examples.default_vector(examples.satisfied.astype(np.int64) @ vectors)
    training = TrainingSummary(
        len(sample.weights),
        tuple((sample.class_weights * sample.quantum).tolist()),
        0.0,
        problem.options.to_dict(),
        __version__,
    )
    committee = DecisionCommittee(problem.schema, rules, tuple(default.tolist()), training)
    votes = covers.T.astype(np.int64) @ vectors
    scores = ranking_scores(votes, committee.tie_scores)
    losses = sample.weights * ranking_losses(scores, sample.Y)
    loss = fsum(losses.tolist()) / float(sample.weights.sum())
    threshold = calibrated_threshold(scores, sample.Y, sample.weights)
    rules = _with_decides(
        rules,
        covers.T,
        votes,
        in_units,
        lambda votes: label_sets(ranking_scores(votes, committee.tie_scores), threshold),
    )
    tied = split_by_ties(votes, label_sets(scores, threshold))
    ties = float(sample.weights[tied].sum() / sample.weights.sum())
    weight = float(in_units.sum())
    told = None if weight == training.examples else weight
    training = replace(training, error=loss, ties=ties, weight=told)
    return replace(committee, rules=rules, training=training, threshold=threshold).brief()


def _rules_of(given: GivenRules, told: LearningSample) -> tuple[Rule, ...]:
    """Return given rules with the class weights of their covers, in the data's own unit."""
    return tuple(
        Rule(
            monomial,
            tuple(vector.tolist()),
            tuple((class_weights(told.Y[cover], told.weights[cover]) * told.quantum).tolist()),
        )
        for monomial, vector, cover in zip(
            given.monomials, given.vectors, given.covers, strict=True
        )
    )


def _with_decides(
    rules: tuple[Rule, ...],
    satisfied: Bools,
    votes: Integers,
    weights: Floats,
    decided: Callable[[Integers], NDArray[np.generic]],
) -> tuple[Rule, ...]:
    """Return rules with the weight of the examples that are decided otherwise without each.

    Parameters
    ----------
    rules : tuple of Rule
        Some of the committee's.
    satisfied : ndarray of bool of shape (n_samples, n_rules)
        On which examples they hold.
    votes : ndarray of int64 of shape (n_samples, n_classes)
        Summed votes of all rules of the committee.
    weights : ndarray of float64 of shape (n_samples,)
        Of the examples, in the data's own unit.
    decided : callable
        What summed votes decide, a row or a number for each example.
    """
    found = []
    for rule, holds in zip(rules, satisfied.T, strict=True):
        rows = np.flatnonzero(holds)
        changed = decided(votes[rows]) != decided(votes[rows] - np.array(rule.votes))
        changed = changed if changed.ndim == 1 else changed.any(axis=1)
        found.append(replace(rule, decides=float(weights[rows[changed]].sum())))
    return tuple(found)
