"""What a user can demand of rules: coverage, operators, class weights and costs."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from tests.reproduction.sample_data import xd6
from widc_arff.arff.relation import Attribute
from widc_arff.cli import cli
from widc_arff.data.dataset import Dataset
from widc_arff.data.rows import label_matrix
from widc_arff.data.schema import Labels, Schema
from widc_arff.errors import OptionError, WidcError
from widc_arff.induction import induce
from widc_arff.induction.constraints.vector_search import VectorSearch
from widc_arff.induction.paper.pruning import PruningState
from widc_arff.induction.vectors.classes import best_vectors
from widc_arff.induction.vectors.pair_cut import minimise_pairs
from widc_arff.options import LabelSetOptions, Options

ROOT = Path(__file__).parents[2]
COLOURS = (
    """@relation colours
@attribute colour {red, green, blue}
@attribute class {no, yes}
@data
"""
    + "red,yes\n" * 3
    + "green,no\n" * 4
    + "blue,no\n" * 3
)


def run(*arguments: str, stdin: str = COLOURS):
    return CliRunner().invoke(cli, arguments, stdin)


def model_of(*arguments: str, stdin: str = COLOURS):
    result = run("train", "-", *arguments, "--format", "json", stdin=stdin)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def conditions(model):
    return [[(x["is"], x["value"]) for x in rule["if"]] for rule in model["rules"]]


# the least coverage


def test_the_best_rule_within_the_least_coverage_is_found():
    # colour = red (3 of 10) and colour != red (7) split alike; only the second covers 4.
    assert conditions(model_of("--min-coverage", "4")) == [[("!=", "red")]]
    assert conditions(model_of("--min-coverage", "40%")) == [[("!=", "red")]]


def test_options_name_the_least_coverage_only_where_it_is_given():
    assert model_of("--min-coverage", "4")["training"]["options"]["min_coverage"] == 4.0
    assert model_of("--min-coverage", "40%")["training"]["options"]["min_coverage"] == "40%"
    assert set(model_of()["training"]["options"]) == {"pruning", "cut_points", "penalty"}


def test_a_least_coverage_that_nothing_has_leaves_no_rules():
    assert model_of("--min-coverage", "8")["rules"] == []


@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "0%", "101%", "five", "5 percent"])
def test_a_least_coverage_that_is_none_is_refused(value):
    result = run("train", "-", f"--min-coverage={value}")
    assert result.exit_code == 2
    assert "--min-coverage: expected a weight from 1 or a share such as 5%" in result.output


def test_a_search_keeps_the_coverage():
    dataset = Dataset.from_relation(xd6(600, 1))
    rules = induce(dataset, Options(min_coverage=70.0)).rules
    assert rules
    assert min(rule.covered for rule in rules) >= 70


# operators


def test_without_negation_there_is_no_unequal():
    # colour != red is the shorter way to say no; = green and = blue are two rules.
    model = model_of("--no-negation", "--pruning", "none", "--min-coverage", "4")
    assert conditions(model) == [[("=", "green")]]
    assert model["training"]["options"]["negation"] is False


def test_the_other_value_of_a_two_valued_attribute_stays():
    text = "@relation r\n@attribute a {x, y}\n@attribute class {no, yes}\n@data\n"
    rows = "x,yes\n" * 3 + "y,no\n" * 7
    model = model_of("--no-negation", "--min-coverage", "4", stdin=text + rows)
    assert conditions(model) == [[("=", "y")]]


def test_negation_that_is_no_truth_value_is_refused():
    with pytest.raises(OptionError, match="negation: expected True or False, got 'no'"):
        Options(negation="no")  # type: ignore[arg-type]


# label sets


def test_both_hold_for_label_sets():
    rng = np.random.default_rng(1)
    rows = "".join(
        f"{'abc'[a]},{x},{int(a == 0)},{int(x > 5 or a == 1)}\n"
        for a, x in zip(rng.integers(0, 3, 60), rng.integers(0, 10, 60), strict=True)
    )
    head = "@relation 'r: -C -2'\n@attribute n {a, b, c}\n@attribute x numeric\n"
    labels = "@attribute p {0, 1}\n@attribute q {0, 1}\n@data\n"
    model = model_of("--min-coverage", "25%", "--no-negation", stdin=head + labels + rows)
    assert model["rules"]
    assert all(rule["weight"] >= 15 for rule in model["rules"])
    assert "!=" not in {literal["is"] for rule in model["rules"] for literal in rule["if"]}
    assert LabelSetOptions.of(Options(min_coverage="25%")).min_coverage == "25%"


# class weights and costs

THREE = "% Rows\tColumns\n3\t3\n% Matrix elements\n0.0\t1.0\t9.0\t\n\n1\t0\t1\n 5 1 0\n"


def cost_file(tmp_path, text=THREE) -> str:
    path = tmp_path / "three.cost"
    path.write_text(text, encoding="utf-8")
    return str(path)


def noisy(seed: int, n_classes: int, n: int = 240, spread: float = 1.5) -> Dataset:
    """Return overlapping classes: three numbers that hint at the class."""
    rng = np.random.default_rng(seed)
    classes = rng.integers(0, n_classes, n)
    columns = tuple(np.round(classes + rng.normal(0, spread, n), 1) for _ in range(3))
    labels = Labels("single", ("class",), tuple("abcdefghijkl"[:n_classes]))
    attributes = tuple(Attribute(f"x{i}", "numeric") for i in range(3))
    schema = Schema("noisy", attributes, labels)
    return Dataset(schema, columns, label_matrix(classes, n_classes), np.ones(n))


def cost_of(committee, dataset, costs) -> float:
    matrix = np.array(costs)
    return float(
        (matrix[dataset.classes, committee.predict_codes(dataset)] * dataset.weights).sum()
    )


@pytest.mark.parametrize("pruning", ["refined", "pessimistic", "optimistic", "none"])
@pytest.mark.parametrize("cost", [1.0, 0.1, 7.0])
def test_equal_costs_change_no_byte_of_the_model(pruning, cost):
    dataset = noisy(1, 3)
    costs = tuple(tuple(0.0 if j == k else cost for k in range(3)) for j in range(3))
    plain = induce(dataset, Options(pruning)).to_json()
    assert induce(dataset, Options(pruning, costs=costs)).to_json() == plain
    ones = tuple((label, 1.0) for label in dataset.schema.labels.values)
    assert induce(dataset, Options(pruning, class_weight=ones)).to_json() == plain


@pytest.mark.parametrize("pruning", ["refined", "pessimistic", "optimistic", "none"])
def test_class_weights_act_as_weights_of_the_examples(pruning):
    dataset = noisy(2, 3)
    weighted = induce(dataset, Options(pruning, class_weight=(("b", 3.0),)))
    by_hand = replace(dataset, weights=np.where(dataset.classes == 1, 3.0, 1.0))
    options = Options(pruning)
    if pruning == "refined":  # but that they do not make more of them: prices are higher by as much
        total, squares = by_hand.weights.sum(), (by_hand.weights**2).sum()
        options = Options(pruning, penalty=3.0 * squares / total, vote_penalty=squares / total)
    plain = induce(by_hand, options)
    assert [(r.monomial, r.votes) for r in weighted.rules] == [
        (r.monomial, r.votes) for r in plain.rules
    ]
    assert weighted.default == plain.default
    # what is told are the examples as they stand in the data
    assert sum(weighted.training.weights) == 240
    assert weighted.training.options["class_weight"] == {"b": 3.0}
    fired = weighted.fires(dataset)
    for k, rule in enumerate(weighted.rules):
        assert rule.covers == tuple(dataset.Y[fired[:, k]].sum(axis=0))
    wrong = weighted.predict_codes(dataset) != dataset.classes
    assert weighted.training.error == pytest.approx(wrong.mean(), abs=1e-12)


def test_balanced_classes_have_the_same_total():
    dataset = noisy(3, 2).take(np.arange(240) % 3 > 0)
    few = dataset.take((dataset.classes == 0) | (np.arange(dataset.n_samples) % 4 == 0))
    totals = few.Y.sum(axis=0)
    balanced = induce(few, Options(class_weight="balanced"))
    factor = totals.sum() / 2 / totals
    by_hand = replace(few, weights=factor[few.classes])
    assert [r.votes for r in balanced.rules] == [r.votes for r in induce(by_hand).rules]


def test_costs_of_two_classes_are_weights():
    # The weights keep the sum of the examples: 1 and 2 times the same number.
    dataset = noisy(4, 2)
    costs = ((0.0, 1.0), (2.0, 0.0))
    factor = np.where(dataset.classes == 0, 1.0, 2.0)
    by_hand = replace(dataset, weights=factor * 240 / factor.sum())
    for pruning in ("refined", "pessimistic", "none"):
        committee = induce(dataset, Options(pruning, costs=costs))
        plain = induce(by_hand, Options(pruning))
        assert committee.rules
        assert [(r.monomial, r.votes) for r in committee.rules] == [
            (r.monomial, r.votes) for r in plain.rules
        ]


@pytest.mark.parametrize("pruning", ["refined", "pessimistic", "optimistic"])
def test_costs_lower_the_cost_on_new_examples(pruning):
    costs = ((0.0, 1.0, 20.0), (1.0, 0.0, 1.0), (1.0, 1.0, 0.0))
    with_costs = without = 0.0
    for seed in range(4):
        training, test = noisy(seed, 3), noisy(seed + 100, 3, 1000)
        charged = induce(training, Options(pruning, costs=costs))
        with_costs += cost_of(charged, test, costs)
        without += cost_of(induce(training, Options(pruning)), test, costs)
    assert with_costs < 0.8 * without
    assert charged.training.options["costs"] == [list(row) for row in costs]


def test_more_than_eight_classes_have_costs_too():
    costs = np.ones((10, 10)) - np.eye(10)
    costs[0, 5:] = 8.0
    matrix = tuple(map(tuple, costs.tolist()))
    training = noisy(5, 10)
    committee = induce(training, Options("pessimistic", costs=matrix))
    plain = induce(training, Options("pessimistic"))
    assert cost_of(committee, training, costs) < cost_of(plain, training, costs)


@pytest.mark.parametrize("c", [2, 3, 4, 5])
def test_vectors_with_costs_are_the_best_of_all(c):
    rng = np.random.default_rng(c)
    everything = sorted(
        product((1, 0, -1), repeat=c),
        key=lambda v: (sum(map(abs, v)), -v.count(1)),
    )
    for _ in range(40):
        costs = rng.integers(0, 5, (c, c)) * (1.0 - np.eye(c))
        weights = rng.integers(0, 9, c) + np.eye(c)[0]

        def z(v, costs=costs, weights=weights):
            return (
                sum(
                    weights[j] * costs[j, k] * math.exp(-(v[j] - v[k]) / 2)
                    for j in range(c)
                    for k in range(c)
                )
                / weights.sum()
            )

        least = min(map(z, everything))
        expected = next(v for v in everything if z(v) <= least + 1e-9 * (1 + least))
        found = VectorSearch(costs).best(weights[None])[0]
        assert tuple(found) == expected
        assert tuple(minimise_pairs(weights[:, None] * costs)) == expected


def test_equal_costs_give_the_vectors_of_lemma_1():
    rng = np.random.default_rng(0)
    weights = rng.integers(0, 30, (200, 4)) + np.array([1, 0, 0, 0])
    ones = np.ones((4, 4)) - np.eye(4)
    assert (VectorSearch(ones).best(weights) == best_vectors(weights)).all()


@pytest.mark.parametrize("seed", range(20))
def test_what_a_committee_costs_is_what_its_decisions_cost(seed):
    rng = np.random.default_rng(seed)
    c, n = 3, 12
    costs = rng.integers(1, 6, (c, c)) * (1.0 - np.eye(c))
    weights = rng.integers(0, 5, (c, n)).astype(float)
    votes = rng.integers(-2, 3, (c, n))
    prior = weights.sum(axis=1) / weights.sum()

    def plain_cost(votes):
        tied = votes == votes.max(axis=0)
        ambiguous = weights[:, tied.sum(axis=0) > 1].sum(axis=1)
        default = ambiguous / ambiguous.sum() if ambiguous.any() else prior
        scores = default + 1e-6 * prior
        winners = np.where(tied, scores[:, None], -1).argmax(axis=0)
        return sum(weights[j, i] * costs[j, winners[i]] for i in range(n) for j in range(c))

    state = PruningState(weights, votes, prior, costs)
    assert state.error() == pytest.approx(plain_cost(votes))
    satisfied = rng.random((n, 4)) < 0.5
    vectors = rng.integers(-1, 2, (4, c))
    for cost, cover, vector in zip(
        state.errors_without(satisfied, vectors), satisfied.T, vectors, strict=True
    ):
        assert cost == pytest.approx(plain_cost(votes - np.outer(vector, cover)))


def test_evaluate_tells_what_errors_cost(tmp_path):
    path = cost_file(tmp_path)
    data = str(ROOT / "arff_data" / "iris.arff")
    result = run("evaluate", data, "--costs", path, "--folds", "3", "--format", "json")
    told = json.loads(result.stdout)
    costs = np.array([[0, 1, 9], [1, 0, 1], [5, 1, 0]])
    total = float((costs * np.array(told["confusion"])).sum())
    assert told["cost"] == {"total": total, "mean": total / 150}
    assert told["options"]["costs"] == costs.tolist()
    text = run("evaluate", data, "--costs", path, "--folds", "3").stdout
    assert f"cost per row          {total / 150:.4f} ({total:g} in all)" in text
    table = run("evaluate", data, data, "--costs", path, "--folds", "3").stdout
    assert table.splitlines()[2].endswith("  cost per row")
    markdown = run("evaluate", data, "--costs", path, "--folds", "3", "--format", "markdown")
    assert f"| cost per row | {total / 150:.4f} ({total:g} in all) |" in markdown.stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ": expected the number of rows and of columns, got nothing"),
        ("2 3\n", ":1: expected the number of rows and of columns, both the same, such as 2 2"),
        ("0 1 5\n", ":1: expected the number of rows and of columns, both the same, such as 2 2"),
        ("% x\n2 2\n0 1\n", ":3: expected 2 rows of costs, got 1"),
        ("2 2\n0 1 1\n1 0\n", ":2: expected 2 costs in a row, got 3"),
        ("2 2\n0 age*2\n1 0\n", ":2: expected costs that are numbers, got 'age*2'"),
        (
            "2 2\n0 -1\n1 0\n",
            "expected costs of 0 or from 1e-90 to 1e+90, got -1.0 in row 1, column 2",
        ),
        ("2 2\n0 1\n1 2\n", "expected 0 on the diagonal, got 2.0 in row 2"),
        ("2 2\n0 1\n0 0\n", "expected a cost above 0 in each row, got none in row 2"),
        ("2 2\n0 1\n1 0\n", "expected 3 rows and columns, one for each label of 'class' ('setosa'"),
    ],
)
def test_costs_that_are_none_are_refused_with_their_place(tmp_path, text, message):
    path = cost_file(tmp_path, text)
    result = run("train", str(ROOT / "arff_data" / "iris.arff"), "--costs", path)
    assert isinstance(result.exception, WidcError)
    assert path in str(result.exception)
    assert message in str(result.exception)


@pytest.mark.parametrize(
    ("value", "code", "message"),
    [
        ("balnced", 2, "--class-weight: expected LABEL=W or balanced, got 'balnced'"),
        ("yes=much", 2, "--class-weight: expected LABEL=W or balanced, got 'yes=much'"),
        ("yes=0", 2, "--class-weight: expected a weight from 1e-90 to 1e+90 for 'yes', got 0.0"),
        (
            "yess=2",
            1,
            "class_weight: expected a label of 'class' ('no', 'yes'), got 'yess'; did you",
        ),
    ],
)
def test_class_weights_that_are_none_are_refused(value, code, message):
    result = run("train", "-", "--class-weight", value)
    assert result.exit_code == code
    assert message in result.output + str(result.exception)


@pytest.mark.parametrize("option", [{"class_weight": "balanced"}, {"costs": ((0.0, 1.0),) * 2}])
def test_label_sets_have_no_costs(option):
    name = next(iter(option))
    costs = {"costs": ((0.0, 1.0), (1.0, 0.0))} if name == "costs" else option
    with pytest.raises(
        OptionError, match=f"{name}: expected one class per row with this option, got label sets"
    ):
        LabelSetOptions.of(Options(**costs))


def test_the_estimator_takes_costs_in_the_order_of_its_classes():
    pytest.importorskip("sklearn")
    from widc_arff.estimator.classifier import WIDCClassifier

    dataset = noisy(6, 3)
    X, y = np.column_stack(dataset.columns), np.array(["c", "a", "b"])[dataset.classes]
    costs = np.array([[0, 1, 20], [2, 0, 1], [1, 3, 0]])  # a, b, c
    fitted = WIDCClassifier(costs=costs).fit(X, y)
    plain = WIDCClassifier().fit(X, y)

    def cost(estimator):
        codes = np.searchsorted(["a", "b", "c"], estimator.predict(X))
        return costs[np.searchsorted(["a", "b", "c"], y), codes].sum()

    assert cost(fitted) < cost(plain)
    again = WIDCClassifier.from_model(fitted.committee_)
    assert (np.array(again.costs) == costs).all()
    with pytest.raises(
        ValueError, match="costs: expected 3 rows and columns, one for each label of"
    ):
        WIDCClassifier(costs=1 - np.eye(2)).fit(X, y)


# directions of attributes


@pytest.mark.parametrize("pruning", ["refined", "pessimistic", "optimistic", "none"])
@pytest.mark.parametrize("seed", range(6))
def test_decisions_are_monotone_for_all_values(pruning, seed):
    rng = random.Random(seed)
    dataset = noisy(seed, rng.choice([2, 3, 4]), 120, spread=0.8)
    columns = tuple(
        np.where(np.arange(120) % 7 == i, np.nan, column)
        for i, column in enumerate(dataset.columns)
    )
    dataset = replace(dataset, columns=columns)
    up, down = rng.sample(range(dataset.schema.n_classes), 2)
    names = dataset.schema.labels.values
    monotone = (f"x0=+{names[up]}", f"x1=-{names[down]}", f"x1=+{names[up]}")
    committee = induce(dataset, Options(pruning, penalty=0.5, monotone=monotone))
    for attribute, label, sign in ((0, up, 1), (1, down, -1), (1, up, 1)):
        values = np.unique(dataset.columns[attribute])
        values = np.concatenate([[-1e9], values[~np.isnan(values)], [1e9]])
        decided = []
        for value in values:
            changed = list(dataset.columns)
            changed[attribute] = np.full(dataset.n_samples, value)
            examples = replace(dataset, columns=tuple(changed))
            decided.append(committee.predict_codes(examples) == label)
        steps = np.diff(np.array(decided).astype(int), axis=0)
        assert (sign * steps >= 0).all()
    # what is said in the right direction is still learned
    assert committee.rules
    assert all(len(set(rule.votes)) > 1 for rule in committee.rules)


def test_a_direction_against_the_data_leaves_nothing_to_say():
    # x tells yes by large values; small values must not speak against it.
    text = "@relation r\n@attribute x numeric\n@attribute class {no, yes}\n@data\n"
    rows = "".join(f"{x},{'yes' if x > 5 else 'no'}\n" for x in range(10))
    assert model_of("--monotone", "x=-yes", stdin=text + rows)["rules"] == []
    model = model_of("--monotone", "x=+yes", stdin=text + rows)
    assert [rule["votes"] for rule in model["rules"]] in ([[-1, 1]], [[1, -1]])
    assert model["training"]["options"]["monotone"] == ["x=+yes"]


@pytest.mark.parametrize("c", [2, 3, 4])
@pytest.mark.parametrize("with_costs", [False, True])
def test_vectors_are_the_best_that_keep_to_the_directions(c, with_costs):
    rng = np.random.default_rng(c)
    every = sorted(product((1, 0, -1), repeat=c), key=lambda v: (sum(map(abs, v)), -v.count(1)))
    for _ in range(40):
        costs = np.ones((c, c))
        if with_costs:
            costs = rng.integers(1, 6, (c, c)).astype(float)
        weights = rng.integers(0, 9, c) + np.eye(c)[0]
        highest, lowest = rng.permutation(c)[:2]
        fine = [v for v in every if v[highest] == max(v) and v[lowest] == min(v)]

        def z(v, costs=costs, weights=weights):
            pairs = [(j, k) for j in range(c) for k in range(c) if j != k]
            each = (weights[j] * costs[j, k] * math.exp((v[k] - v[j]) / 2) for j, k in pairs)
            return sum(each) / weights.sum() / (c - 1)

        least = min(map(z, fine))
        expected = next(v for v in fine if z(v) <= least + 1e-9 * (1 + least))
        vector_search = VectorSearch(costs if with_costs else None)
        demand = np.array([1 << int(highest) | 1 << int(c + lowest)])
        assert tuple(vector_search.best(weights[None], demand)[0]) == expected


@pytest.mark.parametrize(
    ("value", "code", "message"),
    [
        ("x", 2, "--monotone: expected NAME=+LABEL or NAME=-LABEL, got 'x'"),
        ("x=yes", 2, "--monotone: expected NAME=+LABEL or NAME=-LABEL, got 'x=yes'"),
        ("color=+yes", 1, "expected an attribute of the data, got 'color'; did you mean 'colour'?"),
        ("colour=+yess", 1, "expected a label of 'class' ('no', 'yes'), got 'yess'; did you mean"),
        ("colour=+yes", 1, "expected an attribute whose values have an order, got the nominal"),
    ],
)
def test_directions_that_are_none_are_refused(value, code, message):
    result = run("train", "-", "--monotone", value)
    assert result.exit_code == code
    assert message in result.output + str(result.exception)


def test_both_directions_of_an_attribute_are_refused():
    with pytest.raises(OptionError, match="monotone: expected one direction of 'x' for 'a'"):
        Options(monotone=("x=+a", "x=-a"))


def test_directions_are_for_eight_classes_at_most():
    with pytest.raises(OptionError, match="monotone: expected at most 8 classes, got 9"):
        induce(noisy(1, 9), Options(monotone=("x0=+a",)))
