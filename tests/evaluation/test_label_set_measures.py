from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from widc_arff.errors import DataError
from widc_arff.evaluation.label_set_measures import LabelSetMeasures, measure_label_sets

NAMES = tuple(LabelSetMeasures.__dataclass_fields__)

# Three labels.  Row 1: the true labels have the scores 3 and 1, the other one 2.  Row 2: the true
# label and one more share the highest score.  Row 3 has no label, row 4 has all.
SCORES = np.array([[3.0, 2.0, 1.0], [2.0, 2.0, 0.0], [1.0, 2.0, 3.0], [1.0, 1.0, 0.0]])
TRUTH = np.array([[1, 0, 1], [0, 1, 0], [0, 0, 0], [1, 1, 1]], bool)
GUESS = np.array([[1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], bool)


def random_case(seed: int, n_samples: int = 120, n_labels: int = 6):
    """Return scores with many ties, predicted and true sets, and weights of halves.

    Some rows have no label and some have all.
    """
    generator = np.random.default_rng(seed)
    truth = generator.random((n_samples, n_labels)) < 0.4
    truth[:5], truth[5:10] = False, True
    scores = generator.integers(-3, 4, size=truth.shape) + 2.0 * truth
    weights = generator.integers(1, 8, size=n_samples) / 2
    return scores, scores >= 1, truth, weights


def by_scikit_learn(scores, guess, truth, weights):
    given = {"sample_weight": weights}
    return {
        "ranking_loss": metrics.label_ranking_loss(truth, scores, **given),
        "coverage": metrics.coverage_error(truth, scores, **given),
        "average_precision": metrics.label_ranking_average_precision_score(truth, scores, **given),
        "hamming_loss": metrics.hamming_loss(truth, guess, **given),
        "subset_accuracy": metrics.accuracy_score(truth, guess, **given),
        "micro_f1": metrics.f1_score(truth, guess, average="micro", zero_division=0, **given),
        "macro_f1": metrics.f1_score(truth, guess, average="macro", zero_division=0, **given),
    }


def one_error_of_mulan(scores, truth, weights):
    """Return MULAN's one-error, in its loops: whether the label on rank 1 is wrong."""
    total = 0.0
    for row, weight in enumerate(weights):
        top = max(range(scores.shape[1]), key=lambda label: scores[row][label])
        if not truth[row][top]:
            total += weight
    return total / sum(weights)


@st.composite
def cases(draw):
    n_samples, n_labels = draw(st.integers(1, 6)), draw(st.integers(2, 5))

    def table(values):
        rows = st.lists(values, min_size=n_labels, max_size=n_labels)
        return np.array(draw(st.lists(rows, min_size=n_samples, max_size=n_samples)))

    weights = draw(st.lists(st.integers(1, 3), min_size=n_samples, max_size=n_samples))
    return table(st.integers(-2, 2)), table(st.booleans()), table(st.booleans()), np.array(weights)


def assert_same(measures: LabelSetMeasures, others: LabelSetMeasures) -> None:
    assert measures.to_dict() == pytest.approx(others.to_dict(), abs=1e-12)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        # One of two pairs is in the wrong order; all three labels are gone through; precision is
        # 1/1 for the first true label and 2/3 for the second.
        (0, {"ranking_loss": 1 / 2, "one_error": 0, "coverage": 3, "average_precision": 5 / 6}),
        # The pair of equal scores is wrong in full, and one of the two at the top is wrong.
        (1, {"ranking_loss": 1 / 2, "one_error": 1 / 2, "coverage": 2, "average_precision": 1 / 2}),
        (2, {"ranking_loss": 0, "one_error": 1, "coverage": 0, "average_precision": 1}),
        (3, {"ranking_loss": 0, "one_error": 0, "coverage": 3, "average_precision": 1}),
    ],
)
def test_rankings_measured_by_hand(row, expected):
    part = slice(row, row + 1)
    measures = measure_label_sets(SCORES[part], GUESS[part], TRUTH[part]).to_dict()
    assert {name: measures[name] for name in expected} == pytest.approx(expected)


def test_sets_measured_by_hand():
    measures = measure_label_sets(SCORES, GUESS, TRUTH)
    # Three of twelve cells are wrong, in the rows 1 and 3; 6 labels are true and 7 predicted.
    assert measures.hamming_loss == 3 / 12
    assert measures.subset_accuracy == 2 / 4
    assert (measures.true_cardinality, measures.predicted_cardinality) == (6 / 4, 7 / 4)
    # True positives 2, 2, 1; true 2, 2, 2; predicted 2, 3, 2.
    assert measures.micro_f1 == pytest.approx(10 / 13)
    assert measures.macro_f1 == pytest.approx((4 / 4 + 4 / 5 + 2 / 4) / 3)


@pytest.mark.parametrize("seed", range(8))
def test_measures_are_those_of_scikit_learn(seed):
    case = random_case(seed, n_labels=2 + seed)
    measures = measure_label_sets(*case).to_dict()
    expected = by_scikit_learn(*case)
    assert {name: measures[name] for name in expected} == pytest.approx(expected, abs=1e-12)


@given(cases())
def test_measures_are_those_of_scikit_learn_on_small_cases(case):
    measures = measure_label_sets(*case).to_dict()
    expected = by_scikit_learn(*case)
    assert {name: measures[name] for name in expected} == pytest.approx(expected, abs=1e-12)


def test_one_error_is_that_of_mulan_where_scores_differ():
    _, guess, truth, weights = random_case(3)
    scores = np.random.default_rng(3).permuted(np.tile(np.arange(6.0), (len(truth), 1)), axis=1)
    found = measure_label_sets(scores, guess, truth, weights).one_error
    assert found == pytest.approx(one_error_of_mulan(scores, truth, weights))


def test_one_error_of_equal_scores_is_the_mean_over_all_ways_to_break_the_tie():
    scores, guess, truth, weights = random_case(4)
    generator = np.random.default_rng(4)
    broken = [
        one_error_of_mulan(scores + 0.1 * generator.random(scores.shape), truth, weights)
        for _ in range(300)
    ]
    found = measure_label_sets(scores, guess, truth, weights).one_error
    assert found == pytest.approx(np.mean(broken), abs=5 * np.std(broken) / math.sqrt(300))


def test_a_label_that_is_never_true_nor_predicted_has_f1_zero():
    truth = np.array([[True, False], [True, False]])
    measures = measure_label_sets([[1, 0], [1, 0]], truth, truth)
    assert (measures.micro_f1, measures.macro_f1) == (1.0, 0.5)


@given(cases())
def test_weight_k_is_k_copies(case):
    copies = np.repeat(np.arange(len(case[0])), case[3])
    assert_same(measure_label_sets(*case), measure_label_sets(*(part[copies] for part in case[:3])))


def test_rows_of_weight_zero_are_left_out():
    scores, guess, truth, weights = random_case(5)
    weights[::2] = 0
    odd = slice(1, None, 2)
    assert_same(
        measure_label_sets(scores, guess, truth, weights),
        measure_label_sets(scores[odd], guess[odd], truth[odd], weights[odd]),
    )


def test_the_order_of_rows_and_of_labels_does_not_matter():
    scores, guess, truth, weights = random_case(6)
    generator = np.random.default_rng(6)
    rows, labels = generator.permutation(len(scores)), generator.permutation(6)
    moved = [table[rows][:, labels] for table in (scores, guess, truth)] + [weights[rows]]
    assert_same(measure_label_sets(scores, guess, truth, weights), measure_label_sets(*moved))


def test_perfect_predictions_have_the_best_values():
    _, _, truth, _ = random_case(7)
    weights = np.random.default_rng(7).random(len(truth))
    some = truth.any(axis=1)
    measures = measure_label_sets(truth[some] * 1.0, truth[some], truth[some], weights[some])
    assert (measures.ranking_loss, measures.one_error, measures.hamming_loss) == (0, 0, 0)
    assert measures.average_precision == measures.subset_accuracy == measures.micro_f1 == 1
    assert measures.coverage == measures.true_cardinality == measures.predicted_cardinality


def test_without_any_example_all_is_undefined_and_none_in_json():
    nothing = np.zeros((0, 3))
    measures = measure_label_sets(nothing, nothing, nothing)
    assert all(math.isnan(getattr(measures, name)) for name in NAMES)
    assert json.loads(json.dumps(measures.to_dict())) == dict.fromkeys(NAMES)
    assert math.isnan(measure_label_sets(SCORES, GUESS, TRUTH, np.zeros(4)).macro_f1)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"scores": [1.0, 2.0]}, r"expected scores of the shape \(rows, labels\), got \(2,\)"),
        ({"scores": [[0.0, math.nan]]}, "expected finite scores, got nan in row 1, label 2"),
        ({"predicted": [[True]]}, r"predicted label sets of the shape .*\(1, 2\), got \(1, 1\)"),
        ({"actual": [[0, 2]]}, "expected True and False, or 1 and 0, in the true label sets"),
        ({"weights": [1.0, 1.0]}, r"expected one weight for each of 1 rows, got \(2,\)"),
        ({"weights": [-1.0]}, r"expected a weight in \[0, inf\), got -1.0 in row 1"),
    ],
)
def test_faults_say_what_was_expected_and_found(changed, message):
    case = {"scores": [[0.0, 1.0]], "predicted": [[0, 1]], "actual": [[0, 1]]}
    with pytest.raises(DataError, match=message):
        measure_label_sets(**(case | changed))
