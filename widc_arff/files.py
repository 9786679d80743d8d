"""Writing files whole or not at all."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[IO[str]]:
    """Give a UTF-8 text file to write; it takes its place at `path` only when all is written.

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
    target = Path(os.path.realpath(path))
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):
        with target.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        return
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask()
    temporary = NamedTemporaryFile(  # noqa: SIM115 - closed below, before the move
        "w",
        encoding="utf-8",
        newline="\n",
        dir=target.parent,
        prefix=f".{target.name}.",
        suffix=".part",
        delete=False,
    )
    try:
        with temporary as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary.name).chmod(mode)
        Path(temporary.name).replace(target)
    except BaseException:
        Path(temporary.name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    """Return the process's umask, which can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
