"""``widc-arff compare``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from widc_arff.cli.common import options_from, show_types, weka_training_options
from widc_arff.cli.progress import working
from widc_arff.system.files import text_written_whole
from widc_arff.tables import form_of, read_data, write_data


@click.command("compare")
@click.argument("files", metavar="DATA.arff [MORE.arff ...]", nargs=-1, required=True)
@click.option(
    "--against",
    multiple=True,
    default=("J48", "JRip"),
    show_default=True,
    metavar="SCHEME",
    help='Classifier of Weka with its options, such as "IBk -K 1"; may be repeated.',
)
@click.option(
    "--runs",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    metavar="N",
    help="Rounds of folds.",
)
@click.option(
    "--folds",
    type=click.IntRange(2),
    default=10,
    show_default=True,
    metavar="N",
    help="Parts of the data, each tested once in a run.",
)
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    default="results",
    show_default=True,
    help="Folder for the tables, the raw results and the experiment.",
)
@click.option("--weka-jar", metavar="FILE", help="By default WEKA_JAR or python-weka-wrapper3's.")
@weka_training_options
def command(
    files: tuple[str, ...],
    against: tuple[str, ...],
    runs: int,
    folds: int,
    output: str,
    weka_jar: str | None,
    **settings: Any,
) -> None:
    """Compare WIDC with classifiers of Weka in Weka's Experimenter, by error and by size.

    The class is the last attribute.  DIR holds the tables, the raw results (CSV, ARFF) and the
    experiment (EXP, XML), which open in the Experimenter, and ARFF copies of CSV and Parquet files.
    """
    from weka_plugin.experiments import experiment  # noqa: PLC0415 - only here
    from weka_plugin.tables import comparison_text  # noqa: PLC0415
    from weka_plugin.weka_options import weka_options  # noqa: PLC0415

    if "-" in files:
        raise click.UsageError("expected names of files, which Weka reads itself, got -")
    options = options_from(**settings)
    widc = " ".join(["WIDC", *weka_options(options)])
    arff_files = [_as_arff(path, Path(output)) for path in files]
    with working(f"comparing on {len(files)} files") as step:
        results = experiment(
            arff_files,
            [widc, *against],
            output,
            runs=runs,
            folds=folds,
            weka_jar=None if weka_jar is None else Path(weka_jar),
            on_result=step,
        )
    text = comparison_text(results)
    with text_written_whole(Path(output) / "tables.txt") as stream:
        stream.write(text)
    click.echo(text, nl=False)


def _as_arff(path: str, folder: Path) -> str:
    """Return the path of an ARFF file with the data, a copy where the form is another one."""
    if form_of(path) == "arff":
        return path
    relation = read_data(path, target="last", on_types=show_types)
    folder.mkdir(parents=True, exist_ok=True)
    copy = folder / f"{relation.name}.arff"
    write_data(relation, copy)
    return str(copy)
