"""The one place that chooses by the kind of labels: of one class a row, or of label sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.reports.classes import Classes
from widc_arff.reports.label_sets import LabelSets

if TYPE_CHECKING:
    from collections.abc import Mapping

    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.by_class import Layout
    from widc_arff.reports.kind import Kind

LABELS_SHOWN = 10
KINDS: Mapping[str, type[Kind]] = {"single": Classes, "multi": LabelSets}


def kind_of(
    committee: DecisionCommittee, most: int = LABELS_SHOWN, layout: Layout = "class"
) -> Kind:
    """Return how a committee is told, of label sets with so many labels at a time."""
    return KINDS[committee.schema.labels.kind](committee, most, layout)
