"""What is different in two committees: their rules, paired, and what they decide on rows.

Rules are compared by the names of attributes and labels, so that both committees may have schemas
of their own.  Those of the same conditions are one rule; then those that differ in their cut points
alone; then those that have half of their conditions in common, wherever they cut, the most alike
first.  Votes are compared as people read them, as points.
"""

from __future__ import annotations

import typing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from widc_arff.errors import DataError
from widc_arff.evaluation.answers import decided

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from widc_arff.arff.relation import Attribute
    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.literals import Literal
    from widc_arff.model.rules import Rule

Fate: TypeAlias = typing.Literal["kept", "changed", "gone", "new"]


class RuleChange(NamedTuple):
    """A rule in two committees: its index in each, None where it is not there."""

    before: int | None
    after: int | None
    fate: Fate


@dataclass(frozen=True, slots=True, eq=False)
class DecisionChanges:
    """Rows that two committees decide differently.

    Parameters
    ----------
    before, after, actual : ndarray of bool of shape (n_changed, n_labels)
        What they decide and what is true, in the labels of the old committee and those that only
        the new one has; rows without True in `actual` tell nothing.
    labels : tuple of str
        These labels.
    rows : ndarray of int64 of shape (n_changed,)
        Indices of the rows.
    weights : ndarray of float64 of shape (n_changed,)
        Their weights.
    known : ndarray of bool of shape (n_changed,)
        Which tell their class or labels.
    n_rows : int
        All rows.
    """

    before: Bools
    after: Bools
    actual: Bools
    labels: tuple[str, ...]
    rows: Integers
    weights: Floats
    known: Bools
    n_rows: int

    @property
    def mended(self) -> Bools:
        """Which rows only the new committee decides rightly."""
        return np.asarray(self.known & (self.after == self.actual).all(axis=1))

    @property
    def spoilt(self) -> Bools:
        """Which rows only the old committee decides rightly."""
        return np.asarray(self.known & (self.before == self.actual).all(axis=1))


def rule_changes(old: DecisionCommittee, new: DecisionCommittee) -> tuple[RuleChange, ...]:
    """Return what became of each rule: those of the old committee in its order, then new ones."""
    before, after = dict(enumerate(old.rules)), dict(enumerate(new.rules))
    partner: dict[int, int] = {}

    def pair(i: int, j: int) -> None:
        partner[i] = j
        del before[i], after[j]

    for key in (_conditions, _name, _forms):
        for i, rule in list(before.items()):
            of = key(rule, old)
            if not of and key is _name:
                continue
            j = next((j for j, other in after.items() if key(other, new) == of), None)
            if j is not None:
                pair(i, j)
    alike = [
        (-_likeness(rule, old, other, new), i, j)
        for i, rule in before.items()
        for j, other in after.items()
    ]
    for likeness, i, j in sorted(alike):
        if -likeness >= 0.5 and i in before and j in after:
            pair(i, j)
    changes = []
    for i in range(len(old.rules)):
        j = partner.get(i)
        changes.append(RuleChange(i, j, "gone" if j is None else _fate(old, i, new, j)))
    return (*changes, *(RuleChange(None, j, "new") for j in after))


def decision_changes(
    old: DecisionCommittee, new: DecisionCommittee, rows: Dataset, same_rows: Dataset
) -> DecisionChanges:
    """Return the rows that two committees decide differently.

    Parameters
    ----------
    old, new : DecisionCommittee
        Both for classes, or both for label sets.
    rows, same_rows : Dataset
        The same rows, in the schema of the old and of the new one.

    Raises
    ------
    DataError
        If one is for classes and the other for label sets.
    """
    if old.schema.labels.are_sets != new.schema.labels.are_sets:
        raise DataError("expected models of one kind, got one for classes and one for label sets")
    labels = tuple(dict.fromkeys((*old.schema.labels.values, *new.schema.labels.values)))
    before = _in_labels(decided(old, old.votes(rows)), old, labels)
    after = _in_labels(decided(new, new.votes(same_rows)), new, labels)
    actual = _in_labels(rows.Y, old, labels) | _in_labels(same_rows.Y, new, labels)
    changed = np.flatnonzero((before != after).any(axis=1) & (rows.weights > 0))
    known = rows.labelled | same_rows.labelled
    return DecisionChanges(
        before[changed],
        after[changed],
        actual[changed],
        labels,
        changed,
        rows.weights[changed],
        known[changed],
        rows.n_samples,
    )


def _in_labels(of: Bools, committee: DecisionCommittee, labels: tuple[str, ...]) -> Bools:
    place = {label: j for j, label in enumerate(labels)}
    found = np.zeros((len(of), len(labels)), np.bool_)
    found[:, [place[label] for label in committee.schema.labels.values]] = of
    return found


def _fate(old: DecisionCommittee, i: int, new: DecisionCommittee, j: int) -> Fate:
    rule, other = old.rules[i], new.rules[j]
    same = _conditions(rule, old) == _conditions(other, new)
    return "kept" if same and points_by_label(old, i) == points_by_label(new, j) else "changed"


def points_by_label(committee: DecisionCommittee, k: int) -> dict[str, int]:
    """Return the points of a rule other than 0, by label."""
    labels = committee.schema.labels.values
    return {label: n for label, n in zip(labels, committee.points[k], strict=True) if n}


def _of_literals(
    rule: Rule, committee: DecisionCommittee, value_of: Callable[[Attribute, Literal], Hashable]
) -> frozenset[Any]:
    found = []
    for literal in rule.monomial:
        attribute = committee.schema.attributes[literal.attribute]
        found.append((attribute.name, literal.operator, value_of(attribute, literal)))
    return frozenset(found)


def _conditions(rule: Rule, committee: DecisionCommittee) -> frozenset[Any]:
    """Return what tells conditions apart in any order and schema."""
    return _of_literals(rule, committee, lambda a, x: _labels(a, x) or float(x.value))


def _name(rule: Rule, _: DecisionCommittee) -> str:
    """Return what people call a rule; nothing for most."""
    return rule.name


def _forms(rule: Rule, committee: DecisionCommittee) -> frozenset[Any]:
    """Return the same without cut points."""
    return _of_literals(rule, committee, _labels)


def _labels(attribute: Attribute, literal: Literal) -> frozenset[str]:
    codes = literal.named if attribute.type == "nominal" else ()
    return frozenset(attribute.values[code] for code in codes)


def _likeness(
    rule: Rule, committee: DecisionCommittee, other: Rule, of_other: DecisionCommittee
) -> float:
    """Return the share of the conditions of two rules, but for cut points, that both have."""
    one, two = _forms(rule, committee), _forms(other, of_other)
    return len(one & two) / len(one | two)
