"""Rules by names as rules of a schema, and the reverse."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.arff.date_texts import moment_of, moment_text
from widc_arff.data.schema import Positions, is_usable
from widc_arff.errors import OptionError, WidcError, did_you_mean, listed
from widc_arff.model.expert_rules import SETS, STATES, ExpertRule
from widc_arff.model.label_orders import order_of, range_literal, range_of
from widc_arff.model.literals import Literal, Monomial

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arff.relation import Attribute
    from widc_arff.data.schema import Schema
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.expert_rules import Condition, Votes
    from widc_arff.model.rules import Rule


def resolved(rules: Sequence[ExpertRule], schema: Schema) -> list[Monomial]:
    """Return the conditions of rules in the attributes of a schema.

    Raises
    ------
    OptionError
        If an attribute, operator, value or label does not fit, with file and line.
    """
    monomials = []
    positions = Positions(schema.attributes)
    for rule in rules:
        try:
            monomials.append(
                tuple(_literal(condition, schema, positions) for condition in rule.conditions)
            )
            votes_of(rule, schema)
        except WidcError as error:
            raise OptionError(str(error), place=rule.place) from error
    return monomials


def votes_of(rule: ExpertRule, schema: Schema) -> tuple[int, ...] | None:
    """Return the votes that a rule states, in the order of the labels; None for none.

    Raises
    ------
    OptionError
        If a label is not one of the schema, or there is no vote for each.
    """
    labels = schema.labels.values
    if rule.votes is None:
        return None
    votes = [0] * len(labels)
    plain = [vote for vote in rule.votes if isinstance(vote, int)]
    if len(plain) == len(rule.votes):
        if len(plain) != len(labels):
            raise OptionError(
                f"expected {len(labels)} votes, one for each label ({listed(labels)}), got "
                f"{len(plain)}"
            )
        return tuple(plain)
    codes = {label: code for code, label in enumerate(labels)}
    for label, vote in (pair for pair in rule.votes if not isinstance(pair, int)):
        code = codes.get(label)
        votes[schema.labels.index(label) if code is None else code] = vote
    return tuple(votes)


def by_names(rule: Rule, schema: Schema) -> ExpertRule:
    """Return a rule of a committee by names, as a user would give it; it is read back the same."""
    labels = schema.labels.values
    votes: Votes = tuple((labels[j], vote) for j, vote in enumerate(rule.votes) if vote)
    conditions = tuple(_condition(literal, schema) for literal in rule.monomial)
    return ExpertRule(conditions, votes or rule.votes, "", rule.name, rule.locked)


def rules_text(committee: DecisionCommittee) -> str:
    """Return the rules of a committee as a file, one a line, that is read back the same.

    Raises
    ------
    OptionError
        If a name or a label has a line break in it, for which such a file has no place.
    """
    lines = [str(by_names(rule, committee.schema)) for rule in committee.rules]
    for number, line in enumerate(lines, start=1):
        if len(line.splitlines()) > 1:
            raise OptionError(
                f"rule {number}: expected names without line breaks, for a file of rules, got "
                f"{line!r}; --format json can hold them"
            )
    return "".join(f"{line}\n" for line in lines)


def _condition(literal: Literal, schema: Schema) -> Condition:
    attribute = schema.attributes[literal.attribute]
    if literal.operator in STATES:
        return attribute.name, literal.operator, ""
    if literal.operator in SETS:
        found = range_of(literal, attribute)
        labels = tuple(attribute.values[code] for code in literal.labels)
        return (
            (attribute.name, literal.operator, labels)
            if found is None
            else (attribute.name, *found)
        )
    value = repr(float(literal.value)).removesuffix(".0")
    if attribute.type == "nominal":
        value = attribute.values[int(literal.value)]
    elif attribute.type == "date":
        value = moment_text(literal.value, attribute.format)
    return attribute.name, literal.operator, value


def _literal(condition: Condition, schema: Schema, positions: Positions) -> Literal:
    name, operator, value = condition
    index = positions.attribute.get(name)
    if index is None:
        raise OptionError(
            f"expected an attribute of the data, got {name!r}"
            + did_you_mean(name, positions.attribute)
        )
    attribute = schema.attributes[index]
    if not is_usable(attribute):
        raise OptionError(
            f"expected an attribute that some rule of the model tests, or DATA, which define "
            f"{name!r}, got its name only"
        )
    if operator in STATES:
        return Literal(index, operator)
    is_range = operator in ("<=", ">")
    nominal = attribute.type == "nominal"
    if nominal and is_range and not order_of(attribute):
        raise OptionError(
            f"expected =, !=, in or not in for the nominal attribute {name!r}, whose labels have "
            f"no order, got {operator}; --ordered gives them one"
        )
    if not nominal and not is_range:
        raise OptionError(
            f"expected <= or > for the {attribute.type} attribute {name!r}, got {operator}"
        )
    if isinstance(value, tuple):
        codes = {_code(label, index, attribute, positions) for label in value}
        return Literal(index, operator, labels=tuple(sorted(codes)))
    if not nominal:
        return Literal(index, operator, number_of(attribute, value))
    code = _code(value, index, attribute, positions)
    if not is_range:
        return Literal(index, operator, code)
    try:
        return range_literal(index, attribute, operator, attribute.values[code])
    except ValueError:
        raise OptionError(
            f"expected a value of {name!r} with others {'up to' if operator == '<=' else 'above'} "
            f"it in {' < '.join(order_of(attribute))}, got {value!r}"
        ) from None


def _code(value: str | float, index: int, attribute: Attribute, positions: Positions) -> int:
    code = positions.code(index, value)
    if code is None:
        raise OptionError(
            f"expected a value of {attribute.name!r}, got {value!r}"
            + did_you_mean(str(value), attribute.values)
        )
    return code


def number_of(attribute: Attribute, value: str | float) -> float:
    """Return a cut point: a number, or of a date attribute a date in its format.

    Raises
    ------
    OptionError
        If it is neither.
    """
    number, is_date = np.nan, attribute.type == "date" and isinstance(value, str)
    with suppress(ValueError):
        number = moment_of(str(value), attribute.format) if is_date else float(value)
    if not np.isfinite(number):
        expected = f"a number for the {attribute.type} attribute {attribute.name!r}"
        if is_date:
            expected = f"a date of {attribute.name!r}"
        raise OptionError(f"expected {expected}, got {value!r}")
    return float(number)
