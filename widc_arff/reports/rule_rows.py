"""The rows of data on which one rule holds: their classes, and what the committee decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.evaluation.answers import decided
from widc_arff.model.literals import satisfied
from widc_arff.reports.blocks import FILL, Column, Table
from widc_arff.reports.explanations import MARK, known_labels, mark_of, row_column
from widc_arff.reports.formatting import counted, first_of, numbers_of, percent, rule_conditions
from widc_arff.reports.kinds import kind_of
from widc_arff.reports.layout import signed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from widc_arff.arrays import Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.blocks import Block

    # number, true labels (None where not known), labels decided, rules that hold
    _Row = tuple[int, Sequence[int] | None, Sequence[int], Sequence[int]]

_WIDEST = 24


class RuleRows:
    """The rows of a rule.

    Parameters
    ----------
    committee : DecisionCommittee
        For classes or label sets.
    rule : int
        Index of the rule.
    dataset : Dataset
        In the schema of the committee; rows need no class.
    numbers : ndarray of int64 of shape (n_samples,)
        What the rows are called, from 1.
    most : int
        How many labels to name at a time, of label sets.
    """

    def __init__(
        self,
        committee: DecisionCommittee,
        rule: int,
        dataset: Dataset,
        numbers: Integers,
        most: int,
    ) -> None:
        self._committee, self._rule = committee, rule
        self._kind = kind_of(committee, most)
        rows = np.flatnonzero(satisfied(committee.rules[rule].monomial, dataset.columns))
        self._n_samples = dataset.n_samples
        self._numbers = numbers[rows]
        self._examples = dataset.take(rows)

    def as_dicts(self) -> Iterator[dict[str, Any]]:
        """Yield each row as data for JSON."""
        for row, actual, decision, fired in self._rows():
            classes = {"actual": self._kind.plain(actual), "predicted": self._kind.plain(decision)}
            yield {"row": row, **classes, "rules": [k + 1 for k in fired]}

    def blocks(self) -> Iterator[Block]:
        """Yield a report: the rule, its rows, how they are decided."""
        rows = list(self._rows())
        yield self._head()
        yield self._summary(rows)
        if not rows:
            return
        wide = self._kind.decision_width(_WIDEST)
        columns = [
            row_column(self._numbers),
            Column("actual", "words", wide),
            Column("decision", "words", wide),
            MARK,
            Column("rules that hold", "words", FILL),
        ]
        yield Table(columns, [self._cells(*row) for row in rows])

    def _cells(
        self, row: int, actual: Sequence[int] | None, decision: Sequence[int], fired: Sequence[int]
    ) -> list[str]:
        actual_name = "?" if actual is None else self._named(actual)
        mark = mark_of(actual, decision)
        return [str(row), actual_name, self._named(decision), mark, numbers_of(fired)]

    def _head(self) -> str:
        """Return the rule in words, with its votes."""
        groups = self._kind.votes(self._rule)
        votes = [f"{name} {signed(vote)}" for vote, names in groups.items() for name in names]
        words = " and ".join(rule_conditions(self._committee, self._rule))
        return f"Rule {self._rule + 1}: {words}: {', '.join(votes) or 'no points'}"

    def _summary(self, rows: list[_Row]) -> str:
        """Return how many rows there are, of which classes, and how many are decided wrongly."""
        n, n_all = len(self._numbers), self._n_samples
        share = percent(n / n_all)
        text = f"It holds on {n:,} of {counted(n_all, 'row')} ({share})"
        known = self._examples.labelled
        if known.any():
            labels, most = self._kind.labels, self._kind.most
            of_label = self._examples.Y[known].sum(axis=0)
            order = np.argsort(-of_label, kind="stable").tolist()
            found = [f"{labels[j]} {of_label[j]:,}" for j in order if of_label[j]]
            found = first_of(found, most)
            wrong = sum(bool(mark_of(actual, decision)) for _, actual, decision, _ in rows)
            outcome = self._kind.outcome(int(known.sum()), wrong)
            text += f": {', '.join(found)}; {outcome}"
        return f"{text}."

    def _named(self, indices: Sequence[int]) -> str:
        most = max(self._kind.most, 1)
        return ", ".join(self._kind.labels[j] for j in indices[:most]) or "none"

    def _rows(self) -> Iterator[_Row]:
        """Yield number, true labels (None where not known), labels decided and rules that hold."""
        numbers = iter(self._numbers.tolist())
        for part in self._examples.parts():
            decisions = decided(self._committee, self._committee.votes(part))
            fires = self._committee.fires(part)
            for actual, decision, fired in zip(known_labels(part), decisions, fires, strict=True):
                found, rules = np.flatnonzero(decision).tolist(), np.flatnonzero(fired).tolist()
                yield next(numbers), actual, found, rules
