"""Random problems of the search, coded for it and as tasks of the plain loops."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from tests.reference import committee as reference
from tests.reference import searching as plain
from tests.reference.bridge import coded, dataset_of
from widc_arff.induction.constraints import Constraints
from widc_arff.induction.constraints.evidence import Evidence
from widc_arff.induction.constraints.vector_search import VectorSearch
from widc_arff.induction.sample.learning_sample import LearningSample
from widc_arff.induction.search.deciding import state_of
from widc_arff.induction.search.objective import Objective
from widc_arff.induction.search.searching import rows_of_classes, rows_of_label_sets, rows_of_sets
from widc_arff.induction.search.state import SearchedRule
from widc_arff.options import Options

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.reference.problem import LabelSet, Problem
    from widc_arff.induction.constraints.limits import Limits
    from widc_arff.induction.sample.coding import Catalogue, CodedSample
    from widc_arff.induction.search.rows import Rows
    from widc_arff.induction.search.state import SearchState

KINDS = ("classes", "sets")
"""Examples of one class, and label sets that are ranked."""
WITH_LINE = "sets with a line"
"""Label sets of which each label is right or wrong."""


@dataclass
class Case:
    """A problem of classes or label sets, for the search and for the plain loops.

    Parameters
    ----------
    codes : CodedSample
        All examples.
    Y : ndarray of bool of shape (n_samples, n_labels) or None
        Label sets.
    """

    task: plain.Task
    codes: CodedSample
    Y: np.ndarray | None
    known: list[tuple[int, ...]]
    rng: random.Random
    rows: Rows = field(init=False)
    objective: Objective = field(init=False)
    state: SearchState = field(init=False)

    def __post_init__(self) -> None:
        rows = self.rows_of(self.codes, self.Y)
        assert rows is not None
        task = self.task
        options = Options(
            penalty=task.penalty,
            votes=task.votes,
            vote_penalty=task.vote_penalty,
            impurity_penalty=task.impurity_penalty,
        )
        self.rows, self.objective = rows, Objective.of(rows, options)
        self.state = state_of(rows, self.objective)

    @property
    def costs(self) -> np.ndarray | None:
        """What errors cost."""
        return None if self.task.costs is None else np.array(self.task.costs)

    def rows_of(self, codes: CodedSample, Y: np.ndarray | None) -> Rows | None:
        """Return the distinct rows of some examples."""
        if self.task.with_line:
            assert Y is not None
            return rows_of_sets(codes, Y)
        return rows_of_classes(codes, self.costs) if Y is None else rows_of_label_sets(codes, Y)

    def constraints(self, limits: Limits | None = None, *, evidence: bool = False) -> Constraints:
        """Return the demands on rules, agreement with what the rows show among them if wanted."""
        known = frozenset(frozenset(monomial) for monomial in self.known)
        return Constraints(
            len(self.task.catalogue),
            limits,
            VectorSearch(self.costs),
            known=known,
            most_exceptions=1 if self.task.votes == "one" else None,
            evidence=[Evidence(self.rows.weights_of, self.task.n_labels)] if evidence else (),
            with_line=self.task.with_line,
        )

    @property
    def rules(self) -> list[plain.VotingRule]:
        """The committee that stands, in the reference's terms."""
        return self.as_plain(self.state.rules)

    def as_plain(self, rules: Iterable[SearchedRule]) -> list[plain.VotingRule]:
        """Return rules of the search in the reference's terms."""
        return [
            plain.VotingRule(
                tuple(self.task.catalogue[i] for i in monomial), tuple(vector.tolist())
            )
            for monomial, vector in rules
        ]

    def restart(self, n_rules: int) -> None:
        """Let the committee be of random rules, at most so many."""
        self.state.restart(self.random_rules(n_rules))

    def random_rules(self, n_rules: int) -> list[SearchedRule]:
        """Draw rules of different monomials that cover something and say something."""
        rules: dict[frozenset[int], SearchedRule] = {}
        for _ in range(n_rules):
            n_literals = len(self.task.catalogue)
            size = min(self.rng.randint(1, 3), n_literals)
            monomial = tuple(self.rng.sample(range(n_literals), size))
            vector = np.array(self.random_votes())
            if self.rows.cover(monomial).any() and vector.max() > vector.min():
                rules[frozenset(monomial)] = SearchedRule(monomial, vector)
        return [rule for key, rule in rules.items() if key not in self.constraints().known]

    def random_votes(self) -> list[int]:
        """Draw votes that a learned rule may have."""
        n_labels = self.task.n_labels
        votes = [self.rng.choice([-1, 0, 1]) for _ in range(n_labels)]
        if not self.task.may_vote(votes):
            own, votes = votes[0], [self.rng.choice([-1, 0, 1])] * n_labels
            votes[self.rng.randrange(n_labels)] = own
        return votes if self.task.may_vote(votes) else self.random_votes()


def case_of(kind: str, seed: int, **sizes: int) -> Case:
    """Draw a case: classes, some with costs, or label sets; some with given rules."""
    rng = random.Random(f"{kind} {seed}")
    while True:
        problem = reference.random_problem(rng, **sizes)
        label_sets = None
        if kind != "classes":
            label_sets = reference.random_label_sets(rng, len(problem.rows), problem.n_classes)
        case = case_with(rng, problem, label_sets, with_line=kind == WITH_LINE)
        if case is not None:
            return case


def case_with(
    rng: random.Random,
    problem: Problem,
    label_sets: list[LabelSet] | None = None,
    *,
    with_line: bool = False,
    chance_of_given: float = 0.3,
) -> Case | None:
    """Draw what is searched for in a problem; None where there is nothing to search for."""
    if label_sets is not None and not any(label_sets):
        return None
    kinds = rng.choice([(), (), ("order", "known"), ("sets", "known")])
    codes = coded(problem, rng.choice(["all", "mdl+"]), label_sets, kinds)
    catalogue = literals_of(codes.catalogue)
    if len(set(catalogue)) < len(catalogue):  # of several classes orders have sets in common
        return None
    if codes.n_labels < 2 or not catalogue:
        return None
    costs, given, Y = None, [], None
    known: list[tuple[int, ...]] = []
    if label_sets is None and rng.random() < 0.3:
        costs = random_costs(rng, codes.n_labels)
    if rng.random() < chance_of_given:
        known = [(rng.randrange(len(catalogue)),), (rng.randrange(len(catalogue)),)]
        votes_of_line = (0,) * with_line
        given = [
            plain.VotingRule(
                (catalogue[i],),
                (*(rng.choice([-1, 0, 1]) for _ in range(codes.n_labels)), *votes_of_line),
            )
            for (i,) in known
        ]
    votes = rng.choice(["sparse", "sparse", "one", "free"])
    vote_penalty = rng.choice([None, None, 0.0, 0.5, 4.0]) if votes != "free" else None
    impurity_penalty = rng.choice([0.0, 0.0, 0.1, 1.0, rng.random()])
    task = plain.task_of(
        reference.counting_examples(problem, label_sets),
        catalogue,
        are_sets=label_sets is not None,
        penalty=rng.choice([0.2, 1.0, 3.0]),
        costs=costs,
        given=given,
        with_line=with_line,
    )
    task = replace(
        task,
        votes=votes,
        vote_penalty=vote_penalty,
        impurity_penalty=impurity_penalty if label_sets is None else 0.0,
        are_named="sets" in kinds,
    )
    if label_sets is not None:
        Y = LearningSample.of(dataset_of(problem, label_sets)).Y
        Y = Y[:, Y.any(axis=0)]
    if given:
        covers = np.array([codes.satisfying_all(monomial) for monomial in known], np.int16)
        vectors = np.array([rule.votes[: codes.n_labels] for rule in given], np.int16)
        codes = codes.with_given(vectors.T @ covers)
    return Case(task, codes, Y, known, rng) if task.rows else None


def literals_of(catalogue: Catalogue) -> list[reference.Literal]:
    """Return the literals of a catalogue in the reference's terms."""
    literals = [catalogue.literal(i) for i in range(len(catalogue))]
    return [reference.Literal(x.attribute, x.operator, x.labels or x.value) for x in literals]


def random_costs(rng: random.Random, n_labels: int) -> list[list[float]]:
    """Draw what it costs to take a class for another."""
    return [
        [0.0 if j == k else rng.choice([0.25, 0.5, 1.0, 1.0, 2.0]) for k in range(n_labels)]
        for j in range(n_labels)
    ]
