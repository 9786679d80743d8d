"""Work in pieces whose temporary arrays stay small."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from widc_arff.arrays import Integers

ELEMENTS = 65536
"""Of one temporary array: it stays in the second-level cache."""


def spans(sizes: Integers, most: int | None = None) -> Iterator[slice]:
    """Cut a sequence into spans of `ELEMENTS` in size and `most` in number, one at least."""
    if most is None and len(sizes) and sizes.sum() <= ELEMENTS:
        yield slice(0, len(sizes))
        return
    ends = np.cumsum(sizes)
    start, done = 0, 0
    while start < len(sizes):
        stop = max(start + 1, int(np.searchsorted(ends, done + ELEMENTS, side="right")))
        if most is not None:
            stop = min(stop, start + most)
        yield slice(start, stop)
        start, done = stop, int(ends[stop - 1])


def fits(n: int) -> bool:
    """Tell whether one temporary array holds so many elements."""
    return n <= ELEMENTS


def row_spans(n_rows: int, n_cells: int) -> Iterator[slice]:
    """Cut many rows into spans that are long beside the cells that they are counted in."""
    step = max(ELEMENTS, 4 * n_cells) if n_rows >= 2 * ELEMENTS else max(n_rows, 1)
    for start in range(0, n_rows, step):
        yield slice(start, min(start + step, n_rows))


def attribute_spans(n_attributes: int, n_each: int) -> Iterator[slice]:
    """Cut attributes into spans of `ELEMENTS`, given those of each attribute."""
    step = max(1, ELEMENTS // max(n_each, 1))
    for start in range(0, n_attributes, step):
        yield slice(start, min(start + step, n_attributes))
