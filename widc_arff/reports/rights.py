"""How often votes are right on the training rows that their rules cover: one number everywhere.

A vote for a class is right on the rows of the class, a vote against it on all others.  What it is
compared with is how often it would be right on all training rows.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from widc_arff.reports.formatting import number

if TYPE_CHECKING:
    from collections.abc import Collection

    from widc_arff.model.committee import DecisionCommittee

_NOT_LESS = 1 - 1e-9
"""Shares that rounding alone parts are equal."""


class Part(NamedTuple):
    """A part of some training rows, both as weights."""

    weight: float
    whole: float

    @property
    def in_words(self) -> str:
        """As in ``13 of 21``."""
        return f"{number(self.weight)} of {number(self.whole)}"

    @property
    def percent(self) -> str:
        """As in ``62 %``; with a decimal where 0 % and 100 % would not be true."""
        if not self.whole:
            return "–"
        share = 100 * self.weight / self.whole
        if not math.isfinite(share):
            return "?"
        whole = round(share) in (0, 100) and 0 < self.weight < self.whole
        return f"{min(max(share, 0.1), 99.9):.1f} %" if whole else f"{share:.0f} %"


class Right(NamedTuple):
    """How often a vote is right.

    Parameters
    ----------
    covered : Part
        Where the rule holds.
    in_all : Part
        On all training rows.
    """

    covered: Part
    in_all: Part

    @property
    def contradicts(self) -> bool:
        """Whether the vote is right less often where the rule holds than on all rows."""
        ours, all_rows = self.covered, self.in_all
        return ours.weight * all_rows.whole < ours.whole * all_rows.weight * _NOT_LESS

    @property
    def figures(self) -> list[str]:
        """As in ``13 of 21``, ``62 %`` and ``33 %``; a vote that contradicts its rows is marked."""
        percent = f"{self.covered.percent}{' !' if self.contradicts else ''}"
        return [self.covered.in_words, percent, self.in_all.percent]


def right_of_vote(committee: DecisionCommittee, k: int, j: int, points: int) -> Right:
    """Return how often a rule's vote for a class or label is right, or that against it."""
    rule, training = committee.rules[k], committee.training
    covered = Part(rule.covers[j], rule.covered)
    in_all = Part(training.weights[j], committee.training_weight)
    if points > 0:
        return Right(covered, in_all)
    return Right(*(Part(part.whole - part.weight, part.whole) for part in (covered, in_all)))


def right_of_rule(committee: DecisionCommittee, k: int) -> Right | None:
    """Return how often the class of a row is one to which the rule gives its most points.

    None where all classes get the same.
    """
    rule, weights = committee.rules[k], committee.training.weights
    order = committee.tie_order
    votes = [rule.votes[j] for j in order]
    if len(set(votes)) <= 1:
        return None
    largest = max(votes)
    most: Collection[int] = [j for j, vote in zip(order, votes, strict=True) if vote == largest]
    return Right(
        Part(sum(rule.covers[j] for j in most), rule.covered),
        Part(sum(weights[j] for j in most), sum(weights)),
    )
