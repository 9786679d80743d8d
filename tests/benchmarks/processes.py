"""Time a process and its peak memory, under a limit.

The process is started by a small one (this file as a script), because Linux counts the memory of
the process that starts another as that of the one started.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class Usage(NamedTuple):
    """Of a process: elapsed and CPU seconds, peak memory, and why it has no result (else empty)."""

    seconds: float
    peak_mb: float
    stdout: str = ""
    failure: str = ""
    cpu_s: float = 0.0


def run(command: list[str], limit_s: float = 3600) -> Usage:
    """Run a command in the folder of the project to its end, or kill it at the limit."""
    starter = [sys.executable, "-I", "-S", __file__, str(limit_s), *command]
    ended = subprocess.run(starter, check=True, capture_output=True, text=True, cwd=ROOT)
    measured = json.loads(ended.stderr.splitlines()[-1])
    failure = ""
    if measured["status"] is None:
        failure = f"over {limit_s:g} s"
    elif measured["status"] != 0:
        said = [line.strip() for line in ended.stderr.splitlines()[:-1] if line.strip()]
        failure = f"failed ({measured['status']}): {said[-1] if said else 'without a word'}"
    return Usage(measured["seconds"], measured["peak_mb"], ended.stdout, failure, measured["cpu_s"])


def _start(limit_s: float, command: list[str]) -> None:
    """Run a command with these streams; then a line of JSON on stderr."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    status: int | None
    try:
        status = child.wait(limit_s)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        status = None
    seconds = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = {
        "seconds": seconds,
        "cpu_s": used.ru_utime + used.ru_stime,
        "peak_mb": used.ru_maxrss / 1024,
        "status": status,
    }
    sys.stderr.write(f"\n{json.dumps(told)}\n")


if __name__ == "__main__":
    _start(float(sys.argv[1]), sys.argv[2:])
