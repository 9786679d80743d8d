"""Progress on stderr, for work of more than about a second on a terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING

from widc_arff.cli.habits import is_quiet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.progress import Progress

DELAY_S = 1.0


@contextmanager
def working(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a spinner while the work goes on, or a bar once its steps are counted.

    Parameters
    ----------
    what : str
        The work, in the present participle.

    Yields
    ------
    callable
        To be called with the steps done and the steps in all.
    """
    if not sys.stderr.isatty() or is_quiet():
        yield lambda _done, _total: None
        return
    bar = _Bar(what)
    timer = Timer(DELAY_S, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield bar.update
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


class _Bar:
    """A progress bar that appears when it is started and vanishes when it is stopped."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._done, self._total = 0, 0
        self._progress: Progress | None = None

    def start(self) -> None:
        from rich.console import Console  # noqa: PLC0415 - most calls never need it
        from rich.progress import Progress, TimeElapsedColumn  # noqa: PLC0415

        columns = (*Progress.get_default_columns(), TimeElapsedColumn())
        progress = Progress(*columns, console=Console(stderr=True), transient=True)
        progress.add_task(self._what, total=self._total or None, completed=self._done)
        progress.start()
        self._progress = progress

    def update(self, done: int, total: int) -> None:
        self._done, self._total = done, total
        if self._progress is not None:
            self._progress.update(self._progress.task_ids[0], total=total, completed=done)

    def stop(self) -> None:
        if self._progress is not None:
            self._progress.stop()
