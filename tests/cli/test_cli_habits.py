"""What all commands have in common: completion, --quiet, colours, examples in the help."""

from __future__ import annotations

import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from tests.label_set_cases import DAYS
from widc_arff.cli import cli
from widc_arff.cli.every_command import FileName
from widc_arff.cli.examples import EXAMPLES

ROOT = Path(__file__).parents[2]
COMMANDS = cli.list_commands(click.Context(cli))
NOT_RUN = {"compare", "weka-package"}  # they need Weka, or time; only parsed


def loaded(name: str) -> click.Command:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return command


def program(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "widc_arff", *arguments]
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(command, check=False, env=env, capture_output=True, text=True)


# commands without what they need


def test_the_program_alone_prints_its_help_as_a_fault_of_usage(run):
    status, out, err = run()
    assert (status, out) == (2, "")
    assert err == run("--help")[1]


NEED_NOTHING = {"tutorial", "reference", "weka-package"}
WRONG_USAGE = [
    *(name for name in COMMANDS if name not in NEED_NOTHING),
    *("completion csh", "export m.json", "train d.arff --pruning x"),
]


@pytest.mark.parametrize("line", WRONG_USAGE)
def test_wrong_usage_is_told_in_lines_without_escapes(run, line):
    name = line.split()[0]
    status, out, err = run(*line.split())
    assert (status, out) == (2, "")
    usage, advice, empty, error = err.splitlines()
    assert usage.startswith(f"Usage: widc-arff {name} ")
    assert advice.startswith(f"Try 'widc-arff {name} -")
    assert empty == ""
    assert re.match("Error: [^\\\\]+$", error)


def test_choices_are_told_where_none_is_made(run):
    assert run("completion")[2].endswith("Choose from: bash, zsh, fish\n")


def test_a_line_end_in_a_wrong_argument_stays_escaped(run):
    assert "'tr\\nain'" in run("tr\nain")[2]


# completion


def completed(line: str) -> list[tuple[str, str]]:
    """Return type and value of what bash is offered at the end of a line."""
    words = line.split(" ")
    done = program(
        _WIDC_ARFF_COMPLETE="bash_complete",
        COMP_WORDS=line,
        COMP_CWORD=str(len(words) - 1),
    )
    assert done.stderr == ""
    return [(kind, value) for kind, value in (x.split(",", 1) for x in done.stdout.splitlines())]


def test_names_of_commands_complete():
    assert completed("widc-arff ex") == [("plain", "export"), ("plain", "explain")]
    assert {value for _, value in completed("widc-arff ")} >= set(COMMANDS)
    assert completed("widc-arff --ver") == [("plain", "--version")]


def test_options_and_their_choices_complete():
    assert ("plain", "--max-rules") in completed("widc-arff train --max")
    assert completed("widc-arff train iris.arff --pruning pe") == [("plain", "pessimistic")]
    assert ("plain", "--row") in completed("widc-arff explain m.json d.arff --r")


@pytest.mark.parametrize(
    "line",
    [
        "widc-arff train ir",
        "widc-arff train iris.arff --model ir",
        "widc-arff evaluate iris.arff ir",
        "widc-arff predict model.json ir",
        "widc-arff predict model.json iris.arff --output ir",
        "widc-arff show ir",
        "widc-arff export ir",
        "widc-arff train iris.arff --cut-points ir",
    ],
)
def test_names_of_files_are_completed_by_the_shell(line):
    assert completed(line) == [("file", "ir")]


def test_names_of_folders_are_completed_by_the_shell():
    assert completed("widc-arff weka-package -o re") == [("dir", "re")]


def test_an_unknown_command_offers_nothing_to_complete():
    done = program(
        _WIDC_ARFF_COMPLETE="bash_complete", COMP_WORDS="widc-arff tarin x", COMP_CWORD="2"
    )
    assert done.stderr == ""


def test_completing_a_command_loads_none():
    code = (
        "import sys; from widc_arff.cli import main\n"
        "try: main([])\n"
        "except SystemExit: pass\n"
        "assert 'numpy' not in sys.modules and 'rich' not in sys.modules\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT), "COMP_WORDS": "widc-arff t", "COMP_CWORD": "1"}
    env["_WIDC_ARFF_COMPLETE"] = "bash_complete"
    subprocess.run([sys.executable, "-c", code], check=True, env=env, capture_output=True)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_is_printed(run, shell):
    status, out, _ = run("completion", shell)
    assert status == 0
    assert f"_WIDC_ARFF_COMPLETE={shell}_complete" in out
    assert "widc-arff" in out


def test_bash_completes_with_the_script(run, tmp_path):
    if shutil.which("bash") is None:
        assert run("completion", "bash")[0] == 0
        return
    launcher(tmp_path)
    script = (
        'eval "$(widc-arff completion bash)"\n'
        "COMP_WORDS=(widc-arff tr); COMP_CWORD=1\n"
        '_widc_arff_completion widc-arff; echo "${COMPREPLY[@]}"\n'
    )
    env = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", script], check=True, env=env, capture_output=True, text=True
    )
    assert done.stdout == "train\n"


def launcher(folder: Path) -> None:
    """Put the program into a folder."""
    path = folder / "widc-arff"
    path.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m widc_arff "$@"\n')
    path.chmod(0o755)


# --quiet


@pytest.mark.parametrize("place", ["before", "after"])
def test_quiet_leaves_warnings_out_and_errors_in(run, tmp_path, place):
    path = tmp_path / "one.arff"
    path.write_text("@relation r\n@attribute x numeric\n@attribute c {a,b}\n@data\n1,a\n2,a\n")
    _, loud, warning = run("train", str(path))
    assert warning.startswith("widc-arff: warning: all training rows are of class 'a'")

    def quiet(*arguments: str) -> tuple[int, str, str]:
        result: tuple[int, str, str] = (
            run("-q", *arguments) if place == "before" else run(*arguments, "--quiet")
        )
        return result

    assert quiet("train", str(path)) == (0, loud, "")
    assert quiet("evaluate", str(path), "--folds", "2", "--jobs", "2")[::2] == (0, "")
    status, out, err = quiet("train", str(tmp_path / "none.arff"))
    assert (status, out) == (1, "")
    assert "none.arff" in err
    assert run("train", str(path))[2] == warning  # nothing is left behind


# colours and terminals


def on_terminal(code: str, **environment: str) -> str:
    """Run code with a terminal as stderr, and return what that gets."""
    own, other = pty.openpty()
    env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "CI")}
    env |= {"PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **environment}
    process = subprocess.Popen([sys.executable, "-c", code], stderr=other, env=env)
    os.close(other)
    text = b""
    while True:
        try:
            part = os.read(own, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        text += part
    os.close(own)
    assert process.wait() == 0
    return text.decode()


WORK = (
    "import time, sys; from widc_arff.cli import cli, progress\n"
    "progress.DELAY_S = 0.01\n"
    "with progress.working('reading') as step:\n"
    "    time.sleep(0.3); step(1, 2); time.sleep(0.2)\n"
)
COLOUR = re.compile(r"\x1b\[[0-9;]*(?:3|4|9)[0-9][0-9;]*m")


def test_progress_is_coloured_on_a_terminal_unless_told_otherwise():
    assert COLOUR.search(on_terminal(WORK))
    plain = on_terminal(WORK, NO_COLOR="1")
    assert "reading" in plain
    assert not COLOUR.search(plain)


def test_quiet_shows_no_progress_on_a_terminal():
    quiet = WORK.replace("with progress", "with cli.make_context('w', ['-q', 'x']), progress")
    assert on_terminal(quiet) == ""


@pytest.mark.parametrize("colours", [{}, {"FORCE_COLOR": "1"}, {"CLICOLOR_FORCE": "1"}])
def test_nothing_is_coloured_that_is_not_a_terminal(colours):
    for arguments in (["train", str(ROOT / "arff_data" / "iris.arff")], ["--help"], ["tarin"]):
        done = program(*arguments, **colours)
        assert "\x1b" not in done.stdout + done.stderr


# help


@pytest.mark.parametrize("command", COMMANDS)
def test_help_ends_with_examples(run, command):
    status, out, _ = run(command, "--help")
    assert status == 0
    tail = out[out.index("\n  Examples:\n") :].splitlines()[2:]
    assert tail == [f"    {line}" for line in EXAMPLES[command]]
    assert max(map(len, tail)) <= 100


def test_every_example_belongs_to_a_command():
    assert list(EXAMPLES) == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_are_understood(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for line in EXAMPLES[command]:
        words = line.replace('eval "$(', "").replace(')"', "").rpartition("| ")[2]
        _, name, *arguments = shlex.split(words.partition(">")[0])
        assert name == command
        loaded(name).make_context(name, arguments)


@pytest.mark.parametrize("command", [c for c in COMMANDS if c not in NOT_RUN])
def test_examples_run(command, tmp_path):
    for data in (ROOT / "arff_data").glob("*.arff"):
        shutil.copy(data, tmp_path)
    shutil.copy(tmp_path / "iris.arff", tmp_path / "new.arff")
    launcher(tmp_path)
    env = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    env["HOME"] = str(tmp_path)
    (tmp_path / ".config" / "fish" / "completions").mkdir(parents=True)
    shell = shutil.which("bash") or "sh"
    more = "cp model.json old.json; cp model.json new.json; "
    more += "echo 'if petal_width > 1 then virginica' > rules.txt"
    for line in ("gzip -k new.arff", EXAMPLES["train"][0], more, *EXAMPLES[command]):
        done = subprocess.run(
            [shell, "-c", f"set -e; {line}"],
            check=False,
            env=env,
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stderr) == (0, ""), line


# - for standard input and output

COSTS = "3 3\n0 1 2\n1 0 1\n3 1 0\n"
CUTS, XML = (
    '{"petal_width": [0.8, 1.75]}',
    '<labels><label name="sail"/><label name="run"/><label name="read"/></labels>',
)
# Command, and which file of it is -; what is read must give what the file gives.
INPUTS = [
    ("edit model.json new.arff --rules rules.txt", "model.json"),
    ("edit model.json new.arff --rules rules.txt", "new.arff"),
    ("edit model.json new.arff --rules rules.txt", "rules.txt"),
    ("evaluate old.json new.json new.arff", "new.arff"),
    ("update model.json new.arff iris.arff", "model.json"),
    ("update model.json new.arff", "new.arff"),
    ("update model.json iris.arff new.arff", "new.arff"),
    ("card model.json new.arff", "model.json"),
    ("card model.json new.arff", "new.arff"),
    ("diff old.json new.json new.arff", "old.json"),
    ("diff old.json new.json new.arff", "new.json"),
    ("diff old.json new.json new.arff", "new.arff"),
    ("train iris.arff", "iris.arff"),
    ("train iris.arff --cut-points cuts.json", "cuts.json"),
    ("train days.arff --labels days.xml", "days.xml"),
    ("describe iris.arff --format json", "iris.arff"),
    ("describe days.arff --labels days.xml --format markdown", "days.xml"),
    ("predict model.json iris.arff", "model.json"),
    ("predict model.json iris.arff", "iris.arff"),
    ("evaluate iris.arff --folds 2 --format json", "iris.arff"),
    ("evaluate iris.arff --test new.arff", "new.arff"),
    ("evaluate iris.arff --folds 2 --cut-points cuts.json", "cuts.json"),
    ("evaluate days.arff --folds 2 --labels days.xml", "days.xml"),
    ("show model.json", "model.json"),
    ("export model.json --to sql", "model.json"),
    ("explain model.json iris.arff", "model.json"),
    ("explain model.json iris.arff", "iris.arff"),
    ("report model.json iris.arff -o out.html", "model.json"),
    ("train iris.arff --costs iris.cost", "iris.cost"),
    ("evaluate iris.arff --folds 2 --costs iris.cost", "iris.cost"),
    ("predict model.json iris.arff --costs iris.cost", "iris.cost"),
    ("explain model.json iris.arff --costs iris.cost", "iris.cost"),
    ("sizes iris.arff --folds 2 --prices 3 --format json", "iris.arff"),
    ("sizes iris.arff --folds 2 --prices 3 --cut-points cuts.json --train 1", "cuts.json"),
    ("sizes iris.arff --folds 2 --prices 3 --costs iris.cost --train 1", "iris.cost"),
    ("sizes iris.arff --folds 2 --prices 3 --rules rules.txt --train 1", "rules.txt"),
    ("sizes days.arff --folds 2 --prices 3 --labels days.xml", "days.xml"),
    ("train iris.arff --rules rules.txt --format markdown", "rules.txt"),
    ("evaluate iris.arff --folds 2 --rules rules.txt", "rules.txt"),
    ("report model.json iris.arff -o out.html", "iris.arff"),
    ("convert iris.arff out.arff", "iris.arff"),
    ("workbench model.json iris.arff -o out.html", "model.json"),
    ("workbench model.json iris.arff -o out.html", "iris.arff"),
    ("workbench model.json iris.arff --test new.arff -o out.html", "new.arff"),
    ("workbench model.json iris.arff --costs iris.cost -o out.html", "iris.cost"),
]
# What is written with - must be what is written to the file.
OUTPUTS = [
    ("edit model.json --remove 1 -o", "edited.json"),
    ("update model.json new.arff -o", "updated.json"),
    ("train iris.arff --model", "out.json"),
    ("predict model.json iris.arff --output", "out.csv"),
    ("evaluate iris.arff --folds 2 --predictions", "out.csv"),
    ("sizes iris.arff --folds 2 --prices 3 --plot", "out.svg"),
    ("sizes iris.arff --folds 2 --prices 3 --train best --model", "out.json"),
    ("export model.json --to python --output", "out.py"),
    ("report model.json iris.arff --output", "out.html"),
    ("convert iris.arff --to csv", "out.csv"),
    ("workbench model.json iris.arff --output", "out.html"),
]


@pytest.fixture
def files(tmp_path, monkeypatch, run) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("iris.arff", "new.arff"):
        shutil.copy(ROOT / "arff_data" / "iris.arff", name)
    for name, text in (
        ("cuts.json", CUTS),
        ("days.xml", XML),
        ("days.arff", DAYS),
        ("iris.cost", COSTS),
        ("rules.txt", "if petal_width <= 0.8 then setosa\n"),
    ):
        Path(name).write_text(text, encoding="utf-8")
    for name in ("model.json", "old.json", "new.json"):
        assert run("train", "iris.arff", "--model", name)[0] == 0
    return Path(tmp_path)


@pytest.mark.parametrize(("command", "name"), INPUTS)
def test_a_dash_is_standard_input_wherever_a_file_is_read(run, files, stdin, command, name):
    expected = run("-q", *command.split())
    assert expected[0] == 0
    stdin(Path(name).read_bytes())
    status, out, err = run("-q", *("-" if word == name else word for word in command.split()))
    assert (status, err) == (0, "")
    named = {name: name for name in ("new.arff", "old.json", "new.json")}
    told = {"iris.arff": 'file": "iris.arff', **named}.get(name, "no such text")
    found, wanted = out, expected[1].replace(told, told.replace(name, "-"))
    if "workbench" in command:  # a page holds the names: its size is not quite the same
        found, wanted = (re.sub(r"\d+ kB", "kB", text) for text in (found, wanted))
    assert found.split() == wanted.split()


@pytest.mark.parametrize(("command", "name"), OUTPUTS)
def test_a_dash_is_standard_output_wherever_a_file_is_written(run, files, command, name):
    assert run(*command.split(), name)[0] == 0
    assert run(*command.split(), "-") == (0, Path(name).read_text(encoding="utf-8"), "")
    assert not Path("-").exists()


@pytest.mark.parametrize("command", [c for c in COMMANDS if c not in {*NOT_RUN, "sample-data"}])
def test_every_file_of_a_command_is_tried_as_a_dash(command):
    tried: set[str] = set()
    for line, name in (*INPUTS, *((f"{line} -", "-") for line, _ in OUTPUTS)):
        words = line.split()
        if words[0] == command:
            context = loaded(command).make_context(command, words[1:])
            tried |= {k for k, v in context.params.items() if v in (name, (name,))}
    files_of = (p.name for p in loaded(command).params if isinstance(p.type, FileName))
    assert set(files_of) <= tried


@pytest.mark.parametrize(
    "command",
    ["predict - -", "explain - -", "evaluate - -", "evaluate - --test -", "train - --labels -"],
)
def test_standard_input_is_read_once(run, files, command):
    status, out, err = run(*command.split())
    assert (status, out) == (2, "")
    assert "expected - only once" in err


def test_weka_reads_files_itself(run):
    status, _, err = run("compare", "-")
    assert status == 2
    assert "because Weka reads them itself, got -" in err
