"""The rows that an exported SELECT reads, and what rules test in them.

The rows are numbered.  Beside them stand the values that rules test, as the model means them
whatever the types of the columns: nominal ones as text, numbers as doubles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.export.content import used_attributes
from widc_arff.export.spellings import other_spellings
from widc_arff.export.sql_terms import chain, exact_number, quoted, quoted_name, step

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from widc_arff.arff.relation import Attribute
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.literals import Literal
    from widc_arff.model.rules import Rule

_MISSING = ("", "?", "NaN", "nan")
"""Texts that are missing values where they are no labels."""


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
        column = f"s.{quoted_name(attribute.name)}"
        if literal.operator in ("known", "missing"):
            return f"{column} IS {'NOT ' * (literal.operator == 'known')}NULL"
        if literal.operator in ("<=", ">"):
            return f"{column} {literal.operator} {exact_number(literal.value)}"
        labels = _listed(attribute.values[code] for code in literal.named)
        if len(literal.named) == 1:
            return f"{column} {'=' if literal.is_for_named else '<>'} {labels}"
        return f"{column} {'' if literal.is_for_named else 'NOT '}IN ({labels})"


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
            f"      WHEN {as_text} IN ({_listed(_MISSING)}) THEN NULL\n"
            f"      ELSE {as_double} END"
        )
    return _label(as_text, attribute.values)


def _label(as_text: str, labels: Sequence[str]) -> str:
    """Return the label that a text means: itself, or the one of the same number or truth value.

    Blanks around a text do not count where no label has them.
    """
    text = as_text if any(label != label.strip() for label in labels) else f"TRIM({as_text})"
    missing = [word for word in _MISSING if word not in labels]
    lines = [f"CASE WHEN {text} IN ({_listed(missing)}) THEN NULL"] if missing else ["CASE"]
    other = other_spellings(labels)
    if not other:
        return "\n      ".join([*lines, f"ELSE {text} END"]) if missing else text
    lowered = f"LOWER({text})"
    number = (
        f"LTRIM(CASE WHEN {lowered} LIKE '%.%' THEN RTRIM(RTRIM({lowered}, '0'), '.')\n"
        f"      ELSE {lowered} END, '0')"
    )
    of_zero = other.pop("0", None)
    lines += [f"WHEN {text} IN ({_listed(labels)}) THEN {text}"]
    if of_zero is not None:
        zeros = f"{number} IN ('', '-0', '-') AND {text} LIKE '%0%'"
        lines += [f"WHEN {zeros} THEN {quoted(of_zero)}"]
    cases = [f"WHEN {quoted(_bare(spelled))} THEN {quoted(v)}" for spelled, v in other.items()]
    if not cases:  # 0 is the only number
        return "\n      ".join([*lines, f"ELSE {text} END"])
    return "\n      ".join([*lines, f"ELSE CASE {number}", *cases, f"ELSE {text} END END"])


def _bare(spelled: str) -> str:
    """Return a word, or a number without the zeros at its ends."""
    return spelled.lstrip("0")


def _listed(labels: Iterable[str]) -> str:
    return ", ".join(map(quoted, labels))
