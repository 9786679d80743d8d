"""A committee class by class: who votes for and against each, in the order in which ties are won.

That order is all that the default vector does to a decision.  Classes without a training example
are left out: each rule gives them its least vote, so that they never win.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from widc_arff.reports.layout import WIDTH, right, signed, width_of, wrap, wrap_words
from widc_arff.reports.wording import conditions, listed, number, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from widc_arff.committee import DecisionCommittee

Layout: TypeAlias = Literal["class", "rule"]

FEWEST_CLASSES = 4
"""From so many classes on a committee reads better class by class."""
_LEAST_ROOM = 30
"""Columns for conditions, however wide the numbers."""


class Share(NamedTuple):
    """What a rule says of a class.

    Parameters
    ----------
    points : int
        From -2 to 2, not 0.
    rule : int
        Index of the rule.
    own : float
        Weight of the class among the training examples that the rule covers.
    covered : float
        Weight of all of these.
    """

    points: int
    rule: int
    own: float
    covered: float

    @property
    def in_words(self) -> str:
        """The weights, as in ``13 of 21``."""
        return f"{number(self.own)} of {number(self.covered)}"


class ClassPart(NamedTuple):
    """A class with the rules that give it points: those for it first, then those against it."""

    label: int
    name: str
    examples: float
    shares: list[Share]


def layout_for(committee: DecisionCommittee, asked: Layout | None) -> Layout:
    """Return the layout that is asked for, or else the one that suits the number of classes."""
    return asked or ("class" if len(committee.tie_order) >= FEWEST_CLASSES else "rule")


def class_parts(committee: DecisionCommittee) -> list[ClassPart]:
    """Return the classes that occur in training, in the order in which ties are won."""
    labels, weights = committee.schema.labels.values, committee.training.weights
    parts = []
    for j in committee.tie_order:
        shares = [
            Share(points[j], k, rule.covers[j], rule.covered)
            for k, (points, rule) in enumerate(zip(committee.points, committee.rules, strict=True))
            if points[j]
        ]
        shares.sort(key=lambda share: -share.points)
        parts.append(ClassPart(j, shown(labels[j]), weights[j], shares))
    return parts


def class_lines(committee: DecisionCommittee) -> Iterator[str]:
    """Yield the lines of a text: each class, its examples, and its rules."""
    parts = class_parts(committee)
    numbers = len(str(len(committee.rules)))
    wide = max((len(share.in_words) for part in parts for share in part.shares), default=0)
    for part in parts:
        yield from _with_end(wrap_words(part.name.split(" "), WIDTH, " "), number(part.examples))
        if not part.shares:
            yield "  no rule"
        for share in part.shares:
            head = f"  {signed(share.points)}  {share.rule + 1:>{numbers}}  "
            room = max(WIDTH - len(head) - 2 - wide, _LEAST_ROOM)
            text = wrap(conditions(committee.rules[share.rule].monomial, committee.schema), room)
            first = _with_end([head + text[0]], share.in_words)
            yield from first
            yield from (" " * (len(head) + 2) + line for line in text[1:])


def _with_end(lines: list[str], end: str) -> list[str]:
    """Return lines with a text at the right of the last one, or below it."""
    *before, last = lines
    if width_of(last) + 2 + len(end) > WIDTH:
        return [*lines, right(end, WIDTH)]
    return [*before, last + right(end, WIDTH - width_of(last))]


def how_it_decides(committee: DecisionCommittee) -> str:
    """Return in words what the points and the order of the classes do."""
    labels = [shown(label) for label in committee.schema.labels.values]
    ties = f"of equal ones the one that stands first, so {labels[committee.tie_order[0]]}"
    absent = [label for label, n in zip(labels, committee.training.weights, strict=True) if not n]
    texts = [
        "The points of the rules that hold are added.",
        f"The class with most points wins, {ties} where no rule holds.",
    ]
    if committee.rules:
        texts.append("3 of 20: of the 20 training examples that a rule covers, 3 have the class.")
    if any(sum(map(bool, points)) > 1 for points in committee.points):
        texts.append("A rule that stands under several classes has the same number there.")
    if absent:
        texts.append(f"Never decided, for want of a training example: {listed(absent)}.")
    return " ".join(texts)
