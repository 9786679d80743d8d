"""A menu of sizes as text, Markdown, data and a plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from widc_arff.reports.blocks import Heading, Lines, Table, columns
from widc_arff.reports.drawing import sizes_plot
from widc_arff.reports.layout import fixed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from widc_arff.evaluation.outcomes import Evaluation
    from widc_arff.evaluation.sizes import Menu
    from widc_arff.reports.blocks import Block

BEST, SMALLEST = "least error", "smallest within one standard error"
_CHART = 44
"""Columns of the chart."""
_NAMES = {"best": BEST, "smallest": SMALLEST, "default": "the price of the options"}


def menu_report(menu: Menu, source: str, nested: Mapping[str, Evaluation[Any]]) -> list[Block]:
    """Return a menu as a report.

    Parameters
    ----------
    menu : Menu
        Of one file.
    source : str
        Its name.
    nested : mapping of str to Evaluation
        As `nested_errors` returns it, or nothing.
    """
    first = menu.evaluations[0]
    unit, scale = _unit(menu)
    heads = columns("bits a condition", unit, "standard error", "rules", "conditions", "votes")
    rows = []
    for k, (price, e) in enumerate(zip(menu.prices, menu.evaluations, strict=True)):
        errors = [_error(e.error, scale), _error(menu.standard_error(k), scale)]
        rows.append([f"{price:g}{_mark(menu, k)}", *errors, *_sizes(e)])
    blocks: list[Block] = [
        Heading(f"{source}: {first.method}", 1),
        Table(heads, rows),
        Lines(_chart(menu)),
    ]
    if nested:
        heads = columns("chosen in nested folds", unit, "rules", "conditions", "votes")
        rows = [[_NAMES[k], _error(e.error, scale), *_sizes(e)] for k, e in nested.items()]
        blocks += ["Error of the chosen size on rows not used to choose it:", Table(heads, rows)]
    return blocks


def menu_to_dict(menu: Menu, source: str, nested: Mapping[str, Evaluation[Any]]) -> dict[str, Any]:
    """Return a menu as data for JSON."""
    first = menu.evaluations[0]
    data: dict[str, Any] = {
        "file": source,
        "examples": first.examples,
        "sizes": [
            {
                "penalty": price,
                **_of(e),
                "standard_error": menu.standard_error(k),
                "errors_per_fold": e.errors_per_fold,
            }
            for k, (price, e) in enumerate(zip(menu.prices, menu.evaluations, strict=True))
        ],
        "best": menu.prices[menu.best],
        "smallest": menu.prices[menu.smallest],
    }
    return data | ({"nested": {name: _of(e) for name, e in nested.items()}} if nested else {})


def menu_svg(menu: Menu) -> str:
    """Return a plot of error against conditions, as a file of its own."""
    unit, scale = _unit(menu)
    points = [
        (e.literals, scale * e.error, scale * menu.standard_error(k), f"{price:g} bits")
        for k, (price, e) in enumerate(zip(menu.prices, menu.evaluations, strict=True))
    ]
    marked = {k: _mark(menu, k)[2:] for k in (menu.best, menu.smallest)}
    return sizes_plot(points, marked, unit)


def _of(evaluation: Evaluation[Any]) -> dict[str, float]:
    return {name: getattr(evaluation, name) for name in ("error", "rules", "literals", "votes")}


def _sizes(evaluation: Evaluation[Any]) -> list[str]:
    return [f"{n:.1f}" for n in (evaluation.rules, evaluation.literals, evaluation.votes)]


def _unit(menu: Menu) -> tuple[str, float]:
    """Return what errors are, and what makes them numbers that people read."""
    names = {"error": "error", "ranking_loss": "ranking loss", "hamming_loss": "Hamming loss"}
    return f"{names[menu.evaluations[0].error_name]} %", 100.0


def _error(share: float, scale: float) -> str:
    return fixed(scale * share, 1)


def _mark(menu: Menu, k: int) -> str:
    names = [name for name, index in ((BEST, menu.best), (SMALLEST, menu.smallest)) if index == k]
    return f": {' and '.join(names)}" if names else ""


def _chart(menu: Menu) -> list[str]:
    """Return a line for each price, with its error in the midst of its standard error."""
    ends = [
        (e.error - menu.standard_error(k), e.error + menu.standard_error(k))
        for k, e in enumerate(menu.evaluations)
    ]
    low, high = min(end for end, _ in ends), max(end for _, end in ends)
    _, scale = _unit(menu)

    def place(error: float) -> int:
        return round((_CHART - 1) * (error - low) / (high - low)) if high > low else 0

    left, right = _error(low, scale), _error(high, scale)
    lines = [f"{'conditions':>10}  {left}{right:>{_CHART - len(left)}}"]
    for k, (e, (start, stop)) in enumerate(zip(menu.evaluations, ends, strict=True)):
        cells = [" "] * _CHART
        cells[place(start) : place(stop) + 1] = "-" * (place(stop) + 1 - place(start))
        cells[place(e.error)] = "#" if k in (menu.best, menu.smallest) else "o"
        mark = {menu.best: "  least error", menu.smallest: "  smallest"}
        note = "  both" if menu.best == menu.smallest == k else mark.get(k, "")
        lines.append(f"{e.literals:>10.1f}  {''.join(cells)}{note}".rstrip())
    return lines
