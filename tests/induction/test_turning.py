"""Rules inside out: committees that decide the same, with rules that cover less."""

from __future__ import annotations

import random
import warnings
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.reference import committee as reference
from tests.reference.bridge import dataset_of
from widc_arff.arff.relation import Attribute, Relation
from widc_arff.data.dataset import Dataset
from widc_arff.errors import WidcWarning
from widc_arff.induction.committees import committee_of_classes
from widc_arff.induction.constraints import Constraints
from widc_arff.induction.preparing import Problem
from widc_arff.induction.search.objective import Objective
from widc_arff.induction.search.searching import evidence_of, rows_of_classes, search
from widc_arff.induction.search.state import SearchedRule
from widc_arff.induction.search.turning import decide_the_same, turned, vectors_of_declared
from widc_arff.model.literals import Literal
from widc_arff.options import Options

if TYPE_CHECKING:
    from widc_arff.model.committee import DecisionCommittee

YEARS = tuple(map(str, range(58, 70)))


def patients(*, missing: int = 0) -> Dataset:
    """Return 25 patients of each of twelve years, of whom two died, but of 1965 all but two."""
    years = np.repeat(np.arange(len(YEARS)), 25).astype(np.int8)
    died = (np.arange(len(years)) % 25 < 2) ^ (years == YEARS.index("65"))
    years[:missing] = -1
    attributes = (
        Attribute("year", "nominal", YEARS),
        Attribute("status", "nominal", ("survived", "died")),
    )
    relation = Relation("patients", attributes, (years, died.astype(np.int8)), np.ones(len(years)))
    return Dataset.from_relation(relation)


def turned_rules(rules, dataset: Dataset, **options) -> list[tuple[str, str, tuple[int, ...]]]:
    """Return what becomes of rules of one literal, ``(operator, year, votes)``."""
    problem = Problem.of(dataset, Options(**options))
    catalogue = problem.catalogue
    number = {catalogue.literal(i): i for i in range(len(catalogue))}
    searched = [
        SearchedRule((number[Literal(0, operator, YEARS.index(year))],), np.array(votes))
        for operator, year, votes in rules
    ]
    objective = Objective.of(rows_of_classes(problem.held.coded), problem.options)
    constraints = Constraints(len(catalogue), literal_filter=problem.literal_filter)
    found = []
    for (literal,), votes in turned(searched, problem, constraints, objective):
        told = catalogue.literal(literal)
        found.append((told.operator, YEARS[int(told.value)], tuple(votes.tolist())))
    return found


def committees(dataset: Dataset, **options) -> tuple[DecisionCommittee, DecisionCommittee]:
    """Return a committee that is searched for, and the one that it becomes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)
        problem = Problem.of(dataset, Options(**options))
    rows = rows_of_classes(problem.held.coded)
    constraints = Constraints(len(problem.catalogue), evidence=evidence_of(problem, rows))
    objective = Objective.of(rows, problem.options)
    found = search(rows, constraints, objective)

    def committee(rules: list[SearchedRule]) -> DecisionCommittee:
        vectors = vectors_of_declared(rules, problem.weighed.present)
        return committee_of_classes(problem, [rule.monomial for rule in rules], vectors)

    return committee(found), committee(turned(found, problem, constraints, objective))


WIDE = [("!=", "65", (1, 0))]


def test_one_year_of_twelve_is_named_and_not_the_eleven_others():
    assert turned_rules(WIDE, patients()) == [("=", "65", (-1, 0))]
    assert turned_rules([("!=", "65", (1, -1))], patients()) == [("=", "65", (-1, 1))]


def test_a_rule_on_an_attribute_with_missing_values_stays_as_it_is():
    assert turned_rules(WIDE, patients(missing=3)) == WIDE


def test_a_rule_stays_as_it_is_where_others_part_the_classes_by_one_vote_and_it_by_two():
    other = ("=", "66", (1, 0))
    assert turned_rules([("!=", "65", (1, -1)), other], patients())[0] == ("!=", "65", (1, -1))
    even = ("=", "66", (1, -1))
    assert turned_rules([("!=", "65", (1, -1)), even], patients())[0] == ("=", "65", (-1, 1))


def test_what_is_demanded_of_rules_is_demanded_of_turned_ones():
    assert turned_rules(WIDE, patients(), min_coverage="50%") == WIDE
    assert turned_rules(WIDE, patients(), min_coverage="5%") != WIDE


@pytest.mark.parametrize("most", [2048, 0])  # all sums are tried, or pairs compared
@pytest.mark.parametrize("seed", range(4))
def test_rows_are_decided_the_same_whatever_rules_hold(seed, most):
    rng = random.Random(seed)
    n_same = 0
    for _ in range(400):
        n_classes, size = rng.randint(2, 3), rng.randint(0, 3)
        votes = rng.choice([(-1, 0, 1), (-1, 1)])
        drawn = [[rng.choice(votes) for _ in range(n_classes)] for _ in range(size + 1)]
        before, after = (rng.sample(range(n_classes), n_classes) for _ in range(2))
        (vector, *others) = np.array(drawn)
        winners, pairs = [], []
        for held in product((0, 1), repeat=size):
            of_others = sum((h * v for h, v in zip(held, others, strict=True)), 0 * vector)
            for holds in (0, 1):
                both = [
                    list(zip(sums.tolist(), ranks, strict=True))
                    for sums, ranks in (
                        (of_others + holds * vector, before),
                        (of_others + (holds - 1) * vector, after),
                    )
                ]
                winners.append([places.index(max(places)) for places in both])
                pairs += [
                    [places[j] > places[k] for places in both]
                    for j, k in product(range(n_classes), repeat=2)
                ]
        ranks = np.array(before), np.array(after)
        voted = np.array(others, np.int64).reshape(-1, n_classes)
        same = decide_the_same(vector, *ranks, voted, most)
        # without others there is one sum, whatever the most is
        expected = winners if most or not size else pairs
        assert same == all(first == second for first, second in expected)
        n_same += same
    assert n_same > 20


def test_one_rule_of_three_classes_is_turned_though_two_classes_never_win():
    before, after = np.array([1, 2, 0]), np.array([2, 1, 0])
    assert decide_the_same(np.array([1, -1, -1]), before, after, np.zeros((0, 3), np.int64))


def test_turned_committees_decide_the_same_for_all_rows_and_cover_less():
    n_turned = 0
    for seed in range(80):
        rng = random.Random(f"turned {seed}")
        dataset = dataset_of(reference.random_problem(rng, max_classes=rng.choice([2, 2, 3])))
        plain, committee = committees(dataset, penalty=rng.choice([0.2, 1.0]))
        assert committee.training.error == plain.training.error
        assert committee.n_literals == plain.n_literals
        new = rows_without_missing_values(dataset)
        assert (committee.predict_codes(dataset) == plain.predict_codes(dataset)).all()
        assert (committee.predict_codes(new) == plain.predict_codes(new)).all()
        covered = [sum(rule.covered for rule in of.rules) for of in (committee, plain)]
        if committee.rules != plain.rules:
            assert covered[0] < covered[1]
            n_turned += 1
    assert n_turned >= 5


def rows_without_missing_values(dataset: Dataset) -> Dataset:
    """Return all combinations of some values of each attribute."""
    values = []
    for attribute, column in zip(dataset.schema.attributes, dataset.columns, strict=True):
        if attribute.type == "nominal":
            values.append(np.arange(len(attribute.values)))
        else:
            known = np.unique(column[~np.isnan(column)])
            values.append(np.append(known[:: max(1, len(known) // 4)], 1e9))
    grid = np.meshgrid(*values, indexing="ij")
    columns = tuple(
        axis.ravel().astype(column.dtype)
        for axis, column in zip(grid, dataset.columns, strict=True)
    )
    n_rows = len(columns[0])
    Y = np.zeros((n_rows, dataset.schema.n_classes), np.bool_)
    return Dataset(dataset.schema, columns, Y, np.ones(n_rows), has_labels=False)
