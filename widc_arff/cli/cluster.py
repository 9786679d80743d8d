"""What ``--dask`` does, in the commands that have it."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from widc_arff.arff.reader import read_declarations
from widc_arff.arff.relation import Relation
from widc_arff.cli.common import (
    LABEL_SETS_ONLY,
    is_given,
    message_of_option,
    messages_of_learning,
)
from widc_arff.cli.progress import working
from widc_arff.errors import ArffError, DataError, OptionError, counted_in_words
from widc_arff.system.files import files_of
from widc_arff.system.stores import is_address
from widc_arff.tables import form_of, stem_of
from widc_arff.tables.uses import TableOptions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from widc_arff.arff.relation import Attribute
    from widc_arff.cli.common import Source
    from widc_arff.cluster.crew import DaskCrew
    from widc_arff.cluster.training import Files
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.options import Options

dask_option = click.option(
    "--dask",
    metavar="local|tcp://HOST:PORT",
    help="Work on a Dask cluster: two workers on this machine, or that of a scheduler.",
)


@contextmanager
def workers_at(address: str) -> Iterator[DaskCrew]:
    """Connect to the cluster of ``--dask``, and warn at the end of workers that were lost."""
    from widc_arff.cluster.crew import connected  # noqa: PLC0415 - few commands need it

    with connected(address) as crew:
        yield crew
        crew.warn_of_lost_workers()


def learned_on_workers(
    patterns: tuple[str, ...],
    source: Source,
    options: Options,
    address: str,
    in_files: Mapping[str, str | None],
) -> DecisionCommittee:
    """Return the committee of the rows of several files, learned where the workers are.

    Faults of the options that stand `in_files` begin with the names of these.
    """
    from widc_arff.cluster.training import induce_from_files, require_usable  # noqa: PLC0415

    try:
        require_usable(options)
    except OptionError as error:
        raise click.UsageError(message_of_option(error)) from error
    paths = tuple(path for pattern in patterns for path in paths_of(pattern))
    if address != "local":  # workers have working directories of their own
        paths = tuple(
            path if is_address(path) else os.path.abspath(path)  # noqa: PTH100 - no link resolved
            for path in paths
        )
    files = _files(paths, source, stem_of(patterns[0]))
    n_files = counted_in_words(len(paths), "file")
    with (
        workers_at(address) as crew,
        working(f"learning from {n_files}"),
        messages_of_learning(files.name, in_files),
    ):
        return induce_from_files(files, options, crew)


def paths_of(pattern: str) -> list[str]:
    """Return the files that a pattern means, or the one that it names."""
    if pattern == "-":
        raise click.UsageError(
            f"--dask: expected paths of files that all workers can open, got {pattern!r}"
        )
    try:
        found = files_of(pattern)
    except OSError as error:
        raise ArffError(f"cannot be opened: {error.strerror}", pattern) from error
    if not found:
        raise ArffError("there is no such file", pattern)
    return found


def _files(paths: tuple[str, ...], source: Source, name: str) -> Files:
    from widc_arff.cluster.training import Files  # noqa: PLC0415

    form = form_of(paths[0])
    attributes: tuple[Attribute, ...] = ()
    if form == "parquet":
        from widc_arff.tables.parquet_files import parquet_attributes  # noqa: PLC0415

        target = None if source.labels is not None else source.label or "last"
        options = TableOptions(target=target, ignore=source.ignore, nominal=source.nominal)
        attributes = parquet_attributes(paths, options)
        relation = Relation.without_rows(name, attributes)
    elif form == "arff":
        relation, _ = read_declarations(paths[0], source.form.encoding)
    else:
        raise click.UsageError(f"--dask: expected ARFF or Parquet files, got {paths[0]}")
    try:
        names = source.label_names(relation)
    except DataError as error:
        error.in_file(paths[0])
        raise
    for given in ("decimal", "thousands", "dates", "no_header", "nominal", "weights"):
        if is_given(given) and not (given == "nominal" and attributes):
            option = given.replace("_", "-")
            raise click.UsageError(f"--dask: expected ARFF files as they are, got --{option}")
    if len(names) > 1 or any(map(is_given, LABEL_SETS_ONLY)):
        raise click.UsageError("--dask: expected one class per row, got label sets")
    return Files(paths, names[0], source.ignore, source.form.encoding, attributes, name)
