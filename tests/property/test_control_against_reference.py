"""Hard constraints on rules: committees within them are those of the plain loops."""

from __future__ import annotations

import random
import warnings
from dataclasses import replace

import pytest

from tests.reference import committee as reference
from tests.reference.bridge import dataset_of, rules_as_data
from widc_arff.errors import WidcWarning
from widc_arff.induction import induce
from widc_arff.model.expert_rules import ExpertRule
from widc_arff.options import Options


def learn(dataset, pruning="refined", **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)
        return induce(dataset, Options(pruning, **options))


def rules_of(expected):
    return [([tuple(x) for x in rule.monomial], tuple(rule.votes)) for rule in expected.rules]


@pytest.mark.parametrize("pruning", ["none", "pessimistic", "optimistic"])
@pytest.mark.parametrize("block", range(4))
def test_rules_of_a_least_coverage_and_without_negation_are_those_of_the_reference(pruning, block):
    for seed in range(block * 8, block * 8 + 8):
        problem, percent, negation = constrained(seed)
        settings = {"pruning": pruning, "negation": negation}
        expected = reference.induce(problem, **settings, min_coverage=percent / 100)
        committee = learn(dataset_of(problem), **settings, min_coverage=f"{percent}%")
        assert rules_as_data(committee) == rules_of(expected), seed
        assert_within(committee, percent, negation=negation)


@pytest.mark.parametrize("seed", range(64))
def test_searched_rules_have_the_coverage_and_the_operators_that_are_asked_for(seed):
    problem, percent, negation = constrained(seed)
    committee = learn(
        dataset_of(problem), penalty=0.5, negation=negation, min_coverage=f"{percent}%"
    )
    assert_within(committee, percent, negation=negation)


def constrained(seed):
    rng = random.Random(seed)
    problem = reference.random_problem(rng)
    return problem, rng.choice([1, 5, 15, 30]), rng.choice([True, False])


def assert_within(committee, percent, *, negation):
    least = percent / 100 * sum(committee.training.weights) * (1 - 1e-9)
    assert all(rule.covered >= least for rule in committee.rules)
    operators = {literal.operator for rule in committee.rules for literal in rule.monomial}
    assert negation or "!=" not in operators


@pytest.mark.parametrize("seed", range(10))
def test_a_least_weight_is_the_same_as_its_share(seed):
    dataset = dataset_of(reference.random_problem(random.Random(seed)))
    whole = learn(dataset)
    share = learn(dataset, min_coverage="10%")
    weight = learn(dataset, min_coverage=0.1 * sum(whole.training.weights))
    assert weight.rules == share.rules


@pytest.mark.parametrize("seed", range(30))
def test_growing_starts_from_the_partition_by_given_rules(seed):
    rng = random.Random(seed)
    problem = reference.random_problem(rng)
    sample = reference.counting_examples(problem)
    catalogue = reference.literals(sample, "all")
    if not catalogue:
        return
    given = [[rng.choice(catalogue)] for _ in range(2)]
    blocks = [
        tuple(reference.satisfies(row, monomial) for monomial in given) for row in sample.rows
    ]
    expected = reference.grow(sample, catalogue, initial=blocks, existing=given)
    rules = tuple(
        ExpertRule(
            tuple((f"a{x.attribute}", x.op, value_of(problem, x)) for x in monomial), None, "given"
        )
        for monomial in given
    )
    committee = learn(dataset_of(problem), "none", cut_points="all", rules=rules)
    learned = [monomial for monomial, _ in rules_as_data(committee)]
    assert learned[:2] == [[tuple(x) for x in monomial] for monomial in given]
    assert learned[2:] == [[tuple(x) for x in monomial] for monomial in expected]


def value_of(problem, literal):
    kind = problem.attributes[literal.attribute]
    return kind[1][literal.value] if kind[0] == "nominal" else literal.value


@pytest.mark.parametrize("pruning", ["pessimistic", "optimistic", "refined"])
@pytest.mark.parametrize("seed", range(12))
def test_errors_around_given_rules_are_those_of_the_decisions(pruning, seed):
    rng = random.Random(seed)
    problem = reference.random_problem(rng)
    catalogue = reference.literals(reference.counting_examples(problem), "mdl+")
    if not catalogue:
        return
    literal = rng.choice(catalogue)
    condition = (f"a{literal.attribute}", literal.op, value_of(problem, literal))
    votes = tuple(rng.choice([-1, 0, 1]) for _ in range(problem.n_classes))
    dataset = dataset_of(problem)
    rule = ExpertRule((condition,), votes, "given")
    committee = learn(dataset, pruning, penalty=0.5, rules=(rule,))
    assert committee.rules[0].votes == votes
    right = dataset.classes == committee.predict_codes(dataset)
    labelled = dataset.classes >= 0
    weights = dataset.weights * labelled
    assert committee.training.error == pytest.approx(1 - weights[right].sum() / weights.sum())
    # a rule says something new, and no more than the limits leave
    monomials = [frozenset(rule.monomial) for rule in committee.rules]
    assert len(set(monomials)) == len(monomials)
    few = learn(dataset, pruning, penalty=0.5, rules=(rule,), max_rules=2)
    first, again = (replace(found.rules[0], decides=None) for found in (committee, few))
    assert again == first  # which decides less beside others
    assert len(few.rules) <= 2
