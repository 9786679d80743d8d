"""Votes agree with their evidence: what a rule says of a class, its own cover shows."""

from __future__ import annotations

import random
import warnings
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.reference import committee as reference
from tests.reference import searching as plain
from tests.reference.bridge import dataset_of
from tests.search_cases import KINDS, WITH_LINE, case_of, random_costs
from widc_arff.arff.reader import read_arff
from widc_arff.data.dataset import Dataset
from widc_arff.errors import WidcWarning
from widc_arff.induction import induce
from widc_arff.induction.constraints import Constraints
from widc_arff.induction.constraints.evidence import Evidence
from widc_arff.induction.preparing import Problem
from widc_arff.induction.search.budget import Budget
from widc_arff.induction.search.state import SearchedRule
from widc_arff.induction.updating import mended
from widc_arff.model.expert_rules import ExpertRule
from widc_arff.options import VOTES, LabelSetOptions, Options
from widc_arff.reports.text import committee_text

if TYPE_CHECKING:
    from widc_arff.arrays import Floats
    from widc_arff.induction.sample.coding import Chain
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.option_kinds import ClassWeights

OF_ALL = (50.0, 30.0, 20.0)
COVERS = {1: (5.0, 3.0, 2.0), 2: (6.0, 1.0, 3.0), 3: (0.0, 4.0, 1.0)}
"""Weights of three classes in all examples, and in three covers."""


def told(monomial: Chain, labels: list[int]) -> tuple[Floats, float]:
    weights = np.array(COVERS[monomial[0]] if monomial else OF_ALL)
    return weights[labels], float(weights.sum())


@pytest.mark.parametrize(
    ("cover", "votes", "agrees"),
    [
        (1, (1, 0, 0), False),  # 5 of 10, as in all
        (1, (0, -1, 0), False),
        (2, (1, 0, 0), True),  # 6 of 10 where all have 5 of 10
        (2, (1, -1, -1), True),  # says nothing of the second and third class but against the first
        (2, (-1, 0, 0), False),
        (2, (0, -1, 0), True),  # 1 of 10 where all have 3 of 10
        (2, (0, -1, 1), True),
        (2, (1, 1, 0), False),  # less than the base 1: against the third, 3 of 10 where all have 2
        (2, (1, 1, 1), True),  # says nothing
        (3, (-1, 0, 0), True),
        (3, (0, 1, 0), True),  # 4 of 5 where all have 3 of 10
        (3, (0, 0, 1), False),  # 1 of 5, as in all
        (3, (-1, 1, 1), True),  # less than the base 1: against the first alone
    ],
)
def test_a_vote_agrees_with_a_share_that_is_larger_or_smaller_than_in_all(cover, votes, agrees):
    assert Evidence(told, 3).agrees((cover,), np.array(votes)) is agrees


def test_votes_for_label_sets_agree_as_they_are_shown_too():
    in_sets = Evidence(told, 3, are_sets=True)
    for votes, agrees in {
        (1, -1, -1): False,  # against the third label, which is more frequent
        (1, -1, 0): True,
        (1, 0, 0): True,
    }.items():
        assert in_sets.agrees((2,), np.array(votes)) is agrees


def test_votes_that_do_not_agree_become_the_most_frequent_vote_or_none_is_left():
    evidence = Evidence(told, 3)
    for votes, expected in {
        (1, -1, 0): (1, -1, 0),
        (1, 0, -1): (1, 0, 0),
        (-1, 0, 0): (0, 0, 0),
    }.items():
        assert tuple(evidence.mended((2,), np.array(votes))) == expected


@pytest.mark.parametrize("seed", range(60))
def test_votes_agree_as_the_definition_has_it(seed):
    case = case_of("classes", seed, max_classes=4)
    rows, task, n_classes = case.rows, case.task, case.rows.n_classes
    evidence = Evidence(rows.weights_of, n_classes)
    vectors = np.array(list(product((-1, 0, 1), repeat=n_classes)))
    for rule in case.random_rules(4):
        covered = task.covers(case.as_plain([rule])[0].monomial)
        expected = [
            not plain.votes_against(votes, task.label_sets, task.counts, covered)
            for votes in vectors.tolist()
        ]
        assert [evidence.agrees(rule.monomial, vector) for vector in vectors] == expected


def drawn_options(rng: random.Random, kind: str, n_classes: int) -> Options:
    """Draw options that weigh examples and votes in other ways."""
    if kind != "classes":
        aim = "sets" if kind == WITH_LINE else "ranking"
        penalty = rng.choice([0.0, 0.5])
        return LabelSetOptions("refined", penalty=penalty, votes=rng.choice(VOTES), aim=aim)
    weighting = rng.choice(["plain", "balanced", "table", "costs"])
    class_weight: ClassWeights | str | None = "balanced" if weighting == "balanced" else None
    if weighting == "table":
        class_weight = tuple((f"c{j}", rng.choice([0.5, 1.0, 3.0])) for j in range(n_classes))
    costs = None
    if weighting == "costs":
        costs = tuple(map(tuple, random_costs(rng, n_classes)))
    return Options(
        penalty=rng.choice([0.0, 0.5]),
        votes=rng.choice(VOTES),
        class_weight=class_weight,
        costs=costs,
        impurity_penalty=rng.choice([0.0, 0.1]),
    )


@pytest.mark.parametrize("cells", [4e6, 60.0])  # all rows are searched, or a part of them
@pytest.mark.parametrize("kind", [*KINDS, WITH_LINE])
def test_no_learned_rule_has_a_vote_against_its_evidence(kind, cells):
    """With votes, weights and costs that are drawn; examples as they are weighted in training."""
    n_rules = 0
    for seed in range(40):
        rng = random.Random(f"evidence {kind} {seed}")
        dataset = random_dataset(kind, rng)
        options = drawn_options(rng, kind, dataset.schema.n_classes)
        committee, against = learned(dataset, options, Budget(searched_cells=cells))
        assert not any(against), seed
        n_rules += len(committee.rules)
    assert n_rules > 30


def random_dataset(kind: str, rng: random.Random) -> Dataset:
    problem = reference.random_problem(rng)
    label_sets = None
    if kind != "classes":
        label_sets = reference.random_label_sets(rng, len(problem.rows), problem.n_classes)
    return dataset_of(problem, label_sets)


def learned(
    dataset: Dataset, options: Options, budget: Budget | None = None
) -> tuple[DecisionCommittee, list[list[int]]]:
    """Return the committee, and for each rule the labels that its votes are wrong about."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)
        committee = induce(dataset, options, budget=budget)
        sample = Problem.of(dataset, options).sample
    counted = dataset.take(np.flatnonzero(dataset.labelled & (dataset.weights > 0)))
    present = np.flatnonzero(sample.class_weights > 0)
    held = [frozenset(np.flatnonzero(row).tolist()) for row in sample.Y[:, present]]
    against = [
        plain.votes_against(
            [rule.votes[j] for j in present],
            held,
            sample.weights.tolist(),
            covered.tolist(),
            are_sets=dataset.schema.labels.are_sets,
            with_line=getattr(options, "aim", "") == "sets",
        )
        for rule, covered in zip(committee.rules, committee.fires(counted).T, strict=True)
    ]
    return committee, against


@pytest.mark.parametrize("pruning", ["refined", "pessimistic"])
def test_rules_that_are_given_say_what_they_say(pruning):
    dataset = random_dataset("classes", random.Random(2))
    condition = ("a0", "=", dataset.schema.attributes[0].values[0])
    for votes in ((1, 0), (0, 1)):
        more = (0,) * (dataset.schema.n_classes - 2)
        rule = ExpertRule((condition,), (*votes, *more), "given")
        committee, _ = learned(dataset, Options(pruning, rules=(rule,)))
        assert committee.rules[0].votes == (*votes, *more)
        assert "; rule 1 was given" in committee_text(committee).replace("\n", " ")


@pytest.mark.parametrize("name", ["led7", "wine", "balance-scale", "tic-tac-toe"])
def test_no_vote_is_a_correction_of_other_rules_alone(name):
    """Of led7 one rule was for 3, of which 5 of the 157 rows were that it covered: 8 % in all."""
    path = Path(__file__).parents[2] / "arff_data" / f"{name}.arff"
    committee, against = learned(Dataset.from_relation(read_arff(path)), Options())
    assert committee.rules
    assert not any(against)


def test_rules_whose_votes_do_not_agree_in_all_examples_lose_them():
    rules = [SearchedRule((k,), np.array(votes)) for k, votes in ((1, (0, -1, 0)), (2, (1, 0, -1)))]
    (left,) = mended(rules, Evidence(told, 3), Constraints(4))
    assert left.monomial == (2,)
    assert left.vector.tolist() == [1, 0, 0]
