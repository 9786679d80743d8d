"""``widc-arff describe``."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from widc_arff.cli.common import Source, dump_json, format_option, messages_of, reading_options
from widc_arff.cli.progress import working
from widc_arff.errors import DataError, TableError
from widc_arff.labels import class_index, find_class, names_meant
from widc_arff.large_data import VALUES_IN_MEMORY
from widc_arff.reports.description import Description
from widc_arff.survey import survey

if TYPE_CHECKING:
    from collections.abc import Iterator

    from widc_arff.arff.relation import Relation


@click.command("describe")
@click.argument("data", metavar="DATA.arff")
@reading_options
@format_option
def command(data: str, form: str, **settings: Any) -> None:
    """Tell what DATA.arff is like before training: attributes, classes, what is left out and why.

    A line for each attribute: its type, missing and distinct values, range or most frequent values.
    Below, the classes, and what training would refuse, leave out or better do without.
    """
    source = Source.taken_from(settings)
    with working(f"reading {data}"), messages_of(data):
        description = _described(data, source)
    if form == "json":
        click.echo(dump_json(description.to_dict()), nl=False)
    else:
        text = description.markdown() if form == "markdown" else description.text()
        click.echo(text, nl=False)


def _described(data: str, source: Source) -> Description:
    first, pieces, no_class = _opened(data, source)
    names = [attribute.name for attribute in first.attributes]
    targets: tuple[str, ...] = ()
    if not no_class:
        targets, no_class = _targets(first, source)
    ignored = names_meant(names, source.ignore, "ignore")
    for name in targets:
        if name in ignored:
            what = "class" if len(targets) == 1 else "labels"
            raise DataError(f"ignore: expected other attributes than the {what}, got {name!r}")
    found = survey(chain([first], pieces), targets, counts=source.label_counts)
    return Description(found, data, ignored, no_class)


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
