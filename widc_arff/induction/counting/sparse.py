"""Counting the rare code: the way for attributes of two codes of which nearly all rows have one.

Where no row of a block has the rare code, no literal of the attribute splits the block: it holds
for all of its rows in the cover or for none.  What remains are the *touched* blocks of each
attribute; the common code has there what the rare one leaves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.induction.counting.covered import roots

if TYPE_CHECKING:
    from widc_arff.arrays import Codes, Floats, Integers
    from widc_arff.induction.counting.covered import Covered
    from widc_arff.induction.counting.dense import GroupSums
    from widc_arff.induction.sample.coding import CodeGroup


CELLS = 1 << 18
"""Codes looked through at once; few of them are rare."""


def add_sparse(group: CodeGroup, codes: Codes, covered: Covered, sums: GroupSums) -> None:
    """Add the terms of all touched blocks, for each literal of a group with rare codes."""
    assert group.rare is not None
    attribute = group.cells // group.n_codes
    is_rare = group.rare[attribute] == 0  # whether the plain literal, of code 0, is the rare one
    n_columns = len(covered.column_block)
    step = max(1, CELLS // (covered.n_rows + n_columns))
    of_rare, of_common = np.empty(len(codes)), np.empty(len(codes))
    for start in range(0, len(codes), step):
        part = slice(start, start + step)
        of_rare[part], of_common[part] = _sums(codes[part], group.rare[part], covered)
    sums.plain += np.where(is_rare, of_rare[attribute], of_common[attribute])
    if sums.negated is not None:
        sums.negated += np.where(is_rare, of_common[attribute], of_rare[attribute])


def _sums(codes: Codes, rare: Codes, covered: Covered) -> tuple[Floats, Floats]:
    """Return the sums of terms if the rows of the rare code are covered, and if the others are."""
    place = np.flatnonzero(codes == rare[:, None])
    attribute = place // covered.n_rows
    row = place - attribute * covered.n_rows
    none, every = covered.roots_of_none, covered.roots_of_all
    if len(row) == 0:
        return np.full(len(codes), none.sum()), np.full(len(codes), every.sum())
    touched = _touched(attribute, row, covered)
    column = touched.column
    within, without, block_within, block_without = covered.totals.take(column, axis=1)
    changes = roots(touched.within, touched.without, block_within, block_without)
    changes -= none[column]
    of_rare = touched.per_attribute(changes, len(codes)) + none.sum()
    within -= touched.within
    without -= touched.without
    changes = roots(within, without, block_within, block_without)
    changes -= every[column]
    return of_rare, touched.per_attribute(changes, len(codes)) + every.sum()


class _Touched(NamedTuple):
    """Columns of touched blocks, attribute by attribute.

    Parameters
    ----------
    attribute, starts : ndarray of shape (n_touching,)
        The attributes that touch any, and the first column of each.
    column : ndarray of shape (n_touched,)
        Each column.
    within, without : ndarray of shape (n_touched,)
        Weight of the rare code with and without the label.
    """

    attribute: Integers
    starts: Integers
    column: Integers
    within: Floats
    without: Floats

    def per_attribute(self, values: Floats, n_attributes: int) -> Floats:
        """Return sums of values of the columns."""
        found = np.zeros(n_attributes)
        found[self.attribute] = np.add.reduceat(values, self.starts)
        return found


def _touched(attribute: Integers, row: Integers, covered: Covered) -> _Touched:
    """Count rows of rare codes, given attribute by attribute."""
    block = covered.local[row]
    # Rows are sorted by block, so that those of one attribute and block are a run.
    key = attribute * len(covered.touched) + block
    new = np.empty(len(row), np.bool_)
    new[0] = True
    np.not_equal(key[1:], key[:-1], out=new[1:])
    first = new.nonzero()[0]
    run = np.cumsum(new) - 1
    run_block, run_attribute = block[first], attribute[first]
    weights = None if covered.weights is None else covered.weights[row]
    if weights is None:
        of_run = np.diff(first, append=len(row)).astype(np.float64)
    else:
        of_run = np.add.reduceat(weights, first)

    lengths = covered.n_columns[run_block]
    starts = np.cumsum(lengths) - lengths
    shift = covered.column_starts[run_block] - starts  # from a place among the touched to a column
    run_of = np.repeat(np.arange(len(first)), lengths)
    column = shift[run_of]
    column += np.arange(len(column))
    position, held = _held(covered, row)
    place = held - shift[run[position]]
    of_held = None if weights is None else weights[position]
    within = np.bincount(place, of_held, minlength=len(column)).astype(np.float64)
    without = of_run[run_of]
    without -= within

    touching = np.flatnonzero(np.diff(run_attribute, prepend=-1))
    return _Touched(run_attribute[touching], starts[touching], column, within, without)


def _held(covered: Covered, row: Integers) -> tuple[Integers, Integers]:
    """Return the labels that a sequence of rows hold: position in the sequence, and column."""
    of_row, column = covered.entries
    if covered.one_label and not covered.two_classes:
        return np.arange(len(row)), column[row]
    first = np.searchsorted(of_row, np.arange(covered.n_rows + 1))
    lengths = np.diff(first)[row]
    position = np.repeat(np.arange(len(row)), lengths)
    starts = np.cumsum(lengths) - lengths
    entry = (first[row] - starts)[position]
    entry += np.arange(len(position))
    return position, column[entry]
