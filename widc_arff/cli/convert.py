"""``widc-arff convert``."""

from __future__ import annotations

import sys
import warnings
from io import BytesIO
from typing import TYPE_CHECKING, Any

import click

from widc_arff.cli.common import FileForm, file_options, nominal_option, show_types
from widc_arff.cli.progress import working
from widc_arff.errors import ArffError, WidcWarning
from widc_arff.system.files import require_place
from widc_arff.tables import (
    FORMS,
    data_pieces,
    form_of,
    read_table,
    write_data,
    write_to,
)
from widc_arff.tables.type_summary import losses
from widc_arff.tables.uses import TableOptions

if TYPE_CHECKING:
    from widc_arff.arff.relation import Relation


@click.command("convert")
@click.argument("data", metavar="IN")
@click.argument("output", metavar="OUT")
@click.option(
    "--class",
    "--target",
    "target",
    metavar="NAME|NUMBER|first|last",
    help="Class attribute; in CSV and Parquet it becomes nominal, with numbers in numeric order.",
)
@click.option("--to", "form", type=click.Choice(FORMS), help="Format of OUT if OUT is -.")
@nominal_option
@file_options
def command(
    data: str,
    output: str,
    target: str | None,
    form: str | None,
    nominal: tuple[str, ...],
    **settings: Any,
) -> None:
    """Convert a data file from one format to another; the file names' endings choose the formats.

    .arff and .arff.gz, .csv, .tsv, .csv.gz and .parquet; - is standard input or output.  What the
    other format cannot keep is reported on stderr.
    """
    if form is not None and output != "-" and form != form_of(output):
        raise click.UsageError(f"--to: expected {form_of(output)}, as OUT is named, got {form}")
    if output == "-" and form is None:
        raise click.UsageError(f"--to: expected one of {', '.join(FORMS)} with OUT -")
    if output != "-":
        if not output.lower().removesuffix(".gz").endswith(tuple(f".{known}" for known in FORMS)):
            endings = ", ".join(f".{known}" for known in FORMS)
            raise click.UsageError(f"expected OUT to end in one of {endings}, got {output!r}")
        require_place(output)
    with working(f"converting {data}"):
        options = FileForm.taken_from(settings).options(target=target, nominal=nominal)
        (relation,) = data_pieces(data, options, on_types=show_types)
        _warn_of_losses(relation, form or form_of(output), target, output)
        if output == "-":
            write_to(relation, sys.stdout.buffer, form or "arff")
        else:
            write_data(relation, output)


def _warn_of_losses(relation: Relation, form: str, target: str | None, output: str) -> None:
    """Tell what the form does not keep: the relation is written, read back and compared."""
    if form == "arff":
        return
    file = BytesIO()
    write_to(relation, file, form)
    file.seek(0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", WidcWarning)  # what it tells is among the losses
            lost = losses(relation, read_table(file, form, TableOptions(target=target)))
    except ArffError as error:
        lost = [f"it cannot be read back: {error.message}"]
    for loss in lost:
        warnings.warn(f"{output}: {loss}", WidcWarning, stacklevel=1)
