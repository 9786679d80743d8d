"""The scikit-learn estimator on label sets: indicator matrices in and out."""

# ruff: noqa: PD011 - `values` are the labels of our attributes
from __future__ import annotations

import io

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.metrics import label_ranking_loss
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.estimator_checks import estimator_checks_generator

from widc_arff import Dataset, LabelSetOptions, WIDCClassifier, WidcWarning, induce, read_data
from widc_arff.estimator.input import EstimatorError


def examples(n_rows: int = 120) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return weather and what one does in it, some labels flipped."""
    rng = np.random.default_rng(7)
    X = pd.DataFrame(
        {
            "sky": pd.Categorical(rng.choice(["sun", "rain"], n_rows), ["sun", "rain"]),
            "wind": rng.integers(0, 10, n_rows).astype(float),
        }
    )
    sun, windy = (X["sky"] == "sun").to_numpy(), (X["wind"] > 4).to_numpy()
    Y = np.column_stack([sun & windy, sun, ~sun]) ^ (rng.random((n_rows, 3)) < 0.05)
    return X, pd.DataFrame(Y.astype(np.int64), columns=["sail", "run", "read"])


def test_the_committee_is_the_one_that_the_command_line_learns(tmp_path, run):
    X, Y = examples()
    path, names = tmp_path / "days.parquet", list(Y.columns)
    X.join(Y).to_parquet(path)
    classifier = WIDCClassifier(pruning="none").fit(X, Y)
    dataset = Dataset.from_relation(read_data(path), labels=names)
    expected = induce(dataset, LabelSetOptions("none"))
    committee = classifier.committee_
    assert committee.rules == expected.rules
    assert (committee.default, committee.threshold) == (expected.default, expected.threshold)
    assert (classifier.predict(X) == expected.predict_sets(dataset)).all()
    assert (classifier.predict_proba(X) == expected.predict_proba(dataset)).all()
    model = tmp_path / "m.json"
    model.write_text(classifier.to_json())
    _, out, _ = run("predict", str(model), str(path))
    printed = pd.read_csv(io.StringIO(out))
    columns = [f"predicted:{name}" for name in names]
    assert (printed[columns].to_numpy() == classifier.predict(X)).all()


def test_predictions_probabilities_and_decision_values_agree():
    X, Y = examples()
    for pruning in ("none", "pessimistic"):
        classifier = WIDCClassifier(pruning=pruning).fit(X, Y)
        predicted = classifier.predict(X)
        assert 0 < predicted.sum() < predicted.size
        for values, from_ in (
            (classifier.predict_proba(X), 0.5),
            (classifier.decision_function(X), 0),
        ):
            assert values.shape == (120, 3)
            assert ((values >= from_) == predicted).all()
    assert label_ranking_loss(Y, classifier.decision_function(X)) < 0.1


@pytest.mark.parametrize(
    ("convert", "dtype"),
    [
        (lambda Y: Y, np.int64),
        (lambda Y: Y.to_numpy(np.int8), np.int8),
        (lambda Y: Y.astype(bool), np.bool_),
        (lambda Y: Y.to_numpy(float), np.float64),
        (lambda Y: Y.to_numpy().tolist(), np.int64),
        (lambda Y: csr_array(Y.to_numpy()), np.int64),
        (lambda Y: pl.DataFrame(Y.to_dict("list")), np.int64),
        (lambda Y: Y.astype("Int64"), np.float64),  # so scikit-learn reads it
    ],
)
def test_an_indicator_matrix_may_be_of_any_kind_and_keeps_its_type(convert, dtype):
    X, Y = examples()
    expected = WIDCClassifier().fit(X, Y).predict(X)
    classifier = WIDCClassifier().fit(X, convert(Y))
    predicted = classifier.predict(X)
    assert predicted.dtype == dtype
    assert (predicted == expected).all()
    assert [pair.tolist() for pair in classifier.classes_] == [[0, 1]] * 3


def test_labels_have_the_names_of_the_columns_or_numbers():
    X, Y = examples()

    def names(Y) -> tuple[str, ...]:
        return WIDCClassifier().fit(X, Y).committee_.schema.labels.values

    assert names(Y) == names(pl.DataFrame(Y.to_dict("list"))) == ("sail", "run", "read")
    assert names(Y.to_numpy()) == ("y0", "y1", "y2")
    assert names(Y.set_axis(["sky", "sky_", "run"], axis=1)) == ("sky_", "sky__", "run")


def test_whole_weights_are_copies_and_zero_leaves_out():
    X, Y = examples()
    weights = np.arange(120) % 3
    weighted = WIDCClassifier().fit(X, Y, sample_weight=weights).committee_
    rows = np.arange(120).repeat(weights)
    copied = WIDCClassifier().fit(X.iloc[rows], Y.iloc[rows]).committee_
    assert weighted.rules == copied.rules
    assert (weighted.default, weighted.threshold) == (copied.default, copied.threshold)
    assert weighted.rules != WIDCClassifier().fit(X, Y).committee_.rules


def test_vectors_and_pruning_reach_the_options_of_label_sets():
    X, Y = examples()
    for vectors in ("exact", "approximate"):
        classifier = WIDCClassifier(pruning="pessimistic", vectors=vectors).fit(X, Y)
        options = classifier.committee_.training.options
        assert (options["vectors"], options["pruning"]) == (vectors, "pessimistic")
    searched = WIDCClassifier(vectors="approximate").fit(X, Y).committee_  # votes are searched for
    assert searched == WIDCClassifier().fit(X, Y).committee_
    assert "vectors" not in searched.training.options
    limited = WIDCClassifier(max_rules=1).fit(X, Y)
    assert len(limited.rules_) == 1
    single = WIDCClassifier(vectors="approximate").fit(X, Y["run"])
    assert single.committee_ == WIDCClassifier().fit(X, Y["run"]).committee_


@pytest.mark.parametrize(
    ("parameters", "change", "message"),
    [
        ({"class_weight": "balanced"}, lambda Y: Y, "class_weight: expected None for label sets"),
        (
            {"pruning": "optimistic"},
            lambda Y: Y,
            "pruning: expected one of pessimistic, none, refined",
        ),
        ({"impurity_penalty": 0.1}, lambda Y: Y, "impurity_penalty: expected one class per row"),
        ({}, lambda Y: Y + 1, "with 2 in row "),
        ({}, lambda Y: Y.astype(str), "with '1' in row "),
        ({}, lambda Y: Y * 0.5, "with 0.5 in row "),
        ({}, lambda Y: Y.where(Y == 0), "with nan in row "),
        ({}, lambda Y: Y.iloc[1:], "inconsistent numbers of samples"),
    ],
)
def test_what_cannot_serve_is_a_value_error_that_says_so(parameters, change, message):
    X, Y = examples()
    with pytest.raises(ValueError, match=r"expected|samples") as caught:
        WIDCClassifier(**parameters).fit(X, change(Y))
    assert message in str(caught.value)


def test_a_label_that_nobody_has_and_one_that_all_have():
    X, Y = examples()
    Y["never"], Y["always"] = 0, 1
    predicted = WIDCClassifier().fit(X, Y).predict(X)
    assert (predicted[:, 3:] == [0, 1]).all()
    with pytest.warns(WidcWarning, match="all training rows have the labels"):
        alike = WIDCClassifier().fit(X, Y[["never", "always"]])
    assert (alike.predict(X) == [0, 1]).all()


@pytest.mark.parametrize("ways", [{}, {"pruning": "pessimistic", "vectors": "approximate"}])
def test_a_model_gives_the_fitted_estimator(ways):
    X, Y = examples()
    fitted = WIDCClassifier(max_rules=2, **ways).fit(X, Y)
    read = WIDCClassifier.from_model(fitted.committee_)
    assert read.predict(X).tolist() == fitted.predict(X).tolist()
    assert read.predict(X).dtype == np.int64
    assert read.get_params() == fitted.get_params()
    assert clone(read).fit(X, Y).committee_ == fitted.committee_
    as_bool = WIDCClassifier.from_model(fitted.committee_, classes=[False, True])
    assert as_bool.predict(X).dtype == np.bool_
    for classes in (["no", "yes"], [0], [0, 1, 2]):
        with pytest.raises(EstimatorError, match="classes: expected 0 and 1"):
            WIDCClassifier.from_model(fitted.committee_, classes=classes)


def test_scorers_of_scikit_learn_understand_label_sets():
    X, Y = examples()
    classifier = WIDCClassifier(pruning="pessimistic")
    for scoring in ("f1_micro", "roc_auc", "average_precision"):
        for columns in (["sail", "run", "read"], ["sail", "read"]):  # two could be taken for one
            scores = cross_val_score(classifier, X, Y[columns], cv=3, scoring=scoring)
            assert scores.min() > 0.7
    grid = {"vectors": ["exact", "approximate"], "max_rules": [1, 3]}
    search = GridSearchCV(classifier, grid, cv=3).fit(X, Y)
    assert search.best_estimator_.predict(X).shape == (120, 3)


def test_rules_and_the_table_of_a_notebook_name_the_labels():
    X, Y = examples()
    classifier = WIDCClassifier(max_rules=2).fit(X, Y)
    assert any("read" in rule for rule in classifier.rules_)
    assert "read" in classifier._repr_html_()
    explanation = classifier.committee_.explain(classifier.to_dataset(X), 0)
    texts = classifier.explain(X[:2])
    assert len(texts) == 2
    assert texts[0].startswith("Row 1: ")
    for k in explanation.fired:
        assert classifier.rules_[k].split(":")[0] in texts[0]
    assert explanation.decided == tuple(np.flatnonzero(classifier.predict(X)[0]).tolist())


def test_the_checks_of_label_sets_are_among_those_that_are_run():
    names = [check.func.__name__ for _, check in estimator_checks_generator(WIDCClassifier())]
    assert sum("multilabel" in name for name in names) == 4
