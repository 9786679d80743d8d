"""Who counts: Z of the refined partition for every literal at once, in memory.

For rows that satisfy the monomial so far, sorted by block, `literal_sums` returns the sum of roots
of eq. (1) that results from each further literal, both signs from one pass.  Small dense
histograms count large blocks; where a block has fewer rows than cells (two classes, numeric
attributes), sorting its rows by code is cheaper.  Both add the same exact sums of weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.coding import CodedSample, CodeGroup, holds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from widc_arff.induction.partition import Front, Rows

    Sums = NDArray[np.float64]

ELEMENTS = 65536  # of one temporary array: it stays in the second-level cache
CELL_COST, ROW_COST, WEIGHTED_ROW_COST = 7.0, 9.5, 20.0  # of dense cells against sorted rows


def narrow(sample: CodedSample, rows: Rows, literal: int) -> Rows:
    """Return the rows that satisfy one more literal."""
    group, row = sample.catalogue.places[int(sample.catalogue.attribute[literal])]
    return rows.take(holds(sample, literal, rows.codes[group][row]).nonzero()[0])


def literal_sums(sample: CodedSample, front: Front, rows: Rows) -> Sums:
    """Return the sum of roots of eq. (1) after each literal is added to a monomial.

    Parameters
    ----------
    sample : CodedSample
        Groups of attributes and the catalogue.
    front : Front
        The partition before the monomial.
    rows : Rows
        Its rows that satisfy the monomial so far; at least one.

    Returns
    -------
    ndarray of float64 of shape (n_literals,)

    Notes
    -----
    One pass over the codes of the rows, O(n_rows n_attributes).
    """
    cover = _TwoClassCover(front, rows) if front.two_classes else _LabelCover(front, rows)
    at_start = len(rows) == len(front.rows)
    sums = np.full(len(sample.catalogue), np.inf)
    for group, codes in zip(sample.groups, rows.codes, strict=True):
        plain = np.zeros(group.shape)
        # At the empty monomial a literal and its negation split alike unless values are missing.
        alike = at_start and not group.has_missing
        complement = np.zeros(group.shape) if len(group.complement) and not alike else None
        cover.add_sums(group, codes, plain, complement)
        if alike:
            complement = plain
        sums[group.plain] = plain.ravel()[group.plain_cells]
        if complement is not None:
            sums[group.complement] = complement.ravel()[group.complement_cells]
    return np.asarray(sums + (front.sum_of_roots - front.terms[cover.touched].sum()))


class _Cover:
    """The touched blocks of a front and the rows in them."""

    def __init__(self, front: Front, rows: Rows) -> None:
        new = np.empty(len(rows), np.bool_)
        new[0] = True
        np.not_equal(rows.block[1:], rows.block[:-1], out=new[1:])
        self.weights = rows.weights
        self.starts = new.nonzero()[0]
        self.touched = rows.block[self.starts]
        self.stops = np.empty_like(self.starts)
        self.stops[:-1], self.stops[-1] = self.starts[1:], len(rows)
        self.sizes = self.stops - self.starts
        self.local = np.cumsum(new) - 1  # number of each row's block among the touched ones
        self.front = front

    def row_span(self, first_block: int, stop_block: int) -> slice:
        return slice(int(self.starts[first_block]), int(self.stops[stop_block - 1]))

    def row_weights(self, rows: slice) -> NDArray[np.float64] | None:
        return None if self.weights is None else self.weights[rows]


class _TwoClassCover(_Cover):
    """Counts the weight of both classes; the sum of roots takes one term a block."""

    def __init__(self, front: Front, rows: Rows) -> None:
        super().__init__(front, rows)
        self.y = rows.labels.astype(np.int64, copy=False)
        block = front.label_weights[self.touched]
        # positive and negative weight in the cover, then in the whole block
        self.totals = np.empty((4, len(block)))
        if rows.weights is None:
            self.totals[0] = np.add.reduceat(self.y, self.starts)
            self.totals[1] = self.sizes - self.totals[0]
        else:
            self.totals[0] = np.add.reduceat(rows.weights * self.y, self.starts)
            self.totals[1] = np.add.reduceat(rows.weights, self.starts) - self.totals[0]
        self.totals[2], self.totals[3] = block[:, 1], block[:, 0]

    def add_sums(
        self, group: CodeGroup, codes: NDArray[np.generic], plain: Sums, complement: Sums | None
    ) -> None:
        """Add the sum of roots of the touched blocks for each literal of a group."""
        n_dense = self._n_dense(group, len(codes))
        step = max(1, ELEMENTS // (2 * group.n_codes))
        for start in range(0, n_dense, step):
            blocks = slice(start, min(start + step, n_dense))
            self._add_dense(group, codes, blocks, plain, complement)
        if n_dense < len(self.touched):
            self._add_sorted(group, codes, n_dense, plain, complement)

    def _n_dense(self, group: CodeGroup, n_attributes: int) -> int:
        """Return how many of the first blocks to count in dense histograms."""
        n_blocks = len(self.touched)
        one_pass = 2 * group.n_codes * n_blocks * n_attributes <= ELEMENTS
        if one_pass or not group.numeric or group.n_codes > ELEMENTS // 2:
            return n_blocks
        # Blocks are ordered by size in the front, hence roughly here: one cut is enough.
        row_cost = ROW_COST if self.weights is None else WEIGHTED_ROW_COST
        saved = np.cumsum(CELL_COST * group.n_codes - row_cost * self.sizes)
        return int(saved.argmin()) + 1 if saved.min() < 0 else 0

    def _add_dense(
        self,
        group: CodeGroup,
        codes: NDArray[np.generic],
        blocks: slice,
        plain: Sums,
        complement: Sums | None,
    ) -> None:
        rows = self.row_span(blocks.start, blocks.stop)
        n_blocks, n_codes = blocks.stop - blocks.start, group.n_codes
        key = self.y[rows] * (n_codes * n_blocks) + (self.local[rows] - blocks.start)
        weights = self.row_weights(rows)
        cells = 2 * n_codes * n_blocks
        for attributes in attribute_spans(len(codes), len(key), cells):
            counts = histograms(codes[attributes, rows], n_blocks, key, cells, weights)
            counts = counts.reshape(-1, 2, n_codes, n_blocks)
            if group.numeric:
                accumulate(counts, axis=2)
            add_splits(
                group,
                (counts[:, 1], counts[:, 0]),
                self.totals[:, blocks],
                plain[attributes],
                None if complement is None else complement[attributes],
            )

    def _add_sorted(
        self,
        group: CodeGroup,
        codes: NDArray[np.generic],
        n_dense: int,
        plain: Sums,
        complement: Sums | None,
    ) -> None:
        most = ELEMENTS // (2 * group.n_codes)  # so that the keys have 16 bits
        for span in _spans(self.sizes[n_dense:], ELEMENTS, most):
            blocks = slice(n_dense + span.start, n_dense + span.stop)
            rows = self.row_span(blocks.start, blocks.stop)
            block = self.local[rows] - blocks.start
            key = (block * (2 * group.n_codes) + self.y[rows]).astype(np.uint16)
            starts = self.starts[blocks] - rows.start
            for attributes in attribute_spans(len(codes), len(key), 0):
                code, positive, negative = _sorted_counts(
                    codes[attributes, rows], key, block, starts, self.row_weights(rows)
                )
                code %= group.n_codes
                _add_sorted_splits(
                    group,
                    _SortedBlocks(code, block, starts, self.totals[:, blocks]),
                    (positive, negative),
                    plain[attributes],
                    None if complement is None else complement[attributes],
                )


class _LabelCover(_Cover):
    """Counts any number of labels: a column for each label that splits a block, a pair."""

    def __init__(self, front: Front, rows: Rows) -> None:
        super().__init__(front, rows)
        totals = front.totals[self.touched]
        block = front.label_weights[self.touched]
        is_pair = (block > 0) & (block < totals[:, None])
        numbers = np.cumsum(is_pair.ravel()).reshape(is_pair.shape) - 1
        self.pair_block, pair_label = np.nonzero(is_pair)
        self.n_pairs = is_pair.sum(axis=1)
        self.pair_starts = np.cumsum(self.n_pairs) - self.n_pairs
        self.single = rows.labels.ndim == 1
        if self.single:
            self.entry_rows, label = None, rows.labels.astype(np.int64)
            self.entry_pair = numbers[self.local, label]
        else:
            row, label = np.nonzero(rows.labels)
            inside = is_pair[self.local[row], label]
            self.entry_rows = row[inside]
            self.entry_pair = numbers[self.local[self.entry_rows], label[inside]]
        weights = np.ones(len(rows)) if rows.weights is None else rows.weights
        entry_weights = weights if self.entry_rows is None else weights[self.entry_rows]
        covered = np.bincount(self.entry_pair, entry_weights, minlength=len(self.pair_block))
        of_block = np.add.reduceat(weights, self.starts)[self.pair_block]
        of_label = block[self.pair_block, pair_label]
        # with and without the label in the cover, then in the whole block
        self.totals = np.stack(
            [covered, of_block - covered, of_label, totals[self.pair_block] - of_label]
        )

    def add_sums(
        self, group: CodeGroup, codes: NDArray[np.generic], plain: Sums, complement: Sums | None
    ) -> None:
        """Add the sum of roots of the touched blocks for each literal of a group."""
        for blocks in _spans(self.n_pairs * group.n_codes, ELEMENTS):
            self._add_dense(group, codes, blocks, plain, complement)

    def _add_dense(
        self,
        group: CodeGroup,
        codes: NDArray[np.generic],
        blocks: slice,
        plain: Sums,
        complement: Sums | None,
    ) -> None:
        rows = self.row_span(blocks.start, blocks.stop)
        first_pair = int(self.pair_starts[blocks.start])
        pairs = slice(first_pair, first_pair + int(self.n_pairs[blocks].sum()))
        n_pairs, n_codes = pairs.stop - pairs.start, group.n_codes
        pair_block = self.pair_block[pairs] - blocks.start
        cells = n_codes * n_pairs
        for attributes in attribute_spans(len(codes), rows.stop - rows.start, cells):
            chunk = codes[attributes, rows]
            counts = self._pair_counts(chunk, rows, first_pair, n_pairs, cells)
            counts = counts.reshape(-1, n_codes, n_pairs)
            if self.single:
                starts = self.pair_starts[blocks] - first_pair
                of_block = np.add.reduceat(counts, starts, axis=2)
            else:
                n_blocks = blocks.stop - blocks.start
                key = self.local[rows] - blocks.start
                weights = self.row_weights(rows)
                of_block = histograms(chunk, n_blocks, key, n_codes * n_blocks, weights)
                of_block = of_block.reshape(-1, n_codes, n_blocks)
            others = of_block[:, :, pair_block] - counts
            if group.numeric:
                accumulate(counts, axis=1)
                accumulate(others, axis=1)
            add_splits(
                group,
                (counts, others),
                self.totals[:, pairs],
                plain[attributes],
                None if complement is None else complement[attributes],
            )

    def _pair_counts(
        self,
        chunk: NDArray[np.generic],
        rows: slice,
        first_pair: int,
        n_pairs: int,
        cells: int,
    ) -> Sums:
        weights = self.row_weights(rows)
        if self.entry_rows is None:
            key = self.entry_pair[rows] - first_pair
            return histograms(chunk, n_pairs, key, cells, weights)
        entries = slice(*np.searchsorted(self.entry_rows, (rows.start, rows.stop)))
        at = self.entry_rows[entries] - rows.start
        key = self.entry_pair[entries] - first_pair
        return histograms(
            chunk[:, at], n_pairs, key, cells, None if weights is None else weights[at]
        )


def add_splits(
    group: CodeGroup,
    counts: tuple[Sums, Sums],
    totals: Sums,
    plain: Sums,
    complement: Sums | None,
) -> None:
    """Add the roots of both sides of each split, from dense counts.

    Parameters
    ----------
    group : CodeGroup
        Tells what the codes are.
    counts : pair of ndarray of shape (n_attributes, n_codes, n_columns)
        Weight with and without the label (for numeric codes: at this code or below).
    totals : ndarray of shape (4, n_columns)
        With and without the label in the cover, then in the block.
    plain, complement : ndarray of shape (n_attributes, n_codes)
        Sums to add to.
    """
    within, without, block_within, block_without = totals
    plain += _roots(*counts, block_within, block_without).sum(axis=-1)
    if complement is None:
        return
    if group.has_missing:
        known = [
            side[:, -2:-1] if group.numeric else side[:, :-1].sum(axis=1, keepdims=True)
            for side in counts
        ]
    else:
        known = [within, without]
    rest = [k - side for k, side in zip(known, counts, strict=True)]
    if group.has_missing:
        for side in rest:
            side[:, -1] = 0  # no literal is at the code of missing values
    complement += _roots(rest[0], rest[1], block_within, block_without).sum(axis=-1)


class _SortedBlocks:
    """Rows sorted by code within each block, and what their blocks hold."""

    def __init__(
        self,
        code: NDArray[np.int64],
        block: NDArray[np.int64],
        starts: NDArray[np.int64],
        totals: Sums,
    ) -> None:
        self.code = code  # (n_attributes, n_rows)
        self.block = block  # (n_rows,)
        self.starts = starts  # (n_blocks,)
        self.totals = totals  # (4, n_blocks)

    def known(self, counts: tuple[Sums, Sums], missing_code: int) -> list[Sums]:
        """Return the weights of the rows whose value is known, each (n_attributes, n_blocks)."""
        stops = np.append(self.starts[1:], len(self.block))
        n_known = np.add.reduceat((self.code != missing_code).astype(np.int64), self.starts, axis=1)
        last = self.starts + n_known - 1  # missing values have the highest code
        some = n_known > 0
        last = np.where(some, last, stops - 1)
        return [np.where(some, np.take_along_axis(side, last, axis=1), 0.0) for side in counts]


def _sorted_counts(
    codes: NDArray[np.generic],
    key: NDArray[np.uint16],
    block: NDArray[np.int64],
    starts: NDArray[np.int64],
    weights: NDArray[np.float64] | None,
) -> tuple[NDArray[np.int64], Sums, Sums]:
    """Sort rows by block, code and class, and sum the weights of each class from a block's start.

    Returns the sorted codes with their block numbers above them, and the sums with and without
    the class, each of shape (n_attributes, n_rows).
    """
    keys = codes.astype(np.uint16)
    keys <<= 1
    keys += key
    if weights is None:
        keys.sort(axis=1, kind="stable")
        of_class = (keys & 1).astype(np.float64)
        all_sums = np.broadcast_to(np.arange(1.0, len(key) + 1), keys.shape)
    else:
        order = np.argsort(keys, axis=1, kind="stable")
        keys = np.take_along_axis(keys, order, axis=1)
        sorted_weights = weights[order]
        of_class = (keys & 1) * sorted_weights
        all_sums = np.cumsum(sorted_weights, axis=1)
    positive = np.cumsum(of_class, axis=1)
    negative = all_sums - positive
    for sums in (positive, negative):
        before = np.zeros((len(codes), len(starts)))
        before[:, 1:] = sums[:, starts[1:] - 1]
        np.subtract(sums, before[:, block], out=sums)
    return (keys >> 1).astype(np.int64), positive, negative


def _add_sorted_splits(
    group: CodeGroup,
    blocks: _SortedBlocks,
    counts: tuple[Sums, Sums],
    plain: Sums,
    complement: Sums | None,
) -> None:
    """Add the roots of both sides of each split, from counts along sorted rows.

    Within a block the sum of roots after a row changes from that before it; the changes are summed
    per code.  Rows of equal code telescope, so that runs need not be found.
    """
    within, without, block_within, block_without = blocks.totals
    row_within, row_without = block_within[blocks.block], block_without[blocks.block]
    cells = np.arange(len(plain))[:, None] * group.n_codes + blocks.code

    def add(sides: tuple[Sums, Sums], before: Sums, target: Sums) -> None:
        roots = _roots(*sides, row_within, row_without)
        changes = np.empty_like(roots)
        np.subtract(roots[:, 1:], roots[:, :-1], out=changes[:, 1:])
        changes[:, blocks.starts] = roots[:, blocks.starts] - before
        sums = np.bincount(cells.ravel(), changes.ravel(), minlength=target.size)
        target += sums.reshape(target.shape).cumsum(axis=1)
        target += before.sum(axis=-1, keepdims=True)

    add(counts, np.sqrt(block_within * block_without), plain)
    if complement is None:
        return
    if group.has_missing:
        known = blocks.known(counts, group.n_codes - 1)
        rows_known = [side[:, blocks.block] for side in known]
    else:
        known = [within, without]
        rows_known = [side[blocks.block] for side in known]
    rest = [k - side for k, side in zip(rows_known, counts, strict=True)]
    # At rows of missing value the rest would be negative; their codes belong to no literal.
    sides = (np.maximum(rest[0], 0), np.maximum(rest[1], 0))
    add(sides, _roots(known[0], known[1], block_within, block_without), complement)


def _roots(within: Sums, without: Sums, total_within: Sums, total_without: Sums) -> Sums:
    """Return sqrt(W+ W-) of the covered part plus that of the rest of the block."""
    roots = within * without
    np.sqrt(roots, out=roots)
    rest = total_within - within
    rest *= total_without - without
    np.sqrt(rest, out=rest)
    roots += rest
    return np.asarray(roots)


def histograms(
    codes: NDArray[np.generic],
    stride: int,
    key: NDArray[np.int64],
    cells: int,
    weights: NDArray[np.float64] | None,
) -> Sums:
    """Return the weight per ``code * stride + key`` for each row of codes, shape (n, cells)."""
    n = len(codes)
    offsets = np.arange(n)[:, None] * cells
    total: Sums | None = None
    step = max(ELEMENTS, 4 * cells) if codes.shape[1] >= 2 * ELEMENTS else codes.shape[1]
    for start in range(0, codes.shape[1], max(step, 1)):
        part = slice(start, start + step)
        keys = np.multiply(codes[:, part], stride, dtype=np.int64)
        keys += key[part]
        if n > 1:
            keys += offsets
        tiled = None if weights is None else np.tile(weights[part], n)
        counts = np.bincount(keys.ravel(), tiled, minlength=n * cells).astype(np.float64)
        total = counts if total is None else total + counts
    if total is None:
        total = np.zeros(n * cells)
    return total.reshape(n, cells)


def accumulate(counts: Sums, axis: int) -> None:
    """Sum over the codes from the lowest, in place."""
    if counts.shape[-1] < 16:
        np.cumsum(counts, axis=axis, out=counts)
        return
    moved = np.moveaxis(counts, axis, 0)
    for i in range(1, len(moved)):
        moved[i] += moved[i - 1]


def _spans(sizes: NDArray[np.int64], limit: int, most: int | None = None) -> Iterator[slice]:
    """Cut a sequence into spans of at most `limit` in size and `most` in number, one at least."""
    if most is None and len(sizes) and sizes.sum() <= limit:
        yield slice(0, len(sizes))
        return
    ends = np.cumsum(sizes)
    start, done = 0, 0
    while start < len(sizes):
        stop = max(start + 1, int(np.searchsorted(ends, done + limit, side="right")))
        if most is not None:
            stop = min(stop, start + most)
        yield slice(start, stop)
        start, done = stop, int(ends[stop - 1])


def attribute_spans(n_attributes: int, n_rows: int, cells: int) -> Iterator[slice]:
    """Cut attributes into spans whose temporary arrays stay small."""
    step = max(1, ELEMENTS // max(n_rows, cells, 1))
    for start in range(0, n_attributes, step):
        yield slice(start, min(start + step, n_attributes))
