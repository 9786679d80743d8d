"""Processes of our own: each lives as long as whoever started it, and no longer.

One way for all of them.  The starter holds the writing end of the process's input; the process
watches the reading end and ends at once when it closes, which the system sees to however the
starter ends.  A process is in a session of its own: an interruption at the terminal comes to the
starter alone, which ends its processes by `end`.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import subprocess
import sys
import traceback
from _thread import start_new_thread
from contextlib import closing, contextmanager, suppress
from functools import cached_property
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import IO, TYPE_CHECKING, Any, Generic, TypeVar

from widc_arff.errors import OptionError, WidcError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

Result = TypeVar("Result")
Process = subprocess.Popen[bytes]

SIZE = struct.Struct("<Q")
"""Of what follows, in bytes."""

GRACE_S = 1.0
"""For so long calls that are to end are waited for."""


def number_of_jobs(jobs: int, processors: int | None = None) -> int:
    """Return how many things to do at a time.

    Parameters
    ----------
    jobs : int
        From 1; -1 for as many as there are processors, -2 for one less, and so on, at least one.
    processors : int, optional
        By default those that this process may use.

    Raises
    ------
    OptionError
        If it is 0.
    """
    if jobs == 0:
        raise OptionError(
            "expected a number from 1, or -1 for all processors, got 0", option="jobs"
        )
    if jobs > 0:
        return jobs
    if processors is None:
        allowed = getattr(os, "sched_getaffinity", None)
        processors = len(allowed(0)) if allowed else os.cpu_count() or 1
    return max(processors + 1 + jobs, 1)


# starting and ending them


def start(command: Sequence[str], **streams: Any) -> Process:  # noqa: ANN401 - as Popen takes them
    """Start a process that ends when its input does."""
    return subprocess.Popen(  # noqa: S603 - the commands are our own
        command, stdin=subprocess.PIPE, start_new_session=True, **streams
    )


def start_python(
    function: Callable[..., object],
    *arguments: str,
    **streams: Any,  # noqa: ANN401 - as Popen takes them
) -> Process:
    """Start a process that calls a function of ours and ends when its input does.

    What the function returns is its exit status.
    """
    name = function.__name__
    code = f"import sys; sys.path[:] = {sys.path!r}; from {function.__module__} import {name}"
    code += f"; sys.exit({name}(*sys.argv[1:]))"
    return start([sys.executable, "-c", code, *arguments], **streams)


def start_attended(command: Sequence[str], **streams: Any) -> Process:  # noqa: ANN401 - as Popen
    """Start a program that does not watch its input; another process does that for it."""
    return start_python(attend, *command, **streams)


def run_attended(command: Sequence[str]) -> tuple[int, str]:
    """Run such a program to its end; return its exit status and what it printed."""
    process = start_attended(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        assert process.stdout is not None
        printed = process.stdout.read()
        return process.wait(), printed.decode("utf-8", errors="replace")
    finally:
        end(process)


def end(process: Process) -> None:
    """End a process at once, and all that it started in its session."""
    with suppress(ProcessLookupError, PermissionError):  # there is nothing left of it
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):  # what was not sent goes nowhere
                stream.close()


class IdleProcesses:
    """Processes of one kind that wait for their next request; threads may share them.

    Parameters
    ----------
    start : callable
        Starts one.
    """

    def __init__(self, start: Callable[[], Process]) -> None:
        self._start = start
        self._lock = Lock()
        self._all: list[Process] = []
        self._idle: list[Process] = []
        self._closed = False

    @contextmanager
    def one(self) -> Iterator[Process]:
        """Give a process; it is kept for the next one who asks, unless that fails."""
        with self._lock:
            process = self._idle.pop() if self._idle else None
        if process is None:
            process = self._start()
            with self._lock:
                self._all.append(process)
            if self._closed:
                end(process)
        yield process
        with self._lock:
            self._idle.append(process)

    def close(self) -> None:
        """End them all, busy ones too."""
        self._closed = True
        with self._lock:
            processes, self._all = self._all, []
            self._idle.clear()
        for process in processes:
            end(process)


class Pool(Generic[Result]):
    """Processes that hold a function and call it; threads may call at the same time.

    Parameters
    ----------
    function : callable
        It, its arguments and its results must be possible to pickle.
    """

    def __init__(self, function: Callable[..., Result]) -> None:
        self._function = function
        self._processes = IdleProcesses(self._start)

    @cached_property
    def _pickled(self) -> bytes:
        return pickle.dumps(self._function)

    def _start(self) -> Process:
        process = start_python(work, stdout=subprocess.PIPE)
        with suppress(BrokenPipeError):  # it is gone, which the first call will find
            _send(self._pickled, process.stdin)
        return process

    def call(self, *arguments: Any) -> Result:  # noqa: ANN401 - the function's
        """Return what the function returns in an idle process, or in a new one.

        Raises
        ------
        WidcError
            If the process dies.
        Exception
            As the function raises it.
        """
        with self._processes.one() as process:
            try:
                _send(pickle.dumps(arguments), process.stdin)
                answer = next(_received(process.stdout), b"")
            except (OSError, ValueError):  # its end of the pipe, or ours, is closed
                answer = b""
            if not answer:
                raise WidcError("a process died, perhaps out of memory; fewer jobs need less")
        result, error = pickle.loads(answer)  # noqa: S301 - from our own process
        if error is not None:
            raise error
        return result  # type: ignore[no-any-return]

    def close(self) -> None:
        """End the processes, busy ones too."""
        self._processes.close()


def in_order(
    function: Callable[[Any], Result], arguments: Iterable[Any], jobs: int
) -> Iterator[Result]:
    """Yield what a function returns for each argument, `jobs` at a time, in processes."""
    pool = Pool(function)
    ahead: dict[int, Result] = {}
    turn = 0
    with closing(as_finished(pool.call, arguments, jobs, pool.close)) as finished:
        for place, result in finished:
            ahead[place] = result
            while turn in ahead:
                yield ahead.pop(turn)
                turn += 1


def as_finished(
    function: Callable[[Any], Result],
    arguments: Iterable[Any],
    jobs: int,
    close: Callable[[], None],
) -> Generator[tuple[int, Result], None, None]:
    """Yield the place and the result of each argument as they come, from `jobs` threads.

    An interruption can come at any step of the caller's thread.  That thread therefore takes no
    lock that another one waits for: the lock would not be released, and the other never end.

    Parameters
    ----------
    close : callable
        Makes all calls of the function end; called at the end in any case.

    Raises
    ------
    Exception
        As the function raises it.
    """
    todo: SimpleQueue[tuple[int, Any] | None] = SimpleQueue()
    done: SimpleQueue[tuple[int, Any, BaseException | None]] = SimpleQueue()

    def work() -> None:
        while (task := todo.get()) is not None:
            place, argument = task
            try:
                done.put((place, function(argument), None))
            except BaseException as error:  # noqa: BLE001 - it is raised again in the caller's
                done.put((place, None, error))

    tasks = enumerate(arguments)
    at_work = 0
    try:
        for task in islice(tasks, jobs):
            todo.put(task)
            at_work += 1
            start_new_thread(work, ())
        while at_work:
            place, result, error = done.get()
            following = next(tasks, None)
            todo.put(following)
            at_work -= following is None
            if error is not None:
                raise error
            yield place, result
    finally:
        close()
        for _ in range(at_work):
            todo.put(None)
        with suppress(Empty):  # some calls do not end in time, and are left
            for _ in range(at_work):
                done.get(timeout=GRACE_S)


# inside of such a process


def end_with_input(child: Process | None = None) -> None:
    """End this process when its input closes, with all of its session: what it started."""

    def wait() -> None:
        while os.read(0, 1):  # past the buffer of sys.stdin, which has a lock
            pass
        if hasattr(os, "killpg"):
            os.killpg(0, signal.SIGKILL)
        if child is not None:
            child.kill()
        os._exit(1)

    Thread(target=wait, daemon=True).start()


def attend(*command: str) -> int:
    """Run a program that does not watch its input; return its exit status."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603 - our own
    end_with_input(child)
    status = child.wait()
    return status if status >= 0 else 128 - status


def private_streams() -> tuple[IO[bytes], IO[bytes]]:
    """Return the process's input and output, and take them out of everybody else's reach.

    What is left of them is the null device and stderr: nothing that prints disturbs the replies.
    """
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    os.dup2(2, 1)
    return requests, replies


def serve(requests: Iterable[Any], answer: Callable[[Any], None]) -> None:
    """Answer requests as they come; at their end, end at once, in the middle of an answer too.

    Parameters
    ----------
    requests : iterable
        Waits for each; read on a thread of its own.
    answer : callable
        Sends the answer to a request.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the starter's affair
    queue: SimpleQueue[Any] = SimpleQueue()
    Thread(target=_read, args=(requests, queue), daemon=True).start()
    try:
        while True:
            answer(queue.get())
    except BrokenPipeError:  # nobody wants the answer
        os._exit(1)


def _read(requests: Iterable[Any], queue: SimpleQueue[Any]) -> None:
    status = 1
    try:
        for request in requests:
            queue.put(request)
        status = 0
    finally:
        os._exit(status)  # at once, whatever the other thread does


def work() -> None:
    """Be a process of a `Pool`."""
    requests, replies = private_streams()
    function: Callable[..., Any] | None = None

    def answer(request: bytes) -> None:
        nonlocal function
        received = pickle.loads(request)  # noqa: S301 - from our own starter
        if function is None:
            function = received
            return
        _send(_outcome(function, received), replies)

    serve(_received(requests), answer)


def _outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    try:
        return pickle.dumps((function(*arguments), None))
    except Exception as error:  # noqa: BLE001 - it is raised again where it is received
        if not isinstance(error, WidcError):
            error.add_note(traceback.format_exc())
        try:
            answer = pickle.dumps((None, error))
            pickle.loads(answer)  # noqa: S301 - our own
        except Exception:  # noqa: BLE001 - of a kind that does not travel
            answer = pickle.dumps((None, RuntimeError(traceback.format_exc())))
        return answer


def _send(content: bytes, stream: IO[bytes] | None) -> None:
    assert stream is not None
    stream.write(SIZE.pack(len(content)))
    stream.write(content)
    stream.flush()


def _received(stream: IO[bytes] | None) -> Iterator[bytes]:
    """Yield what was sent, until the stream ends."""
    assert stream is not None
    while len(head := stream.read(SIZE.size)) == SIZE.size:
        (size,) = SIZE.unpack(head)
        content = stream.read(size)
        if len(content) < size:
            return
        yield content
