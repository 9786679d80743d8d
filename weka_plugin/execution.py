"""Runs an experiment of Weka in Java processes of its own, one or several at a time.

Several share the data sets; where these are fewer, the runs too.  Each part is an experiment in a
folder of its own, and the rows of all come together in the order of a single one.
"""

from __future__ import annotations

import os
import re
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from weka_plugin.experiment_file import experiment_xml
from widc_arff.errors import WidcError
from widc_arff.system.processes import end, start_attended

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from weka_plugin.schemes import Scheme
    from widc_arff.system.processes import Process

JVM_OPTIONS = (
    "-Duser.timezone=UTC",
    "-Dfile.encoding=UTF-8",
    "-Dweka.packageManager.offline=true",
    "-Djava.awt.headless=true",
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
)
_PAUSE_S = 0.2

_REFUSAL = re.compile(r"^Warning: error invoking method.*?\)$", re.MULTILINE | re.DOTALL)
_FAULT = re.compile(r"^(?!\s).*(?:xception|rror).*(?:\n(?![\t\n]).*){0,9}", re.MULTILINE)
"""What Weka prints of an exception: a message of several lines; those of the trace are indented."""


@dataclass(frozen=True, slots=True)
class Plan:
    """An experiment: all schemes on all data sets, in runs of folds.

    Parameters
    ----------
    datasets : tuple of Path
        ARFF files with the class last.
    schemes : tuple of Scheme
        What is compared.
    runs : range
        Numbers of the runs, which are seeds.
    folds : int
        Of each run.
    """

    datasets: tuple[Path, ...]
    schemes: tuple[Scheme, ...]
    runs: range
    folds: int

    @property
    def n_results(self) -> int:
        """How many rows of results it makes."""
        return len(self.datasets) * len(self.schemes) * len(self.runs) * self.folds

    def write(self, path: Path, raw: Path) -> None:
        """Write the file of the experiment, whose results go to `raw`."""
        text = experiment_xml(self.datasets, self.schemes, raw, self.runs, self.folds)
        path.write_text(text, encoding="utf-8")

    def parts(self, jobs: int) -> list[Plan]:
        """Return plans that make the same results, `jobs` or more of them if there are as many."""
        if jobs == 1:
            return [self]
        n_chunks = min(len(self.runs), -(-jobs // len(self.datasets)))
        ends = [len(self.runs) * i // n_chunks for i in range(n_chunks + 1)]
        return [
            Plan((path,), self.schemes, self.runs[start:stop], self.folds)
            for path in self.datasets
            for start, stop in pairwise(ends)
        ]


def run_plan(
    plan: Plan,
    command: Sequence[str],
    folder: Path,
    jobs: int,
    on_result: Callable[[int, int], None] | None,
) -> Path:
    """Run an experiment and return the CSV file with its results.

    Parameters
    ----------
    plan : Plan
        The experiment.
    command : sequence of str
        Java with Weka's experiment; its options follow.
    folder : Path
        For files under way.
    jobs : int
        Java processes at a time, from 1.
    on_result : callable or None
        Called from time to time with the number of results so far and in all.

    Raises
    ------
    WidcError
        If Weka fails.
    """
    parts = [_Part(part, folder / f"part-{number}") for number, part in enumerate(plan.parts(jobs))]
    waiting, running = parts[:], list[_Part]()
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                running.append(waiting.pop(0).started(command))
            time.sleep(_PAUSE_S)
            if on_result is not None:
                on_result(sum(part.n_rows() for part in parts), plan.n_results)
            for part in [part for part in running if part.has_ended()]:
                running.remove(part)
                part.check()
    finally:
        for part in running:
            part.end()
    return _together(plan, parts, folder / "results.csv")


class _Part:
    """An experiment in a process."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        folder.mkdir()
        self.plan = plan
        self.raw = folder / "results.csv"
        self._file = folder / "experiment.xml"
        self._log = folder / "log.txt"
        self._lines = _LineCounter(self.raw)
        self._process: Process | None = None

    def started(self, command: Sequence[str]) -> _Part:
        self.plan.write(self._file, self.raw)
        environment = {**os.environ, "WIDC_PYTHON": os.environ.get("WIDC_PYTHON", sys.executable)}
        with self._log.open("wb") as log:
            self._process = start_attended(
                [*command, "-l", str(self._file), "-r"],
                stdout=log,
                stderr=log,
                cwd=self._log.parent,
                env=environment,
            )
        return self

    def has_ended(self) -> bool:
        return self._process is not None and self._process.poll() is not None

    def end(self) -> None:
        if self._process is not None:
            end(self._process)

    def n_rows(self) -> int:
        return max(self._lines.count() - 1, 0)

    def check(self) -> None:
        """Tell why Weka has failed, if it has; what it printed is told only then."""
        self.end()
        assert self._process is not None
        printed = self._log.read_text(encoding="utf-8", errors="replace")
        # Weka goes on with a scheme's defaults when it does not take the options.
        refused = _REFUSAL.findall(printed)
        if refused or self._process.returncode != 0 or self.n_rows() < self.plan.n_results:
            told = [line for line in printed.splitlines() if line.strip()]
            reasons = refused or _FAULT.findall(printed) or told[-3:]
            in_lines = dict.fromkeys(" ".join(reason.split()) for reason in reasons)  # each once
            raise WidcError("Weka could not run the experiment: " + "; ".join([*in_lines][:3]))


def _together(plan: Plan, parts: Sequence[_Part], path: Path) -> Path:
    """Write the rows of all parts in the order of a single one: by data set, scheme and run."""
    if len(parts) == 1:
        return parts[0].raw
    heads, rows = set(), dict[tuple[int, int, int], list[str]]()
    parts_of_each = len(parts) // len(plan.datasets)
    for number, part in enumerate(parts):
        head, *lines = part.raw.read_text(encoding="utf-8").splitlines(keepends=True)
        heads.add(head)
        n_rows = len(part.plan.runs) * plan.folds
        if len(lines) != part.plan.n_results:
            raise WidcError(f"{part.raw}: expected {part.plan.n_results} lines, got {len(lines)}")
        for scheme in range(len(plan.schemes)):
            key = (number // parts_of_each, scheme, number)
            rows[key] = lines[scheme * n_rows : (scheme + 1) * n_rows]
    if len(heads) > 1:
        raise WidcError("expected the same measures on all data sets, got others: use one job")
    with path.open("w", encoding="utf-8", newline="") as stream:
        stream.writelines(chain(heads, _in_order(rows)))
    return path


def _in_order(rows: dict[tuple[int, int, int], list[str]]) -> Iterator[str]:
    for key in sorted(rows):
        yield from rows[key]


class _LineCounter:
    """Counts the lines of a file that grows, reading each part once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = 0
        self._lines = 0

    def count(self) -> int:
        with suppress(FileNotFoundError), self._path.open("rb") as stream:
            stream.seek(self._read)
            new = stream.read()
            self._read += len(new)
            self._lines += new.count(b"\n")
        return self._lines
