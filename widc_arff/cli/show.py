"""``widc-arff show``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from widc_arff.cli.common import format_option, labels_shown_option
from widc_arff.model_file import committee_to_json, read_committee
from widc_arff.reports.label_sets import label_set_committee_markdown, label_set_committee_text
from widc_arff.reports.markdown import committee_markdown
from widc_arff.reports.text import committee_text

if TYPE_CHECKING:
    from widc_arff.committee import DecisionCommittee


@click.command("show")
@click.argument("model", metavar="MODEL.json")
@labels_shown_option
@format_option
def command(model: str, form: str, labels_shown: int) -> None:
    """Print the committee of a model file."""
    click.echo(committee_in_form(read_committee(model), form, labels_shown), nl=False)


def committee_in_form(committee: DecisionCommittee, form: str, labels_shown: int) -> str:
    """Return a committee as text, as Markdown, or as its model file."""
    if committee.schema.labels.are_sets and form == "text":
        return label_set_committee_text(committee, labels_shown)
    if committee.schema.labels.are_sets and form == "markdown":
        return label_set_committee_markdown(committee, labels_shown)
    forms = {"text": committee_text, "json": committee_to_json, "markdown": committee_markdown}
    return forms[form](committee)
