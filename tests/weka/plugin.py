"""The built Weka classifier, and JVMs that try it out."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tests.endings import PATIENCE_S
from tests.weka.installation import JVM_OPTIONS, java, weka_jar
from weka_plugin.build import BuiltPackage, build, find_javac

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CLASSIFIER = "weka.classifiers.rules.WIDC"
DATA = Path(__file__).parents[2] / "arff_data"
PROBE = Path(__file__).with_name("PluginProbe.java")


@cache
def work_folder() -> Path:
    """Return a folder for this test session."""
    folder = tempfile.mkdtemp(prefix="widc-weka-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@cache
def plugin() -> BuiltPackage:
    """Return the classifier, built once per session."""
    return build(work_folder() / "built", weka_jar())


@cache
def probe() -> Path:
    """Return the folder with the compiled probe."""
    folder = work_folder() / "probe"
    command = [find_javac(), "-cp", class_path(), "-d", str(folder), str(PROBE)]
    subprocess.run(command, check=True)
    return folder


def class_path(*more: Path) -> str:
    """Return a class path with Weka and the classifier."""
    return os.pathsep.join(map(str, (weka_jar(), plugin().jar, *more)))


def jvm(
    *arguments: str,
    options: Sequence[str] = (),
    path: str | None = None,
) -> list[str]:
    """Return the command of a JVM, Weka and the classifier on its class path."""
    launcher = java()
    assert launcher is not None
    return [launcher, *JVM_OPTIONS, *options, "-cp", path or class_path(), *arguments]


def environment(**changes: str | None) -> dict[str, str]:
    """Return an environment in which the classifier trains with this Python; None removes."""
    wanted = {**os.environ, "WIDC_PYTHON": sys.executable, **changes}
    return {name: value for name, value in wanted.items() if value is not None}


def run(
    *arguments: str,
    options: Sequence[str] = (),
    path: str | None = None,
    env: Mapping[str, str] | None = None,
) -> str:
    """Run a program of the class path and return all that it prints."""
    done = subprocess.run(
        jvm(*arguments, options=options, path=path),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env=environment() if env is None else env,
        timeout=PATIENCE_S,
        check=False,
    )
    return done.stdout


def run_probe(
    cases: Mapping[str, Sequence[object]],
    options: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
) -> dict[str, list[str]]:
    """Run commands of the probe in one JVM and return the printed lines by case."""
    command = probe_command(cases, options)
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        env=environment() if env is None else env,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    printed: dict[str, list[str]] = {}
    for line in done.stdout.splitlines():
        if line.startswith("case\t"):
            printed[line.removeprefix("case\t")] = []
        else:
            printed[list(printed)[-1]].append(line)
    assert list(printed) == list(cases), done.stderr
    return printed


def probe_command(cases: Mapping[str, Sequence[object]], options: Sequence[str] = ()) -> list[str]:
    """Return the command of a JVM that runs commands of the probe."""
    descriptor, name = tempfile.mkstemp(suffix=".txt", dir=work_folder())
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        for case, command in cases.items():
            stream.write("\t".join([case, *map(str, command)]) + "\n")
    return jvm("PluginProbe", name, options=options, path=class_path(probe(), generated()))


@cache
def generated() -> Path:
    """Return a folder on the probe's class path for classes that it generates."""
    folder = work_folder() / "generated"
    folder.mkdir()
    return folder


def values(lines: Sequence[str], name: str) -> list[str]:
    """Return what follows a name and a tab at the start of lines."""
    return [line.removeprefix(f"{name}\t") for line in lines if line.startswith(f"{name}\t")]


def seconds(lines: Sequence[str]) -> float:
    """Return how long a case took."""
    return float(values(lines, "seconds")[0])
