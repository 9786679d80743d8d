"""``widc-arff show``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from widc_arff.cli.common import labels_shown_option, layout_option, model_argument
from widc_arff.model.committee import read_committee
from widc_arff.model.model_file import committee_to_json
from widc_arff.model.resolving import rules_text
from widc_arff.reports.blocks import FORMS
from widc_arff.reports.committees import committee_in_form as written

if TYPE_CHECKING:
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.by_class import Layout


@click.command("show")
@model_argument
@layout_option
@labels_shown_option
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMS, "json", "rules"]),
    default="text",
    show_default=True,
    help="Output format: html is a complete page, latex needs booktabs, rules is a file for edit "
    "and train --rules.",
)
def command(model: str, form: str, layout: Layout, labels_shown: int) -> None:
    """Print the committee of a model file."""
    text = committee_in_form(read_committee(model), form, layout, labels_shown)
    # a page is in the encoding that it tells, whatever the terminal's
    click.echo(text.encode("utf-8") if form == "html" else text, nl=False)


def committee_in_form(
    committee: DecisionCommittee, form: str, layout: Layout, labels_shown: int
) -> str:
    """Return a committee in a form of reports, or as its model file or its rules."""
    if form == "json":
        return committee_to_json(committee)
    if form == "rules":
        return rules_text(committee)
    if form == "html":
        from widc_arff.reports.page import committee_page  # noqa: PLC0415 - rare

        return committee_page(committee.as_read(), layout, labels_shown)
    return written(committee.as_read(), form, layout, labels_shown)
