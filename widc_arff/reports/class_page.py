"""Pages on a committee that decides for one class a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.evaluation.measures import measure
from widc_arff.evaluation.rule_statistics import committee_statistics
from widc_arff.reports.class_sections import (
    confusion_section,
    decisions_section,
    probabilities_section,
)
from widc_arff.reports.elements import text
from widc_arff.reports.formatting import class_names, number, percent
from widc_arff.reports.page_frame import DataTold
from widc_arff.reports.rule_sections import amount, errors_section, rule_link, rules_section

if TYPE_CHECKING:
    from widc_arff.data.dataset import Dataset
    from widc_arff.evaluation.measures import Measures
    from widc_arff.evaluation.rule_statistics import CommitteeStatistics
    from widc_arff.model.committee import DecisionCommittee


def data_told(committee: DecisionCommittee, dataset: Dataset) -> DataTold:
    """Return error, rules to doubt, and sections on classes; without classes there are fewer."""
    statistics, labels = committee_statistics(committee, dataset), committee.schema.labels.values
    examples = dataset.take(statistics.counted)
    probabilities = committee.predict_proba(examples)
    decided, weights = committee.predict_codes(examples), examples.weights
    figures, losses = [], []
    if statistics.has_labels:
        actual = examples.classes
        measures = measure(actual, decided, probabilities, weights)
        wrong = f"{number(measures.error * statistics.weight)} of {number(statistics.weight)}"
        figures.append(("error on these data", percent(measures.error), wrong))
        if statistics.errors:
            losses.append(text(_largest_confusion(committee, statistics, measures)))
        told = (labels, actual, probabilities, weights, measures)
        parts = [
            confusion_section(labels, measures),
            probabilities_section(*told),
            errors_section(committee, dataset, statistics),
        ]
    else:
        parts = [decisions_section(labels, decided, weights)]
    return DataTold(
        statistics=statistics,
        figures=figures,
        left_out=[],
        can_be_training=statistics.class_weights == committee.training.weights,
        doubts=_doubts(committee, statistics),
        losses=losses,
        rules=rules_section(committee, statistics),
        parts=parts,
    )


def _doubts(committee: DecisionCommittee, statistics: CommitteeStatistics) -> list[str]:
    """Return the least reliable rule, and the one most to blame."""
    points = []
    worst = statistics.least_reliable
    if worst is not None:
        rule = statistics.rules[worst]
        points.append(
            f"Least reliable: {rule_link(committee, worst, 'rule ')}, right on "
            f"{percent(rule.precision)} of {text(amount(rule.covered, statistics))} where it holds."
        )
    if committee.rules and statistics.has_labels:
        k = max(range(len(committee.rules)), key=lambda k: statistics.rules[k].to_blame)
        if statistics.rules[k].to_blame:
            points.append(
                f"Most to blame: {rule_link(committee, k, 'rule ')}, for "
                f"{number(statistics.rules[k].to_blame)} of {number(statistics.wrong)} wrong."
            )
    return points


def _largest_confusion(
    committee: DecisionCommittee, statistics: CommitteeStatistics, measures: Measures
) -> str:
    wrong = measures.confusion.copy()
    n = len(wrong)
    wrong[range(n), range(n)] = 0.0
    true, decided = divmod(int(wrong.argmax()), n)
    labels = class_names(committee)
    weight = amount(float(wrong.max()), statistics)
    return f"Most frequent confusion: {labels[true]} taken for {labels[decided]}, {weight}."
