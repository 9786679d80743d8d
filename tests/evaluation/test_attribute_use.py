"""What each attribute does: how far answers move when its value is missing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.html_pages import Page
from widc_arff import Dataset, WIDCClassifier, induce, read_arff
from widc_arff.arff.relation import Attribute
from widc_arff.data.schema import Labels, Schema
from widc_arff.evaluation.attribute_use import attribute_uses, importances
from widc_arff.model.committee import DecisionCommittee
from widc_arff.model.literals import Literal
from widc_arff.model.rules import Rule, TrainingSummary

DATA = Path(__file__).parents[2] / "arff_data"
SCHEMA = Schema(
    "r",
    (
        Attribute("a", "nominal", ("0", "1")),
        Attribute("b", "numeric"),
        Attribute("idle", "numeric"),
    ),
    Labels("single", ("class",), ("n", "y")),
)
COMMITTEE = DecisionCommittee(
    SCHEMA,
    (
        Rule((Literal(0, "=", 1),), (-1, 1), (1.0, 3.0)),
        Rule((Literal(0, "=", 1), Literal(1, ">", 5.0)), (-1, 1), (0.0, 2.0)),
    ),
    (0.75, 0.25),
    TrainingSummary(4, (2.0, 2.0), 0.0, {}, "0"),
)


def examples(*rows: tuple[float, float, float], weights: list[float] | None = None) -> Dataset:
    a, b, idle = zip(*rows, strict=True)
    columns = (np.array(a, np.int8), np.array(b, float), np.array(idle, float))
    n = len(rows)
    return Dataset(SCHEMA, columns, np.zeros((n, 2), bool), np.array(weights or [1.0] * n))


def with_missing(dataset: Dataset, attribute: int) -> Dataset:
    """Return examples of which an attribute tells nothing."""
    columns = list(dataset.columns)
    is_nominal = dataset.schema.attributes[attribute].type == "nominal"
    columns[attribute] = np.full(dataset.n_samples, -1 if is_nominal else np.nan)
    return Dataset(
        dataset.schema, tuple(columns), dataset.Y, dataset.weights, complete=dataset.complete
    )


def test_the_use_of_an_attribute_by_hand():
    # rows: no rule; rule 1; both rules (weight 2)
    data = examples((0, 9, 0), (1, 1, 0), (1, 9, 0), weights=[1, 1, 2])
    uses = {use.attribute: use for use in attribute_uses(COMMITTEE, data)}
    assert set(uses) == {0, 1}
    assert (uses[0].rules, uses[0].literals) == ((0, 1), 2)
    assert (uses[1].rules, uses[1].literals) == ((1,), 1)
    assert (uses[0].held, uses[1].held) == (0.75, 0.5)
    # without a value of a no rule holds and n is decided: three quarters of the weight change
    assert (uses[0].decisive, uses[1].decisive) == (0.75, 0.0)


def test_an_attribute_in_no_rule_has_no_importance():
    shares = importances(COMMITTEE, examples((0, 9, 0), (1, 1, 0), (1, 9, 1)))
    assert shares[2] == 0
    assert shares[0] > shares[1] > 0
    assert shares.sum() == pytest.approx(1)


def test_importances_are_all_zero_where_no_rule_holds():
    assert importances(COMMITTEE, examples((0, 9, 0))).tolist() == [0, 0, 0]


@pytest.mark.parametrize("name", ["iris", "tic-tac-toe", "weather-nominal"])
def test_shifts_are_those_of_predictions_with_missing_values(name):
    dataset = Dataset.from_relation(read_arff(DATA / f"{name}.arff"))
    committee = induce(dataset)
    before, codes = committee.predict_proba(dataset), committee.predict_codes(dataset)
    uses = attribute_uses(committee, dataset)
    assert {use.attribute for use in uses} == committee.used_attributes
    for use in uses:
        other = with_missing(dataset, use.attribute)
        shift = np.abs(committee.predict_proba(other) - before).sum(axis=1) / 2
        assert use.shift == pytest.approx(shift.mean())
        assert use.decisive == pytest.approx((committee.predict_codes(other) != codes).mean())


def test_the_estimator_tells_importances_as_scikit_learn_means_it():
    X = pd.DataFrame({"idle": [0, 1] * 40, "size": list(range(80))})
    y = (X["size"] > 30).to_numpy()
    classifier = WIDCClassifier().fit(X, y)
    assert classifier.feature_importances_.shape == (2,)
    assert classifier.feature_importances_.tolist() == [0.0, 1.0]
    nothing = WIDCClassifier().fit(X[["idle"]], y)
    assert nothing.feature_importances_.tolist() == [0.0]
    assert not hasattr(WIDCClassifier.from_model(classifier.committee_), "feature_importances_")


def test_weights_act_as_copies_in_importances():
    rng = np.random.default_rng(3)
    X = rng.integers(0, 3, (60, 4)).astype(float)
    y = (X[:, 0] + X[:, 1] > 2).astype(int)
    weights = rng.integers(1, 4, 60)
    once = WIDCClassifier().fit(X, y, sample_weight=weights)
    copied = WIDCClassifier().fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert once.feature_importances_ == pytest.approx(copied.feature_importances_)


def test_label_sets_have_importances_too():
    X = np.array([[i % 2, i // 2 % 2, i % 3] for i in range(48)], float)
    Y = X[:, :2].astype(int)
    classifier = WIDCClassifier().fit(X, Y)
    shares = classifier.feature_importances_
    assert shares.sum() == pytest.approx(1)
    assert shares[2] == 0


def test_the_report_has_a_table_of_attributes(tmp_path, run):
    model, page = str(tmp_path / "m.json"), tmp_path / "r.html"
    data = str(DATA / "iris.arff")
    run("train", data, "--model", model)
    assert run("report", model, data, "-o", str(page))[0] == 0
    section = page.read_text(encoding="utf-8").partition('id="attributes"')[2]
    section = section.partition("</section>")[0]
    assert "Attributes on these data" in section
    assert section.index("petal_length") < section.index("petal_width")
    assert 'href="#rule-1"' in section
    assert "2 attributes more in no rule." in section
    assert Page(page.read_text(encoding="utf-8")).tables["attributes"][0] == [
        "attribute",
        "rules",
        "conditions",
        "holds",
        "decides",
        "shift",
    ]
