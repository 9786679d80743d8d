"""Measures of decisions for one class a row, and what is taken for what, in tables."""

from __future__ import annotations

from dataclasses import astuple
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.reports.blocks import Column, Table, columns
from widc_arff.reports.formatting import number, percent
from widc_arff.reports.layout import WIDTH, fixed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Floats
    from widc_arff.evaluation.measures import Measures

CONFUSION = "confusion (rows: true class, columns: predicted)"
_MOST_CONFUSIONS = 10


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
