"""``widc-arff evaluate``."""

from __future__ import annotations

import platform
import sys
import warnings
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import numpy as np

from widc_arff.cli.cluster import dask_option, workers_at
from widc_arff.cli.common import (
    Source,
    data_options,
    dump_json,
    examples_for,
    folding_options,
    format_option,
    is_given,
    options_from,
    read_for,
    training_options,
    unknown_option,
)
from widc_arff.cli.evaluate_models import evaluate_models
from widc_arff.cli.jobs import jobs_option
from widc_arff.cli.mix_ups import models_first
from widc_arff.cli.progress import working
from widc_arff.errors import WidcError, WidcWarning
from widc_arff.evaluation.cross_validation import Folding, cross_validate, evaluate_on
from widc_arff.evaluation.decisive_attribute import warn_of_decisive_attribute
from widc_arff.evaluation.outcomes import ClassEvaluation
from widc_arff.induction import induce
from widc_arff.reports.evaluations import evaluation_text, evaluations_markdown, evaluations_text
from widc_arff.reports.predictions import write_evaluated
from widc_arff.system.files import require_place, text_written_whole
from widc_arff.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

    from widc_arff.data.dataset import Dataset
    from widc_arff.evaluation.cross_validation import Spread
    from widc_arff.evaluation.outcomes import Evaluation
    from widc_arff.options import Options

_NEARLY_NONE = 0.05
"""Of the errors of the most frequent class; where more are left, no attribute alone decides."""


@click.command("evaluate")
@click.argument(
    "files", metavar="[MODEL.json ...] DATA.arff [MORE.arff ...]", nargs=-1, required=True
)
@folding_options
@click.option(
    "--holdout",
    type=click.FloatRange(0, 100, min_open=True, max_open=True),
    metavar="PERCENT",
    help="Learn from this part of the rows and test on the others, without folds: the rows of "
    "Weka's -split-percentage.",
)
@click.option(
    "--preserve-order",
    is_flag=True,
    help="With --holdout, learn from the first rows as they stand, as Weka's option does.",
)
@click.option(
    "--groups",
    metavar="NAME",
    help="Attribute whose equal values stay in one fold, such as a patient; not learned from.",
)
@click.option("--test", "test", metavar="TEST.arff", help="Test on this file, without folds.")
@jobs_option("Folds", 1)
@click.option("--predictions", metavar="OUT.csv", help="Write all predictions here.")
@dask_option
@data_options
@training_options
@unknown_option
@format_option
def command(
    files: tuple[str, ...],
    test: str | None,
    jobs: int,
    predictions: str | None,
    dask: str | None,
    unknown_as_missing: bool,
    form: str,
    **settings: Any,
) -> int:
    """Estimate error and size of committees by cross-validation with Weka's folds.

    With several files, a row for each; a file that cannot be evaluated is named on stderr, the
    others go on, and the exit status is 1.

    With model files before the data, what these models do on the data, and no training: error,
    measures, calibration, and which rules cover more or fewer rows than in training, or are right
    more or less often, by more than chance.  Several models are compared row by row.
    """
    models, files = models_first("evaluate", files)
    if models:
        evaluate_models(models, files, predictions, unknown_as_missing, form, settings)
        return 0
    if test is not None and len(files) > 1:
        raise click.UsageError("--test: expected one training file")
    _require_one_way_to_test(settings)
    if dask is not None and (test is not None or is_given("jobs")):
        other = "--jobs" if test is None else "--test"
        raise click.UsageError(f"--dask: expected folds on the workers, got {other} too")
    if predictions not in (None, "-"):
        require_place(predictions)
    folding = Folding(
        settings.pop("folds"),
        settings.pop("seed"),
        settings.pop("repeats"),
        settings.pop("holdout"),
        settings.pop("preserve_order"),
    )
    groups = settings.pop("groups")
    source = Source.taken_from(settings)
    method = _Method(options_from(**settings), folding, test, groups, jobs, unknown_as_missing)
    done: list[Evaluation[Any]] = []
    with _running_folds(jobs, dask) as run_jobs:
        for evaluation in _evaluations(files, source, method._replace(jobs=run_jobs)):
            done.append(evaluation)
            if form == "json" and predictions != "-":
                click.echo(dump_json(_evaluation_to_dict(evaluation, method)), nl=False)
    failed = len(done) < len(files)
    if predictions == "-":
        write_evaluated(done, sys.stdout)
        return 1 if failed else 0
    if predictions is not None:
        with text_written_whole(predictions) as stream:
            write_evaluated(done, stream)
    if done and form != "json":
        tell = evaluations_markdown if form == "markdown" else evaluations_text
        several = form == "markdown" or len(files) > 1
        click.echo(tell(done) if several else evaluation_text(done[0]), nl=False)
    return 1 if failed else 0


def _require_one_way_to_test(settings: dict[str, Any]) -> None:
    """Refuse options that say how to test and contradict one another."""
    given = {name for name in ("test", "holdout", "groups", "folds") if is_given(name)}
    for one, other in (("test", "holdout"), ("test", "groups"), ("holdout", "groups")):
        if {one, other} <= given:
            raise click.UsageError(f"expected --{one} or --{other}, got both")
    holdout = settings["holdout"]
    if holdout is not None and holdout < 1:
        raise click.UsageError(
            f"--holdout: expected a percentage from 1, such as 66, got {holdout:g}; did you mean "
            f"{100 * holdout:g}?"
        )
    if {"holdout", "folds"} <= given:
        raise click.UsageError("expected --folds or --holdout, got both")
    if settings["preserve_order"] and "holdout" not in given:
        raise click.UsageError("--preserve-order: expected --holdout with it")
    if settings["preserve_order"] and settings["repeats"] > 1:
        raise click.UsageError("--repeats: expected a shuffle for each, got --preserve-order")


@contextmanager
def _running_folds(jobs: int, dask: str | None) -> Iterator[int | Spread]:
    """Give the number of processes, or what runs the folds on a cluster."""
    if dask is None:
        yield jobs
        return
    with workers_at(dask) as crew:
        yield crew.in_order


def _evaluations(
    files: tuple[str, ...], source: Source, method: _Method
) -> Iterator[Evaluation[Any]]:
    """Yield the evaluation of each file; of several, those that fail are named and left out."""
    for path in files:
        try:
            yield _evaluate_file(path, source, method)
        except WidcError as error:
            if len(files) == 1:
                raise
            click.echo(f"widc-arff: {error}", err=True)


class _Method(NamedTuple):
    """How they are evaluated: on a test file, or by folds."""

    options: Options
    folding: Folding
    test: str | None
    groups: str | None
    jobs: int | Spread
    unknown_as_missing: bool


def _evaluate_file(path: str, source: Source, method: _Method) -> Evaluation[Any]:
    """Return the evaluation of one file; messages name the file at fault."""
    folding = method.folding
    if method.groups is None:
        dataset = source.read(path)
    else:
        dataset, groups = source.read_in_groups(path, method.groups)
        folding = replace(folding, groups=groups)
    options = source.suited(method.options, dataset)
    if method.test is not None:
        try:
            committee = induce(dataset, options)
        except WidcError as error:
            raise WidcError(f"{path}: {error}") from error
        rows = examples_for(
            committee,
            read_for(committee, method.test, source.form),
            method.test,
            unknown_as_missing=method.unknown_as_missing,
            to_test=True,
            label_counts=source.label_counts,
        )
        warn_of_decisive_attribute(committee, dataset, path)
        return evaluate_on(committee, rows, options, method.test)
    with working(f"evaluating {path}") as step:
        try:
            evaluation = cross_validate(
                dataset, options, folding, source=path, jobs=method.jobs, on_fold=step
            )
        except WidcError as error:
            raise WidcError(f"{path}: {error}") from error
    _warn_of_decisive_attribute(evaluation, dataset, path)
    return evaluation


def _warn_of_decisive_attribute(evaluation: Evaluation[Any], dataset: Dataset, path: str) -> None:
    """Warn, once for all folds, of an attribute that alone predicts the class."""
    labels_of_rows = dataset.Y[dataset.labelled].sum(axis=0)
    if not isinstance(evaluation, ClassEvaluation) or not labels_of_rows.any():
        return
    others = 1 - labels_of_rows.max() / labels_of_rows.sum()
    if evaluation.error <= _NEARLY_NONE * others:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", WidcWarning)  # the folds have told
            committee = induce(dataset, evaluation.options)
        warn_of_decisive_attribute(committee, dataset, path)


def _folding_to_dict(method: _Method) -> dict[str, Any]:
    """Return how rows were divided."""
    folding = method.folding
    data: dict[str, Any] = {"seed": folding.seed, "folds": folding.n_folds}
    if folding.holdout is not None:
        data = {"seed": folding.seed, "holdout": folding.holdout}
        data |= {"preserve_order": True} if folding.preserve_order else {}
    if method.groups is not None:
        data["groups"] = method.groups
    return data | {"repeats": folding.repeats}


def _evaluation_to_dict(evaluation: Evaluation[Any], method: _Method) -> dict[str, Any]:
    data: dict[str, Any] = {
        "file": evaluation.source,
        "examples": evaluation.examples,
        "unlabelled": evaluation.unlabelled,
        **evaluation.results(),
        "options": evaluation.options.to_dict(),
    }
    if method.test is None:
        data |= _folding_to_dict(method)
    data["versions"] = {
        "widc_arff": __version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }
    return data
