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

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from widc_arff.model.decision import base_of, from_line
from widc_arff.tolerance import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from widc_arff.arrays import Floats, Integers
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
    with_line : bool
        Whether a vote for a line stands behind those for labels: votes are then seen from it.
    """

    def __init__(
        self,
        weights_in: Callable[[Chain, list[int]], tuple[Floats, float]],
        n_labels: int,
        *,
        are_sets: bool = False,
        with_line: bool = False,
    ) -> None:
        self._weights_in, self._are_sets, self._with_line = weights_in, are_sets, with_line
        of_all, total = weights_in((), list(range(n_labels)))
        self._shares = of_all / total

    def agrees(self, monomial: Chain, vector: Integers) -> bool:
        """Tell whether a vector agrees with the cover of a monomial."""
        return not self._not_shown(monomial, vector)

    def mended(self, monomial: Chain, vector: Integers) -> Integers:
        """Return a vector that agrees: the base in place of votes that do not, or no votes."""
        not_shown = self._not_shown(monomial, vector)
        if not not_shown:
            return vector
        plain = vector.copy()
        plain[not_shown] = vector[-1] if self._with_line else base_of(vector.tolist())
        return plain if self.agrees(monomial, plain) else 0 * plain

    def _not_shown(self, monomial: Chain, vector: Integers) -> list[int]:
        """Return the labels for or against which a vector is, and the cover is not."""
        if self._with_line:
            seen = from_line(vector)
            said = [(label, int(seen[label])) for label in np.flatnonzero(seen).tolist()]
        else:
            said = said_by(tuple(vector.tolist()), are_sets=self._are_sets)
        own, covered = self._weights_in(monomial, [label for label, _ in said])
        not_shown = []
        for (label, sign), weight in zip(said, own.tolist(), strict=True):
            expected = float(self._shares[label]) * covered
            if not sign * (weight - expected) > TOLERANCE * expected:
                not_shown.append(label)
        return not_shown


@lru_cache(maxsize=1 << 14)
def said_by(votes: tuple[int, ...], *, are_sets: bool) -> list[tuple[int, int]]:
    """Return for (1) or against (-1) which labels votes are."""
    base = base_of(votes)
    said = [(label, 1 if vote > base else -1) for label, vote in enumerate(votes) if vote != base]
    if are_sets:
        said += [(label, vote) for label, vote in enumerate(votes) if vote not in (0, base)]
        said += [(label, base) for label, vote in enumerate(votes) if vote == base != 0]
    return said
