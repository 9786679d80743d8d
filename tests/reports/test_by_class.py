"""Committees class by class, and what points have to do with votes."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import numpy as np
import pytest

from tests.reports.test_reports import SCHEMA, data, many_classes
from widc_arff import DecisionCommittee, Options, Rule, induce
from widc_arff.model.rules import TrainingSummary
from widc_arff.reports.by_class import class_sections, layout_for
from widc_arff.reports.layout import left, right, short, width_of, wrap_words
from widc_arff.reports.markdown import committee_markdown
from widc_arff.reports.text import committee_text, explanation_text


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
            assert found.get(k, explanation.winner) == other


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
        if found := re.match(r"  ([+-]\d)  (\d)  ", line):
            seen[name].append((int(found[2]), int(found[1])))
            share = re.search(r"(\S+) of (\S+)  ....[%–]$", line)
            rule, j = committee.rules[int(found[2]) - 1], names.index(name)
            assert share is not None
            assert [float(x) for x in share.groups()] == [rule.covers[j], rule.covered]
        elif not line.startswith(" "):
            name = re.split("  +", line)[0]
            seen[name] = []
    assert list(seen) == [names[j] for j in committee.tie_order]
    for name, rules in seen.items():
        given = [(k, of[names.index(name)]) for k, of in enumerate(committee.points, 1)]
        assert sorted(rules) == [pair for pair in given if pair[1]]
        assert [n for _, n in rules] == sorted((n for _, n in rules), reverse=True)
    absent = [n for n, w in zip(names, committee.training.weights, strict=True) if not w]
    told = " ".join(lines[lines.index("", 2) :])
    assert ("Never decided" in told) == bool(absent)
    assert all(name in told for name in absent)


def test_the_layout_goes_by_the_classes_that_occur():
    committee = many_classes(4)
    assert layout_for(committee, None) == "class"
    assert layout_for(committee, "rule") == "rule"
    weights = (0.0, 2.0, 3.0, 4.0)
    three = replace(committee, training=replace(committee.training, weights=weights))
    assert layout_for(three, None) == "rule"
    assert layout_for(three, "class") == "class"


def test_a_committee_of_ten_classes_is_the_golden_one(golden):
    committee = induce(data("led7"), Options())
    golden("committee-led7.txt", committee_text(committee))
    golden("committee-led7.md", committee_markdown(committee))
    golden("committee-led7-rules.txt", committee_text(committee, "rule"))
    row = next(r for r in range(500) if committee.explain(data("led7"), r).margin == 0)
    explanation, actual = committee.explain(data("led7"), row), int(data("led7").classes[row])
    golden("explanation-led7.txt", explanation_text(committee, explanation, row + 1, (), actual))


def test_a_class_without_rules_says_so():
    rule = Rule(many_classes(4).rules[0].monomial, (0, 1, 0, 0), (1.0, 2.0, 0.0, 0.0))
    committee = replace(many_classes(4), rules=(rule,))
    assert [len(section.votes) for section in class_sections(committee)] == [0, 0, 1, 0]
    assert committee_text(committee).count("  no rule") == 3
    assert committee_markdown(committee).count("| no rule |") == 3
    assert committee.n_votes == 1


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
