"""The texts by which other tools may give the labels of an attribute: numbers and truth values.

A column of doubles says 1.0 for 1, one of decimals 1.00, one of booleans true for TRUE, and SQLite
says 1 for it.  Which text means which label is the rule of `widc_arff.tables.table_values`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.tables.table_values import TRUTH_WORDS, labels_by_meaning

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_NUMBER = 15  # digits that a column of doubles keeps


def other_spellings(labels: Sequence[str]) -> dict[str, str]:
    """Return the label that each lower-case word, and each number in its shortest form, means.

    Numbers are ``7``, ``-1.25``, ``0.5``; those with more digits than a double keeps are left out.
    Labels that already have this form are included.
    """
    spellings = {}
    for meaning, label in labels_by_meaning(labels).items():
        if isinstance(meaning, str):
            spellings[meaning] = label
        elif isinstance(meaning, tuple) and len(meaning) == 3:
            number = _plain(*meaning)
            if number:
                spellings[number] = label
    return spellings


def typed_spellings(labels: Sequence[str]) -> dict[str, list[str]]:
    """Return the texts other than itself that stand for each label, as typed columns have them.

    Words are in small letters, in capitals, and with a capital first.
    """
    texts: dict[str, list[str]] = {label: [] for label in labels}
    for spelling, label in other_spellings(labels).items():
        is_word = spelling in TRUTH_WORDS or spelling in TRUTH_WORDS.values()
        forms = [spelling, spelling.upper(), spelling.capitalize()]
        if not is_word:
            forms = [spelling] if "." in spelling else [spelling, f"{spelling}.0"]
        texts[label] += [form for form in dict.fromkeys(forms) if form not in texts]
    return texts


def _plain(sign: str, digits: str, power: int) -> str:
    """Return a number without exponent, or nothing if a double has not all of its digits."""
    if not digits:
        return "0"
    if digits == "inf" or len(digits) + max(power, 0) > _LONGEST_NUMBER or power < -_LONGEST_NUMBER:
        return ""
    if power >= 0:
        return sign + digits + "0" * power
    digits = digits.rjust(1 - power, "0")
    return f"{sign}{digits[:power]}.{digits[power:]}"
