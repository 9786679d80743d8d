"""Reports as commands print them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from widc_arff.cli.common import write_text
from widc_arff.reports.blocks import FORMS, in_form, lines_in_form
from widc_arff.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from widc_arff.reports.blocks import Block


def form_option(
    *more: str, default: str = "text", note: str = ""
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option that chooses one of the forms of reports, or another one."""
    return click.option(
        "--format",
        "form",
        type=click.Choice([*FORMS, *more]),
        default=default,
        show_default=True,
        help=f"Output format: html is a complete page, latex needs booktabs{note}.",
    )


def print_report(
    blocks: Iterable[Block], form: str, version: str = __version__, output: str = "-"
) -> None:
    """Print a report line by line, or write it to a file.

    `version` is that of the package that wrote a model.
    """
    if output != "-":
        write_text(in_form(blocks, form, version), output)
        return
    for line in lines_in_form(blocks, form, version):
        # a page is in the encoding that it tells, whatever the terminal's
        click.echo(f"{line}\n".encode() if form == "html" else f"{line}\n", nl=False)
