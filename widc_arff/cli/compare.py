"""``widc-arff compare``."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from widc_arff.arff.reader import read_declarations
from widc_arff.cli.common import (
    class_option,
    messages_of,
    options_from,
    show_types,
    training_options,
)
from widc_arff.cli.jobs import jobs_option
from widc_arff.cli.progress import working
from widc_arff.errors import DataError
from widc_arff.system.files import text_written_whole
from widc_arff.tables import form_of_file, read_data, write_data
from widc_arff.tables.labels import find_class

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weka_plugin.schemes import Scheme
    from widc_arff.arff.relation import Relation
    from widc_arff.options import Options


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
    help="Number of rounds of folds.",
)
@click.option(
    "--folds",
    type=click.IntRange(2),
    default=10,
    show_default=True,
    metavar="N",
    help="Number of folds: parts of the data, each used once for testing in a run.",
)
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    default="results",
    show_default=True,
    help="Folder for the tables, the raw results and the experiment.",
)
@class_option
@jobs_option("Java processes", 1)
@click.option(
    "--weka-jar",
    metavar="FILE",
    help="Path of weka.jar; by default WEKA_JAR or that of python-weka-wrapper3.",
)
@training_options
def command(
    files: tuple[str, ...],
    against: tuple[str, ...],
    runs: int,
    folds: int,
    output: str,
    label: str | None,
    jobs: int,
    weka_jar: str | None,
    **settings: Any,
) -> None:
    """Compare WIDC with Weka's classifiers in Weka's Experimenter, by error and size.

    DIR holds the tables, the raw results (CSV, ARFF) and the experiment (EXP, XML), which open in
    the Experimenter, and ARFF copies of CSV and Parquet files and of those where --class is not
    the last attribute.
    """
    from weka_plugin.experiments import experiment  # noqa: PLC0415 - only here
    from weka_plugin.tables import comparison_text  # noqa: PLC0415

    named = [settings[name] for name in ("cut_points", "costs", "rules")]
    if "-" in (*files, *named):
        raise click.UsageError("expected names of files, because Weka reads them itself, got -")
    widc = _scheme(options_from(**settings), settings)
    folder = Path(output)
    with ExitStack() as undone, working(f"comparing on {len(files)} files") as step:
        if not folder.exists():
            undone.callback(_remove_if_empty, folder)
        arff_files = [_with_class_last(path, label or "last", folder, undone) for path in files]
        _require_distinct(arff_files, files, folder)
        results = experiment(
            arff_files,
            [widc, *against],
            output,
            runs=runs,
            folds=folds,
            jobs=jobs,
            weka_jar=None if weka_jar is None else Path(weka_jar),
            on_result=step,
        )
        undone.pop_all()  # it has not failed
    text = comparison_text(results)
    with text_written_whole(folder / "tables.txt") as stream:
        stream.write(text)
    click.echo(text, nl=False)


def _scheme(options: Options, settings: dict[str, Any]) -> Scheme:
    """Return the Weka classifier with our options, named as they were given."""
    from weka_plugin.schemes import WIDC, Scheme  # noqa: PLC0415 - only here
    from weka_plugin.weka_options import OF_FILES, weka_options  # noqa: PLC0415

    given = {name: settings[name] for name in OF_FILES if settings[name] is not None}
    found = {name: str(Path(path).absolute()) for name, path in given.items()}
    name = " ".join(["WIDC", *weka_options(options, given)])
    if isinstance(options.cut_points, str):
        del found["cut_points"]
    return Scheme(name, WIDC, tuple(weka_options(options, found)))


def _require_distinct(arff_files: Sequence[str], files: Sequence[str], folder: Path) -> None:
    """Refuse files of which two have the same copy."""
    read: dict[str, str] = {}
    for path, file in zip(arff_files, files, strict=True):
        if read.setdefault(path, file) != file:
            raise DataError(
                f"expected a name other than that of {read[path]}, because copies of both go to "
                f"{folder}",
                file=file,
            )


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def _with_class_last(path: str, label: str, folder: Path, undone: ExitStack) -> str:
    """Return the path of an ARFF file with the class last, a copy where that is another one.

    A new copy is removed where the stack is `undone`.
    """
    with messages_of(path):
        is_arff = form_of_file(path) == "arff"
        if is_arff:
            declared, _ = read_declarations(path)
            if find_class(declared.attributes, label) == len(declared.attributes) - 1:
                return path
        relation = read_data(path, target=label, on_types=show_types)
        index = find_class(relation.attributes, label)
    folder.mkdir(parents=True, exist_ok=True)
    name = Path(path).name.removesuffix(".gz").rpartition(".")[0] if is_arff else relation.name
    copy = folder / f"{name}.arff"
    if copy.exists() and copy.samefile(path):
        raise DataError(
            "expected a folder other than that of the data, because a copy of them goes there, "
            f"got --output {folder}",
            file=path,
        )
    if not copy.exists():
        undone.callback(copy.unlink, missing_ok=True)
    write_data(_moved_last(relation, index), copy)
    return str(copy)


def _moved_last(relation: Relation, index: int) -> Relation:
    """Return a relation with one attribute behind all others."""
    order = [*(i for i in range(len(relation.attributes)) if i != index), index]
    return replace(
        relation,
        attributes=tuple(relation.attributes[i] for i in order),
        columns=tuple(relation.columns[i] for i in order),
    )
