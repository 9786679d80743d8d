"""``widc-arff report``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from widc_arff.cli.common import (
    FileForm,
    file_options,
    labels_shown_option,
    layout_option,
    model_argument,
    page_output_option,
    read_model,
    require_output,
    unknown_option,
    write_text,
)
from widc_arff.cli.new_data import NewData
from widc_arff.cli.progress import working
from widc_arff.errors import DataError, counted_in_words, one_line
from widc_arff.reports.page import report_page

if TYPE_CHECKING:
    from widc_arff.reports.by_class import Layout


@click.command("report")
@model_argument
@click.argument("data", metavar="DATA.arff")
@page_output_option
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
    """Write an HTML page on how a model does on data: its rules, its errors and their causes.

    The page needs no network and no script.  Columns are matched by name.  Without a class column
    it shows what the rules do and how many rows get each class.
    """
    require_output(output)
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
        page = report_page(committee.as_read(), dataset, source, layout, labels_shown)
    write_text(page, output)
