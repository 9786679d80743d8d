"""Cut data into the folds of Weka's cross-validation.

With the same seed, a committee is tested on exactly the rows on which Weka tests its classifiers,
in the same order, so that errors of both can be compared fold by fold.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

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


def weka_folds(classes: NDArray[np.integer], n_folds: int, seed: int) -> list[NDArray[np.int64]]:
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
            f"expected at most as many folds as rows, got {n_folds} folds for {n_samples} rows"
            + (f"; with --folds {n_samples} each row is tested alone" if n_samples > 1 else "")
        )
    order = _shuffled(n_samples, JavaRandom(seed))
    _group_by_class(order, np.asarray(classes).tolist())
    dealt = [row for first in range(n_folds) for row in order[first::n_folds]]
    return np.array_split(np.array(dealt, dtype=np.int64), n_folds)


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
