"""Rules that a user gives: a text file with one rule a line, or the rules of a model file.

    # comments and empty lines are nothing
    if petal_width <= 0.8 and colour = red then setosa
    if 'petal length' > 5 then virginica, not setosa
    if age > 60 then [1, -1, 0]
    if colour != red
    if colour in {red, 'light blue'} and size not in {s, m} and weight is known then setosa
    locked 'very wide' if petal_width > 2 then virginica

Labels of a set stand in braces; ``is known`` and ``is missing`` tell whether there is a value.
Labels after ``then`` get +1, those after ``not`` -1, the others 0; a list has a vote for each label
in the order of its declaration; without ``then`` the votes are learned.  Names, values and labels
with one of ``< > = ! , # [ ] { } ' "``, and the words ``and``, ``then``, ``not`` among them, stand
in quotes, as in ``then '>50K'``; in quotes a backslash takes what follows as it is.  Before ``if``
a rule may have a name in quotes; ``locked`` keeps it as it is when a model is updated.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, NoReturn, TypeGuard

from widc_arff.errors import ArffError, first_repeated
from widc_arff.system.files import parsed_json, text_of

OPERATORS = ("=", "!=", "<=", ">")
SETS = ("in", "not in")
STATES = ("known", "missing")
_TOKEN = re.compile(
    r"""\s*(?:
        (?P<quoted>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
      | (?P<comment>(?:^|(?<=\s))\#.*)
      | (?P<mark><=|>=|!=|==|[<>=,\[\]{}])
      | (?P<word>[^\s'"\#<>=!,\[\]{}]+)
    )""",
    re.VERBOSE,
)
_KEYWORDS = ("and", "then", "not")
_TO_QUOTE = "a text with < > = ! , # [ ] { } or quotes, or the word and, then or not, needs quotes"
_VOTES = {"-1": -1, "0": 0, "1": 1, "+1": 1}
Condition = tuple[str, str, str | float | tuple[str, ...]]
Votes = tuple[tuple[str, int], ...] | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ExpertRule:
    """A rule as a user gives it, by names.

    Parameters
    ----------
    conditions : tuple of (str, str, str or float or tuple of str)
        Name of the attribute, operator, value: of a set its labels, of ``known`` and ``missing``
        an empty text.
    votes : tuple or None
        (label, vote) pairs, all other labels 0; or a vote for each label; None: to be learned.
    place : str
        File and line, for messages.
    name : str
        How people call the rule; by default nothing.
    locked : bool
        Whether `edit` and `update` leave it as it is.
    """

    conditions: tuple[Condition, ...]
    votes: Votes | None
    place: str
    name: str = ""
    locked: bool = False

    def __str__(self) -> str:
        tests = list(map(_test_text, self.conditions))
        head = "locked " * self.locked + (f"{_in_quotes(self.name)} " if self.name else "")
        text = f"{head}if {' and '.join(tests)}"
        if self.votes is None:
            return text
        if all(isinstance(vote, int) for vote in self.votes):
            return f"{text} then {list(self.votes)}"
        pairs: Any = self.votes
        labels = (("" if vote > 0 else "not ") + _quoted(label) for label, vote in pairs)
        return f"{text} then {', '.join(labels)}"


def read_rules(path: str) -> tuple[ExpertRule, ...]:
    """Return the rules of a file, or of standard input (-).

    Raises
    ------
    ArffError
        If it is not such a file; the message names the line.
    """
    return rules_of_text(text_of(path, "the rules"), path)


def rules_of_text(text: str, source: str) -> tuple[ExpertRule, ...]:
    """Return the rules of the text of a file, with or without a byte-order mark.

    Raises
    ------
    ArffError
        If it holds something else, with `source` and the line.
    """
    text = text.removeprefix("\ufeff")
    if text.lstrip()[:1] in ("{", "["):
        return _rules_of_json(text, source)
    return parse_rules(text.splitlines(), source)


def parse_rules(lines: list[str] | tuple[str, ...], source: str) -> tuple[ExpertRule, ...]:
    """Return the rules of lines of text.

    Raises
    ------
    ArffError
        If a line is no rule.
    """
    rules = []
    for number, line in enumerate(lines, start=1):
        rule = _Line(line, source, number).rule()
        if rule is not None:
            rules.append(rule)
    return tuple(rules)


class _Line:
    """Reads a line: ``if`` conditions, and what they say after ``then``."""

    def __init__(self, line: str, source: str, number: int) -> None:
        self._line, self._source, self._number = line, source, number
        self._tokens = self._split()
        self._next = 0

    def rule(self) -> ExpertRule | None:
        """Return the rule; None if there is none."""
        if not self._tokens:
            return None
        locked = self._take("locked")
        name = ""
        if self._tokens[self._next :] and self._tokens[self._next][0] == "quoted":
            name = self._text("the name of the rule")
        self._expect("if")
        conditions = [self._condition()]
        while self._take("and"):
            conditions.append(self._condition())
        votes = self._votes() if self._take("then") else None
        if self._next < len(self._tokens):
            self._fail("and, then or the end of the line", quotable=True)
        place = f"{self._source}:{self._number}"
        return ExpertRule(tuple(conditions), votes, place, name, locked)

    def _condition(self) -> Condition:
        name = self._text("the name of an attribute", of_condition=True)
        if self._take("is"):
            state = next((state for state in STATES if self._take(state)), None)
            if state is None:
                self._fail(" or ".join(STATES))
            return name, state, ""
        is_negated = self._take("not")
        if self._take("in"):
            return name, SETS[is_negated], self._set()
        operator = next((op for op in OPERATORS if self._take(op, "mark")), None)
        if operator is None or is_negated:
            self._fail("one of the operators =, !=, <=, >, in, not in, is known, is missing")
        return name, operator, self._text("a value")

    def _set(self) -> tuple[str, ...]:
        self._expect("{", "mark")
        labels = [self._text("a value")]
        while self._take(",", "mark"):
            labels.append(self._text("a value"))
        self._expect("}", "mark")
        return tuple(labels)

    def _votes(self) -> Votes:
        if self._take("[", "mark"):
            votes = [self._vote()]
            while self._take(",", "mark"):
                votes.append(self._vote())
            self._expect("]", "mark")
            return tuple(votes)
        pairs: dict[str, int] = {}
        while True:
            vote = -1 if self._take("not") else 1
            label = self._text("a label")
            if label in pairs:
                self._next -= 1
                self._fail("each label once")
            pairs[label] = vote
            if not self._take(",", "mark"):
                return tuple(pairs.items())

    def _vote(self) -> int:
        text = next((text for text in _VOTES if self._take(text)), None)
        if text is None:
            self._fail("a vote of -1, 0 or 1")
        return _VOTES[text]

    def _text(self, expected: str, *, of_condition: bool = False) -> str:
        """Return a quoted text, or the words up to a mark or keyword.

        Of a condition also up to ``in {``, ``is known`` or ``is missing``.
        """
        words: list[str] = []
        while self._next < len(self._tokens):
            kind, text, _ = self._tokens[self._next]
            if kind == "quoted" and not words:
                self._next += 1
                return re.sub(r"\\(.)", r"\1", text[1:-1])
            if kind != "word" or text.lower() in _KEYWORDS:
                break
            if of_condition and self._is_test():
                break
            words.append(text)
            self._next += 1
        if not words:
            self._fail(expected, quotable=True)
        return " ".join(words)

    def _is_test(self) -> bool:
        """Tell whether the next word begins what is said of an attribute, and is not its name."""
        kinds = [(kind, text.lower()) for kind, text, _ in self._tokens[self._next :][:3]]
        if kinds[:2] == [("word", "in"), ("mark", "{")]:
            return True
        if kinds[0] != ("word", "is") or kinds[1:2] not in ([("word", x)] for x in STATES):
            return False
        return kinds[2:] in ([], [("word", "and")], [("word", "then")])

    def _take(self, text: str, kind: str = "word") -> bool:
        if self._next < len(self._tokens):
            found_kind, found, _ = self._tokens[self._next]
            if found_kind == kind and found.lower() == text:
                self._next += 1
                return True
        return False

    def _expect(self, text: str, kind: str = "word") -> None:
        if not self._take(text, kind):
            self._fail(text)

    def _fail(self, expected: str, *, quotable: bool = False) -> NoReturn:
        """Raise the error; `quotable` where a text with quotes around it could have been meant."""
        found, column, advice = "the end of the line", len(self._line) + 1, ""
        if self._next < len(self._tokens):
            _, text, column = self._tokens[self._next]
            found = repr(text)
            if quotable:
                advice = self._advice(column)
        raise ArffError(
            f"expected {expected}, got {found}{advice}",
            self._source,
            self._number,
            column,
            self._line,
        )

    def _advice(self, column: int) -> str:
        """Return that quotes may be missing, and where it is clear how the text is quoted."""
        start = max(self._line.rfind(mark, 0, column - 1) for mark in " \t,") + 1
        meant = self._line[start:].split()[0].rstrip(",")
        if meant[:1] in ("'", '"'):
            return ""
        quoted = _quoted(meant)
        is_clear = re.search(r"\w", meant) and quoted != meant and meant.lower() not in _KEYWORDS
        return f"; {_TO_QUOTE}: {quoted}" if is_clear else f"; {_TO_QUOTE}"

    def _split(self) -> list[tuple[str, str, int]]:
        tokens, start, end = [], 0, len(self._line.rstrip())
        while start < end:
            match = _TOKEN.match(self._line, start)
            if match is None or match.lastgroup is None:
                column = start + 1 + len(self._line[start:]) - len(self._line[start:].lstrip())
                found = self._line[column - 1]
                what = "a closing quote" if found in "'\"" else "a rule"
                raise ArffError(
                    f"expected {what}, got {found!r}{self._advice(column)}",
                    self._source,
                    self._number,
                    column,
                    self._line,
                )
            kind = match.lastgroup
            if kind != "comment":
                tokens.append((kind, match[kind], match.start(kind) + 1))
            start = match.end()
        return tokens


def _rules_of_json(text: str, path: str) -> tuple[ExpertRule, ...]:
    """Return the rules of a model file, or of its list of rules alone."""
    try:
        data = parsed_json(text)
    except ValueError as error:
        raise ArffError(f"expected rules as text or JSON, got: {error}", path) from error
    labels = None
    if isinstance(data, dict):
        if "labels" in data:
            labels = data["labels"].get("values") if isinstance(data["labels"], dict) else None
            if not _are_texts(labels) or first_repeated(labels) is not None:
                raise ArffError(
                    "expected an object with a list of texts in 'values', each once",
                    f"{path}: labels",
                )
        data = data.get("rules")
    if not isinstance(data, list):
        raise ArffError("expected a list of rules, or an object with 'rules'", path)
    return tuple(
        _rule_of_json(rule, labels, f"{path}: rules[{number}]") for number, rule in enumerate(data)
    )


def _are_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _rule_of_json(
    data: Any,  # noqa: ANN401 - whatever stands in the file
    labels: list[str] | None,
    place: str,
) -> ExpertRule:
    conditions = data.get("if") if isinstance(data, dict) else None
    if not isinstance(conditions, list) or not conditions:
        raise ArffError("expected an object with a list of conditions in 'if'", place)
    tests = tuple(_condition_of_json(test, place) for test in conditions)
    name, locked = data.get("name", ""), data.get("locked", False)
    if not isinstance(name, str) or not isinstance(locked, bool):
        raise ArffError("expected a text as 'name', and true or false as 'locked'", place)
    votes = data.get("votes")
    if votes is None:
        return ExpertRule(tests, None, place, name, locked)
    are_votes = isinstance(votes, list) and all(type(v) is int and abs(v) <= 1 for v in votes)
    if not are_votes or not votes:
        raise ArffError(f"expected votes of -1, 0 and 1, got {votes!r}", place)
    if labels is not None and len(labels) == len(votes):
        return ExpertRule(tests, tuple(zip(labels, votes, strict=True)), place, name, locked)
    return ExpertRule(tests, tuple(votes), place, name, locked)


def _condition_of_json(test: Any, place: str) -> Condition:  # noqa: ANN401 - as above
    fields: dict[str, Any] = test if isinstance(test, dict) else {}
    name, operator = fields.get("attribute"), fields.get("is")
    value: Any = fields.get("value")
    if isinstance(name, str) and operator in STATES and "value" not in fields:
        return name, str(operator), ""
    if isinstance(name, str) and operator in SETS and _are_texts(value) and value:
        return name, str(operator), tuple(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    is_value = isinstance(value, str) or (is_number and math.isfinite(value))
    if not isinstance(name, str) or operator not in OPERATORS or not is_value:
        raise ArffError(
            "expected conditions with 'attribute', 'is' (=, !=, <=, >, in, not in) and 'value', or "
            f"'is' (known, missing) alone, got {test!r}",
            place,
        )
    return name, str(operator), value if isinstance(value, str) else float(value)


def _test_text(condition: Condition) -> str:
    name, operator, value = condition
    if operator in STATES:
        return f"{_quoted(name)} is {operator}"
    if isinstance(value, tuple):
        return f"{_quoted(name)} {operator} {{{', '.join(map(_quoted, value))}}}"
    return f"{_quoted(name)} {operator} {_quoted(value) if isinstance(value, str) else repr(value)}"


def _quoted(text: str) -> str:
    words = text.split(" ")
    plain = re.fullmatch(r"[\w.\-+:/]+(?: [\w.\-+:/]+)*", text)
    if plain and not {*_KEYWORDS, "if"} & {word.lower() for word in words}:
        return text
    return _in_quotes(text)


def _in_quotes(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
