"""The rows that an exported SELECT reads, and what rules test in them.

The rows are numbered.  Beside them stand the values that rules test, as the model means them
whatever the types of the columns: nominal ones as text, numbers as doubles.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from widc_arff.export.content import used_attributes
from widc_arff.export.sql_terms import chain, exact_number, quoted, quoted_name, step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from widc_arff.arff.relation import Attribute
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.literals import Literal
    from widc_arff.model.rules import Rule

_LONGEST_NUMBER = 15  # digits that a column of doubles keeps


class Reading:
    """The steps widc_rows and widc_values, and conditions on the latter.

    Names and labels may hold line ends, so that lines are indented when they are made.

    Parameters
    ----------
    committee : DecisionCommittee
        Whose rules test the rows.
    table : str
        Where the rows are.
    number : str
        Name of the column that numbers the rows, as SQL takes it.
    """

    def __init__(self, committee: DecisionCommittee, table: str, number: str) -> None:
        self.number = number
        self._schema = committee.schema
        self._table = table
        self._used = [committee.schema.attributes[a] for a in used_attributes(committee)]

    def steps(self) -> list[str]:
        """Return the lines of both steps."""
        values = [f"{_value(a)} AS {quoted_name(a.name)}" for a in self._used]
        return [
            "WITH widc_rows AS MATERIALIZED (",
            f"  SELECT ROW_NUMBER() OVER () AS {self.number}, t.*",
            f"  FROM {quoted_name(self._table)} AS t",
            "),",
            *step("widc_values", [f"s.{self.number} AS {self.number}", *values], "widc_rows"),
        ]

    def known(self) -> str:
        """Return an expression that is 0, NULL where a label is not known."""
        unknown = [
            f"s.{quoted_name(attribute.name)} NOT IN ({_listed(attribute.values)})"
            for attribute in self._used
            if attribute.type == "nominal"
        ]
        return f"CASE WHEN {chain(unknown, 'OR')} THEN NULL ELSE 0 END" if unknown else "0"

    def holds(self, rule: Rule) -> str:
        """Return the condition of a rule."""
        return chain([self._test(literal) for literal in rule.monomial], "AND")

    def _test(self, literal: Literal) -> str:
        attribute = self._schema.attributes[literal.attribute]
        value = (
            quoted(attribute.values[int(literal.value)])
            if attribute.type == "nominal"
            else exact_number(literal.value)
        )
        operator = "<>" if literal.operator == "!=" else literal.operator
        return f"s.{quoted_name(attribute.name)} {operator} {value}"


def _value(attribute: Attribute) -> str:
    """Return the value of a column as the model means it.

    Text is larger than any number in SQLite and NaN in the others, so that both come to the second
    case, and numbers of every type need no more than the first one.
    """
    column = f"s.{quoted_name(attribute.name)}"
    as_text = f"CAST({column} AS TEXT)"
    if attribute.type != "nominal":
        as_double = f"CAST({column} AS DOUBLE PRECISION)"
        return (
            f"CASE WHEN +{column} <= 1e308 THEN {as_double}\n"
            f"      WHEN {as_text} IN ('', '?', 'NaN', 'nan') THEN NULL\n"
            f"      ELSE {as_double} END"
        )
    other = other_spellings(attribute.values)
    if not other:
        return as_text
    cases = [f"WHEN {quoted(text)} THEN {quoted(label)}" for text, label in other.items()]
    return "\n      ".join(
        [
            f"CASE WHEN {as_text} IN ({_listed(attribute.values)}) THEN {as_text}",
            f"ELSE CASE {as_text}",
            *cases,
            f"ELSE {as_text} END END",
        ]
    )


def other_spellings(labels: Iterable[str]) -> dict[str, str]:
    """Return the texts that typed columns give for labels: numbers and truth values.

    A column of doubles says 1.0 for 1, one of whole numbers 7 for 007, one of truth values true for
    TRUE.  Each text stands for a label only where no other label is the same number or truth value.
    """
    by_meaning: dict[object, list[str]] = {}
    for label in labels:
        meaning = _meaning(label)
        if meaning is not None:
            by_meaning.setdefault(meaning, []).append(label)
    spellings: dict[str, str] = {}
    for meaning, same in by_meaning.items():
        if len(same) == 1:
            spellings |= {text: same[0] for text in _spellings(meaning) if text != same[0]}
    return spellings


def _meaning(label: str) -> object:
    """Return the number or the truth value that a label tells, or None."""
    word = label.casefold()
    if word in ("true", "false"):
        return word
    if not label.isascii() or not any(c.isdigit() for c in label) or "_" in label:
        return None
    try:
        number = Decimal(label)
    except InvalidOperation:
        return None
    if not number.is_finite() or not -_LONGEST_NUMBER < number.adjusted() < _LONGEST_NUMBER:
        return None
    is_kept = len(number.as_tuple().digits) <= _LONGEST_NUMBER
    return number + 0 if is_kept else None  # -0 is 0


def _spellings(meaning: object) -> tuple[str, ...]:
    if isinstance(meaning, Decimal):
        plain = f"{meaning.normalize():f}"
        return (plain,) if "." in plain else (plain, f"{plain}.0")
    return (str(meaning),)


def _listed(labels: Iterable[str]) -> str:
    return ", ".join(map(quoted, labels))
