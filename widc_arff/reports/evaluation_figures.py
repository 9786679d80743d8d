"""Figures that all evaluations have: sizes, spread over the folds, calibration, tested rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from widc_arff.reports.blocks import Table, columns
from widc_arff.reports.formatting import counted, number, percent
from widc_arff.reports.layout import fixed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from widc_arff.evaluation.curves import CalibrationBin
    from widc_arff.evaluation.outcomes import Evaluation


class Figure(NamedTuple):
    """A figure of an evaluation, for a table with a row for each file."""

    head: str
    value: Callable[[Any], float]
    in_words: Callable[[float], str]
    has_mean: bool = True


SIZES = [
    Figure("rules", lambda e: e.rules, "{:.1f}".format),
    Figure("conditions", lambda e: e.literals, "{:.1f}".format),
]


def size_figures(evaluation: Evaluation[Any]) -> list[tuple[str, str]]:
    """Return how many rules and conditions committees have."""
    return [
        ("rules", f"{size(evaluation, evaluation.rules)} (default vector not counted)"),
        ("conditions", size(evaluation, evaluation.literals)),
    ]


def size(evaluation: Evaluation[Any], mean_of_folds: float) -> str:
    """Return a mean over the folds, or of one committee a whole number."""
    return f"{mean_of_folds:.{int(len(evaluation.predictions) > 1)}f}"


def with_spread(evaluation: Evaluation[Any], in_words: Callable[[float], str]) -> str:
    """Return the error, and how far it spreads over the folds, if there are several."""
    error = in_words(evaluation.error)
    if math.isnan(evaluation.spread):
        return error
    spread = in_words(evaluation.spread).removesuffix(" %")
    return f"{error} (standard deviation between folds {spread})"


def tested_figure(evaluation: Evaluation[Any], why_not: str) -> tuple[str, str]:
    """Return on how many rows was tested, and why not on others."""
    text = str(evaluation.examples)
    if evaluation.unlabelled:
        text += f", and {counted(evaluation.unlabelled, 'row')} {why_not}, not counted"
    return "examples tested", text


def digits(n: int) -> Callable[[float], str]:
    """Return what writes numbers with so many decimals."""
    return lambda value: fixed(value, n)


def calibration_table(bins: Iterable[CalibrationBin], what: str, share: str) -> Table:
    """Return predicted probability and observed share of what has probabilities."""
    rows = [
        [
            f"{b.low:.1f} to {b.high:.1f}",
            number(b.weight),
            percent(b.predicted),
            percent(b.observed),
        ]
        for b in bins
    ]
    return Table(columns("probability", what, "predicted", share), rows)
