"""The nearest changes that flip a decision, against trying every value."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from tests.reference.changes import flipping_sets
from widc_arff import Dataset, nearest_changes
from widc_arff.arff.relation import Attribute
from widc_arff.data.schema import Labels, Schema
from widc_arff.errors import DataError
from widc_arff.model.change_search import MOST_COMBINATIONS, most_together
from widc_arff.model.change_values import MOST_LISTED, Change, Step, Unknown, Wanted
from widc_arff.model.changes import changes_by_row, unknown_by_row
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


def test_a_number_changes_to_the_value_of_the_next_region_that_occurred_in_training():
    # size: (-inf, 2] b, (2, 4] a, (4, inf) b
    committee = committee_of(
        [SIZE], [([(0, ">", 2.0), (0, "<=", 4.0)], (1, -1))], default=(0.0, 1.0)
    )
    committee = committee.having_seen({0: np.array([1.0, 1.5, 3.0, 4.5, 6.0, np.nan])})
    assert committee.seen == {0: (1.0, 1.5, 3.0, 4.5, 6.0)}
    (change,) = nearest_changes(committee, dataset_of(committee, [[2.5]]), 0)
    step = Step(0, 2.5, 1.5, (Literal(0, "<=", 2.0),), (2.5 - 1.5) / (6 - 1))
    assert change == Change((step,), 1)
    (change,) = nearest_changes(committee, dataset_of(committee, [[3.5]]), 0)
    assert (change.steps[0].after, change.distance) == (4.5, (4.5 - 3.5) / 5)
    nowhere = committee.having_seen({0: np.array([1.0, 1.5, 3.0])})
    (change,) = nearest_changes(nowhere, dataset_of(committee, [[3.5]]), 0)
    assert (change.steps[0].after, change.distance) == (1.5, (3.5 - 1.5) / (3 - 1))


def test_where_it_is_not_known_what_occurred_the_ends_of_regions_are_entered():
    committee = committee_of(
        [SIZE], [([(0, ">", 2.0), (0, "<=", 4.0)], (1, -1))], default=(0.0, 1.0)
    )
    afters = [
        nearest_changes(committee, dataset_of(committee, [[size]]), 0)[0].steps[0].after
        for size in (2.5, 3.5)
    ]
    assert afters == [2.0, np.nextafter(4.0, 5.0)]


def test_labels_that_did_not_occur_are_not_entered():
    committee = committee_of([COLOUR], [([(0, "=", 0)], (1, -1))], default=(0.0, 1.0))
    row = dataset_of(committee, [[0]])
    for seen, after in (([0, 1, 2], 1), ([0, 3, 4], 3), ([0], None)):
        known = committee.having_seen({0: np.array(seen, float)})
        changes = nearest_changes(known, row, 0)
        assert [change.steps[0].after for change in changes] == ([] if after is None else [after])
    everything = committee.having_seen({0: np.arange(5.0)})
    assert everything.seen == {}


def test_fewer_attributes_come_first_then_the_shorter_way():
    # all three rules hold for a: two must be lost for b, or size alone
    rules = [([(0, ">", 2.0)], (1, -1)), ([(1, "=", 0)], (1, -1)), ([(2, "=", 0)], (1, -1))]
    attributes = [SIZE, COLOUR, replace(COLOUR, name="paint")]
    committee = committee_of(attributes, rules, default=(0.0, 1.0))
    committee = committee.having_seen({0: np.array([1.0, 3.0, 11.0])})
    row = dataset_of(committee, [[3.0, 0, 0]])
    changes = nearest_changes(committee, row, 0)
    tried = [([s.attribute for s in change.steps], change.distance) for change in changes]
    assert tried == [([0, 1, 2], 2.2)]
    against = Rule(committee.rules[1].monomial, (-1, 1), (1.0, 1.0))
    lean = replace(committee, rules=(*committee.rules, against))
    changes = nearest_changes(lean, row, 0)
    tried = [([s.attribute for s in change.steps], change.distance) for change in changes]
    assert tried == [([0, 2], 1.2)]


def test_a_missing_value_can_become_any():
    committee = committee_of([SIZE], [([(0, ">", 2.0)], (1, -1))], default=(0.0, 1.0))
    (change,) = nearest_changes(committee, dataset_of(committee, [[None]]), 0)
    (step,) = change.steps
    assert (step.before, step.after, change.decision) == (None, np.nextafter(2.0, 3.0), 0)
    assert change.distance == 1.0


def test_attributes_can_be_fixed_or_only_increase():
    rules = [([(0, ">", 2.0)], (1, -1)), ([(1, "=", 0)], (1, -1))]
    committee = committee_of([SIZE, COLOUR], rules, default=(0.1, 0.9))
    row = dataset_of(committee, [[3.0, 1]])

    def attributes(**wanted) -> list[int]:
        changes = nearest_changes(committee, row, 0, Wanted(**wanted))
        return [step.attribute for change in changes for step in change.steps]

    assert attributes() == [0]  # of size 3 down to 2 is enough: a tie goes to b
    assert attributes(increasing=("size",)) == []
    assert attributes(fixed=("size",)) == []
    with pytest.raises(DataError, match="of the model, got 'sise'; did you mean 'size'"):
        attributes(fixed=("sise",))
    with pytest.raises(DataError, match="of numbers to increase, got 'colour'"):
        attributes(increasing=("colour",))


def test_with_costs_the_class_of_least_cost_changes():
    committee = committee_of([SIZE], [([(0, ">", 2.0)], (-1, 1))], default=(0.9, 0.1))
    row = dataset_of(committee, [[3.0]])
    costs = ((0.0, 1.0), (100.0, 0.0))  # b is decided for anyway
    assert [c.decision for c in nearest_changes(committee, row, 0)] == [0]
    assert nearest_changes(committee, row, 0, Wanted(costs=costs)) == ()


def test_of_label_sets_other_labels_are_a_change():
    committee = committee_of([SIZE], [([(0, ">", 2.0)], (1, -1))])
    sets = replace(committee.schema, labels=Labels("multi", ("a", "b"), ("a", "b")))
    committee = replace(committee, schema=sets, threshold=0.5)
    (change,) = nearest_changes(committee, dataset_of(committee, [[3.0]]), 0)
    assert (change.steps[0].after, change.decision) == (2.0, ())


def test_where_nothing_flips_nothing_is_listed():
    rules = [([(0, ">", 2.0)], (1, -1))]
    committee = committee_of([SIZE, COLOUR], rules, default=(0.9, 0.1))
    assert nearest_changes(committee, dataset_of(committee, [[3.0, 0]]), 0) == ()
    assert nearest_changes(committee_of([SIZE], []), dataset_of(committee, [[3.0, 0]]), 0) == ()
    with pytest.raises(IndexError):
        nearest_changes(committee, dataset_of(committee, [[3.0, 0]]), 1)


def test_numbers_near_the_largest_and_infinite_ones_have_changes():
    largest = float(np.finfo(float).max)
    rules = [([(0, "<=", -largest)], (1, -1)), ([(0, ">", 1e308)], (1, -1))]
    committee = committee_of([SIZE], rules, default=(0.0, 1.0))
    for value, afters in ((0.0, {-largest, np.nextafter(1e308, np.inf)}), (np.inf, {1e308})):
        changes = nearest_changes(committee, dataset_of(committee, [[value]]), 0)
        assert changes[0].steps[0].after in afters


def test_what_is_missing_keeps_rules_from_being_judged():
    rules = [
        ([(0, ">", 2.0), (1, "=", 0)], (1, -1)),
        ([(0, "<=", 4.0), (1, "=", 1)], (1, -1)),
        ([(0, ">", 8.0)], (0, 1)),
    ]
    committee = committee_of([SIZE, COLOUR], rules, default=(0.0, 1.0))
    rows = dataset_of(committee, [[None, 0], [3.0, None], [3.0, 0], [None, None]])
    of_size, of_colour, nothing, both = unknown_by_row(committee, rows)
    # rule 2 needs another colour, whatever the size
    low, high = (Literal(0, "<=", 2.0),), (Literal(0, ">", 2.0),)
    assert of_size == (Unknown(0, (0, 2), ((low, 1), (high, 0))),)
    ones = (Literal(1, "=", 0), Literal(1, "=", 1))
    others = tuple(Literal(1, "=", code) for code in (2, 3, 4))
    assert of_colour == (Unknown(1, (0, 1), ((ones, 0), (others, 1))),)
    assert nothing == ()
    assert [(u.attribute, u.rules) for u in both] == [(0, (0, 1, 2)), (1, (0, 1))]


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
    """Return the values that an attribute can become: those seen, or one of every region."""
    declared = committee.schema.attributes[attribute]
    if attribute in committee.seen:
        return list(committee.seen[attribute])
    if declared.type == "nominal":
        return list(range(len(declared.values)))
    cuts = {x.value for rule in committee.rules for x in rule.monomial if x.attribute == attribute}
    return sorted(cuts | {float(np.nextafter(t, np.inf)) for t in cuts})


def distance(committee: DecisionCommittee, attribute: int, before, after) -> float:
    if committee.schema.attributes[attribute].type == "nominal" or before is None:
        return 1.0
    known = probes(committee, attribute)
    if attribute not in committee.seen:
        cuts = [x.value for r in committee.rules for x in r.monomial if x.attribute == attribute]
        span = max(cuts) - min(cuts) or abs(cuts[0])
    else:
        span = max(known) - min(known) or abs(known[0])
    return abs(before - after) / span if span else 1.0


def having_seen_some(rng: random.Random, committee: DecisionCommittee) -> DecisionCommittee:
    """Return a committee that knows values of most attributes."""
    seen = {}
    for a in committee.used_attributes:
        if rng.random() < 0.7:
            cells = [random_row(rng, committee)[a] for _ in range(rng.randint(1, 12))]
            known = [np.nan if cell is None else cell for cell in cells]
            seen[a] = np.array(known, float)
    return committee.having_seen(seen)


@pytest.mark.parametrize("seed", range(120))
def test_changes_are_those_that_trying_every_value_finds(seed):
    rng = random.Random(seed)
    committee = having_seen_some(rng, random_committee(rng))
    names = [attribute.name for attribute in committee.schema.attributes]
    numbers = [a.name for a in committee.schema.attributes if a.type == "numeric"]
    for _ in range(3):
        row = random_row(rng, committee)
        fixed = tuple(name for name in names if rng.random() < 0.1)
        rising = tuple(name for name in numbers if rng.random() < 0.2)
        values = {
            a: [
                value
                for value in probes(committee, a)
                if names[a] not in rising or (here := row[a]) is None or value > here
            ]
            for a in committee.used_attributes
            if names[a] not in fixed
        }
        expected = flipping_sets(
            row,
            values,
            lambda a, before, after: distance(committee, a, before, after),
            lambda other: decided(committee, other),
        )
        dataset = dataset_of(committee, [row])
        changes = nearest_changes(committee, dataset, 0, Wanted(fixed, rising))
        found = {tuple(s.attribute for s in c.steps): c.distance for c in changes}
        nearest = sorted(expected.values())[:MOST_LISTED]
        assert [c.distance for c in changes] == pytest.approx(nearest)
        assert found == pytest.approx({axes: expected[axes] for axes in found})
        for change in changes:
            other = list(row)
            for step in change.steps:
                assert step.before == row[step.attribute]
                other[step.attribute] = step.after
                columns = dataset_of(committee, [other]).columns
                assert all(literal.satisfied_by(columns)[0] for literal in step.region)
            assert decided(committee, other) == change.decision != decided(committee, row)


@pytest.mark.parametrize("seed", range(60))
def test_what_could_not_be_judged_is_what_trying_every_value_decides(seed):
    rng = random.Random(seed)
    committee = random_committee(rng)
    for _ in range(5):
        row = random_row(rng, committee)
        (unknown,) = unknown_by_row(committee, dataset_of(committee, [row]))
        for of in unknown:
            assert row[of.attribute] is None
            told = {}
            for values, decision in of.outcomes:
                is_nominal = committee.schema.attributes[of.attribute].type == "nominal"
                for value in [-1e9, *probes(committee, of.attribute), 1e9]:
                    if is_nominal and value not in range(5):
                        continue
                    other = [value if a == of.attribute else x for a, x in enumerate(row)]
                    columns = dataset_of(committee, [other]).columns
                    holds = [bool(x.satisfied_by(columns)[0]) for x in values]
                    if any(holds) if is_nominal else all(holds):
                        assert decided(committee, other) == decision
                        told[value] = decision
            assert set(told) >= set(probes(committee, of.attribute))
        waiting = {k for of in unknown for k in of.rules}
        fires = committee.fires(dataset_of(committee, [row]))[0]
        for k, rule in enumerate(committee.rules):
            missing = [x for x in rule.monomial if row[x.attribute] is None]
            known = [x for x in rule.monomial if row[x.attribute] is not None]
            columns = dataset_of(committee, [row]).columns
            could = all(x.satisfied_by(columns)[0] for x in known) and bool(missing)
            assert (k in waiting) == could
            assert not (fires[k] and missing)


def test_all_rows_at_once_are_as_one_by_one():
    rng = random.Random(1)
    committee = having_seen_some(rng, random_committee(rng))
    dataset = dataset_of(committee, [random_row(rng, committee) for _ in range(3000)])
    together = list(changes_by_row(committee, dataset))
    unknown = list(unknown_by_row(committee, dataset))
    assert len(together) == len(unknown) == 3000
    for row in (0, 17, 1023, 1024, 2999):
        assert together[row] == nearest_changes(committee, dataset, row)
        one = dataset.take(np.array([row]))
        assert [unknown[row]] == list(unknown_by_row(committee, one))
    assert any(together)
    explanations = list(committee.explanations(dataset))
    assert [e.decided for e in explanations] == committee.predict_codes(dataset).tolist()
    assert explanations[1024] == committee.explain(dataset, 1024)


def test_where_three_attributes_have_too_many_regions_two_are_tried():
    rules = [([(a, ">", 2.0)], (1, -1)) for a in range(3)]
    attributes = [Attribute(f"x{a}", "numeric") for a in range(3)]
    committee = committee_of(attributes, rules, default=(0.6, 0.4))
    against = Rule((Literal(0, ">", -9.0),), (-1, 1), (1.0, 1.0))
    committee = replace(committee, rules=(*committee.rules, against))
    row = dataset_of(committee, [[3.0, 3.0, 3.0]])
    assert [len(c.steps) for c in nearest_changes(committee, row, 0)] == [3]
    assert most_together(committee) == 3
    assert MOST_COMBINATIONS < 101**3
    for n_bounds, together in ((98, 3), (99, 2)):  # and the one of the rules makes 100 or 101
        bounds = [tuple(Literal(a, ">", 10.0 + k) for k in range(n_bounds)) for a in (1, 2)]
        bounds.append(tuple(Literal(0, ">", 10.0 + k) for k in range(n_bounds - 1)))
        rules_more = tuple(Rule(monomial, (0, 0), (1.0, 1.0)) for monomial in bounds)
        finer = replace(committee, rules=(*committee.rules, *rules_more))
        assert most_together(finer) == together
    assert nearest_changes(finer, row, 0) == ()
