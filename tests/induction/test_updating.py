"""A model on new data: what pays stays, locked rules stay, the rest is learned around them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.label_set_cases import random_sets
from widc_arff import DataError, Literal, Options, induce, read_dataset
from widc_arff.data.merging import merged
from widc_arff.induction.refitting import refitted
from widc_arff.induction.updating import translated, updated
from widc_arff.options import options_of

WINE = read_dataset("arff_data/wine.arff")


def test_the_least_coverage_holds_for_old_rules_too():
    flowers = read_dataset("arff_data/iris.arff")
    options = Options(min_coverage="20%")
    old = induce(flowers, options)
    few = flowers.take(np.arange(106))  # of virginica 6
    assert min(old.fires(few).sum(axis=0)) < 0.2 * 106
    new = updated(old, few)
    assert min(new.fires(few).sum(axis=0)) >= 0.2 * 106


def error(committee, dataset) -> float:
    return float((committee.predict_codes(dataset) != dataset.classes).mean())


@pytest.mark.parametrize("name", ["iris", "wine", "monk1", "led7"])
def test_on_the_same_rows_a_model_stays_about_as_it_is(name):
    data = read_dataset(f"arff_data/{name}.arff")
    old = induce(data)
    new = updated(old, data)
    same = {frozenset(r.monomial) for r in old.rules} & {frozenset(r.monomial) for r in new.rules}
    assert len(same) >= 0.6 * len(old.rules)
    assert new.training.error <= old.training.error + 0.02
    assert refitted(new, data) == new


def test_what_only_outweighed_a_rule_that_goes_does_not_stay():
    data = read_dataset("arff_data/xd6.arff")
    learned = induce(data)
    last = learned.rules[-1]
    wrong = replace(last, monomial=last.monomial[:1], votes=tuple(-v for v in last.votes))
    new = updated(replace(learned, rules=(*learned.rules, wrong)), data)
    assert [rule.monomial for rule in new.rules] == [rule.monomial for rule in learned.rules]
    assert all(rule.decides for rule in new.rules)


def test_rules_that_new_rows_contradict_go_and_others_stay():
    flowers = read_dataset("arff_data/iris.arff")
    old = induce(flowers)
    Y = flowers.Y.copy()
    wide = np.asarray(flowers.columns[3], np.float64) > 1.75
    Y[wide] = [True, False, False]  # those that were virginica are setosa now
    Y[flowers.Y[:, 2] & ~wide] = [False, True, False]
    rows = replace(flowers, Y=Y)
    new = updated(old, rows)
    assert error(old, rows) > 0.3
    assert error(new, rows) < 0.05
    long, wide_ones = old.rules[1], old.rules[0]
    assert long.monomial in [rule.monomial for rule in new.rules]
    assert all(rule.votes != wide_ones.votes for rule in new.rules)


def test_locked_rules_stay_whatever_the_rows_say():
    old = induce(WINE)
    nonsense = replace(old.rules[0], monomial=(Literal(0, ">", 13.0),), votes=(-1, -1, 1))
    kept = old.with_rules([*old.rules[1:], replace(nonsense, name="sworn by", locked=True)])
    new = updated(kept, WINE)
    (locked,) = [rule for rule in new.rules if rule.locked]
    assert (locked.monomial, locked.votes, locked.name) == (
        (Literal(0, ">", 13.0),),
        (-1, -1, 1),
        "sworn by",
    )
    assert locked.covered == (np.asarray(WINE.columns[0], np.float64) > 13).sum()
    (given,) = options_of(new).rules
    assert given.name == "sworn by"
    assert refitted(new, WINE) == new


def test_a_rule_that_holds_nowhere_goes():
    old = induce(WINE)
    dead = replace(old.rules[0], monomial=(Literal(0, ">", 99.0),))
    new = updated(old.with_rules([dead, *old.rules[1:]]), WINE)
    assert all(literal.value != 99 for rule in new.rules for literal in rule.monomial)


def test_updating_knows_labels_and_values_by_their_texts():
    monks = read_dataset("arff_data/monk1.arff")
    old = induce(monks)
    turned = replace(
        monks,
        schema=replace(
            monks.schema,
            labels=replace(monks.schema.labels, values=monks.schema.labels.values[::-1]),
        ),
        Y=monks.Y[:, ::-1].copy(),
    )
    assert error(translated(old, turned.schema), turned) == error(old, monks)
    assert updated(old, turned).training.error == updated(old, monks).training.error


def test_a_class_that_is_new_is_learned():
    flowers = read_dataset("arff_data/iris.arff")
    two = flowers.take(np.flatnonzero(~flowers.Y[:, 2]))
    labels = replace(two.schema.labels, values=two.schema.labels.values[:2])
    old = induce(replace(two, schema=replace(two.schema, labels=labels), Y=two.Y[:, :2]))
    new = updated(old, flowers)
    assert new.schema.labels.values == ("setosa", "versicolor", "virginica")
    assert error(new, flowers) < 0.06


def hamming(committee, sets):
    return (committee.predict_sets(sets) != sets.Y).mean()


def test_label_sets_are_held_as_far_as_they_pay_and_others_learned():
    sets = random_sets(1, 200)
    old = induce(sets)
    assert updated(old, sets).rules == old.rules
    other = random_sets(2, 200)
    new = updated(old, other)
    assert refitted(new, other).training == new.training
    first = replace(old, rules=old.rules[:1])
    more = updated(first, sets)
    assert more.rules[0].monomial == old.rules[0].monomial
    assert len(more.rules) > 1
    assert hamming(more, sets) < hamming(first, sets)


def test_locked_rules_for_label_sets_stay_as_they_are():
    sets = random_sets(1, 200)
    old = induce(sets)
    wrong = replace(old.rules[0], votes=tuple(-v for v in old.rules[0].votes), locked=True)
    new = updated(replace(old, rules=(wrong, *old.rules[1:])), sets)
    assert (new.rules[0].monomial, new.rules[0].votes) == (wrong.monomial, wrong.votes)
    assert new.rules[0].locked
    assert len(options_of(new).rules) == 1


def test_options_of_the_training_hold_again():
    old = induce(WINE, Options(max_rules=2, class_weight="balanced"))
    new = updated(old, WINE)
    assert len(new.rules) <= 2
    assert new.training.options["class_weight"] == "balanced"


def test_old_rows_count_by_their_weight():
    flowers = read_dataset("arff_data/iris.arff")
    new, old = flowers.take(np.arange(0, 150, 2)), flowers.take(np.arange(1, 150, 2))
    both = merged(new, old)
    assert both.n_samples == 150
    assert induce(both).training.error == induce(flowers).training.error
    alone = updated(induce(flowers), merged(new, old, 0.0))
    assert alone == updated(induce(flowers), new)
    assert merged(new, old, 0.5).weights.sum() == 75 + 75 / 2


def test_old_rows_have_values_and_labels_of_their_own():
    monks = read_dataset("arff_data/monk1.arff")
    schema = monks.schema
    first = schema.attributes[0]
    turned = replace(first, values=(*first.values[::-1], "more"))
    codes = np.array([len(first.values) - 1 - k for k in range(len(first.values))] + [-1])
    other = replace(
        monks,
        schema=replace(schema, attributes=(turned, *schema.attributes[1:])),
        columns=(codes[np.asarray(monks.columns[0], np.int64)], *monks.columns[1:]),
    )
    both = merged(monks, other)
    assert both.schema.attributes[0].values == (*first.values, "more")
    assert (both.columns[0][: monks.n_samples] == both.columns[0][monks.n_samples :]).all()
    lacking = replace(
        other,
        schema=replace(schema, attributes=schema.attributes[1:]),
        columns=monks.columns[1:],
    )
    with pytest.raises(DataError, match=r"expected the nominal attribute .* in old rows too"):
        merged(monks, lacking)


def test_most_rules_stay_whole_where_rows_are_as_before():
    """Of the rules of two thirds of the rows, most are those of all: wine, twelve times."""
    kept = total = 0
    for seed in range(12):
        order = np.random.default_rng(seed).permutation(WINE.n_samples)
        old = induce(WINE.take(order[: 2 * len(order) // 3]))
        new = updated(old, WINE)
        there = {frozenset(rule.monomial) for rule in new.rules}
        kept += sum(frozenset(rule.monomial) in there for rule in old.rules)
        total += len(old.rules)
        assert len(new.rules) <= len(old.rules) + 6
    assert kept >= 0.6 * total
