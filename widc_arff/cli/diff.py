"""``widc-arff diff``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from widc_arff.cli.common import (
    FileForm,
    dump_json,
    examples_for,
    file_options,
    page_option,
    read_for,
    readings,
    unknown_option,
    weights_option,
)
from widc_arff.evaluation.differences import decision_changes
from widc_arff.model.committee import read_committee
from widc_arff.reports.blocks import blocks_in_form
from widc_arff.reports.differences import differences_as_data, differences_blocks
from widc_arff.version import __version__

if TYPE_CHECKING:
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee


@click.command("diff")
@click.argument("old", metavar="MODEL.json")
@click.argument("new", metavar="MODEL.json")
@click.argument("data", metavar="[DATA.arff]", required=False)
@file_options
@unknown_option
@weights_option
@page_option
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
    file_form = FileForm.taken_from(settings)

    def rows_for(committee: DecisionCommittee, path: str) -> Dataset:
        relation = read_for(committee, path, file_form, weights=weights)
        return examples_for(committee, relation, path, unknown_as_missing=unknown_as_missing)

    on_data = None
    if data is not None:
        rows, same_rows = (rows_for(model, data) for model in readings(data, (before, after)))
        on_data = data, decision_changes(before, after, rows, same_rows)
    if form == "json":
        click.echo(dump_json(differences_as_data(before, after, (old, new), on_data)), nl=False)
        return
    blocks = list(differences_blocks(before, after, (old, new), on_data))
    text = blocks_in_form(blocks, form, __version__)
    click.echo(text.encode("utf-8") if form == "html" else text, nl=False)
