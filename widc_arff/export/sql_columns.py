"""Votes and probabilities as columns beside each row: one for each rule and label.

Each step is materialized: databases that merge steps would compute each rule once for each of its
uses.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from widc_arff.export.content import commented, rule_in_words
from widc_arff.export.sql_terms import (
    batched,
    double,
    in_reach_of_largest,
    largest,
    quoted,
    signed_sum,
    step,
)

if TYPE_CHECKING:
    from widc_arff.export.sql_reading import Reading
    from widc_arff.model.committee import DecisionCommittee

_MOST_GAP = 700  # exp(-746) and below is an error of PostgreSQL, not zero


def part(votes: str, most: str, frequency: str, committee: DecisionCommittee) -> str:
    """Return factor ** (most - votes) times a frequency, zero where it is next to nothing."""
    of_vote = -math.log(committee.known_calibration.factor)
    most_gap = int(_MOST_GAP / of_vote)
    written = f"CAST({of_vote!r} AS DOUBLE PRECISION)"
    power = f"EXP(({votes} - {most}) * {written}) * {frequency}"
    if 2 * len(committee.rules) <= most_gap:
        return power
    return f"CASE WHEN {most} - {votes} > {most_gap} THEN 0 ELSE {power} END"


class _VoteSteps:
    """The steps from widc_values to widc_votes, the sum of votes for each label.

    Parameters
    ----------
    committee : DecisionCommittee
        Who predicts.
    reading : Reading
        What rules test.
    """

    def __init__(self, committee: DecisionCommittee, reading: Reading) -> None:
        self._committee = committee
        self._reading = reading
        self._votes = [f"votes_{j + 1}" for j in range(committee.schema.n_classes)]

    def _voting(self) -> list[str]:
        number = f"s.{self._reading.number} AS n"
        return [
            *step("widc_rules", [number, *self._rules()], "widc_values"),
            *step("widc_votes", ["s.n", *self._sums()], "widc_rules"),
        ]

    def _rules(self) -> list[str]:
        """Return 0 as `known`, NULL beside unknown labels, and whether each rule holds."""
        columns = [f"{self._reading.known()} AS known"]
        for k, rule in enumerate(self._committee.rules):
            words = commented([rule_in_words(self._committee, k)], "--")
            case = f"CASE WHEN {self._reading.holds(rule)} THEN 1 ELSE 0 END AS rule_{k + 1}"
            columns.append("\n    ".join([*words, case]))
        return columns

    def _sums(self) -> list[str]:
        """Return the sum of votes for each label."""
        columns = []
        for j, name in enumerate(self._votes):
            terms = ["+ s.known"]
            for k, rule in enumerate(self._committee.rules):
                if rule.votes[j]:
                    terms.append(f"{'+' if rule.votes[j] > 0 else '-'} s.rule_{k + 1}")
            lines = [" ".join(line) for line in batched(terms, 8)]
            columns.append(f"{signed_sum(lines)} AS {name}")
        return columns


class ColumnSteps(_VoteSteps):
    """The steps from widc_values to widc_results.

    Parameters
    ----------
    committee, reading
        Who predicts, and what rules test.
    frequencies, scores : list of str
        Of the labels, and in proportion to which tied ones share, as expressions.
    preference : list of int
        The labels in the order in which ties go to them.
    """

    def __init__(
        self,
        committee: DecisionCommittee,
        reading: Reading,
        frequencies: list[str],
        scores: list[str],
        preference: list[int],
    ) -> None:
        super().__init__(committee, reading)
        self._frequencies = frequencies
        self._scores = scores
        self._preference = preference

    def lines(self) -> list[str]:
        """Return the lines of the steps."""
        votes = [f"s.{name}" for name in self._votes]
        return [
            *self._voting(),
            *self._most(),
            *step("widc_totals", ["s.n", *votes, "s.most", *self._totals()], "widc_most"),
            *step("widc_results", ["s.n", *self._results(), *votes], "widc_totals"),
        ]

    def _most(self) -> list[str]:
        """Return steps that find the largest sum: of groups of labels, of groups of these."""
        votes = [f"s.{name}" for name in self._votes]
        lines: list[str] = []
        source, level, columns = "widc_votes", 0, votes
        while len(groups := in_reach_of_largest(columns)) > 1:
            level += 1
            names = [f"most_{level}_{i + 1}" for i in range(len(groups))]
            found = [f"{largest(g)} AS {name}" for g, name in zip(groups, names, strict=True)]
            lines += step(f"widc_most_{level}", ["s.n", *votes, *found], source)
            source, columns = f"widc_most_{level}", [f"s.{name}" for name in names]
        lines += step("widc_most", ["s.n", *votes, f"{largest(columns)} AS most"], source)
        return lines

    def _totals(self) -> list[str]:
        """Return the sum of parts, how many labels are tied, and the sum of their shares."""
        tied = [f"+ CASE WHEN s.{name} = s.most THEN" for name in self._votes]
        scores = [
            f"{case} {score} ELSE 0 END" for case, score in zip(tied, self._scores, strict=True)
        ]
        parts = [f"{case} 1 ELSE {self._part(j)} END" for j, case in enumerate(tied)]
        return [
            f"{signed_sum(parts)} AS total",
            f"{signed_sum([f'{case} 1 ELSE 0 END' for case in tied])} AS tied",
            f"{signed_sum(scores)} AS tied_scores",
        ]

    def _results(self) -> list[str]:
        """Return the label that wins, the first of the tied ones by preference; probabilities."""
        labels = self._committee.schema.labels.values
        cases = [
            f"WHEN s.{self._votes[j]} = s.most THEN {quoted(labels[j])}" for j in self._preference
        ]
        columns = ["\n      ".join(["CASE", *cases]) + "\n    END AS predicted"]
        for j, (votes, score) in enumerate(zip(self._votes, self._scores, strict=True)):
            columns.append(
                f"CASE WHEN s.{votes} = s.most\n"
                f"      THEN {score} / s.tied_scores * s.tied\n"
                f"      ELSE {self._part(j)}\n"
                f"    END / s.total AS probability_{j + 1}"
            )
        return columns

    def _part(self, j: int) -> str:
        return part(f"s.{self._votes[j]}", "s.most", self._frequencies[j], self._committee)


class LabelSetSteps(_VoteSteps):
    """The steps for label sets: whether each label is predicted, its probability, its votes."""

    def lines(self) -> list[str]:
        """Return the lines of the steps."""
        votes = [f"s.{name}" for name in self._votes]
        of_labels = self._committee.label_scores
        middle, threshold = double(of_labels.middle), double(of_labels.threshold)
        scores = [
            f"{double(slope)} * s.{name} + {double(intercept)} AS score_{j + 1}"
            for j, (name, slope, intercept) in enumerate(
                zip(
                    self._votes,
                    of_labels.slopes.tolist(),
                    of_labels.intercepts.tolist(),
                    strict=True,
                )
            )
        ]
        chances = []
        for j in range(len(votes)):
            score = f"s.score_{j + 1}"
            gap = score if of_labels.middle == 0 else f"({score} - {middle})"
            passes, fails = f"{score} >= {threshold}", f"{score} < {threshold}"
            chances += [
                f"CASE WHEN {passes} THEN 1 WHEN {fails} THEN 0 END AS predicted_{j + 1}",
                f"1 / (1 + EXP(-{_near(gap)})) AS probability_{j + 1}",
            ]
        return [
            *self._voting(),
            *step("widc_scores", ["s.n", *votes, *scores], "widc_votes"),
            *step("widc_results", ["s.n", *chances, *votes], "widc_scores"),
        ]


def _near(gap: str) -> str:
    """Return a gap, cut off where its power is next to nothing."""
    return f"(CASE WHEN ABS({gap}) > {_MOST_GAP} THEN {_MOST_GAP} * SIGN({gap}) ELSE {gap} END)"
