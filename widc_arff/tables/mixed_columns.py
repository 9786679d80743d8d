"""Texts that stand where numbers or dates are expected, and what is said of them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from widc_arff.tables.readings import dates_of, signed_number, styles_of
from widc_arff.tables.table_values import (
    MANY_NUMBERS,
    are_stray,
    has_other_mark,
    is_measured,
    plain_number,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from widc_arff.tables.cells import Cells
    from widc_arff.tables.readings import DateStyle

LONGEST_SHOWN = 80
"""Letters of a cell that a message shows."""
_OTHER_MARK = {
    ".": "a decimal point, got {0}; commas in numbers are refused, because 1,234 can be two "
    "numbers: write 1.5 for 1,5 and 1234 for 1,234",
    ",": "a decimal comma, got {0}; points are refused with --decimal , because 1.234 "
    "can be two numbers: write 1,5 for 1.5 and 1234 for 1.234",
}


def in_own_style(cells: Cells, words: Sequence[str], *, measured: bool = False) -> Cells | None:
    """Return a column whose texts are all numbers in one other style, with that style, and say so.

    None where they are in none.

    Parameters
    ----------
    cells : Cells
        The column.
    words : sequence of str
        Its distinct texts that are values.
    measured : bool
        As in `styles_of`.

    Raises
    ------
    TableError
        If they can be read as different numbers.
    """
    styles = styles_of(words, cells.style, measured=measured)
    if not styles:
        return None
    if len(styles) > 1:
        found = next(w for w in words if len({style.plain(w) for style in styles}) > 1)
        first, second = (style.plain(found) for style in styles[:2])
        raise cells.fault(
            found,
            f"expected numbers that can be read in one way only, got {shown(found)}, which is "
            f"{first} or {second}: choose with --decimal , or --thousands {styles[-1].thousands!r}",
        )
    style = styles[0]
    found = next(word for word in words if cells.style.plain(word) is None)
    cells.tell(
        found,
        f"{shown(found)} is read as the number {style.plain(found)}, {style.in_words()}; "
        f"--nominal {cells.name!r} reads all as labels",
    )
    return replace(cells, style=style)


def dates_of_one_style(cells: Cells, words: Sequence[str]) -> DateStyle | None:
    """Return the style in which all texts of a column are dates; None if there is none.

    Says so of styles other than ISO 8601, and where the texts can be read in several.
    """
    styles = dates_of(words, cells.formats)
    if len(styles) > 1:
        formats = " or ".join(style.format for style in styles)
        cells.tell(
            words[0],
            f"{shown(words[0])} can be a date of the format {formats}, and is read as a label; "
            "--dates FORMAT chooses",
        )
        return None
    if styles and styles[0].format and not cells.formats:
        advice = f"--nominal {cells.name!r} reads all as labels"
        cells.tell(words[0], f"{shown(words[0])} is read as a date, {styles[0].format}; {advice}")
    return styles[0] if styles else None


def require_own_mark(cells: Cells, words: Sequence[str], numbers: Mapping[str, str]) -> None:
    """Raise if texts are numbers with the other decimal mark, and the rest numbers or stray."""
    decimal = cells.style.decimal
    others = [text for text in words if text not in numbers]
    marked = {text for text in others if has_other_mark(text, decimal)}
    rest = [text for text in others if text not in marked]
    n_numbers = len(numbers) + len(marked)
    if not marked or (rest and (n_numbers <= MANY_NUMBERS or not _are_stray(cells, rest, words))):
        return
    advice = ""
    thousands = [text for text in words if text in marked and plain_number(text, ",") is None]
    if decimal == "." and not thousands and all(plain_number(n, ",") for n in numbers):
        advice = ", or use --decimal , if all commas are decimal"
    found = next(text for text in thousands or words if text in marked)
    raise cells.fault(
        found,
        f"expected numbers with {_OTHER_MARK[cells.style.decimal].format(shown(found))}{advice}",
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
            f"write ? if it stands for a missing value, or read all as labels with {name}",
        )
    if len(others) == 1 and len(regular) > 1 and not re.search("[0-9]", others[0]):
        cells.tell(
            others[0],
            f"{shown(others[0])} among {len(regular)} {kind}s turns all into labels; write ? "
            f"if it stands for a missing value, or confirm with {name}",
        )


def tell_of_several_units(cells: Cells, words: Sequence[str]) -> None:
    """Warn of measured numbers with different units or signs, which are labels or texts then."""
    numbers = [signed_number(word) for word in words]
    if None not in numbers and is_measured({str(number) for number in numbers}):
        other = next((w for w in words[::-1] if _ending(w) != _ending(words[0])), words[-1])
        cells.tell(
            words[0],
            f"{shown(words[0])} and {shown(other)} are numbers with different units or signs, and "
            f"read as labels; write them alike, or confirm with --nominal {cells.name!r}",
        )


def _ending(word: str) -> str:
    return re.sub("[0-9.,]", "", word)


def shown(text: str) -> str:
    """Return a text in quotes, cut where it is long."""
    return repr(text) if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]!r}..."
