"""``widc-arff completion``."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", metavar="bash|zsh|fish", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print a script that makes the shell complete commands, options and names of files.

    Put the first example into ~/.bashrc; for zsh, with zsh in place of bash, into ~/.zshrc after
    compinit.
    """
    completion = get_completion_class(shell)
    assert completion is not None
    script = completion(context.find_root().command, {}, "widc-arff", "_WIDC_ARFF_COMPLETE")
    click.echo(script.source())
