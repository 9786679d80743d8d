"""A committee as a fragment of HTML for notebooks; it loads nothing, and every name is escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.reports.committee_table import (
    committee_table,
    how_committee_decides,
    what_columns_mean,
)
from widc_arff.reports.elements import TABLE_STYLE, element, text
from widc_arff.reports.kinds import kind_of

if TYPE_CHECKING:
    from widc_arff.model.committee import DecisionCommittee


def committee_html(committee: DecisionCommittee) -> str:
    """Return a committee as a table: class by class, or a rule a row with its points."""
    words = f"{how_committee_decides(committee, None)} {what_columns_mean(committee, None)}"
    return "\n".join(
        [
            element("style", TABLE_STYLE),
            committee_table(committee, None, caption=True),
            element("p", text(words)) if committee.rules else "",
            element("p", text(kind_of(committee).training_line)),
        ]
    )
