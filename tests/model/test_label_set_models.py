"""Committees for label sets: model files, predictions, explanations, evaluation."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from tests.label_set_cases import DAYS, LABELS, MULTILABEL, days, random_sets, relation
from widc_arff import DecisionCommittee, Options, induce
from widc_arff.arff import read_arff
from widc_arff.data.dataset import Dataset
from widc_arff.data.label_sets import mulan_labels
from widc_arff.errors import DataError, ModelError, OptionError
from widc_arff.evaluation.cross_validation import Folding, cross_validate, evaluate_rows
from widc_arff.evaluation.distinct_rows import distinct_rows
from widc_arff.evaluation.label_set_measures import measure_label_sets
from widc_arff.evaluation.weka_folds import JavaRandom
from widc_arff.options import LabelSetOptions
from widc_arff.reports.kinds import kind_of
from widc_arff.reports.text import committee_text


def model():
    return json.loads(induce(random_sets(0)).to_json())


def faulty(change) -> str:
    """Return the message about a model file that was changed."""
    data = model()
    change(data)
    with pytest.raises(ModelError) as caught:
        DecisionCommittee.from_json(json.dumps(data))
    return str(caught.value)


def test_a_model_file_gives_the_committee_back():
    for seed in range(3):
        committee = induce(random_sets(seed))
        assert DecisionCommittee.from_json(committee.to_json()) == committee


def test_a_model_file_names_labels_threshold_and_weights():
    data = model()
    labels = ["l0", "l1", "l2", "l3"]
    assert data["version"] == 3
    assert data["labels"] == {"kind": "multi", "attributes": labels, "values": labels}
    assert isinstance(data["threshold"], float)
    assert list(data["rules"][0]) == ["if", "votes", "covers", "weight", "decides"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data.pop("threshold"), "expected the key 'threshold', got no such key"),
        (lambda data: data.update(threshold="high"), 'expected a number, got "high" in \'thresh'),
        (lambda data: data["rules"][0].pop("weight"), "the key 'weight', got no such key in 'rul"),
        (
            lambda data: data["probabilities"].pop("slopes"),
            "expected the key 'slopes', got no such",
        ),
        (lambda data: data["probabilities"]["slopes"].pop(), "4 components, got 3 in 'probabiliti"),
        (
            lambda data: data["probabilities"]["slopes"].__setitem__(0, -1),
            "expected a number from 0",
        ),
        (
            lambda data: data["probabilities"].update(factor=0.5),
            "one of the keys slopes, intercept",
        ),
        (lambda data: data["training"].update(hamming=2), "to 1, got 2 in 'training.hamming'"),
        (lambda data: data["rules"][0].update(weight=-1), "in 'rules[0].weight'"),
        (
            lambda data: data["labels"].update(cells={"attribute": "l"}),
            "expected the key 'separator', got no such key in 'labels.cells'",
        ),
        (
            lambda data: data["labels"].update(cells={"attribute": "l", "separator": ""}),
            "expected one letter or more, got none in 'labels.cells.separator'",
        ),
        (lambda data: data["labels"]["values"].reverse(), "the label attributes again, got"),
        (lambda data: data["labels"]["values"].pop(), "the label attributes again, got"),
        (lambda data: data["labels"].update(kind="single"), "1 components, got 4 in 'labels.attr"),
        (lambda data: data["attributes"][0].update(name="l2"), "a name other than those of the"),
    ],
)
def test_a_faulty_model_file_is_refused_with_the_place(change, message):
    assert message in faulty(change)


def test_a_model_of_one_class_an_example_has_no_threshold():
    data = json.loads(induce(Dataset.from_relation(relation(DAYS), "sky")).to_json())
    data["threshold"] = 1.5
    with pytest.raises(ModelError, match="got 'threshold'"):
        DecisionCommittee.from_json(json.dumps(data))


@pytest.mark.parametrize("seed", range(3))
def test_predicted_labels_are_those_of_probability_one_half_or_more(seed):
    dataset = random_sets(seed)
    committee = induce(dataset)
    chances = committee.predict_proba(dataset)
    assert ((chances >= 0) & (chances <= 1)).all()
    assert ((chances >= 0.5) == committee.predict_sets(dataset)).all()
    order = np.argsort(committee.ranking_scores(dataset), axis=1)
    assert (np.diff(np.take_along_axis(chances, order, axis=1), axis=1) >= 0).all()


@pytest.mark.parametrize("seed", range(4))
def test_without_a_rule_an_example_has_the_labels_of_the_others(seed):
    dataset = random_sets(seed)
    committee = induce(dataset, Options("none"))
    changed = 0
    for row in range(dataset.n_samples):
        explanation = committee.explain(dataset, row)
        found = committee.without_rules(explanation)
        actual = np.flatnonzero(dataset.Y[row]).tolist()
        text = "\n".join(kind_of(committee).explained(row + 1, explanation, actual, None))
        assert ("In the data: the same." in text) == (tuple(actual) == explanation.decided)
        for k in explanation.fired:
            rest = replace(committee, rules=committee.rules[:k] + committee.rules[k + 1 :])
            found_rest = rest.predict_sets(dataset.take(np.array([row])))[0]
            other = tuple(np.flatnonzero(found_rest).tolist())
            assert found.get(k, explanation.decided) == other
            assert (f"Without rule {k + 1}: " in text) == (other != explanation.decided)
        changed += len(found)
    assert changed


def test_an_explanation_tells_rules_ranking_and_labels():
    dataset = days().take(np.arange(8))
    committee = induce(dataset)
    explanation = committee.explain(dataset, 0)
    assert explanation.fired == tuple(np.flatnonzero(committee.fires(dataset)[0]))
    assert explanation.votes == tuple(committee.votes(dataset)[0])
    assert explanation.decided == tuple(np.flatnonzero(committee.predict_sets(dataset)[0]).tolist())
    scores = committee.ranking_scores(dataset)[0]
    assert list(explanation.ranking) == sorted(range(3), key=lambda j: -scores[j])
    assert explanation.ranking[2] == LABELS.index("read")
    assert explanation.probabilities == tuple(committee.predict_proba(dataset)[0])
    with pytest.raises(IndexError):
        committee.explain(dataset, 8)


def test_a_printed_committee_of_many_labels_stays_in_eighty_columns():
    committee = induce(random_sets(1, n_labels=50), Options("none"))
    text = committee_text(committee, most=5)
    assert max(map(len, text.splitlines())) <= 80
    assert f"Decision committee for 50 labels: {len(committee.rules)} rule" in text
    assert " more\n" in text
    assert len(text.splitlines()) < 15 * (len(committee.rules) + 1)
    everything = committee_text(committee, most=50)
    assert " more\n" not in everything
    explanation = committee.explain(random_sets(1, n_labels=50), 3)
    lines = list(kind_of(committee, 5).explained(4, explanation, None, None))
    assert lines[0].startswith("Row 4: ")
    assert max(map(len, lines)) <= 80


def test_the_printed_rule_lists_the_labels_for_and_against():
    committee = induce(days().take(np.arange(8)))
    text = committee_text(committee)
    for rule in committee.rules:
        for vote, sign in ((1, "+"), (-1, "-")):
            names = {name for name, v in zip(LABELS, rule.votes, strict=True) if v == vote}
            lines = [line for line in text.splitlines() if line.startswith(f"        {sign}: ")]
            assert not names or any(
                set(re.sub(r" \d+ % \(\d+ %\)", "", line[11:]).split(", ")) == names
                for line in lines
            )


# --- evaluation ----------------------------------------------------------------------------------


def test_folds_are_blocks_of_the_shuffled_rows():
    order = list(range(11))
    random = JavaRandom(5)
    for last in range(10, 0, -1):
        other = random.next_int(last + 1)
        order[last], order[other] = order[other], order[last]
    dataset = random_sets(0, n_samples=11)
    evaluation = cross_validate(dataset, Options(), Folding(3, 5))
    assert [p.rows.tolist() for p in evaluation.predictions] == [order[:4], order[4:8], order[8:]]


@pytest.mark.parametrize("aim", ["sets", "ranking"])
def test_cross_validation_tests_each_row_on_a_committee_of_the_others(aim):
    dataset = random_sets(1)
    options = LabelSetOptions(aim=aim)
    evaluation = cross_validate(dataset, options, Folding(4), source="sets")
    assert (evaluation.source, evaluation.examples, evaluation.unlabelled) == ("sets", 60, 0)
    assert evaluation.method == "4-fold cross-validation, seed 1, refined pruning"
    scores, predicted, chances = np.empty((60, 4)), np.empty((60, 4), bool), np.empty((60, 4))
    sizes, losses = [], []
    for prediction in evaluation.predictions:
        train = np.setdiff1d(np.arange(60), prediction.rows)
        committee = induce(dataset.take(train), options)
        test = dataset.take(prediction.rows)
        scores[prediction.rows] = committee.ranking_scores(test)
        predicted[prediction.rows] = committee.predict_sets(test)
        chances[prediction.rows] = committee.predict_proba(test)
        sizes.append(committee.n_literals)
        measures = measure_label_sets(
            committee.ranking_scores(test), committee.predict_sets(test), test.Y, test.weights
        )
        # the error is what was aimed at
        losses.append(measures.hamming_loss if aim == "sets" else measures.ranking_loss)
    measures = measure_label_sets(scores, predicted, dataset.Y, dataset.weights, chances)
    assert evaluation.measures.to_dict() == pytest.approx(measures.to_dict())
    assert evaluation.literals == np.mean(sizes)
    assert evaluation.errors_per_fold == pytest.approx(losses)
    assert evaluation.spread == pytest.approx(np.std(losses, ddof=1))


def test_processes_give_the_same_folds():
    dataset = random_sets(2)
    one, two = (cross_validate(dataset, Options(), Folding(3, 1, 2), jobs=jobs) for jobs in (1, 2))
    assert one.measures == two.measures
    assert one.errors_per_fold == two.errors_per_fold
    assert len(one.predictions) == 6
    assert one.examples == 60


def test_rows_with_missing_labels_are_not_tested_but_counted():
    dataset = days()
    committee = induce(dataset.take(np.arange(8)))
    evaluation = evaluate_rows(committee, distinct_rows(committee, [dataset]), Options(), "days")
    assert (evaluation.examples, evaluation.unlabelled) == (8, 1)
    rows = dataset.take(np.arange(8))
    alone = evaluate_rows(committee, distinct_rows(committee, [rows]), Options(), "days")
    assert evaluation.measures == alone.measures
    assert alone.method == "separate test set, refined pruning"


def test_something_must_be_there_to_test_on():
    committee = induce(days().take(np.arange(8)))
    unknown = days().take(np.array([8]))
    with pytest.raises(DataError, match="days: expected rows with all of their labels known, got"):
        evaluate_rows(committee, distinct_rows(committee, [unknown]), Options(), "days")
    with pytest.raises(DataError, match="expected at least one row to evaluate on, got none"):
        cross_validate(days().take(np.arange(0)), Options(), Folding())
    with pytest.raises(OptionError, match="for label sets"):
        cross_validate(days(), Options(pruning="optimistic"), Folding())


@pytest.mark.needs("shared")
def test_emotions_are_ranked_better_than_by_their_frequencies():
    names = mulan_labels(MULTILABEL / "emotions.xml")
    dataset = Dataset.from_relation(read_arff(MULTILABEL / "emotions.arff"), labels=names)
    assert dataset.Y.sum() == 1108  # 593 rows of 1.868 labels
    options = LabelSetOptions(aim="ranking", sets="cardinality")
    exact = cross_validate(dataset, options, Folding(5))
    empty = cross_validate(dataset, replace(options, max_rules=0), Folding(5))
    assert empty.literals == 0
    assert exact.measures.ranking_loss < 0.6 * empty.measures.ranking_loss
    assert exact.measures.micro_f1 > empty.measures.micro_f1
    assert exact.measures.predicted_cardinality == pytest.approx(1.868, abs=0.2)
