"""What refined pruning is to find: limits and demands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from widc_arff.induction.distinct_rows import PLAIN

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from widc_arff.induction.admission import Admission
    from widc_arff.induction.growing import GrowthLimits
    from widc_arff.induction.voting import Voting


@dataclass(frozen=True, slots=True, eq=False)
class Demands:
    """What is demanded of rules beside limits of size.

    Parameters
    ----------
    admission : Admission or None
        Bars literals from monomials.
    voting : Voting
        How vectors are found, and what errors cost.
    known : frozenset of frozenset of int
        Monomials of rules that are given; they are not learned again.
    """

    admission: Admission | None = None
    voting: Voting = PLAIN
    known: frozenset[frozenset[int]] = frozenset()

    def restricted(self, literals: NDArray[np.int64]) -> Demands:
        """Return the same demands where only some literals are left, numbered anew."""
        number = {literal: i for i, literal in enumerate(literals.tolist())}
        admission = None if self.admission is None else self.admission.restricted(literals)
        left = [monomial for monomial in self.known if monomial <= number.keys()]
        known = frozenset(frozenset(number[i] for i in monomial) for monomial in left)
        return Demands(admission, self.voting.restricted(literals), known)


@dataclass(frozen=True, slots=True, eq=False)
class Aim:
    """What the search is for.

    Parameters
    ----------
    penalty : float
        Bits a literal.
    limits : GrowthLimits
        Hard limits of the committee.
    demands : Demands
        What is demanded of its rules beside.
    pairs : bool
        Whether polishing tries new rules of two literals where none of one literal helps.
    replacing : bool
        Whether polishing tries to replace literals.
    """

    penalty: float
    limits: GrowthLimits
    demands: Demands
    pairs: bool = False
    replacing: bool = True
