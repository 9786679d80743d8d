"""What refined pruning does with large samples, against plain twins and laws."""

from __future__ import annotations

import random
import warnings
from dataclasses import replace

import numpy as np
import pytest

import widc_arff.induction.contest as contest_module
import widc_arff.induction.large_refining as large_module
import widc_arff.induction.refining as refining_module
import widc_arff.induction.shrinking as shrinking_module
from tests.reference import committee as reference
from tests.reference.bridge import coded, dataset_of
from tests.reference.growing import grow as grow_plainly
from tests.reference.literals import Literal
from tests.reference.problem import counting_examples
from tests.reference.refining import Refiner
from widc_arff.dataset import Dataset
from widc_arff.errors import WidcWarning
from widc_arff.expert_rules import parse_rules
from widc_arff.induction import induce, prepare
from widc_arff.induction.aim import Aim, Demands
from widc_arff.induction.contest import Contest, ranks
from widc_arff.induction.distinct_rows import NO_VECTOR, distinct_rows
from widc_arff.induction.growing import GrowthLimits
from widc_arff.induction.polishing import polish
from widc_arff.induction.pruning import SizeLimits
from widc_arff.induction.refining import length_for
from widc_arff.induction.shrinking import shrink
from widc_arff.options import Options


class Both:
    """A random problem for the product and for the reference, with monomials grown from it."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        problem = reference.random_problem(self.rng, max_rows=40)
        self.sample = counting_examples(problem)
        self.coded = coded(problem, "quantile:4")
        catalogue = self.coded.catalogue
        found = [catalogue.literal(i) for i in range(len(catalogue))]
        self.literals = [Literal(x.attribute, x.operator, x.value) for x in found]
        self.number = {literal: i for i, literal in enumerate(self.literals)}
        self.rows, _ = distinct_rows(self.coded)
        self.penalty = self.rng.choice([0.5, 1.0, 3.0])
        self.length = length_for(self.coded, self.penalty)
        self.grown = grow_plainly(self.sample, self.literals)

    def chains(self, monomials) -> list[tuple[int, ...]]:
        """Return monomials of the reference as literals of the catalogue."""
        return [tuple(self.number[literal] for literal in monomial) for monomial in monomials]


@pytest.mark.parametrize("block", range(6))
@pytest.mark.parametrize(("pairs", "replacing"), [(True, True), (False, False), (True, False)])
def test_polishing_with_pairs_and_without_replacement_is_that_of_the_reference(
    block, pairs, replacing
):
    for seed in range(block * 10, block * 10 + 10):
        both = Both(seed)
        start = both.rng.sample(both.grown, min(2, len(both.grown)))
        longest = both.rng.choice([None, None, 1, 2])
        start = [monomial for monomial in start if longest is None or len(monomial) <= longest]
        refiner = Refiner(both.sample, both.penalty, pairs=pairs, replacing=replacing)
        expected = refiner.polish(both.literals, start, longest)
        limits = GrowthLimits(max_literals=longest)
        aim = Aim(both.penalty, limits, Demands(), pairs=pairs, replacing=replacing)
        found = polish(both.rows, both.chains(start), both.length, aim)
        assert found == both.chains(expected), seed


@pytest.mark.parametrize("block", range(6))
def test_screened_removals_are_those_of_the_reference(block, monkeypatch):
    monkeypatch.setattr(
        shrinking_module, *(("MANY_CLASSES", 1) if block % 2 else ("MANY_PATTERNS", 0))
    )
    for seed in range(block * 10, block * 10 + 10):
        both = Both(seed)
        screening = block % 2 == 1 or sum(Refiner(both.sample, 0.0).present) > 2
        expected = Refiner(both.sample, both.penalty, screening=screening).shrink(both.grown)
        found = shrink(both.rows, both.chains(both.grown), both.length, SizeLimits())
        assert found == both.chains(expected), seed


@pytest.mark.parametrize("few", [1, 100])
@pytest.mark.parametrize("seed", range(20))
def test_weight_is_won_where_the_class_of_the_largest_sum_is_right(seed, few, monkeypatch):
    monkeypatch.setattr(contest_module, "FEW_CLASSES", few)
    rng = np.random.default_rng(seed)
    c, n = int(rng.integers(2, 9)), int(rng.integers(1, 30))
    votes = rng.integers(-6, 7, (c, n)).astype(np.int16)
    right = rng.integers(0, 9, (c, n)).astype(float)
    order = ranks(rng.integers(0, 3, c).astype(float))
    contest = Contest(votes, order, right, 2)
    vectors = rng.integers(-1, 2, (5, c))

    def won(sums, row):
        best = max(range(c), key=lambda j: (sums[j], order[j]))
        return right[best, row]

    rows = rng.permutation(n)[: rng.integers(0, n + 1)]
    expected = [[won(votes[:, i] + v, i) - won(votes[:, i], i) for i in rows] for v in vectors]
    assert contest.won.tolist() == [won(votes[:, i], i) for i in range(n)]
    assert contest.gains(rows, vectors).tolist() == expected
    which = rng.integers(0, 5, len(rows))
    of_pairs = contest.gains_of_pairs(rows, which, vectors)
    assert of_pairs.tolist() == [expected[v][k] for k, v in enumerate(which)]


@pytest.mark.parametrize("seed", range(30))
def test_sums_and_vectors_of_pairs_are_those_of_each_pair(seed):
    both = Both(seed)
    rows, n = both.rows, len(both.literals)
    rng = np.random.default_rng(seed)
    some = np.sort(rng.permutation(rows.n_rows)[: rng.integers(1, rows.n_rows + 1)])
    values = rng.integers(-9, 10, len(some)).astype(float)
    sums, vectors = rows.pair_sums(values, some), rows.pair_vectors()
    for i in range(n):
        for j in range(n):
            cover = rows.truth[i] & rows.truth[j]
            assert sums[i, j] == values[cover[some]].sum()
            number = NO_VECTOR
            if i < j and cover.any():
                number = rows.number(rows.vector((i, j)))
            assert vectors[i, j] == number


@pytest.mark.parametrize("seed", range(30))
def test_each_literal_sums_its_own_series(seed, monkeypatch):
    monkeypatch.setattr("widc_arff.induction.distinct_rows.FEW_SERIES", seed % 2)
    both = Both(seed)
    rng = np.random.default_rng(seed)
    every = np.arange(both.rows.n_rows)
    values = rng.integers(-9, 10, (3, len(every))).astype(float)
    literals = rng.integers(0, len(both.literals), 8) if both.literals else np.zeros(0, int)
    series = rng.integers(0, 3, len(literals))
    expected = [values[k][both.rows.truth[i]].sum() for i, k in zip(literals, series, strict=True)]
    assert both.rows.sums_of_own(values, series, literals, every).tolist() == expected


# Whole inductions ---------------------------------------------------------------------------------


@pytest.fixture
def everything_is_large(monkeypatch):
    """Take the steps of large samples from a few rows on, each on other rows."""
    monkeypatch.setattr(large_module, "LARGE", 20)
    monkeypatch.setattr(refining_module, "FEWEST_ROWS", 8)
    monkeypatch.setattr(refining_module, "MOST_CELLS", 300)
    monkeypatch.setattr(refining_module, "MANY_ROWS", 10)


def bands(seed: int, n: int = 400) -> Dataset:
    """Return rows whose class is "between", which mdl+ cuts coarsely, with one row in ten wrong."""
    problem = reference.random_problem(random.Random(seed), max_rows=6)
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    y = ((X[:, 0] + X[:, 1] > 0.5) ^ (rng.random(n) < 0.1)).astype(int)
    colours = rng.integers(0, 3, n)
    rows = [
        [*map(float, row), int(colour)] for row, colour in zip(X.tolist(), colours, strict=True)
    ]
    attributes = [("numeric",), ("numeric",), ("numeric",), ("nominal", ["r", "g", "b"])]
    problem = replace(
        problem,
        attributes=attributes,
        rows=rows,
        labels=y.tolist(),
        n_classes=2,
        weights=[1.0] * n,
    )
    return dataset_of(problem)


def learn(dataset: Dataset, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)
        return induce(dataset, Options(pruning="refined", **options))


@pytest.mark.usefixtures("everything_is_large")
@pytest.mark.parametrize("seed", range(8))
def test_the_order_of_the_rows_does_not_matter(seed):
    dataset = bands(seed)
    order = np.random.default_rng(seed).permutation(dataset.n_samples)
    columns = tuple(column[order] for column in dataset.columns)
    shuffled = Dataset(dataset.schema, columns, dataset.Y[order], dataset.weights[order])
    assert learn(shuffled).rules == learn(dataset).rules


@pytest.mark.usefixtures("everything_is_large")
@pytest.mark.parametrize("seed", range(8))
def test_limits_and_demands_hold_in_every_step(seed):
    dataset = bands(seed)
    least = learn(dataset, min_coverage=40.0)
    assert all(rule.covered >= 40 for rule in least.rules)
    limited = learn(dataset, max_rules=3, max_literals=2, max_size=5, penalty=0.5)
    assert len(limited.rules) <= 3
    assert limited.n_literals <= 5
    assert all(len(rule.monomial) <= 2 for rule in limited.rules)
    rising = learn(dataset, monotone=("a0=+c1",))
    probes = np.linspace(-2, 2, 9)
    columns = (probes, np.zeros(9), np.zeros(9), np.zeros(9, np.int8))
    probe = Dataset(dataset.schema, columns, np.zeros((9, 2), bool), np.ones(9))
    shares = rising.predict_proba(probe)[:, 1]
    assert (np.diff(shares) >= -1e-12).all()


@pytest.mark.usefixtures("everything_is_large")
def test_rules_that_are_given_stay_and_costs_and_class_weights_lower_what_they_charge():
    dataset = bands(2)
    rules = parse_rules(["if a3 = g then c0"], "test")
    committee = learn(dataset, rules=rules)
    assert [(x.attribute, x.operator, x.value) for x in committee.rules[0].monomial] == [
        (3, "=", 1)
    ]
    assert len(committee.rules) > 1
    plain = np.array(learn(dataset).predict(dataset))
    missed = ((plain == "c0") & dataset.Y[:, 1]).sum()
    for options in ({"costs": ((0, 1), (20, 0))}, {"class_weight": (("c1", 20.0),)}):
        charged = np.array(learn(dataset, **options).predict(dataset))
        assert ((charged == "c0") & dataset.Y[:, 1]).sum() < missed


@pytest.mark.usefixtures("everything_is_large")
@pytest.mark.parametrize("penalty", [3.0, 1000.0])
def test_noise_is_no_reason_for_rules(penalty):
    dataset = bands(0, 600)
    labels = np.random.default_rng(0).integers(0, 2, 600)
    noise = Dataset(dataset.schema, dataset.columns, np.eye(2, dtype=bool)[labels], np.ones(600))
    assert learn(noise, penalty=penalty).n_literals <= 2


def cuts_of(committee) -> dict[int, set[float]]:
    """Return the cut points that a committee uses, by attribute."""
    used: dict[int, set[float]] = {}
    for rule in committee.rules:
        for x in rule.monomial:
            if x.operator in ("<=", ">"):
                used.setdefault(x.attribute, set()).add(x.value)
    return used


def test_cut_points_become_finer_where_a_rule_needs_them_unless_they_are_given(monkeypatch):
    dataset = bands(1, 3000)
    coarse = learn(dataset)
    monkeypatch.setattr(large_module, "LARGE", 1000)
    fine = learn(dataset)
    _, sample = prepare(dataset, Options())
    assert all(set(sample.catalogue.cuts[a]) >= cuts for a, cuts in cuts_of(coarse).items())
    assert any(cuts - set(sample.catalogue.cuts[a]) for a, cuts in cuts_of(fine).items())
    assert fine.training.error < coarse.training.error
    table = tuple((f"a{a}", (0.25,)) for a in range(3))
    assert all(cuts == {0.25} for cuts in cuts_of(learn(dataset, cut_points=table)).values())
