"""The search against plain loops over the examples: what it tells of committees, and its ends."""

from __future__ import annotations

import math
import random
import warnings
from dataclasses import replace
from functools import partial
from itertools import combinations, product
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import numpy as np
import pytest

from tests.reference import committee as reference
from tests.reference import searching as plain
from tests.reference.bridge import dataset_of, rules_as_data
from tests.reference.deciding import state
from tests.search_cases import KINDS, WITH_LINE, Case, case_of, case_with
from widc_arff.errors import WidcWarning
from widc_arff.induction import induce
from widc_arff.induction.constraints.limits import Limits
from widc_arff.induction.counting.table import TableCounter
from widc_arff.induction.losses.class_error import ClassError
from widc_arff.induction.losses.ranking_loss import RankingLoss
from widc_arff.induction.losses.set_error import SetError
from widc_arff.induction.sample.coding import FEW_LITERALS
from widc_arff.induction.sample.distinct_rows import distinct_codes
from widc_arff.induction.search.budget import Budget
from widc_arff.induction.search.deciding import residual_of
from widc_arff.induction.search.families import Vectors, families_near, simple_families
from widc_arff.induction.search.fitting import VoteFit
from widc_arff.induction.search.growth import Grower, Start
from widc_arff.induction.search.label_margins import LabelMargins
from widc_arff.induction.search.label_residual import fitted_to_labels
from widc_arff.induction.search.partitions import _blocks, _counter
from widc_arff.induction.search.polishing import CommitteeContext, Polisher
from widc_arff.induction.search.residual import newton_gain
from widc_arff.induction.search.rows import Rows
from widc_arff.induction.search.searching import search
from widc_arff.induction.search.shrinking import Removals, _Descent, shrink
from widc_arff.induction.search.state import SearchedRule, SoftStanding
from widc_arff.model.decision import from_line
from widc_arff.options import VOTES, LabelSetOptions, Options

if TYPE_CHECKING:
    from widc_arff.data.dataset import Dataset
    from widc_arff.induction.losses import Loss

SMALL = {"max_rows": 30, "max_attributes": 4}
IDLE = Budget().min_residual


def seeds(n: int, kinds: tuple[str, ...] = KINDS):
    """Run a test with so many seeds for classes, and as many for label sets."""
    return pytest.mark.parametrize(
        ("kind", "seed"), [(kind, seed) for kind in kinds for seed in range(n)]
    )


EVERY = (*KINDS, WITH_LINE)


def check(case: Case) -> None:
    wrong = case.state.errors * case.rows.example_weight
    assert wrong == pytest.approx(plain.errors(case.task, case.rules), rel=1e-9, abs=1e-9)
    assert case.state.length == pytest.approx(plain.length(case.task, case.rules), abs=1e-8)


@seeds(60, EVERY)
def test_errors_and_length_after_changes_are_those_of_the_definition(kind, seed):
    case = case_of(kind, seed)
    state, rng = case.state, case.rng
    check(case)
    case.restart(5)
    for _ in range(6):
        check(case)
        come = case.random_rules(rng.randint(0, 2))
        if rng.random() < 0.5:
            state.change(rng.randint(0, len(state.rules)), come)
        else:
            places = range(len(state.rules))
            gone = set(rng.sample(places, rng.randint(0, len(places))))
            left = [state.rules[k] for k in places if k not in gone]
            state.exchange([state.rules[k] for k in gone], come, [*left, *come])
    check(case)
    shrink(state, case.constraints(), Budget())
    check(case)


@seeds(60, EVERY)
def test_removals_are_those_of_the_definition_and_the_first_is_the_best(kind, seed):
    case = case_of(kind, seed)
    case.restart(4)
    rules, now = case.rules, case.state.errors
    scores = plain.tie_scores(case.task, rules)
    lengths = []
    for k, rule in enumerate(case.state.rules):
        others = [*rules[:k], *rules[k + 1 :]]
        taken = {frozenset(other.monomial) for other in [*case.task.given, *others]}
        told: dict[tuple[plain.VotingRule, ...], float] = {}
        removals = Removals(case.state, rule)
        for n, errors in enumerate(removals.errors.tolist()):
            of_rule = removals.left(n)
            left = case.as_plain([] if of_rule is None else [of_rule])
            told[tuple(left)] = (now + errors) * case.rows.example_weight
            prices = sum(plain.price(case.task, one) for one in left)
            assert removals.prices[n] == pytest.approx(prices, abs=1e-9)
        expected = [() if left is None else (left,) for left in plain.removals(rules[k])]
        assert told.keys() == set(expected)
        for come in expected:
            after = [*others, *come]
            assert told[come] == pytest.approx(plain.errors(case.task, after, scores), abs=1e-9)
            may_be = all(case.task.may_vote(rule.votes) for rule in come)
            if may_be and not taken.intersection(frozenset(rule.monomial) for rule in come):
                lengths.append(plain.length(case.task, after, scores))
    if rules:
        assert _Descent(case.state, case.constraints(), 64).step()
        assert plain.length(case.task, case.rules, scores) == pytest.approx(min(lengths))
        check(case)


@seeds(20, EVERY)
def test_a_long_rule_loses_several_literals_at_once_those_of_least_worth(kind, seed):
    case = case_of(kind, seed)
    literals = range(len(case.task.catalogue))
    n = min(len(literals), 6)
    monomial = tuple(case.rng.sample(literals, n))
    rule = SearchedRule(monomial, np.eye(case.task.n_labels, dtype=np.int64)[0])
    case.state.restart([rule])
    removals = Removals(case.state, rule)
    order = list(range(len(removals.errors)))
    case.rng.shuffle(order)
    for k in range(n if n > 1 else 0):
        others = [x - 1 for x in order if 0 < x <= n and x != k + 1]
        gone = {k, *others[: max(0, n // 2 - 1)]}
        left = removals.left(k + 1, order, max(1, n // 2))
        assert left is not None
        assert left.monomial == tuple(x for i, x in enumerate(monomial) if i not in gone)
    shrink(case.state, case.constraints(), Budget(one_by_one=2))
    check(case)


@seeds(40)
def test_the_literal_that_alone_keeps_a_row_out_is_that_of_the_definition(kind, seed):
    case = case_of(kind, seed, max_rows=60, max_attributes=6)
    task, rows, n_literals = case.task, case.rows, len(case.task.catalogue)
    # one by one, and looked up by code
    for least, most in ((1, FEW_LITERALS), (FEW_LITERALS + 1, n_literals)):
        for _ in range(6 if least <= n_literals else 0):
            size = case.rng.randint(least, min(most, n_literals))
            monomial = tuple(case.rng.sample(range(n_literals), size))
            unmet = ~np.array([task.truths[task.catalogue[i]] for i in monomial])
            near, kinds = rows.find_near(monomial)
            told = np.full(rows.n_rows, -1)
            told[near] = kinds
            expected = np.where(unmet.sum(axis=0) == 1, unmet.argmax(axis=0) + 1, -1)
            expected[~unmet.any(axis=0)] = 0
            assert (told[rows._row_of] == expected).all()
            covered = expected == 0
            assert (rows._found_cover(monomial)[rows._row_of] == covered).all()
            assert (rows.sample.satisfying_all(monomial) == covered).all()


@seeds(40, EVERY)
def test_monomials_grow_alone_as_they_do_at_once(kind, seed):
    case = case_of(kind, seed)
    case.restart(case.rng.randint(0, 2))
    grower = Grower(case.state, case.constraints(), Budget())
    residual = grower._residual()
    starts = list(grower._single_starts(residual))
    if starts:
        expected = grower._grown_at_once(residual, starts)
        for short in (16, 1):  # work is counted in another way
            other = Grower(case.state, case.constraints(), Budget(short=short))
            assert [other._grown_alone(residual, start) for start in starts] == expected


@seeds(40)
def test_gains_of_literals_are_those_of_the_definition(kind, seed):
    case = case_of(kind, seed)
    task, rows, rng = case.task, case.rows, case.rng
    case.restart(rng.randint(0, 3))
    gradients = plain.residual(task, case.rules, IDLE)
    residual = residual_of(case.state, IDLE)
    label, sign = rng.randrange(task.n_labels), rng.choice([1, -1])
    start = rng.sample(range(len(task.catalogue)), rng.randint(0, 1))
    sums = rows.sums(np.array([residual.slope, residual.curve])[:, label] * rows.cover(start))
    gains = newton_gain(sign * sums[0], sums[1]) * rows.example_weight
    for literal, told in zip(task.catalogue, gains.tolist(), strict=True):
        monomial = [*(task.catalogue[i] for i in start), literal]
        expected = plain.gain(task, gradients, label, sign, monomial)
        assert told == pytest.approx(expected, rel=1e-9, abs=1e-9)


@seeds(40)
def test_what_grows_is_worth_what_is_told_and_all_of_its_literals_pay(kind, seed):
    case = case_of(kind, seed)
    task, unit = case.task, case.rows.example_weight
    case.restart(case.rng.randint(0, 2))
    gradients = plain.residual(task, case.rules, IDLE)
    grower = Grower(case.state, case.constraints(), Budget())
    residual = grower._residual()
    starts = list(grower._single_starts(residual))
    first_of = {(start.label, start.sign): start.literals[0] for start in reversed(starts)}
    price = grower._prices + grower._price_of_vote
    for label, sign in product(grower._labels.tolist(), (1, -1)):
        gains = np.array([plain.gain(task, gradients, label, sign, [x]) for x in task.catalogue])
        best = gains >= gains.max() - 1e-7
        pays = grower._gain_bound(residual)[int(sign < 0), label] > price
        if gains.max() > 1e-7 and pays[best].all():
            assert best[first_of[label, sign]]
    for told, monomial, label, sign in grower._grown(residual, starts) if starts else ():

        def worth(literals, label=label, sign=sign):
            gain = plain.gain(task, gradients, label, sign, literals)
            price = plain.price(task, with_one_vote(task, literals, label, sign))
            return gain - math.log(2) * price

        literals = [task.catalogue[i] for i in monomial]
        assert told * unit == pytest.approx(worth(literals), abs=1e-7)
        for literal in literals if len(literals) > 1 else []:
            assert worth([x for x in literals if x != literal]) <= told * unit + 1e-7


@seeds(40)
def test_no_monomial_gains_more_than_is_hoped_for_with_each_of_its_literals(kind, seed):
    case = case_of(kind, seed)
    task = case.task
    case.restart(case.rng.randint(0, 2))
    gradients = plain.residual(task, case.rules, IDLE)
    grower = Grower(case.state, case.constraints(), Budget())
    gain_bound = grower._gain_bound(grower._residual()) * case.rows.example_weight
    for _ in range(30):
        size = case.rng.randint(1, min(3, len(task.catalogue)))
        monomial = case.rng.sample(range(len(task.catalogue)), size)
        literals = [task.catalogue[i] for i in monomial]
        for k, label in enumerate(grower._labels.tolist()):
            for side, sign in enumerate((1, -1)):
                gain = plain.gain(task, gradients, label, sign, literals)
                assert gain <= gain_bound[side, k, monomial].min() + 1e-7


@seeds(40, (WITH_LINE,))
def test_what_is_undone_for_and_against_labels_is_that_of_the_definition(kind, seed):
    case = case_of(kind, seed)
    task, rows = case.task, case.rows
    case.restart(case.rng.randint(0, 4))
    residual, n_labels = residual_of(case.state, IDLE), task.n_labels - 1
    row_of = [int(rows._row_of[kind[0]]) for kind in task.kinds]
    for place, (sign, label) in enumerate(product((1, -1), range(n_labels))):
        expected = [
            plain.undone_of_label(task, case.rules, kind, label, sign, IDLE) for kind in task.kinds
        ]
        told = np.array([residual.slope, residual.curve])[:, place][:, row_of] * rows.example_weight
        assert pytest.approx(np.array(expected), abs=1e-9) == told.T


@seeds(40, (WITH_LINE,))
def test_no_votes_for_labels_lower_their_log_loss_by_more_than_those_that_fit(kind, seed):
    case = case_of(kind, seed, max_classes=4)
    task, state = case.task, case.state
    assert isinstance(state, LabelMargins)
    case.restart(3)
    n_labels = task.n_labels - 1
    for monomial, _ in case.random_rules(2):
        literals = tuple(task.catalogue[i] for i in monomial)
        covered = np.flatnonzero(case.rows.cover(monomial))
        worth, vector = fitted_to_labels(state, case.constraints(), monomial, covered)
        cover = task.covers(literals)
        best = -math.inf
        for votes in product((-1, 0, 1), repeat=n_labels):
            rule = plain.VotingRule(literals, (*votes, 0))
            if any(votes) and task.may_vote(rule.votes) and shows(task, votes, cover):
                best = max(best, plain.fall_of_labels(task, case.rules, rule))
        told = worth * case.rows.example_weight
        if best > 0:
            assert told == pytest.approx(best, abs=1e-7)
        else:
            assert told <= 1e-7
        if told > -math.inf:
            found = plain.VotingRule(literals, tuple(vector.tolist()))
            assert plain.fall_of_labels(task, case.rules, found) == pytest.approx(told, abs=1e-7)


def shows(task: plain.Task, votes: tuple[int, ...], cover: list[bool]) -> bool:
    """Tell whether a cover has more of the labels that votes are for, and less of the others."""
    rows = list(zip(task.label_sets, task.counts, cover, strict=True))
    inside = sum(count for _, count, is_in in rows if is_in)
    for label, vote in enumerate(votes):
        held = [count * is_in for labels, count, is_in in rows if label in labels]
        in_all = sum(count for labels, count, _ in rows if label in labels)
        if vote and vote * (sum(held) * sum(task.counts) - in_all * inside) <= 0:
            return False
    return True


@seeds(20, (WITH_LINE,))
def test_a_constant_added_to_votes_for_labels_and_the_line_changes_nothing(kind, seed):
    case = case_of(kind, seed)
    case.restart(4)
    state, rules = case.state, list(case.state.rules)
    errors, length = state.errors, state.length
    vectors = [rule.vector for rule in rules]
    moved = [vector + case.rng.choice([-1, 0, 1]) for vector in vectors]
    assert all((from_line(a) == from_line(b)).all() for a, b in zip(vectors, moved, strict=True))
    state.restart([rule._replace(vector=v) for rule, v in zip(rules, moved, strict=True)])
    assert state.errors == errors
    assert length <= state.length  # a vote of two has no price of its own


def with_one_vote(
    task: plain.Task, literals: list[reference.Literal], label: int, sign: int
) -> plain.VotingRule:
    votes = tuple(sign * (j == label) for j in range(task.n_labels))
    return plain.VotingRule(tuple(literals), votes)


@seeds(20)
def test_what_grows_on_a_part_is_worth_in_all_rows_what_is_told(kind, seed):
    case = case_of(kind, seed)
    task, unit = case.task, case.rows.example_weight
    case.restart(case.rng.randint(0, 2))
    gradients = plain.residual(task, case.rules, IDLE)
    grower = Grower(case.state, case.constraints(), Budget(growth_work=1.0))
    grower._residual()
    grower._work = grower._step / case.rng.choice([2, 3])
    residual = grower._residual()
    starts = list(grower._single_starts(residual))
    for candidate in grower._grown(residual, starts) if starts else ():
        told, monomial, label, sign = grower._seen_in_all(candidate, residual)
        literals = [task.catalogue[i] for i in monomial]
        price = plain.price(task, with_one_vote(task, literals, label, sign))
        worth = plain.gain(task, gradients, label, sign, literals) - math.log(2) * price
        assert told * unit == pytest.approx(worth, abs=1e-7)


@pytest.mark.parametrize("seed", range(20))
def test_what_contradicts_in_parts_of_the_rows_stands_for_that_of_all(seed):
    case = case_of("classes", seed)
    task = replace(case.task, impurity_penalty=1.0)
    case.objective.of_contradiction = case.rows.example_weight
    case.restart(case.rng.randint(0, 2))
    grower = Grower(case.state, case.constraints(), Budget(growth_work=1.0))
    grower._residual()
    grower._work, grower._n_rounds = grower._step / case.rng.choice([2, 3]), 0
    starts = [Start(j, sign, ()) for j in range(task.n_labels) for sign in (1, -1)]
    found = np.zeros(len(starts))
    grower._residual()
    grower._n_rounds, n_parts = 0, grower._step
    for _ in range(n_parts):
        found += grower._gradients(grower._residual(), starts)[2].sum(axis=1) / n_parts
    for told, (label, sign, _) in zip(found, starts, strict=True):
        rule = with_one_vote(task, [], label, sign)
        bits = plain.price(task, rule) - task.vote_price
        assert told * case.rows.example_weight == pytest.approx(bits)


@seeds(40)
def test_a_vector_lowers_the_log_loss_by_what_is_told_and_no_other_vote_by_more(kind, seed):
    case = case_of(kind, seed)
    case.restart(3)
    for rule in case.random_rules(2):
        assert isinstance(case.state, SoftStanding)
        fit = VoteFit(case.state, np.flatnonzero(case.rows.cover(rule.monomial)))
        may_be = partial(case.constraints().allows, rule.monomial)
        worth, vector = fit.descend(rule.vector, len(rule.vector), may_be)
        begun, found = case.as_plain([rule, SearchedRule(rule.monomial, vector)])
        for told, whose in ((fit.worth(rule.vector), begun), (worth, found)):
            expected = plain.fall(case.task, case.rules, whose)
            assert told * case.rows.example_weight == pytest.approx(expected, abs=1e-7)
        assert case.task.may_vote(found.votes)
        for votes in filter(case.task.may_vote, plain.vectors_near(found.votes)):
            other = plain.fall(case.task, case.rules, found._replace(votes=votes))
            assert other <= worth * case.rows.example_weight + 1e-7


@seeds(40, EVERY)
def test_vectors_win_in_each_row_what_they_win_one_by_one(kind, seed):
    case = case_of(kind, seed, max_rows=25)
    task, rows, unit = case.task, case.rows, case.rows.example_weight
    case.restart(4)
    scores = plain.tie_scores(task, case.rules)
    slot = case.rng.randint(0, len(case.rules))
    rule = None
    families = simple_families(task.n_labels)
    if slot < len(case.rules):
        rule = case.state.rules[slot]
        for other in case.random_rules(5)[:1]:
            families = [*families_near(rule.vector, other.vector), *families]
    without = [*case.rules[:slot], *case.rules[slot + 1 :]]
    lost = plain.errors(task, without, scores) - plain.errors(task, case.rules, scores)
    vectors = Vectors.of(families)
    may_vote = case.constraints().may_vote(vectors.vectors[vectors.tried])
    if case.task.with_line and may_vote is not None:
        vectors = vectors.only(np.flatnonzero(may_vote))
    now, every = case.state.errors, np.arange(rows.n_rows)
    with case.state.without(rule):
        assert (case.state.errors - now) * unit == pytest.approx(lost, abs=1e-9)
        told = case.state.won_with(every, vectors) * unit
        for k, of_vector in zip(vectors.tried.tolist(), told, strict=True):
            alone = case.state.won_after(every, vectors.vectors[k]) * unit
            assert alone == pytest.approx(of_vector, abs=1e-9)
        closed = ~case.state.can_change(1)
        assert not told[:, closed].any()
    assert case.state.errors == now
    check(case)
    sums = plain.vote_sums(task, without)
    for of_vector, k in zip(told, vectors.tried.tolist(), strict=True):
        won = []
        for same in task.kinds:
            votes = sums[same[0]]
            with_it = [a + b for a, b in zip(votes, vectors.vectors[k].tolist(), strict=True)]
            won.append(0.0)
            for i in same:
                labels = task.label_sets[i]
                before, after = (plain.wrongness(task, labels, v, scores) for v in (votes, with_it))
                won[-1] += task.unit * task.counts[i] * (before - after)
        # the loops have the rows in another order
        assert np.sort(of_vector) == pytest.approx(np.sort(won), abs=1e-9)


@seeds(30, EVERY)
def test_no_change_of_one_slot_improves_a_polished_committee(kind, seed):
    case = case_of(kind, seed, max_rows=16, max_attributes=3, max_classes=4)
    task = case.task
    case.restart(case.rng.randint(0, 3))
    every = Budget(seen=10**9, n_exact=10**9, min_improvement=0.0, slot_work=1e18)
    must_agree = kind == "classes" and seed % 2 == 0
    Polisher(case.state, case.constraints(evidence=must_agree), every, []).polish()
    check(case)
    rules = case.rules
    least, scores = plain.length(task, rules), plain.tie_scores(task, rules)
    for slot in range(len(rules) + 1):
        others = [*rules[:slot], *rules[slot + 1 :]]
        errors_of: dict[object, tuple[float, float]] = {}
        for changed in plain.changes(task, rules, slot):
            if must_agree and changed and not agrees(task, changed):
                continue
            after = others if changed is None else [*others, changed]
            what = changed and (str(task.covers(changed.monomial)), changed.votes)
            if what not in errors_of:
                both = plain.errors(task, after), plain.errors(task, after, scores)
                errors_of[what] = both
            price = sum(plain.price(task, rule) for rule in after)
            # only what lowers J with ties as they go is looked at
            lengths = [plain.bits_of_errors(task, wrong) + price for wrong in errors_of[what]]
            assert max(lengths) >= least - 1e-6, changed


def agrees(task: plain.Task, rule: plain.VotingRule) -> bool:
    covered = task.covers(rule.monomial)
    return any(covered) and not plain.votes_against(
        rule.votes, task.label_sets, task.counts, covered
    )


@pytest.mark.parametrize("min_improvement", [0.0, 0.01])
@pytest.mark.parametrize("kind", KINDS)
def test_what_was_polished_is_polished_again_by_monomials_that_it_did_not_see(
    kind, min_improvement
):
    n_improved = 0
    for seed in range(60):
        case = case_of(kind, seed, **SMALL)
        state, constraints = case.state, case.constraints()
        case.restart(case.rng.randint(0, 3))
        every = Budget(seen=10**9, n_exact=10**9, min_improvement=0.0, slot_work=1e18)
        assert Polisher(state, constraints, every, []).polish()
        length = state.length
        assert Polisher(state, constraints, every, []).polish(again=True)
        assert state.length == length
        pairs = list(combinations(range(len(case.rows.catalogue)), 2))
        polisher = Polisher(
            state, constraints, replace(every, min_improvement=min_improvement), pairs
        )
        is_done = polisher.polish(again=True)
        check(case)
        n_improved += state.length < length
        around = CommitteeContext(state, constraints, polisher._costs_of(state.rules))
        slots = range(len(state.rules) + 1 if is_done else 0)
        assert not any(polisher._best_change(slot, around, state.length)[0] for slot in slots)
    assert n_improved


@seeds(40, EVERY)
def test_a_change_of_a_slot_brings_j_to_what_is_told(kind, seed):
    case = case_of(kind, seed, **SMALL)
    state, constraints = case.state, case.constraints()
    case.restart(4)
    for work in (2e7, 300.0):  # with all rows, and with a part of them
        polisher = Polisher(state, constraints, Budget(slot_work=work), [])
        for slot in range(len(state.rules) + 1):
            around = CommitteeContext(state, constraints, polisher._costs_of(state.rules))
            change, told = polisher._best_change(slot, around, state.length)
            if change is not None:
                state.change(slot, change)
                check(case)
                assert told == pytest.approx(state.length, rel=1e-9)
        monomials = {frozenset(rule.monomial) for rule in state.rules}
        assert len(monomials - constraints.known) == len(state.rules)


@seeds(20)
def test_growing_by_partitions_begins_with_the_examples_of_equal_votes(kind, seed):
    case = case_of(kind, seed)
    case.restart(3)
    votes = plain.vote_sums(case.task, case.rules)
    blocks = _blocks(case.rows.votes_of(case.state.rules))[case.rows._row_of].tolist()
    kinds = {tuple(sums) for sums in votes}
    pairs = {(block, *sums) for block, sums in zip(blocks, votes, strict=True)}
    assert len(pairs) == len(kinds) == len(set(blocks))


@pytest.mark.parametrize("seed", range(60))
def test_partitions_are_counted_the_same_in_a_table_and_in_memory(seed):
    kind = KINDS[seed % len(KINDS)]
    case = case_of(kind, seed, max_classes=2)
    case.restart(3)
    rows = case.rows
    n_cells = case.rng.choice([30.0, 1e5])  # of more cells some rows are left out, in every way
    budgets = Budget(partition_cells=n_cells), Budget(partition_cells=n_cells, table_cells=0.0)
    in_table, in_memory = (_counter(rows, case.state.rules, budget) for budget in budgets)
    assert isinstance(in_table, TableCounter) == (rows.n_cells <= n_cells)
    for _ in range(4):
        assert in_table.n_blocks == in_memory.n_blocks
        by_chance = [c.z_per_root * c.random_decrease() for c in (in_table, in_memory)]
        assert by_chance[0] == pytest.approx(by_chance[1])
        for _ in range(3):  # some go on from others, some begin anew
            size = case.rng.randint(0, min(4, len(rows.catalogue)))
            chain = tuple(case.rng.sample(range(len(rows.catalogue)), size))
            for end in case.rng.choice([range(size + 1), range(size, size + 1)]):
                told, expected = (c.z_per_root * c.sums(chain[:end]) for c in (in_table, in_memory))
                assert told == pytest.approx(expected, abs=1e-9)
        in_table.refine(chain)
        in_memory.refine(chain)


BUDGETS = {
    "all": Budget(),
    "parts of growth": Budget(growth_work=1e4),
    "parts of partitions": Budget(partition_cells=30.0, table_cells=0.0),
    "no table": Budget(table_cells=0.0),
    "little a slot": Budget(slot_work=50.0),
    "few literals": Budget(rests=1, pair_work=64.0, one_by_one=2, short=1),
    "no growth": Budget(grown_work=0.0),
    "little of partitions": Budget(partition_work=3e4),
    "little in all": Budget(search_work=1.0),
    "all at once": Budget(growth_work=1e4, partition_cells=30.0, table_cells=0.0, slot_work=50.0),
}


@seeds(40, EVERY)
def test_whatever_work_may_cost_j_is_what_is_told_and_not_above_that_of_no_rules(kind, seed):
    case = case_of(kind, seed, **SMALL)
    limits = Limits()
    if case.rng.random() < 0.5:
        limits = Limits(case.rng.randint(0, 3), case.rng.randint(1, 3), case.rng.randint(0, 5))
    for budget in case.rng.sample(list(BUDGETS.values()), 2):
        heard = Mock()
        found = search(case.rows, case.constraints(limits), case.objective, budget, heard)
        length = plain.length(case.task, case.as_plain(found))
        none = plain.length(case.task, [])
        told = [
            bits
            for (how, _sizes, bits), is_kept in heard.refined.call_args_list
            if how == "polished" and is_kept["kept"]
        ]
        assert length == pytest.approx([none, *told][-1])
        assert length <= none + 1e-9
        sizes = [len(rule.monomial) for rule in found]
        assert limits.allow(len(sizes), sum(sizes))
        assert limits.max_literals is None or max(sizes, default=0) <= limits.max_literals
        monomials = {frozenset(rule.monomial) for rule in found}
        assert len(monomials - case.constraints().known) == len(found)
        assert all(case.task.may_vote(rule.votes) for rule in case.as_plain(found))


@seeds(20, EVERY)
def test_neither_the_order_of_examples_nor_copies_nor_the_order_of_rows_matter(kind, seed):
    case = case_of(kind, seed, **SMALL)
    codes, Y = case.codes, case.Y
    weights = np.ones(codes.n_samples) if codes.weights is None else codes.weights

    def found(examples, weights, *, rearrange=False):
        sample = codes.with_rows(
            [group.codes[:, examples] for group in codes.groups], codes.labels[examples], weights
        )
        if codes.given_votes is not None:
            sample = sample.with_given(codes.given_votes[:, examples])
        rows = case.rows_of(sample, None if Y is None else Y[examples])
        assert rows is not None
        rows = rearranged(rows, case) if rearrange else rows
        rules = search(rows, case.constraints(), case.objective)
        return [(monomial, vector.tolist()) for monomial, vector in rules]

    every = np.arange(codes.n_samples)
    order = np.random.default_rng(seed).permutation(codes.n_samples)
    expected = found(every, weights)
    assert found(order, weights[order]) == expected
    assert found(every, weights, rearrange=True) == expected
    twice = np.repeat(every, 2)
    assert found(twice, weights[twice]) == found(every, 2 * weights)


def rearranged(rows: Rows, case: Case) -> Rows:
    """Return the same distinct rows in another order."""
    loss, sets = rows.loss, None
    if case.Y is not None:
        n_held = case.Y.sum(axis=1)
        is_ranked = (n_held > 0) & (n_held < case.task.n_labels) | case.task.with_line
        sets = np.packbits(case.Y[is_ranked], axis=1).T
    first, row_of = distinct_codes(rows.sample, sets)
    order = np.random.default_rng(len(first)).permutation(len(first))
    other: Loss
    if isinstance(loss, SetError):
        other = SetError(loss.Y[:, order], loss.weights[order])
    elif isinstance(loss, RankingLoss):
        other = RankingLoss(~loss._lacks[:, order], loss._weights[order], loss.prior)
    else:
        other = ClassError(loss.label_weights[:, order], case.costs)
    return Rows(rows.sample, first[order], np.argsort(order)[row_of], other)


@seeds(40, EVERY)
def test_what_is_demanded_holds_for_every_rule(kind, seed):
    rng = random.Random(f"demands {kind} {seed}")
    problem = reference.random_problem(rng)
    label_sets = None
    if kind != "classes":
        label_sets = reference.random_label_sets(rng, len(problem.rows), problem.n_classes)
    sample = reference.counting_examples(problem, label_sets)
    percent, negation = rng.choice([1, 5, 15, 30]), rng.choice([True, False])
    most = rng.randint(1, 4), rng.randint(1, 3), rng.randint(1, 6)
    directions = []
    if kind == "classes":
        directions = [
            (a, rng.choice("+-"), rng.randrange(problem.n_classes))
            for a, attribute in enumerate(problem.attributes)
            if attribute[0] == "numeric"
        ]
    options = Options(
        "refined",
        penalty=0.5,
        negation=negation,
        min_coverage=f"{percent}%",
        max_rules=most[0],
        max_literals=most[1],
        max_size=most[2],
        monotone=tuple(f"a{a}={sign}c{j}" for a, sign, j in directions),
        votes=rng.choice(VOTES),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)
        committee = induce(dataset_of(problem, label_sets), aiming(options, kind))
    rules = rules_as_data(committee)
    sizes = [len(monomial) for monomial, _ in rules]
    assert len(rules) <= most[0]
    assert sum(sizes) <= most[2]
    assert max(sizes, default=0) <= most[1]
    present = sorted(frozenset().union(*sample.label_sets))
    for monomial, votes in rules:
        literals = [reference.Literal(*x) for x in monomial]
        weights = zip(sample.rows, sample.weights, strict=True)
        covered = sum(weight for row, weight in weights if reference.satisfies(row, literals))
        assert float(covered) >= percent / 100 * float(sample.total) * (1 - 1e-9)
        assert negation or all(x.op not in ("!=", "not in") for x in literals)
        said = [votes[j] for j in present]
        if kind == WITH_LINE:
            said.append(0)
        assert options.votes != "one" or plain.n_exceptions(said) == 1
        for a, sign, j in directions:
            for x in literals:
                if x.attribute == a and x.op in ("<=", ">") and j in present:
                    best = max if (x.op == ">") == (sign == "+") else min
                    assert votes[j] == best(said)


def aiming(options: Options, kind: str) -> Options:
    """Return options with the aim of a kind of label sets."""
    if kind == "classes":
        return options
    return LabelSetOptions.of(options, aim="sets" if kind == WITH_LINE else "ranking")


def random_dataset(kind: str, rng: random.Random, **sizes: int) -> Dataset:
    problem = reference.random_problem(rng, **sizes)
    label_sets = None
    if kind != "classes":
        label_sets = reference.random_label_sets(rng, len(problem.rows), problem.n_classes)
    return dataset_of(problem, label_sets)


def learned(dataset: Dataset, kind: str, **options: Any) -> list[tuple[object, list[int]]]:
    """Return monomials, and votes for the labels that occur, and the line if there is one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)
        committee = induce(dataset, aiming(Options("refined", **options), kind))
    present = np.flatnonzero(dataset.Y[dataset.weights > 0].any(axis=0)).tolist()
    line = [0] if kind == WITH_LINE else []
    return [
        (monomial, [votes[j] for j in present] + line)
        for monomial, votes in rules_as_data(committee)
    ]


@seeds(60, EVERY)
def test_every_rule_has_one_vote_that_differs_where_one_is_wanted(kind, seed):
    rng = random.Random(f"one {kind} {seed}")
    dataset = random_dataset(kind, rng)
    penalty, bits = rng.choice([0.0, 0.5]), rng.choice([None, 0.0, 2.0])
    for _, votes in learned(dataset, kind, penalty=penalty, votes="one", vote_penalty=bits):
        assert plain.n_exceptions(votes) == 1


@seeds(20)
def test_with_two_labels_the_price_of_votes_changes_nothing(kind, seed):
    dataset = random_dataset(kind, random.Random(f"two {kind} {seed}"), max_classes=2)
    expected = learned(dataset, kind, penalty=0.5)
    for options in ({"votes": "one"}, {"votes": "free"}, {"vote_penalty": 5.0}):
        assert learned(dataset, kind, penalty=0.5, **options) == expected


@seeds(20)
def test_votes_at_no_price_are_free_and_at_the_usual_one_as_by_default(kind, seed):
    dataset = random_dataset(kind, random.Random(f"price {kind} {seed}"))
    n_labels = int(dataset.Y[dataset.weights > 0].any(axis=0).sum())
    usual = math.log2(max(n_labels - 1, 1))
    assert learned(dataset, kind, vote_penalty=0.0) == learned(dataset, kind, votes="free")
    assert learned(dataset, kind, vote_penalty=usual) == learned(dataset, kind)


def test_labels_whose_sums_are_equal_tie_in_the_search_however_these_are_rounded():
    # three thirds, rounded one by one, are not one
    problem = reference.Problem(
        attributes=[("nominal", ["u", "v"]), ("nominal", ["r", "s", "t"])],
        rows=[[0, 0], [0, 1], [0, 2], [0, 0], [1, 0], [1, 0]],
        labels=[0] * 6,
        n_classes=4,
        weights=[1.0] * 6,
    )
    label_sets = [frozenset({0, 2, 3})] * 3 + [frozenset({1})] * 3
    case = case_with(random.Random(0), problem, label_sets, chance_of_given=0)
    assert case is not None
    case.state.restart([SearchedRule((1,), np.array([0, 1, 0, 0]))])
    assert case.state.errors == plain.errors(case.task, case.rules) == 4
    check(case)


@pytest.mark.parametrize("pruning", ["refined", "none"])
@pytest.mark.parametrize("seed", [30, 163, 182, 962, 974])
def test_labels_whose_sums_are_equal_tie_in_the_committee_however_they_are_added(pruning, seed):
    rng = random.Random(seed)
    problem = reference.random_problem(rng, max_rows=12, max_attributes=2, max_classes=6)
    problem = replace(problem, weights=[1.0] * len(problem.rows))
    c = problem.n_classes
    two = reference.random_label_sets(rng, 2, c)
    turned = [frozenset((x + turn) % c for x in labels) for labels in two for turn in range(c)]
    label_sets = [rng.choice(turned) for _ in problem.rows]
    options = LabelSetOptions(pruning, penalty=0.2, aim="ranking")
    committee = induce(dataset_of(problem, label_sets), options)
    rules = [
        plain.VotingRule(tuple(reference.Literal(*x) for x in monomial), tuple(votes))
        for monomial, votes in rules_as_data(committee)
    ]
    tested = [literal for rule in rules for literal in rule.monomial]
    sample = reference.counting_examples(problem, label_sets)
    task = plain.task_of(sample, tested, are_sets=True)
    assert task.n_labels == c
    scores = state(committee.default, task.prior)
    assert scores == pytest.approx(plain.tie_scores(task, rules))
