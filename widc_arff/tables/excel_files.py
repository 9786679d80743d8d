"""Excel files, by openpyxl: the cells of the first sheet, as texts of a table."""

from __future__ import annotations

from datetime import date, datetime, time
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

from widc_arff.errors import TableError, WidcError
from widc_arff.tables.csv_files import TextBatch, header_names
from widc_arff.tables.table_values import label_text

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROWS = 1 << 12


class ExcelFile:
    """The first sheet of an open Excel file, with the interface of `CsvFile`.

    Parameters
    ----------
    file : binary file
        The file, which can be searched.
    source : str
        Its name, for messages.
    has_header : bool
        Whether the first row has the names of the columns.

    Raises
    ------
    TableError
        If it is not an Excel file, or its header has a fault; the message names the row.
    WidcError
        If openpyxl is not installed.
    """

    def __init__(self, file: IO[bytes], source: str, *, has_header: bool) -> None:
        try:
            from openpyxl import load_workbook  # noqa: PLC0415 - an extra, and heavy
        except ImportError as error:
            raise WidcError(
                f"Excel files need openpyxl: pip install 'widc-arff[excel]' ({error})"
            ) from error
        try:
            sheet = load_workbook(file, read_only=True, data_only=True).worksheets[0]
        except Exception as error:  # openpyxl raises whatever its parts do
            raise _fault(error, source) from error
        self.source = source
        self._rows = _rows(sheet, source)
        first = next(self._rows, None)
        if first is None:
            message = "expected a row with the names of the columns, got none"
            raise TableError(message, source)
        line, cells = first
        self.names, self.row_names = header_names(
            list(map(_text, cells)), source, line, has_header=has_header
        )
        self._waiting = [] if has_header else [first]

    def batches(self) -> Iterator[TextBatch]:
        """Yield the rows, some at a time; empty ones are passed over."""
        n_columns = len(self.names)
        while rows := self._waiting + list(islice(self._rows, _ROWS)):
            self._waiting = []
            lines, cells = zip(*rows, strict=True)
            texts = [tuple(map(_text, (*row, *[None] * n_columns)[:n_columns])) for row in cells]
            yield TextBatch(lines, list(zip(*texts, strict=True)))


def _rows(sheet: Any, source: str) -> Iterator[tuple[int, tuple[Any, ...]]]:  # noqa: ANN401 - untyped
    """Yield the rows in which something stands, each with its number."""
    rows = enumerate(sheet.iter_rows(values_only=True), start=1)
    while True:
        try:
            line, row = next(rows)
        except StopIteration:
            return
        except Exception as error:  # openpyxl raises whatever its parts do
            raise _fault(error, source) from error
        if any(map(_is_there, row)):
            yield line, row


def _fault(error: Exception, source: str) -> TableError:
    message = " ".join(str(error).split())
    return TableError(f"expected an Excel file (.xlsx) that is whole: {message}", source)


def _is_there(value: object) -> bool:
    return value is not None and value != ""


def _text(value: Any) -> str:  # noqa: ANN401 - what a cell holds
    """Return the text of a cell, as CSV would have it."""
    if value is None:
        return ""
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return label_text(value)
