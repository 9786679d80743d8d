"""Rules in words: literals of one attribute merged, numbers as they were written, dates as dates.

What is printed parts the same values as the cut point that the model file keeps.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from widc_arff.arff.date_texts import moment_text
from widc_arff.arff.numbers import number_text
from widc_arff.errors import one_line
from widc_arff.model.label_orders import order_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from widc_arff.arff.relation import Attribute
    from widc_arff.data.schema import Schema
    from widc_arff.model.change_values import Change, Decision, Step
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.literals import Literal, Monomial

_END = {">": "above", "<=": "at most"}
MOST_LABELS, LABELS_SHOWN = 20, 12
"""Of a set of more labels so many are shown."""
_LIKE_A_CONDITION = re.compile(r"(?:^| )(?:and|[<>]=?|!?=)(?: |$)")
"""A word or mark of conditions, alone between blanks."""


def conditions(monomial: Monomial, schema: Schema) -> list[str]:
    """Return the conditions of a monomial, one per attribute, in the order of its literals.

    Implied literals vanish: ``a <= 5`` and ``a <= 3`` read ``a <= 3``; ``a > 1`` and ``a <= 3``
    read ``1 < a <= 3``; several ``!=`` read ``a not in {x, y}``.  Sets of labels that have an order
    read as ranges, long ones are shortened.
    """
    by_attribute: dict[int, list[Literal]] = {}
    for literal in monomial:
        by_attribute.setdefault(literal.attribute, []).append(literal)
    return [
        _nominal_condition(schema.attributes[a], literals)
        if schema.attributes[a].type == "nominal"
        else _numeric_condition(schema.attributes[a], literals)
        for a, literals in by_attribute.items()
    ]


def rule_conditions(committee: DecisionCommittee, k: int) -> list[str]:
    """Return the conditions of a rule, the first behind the name that people gave the rule."""
    rule = committee.rules[k]
    first, *rest = conditions(rule.monomial, committee.schema)
    return [f"{shown(rule.name)}: {first}" if rule.name else first, *rest]


def change_in_words(
    change: Change, schema: Schema, names: Sequence[str], now: Decision, *, present: bool = True
) -> str:
    """Return a change, and what would be decided: ``size above 2 (now 1.5) and ...: large``.

    Parameters
    ----------
    change : Change
        Of a row.
    schema : Schema
        Of the committee.
    names : sequence of str
        Of the labels.
    now : Decision
        On the row as it is.
    present : bool
        Whether to tell the present values.
    """
    steps = " and ".join(step_in_words(step, schema, present=present) for step in change.steps)
    return f"{steps}: {decision_in_words(change.decision, names, now)}"


def step_in_words(step: Step, schema: Schema, *, present: bool = True) -> str:
    """Return another value of one attribute: ``size above 2, at most 4 (now 1.5)``.

    Parameters
    ----------
    step : Step
        Its region is told from the end where it is entered.
    schema : Schema
        Of the committee.
    present : bool
        Whether to tell the present value.
    """
    attribute = schema.attributes[step.attribute]
    name = shown(attribute.name)
    if attribute.type == "nominal":
        text = f"{name} = {shown(attribute.values[int(step.after)])}"
        now = None if step.before is None else shown(attribute.values[int(step.before)])
    else:
        ends = {literal.operator: literal.value for literal in step.region}
        cuts = {operator: _cut(attribute, value) for operator, value in ends.items()}
        now = None if step.before is None else _cut(attribute, step.before)
        if len({now, *cuts.values()}) <= len(cuts):  # numbers that differ read differently
            cuts = {operator: repr(value) for operator, value in ends.items()}
            now = None if now is None else repr(step.before)
        words = [f"{_END[operator]} {cut}" for operator, cut in cuts.items()] or ["known"]
        if step.before is not None and step.before > step.after:
            words.reverse()
        text = f"{name} {', '.join(words)}"
    return f"{text} (now {now or 'missing'})" if present else text


def outcome_in_words(values: Monomial, schema: Schema) -> str:
    """Return values of one attribute: ``2 < size <= 4``, or ``colour = red or blue``."""
    attribute = schema.attributes[values[0].attribute] if values else None
    if attribute is None or attribute.type != "nominal":
        return " and ".join(conditions(values, schema))
    labels = [shown(attribute.values[int(literal.value)]) for literal in values]
    return f"{shown(attribute.name)} = {listed(_shortened(labels), 'or')}"


def decision_in_words(decision: Decision, names: Sequence[str], before: Decision) -> str:
    """Return a class, or which labels of a set come and go."""
    if isinstance(decision, int) or isinstance(before, int):
        return names[decision] if isinstance(decision, int) else ""
    return differences(before, decision, names, len(names)) or "the same labels"


def differences(
    before: Sequence[int], after: Sequence[int], labels: Sequence[str], most: int
) -> str:
    """Return which labels one set has more than another, and which not; nothing if equal."""
    more = [labels[j] for j in after if j not in before]
    less = [labels[j] for j in before if j not in after]
    parts = [
        f"{word} {', '.join(first_of(names, most))}"
        for word, names in (("also", more), ("not", less))
        if names
    ]
    return "; ".join(parts)


def first_of(texts: list[str], most: int) -> list[str]:
    """Return so many texts, and how many more there are."""
    if len(texts) <= most:
        return texts
    return [*texts[:most], f"and {len(texts) - most} more" if most else f"{len(texts)} labels"]


def class_names(committee: DecisionCommittee) -> list[str]:
    """Return the labels as they read in a sentence: ``class 2`` where one has no letter."""
    labels = committee.schema.labels
    if labels.are_sets:
        return [shown(label) for label in labels.values]
    return [class_name(label) for label in labels.values]


def class_name(label: str) -> str:
    """Return a label as it reads in a sentence: ``class 2`` where it has no letter."""
    return shown(label) if any(map(str.isalpha, label)) else f"class {shown(label)}"


def size_in_words(committee: DecisionCommittee) -> str:
    """Return the number of rules and what they hold in words."""
    return f"{counted(len(committee.rules), 'rule')}, {contents_in_words(committee)}"


def contents_in_words(committee: DecisionCommittee) -> str:
    """Return in words the number of conditions, and from three classes on of votes."""
    n_conditions = counted(committee.n_literals, "condition")
    if committee.schema.labels.are_sets or len(committee.tie_order) <= 2:
        return n_conditions  # of two classes each rule has one vote
    return f"{n_conditions}, {counted(committee.n_votes, 'vote')}"


def counted(n: int, noun: str) -> str:
    """Return ``1 rule`` or ``n rules``."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def listed(words: Iterable[str], glue: str = "and") -> str:
    """Return words as in ``a``, ``a and b``, or ``a, b and c``."""
    *first, last = words
    return f"{', '.join(first)} {glue} {last}" if first else last


def numbers_of(fired: Sequence[int]) -> str:
    """Return the numbers of rules, from 1."""
    return ", ".join(str(k + 1) for k in fired) or "none"


def number(value: float) -> str:
    """Return a number with six significant digits, or all before the point and one behind it.

    Of what is not known, NaN, ``?``.
    """
    if math.isnan(value):
        return "?"
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if 1e5 <= abs(value) < 1e15:
        return f"{value:.1f}"
    return f"{value:.6g}"


def mean(values: Iterable[float]) -> float:
    """Return the mean of some numbers, one at least; the module for statistics is slow to load."""
    held = list(values)
    return math.fsum(held) / len(held)


def percent(fraction: float) -> str:
    """Return a fraction in percent with one decimal; ``?`` where it is not known."""
    return "?" if math.isnan(fraction) else f"{100 * fraction:.1f} %"


def shown(text: str) -> str:
    """Return a name or label as it reads in a rule: quoted where it would be unclear."""
    clear = text.isprintable() and text == text.strip() and text and not set(text) & set("{},'\"")
    return text if clear and not _LIKE_A_CONDITION.search(text) else repr(text)


def value_text(attribute: Attribute, value: float) -> str:
    """Return a value of a coded column as it reads in a rule, or ``?`` where it is missing."""
    if attribute.type == "nominal":
        return shown(attribute.values[int(value)]) if value >= 0 else "?"
    return "?" if math.isnan(value) else _cut(attribute, value)


def _nominal_condition(attribute: Attribute, literals: list[Literal]) -> str:
    name = shown(attribute.name)
    literals, state = _without_states(name, literals)
    equal = [literal for literal in literals if literal.operator == "="]
    if equal or not literals:  # rules that can hold name one value only
        values = [shown(attribute.values[int(literal.value)]) for literal in equal]
        return " and ".join([*(f"{name} = {value}" for value in dict.fromkeys(values)), *state])
    inside = [set(literal.labels) for literal in literals if literal.operator == "in"]
    outside = {code for x in literals if x.operator != "in" for code in x.named}
    codes = sorted(set.intersection(*inside) - outside if inside else outside)
    held = [c for c in range(len(attribute.values)) if (c in codes) == bool(inside)]
    values = [shown(attribute.values[code]) for code in codes]
    text = _range(attribute, held) if len(codes) > 1 else ""
    if len(values) == 1:
        text = f"{name} {'=' if inside else '!='} {values[0]}"
    operator = "in" if inside else "not in"
    text = text or f"{name} {operator} {{{', '.join(_shortened(values))}}}"
    return " and ".join([text, *state])


def _without_states(name: str, literals: list[Literal]) -> tuple[list[Literal], list[str]]:
    """Return the literals on values, and in words what is said beyond of whether there is one."""
    states = {x.operator for x in literals if x.operator in ("known", "missing")}
    others = [x for x in literals if x.operator not in states]
    shown_states = sorted(states) if not others else sorted(states - {"known"})
    return others, [f"{name} is {state}" for state in shown_states]


def _range(attribute: Attribute, held: list[int]) -> str:
    """Return labels that stand together in an order as a range; nothing for others."""
    order, name = order_of(attribute), shown(attribute.name)
    within = {attribute.values[code] for code in held}
    if len(within) < 2 or not within < set(order):
        return ""
    first = next(i for i, label in enumerate(order) if label in within)
    last = first + len(within) - 1
    if set(order[first : last + 1]) != within:
        return ""
    below = f"{shown(order[first - 1])} < {name}" if first else name
    if last + 1 < len(order):
        return f"{below} <= {shown(order[last])}"
    return f"{name} > {shown(order[first - 1])}"


def _shortened(labels: list[str]) -> list[str]:
    return labels if len(labels) <= MOST_LABELS else first_of(labels, LABELS_SHOWN)


def _numeric_condition(attribute: Attribute, literals: list[Literal]) -> str:
    name = shown(attribute.name)
    literals, state = _without_states(name, literals)
    return " and ".join([*([_numbers(attribute, literals)] if literals else []), *state])


def _numbers(attribute: Attribute, literals: list[Literal]) -> str:
    name = shown(attribute.name)
    above = [literal.value for literal in literals if literal.operator == ">"]
    below = [literal.value for literal in literals if literal.operator == "<="]
    if above and below:
        low, high = _cut(attribute, max(above)), _cut(attribute, min(below))
        if low == high:  # cuts that differ read differently
            low, high = repr(max(above)), repr(min(below))
        return f"{low} < {name} <= {high}"
    if above:
        return f"{name} > {_cut(attribute, max(above))}"
    return f"{name} <= {_cut(attribute, min(below))}"


def _cut(attribute: Attribute, value: float) -> str:
    """Return a cut point, or a value beside one, with the digits that part it from others.

    Fifteen digits where these are the number but for the noise of a sum of decimals; else all.
    """
    if attribute.type == "date":
        return one_line(moment_text(value, attribute.format))  # the format may hold anything
    if not value.is_integer() and abs(float(f"{value:.15g}") - value) <= math.ulp(value):
        return f"{value:.15g}"
    return number_text(value)
