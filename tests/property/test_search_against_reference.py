"""The search against plain loops over the examples: what it tells of a committee, and its end."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
import pytest

from tests.reference import committee as reference
from tests.reference import searching as plain
from tests.reference.bridge import coded, dataset_of
from widc_arff.induction.demands import Demands
from widc_arff.induction.demands.voting import Voting
from widc_arff.induction.sample import LearningSample
from widc_arff.induction.search.budget import Budget
from widc_arff.induction.search.growth import Grower, Residual, VoteFit, newton_gain
from widc_arff.induction.search.objective import Objective, literal_prices
from widc_arff.induction.search.polishing import (
    Others,
    Polisher,
    Vectors,
    families_near,
    simple_families,
)
from widc_arff.induction.search.rows import Rows
from widc_arff.induction.search.searching import rows_of_classes, rows_of_label_sets, search
from widc_arff.induction.search.shrinking import _Descent, removals_of, shrink
from widc_arff.induction.search.standing import SearchedRule, Standing

KINDS = ("classes", "sets")


@dataclass
class Case:
    """One problem, for the search and for the plain loops."""

    task: plain.Task
    rows: Rows
    demands: Demands
    standing: Standing
    rng: random.Random

    def as_plain(self, rule: SearchedRule) -> plain.VotingRule:
        """Return a rule of the search in the reference's terms."""
        monomial = tuple(literal_of(self.rows.catalogue, i) for i in rule.monomial)
        return plain.VotingRule(monomial, tuple(rule.vector.tolist()))

    @property
    def rules(self) -> list[plain.VotingRule]:
        """The committee in the reference's terms."""
        return [self.as_plain(rule) for rule in self.standing.rules]

    def random_rule(self) -> SearchedRule:
        """Draw a rule that says something."""
        n_literals, n_labels = len(self.rows.catalogue), self.rows.n_classes
        size = min(self.rng.randint(1, 3), n_literals)
        monomial = tuple(self.rng.sample(range(n_literals), size))
        while True:
            vector = np.array([self.rng.choice([-1, 0, 1]) for _ in range(n_labels)])
            if vector.max() > vector.min():
                return SearchedRule(monomial, vector)

    def random_rules(self, n_rules: int) -> list[SearchedRule]:
        """Draw rules of different monomials."""
        rules = {frozenset(rule.monomial): rule for rule in map(self.draw, range(n_rules))}
        return [rule for key, rule in rules.items() if key not in self.demands.known]

    def draw(self, _number: int) -> SearchedRule:
        """Draw a rule."""
        return self.random_rule()

    def check(self) -> None:
        """Compare errors and J with those of the definition."""
        wrong = self.standing.errors * self.rows.example_weight
        assert wrong == pytest.approx(plain.errors(self.task, self.rules), rel=1e-9, abs=1e-9)
        assert self.standing.length == pytest.approx(plain.length(self.task, self.rules))


def literal_of(catalogue, index):
    literal = catalogue.literal(index)
    return reference.Literal(literal.attribute, literal.operator, literal.value)


def case_of(kind: str, seed: int, **sizes: int) -> Case:
    """Draw a problem with costs, given rules or weights, of classes or label sets."""
    rng = random.Random(f"{kind} {seed}")
    while True:
        problem = reference.random_problem(rng, **sizes)
        label_sets = None
        if kind == "sets":
            label_sets = reference.random_label_sets(rng, len(problem.rows), problem.n_classes)
        sample = reference.counting_examples(problem, label_sets)
        penalty = rng.choice([0.2, 1.0, 3.0])
        codes = coded(problem, rng.choice(["all", "mdl+"]), label_sets)
        catalogue = [literal_of(codes.catalogue, i) for i in range(len(codes.catalogue))]
        n_labels = len(frozenset().union(*sample.label_sets))
        if n_labels < 2 or not catalogue:
            continue
        given, known, costs, rows = [], [], None, None
        if kind == "classes":
            if rng.random() < 0.3:
                costs = random_costs(rng, n_labels)
            if rng.random() < 0.3:
                known = [tuple(rng.sample(range(len(catalogue)), 1)) for _ in range(2)]
                given = [
                    plain.VotingRule(
                        tuple(catalogue[i] for i in monomial),
                        tuple(rng.choice([-1, 0, 1]) for _ in range(n_labels)),
                    )
                    for monomial in known
                ]
        task = plain.task_of(
            sample,
            catalogue,
            are_sets=kind == "sets",
            penalty=penalty,
            costs=costs,
            given=given,
        )
        if kind == "sets":
            Y = LearningSample.of(dataset_of(problem, label_sets)).Y
            rows = rows_of_label_sets(codes, Y[:, Y.any(axis=0)])
        else:
            if given:
                votes = np.array(plain.vote_sums(task, []), np.int16).T
                codes = codes.with_given(votes.copy())
            rows = rows_of_classes(codes, None if costs is None else np.array(costs))
        if rows is None:
            continue
        voting = Voting(None if costs is None else np.array(costs))
        demands = Demands(len(catalogue), voting=voting, known=frozenset(map(frozenset, known)))
        objective = Objective(rows.loss, rows.example_weight, literal_prices(rows.catalogue, penalty))
        return Case(task, rows, demands, Standing(rows, objective), rng)


def random_costs(rng: random.Random, n_labels: int) -> list[list[float]]:
    return [
        [0.0 if j == k else rng.choice([0.25, 0.5, 1.0, 1.0, 2.0]) for k in range(n_labels)]
        for j in range(n_labels)
    ]


def blocks(n_cases: int, n_blocks: int = 10):
    """Return the seeds of a test in blocks."""
    return [range(b, n_cases, n_blocks) for b in range(n_blocks)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seeds", blocks(150))
def test_errors_and_length_after_changes_are_those_of_the_definition(kind, seeds):
    for seed in seeds:
        case = case_of(kind, seed)
        standing, rng = case.standing, case.rng
        case.check()
        standing.restart(case.random_rules(rng.randint(0, 5)))
        case.check()
        for _ in range(6):
            come = case.random_rules(rng.randint(0, 2))
            if rng.random() < 0.5:
                standing.change(rng.randint(0, len(standing.rules)), come)
            else:
                gone = rng.sample(standing.rules, rng.randint(0, len(standing.rules)))
                names = [id(rule) for rule in gone]
                left = [rule for rule in standing.rules if id(rule) not in names]
                standing.exchange(gone, come, [*left, *come])
            case.check()
        shrink(standing, case.demands, Budget())
        case.check()
