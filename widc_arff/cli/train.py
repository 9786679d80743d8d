"""``widc-arff train``."""

from __future__ import annotations

from typing import Any

import click

from widc_arff.cli.common import (
    Source,
    data_options,
    format_option,
    labels_shown_option,
    options_from,
    training_options,
)
from widc_arff.cli.progress import working
from widc_arff.cli.show import committee_in_form
from widc_arff.errors import DataError, OptionError
from widc_arff.files import require_place
from widc_arff.induction import induce
from widc_arff.model_file import committee_to_json, write_committee


@click.command("train")
@click.argument("data", metavar="DATA.arff")
@data_options
@training_options
@click.option("--model", metavar="OUT.json", help="Save the model here; - prints it.")
@labels_shown_option
@format_option
def command(data: str, model: str | None, form: str, labels_shown: int, **settings: Any) -> None:
    """Learn a decision committee from DATA.arff and print its rules.

    DATA.arff may be compressed (.arff.gz), or CSV (.csv, .tsv, .csv.gz) or Parquet, whose columns
    get types that are shown; - is standard input.
    """
    source = Source.taken_from(settings)
    options = options_from(**settings)
    if model not in (None, "-"):
        require_place(model)
    with working(f"reading {data}"):
        dataset = source.read(data)
    options = source.suited(options, dataset)
    with working(f"learning from {dataset.n_samples:,} rows"):
        try:
            committee = induce(dataset, options)
        except DataError as error:
            raise DataError(f"{data}: {error}") from error
        except OptionError as error:  # cut points that do not fit the data
            raise OptionError(f"{settings['cut_points']}: {error}") from error
    if model == "-":
        click.echo(committee_to_json(committee), nl=False)
        return
    if model is not None:
        write_committee(committee, model)
    click.echo(committee_in_form(committee, form, labels_shown), nl=False)
