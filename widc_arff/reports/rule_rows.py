"""The rows of data on which one rule holds: their classes, and what the committee decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.evaluation.answers import decided
from widc_arff.model.literals import satisfied
from widc_arff.reports.as_markdown import escaped_line
from widc_arff.reports.explanations import known_labels, mark_of, numbers_of, row_width, table_lines
from widc_arff.reports.kinds import kind_of
from widc_arff.reports.layout import WIDTH, signed, wrap_words
from widc_arff.reports.wording import counted, percent, rule_conditions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from widc_arff.arrays import Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee

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
            told = {"actual": self._kind.plain(actual), "predicted": self._kind.plain(decision)}
            yield {"row": row, **told, "rules": [k + 1 for k in fired]}

    def lines(self, *, markdown: bool) -> Iterator[str]:
        """Yield lines of text or Markdown: the rule, its rows, how they are decided."""
        rows = list(self._rows())
        for line in [*self._head(), *self._summary(rows), ""]:
            yield escaped_line(line) if markdown else line
        if not len(self._numbers):
            return
        wide = self._kind.decision_width(_WIDEST)

        def cells(
            row: int, actual: Sequence[int] | None, decision: Sequence[int], fired: Sequence[int]
        ) -> list[str]:
            told = "?" if actual is None else self._named(actual)
            mark = mark_of(actual, decision)
            return [str(row), told, self._named(decision), mark, numbers_of(fired)]

        heads = ("row", "actual", "decision", "", "rules that hold")
        widths = [row_width(int(self._numbers.max())), wide, wide, len("wrong")]
        yield from table_lines(heads, (cells(*row) for row in rows), widths, markdown=markdown)

    def _head(self) -> list[str]:
        """Return the rule in words, with its votes."""
        groups = self._kind.votes(self._rule)
        votes = [f"{name} {signed(vote)}" for vote, names in groups.items() for name in names]
        words = " and ".join(rule_conditions(self._committee, self._rule))
        text = f"Rule {self._rule + 1}: {words}"
        text += f": {', '.join(votes) or 'no points'}"
        return wrap_words(text.split(" "), WIDTH, " ")

    def _summary(self, rows: list[_Row]) -> list[str]:
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
            if len(found) > most:
                found = [*found[:most], f"{len(found) - most} more"]
            wrong = sum(bool(mark_of(actual, decision)) for _, actual, decision, _ in rows)
            outcome = self._kind.outcome(int(known.sum()), wrong)
            text += f": {', '.join(found)}; {outcome}"
        return wrap_words(f"{text}.".split(" "), WIDTH, " ")

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
