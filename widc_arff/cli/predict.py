"""``widc-arff predict``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from widc_arff.arff.relation import Relation
from widc_arff.cli.common import (
    FileForm,
    decision_costs,
    decision_costs_option,
    file_options,
    model_argument,
    output_option,
    read_model,
    require_output,
    unknown_option,
)
from widc_arff.cli.new_data import NewData
from widc_arff.cli.progress import working_through
from widc_arff.errors import DataError
from widc_arff.reports.predictions import prediction_table
from widc_arff.system.files import text_written_whole
from widc_arff.tables import write_data
from widc_arff.tables.csv_files import write_csv
from widc_arff.tables.labels import find_attribute

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command("predict")
@model_argument
@click.argument("data", metavar="DATA.arff")
@output_option(
    "OUT.arff|OUT.csv|OUT.parquet|-",
    "File for the predictions; by default CSV on standard output.",
    default="-",
)
@click.option(
    "--keep",
    multiple=True,
    metavar="NAME",
    help="Attribute of the data to copy into the predictions; may be repeated.",
)
@decision_costs_option
@unknown_option
@file_options
def command(
    model: str,
    data: str,
    output: str,
    keep: tuple[str, ...],
    costs: str | None,
    unknown_as_missing: bool,
    **settings: Any,
) -> None:
    """Predict classes and probabilities for the rows of DATA.arff.

    Columns are matched by name, and labels by their text.  The data need no class column; a class
    that the model does not know counts as missing.  For label sets each label is predicted as 0 or
    1, with its probability.  CSV and Parquet columns are read with the types of the model.

    With --costs, `predicted` is the class with the lowest expected cost, `expected_cost` is that
    cost, and `voted` is the class with the most votes.
    """
    if output != "-" and not output.endswith((".arff", ".csv", ".parquet")):
        raise click.UsageError(
            f"--output: expected OUT.arff, OUT.csv, OUT.parquet or -, got {output!r}"
        )
    require_output(output)
    committee = read_model(model)
    matrix = decision_costs(costs, committee)
    new_data = NewData(FileForm.taken_from(settings), unknown_as_missing)
    with working_through(f"predicting {data}") as step:

        def predicted() -> Iterator[Relation]:
            n_rows = 0
            for relation, examples in new_data.pieces(committee, data, keep):
                kept = [_kept_column(relation, data, name) for name in dict.fromkeys(keep)]
                yield prediction_table(
                    committee, examples, relation, kept, matrix, first_row=n_rows + 1
                )
                n_rows += examples.n_samples
                step(n_rows)

        table = Relation.stored(predicted())  # nothing is written if the last row is wrong
    if output == "-":
        write_csv(table, sys.stdout)
    elif output.endswith(".csv"):
        with text_written_whole(output) as stream:
            write_csv(table, stream)
    else:
        write_data(table, output)


def _kept_column(relation: Relation, path: str, name: str) -> int:
    index = find_attribute(relation.attributes, name, f"{path}: keep")
    if relation.attributes[index].type == "relational":
        raise DataError(
            f"keep: expected a nominal, numeric, date or string attribute, "
            f"got the relational {name!r}"
        )
    return index
