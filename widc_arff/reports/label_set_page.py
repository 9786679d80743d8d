"""Pages on a committee for label sets."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from widc_arff.evaluation.label_set_measures import measure_label_sets
from widc_arff.evaluation.label_set_statistics import label_set_statistics
from widc_arff.reports.elements import cell, heads, label_row, shaded_count, table
from widc_arff.reports.formatting import counted, percent, shown
from widc_arff.reports.page_frame import (
    DataTold,
    PageSection,
    fixed_or_dash,
    paragraph,
    section,
)
from widc_arff.reports.rule_sections import COVERS, cover_columns, rule_link, rules_on_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.data.dataset import Dataset
    from widc_arff.evaluation.label_set_statistics import LabelSetStatistics
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.page_frame import Fact


def data_told(committee: DecisionCommittee, dataset: Dataset) -> DataTold:
    """Return losses, rules to doubt, labels that are not found, and a section on labels."""
    statistics = label_set_statistics(committee, dataset)
    has_labels, labels = statistics.has_labels, statistics.labels
    n_never = sum(label.true > 0 and not label.predicted for label in labels)
    never = f"Never predicted: {n_never} of {counted(len(labels), 'label')}."
    left_out = "These data have no labels; the sections that need them are left out."
    return DataTold(
        statistics,
        _measured(committee, dataset.take(statistics.counted)) if has_labels else [],
        left_out=[] if has_labels else [left_out],
        can_be_training=has_labels,
        doubts=_doubts(committee, statistics),
        losses=[never] if has_labels and n_never else [],
        rules=_rules_section(committee, statistics),
        parts=[_labels_section(committee, statistics)],
    )


def _measured(committee: DecisionCommittee, examples: Dataset) -> list[Fact]:
    """Return how well labels are predicted."""
    measures = measure_label_sets(
        committee.ranking_scores(examples),
        committee.predict_sets(examples),
        examples.Y,
        examples.weights,
    )
    cardinality = f"{measures.predicted_cardinality:.2f} predicted"
    return [
        ("ranking loss", f"{measures.ranking_loss:.4f}", "share of pairs in wrong order"),
        ("Hamming loss", f"{measures.hamming_loss:.4f}", "share of labels wrong"),
        ("exactly right", percent(measures.subset_accuracy), "whole label sets"),
        ("micro F1", f"{measures.micro_f1:.4f}", f"macro F1 {measures.macro_f1:.4f}"),
        ("labels a row", f"{measures.true_cardinality:.2f}", cardinality),
    ]


def _doubts(committee: DecisionCommittee, statistics: LabelSetStatistics) -> list[str]:
    """Return the least reliable rule."""
    rules = statistics.rules
    judged = [k for k, rule in enumerate(rules) if not math.isnan(rule.present)]
    if not judged:
        return []
    worst = min(judged, key=lambda k: rules[k].present)
    told = (
        f"Least reliable: {rule_link(committee, worst, 'rule ')}; where it holds, rows have "
        f"{percent(rules[worst].present)} of the labels that it votes for."
    )
    return [told]


def _rules_section(committee: DecisionCommittee, statistics: LabelSetStatistics) -> PageSection:
    columns, meaning = cover_columns(statistics), f"{COVERS} get other labels without the rule."
    if statistics.has_labels:
        rules = statistics.rules
        columns["for: right"] = [cell(fixed_or_dash(rule.present)) for rule in rules]
        columns["against: right"] = [cell(fixed_or_dash(rule.absent)) for rule in rules]
        meaning += (
            " For: right, over the rows where the rule holds the mean share of the labels with "
            "vote +1 that the row has; against: right, of those with vote -1 that it has not."
        )
    return rules_on_data(committee, columns, meaning, "")


def _labels_section(committee: DecisionCommittee, statistics: LabelSetStatistics) -> PageSection:
    names: Sequence[str] = ("label", "predicted")
    if statistics.has_labels:
        names = ("label", "true", "predicted", "precision", "recall", "F1")
    rows = []
    for label, s in zip(committee.schema.labels.values, statistics.labels, strict=True):
        cells = [shaded_count(s.predicted, statistics.weight)]
        if statistics.has_labels:
            cells.insert(0, shaded_count(s.true, statistics.weight))
            cells += [cell(fixed_or_dash(x)) for x in (s.precision, s.recall, s.f1)]
        rows.append(label_row(shown(label), *cells))
    return section(
        "labels", "Labels", paragraph("Rows with each label."), table(heads(*names), rows)
    )
