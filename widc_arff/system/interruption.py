"""What ends the program from outside, such as Ctrl-C: one exception and one exit status."""

from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

SIGNALS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "hung up"}
"""What they do to the program; not every system has them all."""

GRACE_S = 2.0
"""For so long after a signal further ones are not heeded: the program is ending."""


class Interruption(KeyboardInterrupt):
    """The program is to end.

    Parameters
    ----------
    number : int
        Of the signal.
    """

    def __init__(self, number: int = signal.SIGINT) -> None:
        super().__init__()
        self.number = signal.Signals(number)

    @classmethod
    def behind(cls, error: BaseException | None) -> Interruption | None:
        """Return the interruption that an error is, or comes from, or None."""
        while error is not None:
            if isinstance(error, cls):
                return error
            if isinstance(error, KeyboardInterrupt):  # before ours are raised
                return cls()
            error = error.__cause__ or error.__context__
        return None

    @property
    def status(self) -> int:
        """The exit status, as a shell tells it."""
        return 128 + self.number

    def __str__(self) -> str:
        """Return what happened, in a word."""
        return SIGNALS.get(self.number.name, "interrupted")


def raise_interruptions() -> None:
    """Raise `Interruption` in the main thread for each of the signals that is not ignored."""
    last = -GRACE_S

    def stop(number: int, _frame: FrameType | None) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= GRACE_S:
            last = now
            raise Interruption(number)

    for name in SIGNALS:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) not in (signal.SIG_IGN, None):
            signal.signal(number, stop)
