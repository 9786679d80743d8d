"""Counting along sorted rows: the way for blocks that have fewer rows than codes.

The rows of each block are sorted by code; sums from its first row are the counts at each code or
below.  Keys have 16 bits, which numpy sorts by radix.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.induction.counting.covered import roots
from widc_arff.induction.counting.slices import attribute_spans, spans

if TYPE_CHECKING:
    from widc_arff.arrays import Codes, Floats, Integers
    from widc_arff.induction.counting.covered import Covered
    from widc_arff.induction.counting.dense import GroupSums
    from widc_arff.induction.sample.coding import CodeGroup


KEYS = 65536
"""Number of keys of 16 bits."""


class _Line(NamedTuple):
    """Columns one after the other, each with the rows of its block, whatever they are sorted by.

    Parameters
    ----------
    column : ndarray of shape (n,)
        Column of each place.
    starts : ndarray of shape (n_columns,)
        First place of each column.
    totals : ndarray of shape (4, n_columns)
        With and without the label in the cover, then in the block.
    """

    column: Integers
    starts: Integers
    totals: Floats

    def within_columns(self, sums: Floats) -> None:
        """Let running sums of shape (n_attributes, n) begin anew at each column, in place."""
        before = np.zeros((len(sums), len(self.starts)))
        before[:, 1:] = sums[:, self.starts[1:] - 1]
        sums -= before[:, self.column]


class _Counts(NamedTuple):
    """Codes along a line, and weights with and without the label up to each place.

    Each of shape (n_attributes, n).
    """

    code: Integers
    within: Floats
    without: Floats


def add_sorted(
    group: CodeGroup, codes: Codes, covered: Covered, first_block: int, sums: GroupSums
) -> None:
    """Add the terms of the touched blocks from one on, for each literal of a numeric group."""
    count = _of_two_classes if covered.two_classes else _of_labels
    n_places = covered.sizes[first_block:] * covered.n_columns[first_block:]
    for span in spans(n_places, KEYS // (2 * group.n_codes)):
        blocks = slice(first_block + span.start, first_block + span.stop)
        rows, columns = covered.row_span(blocks), covered.column_span(blocks)
        line = _line(covered, columns)
        for attributes in attribute_spans(len(codes), len(line.column)):
            counts = count(group.n_codes, codes[attributes, rows], covered, blocks, line)
            _add_splits(group, attributes, line, counts, sums)


def _line(covered: Covered, columns: slice) -> _Line:
    lengths = covered.sizes[covered.column_block[columns]]
    starts = np.cumsum(lengths) - lengths
    return _Line(np.repeat(np.arange(len(starts)), lengths), starts, covered.totals[:, columns])


def _of_two_classes(
    n_codes: int, codes: Codes, covered: Covered, blocks: slice, line: _Line
) -> _Counts:
    """Count with the class in the lowest bit of the keys, so that the keys alone are sorted."""
    rows = covered.row_span(blocks)
    keys = codes.astype(np.uint16)
    keys <<= 1
    keys += (line.column * (2 * n_codes) + covered.y[rows]).astype(np.uint16)
    weights = covered.row_weights(rows)
    if weights is None:
        keys.sort(axis=1, kind="stable")
        of_class = (keys & 1).astype(np.float64)
        all_sums = np.broadcast_to(np.arange(1.0, keys.shape[1] + 1), keys.shape)
    else:
        order = np.argsort(keys, axis=1, kind="stable")
        keys = np.take_along_axis(keys, order, axis=1)
        sorted_weights = weights[order]
        of_class = (keys & 1) * sorted_weights
        all_sums = np.cumsum(sorted_weights, axis=1)
    within = np.cumsum(of_class, axis=1)
    without = all_sums - within
    line.within_columns(within)
    line.within_columns(without)
    return _Counts((keys >> 1).astype(np.int64) % n_codes, within, without)


def _of_labels(n_codes: int, codes: Codes, covered: Covered, blocks: slice, line: _Line) -> _Counts:
    """Count with the rows of a block sorted once and read once for each of its columns."""
    rows, columns = covered.row_span(blocks), covered.column_span(blocks)
    keys = codes.astype(np.uint16)
    keys += ((covered.local[rows] - blocks.start) * n_codes).astype(np.uint16)
    order = np.argsort(keys, axis=1, kind="stable")
    first_row = covered.starts[covered.column_block[columns]] - rows.start
    place = np.arange(len(line.column))
    place += (first_row - line.starts)[line.column]
    row = order.take(place, axis=1)
    label = covered.column_label[columns][line.column]
    labels = covered.labels[rows]
    held = labels[row] == label if covered.one_label else labels[row, label]
    holds = held.astype(np.float64)
    weights = covered.row_weights(rows)
    if weights is None:
        within = np.cumsum(holds, axis=1)
        line.within_columns(within)
        without = np.arange(1.0, len(place) + 1) - line.starts[line.column] - within
    else:
        weight = weights[row]
        holds *= weight
        within, without = np.cumsum(holds, axis=1), np.cumsum(weight - holds, axis=1)
        line.within_columns(within)
        line.within_columns(without)
    sorted_codes = np.take_along_axis(codes, order, axis=1).astype(np.int64)
    return _Counts(sorted_codes.take(place, axis=1), within, without)


def _add_splits(
    group: CodeGroup, attributes: slice, line: _Line, counts: _Counts, sums: GroupSums
) -> None:
    """Add the roots of both sides of each split, from counts along sorted rows.

    Within a column the sum of roots after a place changes from that before it; the changes are
    summed per code.  Places of equal code telescope, so that runs need not be found.
    """
    within, without, block_within, block_without = line.totals
    place_within, place_without = block_within[line.column], block_without[line.column]
    n_attributes = len(counts.code)
    cells = (np.arange(n_attributes)[:, None] * group.n_codes + counts.code).ravel()
    where = group.cells_of(attributes)
    chosen = group.cells[where] - attributes.start * group.n_codes

    def added(sides: tuple[Floats, Floats], before: Floats) -> Floats:
        found = roots(*sides, place_within, place_without)
        changes = np.empty_like(found)
        np.subtract(found[:, 1:], found[:, :-1], out=changes[:, 1:])
        changes[:, line.starts] = found[:, line.starts] - before
        steps = np.bincount(cells, changes.ravel(), minlength=n_attributes * group.n_codes)
        after = steps.reshape(n_attributes, -1).cumsum(axis=1)
        after += before.sum(axis=-1, keepdims=True)
        return np.asarray(after.ravel()[chosen])

    sums.plain[where] += added(
        (counts.within, counts.without), np.sqrt(block_within * block_without)
    )
    if sums.negated is None:
        return
    known = [within, without]
    places_known = [side[line.column] for side in known]
    if group.has_missing:
        known = _known(line, counts, group.n_codes - 1)
        places_known = [side[:, line.column] for side in known]
    # At places of missing value the rest would be negative; their codes belong to no literal.
    rest = (
        np.maximum(places_known[0] - counts.within, 0),
        np.maximum(places_known[1] - counts.without, 0),
    )
    sums.negated[where] += added(rest, roots(known[0], known[1], block_within, block_without))


def _known(line: _Line, counts: _Counts, missing_code: int) -> list[Floats]:
    """Return the weights of the rows whose value is known, each (n_attributes, n_columns)."""
    stops = np.append(line.starts[1:], len(line.column))
    is_known = (counts.code != missing_code).astype(np.int64)
    n_known = np.add.reduceat(is_known, line.starts, axis=1)
    some = n_known > 0
    # missing values have the highest code
    last = np.where(some, line.starts + n_known - 1, stops - 1)
    sides = (counts.within, counts.without)
    return [np.where(some, np.take_along_axis(side, last, axis=1), 0.0) for side in sides]
