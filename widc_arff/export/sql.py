"""A committee as one SELECT for SQLite, PostgreSQL and DuckDB.

The rows are numbered, and votes and probabilities computed beside them step by step, each step
materialized: databases that merge steps would compute each rule once for each of its uses.  The
numbers join the result to the rows, so that nothing but the result is added to their columns.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from widc_arff.export.content import (
    LEAST_SCORE,
    commented,
    heading,
    require_exportable,
    rule_in_words,
    unused_name,
    used_attributes,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from widc_arff.committee import DecisionCommittee
    from widc_arff.literals import Literal

_MOST_TERMS = 100  # of a sum in a row: SQLite limits the depth of expressions
_MOST_GAP = 700  # exp(-746) and below is an error of PostgreSQL, not zero

_ABOUT = """\
For SQLite 3.35, PostgreSQL 12, DuckDB 1.0 and later; SQLite needs its mathematical functions.
Gives all columns of the table, the predicted label, and for each label a probability and the
sum of votes; before them a number for each row, in the order in which the rows were read.
Nominal attributes are columns of text, numeric ones of double precision or whole numbers, dates
milliseconds since 1970-01-01 UTC. NULL is missing and satisfies no condition; NaN must be made
NULL. A row with a label that training did not know gets no prediction: NULL."""


def sql_select(committee: DecisionCommittee, table: str | None = None) -> str:
    """Return a SELECT statement that adds the committee's predictions to a table's columns.

    Parameters
    ----------
    committee : DecisionCommittee
        Who predicts.
    table : str, optional
        Name of the table or view; by default that of the relation.

    Raises
    ------
    ModelError
        If the committee decides on label sets, or a name or label has a character that SQL cannot
        hold.
    """
    source = table or committee.schema.relation or "data"
    require_exportable(committee, "SQL", _is_of_sql, [source])
    return _Select(committee, source).text()


class _Select:
    """The statement; label j has the columns votes_j and probability_j until the end.

    Names and labels may hold line ends, so that lines are indented when they are made.
    """

    def __init__(self, committee: DecisionCommittee, table: str) -> None:
        schema = committee.schema
        self.committee = committee
        self.table = table
        self.labels = schema.labels.values
        scores = [max(score, LEAST_SCORE) for score in committee.tie_scores.tolist()]
        self.preference = sorted(range(len(scores)), key=lambda j: -scores[j])
        self.scores = [f"CAST({score!r} AS DOUBLE PRECISION)" for score in scores]
        self.votes = [f"votes_{j + 1}" for j in range(len(scores))]
        self.chances = [f"probability_{j + 1}" for j in range(len(scores))]
        taken = {a.name.casefold() for a in schema.attributes}
        taken.add(schema.labels.attributes[0].casefold())
        self.number = quoted_name(unused_name("row_number", taken))
        wanted = {"predicted": "predicted"}
        wanted |= {c: f"probability_{label}" for c, label in self._of_labels(self.chances)}
        wanted |= {c: f"votes_{label}" for c, label in self._of_labels(self.votes)}
        self.results = {c: quoted_name(unused_name(name, taken)) for c, name in wanted.items()}

    def _of_labels(self, columns: list[str]) -> Iterator[tuple[str, str]]:
        return zip(columns, self.labels, strict=True)

    def text(self) -> str:
        votes = [f"s.{name}" for name in self.votes]
        lines = [
            *commented(heading(self.committee), "--"),
            *(f"-- {line}" for line in _ABOUT.splitlines()),
            "WITH widc_rows AS MATERIALIZED (",
            f"  SELECT ROW_NUMBER() OVER () AS {self.number}, t.*",
            f"  FROM {quoted_name(self.table)} AS t",
            "),",
            *_step("widc_rules", [f"s.{self.number} AS n", *self._rules()], "widc_rows"),
            *_step("widc_votes", ["s.n", *self._votes()], "widc_rules"),
            *_step("widc_most", ["s.n", *votes, f"{_greatest(votes)} AS most"], "widc_votes"),
            *_step("widc_totals", ["s.n", *votes, "s.most", *self._totals()], "widc_most"),
            *_step("widc_results", ["s.n", *self._results(), *votes], "widc_totals"),
        ]
        lines[-1] = ")"
        lines += ["SELECT", "  t.*,"]
        lines += [f"  r.{column} AS {name}," for column, name in self.results.items()]
        lines[-1] = lines[-1].removesuffix(",")
        lines += ["FROM widc_rows AS t", f"JOIN widc_results AS r ON r.n = t.{self.number};"]
        return "\n".join(lines) + "\n"

    def _rules(self) -> list[str]:
        """Return 0 as `known`, NULL beside unknown labels, and whether each rule holds."""
        attributes = (self.committee.schema.attributes[a] for a in used_attributes(self.committee))
        unknown = "\n      OR ".join(
            f"s.{quoted_name(attribute.name)} NOT IN ({', '.join(map(quoted, attribute.values))})"
            for attribute in attributes
            if attribute.type == "nominal"
        )
        columns = [
            f"CASE WHEN {unknown} THEN NULL ELSE 0 END AS known" if unknown else "0 AS known"
        ]
        for k, rule in enumerate(self.committee.rules):
            words = commented([rule_in_words(self.committee, k)], "--")
            tests = "\n      AND ".join(self._test(literal) for literal in rule.monomial)
            case = f"CASE WHEN {tests} THEN 1 ELSE 0 END AS rule_{k + 1}"
            columns.append("\n    ".join([*words, case]))
        return columns

    def _test(self, literal: Literal) -> str:
        attribute = self.committee.schema.attributes[literal.attribute]
        value = (
            quoted(attribute.values[int(literal.value)])
            if attribute.type == "nominal"
            else exact_number(literal.value)
        )
        operator = "<>" if literal.operator == "!=" else literal.operator
        return f"s.{quoted_name(attribute.name)} {operator} {value}"

    def _votes(self) -> list[str]:
        """Return the sum of votes for each label."""
        columns = []
        for j, name in enumerate(self.votes):
            terms = ["+ s.known"]
            for k, rule in enumerate(self.committee.rules):
                if rule.votes[j]:
                    terms.append(f"{'+' if rule.votes[j] > 0 else '-'} s.rule_{k + 1}")
            columns.append(f"{_sum([' '.join(part) for part in _batched(terms, 8)])} AS {name}")
        return columns

    def _totals(self) -> list[str]:
        """Return the sum of exp(votes - most), how many labels are tied, and their scores' sum."""
        tied = [f"+ CASE WHEN s.{name} = s.most THEN" for name in self.votes]
        scores = [
            f"{case} {score} ELSE 0 END" for case, score in zip(tied, self.scores, strict=True)
        ]
        return [
            f"{_sum([f'+ {self._part(name)}' for name in self.votes])} AS total",
            f"{_sum([f'{case} 1 ELSE 0 END' for case in tied])} AS tied",
            f"{_sum(scores)} AS tied_scores",
        ]

    def _results(self) -> list[str]:
        """Return the label that wins, the first of the tied ones by preference; probabilities."""
        cases = [
            f"WHEN s.{self.votes[j]} = s.most THEN {quoted(self.labels[j])}"
            for j in self.preference
        ]
        columns = ["\n      ".join(["CASE", *cases]) + "\n    END AS predicted"]
        for votes, score, chance in zip(self.votes, self.scores, self.chances, strict=True):
            columns.append(
                f"CASE WHEN s.{votes} = s.most\n"
                f"      THEN {score} / s.tied_scores * s.tied\n"
                f"      ELSE {self._part(votes)}\n"
                f"    END / s.total AS {chance}"
            )
        return columns

    def _part(self, votes: str) -> str:
        if 2 * len(self.committee.rules) <= _MOST_GAP:
            return f"EXP(s.{votes} - s.most)"
        return f"CASE WHEN s.most - s.{votes} > {_MOST_GAP} THEN 0 ELSE EXP(s.{votes} - s.most) END"


def quoted(text: str) -> str:
    """Return a text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def quoted_name(name: str) -> str:
    """Return a name as SQL takes it as it is."""
    return '"' + name.replace('"', '""') + '"'


def exact_number(value: float) -> str:
    """Return an expression whose value is exactly that of a finite double.

    Notes
    -----
    Decimal digits are enough where they are at most 15 with a power of ten of at most 22: then
    digits and power are doubles, and any database rounds once.  Beyond, SQLite may miss the nearest
    double by a bit, so that a whole number is scaled by powers of two, which is exact.
    """
    digits, exponent = _decimal(value)
    if len(digits) <= 15 and abs(exponent) <= 22:
        return repr(value)
    numerator, denominator = value.as_integer_ratio()
    shift = numerator & -numerator
    numerator //= shift
    factors = [f"CAST({numerator} AS DOUBLE PRECISION)"]
    for operator, power in (("*", shift), ("/", denominator)):
        rest = power
        while rest > 1:
            step = min(rest, 2**62)
            factors += [operator, f"CAST({step} AS DOUBLE PRECISION)"]
            rest //= step
    return "(" + " ".join(factors) + ")"


def _is_of_sql(character: str) -> bool:
    """Return whether the databases can hold a character: all but NUL and lone surrogates."""
    return character != "\0" and not "\ud800" <= character <= "\udfff"


def _decimal(value: float) -> tuple[tuple[int, ...], int]:
    """Return the shortest digits and the power of ten that make a double."""
    _, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    return digits, int(exponent)


def _step(name: str, columns: list[str], source: str) -> list[str]:
    """Return a common table expression that makes columns from those of `source`, named s."""
    body = ",\n    ".join(columns)
    return [f"{name} AS MATERIALIZED (", f"  SELECT\n    {body}", f"  FROM {source} AS s", "),"]


def _sum(terms: list[str]) -> str:
    """Return a sum of terms that begin with their signs, a line each; long sums in parts."""
    if len(terms) > _MOST_TERMS:
        return _sum([f"+ ({_sum(part)})" for part in _batched(terms, _MOST_TERMS)])
    return "\n      ".join(terms).removeprefix("+ ")


def _greatest(columns: list[str]) -> str:
    """Return the largest of some columns; the databases have no common function for it."""
    every = "\n      UNION ALL ".join(f"SELECT {column} AS v" for column in columns)
    return f"(SELECT MAX(v) FROM (\n      {every}\n    ) AS u)"  # noqa: S608 - columns have our names


def _batched(items: list[str], size: int) -> list[list[str]]:
    """Return items in lists of at most `size`."""
    return [items[i : i + size] for i in range(0, len(items), size)]
