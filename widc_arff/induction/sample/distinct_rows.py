"""Distinct rows of codes, and products that no linear algebra library spreads over threads."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff.arrays import Floats, Integers
    from widc_arff.induction.sample.coding import CodedSample

UNTHREADED = 1 << 18
LARGEST_KEY = 1 << 63
MIXING, MIXING_SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)
"""An odd number of 64 bits without a pattern, and about half of these bits."""


def product(
    values: NDArray[np.floating],
    table: NDArray[np.generic],
    rows: Integers | slice,
) -> Floats:
    """Return ``values @ table[rows]``, in steps so small that no linear algebra library threads.

    Threads cost more here than they bring, and processes that run side by side suffer most.

    Parameters
    ----------
    values : ndarray of shape (n_series, n_selected)
    table : ndarray of shape (n_rows, n_columns)
    rows : ndarray of int64 of shape (n_selected,) or slice
        Rows of the table.
    """
    n_series, n_columns = len(values), table.shape[1]
    if n_series == 1:  # a product with a vector threads earlier
        values = np.repeat(values, 2, axis=0)
    total = np.zeros((len(values), n_columns))
    step = max(1, UNTHREADED // max(1, n_columns * len(values)))
    for start in range(0, values.shape[1], step):
        part = slice(start, start + step)
        selected = table[part] if isinstance(rows, slice) else table[rows[part]]
        total += values[:, part] @ selected.astype(values.dtype, copy=False)
    return total[:n_series]


def distinct_codes(
    sample: CodedSample, label_sets: NDArray[np.uint8] | None = None
) -> tuple[Integers, Integers]:
    """Return the first example of each distinct row of codes, and the row of each example.

    Where label sets are told, as bytes of shape (n_bytes, n_samples), rows differ in them too.

    Rows are in the order of their bytes: by the first code, then by the second and so on.  As many
    codes as 63 bits hold are told apart at once, until no two examples are alike.
    """
    parts = sample.codes_of_attributes
    if sample.given_votes is not None:
        parts.append(sample.given_votes.view(np.uint16))
    if label_sets is not None:
        parts.append(label_sets)
    row = np.zeros(sample.n_samples, np.int64)
    n_keys = 1
    for codes in chain.from_iterable(parts):
        n_codes = 1 << 8 * codes.itemsize if codes.itemsize > 1 else int(codes.max(initial=0)) + 1
        if n_keys * n_codes > LARGEST_KEY:
            first, row = _numbered(row)
            n_keys = len(first)
            if n_keys == sample.n_samples:
                return first, row
        row = row * n_codes
        row += codes.byteswap() if codes.itemsize > 1 else codes
        n_keys *= n_codes
    return _numbered(row)


def fingerprints(sample: CodedSample) -> NDArray[np.uint64]:
    """Return a number of 64 bits for each example: the same for the same codes.

    It depends on these alone, in the order of the attributes: neither on other rows nor on the
    machine.  Numbers of different codes meet by chance only, and are spread evenly.
    """
    parts = sample.codes_in_order
    if sample.given_votes is not None:
        parts += list(sample.given_votes.view(np.uint16))
    found = np.zeros(sample.n_samples, np.uint64)
    for codes in parts:
        found += codes.astype(np.uint64)
        found *= MIXING
        found ^= found >> MIXING_SHIFT
    return found


def _numbered(keys: Integers) -> tuple[Integers, Integers]:
    """Return the first place of each distinct key, and the number of each key among them."""
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    return first, number
