"""Reading small files whole, and writing files whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING

from widc_arff.errors import ArffError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator


def file_advice(path: str | os.PathLike[str]) -> str:
    """Return what to do about a name that no file has: the nearest name there, or an empty text."""
    if "://" in os.fspath(path):
        return (
            "; expected a file: a download can be piped in, as in curl -L ADDRESS | widc-arff ..."
        )
    target = Path(path)
    try:
        names = [entry.name for entry in target.parent.iterdir() if not entry.name.startswith(".")]
    except OSError:
        return f"; there is no folder {os.fspath(target.parent)!r}"
    return did_you_mean(target.name, names)


def bytes_of(path: str | os.PathLike[str]) -> bytes:
    """Return the content of a file, or of standard input (-).

    Raises
    ------
    OSError
        If it cannot be read.
    """
    return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()


def text_of(path: str, what: str, encoding: str = "utf-8") -> str:
    """Return the text of a file in UTF-8, or of standard input (-).

    Raises
    ------
    ArffError
        If it cannot be read; the message says `what` it was to hold.
    """
    try:
        return bytes_of(path).decode(encoding)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise ArffError(f"cannot read {what}: {reason}", path) from error


def require_place(path: str | os.PathLike[str]) -> None:
    """Check, before long work, that a file can have its place at `path`.

    Raises
    ------
    OSError
        If the folder is not there, or a folder has that name.
    """
    target = Path(path)
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if not target.parent.is_dir():
        message = f"there is no folder {os.fspath(target.parent)!r} to write it in"
        raise FileNotFoundError(errno.ENOENT, message, os.fspath(path))


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Give a file to write; it takes its place at `path` only when all is written.

    Parameters
    ----------
    path : str or path-like
        Where the file goes.  What is there already stays untouched until then; its permissions are
        kept.  A device or a pipe is written directly.

    Raises
    ------
    OSError
        If the file cannot be written; nothing is left behind.
    """
    require_place(path)
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        try:
            with target.open("wb") as stream:
                yield stream
        except OSError as error:
            error.filename = error.filename or os.fspath(path)
            raise
        return
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask()
    temporary = target.with_name(f".{target.name}.{os.urandom(4).hex()}.part")
    try:
        with temporary.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(mode)
        temporary.replace(target)
    except OSError as error:
        if error.filename in (None, str(temporary)):
            error.filename = os.fspath(path)
        raise
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def text_written_whole(path: str | os.PathLike[str]) -> Iterator[IO[str]]:
    """Give a UTF-8 text file to write, as `written_whole` does."""
    with written_whole(path) as stream:
        text = TextIOWrapper(stream, encoding="utf-8", newline="\n")
        yield text
        text.flush()
        text.detach()  # the file below closes itself


def _umask() -> int:
    """Return the process's umask, which can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
