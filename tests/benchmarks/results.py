"""Stored runs of the benchmarks: their lines, tables, plot, claims, and how two runs compare.

A run is a file of JSON lines: first where and how it was measured, then a line for each cell.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, replace
from statistics import median
from typing import TYPE_CHECKING, Any

from tests.benchmarks.make_data import SHAPES
from widc_arff.errors import DataError
from widc_arff.reports.as_markdown import table_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

SLOWER = 1.25
"""A cell that takes more than so many times its earlier time is named."""
UNITS = {"": 1, "k": 1_000, "M": 1_000_000}

LAST_COLUMNS = {"training": ["test error %", "conditions"]}
"""Other tasks tell how many rows they do in a second."""

Key = tuple[str, str, int, str]


def parsed_size(text: str) -> int:
    """Return a number of rows: ``500``, ``10k``, ``1M``."""
    found = re.fullmatch(r"([1-9]\d*)([kM]?)", text.strip())
    if not found:
        raise DataError(f"sizes: expected numbers of rows such as 500, 10k or 1M, got {text!r}")
    return int(found[1]) * UNITS[found[2]]


def shown_size(n_rows: int) -> str:
    """Return a number of rows as `parsed_size` takes it."""
    unit = next(u for u in ("M", "k", "") if n_rows % UNITS[u] == 0)
    return f"{n_rows // UNITS[unit]}{unit}"


@dataclass(frozen=True, slots=True)
class Cell:
    """What was measured of one learner on one file.

    Parameters
    ----------
    task : str
        ``training``, ``reading`` or ``predicting``.
    shape, rows, learner
        Of the data, and who worked on them.
    seconds, peak_mb : tuple of float
        Of each repeat; none where `note` says why.
    error : float or None
        On held-out rows, a fraction in [0, 1].
    size : int or None
        Number of conditions: literals of rules, inner nodes of trees.
    note : str
        Why there is no result.
    load : float
        Load average of a minute, before the cell's first repeat.
    """

    task: str
    shape: str
    rows: int
    learner: str
    seconds: tuple[float, ...] = ()
    peak_mb: tuple[float, ...] = ()
    error: float | None = None
    size: int | None = None
    note: str = ""
    load: float = 0.0

    @property
    def key(self) -> Key:
        """What tells cells of a run apart."""
        return self.task, self.shape, self.rows, self.learner

    @property
    def time(self) -> float | None:
        """Median of the seconds."""
        return median(self.seconds) if self.seconds else None

    @property
    def memory(self) -> float | None:
        """Median of the peaks of memory in MB."""
        return median(self.peak_mb) if self.peak_mb else None

    def with_repeat(self, seconds: float, peak_mb: float) -> Cell:
        """Return the cell with one more repeat."""
        return replace(
            self, seconds=(*self.seconds, seconds), peak_mb=(*self.peak_mb, peak_mb), note=""
        )

    def to_line(self) -> str:
        """Return the cell as a line of JSON."""
        return json.dumps(asdict(self)) + "\n"


@dataclass(frozen=True, slots=True)
class Run:
    """A stored run.

    Parameters
    ----------
    about : dict
        Machine, versions, start, load averages, options.
    cells : tuple of Cell
        In the order in which they were measured.
    """

    about: dict[str, Any]
    cells: tuple[Cell, ...]

    @property
    def by_key(self) -> dict[Key, Cell]:
        """Each cell by its key; of cells measured twice the later one."""
        return {cell.key: cell for cell in self.cells}

    def only(self, shapes: Sequence[str], sizes: Sequence[int], learners: Sequence[str]) -> Run:
        """Return the run with some cells; an empty choice is all."""
        wanted = (shapes, sizes, learners)
        cells = tuple(
            cell
            for cell in self.cells
            if all(
                not choice or value in choice
                for choice, value in zip(wanted, cell.key[1:], strict=True)
            )
        )
        return replace(self, cells=cells)


def read_run(path: Path) -> Run:
    """Return the run of a file, or the newest of a folder."""
    if path.is_dir():
        files = sorted(path.glob("*.jsonl"))
        if not files:
            raise DataError(f"{path}: expected a run (*.jsonl) in the folder, found none")
        path = files[-1]
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        about, *cells = [json.loads(line) for line in lines]
        for cell in cells:
            cell.update(seconds=tuple(cell["seconds"]), peak_mb=tuple(cell["peak_mb"]))
        return Run(about, tuple(Cell(**cell) for cell in cells))
    except (ValueError, TypeError, KeyError) as error:
        message = f"{path}: expected the lines of a run of this suite ({error})"
        raise DataError(message) from error


def compared(old: Run, new: Run) -> tuple[str, list[str]]:
    """Return the ratios of new to old as text, and the names of cells that became slower."""
    lines = []
    slower = []
    if old.about.get("machine") != new.about.get("machine"):
        lines.append("The machines or versions differ: ratios tell of both.")
    before = old.by_key
    for key, cell in new.by_key.items():
        earlier = before.get(key)
        if earlier is None or earlier.time is None or earlier.memory is None:
            continue
        name = " ".join((cell.task, cell.shape, shown_size(cell.rows), cell.learner))
        if cell.time is None or cell.memory is None:
            lines.append(f"{name:<48}{cell.note}")
            slower.append(name)
            continue
        ratio = cell.time / earlier.time
        if ratio > SLOWER:
            slower.append(name)
        lines.append(
            f"{name:<48}time x{ratio:<6.2f} memory x{cell.memory / earlier.memory:<6.2f}"
            + ("SLOWER" if ratio > SLOWER else "")
        )
    return "".join(f"{line}\n" for line in lines), slower


@dataclass(frozen=True, slots=True)
class Claim:
    """A bound on what a cell shows, alone or beside another.

    Parameters
    ----------
    measure : str
        ``time``, ``memory`` or ``error`` of a cell.
    key : tuple
        Of the cell.
    most : float
        The bound.
    beside : tuple or None
        Of the other cell: times and memory are divided by its, errors are subtracted.
    """

    measure: str
    key: Key
    most: float
    beside: Key | None = None

    @property
    def text(self) -> str:
        """What is claimed."""
        of = _named(self.key)
        if self.beside is not None:
            joint = " minus " if self.measure == "error" else " / "
            of += joint + _named(self.beside)
        return f"{self.measure} of {of}"

    def value(self, cells: dict[Key, Cell]) -> float | None:
        """Return what was measured, None where a cell is not there."""
        own = getattr(cells.get(self.key), self.measure, None)
        if own is None or self.beside is None:
            return own
        other = getattr(cells.get(self.beside), self.measure, None)
        if other is None:
            return None
        return float(own - other if self.measure == "error" else own / other)


def _named(key: Key) -> str:
    task, shape, rows, learner = key
    return f"{learner} ({task}, {shape}, {shown_size(rows)})"


def claims_for(cells: Iterable[Cell]) -> list[Claim]:
    """Return the bounds that are wanted; on given files: none slower than JRip."""
    hundred, million = 100_000, 1_000_000

    def at(learner: str, rows: int = hundred, task: str = "training") -> Key:
        return task, "numeric20", rows, learner

    claims = []
    for ours in ("pessimistic", "quantile:32"):
        claims += [
            Claim("time", at(ours), 0.4, at("J48")),
            Claim("time", at(ours), 0.04, at("JRip")),
        ]
    claims.append(Claim("time", at("refined"), 0.8, at("J48")))
    claims += [Claim("error", at("refined"), 0.003, at(other)) for other in ("J48", "JRip")]
    for ours in ("pessimistic", "quantile:32", "refined"):
        claims += [
            Claim("time", at(ours, million), 12, at(ours)),
            Claim("memory", at(ours, million), 1500),
        ]
    reading = at("WIDC", task="reading")
    claims += [
        Claim("time", reading, 0.5, at("Weka", task="reading")),
        Claim("time", reading, 0.25, at("liac-arff", task="reading")),
        *(Claim("time", at("predict()", n, "predicting"), n / million) for n in (hundred, million)),
    ]
    claims += [
        Claim("time", cell.key, 1, (*cell.key[:3], "JRip"))
        for cell in cells
        if cell.shape not in SHAPES and cell.learner in {"pessimistic", "refined"}
    ]
    return claims


def markdown(run: Run) -> str:
    """Return the tables of a run: a line for each cell, then the claims."""
    machine = "; ".join(f"{key}: {value}" for key, value in run.about["machine"].items())
    load = ", ".join(f"{load:.1f}" for load in run.about["load"])
    when = f"Measured {run.about['started']}, medians of {run.about['repeats']}; "
    absent = ", ".join(run.about.get("absent", []))
    left_out = f"; not installed: {absent}" if absent else ""
    lines = [f"{when}{machine}; load averages at the start: {load}{left_out}.", ""]
    for task in dict.fromkeys(cell.task for cell in run.cells):
        heads = ["data", "rows", "", "seconds", "peak MB", *LAST_COLUMNS.get(task, ["rows/s"])]
        rule = "|---|---:|---|" + "---:|" * (len(heads) - 3)
        lines += [f"**{task}**", "", table_row(heads), rule]
        lines += [_line(cell) for cell in run.by_key.values() if cell.task == task]
        lines.append("")
    verdicts = _verdicts(run)
    if verdicts:
        lines += [
            "**wanted**",
            "",
            "| | measured | at most | |",
            "|---|---:|---:|---|",
            *verdicts,
            "",
        ]
    return "\n".join(lines)


def _verdicts(run: Run) -> list[str]:
    """Return a line of the table for each claim that the run can judge."""
    cells = run.by_key
    lines = []
    for claim in claims_for(cells.values()):
        value = claim.value(cells)
        if value is not None:
            verdict = "yes" if value <= claim.most else "NO"
            lines.append(f"| {claim.text} | {value:.3g} | {claim.most:g} | {verdict} |")
    return lines


def _line(cell: Cell) -> str:
    last = [f"{cell.rows / cell.time:,.0f}" if cell.time else ""]
    if cell.task in LAST_COLUMNS:
        percent = None if cell.error is None else 100 * cell.error
        last = [_text(percent, ".2f"), _text(cell.size, "d")]
    time = _text(cell.time, ".3g" if cell.time is None or cell.time < 1000 else ".0f")
    cells = [cell.shape, shown_size(cell.rows), cell.learner, time, _text(cell.memory, ".0f")]
    if cell.time is None:
        cells[3] = cell.note
    return table_row([*cells, *last])


def _text(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)
