"""``widc-arff evaluate`` of model files."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from widc_arff.cli.common import (
    FileForm,
    Source,
    costs_for,
    dump_json,
    is_given,
    read_model,
)
from widc_arff.cli.new_data import NewData, read_by_each
from widc_arff.cli.progress import working_through
from widc_arff.cli.reporting import print_report
from widc_arff.evaluation.distinct_rows import distinct_rows
from widc_arff.evaluation.models_on_data import model_on_data, versus
from widc_arff.options import options_of
from widc_arff.reports.models_on_data import models_as_data, models_report
from widc_arff.reports.predictions import write_evaluated
from widc_arff.system.files import require_place, text_written_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.evaluation.models_on_data import ModelOnData
    from widc_arff.evaluation.outcomes import Evaluation
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.blocks import Block

_WITH_MODELS = {"files", "predictions", "costs", "label_counts", "weights", "unknown_as_missing"}
_WITH_MODELS |= {"form", *FileForm._fields}


def evaluate_models(
    models: tuple[str, ...],
    files: tuple[str, ...],
    predictions: str | None,
    unknown_as_missing: bool,
    form: str,
    settings: dict[str, Any],
) -> None:
    """Print what models do on each of some files."""
    for parameter in click.get_current_context().command.params:
        name = str(parameter.name)
        if name not in _WITH_MODELS and parameter.expose_value and is_given(name):
            raise click.UsageError(
                f"{parameter.opts[0]}: expected only data with this option, got the model "
                f"{models[0]}"
            )
    if predictions not in (None, "-"):
        require_place(predictions)
    costs, source = settings["costs"], Source.taken_from(settings)
    committees = [read_model(path) for path in models]
    done = []
    blocks: list[Block] = []
    for data in files:
        found = []
        with read_by_each(data, len(models)) as begin:
            for path, committee in zip(models, committees, strict=True):
                begin()
                found.append(
                    _on_data(
                        path,
                        committee,
                        data,
                        source,
                        costs,
                        len(models),
                        unknown_as_missing,
                        by_row=len(models) > 1 or predictions is not None,
                    )
                )
        done += [model.evaluation for model in found]
        if predictions == "-":
            continue
        tests = versus(found)
        if form == "json":
            click.echo(dump_json(models_as_data(found, tests, data)), nl=False)
        else:
            blocks += models_report(found, tests, data)
    if blocks:
        print_report(blocks, form)
    _write_predictions(done, predictions)


def _write_predictions(done: Sequence[Evaluation[Any]], path: str | None) -> None:
    if path == "-":
        write_evaluated(done, sys.stdout)
    elif path is not None:
        with text_written_whole(path) as stream:
            write_evaluated(done, stream)


def _on_data(
    path: str,
    committee: DecisionCommittee,
    data: str,
    source: Source,
    costs: str | None,
    n_models: int,
    unknown_as_missing: bool,
    *,
    by_row: bool,
) -> ModelOnData:
    options = options_of(committee)
    if costs is not None:
        options = replace(options, costs=costs_for(costs, committee))
    new_data = NewData(
        source.form,
        unknown_as_missing,
        source.weights,
        to_test=True,
        label_counts=source.label_counts,
    )
    with working_through(f"evaluating {data}") as step:
        rows = distinct_rows(committee, new_data.counted(committee, data, step), by_row=by_row)
    tested = data if n_models == 1 else f"{path} on {data}"
    return model_on_data(path, committee, rows, options, tested)
