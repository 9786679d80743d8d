"""Votes that agree with their evidence: what a rule says of a class, its own cover shows.

A vote above the base of its rule, the most frequent vote, is for its class: the class has a larger
share of what the rule covers than of all examples.  A vote below the base is against its class:
the class has a smaller share there.  Then each rule can be checked by itself; a vote that only
corrects other rules cannot.

Examples weigh what they weigh in training: class weights multiply them, and so does what it costs
on average to get their class wrong.  Where an example can have several labels, the share of a label
is that of the examples that have it; votes are shown as they are there, so that a vote above 0 is
for its label, and one below 0 against it, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.model.decision import bases_of
from widc_arff.tolerance import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.induction.sample.coding import Chain


class Evidence:
    """What examples show of the labels in the covers of monomials.

    Parameters
    ----------
    weights_in : callable
        Returns the weights of the examples of some labels that a monomial covers, shape (n_some,),
        and that of all that it covers; a monomial without literals covers all examples.
    n_labels : int
        Labels that occur.
    are_sets : bool
        Whether an example can have several labels.
    """

    def __init__(
        self,
        weights_in: Callable[[Chain, list[int]], tuple[Floats, float]],
        n_labels: int,
        *,
        are_sets: bool = False,
    ) -> None:
        self._weights_in, self._are_sets = weights_in, are_sets
        of_all, total = weights_in((), list(range(n_labels)))
        self._shares = of_all / total

    def agreeing(self, monomial: Chain, vectors: Integers) -> Bools:
        """Return which vectors agree with the cover of a monomial, shape (n_vectors,)."""
        return np.asarray(~self._wrong(monomial, vectors).any(axis=1))

    def mended(self, monomial: Chain, vector: Integers) -> Integers:
        """Return a vector that agrees: the base in place of votes that do not, or no votes."""
        wrong = self._wrong(monomial, vector[None])[0]
        if not wrong.any():
            return vector
        plain = np.where(wrong, bases_of(vector[None])[0], vector)
        return np.asarray(plain if self.agreeing(monomial, plain[None])[0] else 0 * plain)

    def _wrong(self, monomial: Chain, vectors: Integers) -> Bools:
        """Return which votes the cover does not show, shape (n_vectors, n_labels)."""
        said = np.sign(vectors - bases_of(vectors)[:, None])
        named = np.flatnonzero(((said != 0) | (self._are_sets & (vectors != 0))).any(axis=0))
        own, covered = self._weights_in(monomial, named.tolist())
        expected = self._shares[named] * covered
        shown = np.zeros(vectors.shape[1], np.int64)
        shown[named] = (own > expected * (1 + TOLERANCE)) - 1 * (own < expected * (1 - TOLERANCE))
        wrong = (said != 0) & (said != shown)
        if self._are_sets:
            wrong |= (vectors != 0) & (vectors != shown)
        return np.asarray(wrong)
