"""WIDC: induction of a decision committee in three stages (section 5 of the paper).

1. Grow monomials by partition boosting: `widc_arff.induction.growing`.
2. Give each monomial its vector by ranking loss boosting: `widc_arff.induction.vectors`.
3. Prune: `widc_arff.induction.pruning`; beyond the paper `widc_arff.induction.refining`.

Where an example can have several labels: `widc_arff.induction.label_set_vectors` for stage 2,
`widc_arff.induction.label_set_ranking` and `widc_arff.induction.label_set_refining` for stage 3.
"""

from __future__ import annotations

from dataclasses import replace
from math import fsum
from typing import TYPE_CHECKING, NamedTuple
from warnings import warn

import numpy as np

from widc_arff import __version__
from widc_arff.committee import DecisionCommittee, Rule, TrainingSummary
from widc_arff.decision import default_vector, ranking_losses, ranking_scores, tie_scores
from widc_arff.errors import OptionError, WidcWarning, did_you_mean
from widc_arff.induction.coding import CodedSample, code_sample
from widc_arff.induction.distinct_rows import PLAIN
from widc_arff.induction.given import GivenRules, warn_of_idle_rules
from widc_arff.induction.growing import GrowthLimits, grow
from widc_arff.induction.label_set_ranking import RankedExamples, prune_by_ranking_loss
from widc_arff.induction.label_set_refining import refine_label_sets
from widc_arff.induction.label_set_vectors import approximate_vector, exact_vector
from widc_arff.induction.large_refining import refine_problem
from widc_arff.induction.problem import Problem, admission_of, costs_of_errors, measured_cuts
from widc_arff.induction.pruning import (
    OptimisticPenalty,
    Patterns,
    SizeLimits,
    collect_patterns,
    prune_optimistic,
    prune_pessimistic,
)
from widc_arff.induction.sample import LearningSample, class_weights
from widc_arff.induction.weighting import weighted_by_class
from widc_arff.label_threshold import calibrated_threshold
from widc_arff.options import LabelSetOptions, Options

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff.dataset import Dataset, Schema
    from widc_arff.induction.coding import Catalogue
    from widc_arff.induction.counter import Chain
    from widc_arff.induction.observer import Observer
    from widc_arff.induction.voting import Voting


def induce(
    dataset: Dataset, options: Options | None = None, observer: Observer | None = None
) -> DecisionCommittee:
    """Learn a decision committee.

    Parameters
    ----------
    dataset : Dataset
        Examples; rows without a class or of weight zero are left out, with a warning that counts
        them.  Of label sets a row of which a label is missing counts as one without a class.
    options : Options, optional
        What to vary; of label sets `LabelSetOptions`.
    observer : Observer, optional
        Is told of every step; see `widc_arff.induction.observer`.

    Returns
    -------
    DecisionCommittee
        Without rules, deciding by the class distribution, where there is one class only or no
        attribute that separates anything (with a warning).

    Raises
    ------
    DataError
        If there is no row to learn from.
    OptionError
        If the cut points asked for are not possible, or the pruning not for label sets.
    WidcError
        If the vectors of label sets need scipy and it is not installed.

    Notes
    -----
    Deterministic, and independent of the order of the rows.
    """
    options = options or Options()
    if dataset.schema.labels.are_sets:
        return _induce_label_sets(dataset, LabelSetOptions.of(options), observer)
    sample, coded = prepare(dataset, options)
    told = sample if options.weights_stay else LearningSample.of(dataset)
    problem = Problem(sample, told, coded, dataset.schema, options)
    problem, monomials = _learned(problem, observer)
    voting, given, coded = problem.demands.voting, problem.given, problem.coded
    if voting.demands is not None:
        monomials = _that_say_something(monomials, coded, sample, voting)
    votes = problem.given_votes
    patterns = _patterns(coded, monomials, sample, votes, costs_of_errors(options))
    in_data = None if told is sample else _patterns(coded, monomials, told, votes)
    units = (len(told.weights), told.quantum, sample.example_weight)
    meaning = CodeMeaning(dataset.schema, coded.catalogue, *units)
    terms = Terms(voting, _rules_of(given, told), in_data)
    return committee_of(patterns, monomials, meaning, options, observer, terms)


class CodeMeaning(NamedTuple):
    """What the codes and weights of the examples mean.

    Parameters
    ----------
    schema : Schema
        Attributes and classes.
    catalogue : Catalogue
        The literals.
    n_samples : int
        Number of examples.
    quantum : float
        Weight of one quantum in the data's own unit.
    example_weight : float
        Weight of one quantum in examples.
    """

    schema: Schema
    catalogue: Catalogue
    n_samples: int
    quantum: float
    example_weight: float


class Terms(NamedTuple):
    """On what terms rules get votes and join the committee; the defaults are the paper's.

    Parameters
    ----------
    voting : Voting
        How vectors are found, for the classes that occur.
    given : tuple of Rule
        Rules that stand before the learned ones; the patterns hold their votes.
    in_data : Patterns or None
        The same patterns with the weights that the data tell, where classes count more or less.
        The committee tells of these, its quantum is theirs.
    """

    voting: Voting = PLAIN
    given: tuple[Rule, ...] = ()
    in_data: Patterns | None = None


def committee_of(
    patterns: Patterns,
    monomials: list[Chain],
    meaning: CodeMeaning,
    options: Options,
    observer: Observer | None = None,
    terms: Terms | None = None,
) -> DecisionCommittee:
    """Return the committee of some monomials: stages 2 and 3, on patterns of satisfied monomials.

    Parameters
    ----------
    patterns : Patterns
        The examples, those that satisfy the same monomials taken together.
    monomials : list of tuple of int
        Indices in the catalogue, as `grow` returns them.
    meaning : CodeMeaning
        Of their codes and weights.
    options : Options
        What to vary.
    observer : Observer, optional
        Is told vectors and removals.
    terms : Terms, optional
        Other ways to votes, and other rules.
    """
    terms = terms or Terms()
    in_data = terms.in_data or patterns
    present = patterns.class_weights.sum(axis=0) > 0
    covered = [patterns.covered_weights(k) for k in range(len(monomials))]
    vectors = terms.voting.best_of_present(
        np.array(covered).reshape(-1, len(present)), present, terms.voting.demanded(monomials)
    )
    _tell_votes(observer, meaning.catalogue, monomials, vectors)
    penalty = OptimisticPenalty(
        meaning.catalogue,
        monomials,
        options.delta,
        meaning.example_weight,
        patterns.total_weight * meaning.example_weight,
    )
    sizes = [len(monomial) for monomial in monomials]
    kept = _prune(patterns, vectors, sizes, penalty, options, observer)
    if observer is not None:
        observer.kept([k + 1 for k in kept])

    learned = tuple(
        Rule(
            meaning.catalogue.monomial(monomials[k]),
            tuple(vectors[k].tolist()),
            tuple((in_data.covered_weights(k) * meaning.quantum).tolist()),
        )
        for k in kept
    )
    votes = patterns.votes(vectors, kept)
    default = default_vector(patterns.ambiguous(votes), patterns.prior)
    wrong = in_data.errors(votes, tie_scores(default, in_data.prior)).sum()
    training = TrainingSummary(
        meaning.n_samples,
        tuple((in_data.class_weights.sum(axis=0) * meaning.quantum).tolist()),
        float(wrong / in_data.total_weight),
        options.to_dict(),
        __version__,
    )
    rules = terms.given + learned
    return DecisionCommittee(meaning.schema, rules, tuple(default.tolist()), training)


def _induce_label_sets(
    dataset: Dataset, options: LabelSetOptions, observer: Observer | None
) -> DecisionCommittee:
    """Learn a decision committee that ranks labels, with a threshold that makes sets of them."""
    sample, coded = prepare(dataset, options)
    admission = admission_of(coded, options, sample, PLAIN)
    monomials = grow(coded, growth_limits(options), observer=observer, admission=admission)
    if options.pruning == "refined":
        monomials = refine_label_sets(
            coded, monomials, options.penalty, _learned_limits(options), observer, admission
        )
    covers = np.array([coded.satisfying_all(monomial) for monomial in monomials], np.bool_)
    covers = covers.reshape(-1, len(sample.weights))
    vectors = _label_set_vectors(sample, covers, options)
    _tell_votes(observer, coded.catalogue, monomials, vectors)

    examples = RankedExamples(covers.T, sample.Y, sample.weights)
    kept = list(range(len(monomials)))
    if options.pruning == "pessimistic":
        sizes = [len(monomial) for monomial in monomials]
        limits = SizeLimits(options.max_rules, options.max_size)
        kept = prune_by_ranking_loss(examples, vectors, sizes, limits, observer)
    if observer is not None:
        observer.kept([k + 1 for k in kept])

    in_units = sample.weights * sample.quantum
    rules = tuple(
        Rule(
            coded.catalogue.monomial(monomials[k]),
            tuple(vectors[k].tolist()),
            tuple(class_weights(sample.Y[covers[k]], in_units[covers[k]]).tolist()),
            float(in_units[covers[k]].sum()),
        )
        for k in kept
    )
    ranked_votes = examples.satisfied[:, kept].astype(np.int64) @ vectors[kept]
    default = examples.default_vector(ranked_votes)
    training = TrainingSummary(
        len(sample.weights),
        tuple((sample.class_weights * sample.quantum).tolist()),
        0.0,
        options.to_dict(),
        __version__,
    )
    committee = DecisionCommittee(dataset.schema, rules, tuple(default.tolist()), training)
    votes = covers[kept].T.astype(np.int64) @ vectors[kept]
    scores = ranking_scores(votes, committee.tie_scores)
    losses = sample.weights * ranking_losses(scores, sample.Y)
    loss = fsum(losses.tolist()) / float(sample.weights.sum())
    threshold = calibrated_threshold(scores, sample.Y, sample.weights)
    return replace(committee, training=replace(training, error=loss), threshold=threshold)


def _tell_votes(
    observer: Observer | None,
    catalogue: Catalogue,
    monomials: list[Chain],
    vectors: NDArray[np.int64],
) -> None:
    if observer is not None:
        for number, (monomial, vector) in enumerate(zip(monomials, vectors, strict=True), start=1):
            observer.voted(number, catalogue.monomial(monomial), vector.tolist())


def _learned(problem: Problem, observer: Observer | None) -> tuple[Problem, list[Chain]]:
    """Return the monomials of the large committee, or those that refinement leaves of it.

    Refinement may put the problem in finer codes; the problem returned has those of the monomials.
    """
    options, demands = problem.options, problem.demands
    grown = grow(
        problem.coded,
        growth_limits(options),
        problem.given_blocks,
        demands.known,
        observer,
        demands.admission,
    )
    if options.pruning != "refined":
        return problem, grown
    return refine_problem(problem, grown, _learned_limits(options), observer)


def growth_limits(options: Options) -> GrowthLimits:
    """Return the limits of stage 1: all of them where no pruning follows."""
    limits = _learned_limits(options)
    return limits if options.pruning == "none" else GrowthLimits(max_literals=limits.max_literals)


def _learned_limits(options: Options) -> GrowthLimits:
    """Return the limits for learned rules: what the given ones leave."""
    n_literals = sum(len(rule.conditions) for rule in options.rules)
    return GrowthLimits(
        None if options.max_rules is None else options.max_rules - len(options.rules),
        options.max_literals,
        None if options.max_size is None else options.max_size - n_literals,
    )


def _patterns(
    coded: CodedSample,
    monomials: list[Chain],
    sample: LearningSample,
    given_votes: NDArray[np.int16] | None,
    costs: NDArray[np.float64] | None = None,
) -> Patterns:
    """Return the patterns of the monomials, with the weights of a sample of the same rows."""
    covers = (coded.satisfying_all(monomial) for monomial in monomials)
    of_classes = (sample.weights * label for label in sample.Y.T)
    return collect_patterns(covers, of_classes, costs, given_votes)


def _rules_of(given: GivenRules, told: LearningSample) -> tuple[Rule, ...]:
    """Return given rules with the class weights of their covers, in the data's own unit."""
    return tuple(
        Rule(
            monomial,
            tuple(vector.tolist()),
            tuple((class_weights(told.Y[cover], told.weights[cover]) * told.quantum).tolist()),
        )
        for monomial, vector, cover in zip(
            given.monomials, given.vectors, given.covers, strict=True
        )
    )


def _label_set_vectors(
    sample: LearningSample, covers: NDArray[np.bool_], options: LabelSetOptions
) -> NDArray[np.int64]:
    """Return the vector of each monomial, shape (n_rules, n_labels)."""
    present = sample.class_weights > 0
    n_held = sample.Y.sum(axis=1)
    ranked = n_held < present.sum()
    # With one label an example the paper's search finds the optimum.
    several = bool((n_held[ranked] > 1).any())
    search = exact_vector if several and options.vectors == "exact" else approximate_vector
    vectors = [search(sample.Y[cover], sample.weights[cover], present) for cover in covers]
    return np.array(vectors, np.int64).reshape(-1, sample.Y.shape[1])


def prepare(dataset: Dataset, options: Options) -> tuple[LearningSample, CodedSample]:
    """Return the examples that count, also in codes; warn of what `induce` warns of.

    Raises
    ------
    DataError, OptionError
        As `induce` does.
    """
    sample = LearningSample.of(weighted_by_class(dataset, options))
    _warn_of_left_out_rows(dataset)
    cuts = _cut_points(sample, dataset.schema, options)
    coded = code_sample(sample, dataset.schema, cuts, negation=options.negation)
    warn_of_idle_rules(options, sample, dataset.schema)
    _warn_if_nothing_to_learn(sample, coded, dataset.schema)
    return sample, coded


def _prune(
    patterns: Patterns,
    vectors: NDArray[np.int64],
    sizes: list[int],
    penalty: OptimisticPenalty,
    options: Options,
    observer: Observer | None,
) -> list[int]:
    """Return the rules to keep."""
    learned = _learned_limits(options)
    limits = SizeLimits(learned.max_rules, learned.max_size)
    if options.pruning in ("none", "refined"):
        return list(range(len(vectors)))
    if options.pruning == "pessimistic":
        return prune_pessimistic(patterns, vectors, sizes, limits, observer=observer)
    kept = prune_optimistic(patterns, vectors, penalty, observer)
    if limits.allow(kept, sizes):
        return kept
    return prune_pessimistic(patterns, vectors, sizes, limits, kept, observer)


def _that_say_something(
    monomials: list[Chain], coded: CodedSample, sample: LearningSample, voting: Voting
) -> list[Chain]:
    """Return the monomials whose vector within the directions is not constant."""
    said = []
    for monomial in monomials:
        cover = coded.satisfying_all(monomial)
        weights = class_weights(sample.Y[cover], sample.weights[cover])[sample.class_weights > 0]
        vector = voting.best(weights[None], voting.demanded([monomial]))[0]
        if (vector != vector[0]).any():
            said.append(monomial)
    return said


def given_cuts(schema: Schema, options: Options) -> list[NDArray[np.float64]] | None:
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


def _cut_points(
    sample: LearningSample, schema: Schema, options: Options
) -> list[NDArray[np.float64]]:
    """Return the candidate cut points of each attribute, none for nominal ones."""
    given = given_cuts(schema, options)
    if given is not None:
        return given
    assert isinstance(options.cut_points, str)
    return [
        np.empty(0)
        if attribute.type == "nominal"
        else measured_cuts(column, sample, options.cut_points)
        for attribute, column in zip(schema.attributes, sample.columns, strict=True)
    ]


def _warn_of_left_out_rows(dataset: Dataset) -> None:
    unlabelled = int((~dataset.labelled).sum())
    weightless = int((dataset.labelled & (dataset.weights == 0)).sum())
    warn_of_left_out_rows(unlabelled, weightless, dataset.schema)


def warn_of_left_out_rows(unlabelled: int, weightless: int, schema: Schema) -> None:
    """Warn of rows that tell no class, or not all labels, and of those without weight."""
    without = "with missing labels" if schema.labels.are_sets else "without a class"
    for count, why in ((unlabelled, without), (weightless, "of weight zero")):
        if count:
            rows = "1 row" if count == 1 else f"{count} rows"
            warn(f"{rows} {why} left out of training", WidcWarning, stacklevel=4)


def _warn_if_nothing_to_learn(sample: LearningSample, coded: CodedSample, schema: Schema) -> None:
    held = None
    if (sample.Y[0] == sample.Y).all():
        held = [schema.labels.values[j] for j in np.flatnonzero(sample.Y[0])]
    warn_if_nothing_to_learn(held, len(coded.catalogue), schema)


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
        warn(f"all training rows {of}: the committee has no rules", WidcWarning, stacklevel=4)
    elif n_literals == 0:
        warn(
            "no attribute separates any training rows: the committee has no rules and decides by "
            "the class distribution",
            WidcWarning,
            stacklevel=4,
        )
