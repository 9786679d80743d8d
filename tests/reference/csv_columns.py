"""The columns of a CSV file as plain code reads them: whole, by the csv module, text by text."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np

from widc_arff.arff.columns import cells as cells_of_column
from widc_arff.tables.cells import Cells, Origin
from widc_arff.tables.table_values import MISSING_WORDS


def columns_of(text: str, separator: str) -> list[tuple[Any, list[Any]]]:
    """Return the attribute and the values of each column, as their texts are."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
    names, *rows = [row for row in reader if row]
    rows = [row for row in rows if len(row) == len(names)]  # the others are blank
    found = []
    for i, name in enumerate(names):
        cells = [row[i].strip() for row in rows]
        texts = list(dict.fromkeys(cells))
        codes = np.array([texts.index(cell) for cell in cells], np.int64)
        attribute, column = Cells(name.strip(), texts, codes, MISSING_WORDS, Origin("")).inferred()
        found.append((attribute, cells_of_column(attribute, column)))
    return found
