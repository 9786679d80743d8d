"""``widc-arff workbench``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from warnings import warn

import click

from widc_arff.cli.common import (
    FileForm,
    as_typed,
    decision_costs,
    file_options,
    model_argument,
    output_option,
    read_model,
    require_output,
    unknown_option,
    weights_option,
    write_text,
)
from widc_arff.cli.new_data import NewData
from widc_arff.cli.progress import working
from widc_arff.cli.provenance import recorded_anew
from widc_arff.data.schema import is_usable
from widc_arff.errors import DataError, WidcWarning, one_line, printable
from widc_arff.reports.formatting import shown
from widc_arff.tables.labels import names_meant
from widc_arff.workbench import MOST_ROWS, NamedRows, Told, Words, commands_of, workbench_page

if TYPE_CHECKING:
    from widc_arff.arff.relation import Relation
    from widc_arff.data.schema import Schema
    from widc_arff.model.committee import DecisionCommittee

USED = "used"


@click.command("workbench")
@model_argument
@click.argument("data", metavar="DATA.arff")
@output_option("OUT.html|-", "Where the page goes; - is standard output.", required=True)
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
    "'id*,name'; used means no others; may be repeated.  By default all that rules can test.",
)
@click.option(
    "--costs",
    metavar="FILE.cost",
    help="Decide for the class with the lowest expected cost, as predict --costs does.  The file "
    "(or -) is a cost matrix.",
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
    new_data = NewData(FileForm.taken_from(settings), unknown_as_missing, weights, to_test=True)
    every = [a.name for a in committee.schema.attributes]
    with working(f"reading {data}"):
        relation = new_data.relation(committee, data, every)
        schema = _schema_of_page(committee, relation, columns, data)
        relations = {data: relation}
        if test is not None:
            known = replace(committee, schema=schema)
            relations[test] = new_data.relation(known, test, every)
            schema = _common(schema, committee, relations[test], test, new_data)
        held, all_rows = _rows(data, relation, schema, new_data, rows)
        tested = None
        if test is not None:
            tested, _ = _rows(test, relations[test], schema, new_data, rows)
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
                    Words(
                        as_typed(*FileForm._fields, "weights"),
                        as_typed("unknown_as_missing"),
                        as_typed("costs"),
                    ),
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
    schema: Schema, committee: DecisionCommittee, relation: Relation, path: str, new_data: NewData
) -> Schema:
    """Return a schema without attributes that no rule tests and a test file has otherwise."""
    there = {a.name: a for a in relation.attributes}
    left_out, attributes = [], list(schema.attributes)
    for i, attribute in enumerate(attributes):
        if not is_usable(attribute) or i in committee.used_attributes:
            continue
        other = there.get(attribute.name)
        fits = other is not None and other.type == attribute.type
        if fits and other is not None and not new_data.unknown_as_missing:
            fits = set(other.values) <= set(attribute.values)
        if not fits:
            left_out.append(shown(attribute.name))
            attributes[i] = replace(attribute, type="string", values=(), format=None)
    if left_out:
        warn(
            f"{path}: missing or different in this file, so left out of the page: "
            f"{', '.join(left_out)}",
            WidcWarning,
            stacklevel=2,
        )
    return replace(schema, attributes=tuple(attributes))


def _rows(
    path: str, relation: Relation, schema: Schema, new_data: NewData, most_rows: int
) -> tuple[NamedRows, int]:
    """Return the rows of a file that go in, and how many it has."""
    places = frozenset(i for i, a in enumerate(schema.attributes) if is_usable(a))
    dataset = new_data.in_schema(path, relation, schema, places)
    rows = NamedRows.all_of(one_line(Path(path).name), dataset)
    return rows.at_most(most_rows), dataset.n_samples
