"""``widc-arff show``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from widc_arff.cli.common import labels_shown_option, layout_option
from widc_arff.model.committee import read_committee
from widc_arff.model.model_file import committee_to_json
from widc_arff.reports.label_sets import label_set_committee_markdown, label_set_committee_text
from widc_arff.reports.markdown import committee_markdown
from widc_arff.reports.text import committee_text

if TYPE_CHECKING:
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.by_class import Layout


@click.command("show")
@click.argument("model", metavar="MODEL.json")
@layout_option
@labels_shown_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown", "html", "latex"]),
    default="text",
    show_default=True,
    help="Form of the result: html is a whole page, latex needs booktabs.",
)
def command(model: str, form: str, layout: Layout | None, labels_shown: int) -> None:
    """Print the committee of a model file."""
    committee = read_committee(model)
    if form == "html":
        text = _page(committee, layout, labels_shown)
        click.echo(text.encode("utf-8"), nl=False)  # as the page says, whatever the terminal's
    elif form == "latex":
        click.echo(_latex(committee, layout, labels_shown), nl=False)
    else:
        click.echo(committee_in_form(committee, form, layout, labels_shown), nl=False)


def committee_in_form(
    committee: DecisionCommittee, form: str, layout: Layout | None, labels_shown: int
) -> str:
    """Return a committee as text, as Markdown, or as its model file."""
    if committee.schema.labels.are_sets and form == "text":
        return label_set_committee_text(committee, labels_shown)
    if committee.schema.labels.are_sets and form == "markdown":
        return label_set_committee_markdown(committee, labels_shown)
    if form == "json":
        return committee_to_json(committee)
    tell = committee_text if form == "text" else committee_markdown
    return tell(committee, layout)


def _page(committee: DecisionCommittee, layout: Layout | None, labels_shown: int) -> str:
    from widc_arff.reports.label_set_page import label_set_committee_page  # noqa: PLC0415 - rare
    from widc_arff.reports.page import committee_page  # noqa: PLC0415

    if committee.schema.labels.are_sets:
        return label_set_committee_page(committee, labels_shown)
    return committee_page(committee, layout)


def _latex(committee: DecisionCommittee, layout: Layout | None, labels_shown: int) -> str:
    from widc_arff.reports.latex import (  # noqa: PLC0415 - rare
        committee_latex,
        label_set_committee_latex,
    )

    if committee.schema.labels.are_sets:
        return label_set_committee_latex(committee, labels_shown)
    return committee_latex(committee, layout)
