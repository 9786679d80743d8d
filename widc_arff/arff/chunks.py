"""The bytes of an ARFF file: opened, unpacked, in UTF-8, and cut at line ends.

Whatever the file is (a path, standard input, an open file, compressed, in some encoding), what
comes out is a stream of chunks in UTF-8 that hold whole lines.
"""

from __future__ import annotations

import codecs
import os
import sys
import zlib
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from widc_arff.arff.lexer import LINE_END, SourceText
from widc_arff.errors import ArffError, listed
from widc_arff.system.files import file_advice, opened_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

CHUNK_SIZE = 1 << 18
"""Bytes of a chunk: all that is computed from it stays in the cache."""
_LONG_LINE = 1 << 11
"""Lines of more bytes come in chunks eight times as large: each column of a chunk has its cost."""

LONGEST_LINE = 1 << 25
"""Bytes of a line at most: more is no table, or a compressed file that was made to fill memory."""

_BLOCK_SIZE = 1 << 20  # bytes unpacked at once
GZIP_MAGIC = b"\x1f\x8b"
_ZIP_MAGIC = b"PK\x03\x04"
_IN_MEMORY = 1 << 24  # bytes of a zip archive
_GZIP_WINDOW = 31  # the largest window, in a gzip wrapper
_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_SAMPLE_SIZE = 64
# Which of four bytes are zero in Latin letters, most of them at least, and no other one.
_WIDE_CHARACTERS: dict[tuple[bool, ...], str] = {
    (False, True, False, True): "utf-16-le",
    (True, False, True, False): "utf-16-be",
    (False, True, True, True): "utf-32-le",
    (True, True, True, False): "utf-32-be",
}


class Readable(Protocol):
    """An open file, binary or text."""

    def read(self, size: int, /) -> bytes | str:
        """Return up to `size` bytes or characters; nothing at the end."""


File = str | os.PathLike[str] | Readable


@contextmanager
def opened(path_or_file: File) -> Iterator[tuple[Readable, str]]:
    """Open a file for reading; give it and its name for messages.

    Files that the caller opened, standard input among them, stay open.

    Raises
    ------
    ArffError
        If there is no such file, or it cannot be read.
    """
    if path_or_file == "-":
        yield sys.stdin.buffer, "<stdin>"
    elif isinstance(path_or_file, str | os.PathLike):
        name = os.fspath(path_or_file)
        try:
            file = opened_file(name)
        except FileNotFoundError:
            raise ArffError(f"there is no such file{file_advice(name)}", name) from None
        except IsADirectoryError:
            raise ArffError("this is a directory, not a file", name) from None
        except (OSError, ValueError) as error:
            raise ArffError(f"cannot be opened: {_reason(error)}", name) from error
        with file:
            yield file, name
    else:
        given_name = getattr(path_or_file, "name", None)  # a number, for a file descriptor
        yield path_or_file, given_name if isinstance(given_name, str) else "<file>"


def line_chunks(
    file: Readable, source: str, encoding: str, chunk_size: int | None = None
) -> Iterator[bytes]:
    """Yield the content of `file` in UTF-8, without a byte-order mark, cut after line ends.

    Parameters
    ----------
    file : binary or text file
        Compressed files (gzip) are recognised by their first bytes.
    source : str
        Name of the file, for messages.
    encoding : str
        The encoding of a binary file.
    chunk_size : int, optional
        Bytes of a chunk; by default `CHUNK_SIZE`.

    Yields
    ------
    bytes
        About `chunk_size` each, of long lines more.  When the encoding is UTF-8 they are not
        checked to be valid.

    Raises
    ------
    ArffError
        If the file cannot be read, unpacked or decoded, or a line does not end.
    """
    codec_name, size = codec(encoding), chunk_size or CHUNK_SIZE
    blocks = _starting_with(3, _blocks(file, source, 4 * size))
    first = next(blocks, b"")
    blocks = _chain(first, blocks)
    blocks = unpacked(blocks, source)
    if not _is_text(file) and not codec_name.startswith(("utf-16", "utf-32")):
        blocks = _starting_with(_SAMPLE_SIZE, blocks)
        first = next(blocks, b"")
        _require_no_wide_characters(first[:_SAMPLE_SIZE], source)
        blocks = _chain(first, blocks)
    if codec_name not in ("utf-8", "utf-8-sig") and not _is_text(file):
        blocks = _recoded(blocks, source, codec_name, encoding)
    blocks = _starting_with(3, blocks)
    first = next(blocks, b"").removeprefix(codecs.BOM_UTF8)
    yield from _cut(_slices(_chain(first, blocks), size), source, size)


def decoded(chunk: bytes, source: str, first_line: int, encoding: str = "utf-8") -> str:
    """Return the text of a chunk in UTF-8.

    Raises
    ------
    ArffError
        At the first byte that is no part of a character.
    """
    try:
        return chunk.decode()
    except UnicodeDecodeError as error:
        text = SourceText(chunk.decode(errors="replace"), source, first_line)
        offset = len(chunk[: error.start].decode())
        is_utf_16 = first_line == 1 and chunk.startswith(_UTF_16_MARKS)
        advice = "utf-16" if is_utf_16 else "latin-1"
        raise text.error(_misfit(chunk[error.start], encoding, advice), offset) from error


def count_lines(chunk: bytes) -> int:
    r"""Return the number of line ends; ``\r\n`` is one."""
    n_lines = chunk.count(b"\n")
    if b"\r" in chunk:
        n_lines += chunk.count(b"\r") - chunk.count(b"\r\n")
    return n_lines


def codec(encoding: str) -> str:
    """Return the name of an encoding as Python spells it.

    Raises
    ------
    ArffError
        If there is no such encoding.
    """
    try:
        name = codecs.lookup(encoding).name
        b" ".decode(encoding, "replace")
    except (LookupError, ValueError) as error:
        raise ArffError(f"unknown encoding {encoding!r}") from error
    return name


def _is_text(file: Readable) -> bool:
    return hasattr(file, "encoding")


def _require_no_wide_characters(head: bytes, source: str) -> None:
    """Raise if the first bytes are Latin letters of two or four bytes each."""
    quarters = [head[place::4] for place in range(4)]
    if not quarters[3] or any(0 < part.count(0) < len(part) / 2 for part in quarters):
        return
    encoding = _WIDE_CHARACTERS.get(tuple(part.count(0) > 0 for part in quarters))
    if encoding is not None:
        marked = head.startswith(_UTF_16_MARKS)
        advice = encoding[:6] if marked else encoding
        raise ArffError(
            f"expected text in the given encoding, got zero bytes, as in {encoding.upper()}; "
            f"try --encoding {advice}",
            source,
        )


def _blocks(file: Readable, source: str, block_size: int) -> Iterator[bytes]:
    while True:
        try:
            block = file.read(block_size)
            if isinstance(block, str):
                block = block.encode()
        except UnicodeError as error:
            raise ArffError(f"the text cannot be read: {error}", source) from error
        except OSError as error:
            raise ArffError(f"cannot be read: {_reason(error)}", source) from error
        if not block:
            return
        yield block


def _starting_with(n_bytes: int, blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the same bytes, with a first block of at least `n_bytes` where there are as many."""
    first = b""
    for block in blocks:
        first += block
        if len(first) >= n_bytes:
            break
    yield first
    yield from blocks


def _chain(first: bytes, blocks: Iterable[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from blocks


def unpacked(blocks: Iterator[bytes], source: str) -> Iterator[bytes]:
    """Yield the bytes of a file, unpacked if they are packed, a block at a time.

    What they are packed with, their first bytes say.

    Raises
    ------
    ArffError
        If they are damaged, or packed in a way that is not read here.
    """
    blocks = _starting_with(_LONGEST_MAGIC, blocks)
    first = next(blocks, b"")
    blocks = _chain(first, blocks)
    packing = next((p for p in _PACKINGS if first.startswith(p.magic)), None)
    if packing is not None:
        return unpacked(_members(blocks, packing, source), source)
    if first.startswith(_ZIP_MAGIC):
        return unpacked(_only_member(blocks, source), source)
    foreign = next((what for magic, what in _FOREIGN.items() if first.startswith(magic)), None)
    is_text = first.startswith(_MAY_BE_NAMES) and b"\0" not in first
    if foreign is not None and not is_text:
        raise ArffError(f"expected a text, got {foreign}", source)
    return blocks


class _Gzip:
    """Unpacks a member of a gzip file, with the interface of `bz2` and `lzma`."""

    def __init__(self) -> None:
        self._unpacker = zlib.decompressobj(_GZIP_WINDOW)

    @property
    def eof(self) -> bool:
        return self._unpacker.eof

    @property
    def unused_data(self) -> bytes:
        return self._unpacker.unused_data

    def decompress(self, data: bytes, size: int) -> bytes:
        return self._unpacker.decompress(self._unpacker.unconsumed_tail + data, size)


class _Packing(NamedTuple):
    """A way to pack one file: its first bytes, and what unpacks it."""

    magic: bytes
    name: str
    module: str
    unpacker: str
    error: str

    def found(self, source: str) -> tuple[Callable[[], Any], type[Exception]]:
        """Return what makes an unpacker, and what it raises; imported with the first such file."""
        if self.name == "gzip":
            return _Gzip, zlib.error
        try:
            module = import_module(self.module)
        except ImportError as error:
            message = f"expected a text, got a {self.name} file, which this Python cannot unpack"
            raise ArffError(message, source) from error
        return getattr(module, self.unpacker), getattr(module, self.error, OSError)


_PACKINGS = [
    _Packing(GZIP_MAGIC, "gzip", "zlib", "decompressobj", "error"),
    _Packing(b"BZh", "bzip2", "bz2", "BZ2Decompressor", "OSError"),
    _Packing(b"\xfd7zXZ\0", "xz", "lzma", "LZMADecompressor", "LZMAError"),
    _Packing(b"(\xb5/\xfd", "zstd", "compression.zstd", "ZstdDecompressor", "ZstdError"),
]
_FOREIGN = {
    b"\xd0\xcf\x11\xe0": "an old Excel file: save it as CSV",
    b"RDX2\n": "an R workspace (.RData): write a table with write.csv in R",
    b"RDX3\n": "an R workspace (.RData): write a table with write.csv in R",
    b"RDA2\n": "an R workspace (.RData): write a table with write.csv in R",
    b"RDA3\n": "an R workspace (.RData): write a table with write.csv in R",
    b"X\n\0\0\0": "an R object (.rds): write the table with write.csv in R",
    b"\x80\x04\x95": "an object that Python saved (.pkl): write it with to_csv or to_parquet",
    b"\x80\x05\x95": "an object that Python saved (.pkl): write it with to_csv or to_parquet",
    b"\x93NUMPY": "a numpy array: write it with numpy.savetxt, or use the estimator",
    b"\x89HDF": "an HDF5 file: write its table as CSV or Parquet",
    b"$FL2": "an SPSS file (.sav): save it as CSV",
    b"<stata_dta>": "a Stata file (.dta): save it as CSV",
    b"SQLite format 3": "an SQLite database: write its table as CSV",
    b"%PDF-": "a PDF document: a table is CSV, ARFF or Parquet",
    b"PAR1": "a Parquet file with another ending: give it a name that ends in .parquet",
    b"ARROW1": "a Feather file with another ending: give it a name that ends in .feather",
    b"ORC": "an ORC file with another ending: give it a name that ends in .orc",
    b"Obj\x01": "an Avro file: write it as CSV or Parquet",
}
_MAY_BE_NAMES = (b"PAR1", b"ARROW1", b"ORC")  # of a column: zeros follow where they are none
_LONGEST_MAGIC = max(map(len, _FOREIGN))


def _members(blocks: Iterable[bytes], packing: _Packing, source: str) -> Iterator[bytes]:
    """Unpack data of one or more members, at most a block at a time."""
    new_unpacker, its_error = packing.found(source)
    unpacker = new_unpacker()
    for block in blocks:
        packed, has_more = block, False
        while packed or has_more:
            if unpacker.eof:
                packed = packed.lstrip(b"\0")  # padding between and after the members
                if not packed:
                    break
                unpacker = new_unpacker()
            try:
                content = unpacker.decompress(packed, _BLOCK_SIZE)
            except (its_error, EOFError, OSError) as error:
                raise ArffError(f"damaged {packing.name} file: {error}", source) from error
            if content:
                yield content
            has_more = len(content) == _BLOCK_SIZE and not unpacker.eof
            packed = unpacker.unused_data if unpacker.eof else b""
    if not unpacker.eof:
        raise ArffError(f"damaged {packing.name} file: it ends too early", source)


def _only_member(blocks: Iterable[bytes], source: str) -> Iterator[bytes]:
    """Unpack the file in a zip archive, which holds one alone."""
    from tempfile import SpooledTemporaryFile  # noqa: PLC0415 - few need it
    from zipfile import BadZipFile, ZipFile  # noqa: PLC0415

    with SpooledTemporaryFile(_IN_MEMORY) as copy:
        for block in blocks:
            copy.write(block)
        try:
            with ZipFile(copy) as archive:
                names = [info.filename for info in archive.infolist() if not info.is_dir()]
                names = [name for name in names if not name.startswith("__MACOSX/")]
                if "[Content_Types].xml" in names:
                    raise ArffError("expected a text, got an Excel file: name it .xlsx", source)
                if len(names) != 1:
                    raise ArffError(
                        f"expected one file in a zip archive, got {len(names)} ({listed(names)})",
                        source,
                    )
                with archive.open(names[0]) as member:
                    while block := member.read(_BLOCK_SIZE):
                        yield block
        except (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            raise ArffError(f"damaged zip archive: {error}", source) from error


def _recoded(blocks: Iterable[bytes], source: str, codec: str, encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(codec)()
    line = 1
    for block, is_last in _with_last(blocks):
        try:
            text = decoder.decode(block, final=is_last).encode()
        except UnicodeError as error:
            if isinstance(error, UnicodeDecodeError):
                good = error.object[: error.start].decode(encoding, "ignore")
                line += sum(1 for _ in LINE_END.finditer(good))
                message = _misfit(error.object[error.start], encoding, "utf-8")
            else:
                message = f"the text does not fit the encoding {encoding}: {error}"
            raise ArffError(message, source, line) from error
        line += count_lines(text)
        yield text


def _with_last(blocks: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    for block in blocks:
        yield block, False
    yield b"", True


def _slices(blocks: Iterable[bytes], chunk_size: int) -> Iterator[bytes]:
    for block in blocks:
        for start in range(0, len(block), chunk_size):
            yield block[start : start + chunk_size]


def _cut(blocks: Iterable[bytes], source: str, chunk_size: int) -> Iterator[bytes]:
    pending: list[bytes] = []
    size, since_end, n_lines, line = 0, 0, 0, 1
    for block in blocks:
        pending.append(block)
        size += len(block)
        n_lines += block.count(b"\n")
        last = block.rfind(b"\n")
        since_end = len(block) - last - 1 if last >= 0 else since_end + len(block)
        least = chunk_size if size <= n_lines * _LONG_LINE else 8 * chunk_size
        end = _end_of_lines(block) if size >= least else 0
        if end:
            pending[-1] = block[:end]
            chunk = b"".join(pending)
            yield chunk
            line += count_lines(chunk)
            pending = [block[end:]]
            size, n_lines = len(block) - end, 0
            since_end = size
        elif since_end > LONGEST_LINE:
            line += count_lines(b"".join(pending))
            raise ArffError(
                f"expected lines of at most {LONGEST_LINE:,} bytes, got a longer one", source, line
            )
    if size:
        yield b"".join(pending)


def _end_of_lines(block: bytes) -> int:
    r"""Return the end of the last line of which it is sure that it ends there.

    A line end after a backslash may be part of a quoted value, and a final ``\r`` half of a line
    end.  All other line ends are ends, since no quoted value goes on after them.
    """
    for character, stop in ((b"\n", len(block)), (b"\r", len(block) - 1)):
        position = block.rfind(character, 1, stop)
        while position > 0 and block[position - 1] == ord("\\"):
            position = block.rfind(character, 1, position)
        if position > 0:
            return position + 1
    return 0


def _misfit(byte: int, encoding: str, advice: str) -> str:
    return (
        f"byte 0x{byte:02x} does not fit the encoding {encoding}; if the file has another one, give"
        f" it, as in --encoding {advice}"
    )


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)
