"""What all commands have in common: --quiet, examples in the help, names of files that complete."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING

import click

from widc_arff.cli.examples import EXAMPLES
from widc_arff.errors import WidcWarning

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_QUIET = "widc_arff.quiet"
_PIPED = "widc_arff.piped"
_READ, _WRITTEN = "widc_arff.read", "widc_arff.written"
_FILES = (".arff", ".json", ".csv", ".xml", "DATA", "FILE", "IN", "OUT")


class FileName(click.types.StringParamType):
    """A text that names a file or a folder, which the shell completes; one input can be ``-``.

    No file is both read and written.
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the name; refuse an empty one, and standard input as a second input."""
        name = str(super().convert(value, param, ctx))
        if not name:
            expected = "a name" if param is None else param.metavar
            self.fail(f"expected {expected}, got {name!r}", param, ctx)
        is_input = param is not None and "OUT" not in (param.metavar or "")
        if name == "-" and is_input and ctx is not None:
            if _PIPED in ctx.meta:
                message = "expected - only once, because standard input can be read only once"
                self.fail(message, param, ctx)
            ctx.meta[_PIPED] = True
        elif name != "-" and self._kind == "file" and ctx is not None:
            own, other = (_READ, _WRITTEN) if is_input else (_WRITTEN, _READ)
            path = os.path.realpath(name)
            if path in ctx.meta.get(other, ()):
                what = "written" if is_input else "read"
                self.fail(f"expected a file other than the one that is {what}, got {name}", param)
            ctx.meta.setdefault(own, set()).add(path)
        return name

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        """Leave it to the shell."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - only when asked

        return [CompletionItem(incomplete, type=self._kind)]


def with_common_options(command: click.Command) -> click.Command:
    """Return a command with what all of them have; what names a file is told by its metavar."""
    command.params.append(quiet_option())
    examples = EXAMPLES[str(command.name)]
    command.epilog = "\b\nExamples:\n" + "\n".join(f"  {line}" for line in examples)
    for parameter in command.params:
        metavar = parameter.metavar or ""
        if parameter.type is click.STRING and metavar == "DIR":
            parameter.type = FileName("dir")
        elif parameter.type is click.STRING and any(mark in metavar for mark in _FILES):
            parameter.type = FileName("file")
    return command


def quiet_option() -> click.Option:
    """Return the option that keeps stderr for errors alone."""
    return click.Option(
        ["-q", "--quiet"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_keep_quiet,
        help="Show no warnings and no progress; errors are still shown.",
    )


def is_quiet() -> bool:
    """Tell whether --quiet was given."""
    context = click.get_current_context(silent=True)
    return context is not None and _QUIET in context.meta


def _keep_quiet(context: click.Context, _option: click.Parameter, given: bool) -> None:
    if given:
        context.meta[_QUIET] = True
        warnings.simplefilter("ignore", WidcWarning)  # until `main` restores the filters
