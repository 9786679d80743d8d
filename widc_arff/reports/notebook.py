"""A committee as a fragment of HTML for notebooks; it loads nothing, and every name is escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.reports.committee_table import HOW_IT_DECIDES, WHAT_COLUMNS_MEAN, committee_table
from widc_arff.reports.elements import TABLE_STYLE, element, text
from widc_arff.reports.text import training_line

if TYPE_CHECKING:
    from widc_arff.committee import DecisionCommittee


def committee_html(committee: DecisionCommittee) -> str:
    """Return a committee as a table: a rule a row with its votes, what it covers and how well."""
    return "\n".join(
        [
            element("style", TABLE_STYLE),
            committee_table(committee, caption=True),
            element("p", text(f"{HOW_IT_DECIDES} {WHAT_COLUMNS_MEAN}")) if committee.rules else "",
            element("p", text(training_line(committee))),
        ]
    )
