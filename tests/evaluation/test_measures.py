from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from tests.weka.cross_validation import Answer, answers
from widc_arff.errors import DataError
from widc_arff.evaluation.measures import ClassMeasures, kappa, measure, prc_area, roc_area

PER_CLASS = tuple(ClassMeasures.__dataclass_fields__)
SCALARS = (
    "accuracy",
    "error",
    "balanced_accuracy",
    "mcc",
    "kappa",
    "log_loss",
    "brier_score",
    "calibration_error",
    "mean_absolute_error",
    "root_mean_squared_error",
)

# Six examples of two classes; one of the first class is taken for the second, two the other way.
ACTUAL = [0, 0, 0, 1, 1, 1]
PREDICTED = [0, 0, 1, 1, 0, 0]
PROBABILITIES = [[0.9, 0.1], [0.6, 0.4], [0.4, 0.6], [0.2, 0.8], [0.6, 0.4], [0.7, 0.3]]


def random_case(seed: int, n_classes: int = 4, n_samples: int = 200):
    """Return codes, decisions, probabilities with many ties, and weights of halves."""
    generator = np.random.default_rng(seed)
    actual = generator.integers(n_classes, size=n_samples)
    counts = generator.integers(1, 6, size=(n_samples, n_classes))
    counts[np.arange(n_samples), actual] += generator.integers(4, size=n_samples)
    probabilities = counts / counts.sum(axis=1, keepdims=True)
    weights = generator.integers(1, 8, size=n_samples) / 2
    return actual, probabilities.argmax(axis=1), probabilities, weights


@st.composite
def cases(draw):
    n_classes = draw(st.integers(1, 4))
    n_samples = draw(st.integers(1, 12))
    codes = st.lists(st.integers(0, n_classes - 1), min_size=n_samples, max_size=n_samples)
    grades = st.lists(st.integers(0, 3), min_size=n_classes, max_size=n_classes)
    probabilities = [
        [grade / max(1, sum(row)) for grade in row]
        for row in draw(st.lists(grades, min_size=n_samples, max_size=n_samples))
    ]
    weights = draw(st.lists(st.integers(0, 3), min_size=n_samples, max_size=n_samples))
    return (
        np.array(draw(codes)),
        np.array(draw(codes)),
        np.array(probabilities),
        np.array(weights),
    )


def flat(measures) -> list[float]:
    """Return all numbers of the measures in a row."""
    records = (*measures.per_class, measures.weighted_average)
    return [
        *measures.confusion.ravel(),
        *(getattr(measures, name) for name in SCALARS),
        *(getattr(record, name) for record in records for name in PER_CLASS),
    ]


def same(numbers: object) -> Any:
    return pytest.approx(numbers, rel=1e-12, abs=1e-12, nan_ok=True)


def test_measures_of_six_examples_are_those_found_by_hand():
    found = measure(ACTUAL, PREDICTED, PROBABILITIES)
    assert found.confusion.tolist() == [[2, 1], [2, 1]]
    assert found.accuracy == same(3 / 6)
    assert found.error == same(3 / 6)
    assert found.balanced_accuracy == same((2 / 3 + 1 / 3) / 2)
    assert found.mcc == same((2 * 1 - 1 * 2) / math.sqrt(4 * 3 * 3 * 2))
    # By chance 1/2 * 4/6 + 1/2 * 2/6 = 1/2 agree, as many as do.
    assert found.kappa == same(0.0)
    of_true_class = [0.9, 0.6, 0.4, 0.8, 0.4, 0.3]
    assert found.log_loss == same(-math.log(math.prod(of_true_class)) / 6)
    # 0.1, 0.4, 0.6, 0.2, 0.6, 0.7 for either class.
    assert found.mean_absolute_error == same(2.6 / 6)
    assert found.root_mean_squared_error == same(math.sqrt(1.42 / 6))
    # Of the 9 pairs: 0.9 beats three, 0.6 beats one and ties with one, 0.4 beats one: 5.5.
    # Precisions at the examples of the first class: 1 of 1, 2 of 4, 3 of 5.
    assert found.per_class[0] == ClassMeasures(
        precision=same(2 / 4),
        recall=same(2 / 3),
        f_measure=same(4 / 7),
        roc_area=same(5.5 / 9),
        prc_area=same((1 + 2 / 4 + 3 / 5) / 3),
    )
    # The other way round: 1 of 1, then 0.4 with a tie: 2 of 4, then 0.3: 3 of 5.
    assert found.per_class[1] == ClassMeasures(
        precision=same(1 / 2),
        recall=same(1 / 3),
        f_measure=same(2 / 5),
        roc_area=same(5.5 / 9),
        prc_area=same((1 + 2 / 4 + 3 / 5) / 3),
    )
    assert found.weighted_average.f_measure == same((4 / 7 + 2 / 5) / 2)


def test_a_class_that_is_never_predicted_has_no_precision_and_no_average():
    found = measure([0, 1], [0, 0], [[0.8, 0.2], [0.6, 0.4]])
    assert math.isnan(found.per_class[1].precision)
    assert found.per_class[1].recall == 0.0
    assert math.isnan(found.per_class[1].f_measure)
    assert math.isnan(found.weighted_average.precision)
    assert found.weighted_average.recall == 0.5


def test_a_class_without_examples_does_not_count_in_averages():
    found = measure([0, 0, 1], [0, 1, 1], [[0.8, 0.2, 0.0], [0.3, 0.7, 0.0], [0.1, 0.9, 0.0]])
    assert all(math.isnan(getattr(found.per_class[2], name)) for name in PER_CLASS)
    assert found.weighted_average.precision == same((1 * 2 + 1 / 2) / 3)


def test_a_class_always_missed_and_wrongly_predicted_has_f_measure_zero():
    found = measure([0, 1], [1, 0], [[0.2, 0.8], [0.6, 0.4]])
    assert [record.f_measure for record in found.per_class] == [0.0, 0.0]


def test_kappa_is_one_where_there_is_one_class_only():
    assert kappa(np.array([[3.0, 0.0], [0.0, 0.0]])) == 1.0
    assert measure([0, 0], [0, 0], [[1.0, 0.0], [0.9, 0.1]]).kappa == 1.0
    assert measure([0, 0], [0, 0], [[1.0, 0.0], [0.9, 0.1]]).mcc == 0.0
    assert measure([0, 0], [0, 0], [[1.0, 0.0], [0.9, 0.1]]).balanced_accuracy == 1.0


def test_a_certain_error_has_the_log_loss_of_the_least_probability():
    found = measure([1], [0], [[1.0, 0.0]])
    assert found.log_loss == same(52 * math.log(2))
    assert math.copysign(1, measure([0], [0], [[1.0, 0.0]]).log_loss) == 1.0


def test_without_examples_nothing_is_defined():
    found = measure([-1, 0], [0, 0], [[1, 0], [1, 0]], [1, 0])
    assert found.confusion.tolist() == [[0, 0], [0, 0]]
    assert all(math.isnan(number) for number in flat(found)[4:])


@given(cases())
def test_a_weight_equals_as_many_copies(case):
    actual, predicted, probabilities, weights = case
    rows = np.repeat(np.arange(len(actual)), weights)
    copies = measure(actual[rows], predicted[rows], probabilities[rows])
    assert flat(measure(*case)) == same(flat(copies))


@given(cases(), st.randoms(use_true_random=False))
def test_the_order_of_the_examples_does_not_matter(case, random):
    order = list(range(len(case[0])))
    random.shuffle(order)
    shuffled = [array[order] for array in case]
    assert flat(measure(*case)) == same(flat(measure(*shuffled)))


@given(cases())
def test_rows_without_a_class_are_left_out(case):
    actual, predicted, probabilities, weights = case
    doubled = (
        np.concatenate([actual, np.full(len(actual), -1)]),
        *(np.concatenate([array, array]) for array in (predicted, probabilities, weights)),
    )
    assert flat(measure(*doubled)) == same(flat(measure(*case)))


@given(cases())
def test_roc_area_counts_pairs(case):
    actual, _, probabilities, weights = case
    weights = weights + 1.0
    scores, positive = probabilities[:, 0], actual == 0
    won = pairs = 0.0
    for i in np.flatnonzero(positive):
        for j in np.flatnonzero(~positive):
            pairs += weights[i] * weights[j]
            won += weights[i] * weights[j] * (1 + np.sign(scores[i] - scores[j])) / 2
    assert roc_area(scores, positive, weights) == same(won / pairs if pairs else math.nan)


@given(cases())
def test_measures_stay_in_their_ranges(case):
    found = measure(*case)
    scalars = dict(zip(SCALARS, flat(found)[found.confusion.size :], strict=False))
    assert not scalars["kappa"] < -1.0 - 1e-12
    assert not abs(scalars["mcc"]) > 1.0 + 1e-12
    assert not scalars["log_loss"] > 36.05
    assert not scalars["brier_score"] > 2.0 + 1e-12
    unlimited = {"mcc", "kappa", "log_loss", "brier_score"}
    fractions = [value for name, value in scalars.items() if name not in unlimited]
    fractions += flat(found)[found.confusion.size + len(SCALARS) :]
    assert not any(value < 0.0 or value > 1.0 + 1e-12 for value in fractions)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_measures_equal_those_of_scikit_learn(seed, weighted):
    actual, predicted, probabilities, weights = random_case(seed)
    w = weights if weighted else None
    codes = list(range(probabilities.shape[1]))
    found = measure(actual, predicted, probabilities, w)

    options = {"labels": codes, "sample_weight": w}
    assert found.confusion == same(metrics.confusion_matrix(actual, predicted, **options))
    assert found.accuracy == same(metrics.accuracy_score(actual, predicted, sample_weight=w))
    assert found.error == same(metrics.zero_one_loss(actual, predicted, sample_weight=w))
    assert found.kappa == same(metrics.cohen_kappa_score(actual, predicted, **options))
    balanced = metrics.balanced_accuracy_score(actual, predicted, sample_weight=w)
    assert found.balanced_accuracy == same(balanced)
    assert found.mcc == same(metrics.matthews_corrcoef(actual, predicted, sample_weight=w))
    assert found.log_loss == same(metrics.log_loss(actual, probabilities, **options))
    truth = np.eye(probabilities.shape[1])[actual]
    squares = ((probabilities - truth) ** 2).sum(axis=1)
    assert found.brier_score == same(np.average(squares, weights=w))
    weight = np.ones(len(actual)) if w is None else w
    of_decision = probabilities[np.arange(len(actual)), predicted]
    gaps = [
        abs(weight[rows] @ (of_decision[rows] - (predicted == actual)[rows]))
        for rows in (np.minimum((of_decision * 10).astype(int), 9) == k for k in range(10))
    ]
    assert found.calibration_error == same(sum(gaps) / weight.sum())

    per_class = metrics.precision_recall_fscore_support(actual, predicted, **options)
    average = metrics.precision_recall_fscore_support(
        actual, predicted, average="weighted", **options
    )
    names = ("precision", "recall", "f_measure")
    for name, expected, expected_average in zip(names, per_class, average, strict=False):
        assert [getattr(record, name) for record in found.per_class] == same(list(expected))
        assert getattr(found.weighted_average, name) == same(expected_average)
    for code, record in enumerate(found.per_class):
        against_rest = (actual == code, probabilities[:, code])
        assert record.roc_area == same(metrics.roc_auc_score(*against_rest, sample_weight=w))
        assert record.prc_area == same(
            metrics.average_precision_score(*against_rest, sample_weight=w)
        )


def test_one_area_is_the_measure_of_its_class():
    actual, predicted, probabilities, weights = random_case(9)
    record = measure(actual, predicted, probabilities, weights).per_class[2]
    against_rest = (probabilities[:, 2], actual == 2, weights)
    assert record.roc_area == roc_area(*against_rest)
    assert record.prc_area == prc_area(*against_rest)


def test_plain_data_names_the_classes_and_has_none_for_what_is_undefined():
    found = measure([0, 1], [0, 0], [[0.75, 0.25], [0.5, 0.5]])
    plain = json.loads(json.dumps(found.to_dict(["no", "yes"]), allow_nan=False))
    assert plain["accuracy"] == 0.5
    assert plain["confusion"] == [[1.0, 0.0], [1.0, 0.0]]
    assert plain["per_class"][1] == {
        "label": "yes",
        "precision": None,
        "recall": 0.0,
        "f_measure": None,
        "roc_area": 1.0,
        "prc_area": 1.0,
    }
    assert plain["weighted_average"]["precision"] is None
    assert set(plain) == set(found.__dataclass_fields__)


def test_plain_data_need_a_label_for_each_class():
    with pytest.raises(DataError, match="expected 2 labels, got 3"):
        measure([0], [0], [[1, 0]]).to_dict(["a", "b", "c"])


def test_results_are_read_only_and_arguments_stay_as_they_are():
    arrays = [np.array(values) for values in (ACTUAL, PREDICTED, PROBABILITIES)]
    before = [array.copy() for array in arrays]
    found = measure(*arrays)
    assert not found.confusion.flags.writeable
    assert all(np.array_equal(*pair) for pair in zip(arrays, before, strict=True))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0], [0], [1, 0]), "expected a table of probabilities, got an array of 1 dimensions"),
        (([0, 1], [0], [[1, 0]]), r"expected one true class for each of 1 rows, got \(2,\)"),
        (([0.0], [0], [[1, 0]]), "expected whole numbers as codes of the true class, got float64"),
        (([2], [0], [[1, 0]]), "expected a code from -1 to 1 as true class, got 2 in row 1"),
        (([0], [-1], [[1, 0]]), "expected a code from 0 to 1 as predicted class, got -1 in row 1"),
        (([0], [0], [[2, 0]]), r"expected a probability in \[0, 1\], got 2.0 in row 1"),
        (([0], [0], [[math.nan, 0]]), r"expected a probability in \[0, 1\], got nan in row 1"),
        (([0], [0], [[1, 0]], [-1]), r"expected a weight in \[0, inf\), got -1.0 in row 1"),
        (([0], [0], [[1, 0]], [math.inf]), r"expected a weight in \[0, inf\), got inf in row 1"),
        (([0], [0], [[1, 0]], [1, 1]), r"expected one weight for each of 1 rows, got \(2,\)"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(arguments, message):
    with pytest.raises(DataError, match=message):
        measure(*arguments)


@pytest.mark.needs("weka")
def test_measures_are_those_of_weka_itself():
    for answer in answers():
        actual, predicted, probabilities, weights = _predictions(answer)
        found = measure(actual, predicted, probabilities, weights)
        printed = answer.numbers
        assert found.confusion == same(printed["confusion"]), str(answer)
        for name in printed.keys() & set(SCALARS):
            assert getattr(found, name) == same(printed[name].item()), f"{name} of {answer}"
        # Weka's areas take rows without a class for negative examples; see the next test.
        names = PER_CLASS if np.all(actual >= 0) else PER_CLASS[:3]
        for column, name in enumerate(names):
            per_class = [getattr(record, name) for record in found.per_class]
            assert per_class == same(printed["per_class"][:, column]), f"{name} of {answer}"
            average = getattr(found.weighted_average, name)
            assert average == same(printed["weighted_average"][0, column]), f"{name} of {answer}"


@pytest.mark.needs("weka")
def test_areas_of_weka_take_rows_without_a_class_for_negative_examples():
    different = 0
    for answer in answers():
        actual, predicted, probabilities, weights = _predictions(answer)
        if np.all(actual >= 0):
            continue
        found = measure(actual, predicted, probabilities, weights)
        for code, record in enumerate(found.per_class):
            with_all_rows = (probabilities[:, code], actual == code, weights)
            *_, printed_roc, printed_prc = answer.numbers["per_class"][code]
            assert roc_area(*with_all_rows) == same(printed_roc), str(answer)
            assert prc_area(*with_all_rows) == same(printed_prc), str(answer)
            different += record.roc_area != same(printed_roc)
    assert different


def _predictions(answer: Answer) -> tuple[np.ndarray, ...]:
    """Return the arguments of `measure` for the predictions of Weka's classifier."""
    numbers = answer.numbers
    return (
        np.nan_to_num(numbers["actual"][:, 0], nan=-1).astype(np.int64),
        numbers["predicted"][:, 0].astype(np.int64),
        numbers["probabilities"],
        numbers["weight"][:, 0],
    )
