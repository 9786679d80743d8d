"""``widc-arff export``."""

from __future__ import annotations

import warnings
from pathlib import Path

import click

from widc_arff.cli.common import read_model
from widc_arff.errors import WidcWarning
from widc_arff.export.java import java_source
from widc_arff.export.pmml import pmml_document
from widc_arff.export.pmml_rules import pmml_rules_document
from widc_arff.export.python import python_source
from widc_arff.export.sql import sql_limits, sql_select
from widc_arff.system.files import require_place, text_written_whole


@click.command("export")
@click.argument("model", metavar="MODEL.json")
@click.option(
    "--to",
    "language",
    type=click.Choice(["python", "sql", "java", "pmml", "pmml-rules"]),
    required=True,
    help="Language of the code.",
)
@click.option(
    "-o",
    "--output",
    metavar="OUT|-",
    default="-",
    help="Where the code goes, by default standard output; a Java class is named after it.",
)
@click.option(
    "--table",
    metavar="NAME",
    help="Table or view that the SQL reads; by default it has the name of the relation.",
)
def command(model: str, language: str, output: str, table: str | None) -> None:
    """Write a model as code that gives the same answers and needs nothing of this package.

    python: a module with predict(row), predict_proba(row) and votes(row).  sql: one SELECT for
    SQLite, PostgreSQL and DuckDB.  java: a class.  pmml: a regression model over the rules.
    pmml-rules: a rule set, which Weka reads too; its labels are the same, not its probabilities.
    Models for label sets become python, sql and java; their predict gives labels, not one label.
    """
    if table is not None and language != "sql":
        raise click.UsageError(f"--table: expected with --to sql only, got --to {language}")
    if output != "-":
        require_place(output)
    committee = read_model(model)
    if language == "python":
        text = python_source(committee)
    elif language == "sql":
        text = sql_select(committee, table)
        for limit in sql_limits(committee):
            warnings.warn(f"{model}: {limit}", WidcWarning, stacklevel=1)
    elif language == "java":
        text = java_source(committee, "Committee" if output == "-" else Path(output).stem)
    elif language == "pmml":
        text = pmml_document(committee)
    else:
        text = pmml_rules_document(committee)
    if output == "-":
        click.echo(text.encode("utf-8"), nl=False)  # whatever the encoding of the terminal
    else:
        with text_written_whole(output) as stream:
            stream.write(text)
