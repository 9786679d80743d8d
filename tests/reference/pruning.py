"""Stage 3 of the plain reference: the paper's prunings (5.3, I12, I13)."""

import math
from collections.abc import Sequence
from fractions import Fraction

from .deciding import Rule, default_vector, error_on, training_error
from .literals import satisfies, satisfies_literal
from .problem import Attribute, Row, Sample, least_ones


def prune_pessimistic(sample: Sample, rules: Sequence[Rule]) -> list[Rule]:
    """Return the smallest committee of least training error in the sequence (5.3.1)."""
    sequence = pessimistic_sequence(sample, rules)
    errors = [training_error(sample, committee) for committee in sequence]
    return sequence[least_ones(errors)[-1]]


def pessimistic_sequence(sample: Sample, rules: Sequence[Rule]) -> list[list[Rule]]:
    """Return the committees from the full one down to the empty one.

    Each step removes the rule whose removal gives the least training error; equal: the one with
    more literals, then the later one.
    """
    sequence = [list(rules)]
    while sequence[-1]:
        current = sequence[-1]
        candidates = [current[:i] + current[i + 1 :] for i in range(len(current))]
        errors = [training_error(sample, candidate) for candidate in candidates]
        removed = max(least_ones(errors), key=lambda i: (len(current[i].monomial), i))
        sequence.append(candidates[removed])
    return sequence


def prune_optimistic(
    sample: Sample, rules: Sequence[Rule], n_variables: int, delta: float = 0.05
) -> list[Rule]:
    """Test each rule once, from the last to the first (5.3.2, I13).

    Both errors of a test use the default vector of the current committee.
    """
    current = list(rules)
    for rule in reversed(rules):
        others = [other for other in current if other is not rule]
        default = default_vector(sample, current)
        local = [satisfies(row, rule.monomial) for row in sample.rows]
        with_rule = float(error_on(sample, current, default, local))
        without_rule = float(error_on(sample, others, default, local))
        alpha = optimistic_penalty(sample, others, local, n_variables, delta)
        if with_rule + alpha >= without_rule:
            current = others
    return current


def optimistic_penalty(
    sample: Sample,
    others: Sequence[Rule],
    local: Sequence[bool],
    n_variables: int,
    delta: float,
) -> float:
    """Return alpha (eq. 8), as if the sample had at least 5,000 examples (I12)."""
    size = sum(
        (w for w, is_local in zip(sample.weights, local, strict=True) if is_local), Fraction(0)
    )
    if sample.total < 5000:
        size = size * 5000 / sample.total
    literals = most_satisfied_literals(others, sample.attributes)
    return math.sqrt(((literals + 2) * math.log(n_variables) + math.log(1 / delta)) / float(size))


def most_satisfied_literals(rules: Sequence[Rule], attributes: Sequence[Attribute]) -> int:
    """Return Set: the most literals of the rules that one observation could satisfy (I12).

    Each attribute takes the value that satisfies most of the literals on it. Of a numeric one, a
    cut point stands for the interval that ends there, infinity for the last interval.
    """
    most = 0
    for attribute, kind in enumerate(attributes):
        on_attribute = [
            literal for rule in rules for literal in rule.monomial if literal.attribute == attribute
        ]
        values: list[float]
        if kind[0] == "nominal":
            values = list(range(len(kind[1])))
        else:
            values = [*[literal.value for literal in on_attribute], math.inf]
        satisfied = []
        for value in values:
            observation: Row = [None] * len(attributes)
            observation[attribute] = value
            satisfied.append(sum(satisfies_literal(observation, lit) for lit in on_attribute))
        most += max(satisfied)
    return most
