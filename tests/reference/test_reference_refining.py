"""The plain reference of refined pruning against values worked out by hand."""

import math
import random
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from . import refining
from .committee import (
    Literal,
    Monomial,
    Problem,
    Sample,
    counting_examples,
    default_vector,
    grow,
    induce,
    literals,
    objective,
    polish,
    prune_pessimistic,
    random_problem,
    refine,
    rules_of,
    shrink,
)
from .deciding import error_on
from .literals import always
from .problem import least_ones
from .refining import Refiner, distinct, one_against_rest, regrown
from .weighing import Change, bits, changed

BINARY = ("nominal", ["0", "1"])
COLOUR = ("nominal", ["red", "green", "blue"])
NUMERIC = ("numeric",)
X0_IS_0, X0_IS_1 = Literal(0, "=", 0), Literal(0, "=", 1)
X1_IS_0, X1_IS_1 = Literal(1, "=", 0), Literal(1, "=", 1)
H_QUARTER = 2 - 3 / 4 * math.log2(3)  # H(1/4) = H(3/4), in bits
BITS = 3.0


def conjunction(weights: list[float]) -> Sample:
    """Class 1 iff x0 = 1 and x1 = 1; weights of (0, 0), (0, 1), (1, 0), (1, 1)."""
    rows = [[0, 0], [0, 1], [1, 0], [1, 1]]
    return counting_examples(Problem([BINARY, BINARY], rows, [0, 0, 0, 1], 2, weights))


def copy_of_x0(weight: float) -> Sample:
    """The class is x0, x1 is irrelevant."""
    rows = [[0, 0], [0, 1], [1, 0], [1, 1]]
    return counting_examples(Problem([BINARY, BINARY], rows, [0, 0, 1, 1], 2, [weight] * 4))


def weighed(sample: Sample, monomials: list[Monomial], penalty: float = BITS) -> float:
    return objective(sample, rules_of(sample, monomials), penalty)


# Objective ----------------------------------------------------------------------------------------


def test_errors_cost_their_places_and_literals_their_price():
    sample = conjunction([10.0] * 4)
    # The empty committee decides 0 everywhere: E = 10 of 40.
    assert weighed(sample, []) == pytest.approx(40 * H_QUARTER)
    # x0 = 0 votes for 0. On its silence one of each class, D = (1/2, 1/2), and p chooses 0.
    assert weighed(sample, [[X0_IS_0]]) == pytest.approx(40 * H_QUARTER + 3)
    assert weighed(sample, [[X0_IS_0], [X1_IS_0]]) == 6
    assert weighed(sample, [[X0_IS_1, X1_IS_1]]) == 6
    assert weighed(sample, [[X0_IS_1, X1_IS_1]], 5.0) == 10


def test_with_more_than_two_classes_an_error_costs_also_its_class():
    problem = Problem([BINARY], [[0], [1], [1]], [0, 1, 2], 4, [6.0, 1.0, 1.0])
    sample = counting_examples(problem)
    # Three of the four classes have weight: E = 2 of 8, and log2(3 - 1) for each error.
    assert weighed(sample, []) == pytest.approx(8 * H_QUARTER + 2)


def test_beyond_half_of_the_weight_every_error_costs_a_bit():
    problem = Problem([NUMERIC], [[1.0]] * 4, [0, 1, 2, 3], 4, [1.0] * 4)
    # E = 3 of 4: 4 + (3 - 2), and log2(4 - 1) for each error.
    assert weighed(counting_examples(problem), []) == pytest.approx(5 + 3 * math.log2(3))
    # The two branches meet at E = m/2.
    half = counting_examples(Problem([NUMERIC], [[1.0]] * 2, [0, 1], 2, [5.0] * 2))
    assert weighed(half, []) == 10


def test_the_objective_rises_with_the_errors():
    values = [bits(Fraction(wrong, 2), Fraction(10), 3, 0, BITS) for wrong in range(21)]
    assert values == sorted(set(values))


def test_fractional_weights_count_as_scaled_to_the_number_of_rows():
    assert weighed(conjunction([2.5] * 4), []) == pytest.approx(4 * H_QUARTER)


def test_one_class_costs_nothing():
    sample = counting_examples(Problem([BINARY], [[0], [1]], [1, 1], 3, [1.0] * 2))
    assert weighed(sample, []) == 0
    assert refine(sample, literals(sample), [], BITS) == []


# Shrink -------------------------------------------------------------------------------------------


def test_shrinking_removes_rules_and_literals():
    # Of the three rules pessimistic pruning drops the last: D = (1, 0) decides where all are
    # silent; without another one, E = 10. J = 12. Shortening either rule to x0 = 1 leaves no error,
    # J = 9, and the first is taken; all else costs 10 errors. To shorten the second to x0 = 1 too
    # would repeat the first; dropping it gives J = 3 (to x1 = 0: 6). The empty committee has E = 20
    # of 40, J = 40.
    sample = copy_of_x0(10.0)
    rules = [[X0_IS_1, X1_IS_1], [X0_IS_1, X1_IS_0], [X0_IS_0, X1_IS_0]]
    assert Refiner(sample, BITS).pessimistic(rules) == rules[:2]
    assert shrink(sample, rules, BITS) == [[X0_IS_1]]
    # At 37 bits a literal one literal is still worth 20 errors, at 41 it is not.
    assert shrink(sample, rules, 37.0) == [[X0_IS_1]]
    assert shrink(sample, rules, 41.0) == []


def test_a_removal_may_not_repeat_a_monomial():
    refiner = Refiner(copy_of_x0(10.0), BITS)
    monomials = [[X0_IS_1], [X0_IS_1, X1_IS_0]]
    assert list(refiner.removals(monomials)) == [
        Change(0, None),
        Change(1, None),
        Change(1, [X1_IS_0]),
    ]


def test_shrinking_goes_on_through_worse_committees():
    # Four examples, J = 6; one rule 4 H(1/4) + 3 = 6.25, no rule 3.25.
    sample = conjunction([1.0] * 4)
    assert weighed(sample, [[X0_IS_0]]) > weighed(sample, [[X0_IS_0], [X1_IS_0]])
    assert shrink(sample, [[X0_IS_0], [X1_IS_0]], BITS) == []


def test_of_equal_removals_paper_and_objective_choose_differently():
    # Either rule alone makes no error: the paper removes the later one.
    either = [[X0_IS_0], [X0_IS_1]]
    assert Refiner(copy_of_x0(10.0), BITS).pessimistic(either) == [[X0_IS_0]]
    # x0 and x1 are the same: the objective removes the first of the literals.
    problem = Problem([BINARY, BINARY], [[0, 0], [1, 1]], [0, 1], 2, [10.0] * 2)
    assert shrink(counting_examples(problem), [[X0_IS_1, X1_IS_1]], BITS) == [[X1_IS_1]]


def test_of_equal_committees_the_smallest_is_kept():
    # Without a price J counts errors only: x0 = 1 alone has none, as the longer ones.
    rules = [[X0_IS_1, X1_IS_1], [X0_IS_1, X1_IS_0]]
    assert shrink(copy_of_x0(1.0), rules, 0.0) == [[X0_IS_1]]


# Polish -------------------------------------------------------------------------------------------


def test_the_moves_of_a_slot_come_in_scan_order():
    problem = Problem(
        [BINARY, COLOUR],
        [[0, 0], [0, 0], [0, 1], [1, 1], [1, 2], [1, 2], [0, 2], [None, 0]],
        [0, 0, 0, 1, 1, 1, 1, 0],
        2,
        [1.0] * 8,
    )
    sample = counting_examples(problem)
    catalogue = [X0_IS_0, X0_IS_1, Literal(1, "=", 0), Literal(1, "=", 2), Literal(1, "!=", 1)]
    refiner = Refiner(sample, BITS)
    red, blue, not_green = catalogue[2:]
    rule = [X0_IS_0, not_green]  # two of class 0, one of class 1
    # With x0 = 1 the cover is empty; blue without x0 is the other rule; x0 = 1 and not green means
    # x0 = 1 and blue; not green covers three and three, its vector is constant.
    assert refiner.moves(catalogue, [rule, [blue]], 0) == [
        Change(0, None),
        Change(0, [X0_IS_0, not_green, red]),
        Change(0, [X0_IS_0, not_green, blue]),
        Change(0, [not_green, X0_IS_1]),
        Change(0, [not_green, red]),
        Change(0, [not_green, blue]),
        Change(0, [X0_IS_0]),
        Change(0, [X0_IS_0, red]),
        Change(0, [X0_IS_0, blue]),
    ]
    assert refiner.moves(catalogue, [rule, [blue]], 0, 2)[1] == Change(0, [not_green, X0_IS_1])
    # A rule of one literal has none to drop; the last slot takes rules of one literal.
    assert refiner.moves(catalogue, [rule, [blue]], 1, 1) == [
        Change(1, None),
        *[Change(1, [literal]) for literal in (X0_IS_0, X0_IS_1, red)],
    ]
    assert refiner.moves(catalogue, [rule, [blue]], 2) == [
        Change(2, [literal]) for literal in (X0_IS_0, X0_IS_1, red)
    ]


def test_polishing_adds_the_missing_literal():
    sample = conjunction([10.0] * 4)
    assert polish(sample, literals(sample), [[X0_IS_1]], BITS) == [[X0_IS_1, X1_IS_1]]
    # With one literal a rule: x0 = 0 and x1 = 0 also have J = 6, but either alone saves no error.
    # So the rule is dropped, and no rule is added to the empty committee.
    assert polish(sample, literals(sample), [[X0_IS_1]], BITS, 1) == []
    short = [[X0_IS_0], [X1_IS_0]]
    assert polish(sample, literals(sample), short, BITS, 1) == short


def test_polishing_replaces_the_wrong_literal():
    # x2 is irrelevant. The rule covers 5 and 5 and votes nothing, E = 10; with x0 = 1 added E = 5,
    # J = 40 H(1/8) + 9; with x0 = 1 in place of x2 = 1 no error, J = 6.
    rows = [[x0, x1, x2] for x0 in (0, 1) for x1 in (0, 1) for x2 in (0, 1)]
    problem = Problem([BINARY] * 3, rows, [x0 & x1 for x0, x1, _ in rows], 2, [5.0] * 8)
    sample = counting_examples(problem)
    start = [[Literal(2, "=", 1), X1_IS_1]]
    assert polish(sample, literals(sample), start, BITS) == [[X1_IS_1, X0_IS_1]]


def test_polishing_drops_a_useless_rule():
    sample = conjunction([10.0] * 4)
    rules = [[X0_IS_0, X1_IS_0], [X0_IS_1, X1_IS_1]]
    assert polish(sample, literals(sample), rules, BITS) == [[X0_IS_1, X1_IS_1]]


def test_moves_are_ranked_with_the_default_vector_held_fixed():
    # p is equal, so the empty committee decides 0. With that held fixed x0 = 0 corrects nothing
    # (E = 20 of 40, one literal), x0 = 1 everything. With their own default vectors both have J = 3
    # and the one ranked first is taken, although x0 = 0 comes first in the catalogue.
    sample = copy_of_x0(10.0)
    refiner = Refiner(sample, BITS)
    moves = [Change(0, [X0_IS_0]), Change(0, [X0_IS_1])]
    assert refiner.scores([], moves) == [43, 3]
    assert [refiner.objective(changed([], move)) for move in moves] == [3, 3]
    assert polish(sample, literals(sample), [], BITS) == [[X0_IS_1]]


def test_the_twelve_moves_of_best_score_are_evaluated(monkeypatch):
    sample = counting_examples(random_problem(random.Random(34)))
    catalogue = literals(sample)
    monomials = grow(sample, catalogue)[:3]
    refiner = Refiner(sample, BITS)
    moves = refiner.moves(catalogue, monomials, 1)
    scores = refiner.scores(monomials, moves)
    ranked = sorted(range(len(moves)), key=lambda i: (round(scores[i], 9), i))
    assert len(set(scores)) < len(scores) > 12
    evaluated = []
    weigh = Refiner.objective

    def recorded(refiner: Refiner, monomials: list[Monomial]) -> float:
        evaluated.append(monomials)
        return weigh(refiner, monomials)

    monkeypatch.setattr(Refiner, "objective", recorded)
    refiner.best_move(catalogue, monomials, 1, None)
    evaluated.remove(monomials)
    assert evaluated == [changed(monomials, moves[i]) for i in ranked[:12]]


def test_slots_are_visited_in_turn_and_again_after_a_move(monkeypatch):
    first, second, third = [X0_IS_0], [X0_IS_1], [X1_IS_0]
    # The second rule is dropped: its place is now the slot for a new rule, which takes one, and the
    # new rule is tried; then the slot after it, and the first again.
    moves = iter([None, [first], [first, third], None, None, None])
    visited = []

    def scripted(_, __, monomials: list[Monomial], position: int, ___) -> list[Monomial] | None:
        visited.append((len(monomials), position))
        return next(moves)

    monkeypatch.setattr(Refiner, "best_move", scripted)
    sample = conjunction([1.0] * 4)
    assert polish(sample, literals(sample), [first, second], BITS) == [first, third]
    assert visited == [(2, 0), (2, 1), (1, 1), (2, 1), (2, 2), (2, 0)]


# Restarts -----------------------------------------------------------------------------------------


def test_one_class_against_the_rest_is_grown_for_each_class():
    # Classes 0 and 2 take one literal with Z = 0: x <= 2.5 and, before x > 4.5, x <= 4.5 (I5). For
    # the class between, x <= 2.5 is the best literal, Z = 4 sqrt(2/6 2/6), and nothing lowers it
    # further; its negation x > 2.5 goes on to x <= 4.5 with Z = 0 (I4). The last class is absent.
    problem = Problem(
        [NUMERIC], [[float(x)] for x in range(1, 7)], [0, 0, 1, 1, 2, 2], 4, [10.0] * 6
    )
    sample = counting_examples(problem)
    assert one_against_rest(Refiner(sample, BITS), literals(sample), None) == [
        [Literal(0, "<=", 2.5)],
        [Literal(0, ">", 2.5), Literal(0, "<=", 4.5)],
        [Literal(0, "<=", 4.5)],
    ]
    # At 100 bits a literal (60 H(1/3) = 55.1) the two-class committees are shrunk to nothing.
    assert one_against_rest(Refiner(sample, 100.0), literals(sample), None) == []


def test_votes_and_decisions_start_from_their_partitions():
    sample = conjunction([1.0] * 4)
    refiner = Refiner(sample, BITS)
    catalogue = literals(sample)
    # By votes x0 = 1 is a block of its own: x1 splits it. By decisions all is 0, one block; x0 = 0
    # is taken, so x0 = 1 is the first of the literals with Z = 1, and x1 = 1 makes all pure.
    best = [[X0_IS_0]]
    assert regrown("votes", refiner, catalogue, best, None) == [[X1_IS_0]]
    assert regrown("decisions", refiner, catalogue, best, None) == [[X0_IS_1, X1_IS_1]]
    assert regrown("decisions", refiner, catalogue, best, 1)[0] == [X0_IS_1]
    # Where all is right both partitions are pure.
    best = [[X0_IS_1, X1_IS_1]]
    assert regrown("votes", refiner, catalogue, best, None) == []
    assert regrown("decisions", refiner, catalogue, best, None) == []


def test_the_residual_gives_ten_times_the_weight_to_errors(monkeypatch):
    # The empty committee decides 0, which has 6 of 10, and is wrong on the last example.
    grown_on = []

    def recorded(sample: Sample, _: list[Literal], **options) -> list[Monomial]:
        grown_on.append(([float(w) for w in sample.weights], options))
        return []

    monkeypatch.setattr(refining, "grow", recorded)
    sample = conjunction([1.0, 2.0, 3.0, 4.0])
    assert regrown("residual", Refiner(sample, BITS), literals(sample), [], 2) == []
    options: dict[str, Any] = {"initial": None, "existing": [], "max_literals": 2}
    options["admissible"] = always
    assert grown_on == [([1.0, 2.0, 3.0, 40.0], options)]


def test_the_first_of_equal_monomials_is_kept():
    monomials = [[X0_IS_1, X1_IS_1], [X0_IS_0], [X1_IS_1, X0_IS_1], [X0_IS_0], [X1_IS_0]]
    assert distinct(monomials) == [[X0_IS_1, X1_IS_1], [X0_IS_0], [X1_IS_0]]


@pytest.mark.parametrize(
    ("n_classes", "helping", "expected"),
    [
        (2, [], "vdr"),
        (3, [], "ovdr"),
        (2, [1], "vdrvd"),
        (3, [0], "ovdr"),
        (3, [3, 5], "ovdrvdrvd"),
        (2, range(99), "vdr" * 10),
        (3, range(99), "o" + "vdr" * 9 + "vd"),
    ],
)
def test_restarts_come_in_turn_until_none_helps(monkeypatch, n_classes, helping, expected):
    # Stand-ins: proposal k is one literal of attribute k; J falls by 1 with each that helps.
    labels: list[int | None] = [j % n_classes for j in range(6)]
    sample = counting_examples(Problem([BINARY], [[0]] * 6, labels, n_classes, [1.0] * 6))
    asked: list[str] = []

    def propose(kind: str) -> list[Monomial]:
        asked.append(kind[0])
        return [[Literal(len(asked) - 1, "=", 0)]]

    def value(_refiner: Refiner, monomials: list[Monomial]) -> float:
        return 100.0 - sum(monomial[0].attribute in helping for monomial in monomials)

    monkeypatch.setattr(refining, "regrown", lambda kind, *_: propose(kind))
    monkeypatch.setattr(refining, "one_against_rest", lambda *_: propose("one against rest"))
    monkeypatch.setattr(Refiner, "shrink", lambda _, monomials: list(monomials))
    monkeypatch.setattr(Refiner, "polish", lambda _, __, monomials, ___: list(monomials))
    monkeypatch.setattr(Refiner, "objective", value)
    best = refine(sample, [], [], BITS)
    assert "".join(asked) == expected
    assert [monomial[0].attribute for monomial in best] == [
        k for k in range(len(asked)) if k in helping
    ]


def test_the_first_grown_committee_is_proposed_again_with_one_against_rest(monkeypatch):
    pools = []

    def recorded(_: Refiner, pool: list[Monomial]) -> list[Monomial]:
        pools.append(pool)
        return [[X1_IS_0]]

    monkeypatch.setattr(Refiner, "shrink", recorded)
    monkeypatch.setattr(Refiner, "polish", lambda _, __, monomials, ___: list(monomials))
    monkeypatch.setattr(refining, "one_against_rest", lambda *_: [[X1_IS_1], [X0_IS_0]])
    monkeypatch.setattr(refining, "regrown", lambda *_: [])
    problem = Problem([BINARY, BINARY], [[0, 0], [0, 1], [1, 0]], [0, 1, 2], 3, [1.0] * 3)
    refine(counting_examples(problem), [], [[X0_IS_0], [X1_IS_0]], BITS)
    # Restarts that propose nothing are not tried.
    assert pools == [[[X0_IS_0], [X1_IS_0]], [[X1_IS_0], [X0_IS_0], [X1_IS_1]]]


# Refine -------------------------------------------------------------------------------------------


def test_three_classes_along_one_attribute_are_separated():
    # Votes of the two ends and the default vector between them: two literals, 6 bits. One literal
    # leaves two classes together.
    problem = Problem(
        [NUMERIC], [[float(x)] for x in range(1, 7)], [0, 0, 1, 1, 2, 2], 3, [10.0] * 6
    )
    committee = induce(problem, pruning="refined")
    assert committee.error == 0
    assert sum(len(rule.monomial) for rule in committee.rules) == 2
    assert [committee.predict([x]) for x in (0.0, 2.0, 3.5, 5.0, 9.0)] == [0, 0, 1, 2, 2]


def test_few_examples_do_not_pay_for_a_literal():
    rows = [[0, 0], [0, 1], [1, 0], [1, 1]]
    problem = Problem([BINARY, BINARY], rows, [0, 0, 0, 1], 2, [1.0] * 4)
    # 4 H(1/4) = 3.25 bits against 6; at 1.5 bits a literal 3.
    assert induce(problem, pruning="refined").rules == []
    assert len(induce(problem, pruning="refined", penalty=1.5).rules) == 1


# Laws ---------------------------------------------------------------------------------------------


def plain_shrink(sample: Sample, monomials: list[Monomial], penalty: float) -> list[Monomial]:
    """Shrink by the definitions: every candidate committee is made and weighed from scratch."""
    kept = prune_pessimistic(sample, rules_of(sample, monomials))
    sequence = [[rule.monomial for rule in kept]]
    while sequence[-1]:
        current = sequence[-1]
        candidates = []
        for i, monomial in enumerate(current):
            candidates.append(current[:i] + current[i + 1 :])
            for k in range(len(monomial) if len(monomial) > 1 else 0):
                shorter = monomial[:k] + monomial[k + 1 :]
                if all(set(shorter) != set(other) for other in current):
                    candidates.append([*current[:i], shorter, *current[i + 1 :]])
        values = [weighed(sample, candidate, penalty) for candidate in candidates]
        sequence.append(candidates[least_ones(values)[0]])
    values = [weighed(sample, committee, penalty) for committee in sequence]
    return sequence[least_ones(values)[-1]]


@pytest.mark.parametrize("seed", range(30))
def test_the_quick_ways_equal_the_definitions(seed):
    rng = random.Random(seed)
    sample = counting_examples(random_problem(rng, max_rows=25, max_classes=4))
    catalogue = literals(sample)
    monomials = grow(sample, catalogue)[:6]
    refiner = Refiner(sample, BITS)
    pessimistic = prune_pessimistic(sample, rules_of(sample, monomials))
    assert refiner.pessimistic(monomials) == [rule.monomial for rule in pessimistic]
    assert refiner.shrink(monomials) == plain_shrink(sample, monomials, BITS)
    if not monomials:
        return
    rules = rules_of(sample, monomials)
    default = default_vector(sample, rules)
    everyone = [True] * len(sample.rows)
    moves = refiner.moves(catalogue, monomials, rng.randrange(len(monomials) + 1))
    some = rng.sample(moves, min(10, len(moves)))
    for move, score in zip(some, refiner.scores(monomials, some), strict=True):
        after = rules_of(sample, changed(monomials, move))
        assert refiner.objective(changed(monomials, move)) == objective(sample, after, BITS)
        wrong = error_on(sample, after, default, everyone) * sample.total
        n_literals = sum(len(rule.monomial) for rule in after)
        n_present = sum(refiner.present)
        assert score == bits(wrong, sample.total, n_present, n_literals, BITS)


@pytest.mark.parametrize("seed", range(30))
def test_the_objective_never_rises_from_stage_to_stage(seed):
    rng = random.Random(seed)
    sample = counting_examples(random_problem(rng, max_rows=40, max_classes=4))
    penalty = rng.choice([0.5, 3.0, 5.0])
    longest = rng.choice([None, None, 1, 2])
    catalogue = literals(sample)
    grown = grow(sample, catalogue, max_literals=longest)
    shrunk = shrink(sample, grown, penalty)
    polished = polish(sample, catalogue, shrunk, penalty, longest)
    refined = refine(sample, catalogue, grown, penalty, longest)
    pessimistic = prune_pessimistic(sample, rules_of(sample, grown))
    stages = [
        min(objective(sample, pessimistic, penalty), weighed(sample, [], penalty)),
        *[weighed(sample, monomials, penalty) for monomials in (shrunk, polished, refined)],
    ]
    for earlier, later in pairwise(stages):
        assert later <= earlier + 1e-9 * (1 + earlier)
    for monomials in (shrunk, polished, refined):
        assert distinct(monomials) == monomials
        assert all(len(set(monomial)) == len(monomial) for monomial in monomials)
        assert longest is None or all(len(monomial) <= longest for monomial in monomials)
    # Polishing what was polished finds nothing.
    assert polish(sample, catalogue, polished, penalty, longest) == polished


@pytest.mark.parametrize("seed", range(10))
def test_weight_k_is_k_copies_and_the_order_of_rows_does_not_matter(seed):
    rng = random.Random(seed)
    drawn = random_problem(rng, max_rows=25, max_classes=4)
    whole = [float(rng.randint(0, 3)) for _ in drawn.rows]
    whole[next(i for i, label in enumerate(drawn.labels) if label is not None)] = 2.0
    copies = [i for i, weight in enumerate(whole) for _ in range(int(weight))]
    rng.shuffle(copies)
    weighted = Problem(drawn.attributes, drawn.rows, drawn.labels, drawn.n_classes, whole)
    copied = Problem(
        drawn.attributes,
        [drawn.rows[i] for i in copies],
        [drawn.labels[i] for i in copies],
        drawn.n_classes,
        [1.0] * len(copies),
    )
    assert induce(weighted, pruning="refined") == induce(copied, pruning="refined")


def test_restarts_find_what_removal_and_local_search_miss():
    better = 0
    for seed in range(30):
        sample = counting_examples(random_problem(random.Random(seed), max_rows=40, max_classes=4))
        catalogue = literals(sample)
        grown = grow(sample, catalogue)
        polished = polish(sample, catalogue, shrink(sample, grown, BITS), BITS)
        refined = refine(sample, catalogue, grown, BITS)
        better += weighed(sample, refined) < weighed(sample, polished) - 1e-6
    assert better >= 3
