"""Theorem 1: to find the consistent committee with the fewest literals is NP-hard.

The reduction: a set cover instance becomes a sample with a variable for each set, a positive
example for each element (true: the sets that hold it) and one negative example, all false.  The
proof holds as printed, if the sets together cover all elements (else a positive example equals the
negative one), with |C'| monomials where it says K, and with two points that it leaves to the
reader: the empty monomial counts among the classes III and IV (only negative literals), and a
neutral rule, Delta = 0, can go.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.theory.boolean import BooleanCommittee, Sample, monomials, satisfies
from widc_arff.arff.relation import Attribute
from widc_arff.data.dataset import Dataset
from widc_arff.data.schema import Labels, Schema
from widc_arff.model.committee import DecisionCommittee
from widc_arff.model.literals import Literal
from widc_arff.model.rules import Rule, TrainingSummary

# (number of elements, sets, size of the smallest cover)
INSTANCES = [
    (3, [{0, 1, 2}], 1),
    (2, [{0}, {1}], 2),
    (3, [{0, 1}, {1, 2}, {0, 2}], 2),
    (3, [{0}, {1}, {2}], 3),
    (4, [{0, 1}, {2, 3}, {1, 2}], 2),
    (4, [{0, 1, 2}, {2, 3}, {3}], 2),
    (5, [{0, 1}, {2}, {3, 4}], 3),
]
VOTES = (-2, -1, 1, 2)  # Delta for votes in {-1, 0, 1}, neutral rules left out


def sample_of(n_elements, sets):
    """Equations (9) and (10)."""
    positive = tuple(tuple(i in s for s in sets) for i in range(n_elements))
    return Sample(positive, (tuple(False for _ in sets),))


def covers(n_elements, sets):
    """All covers, as sets of indices."""
    chosen = itertools.chain.from_iterable(
        itertools.combinations(range(len(sets)), size) for size in range(len(sets) + 1)
    )
    return [c for c in chosen if set().union(*(sets[j] for j in c)) == set(range(n_elements))]


def committees(n_variables, most_literals):
    """All committees of distinct monomials with at most so many literals in all."""
    every = sorted(monomials(n_variables), key=len)

    def chosen(start, left):
        yield ()
        for at in range(start, len(every)):
            if len(every[at]) > left:
                break
            for rest in chosen(at + 1, left - len(every[at])):
                yield (every[at], *rest)

    for rules in chosen(0, most_literals):
        for deltas in itertools.product(VOTES, repeat=len(rules)):
            for default in (True, False):
                yield BooleanCommittee(tuple(zip(rules, deltas, strict=True)), default)


def cover_of(committee, sample):
    """The cover that the proof reads off a consistent committee: indices of sets."""
    with_positive = [
        [variable for variable, value in monomial if value]
        for monomial, delta in committee.rules
        if delta > 0 and any(value for _, value in monomial)  # class I, and V without negations
    ]
    against = [
        monomial
        for monomial, delta in committee.rules
        if delta < 0 and not any(value for _, value in monomial)  # class IV
    ]
    cover = set()
    for example in sample.positive:
        satisfied = [literals for literals in with_positive if all(example[i] for i in literals)]
        if satisfied:
            cover.add(satisfied[0][0])
        else:
            missed = next(monomial for monomial in against if not satisfies(example, monomial))
            cover.add(next(variable for variable, _ in missed if example[variable]))
    return cover


@pytest.mark.parametrize(("n", "sets", "smallest"), INSTANCES)
def test_a_cover_gives_a_consistent_committee_of_as_many_literals(n, sets, smallest):
    sample = sample_of(n, sets)
    assert min(map(len, covers(n, sets))) == smallest
    for cover in covers(n, sets):
        rules = tuple((((j, True),), 1.0) for j in cover)
        in_favour = BooleanCommittee(rules, default=False)
        # if no vote may be above 0: one monomial, of negative literals
        negated = tuple((j, False) for j in cover)
        against = BooleanCommittee(((negated, -1.0),), default=True)
        for committee in (in_favour, against):
            assert committee.n_literals == len(cover)
            assert sample.agrees_with(committee)


@pytest.mark.parametrize(("n", "sets", "smallest"), INSTANCES)
def test_no_cover_no_consistent_committee(n, sets, smallest):
    # what is no cover leaves an element whose example looks like the negative one
    for size in range(len(sets) + 1):
        for chosen in itertools.combinations(range(len(sets)), size):
            rules = tuple((((j, True),), 1.0) for j in chosen)
            consistent = sample_of(n, sets).agrees_with(BooleanCommittee(rules, default=False))
            assert consistent == (chosen in covers(n, sets))


@pytest.mark.parametrize(("n", "sets", "smallest"), INSTANCES)
def test_every_consistent_committee_gives_a_cover_of_at_most_its_literals(n, sets, smallest):
    sample = sample_of(n, sets)
    sizes = []
    for committee in committees(len(sets), min(smallest + 1, 3)):
        if sample.agrees_with(committee):
            cover = cover_of(committee, sample)
            assert tuple(sorted(cover)) in covers(n, sets)
            assert len(cover) <= committee.n_literals
            sizes.append(committee.n_literals)
    assert min(sizes) == smallest


def test_the_package_decides_as_the_proof_does():
    n, sets, _ = INSTANCES[4]
    sample = sample_of(n, sets)
    schema = Schema(
        "cover",
        tuple(Attribute(f"x{j}", "nominal", ("0", "1")) for j in range(len(sets))),
        Labels("single", ("class",), ("-", "+")),
    )
    columns = np.array(sample.examples, np.int64).T
    positive = np.arange(len(sample.examples)) < n
    Y = np.column_stack([~positive, positive])
    dataset = Dataset(schema, tuple(columns), Y, np.ones(len(Y)))
    training = TrainingSummary(len(Y), tuple(Y.sum(axis=0).astype(float)), 0.0, {}, "")
    for cover in covers(n, sets):
        rules = tuple(Rule((Literal(j, "=", 1),), (0, 1), (0.0, 1.0)) for j in cover)
        committee = DecisionCommittee(schema, rules, (1.0, 0.0), training)
        assert committee.n_literals == len(cover)
        assert (committee.predict(dataset) == np.where(positive, "+", "-")).all()
