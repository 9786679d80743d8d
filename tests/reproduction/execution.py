"""Make the runs that a file does not hold yet, several at a time."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING

from tests.reproduction.runs import fingerprint_of, other_run, widc_run
from widc_arff.arff.writer import write_arff
from widc_arff.system.processes import Pool, as_finished, number_of_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from concurrent.futures import Executor

    from tests.reproduction.learners import OtherLearners
    from tests.reproduction.problems import StudyProblem
    from tests.reproduction.runs import Run, RunFile, Task

    Progress = Callable[[float, float], None]


def execute(
    tasks: Iterable[Task],
    runs: RunFile,
    others: OtherLearners | None = None,
    *,
    jobs: int = 1,
    on_progress: Progress | None = None,
    executor: Executor | None = None,
) -> None:
    """Make the runs that are missing, the longest first.

    Parameters
    ----------
    tasks : iterable of Task
        A task may occur twice; those of Weka are passed over without `others`.
    runs : RunFile
        Where each run is added when it is finished.
    others : OtherLearners, optional
        Weka's classifiers.
    jobs : int
        Runs at a time; -1 for one per processor, as `number_of_jobs` has it.
    on_progress : callable, optional
        Called with the work done and all work, in the unit of `Task.cost`.
    executor : Executor, optional
        Makes our own runs in place of processes, on other machines for example.

    Raises
    ------
    WidcError
        If a process dies, for want of memory for example.
    """
    versions = others.versions if others else {}
    wanted = {
        fingerprint_of(task, versions): task for task in tasks if others or not task.learner.scheme
    }
    done = total = 0.0
    missing = {}
    for mark, task in wanted.items():
        total += task.cost
        known = runs.get(mark)
        if known is None or known.fault:  # a fault may have gone, such as want of memory
            missing[mark] = task
        else:
            done += task.cost
    order = sorted(missing, key=lambda mark: missing[mark].cost, reverse=True)
    with TemporaryDirectory() as folder:
        files = _Files(Path(folder))
        work = [(mark, missing[mark]) for mark in order]
        with closing(_finished(work, others, files, number_of_jobs(jobs), executor)) as finished:
            for run in finished:
                runs.add(run)
                done += missing[run.fingerprint].cost
                if on_progress is not None:
                    on_progress(done, total)


def _finished(
    work: list[tuple[str, Task]],
    others: OtherLearners | None,
    files: _Files,
    jobs: int,
    executor: Executor | None,
) -> Generator[Run, None, None]:
    """Yield the runs as they are finished."""
    if jobs == 1 and executor is None:
        for mark, task in work:
            yield _make(mark, task, others, files, widc_run)
        return
    pool = Pool(widc_run)
    call = pool.call if executor is None else partial(_call_elsewhere, executor)

    def make(task: tuple[str, Task]) -> Run:
        return _make(*task, others, files, call)

    def close() -> None:
        pool.close()
        if others is not None:
            others.close()

    with closing(as_finished(make, work, jobs, close)) as finished:
        for _, run in finished:
            yield run


def _call_elsewhere(executor: Executor, task: Task, mark: str) -> Run:
    return executor.submit(widc_run, task, mark).result()


def _make(
    mark: str,
    task: Task,
    others: OtherLearners | None,
    files: _Files,
    call: Callable[[Task, str], Run],
) -> Run:
    if not task.learner.scheme:
        return call(task, mark)
    assert others is not None
    train = files.write(task.problem, whole=False)
    test = None if task.folds else files.write(task.problem, whole=True)
    return other_run(task, mark, others, train, test)


class _Files:
    """Problems as ARFF files for Weka: attributes in use only, the class last."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written: dict[tuple[StudyProblem, bool], Path] = {}
        self._lock = Lock()

    def write(self, problem: StudyProblem, *, whole: bool) -> Path:
        """Return the file of a problem, or of the whole distribution behind it."""
        with self._lock:
            path = self._written.get((problem, whole))
            if path is None:
                path = self._folder / f"{len(self._written)}.arff"
                write_arff(problem.exact_test() if whole else problem.relation(), path)
                self._written[problem, whole] = path
        return path
