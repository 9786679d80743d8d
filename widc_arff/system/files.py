"""Reading small files whole, and writing files whole or not at all."""

from __future__ import annotations

import codecs
import errno
import json
import math
import os
import stat
import sys
from contextlib import contextmanager
from glob import glob, has_magic
from io import TextIOWrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from widc_arff.errors import ArffError, WidcError, did_you_mean, first_repeated, short_name
from widc_arff.system.stores import (
    addresses_of,
    is_address,
    is_data,
    is_folder_of_store,
    opened_address,
    written_address,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLOCK_SIZE = 1 << 20
_LARGEST = 1 << 28  # bytes of a file that is read whole
_ENDING = ".part"
_LONGEST_START = 255 - len("..01234567.part")
_BINARY = getattr(os, "O_BINARY", 0)


def file_advice(path: str | os.PathLike[str]) -> str:
    """Return what to do about a name that no file has: the nearest name there, or an empty text."""
    if is_address(path):
        return ""
    if os.path.lexists(path):  # it is another thing than a file that can be read
        return ""
    target = Path(path)
    try:
        names = [entry.name for entry in target.parent.iterdir() if not entry.name.startswith(".")]
    except OSError:
        return f"; there is no folder {short_name(os.fspath(target.parent))!r}"
    return did_you_mean(target.name, names)


def opened_file(path: str | os.PathLike[str]) -> IO[bytes]:
    """Open a file, or what is at an address, for reading.

    Raises
    ------
    OSError
        If it cannot be opened.
    """
    return opened_address(os.fspath(path)) if is_address(path) else Path(path).open("rb")


@contextmanager
def rereadable(file: Any) -> Iterator[IO[bytes]]:  # noqa: ANN401 - whatever can be read
    """Give a file that can be read again: a temporary copy of one that cannot."""
    if hasattr(file, "seekable") and file.seekable():
        yield file
        return
    from tempfile import TemporaryFile  # noqa: PLC0415 - mostly not needed

    with TemporaryFile() as copy:
        while block := file.read(_BLOCK_SIZE):
            copy.write(block.encode() if isinstance(block, str) else block)
        copy.seek(0)
        yield copy


def size_of(path: str | os.PathLike[str]) -> int:
    """Return the bytes of a file, or of what is at an address.

    Raises
    ------
    OSError
        If it cannot be opened.
    """
    if not is_address(path):
        return Path(path).stat().st_size
    with opened_file(path) as file:
        return file.seek(0, 2)


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Tell whether a path is a folder, or an address one of files.

    Raises
    ------
    OSError
        If a store cannot tell.
    """
    if is_address(path):
        return not Path(path).suffix and is_folder_of_store(os.fspath(path))
    return Path(path).is_dir()


def files_of(pattern: str) -> list[str]:
    """Return the files that a pattern means, or those of a folder, in order, here or in a store.

    The pattern itself where it is neither: whoever opens it says what is wrong.
    """
    if is_address(pattern):
        return addresses_of(pattern)
    path = Path(pattern)
    if path.is_dir():
        files = (file for file in path.iterdir() if is_data(file.name) and file.is_file())
        return sorted(map(str, files))
    if not has_magic(pattern) or path.exists():
        return [pattern]
    return sorted(glob(pattern))  # noqa: PTH207 - the pattern may be absolute


def bytes_of(path: str | os.PathLike[str]) -> bytes:
    """Return the content of a small file, or of standard input (-).

    Raises
    ------
    OSError
        If it cannot be read, or does not end.
    """
    if path == "-":
        content = sys.stdin.buffer.read(_LARGEST + 1)
    else:
        with opened_file(path) as file:
            content = file.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise OSError(errno.EFBIG, f"more than {_LARGEST:,} bytes", os.fspath(path))
    return content


def decoded(content: bytes) -> str:
    """Return the text of a small file in UTF-8, or in UTF-16 that begins with a byte-order mark.

    That mark, which editors and shells of Windows write, is no part of the text.

    Raises
    ------
    UnicodeDecodeError
        If it is something else.
    """
    is_utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return content.decode("utf-16" if is_utf16 else "utf-8-sig")


def content_of(path: str | os.PathLike[str], what: str) -> bytes:
    """Return the content of a small file, or of standard input (-).

    Raises
    ------
    ArffError
        If it cannot be read; the message says `what` it was to hold.
    """
    try:
        return bytes_of(path)
    except FileNotFoundError as error:
        raise ArffError(f"there is no such file{file_advice(path)}", os.fspath(path)) from error
    except OSError as error:
        raise ArffError(
            f"cannot read {what}: {error.strerror or error}", os.fspath(path)
        ) from error


def text_of(path: str, what: str) -> str:
    """Return the text of a small file, as `decoded` reads it, or of standard input (-).

    Raises
    ------
    ArffError
        If it cannot be read; the message says `what` it was to hold.
    """
    try:
        return decoded(content_of(path, what))
    except UnicodeDecodeError as error:
        raise ArffError(f"cannot read {what}: it is not UTF-8", path) from error


def parsed_json(text: str) -> Any:  # noqa: ANN401 - whatever stands there
    """Return the data in a text of JSON; whole numbers beyond all numbers are infinite.

    A byte-order mark at its beginning is no part of it.

    Raises
    ------
    ValueError
        If it is none, nests too deeply or has a key twice; the message says which.
    """
    try:
        return json.loads(
            text.removeprefix("\ufeff"), object_pairs_hook=_unique_keys, parse_int=_whole
        )
    except RecursionError as error:
        raise ValueError("lists or objects nested too deeply") from error


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = dict(pairs)
    if len(keys) < len(pairs):
        repeated = first_repeated([key for key, _ in pairs])
        raise ValueError(f"the same key twice, {repeated!r}")
    return keys


def _whole(text: str) -> int | float:
    number = float(text)
    return int(text) if math.isfinite(number) else number


def require_place(path: str | os.PathLike[str]) -> None:
    """Check, before long work, that a file can have its place at `path`.

    Raises
    ------
    OSError
        If the folder is not there, a folder has that name, or it is no name for a file.
    """
    if is_address(path):
        return
    target = Path(path)
    mode = _mode_of(target)
    if mode is not None and stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if not target.parent.is_dir():
        message = f"there is no folder {short_name(os.fspath(target.parent))!r} to write it in"
        raise FileNotFoundError(errno.ENOENT, message, os.fspath(path))


def _mode_of(path: Path) -> int | None:
    """Return the kind and permissions of a file; None if there is none."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Give a file to write; it takes its place at `path` only when all is written.

    Parameters
    ----------
    path : str or path-like
        Where the file goes, or an address that it is sent to.  What is there already stays
        untouched until then; its permissions are kept.  A device or a pipe is written directly.

    Raises
    ------
    OSError
        If the file cannot be written; nothing is left behind.
    WidcError
        If a text for it holds what is no character, half of a pair for instance.

    Notes
    -----
    Until it is whole, the file has a name of its own in the same folder, such as
    ``.model.json.0123abcd.part``.  A process that is killed (by SIGKILL, or by a lack of power)
    leaves it there.
    """
    if is_address(path):
        with written_address(os.fspath(path)) as stream:
            yield stream
        return
    require_place(path)
    target = Path(os.path.realpath(path))
    mode = _mode_of(target)
    try:
        if mode is not None and not stat.S_ISREG(mode):
            with target.open("wb") as stream:
                yield stream
            return
        temporary, descriptor = _made_beside(target, mode)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except UnicodeEncodeError as error:
        strange = error.object[error.start : error.end]
        raise WidcError(
            f"{os.fspath(path)}: {strange!r} is not a character and cannot be written"
        ) from error
    except OSError as error:
        if error.filename is None or str(error.filename).endswith(_ENDING):
            error.filename = os.fspath(path)
        raise


def _made_beside(target: Path, mode: int | None) -> tuple[Path, int]:
    """Make a file beside another one, with its permissions and a name of its own."""
    start = os.fsencode(target.name)[:_LONGEST_START].decode("utf-8", "ignore")
    path = target.with_name(f".{start}.{os.urandom(4).hex()}{_ENDING}")
    permissions = 0o666 if mode is None else stat.S_IMODE(mode)  # the system takes the umask
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, permissions)
    if mode is not None:
        path.chmod(permissions)  # back to those that the umask took
    return path, descriptor


@contextmanager
def text_written_whole(path: str | os.PathLike[str]) -> Iterator[IO[str]]:
    """Give a UTF-8 text file to write, as `written_whole` does."""
    with written_whole(path) as stream:
        text = TextIOWrapper(stream, encoding="utf-8", newline="\n")
        yield text
        text.flush()
        text.detach()  # the file below closes itself
