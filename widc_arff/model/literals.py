"""Literals and monomials: the tests that rules are made of (section 3 of the paper)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools

OPERATORS = ("=", "!=", "<=", ">", "in", "not in", "known", "missing")
"""Operators in the order that breaks ties between equal literals (I5)."""


@dataclass(frozen=True, slots=True)
class Literal:
    """One condition: a test of one attribute.

    Parameters
    ----------
    attribute : int
        Index of the attribute in its schema.
    operator : {"=", "!=", "<=", ">", "in", "not in", "known", "missing"}
        ``=``, ``!=``, ``in`` and ``not in`` test nominal attributes, ``<=`` and ``>`` numeric and
        date ones, ``known`` and ``missing`` any.
    value : int or float
        Index of the label, or the cut point (dates: milliseconds since 1970, UTC); 0 where the
        operator takes none.
    labels : tuple of int
        Indices of the labels of ``in`` and ``not in``, increasing.

    Examples
    --------
    >>> import numpy as np
    >>> Literal(0, ">", 1.75).satisfied_by([np.array([1.0, 2.0, np.nan])])
    array([False,  True, False])
    """

    attribute: int
    operator: str
    value: float = 0
    labels: tuple[int, ...] = ()

    @property
    def named(self) -> tuple[int, ...]:
        """Indices of the labels that it names, if it is about labels."""
        return (int(self.value),) if self.operator in ("=", "!=") else self.labels

    @property
    def is_for_named(self) -> bool:
        """Whether the labels that it names satisfy it; otherwise all other labels do."""
        return self.operator in ("=", "in")

    def satisfied_by(self, columns: Sequence[NDArray[Any]]) -> Bools:
        """Return which rows satisfy the condition; missing values satisfy only ``missing`` (I2).

        Parameters
        ----------
        columns : sequence of ndarray of shape (n_samples,)
            Nominal columns hold label indices with -1 for missing, the others float64 with NaN.
        """
        column = columns[self.attribute]
        if self.operator in ("<=", ">"):  # NaN fails both
            return np.asarray(
                column <= self.value if self.operator == "<=" else column > self.value
            )
        is_missing = column < 0 if column.dtype.kind == "i" else np.isnan(column)
        if self.operator in ("known", "missing"):
            return np.asarray(is_missing if self.operator == "missing" else ~is_missing)
        named = self.named
        is_named = column == named[0] if len(named) == 1 else np.isin(column, named)
        return np.asarray(is_named if self.is_for_named else ~(is_named | is_missing))


Monomial = tuple[Literal, ...]
"""A conjunction of literals, in the order in which they were added."""


def with_sets(monomial: Monomial) -> Monomial:
    """Return a monomial with one literal for all that it says of the labels of an attribute.

    ``!= a`` and ``not in {b, c}`` become ``not in {a, b, c}``.
    """
    merged: dict[int, Literal | None] = {}
    for literal in monomial:
        if literal.named:
            a, other = literal.attribute, merged.get(literal.attribute, literal)
            merged[a] = None if other is None else _both(other, literal)
    found: list[Literal] = []
    for literal in monomial:
        whole = merged.get(literal.attribute) if literal.named else None
        if whole not in found:
            found.append(literal if whole is None else whole)
    return tuple(found)


def _both(one: Literal, other: Literal) -> Literal | None:
    """Return the literal that says of labels what two say; None if no label satisfies both."""
    held = [set(x.named) for x in (one, other) if x.is_for_named]
    outside = {code for x in (one, other) if not x.is_for_named for code in x.named}
    named = sorted(set.intersection(*held) - outside if held else outside)
    if not named:
        return None
    if len(named) == 1:
        return Literal(one.attribute, "=" if held else "!=", named[0])
    return Literal(one.attribute, "in" if held else "not in", labels=tuple(named))


def satisfied(monomial: Monomial, columns: Sequence[NDArray[Any]]) -> Bools:
    """Return which rows satisfy every literal of a monomial that has at least one."""
    rows = monomial[0].satisfied_by(columns)
    for literal in monomial[1:]:
        rows = rows & literal.satisfied_by(columns)
    return rows
