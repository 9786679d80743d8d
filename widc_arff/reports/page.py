"""Pages of HTML: a committee by itself, and what it does on data, with errors and their causes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.reports.class_page import ClassPage
from widc_arff.reports.kinds import LABELS_SHOWN, kind_of
from widc_arff.reports.label_set_page import LabelSetPage

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.by_class import Layout
    from widc_arff.reports.page_plan import PagePlan

_PLANS: Mapping[str, type[PagePlan[Any]]] = {"single": ClassPage, "multi": LabelSetPage}


def committee_page(
    committee: DecisionCommittee, layout: Layout | None = None, most: int = LABELS_SHOWN
) -> str:
    """Return a page with a committee; layout and most are as for `report_page`."""
    return _plan(committee, layout, most).alone()


def report_page(
    committee: DecisionCommittee,
    dataset: Dataset,
    source: str,
    layout: Layout | None = None,
    most: int = LABELS_SHOWN,
) -> str:
    """Return a page on what a committee does on data, as one HTML file that loads nothing.

    Parameters
    ----------
    committee : DecisionCommittee
        For classes or label sets.
    dataset : Dataset
        In its schema, with a row of positive weight; without classes or labels the page tells less.
    source : str
        Name of the data for the reader.
    layout : {"class", "rule"}, optional
        Of the committee, by default class by class from four classes on.
    most : int
        How many labels of a set to name for each vote of a rule.
    """
    return _plan(committee, layout, most).on(dataset, source)


def _plan(committee: DecisionCommittee, layout: Layout | None, most: int) -> PagePlan[Any]:
    return _PLANS[committee.schema.labels.kind](kind_of(committee, most), layout)
