"""The batch scripts of the plugin's examples: a folder of files, learned from and compared."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.endings import PATIENCE_S
from tests.weka.plugin import DATA, work_folder

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "weka_plugin" / "examples"
FILES = ("weather-nominal", "iris")

STUB = """#!/bin/sh
# $2 is the command
echo "$@" >>"$CALLS"
case $2-$3 in
    train-*broken*) echo "no ARFF" >&2; exit 1 ;;
    evaluate-*odd*) exit 1 ;;
    train-*killed*) exit 143 ;;
esac
[ "$2" = compare ] && exit "${COMPARED:-0}"
echo "{}"
"""


def program(folder: Path, text: str) -> Path:
    path = folder / "a program"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def batch(*arguments: object, **environment: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(EXAMPLES / "batch.sh"), *map(str, arguments)],
        env={**os.environ, **{name: str(value) for name, value in environment.items()}},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


@pytest.mark.needs("weka")
def test_a_folder_is_learned_from_evaluated_and_compared(tmp_path):
    data, out = tmp_path / "my data", tmp_path / "my results"
    data.mkdir()
    for name in FILES:
        shutil.copy(DATA / f"{name}.arff", data)
    widc = program(
        tmp_path, f"#!/bin/sh\nPYTHONPATH='{ROOT}' exec '{sys.executable}' -m widc_arff \"$@\"\n"
    )
    done = batch(data, out, "--pruning", "pessimistic", WIDC=widc, FOLDS=3, AGAINST="J48 -M 3")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    errors = {}
    for name in FILES:
        model = json.loads((out / f"{name}.json").read_text(encoding="utf-8"))
        assert model["training"]["options"]["pruning"] == "pessimistic"
        assert "Decision committee for" in (out / f"{name}.txt").read_text(encoding="utf-8")
        told = json.loads((out / f"{name}.evaluation.json").read_text(encoding="utf-8"))
        errors[name] = 100 * sum(told["errors_per_fold"]) / 3
    tables = (out / "tables.txt").read_text(encoding="utf-8")
    for name, error in errors.items():
        assert re.search(rf"^{name} +{error:.2f} ", tables, re.MULTILINE), tables
    assert "J48 -M 3" in tables
    assert (out / "experiment.exp").is_file()


@pytest.mark.parametrize(
    ("names", "compared", "status", "in_comparison"),
    [
        (["a", "b c"], 0, 0, ["a", "b c"]),
        (["a", "broken"], 0, 1, ["a"]),
        (["a", "odd"], 0, 1, ["a"]),
        (["broken"], 0, 1, None),
        (["a"], 1, 3, ["a"]),
        (["a", "broken"], 1, 3, ["a"]),
        (["a"], 130, 130, ["a"]),
        (["killed", "zoo"], 0, 143, None),
        ([], 0, 2, None),
    ],
)
def test_the_exit_status_says_what_failed(tmp_path, names, compared, status, in_comparison):
    data, out, calls = tmp_path / "data", tmp_path / "out", tmp_path / "calls"
    data.mkdir()
    for name in names:
        (data / f"{name}.arff").touch()
    stub = program(tmp_path, STUB)
    done = batch(data, out, "--class", "x", WIDC=stub, CALLS=calls, COMPARED=compared)
    assert done.returncode == status, done.stderr
    lines = calls.read_text().splitlines() if calls.exists() else []
    comparisons = [line for line in lines if " compare " in line]
    if in_comparison is None:
        assert comparisons == []
    else:
        files = " ".join(f"{data}/{name}.arff" for name in in_comparison)
        assert [line.partition(" --against")[0] for line in comparisons] == [
            f"--quiet compare --class x {files}"
        ]
    for name in ("broken", "odd"):
        assert (f"failed: {data}/{name}.arff" in done.stderr) == (name in names)
    assert ("no ARFF" in done.stderr) == ("broken" in names)


WINDOWS_STUB = """@echo off
>>"%CALLS%" echo %*
if "%~2"=="train" if "%~n3"=="broken" (
    echo no ARFF 1>&2
    exit /b 1
)
if "%~2"=="evaluate" if "%~n3"=="odd" exit /b 1
if "%~2"=="compare" exit /b %COMPARED%
echo {}
"""


@cache
def wine_environment() -> dict[str, str]:
    """Return the environment of a fresh Wine that draws nothing."""
    environment = {
        **os.environ,
        "WINEPREFIX": str(work_folder() / "wine"),
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": "mscoree=;mshtml=;winemenubuilder.exe=d",
    }
    subprocess.run(
        ["wine", "wineboot", "--init"],
        env=environment,
        capture_output=True,
        timeout=PATIENCE_S,
        check=True,
    )
    return environment


def windows_batch(folder: Path, *arguments: str, compared: int = 0) -> tuple[int, str, list[str]]:
    """Run batch.cmd in a folder; return its status, what it prints, and the calls that it makes."""
    shutil.copy(EXAMPLES / "batch.cmd", folder)
    (folder / "a program.bat").write_text(WINDOWS_STUB, encoding="utf-8", newline="\r\n")
    calls = folder / "calls"
    calls.unlink(missing_ok=True)
    done = subprocess.run(
        ["wine", "cmd", "/c", "batch.cmd", *arguments],
        cwd=folder,
        env=wine_environment()
        | {"WIDC": r".\a program.bat", "CALLS": "calls", "COMPARED": str(compared)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=PATIENCE_S,
        check=False,
    )
    lines = calls.read_text(encoding="utf-8").splitlines() if calls.exists() else []
    return done.returncode, done.stdout, [" ".join(line.split()) for line in lines]


@pytest.mark.needs("wine")
@pytest.mark.parametrize(
    ("names", "compared", "status", "in_comparison"),
    [
        (["a", "b c", "c (1)", "R&D"], 0, 0, ["a", "b c", "c (1)", "R&D"]),
        (["a", "broken"], 0, 1, ["a"]),
        (["a", "odd"], 0, 1, ["a"]),
        (["broken"], 0, 1, None),
        (["a"], 1, 3, ["a"]),
        (["a", "broken"], 1, 3, ["a"]),
        ([], 0, 2, None),
    ],
)
def test_on_windows_the_exit_status_says_the_same(tmp_path, names, compared, status, in_comparison):
    data, out = tmp_path / "my data", tmp_path / "my results"
    data.mkdir()
    out.mkdir()
    for name in names:
        (data / f"{name}.arff").touch()
        (out / f"{name}.evaluation.json").touch()
    found, printed, lines = windows_batch(
        tmp_path, "my data", "my results\\", "--class", "very odd", compared=compared
    )
    assert found == status, printed
    comparisons = [line for line in lines if " compare " in line]
    if in_comparison is None:
        assert comparisons == []
    else:
        files = [rf'"my data\{name}.arff"' for name in in_comparison]
        (comparison,) = comparisons
        told, settings = comparison.split(' --class "very odd" --against ')
        start, *compared_files = re.findall(r'"[^"]*"|--quiet compare', told)
        assert (start, sorted(compared_files)) == ("--quiet compare", sorted(files))
        assert settings == '"J48" --runs 1 --folds 10 --jobs 1 --output "my results"'
    for name in names:
        failed = name in ("broken", "odd")
        assert rf"{'failed' if failed else 'learned'}: my data\{name}.arff" in printed
        assert (out / f"{name}.evaluation.json").exists() == (not failed)
    assert ("no ARFF" in printed) == ("broken" in names)
    assert ("found none" in printed) == (names == [])


@pytest.mark.needs("wine")
def test_on_windows_usage_and_a_folder_that_cannot_be_made_are_told(tmp_path):
    status, printed, _ = windows_batch(tmp_path, "only-one")
    assert (status, printed[:7]) == (2, "usage: ")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.arff").touch()
    (tmp_path / "a file").touch()
    status, _, calls = windows_batch(tmp_path, "data", "a file")
    assert (status, calls) == (2, [])


def test_what_was_evaluated_before_does_not_stand_for_a_file_that_fails_now(tmp_path):
    data, out = tmp_path / "data", tmp_path / "out"
    data.mkdir()
    out.mkdir()
    (data / "broken.arff").touch()
    (out / "broken.evaluation.json").touch()
    calls = tmp_path / "calls"
    assert batch(data, out, WIDC=program(tmp_path, STUB), CALLS=calls).returncode == 1
    assert not (out / "broken.evaluation.json").exists()
    assert " compare " not in calls.read_text()


def test_usage_is_told():
    done = batch("only-one")
    assert done.returncode == 2
    assert done.stderr.startswith("usage: ")


def test_both_scripts_give_the_same_options_to_the_same_commands():
    scripts = [(EXAMPLES / f"batch.{end}").read_text(encoding="utf-8") for end in ("sh", "cmd")]
    unix, windows = (text.replace("\\\n", " ") for text in scripts)
    for command in ("train", "evaluate", "compare"):
        told = [
            sorted(re.findall(r" (--[a-z]+)", line))
            for text in (unix, windows)
            for line in re.findall(rf"--quiet {command} .*", text)
        ]
        assert len(told) == 2
        assert told[0] == told[1] != []
    for setting in ("WIDC", "FOLDS", "RUNS", "JOBS", "AGAINST"):
        (default,) = re.findall(rf"\$\{{{setting}:-([^}}]+)\}}", unix)
        assert f'if not defined {setting} set "{setting}={default}"' in windows
    assert b"\r\n" in (EXAMPLES / "batch.cmd").read_bytes()
