"""``widc-arff train``."""

from __future__ import annotations

import warnings
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from widc_arff.cli.cluster import dask_option, learned_on_workers, paths_of
from widc_arff.cli.common import (
    Source,
    data_options,
    files_of_options,
    given_with_needs,
    labels_shown_option,
    layout_option,
    messages_of_learning,
    options_from,
    training_options,
)
from widc_arff.cli.every_command import is_quiet
from widc_arff.cli.progress import learning, working
from widc_arff.cli.provenance import recorded
from widc_arff.cli.reporting import form_option
from widc_arff.cli.show import print_committee
from widc_arff.cli.trace import Trace
from widc_arff.data.large_data import VALUES_IN_MEMORY
from widc_arff.errors import WidcWarning
from widc_arff.evaluation.cross_validation import Folding, cross_validate
from widc_arff.evaluation.decisive_attribute import warn_of_decisive_attribute
from widc_arff.induction import induce
from widc_arff.model.model_file import committee_to_json, write_committee
from widc_arff.model.rules import Provenance
from widc_arff.reports.formatting import size_in_words
from widc_arff.system.files import require_place

if TYPE_CHECKING:
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.observer import Observer
    from widc_arff.options import Options
    from widc_arff.reports.by_class import Layout


@click.command("train")
@click.argument("files", metavar="DATA.arff", nargs=-1, required=True)
@data_options
@training_options
@click.option("--model", metavar="OUT.json", help="Save the model to this file; - prints it.")
@click.option(
    "-v",
    "--verbose",
    is_flag=True,
    help="Report each step on stderr: the progress of the search; with the paper's prunings each "
    "condition with its Z, the votes and the rules removed.",
)
@click.option(
    "--provenance",
    is_flag=True,
    help="Record in the model the names and SHA-256 of the data files (no rows), and the date in "
    "SOURCE_DATE_EPOCH if it is set.",
)
@click.option(
    "--folds",
    type=click.IntRange(2),
    metavar="N",
    help="Also estimate the error by N-fold cross-validation, as evaluate does, and record it in "
    "the model.",
)
@dask_option
@layout_option
@labels_shown_option
@form_option("json")
def command(
    files: tuple[str, ...],
    model: str | None,
    verbose: bool,
    provenance: bool,
    folds: int | None,
    dask: str | None,
    form: str,
    layout: Layout,
    labels_shown: int,
    **settings: Any,
) -> None:
    """Learn a decision committee from DATA.arff and print its rules.

    DATA.arff may be compressed (.arff.gz), CSV (.csv, .tsv, .csv.gz) or Parquet; for CSV and
    Parquet the types found are shown.  - is standard input.  With --dask there can be several ARFF
    files, or a quoted pattern such as 'part-*.arff'.
    """
    source = Source.taken_from(settings)
    options = options_from(**settings)
    if verbose and is_quiet():
        raise click.UsageError("expected --verbose or --quiet, got both")
    if model not in (None, "-"):
        require_place(model)
    in_files = files_of_options(settings)
    if dask is None:
        committee = _learned_here(files, source, options, in_files, folds, verbose=verbose)
    else:
        if folds is not None:
            raise click.UsageError("--folds: expected to learn in this process, got --dask")
        if verbose:
            raise click.UsageError("--verbose: expected to learn in this process, got --dask")
        committee = learned_on_workers(files, source, options, dask, in_files)
    if provenance:
        paths = [path for file in files for path in ([file] if file == "-" else paths_of(file))]
        committee = recorded(committee, paths)
    if model == "-":
        click.echo(committee_to_json(committee), nl=False)
        return
    if model is not None:
        write_committee(committee, model)
    print_committee(committee, form, layout, labels_shown)


def _learned_here(
    files: tuple[str, ...],
    source: Source,
    options: Options,
    in_files: dict[str, str | None],
    folds: int | None,
    *,
    verbose: bool,
) -> DecisionCommittee:
    """Return the committee of one file, learned in this process."""
    if len(files) > 1:
        raise click.UsageError(
            f"train takes one data file, or several with --dask local, got {len(files)} files"
        )
    data = files[0]
    with working(f"reading {data}"):
        dataset = source.read(data, VALUES_IN_MEMORY)
    options = source.suited(options, dataset)
    trace = Trace(dataset.schema)
    with (
        nullcontext(trace) if verbose else _watched(dataset) as observer,
        messages_of_learning(data, in_files),
    ):
        committee = induce(dataset, options, observer)
    warn_of_decisive_attribute(committee, dataset, data)
    if options.pruning == "refined" and not committee.rules and not is_quiet():
        _tell_of_other_pruning(dataset, options)
    if folds is None:
        return committee
    with working(f"evaluating {data}") as step:
        found = cross_validate(dataset, options, Folding(folds), source=data, on_fold=step)
    return replace(committee, provenance=Provenance(folds=(folds, found.error)))


def _watched(dataset: Dataset) -> AbstractContextManager[Observer | None]:
    """Return what shows how far learning has come."""
    labels = dataset.schema.labels
    return learning(dataset.n_samples, len(labels.values) if labels.are_sets else 0)


def _tell_of_other_pruning(dataset: Dataset, options: Options) -> None:
    """Say that pessimistic pruning keeps rules where refined keeps none, if it does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)  # said before
        found = induce(dataset, replace(options, pruning="pessimistic"))
    if found.rules:
        kept = size_in_words(found)
        refused = given_with_needs(pruning="pessimistic")
        without = f" without {' and '.join(refused)}" if refused else ""
        advice = f"--pruning pessimistic{without} keeps {kept}; a lower --penalty may keep some too"
        click.echo(
            f"widc-arff: no rule improves the description enough to be kept; {advice}", err=True
        )
