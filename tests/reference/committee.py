"""The plain reference put together: problem to committee, by loops (DESIGN.md, section 2)."""

from collections.abc import Sequence
from dataclasses import dataclass

from .deciding import (
    Rule,
    calibration,
    decide,
    default_vector,
    probabilities,
    training_error,
    vote_sums,
)
from .growing import grow, partition_z
from .literals import (
    Literal,
    Monomial,
    always,
    cut_points,
    literals,
    n_boolean_variables,
    negation,
    satisfies,
)
from .problem import (
    Problem,
    Row,
    Sample,
    class_distribution,
    class_weights,
    counting_examples,
    present_classes,
    random_label_sets,
    random_problem,
)
from .pruning import most_satisfied_literals, prune_optimistic, prune_pessimistic
from .vectors import best_ordered_vector, best_vector, vector_z

__all__ = [
    "Committee",
    "Literal",
    "Monomial",
    "Problem",
    "Rule",
    "Sample",
    "best_ordered_vector",
    "best_vector",
    "calibration",
    "class_distribution",
    "counting_examples",
    "cut_points",
    "decide",
    "default_vector",
    "grow",
    "induce",
    "literals",
    "most_satisfied_literals",
    "n_boolean_variables",
    "negation",
    "partition_z",
    "present_classes",
    "probabilities",
    "prune_optimistic",
    "prune_pessimistic",
    "random_label_sets",
    "random_problem",
    "rules_of",
    "satisfies",
    "training_error",
    "vector_z",
    "vote_sums",
]


@dataclass(frozen=True)
class Committee:
    """Rules, default vector D, class distribution p, and the training error in [0, 1].

    Beside them what makes probabilities of votes: the factor of each vote less, frequencies
    of the classes, shares of ties.
    """

    rules: list[Rule]
    default: list[float]
    prior: list[float]
    error: float
    factor: float
    frequencies: list[float]
    tie_shares: list[float]

    def predict(self, row: Row) -> int:
        """Return the class of a row."""
        return decide(vote_sums(self.rules, row, len(self.prior)), self.default, self.prior)

    def predict_proba(self, row: Row) -> list[float]:
        """Return the probabilities of the classes for a row."""
        votes = vote_sums(self.rules, row, len(self.prior))
        return probabilities(votes, self.factor, self.frequencies, self.tie_shares)


def rules_of(sample: Sample, monomials: Sequence[Monomial]) -> list[Rule]:
    """Give each monomial its vector and its cover (5.2)."""
    present = present_classes(sample)
    rules = []
    for monomial in monomials:
        covered = [satisfies(row, monomial) for row in sample.rows]
        weights = class_weights(sample, covered)
        votes = best_vector(weights, present)
        rules.append(Rule(monomial, votes, [float(weight) for weight in weights]))
    return rules


def induce(  # noqa: PLR0913 - each stage has its option
    problem: Problem,
    *,
    pruning: str = "pessimistic",
    method: str = "mdl+",
    delta: float = 0.05,
    max_literals: int | None = None,
    max_rules: int | None = None,
    min_coverage: float = 0.0,
    negation: bool = True,
    penalty: float = 3.0,
) -> Committee:
    """Learn a committee: grow monomials, give them vectors, prune (5).

    Parameters
    ----------
    pruning : {"pessimistic", "optimistic", "none"}
    method : the cut points of numeric attributes
    delta : the confidence of optimistic pruning
    max_literals, max_rules : limits while growing
    min_coverage : the least weight that a rule covers, as a share of all
    negation : whether there are literals with !=
    penalty : bits that a literal costs, for the probabilities
    """
    sample = counting_examples(problem)
    catalogue = [x for x in literals(sample, method) if negation or x.op != "!="]

    def admissible(monomial: Monomial) -> bool:
        rows = zip(sample.rows, sample.counts, strict=True)
        covered = sum(count for row, count in rows if satisfies(row, monomial))
        return covered >= min_coverage * sum(sample.counts) * (1 - 1e-9)

    monomials = grow(
        sample,
        catalogue,
        max_literals=max_literals,
        max_rules=max_rules,
        admissible=admissible if min_coverage > 0 else always,
    )
    rules = rules_of(sample, monomials)
    if pruning == "pessimistic":
        rules = prune_pessimistic(sample, rules)
    elif pruning == "optimistic":
        n_variables = n_boolean_variables(catalogue, sample.attributes)
        rules = prune_optimistic(sample, rules, n_variables, delta)
    elif pruning != "none":
        raise ValueError(f"unknown pruning {pruning!r}")
    default = default_vector(sample, rules)
    factor, frequencies, shares = calibration(sample, rules, default, penalty)
    return Committee(
        rules=rules,
        default=default,
        prior=class_distribution(sample),
        error=training_error(sample, rules),
        factor=factor,
        frequencies=frequencies,
        tie_shares=shares,
    )
