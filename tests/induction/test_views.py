"""Attributes as columns of codes: what literals on them say, and which sets are found."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from tests.reference.bridge import dataset_of
from tests.reference.problem import random_problem
from widc_arff import Dataset, induce
from widc_arff.arff.relation import Attribute
from widc_arff.data.rows import label_matrix
from widc_arff.data.schema import Labels, Schema
from widc_arff.induction.preparing import Problem, prepare
from widc_arff.induction.sample.views import Shares
from widc_arff.induction.seeing import BITS_OF_NAME
from widc_arff.model.label_orders import with_orders
from widc_arff.model.resolving import rules_text
from widc_arff.options import Options

pytestmark = pytest.mark.filterwarnings("ignore::widc_arff.errors.WidcWarning")


def dataset_with(attributes, columns, classes) -> Dataset:
    """Return a data set of two classes or more; -1 and NaN are missing."""
    n_classes = max(classes) + 1
    labels = Labels("single", ("class",), tuple(f"c{j}" for j in range(n_classes)))
    arrays = tuple(
        np.array(column, np.int16 if attribute.type == "nominal" else float)
        for attribute, column in zip(attributes, columns, strict=True)
    )
    Y = label_matrix(np.array(classes), n_classes)
    return Dataset(Schema("r", tuple(attributes), labels), arrays, Y, np.ones(len(classes)))


def labels_named(n: int) -> Attribute:
    return Attribute("a", "nominal", tuple(f"v{k}" for k in range(n)))


def rules_of(committee) -> list[str]:
    return rules_text(committee).splitlines()


@pytest.mark.parametrize("seed", range(60))
def test_what_a_literal_says_of_codes_it_says_of_values(seed):
    rng = random.Random(seed)
    dataset = dataset_of(random_problem(rng))
    names = [a.name for a in dataset.schema.attributes if a.values]
    ordered = rng.sample(names, len(names) // 2)
    dataset = replace(dataset, schema=with_orders(dataset.schema, ordered))
    options = Options(negation=rng.random() < 0.7)
    sample, coded = prepare(dataset, options)
    for i in range(len(coded.catalogue)):
        literal = coded.catalogue.literal(i)
        assert coded.satisfying(i).tolist() == literal.satisfied_by(sample.columns).tolist()
        assert options.negation or literal.operator not in ("!=", "not in")


@pytest.mark.parametrize("seed", range(40))
def test_of_two_classes_the_order_by_share_holds_the_best_set_of_all(seed):
    rng = np.random.default_rng(seed)
    n_labels, n = 7, 20000
    every = [c for size in range(1, n_labels) for c in combinations(range(n_labels), size)]
    best: tuple[int, ...] = ()
    while not 2 <= len(best) <= n_labels - 2:  # else one label tells most
        codes = rng.integers(0, n_labels, n)
        classes = (rng.random(n) < rng.random(n_labels)[codes]).astype(int)
        both = [np.bincount(codes[classes == k], minlength=n_labels) for k in (0, 1)]
        entropies = {some: entropy(np.array(both), some) for some in every}
        best = min(entropies, key=entropies.__getitem__)
    dataset = dataset_with([labels_named(n_labels)], [codes], classes.tolist())
    _, coded = prepare(dataset, Options(literals=("sets",)))
    assert min(entropies[x] for x in sets_of(coded)) == pytest.approx(entropies[best])


def entropy(of_classes, some) -> float:
    inside = of_classes[:, list(some)].sum(axis=1)
    sides = [inside, of_classes.sum(axis=1) - inside]
    return float(sum(-w * math.log2(w / side.sum()) for side in sides for w in side if w))


def sets_of(coded) -> set[tuple[int, ...]]:
    """Return the labels that literals name, where these are several."""
    literals = map(coded.catalogue.literal, range(len(coded.catalogue)))
    return {literal.labels for literal in literals if literal.labels}


def test_labels_whose_examples_tell_less_than_their_names_cost_stay_together():
    # v0 to v3 tell 5 bits each, the others a fourth of one: sets of the former, and of the rest
    codes = [k for k in range(4) for _ in range(5)] + [k for k in range(4, 24) for _ in range(3)]
    classes = [0] * 10 + [1] * 10 + [0, 1, 0] * 10 + [1, 0, 1] * 10
    dataset = dataset_with([labels_named(24)], [codes], classes)
    problem = Problem.of(dataset, Options(literals=("sets",)))
    (view,) = [v for v in problem.held.coded.catalogue.views if isinstance(v, Shares)]
    assert len({view.ranks[k] for k in range(4, 24)}) == 1
    assert 5 * 1.0 > BITS_OF_NAME > 1
    assert sets_of(problem.held.coded) == {(0, 1), (2, 3)}


def test_labels_that_tell_classes_of_held_out_examples_stand_apart():
    # each of the 20 labels has four examples of its class: of three others one knows the fourth
    codes = [k for k in range(20) for _ in range(4)]
    classes = [k % 2 for k in codes]
    dataset = dataset_with([labels_named(20)], [codes], classes)
    few = dataset.take(np.arange(80) % 4 == 0)  # one example each: nothing is told of any other
    assert tuple(range(0, 20, 2)) in sets_of(prepare(dataset, Options())[1])
    assert sets_of(prepare(few, Options())[1]) == set()


def test_an_identifier_gives_no_set():
    rng = np.random.default_rng(1)
    n = 300
    x = rng.normal(size=n)
    classes = (x > 0).astype(int).tolist()
    attributes = [labels_named(n), Attribute("x", "numeric")]
    dataset = dataset_with(attributes, [range(n), x], classes)
    with_id, without = induce(dataset), induce(dataset, Options(literals=()))
    assert with_id.rules == without.rules


def test_a_label_that_confirms_itself_lends_no_weight_to_labels_of_one_example():
    # twice k0 in the rarest of four classes; each other label has one example
    codes = [0, 0, *range(1, 99)]
    classes = [3, 3, 3, 3, *(k % 3 for k in range(96))]
    assert (
        sets_of(prepare(dataset_with([labels_named(99)], [codes], classes), Options())[1]) == set()
    )


@pytest.mark.parametrize("ordered", [[], ["a"]])
@pytest.mark.parametrize("seed", range(5))
def test_no_two_literals_say_the_same(seed, ordered):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 8, 600)
    classes = np.where(rng.random(600) < 0.7, codes // 2, rng.integers(0, 4, 600))
    dataset = dataset_with([labels_named(8)], [codes], classes.tolist())
    dataset = replace(dataset, schema=with_orders(dataset.schema, ordered))
    catalogue = prepare(dataset, Options())[1].catalogue
    literals = [catalogue.literal(i) for i in range(len(catalogue))]
    assert any(len(literal.labels) > 1 for literal in literals)
    assert len(set(literals)) == len(literals)


def set_data(rng, n=400, n_labels=20):
    codes = rng.integers(0, n_labels, n)
    good = rng.permutation(n_labels)[:8].tolist()
    classes = np.isin(codes, good).astype(int)
    flipped = rng.random(n) < 0.05
    return codes, good, np.where(flipped, 1 - classes, classes)


@pytest.mark.parametrize("seed", range(5))
def test_a_set_is_found_where_it_is(seed):
    codes, good, classes = set_data(np.random.default_rng(seed))
    committee = induce(dataset_with([labels_named(20)], [codes], classes.tolist()))
    literals = [literal for rule in committee.rules for literal in rule.monomial]
    assert [set(x.labels) == set(good) for x in literals] == [True]


@pytest.mark.parametrize("seed", range(5))
def test_labels_that_say_nothing_get_no_literal_beyond_the_papers(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=500)
    classes = (x > 0.3).astype(int)
    codes = rng.integers(-1, 12, 500)  # values are missing by chance
    ranges = Attribute("b", "nominal", tuple(f"{k}-{k + 4}" for k in range(0, 60, 5)))
    attributes = [labels_named(12), ranges, Attribute("x", "numeric")]
    dataset = dataset_with(attributes, [codes, rng.permutation(codes), x], classes.tolist())
    committee = induce(dataset)
    assert {x.operator for rule in committee.rules for x in rule.monomial} <= {"<=", ">"}


def test_ranges_of_numbers_have_an_order_and_are_told_by_it():
    rng = np.random.default_rng(3)
    values = tuple(f"{k}-{k + 9}" for k in range(0, 90, 10))
    shuffled = tuple(rng.permutation(values).tolist())
    tens = rng.integers(0, 9, 600)
    codes = [shuffled.index(values[k]) for k in tens.tolist()]
    classes = ((tens > 4) ^ (rng.random(600) < 0.05)).astype(int).tolist()
    committee = induce(dataset_with([Attribute("age", "nominal", shuffled)], [codes], classes))
    assert rules_of(committee) == ["if age <= 40-49 then c0, not c1"] or rules_of(committee) == [
        "if age > 40-49 then not c0, c1"
    ]


def test_an_order_that_is_said_may_leave_labels_out():
    rng = np.random.default_rng(4)
    values = ("unknown", "huge", "small", "large", "tiny", "medium")
    order = ("tiny", "small", "medium", "large", "huge")
    codes = rng.integers(0, 6, 800)
    place = [order.index(v) if v in order else -1 for v in values]
    classes = ((np.array(place)[codes] >= 2) ^ (rng.random(800) < 0.05)).astype(int).tolist()
    dataset = dataset_with([Attribute("size", "nominal", values)], [codes], classes)
    options = Options(literals=("order",), ordered=("size=tiny<small<medium<large<huge",))
    assert rules_of(induce(dataset, options)) == ["if size > small then not c0, c1"]


@pytest.mark.parametrize("kind", ["nominal", "numeric"])
def test_whether_a_value_is_known_is_found_where_it_tells(kind):
    rng = np.random.default_rng(5)
    known = rng.random(400) < 0.5
    attribute = labels_named(5) if kind == "nominal" else Attribute("a", "numeric")
    column = np.where(known, rng.integers(0, 5, 400), -1 if kind == "nominal" else np.nan)
    classes = (known ^ (rng.random(400) < 0.05)).astype(int).tolist()
    committee = induce(dataset_with([attribute], [column], classes))
    assert rules_of(committee) in (
        ["if a is known then not c0, c1"],
        ["if a is missing then c0, not c1"],
    )


def test_directions_of_labels_with_an_order_bar_all_other_literals_on_them():
    rng = np.random.default_rng(6)
    values = tuple("abcdefgh")
    codes = rng.integers(0, 8, 600)
    classes = np.isin(codes, [1, 2, 5, 6, 7]).astype(int)
    dataset = dataset_with([Attribute("a", "nominal", values)], [codes], classes.tolist())
    options = Options(ordered=("a",), monotone=("a=+c1",))
    committee = induce(dataset, options)
    every = dataset_with([Attribute("a", "nominal", values)], [range(8)], [0, 1] * 4)
    votes = committee.votes(every)
    assert committee.rules
    assert (np.diff(votes[:, 1] - votes[:, 0]) >= 0).all()


def test_sets_of_hundreds_of_labels_are_learned_in_one_literal():
    rng = np.random.default_rng(7)
    n, n_labels = 6000, 500
    codes = rng.integers(0, n_labels, n)
    of = rng.integers(0, 2, n_labels)
    classes = np.where(rng.random(n) < 0.1, rng.integers(0, 2, n), of[codes])
    dataset = dataset_with([labels_named(n_labels)], [codes], classes.tolist())
    committee = induce(dataset)
    new = rng.integers(0, n_labels, n).astype(np.int16)
    rows = replace(dataset, columns=(new,))
    assert committee.n_literals <= 3
    assert (committee.predict_codes(rows) != of[new]).mean() < 0.03
