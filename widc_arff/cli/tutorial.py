"""``widc-arff tutorial``."""

from __future__ import annotations

from importlib.resources import files

import click


@click.command("tutorial")
def command() -> None:
    """Print a tutorial: from data to rules, reasons, error, predictions and code.

    It is Markdown. 'widc-arff sample-data DIR' writes the files that its commands use.
    """
    text = files("widc_arff").joinpath("tutorial.md").read_bytes()
    click.echo(text.decode("utf-8"), nl=False)
