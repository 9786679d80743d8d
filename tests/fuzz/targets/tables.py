"""CSV and Parquet: types found and declared, and what is written read again."""

from __future__ import annotations

import gzip
import io
import json
from contextlib import redirect_stderr
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.fuzz.drawing import HOSTILE, NUMBERS, damaged, encoded
from tests.fuzz.findings import inspect_text, outcome
from tests.fuzz.targets.relations import require_same
from widc_arff.arff.relation import Relation
from widc_arff.cli.common import show_types
from widc_arff.tables import read_table, write_to
from widc_arff.tables.type_summary import types_in_words
from widc_arff.tables.uses import TableOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from tests.fuzz.drawing import Draw

_DATES = ("2020-02-29", "1999-12-31T23:59:59Z", "2020-01-01 00:00", "0001-01-01", "2020-02-30")
_MISSING = ("", "NA", "?", "nan", "N/A", "null", "-", "None", "#N/A", "NULL")
_TRUTH = ("true", "false", "True", "FALSE", "yes", "no", "0", "1", "T", "F")
_IDS = ("9007199254740993", "9007199254740992", "007", "7", "1e2", "100", "1E2", "7.0")


def draw_csv(draw: Draw) -> bytes:
    """Return a CSV file."""
    hostile = draw.pick((0.0, 0.02, 0.2))
    names = draw.names(1, 5, hostile)
    delimiter = draw.pick((",", ",", ",", ";", "\t"))
    kinds = [_kind(draw, hostile) for _ in names]
    lines = [delimiter.join(_csv_cell(draw, name, delimiter, hostile) for name in names)]
    for _ in range(draw.upto(draw.pick((3, 10, 30)))):
        cells = [_csv_cell(draw, kind(), delimiter, hostile) for kind in kinds]
        if draw.chance(hostile / 20):
            cells.append("x")
        lines.append(delimiter.join(cells))
    end = draw.pick(("\n", "\n", "\r\n", "\r" if draw.chance(0.1) else "\n"))
    if draw.chance(0.02):
        lines.insert(0, draw.pick(("sep=;", "sep=,", "", "\ufeff", "# comment")))
    text = end.join(lines) + draw.pick((end, ""))
    data = encoded(("\ufeff" if draw.chance(0.03) else "") + text)
    if draw.chance(0.15):
        data = damaged(draw, data)
    return gzip.compress(data, 1) if draw.chance(0.01) else data


def check_csv(data: bytes, folder: Path) -> bool:
    """Read the file with types found, with a class, and declared; write it and read it again."""
    return _check(
        lambda **options: read_table(io.BytesIO(data), "csv", TableOptions(**options)), "csv"
    )


def draw_parquet(draw: Draw) -> bytes:
    """Return a Parquet file."""
    hostile = draw.pick((0.0, 0.05, 0.3))
    names = [name.replace("\ud800", "").replace("\udfff", "") for name in draw.names(1, 4, hostile)]
    n_rows = draw.upto(draw.pick((0, 3, 10, 30)))
    arrays = [_parquet_column(draw, n_rows) for _ in names]
    table = pa.Table.from_arrays(arrays, names=names)
    if draw.chance(0.1):
        index = draw.pick(([names[0]], [draw.text()], [None], [{"kind": "range"}], 3, [[]]))
        content = {"index_columns": index, "columns": draw.json_value()}
        text = json.dumps(content) if draw.chance(0.7) else draw.text(1)
        table = table.replace_schema_metadata({"pandas": encoded(text)})
    file = io.BytesIO()
    packing = draw.pick(("snappy", "none", "gzip"))
    pq.write_table(table, file, compression=packing, use_dictionary=draw.chance(0.5))
    return damaged(draw, file.getvalue()) if draw.chance(0.3) else file.getvalue()


def check_parquet(data: bytes, folder: Path) -> bool:
    """Read the file as a CSV file is read."""
    return _check(
        lambda **options: read_table(io.BytesIO(data), "parquet", TableOptions(**options)),
        "parquet",
    )


def _check(read: Callable[..., Relation], form: str) -> bool:
    found = outcome(read)
    labelled = outcome(lambda: read(target="last"))
    if isinstance(found, str):
        return not isinstance(labelled, str)
    attributes = found.attributes
    with redirect_stderr(io.StringIO()) as stream:
        show_types(types_in_words(found, "data.csv", None))
    inspect_text(stream.getvalue(), None, "types in words")
    outcome(lambda: read(nominal=[attributes[0].name], ignore=[attributes[-1].name]))
    # Each column as what its neighbour is.
    shifted = zip(attributes, (*attributes[1:], attributes[0]), strict=True)
    outcome(lambda: read(declared={one.name: _renamed(other, one.name) for one, other in shifted}))
    declared = {attribute.name: attribute for attribute in attributes}
    require_same(
        "types found and declared", found, outcome(lambda: _only(read(declared=declared), declared))
    )
    file = io.BytesIO()
    write_to(found, file, form)
    written = file.getvalue()
    again = outcome(lambda: read_table(io.BytesIO(written), form, TableOptions(declared=declared)))
    require_same("written and read again", found, again, to_the_bit=False)
    return True


def _only(relation: Relation, names: Collection[str]) -> Relation:
    """Return the columns with given names: others, such as an index, nobody asked for."""
    places = [i for i, attribute in enumerate(relation.attributes) if attribute.name in names]
    attributes = tuple(relation.attributes[i] for i in places)
    columns = tuple(relation.columns[i] for i in places)
    return Relation(relation.name, attributes, columns, relation.weights)


def _renamed(attribute: Any, name: str) -> Any:
    return type(attribute)(name, attribute.type, attribute.values, format=attribute.format)


def _kind(draw: Draw, hostile: float) -> Callable[[], str]:
    """Return what draws the cells of a column."""
    absent = draw.pick((0.0, 0.0, 0.1, 0.5))
    word = draw.pick(_MISSING) if draw.chance(0.4) else ""
    texts = draw.names(1, 6, hostile) if draw.chance(0.9) else [*HOSTILE]
    kinds: tuple[Callable[[], str], ...] = (
        lambda: draw.number(hostile / 50),
        lambda: str(draw.upto(5)),
        lambda: draw.pick(texts),
        lambda: draw.pick(_DATES[: 4 + draw.chance(hostile)]),
        lambda: draw.pick(_TRUTH[:2]),
        lambda: draw.pick(_TRUTH),
        lambda: draw.pick(_IDS),
        lambda: draw.text(hostile),
        lambda: f"id {draw.upto(1000)}",
        lambda: draw.pick(_MISSING),
        lambda: draw.pick(NUMBERS),
    )
    one = draw.pick(kinds)
    return lambda: word if draw.chance(absent) else one()


def _csv_cell(draw: Draw, text: str, delimiter: str, hostile: float) -> str:
    needs = any(mark in text for mark in (delimiter, '"', "\n", "\r")) or text[:1] == " "
    if (needs and not draw.chance(hostile / 4)) or draw.chance(0.03):
        return '"' + text.replace('"', '""') + '"'
    return text


def _parquet_column(draw: Draw, n_rows: int) -> Any:
    absent = draw.pick((0.0, 0.0, 0.2, 1.0))

    def column(kind: Any, one: Callable[[], Any]) -> Any:
        return pa.array([None if draw.chance(absent) else one() for _ in range(n_rows)], kind)

    def text() -> str:
        return draw.text(0.3).encode("utf-8", "replace").decode()

    def moment() -> datetime:
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=draw.gauss(0, 20_000))

    large = (0, 1, -1, 7, 2**53, 2**53 + 1, 2**62, 2**63 - 1)
    number = (0.0, -0.0, 1.5, 1e308, 5e-324, float("inf"), float("nan"), 3.0, 1.0, 2.0)
    unit, zone = draw.pick(("s", "ms", "us", "ns")), draw.pick((None, "UTC", "Europe/Berlin"))
    kinds: tuple[Callable[[], Any], ...] = (
        lambda: column(draw.pick((pa.int8(), pa.int64(), pa.uint16())), lambda: draw.upto(5)),
        lambda: column(draw.pick((pa.int64(), pa.uint64())), lambda: abs(draw.pick(large))),
        lambda: column(pa.int64(), lambda: draw.pick(large)),
        lambda: column(draw.pick((pa.float64(), pa.float32())), lambda: draw.pick(number)),
        lambda: column(pa.float16(), lambda: np.float16(draw.upto(9))),
        lambda: column(pa.decimal128(38, 3), lambda: draw.pick((1, 0, 10**30))),
        lambda: column(pa.bool_(), lambda: draw.chance(0.5)),
        lambda: column(pa.null(), lambda: None),
        lambda: column(draw.pick((pa.string(), pa.large_string())), text),
        lambda: column(pa.string(), text).dictionary_encode(),
        lambda: column(pa.int64(), lambda: draw.pick(large)).dictionary_encode(),
        lambda: column(pa.float64(), lambda: draw.pick(number)).dictionary_encode(),
        lambda: column(pa.timestamp(unit, zone), moment),
        lambda: column(draw.pick((pa.date32(), pa.date64())), lambda: moment().date()),
        lambda: column(pa.timestamp("ms"), lambda: draw.pick((2**50, -(2**55), 2**62))),
        lambda: column(pa.time64("us"), lambda: moment().time()),
        lambda: column(pa.duration(unit), lambda: timedelta(seconds=draw.upto(9))),
        lambda: column(pa.list_(pa.int64()), lambda: [1]),
        lambda: column(pa.struct([("a", pa.int64())]), lambda: {"a": 1}),
        lambda: column(pa.binary(), lambda: encoded(draw.text())),
    )
    # Types that are refused come rarely.
    return draw.pick(kinds[:15] if draw.chance(0.97) else kinds)()
