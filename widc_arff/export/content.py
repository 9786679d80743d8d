"""What the exports share: what they say of a committee in comments, and checks of its texts."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING

from widc_arff.errors import ModelError
from widc_arff.reports.formatting import number, rule_conditions, shown, size_in_words
from widc_arff.reports.kinds import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from widc_arff.model.committee import DecisionCommittee

WIDTH = 100
LEAST_SCORE = 1e-300  # in place of zero: where all tied labels have none, they share equally
_LONGEST_OPTION = 60
_LABELS_TOLD = 30


def heading(committee: DecisionCommittee) -> list[str]:
    """Return what a reader wants to know first, a line each: size, relation, labels, training."""
    labels, training = committee.schema.labels, committee.training
    options = ", ".join(f"{name} {_short(str(v))}" for name, v in training.options.items())
    kind = kind_of(committee)
    lines = (
        f"Decision committee for {kind.subject}: {size_in_words(committee)}.",
        f"Relation: {shown(committee.schema.relation)}.",
        f"Labels: {_told(len(labels.values), lambda j: shown(labels.values[j]))}.",
        f"{kind.training_line}.",
        f"Learned by widc-arff {training.version} ({options}), written by widc-arff export.",
    )
    return [_one_line(line) for line in lines]


def rule_in_words(committee: DecisionCommittee, k: int) -> str:
    """Return number, conditions, votes and coverage of the rule with index `k` in one line."""
    rule, schema = committee.rules[k], committee.schema
    labels = schema.labels.values
    votes = [j for j, vote in enumerate(rule.votes) if vote]
    covers = [j for j, weight in enumerate(rule.covers) if weight > 0]
    votes_told = _told(len(votes), lambda i: f"{shown(labels[votes[i]])} {rule.votes[votes[i]]:+d}")
    covers_told = _told(
        len(covers), lambda i: f"{number(rule.covers[covers[i]])} {shown(labels[covers[i]])}"
    )
    return _one_line(
        f"Rule {k + 1}: {' and '.join(rule_conditions(committee, k))}. "
        f"Votes: {votes_told or 'none'}. Covers: "
        f"{'?' if math.isnan(rule.covered) else covers_told or 'nothing'}."
    )


def commented(lines: Iterable[str], mark: str) -> list[str]:
    """Return lines of text as lines of comment that begin with `mark`, wrapped."""
    wrapped = []
    for line in lines:
        parts = textwrap.wrap(
            line,
            WIDTH - 1 - len(mark),
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        wrapped += [f"{mark} {part}" for part in parts]
    return wrapped


def listed(items: Iterable[str], indent: str) -> list[str]:
    """Return items as comma-separated lines of code, as many on each as fit."""
    lines: list[str] = []
    for item in items:
        if lines and len(lines[-1]) + len(item) + 2 <= WIDTH:
            lines[-1] += f" {item},"
        else:
            lines.append(f"{indent}{item},")
    return lines


def used_attributes(committee: DecisionCommittee) -> list[int]:
    """Return the indices of the attributes that rules test, in the order of the schema."""
    return sorted(committee.used_attributes)


def require_exportable(
    committee: DecisionCommittee,
    language: str,
    allowed: Callable[[str], bool] | None = None,
    more: Iterable[str] = (),
) -> None:
    """Check that a committee can be written in a language.

    Parameters
    ----------
    committee : DecisionCommittee
        Who predicts.
    language : str
        Its name for messages.
    allowed : callable, optional
        Whether the language can hold a character; by default it holds all.
    more : iterable of str
        Texts of the code beside the names and labels in use.

    Raises
    ------
    ModelError
        If the committee has a name or label with another character.
    """
    schema = committee.schema
    used = [schema.attributes[a] for a in used_attributes(committee)]
    texts = [*more, *schema.labels.attributes, *schema.labels.values]
    texts += [text for attribute in used for text in (attribute.name, *attribute.values)]
    for text in texts:
        faults = [] if allowed is None else [c for c in text if not allowed(c)]
        if faults:
            raise ModelError(
                f"expected names and labels that {language} can hold, got the character "
                f"{faults[0]!a} in {text!a}"
            )


class UnusedNames:
    """Names that nothing else has, letters' case aside.

    A name has at most 63 bytes, which is what PostgreSQL keeps of it; a number follows where it is
    taken.

    Parameters
    ----------
    taken : iterable of str
        Names in use.
    """

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = {name.casefold() for name in taken}
        self._tried: dict[str, int] = {}

    def take(self, wanted: str) -> str:
        """Return a name, which is taken from now on."""
        beginning = _first_bytes(wanted, 63)
        name, key = beginning, beginning.casefold()
        n = self._tried.get(key, 1)
        while name.casefold() in self._taken:
            n += 1
            suffix = f"_{n}"
            name = _first_bytes(wanted, 63 - len(suffix)) + suffix
        self._tried[key] = n
        self._taken.add(name.casefold())
        return name


def _first_bytes(text: str, n: int) -> str:
    return text.encode()[:n].decode(errors="ignore")


def _told(n: int, in_words: Callable[[int], str]) -> str:
    """Return a list for a comment by the words for each place: of many the first ones."""
    words = ", ".join(in_words(i) for i in range(min(n, _LABELS_TOLD)))
    return f"{words} and {n - _LABELS_TOLD} more" if n > _LABELS_TOLD else words


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_OPTION else text[: _LONGEST_OPTION - 3] + "..."


def _one_line(text: str) -> str:
    """Return text without anything that could end a comment."""
    return "".join(c if c.isprintable() else " " for c in text)
