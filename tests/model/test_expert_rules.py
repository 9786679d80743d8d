"""Rules that a user gives: their file, and how they stand in a committee."""

from __future__ import annotations

import json
import re
import warnings
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from click.testing import CliRunner

from tests.label_set_cases import DAYS, random_sets
from widc_arff import read_arff, read_committee, refitted
from widc_arff.cli import cli
from widc_arff.data.dataset import Dataset
from widc_arff.errors import ArffError, OptionError, WidcError, WidcWarning
from widc_arff.induction import induce
from widc_arff.induction.vectors.classes import best_vector
from widc_arff.model.expert_rules import ExpertRule, parse_rules, read_rules
from widc_arff.model.resolving import by_names
from widc_arff.options import LabelSetOptions, Options

ROOT = Path(__file__).parents[2]
IRIS = str(ROOT / "arff_data" / "iris.arff")
PRUNINGS = ["refined", "pessimistic", "optimistic", "none"]


def iris() -> Dataset:
    return Dataset.from_relation(read_arff(IRIS))


def rules(*lines: str) -> tuple[ExpertRule, ...]:
    return parse_rules(lines, "rules.txt")


def run(*arguments: str, stdin: str = ""):
    return CliRunner().invoke(cli, arguments, stdin)


# the file


OPERATORS = "expected one of the operators =, !=, <=, >, in, not in, is known, is missing"


@pytest.mark.parametrize(
    ("line", "conditions", "votes"),
    [
        ("if a <= 0.8 then x", (("a", "<=", "0.8"),), (("x", 1),)),
        ("IF a > 1 AND b=red THEN x,y", (("a", ">", "1"), ("b", "=", "red")), (("x", 1), ("y", 1))),
        ("if b != red then x, not y", (("b", "!=", "red"),), (("x", 1), ("y", -1))),
        ("if a > -1e3 then [1, -1, 0]  # so said", (("a", ">", "-1e3"),), (1, -1, 0)),
        ("if a > 1", (("a", ">", "1"),), None),
        ("if 'a and b' = \"it's\" then 'not x'", (("a and b", "=", "it's"),), (("not x", 1),)),
        ("if petal width <= 1 then light red", (("petal width", "<=", "1"),), (("light red", 1),)),
        (r"if 'a\'#' = 'b\\' then x", (("a'#", "=", "b\\"),), (("x", 1),)),
    ],
)
def test_a_line_is_a_rule(line, conditions, votes):
    (rule,) = rules("", "  # nothing", line)
    assert rule == ExpertRule(conditions, votes, "rules.txt:3")
    (again,) = rules("", "", str(rule))  # as it stands in a model's options
    assert again == rule


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("a <= 1 then x", 1, "expected if, got 'a'"),
        ("if <= 1", 4, "expected the name of an attribute, got '<='"),
        (
            "if a < 1",
            6,
            f"{OPERATORS}, got '<'",
        ),
        (
            "if a == 1",
            6,
            f"{OPERATORS}, got '=='",
        ),
        ("if a > then x", 8, "expected a value, got 'then'"),
        ("if a > 1 then", 14, "expected a label, got the end of the line"),
        ("if a > 1 then x,", 17, "expected a label, got the end of the line"),
        ("if a > 1 then [2]", 16, "expected a vote of -1, 0 or 1, got '2'"),
        ("if a > 1 then [1", 17, "expected ], got the end of the line"),
        ("if a > 1 then x or", 0, ""),
        ("if 'a > 1", 4, 'expected a closing quote, got "\'"'),
        ("if a > 1 > 2", 10, "expected and, then or the end of the line, got '>'"),
    ],
)
def test_a_line_that_is_no_rule_is_refused_with_its_place(line, column, message):
    if not message:  # a label of two words
        assert rules(line)[0].votes == (("x or", 1),)
        return
    with pytest.raises(ArffError) as caught:
        rules("# first", line)
    assert str(caught.value).startswith(f"rules.txt:2:{column}: {message}")


def test_the_rules_of_a_model_file_are_taken(tmp_path):
    committee = induce(iris(), Options("pessimistic"))
    model, alone = tmp_path / "model.json", tmp_path / "rules.json"
    model.write_text(committee.to_json(), encoding="utf-8")
    data = json.loads(committee.to_json())
    alone.write_text(json.dumps(data["rules"]), encoding="utf-8")
    for path in (model, alone):
        given = induce(iris(), Options("none", rules=read_rules(str(path))))
        first = given.rules[: len(committee.rules)]  # which decide less beside others
        assert [replace(rule, decides=None) for rule in first] == [
            replace(rule, decides=None, locked=True) for rule in committee.rules
        ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "expected rules as text or JSON"),
        ('{"if": []}', "expected a list of rules, or an object with 'rules'"),
        ("[{}]", "rules[0]: expected an object with a list of conditions in 'if'"),
        ('[{"if": [{"attribute": "a", "is": "<", "value": 1}]}]', "rules[0]: expected conditions"),
        (
            '[{"if": [{"attribute": "a", "is": ">", "value": 1}], "votes": [2]}]',
            "expected votes of",
        ),
    ],
)
def test_json_that_holds_no_rules_is_refused(tmp_path, text, message):
    path = tmp_path / "rules.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ArffError) as caught:
        read_rules(str(path))
    assert message in str(caught.value)


# the committee


@pytest.mark.parametrize("pruning", PRUNINGS)
def test_given_rules_stand_first_and_as_they_are(pruning):
    dataset = iris()
    given = rules(
        "if petal_width <= 0.77 then setosa, not virginica",  # 0.77 is no cut point
        "if petal_width <= 0.77 and sepal_length > 100 then [0, 0, 1]",  # covers nothing
        "if sepal_width > 3",
    )
    with pytest.warns(WidcWarning, match=r"rules.txt:2: no training row satisfies if petal"):
        committee = induce(dataset, Options(pruning, rules=given))
    first, second, third = committee.rules[:3]
    assert [(x.attribute, x.operator, x.value) for x in first.monomial] == [(3, "<=", 0.77)]
    assert (first.votes, first.covers) == ((1, 0, -1), (50.0, 0.0, 0.0))
    assert (second.votes, second.covers) == ((0, 0, 1), (0.0, 0.0, 0.0))
    weights = np.array(third.covers)
    assert third.votes == tuple(best_vector(weights, np.ones(3, bool)))
    assert len(committee.rules) > 3
    wrong = committee.predict_codes(dataset) != dataset.classes
    assert committee.training.error == pytest.approx(wrong.mean(), abs=1e-12)
    assert committee.training.error < 0.15
    assert type(committee).from_json(committee.to_json()) == committee
    told = cast("list[str]", committee.training.options["rules"])
    again = Options(pruning, rules=parse_rules(told, "model"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)
        assert induce(dataset, again).rules == committee.rules


@pytest.mark.parametrize("pruning", PRUNINGS)
def test_rules_come_around_what_is_given(pruning):
    # The given rule decides setosa; nothing more has to be said of it.
    committee = induce(iris(), Options(pruning, rules=rules("if petal_width <= 0.8 then setosa")))
    plain = induce(iris(), Options(pruning))
    assert committee.training.error <= plain.training.error + 0.02
    monomials = [frozenset(rule.monomial) for rule in committee.rules]
    assert len(set(monomials)) == len(monomials)


def test_a_wrong_rule_is_kept_and_made_good():
    dataset = iris()
    wrong = rules("if petal_width <= 0.8 then virginica")
    committee = induce(dataset, Options(rules=wrong))
    assert committee.rules[0].votes == (0, 0, 1)
    assert committee.training.error < 0.1  # learned rules outvote it


def test_default_vector_counts_given_rules():
    # All of setosa is decided by the given rule; the ambiguous are the others alone.
    options = Options("none", max_rules=1, rules=rules("if petal_width <= 0.8 then setosa"))
    committee = induce(iris(), options)
    assert committee.default == (0.0, 0.5, 0.5)


@pytest.mark.parametrize("pruning", PRUNINGS)
@pytest.mark.parametrize(("most", "size"), [(2, None), (3, 4), (None, 2)])
def test_limits_count_given_rules(pruning, most, size):
    given = rules("if petal_width <= 0.8 then setosa", "if petal_width > 2 then virginica")
    committee = induce(iris(), Options(pruning, max_rules=most, max_size=size, rules=given))
    assert len(committee.rules) >= 2
    assert most is None or len(committee.rules) <= most
    assert size is None or committee.n_literals <= size


def test_limits_that_given_rules_exceed_are_refused():
    given = rules("if a > 1 and b > 1 then x")
    with pytest.raises(OptionError, match="max_size: expected at least 2, which the given rules"):
        Options(max_size=1, rules=given)
    with pytest.raises(OptionError, match="max_rules: expected at least 1, which the given rules"):
        Options(max_rules=0, rules=given)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "if petal_widht > 1 then setosa",
            "expected an attribute of the data, got 'petal_widht'",
        ),
        ("if petal_width = 1 then setosa", "expected <= or > for the numeric attribute 'petal_wid"),
        ("if petal_width > big then setosa", "expected a number for the numeric attribute 'petal"),
        ("if petal_width > nan then setosa", "expected a number for the numeric attribute 'petal"),
        (
            "if petal_width > 1 then setos",
            "expected a label of 'class' ('setosa', 'versicolor'",
        ),
        ("if petal_width > 1 then [1, 0]", "expected 3 votes, one for each label"),
    ],
)
def test_a_rule_that_does_not_fit_the_data_is_refused_with_its_place(tmp_path, line, message):
    path = tmp_path / "rules.txt"
    path.write_text(f"# one\n{line}\n", encoding="utf-8")
    result = run("train", IRIS, "--rules", str(path))
    assert isinstance(result.exception, WidcError)
    assert str(result.exception).startswith(f"{path}:2: {message}")


def test_nominal_and_date_attributes_are_tested_by_their_values(tmp_path):
    text = (
        "@relation r\n@attribute c {red, blue}\n@attribute d date yyyy-MM-dd\n"
        "@attribute class {a, b}\n@data\n" + "red,2020-01-01,a\nblue,2021-01-01,b\n" * 4
    )
    line = "if d > 2020-06-01 and c != red then b"
    path = tmp_path / "rules.txt"
    path.write_text(line, encoding="utf-8")
    result = run("train", "-", "--rules", str(path), "--format", "json", stdin=text)
    tests = json.loads(result.stdout)["rules"][0]["if"]
    assert [test["is"] for test in tests] == [">", "!="]
    assert tests[0]["value"] == 1590969600000.0  # 2020-06-01 in UTC


def test_given_rules_keep_to_directions():
    against = rules("if petal_width > 1 then not virginica")
    told = r"rules.txt:1: expected a rule that agrees with monotone petal_w"
    with pytest.raises(OptionError, match=told):
        induce(iris(), Options(monotone=("petal_width=+virginica",), rules=against))
    learned = rules("if petal_width > 1")
    committee = induce(iris(), Options(monotone=("petal_width=+virginica",), rules=learned))
    votes = committee.rules[0].votes
    assert votes[2] == max(votes)


OF_SETS = [
    {"aim": "sets"},
    {"aim": "ranking"},
    {"pruning": "pessimistic", "vectors": "approximate"},
    {"pruning": "none", "vectors": "approximate"},
]


@pytest.mark.parametrize("options", OF_SETS)
def test_label_sets_are_learned_around_given_rules(options):
    sets = random_sets(3, 200)
    given = rules("'mine' if a0 = u and x > 0.2 then l0, not l2", "if a1 = v")
    committee = induce(sets, LabelSetOptions(rules=given, **options))
    first, second, *learned = committee.rules
    assert (first.name, first.votes, first.locked) == ("mine", (1, 0, -1, 0), True)
    assert second.locked
    assert any(second.votes)
    assert learned
    assert not any(rule.locked for rule in learned)
    assert all(rule.monomial != second.monomial for rule in learned)
    # nothing is learned that lowers no loss beside them
    without = replace(committee, rules=(first, second))
    loss = "hamming" if options.get("aim") == "sets" else "error"
    assert getattr(committee.training, loss) < getattr(refitted(without, sets).training, loss)
    assert refitted(committee, sets).training == committee.training


@pytest.mark.parametrize("options", OF_SETS)
def test_rules_that_were_learned_can_be_given(options):
    sets = random_sets(4, 120)
    found = induce(sets, LabelSetOptions(**options))
    given = tuple(by_names(rule, sets.schema) for rule in found.rules)
    again = induce(sets, LabelSetOptions(rules=given, max_rules=len(given), **options))
    assert [(r.monomial, r.votes) for r in again.rules] == [
        (r.monomial, r.votes) for r in found.rules
    ]
    assert again.default == found.default
    assert again.training.hamming == pytest.approx(found.training.hamming, abs=0.05)


def test_votes_for_labels_are_learned_where_none_are_told(tmp_path):
    (tmp_path / "days.arff").write_text(DAYS, encoding="utf-8")
    path = str(tmp_path / "days.arff")
    command = ("train", path, "--labels", "sail,run,read", "-q", "--max-rules", "1")
    (tmp_path / "rules.txt").write_text("if sky = rain\n", encoding="utf-8")
    model = str(tmp_path / "model.json")
    result = run(*command, "--rules", str(tmp_path / "rules.txt"), "--model", model)
    assert result.exit_code == 0
    # three of four rainy days are for reading
    assert read_committee(model).rules[0].votes == (0, 0, 1)
    changed = str(tmp_path / "changed.json")
    assert run("edit", model, path, "--add", "if wind > 5", "-o", changed).exit_code == 0
    # all three windy days are for sailing, two of them for running
    assert read_committee(changed).rules[1].votes == (1, 1, 0)


def test_a_given_rule_for_label_sets_that_holds_nowhere_is_said():
    with pytest.warns(WidcWarning, match="rules.txt:1: no training row satisfies if x > 1000"):
        induce(random_sets(1), LabelSetOptions(rules=rules("if x > 1000")))


def test_evaluate_and_the_estimator_take_rules(tmp_path):
    path = tmp_path / "rules.txt"
    path.write_text("if petal_width <= 0.8 then setosa\n", encoding="utf-8")
    result = run("evaluate", IRIS, "--rules", str(path), "--folds", "3", "--format", "json")
    told = json.loads(result.stdout)
    assert told["options"]["rules"] == ["if petal_width <= 0.8 then setosa"]
    assert told["error"] < 0.1
    pytest.importorskip("sklearn")
    from widc_arff.estimator.classifier import WIDCClassifier

    dataset = iris()
    X, y = np.column_stack(dataset.columns), dataset.classes
    fitted = WIDCClassifier(rules=["if x3 <= 0.8 then 0"]).fit(X, y)
    assert fitted.rules_[0] == "x3 <= 0.8: 0 +1"
    assert (
        WIDCClassifier.from_model(fitted.committee_).fit(X, y.astype(str)).rules_ == fitted.rules_
    )


@pytest.mark.parametrize("then", ["lo, not lo", "not lo, lo", "lo, lo"])
def test_a_label_has_one_vote(then):
    with pytest.raises(ArffError, match=r"r\.txt:1:.*expected each label once, got 'lo'"):
        parse_rules([f"if x <= 1 then {then}"], "r.txt")


@pytest.mark.parametrize(
    ("line", "quoted"),
    [
        ("if a > 3 then >50_1", "'>50_1'"),
        ("if a > 3 then not <=50K, b", "'<=50K'"),
        ("if a > 3 then b=c", "'b=c'"),
        ("if a = >50K then b", "'>50K'"),
        ("if <a> = 5", "'<a>'"),
        ("if a = [1,2) then b", "'[1,2)'"),
        ("if a = C# then b", "'C#'"),
        ("if a = Bachelor's then b", "'Bachelor\\'s'"),
        ("if a = x!y then b", "'x!y'"),
    ],
)
def test_a_text_that_needs_quotes_is_told_with_them_and_taken_so(line, quoted):
    with pytest.raises(ArffError) as caught:
        parse_rules([line], "r.txt")
    assert caught.value.message.endswith(f"needs quotes: {quoted}")
    bare = re.sub(r"\\(.)", r"\1", quoted[1:-1])
    (rule,) = parse_rules([line.replace(bare, quoted)], "r.txt")
    votes = cast("tuple[tuple[str, int], ...]", rule.votes or ())
    assert bare in [*rule.conditions[0], *dict(votes)]


@pytest.mark.parametrize("line", ["if a = b, then c", "if a > then b", "if a > 3 then not"])
def test_no_text_in_quotes_is_proposed_where_it_is_not_clear_which(line):
    with pytest.raises(ArffError) as caught:
        parse_rules([line], "r.txt")
    assert not caught.value.message.endswith("'")


def test_a_comment_begins_at_the_line_or_behind_a_blank():
    (rule,) = parse_rules(["# if a > 1", "if a > 2 then x # y"], "r.txt")
    assert str(rule) == "if a > 2 then x"
