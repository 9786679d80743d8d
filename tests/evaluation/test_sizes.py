"""Menus of sizes: what is marked, what is learned, what choices come to in nested folds."""

from __future__ import annotations

import json
import math
import statistics
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.reports.test_reports import data
from widc_arff import OptionError, Options, induce, read_committee
from widc_arff.evaluation.cross_validation import Folding, cross_validate, training_and_test
from widc_arff.evaluation.sizes import Menu, check_prices, menu_of, nested_errors
from widc_arff.reports.sizes import menu_svg

IRIS = str(Path(__file__).parents[2] / "arff_data" / "iris.arff")
FOLDS = Folding(3)


class _Evaluation:
    """An outcome with the errors of its folds and its literals."""

    def __init__(self, errors: list[float], literals: float) -> None:
        self.error, self.literals = statistics.fmean(errors), literals
        self.spread = statistics.stdev(errors)
        self.predictions = [type("P", (), {"fold": k}) for k in range(len(errors))]


def menu(*outcomes: tuple[list[float], float]) -> Menu:
    prices = tuple(float(k) for k in range(len(outcomes)))
    evaluations: Any = tuple(_Evaluation(*outcome) for outcome in outcomes)
    return Menu(prices, evaluations)


def test_the_smallest_is_the_last_within_one_standard_error_of_the_least():
    # least error .2, spread .1 of four folds: standard error .05
    errors = [0.1, 0.2, 0.2, 0.3]
    assert statistics.stdev(errors) == pytest.approx(math.sqrt(0.02 / 3))
    limit = 0.2 + statistics.stdev(errors) / 2
    inside, outside = [limit - 0.001] * 4, [limit + 0.001] * 4
    found = menu(([0.3, 0.3, 0.3, 0.4], 9.0), (errors, 7.0), (inside, 4.0), (outside, 1.0))
    assert (found.best, found.smallest) == (1, 2)
    assert found.standard_error(1) == pytest.approx(limit - 0.2)


def test_of_equal_errors_the_smaller_committee_is_best():
    found = menu(([0.1, 0.2], 5.0), ([0.2, 0.1], 3.0), ([0.5, 0.5], 1.0))
    assert (found.best, found.smallest) == (1, 1)


@pytest.mark.parametrize("prices", [(), (2.0, 1.0), (1.0, 1.0), (-1.0,), (math.inf,), (math.nan,)])
def test_prices_increase(prices):
    with pytest.raises(OptionError, match="prices: expected increasing numbers of bits from 0"):
        check_prices(prices)


def test_a_menu_has_the_errors_of_each_price_and_nested_folds_those_of_a_choice():
    dataset, prices = data("iris"), (1.0, 20.0, 200.0)
    done = []
    found = menu_of(dataset, Options(), FOLDS, prices, on_fold=lambda *n: done.append(n))
    assert done == [(k, 9) for k in range(1, 10)]
    for price, evaluation in zip(prices, found.evaluations, strict=True):
        alone = cross_validate(dataset, Options(penalty=price), FOLDS)
        assert evaluation.errors_per_fold == alone.errors_per_fold
        assert evaluation.literals == alone.literals
    nested = nested_errors(dataset, Options(), FOLDS, prices)
    assert list(nested) == ["best", "smallest", "default"]
    assert (
        nested["default"].errors_per_fold
        == cross_validate(dataset, Options(), FOLDS).errors_per_fold
    )
    for task, p in zip(FOLDS.tasks(dataset), nested["smallest"].predictions, strict=True):
        training, test = training_and_test(dataset, task.test_rows)
        inner = menu_of(training, Options(), FOLDS, prices)
        committee = induce(training, Options(penalty=prices[inner.smallest]))
        assert p.predicted.tolist() == committee.predict_codes(test).tolist()
    two = nested_errors(dataset, Options(), FOLDS, prices, jobs=2)
    assert [e.error for e in two.values()] == [e.error for e in nested.values()]


def test_the_plot_is_a_file_of_its_own():
    svg = menu_svg(menu_of(data("iris"), Options(), FOLDS, (1.0, 20.0, 200.0)))
    root = ET.fromstring(svg)
    circles = root.findall("{http://www.w3.org/2000/svg}circle")
    assert len(circles) == 3
    assert [c.get("class") for c in circles].count("decision") in (1, 2)
    assert "least error" in svg


@pytest.mark.parametrize("choice", ["smallest", "best", "1"])
def test_the_choice_is_learned_from_all_rows_and_the_model_says_so(tmp_path, run, choice):
    path = str(tmp_path / "m.json")
    common = ("sizes", IRIS, "--prices", "1,20,200", "--folds", "3")
    status, text, err = run(*common, "--train", choice, "--model", path)
    assert (status, err) == (0, "")
    told = json.loads(run(*common, "--format", "json")[1])
    committee = read_committee(path)
    price = told["best" if choice == "1" else choice]
    options = Options(penalty=price, max_rules=1 if choice == "1" else None)
    assert committee == induce(data("iris"), options)
    ending = "of 3 prices from 1 to 200 bits; 3-fold cross-validation, seed 1"
    assert committee.provenance.choice.endswith(ending)
    assert "chosen: " in text.replace("\n", " ")
    keys = [(size["error"], size["literals"], -size["penalty"]) for size in told["sizes"]]
    assert told["best"] == -min(keys)[2]
    assert "least error" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--penalty", "2"), "--penalty: sizes tries several prices; --prices says which"),
        (
            ("--pruning", "none"),
            "--pruning: expected refined, whose conditions have a price, got none",
        ),
        (("--prices", "3,2"), "expected increasing numbers of bits between commas"),
        (("--prices", "few"), "expected increasing numbers of bits between commas"),
        (("--train", "few"), "expected best, smallest or a number of rules, got 'few'"),
        (("--model", "m.json"), "--model: expected --train with it"),
    ],
)
def test_what_does_not_go_together_is_refused(run, arguments, message):
    status, _, err = run("sizes", IRIS, *arguments)
    assert status == 2
    assert message in " ".join(err.split())
