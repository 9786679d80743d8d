"""``widc-arff diff``."""

from __future__ import annotations

from typing import Any

import click

from widc_arff.cli.common import (
    FileForm,
    dump_json,
    file_options,
    unknown_option,
    weights_option,
)
from widc_arff.cli.new_data import NewData, read_by_each
from widc_arff.cli.reporting import form_option, print_report
from widc_arff.evaluation.differences import decision_changes
from widc_arff.model.committee import read_committee
from widc_arff.reports.differences import differences_as_data, differences_blocks


@click.command("diff")
@click.argument("old", metavar="MODEL.json")
@click.argument("new", metavar="MODEL.json")
@click.argument("data", metavar="[DATA.arff]", required=False)
@file_options
@unknown_option
@weights_option
@form_option("json")
def command(
    old: str,
    new: str,
    data: str | None,
    unknown_as_missing: bool,
    weights: str | None,
    form: str,
    **settings: Any,
) -> None:
    """Compare two models: rules kept, changed, gone and new; with data, rows decided differently.

    Rules are paired first by equal conditions, then by their names, then if they differ only in a
    cut point, and last if they test mostly the same attributes.
    """
    before, after = read_committee(old), read_committee(new)
    new_data = NewData(FileForm.taken_from(settings), unknown_as_missing, weights)
    on_data = None
    if data is not None:
        with read_by_each(data, 2) as begin:
            begin()
            rows = new_data.examples(before, data)
            begin()
            same_rows = new_data.examples(after, data)
        on_data = data, decision_changes(before, after, rows, same_rows)
    if form == "json":
        click.echo(dump_json(differences_as_data(before, after, (old, new), on_data)), nl=False)
        return
    print_report(differences_blocks(before, after, (old, new), on_data), form)
