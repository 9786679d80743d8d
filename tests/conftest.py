"""Tests that need something that is not here are left out, and the summary says so.

With CI=true in the environment anything left out is a failure.  Of several processes that share the
tests (``-n``) each finds out what is left out; the one that started them tells it, once.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from tests.browser import chromium
from tests.endings import PATIENCE_S
from tests.weka.installation import has_compiler, java, weka_jar
from widc_arff.cli import main, progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SHARED = Path(__file__).parents[2] / "shared" / "arff-cases"

QUICK = ("arff", "data", "evaluation", "model", "reports", "values")
"""Folders whose tests are marked ``quick`` if they need nothing: in all less than two minutes."""

settings.register_profile("ci", max_examples=200, deadline=None, derandomize=True)
settings.register_profile("default", max_examples=50, deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "default")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write the files of tests/golden anew"
    )


@pytest.fixture(scope="session", autouse=True)
def _no_line_on_a_busy_machine() -> Iterator[None]:
    """Let commands in this process not say that they are still at work: tests compare stderr."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress, "LINE_DELAY_S", PATIENCE_S)
        yield


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Return a function that runs a command: (exit status, stdout, stderr)."""

    def call(*arguments: str) -> tuple[int, str, str]:
        status = main(list(arguments))
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return status, out, err

    return call


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Callable[[str | bytes], None]:
    """Return a function that puts a content on standard input, which can be read once."""

    def give(content: str | bytes) -> None:
        given = content.encode() if isinstance(content, str) else content
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))

    return give


class Terminal(io.StringIO):
    """What a terminal shows."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Terminal]:
    """Return a function that lets standard error be a terminal that shows progress at once."""

    def begin() -> Terminal:
        screen = Terminal()
        monkeypatch.setattr(sys, "stderr", screen)
        monkeypatch.setattr(progress, "DELAY_S", 0.0)
        monkeypatch.setenv("TERM", "xterm")
        return screen

    return begin


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with a file of tests/golden, which only --update-golden writes."""

    def compare(name: str, text: str) -> None:
        path = Path(__file__).parent / "golden" / name
        if request.config.getoption("--update-golden"):
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"no golden file {name}"
        assert text == path.read_text(encoding="utf-8")

    return compare


_left_out: Counter[str] = Counter()
"""How many tests are left out for each reason."""


def _absent() -> dict[str, str]:
    """Return what is not there, with the reason."""
    absent = {}
    if not SHARED.is_dir():
        absent["shared"] = f"no folder of shared cases at {SHARED}"
    if java() is None or not has_compiler():
        absent["weka"] = "no JDK found (JAVA_HOME, or java and javac on the PATH)"
    elif weka_jar() is None:
        absent["weka"] = "no weka.jar found (WEKA_JAR or the package python-weka-wrapper3)"
    if chromium() is None:
        absent["chromium"] = "no Chromium found (chromium or google-chrome on the PATH)"
    if not find_spec("playwright"):
        absent["playwright"] = "no Playwright found (the extra test), which drives the browser"
    if not (Path(__file__).parent / "workbench" / "node_modules").is_dir():
        absent["npm"] = "no tools of npm found (npm ci in tests/workbench)"
    if shutil.which("wine") is None:
        absent["wine"] = "no Wine found (wine on the PATH), which runs what is for Windows"
    if not all(map(find_spec, ("sphinx", "myst_parser", "furo"))):
        absent["sphinx"] = "no Sphinx with myst-parser and furo found (the extra docs)"
    if not Path("/dev/full").exists():
        absent["/dev/full"] = "no device /dev/full, which is always full"
    return absent


@pytest.hookimpl(tryfirst=True)  # before -m chooses by the marker
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    absent = _absent()
    kept: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in items:
        needs = {mark.args[0] for mark in item.iter_markers("needs")}
        if item.path.parent.name in QUICK and not needs:
            item.add_marker("quick")
        lacks = needs & absent.keys()
        (left_out if lacks else kept).append(item)
        _left_out.update(absent[need] for need in lacks)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept
    if hasattr(config, "workeroutput"):  # a process of pytest-xdist
        config.workeroutput["left_out"] = dict(_left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Hear what a process has left out: all have collected the same tests."""
    _left_out.update(Counter(getattr(node, "workeroutput", {}).get("left_out", {})) - _left_out)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for reason, count in _left_out.items():
        terminalreporter.write_line(f"left out: {count} tests: {reason}", yellow=True)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if _left_out and os.environ.get("CI"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
