"""Theorem 3: to find the consistent committee with the fewest rules is NP-hard.

The reduction: an instance of 2-NM-Colorability (colour the elements with two colours so that no
constraint has one colour only) becomes a sample with a variable for each element, a positive
example for each element, which alone is false, and a negative one for each constraint, whose
elements are false.  A colouring gives two monomials, and two rules give a colouring.  Read:

- Eq. (13) as: x_i negated and x_j, j other than i, *not* negated; as printed all positive examples
  are alike.
- Assumption 4: a constraint of one element cannot just be removed, as the instance then has no
  colouring; it is trivial, too, and the reduction leaves it out.
- The last case under the default "+", as: each positive example that satisfies t_1 must satisfy
  t_2 (printed the other way round).
- Eq. (20) needs monomials without negations; one with a single negated x_i has to become the
  conjunction of all others first, as the proof says of t_2.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.theory.boolean import BooleanCommittee, Sample, monomials, satisfies

DELTAS = (-2, -1, 0, 1, 2)


def sample_of(n, constraints):
    """Equations (13), as it must read, and (14)."""
    positive = tuple(tuple(j != i for j in range(n)) for i in range(n))
    negative = tuple(tuple(j not in c for j in range(n)) for c in constraints)
    return Sample(positive, negative)


def is_colouring(colours, constraints):
    return all(len({colours[i] for i in c}) == 2 for c in constraints)


def colourings(n, constraints):
    return [c for c in itertools.product((1, 2), repeat=n) if is_colouring(c, constraints)]


def is_trivial(n, constraints):
    """Whether one of the proof's four assumptions fails."""
    pairs = [set(p) for p in itertools.combinations(range(n), 2)]
    return (
        bool(set.intersection(*map(set, constraints)))
        or any(all(p <= c or q <= c for c in constraints) for p in pairs for q in pairs)
        or set().union(*constraints) != set(range(n))
        or any(len(c) < 2 for c in constraints)
    )


def some_instances():
    """The triangle, with and without the full constraint, and random ones, none trivial."""
    triangle = [{0, 1}, {0, 2}, {1, 2}]
    instances = [(3, triangle), (3, [*triangle, {0, 1, 2}])]
    rng = np.random.default_rng(2)
    for n, wanted in ((4, 22), (5, 26)):
        possible = [set(c) for size in (2, 3) for c in itertools.combinations(range(n), size)]
        while len(instances) < wanted:
            size = int(rng.integers(3, 8))
            constraints = [possible[i] for i in rng.choice(len(possible), size, replace=False)]
            if not is_trivial(n, constraints):
                instances.append((n, constraints))
    return instances


INSTANCES = some_instances()


def two_rules(colours):
    """The two monomials of Kearns et al.: t_c holds the elements of the other colour."""
    rules = (
        (tuple((i, True) for i, colour in enumerate(colours) if colour != c), 1.0) for c in (1, 2)
    )
    return BooleanCommittee(tuple(rules), default=False)


def without_negation(monomial, n):
    """The monomial that does the same for the sample: all other elements for one negation."""
    negated = [i for i, value in monomial if not value]
    assert len(negated) <= 1
    return tuple((j, True) for j in range(n) if j != negated[0]) if negated else monomial


def colouring_of(committee, n):
    """Eq. (20): the first rule that lacks the element's literal."""
    first, _ = (without_negation(monomial, n) for monomial, _ in committee.rules)
    return tuple(1 if (i, True) not in first else 2 for i in range(n))


def consistent_committees(n, sample):
    """All consistent committees of two rules, or of one and a neutral one, found together."""
    every = monomials(n)
    fires = np.array([[satisfies(e, t) for e in sample.examples] for t in every], np.int64)
    wanted = np.arange(len(sample.examples)) < len(sample.positive)
    for first, second in itertools.product(DELTAS, repeat=2):
        sums = first * fires[:, None] + second * fires
        for default in (True, False):
            right = (((sums > 0) | ((sums == 0) & default)) == wanted).all(axis=2)
            for a, b in np.argwhere(right):
                if a < b:
                    rules = ((every[a], float(first)), (every[b], float(second)))
                    yield BooleanCommittee(rules, default)


def test_both_kinds_of_instances_are_tried():
    solvable = [bool(colourings(n, constraints)) for n, constraints in INSTANCES]
    assert 5 < sum(solvable) < len(INSTANCES) - 5


@pytest.mark.parametrize(("n", "constraints"), INSTANCES)
def test_a_colouring_gives_two_rules_and_two_rules_give_a_colouring(n, constraints):
    sample = sample_of(n, constraints)
    for colours in colourings(n, constraints):
        committee = two_rules(colours)
        assert sample.agrees_with(committee)
        assert colouring_of(committee, n) == colours
    found = 0
    for committee in consistent_committees(n, sample):
        found += 1
        assert sample.agrees_with(committee)
        # a DNF of two monomials, as the proof says; in particular one rule is never enough
        assert not committee.default
        assert all(delta > 0 for _, delta in committee.rules)
        assert is_colouring(colouring_of(committee, n), constraints)
    assert bool(found) == bool(colourings(n, constraints))


def test_lemma_3_and_lemma_4():
    # A monomial that no positive example satisfies has two negations, or is the conjunction of all
    # variables; one that all satisfy is empty.
    for n in (2, 3, 4):
        positive = sample_of(n, []).positive
        for monomial in monomials(n):
            count = sum(satisfies(example, monomial) for example in positive)
            negations = sum(not value for _, value in monomial)
            assert (count == 0) == (
                negations >= 2 or monomial == tuple((i, True) for i in range(n))
            )
            assert (count == n) == (monomial == ())


def test_a_constraint_of_one_element_has_no_colouring():
    constraints = [{0}, {1, 2}]
    assert not colourings(3, constraints)
    assert colourings(3, constraints[1:])
