"""``widc-arff edit``."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from widc_arff.cli.changed import changes_options, print_changed
from widc_arff.cli.common import (
    FileForm,
    changed_model_option,
    file_options,
    messages_of,
    model_argument,
    require_output,
    unknown_option,
    weights_option,
)
from widc_arff.cli.new_data import NewData
from widc_arff.cli.provenance import date_of, recorded_anew
from widc_arff.data.schema import is_usable
from widc_arff.errors import OptionError, WidcWarning, one_line
from widc_arff.induction.refitting import refitted, with_learned_votes
from widc_arff.model.committee import read_committee
from widc_arff.model.editing import MOST_DIGITS, Edit, edited
from widc_arff.model.expert_rules import read_rules
from widc_arff.reports.blocks import Item
from widc_arff.reports.differences import changes_told
from widc_arff.reports.formatting import counted
from widc_arff.reports.kinds import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from widc_arff.arff.relation import Relation
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.literals import Literal
    from widc_arff.reports.by_class import Layout


def _of_rule(name: str, metavar: str, text: str) -> Callable[[Any], Any]:
    kind = (click.IntRange(1), str)
    return click.option(name, multiple=True, type=kind, metavar=f"N {metavar}", help=text)


def _of_name(name: str, text: str) -> Callable[[Any], Any]:
    return click.option(name, multiple=True, nargs=2, metavar="NAME TEXT", help=text)


def _numbers(name: str, text: str) -> Callable[[Any], Any]:
    return click.option(name, multiple=True, type=click.IntRange(1), metavar="N", help=text)


@click.command("edit")
@model_argument
@click.argument("data", metavar="[DATA.arff]", required=False)
@changed_model_option("changed")
@_numbers("--remove", "Remove rule N; like the options below, may be repeated.")
@click.option(
    "--add",
    multiple=True,
    metavar="RULE",
    help="Add a rule: 'if age > 60 then LABEL'; without 'then' its votes are learned from "
    "DATA.arff.",
)
@_of_rule(
    "--change",
    "RULE",
    "Give rule N new conditions ('if ...'), new votes ('then ...') or both; what is not given "
    "stays.",
)
@_of_rule("--cut", "'NAME > VALUE'", "Move a cut point of rule N.")
@_of_rule("--drop", "NAME", "Remove the conditions of rule N on an attribute.")
@click.option(
    "--round",
    "digits",
    type=click.IntRange(1, MOST_DIGITS),
    metavar="DIGITS",
    help="Round the cut points of all rules that are not locked to this number of significant "
    "digits; with data to fewer, if no row changes its side of a cut point.",
)
@click.option(
    "--rules",
    metavar="FILE",
    help="Replace all rules by those of this file, as show --format rules writes it; or -.",
)
@_numbers("--lock", "Lock rule N: edit and update leave it as it is.")
@_numbers("--unlock", "Unlock rule N.")
@_of_rule("--name-rule", "TEXT", "Give rule N a name.")
@_of_name("--name-attribute", "Display name of an attribute, or of the class attribute.")
@_of_name("--name-label", "Display name of a label.")
@click.option("--author", metavar="TEXT", help="Record who made the model.")
@click.option("--use", metavar="TEXT", help="Record what the model is for.")
@click.option(
    "--date", metavar="DATE|today", callback=date_of, help="Record the date of the model."
)
@unknown_option
@weights_option
@file_options
@changes_options
def command(
    model: str,
    data: str | None,
    output: str | None,
    unknown_as_missing: bool,
    form: str,
    layout: Layout,
    labels_shown: int,
    **settings: Any,
) -> None:
    """Change the rules and names of a model by hand.

    Rules have the numbers that show prints.  With DATA.arff all figures are computed again: what
    rules cover, the default vector, probabilities and the training error are those of these rows.
    Without it, figures that the changes make untrue are marked as unknown, in the model and in
    whatever is printed of it; ties are decided as before.  The model keeps a history of its
    changes.
    """
    require_output(output)
    committee = read_committee(model)
    new_data = NewData(
        FileForm.taken_from(settings), unknown_as_missing, settings["weights"], to_test=True
    )
    edit = _edit_from(settings)
    if data is None:
        changed, figures = _edited(committee, edit), []
    else:
        relation = new_data.relation(committee, data, tuple(edit.attributes_named))
        committee = _knowing(committee, edit.attributes_named, relation)
        named = edit.attributes_named
        more = [i for i, a in enumerate(committee.schema.attributes) if a.name in named]
        used = committee.used_attributes.union(more)
        rows = new_data.in_schema(data, relation, committee.schema, used)
        with messages_of(data):
            edit = with_learned_votes(edit, committee, rows)
            changed = refitted(_edited(committee, edit, rows), rows)
        figures = [_figures_told(committee, changed, data, rows)]
        changed = recorded_anew(changed, [data])
    said = {key: settings[key] for key in ("author", "use", "date") if settings[key] is not None}
    changed = replace(changed, provenance=replace(changed.provenance, **said))
    sentences = [*changes_told(committee, changed), *figures]
    changed = replace(changed, history=(*changed.history, *sentences))
    for doubt in _doubts(changed):
        warnings.warn(doubt, WidcWarning, stacklevel=1)
    blocks = [Item(line) for line in sentences or ["Nothing is different."]]
    print_changed(changed, output, blocks, form, layout, labels_shown, sentences)


def _edit_from(settings: dict[str, Any]) -> Edit:
    rules = settings["rules"]
    return Edit(
        None if rules is None else read_rules(rules),
        settings["add"],
        settings["remove"],
        settings["lock"],
        settings["unlock"],
        settings["change"],
        settings["drop"],
        settings["cut"],
        settings["digits"],
        settings["name_rule"],
        dict(settings["name_attribute"]),
        dict(settings["name_label"]),
    )


def _edited(
    committee: DecisionCommittee, edit: Edit, dataset: Dataset | None = None
) -> DecisionCommittee:
    try:
        return edited(committee, edit, dataset)
    except OptionError as error:
        raise click.UsageError(str(error)) from error


def _figures_told(
    committee: DecisionCommittee, changed: DecisionCommittee, data: str, rows: Dataset
) -> str:
    """Return of which data the figures are, and the errors there after and before the changes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidcWarning)  # said of these rows already
        name, before = kind_of(refitted(committee, rows)).training_error
    _, after = kind_of(changed).training_error
    was = "" if after == before else f" (before the changes {before})"
    n = counted(changed.training.examples, "row")
    return f"Figures are those of {one_line(Path(data).name)}, {n}: {name} {after}{was}."


def _doubts(committee: DecisionCommittee) -> Iterator[str]:
    """Yield what is odd about rules: those that hold nowhere, and those that stand there twice."""
    first: dict[frozenset[Literal], int] = {}
    for number, rule in enumerate(committee.rules, start=1):
        if rule.covered == 0:
            yield f"no row satisfies rule {number}"
        same = first.setdefault(frozenset(rule.monomial), number)
        if same != number:
            yield f"rules {same} and {number} have the same conditions"


def _knowing(
    committee: DecisionCommittee, names: set[str], relation: Relation
) -> DecisionCommittee:
    """Return a committee that knows what attributes are that it had only by name."""
    of = {a.name: a for a in relation.attributes if a.name in names and is_usable(a)}
    attributes = tuple(
        a if is_usable(a) else of.get(a.name, a) for a in committee.schema.attributes
    )
    return replace(committee, schema=replace(committee.schema, attributes=attributes))
