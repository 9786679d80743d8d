"""The nearest changes of one attribute that flip a decision, against trying every value."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from widc_arff import Dataset, nearest_changes
from widc_arff.arff.relation import Attribute
from widc_arff.data.dataset import Labels, Schema
from widc_arff.errors import DataError
from widc_arff.model.changes import Change, changes_by_row
from widc_arff.model.committee import DecisionCommittee
from widc_arff.model.literals import Literal
from widc_arff.model.rules import Rule, TrainingSummary

COLOURS = ("red", "blue", "green", "grey", "black")


def committee_of(attributes, rules, *, n_classes=2, default=None) -> DecisionCommittee:
    """Return a committee; a rule is its literals and its votes."""
    labels = Labels("single", ("class",), tuple("abcdef"[:n_classes]))
    default = default or (1 / n_classes,) * n_classes
    summary = TrainingSummary(n_classes, (1.0,) * n_classes, 0.0, {}, "0")
    made = tuple(
        Rule(tuple(Literal(*x) for x in literals), tuple(votes), (1.0,) * n_classes)
        for literals, votes in rules
    )
    return DecisionCommittee(Schema("r", tuple(attributes), labels), made, default, summary)


def dataset_of(committee: DecisionCommittee, rows) -> Dataset:
    """Return examples; None is missing."""
    columns = []
    for a, attribute in enumerate(committee.schema.attributes):
        cells = [row[a] for row in rows]
        if attribute.type == "nominal":
            columns.append(np.array([-1 if cell is None else cell for cell in cells], np.int8))
        else:
            columns.append(np.array([np.nan if cell is None else cell for cell in cells], float))
    Y = np.zeros((len(rows), committee.schema.n_classes), bool)
    return Dataset(committee.schema, tuple(columns), Y, np.ones(len(rows)), has_labels=False)


def decided(committee, row, attribute=None, value=None) -> int:
    """Return the class of a row, with another value of one attribute if one is given."""
    row = [value if a == attribute else cell for a, cell in enumerate(row)]
    return int(committee.predict_codes(dataset_of(committee, [row]))[0])


# by hand

SIZE, COLOUR = Attribute("size", "numeric"), Attribute("colour", "nominal", COLOURS)


def test_a_number_changes_to_the_cut_point_below_or_just_above_the_one_above():
    # size: (-inf, 2] b, (2, 4] a, (4, inf) b
    committee = committee_of(
        [SIZE], [([(0, ">", 2.0), (0, "<=", 4.0)], (1, -1))], default=(0.0, 1.0)
    )
    below, above = nearest_changes(committee, dataset_of(committee, [[2.5]]), 0)
    assert below == Change(
        0, 2.5, 2.0, (Literal(0, "<=", 2.0),), 1, (Literal(0, ">", 2.0),), (2.5 - 2) / (4 - 2)
    )
    assert (above.before, above.after) == (2.5, np.nextafter(4.0, 5.0))
    assert above.region == (Literal(0, ">", 4.0),)
    assert above.changed == (Literal(0, "<=", 4.0),)
    assert above.distance == pytest.approx((4 - 2.5) / (4 - 2))


def test_the_change_of_fewest_literals_is_first_then_the_shorter_one():
    # both rules hold and vote for a; one lost leaves a tie, which goes to b
    rules = [([(0, ">", 2.0)], (1, -1)), ([(1, "=", 0)], (1, -1)), ([(0, ">", 1.0)], (-1, 1))]
    committee = committee_of([SIZE, COLOUR], rules, default=(0.0, 1.0))
    changes = nearest_changes(committee, dataset_of(committee, [[2.25, 0]]), 0)
    assert [(c.attribute, c.after, c.winner, len(c.changed)) for c in changes] == [
        (0, 2.0, 1, 1),  # distance (2.25 - 2) / (2 - 1)
        (1, 1, 1, 1),  # distance 1; blue is the first declared value that no rule names
    ]
    assert [c.distance for c in changes] == [0.25, 1.0]


def test_a_missing_value_can_become_any():
    committee = committee_of([SIZE], [([(0, ">", 2.0)], (1, -1))], default=(0.0, 1.0))
    (change,) = nearest_changes(committee, dataset_of(committee, [[None]]), 0)
    assert (change.before, change.after, change.winner) == (None, np.nextafter(2.0, 3.0), 0)
    assert change.distance == 1.0


def test_where_no_single_change_flips_nothing_is_listed():
    rules = [([(0, ">", 2.0)], (1, -1)), ([(1, "=", 0)], (1, -1))]
    committee = committee_of([SIZE, COLOUR], rules, default=(0.9, 0.1))
    assert nearest_changes(committee, dataset_of(committee, [[3.0, 0]]), 0) == ()
    assert nearest_changes(committee_of([SIZE], []), dataset_of(committee, [[3.0, 0]]), 0) == ()


def test_label_sets_and_rows_that_are_not_there_are_refused():
    committee = committee_of([SIZE], [([(0, ">", 2.0)], (1, -1))])
    dataset = dataset_of(committee, [[3.0]])
    with pytest.raises(IndexError):
        nearest_changes(committee, dataset, 1)
    sets = replace(committee.schema, labels=Labels("multi", ("a", "b"), ("a", "b")))
    with pytest.raises(DataError, match="one class an example"):
        nearest_changes(replace(committee, schema=sets, threshold=0.0), dataset, 0)


def test_numbers_near_the_largest_and_infinite_ones_have_changes():
    largest = float(np.finfo(float).max)
    rules = [([(0, "<=", -largest)], (1, -1)), ([(0, ">", 1e308)], (1, -1))]
    committee = committee_of([SIZE], rules, default=(0.0, 1.0))
    for value, afters in ((0.0, [-largest, np.nextafter(1e308, np.inf)]), (np.inf, [1e308])):
        changes = nearest_changes(committee, dataset_of(committee, [[value]]), 0)
        assert sorted(c.after for c in changes) == afters


# random committees


def random_committee(rng: random.Random) -> DecisionCommittee:
    n_classes = rng.randint(2, 4)
    attributes: list[Attribute] = []
    for a in range(rng.randint(1, 5)):
        if rng.random() < 0.5:
            attributes.append(Attribute(f"x{a}", "numeric"))
        else:
            attributes.append(Attribute(f"x{a}", "nominal", COLOURS[: rng.randint(2, 5)]))

    def literal() -> tuple[int, str, float]:
        a = rng.randrange(len(attributes))
        if attributes[a].type == "nominal":
            return (a, rng.choice(["=", "!="]), rng.randrange(len(attributes[a].values)))
        return (a, rng.choice(["<=", ">"]), float(rng.randint(0, 4)))

    rules = [
        (
            [literal() for _ in range(rng.randint(1, 4))],
            [rng.randint(-1, 1) for _ in "abcd"[:n_classes]],
        )
        for _ in range(rng.randint(1, 8))
    ]
    default = tuple(rng.choice([0.1, 0.2, 0.3]) for _ in range(n_classes))
    return committee_of(attributes, rules, n_classes=n_classes, default=default)


def random_row(rng: random.Random, committee: DecisionCommittee) -> list[float | None]:
    return [
        None
        if rng.random() < 0.2
        else rng.randrange(len(attribute.values))
        if attribute.type == "nominal"
        else rng.choice([rng.uniform(-1, 5), float(rng.randint(0, 4))])
        for attribute in committee.schema.attributes
    ]


def probes(committee: DecisionCommittee, attribute: int) -> list[float]:
    """Return values, sorted, of which one is in every region."""
    declared = committee.schema.attributes[attribute]
    if declared.type == "nominal":
        return list(range(len(declared.values)))
    cuts = {x.value for rule in committee.rules for x in rule.monomial if x.attribute == attribute}
    return sorted(cuts | {float(np.nextafter(t, np.inf)) for t in cuts} | {-1e9, 1e9})


def turned(committee: DecisionCommittee, row, attribute: int, value) -> set[Literal]:
    """Return the literals whose truth changes with the value of an attribute."""
    literals = {x for rule in committee.rules for x in rule.monomial}
    other = [value if a == attribute else cell for a, cell in enumerate(row)]
    columns, others = (dataset_of(committee, [r]).columns for r in (row, other))
    return {x for x in literals if x.satisfied_by(columns)[0] != x.satisfied_by(others)[0]}


@pytest.mark.parametrize("seed", range(150))
def test_changes_are_those_that_trying_every_value_finds(seed):
    rng = random.Random(seed)
    committee = random_committee(rng)
    for _ in range(3):
        row = random_row(rng, committee)
        changes = nearest_changes(committee, dataset_of(committee, [row]), 0)
        present = decided(committee, row)
        for a, attribute in enumerate(committee.schema.attributes):
            flipping = [v for v in probes(committee, a) if decided(committee, row, a, v) != present]
            listed = [c for c in changes if c.attribute == a]
            for change in listed:
                assert change.before == row[a]
                assert change.winner == decided(committee, row, a, change.after) != present
                assert set(change.changed) == turned(committee, row, a, change.after)
                assert len(change.changed) == len(set(change.changed))
            here = row[a]
            if attribute.type == "nominal" or here is None:
                costs = [(len(turned(committee, row, a, v)), v) for v in flipping]
                cheapest = [min(costs)] if costs else []
                if attribute.type == "nominal":
                    assert [(len(c.changed), c.after) for c in listed] == cheapest
                assert [len(c.changed) for c in listed] == [cost for cost, _ in cheapest]
                continue
            below = max((v for v in flipping if v < here), default=None)
            above = min((v for v in flipping if v > here), default=None)
            expected = {v for v in (below, above) if v is not None}
            assert {c.after for c in listed} == expected
            assert len(listed) == len(expected)


@pytest.mark.parametrize("seed", range(100))
def test_all_of_a_region_is_decided_alike(seed):
    rng = random.Random(seed)
    committee = random_committee(rng)
    row = random_row(rng, committee)
    for change in nearest_changes(committee, dataset_of(committee, [row]), 0):
        for value in probes(committee, change.attribute):
            other = [value if a == change.attribute else cell for a, cell in enumerate(row)]
            columns = dataset_of(committee, [other]).columns
            if all(literal.satisfied_by(columns)[0] for literal in change.region):
                assert decided(committee, row, change.attribute, value) == change.winner


@pytest.mark.parametrize("seed", range(100))
def test_changes_are_sorted_by_literals_then_distance_then_attribute(seed):
    rng = random.Random(seed)
    committee = random_committee(rng)
    changes = nearest_changes(committee, dataset_of(committee, [random_row(rng, committee)]), 0)
    keys = [(len(c.changed), c.distance, c.attribute) for c in changes]
    assert keys == sorted(keys)
    for change in changes:
        literals = [x for rule in committee.rules for x in rule.monomial]
        cuts = [x.value for x in literals if x.attribute == change.attribute]
        span = max(cuts) - min(cuts) or abs(cuts[0])
        is_nominal = committee.schema.attributes[change.attribute].type == "nominal"
        if is_nominal or change.before is None or span == 0:
            assert change.distance == 1.0
        else:
            assert change.distance == pytest.approx(abs(change.before - change.after) / span)


def test_all_rows_at_once_are_as_one_by_one():
    rng = random.Random(1)
    committee = random_committee(rng)
    dataset = dataset_of(committee, [random_row(rng, committee) for _ in range(5000)])
    together = list(changes_by_row(committee, dataset))
    assert len(together) == 5000
    for row in (0, 17, 4095, 4096, 4999):
        assert together[row] == nearest_changes(committee, dataset, row)
    assert any(together)
    explanations = list(committee.explanations(dataset))
    assert [e.winner for e in explanations] == committee.predict_codes(dataset).tolist()
    assert explanations[4096] == committee.explain(dataset, 4096)
