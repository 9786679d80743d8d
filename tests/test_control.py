"""What a user can demand of rules: coverage, operators."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

import widc_arff.induction.refining as refining_module
from widc_arff.cli import cli
from widc_arff.dataset import Dataset
from widc_arff.errors import OptionError
from widc_arff.induction import induce
from widc_arff.options import LabelSetOptions, Options
from widc_arff.sample_data import xd6

COLOURS = (
    """@relation colours
@attribute colour {red, green, blue}
@attribute class {no, yes}
@data
"""
    + "red,yes\n" * 3
    + "green,no\n" * 4
    + "blue,no\n" * 3
)


def run(*arguments: str, stdin: str = COLOURS):
    return CliRunner().invoke(cli, arguments, stdin)


def model_of(*arguments: str, stdin: str = COLOURS):
    result = run("train", "-", *arguments, "--format", "json", stdin=stdin)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def conditions(model):
    return [[(x["is"], x["value"]) for x in rule["if"]] for rule in model["rules"]]


# the least coverage


def test_the_best_rule_within_the_least_coverage_is_found():
    # colour = red (3 of 10) and colour != red (7) split alike; only the second covers 4.
    assert conditions(model_of("--min-coverage", "4")) == [[("!=", "red")]]
    assert conditions(model_of("--min-coverage", "40%")) == [[("!=", "red")]]


def test_options_name_the_least_coverage_only_where_it_is_given():
    assert model_of("--min-coverage", "4")["training"]["options"]["min_coverage"] == 4.0
    assert model_of("--min-coverage", "40%")["training"]["options"]["min_coverage"] == "40%"
    assert set(model_of()["training"]["options"]) == {"pruning", "cut_points", "penalty"}


def test_a_least_coverage_that_nothing_has_leaves_no_rules():
    assert model_of("--min-coverage", "8")["rules"] == []


@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "0%", "101%", "five", "5 percent"])
def test_a_least_coverage_that_is_none_is_refused(value):
    result = run("train", "-", f"--min-coverage={value}")
    assert result.exit_code == 2
    assert "--min-coverage: expected a weight above 0 or a share such as 5%" in result.output


def test_a_search_on_a_part_of_the_rows_keeps_the_coverage_of_all(monkeypatch):
    monkeypatch.setattr(refining_module, "FEWEST_ROWS", 50)
    monkeypatch.setattr(refining_module, "MOST_CELLS", 1)
    dataset = Dataset.from_relation(xd6(600, 1))
    rules = induce(dataset, Options(min_coverage=70.0)).rules
    assert rules
    assert min(rule.covered for rule in rules) >= 70


# operators


def test_without_negation_there_is_no_unequal():
    # colour != red is the shorter way to say no; = green and = blue are two rules.
    model = model_of("--no-negation", "--pruning", "none", "--min-coverage", "4")
    assert conditions(model) == [[("=", "green")]]
    assert model["training"]["options"]["negation"] is False


def test_the_other_value_of_a_two_valued_attribute_stays():
    text = "@relation r\n@attribute a {x, y}\n@attribute class {no, yes}\n@data\n"
    rows = "x,yes\n" * 3 + "y,no\n" * 7
    model = model_of("--no-negation", "--min-coverage", "4", stdin=text + rows)
    assert conditions(model) == [[("=", "y")]]


def test_negation_that_is_no_truth_value_is_refused():
    with pytest.raises(OptionError, match="negation: expected True or False, got 'no'"):
        Options(negation="no")  # type: ignore[arg-type]


# label sets


def test_both_hold_for_label_sets():
    rng = np.random.default_rng(1)
    rows = "".join(
        f"{'abc'[a]},{x},{int(a == 0)},{int(x > 5 or a == 1)}\n"
        for a, x in zip(rng.integers(0, 3, 60), rng.integers(0, 10, 60), strict=True)
    )
    head = "@relation 'r: -C -2'\n@attribute n {a, b, c}\n@attribute x numeric\n"
    labels = "@attribute p {0, 1}\n@attribute q {0, 1}\n@data\n"
    model = model_of("--min-coverage", "25%", "--no-negation", stdin=head + labels + rows)
    assert model["rules"]
    assert all(rule["weight"] >= 15 for rule in model["rules"])
    assert "!=" not in {literal["is"] for rule in model["rules"] for literal in rule["if"]}
    assert LabelSetOptions.of(Options(min_coverage="25%")).min_coverage == "25%"
