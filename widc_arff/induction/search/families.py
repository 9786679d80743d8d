"""The vectors that polishing tries, in families that differ in one vote."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from widc_arff.model.decision import n_exceptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Integers


class Family(NamedTuple):
    """Vectors that differ from one vector in one vote.

    Parameters
    ----------
    vector : ndarray of int64 of shape (n_classes,)
    step : int
        By how much; 0 for the vector itself.
    labels : ndarray of int64 of shape (n_vectors,)
        In which votes.
    """

    vector: Integers
    step: int
    labels: Integers


class Vectors(NamedTuple):
    """Vectors to try in a place.

    Parameters
    ----------
    families : sequence of Family
        In order.
    vectors : ndarray of int64 of shape (n_vectors, n_classes)
        Of the families, one after another.
    tried : ndarray of int64 of shape (n_tried,)
        Places of those that say something, each of equal meaning once.
    n_exceptions : ndarray of int64 of shape (n_tried,)
        Of those that are tried.
    """

    families: Sequence[Family]
    vectors: Integers
    tried: Integers
    n_exceptions: Integers

    @classmethod
    def of(cls, families: Sequence[Family]) -> Vectors:
        """Return the vectors of some families."""
        sizes = [len(family.labels) for family in families]
        vectors = np.repeat([family.vector for family in families], sizes, axis=0)
        labels = np.concatenate([family.labels for family in families])
        vectors[np.arange(len(labels)), labels] += np.repeat([f.step for f in families], sizes)
        said = (vectors - vectors.min(axis=1, keepdims=True)).astype(np.int8)
        whole = said.view(f"V{said.shape[1]}").ravel().tolist()
        first: dict[bytes, int] = {}
        for k in np.flatnonzero(said.any(axis=1)).tolist():
            first.setdefault(whole[k], k)
        tried = np.array(list(first.values()), np.int64)
        return cls(families, vectors, tried, n_exceptions(vectors[tried]))

    def only(self, some: Integers) -> Vectors:
        """Return some of those that are tried, by their number among these."""
        some = self.tried[some]
        taken = np.zeros(len(self.vectors), np.bool_)
        taken[some] = True
        ends = np.cumsum([len(family.labels) for family in self.families])[:-1]
        families = [
            family._replace(labels=family.labels[of_family])
            for family, of_family in zip(self.families, np.split(taken, ends), strict=True)
            if of_family.any()
        ]
        vectors = self.vectors[taken]
        return Vectors(families, vectors, np.arange(len(some)), n_exceptions(vectors))


@lru_cache(maxsize=1 << 10)
def vectors_near(own: bytes, of_cover: bytes) -> Vectors:
    """Return the vectors to try in the place of a rule: near its own, and of one exception."""
    vector, other = np.frombuffer(own, np.int64), np.frombuffer(of_cover, np.int64)
    return Vectors.of([*families_near(vector, other), *simple_families(len(vector))])


@lru_cache(maxsize=1 << 6)
def simple_vectors(n_classes: int) -> Vectors:
    """Return the vectors of one exception."""
    return Vectors.of(simple_families(n_classes))


def simple_families(n_classes: int) -> list[Family]:
    """Return the vectors of one exception: for a class, against it, and strongly for it.

    With two classes against one is for the other.
    """
    every, nothing = np.arange(n_classes), np.zeros(n_classes, np.int64)
    strongly, plainly = Family(nothing - 1, 2, every), Family(nothing, 1, every)
    if n_classes == 2:
        return [strongly, plainly]
    return [plainly, Family(nothing, -1, every), strongly]


def families_near(own: Integers, of_cover: Integers) -> list[Family]:
    """Return a rule's own vector, that of its cover, and those that differ from it in one vote."""
    one = np.zeros(1, np.int64)
    near = [Family(own, step, np.flatnonzero(abs(own + step) <= 1)) for step in (1, -1, 2, -2)]
    return [Family(own, 0, one), Family(of_cover, 0, one), *near]
