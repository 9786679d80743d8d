"""The plain reference against values worked out by hand."""

import itertools
import math
import random
from collections.abc import Hashable, Sequence
from fractions import Fraction

import pytest

from .committee import (
    Literal,
    Problem,
    Rule,
    best_ordered_vector,
    best_vector,
    counting_examples,
    cut_points,
    decide,
    default_vector,
    grow,
    induce,
    literals,
    most_satisfied_literals,
    n_boolean_variables,
    partition_z,
    probabilities,
    prune_optimistic,
    prune_pessimistic,
    random_label_sets,
    random_problem,
    satisfies,
    training_error,
    vector_z,
)
from .problem import exact_weights, label_sets_of
from .pruning import pessimistic_sequence

BINARY = ("nominal", ["0", "1"])
COLOUR = ("nominal", ["red", "green", "blue"])
NUMERIC = ("numeric",)
E = math.e

# The conjunction of two variables: class 1 iff x0 = 1 and x1 = 1.
AND = Problem(
    attributes=[BINARY, BINARY],
    rows=[[0, 0], [0, 1], [1, 0], [1, 1]],
    labels=[0, 0, 0, 1],
    n_classes=2,
    weights=[1.0] * 4,
)
X0_IS_0, X0_IS_1 = Literal(0, "=", 0), Literal(0, "=", 1)
X1_IS_0, X1_IS_1 = Literal(1, "=", 0), Literal(1, "=", 1)


def numeric_problem(
    values: list[float | None], labels: list[int | None], weights: list[float] | None = None
) -> Problem:
    return Problem(
        [NUMERIC], [[value] for value in values], labels, 2, weights or [1.0] * len(values)
    )


def cuts(
    values: Sequence[float | None],
    labels: Sequence[int],
    method: str,
    weights: list[float] | None = None,
) -> list[float]:
    return cut_points(values, label_sets_of(labels), weights or [1.0] * len(values), 2, method)


# Weights ------------------------------------------------------------------------------------------


def test_whole_weights_stay_and_others_are_scaled_to_the_number_of_rows():
    assert exact_weights([3.0, 1.0]) == [3, 1]
    assert exact_weights([0.5, 0.5, 0.5]) == [1, 1, 1]
    # Sum 4 over 3 rows: each weight times 3/4.
    assert exact_weights([1, 2.5, 0.5]) == [Fraction(3, 4), Fraction(15, 8), Fraction(3, 8)]


def test_rows_without_class_or_weight_are_left_out_before_scaling():
    problem = numeric_problem([1.0, 2.0, 3.0, 4.0], [0, None, 1, 1], [0.5, 7.0, 1.5, 0.0])
    sample = counting_examples(problem)
    assert sample.kept == [0, 2]
    assert sample.weights == [Fraction(1, 2), Fraction(3, 2)]
    assert sample.counts == [1, 3]


# Z (eq. 1) ----------------------------------------------------------------------------------------


def test_z_of_a_pure_partition_is_zero():
    assert partition_z(counting_examples(AND), [0, 0, 0, 1]) == 0


def test_z_of_one_block_and_of_a_split():
    sample = counting_examples(AND)
    # One block, 3 against 1 of 4: 2 (sqrt(3/4 1/4) + sqrt(1/4 3/4)) = sqrt(3).
    assert partition_z(sample, [0, 0, 0, 0]) == pytest.approx(math.sqrt(3))
    # The block x0 = 1 holds 1/4 and 1/4, the other is pure: 2 * 2 * 1/4 = 1.
    assert partition_z(sample, [0, 0, 1, 1]) == pytest.approx(1)


def test_z_of_label_sets_counts_each_label_against_the_rest_of_the_block():
    problem = numeric_problem([1.0, 2.0], [0, 0])
    sample = counting_examples(problem, [frozenset({0, 1}), frozenset({0})])
    # Label 0 has all the weight, label 1 half of it: 2 (0 + sqrt(1/2 1/2)) = 1.
    assert partition_z(sample, [0, 0]) == pytest.approx(1)
    assert partition_z(sample, [0, 1]) == 0


def test_refining_a_partition_never_raises_z():
    rng = random.Random(1)
    for _ in range(50):
        problem = random_problem(rng)
        sample = counting_examples(problem)
        coarse = [rng.randrange(3) for _ in sample.rows]
        fine = [(block, rng.randrange(2)) for block in coarse]
        assert partition_z(sample, fine) <= partition_z(sample, coarse) + 1e-12


# Cut points (I1) and literals (I2, I3, I5) --------------------------------------------------------


def test_up_to_ten_values_are_cut_at_all_midpoints():
    assert cuts([3.0, 1.0, 1.0, 2.0, None], [0, 0, 1, 1, 1], "mdl+") == [1.5, 2.5]
    assert cuts([3.0, 1.0, 1.0, 2.0, None], [0, 0, 1, 1, 1], "all") == [1.5, 2.5]
    assert cuts([1.0, 1.0, None], [0, 1, 1], "mdl+") == []


def test_a_midpoint_that_fails_becomes_the_lower_value():
    assert cuts([1e308, 1.7e308], [0, 1], "all") == [1e308]
    one_up = math.nextafter(1.0, 2.0)
    two_up = math.nextafter(one_up, 2.0)
    assert cuts([one_up, two_up], [0, 1], "all") == [one_up]


def test_mdl_cuts_a_clean_change_of_class():
    # N = 4, gain 1 bit. The price is (log2(3) + log2(3^2 - 2) - (2 * 1 - 0 - 0)) / 4 = 0.598.
    # The two sides are pure: their gain 0 is below log2(1) / 2 + (log2(1) - 0) / 2 = 0.
    assert cuts([1.0, 2.0, 3.0, 4.0], [0, 0, 1, 1], "mdl") == [2.5]


def test_mdl_refuses_a_cut_that_does_not_pay():
    # - + - +: the best gain is that of 1 | 3, 1 - 3/4 * 0.918 = 0.311, the price at least 0.39.
    assert cuts([1.0, 2.0, 3.0, 4.0], [0, 1, 0, 1], "mdl") == []


def test_mdl_prefers_the_lower_of_two_equal_cuts():
    # By value: 10 +; 10 -; 1 - and 11 +; 10 -; 10 +. H(21/52) = 0.973. Taking 10 + away at either
    # end leaves 21 against 21 and gains 0.973 - 42/52 = 0.165, above the price
    # (log2(51) + log2(7) - (2 * 0.973 - 2 * 1)) / 52 = 0.164. The lower cut is made; then again,
    # 10 - or 10 + at the ends of the remaining 42: 0.293 above 0.191. Of the last 32 the best cut
    # gains 0.928 - 22/32 = 0.241, below (log2(31) + log2(7) - (2 * 0.928 - 2 * 1)) / 32 = 0.247.
    values = [1.0, 2.0, 3.0, 3.0, 4.0, 5.0]
    labels = [1, 0, 0, 1, 0, 1]
    weights = [10.0, 10.0, 1.0, 11.0, 10.0, 10.0]
    assert cuts(values, labels, "mdl", weights) == [1.5, 2.5]


def test_more_than_ten_values_get_the_median_cut():
    values = [float(value) for value in range(1, 12)]
    labels = [0, 1] * 5 + [0]
    # No mdl cut. Half of 11 lies inside the value 6: 5 | 6 and 6 | 5 are equal, the upper is taken.
    assert cuts(values, labels, "mdl") == []
    assert cuts(values, labels, "mdl+") == [6.5]
    # With weight 3 on the value 11 half of 13 lies inside 7: 6 | 7 and 7 | 6, the upper again.
    assert cuts(values, labels, "mdl+", [1.0] * 10 + [3.0]) == [7.5]
    # With weight 2 half of 12 falls between 6 and 7.
    assert cuts(values, labels, "mdl+", [1.0] * 10 + [2.0]) == [6.5]
    # With weight 4 on the value 1 half of 14 lies between 4 and 5; with 30 inside 1: 30 | 10.
    assert cuts(values, labels, "mdl+", [4.0] + [1.0] * 10) == [4.5]
    assert cuts(values, labels, "mdl+", [30.0] + [1.0] * 10) == [1.5]
    # With weight 30 on the value 11 the half lies inside the last run: its lower boundary.
    assert cuts(values, labels, "mdl+", [1.0] * 10 + [30.0]) == [10.5]


def test_quantile_cuts_stand_where_the_share_is_first_reached():
    values, labels = [1.0, 2.0, 3.0, 4.0], [0, 0, 1, 1]
    assert cuts(values, labels, "quantile:2") == [2.5]
    # k/8 of 4: 0.5, 1 | 1.5, 2 | 2.5, 3 | 3.5 is reached only after the last value and dropped.
    assert cuts(values, labels, "quantile:8") == [1.5, 2.5, 3.5]
    assert cuts([1.0, 2.0], [0, 1], "quantile:2", [3.0, 1.0]) == [1.5]


def test_width_cuts_divide_the_range():
    assert cuts([0.0, 1.0, 10.0], [0, 0, 1], "width:5") == [2.0, 4.0, 6.0, 8.0]


def test_the_catalogue_is_in_the_order_of_attribute_operator_value():
    problem = Problem(
        [NUMERIC, COLOUR, BINARY],
        [[2.0, 0, 1], [1.0, 2, 1], [3.0, 0, None]],
        [0, 1, 0],
        2,
        [1.0] * 3,
    )
    # Green holds for no example and "not green" for all; x2 is 1 wherever it is known (I3).
    assert literals(counting_examples(problem), "all") == [
        (0, "<=", 1.5),
        (0, "<=", 2.5),
        (0, ">", 1.5),
        (0, ">", 2.5),
        (1, "=", 0),
        (1, "=", 2),
        (1, "!=", 0),
        (1, "!=", 2),
    ]


def test_a_missing_value_satisfies_neither_a_literal_nor_its_negation():
    for op in ("=", "!=", "<=", ">"):
        assert not satisfies([None], [Literal(0, op, 1)])
    assert satisfies([None], [])


# Growing ------------------------------------------------------------------------------------------


def test_the_conjunction_is_found_from_the_negation_of_the_best_literal():
    # All four literals alone give Z = 1; x0 = 0 is the first. From it Z does not fall: with x1 = 0
    # or x1 = 1 the covered example is negative, the others are 2 - and 1 +, Z = 4 sqrt(1/8) = 1.41.
    # From x0 = 1, x1 = 1 makes both blocks pure, Z = 0: this chain is kept (I4), growing ends.
    sample = counting_examples(AND)
    assert grow(sample, literals(sample)) == [[X0_IS_1, X1_IS_1]]


def test_chains_of_one_literal_that_are_equal_keep_the_best_literal():
    # Limited to one literal, x0 = 0 and x0 = 1 both give Z = 1. Then x1 splits the impure block.
    sample = counting_examples(AND)
    assert grow(sample, literals(sample), max_literals=1) == [[X0_IS_0], [X1_IS_0]]
    assert grow(sample, literals(sample), max_literals=1, max_rules=1) == [[X0_IS_0]]


def test_of_two_chains_with_equal_z_the_shorter_is_kept():
    # One block, 5 + and 3 -: Z = 4 sqrt(15) / 8 = 1.94. The best literal x0 = 1 covers 2 + and 2 -,
    # Z = 4 (2 + sqrt(3)) / 8 = 1.87; with x2 = 1 it covers 1 + and 2 -, 4 (sqrt(2) + 2) / 8 = 1.71;
    # with x1 = 1 one negative, 4 sqrt(10) / 8 = 1.58. The negation x0 = 0 covers 1 + and 1 -,
    # 4 (1 + sqrt(8)) / 8 = 1.91; with x1 = 0 another single negative, 1.58, in two literals (I4).
    first: list[list[int | None]] = [[None, None, 1], [1, 1, 1], [None, 0, 0], [0, 0, 0]]
    second: list[list[int | None]] = [[1, 0, 1], [0, None, None], [1, 0, 1], [1, 1, 0]]
    problem = Problem([BINARY] * 3, [*first, *second], [1, 0, 1, 0, 0, 1, 1, 1], 2, [1.0] * 8)
    sample = counting_examples(problem)
    assert grow(sample, literals(sample), max_rules=1) == [[X0_IS_0, X1_IS_0]]


def test_a_literal_that_would_complete_an_existing_monomial_is_passed_over():
    problem = Problem([BINARY], [[0], [1]], [0, 1], 2, [1.0, 1.0])
    sample = counting_examples(problem)
    assert grow(sample, literals(sample)) == [[X0_IS_0]]
    assert grow(sample, literals(sample), existing=[[X0_IS_0]]) == [[X0_IS_1]]
    assert grow(sample, literals(sample), existing=[[X0_IS_0], [X0_IS_1]]) == []


def test_growing_starts_from_a_given_partition():
    sample = counting_examples(AND)
    assert grow(sample, literals(sample), initial=[0, 0, 0, 1]) == []
    # x0 is given: only x1 = 0 or x1 = 1 still separate, within the block x0 = 1.
    assert grow(sample, literals(sample), initial=["no", "no", "yes", "yes"]) == [[X1_IS_0]]


def test_with_missing_values_the_sign_is_chosen_by_z():
    # x <= 2.5 covers all negatives (weight 3), Z = 0. x > 2.5 leaves the missing positive among the
    # negatives: Z = 4 sqrt(3/6 1/6) = 1.15; another cut on top leaves two there, 1.63.
    problem = numeric_problem(
        [1.0, 2.0, 3.0, None, 4.0], [0, 0, 1, 1, 1], [2.0, 1.0, 1.0, 1.0, 1.0]
    )
    committee = induce(problem)
    assert committee.rules == [Rule([Literal(0, "<=", 2.5)], (1, -1), [3.0, 0.0])]
    assert committee.prior == [0.5, 0.5]
    # The three examples on which the committee is silent are positive.
    assert committee.default == [0.0, 1.0]
    assert committee.error == 0
    assert committee.predict([None]) == 1


# Vectors (eq. 3) ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ratio", "vector"),
    [
        # W+ / W- against exp(3/2) = 4.48, sqrt(e) = 1.65 and their inverses 0.61, 0.22. Vectors
        # that differ by a shift are equal; I8 takes the fewest votes, then the most +1.
        (math.inf, (-1, 1)),
        (4.49, (-1, 1)),
        (4.48, (0, 1)),
        (1.65, (0, 1)),
        (1.64, (0, 0)),
        (1.0, (0, 0)),
        (0.61, (0, 0)),
        (0.60, (1, 0)),
        (0.23, (1, 0)),
        (0.22, (1, -1)),
        (0.0, (1, -1)),
    ],
)
@pytest.mark.parametrize("search", [best_vector, best_ordered_vector])
def test_two_classes_follow_the_table_of_lemma_2(search, ratio, vector):
    weights = [0.0, 1.0] if ratio == math.inf else [1.0, ratio]
    assert search(weights, [True, True]) == vector


def test_the_thresholds_of_lemma_2_are_where_two_vectors_have_the_same_z():
    for ratio, one, other in [(E**1.5, (-1, 1), (0, 1)), (E**0.5, (0, 1), (0, 0))]:
        assert vector_z([1, ratio], one) == pytest.approx(vector_z([1, ratio], other))


def test_z_of_three_classes_by_hand():
    # W = (0, 1/2, 1/2), c - 1 = 2, v = (-1, 1, 1): each of the two classes adds
    # 1/4 (exp(-1) + exp(0)).
    assert vector_z([0, 3, 3], (-1, 1, 1)) == pytest.approx((1 / E + 1) / 2)
    assert best_vector([0, 3, 3], [True] * 3) == (-1, 1, 1)
    assert best_vector([3, 0, 0], [True] * 3) == (1, -1, -1)


def test_an_absent_class_gets_the_lowest_vote_and_is_not_counted():
    # The two present classes follow Lemma 2.
    assert best_vector([0, 0, 5], [True, False, True]) == (-1, -1, 1)
    assert best_vector([0, 4, 4], [False, True, True]) == (0, 0, 0)
    assert best_vector([0, 2, 1], [False, True, True]) == (0, 1, 0)
    assert best_vector([4, 0], [True, False]) == (0, 0)


def test_classes_of_equal_weight_favour_the_one_declared_first():
    for weights in itertools.product([1, 2, 9], repeat=4):
        vector = best_vector(weights, [True] * 4)
        for j, k in itertools.combinations(range(4), 2):
            assert weights[j] != weights[k] or vector[j] >= vector[k]


def test_the_ordered_vectors_hold_an_optimum():
    rng = random.Random(2)
    for _ in range(300):
        c = rng.randint(1, 5)
        weights = [rng.choice([0, 1, 2, 3, 10, rng.uniform(0, 9)]) for _ in range(c)]
        present = [weight > 0 or rng.random() < 0.7 for weight in weights]
        if sum(weights) > 0:
            assert best_ordered_vector(weights, present) == best_vector(weights, present)


# Decisions ----------------------------------------------------------------------------------------


def test_the_decision_is_the_top_class_then_the_default_then_the_prior_then_the_order():
    assert decide([0, 1, -1], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]) == 1
    assert decide([1, 1, -1], [0.2, 0.3, 0.5], [0.4, 0.3, 0.3]) == 1
    assert decide([1, 1, -1], [0.3, 0.3, 0.4], [0.2, 0.3, 0.5]) == 1
    assert decide([-1, 1, 1], [0.4, 0.3, 0.3], [0.4, 0.3, 0.3]) == 1


def test_the_default_vector_is_the_distribution_of_the_ambiguous_examples():
    sample = counting_examples(AND)
    negative = Rule([X0_IS_0], (1, -1), [2.0, 0.0])
    positive = Rule([X0_IS_1], (-1, 1), [1.0, 1.0])
    assert default_vector(sample, [negative]) == [0.5, 0.5]
    assert default_vector(sample, [negative, positive]) == [0.75, 0.25]
    assert default_vector(sample, []) == [0.75, 0.25]


def test_each_vote_less_makes_a_class_less_probable_by_the_factor():
    # 1, a half to the power of 2 and of 3: 8, 2 and 1 of 11; 8, 1 and 1 where one is half as usual
    shares = [0.1, 0.4, 0.5]
    for usual, expected in (([1, 1, 1], [8, 2, 1]), ([0.2, 0.5, 1], [8, 1, 1])):
        found = probabilities([2, 0, -1], 0.5, usual, shares)
        assert found == pytest.approx([part / sum(expected) for part in expected])


def test_tied_classes_share_their_probability_as_they_are_told():
    # The two top classes hold 2 of 2 + 1/2, shared 3 to 2.
    expected = [1.2 / 2.5, 0.8 / 2.5, 0.5 / 2.5]
    found = probabilities([1, 1, 0], 0.5, [0.3, 0.2, 1.0], [0.6, 0.4, 0.0])
    assert found == pytest.approx(expected)


# Pruning ------------------------------------------------------------------------------------------


def test_the_conjunction_is_learned():
    # One rule; on its silence three negatives, so D = (1, 0); without it an error of 1/4.
    # Optimistic: Set = 0, n = 2, |LS_t| = 1 * 5000 / 4, so alpha = sqrt((2 ln 2 + ln 20) / 1250)
    # = 0.059, and 0 + alpha < 1: the rule stays.
    for pruning in ("none", "pessimistic", "optimistic"):
        committee = induce(AND, pruning=pruning)
        assert committee.rules == [Rule([X0_IS_1, X1_IS_1], (-1, 1), [0.0, 1.0])]
        assert committee.default == [1.0, 0.0]
        assert committee.prior == [0.75, 0.25]
        assert committee.error == 0


def test_pessimistic_pruning_removes_what_costs_no_error():
    sample = counting_examples(AND)
    needed = Rule([X0_IS_1, X1_IS_1], (-1, 1), [0.0, 1.0])
    short = Rule([X0_IS_0], (1, -1), [2.0, 0.0])
    also_short = Rule([X1_IS_0], (1, -1), [2.0, 0.0])
    longer = Rule([X0_IS_0, X1_IS_0], (1, -1), [1.0, 0.0])
    rules = [longer, short, needed, also_short]
    # Without `needed` (1, 1) is undecided and alone: D = (0, 1) still decides it well. So all
    # four removals are free: first the longest and later of the two longest, `needed`; then
    # `longer`; of the short ones the later would leave (1, 0), (1, 1) undecided, D = (1/2, 1/2),
    # error 1/4, as would the other, so the later goes.
    assert pessimistic_sequence(sample, rules) == [
        rules,
        [longer, short, also_short],
        [short, also_short],
        [short],
        [],
    ]
    assert prune_pessimistic(sample, rules) == [short, also_short]


@pytest.mark.parametrize(("wrong", "stays"), [(45.0, True), (49.0, False)])
def test_optimistic_pruning_weighs_a_rule_against_its_penalty(wrong, stays):
    # The rule decides + on `wrong` negatives and 100 - wrong positives, - without it (D = (1, 0)).
    # |LS_t| = 100 * 5000 / 200 = 2500, alpha = sqrt((2 ln 2 + ln 20) / 2500) = 0.042:
    # 0.45 + 0.042 < 0.55, but 0.49 + 0.042 >= 0.51.
    problem = Problem([BINARY], [[1], [1], [0]], [0, 1, 0], 2, [wrong, 100 - wrong, 100.0])
    sample = counting_examples(problem)
    rule = Rule([X0_IS_1], (0, 1), [wrong, 100 - wrong])
    assert prune_optimistic(sample, [rule], 2) == ([rule] if stays else [])


def test_optimistic_pruning_tests_the_last_rule_first():
    problem = Problem([BINARY, BINARY], [[0, 0], [1, 1]], [0, 1], 2, [50.0, 50.0])
    sample = counting_examples(problem)
    first = Rule([X0_IS_1], (-1, 1), [0.0, 50.0])
    same = Rule([X1_IS_1], (-1, 1), [0.0, 50.0])
    assert prune_optimistic(sample, [first, same], 2) == [first]


def test_the_most_satisfied_literals_are_found_attribute_by_attribute():
    def rule(*monomial: Literal) -> Rule:
        return Rule(list(monomial), (0, 0), [0.0, 0.0])

    rules = [
        rule(Literal(0, "<=", 3.0), Literal(1, "=", 1)),
        rule(Literal(0, ">", 1.0), Literal(1, "!=", 0)),
        rule(Literal(0, ">", 5.0), Literal(1, "=", 0)),
        rule(Literal(0, ">", 1.0), Literal(0, "<=", 5.0)),
    ]
    # x0 in (1, 3] satisfies <= 3, > 1 twice and <= 5: 4. Green satisfies = 1 and != 0: 2.
    assert most_satisfied_literals(rules, [NUMERIC, COLOUR]) == 6
    assert most_satisfied_literals([], [NUMERIC, COLOUR]) == 0


def test_a_literal_and_its_negation_are_one_boolean_variable():
    problem = Problem(
        [BINARY, COLOUR, NUMERIC],
        [[0, 0, 1.0], [1, 1, 2.0], [1, 2, 3.0]],
        [0, 1, 1],
        2,
        [1.0] * 3,
    )
    sample = counting_examples(problem)
    # 1 for the two-valued attribute, 3 for the colours, 2 cut points.
    assert n_boolean_variables(literals(sample), sample.attributes) == 6
    assert n_boolean_variables([], sample.attributes) == 2


# Random problems ----------------------------------------------------------------------------------


def test_random_problems_hold_every_kind_of_difficulty():
    rng = random.Random(3)
    seen = set()
    for _ in range(60):
        problem = random_problem(rng)
        sample = counting_examples(problem)
        seen |= {attribute[0] for attribute in problem.attributes}
        seen.add(f"{problem.n_classes} classes")
        if None in problem.labels:
            seen.add("no class")
        if 0.0 in problem.weights:
            seen.add("no weight")
        if any(None in row for row in sample.rows):
            seen.add("missing values")
        if any(weight.denominator > 1 for weight in sample.weights):
            seen.add("fractions")
        if len(set().union(*sample.label_sets)) < problem.n_classes:
            seen.add("absent class")
    assert seen == {
        *("nominal", "numeric", "no class", "no weight", "missing values", "fractions"),
        *("absent class", *[f"{c} classes" for c in range(2, 7)]),
    }


@pytest.mark.parametrize("seed", range(20))
def test_committees_obey_the_laws(seed):
    problem = random_problem(random.Random(seed), max_rows=30)
    sample = counting_examples(problem)
    full = induce(problem, pruning="none")
    for pruning in ("none", "pessimistic", "optimistic"):
        committee = induce(problem, pruning=pruning)
        assert all(rule in full.rules for rule in committee.rules)
        assert math.fsum(committee.default) == pytest.approx(1)
        assert committee.error == training_error(sample, committee.rules)
        for row in problem.rows:
            shares = committee.predict_proba(row)
            assert math.fsum(shares) == pytest.approx(1)
            assert shares.index(max(shares)) == committee.predict(row)
    assert induce(problem, pruning="pessimistic").error <= full.error + 1e-9


@pytest.mark.parametrize("seed", range(20))
def test_weight_k_is_k_copies_and_the_order_of_rows_does_not_matter(seed):
    rng = random.Random(seed)
    drawn = random_problem(rng, max_rows=25)
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
    for pruning in ("pessimistic", "optimistic"):
        assert induce(weighted, pruning=pruning) == induce(copied, pruning=pruning)


@pytest.mark.parametrize("seed", range(10))
def test_label_sets_can_be_grown(seed):
    rng = random.Random(seed)
    problem = random_problem(rng, max_rows=20)
    label_sets = random_label_sets(rng, len(problem.rows), problem.n_classes)
    sample = counting_examples(problem, label_sets)
    monomials = grow(sample, literals(sample))
    blocks: list[Hashable] = [0] * len(sample.rows)
    z = partition_z(sample, blocks)
    for monomial in monomials:
        covered = [satisfies(row, monomial) for row in sample.rows]
        blocks = list(zip(blocks, covered, strict=True))
        assert partition_z(sample, blocks) < z
        z = partition_z(sample, blocks)
