"""Watching an induction: what is told, step by step, to whoever wants to know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from widc_arff.arrays import Integers
    from widc_arff.induction.sample.coding import Catalogue, Chain
    from widc_arff.model.literals import Literal, Monomial


class Observer(Protocol):
    """Is told what `induce` does while it does it; changes nothing.  Rules count from 1."""

    def tried(self, rule: int, chain: Monomial, literal: Literal, z: tuple[float, float]) -> None:
        """Hear that a literal was the best to add to a chain, and Z before and after it.

        It is added if Z falls.  Each rule grows from a literal and from its negation.
        """

    def grown(self, rule: int, monomial: Monomial) -> None:
        """Hear which of the chains became the rule."""

    def refined(self, how: str, sizes: Sequence[int], bits: float, *, kept: bool) -> None:
        """Hear what refined pruning came to: literals of each rule, description length J."""

    def voted(self, rule: int, monomial: Monomial, votes: Sequence[int]) -> None:
        """Hear the vector of a rule."""

    def removed(self, rule: int, error: float) -> None:
        """Hear that pruning removed a rule, and the training error (ranking loss) thereafter."""

    def kept(self, rules: Sequence[int]) -> None:
        """Hear which rules pruning returns."""


def tell_votes(
    observer: Observer | None,
    catalogue: Catalogue,
    monomials: Sequence[Chain],
    vectors: Integers,
) -> None:
    """Tell an observer the vectors of all rules."""
    if observer is not None:
        for number, (monomial, vector) in enumerate(zip(monomials, vectors, strict=True), start=1):
            observer.voted(number, catalogue.monomial(monomial), vector.tolist())
