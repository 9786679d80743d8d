"""Decisions of least expected cost: ``predict --costs``, ``explain --costs``, the estimator."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from widc_arff import read_arff
from widc_arff.model.costs import least_cost

DATA = Path(__file__).parents[2] / "arff_data"
WAVEFORM, WEATHER = str(DATA / "waveform.arff"), str(DATA / "weather-numeric.arff")
THREE = np.array([[0.0, 1.0, 9.0], [2.0, 0.0, 9.0], [1.0, 1.0, 0.0]])


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "\n".join(" ".join(map(str, row)) for row in THREE)
    Path("three.cost").write_text(f"% waveform\n3 3\n{rows}\n")
    Path("two.cost").write_text("2 2\n0 5\n1 0\n")
    Path("equal.cost").write_text("3 3\n0 2 2\n2 0 2\n2 2 0\n")


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def trained(run, data: str, *options: str) -> None:
    assert run("train", data, "--model", "m.json", *options)[0] == 0


def test_the_class_of_least_expected_cost_is_predicted(run):
    trained(run, WAVEFORM)
    status, out, err = run("predict", "m.json", WAVEFORM, "--costs", "three.cost")
    assert (status, err) == (0, "")
    rows, plain = table(out), table(run("predict", "m.json", WAVEFORM)[1])
    assert list(rows[0])[:5] == ["row", "actual", "predicted", "voted", "expected_cost"]
    labels = read_arff(WAVEFORM).attributes[-1].values
    moved = 0
    for row, voted in zip(rows, plain, strict=True):
        assert row["voted"] == voted["predicted"]
        p = [float(row[f"probability:{label}"]) for label in labels]
        expected = dict(zip(labels, p @ THREE, strict=True))
        assert float(row["expected_cost"]) == pytest.approx(min(expected.values()))
        assert expected[row["predicted"]] == pytest.approx(min(expected.values()))
        moved += row["predicted"] != row["voted"]
    assert 10 < moved < len(rows)
    # the third class is for sure ones only: it costs most to be wrong about
    third = labels[2]
    assert sum(row["predicted"] == third for row in rows) < sum(
        row["voted"] == third for row in rows
    )


def test_where_all_errors_cost_the_same_the_votes_decide(run):
    trained(run, WAVEFORM)
    rows = table(run("predict", "m.json", WAVEFORM, "--costs", "equal.cost")[1])
    assert all(row["predicted"] == row["voted"] for row in rows)


@given(
    st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=9),
    st.lists(st.integers(0, 9), min_size=6, max_size=6),
)
def test_no_class_is_expected_to_cost_less_than_the_one_decided(parts, costs):
    p = np.array(parts, float) + 0.25
    p /= p.sum(axis=1, keepdims=True)
    matrix = np.zeros((3, 3))
    matrix[~np.eye(3, dtype=bool)] = costs
    voted = p.argmax(axis=1)
    decisions, expected = least_cost(p, voted, tuple(map(tuple, matrix.tolist())))
    np.testing.assert_allclose(expected, p @ matrix)
    of_decided = expected[np.arange(len(p)), decisions]
    assert (of_decided <= expected.min(axis=1) * (1 + 1e-9)).all()
    stays = expected[np.arange(len(p)), voted] <= expected.min(axis=1)
    assert (decisions[stays] == voted[stays]).all()


def test_explain_shows_both(run):
    trained(run, WEATHER, "--pruning", "pessimistic")
    arguments = ("explain", "m.json", WEATHER, "--costs", "two.cost")
    told = [json.loads(line) for line in run(*arguments, "--format", "json")[1].splitlines()]
    predicted = table(run("predict", "m.json", WEATHER, "--costs", "two.cost")[1])
    for row, of_row in zip(told, predicted, strict=True):
        assert (row["predicted"], row["least_cost"]) == (of_row["voted"], of_row["predicted"])
        p = row["probabilities"]
        assert row["expected_costs"] == {"yes": p["no"], "no": 5 * p["yes"]}
    differs = next(row for row in told if row["predicted"] != row["least_cost"])
    text = run(*arguments, "--row", str(differs["row"]))[1]
    yes, no = differs["expected_costs"].values()
    assert f"\nLeast expected cost: yes ({yes:.3f}); no: {no:.3f}\n" in text
    agrees = next(row for row in told if row["predicted"] == row["least_cost"])
    cost = agrees["expected_costs"][agrees["least_cost"]]
    text = run(*arguments, "--row", str(agrees["row"]))[1]
    assert f"\nLeast expected cost: {agrees['least_cost']} ({cost:.3f})\n" in text
    head, _, *lines = run(*arguments)[1].splitlines()
    assert "least cost" in head
    assert len([line for line in lines if line[:3].strip()]) == len(told)


def test_costs_that_do_not_fit_the_model_are_refused(run):
    trained(run, WAVEFORM)
    for command in ("predict", "explain"):
        status, out, err = run(command, "m.json", WAVEFORM, "--costs", "two.cost")
        assert (status, out) == (1, "")
        assert "two.cost: costs: expected 3 rows and columns, one for each label of" in err
    assert run("explain", "m.json", WAVEFORM, "--costs", "three.cost", "--rule", "1")[0] == 2


def test_a_model_that_knows_costs_already_is_warned_of(run):
    trained(run, WAVEFORM, "--costs", "three.cost")
    status, _, err = run("predict", "m.json", WAVEFORM, "--costs", "three.cost")
    assert status == 0
    assert "trained with costs or class weights" in err


def test_label_sets_have_no_costs(run):
    Path("sets.arff").write_text(
        "@relation s\n@attribute x numeric\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n"
        + "".join(f"{i},{i % 2},{1 - i % 2}\n" for i in range(20))
    )
    trained(run, "sets.arff", "--labels", "a,b")
    status, _, err = run("predict", "m.json", "sets.arff", "--costs", "two.cost")
    assert status == 2
    assert "expected a model with one class per row" in err


def test_scikit_learn_tunes_the_threshold_and_calibrates():
    calibration = pytest.importorskip("sklearn.calibration")
    selection = pytest.importorskip("sklearn.model_selection")
    from sklearn.datasets import make_classification
    from sklearn.metrics import confusion_matrix, log_loss, make_scorer

    from widc_arff.estimator.classifier import WIDCClassifier

    X, y = make_classification(1200, 6, weights=[0.8], flip_y=0.1, random_state=3)
    X_test, y_test = X[800:], y[800:]
    X, y = X[:800], y[:800]

    def gain(actual, predicted) -> float:
        wrong = confusion_matrix(actual, predicted)
        return -float(10 * wrong[1, 0] + wrong[0, 1])

    plain = WIDCClassifier().fit(X, y)
    scorer = make_scorer(gain)
    tuned = selection.TunedThresholdClassifierCV(WIDCClassifier(), scoring=scorer, cv=3).fit(X, y)
    assert gain(y_test, tuned.predict(X_test)) > gain(y_test, plain.predict(X_test))
    calibrated = calibration.CalibratedClassifierCV(WIDCClassifier(), cv=3).fit(X, y)
    chances = calibrated.predict_proba(X_test)
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert log_loss(y_test, plain.predict_proba(X_test)) < 1.2 * log_loss(y_test, chances)
