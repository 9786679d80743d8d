"""What an induction learns from: the examples that count, in codes, and the demands on rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from warnings import warn

import numpy as np

from widc_arff.errors import WidcWarning
from widc_arff.induction.constraints.directions import directions
from widc_arff.induction.constraints.given import (
    GivenRules,
    given_covers,
    given_rules,
    given_rules_of_sets,
    warn_of_idle_rules,
)
from widc_arff.induction.constraints.limits import Limits
from widc_arff.induction.constraints.literal_filter import LiteralFilter
from widc_arff.induction.constraints.vector_search import PLAIN, VectorSearch
from widc_arff.induction.examples import HeldExamples
from widc_arff.induction.sample.coding import CodedSample, code_sample
from widc_arff.induction.sample.cut_points import (
    ValueCounter,
    logs_of_whole_numbers,
)
from widc_arff.induction.sample.learning_sample import LearningSample, class_weights
from widc_arff.induction.sample.weighting import weighted_by_class
from widc_arff.induction.search.budget import ORDERS
from widc_arff.induction.seeing import Seeing, Totals, columns_of
from widc_arff.model.costs import costs_beyond_weights
from widc_arff.model.label_orders import with_orders
from widc_arff.option_kinds import least_weight

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Floats
    from widc_arff.data.dataset import Dataset
    from widc_arff.data.schema import Schema
    from widc_arff.induction.examples import Examples
    from widc_arff.induction.sample.coding import Catalogue, Chain, CodedSample
    from widc_arff.induction.sample.learning_sample import Weighed
    from widc_arff.induction.sample.patterns import Patterns
    from widc_arff.induction.seeing import Seen
    from widc_arff.model.literals import Literal
    from widc_arff.options import Options


ROWS_AT_ONCE = 1 << 20
"""Rows whose values are counted at once, for the memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Examples in codes, wherever they are, and the demands on rules.

    Parameters
    ----------
    examples : Examples
        What rules are learned from.
    catalogue : Catalogue
        The literals.
    weighed : Weighed
        What the weights come to, by class as the options want.
    in_data : Weighed
        What those come to that the data tell.
    schema : Schema
        Attributes and labels.
    options : Options
        What to vary.
    given : GivenRules
        Rules of an expert.
    vector_search : VectorSearch
        How vectors are found.
    literal_filter : LiteralFilter or None
        What bars literals from monomials; None if nothing does.
    """

    examples: Examples
    catalogue: Catalogue
    weighed: Weighed
    in_data: Weighed
    schema: Schema
    options: Options
    given: GivenRules
    vector_search: VectorSearch
    literal_filter: LiteralFilter | None

    @classmethod
    def of(cls, dataset: Dataset, options: Options, tested: Sequence[Literal] = ()) -> Problem:
        """Return the problem of a data set, in which some literals can be told.

        Raises
        ------
        DataError, OptionError
            As `widc_arff.induction.induce` does.
        """
        schema = with_orders(dataset.schema, options.ordered)
        dataset = replace(dataset, schema=schema)
        sample, coded = prepare(dataset, options, tested)
        in_data = sample if options.weights_stay else LearningSample.of(dataset)
        examples = HeldExamples(
            coded,
            sample.weighed.present,
            None if in_data is sample else in_data.weights,
            given_covers(options, sample.columns, len(sample.weights), schema),
            sample,
        )
        if schema.labels.are_sets:
            warn_of_idle_rules(options, examples.given)
            rules = given_rules_of_sets(options, examples.given, sample.Y, sample.weights, schema)
            given = rules, PLAIN
        else:
            weights = examples.weights_of_given()
            given = ruled(weights, sample.weighed, coded.catalogue, schema, options)
        if options.rules:
            examples = examples.with_votes(given[0].vectors[:, sample.weighed.present])
        both = sample.weighed, in_data.weighed
        return cls.about(examples, coded.catalogue, both, schema, options, given)

    @classmethod
    def about(
        cls,
        examples: Examples,
        catalogue: Catalogue,
        weights: tuple[Weighed, Weighed],
        schema: Schema,
        options: Options,
        given: tuple[GivenRules, VectorSearch],
    ) -> Problem:
        """Return the problem of some examples: weights are as the options want, then as told."""
        in_data, (rules, vector_search) = weights[1], given
        literal_filter = None
        if options.min_coverage is not None or vector_search.constraints is not None:
            least = 0.0
            if options.min_coverage is not None:
                least = least_weight(options.min_coverage, in_data.total * in_data.quantum)
            literal_filter = LiteralFilter(
                examples, catalogue, vector_search, least / in_data.quantum
            )
        return cls(
            examples, catalogue, *weights, schema, options, rules, vector_search, literal_filter
        )

    @property
    def held(self) -> HeldExamples:
        """The examples, where these are in memory."""
        assert isinstance(self.examples, HeldExamples)
        return self.examples

    @property
    def sample(self) -> LearningSample:
        """The rows of the examples, where these are in memory."""
        assert self.held.sample is not None
        return self.held.sample

    @property
    def share_of_examples(self) -> float:
        """How many examples stand behind the weights that classes give them, as a share of these.

        The effective number of examples, (sum of w f)^2 / (sum of w f^2) with weights w and class
        weights f (Kish 1965): 40 examples that weigh as much as 20,000 others tell, with these, as
        many bits as some 160.
        """
        if self.in_data is self.weighed:
            return 1.0
        meant = self.in_data.class_weights * self.in_data.quantum
        weights = self.weighed.class_weights * self.weighed.quantum
        occurs = meant > 0
        return float(weights.sum() / (weights[occurs] ** 2 / meant[occurs]).sum())

    @property
    def known(self) -> frozenset[frozenset[int]]:
        """Monomials of the rules that are given, which are not learned again."""
        return self.given.known(self.catalogue)

    @property
    def limits(self) -> Limits:
        """Limits of learned rules."""
        return Limits.of_learned(self.options)

    def patterns(self, monomials: Sequence[Chain]) -> Patterns:
        """Return the examples by which of some monomials they satisfy, with the votes given."""
        found = replace(
            self.examples.patterns(monomials).weighed, costs=costs_of_errors(self.options)
        )
        n_given = len(self.given.monomials)
        if not n_given:
            return found
        votes = self.given.vectors.T @ found.satisfied[:, :n_given].T.astype(np.int64)
        satisfied = found.satisfied[:, n_given:]
        return replace(found, satisfied=satisfied, given_votes=votes.astype(np.int16))


def ruled(
    weights: Floats, weighed: Weighed, catalogue: Catalogue, schema: Schema, options: Options
) -> tuple[GivenRules, VectorSearch]:
    """Return the rules that options give, and how vectors are found; warn of rules that are idle.

    Parameters
    ----------
    weights : ndarray of float64 of shape (n_given, n_declared)
        Of the classes of the examples that satisfy each given rule.
    weighed : Weighed
        What the weights of all examples come to.
    catalogue : Catalogue
        The literals.
    schema : Schema
        Attributes and labels.
    options : Options
        Rules, costs and directions.

    Raises
    ------
    OptionError
        If a rule or a direction does not fit the data.
    """
    warn_of_idle_rules(options, weights)
    present, costs = weighed.present, costs_of_errors(options)
    demanded = None
    if options.monotone:
        demanded = directions(options.monotone, schema, present, catalogue)
    vector_search = VectorSearch(
        None if costs is None else costs[np.ix_(present, present)], demanded
    )
    return given_rules(options, weights, present, schema, vector_search), vector_search


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
    seen = seen_in(sample, Seeing.of(dataset.schema, options, tested))
    coded = code_sample(
        sample,
        columns_of(seen, ORDERS),
        negation=options.negation,
        presence=options.pruning == "refined",
    )
    _warn_if_nothing_to_learn(sample, coded, dataset.schema)
    return sample, coded


def costs_of_errors(options: Options) -> Floats | None:
    """Return what errors cost, apart from the weights of the examples; None: all the same."""
    return None if options.costs is None else costs_beyond_weights(options.costs)


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


def seen_in(sample: LearningSample, seeing: Seeing) -> list[Seen]:
    """Return the views of each attribute of a sample."""
    Y = sample.Y[:, sample.Y.any(axis=0) if seeing.needs_classes else slice(0)]
    weights = class_weights(Y, sample.weights)
    totals = Totals(
        weights, float(sample.weights.sum()), sample.example_weight, label_sets=sample.label_sets
    )
    logs = None
    if seeing.needs_classes and sample.example_weight == 1 and sample.n_examples <= len(Y):
        logs = logs_of_whole_numbers(len(Y))
    parts = [slice(start, start + ROWS_AT_ONCE) for start in range(0, len(Y), ROWS_AT_ONCE)]
    counters = [ValueCounter(Y[part], sample.weights[part]) for part in parts]
    found = []
    for a, column in enumerate(sample.columns):
        pieces = zip(parts, counters, strict=True)
        counts = [seeing.count(a, column[part], counter) for part, counter in pieces]
        found.append(seeing.seen(a, seeing.merged(a, counts), totals, logs))
    return found


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
