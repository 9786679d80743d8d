"""What would have to change for another decision: the nearest changes of up to three attributes.

A change gives one, two or three attributes of an example other values, so that all literals of
these attributes, in all rules, move together.  It counts if the committee then decides otherwise:
for another class, for another set of labels, or with costs for another class of least cost.

Which values are tried: of each attribute the regions that the committee tells apart
(`widc_arff.model.axes`), each entered at the value nearest to the present one that occurred in
training; a region in which nothing occurred is not entered.  A missing value can become any.

Which are listed: those of the fewest attributes, for each set of attributes the nearest, then of
all sets the nearest ones.  How near is the sum of how far each attribute moves, in parts of the
span of its values in training; a nominal or missing value moves by 1.  Of equally near ones the
first in the order of the attributes, then of their regions.

The search is exact: for each set of attributes all combinations of their regions are tried, for
rows that no smaller set flips.  Sets of which a bound on the votes that they can move shows that
they flip nothing are passed over.  Where there are more than `MOST_COMBINATIONS` of three
attributes, only sets of one and two are tried (`widc_arff.model.change_search`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.model.change_search import ChangeSearch
from widc_arff.model.change_values import ANY, Wanted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from widc_arff.data.dataset import Dataset
    from widc_arff.model.change_values import Change, Unknown
    from widc_arff.model.committee import DecisionCommittee
    from widc_arff.model.costs import CostMatrix

_ROWS_AT_A_TIME = 1024


def nearest_changes(
    committee: DecisionCommittee, dataset: Dataset, row: int, wanted: Wanted = ANY
) -> tuple[Change, ...]:
    """Return the changes of the fewest attributes that flip the decision for one row.

    Parameters
    ----------
    committee : DecisionCommittee
        For classes or label sets.
    dataset : Dataset
        In the schema of the committee.
    row : int
        Index of the row.
    wanted : Wanted, optional
        Which changes count.

    Returns
    -------
    tuple of Change
        The nearest first; empty where no change of up to three attributes flips the decision.  The
        head of this module defines which ones and in which order.

    Raises
    ------
    DataError
        If a name in `wanted` is not an attribute, or the attribute cannot increase.
    IndexError
        If there is no such row.

    Examples
    --------
    >>> from widc_arff import induce, read_dataset
    >>> flowers = read_dataset("arff_data/iris.arff")
    >>> (change,) = nearest_changes(induce(flowers), flowers, 70)
    >>> (step,) = change.steps
    >>> flowers.schema.attributes[step.attribute].name, step.before, step.after
    ('petal_width', 1.8, 1.7)
    >>> flowers.schema.labels.values[change.decision]
    'versicolor'
    """
    example = dataset.take(np.array([range(dataset.n_samples)[row]]))
    return next(changes_by_row(committee, example, wanted))


def changes_by_row(
    committee: DecisionCommittee, dataset: Dataset, wanted: Wanted = ANY
) -> Iterator[tuple[Change, ...]]:
    """Yield `nearest_changes` of every row, some rows computed at a time."""
    wanted.check(committee)
    search = ChangeSearch(committee, wanted)
    for start in range(0, dataset.n_samples, _ROWS_AT_A_TIME):
        stop = min(start + _ROWS_AT_A_TIME, dataset.n_samples)
        yield from search.changes(dataset.take(np.arange(start, stop)))


def unknown_by_row(
    committee: DecisionCommittee, dataset: Dataset, costs: CostMatrix | None = None
) -> Iterator[tuple[Unknown, ...]]:
    """Yield of every row which rules cannot be judged, and what missing values could decide."""
    search = ChangeSearch(committee, Wanted(costs=costs))
    for start in range(0, dataset.n_samples, _ROWS_AT_A_TIME):
        stop = min(start + _ROWS_AT_A_TIME, dataset.n_samples)
        yield from search.unknown(dataset.take(np.arange(start, stop)))
