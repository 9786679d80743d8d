"""The processes that work: each examines its inputs, and is replaced when one ends it.

A process that does not come back from an input, whether it waits, calculates without Python or is
ended by the system, costs that input alone: its number stands in shared memory.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import time
from dataclasses import dataclass, field
from itertools import count, islice
from multiprocessing.connection import wait
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tests.fuzz.findings import Examiner, Finding, Target, set_limits
from tests.fuzz.targets import BY_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

_ROUND = 1000
_INPUTS_OF_A_PROCESS = 40_000  # what it leaves behind in memory goes with it
_PATIENCE_S = 90.0  # for a process that neither works nor ends
_CONTEXT = multiprocessing.get_context("spawn")
# What stands in shared memory for each target, after the place in the schedule and the heartbeat.
ACCEPTED, REFUSED, FOUND = range(3)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is examined.

    Parameters
    ----------
    names : tuple of str
        Names of the targets.
    seed : int
        From which all inputs are drawn.
    n_inputs : int or None
        Inputs in all, one a target at least; None: without end.
    end : float
        Time (`time.time`) at which the processes stop.
    limit : float
        CPU seconds that an input may take.
    most_bytes : int
        Memory that an input may take.
    """

    names: tuple[str, ...]
    seed: int
    n_inputs: int | None
    end: float
    limit: float = 2.0
    most_bytes: int = 1 << 30

    @property
    def targets(self) -> list[Target]:
        """The targets."""
        return [BY_NAME[name] for name in self.names]

    def schedule(self, job: int, n_jobs: int) -> Iterator[tuple[int, int]]:
        """Yield the index of a target and the number of an input, in rounds of all targets."""
        shares = [target.share for target in self.targets]
        sizes = [max(1, _ROUND * share // sum(shares)) for share in shares]
        n = self.n_inputs
        most = [math.inf if n is None else max(1, n * share // sum(shares)) for share in shares]
        for turn in count():
            is_over = True
            for index, size in enumerate(sizes):
                for number in range(turn * size, (turn + 1) * size):
                    if number < most[index]:
                        is_over = False
                        if number % n_jobs == job:
                            yield index, number
            if is_over:
                return


@dataclass(slots=True)
class Record:
    """A finding with its input."""

    target: str
    seed: int
    number: int
    finding: Finding
    data: bytes

    @property
    def origin(self) -> str:
        """What `--replay` takes."""
        return f"{self.target}:{self.seed}:{self.number}"


@dataclass(slots=True)
class _Worker:
    """A process at work on a job."""

    job: int
    shared: Any
    process: Any = None
    connection: Connection | None = None
    beat: int = 0
    since: float = field(default_factory=time.monotonic)


class Crew:
    """Carries out a plan with several processes.

    Parameters
    ----------
    plan : Plan
        What to do.
    n_jobs : int
        Number of processes.
    on_record : callable
        Is told the first finding of each kind.
    """

    def __init__(self, plan: Plan, n_jobs: int, on_record: Callable[[Record], None]) -> None:
        self._plan, self._n_jobs, self._on_record = plan, n_jobs, on_record
        self._known: set[tuple[str, str, str]] = set()
        size = 2 + 4 * len(plan.targets)
        self._workers = [_Worker(job, _CONTEXT.RawArray("d", size)) for job in range(n_jobs)]

    def run(self) -> None:
        """Work until the plan is done."""
        try:
            for worker in self._workers:
                self._start(worker)
            while alive := [worker for worker in self._workers if worker.process is not None]:
                wait([worker.connection for worker in alive if worker.connection], timeout=0.5)
                for worker in alive:
                    self._attend(worker)
        finally:
            for worker in self._workers:
                if worker.process is not None:
                    worker.process.kill()
                    worker.process.join()

    def totals(self) -> list[tuple[int, int, int, float]]:
        """Return for each target: accepted, refused, findings, seconds of the slowest input."""
        rows = []
        for index in range(len(self._plan.targets)):
            parts = [worker.shared[2 + 4 * index : 6 + 4 * index] for worker in self._workers]
            accepted, refused, found = (int(sum(p[i] for p in parts)) for i in range(3))
            rows.append((accepted, refused, found, max(p[3] for p in parts)))
        return rows

    def _start(self, worker: _Worker) -> None:
        worker.connection, theirs = _CONTEXT.Pipe(duplex=False)
        arguments = (self._plan, worker.job, self._n_jobs, worker.shared, theirs)
        worker.process = _CONTEXT.Process(target=_work, args=arguments, daemon=True)
        worker.process.start()
        theirs.close()
        worker.since = time.monotonic()

    def _attend(self, worker: _Worker) -> None:
        """Take what a process sends; see whether it is still there, and start the next one."""
        assert worker.connection is not None
        try:
            while worker.connection.poll():
                self._tell(worker.connection.recv())
        except EOFError:
            worker.process.join()
            self._succeed(worker, self._reason(worker.process.exitcode))
            return
        if worker.shared[1] != worker.beat:
            worker.beat, worker.since = worker.shared[1], time.monotonic()
        elif time.monotonic() - worker.since > _PATIENCE_S:
            worker.process.kill()
            worker.process.join()
            self._succeed(worker, Finding("a hang", "waiting", "it waits for something"))

    @staticmethod
    def _reason(status: int) -> Finding | None:
        if status >= 0:
            if status:
                raise RuntimeError(f"the fuzz itself failed, exit status {status}; see above")
            return None
        if -status == signal.SIGXCPU:
            return Finding("a hang", "beyond Python", "it calculates, and no signal is heard")
        name = signal.Signals(-status).name
        return Finding("the end of the process", name, f"ended by {name}")

    def _succeed(self, worker: _Worker, reason: Finding | None) -> None:
        """Let a new process go on where one has ended, after the input that ended it."""
        worker.process = worker.connection = None
        schedule = self._plan.schedule(worker.job, self._n_jobs)
        place = int(worker.shared[0])
        here = next(islice(schedule, place, None), None)
        if reason is not None and here is not None:
            index, number = here
            worker.shared[2 + 4 * index + FOUND] += 1
            worker.shared[0] += 1
            target = self._plan.targets[index]
            data = target.input(self._plan.seed, number)
            self._tell(Record(target.name, self._plan.seed, number, reason, data))
            here = next(schedule, None)
        if here is not None and time.time() < self._plan.end:
            self._start(worker)

    def _tell(self, record: Record) -> None:
        key = (record.target, *record.finding.key)
        if key not in self._known:
            self._known.add(key)
            self._on_record(record)


def _work(plan: Plan, job: int, n_jobs: int, shared: Any, connection: Connection) -> None:
    """Examine the inputs of a job from where it stands; the shared memory tells how far it is."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the parent tells what there was
    parent, targets = os.getppid(), plan.targets
    with TemporaryDirectory(dir=_memory()) as folder:
        examiners = [_Counting(t, Path(folder), plan.limit, shared) for t in targets]
        set_limits(plan.most_bytes)
        known: set[tuple[str, str, str]] = set()
        place = int(shared[0])
        schedule = islice(plan.schedule(job, n_jobs), place, place + _INPUTS_OF_A_PROCESS)
        for index, number in schedule:
            if time.time() > plan.end or os.getppid() != parent:
                return
            examiner, base = examiners[index], 2 + 4 * index
            data = targets[index].input(plan.seed, number)
            start = time.process_time()
            result = examiner.examine(data)
            shared[base + 3] = max(shared[base + 3], time.process_time() - start)
            if isinstance(result, Finding):
                shared[base + FOUND] += 1
                key = (examiner.target.name, *result.key)
                if key not in known:
                    known.add(key)
                    small = examiner.shrunk(data, result)
                    last = examiner.examine(small)
                    result = last if isinstance(last, Finding) else result
                    record = Record(examiner.target.name, plan.seed, number, result, small)
                    connection.send(record)
            else:
                shared[base + (ACCEPTED if result else REFUSED)] += 1
            shared[0] += 1


class _Counting(Examiner):
    """An examiner whose every examination is a heartbeat."""

    def __init__(self, target: Target, folder: Path, limit: float, shared: Any) -> None:
        super().__init__(target, folder, limit)
        self._shared = shared

    def examine(self, data: bytes) -> Finding | bool:
        self._shared[1] += 1
        return super().examine(data)


def _memory() -> str | None:
    """Return a folder that is kept in memory, where there is one."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None
