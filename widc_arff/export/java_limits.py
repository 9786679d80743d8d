"""What a class file of Java can hold: 65,535 bytes of code a method, constants, bytes a text.

Sizes are those of javac's instructions, rounded up: what passes here compiles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from widc_arff.errors import ModelError
from widc_arff.export.content import used_attributes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from widc_arff.model.committee import DecisionCommittee

_MOST = 65_535
_OF_METHOD, _OF_CLASS, _OF_TEXT = "bytes a method", "constants a class", "bytes a text"
_ELEMENT, _TEST, _VOTE, _READ, _CALL, _FRAME = 8, 30, 9, 9, 5, 100  # bytes of code
_TEXT, _NUMBER, _METHOD, _OTHERS = 2, 2, 3, 300  # entries of the table of constants


def require_java_size(committee: DecisionCommittee) -> None:
    """Check that a class file can hold a committee.

    Raises
    ------
    ModelError
        If it has too many labels, values, rules or literals, or a text is too long.
    """
    for what, size, limit in _sizes(committee):
        if size > _MOST:
            raise ModelError(
                f"expected a model that a class of Java can hold, got {what}: that needs about "
                f"{size:,} {limit}, and Java's limit is {_MOST:,}; python and sql have none"
            )


def _sizes(committee: DecisionCommittee) -> Iterator[tuple[str, int, str]]:
    """Yield what needs room, how much, and of which kind."""
    labels = committee.schema.labels.values
    used = [committee.schema.attributes[a] for a in used_attributes(committee)]
    rules = committee.rules
    yield f"{len(labels):,} labels", 2 * _ELEMENT * len(labels) + _FRAME, _OF_METHOD
    for attribute in used:
        n = len(attribute.values)
        yield f"{n:,} values of {attribute.name!r}", _ELEMENT * n + _FRAME, _OF_METHOD
    for k, rule in enumerate(rules):
        n_votes = sum(map(bool, rule.votes))
        n_tests = sum(max(1, len(literal.labels)) for literal in rule.monomial)
        size = _TEST * n_tests + _VOTE * n_votes + _FRAME
        yield (
            f"{len(rule.monomial):,} conditions and {n_votes:,} votes in rule {k + 1}",
            size,
            _OF_METHOD,
        )
    calls = _READ * len(used) + _CALL * len(rules) + _FRAME
    yield f"{len(rules):,} rules on {len(used):,} attributes", calls, _OF_METHOD
    texts = {*labels, *(text for a in used for text in (a.name, *a.values))}
    numbers = {
        literal.value
        for rule in rules
        for literal in rule.monomial
        if committee.schema.attributes[literal.attribute].type != "nominal"
    }
    constants = _TEXT * len(texts) + _NUMBER * (len(numbers) + 2 * len(labels)) + _OTHERS
    constants += _METHOD * (len(rules) + len(used))
    yield f"{len(texts):,} names and labels and {len(rules):,} rules", constants, _OF_CLASS
    for text in texts:
        yield f"the text {text[:40]!a}...", _modified_utf_8(text), _OF_TEXT


def _modified_utf_8(text: str) -> int:
    """Return how many bytes a text has in a class file, where NUL has two and surrogates three."""
    if text.isascii() and "\0" not in text:
        return len(text)
    return sum(
        1 if 0 < (o := ord(c)) < 128 else 2 if o < 2048 else 3 if o < 65536 else 6 for c in text
    )
