"""``widc-arff sample-data``."""

from __future__ import annotations

import click

from widc_arff.data.sample_files import write_sample_files


@click.command("sample-data")
@click.argument("folder", metavar="DIR")
def command(folder: str) -> None:
    """Write seventeen small data sets to DIR, for the tutorial and for first steps.

    DIR is created if it does not exist. Files that differ from the sample data are never replaced.
    """
    for path in write_sample_files(folder):
        click.echo(path)
