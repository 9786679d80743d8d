"""``widc-arff report``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from widc_arff.cli.common import (
    FileForm,
    file_options,
    is_given,
    labels_shown_option,
    layout_option,
    model_argument,
    output_option,
    read_model,
    require_output,
    unknown_option,
)
from widc_arff.cli.new_data import NewData
from widc_arff.cli.progress import working
from widc_arff.cli.reporting import form_option, print_report
from widc_arff.errors import DataError, counted_in_words, one_line
from widc_arff.reports.report import report_blocks

if TYPE_CHECKING:
    from widc_arff.reports.by_class import Layout

_OF_ENDING = {".md": "markdown", ".tex": "latex", ".txt": "text"}


@click.command("report")
@model_argument
@click.argument("data", metavar="DATA.arff")
@output_option("OUT|-", "Where the report goes; a page needs it, others are printed.")
@form_option(default="html", note="; OUT.md, OUT.tex and OUT.txt need no --format")
@file_options
@unknown_option
@layout_option
@labels_shown_option
def command(
    model: str,
    data: str,
    output: str | None,
    form: str,
    unknown_as_missing: bool,
    layout: Layout,
    labels_shown: int,
    **settings: Any,
) -> None:
    """Write a report on how a model does on data: its rules, its errors and their causes.

    The page needs no network and no script; other formats hold the same figures.  Columns are
    matched by name.  Without a class column the report shows what the rules do and how many rows
    get each class.
    """
    require_output(output)
    if output is not None and not is_given("form"):
        form = _OF_ENDING.get(Path(output).suffix.lower(), form)
    if output is None and form == "html":
        raise click.UsageError("-o: expected where the page goes (- is standard output), got none")
    committee = read_model(model)
    with working(f"reading {data}"):
        new_data = NewData(FileForm.taken_from(settings), unknown_as_missing)
        dataset = new_data.examples(committee, data)
        if not (dataset.weights > 0).any():
            raise DataError(
                "expected a row with a positive weight, got "
                + counted_in_words(dataset.n_samples, "row"),
                file=data,
            )
        source = one_line(Path(data).name)
        blocks = [*report_blocks(committee.as_read(), dataset, source, layout, labels_shown)]
    print_report(blocks, form, committee.training.version, output or "-")
