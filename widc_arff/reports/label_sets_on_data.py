"""What a committee for label sets does on data: losses, rules, labels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from widc_arff.evaluation.label_set_measures import measure_label_sets
from widc_arff.evaluation.label_set_statistics import label_set_statistics
from widc_arff.reports.blocks import Heading, Item, Table, columns
from widc_arff.reports.formatting import counted, percent
from widc_arff.reports.on_data import DataTold, covers, rules_on_data, shaded_count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from widc_arff.data.dataset import Dataset
    from widc_arff.evaluation.label_set_statistics import LabelSetStatistics
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.blocks import Block, Cell
    from widc_arff.reports.kind import Kind


def data_told(kind: Kind, dataset: Dataset) -> DataTold:
    """Return what there is to tell of label sets alone; less of data without them."""
    committee = kind.committee
    statistics = label_set_statistics(committee, dataset)
    told = DataTold(
        statistics,
        can_be_training=statistics.has_labels,
        doubts=[*_doubts(statistics)],
        rules=_rules(kind, statistics),
        parts=[Heading("Labels", name="labels"), *_labels(kind, statistics)],
    )
    if not statistics.has_labels:
        left_out = "These data have no labels; the sections that need them are left out."
        return told._replace(left_out=left_out)
    n_never = sum(label.true > 0 and not label.predicted for label in statistics.labels)
    never = Item(f"Never predicted: {n_never} of {counted(len(kind.labels), 'label')}.")
    figures = _measured(committee, dataset.take(statistics.counted))
    return told._replace(figures=figures, losses=[never] if n_never else [])


def _measured(committee: DecisionCommittee, examples: Dataset) -> list[tuple[str, str, str]]:
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


def _doubts(statistics: LabelSetStatistics) -> Iterator[Item]:
    """Yield the least reliable rule, if some is wrong."""
    judged = {k: of.present for k, of in enumerate(statistics.rules) if not math.isnan(of.present)}
    worst = min(judged, key=judged.__getitem__, default=None)
    if worst is not None and judged[worst] < 1:
        found = f"{percent(judged[worst])} of the labels that it votes for"
        words = f"rule {worst + 1}; where it holds, rows have {found}."
        yield Item(f"Least reliable: {words}", "rule")


def _rules(kind: Kind, statistics: LabelSetStatistics) -> list[Block]:
    cells, meaning = covers(statistics, kind.otherwise)
    if statistics.has_labels:
        cells["for: right"] = [_fixed(rule.present) for rule in statistics.rules]
        meaning += (
            " For: right, over the rows where the rule holds the mean share of the labels with "
            "vote +1 that the row has"
        )
        if any(min(rule.votes) < 0 for rule in kind.committee.rules):
            cells["against: right"] = [_fixed(rule.absent) for rule in statistics.rules]
            meaning += "; against: right, of those with vote -1 that it has not"
        meaning += "."
    return rules_on_data(kind.committee, cells, meaning)


def _labels(kind: Kind, statistics: LabelSetStatistics) -> Iterator[Block]:
    """Yield how often each label is there and predicted."""
    names = ["predicted"]
    if statistics.has_labels:
        names = ["true", "predicted", "precision", "recall", "F1"]
    rows: list[list[Cell]] = []
    for label, of in zip(kind.labels, statistics.labels, strict=True):
        counts = [of.true, of.predicted] if statistics.has_labels else [of.predicted]
        figures = [_fixed(x) for x in (of.precision, of.recall, of.f1)]
        cells = [*(shaded_count(n, statistics.weight) for n in counts), *figures]
        rows.append([label, *cells[: len(names)]])
    yield "Rows with each label."
    yield Table(columns("label", *names), rows, look="labels")


def _fixed(value: float) -> str:
    """Return a number with three decimals, or a dash where there is none."""
    return "–" if math.isnan(value) else f"{value:.3f}"
