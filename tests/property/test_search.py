"""The search's fast steps give what plain recomputation gives, in hundreds of random data sets."""

from __future__ import annotations

import random
from collections import Counter
from math import log2
from pathlib import Path

import numpy as np
import pytest

from tests.reference import committee as reference
from tests.reference.bridge import coded
from widc_arff.arff.reader import read_arff
from widc_arff.dataset import Dataset
from widc_arff.decision import decide, default_vector, tie_scores
from widc_arff.induction.demands import Demands
from widc_arff.induction.limits import Limits
from widc_arff.induction.preparing import prepare
from widc_arff.induction.search.budget import Budget
from widc_arff.induction.search.growth import Grower, Residual
from widc_arff.induction.search.objective import Objective, literal_prices
from widc_arff.induction.search.polishing import (
    Others,
    Polisher,
    Surroundings,
    Vectors,
    families_near,
    simple_families,
)
from widc_arff.induction.search.searching import rows_of_classes, search
from widc_arff.induction.search.shrinking import removals_of, shrink
from widc_arff.induction.search.standing import SearchedRule, Standing
from widc_arff.options import Options

SEEDS = range(40)


def problem_of(seed: int):
    """Return a random sample of several classes with its rows, objective and demands."""
    rng = random.Random(seed)
    sample = coded(reference.random_problem(rng))
    while sample.n_labels < 2 or not len(sample.catalogue):
        sample = coded(reference.random_problem(rng))
    rows = rows_of_classes(sample)
    prices = literal_prices(sample.catalogue, 1.0)
    objective = Objective(rows.loss, rows.example_weight, prices)
    return sample, rows, objective, Demands(len(prices))


def grown(seed: int):
    sample, rows, objective, demands = problem_of(seed)
    standing = Standing(rows, objective)
    Grower(standing, demands, Budget()).grow()
    return sample, standing, demands


def plain_errors(sample, rules) -> float:
    """Return the errors of a committee example by example."""
    weights = np.ones(sample.n_samples) if sample.weights is None else sample.weights
    votes = np.zeros((sample.n_samples, sample.n_labels), np.int64)
    for monomial, vector in rules:
        votes[sample.satisfying_all(monomial)] += vector
    by_class = [weights[sample.labels == j].sum() for j in range(sample.n_labels)]
    prior = np.array(by_class) / sum(by_class)
    tied = (votes == votes.max(axis=1, keepdims=True)).sum(axis=1) > 1
    ambiguous = np.array([weights[tied & (sample.labels == j)].sum() for j in range(len(prior))])
    scores = tie_scores(default_vector(ambiguous, prior), prior)
    return float(weights[decide(votes, scores) != sample.labels].sum())


def plain_length(sample, standing) -> float:
    """Return J as its definition has it."""
    m, c = sample.total_weight * sample.example_weight, sample.n_labels
    wrong = plain_errors(sample, standing.rules) * sample.example_weight
    share = min(wrong / m, 0.5)
    bits = -m * sum(p * log2(p) for p in (share, 1 - share) if p > 0) + max(wrong - m / 2, 0)
    a_class = log2(c - 1)
    exceptions = sum(c - Counter(v.tolist()).most_common(1)[0][1] for _, v in standing.rules)
    prices = standing.objective.prices
    literals = sum(prices[i] for monomial, _ in standing.rules for i in monomial)
    return float(bits + (wrong + exceptions) * a_class + literals)


@pytest.mark.parametrize("seed", SEEDS)
def test_sums_are_the_same_by_product_and_by_counting(seed):
    sample, rows, _, _ = problem_of(seed)
    values = np.random.default_rng(seed).integers(-9, 9, (5, rows.n_rows)).astype(float)
    some = np.flatnonzero(np.arange(rows.n_rows) % 3)
    truth = np.array([rows.holds(i) for i in range(len(sample.catalogue))]).reshape(-1, rows.n_rows)
    for held in (True, False):
        assert (rows.sums(values) == values @ truth.T).all()
        assert (rows.sums(values[:, some], some) == values[:, some] @ truth[:, some].T).all()
        if held:
            rows._table = None  # then they are counted


@pytest.mark.parametrize("seed", SEEDS)
def test_errors_and_length_are_those_of_the_definition(seed):
    sample, standing, demands = grown(seed)
    for step in (lambda: None, lambda: shrink(standing, demands, Budget())):
        step()
        assert standing.errors == plain_errors(sample, standing.rules)
        assert standing.length == pytest.approx(plain_length(sample, standing))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_removal_costs_what_the_changed_committee_errs_more_with_ties_as_they_go(seed):
    _, standing, _ = grown(seed)
    rows = standing.rows
    for k, rule in enumerate(standing.rules):
        for removal in removals_of(standing, rule):
            come = [] if removal.rule is None else [removal.rule]
            other = Standing(rows, standing.objective)
            other.restart([*standing.rules[:k], *come, *standing.rules[k + 1 :]])
            keys = other.votes * rows.n_classes + standing.order.ranks[:, None]
            won = standing.right_with(keys, np.arange(rows.n_rows)).sum()
            assert removal.errors == standing.won.sum() - won


@pytest.mark.parametrize("seed", SEEDS)
def test_vectors_of_a_place_win_what_they_win_one_by_one(seed):
    _, standing, demands = grown(seed)
    rows = standing.rows
    every = np.arange(rows.n_rows)
    for rule in (*standing.rules[:3], None):
        families = simple_families(rows.n_classes)
        held = np.ones(rows.n_rows, np.bool_)
        if rule is not None:
            held = rows.cover(rule.monomial)
            of_cover = demands.vectors_of(rule.monomial, rows.class_weights[:, held].sum(axis=1))
            families = [*families_near(rule.vector, of_cover), *families]
        vectors = Vectors.of(families)
        others = Others(standing, rule, every, held)
        rest = [other for other in standing.rules if other is not rule]
        votes = Standing(rows, standing.objective, rest).votes
        keys = votes * rows.n_classes + standing.order.ranks[:, None]
        without = standing.right_with(keys, every)
        assert others.loss == standing.won.sum() - without.sum()
        won = others.won_with(vectors.families)
        for k in vectors.tried.tolist():
            shift = (vectors.vectors[k] * rows.n_classes).astype(np.int32)[:, None]
            plain = standing.right_with(keys + shift, every) - without
            assert (won[k] == plain[others.rows]).all()
            assert not np.delete(plain, others.rows).any()


@pytest.mark.parametrize("seed", SEEDS)
def test_only_open_rows_of_a_committee_can_be_decided_otherwise(seed):
    _, standing, demands = grown(seed)
    around = Surroundings(standing, demands, [])
    assert not (standing.is_tied & ~around.nearly_open).any()
    closed = np.flatnonzero(~around.nearly_open)
    n_classes = standing.rows.n_classes
    for sign in (1, -1):
        for label in range(n_classes):
            vector = np.full(n_classes, -sign)
            vector[label] = sign
            keys = standing.keys + (vector * n_classes).astype(np.int32)[:, None]
            assert (standing.right_with(keys[:, closed], closed) == standing.won[closed]).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_growth_on_parts_of_the_rows_ends_where_nothing_joins_from_all(seed):
    sample, _, demands = grown(seed)
    standing = Standing(rows_of_classes(sample), grown(seed)[1].objective)
    grower = Grower(standing, demands, Budget(growth_work=1e4))
    grower.grow()
    assert grower._step == 1
    assert not grower._round(grower._single_starts)


@pytest.mark.parametrize("seed", SEEDS)
def test_polishing_ends_with_the_length_that_it_tells_and_never_rises(seed):
    sample, standing, demands = grown(seed)
    shrink(standing, demands, Budget())
    before = standing.length
    Polisher(standing, demands, Budget(), []).polish()
    assert standing.length <= before + 1e-9
    assert standing.length == pytest.approx(plain_length(sample, standing))


@pytest.mark.parametrize("seed", SEEDS)
def test_less_work_in_a_place_finds_no_wrong_length(seed):
    sample, standing, demands = grown(seed)
    shrink(standing, demands, Budget())
    before = standing.length
    Polisher(standing, demands, Budget(slot_work=50.0), []).polish()
    assert standing.length <= before + 1e-9
    assert standing.length == pytest.approx(plain_length(sample, standing))


@pytest.mark.parametrize("seed", SEEDS)
def test_neither_the_order_of_the_examples_nor_copies_matter(seed):
    sample, _, _, _ = problem_of(seed)
    order = np.random.default_rng(seed).permutation(sample.n_samples)
    weights = np.ones(sample.n_samples) if sample.weights is None else sample.weights
    codes = [group.codes[:, order] for group in sample.groups]
    shuffled = sample.with_rows(codes, sample.labels[order], weights[order])
    twice = np.repeat(np.arange(sample.n_samples), 2)
    doubled = sample.with_rows([group.codes for group in sample.groups], sample.labels, 2 * weights)
    copied = sample.with_rows(
        [group.codes[:, twice] for group in sample.groups], sample.labels[twice], weights[twice]
    )
    found = [searched(s, 1.0) for s in (sample, shuffled, doubled, copied)]
    assert found[0] == found[1]
    assert found[2] == found[3]


def searched(sample, penalty: float):
    rules = search(rows_of_classes(sample), Demands(len(sample.catalogue)), penalty)
    return [(monomial, vector.tolist()) for monomial, vector in rules]


@pytest.mark.parametrize("seed", SEEDS)
def test_limits_of_size_hold(seed):
    sample, _, _, _ = problem_of(seed)
    rng = random.Random(seed)
    limits = Limits(rng.randint(0, 3), rng.randint(1, 3), rng.randint(0, 5))
    demands = Demands(len(sample.catalogue), limits)
    rules = search(rows_of_classes(sample), demands, 0.2)
    assert len(rules) <= (limits.max_rules or 0)
    assert all(len(rule.monomial) <= (limits.max_literals or 0) for rule in rules)
    assert sum(len(rule.monomial) for rule in rules) <= (limits.max_size or 0)


def test_a_search_with_little_work_returns_what_it_found():
    sample, rows, _, _ = problem_of(2)
    rules = search(rows, Demands(len(sample.catalogue)), 0.5, Budget(search_work=1.0))
    assert rules
    assert plain_errors(sample, rules) < rows.total - rows.class_weights.sum(axis=1).max()


def test_a_complete_table_in_which_no_literal_helps_alone_is_learned():
    path = Path(__file__).parents[2] / "arff_data" / "monk1.arff"
    _, sample = prepare(Dataset.from_relation(read_arff(path)), Options())
    rules = search(rows_of_classes(sample), Demands(len(sample.catalogue)), 3.0)
    assert plain_errors(sample, [SearchedRule(*rule) for rule in rules]) == 0


def test_the_residual_of_no_rules_is_that_of_the_most_frequent_class():
    _, rows, objective, _ = problem_of(3)
    residual = Residual(Standing(rows, objective), 0.0)
    assert (np.abs(residual.slope.sum(axis=0)) < 1e-6 * rows.total).all()
    assert (residual.curve >= 0).all()
