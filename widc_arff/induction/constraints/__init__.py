"""What is demanded of rules, by whoever wants them.

Limits, coverage, directions, what votes say and how many exceptions they have, other rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from widc_arff.induction.constraints.limits import Limits
from widc_arff.induction.constraints.vector_search import PLAIN, VectorSearch, meets
from widc_arff.induction.sample.kept import KEPT_BYTES, Kept
from widc_arff.model.decision import from_line, n_exceptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Bools, Floats, Integers
    from widc_arff.induction.constraints.evidence import Evidence
    from widc_arff.induction.constraints.literal_filter import LiteralFilter
    from widc_arff.induction.sample.coding import Chain


class Constraints:
    """Limits and demands of learned rules.

    Parameters
    ----------
    n_literals : int
        Literals of the catalogue.
    limits : Limits
        Hard limits of the committee.
    vector_search : VectorSearch
        How vectors are found, and what errors cost.
    literal_filter : LiteralFilter, optional
        Bars literals from monomials.
    known : frozenset of frozenset of int
        Monomials of rules that are given; they are not learned again.
    most_exceptions : int, optional
        Votes of a rule that differ from the most frequent one, at most; None for any number.
    evidence : sequence of Evidence
        What votes must agree with.
    with_line : bool
        Whether the last vote is that for a line, from which others differ by one at most.
    """

    def __init__(  # noqa: PLR0913 - each is a demand of its own
        self,
        n_literals: int,
        limits: Limits | None = None,
        vector_search: VectorSearch = PLAIN,
        literal_filter: LiteralFilter | None = None,
        known: frozenset[frozenset[int]] = frozenset(),
        *,
        most_exceptions: int | None = None,
        evidence: Sequence[Evidence] = (),
        with_line: bool = False,
    ) -> None:
        self.vector_search, self.known = vector_search, known
        self._most_exceptions = most_exceptions
        self._limits, self.literal_filter = limits or Limits(), literal_filter
        self._evidence, self._with_line = evidence, with_line
        self._vectors_of: Kept[bytes, Integers] = Kept(KEPT_BYTES // 2)
        self.of_one_rule = Limits(max_literals=self._limits.max_literals)
        """The limits that each rule meets by itself."""
        self._none, self._all = np.zeros(n_literals, np.bool_), np.ones(n_literals, np.bool_)

    def barred(self, monomial: Chain) -> Bools:
        """Return which literals may not join a monomial, shape (n_literals,)."""
        most = self._limits.max_literals
        if most is not None and len(monomial) >= most:
            return self._all
        return self._none if self.literal_filter is None else self.literal_filter.barred(monomial)

    def vectors_of(self, monomial: Chain, class_weights: Floats) -> Integers:
        """Return the paper's vector of a cover with some class weights (eq. 3)."""
        demanded = self.vector_search.demanded([monomial])
        key = class_weights.tobytes() + (b"" if demanded is None else demanded.tobytes())
        found = self._vectors_of.get(key)
        if found is None:
            vector = self.vector_search.best(class_weights[None], demanded)[0]
            found = self._vectors_of.keep(key, vector)
        return found

    def may_vote(self, vectors: Integers) -> Bools | None:
        """Return which vectors may be, whatever the monomial, shape (n_vectors,); None for all."""
        may = None
        if self._most_exceptions is not None:
            may = np.asarray(n_exceptions(vectors) <= self._most_exceptions)
        if self._with_line:
            near = np.asarray((np.abs(from_line(vectors)) <= 1).all(axis=-1))
            may = near if may is None else may & near
        return may

    def allows(self, monomial: Chain, vector: Integers) -> bool:
        """Tell whether a monomial may have a vector."""
        may, demanded = self.may_vote(vector[None]), self.vector_search.demanded([monomial])
        if may is not None and not may[0]:
            return False
        if demanded is not None and not meets(vector[None], int(demanded[0]))[0]:
            return False
        return self.agrees(monomial, vector)

    def agrees(self, monomial: Chain, vector: Integers) -> bool:
        """Tell whether a vector agrees with the cover of a monomial; each rule must pass it."""
        return all(shown.agrees(monomial, vector) for shown in self._evidence)

    def allowed_of_each(self, monomials: Sequence[Chain], vectors: Integers) -> Bools | None:
        """Return which vectors each of some monomials may have, (n_monomials, n_vectors).

        None if they may have all.  The vectors are some that `may_vote`.
        """
        return _allowed(self.vector_search.demanded(monomials), vectors)

    def allowed_without_each(self, monomial: Chain, vectors: Integers) -> Bools | None:
        """Return which vectors a monomial may have, and without each literal.

        Shape (n_monomial_literals + 1, n_vectors); None if all.  The vectors are some that
        `may_vote`.
        """
        return _allowed(self.vector_search.demanded_without_each(monomial), vectors)

    def allowed_with_each(self, rest: Chain, vectors: Integers) -> Bools | None:
        """Return which vectors a monomial may have with each literal, (n_vectors, n_literals).

        None if it may have all.  The vectors are some that `may_vote`.
        """
        allowed = _allowed(self.vector_search.demanded_with_each(rest), vectors)
        return None if allowed is None else allowed.T

    def allow_sizes(self, n_rules: int, n_literals: int) -> bool:
        """Tell whether so many rules with so many literals in all keep within the limits."""
        return self._limits.allow(n_rules, n_literals)


def _allowed(demanded: Integers | None, vectors: Integers) -> Bools | None:
    """Return which vectors meet each of some demands, (n_demands, n_vectors); None without any."""
    if demanded is None:
        return None
    kinds, which = np.unique(demanded, return_inverse=True)
    return np.array([meets(vectors, int(kind)) for kind in kinds])[which]
