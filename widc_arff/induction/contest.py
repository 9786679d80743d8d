"""Who wins each row when votes change: of many classes only those near the top of a row can."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEW_CLASSES = 4
MANY_CLASSES = 10
"""Above, the search looks at less."""
N_EVALUATED = 12
ELEMENTS = 1 << 19


class Contest:
    """Rows with summed votes, and the weight that is won where votes are added.

    Ties go to the class of the highest rank.

    Parameters
    ----------
    votes : ndarray of int16 of shape (n_classes, n_rows)
        Summed votes.
    ranks : ndarray of int16 of shape (n_classes,)
        Order of the classes among tied ones, the winner highest.
    right : ndarray of float64 of shape (n_classes, n_rows)
        Weight that is right with each decision.
    spread : int
        Largest difference within a vector of votes that may be added.
    """

    def __init__(
        self,
        votes: NDArray[np.int16],
        ranks: NDArray[np.int16],
        right: NDArray[np.float64],
        spread: int,
    ) -> None:
        self._n_classes, n = votes.shape
        self._right = right
        self._label_of_rank = np.argsort(ranks)
        keys = votes.astype(np.int32) * self._n_classes + ranks[:, None]
        self.won = self._weight_of(keys.max(axis=0), np.arange(n))
        """Weight that is right as it stands, shape (n_rows,)."""
        self._few = self._n_classes <= FEW_CLASSES
        if self._few:
            self._keys = keys
            return
        near = votes.max(axis=0)[:, None] - spread <= votes.T
        row, self._label = near.nonzero()
        self._keys = keys[self._label, row]
        self._n_near = np.bincount(row, minlength=n)
        self._first = np.cumsum(self._n_near) - self._n_near

    def gains(self, rows: NDArray[np.int64], vectors: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the weight won by the addition of each vector to some rows.

        Parameters
        ----------
        rows : ndarray of int64 of shape (n_some,)
        vectors : ndarray of int64 of shape (n_vectors, n_classes)

        Returns
        -------
        ndarray of float64 of shape (n_vectors, n_some)
        """
        gains = np.empty((len(vectors), len(rows)))
        if not len(rows):
            return gains
        shifts = vectors.astype(np.int32) * self._n_classes
        entries, starts = (None, None) if self._few else self._entries(rows)
        width = self._n_classes * len(rows) if entries is None else len(entries)
        step = max(1, ELEMENTS // width)
        for start in range(0, len(vectors), step):
            some = slice(start, start + step)
            if entries is None or starts is None:
                keys = self._keys[:, None, rows] + shifts[some].T[:, :, None]
                best = keys.max(axis=0)
            else:
                keys = self._keys[entries] + shifts[some][:, self._label[entries]]
                best = np.maximum.reduceat(keys, starts, axis=1)
            gains[some] = self._weight_of(best, rows)
        gains -= self.won[rows]
        return gains

    def gains_of_pairs(
        self, rows: NDArray[np.int64], which: NDArray[np.int64], vectors: NDArray[np.signedinteger]
    ) -> NDArray[np.float64]:
        """Return the weight won in each of some rows by the addition of one vector to it.

        Parameters
        ----------
        rows, which : ndarray of int64 of shape (n_pairs,)
            A row, and which of the vectors is added to it.
        vectors : ndarray of int64 of shape (n_vectors, n_classes)
        """
        if not len(rows):
            return np.zeros(0)
        shifts = vectors.astype(np.int32) * self._n_classes
        if self._few:
            best = (self._keys[:, rows] + shifts.T[:, which]).max(axis=0)
        else:
            entries, starts = self._entries(rows)
            shift = np.repeat(which, self._n_near[rows]) * self._n_classes + self._label[entries]
            best = np.maximum.reduceat(self._keys[entries] + shifts.ravel()[shift], starts)
        return np.asarray(self._weight_of(best, rows) - self.won[rows])

    def _entries(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the places of the classes near the top of some rows, and where each row starts."""
        n_near = self._n_near[rows]
        starts = np.cumsum(n_near) - n_near
        places = np.repeat(self._first[rows] - starts, n_near)
        places += np.arange(len(places))
        return places, starts

    def _weight_of(self, best: NDArray[np.int32], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the weight that is right where the largest keys win."""
        return np.asarray(self._right[self._label_of_rank[best % self._n_classes], rows])


def most_promising(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the changes that are worth an exact look: the twelve least, the first if equal."""
    return np.argsort(np.round(scores, 9), kind="stable")[:N_EVALUATED]


def ranks(scores: NDArray[np.float64]) -> NDArray[np.int16]:
    """Return the order in which tied classes win: the largest score, then the first declared."""
    order = np.empty(len(scores), np.int16)
    order[np.lexsort((-np.arange(len(scores)), scores))] = np.arange(len(scores))
    return order
