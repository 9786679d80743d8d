"""``widc-arff report``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from widc_arff.cli.common import (
    FileForm,
    examples_for,
    file_options,
    labels_shown_option,
    layout_option,
    read_for,
    read_model,
    unknown_option,
)
from widc_arff.cli.progress import working
from widc_arff.errors import DataError, counted_in_words, one_line
from widc_arff.reports.page import report_page
from widc_arff.system.files import require_place, text_written_whole

if TYPE_CHECKING:
    from widc_arff.reports.by_class import Layout


@click.command("report")
@click.argument("model", metavar="MODEL.json")
@click.argument("data", metavar="DATA.arff")
@click.option(
    "-o",
    "--output",
    metavar="OUT.html|-",
    required=True,
    help="Where the page goes; - is standard output.",
)
@file_options
@unknown_option
@layout_option
@labels_shown_option
def command(
    model: str,
    data: str,
    output: str,
    unknown_as_missing: bool,
    layout: Layout,
    labels_shown: int,
    **settings: Any,
) -> None:
    """Write one HTML page on what a model does on data: its rules, its errors and their causes.

    The page needs no network and no script.  Columns are matched by name; without a class column
    it tells what the rules do and how many rows get each class.
    """
    if output != "-":
        require_place(output)
    committee = read_model(model)
    with working(f"reading {data}"):
        relation = read_for(committee, data, FileForm.taken_from(settings))
        dataset = examples_for(committee, relation, data, unknown_as_missing=unknown_as_missing)
        if not (dataset.weights > 0).any():
            raise DataError(
                f"{data}: expected a row with a positive weight, got "
                + counted_in_words(dataset.n_samples, "row")
            )
        source = one_line(Path(data).name)
        page = report_page(committee.as_read(), dataset, source, layout, labels_shown)
    if output == "-":
        click.echo(page.encode("utf-8"), nl=False)  # whatever the encoding of the terminal
    else:
        with text_written_whole(output) as stream:
            stream.write(page)
