"""Refined pruning: what it finds, and its objective."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.reference import searching as plain
from tests.reference.bridge import coded_by
from tests.reproduction.sample_data import xd6
from tests.reproduction.test_xd6 import TARGET
from widc_arff.arff.reader import read_arff
from widc_arff.arff.relation import Attribute, Relation
from widc_arff.data.dataset import Dataset
from widc_arff.errors import OptionError
from widc_arff.induction import induce
from widc_arff.induction.constraints import Constraints
from widc_arff.induction.losses.class_error import ClassError
from widc_arff.induction.losses.ranking_loss import RankingLoss
from widc_arff.induction.preparing import Problem
from widc_arff.induction.sample.distinct_rows import distinct_codes
from widc_arff.induction.sample.learning_sample import LearningSample
from widc_arff.induction.search.objective import (
    Objective,
    exception_price,
    literal_prices,
    share_of_penalty,
)
from widc_arff.induction.search.searching import rows_of_classes, search
from widc_arff.model.committee import DecisionCommittee
from widc_arff.options import LabelSetOptions, Options

ROOT = Path(__file__).parents[2]


def data(name: str) -> Dataset:
    return Dataset.from_relation(read_arff(ROOT / "arff_data" / f"{name}.arff"))


def conjunctions(dataset: Dataset) -> list[set[tuple[str, str]]]:
    """Return the monomials of the refined committee as sets of (attribute, operator and label)."""
    committee = induce(dataset, Options("refined"))
    attributes = committee.schema.attributes
    return [
        {
            (
                attributes[x.attribute].name,
                x.operator + attributes[x.attribute].values[int(x.value)],
            )
            for x in rule.monomial
        }
        for rule in committee.rules
    ]


def test_literals_cost_less_where_examples_are_few():
    assert [share_of_penalty(m) for m in (0.1, 1, 8, 64, 1e9)] == [0, 0, 0.5, 1, 1]
    committee = induce(data("weather-numeric"))
    assert len(committee.rules) == 2
    assert committee.training.error == 0


def test_the_whole_target_of_xd6_is_found_at_10_percent_noise():
    found = 0
    for seed in range(1, 41):
        rules = conjunctions(Dataset.from_relation(xd6(512, seed)))
        found += all({(name, "=1") for name in names} in rules for names in TARGET)
    assert found >= 38  # 95 of 100


def test_three_classes_on_one_attribute_are_told_apart():
    """Two rules with `<=` leave the third class to a tie, as pessimistic pruning does here."""
    values = np.repeat([1.0, 2.0, 3.0], 20)
    attributes = (Attribute("x", "numeric"), Attribute("class", "nominal", ("a", "b", "c")))
    rows = [(value, "abc"[int(value) - 1]) for value in values]
    dataset = Dataset.from_relation(Relation.from_rows("steps", attributes, rows))
    assert induce(dataset, Options("pessimistic")).training.error > 0
    assert induce(dataset, Options("refined")).training.error == 0


def test_the_objective_of_a_quarter_of_errors_is_that_of_the_formula():
    """H(1/4) = 2 - 3/4 log2(3), so the errors take 8 (2 - 0.75 log2(3)) + 2 log2(3 - 1) bits."""
    loss = ClassError(np.array([[8.0], [4.0], [4.0]]))
    objective = Objective(loss, 0.5, np.array([3.0]), exception_price(3, Options()))
    bits = objective.of_errors(np.array([4.0]))
    assert bits == pytest.approx(16 - 6 * np.log2(3) + 2)
    assert objective.of_rule((0,), np.array([0, 1, -1])) == pytest.approx(3 + 2 * np.log2(2))


def test_bits_of_whole_errors_that_are_looked_up_are_those_of_errors_that_cost_one():
    weights = np.array([[8.0, 1.0], [4.0, 3.0], [4.0, 0.0]])
    looked_up = Objective(ClassError(weights), 0.5, np.zeros(1), 1.0)
    one_each = np.ones((3, 3)) - np.eye(3)
    computed = Objective(ClassError(weights, one_each), 0.5, np.zeros(1), 1.0)
    errors = np.arange(21.0)
    assert looked_up.of_errors(errors).tolist() == computed.of_errors(errors).tolist()
    between = np.array([2.0, 3.0])
    assert computed.of_errors(np.array([2.5]))[0] not in looked_up.of_errors(between)


@pytest.mark.parametrize(
    ("votes", "n_wrong"),
    [
        ((0, 1, 0, 0), 8 + 2 + 1),  # for the second class: all others
        ((-1, 1, -1, -1), 8 + 2 + 1),  # strongly
        ((0, -1, 0, 0), 4),  # against it
        ((1, 1, 0, 0), 2 + 1),  # for two: base 0 of equally frequent ones
        ((1, 0, -1, 0), 4 + 2 + 1),  # for one and against another
        ((1, 0, 1, 1), 4),
    ],
)
def test_an_example_contradicts_a_rule_for_other_classes_or_against_its_own(votes, n_wrong):
    """Quanta of half an example: .1 bits an example are .05 bits each."""
    objective = Objective(ClassError(np.ones((4, 1))), 0.5, np.zeros(1), 2.0, 0.1)
    weights = np.array([8.0, 4.0, 2.0, 1.0])
    assert objective.cover_bits(np.array(votes), weights) == pytest.approx(0.05 * n_wrong)


def test_the_price_of_an_exception_is_what_options_say():
    """log2(5 - 1) = 2 with five classes."""
    assert exception_price(5, Options()) == exception_price(5, Options(votes="one")) == 2
    assert exception_price(5, Options(vote_penalty=0.5)) == 0.5
    assert exception_price(5, Options(votes="one", vote_penalty=3.0)) == 3
    assert exception_price(5, Options(votes="free")) == 0
    assert exception_price(2, Options(vote_penalty=3.0)) == 0


def test_a_set_costs_the_bits_of_naming_it_beyond_the_usual_choice():
    """Four of eight labels are one of 70 sets; a choice of 4.6 bits costs the penalty, 3."""
    values = tuple("stuvwxyz")
    rows = [(x, "ab"[k < place]) for place, x in enumerate(values) for k in range(7)]
    attributes = (Attribute("x", "nominal", values), Attribute("class", "nominal", ("a", "b")))
    dataset = Dataset.from_relation(Relation.from_rows("r", attributes, rows))
    catalogue = Problem.of(dataset, Options(literals=("sets",))).catalogue
    prices = {catalogue.literal(k).labels: x for k, x in enumerate(literal_prices(catalogue, 3.0))}
    assert prices[0, 1, 2, 3] == pytest.approx(3 + math.log2(70) - 4.6)
    assert prices[0, 1] == pytest.approx(3 + math.log2(28) - 4.6)


@pytest.mark.parametrize("name", ["iris", "wine"])
def test_free_votes_of_three_classes_are_searched_as_those_that_cost(name):
    dataset = data(name)
    free = induce(dataset, Options(votes="free"))
    assert free.rules
    assert free.rules == induce(dataset, Options(vote_penalty=0.0)).rules


def test_options_of_votes_are_recorded_where_they_are_not_the_default():
    dataset = data("iris")
    usual = {"pruning": "refined", "cut_points": "mdl+", "penalty": 3.0}
    assert induce(dataset).training.options == usual
    charged = induce(dataset, Options(votes="one", vote_penalty=2.0))
    assert charged.training.options == {**usual, "votes": "one", "vote_penalty": 2.0}
    assert DecisionCommittee.from_json(charged.to_json()) == charged
    assert "votes" not in Options("none", votes="one").to_dict()


def test_the_penalty_of_impurity_is_recorded_where_it_is_not_the_default():
    dataset = data("iris")
    charged = induce(dataset, Options(impurity_penalty=0.5))
    usual = induce(dataset, Options(impurity_penalty=0.0)).training.options
    assert charged.training.options == {**usual, "impurity_penalty": 0.5}
    assert "impurity_penalty" not in usual
    assert "impurity_penalty" not in Options("none", impurity_penalty=0.5).to_dict()
    assert DecisionCommittee.from_json(charged.to_json()) == charged


def test_label_sets_have_no_penalty_of_impurity():
    expected = "impurity_penalty: expected one class per row with this option, got label sets"
    with pytest.raises(OptionError, match=expected):
        LabelSetOptions.of(Options(impurity_penalty=0.1))
    assert LabelSetOptions.of(Options(impurity_penalty=0.0)) == LabelSetOptions()


@pytest.mark.parametrize("name", ["led7", "tic-tac-toe"])
def test_what_contradicts_rules_is_not_counted_where_it_costs_nothing(name):
    class NotCounting(Objective):
        def cover_bits_of_each(self, *_covers):
            raise AssertionError

    for penalty in (0.0, 0.1):
        problem = Problem.of(data(name), Options(impurity_penalty=penalty))
        rows, constraints = rows_of_classes(problem.held.coded), Constraints(len(problem.catalogue))
        objective = NotCounting.of(rows, problem.options)
        if penalty:
            with pytest.raises(AssertionError):
                search(rows, constraints, objective)
        else:
            assert search(rows, constraints, objective)


@pytest.mark.parametrize("name", ["led7", "ledeven", "balance-scale", "waveform"])
def test_the_penalty_of_impurity_makes_rules_that_cover_more_of_what_they_are_for(name):
    dataset = data(name)
    charged = induce(dataset, Options(impurity_penalty=0.1))
    assert mean_purity(charged, dataset) > mean_purity(induce(dataset), dataset) + 0.01


def mean_purity(committee: DecisionCommittee, dataset: Dataset) -> float:
    """Return the mean of the shares of their covers that do not contradict the rules."""
    purities = [
        1 - np.isin(dataset.classes[cover], list(plain.contradicting(rule.votes))).mean()
        for rule, cover in zip(committee.rules, committee.fires(dataset).T, strict=True)
    ]
    return float(np.mean(purities))


def test_beyond_half_the_examples_the_objective_rises_with_the_errors():
    """J = m + (E - m/2): 8 + 2 for 6 of 8, two classes."""
    objective = Objective(ClassError(np.array([[4.0], [4.0]])), 1.0, np.zeros(1), 0.0)
    assert objective.of_errors(np.array([6.0])) == pytest.approx(10.0)


def test_a_wrong_pair_of_labels_costs_a_share_of_naming_one():
    """Of one label that is held and three that are not one pair is wrong: L = 1/3."""
    loss = RankingLoss(np.array([[True], [False], [False], [False]]), np.ones(1), np.full(4, 0.25))
    keys = np.array([[2], [1], [0], [3]], np.int32)
    right = loss.decided(keys, slice(None)).right
    assert right == pytest.approx(2 / 3)
    entropy = np.log2(3) - 2 / 3
    objective = Objective(loss, 1.0, np.zeros(1), 0.0)
    assert objective.of_errors(1 - right) == pytest.approx(np.log2(4) * entropy)


def test_literals_that_cost_more_than_they_save_are_left_out():
    """At 1,000 bits a literal none pays: 512 labels take 512 bits at most."""
    dataset = Dataset.from_relation(xd6(512, 3))
    assert induce(dataset, Options("refined", penalty=3.0)).n_literals == 9
    assert induce(dataset, Options("refined", penalty=1000.0)).n_literals == 0


@pytest.mark.parametrize("n_columns", [1, 12, 13, 40])
@pytest.mark.parametrize("n_cuts", [1, 31, 200, 300])
def test_distinct_rows_are_found_in_keys_of_any_length(n_cuts, n_columns):
    rng = np.random.default_rng(n_cuts * n_columns)
    # two of three rows differ in the last column at most, so that all columns matter
    columns = list(rng.integers(0, n_cuts + 1, (n_columns, 300)).astype(float))
    columns = [np.concatenate([column, column, column]) for column in columns]
    columns[-1][:600] = rng.integers(0, n_cuts + 1, 600)
    attributes = [Attribute(f"a{i}", "numeric") for i in range(n_columns)]
    relation = Relation(
        "r",
        (*attributes, Attribute("class", "nominal", ("x", "y"))),
        (*columns, np.arange(900, dtype=np.int8) % 2),
        np.ones(900),
    )
    dataset = Dataset.from_relation(relation)
    cuts = [np.arange(n_cuts) + 0.5] * n_columns
    coded = coded_by(LearningSample.of(dataset), dataset.schema, cuts)
    # codes of two bytes are in the order of their bytes, the lower one first
    order = [256 * (c % 256) + c // 256 if n_cuts > 255 else c for c in columns]
    _, first, number = np.unique(np.array(order), axis=1, return_index=True, return_inverse=True)
    assert [found.tolist() for found in distinct_codes(coded)] == [
        first.tolist(),
        number.reshape(-1).tolist(),
    ]


def rare(n_rows: int, n_rare: int, seed: int) -> Dataset:
    """Draw a rare class, more probable where two of six numbers are large."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 6)).round(3)
    score = X[:, 0] + X[:, 1] + 1.5 * rng.normal(size=n_rows)
    is_rare = np.zeros(n_rows, np.int8)
    is_rare[np.argsort(-score)[:n_rare]] = 1
    attributes = [Attribute(f"a{k}", "numeric") for k in range(6)]
    attributes.append(Attribute("class", "nominal", ("no", "yes")))
    relation = Relation("rare", tuple(attributes), (*X.T, is_rare), np.ones(n_rows))
    return Dataset.from_relation(relation)


@pytest.mark.parametrize(
    "options", [Options(class_weight="balanced"), Options(costs=((0.0, 1.0), (200.0, 0.0)))]
)
@pytest.mark.parametrize("seed", range(3))
def test_rules_for_a_rare_class_are_as_many_as_its_examples_pay_for(options, seed):
    """A literal sets some rare examples right, which weigh as much as thousands."""
    committee = induce(rare(4000, 20, seed), options)
    assert 0 < committee.n_literals <= 6
    tested = rare(20_000, 100, 100 + seed)
    is_wrong = committee.predict_codes(tested) != tested.classes
    assert np.mean([is_wrong[tested.classes == k].mean() for k in (0, 1)]) < 0.3


def test_class_weights_leave_an_effective_number_of_examples():
    dataset = rare(2000, 20, 0)
    share = Problem.of(dataset, Options(class_weight="balanced")).share_of_examples
    assert share * 2000 == pytest.approx(4 / (1 / 20 + 1 / 1980))
    assert Problem.of(dataset, Options()).share_of_examples == 1
    every = Options(class_weight=(("no", 3.0), ("yes", 3.0)))
    assert Problem.of(dataset, every).share_of_examples == pytest.approx(1 / 3)
