"""The parameters of the estimator.

Written by ``pytest tests/estimator/test_parameters.py --update-golden`` from
`widc_arff.options`; to change a parameter, change it there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sklearn.base import BaseEstimator

if TYPE_CHECKING:
    from collections.abc import Sequence


class Parameters(BaseEstimator):  # type: ignore[misc]  # sklearn is untyped
    """Keeps the parameters as they are given, which is what scikit-learn wants."""

    def __init__(  # noqa: PLR0913 - scikit-learn wants every parameter by name
        self,
        *,
        pruning: str = "refined",
        penalty: float | str = 3.0,
        votes: str = "sparse",
        vote_penalty: float | None = None,
        impurity_penalty: float = 0.0,
        cut_points: Any = "mdl+",  # noqa: ANN401 - a table or texts
        max_rules: int | None = None,
        max_literals: int | None = None,
        max_size: int | None = None,
        delta: float = 0.05,
        min_coverage: float | str | None = None,
        negation: bool = True,
        literals: Sequence[str] | None = None,
        ordered: Sequence[str] = (),
        class_weight: Any = None,  # noqa: ANN401 - a table or texts
        costs: Any = None,  # noqa: ANN401 - a table or texts
        monotone: Sequence[str] = (),
        rules: Any = (),  # noqa: ANN401 - a table or texts
        vectors: str = "exact",
        aim: str = "sets",
        sets: str = "hamming",
        unknown: str = "error",
        warm_start: bool = False,
    ) -> None:
        self.pruning = pruning
        self.penalty = penalty
        self.votes = votes
        self.vote_penalty = vote_penalty
        self.impurity_penalty = impurity_penalty
        self.cut_points = cut_points
        self.max_rules = max_rules
        self.max_literals = max_literals
        self.max_size = max_size
        self.delta = delta
        self.min_coverage = min_coverage
        self.negation = negation
        self.literals = literals
        self.ordered = ordered
        self.class_weight = class_weight
        self.costs = costs
        self.monotone = monotone
        self.rules = rules
        self.vectors = vectors
        self.aim = aim
        self.sets = sets
        self.unknown = unknown
        self.warm_start = warm_start
