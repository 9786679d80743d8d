"""The command ``python -m tests.reproduction``."""

from __future__ import annotations

import shlex
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from warnings import warn

import click

from tests.reproduction.execution import execute
from tests.reproduction.report import PARTS, Setting, document, sections, write
from tests.reproduction.results import Results
from tests.reproduction.runs import RunFile
from tests.reproduction.statistics import require
from widc_arff.cli import main as run
from widc_arff.cli.cluster import dask_option, workers_at
from widc_arff.cli.every_command import is_quiet, quiet_option
from widc_arff.cli.jobs import jobs_option
from widc_arff.cli.progress import working
from widc_arff.errors import WidcError, WidcWarning
from widc_arff.system.processes import number_of_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.reproduction.learners import OtherLearners

LINE_EVERY_S = 30.0
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.command("reproduction", context_settings=CONTEXT)
@click.argument("what", metavar="WHAT", type=click.Choice(PARTS))
@click.option(
    "-o", "--output", metavar="DIR", required=True, help="Folder for runs, tables and plots."
)
@click.option(
    "--data",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of ARFF files, named as the domains of Table 1; its folder `extra` counts too.",
)
@click.option(
    "--repeats",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    metavar="N",
    help="Number of rounds of folds for the tables.",
)
@click.option(
    "--samples",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    metavar="N",
    help="Samples of XD6 for figures 1 and 2; a fifth of them per level of figure 4.",
)
@jobs_option("Runs", None)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    metavar="N",
    help="Seed of the folds and of the samples.",
)
@dask_option
@click.option("--weka-jar", metavar="FILE", help="By default WEKA_JAR or python-weka-wrapper3's.")
def command(
    what: str,
    output: str,
    data: Path | None,
    repeats: int,
    samples: int,
    jobs: int | None,
    dask: str | None,
    seed: int,
    weka_jar: str | None,
) -> None:
    """Run the paper's tables and figures again, or a study of what it leaves open.

    WHAT is table1, table2, figure1, figure2, figure4, study, or all (all but the study).  DIR
    receives a report as HTML and Markdown, the plots, and runs.jsonl with a line per finished run.
    If the command was interrupted, the same command continues.
    """
    require("matplotlib")
    require("scipy")
    setting = Setting(what, data, repeats, samples, seed)
    parts = sections(setting)
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    runs = RunFile(folder / "runs.jsonl")
    others, reason = _weka(weka_jar)
    try:
        with _progress() as step:
            tasks = [task for part in parts for task in part.tasks()]
            if dask is None:
                execute(tasks, runs, others, jobs=jobs or -1, on_progress=step)
            else:
                with workers_at(dask) as crew, crew.executor() as executor:
                    n_jobs = number_of_jobs(jobs or -1, crew.n_threads)
                    execute(tasks, runs, others, jobs=n_jobs, on_progress=step, executor=executor)
    finally:
        if others is not None:
            others.close()
    results = Results(runs, {} if others is None else others.versions)
    blocks = document(
        setting, parts, results, command=_command_line(setting, output), without_others=reason
    )
    name = "report" if what == "all" else what
    for path in write(blocks, folder, name):
        click.echo(path)


def _weka(weka_jar: str | None) -> tuple[OtherLearners | None, str]:
    """Return Weka's classifiers, or why they are not there; a jar that was named must be."""
    from tests.reproduction.weka_learners import WekaLearners

    try:
        return WekaLearners(None if weka_jar is None else Path(weka_jar)), ""
    except WidcError as error:
        if weka_jar is not None:
            raise
        reason = str(error)
    warn(f"without Weka's classifiers: {reason}", WidcWarning, stacklevel=2)
    return None, reason


def _command_line(setting: Setting, output: str) -> str:
    words = ["python", "-m", "tests.reproduction", setting.part, "-o", output]
    if setting.data is not None:
        words += ["--data", str(setting.data)]
    for name in ("repeats", "samples", "seed"):
        words += [f"--{name}", str(getattr(setting, name))]
    return shlex.join(words)


@contextmanager
def _progress() -> Iterator[Callable[[float, float], None]]:
    """Show a bar with the time left on a terminal, else a line on stderr now and then."""
    if sys.stderr.isatty():
        with working("reproducing") as step:
            yield lambda done, total: step(int(done), int(total))
        return
    start = last = time.monotonic()
    first: float | None = None

    def tell(done: float, total: float) -> None:
        nonlocal last, first
        now = time.monotonic()
        first = done if first is None else first
        if now - last < LINE_EVERY_S or done <= first or is_quiet():
            return
        last = now
        left_s = (now - start) * (total - done) / (done - first)
        click.echo(
            f"widc-arff: {100 * done / total:.0f} % done, about {left_s / 60:.0f} min left",
            err=True,
        )

    yield tell


command.params.append(quiet_option())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    return run(arguments, command, "python -m tests.reproduction")
