"""Rules of a committee changed by hand: removed, added, set, cut elsewhere, named, locked.

Rules are named by their indices in the committee as it was, whatever has been done before.  What
becomes of the figures is said by `DecisionCommittee.with_rules`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.errors import OptionError, did_you_mean
from widc_arff.model.expert_rules import ExpertRule, parse_rules
from widc_arff.model.resolving import by_names, number_of, resolved, votes_of
from widc_arff.model.rules import Names, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.literals import Literal, Monomial

MOST_DIGITS = 17


class Edit(NamedTuple):
    """What to change; rules are numbered from 1, as people see them.

    Parameters
    ----------
    rules : sequence of ExpertRule or None
        All rules, in place of the present ones; None keeps these.
    add : sequence of str
        Rules to add, as text.
    remove, lock, unlock : sequence of int
        Rules to remove, to lock and to unlock.
    change : sequence of (int, str)
        New conditions, votes, or both, as text: ``if ... then ...``; what is not given stays.
    drop : sequence of (int, str)
        Attributes whose conditions a rule loses.
    cut : sequence of (int, str)
        Cut points of a rule, as in ``age > 55`` or, where it cuts an attribute once, ``age = 55``.
    digits : int or None
        Number of significant digits to which cut points are rounded.
    names_of_rules : sequence of (int, str)
        Display names of rules.
    attributes, labels : mapping of str to str
        Display names of attributes and labels.

    Examples
    --------
    >>> Edit(remove=[2], cut=[(1, "age > 55")]).remove
    [2]
    """

    rules: Sequence[ExpertRule] | None = None
    add: Sequence[str] = ()
    remove: Sequence[int] = ()
    lock: Sequence[int] = ()
    unlock: Sequence[int] = ()
    change: Sequence[tuple[int, str]] = ()
    drop: Sequence[tuple[int, str]] = ()
    cut: Sequence[tuple[int, str]] = ()
    digits: int | None = None
    names_of_rules: Sequence[tuple[int, str]] = ()
    attributes: Mapping[str, str] = {}
    labels: Mapping[str, str] = {}

    @property
    def added(self) -> list[ExpertRule]:
        """The rules to add."""
        return [_parsed(text, "--add") for text in self.add]

    @property
    def attributes_named(self) -> set[str]:
        """The attributes that rules given as text test."""
        given = [*(self.rules or ()), *self.added]
        given += [_parsed(text, "--change") for _, text in self.change if not _is_of_votes(text)]
        return {name for rule in given for name, _, _ in rule.conditions}


def edited(
    committee: DecisionCommittee, edit: Edit, dataset: Dataset | None = None
) -> DecisionCommittee:
    """Return a committee with other rules and names.

    Parameters
    ----------
    committee : DecisionCommittee
        Its schema must have all attributes that old and new rules test.
    edit : Edit
        What to change.
    dataset : Dataset, optional
        Rows in that schema: a rounded cut point keeps each of them on its side, if the number of
        digits allows it.

    Returns
    -------
    DecisionCommittee
        Figures that need data are unknown; `refitted` computes them.

    Raises
    ------
    OptionError
        If a rule, name or value is not there, or a locked rule would change.

    Examples
    --------
    >>> from widc_arff import Edit, induce, read_dataset
    >>> committee = induce(read_dataset("arff_data/iris.arff"))
    >>> tighter = edited(committee, Edit(cut=[(1, "petal_width > 1.8")]))
    >>> tighter.rules[0].monomial, tighter.is_fitted
    ((Literal(attribute=3, operator='>', value=1.8, labels=()),), False)
    """
    rules = _Rules(committee, dataset)
    for k in edit.unlock:
        rules.change(k, locked=False)
    for k, text in edit.change:
        rules.set(k, text)
    for k, name in edit.drop:
        rules.drop(k, name)
    for k, text in edit.cut:
        rules.cut(k, text)
    if edit.digits is not None:
        rules.round(edit.digits)
    for k in edit.remove:
        rules.remove(k)
    for k, name in edit.names_of_rules:
        rules.change(k, name=name)
    for k in edit.lock:
        rules.change(k, locked=True)
    if edit.rules is not None:
        rules.become(edit.rules)
    rules.add(edit.added)
    names = _names(committee, edit)
    return replace(committee.with_rules(rules.all), names=names)


class _Rules:
    def __init__(self, committee: DecisionCommittee, dataset: Dataset | None) -> None:
        self._schema, self._dataset = committee.schema, dataset
        self._n = len(committee.rules)
        self._old = dict(enumerate(committee.rules))
        self._new: list[Rule] = []

    @property
    def all(self) -> list[Rule]:
        return [*self._old.values(), *self._new]

    def change(self, number: int, *, name: str | None = None, locked: bool | None = None) -> None:
        rule = self._rule(number)
        self._old[number - 1] = replace(
            rule,
            name=rule.name if name is None else name,
            locked=rule.locked if locked is None else locked,
        )

    def remove(self, number: int) -> None:
        self._unlocked(number)
        del self._old[number - 1]

    def set(self, number: int, text: str) -> None:
        rule = self._unlocked(number)
        if _is_of_votes(text):
            conditions = by_names(replace(rule, name="", locked=False), self._schema)
            text = f"{replace(conditions, votes=None)} {text}"
        given = _parsed(text, f"--change {number}")
        (monomial,) = resolved([given], self._schema)
        votes = votes_of(given, self._schema)
        changed = replace(rule, monomial=monomial, votes=rule.votes if votes is None else votes)
        self._old[number - 1] = replace(changed, name=given.name or rule.name)

    def drop(self, number: int, name: str) -> None:
        rule = self._unlocked(number)
        place = self._place(number, rule, name, "--drop")
        rest = tuple(literal for literal in rule.monomial if literal.attribute != place)
        if not rest:
            raise OptionError(
                f"--drop {number}: expected a rule that tests something else too, got {name!r} "
                f"alone; --remove {number} removes it"
            )
        self._old[number - 1] = replace(rule, monomial=rest)

    def cut(self, number: int, text: str) -> None:
        what = f"--cut {number}"
        rule = self._unlocked(number)
        given = _parsed(f"if {text}", what)
        if len(given.conditions) != 1:
            raise OptionError(f"{what}: expected one cut point, as in 'age > 55', got {text!r}")
        ((name, operator, value),) = given.conditions
        place = self._place(number, rule, name, "--cut")
        attribute = self._schema.attributes[place]
        own = [i for i, x in enumerate(rule.monomial) if x.attribute == place]
        if attribute.type != "nominal":
            operators = ("<=", ">") if operator == "=" else (operator,)
            own = [i for i in own if rule.monomial[i].operator in operators]
        if attribute.type == "nominal" or len(own) != 1 or not isinstance(value, str | float):
            raise OptionError(
                f"{what}: expected a cut point that the rule has once, got {text!r}; the rule is: "
                f"{by_names(rule, self._schema)}"
            )
        try:
            moved = replace(rule.monomial[own[0]], value=number_of(attribute, value))
        except OptionError as error:
            error.at(what)
            raise
        self._old[number - 1] = replace(rule, monomial=_with(rule.monomial, own[0], moved))

    def round(self, digits: int) -> None:
        if not 1 <= digits <= MOST_DIGITS:
            raise OptionError(f"--round: expected from 1 to {MOST_DIGITS} digits, got {digits}")
        for k, rule in self._old.items():
            if not rule.locked:
                monomial = tuple(self._rounded(literal, digits) for literal in rule.monomial)
                self._old[k] = replace(rule, monomial=monomial)

    def become(self, rules: Sequence[ExpertRule]) -> None:
        """Take the place of all rules; those that are locked must be among them."""
        locked = [rule for rule in self._old.values() if rule.locked]
        self._old, self._new = {}, []
        self.add(rules)
        there = [(frozenset(rule.monomial), rule.votes) for rule in self._new]
        for rule in locked:
            if (frozenset(rule.monomial), rule.votes) not in there:
                raise OptionError(
                    "--rules: expected every locked rule as it is, or --unlock, got no "
                    f"{by_names(rule, self._schema)}"
                )

    def add(self, rules: Iterable[ExpertRule]) -> None:
        for rule, monomial in zip(rules, resolved([*rules], self._schema), strict=True):
            votes = votes_of(rule, self._schema)
            if votes is None:
                raise OptionError(
                    f"expected votes behind then, as in 'then LABEL', got {rule}", place=rule.place
                )
            weight = 0.0 if self._schema.labels.are_sets else None
            zeros = (0.0,) * self._schema.n_classes
            self._new.append(
                Rule(monomial, votes, zeros, weight, name=rule.name, locked=rule.locked)
            )

    def _rule(self, number: int) -> Rule:
        if number - 1 not in self._old:
            expected = f"a rule from 1 to {self._n}" if self._n else "a model with rules"
            raise OptionError(f"expected {expected}, which is removed only once, got rule {number}")
        return self._old[number - 1]

    def _unlocked(self, number: int) -> Rule:
        rule = self._rule(number)
        if rule.locked:
            raise OptionError(
                f"expected a rule that is not locked, got rule {number}; --unlock {number} unlocks "
                "it"
            )
        return rule

    def _place(self, number: int, rule: Rule, name: str, option: str) -> int:
        tested = {self._schema.attributes[x.attribute].name: x.attribute for x in rule.monomial}
        if name not in tested:
            raise OptionError(
                f"{option} {number}: expected an attribute that the rule tests "
                f"({', '.join(tested)}), got {name!r}" + did_you_mean(name, tested)
            )
        return tested[name]

    def _rounded(self, literal: Literal, digits: int) -> Literal:
        is_numeric = self._schema.attributes[literal.attribute].type == "numeric"
        if not is_numeric or literal.operator not in ("<=", ">"):
            return literal
        gap = None
        if self._dataset is not None:
            values = np.asarray(self._dataset.columns[literal.attribute], np.float64)
            below, above = values[values <= literal.value], values[values > literal.value]
            gap = float(below.max(initial=-math.inf)), float(above.min(initial=math.inf))
        return replace(literal, value=rounded(literal.value, digits, gap))


def rounded(value: float, digits: int, gap: tuple[float, float] | None = None) -> float:
    """Return a number of at most so many significant digits in place of another.

    Parameters
    ----------
    value : float
        The cut point.
    digits : int
        At least 1.
    gap : (float, float), optional
        The largest value up to the cut point, and the least above it.  A number between them, or
        equal to the first, divides the rows in the same way: the shortest such number is taken, if
        one has at most `digits` digits; otherwise the nearest number, as without `gap`.

    Examples
    --------
    >>> rounded(1.7499, 2), rounded(55.5, 2, (55.0, 56.0)), rounded(55.5, 1, (55.0, 56.0))
    (1.7, 55.0, 60.0)
    """
    exact = Decimal(value)
    if not exact:
        return value
    nearest = value
    for n in range(1, digits + 1):
        step = Decimal(1).scaleb(exact.adjusted() - n + 1)
        found = [
            float((exact / step).to_integral_value(way) * step)
            for way in (ROUND_FLOOR, ROUND_CEILING)
        ]
        inside = [x for x in found if gap is not None and gap[0] <= x < gap[1]]
        nearest = min(inside or found, key=lambda x: abs(x - value))
        if inside:
            break
    return nearest


def _names(committee: DecisionCommittee, edit: Edit) -> Names:
    """Return the names that people read, those of the edit added; an empty one ends another."""
    schema, labels = committee.schema, committee.schema.labels
    own = [a.name for a in schema.attributes]
    own += [] if labels.are_sets else labels.attributes
    held = []
    for option, names, given, there in (
        ("attribute", committee.names.attributes, edit.attributes, own),
        ("label", committee.names.labels, edit.labels, list(labels.values)),
    ):
        for name in given:
            if name not in there:
                raise OptionError(
                    f"--name-{option}: expected the name of {'an' * (option[0] == 'a') or 'a'} "
                    f"{option} of the model, got {name!r}" + did_you_mean(name, there)
                )
        both = {name: read for name, read in {**names, **given}.items() if read}
        read = [both.get(name, name) for name in there]
        twice = next((name for name in read if read.count(name) > 1), None) if given else None
        if twice is not None:
            raise OptionError(f"--name-{option}: expected distinct names, got {twice!r} twice")
        held.append(both)
    return Names(*held)


def _is_of_votes(text: str) -> bool:
    return text.split(maxsplit=1)[:1] == ["then"]


def _parsed(text: str, place: str) -> ExpertRule:
    rules = parse_rules((text,), place)
    if not rules:
        raise OptionError(
            f"expected a rule, as in 'if age > 60 then LABEL', got {text!r}", place=place
        )
    return rules[0]


def _with(monomial: Monomial, i: int, literal: Literal) -> Monomial:
    return (*monomial[:i], literal, *monomial[i + 1 :])
