"""Words and short lists that reports have of classes in one form and of label sets in another."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from widc_arff.reports.by_class import never_decided, votes_by_class
from widc_arff.reports.layout import WIDTH, fixed, indented, signed, wrap, wrap_words
from widc_arff.reports.rights import right_of_rule, right_of_vote
from widc_arff.reports.wording import (
    class_names,
    counted,
    first_of,
    listed,
    number,
    percent,
    rule_conditions,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.reports.by_class import Layout

LABELS_SHOWN = 10
_DECIDES = "Decides: training rows that would be decided differently without the rule."
_CONTRADICTS = "!: the vote is right less often on the rows that the rule covers than on all rows."


def missing_told(committee: DecisionCommittee) -> str:
    """Return what conditions say of missing values."""
    tested = {x.operator for rule in committee.rules for x in rule.monomial}
    told = "A condition on a missing value does not hold"
    return f"{told}, except 'is missing'." if "missing" in tested else f"{told}."


class Kind(ABC):
    """How a committee is told.

    Parameters
    ----------
    committee : DecisionCommittee
        Of the kind.
    most : int
        How many labels of a set to name at a time.
    layout : {"class", "rule"}
        Class by class, or rule by rule, as label sets always are.
    """

    no_votes: ClassVar[str]
    otherwise: ClassVar[str]
    """What rows would do that a rule or an attribute decides."""
    unlabelled: ClassVar[str]
    """What keeps rows from being counted."""

    def __init__(self, committee: DecisionCommittee, most: int, layout: Layout) -> None:
        self.committee, self.most = committee, most
        self.is_by_class = layout == "class" and not committee.schema.labels.are_sets
        self.labels = class_names(committee)
        decides = [rule.decides for rule in committee.rules]
        self.knows_decides = bool(decides) and None not in decides

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
        """What follows behind the training error: which rules were not learned."""
        training, more = self.committee.training, ""
        if not self.committee.is_fitted:
            more += "; changed later without data: ? is unknown, and so are probabilities"
        given = training.options.get("rules")
        locked = [str(k + 1) for k, rule in enumerate(self.committee.rules) if rule.locked]
        if locked and self.committee.history:
            more += f"; {'rule' if len(locked) == 1 else 'rules'} {listed(locked)} "
            more += "is locked" if len(locked) == 1 else "are locked"
        elif isinstance(given, list) and given and not self.committee.history:
            which = "rule 1 was" if len(given) == 1 else f"rules 1 to {len(given)} were"
            more += f"; {which} given"
        choice = self.committee.provenance.choice
        return f"{more}; chosen: {choice}" if choice else more

    @property
    @abstractmethod
    def training_line(self) -> str:
        """Number of training examples, the training error and ties in words."""

    @abstractmethod
    def notes(self) -> list[str]:
        """Return in paragraphs how rules decide, and what the figures mean."""

    @abstractmethod
    def votes(self, k: int) -> Mapping[int, list[str]]:
        """Return the labels that get so many votes from a rule, the most first; without 0."""

    @abstractmethod
    def judged_votes(self, k: int) -> Mapping[int, list[str]]:
        """Return `votes`, with how often each is right where figures of the rule do not say it."""

    @property
    @abstractmethod
    def own_heads(self) -> list[str]:
        """Heads of the figures of a rule, but for how many rows it decides."""

    @abstractmethod
    def own_figures(self, k: int) -> list[str]:
        """Return the figures of a rule, but for how many rows it decides."""

    @abstractmethod
    def in_words(self, figures: Sequence[str]) -> str:
        """Return the figures of a rule as a line of text."""

    @property
    def figure_heads(self) -> list[str]:
        """Heads of the figures of a rule."""
        return [*self.own_heads, *(["decides"] if self.knows_decides else [])]

    def figures(self, k: int) -> list[str]:
        """Return what there is to say of a rule in numbers: on how many rows it is right."""
        decides = self.committee.rules[k].decides
        told = [] if decides is None or not self.knows_decides else [number(decides)]
        return [*self.own_figures(k), *told]

    def for_and_against(self, k: int) -> list[list[str]]:
        """Return for and against which labels a rule is, those with two points marked."""
        named = {
            n: [f"{name} ({signed(n)})" if abs(n) > 1 else name for name in names]
            for n, names in self.judged_votes(k).items()
        }
        return [[*named.get(sign * 2, []), *named.get(sign, [])] for sign in (1, -1)]

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
        """Return a rule with its number, what it votes for, a vote a line, and its figures."""
        parts = rule_conditions(self.committee, k)
        lines = indented(wrap(parts, WIDTH - 6), f"{k + 1:>4}  ")
        votes = {vote: names for vote, names in self.judged_votes(k).items() if names}
        for vote, names in votes.items():
            mark = f"{'':8}{self.vote_mark(vote)}: "
            lines += indented(wrap_words(names, WIDTH - len(mark)), mark)
        lines += [] if votes else [f"{'':8}{self.no_votes}"]
        return [*lines, f"{'':8}{self.in_words(self.figures(k))}"]

    def fired_lines(self, fired: Sequence[int]) -> list[str]:
        """Return how many rules hold, and which."""
        n, n_rules = len(fired), counted(len(self.committee.rules), "rule")
        if not n:
            return [f"None of the {n_rules} holds."]
        lines = [f"{n} of {n_rules} {'holds' if n == 1 else 'hold'}:"]
        return lines + [line for k in fired for line in self.rule_lines(k)]


class _Classes(Kind):
    """How a committee that decides for one class an example is told."""

    no_votes = "no points"
    otherwise = "be decided differently"
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

    def notes(self) -> list[str]:
        committee, names = self.committee, self.labels
        undecided = [names[j] for j in never_decided(committee)]
        absent = [name for j, name in enumerate(names) if j not in committee.tie_order]
        texts = [self._how_points_decide()]
        if committee.rules and (ties := committee.training.ties) is not None:
            share = f"{percent(1 - ties)} of the training rows, ties {percent(ties)}"
            texts[0] += f" Points decide {share}."
        if committee.rules:
            texts.append(" ".join(self._what_figures_mean()))
        if undecided:
            texts.append(f"Never predicted, because no rule votes for them: {listed(undecided)}.")
        if absent:
            texts.append(f"Never predicted, because no training row has them: {listed(absent)}.")
        return texts

    def _how_points_decide(self) -> str:
        committee, names, order = self.committee, self.labels, self.committee.tie_order
        first = names[order[0]]
        if not committee.rules:
            return f"There is no rule: every row is decided for {first}."
        losers = never_decided(committee)
        rivals = listed(names[j] for j in order if j not in losers)
        wins = "the one listed first wins" if self.is_by_class else f"the first of {rivals} wins"
        return (
            "Every class starts with 0 points and gets those of the rules that hold; the class "
            f"with the most points wins. If classes tie, {wins}; if no rule holds, that is "
            f"{first}. {missing_told(self.committee)}"
        )

    def _what_figures_mean(self) -> list[str]:
        votes = list(votes_by_class(self.committee))
        classes = "the class" if self.is_by_class else "the classes with its most points"
        if self.is_by_class and any(vote.points < 0 for vote in votes):
            classes += " (with -, those of all other classes)"
        right = f"Right on: of the training rows that a rule covers, those of {classes}"
        texts = [f"{right}; in all: their share of all training rows."]
        if self.knows_decides:
            texts.append(_DECIDES)
        if self.is_by_class and len(votes) > len({vote.rule for vote in votes}):
            texts.append("A rule has the same number under every class.")
        if self._any_contradicts():
            texts.append(_CONTRADICTS)
        return texts

    def _any_contradicts(self) -> bool:
        if self.is_by_class:
            return any(vote.right.contradicts for vote in votes_by_class(self.committee))
        rights = (right_of_rule(self.committee, k) for k in range(len(self.committee.rules)))
        return any(right is not None and right.contradicts for right in rights)

    @property
    def own_heads(self) -> list[str]:
        return ["right on", "", "in all"]

    def own_figures(self, k: int) -> list[str]:
        right = right_of_rule(self.committee, k)
        return ["–"] * 3 if right is None else right.figures

    def in_words(self, figures: Sequence[str]) -> str:
        right, percent, in_all, *decides = figures
        told = [f"right on {right} ({percent}; in all {in_all})"] if right != "–" else []
        return ", ".join([*told, *(f"decides {n}" for n in decides)])

    def judged_votes(self, k: int) -> Mapping[int, list[str]]:
        return self.votes(k)

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
        training = self.committee.training
        if training.options.get("aim") == "sets":
            hamming = math.nan if training.hamming is None else training.hamming
            return "training Hamming loss", fixed(hamming, 4)
        return "training ranking loss", fixed(training.error, 4)

    @property
    def training_line(self) -> str:
        training = self.committee.training
        told = [counted(training.examples, "training example")]
        losses = {"Hamming loss": training.hamming, "ranking loss": training.error}
        told += [f"training {n} {fixed(x, 4)}" for n, x in losses.items() if x is not None]
        text = ", ".join(told)
        if training.ties is not None:
            text += f"; ties decide the labels of {percent(training.ties)}"
        return f"{text}{self.training_more}"

    def notes(self) -> list[str]:
        committee, order = self.committee, self.committee.tie_order
        always, never, of_votes = self._votes_needed()
        if not committee.rules:
            return [f"There is no rule: every row gets {self._few(always) or 'no label'}."]
        how = "Of the rules that hold, each + adds a vote to its labels and each - takes one away"
        if committee.odds is None:
            ranked = self._few(order)
            how += f"; the sums rank the labels, and labels that tie rank in the order {ranked}"
        if of_votes:
            usual, *others = of_votes
            how += f". A row gets a label if its votes add up to {usual} or more"
            told = [f"{self._few(of_votes[n])} if they add up to {n} or more" for n in others]
            how += "".join(f", {text}" for text in told)
        for when, labels in (("always", always), ("never", never)):
            if labels:
                how += f". {'It' if of_votes else 'A row'} {when} gets {self._few(labels)}"
        how += f". {missing_told(committee)}"
        behind = (
            "After a label: how often the vote is right on the training rows that the rule "
            "covers, and in brackets on all training rows. Covers: training rows."
        )
        texts = [behind]
        if self.knows_decides:
            texts.append("Decides: training rows that would get other labels without the rule.")
        if any(
            right_of_vote(committee, k, j, vote).contradicts
            for k, rule in enumerate(committee.rules)
            for j, vote in enumerate(rule.votes)
            if vote
        ):
            texts.append(_CONTRADICTS)
        return [how, " ".join(texts)]

    def _votes_needed(self) -> tuple[list[int], list[int], dict[int, list[int]]]:
        """Return the labels that every row gets, those that none gets, the others by votes needed.

        The most frequent labels first, and the votes that most of them need.
        """
        committee, needed = self.committee, self.committee.label_scores.least_votes()
        always, never, of_votes = [], [], dict[int, list[int]]()
        for j in committee.tie_order:
            votes = [rule.votes[j] for rule in committee.rules]
            if needed[j] <= sum(vote for vote in votes if vote < 0):
                always.append(j)
            elif needed[j] > sum(vote for vote in votes if vote > 0):
                never.append(j)
            else:
                of_votes.setdefault(needed[j], []).append(j)
        most_first = sorted(of_votes.items(), key=lambda item: (-len(item[1]), -item[0]))
        return always, never, dict(most_first)

    @property
    def own_heads(self) -> list[str]:
        return ["covers"]

    def own_figures(self, k: int) -> list[str]:
        return [number(self.committee.rules[k].covered)]

    def in_words(self, figures: Sequence[str]) -> str:
        heads = zip(self.figure_heads, figures, strict=True)
        return ", ".join(f"{head} {figure}" for head, figure in heads)

    def votes(self, k: int) -> Mapping[int, list[str]]:
        return {
            vote: first_of([self.labels[j] for j in labels], self.most)
            for vote, labels in self._voted(k).items()
        }

    def judged_votes(self, k: int) -> Mapping[int, list[str]]:
        return {
            vote: first_of([self._judged(k, j, vote) for j in labels], self.most)
            for vote, labels in self._voted(k).items()
        }

    def _few(self, labels: Sequence[int]) -> str:
        return ", ".join(first_of([self.labels[j] for j in labels], self.most))

    def _voted(self, k: int) -> Mapping[int, list[int]]:
        rule = self.committee.rules[k]
        weights = {1: rule.covers, -1: self.committee.training.weights}
        return {vote: _voted(rule.votes, vote, weight) for vote, weight in weights.items()}

    def _judged(self, k: int, j: int, vote: int) -> str:
        _, percent, in_all = right_of_vote(self.committee, k, j, vote).figures
        return f"{self.labels[j]} {percent} ({in_all})"

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


_KINDS: Mapping[str, type[Kind]] = {"single": _Classes, "multi": _LabelSets}


def kind_of(
    committee: DecisionCommittee, most: int = LABELS_SHOWN, layout: Layout = "class"
) -> Kind:
    """Return how a committee is told, of label sets with so many labels at a time."""
    return _KINDS[committee.schema.labels.kind](committee, most, layout)
