"""Committees as plain text of 80 columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.reports.committees import committee_in_form
from widc_arff.reports.kinds import LABELS_SHOWN

if TYPE_CHECKING:
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.by_class import Layout


def committee_text(
    committee: DecisionCommittee, layout: Layout = "class", most: int = LABELS_SHOWN
) -> str:
    """Return a committee as text, with parameters as `committee_in_form` takes them."""
    return committee_in_form(committee, "text", layout, most)
