"""A learning problem: the examples that count, in codes, and what is demanded of rules.

Refined pruning looks for cut points between those of ``mdl+`` in large samples; the same problem
is then put in finer codes.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.costs import costs_beyond_weights
from widc_arff.cut_points import candidate_cuts, count_values
from widc_arff.induction.admission import Admission
from widc_arff.induction.aim import Demands
from widc_arff.induction.coding import CodedSample, code_sample
from widc_arff.induction.directions import directions
from widc_arff.induction.given import GivenRules, given_rules
from widc_arff.induction.voting import Voting
from widc_arff.options import Options, least_weight

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from widc_arff.dataset import Schema
    from widc_arff.induction.counter import Chain
    from widc_arff.induction.sample import LearningSample

N_PARTS, N_FINE_PARTS = 16, 64


class Problem:
    """Examples of one class each, in codes, and the demands on rules.

    Parameters
    ----------
    sample : LearningSample
        The examples, weighted by class as the options want.
    told : LearningSample
        The same examples with the weights that the data tell.
    coded : CodedSample
        `sample` in codes.
    schema : Schema
        Attributes and classes.
    options : Options
        What to vary.
    given : GivenRules, optional
        Rules of an expert as they were found before; by default from the options.
    """

    def __init__(
        self,
        sample: LearningSample,
        told: LearningSample,
        coded: CodedSample,
        schema: Schema,
        options: Options,
        given: GivenRules | None = None,
    ) -> None:
        self.sample, self.told, self.schema, self.options = sample, told, schema, options
        present = sample.class_weights > 0
        costs = costs_of_errors(options)
        demanded = None
        if options.monotone:
            demanded = directions(options.monotone, schema, present, coded.catalogue)
        voting = Voting(None if costs is None else costs[np.ix_(present, present)], demanded)
        self.given = given or given_rules(options, sample, schema, voting)
        admission = admission_of(coded, options, told, voting)
        self.demands = Demands(admission, voting, self.given.known(coded.catalogue))
        self.coded = coded
        if self.given.monomials:
            self.coded = replace(coded, given_votes=self.given.votes[present])

    @property
    def given_votes(self) -> NDArray[np.int16] | None:
        """Summed votes of the rules that are given, shape (n_classes, n_samples)."""
        return self.given.votes if self.given.monomials else None

    @property
    def given_blocks(self) -> NDArray[np.int64] | None:
        """The partition of the examples by the rules that are given."""
        return self.given.blocks if self.given.monomials else None

    @property
    def may_cut_finer(self) -> bool:
        """Whether there may be cut points between those that there are."""
        is_numeric = map(self._is_numeric, range(len(self.schema.attributes)))
        return self.options.cut_points == "mdl+" and any(is_numeric)

    def with_finer_cuts(self, attributes: Collection[int]) -> Problem | None:
        """Return the same problem with cut points between those of some attributes.

        Those that cut the weight into 16 equal parts are added.  None where these are no more.
        """
        before = self.coded.catalogue.cuts
        cuts = [
            np.union1d(old, self._cut_into(N_PARTS, a))
            if a in attributes and self._is_numeric(a)
            else old
            for a, old in enumerate(before)
        ]
        return None if sum(map(len, cuts)) == sum(map(len, before)) else self._with_cuts(cuts)

    def with_cuts_near(self, committee: Sequence[Chain]) -> Problem:
        """Return the same problem with the cut points of a committee and their neighbours alone.

        Neighbours are the next on both sides of those that cut the weight into 64 equal parts.
        """
        catalogue = self.coded.catalogue
        used: dict[int, set[int]] = defaultdict(set)
        for literal in {literal for chain in committee for literal in chain}:
            used[int(catalogue.attribute[literal])].add(int(catalogue.code[literal]))
        cuts = []
        for a, old in enumerate(catalogue.cuts):
            own = old[sorted(used[a])] if self._is_numeric(a) else old
            if len(own):
                fine = self._cut_into(N_FINE_PARTS, a)
                below = np.searchsorted(fine, own) - 1
                above = np.searchsorted(fine, own, side="right")
                near = np.concatenate([below[below >= 0], above[above < len(fine)]])
                own = np.union1d(own, fine[near])
            cuts.append(own)
        return self._with_cuts(cuts)

    def _with_cuts(self, cuts: list[NDArray[np.float64]]) -> Problem:
        coded = code_sample(self.sample, self.schema, cuts, negation=self.options.negation)
        return Problem(self.sample, self.told, coded, self.schema, self.options, self.given)

    def _is_numeric(self, attribute: int) -> bool:
        return self.schema.attributes[attribute].type != "nominal"

    def _cut_into(self, n_parts: int, attribute: int) -> NDArray[np.float64]:
        column = self.sample.columns[attribute]
        return measured_cuts(column, self.sample, f"quantile:{n_parts}")


def measured_cuts(
    column: NDArray[np.generic], sample: LearningSample, method: str
) -> NDArray[np.float64]:
    """Return the candidate cut points of a numeric column of a sample.

    Parameters
    ----------
    column : ndarray of shape (n_samples,)
    sample : LearningSample
        Labels and weights.
    method : str
        As in `Options.cut_points`.
    """
    needs_classes = method in ("mdl", "mdl+")
    Y = sample.Y[:, sample.Y.any(axis=0) if needs_classes else slice(0)]
    counts = count_values(np.asarray(column, np.float64), Y, sample.weights)
    counts = counts.in_units(sample.example_weight, label_sets=sample.label_sets)
    return candidate_cuts(counts, method)


def costs_of_errors(options: Options) -> NDArray[np.float64] | None:
    """Return what errors cost beside the weights of the examples; None: all the same."""
    return None if options.costs is None else costs_beyond_weights(options.costs)


def admission_of(
    coded: CodedSample, options: Options, told: LearningSample, voting: Voting
) -> Admission | None:
    """Return what bars literals from monomials; None if nothing does."""
    if options.min_coverage is None and voting.demands is None:
        return None
    least = 0.0
    if options.min_coverage is not None:
        in_all = float(told.weights.sum()) * told.quantum
        least = least_weight(options.min_coverage, in_all) / told.quantum
    return Admission(coded, voting, least, told.weights)
