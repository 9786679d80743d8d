"""Time training, reading and predicting as whole processes, beside Weka and Python's learners.

``python tests/benchmarks/suite.py [--shapes ...] [--sizes ...] [-o FOLDER]`` writes a run, its
tables and its plot to FOLDER; ``--report RUN`` makes them again, of a part too; ``--compare OLD
NEW`` tells what became slower.  ``--shapes numeric20,wide200:10k`` bounds the size of a shape;
``--files`` are learned from too.  The repeats of all who work on one file are interleaved.  Who
fails, or takes longer than --limit, is left out at larger sizes; so is who would take more than
twice as long as that if time grew like the rows.  What is not installed is left out.  For Linux.
"""

from __future__ import annotations

import argparse
import compileall
import importlib.util
import json
import math
import os
import platform
import re
import subprocess
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.benchmarks.contenders import PACKAGES  # noqa: E402 - the path comes first
from tests.benchmarks.drawing import png_of  # noqa: E402
from tests.benchmarks.make_data import SHAPES, write  # noqa: E402
from tests.benchmarks.processes import Usage, run  # noqa: E402
from tests.benchmarks.results import (  # noqa: E402
    Cell,
    compared,
    markdown,
    parsed_size,
    read_run,
    shown_size,
)
from tests.weka.installation import JVM_OPTIONS, java, weka_jar  # noqa: E402
from widc_arff.errors import DataError, WidcError, did_you_mean  # noqa: E402
from widc_arff.system.files import text_written_whole, written_whole  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WIDC = [sys.executable, "-m", "widc_arff"]
CONTENDERS = [sys.executable, str(ROOT / "tests" / "benchmarks" / "contenders.py")]
RUNS = ROOT / "tests" / "benchmarks" / "runs"
N_TEST_ROWS = 50_000
OURS = {
    "pessimistic": ["--pruning", "pessimistic"],
    "quantile:32": ["--pruning", "pessimistic", "--cut-points", "quantile:32"],
    "refined": [],
}
WEKA = {"J48": "trees.J48", "JRip": "rules.JRip", "PART": "rules.PART"}
LEARNERS = (*OURS, *WEKA, *PACKAGES)
TASKS = ("training", "reading", "predicting")
LIMIT_S = 120.0
LEFT_OUT = "left out:"
RIGHT_WRONG = ("\nCorrectly", "Incorrectly")
LEAVES_NODES = ("Number of Leaves", "Size of the tree")


class Files(NamedTuple):
    """Rows to learn from, held-out rows, and where models go."""

    shape: str
    rows: int
    training: Path
    test: Path
    folder: Path


def weka(*arguments: str) -> list[str]:
    """Return the command that runs a class of Weka."""
    return [java() or "java", *JVM_OPTIONS, "-cp", str(weka_jar()), *arguments]


def installed(learner: str) -> bool:
    """Tell whether a learner is here."""
    if learner in WEKA:
        return java() is not None and weka_jar() is not None
    return learner in OURS or importlib.util.find_spec(PACKAGES[learner]) is not None


def training(files: Files, learner: str) -> tuple[list[str], list[str]]:
    """Return the command that learns, and the one that prints error and size on held-out rows."""
    data, test = str(files.training), str(files.test)
    model = str(files.folder / f"{learner.replace(':', '')}.json")
    if learner in OURS:
        train = [*WIDC, "train", data, *OURS[learner], "--model", model]
        return train, [*CONTENDERS, "test", model, test]
    if learner in WEKA:
        name = f"weka.classifiers.{WEKA[learner]}"
        return weka(name, "-t", data, "-no-cv", "-d", model), weka(name, "-l", model, "-T", test)
    model = model.replace(".json", ".pickle")
    return [*CONTENDERS, "train", learner, data, model], [*CONTENDERS, "test", model, test]


def error_and_size(learner: str, printed: str) -> tuple[float, int]:
    """Return what a test printed: error as a fraction, and number of conditions."""
    if learner not in WEKA:
        told = json.loads(printed)
        return told["error"], told["size"]
    right, wrong = (int(re.findall(rf"{w} Classified .*?(\d+)", printed)[0]) for w in RIGHT_WRONG)
    model = printed[: printed.index("Time taken")]
    if learner == "J48":
        leaves, nodes = (int(re.findall(rf"{w}.*:\s*(\d+)", model)[0]) for w in LEAVES_NODES)
        size = nodes - leaves
    elif learner == "JRip":
        size = len(re.findall(r"\([^()]* (?:<=|>=|=) [^()]*\)(?= and | =>)", model))
    else:  # PART writes a condition a line
        size = len(re.findall(r" (?:<=|>|=) .*(?: AND|: )", model))
    return wrong / (right + wrong), size


def jobs(task: str, files: Files, learners: list[str]) -> dict[str, list[str]]:
    """Return the commands of a task by who works."""
    data = str(files.training)
    if task == "training":
        return {name: training(files, name)[0] for name in learners}
    if task == "reading":
        # ZeroR learns nothing: of Weka's programs that read a file it is the quickest.
        zero = weka("weka.classifiers.rules.ZeroR", "-t", data, "-no-cv", "-v")
        return {
            "WIDC": [sys.executable, "-c", f"from widc_arff import *; read_arff({data!r})"],
            "liac-arff": [sys.executable, "-c", f"import arff; arff.load(open({data!r}))"],
            **({"Weka": zero} if installed("J48") else {}),
        }
    model = str(files.folder / "twenty-rules.json")
    wanted = ["--pruning", "none", "--max-rules", "20", "--cut-points", "quantile:32"]
    first = str(files.folder / "first-rows.arff")
    with files.training.open("rb") as whole, Path(first).open("wb") as part:
        part.writelines(line for line, _ in zip(whole, range(10_000), strict=False))
    checked(run([*WIDC, "train", first, *wanted, "--model", model]))
    predictions = str(files.folder / "predictions.csv")
    return {
        "predict()": [*CONTENDERS, "predict", model, data],
        "widc-arff predict": [*WIDC, "predict", model, data, "--output", predictions],
    }


def checked(usage: Usage) -> str:
    """Return what a process printed, which must have ended well."""
    if usage.failure:
        raise DataError(usage.failure)
    return usage.stdout


class Suite:
    """Measures cells; remembers who is too slow for larger sizes.

    Parameters
    ----------
    repeats : int
        Of each cell.
    limit_s : float
        Seconds after which a process is ended.
    learners : list of str
        Who is trained.
    run, jobs : callable, optional
        `run` and `jobs` of this module, or others of their kind.
    """

    def __init__(
        self,
        repeats: int,
        limit_s: float,
        learners: list[str],
        run: Callable[[list[str], float], Usage] = run,
        jobs: Callable[[str, Files, list[str]], dict[str, list[str]]] = jobs,
    ) -> None:
        self.repeats = repeats
        self.limit_s = limit_s
        self.learners = learners
        self._run, self._jobs = run, jobs
        self.before: dict[tuple[str, str, str], Cell] = {}

    def measure(self, task: str, files: Files) -> Iterator[Cell]:
        """Yield the cells of a task on one file."""
        load = os.getloadavg()[0]
        commands = self._jobs(task, files, self.learners)
        cells = {}
        for name in commands:
            cell = Cell(task, files.shape, files.rows, name, load=load)
            cells[name] = replace(cell, note=self._reason_against(cell))
        for _ in range(self.repeats):
            for name, command in commands.items():
                if not cells[name].note:
                    cells[name] = self._repeated(cells[name], command)
        for name, cell in cells.items():
            if cell.seconds or not cell.note.startswith(LEFT_OUT):
                self.before[task, files.shape, name] = cell
            if task == "training" and cell.seconds:
                yield self._judged(cell, training(files, name)[1])
            else:
                yield cell

    def _reason_against(self, cell: Cell) -> str:
        """Return why a cell is not measured, by the last one that was, or an empty text."""
        before = self.before.get((cell.task, cell.shape, cell.learner))
        if before is None:
            return ""
        if before.time is None:
            return f"{LEFT_OUT} {before.note} at {shown_size(before.rows)}"
        if before.time * cell.rows / before.rows > 2 * self.limit_s:
            return f"{LEFT_OUT} {before.time:.0f} s at {shown_size(before.rows)}"
        return ""

    def _repeated(self, cell: Cell, command: list[str]) -> Cell:
        usage = self._run(command, self.limit_s)
        if usage.failure:
            return replace(cell, seconds=(), peak_mb=(), note=usage.failure)
        seconds = float(usage.stdout) if cell.learner == "predict()" else usage.seconds
        return cell.with_repeat(seconds, usage.peak_mb)

    def _judged(self, cell: Cell, test: list[str]) -> Cell:
        usage = self._run(test, 10 * self.limit_s)
        if usage.failure:
            return replace(cell, note=f"test {usage.failure}")
        error, size = error_and_size(cell.learner, usage.stdout)
        return replace(cell, error=error, size=size)


def made(shape: str, sizes: list[int], folder: Path) -> Iterator[Files]:
    """Yield files of a shape, from small to large; each is gone when the next is made."""
    test = folder / "test.arff"
    write(shape, N_TEST_ROWS, test, seed=1)
    for n_rows in sorted(sizes):
        data = folder / f"{shape}-{n_rows}.arff"
        write(shape, n_rows, data)
        yield Files(shape, n_rows, data, test, folder)
        data.unlink()


def parted(path: Path, folder: Path) -> Files:
    """Return two thirds of a file's rows to learn from and one third held out, by chance."""
    lines = path.read_bytes().splitlines(keepends=True)
    start = next(i for i, line in enumerate(lines, 1) if line.lower().startswith(b"@data"))
    rows = [line for line in lines[start:] if line.strip() and not line.startswith(b"%")]
    order = np.random.default_rng(0).permutation(len(rows))
    n_training = 2 * len(rows) // 3
    files = Files(path.stem, n_training, folder / "training.arff", folder / "test.arff", folder)
    chosen = ((files.training, order[:n_training]), (files.test, order[n_training:]))
    for part, numbers in chosen:
        picked = (rows[i].rstrip(b"\r\n") + b"\n" for i in numbers)
        part.write_bytes(b"".join([*lines[:start], *picked]))
    return files


def about(options: argparse.Namespace) -> dict[str, Any]:
    """Return where and how a run is measured."""
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    version = ""
    if installed("J48"):
        told = subprocess.run([java() or "java", "-version"], capture_output=True, check=True)
        version = told.stderr.decode().splitlines()[0]
    return {
        "started": datetime.now().astimezone().isoformat(timespec="seconds"),
        "machine": {
            "cpu": cpu[1] if cpu else platform.processor(),
            "cores": os.cpu_count(),
            "Python": platform.python_version(),
            "numpy": np.__version__,
            "java": version,
        },
        "load": os.getloadavg(),
        "repeats": options.repeats,
        "limit_s": options.limit,
        "absent": [name for name in LEARNERS if not installed(name)],
    }


def measure(options: argparse.Namespace) -> Path:
    """Measure all that is asked for; return the file of the run, which grows line by line."""
    options.output.mkdir(parents=True, exist_ok=True)
    # as an installation does; where byte code may not be written, each run would compile anew
    compileall.compile_dir(ROOT / "widc_arff", quiet=1)
    if options.packages is not None:
        sys.path.append(str(options.packages.resolve()))
        os.environ["PYTHONPATH"] = sys.path[-1]
    learners = [name for name in options.learners if installed(name)]
    suite = Suite(options.repeats, options.limit, learners)
    told = about(options)
    path: Path = options.output / f"{told['started'].replace(':', '')}.jsonl"
    path.write_text(json.dumps(told) + "\n", encoding="utf-8")
    with TemporaryDirectory() as name:
        folder = Path(name)
        for shape, most in options.shapes.items():
            for files in made(shape, [size for size in options.sizes if size <= most], folder):
                _append(path, suite, files, options.tasks)
        for file in options.files:
            _append(path, suite, parted(file.resolve(), folder), options.tasks)
    return path


def _append(path: Path, suite: Suite, files: Files, tasks: list[str]) -> None:
    for task in tasks:
        for cell in suite.measure(task, files):
            with path.open("a", encoding="utf-8") as stream:
                stream.write(cell.to_line())
            seen = f"{cell.time:.2f} s, {cell.memory:.0f} MB" if cell.time else cell.note
            sys.stderr.write(f"{task} {files.shape} {files.rows:,} {cell.learner}: {seen}\n")


def report(path: Path, options: argparse.Namespace) -> None:
    """Write the tables and the plot of a run beside it, and print the tables."""
    stored = read_run(path).only(list(options.shapes), options.sizes, options.learners)
    folder = path if path.is_dir() else path.parent
    text = markdown(stored)
    with text_written_whole(folder / "benchmarks.md") as stream:
        stream.write(text)
    with written_whole(folder / "benchmarks.png") as file:
        file.write(png_of(stored, (*OURS, "WIDC", "predict()", "widc-arff predict")))
    sys.stdout.write(text)


def choice(names: tuple[str, ...]) -> Callable[[str], list[str]]:
    """Return a parser of names joined by commas."""

    def parse(text: str) -> list[str]:
        chosen = [name.strip() for name in text.split(",")]
        for name in chosen:
            if name not in names:
                expected = f"expected some of {', '.join(names)}, got {name!r}"
                raise argparse.ArgumentTypeError(expected + did_you_mean(name, names))
        return chosen

    return parse


def sizes(text: str) -> list[int]:
    """Return numbers of rows joined by commas."""
    try:
        return [parsed_size(part) for part in text.split(",")]
    except DataError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def shapes(text: str) -> dict[str, float]:
    """Return the largest size of each shape: ``numeric20,wide200:10k``."""
    parts = [part.partition(":") for part in text.split(",")]
    names = choice(tuple(SHAPES))(",".join(name for name, _, _ in parts))
    most = [sizes(size)[0] if colon else math.inf for _, colon, size in parts]
    return dict(zip(names, most, strict=True))


def parsed(arguments: list[str]) -> argparse.Namespace:
    """Return the options of the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shapes", type=shapes, default={})
    parser.add_argument("--sizes", type=sizes, default=[], help="default: 1k,10k,100k,1M")
    parser.add_argument("--learners", type=choice(LEARNERS), default=[])
    parser.add_argument("--tasks", type=choice(TASKS), default=list(TASKS))
    parser.add_argument("--files", type=Path, nargs="+", default=[], help="ARFF, class last")
    parser.add_argument("--packages", type=Path, help="folder of pip install --target, for others")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--limit", type=float, default=LIMIT_S, help="seconds of each process")
    parser.add_argument(
        "-o", "--output", type=Path, default=RUNS, help="default: runs/ beside this"
    )
    parser.add_argument("--report", type=Path, metavar="RUN", help="only tables and plot")
    parser.add_argument("--compare", type=Path, nargs=2, metavar=("OLD", "NEW"))
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Measure, report or compare; the status is 1 where something became slower."""
    options = parsed(arguments)
    try:
        if options.compare:
            text, slower = compared(*map(read_run, options.compare))
            sys.stdout.write(text)
            sys.stdout.write(f"slower than 1.25 times: {', '.join(slower) or 'none'}\n")
            return int(bool(slower))
        path = options.report
        if path is None:
            if not options.files:
                options.shapes = options.shapes or dict.fromkeys(SHAPES, math.inf)
            options.sizes = options.sizes or sizes("1k,10k,100k,1M")
            options.learners = options.learners or list(LEARNERS)
            path = measure(options)
            options.shapes, options.sizes, options.learners = {}, [], []
        report(path, options)
    except (WidcError, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
