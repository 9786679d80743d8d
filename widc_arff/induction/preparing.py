"""What an induction learns from: the examples that count, in codes, and the demands on rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from warnings import warn

import numpy as np

from widc_arff.errors import OptionError, WidcWarning, did_you_mean
from widc_arff.induction.demands.admission import Admission
from widc_arff.induction.demands.directions import directions
from widc_arff.induction.demands.given import GivenRules, given_rules, warn_of_idle_rules
from widc_arff.induction.demands.limits import Limits
from widc_arff.induction.demands.voting import Voting
from widc_arff.induction.sample.coding import CodedSample, code_sample
from widc_arff.induction.sample.cut_points import (
    ValueCounter,
    candidate_cuts,
    distinct,
    logs_of_whole_numbers,
)
from widc_arff.induction.sample.learning_sample import LearningSample
from widc_arff.induction.sample.patterns import collect_patterns
from widc_arff.induction.sample.views import parts_of, views_of
from widc_arff.induction.sample.weighting import weighted_by_class
from widc_arff.induction.search.budget import FINE_PARTS, ORDERS, ROWS_OF_PART
from widc_arff.model.costs import costs_beyond_weights
from widc_arff.model.label_orders import with_orders
from widc_arff.options import Options, least_weight

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from widc_arff.arrays import Bools, Floats
    from widc_arff.data.dataset import Dataset, Schema
    from widc_arff.induction.sample.coding import Chain
    from widc_arff.induction.sample.patterns import Patterns
    from widc_arff.model.literals import Literal


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Examples in codes, and the demands on rules.

    Parameters
    ----------
    sample : LearningSample
        The examples, weighted by class as the options want.
    told : LearningSample
        The same examples with the weights that the data tell.
    coded : CodedSample
        `sample` in codes.
    schema : Schema
        Attributes and labels.
    options : Options
        What to vary.
    given : GivenRules
        Rules of an expert.
    voting : Voting
        How vectors are found.
    admission : Admission or None
        What bars literals from monomials; None if nothing does.
    """

    sample: LearningSample
    told: LearningSample
    coded: CodedSample
    schema: Schema
    options: Options
    given: GivenRules
    voting: Voting
    admission: Admission | None

    @classmethod
    def of(cls, dataset: Dataset, options: Options, tested: Sequence[Literal] = ()) -> Problem:
        """Return the problem of a data set, in which some literals can be told.

        Raises
        ------
        DataError, OptionError
            As `widc_arff.induction.induce` does.
        """
        dataset = replace(dataset, schema=with_orders(dataset.schema, options.ordered))
        sample, coded = prepare(dataset, options, tested)
        told = sample if options.weights_stay else LearningSample.of(dataset)
        schema, present = dataset.schema, sample.class_weights > 0
        costs = costs_of_errors(options)
        demanded = None
        if options.monotone:
            demanded = directions(options.monotone, schema, present, coded.catalogue)
        voting = Voting(None if costs is None else costs[np.ix_(present, present)], demanded)
        given = given_rules(options, sample, schema, voting)
        if given.monomials:
            coded = coded.with_given(given.votes[present])
        admission = _admission(coded, options, told, voting)
        return cls(sample, told, coded, schema, options, given, voting, admission)

    @property
    def share_of_examples(self) -> float:
        """How many examples stand behind the weights that classes give them, as a share of these.

        The effective number of examples, (sum of w f)^2 / (sum of w f^2) with weights w and class
        weights f (Kish 1965): 40 examples that weigh as much as 20,000 others tell, with these, as
        many bits as some 160.
        """
        if self.told is self.sample:
            return 1.0
        meant = self.told.weights * self.told.quantum
        weights = self.sample.weights * self.sample.quantum
        return float(weights.sum() / (weights**2 / meant).sum())

    @property
    def given_votes(self) -> NDArray[np.int16] | None:
        """Summed votes of the rules that are given, shape (n_declared, n_samples)."""
        return self.given.votes if self.given.monomials else None

    @property
    def known(self) -> frozenset[frozenset[int]]:
        """Monomials of the rules that are given, which are not learned again."""
        return self.given.known(self.coded.catalogue)

    @property
    def limits(self) -> Limits:
        """Limits of learned rules."""
        return Limits.of_learned(self.options)

    def covers(self, monomials: Sequence[Chain]) -> Bools:
        """Return which examples satisfy each monomial, shape (n_monomials, n_samples)."""
        covers = [self.coded.satisfying_all(monomial) for monomial in monomials]
        return np.array(covers, np.bool_).reshape(-1, len(self.sample.weights))

    def weights_in(self, monomial: Chain, labels: list[int]) -> tuple[Floats, float]:
        """Return the weights of some labels in the cover of a monomial, and of all that it covers.

        Labels are numbered among those that occur.
        """
        covered = np.flatnonzero(self.coded.satisfying_all(monomial))
        weights = self.sample.weights[covered]
        declared = np.flatnonzero(self.sample.class_weights > 0)[labels].tolist()
        of_labels = [float(weights[self.sample.Y[:, j][covered]].sum()) for j in declared]
        return np.array(of_labels), float(weights.sum())

    def patterns(self, monomials: Sequence[Chain]) -> Patterns:
        """Return the examples by which of some monomials they satisfy."""
        covers = (self.coded.satisfying_all(monomial) for monomial in monomials)
        of_classes = (self.sample.weights * label for label in self.sample.Y.T)
        return collect_patterns(covers, of_classes, costs_of_errors(self.options), self.given_votes)


def prepare(
    dataset: Dataset, options: Options, tested: Sequence[Literal] = ()
) -> tuple[LearningSample, CodedSample]:
    """Return the examples that count, also in codes; warn of what `induce` warns of.

    The codes tell the cut points of some literals too, besides those that the options name.

    Raises
    ------
    DataError, OptionError
        As `widc_arff.induction.induce` does.
    """
    sample = LearningSample.of(weighted_by_class(dataset, options))
    warn_of_rows_left_out(dataset)
    cuts = _cut_points(sample, dataset.schema, options)
    for literal in tested:
        if literal.operator in ("<=", ">"):
            held = np.append(cuts[literal.attribute], literal.value)
            cuts[literal.attribute] = distinct(held)
    views = views_of(sample, dataset.schema, cuts, options, ORDERS)
    views += parts_of(tested, dataset.schema)
    coded = code_sample(
        sample,
        views,
        negation=options.negation,
        presence=options.pruning == "refined",
    )
    warn_of_idle_rules(options, sample, dataset.schema)
    _warn_if_nothing_to_learn(sample, coded, dataset.schema)
    return sample, coded


def costs_of_errors(options: Options) -> Floats | None:
    """Return what errors cost beside the weights of the examples; None: all the same."""
    return None if options.costs is None else costs_beyond_weights(options.costs)


def given_cuts(schema: Schema, options: Options) -> list[Floats] | None:
    """Return the cut points of each attribute from a table; None where there is none.

    Raises
    ------
    OptionError
        If the table names an attribute that is not there or not numeric.
    """
    if isinstance(options.cut_points, str):
        return None
    table = dict(options.cut_points)
    names = [a.name for a in schema.attributes if a.type != "nominal"]
    for name in table:
        if name not in names:
            raise OptionError(
                f"cut points: expected the names of numeric attributes, got {name!r}"
                + did_you_mean(name, names)
            )
    return [
        np.array(() if a.type == "nominal" else table.get(a.name, ()), np.float64)
        for a in schema.attributes
    ]


def warn_of_left_out_rows(unlabelled: int, weightless: int, schema: Schema) -> None:
    """Warn of rows that tell no class, or not all labels, and of those without weight."""
    without = "with missing labels" if schema.labels.are_sets else "without a class"
    for count, why in ((unlabelled, without), (weightless, "of weight zero")):
        if count:
            rows = "1 row" if count == 1 else f"{count} rows"
            warn(f"{rows} {why} left out of training", WidcWarning, stacklevel=5)


def warn_if_nothing_to_learn(held: list[str] | None, n_literals: int, schema: Schema) -> None:
    """Warn that the committee has no rules.

    Parameters
    ----------
    held : list of str or None
        The labels of all rows, where all have the same ones.
    n_literals : int
        Number of literals in the catalogue.
    schema : Schema
        Of the rows.
    """
    if held is not None:
        of = f"have the labels {', '.join(map(repr, held))}"
        if not schema.labels.are_sets:
            of = f"are of class {held[0]!r}"
        warn(f"all training rows {of}: the committee has no rules", WidcWarning, stacklevel=5)
    elif n_literals == 0:
        warn(
            "no attribute separates any training rows: the committee has no rules and decides by "
            "the class distribution",
            WidcWarning,
            stacklevel=5,
        )


def _cut_points(sample: LearningSample, schema: Schema, options: Options) -> list[Floats]:
    """Return the candidate cut points of each attribute, none for nominal ones.

    Refined pruning, which charges a literal for the choice of its cut point, adds to those of
    ``mdl+`` such as cut the weight into equal parts, the more the more examples there are.
    """
    given = given_cuts(schema, options)
    if given is not None:
        return given
    assert isinstance(options.cut_points, str)
    methods = [options.cut_points]
    n_parts = int(min(FINE_PARTS, sample.n_examples / ROWS_OF_PART))
    if options.pruning == "refined" and methods == ["mdl+"] and n_parts > 1:
        methods.append(f"quantile:{n_parts}")
    needs_classes = methods[0] in ("mdl", "mdl+")
    Y = sample.Y[:, sample.Y.any(axis=0) if needs_classes else slice(0)]
    counter, logs = ValueCounter(Y, sample.weights), None
    if needs_classes and sample.example_weight == 1 and sample.n_examples <= len(Y):
        logs = logs_of_whole_numbers(len(Y))
    cuts = []
    for attribute, column in zip(schema.attributes, sample.columns, strict=True):
        if attribute.type == "nominal":
            cuts.append(np.empty(0))
            continue
        counts = counter.count(np.asarray(column, np.float64))
        counts = counts.in_units(sample.example_weight, label_sets=sample.label_sets)
        found = [candidate_cuts(counts, method, logs) for method in methods]
        cuts.append(distinct(np.concatenate(found)) if len(found) > 1 else found[0])
    return cuts


def _admission(
    coded: CodedSample, options: Options, told: LearningSample, voting: Voting
) -> Admission | None:
    if options.min_coverage is None and voting.demands is None:
        return None
    least = 0.0
    if options.min_coverage is not None:
        in_all = float(told.weights.sum()) * told.quantum
        least = least_weight(options.min_coverage, in_all) / told.quantum
    return Admission(coded, voting, least, told.weights)


def warn_of_rows_left_out(dataset: Dataset) -> None:
    """Warn of the rows of a data set that nothing is learned from."""
    unlabelled = int((~dataset.labelled).sum())
    weightless = int((dataset.labelled & (dataset.weights == 0)).sum())
    warn_of_left_out_rows(unlabelled, weightless, dataset.schema)


def _warn_if_nothing_to_learn(sample: LearningSample, coded: CodedSample, schema: Schema) -> None:
    held = None
    if (sample.Y[0] == sample.Y).all():
        held = [schema.labels.values[j] for j in np.flatnonzero(sample.Y[0])]
    warn_if_nothing_to_learn(held, len(coded.catalogue), schema)
