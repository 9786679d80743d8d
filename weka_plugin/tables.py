"""The tables of a comparison as plain text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from weka_plugin.experiments import ERROR, RULES

if TYPE_CHECKING:
    from weka_plugin.experiments import Cell, Results, Table

_NO_DEVIATION = " " * len(" (00.00) ")

FOOTNOTES = """\
v, *: significantly larger, smaller than the first column (corrected paired t-test, 5 %); (v/ /*):
on how many data sets. Rules are Weka's measureNumRules: the leaves of a tree; rule learners count
their default rule, hence one more than `widc-arff evaluate` says. Conditions of a tree
are its inner nodes; Weka does not report those of JRip and PART.
"""


def comparison_text(results: Results) -> str:
    """Return the tables for error, rules and conditions."""
    tables = [("Error in percent", results.table(ERROR))]
    if RULES in results.values:
        tables.append(("Rules", results.table(RULES)))
    tables.append(("Conditions", results.conditions_table()))
    n = results.values[ERROR].shape[2]
    head = (
        f"{n // results.folds} x {results.folds} folds, means (standard deviation over folds)\n\n"
    )
    return head + "\n".join(_table_text(title, table) for title, table in tables) + "\n" + FOOTNOTES


def _table_text(title: str, table: Table) -> str:
    shown = [[_cell(cell) for cell in row] for row in table.cells]
    last = ["(v/ /*)", ""]
    last += [_counts(table, j) for j in range(1, len(table.schemes))]
    means = [_mean([row[j] for row in table.cells]) for j in range(len(table.schemes))]
    lines = [
        [title, *table.schemes],
        *([name, *row] for name, row in zip(table.datasets, shown, strict=True)),
        ["mean", *means],
        last,
    ]
    widths = [max(len(line[j]) for line in lines) for j in range(len(lines[0]))]
    return "".join(
        "  ".join([f"{line[0]:<{widths[0]}}", *map("{:>{}}".format, line[1:], widths[1:])]).rstrip()
        + "\n"
        for line in lines
    )


def _counts(table: Table, scheme: int) -> str:
    if all(math.isnan(row[scheme].mean) for row in table.cells):
        return "-" + _NO_DEVIATION
    return "/".join(map(str, table.counts(scheme))) + " "


def _mean(cells: list[Cell]) -> str:
    return _plain(sum(cell.mean for cell in cells) / len(cells)) + _NO_DEVIATION


def _cell(cell: Cell) -> str:
    if math.isnan(cell.mean):
        return "-" + _NO_DEVIATION
    return f"{_plain(cell.mean)} ({cell.deviation:5.2f}){cell.mark:1}"


def _plain(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.2f}"
