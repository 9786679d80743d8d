"""Rules changed by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.label_set_cases import random_sets
from widc_arff import (
    Attribute,
    DecisionCommittee,
    Literal,
    OptionError,
    Rule,
    Schema,
    induce,
    read_dataset,
)
from widc_arff.data.schema import Labels
from widc_arff.model.editing import Edit, edited, rounded
from widc_arff.model.expert_rules import parse_rules
from widc_arff.model.resolving import rules_text
from widc_arff.model.rules import TrainingSummary

ATTRIBUTES = (
    Attribute("age", "numeric"),
    Attribute("it's, odd", "nominal", ("yes", "no = #1", "then", "")),
    Attribute("seen", "date", format="yyyy-MM-dd"),
    Attribute("known by name", "string"),
)
SCHEMA = Schema("r", ATTRIBUTES, Labels("single", ("ill",), ("yes", ">50", "and not")))
DAY = 86_400_000.0


def committee(*rules: Rule) -> DecisionCommittee:
    training = TrainingSummary(10, (5.0, 3.0, 2.0), 0.25, {"pruning": "refined"}, "0", 0.5)
    return DecisionCommittee(SCHEMA, rules, (0.2, 0.5, 0.3), training)


def rule(*literals: Literal, votes=(1, 0, -1), **more) -> Rule:
    return Rule(literals, votes, (1.0, 2.0, 0.0), **more)


OLD = committee(
    rule(Literal(0, ">", 55.5), Literal(1, "!=", 1)),
    rule(Literal(0, ">", 20.25), Literal(0, "<=", 60.75), votes=(0, 1, 0), name="not 'very' old"),
    rule(Literal(1, "=", 3), Literal(2, "<=", 17_897.5 * DAY), votes=(0, 0, 0), locked=True),
    rule(Literal(1, "=", 2), votes=(-1, -1, 1)),
)


def test_rules_are_written_and_read_back_the_same():
    text = rules_text(OLD)
    assert text.splitlines()[:3] == [
        "if age > 55.5 and 'it\\'s, odd' != 'no = #1' then yes, not 'and not'",
        "'not \\'very\\' old' if age > 20.25 and age <= 60.75 then '>50'",
        "locked if 'it\\'s, odd' = '' and seen <= 2019-01-01T12:00:00 then [0, 0, 0]",
    ]
    again = edited(OLD, Edit(rules=parse_rules(tuple(text.splitlines()), "rules.txt")))
    assert again == OLD


@pytest.mark.parametrize("seed", range(4))
def test_learned_rules_are_read_back_the_same(seed):
    sets = induce(random_sets(seed))
    for found in (sets, induce(read_dataset("arff_data/wine.arff"))):
        lines = tuple(rules_text(found).splitlines())
        assert edited(found, Edit(rules=parse_rules(lines, "x"))) == found


def test_what_no_line_holds_is_refused():
    names = replace(SCHEMA, attributes=(Attribute("a\u2028ge", "numeric"), *ATTRIBUTES[1:]))
    with pytest.raises(OptionError, match="rule 1: expected names without line breaks"):
        rules_text(replace(OLD, schema=names))


CHANGES: dict[str, tuple[Edit, list[Any]]] = {
    "a rule removed": (Edit(remove=[2]), [0, 2, 3]),
    "several removed by their old numbers": (Edit(remove=[1, 2]), [2, 3]),
    "votes": (
        Edit(change=[(1, "then '>50'")]),
        [replace(OLD.rules[0], votes=(0, 1, 0)), 1, 2, 3],
    ),
    "conditions": (
        Edit(change=[(2, "if age <= 3")]),
        [0, rule(Literal(0, "<=", 3.0), votes=(0, 1, 0), name="not 'very' old"), 2, 3],
    ),
    "both": (
        Edit(change=[(4, "'so' if age <= 3 then yes")]),
        [0, 1, 2, rule(Literal(0, "<=", 3.0), votes=(1, 0, 0), name="so")],
    ),
    "a condition dropped": (
        Edit(drop=[(1, "it's, odd")]),
        [rule(Literal(0, ">", 55.5)), 1, 2, 3],
    ),
    "a cut point": (
        Edit(cut=[(1, "age = 50")]),
        [rule(Literal(0, ">", 50.0), Literal(1, "!=", 1)), 1, 2, 3],
    ),
    "one of two cut points": (
        Edit(cut=[(2, "age <= 61")]),
        [
            0,
            replace(OLD.rules[1], monomial=(Literal(0, ">", 20.25), Literal(0, "<=", 61.0))),
            2,
            3,
        ],
    ),
    "all cut points rounded": (
        Edit(digits=1),
        [
            rule(Literal(0, ">", 60.0), Literal(1, "!=", 1)),
            replace(OLD.rules[1], monomial=(Literal(0, ">", 20.0), Literal(0, "<=", 60.0))),
            2,
            3,
        ],
    ),
    "a date, unlocked": (
        Edit(unlock=[3], cut=[(3, "seen <= 2020-02-01")]),
        [
            0,
            1,
            rule(Literal(1, "=", 3), Literal(2, "<=", 18_293 * DAY), votes=(0, 0, 0)),
            3,
        ],
    ),
    "a rule added": (
        Edit(add=["locked if age > 90 then [-1, 0, 1]"]),
        [0, 1, 2, 3, rule(Literal(0, ">", 90.0), votes=(-1, 0, 1), locked=True)],
    ),
    "names and locks": (
        Edit(names_of_rules=[(1, "odd"), (2, "")], lock=[1], unlock=[3]),
        [
            replace(OLD.rules[0], name="odd", locked=True),
            replace(OLD.rules[1], name=""),
            replace(OLD.rules[2], locked=False),
            3,
        ],
    ),
}


@pytest.mark.parametrize("case", CHANGES)
def test_each_change_is_made_and_its_figures_are_known_only_where_they_are_true(case):
    edit, expected = CHANGES[case]
    wanted = [OLD.rules[x] if isinstance(x, int) else x for x in expected]
    found = edited(OLD, edit)
    assert [(r.monomial, r.votes, r.name, r.locked) for r in found.rules] == [
        (r.monomial, r.votes, r.name, r.locked) for r in wanted
    ]
    conditions = {r.monomial for r in OLD.rules}
    for r in found.rules:
        assert np.isnan(r.covered) == (r.monomial not in conditions)
    assert found.is_fitted == (case == "names and locks")
    assert found.tie_order == OLD.tie_order


def test_names_that_people_read_are_kept_and_taken_back():
    named = edited(OLD, Edit(attributes={"age": "years", "ill": "sick"}, labels={"yes": "ja"}))
    assert named.names.attributes == {"age": "years", "ill": "sick"}
    again = edited(named, Edit(attributes={"age": ""}))
    assert (again.names.attributes, again.names.labels) == ({"ill": "sick"}, {"yes": "ja"})
    assert again.is_fitted


FAULTS = [
    (Edit(remove=[5]), "expected a rule from 1 to 4, which is removed only once, got rule 5"),
    (Edit(remove=[1, 1]), "got rule 1"),
    (Edit(remove=[3]), "rule that is not locked, got rule 3; --unlock 3"),
    (Edit(change=[(3, "then yes")]), "--unlock 3"),
    (Edit(drop=[(4, "it's, odd")]), "--remove 4 removes it"),
    (Edit(drop=[(1, "agee")]), "--drop 1: expected an attribute that the rule tests"),
    (Edit(cut=[(1, "age <= 3")]), "--cut 1: expected a cut point that the rule has once"),
    (Edit(cut=[(2, "age = 3")]), "--cut 2: expected a cut point that the rule has once"),
    (Edit(cut=[(1, "age > old")]), "--cut 1: expected a number for the numeric attribute 'age'"),
    (Edit(cut=[(1, "'it\\'s, odd' = yes")]), "--cut 1: expected a cut point"),
    (Edit(cut=[(1, "age > 1 and age > 2")]), "--cut 1: expected one cut point"),
    (Edit(add=["if age > 3"]), "--add:1: expected votes behind then"),
    (Edit(add=["if 'known by name' = x then yes"]), "got its name only"),
    (Edit(change=[(1, "if agee > 3")]), "'agee'; did you mean 'age'?"),
    (Edit(change=[(1, "then yess")]), "did you mean 'yes'?"),
    (Edit(change=[(1, "# nothing")]), "expected a rule, as in"),
    (Edit(add=[""]), "--add: expected a rule, as in"),
    (Edit(digits=0), "expected from 1 to 17 digits"),
    (Edit(rules=()), "--rules: expected every locked rule as it is, or --unlock"),
    (Edit(attributes={"ages": "x"}), "--name-attribute: expected the name of an attribute"),
    (Edit(labels={"y": "x"}), "--name-label: expected the name of a label of the model"),
    (Edit(labels={"yes": ">50"}), "--name-label: expected distinct names, got '>50' twice"),
]


@pytest.mark.parametrize(("edit", "message"), FAULTS)
def test_what_cannot_be_done_is_said(edit, message):
    with pytest.raises(OptionError) as caught:
        edited(OLD, edit)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("value", "digits", "gap", "expected"),
    [
        (55.5, 2, (55.0, 56.0), 55.0),
        (0.8500000000000001, 2, (0.8, 0.9), 0.8),
        (0.8500000000000001, 2, None, 0.85),
        (1234.5, 2, (1230.0, 1239.0), 1200.0),
        (1234.5, 3, (1230.0, 1239.0), 1230.0),
        (-0.0374, 1, None, -0.04),
        (0.0, 3, None, 0.0),
        (5e-324, 1, None, 5e-324),
        (1e308, 3, (1e308, np.inf), 1e308),
    ],
)
def test_cut_points_are_rounded_to_what_a_person_would_write(value, digits, gap, expected):
    assert rounded(value, digits, gap) == expected


def test_rounded_with_data_no_row_changes_sides_where_digits_are_enough():
    data = read_dataset("arff_data/wine.arff")
    found = induce(data)
    short = edited(found, Edit(digits=4), data)
    assert (short.fires(data) == found.fires(data)).all()
    lengths = [sum(len(repr(x.value)) for r in c.rules for x in r.monomial) for c in (short, found)]
    assert lengths[0] < lengths[1]
