"""Means over folds and repeats, and comparisons over domains."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.errors import WidcError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.reproduction.runs import Run

EQUAL = 1e-9
"""Errors and sizes that differ by less are a tie."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Mean and spread of one measure.

    Parameters
    ----------
    mean : float
        NaN where there is no result.
    spread : float
        Standard deviation over the folds of all repeats; NaN for fewer than two.
    """

    mean: float
    spread: float


NOTHING = Measured(math.nan, math.nan)


def measured(runs: Sequence[Run], measure: str) -> Measured:
    """Return mean and spread of a measure over the runs of one learner on one domain.

    The mean of ``error`` is that of the repeats' errors over all their test rows, in percent;
    ``conditions`` are literals of rules or inner nodes of a tree.
    """
    if not runs or any(run.fault for run in runs):
        return NOTHING
    if measure == "error":
        means = [100 * run.error for run in runs]
        values = [100 * error for run in runs for error in run.errors]
    else:
        per_fold = [_per_fold(run, measure) for run in runs]
        if None in per_fold:
            return NOTHING
        values = means = [value for of_run in per_fold for value in of_run or ()]
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else math.nan
    return Measured(float(np.mean(means)), spread)


def _per_fold(run: Run, measure: str) -> Sequence[float] | None:
    """Return a number for each fold; None if the learner has no such measure."""
    found = run.per_fold
    if measure != "conditions":
        return found.get(measure)
    if "nodes" not in found:
        return found.get("literals")
    return [nodes - leaves for nodes, leaves in zip(found["nodes"], found["rules"], strict=True)]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two learners over the domains that both have.

    Parameters
    ----------
    n : int
        Number of domains.
    first, second : float
        Means over them.
    better, equal, worse : int
        On how many domains the first is less than, equal to and greater than the second.
    p : float
        Two-sided Wilcoxon signed-rank test over the domains; 1 where nothing differs.
    """

    n: int
    first: float
    second: float
    better: int
    equal: int
    worse: int
    p: float


def compare(first: Sequence[float], second: Sequence[float]) -> Comparison:
    """Compare two learners, domain by domain; domains where one has NaN are passed over."""
    pairs = np.array([first, second], np.float64)
    pairs = pairs[:, ~np.isnan(pairs).any(axis=0)]
    if pairs.shape[1] == 0:
        return Comparison(0, math.nan, math.nan, 0, 0, 0, math.nan)
    difference = pairs[0] - pairs[1]
    difference[np.abs(difference) < EQUAL] = 0.0
    better, worse = int((difference < 0).sum()), int((difference > 0).sum())
    means = pairs.mean(axis=1)
    return Comparison(
        pairs.shape[1],
        float(means[0]),
        float(means[1]),
        better,
        len(difference) - better - worse,
        worse,
        wilcoxon(difference.tolist()),
    )


def wilcoxon(differences: Sequence[float]) -> float:
    """Return the two-sided p-value of Wilcoxon's signed-rank test, zeros left out.

    Raises
    ------
    WidcError
        If scipy is not installed.
    """
    require("scipy")
    from scipy import stats

    # Equal differences must tie in rank although they were computed from other numbers.
    values = np.round([value for value in differences if value], 9)
    if len(values) == 0:
        return 1.0
    return float(stats.wilcoxon(values).pvalue)


def require(module: str) -> None:
    """Say what to install if a module of the extra ``test`` is not there.

    Raises
    ------
    WidcError
        If it cannot be imported.
    """
    try:
        import_module(module)
    except ImportError as error:
        raise WidcError(f"reproduction needs {module}: pip install -e '.[test]'") from error
