"""Columns of texts, and what they become: numbers, dates, labels, or texts as they are.

Without a declaration the texts themselves decide (`inferred`); the class is always nominal
(`as_class`); with a declaration, that of a model, the texts are read by it (`as_declared`).  The
rule is that of `widc_arff.tables.table_values`.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from widc_arff.arff.columns import code_dtype, packed
from widc_arff.arff.dates import DEFAULT_FORMAT, DateFormat
from widc_arff.arff.relation import Attribute
from widc_arff.errors import TableError, WidcWarning, counted_in_words
from widc_arff.tables.iso_dates import ISO_DATE, is_finer
from widc_arff.tables.mixed_columns import (
    LONGEST_SHOWN,
    dates_of_one_style,
    in_own_style,
    require_no_stray_text,
    require_own_mark,
    shown,
    tell_of_several_units,
)
from widc_arff.tables.moments import dated
from widc_arff.tables.readings import ISO_STYLE, PLAIN_NUMBERS, NumberStyle, style_of_format
from widc_arff.tables.table_values import (
    MANY_NUMBERS,
    as_number,
    in_order,
    is_measured,
    label_text,
    look_measured,
    loss_of,
    matched,
    may_lose,
    number_key,
    truth_labels,
    with_opposite,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats
    from widc_arff.tables.readings import DateStyle

    Column = tuple[Attribute, NDArray[Any]]

MOST_CLASSES = 50
"""Distinct numbers that a class may have."""
_MISSING_OR_LABEL = frozenset({"None", "N/A", "n/a", "NULL", "null"})
FEWEST_TEXTS = 20
"""A column of up to so many distinct texts is nominal, even if no two rows are equal."""


class Places(Protocol):
    """The file and the line of each row."""

    def __getitem__(self, row: int) -> tuple[str, int]: ...


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the rows of a table stand, for messages.

    Parameters
    ----------
    source : str
        Name of the file.
    places : sequence of (str, int), or None
        File and line of each row, lines from 1; None where the file has no lines.
    first_row : int
        Number of the first row in messages.
    """

    source: str
    places: Places | None = None
    first_row: int = 1

    def fault(self, column: str, row: int, message: str) -> TableError:
        """Return the error that names a column and a row, counted from 0."""
        if self.places is None:
            return TableError(
                f"row {row + self.first_row}, column {column!r}: {message}", self.source
            )
        return TableError(f"column {column!r}: {message}", *self.places[row])

    def tell(self, column: str, row: int, message: str) -> None:
        """Warn of something in a column, first seen in a row counted from 0."""
        warnings.warn(str(self.fault(column, row, message)), WidcWarning, stacklevel=2)


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """A column of texts, each distinct one held once.

    Parameters
    ----------
    name : str
        Name of the column.
    texts : sequence of str
        The distinct texts.
    codes : ndarray of int of shape (n_rows,)
        Position in `texts` of the text of each row; -1 where the row has none.
    missing_words : frozenset of str
        Texts that stand for a missing value.
    origin : Origin
        Where the column comes from.
    style : NumberStyle
        How numbers are written.
    formats : sequence of str
        Formats of dates that the user names.
    """

    name: str
    texts: Sequence[str]
    codes: NDArray[Any]
    missing_words: frozenset[str]
    origin: Origin
    style: NumberStyle = PLAIN_NUMBERS
    formats: Sequence[str] = ()

    @property
    def words(self) -> list[str]:
        """The distinct texts that are values."""
        return [text for text in self.texts if text not in self.missing_words]

    def numbers(self) -> dict[str, str]:
        """Return the texts that are numbers, each with what `float` reads."""
        plain = ((text, self.style.plain(text)) for text in self.words)
        return {text: number for text, number in plain if number is not None}

    def rows_of(self, texts: Collection[str]) -> int:
        """Return in how many rows one of some texts stands."""
        chosen = np.array([*(text in texts for text in self.texts), False], np.bool_)
        return int(np.count_nonzero(chosen[self.codes]))

    def values(self, value_of: Callable[[str], float]) -> Floats:
        """Return a number for each row, NaN where it is missing."""
        absent = self.missing_words
        by_text = [np.nan if text in absent else value_of(text) for text in self.texts]
        return np.asarray(np.array([*by_text, np.nan])[self.codes], np.float64)

    def labelled(
        self, labels: Sequence[str], label_of: Mapping[str, str | None] | None = None
    ) -> Column:
        """Return a nominal column; `label_of` has the labels of texts that are not the same."""
        code_of: dict[str | None, int] = {label: code for code, label in enumerate(labels)}
        found = [(label_of or {}).get(text, text) for text in self.texts]
        codes = np.array(
            [*(code_of.get(label, -1) for label in found), -1], code_dtype(len(labels))
        )
        return Attribute(self.name, "nominal", tuple(labels)), codes[self.codes]

    def inferred(self) -> Column:
        """Return the column as what its texts are; see `inferred`."""
        return inferred(self)

    def as_class(self) -> Column:
        """Return the column as the class; see `as_class`."""
        return as_class(self)

    def as_nominal(self) -> Column:
        """Return the column as a nominal one; see `as_nominal`."""
        return as_nominal(self)

    def as_declared(self, wanted: Attribute) -> Column:
        """Return the column in the type of an attribute; see `as_declared`."""
        return as_declared(self, wanted)

    def as_texts(self) -> Column:
        """Return a string column."""
        texts = [None if text in self.missing_words else text for text in self.texts]
        attribute = Attribute(self.name, "string")
        return attribute, packed(attribute, [*texts, None])[self.codes]

    def as_lists(self) -> Column:
        """Return a string column of lists, of which an empty text is one without elements."""
        return replace(self, missing_words=self.missing_words - {""}).as_texts()

    def as_kept(self) -> Column:
        """Return the column as what its texts are; as texts where numbers or dates lose some."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", WidcWarning)
            attribute, column = self.inferred()
        is_text = attribute.type in ("nominal", "string")
        return (attribute, column) if is_text or not caught else self.as_texts()

    def fault(self, text: str | None, message: str) -> TableError:
        """Return the error that names the first row with a text, or the first row."""
        return self.origin.fault(self.name, self.first_row(text), message)

    def tell(self, text: str, message: str) -> None:
        """Warn of a text, in the first row that has it."""
        self.origin.tell(self.name, self.first_row(text), message)

    def first_row(self, text: str | None) -> int:
        """Return the first row that has a text, or the first of all."""
        if text is None:
            return 0
        return int(np.flatnonzero(self.codes == self.texts.index(text))[0])


def cells_of(attribute: Attribute, column: NDArray[Any], origin: Origin) -> Cells:
    """Return a column of any type but relational as texts; missing values have none."""
    if attribute.type == "nominal":
        occur = np.unique(column[column >= 0]).tolist()
        place = np.full(len(attribute.values) + 1, -1, column.dtype)  # the last is that of none
        place[occur] = range(len(occur))
        texts = [attribute.values[code] for code in occur]
        return Cells(attribute.name, texts, place[column], frozenset(), origin)
    text_of: Callable[[Any], str] = label_text
    if attribute.type == "string":
        known = np.array([value is not None for value in column], np.bool_)
    else:
        known = ~np.isnan(column)
    if attribute.type == "date":
        text_of = DateFormat(attribute.format or DEFAULT_FORMAT).format
    return cells_of_values(attribute.name, column, known, text_of, origin)


def cells_of_values(
    name: str,
    values: NDArray[Any],
    known: Bools,
    text_of: Callable[[Any], str],
    origin: Origin,
) -> Cells:
    """Return values as texts, each distinct one by `text_of`; those not known have none."""
    distinct, places = np.unique(values[known], return_inverse=True)
    codes = np.full(len(values), -1, np.int64)
    codes[known] = places
    texts = [text_of(value) for value in distinct.tolist()]
    return Cells(name, texts, codes, frozenset(), origin)


def inferred(cells: Cells) -> Column:
    """Return a column as what its texts are.

    Returns
    -------
    attribute, column
        Numeric if all texts are numbers, or there are none; a date if all have the form of
        ISO 8601; string if nearly every row has a text of its own (`is_identifier`); else nominal,
        the distinct texts sorted.

    Raises
    ------
    TableError
        If numbers have another decimal mark, stray texts stand among measured numbers or dates, or
        a text looks like a date and is none of the calendar.

    Warns
    -----
    WidcWarning
        As `widc_arff.tables.table_values` says.
    """
    words, numbers = cells.words, cells.numbers()
    if len(numbers) == len(words):
        return _numeric(cells, numbers)
    styled = in_own_style(cells, words)
    if styled is not None:
        return _numeric(styled, styled.numbers())
    require_own_mark(cells, words, numbers)
    dates = [text for text in words if ISO_DATE.fullmatch(text)]
    style = dates_of_one_style(cells, words)
    if style is not None:
        return _dates(cells, style)
    if len(dates) == len(words):  # one of them is none of the calendar
        return _dates(cells, ISO_STYLE)
    if numbers:
        measured = is_measured(numbers.values())
        require_no_stray_text(cells, "number", numbers, measured=measured)
    elif dates:
        require_no_stray_text(cells, "date", set(dates), measured=len(dates) > MANY_NUMBERS)
    tell_of_several_units(cells, words)
    if is_identifier(cells):
        return cells.as_texts()
    return labels_of(cells, both=True)


def labels_of(cells: Cells, numbers: Mapping[str, str] | None = None, *, both: bool) -> Column:
    """Return a column as a nominal one, its texts the labels.

    Parameters
    ----------
    cells : Cells
        The column.
    numbers : mapping of str to str, optional
        The texts that are numbers, where labels are to stand in the order of their values.
    both : bool
        Whether a truth value that occurs alone brings the other one.
    """
    words = list(dict.fromkeys(cells.words))
    label_of = truth_labels(words)
    if label_of is None:
        return cells.labelled(in_order(words, numbers or {}))
    labels = sorted(set(label_of.values()))
    other = next((text for text in words if label_of[text] != text), None)
    if other is not None:
        cells.tell(
            other,
            f"{', '.join(map(repr, sorted(words)))} are spellings of true and false, and read as "
            f"the labels {' and '.join(map(repr, labels))}",
        )
    return cells.labelled(with_opposite(labels) if both else labels, dict(label_of))


def labels_of_texts(cells: Cells) -> Column:
    """Return a column whose type is text: nominal, or string as `is_identifier` has it.

    Warns
    -----
    WidcWarning
        If the texts look like measured numbers, or are spellings of one truth value.
    """
    if is_identifier(cells):
        return cells.as_texts()
    if look_measured(cells.words):
        words = sorted(cells.words)
        several = ", ".join(map(repr, [*words[:2], words[-1]]))
        cells.tell(
            words[0],
            f"holds texts ({several}), which are read as labels; convert them to numbers if they "
            "are measured",
        )
    return labels_of(cells, both=True)


def as_nominal(cells: Cells) -> Column:
    """Return a column as a nominal one: a label is its text, numbers in the order of their values.

    Warns
    -----
    WidcWarning
        If labels are spellings of one number, or of one truth value.
    """
    numbers = cells.numbers()
    first: dict[tuple[str, str, int], str] = {}
    for text, plain in numbers.items():
        twin = first.setdefault(number_key(plain), text)
        if twin != text:
            cells.tell(text, f"{twin!r} and {text!r} are two labels, although they are one number")
            break
    return labels_of(cells, numbers, both=False)


def as_class(cells: Cells) -> Column:
    """Return the class: `as_nominal`, where that makes sense.

    Raises
    ------
    TableError
        If the labels are fractions, or too many numbers, or nearly every row has its own.

    Warns
    -----
    WidcWarning
        If a word for missing may be a label.
    """
    words, numbers = cells.words, cells.numbers()
    absent = sorted(_MISSING_OR_LABEL & cells.missing_words & set(cells.texts))
    if absent:
        rows = counted_in_words(cells.rows_of(set(absent)), "row")
        cells.tell(
            absent[0],
            f"{shown(absent[0])} is read as a missing class, in {rows}; if it is a label, write "
            "another word",
        )
    advice = "choose the class with --class NAME"
    if len(numbers) < len(words):
        if is_identifier(cells):
            message = "expected a class of few labels, got a different text in nearly every row"
            raise cells.fault(None, f"{message}; {advice}")
        return as_nominal(cells)
    fraction = next((text for text in words if not float(numbers[text]).is_integer()), None)
    if fraction is not None:
        message = f"expected class labels, got the number {fraction[:LONGEST_SHOWN]}"
        raise cells.fault(fraction, f"{message}: fractions are for regression; {advice}")
    n_distinct = len(set(map(number_key, numbers.values())))
    most = max(2, min(MOST_CLASSES, cells.rows_of(numbers) // 2))
    if n_distinct > most:
        raise cells.fault(
            None,
            f"expected a class of at most {most} distinct numbers ({MOST_CLASSES}, or half the "
            f"rows if that is less), got {n_distinct}; {advice}, or replace the numbers by words",
        )
    return as_nominal(cells)


def as_declared(cells: Cells, wanted: Attribute) -> Column:
    """Return a column in the type of an attribute.

    For a nominal one a text gets its label by `widc_arff.tables.table_values.matched`, or else it
    stands, as a label of its own, after the declared ones.

    Raises
    ------
    TableError
        If a text is no number, or no date.
    """
    if wanted.type == "nominal":
        declared = wanted.values
        label_of = matched(cells.texts, declared, cells.missing_words, cells.style.decimal)
        unknown = sorted({text for text in cells.texts if text not in label_of})
        return cells.labelled([*declared, *unknown], label_of)
    if wanted.type == "string":
        return cells.as_texts()
    if wanted.type == "date":
        style = style_of_format(wanted.format or DEFAULT_FORMAT)
        return wanted, _dates(cells, style, is_told=False)[1]
    words, numbers = cells.words, cells.numbers()
    read = {text: numbers.get(text) or as_number(text) for text in words}
    numbers = {text: plain for text, plain in read.items() if plain is not None}
    wrong = next((text for text in words if text not in numbers), None)
    if wrong is not None:
        styled = in_own_style(cells, words, measured=True)
        if styled is not None:
            return as_declared(styled, wanted)
        require_own_mark(cells, words, numbers)
        raise cells.fault(wrong, f"expected a number as in training, got {shown(wrong)}")
    return Attribute(cells.name, "numeric"), cells.values(lambda text: float(numbers[text]))


def is_identifier(cells: Cells) -> bool:
    """Return whether more than nine in ten rows have a text of their own, as names and keys do."""
    rows_with = np.bincount(cells.codes + 1, minlength=len(cells.texts) + 1)[1:]
    is_word = np.array([text not in cells.missing_words for text in cells.texts], np.bool_)
    counts = rows_with[is_word]
    n_distinct = np.count_nonzero(counts)
    return bool(n_distinct > FEWEST_TEXTS and 10 * n_distinct > 9 * counts.sum())


def numeric_column(
    name: str, values: Floats, losses: Mapping[str, tuple[int, str]], origin: Origin
) -> Column:
    """Return a numeric column, and say what doubles do not hold.

    Each text that loses something has its first row and what `loss_of` says of it.
    """
    if losses:
        text, (row, loss) = next(iter(losses.items()))
        others = f" (and {len(losses) - 1} more)" if len(losses) > 1 else ""
        advice = f"--nominal {name!r} reads all as labels"
        origin.tell(name, row, f"{shown(text)} is {loss}{others}; {advice}")
    return Attribute(name, "numeric"), values


def date_column(
    name: str, values: Floats, style: DateStyle, finer: tuple[str, int] | None, origin: Origin
) -> Column:
    """Return a date column, and say which text, in which row, is finer than milliseconds."""
    if finer is not None:
        text, row = finer
        origin.tell(name, row, f"times are kept to the millisecond, {text!r} is cut off")
    if style.format:
        return Attribute(name, "date", format=style.format), values
    return dated(name, values)


def _dates(cells: Cells, style: DateStyle, *, is_told: bool = True) -> Column:
    moments: dict[str, float] = {}
    finer = None
    for text in cells.words:
        try:
            moments[text] = style.moment(text)
        except ValueError as error:
            raise cells.fault(text, f"expected a date, got {shown(text)} ({error})") from error
        if is_told and finer is None and is_finer(ISO_DATE.fullmatch(text)):
            finer = text, cells.first_row(text)
    return date_column(cells.name, cells.values(moments.__getitem__), style, finer, cells.origin)


def _numeric(cells: Cells, numbers: Mapping[str, str]) -> Column:
    """Return a numeric column, and say what doubles do not hold."""
    values = {text: float(plain) for text, plain in numbers.items()}
    losses = {
        text: (cells.first_row(text), loss)
        for text, value in values.items()
        if may_lose(numbers[text], value) and (loss := loss_of(numbers[text]))
    }
    return numeric_column(cells.name, cells.values(values.__getitem__), losses, cells.origin)
