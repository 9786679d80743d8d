"""Rows on which the same rules fire and of which the same is true, counted as one.

A committee says the same of all of them, so that an evaluation needs no more than one of each and
what they weigh together: it holds as many rows as there are such kinds, however many it tests.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.arrays import joined_weights
from widc_arff.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.data.dataset import Dataset
    from widc_arff.model.committee import DecisionCommittee

_WORD = 8  # bytes


class ByRow(NamedTuple):
    """What is held of each row.

    Parameters
    ----------
    places : ndarray of int64 of shape (n_samples,)
        Which of the distinct rows it is.
    weights : ndarray of float64 of shape (n_samples,)
        What it weighs.
    """

    places: Integers
    weights: Floats


class DistinctRows(NamedTuple):
    """Rows of which no two are of one kind.

    Parameters
    ----------
    examples : Dataset
        The first row of each kind, with the weight of all; of weight 0 are kinds of their own.
    counts : ndarray of int64 of shape (n_distinct,)
        How many rows are of the kind.
    by_row : ByRow or None
        The rows themselves, where they were asked for.
    """

    examples: Dataset
    counts: Integers
    by_row: ByRow | None = None


def distinct_rows(
    committee: DecisionCommittee, pieces: Iterable[Dataset], *, by_row: bool = False
) -> DistinctRows:
    """Return the distinct rows of a data set that comes in pieces, one at least.

    Parameters
    ----------
    committee : DecisionCommittee
        Whose rules tell rows apart.
    pieces : iterable of Dataset
        In the schema of the committee.
    by_row : bool
        Whether to keep, in some 4 bytes per row, which distinct row each row equals.
    """
    found: DistinctRows | None = None
    places: list[Integers] = []
    weights: list[Floats] = []
    for piece in pieces:
        weights.append(piece.weights)
        counts = np.ones(piece.n_samples, np.int64)
        if found is None:
            found, place_of = _distinct(committee, piece, counts)
        else:
            n_before = found.examples.n_samples
            more, place_in_more = _distinct(committee, piece, counts)
            both = _joined(committee, found.examples, more.examples)
            both_counts = np.concatenate([found.counts, more.counts])
            found, of_both = _distinct(committee, both, both_counts)
            place_of = of_both[n_before:][place_in_more]  # the first of a kind keep their places
        if by_row:
            places.append(place_of.astype(np.int32))
    if found is None:
        raise DataError("expected a piece of data, got none")
    if not by_row:
        return found
    return found._replace(by_row=ByRow(np.concatenate(places), joined_weights(weights)))


def _distinct(
    committee: DecisionCommittee, rows: Dataset, counts: Integers
) -> tuple[DistinctRows, Integers]:
    """Return the distinct rows in the order of the first of each, and which each row is."""
    bits = [committee.fires(rows), rows.Y, rows.labelled[:, None], rows.weights[:, None] > 0]
    kind_of = _numbered(np.concatenate(bits, axis=1))
    _, first, place_of = np.unique(kind_of, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    place_of = rank[place_of]
    n = len(order)
    weights = np.bincount(place_of, rows.weights, minlength=n).astype(np.float64)
    examples = replace(_some(committee, rows, first[order]), weights=weights)
    held = np.bincount(place_of, counts, minlength=n).astype(np.int64)
    return DistinctRows(examples, held), place_of


def _some(committee: DecisionCommittee, examples: Dataset, rows: Integers) -> Dataset:
    """Return some rows with the columns that rules test; the others hold one value."""
    used, nothing = committee.used_attributes, np.broadcast_to(np.int8(-1), len(rows))
    return replace(
        examples,
        columns=tuple(
            examples.columns[i][rows] if i in used else nothing
            for i in range(len(examples.columns))
        ),
        Y=examples.Y[rows],
        weights=examples.weights[rows],
        complete=None if examples.complete is None else examples.complete[rows],
    )


def _joined(committee: DecisionCommittee, one: Dataset, other: Dataset) -> Dataset:
    """Return the rows of two data sets of one schema, as `_some` returns them."""
    used = committee.used_attributes
    n_rows = one.n_samples + other.n_samples
    nothing = np.broadcast_to(np.int8(-1), n_rows)
    pairs = enumerate(zip(one.columns, other.columns, strict=True))
    complete = None
    if one.complete is not None and other.complete is not None:
        complete = np.concatenate([one.complete, other.complete])
    return replace(
        one,
        columns=tuple(np.concatenate(pair) if i in used else nothing for i, pair in pairs),
        Y=np.concatenate([one.Y, other.Y]),
        weights=np.concatenate([one.weights, other.weights]),
        complete=complete,
    )


def _numbered(bits: Bools) -> Integers:
    """Return a number for each row of bits, equal where the bits are, shape (n_rows,)."""
    packed = np.packbits(bits, axis=1)
    width = -packed.shape[1] % _WORD
    words = np.pad(packed, ((0, 0), (0, width))).view(np.uint64)
    numbers = np.zeros(len(bits), np.int64)
    for word in words.T:
        _, of_word = np.unique(word, return_inverse=True)
        _, numbers = np.unique(
            numbers * (int(of_word.max(initial=0)) + 1) + of_word, return_inverse=True
        )
    return numbers
