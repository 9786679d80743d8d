"""The committee of rules: covers, default vector, probabilities and training error."""

from __future__ import annotations

import math
from dataclasses import replace
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.induction.calibrating import examples_said_nothing, fitted_calibration, label_odds_of
from widc_arff.induction.losses.ranking_loss import RankedExamples
from widc_arff.induction.preparing import costs_of_errors
from widc_arff.induction.sample.learning_sample import LearningSample, class_weights
from widc_arff.induction.sample.patterns import Patterns, collect_patterns
from widc_arff.model.committee import DecisionCommittee
from widc_arff.model.decision import (
    decide,
    default_vector,
    ranking_losses,
    tie_scores,
)
from widc_arff.model.label_threshold import SETS, threshold_of
from widc_arff.model.literals import satisfied, with_sets
from widc_arff.model.rules import Rule, TrainingSummary
from widc_arff.options import LabelSetOptions
from widc_arff.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.data.schema import Schema
    from widc_arff.induction.preparing import Problem
    from widc_arff.induction.sample.coding import Catalogue, Chain
    from widc_arff.options import Options


class Encoding(NamedTuple):
    """What the weights of the examples mean.

    Parameters
    ----------
    schema : Schema
        Attributes and classes.
    n_samples : int
        Number of examples.
    quantum : float
        Weight of one quantum in the data's own unit.
    example_weight : float
        Weight of one quantum in examples.
    """

    schema: Schema
    n_samples: int
    quantum: float
    example_weight: float


def learned_rules(
    catalogue: Catalogue, monomials: Sequence[Chain], vectors: Integers, options: Options
) -> tuple[Rule, ...]:
    """Return rules of literals of a catalogue, of which nobody knows yet what they cover."""
    conditions = map(catalogue.monomial, monomials)
    conditions = map(with_sets, conditions) if "sets" in options.literals_beyond else conditions
    return tuple(
        Rule(monomial, tuple(vector), (0.0,) * len(vector))
        for monomial, vector in zip(conditions, vectors.tolist(), strict=True)
    )


def committee_of(
    rules: tuple[Rule, ...],
    patterns: Patterns,
    meaning: Encoding,
    options: Options,
    in_data: Patterns | None = None,
) -> DecisionCommittee:
    """Return the committee of rules for examples of one class each.

    Parameters
    ----------
    rules : tuple of Rule
        Conditions and votes; those that are locked were not learned and cost nothing.
    patterns : Patterns
        The examples, by which of the rules hold on them.
    meaning : Encoding
        Of the weights.
    options : Options
        What was varied.
    in_data : Patterns, optional
        The same patterns with the weights that the data tell, where classes count more or less.
        The committee tells of these, the quantum is theirs.
    """
    in_data = in_data or patterns
    rules = tuple(
        replace(rule, covers=tuple((in_data.covered_weights(k) * meaning.quantum).tolist()))
        for k, rule in enumerate(rules)
    )
    vectors = _votes_of(rules, meaning.schema)
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
    committee = DecisionCommittee(meaning.schema, rules, tuple(default.tolist()), training)
    scores, in_units = committee.tie_scores, in_data.class_weights.sum(axis=1) * meaning.quantum
    rules = _with_decides(
        rules,
        in_data.satisfied,
        in_data.votes(vectors),
        in_units,
        lambda votes: decide(votes, scores),
    )
    learned = replace(committee, rules=tuple(rule for rule in rules if not rule.locked))
    of_vote = math.log2(max(len(committee.tie_order) - 1, 1))
    price = learned.n_literals * options.penalty + learned.n_votes * of_vote
    calibration = fitted_calibration(
        in_data.votes(vectors),
        in_data.class_weights,
        meaning.example_weight,
        scores,
        price,
    )
    return replace(committee, rules=rules, calibration=calibration)


def _given_and_learned(
    problem: Problem, monomials: Sequence[Chain], vectors: Integers
) -> tuple[Rule, ...]:
    """Return the rules that are given, locked, and those that are learned."""
    given = tuple(
        Rule(monomial, tuple(vector), (), name=rule.name, locked=True)
        for rule, monomial, vector in zip(
            problem.options.rules,
            problem.given.monomials,
            problem.given.vectors.tolist(),
            strict=True,
        )
    )
    return given + learned_rules(problem.catalogue, monomials, vectors, problem.options)


def committee_of_classes(
    problem: Problem, monomials: Sequence[Chain], vectors: Integers
) -> DecisionCommittee:
    """Return the committee of given and learned rules for examples of one class each."""
    rules = _given_and_learned(problem, monomials, vectors)
    found, in_data = problem.examples.patterns(monomials), problem.in_data
    patterns = replace(found.weighed, costs=costs_of_errors(problem.options))
    meaning = Encoding(problem.schema, in_data.n_samples, in_data.quantum, in_data.example_weight)
    return committee_of(rules, patterns, meaning, problem.options, found.in_data).brief()


def fitted_to_classes(
    rules: tuple[Rule, ...],
    schema: Schema,
    sample: LearningSample,
    in_data: LearningSample,
    options: Options,
) -> DecisionCommittee:
    """Return the committee of rules, with figures of examples of one class each.

    Parameters
    ----------
    rules : tuple of Rule
        Conditions and votes.
    schema : Schema
        Of the examples.
    sample, in_data : LearningSample
        The examples with weights as the options want, and as the data tell.
    options : Options
        What was varied.
    """
    covers = [satisfied(rule.monomial, sample.columns) for rule in rules]

    def patterns_of(of: LearningSample, costs: Floats | None) -> Patterns:
        return collect_patterns(covers, (of.weights * label for label in of.Y.T), costs)

    patterns = patterns_of(sample, costs_of_errors(options))
    meaning = Encoding(schema, len(in_data.weights), in_data.quantum, in_data.example_weight)
    patterns_in_data = None if in_data is sample else patterns_of(in_data, None)
    return committee_of(rules, patterns, meaning, options, patterns_in_data)


def committee_of_label_sets(
    problem: Problem, monomials: Sequence[Chain], vectors: Integers
) -> DecisionCommittee:
    """Return the committee of given and learned rules for label sets."""
    rules = _given_and_learned(problem, monomials, vectors)
    return fitted_to_label_sets(rules, problem.schema, problem.sample, problem.options).brief()


def fitted_to_label_sets(
    rules: tuple[Rule, ...], schema: Schema, sample: LearningSample, options: Options
) -> DecisionCommittee:
    """Return the committee of rules, with figures of examples of label sets; as for classes."""
    in_units = sample.weights * sample.quantum
    shape = (len(rules), len(sample.weights))
    covers = np.array([satisfied(r.monomial, sample.columns) for r in rules], np.bool_)
    covers = covers.reshape(shape)
    rules = tuple(
        replace(
            rule,
            covers=tuple(class_weights(sample.Y[cover], in_units[cover]).tolist()),
            weight=float(in_units[cover].sum()),
        )
        for rule, cover in zip(rules, covers, strict=True)
    )
    vectors = _votes_of(rules, schema)
    votes = covers.T.astype(np.int64) @ vectors
    examples = RankedExamples(covers.T, sample.Y, sample.weights)
    default = examples.default_vector(examples.satisfied.astype(np.int64) @ vectors)
    weight = float(in_units.sum())
    training = TrainingSummary(
        len(sample.weights),
        tuple((sample.class_weights * sample.quantum).tolist()),
        0.0,
        options.to_dict(),
        __version__,
        weight=None if weight == len(sample.weights) else weight,
    )
    sets = options.sets if isinstance(options, LabelSetOptions) else SETS[0]
    learned = [k for k, rule in enumerate(rules) if not rule.locked]
    n_more = examples_said_nothing([len(rules[k].monomial) for k in learned], vectors[learned])
    odds = label_odds_of(votes, sample.Y, sample.weights, sample.example_weight, n_more)
    committee = DecisionCommittee(
        schema, rules, tuple(default.tolist()), training, threshold=0.0, odds=odds
    )
    scores = committee.label_scores.of(votes)
    losses = sample.weights * ranking_losses(scores, sample.Y)
    loss = fsum(losses.tolist()) / float(sample.weights.sum())
    committee = replace(
        committee,
        training=replace(training, error=loss),
        threshold=threshold_of(sets, scores, sample.Y, sample.weights),
    )
    wrong = sample.weights * (committee.label_scores.sets(votes) != sample.Y).mean(axis=1)
    hamming = fsum(wrong.tolist()) / float(sample.weights.sum())
    committee = replace(committee, training=replace(committee.training, hamming=hamming))
    rules = _with_decides(rules, covers.T, votes, in_units, committee.label_scores.sets)
    return replace(committee, rules=rules)


def having_seen(
    committee: DecisionCommittee, sample: LearningSample, options: Options
) -> DecisionCommittee:
    """Return a committee that knows what occurred in training of the attributes that it tests.

    Not where cut points were given: on a cluster only what lies between them is counted then.
    """
    if not isinstance(options.cut_points, str):
        return committee
    columns, used = sample.columns, sorted(committee.used_attributes)
    return committee.having_seen({a: columns[a].astype(np.float64) for a in used})


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
        Of the committee.
    satisfied : ndarray of bool of shape (n_samples, n_rules)
        On which examples they hold.
    votes : ndarray of int64 of shape (n_samples, n_classes)
        Summed votes of all rules of the committee.
    weights : ndarray of float64 of shape (n_samples,)
        Of the examples, in the data's own unit.
    decided : callable
        What summed votes decide, a row or a number for each example.
    """
    found, whole = [], decided(votes)
    for rule, holds in zip(rules, satisfied.T, strict=True):
        rows = np.flatnonzero(holds)
        changed = whole[rows] != decided(votes[rows] - np.array(rule.votes))
        changed = changed if changed.ndim == 1 else changed.any(axis=1)
        found.append(replace(rule, decides=float(weights[rows[changed]].sum())))
    return tuple(found)


def _votes_of(rules: Sequence[Rule], schema: Schema) -> Integers:
    return np.array([rule.votes for rule in rules], np.int64).reshape(-1, schema.n_classes)
