"""Committees class by class, and what points have to do with votes."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from tests.reports.test_reports import SCHEMA, data, many_classes
from widc_arff import DecisionCommittee, Literal, Options, Rule, induce
from widc_arff.data.schema import Labels
from widc_arff.model.decision import decide
from widc_arff.model.rules import TrainingSummary
from widc_arff.reports.by_class import class_sections, never_decided
from widc_arff.reports.committees import committee_in_form
from widc_arff.reports.kinds import kind_of
from widc_arff.reports.layout import left, right, short, width_of, wrap_words
from widc_arff.reports.notebook import committee_html
from widc_arff.reports.text import committee_text
from widc_arff.reports.tree_graph import tree_graph


def random_committee(seed: int) -> DecisionCommittee:
    """Return a committee in which some classes have no training example."""
    rng = random.Random(seed)
    committee = many_classes(rng.randint(2, 9))
    n = committee.schema.n_classes
    weights = [float(rng.choice([0, 1, 5])) for _ in range(n)]
    weights[rng.randrange(n)] = 3.0
    default = np.array(weights) / sum(weights)
    votes = [[rng.choice((-1, 0, 1)) for _ in range(n)] for _ in committee.rules]
    for of_rule in votes:
        least = min(of_rule)
        of_rule[:] = [v if w else least for v, w in zip(of_rule, weights, strict=True)]
    rules = [
        replace(rule, votes=tuple(of)) for rule, of in zip(committee.rules, votes, strict=True)
    ]
    training = TrainingSummary(9, tuple(weights), 0.0, {}, "0")
    return replace(committee, rules=tuple(rules), default=tuple(default), training=training)


@pytest.mark.parametrize("seed", range(60))
def test_points_are_votes_but_for_a_number_that_all_classes_get(seed):
    committee = random_committee(seed)
    for rule, points in zip(committee.rules, committee.points, strict=True):
        differences = {v - n for v, n in zip(rule.votes, points, strict=True)}
        assert len(differences) == 1
        occur = [n for n, w in zip(points, committee.training.weights, strict=True) if w]
        if len(occur) == 2:
            assert min(occur) == 0
        if len(occur) > 2:
            assert occur.count(0) == max(occur.count(n) for n in set(occur))


@pytest.mark.parametrize("seed", range(60))
def test_the_first_class_with_most_points_is_decided(seed):
    committee = random_committee(seed)
    iris = data("iris")
    rng = np.random.default_rng(seed)
    n_rows = 40
    columns = (rng.integers(0, 4, n_rows), rng.uniform(0, 4, n_rows), np.zeros(n_rows))
    rows = replace(
        iris.take(np.arange(n_rows)),
        schema=committee.schema,
        columns=columns,
        Y=np.zeros((n_rows, committee.schema.n_classes), bool),
    )
    fires = committee.fires(rows)
    assert 0 < fires.mean() < 1
    for fired, decided in zip(fires, committee.predict_codes(rows), strict=True):
        points = np.array(committee.points)[fired].sum(axis=0)
        most = max(points[j] for j in committee.tie_order)
        assert decided == next(j for j in committee.tie_order if points[j] == most)
    for row in range(n_rows):
        explanation = committee.explain(rows, row)
        found = committee.without_rules(explanation)
        for k in explanation.fired:
            rest = replace(committee, rules=committee.rules[:k] + committee.rules[k + 1 :])
            other = int(rest.predict_codes(rows.take(np.array([row])))[0])
            assert found.get(k, explanation.decided) == other


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("label", ["c{}", "class number {}", "種類{}番"])
def test_each_class_has_the_rules_that_give_it_points(seed, label):
    committee = random_committee(seed)
    names = tuple(label.format(j) for j in range(committee.schema.n_classes))
    labels = replace(committee.schema.labels, values=names)
    committee = replace(committee, schema=replace(committee.schema, labels=labels))
    lines = committee_text(committee, "class").splitlines()
    assert max(map(width_of, lines)) <= 80
    seen: dict[str, list[tuple[int, int]]] = {}
    name = ""
    for line in lines[4 : lines.index("", 2)]:
        if found := re.match(r"[ !] ([+-]\d)  (\d)  ", line):
            seen[name].append((int(found[2]), int(found[1])))
            share = re.search(r"(\S+) of (\S+)  +\S+ [%–]", line)
            rule, j = committee.rules[int(found[2]) - 1], names.index(name)
            assert share is not None
            right = rule.covers[j] if int(found[1]) > 0 else rule.covered - rule.covers[j]
            assert [float(x) for x in share.groups()] == [right, rule.covered]
        elif not line.startswith(" "):
            name = re.split("  +", line)[0]
            seen[name] = []
    losers = [j for j in never_decided(committee) if not any(of[j] for of in committee.points)]
    assert list(seen) == [names[j] for j in committee.tie_order if j not in losers]
    for name, rules in seen.items():
        given = [(k, of[names.index(name)]) for k, of in enumerate(committee.points, 1)]
        assert sorted(rules) == [pair for pair in given if pair[1]]
        assert [n for _, n in rules] == sorted((n for _, n in rules), reverse=True)
    absent = [n for n, w in zip(names, committee.training.weights, strict=True) if not w]
    told = " ".join(lines[lines.index("", 2) :])
    assert ("because no training row has them" in told) == bool(absent)
    assert all(name in told for name in [*absent, *(names[j] for j in losers)])


@pytest.mark.parametrize("seed", range(40))
def test_what_is_never_decided_is_decided_on_no_row(seed):
    committee = random_committee(seed)
    n_classes = committee.schema.n_classes
    sums = [
        sum((np.array(committee.rules[k].votes) for k in fired), np.zeros(n_classes, int))
        for n in range(len(committee.rules) + 1)
        for fired in combinations(range(len(committee.rules)), n)
    ]
    decided = set(decide(np.array(sums), committee.tie_scores).tolist())
    assert decided.isdisjoint(never_decided(committee))
    assert decided <= set(committee.tie_order)


def test_a_committee_of_ten_classes_is_the_golden_one(golden):
    committee = induce(data("led7"), Options())
    golden("committee-led7.txt", committee_text(committee))
    golden("committee-led7.md", committee_in_form(committee, "markdown"))
    golden("committee-led7-rules.txt", committee_text(committee, "rule"))
    row = next(r for r in range(500) if committee.explain(data("led7"), r).margin == 0)
    explanation, actual = committee.explain(data("led7"), row), int(data("led7").classes[row])
    lines = kind_of(committee).explained(row + 1, explanation, [actual], None)
    golden("explanation-led7.txt", "".join(f"{line}\n" for line in lines))


def test_classes_without_rules_are_in_one_line_but_for_the_one_that_wins_ties():
    rule = Rule(many_classes(4).rules[0].monomial, (0, 1, 0, 0), (1.0, 2.0, 0.0, 0.0))
    committee = replace(many_classes(4), rules=(rule,))
    names = [section.name for section in class_sections(committee)]
    assert names == ["class number 3", "class number 1"]
    never = "Never predicted, because no rule votes for them: class number 2 and class number 0."
    for text in (committee_text(committee), committee_in_form(committee, "markdown")):
        assert text.count("no rule ") + text.count("no rule\n") == 3  # with two sentences
        assert never in " ".join(text.split())
    assert committee.n_votes == 1


def two_classes(*labels: str, decides: float | None = 7.0) -> DecisionCommittee:
    """Return a committee of one rule for each of two classes, the second contradicts its rows."""
    monomial = many_classes(4).rules[0].monomial[1:2]
    rules = (
        Rule(monomial, (-1, 1), (4.0, 16.0), decides=decides),
        Rule(monomial, (0, -1), (1.0, 9.0), decides=decides),
    )
    schema = replace(SCHEMA, labels=replace(SCHEMA.labels, values=labels))
    training = TrainingSummary(40, (16.0, 24.0), 0.25, {}, "0", 0.125)
    return DecisionCommittee(schema, rules, (0.6, 0.4), training)


FORMS = {
    "text": committee_text,
    "rules": lambda committee: committee_text(committee, "rule"),
    "markdown": lambda committee: committee_in_form(committee, "markdown"),
    "rows": lambda committee: committee_in_form(committee, "markdown", "rule"),
    "latex": lambda committee: committee_in_form(committee, "latex").replace("\\%", "%"),
    "notebook": committee_html,
    "page": lambda committee: committee_in_form(committee, "html"),
    "weka": tree_graph,
}


@pytest.mark.parametrize("form", FORMS)
def test_each_form_says_how_often_a_rule_is_right_for_the_class_it_votes_for(form):
    told = FORMS[form](two_classes("no", "yes"))
    plain = " ".join(re.sub(r"<[^>]*>|[|&]|\\n|\\", " ", told).split())
    # 16 of the 20 rows covered are yes, as are 24 of all 40; of the second rule 1 of 10 is no,
    # for which it votes, as are 16 of 40
    n_told = 1 if form == "weka" else 4  # a box of Weka's window is small
    for figures in (("16 of 20", "80 %", "60 %", "7"), ("1 of 10", "10 % !", "40 %", "7")):
        assert re.search(r"\D{1,12}".join(map(re.escape, figures[:n_told])), plain), plain
    assert "purity" not in plain
    if form != "weka":
        assert "A condition on a missing value does not hold." in plain
        assert "Points decide 87.5 % of the training rows, ties 12.5 %." in plain
        assert "the vote is right less often on the rows that the rule covers" in plain


@pytest.mark.parametrize("form", FORMS)
def test_older_models_do_not_say_how_many_rows_a_rule_decides(form):
    told = FORMS[form](two_classes("no", "yes", decides=None))
    assert "ecides" not in told.replace("Points decide", "")


def test_classes_that_are_numbers_are_named_as_classes():
    text = committee_text(two_classes("1", "<50"))
    assert re.search(r"^class 1 .*\n.*\nclass <50 ", text, re.MULTILINE)
    assert "that is class 1." in " ".join(text.split())


def test_names_longer_than_a_line_keep_their_figures():
    names = tuple(f"{j} " + "word " * 30 for j in range(4))
    labels = replace(many_classes(4).schema.labels, values=names)
    committee = replace(many_classes(4), schema=replace(SCHEMA, labels=labels))
    lines = committee_text(committee).splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(" of 10  " in line for line in lines) == 4


def test_east_asian_letters_take_two_columns():
    assert width_of("abc") == 3
    assert width_of("種類 a") == 6
    assert width_of("é") == width_of("e\u0301") == 1
    assert left("種", 4) + "|" == "種  |"
    assert right("種", 4) == "  種"
    assert width_of(short("種" * 30, 20)) <= 20
    assert short("種" * 30, 20, keep_end=True).endswith("種")
    assert all(width_of(line) <= 20 for line in wrap_words(["種類"] * 30, 20))


@pytest.mark.parametrize("form", [name for name in FORMS if name not in ("rules", "rows", "weka")])
def test_each_form_says_how_often_votes_for_and_against_labels_are_right(form):
    labels = Labels("multi", ("sail", "run"), ("sail", "run"))
    schema = replace(SCHEMA, labels=labels)
    # of the 8 rows covered 6 sail, as do 10 of all 20; 2 of them run, as do 12 of all
    rule = Rule((Literal(1, ">", 2.0),), (1, -1), (6.0, 2.0), 8.0, decides=5.0)
    training = TrainingSummary(20, (10.0, 12.0), 0.25, {}, "0", 0.125)
    committee = DecisionCommittee(schema, (rule,), (0.6, 0.4), training, threshold=0.25)
    plain = " ".join(re.sub(r"<[^>]*>|[|&]|\\", " ", FORMS[form](committee)).split())
    assert "sail 75 % (50 %)" in plain
    assert "run 75 % (40 %)" in plain
    assert "A condition on a missing value does not hold." in plain
    # half of the default vector is 0.3 and 0.2: with 0 votes 0.3 reaches 0.25 and 0.2 does not,
    # and no rule has a vote against the first, or for the second
    assert "A row always gets sail. A row never gets run." in plain
    assert re.search(r"covers\D*8\b|\b8 5\b", plain)


@pytest.mark.parametrize("form", ["markdown", "html", "latex"])
def test_a_table_has_no_column_for_votes_that_no_rule_has(form):
    labels = Labels("multi", ("sail", "run"), ("sail", "run"))
    schema = replace(SCHEMA, labels=labels)
    training = TrainingSummary(20, (10.0, 12.0), 0.25, {}, "0", 0.125)
    some, none = (
        DecisionCommittee(
            schema,
            (
                Rule((Literal(1, ">", 2.0),), votes, (6.0, 2.0), 8.0),
                Rule((Literal(1, ">", 3.0),), (1, 0), (6.0, 2.0), 8.0),
            ),
            (0.6, 0.4),
            training,
            threshold=0.25,
        )
        for votes in ((0, -1), (0, 1))
    )
    told, silent = (
        re.sub(r"(?s)<style>.*</style>", "", committee_in_form(of, form)) for of in (some, none)
    )
    assert "against" in told
    assert "against" not in silent
    if form == "html":  # a cell without votes has no colour
        assert told.count('<td class="list against">') == told.count('<td class="list for">') == 1
