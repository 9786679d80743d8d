"""Costs of misclassification: Weka's .cost files, weights of examples, decisions by cost."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.errors import ArffError, OptionError, listed
from widc_arff.system.files import text_of
from widc_arff.tolerance import LARGEST_WEIGHT, LEAST_WEIGHT, TOLERANCE, is_weight

if TYPE_CHECKING:
    from widc_arff.arrays import Floats, Integers
    from widc_arff.data.schema import Labels

_SIZE = re.compile("[0-9]{1,9}")
CostMatrix = tuple[tuple[float, ...], ...]
"""A row for each true class, a column for each decided one, in the order of the declaration."""


def read_costs(path: str) -> CostMatrix:
    """Return the matrix of a .cost file, or of standard input (-).

    Raises
    ------
    ArffError
        If it is not such a file; the message names the line.
    """
    return costs_of_text(text_of(path, "the costs"), path)


def costs_of_text(text: str, path: str) -> CostMatrix:
    """Return the matrix in the text of a .cost file.

    As Weka reads it: the number of rows and of columns, then the rows, numbers between blanks or
    tabs; lines that start with % are comments, empty ones are nothing.

    Raises
    ------
    ArffError
        If it is not such a file; the message names the line.
    """
    lines = [
        (number, line.split())
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.startswith("%")
    ]
    if not lines:
        raise ArffError("expected the number of rows and of columns, got nothing", path)
    number, words = lines[0]
    if len(words) != 2 or words[0] != words[1] or not _SIZE.fullmatch(words[0]):
        found = " ".join(words)
        raise ArffError(
            "expected the number of rows and of columns, both the same, such as 2 2 for two "
            f"classes, got {found!r}",
            path,
            number,
        )
    size = int(words[0])
    rows = tuple(_row(words, size, path, number) for number, words in lines[1:])
    if len(rows) != size:
        raise ArffError(f"expected {size} rows of costs, got {len(rows)}", path, lines[-1][0])
    try:
        check_costs(rows)
    except OptionError as error:
        raise ArffError(str(error), path) from error
    return rows


def _row(words: list[str], size: int, path: str, line: int) -> tuple[float, ...]:
    if len(words) != size:
        raise ArffError(f"expected {size} costs in a row, got {len(words)}", path, line)
    try:
        return tuple(float(word) for word in words)
    except ValueError as error:
        found = next(word for word in words if not _is_number(word))
        raise ArffError(f"expected costs that are numbers, got {found!r}", path, line) from error


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def check_costs(costs: CostMatrix) -> None:
    """Check a matrix of costs.

    Raises
    ------
    OptionError
        If it is not square, a cost is negative or out of range, the diagonal is not 0, or a row has
        no positive cost.
    """
    for i, row in enumerate(costs, start=1):
        if len(row) != len(costs):
            raise OptionError(
                f"expected {len(costs)} costs in row {i}, one for each row, got {len(row)}",
                option="costs",
            )
        for j, cost in enumerate(row, start=1):
            if not is_weight(cost):
                raise OptionError(
                    f"expected costs of 0 or from {LEAST_WEIGHT} to {LARGEST_WEIGHT}, got "
                    f"{cost!r} in row {i}, column {j}",
                    option="costs",
                )
        if row[i - 1] != 0:
            raise OptionError(
                f"expected 0 on the diagonal, got {row[i - 1]!r} in row {i}", option="costs"
            )
        if not any(row):
            raise OptionError(
                f"expected a cost above 0 in each row, got none in row {i}", option="costs"
            )


def mean_costs(costs: CostMatrix) -> Floats:
    """Return the mean off-diagonal cost of each class, shape (n_classes,)."""
    matrix = np.array(costs, np.float64)
    return np.asarray(matrix.sum(axis=1) / max(len(matrix) - 1, 1))


def all_equal(costs: CostMatrix) -> bool:
    """Tell whether all kinds of error cost the same: then costs change nothing."""
    others = {cost for i, row in enumerate(costs) for j, cost in enumerate(row) if i != j}
    return len(others) <= 1


def costs_beyond_weights(costs: CostMatrix) -> Floats | None:
    """Return the costs over the mean of their row; None where a class has one cost only."""
    relative = np.array(costs, np.float64) / mean_costs(costs)[:, None]
    off_diagonal = relative[~np.eye(len(relative), dtype=np.bool_)]
    return None if np.allclose(off_diagonal, 1.0, rtol=1e-12, atol=0) else relative


def require_costs_for(labels: Labels, costs: CostMatrix) -> None:
    """Check that a matrix has a row for each label.

    Raises
    ------
    OptionError
        If it has another size.
    """
    if len(costs) != len(labels.values):
        raise OptionError(
            f"expected {len(labels.values)} rows and columns, one for each label of "
            f"{labels.attributes[0]!r} ({listed(labels.values)}), got {len(costs)}",
            option="costs",
        )


class LeastCost(NamedTuple):
    """Decisions of least expected cost.

    Parameters
    ----------
    decisions : ndarray of int64 of shape (n_samples,)
        Classes.
    expected : ndarray of float64 of shape (n_samples, n_classes)
        What each class is expected to cost, if it is decided.
    """

    decisions: Integers
    expected: Floats


def least_cost(probabilities: Floats, voted: Integers, costs: CostMatrix) -> LeastCost:
    """Return the classes of least expected cost; those voted for, unless others cost less.

    Parameters
    ----------
    probabilities : ndarray of float64 of shape (n_samples, n_classes)
        Of the classes.
    voted : ndarray of int64 of shape (n_samples,)
        The classes that the votes decide for.
    costs : tuple of tuple of float
        A row for each true class, a column for each decided one.
    """
    expected = np.zeros_like(probabilities)
    for j, row in enumerate(costs):  # in class order, on every machine the same
        expected += probabilities[:, j, None] * np.array(row)
    of_voted = expected[np.arange(len(voted)), voted]
    stays = of_voted <= expected.min(axis=1) * (1 + TOLERANCE)
    return LeastCost(np.where(stays, voted, expected.argmin(axis=1)), expected)
