"""Data of the plain reference: problems, the examples that count, and random problems.

The reference follows DESIGN.md, section 2, by loops over examples and exact fractions; it is slow
on purpose. Values of an example: a nominal value is the index of its label, a numeric value a
float, a missing value None.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

Attribute = tuple[Any, ...]  # ("nominal", [labels]) or ("numeric",)
Row = list[Any]
LabelSet = frozenset[int]

TOLERANCE = 1e-9


def tolerance(value: float) -> float:
    """Return how far two values of Z or of an objective may lie apart and count as equal."""
    return TOLERANCE * (1 + value)


def is_lower(new: float, old: float) -> bool:
    """Tell whether `new` is lower than `old` by more than the tolerance."""
    return new < old - tolerance(old)


def least_ones(values: Sequence[float]) -> list[int]:
    """Return the positions of the values that equal the least one, within the tolerance."""
    least = min(values)
    return [i for i, value in enumerate(values) if value <= least + tolerance(least)]


@dataclass(frozen=True)
class Problem:
    """Attributes, rows, the class of each row (None: missing) and the weight of each row."""

    attributes: list[Attribute]
    rows: list[Row]
    labels: list[int | None]
    n_classes: int
    weights: list[float]


@dataclass(frozen=True)
class Sample:
    """The examples that count: they have a class and a positive weight.

    `weights` are exact. `counts` are the same weights times the one number that makes all of them
    whole; whatever depends on ratios of weights only (Z, vectors, errors) is computed from them.
    `kept` gives the position of each example among the rows of the problem.
    """

    attributes: list[Attribute]
    rows: list[Row]
    label_sets: list[LabelSet]
    n_classes: int
    weights: list[Fraction]
    kept: list[int]

    @cached_property
    def counts(self) -> list[int]:
        """The weights as whole numbers, in the same proportions."""
        unit = math.lcm(*[weight.denominator for weight in self.weights])
        return [int(weight * unit) for weight in self.weights]

    @cached_property
    def total(self) -> Fraction:
        """The weight of all examples, m in the paper."""
        return sum(self.weights, Fraction(0))

    @cached_property
    def prior(self) -> list[float]:
        """The class distribution of the examples, p in the paper."""
        return class_distribution(self)


def label_sets_of(labels: Sequence[int | None]) -> list[LabelSet | None]:
    """Return single classes as sets of one class."""
    return [None if label is None else frozenset([label]) for label in labels]


def counting_rows(label_sets: Sequence[Any], weights: Sequence[Any]) -> list[int]:
    """Return the rows that have a class and a positive weight; the others never count."""
    return [i for i in range(len(weights)) if label_sets[i] is not None and weights[i] > 0]


def exact_weights(weights: Sequence[Any]) -> list[Fraction]:
    """Return the weights as fractions: as given if all are whole, else with sum = their number."""
    exact = [Fraction(weight) for weight in weights]
    if all(weight.denominator == 1 for weight in exact):
        return exact
    total = sum(exact, Fraction(0))
    return [weight * len(exact) / total for weight in exact]


def counting_examples(
    problem: Problem, label_sets: Sequence[LabelSet | None] | None = None
) -> Sample:
    """Leave out the rows that do not count; `label_sets` stand in for the labels if given."""
    if label_sets is None:
        label_sets = label_sets_of(problem.labels)
    kept = counting_rows(label_sets, problem.weights)
    if not kept:
        raise ValueError("expected a row with a class and a positive weight")
    return Sample(
        attributes=problem.attributes,
        rows=[problem.rows[i] for i in kept],
        label_sets=[frozenset(label_sets[i] or ()) for i in kept],
        n_classes=problem.n_classes,
        weights=exact_weights([problem.weights[i] for i in kept]),
        kept=kept,
    )


def class_weights(sample: Sample, members: Sequence[bool]) -> list[Fraction]:
    """Return the weight of the members of each class (5.2).

    An example of several classes counts as one example of each of them, with its weight divided by
    the number of its classes (5.2.2); an example of no class counts for none.
    """
    share = math.lcm(*[len(labels) or 1 for labels in sample.label_sets])  # so that all are whole
    sums = [0] * sample.n_classes
    for labels, count, is_member in zip(sample.label_sets, sample.counts, members, strict=True):
        if is_member:
            for label in labels:
                sums[label] += count * share // len(labels)
    unit = sample.total / (sum(sample.counts) * share)
    return [whole * unit for whole in sums]


def distribution(sums: Sequence[Fraction]) -> list[float]:
    """Return the shares of the classes."""
    total = sum(sums, Fraction(0))
    return [float(weight / total) for weight in sums]


def class_distribution(sample: Sample) -> list[float]:
    """Return p, the class distribution of the examples."""
    return distribution(class_weights(sample, [True] * len(sample.rows)))


def present_classes(sample: Sample) -> list[bool]:
    """Tell for each class whether it has training weight (I7)."""
    return [weight > 0 for weight in class_weights(sample, [True] * len(sample.rows))]


# Random problems ----------------------------------------------------------------------------------


def random_problem(
    rng: random.Random, *, max_rows: int = 60, max_attributes: int = 5, max_classes: int = 6
) -> Problem:
    """Draw a small problem: mixed attributes, ties, missing values, all kinds of weights.

    At least one row has a class and a positive weight.
    """
    n_rows = rng.randint(5, max_rows)
    n_classes = rng.randint(2, max_classes)
    attributes: list[Attribute] = []
    columns: list[list[Any]] = []
    for _ in range(rng.randint(1, max_attributes)):
        attribute, column = _random_column(rng, n_rows)
        attributes.append(attribute)
        columns.append(column)
    labels = _random_labels(rng, columns, n_classes)
    weights = _random_weights(rng, n_rows)
    sure = rng.randrange(n_rows)
    labels[sure] = labels[sure] or 0
    weights[sure] = weights[sure] or 1.0
    rows = [[column[i] for column in columns] for i in range(n_rows)]
    return Problem(attributes, rows, labels, n_classes, weights)


def random_label_sets(rng: random.Random, n_rows: int, n_classes: int) -> list[LabelSet]:
    """Draw a set of labels for each row; a few are empty, a few hold every class."""
    share = rng.choice([0.2, 0.4, 0.6])
    return [
        frozenset(label for label in range(n_classes) if rng.random() < share)
        for _ in range(n_rows)
    ]


def _random_column(rng: random.Random, n_rows: int) -> tuple[Attribute, list[Any]]:
    kind = rng.choice(["nominal", "nominal", "few", "some", "many"])
    column: list[Any]
    if kind == "nominal":
        n_values = rng.choice([2, 2, 3, 3, 4, 6])
        used = rng.sample(range(n_values), rng.choice([n_values, n_values, n_values - 1]))
        attribute: Attribute = ("nominal", [f"v{value}" for value in range(n_values)])
        column = [rng.choice(used) for _ in range(n_rows)]
    else:
        attribute = ("numeric",)
        if kind == "few":
            column = [float(rng.randint(0, 4)) for _ in range(n_rows)]
        elif kind == "some":
            column = [rng.randint(-40, 40) / 4 for _ in range(n_rows)]
        else:
            column = [rng.gauss(0, 10) for _ in range(n_rows)]
    missing = rng.choice([0.0, 0.0, 0.1, 0.3])
    return attribute, [None if rng.random() < missing else value for value in column]


def _random_labels(
    rng: random.Random, columns: list[list[Any]], n_classes: int
) -> list[int | None]:
    """Draw classes that depend on one or two columns, with noise, so that rules can be found."""
    n_occurring = rng.choice([n_classes, n_classes, n_classes, n_classes - 1])
    occurring = rng.sample(range(n_classes), n_occurring)
    causes = [rng.choice(columns) for _ in range(rng.choice([1, 2, 3]))]
    middles = [_middle(column) for column in causes]
    noise = rng.choice([0.0, 0.1, 0.1, 0.3, 1.0])
    unlabelled = rng.choice([0.0, 0.0, 0.1])
    labels: list[int | None] = []
    for i in range(len(columns[0])):
        pattern = 0
        for column, middle in zip(causes, middles, strict=True):
            pattern = 2 * pattern + (column[i] is not None and column[i] > middle)
        label = occurring[pattern % len(occurring)]
        if rng.random() < noise:
            label = rng.choice(occurring)
        labels.append(None if rng.random() < unlabelled else label)
    return labels


def _middle(column: list[Any]) -> float:
    known = sorted(value for value in column if value is not None)
    return float(known[(len(known) - 1) // 2]) if known else 0.0


def _random_weights(rng: random.Random, n_rows: int) -> list[float]:
    kind = rng.choice(["ones", "ones", "whole", "eighths", "fractions"])
    weights = []
    for _ in range(n_rows):
        if kind == "ones":
            weights.append(1.0)
        elif kind == "whole":
            weights.append(float(rng.randint(1, 5)))
        elif kind == "eighths":
            weights.append(rng.randint(1, 24) / 8)
        else:
            weights.append(rng.uniform(0.05, 3))
    weightless = rng.choice([0.0, 0.0, 0.0, 0.15])
    return [0.0 if rng.random() < weightless else weight for weight in weights]
