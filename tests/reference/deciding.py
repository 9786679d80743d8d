"""Decisions of the plain reference: votes, default vector, probabilities (3, I9 to I11)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from .literals import Monomial, satisfies
from .problem import Row, Sample, class_weights, distribution, least_ones

STEPS = 200
PRIOR_EXAMPLES = 10


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


def state(default: Sequence[float], prior: Sequence[float]) -> list[float]:
    """Return s_j = D_j + 1e-6 p_j, which ranks the classes tied for the top (I9)."""
    return [d + 1e-6 * p for d, p in zip(default, prior, strict=True)]


def decide(votes: Sequence[int], default: Sequence[float], prior: Sequence[float]) -> int:
    """Return the class: of the top ones the one of largest s_j, the first declared if equal."""
    s = state(default, prior)
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
    votes: Sequence[int],
    factor: float,
    frequencies: Sequence[float],
    tie_shares: Sequence[float],
) -> list[float]:
    """Return shares of one factor a vote less, and a frequency; tied top classes share (I11)."""
    shares = []
    for vote, frequency in zip(votes, frequencies, strict=True):
        share = 1.0
        for _ in range(max(votes) - vote):
            share *= factor
        if vote < max(votes):
            share *= frequency
        shares.append(share)
    total = 0.0
    for share in shares:
        total += share
    top = top_classes(votes)
    if len(top) > 1:
        of_top = 0.0
        for j in top:
            of_top += tie_shares[j]
        for j in top:
            shares[j] = len(top) * tie_shares[j] / of_top
    return [share / total for share in shares]


def frequencies(sample: Sample) -> list[float]:
    """Return the weight of each class and one more, over the largest of these."""
    weights = [weight + 1 for weight in class_weights(sample, [True] * len(sample.rows))]
    return [float(weight / max(weights)) for weight in weights]


def tie_shares(sample: Sample, rules: Sequence[Rule], standings: Sequence[float]) -> list[float]:
    """Return the shares of tied classes: examples that tie, and ten of the class distribution.

    They are given out in the order in which ties are won; where standings differ shares do.
    """
    n_classes = sample.n_classes
    ambiguous = [len(top_classes(vote_sums(rules, row, n_classes))) > 1 for row in sample.rows]
    weights = class_weights(sample, [True] * len(sample.rows))
    of_tied = class_weights(sample, ambiguous)
    total = sum(weights) + n_classes
    exact = [
        tied + PRIOR_EXAMPLES * (weight + 1) / total
        for tied, weight in zip(of_tied, weights, strict=True)
    ]
    largest_first = [float(x / sum(exact)) for x in sorted(exact, reverse=True)]
    winners = sorted(range(n_classes), key=lambda j: (-standings[j], j))
    shares = [0.0] * n_classes
    for k, j in enumerate(winners):
        shares[j] = largest_first[k]
        if k > 0:
            before = winners[k - 1]
            most = shares[before] * (1 if standings[j] == standings[before] else 1 - 2.0**-20)
            shares[j] = min(shares[j], most)
    return shares


def price(sample: Sample, rules: Sequence[Rule], penalty: float) -> float:
    """Return what rules cost in bits: their literals, and votes other than the most frequent."""
    present = [
        j for j, weight in enumerate(class_weights(sample, [True] * len(sample.rows))) if weight
    ]
    bits = 0.0
    for rule in rules:
        bits += len(rule.monomial) * penalty
        votes = [rule.votes[j] for j in present]
        base = max((0, -1, 1), key=votes.count)
        bits += sum(vote != base for vote in votes) * math.log2(max(len(present) - 1, 1))
    return bits


def share_hidden(sample: Sample, right: Fraction, bits: float) -> float:
    """Return the share of the right that count as wrong: 3/5 of what so many bits correct."""
    total = sum(class_weights(sample, [True] * len(sample.rows)))
    present = sum(weight > 0 for weight in class_weights(sample, [True] * len(sample.rows)))
    hidden = 0.0
    for _ in range(20):
        share = min((float(total - right) + 1 + hidden) / float(total), 0.5)
        of_error = max(math.log2((1 - share) / share), 0.2)
        hidden = bits / (of_error + math.log2(max(present - 1, 1)))
    return min(0.6 * hidden / float(right), 0.5) if right else 0.0


def losses_of_factors(
    sample: Sample,
    rules: Sequence[Rule],
    standings: Sequence[float],
    of_classes: Sequence[float],
    shares: Sequence[float],
    bits: float,
) -> list[float]:
    """Return the log loss of the factors 1/200, 2/200, ..., hidden errors counted."""
    unit = sample.total / sum(sample.counts)
    examples = []
    right = Fraction(0)
    for row, labels, count in zip(sample.rows, sample.label_sets, sample.counts, strict=True):
        votes = vote_sums(rules, row, sample.n_classes)
        (label,) = labels
        decided = max(top_classes(votes), key=lambda j: (standings[j], -j))
        examples.append((votes, label, decided, count * unit))
        if label == decided:
            right += count * unit
    hidden = share_hidden(sample, right, bits)
    losses = []
    for step in range(1, STEPS):
        terms = []
        for votes, label, decided, weight in examples:
            p = probabilities(votes, step / STEPS, of_classes, shares)
            if label == decided:
                others = math.fsum(p[:decided] + p[decided + 1 :])
                terms.append(-float(weight) * (1 - hidden) * math.log(p[label]))
                terms.append(-float(weight) * hidden * math.log(max(others, 1e-300)))
            else:
                terms.append(-float(weight) * math.log(p[label]))
        losses.append(math.fsum(terms))
    return losses


def calibration(
    sample: Sample, rules: Sequence[Rule], default: Sequence[float], penalty: float
) -> tuple[float, list[float], list[float]]:
    """Return the factor of least loss, the frequencies, and the shares of tied classes (I11)."""
    standings = state(default, sample.prior)
    of_classes, shares = frequencies(sample), tie_shares(sample, rules, standings)
    bits = price(sample, rules, penalty)
    losses = losses_of_factors(sample, rules, standings, of_classes, shares, bits)
    return (1 + least_ones(losses)[0]) / STEPS, of_classes, shares


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
