"""Words and short lists that reports have of classes in one form and of label sets in another."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from widc_arff.reports.layout import WIDTH, indented, signed, wrap, wrap_words
from widc_arff.reports.wording import conditions, counted, number, percent, shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from widc_arff.model.committee import DecisionCommittee

LABELS_SHOWN = 10


class Kind(ABC):
    """How a committee is told.

    Parameters
    ----------
    committee : DecisionCommittee
        Of the kind.
    most : int
        How many labels of a set to name at a time.
    """

    no_votes: ClassVar[str]
    otherwise: ClassVar[str]
    """What rows would do that a rule or an attribute decides."""
    unlabelled: ClassVar[str]
    """What keeps rows from being counted."""

    def __init__(self, committee: DecisionCommittee, most: int = LABELS_SHOWN) -> None:
        self.committee, self.most = committee, most
        self.labels = [shown(label) for label in committee.schema.labels.values]

    @property
    @abstractmethod
    def subject(self) -> str:
        """What is decided: the class attribute, or so many labels."""

    @property
    @abstractmethod
    def training_error(self) -> tuple[str, str]:
        """What counts as error in training, and how much of it there is."""

    @property
    def training_more(self) -> str:
        """What follows behind the training error: ties, and which rules were not learned."""
        training = self.committee.training
        more = "" if training.ties is None else f"; ties decide {percent(training.ties)}"
        given = training.options.get("rules")
        if isinstance(given, list) and given:
            which = "rule 1 was" if len(given) == 1 else f"rules 1 to {len(given)} were"
            more += f"; {which} given"
        return more

    @property
    @abstractmethod
    def training_line(self) -> str:
        """Number of training examples, the training error and ties in words."""

    @abstractmethod
    def votes(self, k: int) -> Mapping[int, list[str]]:
        """Return the labels that get so many votes from a rule, the most first; without 0."""

    @abstractmethod
    def vote_mark(self, vote: int) -> str:
        """Return what stands before the labels of a vote."""

    @abstractmethod
    def plain(self, labels: Sequence[int] | None) -> str | list[str] | None:
        """Return the labels of a row as data for JSON, None where they are not known."""

    @abstractmethod
    def decision_width(self, widest: int) -> int:
        """Return how wide a column of decisions is."""

    @abstractmethod
    def outcome(self, n_known: int, n_wrong: int) -> str:
        """Return in words how many rows are decided rightly or wrongly."""

    def rule_lines(self, k: int) -> list[str]:
        """Return a rule with its number, and what it votes for, a vote a line."""
        rule = self.committee.rules[k]
        parts = conditions(rule.monomial, self.committee.schema)
        lines = indented(wrap(parts, WIDTH - 6), f"{k + 1:>4}  ")
        votes = {vote: names for vote, names in self.votes(k).items() if names}
        for vote, names in votes.items():
            mark = f"{'':8}{self.vote_mark(vote)}: "
            lines += indented(wrap_words(names, WIDTH - len(mark)), mark)
        return lines if votes else [*lines, f"{'':8}{self.no_votes}"]

    def fired_lines(self, fired: Sequence[int]) -> list[str]:
        """Return how many rules hold, and which."""
        n, n_rules = len(fired), counted(len(self.committee.rules), "rule")
        if not n:
            return [f"None of the {n_rules} holds."]
        lines = [f"{n} of {n_rules} {'holds' if n == 1 else 'hold'}:"]
        return lines + [line for k in fired for line in self.rule_lines(k)]

    def default_shares(self) -> list[str]:
        """Return the largest shares of the default vector."""
        default = self.committee.default
        order = sorted(range(len(default)), key=lambda j: -default[j])
        return first_of([f"{self.labels[j]} {default[j]:.2f}" for j in order], self.most)


class _Classes(Kind):
    """How a committee that decides for one class an example is told."""

    no_votes = "no points"
    otherwise = "be decided otherwise"
    unlabelled = "without a class"

    @property
    def subject(self) -> str:
        return shown(self.committee.schema.labels.attributes[0])

    @property
    def training_error(self) -> tuple[str, str]:
        return "training error", percent(self.committee.training.error)

    @property
    def training_line(self) -> str:
        training = self.committee.training
        wrong = number(training.error * sum(training.weights))
        total = number(sum(training.weights))
        examples = counted(training.examples, "training example")
        weight = "" if float(total) == training.examples else f" (weight {total})"
        error = f"{' '.join(self.training_error)} ({wrong} of {total})"
        return f"{examples}{weight}, {error}{self.training_more}"

    def votes(self, k: int) -> Mapping[int, list[str]]:
        points = self._points[k]
        groups = {
            n: [label for label, p in zip(self.labels, points, strict=True) if p == n]
            for n in (2, 1, -1, -2)
        }
        return {n: names for n, names in groups.items() if names}

    @cached_property
    def _points(self) -> tuple[tuple[int, ...], ...]:
        return self.committee.points

    def vote_mark(self, vote: int) -> str:
        return signed(vote)

    def plain(self, labels: Sequence[int] | None) -> str | list[str] | None:
        return self.committee.schema.labels.values[labels[0]] if labels else None

    def decision_width(self, widest: int) -> int:
        return min(max(len("decision"), *map(len, self.labels)), widest)

    def outcome(self, n_known: int, n_wrong: int) -> str:  # noqa: ARG002 - the wrong are told
        return f"{counted(n_wrong, 'row')} decided wrongly"


class _LabelSets(Kind):
    """How a committee for label sets is told."""

    no_votes = "no vote"
    otherwise = "get other labels"
    unlabelled = "with missing labels"

    @property
    def subject(self) -> str:
        return f"{self.committee.schema.n_classes} labels"

    @property
    def training_error(self) -> tuple[str, str]:
        return "training ranking loss", f"{self.committee.training.error:.4f}"

    @property
    def training_line(self) -> str:
        examples = counted(self.committee.training.examples, "training example")
        return f"{examples}, {' '.join(self.training_error)}{self.training_more}"

    def votes(self, k: int) -> Mapping[int, list[str]]:
        rule = self.committee.rules[k]
        weights = {1: rule.covers, -1: self.committee.training.weights}
        return {
            vote: first_of([self.labels[j] for j in _voted(rule.votes, vote, weight)], self.most)
            for vote, weight in weights.items()
        }

    def vote_mark(self, vote: int) -> str:
        return "+" if vote > 0 else "-"

    def plain(self, labels: Sequence[int] | None) -> str | list[str] | None:
        names = self.committee.schema.labels.values
        return None if labels is None else [names[j] for j in labels]

    def decision_width(self, widest: int) -> int:
        return widest

    def outcome(self, n_known: int, n_wrong: int) -> str:
        return f"{counted(n_known - n_wrong, 'row')} with exactly the labels decided"


def _voted(votes: Sequence[int], vote: int, weights: Sequence[float]) -> list[int]:
    return sorted((j for j, v in enumerate(votes) if v == vote), key=lambda j: -weights[j])


def first_of(texts: list[str], most: int) -> list[str]:
    """Return so many texts, and how many more there are."""
    if len(texts) <= most:
        return texts
    return [*texts[:most], f"and {len(texts) - most} more" if most else f"{len(texts)} labels"]


_KINDS: Mapping[str, type[Kind]] = {"single": _Classes, "multi": _LabelSets}


def kind_of(committee: DecisionCommittee, most: int = LABELS_SHOWN) -> Kind:
    """Return how a committee is told, of label sets with so many labels at a time."""
    return _KINDS[committee.schema.labels.kind](committee, most)
