"""Columns of texts, and what they become: numbers, dates, labels, or texts as they are.

Without a declaration the texts themselves decide (`inferred`); the class is always nominal
(`as_class`); with a declaration, that of a model, the texts are read by it (`as_declared`).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.arff.columns import packed
from widc_arff.arff.dates import DEFAULT_FORMAT, DateFormat
from widc_arff.arff.numbers import number_text
from widc_arff.arff.relation import Attribute
from widc_arff.errors import TableError
from widc_arff.frames import dated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    Column = tuple[Attribute, NDArray[Any]]

MISSING_WORDS = frozenset({"", "?", "NA", "NaN", "nan", "null", "NULL"})
MOST_CLASSES = 50
"""Distinct numbers that a class may have."""
FEWEST_TEXTS = 20
"""A column of up to so many distinct texts is nominal, even if no two rows are equal."""
NEARLY_ALL = 0.9
"""Where so many of the cells are numbers, another text is taken for a slip."""

_NUMBER = re.compile(
    r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?(?:inf|infinity)", re.IGNORECASE
)
_WITH_COMMAS = re.compile(r"[+-]?[0-9][0-9.]*(?:,[0-9]+)+(?:[.][0-9]+)?(?:[eE][+-]?[0-9]+)?")
_DATE = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?"
    r" ?(Z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?"
)
_OPPOSITES = {"true": "false", "yes": "no", "false": "true", "no": "yes"}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the rows of a table stand, for messages.

    Parameters
    ----------
    source : str
        Name of the file.
    lines : sequence of int, or None
        Line of each row, from 1; None where the file has no lines.
    """

    source: str
    lines: Sequence[int] | None = None

    def fault(self, column: str, row: int, message: str) -> TableError:
        """Return the error that names a column and a row, counted from 0."""
        if self.lines is None:
            return TableError(f"row {row + 1}, column {column!r}: {message}", self.source)
        return TableError(f"column {column!r}: {message}", self.source, self.lines[row])


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
    """

    name: str
    texts: Sequence[str]
    codes: NDArray[Any]
    missing_words: frozenset[str]
    origin: Origin

    @classmethod
    def of(cls, name: str, texts: Iterable[str], origin: Origin) -> Cells:
        """Return a column of a text file: blanks around a text are no part of it."""
        place: defaultdict[str, int] = defaultdict(count().__next__)
        codes = np.fromiter(map(place.__getitem__, map(str.strip, texts)), np.int64)
        return cls(name, list(place), codes, MISSING_WORDS, origin)

    @property
    def words(self) -> list[str]:
        """The distinct texts that are values."""
        return [text for text in self.texts if text not in self.missing_words]

    def values(self, value_of: Callable[[str], float]) -> NDArray[np.float64]:
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
        codes = np.array([*(code_of.get(label, -1) for label in found), -1], np.int64)
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

    def fault(self, text: str | None, message: str) -> TableError:
        """Return the error that names the first row with a text, or the first row."""
        rows = [0] if text is None else np.flatnonzero(self.codes == self.texts.index(text))
        return self.origin.fault(self.name, int(rows[0]), message)


def cells_of(attribute: Attribute, column: NDArray[Any], origin: Origin) -> Cells:
    """Return a column of any type but relational as texts; missing values have none."""
    known = np.array([value is not None for value in column], np.bool_)
    known &= column >= 0 if attribute.type == "nominal" else column == column  # noqa: PLR0124
    distinct, places = np.unique(column[known], return_inverse=True)
    codes = np.full(len(column), -1, np.int64)
    codes[known] = places
    text_of: Callable[[Any], str] = str
    if attribute.type == "nominal":
        text_of = attribute.values.__getitem__
    elif attribute.type == "numeric":
        text_of = number_text
    elif attribute.type == "date":
        text_of = DateFormat(attribute.format or DEFAULT_FORMAT).format
    texts = [text_of(value) for value in distinct.tolist()]
    return Cells(attribute.name, texts, codes, frozenset(), origin)


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
        If numbers have decimal commas, a few other texts stand among many numbers, or a text looks
        like a date and is none of the calendar.
    """
    words = cells.words
    if all(map(_NUMBER.fullmatch, words)):
        return Attribute(cells.name, "numeric"), cells.values(float)
    _require_decimal_points(cells, words)
    if all(map(_DATE.fullmatch, words)):
        return _dates(cells)
    _require_no_stray_text(cells, words)
    if is_identifier(cells):
        return cells.as_texts()
    return cells.labelled(_with_opposite(sorted(words)))


def _require_no_stray_text(cells: Cells, words: Sequence[str]) -> None:
    """Raise TableError if nearly all cells are numbers, of many values, but some are not."""
    n_rows = dict(enumerate(np.bincount(cells.codes[cells.codes >= 0]).tolist()))
    rows_of = {text: n_rows.get(i, 0) for i, text in enumerate(cells.texts)}
    numbers = [text for text in words if _NUMBER.fullmatch(text)]
    n_known, n_numbers = (sum(rows_of[text] for text in some) for some in (words, numbers))
    if len(numbers) > FEWEST_TEXTS and n_numbers >= NEARLY_ALL * n_known:
        stray = next(text for text in words if not _NUMBER.fullmatch(text))
        raise cells.fault(
            stray,
            f"expected a number as in {n_numbers} of {n_known} rows, got {stray!r}; write ? if it "
            f"stands for a missing value, or take all as labels with --nominal {cells.name!r}",
        )


def as_nominal(cells: Cells) -> Column:
    """Return a column as a nominal one, its labels sorted; numbers in the order of their values.

    Numbers of one value are one label: 1 and 1.0 are, and are told by the shorter text.
    """
    words = cells.words
    if not all(map(_NUMBER.fullmatch, words)):
        return cells.labelled(sorted(words))
    spelling: dict[float, str] = {}
    for text in sorted(words, key=lambda text: (len(text), text)):
        spelling.setdefault(float(text), text)
    labels = [spelling[value] for value in sorted(spelling)]
    return cells.labelled(labels, {text: spelling[float(text)] for text in words})


def as_class(cells: Cells) -> Column:
    """Return the class: `as_nominal`, where that makes sense.

    Raises
    ------
    TableError
        If the labels are fractions, or too many numbers, or nearly every row has its own.
    """
    words = cells.words
    advice = "choose the class with --class NAME"
    if not all(map(_NUMBER.fullmatch, words)):
        if is_identifier(cells):
            message = "expected a class of few labels, got a text of its own in nearly every row"
            raise cells.fault(None, f"{message}; {advice}")
        return as_nominal(cells)
    fraction = next((text for text in words if not float(text).is_integer()), None)
    if fraction is not None:
        message = f"expected labels of classes, got the number {fraction}"
        raise cells.fault(fraction, f"{message}: fractions are for regression; {advice}")
    n_known = int(np.isfinite(cells.values(float)).sum())
    n_distinct, most = len(set(map(float, words))), max(2, min(MOST_CLASSES, n_known // 2))
    if n_distinct > most:
        raise cells.fault(
            None,
            f"expected a class of at most {most} distinct numbers ({MOST_CLASSES}, or half as many "
            f"as rows), got {n_distinct}; {advice}, or make words of the numbers",
        )
    return as_nominal(cells)


def as_declared(cells: Cells, wanted: Attribute) -> Column:
    """Return a column in the type of an attribute.

    For a nominal one a text that is declared is that label.  Another text is the label of the same
    number (1 and 1.0), or the same word of true and false in other letters (TRUE), if there is
    exactly one; else it stands, as a label of its own, after the declared ones.

    Raises
    ------
    TableError
        If a text is no number, or no date.
    """
    if wanted.type == "nominal":
        return _declared_labels(cells, wanted.values)
    if wanted.type == "string":
        return cells.as_texts()
    if wanted.type == "date":
        return _dates(cells, wanted)
    wrong = next((text for text in cells.words if not _NUMBER.fullmatch(text)), None)
    if wrong is not None:
        _require_decimal_points(cells, cells.words)
        raise cells.fault(wrong, f"expected a number as in training, got {wrong!r}")
    return Attribute(cells.name, "numeric"), cells.values(float)


def is_identifier(cells: Cells) -> bool:
    """Return whether more than nine in ten rows have a text of their own, as names and keys do."""
    rows_with = np.bincount(cells.codes + 1, minlength=len(cells.texts) + 1)[1:]
    is_word = np.array([text not in cells.missing_words for text in cells.texts], np.bool_)
    counts = rows_with[is_word]
    n_distinct = np.count_nonzero(counts)
    return bool(n_distinct > FEWEST_TEXTS and 10 * n_distinct > 9 * counts.sum())


def _with_opposite(labels: list[str]) -> list[str]:
    """Return the labels; of true, false, yes or no alone both, since the other may yet come."""
    if len(labels) != 1 or labels[0].lower() not in _OPPOSITES:
        return labels
    other = _OPPOSITES[labels[0].lower()]
    styles = (str.lower, str.upper, str.capitalize)
    style = next((style for style in styles if style(labels[0]) == labels[0]), None)
    return labels if style is None else sorted([labels[0], style(other)])


def _declared_labels(cells: Cells, declared: tuple[str, ...]) -> Column:
    by_number = _unique_by([(float(v), v) for v in declared if _NUMBER.fullmatch(v)])
    by_word = _unique_by([(v.lower(), v) for v in declared if v.lower() in ("true", "false")])
    by_stripped = _unique_by([(v.strip(), v) for v in declared])
    known = set(declared)
    label_of: dict[str, str | None] = {}
    unknown = []
    for text in cells.texts:
        if text in known and text:
            label_of[text] = text
        elif text in cells.missing_words:
            label_of[text] = None
        elif _NUMBER.fullmatch(text) and float(text) in by_number:
            label_of[text] = by_number[float(text)]
        elif text.lower() in by_word:
            label_of[text] = by_word[text.lower()]
        elif text in by_stripped:  # blanks around cells are gone
            label_of[text] = by_stripped[text]
        else:
            unknown.append(text)
    return cells.labelled([*declared, *sorted(unknown)], label_of)


def _unique_by(pairs: list[tuple[Any, str]]) -> dict[Any, str]:
    """Return the text of each key that has one text only."""
    n_texts = Counter(key for key, _ in pairs)
    return {key: text for key, text in pairs if n_texts[key] == 1}


def _dates(cells: Cells, wanted: Attribute | None = None) -> Column:
    own = None if wanted is None else wanted.date_format()
    day_format = DateFormat("yyyy-MM-dd")
    moments = {}
    for text in cells.words:
        iso = _DATE.fullmatch(text)
        try:
            moments[text] = own.parse(text) if own and not iso else _moment(iso, day_format)
        except ValueError as error:
            raise cells.fault(text, f"expected a date, got {text!r} ({error})") from error
    attribute, column = dated(cells.name, cells.values(moments.__getitem__))
    return (attribute if wanted is None else wanted), column


def _moment(iso: re.Match[str] | None, day_format: DateFormat) -> float:
    """Return the milliseconds of a date of ISO 8601, parts of one rounded down."""
    if iso is None:
        raise ValueError("a date begins with yyyy-MM-dd")
    day, hours, minutes, seconds, fraction, zone = iso.groups()
    moment = day_format.parse(day)
    if hours is None:
        return moment
    if int(hours) > 23 or int(minutes) > 59 or int(seconds or 0) > 59:
        raise ValueError("there is no such time of day")
    offset = 0
    if zone not in (None, "Z"):
        digits = zone[1:].replace(":", "").ljust(4, "0")
        offset = (60 * int(digits[:2]) + int(digits[2:])) * (-1 if zone[0] == "-" else 1)
    minute = 60 * int(hours) + int(minutes) - offset
    return moment + 60_000 * minute + 1000 * int(seconds or 0) + int(f"{fraction or 0:0<3}"[:3])


def _require_decimal_points(cells: Cells, words: Sequence[str]) -> None:
    """Raise if all texts are numbers, some of them with commas."""
    numbers = [text for text in words if not _NUMBER.fullmatch(text)]
    if numbers and all(map(_WITH_COMMAS.fullmatch, numbers)):
        raise cells.fault(
            numbers[0],
            f"expected numbers with a decimal point, got {numbers[0]!r}; commas in numbers are not "
            "read, since 1,234 can be two numbers: write 1.5 for 1,5 and 1234 for 1,234",
        )
