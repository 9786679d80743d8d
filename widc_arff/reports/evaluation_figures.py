"""Figures and tables of evaluations: sizes, spread, measures, confusion, calibration."""

from __future__ import annotations

import math
from dataclasses import astuple
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from widc_arff.reports.blocks import Column, Table, columns
from widc_arff.reports.formatting import counted, number, percent
from widc_arff.reports.layout import WIDTH, fixed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from widc_arff.arrays import Floats
    from widc_arff.evaluation.curves import CalibrationBin
    from widc_arff.evaluation.measures import Measures
    from widc_arff.evaluation.outcomes import Evaluation

CONFUSION = "confusion (rows: true class, columns: predicted)"
_MOST_CONFUSIONS = 10


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
    return "rows tested", text


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


def measures_told(measures: Measures) -> list[tuple[str, str]]:
    """Return names and values of the measures over all classes."""
    return [
        ("accuracy", percent(measures.accuracy)),
        ("balanced accuracy", percent(measures.balanced_accuracy)),
        ("MCC", fixed(measures.mcc, 4)),
        ("kappa", fixed(measures.kappa, 4)),
        ("log loss", fixed(measures.log_loss, 4)),
        ("Brier score", fixed(measures.brier_score, 4)),
        ("calibration error", fixed(measures.calibration_error, 4)),
        ("mean absolute error", fixed(measures.mean_absolute_error, 4)),
        ("root mean squared", fixed(measures.root_mean_squared_error, 4)),
    ]


def measures_table(labels: Sequence[str], measures: Measures, *, is_full: bool = False) -> Table:
    """Return the measures of each class; in full with its rows and the area of precision."""
    weights = measures.confusion.sum(axis=1).tolist()
    of_classes = [*measures.per_class, measures.weighted_average]
    rows = [
        [label, *[number(weight)] * is_full, *(fixed(x, 3) for x in astuple(of)[: 4 + is_full])]
        for label, weight, of in zip(
            [*labels, "weighted average"], [*weights, sum(weights)], of_classes, strict=True
        )
    ]
    names = ["precision", "recall", "F-measure", "ROC area", *["PRC area"] * is_full]
    return Table(columns("class", *["rows"] * is_full, *names), rows)


def confusions(labels: Sequence[str], confusion: Floats, whole: str = "--format json") -> Table:
    """Return the confusion matrix, or of a large one the largest numbers."""
    rows = [[number(float(x)) for x in row] for row in confusion]
    letters = [_letters(j) for j in range(len(labels))]
    width = max(len(text) for text in [*letters, *(cell for row in rows for cell in row)])
    if (width + 2) * len(labels) <= WIDTH - 10:
        named = [f"{letter} = {label}" for letter, label in zip(letters, labels, strict=True)]
        return Table(
            [*map(Column, letters), Column("", "words")],
            [[*row, name] for row, name in zip(rows, named, strict=True)],
            CONFUSION,
        )
    wrong = np.where(np.eye(len(labels), dtype=np.bool_), 0.0, confusion)
    largest = np.argsort(-wrong, axis=None, kind="stable")[:_MOST_CONFUSIONS]
    pairs = [divmod(k, len(labels)) for k in largest.tolist()]
    return Table(
        [Column(""), Column("", "words")],
        [
            [number(float(wrong[i, j])), f"{labels[i]} taken for {labels[j]}"]
            for i, j in pairs
            if wrong[i, j]
        ],
        f"most frequent confusions (the whole matrix: {whole})",
    )


def _letters(index: int) -> str:
    text = ""
    index += 1
    while index:
        index, digit = divmod(index - 1, 26)
        text = chr(ord("a") + digit) + text
    return text
