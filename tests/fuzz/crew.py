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
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING, Any

from tests.fuzz.findings import Examiner, Finding, Target, set_limits
from tests.fuzz.targets import BY_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

_ROUND = 1000
_INPUTS_OF_A_PROCESS = 40_000  # what it leaves behind in memory goes with it
_CONTEXT = multiprocessing.get_context("spawn")
# What stands in shared memory for each target, after the place in the schedule.
ACCEPTED, REFUSED, FOUND, SLOWEST = range(4)
_FIELDS = 4
_CALCULATES = Finding("a hang", "beyond Python", "it calculates, and no signal is heard")
_ENDS = {
    "SIGVTALRM": _CALCULATES,
    "SIGXCPU": _CALCULATES,
    "SIGALRM": Finding("a hang", "waiting", "it waits for something"),
}


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


class Workers:
    """Carries out a plan with several processes, each looked after by a thread.

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
        self._lock, self._is_over = Lock(), False
        size = 1 + _FIELDS * len(plan.names)
        self._shared = [_CONTEXT.RawArray("d", size) for _ in range(n_jobs)]
        self._processes: dict[int, SpawnProcess] = {}

    def run(self) -> None:
        """Work until the plan is done."""
        with TemporaryDirectory(dir=_memory()) as folder, ThreadPoolExecutor(self._n_jobs) as pool:
            self._folder = Path(folder)
            try:
                list(pool.map(self._carry_out, range(self._n_jobs)))
            finally:
                self._is_over = True
                for process in self._processes.values():
                    process.kill()

    def totals(self) -> list[tuple[int, int, int, float]]:
        """Return for each target: accepted, refused, findings, seconds of the slowest input."""
        rows = []
        for index in range(len(self._plan.names)):
            base = 1 + _FIELDS * index
            columns = list(zip(*(s[base : base + _FIELDS] for s in self._shared), strict=True))
            accepted, refused, found = (int(sum(column)) for column in columns[:3])
            rows.append((accepted, refused, found, max(columns[SLOWEST])))
        return rows

    def _carry_out(self, job: int) -> None:
        """Let one process after the other work on a job, until nothing of it is left."""
        shared = self._shared[job]
        while not self._is_over and time.time() < self._plan.end:
            schedule = self._plan.schedule(job, self._n_jobs)
            here = next(islice(schedule, int(shared[0]), None), None)
            if here is None:
                return
            status = self._one_process(job)
            if status > 0:
                raise RuntimeError("the fuzz itself failed; see above")
            if status < 0 and not self._is_over:
                self._tell_end(shared, job, -status)

    def _one_process(self, job: int) -> int:
        """Return the exit status of a process that works on a job."""
        connection, theirs = _CONTEXT.Pipe(duplex=False)
        folder = self._folder / str(job)
        folder.mkdir(exist_ok=True)
        arguments = (self._plan, job, self._n_jobs, self._shared[job], folder, theirs)
        process = _CONTEXT.Process(target=_work, args=arguments, daemon=True)
        process.start()
        self._processes[job] = process
        theirs.close()
        with suppress(EOFError):
            while True:
                self._tell(connection.recv())
        process.join()
        assert process.exitcode is not None
        return process.exitcode

    def _tell_end(self, shared: Any, job: int, number_of_signal: int) -> None:
        """Count the input with which a process ended, and pass on to the next one."""
        name = signal.Signals(number_of_signal).name
        reason = _ENDS.get(name, Finding("the end of the process", name, f"ended by {name}"))
        schedule = self._plan.schedule(job, self._n_jobs)
        index, number = next(islice(schedule, int(shared[0]), None))
        shared[1 + _FIELDS * index + FOUND] += 1
        shared[0] += 1
        target = self._plan.targets[index]
        data = target.input(self._plan.seed, number)
        self._tell(Record(target.name, self._plan.seed, number, reason, data))

    def _tell(self, record: Record) -> None:
        key = (record.target, *record.finding.key)
        with self._lock:
            if key not in self._known:
                self._known.add(key)
                self._on_record(record)


def _work(
    plan: Plan, job: int, n_jobs: int, shared: Any, folder: Path, connection: Connection
) -> None:
    """Examine the inputs of a job from where it stands; the shared memory tells how far it is."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the parent tells what there was
    parent, targets, known = os.getppid(), plan.targets, set()
    examiners = [Examiner(target, folder, plan.limit) for target in targets]
    set_limits(plan.most_bytes)
    place = int(shared[0])
    schedule = islice(plan.schedule(job, n_jobs), place, place + _INPUTS_OF_A_PROCESS)
    for index, number in schedule:
        if time.time() > plan.end or os.getppid() != parent:
            return
        examiner, base = examiners[index], 1 + _FIELDS * index
        data = targets[index].input(plan.seed, number)
        start = time.process_time()
        result = examiner.examine(data)
        shared[base + SLOWEST] = max(shared[base + SLOWEST], time.process_time() - start)
        if isinstance(result, Finding):
            shared[base + FOUND] += 1
            key = (index, *result.key)
            if key not in known:
                known.add(key)
                small, result = examiner.shrunk(data, result)
                connection.send(Record(targets[index].name, plan.seed, number, result, small))
        else:
            shared[base + (ACCEPTED if result else REFUSED)] += 1
        shared[0] += 1


def _memory() -> str | None:
    """Return a folder that is kept in memory, where there is one."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None
