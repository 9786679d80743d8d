"""``widc-arff export``."""

from __future__ import annotations

import warnings
from pathlib import Path

import click

from widc_arff.cli.common import (
    model_argument,
    output_option,
    read_model,
    require_output,
    write_text,
)
from widc_arff.errors import WidcWarning
from widc_arff.export.java import java_source
from widc_arff.export.pmml import pmml_document
from widc_arff.export.pmml_rules import pmml_rules_document
from widc_arff.export.python import python_source
from widc_arff.export.sql import sql_limits, sql_select


@click.command("export")
@model_argument
@click.option(
    "--to",
    "language",
    type=click.Choice(["python", "sql", "java", "pmml", "pmml-rules"]),
    required=True,
    help="Language of the code.",
)
@output_option(
    "OUT|-",
    "File for the code; by default standard output.  A Java class is named after the file.",
    default="-",
)
@click.option(
    "--table",
    metavar="NAME",
    help="Table or view that the SQL reads; by default the name of the relation.",
)
def command(model: str, language: str, output: str, table: str | None) -> None:
    """Write a model as code that gives the same answers and does not need this package.

    python: a module with predict(row), predict_proba(row) and votes(row).  sql: one SELECT for
    SQLite, PostgreSQL and DuckDB.  java: a class.  pmml: a regression model over the rules.
    pmml-rules: a rule set, which Weka reads too; its labels are the same, not its probabilities.
    Models for label sets become python, sql and java; their predict gives labels, not one label.
    """
    if table is not None and language != "sql":
        raise click.UsageError(f"--table: expected with --to sql only, got --to {language}")
    require_output(output)
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
    write_text(text, output)
