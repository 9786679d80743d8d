"""Literals, cut points and the catalogue of the plain reference (DESIGN.md 2, I1 to I3, I5)."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple

from .problem import (
    Attribute,
    LabelSet,
    Row,
    Sample,
    counting_rows,
    exact_weights,
    least_ones,
)


class Literal(NamedTuple):
    """A test of one attribute.

    `op` is "=", "!=", "<=" or ">"; "in" or "not in", where the value is a tuple of labels; "known"
    or "missing", where it plays no part.
    """

    attribute: int
    op: str
    value: Any


Monomial = list[Literal]
Admissible = Callable[[Monomial], bool]
"""Tells whether a rule may have a monomial, beside those that it has."""


def always(_monomial: Monomial) -> bool:
    """Admit every monomial."""
    return True


def satisfies_literal(row: Row, literal: Literal) -> bool:
    """Tell whether the row satisfies the literal; a missing value satisfies none (I2)."""
    value = row[literal.attribute]
    if literal.op in ("known", "missing"):
        return (value is None) == (literal.op == "missing")
    return value is not None and bool(_TESTS[literal.op](value, literal))


_TESTS: dict[str, Callable[[Any, Literal], bool]] = {
    "=": lambda value, literal: value == literal.value,
    "!=": lambda value, literal: value != literal.value,
    "<=": lambda value, literal: value <= literal.value,
    ">": lambda value, literal: value > literal.value,
    "in": lambda value, literal: value in literal.value,
    "not in": lambda value, literal: value not in literal.value,
}


def satisfies(row: Row, monomial: Sequence[Literal]) -> bool:
    """Tell whether the row satisfies all literals of the monomial."""
    return all(satisfies_literal(row, literal) for literal in monomial)


def negation(literal: Literal, attributes: Sequence[Attribute]) -> Literal:
    """Return the negation of the literal; of a two-valued attribute the other value (I4)."""
    kind = attributes[literal.attribute]
    if kind[0] == "nominal" and len(kind[1]) == 2:
        return literal._replace(value=1 - literal.value)
    return literal._replace(op={"=": "!=", "!=": "=", "<=": ">", ">": "<="}[literal.op])


def literals(sample: Sample, method: str = "mdl+") -> list[Literal]:
    """Return the catalogue of literals: attribute, then operator, then value order (I5)."""
    catalogue = []
    for attribute, kind in enumerate(sample.attributes):
        column = [row[attribute] for row in sample.rows]
        operators: tuple[str, ...]
        values: list[Any]
        if kind[0] == "nominal":
            values = list(range(len(kind[1])))
            operators = ("=", "!=") if len(values) > 2 else ("=",)
        else:
            values = cut_points(column, sample.label_sets, sample.weights, sample.n_classes, method)
            operators = ("<=", ">")
        known = sum(value is not None for value in column)
        for operator in operators:
            for value in values:
                literal = Literal(attribute, operator, value)
                holding = sum(satisfies_literal(row, literal) for row in sample.rows)
                if 0 < holding < known:  # I3
                    catalogue.append(literal)
    return catalogue


def n_boolean_variables(catalogue: Sequence[Literal], attributes: Sequence[Attribute]) -> int:
    """Return n of eq. 8: the pairs of a literal and its negation, at least 2 (I12)."""
    pairs = {frozenset([literal, negation(literal, attributes)]) for literal in catalogue}
    return max(2, len(pairs))


# Cut points ---------------------------------------------------------------------------------------


class Run(NamedTuple):
    """The examples that share one value: their weight, and their weight by class."""

    value: float
    weight: Fraction
    class_weights: list[Fraction]


def cut_points(
    values: Sequence[Any],
    label_sets: Sequence[LabelSet | None],
    weights: Sequence[Any],
    n_classes: int,
    method: str = "mdl+",
) -> list[float]:
    """Return the candidate cut points of a numeric attribute, ascending (I1).

    Parameters
    ----------
    method : {"mdl+", "mdl", "all", "quantile:K", "width:K"}
    """
    runs = runs_of_equal_values(values, label_sets, weights, n_classes)
    if len(runs) < 2:
        return []
    name, _, number = method.partition(":")
    if name == "all" or (name == "mdl+" and len(runs) <= 10):
        cuts = [midpoint_after(runs, i) for i in range(len(runs) - 1)]
    elif name == "mdl":
        cuts = mdl_cuts(runs)
    elif name == "mdl+":
        cuts = [*mdl_cuts(runs), median_cut(runs)]
    elif name == "quantile":
        cuts = quantile_cuts(runs, int(number))
    elif name == "width":
        cuts = width_cuts(runs, int(number))
    else:
        raise ValueError(f"unknown method {method!r}")
    return sorted(set(cuts))


def runs_of_equal_values(
    values: Sequence[Any],
    label_sets: Sequence[LabelSet | None],
    weights: Sequence[Any],
    n_classes: int,
) -> list[Run]:
    """Gather the known values of the examples that count, ascending, equal ones together.

    Weights are scaled over all examples that count, those with a missing value here included.
    """
    kept = counting_rows(label_sets, weights)
    exact = dict(zip(kept, exact_weights([weights[i] for i in kept]), strict=True))
    runs = []
    for value in sorted({values[i] for i in kept if values[i] is not None}):
        weight = Fraction(0)
        by_class = [Fraction(0)] * n_classes
        for i in kept:
            if values[i] == value:
                weight += exact[i]
                labels = label_sets[i] or frozenset()
                for label in labels:
                    by_class[label] += exact[i] / len(labels)
        runs.append(Run(float(value), weight, by_class))
    return runs


def midpoint_after(runs: Sequence[Run], i: int) -> float:
    """Return the cut between run i and the next; the lower value if the midpoint fails (I1)."""
    lower, upper = runs[i].value, runs[i + 1].value
    middle = (lower + upper) / 2
    return middle if math.isfinite(middle) and middle < upper else lower


def weights_up_to(runs: Sequence[Run]) -> list[Fraction]:
    """Return the weight of all examples of the runs up to each one, with it."""
    return list(accumulate(run.weight for run in runs))


def median_cut(runs: Sequence[Run]) -> float:
    """Return the cut that leaves the sides most equal, the upper one if two do (REFINED.md).

    If half of the weight falls between two values, that boundary leaves equal sides; else the best
    boundary is one of the two at the run that holds the half.
    """
    *below, total = weights_up_to(runs)
    differences = [abs(weight - (total - weight)) for weight in below]
    least = min(differences)
    last = max(i for i, difference in enumerate(differences) if difference == least)
    return midpoint_after(runs, last)


def quantile_cuts(runs: Sequence[Run], n_bins: int) -> list[float]:
    """Cut where the weight so far first reaches k/K of the total, k = 1 .. K - 1."""
    cuts = []
    up_to = weights_up_to(runs)
    for k in range(1, n_bins):
        share = up_to[-1] * k / n_bins
        reached = next(i for i, weight in enumerate(up_to) if weight >= share)
        if reached < len(runs) - 1:
            cuts.append(midpoint_after(runs, reached))
    return cuts


def width_cuts(runs: Sequence[Run], n_bins: int) -> list[float]:
    """Cut at min + k (max - min) / K, k = 1 .. K - 1, where that separates any values (I3)."""
    least, most = runs[0].value, runs[-1].value
    cuts = [least + k * (most - least) / n_bins for k in range(1, n_bins)]
    return [cut for cut in cuts if least <= cut < most]


def mdl_cuts(runs: Sequence[Run]) -> list[float]:
    """Cut where the class entropy falls most, while that pays (Fayyad and Irani, 1993)."""
    if len(runs) < 2:
        return []
    remaining = [split_entropy(runs[: i + 1], runs[i + 1 :]) for i in range(len(runs) - 1)]
    best = least_ones(remaining)[0]  # equal gain: the lower cut (I1)
    left, right = runs[: best + 1], runs[best + 1 :]
    if not split_pays(runs, left, right):
        return []
    return [*mdl_cuts(left), midpoint_after(runs, best), *mdl_cuts(right)]


def class_sums(runs: Sequence[Run]) -> list[Fraction]:
    """Return the weights of the classes that occur in the runs."""
    sums = [
        sum(column, Fraction(0)) for column in zip(*[r.class_weights for r in runs], strict=True)
    ]
    return [weight for weight in sums if weight > 0]


def entropy(runs: Sequence[Run]) -> float:
    """Return the class entropy in bits."""
    sums = class_sums(runs)
    total = sum(sums, Fraction(0))
    return -math.fsum(float(w / total) * math.log2(w / total) for w in sums)


def split_entropy(left: Sequence[Run], right: Sequence[Run]) -> float:
    """Return the class entropy that remains after a split, in bits."""
    n_left, n_right = float(sum(class_sums(left))), float(sum(class_sums(right)))
    if n_left + n_right == 0:
        return 0.0
    return (n_left * entropy(left) + n_right * entropy(right)) / (n_left + n_right)


def split_pays(runs: Sequence[Run], left: Sequence[Run], right: Sequence[Run]) -> bool:
    """Apply the criterion of Fayyad and Irani; N is the weight, at most 1 never pays."""
    n = float(sum(class_sums(runs)))
    if n <= 1:
        return False
    k, k_left, k_right = [len(class_sums(part)) for part in (runs, left, right)]
    classes = k * entropy(runs) - k_left * entropy(left) - k_right * entropy(right)
    delta = math.log2(3**k - 2) - classes
    gain = entropy(runs) - split_entropy(left, right)
    return gain > (math.log2(n - 1) + delta) / n
