"""Learning from label sets: the data set, cut points, default vector, pruning, the committee."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

from tests.label_set_cases import DAYS, LABELS, days, random_sets, relation
from widc_arff import Options, induce
from widc_arff.data.dataset import Dataset
from widc_arff.data.schema import Labels
from widc_arff.errors import DataError, OptionError, WidcError, WidcWarning
from widc_arff.evaluation.label_set_measures import measure_label_sets
from widc_arff.induction.constraints.limits import Limits
from widc_arff.induction.losses.ranking_loss import RankedExamples
from widc_arff.induction.paper.pruning import prune_by_ranking_loss
from widc_arff.induction.sample.cut_points import ValueCounts, candidate_cuts
from widc_arff.induction.sample.learning_sample import LearningSample
from widc_arff.induction.vectors.label_sets import ranking_loss_bound
from widc_arff.model.decision import label_probabilities, tie_scores
from widc_arff.options import LabelSetOptions

SEEDS = range(6)


def plain_loss(votes, Y, weights, default, prior):
    """Return the mean share of pairs in the wrong order, pair by pair."""
    scores = votes + tie_scores(default, prior) / 2
    total = 0.0
    for row, held, weight in zip(scores, Y, weights, strict=True):
        pairs = [(j, k) for j in np.flatnonzero(held) for k in np.flatnonzero(~held)]
        total += weight * np.mean([row[j] <= row[k] for j, k in pairs])
    return total / weights.sum()


def plain_default(votes, Y, weights, prior):
    total = np.zeros(Y.shape[1])
    for row, held, weight in zip(votes, Y, weights, strict=True):
        if any(row[j] == row[k] for j in np.flatnonzero(held) for k in np.flatnonzero(~held)):
            total += weight * held / held.sum()
    return total / total.sum() if total.any() else prior


def random_committee(seed: int, n_rules: int = 5):
    """Return which rules hold, label matrix, weights and vectors; each row has some labels."""
    rng = np.random.default_rng(seed)
    Y = rng.random((30, 4)) < 0.5
    Y = Y[(Y.sum(axis=1) > 0) & (Y.sum(axis=1) < 4)]
    satisfied = rng.random((len(Y), n_rules)) < 0.4
    weights = rng.integers(1, 4, len(Y)).astype(float)
    return satisfied, Y, weights, rng.integers(-1, 2, (n_rules, 4))


# --- data sets -----------------------------------------------------------------------------------


def test_the_labels_of_a_data_set_stand_in_the_order_of_the_header():
    dataset = Dataset.from_relation(relation(), labels=["read", "sail", "run"])
    assert dataset.schema.labels == Labels("multi", LABELS, LABELS)
    assert [attribute.name for attribute in dataset.schema.attributes] == ["sky", "wind"]
    assert dataset.Y[[0, 4]].tolist() == [[True, True, False], [True, False, True]]


def test_a_row_without_a_label_is_labelled_and_one_with_a_missing_label_is_not():
    assert days().labelled.tolist() == [True] * 8 + [False]
    assert not days().Y[7:].any()
    assert days().take(np.array([8, 0])).labelled.tolist() == [False, True]


def test_a_class_that_is_missing_makes_a_row_unlabelled():
    dataset = Dataset.from_relation(relation(), "sail")
    assert dataset.labelled.tolist() == [True] * 8 + [False]
    assert dataset.complete is None


def test_a_label_cannot_be_ignored():
    with pytest.raises(DataError, match="ignore: expected other attributes than the labels, got"):
        Dataset.from_relation(relation(), ignore=["run"], labels=LABELS)


def test_new_data_are_matched_by_name_whatever_the_order_of_the_values():
    other = relation(
        "@relation new\n@attribute read {1,0}\n@attribute wind numeric\n@attribute sail numeric\n"
        "@attribute sky {rain,sun}\n@attribute run {yes,no}\n@data\n1,4,0,sun,yes\n0,4,?,sun,no\n"
    )
    dataset = Dataset.for_schema(other, days().schema)
    assert dataset.Y.tolist() == [[False, True, True], [False, False, False]]
    assert dataset.labelled.tolist() == [True, False]
    assert dataset.columns[0].tolist() == [0, 0]
    assert dataset.has_labels


def test_new_data_without_all_label_columns_are_not_labelled():
    other = relation(
        "@relation new\n@attribute sky {sun,rain}\n@attribute wind numeric\n"
        "@attribute run {0,1}\n@data\nsun,3,1\n"
    )
    dataset = Dataset.for_schema(other, days().schema)
    assert not dataset.has_labels
    assert dataset.labelled.tolist() == [False]
    assert dataset.Y.shape == (1, 3)


def test_the_learning_sample_keeps_rows_without_a_label():
    sample = LearningSample.of(days())
    assert sample.label_sets
    assert len(sample.weights) == 8
    assert sample.class_weights.tolist() == [3, 4, 3]


def test_there_must_be_a_row_with_a_label():
    with pytest.raises(DataError, match="expected at least one row with a label to learn from"):
        LearningSample.of(days().take(np.array([7, 8])))
    with pytest.raises(DataError, match="one row with all of its labels known"):
        LearningSample.of(days().take(np.array([8])))


# --- cut points ----------------------------------------------------------------------------------


def cuts_of_equal_labels(n_labels: int) -> list[float]:
    held = np.array([1, 1, 1, 0, 1, 1, 0, 0, 1, 0, 0, 0], float)
    values = np.arange(1.0, 13.0)
    Y = np.repeat(held[:, None], n_labels, axis=1)
    counts = ValueCounts(values, values, np.ones(12), Y, label_sets=True)
    return [float(cut) for cut in candidate_cuts(counts, "mdl")]


def test_entropy_is_summed_over_labels():
    # The cut at 6.5 leaves 5 of 6 and 1 of 6: it gains 12 (1 - H(1/6)) = 4.200 bits a label and
    # costs log2(11) = 3.459 once and log2(7) - (2 - 4 H(1/6)) = 3.407 a label.  Four labels gain
    # 16.80 for 17.09, five 21.00 for 20.50.
    assert cuts_of_equal_labels(4) == []
    assert cuts_of_equal_labels(5) == [6.5]


# --- decisions -----------------------------------------------------------------------------------


def test_the_probability_is_a_half_at_the_threshold():
    shares = label_probabilities(np.array([[2.0, 2.0 + np.log(3), 2.0 - np.log(3), 900, -900]]), 2)
    assert shares[0] == pytest.approx([0.5, 0.75, 0.25, 1, 0])


# --- ranking loss --------------------------------------------------------------------------------


def test_the_default_vector_is_the_mean_of_normalised_label_sets_and_orders_equal_votes():
    Y = np.array([[1, 1, 0], [0, 0, 1]], bool)
    examples = RankedExamples(np.zeros((2, 0), bool), Y, np.array([1.0, 3.0]))
    assert examples.prior.tolist() == [0.2, 0.2, 0.6]
    votes = np.zeros((2, 3), int)
    default = examples.default_vector(votes)
    assert default.tolist() == [0.125, 0.125, 0.75]
    assert examples.loss(votes, default) == 0.25  # both pairs of the first row, weight 1 of 4


def test_a_row_whose_labels_tie_among_themselves_is_not_ambiguous():
    Y = np.array([[1, 1, 0], [0, 0, 1]], bool)
    examples = RankedExamples(np.array([[True], [False]]), Y, np.ones(2))
    votes = examples.satisfied.astype(int) @ np.array([[1, 1, 0]])
    assert examples.default_vector(votes).tolist() == [0, 0, 1]


def test_equal_scores_count_as_wrong():
    examples = RankedExamples(np.zeros((2, 0), bool), np.eye(2, dtype=bool), np.ones(2))
    votes = np.zeros((2, 2), int)
    assert examples.loss(votes, examples.default_vector(votes)) == 1


def test_rows_with_no_label_or_all_labels_have_no_ranking_loss():
    Y = np.array([[0, 0], [1, 1], [1, 0]], bool)
    examples = RankedExamples(np.zeros((3, 0), bool), Y, np.array([5.0, 7.0, 1.0]))
    votes = np.zeros((len(examples.satisfied), 2), int)
    assert examples.default_vector(votes).tolist() == [1, 0]
    assert examples.loss(votes, np.array([1.0, 0.0])) == 0
    nothing = RankedExamples(np.zeros((2, 0), bool), Y[:2], np.ones(2))
    assert nothing.loss(np.zeros((0, 2), int), nothing.prior) == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_default_vector_and_ranking_loss_are_those_of_plain_loops(seed):
    satisfied, Y, weights, vectors = random_committee(seed)
    examples = RankedExamples(satisfied, Y, weights)
    grouped = examples.satisfied.astype(int) @ vectors
    votes = satisfied.astype(int) @ vectors
    default = examples.default_vector(grouped)
    assert default == pytest.approx(plain_default(votes, Y, weights, examples.prior))
    loss = examples.loss(grouped, default)
    assert loss == pytest.approx(plain_loss(votes, Y, weights, default, examples.prior))


@pytest.mark.parametrize("seed", SEEDS)
def test_pruning_returns_the_smallest_committee_of_least_loss_in_the_sequence(seed):
    satisfied, Y, weights, vectors = random_committee(seed)
    sizes = [1, 3, 2, 3, 1]
    examples = RankedExamples(satisfied, Y, weights)

    def loss(kept):
        votes = satisfied[:, kept].astype(int) @ vectors[kept]
        default = plain_default(votes, Y, weights, examples.prior)
        return plain_loss(votes, Y, weights, default, examples.prior)

    alive = [0, 1, 2, 3, 4]
    sequence = [(loss(alive), alive)]
    while alive:
        losses = {k: loss([i for i in alive if i != k]) for k in alive}
        least = min(losses.values())
        removed = max((k for k in alive if losses[k] <= least + 1e-9), key=lambda k: (sizes[k], k))
        alive = [k for k in alive if k != removed]
        sequence.append((losses[removed], alive))
    least = min(value for value, _ in sequence)
    expected = next(kept for value, kept in reversed(sequence) if value <= least + 1e-9)
    assert prune_by_ranking_loss(examples, vectors, sizes, Limits()) == expected
    small = prune_by_ranking_loss(examples, vectors, sizes, Limits(max_rules=1))
    assert len(small) <= 1


@pytest.mark.parametrize("seed", SEEDS)
def test_pruning_leaves_the_rules_that_are_given(seed):
    satisfied, Y, weights, vectors = random_committee(seed)
    examples = RankedExamples(satisfied, Y, weights)

    def loss(kept):
        votes = satisfied[:, kept].astype(int) @ vectors[kept]
        return plain_loss(
            votes, Y, weights, plain_default(votes, Y, weights, examples.prior), examples.prior
        )

    kept = prune_by_ranking_loss(examples, vectors, [2, 1, 1], Limits())
    assert loss([0, 1, *(k + 2 for k in kept)]) <= min(loss([0, 1]), loss(range(5))) + 1e-9


# --- committees ----------------------------------------------------------------------------------


def test_a_row_with_a_missing_label_is_left_out_with_a_warning():
    with pytest.warns(WidcWarning, match="1 row with missing labels left out of training"):
        committee = induce(days())
    assert committee.training.examples == 8
    assert committee.training.weights == (3, 4, 3)


def test_the_committee_ranks_what_the_attributes_tell():
    # Sky tells running from reading, and wind sailing: nothing of the ranking is left open.
    dataset = days().take(np.arange(8))
    committee = induce(dataset, LabelSetOptions(aim="ranking"))
    assert committee.training.error == 0
    measures = measure_label_sets(
        committee.ranking_scores(dataset), committee.predict_sets(dataset), dataset.Y
    )
    assert measures.ranking_loss == 0


def test_covers_tell_the_weight_of_each_label_and_of_all_examples():
    dataset = days().take(np.arange(8))
    committee = induce(dataset, Options(pruning="none"))
    for k, rule in enumerate(committee.rules):
        fires = committee.fires(dataset)[:, k]
        assert rule.covers == tuple(dataset.Y[fires].sum(axis=0).tolist())
        assert rule.covered == fires.sum()


@pytest.mark.parametrize("seed", SEEDS)
def test_training_error_is_the_ranking_loss_that_evaluation_and_report_tell(seed):
    dataset = random_sets(seed)
    committee = induce(dataset)
    measures = measure_label_sets(
        committee.ranking_scores(dataset),
        committee.predict_sets(dataset),
        dataset.Y,
        dataset.weights,
    )
    assert committee.training.error == pytest.approx(measures.ranking_loss)


def test_exact_vectors_have_no_larger_z_than_approximate_ones_and_sometimes_a_smaller_one():
    better = 0
    for seed in SEEDS:
        dataset = random_sets(seed)
        exact, approximate = (
            induce(dataset, LabelSetOptions(pruning="none", vectors=vectors))
            for vectors in ("exact", "approximate")
        )
        fires = exact.fires(dataset)
        for k, (first, second) in enumerate(zip(exact.rules, approximate.rules, strict=True)):
            assert first.monomial == second.monomial
            Y, weights = dataset.Y[fires[:, k]], dataset.weights[fires[:, k]]
            z, other = (
                ranking_loss_bound(Y, weights, np.array(rule.votes)) for rule in (first, second)
            )
            assert z <= other + 1e-9
            better += z < other - 1e-6
    assert better > 0


def test_with_one_label_a_row_the_search_of_the_paper_needs_no_minimum_cut(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    dataset = random_sets(1)
    one = replace(dataset, Y=dataset.Y & (dataset.Y.cumsum(axis=1) == 1))
    options = LabelSetOptions("none")
    assert induce(one, options).rules
    with pytest.raises(WidcError, match="exact vectors of label sets need scipy"):
        induce(dataset, options)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_the_rows_changes_nothing(seed):
    dataset = random_sets(seed)
    order = np.random.default_rng(seed).permutation(dataset.n_samples)
    assert induce(dataset.take(order)) == induce(dataset)


def test_weights_act_as_copies():
    dataset = random_sets(2)
    copies = dataset.take(np.repeat(np.arange(dataset.n_samples), dataset.weights.astype(int)))
    weighted = induce(dataset)
    copied = induce(replace(copies, weights=np.ones(copies.n_samples)))
    assert (weighted.rules, weighted.default, weighted.threshold) == (
        copied.rules,
        copied.default,
        copied.threshold,
    )


def test_a_label_that_no_row_has_gets_the_lowest_vote():
    dataset = random_sets(3)
    Y = dataset.Y.copy()
    Y[:, 1] = False
    committee = induce(replace(dataset, Y=Y), Options(pruning="none"))
    assert committee.rules
    for rule in committee.rules:
        assert rule.votes[1] == min(rule.votes)
    assert committee.default[1] == 0


def test_equal_label_sets_give_a_committee_without_rules():
    dataset = days().take(np.array([0, 1]))
    with pytest.warns(WidcWarning, match="have the labels 'sail', 'run': the committee has no"):
        committee = induce(dataset)
    assert committee.rules == ()
    assert committee.predict_sets(dataset).tolist() == dataset.Y.tolist()


def test_label_sets_have_refined_pruning_by_default():
    dataset = random_sets(4)
    committee = induce(dataset)
    assert committee.training.options == {
        "pruning": "refined",
        "penalty": 3.0,
        "cut_points": "mdl+",
        "aim": "sets",
    }
    assert committee == induce(dataset, LabelSetOptions())
    assert committee == induce(dataset, LabelSetOptions(vectors="approximate"))
    cheap = induce(dataset, Options(penalty=0.1))
    assert committee.n_literals < cheap.n_literals


def test_pessimistic_pruning_returns_part_of_the_large_committee():
    dataset = random_sets(4)
    pruned, large = (induce(dataset, Options(pruning=p)) for p in ("pessimistic", "none"))
    assert 0 < len(pruned.rules) < len(large.rules)
    assert {r.monomial for r in pruned.rules} <= {r.monomial for r in large.rules}


def test_optimistic_pruning_is_not_for_label_sets():
    with pytest.raises(OptionError, match="expected one of pessimistic, none, refined for label s"):
        induce(random_sets(4), Options(pruning="optimistic"))


def test_the_limits_of_a_committee_hold():
    committee = induce(random_sets(5), Options(max_rules=2, max_size=3))
    assert len(committee.rules) <= 2
    assert committee.n_literals <= 3


def test_options_of_label_sets_are_checked():
    with pytest.raises(
        OptionError, match="vectors: expected one of exact, approximate, got 'exat'; did"
    ):
        LabelSetOptions(vectors="exat")
    with pytest.raises(OptionError, match="max_rules: expected a whole number from 0, got -1"):
        LabelSetOptions(max_rules=-1)


def test_one_class_an_example_has_neither_threshold_nor_vectors():
    committee = induce(Dataset.from_relation(relation(DAYS), "sky"))
    assert committee.threshold is None
    assert "vectors" not in committee.training.options
    assert all(rule.weight is None for rule in committee.rules)
    with pytest.raises(DataError, match="expected a committee for label sets"):
        committee.predict_sets(Dataset.from_relation(relation(DAYS), "sky"))
