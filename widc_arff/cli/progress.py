"""Progress on stderr: on a terminal after about a second, elsewhere one line after ten."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING

import click

from widc_arff.cli.every_command import is_quiet
from widc_arff.errors import counted_in_words, for_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rich.progress import Progress

    from widc_arff.model.literals import Literal, Monomial
    from widc_arff.observer import Observer

DELAY_S = 1.0
LINE_DELAY_S = 10.0


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
    with _shown(what) as bar:
        yield (lambda _done, _total: None) if bar is None else bar.update


@contextmanager
def working_through(what: str) -> Iterator[Callable[[int], None]]:
    """Show a spinner while the work goes through rows, and how many it has done.

    Yields
    ------
    callable
        To be called with the rows done so far.
    """
    with _shown(what) as bar:
        yield lambda n_rows: bar.add(counted_in_words(n_rows, "row")) if bar else None


@contextmanager
def learning(n_samples: int, n_labels: int = 0) -> Iterator[Observer | None]:
    """Show how far an induction has come: the rules grown, or what refined pruning came to.

    Parameters
    ----------
    n_samples : int
        Rows.
    n_labels : int
        Labels of a row that can have several.

    Yields
    ------
    Observer or None
        For `induce`; None where nothing is shown.
    """
    of_labels = f" and {n_labels:,} labels" if n_labels else ""
    with _shown(f"learning from {counted_in_words(n_samples, 'row')}{of_labels}") as bar:
        yield None if bar is None else Watcher(bar.add)


@contextmanager
def _shown(what: str) -> Iterator[_Bar | None]:
    if is_quiet():
        yield None
        return
    bar = _Bar(what) if sys.stderr.isatty() else None
    timer = Timer(LINE_DELAY_S, _tell, [what]) if bar is None else Timer(DELAY_S, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield bar
    finally:
        timer.cancel()
        timer.join()
        if bar is not None:
            bar.stop()


def _tell(what: str) -> None:
    click.echo(f"widc-arff: still {what} after {LINE_DELAY_S:.0f} seconds", err=True)


class Watcher:
    """An observer that shows how far the induction has come.

    Parameters
    ----------
    show : callable
        Shows a short text in the place of the one before.
    """

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show

    def tried(self, rule: int, chain: Monomial, literal: Literal, z: tuple[float, float]) -> None:
        """Hear of a literal."""

    def grown(self, rule: int, monomial: Monomial) -> None:  # noqa: ARG002 - the protocol's
        """Hear of a rule."""
        self._show(counted_in_words(rule, "rule"))

    def refined(self, how: str, sizes: Sequence[int], bits: float, *, kept: bool) -> None:  # noqa: ARG002
        """Hear what refined pruning came to."""
        if kept:
            rules = counted_in_words(len(sizes), "rule")
            self._show(f"refining {rules}, {counted_in_words(sum(sizes), 'condition')}")

    def voted(self, rule: int, monomial: Monomial, votes: Sequence[int]) -> None:
        """Hear of a vector."""

    def removed(self, rule: int, error: float) -> None:
        """Hear of a removal."""

    def kept(self, rules: Sequence[int]) -> None:
        """Hear of the end."""


class _Bar:
    """A progress bar that appears when it is started and vanishes when it is stopped."""

    def __init__(self, what: str) -> None:
        self._what, self._news = for_terminal(what), ""
        self._done, self._total = 0, 0
        self._progress: Progress | None = None

    def start(self) -> None:
        from rich.console import Console  # noqa: PLC0415 - most calls never need it
        from rich.progress import Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

        _, *others = Progress.get_default_columns()
        what = TextColumn("{task.description}", markup=False)  # names of files are plain text
        console = Console(stderr=True)
        progress = Progress(what, *others, TimeElapsedColumn(), console=console, transient=True)
        progress.add_task(self._what + self._news, total=self._total or None, completed=self._done)
        progress.start()
        self._progress = progress

    def add(self, news: str) -> None:
        """Tell news beside the work."""
        self._news = f": {news}"
        if self._progress is not None:
            task = self._progress.task_ids[0]
            self._progress.update(task, description=self._what + self._news)

    def update(self, done: int, total: int) -> None:
        self._done, self._total = done, total
        if self._progress is not None:
            self._progress.update(self._progress.task_ids[0], total=total, completed=done)

    def stop(self) -> None:
        if self._progress is not None:
            self._progress.stop()
