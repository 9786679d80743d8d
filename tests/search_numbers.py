"""The numbers that bound the search of refined pruning, as a table, from the module that has them.

Constants tell their reason in the text below them, fields of `Budget` in its docstring.
"""

from __future__ import annotations

import ast
import inspect
import re
from dataclasses import fields
from itertools import pairwise
from typing import NamedTuple

from widc_arff.induction.search import budget


class _Number(NamedTuple):
    names: tuple[str, ...]
    values: tuple[float, ...]
    reason: str


def table_of_numbers() -> str:
    """Return all numbers with their reasons as Markdown."""
    rows = ["| number | value | what it is, and why |", "|---|---:|---|"]
    for number in [*_constants(), *_of_budget()]:
        names = ", ".join(f"`{name}`" for name in number.names)
        values = ", ".join(map(_shown, number.values))
        rows.append(f"| {names} | {values} | {number.reason} |")
    return "\n".join([*rows, ""])


def _constants() -> list[_Number]:
    """Return the constants of the module, each with the text that follows it."""
    body = ast.parse(inspect.getsource(budget)).body
    found = []
    for statement, following in pairwise(body):
        if not isinstance(statement, ast.Assign):
            continue
        assert isinstance(following, ast.Expr), "a number without its reason"
        names = re.findall(r"[A-Z_]+", ast.unparse(statement.targets[0]))
        values = tuple(getattr(budget, name) for name in names)
        found.append(_Number(tuple(names), values, _line(ast.literal_eval(following.value))))
    return found


def _of_budget() -> list[_Number]:
    """Return the defaults of `Budget`, with what its docstring says of them."""
    default = budget.Budget()
    documented = inspect.cleandoc(budget.Budget.__doc__ or "").split("Parameters\n----------\n")[1]
    found = []
    for head, reason in re.findall(r"^(\w.*) : \w+\n((?:    .*\n?)+)", documented, re.MULTILINE):
        names = tuple(head.split(", "))
        found.append(_Number(names, tuple(getattr(default, n) for n in names), _line(reason)))
    told = [name for number in found for name in number.names]
    assert told == [field.name for field in fields(default)]
    return found


def _line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _shown(value: float) -> str:
    return re.sub(r"e\+0?", "e", f"{value:g}")
