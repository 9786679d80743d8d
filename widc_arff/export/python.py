"""A committee as a Python module that imports nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.export.content import (
    WIDTH,
    commented,
    heading,
    listed,
    rule_in_words,
    used_attributes,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.data.schema import Schema
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.literals import Literal
    from widc_arff.model.rules import Rule

_ABOUT = '''\
"""A decision committee: predict(row), predict_proba(row) and votes(row).

A row maps names of attributes to values: text for nominal attributes, numbers for numeric ones,
milliseconds since 1970-01-01 UTC for dates.  Labels may also be given as the number or the truth
value that they are: 1, 1.0 or True.  What is None, NaN or not there is missing, and a missing value
satisfies no condition.  A label that training did not know is a ValueError.
"""
'''

_FUNCTIONS = '''\
def predict(row):
    """Return the label with most votes; _SCORES decide ties, then the order of LABELS."""
    sums = votes(row)
    return max(LABELS, key=lambda label: (sums[label], _SCORES[label]))


def predict_proba(row):
    """Return a probability for each label; the largest is that of predict(row).

    Each vote less makes a label less probable by one factor, a rarer one by its frequency too;
    labels tied for the top share theirs.
    """
    sums = votes(row)
    most = max(sums.values())
    tied = [label for label in LABELS if sums[label] == most]
    tied_shares = 0.0
    for label in tied:
        tied_shares += _SHARES[label]
    parts = {}
    total = 0.0
    for label in LABELS:
        part = 1.0
        for _ in range(most - sums[label]):
            part *= _FACTOR
        if sums[label] < most:
            part *= _FREQUENCIES[label]
        elif len(tied) > 1 and tied_shares > 0:
            part = _SHARES[label] / tied_shares * len(tied)
        parts[label] = part
        total += part
    return {label: part / total for label, part in parts.items()}
'''

_SET_FUNCTIONS = '''\
def predict(row):
    """Return the labels of a row, those that score _THRESHOLD or more, in the order of LABELS."""
    scores = _scores(row)
    return tuple(label for label in LABELS if scores[label] >= _THRESHOLD)


def predict_proba(row):
    """Return a probability for each label; it is one half where the score is _MIDDLE."""
    chances = {}
    for label, score in _scores(row).items():
        odds = exp(-abs(score - _MIDDLE))
        chances[label] = (1.0 if score >= _MIDDLE else odds) / (1.0 + odds)
    return chances


def _scores(row):
    """Return what ranks the labels: an intercept plus a slope times the votes of each."""
    sums = votes(row)
    return {label: _SLOPES[label] * sums[label] + _INTERCEPTS[label] for label in LABELS}
'''

_VOTES = '''\
def votes(row):
    """Return the sum of votes for each label."""
    fired = _votes_of_rules_that_hold(row)
    return {label: sum(vector[j] for vector in fired) for j, label in enumerate(LABELS)}
'''

_READERS = '''\
def _label(row, name, known):
    """Return the label of a nominal attribute, None where it is missing."""
    value = row.get(name)
    if _is_missing(value):
        return None
    text = str(value)
    if text in known:
        return text
    labels = _labels_by_meaning(known)
    for meaning in _meanings(text):
        if meaning in labels:
            return labels[meaning]
    raise ValueError("attribute %r: expected one of %r, got %r" % (name, known, value))


def _number(row, name):
    """Return the value of a numeric attribute, NaN where it is missing."""
    value = row.get(name)
    if _is_missing(value):
        return float("nan")
    if type(value).__name__ in ("float16", "float32"):
        value = str(value)  # the decimal that it prints
    try:
        if isinstance(value, str) and value.strip().lower() in ("true", "false"):
            return float(value.strip().lower() == "true")
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError("attribute %r: expected a number, got %r" % (name, value)) from None


def _is_missing(value):
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


_TRUE = ("true", "yes", "t", "y", "on")
_FALSE = ("false", "no", "f", "n", "off")
_MEANINGS = {}


def _meanings(text):
    """Return what a text may mean: the text without blanks, a number, a truth value."""
    text = text.strip()
    meanings = [(text,)]
    try:
        if "_" not in text and abs(float(text)) < 2.0**53:
            meanings.append(float(text))
    except ValueError:
        pass
    return meanings + [text.lower()]


def _labels_by_meaning(known):
    """Return the label of each meaning that one label alone can have."""
    if known not in _MEANINGS:
        found = {}
        for label in known:
            for meaning in _meanings(label):
                if not isinstance(meaning, str) or meaning in ("true", "false", "yes", "no"):
                    found.setdefault(meaning, []).append(label)
        labels = {meaning: same[0] for meaning, same in found.items() if len(same) == 1}
        if len(known) == 2:
            for true, false in (known, known[::-1]):
                words, numbers = (true.strip().lower(), false.strip().lower()), (true, false)
                if words in zip(_TRUE, _FALSE) or [_meanings(n)[1] for n in numbers] == [1, 0]:
                    labels.update(dict.fromkeys(_TRUE + (1.0,), true))
                    labels.update(dict.fromkeys(_FALSE + (0.0,), false))
        _MEANINGS[known] = labels
    return _MEANINGS[known]
'''


def python_source(committee: DecisionCommittee) -> str:
    """Return a module for Python 3.8 and later that predicts as the committee does.

    Notes
    -----
    Its functions are ``predict(row)``, which returns a label, or the labels of a set, and
    ``predict_proba(row)`` and ``votes(row)``, which map labels to numbers.  Probabilities of
    classes have the bits of `DecisionCommittee.predict_proba`: sums are loops, since `sum` of
    floats compensates from Python 3.12 on.
    """
    labels = committee.schema.labels.values
    are_sets = committee.schema.labels.are_sets
    lines = [
        *_ABOUT.splitlines(),
        *(["", "from math import exp"] if are_sets else []),
        "",
        *commented(heading(committee), "#"),
        "",
        "LABELS = (",
        *listed(map(repr, labels), "    "),
        ")",
        *_what_makes_probabilities(committee),
        "",
        "",
        *(_SET_FUNCTIONS if are_sets else _FUNCTIONS).splitlines(),
        "",
        "",
        *_VOTES.splitlines(),
        "",
        "",
        *_rules(committee),
        "",
        "",
        *_READERS.splitlines(),
    ]
    return "\n".join(lines) + "\n"


def _what_makes_probabilities(committee: DecisionCommittee) -> list[str]:
    labels, calibration = committee.schema.labels, committee.known_calibration
    if labels.are_sets:
        of_labels = committee.label_scores
        return [
            *_by_label("_SLOPES", labels.values, of_labels.slopes.tolist()),
            *_by_label("_INTERCEPTS", labels.values, of_labels.intercepts.tolist()),
            f"_MIDDLE = {of_labels.middle!r}",
            f"_THRESHOLD = {of_labels.threshold!r}",
        ]
    return [
        *_by_label("_SCORES", labels.values, committee.tie_scores.tolist()),
        *_by_label("_FREQUENCIES", labels.values, calibration.frequencies),
        *_by_label("_SHARES", labels.values, calibration.shares),
        f"_FACTOR = {calibration.factor!r}",
    ]


def _by_label(name: str, labels: Sequence[str], numbers: Sequence[float]) -> list[str]:
    """Return lines that give each label a number."""
    entries = (f"{label!r}: {number!r}" for label, number in zip(labels, numbers, strict=True))
    return [f"{name} = {{", *listed(entries, "    "), "}"]


def _rules(committee: DecisionCommittee) -> list[str]:
    schema = committee.schema
    lines = ["def _votes_of_rules_that_hold(row):"]
    lines += ['    """Return the votes of each rule that holds, in the order of LABELS."""']
    lines += ["    x = {"]
    for a in used_attributes(committee):
        name, values = schema.attributes[a].name, schema.attributes[a].values
        if schema.attributes[a].type != "nominal":
            lines.append(f"        {name!r}: _number(row, {name!r}),")
        elif len(line := f"        {name!r}: _label(row, {name!r}, {values!r}),") <= WIDTH:
            lines.append(line)
        else:
            lines += [f"        {name!r}: _label(", f"            row, {name!r}, ("]
            lines += [*listed(map(repr, values), " " * 16), "            )", "        ),"]
    lines += ["    }", "    fired = []"]
    for k, rule in enumerate(committee.rules):
        lines += ["", *commented([rule_in_words(committee, k)], "    #")]
        lines += [*_condition(rule, schema), *_fired(rule)]
    return [*lines, "", "    return fired"]


def _condition(rule: Rule, schema: Schema) -> list[str]:
    tests = [_test(literal, schema) for literal in rule.monomial]
    line = f"    if {' and '.join(tests)}:"
    if len(line) <= WIDTH and "\n" not in line:
        return [line]
    first, *others = tests
    return ["    if (", f"        {first}", *(f"        and {test}" for test in others), "    ):"]


def _test(literal: Literal, schema: Schema) -> str:
    attribute = schema.attributes[literal.attribute]
    x = f"x[{attribute.name!r}]"
    if literal.operator in ("<=", ">"):
        return f"{x} {literal.operator} {literal.value!r}"  # NaN, a missing number, fails both
    if literal.operator in ("known", "missing"):
        is_known = literal.operator == "known"
        if attribute.type != "nominal":
            return f"{x} {'==' if is_known else '!='} {x}"  # NaN is not equal to itself
        return f"{x} is {'not ' * is_known}None"
    labels = [repr(attribute.values[code]) for code in literal.named]
    if literal.operator == "=":
        return f"{x} == {labels[0]}"
    others = labels if literal.is_for_named else ["None", *labels]
    operator = "in" if literal.is_for_named else "not in"
    if len(line := f"{x} {operator} ({', '.join(others)})") <= WIDTH:
        return line
    return "\n".join([f"{x} {operator} (", *listed(others, " " * 12), "        )"])


def _fired(rule: Rule) -> list[str]:
    votes = [f"{vote:+d}" if vote else "0" for vote in rule.votes]
    line = f"        fired.append(({', '.join(votes)}{',' if len(votes) == 1 else ''}))"
    if len(line) <= WIDTH:
        return [line]
    return ["        fired.append((", *listed(votes, " " * 12), "        ))"]
