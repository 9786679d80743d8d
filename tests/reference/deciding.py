"""Decisions of the plain reference: votes, default vector, probabilities (3, I9 to I11)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from .literals import Monomial, satisfies
from .problem import Row, Sample, class_weights, distribution

EXP_MINUS_ONE = 0.36787944117144233


@dataclass(frozen=True)
class Rule:
    """A monomial, its vector, and the weight by class of the examples that satisfy it."""

    monomial: Monomial
    votes: tuple[int, ...]
    covers: list[float]


def vote_sums(rules: Sequence[Rule], row: Row, n_classes: int) -> list[int]:
    """Return V, the sum of the vectors of the rules that fire (3)."""
    sums = [0] * n_classes
    for rule in rules:
        if satisfies(row, rule.monomial):
            for j in range(n_classes):
                sums[j] += rule.votes[j]
    return sums


def top_classes(votes: Sequence[int]) -> list[int]:
    """Return argmax V, all of it."""
    return [j for j in range(len(votes)) if votes[j] == max(votes)]


def standing(default: Sequence[float], prior: Sequence[float]) -> list[float]:
    """Return s_j = D_j + 1e-6 p_j, which ranks the classes tied for the top (I9)."""
    return [d + 1e-6 * p for d, p in zip(default, prior, strict=True)]


def decide(votes: Sequence[int], default: Sequence[float], prior: Sequence[float]) -> int:
    """Return the class: of the top ones the one of largest s_j, the first declared if equal."""
    s = standing(default, prior)
    decided = top_classes(votes)[0]
    for j in top_classes(votes):
        if s[j] > s[decided]:
            decided = j
    return decided


def default_vector(sample: Sample, rules: Sequence[Rule]) -> list[float]:
    """Return the class distribution of the examples with several top classes; none: p (I10)."""
    ambiguous = [
        len(top_classes(vote_sums(rules, row, sample.n_classes))) > 1 for row in sample.rows
    ]
    sums = class_weights(sample, ambiguous)
    return distribution(sums) if any(sums) else sample.prior


def probabilities(
    votes: Sequence[int], default: Sequence[float], prior: Sequence[float]
) -> list[float]:
    """Return shares proportional to exp(V_j); tied top classes share theirs like s_j (I11)."""
    shares = []
    for vote in votes:
        share = 1.0
        for _ in range(max(votes) - vote):
            share *= EXP_MINUS_ONE
        shares.append(share)
    total = 0.0
    for share in shares:
        total += share
    top = top_classes(votes)
    if len(top) > 1:
        s = standing(default, prior)
        s_top = 0.0
        for j in top:
            s_top += s[j]
        for j in top:
            shares[j] = len(top) * s[j] / s_top
    return [share / total for share in shares]


def error_on(
    sample: Sample, rules: Sequence[Rule], default: Sequence[float], members: Sequence[bool]
) -> Fraction:
    """Return the error on the members: weight of the wrong over weight, in [0, 1]."""
    wrong = total = 0
    for row, labels, count, is_member in zip(
        sample.rows, sample.label_sets, sample.counts, members, strict=True
    ):
        if is_member:
            total += count
            votes = vote_sums(rules, row, sample.n_classes)
            if decide(votes, default, sample.prior) not in labels:
                wrong += count
    return Fraction(wrong, total)


def training_error(sample: Sample, rules: Sequence[Rule]) -> float:
    """Return E, the error on all examples with the default vector of these rules."""
    everyone = [True] * len(sample.rows)
    return float(error_on(sample, rules, default_vector(sample, rules), everyone))
