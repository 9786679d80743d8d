"""Files at addresses, such as ``s3://bucket/name``, by fsspec: read in place, written whole."""

from __future__ import annotations

import errno
import io
import os
import re
from contextlib import contextmanager, suppress
from glob import has_magic
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any

from widc_arff.errors import WidcError

if TYPE_CHECKING:
    from collections.abc import Iterator

_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
_BLOCK = 1 << 23
"""Bytes that are read ahead, or sent at a time: S3 takes 10,000 parts of 5 MB and more."""


def is_address(path: str | os.PathLike[str]) -> bool:
    """Tell whether a path is an address: it begins with a protocol and ``://``."""
    return _ADDRESS.match(os.fspath(path)) is not None


def store_of(address: str) -> tuple[Any, str]:
    """Return the file system of an address, as fsspec has it, and the path in it.

    Raises
    ------
    WidcError
        If a package that it takes is not installed.
    OSError
        If nothing has such addresses.
    """
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise WidcError(
            f"URLs such as {address} need fsspec: pip install 'widc-arff[stores]'"
        ) from error
    try:
        with _told(address):
            store, path = url_to_fs(address)
    except ImportError as error:
        raise WidcError(f"{address}: {error}") from error
    return store, path


def is_data(name: str) -> bool:
    """Tell whether a file of a folder holds data: marks such as _SUCCESS do not."""
    return not name.startswith((".", "_"))


def is_folder_of_store(address: str) -> bool:
    """Tell whether there are files below an address."""
    store, path = store_of(address)
    with _told(address):
        return bool(store.isdir(path))


def addresses_of(pattern: str) -> list[str]:
    """Return the addresses that a pattern means, or those of the files of a folder, in order.

    The address itself where it is neither.
    """
    store, path = store_of(pattern)
    with _told(pattern):
        found = store.glob(path) if has_magic(path) else []
        if not found and store.isdir(path):
            names = store.ls(path, detail=False)
            found = [name for name in names if is_data(name.rsplit("/", 1)[-1])]
            found = [name for name in found if not store.isdir(name)]
        return sorted(map(store.unstrip_protocol, found)) or [pattern]


def opened_address(address: str) -> io.BufferedReader:
    """Open a file at an address.

    Raises
    ------
    OSError
        If it cannot be opened; reading raises it where the connection breaks.
    """
    store, path = store_of(address)
    with _told(address):
        return io.BufferedReader(_Raw(address, store.open(path, "rb", block_size=_BLOCK)), 1 << 20)


@contextmanager
def written_address(address: str) -> Iterator[IO[bytes]]:
    """Give a file to write that is sent to an address once all is written.

    Raises
    ------
    OSError
        If it cannot be sent; then nothing is there that was not before.
    """
    store, path = store_of(address)
    with TemporaryFile() as stream:
        yield stream
        stream.seek(0)
        with _told(address):
            target = store.open(path, "wb", block_size=_BLOCK)
            try:
                while block := stream.read(_BLOCK):
                    target.write(block)
            except BaseException:
                with suppress(Exception):
                    target.discard()
                raise
            target.close()


class _Raw(io.RawIOBase):
    """A file of fsspec whose faults are OSErrors, whatever the store raises."""

    def __init__(self, address: str, file: Any) -> None:  # noqa: ANN401 - fsspec is untyped
        super().__init__()
        self.name, self._file = address, file

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return bool(self._file.seekable())

    def seek(self, offset: int, whence: int = 0, /) -> int:
        with _told(self.name):
            return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        return int(self._file.tell())

    def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401 - any buffer
        with _told(self.name):
            content = self._file.read(len(buffer))
        buffer[: len(content)] = content
        return len(content)

    def close(self) -> None:
        if not self.closed:
            with suppress(Exception):
                self._file.close()
        super().close()


@contextmanager
def _told(address: str) -> Iterator[None]:
    """Raise whatever a store raises as an OSError, with the first line of its reason."""
    try:
        yield
    except ImportError:
        raise
    except Exception as error:
        number = errno.ENOENT if isinstance(error, FileNotFoundError) else errno.EIO
        reason = getattr(error, "strerror", None) or str(error)
        reason = " ".join(reason.split())[:300] or type(error).__name__
        raise OSError(number, reason, address) from error  # a FileNotFoundError of ENOENT
