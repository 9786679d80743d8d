"""``widc-arff card``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from widc_arff.cli.common import (
    FileForm,
    file_options,
    model_argument,
    unknown_option,
    weights_option,
)
from widc_arff.cli.new_data import NewData
from widc_arff.cli.progress import working_through
from widc_arff.cli.reporting import form_option, print_report
from widc_arff.errors import one_line
from widc_arff.evaluation.distinct_rows import distinct_rows
from widc_arff.evaluation.models_on_data import model_on_data
from widc_arff.model.committee import read_committee
from widc_arff.options import options_of
from widc_arff.reports.card import card_blocks


@click.command("card")
@model_argument
@click.argument("data", metavar="[DATA.arff]", required=False)
@form_option(default="markdown")
@file_options
@unknown_option
@weights_option
def command(
    model: str,
    data: str | None,
    form: str,
    unknown_as_missing: bool,
    weights: str | None,
    **settings: Any,
) -> None:
    """Write a model card: what a model is and is for, its data, rules, errors, limits and changes.

    With DATA.arff, rows not used for training, the card also shows the errors there.  The options
    --provenance and --folds of train and --use, --author and --date of edit record what a card
    shows.
    """
    committee = read_committee(model)
    new_data = NewData(FileForm.taken_from(settings), unknown_as_missing, weights, to_test=True)
    on_data = None
    if data is not None:
        with working_through(f"evaluating {data}") as step:
            rows = distinct_rows(committee, new_data.counted(committee, data, step))
        name = one_line(Path(data).name)
        on_data = name, model_on_data(model, committee, rows, options_of(committee), name)
    print_report(card_blocks(committee, on_data), form, committee.training.version)
