"""``widc-arff workbench``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from warnings import warn

import click

from widc_arff.cli.common import (
    FileForm,
    as_typed,
    conform_dataset,
    decision_costs,
    file_options,
    model_argument,
    page_output_option,
    read_for,
    read_model,
    require_output,
    unknown_option,
    weights_option,
    write_text,
)
from widc_arff.cli.progress import working
from widc_arff.cli.provenance import recorded_anew
from widc_arff.data.schema import is_usable
from widc_arff.errors import DataError, WidcWarning, one_line, printable
from widc_arff.reports.wording import shown
from widc_arff.tables.labels import names_meant
from widc_arff.workbench import MOST_ROWS, NamedRows, Told, Words, commands_of, workbench_page

if TYPE_CHECKING:
    from widc_arff.arff.relation import Relation
    from widc_arff.data.dataset import Dataset
    from widc_arff.data.schema import Schema
    from widc_arff.model.committee import DecisionCommittee

USED = "used"


@click.command("workbench")
@model_argument
@click.argument("data", metavar="DATA.arff")
@page_output_option
@click.option("--test", metavar="TEST.arff", help="Test rows, which were not used for training.")
@click.option(
    "--rows",
    type=click.IntRange(1),
    default=MOST_ROWS,
    show_default=True,
    metavar="N",
    help="Include at most N rows of each file, evenly spread.",
)
@click.option(
    "--columns",
    multiple=True,
    metavar="used|NAME[,NAME...]",
    help="Attributes to include besides those that rules test: names or patterns, such as "
    "'id*,name', or used for no others; may be repeated.  By default all that rules can test.",
)
@click.option(
    "--costs",
    metavar="FILE.cost",
    help="Decide for the class with the lowest expected cost, as predict --costs does; or -.",
)
@weights_option
@unknown_option
@file_options
def command(
    model: str,
    data: str,
    output: str,
    test: str | None,
    rows: int,
    columns: tuple[str, ...],
    costs: str | None,
    weights: str | None,
    unknown_as_missing: bool,
    **settings: Any,
) -> None:
    """Write a page for what-if questions, on which rules can be changed and saved.

    The page shows rules, rows and errors, and for each row what would change its decision. You can
    switch rules off, move cut points, add rules and change votes; error, size and calibration on
    DATA.arff and on the rows of --test follow at once.  The page gives back a model file and a file
    of rules for train --rules.

    It is one file with a script, and needs no network.  It contains the rows it shows, so whoever
    has the page has those rows.  The command reports what it put in.
    """
    require_output(output)
    committee = read_model(model)
    matrix = decision_costs(costs, committee)
    form = _Form(FileForm.taken_from(settings), weights, unknown_as_missing, rows)
    with working(f"reading {data}"):
        relation = _relation(committee, data, form)
        schema = _schema_of_page(committee, relation, columns, data)
        relations = {data: relation}
        if test is not None:
            relations[test] = _relation(replace(committee, schema=schema), test, form)
            schema = _common(schema, committee, relations[test], test, form)
        held, all_rows = _rows(data, relation, schema, form)
        tested = None if test is None else _rows(test, relations[test], schema, form)[0]
        page = workbench_page(
            committee,
            held,
            Told(
                one_line(Path(model).name),
                all_rows,
                **commands_of(
                    committee,
                    [a.name for a in relation.attributes],
                    (model, data, test),
                    Words(as_typed(*FileForm._fields, "weights"), as_typed("unknown_as_missing")),
                ),
            ),
            test=tested,
            costs=matrix,
            origin=recorded_anew(committee, [data]).provenance,
        )
    write_text(page, output)
    if output == "-":
        return
    size = len(page.encode("utf-8")) / 1000
    click.echo(f"{printable(one_line(output))}: {held.in_words(all_rows, tested)}; {size:.0f} kB")


class _Form(NamedTuple):
    file: FileForm
    weights: str | None
    unknown_as_missing: bool
    most_rows: int


def _relation(committee: DecisionCommittee, path: str, form: _Form) -> Relation:
    every = [a.name for a in committee.schema.attributes]
    return read_for(committee, path, form.file, every, form.weights)


def _schema_of_page(
    committee: DecisionCommittee, relation: Relation, columns: tuple[str, ...], path: str
) -> Schema:
    """Return a schema that knows what rules test, and which of the other attributes go in."""
    schema, used = committee.schema, committee.used_attributes
    there = {a.name: a for a in relation.attributes if is_usable(a)}
    names = [a.name for a in schema.attributes]
    wanted = set(names)
    if columns:
        try:
            asked = [text for text in columns if text != USED or USED in names]
            wanted = set(names_meant(names, asked, "columns"))
        except DataError as error:
            error.in_file(path)
            raise
    attributes = list(schema.attributes)
    for i, attribute in enumerate(attributes):
        if i in used:
            continue
        goes_in = attribute.name in wanted and attribute.name in there
        attributes[i] = (
            there[attribute.name]
            if goes_in
            else replace(attribute, type="string", values=(), format=None)
        )
    return replace(schema, attributes=tuple(attributes))


def _common(
    schema: Schema, committee: DecisionCommittee, relation: Relation, path: str, form: _Form
) -> Schema:
    """Return a schema without attributes that no rule tests and a test file has otherwise."""
    there = {a.name: a for a in relation.attributes}
    left_out, attributes = [], list(schema.attributes)
    for i, attribute in enumerate(attributes):
        if not is_usable(attribute) or i in committee.used_attributes:
            continue
        other = there.get(attribute.name)
        fits = other is not None and other.type == attribute.type
        if fits and other is not None and not form.unknown_as_missing:
            fits = set(other.values) <= set(attribute.values)
        if not fits:
            left_out.append(shown(attribute.name))
            attributes[i] = replace(attribute, type="string", values=(), format=None)
    if left_out:
        warn(
            f"{path}: not there as in the data, and left out of the page: {', '.join(left_out)}",
            WidcWarning,
            stacklevel=2,
        )
    return replace(schema, attributes=tuple(attributes))


def _rows(path: str, relation: Relation, schema: Schema, form: _Form) -> tuple[NamedRows, int]:
    """Return the rows of a file that go in, and how many it has."""
    places = frozenset(i for i, a in enumerate(schema.attributes) if is_usable(a))
    dataset: Dataset = conform_dataset(
        path, relation, schema, places, unknown_as_missing=form.unknown_as_missing
    )
    rows = NamedRows.all_of(one_line(Path(path).name), dataset)
    return rows.at_most(form.most_rows), dataset.n_samples
