"""Training past one machine: the same model from any number of parts."""

from __future__ import annotations

import random
import warnings
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.cluster_cases import InProcessCrew, alone, random_relation, write_parts
from widc_arff.arff.relation import Attribute, Relation
from widc_arff.arff.writer import write_arff
from widc_arff.cluster.parts import GONE, SHARED, Weighed
from widc_arff.cluster.remote_counter import SHARES, ClusterCounter
from widc_arff.cluster.training import Files, induce_from_files
from widc_arff.data.dataset import Dataset
from widc_arff.errors import DataError, OptionError, WidcError, WidcWarning
from widc_arff.induction.paper import growing
from widc_arff.induction.sample import cut_points
from widc_arff.induction.sample.coding import empty_sample
from widc_arff.induction.sample.cut_points import ValueCounter, merged_counts
from widc_arff.induction.sample.learning_sample import UNIT_BITS, RowSurvey
from widc_arff.induction.sample.patterns import collect_patterns, merged_patterns
from widc_arff.induction.search.budget import Budget
from widc_arff.model.expert_rules import parse_rules
from widc_arff.model.model_file import committee_to_json
from widc_arff.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

METHODS = ("mdl+", "quantile:4", "mdl", "all", "width:5", "quantile:32")


def together(paths, options, n_workers, least_bytes=1 << 23, **how) -> str:
    """Return the model that several workers learn, as its file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)
        crew = InProcessCrew(n_workers)
        return committee_to_json(induce_from_files(Files(paths), options, crew, least_bytes, **how))


def outcome(function: Callable[..., str], *arguments: Any, **how: Any) -> str:
    """Return a model file, or the message of the error in its place."""
    try:
        return function(*arguments, **how)
    except WidcError as error:
        return str(error)


# equality


def _assert_same_on_workers(
    relation: Relation,
    options: Options,
    folder: Path,
    shares: int = SHARES,
    budget: Budget | None = None,
) -> None:
    expected = outcome(alone, relation, options, budget)
    for n_workers in (1, 2, 5):
        own = folder / str(n_workers)
        own.mkdir()
        paths = write_parts(relation, n_workers, own)
        found = outcome(together, paths, options, n_workers, shares=shares, budget=budget)
        assert found == expected


@pytest.mark.parametrize("seed", range(60))
def test_the_model_is_that_of_one_machine(seed, tmp_path):
    # from blocks that move at once to blocks that never do
    shares = (1, 4, 16, 1000)[seed % 4]
    relation = random_relation(seed)
    pruning = ("pessimistic", "optimistic", "none")[seed % 3]
    options = Options(
        pruning, cut_points=METHODS[seed % len(METHODS)], max_rules=(None, 4)[seed % 2]
    )
    _assert_same_on_workers(relation, options, tmp_path, shares)


def drawn_options(seed: int, relation: Relation) -> Options:
    """Draw options of the default learner for random data."""
    rng = random.Random(f"options {seed}")
    names = relation.attributes[-1].values
    nominal = [x.name for x in relation.attributes[:-1] if x.type == "nominal"]
    numeric = [x.name for x in relation.attributes[:-1] if x.type == "numeric"]
    costs = [[0.0 if j == k else rng.choice([0.5, 1.0, 3.0]) for k in names] for j in names]
    rules = [f"if {x} = 'v0' then c0" for x in nominal[:1]]
    rules += [f"if {x} > 0.333 then c1: +1, c0: -1" for x in numeric[:1]]
    by_class: dict[str, Any] = rng.choice(
        [{}, {"class_weight": "balanced"}, {"class_weight": (("c0", 2.5),)}, {"costs": costs}]
    )
    return Options(
        cut_points=rng.choice([*METHODS, "mdl+", "mdl+"]),
        penalty=rng.choice([0.0, 0.7, 3.0]),
        min_coverage=rng.choice([None, None, "5%"]),
        monotone=tuple(f"{x}=+c1" for x in numeric[-1:] if rng.random() < 0.3),
        rules=parse_rules(rules, "r.txt") if rng.random() < 0.3 else (),
        ordered=tuple(x for x in nominal[1:] if rng.random() < 0.5),
        literals=rng.choice([None, None, ("sets",), ()]),
        negation=rng.random() < 0.7,
        **by_class,
    )


@pytest.mark.parametrize("seed", range(120))
def test_the_default_model_is_that_of_one_machine(seed, tmp_path, monkeypatch):
    """With all options, where all rows are searched or some, and values are many or few."""
    cells, values = ((4e6, 1 << 16), (150.0, 1 << 16), (4e6, 12), (150.0, 12))[seed % 4]
    monkeypatch.setattr(cut_points, "MOST_VALUES", values)
    relation = random_relation(seed)
    options, budget = drawn_options(seed, relation), Budget(searched_cells=cells)
    _assert_same_on_workers(relation, options, tmp_path, budget=budget)


def test_the_random_data_make_default_models_to_compare():
    budget = Budget(searched_cells=150.0)
    relations = [random_relation(seed) for seed in range(120)]
    models = [outcome(alone, one, drawn_options(k, one), budget) for k, one in enumerate(relations)]
    assert sum('{"if"' in model for model in models) > 60


def test_the_random_data_make_rules_to_compare():
    options = Options("none", cut_points="quantile:4")
    models = [outcome(alone, random_relation(seed), options) for seed in range(60)]
    assert sum('{"if"' in model for model in models) > 40


@pytest.mark.parametrize("seed", range(12))
def test_one_file_cut_into_pieces_gives_the_same_model(seed, tmp_path):
    relation = random_relation(seed)
    options = Options("pessimistic", cut_points=METHODS[seed % len(METHODS)])
    paths = write_parts(relation, 1, tmp_path)
    assert len(Files(paths).parts(3, least_bytes=200)) == 3 or len(relation) < 20
    assert outcome(together, paths, options, 3, 200) == outcome(alone, relation, options)


@pytest.mark.parametrize("seed", range(8))
def test_given_cut_points_give_the_same_model(seed, tmp_path):
    relation = random_relation(seed)
    numeric = [a.name for a in relation.attributes if a.type == "numeric"]
    options = Options("pessimistic", cut_points=tuple((name, (-0.5, 0.25)) for name in numeric[:2]))
    paths = write_parts(relation, 2, tmp_path)
    assert outcome(together, paths, options, 2) == outcome(alone, relation, options)


@pytest.mark.parametrize("seed", range(12))
def test_without_negation_the_model_is_the_same(seed, tmp_path):
    shares = (1, 16, 1000)[seed % 3]
    relation = random_relation(seed)
    options = Options("none", cut_points=METHODS[seed % len(METHODS)], negation=False)
    expected = outcome(alone, relation, options)
    assert "!=" not in expected
    paths = write_parts(relation, 3, tmp_path)
    assert outcome(together, paths, options, 3, shares=shares) == expected


def test_the_random_data_make_negations_to_go_without():
    for negation in (True, False):
        options = Options("none", cut_points="quantile:4", negation=negation)
        models = [outcome(alone, random_relation(seed), options) for seed in range(12)]
        assert any("!=" in model for model in models) == negation


@pytest.mark.parametrize("shares", [1, 16, 1000])
def test_the_chance_rule_stops_where_it_does_alone(shares, tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    n = 2000
    attributes = [Attribute(f"a{a}", "numeric") for a in range(10)]
    attributes.append(CLASS)
    columns = [rng.normal(size=n).round(2) for _ in range(10)]
    columns.append(((columns[0] > 0) ^ (rng.random(n) < 0.2)).astype(np.int8))
    relation = Relation("r", tuple(attributes), tuple(columns), np.ones(n))
    options = Options("none", cut_points="quantile:16")
    to_the_end = alone(relation, options)
    monkeypatch.setattr(growing, "MANY_BLOCKS", 20)  # so that it has a say among 2,000 rows
    monkeypatch.setattr(growing, "RANDOM_FACTOR", 5)
    stopped = alone(relation, options)
    assert len(stopped) < len(to_the_end)
    assert together(write_parts(relation, 3, tmp_path), options, 3, shares=shares) == stopped


def test_without_attributes_in_use_there_are_no_rules(tmp_path):
    relation = random_relation(1)
    only = Relation("r", relation.attributes[-1:], relation.columns[-1:], relation.weights)
    options = Options("pessimistic")
    paths = write_parts(only, 2, tmp_path)
    assert together(paths, options, 2) == alone(only, options)


# where blocks go


def test_small_blocks_move_and_large_ones_stay(tmp_path):
    # 64 rows, two workers: a block of more than 64 / (16 * 2) = 2 rows stays
    crew = InProcessCrew(2)
    frame = _frame()
    asked = ClusterCounter(crew, [None, None], frame, np.array([32.0, 32.0]), 64)
    sizes = np.array([40, 2, 3, 17, 2])
    weights = np.array([[20.0, 20], [1, 1], [1, 2], [17, 0], [1, 1]])
    plan, kept = asked._plan(Weighed(weights, weights.sum(axis=1), sizes))
    assert kept.tolist() == [0, 2]
    assert plan.place.tolist() == [SHARED, 0, SHARED, GONE, 1]
    assert plan.number[[0, 2]].tolist() == [0, 1]


def _frame():
    return empty_sample([], 64)


# faults


def write(path, *attributes: Attribute, weight: float = 1.0) -> str:
    columns = [np.zeros(2, np.int8) if a.type == "nominal" else np.ones(2) for a in attributes]
    write_arff(Relation("r", attributes, tuple(columns), np.full(2, weight)), path)
    return str(path)


X, COLOUR = Attribute("x", "numeric"), Attribute("x", "nominal", ("red", "blue"))
CLASS = Attribute("class", "nominal", ("a", "b"))


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (
            (COLOUR, CLASS),
            "expected the numeric attribute 'x', got the nominal attribute 'x' with 'red', 'blue'",
        ),
        ((Attribute("y", "numeric"), X, CLASS), "expected 1 attribute besides the class, got 2"),
        (
            (X, Attribute("class", "nominal", ("b", "a"))),
            "expected the class 'class' with 'a', 'b', got 'class' with 'b', 'a'",
        ),
    ],
)
def test_files_that_differ_are_named_with_what_differs(other, message, tmp_path):
    first = write(tmp_path / "first.arff", X, CLASS)
    second = write(tmp_path / "second.arff", *other)
    with pytest.raises(DataError) as error:
        together((first, second), Options("none"), 2)
    assert str(error.value) == f"{second}: {message} as in {first}"


def test_relation_names_may_differ(tmp_path):
    relation = random_relation(5)
    (first,) = write_parts(relation, 1, tmp_path)
    (tmp_path / "more").mkdir()
    other = Relation("other", relation.attributes, relation.columns, relation.weights)
    (second,) = write_parts(other, 1, tmp_path / "more")
    assert '"relation": "r"' in together(
        (first, second), Options("none", cut_points="quantile:4"), 2
    )


def test_rows_without_weight_are_told_with_the_files(tmp_path):
    paths = tuple(write(tmp_path / f"{i}.arff", X, CLASS, weight=0) for i in range(3))
    with pytest.raises(DataError) as error:
        together(paths, Options("none"), 2)
    assert str(error.value) == (
        f"{paths[0]} and 2 other files: expected at least one row of positive weight to learn "
        "from, got only zero weights"
    )


def test_rules_are_given_to_the_default_learner_alone(tmp_path):
    options = Options("none", rules=parse_rules(["if x <= 1 then a"], "r.txt"))
    with pytest.raises(OptionError, match=r"^rules: expected pruning refined with --dask"):
        together((str(tmp_path / "a.arff"),), options, 1)


# sums of parts


def test_weights_add_up_exactly_in_any_order():
    rng = np.random.default_rng(0)
    weights = np.append(rng.random(1000), [1e-90, 1e90, 2.0**-200])
    expected = sum(map(Fraction, weights.tolist()))
    for order in (np.arange(len(weights)), rng.permutation(len(weights))):
        relation = _weighted(weights[order])
        survey = sum(
            (
                RowSurvey.of(Dataset.from_relation(_weighted(part)))
                for part in np.array_split(weights[order], 7)
            ),
            RowSurvey(),
        )
        assert survey == RowSurvey.of(Dataset.from_relation(relation))
        assert Fraction(survey.units, 2**UNIT_BITS) == expected


def _weighted(weights) -> Relation:
    return Relation("r", (CLASS,), (np.zeros(len(weights), np.int8),), weights)


@pytest.mark.parametrize(
    ("weights", "exponent"),
    [
        ([1.0, 2.0], 0),  # whole
        ([0.25, 0.75], 52),  # the sum is 2**0
        ([0.25, 0.75, 2.0**-60], 51),  # just above it
        ([2.0**51, 2.0**51], 0),
        ([2.0**52, 1.0], -1),  # whole, but the sum has no room in 52 bits
    ],
)
def test_quanta_leave_room_for_the_sum(weights, exponent):
    survey = RowSurvey.of(Dataset.from_relation(_weighted(np.array(weights))))
    assert survey.exponent == exponent
    assert survey.quantum == 2.0**-exponent


def test_counts_of_parts_are_those_of_the_whole():
    rng = np.random.default_rng(1)
    column = rng.integers(0, 20, 200) / 4 - 2
    column[::9] = np.nan
    Y = rng.integers(0, 3, 200)[:, None] == np.arange(3)
    weights = rng.integers(1, 5, 200).astype(float)
    whole = ValueCounter(Y, weights).count(column)
    pieces = [
        ValueCounter(Y[rows], weights[rows]).count(column[rows])
        for rows in np.array_split(rng.permutation(200), 6)
    ]
    merged = merged_counts([*pieces, ValueCounter(Y[:0], weights[:0]).count(column[:0])])
    for name in ("values", "highest", "weights", "class_weights"):
        np.testing.assert_array_equal(getattr(merged, name), getattr(whole, name))


@pytest.mark.parametrize("seed", range(30))
def test_ranges_of_values_of_parts_are_those_of_the_whole(seed):
    """No more of them than allowed, none across an edge, and each value is in one of them."""
    rng = np.random.default_rng(seed)
    drawn = (rng.normal(size=600), rng.integers(-300, 300, 600) * 1.0, np.exp(30 * rng.random(600)))
    column = np.asarray(drawn[seed % 3], np.float64)
    edges = np.sort(rng.normal(size=seed % 4))
    Y = rng.integers(0, 3, 600)[:, None] == np.arange(3)
    most = int(rng.integers(2, 200))
    exact = ValueCounter(Y, np.ones(600)).count(column)
    whole = exact.in_ranges(edges, most)
    assert len(whole.values) <= most + len(edges)
    assert (np.searchsorted(edges, whole.values) == np.searchsorted(edges, whole.highest)).all()
    place = np.searchsorted(whole.values, exact.values, side="right") - 1
    assert (exact.values <= whole.highest[place]).all()
    assert (np.bincount(place, exact.weights) == whole.weights).all()
    pieces = [
        ValueCounter(Y[rows], np.ones(len(rows))).count(column[rows]).in_ranges(edges, most)
        for rows in np.array_split(rng.permutation(600), 5)
    ]
    merged = merged_counts(pieces, edges, most)
    for name in ("values", "highest", "weights", "class_weights"):
        np.testing.assert_array_equal(getattr(merged, name), getattr(whole, name))


@pytest.mark.parametrize("n_rules", [0, 1, 8, 9, 20])
def test_patterns_of_parts_are_those_of_the_whole(n_rules):
    rng = np.random.default_rng(n_rules)
    covers = rng.random((n_rules, 300)) < rng.random((n_rules, 1)) ** 2
    class_weights = rng.integers(0, 4, (2, 300)).astype(float)
    whole = collect_patterns(covers, class_weights)
    pieces = [
        collect_patterns(covers[:, rows], class_weights[:, rows])
        for rows in np.array_split(rng.permutation(300), 4)
    ]
    merged = merged_patterns(pieces)
    np.testing.assert_array_equal(merged.satisfied, whole.satisfied)
    np.testing.assert_array_equal(merged.class_weights, whole.class_weights)
