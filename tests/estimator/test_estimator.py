"""The scikit-learn estimator: its contract, its parameters, labels, weights and models."""

# ruff: noqa: PD011 - `values` are the labels of our attributes
from __future__ import annotations

import doctest
import inspect
import io
import json
import os
import pickle
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any
from unittest import SkipTest

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder
from sklearn.utils.estimator_checks import parametrize_with_checks

import widc_arff
import widc_arff.estimator.classifier
from widc_arff import Dataset, Options, WIDCClassifier, WidcWarning, induce, read_arff
from widc_arff.arff.sparse import SparseColumns
from widc_arff.errors import ModelError
from widc_arff.estimator.input import EstimatorError
from widc_arff.tables.frames import generated_names, relation_of

ROOT = Path(__file__).parents[2]
X = np.array([[0.0], [1.0], [2.0], [3.0]] * 3)
Y = np.array(["a", "a", "b", "b"] * 3)


def iris() -> tuple[np.ndarray, np.ndarray]:
    relation = read_arff(ROOT / "arff_data" / "iris.arff")
    labels = np.array(relation.attributes[-1].values)
    return np.column_stack(relation.columns[:-1]), labels[relation.columns[-1]]


@parametrize_with_checks([WIDCClassifier()])
@pytest.mark.filterwarnings("ignore::widc_arff.WidcWarning")  # of data with one class
def test_scikit_learn_finds_nothing_wrong(estimator, check):
    try:
        check(estimator)
    except SkipTest as skipped:
        if "SCIPY_ARRAY_API" not in str(skipped):  # that one has its own test, the next
            raise


def test_scikit_learn_finds_nothing_wrong_with_array_api_switched_on():
    code = (
        "import warnings; warnings.simplefilter('ignore')\n"
        "from sklearn.utils.estimator_checks import check_estimator\n"
        "from widc_arff import WIDCClassifier\n"
        "results = check_estimator(WIDCClassifier(), on_skip=None)\n"
        "others = [result for result in results if result['status'] != 'passed']\n"
        "assert len(results) > 50 and not others, others\n"
    )
    environment = {**os.environ, "SCIPY_ARRAY_API": "1"}
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, env=environment)


def test_the_example_of_the_docstring_is_true():
    assert doctest.testmod(widc_arff.estimator.classifier).failed == 0


def test_parameters_are_the_options_with_their_defaults():
    parameters = inspect.signature(WIDCClassifier).parameters
    ours = {field.name: getattr(Options(), field.name) for field in fields(Options)}
    assert {name: parameters[name].default for name in ours} == ours
    assert parameters.keys() - ours == {"unknown", "vectors", "aim", "sets", "warm_start"}
    for name in ours:  # each is documented
        assert name in str(WIDCClassifier.__doc__)


@pytest.mark.parametrize(
    ("parameters", "options"),
    [
        ({}, Options()),
        ({"pruning": "none", "max_size": np.int64(3)}, Options("none", max_size=3)),
        ({"pruning": "optimistic", "delta": np.float64(0.9)}, Options("optimistic", delta=0.9)),
        ({"pruning": "refined", "penalty": 0}, Options("refined", penalty=0.0)),
        ({"votes": "one", "vote_penalty": 2}, Options(votes="one", vote_penalty=2.0)),
        ({"vote_penalty": np.float64(0.5)}, Options(vote_penalty=0.5)),
        ({"impurity_penalty": 1}, Options(impurity_penalty=1.0)),
        ({"max_rules": 2, "max_literals": 1}, Options(max_rules=2, max_literals=1)),
        ({"cut_points": "quantile:4"}, Options(cut_points="quantile:4")),
        ({"cut_points": {"x2": [2, 5]}}, Options(cut_points=(("x2", (2.0, 5.0)),))),
    ],
)
def test_the_committee_is_the_one_that_induce_learns(parameters, options):
    rows, labels = iris()
    relation = read_arff(ROOT / "arff_data" / "iris.arff")
    dataset = Dataset.from_relation(relation)
    attributes = tuple(
        replace(attribute, name=f"x{i}") for i, attribute in enumerate(dataset.schema.attributes)
    )
    schema = replace(dataset.schema, relation="data", attributes=attributes)
    expected = induce(replace(dataset, schema=schema), options)
    assert WIDCClassifier(**parameters).fit(rows, labels).committee_ == expected


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"pruning": "pesimistic"}, "did you mean 'pessimistic'"),
        ({"max_rules": 2.0}, "max_rules: expected a whole number from 0, got 2.0"),
        ({"penalty": -1}, "penalty: expected a number of bits from 0 to 1e+90, got -1"),
        ({"votes": "on"}, "votes: expected one of sparse, one, free, got 'on'; did you mean 'one'"),
        ({"vote_penalty": -1}, "vote_penalty: expected a number of bits from 0 to 1e+90, got -1"),
        ({"impurity_penalty": -1}, "impurity_penalty: expected a number of bits from 0 to 1e+90"),
        ({"impurity_penalty": None}, "impurity_penalty: expected a number of bits from 0 to 1e+90"),
        ({"vote_penalty": False}, "vote_penalty: expected a number of bits from 0 to 1e+90"),
        (
            {"votes": "free", "vote_penalty": 1},
            "vote_penalty: expected votes sparse or one with this option, got free",
        ),
        ({"delta": 1}, "delta: expected a number between 0 and 1"),
        ({"vectors": "exat"}, "vectors: expected one of exact, approximate, got 'exat'; did you"),
        ({"unknown": "mising"}, "unknown: expected one of error, missing, got 'mising'; did you"),
        ({"cut_points": {"x1": [0.5]}}, "expected the names of numeric attributes, got 'x1'"),
        ({"cut_points": {"x0": [2, 1]}}, "expected increasing numbers"),
        ({"cut_points": {"x0": 1.5}}, "cut_points: expected a method or a dict"),
        ({"cut_points": 7}, "cut_points: expected a method or a dict"),
        ({"class_weight": "even"}, "class_weight"),
        ({"class_weight": {"z": 2}}, "not in class_weight"),
    ],
)
def test_wrong_parameters_are_a_value_error_that_says_what_was_expected(parameters, message):
    with pytest.raises(ValueError, match=r"expected|class_weight") as caught:
        WIDCClassifier(**parameters).fit(X, Y)
    assert message in str(caught.value)


def test_errors_are_ours_and_value_errors():
    with pytest.raises(EstimatorError) as caught:
        WIDCClassifier(pruning="x").fit(X, Y)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, widc_arff.WidcError)


# Labels


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (Y, np.array(["a", "b"])),
        (Y.tolist(), np.array(["a", "b"])),
        (pl.Series(Y), np.array(["a", "b"])),
        (pd.Series(Y, dtype="category"), np.array(["a", "b"], object)),
        (np.array([7, 7, -1, -1] * 3, np.int16), np.array([-1, 7], np.int16)),
        (np.array([True, True, False, False] * 3), np.array([False, True])),
        (np.array([2.0, 2.0, 1.0, 1.0] * 3), np.array([1.0, 2.0])),
        (np.array([2, 2, 1, 1] * 3, object), np.array([1, 2], object)),
        (pd.Series([2, 2, 1, 1] * 3, dtype="Int64"), np.array([1, 2])),
        (pd.Series([True, True, False, False] * 3, dtype="boolean"), np.array([False, True])),
        (pd.Series([2, 2, 1, 1] * 3, dtype="category"), np.array([1, 2])),
        (
            np.array(["2020-01-02", "2020-01-02", "2020-01-01", "2020-01-01"] * 3, "M8[D]"),
            np.array(["2020-01-01", "2020-01-02"], "M8[D]"),
        ),
    ],
)
def test_labels_keep_their_type(labels, classes):
    classifier = WIDCClassifier().fit(X, labels)
    assert classifier.classes_.dtype == classes.dtype
    assert classifier.classes_.tolist() == classes.tolist()
    assert classifier.predict(X).dtype == classes.dtype
    assert classifier.predict(X).tolist() == np.asarray(labels).tolist()


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (None, "requires y to be passed"),
        (["a", None] * 6, "y: expected a label in every row, got None in row 1"),
        (pd.Series(["a", np.nan] * 6), "y: expected a label in every row, got nan in row 1"),
        (pd.Series([1, None] * 6, dtype="Int64"), "y contains NaN"),
        (np.array([1.0, np.nan] * 6), "y contains NaN"),
        (["a", 1] * 6, "y: expected labels of one type, got int, str"),
        (np.array([0.5, 1.5] * 6), "Unknown label type: continuous"),
        (Y[:5], "inconsistent numbers of samples"),
        (
            np.full((12, 2), 3),
            "y: expected one label for each row, or an indicator matrix of 0 and 1",
        ),
    ],
)
def test_labels_that_are_none_are_refused(labels, message):
    with pytest.raises(ValueError, match=r"y|label|samples") as caught:
        WIDCClassifier().fit(X, labels)
    assert message in str(caught.value)


def test_a_column_of_labels_is_taken_with_a_warning():
    with pytest.warns(DataConversionWarning):
        classifier = WIDCClassifier().fit(X, Y[:, None])
    assert classifier.predict(X).tolist() == Y.tolist()


def test_the_class_has_the_name_of_the_series_unless_a_feature_has_it():
    frame = pd.DataFrame({"size": X[:, 0], "class": X[:, 0]})
    for series, name in ((pd.Series(Y, name="kind"), "kind"), (pd.Series(Y), "class_")):
        committee = WIDCClassifier().fit(frame, series).committee_
        assert committee.schema.labels.attributes == (name,)


# Decisions


def test_probabilities_and_decision_values_agree_with_the_prediction():
    rows, labels = iris()
    for pruning in ("pessimistic", "none"):
        classifier = WIDCClassifier(pruning=pruning).fit(rows, labels)
        predicted = classifier.predict(rows)
        for method in (classifier.predict_proba, classifier.decision_function):
            values = method(rows)
            assert values.shape == (150, 3)
            assert (classifier.classes_[values.argmax(axis=1)] == predicted).all()
        votes = classifier.committee_.votes(classifier.to_dataset(rows))
        added = classifier.decision_function(rows) - votes
        assert ((added >= 0) & (added < 0.5)).all()


def test_the_label_declared_first_wins_a_tie_whatever_the_order_of_classes():
    # No attribute separates anything: no rules, and the default is 1/2 for both.
    rows = np.zeros((4, 1))
    for declared in (["a", "b"], ["b", "a"]):
        labels = pd.Series(pd.Categorical(["a", "b", "a", "b"], categories=declared))
        with pytest.warns(WidcWarning, match="no attribute separates"):
            classifier = WIDCClassifier().fit(rows, labels)
        assert classifier.classes_.tolist() == ["a", "b"]
        assert classifier.committee_.schema.labels.values == tuple(declared)
        assert classifier.predict(rows[:1]).tolist() == declared[:1]
        probabilities = classifier.predict_proba(rows[:1])[0]
        assert classifier.classes_[probabilities.argmax()] == declared[0]
        assert probabilities == pytest.approx([0.5, 0.5], abs=1e-15)
        # ranks 0 and 1 of two labels, over 2 * 2: a lead of a quarter
        lead = classifier.decision_function(rows[:1])
        assert lead.tolist() == [0.25 if declared[0] == "b" else -0.25]


def test_labels_declared_in_another_order_are_learned_all_the_same():
    rows = np.array([[0.0], [1.0], [2.0]] * 4)
    labels = pd.Series(pd.Categorical(["a", "b", "c"] * 4, categories=["c", "a", "unused", "b"]))
    classifier = WIDCClassifier().fit(rows, labels)
    assert classifier.committee_.schema.labels.values == ("c", "a", "b")
    assert classifier.classes_.tolist() == ["a", "b", "c"]
    assert classifier.predict(rows).tolist() == labels.tolist()


def test_for_two_classes_the_decision_value_is_the_lead_of_the_second():
    classifier = WIDCClassifier().fit(X, Y)
    assert classifier.rules_ == ["x0 > 1.5: b +2"]
    # Where the rule holds, votes are (-1, +1); elsewhere (0, 0), and the default is for a.
    assert classifier.committee_.default == (1.0, 0.0)
    assert classifier.decision_function([[1.0], [2.0]]).tolist() == [-0.25, 2 - 0.25]
    assert classifier.predict([[1.0], [2.0]]).tolist() == ["a", "b"]


def test_nothing_works_before_fit():
    classifier = WIDCClassifier()
    for method in (classifier.predict, classifier.to_dataset):
        with pytest.raises(NotFittedError):
            method(X)
    with pytest.raises(NotFittedError):
        classifier.to_json()
    assert not hasattr(classifier, "rules_")


# Weights


def test_whole_weights_are_copies_and_zero_leaves_out():
    rows, labels = iris()
    weights = np.arange(150) % 3
    weighted = WIDCClassifier().fit(rows, labels, sample_weight=weights)
    copied = WIDCClassifier().fit(rows.repeat(weights, axis=0), labels.repeat(weights))
    assert weighted.committee_.rules == copied.committee_.rules
    assert weighted.committee_.default == copied.committee_.default


def test_class_weights_multiply_the_weights_of_the_rows():
    rows, labels = iris()
    names = np.unique(labels)
    weights = 1.0 + np.arange(150) % 2
    by_class = dict(zip(names, (1, 3, 2), strict=True))
    weighted = WIDCClassifier(class_weight=by_class).fit(rows, labels, sample_weight=weights)
    times = np.array([by_class[label] for label in labels])
    expected = WIDCClassifier().fit(rows, labels, sample_weight=weights * times)
    assert weighted.committee_ == expected.committee_


def test_balanced_classes_weigh_the_same_and_as_much_as_before():
    # Weights 6 and 2 of a, 1 and 1 of b, all 10: each class gets 5.
    balanced = WIDCClassifier(class_weight="balanced")
    balanced.fit([[0], [1], [0], [1]], ["a", "a", "b", "b"], sample_weight=[6, 2, 1, 1])
    assert balanced.committee_.training.weights == pytest.approx((5.0, 5.0))


def test_class_weights_change_the_decision():
    rows, labels = np.array([[0.0]] * 10 + [[1.0]] * 10), ["a"] * 10 + ["a"] * 6 + ["b"] * 4
    at_one = [
        WIDCClassifier(pruning="pessimistic", class_weight=weight)
        .fit(rows, labels)
        .predict([[1.0]])[0]
        for weight in (None, {"b": 2})
    ]
    assert at_one == ["a", "b"]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0] * 11, "sample_weight"),
        ([-1.0] * 12, "Negative"),
        ([np.nan] * 12, "NaN"),
        ([0.0] * 12, "zero"),
    ],
)
def test_weights_that_are_none_are_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        WIDCClassifier().fit(X, Y, sample_weight=weights)


@pytest.mark.parametrize(
    ("settings", "weights", "message"),
    [
        ({"class_weight": {"a": -1}}, None, r"class_weight: expected a weight from 1e-90"),
        ({"class_weight": {"a": 0}}, None, r"to 1e\+90 for 'a', got 0.0"),
        ({"class_weight": {"a": 1e99}}, None, r"for 'a', got 1e\+99"),
        ({}, [1.0, 1e308] + [1.0] * 10, r"sample_weight: .* in row 1 \(counted from 0\)"),
        ({"class_weight": {"a": 1e60, "b": 1e60}}, [1e60] * 12, r"in row 0 \(counted from 0\)"),
    ],
)
def test_weights_out_of_range_are_refused_with_their_row_or_class(settings, weights, message):
    with pytest.raises(ValueError, match=message):
        WIDCClassifier(**settings).fit(X, Y, sample_weight=weights)


# In scikit-learn's company


def test_clones_and_copies_of_fitted_estimators():
    rows, labels = iris()
    classifier = WIDCClassifier(max_rules=3, cut_points={"x2": [2.5, 5.0]}).fit(rows, labels)
    assert not hasattr(clone(classifier), "committee_")
    assert clone(classifier).get_params() == classifier.get_params()
    copy = pickle.loads(pickle.dumps(classifier))
    assert copy.committee_ == classifier.committee_
    assert (copy.predict_proba(rows) == classifier.predict_proba(rows)).all()


def test_a_grid_is_searched():
    rows, labels = iris()
    grid = {"pruning": ["pessimistic", "optimistic"], "max_rules": np.arange(1, 4)}
    search = GridSearchCV(WIDCClassifier(), grid, cv=3).fit(rows, labels)
    assert search.best_score_ > 0.8
    assert len(search.best_estimator_.rules_) <= 3


@pytest.mark.parametrize("container", ["pandas", "polars"])
def test_an_encoder_before_it_may_give_frames(container):
    columns = {"colour": ["red", "blue"] * 30, "shape": ["o", "o", "x"] * 20}
    frame = (pd if container == "pandas" else pl).DataFrame(columns)
    labels = [
        "yes" if c == "red" and s == "x" else "no" for c, s in zip(*columns.values(), strict=True)
    ]
    encoder = ColumnTransformer(
        [
            ("one", OneHotEncoder(sparse_output=False), ["colour"]),
            ("two", OrdinalEncoder(), ["shape"]),
        ],
        verbose_feature_names_out=False,
    )
    pipeline = make_pipeline(encoder.set_output(transform=container), WIDCClassifier())
    assert pipeline.fit(frame, labels).score(frame, labels) == 1
    assert pipeline[-1].feature_names_in_.tolist() == ["colour_blue", "colour_red", "shape"]
    assert cross_val_score(pipeline, frame, np.array(labels), cv=2).tolist() == [1, 1]


def test_tags_tell_what_the_estimator_takes():
    tags = WIDCClassifier().__sklearn_tags__()
    inputs = tags.input_tags
    assert inputs.allow_nan
    assert inputs.categorical
    assert inputs.string
    assert inputs.sparse
    assert tags.classifier_tags.multi_class
    assert tags.classifier_tags.multi_label
    assert not tags.target_tags.multi_output


# Models


def test_a_model_file_gives_the_fitted_estimator(tmp_path):
    rows, labels = iris()
    frame = pd.DataFrame(rows, columns=["a", "b", "c", "d"])
    fitted = WIDCClassifier(max_rules=4, cut_points={"c": [2.5, 4.8]}).fit(frame, labels)
    path = tmp_path / "model.json"
    path.write_text(fitted.to_json(), encoding="utf-8")
    for model in (path, str(path), fitted.to_json(), fitted.committee_):
        read = WIDCClassifier.from_model(model)
        assert read.committee_ == fitted.committee_
        assert (read.predict(frame) == fitted.predict(frame)).all()
        assert (read.predict_proba(frame) == fitted.predict_proba(frame)).all()
        assert read.get_params() == fitted.get_params()
        assert read.feature_names_in_.tolist() == ["a", "b", "c", "d"]
        assert clone(read).fit(frame, labels).committee_ == fitted.committee_


def test_a_model_is_its_text_wherever_it_begins_and_nothing_else():
    fitted = WIDCClassifier().fit(*iris())
    text = fitted.to_json()
    assert WIDCClassifier.from_model(f"\ufeff\n {text}").committee_ == fitted.committee_
    for broken in ("{", "[1]", "[" * 100_000):
        with pytest.raises(ModelError):
            WIDCClassifier.from_model(broken)
    others: list[Any] = [text.encode(), json.loads(text), io.StringIO(text), None]
    for other in others:
        with pytest.raises(TypeError, match="the text of a model file or a DecisionCommittee, got"):
            WIDCClassifier.from_model(other)


def test_a_model_of_the_command_line_gives_the_fitted_estimator(tmp_path, run):
    path, data = tmp_path / "model.json", ROOT / "arff_data" / "weather-numeric.arff"
    assert run("train", str(data), "--model", str(path), "--pruning", "none")[0] == 0
    status, out, _ = run("predict", str(path), str(data))
    assert status == 0
    relation = read_arff(data)
    names = [attribute.name for attribute in relation.attributes]
    frame = pd.DataFrame(list(relation.rows()), columns=names).drop(columns="play")
    classifier = WIDCClassifier.from_model(path)
    lines = [line.split(",") for line in out.splitlines()]
    assert lines[0][3:] == ["probability:yes", "probability:no"]
    assert classifier.predict(frame).tolist() == [line[2] for line in lines[1:]]
    # the columns of the file are in declared order, those of classes_ sorted
    expected = [[float(p) for p in line[:2:-1]] for line in lines[1:]]
    assert classifier.classes_.tolist() == ["no", "yes"]
    assert classifier.predict_proba(frame).tolist() == expected


def test_classes_of_a_model_can_have_their_own_type():
    numbers = np.array([10, 10, 9, 9] * 3)  # as texts, "10" comes before "9"
    fitted = WIDCClassifier().fit(X, numbers)
    for again in (
        WIDCClassifier.from_model(fitted.to_json()),
        WIDCClassifier.from_model(fitted.committee_, classes=[9, 10]),
    ):
        assert again.predict(X).tolist() == numbers.tolist()
        assert (again.predict_proba(X) == fitted.predict_proba(X)).all()
    texts = WIDCClassifier.from_model(fitted.committee_, classes=["9", "10"])
    assert texts.classes_.tolist() == ["10", "9"]
    assert texts.predict(X).tolist() == [str(n) for n in numbers]
    with pytest.raises(EstimatorError, match=r"labels of the model .'9', '10'., got"):
        WIDCClassifier.from_model(fitted.committee_, classes=[9, 11])


def test_a_model_file_tells_what_votes_cost_and_without_that_the_default_holds():
    for parameters in (
        {},
        {"votes": "one", "vote_penalty": 2.0},
        {"votes": "free"},
        {"impurity_penalty": 0.1},
    ):
        written = WIDCClassifier(**parameters).fit(X, Y)
        read = WIDCClassifier.from_model(written.committee_.to_json())
        assert read.get_params() == written.get_params()


def test_a_model_of_plain_arrays_has_no_names():
    read = WIDCClassifier.from_model(WIDCClassifier().fit(X, Y).committee_)
    assert not hasattr(read, "feature_names_in_")
    assert read.n_features_in_ == 1
    assert read.predict(X).tolist() == Y.tolist()


def test_a_damaged_model_file_is_named(tmp_path):
    path = tmp_path / "model.json"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(widc_arff.ModelError, match=r"model\.json: expected a model file"):
        WIDCClassifier.from_model(path)


def test_rules_and_explanations_in_words():
    classifier = WIDCClassifier().fit(X, Y)
    explanation = classifier.committee_.explain(classifier.to_dataset([[3.0]]), 0)
    assert explanation.fired == (0,)
    assert explanation.votes == (-1, 1)
    first, second = classifier.explain([[1.0], [3.0]])
    assert first.startswith("Row 1: a (probability ")
    assert second.startswith("Row 2: b (probability ")
    assert "x0 above 1.5 (now 1): b" in first
    assert "x0 at most 1.5 (now 3): a" in second


# In notebooks


def test_before_fit_the_representation_is_that_of_scikit_learn():
    classifier = WIDCClassifier()
    for html in (classifier._repr_html_(), classifier._repr_mimebundle_()["text/html"]):
        assert "sk-container" in html
        assert 'class="widc"' not in html


def test_after_fit_the_representation_is_the_committee():
    frame = pd.DataFrame({"<b>&": X[:, 0]})
    labels = np.where(Y == "a", "<i>", "b & c")
    classifier = WIDCClassifier(max_rules=3).fit(frame, pd.Series(labels, name="<u>"))
    html = classifier._repr_html_()
    assert classifier._repr_mimebundle_()["text/html"] == html
    assert '&lt;b&gt;&amp; &gt; <span class="word">1.5</span>' in html
    assert "b &amp; c" in html
    assert "for &lt;u&gt;: 1 rule, 1 condition" in html
    assert "WIDCClassifier(max_rules=3)" in html
    assert '<td class="for strong">+2</td>' in html
    for loaded in ("http", "<script", "<link", "<img", "@import", "url(", "<i>", "<b>", "<u>"):
        assert loaded not in html
    for tag in ("div", "table", "tr", "td", "th", "p", "style", "details"):
        assert html.count(f"<{tag}>") + html.count(f"<{tag} ") == html.count(f"</{tag}>")


def test_points_have_their_cells():
    classifier = WIDCClassifier(pruning="none").fit(*iris())
    points = [n for of_rule in classifier.committee_.points for n in of_rule]
    html = classifier._repr_html_()
    assert {1, 2, 0} <= set(points)
    for n, kind in ((2, "for strong"), (1, "for"), (-1, "against"), (-2, "against strong")):
        assert html.count(f'<td class="{kind}">{n:+d}<') == points.count(n)


def test_text_is_all_where_scikit_learn_is_told_so():
    from sklearn import config_context

    classifier = WIDCClassifier().fit(X, Y)
    with config_context(display="text"):
        assert not hasattr(classifier, "_repr_html_")
        assert classifier._repr_mimebundle_() == {"text/plain": "WIDCClassifier()"}


# The package


def test_the_package_gives_the_estimator_and_loads_scikit_learn_only_then():
    code = (
        "import sys, widc_arff\n"
        "from widc_arff import *\n"
        "assert 'WIDCClassifier' in dir(widc_arff)\n"
        "assert 'sklearn' not in sys.modules\n"
        "widc_arff.WIDCClassifier\n"
        "assert 'sklearn' in sys.modules and 'polars' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_without_scikit_learn_the_message_says_what_to_install():
    code = (
        "import sys\n"
        "sys.modules['sklearn'] = None\n"
        "import widc_arff\n"
        "from widc_arff import *\n"
        "try:\n"
        "    widc_arff.WIDCClassifier\n"
        "except ImportError as error:\n"
        "    assert \"pip install 'widc-arff[sklearn]'\" in str(error), error\n"
        "else:\n"
        "    raise AssertionError\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


# Sparse tables


@pytest.mark.parametrize("kind", [scipy.sparse.csr_matrix, scipy.sparse.coo_array])
@pytest.mark.parametrize("dtype", [np.int64, np.bool_, np.float32])
def test_a_sparse_table_is_learned_from_as_the_dense_one_is(kind, dtype):
    dense = np.zeros((60, 30), dtype)
    dense[np.arange(60), np.arange(60) % 30] = np.arange(60) % 7 + 0.5
    dense[::2, 3], dense[::3, 5] = 1, 1
    labels = np.where((dense[:, 3] != 0) & (dense[:, 5] != 0), "both", "no")
    sparse = kind(dense)
    fitted = WIDCClassifier(pruning="pessimistic").fit(sparse, labels)
    expected = WIDCClassifier(pruning="pessimistic").fit(dense, labels)
    assert fitted.committee_ == expected.committee_
    assert (fitted.feature_importances_ == expected.feature_importances_).all()
    for given in (sparse, dense):
        assert (fitted.predict_proba(given) == expected.predict_proba(dense)).all()
    assert fitted.explain(sparse) == expected.explain(dense)


def test_sparse_columns_of_a_frame_are_as_dense_ones():
    sparse = pd.DataFrame(
        {
            "a": pd.arrays.SparseArray([0.0, 1.5, 0.0] * 6),
            "b": pd.arrays.SparseArray([True, False, True] * 6),
            "c": pd.arrays.SparseArray([0, 1, 2] * 6),
        }
    )
    dense = sparse.sparse.to_dense()
    labels = ["a", "b", "c"] * 6
    fitted = WIDCClassifier().fit(sparse, labels)
    assert fitted.committee_ == WIDCClassifier().fit(dense, labels).committee_
    assert fitted.predict(sparse).tolist() == labels


def test_memory_of_a_sparse_table_is_that_of_what_it_stores():
    table = scipy.sparse.csc_array(
        (np.ones(400), (np.arange(400), np.repeat([7, 99_990], 200))), shape=(400, 100_000)
    )
    columns = relation_of(table, generated_names(100_000), "wide").columns
    assert isinstance(columns, SparseColumns)
    assert len(columns.stated.values) == 400
    assert columns[99_990].sum() == 200


# Texts of which every row has its own


def test_a_column_of_identifiers_is_refused_as_in_files():
    frame = pd.DataFrame({"name": [f"n{i}" for i in range(40)], "size": range(40)})
    labels = ["a"] * 20 + ["b"] * 20
    with pytest.raises(EstimatorError, match="column 'name': expected values that several rows"):
        WIDCClassifier().fit(frame, labels)
    as_categories = frame.astype({"name": "category"})
    with pytest.warns(WidcWarning, match="name"):
        WIDCClassifier().fit(as_categories, labels)
    WIDCClassifier().fit(frame[["size"]], labels)


# A warm start.


def test_a_warm_start_holds_the_rules_that_still_pay():
    iris = load_iris()
    X, y = iris.data, iris.target_names[iris.target]
    first = WIDCClassifier().fit(X[::2], y[::2])
    warm = WIDCClassifier(warm_start=True).fit(X[::2], y[::2])
    assert warm.committee_ == first.committee_
    warm.fit(X, y)
    kept = {rule.monomial for rule in first.committee_.rules}
    assert kept & {rule.monomial for rule in warm.committee_.rules}
    assert warm.committee_.training.examples == 150
    assert warm.score(X, y) >= first.score(X, y)
    read = WIDCClassifier.from_model(first.to_json()).set_params(warm_start=True).fit(X, y)
    assert read.committee_ == warm.committee_
    cold = WIDCClassifier().fit(X[::2], y[::2]).fit(X, y)
    assert cold.committee_ == WIDCClassifier().fit(X, y).committee_


def test_a_warm_start_with_other_features_is_refused():
    warm = WIDCClassifier(warm_start=True)
    warm.fit([[0.0], [1.0], [0.0], [1.0]] * 5, ["a", "b", "a", "b"] * 5)
    assert warm.committee_.rules
    other = pd.DataFrame({"u": [0.0, 1.0] * 10})
    with pytest.raises(ValueError, match="expected an attribute of the data, got 'x0'"):
        warm.fit(other, ["a", "b"] * 10)


@pytest.mark.parametrize("choice", ["smallest", "best"])
def test_folds_can_choose_the_penalty(choice):
    classifier = WIDCClassifier(penalty=choice).fit(*iris())
    sizes = classifier.sizes_
    assert sizes.keys() == {"penalty", "error", "standard_error", "rules", "literals", "votes"}
    best = int(sizes["error"].argmin())
    limit = sizes["error"].min() + sizes["standard_error"][best] * (choice == "smallest")
    fewest = sizes["literals"][sizes["error"] <= limit + 1e-9].min()
    chosen = float(str(classifier.committee_.training.options["penalty"]))
    assert sizes["literals"][sizes["penalty"].tolist().index(chosen)] == fewest
    plain = WIDCClassifier(penalty=chosen).fit(*iris())
    assert plain.committee_ == classifier.committee_
    assert clone(classifier).penalty == choice
    with pytest.raises(ValueError, match="penalty"):
        WIDCClassifier(penalty="small").fit(*iris())


# the page of the workbench


def test_the_workbench_is_a_frame_with_all_features_and_rows(tmp_path):
    from widc_arff.workbench import WorkbenchFrame

    iris = load_iris(as_frame=True)
    X, y = iris.data, iris.target_names[iris.target]
    classifier = WIDCClassifier(max_rules=2).fit(X, y)
    frame = classifier.workbench(X, y, test=(X[::3], y[::3]), height=500)
    assert isinstance(frame, WorkbenchFrame)
    shown = frame._repr_html_()
    assert shown.startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;')
    assert 'sandbox="allow-scripts allow-downloads"' in shown
    assert "height: 500px" in shown
    assert "150 rows, 50 test rows, 4 attributes and the class" in frame.html
    frame.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == frame.html
    assert "save(path)" in repr(frame)


@pytest.mark.parametrize("labels", ["numbers", "texts", "sets"])
def test_the_workbench_has_the_labels_of_training(labels):
    X, y = load_iris(return_X_y=True)
    of = {"numbers": y + 5, "texts": np.array(list("abc"))[y], "sets": np.eye(3, dtype=int)[y]}
    target = of[labels]
    classifier = WIDCClassifier().fit(X, target)
    assert "150 rows" in classifier.workbench(X, target).html
    some = classifier.workbench(X[:50], target[:50], sample_weight=np.arange(1.0, 51))
    assert "50 rows" in some.html
    other = {"numbers": y, "texts": y.astype(str), "sets": y}[labels]
    with pytest.raises(ValueError, match="y: expected"):
        classifier.workbench(X, other)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        classifier.workbench(X, target[:9])
