"""Where a changed model goes, and how its changes are printed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

import click

from widc_arff.cli.common import dump_json, labels_shown_option, layout_option
from widc_arff.cli.reporting import form_option, print_report
from widc_arff.model.model_file import committee_to_json, write_committee
from widc_arff.reports.committees import committee_blocks
from widc_arff.reports.kinds import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.blocks import Block
    from widc_arff.reports.by_class import Layout

    _Command = TypeVar("_Command", bound=Callable[..., Any])


_options = [
    form_option("json", note=", json has the changes and the model"),
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
    kind = kind_of(committee.as_read(), labels_shown, layout)
    print_report([*blocks, *committee_blocks(kind)], form, committee.training.version)
