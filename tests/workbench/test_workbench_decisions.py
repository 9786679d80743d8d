"""What the page decides, and what it fits, is what the library does: to the last bit."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.export_cases import HAND_MADE, case
from tests.label_set_cases import days, random_sets
from tests.report_cases import COMMITTEE, DATA
from tests.workbench.opening import page_of
from widc_arff import Dataset, DecisionCommittee, Options, induce, read_arff, read_dataset
from widc_arff.induction.refitting import refitted
from widc_arff.model.changes import changes_by_row
from widc_arff.model.costs import least_cost
from widc_arff.model.expert_rules import rules_of_text
from widc_arff.model.literals import OPERATORS
from widc_arff.model.resolving import resolved, rules_text
from widc_arff.options import LabelSetOptions

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.needs("playwright")]
ROOT = Path(__file__).parents[2]
HAND_MADE_TRIED = [name for name in HAND_MADE if name not in ("small", "many", "ties")]
COSTS = ((0.0, 1.0, 4.0), (2.0, 0.0, 1.0), (6.0, 3.0, 0.0))


def data(name: str) -> Dataset:
    return read_dataset(ROOT / "arff_data" / f"{name}.arff")


def with_some_missing(dataset: Dataset, seed: int = 2) -> Dataset:
    rng = np.random.default_rng(seed)
    columns = []
    for column in dataset.columns:
        is_missing = rng.random(dataset.n_samples) < 0.1
        nothing = np.nan if column.dtype.kind == "f" else -1
        columns.append(np.where(is_missing, nothing, column))
    return replace(dataset, columns=tuple(columns))


def of_classes(name: str) -> tuple[DecisionCommittee, Dataset]:
    """Return a committee with rows of many kinds: files, weights, costs, odd numbers and names."""
    if name in HAND_MADE:
        tried, rng = case(name), np.random.default_rng(1)
        Y = np.zeros_like(tried.examples.Y)
        Y[np.arange(len(Y)), rng.integers(0, Y.shape[1], len(Y))] = True
        options = {"pruning": "pessimistic", "cut_points": "mdl+"}
        training = replace(tried.committee.training, options=options)
        committee = replace(tried.committee, training=training)
        return committee, replace(tried.examples, Y=Y, has_labels=True)
    file, _, how = name.partition(" ")
    dataset = with_some_missing(data(file))
    if how == "weighted":
        weights = np.random.default_rng(4).random(dataset.n_samples) * 3
        weights[:5] = 0
        dataset = replace(dataset, weights=weights)
    of_learner = {
        "costs": Options(costs=COSTS),
        "weighted": Options(class_weight="balanced"),
        "pessimistic": Options(pruning="pessimistic"),
    }
    return induce(dataset, of_learner.get(how, Options())), dataset


@pytest.mark.filterwarnings("ignore::widc_arff.errors.WidcWarning")
@pytest.mark.parametrize(
    "name",
    ["wine pessimistic", "led7", "iris weighted", "iris costs", *HAND_MADE_TRIED],
)
def test_decisions_probabilities_and_fits_are_the_library_s(opened, name):
    committee, dataset = of_classes(name)
    page = opened(page_of(committee, dataset))
    assert (page.faults, page.refusal) == ([], "")
    known = replace(committee, schema=dataset.schema)
    assert page.decided == committee.predict_codes(dataset).tolist()
    assert page.probabilities == committee.predict_proba(dataset).tolist()
    assert page.model.to_json() == known.to_json()
    # all but the last rule; then all are fitted to the rows
    if not committee.rules:
        return
    page.ask("() => workbench.changeRule(workbench.rules.at(-1).id, { on: false })")
    fewer = refitted(known.with_rules(known.rules[:-1]), dataset)
    changed = page.model
    assert replace(changed, history=()) == replace(fewer, provenance=changed.provenance)
    assert page.decided == fewer.predict_codes(dataset).tolist()
    assert page.probabilities == fewer.predict_proba(dataset).tolist()


@pytest.mark.filterwarnings("ignore::widc_arff.errors.WidcWarning")
def test_with_costs_the_page_decides_for_the_least(opened):
    dataset = with_some_missing(data("iris"))
    committee = induce(dataset)
    page = opened(page_of(committee, dataset, costs=COSTS))
    chances, voted = committee.predict_proba(dataset), committee.predict_codes(dataset)
    decided = least_cost(chances, voted, COSTS).decisions
    assert (decided != voted).any()
    assert page.decided == decided.tolist()


@pytest.mark.filterwarnings("ignore::widc_arff.errors.WidcWarning")
@pytest.mark.parametrize("name", ["days", "random", "random unpruned"])
def test_label_sets_and_their_fits_are_the_library_s(opened, name):
    dataset = days() if name == "days" else random_sets(5)
    pruning = "none" if "unpruned" in name else "refined"
    committee = induce(dataset, LabelSetOptions(pruning=pruning, vectors="approximate"))
    page = opened(page_of(committee, dataset))
    known = replace(committee, schema=dataset.schema)
    assert page.decided == committee.predict_sets(dataset).tolist()
    # the last bit is that of the machine's exp, of which numpy and browsers have their own
    np.testing.assert_allclose(page.probabilities, committee.predict_proba(dataset), rtol=1e-15)
    assert page.model.to_json() == known.to_json()
    page.ask("() => workbench.changeRule(1, { on: false })")
    fewer = refitted(known.with_rules(known.rules[1:]), dataset)
    changed = page.model
    assert replace(changed, history=()) == replace(fewer, provenance=changed.provenance)
    assert page.decided == fewer.predict_sets(dataset).tolist()


def test_files_of_rules_are_the_library_s(opened):
    committee, dataset = of_classes("small")
    page = opened(page_of(committee, dataset))
    page.page.fill("[data-key=name]", "it's \\ odd")
    page.page.press("[data-key=name]", "Enter")
    page.page.click("[data-key=lock]")
    text = page.taken_back("rules").read_text(encoding="utf-8")
    assert text == rules_text(page.model)
    assert text.startswith(r"locked 'it\'s \\ odd' if housing = own and age > 40.5 then low, not")


@pytest.mark.filterwarnings("ignore::widc_arff.errors.WidcWarning")
@pytest.mark.parametrize("name", ["iris", "wine pessimistic", "small", "ties", "days"])
def test_nearest_changes_are_the_library_s(opened, name):
    if name == "days":
        dataset = days()
        committee = induce(dataset)
    else:
        committee, dataset = of_classes(name)
    rows = np.arange(0, dataset.n_samples, max(dataset.n_samples // 12, 1))
    page = opened(page_of(committee, dataset))
    found = page.ask(
        f"""() => {rows.tolist()}.map(i => {{
          const row = workbench.content.data.columns.map(
            ({{ codes, values }}) => codes[i] < values.length ? values[codes[i]] : NaN);
          return workbench.changesOf(row).map(({{ steps, decision }}) => [
            steps.map(s => [s.attribute, s.after, s.distance]), decision]);
        }})"""
    )
    known = replace(committee, schema=dataset.schema)
    for of_page, of_library in zip(found, changes_by_row(known, dataset.take(rows)), strict=True):
        told = [
            [
                [[s.attribute, float(s.after), s.distance] for s in change.steps],
                change.decision
                if isinstance(change.decision, int)
                else [j in change.decision for j in range(known.schema.n_classes)],
            ]
            for change in of_library
        ]
        assert of_page == told


OF_KIND: dict[str, dict[str, Any]] = {
    "=": {"attribute": "a", "is": "=", "value": "x"},
    "!=": {"attribute": "a", "is": "!=", "value": "y"},
    "<=": {"attribute": "b", "is": "<=", "value": 0.5},
    ">": {"attribute": "b", "is": ">", "value": 1.5},
    "in": {"attribute": "a", "is": "in", "value": ["x", "z"]},
    "not in": {"attribute": "a", "is": "not in", "value": ["x", "y"]},
    "known": {"attribute": "b", "is": "known"},
    "missing": {"attribute": "a", "is": "missing"},
}


@pytest.mark.parametrize("kind", OPERATORS)
def test_every_kind_of_condition_that_model_files_hold_is_known(opened, kind):
    model = json.loads(COMMITTEE.to_json())
    model["rules"][0]["if"] = [OF_KIND[kind]]
    committee = DecisionCommittee.from_json(json.dumps(model))
    text = DATA.replace("z, 0, yes", "?, 0, yes").replace("x, 2, no", "x, ?, no")
    rows = Dataset.for_schema(read_arff(io.StringIO(text)), committee.schema)
    page = opened(page_of(committee, rows))
    assert page.refusal == ""
    assert page.decided == committee.predict_codes(rows).tolist()
    assert page.probabilities == committee.predict_proba(rows).tolist()
    assert page.model == committee
    written = page.taken_back("rules").read_text(encoding="utf-8")
    (monomial, *_) = resolved(rules_of_text(written, "rules.txt"), committee.schema)
    assert monomial == committee.rules[0].monomial
