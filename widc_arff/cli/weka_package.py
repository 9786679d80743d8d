"""``widc-arff weka-package``."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("weka-package")
@click.option(
    "-o", "--output", metavar="DIR", default=".", show_default=True, help="Folder for both files."
)
@click.option(
    "--weka-jar",
    metavar="FILE",
    help="Path of weka.jar; by default WEKA_JAR or that of python-weka-wrapper3.",
)
@click.option(
    "--javac",
    metavar="FILE",
    help="Path of the Java compiler; by default that of JAVA_HOME or on the PATH.",
)
def command(output: str, weka_jar: str | None, javac: str | None) -> None:
    """Build widc.jar and the package WIDC-VERSION.zip, to install with Weka's package manager."""
    from weka_plugin.build import build  # noqa: PLC0415 - only here

    built = build(
        Path(output),
        weka_jar=None if weka_jar is None else Path(weka_jar),
        javac=None if javac is None else Path(javac),
    )
    click.echo(f"{built.jar}\n{built.zip}")
