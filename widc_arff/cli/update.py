"""``widc-arff update``."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from widc_arff.cli.changed import changes_options, print_changed
from widc_arff.cli.common import (
    FileForm,
    Source,
    changed_model_option,
    file_options,
    messages_of,
    model_argument,
    nominal_option,
    read_model,
    require_output,
    weights_option,
)
from widc_arff.cli.progress import working
from widc_arff.cli.provenance import recorded_anew
from widc_arff.data.merging import merged
from widc_arff.errors import one_line
from widc_arff.evaluation.distinct_rows import distinct_rows
from widc_arff.evaluation.models_on_data import model_on_data
from widc_arff.induction.updating import translated, updated, with_values_of
from widc_arff.options import options_of
from widc_arff.reports.blocks import Item
from widc_arff.reports.updates import update_blocks
from widc_arff.tolerance import LARGEST_WEIGHT, LEAST_WEIGHT, is_weight

if TYPE_CHECKING:
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.by_class import Layout


@click.command("update")
@model_argument
@click.argument("data", metavar="DATA.arff")
@click.argument("old", metavar="[OLD.arff]", required=False)
@changed_model_option("updated")
@click.option(
    "--weight-old",
    type=float,
    default=1.0,
    show_default=True,
    metavar="W",
    help="Weight of the rows of OLD.arff, relative to those of DATA.arff.",
)
@nominal_option
@weights_option
@file_options
@changes_options
def command(
    model: str,
    data: str,
    old: str | None,
    output: str | None,
    weight_old: float,
    nominal: tuple[str, ...],
    weights: str | None,
    form: str,
    layout: Layout,
    labels_shown: int,
    **settings: Any,
) -> None:
    """Fit a model to new data: keep the rules that still pay, and learn others.

    A rule pays if the errors it avoids are worth its price, as in refined pruning.  Locked rules
    stay as they are.  The model is fitted to the rows of DATA.arff and, if given, of OLD.arff (for
    example the old training file), with the options of the original training.  No rules are added
    to models for label sets.
    """
    if old is None and weight_old != 1:
        raise click.UsageError("--weight-old: expected OLD.arff with it")
    if not is_weight(weight_old):
        expected = f"0 or from {LEAST_WEIGHT} to {LARGEST_WEIGHT}"
        raise click.UsageError(f"--weight-old: expected {expected}, got {weight_old!r}")
    require_output(output)
    committee = read_model(model)
    source = _source(committee, FileForm.taken_from(settings), nominal, weights)
    with working(f"reading {data}"):
        rows = _rows(committee, data, source)
    if old is not None:
        with messages_of(old):
            rows = merged(rows, _rows(committee, old, source), weight_old)
    paths = [data] if old is None else [data, old]
    place = " and ".join(one_line(Path(path).name) for path in paths)
    with working("updating"), messages_of(data):
        rows = with_values_of(committee, rows)
        found = updated(committee, rows)
    as_it_was = translated(committee, rows.schema)
    before = model_on_data(
        model, as_it_was, distinct_rows(as_it_was, [rows]), options_of(committee), place
    )
    found = recorded_anew(found, paths)
    blocks = list(update_blocks(before, found, place))
    history = [block.words for block in blocks if isinstance(block, Item)]
    found = replace(found, history=(*committee.history, *history))
    print_changed(found, output, blocks, form, layout, labels_shown, history)


def _source(
    committee: DecisionCommittee, form: FileForm, nominal: tuple[str, ...], weights: str | None
) -> Source:
    """Return how data are read for a model: its labels, and attributes of the types that it has."""
    schema = committee.schema
    names, cells = schema.labels.attributes, schema.labels.cells
    label, labels = (None, ",".join(names)) if schema.labels.are_sets else (names[0], None)
    if cells is not None:
        labels = cells.attribute
    used = [schema.attributes[i] for i in sorted(committee.used_attributes)]
    of_model = [a.name for a in used if a.type == "nominal"]
    nominal = tuple(dict.fromkeys((*of_model, *nominal)))
    return Source(
        label,
        labels,
        label_separator=cells and cells.separator,
        label_counts=True,
        ignore=(),
        nominal=nominal,
        weights=weights,
        vectors=None,
        aim=None,
        sets=None,
        form=form,
        known_labels=names,
    )


def _rows(committee: DecisionCommittee, path: str, source: Source) -> Dataset:
    """Return the examples of a file, with the attributes that the model was trained with."""
    known = {a.name for a in committee.schema.attributes} | {*committee.schema.labels.attributes}
    with messages_of(path):
        pieces = source.pieces(path)
        first = next(pieces)
        known |= {*source.label_names(first)}
        others = tuple(a.name for a in first.attributes if a.name not in known)
        return source.dataset(chain([first], pieces), others)
