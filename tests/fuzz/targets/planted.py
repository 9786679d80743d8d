"""Faults on purpose: every kind of finding once, each for inputs that hold an ``x`` after an ``a``.

The fuzz must find all of them, go on, and cut the inputs down to ``ax``.
"""

from __future__ import annotations

import os
import signal
import warnings
from typing import TYPE_CHECKING

from tests.fuzz.findings import DifferenceError, inspect_text
from widc_arff.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.fuzz.drawing import Draw


def draw(draw: Draw) -> bytes:
    """Return some letters."""
    return bytes(draw.choices(b"abcdefgx", k=12))


def _raise_exception() -> None:
    raise KeyError("a")


def _hang() -> None:
    while True:
        pass


def _hang_beyond_python() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPROF})
    _hang()


def _crash() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def _take_memory() -> None:
    bytearray(1 << 31)


def _warn() -> None:
    warnings.warn("overflow", RuntimeWarning, stacklevel=1)


def _tell_control_characters() -> None:
    inspect_text("expected a text, got \x1b[31m")


def _tell_without_end() -> None:
    inspect_text("expected a text, got " + "a" * 100_000)


def _differ() -> None:
    raise DifferenceError("two ways", "1 and 2")


def _planted(fault: Callable[[], None]) -> Callable[[bytes, Path], bool]:
    def check(data: bytes, folder: Path) -> bool:
        if b"a" in data and b"x" in data[data.index(b"a") :]:
            fault()
        if data.startswith(b"b"):
            raise DataError("expected another letter, got 'b'")
        return True

    return check


_FAULTS = {
    "exception": _raise_exception,
    "hang": _hang,
    "hang-beyond-python": _hang_beyond_python,
    "crash": _crash,
    "memory": _take_memory,
    "warning": _warn,
    "control": _tell_control_characters,
    "long": _tell_without_end,
    "difference": _differ,
}
FAULTS = [(name, _planted(fault)) for name, fault in _FAULTS.items()]
