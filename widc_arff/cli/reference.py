"""``widc-arff reference``: the help of all commands as one document.

`widc_arff/reference.md` holds its text, which a test keeps equal.
"""

from __future__ import annotations

import inspect

import click

from widc_arff.cli.examples import EXAMPLES

_COMMON = {"--quiet", "--help"}
_INTRODUCTION = """\
# widc-arff

{help}

Results go to standard output, everything else to standard error.  `-` in place of a file is
standard input or output.  `widc-arff COMMAND --help` shows the same text; `widc-arff reference`
prints this document.

Exit status: 0 done, 1 data or model at fault, 2 wrong usage; 130 ended by Ctrl-C, 143 by SIGTERM,
141 if the reader of a pipe has closed it.  Processes that a command has started end with it.

Environment: `NO_COLOR` turns the colours of progress bars off; `WEKA_JAR` and `JAVA_HOME` are the
paths of weka.jar and of a JDK.

All commands have `--quiet` and `--help`:
"""


@click.command("reference")
@click.pass_context
def command(context: click.Context) -> None:
    """Print this reference: all commands with their options, as Markdown."""
    root = context.find_root()
    assert isinstance(root.command, click.Group)
    click.echo(reference_text(root.command, root), nl=False)


def reference_text(group: click.Group, context: click.Context) -> str:
    """Return the reference of a group of commands as Markdown."""
    parts = [_INTRODUCTION.format(help=group.help), _options(group, context).rstrip() + "\n"]
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        parts.append(_section(found, click.Context(found, context, name)))
    return "\n".join(parts)


def _section(command: click.Command, context: click.Context) -> str:
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    examples = "\n".join(EXAMPLES[str(command.name)])
    return (
        f"## {command.name}\n\n```\n{usage}\n```\n\n{inspect.cleandoc(command.help or '')}\n\n"
        f"{_options(command, context)}```\n{examples}\n```\n"
    )


def _options(command: click.Command, context: click.Context) -> str:
    """Return the options of a command as a table, without those that all commands have."""
    is_top = context.parent is None
    records = [
        option.get_help_record(context)
        for option in command.get_params(context)
        if isinstance(option, click.Option) and (is_top or not _COMMON & set(option.opts))
    ]
    rows = [f"| `{_cell(names)}` | {_cell(text)} |" for names, text in filter(None, records)]
    if not rows:
        return ""
    return "\n".join(["| option | meaning |", "|---|---|", *rows, "", ""])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
