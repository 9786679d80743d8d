"""``widc-arff show``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from widc_arff.cli.common import format_option
from widc_arff.model_file import committee_to_json, read_committee
from widc_arff.reports.markdown import committee_markdown
from widc_arff.reports.text import committee_text

if TYPE_CHECKING:
    from widc_arff.committee import DecisionCommittee


@click.command("show")
@click.argument("model", metavar="MODEL.json")
@format_option
def command(model: str, form: str) -> None:
    """Print the committee of a model file."""
    click.echo(committee_in_form(read_committee(model), form), nl=False)


def committee_in_form(committee: DecisionCommittee, form: str) -> str:
    """Return a committee as text, as Markdown, or as its model file."""
    forms = {"text": committee_text, "json": committee_to_json, "markdown": committee_markdown}
    return forms[form](committee)
