"""Decision committees: rules that vote, and how they decide (section 3 of the paper)."""

from __future__ import annotations

import math
import os
from collections import Counter
from dataclasses import astuple, dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.errors import DataError
from widc_arff.model import telling
from widc_arff.model.axes import ends_between
from widc_arff.model.change_search import Deciding
from widc_arff.model.changes import nearest_changes
from widc_arff.model.costs import least_cost
from widc_arff.model.decision import (
    INVERSE_E,
    base_of,
    decide,
    distribution,
    probabilities,
    tie_scores,
)
from widc_arff.model.label_threshold import LabelScores
from widc_arff.model.literals import satisfied
from widc_arff.model.model_file import VERSION, committee_to_json, model_text, parts_of_json
from widc_arff.model.rules import (
    NO_NAMES,
    UNKNOWN_PROVENANCE,
    Calibration,
    LabelOdds,
    Names,
    Provenance,
    Rule,
    TrainingSummary,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.data.schema import Schema
    from widc_arff.model.change_values import Change, Decision
    from widc_arff.model.costs import CostMatrix
    from widc_arff.model.literals import Literal


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a committee decides as it does for one example.

    Parameters
    ----------
    fired : tuple of int
        Indices of the rules whose monomial the example satisfies.
    votes : tuple of int
        Their summed votes for each class or label.
    ranking : tuple of int
        The classes that occur in training, or all labels, the best first.
    decided : int or tuple of int
        The predicted class, or the predicted labels: the first ones of the ranking.
    probabilities : tuple of float
        One per class or label.

    Examples
    --------
    >>> from widc_arff import induce, read_dataset
    >>> flowers = read_dataset("arff_data/iris.arff")
    >>> why = induce(flowers).explain(flowers, 70)
    >>> why.fired, why.votes, why.tied, why.decided
    ((0, 1), (-2, 0, 0), (1, 2), 2)
    """

    fired: tuple[int, ...]
    votes: tuple[int, ...]
    ranking: tuple[int, ...]
    decided: Decision
    probabilities: tuple[float, ...]

    @property
    def labels(self) -> tuple[int, ...]:
        """What is decided as indices of labels, the best first."""
        if isinstance(self.decided, int):
            return (self.decided,)
        return tuple(j for j in self.ranking if j in self.decided)

    @property
    def tied(self) -> tuple[int, ...]:
        """The classes with the largest sum; the default vector decides where there are several."""
        return tuple(j for j, vote in enumerate(self.votes) if vote == max(self.votes))

    @property
    def margin(self) -> int:
        """Votes by which the predicted class leads the next; 0 if the default vector decides."""
        others = (vote for j, vote in enumerate(self.votes) if j != self.decided)
        return sum(self.votes[j] for j in self.labels) - max(others, default=0)

    def least_cost(self, costs: CostMatrix) -> tuple[int, list[float]]:
        """Return the class of lowest expected cost, and the expected cost of each."""
        probabilities, voted = np.array([self.probabilities]), np.array(self.labels)
        decisions, expected = least_cost(probabilities, voted, costs)
        return int(decisions[0]), expected[0].tolist()


@dataclass(frozen=True, slots=True)
class DecisionCommittee:
    """A set of voting rules with a default vector.

    Parameters
    ----------
    schema : Schema
        Attributes and labels.
    rules : tuple of Rule
        In the order in which they were induced.
    default : tuple of float
        Default vector D: class distribution of the training examples whose largest vote is not
        unique.  For label sets: mean of Y / |Y| over those that have a label with the same votes as
        one that they lack.
    training : TrainingSummary
        What it was learned from.
    threshold : float or None
        For label sets, the lowest score with which an example gets a label (`label_scores`).
    calibration : Calibration or None
        Fitted on the training examples; None, as in models of version 1 and for label sets: 1/e,
        and the scores that decide ties.
    version : int
        Of the model file; a committee from an older file gives the same results as before.
    names : Names
        Display names of attributes and labels.
    history : tuple of str
        The changes since training, one sentence each.
    provenance : Provenance
        The origin of the model; ignored in comparisons.
    seen : mapping of int to tuple of float
        For attributes that rules test, by index, values that occurred in training: for numbers the
        lowest and the highest between neighbouring cut points, for nominal attributes the labels,
        if not all occurred. Absent if unknown, and where cut points were given.
    odds : LabelOdds or None
        For label sets, fitted on the training examples; None for classes, and in older models.

    Examples
    --------
    >>> from widc_arff import induce, read_dataset
    >>> flowers = read_dataset("arff_data/iris.arff")
    >>> committee = induce(flowers)
    >>> committee.predict(flowers.take([0, 70]))
    array(['setosa', 'virginica'], dtype='<U10')
    >>> committee.predict_proba(flowers.take([70])).round(2)
    array([[0.02, 0.08, 0.9 ]])
    >>> DecisionCommittee.from_json(committee.to_json()) == committee
    True
    """

    schema: Schema
    rules: tuple[Rule, ...]
    default: tuple[float, ...]
    training: TrainingSummary
    threshold: float | None = None
    calibration: Calibration | None = None
    version: int = VERSION
    names: Names = NO_NAMES
    history: tuple[str, ...] = ()
    provenance: Provenance = field(default=UNKNOWN_PROVENANCE, compare=False)
    seen: Mapping[int, tuple[float, ...]] = field(default_factory=dict, hash=False)
    odds: LabelOdds | None = None

    @property
    def is_fitted(self) -> bool:
        """Whether default vector, probabilities and training error were fitted to these rules."""
        return not math.isnan(self.training.error)

    @property
    def n_literals(self) -> int:
        """Size: conditions (literals) in all rules, each occurrence counted (section 4)."""
        return sum(len(rule.monomial) for rule in self.rules)

    @property
    def points(self) -> tuple[tuple[int, ...], ...]:
        """Each rule's votes as people read them, from -2 to 2: 0 for most classes.

        They are the votes minus the rule's base, the most common vote among the classes that occur
        in training (of equally frequent ones 0, then -1); of two classes the lower one, so that
        each rule speaks for one class.  A number that all classes get changes no decision and no
        probability.  For label sets votes also say how many labels an example gets: there points
        are the votes.
        """
        if self.schema.labels.are_sets:
            return tuple(rule.votes for rule in self.rules)
        occur = [j for j, weight in enumerate(self.training.weights) if weight]
        base = min if len(occur) <= 2 else base_of
        bases = [base([rule.votes[j] for j in occur]) for rule in self.rules]
        return tuple(
            tuple(vote - base for vote in rule.votes)
            for rule, base in zip(self.rules, bases, strict=True)
        )

    @property
    def n_votes(self) -> int:
        """Size: points other than 0 of classes that occur in training, over all rules."""
        occur = [weight > 0 for weight in self.training.weights]
        return sum(p != 0 and seen for of in self.points for p, seen in zip(of, occur, strict=True))

    @property
    def tie_order(self) -> tuple[int, ...]:
        """The classes that occur in training, in the order in which they win ties."""
        occur = np.flatnonzero(np.array(self.training.weights) > 0).tolist()
        return tuple(sorted(occur, key=(-self.tie_scores).tolist().__getitem__))

    @property
    def prior(self) -> Floats:
        """Class distribution of the training examples, shape (n_classes,)."""
        return distribution(np.array(self.training.weights))

    @property
    def training_weight(self) -> float:
        """Weight of all training examples."""
        training = self.training
        if not self.schema.labels.are_sets:
            return sum(training.weights)
        return float(training.examples) if training.weight is None else training.weight

    @property
    def tie_scores(self) -> Floats:
        """What decides among tied classes, shape (n_classes,)."""
        return tie_scores(np.array(self.default), self.prior)

    def having_seen(self, values: Mapping[int, Floats]) -> DecisionCommittee:
        """Return the committee with values of some attributes that occurred in training (`seen`).

        Parameters
        ----------
        values : mapping of int to ndarray of float64
            Numbers, or indices of labels; NaN, and labels below 0, are missing.
        """
        seen = {}
        for a, column in values.items():
            known = np.unique(column[np.isfinite(column)]) + 0.0  # no negative zero
            declared = self.schema.attributes[a]
            if declared.type != "nominal":
                cuts = _cut_points(self.rules).get(a, set())
                known = ends_between(np.array(sorted(cuts)), known)
            else:
                known = known[known >= 0]
                known = known[: len(known) % len(declared.values)]  # not all of them
            if len(known):
                seen[a] = tuple(known.tolist())
        return replace(self, seen=seen)

    @property
    def used_attributes(self) -> frozenset[int]:
        """Indices of the attributes that some rule tests."""
        return frozenset(literal.attribute for rule in self.rules for literal in rule.monomial)

    def brief(self) -> DecisionCommittee:
        """Return the committee without what it knows of attributes that no rule tests."""
        return replace(self, schema=self.schema.brief(self.used_attributes))

    def as_read(self) -> DecisionCommittee:
        """Return the committee with its display names in place of the names in the data."""
        if self.names == NO_NAMES:
            return self
        schema, labels = self.schema, self.schema.labels
        of, of_labels = self.names.attributes, self.names.labels
        attributes = tuple(replace(a, name=of.get(a.name, a.name)) for a in schema.attributes)
        values = tuple(of_labels.get(label, label) for label in labels.values)
        targets = values if labels.are_sets else tuple(of.get(n, n) for n in labels.attributes)
        read = replace(labels, attributes=targets, values=values, type="")
        return replace(self, schema=replace(schema, attributes=attributes, labels=read))

    def with_rules(self, rules: Sequence[Rule]) -> DecisionCommittee:
        """Return the committee with other rules; figures that become untrue are unknown.

        Rules with the same conditions keep their coverage.  Ties are won in the same order, which
        is all that the default vector then says (for label sets it stays, and so does their
        threshold).  The calibration and the training error become unknown.
        """
        old = {frozenset(rule.monomial): rule for rule in self.rules}
        held = []
        for rule in rules:
            known = old.get(frozenset(rule.monomial))
            of = rule.uncounted if known is None else known
            held.append(replace(rule, covers=of.covers, weight=of.weight, decides=of.decides))
        cuts, new_cuts = (_cut_points(of) for of in (self.rules, rules))
        seen = {a: values for a, values in self.seen.items() if cuts.get(a) == new_cuts.get(a)}
        changed = replace(self, rules=tuple(held), version=VERSION, seen=seen)
        if _what_votes(self.rules) == _what_votes(rules):
            return changed
        undecided = tuple(replace(rule, decides=None) for rule in held)
        training = replace(self.training, error=math.nan, ties=None, hamming=None)
        default = self.default if self.schema.labels.are_sets else self._order_of_ties
        found = replace(changed, rules=undecided, training=training, default=default)
        return replace(found, calibration=None, provenance=replace(self.provenance, folds=None))

    @property
    def _order_of_ties(self) -> tuple[float, ...]:
        """A default vector that tells in which order ties are won, and nothing else."""
        n = self.schema.n_classes
        order = np.argsort(-self.tie_scores, kind="stable")
        return tuple(distribution(n - np.argsort(order).astype(np.float64)).tolist())

    def fires(self, dataset: Dataset) -> Bools:
        """Return which examples satisfy each rule, shape (n_samples, n_rules)."""
        fires = np.empty((dataset.n_samples, len(self.rules)), np.bool_)
        for k, rule in enumerate(self.rules):
            fires[:, k] = satisfied(rule.monomial, dataset.columns)
        return fires

    def votes(self, dataset: Dataset) -> Integers:
        """Return the summed votes V, shape (n_samples, n_classes)."""
        votes = np.zeros((dataset.n_samples, self.schema.n_classes), np.int64, order="F")
        for rule in self.rules:
            fired = satisfied(rule.monomial, dataset.columns)
            for j, vote in enumerate(rule.votes):
                if vote:
                    votes[:, j] += fired * vote
        return votes

    def predict_codes(self, dataset: Dataset) -> Integers:
        """Return the index of the predicted class of each example, shape (n_samples,)."""
        return decide(self.votes(dataset), self.tie_scores)

    def predict(self, dataset: Dataset) -> NDArray[np.str_]:
        """Return the predicted label of each example, shape (n_samples,).

        For label sets that is the label ranked first; `predict_sets` has them all.
        """
        return np.array(self.schema.labels.values)[self.predict_codes(dataset)]

    def predict_proba(self, dataset: Dataset) -> Floats:
        """Return class probabilities, shape (n_samples, n_classes); their largest is `predict`.

        For label sets each label has a probability of its own (`label_scores`); those of one half
        or more are `predict_sets`, unless sets of another size were wanted in training.
        """
        return self.probabilities_of(self.votes(dataset))

    @property
    def known_calibration(self) -> Calibration:
        """What turns votes into probabilities: `calibration`, or a default if it was not fitted."""
        scores = tuple(self.tie_scores.tolist())
        return self.calibration or Calibration(INVERSE_E, (1.0,) * len(scores), scores)

    def probabilities_of(self, votes: NDArray[np.integer]) -> Floats:
        """Return what `predict_proba` returns for rows of summed votes."""
        if self.threshold is not None:
            return self.label_scores.probabilities(self.label_scores.of(votes))
        factor, frequencies, shares = astuple(self.known_calibration)
        return probabilities(votes, factor, np.array(frequencies), np.array(shares))

    def ranking_scores(self, dataset: Dataset) -> Floats:
        """Return the scores that rank the labels of each example, shape (n_samples, n_labels).

        The logarithms of their odds (`label_scores`).

        Raises
        ------
        DataError
            If the committee was learned from examples of one class each.
        """
        return self.label_scores.of(self.votes(dataset))

    def predict_sets(self, dataset: Dataset) -> Bools:
        """Return the predicted label sets, shape (n_samples, n_labels).

        Raises
        ------
        DataError
            If the committee was learned from examples of one class each.
        """
        return self.label_scores.sets(self.votes(dataset))

    @property
    def label_scores(self) -> LabelScores:
        """How votes score labels, and what scores decide, for label sets.

        Raises
        ------
        DataError
            If the committee was learned from examples of one class each.
        """
        if self.threshold is None:
            raise DataError("expected a committee for label sets, got one with one class per row")
        if self.odds is None:
            ones = np.ones(self.schema.n_classes)
            return LabelScores(ones, self.tie_scores / 2, self.threshold, self.threshold)
        slopes, intercepts = np.array(self.odds.slopes), np.array(self.odds.intercepts)
        return LabelScores(slopes, intercepts, 0.0, self.threshold)

    def explain(self, dataset: Dataset, row: int) -> Explanation:
        """Return why the committee decides as it does for one row of a data set.

        Raises
        ------
        IndexError
            If there is no such row.
        """
        return next(self.explanations(_row_of(dataset, row)))

    def explanations(self, dataset: Dataset) -> Iterator[Explanation]:
        """Yield `explain` of every row, a few thousand rows computed at a time."""
        decide_all = Deciding(self)
        for examples in dataset.parts():
            votes = self.votes(examples)
            of_rows = zip(
                self.fires(examples),
                votes.tolist(),
                self._rankings(votes).tolist(),
                decide_all(votes),
                self.probabilities_of(votes).tolist(),
                strict=True,
            )
            for fired, of_row, ranking, decided, shares in of_rows:
                rules = tuple(np.flatnonzero(fired).tolist())
                decision = Deciding.named(decided)
                yield Explanation(rules, tuple(of_row), tuple(ranking), decision, tuple(shares))

    def _rankings(self, votes: Integers) -> Integers:
        """Return the classes that occur in training, or all labels, the best of each row first."""
        if self.threshold is not None:
            return np.argsort(-self.label_scores.of(votes), axis=1, kind="stable")
        order = np.array(self.tie_order)
        return order[np.argsort(-votes[:, order], axis=1, kind="stable")]

    def without_rules(self, explanation: Explanation) -> dict[int, Decision]:
        """Return the rules without which an example would be decided differently, and how."""
        votes = np.array(explanation.votes, np.int64)
        decide_all = Deciding(self)
        decisions = {
            k: Deciding.named(decide_all(votes[None] - np.array(self.rules[k].votes))[0])
            for k in explanation.fired
        }
        return {k: found for k, found in decisions.items() if found != explanation.decided}

    def nearest_changes(self, dataset: Dataset, row: int) -> tuple[Change, ...]:
        """Return what would have to change in one row for another decision, the nearest first.

        Each change gives up to three attributes another value; none: no such change flips the
        decision.  See `widc_arff.model.changes`, also for all rows at once.

        Raises
        ------
        IndexError
            If there is no such row.
        """
        return nearest_changes(self, dataset, row)

    def __str__(self) -> str:
        """Return the committee as text of 80 columns, as `widc-arff show` prints it."""
        return telling.text_of(self)

    def to_json(self) -> str:
        """Return the text of the committee's model file."""
        return committee_to_json(self)

    @classmethod
    def from_json(cls, text: str, source: str = "") -> DecisionCommittee:
        """Return the committee of a model file's text.

        Parameters
        ----------
        text : str
            JSON.
        source : str
            Name of the file for messages.

        Raises
        ------
        ModelError
            If the text is not a model file that this version can read.
        """
        return cls(*parts_of_json(text, source))


def read_committee(path: str | os.PathLike[str]) -> DecisionCommittee:
    """Read a model file; ``-`` is standard input.

    Raises
    ------
    ModelError
        If there is no such file, or it is not a model file that this version can read; the message
        names the path of the fault inside the file.

    Examples
    --------
    >>> import os, tempfile
    >>> from widc_arff import induce, read_dataset, write_committee
    >>> committee = induce(read_dataset("arff_data/iris.arff"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "iris.json")
    ...     write_committee(committee, path)
    ...     read_committee(path) == committee
    True
    """
    return DecisionCommittee.from_json(model_text(path), os.fspath(path))


def _cut_points(rules: Sequence[Rule]) -> dict[int, set[float]]:
    """Return the cut points of each attribute that some rule tests."""
    cuts: dict[int, set[float]] = {}
    for rule in rules:
        for literal in rule.monomial:
            of = cuts.setdefault(literal.attribute, set())
            if literal.operator in ("<=", ">"):
                of.add(literal.value)
    return cuts


def _what_votes(rules: Sequence[Rule]) -> Counter[tuple[frozenset[Literal], tuple[int, ...]]]:
    """Return what decides, in any order."""
    return Counter((frozenset(rule.monomial), rule.votes) for rule in rules)


def _row_of(dataset: Dataset, row: int) -> Dataset:
    """Return one row of a data set; IndexError if there is none."""
    return dataset.take(np.array([range(dataset.n_samples)[row]]))
