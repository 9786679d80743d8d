"""Literals and monomials: the tests that rules are made of (section 3 of the paper)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools

OPERATORS = ("=", "!=", "<=", ">")
"""Operators in the order that breaks ties between equal literals (I5)."""


@dataclass(frozen=True, slots=True)
class Literal:
    """One test of one attribute.

    Parameters
    ----------
    attribute : int
        Index of the attribute in its schema.
    operator : {"=", "!=", "<=", ">"}
        ``=`` and ``!=`` test nominal attributes, ``<=`` and ``>`` numeric and date ones.
    value : int or float
        Index of the label, or the cut point (dates: milliseconds since 1970, UTC).

    Examples
    --------
    >>> import numpy as np
    >>> Literal(0, ">", 1.75).satisfied_by([np.array([1.0, 2.0, np.nan])])
    array([False,  True, False])
    """

    attribute: int
    operator: str
    value: float

    def satisfied_by(self, columns: Sequence[NDArray[Any]]) -> Bools:
        """Return which rows satisfy the literal; a missing value satisfies none (I2).

        Parameters
        ----------
        columns : sequence of ndarray of shape (n_samples,)
            Nominal columns hold label indices with -1 for missing, the others float64 with NaN.
        """
        column = columns[self.attribute]
        if self.operator == "=":
            return np.asarray(column == self.value)
        if self.operator == "!=":
            return np.asarray((column != self.value) & (column >= 0))
        if self.operator == "<=":
            return np.asarray(column <= self.value)
        return np.asarray(column > self.value)


Monomial = tuple[Literal, ...]
"""A conjunction of literals, in the order in which they were added."""


def satisfied(monomial: Monomial, columns: Sequence[NDArray[Any]]) -> Bools:
    """Return which rows satisfy every literal of a monomial that has at least one."""
    rows = monomial[0].satisfied_by(columns)
    for literal in monomial[1:]:
        rows = rows & literal.satisfied_by(columns)
    return rows
