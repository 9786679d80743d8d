"""The command line: arguments in, one library call, one funnel for errors, an exit code.

Exit 0 done, 1 data or model at fault, 2 usage, 128 and more ended from outside: 130 by Ctrl-C, 141
by a closed pipe, 143 by SIGTERM.  Results go to stdout, everything else to stderr.
"""

from __future__ import annotations

import os
import sys
import warnings
from contextlib import suppress
from functools import cache
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING

import click

from widc_arff.cli.every_command import quiet_option, with_common_options
from widc_arff.cli.mix_ups import with_kinds_checked
from widc_arff.errors import WidcError, WidcWarning, did_you_mean, for_terminal, short_name
from widc_arff.system.interruption import Interruption
from widc_arff.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from click.shell_completion import CompletionItem

_COMMANDS = {
    "describe": "Summarise data: attributes, classes, what training would skip or refuse.",
    "train": "Learn a decision committee and print its rules.",
    "predict": "Predict classes and probabilities for new data.",
    "evaluate": "Estimate error and size by cross-validation, or on a test set.",
    "sizes": "Compare committees of several sizes by their error, and choose one.",
    "show": "Print the committee of a model file.",
    "export": "Write a model as Python, SQL, Java or PMML code that gives the same answers.",
    "explain": "Explain the decisions of a model, and what would change them.",
    "report": "Write a report on how a model does on data: rules, errors and their causes.",
    "workbench": "Write a page to explore a model: ask what-if, change rules, save the result.",
    "edit": "Change the rules and names of a model by hand.",
    "update": "Fit a model to new data: keep the rules that still pay, learn others.",
    "diff": "Compare two models: their rules, and what they decide differently.",
    "card": "Write a model card: what a model is and is for, its data, rules, errors, limits.",
    "compare": "Compare with classifiers of Weka over the same folds, by error and size.",
    "convert": "Convert data between ARFF, CSV and Parquet.",
    "weka-package": "Build the Weka package: one zip to install.",
    "completion": "Print a shell script that completes commands, options and files.",
    "sample-data": "Write the sample data sets of the tutorial to a folder.",
    "tutorial": "Print a tutorial: from data to rules, reasons, error, predictions, code.",
    "reference": "Print all commands with their options, as Markdown.",
}

CLOSED_PIPE = 141
"""Exit status when nobody reads the results any more, as of programs that SIGPIPE ends."""


class _LazyGroup(click.Group):
    """Imports a command's module only when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        return _command(cmd_name)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - only when asked

        names = [name for name in _COMMANDS if name.startswith(incomplete)]
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*(CompletionItem(name, help=_COMMANDS[name]) for name in names), *options]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:  # versions of click differ here
            click.echo(ctx.get_help(), err=True)
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        is_option = bool(args) and args[0].startswith("-")
        if args and args[0] not in _COMMANDS and not is_option and not ctx.resilient_parsing:
            advice = did_you_mean(args[0], _COMMANDS)
            if args[0] in ("help", "version"):
                words = [name for name in args[1:2] if name in _COMMANDS and args[0] == "help"]
                advice = f"; did you mean '{' '.join(['widc-arff', *words, f'--{args[0]}'])}'?"
            if args[0] == "reproduce":
                advice = "; 'python -m tests.reproduction' does it, in a clone of the repository"
            if "." in args[0]:  # a file
                command = "show" if args[0].endswith(".json") else "train"
                advice = f"; did you mean 'widc-arff {command} {args[0]}'?"
            raise click.UsageError(f"no such command {args[0]!r}{advice}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@cache
def _command(name: str) -> click.Command:
    """Return a command, its module imported."""
    command = import_module(f"widc_arff.cli.{name.replace('-', '_')}").command
    assert isinstance(command, click.Command)
    return with_kinds_checked(with_common_options(command))


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="widc-arff COMMAND --help explains the options of a command.",
    params=[quiet_option()],
)
@click.version_option(__version__, prog_name="widc-arff")
def cli() -> None:
    """Learn small committees of voting rules from ARFF files (WIDC, Nock 2002)."""


def main(  # noqa: PLR0911, C901 - one way out per cause
    arguments: Sequence[str] | None = None,
    command: click.Command = cli,
    name: str = "widc-arff",
) -> int:
    """Run a command and return its exit status.

    Parameters
    ----------
    arguments : sequence of str, optional
        By default those of the process.
    command : click.Command
        What to run.
    name : str
        How the program is called, in its help.
    """
    if sys.stdout is None:
        return _fail("standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # letters that its encoding lacks are escaped
            stream.reconfigure(errors="backslashreplace")
    with warnings.catch_warnings():
        warnings.simplefilter("always", WidcWarning)
        warnings.showwarning = _show_warning
        try:
            status = command.main(arguments, prog_name=name, standalone_mode=False)
            sys.stdout.flush()
        except click.UsageError as error:
            click.UsageError(for_terminal(_in_words(error.format_message())), error.ctx).show()
            return 2
        except click.exceptions.Exit as stop:
            return stop.exit_code
        except (KeyboardInterrupt, click.Abort) as error:
            interruption = Interruption.behind(error) or Interruption()
            return _fail(str(interruption), interruption.status)
        except (WidcError, click.ClickException) as error:
            return _fail(str(error))
        except (BrokenPipeError, SystemExit):  # the latter is how click tells the former
            _silence_stdout()
            return CLOSED_PIPE
        except OSError as error:
            _silence_stdout()
            name = f"{short_name(str(error.filename))}: " if error.filename else ""
            return _fail(f"{name}{error.strerror or error}")
        except MemoryError:
            return _fail("not enough memory for these data")
    return status if isinstance(status, int) else 0


def _in_words(message: str) -> str:
    """Return a message of click in one line, without the names of its types."""
    for found, plain in (
        ("\n\t", " "),
        ("is not a valid integer range", "is not a whole number"),
        ("is not a valid integer", "is not a whole number"),
        ("is not a valid float range", "is not a number"),
    ):
        message = message.replace(found, plain)
    return message


def _fail(message: str, status: int = 1) -> int:
    with suppress(OSError):  # stderr may be gone
        click.echo(f"widc-arff: {for_terminal(message)}", err=True)
    return status


def _show_warning(message: Warning | str, *_args: object, **_kwargs: object) -> None:
    click.echo(f"widc-arff: warning: {for_terminal(str(message))}", err=True)


def _silence_stdout() -> None:
    """Let the interpreter's last flush of stdout go nowhere: its failure has been told."""
    try:
        descriptor = sys.stdout.fileno()
    except OSError:  # a stream without a file behind it
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
