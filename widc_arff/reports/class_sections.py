"""Sections of a report on data that are about classes: decisions, confusion, probabilities."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.evaluation.curves import calibration_bins, roc_points
from widc_arff.reports.drawing import calibration_plot, roc_plot
from widc_arff.reports.elements import (
    are_many,
    breakable,
    cell,
    element,
    heads,
    label_heads,
    label_row,
    row,
    shaded_count,
    table,
    text,
)
from widc_arff.reports.formatting import number, percent, shown
from widc_arff.reports.page_frame import PageSection, fixed_or_dash, paragraph, section

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Floats, Integers
    from widc_arff.evaluation.measures import ClassMeasures, Measures


def decisions_section(labels: Sequence[str], decided: Integers, weights: Floats) -> PageSection:
    """Return how many rows get each class, for data without classes."""
    of_class = np.bincount(decided, weights, minlength=len(labels)).tolist()
    total = sum(of_class)
    rows = [
        row(breakable(shown(label)), shaded_count(w, total), cell(percent(w / total)))
        for label, w in zip(labels, of_class, strict=True)
    ]
    return section(
        "decisions",
        "Decisions",
        paragraph("These data have no class; the sections that need it are left out."),
        table(heads("class decided", "rows", "share"), rows),
    )


def confusion_section(labels: Sequence[str], measures: Measures) -> PageSection:
    """Return the confusion matrix, and the measures of each class."""
    figures = (
        f"Accuracy {percent(measures.accuracy)}, balanced accuracy "
        f"{percent(measures.balanced_accuracy)}, Matthews correlation "
        f"{fixed_or_dash(measures.mcc)}, kappa {fixed_or_dash(measures.kappa)}, "
        f"log loss {fixed_or_dash(measures.log_loss)} nats, Brier score "
        f"{fixed_or_dash(measures.brier_score)}, mean absolute error of "
        f"the probabilities {fixed_or_dash(measures.mean_absolute_error)}, root mean squared "
        f"{fixed_or_dash(measures.root_mean_squared_error)}."
    )
    return section(
        "classes",
        "Classes",
        paragraph(figures),
        element("h3", "Confusion: true classes in rows, decided classes in columns"),
        _confusion_table(labels, measures.confusion),
        element("h3", "Measures of each class"),
        _measures_table(labels, measures),
    )


def _confusion_table(labels: Sequence[str], confusion: Floats) -> str:
    rows = []
    for i, (label, line) in enumerate(zip(labels, confusion.tolist(), strict=True)):
        total = sum(line)
        cells = [shaded_count(w, total, wrong=i != j) for j, w in enumerate(line)]
        rows.append(label_row(shown(label), *cells, cell(number(total))))
    sums = [cell(number(w)) for w in confusion.sum(axis=0).tolist()]
    rows.append(row("all", *sums, cell(number(float(confusion.sum()))), class_="last"))
    head = [*heads("true class"), *label_heads(labels), *heads("all")]
    return table(head, rows, dense=are_many(labels))


def _measures_table(labels: Sequence[str], measures: Measures) -> str:
    names = ("class", "rows", "precision", "recall", "F-measure", "ROC area", "PRC area")
    in_class = measures.confusion.sum(axis=1).tolist()
    rows = [
        label_row(shown(label), cell(number(w)), *_measure_cells(of_class))
        for label, w, of_class in zip(labels, in_class, measures.per_class, strict=True)
    ]
    average = _measure_cells(measures.weighted_average)
    rows.append(row("weighted average", cell(number(sum(in_class))), *average, class_="last"))
    return table(heads(*names), rows)


def _measure_cells(m: ClassMeasures) -> list[str]:
    return [
        cell(fixed_or_dash(x)) for x in (m.precision, m.recall, m.f_measure, m.roc_area, m.prc_area)
    ]


def probabilities_section(
    labels: Sequence[str],
    actual: Integers,
    probabilities: Floats,
    weights: Floats,
    measures: Measures,
) -> PageSection:
    """Return the calibration plot, and for two classes the ROC curve.

    Parameters
    ----------
    labels : sequence of str, length n_classes
        In the order of the codes.
    actual : ndarray of int, shape (n_samples,)
        Integers of the true classes, none missing.
    probabilities : ndarray of float64, shape (n_samples, n_classes)
        Predicted; their largest is the decision.
    weights : ndarray of float64, shape (n_samples,)
        Positive.
    measures : Measures
        Of the same rows.
    """
    decided = probabilities.argmax(axis=1)
    of_decision = probabilities.max(axis=1)
    bins = calibration_bins(of_decision, decided == actual, weights)
    says = (
        "Each point is the decisions whose probability lies in the same tenth; on the diagonal "
        "they are right as often as their probability says. Below, how many they are. The mean "
        f"distance from the diagonal is {measures.calibration_error:.3f}."
    )
    plots = [_plot_with_text("Calibration", calibration_plot(bins), says)]
    area = measures.per_class[-1].roc_area
    if len(labels) == 2 and not math.isnan(area):
        found = measures.confusion[:, 1] / measures.confusion.sum(axis=1)
        drawn = roc_plot(
            roc_points(probabilities[:, 1], actual == 1, weights),
            (float(found[0]), float(found[1])),
        )
        says = (
            f"For {shown(labels[1])} against {shown(labels[0])}. The area under the curve is "
            f"{area:.3f}; the orange point is where the committee decides."
        )
        plots.append(_plot_with_text("ROC curve", drawn, says))
    return section("probabilities", "Probabilities", element("div", *plots, class_="plots"))


def _plot_with_text(title: str, drawing: str, says: str) -> str:
    return element("div", element("h3", text(title)), drawing, paragraph(says, kind="quiet"))
