"""A committee as a fragment of HTML for notebooks; it loads nothing, and every name is escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.reports.as_html import table
from widc_arff.reports.committees import committee_table, committee_title
from widc_arff.reports.elements import element, text
from widc_arff.reports.kinds import kind_of
from widc_arff.reports.style_sheets import style_sheet

if TYPE_CHECKING:
    from widc_arff.model.committee import DecisionCommittee


def committee_html(committee: DecisionCommittee) -> str:
    """Return a committee as a table: class by class, of label sets a rule a row."""
    kind = kind_of(committee.as_read())
    return "\n".join(
        [
            element("style", style_sheet("table")),
            table(committee_table(kind)._replace(caption=committee_title(kind), anchor="")),
            *(element("p", text(note)) for note in (*kind.notes(), kind.training_line)),
        ]
    )
