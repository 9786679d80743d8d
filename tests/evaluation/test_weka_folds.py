from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weka.cross_validation import answers
from widc_arff.errors import DataError
from widc_arff.evaluation.weka_folds import JavaRandom, weka_folds

# (seed, bound): what six calls of java.util.Random.nextInt(bound) return in Java 17.  The bound
# 2**30 + 1 rejects almost half of the draws.
JAVA_DRAWS = {
    (1, 1): (0, 0, 0, 0, 0, 0),
    (0, 2): (1, 1, 0, 1, 1, 0),
    (42, 2): (1, 0, 1, 0, 0, 1),
    (0, 10): (0, 8, 9, 7, 5, 3),
    (1, 10): (5, 8, 7, 3, 4, 4),
    (42, 10): (0, 3, 8, 4, 0, 5),
    (-5, 10): (1, 1, 3, 8, 2, 5),
    (1, 16): (11, 1, 6, 6, 3, 0),
    (-5, 16): (4, 5, 5, 5, 6, 11),
    (1, 2**30): (784774492, 107882294, 440320923, 437485156, 223032127, 38907452),
    (1, 2**30 + 1): (215764588, 880641847, 874970313, 446064254, 77814904, 714504434),
    (-5, 2**30 + 1): (578319411, 780466721, 717457953, 737996328, 817965352, 617011057),
    (1, 2**31 - 1): (1569548985, 215764588, 880641847, 874970313, 446064254, 77814904),
    (-(2**63), 10): (0, 8, 9, 7, 5, 3),
    (2**63 - 1, 10): (3, 5, 9, 9, 4, 8),
    (2**63 - 1, 2**30 + 1): (577549913, 943952225, 26349579, 894294477, 857465478, 121412731),
}

# Three classes and four rows without one.
CLASSES = np.array([0, 1, 0, 2, -1, 1, 0, 0, 2, 1, -1, 0, 1, 1, 0, 2, -1, 0, 1, 0])

# (folds, seed): the test rows on which Weka 3.9.7 evaluates a classifier trained on CLASSES.
WEKA_FOLDS = {
    (2, 1): [[2, 6, 19, 14, 13, 9, 18, 4, 10, 15], [17, 11, 7, 0, 12, 1, 5, 16, 3, 8]],
    (3, 2): [[6, 14, 2, 5, 9, 3, 10], [19, 0, 11, 12, 1, 8, 16], [17, 7, 13, 18, 15, 4]],
    (3, -5): [[0, 17, 6, 15, 13, 12, 16], [19, 14, 11, 3, 5, 9, 4], [7, 2, 8, 1, 18, 10]],
    (10, 42): [
        [15, 6],
        [8, 7],
        [3, 14],
        [13, 17],
        [5, 19],
        [18, 11],
        [1, 0],
        [12, 4],
        [9, 16],
        [2, 10],
    ],
    (20, 1): [
        [row] for row in (2, 17, 6, 11, 19, 7, 14, 0, 13, 12, 9, 1, 18, 5, 4, 16, 10, 3, 15, 8)
    ],
}

class_codes = st.lists(st.integers(-1, 4), min_size=2, max_size=60)
seeds = st.integers(-(2**63), 2**63 - 1)


@pytest.mark.parametrize(("seed", "bound"), JAVA_DRAWS)
def test_draws_are_those_of_java(seed, bound):
    random = JavaRandom(seed)
    assert tuple(random.next_int(bound) for _ in range(6)) == JAVA_DRAWS[seed, bound]


def test_only_the_low_48_bits_of_a_seed_matter():
    assert JavaRandom(7).next_int(1000) == JavaRandom(7 + (1 << 48)).next_int(1000)


@pytest.mark.parametrize("bound", [0, -1, 2**31])
def test_a_bound_outside_of_java_is_refused(bound):
    with pytest.raises(ValueError, match=f"expected a bound from 1 to 2147483647, got {bound}"):
        JavaRandom(1).next_int(bound)


@pytest.mark.parametrize(("n_folds", "seed"), WEKA_FOLDS)
def test_folds_are_the_recorded_ones_of_weka(n_folds, seed):
    folds = weka_folds(CLASSES, n_folds, seed)
    assert [fold.tolist() for fold in folds] == WEKA_FOLDS[n_folds, seed]


@given(class_codes, st.data(), seeds)
def test_folds_equal_those_of_plain_loops(codes, data, seed):
    n_folds = data.draw(st.integers(2, len(codes)))
    folds = weka_folds(np.array(codes), n_folds, seed)
    assert [fold.tolist() for fold in folds] == folds_by_plain_loops(codes, n_folds, seed)


@given(class_codes, st.data(), seeds)
def test_every_row_is_tested_once_and_each_class_is_dealt_out_evenly(codes, data, seed):
    n_folds = data.draw(st.integers(2, len(codes)))
    classes = np.array(codes)
    folds = weka_folds(classes, n_folds, seed)
    assert sorted(np.concatenate(folds)) == list(range(len(codes)))
    sizes = [len(fold) for fold in folds]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] - sizes[-1] <= 1
    for code in set(codes):
        counts = [np.count_nonzero(classes[fold] == code) for fold in folds]
        assert max(counts) - min(counts) <= 1


def test_the_classes_are_not_modified():
    classes = CLASSES.copy()
    weka_folds(classes, 3, 1)
    assert np.array_equal(classes, CLASSES)


@pytest.mark.parametrize("n_folds", [1, 0, -3])
def test_fewer_than_two_folds_are_refused(n_folds):
    with pytest.raises(DataError, match=f"expected at least 2 folds, got {n_folds}"):
        weka_folds(CLASSES, n_folds, 1)


def test_more_folds_than_rows_are_refused():
    with pytest.raises(DataError, match="as many folds as rows, got 21 folds for 20 rows"):
        weka_folds(CLASSES, 21, 1)


@pytest.mark.needs("weka")
def test_folds_are_those_of_weka_itself():
    for answer in answers():
        folds = weka_folds(answer.sample.classes, answer.n_folds, answer.seed)
        assert tuple(tuple(fold.tolist()) for fold in folds) == answer.folds, str(answer)


def folds_by_plain_loops(codes: list[int], n_folds: int, seed: int) -> list[list[int]]:
    """Shuffle, group by comparing all pairs, deal out, cut: what Weka does, step by step."""
    random = JavaRandom(seed)
    rows = list(range(len(codes)))
    for last in reversed(range(1, len(rows))):
        other = random.next_int(last + 1)
        rows[last], rows[other] = rows[other], rows[last]
    first = 0
    while first < len(rows):
        end = first + 1
        for place in range(end, len(rows)):
            if codes[rows[place]] == codes[rows[first]]:
                rows[end], rows[place] = rows[place], rows[end]
                end += 1
        first = end
    dealt = [row for start in range(n_folds) for row in rows[start::n_folds]]
    folds = []
    for fold in range(n_folds):
        size = len(rows) // n_folds + (fold < len(rows) % n_folds)
        folds.append(dealt[:size])
        dealt = dealt[size:]
    return folds
