"""Terms of SQL that SQLite, PostgreSQL and DuckDB read alike, within the limits of each.

SQLite takes expressions of depth 1,000 and a chain of operators is as deep as it is long, so that
long chains are put together from parts in parentheses.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_TERMS = 100  # of a chain in a row
_BESIDE = 8  # labels whose largest sum one expression finds, which compares each two of them


def quoted(text: str) -> str:
    """Return a text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def quoted_name(name: str) -> str:
    """Return a name as SQL takes it as it is."""
    return '"' + name.replace('"', '""') + '"'


def double(value: float) -> str:
    """Return an expression of the type of doubles whose value is exactly that of one."""
    return f"CAST({exact_number(value)} AS DOUBLE PRECISION)"


def exact_number(value: float) -> str:
    """Return an expression whose value is exactly that of a finite double.

    Notes
    -----
    Decimal digits are enough where they are at most 15 with a power of ten of at most 22: then
    digits and power are doubles, and any database rounds once.  Beyond, SQLite may miss the nearest
    double by a bit, so that a whole number is scaled by powers of two, which is exact.
    """
    digits, exponent = _decimal(value)
    if len(digits) <= 15 and abs(exponent) <= 22:
        return repr(value)
    numerator, denominator = value.as_integer_ratio()
    shift = numerator & -numerator
    numerator //= shift
    factors = [f"CAST({numerator} AS DOUBLE PRECISION)"]
    for operator, power in (("*", shift), ("/", denominator)):
        rest = power
        while rest > 1:
            step = min(rest, 2**62)
            factors += [operator, f"CAST({step} AS DOUBLE PRECISION)"]
            rest //= step
    return "(" + " ".join(factors) + ")"


def _decimal(value: float) -> tuple[tuple[int, ...], int]:
    """Return the shortest digits and the power of ten that make a double."""
    _, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    return digits, int(exponent)


def step(name: str, columns: Sequence[str], source: str, *more: str) -> list[str]:
    """Return a common table expression that makes columns from those of `source`, named s."""
    body = ",\n    ".join(columns)
    after = [f"  {line}" for line in more]
    lines = [f"{name} AS MATERIALIZED (", f"  SELECT\n    {body}", f"  FROM {source} AS s"]
    return [*lines, *after, "),"]


def chain(terms: Sequence[str], operator: str) -> str:
    """Return terms joined by an associative operator, a line each; long chains in parts."""
    if len(terms) > _MOST_TERMS:
        parts = batched(terms, _MOST_TERMS)
        return chain([f"({chain(part, operator)})" for part in parts], operator)
    return f"\n      {operator} ".join(terms)


def signed_sum(terms: Sequence[str]) -> str:
    """Return a sum of terms that begin with their signs, a line each; long sums in parts."""
    if len(terms) > _MOST_TERMS:
        return signed_sum([f"+ ({signed_sum(part)})" for part in batched(terms, _MOST_TERMS)])
    return "\n      ".join(terms).removeprefix("+ ")


def largest(columns: Sequence[str]) -> str:
    """Return the largest of a few columns; the databases have no common function for it."""
    cases = [
        f"WHEN {' AND '.join(f'{column} >= {other}' for other in columns[i:])} THEN {column}"
        for i, column in enumerate(columns[:-1], 1)
    ]
    return "\n      ".join(["CASE", *cases, f"ELSE {columns[-1]} END"]) if cases else columns[0]


def in_reach_of_largest(columns: Sequence[str]) -> list[Sequence[str]]:
    """Return columns in groups, each few enough for `largest`."""
    return batched(columns, _BESIDE)


def batched(items: Sequence[str], size: int) -> list[Sequence[str]]:
    """Return items in lists of at most `size`."""
    return [items[i : i + size] for i in range(0, len(items), size)]
