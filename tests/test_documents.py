"""The reference is what the commands say; the tutorial prints what it shows.

Both stand in the package; ``--update-golden`` writes them anew.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from widc_arff.cli import cli

ROOT = Path(__file__).parents[1]
REFERENCE, TUTORIAL = (ROOT / "widc_arff" / f"{name}.md" for name in ("reference", "tutorial"))
BLOCK = re.compile(r"```console\n(.*?)```\n", re.DOTALL)


@pytest.fixture
def documented(request):
    """Compare a text with a document of the package, which only --update-golden writes."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--update-golden"):
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")

    return compare


def test_the_reference_is_what_the_commands_say(run, documented):
    status, out, err = run("reference")
    assert (status, err) == (0, "")
    documented(REFERENCE, out)


def test_the_reference_has_all_commands_and_options(run):
    text = run("reference")[1]
    context = click.Context(cli)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        section = text[text.index(f"\n## {name}\n") :]
        section = section[: section.find("\n## ", 1)]
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.opts[-1] in (section if parameter.name != "quiet" else text)
                assert parameter.help, parameter.opts
            assert (parameter.metavar or "") in section.replace("\\|", "|")


def executed(block: str, folder: Path) -> str:
    """Run the commands of a block, and return it with what they print."""
    env = {**os.environ, "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    lines = []
    for line in block.splitlines():
        if not line.startswith("$ "):
            continue
        done = subprocess.run(
            ["sh", "-c", line[2:]],
            check=False,
            cwd=folder,
            env=env,
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stderr) == (0, ""), line
        lines += [line, *done.stdout.rstrip("\n").splitlines()]
    return "\n".join(lines) + "\n"


def test_the_tutorial_prints_what_it_shows(tmp_path, documented):
    for path in (ROOT / "arff_data").glob("*.arff"):
        shutil.copy(path, tmp_path)
    (tmp_path / "bin").mkdir()
    for name, arguments in (("widc-arff", "-m widc_arff"), ("python3", "")):
        launcher = tmp_path / "bin" / name
        pythonpath = f'PYTHONPATH="{ROOT}" ' if arguments else ""
        launcher.write_text(f'#!/bin/sh\n{pythonpath}exec "{sys.executable}" {arguments} "$@"\n')
        launcher.chmod(0o755)
    text = TUTORIAL.read_text(encoding="utf-8")
    assert len(BLOCK.findall(text)) >= 8
    fresh = BLOCK.sub(lambda match: f"```console\n{executed(match[1], tmp_path)}```\n", text)
    documented(TUTORIAL, fresh)


def test_the_tutorial_is_printed(run):
    assert run("tutorial") == (0, TUTORIAL.read_text(encoding="utf-8"), "")


def test_the_tutorial_is_short():
    prose = BLOCK.sub("", TUTORIAL.read_text(encoding="utf-8"))
    assert len(prose.split()) < 600
