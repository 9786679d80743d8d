"""ARFF: the fast path against the careful path against reading in pieces, and writing it again."""

from __future__ import annotations

import gzip
import io
from typing import TYPE_CHECKING, NamedTuple

from tests.fuzz.drawing import damaged, encoded
from tests.fuzz.findings import DifferenceError, outcome, replaced
from tests.fuzz.targets.relations import require_same
from widc_arff.arff import reader, write_arff
from widc_arff.arff.relation import Relation
from widc_arff.errors import ArffError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fuzz.drawing import Draw

_PIECE = 96  # bytes
_TYPES = ("numeric", "real", "integer", "NUMERIC", "string", "date", "nominal", "nominal")
_DATES = (  # a format and texts in it
    ("", ("2020-02-29T12:00:00", "1970-01-01T00:00:00", "9999-12-31T23:59:59")),
    ("yyyy-MM-dd", ("2020-02-29", "1582-10-04", "0001-01-01", "2021-02-29", "99999-1-1")),
    ("dd.MM.yy", ("01.02.03", "31.12.99", "1.1.1")),
    ("'EEE, d MMM yyyy HH:mm:ss Z'", ("'Sat, 1 Jan 2000 00:00:00 +0000'", "'Sat, 1 Jan 2000'")),
    ("'HH:mm:ss.SSS'", ("12:34:56.789", "24:00:00.000", "1:1:1.1")),
    ("QQ", ("1",)),
)
_SEPARATORS = (",", ",", ",", ", ", " ", "\t", ",,", "\0")
_ROW_ENDS = ("\n",) * 12 + ("\r\n", "\r", "\n\n", " % it's a comment\n", "\n%{\n", ",\n", "\\\n")


class _Column(NamedTuple):
    kind: str
    texts: tuple[str, ...]  # of labels, or dates


def draw(draw: Draw) -> bytes:
    """Return an ARFF file; in half of the draws its rows are plain, as the fast path wants them."""
    hostile = draw.pick((0.0, 0.0, 0.05, 0.3))
    columns: list[_Column] = []
    lines = [f"{_keyword(draw, '@relation')} {_quoted(draw, draw.text(hostile), hostile)}"]
    for name in draw.names(1, 5, hostile / 2):
        lines += _declaration(draw, name, columns, hostile)
    lines.append(_keyword(draw, "@data"))
    head = "\n".join(lines) + draw.pick(("\n", "\n", "\n", "\r\n", " "))
    rows = [_row(draw, columns, hostile) for _ in range(draw.upto(draw.pick((2, 6, 12))))]
    data = encoded(head + "".join(rows))
    if draw.chance(0.2):
        data = damaged(draw, data)
    if draw.chance(0.02):
        data = gzip.compress(data, 1)
        data = damaged(draw, data) if draw.chance(0.5) else data
    return data if draw.chance(0.98) else b"\xef\xbb\xbf" + data


def check(data: bytes, folder: Path) -> bool:
    """Read the file on every way; write what was read, and read it again."""
    fast = outcome(lambda: reader.read_arff(io.BytesIO(data)))
    with replaced(reader, FastReader=_NoFastReader):
        careful = outcome(lambda: reader.read_arff(io.BytesIO(data)))
    require_same("fast and careful", fast, careful)
    pieces = outcome(lambda: _joined(data))
    require_same("whole and in pieces", fast, pieces)
    if isinstance(fast, str):
        return False
    file = io.BytesIO()
    try:
        write_arff(fast, file)
        again = reader.read_arff(io.BytesIO(file.getvalue()))
    except ArffError as error:
        raise DifferenceError("read and written again", str(error)) from error
    require_same("read and written again", fast, again, to_the_bit=False)
    return True


def _keyword(draw: Draw, keyword: str) -> str:
    return keyword if draw.chance(0.9) else draw.pick((keyword.upper(), f"'{keyword}'", "@x"))


def _quoted(draw: Draw, text: str, hostile: float) -> str:
    """Return a text as it stands in a file; in a share of the draws without due quotes."""
    if text.isalnum() and draw.chance(0.8):
        return text
    if draw.chance(hostile / 10):
        return text
    mark = draw.pick("'\"") if not text.isalnum() else draw.pick(("'", '"', ""))
    escaped = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    return mark + (escaped.replace(mark, "\\" + mark) if mark else text) + mark


def _declaration(draw: Draw, name: str, columns: list[_Column], hostile: float) -> list[str]:
    kind = draw.pick(_TYPES)
    texts: tuple[str, ...] = ()
    said = kind
    if kind == "nominal":
        texts = tuple(_quoted(draw, text, hostile) for text in draw.names(0, 5, hostile))
        said = "{" + draw.pick((",", ", ", " ")).join(texts) + "}"
    elif kind == "date":
        form, texts = draw.pick(_DATES)
        said = f"date {form}"
    if draw.chance(hostile / 4):
        said += " {" + draw.number() + "}"
    line = f"{_keyword(draw, '@attribute')} {_quoted(draw, name, hostile)} {said}"
    if draw.chance(hostile / 6):
        columns.append(_Column("relational", ()))
        return [f"@attribute r{name} relational", line, f"@end r{name}"]
    columns.append(_Column(kind, texts))
    return [line]


def _row(draw: Draw, columns: list[_Column], hostile: float) -> str:
    places = range(len(columns))
    if draw.chance(hostile / 3):  # sparse
        cells = [f"{i} {_cell(draw, columns[i], hostile)}" for i in places if draw.chance(0.5)]
        row = "{" + ", ".join(cells) + draw.pick(("}", "}", "}", " }", ""))
    else:
        separator = "," if not hostile else draw.pick(_SEPARATORS)
        row = separator.join(_cell(draw, columns[i], hostile) for i in places)
    if draw.chance(hostile / 20):
        row += draw.pick((",1", " x", "'", ",", "}"))
    if draw.chance(hostile / 4):
        row += f", {{{draw.number()}}}"
    return row + ("\n" if draw.chance(0.8) else draw.pick(_ROW_ENDS))


def _cell(draw: Draw, column: _Column, hostile: float) -> str:
    if draw.chance(0.08):
        return "?"
    if draw.chance(hostile / 30):
        return draw.text(0.8)
    if column.texts:
        return draw.pick(column.texts)
    if column.kind in ("string", "nominal"):
        return _quoted(draw, draw.text(hostile), hostile)
    if column.kind == "relational":
        return draw.pick(("'1'", "'a\\nb'", "'1,2\\n3,4'", '"?"', "''", "'\\'a\\''"))
    return draw.number(hostile / 30)


class _NoFastReader:
    def __init__(self, _cells: object) -> None:
        pass

    def read(self, _chunk: bytes) -> None:
        return None


def _joined(data: bytes) -> Relation:
    return Relation.joined(
        list(reader.read_pieces(io.BytesIO(data), most_cells=1, chunk_size=_PIECE))
    )
