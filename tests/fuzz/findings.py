"""One input: what is wrong with what it does, and the smallest input that does the same."""

from __future__ import annotations

import resource
import signal
import traceback
import unicodedata
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, TypeVar

import widc_arff
from tests.fuzz.drawing import Draw
from widc_arff.errors import WidcError, WidcWarning

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

_Value = TypeVar("_Value")

LONGEST_MESSAGE = 5_000
_PACKAGE = Path(widc_arff.__file__).parent
_BIDIRECTIONAL = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_SHRINK_SECONDS, _SHRINK_TRIES, _SMALLEST_PART = 5.0, 2000, 512  # a part of 1/512


class DifferenceError(Exception):
    """Two ways that must agree do not; `ways` names them."""

    def __init__(self, ways: str, detail: str = "") -> None:
        self.ways = ways
        super().__init__(f"{ways}: {detail}" if detail else ways)


class MessageError(Exception):
    """A text for the user that does not suit a terminal."""

    def __init__(self, fault: str, place: str, text: str) -> None:
        self.fault, self.place = fault, place
        super().__init__(f"{fault}: {text[:300]!r}")


class HangError(BaseException):
    """The limit of CPU time is over; nothing catches it on the way."""


@dataclass(frozen=True, slots=True)
class Target:
    """What is fuzzed.

    Parameters
    ----------
    name : str
        Its name on the command line.
    share : int
        Its share of all inputs.
    draw : callable
        Returns an input.
    check : callable
        Takes an input and a folder for files; returns whether the input was accepted.
    """

    name: str
    share: int
    draw: Callable[[Draw], bytes]
    check: Callable[[bytes, Path], bool]

    def input(self, seed: int, number: int) -> bytes:
        """Return the input with a number."""
        return self.draw(Draw(f"{seed}:{self.name}:{number}"))


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong: its kind, where in the package, and in words."""

    kind: str
    place: str
    text: str

    @property
    def key(self) -> tuple[str, str]:
        """What findings of one kind have in common."""
        return self.kind, self.place


class Examiner:
    """Gives inputs to a target within limits; `show_warnings` and `limits` come first."""

    def __init__(self, target: Target, folder: Path, limit: float) -> None:
        self.target, self._folder, self._limit = target, folder, limit

    def examine(self, data: bytes) -> Finding | bool:
        """Return what is wrong, or whether the input was accepted."""
        _allow_cpu(self._limit)
        signal.setitimer(signal.ITIMER_PROF, self._limit, self._limit / 4)
        try:
            try:
                return self.target.check(data, self._folder)
            finally:
                for timer in (signal.ITIMER_PROF, signal.ITIMER_VIRTUAL, signal.ITIMER_REAL):
                    signal.setitimer(timer, 0)
        except WidcError as error:
            try:
                inspect_error(error)
            except MessageError as fault:
                return _finding(fault)
            return False
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - that is what is looked for
            return _finding(error)

    def shrunk(self, data: bytes, finding: Finding) -> tuple[bytes, Finding]:
        """Return a smaller input of the same kind of finding: without some parts, ever smaller."""
        end, tries = process_time() + _SHRINK_SECONDS, _SHRINK_TRIES
        size = len(data) // 2
        while size and size * _SMALLEST_PART >= len(data):
            start = 0
            while start < len(data):
                if process_time() > end or tries == 0:
                    return data, finding
                tries -= 1
                less = data[:start] + data[start + size :]
                result = self.examine(less)
                if isinstance(result, Finding) and result.key == finding.key:
                    data, finding = less, result
                else:
                    start += size
            size //= 2
        return data, finding


def outcome(call: Callable[[], _Value]) -> _Value | str:
    """Return what a call returns, or the message of our error, which must suit a terminal."""
    try:
        return call()
    except WidcError as error:
        inspect_error(error)
        return str(error)


def inspect_error(error: WidcError) -> None:
    """Raise MessageError if the message of an error does not suit a terminal."""
    # The source line and the caret stand below the message.
    n_lines = 3 if getattr(error, "text", None) is not None else 1
    try:
        inspect_text(str(error), n_lines)
    except MessageError as fault:
        fault.place = _place(error.__traceback__)
        raise


def inspect_text(text: str, n_lines: int | None = 1, place: str = "") -> None:
    """Raise MessageError if a text for the user does not suit a terminal.

    Parameters
    ----------
    text : str
        The text.
    n_lines : int or None
        Most lines of it; None: any number of lines, of any length.
    place : str
        Where it comes from.
    """
    if n_lines is not None and len(text) > LONGEST_MESSAGE:
        raise MessageError("a message without an end", place, text)
    if text.isprintable():
        return
    if n_lines is not None and text.count("\n") >= n_lines:
        raise MessageError("a message of several lines", place, text)
    for character in set(text) - {"\n"}:
        kind = unicodedata.category(character)
        if kind in ("Cc", "Zl", "Zp") or character in _BIDIRECTIONAL:
            raise MessageError("a message with control characters", place, text)


@contextmanager
def replaced(where: Any, **values: Any) -> Iterator[None]:
    """Give attributes of a module other values for a while."""
    before = {name: getattr(where, name) for name in values}
    for name, value in values.items():
        setattr(where, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(where, name, value)


def set_limits(most_bytes: int) -> None:
    """Limit this process: memory beyond what it has, CPU time by signals, warnings as errors."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    most = pages * resource.getpagesize() + most_bytes
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPROF, _stop)
    warnings.simplefilter("error")
    warnings.simplefilter("always", WidcWarning)
    warnings.showwarning = _inspect_warning


def _allow_cpu(seconds: float) -> None:
    """Let the system end the process where no signal is heard, and where it waits for ever.

    What calculates is ended by the CPU time that it takes, long before the time of waiting is over,
    however busy the machine is; limits of the process are whole seconds, for what the kernel does.
    """
    signal.setitimer(signal.ITIMER_REAL, 30 * seconds + 10)
    signal.setitimer(signal.ITIMER_VIRTUAL, 3 * seconds)
    most = int(process_time() + 2 * seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))


def _stop(*_signal: object) -> None:
    raise HangError


def _inspect_warning(message: Warning | str, *_args: object, **_kwargs: object) -> None:
    inspect_text(str(message), 1, "a warning")


def _finding(error: BaseException) -> Finding:
    place = _place(error.__traceback__)
    if isinstance(error, HangError):
        return Finding("a hang", place.partition(":")[0], f"at {place}")
    if isinstance(error, MessageError):
        return Finding(error.fault, error.place, str(error))
    if isinstance(error, DifferenceError):
        return Finding("a difference", error.ways, str(error))
    if isinstance(error, MemoryError):
        return Finding("memory", place, repr(error))
    kind = "a warning" if isinstance(error, Warning) else "an exception"
    return Finding(kind, f"{type(error).__name__} at {place}", repr(error))


def _place(trace: TracebackType | None) -> str:
    """Return module, line and function of the innermost frame of the package."""
    found = "the fuzz itself"
    for frame, line in traceback.walk_tb(trace):
        code = frame.f_code
        if Path(code.co_filename).is_relative_to(_PACKAGE):
            found = f"{Path(code.co_filename).relative_to(_PACKAGE)}:{line} {code.co_name}"
    return found
