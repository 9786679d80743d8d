"""The rule for texts and numbers in tables: CSV, Parquet, frames, and ``convert`` between them.

**Missing** are null, None, NaN, NaT and NA.  CSV has texts alone: there `MISSING_WORDS` are missing
in every column, of numbers, of labels, of dates and in the class, quoted or not and with blanks
around them.  These are pandas' words (those of ``read_csv``), and ``?``.  Only where a model
declares one of them as a label it is that label.  In a column of texts of Parquet or of a frame a
text is a value, whatever it says, as pandas has it: null is there to be missing.

**Numbers** are decimal digits with a sign, a decimal point (``--decimal ,``: a comma) and an
exponent; ``inf`` and ``infinity`` in any letters.  A number beyond the largest double is infinite.
A CSV column is numeric if all of its texts are numbers, or all are in one other writing
(`widc_arff.tables.readings`).  If some are none:

- *measured* numbers, of which more than 20 are different or some have a fraction, with *stray*
  texts among them: refused, however many rows have the stray texts.  Texts are stray if there is
  one, or ten numbers for each, or nine rows in ten hold numbers: such texts mean that a value is
  missing, in words that nobody can guess, and with them the numbers would become labels;
- anything else is nominal: grades (``1, 2, 3+``), playing cards, codes (``12, A3, B7``).  A single
  text without digits among few whole numbers (``1, 2, unknown``) is told.

The same holds for dates of ISO 8601 and other texts among them.

Columns of Parquet and frames are numeric if their type is.  A column of texts there is nominal;
measured numbers in it, with a word for missing or with fractions, are told.

**Labels** are texts, compared letter by letter: ``007``, ``7`` and ``7.0`` are three labels, as
Weka's CSVLoader -N has it, and labels of one number are told.  A label never passes through a
number; the label of a typed number is its shortest text: ``7`` for 7 and for 7.0, all digits of an
integer.  Labels are sorted, those of CSV that are numbers by their values.

**Truth values** are true and false, or yes and no, in any letters.  A column that holds nothing
else has two labels: as they are spelled, or, if one is spelled in several ways, as False and True
(No and Yes); that is told.  If one of them alone occurs, the other is declared too.

**New data for known labels** (`matched`): a text is the label that is equal; else a missing word of
CSV is missing; else it is the one label of the same number (1.0 is 1, also where a missing value
made floats of integers); else the one label of the same truth value.  True, false, yes and no match
in any letters.  Where the labels are a pair of truth values (true and false, yes and no, t and f,
y and n, on and off, in any letters, or the numbers 1 and 0), each of these words and numbers is the
label of its truth value, since no other label can be meant.  Blanks around a text do not count.

**New data for known numbers**: true and false, in any letters, are 1 and 0.

**Told on stderr** (`WidcWarning`): a number of a column that is read as numeric if a double cannot
hold it (whole numbers beyond 2^53, numbers beyond 1.8e308), numbers with leading zeros, times finer
than a millisecond.  What `predict --keep` copies stays text in these cases.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from decimal import Decimal
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.arff.numbers import number_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

MISSING_WORDS = frozenset(
    {"", "?", "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"}
    | {"#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"}
)
MANY_NUMBERS = 20
"""More distinct numbers than these are measured, not named."""
NUMBERS_A_WORD = 10
"""So many distinct numbers for each other text make the other texts stray."""
NEARLY_ALL = 0.9
"""Where so many of the rows hold numbers, other texts are stray, however many they are."""

_NUMBER = {
    mark: re.compile(
        rf"[+-]?(?:[0-9]++{mark}?[0-9]*+|{mark}[0-9]++)(?:e[+-]?[0-9]++)?|[+-]?inf(?:inity)?",
        re.IGNORECASE,
    )
    for mark in (r"\.", ",")
}
_WITH_OTHER_MARK = {
    ".": re.compile(r"[+-]?[0-9][0-9.]*+(?:,[0-9]++)++(?:[.][0-9]++)?(?:[eE][+-]?[0-9]++)?"),
    ",": re.compile(
        r"[+-]?(?:[0-9]++\.[0-9]++|[0-9]{1,3}+(?:\.[0-9]{3})++(?:,[0-9]++)?)(?:[eE][+-]?[0-9]++)?"
    ),
}
_ZERO_FIRST = re.compile(r"[+-]?0[0-9]++(?:\.[0-9]*+)?")
_SAFE_LENGTH = 15  # digits that every double keeps
LARGEST_SAFE = 2.0**53
_LONGEST_EXPONENT = 18
_OPPOSITES = {"true": "false", "false": "true", "yes": "no", "no": "yes"}
TRUTH_WORDS = {"true": "false", "yes": "no", "t": "f", "y": "n", "on": "off"}
"""The words for true, each with its opposite: those that PostgreSQL takes for booleans."""


def plain_number(text: str, decimal: str = ".") -> str | None:
    """Return a number as `float` reads it, or None if the text is none.

    Parameters
    ----------
    text : str
        A cell.
    decimal : {".", ","}
        The decimal mark of the cell.
    """
    if decimal == ".":
        return text if _NUMBER[r"\."].fullmatch(text) else None
    return text.replace(",", ".") if _NUMBER[","].fullmatch(text) else None


def has_other_mark(text: str, decimal: str = ".") -> bool:
    """Return whether a text is a number with the other decimal mark, or with thousands marked."""
    return _WITH_OTHER_MARK[decimal].fullmatch(text) is not None


def is_measured(numbers: Collection[str]) -> bool:
    """Return whether distinct plain numbers are many, or some of several have a fraction."""
    has_fraction = any(not float(number).is_integer() for number in numbers)
    return len(numbers) > (1 if has_fraction else MANY_NUMBERS)


def are_stray(n_words: int, n_numbers: int, share: float) -> bool:
    """Return whether texts among measured numbers are no labels.

    Parameters
    ----------
    n_words, n_numbers : int
        Distinct other texts, distinct numbers.
    share : float
        Of the rows with a value, those that hold numbers, from 0 to 1.
    """
    return n_words == 1 or NUMBERS_A_WORD * n_words <= n_numbers or share >= NEARLY_ALL


def look_measured(texts: Collection[str]) -> bool:
    """Return whether texts of a column of texts are measured numbers beside words for missing."""
    numbers = [text for text in texts if plain_number(text) is not None]
    others = [text for text in texts if plain_number(text) is None]
    n_words = sum(text not in MISSING_WORDS for text in others)
    if not is_measured(numbers) or not (n_words == 0 or are_stray(n_words, len(numbers), 0)):
        return False
    return bool(others) or not all(float(number).is_integer() for number in numbers)


def label_text(value: object) -> str:
    """Return the label of a value: ``1`` (of 1.0, too), ``0.5``, ``True``, ``red``."""
    if isinstance(value, str | bool | np.bool_):
        return str(value)
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Decimal) and value.is_finite():
        text = f"{value:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    if isinstance(value, Real):
        number = float(value) + 0.0  # no negative zero
        # from 2^53 a double does not tell which integer it was: it has a point, as no integer has
        return number_text(number) if abs(number) < LARGEST_SAFE else repr(number)
    return str(value)


def number_key(plain: str) -> tuple[str, str, int]:
    """Return what is equal for texts of the same number, exactly, whatever its size."""
    sign = "-" if plain[0] == "-" else ""
    digits, _, exponent = plain.lower().lstrip("+-").partition("e")
    if digits[0] == "i":
        return sign, "inf", 0
    whole, _, fraction = digits.partition(".")
    stripped = (whole + fraction).lstrip("0")
    significant = stripped.rstrip("0")
    if not significant:
        return "", "", 0
    if len(exponent) > _LONGEST_EXPONENT:
        return sign, plain, 0
    power = int(exponent or 0) - len(fraction) + len(stripped) - len(significant)
    return sign, significant, power


def may_lose(plain: str, value: float) -> bool:
    """Tell, at once, whether `loss_of` can have something to say of a number and its value."""
    return not 0 < abs(value) < LARGEST_SAFE or bool(_ZERO_FIRST.fullmatch(plain))


def loss_of(plain: str) -> str:
    """Return in words what is lost of a number that is read as a double, or an empty text."""
    if _ZERO_FIRST.fullmatch(plain):
        return f"read as the number {number_text(float(plain))}"
    has_exponent = "e" in plain.lower()
    if len(plain) <= _SAFE_LENGTH and not has_exponent:
        return ""
    number = float(plain)
    if math.isinf(number) and "n" not in plain.lower():
        return "beyond the largest number, 1.8e308: read as infinite"
    if number == 0 and number_key(plain)[1]:
        return "nearer to 0 than any other number: read as 0"
    is_large = LARGEST_SAFE <= abs(number) < math.inf and not has_exponent
    if is_large and number_key(plain) != number_key(str(int(number))):
        return f"read as the nearest number of 53 bits, {int(number)}"
    return ""


def truth_labels(words: Collection[str]) -> dict[str, str] | None:
    """Return the label of each text if all are truth values; else None."""
    lowered = {word.lower() for word in words}
    first = next(iter(lowered), "")
    if first not in _OPPOSITES or not lowered <= {first, _OPPOSITES[first]}:
        return None
    if len(lowered) == len(words):
        return {word: word for word in words}
    return {word: word.capitalize() for word in words}


def with_opposite(labels: Sequence[str]) -> list[str]:
    """Return the labels; of one truth value alone both, since the other may yet come."""
    if len(labels) != 1 or labels[0].lower() not in _OPPOSITES:
        return list(labels)
    other = _OPPOSITES[labels[0].lower()]
    styles = (str.lower, str.upper, str.capitalize)
    style = next((style for style in styles if style(labels[0]) == labels[0]), None)
    return list(labels) if style is None else sorted([labels[0], style(other)])


def in_order(labels: Iterable[str], plain: Mapping[str, str]) -> list[str]:
    """Return distinct labels sorted; numbers, if `plain` has all of them, by their values."""
    distinct = sorted(labels, key=lambda label: (len(label), label))
    if any(label not in plain for label in distinct):
        return sorted(distinct)
    return sorted(distinct, key=lambda label: _ordering(plain[label]))


def matched(
    texts: Iterable[str],
    declared: Sequence[str],
    missing_words: frozenset[str] = frozenset(),
    decimal: str = ".",
) -> dict[str, str | None]:
    """Return the declared label of each text, None for missing; unknown texts are left out.

    Parameters
    ----------
    texts : iterable of str
        Distinct texts of new data.
    declared : sequence of str
        The labels that are known.
    missing_words : frozenset of str
        Texts that stand for a missing value if they are no labels; an empty one always does.
    decimal : {".", ","}
        The decimal mark of the texts; labels have points, or are as the texts are.
    """
    known = set(declared)
    by_meaning = labels_by_meaning(declared, decimal)
    found: dict[str, str | None] = {}
    for text in texts:
        if text in known and (text or not missing_words):
            found[text] = text
        elif text in missing_words:
            found[text] = None
        else:
            label = next(filter(None, map(by_meaning.get, meanings_of(text, decimal))), None)
            if label is not None:
                found[text] = label
    return found


def labels_by_meaning(labels: Sequence[str], decimal: str = ".") -> dict[object, str]:
    """Return the label of each meaning, as `meanings_of` has them, that one label alone can have.

    Parameters
    ----------
    labels : sequence of str
        The labels that are known.
    decimal : {".", ","}
        A decimal mark that labels may have in place of a point.
    """
    numbers = [
        (plain, label)
        for label in labels
        if (plain := plain_number(label.strip()) or plain_number(label.strip(), decimal))
    ]
    doubles = Counter(float(plain) for plain, _ in numbers)
    by_meaning: dict[object, str] = {
        number_key(plain): label for plain, label in numbers if doubles[float(plain)] == 1
    }
    words = [(label.strip().lower(), label) for label in labels]
    by_meaning |= _unique_by([(word, label) for word, label in words if word in _OPPOSITES])
    by_meaning |= _unique_by([((label.strip(),), label) for label in labels])
    pair = truth_pair(labels)
    if pair is not None:
        for word, opposite in TRUTH_WORDS.items():
            by_meaning |= {word: pair[True], opposite: pair[False]}
        by_meaning |= {number_key("1"): pair[True], number_key("0"): pair[False]}
    return by_meaning


def meanings_of(text: str, decimal: str = ".") -> Iterator[object]:
    """Yield what a text may mean: the text without blanks around it, a number, a truth value."""
    text = text.strip()
    yield (text,)
    plain = plain_number(text, decimal)
    if plain is not None:
        yield number_key(plain)
    yield text.lower()


def truth_pair(labels: Sequence[str]) -> dict[bool, str] | None:
    """Return the labels of true and false if labels are such a pair and nothing else; else None."""
    if len(labels) != 2:
        return None
    for first, second in (labels, labels[::-1]):
        word, other = first.strip().lower(), second.strip().lower()
        if TRUTH_WORDS.get(word) == other:
            return {True: first, False: second}
        keys = [number_key(n) for n in map(plain_number, (word, other)) if n is not None]
        if keys == [number_key("1"), number_key("0")]:
            return {True: first, False: second}
    return None


def as_number(text: str, decimal: str = ".") -> str | None:
    """Return what `float` reads where a number is known to stand: true and false are 1 and 0."""
    text = text.strip()
    return {"true": "1", "false": "0"}.get(text.lower()) or plain_number(text, decimal)


def _ordering(plain: str) -> tuple[float, Decimal | float]:
    number = float(plain)
    is_whole = plain.lstrip("+-").isdigit()  # of any length
    return number, Decimal(plain) if is_whole else number


def _unique_by(pairs: list[tuple[Any, str]]) -> dict[Any, str]:
    """Return the text of each key that has one text only."""
    n_texts = Counter(key for key, _ in pairs)
    return {key: text for key, text in pairs if n_texts[key] == 1}
