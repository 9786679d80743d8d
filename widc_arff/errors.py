"""The errors that users see.

Every message says what was expected, what was found and where.  Whatever is at fault in a file, a
model or an option raises a `WidcError`; anything else that escapes is a defect of ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class WidcError(Exception):
    """Base class of all errors with a cause outside the program."""


class WidcWarning(UserWarning):
    """Something that a user should know, though the work goes on."""


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
        super().__init__(self._formatted())

    def _formatted(self) -> str:
        place = ":".join(str(part) for part in (self.source, self.line, self.column) if part)
        head = f"{place}: {self.message}" if place else self.message
        if self.text is None or self.column is None:
            return head
        # A window around the fault: lines of thousands of characters must not flood the screen.
        start = max(0, self.column - 1 - 60)
        shown = "".join(c if c.isprintable() else " " for c in self.text[start : start + 100])
        mark = "..." if start else ""
        caret = " " * (len(mark) + self.column - 1 - start) + "^"
        return f"{head}\n    {mark}{shown}\n    {caret}"


class TableError(ArffError):
    """A CSV or Parquet file that cannot be read or written; told as faults of ARFF files are."""


class DataError(WidcError):
    """Data that were read well but cannot serve the purpose."""


class OptionError(WidcError):
    """An option with a value outside its allowed set."""


class ModelError(WidcError):
    """A model file that cannot be read, with the path of the fault inside the file."""


class ProtocolError(WidcError):
    """A request to a worker that does not keep to the protocol."""


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the candidate nearest to `name`, or an empty text."""
    from difflib import get_close_matches  # noqa: PLC0415 - only where something is wrong

    names = list(candidates)
    lowered = {candidate.lower(): candidate for candidate in names}
    close = get_close_matches(name.lower(), lowered, n=1)
    return f"; did you mean {lowered[close[0]]!r}?" if close else ""
