"""Explanations of rows: one at length, many as a table that is written row by row, or as data."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np

from widc_arff.model.change_values import ANY, Change, Unknown, Wanted
from widc_arff.model.changes import changes_by_row, unknown_by_row
from widc_arff.model.committee import Explanation, LabelSetExplanation
from widc_arff.model.model_file import committee_to_dict, literal_to_dict
from widc_arff.reports.as_markdown import escaped, fenced, table_row
from widc_arff.reports.kinds import kind_of
from widc_arff.reports.label_sets import label_set_explanation_text
from widc_arff.reports.layout import WIDTH, left, right, width_of, wrap_words
from widc_arff.reports.text import explanation_text, what_else_text
from widc_arff.reports.wording import change_in_words, decision_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from widc_arff.arrays import Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.change_values import Decision, Step
    from widc_arff.model.committee import DecisionCommittee

_BY_COST = "least cost"
_NUMBERS = ("row", "margin")
_WIDEST_DECISION = 20
_WIDEST_RULES = 16

Why = TypeVar("Why", Explanation, LabelSetExplanation)


class _Reasons(NamedTuple, Generic[Why]):
    """Why a row is decided as it is, what would change that, and what is not known."""

    why: Why
    changes: tuple[Change, ...]
    unknown: tuple[Unknown, ...]


class Explanations(ABC, Generic[Why]):
    """Why a committee decides as it does for rows of data.

    Parameters
    ----------
    committee : DecisionCommittee
        Who decides.
    examples : Dataset
        In its schema, one row at least; rows need no class.
    numbers : ndarray of int64 of shape (n_samples,)
        What the rows are called, from 1.
    most : int
        How many labels of a set to name at a time.
    wanted : Wanted
        Which changes to tell; costs ask for the class of least expected cost too.
    """

    def __init__(
        self,
        committee: DecisionCommittee,
        examples: Dataset,
        numbers: Integers,
        most: int,
        wanted: Wanted,
    ) -> None:
        wanted.check(committee)
        self._committee, self._examples, self._numbers = committee, examples, numbers
        self._kind, self._wanted, self._costs = kind_of(committee, most), wanted, wanted.costs
        self._is_known = bool(examples.labelled.any())

    def as_dicts(self) -> Iterator[dict[str, Any]]:
        """Yield each row as data for JSON."""
        rules = committee_to_dict(self._committee)["rules"]
        for row, actual, reasons in self._rows():
            told: dict[str, Any] = {"row": row, "actual": self._kind.plain(actual)}
            if not self._committee.is_fitted:
                told["fitted"] = False  # its probabilities are not
            told |= self._as_dict(reasons.why, rules)
            told["unknown"] = [self._unknown_to_dict(unknown) for unknown in reasons.unknown]
            told["changes"] = [self._change_to_dict(change) for change in reasons.changes]
            yield told

    def texts(self) -> Iterator[str]:
        """Yield the explanation of each row at length."""
        for row, actual, reasons in self._rows():
            yield self._at_length(row, actual, reasons)

    def _at_length(self, row: int, actual: Sequence[int] | None, reasons: _Reasons[Why]) -> str:
        by_cost = self._wanted.costs is not None
        _, changes, unknown = reasons
        decision = self._decision(reasons.why)
        return self._text(row, actual, reasons.why) + what_else_text(
            self._committee, unknown, changes, decision, by_cost=by_cost
        )

    def lines(self, *, markdown: bool) -> Iterator[str]:
        """Yield lines of text or Markdown: one row at length, several in a table."""
        if len(self._numbers) > 1:
            yield from self._table(markdown=markdown)
            return
        for row, actual, reasons in self._rows():
            text = self._at_length(row, actual, reasons).removesuffix("\n")
            yield fenced(text) if markdown else text

    def _rows(self) -> Iterator[tuple[int, Sequence[int] | None, _Reasons[Why]]]:
        committee, examples = self._committee, self._examples
        reasons = zip(
            self._explained(),
            changes_by_row(committee, examples, self._wanted),
            unknown_by_row(committee, examples, self._costs),
            strict=True,
        )
        known = known_labels(examples)
        for number, actual, reason in zip(self._numbers.tolist(), known, reasons, strict=True):
            yield number, actual, _Reasons(*reason)

    def _unknown_to_dict(self, unknown: Unknown) -> dict[str, Any]:
        schema = self._committee.schema
        return {
            "attribute": schema.attributes[unknown.attribute].name,
            "rules": [k + 1 for k in unknown.rules],
            "values": [
                {
                    "if": [literal_to_dict(literal, schema) for literal in values],
                    "predicted": self._plain(decision),
                }
                for values, decision in unknown.outcomes
            ],
        }

    def _change_to_dict(self, change: Change) -> dict[str, Any]:
        return {
            "steps": [_step_to_dict(self._committee, step) for step in change.steps],
            "distance": change.distance,
            "predicted": self._plain(change.decision),
        }

    def _plain(self, decision: Decision) -> Any:  # noqa: ANN401 - a label or a list
        return self._kind.plain([decision] if isinstance(decision, int) else decision)

    def _nearest(self, reasons: _Reasons[Why]) -> str:
        """Return the nearest change in words, for a table."""
        if not reasons.changes:
            return "none"
        (nearest, *_), now = reasons.changes, self._decision(reasons.why)
        words = change_in_words(nearest, self._committee.schema, present=False)
        return f"{words}: {decision_in_words(nearest.decision, self._kind.labels, now)}"

    @abstractmethod
    def _decision(self, why: Why) -> Decision:
        """Return what is decided."""

    def _table(self, *, markdown: bool) -> Iterator[str]:
        """Yield the lines of a table: of each row what is decided, and if wrongly, and why."""
        numbers = row_width(int(self._numbers.max()))
        rules = numbers_of(range(len(self._committee.rules)))
        heads, widths = self._columns(numbers, min(max(len("rules"), len(rules)), _WIDEST_RULES))
        rows: Iterable[list[str]] = (self._cells(*row) for row in self._rows())
        if not self._is_known:  # the third column tells what is wrong
            del heads[2], widths[2]
            rows = (row[:2] + row[3:] for row in rows)
        return table_lines(heads, rows, widths, markdown=markdown)

    @abstractmethod
    def _explained(self) -> Iterable[Why]:
        """Return the explanation of each row."""

    @abstractmethod
    def _as_dict(self, why: Why, rules: list[dict[str, Any]]) -> dict[str, Any]:
        """Return an explanation as plain data, given all rules as such."""

    @abstractmethod
    def _text(self, row: int, actual: Sequence[int] | None, why: Why) -> str:
        """Return an explanation at length."""

    @abstractmethod
    def _columns(self, numbers: int, rules: int) -> tuple[list[str], list[int]]:
        """Return heads of a table, and the widths of all columns but the last."""

    @abstractmethod
    def _cells(self, row: int, actual: Sequence[int] | None, reasons: _Reasons[Why]) -> list[str]:
        """Return a row of the table."""


class _OfClasses(Explanations[Explanation]):
    def _decision(self, why: Explanation) -> Decision:
        return why.winner

    def _explained(self) -> Iterable[Explanation]:
        return self._committee.explanations(self._examples)

    def _as_dict(self, why: Explanation, rules: list[dict[str, Any]]) -> dict[str, Any]:
        explanation, committee = why, self._committee
        labels = committee.schema.labels.values
        without = committee.without_rules(explanation)
        told: dict[str, Any] = {
            "predicted": labels[explanation.winner],
            "decided_by": "votes" if len(explanation.tied) == 1 else "default",
            "margin": explanation.margin,
            "rules": _fired(rules, explanation.fired),
            "votes": dict(zip(labels, explanation.votes, strict=True)),
            "tied": [labels[j] for j in explanation.tied] if len(explanation.tied) > 1 else [],
            "without": [{"rule": k + 1, "predicted": labels[j]} for k, j in without.items()],
            "probabilities": dict(zip(labels, explanation.probabilities, strict=True)),
        }
        if self._costs is not None:
            decision, expected = explanation.least_cost(self._costs)
            told["least_cost"] = labels[decision]
            told["expected_costs"] = dict(zip(labels, expected, strict=True))
        return told

    def _text(self, row: int, actual: Sequence[int] | None, why: Explanation) -> str:
        code = actual[0] if actual else None
        return explanation_text(self._committee, why, row, code, self._costs)

    def _columns(self, numbers: int, rules: int) -> tuple[list[str], list[int]]:
        decision = max(len("decision"), *map(width_of, self._kind.labels))
        decision = min(decision, _WIDEST_DECISION)
        heads, widths = ["row", "decision", ""], [numbers, decision, len("wrong")]
        if self._costs is not None:
            heads.append(_BY_COST)
            widths.append(max(decision, len(_BY_COST)))
        return [*heads, "margin", "rules", "nearest change"], [*widths, len("margin"), rules]

    def _cells(
        self, row: int, actual: Sequence[int] | None, reasons: _Reasons[Explanation]
    ) -> list[str]:
        explanation, labels, change = reasons.why, self._kind.labels, self._nearest(reasons)
        cells = [str(row), labels[explanation.winner], mark_of(actual, [explanation.winner])]
        if self._costs is not None:
            cells.append(labels[explanation.least_cost(self._costs)[0]])
        return [*cells, str(explanation.margin), numbers_of(explanation.fired), change]


class _OfLabelSets(Explanations[LabelSetExplanation]):
    def _decision(self, why: LabelSetExplanation) -> Decision:
        return why.predicted

    def _explained(self) -> Iterable[LabelSetExplanation]:
        return self._committee.set_explanations(self._examples)

    def _as_dict(self, why: LabelSetExplanation, rules: list[dict[str, Any]]) -> dict[str, Any]:
        labels = self._committee.schema.labels.values
        without = self._committee.sets_without_rules(why)
        return {
            "predicted": self._kind.plain(why.predicted),
            "ranking": self._kind.plain(why.ranking),
            "rules": _fired(rules, why.fired),
            "votes": dict(zip(labels, why.votes, strict=True)),
            "without": [
                {"rule": k + 1, "predicted": self._kind.plain(found)}
                for k, found in without.items()
            ],
            "probabilities": dict(zip(labels, why.probabilities, strict=True)),
        }

    def _text(self, row: int, actual: Sequence[int] | None, why: LabelSetExplanation) -> str:
        return label_set_explanation_text(self._committee, why, row, self._kind.most, actual)

    def _columns(self, numbers: int, rules: int) -> tuple[list[str], list[int]]:
        mark = len("wrong")
        room = WIDTH - numbers - 6 - (mark + 2) * self._is_known - rules
        heads = ["row", "labels", "", "rules", "nearest change"]
        return heads, [numbers, room // 2, mark, rules]

    def _cells(
        self, row: int, actual: Sequence[int] | None, reasons: _Reasons[LabelSetExplanation]
    ) -> list[str]:
        why = reasons.why
        found = [self._kind.labels[j] for j in why.ranking if j in why.predicted]
        mark = mark_of(actual, why.predicted)
        cells = [str(row), ", ".join(found) or "none", mark, numbers_of(why.fired)]
        return [*cells, self._nearest(reasons)]


_EXPLANATIONS: Mapping[str, type[Explanations[Any]]] = {
    "single": _OfClasses,
    "multi": _OfLabelSets,
}


def explanations_of(
    committee: DecisionCommittee,
    examples: Dataset,
    numbers: Integers,
    most: int,
    wanted: Wanted = ANY,
) -> Explanations[Any]:
    """Return the explanations of rows, with parameters as `Explanations` takes them."""
    kind = _EXPLANATIONS[committee.schema.labels.kind]
    return kind(committee, examples, numbers, most, wanted)


def known_labels(examples: Dataset) -> Iterator[list[int] | None]:
    """Yield the class, or all labels, of each row; None where they are not known."""
    for held, is_known in zip(examples.Y, examples.labelled, strict=True):
        yield np.flatnonzero(held).tolist() if is_known else None


def mark_of(actual: Sequence[int] | None, decided: Sequence[int]) -> str:
    """Return ``wrong`` for a row that is known to have other labels."""
    return "" if actual is None or set(actual) == set(decided) else "wrong"


def _fired(rules: list[dict[str, Any]], fired: Sequence[int]) -> list[dict[str, Any]]:
    return [{"rule": k + 1, "if": rules[k]["if"], "votes": rules[k]["votes"]} for k in fired]


def _step_to_dict(committee: DecisionCommittee, step: Step) -> dict[str, Any]:
    attribute = committee.schema.attributes[step.attribute]

    def cell(value: float | None) -> str | float | None:
        if value is None:
            return None
        if attribute.type == "nominal":
            return attribute.values[int(value)]
        return value if math.isfinite(value) else f"{'-' if value < 0 else ''}Infinity"

    return {
        "attribute": attribute.name,
        "from": cell(step.before),
        "to": cell(step.after),
        "region": [literal_to_dict(literal, committee.schema) for literal in step.region],
    }


def numbers_of(fired: Sequence[int]) -> str:
    """Return the numbers of rules, from 1."""
    return ", ".join(str(k + 1) for k in fired) or "none"


def row_width(last_row: int) -> int:
    """Return how wide the column of row numbers is."""
    return max(len("row"), len(str(last_row)))


def table_lines(
    heads: Sequence[str], rows: Iterable[list[str]], widths: list[int], *, markdown: bool
) -> Iterator[str]:
    """Yield the lines of a table; the last column of a text takes the width that is left.

    Parameters
    ----------
    heads : sequence of str
        Of the columns; those of numbers are known by their heads.
    rows : iterable of list of str
        Cells.
    widths : list of int
        Of all columns of a text but the last.
    markdown : bool
        A table of Markdown, or text of 80 columns.
    """
    if markdown:
        yield table_row(heads)
        yield "|" + "|".join("---:" if head in _NUMBERS else "---" for head in heads) + "|"
        for cells in rows:
            yield table_row([escaped(cell) for cell in cells])
        return
    widths = [*widths, WIDTH - sum(widths) - 2 * len(widths)]
    marks = [">" if head in _NUMBERS else "<" for head in heads]
    yield _aligned(heads, widths, marks)
    yield "-" * WIDTH
    for cells in rows:
        columns = [
            [cell] if width_of(cell) <= width else wrap_words(cell.split(" "), width, " ")
            for cell, width in zip(cells, widths, strict=True)
        ]
        for line in zip_longest(*columns, fillvalue=""):
            yield _aligned(line, widths, marks)


def _aligned(cells: Sequence[str], widths: Sequence[int], marks: Sequence[str]) -> str:
    columns = zip(cells, widths, marks, strict=True)
    return "  ".join(
        right(cell, width) if mark == ">" else left(cell, width) for cell, width, mark in columns
    ).rstrip()
