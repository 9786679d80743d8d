"""Cut data into what is learned from and what is tested, as Weka does or along groups.

With the same seed, a committee is tested on exactly the rows on which Weka tests its classifiers,
in the same order, so that errors of both can be compared fold by fold; folds that keep groups
together have no counterpart there.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.errors import DataError, counted_in_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from widc_arff.arff.relation import Attribute
    from widc_arff.arrays import Integers

_MULTIPLIER = 0x5DEECE66D
_INCREMENT = 0xB
_STATE_MASK = (1 << 48) - 1
_INT_LIMIT = 1 << 31


class JavaRandom:
    """The linear congruential generator of ``java.util.Random``.

    Parameters
    ----------
    seed : int
        Any value of Java's ``long``, negative ones included; only its low 48 bits matter.
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ _MULTIPLIER) & _STATE_MASK

    def next_int(self, bound: int) -> int:
        """Draw a whole number.

        Parameters
        ----------
        bound : int
            How many values are possible, in [1, 2**31 - 1].

        Returns
        -------
        int
            Uniform in [0, `bound` - 1], the same as Java's ``nextInt(bound)``.

        Raises
        ------
        ValueError
            If `bound` is out of its range.
        """
        if not 0 < bound < _INT_LIMIT:
            raise ValueError(f"expected a bound from 1 to {_INT_LIMIT - 1}, got {bound}")
        bits = self._next_31_bits()
        if bound & (bound - 1) == 0:  # a power of two takes the high bits, the better ones
            return (bound * bits) >> 31
        value = bits % bound
        # The last, incomplete run of `bound` numbers below 2**31 would favour small values.
        while bits - value + bound > _INT_LIMIT:
            bits = self._next_31_bits()
            value = bits % bound
        return value

    def _next_31_bits(self) -> int:
        self._state = (self._state * _MULTIPLIER + _INCREMENT) & _STATE_MASK
        return self._state >> 17


def weka_folds(classes: NDArray[np.integer], n_folds: int, seed: int) -> list[Integers]:
    """Return the test rows of each fold of a stratified cross-validation as Weka makes it.

    Parameters
    ----------
    classes : ndarray of int, shape (n_samples,)
        Code of the class of each row of the file; -1 where the class is missing.  Such rows are
        shuffled and dealt out like the others, as a class of their own.
    n_folds : int
        Number of folds, in [2, n_samples].
    seed : int
        Seed of Weka's shuffle (its option ``-s``).

    Returns
    -------
    list of ndarray of int64, shape (n_test,)
        Rows of the file, counted from 0, in the order in which Weka tests them.  The folds are
        disjoint and cover all rows; their sizes differ by at most one, larger folds first.

    Raises
    ------
    DataError
        If there are fewer than 2 folds or fewer rows than folds.

    Notes
    -----
    The training sets of Weka are shuffled further with the same generator; that changes the order
    of the rows in them but neither their members nor the test sets.  Time is
    O(n_samples log n_samples), whatever the number of classes.
    """
    n_samples = len(classes)
    if n_folds < 2:
        raise DataError(f"expected at least 2 folds, got {n_folds}")
    if n_folds > n_samples:
        raise DataError(
            f"expected at most as many folds as rows, got {n_folds} folds for "
            + counted_in_words(n_samples, "row")
            + (f"; with --folds {n_samples} each row is tested alone" if n_samples > 1 else "")
        )
    order = _shuffled(n_samples, JavaRandom(seed))
    _group_by_class(order, np.asarray(classes).tolist())
    dealt = [row for first in range(n_folds) for row in order[first::n_folds]]
    return np.array_split(np.array(dealt, dtype=np.int64), n_folds)


def weka_holdout(
    n_samples: int, percent: float, seed: int, *, preserve_order: bool = False
) -> Integers:
    """Return the rows on which Weka tests with ``-split-percentage``.

    Parameters
    ----------
    n_samples : int
        Rows of the file.
    percent : float
        Share that is learned from, in (0, 100); the number of rows is rounded as Java does.
    seed : int
        Seed of Weka's shuffle (its option ``-s``).
    preserve_order : bool
        Learn from the first rows of the file, without a shuffle (Weka's ``-preserve-order``).

    Returns
    -------
    ndarray of int64, shape (n_test,)
        Rows of the file, counted from 0, in the order in which Weka tests them.

    Raises
    ------
    DataError
        If nothing is left to learn from, or to test.
    """
    n_training = math.floor(n_samples * percent / 100 + 0.5)
    if not 0 < n_training < n_samples:
        raise DataError(
            f"expected rows to learn from and to test, got {n_training} of "
            f"{counted_in_words(n_samples, 'row')} to learn from with --holdout {percent:g}"
        )
    order = list(range(n_samples)) if preserve_order else _shuffled(n_samples, JavaRandom(seed))
    return np.array(order[n_training:], np.int64)


def group_numbers(attribute: Attribute, column: NDArray[np.generic]) -> Integers:
    """Return a number for each row, the same where the values of an attribute are the same.

    Raises
    ------
    DataError
        If a value is missing: such a row could belong to any group.
    """
    if attribute.type == "relational":
        raise DataError(
            f"groups: expected values to group by, got the relational {attribute.name!r}"
        )
    if attribute.type == "string":
        missing = np.array([value is None for value in column.tolist()], np.bool_)
        number: dict[object, int] = {}
        codes = np.array([number.setdefault(v, len(number)) for v in column.tolist()], np.int64)
    else:
        missing = column == -1 if attribute.type == "nominal" else column != column  # noqa: PLR0124
        codes = np.unique(column, return_inverse=True)[1].ravel()
    if missing.any():
        rows = np.flatnonzero(missing)
        shown = ", ".join(str(row + 1) for row in rows[:5]) + (", ..." if len(rows) > 5 else "")
        raise DataError(
            f"groups: expected a value of {attribute.name!r} in every row, got none in row"
            f"{'s' if len(rows) > 1 else ''} {shown}: such a row could belong to any group"
        )
    return np.asarray(codes, np.int64)


def group_folds(
    groups: Integers, classes: NDArray[np.integer], n_folds: int, seed: int
) -> list[Integers]:
    """Return the test rows of each fold of a cross-validation that keeps groups together.

    The groups are taken from the largest to the smallest, of equal size in the order of Weka's
    shuffle; each goes to the fold in which it adds least to the sum, over the classes, of n^2 / N
    (n of the N rows of the class in the fold), of several to the one with fewest rows.  So folds
    become alike in size and classes.

    Parameters
    ----------
    groups : ndarray of int64, shape (n_samples,)
        Number of the group of each row.
    classes : ndarray of int, shape (n_samples,)
        Code of the class of each row; -1, a missing one, is a class of its own.
    n_folds : int
        Number of folds, from 2 to the number of groups.
    seed : int
        Seed of the shuffle.

    Returns
    -------
    list of ndarray of int64, shape (n_test,)
        Rows of the file, counted from 0 and in its order.  The folds are disjoint, cover all rows,
        and are not empty.

    Raises
    ------
    DataError
        If there are fewer groups than folds.
    """
    numbers, codes = np.unique(groups, return_inverse=True)
    if len(numbers) < n_folds:
        advice = f"; --folds {len(numbers)} tests each group alone" if len(numbers) > 1 else ""
        raise DataError(
            f"groups: expected at least as many groups as folds, got {len(numbers)} "
            f"group{'' if len(numbers) == 1 else 's'} for {n_folds} folds{advice}"
        )
    labels, of_row = np.unique(classes, return_inverse=True)
    content = np.zeros((len(numbers), len(labels)))
    np.add.at(content, (codes, of_row), 1.0)
    sizes, totals = content.sum(axis=1), content.sum(axis=0)
    order = np.array(_shuffled(len(numbers), JavaRandom(seed)))
    order = order[np.argsort(-sizes[order], kind="stable")]
    held = np.zeros((n_folds, len(labels)))
    fold_of = np.zeros(len(numbers), np.int64)
    for group in order.tolist():
        added = content[group]
        cost = ((2 * held + added) * added / totals).sum(axis=1)
        nearest = np.flatnonzero(cost <= cost.min() + 1e-9)
        fold = int(nearest[held[nearest].sum(axis=1).argmin()])
        held[fold] += added
        fold_of[group] = fold
    return [np.flatnonzero(fold_of[codes] == fold) for fold in range(n_folds)]


def _shuffled(n_samples: int, random: JavaRandom) -> list[int]:
    """Return the rows in random order, shuffled from the last place down."""
    order = list(range(n_samples))
    for last in range(n_samples - 1, 0, -1):
        other = random.next_int(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def _group_by_class(order: list[int], classes: list[int]) -> None:
    """Bring rows of equal class together, in place, by the swaps that Weka makes.

    The class of the first row not yet grouped comes next: each row of that class, by its place,
    changes places with the row after the group so far.  A swap moves a row of another class to a
    place already passed, so all places of a class are known before its first swap.
    """
    place_of = [0] * len(order)
    for place, row in enumerate(order):
        place_of[row] = place
    members: dict[int, list[int]] = defaultdict(list)
    for row, code in enumerate(classes):
        members[code].append(row)
    start = 0
    while start < len(order):
        group = members[classes[order[start]]]
        for target, place in enumerate(sorted(place_of[row] for row in group), start):
            displaced = order[target]
            order[target], order[place] = order[place], displaced
            place_of[displaced] = place
        start += len(group)
