"""Rules inside out: of two committees that decide the same, the one whose rules cover less.

``year != 65: survived`` covers nine rows of ten, and what it says is ``year = 65: died``.  A rule
of one literal can be *turned*: it gets the negation of its literal, and the opposite votes.  Every
example then has as many votes less of each class as the rule has; decisions can stay the same
because ties come about elsewhere, and go by a new default vector.

That is asked whatever other rules hold, so that all rows are decided as before, but for new ones in
which the value is missing: neither literal holds for these, and ties decide in their new order.  No
value may be missing in training.  Label sets, whose size follows from the votes themselves, stay as
they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.search.budget import MOST_SUMS
from widc_arff.induction.search.state import SearchedRule
from widc_arff.model.decision import default_vector, distribution, tie_scores
from widc_arff.tolerance import is_lower

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Bools, Integers
    from widc_arff.induction.constraints import Constraints
    from widc_arff.induction.preparing import Problem
    from widc_arff.induction.search.objective import Objective


MIXING = 0x9E3779B97F4A7C15 - (1 << 64)
"""Sums of small multiples of its powers, by 2**64, hardly ever meet."""


def turned(
    rules: Sequence[SearchedRule], problem: Problem, constraints: Constraints, objective: Objective
) -> list[SearchedRule]:
    """Return rules that decide the same, those of one literal turned that cover less then.

    The widest first, as long as there is one; J does not rise, and what is demanded of rules holds.
    """
    found = list(rules)
    alone = [k for k, rule in enumerate(found) if len(rule.monomial) == 1]
    alone.sort(key=lambda k: -problem.examples.weights_in(found[k].monomial, [])[1])
    k, ranks = 0, None
    while k < len(alone):
        place = alone[k]
        others = [*found[:place], *found[place + 1 :]]
        k += 1
        if _may_turn(found[place], others, problem, constraints, objective):
            if ranks is None:
                ranks = ranks_of_ties(found, problem)
            other = _turned(found[place], others, problem, ranks)
            if other is not None:
                found[place], k, ranks = other, 0, None
    return found


def _may_turn(
    rule: SearchedRule,
    others: list[SearchedRule],
    problem: Problem,
    constraints: Constraints,
    objective: Objective,
) -> bool:
    """Tell whether a rule of one literal turned may be, covers less and costs no more."""
    other, total = _opposite(rule, problem), problem.weighed.total
    covered = problem.examples.weights_in(rule.monomial, [])[1]
    taken = constraints.known | {frozenset(one.monomial) for one in others}
    if 2 * covered <= total or frozenset(other.monomial) in taken:
        return False
    if covered + problem.examples.weights_in(other.monomial, [])[1] != total:
        return False
    if constraints.barred(())[other.monomial[0]] or not constraints.allows(*other):
        return False
    prices = [objective.of_rule(*rule), objective.of_rule(*other)]
    if objective.of_contradiction:
        every = list(range(len(rule.vector)))
        for k, one in enumerate((rule, other)):
            weights, _ = problem.examples.weights_in(one.monomial, every)
            prices[k] += objective.cover_bits(one.vector, weights)
    return not is_lower(prices[0], prices[1])


def _turned(
    rule: SearchedRule, others: list[SearchedRule], problem: Problem, before: Integers
) -> SearchedRule | None:
    """Return a rule of one literal turned, if all rows are decided the same then.

    `before` is how ties are won with the rule as it is.
    """
    other, vector = _opposite(rule, problem), rule.vector
    given = problem.given.vectors[:, problem.weighed.present]
    voted = np.array([one.vector for one in others], np.int64).reshape(-1, len(vector))
    voted = np.concatenate([voted, given])
    wins_ties = ((vector[:, None] > vector) & (before[:, None] > before)).any()
    if wins_ties and sums_of_any(voted) is None:  # then pairs do not compare the same
        return None
    same = decide_the_same(vector, before, ranks_of_ties([other, *others], problem), voted)
    return other if same else None


def _opposite(rule: SearchedRule, problem: Problem) -> SearchedRule:
    (literal,), vector = rule
    return SearchedRule((int(problem.catalogue.negation[literal]),), -vector)


def decide_the_same(
    vector: Integers,
    before: Integers,
    after: Integers,
    others: Integers,
    most_sums: int = MOST_SUMS,
) -> bool:
    """Tell whether all rows are decided the same with all votes less by those of a vector.

    Parameters
    ----------
    vector : ndarray of int64 of shape (n_classes,)
    before, after : ndarray of int64 of shape (n_classes,)
        Ranks in which ties are won, the largest first: as votes are, and with those less.
    others : ndarray of int64 of shape (n_others, n_classes)
        Votes of other rules, any of which may hold.
    most_sums : int
        As in `sums_of_any`.

    Notes
    -----
    All sums of the others' votes are tried; of more than `most_sums`, all pairs of classes must
    compare the same.
    """
    sums = sums_of_any(others, most_sums)
    if sums is None:
        return _pairs_compare_the_same(vector, before, after, others)
    n_classes = len(vector)
    return all(
        (
            ((sums + holds * vector) * n_classes + before).argmax(axis=1)
            == ((sums + (holds - 1) * vector) * n_classes + after).argmax(axis=1)
        ).all()
        for holds in (0, 1)
    )


def sums_of_any(others: Integers, most_sums: int = MOST_SUMS) -> Integers | None:
    """Return all sums of some of the votes, shape (n_sums, n_classes), those of the first class 0.

    None if there are more than `most_sums`.
    """
    mixed = others - others[:, :1]
    # sums that differ once they are mixed to a number differ: these are fast to count
    numbers = np.zeros(1, np.int64)
    for number in mixed @ np.cumprod(np.full(others.shape[1], MIXING)):
        numbers = np.unique(np.concatenate([numbers, numbers + number]))
        if len(numbers) > most_sums:
            return None
    sums = np.zeros((1, others.shape[1]), np.int64)
    for votes in others:
        sums = np.unique(np.concatenate([sums, sums + votes - votes[0]]), axis=0)
        if len(sums) > most_sums:
            return None
    return sums


def _pairs_compare_the_same(
    vector: Integers, before: Integers, after: Integers, others: Integers
) -> bool:
    """Tell whether of all two classes the same one has more votes or wins ties.

    Of two that the vector parts by one vote, the one it is for must lose ties before and win them
    after; by two votes also, and the others must not part them by one.
    """
    parted = vector[:, None] - vector
    wins_before, wins_after = (np.sign(ranks[:, None] - ranks) for ranks in (before, after))
    for_it = np.sign(parted)
    same = np.where(for_it == 0, wins_before == wins_after, wins_after == for_it)
    same &= (for_it == 0) | (wins_before == -for_it)
    odd = ((others[:, :, None] - others[:, None]) % 2 != 0).any(axis=0)
    return bool((same & ~(odd & (np.abs(parted) == 2))).all())


def ranks_of_ties(rules: Sequence[SearchedRule], problem: Problem) -> Integers:
    """Return how a committee decides ties: the class of the largest rank wins."""
    present = problem.weighed.present
    patterns = problem.patterns([rule.monomial for rule in rules])
    votes = patterns.votes(vectors_of_declared(rules, present))
    default = default_vector(patterns.ambiguous(votes), patterns.prior)
    scores = tie_scores(default, distribution(problem.in_data.class_weights))[present]
    ranks = np.empty(len(scores), np.int64)
    ranks[np.argsort(-scores, kind="stable")] = np.arange(len(scores))[::-1]
    return ranks


def vectors_of_declared(rules: Sequence[SearchedRule], present: Bools) -> Integers:
    """Return the votes of rules for all labels; one that does not occur gets the least vote (I7).

    Shape (n_rules, n_declared).
    """
    vectors = np.empty((len(rules), len(present)), np.int64)
    for vector, rule in zip(vectors, rules, strict=True):
        vector[:] = rule.vector.min()
        vector[present] = rule.vector
    return vectors
