"""Explanations of rows: one at length, many as a table that is written row by row, or as data."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from widc_arff.model.change_search import most_together
from widc_arff.model.change_values import ANY, Change, Unknown, Wanted
from widc_arff.model.changes import changes_by_row, unknown_by_row
from widc_arff.model.model_file import committee_to_dict, literal_to_dict
from widc_arff.reports.as_text import broken
from widc_arff.reports.blocks import FILL, Column, Lines, Table
from widc_arff.reports.formatting import (
    change_in_words,
    class_names,
    decision_in_words,
    listed,
    numbers_of,
    outcome_in_words,
    shown,
)
from widc_arff.reports.kinds import kind_of
from widc_arff.reports.layout import WIDTH, indented

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from widc_arff.arrays import Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.change_values import Decision, Step
    from widc_arff.model.committee import DecisionCommittee, Explanation
    from widc_arff.reports.blocks import Block

_WIDEST = 24
_WIDEST_RULES = 16


class _Reasons(NamedTuple):
    """Why a row is decided as it is, what would change that, and what is not known."""

    why: Explanation
    changes: tuple[Change, ...]
    unknown: tuple[Unknown, ...]


class Explanations:
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
    wanted : Wanted, optional
        Which changes to tell; costs ask for the class of least expected cost too.
    """

    def __init__(
        self,
        committee: DecisionCommittee,
        examples: Dataset,
        numbers: Integers,
        most: int,
        wanted: Wanted = ANY,
    ) -> None:
        wanted.check(committee)
        self._committee, self._examples, self._numbers = committee, examples, numbers
        self._kind, self._wanted, self._costs = kind_of(committee, most), wanted, wanted.costs

    def as_dicts(self) -> Iterator[dict[str, Any]]:
        """Yield each row as data for JSON."""
        rules = committee_to_dict(self._committee)["rules"]
        for row, actual, (why, changes, unknown) in self._rows():
            data: dict[str, Any] = {"row": row, "actual": self._kind.plain(actual)}
            if not self._committee.is_fitted:
                data["fitted"] = False  # its probabilities are not
            data |= self._as_dict(why, rules)
            data["unknown"] = [self._unknown_to_dict(of) for of in unknown]
            data["changes"] = [self._change_to_dict(change) for change in changes]
            yield data

    def texts(self) -> Iterator[str]:
        """Yield the explanation of each row at length."""
        for row in self._rows():
            yield "".join(f"{line}\n" for line in self._at_length(*row))

    def blocks(self) -> Iterator[Block]:
        """Yield a report: one row at length, several in a table."""
        if len(self._numbers) == 1:
            (row,) = self._rows()
            yield Lines(self._at_length(*row))
        else:
            yield self._table()

    def _at_length(self, row: int, actual: Sequence[int] | None, reasons: _Reasons) -> list[str]:
        why, changes, unknown = reasons
        return [
            *self._kind.explained(row, why, actual, self._costs),
            *_unknown_lines(self._committee, unknown, why.decided),
            "",
            *_change_lines(self._committee, changes, why.decided, self._costs is not None),
        ]

    def _rows(self) -> Iterator[tuple[int, Sequence[int] | None, _Reasons]]:
        committee, examples = self._committee, self._examples
        reasons = zip(
            committee.explanations(examples),
            changes_by_row(committee, examples, self._wanted),
            unknown_by_row(committee, examples, self._costs),
            strict=True,
        )
        known = known_labels(examples)
        for number, actual, reason in zip(self._numbers.tolist(), known, reasons, strict=True):
            yield number, actual, _Reasons(*reason)

    def _as_dict(self, why: Explanation, rules: list[dict[str, Any]]) -> dict[str, Any]:
        labels, plain = self._committee.schema.labels.values, self._kind.plain
        without = self._committee.without_rules(why)
        data: dict[str, Any] = {
            "predicted": plain(why.decided),
            **self._kind.facts(why),
            "rules": [
                {"rule": k + 1, "if": rules[k]["if"], "votes": rules[k]["votes"]} for k in why.fired
            ],
            "votes": dict(zip(labels, why.votes, strict=True)),
            "without": [{"rule": k + 1, "predicted": plain(d)} for k, d in without.items()],
            "probabilities": dict(zip(labels, why.probabilities, strict=True)),
        }
        if self._costs is not None:
            decision, expected = why.least_cost(self._costs)
            data["least_cost"] = plain(decision)
            data["expected_costs"] = dict(zip(labels, expected, strict=True))
        return data

    def _unknown_to_dict(self, unknown: Unknown) -> dict[str, Any]:
        schema = self._committee.schema
        return {
            "attribute": schema.attributes[unknown.attribute].name,
            "rules": [k + 1 for k in unknown.rules],
            "values": [
                {
                    "if": [literal_to_dict(literal, schema) for literal in values],
                    "predicted": self._kind.plain(decision),
                }
                for values, decision in unknown.outcomes
            ],
        }

    def _change_to_dict(self, change: Change) -> dict[str, Any]:
        return {
            "steps": [_step_to_dict(self._committee, step) for step in change.steps],
            "distance": change.distance,
            "predicted": self._kind.plain(change.decision),
        }

    def _nearest(self, reasons: _Reasons) -> str:
        """Return the nearest change in words, for a table."""
        if not reasons.changes:
            return "none"
        schema, now = self._committee.schema, reasons.why.decided
        nearest = reasons.changes[0]
        return change_in_words(nearest, schema, self._kind.labels, now, present=False)

    def _table(self) -> Table:
        """Return of each row what is decided, and if wrongly, and why; rows are computed late."""
        kind, width = self._kind, self._kind.decision_width(_WIDEST)
        costs, rules = self._costs, numbers_of(range(len(self._committee.rules)))
        columns: list[tuple[Column, Callable[[int, Sequence[int] | None, _Reasons], str]]] = [
            (row_column(self._numbers), lambda row, _, __: str(row)),
            (Column(kind.decision, "words", width), lambda _, __, of: kind.decided(of.why)),
        ]
        if self._examples.labelled.any():
            columns += [(MARK, lambda _, actual, of: mark_of(actual, of.why.labels))]
        if costs is not None:
            least = Column("least cost", "words", max(width, len("least cost")))
            columns += [(least, lambda _, __, of: kind.labels[of.why.least_cost(costs)[0]])]
        if kind.has_margin:
            columns += [(Column("margin", width=6), lambda _, __, of: str(of.why.margin))]
        columns += [
            (
                Column("rules", "words", min(max(len("rules"), len(rules)), _WIDEST_RULES)),
                lambda _, __, of: numbers_of(of.why.fired),
            ),
            (Column("nearest change", "words", FILL), lambda _, __, of: self._nearest(of)),
        ]
        rows = ([cell(*row) for _, cell in columns] for row in self._rows())
        return Table([column for column, _ in columns], rows)


MARK = Column("", "words", len("wrong"))
"""The column that says which rows are decided wrongly."""


def row_column(numbers: Integers) -> Column:
    """Return the column of numbers of rows."""
    return Column("row", width=max(len("row"), len(str(numbers.max()))))


def _unknown_lines(
    committee: DecisionCommittee, unknown: Sequence[Unknown], now: Decision
) -> list[str]:
    """Return which rules cannot be judged for want of a value, and what values would decide."""
    lines = []
    names = class_names(committee)
    for of in unknown:
        name = shown(committee.schema.attributes[of.attribute].name)
        rules = f"rule{'s' * (len(of.rules) > 1)} {listed(str(k + 1) for k in of.rules)}"
        lines += ["", *broken(f"{name} is missing: {rules} cannot be judged.")]
        for values, decision in of.outcomes:
            text = f"{outcome_in_words(values, committee.schema)}: "
            text += decision_in_words(decision, names, now)
            lines += indented(broken(text, WIDTH - 4), "  ")
    return lines


def _change_lines(
    committee: DecisionCommittee, changes: Sequence[Change], now: Decision, by_cost: bool
) -> list[str]:
    """Return the changes that flip a decision, a line each."""
    what = "the class of least cost" if by_cost else "the decision"
    if not changes:
        most = most_together(committee)
        return [f"No change of up to {most} attributes would change {what}."]
    n = len(changes[0].steps)
    how = "one attribute" if n == 1 else f"{n} attributes together"
    lines = [f"What would change {what}: {how}, the nearest first:"]
    names = class_names(committee)
    for change in changes:
        text = change_in_words(change, committee.schema, names, now)
        lines += indented(broken(text, WIDTH - 4), "  ")
    return lines


def known_labels(examples: Dataset) -> Iterator[list[int] | None]:
    """Yield the class, or all labels, of each row; None where they are not known."""
    for held, is_known in zip(examples.Y, examples.labelled, strict=True):
        yield np.flatnonzero(held).tolist() if is_known else None


def mark_of(actual: Sequence[int] | None, decided: Sequence[int]) -> str:
    """Return ``wrong`` for a row that is known to have other labels."""
    return "" if actual is None or set(actual) == set(decided) else "wrong"


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
