"""Z of the refined partition for every literal at once, in memory.

For rows that satisfy the monomial so far, sorted by block, `literal_sums` returns the sum of roots
of eq. (1) that results from each further literal, both signs from one pass.  There are three ways
to count, which add the same exact sums of weights; only time decides which.

- `sparse`: rows of rare codes, for attributes of two;
- `dense`: histograms of codes, for large blocks;
- `sorted`: rows sorted by code, for small blocks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.counting.covered import Covered
from widc_arff.induction.counting.dense import GroupSums, add_dense
from widc_arff.induction.counting.slices import fits
from widc_arff.induction.counting.sorted import KEYS, add_sorted
from widc_arff.induction.counting.sparse import add_sparse
from widc_arff.induction.sample.coding import CodedSample, CodeGroup, holds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff.arrays import Floats
    from widc_arff.induction.counting.partition import BlockRows, Front

# Costs in nanoseconds, on the machine where they were measured.
CELL_COST, ROW_COST, WEIGHTED_ROW_COST = 7.0, 9.5, 20.0  # of scored cells against sorted rows
LABEL_ROW_COST, WEIGHTED_LABEL_ROW_COST = 24.0, 40.0  # the same for one label of several
ROWS_OF_COLUMN = 16
"""Where there are fewer, rare codes are looked up."""


def narrow(sample: CodedSample, rows: BlockRows, literal: int) -> BlockRows:
    """Return the rows that satisfy one more literal."""
    group, row = sample.catalogue.places[int(sample.catalogue.column[literal])]
    return rows.take(holds(sample, literal, rows.codes[group][row]).nonzero()[0])


def literal_sums(
    sample: CodedSample, front: Front, rows: BlockRows, row_cost: float | None = None
) -> Floats:
    """Return the sum of roots of eq. (1) after each literal is added to a monomial.

    Parameters
    ----------
    sample : CodedSample
        Groups of attributes and the catalogue.
    front : Front
        The partition before the monomial.
    rows : BlockRows
        Its rows that satisfy the monomial so far; at least one.
    row_cost : float, optional
        Time of a sorted row in nanoseconds; by default as it was measured for rows of this kind.

    Returns
    -------
    ndarray of float64 of shape (n_literals,)

    Notes
    -----
    One pass over the codes of the rows, O(n_rows n_attributes).
    """
    covered = Covered(front, rows)
    at_start = len(rows) == len(front.rows)
    sums = np.full(len(sample.catalogue), np.inf)
    for group, codes in zip(sample.groups, rows.codes, strict=True):
        # At the empty monomial a literal and its negation split alike unless values are missing.
        alike = at_start and not group.has_missing
        of_group = GroupSums(group, negations=not alike)
        _add(group, codes, covered, of_group, row_cost)
        sums[group.plain] = of_group.plain
        negated = of_group.plain if of_group.negated is None else of_group.negated
        sums[group.complement] = negated[group.paired]
    return np.asarray(sums + (front.sum_of_roots - front.terms[covered.touched].sum()))


def _add(
    group: CodeGroup,
    codes: NDArray[np.generic],
    covered: Covered,
    sums: GroupSums,
    row_cost: float | None,
) -> None:
    """Add the terms of the touched blocks in the way that takes the least time."""
    if group.rare is not None and covered.n_rows < ROWS_OF_COLUMN * len(covered.column_block):
        add_sparse(group, codes, covered, sums)
    else:
        n_dense = _n_dense(group, covered, len(codes), row_cost)
        if n_dense:
            add_dense(group, codes, covered, n_dense, sums)
        if n_dense < len(covered.touched):
            add_sorted(group, codes, covered, n_dense, sums)


def _n_dense(
    group: CodeGroup, covered: Covered, n_attributes: int, row_cost: float | None = None
) -> int:
    """Return how many of the first blocks to count in dense histograms."""
    n_blocks = len(covered.touched)
    cells = 2 * group.n_codes * covered.n_columns
    one_pass = fits(int(cells.sum()) * n_attributes)
    # Sums along sorted rows of several labels each may have more bits than a float.
    exact = covered.weights is None or covered.one_label
    if one_pass or not group.numeric or 2 * group.n_codes > KEYS or not exact:
        return n_blocks
    # Blocks are ordered by size in the front, hence roughly here: one cut is enough.
    costs = (ROW_COST, WEIGHTED_ROW_COST)
    if not covered.two_classes:
        costs = (LABEL_ROW_COST, WEIGHTED_LABEL_ROW_COST)
    if row_cost is None:
        row_cost = costs[covered.weights is not None]
    places = covered.sizes * covered.n_columns
    saved = np.cumsum(CELL_COST / 2 * cells - row_cost * places)
    return int(saved.argmin()) + 1 if saved.min() < 0 else 0
