"""Refined pruning of large samples: in steps, with cut points that are found where they matter.

With many examples a rule can tell values apart that ``mdl+``, which looks at one attribute at a
time, takes together.  A committee is sketched on some of the rows; the attributes that it uses get
finer cut points; monomials are grown anew with these, and refined.  At last all rows are looked at,
those that the literals of the committee do not tell apart taken together.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.aim import Aim
from widc_arff.induction.contest import MANY_CLASSES
from widc_arff.induction.distinct_rows import DistinctRows, distinct_rows
from widc_arff.induction.growing import GrowthLimits, distinct, grow
from widc_arff.induction.pruning import collect_patterns
from widc_arff.induction.refining import (
    MOST_REGROWN,
    Improver,
    is_cheap,
    length_for,
    manageable,
    refine,
    tell,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.induction.coding import Catalogue, CodedSample
    from widc_arff.induction.counter import Chain
    from widc_arff.induction.observer import Observer
    from widc_arff.induction.problem import Problem

LARGE = 5000
SKETCH_SCALE, FINAL_SCALE = 3 / 8, 4


def refine_problem(
    problem: Problem,
    grown: Sequence[Chain],
    limits: GrowthLimits,
    observer: Observer | None = None,
) -> tuple[Problem, list[Chain]]:
    """Return a committee of small description length, and the problem whose literals it has.

    Parameters
    ----------
    problem : Problem
        The examples.
    grown : sequence of tuple of int
        The large committee.
    limits : GrowthLimits
        Hard limits of the committee returned.
    observer : Observer, optional
        Is told of each committee that the search comes to.

    Notes
    -----
    Up to 5000 examples: `refine`.  Of more a part is looked at until the end (`manageable`).
    Numeric attributes get finer cut points in two steps: 16 parts of those that a sketch uses, and
    at the end the neighbours, among 64 parts, of the cut points in use.
    """
    if not grown:
        return problem, []
    pool = list(grown)
    is_large = problem.coded.n_samples > LARGE
    is_cut_finer = is_large and problem.may_cut_finer and problem.coded.n_labels <= MANY_CLASSES
    if is_cut_finer:
        aim = Aim(problem.options.penalty, limits, problem.demands)
        sketch = _polished(problem.coded, grown, aim, SKETCH_SCALE)
        used = {int(problem.coded.catalogue.attribute[i]) for chain in sketch for i in chain}
        finer = problem.with_finer_cuts(used)
        if finer is not None:
            old = _translated(sketch, problem.coded.catalogue, finer.coded.catalogue)
            problem, pool = finer, distinct([*old, *_regrown(finer, limits)])
    aim = Aim(problem.options.penalty, limits, problem.demands)
    part = manageable(problem.coded)
    best = refine(part, pool, aim, observer)
    if is_large and best and part.n_samples < problem.coded.n_samples:
        if is_cut_finer:
            near = problem.with_cuts_near(best)
            best = _translated(best, problem.coded.catalogue, near.coded.catalogue)
            problem, aim = near, Aim(aim.penalty, limits, near.demands, pairs=True)
        best = _polished(problem.coded, best, aim, FINAL_SCALE, observer)
        if best and problem.coded.n_labels <= MANY_CLASSES:
            best = _polished_on_all_rows(problem.coded, best, aim, observer)
    return problem, best


def _regrown(problem: Problem, limits: GrowthLimits) -> list[Chain]:
    demands = problem.demands
    growth = GrowthLimits(max_rules=MOST_REGROWN, max_literals=limits.max_literals)
    blocks = problem.given_blocks
    return grow(problem.coded, growth, blocks, demands.known, admission=demands.admission)


def _translated(chains: Sequence[Chain], old: Catalogue, new: Catalogue) -> list[Chain]:
    """Return monomials as literals of a catalogue that has all of theirs."""
    number = {new.literal(i): i for i in range(len(new))}
    return [tuple(number[literal] for literal in old.monomial(chain)) for chain in chains]


def _polished(
    sample: CodedSample,
    pool: Sequence[Chain],
    aim: Aim,
    scale: float,
    observer: Observer | None = None,
) -> list[Chain]:
    """Return a pool of monomials shrunk and polished on a part of the rows."""
    part = manageable(sample, scale)
    aim = replace(aim, replacing=is_cheap(part))
    rows, _ = distinct_rows(part, aim.demands.voting)
    improver = Improver(rows, length_for(part, aim.penalty), aim)
    best = improver.improved(pool)
    tell(observer, f"polished on {part.n_samples} examples", best, improver.value(best))
    return best


def _polished_on_all_rows(
    sample: CodedSample, committee: Sequence[Chain], aim: Aim, observer: Observer | None
) -> list[Chain]:
    """Return a committee shrunk and polished on all rows, with its own literals alone.

    The vectors of its rules can be others on all rows than on those that were looked at.
    """
    negation = sample.catalogue.negation
    used = {literal for chain in committee for literal in chain}
    literals = np.array(sorted(used | {int(negation[i]) for i in used}), np.int64)
    demands = aim.demands.restricted(literals)
    weights = np.ones(sample.n_samples) if sample.weights is None else sample.weights
    patterns = collect_patterns(
        map(sample.satisfying, literals.tolist()),
        (weights * (sample.labels == j) for j in range(sample.n_labels)),
        given_votes=sample.given_votes,
    )
    rows = DistinctRows(
        np.ascontiguousarray(patterns.satisfied.T),
        np.searchsorted(literals, negation[literals]),
        np.ascontiguousarray(patterns.class_weights.T),
        demands.voting,
        patterns.given_votes,
    )
    own = Aim(aim.penalty, aim.limits, demands)
    improver = Improver(rows, length_for(sample, aim.penalty), own)
    best = improver.improved(
        [tuple(np.searchsorted(literals, chain).tolist()) for chain in committee]
    )
    tell(observer, "polished on all examples", best, improver.value(best))
    return [tuple(literals[list(chain)].tolist()) for chain in best]
