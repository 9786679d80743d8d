"""``widc-arff describe``."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from widc_arff.cli.common import Source, dump_json, messages_of, reading_options
from widc_arff.cli.progress import working
from widc_arff.cli.reporting import form_option, print_report
from widc_arff.data.label_sets import without_meka_options
from widc_arff.data.large_data import VALUES_IN_MEMORY
from widc_arff.data.rows import check_weights
from widc_arff.data.schema import Labels, Schema
from widc_arff.data.survey import survey
from widc_arff.errors import DataError, TableError
from widc_arff.induction.sample.learning_sample import RowSurvey
from widc_arff.reports.description import Description
from widc_arff.tables.labels import class_index, find_class, names_ignored

if TYPE_CHECKING:
    from collections.abc import Iterator

    from widc_arff.arff.relation import Relation
    from widc_arff.data.survey import Survey

NO_LABEL = "expected at least one row with a label to learn from, got none"
"""What training says of label sets where all are empty."""


@click.command("describe")
@click.argument("data", metavar="DATA.arff")
@reading_options
@form_option("json")
def command(data: str, form: str, **settings: Any) -> None:
    """Summarise DATA.arff: attributes, classes, and what training would skip or refuse.

    There is a line for each attribute: its type, missing and distinct values, range or most
    frequent values.  Below are the classes, and the attributes that training would skip or refuse,
    or that are better left out.
    """
    source = Source.taken_from(settings)
    with working(f"reading {data}"), messages_of(data):
        description = _described(data, source)
    if form == "json":
        click.echo(dump_json(description.to_dict()), nl=False)
    else:
        print_report(description.blocks(), form)


def _described(data: str, source: Source) -> Description:
    first, pieces, no_class = _opened(data, source)
    names = [attribute.name for attribute in first.attributes]
    targets: tuple[str, ...] = ()
    if not no_class:
        targets, no_class = _targets(first, source)
    what = "class" if len(targets) == 1 else "labels"
    ignored = names_ignored(names, source.ignore, targets, what)
    refusals: list[str] = []
    checked = _checked(chain([first], pieces), refusals)
    found = survey(checked, targets, counts=source.label_counts)
    if targets and not refusals:
        refusals = _refusals(found)
    return Description(found, data, ignored, no_class, "".join(refusals[:1]))


def _checked(pieces: Iterator[Relation], refusals: list[str]) -> Iterator[Relation]:
    """Yield pieces, and note why training refuses their weights."""
    for piece in pieces:
        try:
            check_weights(piece.weights)
        except DataError as error:
            refusals.append(str(error))
        yield piece


def _refusals(found: Survey) -> list[str]:
    """Return why training refuses the rows, if it does."""
    n_counting = found.n_rows - found.weightless - found.unlabelled
    kind, name = "single", found.relation
    if len(found.targets) > 1:
        kind, name = "multi", without_meka_options(name)
    schema = Schema(name, (), Labels(kind, found.targets, found.targets))
    try:
        RowSurvey(found.n_rows, found.labelled, n_counting).check(schema)
    except DataError as error:
        return [str(error)]
    if not any(found.weight_of_label):
        return [NO_LABEL]
    return []


def _opened(data: str, source: Source) -> tuple[Relation, Iterator[Relation], str]:
    """Return the first piece, the others, and why a CSV file has no class of the kind wanted."""
    pieces = source.pieces(data, VALUES_IN_MEMORY, quiet=True)
    try:
        return next(pieces), pieces, ""
    except TableError as error:
        if source.label is not None or data == "-":
            raise
        pieces = source.pieces(data, VALUES_IN_MEMORY, quiet=True, any_class=True)
        return next(pieces), pieces, error.message


def _targets(first: Relation, source: Source) -> tuple[tuple[str, ...], str]:
    """Return the class or the labels, or why the attribute that would be the class is none."""
    names = source.label_names(first)
    if len(names) > 1:
        return names, ""
    index = class_index([attribute.name for attribute in first.attributes], names[0])
    try:
        find_class(first.attributes, names[0])
    except DataError as error:
        return (), str(error)
    return (first.attributes[index].name,), ""
