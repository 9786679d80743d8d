"""``widc-arff show``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from widc_arff.cli.common import labels_shown_option, layout_option, model_argument
from widc_arff.cli.reporting import form_option, print_report
from widc_arff.model.committee import read_committee
from widc_arff.model.model_file import committee_to_json
from widc_arff.model.resolving import rules_text
from widc_arff.reports.committees import committee_blocks
from widc_arff.reports.kinds import kind_of

if TYPE_CHECKING:
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.by_class import Layout


@click.command("show")
@model_argument
@layout_option
@labels_shown_option
@form_option("json", "rules", note=", rules is a file for edit and train --rules")
def command(model: str, form: str, layout: Layout, labels_shown: int) -> None:
    """Print the committee of a model file."""
    print_committee(read_committee(model), form, layout, labels_shown)


def print_committee(
    committee: DecisionCommittee, form: str, layout: Layout, labels_shown: int
) -> None:
    """Print a committee as a report, or as its model file or its rules."""
    if form == "json":
        click.echo(committee_to_json(committee), nl=False)
    elif form == "rules":
        click.echo(rules_text(committee), nl=False)
    else:
        kind = kind_of(committee.as_read(), labels_shown, layout)
        print_report(committee_blocks(kind), form, committee.training.version)
