"""Commands that are ended from outside while they work, and what is left of them then."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import defaultdict
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
PATIENCE_S = 600.0
"""How long tests wait for what must happen before they call it a hang; no test measures time."""


@contextmanager
def started(
    *arguments: str, ignores: int | None = None, module: str = "widc_arff"
) -> Iterator[subprocess.Popen[bytes]]:
    """Give a command that runs, in a session of its own as at a terminal.

    A signal that it is to ignore it ignores, as a job in the background of a shell or of nohup
    does; it heeds the others, also where these tests are such a job.
    """

    def inherit() -> None:
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN if number == ignores else signal.SIG_DFL)

    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
        preexec_fn=inherit,  # noqa: PLW1509
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def read_by(process: subprocess.Popen[bytes], text: bytes) -> None:
    """Write to the input of a process more than a pipe holds, so that it has read some of it."""
    assert process.stdin is not None
    process.stdin.write(text * (1 + (1 << 20) // len(text)))
    process.stdin.flush()


def descendants(process: int) -> set[int]:
    """Return the processes that a process has started, and those that these have started."""
    command = ["ps", "-A", "-o", "pid=,ppid=,stat="]
    children = defaultdict(list)
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    ):
        if line and line.split()[2][0] != "Z":
            children[int(line.split()[1])].append(int(line.split()[0]))
    found: set[int] = set()
    wave = {process}
    while wave:
        wave = {child for parent in wave for child in children[parent]} - found
        found |= wave
    return found


def descendants_at_work(process: subprocess.Popen[bytes], least: int) -> set[int]:
    """Wait until a process has started so many others, and return them."""
    deadline = time.monotonic() + PATIENCE_S
    while len(found := descendants(process.pid)) < least:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline, found
        time.sleep(0.02)
    return found


def runs(process: int) -> bool:
    """Return whether a process is there, and more than the memory of one."""
    command = ["ps", "-o", "stat=", "-p", str(process)]
    state = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return state[:1] not in ("", "Z")


def seconds_until_gone(processes: set[int]) -> float:
    """Return how long it takes until none of some processes runs any more."""
    start = time.monotonic()
    while any(map(runs, processes)):
        assert time.monotonic() < start + PATIENCE_S, processes
        time.sleep(0.02)
    return time.monotonic() - start
