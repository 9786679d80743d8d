"""Texts that stand where numbers or dates are expected, and what is said of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from widc_arff.tables.table_values import MANY_NUMBERS, are_stray, has_other_mark, plain_number

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from widc_arff.tables.cells import Cells

LONGEST_SHOWN = 80
"""Letters of a cell that a message shows."""
_OTHER_MARK = {
    ".": "a decimal point, got {0}; commas in numbers are not read, since 1,234 can be two "
    "numbers: write 1.5 for 1,5 and 1234 for 1,234",
    ",": "a decimal comma, got {0}; points in numbers are not read with --decimal , since 1.234 "
    "can be two numbers: write 1,5 for 1.5 and 1234 for 1.234",
}


def require_own_mark(cells: Cells, words: Sequence[str], numbers: Mapping[str, str]) -> None:
    """Raise if texts are numbers with the other decimal sign, and the rest numbers or stray."""
    marked = {text for text in words if text not in numbers and has_other_mark(text, cells.decimal)}
    rest = [text for text in words if text not in numbers and text not in marked]
    n_numbers = len(numbers) + len(marked)
    if not marked or (rest and (n_numbers <= MANY_NUMBERS or not _are_stray(cells, rest, words))):
        return
    advice = ""
    thousands = [text for text in words if text in marked and plain_number(text, ",") is None]
    if cells.decimal == "." and not thousands and all(plain_number(n, ",") for n in numbers):
        advice = ", or use --decimal , if all commas are decimal"
    found = next(text for text in thousands or words if text in marked)
    raise cells.fault(
        found, f"expected numbers with {_OTHER_MARK[cells.decimal].format(shown(found))}{advice}"
    )


def _are_stray(cells: Cells, others: Sequence[str], words: Sequence[str]) -> bool:
    share = 1 - cells.rows_of(set(others)) / cells.rows_of(set(words))
    return are_stray(len(others), len(words) - len(others), share)


def require_no_stray_text(
    cells: Cells, kind: str, regular: Collection[str], *, measured: bool
) -> None:
    """Raise TableError for stray texts among measured values; tell a single word among few."""
    words = cells.words
    others = [text for text in words if text not in regular]
    name = f"--nominal {cells.name!r}"
    if measured and _are_stray(cells, others, words):
        n_known = cells.rows_of(set(words))
        n_regular = n_known - cells.rows_of(set(others))
        raise cells.fault(
            others[0],
            f"expected a {kind} as in {n_regular} of {n_known} rows, got {shown(others[0])}; "
            f"write ? if it stands for a missing value, or take all as labels with {name}",
        )
    if len(others) == 1 and len(regular) > 1 and not re.search("[0-9]", others[0]):
        cells.tell(
            others[0],
            f"{shown(others[0])} among {len(regular)} {kind}s makes all of them labels; write ? "
            f"if it stands for a missing value, or confirm with {name}",
        )


def shown(text: str) -> str:
    """Return a text in quotes, cut where it is long."""
    return repr(text) if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]!r}..."
