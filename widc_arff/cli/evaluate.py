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
    files_of_options,
    folding_options,
    is_given,
    messages_of_learning,
    options_from,
    require_label_sets,
    training_options,
    unknown_option,
)
from widc_arff.cli.evaluate_models import evaluate_models
from widc_arff.cli.jobs import jobs_option
from widc_arff.cli.mix_ups import models_first
from widc_arff.cli.new_data import NewData
from widc_arff.cli.progress import working, working_through
from widc_arff.cli.reporting import form_option, print_report
from widc_arff.errors import WidcError, WidcWarning
from widc_arff.evaluation.cross_validation import Folding, cross_validate, evaluate_rows
from widc_arff.evaluation.decisive_attribute import warn_of_decisive_attribute
from widc_arff.evaluation.distinct_rows import distinct_rows
from widc_arff.evaluation.label_by_label import WAYS
from widc_arff.evaluation.outcomes import ClassEvaluation
from widc_arff.induction import induce
from widc_arff.reports.evaluations import (
    evaluation_report,
    evaluations_report,
    ways_report,
)
from widc_arff.reports.predictions import write_evaluated
from widc_arff.system.files import require_place, text_written_whole
from widc_arff.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from widc_arff.data.dataset import Dataset
    from widc_arff.evaluation.cross_validation import Spread
    from widc_arff.evaluation.distinct_rows import DistinctRows
    from widc_arff.evaluation.outcomes import Evaluation
    from widc_arff.model.committee import DecisionCommittee
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
    help="Train on this percentage of the rows and test on the rest, without folds: the same rows "
    "as Weka's -split-percentage.",
)
@click.option(
    "--preserve-order",
    is_flag=True,
    help="With --holdout, train on the first rows in file order, as Weka's option does.",
)
@click.option(
    "--groups",
    metavar="NAME",
    help="Keep rows with the same value of this attribute (such as a patient) in one fold; rules "
    "do not use it.",
)
@click.option(
    "--test", "test", metavar="TEST.arff", help="Test on this file instead of using folds."
)
@click.option(
    "--against",
    multiple=True,
    type=click.Choice([*WAYS]),
    help="For label sets, also test one committee per label (labels) or classifier chains "
    "(chains) on the same folds; may be repeated.",
)
@jobs_option("Folds", 1)
@click.option("--predictions", metavar="OUT.csv", help="Write all predictions to this file.")
@dask_option
@data_options
@training_options
@unknown_option
@form_option("json")
def command(
    files: tuple[str, ...],
    test: str | None,
    against: tuple[str, ...],
    jobs: int,
    predictions: str | None,
    dask: str | None,
    unknown_as_missing: bool,
    form: str,
    **settings: Any,
) -> int:
    """Estimate error and size of committees by cross-validation with Weka's folds.

    With several files there is one row for each.  A file that cannot be evaluated is reported on
    stderr, the others are still evaluated, and the exit status is 1.

    With model files before the data nothing is trained: the models are tested on the data.  The
    result shows error, measures and calibration, and which rules cover significantly more or fewer
    rows than in training, or are right significantly more or less often.  Several models are
    compared row by row.
    """
    models, files = models_first("evaluate", files)
    if models:
        evaluate_models(models, files, predictions, unknown_as_missing, form, settings)
        return 0
    if test is not None and len(files) > 1:
        raise click.UsageError("--test: expected one training file")
    _require_one_way_to_test({**settings, "test": test, "against": against, "dask": dask})
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
    ways = tuple(dict.fromkeys(against))
    method = _Method(
        options_from(**settings),
        folding,
        test,
        groups,
        jobs,
        unknown_as_missing,
        files_of_options(settings),
        ways,
        predictions is not None,
    )
    done: list[Evaluation[Any]] = []
    compared: list[_Compared] = []
    with _running_folds(jobs, dask) as run_jobs:
        for found in _evaluations(files, source, method._replace(jobs=run_jobs)):
            compared.append(found)
            done.append(found.evaluation)
            if form == "json" and predictions != "-":
                click.echo(dump_json(found.to_dict(method)), nl=False)
    failed = len(done) < len(files)
    if predictions == "-":
        write_evaluated(done, sys.stdout)
        return 1 if failed else 0
    if predictions is not None:
        with text_written_whole(predictions) as stream:
            write_evaluated(done, stream)
    if done and form != "json":
        blocks = evaluations_report(done) if len(files) > 1 else evaluation_report(done[0])
        for found in compared:
            blocks += ways_report(*found) if found.others else []
        print_report(blocks, form)
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
    dask, test = settings["dask"], settings["test"]
    if dask is not None and (test is not None or is_given("jobs")):
        other = "--jobs" if test is None else "--test"
        raise click.UsageError(f"--dask: expected folds on the workers, got {other} too")
    if settings["against"] and (test is not None or dask is not None):
        raise click.UsageError("--against: expected folds in this process with it")
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


def _evaluations(files: tuple[str, ...], source: Source, method: _Method) -> Iterator[_Compared]:
    """Yield the evaluation of each file, and of other ways; those that fail are named."""
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
    in_files: Mapping[str, str | None]
    """The files of the options that stand in some."""
    against: tuple[str, ...] = ()
    by_row: bool = False
    """Whether predictions for each row are wanted."""


class _Compared(NamedTuple):
    """The outcome for a file, and on the same folds that of other ways, by their names."""

    evaluation: Evaluation[Any]
    others: Mapping[str, Evaluation[Any]]

    def to_dict(self, method: _Method) -> dict[str, Any]:
        """Return all of it as plain data."""
        data = _evaluation_to_dict(self.evaluation, method)
        if self.others:
            data["against"] = {name: other.results() for name, other in self.others.items()}
        return data


def _evaluate_file(path: str, source: Source, method: _Method) -> _Compared:
    """Return the evaluation of one file, and of other ways; messages name the file at fault."""
    folding = method.folding
    if method.groups is None:
        dataset = source.read(path)
    else:
        dataset, groups = source.read_in_groups(path, method.groups)
        folding = replace(folding, groups=groups)
    options = source.suited(method.options, dataset)
    if method.test is not None:
        with messages_of_learning(path, method.in_files):
            committee = induce(dataset, options)
        with working_through(f"evaluating {method.test}") as step:
            rows = _test_rows(committee, method, source, step)
        warn_of_decisive_attribute(committee, dataset, path)
        return _Compared(evaluate_rows(committee, rows, options, method.test), {})
    if method.against:
        require_label_sets(dataset, "against")

    def validated(way: str | None = None) -> Evaluation[Any]:
        what = path if way is None else f"{path}, {WAYS[way]}"
        with (
            working(f"evaluating {what}") as step,
            messages_of_learning(path, method.in_files),
        ):
            return cross_validate(
                dataset, options, folding, source=path, jobs=method.jobs, on_fold=step, way=way
            )

    evaluation = validated()
    _warn_of_decisive_attribute(evaluation, dataset, path)
    return _Compared(evaluation, {WAYS[way]: validated(way) for way in method.against})


def _test_rows(
    committee: DecisionCommittee, method: _Method, source: Source, step: Callable[[int], None]
) -> DistinctRows:
    """Return the rows of a test file for a committee."""
    new_data = NewData(
        source.form,
        method.unknown_as_missing,
        source.weights,
        to_test=True,
        label_counts=source.label_counts,
    )
    pieces = new_data.counted(committee, str(method.test), step)
    return distinct_rows(committee, pieces, by_row=method.by_row)


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
