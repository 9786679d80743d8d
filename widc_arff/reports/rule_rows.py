"""The rows of data on which one rule holds: their classes, and what the committee decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from widc_arff.model.literals import satisfied
from widc_arff.reports.explanations import numbers_of, row_width, table_lines
from widc_arff.reports.label_sets import votes_of_rule
from widc_arff.reports.layout import WIDTH, signed, wrap_words
from widc_arff.reports.markdown import escaped
from widc_arff.reports.text import classes_of_points
from widc_arff.reports.wording import conditions, counted, percent, shown

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
        self._committee, self._rule, self._most = committee, rule, most
        rows = np.flatnonzero(satisfied(committee.rules[rule].monomial, dataset.columns))
        self._n_samples = dataset.n_samples
        self._numbers = numbers[rows]
        self._examples = dataset.take(rows)

    def as_dicts(self) -> Iterator[dict[str, Any]]:
        """Yield each row as data for JSON."""
        labels = self._committee.schema.labels.values
        for row, actual, decided, fired in self._rows():
            told: dict[str, Any] = {"row": row}
            if self._committee.schema.labels.are_sets:
                told["actual"] = None if actual is None else [labels[j] for j in actual]
                told["predicted"] = [labels[j] for j in decided]
            else:
                told["actual"] = labels[actual[0]] if actual else None
                told["predicted"] = labels[decided[0]]
            yield told | {"rules": [k + 1 for k in fired]}

    def lines(self, *, markdown: bool) -> Iterator[str]:
        """Yield lines of text or Markdown: the rule, its rows, how they are decided."""
        rows = list(self._rows())
        for line in [*self._head(), *self._summary(rows), ""]:
            yield escaped(line) if markdown else line
        if not len(self._numbers):
            return
        are_sets = self._committee.schema.labels.are_sets
        labels = [shown(label) for label in self._committee.schema.labels.values]
        most = max(len("actual"), len("decision"), *(len(label) for label in labels))
        wide = _WIDEST if are_sets else min(most, _WIDEST)

        def cells(
            row: int, actual: Sequence[int] | None, decided: Sequence[int], fired: Sequence[int]
        ) -> list[str]:
            told = "?" if actual is None else self._named(actual, labels)
            mark = "" if actual is None or set(actual) == set(decided) else "wrong"
            return [str(row), told, self._named(decided, labels), mark, numbers_of(fired)]

        heads = ("row", "actual", "decision", "", "rules that hold")
        widths = [row_width(int(self._numbers.max())), wide, wide, len("wrong")]
        yield from table_lines(heads, (cells(*row) for row in rows), widths, markdown=markdown)

    def _head(self) -> list[str]:
        """Return the rule in words, with its votes."""
        committee, rule = self._committee, self._committee.rules[self._rule]
        labels = [shown(label) for label in committee.schema.labels.values]
        groups = classes_of_points(committee.points[self._rule], labels)
        if committee.schema.labels.are_sets:
            groups = {v: votes_of_rule(committee, rule, v, self._most) for v in (1, -1)}
        votes = [f"{name} {signed(vote)}" for vote, names in groups.items() for name in names]
        text = f"Rule {self._rule + 1}: {' and '.join(conditions(rule.monomial, committee.schema))}"
        text += f": {', '.join(votes) or 'no points'}"
        return wrap_words(text.split(" "), WIDTH, " ")

    def _summary(self, rows: list[_Row]) -> list[str]:
        """Return how many rows there are, of which classes, and how many are decided wrongly."""
        n, n_all = len(self._numbers), self._n_samples
        share = percent(n / n_all)
        text = f"It holds on {n:,} of {counted(n_all, 'row')} ({share})"
        known = self._examples.labelled
        if known.any():
            labels = [shown(label) for label in self._committee.schema.labels.values]
            of_label = self._examples.Y[known].sum(axis=0)
            order = np.argsort(-of_label, kind="stable").tolist()
            found = [f"{labels[j]} {of_label[j]:,}" for j in order if of_label[j]]
            if len(found) > self._most:
                found = [*found[: self._most], f"{len(found) - self._most} more"]
            wrong = sum(a is not None and set(a) != set(d) for _, a, d, _ in rows)
            outcome = f"{counted(wrong, 'row')} decided wrongly"
            if self._committee.schema.labels.are_sets:
                right = int(known.sum()) - wrong
                outcome = f"{counted(right, 'row')} with exactly the labels decided"
            text += f": {', '.join(found)}; {outcome}"
        return wrap_words(f"{text}.".split(" "), WIDTH, " ")

    def _named(self, indices: Sequence[int], labels: Sequence[str]) -> str:
        return ", ".join(labels[j] for j in indices[: max(self._most, 1)]) or "none"

    def _rows(self) -> Iterator[_Row]:
        """Yield number, true labels (None where not known), labels decided and rules that hold."""
        start = 0
        for part in self._examples.parts():
            if self._committee.schema.labels.are_sets:
                decided = self._committee.predict_sets(part)
            else:
                codes = self._committee.predict_codes(part)
                decided = codes[:, None] == np.arange(self._committee.schema.n_classes)
            fires = self._committee.fires(part)
            for i in range(part.n_samples):
                actual = np.flatnonzero(part.Y[i]).tolist() if part.labelled[i] else None
                fired = np.flatnonzero(fires[i]).tolist()
                number = int(self._numbers[start + i])
                yield number, actual, np.flatnonzero(decided[i]).tolist(), fired
            start += part.n_samples
