"""Where a changed model goes, and how its changes are printed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

import click

from widc_arff.cli.common import dump_json, labels_shown_option, layout_option
from widc_arff.cli.show import committee_in_form
from widc_arff.model.model_file import committee_to_json, write_committee
from widc_arff.reports.blocks import in_form

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.blocks import Block
    from widc_arff.reports.by_class import Layout

    _Command = TypeVar("_Command", bound=Callable[..., Any])


_options = [
    click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json", "markdown"]),
        default="text",
        show_default=True,
        help="Output format: json has the changes and the model.",
    ),
    layout_option,
    labels_shown_option,
]


def changes_options(command: _Command) -> _Command:
    """Add the options of `print_changed`."""
    for option in reversed(_options):
        command = option(command)
    return command


def print_changed(
    committee: DecisionCommittee,
    output: str | None,
    blocks: Sequence[Block],
    form: str,
    layout: Layout,
    labels_shown: int,
    changes: Sequence[str],
) -> None:
    """Write a changed model to where it is wanted, and print its changes and what it is now."""
    if output == "-":
        click.echo(committee_to_json(committee), nl=False)
        return
    if output is not None:
        write_committee(committee, output)
    if form == "json":
        model = json.loads(committee_to_json(committee))
        click.echo(dump_json({"changes": list(changes), "model": model}), nl=False)
        return
    click.echo(in_form(blocks, form))
    click.echo(committee_in_form(committee, form, layout, labels_shown), nl=False)
