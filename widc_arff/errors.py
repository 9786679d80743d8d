"""The errors that users see.

Every message says what was expected, what was found and where.  Whatever is at fault in a file, a
model or an option raises a `WidcError`; anything else that escapes is a defect of ours.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LONGEST = 2000  # characters of a message
_LONGEST_NAME = 100  # that another is likened to: the likeness costs the square of the length
_LONGEST_PATH = 200
_MOST_NAMES = 2000  # that are likened
_LINE_END_OF_NAME = re.compile(r"\n(?!    )")  # the lines of a message that follow are indented


def printable(text: str) -> str:
    """Return a text in which all but letters, marks and line ends is escaped as in Python."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else _escaped(c) for c in text)


def one_line(text: str) -> str:
    """Return a name, of a file or a column, as `printable` does, its line ends escaped too."""
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def short_name(path: str) -> str:
    """Return the name of a file as messages begin with it, cut in the middle where it is long."""
    if len(path) <= _LONGEST_PATH:
        return path
    return f"{path[: _LONGEST_PATH // 3]}...{path[-_LONGEST_PATH // 2 :]}"


def for_terminal(message: str) -> str:
    """Return a message fit for a terminal: printable, and long ones cut in the middle."""
    if len(message) > _LONGEST:
        message = f"{message[: _LONGEST * 2 // 3]} ... {message[-_LONGEST // 3 :]}"
    return _LINE_END_OF_NAME.sub(r"\\n", printable(message))


def _escaped(character: str) -> str:
    return repr(character)[1:-1]


def listed(names: Sequence[str], most: int = 8) -> str:
    """Return the first of some names or labels, in quotes."""
    shown = ", ".join(
        repr(name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}...")
        for name in names[:most]
    )
    return shown + (", ..." if len(names) > most else "")


def counted_in_words(n: int, noun: str) -> str:
    """Return ``1 row`` or ``1,234 rows``."""
    return f"1 {noun}" if n == 1 else f"{n:,} {noun}s"


def first_repeated(texts: Sequence[str]) -> str | None:
    """Return the first text that occurs twice, or None."""
    if len(set(texts)) == len(texts):
        return None
    return next(text for text, count in Counter(texts).items() if count > 1)


class WidcError(Exception):
    """Base class of all errors with a cause outside the program.

    Its text is safe to print on a terminal, whatever names and values it contains.
    """

    def __str__(self) -> str:
        return for_terminal(self._whole())

    def _whole(self) -> str:
        """Return the message with all that it is about."""
        return super().__str__()


class WidcWarning(UserWarning):
    """Something that a user should know although the work continues; safe to print too."""

    def __str__(self) -> str:
        return for_terminal(super().__str__())


def _position(file: str, line: int | None, column: int | None) -> str:
    return ":".join(str(part) for part in (short_name(file), line, column) if part)


def _behind(parts: Iterable[str]) -> str:
    """Return a message behind the names of its subjects."""
    return ": ".join(part for part in parts if part)


class ArffError(WidcError):
    """An ARFF file that cannot be read or written.

    Parameters
    ----------
    message : str
        What was expected and what was found.
    source : str
        Name of the file, or ``<stdin>``.
    line, column : int or None
        Position of the fault, both counted from 1.
    text : str or None
        The source line; shown under the message with a caret at `column`.
    """

    def __init__(
        self,
        message: str,
        source: str = "",
        line: int | None = None,
        column: int | None = None,
        text: str | None = None,
    ) -> None:
        self.message = message
        self.source = source
        self.line = line
        self.column = column
        self.text = text
        super().__init__(message)

    def _whole(self) -> str:
        head = _behind((_position(self.source, self.line, self.column), self.message))
        if self.text is None or self.column is None:
            return head
        # A window around the fault: lines of thousands of characters must not flood the screen.
        start = max(0, self.column - 1 - 60)
        shown = "".join(c if c.isprintable() else " " for c in self.text[start : start + 100])
        mark = "..." if start else ""
        caret = " " * (len(mark) + self.column - 1 - start) + "^"
        return f"{head}\n    {mark}{shown}\n    {caret}"


class TableError(ArffError):
    """A CSV or Parquet file that cannot be read or written, with its place as in `ArffError`."""


class DataError(WidcError):
    """Data that can be read but not used.

    Parameters
    ----------
    message : str
        What was expected and what was found.
    file : str
        Name of the file, where that is known.
    line, column : int or None
        Position of the fault in the file, both counted from 1.
    """

    def __init__(
        self, message: str, *, file: str = "", line: int | None = None, column: int | None = None
    ) -> None:
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        super().__init__(message)

    def in_file(self, file: str) -> None:
        """Set the name of the file, unless the error has one."""
        self.file = self.file or file

    def _whole(self) -> str:
        return _behind((_position(self.file, self.line, self.column), self.message))


class OptionError(WidcError):
    """An option with a value outside its allowed set.

    Parameters
    ----------
    message : str
        What was expected and what was found.
    option : str
        Name of the option in Python, such as ``max_rules``.
    place : str
        Where the value is given, or the data that it does not fit: a file, or a line in one.
    """

    def __init__(self, message: str, *, option: str = "", place: str = "") -> None:
        self.message = message
        self.option = option
        self.place = place
        super().__init__(message)

    def at(self, place: str) -> None:
        """Set the place, unless the error has one."""
        self.place = self.place or place

    def _whole(self) -> str:
        return _behind((self.place, self.option, self.message))


class ModelError(WidcError):
    """A model file that cannot be read, with the path of the fault inside the file."""


class ProtocolError(WidcError):
    """A request to a worker that does not keep to the protocol."""


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the candidate nearest to `name`, or an empty text.

    Names of more than 100 characters are like none, and of many candidates the first 2,000 count.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only where something is wrong

    if len(name) > _LONGEST_NAME:
        return ""
    short = (candidate for candidate in candidates if len(candidate) <= _LONGEST_NAME)
    lowered = {candidate.lower(): candidate for candidate in islice(short, _MOST_NAMES)}
    close = get_close_matches(name.lower(), lowered, n=1)
    return f"; did you mean {lowered[close[0]]!r}?" if close else ""
