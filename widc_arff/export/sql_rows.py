"""Votes and probabilities as rows, one for each row and label: no limit on rules and labels.

Whether rules hold is a text of zeros and ones, a piece for some of them: columns are too few in
SQLite and PostgreSQL for thousands of rules, and DuckDB needs minutes for as many SELECTs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.export.content import commented, rule_in_words
from widc_arff.export.sql_columns import part
from widc_arff.export.sql_terms import chain, quoted, step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from widc_arff.export.sql_reading import Reading
    from widc_arff.model.committee import DecisionCommittee

_PIECE = 200  # rules
_MOST_PIECES = 400  # SQLite takes 500 SELECTs in a union


class RowSteps:
    """The steps from widc_values to widc_results; labels are numbered in order of preference.

    Parameters
    ----------
    committee, reading, frequencies, scores, preference
        As for `ColumnSteps`.
    each_label : bool
        Whether the results have columns for each label, or for the predicted one only.
    """

    def __init__(
        self,
        committee: DecisionCommittee,
        reading: Reading,
        frequencies: list[str],
        scores: list[str],
        preference: list[int],
        *,
        each_label: bool,
    ) -> None:
        self._committee = committee
        self._reading = reading
        self._frequencies = frequencies
        self._scores = scores
        self._preference = preference
        self._each_label = each_label
        self._piece = max(_PIECE, -(-len(committee.rules) // _MOST_PIECES))

    def lines(self) -> list[str]:
        """Return the lines of the steps."""
        n = self._reading.number
        chance = part("s.votes", "m.most", "s.frequency", self._committee)
        tied = "CASE WHEN s.votes = m.most THEN"
        return [
            *_values("widc_labels (label, name, frequency, score)", self._labels()),
            *_values("widc_vectors (rule, label, vote)", self._vectors()),
            *_values("widc_places (place)", (f"({i + 1})" for i in range(self._piece))),
            *step(
                "widc_known", [f"s.{n} AS n", f"{self._reading.known()} AS known"], "widc_values"
            ),
            *self._pieces(),
            *step(
                "widc_rules",
                ["s.n", "s.first_rule + p.place AS rule"],
                "widc_pieces",
                "JOIN widc_places AS p ON SUBSTR(s.hold, p.place, 1) = '1'",
            ),
            *step(
                "widc_sums",
                ["s.n", "v.label", "CAST(SUM(v.vote) AS INTEGER) AS votes"],
                "widc_rules",
                "JOIN widc_vectors AS v ON v.rule = s.rule",
                "GROUP BY s.n, v.label",
            ),
            *step(
                "widc_votes",
                [
                    "s.n",
                    "l.label",
                    "l.frequency",
                    "l.score",
                    "COALESCE(v.votes, 0) + s.known AS votes",
                ],
                "widc_known",
                "CROSS JOIN widc_labels AS l",
                "LEFT JOIN widc_sums AS v ON v.n = s.n AND v.label = l.label",
            ),
            *step("widc_most", ["s.n", "MAX(s.votes) AS most"], "widc_votes", "GROUP BY s.n"),
            *step(
                "widc_totals",
                [
                    "s.n",
                    "m.most",
                    f"SUM({tied} 1 ELSE {chance} END) AS total",
                    f"SUM({tied} 1 ELSE 0 END) AS tied",
                    f"SUM({tied} s.score ELSE 0 END) AS tied_scores",
                    f"MIN({tied} s.label END) AS winner",
                ],
                "widc_votes",
                "JOIN widc_most AS m ON m.n = s.n",
                "GROUP BY s.n, m.most",
            ),
            *(self._results_of_each() if self._each_label else self._results()),
        ]

    def _labels(self) -> Iterable[str]:
        labels = self._committee.schema.labels.values
        for place, j in enumerate(self._preference):
            numbers = f"{self._frequencies[j]}, {self._scores[j]}"
            yield f"({place + 1}, {quoted(labels[j])}, {numbers})"

    def _vectors(self) -> Iterable[str]:
        yield "(0, 0, 0)"
        for k, rule in enumerate(self._committee.rules):
            for place, j in enumerate(self._preference):
                if rule.votes[j]:
                    yield f"({k + 1}, {place + 1}, {rule.votes[j]})"

    def _pieces(self) -> list[str]:
        selects = []
        rules = self._committee.rules
        for first in range(0, len(rules), self._piece) or [0]:
            cases = []
            for k in range(first, min(first + self._piece, len(rules))):
                words = commented([rule_in_words(self._committee, k)], "--")
                holds = f"CASE WHEN {self._reading.holds(rules[k])} THEN '1' ELSE '0' END"
                cases.append("\n      ".join([*words, holds]))
            hold = chain(cases, "||") if cases else "''"
            selects.append(
                f"  SELECT s.{self._reading.number} AS n, {first} AS first_rule,\n"  # noqa: S608
                f"      {hold} AS hold\n"
                "  FROM widc_values AS s"
            )
        return ["widc_pieces AS MATERIALIZED (", "\n  UNION ALL\n".join(selects), "),"]

    def _results(self) -> list[str]:
        return step(
            "widc_results",
            [
                "s.n",
                "l.name AS predicted",
                "l.score / s.tied_scores * s.tied / s.total AS probability",
                "s.most AS votes",
            ],
            "widc_totals",
            "LEFT JOIN widc_labels AS l ON l.label = s.winner",
        )

    def _results_of_each(self) -> list[str]:
        chance = part("v.votes", "s.most", "v.frequency", self._committee)
        of_row = (
            "CASE WHEN v.votes = s.most\n"
            "      THEN v.score / s.tied_scores * s.tied\n"
            f"      ELSE {chance}\n"
            "    END / s.total AS probability"
        )
        places = {j: place + 1 for place, j in enumerate(self._preference)}
        of_label = [
            (f"MAX(CASE WHEN s.label = {places[j]} THEN s.{what} END)", f"{what}_{j + 1}")
            for what in ("probability", "votes")
            for j in range(len(places))
        ]
        return [
            *step(
                "widc_chances",
                ["s.n", "s.winner", "v.label", "v.votes", of_row],
                "widc_totals",
                "JOIN widc_votes AS v ON v.n = s.n",
            ),
            *step(
                "widc_results",
                [
                    "s.n",
                    "MAX(l.name) AS predicted",
                    *(f"{value} AS {name}" for value, name in of_label),
                ],
                "widc_chances",
                "LEFT JOIN widc_labels AS l ON l.label = s.winner",
                "GROUP BY s.n",
            ),
        ]


def _values(name: str, rows: Iterable[str]) -> list[str]:
    """Return a common table expression of rows that are written down."""
    return [f"{name} AS MATERIALIZED (", "  VALUES", ",\n".join(f"    {row}" for row in rows), "),"]
