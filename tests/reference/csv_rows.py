"""CSV written row by row with the csv module, each cell by itself."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from widc_arff.arff.dates import DEFAULT_FORMAT, DateFormat

if TYPE_CHECKING:
    from widc_arff.arff.relation import Attribute, Relation


def csv_rows(table: Relation, delimiter: str) -> str:
    """Return the lines of a relation, without the one of the names."""
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\r\n")
    lines = []
    for row in table.rows():
        stream.seek(0)
        stream.truncate()
        writer.writerow(_cell(*of) for of in zip(table.attributes, row, strict=True))
        lines.append(stream.getvalue().removesuffix("\r\n") + "\n")
    return "".join(lines)


def _cell(attribute: Attribute, value: object) -> str:
    if not isinstance(value, float):
        return "" if value is None else str(value)
    if attribute.type == "date":
        return DateFormat(attribute.format or DEFAULT_FORMAT).format(value)
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
